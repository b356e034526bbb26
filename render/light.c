/// Where the sun stands, by spherical astronomy, and the light that follows from its elevation and the weather. What
/// light is left after the way through the air is physics; how blue, how bright and how orange it looks is chosen so
/// that the default afternoon is a pleasant one, and that by a night with a full moon a machine is seen and its bucket
/// is not without its lamps.
#include "render/light.h"

#include <math.h>
#include <string.h>

#include "data/core/units.h"

static const double latitude = 50.0 * UNIT_DEG;
static const double declination = 12.55 * UNIT_DEG; ///< of about the 22nd of April
static const double noon = 43654.0; ///< s by the clock: 12:07:34, of a place 13 degrees east in the zone of 15
static const double usual_elevation = 46.05 * UNIT_DEG; ///< of the default time, for which colours are stated
static const double day_length = 86400.0; ///< s
static const double heaviest_rain = 20.0 * UNIT_MM_PER_H; ///< that looks no heavier if there is more

/// Of the default afternoon.
static const float usual_sun[3] = {3.30f, 2.95f, 2.42f};
static const float usual_zenith[3] = {0.150f, 0.300f, 0.600f};
static const float usual_horizon[3] = {0.660f, 0.740f, 0.820f};
static const float usual_ambient_sky[3] = {0.50f, 0.60f, 0.76f};
static const float usual_ambient_ground[3] = {0.30f, 0.255f, 0.20f};
static const float usual_bounce[3] = {0.20f, 0.17f, 0.13f};
static const float usual_glow[3] = {0.231f, 0.165f, 0.0935f};
static const double usual_exposure = 0.62;

/// Of a clear night with a full moon at its highest.
static const float moon[3] = {0.130f, 0.155f, 0.200f};
static const float night_zenith[3] = {0.0035f, 0.0055f, 0.0120f};
static const float night_horizon[3] = {0.010f, 0.013f, 0.022f};
static const float night_ambient_sky[3] = {0.026f, 0.034f, 0.052f};
static const float night_ambient_ground[3] = {0.007f, 0.008f, 0.010f};

static double clamp01(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/// 0 where x <= from, 1 where x >= to, smooth between.
static double smooth(double from, double to, double x)
{
    double t = clamp01((x - from) / (to - from));
    return t * t * (3.0 - 2.0 * t);
}

static void mix_color(const float from[3], const float to[3], double share, float out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = (float)((1.0 - share) * (double)from[k] + share * (double)to[k]);
    }
}

static void scale_color(float color[3], double factor)
{
    for (int k = 0; k < 3; k++) {
        color[k] *= (float)factor;
    }
}

/// Takes the colour out by a share, keeping its brightness (luminance of Rec. 709).
static void grey_color(float color[3], double share)
{
    float grey = 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
    mix_color(color, (float[]){0.98f * grey, grey, 1.03f * grey}, share, color);
}

/// With the hour angle H, positive in the afternoon, the latitude f and the declination d (Meeus, Astronomical
/// Algorithms, 2nd ed., eqs. 13.5 and 13.6, as a vector):
///   east = -cos d sin H,  north = cos f sin d - sin f cos d cos H,  up = sin f sin d + cos f cos d cos H
void daylight_sun(double time, double to_sun[3])
{
    double hour = 2.0 * M_PI * (time - noon) / day_length;
    double sf = sin(latitude), cf = cos(latitude), sd = sin(declination), cd = cos(declination);
    to_sun[0] = -cd * sin(hour);
    to_sun[1] = cf * sd - sf * cd * cos(hour);
    to_sun[2] = sf * sd + cf * cd * cos(hour);
}

/// Air that light comes through, in thicknesses of the atmosphere, at an elevation (rad):
///   m = 1 / (sin h + 0.50572 (h + 6.07995 deg)^-1.6364), Kasten and Young, Applied Optics 28 (1989) 4735
static double air_mass(double elevation)
{
    double degrees = fmax(elevation / UNIT_DEG, 0.0);
    return 1.0 / (sin(degrees * UNIT_DEG) + 0.50572 * pow(degrees + 6.07995, -1.6364));
}

/// Sunlight at an elevation: Beer's law with optical depths of a clear, slightly hazy air for red, green and blue.
static void sun_color(double elevation, float color[3])
{
    static const double depth[3] = {0.075, 0.145, 0.27};
    double more = air_mass(elevation) - air_mass(usual_elevation);
    double risen = smooth(-0.8 * UNIT_DEG, 2.0 * UNIT_DEG, elevation);
    for (int k = 0; k < 3; k++) {
        color[k] = (float)((double)usual_sun[k] * exp(-depth[k] * more) * risen);
    }
}

