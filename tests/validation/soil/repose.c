/// Experiment 6, `repose`: a poured pile stands at the soil's angle of repose, and stays so.
#include "tests/validation/rigs/soil/repose_pile.h"

#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiment.h"
#include "tests/validation/harness/experiments.h"

enum { SIZES = 2 };

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "file of data/soils", "sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"count", 2000, 200, 100000, "", "particles; when given, the only pile (otherwise 2000 and 20000)", NULL},
    {"radius", 0.05, 0.01, 0.2, "m", "mean radius of the particles", NULL},
    {"pours", 4, 1, 50, "", "piles whose mean is taken; when not given, as many as make up 8000 particles, 4 at most",
     NULL},
    {"rest", 60, 1, 600, "s", "that the finished pile is watched", NULL},
    {"friction", OF_THE_FILE, 0, 2, "", "contact friction", NULL},
    {"adhesion", OF_THE_FILE, 0, 200, "kPa", "contact adhesion", NULL},
    {"ductility", OF_THE_FILE, 0.001, 10, "radii", "slip that uses up a bond", NULL},
    {"rebonded", OF_THE_FILE, 0, 1, "", "share of the adhesion that broken contacts have again where they are pressed",
     NULL},
    {"remoulded", OF_THE_FILE, 0, 1, "", "share of the adhesion that broken contacts keep", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static bool load_soil(Run *run, SoilParams *soil)
{
    if (!run_load_soil(run, option_word(run, "soil"), soil)) {
        return false;
    }
    option_override(run, "friction", 1.0, &soil->contact_friction);
    option_override(run, "adhesion", 1e3, &soil->contact_adhesion);
    option_override(run, "ductility", 1.0, &soil->contact_ductility);
    option_override(run, "rebonded", 1.0, &soil->contact_rebonded_strength);
    option_override(run, "remoulded", 1.0, &soil->contact_remoulded);
    return true;
}

/// The share of the whole run that a pile's own share is.
typedef struct Part {
    Run *run;
    double first, length;
} Part;

static void show_progress(void *context, double share)
{
    const Part *part = context;
    run_progress(part->run, part->first + part->length * share);
}

/// Profiles in units of the pile's height: piles of different size lie over each other.
static void draw_profile(Run *run, int plot, const ReposeProfile *profile, int count)
{
    char name[64];
    snprintf(name, sizeof name, "%d particles", count);
    for (int k = 0; k < REPOSE_RINGS && profile->height[k] > 0.0; k++) {
        run_point(run, plot, name, (k + 0.5) * profile->step / profile->top, profile->height[k] / profile->top);
    }
}

static void judge(Run *run, const SoilParams *soil, const ReposePile *pile, const ReposeResult *result)
{
    const double degree = M_PI / 180.0;
    double drift = (result->fresh.angle - result->rested.angle) / degree;
    char name[96];
    snprintf(name, sizeof name, "angle of repose, %d particles", pile->count);
    run_result(run, name, "degrees", result->fresh.angle / degree, soil->repose_angle / degree, 1.5);
    snprintf(name, sizeof name, "drift in %g s, %d particles", pile->rest, pile->count);
    run_result(run, name, "degrees", drift, 0.0, 0.1);
    snprintf(name, sizeof name, "particles lost, %d particles", pile->count);
    run_result(run, name, "", result->lost, 0.0, 0.0);
    if (pile->pours > 1) {
        snprintf(name, sizeof name, "standard deviation of single piles, %d particles", pile->count);
        run_note(run, name, "degrees", result->scatter / degree);
    }
    snprintf(name, sizeof name, "mean way of a particle at rest, %d particles", pile->count);
    run_note(run, name, "m", result->creep);
    snprintf(name, sizeof name, "kinetic energy a particle, %d particles", pile->count);
    run_note(run, name, "J", result->energy);
    snprintf(name, sizeof name, "height, %d particles", pile->count);
    run_note(run, name, "m", result->fresh.top);
}

/// A small pile is a matter of a few avalanches: its angle scatters by a degree.
static int pours_of(const Run *run, int count)
{
    return option_is_set(run, "pours") ? (int)option_number(run, "pours") : count > 4000 ? 1 : count > 2000 ? 2 : 4;
}

static bool run_repose(Run *run)
{
    SoilParams soil;
    if (!load_soil(run, &soil)) {
        return false;
    }
    static const int counts[SIZES] = {2000, 20000};
    bool one_size = run_quick(run) || option_is_set(run, "count");
    int sizes = one_size ? 1 : SIZES;
    int plot =
        run_plot(run, "Profile of the pile", "distance from the axis / height", "height of the surface / height");
    run_point(run, plot, "law: the stated angle", 0.0, 1.0);
    run_point(run, plot, "law: the stated angle", 1.0 / tan(soil.repose_angle), 0.0);
    for (int s = 0; s < sizes; s++) {
        int count = one_size ? (int)option_number(run, "count") : counts[s];
        if (run_quick(run) && !option_is_set(run, "count")) {
            count = 1200;
        }
        double rest = run_quick(run) && !option_is_set(run, "rest") ? 10.0 : option_number(run, "rest");
        ReposePile pile = {.scene = run_scene(run, &soil, count, 20.0),
                           .solver = run_solver(run),
                           .seed = run_seed(run),
                           .threads = run_threads(run),
                           .radius = option_number(run, "radius"),
                           .count = count,
                           .pours = pours_of(run, count),
                           .rest = rest};
        // The time goes with the number of particles and of the layers they come in.
        Part part = {.run = run, .first = s == 0 ? 0.0 : 0.05, .length = one_size ? 1.0 : s == 0 ? 0.05 : 0.95};
        ReposeResult result;
        Status status;
        if (!repose_pour(&pile, show_progress, &part, &result, &status)) {
            run_fail(run, "%s", status.text);
            return false;
        }
        draw_profile(run, plot, &result.fresh, count);
        judge(run, &soil, &pile, &result);
    }
    return true;
}

const Experiment experiment_repose = {
    .name = "repose",
    .title = "a poured pile: its angle, and that it keeps it without sleeping",
    .law = "angle of repose of the soil's file (published: sand 30-35, gravel 35-40, loam 30-45 degrees)",
    .options = options,
    .run = run_repose,
};
