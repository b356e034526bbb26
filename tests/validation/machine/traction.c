/// Experiment `traction`: what a machine (the excavator, or `--set machine=dozer-20t`) pulls and climbs on each soil.
///
/// Pull: it tows a braked car at 0.1 m/s on a rope at its rear, 0.5 m above the ground (ISO 7464 measures it on the
/// move). The tracks hold no more than the soil's strength below them (Bekker 1956: H = A c + W tan(phi)), the drives
/// no more than their relief or a dozer's converter allows; the rope gets what the tracks' own resistance leaves,
/// uphill less the weight's part:
///   P = min(drive, A c + W cos(a) tan(phi)) - f W cos(a) - W sin(a)
/// Grade: the steepest that it climbs, for which P = 0. Slip: that of the tracks on the slope of the option, with
/// nothing to tow. A is the area that bears: under a linear distribution of pressure whose middle lies e behind that of
/// the tracks, all of it up to e = l/6, then the part 3 (1/2 - e/l).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/drive/drive.h"
#include "tests/validation/rigs/machine/proving.h"

#define HITCH       0.5 ///< m above the ground
#define ROPE        5.0 ///< m
#define CAR_SPEED   0.1 ///< m/s
#define STIFFNESS   4e5 ///< N/m
#define PULL_TIME   8.0 ///< s
#define MEAN_TIME   1.0 ///< s
#define CLIMB_TIME  5.0 ///< s, after it has come to rest on the slope
#define CLIMBED     0.1 ///< m in the last second
#define LEAST_SHARE 0.5 ///< of the tracks that bears: below it the model's patches are too coarse for the law
#define STEEPEST    (60.0 * PROVING_DEGREE)

typedef struct Ground {
    char name[SOIL_NAME_LENGTH];
    double friction, cohesion;
} Ground;

static const char *const soil_names[] = {"sand", "gravel", "loam", "topsoil", "clay", "wet-clay"};
enum { SOILS = sizeof soil_names / sizeof soil_names[0] };

static bool load_ground(Run *run, const char *name, Ground *ground)
{
    SoilParams soil = {.friction_angle = atan(PROVING_FIRM_FRICTION), .cohesion = PROVING_FIRM_COHESION};
    if (strcmp(name, "firm") != 0 && !run_load_soil(run, name, &soil)) {
        return false;
    }
    snprintf(ground->name, sizeof ground->name, "%s", name);
    ground->friction = tan(soil.friction_angle);
    ground->cohesion = soil.cohesion;
    return true;
}

/// Share of the tracks' length that bears on a slope, with the centre of mass `center` (undercarriage frame).
static double bearing_share(const MachineParams *params, Vec3 center, double angle)
{
    double e = fabs(center.x - center.z * tan(angle)) / params->tracks.contact_length;
    return fmax(0.0, fmin(1.0, 3.0 * (0.5 - e)));
}

/// What statics leave for the rope on a slope of `angle`, N; whether the drives' relief is what limits it.
static double expected_pull(const MachineParams *params, Vec3 center, const Ground *ground, double angle, bool *drive)
{
    const MachineTracks *tracks = &params->tracks;
    double weight = proving_mass(params) * STANDARD_GRAVITY, load = weight * cos(angle);
    double area = 2.0 * tracks->contact_length * tracks->shoe_width * bearing_share(params, center, angle);
    double grip = tracks->friction * (area * ground->cohesion + load * ground->friction);
    double most = params->type == MACHINE_DOZER
                      ? powertrain_convert(params, 1, params->powertrain.stall_speed, CAR_SPEED).force
                      : tracks->drawbar + tracks->rolling_resistance * weight;
    *drive = most < grip;
    return fmin(most, grip) - tracks->rolling_resistance * load - weight * sin(angle);
}

static bool stand(Run *run, const MachineParams *params, const Ground *ground, double slope, Proving *proving)
{
    if (!proving_create(run, params, proving)) {
        return false;
    }
    proving->friction = ground->friction;
    proving->cohesion = ground->cohesion;
    // Tilts slowly, so that it stands on the slope rather than falls onto it.
    int steps = (int)(3.0 / PROVING_STEP);
    for (int k = 1; k <= steps; k++) {
        proving->slope = slope * k / steps;
        proving_step(proving);
    }
    proving_run(proving, 1.0);
    return true;
}

static void drive_uphill(Proving *proving)
{
    proving_lever(proving, CONTROL_LEFT_TRACK, 1.0);
    proving_lever(proving, CONTROL_RIGHT_TRACK, 1.0);
}

static bool measure_pull(Run *run, const MachineParams *params, Vec3 center, const Ground *ground, double slope)
{
    Proving proving;
    if (!stand(run, params, ground, slope, &proving)) {
        return false;
    }
    Vec3 hitch = vec3(-0.5 * params->tracks.length, 0.0, HITCH);
    Vec3 start = proving_point(&proving, MACHINE_BASE, hitch);
    Vec3 anchor = vec3_madd(start, -ROPE, vec3(cos(slope), 0.0, sin(slope)));
    drive_uphill(&proving);
    int steps = (int)(PULL_TIME / PROVING_STEP), mean = (int)(MEAN_TIME / PROVING_STEP);
    double pull = 0.0;
    for (int k = 0; k < steps; k++) {
        double tension = proving_rope(&proving, MACHINE_BASE, hitch, anchor, ROPE, STIFFNESS);
        anchor = vec3_madd(anchor, CAR_SPEED * PROVING_STEP, vec3(cos(slope), 0.0, sin(slope)));
        pull += k >= steps - mean ? tension / mean : 0.0;
        proving_step(&proving);
    }
    MachineLimit limit = proving_readout(&proving).limit;
    proving_destroy(&proving);
    bool drive;
    double expected = expected_pull(params, center, ground, slope, &drive);
    char text[96];
    snprintf(text, sizeof text, "%s: pull by statics (%s), limit: %s", ground->name, drive ? "drives" : "slipping",
             machine_limit_names[limit]);
    run_result(run, text, "kN", 1e-3 * pull, 1e-3 * expected, 0.05e-3 * fabs(expected));
    run_note(run, "pull over weight", "", pull / (proving_mass(params) * STANDARD_GRAVITY));
    if (strcmp(ground->name, "firm") == 0 && slope == 0.0 && params->type == MACHINE_EXCAVATOR) {
        run_result(run, "firm: drawbar", "kN", 1e-3 * pull, 205.0, 0.05 * 205.0);
    }
    return true;
}

