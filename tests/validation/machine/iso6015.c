/// Experiment `iso6015`: tool forces at the lip, each cylinder alone, as ISO 6015 measures them.
///
/// The lip is tied to a rope along the way it moves; the lever is pushed to its end and the rope's tension read. The
/// pose is the one that gives most (4.4: preliminary tests at different angles), found in closed form (statics.h):
/// force at the lip
///   F = P L' / r + weight share,  P = relief x area, L' the cylinder's lever arm on its joint, r from the joint's pin
///   to the lip,
/// as long as no other cylinder's relief, tipping or slipping allows less. For the stick the bucket stands as
/// where its own force was greatest. Published ratings are P L' / r, without weights: what the weight of the moved
/// parts gives is taken off. The limit that acted (4.5) is named with each force, as the gauges have it. Then the stick
/// pulls on ground that is too slick to hold the machine: it has to drag itself along instead.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/schema/machine_params.h"
#include "tests/validation/rigs/machine/proving.h"
#include "tests/validation/rigs/machine/published.h"
#include "tests/validation/rigs/machine/statics.h"

#define ROPE           30.0 ///< m: so long that its direction stays
#define ROPE_STIFFNESS 2e6 ///< N/m
#define STIFFNESS      1e7 ///< N/m: the lip gives way by less than 2 cm
#define DAMPING_TIME   0.005 ///< s: whose stretching counts like the rope's length
#define AT_RELIEF      0.99 ///< share of the relief pressure
#define SLICK          0.25 ///< friction of the slick ground
#define PULL_TIME      4.0 ///< s
#define STALL_TIME     1.5 ///< s: before the stick is all the way in
#define MEAN_TIME      0.25 ///< s
#define ABOVE          1.02 ///< the other limits allow at least so many times as much: the function is what is measured
#define UPRIGHT        1.5 ///< the same of tipping, of which the gauge warns before
#define LEAST          0.95
#define MOST           1.05
#define MARGIN         1e-3 ///< poses whose force is as good prefer the one that is farther from the other limits

typedef struct Pull {
    int function;
    double arm[3]; ///< pose, rad
    double published; ///< N
    double time; ///< s the lever is held
    bool anchored; ///< the rope's other end stays where it is
    double friction, cohesion;
    StaticsForce expected;
    double measured, rated; ///< N: rope; without weights
    double travel; ///< m the machine was dragged
    const char *limit;
} Pull;

/// ---- pose ----------------------------------------------------------------------------------------------------------

/// How good a pose is: its force without weights; a little better the farther the other limits are.
static double score_of(const StaticsForce *force, int function)
{
    int own = (int)function - EXCAVATOR_JOINT_BOOM;
    double others = HUGE_VAL;
    for (int k = 0; k < STATICS_LIMITS; k++) {
        others = k == own ? others : fmin(others, force->allowed[k] / (k == STATICS_TIPPING ? UPRIGHT : ABOVE));
    }
    double least = fmin(force->allowed[own], others);
    return (least - force->weight) * (1.0 + MARGIN * fmin(3.0, others / force->allowed[own]));
}

static double at(const double range[2], int k, int steps)
{
    return range[0] + (range[1] - range[0]) * k / steps;
}

/// The best pose of boom, stick and bucket for the function; the bucket's angle between `bucket[0]` and `bucket[1]`.
static void search_pose(const MachineParams *params, const double bucket[2], Pull *pull)
{
    enum { STEPS = 80 };
    double best = -HUGE_VAL;
    int bucket_steps = bucket[1] > bucket[0] ? STEPS : 0;
    for (int i = 0; i < (STEPS + 1) * (STEPS + 1) * (bucket_steps + 1); i++) {
        int b = i % (STEPS + 1), s = i / (STEPS + 1) % (STEPS + 1), c = i / ((STEPS + 1) * (STEPS + 1));
        double arm[3] = {at(params->joint[EXCAVATOR_JOINT_BOOM].range, b, STEPS),
                         at(params->joint[EXCAVATOR_JOINT_STICK].range, s, STEPS), at(bucket, c, STEPS)};
        StaticsForce force = statics_force(params, pull->function, arm, pull->friction, pull->cohesion);
        double score = score_of(&force, pull->function);
        if (score > best) {
            best = score;
            memcpy(pull->arm, arm, sizeof arm);
        }
    }
}

