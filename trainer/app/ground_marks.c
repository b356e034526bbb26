/// A mark tells the picture how a bar or a groove runs through the middle of a column: its direction, and how far along
/// the pattern the column lies. Both are those of the tread that was there last, so the pattern goes on from column to
/// column however coarse they are.
#include "trainer/app/ground_marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void change(GroundMarks *own, int row, int column)
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

static void set(GroundMarks *own, const RenderGrid *site, const GroundTread *tread, Vec3 local, int row, int column)
{
    size_t at = (size_t)row * (size_t)site->columns + (size_t)column;
    double heading = atan2(tread->frame.rotation.m[1][0], tread->frame.rotation.m[0][0]);
    double turns = tread->kind == RENDER_TRACE_BELT ? (local.x + tread->run) / tread->pitch : local.y / tread->pitch;
    uint32_t mark = render_mark(tread->kind, RENDER_TRACE_FULL, heading, turns, local.y / tread->width);
    if (own->mark[at] != mark) {
        own->mark[at] = mark;
        change(own, row, column);
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
                set(own, site, tread, local, row, column);
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
