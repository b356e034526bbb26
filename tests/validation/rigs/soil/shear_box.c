/// The direct shear box itself.
#include "tests/validation/rigs/soil/shear_box.h"

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/pressed_plate.h"
#include "tests/validation/rigs/soil/apparatus.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// The tools of the box, in the order in which the soil knows them.
enum { LOWER_RING, FLOOR_PLATE, UPPER_RING, LID, BOX_TOOLS };

/// Friction of the two plates that grip the specimen. Particles do not roll: a plate that none can slide on drags the
/// whole layer that touches it, as the ribbed plates of a real box do.
#define GRIP 10.0
/// Diameters: their ribs. Grains lie in even layers along a plane plate, and the specimen would fail between the first
/// two.
#define RIB_DEPTH   1.5
#define RIB_WIDTH   0.5
#define RIB_SPACING 6.0

/// A box at work.
typedef struct Bench {
    const ShearBox *box;
    Soil *soil;
    ToolShape shapes[BOX_TOOLS];
    SoilTool tools[BOX_TOOLS];
    Wrench mean[BOX_TOOLS]; ///< of the last tick
    double length, width, height; ///< m
    Grains grains;
    PressedPlate lid; ///< its own weight is part of its load; it neither turns nor moves sideways by itself
} Bench;

/// Four walls around the specimen from `low` to `high`. They are thicker than the travel: the halves never open a gap.
static ToolShape ring_shape(const Bench *bench, double low, double high)
{
    double l = 0.5 * bench->length, w = 0.5 * bench->width;
    double t = 2.0 * bench->box->radius * (bench->box->travel + 2.0);
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 4;
    shape.pieces[0] = block_piece(-l - t, l + t, w, w + t, low, high);
    shape.pieces[1] = block_piece(-l - t, l + t, -w - t, -w, low, high);
    shape.pieces[2] = block_piece(l, l + t, -w, w, low, high);
    shape.pieces[3] = block_piece(-l - t, -l, -w, w, low, high);
    shape.edge_width = 1.0;
    return shape;
}

/// A plate whose upper or lower face has ribs across the way it is sheared.
static ToolShape ribbed_plate_shape(const Bench *bench, double low, double high, bool up)
{
    double l = 0.5 * bench->length, w = 0.5 * bench->width;
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 1;
    shape.pieces[0] = block_piece(-l, l, -w, w, low, high);
    double d = 2.0 * bench->box->radius, deep = RIB_DEPTH * d, half = 0.5 * RIB_WIDTH * d;
    double root = up ? high : low - deep, tip = up ? high + deep : low;
    int ribs = (int)fmax(1.0, bench->length / (RIB_SPACING * d) + 0.5);
    for (int k = 0; k < ribs && shape.piece_count < TOOL_MAX_PIECES; k++) {
        double x = l * ((2.0 * k + 1.0) / ribs - 1.0);
        shape.pieces[shape.piece_count++] = block_piece(x - half, x + half, -w, w, root, tip);
    }
    shape.edge_width = 1.0;
    return shape;
}

/// The plane of shear is z = 0, in the middle of the specimen.
static void build_box(Bench *bench)
{
    double r = bench->box->radius, half = 0.5 * bench->height;
    bench->shapes[LOWER_RING] = ring_shape(bench, -half - 4.0 * r, 0.0);
    bench->shapes[FLOOR_PLATE] = ribbed_plate_shape(bench, -half - 6.0 * r, -half, true);
    bench->shapes[UPPER_RING] = ring_shape(bench, 0.0, 8.0 * bench->height);
    bench->shapes[LID] = ribbed_plate_shape(bench, 0.0, 6.0 * r, false);
    for (int k = 0; k < BOX_TOOLS; k++) {
        memset(&bench->tools[k], 0, sizeof bench->tools[k]);
        bench->tools[k].shape = &bench->shapes[k];
        bench->tools[k].motion.frame.rotation = mat3_identity();
    }
    bench->tools[FLOOR_PLATE].steel_friction = bench->tools[LID].steel_friction = GRIP;
}

/// Fills the box with grains that then fall together; the lid hangs above them. They are scattered: specimens are alike
/// in density.
static int pour(Bench *bench)
{
    int count = packing_count(&bench->grains, bench->length * bench->width * bench->height);
    PackingSpace space = {.length = bench->length, .width = bench->width, .scattered = true};
    packing_fill(bench->soil, &bench->grains, &space, -0.5 * bench->height, count, bench->box->seed);
    bench->tools[LID].motion.frame.position.z = bench->tools[LID].motion.center.z = packing_top(bench->soil) + 1.0;
    return count;
}

