/// Experiment `hold`: the boom under a full bucket with neutral levers.
///
/// The wanted drift is below 1 mm/s at the lip. The load is a heaped bucket of the heaviest loose soil the machine is
/// rated for (1.8 t/m3), hung in the bucket's middle. What the boom's cylinders then carry is what the moments about
/// the boom's foot say; with a load beyond what their relief valves hold, the boom has to come down.
#include <math.h>
#include <stdio.h>

#include "data/schema/machine_params.h"
#include "machine/cylinder.h"
#include "machine/drive/drive.h"
#include "tests/validation/rigs/machine/proving.h"

#define DENSITY    1800.0 ///< kg/m3
#define BEYOND     1.15 ///< times the load that the relief valves hold
#define FIRST_TIME 3.0 ///< s: the machine settles under the load
#define CHAIN      5e5 ///< N: what holds the undercarriage down; twice what the farthest load needs

typedef struct Hold {
    const char *name;
    double arm[3]; ///< deg
} Hold;

static const Hold holds[] = {
    {"near", {45.0, -110.0, -100.0}},
    {"as it swings", {30.0, -90.0, -100.0}},
    {"far out", {20.0, -40.0, -100.0}},
};
enum { HOLDS = sizeof holds / sizeof holds[0] };

static void hang(Proving *proving, double mass)
{
    const double *center = proving->params.body[EXCAVATOR_BUCKET].center;
    Vec3 point = proving_point(proving, EXCAVATOR_BUCKET, vec3(center[0], 0.0, center[2]));
    proving_pull(proving, EXCAVATOR_BUCKET, point, vec3(0.0, 0.0, -mass * STANDARD_GRAVITY));
}

static void run_loaded(Proving *proving, double mass, double seconds)
{
    for (int k = 0; k < (int)(seconds / PROVING_STEP + 0.5); k++) {
        hang(proving, mass);
        proving_step(proving);
    }
}

/// The undercarriage is chained to the ground, so that the relief decides and not the tipping line.
static void run_chained(Proving *proving, double mass, double seconds)
{
    const double *center = proving->params.body[EXCAVATOR_UNDERCARRIAGE].center;
    for (int k = 0; k < (int)(seconds / PROVING_STEP + 0.5); k++) {
        Vec3 point = proving_point(proving, EXCAVATOR_UNDERCARRIAGE, vec3(center[0], 0.0, center[2]));
        proving_pull(proving, EXCAVATOR_UNDERCARRIAGE, point, vec3(0.0, 0.0, -CHAIN));
        hang(proving, mass);
        proving_step(proving);
    }
}

static Vec3 boom_foot(const Proving *proving)
{
    const MachineParams *params = &proving->params;
    return proving_point(proving, EXCAVATOR_HOUSE,
                         vec3(excavator_boom_foot(params).x, 0.0, excavator_boom_foot(params).z));
}

/// Moment about the boom's foot of all that it carries, and of one kilogram in the bucket. N m.
static double weight_moment(const Proving *proving, double *per_kg)
{
    double foot = boom_foot(proving).x, sum = 0.0;
    for (int i = EXCAVATOR_BOOM; i <= EXCAVATOR_BUCKET; i++) {
        sum += proving->params.body[i].mass * STANDARD_GRAVITY * (proving->state.body[i].position[0] - foot);
    }
    *per_kg = STANDARD_GRAVITY * (proving->state.body[EXCAVATOR_BUCKET].position[0] - foot);
    return sum;
}

static bool run_one(Run *run, const MachineParams *params, const Hold *hold)
{
    double arm[3] = {hold->arm[0] * PROVING_DEGREE, hold->arm[1] * PROVING_DEGREE, hold->arm[2] * PROVING_DEGREE};
    double mass = DENSITY * params->tool[0].capacity, time = option_number(run, "time");
    Proving proving;
    if (!proving_create_posed(run, params, arm, &proving)) {
        return false;
    }
    run_loaded(&proving, mass, FIRST_TIME);
    Vec3 before = proving_readout(&proving).tip;
    run_loaded(&proving, mass, time);
    MachineReadout after = proving_readout(&proving);
    double per_kg, length, lever, moment = weight_moment(&proving, &per_kg);
    double angle = after.angle[EXCAVATOR_JOINT_BOOM],
           area = cylinder_area(&params->joint[EXCAVATOR_JOINT_BOOM].cylinder, true);
    (void)cylinder_length(&params->joint[EXCAVATOR_JOINT_BOOM], angle, &length, &lever);
    double pressure = (moment + mass * per_kg) / lever / area;
    double held = (params->joint[EXCAVATOR_JOINT_BOOM].cylinder.relief * area * lever - moment) / per_kg;
    run_chained(&proving, BEYOND * held, 2.0);
    double fallen = angle - proving_readout(&proving).angle[EXCAVATOR_JOINT_BOOM];
    proving_destroy(&proving);
    char text[96];
    snprintf(text, sizeof text, "%s: drift of the lip", hold->name);
    run_result_between(run, text, "mm/s", 1e3 * vec3_length(vec3_sub(after.tip, before)) / time, 0.0, 1.0);
    snprintf(text, sizeof text, "%s: boom pressure by moments", hold->name);
    run_result(run, text, "MPa", 1e-6 * after.pressure[EXCAVATOR_JOINT_BOOM], 1e-6 * pressure, 0.02e-6 * pressure);
    snprintf(text, sizeof text, "%s: load that the relief holds", hold->name);
    run_note(run, text, "kg", held);
    snprintf(text, sizeof text, "%s: boom falls under 1.15 times that", hold->name);
    run_result_least(run, text, "deg", fallen / PROVING_DEGREE, 1.0);
    return true;
}

static bool run_hold(Run *run)
{
    option_quick(run, "time", 10.0);
    MachineParams params;
    bool good = proving_load(run, &params);
    for (int k = 0; k < HOLDS && good; k++) {
        good = run_one(run, &params, &holds[k]);
        run_progress(run, (k + 1.0) / HOLDS);
    }
    return good;
}

static const ExperimentOption options[] = {
    {"time", 60.0, 1.0, 600.0, "s", "for which the levers stay neutral", NULL},
    {.key = NULL},
};

const Experiment experiment_hold = {
    .name = "hold",
    .title = "a boom with neutral levers holds a full bucket",
    .law = "drift below 1 mm/s; moments about the boom's foot",
    .options = options,
    .run = run_hold,
    .paper_only = true,
};
