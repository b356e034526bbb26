/// Fits the contacts of a soil to what its file states of the bulk: contact friction and adhesion until the shear box
/// measures the stated friction angle and cohesion, then the share of adhesion of remoulded contacts until the poured
/// pile stands at the stated angle. The shear box is corrected by fixed slopes and the pile by halving; the best values
/// tried win, since the box scatters. What comes out is printed as rows for docs/notes/soil-calibration.md.
#include "tests/validation/command/calibrate.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "data/core/system_files.h"
#include "data/schema/schema.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/repose_pile.h"
#include "tests/validation/rigs/soil/shear_box.h"

enum { LOADS = 4, RADII = 3, MAX_ROUNDS = 4, PILE_ROUNDS = 5, PILE_GRAINS = 2000 };

#define DEGREE (M_PI / 180.0)
/// How tan(friction angle) answers to contact friction and cohesion to contact adhesion: both nearly straight lines, so
/// that a few steps with these slopes arrive. They steer the search and are no result.
#define FRICTION_SLOPE     3.0
#define FRICTION_FOOT      0.25
#define COHESION_SLOPE     0.8
#define COHESION_FOOT      0.0
#define LEAST_FRICTION     0.005
#define CLOSE_ENOUGH       0.5 ///< of the tolerance
#define ANGLE_TOLERANCE    (1.5 * DEGREE)
#define STRENGTH_TOLERANCE 0.05 ///< what 1.5 degrees make of tan(35 degrees)

static const double radii[RADII] = {0.05, 0.03, 0.08};
static const double loads[LOADS] = {10e3, 25e3, 50e3, 100e3};

typedef struct Calibration {
    const Run *run;
    SoilParams soil; ///< its contact values are the ones tried last
    ShearLine line, residual; ///< of the last test
    double strength; ///< of the last test: measured over stated, mean over the loads
    double pile_angle; ///< rad, of the last pile; 0 = none poured
} Calibration;

/// Undisturbed soil shears in its bonds: where they have a friction of their own, it is that which answers to the
/// angle; the other stays as the file has it, for heaps.
static double *steered_friction(SoilParams *soil)
{
    bool own = soil->contact_bond_friction < soil->contact_friction;
    return own ? &soil->contact_bond_friction : &soil->contact_friction;
}

static double bonded_friction(const SoilParams *soil)
{
    return fmin(soil->contact_bond_friction, soil->contact_friction);
}

/// Largest miss in units of its tolerance. Without cohesion there is one value to steer with, and it is the mean
/// strength that it meets: soft contacts bend the line of strength over stress, and its slope alone would make the soil
/// too strong near the surface, where tools work.
static double miss(const Calibration *c)
{
    double angle = fabs(c->line.friction_angle - c->soil.friction_angle) / ANGLE_TOLERANCE;
    double cohesion = fabs(c->line.cohesion - c->soil.cohesion) / (0.08 * c->soil.cohesion);
    if (c->soil.cohesion <= 0.0) {
        return fabs(c->strength - 1.0) / STRENGTH_TOLERANCE;
    }
    // Clods of bonded particles are rough: below some angle friction has nothing left to give, and the cohesion alone
    // is met.
    return bonded_friction(&c->soil) <= LEAST_FRICTION ? cohesion : fmax(angle, cohesion);
}

