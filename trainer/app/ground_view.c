/// Fills what the picture draws of the ground beside its surface: layers of steep faces, marks of tracks and tools, the
/// dirt on the machine, and dust. Layers are read only for steep columns, where more than the top shows; elsewhere a
/// column costs one comparison with its neighbours.
#include "trainer/app/ground_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/machine_params.h"

/// ---- marks ---------------------------------------------------------------------------------------------------------

/// A mark holds the direction of the bars or grooves at a column's centre and the column's position along their
/// pattern, both of the last tread there. The pattern therefore continues across columns at any spacing.

#define BURIED 0.03 ///< m by which the ground changes until a mark is gone

void ground_marks_free(GroundMarks *own)
{
    free(own->mark);
    free(own->height);
    *own = (GroundMarks){0};
}

static void forget_changes(GroundMarks *own)
{
    own->row_min = own->rows;
    own->column_min = own->columns;
    own->row_max = own->column_max = -1;
}

static void widen_change(GroundMarks *own, int row, int column)
{
    own->row_min = row < own->row_min ? row : own->row_min;
    own->row_max = row > own->row_max ? row : own->row_max;
    own->column_min = column < own->column_min ? column : own->column_min;
    own->column_max = column > own->column_max ? column : own->column_max;
}

void ground_marks_clear(GroundMarks *own, int rows, int columns)
{
    size_t cells = (size_t)rows * (size_t)columns;
    if (own->rows != rows || own->columns != columns) {
        ground_marks_free(own);
        own->mark = malloc(cells * sizeof *own->mark);
        own->height = malloc(cells * sizeof *own->height);
        if (own->mark == NULL || own->height == NULL) {
            abort();
        }
        own->rows = rows;
        own->columns = columns;
    }
    memset(own->mark, 0, cells * sizeof *own->mark);
    memset(own->height, 0, cells * sizeof *own->height);
    forget_changes(own);
}

static void mark_column(GroundMarks *own, const RenderGrid *site, const GroundTread *tread, Vec3 local, int row,
                        int column)
{
    size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
    double heading = atan2(tread->frame.rotation.m[1][0], tread->frame.rotation.m[0][0]);
    double turns = tread->kind == RENDER_TRACE_BELT ? (local.x + tread->run) / tread->pitch : local.y / tread->pitch;
    uint32_t mark = render_mark(tread->kind, RENDER_TRACE_FULL, heading, turns, local.y / tread->width);
    if (own->mark[at] != mark) {
        own->mark[at] = mark;
        widen_change(own, row, column);
    }
    own->height[at] = site->height[at];
}

void ground_marks_press(GroundMarks *own, const RenderGrid *site, const GroundTread *tread)
{
    if (own->rows != site->rows || own->columns != site->columns) {
        return;
    }
    double reach = 0.5 * hypot(tread->length, tread->width) + site->spacing;
    Vec3 middle = tread->frame.position;
    int row_end = (int)fmin(floor((middle.y + reach - site->origin_y) / site->spacing), site->rows - 1);
    int column_end = (int)fmin(floor((middle.x + reach - site->origin_x) / site->spacing), site->columns - 1);
    int first = (int)fmax(ceil((middle.x - reach - site->origin_x) / site->spacing), 0.0);
    for (int row = (int)fmax(ceil((middle.y - reach - site->origin_y) / site->spacing), 0.0); row <= row_end; row++) {
        for (int column = first; column <= column_end; column++) {
            double height = (double)site->height[(size_t)row * (size_t)site->columns + (size_t)column];
            Vec3 place = vec3(site->origin_x + column * site->spacing, site->origin_y + row * site->spacing, height);
            Vec3 local = pose_apply_inverse(&tread->frame, place);
            if (fabs(local.x) < 0.5 * tread->length && fabs(local.y) < 0.5 * tread->width + 0.5 * site->spacing &&
                local.z > tread->low && local.z < tread->high) {
                mark_column(own, site, tread, local, row, column);
            }
        }
    }
}

