/// Grains flow through a round hole in the flat floor of a vessel.
///
/// Beverloo, Leniger, van de Velde 1961 (Chem. Eng. Sci. 15): W = C rho sqrt(g) (D - k d)^(5/2), W the mass flow, rho
/// the bulk density of the flowing bed, D the hole's and d the grains' diameter, C 0.55 to 0.60 and k 1.4 to 1.7 for
/// round grains; the flow does not depend on the fill as long as it is deeper than the vessel is wide (Nedderman 1992,
/// Statics and Kinematics of Granular Materials). The vessel is wide enough to matter little: 2.5 D, or 20 d more than
/// D (quick: 2 D, 10 d). Nedderman asks for 30 d (`margin`), which takes three times as long.
///
/// Grains that have left are caught a few grains below the hole, in a smooth tube on a piston that sinks as fast as
/// they pile up. Nothing below the hole bears on the flow through it, as long as it does not back up: they fall freely.
/// Grains that drop far hit what lies below so fast that the solver has to look for contacts again and again, in the
/// whole bed (`drop`).
///
/// C and k come from the straight line (W / (rho sqrt(g)))^(2/5) = C^(2/5) (D - k d), the exponent from the slope of
/// log W over log(D - k d) with that k: it is 5/2 where the line is straight. A flow is measured until its mean is
/// known to 1 %, the two that are compared to 0.5 %, or 0.3 of the bed has passed; not for less than 4 s.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/vessel.h"

#define FILL           1.25 ///< height of the bed over the vessel's diameter
#define SWEPT_ERROR    0.01 ///< standard error of a flow
#define COMPARED_ERROR 0.005 ///< the same, of those under one and two fills
#define CATCH_MARGIN   2.0 ///< grains: distance of the catching tube from the rim of the hole
#define CAUGHT_SOLID   0.58 ///< solid share of what was caught, less than it has: the surface sinks a little
#define SINK_TIME      0.05 ///< s: in which the piston makes up for what it lags behind

/// Floor with the hole, wall, what catches the grains that have left, and the plug, last so that it can be taken away.
enum { FLOOR, WALL, TUBE, PISTON, PLUG, TOOLS };

typedef struct Hopper {
    double opening; ///< m: diameter of the hole
    double diameter; ///< m: of the vessel
    double fill; ///< m: height of the bed, asked for
    double drop; ///< m: from the floor to the surface of what was caught
    double tube; ///< m2: area of the tube that catches the grains
    double settled; ///< m: as settled
    double error; ///< standard error of the flow at which it is not measured any longer, share of it
    double flow; ///< kg/s
    double density; ///< kg/m3 of the bed while it flows
    double early, late; ///< kg/s in the first and the second half of the time
} Hopper;

/// Straight line y = a + b x by least squares.
typedef struct Line {
    double n, x, y, xx, xy;
} Line;

