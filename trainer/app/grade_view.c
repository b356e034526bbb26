/// Fills the grade display (RenderGrade) and the section of the ground from a session. The grade section runs through
/// the middle of the edge along the arm, and its width follows the offset from the design: near the design it is drawn
/// large.
#include "trainer/app/grade_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/schema.h"

/// ---- section camera ------------------------------------------------------------------------------------------------

/// Reads the layers of each column that the section passes, and the exercise's design.

/// Widest picture that the section fills, over its height: three screens side by side.
#define WIDEST 5.4

static void fill_column(RenderSection *section, const Soil *soil, int i, Vec3 at)
{
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = soil_get_layers(soil, at.x, at.y, layers);
    count = count < RENDER_SECTION_LAYERS ? count : RENDER_SECTION_LAYERS;
    section->count[i] = (uint8_t)count;
    for (int k = 0; k < count; k++) {
        section->bottom[i][k] = (float)layers[k].bottom;
        section->soil[i][k] = (uint8_t)layers[k].soil;
        section->loose[i][k] = (uint8_t)lround(255.0 * layers[k].looseness);
    }
}

void section_view_fill(RenderView *view, Session *session, double height)
{
    RenderSection *section = &view->section;
    const Soil *soil = session_soil(session);
    const DesignSurface *design = exercise_work(session_exercise(session));
    RenderPlane plane = render_arm_plane(view);
    double width = WIDEST * (height > 0.0 ? height : 7.0);
    section->visible = true;
    section->along = plane.ahead;
    section->step = width / RENDER_SECTION_COLUMNS;
    section->start = vec3_madd(plane.origin, -0.5 * width, plane.ahead);
    section->start.z = 0.0;
    for (int i = 0; i <= RENDER_SECTION_COLUMNS; i++) {
        Vec3 at = vec3_madd(section->start, i * section->step, section->along);
        double wanted;
        section->surface[i] = (float)soil_get_height(soil, at.x, at.y);
        section->wanted[i] = design_height(design, at.x, at.y, &wanted) ? (float)wanted : RENDER_NO_DESIGN;
        if (i < RENDER_SECTION_COLUMNS) {
            fill_column(section, soil, i, vec3_madd(at, 0.5 * section->step, section->along));
        }
    }
}

/// ---- grade display -------------------------------------------------------------------------------------------------

#define LEAST_HEIGHT 0.9 ///< m of the section
#define MOST_HEIGHT  3.2 ///< m
#define AROUND       1.0 ///< m of the map around the design
enum { MAP_TICKS = 6, STEPS = 3 }; ///< ticks a map is kept; steps of an error in a tolerance

struct GradeView {
    const DesignSurface *design; ///< that `heights` and `map_tick` are of
    float *heights; ///< m, [rows][columns] of the site; NULL until colours are wanted
    int rows, columns;
    uint64_t key;
    int64_t map_tick; ///< in which the map was made; -1: none
};

GradeView *grade_view_create(void)
{
    GradeView *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    own->map_tick = -1;
    return own;
}

void grade_view_destroy(GradeView *own)
{
    if (own != NULL) {
        free(own->heights);
        free(own);
    }
}

static float design_or_none(const DesignSurface *design, double x, double y)
{
    double height;
    return design_height(design, x, y, &height) ? (float)height : RENDER_NO_DESIGN;
}

/// ---- the ground's colours ------------------------------------------------------------------------------------------

/// Design height of every column, computed once a design.
static void fill_heights(GradeView *own, const SoilGridView *grid)
{
    if (own->heights != NULL && own->rows == grid->rows && own->columns == grid->columns) {
        return;
    }
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    free(own->heights);
    own->heights = malloc(count * sizeof *own->heights);
    if (own->heights == NULL) {
        abort();
    }
    own->rows = grid->rows;
    own->columns = grid->columns;
    own->key = 14695981039346656037ULL; // FNV-1a
    for (size_t k = 0; k < count; k++) {
        double x = grid->origin_x + (double)(k % (size_t)grid->columns) * grid->spacing;
        double y = grid->origin_y + (double)(k / (size_t)grid->columns) * grid->spacing;
        own->heights[k] = design_or_none(own->design, x, y);
        uint32_t bits;
        memcpy(&bits, &own->heights[k], sizeof bits);
        own->key = (own->key ^ bits) * 1099511628211ULL;
    }
    own->key |= 1U; // never 0
}

