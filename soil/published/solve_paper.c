/// The published solver, Parallel Particles (D. Holz, VRIPHYS 2014, "P2"), and its sequential reference.
///
/// p2: Jacobi over particles in parallel, corrections averaged (eq. 9), error reduction (eq. 37).
/// gs: the same constraints one after another, each applied at once, without error reduction, as in the paper's figure
/// 5. Equations: paper_contact.h (22, 23, 30-36), paper_kernel.h (9, 37), paper_step.c (2, 3, 21, 28, sleeping).
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/soil_parts.h"
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

/// ---- bodies (section 6.6)
/// -------------------------------------------------------------------------------------------

/// Hands the body what `moved` (m, of the particle) means as force x h^2 (N s2), by eq. 34: m lambda.
static void push_body(Soil *soil, const PaperFlat *flat, const float moved[3])
{
    float mass = (float)(soil->state.particles.mass[flat->i] * SOIL_QUANTUM);
    float lambda[3] = {mass * moved[0], mass * moved[1], mass * moved[2]};
    solver_body_take(&soil->derived.bodies[flat->body], &soil->derived.contacts.bodies[flat->contact], lambda);
}

static bool yields(const SoilTool *tool)
{
    const Mat3 zero = {0};
    return tool->motion.inverse_mass > 0.0 || memcmp(&tool->motion.inertia_inverse, &zero, sizeof zero) != 0;
}

static bool is_movable(const Soil *soil, const PaperFlat *flat)
{
    return flat->body >= 0 && yields(&soil->derived.bodies[flat->body].tool);
}

/// A body with a finite mass yields within the step: told of the forces only afterwards, it rings under a heavy load.
static void follow_body(const Soil *soil, PaperFlat *flat)
{
    float motion[3];
    solver_body_motion(&soil->derived.bodies[flat->body], &soil->derived.contacts.bodies[flat->contact], motion);
    for (int axis = 0; axis < 3; axis++) {
        flat->other[axis] = flat->predicted[axis] + motion[axis];
    }
}

static void move_bodies(Soil *soil)
{
    Paper *paper = &soil->scratch.paper;
    int32_t flats = paper->flat_first[soil->state.particles.count];
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(soil, &paper->flats[k])) {
            push_body(soil, &paper->flats[k], paper->flats[k].correction);
        }
    }
    for (int32_t k = 0; k < flats; k++) {
        if (is_movable(soil, &paper->flats[k])) {
            follow_body(soil, &paper->flats[k]);
        }
    }
}

/// What is left when the step ends: bodies that do not yield get their sums.
static void finish_bodies(Soil *soil)
{
    Paper *paper = &soil->scratch.paper;
    for (int32_t k = 0; k < paper->flat_first[soil->state.particles.count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body < 0) {
            continue;
        }
        if (!is_movable(soil, flat)) {
            push_body(soil, flat, flat->total);
        }
        soil->derived.bodies[flat->body].contacts +=
            flat->total[0] != 0.0F || flat->total[1] != 0.0F || flat->total[2] != 0.0F;
    }
}

/// ---- gs
/// -------------------------------------------------------------------------------------------------------------

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

static void visit_flat(Soil *soil, const PaperStep *step, PaperFlat *flat)
{
    Paper *paper = &soil->scratch.paper;
    float *a = paper->shift[0][flat->i];
    bool movable = is_movable(soil, flat);
    if (movable) {
        follow_body(soil, flat);
    }
    if (!paper_correct_flat(flat, step, a)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] += flat->correction[axis];
        flat->total[axis] += flat->correction[axis];
    }
    if (movable) {
        push_body(soil, flat, flat->correction);
    }
    paper->touches[flat->i] = 1;
}

static void iterate_in_turn(Soil *soil, const PaperStep *step)
{
    Paper *paper = &soil->scratch.paper;
    memset(paper->touches, 0, (size_t)soil->state.particles.count);
    for (int32_t k = 0; k < paper->pair_count; k++) {
        visit_pair(paper, step, &paper->pairs[k]);
    }
    for (int32_t k = 0; k < paper->flat_first[soil->state.particles.count]; k++) {
        visit_flat(soil, step, &paper->flats[k]);
    }
}

/// ---- p2
/// -------------------------------------------------------------------------------------------------------------

