// Grains and clods of soil: a cluster of them stands for a simulated particle. Where each is, how large it is and how it
// is dented comes from its number and the particle's; colours and light are the loose ground's. At low quality grains are
// discs that are lit as balls, one point each. CRUMB: those that lie on the columns of a height grid, half sunk in.
uniform vec4 soil_color[8]; // linear: fresh; share of stones
uniform vec4 soil_shape[8]; // m: radius of the largest grain; how sizes fall; share of flat faces; particle radii they reach

vec3 turned(vec4 turn, vec3 v)
{
    return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}

#ifdef VERTEX
// Radius (m) of a particle's grain; number 0 is the largest. One particle is a clod, another crumbs: `clod`, 0..1.
float grain_radius(float part, uint number, float clod, float most, vec4 shape)
{
    float largest = clamp(shape.x * (0.55 + 0.75 * clod * clod), 0.36 * most, 0.85 * most);
    float least = part < 0.5 ? 0.55 : 0.14; // the largest keeps the others' gaps closed
    return max(largest * exp2(-shape.y * log2(part + 1.0)) * (0.70 + 0.60 * part_of(number, 0)), least * most);
}

// Where a grain is from the middle of its particle (m, world), whose turn and share of settling `stand` holds: what has
// settled lies lower and wider.
vec3 grain_middle(float part, uint number, vec3 toward, float radius, float most, vec4 shape, vec4 turn, float settled)
{
    float reach = min(shape.w * most, most + 0.025) - radius;
    vec3 jitter = vec3(part_of(number, 10), part_of(number, 20), part_of(number, 5)) - 0.5;
    float away = part < 0.5 ? 0.1 * most : reach * (0.60 + 0.40 * part_of(number, 15));
    vec3 at = turned(turn, (toward + 0.5 * jitter) * away);
    at.xy *= 1.0 + 0.35 * settled;
    at.z = at.z * (1.0 - 0.40 * settled) - 0.28 * settled * most;
    return at;
}

// The colour of a grain: one is a little lighter or redder than the next, stones much.
vec3 grain_color(uint number, vec3 color, float stones)
{
    float shade = part_of(number, 2), hue = part_of(number, 12);
    vec3 tone = soil_tone(color) * mix(0.84 + 0.26 * shade, 0.50 + 0.66 * shade, stones);
    return tone * mix(vec3(1.0), mix(vec3(0.94, 1.0, 1.07), vec3(1.15, 1.0, 0.80), hue), 0.10 + 0.70 * stones);
}
#endif

#ifdef LOW
#ifdef VERTEX
uniform usamplerBuffer grain_map; // two texels a particle: centre, radius; number * 8 + soil, tint, turn, settled
uniform int parts; // of a particle
flat out vec3 place;
flat out vec4 color; // alpha: how far out the grain is
flat out vec4 over;