/// ---- the map -------------------------------------------------------------------------------------------------------

static void fill_map(const DesignSurface *design, const SoilGridView *grid, RenderGrade *grade)
{
    DesignBox box;
    design_box(design, &box);
    double width = box.high.x - box.low.x + 2.0 * AROUND, height = box.high.y - box.low.y + 2.0 * AROUND;
    grade->cell = fmax(fmax(width, height) / RENDER_GRADE_CELLS, grid->spacing);
    grade->columns = (int)fmin(ceil(width / grade->cell), RENDER_GRADE_CELLS);
    grade->rows = (int)fmin(ceil(height / grade->cell), RENDER_GRADE_CELLS);
    grade->map_x = box.low.x - AROUND;
    grade->map_y = box.low.y - AROUND;
    for (int k = 0; k < grade->rows * grade->columns; k++) {
        double x = grade->map_x + (k % grade->columns + 0.5) * grade->cell, wanted;
        double y = grade->map_y + (k / grade->columns + 0.5) * grade->cell;
        int row = (int)lround((y - grid->origin_y) / grid->spacing);
        int column = (int)lround((x - grid->origin_x) / grid->spacing);
        bool known = row >= 0 && row < grid->rows && column >= 0 && column < grid->columns &&
                     design_height(design, x, y, &wanted);
        double error = known ? ((double)grid->height[row * grid->columns + column] - wanted) / grade->tolerance : 0.0;
        // Rounded away from zero, so that what is beyond the tolerance is not drawn within it.
        double steps = error > 0.0 ? ceil(error * STEPS) : floor(error * STEPS);
        grade->error[k] = known ? (int8_t)fmin(fmax(steps, -127.0), 127.0) : INT8_MIN;
    }
    DesignLine lines[RENDER_GRADE_LINES];
    grade->line_count = design_lines(design, lines, RENDER_GRADE_LINES);
    for (int k = 0; k < grade->line_count; k++) {
        const float line[4] = {(float)lines[k].a.x, (float)lines[k].a.y, (float)lines[k].b.x, (float)lines[k].b.y};
        memcpy(grade->lines[k], line, sizeof line);
    }
}

/// ---- the section ---------------------------------------------------------------------------------------------------

/// Level unit vector along the arm; for a machine without a house, along the machine.
static Vec3 looks_ahead(const Session *session)
{
    const MachineParams *params = session_machine_params(session);
    Pose house;
    machine_get_body_frame(session_machine(session), session_machine_state(session), params->cab_body, &house);
    Vec3 ahead = vec3(house.rotation.m[0][0], house.rotation.m[1][0], 0.0);
    return vec3_unit(ahead, vec3(1.0, 0.0, 0.0));
}

/// The ends of the edge: left and right, seen from the machine.
static void edge_ends(const Session *session, Vec3 ends[2])
{
    const ToolShape *shape = &session_machine_params(session)->tool[0].shape;
    const Pose *frame = &session_frame(session)->tool.frame;
    for (int k = 0; k < 2; k++) {
        ends[k] = pose_apply(frame, vec3(shape->edge[0], (k == 0 ? 0.5 : -0.5) * shape->edge_width, shape->edge[1]));
    }
}

static void fill_offsets(const DesignSurface *design, const Session *session, RenderGrade *grade)
{
    Vec3 ends[2];
    edge_ends(session, ends);
    const Vec3 places[3] = {ends[0], vec3_scale(vec3_add(ends[0], ends[1]), 0.5), ends[1]};
    for (int k = 0; k < 3; k++) {
        double wanted;
        bool over = design_height(design, places[k].x, places[k].y, &wanted);
        grade->offset[k] = over ? places[k].z - wanted : (double)NAN;
    }
    grade->over = !isnan(grade->offset[1]);
    grade->depth = -places[1].z;
    grade->edge_height = places[1].z;
    for (int k = 0; k < 2; k++) {
        grade->edge[k][0] = ends[k].x;
        grade->edge[k][1] = ends[k].y;
    }
}

