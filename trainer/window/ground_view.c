/// Looks into the columns of steep ground. Only there is more of a column seen than its top, so only there its layers
/// are asked for; a level site costs one look at each column's neighbours.
#include "trainer/window/ground_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEEP     0.45 ///< m a metre between neighbouring columns: from here on the picture asks for layers
#define LOOSE     0.35 ///< looseness (SoilLayer) from which on a layer looks broken
#define DEEP      9.0 ///< m: the lowest layer has no lower side that is seen
#define BAR_PITCH 0.19 ///< m from one shoe's grouser to the next
#define STRIDE    0.03 ///< m that tracks move until they are pressed into the ground anew
#define LEAP      1.0 ///< m a tick: nothing that runs does so
enum { MOST_CUTS = 512 }; ///< columns of a tick that are looked at
enum { MARGIN = 2 }; ///< columns beside a changed one that look different, too

void ground_view_free(GroundView *own)
{
    free(own->strata);
    ground_marks_free(&own->marks);
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
static void look_into(const Soil *soil, const RenderGrid *site, int row, int column, uint16_t strata[RENDER_STRATA])
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

static double tooth_pitch(const MachineParams *machine)
{
    const MachineToolParams *tool = &machine->tool[0];
    return tool->teeth > 1 ? tool->shape.edge_width / (tool->teeth - 1) : 1.0;
}

static void press_tracks(GroundView *own, const RenderGrid *site, const MachineTracks *tracks, const Pose *base,
                         const double travel[2])
{
    Vec3 nose = vec3(0.5 * tracks->length, 0.0, 0.0);
    double moved = vec3_length(vec3_sub(pose_apply(base, nose), pose_apply(&own->stood, nose))) +
                   vec3_length(vec3_sub(base->position, own->stood.position));
    if (moved < STRIDE) {
        return;
    }
    for (int side = 0; side < 2 && moved < LEAP; side++) {
        double left = (side == 0 ? 0.5 : -0.5) * tracks->gauge;
        GroundTread tread = {.frame = {pose_apply(base, vec3(0.0, left, 0.0)), base->rotation},
                             .length = tracks->contact_length,
                             .width = tracks->shoe_width,
                             .pitch = BAR_PITCH,
                             .run = travel[side]};
        ground_marks_press(&own->marks, site, &tread);
    }
    own->stood = *base;
}

/// Teeth are drawn over the ground the way their edge moves; a blade without teeth leaves it smooth.
static void draw_teeth(GroundView *own, const Soil *soil, const RenderGrid *site, const MachineParams *machine,
                       const Pose *body)
{
    const MachineToolParams *tool = &machine->tool[0];
    Vec3 edge = pose_apply(&body[tool->body], vec3(tool->shape.edge[0], 0.0, tool->shape.edge[1]));
    Vec3 way = vec3(edge.x - own->edge.x, edge.y - own->edge.y, 0.0);
    own->edge = edge;
    double step = vec3_length(way);
    if (!tool->cuts || tool->teeth < 2 || step < 0.002 || step > LEAP) {
        return;
    }
    SoilCutColumn cuts[MOST_CUTS];
    int count = soil_get_wedge(soil, 0, cuts, MOST_CUTS);
    GroundTread tread = {.frame = {edge, mat3_yaw(atan2(way.y, way.x))}, .pitch = tooth_pitch(machine), .teeth = true};
    for (int k = 0; k < count; k++) {
        ground_marks_cut(&own->marks, site, &tread, cuts[k].row, cuts[k].column);
    }
}

void ground_view_tick(GroundView *own, Session *session, const Pose *body, const double travel[2], bool jump)
{
    const Soil *soil = session_soil(session);
    const MachineParams *machine = session_machine_params(session);
    SoilGridView grid = soil_get_grid(soil);
    if (jump) {
        ground_marks_clear(&own->marks, grid.rows, grid.columns);
        own->stood = body[MACHINE_BASE];
    }
    const RenderGrid site = {.rows = grid.rows,
                             .columns = grid.columns,
                             .spacing = grid.spacing,
                             .origin_x = grid.origin_x,
                             .origin_y = grid.origin_y,
                             .height = grid.height};
    press_tracks(own, &site, &machine->tracks, &body[MACHINE_BASE], travel);
    draw_teeth(own, soil, &site, machine, body);
}

void ground_view_fill(GroundView *own, Session *session, RenderGrid *site)
{
    const Soil *soil = session_soil(session);
    if (own->rows != site->rows || own->columns != site->columns) {
        free(own->strata);
        own->strata = calloc((size_t)site->rows * (size_t)site->columns, sizeof(uint16_t) * RENDER_STRATA);
        if (own->strata == NULL) {
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
        site->tooth_pitch = tooth_pitch(machine);
    }
    int row_end = site->all_dirty ? site->rows - 1 : site->dirty_row_max;
    int column_end = site->all_dirty ? site->columns - 1 : site->dirty_column_max;
    for (int row = site->all_dirty ? 0 : site->dirty_row_min; row <= row_end; row++) {
        for (int column = site->all_dirty ? 0 : site->dirty_column_min; column <= column_end; column++) {
            uint16_t *strata = own->strata + RENDER_STRATA * ((size_t)row * (size_t)site->columns + (size_t)column);
            if (is_steep(site, row, column)) {
                look_into(soil, site, row, column, strata);
            } else {
                memset(strata, 0, sizeof(uint16_t) * RENDER_STRATA);
            }
        }
    }
    site->strata = own->strata;
}