void ground_marks_show(GroundMarks *own, RenderGrid *site)
{
    int row_end = site->all_dirty ? -1 : site->dirty_row_max;
    for (int row = site->dirty_row_min; row <= row_end; row++) {
        for (int column = site->dirty_column_min; column <= site->dirty_column_max; column++) {
            size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
            if (own->mark[at] != 0) {
                double changed = fabs((double)site->height[at] - (double)own->height[at]);
                own->mark[at] =
                    render_mark_faded(own->mark[at], (int)lrint(RENDER_TRACE_FULL * (1.0 - changed / BURIED)));
            }
        }
    }
    if (own->row_min <= own->row_max && !site->all_dirty) {
        bool none = site->dirty_row_min > site->dirty_row_max;
        site->dirty_row_min = none || own->row_min < site->dirty_row_min ? own->row_min : site->dirty_row_min;
        site->dirty_row_max = none || own->row_max > site->dirty_row_max ? own->row_max : site->dirty_row_max;
        site->dirty_column_min =
            none || own->column_min < site->dirty_column_min ? own->column_min : site->dirty_column_min;
        site->dirty_column_max =
            none || own->column_max > site->dirty_column_max ? own->column_max : site->dirty_column_max;
    }
    forget_changes(own);
    site->marks = own->mark;
}

/// ---- the way of the machine ----------------------------------------------------------------------------------------

/// Ground that still lies at the height of a passing belt or edge carries its mark. The marks of a path therefore
/// follow from the path and the present ground alone.

#define BAR_PITCH   0.19 ///< m between the bars of a belt in the marks
#define STRIDE      0.03 ///< m that belts or an edge move until they mark anew
#define LEAP        1.5 ///< m from step to step: nothing that runs does so
#define TOUCH       0.06 ///< m between a belt and the ground that it marks
#define EDGE_OVER   0.05 ///< m of ground over an edge that has just cut it
#define EDGE_UNDER  0.02 ///< m of ground under an edge that still scrapes it
#define FURROW_WIDE 0.30 ///< m: where a ripper's shank breaks the ground open
#define FURROW_HIGH 0.25 ///< m that ground heaves over the level of the tracks, at most
#define FURROW_FEW  0.10 ///< m below the tracks: so deep the point is, at least
#define FLATTEST    0.5 ///< cosine: a steeper way of an edge is that of a bucket that is filled

void ground_path_free(GroundPath *path)
{
    free(path->steps);
    *path = (GroundPath){0};
}