/// One tick of the soil; the upper half moves at `speed`.
static void tick(Bench *bench, double speed)
{
    const SceneRates *rates = &bench->box->scene.rates;
    double dt = 1.0 / rates->tick_rate, h = dt / rates->substeps;
    SoilTool *tools = bench->tools;
    memset(bench->mean, 0, sizeof bench->mean);
    tools[UPPER_RING].motion.velocity.x = tools[LID].motion.velocity.x = speed;
    soil_begin_tick(bench->soil, tools, BOX_TOOLS, dt);
    for (int k = 0; k < rates->substeps; k++) {
        Wrench wrenches[BOX_TOOLS];
        soil_substep(bench->soil, tools, BOX_TOOLS, h, wrenches);
        for (int b = 0; b < BOX_TOOLS; b++) {
            bench->mean[b].force = vec3_madd(bench->mean[b].force, 1.0 / rates->substeps, wrenches[b].force);
            tools[b].motion.frame.position = vec3_madd(tools[b].motion.frame.position, h, tools[b].motion.velocity);
            tools[b].motion.center = tools[b].motion.frame.position;
        }
        double *rising = &tools[LID].motion.velocity.z;
        *rising = pressed_plate_speed(&bench->lid, *rising, wrenches[LID].force.z, h);
    }
    soil_end_tick(bench->soil, tools, BOX_TOOLS);
}

/// Kinetic energy a particle would need to rise by this share of its radius counts as rest.
static bool at_rest(const Bench *bench)
{
    SoilParticleView p = soil_get_particles(bench->soil);
    double sum = 0.0;
    for (int i = 0; i < p.count; i++) {
        sum += p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i];
    }
    return sum / p.count < 2.0 * STANDARD_GRAVITY * 1e-6 * bench->box->radius &&
           fabs(bench->tools[LID].motion.velocity.z) < 1e-3;
}

static void settle(Bench *bench, double least, double most)
{
    int rate = bench->box->scene.rates.tick_rate;
    for (int k = 0; k < (int)(most * rate); k++) {
        tick(bench, 0.0);
        if (k >= (int)(least * rate) && at_rest(bench)) {
            break;
        }
    }
}

/// Stresses on the plane of shear, where the two halves still lie over each other. The soil above is in balance:
/// sideways it is pushed by the upper ring and the lid; down by the lid, less what the lower ring's rim carries beyond
/// the plane.
static ShearSample stresses(const Bench *bench, double travel)
{
    const Wrench *ring = &bench->mean[UPPER_RING], *lid = &bench->mean[LID], *rim = &bench->mean[LOWER_RING];
    double area = bench->width * (bench->length - travel);
    return (ShearSample){.travel = travel,
                         .shear = -(ring->force.x + lid->force.x) / area,
                         .normal = (lid->force.z + rim->force.z) / area};
}

static void add_sample(ShearSample *sum, const ShearSample *sample, double share)
{
    sum->travel += share * sample->travel;
    sum->shear += share * sample->shear;
    sum->normal += share * sample->normal;
    sum->lift += share * sample->lift;
}

static ShearSample mean_of(const ShearTest *test, int first, int count)
{
    ShearSample mean = {0};
    for (int k = first; k < first + count; k++) {
        add_sample(&mean, &test->samples[k], 1.0 / count);
    }
    return mean;
}

/// Peak of a running mean over a sixteenth of the travel: a single grain that jumps is no strength.
static void find_strength(ShearTest *test)
{
    int window = test->sample_count / 16 > 0 ? test->sample_count / 16 : 1;
    int last = test->sample_count / 4 > 0 ? test->sample_count / 4 : 1;
    test->peak = mean_of(test, 0, window);
    for (int k = 1; k + window <= test->sample_count; k++) {
        ShearSample mean = mean_of(test, k, window);
        if (mean.shear > test->peak.shear) {
            test->peak = mean;
        }
    }
    test->residual = mean_of(test, test->sample_count - last, last);
}

static void shear_specimen(Bench *bench, ShearTest *test)
{
    const ShearBox *box = bench->box;
    double dt = 1.0 / box->scene.rates.tick_rate, travel = 2.0 * box->radius * box->travel;
    int ticks = (int)(travel / (box->speed * dt) + 0.5);
    int samples = ticks < SHEAR_MAX_SAMPLES ? ticks : SHEAR_MAX_SAMPLES;
    double start = bench->tools[LID].motion.frame.position.z;
    int done = 0;
    for (int s = 0; s < samples; s++) {
        int end = (int)((int64_t)(s + 1) * ticks / samples), first = done;
        ShearSample sum = {0};
        for (; done < end; done++) {
            tick(bench, box->speed);
            ShearSample sample = stresses(bench, bench->tools[UPPER_RING].motion.frame.position.x);
            sample.lift = bench->tools[LID].motion.frame.position.z - start;
            add_sample(&sum, &sample, 1.0 / (end - first));
        }
        test->samples[s] = sum;
    }
    test->sample_count = samples;
}

static bool create_soil(Bench *bench, const SceneParams *scene, Status *status)
{
    bench->soil = soil_create(scene, bench->box->seed, bench->box->solver, bench->box->threads, status);
    return bench->soil != NULL;
}

