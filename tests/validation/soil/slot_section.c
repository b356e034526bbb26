/// Compares a dug hole with the section that the bucket swept: volumes dug outside and left inside, how far walls stand
/// from the side plates and how steep they are, and fins.
#include "tests/validation/soil/slot_section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.02 ///< m between two places of the outline
/// m: a plate that runs along the border of two columns passes through the inner one alone.
#define TOUCH 1e-6

SlotSweep slot_sweep_create(const Soil *soil, const ToolShape *shape, double y)
{
    SoilGridView grid = soil_get_grid(soil);
    double half = 0.0;
    for (int k = 0; k < shape->piece_count; k++) {
        half = fmax(half, fmax(shape->pieces[k].y_max, -shape->pieces[k].y_min));
    }
    SlotSweep sweep = {.y = y, .half_width = half, .low_x = grid.origin_x - 0.5 * grid.spacing, .step = STEP};
    sweep.count = (int)floor(grid.columns * grid.spacing / STEP) + 1;
    sweep.floor = calloc((size_t)sweep.count, sizeof *sweep.floor);
    if (sweep.floor == NULL) {
        abort();
    }
    return sweep;
}

void slot_sweep_free(SlotSweep *sweep)
{
    free(sweep->floor);
    sweep->floor = NULL;
}

/// Lowers the outline to an edge of a piece.
static void note_edge(SlotSweep *sweep, Vec3 a, Vec3 b)
{
    Vec3 left = a.x < b.x ? a : b, right = a.x < b.x ? b : a;
    int first = (int)ceil((left.x - sweep->low_x) / sweep->step),
        last = (int)floor((right.x - sweep->low_x) / sweep->step);
    for (int k = first < 0 ? 0 : first; k <= last && k < sweep->count; k++) {
        double share = right.x > left.x ? (sweep->low_x + k * sweep->step - left.x) / (right.x - left.x) : 0.0;
        sweep->floor[k] = fmin(sweep->floor[k], left.z + share * (right.z - left.z));
    }
}

void slot_sweep_note(SlotSweep *sweep, const SoilTool *bucket)
{
    for (int p = 0; p < bucket->shape->piece_count; p++) {
        const ToolPiece *piece = &bucket->shape->pieces[p];
        for (int k = 0; k < piece->corner_count; k++) {
            const double *from = piece->corners[k], *to = piece->corners[(k + 1) % piece->corner_count];
            note_edge(sweep, pose_apply(&bucket->motion.frame, vec3(from[0], 0.0, from[1])),
                      pose_apply(&bucket->motion.frame, vec3(to[0], 0.0, to[1])));
        }
    }
}

double slot_sweep_volume(const SlotSweep *sweep)
{
    double area = 0.0;
    for (int k = 0; k < sweep->count; k++) {
        area -= sweep->floor[k] * sweep->step;
    }
    return 2.0 * sweep->half_width * area;
}

/// The places of the outline within half a column of x.
static void find_places(const SlotSweep *sweep, double x, double spacing, int *first, int *last)
{
    *first = (int)ceil((x - 0.5 * spacing + TOUCH - sweep->low_x) / sweep->step);
    *last = (int)floor((x + 0.5 * spacing - TOUCH - sweep->low_x) / sweep->step);
    *first = *first < 0 ? 0 : *first;
    *last = *last > sweep->count - 1 ? sweep->count - 1 : *last;
}

double slot_sweep_floor(const SlotSweep *sweep, double x, double spacing)
{
    int first, last;
    double lowest = 0.0;
    find_places(sweep, x, spacing, &first, &last);
    for (int k = first; k <= last; k++) {
        lowest = fmin(lowest, sweep->floor[k]);
    }
    return lowest;
}

double slot_sweep_cover(const SlotSweep *sweep, double y, double spacing)
{
    double reach = sweep->half_width + 0.5 * spacing - fabs(y - sweep->y);
    return fmax(0.0, fmin(1.0, reach / spacing));
}

/// Adds one column at x, of which `cover` lies between the plates.
static void add_column(SlotVolumes *volumes, const SlotSweep *sweep, double x, double cover, double spacing,
                       double height)
{
    double area = spacing * spacing, dug = fmax(0.0, -height) * area;
    if (cover * spacing < TOUCH) {
        volumes->outside += dug;
        volumes->beyond += dug;
        return;
    }
    int first, last;
    find_places(sweep, x, spacing, &first, &last);
    double part = area / (last - first + 1), inside = 0.0;
    for (int k = first; k <= last; k++) {
        inside += part * cover * fmax(0.0, fmin(-height, -sweep->floor[k]));
        volumes->left += part * cover * fmax(0.0, height - sweep->floor[k]);
    }
    double lowest = slot_sweep_floor(sweep, x, spacing), deeper = fmax(0.0, lowest - height) * area;
    volumes->below += lowest < 0.0 ? fmin(deeper, dug) : 0.0;
    volumes->outside += fmin(deeper, dug);
    volumes->beyond += dug - inside;
}

SlotVolumes slot_volumes(const Soil *soil, const SlotSweep *sweep)
{
    SoilGridView grid = soil_get_grid(soil);
    SlotVolumes volumes = {.swept = slot_sweep_volume(sweep)};
    for (int row = 0; row < grid.rows; row++) {
        double cover = slot_sweep_cover(sweep, grid.origin_y + row * grid.spacing, grid.spacing);
        for (int column = 0; column < grid.columns; column++) {
            add_column(&volumes, sweep, grid.origin_x + column * grid.spacing, cover, grid.spacing,
                       (double)grid.height[row * grid.columns + column]);
        }
    }
    return volumes;
}

