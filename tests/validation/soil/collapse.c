/// A column of grains in a tube; the tube vanishes; how far and how long does it run?
///
/// h0, R0: height and radius of the column, a = h0 / R0; R: where the deposit ends.
/// Lube, Huppert, Sparks, Hallworth 2004 (J. Fluid Mech. 508): (R - R0) / R0 = 1.24 a to a = 1.7, 1.6 sqrt(a) above;
/// the front stops after 3 sqrt(h0 / g), whatever the grains are made of. Lajeunesse, Mangeney-Castelnau, Vilotte 2004
/// (Phys. Fluids 16): a, and 2 sqrt(a) of tall columns. Both leave out grains that lie alone beyond the deposit, and so
/// does packing_front().
#include <math.h>
#include <stdio.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/vessel.h"

#define THICK 0.3 ///< m: of the plate that the column stands on

/// One column.
typedef struct Column {
    double aspect; ///< asked for
    double ratio; ///< R0 / d
    Runout runout; ///< R0 and h0, R at the end
    double solid; ///< share of solid in the tube
    double reach95, reach99; ///< m: hold that share of the mass
    double tallest; ///< m: centre of the highest grain at the end, over the plate
} Column;

static double lube(double aspect)
{
    return aspect < 1.7 ? 1.24 * aspect : 1.6 * sqrt(aspect);
}

static double lajeunesse(double aspect)
{
    return fmin(aspect, 2.0 * sqrt(aspect));
}

/// The plate that the column stands on (z = 0) and the tube around it, of steel.
enum { PLATE, TUBE, TOOLS };

/// Pours the column into the tube and lets it come to rest.
static Soil *prepare(Run *run, const SceneParams *scene, const Grains *grains, SoilTool tools[TOOLS], int count,
                     Column *column)
{
    Soil *soil = run_create_soil(run, scene);
    if (soil == NULL) {
        return NULL;
    }
    PackingSpace space = {.radius = column->runout.start};
    packing_pour(soil, scene, tools, TOOLS, grains, &space, count, run_seed(run), 3.0);
    column->runout.height = packing_height(soil, 0.0);
    double volume = M_PI * column->runout.start * column->runout.start * column->runout.height;
    column->solid = count * packing_grain_mass(grains) / grains->solid_density / volume;
    return soil;
}

static bool run_column(Run *run, const SoilParams *sand, Column *column, int plot)
{
    Grains grains = packing_grains(sand, option_number(run, "radius"));
    column->runout.start = column->ratio * 2.0 * grains.radius;
    double height = column->aspect * column->runout.start;
    int count = packing_count(&grains, M_PI * column->runout.start * column->runout.start * height);
    SceneParams scene = run_scene(run, sand, count, 1.0);
    packing_fit_scene(&scene, &grains);
    ToolShape plate = {0}, tube = {0};
    double reach = 3.0 * column->runout.start * (1.0 + 2.0 * sqrt(column->aspect));
    vessel_add_box(&plate, vec3(-reach, -reach, -THICK), vec3(reach, reach, 0.0));
    VesselRing ring = {column->runout.start, THICK, 0.0, 6.0 * height + 2.0, 32};
    vessel_add_ring(&tube, &ring, 0, ring.sides);
    SoilTool tools[TOOLS] = {vessel_tool(&plate, vec3(0, 0, 0), option_number(run, "base_friction")),
                             vessel_tool(&tube, vec3(0, 0, 0), 1.0)};
    Soil *soil = prepare(run, &scene, &grains, tools, count, column);
    if (soil == NULL) {
        return false;
    }
    packing_run_out(run, soil, &scene, &tools[PLATE], 1, &grains, plot, &column->runout);
    column->reach95 = packing_reach(soil, 0.95, 0.0);
    column->reach99 = packing_reach(soil, 0.99, 0.0);
    column->tallest = packing_top(soil);
    soil_destroy(soil);
    return true;
}

