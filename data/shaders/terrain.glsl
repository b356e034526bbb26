// A height grid: vertices come from their number alone, heights from a texture; soil colours from a second one. At low
// quality the site's ground and the apron only leave where the ground of each pixel lies (PLACES), which ground.glsl lights.
uniform sampler2D height_map;
uniform sampler2D color_map;
uniform ivec2 grid_size;   // columns, rows
uniform vec4 grid_frame;   // world x, y, cos, sin of the grid's frame
uniform vec3 grid_origin;  // x, y of column (0, 0) in the grid's frame, spacing
uniform ivec2 chunk;       // first column, first row
uniform vec2 floor_height; // below x nothing is drawn; y = 1: a tray, whose floor is at x
uniform vec3 tray_base;    // where the middle of a tray's floor is in the world, and how its axes lie there
uniform mat3 tray_turn;
uniform sampler2D design_map; // m, heights that are asked for; below -9000 nothing is
uniform float grade;          // m, tolerance of cut and fill colours; 0: none
uniform sampler2D outline_map;  // shift and direction of faces (render/relief.h)
uniform usampler2D strata_map;  // layers below a column's top (render_stratum)
uniform bool layered;           // strata_map is known
uniform sampler2D mark_map;     // of tracks, teeth and blades (render_mark)
uniform vec4 mark_sizes;        // m: from bar to bar, width of the belt, from tooth to tooth, width of the blade; x = 0: none
uniform sampler2D look_map;     // lumps, stones, sheen of the top's soil (render/soil_look.h); grass that is there
uniform vec4 soil_color[8];     // linear: fresh
uniform vec4 soil_look[8];
#ifdef LOW
uniform sampler2D relief_map; // of each column: direction of its normal, share of the sky over it (render/relief.h)
#endif
#ifdef APRON
uniform vec3 far_color; // of the ground beyond the site, as color_map: sRGB
uniform vec2 far_ground; // its looseness, its share of grass
uniform vec4 far_look;
#endif

const int side = CHUNK_CELLS + 1;

// The layer that lies z below a column's top: 0..7 soil, +8 where it is loose; -1: not known. depth: m below that top.
int layer_of(uvec4 layers, float depth)
{
    uint steps = uint(clamp(depth * 500.0, 0.0, 4095.0));
    uint layer = steps < layers.x >> 4U ? layers.x : steps < layers.y >> 4U ? layers.y : steps < layers.z >> 4U ? layers.z : layers.w;
    return layers.x == 0U ? -1 : int(layer & 15U);
}

vec2 to_world(vec2 local)
{
    return grid_frame.xy + vec2(grid_frame.z * local.x - grid_frame.w * local.y, grid_frame.w * local.x + grid_frame.z * local.y);
}

#ifdef LOW
// The direction of a column's normal along the grid's axes.
vec2 leaning(vec4 relief)
{
    return (relief.xy * 255.0 - 128.0) / 127.0;
}

// Colour, linear, and looseness of the top's soil: the map holds sRGB.
vec4 soil_at(vec2 uv)
{
    vec4 soil = textureLod(color_map, uv, 0.0);
    return vec4(soil.rgb * (soil.rgb * (soil.rgb * 0.3053 + 0.6822) + 0.0125), soil.a);
}
#endif

#ifdef VERTEX
#if defined(LOW) && !defined(DEPTH) && !defined(PLACES)
#define LIT_LOW
#endif
out vec3 place;
#ifdef PLACES
out vec3 kept; // shares: sky that standing bodies leave; shift of the column
#endif
out vec3 grain; // as place, but fixed to what moves
out vec2 cell;
out float outside; // m beyond the site; below 0: a skirt
#ifdef LIT_LOW
out vec3 tilt; // slope along the grid's axes; share of the sky that hollows and standing bodies leave
out vec4 look; // of the soil
out float far_tone; // mottling of large scale
flat out uvec4 layers; // of the column behind a face
flat out float layers_top; // m: its height
#endif
#if !defined(LOW) && !defined(APRON)
out vec2 face; // horizontal direction that a steep face looks to, in the grid's axes, times how much of one it is
#elif !defined(APRON)
vec2 face;
#endif
#ifdef APRON
uniform ivec2 ring_points; // points along x and along y of the site's edge
uniform float ring_distance[APRON_RINGS];
layout(location = 0) in vec2 border; // m: height of the ground beyond the edge at this point, and its mean around
#endif