static bool measure_shear(Calibration *c, double radius, Status *status)
{
    SceneParams scene = run_scene(c->run, &c->soil, 100, 20.0);
    ShearBox box = shear_box(&scene, run_solver(c->run), run_seed(c->run), run_threads(c->run), radius);
    if (run_quick(c->run)) {
        box.width = 8.0;
        box.speed = 0.15;
        box.specimens = 1;
    }
    ShearTest tests[LOADS];
    for (int k = 0; k < LOADS; k++) {
        if (!shear_test(&box, loads[k], &tests[k], status)) {
            return false;
        }
    }
    c->strength = 0.0;
    for (int k = 0; k < LOADS; k++) {
        double stated = c->soil.cohesion + tests[k].peak.normal * tan(c->soil.friction_angle);
        c->strength += tests[k].peak.shear / stated / LOADS;
    }
    c->line = shear_line(tests, LOADS, false);
    c->residual = shear_line(tests, LOADS, true);
    fprintf(stderr, "%s r %.2f: mu %.4f adhesion %.3f kPa -> %.2f degrees, %.2f kPa, R2 %.4f, strength %.3f\n",
            c->soil.name, radius, bonded_friction(&c->soil), c->soil.contact_adhesion * 1e-3,
            c->line.friction_angle / DEGREE, c->line.cohesion * 1e-3, c->line.r2, c->strength);
    return true;
}

/// Friction and adhesion from the shear box. Keeps the best values tried: the box scatters.
static bool fit_shear(Calibration *c, Status *status)
{
    SoilParams *soil = &c->soil;
    double *friction = steered_friction(soil);
    *friction = fmax((tan(soil->friction_angle) - FRICTION_FOOT) / FRICTION_SLOPE, LEAST_FRICTION);
    soil->contact_adhesion = fmax((soil->cohesion - COHESION_FOOT) / COHESION_SLOPE, 0.1 * soil->cohesion);
    Calibration best = *c;
    double least = HUGE_VAL;
    int rounds = run_quick(c->run) ? 2 : MAX_ROUNDS;
    for (int round = 0; round < rounds && least > CLOSE_ENOUGH; round++) {
        if (!measure_shear(c, radii[0], status)) {
            return false;
        }
        if (miss(c) < least) {
            least = miss(c);
            best = *c;
        }
        double stated = tan(soil->friction_angle);
        double slope = soil->cohesion > 0.0 ? stated - tan(c->line.friction_angle) : stated * (1.0 - c->strength);
        *friction = fmax(*friction + slope / FRICTION_SLOPE, LEAST_FRICTION);
        if (soil->cohesion > 0.0) {
            double step = (soil->cohesion - c->line.cohesion) / COHESION_SLOPE;
            soil->contact_adhesion = fmax(soil->contact_adhesion + step, 0.1 * soil->contact_adhesion);
        }
    }
    *c = best;
    return true;
}

static bool measure_pile(Calibration *c, Status *status)
{
    int count = run_quick(c->run) ? PILE_GRAINS / 4 : PILE_GRAINS;
    ReposePile pile = {.scene = run_scene(c->run, &c->soil, count, 20.0),
                       .solver = run_solver(c->run),
                       .seed = run_seed(c->run),
                       .threads = run_threads(c->run),
                       .radius = radii[0],
                       .count = count,
                       .pours = 4,
                       .rest = 1.0};
    ReposeResult result;
    if (!repose_pour(&pile, NULL, NULL, &result, status)) {
        return false;
    }
    c->pile_angle = result.fresh.angle;
    fprintf(stderr, "%s pile: remoulded %.4f -> %.2f degrees, stated %.2f\n", c->soil.name, c->soil.contact_remoulded,
            c->pile_angle / DEGREE, c->soil.repose_angle / DEGREE);
    return true;
}

/// The share of adhesion that remoulded contacts keep, from the pile: halving, as the angle rises with it.
static bool fit_pile(Calibration *c, Status *status)
{
    if (c->soil.contact_adhesion <= 0.0) {
        return measure_pile(c, status);
    }
    double low = 0.0, high = 0.4;
    Calibration best = *c;
    double least = HUGE_VAL;
    for (int round = 0; round < PILE_ROUNDS && least > CLOSE_ENOUGH; round++) {
        c->soil.contact_remoulded = round == 0 ? 0.05 : 0.5 * (low + high);
        if (!measure_pile(c, status)) {
            return false;
        }
        double error = c->pile_angle - c->soil.repose_angle;
        if (fabs(error) / ANGLE_TOLERANCE < least) {
            least = fabs(error) / ANGLE_TOLERANCE;
            best = *c;
        }
        *(error < 0.0 ? &low : &high) = c->soil.contact_remoulded;
    }
    *c = best;
    return true;
}