/// Takes the grains over into a soil whose contacts have the true parameters. The lid stays where it is: the springs
/// carry the same load there again.
static bool exchange_soil(Bench *bench, Status *status)
{
    Soil *old = bench->soil;
    if (!create_soil(bench, &bench->box->scene, status)) {
        bench->soil = old;
        return false;
    }
    packing_copy(bench->soil, old, -HUGE_VAL, 0.0);
    soil_destroy(old);
    return true;
}

/// Fills, loads and bonds the specimen. It is poured dry: adhesion, which would make grains stick as they fall, comes
/// with the bonds of undisturbed soil.
static bool prepare(Bench *bench, ShearTest *test, Status *status)
{
    const ShearBox *box = bench->box;
    bool cohesive = box->scene.soils[0].contact_adhesion > 0.0;
    SceneParams dry = box->scene;
    dry.soils[0].contact_adhesion = 0.0;
    dry.soils[0].contact_friction =
        fmin(dry.soils[0].contact_friction, dry.soils[0].contact_bond_friction); // as dense as undisturbed soil
    if (!create_soil(bench, &dry, status)) {
        return false;
    }
    test->particles = pour(bench);
    settle(bench, 1.0, 4.0); // the lid hangs above, without load
    double top =
        packing_top(bench->soil) + 2.0 * RIB_DEPTH * box->radius + 1.1 * box->radius * (1.0 + bench->grains.spread);
    bench->tools[LID].motion.frame.position.z = bench->tools[LID].motion.center.z = top;
    bench->lid.load = test->pressure * bench->length * bench->width;
    settle(bench, 3.0, 8.0);
    if (cohesive) {
        if (!exchange_soil(bench, status)) {
            return false;
        }
        settle(bench, 0.5, 2.0);
    }
    soil_set_gravity(bench->soil, 0.0);
    settle(bench, 0.2, 2.0);
    if (cohesive) {
        soil_bond(bench->soil);
        settle(bench, 0.2, 1.0);
    }
    double depth = bench->tools[LID].motion.frame.position.z + 0.5 * bench->height;
    double grains = test->particles * packing_grain_mass(&bench->grains) / bench->grains.solid_density;
    test->solid = grains / (bench->length * bench->width * depth);
    return true;
}

ShearBox shear_box(const SceneParams *scene, SoilSolver solver, uint64_t seed, int threads, double radius)
{
    return (ShearBox){.scene = *scene,
                      .solver = solver,
                      .seed = seed,
                      .threads = threads,
                      .radius = radius,
                      .length = 48.0,
                      .width = 16.0,
                      .height = 8.0,
                      .speed = 0.125,
                      .travel = 5.0,
                      .specimens = 4};
}

static bool shear_one(const ShearBox *box, uint64_t seed, double pressure, ShearTest *test, Status *status)
{
    double d = 2.0 * box->radius;
    ShearBox own = *box;
    own.seed = seed;
    SoilParams *params = &own.scene.soils[0];
    // Only the plates' own friction counts here, and nothing sticks to them.
    params->steel_friction_angle = M_PI / 4.0;
    params->steel_adhesion = 0.0;
    Bench bench = {.box = &own, .length = box->length * d, .width = box->width * d, .height = box->height * d};
    bench.grains = packing_grains(params, box->radius);
    packing_fit_scene(&own.scene, &bench.grains);
    own.scene.particles.budget = packing_count(&bench.grains, bench.length * bench.width * bench.height);
    bench.lid = pressed_plate(params, bench.length * bench.width, bench.height, 1.0);
    memset(test, 0, sizeof *test);
    test->pressure = pressure;
    build_box(&bench);
    bool good = prepare(&bench, test, status);
    if (good) {
        shear_specimen(&bench, test);
    }
    soil_destroy(bench.soil);
    return good;
}

bool shear_test(const ShearBox *box, double pressure, ShearTest *test, Status *status)
{
    ShearTest one;
    memset(test, 0, sizeof *test);
    test->pressure = pressure;
    for (int n = 0; n < box->specimens; n++) {
        if (!shear_one(box, box->seed * 64 + (uint64_t)n, pressure, &one, status)) {
            return false;
        }
        double share = 1.0 / box->specimens;
        test->particles = one.particles;
        test->solid += share * one.solid;
        test->sample_count = one.sample_count;
        for (int k = 0; k < one.sample_count; k++) {
            add_sample(&test->samples[k], &one.samples[k], share);
        }
    }
    find_strength(test);
    return true;
}

ShearLine shear_line(const ShearTest *tests, int count, bool residual)
{
    double normal[SHEAR_MAX_TESTS], shear[SHEAR_MAX_TESTS];
    assert(count <= SHEAR_MAX_TESTS);
    for (int k = 0; k < count; k++) {
        const ShearSample *sample = residual ? &tests[k].residual : &tests[k].peak;
        normal[k] = sample->normal;
        shear[k] = sample->shear;
    }
    FittedLine line = fit_line(normal, shear, count);
    return (ShearLine){.friction_angle = atan(line.slope), .cohesion = line.intercept, .r2 = line.r2};
}
