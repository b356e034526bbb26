/// All settled ground together: fixtures, the site's ground and trays, and which of the surfaces carries a place.
#include "soil/ground/grounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/schema/scene_site.h"
#include "soil/ground/ground.h"

/// ---- a tray --------------------------------------------------------------------------------------------------------
/// One tray: a box on a prescribed way whose settled load is a height field in the tray's own frame.
///
/// Particles feel a plane of the load as they feel the site's, but that the plane moves with the tray. Below the floor
/// lies a slab and around it stand walls, which contacts treat as a body that nothing stops. How high loose soil may
/// stand in a tray that leans follows from its angle of repose against the true vertical, from the top of each wall or
/// from the floor at an open tail.

#define TRAY_STILL 0.02 ///< m/s: what moves more slowly counts as standing still. Chosen; see test_soil_tray
/// Cosine of 10 degrees: soil settles in a tray that leans less. Chosen; see test_soil_tray.
#define TRAY_LEVEL 0.98480775301220802

static ToolPiece box_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
}

/// m: how far below the floor the slab begins that keeps what is under the tray from coming up through it. What lies on
/// the floor is held by the tray's ground alone: it does not reach so deep.
static double tray_slab_depth(const SoilModel *model)
{
    return 0.02 + 0.5 * model->particle_radius;
}

/// Height of the closed tail, m.
static double tail_height(const SoilTray *params)
{
    return params->tail > 0.0 ? params->tail : params->wall;
}

static void make_walls(const SoilModel *model, Tray *tray)
{
    const SoilTray *params = &tray->params;
    double l = 0.5 * params->length, w = 0.5 * params->width, t = TRAY_WALL, wall = params->wall;
    double top = -tray_slab_depth(model), bottom = top - t;
    tray->walls.pieces[0] = box_piece(-l, l, -w, w, bottom, top);
    tray->walls.pieces[1] = box_piece(-l - t, l + t, w, w + t, bottom, wall);
    tray->walls.pieces[2] = box_piece(-l - t, l + t, -w - t, -w, bottom, wall);
    tray->walls.pieces[3] = box_piece(l, l + t, -w, w, bottom, wall);
    tray->walls.pieces[4] = box_piece(-l - t, -l, -w, w, bottom, tail_height(params));
    tray->walls.piece_count = 5;
    tool_shape_finish(&tray->walls);
}

static void tray_set_tail(Tray *tray, bool open)
{
    tray->tail_open = open;
    tray->walls.piece_count = open ? 4 : 5;
}

static void tray_destroy(Tray *tray)
{
    ground_destroy(tray->ground);
    free(tray->first);
}

/// Makes a level tray without soil. False, with nothing left behind, when memory is short.
static bool tray_create(const SoilModel *model, const SoilTray *params, Tray *tray)
{
    double spacing = model->scene.ground.column_spacing;
    memset(tray, 0, sizeof *tray);
    tray->params = *params;
    tray->frame = (Pose){vec3(params->x, params->y, params->floor), mat3_yaw(params->heading)};
    int rows = (int)(params->width / spacing + 0.5), columns = (int)(params->length / spacing + 0.5);
    tray->ground = ground_create(&model->scene, NULL, model->seed, rows, columns, params->floor);
    tray->first = calloc((size_t)(rows * columns) + 2, sizeof *tray->first);
    if (tray->ground == NULL || tray->first == NULL) {
        tray_destroy(tray);
        return false;
    }
    make_walls(model, tray);
    tray_set_tail(tray, params->tail_open);
    return true;
}

/// Rotation by the vector `turn`, rad (Rodrigues), after `rotation`.
static Mat3 turned(const Mat3 *rotation, Vec3 turn)
{
    double angle = vec3_length(turn), s = angle > 0.0 ? same_sin(angle) : 0.0, c = 1.0 - same_cos(angle);
    Vec3 unit = vec3_unit(turn, vec3(0.0, 0.0, 1.0));
    Mat3 result;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]), side = vec3_cross(unit, axis);
        axis = vec3_madd(vec3_madd(axis, s, side), c, vec3_cross(unit, side));
        result.m[0][k] = axis.x;
        result.m[1][k] = axis.y;
        result.m[2][k] = axis.z;
    }
    return result;
}