/// How high the section is, m: about three times the offset, within bounds.
static double section_height(const RenderGrade *grade)
{
    double offset = grade->over ? fabs(grade->offset[1]) : MOST_HEIGHT;
    return fmin(fmax(3.0 * offset, LEAST_HEIGHT), MOST_HEIGHT);
}

static void fill_tool(const Session *session, Vec3 middle, Vec3 ahead, RenderGrade *grade)
{
    const ToolShape *shape = &session_machine_params(session)->tool[0].shape;
    const Pose *frame = &session_frame(session)->tool.frame;
    grade->tool_count = 0;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        if (grade->tool_count + piece->corner_count > RENDER_GRADE_TOOL) {
            return;
        }
        for (int c = 0; c < piece->corner_count; c++) {
            double across = 0.5 * (piece->y_min + piece->y_max);
            Vec3 at = pose_apply(frame, vec3(piece->corners[c][0], across, piece->corners[c][1]));
            float *out = grade->tool[grade->tool_count];
            out[0] = (float)vec3_dot(vec3_sub(at, middle), ahead);
            out[1] = (float)at.z;
            grade->tool_starts[grade->tool_count++] = c == 0;
        }
    }
}

static void fill_section(const DesignSurface *design, Session *session, RenderGrade *grade)
{
    Vec3 ends[2], ahead = looks_ahead(session);
    edge_ends(session, ends);
    Vec3 middle = vec3_scale(vec3_add(ends[0], ends[1]), 0.5);
    double height = section_height(grade), width = height * RENDER_GRADE_ASPECT;
    grade->step = width / (RENDER_GRADE_POINTS - 1);
    grade->from = -0.5 * width;
    double wanted = grade->over ? middle.z - grade->offset[1] : middle.z;
    grade->low = fmin(fmax(0.5 * (middle.z + wanted), wanted - 0.3 * height), wanted + 0.3 * height) - 0.5 * height;
    for (int k = 0; k < RENDER_GRADE_POINTS; k++) {
        Vec3 at = vec3_madd(middle, grade->from + k * grade->step, ahead);
        grade->ground[k] = (float)soil_get_height(session_soil(session), at.x, at.y);
        grade->wanted[k] = design_or_none(design, at.x, at.y);
    }
    fill_tool(session, middle, ahead, grade);
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

static void fill_volumes(const Session *session, RenderGrade *grade)
{
    double values[METRIC_COUNT];
    const Exercise *exercise = session_exercise(session);
    bool surface = scene_has_part(&session_scene(session)->exercise, METRIC_OF_SURFACE);
    exercise_values(exercise, values);
    bool dozer = session_machine_params(session)->type == MACHINE_DOZER; // which cuts a slot or a strip
    grade->name = language_text(surface ? TEXT("Surface") : dozer ? TEXT("Cut") : TEXT("Trench"));
    grade->cut = surface ? values[METRIC_SURFACE_CUT] : -1.0;
    grade->fill = surface ? values[METRIC_SURFACE_FILL] : -1.0;
    grade->overdig = values[surface ? METRIC_SURFACE_OVERDIG : METRIC_OVERDIG];
}

void grade_view_fill(GradeView *own, Session *session, bool colors, RenderGrade *grade)
{
    const DesignSurface *design = exercise_work(session_exercise(session));
    const SessionFrame *frame = session_frame(session);
    grade->visible = !design_is_empty(design);
    grade->colors = colors && grade->visible;
    if (!grade->visible) {
        return;
    }
    SoilGridView grid = soil_get_grid(session_soil(session));
    if (own->design != design) {
        free(own->heights);
        *own = (GradeView){.design = design, .map_tick = -1};
    }
    grade->tolerance = design_tolerance(design);
    int64_t since = frame->tick - own->map_tick;
    if (own->map_tick < 0 || since < 0 || since >= MAP_TICKS) {
        fill_map(design, &grid, grade);
        own->map_tick = frame->tick;
    }
    fill_offsets(design, session, grade);
    fill_section(design, session, grade);
    fill_volumes(session, grade);
    grade->base_x = frame->machine.base.x;
    grade->base_y = frame->machine.base.y;
    grade->heading = frame->machine.yaw;
    if (colors) {
        fill_heights(own, &grid);
    }
    grade->design = own->heights;
    grade->design_key = own->key;
}
