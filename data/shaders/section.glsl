// The faces that a section cuts: soils in their own colours, evenly lit, with the detail of soil; solids plain.
#ifdef VERTEX
layout(location = 0) in vec2 along_up; // m along the section, m up
layout(location = 1) in vec4 soil;     // linear colour; looseness, below 0: no soil
uniform vec3 start;
uniform vec2 direction;
out vec2 at;
out vec3 place;
flat out vec4 kind;

void main()
{
    at = along_up;
    kind = soil;
    place = vec3(start.xy + direction * along_up.x, along_up.y);
    gl_Position = view_projection * vec4(place, 1.0);
}
#endif

#ifdef FRAGMENT
in vec2 at;
in vec3 place;
flat in vec4 kind;
out vec4 result;

void main()
{
    vec3 albedo = kind.a < 0.0 ? kind.rgb : soil_tone(kind.rgb) * soil_detail(at, kind.a).x * mix(0.86, 1.0, kind.a);
    vec3 light = ambient_sky * 0.75 + sun_color * 0.38;
    result = vec4(finish(add_haze(albedo * light, place)), 1.0);
}
#endif