/// Moves the tray on by `h` seconds.
static void tray_advance(Tray *tray, double h)
{
    tray->frame.position = vec3_madd(tray->frame.position, h, tray->velocity);
    if (vec3_dot(tray->spin, tray->spin) > 0.0) {
        tray->frame.rotation = turned(&tray->frame.rotation, vec3_scale(tray->spin, h));
    }
}

static bool is_still(const Tray *tray)
{
    double reach = 0.5 * (tray->params.length + tray->params.width);
    return vec3_length(tray->velocity) + reach * vec3_length(tray->spin) <= TRAY_STILL;
}

SoilTool tray_body(const Tray *tray)
{
    return (SoilTool){.shape = &tray->walls,
                      .motion.frame = tray->frame,
                      .motion.center = tray->frame.position,
                      .motion.velocity = tray->velocity,
                      .motion.spin = tray->spin,
                      .steel_friction = 1.0};
}

Vec3 tray_velocity(const Tray *tray, Vec3 at)
{
    return vec3_add(tray->velocity, vec3_cross(tray->spin, vec3_sub(at, tray->frame.position)));
}

SoilTool tray_see_tool(const Tray *tray, const SoilTool *tool)
{
    SoilTool seen = *tool;
    const Mat3 *turn = &tray->frame.rotation;
    seen.motion.frame.position = pose_apply_inverse(&tray->frame, tool->motion.frame.position);
    seen.motion.frame.position.z += tray->params.floor;
    seen.motion.center = pose_apply_inverse(&tray->frame, tool->motion.center);
    seen.motion.center.z += tray->params.floor;
    seen.motion.velocity =
        mat3_mul_transposed(turn, vec3_sub(tool->motion.velocity, tray_velocity(tray, tool->motion.center)));
    seen.motion.spin = mat3_mul_transposed(turn, vec3_sub(tool->motion.spin, tray->spin));
    for (int axis = 0; axis < 3; axis++) {
        const Mat3 *own = &tool->motion.frame.rotation;
        Vec3 side = mat3_mul_transposed(turn, vec3(own->m[0][axis], own->m[1][axis], own->m[2][axis]));
        seen.motion.frame.rotation.m[0][axis] = side.x;
        seen.motion.frame.rotation.m[1][axis] = side.y;
        seen.motion.frame.rotation.m[2][axis] = side.z;
    }
    return seen;
}

Vec3 tray_show_place(const Tray *tray, Vec3 at)
{
    return pose_apply(&tray->frame, vec3(at.x, at.y, at.z - tray->params.floor));
}

bool tray_is_below(const Tray *tray, Vec3 at, double margin)
{
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    return fabs(local.x) < 0.5 * tray->params.length + margin && fabs(local.y) < 0.5 * tray->params.width + margin;
}

/// Surface of the settled load over a place of its floor: m off the floor, and its normal, both in the tray's frame.
static double tray_surface(const Tray *tray, double x, double y, Vec3 *normal)
{
    return ground_surface(tray->ground, x, y, normal) - tray->params.floor;
}

/// Loose soil may rise from an edge as steeply as its angle of repose allows, less what the floor rises itself; `fall`
/// is the sine of the floor's slope towards the edge.
static double stable_slope(double repose, double fall)
{
    double angle = repose - same_asin(fmax(-1.0, fmin(1.0, fall)));
    return same_tan(fmin(angle, 0.45 * M_PI)); // as good as a wall
}

