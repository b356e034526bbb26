/// Experiment `cycle`: how fast the empty machine works, each function alone and together.
///
/// A cylinder cannot run faster than the pumps fill it: t >= V / Q, V the displaced volume of its range, Q the flow it
/// may take. It takes longer by the spool's lag, the end cushions, and where pressure x flow is more than the engine
/// gives. The boom comes down faster than V / Q, and than it goes up: its own weight pushes oil from the bore to the
/// rod side. Swing and travel speed are published. Functions that work together share the pumps: each is slower than
/// alone.
#include <math.h>
#include <stdio.h>

#include "data/schema/machine_params.h"
#include "machine/cylinder.h"
#include "machine/drive/drive.h"
#include "tests/validation/rigs/machine/proving.h"
#include "tests/validation/rigs/machine/published.h"

#define END_ANGLE    (1.0 * PROVING_DEGREE) ///< a joint this near to its end has arrived
#define LONGEST      15.0 ///< s
#define LONGEST_TURN 12.0 ///< s: a turn on the spot of the published machines
#define SLOWEST      1.6 ///< times V / Q
#define TOGETHER     1.10 ///< a function that shares the pumps takes at least this much longer
#define SWING_TURN   (90.0 * PROVING_DEGREE)

enum { MAX_LEVERS = 3 };

typedef struct Lever {
    ControlAxis axis;
    double value;
} Lever;

/// One move of a joint from one end of its range to the other, or of the swing over a quarter turn.
typedef struct Move {
    const char *name;
    int joint;
    int end; ///< of the range: 0 lowest, 1 highest angle
    Lever lever;
    double arm[3]; ///< start pose, deg; the moved joint's is replaced by the other end of its range
} Move;

static const Move moves[] = {
    {"boom up", EXCAVATOR_JOINT_BOOM, 1, {CONTROL_BOOM, 1.0}, {0.0, -90.0, -60.0}},
    {"boom down", EXCAVATOR_JOINT_BOOM, 0, {CONTROL_BOOM, -1.0}, {0.0, -90.0, -60.0}},
    {"stick in", EXCAVATOR_JOINT_STICK, 0, {CONTROL_STICK, 1.0}, {45.0, 0.0, -60.0}},
    {"stick out", EXCAVATOR_JOINT_STICK, 1, {CONTROL_STICK, -1.0}, {45.0, 0.0, -60.0}},
    {"bucket curl", EXCAVATOR_JOINT_BUCKET, 0, {CONTROL_BUCKET, 1.0}, {45.0, -90.0, 0.0}},
    {"bucket dump", EXCAVATOR_JOINT_BUCKET, 1, {CONTROL_BUCKET, -1.0}, {45.0, -90.0, 0.0}},
    {"swing 90 degrees", EXCAVATOR_JOINT_SWING, 1, {CONTROL_SWING, 1.0}, {25.0, -85.0, -60.0}},
};
enum { BOOM_UP, BOOM_DOWN, STICK_IN, STICK_OUT, BUCKET_CURL, BUCKET_DUMP, SWING, MOVES };

static bool arrived(const MachineParams *params, const Move *move, const MachineReadout *readout)
{
    double angle = readout->angle[move->joint];
    if (move->joint == EXCAVATOR_JOINT_SWING) {
        return angle >= SWING_TURN;
    }
    return fabs(angle - params->joint[move->joint].range[move->end]) < END_ANGLE;
}

/// Seconds of a move with other levers held over as well; negative with run_fail.
static double time_move(Run *run, const MachineParams *params, const Move *move, const Lever *others, int other_count)
{
    double arm[3];
    for (int k = 0; k < 3; k++) {
        arm[k] = move->arm[k] * PROVING_DEGREE;
    }
    if (move->joint != EXCAVATOR_JOINT_SWING) {
        arm[move->joint - EXCAVATOR_JOINT_BOOM] = params->joint[move->joint].range[1 - move->end];
    }
    Proving proving;
    if (!proving_create_posed(run, params, arm, &proving)) {
        return -1.0;
    }
    proving_run(&proving, 1.0);
    proving_lever(&proving, move->lever.axis, move->lever.value);
    for (int k = 0; k < other_count; k++) {
        proving_lever(&proving, others[k].axis, others[k].value);
    }
    double time = 0.0;
    for (MachineReadout now = proving_readout(&proving); time < LONGEST && !arrived(params, move, &now);) {
        proving_step(&proving);
        time += PROVING_STEP;
        now = proving_readout(&proving);
    }
    proving_destroy(&proving);
    return time;
}

/// V / Q: how long the pumps take to fill the cylinder over its range, s.
static double filling_time(const MachineParams *params, const Move *move)
{
    const MachineCylinder *cylinder = function_cylinder(params, move->joint);
    const double *range = params->joint[move->joint].range;
    double length[2], arm;
    for (int end = 0; end < 2; end++) {
        (void)cylinder_length(&params->joint[move->joint], range[end], &length[end], &arm);
    }
    double stroke = length[move->end] - length[1 - move->end];
    double share = cylinder_flow_share(cylinder, stroke > 0.0);
    double flow = fmin(share, params->hydraulics.pump_count) * params->hydraulics.pump_flow;
    return fabs(stroke) * cylinder_area(cylinder, stroke > 0.0) / flow;
}