void main()
{
#ifdef APRON
    int count = 2 * (ring_points.x + ring_points.y);
    int k = gl_VertexID % count;
    int ring = gl_VertexID / count;
    float lx = float(grid_size.x - 1), ly = float(grid_size.y - 1);
    vec2 c;
    int nx = ring_points.x, ny = ring_points.y;
    if (k < nx) {
        c = vec2(lx * float(k) / float(nx), 0.0);
    } else if (k < nx + ny) {
        c = vec2(lx, ly * float(k - nx) / float(ny));
    } else if (k < 2 * nx + ny) {
        c = vec2(lx * (1.0 - float(k - nx - ny) / float(nx)), ly);
    } else {
        c = vec2(0.0, ly * (1.0 - float(k - 2 * nx - ny) / float(ny)));
    }
    vec2 middle = 0.5 * vec2(lx, ly);
    vec2 from_middle = (c - middle) * grid_origin.z;
    float away = ring_distance[ring];
    vec2 along = from_middle / max(length(from_middle), 0.01);
    // Rings start as the site's rectangle and become circles.
    vec2 local_away = from_middle * (1.0 + away / max(abs(from_middle.x), abs(from_middle.y)));
    local_away = mix(local_away, along * (length(middle) * grid_origin.z + away), smoothstep(0.0, 60.0, away));
    cell = middle + local_away / grid_origin.z;
    outside = away;
    // The first rings hang at the outermost columns as they are now; a column further out lies what was there at the start.
    float now = texelFetch(height_map, ivec2(c + 0.5), 0).r;
    float edge = ring == 0 ? min(now, border.x) : ring == 1 ? now : mix(border.x, border.y, smoothstep(0.0, 2.0, away));
    vec2 w = to_world(grid_origin.xy + cell * grid_origin.z);
    float height = edge * (1.0 - smoothstep(30.0, 90.0, away)) + far_height(w, away);
    place = vec3(w, height - (ring == 0 ? 0.4 : 0.0) - 0.02);
    grain = place;
#else
    int k = gl_VertexID;
    float drop = 0.0;
    outside = 0.0;
    ivec2 at;
    if (k < side * side) {
        at = ivec2(k % side, k / side);
    } else {
        // Skirts close the cracks between chunks of different fineness.
        k -= side * side;
        int edge = k / side, along = k % side;
        at = edge == 0 ? ivec2(along, 0) : edge == 1 ? ivec2(along, side - 1) : edge == 2 ? ivec2(0, along) : ivec2(side - 1, along);
        drop = floor_height.y > 0.5 ? 0.02 : 0.35;
        outside = -1.0;
    }
    ivec2 column = min(chunk + at, grid_size - 1);
    cell = vec2(column);
    float height = texelFetch(height_map, column, 0).r;
    face = vec2(0.0);
    vec2 shift = vec2(0.0);
    if (floor_height.y > 0.5) {
        grain = vec3(grid_origin.xy + cell * grid_origin.z, height - drop);
        place = tray_base + tray_turn * (grain - vec3(0.0, 0.0, floor_height.x));
    } else {
        vec4 outline = texelFetch(outline_map, column, 0);
        face = outline.zw;
        shift = outline.xy;
        place = vec3(to_world(grid_origin.xy + (cell + shift * OUTLINE_MOST) * grid_origin.z), height - drop);
        grain = place;
    }
#endif
#ifdef PLACES
#ifdef APRON
    kept = vec3(1.0, 0.5, 0.5);
#else
    kept = vec3(occlusion_at(place), shift * 0.5 + 0.5);
#endif
#elif defined(LIT_LOW)
    vec2 at_uv = (cell + 0.5) / vec2(grid_size);
    vec4 relief = textureLod(relief_map, at_uv, 0.0);
    look = textureLod(look_map, at_uv, 0.0);
#ifdef APRON
    float flatter = smoothstep(0.0, 1.0, outside);
    tilt = vec3(0.0, 0.0, mix(relief.z, 1.0, flatter));
    vec2 lean = leaning(relief) * (1.0 - flatter);
#else
    ivec2 behind = clamp(column - ivec2(round(face)), ivec2(0), grid_size - 1);
    layers = layered ? texelFetch(strata_map, behind, 0) : uvec4(0U);
    layers_top = texelFetch(height_map, behind, 0).r;
    far_tone = textureLod(noise_map, mat2(0.8, -0.6, 0.6, 0.8) * place.xy * 0.019, 1.0).r;
    tilt = vec3(0.0, 0.0, floor_height.y < 0.5 ? relief.z * occlusion_at(place) : relief.z);
    vec2 lean = leaning(relief);
#endif
    tilt.xy = -lean / sqrt(max(1.0 - dot(lean, lean), 0.003));
#endif
#ifdef DEPTH
    gl_Position = light_projection * vec4(place, 1.0);
#else
    gl_Position = view_projection * vec4(place, 1.0);
#endif
}
#endif

