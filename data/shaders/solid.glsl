// Machines: painted, bare and dirty steel, rubber, glass.
uniform mat4 model;
#ifdef VERTEX
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec4 vertex_color;
layout(location = 3) in vec4 vertex_surface; // gloss, metal, dust, light
#ifdef SHOES
layout(location = 4) in vec4 shoe; // x, z, cos, sin of the belt's direction
#endif
out vec3 place, normal, local;
out vec4 color, surface;

void main()
{
    vec3 p = position, n = vertex_normal;
#ifdef SHOES
    p = vec3(shoe.x + shoe.z * p.x - shoe.w * p.z, p.y, shoe.y + shoe.w * p.x + shoe.z * p.z);
    n = vec3(shoe.z * n.x - shoe.w * n.z, n.y, shoe.w * n.x + shoe.z * n.z);
#endif
    local = p;
    vec4 world = model * vec4(p, 1.0);
    place = world.xyz;
    normal = mat3(model) * n;
    color = vertex_color;
    surface = vertex_surface;
#ifdef DEPTH
    gl_Position = light_projection * world;
#else
    gl_Position = view_projection * world;
#endif
}
#endif

#ifdef FRAGMENT
in vec3 place, normal, local;
in vec4 color, surface;
#ifdef DEPTH
void main()
{
}
#else
uniform vec4 dust_color; // linear; w: share
uniform vec4 tint; // linear; w: share
uniform vec4 dirt;      // soil that sticks: linear colour; w: share
uniform vec4 dirt_from; // m, world: where it is thickest; w: how far from there it reaches, 0: everywhere, below 0: up in the body
uniform float dirt_wet; // 0..1
out vec4 result;

vec3 environment(vec3 direction)
{
    vec3 ground = ambient_ground * vec3(0.70, 0.667, 0.625);
    return mix(ground, mix(sky_gradient(direction), sky_horizon * vec3(0.94, 0.838, 0.756), 0.30), smoothstep(-0.06, 0.10, direction.z));
}

