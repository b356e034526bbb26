// A height grid: vertices come from their number alone, heights from a texture; soil colours from a second one.
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

const int side = CHUNK_CELLS + 1;

vec2 to_world(vec2 local)
{
    return grid_frame.xy + vec2(grid_frame.z * local.x - grid_frame.w * local.y, grid_frame.w * local.x + grid_frame.z * local.y);
}

#ifdef VERTEX
out vec3 place;
out vec3 grain; // as place, but fixed to what moves
out vec2 cell;
out float outside;
#ifdef LOW
out vec3 tilt; // slope along the grid's axes; how much lower than its surroundings the ground lies
#endif
#ifdef APRON
uniform ivec2 ring_points; // points along x and along y of the site's edge
uniform float ring_distance[APRON_RINGS];
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
    float edge = textureLod(height_map, (c + 0.5) / vec2(grid_size), 2.0).r;
    float edge_sharp = texelFetch(height_map, ivec2(c + 0.5), 0).r;
    edge = mix(edge_sharp, edge, smoothstep(0.0, 2.0, away));
    vec2 w = to_world(grid_origin.xy + cell * grid_origin.z);
    float height = edge * (1.0 - smoothstep(0.0, 14.0, away)) + far_height(w, away);
    place = vec3(w, height - (ring == 0 ? 0.4 : 0.0) - 0.02);
    grain = place;
#else
    int k = gl_VertexID;
    float drop = 0.0;
    ivec2 at;
    if (k < side * side) {
        at = ivec2(k % side, k / side);
    } else {
        // Skirts close the cracks between chunks of different fineness.
        k -= side * side;
        int edge = k / side, along = k % side;
        at = edge == 0 ? ivec2(along, 0) : edge == 1 ? ivec2(along, side - 1) : edge == 2 ? ivec2(0, along) : ivec2(side - 1, along);
        drop = floor_height.y > 0.5 ? 0.02 : 0.35;
    }
    ivec2 column = min(chunk + at, grid_size - 1);
    cell = vec2(column);
    outside = 0.0;
    float height = texelFetch(height_map, column, 0).r;
    if (floor_height.y > 0.5) {
        grain = vec3(grid_origin.xy + cell * grid_origin.z, height - drop);
        place = tray_base + tray_turn * (grain - vec3(0.0, 0.0, floor_height.x));
    } else {
        place = vec3(to_world(grid_origin.xy + cell * grid_origin.z), height - drop);
        grain = place;
    }
