/// Experiment `sinkage`: how deep the excavator's tracks stand in each soil, undisturbed and level, and how deep when
/// it has driven on.
///
/// Nothing is judged here: what measured soils ask for is a set of `measured` (track-sinkage).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/machine/proving.h"
#include "trainer/sim/sim.h"

#define STANDS 3.0 ///< s until it is at rest
#define DRIVES 8.0 ///< s
#define LEVER  0.3 ///< of both tracks

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "the ground", "all|sand|gravel|loam|topsoil|clay|wet-clay|" OTHER_SOIL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// m: of the middle of the tracks below the surface, which is level at z = 0.
static double depth_of(const Session *session)
{
    return -session_frame(session)->machine.base.z;
}

/// Ticks with the tracks' levers at `lever`.
static void drive(Session *session, double seconds, double lever)
{
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_THROTTLE] = CONTROL_FULL;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = control_quantise(lever);
    int ticks = (int)(seconds / session_dt(session) + 0.5);
    for (int k = 0; k < ticks; k++) {
        session_tick(session, &controls);
    }
}

static bool stand_on(Run *run, const char *soil)
{
    char layers[2][288], name[64];
    for (int k = 0; k < 2; k++) {
        snprintf(layers[k], sizeof layers[k], "ground.layers.%d.soil=%s", k, soil);
    }
    const char *set[] = {layers[0], layers[1], "ground.roughness=0"};
    SessionParams wanted = {.scene = "trench", .set = set, .set_count = 3, .threads = run_threads(run)};
    Status status;
    Session *session = session_create(&wanted, &status);
    if (session == NULL) {
        run_fail(run, "%s", status.text);
        return false;
    }
    drive(session, STANDS, 0.0);
    double standing = depth_of(session);
    double from = session_frame(session)->machine.base.x;
    drive(session, DRIVES, LEVER);
    drive(session, STANDS, 0.0);
    snprintf(name, sizeof name, "%.40s: standing", soil);
    run_note(run, name, "mm", 1e3 * standing);
    snprintf(name, sizeof name, "%.40s: after driving on", soil);
    run_note(run, name, "mm", 1e3 * depth_of(session));
    snprintf(name, sizeof name, "%.40s: way", soil);
    run_note(run, name, "m", fabs(session_frame(session)->machine.base.x - from));
    session_destroy(session);
    return true;
}

static bool run_sinkage(Run *run)
{
    static const char *const soils[] = {"sand", "gravel", "loam", "topsoil", "clay", "wet-clay"};
    const int count = sizeof soils / sizeof soils[0];
    const char *only = option_word(run, "soil");
    if (strcmp(only, "all") != 0) {
        return stand_on(run, only);
    }
    for (int k = 0; k < count; k++) {
        if (!stand_on(run, soils[k])) {
            return false;
        }
        run_progress(run, (k + 1.0) / count);
    }
    return true;
}

const Experiment experiment_sinkage = {
    .name = "sinkage",
    .title = "how deep the tracks of the excavator stand in each soil",
    .law = "nothing; `measured` compares it with Bekker's law and measured values of soils",
    .options = options,
    .run = run_sinkage,
    .paper_only = true,
};
