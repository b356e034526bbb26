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
    // The disc that throws shadows, and the light around it.
    float toward_sun = max(dot(direction, sun.xyz), 0.0);
    color += (sun_color * 2.7 + 0.9 * night * (1.0 - veil)) * smoothstep(0.99965, 0.99985, toward_sun);
    if (toward_sun > 0.98) {
        color += sun_color * 0.23 * pow(toward_sun, 380.0);
    }

    if (direction.z > 0.01) {
        vec2 p = direction.xy / (direction.z + 0.16);
        float low = texture(noise_map, p * 0.055 + vec2(0.13, 0.71)).r;
        float high = texture(noise_map, p * vec2(0.23, 0.15) + 0.37).r;
#ifdef LOW
        float finer = 0.45;
#else
        float finer = texture(noise_map, p * vec2(0.83, 0.52) + 0.11).r;
#endif
        float thick = low * 0.62 + high * 0.38 + finer * 0.14;
        float edge = 0.50 + 0.60 * (0.35 - clouds), cloud = smoothstep(edge, edge + 0.42, thick);
        cloud *= smoothstep(0.03, 0.30, direction.z) * smoothstep(0.0, 0.2, clouds);
        float overcast = smoothstep(0.45, 1.0, clouds);
        vec3 lit = (sun_color * 0.26 + ambient_sky * 0.55) * mix(1.0, 0.75 + 0.35 * (finer - high), overcast);
        color = mix(color, lit * (1.0 + 0.36 * pow(toward_sun, 8.0)), cloud * mix(0.72, 0.85, overcast));
    }
    color = mix(color, sky_horizon, veil);
    if (direction.z < 0.09) {
        // Ridges by their distance, about 12, 5 and 1 km: the farther, the more of the air's colour.
        float azimuth = atan(direction.y, direction.x) / 6.2831853;
        float mountain = 0.016 + 0.070 * (ridge(azimuth, 0.47, 1.0) - 0.36);
        float hill = 0.010 + 0.042 * (ridge(azimuth, 0.23, 2.0) - 0.35);
        float tree = 0.004 + 0.011 * ridge(azimuth, 0.61, 7.0) + 0.004 * (texture(noise_map, vec2(azimuth * 90.0, 0.3)).g - 0.4);
        float air = max(smoothstep(0.0, 0.0026, haze), veil);
        vec3 blue = ambient_sky * vec3(0.62, 0.64, 0.62), wooded = ambient_sky * vec3(0.44, 0.50, 0.40);
        color = mix(color, mix(blue, sky_horizon, mix(0.42, 0.72 + 0.28 * veil, air)), smoothstep(0.0015, -0.0015, direction.z - mountain));
        color = mix(color, mix(wooded, sky_horizon, mix(0.20, 0.56 + 0.44 * veil, air)), smoothstep(0.0015, -0.0015, direction.z - hill));
        vec3 trees = mix(ambient_sky * vec3(0.26, 0.267, 0.13), sky_horizon, mix(0.10, 0.46 + 0.54 * veil, air));
        color = mix(color, trees, smoothstep(0.0012, -0.0012, direction.z - tree));
    }
    result = vec4(finish(color), 1.0);
}
#endif
