/// Makes a soil, runs its ticks (the order of the stages, and what passes from one to the next) and answers the getters
/// of soil.h.
///
/// The steps are in docs/soil-model.md, "A tick". Sums over the contacts of a body are force x h^2 inside a substep;
/// here they become the wrench that leaves. A build with asserts checks that no tick makes or loses a quantum.
#include "soil/soil.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/core/zeroed_memory.h"
#include "data/schema/scene_relief.h"
#include "soil/contact/body_contacts.h"
#include "soil/contact/ground_contacts.h"
#include "soil/contact/pair_update.h"
#include "soil/contact/sleep.h"
#include "soil/contact/solver.h"
#include "soil/exchange/exchange.h"
#include "soil/ground/ground.h"
#include "soil/exchange/face_age.h"
#include "soil/exchange/shoring.h"
#include "soil/exchange/standing.h"
#include "soil/ground/track_sinkage.h"
#include "soil/soil_parts.h"

/// Nominal radii: a particle that is farther from a body, both at rest, neither touches it nor is kept awake by it
/// within a tick: more than half the diagonal of a cube of sleepers, and two (contact/sleep.c).
#define FAR_RADII 10.0

/// s: below QUIET_SPEED (absorb.c), after which a particle is at rest, and sooner while the budget is nearly full;
/// after which it lies where it lies. Of balanced forces, after which it may sleep. Chosen; see test_soil_absorb and
/// test_soil_sleep.
#define QUIET_TIME   0.4
#define CROWDED_TIME 0.1
#define LYING_TIME   0.1
#define CALM_TIME    0.2

static int ticks_of(const SceneParams *scene, double seconds)
{
    int ticks = (int)(seconds * scene->rates.tick_rate + 0.5);
    return ticks < 1 ? 1 : ticks;
}

/// Bytes that the stages need of the scratch memory at a time, for `n` particles: what sorting them takes, behind their
/// new and old indices; or rows and lists of so many pairs; or the cubes in which it is decided who sleeps; or
/// `spawning`.
static size_t scratch_bytes(size_t n, size_t pairs, int members, size_t spawning)
{
    size_t sorting = 2 * zeroed_room(n, sizeof(int32_t)) + zeroed_room(PARTICLE_BUFFERS * n, sizeof(uint64_t));
    size_t listing = pair_scratch_bytes(n, pairs, members), sleeping = sleep_scratch_bytes(n);
    size_t most = sorting > listing ? sorting : listing;
    most = sleeping > most ? sleeping : most;
    return spawning > most ? spawning : most;
}

/// What only the default solver uses. The others have it too: a state may go from one solver to another.
static bool create_lists(Soil *soil, int32_t capacity)
{
    int32_t batches = (capacity * PAIRS_PER_PARTICLE + BATCH - 1) / BATCH, ground = (capacity + BATCH - 1) / BATCH;
    const Ground *site = soil->state.grounds.site;
    size_t spawning = spawn_scratch_bytes(site->rows, site->columns, site->spacing);
    int members = soil->model.threads;
    size_t scratch = scratch_bytes((size_t)capacity, (size_t)batches * BATCH, members, spawning);
    soil->model.kernel = pair_kernel_choose(0);
    soil->scratch.visits = calloc((size_t)soil->model.threads, sizeof *soil->scratch.visits);
    soil->scratch.team = team_create(soil->model.threads);
    return soil->scratch.team != NULL && scratch_create(&soil->scratch.memory, scratch) &&
           soil->scratch.visits != NULL && pair_list_create(&soil->state.pairs, batches, capacity + 1, false) &&
           pair_list_create(&soil->derived.ground_contacts, ground, 0, true) &&
           pair_build_create(&soil->scratch.build, batches * BATCH);
}

/// Pieces of a substep in which two visits resolve the stiffest of the scene's soils at the scene's particle size.
static int count_pieces(const Soil *soil)
{
    double h = 1.0 / ((double)soil->model.scene.rates.tick_rate * soil->model.scene.rates.substeps),
           r = soil->model.particle_radius;
    double most = 0.0;
    for (int k = 0; k < soil->model.scene.soil_count; k++) {
        const SoilParams *params = &soil->model.scene.soils[k];
        double mass = params->bank_density * 4.0 * sqrt(2.0) * r * r * r; // of a sphere and its share of the pores
        most = mass > 0.0 ? fmax(most, 2.0 * h * h * params->contact_stiffness * (r / REFERENCE_RADIUS) / mass) : most;
    }
    int pieces =
        (int)ceil(sqrt(most * (double)CONTACT_LEAST_COMPLIANCE) - 0.12); // a little too stiff is made softer instead
    return pieces < 1 ? 1 : pieces > 4 ? 4 : pieces;
}

