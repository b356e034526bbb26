/// Damage that blows of the machine do to trucks and fixtures: by the energy of a blow a scratch, a dent or crack, a
/// wreck or a fall (damage_limits.h). Each is an event; a scratch counts once, and what is wrecked takes no more.
#ifndef SPADEWORK_TRAINER_DAMAGE_H
#define SPADEWORK_TRAINER_DAMAGE_H

#include "data/core/state_visitor.h"
#include "data/schema/scene_params.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/solid_blow.h"

/// The fields of a thing's damage, F(type, name, low, high, unit): hashed, saved, restored.
#define DAMAGE_FIELDS(F)                                                                                               \
    F(int32_t, worst, 0.0, DAMAGE_WRECKED, "") /* class of damage */                                                   \
    F(int32_t, blows, 0.0, MOST, "") /* that dented it */                                                              \
    F(double, energy, 0.0, 1e12, "J") /* of all blows that left a mark */                                              \
    F(double, heading, -10.0, 10.0, "rad") /* that it was pushed over to */

typedef struct ThingDamage {
#define F(type, name, low, high, unit) type name;
    DAMAGE_FIELDS(F)
#undef F
} ThingDamage;

/// State; zero at the start.
typedef struct SiteDamage {
    ThingDamage truck[SCENE_MAX_TRUCKS], fixture[SCENE_MAX_FIXTURES];
} SiteDamage;

/// End of a tick: reports to the exercise what its blows have damaged. A truck is wrecked, and a fixture falls, by the
/// sum of its blows, too. Fixtures with a utility are left to utilities.h.
void site_damage_tick(SiteDamage *damage, const SceneParams *scene, const SolidBlow *blows, int count, int64_t tick,
                      Exercise *exercise);
/// Visits the state of what the scene has.
void site_damage_visit(SiteDamage *damage, const SceneParams *scene, StateVisitor *visitor);

#endif
