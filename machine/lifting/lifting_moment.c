/// The lever rule about the edges that a machine on tracks tips over.
///
///   P a = sum m_i g b_i
///
/// P  N straight down at the point; a  m in plan from the edge out to the point; b_i  m in plan from the edge in to the
/// centre of the mass m_i.
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/lifting.h"

/// kg of all bodies; their centre, m, world.
static double whole_machine(const Machine *machine, const MachineState *state, Vec3 *center)
{
    const MachineParams *params = machine_params(machine);
    double mass = 0.0;
    *center = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < params->body_count; k++) {
        RigidMotion motion;
        machine_get_body(machine, state, k, &motion);
        mass += params->body[k].mass;
        *center = vec3_madd(*center, params->body[k].mass, motion.center);
    }
    *center = vec3_scale(*center, 1.0 / mass);
    return mass;
}

LiftingMoment machine_lifting_moment(const Machine *machine, const MachineState *state, Vec3 at, double force)
{
    const MachineTracks *tracks = &machine_params(machine)->tracks;
    Vec3 center;
    Pose base;
    double weight = whole_machine(machine, state, &center) * STANDARD_GRAVITY;
    machine_get_body_frame(machine, state, MACHINE_BASE, &base);
    LiftingMoment moment = {.radius = same_hypot(at.x - base.position.x, at.y - base.position.y), .tipping = HUGE_VAL};
    const Vec3 out[4] = {vec3(0.5 * tracks->contact_length, 0.0, 0.0), vec3(-0.5 * tracks->contact_length, 0.0, 0.0),
                         vec3(0.0, 0.5 * tracks->gauge, 0.0), vec3(0.0, -0.5 * tracks->gauge, 0.0)};
    for (int k = 0; k < 4; k++) {
        Vec3 edge = pose_apply(&base, out[k]), away = vec3_sub(edge, base.position);
        away.z = 0.0;
        away = vec3_unit(away, vec3(1.0, 0.0, 0.0));
        double arm = vec3_dot(vec3_sub(at, edge), away), holding = weight * vec3_dot(vec3_sub(edge, center), away);
        if (arm > 0.0) {
            moment.tipping = fmin(moment.tipping, fmax(0.0, holding) / arm);
        }
    }
    moment.share = force > 0.0 ? force / fmax(moment.tipping, 1.0) : 0.0;
    return moment;
}