Soil *soil_create(const SceneParams *scene, uint64_t seed, SoilSolver solver, int threads, Status *status)
{
    Soil *soil = zeroed_alloc(1, sizeof *soil);
    if (soil == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the soil");
        return NULL;
    }
    soil->model.scene = *scene;
    soil->model.seed = seed;
    soil->model.solver = solver;
    threads = threads > 0 ? threads : team_count_processors();
    soil->model.threads = threads < TEAM_MOST_MEMBERS ? threads : TEAM_MOST_MEMBERS;
    soil->model.particle_radius = scene->ground.column_spacing / (2.0 * scene->particles.per_column_side);
    for (int k = 0; k < scene->soil_count; k++) {
        BearingGround ground = {&soil->model.scene.soils[k], soil->model.scene.soils[k].bank_density, 1.0};
        soil->model.yielding[k] = bearing_capacity(&ground, PINCHED_FOOTING, 0.0, 1.0);
        soil->model.tan_friction[k] = same_tan(scene->soils[k].friction_angle);
        soil->model.tan_steel[k] = same_tan(scene->soils[k].steel_friction_angle);
        soil->model.crushing[k] =
            2.0 * scene->soils[k].cohesion * same_tan(0.25 * M_PI + 0.5 * scene->soils[k].friction_angle);
    }
    soil->model.quiet_ticks = ticks_of(scene, QUIET_TIME);
    soil->model.crowded_ticks = ticks_of(scene, CROWDED_TIME);
    soil->model.lying_ticks = ticks_of(scene, LYING_TIME);
    soil->model.calm_ticks = ticks_of(scene, CALM_TIME);
    soil->model.layer_height = sqrt(2.0) * soil->model.particle_radius;
    soil->model.pieces = count_pieces(soil);
    soil->model.gravity = STANDARD_GRAVITY;
    int rows = scene_rows(&scene->ground), columns = scene_columns(&scene->ground);
    soil->state.grounds.site =
        ground_create(&soil->model.scene, &soil->model.scene.ground, seed, rows, columns, -scene->ground.bedrock_depth);
    double reach = 0.5 * fmax(scene->ground.size_x, scene->ground.size_y) + 10.0;
    bool good = soil->state.grounds.site != NULL &&
                fixtures_create(scene, soil->state.grounds.site, &soil->state.grounds.fixtures);
    good = good && face_failure_create(soil) && absorb_create(soil);
    good = good && particles_create(&soil->state.particles, scene->particles.budget);
    good = good && neighbours_create(&soil->derived.neighbours, scene->particles.budget, reach);
    bool published = solver != SOIL_SOLVER_DEFAULT;
    good = good && contacts_create(&soil->derived.contacts, &soil->state.memory, scene->particles.budget, published);
    good = good && create_lists(soil, scene->particles.budget);
    soil->scratch.cuts = calloc(SOIL_MAX_CUTS, sizeof *soil->scratch.cuts);
    soil->scratch.marks = zeroed_alloc((size_t)rows * (size_t)columns, sizeof *soil->scratch.marks);
    good = good && soil->scratch.cuts != NULL && soil->scratch.marks != NULL;
    good = good && paper_create(&soil->scratch.paper, published ? scene->particles.budget : 0);
    good = good && probe_create(&soil->derived.probe, soil->derived.contacts.body_capacity + PROBE_BEARINGS);
    if (!good) {
        soil_destroy(soil);
        status_fail(status, STATUS_LACKING, "out of memory or threads for a site of %d x %d columns and %d particles",
                    columns, rows, scene->particles.budget);
        return NULL;
    }
    if (!fill_grains(soil, status)) {
        soil_destroy(soil);
        return NULL;
    }
    return soil;
}

void soil_destroy(Soil *soil)
{
    if (soil == NULL) {
        return;
    }
    face_failure_destroy(soil);
    absorb_destroy(soil);
    grounds_destroy(&soil->state.grounds);
    particles_destroy(&soil->state.particles);
    neighbours_destroy(&soil->derived.neighbours);
    contacts_destroy(&soil->derived.contacts, &soil->state.memory);
    paper_destroy(&soil->scratch.paper);
    pair_list_destroy(&soil->state.pairs);
    pair_list_destroy(&soil->derived.ground_contacts);
    pair_build_destroy(&soil->scratch.build);
    scratch_destroy(&soil->scratch.memory);
    team_destroy(soil->scratch.team);
    free(soil->scratch.cuts);
    zeroed_free(soil->scratch.marks);
    for (int k = 0; soil->scratch.visits != NULL && k < soil->model.threads; k++) {
        pair_visits_destroy(&soil->scratch.visits[k]);
    }
    free(soil->scratch.visits);
    probe_destroy(&soil->derived.probe);
    zeroed_free(soil);
}

/// Tools first, then the walls of the trays, then fixtures: the indices stay the same for the life of the soil.
static void take_tools(Soil *soil, const SoilTool *tools, int tool_count)
{
    assert(tool_count <= SOIL_MAX_TOOLS);
    soil->derived.body_count = tool_count;
    for (int k = 0; k < tool_count; k++) {
        soil->derived.bodies[k].tool = tools[k];
        soil->derived.bodies[k].stands = false;
    }
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        SolverBody *body = &soil->derived.bodies[soil->derived.body_count++];
        body->tool = tray_body(&soil->state.grounds.trays[k]);
        body->stands = false;
    }
    for (int k = 0; k < soil->state.grounds.fixtures.count; k++) {
        SolverBody *body = &soil->derived.bodies[soil->derived.body_count++];
        body->tool = fixtures_body(&soil->state.grounds.fixtures, k);
        body->stands = true;
    }
}

/// Cells as wide as the longest pair that may meet within the tick (of the published solvers).
static double soil_choose_cell(const Soil *soil, const ParticlesExtent *extent, double dt)
{
    double fastest = extent->square, radius = fmax(extent->radius, soil->model.particle_radius);
    double skin = PAIR_SKIN * radius + 2.0 * PAIR_APPROACH * dt * sqrt(fastest); // two may close at twice the speed
    skin = skin < 0.2 * radius ? 0.2 * radius : skin > 3.0 * radius ? 3.0 * radius : skin;
    return 2.0 * radius + skin;
}

/// Measures the spheres around the bodies' shapes, once a tick.
static void bound_bodies(Soil *soil)
{
    for (int k = 0; k < soil->derived.body_count; k++) {
        SolverBody *body = &soil->derived.bodies[k];
        body->reach = tool_bounding_sphere(body->tool.shape, &body->middle);
        bool sided = body->tool.cuts && body->tool.shape->inside_count > 0 && tool_has_side_plates(body->tool.shape);
        body->plates = sided ? tool_side_plates(body->tool.shape) : 0;
    }
}

