/// Looks into the columns of steep ground. Only there is more of a column seen than its top, so only there its layers
/// are asked for; a level site costs one look at each column's neighbours.
#include "trainer/app/ground_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEEP 0.45 ///< m a metre between neighbouring columns: from here on the picture asks for layers
#define LOOSE 0.35 ///< looseness (SoilLayer) from which on a layer looks broken
#define DEEP  9.0 ///< m: the lowest layer has no lower side that is seen
enum { MARGIN = 2 }; ///< columns beside a changed one that look different, too

void ground_view_free(GroundView *own)
{
    free(own->strata);
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
    ground_step_take(session_machine(session), session_machine_state(session), session_frame(session)->tick, &step);
    if (jump) {
        ground_path_cut(&own->path, step.tick);
        ground_marks_clear(&own->marks, grid.rows, grid.columns);
        ground_path_press(own->known != NULL ? own->known : &own->path, step.tick, machine, &site, &own->marks);
        own->last = step;
    } else if (ground_step_moved(&own->last, &step)) {
        ground_step_press(machine, &own->last, &step, true, &site, &own->marks);
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
        site->bar_pitch = GROUND_BAR_PITCH;
        site->bar_width = machine->tracks.shoe_width;
        site->tooth_pitch = ground_tooth_pitch(machine);
        site->blade_width = machine->tool[0].shape.edge_width;
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