const PaperKernel *paper_kernel_choose(const Soil *soil)
{
    return soil->model.kernel->lanes == paper_kernel_avx512.lanes ? &paper_kernel_avx512
           : soil->model.kernel->lanes == paper_kernel_avx2.lanes ? &paper_kernel_avx2
                                                                  : &paper_kernel_baseline;
}

static bool any_yields(const Soil *soil)
{
    bool yielding = false;
    for (int body = 0; body < soil->derived.body_count; body++) {
        yielding = yielding || yields(&soil->derived.bodies[body].tool);
    }
    return yielding;
}

/// Iterations go to and fro between the two arrays of displacements. Returns the last one written.
static int iterate_in_parallel(const PaperWorker *worker)
{
    Paper *paper = &worker->soil->scratch.paper;
    const PaperKernel *kernel = paper_kernel_choose(worker->soil);
    const int32_t chunk = PAPER_CHUNK / PAPER_BATCH;
    const int iterations = worker->soil->model.scene.particles.iterations;
    const bool moves = any_yields(worker->soil);
    for (int iteration = 0; iteration < iterations; iteration++) {
        const float(*from)[4] = (const float(*)[4])paper->shift[iteration & 1];
        float(*to)[4] = paper->shift[1 - (iteration & 1)];
        for (int32_t k = worker->first; k < worker->end; k++) {
            kernel->average(paper, worker->step, from, to, k * chunk, (k + 1) * chunk);
        }
        paper_wait(worker);
        if (moves && worker->leads) {
            move_bodies(worker->soil);
        }
        if (moves) {
            paper_wait(worker);
        }
    }
    return iterations & 1;
}

void paper_wait(const PaperWorker *worker)
{
    team_wait(worker->soil->scratch.team);
}

/// What members share during paper_work.
typedef struct PaperShare {
    Soil *soil;
    const PaperStep *step;
    double h; ///< s
    void (*work)(const PaperWorker *worker);
} PaperShare;

static void work_on_own(void *context, int member, int members)
{
    const PaperShare *share = context;
    TeamPart part = team_part((share->soil->state.particles.count + PAPER_CHUNK - 1) / PAPER_CHUNK, member, members);
    PaperWorker worker = {.soil = share->soil,
                          .step = share->step,
                          .h = share->h,
                          .first = part.first,
                          .end = part.end,
                          .leads = member == 0};
    share->work(&worker);
}

void paper_work(Soil *soil, const PaperStep *step, double h, void (*work)(const PaperWorker *worker))
{
    PaperShare share = {soil, step, h, work};
    team_run(soil->scratch.team, soil->state.particles.count > PAPER_PARALLEL, work_on_own, &share);
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
            paper_list_pairs(worker->soil, worker->step);
            for (int iteration = 0; iteration < worker->soil->model.scene.particles.iterations; iteration++) {
                iterate_in_turn(worker->soil, worker->step);
            }
        }
        paper_wait(worker);
    }
    paper_end(worker, (const float(*)[4])worker->soil->scratch.paper.shift[last]);
}

void soil_solve_paper(Soil *soil, double h, bool jacobi)
{
    PaperStep step;
    ContactSystem contacts = soil_contact_system(soil);
    paper_ground_contacts_begin(&contacts, h);
    solver_bodies_reset(&contacts);
    body_contacts_begin(&contacts, h, 0, soil->derived.contacts.body_count);
    paper_set_step(soil, h, jacobi, &step);
    paper_work(soil, &step, h, take_step);
    finish_bodies(soil);
}

void soil_show_paper_contacts(const Soil *soil, Probe *probe)
{
    const Paper *paper = &soil->scratch.paper;
    const Particles *p = &soil->state.particles;
    for (int32_t k = 0; k < paper->flat_first[p->count]; k++) {
        const PaperFlat *flat = &paper->flats[k];
        if (flat->body >= 0) {
            double scale = p->mass[flat->i] * SOIL_QUANTUM / (probe->substep * probe->substep);
            Vec3 moved = vec3((double)flat->total[0], (double)flat->total[1], (double)flat->total[2]);
            probe_note_contact(probe, soil->derived.bodies, &soil->derived.contacts.bodies[flat->contact],
                               p->id[flat->i], vec3_scale(moved, scale));
        }
    }
}
