/// A flat blade is pushed through level ground at a constant depth (blade_trial.h); what it feels is compared with the
/// fundamental equation of earthmoving (earthmoving.h) for the soil's own strength, with the mass that lies ahead.
/// Beside it stands the law for the level surface. Cohesive soil fails piece by piece: the mean over the travel lies
/// below the force of the moment of failure, which is the law's; the largest mean over a tenth of the depth is noted,
/// too.
///
/// Before a blade steeper than 70 degrees the law's slip surface is a logarithmic spiral (log_spiral.h).
///
/// Two sweeps: over the blade's angle, and over the depth for tools that are wide (closed sides) and narrow (twice as
/// wide as deep, free sides), slow and fast.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/rigs/soil/blade_trial.h"
#include "tests/validation/rigs/soil/packing.h"

static void report(Run *run, const BladeTrial *trial, const BladeOutcome *outcome)
{
    EarthmovingForce bare = earthmoving_force(&trial->law, &trial->soil);
    double w = trial->law.width * 1e3;
    char name[96];
    const struct {
        const char *text, *unit;
        double measured, tolerance; // 0: a note
    } rows[] = {
        {"draft over the law's", "", outcome->draft / outcome->law_draft, 0.08},
        {"vertical over the law's", "", outcome->vertical / outcome->law_vertical, 0.15},
        {"rupture length over the law's", "", outcome->rupture / outcome->law_rupture, 0.15},
        {"draft over the law's: standard deviation between starts", "", outcome->spread, 0.0},
        {"draft", "kN/m", outcome->draft / w, 0.0},
        {"law", "kN/m", outcome->law_draft / w, 0.0},
        {"law for a level surface", "kN/m", bare.draft / w, 0.0},
        {"law: curved slip surface over a plane one", "", trial->law.curved > 0.0 ? trial->law.curved : 1.0, 0.0},
        {"peak of the draft", "kN/m", outcome->peak / w, 0.0},
        {"down", "kN/m", outcome->vertical / w, 0.0},
        {"down by the law", "kN/m", outcome->law_vertical / w, 0.0},
        {"upward force over draft", "", -outcome->vertical / outcome->draft, 0.0},
        {"upward force over draft by the law", "", -bare.vertical / bare.draft, 0.0},
        {"drag of the walls", "kN/m", outcome->drag / w, 0.0},
        {"most particles", "", outcome->most, 0.0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        snprintf(name, sizeof name, "%.0f degrees, r = %g m: %s", trial->law.rake * 180.0 / M_PI, trial->radius,
                 rows[k].text);
        if (rows[k].tolerance > 0.0) {
            run_result(run, name, rows[k].unit, rows[k].measured, 1.0, rows[k].tolerance);
        } else {
            run_note(run, name, rows[k].unit, rows[k].measured);
        }
    }
}

/// The heap before it enters any law: its volume beside what was cut, and the slope of its front.
static void report_heap(Run *run, const BladeTrial *trial, const BladeOutcome *outcome)
{
    if (outcome->heap == 0.0) {
        return;
    }
    char name[96];
    double cut = trial->law.width * trial->law.depth * trial->length;
    snprintf(name, sizeof name, "%.0f degrees, r = %g m: volume of the heap over that of the cut",
             trial->law.rake * 180.0 / M_PI, trial->radius);
    run_result_between(run, name, "", outcome->heap / cut, outcome->heap_least / cut, outcome->heap_most / cut);
    snprintf(name, sizeof name, "%.0f degrees, r = %g m: slope of the heap's front", trial->law.rake * 180.0 / M_PI,
             trial->radius);
    run_note(run, name, "degrees", outcome->slope * 180.0 / M_PI);
}

/// One angle with the particles asked for and, if two sizes are asked for, with half as large ones.
static bool run_angle(Run *run, BladeTrial *trial, double angle, int done, int all, double share)
{
    double coarse = 0.0;
    int sizes;
    option_quick(run, "sizes", 1.0);
    if (!option_whole(run, "sizes", &sizes)) {
        return false;
    }
    trial->law.rake = angle * M_PI / 180.0;
    for (int size = 0; size < sizes; size++) {
        BladeOutcome outcome;
        trial->radius = option_number(run, "radius") / (1 << size);
        earthmoving_curve(&trial->law, &trial->soil);
        if (!blade_trial_run(run, trial, size == 0, &outcome)) {
            return false;
        }
        report(run, trial, &outcome);
        report_heap(run, trial, &outcome);
        double ratio = outcome.draft / outcome.law_draft;
        if (size > 0) {
            char name[96];
            snprintf(name, sizeof name, "%.0f degrees: draft with half the particle size, over that", angle);
            run_result(run, name, "", ratio / coarse, 1.0, 0.05);
        }
        coarse = ratio;
        run_progress(run, share * (done + (size + 1.0) / sizes) / all);
    }
    return true;
}

/// What all blades of a run share. False with run_fail.
static bool trial_from_options(Run *run, BladeTrial *trial)
{
    *trial = (BladeTrial){.radius = option_number(run, "radius"),
                          .heading = option_number(run, "heading") * M_PI / 180.0,
                          .from = option_number(run, "from"),
                          .budget = (int)option_number(run, "budget")};
    return option_whole(run, "starts", &trial->starts);
}

/// A tool of the sweep over the depth.
typedef struct Kind {
    const char *name;
    double width; ///< m, or 0: twice the depth, with free sides
    double speed; ///< m/s
} Kind;

static const Kind kinds[] = {
    {"wide, slow", 0.6, 0.1}, {"wide, fast", 0.6, 1.0}, {"narrow, slow", 0.0, 0.1}, {"narrow, fast", 0.0, 1.0}};
enum { KINDS = sizeof kinds / sizeof kinds[0], LEAST_DEPTH_CM = 10, MOST_DEPTH_CM = 30, STEP_CM = 5 };

/// Draft and vertical force of one tool over the depth, beside the law.
static bool run_kind(Run *run, BladeTrial *trial, const char *soil, const Kind *kind)
{
    char name[128];
    snprintf(name, sizeof name, "Force against depth, %s, %s tool: %s%.1f m/s, %.0f degrees", soil, kind->name,
             kind->width > 0.0 ? "closed sides, " : "twice as wide as deep, ", kind->speed,
             trial->law.rake * 180.0 / M_PI);
    int plot = run_plot(run, name, "depth, m", "kN per m of width");
    for (int depth = LEAST_DEPTH_CM; depth <= MOST_DEPTH_CM; depth += STEP_CM) {
        BladeOutcome outcome;
        double d = 0.01 * depth;
        trial->law.depth = d;
        trial->law.closed = kind->width > 0.0;
        trial->law.width = trial->law.closed ? kind->width : 2.0 * d;
        trial->law.speed = kind->speed;
        earthmoving_curve(&trial->law, &trial->soil);
        trial->length = option_number(run, "travel") * d;
        if (!blade_trial_run(run, trial, false, &outcome)) {
            return false;
        }
        double per = 1e-3 / trial->law.width;
        run_point(run, plot, "draft", d, outcome.draft * per);
        run_point(run, plot, "down", d, outcome.vertical * per);
        run_point(run, plot, "law: draft", d, outcome.law_draft * per);
        run_point(run, plot, "law: down", d, outcome.law_vertical * per);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: draft over the law's", soil, kind->name, d);
        run_result(run, name, "", outcome.draft / outcome.law_draft, 1.0, 0.08);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: standard deviation between starts", soil, kind->name, d);
        run_note(run, name, "", outcome.spread);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: vertical over the law's", soil, kind->name, d);
        run_result(run, name, "", outcome.vertical / outcome.law_vertical, 1.0, 0.15);
    }
    return true;
}

/// All tools, in the soil that the user set, or in three (quick: in sand).
static bool run_depths(Run *run, double before)
{
    const char *soils[] = {option_word(run, "soil"), "loam", "clay"};
    int count = run_quick(run) || option_is_set(run, "soil") ? 1 : 3;
    BladeTrial trial;
    if (!trial_from_options(run, &trial)) {
        return false;
    }
    trial.law.rake = option_number(run, "angle_deg") * M_PI / 180.0;
    for (int k = 0; k < count * (int)KINDS; k++) {
        const char *soil = soils[k / KINDS];
        if (!run_load_soil(run, soil, &trial.soil) || !run_kind(run, &trial, soil, &kinds[k % KINDS])) {
            return false;
        }
        run_progress(run, before + (1.0 - before) * (k + 1) / (count * (double)KINDS));
    }
    return true;
}

static bool run_angles(Run *run, double share)
{
    static const double full[SWEEP_MOST] = {30.0, 45.0, 60.0}, quick[SWEEP_MOST] = {45.0};
    double angles[SWEEP_MOST];
    option_quick(run, "width", 0.6);
    int count = packing_sweep(run, "angle_deg", full, quick, angles);
    BladeTrial trial;
    if (!trial_from_options(run, &trial)) {
        return false;
    }
    trial.law = (Earthmoving){.depth = option_number(run, "depth"),
                              .width = option_number(run, "width"),
                              .speed = option_number(run, "speed"),
                              .closed = strcmp(option_word(run, "sides"), "closed") == 0};
    trial.length = option_number(run, "travel") * trial.law.depth;
    if (!run_load_soil(run, option_word(run, "soil"), &trial.soil)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!run_angle(run, &trial, angles[k], k, count, share)) {
            return false;
        }
    }
    return true;
}