/// How far it comes uphill in the last of CLIMB_TIME seconds, m; its slip then.
static bool climb(Run *run, const MachineParams *params, const Ground *ground, double slope, double *way, double *slip)
{
    Proving proving;
    if (!stand(run, params, ground, slope, &proving)) {
        return false;
    }
    drive_uphill(&proving);
    proving_run(&proving, CLIMB_TIME - 1.0);
    double before = proving_readout(&proving).base.x;
    proving_run(&proving, 1.0);
    MachineReadout after = proving_readout(&proving);
    *way = (after.base.x - before) / cos(slope);
    *slip = fmax(after.slip[0], after.slip[1]);
    proving_destroy(&proving);
    return true;
}

static bool measure_slip(Run *run, const MachineParams *params, const Ground *ground, double slope)
{
    double way, slip;
    if (!climb(run, params, ground, slope, &way, &slip)) {
        return false;
    }
    char text[64];
    snprintf(text, sizeof text, "%s: slip uphill", ground->name);
    run_note(run, text, "", slip);
    return true;
}

static double expected_grade(const MachineParams *params, Vec3 center, const Ground *ground)
{
    double low = 0.0, high = STEEPEST;
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (low + high);
        bool drive;
        *(expected_pull(params, center, ground, middle, &drive) > 0.0 ? &low : &high) = middle;
    }
    return low;
}

static bool measure_grade(Run *run, const MachineParams *params, Vec3 center, const Ground *ground)
{
    double low = 0.0, high = STEEPEST, way, slip;
    for (int k = 0; k < 7; k++) {
        double middle = 0.5 * (low + high);
        if (!climb(run, params, ground, middle, &way, &slip)) {
            return false;
        }
        *(way > CLIMBED ? &low : &high) = middle;
    }
    char text[64];
    snprintf(text, sizeof text, "%s: steepest grade", ground->name);
    double expected = expected_grade(params, center, ground);
    if (bearing_share(params, center, expected) < LEAST_SHARE) {
        run_note(run, text, "deg", low / PROVING_DEGREE);
        return true;
    }
    run_result(run, text, "deg", low / PROVING_DEGREE, expected / PROVING_DEGREE, 2.0);
    return true;
}

static bool measure_firm_grade(Run *run, const MachineParams *params, const Ground *firm)
{
    double way, slip;
    if (!climb(run, params, firm, 35.0 * PROVING_DEGREE, &way, &slip)) {
        return false;
    }
    double fastest = params->type == MACHINE_DOZER ? params->powertrain.forward[0] : 5.7 / 3.6;
    run_result_between(run, "firm: speed up 35 degrees", "km/h", 3.6 * way, 0.5, 3.6 * fastest);
    run_result_most(run, "firm: slip up 35 degrees", "", slip, 0.2);
    return true;
}

static bool run_ground(Run *run, const MachineParams *params, const char *name, bool grade)
{
    Ground ground;
    Proving proving;
    double slope = option_number(run, "slope") * PROVING_DEGREE;
    if (!load_ground(run, name, &ground) || !proving_create(run, params, &proving)) {
        return false;
    }
    Vec3 center = vec3_sub(proving_center(&proving), proving_readout(&proving).base);
    proving_destroy(&proving);
    if (!measure_pull(run, params, center, &ground, slope) || !measure_slip(run, params, &ground, slope)) {
        return false;
    }
    if (strcmp(name, "firm") == 0 && !measure_firm_grade(run, params, &ground)) {
        return false;
    }
    return !grade || measure_grade(run, params, center, &ground);
}

static bool run_traction(Run *run)
{
    MachineParams params;
    const char *soil = option_word(run, "soil");
    if (!proving_load_machine(run, option_word(run, "machine"), &params)) {
        return false;
    }
    if (strcmp(soil, "all") != 0) {
        return run_ground(run, &params, soil, true);
    }
    bool good = run_ground(run, &params, "firm", !run_quick(run));
    for (int k = 0; k < SOILS && good; k++) {
        good = run_ground(run, &params, soil_names[k], !run_quick(run));
        run_progress(run, (k + 2.0) / (SOILS + 1.0));
    }
    return good;
}

static const ExperimentOption options[] = {
    {"soil", 0.0, 0.0, 0.0, "", "the ground", "all|firm|sand|gravel|loam|topsoil|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"machine", 0.0, 0.0, 0.0, "", "which machine", "excavator-22t|dozer-20t"},
    {"slope", 0.0, -30.0, 45.0, "deg", "on which it pulls and climbs, uphill positive", NULL},
    {.key = NULL},
};

const Experiment experiment_traction = {
    .name = "traction",
    .title = "what a machine pulls and climbs on each soil",
    .law = "published drawbar and grade; Bekker 1956: thrust = A c + W tan(phi)",
    .options = options,
    .run = run_traction,
    .paper_only = true,
};