static void store_vec(float to[3], Vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static Vec3 load_vec(const float v[3])
{
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

static Vec3 axis_of(const Mat3 *rotation, int k)
{
    return vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
}

void ground_step_take(const Machine *machine, const MachineState *state, int64_t tick, const float force[GROUND_EDGES],
                      GroundStep *step)
{
    const MachineParams *params = machine_params(machine);
    Pose pose;
    *step = (GroundStep){.tick = tick, .travel = {(float)state->track_travel[0], (float)state->track_travel[1]}};
    memcpy(step->force, force, sizeof step->force);
    machine_get_body_frame(machine, state, MACHINE_BASE, &pose);
    store_vec(step->base, pose.position);
    store_vec(step->ahead, axis_of(&pose.rotation, 0));
    store_vec(step->left, axis_of(&pose.rotation, 1));
    for (int k = 0; k < params->tool_count; k++) {
        const ToolShape *shape = &params->tool[k].shape;
        machine_get_body_frame(machine, state, params->tool[k].body, &pose);
        store_vec(step->edge[k], pose_apply(&pose, vec3(shape->edge[0], 0.0, shape->edge[1])));
        store_vec(step->along[k], axis_of(&pose.rotation, 1));
    }
}

void ground_step_of_session(const Session *session, GroundStep *step)
{
    float force[GROUND_EDGES] = {0.0f};
    for (int k = 0; k < session_machine_params(session)->tool_count && k < GROUND_EDGES; k++) {
        force[k] = (float)session_tool_load(session, k);
    }
    ground_step_take(session_machine(session), session_machine_state(session), session_frame(session)->tick, force,
                     step);
}

/// True where something of the machine has moved so far that it leaves another mark.
static bool has_moved(const GroundStep *before, const GroundStep *now)
{
    double belts = 0.0, most = vec3_length(vec3_sub(load_vec(now->base), load_vec(before->base)));
    for (int k = 0; k < 2; k++) {
        belts = fmax(belts, fabs((double)now->travel[k] - (double)before->travel[k]));
    }
    for (int k = 0; k < GROUND_EDGES; k++) {
        most = fmax(most, vec3_length(vec3_sub(load_vec(now->edge[k]), load_vec(before->edge[k]))));
    }
    return fmax(most, belts) >= STRIDE;
}

void ground_path_add(GroundPath *path, const GroundStep *step)
{
    const GroundStep *last = path->steps != NULL && path->count > 0 ? &path->steps[path->count - 1] : NULL;
    if (last != NULL && (step->tick <= last->tick || !has_moved(last, step))) {
        return;
    }
    if (path->steps == NULL || path->count >= path->capacity) {
        int64_t capacity = path->capacity > 0 ? 2 * path->capacity : 4096;
        GroundStep *steps = realloc(path->steps, (size_t)capacity * sizeof *steps);
        if (steps == NULL) {
            abort();
        }
        path->steps = steps;
        path->capacity = capacity;
    }
    path->steps[path->count++] = *step;
}

void ground_path_cut(GroundPath *path, int64_t tick)
{
    while (path->count > 0 && path->steps[path->count - 1].tick > tick) {
        path->count--;
    }
}

/// A frame at `middle` whose y is the unit vector `left`, and whose x is nearest to `ahead` of what is square to it.
static Pose frame_of(Vec3 middle, Vec3 ahead, Vec3 left)
{
    Vec3 x = vec3_unit(vec3_madd(ahead, -vec3_dot(ahead, left), left), vec3(1.0, 0.0, 0.0));
    Vec3 z = vec3_cross(x, left);
    return (Pose){middle, {{{x.x, left.x, z.x}, {x.y, left.y, z.y}, {x.z, left.z, z.z}}}};
}

/// Belts mark all ground under them on the first step, later only under their ends.
static void press_belts(const MachineTracks *tracks, const GroundStep *now, double step, bool whole,
                        const RenderGrid *site, GroundMarks *marks)
{
    double piece = whole ? tracks->contact_length : fmin(step + 2.0 * site->spacing, tracks->contact_length);
    double end = 0.5 * (tracks->contact_length - piece);
    for (int k = 0; k < (whole ? 2 : 4); k++) {
        int side = k % 2, fore = k / 2;
        double ahead = fore == 0 ? end : -end, left = (side == 0 ? 0.5 : -0.5) * tracks->gauge;
        Vec3 middle = vec3_madd(vec3_madd(load_vec(now->base), ahead, load_vec(now->ahead)), left, load_vec(now->left));
        GroundTread tread = {.kind = RENDER_TRACE_BELT,
                             .frame = frame_of(middle, load_vec(now->ahead), load_vec(now->left)),
                             .length = piece,
                             .width = tracks->shoe_width,
                             .low = -TOUCH,
                             .high = TOUCH,
                             .pitch = BAR_PITCH,
                             .run = (double)now->travel[side] + ahead};
        ground_marks_press(marks, site, &tread);
    }
}

static double find_tooth_pitch(const MachineParams *machine)
{
    const MachineToolParams *tool = &machine->tool[0];
    return tool->teeth > 1 ? tool->shape.edge_width / (tool->teeth - 1) : 0.6;
}

/// An edge leaves the ground along the surface that it passes through: grooves of its teeth, or smooth.
static void press_edge(const MachineParams *machine, int tool, const GroundStep *before, const GroundStep *now,
                       const RenderGrid *site, GroundMarks *marks)
{
    const MachineToolParams *params = &machine->tool[tool];
    Vec3 from = load_vec(before->edge[tool]), to = load_vec(now->edge[tool]), way = vec3_sub(to, from);
    Vec3 left = load_vec(now->along[tool]);
    double step = vec3_length(way), aside = fabs(vec3_dot(way, left));
    if (!params->cuts || step < 0.2 * STRIDE || step > LEAP || aside > 0.7 * step) {
        return;
    }
    Pose frame = frame_of(vec3_madd(from, 0.5, way), way, left);
    if (frame.rotation.m[2][2] < 0.0) { // backwards
        frame = frame_of(frame.position, vec3_scale(way, -1.0), left);
    }
    if (frame.rotation.m[2][2] < FLATTEST) {
        return;
    }
    GroundTread tread = {.kind = params->teeth > 1 ? RENDER_TRACE_TEETH : RENDER_TRACE_BLADE,
                         .frame = frame,
                         .length = step + 2.0 * site->spacing,
                         .width = params->shape.edge_width,
                         .low = -EDGE_UNDER,
                         .high = EDGE_OVER,
                         .pitch = find_tooth_pitch(machine)};
    ground_marks_press(marks, site, &tread);
}

/// A shank whose point is in the ground breaks it open behind itself, at the level that the tracks stand on.
static void press_furrow(const MachineParams *machine, const GroundStep *before, const GroundStep *now,
                         const RenderGrid *site, GroundMarks *marks)
{
    Vec3 from = load_vec(before->edge[DOZER_TOOL_RIPPER]), to = load_vec(now->edge[DOZER_TOOL_RIPPER]);
    Vec3 base = load_vec(now->base), way = vec3_sub(to, from);
    Vec3 up = vec3_cross(load_vec(now->ahead), load_vec(now->left));
    double deep = -vec3_dot(vec3_sub(to, base), up), step = hypot(way.x, way.y);
    if (deep < FURROW_FEW || step < 0.2 * STRIDE || step > LEAP) {
        return;
    }
    Pose frame = frame_of(vec3_madd(vec3_madd(from, 0.5, way), deep, up), way, load_vec(now->left));
    GroundTread tread = {.kind = RENDER_TRACE_TEETH,
                         .frame = frame,
                         .length = step + 2.0 * site->spacing,
                         .width = FURROW_WIDE,
                         .low = -TOUCH,
                         .high = FURROW_HIGH,
                         .pitch = find_tooth_pitch(machine)};
    if (frame.rotation.m[2][2] > FLATTEST) {
        ground_marks_press(marks, site, &tread);
    }
}

void ground_step_press(const MachineParams *machine, const GroundStep *before, const GroundStep *now, bool whole,
                       const RenderGrid *site, GroundMarks *marks)
{
    double step = vec3_length(vec3_sub(load_vec(now->base), load_vec(before->base)));
    bool dozer = machine->type == MACHINE_DOZER;
    if (dozer && machine->tool_count > DOZER_TOOL_RIPPER) {
        press_furrow(machine, before, now, site, marks);
    }
    if (machine->tool_count > 0 && dozer) { // a blade goes ahead of the belts
        press_edge(machine, DOZER_TOOL_BLADE, before, now, site, marks);
    }
    if (step < LEAP) {
        press_belts(&machine->tracks, now, step, whole, site, marks);
    }
    if (machine->tool_count > 0 && !dozer) {
        press_edge(machine, 0, before, now, site, marks);
    }
}

void ground_path_press(const GroundPath *path, int64_t tick, const MachineParams *machine, const RenderGrid *site,
                       GroundMarks *marks)
{
    for (int64_t k = 0; k < path->count && path->steps[k].tick <= tick; k++) {
        const GroundStep *before = &path->steps[k > 0 ? k - 1 : 0];
        bool last = k + 1 == path->count || path->steps[k + 1].tick > tick;
        ground_step_press(machine, before, &path->steps[k], k == 0 || last, site, marks);
    }
}

/// ---- dirt ----------------------------------------------------------------------------------------------------------

/// A part that goes `way` m through soil approaches the share that such soil covers at
/// most, as 1 - exp(-way / length) does; its colour and moisture approach those of the soil alike. Lengths and shares
/// are chosen by eye. The result depends on ways, not on how finely these are divided into steps, so that a recording's
/// samples give the dirt of its drive.

#define PRESSED     1500.0 ///< N on a tool above which it is in soil
#define LEAST_COVER 0.35 ///< share that soil which does not stick covers
#define DRIES       90.0 ///< s in which what sticks dries
#define FLAT_COVER  0.4 ///< share of a belt's dirt that dry grown-over ground gives
#define ARM_DEEP    0.3 ///< m below the tracks from which a tool dirties its arm

/// m of way that make a part dirty.
static const double lengths[RENDER_DIRT_PARTS] = {9.0, 9.0, 45.0, 12.0, 60.0};

static double ramp(double low, double high, double value)
{
    return fmin(fmax((value - low) / (high - low), 0.0), 1.0);
}

double dirt_of_soil(const SoilParams *soil, const SceneWeather *weather)
{
    double rain = ramp(0.0, 2e-3 / 3600.0, weather->rain); // m/s: 2 mm an hour soak the ground
    return fmin(LEAST_COVER + (1.0 - LEAST_COVER) * ramp(0.2e3, 5e3, soil->steel_adhesion) + 0.3 * rain, 1.0);
}

static double length_between(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    }
    return sqrt(sum);
}

/// The soil at a place, or the uppermost one where that is over the ground; `grown`: the surface is grown over.
static const SoilParams *soil_at(Session *session, const float place[3], bool *grown)
{
    const SceneParams *scene = session_scene(session);
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count = soil_get_layers(session_soil(session), (double)place[0], (double)place[1], layers), at = 0;
    while (at + 1 < count && (double)place[2] < layers[at].bottom) {
        at++;
    }
    const SoilParams *soil = &scene->soils[count > 0 ? layers[at].soil : 0];
    *grown = count > 0 && at == 0 && layers[0].looseness < 0.2 &&
             soil->color_weathered[1] > 0.95f * soil->color_weathered[0];
    return soil;
}

/// Adds what sticks to a part after `way` m through a soil.
static void touch(RenderDirt *dirt, const SoilParams *soil, double most, double way, double length)
{
    double share = 1.0 - exp(-way / length), own = dirt->share > 0.0f ? 1.0 - exp(-3.0 * way / length) : 1.0;
    dirt->share += (float)(share * fmax(most - (double)dirt->share, 0.0));
    dirt->wet += (float)(own * (1.0 - (double)dirt->wet));
    for (int k = 0; k < 3; k++) {
        double color = 0.5 * ((double)soil->color_fresh[k] + (double)soil->color_weathered[k]);
        dirt->color[k] += (float)(own * (color - (double)dirt->color[k]));
    }
}

static void touch_tools(Session *session, const GroundStep *before, const GroundStep *now, RenderDirt *dirt)
{
    const MachineParams *machine = session_machine_params(session);
    const SceneWeather *weather = &session_scene(session)->weather;
    for (int k = 0; k < machine->tool_count && k < 2; k++) {
        double way = length_between(before->edge[k], now->edge[k]);
        if ((double)now->force[k] < PRESSED || way > LEAP) {
            continue;
        }
        bool grown;
        const SoilParams *soil = soil_at(session, now->edge[k], &grown);
        RenderDirtPart part = k == 0 ? RENDER_DIRT_TOOL : RENDER_DIRT_SECOND;
        double most = dirt_of_soil(soil, weather);
        touch(&dirt[part], soil, most, way, lengths[part]);
        if (now->edge[k][2] < now->base[2] - (float)ARM_DEEP) {
            touch(&dirt[RENDER_DIRT_ARM], soil, 0.8 * most, way, lengths[RENDER_DIRT_ARM]);
        }
    }
}

static void touch_belts(Session *session, const GroundStep *before, const GroundStep *now, RenderDirt *dirt)
{
    const SceneWeather *weather = &session_scene(session)->weather;
    double way = 0.5 * (fabs((double)now->travel[0] - (double)before->travel[0]) +
                        fabs((double)now->travel[1] - (double)before->travel[1]));
    if (!(way > 0.0) || way > LEAP) {
        return;
    }
    bool grown;
    const SoilParams *soil = soil_at(session, now->base, &grown);
    double most = dirt_of_soil(soil, weather) * (grown && !(weather->rain > 0.0) ? FLAT_COVER : 1.0);
    touch(&dirt[RENDER_DIRT_BELTS], soil, most, way, lengths[RENDER_DIRT_BELTS]);
    touch(&dirt[RENDER_DIRT_BASE], soil, 0.85 * most, way, lengths[RENDER_DIRT_BASE]);
}

void dirt_add(Session *session, const GroundStep *before, const GroundStep *now, RenderDirt *dirt)
{
    double dry = exp(-(double)(now->tick - before->tick) * session_dt(session) / DRIES);
    for (int k = 0; k < RENDER_DIRT_PARTS; k++) {
        dirt[k].wet *= (float)dry;
    }
    touch_tools(session, before, now, dirt);
    touch_belts(session, before, now, dirt);
}

void dirt_of_path(Session *session, const GroundPath *path, int64_t tick, RenderDirt *dirt)
{
    memset(dirt, 0, RENDER_DIRT_PARTS * sizeof *dirt);
    for (int64_t k = 1; k < path->count && path->steps[k].tick <= tick; k++) {
        dirt_add(session, &path->steps[k - 1], &path->steps[k], dirt);
    }
}

/// ---- layers and marks of a session ---------------------------------------------------------------------------------

#define STEEP 0.45 ///< m a metre between neighbouring columns: from here on the picture asks for layers
#define LOOSE 0.35 ///< looseness (SoilLayer) above which a layer is drawn as broken
#define DEEP  9.0 ///< m: the lowest layer has no lower side that is seen
enum { MARGIN = 2 }; ///< columns beside a changed one that are redrawn, too

void ground_view_free(GroundView *own)
{
    free(own->strata);
    free(own->cover);
    ground_marks_free(&own->marks);
    ground_path_free(&own->path);
    *own = (GroundView){0};
}

static void widen(RenderGrid *site)
{
    if (!site->all_dirty && site->dirty_row_min <= site->dirty_row_max) {
        site->dirty_row_min = site->dirty_row_min > MARGIN ? site->dirty_row_min - MARGIN : 0;
        site->dirty_column_min = site->dirty_column_min > MARGIN ? site->dirty_column_min - MARGIN : 0;
        site->dirty_row_max =
            site->dirty_row_max < site->rows - 1 - MARGIN ? site->dirty_row_max + MARGIN : site->rows - 1;
        site->dirty_column_max =
            site->dirty_column_max < site->columns - 1 - MARGIN ? site->dirty_column_max + MARGIN : site->columns - 1;
    }
}

/// True where a column or the one beside it, up to two away, falls steeply.
static bool is_steep(const RenderGrid *site, int row, int column)
{
    size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
    int left = column > 0 ? 1 : 0, right = column < site->columns - 1 ? 1 : 0;
    int down = row > 0 ? site->columns : 0, up = row < site->rows - 1 ? site->columns : 0;
    const float *h = site->height + at;
    float limit = (float)(STEEP * site->spacing);
    return fabsf(h[right] - h[0]) > limit || fabsf(h[-left] - h[0]) > limit || fabsf(h[up] - h[0]) > limit ||
           fabsf(h[-down] - h[0]) > limit;
}

/// Neighbours of one soil and state count as one layer.
static void read_layers(const Soil *soil, const RenderGrid *site, int row, int column, uint16_t strata[RENDER_STRATA])
{
    SoilLayer layers[SOIL_MAX_LAYERS];
    int count =
        soil_get_layers(soil, site->origin_x + column * site->spacing, site->origin_y + row * site->spacing, layers);
    double top = (double)site->height[(size_t)row * (size_t)site->columns + (size_t)column];
    int told = 0;
    memset(strata, 0, sizeof(uint16_t) * RENDER_STRATA);
    for (int k = 0; k < count && told < RENDER_STRATA; k++) {
        bool loose = layers[k].looseness > LOOSE, last = k == count - 1;
        bool same = !last && layers[k + 1].soil == layers[k].soil && (layers[k + 1].looseness > LOOSE) == loose;
        if (!same) {
            strata[told++] = render_stratum(layers[k].soil, loose, last ? DEEP : top - layers[k].bottom);
        }
    }
    for (int k = told; k > 0 && k < RENDER_STRATA; k++) {
        strata[k] = strata[k - 1];
    }
}

/// What loose soil there is on ground that is as it was at the start.
static uint8_t read_cover(const Soil *soil, const RenderGrid *site, int row, int column)
{
    size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
    if (site->loose == NULL || site->loose[at] == 0) {
        return RENDER_COVER_DEEP << 3;
    }
    int under = 0;
    double thickness =
        soil_get_cover(soil, site->origin_x + column * site->spacing, site->origin_y + row * site->spacing, &under);
    return thickness < 0.0 ? RENDER_COVER_DEEP << 3 : render_cover(under, thickness);
}

void ground_view_tick(GroundView *own, Session *session, bool jump)
{
    const MachineParams *machine = session_machine_params(session);
    SoilGridView grid = soil_get_grid(session_soil(session));
    const RenderGrid site = {.rows = grid.rows,
                             .columns = grid.columns,
                             .spacing = grid.spacing,
                             .origin_x = grid.origin_x,
                             .origin_y = grid.origin_y,
                             .height = grid.height};
    GroundStep step;
    ground_step_of_session(session, &step);
    const GroundPath *path = own->known != NULL ? own->known : &own->path;
    if (jump) {
        ground_path_cut(&own->path, step.tick);
        ground_marks_clear(&own->marks, grid.rows, grid.columns);
        ground_path_press(path, step.tick, machine, &site, &own->marks);
        dirt_of_path(session, path, step.tick, own->dirt);
        own->last = step;
    } else if (has_moved(&own->last, &step)) {
        ground_step_press(machine, &own->last, &step, true, &site, &own->marks);
        dirt_add(session, &own->last, &step, own->dirt);
        own->last = step;
    }
    if (own->known == NULL) {
        ground_path_add(&own->path, &step);
    }
}

void ground_view_fill(GroundView *own, Session *session, RenderGrid *site)
{
    const Soil *soil = session_soil(session);
    if (own->rows != site->rows || own->columns != site->columns) {
        free(own->strata);
        free(own->cover);
        own->strata = calloc((size_t)site->rows * (size_t)site->columns, sizeof(uint16_t) * RENDER_STRATA);
        own->cover = calloc((size_t)site->rows, (size_t)site->columns);
        if (own->strata == NULL || own->cover == NULL) {
            abort();
        }
        own->rows = site->rows;
        own->columns = site->columns;
        site->all_dirty = true;
    }
    widen(site);
    if (own->marks.rows == site->rows && own->marks.columns == site->columns) {
        const MachineParams *machine = session_machine_params(session);
        ground_marks_show(&own->marks, site);
        site->bar_pitch = BAR_PITCH;
        site->bar_width = machine->tracks.shoe_width;
        site->tooth_pitch = find_tooth_pitch(machine);
        site->blade_width = machine->tool[0].shape.edge_width;
    }
    int row_end = site->all_dirty ? site->rows - 1 : site->dirty_row_max;
    int column_end = site->all_dirty ? site->columns - 1 : site->dirty_column_max;
    for (int row = site->all_dirty ? 0 : site->dirty_row_min; row <= row_end; row++) {
        for (int column = site->all_dirty ? 0 : site->dirty_column_min; column <= column_end; column++) {
            size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
            uint16_t *strata = own->strata + RENDER_STRATA * at;
            own->cover[at] = read_cover(soil, site, row, column);
            if (is_steep(site, row, column)) {
                read_layers(soil, site, row, column, strata);
            } else {
                memset(strata, 0, sizeof(uint16_t) * RENDER_STRATA);
            }
        }
    }
    site->strata = own->strata;
    site->cover = own->cover;
}

/// ---- dust ----------------------------------------------------------------------------------------------------------

/// A few of the fast grains are chosen each tick, by a hash of their numbers and the tick's;
/// how many and how dense a puff is follows from speed and soil. What a soil raises comes from its file: what sticks to
/// steel is moist or plastic and raises none, coarse grain raises little. Rates and sizes are chosen by eye, so that
/// tipping a dry load shows and digging does not hide the work.

#define SLOWEST_GRAIN 1.1 ///< m/s
#define GRAIN_RATE    1.4 ///< puffs a s of each grain that moves, while they are few
#define MOST_GRAINS   90.0 ///< puffs a s of all grains
#define SLOWEST_BELT  0.35 ///< m/s
#define BELT_RATE     9.0 ///< puffs for each m of a belt's way
#define GRASS_KEEPS   0.75 ///< share of the dust that grown-over ground holds back
#define STANDARD_FALL 9.81 ///< m/s2

double dust_of_soil(const SoilParams *soil, const SceneWeather *weather)
{
    double moist = ramp(0.3e3, 4e3, soil->steel_adhesion), coarse = ramp(1850.0, 2050.0, soil->bank_density);
    double rain = ramp(0.0, 0.5e-3 / 3600.0, weather->rain); // m/s: half a mm an hour lays all dust
    return (1.0 - moist) * (1.0 - 0.6 * coarse) * (1.0 - rain);
}

/// Scrambles `x` to a pseudorandom number.
static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static double part_of(uint32_t number)
{
    return (double)(number >> 8) / 16777216.0;
}

/// The column of the site under a place.
static size_t column_at(const SoilGridView *site, double x, double y)
{
    double i = fmin(fmax((x - site->origin_x) / site->spacing, 0.0), site->columns - 1.0);
    double j = fmin(fmax((y - site->origin_y) / site->spacing, 0.0), site->rows - 1.0);
    return (size_t)lrint(j) * (size_t)site->columns + (size_t)lrint(i);
}

static void add_puff(DustView *own, Vec3 at, double ground, double born, const RenderPuff *kind)
{
    RenderPuff *puff = &own->puffs[own->next];
    own->next = (own->next + 1) % RENDER_MAX_PUFFS;
    own->count = own->count < RENDER_MAX_PUFFS ? own->count + 1 : own->count;
    *puff = *kind;
    puff->at[0] = (float)at.x;
    puff->at[1] = (float)at.y;
    puff->at[2] = (float)at.z;
    puff->ground = (float)fmin(ground, at.z);
    puff->born = (float)born;
}

/// Values shared by all puffs of one moment.
typedef struct Moment {
    Session *session;
    SoilGridView site;
    double now, back, span; ///< s of the puffs' clock; s that the moment lies before the session's state; s it lasts
    uint32_t number; ///< of the moment
    double dryness[SCENE_MAX_SOILS];
} Moment;

/// Grains fall freely: where one was `back` s ago follows from its velocity.
static void raise_grains(DustView *own, const Moment *moment)
{
    SoilParticleView grains = soil_get_particles(session_soil(moment->session));
    int moving = 0;
    const double slowest = SLOWEST_GRAIN * SLOWEST_GRAIN;
    for (int k = 0; k < grains.count; k++) {
        Vec3 v = vec3(grains.vx[k], grains.vy[k], grains.vz[k]);
        moving += vec3_dot(v, v) > slowest && moment->dryness[grains.soil[k] % SCENE_MAX_SOILS] > 0.0;
    }
    double chance = moment->span * fmin(GRAIN_RATE, MOST_GRAINS / fmax(moving, 1.0));
    for (int k = 0; k < grains.count && moving > 0; k++) {
        uint32_t number = scramble(grains.id[k] * 2654435761U + moment->number);
        Vec3 v = vec3(grains.vx[k], grains.vy[k], grains.vz[k]);
        double dry = moment->dryness[grains.soil[k] % SCENE_MAX_SOILS], speed = vec3_length(v), back = moment->back;
        v.z += STANDARD_FALL * back;
        bool fell = back == 0.0 || (v.z < 0.5 && vec3_length(v) > SLOWEST_GRAIN); // none was thrown up just now
        if (speed < SLOWEST_GRAIN || !(dry > 0.0) || part_of(number) > chance || !fell) {
            continue;
        }
        Vec3 at = vec3(grains.x[k] - back * v.x, grains.y[k] - back * v.y, grains.z[k]);
        at.z += -back * grains.vz[k] - 0.5 * STANDARD_FALL * back * back;
        const RenderPuff kind = {.strength = (float)(0.30 * dry * fmin(speed / 3.0, 1.0)),
                                 .radius = (float)(0.16 + 0.10 * part_of(scramble(number))),
                                 .rise = (float)(0.25 * speed),
                                 .number = number << 3 | (grains.soil[k] & 7U)};
        double ground = (double)moment->site.height[column_at(&moment->site, at.x, at.y)];
        add_puff(own, at, ground, moment->now - back, &kind);
    }
}

/// Belts raise the dust of the ground under them at their rear end.
static void raise_belts(DustView *own, const Moment *moment)
{
    const MachineParams *machine = session_machine_params(moment->session);
    const MachineState *state = session_machine_state(moment->session);
    Pose base;
    machine_get_body_frame(session_machine(moment->session), state, MACHINE_BASE, &base);
    for (int side = 0; side < 2; side++) {
        double speed = state->track_speed[side];
        uint32_t number = scramble(moment->number + 77U + (uint32_t)side);
        if (fabs(speed) < SLOWEST_BELT || part_of(number) > BELT_RATE * fabs(speed) * moment->span) {
            continue;
        }
        uint32_t other = scramble(number);
        double behind = -copysign(0.5 * machine->tracks.length - 0.5 * part_of(other), speed) - speed * moment->back;
        double aside = (side == 0 ? 0.5 : -0.5) * machine->tracks.gauge + 0.4 * (part_of(scramble(other)) - 0.5);
        Vec3 at = pose_apply(&base, vec3(behind, aside, 0.12));
        size_t column = column_at(&moment->site, at.x, at.y);
        int soil = moment->site.soil[column] % SCENE_MAX_SOILS;
        const SoilParams *params = &session_scene(moment->session)->soils[soil];
        bool grown = moment->site.loose[column] < 60 && params->color_weathered[1] > 0.95f * params->color_weathered[0];
        double dry = moment->dryness[soil] * (grown ? 1.0 - GRASS_KEEPS : 1.0);
        const RenderPuff kind = {.strength = (float)(0.34 * dry * fmin(fabs(speed) / 1.2, 1.0)),
                                 .radius = (float)(0.22 + 0.12 * part_of(other)),
                                 .rise = 0.5f,
                                 .number = number << 3 | (uint32_t)(soil & 7)};
        if (dry > 0.0) {
            add_puff(own, at, (double)moment->site.height[column], moment->now - moment->back, &kind);
        }
    }
}

void dust_view_tick(DustView *own, Session *session, bool jump)
{
    const SessionFrame *frame = session_frame(session);
    const SceneParams *scene = session_scene(session);
    double dt = session_dt(session), most = 0.0;
    if (jump) {
        *own = (DustView){.start = frame->time};
    }
    Moment moment = {.session = session, .site = soil_get_grid(session_soil(session)), .span = dt};
    moment.now = frame->time - own->start;
    for (int k = 0; k < scene->soil_count && k < SCENE_MAX_SOILS; k++) {
        moment.dryness[k] = dust_of_soil(&scene->soils[k], &scene->weather);
        most = fmax(most, moment.dryness[k]);
    }
    uint32_t tick = (uint32_t)llrint(frame->time / dt);
    int moments = jump ? (int)(0.6 * RENDER_PUFF_LIFE / dt) : 1;
    for (int k = moments - 1; k >= 0 && most > 0.0; k--) {
        moment.back = k * dt;
        moment.number = (tick - (uint32_t)k) * 40503U;
        raise_grains(own, &moment);
        raise_belts(own, &moment);
    }
}

void dust_view_build(const DustView *own, const Session *session, double blend, RenderDust *dust)
{
    double back = (1.0 - blend) * session_dt(session);
    *dust =
        (RenderDust){.count = own->count, .puffs = own->puffs, .now = session_frame(session)->time - own->start - back};
}
