/// Sorts blows into classes of damage, and keeps what each thing has taken.
#include "trainer/sim/damage.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/schema/schema.h"
#include "data/schema/scene_site.h"
#include "trainer/sim/truck_driver.h"

/// Adds a blow; returns the class of what is to be reported, or DAMAGE_NONE.
static int take_blow(ThingDamage *thing, const double limits[DAMAGE_CLASSES], double energy)
{
    int found = damage_class(limits, energy);
    if (found == DAMAGE_NONE || thing->worst == DAMAGE_WRECKED) {
        return DAMAGE_NONE;
    }
    thing->energy += energy;
    if (found >= DAMAGE_DENTED && damage_class(limits, thing->energy) == DAMAGE_WRECKED) {
        found = DAMAGE_WRECKED;
    }
    bool again = found == DAMAGE_SCRATCHED && thing->worst >= DAMAGE_SCRATCHED;
    thing->worst = found > thing->worst ? found : thing->worst;
    thing->blows += found >= DAMAGE_DENTED;
    return again ? DAMAGE_NONE : found;
}

/// Where a fixture falls to, away from the blow, rad. A long box is met far from its middle: only the side counts.
static double fall_heading(const SceneFixture *fixture, Vec3 at)
{
    double dx = fixture->x - at.x, dy = fixture->y - at.y;
    if (fixture->shape != SCENE_FIXTURE_BOX) {
        return same_atan2(dy, dx);
    }
    double across = fixture->heading + (fixture->length < fixture->width ? 0.0 : 0.5 * M_PI);
    double c = same_cos(across), s = same_sin(across), side = dx * c + dy * s;
    return same_atan2(side < 0.0 ? -s : s, side < 0.0 ? -c : c);
}

void site_damage_tick(SiteDamage *damage, const SceneParams *scene, const SolidBlow *blows, int count, int64_t tick,
                      Exercise *exercise)
{
    for (int k = 0; k < count; k++) {
        const SolidBlow *blow = &blows[k];
        double limits[DAMAGE_CLASSES];
        int found = DAMAGE_NONE;
        ExerciseEvent event = {
            .tick = tick,
            .part = blow->part,
            .thing = blow->thing,
            .number = {
                .x = blow->at.x, .y = blow->at.y, .z = blow->at.z, .speed = blow->speed, .energy = blow->energy}};
        if (blow->truck >= 0) {
            TruckParams truck = scene_truck_shape(scene);
            truck_damage_limits(&truck, limits);
            found = take_blow(&damage->truck[blow->truck], limits, blow->energy);
        } else if (blow->fixture >= 0 && scene->fixtures[blow->fixture].utility.medium == SCENE_MEDIUM_NONE) {
            fixture_damage_limits(&scene->fixtures[blow->fixture], limits);
            const SceneFixture *fixture = &scene->fixtures[blow->fixture];
            ThingDamage *thing = &damage->fixture[blow->fixture];
            found = take_blow(thing, limits, blow->energy);
            thing->heading = found == DAMAGE_WRECKED ? fall_heading(fixture, blow->at) : thing->heading;
        }
        if (found != DAMAGE_NONE) {
            event.form = found - 1;
            exercise_report(exercise, blow->truck >= 0 ? INCIDENT_TRUCK_DAMAGED : INCIDENT_FIXTURE_DAMAGED, &event);
            if (blow->truck >= 0) {
                truck_driver_complains(blow->truck, found, tick, exercise);
            }
        }
    }
}

static void visit_thing(ThingDamage *thing, StateVisitor *visitor)
{
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "damage." #name, thing->name);
    DAMAGE_FIELDS(F)
#undef F
    bool good = thing->worst >= DAMAGE_NONE && thing->worst <= DAMAGE_WRECKED && thing->blows >= 0 &&
                isfinite(thing->energy) && thing->energy >= 0.0 && isfinite(thing->heading);
    if (visitor->restoring && !good) {
        *thing = (ThingDamage){0};
        visitor->failed = true;
    }
}

void site_damage_visit(SiteDamage *damage, const SceneParams *scene, StateVisitor *visitor)
{
    bool trucks = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    for (int k = 0; trucks && k < SCENE_MAX_TRUCKS; k++) {
        visit_thing(&damage->truck[k], visitor);
    }
    for (int k = 0; k < scene->fixtures_count; k++) {
        visit_thing(&damage->fixture[k], visitor);
    }
}