/// A box in the world, m.
typedef struct Box {
    Vec3 low, high;
} Box;

static bool is_any_within(const Particles *p, const Box *box)
{
    for (int32_t i = 0; i < p->count; i++) {
        double x = p->x[i], y = p->y[i], z = p->z[i];
        if (x > box->low.x && x < box->high.x && y > box->low.y && y < box->high.y && z > box->low.z &&
            z < box->high.z) {
            return true;
        }
    }
    return false;
}

/// The box around a body: of a fixture as it is, of others around their sphere.
static Box box_of_body(const Soil *soil, int index)
{
    const SolverBody *body = &soil->derived.bodies[index];
    const Fixtures *fixtures = &soil->state.grounds.fixtures;
    if (body->stands) {
        const Vec3 *box = fixtures->box[index - (soil->derived.body_count - fixtures->count)];
        return (Box){box[0], box[1]};
    }
    Vec3 middle = pose_apply(&body->tool.motion.frame, body->middle), reach = {body->reach, body->reach, body->reach};
    return (Box){vec3_sub(middle, reach), vec3_add(middle, reach)};
}

/// Bodies without an edge (rocks, trays, fixtures) that no particle can reach within the tick, and that wake none, take
/// no part in it.
static void find_far_bodies(Soil *soil, double dt)
{
    const Particles *p = &soil->state.particles;
    ParticlesExtent all = particles_extent(p, soil->scratch.team);
    double fastest = sqrt(all.square);
    for (int k = 0; k < soil->derived.body_count; k++) {
        SolverBody *body = &soil->derived.bodies[k];
        if (body->tool.shape->edge_width > 0.0) {
            body->far = false;
            continue;
        }
        const RigidMotion *motion = &body->tool.motion;
        double speed = vec3_length(motion->velocity) + 2.0 * body->reach * vec3_length(motion->spin);
        double margin = FAR_RADII * soil->model.particle_radius + 2.0 * dt * (fastest + speed);
        Box box = box_of_body(soil, k);
        box.low = vec3_sub(box.low, vec3(margin, margin, margin));
        box.high = vec3_add(box.high, vec3(margin, margin, margin));
        bool apart = box.low.x > all.high.x || box.high.x < all.low.x || box.low.y > all.high.y ||
                     box.high.y < all.low.y || box.low.z > all.high.z || box.high.z < all.low.z;
        body->far = apart || !is_any_within(p, &box);
    }
}

/// Forgets what changed in the last tick, for those who look on.
static void begin_marks(Soil *soil)
{
    probe_begin_tick(&soil->derived.probe);
    ground_clear_marks(soil->state.grounds.site);
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        ground_clear_marks(soil->state.grounds.trays[k].ground);
    }
}

bool soil_has_failed(const Soil *soil)
{
    bool failed = soil->derived.contact_tick.failed || soil->state.grounds.site->failed;
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        failed |= soil->state.grounds.trays[k].ground->failed;
    }
    return failed;
}

/// Lists of the published solvers.
static void begin_paper_tick(Soil *soil, const ContactSystem *contacts, double dt)
{
    int32_t *order = scratch_take(&soil->scratch.memory, "old index of each particle",
                                  (size_t)soil->state.particles.count, sizeof *order);
    ParticlesExtent extent = particles_extent(&soil->state.particles, soil->scratch.team);
    bool sorted =
        neighbours_sort(&soil->derived.neighbours, &soil->state.particles, &extent, soil_choose_cell(soil, &extent, dt),
                        order, soil->scratch.team, &soil->scratch.memory);
    scratch_give_back(&soil->scratch.memory, order);
    pair_list_clear(&soil->state.pairs);
    if (sorted) {
        paper_lists_build(&(PaperSystem){*contacts, &soil->scratch.paper}, dt);
    }
    soil->derived.contact_tick.failed |= !sorted;
}

void soil_begin_tick(Soil *soil, const SoilTool *tools, int tool_count, double dt)
{
    if (soil_has_failed(soil)) {
        return;
    }
#ifndef NDEBUG
    soil->derived.total = soil_get_ledger(soil).total;
#endif
    contact_solver_drop_rows(&soil->derived.contact_tick,
                             &soil->scratch.memory); // of a tick that was begun and never ended
    soil->derived.counters.spawned = 0;
    take_tools(soil, tools, tool_count);
    bound_bodies(soil);
    begin_marks(soil);
    Ground *site = soil->state.grounds.site;
    site->cause = SOIL_CAUSE_WEDGE;
    spawn_ahead(soil, dt);
    bearing_find_patches(&soil->derived.bearing, &soil->state.grounds, &soil->state.bearing, soil->derived.bodies,
                         soil->derived.body_count, dt);
    tray_unload(soil, dt);
    find_far_bodies(soil, dt);
    ContactSystem contacts = soil_contact_system(soil);
    if (soil->model.solver == SOIL_SOLVER_DEFAULT) {
        contact_solver_begin_tick(&contacts, dt);
    } else {
        begin_paper_tick(soil, &contacts, dt);
    }
    if (!soil_has_failed(soil)) {
        body_contacts_find(&contacts, dt);
    }
}