static void line_add(Line *line, double x, double y)
{
    line->n += 1.0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static double line_slope(const Line *line)
{
    return (line->n * line->xy - line->x * line->y) / (line->n * line->xx - line->x * line->x);
}

static double line_offset(const Line *line)
{
    return (line->y - line_slope(line) * line->x) / line->n;
}

/// Mass (kg) that has fallen below a height.
static double mass_below(const Soil *soil, double height)
{
    SoilParticleView p = soil_get_particles(soil);
    int64_t quanta = 0;
    for (int k = 0; k < p.count; k++) {
        quanta += p.z[k] < height ? p.mass[k] : 0;
    }
    return (double)quanta * SOIL_QUANTUM;
}

/// Bulk density in the middle of the bed: a cylinder well inside the wall, above the converging flow and below the
/// surface.
static double bed_density(const Soil *soil, const Hopper *hopper, double low, double high)
{
    SoilParticleView p = soil_get_particles(soil);
    double radius = 0.35 * hopper->diameter;
    int64_t quanta = 0;
    for (int k = 0; k < p.count; k++) {
        bool inside = p.z[k] > low && p.z[k] < high && hypot(p.x[k], p.y[k]) < radius;
        quanta += inside ? p.mass[k] : 0;
    }
    return (double)quanta * SOIL_QUANTUM / (M_PI * radius * radius * (high - low));
}

/// Height of the highest grain over the hole.
static double surface(const Soil *soil, double radius)
{
    SoilParticleView p = soil_get_particles(soil);
    double top = 0.0;
    for (int k = 0; k < p.count; k++) {
        top = hypot(p.x[k], p.y[k]) < radius ? fmax(top, p.z[k]) : top;
    }
    return top;
}

/// A block is about sqrt(D / g) of the largest hole: what flows in one hardly depends on the last.
enum { MAX_TICKS = 6000, CLOGGED_TICKS = 300, FLOW_BLOCK = 24, FLOW_BLOCKS = 10, MOST_BLOCKS = 20 };

/// Slope of the mass over time from a tick on, kg/s; also of the two halves of that time.
static void fit_flow(const double *masses, int first, int ticks, int tick_rate, Hopper *hopper)
{
    Line line = {0}, halves[2] = {0};
    for (int k = first; k < ticks; k++) {
        double time = (double)k / tick_rate;
        line_add(&line, time, masses[k]);
        line_add(&halves[k - first > (ticks - first) / 2], time, masses[k]);
    }
    hopper->flow = line_slope(&line);
    hopper->early = line_slope(&halves[0]);
    hopper->late = line_slope(&halves[1]);
}

/// True when the standard error of the mean flow is small enough, from the scatter over FLOW_BLOCKS blocks at least.
/// Blocks grow with the time, so that what changes slowly counts as scatter, too.
static bool flow_is_known(const double *masses, int first, int ticks, double error)
{
    int time = ticks - 1 - first, length = time / MOST_BLOCKS > FLOW_BLOCK ? time / MOST_BLOCKS : FLOW_BLOCK;
    int blocks = time / length;
    if (blocks < FLOW_BLOCKS) {
        return false;
    }
    double sum = 0.0, square = 0.0;
    for (int k = 0; k < blocks; k++) {
        double block = masses[first + (k + 1) * length] - masses[first + k * length];
        sum += block;
        square += block * block;
    }
    double mean = sum / blocks, variance = fmax(square / blocks - mean * mean, 0.0);
    return sqrt(variance / (blocks - 1)) < error * mean;
}

/// How deep grains of a mass (kg) lie in the tube, m.
static double caught_depth(const Hopper *hopper, const Grains *grains, double mass)
{
    return mass / (CAUGHT_SOLID * grains->solid_density * hopper->tube);
}

/// Sinks the piston as fast as grains pile up on it, so that their surface stays where it is.
static void sink(SoilTool *piston, double caught, const Grains *grains, const Hopper *hopper)
{
    double wanted = -hopper->drop - caught_depth(hopper, grains, caught);
    piston->motion.velocity = vec3(0, 0, fmin(0.0, (wanted - piston->motion.frame.position.z) / SINK_TIME));
}

/// Measures from when the whole bed moves (its surface has sunk by two grains: before that the hole is fed by the bed
/// loosening from below) until the flow is known, or `wanted` kg more have passed. Flow 0 when it clogs before.
static void discharge(Soil *soil, const SceneParams *scene, SoilTool *tools, const Grains *grains, double wanted,
                      Hopper *hopper)
{
    double d = scene->ground.column_spacing, core = 0.25 * hopper->diameter, top = surface(soil, core), density = 0.0;
    double *masses = calloc(MAX_TICKS, sizeof *masses);
    int ticks = 0, samples = 0, first = -1, passed = 0;
    while (masses != NULL && ticks < MAX_TICKS && ticks - passed < CLOGGED_TICKS) {
        run_tick(soil, scene, tools, PLUG, NULL);
        masses[ticks] = mass_below(soil, -2.0 * d);
        sink(&tools[PISTON], masses[ticks], grains, hopper);
        passed = ticks > 0 && masses[ticks] > masses[ticks - 1] ? ticks : passed;
        if (first < 0 && surface(soil, core) < top - 2.0 * d) {
            first = ticks;
        }
        if (first >= 0 && ticks % 10 == 0) {
            density += bed_density(soil, hopper, 0.35 * hopper->settled, 0.6 * hopper->settled);
            samples++;
        }
        ticks++;
        bool passed_all = first >= 0 && masses[ticks - 1] > masses[first] + wanted;
        if (passed_all || (first >= 0 && flow_is_known(masses, first, ticks, hopper->error))) {
            break;
        }
    }
    if (first >= 0 && ticks - first > 10) {
        fit_flow(masses, first, ticks, scene->rates.tick_rate, hopper);
        hopper->density = density / samples;
    }
    free(masses);
}

static void build_vessel(ToolShape shapes[TOOLS], SoilTool tools[TOOLS], const Hopper *hopper, double d, double depth)
{
    double thick = 0.5 * d, half = 0.5 * hopper->opening, caught = sqrt(hopper->tube / M_PI), piston = caught + d;
    VesselRing floor = {half, 0.5 * hopper->diameter - half + 4.0 * d, -thick, 0.0, 24};
    VesselRing wall = {0.5 * hopper->diameter, 3.0 * d, -thick, 4.0 * hopper->fill + 1.0, 12};
    VesselRing tube = {caught, 3.0 * d, -depth, -thick, 12};
    vessel_add_ring(&shapes[FLOOR], &floor, 0, floor.sides);
    vessel_add_ring(&shapes[WALL], &wall, 0, wall.sides);
    vessel_add_ring(&shapes[TUBE], &tube, 0, tube.sides);
    vessel_add_box(&shapes[PISTON], vec3(-piston, -piston, -2.0 * d), vec3(piston, piston, 0.0));
    vessel_add_box(&shapes[PLUG], vec3(-half, -half, -2.0 * d), vec3(half, half, 0.0));
    for (int k = 0; k < TOOLS; k++) {
        double z = k == PISTON ? -hopper->drop : 0.0;
        tools[k] = vessel_tool(&shapes[k], vec3(0, 0, z), k == TUBE ? 0.0 : 1.0);
    }
}

static bool run_one(Run *run, const SoilParams *sand, const Grains *grains, Hopper *hopper)
{
    double d = 2.0 * grains->radius, area = 0.25 * M_PI * hopper->diameter * hopper->diameter;
    int count = packing_count(grains, area * hopper->fill);
    double mass = count * packing_grain_mass(grains);
    double wanted = fmin(0.3 * mass, option_number(run, "discharge") * packing_grain_mass(grains));
    // So deep that the tube holds what passes before and while the flow is measured.
    double fallen = wanted + 4.0 * d / hopper->fill * mass;
    double depth = fmax(1.0, caught_depth(hopper, grains, fallen) + hopper->drop + 10.0 * d);
    if (depth > 20.0) {
        run_fail(run, "grains of %g m radius fill a tube of %.0f m below the vessel; at most 20 m", grains->radius,
                 depth);
        return false;
    }
    SceneParams scene = run_scene(run, sand, count, depth);
    packing_fit_scene(&scene, grains);
    scene.ground.size_x = scene.ground.size_y = fmax(scene.ground.size_x, 2.0 * hopper->diameter);
    ToolShape shapes[TOOLS] = {{0}};
    SoilTool tools[TOOLS];
    build_vessel(shapes, tools, hopper, d, depth);
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    PackingSpace space = {.radius = 0.5 * hopper->diameter};
    packing_pour(soil, &scene, tools, TOOLS, grains, &space, count, run_seed(run), 3.0);
    hopper->settled = packing_height(soil, 0.0);
    discharge(soil, &scene, tools, grains, wanted, hopper);
    soil_destroy(soil);
    return true;
}

static double beverloo(double opening, double d, double c, double k)
{
    return opening > k * d ? c * sqrt(STANDARD_GRAVITY) * pow(opening - k * d, 2.5) : 0.0;
}

static Hopper make_hopper(const Run *run, const Grains *grains, double ratio, double fill)
{
    double d = 2.0 * grains->radius, margin = option_number(run, "margin"), wide = run_quick(run) ? 2.0 : 2.5;
    double caught = (0.5 * ratio + CATCH_MARGIN) * d;
    Hopper hopper = {.opening = ratio * d, .diameter = fmax(wide * ratio, ratio + margin) * d};
    hopper.drop = option_number(run, "drop") * d;
    hopper.tube = M_PI * caught * caught;
    hopper.fill = fill * hopper.diameter;
    hopper.error = SWEPT_ERROR;
    return hopper;
}

/// One hole alone: its flow lies between Beverloo's with the least and the most favourable C and k.
static void report_single(Run *run, const Hopper *hopper, double d)
{
    run_result_between(run, "W / (rho sqrt(g) D^2.5)", "",
                       hopper->flow / (hopper->density * beverloo(hopper->opening, d, 1.0, 0.0)),
                       beverloo(hopper->opening, d, 0.55, 1.7) / beverloo(hopper->opening, d, 1.0, 0.0),
                       beverloo(hopper->opening, d, 0.60, 1.4) / beverloo(hopper->opening, d, 1.0, 0.0));
    run_note(run, "W", "kg/s", hopper->flow);
    run_note(run, "bulk density of the flowing bed", "kg/m3", hopper->density);
    run_note(run, "late over early flow", "", hopper->late / hopper->early);
}

static void report_sweep(Run *run, const Hopper *hoppers, int count, double d, int plot)
{
    Line line = {0}, powers = {0};
    for (int k = 0; k < count; k++) {
        if (hoppers[k].flow <= 0.0) {
            continue; // clogged: no point of the law
        }
        line_add(&line, hoppers[k].opening / d,
                 pow(hoppers[k].flow / (hoppers[k].density * sqrt(STANDARD_GRAVITY)), 0.4) / d);
    }
    double slope = line_slope(&line), offset = -line_offset(&line) / slope, c = pow(slope, 2.5);
    for (int k = 0; k < count; k++) {
        double ratio = hoppers[k].opening / d, unit = hoppers[k].density * sqrt(STANDARD_GRAVITY * pow(d, 5));
        double rate = hoppers[k].flow > 0.0 ? hoppers[k].flow / unit : 0.0;
        if (rate > 0.0 && ratio > offset) {
            line_add(&powers, log(ratio - offset), log(rate));
        }
        run_point(run, plot, "measured", ratio, pow(rate, 0.4));
        char name[64];
        snprintf(name, sizeof name, "W / (rho sqrt(g d^5)) at D = %g d", ratio);
        run_note(run, name, "", rate);
    }
    run_result(run, "exponent of (D - k d)", "", powers.n > 1.0 ? line_slope(&powers) : 0.0, 2.5, 0.07);
    run_result_between(run, "C", "", c, 0.55, 0.60);
    run_result_between(run, "k", "", offset, 1.4, 1.7);
    for (int k = 0; k <= 40; k++) {
        double ratio = 2.0 + (hoppers[count - 1].opening / d - 1.0) * k / 40.0;
        run_point(run, plot, "law: Beverloo, C = 0.58, k = 1.5", ratio,
                  pow(beverloo(ratio, 1.0, 0.58, 1.5) / sqrt(STANDARD_GRAVITY), 0.4));
    }
}

/// The same hole under twice the fill (full form).
static bool compare_fills(Run *run, const SoilParams *sand, const Grains *grains, const Hopper *low)
{
    double d = 2.0 * grains->radius;
    Hopper high = make_hopper(run, grains, low->opening / d, 2.0 * FILL);
    high.error = COMPARED_ERROR;
    if (!run_one(run, sand, grains, &high)) {
        return false;
    }
    run_result(run, "flow under twice the fill, over that under one", "", high.flow / low->flow, 1.0, 0.02);
    return true;
}

static bool run_hopper(Run *run)
{
    static const double full[] = {6.0, 8.0, 10.0, 13.0, 16.0, 20.0, 0.0}, quick[] = {7.0, 9.0, 12.0, 0.0};
    double ratios[SWEEP_MOST] = {0.0};
    int count = packing_sweep(run, "opening_ratio", full, quick, ratios), compared = (count - 1) / 2;
    option_quick(run, "discharge", 1500.0);
    option_quick(run, "margin", 10.0);
    SoilParams sand;
    if (!packing_load_sand(run, &sand)) {
        return false;
    }
    Grains grains = packing_grains(&sand, option_number(run, "radius"));
    int plot = run_plot(run, "Flow through a hole", "D / d", "(W / (rho sqrt(g d^5)))^0.4");
    Hopper hoppers[SWEEP_MOST] = {{.opening = 0.0}};
    for (int k = 0; k < count; k++) {
        hoppers[k] = make_hopper(run, &grains, ratios[k], FILL);
        hoppers[k].error = k == compared ? COMPARED_ERROR : hoppers[k].error;
        if (!run_one(run, &sand, &grains, &hoppers[k])) {
            return false;
        }
        run_progress(run, (k + 1.0) / (count + 2.0));
    }
    double d = 2.0 * grains.radius;
    if (count == 1) {
        report_single(run, &hoppers[0], d);
    } else {
        report_sweep(run, hoppers, count, d, plot);
    }
    return run_quick(run) || compare_fills(run, &sand, &grains, &hoppers[compared]);
}

static const ExperimentOption options[] = {
    {"opening_ratio", 10.0, 3.0, 40.0, "", "D / d of one hole instead of the sweep from 6 to 20", NULL},
    {"friction", OF_THE_FILE, 0.0, 2.0, "", "contact friction of the grains", NULL},
    {"drop", 6.0, 3.0, 40.0, "", "fall from the hole to where the grains are caught, over their diameter", NULL},
    {"margin", 20.0, 5.0, 60.0, "", "least difference of the diameters of vessel and hole over the grains'", NULL},
    {"radius", 0.05, 0.01, 0.1, "m", "mean radius of the grains", NULL},
    {"discharge", 50000.0, 500.0, 50000.0, "", "grains that flow out at most, and 0.3 of the bed at most", NULL},
    {.key = NULL},
};

const Experiment experiment_hopper = {
    .name = "hopper",
    .title = "grains flow through a round hole in a flat floor",
    .law = "Beverloo et al. 1961: W = C rho sqrt(g) (D - k d)^2.5",
    .options = options,
    .run = run_hopper,
};