static bool run_blade(Run *run)
{
    bool one = option_is_set(run, "depth") || option_is_set(run, "width") || option_is_set(run, "speed") ||
               option_is_set(run, "sides");
    const char *sweep = option_word(run, "sweep");
    option_quick(run, "starts", 2.0);
    bool angles = strcmp(sweep, "depth") != 0, depths = strcmp(sweep, "angle") != 0 && !(angles && one);
    double share = !angles ? 0.0 : depths ? 0.7 : 1.0;
    return (!angles || run_angles(run, share)) && (!depths || run_depths(run, share));
}

static const ExperimentOption options[] = {
    {"soil", 0.0, 0.0, 0.0, "", "name of a soil file", "sand|loam|clay|gravel|topsoil|wet-clay|hard-clay|" OTHER_SOIL},
    {"angle_deg", 45.0, 20.0, 90.0, "deg", "rake of the blade from the horizontal; 90 = upright", NULL},
    {"depth", 0.2, 0.02, 0.5, "m", "of the edge below the level surface", NULL},
    {"width", 1.0, 0.1, 5.0, "m", "of the blade", NULL},
    {"speed", 0.1, 0.01, 2.0, "m/s", "", NULL},
    {"radius", 0.025, 0.01, 0.1, "m", "of a particle; columns are two wide", NULL},
    {"sizes", 2.0, 1.0, 2.0, "", "of particles: these, and half as large ones (angles; quick: 1)", NULL},
    {"travel", 2.0, 0.5, 50.0, "", "over the depth", NULL},
    {"from", 0.5, 0.0, 0.95, "", "share of the travel after which means are taken", NULL},
    {"heading", 0.0, -360.0, 360.0, "deg", "of the blade's way against the site's columns", NULL},
    {"starts", 4.0, 1.0, BLADE_MOST_STARTS, "", "places where the blade begins, whose mean is taken (quick: 2)", NULL},
    {"budget", 40000.0, 100.0, 400000.0, "", "most particles", NULL},
    {"sweep", 0.0, 0.0, 0.0, "",
     "angles of one blade, or depths of wide, narrow, slow and fast ones; all: depths only if neither depth, width, "
     "speed nor sides is set",
     "all|angle|depth"},
    {"sides", 0.0, 0.0, 0.0, "", "smooth walls beside the blade, or none", "closed|free"},
    {.key = NULL},
};

const Experiment experiment_blade = {
    .name = "blade",
    .title = "a flat blade cuts level ground",
    .law =
        "Reece 1965, McKyes and Ali 1977, McKyes 1985: P = w (rho g d^2 Ng + c d Nc + ca d Nca + rho v^2 d Na), with "
        "the mass that lies ahead in place of the level wedge's",
    .options = options,
    .run = run_blade,
};