/// Moves a body by what it had and what the contacts of a piece of `h` seconds gave it.
static void carry_body(SolverBody *body, double h)
{
    SoilTool *tool = &body->tool;
    tool->motion.velocity = vec3_madd(tool->motion.velocity, tool->motion.inverse_mass / h, body->lambda);
    tool->motion.spin =
        vec3_madd(tool->motion.spin, 1.0 / h, mat3_mul(&tool->motion.inertia_inverse, body->lambda_moment));
    Vec3 turn = vec3_scale(tool->motion.spin, h), arm = vec3_sub(tool->motion.frame.position, tool->motion.center);
    tool->motion.center = vec3_madd(tool->motion.center, h, tool->motion.velocity);
    tool->motion.frame.position = vec3_add(tool->motion.center, vec3_add(arm, vec3_cross(turn, arm)));
    Mat3 *rotation = &tool->motion.frame.rotation;
    for (int axis = 0; axis < 3;
         axis++) { // a small turn of each of the frame's axes; the next substep brings the exact pose
        Vec3 side = vec3(rotation->m[0][axis], rotation->m[1][axis], rotation->m[2][axis]);
        side = vec3_add(side, vec3_cross(turn, side));
        rotation->m[0][axis] = side.x;
        rotation->m[1][axis] = side.y;
        rotation->m[2][axis] = side.z;
    }
}

/// Small particles are light against their stiffness: their substep is solved in several equal pieces, so that they are
/// as stiff as their soil says. The bodies' sums are the mean over the pieces.
static void solve_in_pieces(Soil *soil, const SoilTool *tools, int tool_count, double dt)
{
    Vec3 lambda[SOIL_MAX_BODIES], lambda_moment[SOIL_MAX_BODIES]; // N s2, N m s2: sums over the pieces
    double h = dt / soil->model.pieces;
    ContactSystem contacts = soil_contact_system(soil);
    for (int piece = 0; piece < soil->model.pieces; piece++) {
        contact_solver_substep(&contacts, h);
        for (int k = 0; k < soil->derived.body_count; k++) {
            SolverBody *body = &soil->derived.bodies[k];
            lambda[k] = vec3_add(piece == 0 ? vec3(0.0, 0.0, 0.0) : lambda[k], body->lambda);
            lambda_moment[k] = vec3_add(piece == 0 ? vec3(0.0, 0.0, 0.0) : lambda_moment[k], body->lambda_moment);
            carry_body(body, h);
        }
        grounds_advance_trays(&soil->state.grounds, h);
    }
    take_tools(soil, tools, tool_count);
    for (int k = 0; k < soil->derived.body_count; k++) { // from force x h^2 to force x dt^2, of the mean
        soil->derived.bodies[k].lambda = vec3_scale(lambda[k], soil->model.pieces);
        soil->derived.bodies[k].lambda_moment = vec3_scale(lambda_moment[k], soil->model.pieces);
    }
}

void soil_substep(Soil *soil, const SoilTool *tools, int tool_count, double dt, Wrench *wrenches)
{
    memset(wrenches, 0, (size_t)tool_count * sizeof *wrenches);
    if (soil_has_failed(soil)) {
        return;
    }
    take_tools(soil, tools, tool_count);
    probe_begin_substep(&soil->derived.probe, tool_count, dt);
    if (soil->model.solver == SOIL_SOLVER_DEFAULT) {
        solve_in_pieces(soil, tools, tool_count, dt);
    } else {
        PaperSystem paper = {soil_contact_system(soil), &soil->scratch.paper};
        paper_solve(&paper, dt, soil->model.solver == SOIL_SOLVER_P2);
        grounds_advance_trays(&soil->state.grounds, dt);
    }
    if (soil_has_failed(soil)) {
        return;
    }
    bearing_press(&soil->derived.bearing, soil->derived.bodies, dt, &soil->derived.probe);
    for (int k = 0; k < tool_count; k++) {
        wrenches[k].force = vec3_scale(soil->derived.bodies[k].lambda, 1.0 / (dt * dt));
        wrenches[k].moment = vec3_scale(soil->derived.bodies[k].lambda_moment, 1.0 / (dt * dt));
    }
}

/// Shows the forces of the last substep; to be called before particles are absorbed.
static void show_contacts(Soil *soil)
{
    Probe *probe = &soil->derived.probe;
    double h = probe->substep / soil->model.pieces;
    if (h <= 0.0) {
        return;
    }
    if (soil->model.solver != SOIL_SOLVER_DEFAULT) {
        paper_show_contacts(&(PaperSystem){soil_contact_system(soil), &soil->scratch.paper}, probe);
        return;
    }
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        const BodyContact *contact = &soil->derived.contacts.bodies[k];
        Vec3 held = vec3((double)contact->held[0], (double)contact->held[1], (double)contact->held[2]);
        probe_note_contact(probe, soil->derived.bodies, contact, soil->state.particles.id[contact->i],
                           vec3_scale(held, 1.0 / (h * h)));
    }
}

/// Ticks after which it is decided whether memory goes back to the system, and particles for which it is worth it.
/// Chosen: a page that went back costs a fault when it is touched again, those of 10,000 grains about a millisecond.
enum { GIVE_BACK_TICKS = 64, GIVE_BACK_LEAST = 256 };

static void give_back(Soil *soil)
{
    particles_give_back(&soil->state.particles);
    pair_list_give_back(&soil->state.pairs);
    pair_list_give_back(&soil->derived.ground_contacts);
    pair_build_give_back(&soil->scratch.build);
    neighbours_give_back(&soil->derived.neighbours, soil->state.particles.capacity);
    body_contacts_give_back(&soil->derived.contacts, &soil->state.memory);
    face_failure_give_back(soil);
    scratch_shrink(&soil->scratch.memory, (size_t)soil->state.particles.count * sizeof(Row));
}

