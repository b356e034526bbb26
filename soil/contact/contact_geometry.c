/// Begins the contacts with bodies, and for the published solvers with the ground, at the start of a substep.
///
/// Each gets its gap, normal, predicted displacement (Holz 2014, eq. 2) and the limits that depend on the substep
/// (contact_law.h). The effective mass of a body at a contact is that of a rigid body that is free, from
/// SoilTool.motion.
#include "soil/contact/contact_geometry.h"

#include <math.h>

#include "data/core/tool_geometry.h"
#include "soil/ground/grounds.h"

/// Limits and compliances that depend on the substep.
static void begin_core(ContactCore *core, double h)
{
    double k = (double)core->stiffness;
    core->alpha = larger((float)(1.0 / (k * h * h)), CONTACT_LEAST_COMPLIANCE * core->inverse_mass);
    core->gamma = (float)((double)core->damping / (k * h));
    core->alpha_t = 1.25F * core->alpha;
    float share = core->pressed < core->yield_force ? core->pressed / core->yield_force
                  : core->pressed > 0.0F            ? 1.0F
                                                    : 0.0F;
    core->tension = share * core->adhesion * (float)(h * h);
}

Vec3 ground_contact_place(const ContactSystem *system, Vec3 at)
{
    for (int b = 0; b < system->body_count; b++) {
        const SolverBody *body = &system->bodies[b];
        if (body->plates == 0) {
            continue;
        }
        const SoilTool *tool = &body->tool;
        Vec3 local = pose_apply_inverse(&tool->motion.frame, at), to = vec3_sub(local, body->middle);
        const Mat3 *turn = &tool->motion.frame.rotation;
        double column = system->grounds->site->spacing * (fabs(turn->m[0][1]) + fabs(turn->m[1][1]));
        double beyond = fabs(local.y) - fmax(0.0, 0.5 * tool->shape->edge_width - column);
        if (beyond > 0.0 && vec3_dot(to, to) < body->reach * body->reach &&
            tool_contains(tool->shape, local, system->model->particle_radius)) {
            double in = -copysign(beyond, local.y);
            return vec3_madd(at, in, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]));
        }
    }
    return at;
}

bool ground_contact_is_far(const ContactSystem *system, int32_t i, Vec3 at, double reach)
{
    double distance = reach + GROUND_STANDOFF * (double)system->particles->radius[i];
    bool far = ground_is_far(system->grounds->site, at.x, at.y, at.z, distance);
    for (int k = 0; far && k < system->grounds->tray_count; k++) {
        far = !tray_is_below(&system->grounds->trays[k], at, distance);
    }
    return far;
}

static void begin_ground_contact(const ContactSystem *system, int32_t i, double h)
{
    const Particles *p = system->particles;
    ContactCore *core = &system->contacts->ground[i];
    double speed = fabs(p->vx[i]) + fabs(p->vy[i]) + fabs(p->vz[i]), reach = h * (speed + system->model->gravity * h);
    core->drift[0] = (float)(p->vx[i] * h);
    core->drift[1] = (float)(p->vy[i] * h);
    core->drift[2] = (float)((p->vz[i] - system->model->gravity * h) * h);
    if (ground_contact_is_far(system, i, vec3(p->x[i], p->y[i], p->z[i]),
                              2.0 * reach + (double)p->radius[i])) { // room for what contacts add
        core->gap = HUGE_VALF;
        core->normal[0] = core->normal[1] = 0.0F;
        core->normal[2] = 1.0F;
        return;
    }
    Support support = support_find(system->model, system->grounds, p->x[i], p->y[i], p->z[i]);
    ContactMaterial m = contact_material(system->model, CONTACT_GROUND, p->soil[i], support.soil, (double)p->radius[i]);
    double radius = (double)p->radius[i], mass = p->mass[i] * SOIL_QUANTUM;
    core->normal[0] = (float)support.normal.x;
    core->normal[1] = (float)support.normal.y;
    core->normal[2] = (float)support.normal.z;
    core->gap = (float)ground_contact_gap(p, i, p->z[i], &support);
    core->stiffness = (float)m.stiffness;
    core->damping = (float)(2.0 * m.damping_ratio * sqrt(m.stiffness * mass));
    core->friction = (float)support_friction(system->model, &support, p->soil[i]);
    if (support.tray != NULL) {
        Vec3 moved = tray_velocity(support.tray, vec3(p->x[i], p->y[i], p->z[i]));
        core->drift[0] -= (float)(moved.x * h);
        core->drift[1] -= (float)(moved.y * h);
        core->drift[2] -= (float)(moved.z * h);
    }
    // Holz 2014, eq. 35: what holds is the adhesion of particles, not a bond.
    core->adhesion = (float)(system->model->scene.soils[p->soil[i]].contact_adhesion * M_PI * radius * radius);
    core->inverse_mass = (float)(1.0 / mass);
}

