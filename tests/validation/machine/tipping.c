/// Experiment `tipping`: the machine lifts off its tracks where the moments of its masses say.
///
/// Side: the arm far out over the side, a load on the bucket's pin grows slowly until one track carries nothing. About
/// the middle line of the other track, at half the gauge g:  P (y_P - g/2) = sum m_i g (g/2 - y_i). Front: the bucket
/// pushes down on a hard stop; the front of the tracks lifts when all weight lies on the rearmost rollers, l/2 behind
/// the swing axis:  F (x_F + l/2) = sum m_i g (x_i + l/2). On a hard pad, as such tests are made. On soil the tracks
/// sink in at the edge, and the edge moves inwards: set `stiffness`.
#include <math.h>

#include "data/schema/machine_params.h"
#include "tests/validation/rigs/machine/proving.h"

#define LOAD_RATE         2000.0 ///< N/s
#define LOAD_START        5000.0 ///< N
#define LIFTED            0.002 ///< share of the weight a lifted track or roller may still carry
#define STOP              2e6 ///< N/m, of the hard stop under the bucket
#define STOP_DAMPING_TIME 0.02 ///< s whose sinking counts like depth
#define GENTLY            -0.15 ///< boom lever
#define LIFT_FROM         0.05 ///< m: height of the front rollers between which the force is averaged
#define LIFT_TO           0.25 ///< m
#define LONGEST           60.0 ///< s

/// Moment of all masses about a vertical plane through `edge`, positive where it holds the machine down: along `away`
/// from the edge towards the machine. N m.
static double holding_moment(const Proving *proving, Vec3 edge, Vec3 away)
{
    Vec3 center = proving_center(proving);
    return proving_mass(&proving->params) * STANDARD_GRAVITY * vec3_dot(vec3_sub(center, edge), away);
}

static bool tip_sideways(Run *run, const MachineParams *params)
{
    MachineParams posed = *params;
    double arm[3] = {option_number(run, "boom") * PROVING_DEGREE, option_number(run, "stick") * PROVING_DEGREE,
                     -80.0 * PROVING_DEGREE};
    posed.start_pose[0] = 90.0 * PROVING_DEGREE; // to the right
    Proving proving;
    if (!proving_create_posed(run, &posed, arm, &proving)) {
        return false;
    }
    proving_run(&proving, 2.0);
    Vec3 edge = proving_point(&proving, MACHINE_BASE, vec3(0.0, -0.5 * params->tracks.gauge, 0.0));
    Vec3 pin = proving_point(&proving, EXCAVATOR_BUCKET, vec3(0.0, 0.0, 0.0)), away = vec3(0.0, 1.0, 0.0);
    double expected = holding_moment(&proving, edge, away) / vec3_dot(vec3_sub(edge, pin), away);
    double load = LOAD_START, weight = proving_mass(params) * STANDARD_GRAVITY;
    bool tip = false, fell = false;
    for (double time = 0.0; time < LONGEST; time += PROVING_STEP) {
        MachineReadout readout = proving_readout(&proving);
        tip = tip || readout.limit == MACHINE_LIMIT_TIP;
        if (readout.track_load[0] < LIFTED * weight) {
            fell = true;
            break;
        }
        load += LOAD_RATE * PROVING_STEP;
        pin = proving_point(&proving, EXCAVATOR_BUCKET, vec3(0.0, 0.0, 0.0));
        proving_pull(&proving, EXCAVATOR_BUCKET, pin, vec3(0.0, 0.0, -load));
        proving_step(&proving);
    }
    proving_destroy(&proving);
    run_note(run, "side: pin from the swing axis", "m", fabs(pin.y));
    run_result(run, "side: load that tips", "kN", fell ? 1e-3 * load : HUGE_VAL, 1e-3 * expected, 0.05e-3 * expected);
    run_result(run, "side: the gauge says tip", "", tip ? 1.0 : 0.0, 1.0, 0.0);
    return true;
}

