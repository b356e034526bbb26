/// Particles alone: a slice of bonded grains between smooth walls, behind a gate that is taken away.
///
/// Grains are poured without adhesion, take on the soil's contacts, come to rest, and are bonded (as in the shear box).
/// Their bulk density is less than that of the bank, and it is measured. What decides is rho g H / c: as in a
/// geotechnical centrifuge the weight is raised instead of the height, so that one block has every height. It has to
/// stand for the time of the test at 0.90 of Culmann's weight; then its weight grows by 0.02 of the critical in a
/// second until the wedge has moved. Moved: the mass of the grains that are farther than a diameter from where they
/// were when the weight began to grow (or when the test began), over the mass of Culmann's wedge. Half of it is a
/// failure, and less than a twentieth is none. Blocks alike in all but their packing fail at heights that scatter by a
/// tenth: the mean over several is judged.
///
/// The contacts of a soil are fitted to its file by direct shear, and the plane of direct shear is not the plane on
/// which the ratio of shear to normal stress is the largest: it does not stretch, and in soil that shears without
/// change of volume it shows tan(phi_ds) = sin(phi), c_ds = c cos(phi) of the soil's true phi and c (Davis 1968, in
/// Soil Mechanics: Selected Topics, ed. Lee). What fails is noted over Culmann's height with these, too; it is not
/// judged by it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/rigs/soil/cut_block.h"
#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/vessel.h"

#define THICK       1.0 ///< m: of plates and walls
#define WIDTH       6.0 ///< diameters between the side walls
#define BEHIND      0.4 ///< heights between the wedge and the wall behind it
#define POURED_BULK 0.80 ///< of the bank density, to choose the height by
#define GRIP        10.0 ///< friction of the base, over that of steel
#define RAMP        0.02 ///< of the critical weight, a second
#define STANDS      0.05 ///< share of the wedge that may move
#define FALLS       0.5 ///< share of the wedge that has moved when it has failed

enum { BASE, SIDES, BACK, GATE, TOOLS };

typedef struct Block {
    const Cut *cut;
    SceneParams scene;
    Soil *soil;
    Grains grains;
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
    double height, length, width; ///< m; the foot of the face is at x = 0
    double density; ///< kg/m3, measured
    double wedge; ///< kg of Culmann's wedge
    double (*start)[3]; ///< [id] m: where each grain was
    uint64_t seed; ///< of the packing
} Block;

/// The gate's face has the cut's angle; the wall behind and the sides are smooth.
static void build_walls(Block *block, double angle)
{
    double w = 0.5 * block->width, high = 3.0 * block->height, end = block->length + THICK;
    memset(block->shapes, 0, sizeof block->shapes);
    vessel_add_box(&block->shapes[BASE], vec3(-2.0 * block->height, -w - THICK, -THICK), vec3(end, w + THICK, 0.0));
    vessel_add_box(&block->shapes[SIDES], vec3(-2.0 * block->height, w, -THICK), vec3(end, w + THICK, high));
    vessel_add_box(&block->shapes[SIDES], vec3(-2.0 * block->height, -w - THICK, -THICK), vec3(end, -w, high));
    vessel_add_box(&block->shapes[BACK], vec3(block->length, -w, 0.0), vec3(end, w, high));
    block->tools[BASE] = vessel_tool(&block->shapes[BASE], vec3(0, 0, 0), GRIP);
    block->tools[SIDES] = vessel_tool(&block->shapes[SIDES], vec3(0, 0, 0), 0.0);
    block->tools[BACK] = vessel_tool(&block->shapes[BACK], vec3(0, 0, 0), 0.0);
    double back = high / tan(angle);
    block->shapes[GATE].piece_count = 1;
    block->shapes[GATE].pieces[0] = (ToolPiece){.corner_count = 4,
                                                .corners = {{-THICK, 0.0}, {0.0, 0.0}, {back, high}, {-THICK, high}},
                                                .y_min = -w,
                                                .y_max = w};
    memset(&block->tools[GATE], 0, sizeof block->tools[GATE]);
    block->tools[GATE].shape = &block->shapes[GATE];
    block->tools[GATE].motion.frame.rotation = mat3_identity();
}

static void keep_places(Block *block)
{
    SoilParticleView p = soil_get_particles(block->soil);
    for (int k = 0; k < p.count; k++) {
        double *at = block->start[p.id[k]];
        at[0] = p.x[k];
        at[1] = p.y[k];
        at[2] = p.z[k];
    }
}

static double moved(const Block *block)
{
    SoilParticleView p = soil_get_particles(block->soil);
    double mass = 0.0, far = 2.0 * block->grains.radius;
    for (int k = 0; k < p.count; k++) {
        const double *at = block->start[p.id[k]];
        double x = p.x[k] - at[0], y = p.y[k] - at[1], z = p.z[k] - at[2];
        mass += x * x + y * y + z * z > far * far ? p.mass[k] * SOIL_QUANTUM : 0.0;
    }
    return mass / block->wedge;
}