/// Once in GIVE_BACK_TICKS: what was only needed while grains were looked for goes back when they have come to rest,
/// and all that is not in use when half of the grains are gone. So a soil that is dug all the time keeps its memory.
static void note_use(Soil *soil)
{
    SoilUse *use = &soil->scratch.use;
    const ContactTick *tick = &soil->derived.contact_tick;
    int32_t count = soil->state.particles.count;
    use->recent = count > use->recent ? count : use->recent;
    use->searching |= tick->lists > 0 || tick->late > 0 || tick->looked > count / 16;
    if (soil->state.tick % GIVE_BACK_TICKS != 0) {
        return;
    }
    use->particles = use->recent > use->particles ? use->recent : use->particles;
    use->searched |= use->searching;
    bool rests = use->searched && !use->searching, shrunk = use->recent < use->particles / 2;
    if (use->particles >= GIVE_BACK_LEAST && (rests || shrunk)) {
        give_back(soil);
        use->particles = count;
        use->searched = use->searching;
    }
    use->recent = count;
    use->searching = false;
}

void soil_end_tick(Soil *soil, const SoilTool *tools, int tool_count)
{
    if (soil_has_failed(soil)) {
        return;
    }
    take_tools(soil, tools, tool_count);
    ContactSystem contacts = soil_contact_system(soil);
    if (soil->model.solver == SOIL_SOLVER_DEFAULT) {
        contact_solver_end_tick(&contacts);
    }
    body_contacts_remember(&contacts);
    show_contacts(soil);
    bool own = soil->model.solver != SOIL_SOLVER_DEFAULT; // the published solvers have their own pairs
    int pairs = own ? soil->scratch.paper.pair_count : pair_list_count(&soil->state.pairs);
    soil->derived.counters.contacts = pairs + soil->derived.contacts.body_count;
    Ground *site = soil->state.grounds.site;
    site->cause = SOIL_CAUSE_BEARING;
    bearing_fail(&soil->derived.bearing, &soil->state.grounds);
    bearing_remember(&soil->derived.bearing, &soil->state.bearing);
    site->cause = SOIL_CAUSE_ABSORPTION;
    absorb_resting(soil);
    site->cause = SOIL_CAUSE_SLIDE;
    int slides = model_times(&soil->model, soil->state.tick, GROUND_SLIDES_A_SECOND);
    int64_t slid = soil->state.tick * GROUND_SLIDES_A_SECOND / soil->model.scene.rates.tick_rate;
    ground_slide(site, slid, slides);
    site->cause = SOIL_CAUSE_FACE;
    face_failure_step(soil);
    soil->derived.standing_count = soil->derived.plate_count = 0;
    site->cause = SOIL_CAUSE_LAB;
    soil->derived.counters.active_columns = site->active_columns;
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        tray_lean(&soil->state.grounds.trays[k]);
        ground_slide(soil->state.grounds.trays[k].ground, slid, slides);
        soil->derived.counters.active_columns += soil->state.grounds.trays[k].ground->active_columns;
    }
    if (grounds_rest_trays(&soil->state.grounds)) {
        ground_contacts_restore(&soil->derived.ground_reach, &soil->state.grounds,
                                false); // what was near a tray that moved may be so no more
    }
    soil->derived.counters.particles = soil->state.particles.count;
    soil->state.tick++;
    note_use(soil);
    assert((soil_get_ledger(soil).total == soil->derived.total || soil_has_failed(soil)) &&
           "no quantum is made or lost in a tick");
}

int soil_add_tray(Soil *soil, const SoilTray *tray, Status *status)
{
    return grounds_add_tray(&soil->model, &soil->state.grounds, tray, status);
}

bool soil_move_tray(Soil *soil, int index, const SoilTrayMotion *motion, Status *status)
{
    bool moved = grounds_move_tray(&soil->model, &soil->state.grounds, index, motion, status);
    if (moved) {
        ground_contacts_restore(&soil->derived.ground_reach, &soil->state.grounds,
                                false); // what was near the ground may be so no more
    }
    return moved;
}

void soil_press(Soil *soil, const SoilFootprint *footprint)
{
    Ground *site = soil->state.grounds.site;
    SoilCause cause = site->cause;
    site->cause = SOIL_CAUSE_BEARING;
    ground_press(site, footprint, model_tick(&soil->model));
    site->cause = cause;
}

void soil_load(Soil *soil, const SoilFootprint *footprints, int count)
{
    standing_take(soil, footprints, count);
}

void soil_shore(Soil *soil, const SoilPlate *plates, int count)
{
    assert(count >= 0 && count <= SOIL_MAX_PLATES);
    soil->derived.plate_count = count;
    for (int k = 0; k < count; k++) {
        soil->derived.plates[k] = plates[k];
    }
}

double soil_get_plate_pressure(const Soil *soil, const SoilPlate *plate)
{
    return shoring_pressure(soil, plate);
}

int soil_get_falls(const Soil *soil, const SoilFall **falls)
{
    *falls = soil->derived.falls;
    return soil->derived.fall_count;
}

int soil_get_cracks(const Soil *soil, const SoilCrack **cracks)
{
    *cracks = soil->derived.cracks;
    return soil->derived.crack_count;
}

double soil_get_track_bearing(const Soil *soil, double x, double y, double width, double depth)
{
    const Ground *site = soil->state.grounds.site;
    int row, column;
    ground_column_at(site, x, y, &row, &column);
    return ground_track_bearing(site, row, column, width, depth);
}

double soil_get_sinkage(const Soil *soil, double x, double y, double width, double pressure)
{
    const Ground *site = soil->state.grounds.site;
    int row, column;
    ground_column_at(site, x, y, &row, &column);
    return sinkage_depth(&site->soils[ground_top_soil(site, row, column)], width, pressure);
}

