// Dust: soft discs that face the eye, in the light of sun, sky and lamps. A puff rises and drifts with a light wind, grows
// as it spreads and is thinner for it.
uniform vec4 soil_color[8]; // linear: fresh
uniform float seconds;      // s, of the puffs' clock
#ifdef VERTEX
layout(location = 0) in vec4 at;    // m where it began; m: height of the ground there
layout(location = 1) in vec4 puff;  // s when it began; share of light it takes at first; m: radius; speed upwards, m/s
layout(location = 2) in uint number; // number * 8 + soil
out vec3 place;
out vec2 corner; // -1..1
flat out vec3 albedo;
flat out vec4 rest; // share of light it takes; m: radius, ground; where its noise is

void main()
{
    float age = seconds - puff.x, part = clamp(age / LIFE, 0.0, 1.0);
    uint mixed = scramble(number);
    vec2 stray = vec2(part_of(mixed, 0), part_of(mixed, 10)) - 0.5;
    // It is braked at once and then goes with the air.
    float braked = 1.0 - exp(-3.0 * age);
    vec3 middle = at.xyz + vec3(vec2(0.45, 0.20) * age + stray * 0.9 * braked, puff.w * braked * 0.35 + 0.10 * age);
    float radius = puff.z * (1.0 + 2.6 * sqrt(part));
    corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    vec3 right = normalize(vec3(view_projection[0][0], view_projection[1][0], view_projection[2][0]));
    vec3 up = normalize(vec3(view_projection[0][1], view_projection[1][1], view_projection[2][1]));
    place = middle + (right * corner.x + up * corner.y) * radius;
    float near = smoothstep(1.2, 3.5, length(middle - eye.xyz)); // what is right before the eye would hide all
    albedo = mix(soil_color[number & 7U].rgb, vec3(0.52, 0.45, 0.37), 0.35); // dry, and paler than the soil
    rest = vec4(puff.y * smoothstep(0.0, 0.06, part) * (1.0 - part) * (1.0 - part) * near, radius, at.w, part_of(mixed, 20));
    gl_Position = view_projection * vec4(place, 1.0);
    if (age < 0.0 || age > LIFE || near <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
}
#endif

#ifdef FRAGMENT
in vec3 place;
in vec2 corner;
flat in vec3 albedo;
flat in vec4 rest;
out vec4 result;

void main()
{
    float away = dot(corner, corner), soft = max(1.0 - away, 0.0);
    float wisps = texture(noise_map, corner * rest.y * 0.22 + rest.w * 7.0, 1.0).r;
    // Fades to the ground it hangs over, so that no edge shows where it meets it.
    float over = smoothstep(0.0, 0.45 * rest.y + 0.05, place.z - rest.z);
    float taken = clamp(rest.x * soft * soft * (0.35 + 1.3 * wisps) * over, 0.0, 0.85);
    vec3 to_eye = normalize(eye.xyz - place);
    // Light comes through towards the sun (single scattering, forward).
    float forward = max(-dot(to_eye, sun.xyz), 0.0);
    vec3 light = sun_color * (0.42 + 0.35 * forward * forward) + ambient_sky * 0.8 + lamps_at(place, to_eye) * 0.6;
    result = vec4(finish(add_haze(albedo * light, place)), taken);
}
#endif
