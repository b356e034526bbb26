/// Plates, walls and a bucket that the soil's tests move as they like, and the ground that they press on.
#ifndef SPADEWORK_TESTS_PLATES_H
#define SPADEWORK_TESTS_PLATES_H

#include "data/schema/schema.h"
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

#define DT (1.0 / 60.0) ///< s: a tick

/// Level ground of one of the shipped soils.
static inline SceneParams scene_of(const char *name)
{
    SceneParams scene = loam_scene();
    Status status;
    assert_true(data_load_soil(name, &scene.soils[0], NULL, &status));
    return scene;
}

/// A level slab, bottom at its frame's origin.
static inline ToolShape slab_shape(double width, double length)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    double w = 0.5 * width;
    shape.piece_count = 1;
    shape.pieces[0] = (ToolPiece){.corner_count = 4,
                                  .corners = {{-w, 0}, {w, 0}, {w, 0.3}, {-w, 0.3}},
                                  .y_min = -0.5 * length,
                                  .y_max = 0.5 * length};
    shape.edge_width = 1.0; // a moving tool: keeps soil awake
    return shape;
}

static inline SoilTool slab_tool(const ToolShape *shape, Vec3 at, Vec3 velocity)
{
    SoilTool tool = box_tool(shape, at);
    tool.motion.velocity = velocity;
    tool.presses = true;
    return tool;
}

/// Moves a tool from where it is at its velocity for one tick; returns the mean force on it.
static inline Vec3 move_tick(Soil *soil, SoilTool *tool)
{
    Wrench wrench;
    Vec3 force = vec3(0, 0, 0);
    soil_begin_tick(soil, tool, 1, DT);
    for (int k = 0; k < 8; k++) {
        tool->motion.frame.position = vec3_madd(tool->motion.frame.position, DT / 8, tool->motion.velocity);
        tool->motion.center = vec3_madd(tool->motion.center, DT / 8, tool->motion.velocity);
        soil_substep(soil, tool, 1, DT / 8, &wrench);
        force = vec3_madd(force, 0.125, wrench.force);
    }
    soil_end_tick(soil, tool, 1);
    return force;
}

/// Lets level ground lie beyond the edge of the site as it does within.
static inline void let_fill_reach_beyond(Soil *soil)
{
    const Ground *ground = soil->state.grounds.site;
    for (int k = 0; k < 2 * (ground->rows + ground->columns); k++) {
        ground->border[k] = ground->height[0];
    }
}

/// A fill of loose soil `thickness` m deep over the intact ground of the site.
static inline Soil *filled_soil(const SceneParams *scene, double thickness)
{
    Soil *soil = make_soil(scene, SOIL_SOLVER_DEFAULT, 1);
    Ground *ground = soil->state.grounds.site;
    double density = scene->soils[0].bank_density / (1.0 + scene->soils[0].swell);
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        ground_put(ground, k / ground->columns, k % ground->columns, 0,
                   (int64_t)(thickness * density * ground->area / SOIL_QUANTUM), false);
    }
    let_fill_reach_beyond(soil);
    return soil;
}

/// A bucket-like tool: the shipped excavator's.
static inline const ToolShape *bucket_shape(void)
{
    static MachineParams machine;
    Status status;
    assert_true(data_load_machine("excavator-22t", &machine, NULL, &status));
    return &machine.tool[0].shape;
}

static inline Mat3 pitch(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

#endif