#endif
#if defined(LOW) && !defined(DEPTH)
    vec2 at_uv = (cell + 0.5) / vec2(grid_size), along_uv = 1.0 / vec2(grid_size);
    float here = textureLod(height_map, at_uv, 0.0).r;
    tilt.x = textureLod(height_map, at_uv + vec2(along_uv.x, 0.0), 0.0).r - textureLod(height_map, at_uv - vec2(along_uv.x, 0.0), 0.0).r;
    tilt.y = textureLod(height_map, at_uv + vec2(0.0, along_uv.y), 0.0).r - textureLod(height_map, at_uv - vec2(0.0, along_uv.y), 0.0).r;
    tilt.z = max(textureLod(height_map, at_uv, 4.0).r - here, 0.0) * 1.3;
    tilt.xy /= 2.0 * grid_origin.z;
    tilt *= 1.0 - smoothstep(0.0, 1.0, outside);
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
#ifdef LOW
in vec3 tilt;
#endif
#ifdef DEPTH
void main()
{
    if (floor_height.y > 0.5 && grain.z < floor_height.x + 0.012) {
        discard;
    }
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

void main()
{
    vec2 size = vec2(grid_size);
    vec2 uv = (cell + 0.5) / size;
    vec2 step_uv = 1.0 / size;
    if (floor_height.y > 0.5 && grain.z < floor_height.x + 0.012) {
        discard;
    }
#ifdef LOW
    float middle = grain.z;
    vec2 slope = tilt.xy;
#else
    float middle = textureLod(height_map, uv, 0.0).r;
    float dx = textureLod(height_map, uv + vec2(step_uv.x, 0.0), 0.0).r - textureLod(height_map, uv - vec2(step_uv.x, 0.0), 0.0).r;
    float dy = textureLod(height_map, uv + vec2(0.0, step_uv.y), 0.0).r - textureLod(height_map, uv - vec2(0.0, step_uv.y), 0.0).r;
    float inside = 1.0 - smoothstep(0.0, 1.0, outside);
    vec2 slope = vec2(dx, dy) / (2.0 * grid_origin.z) * inside;
#endif
    vec3 normal = normalize(vec3(-slope, 1.0));
    if (floor_height.y > 0.5) {
        normal = tray_turn * normal;
    } else {
        slope = vec2(grid_frame.z * slope.x - grid_frame.w * slope.y, grid_frame.w * slope.x + grid_frame.z * slope.y);
        normal = normalize(vec3(-slope, 1.0));
    }

#if defined(LOW) && !defined(APRON)
    vec4 soil = textureLod(color_map, uv, 0.0);
#else
    vec4 soil = texture(color_map, clamp(uv, vec2(0.0), vec2(1.0)));
#endif
#if !defined(LOW) || defined(APRON)
    // Far beyond the site the single edge columns blend into their mean.
    soil = mix(soil, textureLod(color_map, clamp(uv, vec2(0.0), vec2(1.0)), 6.0), smoothstep(0.0, 12.0, outside));
#endif
    float loose = soil.a;
    float steep = smoothstep(0.75, 1.6, length(slope));

    // Walls take their detail from a vertical plane, so that it is not stretched.
    vec2 plane = steep > 0.5 ? (abs(normal.x) > abs(normal.y) ? grain.yz : grain.xz) : grain.xy;
    vec4 detail = soil_detail(plane, max(loose, 0.35 * steep));
    float moist = smoothstep(0.25, 0.75, detail.w);
    vec3 albedo = soil_tone(soil.rgb) * detail.x * mix(1.14, 0.78, moist);
#if !defined(LOW) || defined(APRON)
    // Intact ground: dry crust in patches, sparse low growth far from where the machine works.
    float crust = smoothstep(0.35, 0.75, texture(noise_map, place.xy * 0.011 + 0.37).r);
    albedo = mix(albedo, albedo * vec3(1.10, 1.06, 0.98), crust * (1.0 - loose));
    float growth = smoothstep(0.46, 0.62, texture(noise_map, place.xy * 0.017).r + 0.16 * (detail.x - 0.9));
    growth *= (1.0 - loose) * (1.0 - steep) * (0.06 + 0.55 * smoothstep(3.0, 45.0, outside));
    albedo = mix(albedo, vec3(0.105, 0.120, 0.045) * (0.45 + 0.7 * detail.x), growth * 0.8);
#endif
    albedo *= 1.0 - 0.22 * steep;

#ifndef APRON
    float wanted;
    if (grade > 0.0 && outside < 0.01 && design_at(cell, wanted)) {
        albedo = mix(albedo, grade_color(middle - wanted) * (0.55 + 0.45 * detail.x), 0.72);
    }
#endif

    float strength = steep > 0.5 ? 0.5 : 1.0;
    normal = normalize(normal + vec3(-detail.yz * strength * 0.85, 0.0));

    // Hollows see less sky: compare with the surroundings' mean heights.
#ifdef LOW
    float open = 1.0 / (1.0 + 1.35 * tilt.z);
#else
    float around = textureLod(height_map, uv, 3.0).r, wide = textureLod(height_map, uv, 4.6).r;
    float hollow = max(around - middle, 0.0) * 0.9 + max(wide - middle, 0.0) * 0.55;
    float open = 1.0 / (1.0 + 1.35 * hollow * inside);
    open *= 0.74 + 0.26 * smoothstep(0.55, 1.0, detail.x);
#endif
#ifndef LOW
    if (floor_height.y < 0.5) {
        open *= occlusion_at(place);
    }
#endif
    float shadow = shadow_at(place, normal);
    vec3 color = light_soil(albedo, normal, place, open, shadow);
    result = vec4(finish(add_haze(color, place)), 1.0);
}
#endif
#endif
