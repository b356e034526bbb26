/// The trucks of a session: between their drivers (machine/truck.h), the soil in their beds, the machine and the
/// exercise.
#ifndef SPADEWORK_TRAINER_SESSION_TRUCK_H
#define SPADEWORK_TRAINER_SESSION_TRUCK_H

#include "data/core/operator_controls.h"
#include "data/scene_params.h"
#include "machine/truck.h"
#include "soil/soil.h"
#include "trainer/exercise/exercise.h"

typedef struct SessionTrucks SessionTrucks;

/// The truck bed of a scene that stands still, or the trucks of its haul: each is a tray of the soil. *trucks is NULL
/// where nobody drives.
bool session_trucks_create(const SceneParams *scene, Soil *soil, SessionTrucks **trucks, Status *status);
void session_trucks_destroy(SessionTrucks *trucks);

/// What trucks keep clear of.
typedef struct SessionTruckHazard {
    const SoilTool *tool; ///< the bucket
    Vec3 base; ///< m: middle of the machine
    double radius; ///< m about it: house and tracks
} SessionTruckHazard;

/// Before the soil's tick: drivers decide, beds move. NULL is no truck.
void session_trucks_begin_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckHazard *hazard,
                               const OperatorControls *controls, int64_t tick, double dt, Exercise *exercise);
/// After it: wheels press the ground; what lies in the beds. `rocks`: kg of rocks in each bed.
void session_trucks_end_tick(SessionTrucks *trucks, Soil *soil, const double rocks[SCENE_MAX_TRUCKS], double dt);

/// What an exercise counts of them.
typedef struct SessionTruckSum {
    ExerciseBed beds[SCENE_MAX_TRUCKS]; ///< in each bed and delivered by its truck
    double delivered; ///< kg tipped
    int64_t loads; ///< times a truck tipped
    int64_t passes; ///< buckets in the loads that left the spot
    int64_t left; ///< loads that left the spot
} SessionTruckSum;
/// `looks`: true where it is looked whether soil moves in a bed that stands to be loaded; else none is told to.
SessionTruckSum session_trucks_sum(const SessionTrucks *trucks, const Soil *soil, bool looks);

const TruckState *session_trucks_state(const SessionTrucks *trucks, int index);
int session_trucks_count(const SessionTrucks *trucks); ///< 0 for NULL
/// True when a truck stands at the spot to be loaded; always for NULL (the bed that stands still).
bool session_trucks_ready(const SessionTrucks *trucks);
/// "Truck 1: loading 6.2 of 12.0 t, 3 passes".
void session_trucks_line(const SessionTrucks *trucks, char *line, size_t size);

/// How a truck looks now.
typedef struct SessionTruckLook {
    Pose chassis, bed;
    double rolled; ///< m the wheels have run
    double steering; ///< rad, + left
} SessionTruckLook;
SessionTruckLook session_trucks_look(const SessionTrucks *trucks, int index);

void session_trucks_visit(SessionTrucks *trucks, StateVisitor *visitor);
bool session_trucks_are_finite(const SessionTrucks *trucks);

#endif