/// Pours the block upright and dry, and measures its density.
static Soil *pour_block(Run *run, Block *block)
{
    SceneParams dry = block->scene;
    SoilParams *soil = &dry.soils[0];
    soil->contact_adhesion = 0.0;
    soil->contact_friction = fmin(soil->contact_friction, soil->contact_bond_friction); // as dense as undisturbed soil
    Soil *poured = run_create_soil(run, &dry);
    if (poured == NULL) {
        return NULL;
    }
    build_walls(block, 0.5 * M_PI);
    int count = packing_count(&block->grains, block->length * block->width * block->height);
    PackingSpace space = {.x = 0.5 * block->length, .length = block->length, .width = block->width};
    packing_pour(poured, &dry, block->tools, TOOLS, &block->grains, &space, count, block->seed, 4.0);
    block->height = packing_height(poured, 0.0);
    double mass = (double)soil_get_ledger(poured).particles * SOIL_QUANTUM;
    block->density = mass / (block->length * block->width * block->height);
    return poured;
}

/// Carves the face, bonds the grains behind it and lets them come to rest against the gate.
static bool bond_block(Run *run, Block *block)
{
    Soil *poured = pour_block(run, block);
    if (poured == NULL) {
        return false;
    }
    block->soil = run_create_soil(run, &block->scene);
    if (block->soil == NULL) {
        soil_destroy(poured);
        return false;
    }
    double cotangent = 1.0 / tan(block->cut->angle);
    packing_copy(block->soil, poured, 0.0, cotangent);
    soil_destroy(poured);
    build_walls(block, block->cut->angle);
    packing_settle(block->soil, &block->scene, block->tools, TOOLS, 2.0);
    soil_bond(block->soil);
    packing_settle(block->soil, &block->scene, block->tools, TOOLS, 1.0);
    double plane = 1.0 / tan(cut_plane_angle(block->cut->soil, block->cut->angle));
    block->wedge = 0.5 * block->density * block->width * block->height * block->height * (plane - cotangent);
    return true;
}

/// Weighs the grains so that the block's height is a share of the critical one.
static void set_weight(const Block *block, double ratio)
{
    double critical = cut_critical_height(block->cut->soil, block->cut->angle, block->density);
    soil_set_gravity(block->soil, STANDARD_GRAVITY * ratio * critical / block->height);
}

/// Runs without the gate at a constant weight. Returns what has moved, at most until the wedge has failed.
static double hold(const Block *block, double seconds, double ratio)
{
    double share = 0.0;
    set_weight(block, ratio);
    for (int k = 0; k < (int)(60.0 * seconds) && share < FALLS; k++) {
        run_tick(block->soil, &block->scene, (SoilTool *)block->tools, GATE, NULL);
        share = k % 6 == 5 ? moved(block) : share;
    }
    return moved(block);
}

/// Adds weight until the wedge falls. Returns the ratio at which it has; `onset`: at which it began to move. `plot`:
/// -1 for none.
static double add_weight(Run *run, const Block *block, double from, int plot, double *onset)
{
    double share = 0.0;
    *onset = CUT_TRIED;
    for (double ratio = from; ratio < CUT_TRIED; ratio += 0.1 * RAMP) {
        share = hold(block, 0.1, ratio);
        if (plot >= 0) {
            run_point(run, plot, block->cut->label, ratio, fmin(share, 2.0));
        }
        *onset = share > STANDS ? fmin(*onset, ratio) : *onset;
        if (share >= FALLS) {
            return ratio;
        }
    }
    return CUT_TRIED;
}

/// Culmann's height with the strength behind that of direct shear (Davis, no change of volume), over that with the
/// file's.
static double davis_ratio(const Block *block)
{
    SoilParams behind = *block->cut->soil;
    double sine = fmin(tan(behind.friction_angle), 0.99);
    behind.friction_angle = asin(sine);
    behind.cohesion /= sqrt(1.0 - sine * sine);
    return cut_critical_height(&behind, block->cut->angle, block->density) /
           cut_critical_height(block->cut->soil, block->cut->angle, block->density);
}

/// What one block shows, or several on the mean.
typedef struct Verdict {
    double grains, density, davis; ///< number, kg/m3, davis_ratio()
    double moves; ///< share of the wedge that moves at the weight asked for; of several the largest
    double onset, fails; ///< of the critical height
    double squares; ///< mean of the squares of `fails`
} Verdict;