#ifdef STONE
// Broken stone, in the rock's own frame: grain, veins and bedding, cracks; split faces are rough and clean, weathered
// ones smooth, mottled and overgrown where they look up. Changes the normal, too.
vec3 stone_at(vec3 albedo, float split, inout vec3 n)
{
    vec3 weight = pow(abs(normalize(cross(dFdx(local), dFdy(local)))), vec3(6.0));
    weight /= weight.x + weight.y + weight.z;
#ifdef LOW
    vec2 uv = weight.z > 0.5 ? local.xy : weight.x > 0.5 ? local.yz : local.xz;
    vec4 broad = texture(noise_map, uv * 0.31);
    return albedo * (0.80 + 0.7 * (broad.r - 0.5) + 0.9 * (broad.g - 0.7)) * mix(0.86, 1.12, split);
#else
    vec4 broad = weight.x * texture(noise_map, local.yz * 0.37 + 0.3) + weight.y * texture(noise_map, local.xz * 0.37 + 0.7) + weight.z * texture(noise_map, local.xy * 0.37);
    vec4 fine = weight.x * texture(noise_map, local.yz * 1.7) + weight.y * texture(noise_map, local.xz * 1.7 + 0.2) + weight.z * texture(noise_map, local.xy * 1.7 + 0.6);
    vec4 speck = weight.x * texture(noise_map, local.yz * 7.3) + weight.y * texture(noise_map, local.xz * 7.3) + weight.z * texture(noise_map, local.xy * 7.3);
    // Bedding, bent a little by the broad noise.
    float bed = dot(local, vec3(0.31, 0.22, 0.93)) * 2.1 + 1.6 * broad.r;
    float layer = texture(noise_map, vec2(bed * 0.35, 0.37)).r;
    float crack = smoothstep(0.035, 0.0, abs(texture(noise_map, vec2(dot(local, vec3(0.9, 0.1, 0.3)), dot(local, vec3(0.0, 0.9, 0.5))) * 0.21 + 0.1 * broad.ba).r - 0.5)) * smoothstep(0.45, 0.65, broad.r + 0.3 * (fine.r - 0.5));
    vec2 slope = (broad.ba - 0.5) * 2.4 + (fine.ba - 0.5) * mix(1.4, 4.2, split) + (speck.ba - 0.5) * mix(0.6, 1.8, split);
    vec3 side = normalize(cross(n, abs(n.z) < 0.8 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    n = normalize(n - 0.55 * (side * slope.x + cross(n, side) * slope.y));
    albedo *= (0.93 + 0.8 * (layer - 0.5)) * (0.86 + 0.55 * (fine.g - 0.81) + 0.45 * (speck.g - 0.81) + 0.5 * (broad.r - 0.5));
    albedo *= mix(0.80 + 0.25 * broad.g, 1.12, split);
    albedo *= 1.0 - 0.55 * crack;
    // Feldspar and quartz catch light grain by grain.
    albedo += 0.10 * split * smoothstep(0.60, 0.74, speck.r);
    float grown = (1.0 - split) * smoothstep(0.1, 0.8, n.z) * smoothstep(0.50, 0.64, broad.r + 0.35 * (fine.r - 0.5));
    return mix(albedo, vec3(0.085, 0.092, 0.048) * (0.7 + 0.6 * fine.g), 0.55 * grown);
#endif
}
#endif

void main()
{
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye.xyz - place);
    if (dot(n, to_eye) < 0.0) {
        n = -n;
    }
#ifdef LOW
    vec3 albedo = color.rgb * color.rgb;
#else
    vec3 albedo = pow(color.rgb, vec3(2.2));
#endif
#ifdef STONE
    float gloss = surface.x, metal = 0.0;
    albedo = stone_at(albedo, surface.y, n);
#else
    float gloss = surface.x, metal = surface.y;
#endif

    // Dust settles on what looks up and splashes low parts; edges of the pattern follow the noise.
    vec3 weight = abs(normalize(cross(dFdx(local), dFdy(local)))); // as the face lies in its body, which may be turned
    vec2 uv = weight.z > 0.6 ? local.xy : weight.x > 0.6 ? local.yz : local.xz;
    float mottle = texture(noise_map, uv * 0.23).r, speck = texture(noise_map, uv * 1.1).g;
    float low = 1.0 - smoothstep(0.1, 2.4, place.z - 0.25 * (mottle - 0.5));
    float dust = surface.z * clamp(0.18 + 0.65 * low + 0.30 * max(n.z, 0.0), 0.0, 1.0);
    dust = clamp(dust * (0.35 + 1.3 * mottle) + surface.z * 0.18 * (speck - 0.45), 0.0, 0.92) * dust_color.w;
    albedo = mix(albedo * (0.93 + 0.14 * mottle), soil_tone(dust_color.rgb) * (0.8 + 0.4 * speck), dust);
#ifndef STONE
    // Soil sticks in patches that grow; what is used most (teeth, edges: little dust in their finish) is rubbed bright.
    float cake = dirt.w * smoothstep(0.06, 0.24, surface.z);
    cake *= dirt_from.w > 0.0 ? 1.0 - smoothstep(0.30, 1.0, length(place - dirt_from.xyz) / dirt_from.w) : 1.0;
    cake *= dirt_from.w < 0.0 ? 1.0 - smoothstep(0.45, 1.0, local.z / -dirt_from.w) : 1.0;
    float wet = max(dirt_wet, wetness);
#ifdef LOW
    float pattern = 0.5 + 2.0 * (mottle - 0.5) + 1.2 * (speck - 0.81), cover = smoothstep(-0.15, 0.15, pattern - 1.05 + 1.15 * cake);
#else
    vec4 clods = texture(noise_map, uv * 0.43);
    float pattern = 0.5 + 1.6 * (mottle - 0.5) + 2.2 * (clods.g - 0.81) + 0.9 * (speck - 0.81);
    float cover = smoothstep(-0.10, 0.10, pattern - 1.05 + 1.15 * cake) * step(0.001, cake);
    // Paint is scratched where stones pass.
    float scratch = smoothstep(0.60, 0.66, texture(noise_map, uv * vec2(2.3, 0.5)).r) * cake * (1.0 - cover);
    albedo = mix(albedo, vec3(0.30, 0.28, 0.26), 0.6 * scratch);
    metal = mix(metal, 0.6, 0.6 * scratch);
    n = normalize(n + 0.9 * cover * vec3(clods.ba - 0.5, 0.5 - clods.b));
#endif
    albedo = mix(albedo, soil_tone(dirt.rgb) * mix(1.15, 0.62, wet) * (0.70 + 0.45 * speck), cover * 0.94);
    gloss = mix(gloss, 0.04 + 0.30 * wet * wet, cover);
    metal *= 1.0 - cover;
#endif
    albedo = mix(albedo, tint.rgb, tint.w);
    gloss *= 1.0 - 0.85 * dust;
    metal *= 1.0 - dust;

    float shadow = shadow_at(place, n);
    float facing = max(dot(n, sun.xyz), 0.0);
    // What is near the ground and looks down sees little sky.
    float open = mix(0.55, 1.0, smoothstep(0.0, 1.5, place.z)) * mix(0.62, 1.0, n.z * 0.5 + 0.5);
    vec3 diffuse = albedo * (1.0 - 0.85 * metal) * (sun_color * facing * shadow + hemisphere(n) * open + lamps_at(place, n));

#ifdef LOW
    float grazing = 1.0 - max(dot(n, to_eye), 0.0);
    grazing *= grazing * grazing;
    vec3 total = diffuse + albedo * surface.w * 3.0 + gloss * (0.05 + 0.30 * grazing) * mix(ambient_ground * vec3(0.70, 0.667, 0.625), sky_horizon, n.z * 0.5 + 0.5) * open;
    float alpha = color.a;
    if (alpha < 0.99) {
        alpha = clamp(alpha + 0.75 * grazing, 0.0, 0.95);
    }
#else
    vec3 half_way = normalize(sun.xyz + to_eye);
    float rough = mix(0.75, 0.16, gloss);
    float a2 = rough * rough * rough * rough;
    float nh = max(dot(n, half_way), 0.0);
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float lobe = a2 / (3.14159 * d * d);
    float grazing = pow(1.0 - max(dot(n, to_eye), 0.0), 5.0);
    vec3 f0 = mix(vec3(0.04), albedo, metal);
    vec3 fresnel = f0 + (max(vec3(gloss), f0) - f0) * grazing;
    vec3 mirrored = environment(reflect(-to_eye, n));
    vec3 specular = fresnel * (sun_color * min(lobe, 24.0) * facing * shadow * 0.25 + mirrored * gloss * open * mix(0.7, 1.0, shadow));
    vec3 total = diffuse + specular + albedo * surface.w * 3.0;
    float alpha = color.a;
    if (alpha < 0.99) {
        alpha = clamp(alpha + 0.75 * grazing + 0.10 * lobe * shadow, 0.0, 0.95);
        total = mix(albedo * hemisphere(n), mirrored, 0.35 + 0.6 * grazing) + specular;
    }
#endif
    result = vec4(finish(add_haze(total, place)), alpha);
}
#endif
#endif