void tray_edges(const Tray *tray, int soil_index, TrayEdges *edges)
{
    const SoilParams *soil = &tray->ground->soils[soil_index];
    Vec3 gravity = mat3_mul_transposed(&tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    const double fall[4] = {-gravity.x, gravity.x, -gravity.y, gravity.y};
    edges->soil = soil_index;
    edges->slides =
        gravity.z >= 0.0 || (tray->tail_open && fall[0] > -gravity.z * same_tan(soil->steel_friction_angle));
    for (int k = 0; k < 4; k++) {
        edges->rise[k] = k > 0 ? tray->params.wall : tray->tail_open ? 0.0 : tail_height(&tray->params);
        edges->slope[k] = stable_slope(soil->repose_angle, fall[k]);
    }
}

double tray_stable_height(const Tray *tray, const TrayEdges *edges, double x, double y)
{
    double l = 0.5 * tray->params.length, w = 0.5 * tray->params.width, height = HUGE_VAL;
    const double distance[4] = {x + l, l - x, y + w, w - y};
    for (int k = 0; k < 4; k++) {
        height = fmin(height, edges->rise[k] + distance[k] * edges->slope[k]);
    }
    return edges->slides ? 0.0 : fmax(height, 0.0);
}

/// How far the floor falls a metre of the tray's x and y, at most 2.
static void tray_find_lean(const Tray *tray, double lean[2])
{
    const double steepest = 2.0; // beyond 63 degrees nothing stays settled
    Vec3 gravity = mat3_mul_transposed(&tray->frame.rotation, vec3(0.0, 0.0, -1.0));
    double x = gravity.z < -0.1 ? -gravity.x / gravity.z : 0.0, y = gravity.z < -0.1 ? -gravity.y / gravity.z : 0.0;
    lean[0] = fmax(-steepest, fmin(steepest, x));
    lean[1] = fmax(-steepest, fmin(steepest, y));
}

void tray_lean(Tray *tray)
{
    Ground *ground = tray->ground;
    double lean[2];
    tray_find_lean(tray, lean);
    bool changed = lean[0] != ground->lean[0] || lean[1] != ground->lean[1];
    memcpy(ground->lean, lean, sizeof lean);
    for (int n = 0; changed && n < ground->live_count; n++) {
        GroundTile *tile = ground->tiles[ground->live[n]];
        tile->sliding = 1;
        ground_unsettle_tile(tile);
    }
}

bool tray_settles(const SoilModel *model, const Tray *tray, Vec3 at)
{
    if (!is_still(tray) || tray->frame.rotation.m[2][2] < TRAY_LEVEL) {
        return false;
    }
    Vec3 local = pose_apply_inverse(&tray->frame, at);
    int row, column;
    ground_column_at(tray->ground, local.x, local.y, &row, &column);
    TrayEdges edges;
    tray_edges(tray, ground_top_soil(tray->ground, row, column), &edges);
    double height = tray_surface(tray, local.x, local.y, NULL);
    return height < tray_stable_height(tray, &edges, local.x, local.y) + 0.5 * model->layer_height;
}

/// ---- fixtures ------------------------------------------------------------------------------------------------------
/// Fixtures as bodies of the grains, and as bars between columns.
///
/// Two columns are barred from each other when the line between their middles meets the fixture's outline. All that
/// follows from the scene and the surface before anything has touched it, and never changes.

/// Parts of a fixture's body: a post has more corners than a piece may have.
enum { HALVES = 2 };
/// Columns that a border's way through a fixture may be long.
enum { WIDEST = 128 };

static const int step_row[4] = {0, 1, 0, -1}, step_column[4] = {1, 0, -1, 0};

/// An outline seen from above, counter-clockwise.
typedef struct Outline {
    int count;
    double x[SCENE_POST_SIDES], y[SCENE_POST_SIDES]; ///< m, world
} Outline;

static Outline outline_of(const Vec3 *points, int count)
{
    Outline outline = {.count = count};
    for (int k = 0; k < count; k++) {
        outline.x[k] = points[k].x;
        outline.y[k] = points[k].y;
    }
    return outline;
}

/// True when the line from (x, y) to (end_x, end_y), m, has a point in the outline: it is clipped by side after side.
static bool meets(const Outline *outline, double x, double y, double end_x, double end_y)
{
    double first = 0.0, last = 1.0;
    for (int k = 0; k < outline->count; k++) {
        int next = (k + 1) % outline->count;
        double side_x = outline->x[next] - outline->x[k], side_y = outline->y[next] - outline->y[k];
        double out = side_y * (x - outline->x[k]) - side_x * (y - outline->y[k]); // above 0 outside
        double change = side_y * (end_x - x) - side_x * (end_y - y);
        if (change == 0.0) {
            if (out > 0.0) {
                return false;
            }
            continue;
        }
        double at = -out / change;
        first = change < 0.0 ? fmax(first, at) : first;
        last = change > 0.0 ? fmin(last, at) : last;
    }
    return first <= last;
}

/// ---- bodies --------------------------------------------------------------------------------------------------------

/// The corners first to first + count - 1 of an outline as a prism. The frame's x and z are the world's x and -y, so
/// that the outline runs clockwise there: it is read backwards.
static ToolPiece piece_of(const Outline *outline, int first, int count, double bottom, double top)
{
    ToolPiece piece = {.corner_count = count, .y_min = bottom, .y_max = top};
    for (int k = 0; k < count; k++) {
        int from = (first + count - 1 - k) % outline->count;
        piece.corners[k][0] = outline->x[from];
        piece.corners[k][1] = -outline->y[from];
    }
    return piece;
}

/// The cross-section of a pipe as prisms along the frame's y axis.
static void make_pipe(const SceneFixture *fixture, ToolShape *shape)
{
    SceneFixture across = *fixture; // at the origin, with its axis along y: x to the right, z up
    across.x = across.y = across.z = 0.0;
    across.heading = 0.5 * M_PI;
    Vec3 points[SCENE_FIXTURE_MAX_POINTS];
    (void)scene_fixture_points(&across, points);
    int sides = SCENE_POST_SIDES / HALVES;
    for (int k = 0; k < HALVES; k++) {
        ToolPiece *piece = &shape->pieces[k];
        *piece =
            (ToolPiece){.corner_count = sides + 1, .y_min = -0.5 * fixture->length, .y_max = 0.5 * fixture->length};
        for (int n = 0; n <= sides; n++) {
            piece->corners[n][0] = points[(k * sides + n) % SCENE_POST_SIDES].x;
            piece->corners[n][1] = points[(k * sides + n) % SCENE_POST_SIDES].z;
        }
    }
    shape->piece_count = HALVES;
    tool_shape_finish(shape);
}

static Pose frame_of(const SceneFixture *fixture)
{
    if (fixture->shape != SCENE_FIXTURE_PIPE) {
        return (Pose){vec3(0.0, 0.0, 0.0), {{{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}}}};
    }
    double c = same_cos(fixture->heading), s = same_sin(fixture->heading);
    return (Pose){vec3(fixture->x, fixture->y, fixture->z), {{{s, c, 0.0}, {-c, s, 0.0}, {0.0, 0.0, 1.0}}}};
}

static void make_body(const SceneFixture *fixture, ToolShape *shape, Vec3 box[2], Outline *outline)
{
    Vec3 points[SCENE_POST_SIDES];
    int count = scene_fixture_outline(fixture, points);
    *outline = outline_of(points, count);
    box[0] = vec3(HUGE_VAL, HUGE_VAL, fixture->bottom);
    box[1] = vec3(-HUGE_VAL, -HUGE_VAL, fixture->top);
    for (int k = 0; k < outline->count; k++) {
        box[0].x = fmin(box[0].x, outline->x[k]);
        box[0].y = fmin(box[0].y, outline->y[k]);
        box[1].x = fmax(box[1].x, outline->x[k]);
        box[1].y = fmax(box[1].y, outline->y[k]);
    }
    if (fixture->shape == SCENE_FIXTURE_PIPE) {
        make_pipe(fixture, shape);
        return;
    }
    int parts = outline->count > TOOL_MAX_CORNERS ? HALVES : 1, sides = outline->count / parts;
    for (int k = 0; k < parts; k++) {
        int corners = parts == 1 ? sides : sides + 1;
        shape->pieces[k] = piece_of(outline, k * sides, corners, fixture->bottom, fixture->top);
    }
    shape->piece_count = parts;
    tool_shape_finish(shape);
}

SoilTool fixtures_body(const Fixtures *fixtures, int index)
{
    SoilTool body = {.shape = &fixtures->shape[index], .steel_friction = 1.0};
    body.motion.frame = fixtures->frame[index];
    return body;
}

/// ---- columns -------------------------------------------------------------------------------------------------------

static Vec3 middle_of(const Ground *site, int row, int column)
{
    return vec3(site->origin_x + column * site->spacing, site->origin_y + row * site->spacing, 0.0);
}

/// Bars a column from the neighbours that it does not see past an outline, and them from it.
static void bar_column(Ground *site, const Outline *outline, int row, int column)
{
    Vec3 at = middle_of(site, row, column);
    for (int d = 0; d < 9; d++) {
        int r = d / 3 - 1, c = d % 3 - 1;
        Vec3 to = middle_of(site, row + r, column + c);
        if (d != 4 && meets(outline, at.x, at.y, to.x, to.y)) {
            site->barred[ground_index(site, row, column)] |= ground_bar(r, c);
            if (row + r >= 0 && row + r < site->rows && column + c >= 0 && column + c < site->columns) {
                site->barred[ground_index(site, row + r, column + c)] |= ground_bar(-r, -c);
            }
        }
    }
}

static void bar_columns(const SceneFixture *fixture, const Outline *outline, const Vec3 box[2], Ground *site)
{
    int first_row, first_column, last_row, last_column;
    ground_column_at(site, box[0].x - site->spacing, box[0].y - site->spacing, &first_row, &first_column);
    ground_column_at(site, box[1].x + site->spacing, box[1].y + site->spacing, &last_row, &last_column);
    for (int row = first_row; row <= last_row; row++) {
        for (int column = first_column; column <= last_column; column++) {
            double height = (double)site->height[ground_index(site, row, column)];
            if (fixture->bottom < height && fixture->top > height) {
                bar_column(site, outline, row, column);
            }
        }
    }
}

/// Keeps what lies in and below a buried fixture: no column over it is lowered beyond its upper side.
static void keep_columns(const SceneFixture *fixture, const Vec3 box[2], Ground *site)
{
    int first_row, first_column, last_row, last_column;
    ground_column_at(site, box[0].x, box[0].y, &first_row, &first_column);
    ground_column_at(site, box[1].x, box[1].y, &last_row, &last_column);
    for (int row = first_row; row <= last_row; row++) {
        for (int column = first_column; column <= last_column; column++) {
            Vec3 at = middle_of(site, row, column);
            int index = ground_index(site, row, column);
            double crown = scene_fixture_crown(fixture, at.x, at.y);
            if (fixture->top <= (double)site->height[index] && crown > (double)site->kept[index]) {
                site->kept[index] = (float)crown;
            }
        }
    }
}

/// The column behind a fixture, seen from one of its border along a direction; -1: the site ends first.
static int32_t find_behind(const Ground *site, int row, int column, int direction)
{
    for (int k = 0; k < WIDEST; k++) {
        row += step_row[direction];
        column += step_column[direction];
        if (row < 0 || row >= site->rows || column < 0 || column >= site->columns) {
            return -1;
        }
        if (!ground_is_inside_fixture(site, row, column)) {
            return ground_index(site, row, column);
        }
    }
    return -1;
}

/// True when a column is barred from its neighbour along a direction, and by this outline.
static bool is_barred_by(const Ground *site, const Outline *outline, int row, int column, int direction)
{
    int r = step_row[direction], c = step_column[direction];
    Vec3 at = middle_of(site, row, column), to = middle_of(site, row + r, column + c);
    return ground_is_barred(site, row, column, r, c) && meets(outline, at.x, at.y, to.x, to.y);
}

/// Lists the columns that a fixture bars from the one beside them. Counts alone while there is no list.
static void list_border(const SceneFixture *fixture, const Vec3 box[2], const Ground *site, Fixtures *fixtures)
{
    Vec3 points[SCENE_POST_SIDES];
    int corners = scene_fixture_outline(fixture, points);
    Outline outline = outline_of(points, corners);
    int first_row, first_column, last_row, last_column;
    ground_column_at(site, box[0].x - site->spacing, box[0].y - site->spacing, &first_row, &first_column);
    ground_column_at(site, box[1].x + site->spacing, box[1].y + site->spacing, &last_row, &last_column);
    for (int row = first_row; row <= last_row; row++) {
        for (int column = first_column; column <= last_column; column++) {
            for (int d = 0; d < 4; d++) {
                bool beside =
                    !ground_is_inside_fixture(site, row, column) && is_barred_by(site, &outline, row, column, d);
                int32_t behind = beside ? find_behind(site, row, column, d) : -1;
                if (behind < 0) {
                    continue;
                }
                if (fixtures->border != NULL) {
                    fixtures->border[fixtures->border_count] =
                        (FixtureBorder){ground_index(site, row, column), behind, (float)fixture->top};
                }
                fixtures->border_count++;
            }
        }
    }
}

static bool list_borders(const SceneParams *scene, const Ground *site, Fixtures *fixtures)
{
    for (int pass = 0; pass < 2; pass++) {
        fixtures->border_count = 0;
        for (int k = 0; k < fixtures->count; k++) {
            list_border(&scene->fixtures[k], fixtures->box[k], site, fixtures);
        }
        if (pass == 0) {
            fixtures->border = calloc((size_t)fixtures->border_count + 1, sizeof *fixtures->border);
            if (fixtures->border == NULL) {
                return false;
            }
        }
    }
    return true;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

bool fixtures_create(const SceneParams *scene, Ground *site, Fixtures *fixtures)
{
    memset(fixtures, 0, sizeof *fixtures);
    if (scene->fixtures_count == 0) {
        return true;
    }
    fixtures->shape = calloc((size_t)scene->fixtures_count, sizeof *fixtures->shape);
    fixtures->box = calloc((size_t)scene->fixtures_count, sizeof *fixtures->box);
    fixtures->frame = calloc((size_t)scene->fixtures_count, sizeof *fixtures->frame);
    size_t cells = (size_t)site->rows * (size_t)site->columns;
    site->barred = calloc(cells, sizeof *site->barred);
    site->kept = malloc(cells * sizeof *site->kept);
    if (fixtures->shape == NULL || fixtures->box == NULL || fixtures->frame == NULL || site->barred == NULL ||
        site->kept == NULL) {
        return false;
    }
    for (size_t k = 0; k < cells; k++) {
        site->kept[k] = -HUGE_VALF;
    }
    for (int k = 0; k < scene->fixtures_count; k++) {
        Outline outline;
        make_body(&scene->fixtures[k], &fixtures->shape[k], fixtures->box[k], &outline);
        fixtures->frame[k] = frame_of(&scene->fixtures[k]);
        bar_columns(&scene->fixtures[k], &outline, fixtures->box[k], site);
        keep_columns(&scene->fixtures[k], fixtures->box[k], site);
    }
    fixtures->count = scene->fixtures_count;
    return list_borders(scene, site, fixtures);
}

static void fixtures_destroy(Fixtures *fixtures)
{
    free(fixtures->shape);
    free(fixtures->box);
    free(fixtures->frame);
    free(fixtures->border);
    memset(fixtures, 0, sizeof *fixtures);
}

/// ---- grounds and trays ---------------------------------------------------------------------------------------------
/// All settled ground together: trays are added to it, moved and saved here, and what is asked of them from outside is
/// checked.
///
/// A tray takes part from the tick after it was added. It moves through a tick as it was told at its start, and stands
/// still in the next unless it is moved again: velocities are no part of the state.

#define LONGEST      30.0 ///< m: side of a tray
#define HIGHEST      5.0 ///< m: walls
#define FASTEST      30.0 ///< m/s
#define FASTEST_SPIN 10.0 ///< rad/s
#define FARTHEST     1000.0 ///< m above or below the scene's zero

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; // false for NaN
}

/// Highest ground below the tray's floor and walls, m.
static double highest_ground(const Ground *site, const SoilTray *params)
{
    double c = same_cos(params->heading), s = same_sin(params->heading), spacing = site->spacing, highest = -HUGE_VAL;
    int across = (int)(params->width / spacing) + 2, along = (int)(params->length / spacing) + 2;
    for (int i = 0; i <= along; i++) {
        for (int j = 0; j <= across; j++) {
            double u = params->length * ((double)i / along - 0.5), v = params->width * ((double)j / across - 0.5);
            highest = fmax(highest, ground_height(site, params->x + c * u - s * v, params->y + s * u + c * v));
        }
    }
    return highest;
}

static bool check_tray(const SoilModel *model, const Grounds *grounds, const SoilTray *params, Status *status)
{
    double least = 4.0 * model->scene.ground.column_spacing, half_x = 0.5 * model->scene.ground.size_x,
           half_y = 0.5 * model->scene.ground.size_y;
    if (grounds->tray_count == SOIL_MAX_TRAYS) {
        return status_fail(status, STATUS_BAD_FILE, "a tray more than %d cannot be added", SOIL_MAX_TRAYS);
    }
    if (!is_between(params->length, least, LONGEST) || !is_between(params->width, least, LONGEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray of %g x %g m cannot be added: a side is %g to %g m",
                           params->length, params->width, least, LONGEST);
    }
    if (!is_between(params->wall, 0.0, HIGHEST)) {
        return status_fail(status, STATUS_BAD_FILE, "a tray with walls of %g m cannot be added: they are 0 to %g m",
                           params->wall, HIGHEST);
    }
    if (!is_between(params->tail, 0.0, params->wall)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray with a tail of %g m cannot be added: it is 0 to %g m, as its walls", params->tail,
                           params->wall);
    }
    if (!is_between(params->x, -half_x, half_x) || !is_between(params->y, -half_y, half_y) ||
        !isfinite(params->heading)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with heading %g cannot be added: x is %g to %g, y %g to %g", params->x,
                           params->y, params->heading, -half_x, half_x, -half_y, half_y);
    }
    double ground = highest_ground(grounds->site, params);
    if (!is_between(params->floor, ground, FARTHEST)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "a tray at (%g, %g) with its floor at %g m cannot be added: the ground there is at %.3f m",
                           params->x, params->y, params->floor, ground);
    }
    return true;
}

