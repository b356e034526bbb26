/// Buried pipes and cables in use: what follows when the machine breaks one. Water leaks and floods the ground, to the
/// end of the attempt after the pipe's `leak_time`; gas and a cable end it at once and stop the machine.
///
/// Water leaves a hole of diameter d at Q = Cd (pi d^2 / 4) sqrt(2 p / rho) (Torricelli; Cd = 0.62 of a sharp edge,
/// Idelchik, Handbook of hydraulic resistance), where p is the pipe's pressure over that of the water above the hole.
/// The first main that breaks leaks; the pressure in it stays. The ground's strength does not change with the water.
#ifndef SPADEWORK_TRAINER_UTILITIES_H
#define SPADEWORK_TRAINER_UTILITIES_H

#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/scene_params.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/flood.h"
#include "trainer/sim/solid_blow.h"

/// Every field of the state, F(type, name, low, high, unit): hashed, saved, restored.
#define UTILITY_FIELDS(F)                                                                                              \
    F(int32_t, leaking, 0.0, SCENE_MAX_FIXTURES, "") /* 1 + the number of the main that leaks; 0: none */              \
    F(int32_t, flooded, 0.0, 1.0, "") /* 1: it has leaked for its time, and is shut */                                 \
    F(int32_t, halted, 0.0, 1.0, "") /* 1: a gas pipe or a cable is broken */                                          \
    F(double, x, -1e4, 1e4, "m") /* where it leaks */                                                                  \
    F(double, y, -1e4, 1e4, "m")                                                                                       \
    F(double, z, -1e4, 1e4, "m")                                                                                       \
    F(double, time, 0.0, LONGEST, "s") /* that it has leaked */                                                        \
    F(double, volume, 0.0, LARGEST, "m3") /* that has run out */                                                       \
    F(double, level, -1e4, 1e4, "m") /* of the water over the hole when it was last found; below z: none */

typedef struct SessionUtilities SessionUtilities;

/// `utilities` is NULL, without an error, where the scene has none; so may it be in all that follows. False
/// (STATUS_LACKING) when memory is short. The scene outlives them.
bool session_utilities_create(const SceneParams *scene, const Soil *soil, SessionUtilities **utilities, Status *status);
void session_utilities_destroy(SessionUtilities *utilities);

/// End of a tick of `dt` s: breaks what the tick's blows break, and lets water run.
void session_utilities_end_tick(SessionUtilities *utilities, const SolidBlow *blows, int count, const Soil *soil,
                                int64_t tick, double dt, Exercise *exercise);
/// True when the machine must stand with its engine off.
bool session_utilities_halt(const SessionUtilities *utilities);
/// s for which the main still leaks; 0: nothing leaks.
double session_utilities_left(const SessionUtilities *utilities);
/// The water on the ground as it is now; all 0 where none has run out. For drawing; takes no memory.
FloodPool session_utilities_water(const SessionUtilities *utilities, const Soil *soil);

/// m3/s through a hole of diameter `hole` m, `pressure` Pa over that outside; 0 where that is 0 or less.
double utilities_leak(double hole, double pressure);

void session_utilities_visit(SessionUtilities *utilities, StateVisitor *visitor);

#endif
