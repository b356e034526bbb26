/// Draws a kinematic tool straight through level ground and takes means of what it feels.
#include "tests/validation/rigs/soil/tow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/rigs/soil/site.h"

#define THICKNESS    0.05 ///< m: of the blade
#define OVER_GROUND  0.7 ///< m: of the blade above the surface
#define MARGIN       4.0 ///< m: of the site beyond the way
#define BUCKET_PITCH (75.0 * M_PI / 180.0) ///< rad: digging, its plate flat over the bottom
#define CHANGE_WAY   0.1 ///< m before a pause and after it over which drafts are compared

typedef struct Drawn {
    const Tow *tow;
    SceneParams scene;
    ToolShape shape;
    SoilTool tool;
    Soil *soil;
    double heading; ///< rad
} Drawn;

static ToolShape blade_shape(const Tow *tow)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    double high = tow->depth + OVER_GROUND, back = high / tan(tow->rake);
    shape.piece_count = 1;
    shape.pieces[0] = (ToolPiece){.corner_count = 4,
                                  .corners = {{0, 0}, {-back, high}, {-back - THICKNESS, high}, {-THICKNESS, 0.02}},
                                  .y_min = -0.5 * tow->width,
                                  .y_max = 0.5 * tow->width};
    shape.edge_width = tow->width;
    return shape;
}

/// Turned by the heading; a bucket, which digs towards its operator, also by half a turn, and tilted.
static Mat3 rotation_of(const Drawn *drawn)
{
    double c = cos(drawn->heading), s = sin(drawn->heading);
    if (drawn->tow->tool == TOW_BLADE) {
        return (Mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }
    double cp = cos(BUCKET_PITCH), sp = sin(BUCKET_PITCH);
    return (Mat3){{{-c * cp, s, -c * sp}, {-s * cp, -c, -s * sp}, {-sp, 0.0, cp}}};
}

static void place_tool(Drawn *drawn)
{
    const Tow *tow = drawn->tow;
    double c = cos(drawn->heading), s = sin(drawn->heading);
    double ahead = tow->along - 0.5 * tow->travel, left = tow->mirrored ? -tow->aside : tow->aside;
    SoilTool *tool = &drawn->tool;
    *tool = (SoilTool){.shape = &drawn->shape, .steel_friction = 1.0, .cuts = true};
    tool->motion.frame.rotation = rotation_of(drawn);
    Vec3 edge = mat3_mul(&tool->motion.frame.rotation, vec3(drawn->shape.edge[0], 0.0, drawn->shape.edge[1]));
    Vec3 at = vec3(ahead * c - left * s, ahead * s + left * c, -tow->depth);
    tool->motion.frame.position = vec3_sub(at, edge);
    tool->motion.center = at; // so that moments are about the edge's middle
    tool->motion.velocity = vec3(tow->speed * c, tow->speed * s, 0.0);
}

static bool create(Run *run, const Tow *tow, Drawn *drawn)
{
    *drawn = (Drawn){.tow = tow, .heading = tow->mirrored ? -tow->heading : tow->heading};
    double size = tow->travel + MARGIN;
    SiteForm form = {.size_x = size, .size_y = size, .depth = 1.5, .radius = tow->radius, .budget = 30000};
    drawn->scene = site_scene(run, tow->soil, &form);
    drawn->scene.ground.column_spacing = tow->spacing;
    drawn->scene.particles.per_column_side = (int)(tow->spacing / (2.0 * tow->radius) + 0.5);
    drawn->scene.rates = (SceneRates){.tick_rate = tow->tick_rate, .substeps = TOW_SUBSTEPS / tow->tick_rate};
    drawn->shape = tow->tool == TOW_BLADE ? blade_shape(tow) : *tow->bucket;
    place_tool(drawn);
    drawn->soil = run_create_soil(run, &drawn->scene);
    return drawn->soil != NULL;
}

/// One tick; returns the mean wrench over it.
static Wrench draw_tick(Drawn *drawn)
{
    int substeps = drawn->scene.rates.substeps;
    double dt = 1.0 / drawn->scene.rates.tick_rate, h = dt / substeps;
    RigidMotion *motion = &drawn->tool.motion;
    Wrench mean = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    soil_begin_tick(drawn->soil, &drawn->tool, 1, dt);
    for (int k = 0; k < substeps; k++) {
        Wrench wrench;
        soil_substep(drawn->soil, &drawn->tool, 1, h, &wrench);
        mean.force = vec3_madd(mean.force, 1.0 / substeps, wrench.force);
        mean.moment = vec3_madd(mean.moment, 1.0 / substeps, wrench.moment);
        motion->frame.position = vec3_madd(motion->frame.position, h, motion->velocity);
        motion->center = vec3_madd(motion->center, h, motion->velocity);
    }
    soil_end_tick(drawn->soil, &drawn->tool, 1);
    return mean;
}

static double draft_of(const Drawn *drawn, const Wrench *wrench)
{
    return -wrench->force.x * cos(drawn->heading) - wrench->force.y * sin(drawn->heading);
}

static void add_tick(const Drawn *drawn, const Wrench *wrench, TowForces *forces)
{
    double left = wrench->force.y * cos(drawn->heading) - wrench->force.x * sin(drawn->heading);
    double mirror = drawn->tow->mirrored ? -1.0 : 1.0;
    forces->draft += draft_of(drawn, wrench);
    forces->side += mirror * left;
    forces->lift += wrench->force.z;
    forces->yaw += mirror * wrench->moment.z;
}

/// Stands still for the pause.
static void stand_still(Drawn *drawn)
{
    Vec3 velocity = drawn->tool.motion.velocity;
    int ticks = (int)(drawn->tow->pause * drawn->scene.rates.tick_rate + 0.5);
    drawn->tool.motion.velocity = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < ticks; k++) {
        draw_tick(drawn);
    }
    drawn->tool.motion.velocity = velocity;
}