/// What members share while they begin the contacts with the ground.
typedef struct GroundBeginning {
    const ContactSystem *system;
    double h; ///< s
} GroundBeginning;

static void begin_own_ground(void *context, int member, int members)
{
    const GroundBeginning *beginning = context;
    TeamPart part = team_part(beginning->system->particles->count, member, members);
    for (int32_t i = part.first; i < part.end; i++) {
        begin_ground_contact(beginning->system, i, beginning->h);
    }
}

void paper_ground_contacts_begin(const ContactSystem *system, double h)
{
    bool many = system->particles->count > PARTICLES_WORTH_THREADS;
    team_run(system->team, many, begin_own_ground, &(GroundBeginning){system, h});
}

/// Inverse mass of a body seen by a contact: w + (r x n)' I^-1 (r x n).
static double body_inverse_mass(const SoilTool *tool, Vec3 arm, Vec3 direction)
{
    Vec3 turn = vec3_cross(arm, direction);
    return tool->motion.inverse_mass + vec3_dot(turn, mat3_mul(&tool->motion.inertia_inverse, turn));
}

void solver_bodies_reset(const ContactSystem *system)
{
    for (int b = 0; b < system->body_count; b++) {
        SolverBody *body = &system->bodies[b];
        body->displacement = body->rotation = body->lambda = body->lambda_moment = vec3(0.0, 0.0, 0.0);
        body->contacts = 0;
    }
}

/// True when a contact holds nothing, and as its sides move stays open in this substep.
static bool stays_open(const ContactSystem *system, const ContactCore *core)
{
    const float *n = core->normal, *drift = core->drift, *held = core->friction_lambda;
    bool free = core->flags == 0 && core->lambda == 0.0F && core->rest == 0.0F && held[0] == 0.0F && held[1] == 0.0F &&
                held[2] == 0.0F;
    float closing = drift[0] * n[0] + drift[1] * n[1] + drift[2] * n[2];
    return free && core->gap + smaller(closing, 0.0F) > CONTACT_MARGIN * (float)system->model->particle_radius;
}

/// Of a unit normal: what lies beside a plate and no farther than its rim.
#define BESIDE 0.999999

double body_contact_distance(BodyContact *contact, const ToolPiece *piece, Vec3 local, Vec3 *normal)
{
    uint8_t face = contact->face;
    double distance = tool_piece_distance(piece, local, &contact->face, normal);
    if (contact->slices && distance > 0.0 && fabs(normal->y) < BESIDE) {
        contact->face = face;
        return tool_slice_distance(piece, local, &contact->face, normal);
    }
    return distance;
}

void body_contacts_begin(const ContactSystem *system, double h, int32_t first, int32_t end)
{
    const Particles *p = system->particles;
    for (int32_t k = first; k < end; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        const SoilTool *tool = &system->bodies[contact->body].tool;
        int32_t i = contact->i;
        Vec3 at, own, normal;
        contact_particle_state(system->particles, system->tick->rows, i, &at, &own);
        Vec3 local = pose_apply_inverse(&tool->motion.frame, at);
        double distance = body_contact_distance(contact, &tool->shape->pieces[contact->piece], local, &normal);
        normal = mat3_mul(&tool->motion.frame.rotation, normal);
        contact->core.normal[0] = (float)normal.x;
        contact->core.normal[1] = (float)normal.y;
        contact->core.normal[2] = (float)normal.z;
        contact->core.gap = (float)(distance - (double)p->radius[i]);
        Vec3 arm = vec3_sub(vec3_madd(at, -distance, normal), tool->motion.center);
        contact->arm[0] = (float)arm.x;
        contact->arm[1] = (float)arm.y;
        contact->arm[2] = (float)arm.z;
        Vec3 velocity = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, arm));
        contact->core.drift[0] = (float)((own.x - velocity.x) * h);
        contact->core.drift[1] = (float)((own.y - velocity.y) * h);
        contact->core.drift[2] = (float)((own.z - system->model->gravity * h - velocity.z) * h);
        double mass = p->mass[i] * SOIL_QUANTUM;
        contact->core.inverse_mass = (float)(1.0 / mass + body_inverse_mass(tool, arm, normal));
        begin_core(&contact->core, h);
        double most = system->model->yielding[p->soil[i]] * GROUND_CONTACT_AREA * (double)p->radius[i] *
                      (double)p->radius[i] * h * h;
        bool pinched = tool->cuts && contact->core.normal[2] < PINCHED_NORMAL;
        contact->core.most = pinched ? (float)most : HUGE_VALF;
        if (pinched) {
            contact->core.gamma = (float)((double)contact->crushed / ((double)contact->core.stiffness * h));
        }
        contact->open = stays_open(system, &contact->core);
    }
}
