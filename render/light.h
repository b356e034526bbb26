/// The light of a frame, as the uniform block "Frame" (common.glsl, std140) takes it: sun, moon and sky by the time of
/// day and the weather, work lamps, what bodies take of the sky's light from the ground under them, and where the maps
/// of shadows lie. Colours are linear, in units in which the default afternoon's sun is about 3. Pure functions; none
/// calls OpenGL.
#ifndef SPADEWORK_RENDER_LIGHT_H
#define SPADEWORK_RENDER_LIGHT_H

#include "data/schema/scene_params.h"
#include "render/gpu.h"
#include "render/render.h"

/// ---- sun, moon and sky ---------------------------------------------------------------------------------------------

/// The part of the uniform block "Frame" (common.glsl, std140) that holds the light: three numbers and one in each
/// row.
typedef struct DaylightUniforms {
    float sun_color[3], wetness; ///< of what throws shadows, sun or moon; share 0..1 of water on all that looks up
    float sky_zenith[3], clouds; ///< share 0..1 of the sky that clouds cover
    float sky_horizon[3], haze; ///< 1/m: extinction of the air
    float ambient_sky[3], veil; ///< share 0..1: how far fog hides the sky itself
    float ambient_ground[3], haze_most; ///< share 0..1 of its colour that the farthest thing loses
    float bounce[3], exposure; ///< thrown back from lit ground; factor before the tone curve
    float glow[3], night; ///< around the sun; share 0..1: how far it is night
    float sun_place[3], rain; ///< unit, towards the sun, also where it has set; share 0..1 of the heaviest rain
} DaylightUniforms;

typedef struct Daylight {
    FloatVec3 to_light; ///< unit, towards what throws shadows: the sun, by night the moon; never flatter than 3 degrees
    double lamps; ///< share 0..1: how far machines have their lamps on
    DaylightUniforms uniforms;
} Daylight;

/// Writes `to_sun`, the unit vector (east, north, up) towards the sun at a `time` of day, s. The place is 50 degrees
/// north, the sun's declination 12.55 degrees (late April) and its highest place at 12:07:34 by the clock.
void daylight_sun(double time, double to_sun[3]);

/// Computes the light. Weather that is all zero, as of a scene that was not loaded, is the default's.
void daylight_compute(const SceneWeather *weather, Daylight *daylight);

/// ---- work lamps ----------------------------------------------------------------------------------------------------

enum { LAMPS_MAX = 4 }; ///< as in common.glsl

/// The lamps' part of the uniform block "Frame" (common.glsl, std140).
typedef struct LampUniforms {
    float place[LAMPS_MAX][4]; ///< m, world; strength: light straight ahead times the square of the distance, 0: out
    float aim[LAMPS_MAX][4]; ///< unit, where it shines; cosine of half its cone
} LampUniforms;

/// Computes the lamps where the machine of the view stands.
/// share  0..1: how far they are on (Daylight.lamps)
void lamps_compute(const RenderView *view, double share, LampUniforms *lamps);

/// ---- occluders -----------------------------------------------------------------------------------------------------

/// What takes light of the sky from the ground near it: the tracks, trucks, and the tool, more the nearer it is.
enum { OCCLUDERS_TOOL = 1 + RENDER_MAX_TRUCKS, OCCLUDERS_MAX }; ///< as in common.glsl; the machine is the first

/// The occluders' part of the uniform block "Frame" (common.glsl, std140).
typedef struct OccluderUniforms {
    float place[OCCLUDERS_MAX][4]; ///< m: x, y; cos and sin of the heading
    float size[OCCLUDERS_MAX][4]; ///< m: half length, half width; strength 0..1, 0: none; m: softness
    float top[OCCLUDERS_MAX]; ///< m, world: what is higher is not under it
} OccluderUniforms;

/// Computes the occluders of a view.
void occluders_compute(const RenderView *view, OccluderUniforms *occluders);

/// ---- maps of shadows -----------------------------------------------------------------------------------------------

/// The maps' part of the uniform block "Frame" (common.glsl, std140).
typedef struct ShadowUniforms {
    mat4 lamp_light; ///< from the world to what the lamps see
    float tool_light[4]; ///< from the sun's map of the site to that of the tool: x, y, z; factor of x and y, 0: none
    float site_part[4], tool_part[4], lamp_part[4]; ///< shares of the texture: width, height, left, lower edge
    float fineness[4]; ///< m a texel of the tool's map; the same of the lamps' 1 m away; the pair of lamps, -1: none
} ShadowUniforms;

/// The maps of shadows of a frame.
typedef struct Shadows {
    bool drawn[SHADOW_PARTS];
    mat4 light[SHADOW_PARTS]; ///< from the world to clip space
    vec4 planes[SHADOW_PARTS][6]; ///< of what they see
    FloatVec3 to_lamp; ///< unit, from the tool towards the lamps
    ShadowUniforms uniforms;
} Shadows;

/// Computes the maps of shadows of a view that `map` has room for.
void shadows_place(Shadows *out, const RenderView *view, const Shadow *map, const Daylight *daylight);

#endif
