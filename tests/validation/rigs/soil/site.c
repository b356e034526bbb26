/// Moves tools over a site and compares the ground before and after: ways of knots with smooth or even speed between
/// them, areas, mass and volume of what rose and sank, and the outline of grains over the ground.
#include "tests/validation/rigs/soil/site.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"

SceneParams site_scene(const Run *run, const SoilParams *soil, const SiteForm *form)
{
    SceneParams scene = run_scene(run, soil, form->budget, form->depth);
    scene.particles.persistent = false;
    scene.soil_count = 1;
    scene.ground = (SceneGround){.size_x = form->size_x,
                                 .size_y = form->size_y,
                                 .column_spacing = 2.0 * form->radius,
                                 .bedrock_depth = form->depth,
                                 .layer_count = 1};
    return scene;
}

/// Turned by pitch about -y, then by yaw about z.
static Mat3 rotation_of(double pitch, double yaw)
{
    double cp = cos(pitch), sp = sin(pitch), cy = cos(yaw), sy = sin(yaw);
    return (Mat3){{{cy * cp, -sy, -cy * sp}, {sy * cp, cy, -sy * sp}, {sp, 0.0, cp}}};
}

void site_go(SiteWay *way, double seconds, Vec3 at, double pitch, double yaw)
{
    assert(way->count < SITE_MOST_KNOTS);
    double before = way->count > 0 ? way->knots[way->count - 1].time : 0.0;
    way->knots[way->count++] = (SiteKnot){.time = before + seconds, .at = at, .pitch = pitch, .yaw = yaw};
}

void site_go_edge(SiteWay *way, double seconds, const ToolShape *shape, Vec3 at, double pitch, double yaw)
{
    Mat3 rotation = rotation_of(pitch, yaw);
    Vec3 edge = mat3_mul(&rotation, vec3(shape->edge[0], 0.0, shape->edge[1]));
    site_go(way, seconds, vec3_sub(at, edge), pitch, yaw);
}

double site_way_end(const SiteWay *way)
{
    return way->knots[way->count - 1].time;
}

void site_place(SoilTool *tool, const SiteWay *way, double time)
{
    int k = 0;
    while (k < way->count - 1 && time >= way->knots[k + 1].time) {
        k++;
    }
    const SiteKnot *from = &way->knots[k], *to = &way->knots[k < way->count - 1 ? k + 1 : k];
    double span = to->time - from->time, s = span > 0.0 ? (time - from->time) / span : 0.0;
    s = fmin(fmax(s, 0.0), 1.0);
    double share = s, rate = s > 0.0 || time >= from->time ? 1.0 : 0.0;
    if (!way->even) { // least jerk: 10 s^3 - 15 s^4 + 6 s^5
        share = s * s * s * (10.0 + s * (6.0 * s - 15.0));
        rate = 30.0 * s * s * (1.0 - s) * (1.0 - s);
    }
    rate = span > 0.0 ? rate / span : 0.0;
    double pitch = from->pitch + share * (to->pitch - from->pitch), yaw = from->yaw + share * (to->yaw - from->yaw);
    tool->motion.frame.position = vec3_madd(from->at, share, vec3_sub(to->at, from->at));
    tool->motion.frame.rotation = rotation_of(pitch, yaw);
    tool->motion.center = tool->motion.frame.position;
    tool->motion.velocity = vec3_scale(vec3_sub(to->at, from->at), rate);
    double turning = rate * (to->pitch - from->pitch);
    tool->motion.spin = vec3(turning * sin(yaw), -turning * cos(yaw), rate * (to->yaw - from->yaw));
}

void site_tick(Soil *soil, const SceneParams *scene, SoilTool *tools, const SiteWay *ways, int tool_count, double time,
               Wrench *mean)
{
    assert(tool_count <= SOIL_MAX_TOOLS);
    const double dt = 1.0 / 60.0;
    int substeps = scene->rates.substeps;
    Wrench wrenches[SOIL_MAX_TOOLS], sums[SOIL_MAX_TOOLS];
    memset(sums, 0, sizeof sums);
    for (int t = 0; t < tool_count; t++) {
        site_place(&tools[t], &ways[t], time);
    }
    soil_begin_tick(soil, tools, tool_count, dt);
    for (int k = 0; k < substeps; k++) {
        soil_substep(soil, tools, tool_count, dt / substeps, wrenches);
        for (int t = 0; t < tool_count; t++) {
            sums[t].force = vec3_madd(sums[t].force, 1.0 / substeps, wrenches[t].force);
            sums[t].moment = vec3_madd(sums[t].moment, 1.0 / substeps, wrenches[t].moment);
            site_place(&tools[t], &ways[t], time + dt * (k + 1) / substeps);
        }
    }
    soil_end_tick(soil, tools, tool_count);
    for (int t = 0; mean != NULL && t < tool_count; t++) {
        mean[t] = sums[t];
    }
}