static bool choose_pose(Run *run, const MachineParams *params, Pull *pull)
{
    static const char *const keys[3] = {"boom_deg", "stick_deg", "bucket_deg"};
    const double *ranges[3] = {params->joint[EXCAVATOR_JOINT_BOOM].range, params->joint[EXCAVATOR_JOINT_STICK].range,
                               params->joint[EXCAVATOR_JOINT_BUCKET].range};
    // The stick is measured with the bucket as the bucket's own force was greatest.
    Pull bucket = *pull;
    bucket.function = EXCAVATOR_JOINT_BUCKET;
    search_pose(params, params->joint[EXCAVATOR_JOINT_BUCKET].range, &bucket);
    search_pose(params,
                pull->function == EXCAVATOR_JOINT_BUCKET ? params->joint[EXCAVATOR_JOINT_BUCKET].range
                                                         : (double[2]){bucket.arm[2], bucket.arm[2]},
                pull);
    for (int k = 0; k < 3; k++) {
        double angle = option_is_set(run, keys[k]) ? option_number(run, keys[k]) * PROVING_DEGREE : pull->arm[k];
        if (angle < ranges[k][0] || angle > ranges[k][1]) {
            run_fail(run, "%s: read %.6g, allowed %.6g to %.6g", keys[k], angle / PROVING_DEGREE,
                     ranges[k][0] / PROVING_DEGREE, ranges[k][1] / PROVING_DEGREE);
            return false;
        }
        pull->arm[k] = angle;
    }
    pull->expected = statics_force(params, pull->function, pull->arm, pull->friction, pull->cohesion);
    return true;
}

/// ---- measurement ---------------------------------------------------------------------------------------------------

static const char *acting_limit(const Proving *proving)
{
    MachineReadout readout = proving_readout(proving);
    if (readout.limit == MACHINE_LIMIT_TIP || readout.limit == MACHINE_LIMIT_SLIP) {
        return statics_limit_names[readout.limit == MACHINE_LIMIT_TIP ? STATICS_TIPPING : STATICS_SLIPPING];
    }
    const double relief[3] = {proving->params.joint[EXCAVATOR_JOINT_BOOM].cylinder.relief,
                              proving->params.joint[EXCAVATOR_JOINT_STICK].cylinder.relief,
                              proving->params.joint[EXCAVATOR_JOINT_BUCKET].cylinder.relief};
    for (int k = 0; k < 3; k++) {
        if (readout.pressure[EXCAVATOR_JOINT_BOOM + k] >= AT_RELIEF * relief[k]) {
            return statics_limit_names[k];
        }
    }
    return machine_limit_names[readout.limit];
}

/// The rope's pull on the lip for the next step, N. Its anchor follows the machine as that leans and shifts, so that it
/// pulls along the lip's way about the joint's pin throughout: spring and damper on how far the lip has come about the
/// pin from `start`.
static double pull_along(Proving *proving, int function, double start)
{
    const MachineParams *params = &proving->params;
    MachineReadout now = proving_readout(proving);
    int body = function == EXCAVATOR_JOINT_STICK ? EXCAVATOR_STICK : EXCAVATOR_BUCKET;
    Vec3 pin = proving_point(proving, body, vec3(0.0, 0.0, 0.0)), arm = vec3_sub(now.tip, pin);
    double radius = hypot(arm.x, arm.z), way = radius * (start - now.angle[function]);
    double tension = fmax(0.0, STIFFNESS * (way - DAMPING_TIME * radius * now.speed[function]));
    Vec3 edge = proving_point(proving, EXCAVATOR_BUCKET, vec3(excavator_tip_radius(params), 0.0, 0.0));
    proving_pull(proving, EXCAVATOR_BUCKET, edge, vec3(-tension * arm.z / radius, 0.0, tension * arm.x / radius));
    return tension;
}

static bool measure(Run *run, const MachineParams *params, Pull *pull)
{
    Proving proving;
    if (!proving_create_posed(run, params, pull->arm, &proving)) {
        return false;
    }
    proving.friction = pull->friction;
    proving.cohesion = pull->cohesion;
    proving_run(&proving, 0.5);
    Vec3 edge = vec3(excavator_tip_radius(params), 0.0, 0.0), start = proving_point(&proving, EXCAVATOR_BUCKET, edge);
    double base = proving_readout(&proving).base.x;
    PlanePoint direction = pull->expected.direction;
    Vec3 anchor = vec3_madd(start, -ROPE, vec3(direction.x, 0.0, direction.z));
    proving_lever(&proving, pull->function == EXCAVATOR_JOINT_STICK ? CONTROL_STICK : CONTROL_BUCKET, 1.0);
    double angle = proving_readout(&proving).angle[pull->function];
    int steps = (int)(pull->time / PROVING_STEP), mean = (int)(MEAN_TIME / PROVING_STEP);
    for (int k = 0; k < steps; k++) {
        double tension = pull->anchored ? proving_rope(&proving, EXCAVATOR_BUCKET, edge, anchor, ROPE, ROPE_STIFFNESS)
                                        : pull_along(&proving, pull->function, angle);
        pull->measured += k >= steps - mean ? tension / mean : 0.0;
        proving_step(&proving);
    }
    MachineReadout after = proving_readout(&proving);
    StaticsForce now =
        statics_force(params, pull->function, &after.angle[EXCAVATOR_JOINT_BOOM], pull->friction, pull->cohesion);
    pull->rated = pull->measured - now.weight;
    pull->travel = after.base.x - base;
    pull->limit = acting_limit(&proving);
    proving_destroy(&proving);
    return true;
}

/// ---- what it says --------------------------------------------------------------------------------------------------

