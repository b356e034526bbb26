/// Experiment `coast`: the swing runs on after its lever is let go, and is braked.
///
/// The swing motor's relief valves brake with a constant torque M: from the speed w the house with its arm, of the
/// moment of inertia I about the swing axis, turns on for I w / M seconds and I w^2 / 2M, after the spool has closed. I
/// is summed up from the bodies (Steiner). The farther out the arm, the farther it runs on.
#include <math.h>
#include <stdio.h>

#include "data/schema/machine_params.h"
#include "tests/validation/rigs/machine/proving.h"

#define STANDING 1e-3 ///< rad/s

typedef struct Coast {
    const char *name;
    double arm[3]; ///< deg
} Coast;

static const Coast coasts[] = {
    {"arm folded", {50.0, -140.0, -100.0}},
    {"arm as it digs", {25.0, -85.0, -60.0}},
    {"arm far out", {10.0, -25.0, 0.0}},
};
enum { COASTS = sizeof coasts / sizeof coasts[0] };

/// Moment of inertia of all that swings about the swing axis: box of each body turned by its pitch, and Steiner. kg m2.
static double swing_inertia(const Proving *proving)
{
    Vec3 axis = proving_point(proving, EXCAVATOR_HOUSE, vec3(0.0, 0.0, 0.0));
    double sum = 0.0;
    for (int i = EXCAVATOR_HOUSE; i < MACHINE_MAX_BODIES; i++) {
        const MachineBodyParams *body = &proving->params.body[i];
        const double *p = proving->state.body[i].position, *s = body->inertia_size;
        Pose frame;
        machine_get_body_frame(proving->machine, &proving->state, i, &frame);
        for (int k = 0; k < 3; k++) {
            double b = s[(k + 1) % 3], c = s[(k + 2) % 3], share = frame.rotation.m[2][k];
            sum += share * share * body->mass / 12.0 * (b * b + c * c);
        }
        double dx = p[0] - axis.x, dy = p[1] - axis.y;
        sum += body->mass * (dx * dx + dy * dy);
    }
    return sum;
}

static bool run_one(Run *run, const MachineParams *params, const Coast *coast)
{
    double arm[3] = {coast->arm[0] * PROVING_DEGREE, coast->arm[1] * PROVING_DEGREE, coast->arm[2] * PROVING_DEGREE};
    Proving proving;
    if (!proving_create_posed(run, params, arm, &proving)) {
        return false;
    }
    proving_lever(&proving, CONTROL_SWING, 1.0);
    proving_run(&proving, option_number(run, "swing_time"));
    double inertia = swing_inertia(&proving), speed = proving_readout(&proving).speed[EXCAVATOR_JOINT_SWING];
    proving_lever(&proving, CONTROL_SWING, 0.0);
    double time = 0.0, turned = 0.0, rate = speed;
    while (rate > STANDING && time < 20.0) {
        proving_step(&proving);
        rate = proving_readout(&proving).speed[EXCAVATOR_JOINT_SWING];
        turned += rate * PROVING_STEP;
        time += PROVING_STEP;
    }
    // Until the spool is shut and the flow has followed it, the motor is not held back.
    double brake = params->swing.brake_torque, lag = params->hydraulics.spool_time;
    double braking = inertia * speed / brake, angle = 0.5 * inertia * speed * speed / brake;
    proving_destroy(&proving);
    char text[96];
    snprintf(text, sizeof text, "%s: inertia about the swing axis", coast->name);
    run_note(run, text, "kg m2", inertia);
    snprintf(text, sizeof text, "%s: time to standstill", coast->name);
    run_result_between(run, text, "s", time, braking, 1.05 * braking + 2.0 * lag);
    snprintf(text, sizeof text, "%s: angle to standstill", coast->name);
    run_result_between(run, text, "deg", turned / PROVING_DEGREE, angle / PROVING_DEGREE,
                       (1.05 * angle + 2.0 * lag * speed) / PROVING_DEGREE);
    return true;
}

static bool run_coast(Run *run)
{
    MachineParams params;
    bool good = proving_load(run, &params);
    for (int k = 0; k < COASTS && good; k++) {
        good = run_one(run, &params, &coasts[k]);
    }
    return good;
}

static const ExperimentOption options[] = {
    {"swing_time", 6.0, 0.5, 20.0, "s", "with the lever at its end, before it is let go", NULL},
    {.key = NULL},
};

const Experiment experiment_coast = {
    .name = "coast",
    .title = "how far the swing runs on",
    .law = "I w / M and I w^2 / 2M of a constant brake torque, and the valve's lag",
    .options = options,
    .run = run_coast,
    .paper_only = true,
};
