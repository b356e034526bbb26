// Two-dimensional drawing over the view: the panels' texture, or the view itself blurred and darkened.
uniform sampler2D overlay_map;
#ifdef VERTEX
out vec2 uv;
void main()
{
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
in vec2 uv;
out vec4 result;
#ifdef BLUR
uniform float darkness;
void main()
{
    vec3 sum = vec3(0.0);
    for (int y = -2; y <= 2; y++) {
        for (int x = -2; x <= 2; x++) {
            sum += textureLod(overlay_map, uv + vec2(x, y) * vec2(5.0) * viewport.zw, 3.0).rgb;
        }
    }
    result = vec4(sum / 25.0 * darkness, 1.0);
}
#elif defined(BACKDROP)
void main()
{
    vec2 p = uv - vec2(0.5, 0.62);
    vec3 color = mix(vec3(0.115, 0.135, 0.155), vec3(0.040, 0.047, 0.055), smoothstep(0.0, 0.95, length(p * vec2(1.0, 1.25))));
    float grain = texture(noise_map, gl_FragCoord.xy / 256.0).g - 0.4;
    result = vec4(color + 0.012 * grain, 1.0);
}
#else
void main()
{
    result = texture(overlay_map, vec2(uv.x, 1.0 - uv.y));
}
#endif
#endif
