// What stands around the site: fences, huts, poles, trunks; shadows are discs that lie away from the sun. LEAVES: cards
// with leaves or needles, of which only these are drawn.
uniform float site_radius; // m: beyond it the ground rolls
uniform float reach;       // m: what is nearer to the eye stands in its way and is left out
#ifdef VERTEX
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec4 vertex_color;
// Of a shadow: radius / 12.75 m, height / 25.5 m, 1. Of a card: place on it, pattern, 1 leaves or less: needles.
layout(location = 3) in vec4 vertex_surface;
out vec3 place, normal;
out vec4 color;
#ifdef LEAVES
out vec4 card;
#endif

void main()
{
    place = position;
    normal = vertex_normal;
    color = vertex_color;
#ifdef LEAVES
    card = vertex_surface;
#else
    if (vertex_surface.z > 0.5) {
        float radius = vertex_surface.x * 12.75, high = vertex_surface.y * 25.5;
        vec2 fall = sun.xy / max(sun.z, 0.2), along = normalize(sun.xy);
        float stretch = 0.35 * high * length(fall);
        place.xy += radius * vertex_normal.xy + along * dot(along, vertex_normal.xy) * stretch - 0.5 * high * fall;
        color.a *= clamp(sun_color.g * 0.8, 0.0, 1.0);
        normal = vec3(0.0, 0.0, 1.0);
    }
#endif
    place.z += far_height(place.xy, max(length(place.xy) - site_radius, 0.0));
    gl_Position = view_projection * vec4(place, 1.0);
}
#endif

#ifdef FRAGMENT
in vec3 place, normal;
in vec4 color;
#ifdef LEAVES
in vec4 card;
#endif
out vec4 result;

#ifdef LEAVES
// Tone of the leaf at a place of a card; below 0 there is none. Where leaves are smaller than pixels the noise is its
// mean, and a bunch becomes a round spot.
float leaf_at(vec4 at)
{
    vec2 q = 2.0 * at.xy - 1.0;
    if (at.w > 0.9) {
        vec4 leaf = texture(noise_map, at.xy * 0.62 + vec2(at.z * 7.3, at.z * 3.1));
        return leaf.g > 0.68 + 0.24 * dot(q, q) ? 0.72 + 1.5 * (leaf.r - 0.35) : -1.0;
    }
    // A bough: twigs to both sides, shorter towards its tip.
    float twig = abs(fract(at.x * 9.0 - 1.5 * abs(q.y) + at.z * 5.0) - 0.5);
    float ragged = texture(noise_map, at.xy * vec2(0.9, 0.4) + at.z * 5.7).r;
    float reach = (1.0 - 0.85 * at.x) * (0.55 + 0.9 * ragged);
    return abs(q.y) < reach * (0.35 + 0.65 * smoothstep(0.05, 0.35, twig)) ? 0.70 + 0.9 * (ragged - 0.3) : -1.0;
}
#endif

void main()
{
    vec3 ray = place - eye.xyz;
    if (dot(ray, ray) < reach * reach) {
        discard;
    }
#ifdef LEAVES
    float tone = leaf_at(card);
    if (tone < 0.0) {
        discard;
    }
#endif
    vec3 n = normalize(normal);
    float facing = dot(n, sun.xyz);
#ifdef LEAVES
    facing = 0.5 * facing + 0.35; // leaves let light through
#endif
    facing = max(facing, 0.0);
#ifdef LOW
    vec3 albedo = color.rgb * color.rgb;
#else
    vec3 albedo = pow(color.rgb, vec3(2.2));
#endif
#ifdef LEAVES
    albedo *= tone;
#endif
    albedo *= mix(1.0, 0.65, wetness);
    vec3 light = sun_color * facing + hemisphere(n) * 0.85 + lamps_at(place, n);
    result = vec4(finish(add_haze(albedo * light, place)), color.a);
}
#endif