/// Load on the front quarter of both tracks, N.
static double front_load(const Proving *proving)
{
    int n = proving->params.tracks.patches;
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        for (int k = 3 * n / 4; k < n; k++) {
            sum += proving->state.patch_load[side * n + k];
        }
    }
    return sum;
}

/// The hard stop pushes the edge up where it is below the ground: a damped spring.
static double push_on_stop(Proving *proving, double *last)
{
    Vec3 point = proving_point(proving, EXCAVATOR_BUCKET, vec3(excavator_tip_radius(&proving->params), 0.0, 0.0));
    double sinking = (*last - point.z) / PROVING_STEP;
    *last = point.z;
    double force = point.z < 0.0 ? fmax(0.0, STOP * (STOP_DAMPING_TIME * sinking - point.z)) : 0.0;
    proving_pull(proving, EXCAVATOR_BUCKET, point, vec3(0.0, 0.0, force));
    return force;
}

/// Force at the edge that balances the machine on its rearmost rollers, N.
static double lifting_force(const Proving *proving)
{
    double half = 0.5 * proving->params.tracks.contact_length;
    Vec3 rear = proving_point(proving, MACHINE_BASE, vec3(-half, 0.0, 0.0)), away = vec3(1.0, 0.0, 0.0);
    Vec3 edge = proving_point(proving, EXCAVATOR_BUCKET, vec3(excavator_tip_radius(&proving->params), 0.0, 0.0));
    return holding_moment(proving, rear, away) / vec3_dot(vec3_sub(edge, rear), away);
}

static bool lift_the_front(Run *run, const MachineParams *params)
{
    double arm[3] = {24.0 * PROVING_DEGREE, -75.0 * PROVING_DEGREE, -30.0 * PROVING_DEGREE};
    Proving proving;
    if (!proving_create_posed(run, params, arm, &proving)) {
        return false;
    }
    proving_run(&proving, 1.0);
    double weight = proving_mass(params) * STANDARD_GRAVITY, last = proving_readout(&proving).tip.z, left = 0.0;
    double measured = 0.0, expected = 0.0, front = 0.0;
    int samples = 0;
    proving_lever(&proving, CONTROL_BOOM, GENTLY);
    for (double time = 0.0; time < LONGEST && front < LIFT_TO; time += PROVING_STEP) {
        double force = push_on_stop(&proving, &last);
        Vec3 roller = vec3(0.5 * params->tracks.contact_length, 0.0, 0.0);
        front = proving_point(&proving, MACHINE_BASE, roller).z;
        if (front > LIFT_FROM) {
            samples++;
            measured += force;
            expected += lifting_force(&proving);
            left = fmax(left, front_load(&proving));
        }
        proving_step(&proving);
    }
    proving_destroy(&proving);
    run_result_between(run, "front: height of the front rollers", "m", front, LIFT_TO, 1.1 * LIFT_TO);
    samples = samples > 0 ? samples : 1;
    run_result_between(run, "front: load left on them", "", left / weight, 0.0, LIFTED);
    run_result(run, "front: force that lifts", "kN", 1e-3 * measured / samples, 1e-3 * expected / samples,
               0.05e-3 * expected / samples);
    return true;
}

static bool run_tipping(Run *run)
{
    MachineParams params;
    if (!proving_load(run, &params)) {
        return false;
    }
    params.tracks.stiffness = 1e6 * option_number(run, "stiffness");
    return tip_sideways(run, &params) && lift_the_front(run, &params);
}

static const ExperimentOption options[] = {
    {"stiffness", 40.0, 1.0, 50.0, "MPa/m", "of the ground below the tracks; firm soil of the machine's file: 4", NULL},
    {"boom", 5.0, -30.0, 50.0, "deg", "boom angle, over the side", NULL},
    {"stick", -25.0, -140.0, -24.0, "deg", "stick angle, over the side", NULL},
    {.key = NULL},
};

const Experiment experiment_tipping = {
    .name = "tipping",
    .title = "when the excavator tips over the side, and lifts its front on the bucket",
    .law = "moment balance of the masses about the edge of the tracks",
    .options = options,
    .run = run_tipping,
    .paper_only = true,
};