double soil_get_bearing(const Soil *soil, double x, double y, double width, double depth, double down)
{
    const Ground *site = soil->state.grounds.site;
    int row, column;
    ground_column_at(site, x, y, &row, &column);
    double looseness = ground_looseness(site, row, column, fmax(width, site->spacing));
    BearingGround ground = {&site->soils[ground_top_soil(site, row, column)], ground_top_density(site, row, column),
                            1.0 - looseness};
    return bearing_capacity(&ground, width, STANDARD_GRAVITY * ground.density * fmax(depth, 0.0), down);
}

void soil_indent(Soil *soil, int row, int column, double height, double pressure, double width, double x, double y)
{
    Ground *site = soil->state.grounds.site;
    int index = ground_index(site, row, column);
    if ((double)site->height[index] <= height || ground_is_inside_fixture(site, row, column)) {
        return;
    }
    ground_compact(site, row, column, pressure, width, (double)site->height[index] - height);
    ground_move_aside(site, row, column, (double)site->height[index] - fmax(height, ground_lowest(site, row, column)),
                      x, y, 2.0 * site->spacing);
}

#define MOST_LEFT 1000000000000000LL ///< quanta of a soil: more than any site holds

/// A restored state whose numbers could not have been written by this program is refused before anything uses it.
static bool is_restorable(const Soil *soil)
{
    double reach = 0.5 * fmax(soil->model.scene.ground.size_x, soil->model.scene.ground.size_y) + 1000.0;
    for (int k = 0; k < SOIL_MAX_TOOLS; k++) {
        const Vec3 *way = &soil->state.ways[k];
        if (!(fmax(fmax(fabs(way->x), fabs(way->y)), fabs(way->z)) < 1.001) || isnan(way->x + way->y + way->z)) {
            return false;
        }
    }
    for (int k = 0; k < SCENE_MAX_SOILS; k++) {
        if (soil->state.left[k] < 0 || soil->state.left[k] > MOST_LEFT) {
            return false;
        }
    }
    for (int k = 0; k < SOIL_MAX_FOOTPRINTS; k++) {
        if (!(soil->state.borne[k] >= 0.0 && soil->state.borne[k] <= STANDING_MOST)) {
            return false;
        }
    }
    return particles_are_valid(&soil->state.particles, soil->model.scene.soil_count, reach) &&
           contact_memory_is_valid(&soil->state.memory) && bearing_memory_is_valid(&soil->state.bearing);
}

void soil_visit(Soil *soil, StateVisitor *visitor)
{
    int32_t trays = soil->state.grounds.tray_count;
    uint8_t ground_lasts = ground_contacts_last(&soil->derived.ground_reach, &soil->state.grounds);
    STATE_VISIT(visitor, "soil.tick", soil->state.tick);
    STATE_VISIT(visitor, "soil.trays", trays);
    STATE_VISIT(visitor, "soil.ground_lasts", ground_lasts);
    if (visitor->restoring && trays != soil->state.grounds.tray_count) {
        visitor->failed = true;
        return;
    }
    particles_visit(&soil->state.particles, visitor);
    contact_memory_visit(&soil->state.memory, visitor);
    bearing_memory_visit(&soil->state.bearing, visitor);
    state_visit_array(visitor, "soil.left", soil->state.left, sizeof *soil->state.left, SCENE_MAX_SOILS);
    state_visit_array(visitor, "soil.ways", soil->state.ways, sizeof *soil->state.ways, SOIL_MAX_TOOLS);
    state_visit_array(visitor, "soil.borne", soil->state.borne, sizeof *soil->state.borne, SOIL_MAX_FOOTPRINTS);
    pair_list_visit(&soil->state.pairs, visitor, soil->state.particles.count, soil->state.particles.capacity);
    if (visitor->restoring && !visitor->failed && !is_restorable(soil)) {
        visitor->failed = true;
        return;
    }
    if (visitor->restoring && !visitor->failed) {
        pair_list_refresh(&soil->state.pairs, &soil->model, &soil->state.particles);
    }
    ground_visit(soil->state.grounds.site, visitor);
    grounds_visit_trays(&soil->model, &soil->state.grounds, visitor);
    face_age_visit(&soil->state.face_age, soil->state.grounds.site, visitor);
    if (visitor->restoring && !visitor->failed) {
        ground_contacts_restore(&soil->derived.ground_reach, &soil->state.grounds, ground_lasts != 0);
    }
    if (visitor->restoring) {
        soil->derived.contact_tick.failed &= visitor->failed;
        begin_marks(soil);
        probe_forget(&soil->derived.probe);
        soil->derived.standing_count = soil->derived.plate_count = 0;
        soil->derived.fall_count = soil->derived.crack_count = 0;
        soil->derived.counters = (SoilCounters){.particles = soil->state.particles.count};
        soil->derived.contact_tick.lists = 0;
    }
}

/// ---- getters -------------------------------------------------------------------------------------------------------
/// What is asked of a soil from outside: its ledger, surface, loads, grids and particles, and what the last tick did.
///
/// Nothing here changes the soil but soil_clear_dirty, and soil_get_gain, which uses a scratch of the ground's tiles
/// (exchange/gain.c).

int64_t soil_get_left(const Soil *soil)
{
    int64_t left = 0;
    for (int k = 0; k < SCENE_MAX_SOILS; k++) {
        left += soil->state.left[k];
    }
    return left;
}

