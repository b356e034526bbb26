/// Drives a machine over a site of one soil, at rest and towing; only its tracks meet the soil.
#include "tests/validation/rigs/machine/track_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "data/schema/schema.h"
#include "soil/soil.h"
#include "tests/validation/rigs/machine/proving.h"
#include "trainer/sim/coupling.h"

#define TICK      (8.0 * PROVING_STEP) ///< s
#define STANDS    3.0 ///< s until it is at rest
#define DRIVES    26.0 ///< s
#define FARTHEST  9.0 ///< m that it drives at most: the site ends
#define HITCH     0.5 ///< m above the ground
#define ROPE      5.0 ///< m
#define STIFFNESS 4e5 ///< N/m of the rope
#define BEGINS    -9.0 ///< m: x of the machine

typedef struct Trial {
    Proving proving;
    Soil *soil;
    SceneParams *scene;
    Vec3 hitch, anchor; ///< m: of the rope, on the machine and on the car (world)
    double tension; ///< N, mean of the last tick
    double start; ///< m: height of the ground
} Trial;

static bool load_site(Run *run, const char *soil, SceneParams *scene)
{
    char layers[2][288];
    const char *const set[] = {layers[0], layers[1], "ground.roughness=0"};
    for (int k = 0; k < 2; k++) {
        snprintf(layers[k], sizeof layers[k], "ground.layers.%d.soil=%s", k, soil);
    }
    MachineParams *machine = calloc(1, sizeof *machine);
    Status status;
    bool good = machine != NULL && data_load_scene("trench", set, 3, scene, machine, NULL, &status);
    free(machine);
    if (!good) {
        run_fail(run, "%s", status.text);
    }
    return good;
}

static bool begin(Run *run, const TrackTrial *wanted, Trial *trial)
{
    MachineParams params;
    Status status;
    trial->scene = calloc(1, sizeof *trial->scene);
    if (trial->scene == NULL || !load_site(run, wanted->soil, trial->scene) ||
        !proving_load_machine(run, wanted->machine, &params)) {
        return false;
    }
    trial->soil = soil_create(trial->scene, run_seed(run), SOIL_SOLVER_DEFAULT, run_threads(run), &status);
    if (trial->soil == NULL) {
        run_fail(run, "%s", status.text);
        return false;
    }
    if (!proving_create(run, &params, &trial->proving)) {
        return false;
    }
    Vec3 place = vec3(BEGINS, 0.0, soil_get_height(trial->soil, BEGINS, 0.0)), up = vec3(0.0, 0.0, 1.0);
    Machine *machine = trial->proving.machine;
    MachineState *state = &trial->proving.state;
    trial->start = place.z;
    machine_start_on(machine, place, up, 0.0, state);
    coupling_stand(trial->soil, machine, state, &place, &up);
    machine_start_on(machine, place, up, 0.0, state);
    trial->hitch = vec3(-0.5 * params.tracks.length, 0.0, HITCH);
    return true;
}

static void end(Trial *trial)
{
    proving_destroy(&trial->proving);
    soil_destroy(trial->soil);
    free(trial->scene);
}

/// A tick; `car`: m/s of the car that it tows, below 0: none.
static void tick(Trial *trial, double car)
{
    Proving *proving = &trial->proving;
    MachineGround ground[MACHINE_MAX_PATCHES];
    Vec3 points[MACHINE_MAX_PATCHES];
    trial->tension = 0.0;
    soil_begin_tick(trial->soil, NULL, 0, TICK);
    for (int k = 0; k < 8; k++) {
        int count = machine_track_patches(proving->machine, &proving->state, points);
        coupling_ground(trial->soil, trial->scene->soils, &proving->params.tracks, points, count, ground);
        if (car >= 0.0) {
            trial->tension += proving_rope(proving, MACHINE_BASE, trial->hitch, trial->anchor, ROPE, STIFFNESS) / 8.0;
            trial->anchor.x += car * PROVING_STEP;
        }
        proving_step_on(proving, ground);
        soil_substep(trial->soil, NULL, 0, PROVING_STEP, NULL);
    }
    soil_end_tick(trial->soil, NULL, 0);
    coupling_ruts(trial->soil, proving->machine, &proving->state, TICK);
}

/// m: how deep the soil is pressed below a place along the tracks. The undercarriage gives, too: that is no sinkage.
static double depth_at(const Trial *trial, double along)
{
    const MachineTracks *tracks = &trial->proving.params.tracks;
    const MachineState *state = &trial->proving.state;
    int last = tracks->patches - 1, patch = (int)lround((along / tracks->contact_length + 0.5) * last);
    double pressure = 0.0; // at the end of the tracks that of its patches, in the middle the mean
    for (int k = 0; k < tracks->patches; k++) {
        double share = along != 0.0 ? (double)(k == patch) : 1.0 / tracks->patches;
        pressure += 0.5 * share *
                    (machine_patch_pressure(trial->proving.machine, state, k) +
                     machine_patch_pressure(trial->proving.machine, state, tracks->patches + k));
    }
    double gives = pressure * (1.0 / tracks->stiffness - 1.0 / tracks->ground_stiffness);
    return trial->start - proving_point(&trial->proving, MACHINE_BASE, vec3(along, 0.0, 0.0)).z - gives;
}

bool track_trial_run(Run *run, const TrackTrial *wanted, TrackResult *result)
{
    Trial trial = {.soil = NULL};
    *result = (TrackResult){.standing = 0.0};
    if (!begin(run, wanted, &trial)) {
        end(&trial);
        return false;
    }
    Proving *proving = &trial.proving;
    for (int k = 0; k < (int)(STANDS / TICK); k++) {
        tick(&trial, -1.0);
    }
    result->standing = depth_at(&trial, 0.0);
    trial.anchor = vec3_add(proving_point(proving, MACHINE_BASE, trial.hitch), vec3(-ROPE, 0.0, 0.0));
    proving_lever(proving, CONTROL_LEFT_TRACK, wanted->lever);
    proving_lever(proving, CONTROL_RIGHT_TRACK, wanted->lever);
    double belts = wanted->lever * proving->params.tracks.max_speed;
    int ticks = (int)(fmin(DRIVES, FARTHEST / (belts * fmax(0.05, 1.0 - wanted->slip))) / TICK),
        last = (int)(1.0 / TICK);
    for (int k = 0; k < ticks; k++) {
        // The car follows the belts' speed of this moment, and slows down when the drives do.
        const double *speed = proving->state.track_speed;
        tick(&trial, wanted->slip > 0.0 ? (1.0 - wanted->slip) * fmax(0.0, 0.5 * (speed[0] + speed[1])) : -1.0);
        if (k >= ticks - last) {
            MachineReadout readout = proving_readout(proving);
            result->driving += depth_at(&trial, 0.0) / last;
            result->rear += depth_at(&trial, -0.5 * proving->params.tracks.contact_length) / last;
            result->slip += 0.5 * (readout.slip[0] + readout.slip[1]) / last;
            result->pull += trial.tension / (proving_mass(&proving->params) * STANDARD_GRAVITY) / last;
        }
    }
    end(&trial);
    return true;
}