int grounds_add_tray(const SoilModel *model, Grounds *grounds, const SoilTray *params, Status *status)
{
    if (!check_tray(model, grounds, params, status)) {
        return -1;
    }
    if (!tray_create(model, params, &grounds->trays[grounds->tray_count])) {
        status_fail(status, STATUS_LACKING, "out of memory for a tray");
        return -1;
    }
    return grounds->tray_count++;
}

void grounds_destroy(Grounds *grounds)
{
    ground_destroy(grounds->site);
    fixtures_destroy(&grounds->fixtures);
    for (int k = 0; k < grounds->tray_count; k++) {
        tray_destroy(&grounds->trays[k]);
    }
}

static bool is_rotation(const Mat3 *rotation)
{
    Vec3 axis[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
    }
    bool good = fabs(vec3_dot(vec3_cross(axis[0], axis[1]), axis[2]) - 1.0) < 1e-6;
    for (int k = 0; k < 3; k++) {
        good = good && fabs(vec3_dot(axis[k], axis[k]) - 1.0) < 1e-6;
    }
    return good;
}

/// Over the site, give or take its own length.
static bool is_frame(const SoilModel *model, const Pose *frame)
{
    double x = 0.5 * model->scene.ground.size_x + LONGEST, y = 0.5 * model->scene.ground.size_y + LONGEST;
    return is_between(frame->position.x, -x, x) && is_between(frame->position.y, -y, y) &&
           is_between(frame->position.z, -FARTHEST, FARTHEST) && is_rotation(&frame->rotation);
}