SoilLedger soil_get_ledger(const Soil *soil)
{
    const Grounds *grounds = &soil->state.grounds;
    SoilLedger ledger = {.ground = ground_total(grounds->site), .particles = particles_total(&soil->state.particles)};
    for (int k = 0; k < grounds->tray_count; k++) {
        ledger.trays += ground_total(grounds->trays[k].ground);
    }
    ledger.left = soil_get_left(soil);
    ledger.total = ledger.ground + ledger.particles + ledger.trays + ledger.left;
    return ledger;
}

SoilCounters soil_get_counters(const Soil *soil)
{
    SoilCounters counters = soil->derived.counters;
    counters.asleep = soil->derived.contact_tick.asleep;
    counters.lists = soil->derived.contact_tick.lists;
    counters.looked = soil->derived.contact_tick.looked;
    counters.late = soil->derived.contact_tick.late;
    return counters;
}

SoilSurface soil_get_surface(const Soil *soil, double x, double y)
{
    SoilSurface surface;
    int row, column;
    surface.height = ground_surface(soil->state.grounds.site, x, y, &surface.normal);
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    surface.looseness = ground_looseness(soil->state.grounds.site, row, column, 0.2);
    surface.soil = ground_top_soil(soil->state.grounds.site, row, column);
    return surface;
}

SoilBase soil_get_base(const Soil *soil, Vec3 at)
{
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    return (SoilBase){support.height, support.normal,
                      support.tray != NULL ? (int)(support.tray - soil->state.grounds.trays) : -1};
}

double soil_get_height(const Soil *soil, double x, double y)
{
    return ground_height(soil->state.grounds.site, x, y);
}

double soil_get_firm_height(const Soil *soil, double x, double y)
{
    int row, column;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    return ground_firm_top(soil->state.grounds.site, row, column);
}

double soil_get_cover(const Soil *soil, double x, double y, int *under)
{
    int row, column;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    const Ground *site = soil->state.grounds.site;
    return ground_cover(site, row, column, ground_firm_top(site, row, column), under);
}

int soil_get_layers(const Soil *soil, double x, double y, SoilLayer layers[SOIL_MAX_LAYERS])
{
    int row, column;
    ground_column_at(soil->state.grounds.site, x, y, &row, &column);
    return ground_profile_layers(soil->state.grounds.site, row, column, layers);
}

Pose soil_get_tray_frame(const Soil *soil, int index)
{
    return soil->state.grounds.trays[index].frame;
}

const SoilTray *soil_get_tray(const Soil *soil, int index, SoilTrayMotion *motion)
{
    if (index < 0 || index >= soil->state.grounds.tray_count) {
        return NULL;
    }
    const Tray *tray = &soil->state.grounds.trays[index];
    *motion = (SoilTrayMotion){
        .frame = tray->frame, .velocity = tray->velocity, .spin = tray->spin, .tail_open = tray->tail_open};
    return &tray->params;
}

/// Adds quanta at a place (m) to a sum of quanta and one of quanta times place.
static void add_mass(int64_t mass, Vec3 at, int64_t *quanta, Vec3 *moment)
{
    *quanta += mass;
    *moment = vec3_madd(*moment, (double)mass, at);
}

/// What is settled in a tray: a column's mass is taken to lie evenly from the floor to its top.
static void add_settled(const Tray *tray, int64_t *quanta, Vec3 *moment)
{
    const Ground *ground = tray->ground;
    for (int index = 0; index < ground->tile_rows * ground->tile_columns; index++) {
        const GroundTile *tile = ground->tiles[index];
        for (int slot = 0; tile != NULL && slot < GROUND_TILE * GROUND_TILE; slot++) {
            int64_t mass = 0;
            for (int k = 0; k < tile->count[slot]; k++) {
                mass += tile->mass[slot][k];
            }
            if (mass == 0) {
                continue;
            }
            int row = index / ground->tile_columns * GROUND_TILE + slot / GROUND_TILE;
            int column = index % ground->tile_columns * GROUND_TILE + slot % GROUND_TILE;
            double top = (double)ground->height[ground_index(ground, row, column)] - tray->params.floor;
            add_mass(
                mass,
                vec3(ground->origin_x + column * ground->spacing, ground->origin_y + row * ground->spacing, 0.5 * top),
                quanta, moment);
        }
    }
}

double soil_get_tray_load(const Soil *soil, int index, Vec3 *center)
{
    *center = vec3(0.0, 0.0, 0.0);
    if (index < 0 || index >= soil->state.grounds.tray_count) {
        return 0.0;
    }
    const Tray *tray = &soil->state.grounds.trays[index];
    const Particles *p = &soil->state.particles;
    int64_t quanta = 0;
    Vec3 moment = vec3(0.0, 0.0, 0.0);
    add_settled(tray, &quanta, &moment);
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        if (tray_carries(soil, tray, at)) {
            add_mass(p->mass[i], pose_apply_inverse(&tray->frame, at), &quanta, &moment);
        }
    }
    if (quanta > 0) {
        *center = vec3_scale(moment, 1.0 / (double)quanta);
    }
    return (double)quanta * SOIL_QUANTUM;
}

double soil_get_tray_mass(const Soil *soil, int index)
{
    Vec3 center;
    return soil_get_tray_load(soil, index, &center);
}

static SoilGridView grid_of(const Ground *ground)
{
    return (SoilGridView){.rows = ground->rows,
                          .columns = ground->columns,
                          .spacing = ground->spacing,
                          .origin_x = ground->origin_x,
                          .origin_y = ground->origin_y,
                          .height = ground->height,
                          .soil = ground->top_soil,
                          .loose = ground->top_fresh,
                          .border = ground->border,
                          .version = ground->version,
                          .dirty_row_min = ground->dirty[0],
                          .dirty_row_max = ground->dirty[1],
                          .dirty_column_min = ground->dirty[2],
                          .dirty_column_max = ground->dirty[3]};
}