/// The gate goes at half the critical weight; the weight then grows to `asked`, that of the test.
static void test_block(Run *run, Block *block, double asked, int plot, Verdict *verdict)
{
    const Cut *cut = block->cut;
    double share = 0.0, ratio = 0.5 * asked;
    *verdict = (Verdict){.grains = soil_get_counters(block->soil).particles,
                         .density = block->density,
                         .davis = davis_ratio(block),
                         .onset = CUT_TRIED};
    keep_places(block);
    hold(block, 1.0, 0.5 * asked);
    for (; ratio < asked && share < FALLS; ratio += 0.02 * asked) {
        share = hold(block, 0.1, ratio);
    }
    bool early = share >= FALLS;
    keep_places(block);
    verdict->moves = early ? 1.0 : hold(block, cut->hold, asked);
    keep_places(block);
    if (early || verdict->moves >= FALLS) {
        verdict->fails = verdict->onset = early ? ratio : asked;
    } else if (cut->height == 0.0) {
        verdict->fails = add_weight(run, block, asked, plot, &verdict->onset);
    }
    verdict->squares = verdict->fails * verdict->fails;
}

static void add_verdict(Verdict *mean, const Verdict *one, double share)
{
    mean->grains += share * one->grains;
    mean->density += share * one->density;
    mean->davis += share * one->davis;
    mean->moves = fmax(mean->moves, one->moves);
    mean->onset += share * one->onset;
    mean->fails += share * one->fails;
    mean->squares += share * one->squares;
}

static void note(Run *run, const Cut *cut, const char *what, const char *unit, double value)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", cut->label, what);
    run_note(run, text, unit, value);
}

static void report(Run *run, const Cut *cut, const Verdict *mean, double asked, int blocks)
{
    char text[160];
    note(run, cut, "grains", "", mean->grains);
    note(run, cut, "bulk density", "kg/m3", mean->density);
    snprintf(text, sizeof text, "%s: share of the wedge that moves at %.3g Hc", cut->label, asked);
    if (asked <= CUT_HOLD) {
        run_result_between(run, text, "", mean->moves, 0.0, STANDS);
    } else {
        run_note(run, text, "", mean->moves);
    }
    if (cut->height > 0.0) {
        return;
    }
    snprintf(text, sizeof text, "%s: height at which it fails / Hc", cut->label);
    run_result_between(run, text, "", mean->fails, 0.67, CUT_FAIL);
    if (blocks > 1) {
        double variance = mean->squares - mean->fails * mean->fails;
        note(run, cut, "standard deviation of that between blocks", "",
             sqrt(fmax(0.0, variance * blocks / (blocks - 1.0))));
    }
    note(run, cut, "the same / Hc of the strength behind direct shear", "", mean->fails / mean->davis);
    note(run, cut, "height at which it begins to move / Hc", "", mean->onset);
}

/// Makes a block with a packing of its own and tests it. Returns in `asked` of which critical height.
static bool test_one(Run *run, const Cut *cut, uint64_t seed, int plot, double *asked, Verdict *verdict)
{
    Block block = {.cut = cut, .seed = seed};
    double bulk = POURED_BULK * cut->soil->bank_density, plane = cut_plane_angle(cut->soil, cut->angle);
    block.height = cut->height > 0.0 ? cut->height : CUT_HOLD * cut_critical_height(cut->soil, cut->angle, bulk);
    block.length = block.height * (1.0 / tan(plane) + BEHIND);
    block.grains = packing_grains(cut->soil, cut->radius);
    block.width = WIDTH * 2.0 * cut->radius;
    block.scene =
        run_scene(run, cut->soil, packing_count(&block.grains, block.length * block.width * block.height), 20.0);
    block.scene.soils[0].steel_adhesion = 0.0;
    packing_fit_scene(&block.scene, &block.grains);
    block.start = calloc((size_t)block.scene.particles.budget + 1, sizeof *block.start);
    if (block.start == NULL) {
        run_fail(run, "out of memory");
        return false;
    }
    bool good = bond_block(run, &block);
    if (good) {
        double critical = cut_critical_height(cut->soil, cut->angle, block.density);
        *asked = cut->height > 0.0 ? block.height / critical : CUT_HOLD;
        test_block(run, &block, *asked, plot, verdict);
    }
    soil_destroy(block.soil);
    free(block.start);
    return good;
}

bool cut_test_block(Run *run, const Cut *cut, int plot)
{
    Verdict mean = {0};
    double all_asked = 0.0;
    for (int k = 0; k < cut->blocks; k++) {
        Verdict one;
        double asked = 0.0;
        if (!test_one(run, cut, run_seed(run) + 64 * (uint64_t)k, k == 0 ? plot : -1, &asked, &one)) {
            return false;
        }
        all_asked += asked / cut->blocks;
        add_verdict(&mean, &one, 1.0 / cut->blocks);
    }
    report(run, cut, &mean, all_asked, cut->blocks);
    return true;
}