static void report_column(Run *run, const Column *column, int plot)
{
    char name[120], at[64];
    double aspect = column->runout.height / column->runout.start,
           runout = (column->runout.front - column->runout.start) / column->runout.start;
    double low = fmin(0.9 * lube(aspect), lajeunesse(aspect)), high = fmax(1.1 * lube(aspect), lajeunesse(aspect));
    snprintf(at, sizeof at, "R0 = %g d, a = %g asked", column->ratio, column->aspect);
    snprintf(name, sizeof name, "a as it settled, %s", at);
    run_note(run, name, "", aspect);
    snprintf(name, sizeof name, "run-out (R - R0)/R0, %s", at);
    run_result_between(run, name, "", runout, low, high);
    double scale = sqrt(column->runout.height / STANDARD_GRAVITY);
    snprintf(name, sizeof name, "front stops after, over sqrt(h0/g), %s", at);
    run_result(run, name, "", column->runout.stop / scale, 3.0, 0.45);
    snprintf(name, sizeof name, "run-out of 95 %% of the mass, %s", at);
    run_note(run, name, "", (column->reach95 - column->runout.start) / column->runout.start);
    snprintf(name, sizeof name, "run-out of 99 %% of the mass, %s", at);
    run_note(run, name, "", (column->reach99 - column->runout.start) / column->runout.start);
    snprintf(name, sizeof name, "height at rest over R0, %s", at);
    run_note(run, name, "", column->tallest / column->runout.start);
    snprintf(name, sizeof name, "solid share in the tube, %s", at);
    run_result_between(run, name, "", column->solid, 0.45, 0.66); // more than randomly packed spheres: they overlap
    snprintf(name, sizeof name, "measured, R0 = %g d", column->ratio);
    run_point(run, plot, name, aspect, runout);
}

static void draw_laws(Run *run, int plot, double highest)
{
    for (int k = 0; k <= 60; k++) {
        double aspect = highest * k / 60.0;
        run_point(run, plot, "law: Lube 2004", aspect, lube(aspect));
        run_point(run, plot, "law: Lajeunesse 2004", aspect, lajeunesse(aspect));
    }
}

/// The columns to let go: a sweep of heights, and some of them again twice as wide. The published columns were a
/// hundred grains wide and more; how far a narrow one falls short because its grains are large beside it shows in the
/// difference.
static int list_columns(Run *run, Column columns[2 * SWEEP_MOST])
{
    static const double full[] = {0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 0.0}, quick[] = {0.7, 1.5, 3.0, 0.0};
    static const double wide[] = {0.5, 1.0, 2.0};
    double aspects[SWEEP_MOST] = {0.0};
    option_quick(run, "radius_ratio", 8.0);
    bool once = run_quick(run) || option_is_set(run, "radius_ratio") || option_is_set(run, "aspect");
    int count = packing_sweep(run, "aspect", full, quick, aspects);
    for (int k = 0; k < count; k++) {
        columns[k] = (Column){.aspect = aspects[k], .ratio = option_number(run, "radius_ratio")};
    }
    for (size_t k = 0; !once && k < sizeof wide / sizeof wide[0]; k++) {
        columns[count++] = (Column){.aspect = wide[k], .ratio = 2.0 * option_number(run, "radius_ratio")};
    }
    return count;
}

/// Grains times seconds, up to a factor.
static double work_of(const Column *column)
{
    return column->ratio * column->ratio * column->ratio * column->aspect * sqrt(column->aspect);
}

static bool run_collapse(Run *run)
{
    Column columns[2 * SWEEP_MOST];
    int count = list_columns(run, columns);
    SoilParams sand;
    if (!packing_load_sand(run, &sand)) {
        return false;
    }
    int runouts = run_plot(run, "Run-out of a round column", "a = h0 / R0", "(R - R0) / R0");
    int fronts = run_plot(run, "Front after the tube vanished", "t / sqrt(h0 / g)", "(r - R0) / R0");
    double work = 0.0, done = 0.0, highest = 2.0;
    for (int k = 0; k < count; k++) {
        work += work_of(&columns[k]);
        highest = fmax(highest, 1.1 * columns[k].aspect);
    }
    draw_laws(run, runouts, highest);
    for (int k = 0; k < count; k++) {
        if (!run_column(run, &sand, &columns[k], fronts)) {
            return false;
        }
        report_column(run, &columns[k], runouts);
        done += work_of(&columns[k]);
        run_progress(run, done / work);
    }
    return true;
}

static const ExperimentOption options[] = {
    {"aspect", 1.0, 0.2, 20.0, "", "h0 / R0 of one column instead of the sweep from 0.5 to 6", NULL},
    {"radius_ratio", 15.0, 4.0, 40.0, "",
     "R0 over the grains' mean diameter; when given, the only one (otherwise 30, too, for a = 0.5, 1, 2)", NULL},
    {"friction", OF_THE_FILE, 0.0, 2.0, "", "contact friction of the grains", NULL},
    {"base_friction", 1.0, 0.0, 10.0, "", "friction on the base over that of the soil on steel", NULL},
    {"radius", 0.05, 0.01, 0.2, "m", "mean radius of the grains", NULL},
    {.key = NULL},
};

const Experiment experiment_collapse = {
    .name = "collapse",
    .title = "a round column of grains collapses",
    .law = "Lube et al. 2004: 1.24 a to a = 1.7, then 1.6 sqrt(a); 3 sqrt(h0/g); Lajeunesse et al. 2004",
    .options = options,
    .run = run_collapse,
};