static bool run_alone(Run *run, const MachineParams *params, double times[MOVES])
{
    for (int k = 0; k < MOVES; k++) {
        times[k] = time_move(run, params, &moves[k], NULL, 0);
        if (times[k] < 0.0) {
            return false;
        }
        run_note(run, moves[k].name, "s", times[k]);
        if (k != BOOM_DOWN && k != SWING) {
            char text[64];
            snprintf(text, sizeof text, "%s over V / Q", moves[k].name);
            run_result_between(run, text, "", times[k] / filling_time(params, &moves[k]), 1.0, SLOWEST);
        }
        run_progress(run, (k + 1.0) / (2 * MOVES));
    }
    run_result_between(run, "boom down over boom up", "", times[BOOM_DOWN] / times[BOOM_UP], 0.2, 0.8);
    return true;
}

static bool run_together(Run *run, const MachineParams *params, const double times[MOVES])
{
    static const Lever levers[3] = {{CONTROL_BOOM, 1.0}, {CONTROL_STICK, -1.0}, {CONTROL_SWING, 1.0}};
    static const int alone[3] = {BOOM_UP, STICK_OUT, SWING};
    for (int k = 0; k < 3; k++) {
        Lever others[2] = {levers[(k + 1) % 3], levers[(k + 2) % 3]};
        double time = time_move(run, params, &moves[alone[k]], others, 2);
        if (time < 0.0) {
            return false;
        }
        char text[96];
        snprintf(text, sizeof text, "%s with boom up, stick out and swing: over alone", moves[alone[k]].name);
        run_result_least(run, text, "", time / times[alone[k]], TOGETHER);
    }
    return true;
}

static bool run_speeds(Run *run, const MachineParams *params, const PublishedExcavator *published)
{
    Proving proving;
    if (!proving_create(run, params, &proving)) {
        return false;
    }
    proving_lever(&proving, CONTROL_SWING, 1.0);
    proving_run(&proving, 6.0);
    double rpm = proving_readout(&proving).speed[EXCAVATOR_JOINT_SWING] * 60.0 / (2.0 * M_PI);
    proving_lever(&proving, CONTROL_SWING, 0.0);
    proving_run(&proving, 4.0);
    proving_lever(&proving, CONTROL_LEFT_TRACK, 1.0);
    proving_lever(&proving, CONTROL_RIGHT_TRACK, 1.0);
    proving_run(&proving, 3.0);
    Vec3 before = proving_readout(&proving).base;
    proving_run(&proving, 4.0);
    double travel = vec3_length(vec3_sub(proving_readout(&proving).base, before)) / 4.0 * 3.6;
    proving_destroy(&proving);
    published_judge(run, "swing", "rpm", rpm, published->swing, 0.03);
    published_judge(run, "travel", "km/h", travel, published->travel, 0.03);
    return true;
}

/// s for a whole turn on the spot from rest, with the tracks against each other; LONGEST when it takes longer.
static bool run_turn(Run *run, const MachineParams *params)
{
    Proving proving;
    if (!proving_create(run, params, &proving)) {
        return false;
    }
    proving_run(&proving, 2.0);
    proving_lever(&proving, CONTROL_LEFT_TRACK, -1.0);
    proving_lever(&proving, CONTROL_RIGHT_TRACK, 1.0);
    double time = 0.0, turned = 0.0, last = proving_readout(&proving).yaw;
    while (turned < 2.0 * M_PI && time < LONGEST) {
        proving_step(&proving);
        time += PROVING_STEP;
        double yaw = proving_readout(&proving).yaw;
        turned += remainder(yaw - last, 2.0 * M_PI);
        last = yaw;
    }
    proving_destroy(&proving);
    run_result_between(run, "a turn on the spot, tracks against each other", "s", time,
                       M_PI * params->tracks.gauge / params->tracks.max_speed, LONGEST_TURN);
    return true;
}

static bool run_cycle(Run *run)
{
    MachineParams params;
    double times[MOVES];
    const PublishedExcavator *published = published_load(run, &params);
    return published != NULL && run_alone(run, &params, times) && run_together(run, &params, times) &&
           run_speeds(run, &params, published) && run_turn(run, &params);
}

static const ExperimentOption options[] = {PUBLISHED_OPTION, {.key = NULL}};

const Experiment experiment_cycle = {
    .name = "cycle",
    .title = "empty times of boom, stick, bucket, swing and travel, alone and together",
    .law = "cylinder volume / pump flow; published speeds of swing and travel",
    .options = options,
    .run = run_cycle,
    .paper_only = true,
};