static double dug_volume(const Drawn *drawn, const SiteSurvey *before)
{
    const Tow *tow = drawn->tow;
    SoilGridView grid = soil_get_grid(drawn->soil);
    double c = cos(drawn->heading), s = sin(drawn->heading), volume = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing;
        double y = grid.origin_y + (double)(k / grid.columns) * grid.spacing;
        if (fabs(x * c + y * s - tow->along) < 0.1 * tow->travel) {
            double fallen = (double)before->height[k] - soil_get_firm_height(drawn->soil, x, y);
            volume += fmax(fallen, 0.0) * grid.spacing * grid.spacing;
        }
    }
    return volume;
}

bool tow_run(Run *run, const Tow *tow, TowForces *forces)
{
    Drawn drawn;
    *forces = (TowForces){0};
    if (!create(run, tow, &drawn)) {
        return false;
    }
    SiteSurvey before = site_survey(drawn.soil);
    int ticks = (int)(tow->travel / tow->speed * tow->tick_rate + 0.5), first = ticks / 2, counted = 0;
    int change = (int)(CHANGE_WAY / tow->speed * tow->tick_rate + 0.5);
    double last = 0.0, next = 0.0;
    for (int tick = 0; tick < ticks; tick++) {
        if (tick == first && tow->pause > 0.0) {
            stand_still(&drawn);
        }
        Wrench mean = draw_tick(&drawn);
        last += tick >= first - change && tick < first ? draft_of(&drawn, &mean) / change : 0.0;
        next += tick >= first && tick < first + change ? draft_of(&drawn, &mean) / change : 0.0;
        if (tick >= first) {
            add_tick(&drawn, &mean, forces);
            counted++;
        }
        int grains = soil_get_counters(drawn.soil).particles;
        forces->grains = grains > forces->grains ? grains : forces->grains;
    }
    forces->draft /= counted;
    forces->side /= counted;
    forces->lift /= counted;
    forces->yaw /= counted;
    forces->regained = next / last;
    forces->payload = soil_get_payload(drawn.soil, &drawn.tool, NULL);
    forces->dug = dug_volume(&drawn, &before);
    site_survey_free(&before);
    soil_destroy(drawn.soil);
    return true;
}
