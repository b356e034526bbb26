// The sky behind everything: gradient, sun, thin clouds and far hills.
#ifdef VERTEX
out vec2 corner;
void main()
{
    corner = vec2(float((gl_VertexID & 1) * 4 - 1), float((gl_VertexID >> 1) * 4 - 1));
    gl_Position = vec4(corner, 1.0, 1.0);
}
#endif

#ifdef FRAGMENT
in vec2 corner;
out vec4 result;

float ridge(float azimuth, float offset, float frequency)
{
    float a = texture(noise_map, vec2(azimuth * frequency + offset, offset)).r;
    float b = texture(noise_map, vec2(azimuth * frequency * 4.0 + offset, offset + 0.4)).r;
    return a + 0.22 * b;
}

void main()
{
    vec4 far = inverse_view_projection * vec4(corner, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - eye.xyz);
    vec3 color = sky_gradient(direction);
    float toward_sun = max(dot(direction, sun.xyz), 0.0);
    color += vec3(9.0, 8.0, 6.2) * smoothstep(0.99965, 0.99985, toward_sun);
    color += vec3(0.9, 0.75, 0.5) * pow(toward_sun, 380.0) * 0.8;

    if (direction.z > 0.01) {
        vec2 p = direction.xy / (direction.z + 0.16);
        float low = texture(noise_map, p * 0.055 + vec2(0.13, 0.71)).r;
        float high = texture(noise_map, p * vec2(0.23, 0.15) + 0.37).r;
        float finer = texture(noise_map, p * vec2(0.83, 0.52) + 0.11).r;
        float cloud = smoothstep(0.50, 0.92, low * 0.62 + high * 0.38 + finer * 0.14);
        cloud *= smoothstep(0.03, 0.30, direction.z);
        color = mix(color, vec3(1.12, 1.10, 1.06) + 0.4 * pow(toward_sun, 8.0), cloud * 0.72);
    }
    float azimuth = atan(direction.y, direction.x) / 6.2831853;
    float hill = 0.012 + 0.040 * (ridge(azimuth, 0.23, 2.0) - 0.35);
    float tree = 0.004 + 0.011 * ridge(azimuth, 0.61, 7.0) + 0.004 * (texture(noise_map, vec2(azimuth * 90.0, 0.3)).g - 0.4);
    color = mix(color, mix(vec3(0.25, 0.33, 0.36), sky_horizon, 0.76), smoothstep(0.0015, -0.0015, direction.z - hill));
    color = mix(color, mix(vec3(0.13, 0.16, 0.10), sky_horizon, 0.60), smoothstep(0.0012, -0.0012, direction.z - tree));
    result = vec4(finish(color), 1.0);
}
#endif
