/// Keeps the heights of a site's columns and reads between them.
#include "data/schema/scene_relief.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT     1e-4 ///< m
#define FURTHEST 200000 ///< units over and under the level of the site

enum { HEAD = 64 };

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "kept heights are read where they lie");

int scene_rows(const SceneGround *ground)
{
    return (int)(ground->size_y / ground->column_spacing + 0.5);
}

int scene_columns(const SceneGround *ground)
{
    return (int)(ground->size_x / ground->column_spacing + 0.5);
}

bool scene_has_relief(const SceneGround *ground)
{
    return ground->surface.surface.file[0] != '\0' || ground->surface.surface.heights[0] != '\0';
}

static const int32_t *heights_of(const SceneRelief *relief)
{
    return (const int32_t *)(const void *)(relief->text + HEAD); // malloc'd: aligned
}

static double column_height(const SceneGround *ground, int row, int column)
{
    return UNIT * heights_of(&ground->surface)[row * scene_columns(ground) + column];
}

double scene_relief_height(const SceneGround *ground, double x, double y)
{
    if (ground->surface.text == NULL) {
        return 0.0;
    }
    int rows = scene_rows(ground), columns = scene_columns(ground);
    double u = fmin(fmax(x / ground->column_spacing + 0.5 * (columns - 1), 0.0), columns - 1.0);
    double v = fmin(fmax(y / ground->column_spacing + 0.5 * (rows - 1), 0.0), rows - 1.0);
    int column = (int)fmin(floor(u), columns - 2.0), row = (int)fmin(floor(v), rows - 2.0);
    double low = column_height(ground, row, column), high = column_height(ground, row + 1, column);
    low += (u - column) * (column_height(ground, row, column + 1) - low);
    high += (u - column) * (column_height(ground, row + 1, column + 1) - high);
    return low + (v - row) * (high - low);
}

/// ---- columns without a height --------------------------------------------------------------------------------------

/// For each column of a row, how many rows further south or north the next height of its column lies; `rows` or more:
/// nowhere.
static void find_along(const float *height, int rows, int columns, int *south, int *north)
{
    for (int k = 0; k < rows * columns; k++) {
        south[k] = !isnan(height[k]) ? 0 : k < columns ? rows : south[k - columns] + 1;
    }
    for (int k = rows * columns - 1; k >= 0; k--) {
        north[k] = !isnan(height[k]) ? 0 : k >= (rows - 1) * columns ? rows : north[k + columns] + 1;
    }
}

/// The heights that are nearest to a place, all equally far.
typedef struct Nearest {
    int64_t distance; ///< squared, in columns
    double sum;
    int count;
} Nearest;

static void take_nearer(Nearest *nearest, int64_t distance, float height)
{
    if (distance < nearest->distance) {
        *nearest = (Nearest){.distance = distance};
    }
    if (distance == nearest->distance) {
        nearest->sum += (double)height;
        nearest->count++;
    }
}

bool scene_relief_spread(const SceneGround *ground, float *height)
{
    int rows = scene_rows(ground), columns = scene_columns(ground), cells = rows * columns;
    int *south = malloc(2 * (size_t)cells * sizeof *south), *north = south + cells;
    float *read = malloc((size_t)cells * sizeof *read);
    if (south == NULL || read == NULL) {
        free(south);
        free(read);
        return false;
    }
    memcpy(read, height, (size_t)cells * sizeof *read);
    find_along(read, rows, columns, south, north);
    for (int k = 0; k < cells; k++) {
        Nearest nearest = {.distance = INT64_MAX};
        for (int aside = 0; isnan(read[k]) && aside < columns && (int64_t)aside * aside <= nearest.distance; aside++) {
            for (int side = aside == 0 ? 1 : -1; side <= 1; side += 2) {
                int column = k % columns + side * aside, at = k + side * aside;
                if (column < 0 || column >= columns) {
                    continue;
                }
                if (south[at] < rows) {
                    take_nearer(&nearest, (int64_t)aside * aside + (int64_t)south[at] * south[at],
                                read[at - south[at] * columns]);
                }
                if (north[at] < rows && north[at] > 0) {
                    take_nearer(&nearest, (int64_t)aside * aside + (int64_t)north[at] * north[at],
                                read[at + north[at] * columns]);
                }
            }
        }
        height[k] = nearest.count > 0 ? (float)(nearest.sum / nearest.count) : height[k];
    }
    free(south);
    free(read);
    return true;
}

/// ---- the kept form -------------------------------------------------------------------------------------------------

/// Writes the text in front. Returns how long it is.
static int write_head(const SceneGround *ground, char head[HEAD])
{
    memset(head, 0, HEAD);
    return snprintf(head, HEAD, "spadework ground 1 %d %d\n", scene_rows(ground), scene_columns(ground));
}

char *scene_relief_pack(const SceneGround *ground, const float *height, size_t *size)
{
    size_t cells = (size_t)scene_rows(ground) * (size_t)scene_columns(ground);
    *size = HEAD + cells * sizeof(int32_t);
    char *bytes = malloc(*size + 1);
    if (bytes == NULL) {
        return NULL;
    }
    write_head(ground, bytes);
    for (size_t k = 0; k < cells; k++) {
        int32_t units = (int32_t)lround((double)height[k] / UNIT);
        memcpy(bytes + HEAD + k * sizeof units, &units, sizeof units);
    }
    bytes[*size] = '\0';
    return bytes;
}

bool scene_relief_take(SceneGround *ground, const char *label, const char *text, size_t size, Status *status)
{
    char head[HEAD];
    size_t cells = (size_t)scene_rows(ground) * (size_t)scene_columns(ground);
    write_head(ground, head);
    bool good = size == HEAD + cells * sizeof(int32_t) && memcmp(text, head, HEAD) == 0;
    for (size_t k = 0; good && k < cells; k++) {
        int32_t units;
        memcpy(&units, text + HEAD + k * sizeof units, sizeof units);
        good = units >= -FURTHEST && units <= FURTHEST;
    }
    if (!good) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: is damaged: allowed are %d x %d heights of at most %g m over and under the site", label,
                           scene_rows(ground), scene_columns(ground), UNIT * FURTHEST);
    }
    ground->surface.text = text;
    ground->surface.text_size = size;
    return true;
}

bool scene_relief_fits(const SceneGround *ground, Status *status)
{
    double lowest = HUGE_VAL;
    for (int k = 0; k < scene_rows(ground) * scene_columns(ground); k++) {
        lowest = fmin(lowest, UNIT * heights_of(&ground->surface)[k]);
    }
    for (int k = 0; k < ground->patch_count && ground->surface.layers == SCENE_RELIEF_FOLLOW; k++) {
        double deepest = ground->patches[k].top + ground->patches[k].thickness + ground->roughness;
        if (deepest > ground->bedrock_depth + lowest) {
            return status_fail(status, STATUS_BAD_FILE,
                               "its lowest place is %.4g m, where ground.patches.%d, %.4g m deep with the roughness, "
                               "reaches bedrock (%.4g m)",
                               lowest, k, deepest, -ground->bedrock_depth);
        }
    }
    return true;
}
