/// The persons of a scene who walk, give signals, hook loads or lie hurt: their state and how they move on foot. What
/// they are in the way of is in persons.h.
#ifndef SPADEWORK_TRAINER_PEOPLE_H
#define SPADEWORK_TRAINER_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "trainer/sim/walk_round.h"

/// Arm signals by the names and gestures of EU directive 92/58/EEC, Annex IX, as EN ISO 16715 has them, too: name in C,
/// name in files. Left and right are the banksman's own; forward is towards the banksman. Two of them do not belong to
/// the code: none, and the hands of one who hooks a load.
#define ARM_SIGNALS(X)                                                                                                 \
    X(NONE, none)                                                                                                      \
    X(START, start) /* attention: both arms level to the sides */                                                      \
    X(STOP, stop) /* the right arm up */                                                                               \
    X(END, end) /* both hands clasped at the chest */                                                                  \
    X(RAISE, raise) /* the right arm up, circling */                                                                   \
    X(LOWER, lower) /* the right arm down, circling */                                                                 \
    X(FORWARD, forward) /* both forearms move towards the body */                                                      \
    X(BACKWARD, backward) /* both forearms move away from the body */                                                  \
    X(LEFT, left) /* the left arm level, moving to the left */                                                         \
    X(RIGHT, right) /* the right arm level, moving to the right */                                                     \
    X(DISTANCE, distance) /* the hands show how far it still is */                                                     \
    X(DANGER, danger) /* both arms up: emergency stop */                                                               \
    X(WORK, work) /* both hands at the hook */

typedef enum ArmSignal {
#define X(id, name) ARM_##id,
    ARM_SIGNALS(X)
#undef X
        ARM_SIGNAL_COUNT
} ArmSignal;

#define PERSON_PACE 1.4 ///< m/s. Bohannon 1997, Age and Ageing 26: comfortable walking of adults, 1.3 to 1.5 m/s

/// What a slinger does.
typedef enum SlingerTask {
    SLINGER_WAITS,
    SLINGER_COMES, ///< to the load
    SLINGER_WORKS, ///< hooks or unhooks
    SLINGER_LEAVES, ///< back to the place where the slinger stands
    SLINGER_TASK_COUNT
} SlingerTask;

/// Every field of a person's state, F(type, name, low, high, unit): hashed, saved, restored.
#define PERSON_FIELDS(F)                                                                                               \
    F(double, x, -1e4, 1e4, "m") /* world */                                                                           \
    F(double, y, -1e4, 1e4, "m")                                                                                       \
    F(double, z, -1e4, 1e4, "m") /* of the ground that is stood on */                                                  \
    F(double, facing, -1e4, 1e4, "rad") /* where the person looks, from x towards y */                                 \
    F(double, stride, 0.0, LONGEST, "m") /* walked so far: the phase of the legs */                                    \
    F(double, speed, 0.0, FASTEST, "m/s") /* of the last tick */                                                       \
    F(double, waited, 0.0, LONGEST, "s") /* at the present point of the way, or at rest for the slinger */             \
    F(double, wary, 0.0, LONGEST, "s") /* for which the person still keeps away from what came near */                 \
    F(double, signal_time, 0.0, LONGEST, "s") /* since the signal began */                                             \
    F(int32_t, leg, 0.0, SCENE_MAX_WAY_POINTS, "") /* point of the way that comes next; points_count: the start */     \
    F(int32_t, begun, 0.0, 1.0, "") /* 1: the way has begun */                                                         \
    F(int32_t, lies, 0.0, 1.0, "") /* 1: hurt */                                                                       \
    F(int32_t, task, 0.0, SLINGER_TASK_COUNT - 1.0, "") /* SlingerTask */                                              \
    F(int32_t, attends, 0.0, 1.0, "") /* 1: a slinger so near to load or eye that neither may move */                  \
    F(int32_t, signal, 0.0, ARM_SIGNAL_COUNT - 1.0, "") /* ArmSignal */                                                \
    F(int32_t, to_truck, 0.0, 1.0, "") /* 1: the signal is for a truck's driver */

typedef struct PersonState {
#define F(type, name, low, high, unit) type name;
    PERSON_FIELDS(F)
#undef F
} PersonState;

/// What a person walks among, in one tick.
typedef struct PersonSight {
    const ScenePerson *person;
    const WalkRound *round; ///< obstacles
    double low[2], high[2]; ///< m: the part of the site where persons walk
    double time, dt; ///< s
    double figure; ///< the metric that the way waits for
    bool near; ///< machine or load have come nearer than the person keeps clear
    Vec3 from; ///< m: where they are
    Vec3 watched; ///< m: what the person looks at while standing
} PersonSight;

/// A person at the start.
void person_start(Vec3 feet, double facing, PersonState *state);
/// Walks at most a tick's way to (x, y); true when the person is there. Keeps off the site's edge and out of obstacles.
bool person_walk_to(PersonState *state, const PersonSight *sight, double x, double y, double speed);
/// Turns to a place over some ticks.
void person_turn_to(PersonState *state, Vec3 place, double dt);
/// A tick without a task: steps back from what has come near, else walks the way of the scene, or back to the place
/// where the person stands.
void person_tick(PersonState *state, const PersonSight *sight);
/// True while the way has begun and the person is not back, or at its end.
bool person_is_under_way(const PersonState *state, const ScenePerson *person);
/// Sets the signal; its time begins anew with another one.
void person_signal(PersonState *state, ArmSignal signal, bool to_truck, double dt);

/// Visits the state; numbers that no person has fail a restoring visitor.
void person_visit(PersonState *state, StateVisitor *visitor);

#endif
