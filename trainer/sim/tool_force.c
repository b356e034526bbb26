/// Sums up by tool what acted on the body that carries it.
#include "trainer/sim/tool_force.h"

static void add(Vec3 *sum, Vec3 force, double share)
{
    *sum = vec3_add(*sum, vec3_scale(force, share));
}

Vec3 tool_force_total(const ToolForce *force)
{
    Vec3 sum = vec3_add(vec3_add(force->soil, force->rocks), force->solids);
    return vec3_add(sum, vec3_add(force->sling, force->blows));
}

/// Pull of a mover's ropes on a body.
static Vec3 pull_of_ropes(const MachineMover *mover, int body)
{
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < mover->rope_count; k++) {
        const MachineRope *rope = &mover->rope[k];
        Vec3 along = vec3_sub(rope->to, rope->from);
        double length = vec3_length(along);
        if (rope->body == body && length > 0.0) {
            add(&sum, along, rope->tension / length);
        }
    }
    return sum;
}

void tool_forces_add_step(ToolForces *forces, const ToolForceSources *sources, double share)
{
    const MachineParams *params = machine_params(sources->machine);
    MachineChisel chisel;
    machine_get_chisel(sources->machine, sources->state, &chisel);
    for (int k = 0; k < params->tool_count; k++) {
        int body = params->tool[k].body;
        Vec3 *solids = &forces->solids[k][forces->step_count];
        for (int n = 0; n < sources->touch_count; n++) {
            if (sources->touches[n].body == body) {
                add(solids, sources->touches[n].force, 1.0);
            }
        }
        for (int n = 0; n < sources->mover_count; n++) {
            if (sources->movers[n].mass > 0.0) {
                add(&forces->force[k].sling, pull_of_ropes(&sources->movers[n], body), share);
            }
        }
        add(&forces->force[k].blows, chisel.axis, k == 0 ? -chisel.thrust * share : 0.0);
    }
    forces->step_count++;
}

void tool_forces_add_soil(ToolForces *forces, const ToolForceSources *sources, double share)
{
    const MachineParams *params = machine_params(sources->machine);
    for (int k = 0; k < params->tool_count; k++) {
        int body = params->tool[k].body;
        add(&forces->force[k].soil, sources->soil[k].force, share);
        add(&forces->force[k].soil, sources->hull->pending[body].force, share);
        add(&forces->force[k].rocks, session_rocks_on_body(sources->rocks, body).force, share);
    }
}

/// The force of median size, of two in the middle the smaller one.
static Vec3 median(const Vec3 *forces, int count)
{
    for (int k = 0; k < count; k++) {
        int below = 0;
        double size = vec3_length(forces[k]);
        for (int n = 0; n < count; n++) {
            double other = vec3_length(forces[n]);
            below += other < size || (other == size && n < k);
        }
        if (below == (count - 1) / 2) {
            return forces[k];
        }
    }
    return vec3(0.0, 0.0, 0.0);
}

void tool_forces_end(ToolForces *forces)
{
    for (int k = 0; k < MACHINE_MAX_TOOLS; k++) {
        forces->force[k].solids = median(forces->solids[k], forces->step_count);
    }
}
