// Shared by every program: the frame's uniforms, light, sky, haze, noise and the tone curve.
// Colours are linear until `finish`. World frame: x east, y north, z up, metres.

layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 light_projection;
    vec4 eye;              // xyz
    vec4 sun;              // xyz: unit, towards what throws shadows, the sun or the moon; w: metres a shadow texel covers
    vec4 viewport;         // width, height, 1/width, 1/height
    vec4 occluder[4];      // x, y, cos, sin of what stands over the ground (machine, trucks, tool)
    vec4 occluder_size[4]; // half length, half width, strength, softness
    vec4 occluder_top;     // m: what is higher is not under it
    // Light of the time of day and the weather (render/light.h).
    vec3 sun_color;
    float wetness; // share of water on what looks up
    vec3 sky_zenith;
    float clouds; // share of the sky
    vec3 sky_horizon;
    float haze; // 1/m: extinction of the air
    vec3 ambient_sky;
    float veil; // share: how far fog hides the sky
    vec3 ambient_ground;
    float haze_most; // share of its colour that the farthest thing loses
    vec3 bounce; // light thrown back from lit ground
    float exposure;
    vec3 glow; // around the sun
    float night; // share
    vec3 sun_place; // unit, towards the sun, also where it has set
    float rain; // share of the heaviest
    vec4 lamp[4];     // x, y, z; strength, 0: out
    vec4 lamp_aim[4]; // unit, where it shines; cosine of half its cone
    // Maps of shadows in one texture (render/shot.h).
    mat4 lamp_light;
    vec4 tool_light; // from the sun's map of the site to that of the tool: x, y, z; scale of x and y, 0: none
    vec4 site_part, tool_part, lamp_part; // of the texture: width, height, left, lower edge
    vec4 fineness; // m a texel of the tool's map; the same of the lamps' 1 m away; the pair of lamps, -1: none
};

uniform sampler2D noise_map;
uniform sampler2DShadow shadow_map;