bool grounds_move_tray(const SoilModel *model, Grounds *grounds, int index, const SoilTrayMotion *motion,
                       Status *status)
{
    if (index < 0 || index >= grounds->tray_count) {
        return status_fail(status, STATUS_BAD_FILE, "tray %d cannot be moved: there are %d", index,
                           grounds->tray_count);
    }
    const Vec3 *at = &motion->frame.position;
    if (!is_frame(model, &motion->frame)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot be moved to (%g, %g, %g): it stays over the site, its axes upright", index,
                           at->x, at->y, at->z);
    }
    double speed = vec3_length(motion->velocity), spin = vec3_length(motion->spin);
    if (!is_between(speed, 0.0, FASTEST) || !is_between(spin, 0.0, FASTEST_SPIN)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "tray %d cannot move at %g m/s and %g rad/s: at most %g m/s and %g rad/s", index, speed,
                           spin, FASTEST, FASTEST_SPIN);
    }
    Tray *tray = &grounds->trays[index];
    tray->frame = motion->frame;
    tray->velocity = motion->velocity;
    tray->spin = motion->spin;
    tray_set_tail(tray, motion->tail_open);
    return true;
}

void grounds_advance_trays(Grounds *grounds, double h)
{
    for (int k = 0; k < grounds->tray_count; k++) {
        tray_advance(&grounds->trays[k], h);
    }
}

