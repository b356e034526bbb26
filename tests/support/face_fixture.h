/// Cut faces for the soil's tests: sites, pits, sections and the closed form of their height. Who includes it includes
/// soil/exchange/exchange.h and soil/ground/wedge.h before.
#ifndef SPADEWORK_TESTS_FACE_FIXTURE_H
#define SPADEWORK_TESTS_FACE_FIXTURE_H

#include "tests/support/soil_fixture.h"

/// Culmann's height of a face, m.
static inline double critical_height(const SoilParams *soil, double angle)
{
    double phi = soil->friction_angle;
    return 4.0 * soil->cohesion * sin(angle) * cos(phi) /
           (soil->bank_density * STANDARD_GRAVITY * (1.0 - cos(angle - phi)));
}

/// A level site of 10 x 10 m with columns of 0.2 m, of loam with the contacts of data/soils.
static inline SceneParams site_scene(double depth)
{
    SceneParams scene = loam_scene();
    SoilParams *loam = &scene.soils[0];
    loam->contact_friction = 0.135;
    loam->contact_bond_friction = 0.108;
    loam->contact_stiffness = 2.5e5;
    loam->contact_adhesion = 8e3;
    loam->contact_ductility = 0.8;
    loam->contact_remoulded = 0.0135;
    scene.ground.size_x = scene.ground.size_y = 10.0;
    scene.ground.column_spacing = 0.2;
    scene.ground.bedrock_depth = depth;
    return scene;
}

/// Digs down to `depth` where low <= x < high and |y| < half_width.
static inline void dig(Soil *soil, double low, double high, double half_width, double depth)
{
    const Ground *ground = soil->state.grounds.site;
    for (int row = 0; row < ground->rows; row++) {
        for (int column = 0; column < ground->columns; column++) {
            double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
            if (x >= low && x < high && fabs(y) < half_width) {
                soil_remove_ground(soil, x, y, -depth);
            }
        }
    }
}

/// Ticks until something fails, `most` at most. True when something has.
static inline bool fails_within(Soil *soil, int most)
{
    for (int k = 0; k < most; k++) {
        run_ticks(soil, NULL, 0, 1);
        if (soil_get_counters(soil).failed > 0) {
            return true;
        }
    }
    return false;
}

/// A section through uniform soil with a face of a height and an inclination below a level surface.
static inline void make_section(WedgeProfile *profile, const SoilParams *soil, double pitch, double height,
                                double angle)
{
    memset(profile, 0, sizeof *profile);
    profile->pitch = pitch;
    profile->count = WEDGE_REACH;
    double first = angle > 1.57 ? 0.5 * pitch : pitch; // from the foot of the face to the middle of the first column
    for (int k = 0; k < WEDGE_REACH; k++) {
        double top = angle > 1.57 ? height : fmin(height, (first + k * pitch) * tan(angle));
        profile->columns[k] = (WedgeColumn){.count = 1,
                                            .bottom = {-1.0, top},
                                            .density = {soil->bank_density},
                                            .cohesion = {soil->cohesion},
                                            .tan_friction = {tan(soil->friction_angle)}};
    }
}

#endif