// A number that looks as if it had nothing to do with `x`.
uint scramble(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

// 0..1, from ten bits of a number.
float part_of(uint number, int shift)
{
    return float(number >> shift & 1023U) / 1023.0;
}

vec3 sky_gradient(vec3 direction)
{
    float height = max(direction.z, 0.0);
#ifdef LOW
    vec3 color = mix(sky_zenith, sky_horizon, (1.0 - height) * (1.0 - height) * (1.0 - height));
#else
    vec3 color = mix(sky_horizon, sky_zenith, 1.0 - pow(1.0 - height, 3.2));
#endif
    float toward_sun = max(dot(direction, sun_place), 0.0), third = toward_sun * toward_sun * toward_sun;
    return color + glow * (third * third * third * toward_sun + 0.4545 * third * (1.0 - height));
}

// Height of the ground far from the site, `away` m beyond its edge.
const float FAR_LOOK = 1.5; // m beyond the site within which the ground takes on its mean look
float far_height(vec2 w, float away)
{
    return (textureLod(noise_map, w * 0.0021, 3.0).r - 0.5) * 9.0 * smoothstep(50.0, 400.0, away);
}

#ifdef FRAGMENT
// ---- grown ground from a few metres to the horizon ----

const float FIELDS_FROM = 26.0; // m beyond the site

// Metres on the ground that a pixel covers at a place, along a level direction. 0.0011: rad a pixel has, at 720 rows.
float covered(vec3 place, vec2 along)
{
    vec3 ray = place - eye.xyz;
    float range = length(ray), stretched = range / max(abs(ray.z), 0.02 * range);
    return 0.0011 * range * mix(1.0, stretched, abs(dot(ray.xy, along)) / max(length(ray.xy), 0.01));
}

#ifndef LOW
// Factor of the albedo of grown ground: tussocks, dry and lush patches, so that a meadow is no even green where its
// blades can no longer be seen. green: share of grass; clumps, patches: noise, about 0.5.
vec3 meadow_tone(vec3 place, float green, float clumps, float patches)
{
    float tussocks = texture(noise_map, mat2(0.92, 0.39, -0.39, 0.92) * place.xy * 0.119, -1.3).g - 0.81;
    float dry = (clumps - 0.5) * 1.2 + (patches - 0.5) * 0.8;
    return max(1.0 + green * (tussocks * 0.7 + dry * vec3(0.70, 0.45, 0.30)), 0.5);
}
#endif

// Albedo beyond the site: fields in rows of 64 m (render/landscape.c plants hedges along them) with meadows, stubble,
// ploughed and green crops, their rows or swaths, verges and tracks. Where rows are finer than pixels only their mean is
// left. outside: m beyond the site's edge; green: share of grass around the site, without any the country is barren.
// uneven: noise of large scale, about 0.
vec3 far_fields(vec3 albedo, vec3 place, float outside, float green, float uneven)
{
    float share = smoothstep(FIELDS_FROM, FIELDS_FROM + 22.0, outside) * mix(0.35, 0.92, green);
    vec2 w = mat2(0.9553, 0.2955, -0.2955, 0.9553) * place.xy;
    float row = floor(w.y / 64.0);
    uint key = scramble(uint(int(row) + 4096));
    float x = w.x / mix(90.0, 170.0, part_of(key, 0)) + 7.0 * part_of(key, 10), deep = w.y - 64.0 * row;
    uint field = scramble(key ^ uint(int(floor(x)) + 8192));
    float kind = part_of(field, 0), tint = part_of(field, 10);
    vec3 crop = kind < 0.34 ? mix(vec3(0.072, 0.088, 0.030), vec3(0.105, 0.108, 0.044), tint)
              : kind < 0.52 ? mix(vec3(0.230, 0.180, 0.090), vec3(0.190, 0.160, 0.085), tint)
              : kind < 0.68 ? mix(vec3(0.105, 0.075, 0.050), vec3(0.140, 0.104, 0.070), tint)
              : kind < 0.84 ? mix(vec3(0.050, 0.090, 0.024), vec3(0.062, 0.078, 0.030), tint)
                            : mix(vec3(0.260, 0.205, 0.085), vec3(0.200, 0.170, 0.080), tint);
    crop *= 1.0 + 0.9 * uneven;
    // Rows run along or across the field, closer where crops stand than where grass was mown.
    bool along_x = part_of(field, 20) < 0.6;
    float apart = kind < 0.34 ? 5.2 : 2.6;
    vec2 square = along_x ? vec2(0.2955, 0.9553) : vec2(0.9553, -0.2955);
    float wave = sin(6.2832 * (along_x ? w.y : w.x) / apart), fine = covered(place, square) / apart;
    crop *= 1.0 + (kind < 0.34 ? 0.10 : 0.20) * wave * (1.0 - smoothstep(0.25, 0.75, fine));
    // A verge along each border, on some a track of two ruts.
    float edge = min(deep, 64.0 - deep), blur = covered(place, vec2(0.2955, 0.9553));
    crop = mix(vec3(0.075, 0.082, 0.030), crop, smoothstep(1.2, 2.4 + blur, edge));
#ifndef LOW
    if (part_of(scramble(uint(int(round(w.y / 64.0)) + 77)), 0) < 0.5) {
        float rut = abs(edge - 0.9);
        crop = mix(crop, vec3(0.215, 0.180, 0.130), (1.0 - smoothstep(0.25, 0.45 + 0.6 * blur, rut)) * 0.75 * min(1.0, 0.9 / max(blur, 0.3)));
    }
#endif
    return mix(albedo, crop, share);
}
#endif

#ifdef LOW
// For computers that draw in software: the same look from a fraction of the operations.
vec3 add_haze(vec3 color, vec3 place)
{
    float lost = haze_most * (1.0 - exp2(-1.44 * haze * length(place - eye.xyz)));
    return mix(color, sky_horizon * mix(0.84, 1.0, veil), lost);
}

vec3 soil_tone(vec3 color)
{
    return color * (color * 0.05 + 0.455);
}

vec3 finish(vec3 color)
{
    color *= exposure;
    color = color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14);
    return sqrt(clamp(color, 0.0, 1.0));
}
#else
vec3 add_haze(vec3 color, vec3 place)
{
    vec3 ray = place - eye.xyz;
    float range = length(ray);
    float lost = haze_most * (1.0 - exp(-haze * range * (1.0 + 0.00115 * range)));
    // Near the ground the air is a little darker than the sky behind it: far fields fade into the tree line.
    return mix(color, sky_gradient(normalize(vec3(ray.xy, max(ray.z, 0.0)))) * mix(vec3(0.84, 0.87, 0.87), vec3(1.0), veil), lost);
}

// Soils as files state them are dry and pale; on a site they are moist and deeper.
vec3 soil_tone(vec3 color)
{
    return pow(color, vec3(1.22)) * 0.72 / (1.0 + 0.5 * color);
}