void main()
{
    int particle = gl_VertexID / parts;
    float part = float(gl_VertexID - particle * parts);
    vec4 lump = uintBitsToFloat(texelFetch(grain_map, 2 * particle));
    uvec4 rest = texelFetch(grain_map, 2 * particle + 1);
#ifdef DEPTH
    place = lump.xyz - 0.6 * lump.w * sun.xyz;
    gl_Position = light_projection * vec4(place, 1.0);
    gl_PointSize = 1.9 * lump.w / sun.w;
#else
    vec4 stand = vec4(ivec4(rest.z << 16U, rest.z, rest.w << 16U, rest.w) >> 16) / 32767.0;
    vec4 turn = vec4(stand.xyz, sqrt(max(1.0 - dot(stand.xyz, stand.xyz), 0.0)));
    uint soil = rest.x & 7U, number = scramble((rest.x >> 3U) * 64U + uint(part));
    float z = 1.0 - 2.0 * fract(0.5 + 0.75487767 * part), around = 6.2831853 * fract(0.5 + 0.56984029 * part);
    vec3 toward = vec3(sqrt(1.0 - z * z) * vec2(cos(around), sin(around)), z);
    // Fewer grains than at high quality, which are larger for it.
    float radius = grain_radius(part, number, part_of(scramble(rest.x), 3), lump.w, soil_shape[soil]) * 1.18;
    vec3 at = grain_middle(part, number, toward, radius, lump.w, soil_shape[soil], turn, stand.w);
    place = lump.xyz + at;
    color = vec4(grain_color(number, soil_color[soil].rgb, soil_color[soil].a), smoothstep(-0.8, 0.5, at.z / lump.w));
    over = vec4(rest.y & 255U, rest.y >> 8U & 255U, rest.y >> 16U & 255U, rest.y >> 24U) / 255.0;
    gl_Position = view_projection * vec4(place, 1.0);
    vec3 up = vec3(view_projection[0][1], view_projection[1][1], view_projection[2][1]);
    gl_PointSize = max(radius * length(up) * viewport.y / max(gl_Position.w, 0.05), 1.5);
#endif
}
#endif
#ifdef FRAGMENT
flat in vec3 place;
flat in vec4 color, over;
#ifdef DEPTH
void main()
{
    vec2 d = 2.0 * gl_PointCoord - 1.0;
    if (dot(d, d) > 1.0) {
        discard;
    }
}
#else
out vec4 result;
void main()
{
    vec2 d = 2.0 * gl_PointCoord - 1.0;
    // Dents in the outline, so that no two look alike.
    float away = dot(d, d), rim = 0.82 + 0.18 * sin(60.0 * color.r + 3.0 * d.x + 4.0 * d.y);
    if (away > rim) {
        discard;
    }
    vec3 right = normalize(vec3(view_projection[0][0], view_projection[1][0], view_projection[2][0]));
    vec3 up = normalize(vec3(view_projection[0][1], view_projection[1][1], view_projection[2][1]));
    vec3 near = -normalize(vec3(view_projection[0][2], view_projection[1][2], view_projection[2][2])); // in mirrors, too
    vec3 n = normalize(right * d.x - up * d.y + near * sqrt(max(1.0 - away, 0.0)));
    float open = mix(0.60, 1.0, smoothstep(-0.7, 0.6, n.z)) * mix(0.7, 1.0, color.a);
    n = normalize(n + vec3(0.0, 0.0, 0.45));
    result = vec4(finish(add_haze(light_soil(color.rgb, n, place, open, shadow_at(place, n)), place)), 1.0);
    result.rgb = mix(result.rgb, over.rgb * mix(0.65, 1.0, open), over.a);
}
#endif
#endif
#else
#ifdef VERTEX
layout(location = 0) in vec3 direction; // unit, from the middle of the grain
#ifdef CRUMB
layout(location = 1) in float part;     // number of the grain on its column
layout(location = 2) in uint column;    // column, row, soil: 14, 14 and 3 bits
uniform sampler2D height_map;
uniform sampler2D color_map;
uniform sampler2D look_map;
uniform vec2 grid_size;   // columns, rows
uniform vec4 grid_origin; // x, y of column (0, 0) in the grid's frame, base of its heights, spacing
uniform vec3 frame_base;  // the grid's frame in the world
uniform mat3 frame_turn;
#else
layout(location = 5) in vec4 toward;    // unit, of the grain from the middle of the particle; its part
layout(location = 1) in vec4 lump;      // centre, radius
layout(location = 2) in uint mark;      // number * 8 + soil
layout(location = 3) in vec4 tint;      // sRGB colour laid over it, its share
layout(location = 4) in vec4 stand;     // x, y, z of the particle's turn; how far it has settled
#endif
out vec3 place, normal;
out vec4 local; // place on the grain, for its detail; how far out it is in the cluster
flat out vec4 color; // alpha: share of flat faces
flat out vec4 over;

// A place on a grain of radius 1. Dents: two waves whose phases belong to the grain; clods are blocks with worn edges; and
// no grain is a ball.
vec3 dented(uint number, float angular, out vec3 phase, out vec3 stretch)
{
    phase = 6.2832 * vec3(part_of(number, 4), part_of(number, 11), part_of(number, 18));
    stretch = 0.74 + 0.46 * vec3(part_of(number, 7), part_of(number, 14), part_of(number, 21));
    float dent = 1.0 + 0.15 * sin(2.9 * direction.x - 1.3 * direction.z + phase.x) + 0.15 * sin(3.3 * direction.y + 2.1 * direction.x + phase.y);
    vec3 side = abs(direction);
    return direction * stretch * (dent * mix(1.0, 0.80 / max(side.x, max(side.y, side.z)), angular));
}

