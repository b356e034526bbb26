/// The published solver, Parallel Particles (D. Holz, VRIPHYS 2014, "P2"), and its sequential reference.
///
/// p2: Jacobi over particles in parallel, corrections averaged (eq. 9), error reduction (eq. 37).
/// gs: the same constraints one after another, each applied at once, without error reduction, as in the paper's figure
/// 5. Equations: paper_contact.h (22, 23, 30-36), paper_kernel.h (9, 37), paper_step.c (2, 3, 21, 28, sleeping).
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/published/paper.h"
#include "soil/published/paper_contact.h"

static Lanes one(float value)
{
    return (Lanes){value};
}

bool paper_correct_flat(PaperFlat *flat, const PaperStep *step, const float *shift)
{
    LaneVector normal = {one(flat->normal[0]), one(flat->normal[1]), one(flat->normal[2])};
    LaneVector relative = {one(shift[0] - flat->other[0]), one(shift[1] - flat->other[1]),
                           one(shift[2] - flat->other[2])};
    PaperTouch touch;
    LaneBits touches = paper_touch_plane(one(flat->gap), normal, relative, &touch);
    flat->correction[0] = flat->correction[1] = flat->correction[2] = 0.0F;
    if (!touches[0]) {
        return false;
    }
    PaperLaw law = {one(flat->stiffness), one(flat->damping), one(flat->friction), one(flat->pull),
                    one(flat->inverse_radius)};
    LaneVector c = paper_correct(&law, step->static_ratio, step->macklin, true, &touch);
    flat->correction[0] = flat->share * c.x[0];
    flat->correction[1] = flat->share * c.y[0];
    flat->correction[2] = flat->share * c.z[0];
    return true;
}

/// ---- bodies (section 6.6) ------------------------------------------------------------------------------------------

/// Hands the body what `moved` (m, of the particle) means as force x h^2 (N s2), by eq. 34: m lambda.
static void push_body(const PaperSystem *system, const PaperFlat *flat, const float moved[3])
{
    float mass = (float)(system->contact.particles->mass[flat->i] * SOIL_QUANTUM);
    float lambda[3] = {mass * moved[0], mass * moved[1], mass * moved[2]};
    solver_body_take(&system->contact.bodies[flat->body], &system->contact.contacts->bodies[flat->contact], lambda);
}

static bool yields(const SoilTool *tool)
{
    const Mat3 zero = {0};
    return tool->motion.inverse_mass > 0.0 || memcmp(&tool->motion.inertia_inverse, &zero, sizeof zero) != 0;
}

static bool is_movable(const PaperSystem *system, const PaperFlat *flat)
{
    return flat->body >= 0 && yields(&system->contact.bodies[flat->body].tool);
}

/// A body with a finite mass yields within the step: told of the forces only afterwards, it rings under a heavy load.
static void follow_body(const PaperSystem *system, PaperFlat *flat)
{
    float motion[3];
    solver_body_motion(&system->contact.bodies[flat->body], &system->contact.contacts->bodies[flat->contact], motion);
    for (int axis = 0; axis < 3; axis++) {
        flat->other[axis] = flat->predicted[axis] + motion[axis];
    }
}

static void move_bodies(const PaperSystem *system)
{
    Paper *paper = system->paper;
    int32_t flats = paper->flat_first[system->contact.particles->count];
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(system, &paper->flats[k])) {
            push_body(system, &paper->flats[k], paper->flats[k].correction);
        }
    }
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(system, &paper->flats[k])) {
            follow_body(system, &paper->flats[k]);
        }
    }
}

/// What is left when the step ends: bodies that do not yield get their sums.
static void finish_bodies(const PaperSystem *system)
{
    Paper *paper = system->paper;
    for (int32_t k = 0; k < paper->flat_first[system->contact.particles->count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body < 0) {
            continue;
        }
        if (!is_movable(system, flat)) {
            push_body(system, flat, flat->total);
        }
        system->contact.bodies[flat->body].contacts +=
            flat->total[0] != 0.0F || flat->total[1] != 0.0F || flat->total[2] != 0.0F;
    }
}

/// ---- gs ------------------------------------------------------------------------------------------------------------

static void visit_pair(Paper *paper, const PaperStep *step, const PaperPair *pair)
{
    float *a = paper->shift[0][pair->i], *b = paper->shift[0][pair->j];
    LaneVector start = {one(pair->start[0]), one(pair->start[1]), one(pair->start[2])};
    LaneVector relative = {one(a[0] - b[0]), one(a[1] - b[1]), one(a[2] - b[2])};
    PaperTouch touch;
    LaneBits touches = paper_touch_particle(start, relative, one(a[3] + b[3]), &touch);
    if (!touches[0]) {
        return;
    }
    PaperLaw law = {one(pair->stiffness), one(pair->damping), one(pair->friction), one(pair->pull),
                    one(pair->inverse_radius)};
    LaneVector c = paper_correct(&law, step->static_ratio, step->macklin, true, &touch);
    const float correction[3] = {c.x[0], c.y[0], c.z[0]};
    for (int axis = 0; axis < 3; axis++) {
        a[axis] += pair->share_i * correction[axis];
        b[axis] -= pair->share_j * correction[axis];
    }
    paper->touches[pair->i] = paper->touches[pair->j] = 1;
}