bool grounds_rest_trays(Grounds *grounds)
{
    bool moved = false;
    for (int k = 0; k < grounds->tray_count; k++) {
        Tray *tray = &grounds->trays[k];
        if (vec3_dot(tray->velocity, tray->velocity) + vec3_dot(tray->spin, tray->spin) > 0.0) {
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            moved = true;
        }
    }
    return moved;
}

void grounds_visit_trays(const SoilModel *model, Grounds *grounds, StateVisitor *visitor)
{
    for (int k = 0; k < grounds->tray_count && !visitor->failed; k++) {
        Tray *tray = &grounds->trays[k];
        Pose frame = tray->frame;
        uint8_t tail_open = tray->tail_open;
        state_visit_array(visitor, "tray.position", &frame.position, sizeof(double), 3);
        state_visit_array(visitor, "tray.rotation", &frame.rotation, sizeof(double), 9);
        STATE_VISIT(visitor, "tray.tail_open", tail_open);
        if (visitor->restoring && !visitor->failed) {
            if (!is_frame(model, &frame) || tail_open > 1) {
                visitor->failed = true;
                return;
            }
            tray->frame = frame;
            tray_set_tail(tray, tail_open != 0);
            tray->velocity = tray->spin = vec3(0.0, 0.0, 0.0);
            tray_find_lean(tray, tray->ground->lean);
        }
        ground_visit(tray->ground, visitor);
    }
}

