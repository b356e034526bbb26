/// Experiment `plate`: a rigid round plate (of six strips) is pressed straight down into undisturbed level ground:
/// pressure against depth, beside Vesic's bearing capacity of a round footing.
///
/// Nothing is judged here: measured plates are a set of `measured` (round-plates). Pressures are given over rho g D at
/// depths over D, and as the exponent n of p = k z^n between the first and the last of these depths.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/site.h"

#define THICKNESS 0.3 ///< m: so that its upper side stays above the ground

static const double depths[] = {0.05, 0.075, 0.1, 0.125, 0.15, 0.1667, 0.2, 0.25}; ///< over D
enum { DEPTHS = sizeof depths / sizeof depths[0], STRIPS = 6 };

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "the ground", "sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"diameter", 0.32, 0.1, 2.0, "m", "of the plate, D", NULL},
    {"speed", 0.02, 0.005, 0.2, "m/s", "at which it is pressed down", NULL},
    {"radius", 0.02, 0.01, 0.1, "m", "of a particle; columns are two wide", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// A level disc of strips along y, bottom at its frame's origin, with the area of the disc.
static ToolShape round_plate(double diameter)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    double wide = diameter / STRIPS, area = 0.0;
    shape.piece_count = STRIPS;
    for (int k = 0; k < STRIPS; k++) {
        double x = (k + 0.5) * wide - 0.5 * diameter, half = sqrt(0.25 * diameter * diameter - x * x);
        area += 2.0 * half * wide;
        shape.pieces[k] = block_piece(x - 0.5 * wide, x + 0.5 * wide, -half, half, 0.0, THICKNESS);
    }
    double share = 0.25 * M_PI * diameter * diameter / area;
    for (int k = 0; k < STRIPS; k++) {
        shape.pieces[k].y_min *= share;
        shape.pieces[k].y_max *= share;
    }
    shape.edge_width = diameter;
    tool_shape_finish(&shape);
    return shape;
}

/// Pa at a depth: 0.3 rho g D Ngamma + rho g z Nq (1 + tan phi) + 1.3 c Nc, with Vesic's factors.
static double vesic(const SoilParams *soil, double diameter, double depth)
{
    double tangent = tan(soil->friction_angle), weight = soil->bank_density * STANDARD_GRAVITY;
    double nq = exp(M_PI * tangent) * pow(tan(0.25 * M_PI + 0.5 * soil->friction_angle), 2.0);
    double nc = tangent > 0.0 ? (nq - 1.0) / tangent : 2.0 + M_PI, ngamma = 2.0 * (nq + 1.0) * tangent;
    return 0.3 * weight * diameter * ngamma + weight * depth * nq * (1.0 + tangent) + 1.3 * soil->cohesion * nc;
}

/// n of p = k z^n by least squares of the logarithms.
static double exponent(const double pressure[DEPTHS])
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 0; k < DEPTHS; k++) {
        double at = log(depths[k]), value = log(pressure[k]);
        x += at / DEPTHS;
        y += value / DEPTHS;
        xx += at * at / DEPTHS;
        xy += at * value / DEPTHS;
    }
    return (xy - x * y) / (xx - x * x);
}

/// Presses the plate down to the last of the depths; Pa at each of them, mean over the ticks within a hundredth of D.
static void press(Soil *soil, const SceneParams *scene, double diameter, double speed, double pressure[DEPTHS])
{
    const double dt = 1.0 / scene->rates.tick_rate, area = 0.25 * M_PI * diameter * diameter;
    ToolShape shape = round_plate(diameter);
    SoilTool plate = {.shape = &shape, .steel_friction = 1.0, .presses = true};
    plate.motion.frame.rotation = (Mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    plate.motion.velocity = vec3(0.0, 0.0, -speed);
    int count[DEPTHS] = {0};
    double depth = -2.0 * speed * dt;
    memset(pressure, 0, DEPTHS * sizeof *pressure);
    while (depth < 1.02 * depths[DEPTHS - 1] * diameter) {
        Wrench mean;
        plate.motion.frame.position = plate.motion.center = vec3(0.0, 0.0, -depth);
        run_tick(soil, scene, &plate, 1, &mean);
        depth = -plate.motion.frame.position.z;
        for (int k = 0; k < DEPTHS; k++) {
            if (fabs(depth - depths[k] * diameter) <= 0.01 * diameter) {
                pressure[k] += mean.force.z / area;
                count[k]++;
            }
        }
    }
    for (int k = 0; k < DEPTHS; k++) {
        pressure[k] /= count[k] > 0 ? count[k] : 1;
    }
}

static bool run_plate(Run *run)
{
    double diameter = option_number(run, "diameter"), radius = option_number(run, "radius"), pressure[DEPTHS];
    double law[DEPTHS];
    SoilParams params;
    SiteForm form = {.size_x = 6.0 * diameter + 1.0,
                     .size_y = 6.0 * diameter + 1.0,
                     .depth = fmax(1.0, 4.0 * diameter),
                     .radius = radius,
                     .budget = 20000};
    if (diameter < 6.0 * radius) {
        run_fail(run, "a plate of %g m: at least 3 columns of %g m", diameter, 2.0 * radius);
        return false;
    }
    if (!run_load_soil(run, option_word(run, "soil"), &params)) {
        return false;
    }
    SceneParams scene = site_scene(run, &params, &form);
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    press(soil, &scene, diameter, option_number(run, "speed"), pressure);
    soil_destroy(soil);
    int plot = run_plot(run, "A round plate is pressed down", "depth / D", "pressure / (rho g D)");
    double unit = params.bank_density * STANDARD_GRAVITY * diameter;
    for (int k = 0; k < DEPTHS; k++) {
        char name[64];
        law[k] = vesic(&params, diameter, depths[k] * diameter);
        snprintf(name, sizeof name, "pressure / (rho g D) at %.4g D", depths[k]);
        run_note(run, name, "", pressure[k] / unit);
        snprintf(name, sizeof name, "law's pressure / (rho g D) at %.4g D", depths[k]);
        run_note(run, name, "", law[k] / unit);
        run_point(run, plot, "measured", depths[k], pressure[k] / unit);
        run_point(run, plot, "law: Vesic", depths[k], law[k] / unit);
    }
    run_note(run, "exponent", "", exponent(pressure));
    run_note(run, "law's exponent", "", exponent(law));
    return true;
}

const Experiment experiment_plate = {
    .name = "plate",
    .title = "a round plate is pressed into level ground: pressure against depth",
    .law = "Vesic 1973: bearing capacity of a round footing; `measured` compares it with measured plates",
    .options = options,
    .run = run_plate,
    .paper_only = true, // intact ground bears the same whatever moves the grains
};