#ifdef CRUMB
void main()
{
    uint number = scramble((column & 0xfffffffU) * 16U + uint(part)), other = scramble(number);
    uint soil = column >> 28U & 7U;
    vec2 cell = vec2(column & 16383U, column >> 14U & 16383U) + vec2(part_of(number, 0), part_of(number, 10)) - 0.5;
    vec4 shape = soil_shape[soil];
    vec2 uv = (cell + 0.5) / grid_size;
    float height = textureLod(height_map, uv, 0.0).r, grown = textureLod(look_map, uv, 0.0).a;
    vec4 ground = textureLod(color_map, uv, 0.0);
    vec3 middle = frame_base + frame_turn * vec3(grid_origin.xy + cell * grid_origin.w, height - grid_origin.z);
    // Few are large; with the distance all shrink to nothing, small ones before large ones. Where soil lies thin it is
    // few clods.
    bool large = part < float(CRUMBS_FAR_PARTS);
    float rank = mix(part_of(number, 20), 1.0, large ? 0.45 : 0.0);
    float fade = 1.0 - smoothstep(0.5, 1.0, length(middle - eye.xyz) / (large ? CRUMBS_FAR : CRUMBS_NEAR));
    float thick = smoothstep(0.0, 0.25, part_of(other, 10) + 0.35 - 1.2 * grown);
    float radius = mix(0.16, 0.72, rank * rank * (large ? 1.0 : rank)) * min(shape.x, 0.065) * smoothstep(0.25, 0.55, ground.a) * fade * thick;
    vec3 phase, stretch;
    float turn = 6.2832 * part_of(other, 5), lean = 2.4 * (part_of(other, 15) - 0.5);
    mat3 turned = frame_turn * (mat3(cos(turn), sin(turn), 0.0, -sin(turn), cos(turn), 0.0, 0.0, 0.0, 1.0) * mat3(1.0, 0.0, 0.0, 0.0, cos(lean), sin(lean), 0.0, -sin(lean), cos(lean)));
    vec3 own = dented(number, shape.z, phase, stretch), at = turned * own;
    normal = turned * (direction / stretch);
    place = middle + radius * (at + vec3(0.0, 0.0, 0.15));
    local = vec4(own * (1.6 * radius) + phase, smoothstep(-0.55, 0.65, at.z));
    over = vec4(0.0);
    color = vec4(grain_color(other, ground.rgb, soil_color[soil].a), shape.z);
    gl_Position = view_projection * vec4(place, 1.0);
}
#else
void main()
{
#ifdef DEPTH
    // A little away from the sun: grains of a heap do not lie in each other's shadow.
    place = lump.xyz + direction * lump.w * 0.95 - 0.6 * lump.w * sun.xyz;
    gl_Position = light_projection * vec4(place, 1.0);
#else
    float part = toward.w;
    uint soil = mark & 7U, number = scramble((mark >> 3U) * 64U + uint(part));
    vec4 turn = vec4(stand.xyz, sqrt(max(1.0 - dot(stand.xyz, stand.xyz), 0.0)));
    vec4 shape = soil_shape[soil];
    float radius = grain_radius(part, number, part_of(scramble(mark), 3), lump.w, shape);
    vec3 middle = grain_middle(part, number, toward.xyz, radius, lump.w, shape, turn, stand.w);
    vec3 phase, stretch;
    vec3 own = dented(number, shape.z, phase, stretch) * radius;
    vec3 at = middle + turned(turn, own);
    // Fine grains are too small to be told apart: their cluster has one round surface.
    normal = mix(at / lump.w, turned(turn, direction / stretch), smoothstep(0.0, 0.3, shape.z) * 0.8 + 0.2);
    place = lump.xyz + at;
    local = vec4(own * 1.6 + phase, smoothstep(0.25, 0.95, length(at) / lump.w));
    over = tint;
    color = vec4(grain_color(number, soil_color[soil].rgb, soil_color[soil].a), shape.z);
    gl_Position = view_projection * vec4(place, 1.0);
#endif
}
#endif
#endif

#ifdef FRAGMENT
in vec3 place, normal;
in vec4 local;
flat in vec4 color, over;
#ifdef DEPTH
void main()
{
}
#else
uniform bool filled; // a cut shows insides
out vec4 result;
void main()
{
    vec3 face = normalize(cross(dFdx(place), dFdy(place)));
    face *= dot(face, eye.xyz - place) < 0.0 ? -1.0 : 1.0; // in a mirror
    vec3 n = normalize(mix(normalize(normal), face, 0.60 * color.a));
    vec4 within = local;
    bool inside = filled && !gl_FrontFacing;
    if (inside) { // cut open: solid, as a flat face towards the eye that nothing shades
        n = normalize(-vec3(view_projection[0][2], view_projection[1][2], view_projection[2][2]));
        within.w = 1.0;
    }
    vec4 fine = texture(noise_map, 4.0 * local.xy + 2.3 * local.z, -0.6);
    vec3 albedo = color.rgb * (0.94 + 0.50 * (fine.r - 0.5) + 0.45 * (fine.g - 0.81));
    vec3 bumped = normalize(n + vec3(fine.b - 0.5, fine.a - 0.5, fine.b - fine.a) * 1.5);
    // What lies under and between others is dark.
    float open = mix(0.60, 1.0, smoothstep(-0.7, 0.5, n.z)) * mix(0.45, 1.0, within.w);
    // Grains throw light on each other: a heap of them is as light as the ground that they come from.
    bumped = normalize(bumped + vec3(0.0, 0.0, mix(2.2, 0.9, smoothstep(0.0, 0.3, color.a))));
    vec3 light = light_soil(albedo, bumped, place, open, inside ? 0.6 : shadow_at(place, n)) * mix(0.70, 1.12, max(within.w, 0.5 - color.a));
    result = vec4(finish(add_haze(light, place)), 1.0);
    result.rgb = mix(result.rgb, over.rgb * mix(0.65, 1.0, open), over.a); // a mark is seen in the shade, too
}
#endif
#endif
#endif
