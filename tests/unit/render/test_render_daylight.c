/// The sun's place and the light of times of day and weathers, without OpenGL.
#include "data/core/constants.h"
#include "render/camera.h"
#include "render/light.h"
#include "tests/support/test.h"

static Daylight light_of(double hour, double clouds, double visibility, double rain)
{
    Daylight light;
    daylight_compute(&(SceneWeather){hour * UNIT_HOUR, clouds, visibility, rain * UNIT_MM_PER_H}, &light);
    return light;
}

static double brightness(const float color[3])
{
    return 0.2126 * (double)color[0] + 0.7152 * (double)color[1] + 0.0722 * (double)color[2];
}

/// With the latitude f and the declination d the sun stands at noon 90 - f + d high in the south, at midnight as far
/// under the horizon in the north as 90 - f - d, and rises and sets where cos H = -tan f tan d (Meeus, Astronomical
/// Algorithms, ch. 15, without refraction).
TEST(sun_stands_where_astronomy_says)
{
    const double f = 50.0 * UNIT_DEG, d = 12.55 * UNIT_DEG, noon = 43654.0;
    double sun[3];
    daylight_sun(noon, sun);
    assert_near(asin(sun[2]) / UNIT_DEG, 90.0 - 50.0 + 12.55, 1e-9);
    assert_near(sun[0], 0.0, 1e-12);
    assert_true(sun[1] < 0.0);
    daylight_sun(noon - 12.0 * UNIT_HOUR, sun);
    assert_near(asin(sun[2]) / UNIT_DEG, -(90.0 - 50.0 - 12.55), 1e-9);
    assert_true(sun[1] > 0.0);
    double half_day = acos(-tan(f) * tan(d)) / (2.0 * M_PI) * 86400.0;
    daylight_sun(noon - half_day, sun);
    assert_near(sun[2], 0.0, 1e-12);
    assert_true(sun[0] > 0.9); // it rises in the east
    // Its azimuth from north there: cos A = sin d / cos f.
    assert_near(sun[1], sin(d) / cos(f), 1e-12);
    daylight_sun(noon + half_day, sun);
    assert_near(sun[2], 0.0, 1e-12);
    assert_true(sun[0] < -0.9);
    for (double hour = 0.0; hour <= 24.0; hour += 0.5) {
        daylight_sun(hour * UNIT_HOUR, sun);
        assert_near(sun[0] * sun[0] + sun[1] * sun[1] + sun[2] * sun[2], 1.0, 1e-12);
    }
}

/// The default afternoon is the one that all colours are stated for, and weather that was never loaded is the same.
TEST(usual_afternoon)
{
    Daylight usual = light_of(14.0, 0.35, 1500.0, 0.0), zero;
    daylight_compute(&(SceneWeather){0}, &zero);
    assert_memory_equal(&usual, &zero, sizeof usual);
    assert_near((double)usual.to_light[0], -0.46, 0.002);
    assert_near((double)usual.to_light[1], -0.52, 0.002);
    assert_near((double)usual.to_light[2], 0.72, 0.002);
    assert_near((double)usual.uniforms.sun_color[0], 3.30, 0.01);
    assert_near((double)usual.uniforms.ambient_sky[2], 0.76, 0.001);
    assert_near((double)usual.uniforms.haze, 0.0026, 0.0001);
    assert_near((double)usual.uniforms.night, 0.0, 0.0);
    assert_near(usual.lamps, 0.0, 0.0);
}

