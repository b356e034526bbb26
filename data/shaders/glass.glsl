// A picture on a pane: what a mirror shows on its glass (MIRROR), what the cab's monitor shows (MONITOR), or an inset
// over the view.
uniform sampler2D overlay_map;
#ifdef VERTEX
out vec2 uv;
#if defined(MIRROR) || defined(MONITOR)
uniform vec3 corner[4];

void main()
{
    uv = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
#ifdef MONITOR
    uv.y = 1.0 - uv.y; // its picture has the upper row first
#else
    uv.x = 1.0 - uv.x; // seen from behind, as the eye's image sees the world through the glass
#endif
    gl_Position = view_projection * vec4(corner[gl_VertexID], 1.0);
}
#else
void main()
{
    uv = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
#endif
#endif

#ifdef FRAGMENT
in vec2 uv;
out vec4 result;

void main()
{
    vec3 color = texture(overlay_map, uv).rgb;
#ifdef MONITOR
    result = vec4(color, 1.0);
#elif defined(MIRROR)
    vec2 rim = min(uv, 1.0 - uv);
    result = vec4(color * 0.92 * smoothstep(0.0, 0.03, min(rim.x, rim.y)), 1.0);
#else
    vec2 rim = min(uv, 1.0 - uv) * viewport.xy;
    float inside = smoothstep(1.0, 3.0, min(rim.x, rim.y));
    result = vec4(mix(vec3(0.06, 0.065, 0.07), color, inside), 1.0);
#endif
}
#endif
