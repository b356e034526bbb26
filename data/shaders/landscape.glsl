// What stands around the site: trees, fences, huts, poles. Shadows are discs that lie away from the sun.
uniform float site_radius; // m: beyond it the ground rolls
uniform float reach;       // m: what is nearer to the eye stands in its way and is left out
#ifdef VERTEX
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec4 vertex_color;
layout(location = 3) in vec4 vertex_surface; // of a shadow: radius / 12.75 m, height / 25.5 m, 1; leaves
out vec3 place, normal;
out vec4 color;
out float leaves;

void main()
{
    place = position;
    normal = vertex_normal;
    color = vertex_color;
    leaves = vertex_surface.w;
    if (vertex_surface.z > 0.5) {
        float radius = vertex_surface.x * 12.75, high = vertex_surface.y * 25.5;
        vec2 fall = sun.xy / max(sun.z, 0.2), along = normalize(sun.xy);
        float stretch = 0.35 * high * length(fall);
        place.xy += radius * vertex_normal.xy + along * dot(along, vertex_normal.xy) * stretch - 0.5 * high * fall;
        color.a *= clamp(sun_color.g * 0.8, 0.0, 1.0);
        normal = vec3(0.0, 0.0, 1.0);
    }
    place.z += far_height(place.xy, max(length(place.xy) - site_radius, 0.0));
    gl_Position = view_projection * vec4(place, 1.0);
}
#endif

#ifdef FRAGMENT
in vec3 place, normal;
in vec4 color;
in float leaves;
out vec4 result;

void main()
{
    vec3 ray = place - eye.xyz;
    if (dot(ray, ray) < reach * reach) {
        discard;
    }
    vec3 n = normalize(normal);
    float facing = dot(n, sun.xyz);
    facing = max(mix(facing, 0.5 * facing + 0.35, leaves), 0.0);
#ifdef LOW
    vec3 albedo = color.rgb * color.rgb;
#else
    vec3 albedo = pow(color.rgb, vec3(2.2));
    if (leaves > 0.5) {
        vec2 uv = abs(n.x) > abs(n.y) ? place.yz : place.xz;
        float leaf = texture(noise_map, uv * 0.19).g + 0.5 * texture(noise_map, uv * 0.71).g;
        // The rim of a crown is ragged.
        if (leaf < 0.85 - 1.1 * abs(dot(n, ray)) * inversesqrt(dot(ray, ray))) {
            discard;
        }
        albedo *= 0.45 + 0.8 * leaf;
    }
#endif
    albedo *= mix(1.0, 0.65, wetness);
    vec3 light = sun_color * facing + hemisphere(n) * 0.85 + lamps_at(place, n);
    result = vec4(finish(add_haze(albedo * light, place)), color.a);
}
#endif