TEST(light_follows_the_sun)
{
    Daylight noon = light_of(12.0, 0.35, 1500.0, 0.0), evening = light_of(18.7, 0.35, 1500.0, 0.0),
             night = light_of(0.0, 0.35, 1500.0, 0.0);
    double day = brightness(noon.uniforms.sun_color);
    assert_true(brightness(evening.uniforms.sun_color) < 0.5 * day);
    assert_true(brightness(night.uniforms.sun_color) < 0.06 * day); // the moon
    // A low sun is orange.
    assert_true(evening.uniforms.sun_color[2] < 0.35f * evening.uniforms.sun_color[0]);
    assert_true(noon.uniforms.sun_color[2] > 0.6f * noon.uniforms.sun_color[0]);
    assert_true(brightness(night.uniforms.ambient_sky) < 0.06 * brightness(noon.uniforms.ambient_sky));
    assert_near(night.lamps, 1.0, 0.0);
    // The moon is opposite to the sun, and nothing that throws shadows stands under the horizon.
    assert_true(night.to_light[1] < 0.0f && night.uniforms.sun_place[1] > 0.0f);
    for (double hour = 0.0; hour <= 24.0; hour += 0.05) {
        Daylight light = light_of(hour, 0.35, 1500.0, 0.0);
        assert_true((double)light.to_light[2] >= 0.05);
        // Where light passes from the sun to the moon there is hardly any.
        bool between = fabsf(light.uniforms.sun_place[2]) < 0.005f;
        assert_true(!between || brightness(light.uniforms.sun_color) < 0.03 * day);
    }
}

TEST(weather_covers_the_sky)
{
    Daylight fair = light_of(12.0, 0.35, 1500.0, 0.0), grey = light_of(12.0, 1.0, 1500.0, 0.0),
             rain = light_of(12.0, 0.0, 20000.0, 8.0), fog = light_of(12.0, 0.35, 80.0, 0.0);
    assert_true(brightness(grey.uniforms.sun_color) < 0.1 * brightness(fair.uniforms.sun_color));
    assert_near((double)rain.uniforms.clouds, 1.0, 0.0); // rain falls out of clouds
    assert_true(rain.uniforms.wetness > 0.9f && fair.uniforms.wetness == 0.0f);
    assert_true(fog.uniforms.veil > 0.8f && fair.uniforms.veil == 0.0f);
    // Koschmieder: at the visibility a contrast of 2 % is left.
    assert_near(exp(-(double)fog.uniforms.haze * 80.0), 0.02, 0.0005);
    assert_true(rain.uniforms.haze > 3.912f / 20000.0f);
}

/// When the machine swings by 0.01 rad, the middle of the shadow map, 3 m ahead of the cab, moves 3 cm: what stands
/// still keeps its place in a texel and its depth, so that its shadow neither crawls nor flickers. At a low sun, too.
TEST(shadows_do_not_swim)
{
    const int texels = 2048;
    const float radius = 16.0f;
    const double hours[3] = {14.0, 18.6, 0.0};
    for (int k = 0; k < 3; k++) {
        Daylight light = light_of(hours[k], 0.35, 1500.0, 0.0);
        double first[3] = {0.0, 0.0, 0.0};
        bool same_depth = true;
        for (int step = 0; step < 200; step++) {
            double swing = 0.01 * step;
            FloatVec3 middle = {(float)(-5.0 + 3.0 * cos(swing)), (float)(3.0 * sin(swing)), 1.2f};
            mat4 matrix;
            vec4 planes[6], place = {2.31f, -1.77f, 0.4f, 1.0f}, seen;
            camera_compute_sun(middle, light.to_light, radius, texels, matrix, planes);
            glm_mat4_mulv(matrix, place, seen);
            for (int axis = 0; axis < 2; axis++) {
                double texel = 0.5 * (double)seen[axis] * texels, off = texel - first[axis];
                first[axis] = step == 0 ? texel : first[axis];
                assert_true(step == 0 || fabs(off - round(off)) < 0.02);
            }
            double depth = 40.0 * (double)seen[2], moved = depth - first[2];
            first[2] = step == 0 ? depth : first[2];
            assert_true(step == 0 || fabs(moved - round(moved)) < 1e-3);
            same_depth = same_depth && (step != 1 || fabs(moved) < 1e-3);
        }
        assert_true(same_depth);
    }
}

TEST_GROUP(NULL, NULL)
