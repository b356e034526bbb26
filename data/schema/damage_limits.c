/// Limits of damage by published and derived formulas.
#include "data/schema/damage_limits.h"

#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"

static const double tooth = 0.1; ///< m: length and width of a tooth's tip together
static const double usual_wall = 17.0; ///< diameters over the wall: polyethylene pipe of SDR 17
static const double masonry = 2400.0; ///< kg/m3
static const double yield = 235e6; ///< Pa, of structural steel S235
static const double tube_wall = 40.0; ///< diameters over the wall
static const double lying = 0.25; ///< rad
static const double crack_share = 0.2, scratch_share = 0.02;

PipeLimits pipe_limits(const SceneFixture *fixture)
{
    const SceneUtility *utility = &fixture->utility;
    double diameter = 2.0 * fixture->radius, wall = utility->wall > 0.0 ? utility->wall : diameter / usual_wall;
    double shape = fmax(0.1, 1.17 - 0.0029 * diameter / wall);
    double force = shape * tooth * wall * utility->strength;
    return (PipeLimits){.force = force, .energy = utility->limit > 0.0 ? utility->limit : 0.5 * force * wall};
}

/// J that push a fixture over, by its measures.
static double fall_energy(const SceneFixture *fixture)
{
    if (fixture->shape != SCENE_FIXTURE_BOX) {
        double diameter = 2.0 * fixture->radius;
        return yield * diameter * diameter * (diameter / tube_wall) * lying;
    }
    double low = fixture->top > 0.0 ? fmax(0.0, fixture->bottom) : fixture->bottom; // what stands over the ground
    double height = fixture->top - low, thick = fmin(fixture->length, fixture->width);
    double mass = masonry * fixture->length * fixture->width * height;
    return 0.5 * mass * STANDARD_GRAVITY * (same_hypot(height, thick) - height);
}

void fixture_damage_limits(const SceneFixture *fixture, double limits[DAMAGE_CLASSES])
{
    double fall = fall_energy(fixture);
    const double derived[DAMAGE_CLASSES] = {scratch_share * fall, crack_share * fall, fall};
    bool stated = fixture->damage[0] > 0.0;
    for (int k = 0; k < DAMAGE_CLASSES; k++) {
        limits[k] = stated ? fixture->damage[k] : derived[k];
    }
}

void truck_damage_limits(const TruckParams *truck, double limits[DAMAGE_CLASSES])
{
    const TruckDamage *own = &truck->damage;
    bool stated = own->scratch > 0.0;
    limits[0] = stated ? own->scratch : 0.5e3;
    limits[1] = stated ? own->dent : 3e3;
    limits[2] = stated ? own->wreck : 40e3;
}

int damage_class(const double limits[DAMAGE_CLASSES], double energy)
{
    int found = DAMAGE_NONE;
    while (found < DAMAGE_CLASSES && energy >= limits[found]) {
        found++;
    }
    return found;
}

TruckDriver truck_driver_limits(const TruckParams *truck)
{
    static const TruckDriver usual = {.uneven = 0.15, .refuse = 0.1, .delay = 15.0};
    return truck->driver.uneven > 0.0 ? truck->driver : usual;
}
