/// Runs a machine alone on a plane: sets its pose, moves its levers, pulls at it with ropes, and sums masses and
/// centres. A rope is a spring with a damper that only pulls.
#include "tests/validation/rigs/machine/proving.h"

#include <math.h>
#include <string.h>

#include "data/schema/schema.h"

/// Damping of a rope as the time (s) whose stretching counts like its length.
#define ROPE_DAMPING_TIME 0.02

bool proving_load_machine(Run *run, const char *machine, MachineParams *params)
{
    Status status;
    if (!data_load_machine(machine, params, NULL, &status)) {
        run_fail(run, "%s", status.text);
        return false;
    }
    return true;
}

bool proving_load(Run *run, MachineParams *params)
{
    return proving_load_machine(run, PROVING_MACHINE, params);
}

bool proving_create(Run *run, const MachineParams *params, Proving *proving)
{
    Status status;
    *proving = (Proving){.params = *params,
                         .controls = control_neutral,
                         .friction = PROVING_FIRM_FRICTION,
                         .cohesion = PROVING_FIRM_COHESION};
    proving->machine = machine_create(params, &status);
    if (proving->machine == NULL) {
        run_fail(run, "%s", status.text);
        return false;
    }
    machine_start(proving->machine, 0.0, 0.0, 0.0, 0.0, &proving->state);
    return true;
}

bool proving_create_posed(Run *run, const MachineParams *params, const double arm[3], Proving *proving)
{
    MachineParams posed = *params;
    memcpy(&posed.start_pose[1], arm, 3 * sizeof *arm);
    return proving_create(run, &posed, proving);
}

void proving_destroy(Proving *proving)
{
    machine_destroy(proving->machine);
}

void proving_step(Proving *proving)
{
    Vec3 points[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(proving->machine, &proving->state, points);
    for (int i = 0; i < count; i++) {
        ground[i] = (MachineGround){.height = tan(proving->slope) * points[i].x,
                                    .normal = vec3(-sin(proving->slope), 0.0, cos(proving->slope)),
                                    .firmness = 1.0,
                                    .bearing = HUGE_VAL,
                                    .friction = proving->friction,
                                    .cohesion = proving->cohesion};
    }
    proving_step_on(proving, ground);
}

void proving_step_on(Proving *proving, const MachineGround *ground)
{
    const MachineInputs inputs = {.controls = &proving->controls, .ground = ground, .loads = proving->loads};
    machine_step(proving->machine, &inputs, PROVING_STEP, &proving->state);
    memset(proving->loads, 0, sizeof proving->loads);
}

void proving_run(Proving *proving, double seconds)
{
    int steps = (int)(seconds / PROVING_STEP + 0.5);
    for (int i = 0; i < steps; i++) {
        proving_step(proving);
    }
}

void proving_lever(Proving *proving, ControlAxis axis, double value)
{
    proving->controls.axis[axis] = control_quantise(value);
}

double proving_gear_lever(const MachineParams *params, int gear)
{
    const MachinePowertrain *train = &params->powertrain;
    const double *speeds = gear < 0 ? train->reverse : train->forward;
    double band = params->hydraulics.dead_band;
    return band + (1.0 - band) * speeds[(gear < 0 ? -gear : gear) - 1] / speeds[MACHINE_GEARS - 1];
}

MachineReadout proving_readout(const Proving *proving)
{
    MachineReadout readout;
    machine_get_readout(proving->machine, &proving->state, &readout);
    return readout;
}

void proving_pull(Proving *proving, int body, Vec3 point, Vec3 force)
{
    const double *p = proving->state.body[body].position;
    Wrench *load = &proving->loads[body];
    Vec3 arm = vec3_sub(point, vec3(p[0], p[1], p[2]));
    load->force = vec3_add(load->force, force);
    load->moment = vec3_add(load->moment, vec3_cross(arm, force));
}

Vec3 proving_point(const Proving *proving, int body, Vec3 local)
{
    Pose frame;
    machine_get_body_frame(proving->machine, &proving->state, body, &frame);
    return pose_apply(&frame, local);
}

double proving_rope(Proving *proving, int body, Vec3 local, Vec3 anchor, double length, double stiffness)
{
    const MachineBodyState *state = &proving->state.body[body];
    Vec3 point = proving_point(proving, body, local), line = vec3_sub(anchor, point);
    Vec3 direction = vec3_unit(line, vec3(1.0, 0.0, 0.0));
    Vec3 arm = vec3_sub(point, vec3(state->position[0], state->position[1], state->position[2]));
    Vec3 velocity = vec3_add(vec3(state->velocity[0], state->velocity[1], state->velocity[2]),
                             vec3_cross(vec3(state->spin[0], state->spin[1], state->spin[2]), arm));
    double stretch = vec3_length(line) - length;
    if (stretch <= 0.0) {
        return 0.0;
    }
    double tension = fmax(0.0, stiffness * (stretch - ROPE_DAMPING_TIME * vec3_dot(velocity, direction)));
    proving_pull(proving, body, point, vec3_scale(direction, tension));
    return tension;
}

double proving_mass(const MachineParams *params)
{
    double mass = 0.0;
    for (int i = 0; i < MACHINE_MAX_BODIES; i++) {
        mass += params->body[i].mass;
    }
    return mass;
}

Vec3 proving_center(const Proving *proving)
{
    Vec3 center = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < MACHINE_MAX_BODIES; i++) {
        const double *p = proving->state.body[i].position;
        double share = proving->params.body[i].mass / proving_mass(&proving->params);
        center = vec3_madd(center, share, vec3(p[0], p[1], p[2]));
    }
    return center;
}
