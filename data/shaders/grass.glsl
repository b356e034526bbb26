// Blades of grass: an instance is a patch, whose blades stand on the site's grid where that is grown over.
#ifdef VERTEX
layout(location = 0) in vec3 root; // m on the patch; number of the blade, 0..1
layout(location = 1) in vec2 at;   // left or right, -1..1; how far up, 0..1
layout(location = 2) in uint patch_number;
uniform sampler2D height_map;
uniform sampler2D color_map;
uniform sampler2D look_map;
uniform sampler2D mark_map;
uniform vec2 grid_size;   // columns, rows
uniform vec4 grid_frame;  // world x, y, cos, sin of the grid's frame
uniform vec4 grid_origin; // x, y of column (0, 0) in the grid's frame, spacing; 1: there are marks
uniform vec3 band;        // m from the eye where blades have shrunk to nothing; how wide they are; m: side of a patch
out vec3 place, foot;
out vec4 blade; // albedo; how far up
out vec3 up;

void main()
{
    uint number = scramble(patch_number * 64U + uint(root.z * 1023.0)), other = scramble(number);
    vec2 mirror = vec2(number & 1U, number >> 1U & 1U); // patches are not copies of each other
    vec2 on = (vec2(patch_number & 65535U, patch_number >> 16U) + mix(root.xy, 1.0 - root.xy, mirror)) * band.z;
    vec2 cell = on / grid_origin.z, uv = (cell + 0.5) / grid_size;
    ivec2 column = clamp(ivec2(cell + 0.5), ivec2(1), ivec2(grid_size) - 2);
    vec2 local = grid_origin.xy + on;
    foot = vec3(grid_frame.xy + vec2(grid_frame.z * local.x - grid_frame.w * local.y, grid_frame.w * local.x + grid_frame.z * local.y), textureLod(height_map, uv, 0.0).r);
    float east = texelFetch(height_map, column + ivec2(1, 0), 0).r - texelFetch(height_map, column - ivec2(1, 0), 0).r;
    float north = texelFetch(height_map, column + ivec2(0, 1), 0).r - texelFetch(height_map, column - ivec2(0, 1), 0).r;
    float growth = texelFetch(look_map, column, 0).w, loose = texelFetch(color_map, column, 0).a;
    float grown = growth * (1.0 - smoothstep(0.04, 0.24, loose)) * (1.0 - smoothstep(0.8, 1.6, max(abs(east), abs(north)) / grid_origin.z));
    int mark = int(texelFetch(mark_map, column, 0).a * 255.0 + 0.5);
    float pressed = grid_origin.w * (mark >> 6 > 0 ? float(mark & 63) / 63.0 : 0.0);

    // Dry and lush patches as on the ground below (terrain.glsl).
    float large = textureLod(noise_map, mat2(0.28, 0.96, -0.96, 0.28) * foot.xy * 0.0137 + 0.37, 0.0).r;
    float coarse = textureLod(noise_map, foot.xy * 0.043, 0.0).r;
    float lush = clamp(0.5 + 1.5 * (large - 0.5) + 1.3 * (coarse - 0.5) + 0.5 * (part_of(other, 0) - 0.5), 0.0, 1.0);
    float away = length(foot - eye.xyz), fade = 1.0 - smoothstep(0.55, 1.0, away / band.x);
    float there = step(0.06 + 0.30 * part_of(number, 2), grown) * step(0.45 * part_of(other, 20), lush);
    float high = mix(0.025, 0.10, part_of(number, 12) * part_of(other, 8) * mix(0.5, 1.0, lush)) * fade * there;
    float turn = 6.2832 * part_of(number, 20), lean = mix(0.2, 0.7, part_of(other, 5));
    vec2 toward = vec2(cos(turn), sin(turn));
    float stands = mix(1.0, 0.15, pressed), rise = at.y * high;
    float wide = mix(0.0034, 0.0066, part_of(other, 12)) * band.y * (0.4 + 0.6 * fade) * there;
    // Blades turn their flat side to the eye, as far as it is seen.
    vec2 side = normalize(mix(vec2(-toward.y, toward.x), normalize(vec2(foot.y - eye.y, eye.x - foot.x)), 0.7));
    place = foot + vec3(toward * (lean * rise * at.y + (1.0 - stands) * rise), rise * stands * (1.0 - 0.25 * lean * at.y)) + vec3(side * at.x * wide, -0.004);
    vec3 dry = vec3(0.190, 0.165, 0.078), fresh = vec3(0.068, 0.098, 0.028);
    blade.rgb = mix(dry, fresh, lush) * mix(0.82, 1.22, part_of(other, 15)) * mix(0.65, 1.15, at.y);
    uint flower = scramble(other) % 220U;
    if (flower < 2U && at.y > 0.7 && band.y < 2.5) {
        blade.rgb = flower == 0U ? vec3(0.70, 0.68, 0.60) : vec3(0.62, 0.46, 0.05);
    }
    blade.a = at.y;
    up = normalize(vec3(-vec2(east, north) / (2.0 * grid_origin.z) * 0.6 + toward * 0.25 * at.y + side * at.x * 0.2, 1.0));
    gl_Position = there > 0.0 && fade > 0.0 ? view_projection * vec4(place, 1.0) : vec4(0.0, 0.0, 2.0, 1.0);
}
#endif

#ifdef FRAGMENT
in vec3 place, foot; // a blade is lit as the ground that it stands on, so that shadows keep their edges
in vec4 blade;
in vec3 up;
out vec4 result;

void main()
{
    vec3 n = normalize(up);
    float open = mix(0.75, 1.0, blade.a) * occlusion_at(place);
    vec3 light = light_wet(blade.rgb, n, place, open, shadow_at(foot, n), 0.2);
    result = vec4(finish(add_haze(light, place)), 1.0);
}
#endif
