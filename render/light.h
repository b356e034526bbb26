/// The light of a scene's time of day and weather: where the sun or the moon stands, and the colours that it, the sky
/// and the ground shed. Colours are linear, in units in which the default afternoon's sun is about 3. Pure, no OpenGL.
#ifndef SPADEWORK_RENDER_DAYLIGHT_H
#define SPADEWORK_RENDER_DAYLIGHT_H

#include "data/schema/scene_params.h"
#include "render/gpu/linear.h"

/// The part of the uniform block "Frame" (common.glsl, std140) that says how things are lit: three numbers and one in
/// each row.
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

/// Writes the unit vector (east, north, up) towards the sun at a time of day, s. The place is 50 degrees north, the
/// sun's declination 12.55 degrees (late April) and its highest place at 12:07:34 by the clock.
void daylight_sun(double time, double to_sun[3]);

/// Computes the light. Weather that is all zero, as of a scene that was not loaded, is the default's.
void daylight_compute(const SceneWeather *weather, Daylight *daylight);

#endif
