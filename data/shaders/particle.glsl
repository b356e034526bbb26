// Lumps of soil: a low sphere, dented and turned by the lump's number; the ground's own colours and detail. At low quality
// a disc that is lit as a ball.
uniform vec4 soil_color[8]; // linear: fresh
#ifdef LOW
float hash(uint x)
{
    x *= 0x7feb352dU;
    x ^= x >> 15;
    return float(x & 0xffffU) / 65536.0;
}
#ifdef VERTEX
layout(location = 1) in vec4 lump; // centre, radius
layout(location = 2) in uint mark; // number * 8 + soil
layout(location = 3) in vec4 tint; // sRGB colour laid over it, its share
flat out vec3 place;
flat out vec4 color, over;

void main()
{
    float shade = hash(mark >> 3);
    place = lump.xyz;
    color = vec4(soil_tone(soil_color[mark & 7U].rgb) * (0.74 + 0.42 * shade), shade);
    over = tint;
    float radius = lump.w * (1.0 + 0.2 * shade);
#ifdef DEPTH
    gl_Position = light_projection * vec4(place, 1.0);
    gl_PointSize = 2.0 * radius / sun.w;
#else
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
    float away = dot(d, d), rim = 0.82 + 0.18 * sin(6.28 * color.a + 3.0 * d.x + 4.0 * d.y);
    if (away > rim) {
        discard;
    }
    vec3 right = normalize(vec3(view_projection[0][0], view_projection[1][0], view_projection[2][0]));
    vec3 up = normalize(vec3(view_projection[0][1], view_projection[1][1], view_projection[2][1]));
    vec3 n = normalize(right * d.x - up * d.y + cross(right, up) * sqrt(max(1.0 - away, 0.0)));
    float open = mix(0.42, 1.0, smoothstep(-0.7, 0.6, n.z));
    result = vec4(finish(add_haze(light_soil(color.rgb, n, place, open, shadow_at(place, n)), place)), 1.0);
    result.rgb = mix(result.rgb, over.rgb * mix(0.65, 1.0, open), over.a);
}
#endif
#endif
#else
#ifdef VERTEX
layout(location = 0) in vec3 position; // on the unit sphere
layout(location = 1) in vec4 lump;     // centre, radius
layout(location = 2) in uint mark;     // number * 8 + soil
layout(location = 3) in vec4 tint;     // sRGB colour laid over it, its share
out vec3 place, normal, local;
flat out vec4 color, over;

float hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return float(x & 0xffffffU) / 16777216.0;
}

// Depth of the dents in a direction: a few waves whose phases belong to the lump.
float bulge(vec3 d, vec3 phase)
{
    return 1.0 + 0.17 * sin(2.6 * d.x + phase.x * 6.28) + 0.14 * sin(3.1 * d.y + 1.7 * d.z + phase.y * 6.28)
        + 0.10 * sin(5.3 * d.z - 2.2 * d.x + phase.z * 6.28);
}

void main()
{
    uint id = mark >> 3;
    vec3 phase = vec3(hash(id), hash(id + 0x9e3779b9U), hash(id + 0x3c6ef372U));
    float a = phase.x * 6.28, b = phase.y * 6.28;
    mat3 turn = mat3(cos(a), sin(a), 0.0, -sin(a), cos(a), 0.0, 0.0, 0.0, 1.0)
        * mat3(1.0, 0.0, 0.0, 0.0, cos(b), sin(b), 0.0, -sin(b), cos(b));
    vec3 stretch = 0.90 + 0.30 * vec3(phase.y, phase.z, phase.x);
    vec3 d = position;
    float r = bulge(d, phase);
    vec3 s = abs(d.z) < 0.9 ? normalize(cross(d, vec3(0.0, 0.0, 1.0))) : vec3(1.0, 0.0, 0.0);
    vec3 t = cross(d, s);
    float slope_s = (bulge(normalize(d + 0.15 * s), phase) - r) / 0.15;
    float slope_t = (bulge(normalize(d + 0.15 * t), phase) - r) / 0.15;
    local = d * r * stretch;
    normal = turn * normalize((d * r - s * slope_s - t * slope_t) / stretch);
    place = lump.xyz + turn * local * lump.w * 1.16;
    local = local * lump.w * 2.0 + phase * 7.0;
    vec4 soil = soil_color[mark & 7U];
    over = tint;
    color = vec4(soil_tone(soil.rgb) * (0.80 + 0.36 * phase.z), phase.x);
#ifdef DEPTH
    gl_Position = light_projection * vec4(place, 1.0);
#else
    gl_Position = view_projection * vec4(place, 1.0);
#endif
}
#endif

#ifdef FRAGMENT
in vec3 place, normal, local;
flat in vec4 color, over;
#ifdef DEPTH
void main()
{
}
#else
out vec4 result;
void main()
{
    vec3 n = normalize(normal);
    vec4 detail = soil_detail(local.xy + local.z, 1.0);
    vec3 albedo = color.rgb * detail.x * mix(0.85, 1.1, detail.w);
    vec3 bumped = normalize(n + vec3(detail.y, detail.z, 0.5 * (detail.y - detail.z)) * 0.8);
    // The underside of a lump lies on others: dark.
    float open = mix(0.42, 1.0, smoothstep(-0.7, 0.6, n.z));
    float shadow = shadow_at(place, n);
    result = vec4(finish(add_haze(light_soil(albedo, bumped, place, open, shadow), place)), 1.0);
    result.rgb = mix(result.rgb, over.rgb * mix(0.65, 1.0, open), over.a); // a mark is seen in the shade, too
}
#endif
#endif
#endif
