/// Trucks of a session: their drivers (machine/truck.h), their bodies (machine/truck/truck_body.h), the soil in their
/// beds, and their part in the steps of the machine.
#ifndef SPADEWORK_TRAINER_SESSION_TRUCK_H
#define SPADEWORK_TRAINER_SESSION_TRUCK_H

#include "data/core/operator_controls.h"
#include "data/schema/scene_params.h"
#include "machine/solids.h"
#include "machine/truck.h"
#include "soil/soil.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/incidents.h"

typedef struct SessionTrucks SessionTrucks;

enum { SESSION_TRUCK_WHEELS = 6 };

/// The driverless truck of a scene, or the trucks of its haul: the bed of each is a tray of the soil. *trucks
/// is NULL where there is none.
bool session_trucks_create(const SceneParams *scene, Soil *soil, SessionTrucks **trucks, Status *status);
void session_trucks_destroy(SessionTrucks *trucks);

/// What trucks keep clear of.
typedef struct SessionTruckHazard {
    const SoilTool *tool; ///< the bucket
    Vec3 base; ///< m: middle of the machine
    double radius; ///< m about it: house and tracks
    bool held[SCENE_MAX_TRUCKS]; ///< drivers who are ordered to stop
} SessionTruckHazard;

/// Before the soil's tick: drivers decide, beds move. NULL is no truck.
void session_trucks_begin_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckHazard *hazard,
                               const OperatorControls *controls, int64_t tick, double dt, Exercise *exercise);

/// Writes for a substep of `h` s, `elapsed` (0..1) of the way through a tick of `dt` s, how trucks take part in it: as
/// mover k the truck k, with no mass where it sleeps. What is touched wakes up.
void session_trucks_fill_movers(SessionTrucks *trucks, double elapsed, double dt, double h, const MachineTouch *touches,
                                int touch_count, MachineMover movers[SCENE_MAX_TRUCKS]);
/// Stores where that step left them.
void session_trucks_set_motion(SessionTrucks *trucks, const MachineMover movers[SCENE_MAX_TRUCKS]);

/// The rocks in a bed.
typedef struct SessionTruckRocks {
    double mass; ///< kg
    Vec3 moment; ///< kg m: sum of mass times place in the frame of the bed's tray
} SessionTruckRocks;
/// Writes what each wheel of each truck presses on; of trucks that there are not, nothing.
void session_trucks_standing(const SessionTrucks *trucks,
                             SoilFootprint wheels[SCENE_MAX_TRUCKS * SESSION_TRUCK_WHEELS]);

/// After the soil's tick of `dt` s: wheels press the ground; what lies in the beds; trucks that stand fall asleep.
void session_trucks_end_tick(SessionTrucks *trucks, Soil *soil, const SessionTruckRocks rocks[SCENE_MAX_TRUCKS],
                             double dt);

/// What an exercise counts of them.
typedef struct SessionTruckSum {
    ExerciseBed beds[SCENE_MAX_TRUCKS]; ///< in each bed and delivered by its truck
    double delivered; ///< kg tipped
    int64_t loads; ///< times a truck tipped
    int64_t passes; ///< buckets in the loads that left the spot
    int64_t left; ///< loads that left the spot
} SessionTruckSum;
/// `measures`: true to find whether soil moves in a bed that stands to be loaded; else none counts as stirred.
SessionTruckSum session_trucks_sum(const SessionTrucks *trucks, const Soil *soil, bool measures);

const TruckState *session_trucks_state(const SessionTrucks *trucks, int index);
int session_trucks_count(const SessionTrucks *trucks); ///< 0 for NULL
bool session_trucks_driven(const SessionTrucks *trucks); ///< false for NULL and for a driverless truck
/// True when a truck stands at the spot to be loaded; always for a driverless truck.
bool session_trucks_ready(const SessionTrucks *trucks);
/// Number of the truck that an operator has to do with: at the spot, or else the next to come; -1: there is none.
int session_trucks_watched(const SessionTrucks *trucks);
/// "Truck 1: 6.2 of 12.0 t, 3 passes; axles 10.1 + 16.1 t", of the truck that is watched, which there must be.
void session_trucks_line(const SessionTrucks *trucks, TextUnits units, char *line, size_t size);

/// Pose of a truck, its wheels and springs.
typedef struct SessionTruckPose {
    Pose chassis, bed;
    double rolled; ///< m the wheels have run
    double steering; ///< rad, + left
    double travel[TRUCK_PROBE_COUNT]; ///< m by which the springs of each support are pressed together
} SessionTruckPose;
SessionTruckPose session_trucks_pose(const SessionTrucks *trucks, int index);

/// How it moves `elapsed` (0..1) of the way through a tick of `dt` s.
typedef struct SessionTruckMotion {
    Pose chassis, bed;
    Vec3 velocity; ///< m/s of the chassis' origin
    Vec3 spin; ///< rad/s
    Vec3 hinge; ///< m: a point of the bed's hinge
    Vec3 tipping; ///< rad/s: of the bed on its chassis, beside `spin`
} SessionTruckMotion;
SessionTruckMotion session_trucks_motion(const SessionTrucks *trucks, int index, double elapsed, double dt);

/// What its axles and sides bear, and how it stands.
typedef struct SessionTruckReadout {
    double front, rear; ///< kg on the front axle, on the rear axles together
    double left, right; ///< kg on each side
    double load; ///< kg in the bed
    double overload; ///< kg in the bed beyond the payload of its file, or 0
    double front_overload, rear_overload; ///< kg on an axle beyond what its file allows, or 0
    double uneven; ///< -1..1: what the left side bears more than the right, over all
    double pitch, roll; ///< rad: nose up, left side up
    bool tipped; ///< its centre of mass lies beyond its wheels
    bool asleep; ///< it stands, and nothing moves it
} SessionTruckReadout;
SessionTruckReadout session_trucks_readout(const SessionTrucks *trucks, int index);

/// Writes the inputs of incidents. Returns how many there are.
int session_trucks_sight(const SessionTrucks *trucks, IncidentTruck sight[SCENE_MAX_TRUCKS]);

void session_trucks_visit(SessionTrucks *trucks, StateVisitor *visitor);
bool session_trucks_are_finite(const SessionTrucks *trucks);

#endif