SoilGridView soil_get_grid(const Soil *soil)
{
    return grid_of(soil->state.grounds.site);
}

SoilGridView soil_get_tray_grid(const Soil *soil, int index)
{
    assert(index >= 0 && index < soil->state.grounds.tray_count);
    return grid_of(soil->state.grounds.trays[index].ground);
}

void soil_clear_dirty(Soil *soil)
{
    ground_clear_dirty(soil->state.grounds.site);
    for (int k = 0; k < soil->state.grounds.tray_count; k++) {
        ground_clear_dirty(soil->state.grounds.trays[k].ground);
    }
}

SoilParticleView soil_get_particles(const Soil *soil)
{
    const Particles *p = &soil->state.particles;
    return (SoilParticleView){.count = p->count,
                              .x = p->x,
                              .y = p->y,
                              .z = p->z,
                              .radius = p->radius,
                              .soil = p->soil,
                              .id = p->id,
                              .vx = p->vx,
                              .vy = p->vy,
                              .vz = p->vz,
                              .mass = p->mass};
}

double soil_get_payload(const Soil *soil, const SoilTool *tool, int *count)
{
    int inside;
    int64_t quanta = payload_measure(tool, &soil->state.particles, &inside);
    if (count != NULL) {
        *count = inside;
    }
    return (double)quanta * SOIL_QUANTUM;
}

bool soil_is_on_site(const Soil *soil, const SoilTool *tools, int tool_count, Vec3 at)
{
    for (int k = 0; k < tool_count; k++) {
        if (tool_carries(&tools[k], at)) {
            return false;
        }
    }
    return support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z).tray == NULL;
}

SoilGain soil_get_gain(Soil *soil, const SoilGainQuery *query)
{
    return gain_count(soil, query);
}

SoilGain soil_get_tray_gain(const Soil *soil, int index)
{
    return index >= 0 && index < soil->state.grounds.tray_count ? gain_of_tray(soil, &soil->state.grounds.trays[index])
                                                                : (SoilGain){0};
}

int64_t soil_get_spill(Soil *soil, const SoilPlace *places, int count, double least)
{
    return gain_count(soil, &(SoilGainQuery){.places = places, .count = count, .least = least}).quanta;
}

double soil_get_dense_thickness(const Soil *soil, int row, int column, double low, double high, double share)
{
    return ground_dense_thickness(soil->state.grounds.site, row, column, low, high, share);
}

bool soil_is_stirred(const Soil *soil, const SoilPlace *places, int count, int64_t least)
{
    return rest_is_stirred(soil, NULL, places, count, least);
}

bool soil_tray_is_stirred(const Soil *soil, int index, int64_t least)
{
    return index >= 0 && index < soil->state.grounds.tray_count &&
           rest_is_stirred(soil, &soil->state.grounds.trays[index], NULL, 0, least);
}

void soil_get_rest(const Soil *soil, SoilGrains grains, float *heights)
{
    rest_lay_down(soil, grains, heights);
}

SoilToolContactView soil_get_tool_contacts(const Soil *soil)
{
    return (SoilToolContactView){soil->derived.probe.contact_count, soil->derived.probe.contacts};
}

int soil_get_wedge(const Soil *soil, int oldest, SoilCutColumn *columns, int capacity)
{
    const Probe *probe = &soil->derived.probe;
    int64_t known = probe->cut_count < PROBE_CUTS ? probe->cut_count : PROBE_CUTS;
    int count = 0;
    for (int64_t k = probe->cut_count - 1; k >= probe->cut_count - known && count < capacity; k--) {
        const ProbeCut *cut = &probe->cuts[k % PROBE_CUTS];
        int64_t age = soil->state.tick - 1 - cut->tick;
        if (age > oldest) {
            break;
        }
        columns[count++] = (SoilCutColumn){cut->row, cut->column, (double)cut->floor, (double)cut->top, age};
    }
    return count;
}

int soil_get_yields(const Soil *soil, const Vec3 **places)
{
    *places = soil->derived.probe.yields;
    return soil->derived.probe.yield_count;
}

int soil_get_active_tiles(const Soil *soil, int tray, SoilActiveTile *tiles, int capacity)
{
    if (tray >= soil->state.grounds.tray_count) {
        return 0;
    }
    const Ground *ground = tray < 0 ? soil->state.grounds.site : soil->state.grounds.trays[tray].ground;
    int count = 0;
    for (int k = 0; k < ground->tile_rows * ground->tile_columns && count < capacity; k++) {
        const GroundTile *tile = ground->tiles[k];
        const GroundMark *mark = &ground->marks[k];
        bool slides = tile != NULL && tile->sliding;
        if (!slides && mark->end_row == 0) {
            continue;
        }
        int row = k / ground->tile_columns * GROUND_TILE, column = k % ground->tile_columns * GROUND_TILE;
        int rows = ground->rows - row, columns = ground->columns - column;
        tiles[count++] = (SoilActiveTile){.row = row,
                                          .column = column,
                                          .rows = rows < GROUND_TILE ? rows : GROUND_TILE,
                                          .columns = columns < GROUND_TILE ? columns : GROUND_TILE,
                                          .slides = slides,
                                          .changed_row = row + mark->first_row,
                                          .changed_column = column + mark->first_column,
                                          .changed_rows = mark->end_row - mark->first_row,
                                          .changed_columns = mark->end_column - mark->first_column};
    }
    return count;
}

bool soil_is_finite(const Soil *soil)
{
    return particles_are_finite(&soil->state.particles);
}