#ifdef FRAGMENT
in vec3 place;
in vec3 grain;
in vec2 cell;
in float outside;
#if !defined(LOW) && !defined(APRON)
in vec2 face;
#endif
#ifdef PLACES
in vec3 kept;
#elif defined(LOW) && !defined(DEPTH)
in vec3 tilt;
in vec4 look;
in float far_tone;
flat in uvec4 layers;
flat in float layers_top;
#endif
#ifdef DEPTH
void main()
{
    if (floor_height.y > 0.5 && grain.z < floor_height.x + 0.012) {
        discard;
    }
}
#elif defined(PLACES)
out vec4 result;

void main()
{
    // Three numbers of eight bits, which a float holds exactly.
    result = vec4(place, dot(floor(kept * 255.0 + 0.5), vec3(1.0, 256.0, 65536.0)));
}
#else
out vec4 result;

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

// Where a pixel looks for its soil: borders between columns are ragged (aside: m) and nearly as sharp as those of clods.
// wide: columns a pixel covers.
vec2 ragged(vec2 at, vec2 aside, float wide)
{
    at += aside / grid_origin.z;
    vec2 low = floor(at), share = at - low;
    return (low + mix(smoothstep(0.2, 0.8, share), share, min(wide, 1.0)) + 0.5) / vec2(grid_size);
}

// What the ground is made of at a pixel.
struct Surface {
    vec3 color;  // as the soil's file has it
    float loose; // 0 weathered, 0.63 a mound that was there, 0.78 freshly cut, 1 tipped
    vec4 look;   // lumps, stones, sheen, growth
};