vec3 finish(vec3 color)
{
    color *= exposure;
    color = color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14);
    return pow(clamp(color, 0.0, 1.0), vec3(1.0 / 2.2));
}
#endif

// Light that standing bodies take from the ground near them.
float occlusion_at(vec3 place)
{
    float open = 1.0;
    for (int k = 0; k < 4; k++) {
        vec2 d = place.xy - occluder[k].xy;
        float reach = occluder_size[k].x + occluder_size[k].y + occluder_size[k].w;
        if (dot(d, d) < reach * reach && place.z < occluder_top[k]) {
            vec2 q = vec2(occluder[k].z * d.x + occluder[k].w * d.y, -occluder[k].w * d.x + occluder[k].z * d.y);
            vec2 outside = max(abs(q) - occluder_size[k].xy, 0.0);
            float near = 1.0 - smoothstep(0.0, occluder_size[k].w, length(outside));
            open *= 1.0 - occluder_size[k].z * near;
        }
    }
    return open;
}

#ifdef FRAGMENT
#ifdef LOW
float shadow_at(vec3 place, vec3 normal)
{
    vec3 shifted = place + normal * sun.w * 1.8;
    vec3 p = (light_projection * vec4(shifted, 1.0)).xyz * 0.5 + 0.5;
    vec2 edge = abs(p.xy - 0.5);
    float fade = smoothstep(0.44, 0.495, max(edge.x, edge.y));
    if (fade >= 1.0 || p.z >= 1.0) {
        return 1.0;
    }
    return mix(texture(shadow_map, p), 1.0, fade);
}
#else
// 0..1, of a pixel: it hides the steps of few taps.
float pixel_noise()
{
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

// Share of light at a place of the shadow map: five taps over `reach` texels, turned by the pixel's angle.
float shadow_taps(vec3 p, float reach, float noise)
{
    vec2 texel = reach / vec2(textureSize(shadow_map, 0));
    float c = cos(6.2832 * noise), s = sin(6.2832 * noise);
    mat2 turn = mat2(c * texel.x, s * texel.y, -s * texel.x, c * texel.y);
    float lit = texture(shadow_map, vec3(p.xy + turn * vec2(-0.75, -0.35), p.z));
    lit += texture(shadow_map, vec3(p.xy + turn * vec2(0.35, -0.80), p.z));
    lit += texture(shadow_map, vec3(p.xy + turn * vec2(0.80, 0.40), p.z));
    lit += texture(shadow_map, vec3(p.xy + turn * vec2(-0.40, 0.75), p.z));
    return 0.2 * (lit + texture(shadow_map, p));
}

float shadow_at(vec3 place, vec3 normal)
{
    vec3 p = (light_projection * vec4(place, 1.0)).xyz, n = mat3(light_projection) * normal;
    // Around the tool its own finer map is asked; pixel by pixel the one goes over into the other.
    vec3 q = vec3(p.xy * tool_light.w, p.z) + tool_light.xyz;
    float noise = pixel_noise();
    bool near = tool_light.w > 0.0 && max(abs(q.x), abs(q.y)) < 0.97 - 0.15 * noise;
    p += n * (1.8 * sun.w);
    float fade = near ? 0.0 : smoothstep(0.88, 0.99, max(abs(p.x), abs(p.y)));
    if (fade >= 1.0 || p.z >= 1.0) {
        return 1.0;
    }
    q += vec3(n.xy * tool_light.w, n.z) * (1.8 * fineness.x);
    vec4 part = near ? tool_part : site_part;
    vec3 at = 0.5 + 0.5 * (near ? q : p);
    return mix(shadow_taps(vec3(at.xy * part.xy + part.zw, at.z), 1.5, noise), 1.0, fade);
}

// Share of the light of the pair of lamps that lights the tool.
float lamp_shadow_at(vec3 place, vec3 normal)
{
    vec4 clip = lamp_light * vec4(place + normal * (fineness.y * 16.0), 1.0);
    vec3 p = clip.xyz / max(clip.w, 0.01);
    float fade = smoothstep(0.90, 0.99, max(abs(p.x), abs(p.y)));
    if (fade >= 1.0 || clip.w <= 0.0 || abs(p.z) >= 1.0) {
        return 1.0;
    }
    p = 0.5 + 0.5 * p;
    return mix(shadow_taps(vec3(p.xy * lamp_part.xy + lamp_part.zw, p.z), 3.0, pixel_noise()), 1.0, fade);
}
#endif

vec3 hemisphere(vec3 normal)
{
    vec3 base = mix(ambient_ground, ambient_sky, normal.z * 0.5 + 0.5);
    // Light thrown back from the lit ground opposite the sun.
    return base + bounce * max(-dot(normal.xy, sun.xy), 0.0);
}

// Light of the lit lamps of machines, which are spots with a soft rim.
vec3 lamps_at(vec3 place, vec3 normal)
{
    float light = 0.0, paired = 0.0;
    int lit = lamp[0].w > 0.0 ? 4 : 0; // a loop, which drawing in software leaves sooner than a branch
    for (int k = 0; k < lit; k++) {
        vec3 ray = place - lamp[k].xyz;
        float far2 = dot(ray, ray), near = inversesqrt(far2);
        float cone = smoothstep(lamp_aim[k].w, mix(lamp_aim[k].w, 1.0, 0.7), dot(ray, lamp_aim[k].xyz) * near);
        float own = lamp[k].w * cone * max(-dot(normal, ray) * near, 0.0) / (far2 + 8.0); // a lamp is no point
        light += own;
#ifndef LOW
        paired += k / 2 == int(fineness.z) ? own : 0.0;
#endif
    }
#ifndef LOW
    int shaded = lit > 0 && fineness.z >= 0.0 ? 1 : 0;
    for (int k = 0; k < shaded; k++) {
        light -= paired * (1.0 - lamp_shadow_at(place, normal));
    }
#endif
    return vec3(1.0, 0.93, 0.80) * light;
}

// Bare soil: rough, lit from the sun and the sky. Wet it is darker (water in its pores lets less light out again, Lekner
// and Dorf, Applied Optics 27 (1988) 1278), and what looks up mirrors the sky at a flat angle.
// film: share of the water that lies open; between blades of grass less does.
vec3 light_wet(vec3 albedo, vec3 normal, vec3 place, float open, float shadow, float film)
{
    float facing = max(dot(normal, sun.xyz), 0.0);
#ifndef LOW
    // Rough ground scatters back: a softer terminator than Lambert's.
    facing = mix(facing, sqrt(facing) * 0.9, 0.25);
#endif
    vec3 light = sun_color * facing * shadow + hemisphere(normal) * open + lamps_at(place, normal);
#ifdef LOW
    return albedo * mix(1.0, 0.52, wetness) * light;
#else
    if (wetness > 0.0) {
        float flat_angle = 1.0 - max(dot(normal, normalize(eye.xyz - place)), 0.0);
        float sheen = film * wetness * max(normal.z, 0.0) * open * (0.02 + 0.35 * flat_angle * flat_angle * flat_angle * flat_angle);
        return mix(albedo * mix(1.0, 0.52, wetness) * light, sky_horizon, sheen);
    }
    return albedo * light;
#endif
}

vec3 light_soil(vec3 albedo, vec3 normal, vec3 place, float open, float shadow)
{
    return light_wet(albedo, normal, place, open, shadow, 1.0);
}

// Detail of soil at a place in its plane: rgb factor in .x, slope in .yz, coarse mottling in .w. The factor is about 1:
// clods have a mean of 0.81 in the noise's g.
vec4 soil_detail(vec2 uv, float loose)
{
#ifdef LOW
    vec4 both = texture(noise_map, mat2(0.8, 0.6, -0.6, 0.8) * uv * 0.31);
    return vec4(mix(1.04, 0.96, loose) + 0.85 * (both.g - 0.81) * (0.40 + loose), (both.ba - 0.5) * mix(1.6, 4.0, loose), both.r);
#else
    vec4 coarse = texture(noise_map, uv * 0.043);
    vec4 middle = texture(noise_map, mat2(0.8, 0.6, -0.6, 0.8) * uv * 0.31, -0.6);
    vec4 fine = texture(noise_map, mat2(0.6, -0.8, 0.8, 0.6) * uv * 1.35, -0.6);
    float grain = mix(0.92, 0.84, loose) + 0.55 * (fine.r - 0.5) + 0.30 * (fine.g - 0.81) + 0.50 * (middle.g - 0.81) * (0.40 + loose);
    vec2 slope = (middle.ba - 0.5) * mix(0.9, 3.0, loose) + (fine.ba - 0.5) * mix(1.2, 2.0, loose);
    return vec4(grain + 0.12, slope, coarse.r);
#endif
}
#endif
