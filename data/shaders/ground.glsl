// Ground of low quality, each pixel lit once: terrain.glsl has left where its ground lies, the maps tell what is there.
// FACES: steps stand there, whose layers are shown; LAMPS: the machine's are lit; GRADE: colours of cut and fill.
uniform sampler2D place_map;  // x, y, z in the world; share of the sky and shift of the column, packed
uniform sampler2D height_map;
uniform sampler2D color_map;  // root of the dry albedo, linear; strength of the relief (render/soil_look.h)
uniform sampler2D relief_map; // direction of the normal; share of the sky; grass (render/relief.h)
uniform usampler2D strata_map;
uniform sampler2D design_map;
uniform ivec2 grid_size;
uniform vec4 grid_frame;
uniform vec3 grid_origin;
uniform bool layered;
uniform float grade;
uniform vec3 far_color;       // as color_map, of the ground beyond the site
uniform vec2 far_ground;      // its relief, its share of grass
uniform vec4 layer_color[16]; // as color_map: of the soils where a tool has cut them, then where they are tipped

#ifdef VERTEX
void main()
{
    gl_Position = vec4(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1), 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
out vec4 result;

#ifdef GRADE
// The design between the four columns around a place; false where one of them has none.
bool design_at(vec2 at, out float height)
{
    ivec2 low = clamp(ivec2(floor(at)), ivec2(0), grid_size - 2);
    vec2 share = clamp(at - vec2(low), 0.0, 1.0);
    float a = texelFetch(design_map, low, 0).r, b = texelFetch(design_map, low + ivec2(1, 0), 0).r;
    float c = texelFetch(design_map, low + ivec2(0, 1), 0).r, d = texelFetch(design_map, low + ivec2(1, 1), 0).r;
    height = mix(mix(a, b, share.x), mix(c, d, share.x), share.y);
    return min(min(a, b), min(c, d)) > -9000.0;
}

// As render_grade_color: white within the tolerance, orange where it is too high, blue where it is too low.
vec3 grade_color(float error)
{
    float share = clamp((abs(error) - grade) / (5.0 * grade), 0.0, 1.0);
    vec3 strong = error > 0.0 ? vec3(0.787, 0.214, 0.0) : vec3(0.0, 0.133, 0.522);
    return abs(error) <= grade ? vec3(0.85) : mix(vec3(0.62), strong, 0.3 + 0.7 * share);
}
#endif

#ifdef FACES
// The layer that lies z below a column's top: 0..7 soil, +8 where it is loose; -1: not known. depth: m below that top.
int layer_of(uvec4 layers, float depth)
{
    uint steps = uint(clamp(depth * 500.0, 0.0, 4095.0));
    uint layer = steps < layers.x >> 4U ? layers.x : steps < layers.y >> 4U ? layers.y : steps < layers.z >> 4U ? layers.z : layers.w;
    return layers.x == 0U ? -1 : int(layer & 15U);
}
#endif

// Where a pixel looks for its soil: borders between columns are ragged and nearly as sharp as those of clods.
vec2 ragged(vec2 at)
{
    vec2 low = floor(at);
    return (low + smoothstep(0.2, 0.8, at - low) + 0.5) / vec2(grid_size);
}

void main()
{
    vec4 left = texelFetch(place_map, ivec2(gl_FragCoord.xy), 0);
    vec3 place = left.xyz;
    float y = floor(left.w / 65536.0), x = floor(left.w / 256.0) - 256.0 * y;
    vec2 from = place.xy - grid_frame.xy;
    vec2 local = vec2(grid_frame.z * from.x + grid_frame.w * from.y, grid_frame.z * from.y - grid_frame.w * from.x);
    vec2 cell = (local - grid_origin.xy) / grid_origin.z - (vec2(x, y) * (2.0 / 255.0) - 1.0) * OUTLINE_MOST;
    vec2 beyond = max(-cell, cell - vec2(grid_size - 1)) * grid_origin.z;
    float outside = max(max(beyond.x, beyond.y), 0.0), inside = 1.0 - min(outside, 1.0);

    vec4 relief = textureLod(relief_map, (cell + 0.5) / vec2(grid_size), 0.0);
    vec2 lean = (relief.xy * (255.0 / 127.0) - 128.0 / 127.0) * inside;
    vec3 normal = vec3(grid_frame.z * lean.x - grid_frame.w * lean.y, grid_frame.w * lean.x + grid_frame.z * lean.y,
                       sqrt(max(1.0 - dot(lean, lean), 0.003)));
    float open = (left.w - 256.0 * (x + 256.0 * y)) / 255.0 * mix(1.0, relief.z, inside), green = relief.w;

    // Walls take their detail from a vertical plane, so that it is not stretched.
#ifdef FACES
    float steep = 1.0 - smoothstep(0.53, 0.80, normal.z);
    bool wall = steep > 0.5, eastward = abs(normal.x) > abs(normal.y);
    vec2 plane = wall ? (eastward ? place.yz : place.xz) : place.xy;
    float flat_share = 1.0 - steep;
#else
    vec2 plane = place.xy;
    const float flat_share = 1.0;
#endif
    vec4 clods = texture(noise_map, mat2(0.8, 0.6, -0.6, 0.8) * plane * 0.31);
    float large = textureLod(noise_map, mat2(0.8, -0.6, 0.6, 0.8) * place.xy * 0.019, 1.0).r - 0.5;
    vec4 soil = textureLod(color_map, ragged(cell + (clods.ba - 0.5) * (0.34 * flat_share * inside / grid_origin.z)), 0.0);
    // Beyond the edge lies what was there at the start, not what lies on the outermost columns now: their mean look.
    float far_share = min(outside / FAR_LOOK, 1.0);
    soil = mix(soil, vec4(far_color, far_ground.x), far_share);
    green = mix(green, far_ground.y, far_share);
    float deep = 1.0;
#ifdef FACES
    // The layers of the column behind the face, their borders a little uneven.
    if (steep > 0.05 && layered) {
        float depth = 0.0;
        int layer = -1;
        // The column behind may be a level one, without layers: then the nearer one's (as in terrain.glsl).
        for (float reach = 0.75; layer < 0 && reach > 0.0; reach -= 0.5) {
            vec2 behind = cell - lean * (reach * inversesqrt(max(dot(lean, lean), 1e-6)));
            ivec2 at = clamp(ivec2(floor(behind + 0.5)), ivec2(0), grid_size - 1);
            depth = texelFetch(height_map, at, 0).r - place.z - (clods.g - 0.81) * 0.25;
            layer = layer_of(texelFetch(strata_map, at, 0), depth);
        }
        soil = layer >= 0 ? mix(soil, layer_color[layer], steep) : soil;
        deep = layer >= 0 && layer < 8 ? 1.0 - 0.18 * steep * clamp(depth, 0.0, 1.0) : 1.0;
    }
    green *= flat_share;
#endif

    // Relief, mottling and the two greens of grass. The noise's means: r 0.50, g 0.81, b and a 0.50.
    float big = soil.a * 1.6, spot = (clods.r - 0.5) * 4.0;
    float tone = 1.0 + (1.28 * big + 0.4) * (1.0 - green) * (clods.g - 0.81);
    vec3 albedo = soil.rgb * soil.rgb * (deep * tone);
    albedo *= (1.0 + spot * mix(vec3(0.08), vec3(0.01, 0.09, 0.01), green)) * (1.0 - large * mix(vec3(0.9), vec3(1.74, 1.0, 1.71), green));
    int fields = outside > FIELDS_FROM ? 1 : 0; // a loop, which drawing in software leaves sooner than a branch
    for (int k = 0; k < fields; k++) {
        albedo = far_fields(albedo, place, outside, far_ground.y, large);
    }
#ifdef GRADE
    float wanted;
    if (grade > 0.0 && outside < 0.01 && design_at(cell, wanted)) {
        albedo = mix(albedo, grade_color(place.z - wanted) * (0.55 + 0.45 * tone), 0.72);
    }
#endif

    vec2 bump = (clods.ba - 0.5) * (5.5 * big);
    // Near the eye broken soil shows its clods.
    float away = length(place - eye.xyz), clodded = (1.0 - min(away * 0.08, 1.0)) * min(big * 4.0 - 1.6, 1.0) * (1.0 - green);
    if (clodded > 0.0) {
        float lod = log2(max(away * viewport.w * 620.0, 1.0));
        vec4 small = textureLod(noise_map, mat2(0.6, -0.8, 0.8, 0.6) * plane * 1.35, lod);
        bump = bump * (1.0 - 0.5 * clodded) + (small.ba - 0.5) * (6.0 * clodded);
        albedo *= 1.0 + (small.g - 0.81) * (1.8 * clodded);
    }
#ifdef FACES
    normal -= wall ? 0.82 * vec3(eastward ? 0.0 : bump.x, eastward ? bump.x : 0.0, bump.y) : vec3(bump, 0.0);
#else
    normal.xy -= bump;
#endif
    normal *= inversesqrt(dot(normal, normal));

    vec3 light = sun_color * (max(dot(normal, sun.xyz), 0.0) * shadow_at(place, normal)) + hemisphere(normal) * open;
#ifdef LAMPS
    light += lamps_at(place, normal);
#endif
    result = vec4(finish(add_haze(albedo * mix(1.0, 0.52, wetness) * light, place)), 1.0);
}
#endif
