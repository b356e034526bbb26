/// Which of a machine's bodies are near soil, and what passes between them and it.
#include "trainer/session/session_hull.h"

#include <math.h>
#include <string.h>

#include "data/core/tool_geometry.h"

/// m, beside what a body moves in a tick: soil so far from a piece is near. Chosen: more than a grain and a column
#define HULL_MARGIN 0.15

void session_hull_create(const Machine *machine, SessionHull *hull)
{
    memset(hull, 0, sizeof *hull);
    for (int body = 0; body < machine_params(machine)->body_count; body++) {
        machine_get_steel(machine, body, &hull->shape[body]);
        tool_shape_finish(&hull->shape[body]);
    }
    ToolPiece grain = {
        .corner_count = 3, .corners = {{0.0, 0.0}, {0.01, 0.0}, {0.0, 0.01}}, .y_min = -0.01, .y_max = 0.01};
    hull->nothing = (ToolShape){.piece_count = 1, .pieces = {grain}};
    tool_shape_finish(&hull->nothing);
}

/// Greatest height of the site's columns in a rectangle, m.
static double highest_within(const SoilGridView *grid, Vec3 low, Vec3 high)
{
    double spacing = grid->spacing, highest = -HUGE_VAL;
    int first_row = (int)fmax(0.0, floor((low.y - grid->origin_y) / spacing)),
        first_column = (int)fmax(0.0, floor((low.x - grid->origin_x) / spacing));
    int last_row = (int)fmin(grid->rows - 1.0, ceil((high.y - grid->origin_y) / spacing)),
        last_column = (int)fmin(grid->columns - 1.0, ceil((high.x - grid->origin_x) / spacing));
    for (int row = first_row; row <= last_row; row++) {
        for (int column = first_column; column <= last_column; column++) {
            highest = fmax(highest, (double)grid->height[row * grid->columns + column]);
        }
    }
    return highest;
}

/// True when a piece comes within `margin` m of the site's ground.
static bool ground_is_near(const SoilGridView *grid, const Pose *frame, const ToolPiece *piece, double margin)
{
    Vec3 points[2 * TOOL_MAX_CORNERS], low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int count = tool_piece_points(piece, points);
    for (int k = 0; k < count; k++) {
        Vec3 at = pose_apply(frame, points[k]);
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    return low.z - margin < highest_within(grid, low, high);
}

/// True when a grain, or what is settled in a tray, comes within `margin` m of a body's steel.
static bool grains_are_near(const Soil *soil, const Pose *frame, const ToolShape *shape, double margin)
{
    Vec3 middle, center;
    double radius = tool_bounding_sphere(shape, &middle) + margin;
    center = pose_apply(frame, middle);
    SoilParticleView grains = soil_get_particles(soil);
    for (int i = 0; i < grains.count; i++) {
        double x = grains.x[i] - center.x, y = grains.y[i] - center.y, z = grains.z[i] - center.z;
        if (x * x + y * y + z * z < radius * radius &&
            tool_is_within(shape, pose_apply_inverse(frame, vec3(grains.x[i], grains.y[i], grains.z[i])), margin)) {
            return true;
        }
    }
    SoilTrayMotion motion;
    const SoilTray *tray;
    for (int k = 0; (tray = soil_get_tray(soil, k, &motion)) != NULL; k++) {
        Vec3 local = pose_apply_inverse(&motion.frame, center);
        if (fabs(local.x) < 0.5 * tray->length + radius && fabs(local.y) < 0.5 * tray->width + radius &&
            fabs(local.z) < tray->wall + radius) {
            return true;
        }
    }
    return false;
}

void session_hull_begin_tick(SessionHull *hull, const Machine *machine, const MachineState *state, const Soil *soil,
                             double dt)
{
    SoilGridView grid = soil_get_grid(soil);
    for (int body = 0; body < machine_params(machine)->body_count; body++) {
        const ToolShape *shape = &hull->shape[body];
        hull->near[body] = false;
        if (shape->piece_count == 0) {
            continue;
        }
        RigidMotion motion;
        machine_get_body(machine, state, body, &motion);
        Vec3 middle;
        double size = 2.0 * tool_bounding_sphere(shape, &middle);
        double margin = HULL_MARGIN + dt * (vec3_length(motion.velocity) + size * vec3_length(motion.spin));
        for (int k = 0; k < shape->piece_count && !hull->near[body]; k++) {
            hull->near[body] = ground_is_near(&grid, &motion.frame, &shape->pieces[k], margin);
        }
        hull->near[body] = hull->near[body] || grains_are_near(soil, &motion.frame, shape, margin);
    }
}

int session_hull_tools(const SessionHull *hull, const Machine *machine, const MachineState *state,
                       SoilTool tools[MACHINE_MAX_BODIES])
{
    int count = machine_params(machine)->body_count;
    for (int body = 0; body < count; body++) {
        SoilTool *tool = &tools[body];
        if (hull->near[body]) {
            *tool = (SoilTool){.shape = &hull->shape[body], .presses = true, .steel_friction = 1.0};
            machine_get_body(machine, state, body, &tool->motion);
        } else {
            *tool = (SoilTool){.shape = &hull->nothing, .steel_friction = 1.0};
            tool->motion.frame = (Pose){vec3(0.0, 0.0, -2e3 - body), mat3_identity()};
            tool->motion.center = tool->motion.frame.position;
        }
    }
    return count;
}

void session_hull_take(SessionHull *hull, const Wrench *wrenches, int count)
{
    memcpy(hull->pending, wrenches, (size_t)count * sizeof *wrenches);
}

void session_hull_add_loads(const SessionHull *hull, Wrench loads[MACHINE_MAX_BODIES])
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        wrench_add(&loads[body], &hull->pending[body], 1.0);
    }
}

void session_hull_visit(SessionHull *hull, StateVisitor *visitor)
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        STATE_VISIT(visitor, "hull.pending_force", hull->pending[body].force);
        STATE_VISIT(visitor, "hull.pending_moment", hull->pending[body].moment);
    }
}

bool session_hull_is_finite(const SessionHull *hull)
{
    double sum = 0.0;
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        sum += vec3_length(hull->pending[body].force) + vec3_length(hull->pending[body].moment);
    }
    return isfinite(sum);
}
