// Lines: quads of constant thickness on the screen, drawn a little nearer than what they lie on. A short one is drawn as a dot.
#ifdef VERTEX
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 line_color;
layout(location = 3) in float width; // times the thickness
uniform float thickness; // pixels
out vec4 color;
out float across;

void main()
{
    vec4 a = view_projection * vec4(start, 1.0), b = view_projection * vec4(end, 1.0);
    const float nearest = 0.05;
    if (a.w < nearest && b.w > nearest) {
        a = mix(b, a, (b.w - nearest) / (b.w - a.w));
    } else if (b.w < nearest && a.w > nearest) {
        b = mix(a, b, (a.w - nearest) / (a.w - b.w));
    }
    vec2 pa = a.xy / a.w * viewport.xy, pb = b.xy / b.w * viewport.xy;
    vec2 along = pb - pa;
    float pixels = 0.5 * length(along), wide = thickness * width;
    along = pixels > 0.01 ? along / (2.0 * pixels) : vec2(1.0, 0.0);
    vec4 p = (gl_VertexID & 1) == 0 ? a : b;
    across = (gl_VertexID & 2) == 0 ? -1.0 : 1.0;
    vec2 aside = vec2(-along.y, along.x) * across;
    vec2 ahead = along * ((gl_VertexID & 1) == 0 ? -1.0 : 1.0) * max(0.0, 1.0 - pixels / wide);
    p.xy += (aside + ahead) * wide * viewport.zw * p.w;
    p.z -= 0.0008 * p.w;
    color = line_color;
    gl_Position = max(a.w, b.w) < nearest ? vec4(2.0, 2.0, 2.0, 1.0) : p;
}
#endif

#ifdef FRAGMENT
in vec4 color;
in float across;
out vec4 result;
void main()
{
    result = vec4(color.rgb, color.a * smoothstep(1.0, 0.55, abs(across)));
}
#endif