bool site_load_bucket(Run *run, const char *machine, const char *attachment, ToolShape *bucket, double *capacity)
{
    Status status;
    MachineParams params;
    if (!data_load_machine(machine, &params, NULL, &status) ||
        (strcmp(attachment, "own") != 0 && !data_load_attachment(attachment, &params, NULL, &status))) {
        run_fail(run, "%s", status.text);
        return false;
    }
    *bucket = params.tool[0].shape;
    if (capacity != NULL) {
        *capacity = params.tool[0].capacity;
    }
    return true;
}

SiteSurvey site_survey(const Soil *soil)
{
    SoilGridView grid = soil_get_grid(soil);
    size_t size = (size_t)grid.rows * (size_t)grid.columns * sizeof(float);
    SiteSurvey survey = {.rows = grid.rows, .columns = grid.columns, .height = malloc(size)};
    if (survey.height == NULL) {
        abort();
    }
    memcpy(survey.height, grid.height, size);
    return survey;
}

void site_survey_free(SiteSurvey *survey)
{
    free(survey->height);
    survey->height = NULL;
}

static bool is_in(const SiteArea *area, double x, double y)
{
    return x >= area->low_x && x <= area->high_x && y >= area->low_y && y <= area->high_y;
}

SiteChange site_change(const Soil *soil, const SiteSurvey *before, const SiteArea *area)
{
    SoilGridView grid = soil_get_grid(soil);
    SiteChange change = {0};
    double square = grid.spacing * grid.spacing;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        if (!is_in(area, x, y)) {
            continue;
        }
        double rise = (double)grid.height[k] - (double)before->height[k];
        change.risen += fmax(rise, 0.0) * square;
        change.fallen += fmax(-rise, 0.0) * square;
        change.highest = fmax(change.highest, rise);
        change.lowest = fmin(change.lowest, rise);
    }
    return change;
}

double site_rise_outside(const Soil *soil, const SiteSurvey *before, const SiteArea *areas, int count)
{
    SoilGridView grid = soil_get_grid(soil);
    double most = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        bool inside = false;
        for (int a = 0; a < count; a++) {
            inside |= is_in(&areas[a], x, y);
        }
        if (!inside) {
            most = fmax(most, (double)grid.height[k] - (double)before->height[k]);
        }
    }
    return most;
}

/// Raises the squares under a grain to its outline.
static void draw_grain(double *surface, int rows, int columns, const SiteArea *area, double step, Vec3 at,
                       double radius)
{
    int column_low = (int)floor((at.x - radius - area->low_x) / step),
        column_high = (int)ceil((at.x + radius - area->low_x) / step);
    int row_low = (int)floor((at.y - radius - area->low_y) / step),
        row_high = (int)ceil((at.y + radius - area->low_y) / step);
    for (int row = row_low < 0 ? 0 : row_low; row <= row_high && row < rows; row++) {
        for (int column = column_low < 0 ? 0 : column_low; column <= column_high && column < columns; column++) {
            double x = area->low_x + (column + 0.5) * step - at.x, y = area->low_y + (row + 0.5) * step - at.y;
            double square = radius * radius - x * x - y * y;
            if (square >= 0.0) {
                double *z = &surface[row * columns + column];
                *z = fmax(*z, at.z + sqrt(square));
            }
        }
    }
}

double site_heap_volume(const Soil *soil, const SiteArea *area, double radius,
                        double (*base)(const void *context, double x, double y), const void *context)
{
    double step = 0.25 * radius, volume = 0.0;
    int columns = (int)((area->high_x - area->low_x) / step), rows = (int)((area->high_y - area->low_y) / step);
    double *surface = malloc((size_t)rows * (size_t)columns * sizeof(double));
    if (surface == NULL) {
        abort();
    }
    for (int k = 0; k < rows * columns; k++) {
        surface[k] = -HUGE_VAL;
    }
    SoilParticleView p = soil_get_particles(soil);
    for (int k = 0; k < p.count; k++) {
        if (is_in(area, p.x[k], p.y[k])) {
            draw_grain(surface, rows, columns, area, step, vec3(p.x[k], p.y[k], p.z[k]), (double)p.radius[k]);
        }
    }
    for (int k = 0; k < rows * columns; k++) {
        double low = base(context, area->low_x + (k % columns + 0.5) * step, area->low_y + (k / columns + 0.5) * step);
        volume += surface[k] > low ? (surface[k] - low) * step * step : 0.0;
    }
    free(surface);
    return volume;
}