/// m outside of the plate: where the wall of a station stands at a height.
static double wall_at(const SoilGridView *grid, const SlotSweep *sweep, int side, int column, double z)
{
    int toward = side == 0 ? -1 : 1, row = (int)floor((sweep->y - grid->origin_y) / grid->spacing + 0.5);
    while (row > 0 && row < grid->rows - 1 && (double)grid->height[row * grid->columns + column] <= z) {
        row += toward;
    }
    double border = grid->origin_y + (row - 0.5 * toward) * grid->spacing;
    return toward * (border - sweep->y) - sweep->half_width;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// rad from level: the least squares' line through the means of the middle nine tenths of the height, as far as most of
/// the stations reach down to them.
static double incline_of(const SlotWall *wall, const int *stations, int most)
{
    enum { FIRST = SLOT_LEVELS / 20, END = SLOT_LEVELS - FIRST };
    double count = 0.0, z = 0.0, y = 0.0, zz = 0.0, zy = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = FIRST; k < END; k++) {
            if (2 * stations[k] <= most) {
                continue;
            }
            double dz = wall->level[k] - z, dy = wall->mean[k] - y;
            count += pass == 0 ? 1.0 : 0.0;
            zz += pass == 0 ? wall->level[k] : dz * dz;
            zy += pass == 0 ? wall->mean[k] : dz * dy;
        }
        if (pass == 0 && count > 0.0) {
            z = zz / count;
            y = zy / count;
            zz = zy = 0.0;
        }
    }
    return count > 1.0 ? 0.5 * M_PI - atan(fabs(zy) / zz) : 0.0;
}

/// The wall of one station: m outside of the plate at each level that lies above its bottom. Returns how many do, from
/// the last level on downwards.
static int read_station(const SoilGridView *grid, const SlotSweep *sweep, int side, int column, const double *level,
                        double *at)
{
    int middle = (int)floor((sweep->y - grid->origin_y) / grid->spacing + 0.5), count = 0;
    double bottom = (double)grid->height[middle * grid->columns + column];
    for (int k = SLOT_LEVELS - 1; k >= 0 && level[k] > bottom; k--) {
        at[count++] = wall_at(grid, sweep, side, column, level[k]);
    }
    return count;
}

SlotWall slot_wall(const Soil *soil, const SlotSweep *sweep, int side, double low_x, double high_x)
{
    SoilGridView grid = soil_get_grid(soil);
    SlotWall wall = {.farthest = -HUGE_VAL};
    int first = (int)ceil((low_x - grid.origin_x) / grid.spacing - TOUCH),
        last = (int)floor((high_x - grid.origin_x) / grid.spacing + TOUCH);
    int middle = (int)floor((sweep->y - grid.origin_y) / grid.spacing + 0.5), stations[SLOT_LEVELS] = {0};
    double bottom = 0.0;
    for (int column = first; column <= last; column++) {
        bottom = fmin(bottom, (double)grid.height[middle * grid.columns + column]);
    }
    for (int k = 0; k < SLOT_LEVELS; k++) {
        wall.level[k] = bottom * (1.0 - (k + 0.5) / SLOT_LEVELS);
    }
    for (int column = first; column <= last; column++) {
        double at[SLOT_LEVELS];
        int count = read_station(&grid, sweep, side, column, wall.level, at);
        for (int k = 0; k < count; k++) {
            stations[SLOT_LEVELS - 1 - k]++;
            wall.mean[SLOT_LEVELS - 1 - k] += at[k];
        }
        qsort(at, (size_t)count, sizeof at[0], compare_numbers);
        wall.farthest = fmax(wall.farthest, count > 0 ? at[(count * 9 + 9) / 10 - 1] : -HUGE_VAL);
    }
    for (int k = 0; k < SLOT_LEVELS; k++) {
        wall.mean[k] = stations[k] > 0 ? wall.mean[k] / stations[k] : (double)NAN;
    }
    wall.inclination = incline_of(&wall, stations, last - first + 1);
    return wall;
}

/// True when a column is part of a run along (step_row, step_column) that is shorter than `most` columns and stands
/// above what lies at both ends of it.
static bool is_fin(const SoilGridView *grid, int row, int column, int step_row, int step_column, int most,
                   double prominence)
{
    double height = (double)grid->height[row * grid->columns + column];
    int length = 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        int r = row + sign * step_row, c = column + sign * step_column;
        while (length < most && r > 0 && r < grid->rows - 1 && c > 0 && c < grid->columns - 1 &&
               (double)grid->height[r * grid->columns + c] > height - prominence) {
            length++;
            r += sign * step_row;
            c += sign * step_column;
        }
        if (length == most || r <= 0 || r >= grid->rows - 1 || c <= 0 || c >= grid->columns - 1) {
            return false; // or it ends where the site does
        }
    }
    return true;
}

int slot_fins(const Soil *soil, const SlotSweep *sweep, double thinnest, double prominence)
{
    SoilGridView grid = soil_get_grid(soil);
    int most = (int)ceil(thinnest / grid.spacing - TOUCH), fins = 0;
    for (int row = 0; row < grid.rows; row++) {
        double aside = fabs(grid.origin_y + row * grid.spacing - sweep->y) - sweep->half_width;
        for (int column = 0; column < grid.columns && aside < SLOT_BEYOND * grid.spacing; column++) {
            fins += is_fin(&grid, row, column, 1, 0, most, prominence) ||
                    is_fin(&grid, row, column, 0, 1, most, prominence);
        }
    }
    return fins;
}