/// ---- support -------------------------------------------------------------------------------------------------------
/// The nearest surface below a place, of the site and of all trays.
///
/// The site's surface is taken where it is straight below. That of a tray is a plane in the tray's frame: the distance
/// to it is measured along its normal, so that a tilted floor carries what lies over it and nothing else. Where a
/// tray's floor is bare, friction is that of steel.

Support support_find(const SoilModel *model, const Grounds *grounds, double x, double y, double z)
{
    Support support = {.ground = grounds->site};
    support.height = ground_surface(grounds->site, x, y, &support.normal);
    int row, column;
    ground_column_at(grounds->site, x, y, &row, &column);
    support.soil = ground_top_soil(grounds->site, row, column);
    double nearest = (z - support.height) * support.normal.z, lowest = -tray_slab_depth(model) - 0.5 * TRAY_WALL;
    for (int k = 0; k < grounds->tray_count; k++) {
        const Tray *tray = &grounds->trays[k];
        Vec3 local = pose_apply_inverse(&tray->frame, vec3(x, y, z)), normal;
        if (fabs(local.x) > 0.5 * tray->params.length || fabs(local.y) > 0.5 * tray->params.width || local.z < lowest) {
            continue;
        }
        double height = tray_surface(tray, local.x, local.y, &normal), distance = (local.z - height) * normal.z;
        if (distance >= nearest) {
            continue;
        }
        nearest = distance;
        support.ground = tray->ground;
        support.tray = tray;
        support.normal = mat3_mul(&tray->frame.rotation, normal);
        support.normal.z = fabs(support.normal.z) > 1e-6 ? support.normal.z : 1e-6; // a vertical plane is below nothing
        support.height = z - distance / support.normal.z;
        ground_column_at(tray->ground, local.x, local.y, &row, &column);
        support.soil = ground_top_soil(tray->ground, row, column);
        support.bare = height < 0.1 * model->particle_radius;
    }
    return support;
}

double support_friction(const SoilModel *model, const Support *support, int soil_index)
{
    return support->bare ? model->tan_steel[soil_index]
                         : 0.5 * (model->tan_friction[soil_index] + model->tan_friction[support->soil]);
}
