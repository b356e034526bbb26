/// Experiment 5, `shear`: the strength of a soil in a direct shear box, under four loads.
///
/// Mohr-Coulomb: shear strength = cohesion + normal stress x tan(friction angle), with the values that the soil's file
/// states. The strength is the peak of the shear stress; what is left in the last quarter of the travel is noted.
#include "tests/validation/rigs/soil/shear_box.h"

#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiment.h"
#include "tests/validation/harness/experiments.h"

enum { LOADS = 4, SIZES = 2 };

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "file of data/soils", "sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"pressure", 0, 0, 500, "kPa", "on the lid, one alone; 0: 10, 25, 50 and 100 kPa and a line through them", NULL},
    {"radius", 0.05, 0.01, 0.2, "m",
     "mean radius of the particles; when given, the only one (otherwise 0.05 and 0.03 m)", NULL},
    {"length", 48, 6, 100, "diameters", "of the box, along the way it is sheared", NULL},
    {"height", 8, 6, 60, "diameters", "depth of the specimen", NULL},
    {"width", 16, 6, 60, "diameters", "width of the box across the way it is sheared", NULL},
    {"speed", 0.125, 0.001, 0.5, "m/s", "of the upper half", NULL},
    {"specimens", 4, 1, 50, "", "whose mean is taken", NULL},
    {"friction", OF_THE_FILE, 0, 2, "", "contact friction", NULL},
    {"adhesion", OF_THE_FILE, 0, 200, "kPa", "contact adhesion", NULL},
    {"bond_friction", OF_THE_FILE, 0, 2, "", "contact friction while bonds hold", NULL},
    {"rebonded", OF_THE_FILE, 0, 1, "", "share of the adhesion that broken contacts have again where they are pressed",
     NULL},
    {"ductility", OF_THE_FILE, 0.001, 10, "radii", "slip that uses up a bond", NULL},
    {"stiffness", OF_THE_FILE, 0, 1e8, "N/m", "contact stiffness at 0.05 m", NULL},
    {"substeps", 0, 0, 64, "", "a tick; 0: as the trainer runs", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const double loads[LOADS] = {10e3, 25e3, 50e3, 100e3};

static bool load_soil(Run *run, SoilParams *soil)
{
    if (!run_load_soil(run, option_word(run, "soil"), soil)) {
        return false;
    }
    option_override(run, "friction", 1.0, &soil->contact_friction);
    option_override(run, "adhesion", 1e3, &soil->contact_adhesion);
    option_override(run, "bond_friction", 1.0, &soil->contact_bond_friction);
    option_override(run, "rebonded", 1.0, &soil->contact_rebonded_strength);
    option_override(run, "ductility", 1.0, &soil->contact_ductility);
    if (option_is_set(run, "stiffness")) {
        soil->contact_stiffness = fmax(option_number(run, "stiffness"), 1e3);
    }
    return true;
}

static ShearBox make_box(Run *run, const SoilParams *soil, double radius)
{
    SceneParams scene = run_scene(run, soil, 100, 20.0);
    if (option_number(run, "substeps") >= 1.0) {
        scene.rates.substeps = (int)option_number(run, "substeps");
    }
    ShearBox box = shear_box(&scene, run_solver(run), run_seed(run), run_threads(run), radius);
    bool quick = run_quick(run);
    box.length = option_number(run, "length");
    box.height = option_number(run, "height");
    box.width = quick && !option_is_set(run, "width") ? 8.0 : option_number(run, "width");
    box.speed = quick && !option_is_set(run, "speed") ? 0.15 : option_number(run, "speed");
    box.specimens = quick && !option_is_set(run, "specimens") ? 1 : (int)option_number(run, "specimens");
    return box;
}

static void draw_test(Run *run, int plot, const ShearTest *test, double radius)
{
    char name[64];
    snprintf(name, sizeof name, "%g kPa, r = %g m", test->pressure * 1e-3, radius);
    for (int k = 0; k < test->sample_count; k++) {
        run_point(run, plot, name, test->samples[k].travel / (2.0 * radius), test->samples[k].shear * 1e-3);
    }
}

static void judge_line(Run *run, const SoilParams *soil, const ShearTest *tests, double radius)
{
    const double degree = M_PI / 180.0;
    ShearLine line = shear_line(tests, LOADS, false), residual = shear_line(tests, LOADS, true);
    // Without cohesion: what a laboratory's own scatter is.
    double tolerance = soil->cohesion > 0.0 ? 0.08 * soil->cohesion : 300.0;
    char name[96];
    snprintf(name, sizeof name, "friction angle, r = %g m", radius);
    run_result(run, name, "degrees", line.friction_angle / degree, soil->friction_angle / degree, 1.5);
    snprintf(name, sizeof name, "cohesion, r = %g m", radius);
    run_result(run, name, "kPa", line.cohesion * 1e-3, soil->cohesion * 1e-3, tolerance * 1e-3);
    snprintf(name, sizeof name, "R2 of the line, r = %g m", radius);
    run_result_between(run, name, "", line.r2, 0.99, 1.0);
    snprintf(name, sizeof name, "residual friction angle, r = %g m", radius);
    run_note(run, name, "degrees", residual.friction_angle / degree);
    snprintf(name, sizeof name, "residual cohesion, r = %g m", radius);
    run_note(run, name, "kPa", residual.cohesion * 1e-3);
    for (int k = 0; k < LOADS; k++) {
        snprintf(name, sizeof name, "shear over normal stress at %.3g kPa, r = %g m", loads[k] * 1e-3, radius);
        run_note(run, name, "", tests[k].peak.shear / tests[k].peak.normal);
    }
    snprintf(name, sizeof name, "solid share at 10 kPa, r = %g m", radius);
    run_note(run, name, "", tests[0].solid);
}

/// One load alone: strength against the line at the normal stress that was there; the tolerances of angle and cohesion
/// add up.
static void judge_one(Run *run, const SoilParams *soil, const ShearTest *test, double radius)
{
    double slope = tan(soil->friction_angle), steeper = tan(soil->friction_angle + 1.5 * M_PI / 180.0);
    double normal = test->peak.normal, expected = soil->cohesion + normal * slope;
    double cohesion = soil->cohesion > 0.0 ? 0.08 * soil->cohesion : 300.0;
    char name[96];
    snprintf(name, sizeof name, "strength under %.4g kPa, r = %g m", normal * 1e-3, radius);
    run_result(run, name, "kPa", test->peak.shear * 1e-3, expected * 1e-3,
               (normal * (steeper - slope) + cohesion) * 1e-3);
    snprintf(name, sizeof name, "residual shear stress, r = %g m", radius);
    run_note(run, name, "kPa", test->residual.shear * 1e-3);
}

static void draw_law(Run *run, int plot, const SoilParams *soil)
{
    double slope = tan(soil->friction_angle);
    run_point(run, plot, "law: c + sigma tan(phi)", 0.0, soil->cohesion * 1e-3);
    run_point(run, plot, "law: c + sigma tan(phi)", 120.0, soil->cohesion * 1e-3 + 120.0 * slope);
}

static bool run_shear(Run *run)
{
    SoilParams soil;
    if (!load_soil(run, &soil)) {
        return false;
    }
    static const double radii[SIZES] = {0.05, 0.03};
    double pressure = option_number(run, "pressure") * 1e3;
    bool one_size = run_quick(run) || option_is_set(run, "radius");
    int sizes = one_size ? 1 : SIZES, count = pressure > 0.0 ? 1 : LOADS;
    int curves = run_plot(run, "Shear stress over travel", "travel, diameters", "shear stress, kPa");
    int lines = run_plot(run, "Strength over normal stress", "normal stress, kPa", "shear strength, kPa");
    draw_law(run, lines, &soil);
    for (int s = 0; s < sizes; s++) {
        double radius = one_size ? option_number(run, "radius") : radii[s];
        ShearBox box = make_box(run, &soil, radius);
        ShearTest tests[LOADS];
        for (int k = 0; k < count; k++) {
            Status status;
            if (!shear_test(&box, count == 1 ? pressure : loads[k], &tests[k], &status)) {
                run_fail(run, "%s", status.text);
                return false;
            }
            draw_test(run, curves, &tests[k], radius);
            char name[64];
            snprintf(name, sizeof name, "r = %g m", radius);
            run_point(run, lines, name, tests[k].peak.normal * 1e-3, tests[k].peak.shear * 1e-3);
            run_progress(run, (s + (k + 1.0) / count) / sizes);
        }
        if (count == 1) {
            judge_one(run, &soil, &tests[0], radius);
        } else {
            judge_line(run, &soil, tests, radius);
        }
    }
    return true;
}

const Experiment experiment_shear = {
    .name = "shear",
    .title = "direct shear box: friction angle and cohesion of a soil",
    .law = "Mohr-Coulomb with the friction angle and cohesion of the soil's file",
    .options = options,
    .run = run_shear,
};
