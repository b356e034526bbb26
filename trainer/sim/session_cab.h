/// The switches of the cab: key, safety lever, travel range, power mode, auto-idle, lights, wiper, horn; and the
/// hydraulic oil, which is cold before it has worked. A scene without `start_up`, or with `switches: no`, has none: the
/// engine runs, the safety lever is down, the range is high, the power full and the oil warm.
///
///     levers of the operator --session_cab_tick--> levers that the machine gets, faults of the machine
///
/// The key goes from off to on and, held for CAB_KEY_HELD, to start; a press while the engine runs turns it off. The
/// starter turns only with the safety lever up, as Komatsu's PC200-8 manual asks for ("Starting engine") and machines
/// enforce. With the lever up, or without the engine, no lever moves anything.
///
/// Oil: C dT/dt = loss - k (T - air). Its losses are what the pumps take to no use: all of their power at relief, a
/// share of it in motion, and a little that grows with the engine's speed. Colder than the machine's `oil_warm_c` it
/// holds back flow. docs/machine-model.md, "Start-up and cold oil", has sources and figures.
#ifndef SPADEWORK_TRAINER_SESSION_CAB_H
#define SPADEWORK_TRAINER_SESSION_CAB_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/operator_controls.h"
#include "data/core/state_visitor.h"
#include "data/core/status.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_params.h"
#include "machine/machine.h"
#include "trainer/sim/exercise.h"

#define CAB_KEY_HELD 0.4 ///< s that the key is held before it reaches start; chosen: longer than a press

#define CAB_WARM_OIL 50.0 ///< degC: oil at work, that of a scene without switches; chosen

typedef enum CabKey { CAB_KEY_OFF, CAB_KEY_ON, CAB_KEY_START } CabKey;
typedef enum CabEngine { CAB_ENGINE_OFF, CAB_ENGINE_CRANKS, CAB_ENGINE_RUNS } CabEngine;

/// State, each field once; bounds and units are those of state_io.c.
#define CAB_FIELDS(F)                                                                                                  \
    F(int32_t, key, 0.0, 2.0, "") /* CabKey */                                                                         \
    F(int32_t, engine, 0.0, 2.0, "") /* CabEngine */                                                                   \
    F(int32_t, lever_down, 0.0, 1.0, "") /* 1: the safety lever lets the levers work */                                \
    F(int32_t, high_range, 0.0, 1.0, "")                                                                               \
    F(int32_t, eco, 0.0, 1.0, "") /* 1: economy mode */                                                                \
    F(int32_t, auto_idle, 0.0, 1.0, "") /* 1: it is switched on */                                                     \
    F(int32_t, idles, 0.0, 1.0, "") /* 1: auto-idle has lowered the speed */                                           \
    F(int32_t, lights, 0.0, 1.0, "")                                                                                   \
    F(int32_t, wiper, 0.0, 1.0, "")                                                                                    \
    F(int32_t, pressed, 0.0, 65535.0, "") /* bits of the switches that were pressed in the last tick */                \
    F(int32_t, stopped_by_order, 0.0, 1.0, "") /* 1: an instructor's order stopped the engine, and still stands */     \
    F(int32_t, warned, 0.0, 1.0, "") /* 1: the horn has sounded since the engine was started */                        \
    F(int32_t, moved, 0.0, 1.0, "") /* 1: a lever has moved something since then */                                    \
    F(int32_t, unwarned, 0.0, 1.0, "") /* 1: once the first movement came without the horn */                          \
    F(int32_t, worked, 0.0, 1.0, "") /* 1: the engine has run with the safety lever down */                            \
    F(int32_t, parked, 0.0, 1.0, "") /* 1: after that it was parked */                                                 \
    F(double, held, -1.0, LONGEST, "s") /* that the key is held; -1: no more */                                        \
    F(double, cranked, 0.0, LONGEST, "s") /* that the starter has turned */                                            \
    F(double, rest, 0.0, LONGEST, "s") /* that all levers have been neutral */                                         \
    F(double, oil, -100.0, 200.0, "degC")                                                                              \
    F(double, coldest, -100.0, 200.0, "degC") /* at the start */                                                       \
    F(double, cold_relief, 0.0, LONGEST, "s") /* at relief pressure with cold oil at high engine speed */

typedef struct SessionCab SessionCab;

/// What the cab reads of the machine in a tick.
typedef struct CabSight {
    int64_t tick;
    double dt; ///< s
    const MachineReadout *readout; ///< after the tick before
    bool ordered_stop; ///< an instructor has the engine stopped
    bool tool_down; ///< the tool rests on the ground, or is so near to it that nothing can fall
} CabSight;

/// How the switches stand. Without switches: ready to work.
typedef struct CabReadout {
    bool has; ///< the scene has switches
    CabKey key;
    CabEngine engine;
    bool lever_down, high_range, eco, auto_idle, idles, lights, wiper;
    bool horn_due; ///< the engine runs, nothing has moved and the horn has not sounded
    bool seated; ///< false: nobody sits in the cab (session_foot.h)
    double oil; ///< degC
    double oil_warm; ///< degC: colder oil is sluggish
} CabReadout;

/// `cab` receives NULL where the scene has no switches. False (STATUS_LACKING) when memory is short.
bool session_cab_create(const SceneParams *scene, const MachineParams *machine, SessionCab **cab, Status *status);
void session_cab_destroy(SessionCab *cab); ///< NULL is nothing

/// Takes in the switches and turns the operator's levers into those that the machine gets. Events go to the exercise.
/// NULL: the levers stay.
/// seated   the operator sits in the cab; else switches and levers stay where they are
/// Returns true when the key has started an engine that an order had stopped: the order is over.
bool session_cab_tick(SessionCab *cab, const CabSight *sight, bool seated, OperatorControls *controls,
                      Exercise *exercise);
/// Adds what switches and cold oil do to the faults of the tick. NULL: nothing.
void session_cab_add_faults(const SessionCab *cab, MachineFaults *faults);
CabReadout session_cab_readout(const SessionCab *cab);
/// Figures of the start-up; NULL: all is done.
ExerciseStartUp session_cab_sample(const SessionCab *cab);
/// Visits the state; NULL: there is none.
void session_cab_visit(SessionCab *cab, StateVisitor *visitor);
bool session_cab_is_finite(const SessionCab *cab);

#endif
