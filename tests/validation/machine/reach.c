/// Experiment `reach`: where the bucket's edge gets to, against the table that is published of it or its class.
///
/// Dimensions as ISO 7135 draws them, over all poses of boom, stick and bucket within their ranges:
///   dig depth           the edge's greatest depth below the ground the tracks stand on
///   ground reach        its greatest distance from the swing axis at the level of the ground
///   cut height          its greatest height
///   load height         its greatest height with the tip line hanging straight down from the bucket pin
///   least load height   the least of these heights with the boom fully raised
///   vertical wall       the greatest depth at which the edge can stand at a vertical face with no part of the bucket
///   behind it
/// The closed-form arm is compared with the rigid bodies at the corners of the ranges.
#include <math.h>

#include "data/schema/machine_params.h"
#include "machine/excavator_arm.h"
#include "tests/validation/rigs/machine/proving.h"
#include "tests/validation/rigs/machine/published.h"

#define HANGING     (1.0 * PROVING_DEGREE) ///< of the tip line from straight down
#define WALL_BEHIND 1e-3 ///< m: a bucket may be behind the face by this much

typedef struct Reach {
    double depth, ground, cut, load, least_load, wall;
} Reach;

static double at(const double range[2], int k, int steps)
{
    return range[0] + (range[1] - range[0]) * k / steps;
}

/// How far the bucket sticks out beyond its edge, away from the machine, with the tip line at an elevation.
static double beyond_edge(const MachineParams *params, double elevation)
{
    double most = 0.0, c = cos(elevation), s = sin(elevation);
    for (int i = 0; i < params->tool[0].shape.piece_count; i++) {
        const ToolPiece *piece = &params->tool[0].shape.pieces[i];
        for (int k = 0; k < piece->corner_count; k++) {
            most = fmax(most, (piece->corners[k][0] - excavator_tip_radius(params)) * c - piece->corners[k][1] * s);
        }
    }
    return most;
}

static void add_pose(const MachineParams *params, const ArmTip *tip, bool raised, double step, Reach *reach)
{
    double z = tip->z + excavator_swing_height(params);
    reach->depth = fmax(reach->depth, -z);
    reach->cut = fmax(reach->cut, z);
    if (-z > reach->wall && beyond_edge(params, tip->elevation) <= WALL_BEHIND) {
        reach->wall = -z;
    }
    reach->ground = fabs(z) < step ? fmax(reach->ground, tip->x) : reach->ground;
    if (fabs(remainder(tip->elevation + 0.5 * M_PI, 2.0 * M_PI)) < HANGING) {
        reach->load = fmax(reach->load, z);
        reach->least_load = raised ? fmin(reach->least_load, z) : reach->least_load;
    }
}

static void search(Run *run, const MachineParams *params, int steps, Reach *reach)
{
    *reach = (Reach){.least_load = HUGE_VAL};
    double tolerance =
        1.5 * excavator_tip_radius(params) *
        (params->joint[EXCAVATOR_JOINT_BUCKET].range[1] - params->joint[EXCAVATOR_JOINT_BUCKET].range[0]) / steps;
    for (int a = 0; a <= steps; a++) {
        for (int b = 0; b <= steps; b++) {
            for (int c = 0; c <= steps; c++) {
                ArmAngles angles = {at(params->joint[EXCAVATOR_JOINT_BOOM].range, a, steps),
                                    at(params->joint[EXCAVATOR_JOINT_STICK].range, b, steps),
                                    at(params->joint[EXCAVATOR_JOINT_BUCKET].range, c, steps)};
                ArmTip tip;
                excavator_tip(params, &angles, &tip);
                add_pose(params, &tip, a == steps, tolerance, reach);
            }
        }
        run_progress(run, (double)a / steps);
    }
}

/// Greatest distance between the closed form's tip and the bodies', over the corners of the ranges. m.
static bool compare_bodies(Run *run, const MachineParams *params, double *worst)
{
    *worst = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double arm[3] = {params->joint[EXCAVATOR_JOINT_BOOM].range[corner & 1],
                         params->joint[EXCAVATOR_JOINT_STICK].range[corner >> 1 & 1],
                         params->joint[EXCAVATOR_JOINT_BUCKET].range[corner >> 2 & 1]};
        Proving proving;
        if (!proving_create_posed(run, params, arm, &proving)) {
            return false;
        }
        ArmTip tip;
        excavator_tip(params, &(ArmAngles){arm[0], arm[1], arm[2]}, &tip);
        Vec3 there = proving_point(&proving, EXCAVATOR_HOUSE, vec3(tip.x, 0.0, tip.z));
        *worst = fmax(*worst, vec3_length(vec3_sub(proving_readout(&proving).tip, there)));
        proving_destroy(&proving);
    }
    return true;
}

static void judge(Run *run, const char *quantity, double measured, double published)
{
    published_judge(run, quantity, "m", measured, published, 0.02);
}

static bool run_reach(Run *run)
{
    option_quick(run, "steps", 120.0);
    MachineParams params;
    Reach reach;
    int steps;
    double worst;
    const PublishedExcavator *published = published_load(run, &params);
    if (published == NULL || !option_whole(run, "steps", &steps) || !compare_bodies(run, &params, &worst)) {
        return false;
    }
    search(run, &params, steps, &reach);
    judge(run, "dig depth", reach.depth, published->dig_depth);
    judge(run, "ground reach", reach.ground, published->ground_reach);
    judge(run, "cut height", reach.cut, published->cut_height);
    judge(run, "load height", reach.load, published->load_height);
    judge(run, "least load height", reach.least_load, published->least_load_height);
    judge(run, "vertical wall", reach.wall, published->vertical_wall);
    run_result(run, "closed form against the bodies", "m", worst, 0.0, 1e-6);
    return true;
}

static const ExperimentOption options[] = {
    PUBLISHED_OPTION,
    {"steps", 240.0, 60.0, 400.0, "", "poses looked at over each joint's range", NULL},
    {.key = NULL},
};

const Experiment experiment_reach = {
    .name = "reach",
    .title = "where an excavator's edge gets to",
    .law = "published working ranges (ISO 7135)",
    .options = options,
    .run = run_reach,
    .paper_only = true,
};