void main()
{
    if (floor_height.y > 0.5 && grain.z < floor_height.x + 0.012) {
        discard;
    }
    vec2 uv = (cell + 0.5) / vec2(grid_size);
    float inside = 1.0 - smoothstep(0.0, 1.0, outside);
#ifdef LOW
    vec2 slope = tilt.xy;
#else
    vec2 step_uv = 1.0 / vec2(grid_size);
    float dx = textureLod(height_map, uv + vec2(step_uv.x, 0.0), 0.0).r - textureLod(height_map, uv - vec2(step_uv.x, 0.0), 0.0).r;
    float dy = textureLod(height_map, uv + vec2(0.0, step_uv.y), 0.0).r - textureLod(height_map, uv - vec2(0.0, step_uv.y), 0.0).r;
    vec2 slope = vec2(dx, dy) / (2.0 * grid_origin.z) * inside;
#endif
    float fall = length(slope);
#ifdef LOW
    vec3 normal = normalize(vec3(-slope, 1.0));
#else
    vec2 uphill = slope / max(fall, 0.001);
    // Slopes between columns are blurred over two of them: edges of faces are where the drawn triangles have them.
    vec3 facet = cross(dFdx(place), dFdy(place));
    float drawn = length(facet.xy) / max(abs(facet.z), 0.01 * length(facet) + 1e-12);
    fall = floor_height.y > 0.5 || outside < -0.001 ? fall : clamp(fall, 0.7 * drawn - 0.25, 1.4 * drawn + 0.25);
#ifndef APRON
    // A face looks where its smoothed outline says, not where the columns' staircase does.
    float faced = min(length(face), 1.0);
    if (faced > 0.05) {
        uphill = normalize(mix(uphill, -face / faced, faced));
    }
#endif
    vec3 normal = normalize(vec3(-uphill * fall, 1.0));
#endif
    float steep = smoothstep(0.75, 1.6, fall);
    if (floor_height.y > 0.5) {
        normal = tray_turn * normal;
    } else {
        normal.xy = vec2(grid_frame.z * normal.x - grid_frame.w * normal.y, grid_frame.w * normal.x + grid_frame.z * normal.y);
    }

    // Walls take their detail from a vertical plane, so that it is not stretched.
    bool wall = steep > 0.5, eastward = abs(normal.x) > abs(normal.y);
    vec2 plane = wall ? (eastward ? grain.yz : grain.xz) : grain.xy;
#ifdef LOW
    vec4 clods = texture(noise_map, mat2(0.8, 0.6, -0.6, 0.8) * plane * 0.31);
    vec2 aside = (clods.ba - 0.5) * 0.34;
    float wide = 0.0;
#ifdef APRON
    float large = texture(noise_map, mat2(0.8, -0.6, 0.6, 0.8) * place.xy * 0.019).r;
#else
    float large = far_tone;
#endif
#else
    // On a wall the coarse noise is drawn out to the streaks of the tool.
    vec4 coarse = texture(noise_map, wall ? vec2(plane.x * 1.15 + plane.y * 0.12, plane.y * 0.11) : plane * 0.043);
    vec4 clods = texture(noise_map, mat2(0.8, 0.6, -0.6, 0.8) * plane * 0.31, -0.6);
    vec4 large = texture(noise_map, mat2(0.28, 0.96, -0.96, 0.28) * place.xy * 0.0137 + 0.37);
    vec2 across = fwidth(cell);
    float wide = max(across.x, across.y);
    float near = 1.0 - smoothstep(0.10, 0.55, wide); // the repetition of small things is not seen from afar
    const float small_scale = 1.35; // repetitions a metre: clods of 2 to 7 cm
    float fineness = log2(max(wide * grid_origin.z * small_scale * float(textureSize(noise_map, 0).x), 0.01)) - 0.6;
    vec2 small_at = mat2(0.6, -0.8, 0.8, 0.6) * plane * small_scale;
    vec4 crumbs = vec4(0.5, 0.81, 0.5, 0.5);
    if (near > 0.0) {
        crumbs = textureLod(noise_map, small_at, fineness);
    }
    vec2 aside = (clods.ba - 0.5) * 0.34 + (crumbs.ba - 0.5) * 0.05;
#endif

    Surface ground;
    vec2 soil_uv = clamp(ragged(cell, aside * (1.0 - steep) * inside, wide), vec2(0.0), vec2(1.0));
#ifdef LOW
    vec4 soil = soil_at(soil_uv);
    ground.look = look;
#else
    vec4 soil = textureLod(color_map, soil_uv, log2(max(wide, 1.0)));
    ground.look = textureLod(look_map, soil_uv, 0.0);
#endif
#ifdef APRON
    // Beyond the edge lies what was there at the start, not what lies on the outermost columns now: their mean look.
    float far_share = smoothstep(0.0, FAR_LOOK, outside);
    ground.look = mix(ground.look, far_look, far_share);
#ifdef LOW
    soil.rgb = mix(soil.rgb, far_color * far_color, far_share);
    soil.a = mix(soil.a, far_ground.x, far_share);
#else
    soil = mix(soil, vec4(far_color * (far_color * (far_color * 0.3053 + 0.6822) + 0.0125), far_ground.x), far_share);
#endif
#endif
    ground.color = soil.rgb;
    ground.loose = soil.a;

    float depth = 0.0, intact = 0.0;
#ifndef APRON
    // The layers of the column behind the face, their borders a little uneven.
    float uneven = grain.z + (clods.g - 0.81) * 0.25;
#ifdef LOW
    depth = layers_top - uneven;
    int layer = layer_of(layers, depth);
#else
    int layer = -1;
    // High on an upright face the column behind may be one that is level and has no layers: the nearer one has them.
    for (float reach = 0.75; steep > 0.05 && layered && layer < 0 && reach > 0.0; reach -= 0.5) {
        vec2 behind = cell + uphill * reach + vec2(-uphill.y, uphill.x) * (clods.b - 0.5) * 2.0;
        ivec2 at = clamp(ivec2(floor(behind + 0.5)), ivec2(0), grid_size - 1);
        depth = texelFetch(height_map, at, 0).r - uneven;
        layer = layer_of(texelFetch(strata_map, at, 0), depth);
    }
#endif
    if (layer >= 0) {
        intact = layer < 8 ? steep : 0.0;
        ground.color = mix(ground.color, soil_color[layer & 7].rgb, steep);
#ifndef LOW
        ground.look = mix(ground.look, soil_look[layer & 7], steep);
#endif
        ground.loose = mix(ground.loose, layer < 8 ? 0.78 : 1.0, steep);
    }
#endif
    float weathered = 1.0 - smoothstep(0.06, 0.40, ground.loose);
    float cut = max(intact, 1.0 - smoothstep(0.05, 0.13, abs(ground.loose - 0.78)));
    float tipped = (1.0 - weathered) * (1.0 - cut);

    // The noise's means and deviations: r 0.50 and 0.11, g 0.81 and 0.08, b and a 0.50 and 0.065.
    float spot = (clods.r - 0.5) * 4.0, green = ground.look.w * (1.0 - smoothstep(0.0, 0.4, steep));
#ifndef LOW
    // Where soil lies thin its clods stand in the grass: the higher of the two is seen.
    float above = clamp(7.0 * (crumbs.g - 0.81) * near + 6.0 * (clods.g - 0.81) + 0.8 * spot, -1.9, 2.2);
    float covered = smoothstep(0.02, 0.20, ground.loose);
    green = mix(green, smoothstep(-0.6, 0.6, 4.4 * (green - 0.55) - above), covered);
    // Looked at aslant, crowns of clods stand before their gaps (parallax mapping, Kaneko et al. 2001).
    float clodded = tipped * near * (1.0 - green) * mix(0.25, 1.0, smoothstep(0.0, 0.3, ground.look.x + ground.look.y));
    if (clodded > 0.02 && !wall) {
        vec3 view = eye.xyz - place;
        view = floor_height.y > 0.5 ? view * tray_turn : view;
        vec2 slide = mat2(0.6, -0.8, 0.8, 0.6) * view.xy * (0.035 * clodded * small_scale / max(view.z, 0.6 * length(view)));
        float blurred = max(fineness, 1.0) + 1.0, deep = 0.81 - textureLod(noise_map, small_at, blurred).g;
        deep = 0.5 * (deep + 0.81 - textureLod(noise_map, small_at - slide * deep, blurred).g);
        crumbs = textureLod(noise_map, small_at - slide * deep, fineness);
    }
#endif
    // Relief: clods where cohesive soil is broken, grains where it is coarse, smooth where a tool cut plastic soil.
    float big = mix(0.30 - 0.26 * green, 0.45 + 1.1 * ground.look.x, tipped) * mix(1.0, 0.55, ground.look.y);
    float small = (0.40 + 0.35 * tipped * ground.look.x + 1.0 * ground.look.y + 0.25 * weathered) * (1.0 - 0.65 * ground.look.z * cut);
#ifndef LOW
    big *= 1.0 - 0.55 * clodded;
    small = mix(small, 1.25, clodded);
#endif
    float clod = (clods.g - 0.81) * 8.0 * (1.0 - green);
    vec2 bump = (clods.ba - 0.5) * 6.5 * big;
    vec3 grass_dry = vec3(0.120, 0.105, 0.050), grass_lush = vec3(0.052, 0.066, 0.022);
#ifdef LOW
    float tone = 1.0 + 0.16 * clod * (big + 0.4 * small) + 0.08 * spot;
    float moist = smoothstep(0.25, 0.75, large);
    vec3 albedo = soil_tone(ground.color) * tone * mix(1.12, 0.82, moist);
    vec3 grass = mix(grass_dry, grass_lush, clamp(0.5 + 2.2 * (large - 0.5) + 0.4 * spot, 0.0, 1.0));
    albedo = mix(albedo, grass * (1.0 + 0.30 * spot), green * 0.80);
#else
    float crumb = (crumbs.g - 0.81) * 8.0 * near, fleck = (crumbs.r - 0.5) * 4.0 * near;
    bump += (crumbs.ba - 0.5) * 6.0 * small * near;
    float tone = 1.0 + 0.12 * clod * (big + 0.1) * (1.0 - 0.5 * clodded) + (0.10 * crumb + 0.13 * fleck) * mix(small, 0.75, clodded) + 0.05 * spot;
    float gap = clodded * (1.0 - smoothstep(0.50, 0.82, crumbs.g)); // between clods it is dark
    tone *= 1.0 - 0.55 * gap;
    vec3 albedo = soil_tone(ground.color) * tone * mix(1.12, 0.82, smoothstep(0.25, 0.75, coarse.r));
    // Dry crust in patches; grass in two greens, with bare spots.
    float crust = smoothstep(0.35, 0.75, large.r);
    albedo = mix(albedo, albedo * vec3(1.10, 1.06, 0.98), crust * weathered);
    float lush = 0.5 + 1.5 * (large.r - 0.5) + 1.3 * (coarse.r - 0.5) + 0.25 * spot + 0.15 * fleck;
    vec3 grass = mix(grass_dry, grass_lush, clamp(lush, 0.0, 1.0)) * max(1.0 + 0.20 * crumb + 0.22 * fleck + 0.16 * spot, 0.2);
    float sward = clamp(0.85 + 0.5 * fleck + 0.45 * spot + 0.4 * (lush - 0.5), 0.15, 1.0);
    albedo = mix(albedo, grass, green * mix(sward * 0.92, 1.0, covered));
    albedo *= meadow_tone(place, green, coarse.r, large.r);
#ifdef APRON
    int fields = outside > FIELDS_FROM ? 1 : 0; // a loop, which drawing in software leaves sooner than a branch
    for (int k = 0; k < fields; k++) {
        albedo = far_fields(albedo, place, outside, far_ground.y, large.r - 0.5);
    }
#endif
    // Stones stand out one by one, with dark gaps.
    float stone = smoothstep(-2.6, 0.1, crumb);
    albedo *= 1.0 + ground.look.y * ((0.85 + 0.40 * fleck) * (0.45 + 0.55 * stone) - 1.0);
#endif
    // Freshly opened ground is moist, the deeper the darker; tipped soil dries on its crowns.
    albedo *= mix(1.0, 0.80, cut * (1.0 - 0.6 * ground.look.y)) * (1.0 - 0.18 * intact * smoothstep(0.1, 1.3, depth));
    albedo *= 1.0 - 0.06 * tipped + 0.05 * tipped * clod;
#ifndef LOW
    // What lies on grown-over ground shades it at its foot.
    float foot = smoothstep(0.02, 0.25, ground.loose) * (1.0 - smoothstep(0.25, 0.60, ground.loose));
    albedo *= 1.0 - 0.30 * foot * inside * (1.0 - green);
#endif

#ifndef APRON
    float wanted;
    if (grade > 0.0 && outside < 0.01 && design_at(cell, wanted)) {
        albedo = mix(albedo, grade_color(grain.z - wanted) * (0.55 + 0.45 * tone), 0.72);
    }
#endif

#if !defined(LOW) && !defined(APRON)
    if (mark_sizes.x > 0.0) {
        // Prints of tracks, grooves of teeth and cuts of blades go on from column to column, each from its column's middle.
        vec2 middle = floor(cell + 0.5), off = (cell - middle) * grid_origin.z;
        vec4 mark = texelFetch(mark_map, clamp(ivec2(middle), ivec2(0), grid_size - 1), 0);
        int code = int(mark.a * 255.0 + 0.5), kind = code >> 6;
        float angle = mark.r * (6.2831853 * 255.0 / 256.0);
        float seen = float(code & 63) / 63.0 * (1.0 - smoothstep(0.25, 0.95, wide)) * (1.0 - steep) * (1.0 - 0.7 * rain); // rain beats it flat
        vec2 along = vec2(cos(angle), sin(angle)), left = vec2(-along.y, along.x);
        bool belt = kind == 1, smooth_cut = kind == 3;
        float turns = mark.g * (255.0 / 256.0) + (belt ? dot(off, along) / mark_sizes.x : dot(off, left) / mark_sizes.z);
        float wide = smooth_cut ? mark_sizes.w : mark_sizes.y;
        float beside = (mark.b * 255.0 - 127.0) / 254.0 * wide + dot(off, left), rim = abs(beside) - 0.5 * wide;
        seen *= belt ? 1.0 - smoothstep(-0.03, 0.03, rim + aside.x * 0.3) : smooth_cut ? 0.9 : 0.8;
        float wave = 2.0 * abs(fract(turns) - 0.5);
        float deep = belt ? smoothstep(0.70, 0.86, wave) : smoothstep(0.45, 0.75, wave);
        float rise = deep * (1.0 - deep) * 4.0 * sign(fract(turns) - 0.5);
        if (smooth_cut) { // scraped level; its ends leave a line each, as far as the blade has pressed soil out
            float line = 1.0 - smoothstep(0.02, 0.06, abs(rim + 0.04));
            deep = line;
            rise = line * sign(rim + 0.04) * sign(beside) + 0.25 * (wave - 0.5);
        }
        bump = bump * (1.0 - (smooth_cut ? 0.75 : 0.5) * seen) - (belt ? along : left) * rise * seen * (belt ? 0.9 : 0.5);
        albedo *= 1.0 - seen * ((belt ? 0.20 : 0.06) + 0.42 * deep);
    }
#endif
    if (wall) {
        // Along the face and up it; the tool has drawn streaks down intact ground.
        vec3 along = normalize(vec3(-normal.y, normal.x, 0.0));
        if (eastward ? along.y < 0.0 : along.x < 0.0) {
            along = -along;
        }
#ifndef LOW
        bump.x += (coarse.b - 0.5) * 3.5 * intact;
        albedo *= 1.0 + 1.1 * (coarse.g - 0.81) * intact;
#endif
        normal = normalize(normal - 0.7 * (along * bump.x + vec3(0.0, 0.0, bump.y)));
    } else {
        normal = normalize(normal - vec3(bump, 0.0) * 0.85);
    }

    // Hollows see less sky: compare with the surroundings' mean heights.
#ifdef LOW
    float open = tilt.z;
#else
    float around = textureLod(height_map, uv, 3.0).r, over = textureLod(height_map, uv, 4.6).r;
    float hollow = max(around - grain.z, 0.0) * 0.9 + max(over - grain.z, 0.0) * 0.55;
    float open = 1.0 / (1.0 + 1.35 * hollow * inside);
    open *= 0.78 + 0.22 * smoothstep(0.70, 1.05, tone);
    if (floor_height.y < 0.5) {
        open *= occlusion_at(place);
    }
#endif
    float shadow = shadow_at(place, normal);
#ifdef LOW
    vec3 color = light_wet(albedo, normal, place, open, shadow, 1.0 - 0.85 * green);
#else
    vec3 color = light_wet(albedo, normal, place, open, shadow, (1.0 - 0.85 * green) * (1.0 - 0.6 * clodded));
    if (wetness > 0.0 && floor_height.y < 0.5) {
        // Rain stands where the ground lies lower than around it, in ruts and at the feet of walls, and mirrors the sky.
        float deep = around - 0.012 - grain.z - 0.05 * (crumbs.g - 0.70) * near;
        float pool = wetness * smoothstep(0.0, 0.012, deep) * (1.0 - smoothstep(0.10, 0.30, fall)) * (1.0 - green) * inside;
        vec3 view = normalize(eye.xyz - place);
        float flat_angle = 1.0 - max(view.z, 0.0), mirrored = 0.02 + 0.98 * flat_angle * flat_angle * flat_angle * flat_angle * flat_angle;
        color = mix(color, mix(0.75 * color, sky_gradient(vec3(-view.xy, view.z)) * open, mirrored), pool);
    }
    // A cut in plastic soil shines.
    vec3 half_way = normalize(sun.xyz + normalize(eye.xyz - place));
    color += sun_color * (0.16 * ground.look.z * cut * shadow * pow(max(dot(normal, half_way), 0.0), 22.0));
#endif
    result = vec4(finish(add_haze(color, place)), 1.0);
}
#endif
#endif