static void visit_flat(const PaperSystem *system, const PaperStep *step, PaperFlat *flat)
{
    Paper *paper = system->paper;
    float *a = paper->shift[0][flat->i];
    bool movable = is_movable(system, flat);
    if (movable) {
        follow_body(system, flat);
    }
    if (!paper_correct_flat(flat, step, a)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] += flat->correction[axis];
        flat->total[axis] += flat->correction[axis];
    }
    if (movable) {
        push_body(system, flat, flat->correction);
    }
    paper->touches[flat->i] = 1;
}

static void iterate_in_turn(const PaperSystem *system, const PaperStep *step)
{
    Paper *paper = system->paper;
    memset(paper->touches, 0, (size_t)system->contact.particles->count);
    for (int32_t k = 0; k < paper->pair_count; k++) {
        visit_pair(paper, step, &paper->pairs[k]);
    }
    for (int32_t k = 0; k < paper->flat_first[system->contact.particles->count]; k++) {
        visit_flat(system, step, &paper->flats[k]);
    }
}

/// ---- p2 ------------------------------------------------------------------------------------------------------------

const PaperKernel *paper_kernel_choose(const PaperSystem *system)
{
    return system->contact.model->kernel->lanes == paper_kernel_avx512.lanes ? &paper_kernel_avx512
           : system->contact.model->kernel->lanes == paper_kernel_avx2.lanes ? &paper_kernel_avx2
                                                                             : &paper_kernel_baseline;
}

static bool any_yields(const PaperSystem *system)
{
    bool yielding = false;
    for (int body = 0; body < system->contact.body_count; body++) {
        yielding = yielding || yields(&system->contact.bodies[body].tool);
    }
    return yielding;
}

/// Iterations go to and fro between the two arrays of displacements. Returns the last one written.
static int iterate_in_parallel(const PaperWorker *worker)
{
    Paper *paper = worker->system->paper;
    const PaperKernel *kernel = paper_kernel_choose(worker->system);
    const int32_t chunk = PAPER_CHUNK / PAPER_BATCH;
    const int iterations = worker->system->contact.model->scene.particles.iterations;
    const bool moves = any_yields(worker->system);
    for (int iteration = 0; iteration < iterations; iteration++) {
        const float(*from)[4] = (const float(*)[4])paper->shift[iteration & 1];
        float(*to)[4] = paper->shift[1 - (iteration & 1)];
        for (int32_t k = worker->first; k < worker->end; k++) {
            kernel->average(paper, worker->step, from, to, k * chunk, (k + 1) * chunk);
        }
        paper_wait(worker);
        if (moves && worker->leads) {
            move_bodies(worker->system);
        }
        if (moves) {
            paper_wait(worker);
        }
    }
    return iterations & 1;
}

void paper_wait(const PaperWorker *worker)
{
    team_wait(worker->system->contact.team);
}

/// What members share during paper_work.
typedef struct PaperShare {
    const PaperSystem *system;
    const PaperStep *step;
    double h; ///< s
    void (*work)(const PaperWorker *worker);
} PaperShare;

static void work_on_own(void *context, int member, int members)
{
    const PaperShare *share = context;
    TeamPart part =
        team_part((share->system->contact.particles->count + PAPER_CHUNK - 1) / PAPER_CHUNK, member, members);
    PaperWorker worker = {.system = share->system,
                          .step = share->step,
                          .h = share->h,
                          .first = part.first,
                          .end = part.end,
                          .leads = member == 0};
    share->work(&worker);
}

void paper_work(const PaperSystem *system, const PaperStep *step, double h, void (*work)(const PaperWorker *worker))
{
    PaperShare share = {system, step, h, work};
    team_run(system->contact.team, system->contact.particles->count > PAPER_PARALLEL, work_on_own, &share);
}

/// What one thread does of a step.
static void take_step(const PaperWorker *worker)
{
    int last = 0;
    paper_begin(worker);
    if (worker->step->jacobi) {
        last = iterate_in_parallel(worker);
    } else {
        if (worker->leads) {
            paper_list_pairs(worker->system, worker->step);
            for (int iteration = 0; iteration < worker->system->contact.model->scene.particles.iterations;
                 iteration++) {
                iterate_in_turn(worker->system, worker->step);
            }
        }
        paper_wait(worker);
    }
    paper_end(worker, (const float(*)[4])worker->system->paper->shift[last]);
}

void paper_solve(const PaperSystem *system, double h, bool jacobi)
{
    PaperStep step;
    paper_ground_contacts_begin(&system->contact, h);
    solver_bodies_reset(&system->contact);
    body_contacts_begin(&system->contact, h, 0, system->contact.contacts->body_count);
    paper_set_step(system, h, jacobi, &step);
    paper_work(system, &step, h, take_step);
    finish_bodies(system);
}

void paper_show_contacts(const PaperSystem *system, Probe *probe)
{
    const Paper *paper = system->paper;
    const Particles *p = system->contact.particles;
    for (int32_t k = 0; k < paper->flat_first[p->count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body >= 0) {
            double scale = p->mass[flat->i] * SOIL_QUANTUM / (probe->substep * probe->substep);
            Vec3 moved = vec3((double)flat->total[0], (double)flat->total[1], (double)flat->total[2]);
            probe_note_contact(probe, system->contact.bodies, &system->contact.contacts->bodies[flat->contact],
                               p->id[flat->i], vec3_scale(moved, scale));
        }
    }
}
