// Crumbs on loose ground: small grains that lie on the columns of a height grid, half sunk in; colours and light are the
// ground's.
uniform vec4 soil_shape[8]; // m: radius of the largest grain; how sizes fall; share of flat faces; share of stones

#ifdef VERTEX
layout(location = 0) in vec3 direction; // unit, from the middle of the grain
layout(location = 1) in float part;     // number of the grain on its column
layout(location = 2) in uint column;    // column, row, soil: 14, 14 and 3 bits
uniform sampler2D height_map;
uniform sampler2D color_map;
uniform vec2 grid_size;   // columns, rows
uniform vec4 grid_origin; // x, y of column (0, 0) in the grid's frame, base of its heights, spacing
uniform vec3 frame_base;  // the grid's frame in the world
uniform mat3 frame_turn;
out vec3 place, normal;
out vec4 local; // place on the grain, for its detail; how far it stands out
flat out vec4 color; // alpha: share of flat faces

void main()
{
    uint number = scramble((column & 0xfffffffU) * 16U + uint(part)), other = scramble(number);
    vec2 cell = vec2(column & 16383U, column >> 14U & 16383U) + vec2(part_of(number, 0), part_of(number, 10)) - 0.5;
    vec4 shape = soil_shape[column >> 28U & 7U];
    vec2 uv = (cell + 0.5) / grid_size, along = 1.0 / grid_size;
    float height = textureLod(height_map, uv, 0.0).r;
    vec4 soil = textureLod(color_map, uv, 0.0);
    vec3 middle = frame_base + frame_turn * vec3(grid_origin.xy + cell * grid_origin.w, height - grid_origin.z);
    // Few are large; with the distance all shrink to nothing, small ones before large ones.
    bool large = part < float(CRUMBS_FAR_PARTS);
    float rank = mix(part_of(number, 20), 1.0, large ? 0.45 : 0.0);
    float fade = 1.0 - smoothstep(0.5, 1.0, length(middle - eye.xyz) / (large ? CRUMBS_FAR : CRUMBS_NEAR));
    float radius = mix(0.15, 0.60, rank * rank * rank) * min(shape.x, 0.07) * smoothstep(0.25, 0.55, soil.a) * fade;
    vec3 stretch = 0.70 + 0.55 * vec3(part_of(other, 0), part_of(other, 10), part_of(other, 20));
    float turn = 6.2832 * part_of(other, 5), lean = 2.4 * (part_of(other, 15) - 0.5);
    mat3 turned = mat3(cos(turn), sin(turn), 0.0, -sin(turn), cos(turn), 0.0, 0.0, 0.0, 1.0) * mat3(1.0, 0.0, 0.0, 0.0, cos(lean), sin(lean), 0.0, -sin(lean), cos(lean));
    vec3 own = turned * (direction * stretch) * radius;
    normal = frame_turn * (turned * (direction / stretch));
    place = middle + frame_turn * (own + vec3(0.0, 0.0, 0.15 * radius));
    local = vec4(own * 3.0 + vec3(cell, part), clamp(0.55 + 0.6 * own.z / max(radius, 1e-4), 0.0, 1.0));
    float shade = part_of(other, 2), hue = part_of(other, 12);
    vec3 tone = soil_tone(soil.rgb) * mix(0.84 + 0.26 * shade, 0.50 + 0.66 * shade, shape.w);
    color = vec4(tone * mix(vec3(1.0), mix(vec3(0.94, 1.0, 1.07), vec3(1.15, 1.0, 0.80), hue), 0.10 + 0.70 * shape.w), shape.z);
    gl_Position = view_projection * vec4(place, 1.0);
}
#endif

#ifdef FRAGMENT
in vec3 place, normal;
in vec4 local;
flat in vec4 color;
out vec4 result;

void main()
{
    vec3 face = normalize(cross(dFdx(place), dFdy(place)));
    face *= dot(face, eye.xyz - place) < 0.0 ? -1.0 : 1.0; // in a mirror
    vec3 n = normalize(mix(normalize(normal), face, 0.85 * color.a));
    vec4 fine = texture(noise_map, 2.0 * local.xy + local.z, -0.6);
    vec3 albedo = color.rgb * (0.94 + 0.50 * (fine.r - 0.5));
    vec3 lit = normalize(n + vec3(0.0, 0.0, mix(1.6, 0.45, smoothstep(0.0, 0.3, color.a))));
    float open = mix(0.85, 1.0, local.w);
    vec3 light = light_soil(albedo, lit, place, open, shadow_at(place, n)) * mix(0.80, 1.08, local.w);
    result = vec4(finish(add_haze(light, place)), 1.0);
}
#endif