static void report(Run *run, const char *name, const Pull *pull)
{
    char text[96];
    snprintf(text, sizeof text, "%s force, limit: %s", name, pull->limit);
    run_result(run, text, "kN", 1e-3 * pull->rated, 1e-3 * pull->published, 0.05e-3 * pull->published);
    double expected = 1e-3 * pull->expected.allowed[pull->expected.first];
    snprintf(text, sizeof text, "%s: rope, by statics (%s)", name, statics_limit_names[pull->expected.first]);
    run_result(run, text, "kN", 1e-3 * pull->measured, expected, 0.03 * expected);
    static const char *const joints[3] = {"boom", "stick", "bucket"};
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%s: pose, %s", name, joints[k]);
        run_note(run, text, "deg", pull->arm[k] / PROVING_DEGREE);
    }
    snprintf(text, sizeof text, "%s: lip above the ground", name);
    run_note(run, text, "m", pull->expected.edge.z);
    for (int k = 0; k < STATICS_LIMITS; k++) {
        snprintf(text, sizeof text, "%s: %s allows", name, statics_limit_names[k]);
        run_note(run, text, "kN", 1e-3 * pull->expected.allowed[k]);
    }
}

static bool run_function(Run *run, const MachineParams *params, int function, const char *name, double force)
{
    Pull pull = {.function = function,
                 .published = force,
                 .time = PULL_TIME,
                 .friction = option_number(run, "friction"),
                 .cohesion = 1e3 * option_number(run, "cohesion")};
    if (!choose_pose(run, params, &pull) || !measure(run, params, &pull)) {
        return false;
    }
    report(run, name, &pull);
    return true;
}

static double least_force(const StaticsForce *force)
{
    return force->allowed[force->first];
}

/// The stalled stick on firm and on slick ground, near the ground and far out.
static bool run_stall(Run *run, const MachineParams *params)
{
    for (int slick = 0; slick < 2; slick++) {
        Pull pull = {.function = EXCAVATOR_JOINT_STICK,
                     .arm = {5.0 * PROVING_DEGREE, -75.0 * PROVING_DEGREE, -30.0 * PROVING_DEGREE},
                     .time = STALL_TIME,
                     .anchored = true,
                     .friction = slick ? SLICK : PROVING_FIRM_FRICTION,
                     .cohesion = slick ? 0.0 : PROVING_FIRM_COHESION};
        pull.expected = statics_force(params, pull.function, pull.arm, pull.friction, pull.cohesion);
        // A machine that is dragged has its tracks' rolling resistance to overcome as well.
        StaticsForce rolling = statics_force(params, pull.function, pull.arm,
                                             pull.friction + params->tracks.rolling_resistance, pull.cohesion);
        if (!measure(run, params, &pull)) {
            return false;
        }
        char text[96];
        snprintf(text, sizeof text, "stalled stick on %s ground: travel, limit: %s", slick ? "slick" : "firm",
                 pull.limit);
        if (slick) {
            run_result_least(run, text, "m", pull.travel, 0.1);
        } else {
            run_result(run, text, "m", pull.travel, 0.0, 0.05);
        }
        snprintf(text, sizeof text, "stalled stick on %s ground: rope", slick ? "slick" : "firm");
        run_result_between(run, text, "kN", 1e-3 * pull.measured, LEAST * 1e-3 * least_force(&pull.expected),
                           MOST * 1e-3 * least_force(&rolling));
    }
    return true;
}

static bool run_iso6015(Run *run)
{
    MachineParams params;
    const char *function = option_word(run, "function");
    bool both = function[0] == 'a';
    const PublishedExcavator *published = published_load(run, &params);
    if (published == NULL) {
        return false;
    }
    if ((both || function[0] == 'b') &&
        !run_function(run, &params, EXCAVATOR_JOINT_BUCKET, "bucket", published->bucket_force)) {
        return false;
    }
    if ((both || function[0] == 's') &&
        !run_function(run, &params, EXCAVATOR_JOINT_STICK, "stick", published->stick_force)) {
        return false;
    }
    return !both || run_stall(run, &params);
}

static const ExperimentOption options[] = {
    PUBLISHED_OPTION,
    {"function", 0.0, 0.0, 0.0, "", "which cylinder works", "all|bucket|stick"},
    {"boom_deg", OF_THE_FILE, -90.0, 120.0, "deg", "instead of the pose search", NULL},
    {"stick_deg", OF_THE_FILE, -180.0, 60.0, "deg", "instead of the pose search", NULL},
    {"bucket_deg", OF_THE_FILE, -180.0, 90.0, "deg", "instead of the pose search", NULL},
    {"friction", PROVING_FIRM_FRICTION, 0.0, 2.0, "", "tan of the ground's friction angle", NULL},
    {"cohesion", 1e-3 * PROVING_FIRM_COHESION, 0.0, 200.0, "kPa", "of the ground", NULL},
    {.key = NULL},
};

const Experiment experiment_iso6015 = {
    .name = "iso6015",
    .title = "digging forces at the lip, one cylinder alone, and which limit acts",
    .law = "published ratings (ISO 6015); statics of the arm and of the tracks",
    .options = options,
    .run = run_iso6015,
    .paper_only = true,
};