/// The clear sky at the sun's elevation, and what sky and ground shed.
static void clear_sky(double elevation, DaylightUniforms *out)
{
    double day = smooth(-9.0 * UNIT_DEG, 7.0 * UNIT_DEG, elevation);
    double high = smooth(-4.0 * UNIT_DEG, 26.0 * UNIT_DEG, elevation), dim = 0.42 + 0.58 * high;
    mix_color(night_zenith, usual_zenith, day * dim, out->sky_zenith);
    mix_color(night_horizon, usual_horizon, day * dim, out->sky_horizon);
    mix_color(night_ambient_sky, usual_ambient_sky, day * dim, out->ambient_sky);
    mix_color(night_ambient_ground, usual_ambient_ground, day * dim * (0.5 + 0.5 * high), out->ambient_ground);
    mix_color((float[]){0.0f, 0.0f, 0.0f}, usual_bounce, day * high, out->bounce);
    // A low sun reddens the sky around it and the horizon.
    double red = smooth(-10.0 * UNIT_DEG, 0.0, elevation) * (1.0 - smooth(3.0 * UNIT_DEG, 22.0 * UNIT_DEG, elevation));
    mix_color(usual_glow, (float[]){0.62f, 0.25f, 0.07f}, red, out->glow);
    scale_color(out->glow, day);
    mix_color(out->sky_horizon, (float[]){0.40f, 0.30f, 0.25f}, 0.45 * red * day, out->sky_horizon);
    // The eye gets used to less light, but not to all of it.
    out->exposure = (float)(usual_exposure * (1.0 + 0.5 * (1.0 - high) + 0.5 * (1.0 - day)));
    out->night = (float)(1.0 - smooth(-9.0 * UNIT_DEG, 0.0, elevation));
}

/// Clouds and fog take the sun away, make the sky grey and spread its light evenly.
static void cover_sky(double clouds, double veil, DaylightUniforms *out)
{
    double overcast = smooth(0.45, 1.0, clouds), hidden = 1.0 - (1.0 - overcast) * (1.0 - veil);
    scale_color(out->sun_color, (1.0 - 0.96 * overcast) * (1.0 - 0.90 * veil));
    scale_color(out->glow, 1.0 - hidden);
    scale_color(out->bounce, 1.0 - 0.8 * hidden);
    mix_color(out->sky_zenith, out->sky_horizon, 0.72 * overcast, out->sky_zenith);
    float *colors[] = {out->sky_zenith, out->sky_horizon, out->ambient_sky};
    for (int k = 0; k < 3; k++) {
        grey_color(colors[k], 0.8 * hidden);
        scale_color(colors[k], k < 2 ? 1.0 - 0.30 * overcast : 1.0 + 0.35 * hidden);
    }
    out->exposure *= (float)(1.0 + 0.55 * hidden);
}

/// Extinction of the air, 1/m: of haze by Koschmieder's law, 3.912 / visibility, and of rain of R mm/h
/// 0.248e-3 R^0.67 (ITU-R P.1814, 1.076 R^0.67 dB/km).
static double extinction(const SceneWeather *weather)
{
    return 3.912 / weather->visibility + 0.248e-3 * pow(weather->rain / UNIT_MM_PER_H, 0.67);
}

static void place_light(const double to_sun[3], double elevation, Daylight *daylight)
{
    const double flattest = sin(3.0 * UNIT_DEG);
    // The full moon stands opposite to the sun: it rises where that sets.
    double side = elevation < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        daylight->uniforms.sun_place[k] = (float)to_sun[k];
        daylight->to_light[k] = (float)(side * to_sun[k]);
    }
    daylight->to_light[2] = fmaxf(daylight->to_light[2], (float)flattest);
    glm_vec3_normalize(daylight->to_light);
}

void daylight_compute(const SceneWeather *weather, Daylight *daylight)
{
    static const SceneWeather usual = {14.0 * UNIT_HOUR, 0.35, 1500.0, 0.0};
    const SceneWeather *now = weather->visibility > 0.0 ? weather : &usual;
    DaylightUniforms *out = &daylight->uniforms;
    double to_sun[3];
    memset(daylight, 0, sizeof *daylight);
    daylight_sun(now->time, to_sun);
    double elevation = asin(to_sun[2]);
    place_light(to_sun, elevation, daylight);
    sun_color(elevation, out->sun_color);
    float moonlight[3] = {moon[0], moon[1], moon[2]};
    scale_color(moonlight, smooth(1.0 * UNIT_DEG, 14.0 * UNIT_DEG, -elevation));
    glm_vec3_add(out->sun_color, moonlight, out->sun_color);
    clear_sky(elevation, out);
    out->rain = (float)clamp01(now->rain / heaviest_rain);
    out->wetness = (float)(1.0 - exp(-1.2 * now->rain / UNIT_MM_PER_H));
    out->clouds = (float)fmax(now->clouds, smooth(0.0, 1.0 * UNIT_MM_PER_H, now->rain));
    out->haze = (float)extinction(now);
    out->veil = (float)smooth(log(1200.0), log(60.0), log(3.912 / (double)out->haze));
    out->haze_most = (float)(0.80 + 0.20 * smooth(0.003, 0.012, (double)out->haze));
    cover_sky((double)out->clouds, (double)out->veil, out);
    double dull = 0.4 * fmax((double)out->veil, smooth(0.2, 0.6, (double)out->rain));
    daylight->lamps = fmax(1.0 - smooth(-3.0 * UNIT_DEG, 3.0 * UNIT_DEG, elevation), dull);
}