static void write_row(FILE *file, const Calibration *c, double radius)
{
    const SoilParams *soil = &c->soil;
    fprintf(file, "%s,%.1f,%.2f,%.4g,%.4f,%.4f,%.3f,%.3f,%.4f,%.2f,%.2f,%.3f,%.4f,%.3f,%.2f,%.3f,%.1f,%.2f\n",
            soil->name, soil->friction_angle / DEGREE, soil->cohesion * 1e-3, soil->contact_stiffness,
            soil->contact_friction, bonded_friction(soil), soil->contact_ductility, soil->contact_adhesion * 1e-3,
            soil->contact_remoulded, radius, c->line.friction_angle / DEGREE, c->line.cohesion * 1e-3, c->line.r2,
            c->strength, c->residual.friction_angle / DEGREE, c->residual.cohesion * 1e-3, soil->repose_angle / DEGREE,
            c->pile_angle / DEGREE);
    fflush(file);
}

static bool calibrate_soil(const Run *run, const char *name, FILE *file, Status *status)
{
    Calibration c = {.run = run};
    if (!data_load_soil(name, &c.soil, NULL, status) || !fit_shear(&c, status)) {
        return false;
    }
    if (!fit_pile(&c, status)) {
        return false;
    }
    write_row(file, &c, radii[0]);
    for (int k = 1; k < RADII && !run_quick(run); k++) {
        if (!measure_shear(&c, radii[k], status)) {
            return false;
        }
        write_row(file, &c, radii[k]);
    }
    return true;
}

static bool calibrate_all(const Run *run, FILE *file, const char *const *names, int count, Status *status)
{
    fprintf(file, "soil,friction_angle_deg,cohesion_kpa,contact_stiffness,contact_friction,contact_bond_friction,"
                  "contact_ductility,contact_adhesion_kpa,"
                  "contact_remoulded,radius_m,measured_friction_angle_deg,measured_cohesion_kpa,r2,strength_ratio,"
                  "residual_friction_angle_deg,residual_cohesion_kpa,repose_angle_deg,measured_repose_angle_deg\n");
    DataListEntry soils[SCENE_MAX_SOILS * 4];
    int known = data_list("soils", soils, (int)(sizeof soils / sizeof soils[0]), status);
    if (known < 0) {
        return false;
    }
    int wanted = count > 0 ? count : known;
    for (int k = 0; k < wanted; k++) {
        if (!calibrate_soil(run, count > 0 ? names[k] : soils[k].name, file, status)) {
            return false;
        }
    }
    return true;
}

StatusCode calibrate(const RunRequest *request, const char *const *words, int word_count, Status *status)
{
    if (word_count == 0) {
        status_fail(status, STATUS_BAD_USAGE, "calibrate: OUT.csv is expected");
        return status->code;
    }
    if (request->setting_count > 0) {
        status_fail(status, STATUS_BAD_USAGE,
                    "calibrate takes no --set: what it starts from stands in the soils' files");
        return status->code;
    }
    RunRequest own = *request;
    own.experiment = &experiment_shear;
    Run *run = run_create(&own, status);
    if (run == NULL) {
        return status->code;
    }
    const char *path = words[0];
    FILE *file = written_file_open(path);
    if (file == NULL) {
        status_fail(status, STATUS_BAD_FILE, "%s: cannot be written: %s", path, written_file_reason(errno));
        run_destroy(run);
        return status->code;
    }
    bool good = calibrate_all(run, file, words + 1, word_count - 1, status);
    if (fclose(file) != 0 && good) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: %s", path, strerror(errno));
    }
    run_destroy(run);
    return good ? STATUS_GOOD : status->code;
}
