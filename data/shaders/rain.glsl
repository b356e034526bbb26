// Drops of rain near the eye as short streaks: what they cover of their way while a shutter is open. Places come from the
// drop's number and the time alone; a box of them moves with the eye.
uniform float seconds; // s
uniform float nearest; // m from the eye, level: the cab's roof keeps them off
#ifdef VERTEX
out float strength;

float hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return float(x & 0xffffffU) / 16777216.0;
}

void main()
{
    const vec3 box = vec3(16.0, 16.0, 10.0); // m
    uint drop = uint(gl_InstanceID) * 4U;
    vec3 home = vec3(hash(drop), hash(drop + 1U), hash(drop + 2U)) * box;
    // Drops of 1 to 3 mm fall at 4 to 8 m/s (Gunn and Kinzer, Journal of Meteorology 6 (1949) 243).
    vec3 speed = vec3(0.7, 0.3, -4.0 - 4.0 * hash(drop + 3U));
    vec3 away = mod(home + speed * seconds - eye.xyz, box) - 0.5 * box;
    vec3 low = eye.xyz + away, high = low - speed * 0.022;
    vec4 a = view_projection * vec4(low, 1.0), b = view_projection * vec4(high, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    along = dot(along, along) > 1e-6 ? normalize(along) : vec2(0.0, 1.0);
    vec4 p = (gl_VertexID & 1) == 0 ? a : b;
    float pixels = max(0.0015 * viewport.y / max(p.w, 0.1), 0.6);
    p.xy += vec2(-along.y, along.x) * ((gl_VertexID & 2) == 0 ? -pixels : pixels) * viewport.zw * p.w;
    strength = 0.55 * (1.0 - smoothstep(3.0, 8.0, length(away))) * ((gl_VertexID & 1) == 0 ? 1.0 : 0.25);
    bool hidden = min(a.w, b.w) < 0.1 || length(away.xy) < nearest;
    gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : p;
}
#endif

#ifdef FRAGMENT
in float strength;
out vec4 result;

void main()
{
    result = vec4(finish(sky_horizon * 1.1 + 0.02), strength);
}
#endif
