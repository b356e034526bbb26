/// Draws height grids without vertices of their own: the vertex shader reads heights from a texture, so a change of the
/// ground sends only the changed rectangle. The grid is cut into chunks that are drawn coarser with distance
/// (geomipmapping, de Boer 2000); skirts that hang down from their edges hide the cracks between chunks of different
/// fineness. Around the site an apron of rings carries the ground to the horizon.
#include "render/terrain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/soil_look.h"

static const int level_step[TERRAIN_LEVELS] = {1, 2, 4, 8};
/// m beyond the site's edge; the first ring hangs below the edge and hides cracks, the third is a column away.
static const float apron_distance[TERRAIN_APRON_RINGS] = {0.0f,  0.0f,  0.0f,  0.6f,   1.5f,   3.0f,   6.0f,   10.0f,
                                                          16.0f, 30.0f, 60.0f, 120.0f, 260.0f, 700.0f, 2200.0f};

#define LEAST_ERROR 0.003 ///< m that the ground may be off anywhere. Chosen

enum {
    MOVED = 77, ///< of 255 parts of looseness: soil that was there at the start is firmer. Chosen
    BORDER_MEAN = 4 ///< columns on each side of one, over which heights beyond the edge are smoothed
};

/// ---- maps ----------------------------------------------------------------------------------------------------------

// Textures with a value for each column, and the rings of ground around the site.

void terrain_destroy(Terrain *terrain)
{
    glDeleteTextures(1, &terrain->height_map);
    glDeleteTextures(1, &terrain->color_map);
    glDeleteTextures(1, &terrain->design_map);
    glDeleteTextures(1, &terrain->outline_map);
    glDeleteTextures(1, &terrain->strata_map);
    glDeleteTextures(1, &terrain->look_map);
    glDeleteTextures(1, &terrain->mark_map);
    glDeleteTextures(1, &terrain->relief_map);
    glDeleteVertexArrays(1, &terrain->apron_array);
    glDeleteBuffers(1, &terrain->apron_indices);
    glDeleteBuffers(1, &terrain->apron_border);
    free(terrain->border);
    free(terrain->low);
    free(terrain->errors);
    free(terrain->high);
    free(terrain->pixels);
    free(terrain->outline);
    free(terrain->relief);
    free(terrain->means);
    free(terrain->faced);
    grid_copy_free(&terrain->copy);
    *terrain = (Terrain){0};
}

/// Rings of the ground around the site: each joins the edge's points to the next ring's.
static void create_apron(Terrain *terrain)
{
    int nx = (terrain->columns - 1) / TERRAIN_APRON_STEP, ny = (terrain->rows - 1) / TERRAIN_APRON_STEP;
    int points = 2 * (nx + ny);
    terrain->apron_count = 6 * points * (TERRAIN_APRON_RINGS - 1);
    uint32_t *indices = malloc(sizeof(uint32_t) * (size_t)terrain->apron_count);
    terrain->border = malloc((size_t)points * TERRAIN_APRON_RINGS * sizeof *terrain->border);
    if (indices == NULL || terrain->border == NULL) {
        free(indices);
        terrain->apron_count = 0;
        return;
    }
    uint32_t *out = indices;
    for (int ring = 0; ring + 1 < TERRAIN_APRON_RINGS; ring++) {
        for (int k = 0; k < points; k++) {
            uint32_t a = (uint32_t)(ring * points + k), b = (uint32_t)(ring * points + (k + 1) % points);
            uint32_t up = (uint32_t)points;
            const uint32_t quad[6] = {a, b, b + up, a, b + up, a + up};
            for (int c = 0; c < 6; c++) {
                *out++ = quad[c];
            }
        }
    }
    glGenVertexArrays(1, &terrain->apron_array);
    glGenBuffers(1, &terrain->apron_indices);
    glGenBuffers(1, &terrain->apron_border);
    glBindVertexArray(terrain->apron_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, terrain->apron_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint32_t) * terrain->apron_count, indices, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, terrain->apron_border);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
    free(indices);
}

/// A texture with a value for each column of the grid.
static void make_map(const RenderGrid *grid, GLuint *map, GLint kept, GLenum format, GLenum type, GLint minify)
{
    glGenTextures(1, map);
    glBindTexture(GL_TEXTURE_2D, *map);
    glTexImage2D(GL_TEXTURE_2D, 0, kept, grid->columns, grid->rows, 0, format, type, NULL);
    gl_texture_sampling(minify, GL_CLAMP_TO_EDGE);
    if (minify == GL_NEAREST) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
}

/// New textures for a grid of another size. False when memory is short: the grid is then not drawn.
static bool resize_maps(Terrain *terrain, const RenderGrid *grid, bool low)
{
    terrain_destroy(terrain);
    terrain->chunk_rows = (grid->rows + TERRAIN_CHUNK_CELLS - 2) / TERRAIN_CHUNK_CELLS;
    terrain->chunk_columns = (grid->columns + TERRAIN_CHUNK_CELLS - 2) / TERRAIN_CHUNK_CELLS;
    size_t chunks = (size_t)terrain->chunk_rows * (size_t)terrain->chunk_columns;
    terrain->low = calloc(chunks, sizeof(float));
    terrain->high = calloc(chunks, sizeof(float));
    terrain->pixels = malloc(sizeof(uint32_t) * (size_t)grid->rows * (size_t)grid->columns);
    terrain->outline = calloc((size_t)grid->rows * (size_t)grid->columns, 4);
    terrain->relief = low ? calloc((size_t)grid->rows * (size_t)grid->columns, 4) : NULL;
    terrain->means = low ? calloc(relief_block_count(grid), sizeof(float)) : NULL;
    terrain->errors = calloc(chunks, sizeof *terrain->errors);
    terrain->faced = calloc(chunks, sizeof(bool));
    if (terrain->low == NULL || terrain->high == NULL || terrain->errors == NULL || terrain->pixels == NULL ||
        terrain->outline == NULL || terrain->faced == NULL ||
        (low && (terrain->relief == NULL || terrain->means == NULL))) {
        terrain_destroy(terrain);
        return false;
    }
    terrain->rows = grid->rows;
    terrain->columns = grid->columns;
    // Software fetches plain bytes several times as fast as sRGB; the shaders of low quality know.
    GLint minify = low ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR, colors = low ? GL_RGBA8 : GL_SRGB8_ALPHA8;
    make_map(grid, &terrain->height_map, GL_R32F, GL_RED, GL_FLOAT, minify);
    make_map(grid, &terrain->color_map, colors, GL_RGBA, GL_UNSIGNED_BYTE, minify);
    if (low) {
        make_map(grid, &terrain->relief_map, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR);
    }
    make_map(grid, &terrain->look_map, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR);
    make_map(grid, &terrain->outline_map, GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, GL_NEAREST);
    make_map(grid, &terrain->mark_map, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST);
    make_map(grid, &terrain->strata_map, GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, GL_NEAREST);
    create_apron(terrain);
    return true;
}

/// The most that the columns of a square are off the two triangles between its corners (terrain_chunk_indices). One
/// that reaches beyond the edge is smaller, as terrain.glsl has it.
static float square_error(const RenderGrid *grid, int row, int column, int step)
{
    int high = row + step < grid->rows ? step : grid->rows - 1 - row;
    int wide = column + step < grid->columns ? step : grid->columns - 1 - column;
    const float *corner = grid->height + (size_t)row * (size_t)grid->columns + (size_t)column;
    const float *far_row = corner + (size_t)high * (size_t)grid->columns;
    float a = corner[0], b = corner[wide], c = far_row[wide], d = far_row[0], most = 0.0f;
    for (int j = 0; j <= high; j++) {
        for (int i = 0; i <= wide; i++) {
            float x = (float)i / (float)wide, y = (float)j / (float)high;
            float drawn = x >= y ? a + x * (b - a) + y * (c - b) : a + y * (d - a) + x * (c - d);
            most = fmaxf(most, fabsf(corner[(size_t)j * (size_t)grid->columns + (size_t)i] - drawn));
        }
    }
    return most;
}

void terrain_errors(const RenderGrid *grid, int row, int column, float errors[TERRAIN_LEVELS])
{
    errors[0] = 0.0f;
    for (int level = 1; level < TERRAIN_LEVELS; level++) {
        int step = level_step[level];
        errors[level] = errors[level - 1];
        for (int j = row; j < row + TERRAIN_CHUNK_CELLS && j < grid->rows - 1; j += step) {
            for (int i = column; i < column + TERRAIN_CHUNK_CELLS && i < grid->columns - 1; i += step) {
                errors[level] = fmaxf(errors[level], square_error(grid, j, i, step));
            }
        }
    }
}

static void update_bounds(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    for (int b = 0; b < terrain->chunk_rows; b++) {
        int row = b * TERRAIN_CHUNK_CELLS, row_end = (int)fmin(row + TERRAIN_CHUNK_CELLS, grid->rows - 1);
        if (row_end < dirty->first_row || row >= dirty->first_row + dirty->rows) {
            continue;
        }
        for (int a = 0; a < terrain->chunk_columns; a++) {
            int column = a * TERRAIN_CHUNK_CELLS;
            int column_end = (int)fmin(column + TERRAIN_CHUNK_CELLS, grid->columns - 1);
            if (column_end < dirty->first_column || column >= dirty->first_column + dirty->columns) {
                continue;
            }
            float low = grid->height[(size_t)row * (size_t)grid->columns + (size_t)column], high = low;
            for (int j = row; j <= row_end; j++) {
                const float *h = grid->height + (size_t)j * (size_t)grid->columns;
                for (int i = column; i <= column_end; i++) {
                    low = h[i] < low ? h[i] : low;
                    high = h[i] > high ? h[i] : high;
                }
            }
            terrain->low[b * terrain->chunk_columns + a] = low;
            terrain->high[b * terrain->chunk_columns + a] = high;
            terrain_errors(grid, row, column, terrain->errors[b * terrain->chunk_columns + a]);
        }
    }
}

/// Sends a rectangle of a map; `values` of its first column, in rows of the whole grid (`packed`: of the rectangle).
static void send_map(const RenderGrid *grid, GLuint map, const DirtyRectangle *part, GLenum format, GLenum type,
                     const void *values, bool packed)
{
    glBindTexture(GL_TEXTURE_2D, map);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, packed ? 0 : grid->columns);
    glTexSubImage2D(GL_TEXTURE_2D, 0, part->first_column, part->first_row, part->columns, part->rows, format, type,
                    values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static int soil_of(const RenderGrid *grid, size_t at)
{
    return grid->soil == NULL ? 0 : grid->soil[at] % SCENE_MAX_SOILS;
}

/// Share (0..1) of what grew under a column's loose soil that this leaves open, and the soil that it grew on.
static float open_at(const RenderGrid *grid, size_t at, int *under)
{
    uint8_t cover = grid->cover == NULL ? RENDER_COVER_DEEP << 3 : grid->cover[at];
    *under = cover & 7;
    return 1.0f - (float)(cover >> 3) / RENDER_COVER_DEEP;
}

/// Grass on a column, 255 parts: it grows on weathered ground, and between the clods of soil that lies thin on such.
static uint8_t grass_at(const Terrain *terrain, const RenderGrid *grid, size_t at)
{
    int under = 0;
    float open = open_at(grid, at, &under);
    uint8_t own = terrain->grass[soil_of(grid, at)][grid->loose == NULL ? 0 : grid->loose[at]];
    uint8_t left = (uint8_t)lrintf(open * (float)terrain->grass[under][0]);
    return own > left ? own : left;
}

/// The colour of a column, as the palette has it. Low quality knows no clods: where soil lies thin it is a mixture.
static uint32_t color_at(const Terrain *terrain, const RenderGrid *grid, size_t at)
{
    int under = 0;
    float open = open_at(grid, at, &under);
    uint32_t own = terrain->palette[soil_of(grid, at)][grid->loose == NULL ? 0 : grid->loose[at]], mixed = 0;
    if (!terrain->baked || !(open > 0.0f)) {
        return own;
    }
    for (int shift = 0; shift < 32; shift += 8) {
        float a = (float)(own >> shift & 255U), b = (float)(terrain->palette[under][0] >> shift & 255U);
        mixed |= (uint32_t)lrintf(a + (b - a) * open) << shift;
    }
    return mixed;
}

static void send_colors(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    uint32_t *out = terrain->pixels;
    for (int j = dirty->first_row; j < dirty->first_row + dirty->rows; j++) {
        size_t row = (size_t)j * (size_t)grid->columns;
        for (size_t at = row + (size_t)dirty->first_column; at < row + (size_t)(dirty->first_column + dirty->columns);
             at++) {
            *out++ = color_at(terrain, grid, at);
        }
    }
    send_map(grid, terrain->color_map, dirty, GL_RGBA, GL_UNSIGNED_BYTE, terrain->pixels, true);
    if (terrain->relief == NULL) {
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    out = terrain->pixels;
    for (int j = dirty->first_row; j < dirty->first_row + dirty->rows; j++) {
        size_t row = (size_t)j * (size_t)grid->columns;
        for (size_t at = row + (size_t)dirty->first_column; at < row + (size_t)(dirty->first_column + dirty->columns);
             at++) {
            *out++ = terrain->look[soil_of(grid, at)] | (uint32_t)grass_at(terrain, grid, at) << 24;
        }
    }
    send_map(grid, terrain->look_map, dirty, GL_RGBA, GL_UNSIGNED_BYTE, terrain->pixels, true);
}

/// What faces need: their outlines, which change around what has changed, too, and their layers.
static void send_faces(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    DirtyRectangle part = dirty_rectangle_grown(grid, dirty, OUTLINE_REACH);
    for (int j = part.first_row; j < part.first_row + part.rows; j++) {
        for (int i = part.first_column; i < part.first_column + part.columns; i++) {
            outline_compute(grid, j, i, terrain->outline + 4 * ((size_t)j * (size_t)grid->columns + (size_t)i));
        }
    }
    size_t at = (size_t)part.first_row * (size_t)grid->columns + (size_t)part.first_column;
    send_map(grid, terrain->outline_map, &part, GL_RGBA, GL_BYTE, terrain->outline + 4 * at, false);
    if (grid->marks != NULL) {
        at = (size_t)dirty->first_row * (size_t)grid->columns + (size_t)dirty->first_column;
        send_map(grid, terrain->mark_map, dirty, GL_RGBA, GL_UNSIGNED_BYTE, grid->marks + at, false);
    }
    if (grid->strata != NULL) {
        at = (size_t)dirty->first_row * (size_t)grid->columns + (size_t)dirty->first_column;
        send_map(grid, terrain->strata_map, dirty, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT,
                 grid->strata + RENDER_STRATA * at, false);
    }
}

/// True when something in a chunk is steeper than ground.glsl lights without faces.
static bool has_face(const Terrain *terrain, int b, int a)
{
    const int flat = 72; // of 127 parts of a normal: as steep as 0.69
    int row_end = (int)fmin((b + 1) * TERRAIN_CHUNK_CELLS, terrain->rows - 1);
    int column_end = (int)fmin((a + 1) * TERRAIN_CHUNK_CELLS, terrain->columns - 1);
    for (int j = b * TERRAIN_CHUNK_CELLS; j <= row_end; j++) {
        const uint8_t *relief = terrain->relief + 4 * (size_t)j * (size_t)terrain->columns;
        for (int i = a * TERRAIN_CHUNK_CELLS; i <= column_end; i++) {
            int x = relief[4 * i] - 128, y = relief[4 * i + 1] - 128;
            if (x * x + y * y > flat * flat) {
                return true;
            }
        }
    }
    return false;
}

/// Tells in which chunks something is steep.
static void find_faces(Terrain *terrain, const DirtyRectangle *part)
{
    int last_b = (part->first_row + part->rows - 1) / TERRAIN_CHUNK_CELLS;
    int last_a = (part->first_column + part->columns - 1) / TERRAIN_CHUNK_CELLS;
    for (int b = part->first_row / TERRAIN_CHUNK_CELLS; b < terrain->chunk_rows && b <= last_b; b++) {
        for (int a = part->first_column / TERRAIN_CHUNK_CELLS; a < terrain->chunk_columns && a <= last_a; a++) {
            terrain->faced[b * terrain->chunk_columns + a] = has_face(terrain, b, a);
        }
    }
}

/// What low quality lights the ground by; the columns' outlines are known.
static void send_relief(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    DirtyRectangle part = dirty_rectangle_grown(grid, dirty, RELIEF_REACH);
    relief_mean(grid, dirty, terrain->means);
    for (int j = part.first_row; j < part.first_row + part.rows; j++) {
        for (int i = part.first_column; i < part.first_column + part.columns; i++) {
            size_t at = (size_t)j * (size_t)grid->columns + (size_t)i;
            uint8_t *relief = terrain->relief + 4 * at;
            relief_compute(grid, terrain->outline + 4 * at, terrain->means, j, i, relief);
            relief[3] = grass_at(terrain, grid, at);
        }
    }
    find_faces(terrain, &part);
    size_t at = (size_t)part.first_row * (size_t)grid->columns + (size_t)part.first_column;
    send_map(grid, terrain->relief_map, &part, GL_RGBA, GL_UNSIGNED_BYTE, terrain->relief + 4 * at, false);
}

/// Adds what the ground looks like at a column of the edge.
static void add_far_look(const Terrain *terrain, const RenderGrid *grid, size_t at, double sum[9])
{
    uint8_t loose = grid->loose == NULL ? 0 : grid->loose[at];
    int soil = soil_of(grid, at);
    const float looks[4] = {terrain->looks[soil][0], terrain->looks[soil][1], terrain->looks[soil][2],
                            (float)terrain->grass[soil][loose] / 255.0f};
    for (int k = 0; k < 4; k++) {
        sum[k] += (double)(terrain->palette[soil][loose] >> (8 * k) & 255U) / 255.0;
        sum[5 + k] += (double)looks[k];
    }
    sum[4] += (double)terrain->grass[soil][loose] / 255.0;
}

void terrain_update_far_color(Terrain *terrain, const RenderGrid *grid)
{
    double sum[9] = {0.0};
    int count = 0;
    for (int all = 0; all < 2 && count == 0; all++) { // what has been moved lies at the edge, not beyond it
        for (int k = 0; k < 2 * grid->columns; k++) {
            size_t row = k < grid->columns ? 0 : (size_t)grid->rows - 1;
            size_t at = row * (size_t)grid->columns + (size_t)(k % grid->columns);
            if (all == 1 || grid->loose == NULL || grid->loose[at] < MOVED) {
                add_far_look(terrain, grid, at, sum);
                count++;
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        terrain->far_color[k] = (float)(sum[k] / count);
        terrain->far_look[k] = (float)(sum[5 + k] / count);
    }
    terrain->far_grass = (float)(sum[4] / count);
}

/// Colours of ground.glsl: by looseness, and of layers that a face shows, cut and tipped.
static void make_tints(Terrain *terrain, const SoilParams *params, int soil)
{
    for (int loose = 0; loose < 256; loose++) {
        SoilTint tint = soil_look_tint(params, loose / 255.0);
        terrain->palette[soil][loose] = soil_look_pack_tint(&tint);
    }
    for (int tipped = 0; tipped < 2; tipped++) {
        SoilTint tint = soil_look_tint(params, tipped ? 1.0 : SOIL_LOOK_CUT);
        float *out = terrain->layers_color[8 * tipped + soil];
        memcpy(out, tint.root, sizeof tint.root);
        out[3] = tint.relief;
    }
}

static void make_palette(Terrain *terrain, const SceneParams *scene)
{
    for (int soil = 0; soil < SCENE_MAX_SOILS; soil++) {
        const SoilParams *params = &scene->soils[soil < scene->soil_count ? soil : 0];
        for (int loose = 0; loose < 256; loose++) {
            terrain->palette[soil][loose] = soil_look_pack_color(params, (uint8_t)loose);
            terrain->grass[soil][loose] = (uint8_t)lrintf(255.0f * soil_look_tint(params, loose / 255.0).grass);
        }
        if (terrain->baked) {
            make_tints(terrain, params, soil);
        }
        SoilLook look = soil_look(params);
        const float shares[4] = {look.lumps, look.stones, look.sheen, look.growth};
        terrain->look[soil] = soil_look_pack(&look);
        memcpy(terrain->looks[soil], shares, sizeof shares);
        memcpy(terrain->soils[soil], params->color_fresh, sizeof params->color_fresh);
    }
}

/// m that the ground beyond the edge has at a column along it, `along` columns away: heights at the start.
static float border_at(const RenderGrid *grid, bool row, bool last, int along)
{
    int count = row ? grid->columns : grid->rows;
    int k = along < 0 ? 0 : along < count ? along : count - 1;
    if (grid->border != NULL) {
        return grid->border[row ? (last ? grid->columns : 0) + k : 2 * grid->columns + (last ? grid->rows : 0) + k];
    }
    int r = row ? (last ? grid->rows - 1 : 0) : k, c = row ? k : (last ? grid->columns - 1 : 0);
    return grid->height[(size_t)r * (size_t)grid->columns + (size_t)c];
}

/// Sends the heights of the ground beyond the edge at the rings' points, counted as in terrain.glsl: at each, and the
/// mean around it.
static void send_border(const Terrain *terrain, const RenderGrid *grid)
{
    int nx = (grid->columns - 1) / TERRAIN_APRON_STEP, ny = (grid->rows - 1) / TERRAIN_APRON_STEP;
    size_t points = 2 * ((size_t)nx + (size_t)ny), all = points * TERRAIN_APRON_RINGS;
    float(*heights)[2] = terrain->border;
    for (size_t n = 0; heights != NULL && n < all; n++) {
        int k = (int)(n % points);
        bool row = k < nx || (k >= nx + ny && k < 2 * nx + ny), last = k >= nx && k < 2 * nx + ny;
        int step = k < nx ? k : k < nx + ny ? k - nx : k < 2 * nx + ny ? 2 * nx + ny - k : 2 * (nx + ny) - k;
        int along = (int)lrint((double)step * ((row ? grid->columns : grid->rows) - 1) / (row ? nx : ny));
        double sum = 0.0;
        for (int m = -BORDER_MEAN; m <= BORDER_MEAN; m++) {
            sum += (double)border_at(grid, row, last, along + m);
        }
        heights[n][0] = border_at(grid, row, last, along);
        heights[n][1] = (float)(sum / (2 * BORDER_MEAN + 1));
    }
    glBindVertexArray(terrain->apron_array);
    glBindBuffer(GL_ARRAY_BUFFER, terrain->apron_border);
    glBufferData(GL_ARRAY_BUFFER, heights != NULL ? (GLsizeiptr)(all * sizeof *heights) : 0, heights, GL_DYNAMIC_DRAW);
    glBindVertexArray(0);
}

void terrain_update(Terrain *terrain, const RenderGrid *grid, const SceneParams *scene, bool forget, bool low,
                    bool baked)
{
    if (grid->rows < 2 || grid->columns < 2 || grid->height == NULL) {
        terrain->known = false;
        return;
    }
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_HEIGHT);
    if (terrain->rows != grid->rows || terrain->columns != grid->columns) {
        if (!resize_maps(terrain, grid, low)) {
            return;
        }
        forget = true;
    }
    if (forget || grid->all_dirty || !terrain->known || grid->border == NULL || terrain->copy.bytes[0] != NULL) {
        send_border(terrain, grid);
    }
    if (forget) {
        terrain->baked = baked;
        make_palette(terrain, scene);
        terrain_update_far_color(terrain, grid);
    }
    DirtyRectangle dirty = dirty_rectangle(grid, terrain->known && !forget);
    if (dirty_is_empty(&dirty)) {
        return;
    }
    send_map(grid, terrain->height_map, &dirty, GL_RED, GL_FLOAT,
             grid->height + (size_t)dirty.first_row * (size_t)grid->columns + dirty.first_column, false);
    if (!low) {
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    send_colors(terrain, grid, &dirty);
    send_faces(terrain, grid, &dirty);
    if (low) {
        send_relief(terrain, grid, &dirty);
    }
    update_bounds(terrain, grid, &dirty);
    terrain->known = true;
}

void terrain_update_design(Terrain *terrain, const RenderGrid *grid, const RenderGrade *grade)
{
    if (!terrain->known || grade->design == NULL || terrain->design_key == grade->design_key) {
        return;
    }
    if (terrain->design_map == 0) {
        glGenTextures(1, &terrain->design_map);
    }
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_DESIGN);
    glBindTexture(GL_TEXTURE_2D, terrain->design_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, grid->columns, grid->rows, 0, GL_RED, GL_FLOAT, grade->design);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    terrain->design_key = grade->design_key;
}

/// ---- chunks --------------------------------------------------------------------------------------------------------

int terrain_chunk_index_count(int step)
{
    int cells = TERRAIN_CHUNK_CELLS / step;
    return 6 * cells * cells + 4 * 6 * cells;
}

static uint16_t *put_quad(uint16_t *out, int a, int b, int c, int d)
{
    const int corners[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++) {
        *out++ = (uint16_t)corners[k];
    }
    return out;
}

void terrain_chunk_indices(int step, uint16_t *indices)
{
    enum { SIDE = TERRAIN_CHUNK_CELLS + 1 };
    for (int j = 0; j < TERRAIN_CHUNK_CELLS; j += step) {
        for (int i = 0; i < TERRAIN_CHUNK_CELLS; i += step) {
            int at = j * SIDE + i;
            indices = put_quad(indices, at, at + step, at + step * SIDE + step, at + step * SIDE);
        }
    }
    const int start[4] = {0, TERRAIN_CHUNK_CELLS * SIDE, 0, TERRAIN_CHUNK_CELLS};
    const int stride[4] = {1, 1, SIDE, SIDE};
    for (int edge = 0; edge < 4; edge++) {
        int skirt = SIDE * SIDE + edge * SIDE;
        for (int i = 0; i < TERRAIN_CHUNK_CELLS; i += step) {
            int at = start[edge] + i * stride[edge];
            indices = put_quad(indices, at, at + step * stride[edge], skirt + i + step, skirt + i);
        }
    }
}

int terrain_level(double distance, double spacing, double reach)
{
    double next = reach * spacing;
    int level = 0;
    while (level + 1 < TERRAIN_LEVELS && distance > next) {
        level++;
        next *= 1.9;
    }
    return level;
}

static bool program_create(struct TerrainProgram *out, const GlShaders *shaders, const char *name, const char *extra,
                           Status *status)
{
    char defines[192];
    snprintf(defines, sizeof(defines), "#define CHUNK_CELLS %d\n#define APRON_RINGS %d\n#define OUTLINE_MOST %f\n%s",
             TERRAIN_CHUNK_CELLS, TERRAIN_APRON_RINGS, OUTLINE_MOST, extra);
    GLuint program = gl_program_create(shaders, name, defines, status);
    out->program = program;
    if (program == 0) {
        return false;
    }
    out->grid_size = glGetUniformLocation(program, "grid_size");
    out->grid_frame = glGetUniformLocation(program, "grid_frame");
    out->grid_origin = glGetUniformLocation(program, "grid_origin");
    out->chunk = glGetUniformLocation(program, "chunk");
    out->floor_height = glGetUniformLocation(program, "floor_height");
    out->tray_base = glGetUniformLocation(program, "tray_base");
    out->tray_turn = glGetUniformLocation(program, "tray_turn");
    out->ring_points = glGetUniformLocation(program, "ring_points");
    out->grade = glGetUniformLocation(program, "grade");
    out->ring_distance = glGetUniformLocation(program, "ring_distance");
    out->soils = glGetUniformLocation(program, "soil_color");
    out->marks = glGetUniformLocation(program, "mark_sizes");
    out->layered = glGetUniformLocation(program, "layered");
    out->looks = glGetUniformLocation(program, "soil_look");
    out->far_color = glGetUniformLocation(program, "far_color");
    out->far_ground = glGetUniformLocation(program, "far_ground");
    out->far_look = glGetUniformLocation(program, "far_look");
    out->layer_color = glGetUniformLocation(program, "layer_color");
    return true;
}

static bool programs_create(TerrainShared *shared, const GlShaders *shaders, Status *status)
{
    bool good = program_create(&shared->ground, shaders, "terrain", "", status) &&
                program_create(&shared->ground_depth, shaders, "terrain", "#define DEPTH\n", status) &&
                program_create(&shared->apron, shaders, "terrain", "#define APRON\n", status);
    if (!good || !shared->low) {
        return good;
    }
    for (int faces = 0; good && faces < 2; faces++) {
        for (int lamps = 0; good && lamps < 2; lamps++) {
            char defines[40];
            snprintf(defines, sizeof defines, "%s%s", faces ? "#define FACES\n" : "", lamps ? "#define LAMPS\n" : "");
            good = program_create(&shared->lit[faces][lamps], shaders, "ground", defines, status);
        }
    }
    return good && program_create(&shared->places, shaders, "terrain", "#define PLACES\n", status) &&
           program_create(&shared->apron_places, shaders, "terrain", "#define PLACES\n#define APRON\n", status) &&
           program_create(&shared->graded, shaders, "ground", "#define FACES\n#define LAMPS\n#define GRADE\n", status);
}

bool terrain_shared_create(TerrainShared *shared, bool low, const GlShaders *shaders, Status *status)
{
    shared->low = low;
    if (!programs_create(shared, shaders, status)) {
        return false;
    }
    int total = 0;
    for (int level = 0; level < TERRAIN_LEVELS; level++) {
        shared->offset[level] = (GLsizeiptr)sizeof(uint16_t) * total;
        total += terrain_chunk_index_count(level_step[level]);
    }
    uint16_t *indices = malloc(sizeof(uint16_t) * (size_t)total);
    if (indices == NULL) {
        return status_fail(status, STATUS_LACKING, "renderer: out of memory for the terrain's index buffer");
    }
    for (int level = 0; level < TERRAIN_LEVELS; level++) {
        terrain_chunk_indices(level_step[level], indices + shared->offset[level] / (GLsizeiptr)sizeof(uint16_t));
    }
    glGenVertexArrays(1, &shared->array);
    glGenBuffers(1, &shared->indices);
    glBindVertexArray(shared->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, shared->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint16_t) * total, indices, GL_STATIC_DRAW);
    glBindVertexArray(0);
    free(indices);
    return true;
}

void terrain_shared_destroy(TerrainShared *shared)
{
    glDeleteProgram(shared->ground.program);
    glDeleteProgram(shared->ground_depth.program);
    glDeleteProgram(shared->apron.program);
    glDeleteProgram(shared->places.program);
    glDeleteProgram(shared->apron_places.program);
    glDeleteProgram(shared->graded.program);
    for (int k = 0; k < 4; k++) {
        glDeleteProgram(shared->lit[k / 2][k % 2].program);
    }
    glDeleteVertexArrays(1, &shared->array);
    glDeleteBuffers(1, &shared->indices);
    *shared = (TerrainShared){0};
}

/// World box around a chunk; 0.4 m lower than its ground, for the skirts.
static void chunk_box(const Terrain *terrain, const RenderGrid *grid, int a, int b, float low[3], float high[3])
{
    double c = cos(grid->heading), s = sin(grid->heading);
    double size = TERRAIN_CHUNK_CELLS * grid->spacing;
    double x = grid->origin_x + a * size + 0.5 * size, y = grid->origin_y + b * size + 0.5 * size;
    double wx = grid->x + c * x - s * y, wy = grid->y + s * x + c * y;
    double half = 0.5 * size * (fabs(c) + fabs(s));
    int at = b * terrain->chunk_columns + a;
    low[0] = (float)(wx - half);
    high[0] = (float)(wx + half);
    low[1] = (float)(wy - half);
    high[1] = (float)(wy + half);
    low[2] = terrain->low[at] - 0.4f;
    high[2] = terrain->high[at];
}

Pose terrain_tray_frame(const RenderGrid *grid)
{
    return grid->moves ? grid->frame : (Pose){vec3(grid->x, grid->y, grid->floor), mat3_yaw(grid->heading)};
}

/// Room of a tray however it leans.
static void tray_box(const RenderGrid *grid, float low[3], float high[3])
{
    Vec3 at = terrain_tray_frame(grid).position;
    double reach = hypot(grid->rows, grid->columns) * grid->spacing;
    const double middle[3] = {at.x, at.y, at.z};
    for (int k = 0; k < 3; k++) {
        low[k] = (float)(middle[k] - reach);
        high[k] = (float)(middle[k] + reach);
    }
}

static void use_program(const Terrain *terrain, const struct TerrainProgram *program, const RenderGrid *grid,
                        const TerrainPass *pass)
{
    glUseProgram(program->program);
    glUniform2i(program->grid_size, grid->columns, grid->rows);
    glUniform4f(program->grid_frame, (float)grid->x, (float)grid->y, (float)cos(grid->heading),
                (float)sin(grid->heading));
    glUniform3f(program->grid_origin, (float)grid->origin_x, (float)grid->origin_y, (float)grid->spacing);
    glUniform2f(program->floor_height, (float)grid->floor, pass->tray ? 1.0f : 0.0f);
    glUniform1f(program->grade, pass->tolerance);
    bool marked = grid->marks != NULL && !pass->tray && grid->bar_pitch > 0.0 && grid->tooth_pitch > 0.0;
    glUniform4f(program->marks, marked ? (float)grid->bar_pitch : 0.0f, (float)grid->bar_width,
                (float)grid->tooth_pitch, (float)grid->blade_width);
    glUniform1i(program->layered, grid->strata != NULL && !pass->tray);
    glUniform4fv(program->soils, SCENE_MAX_SOILS, &terrain->soils[0][0]);
    glUniform4fv(program->looks, SCENE_MAX_SOILS, &terrain->looks[0][0]);
    glUniform3fv(program->far_color, 1, terrain->far_color);
    glUniform2f(program->far_ground, terrain->far_color[3], terrain->far_grass);
    glUniform4fv(program->far_look, 1, terrain->far_look);
    glUniform4fv(program->layer_color, 16, &terrain->layers_color[0][0]);
    if (pass->tray) {
        Pose frame = terrain_tray_frame(grid);
        float turn[9];
        for (int k = 0; k < 9; k++) {
            turn[k] = (float)frame.rotation.m[k / 3][k % 3];
        }
        glUniform3f(program->tray_base, (float)frame.position.x, (float)frame.position.y, (float)frame.position.z);
        glUniformMatrix3fv(program->tray_turn, 1, GL_TRUE, turn);
    }
}

static void draw_apron(const Terrain *terrain, const struct TerrainProgram *program, const RenderGrid *grid,
                       const TerrainPass *pass)
{
    use_program(terrain, program, grid, pass);
    glUniform2i(program->ring_points, (grid->columns - 1) / TERRAIN_APRON_STEP, (grid->rows - 1) / TERRAIN_APRON_STEP);
    float distance[TERRAIN_APRON_RINGS];
    memcpy(distance, apron_distance, sizeof distance);
    distance[2] = (float)grid->spacing;
    glUniform1fv(program->ring_distance, TERRAIN_APRON_RINGS, distance);
    glBindVertexArray(terrain->apron_array);
    glDrawElements(GL_TRIANGLES, terrain->apron_count, GL_UNSIGNED_INT, NULL);
}

static void bind_maps(const Terrain *terrain)
{
    const struct {
        int unit;
        GLuint map;
    } maps[] = {{GL_UNIT_DESIGN, terrain->design_map},   {GL_UNIT_COLOR, terrain->color_map},
                {GL_UNIT_LOOK, terrain->look_map},       {GL_UNIT_MARKS, terrain->mark_map},
                {GL_UNIT_OUTLINE, terrain->outline_map}, {GL_UNIT_STRATA, terrain->strata_map},
                {GL_UNIT_RELIEF, terrain->relief_map},   {GL_UNIT_HEIGHT, terrain->height_map}};
    for (size_t k = 0; k < sizeof(maps) / sizeof(maps[0]); k++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)maps[k].unit);
        glBindTexture(GL_TEXTURE_2D, maps[k].map);
    }
}

/// Which chunks are drawn: all, or those in which something is steep or nothing is.
typedef enum Chunks { CHUNKS_ALL, CHUNKS_FLAT, CHUNKS_FACED } Chunks;

/// Tells how fine a chunk is drawn; -1: not at all. At low quality flat chunks are half as fine.
static int chunk_level(const Terrain *terrain, const RenderGrid *grid, const TerrainPass *pass, Chunks which, int a,
                       int b)
{
    float low[3], high[3];
    bool faced = terrain->faced[b * terrain->chunk_columns + a];
    if (which != CHUNKS_ALL && faced != (which == CHUNKS_FACED)) {
        return -1;
    }
    if (pass->tray) {
        tray_box(grid, low, high);
    } else {
        chunk_box(terrain, grid, a, b, low, high);
    }
    if (!camera_sees_box(pass->planes, low, high)) {
        return -1;
    }
    double away = 0.0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(fmax((double)(low[k] - pass->eye[k]), (double)(pass->eye[k] - high[k])), 0.0);
        away += d * d;
    }
    int level = terrain_level(sqrt(away), grid->spacing, pass->reach);
    bool plain = terrain->relief != NULL && !pass->tray && !faced;
    level = (int)fmax(level, pass->least) + (plain ? 1 : 0);
    const float *errors = terrain->errors[b * terrain->chunk_columns + a];
    double allowed = fmax(0.5 * pass->pixel * sqrt(away), LEAST_ERROR);
    while (pass->pixel > 0.0 && !pass->tray && level + 1 < TERRAIN_LEVELS && (double)errors[level + 1] < allowed) {
        level++;
    }
    return level < TERRAIN_LEVELS ? level : TERRAIN_LEVELS - 1;
}

static void draw_chunks(const Terrain *terrain, const TerrainShared *shared, const struct TerrainProgram *program,
                        const RenderGrid *grid, const TerrainPass *pass, Chunks which)
{
    use_program(terrain, program, grid, pass);
    glBindVertexArray(shared->array);
    for (int b = 0; b < terrain->chunk_rows; b++) {
        for (int a = 0; a < terrain->chunk_columns; a++) {
            int level = chunk_level(terrain, grid, pass, which, a, b);
            if (level >= 0) {
                glUniform2i(program->chunk, a * TERRAIN_CHUNK_CELLS, b * TERRAIN_CHUNK_CELLS);
                glDrawElements(GL_TRIANGLES, terrain_chunk_index_count(level_step[level]), GL_UNSIGNED_SHORT,
                               (const void *)shared->offset[level]);
            }
        }
    }
}

/// Triangles leave where the ground of their pixels lies; then each pixel is lit once, however many triangles touch it.
static void draw_places(const Terrain *terrain, const TerrainShared *shared, const RenderGrid *grid,
                        const TerrainPass *pass)
{
    enum { FLAT = 1, FACED = 2 };
    bool graded = pass->tolerance > 0.0f;
    stage_begin_places(pass->stage);
    stage_mark_places(FLAT);
    draw_chunks(terrain, shared, &shared->places, grid, pass, CHUNKS_FLAT);
    draw_apron(terrain, &shared->apron_places, grid, pass);
    stage_mark_places(FACED);
    draw_chunks(terrain, shared, &shared->places, grid, pass, CHUNKS_FACED);
    stage_use_places(pass->stage);
    glBindVertexArray(shared->array);
    for (int mark = FLAT; mark <= FACED; mark++) {
        use_program(terrain, graded ? &shared->graded : &shared->lit[mark == FACED][pass->lamps_lit], grid, pass);
        stage_choose_places(mark);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    stage_end_places();
}

void terrain_draw(const Terrain *terrain, const TerrainShared *shared, const RenderGrid *grid, const TerrainPass *pass)
{
    if (!terrain->known) {
        return;
    }
    bind_maps(terrain);
    if (shared->low && pass->stage != NULL && !pass->depth && !pass->tray) {
        draw_places(terrain, shared, grid, pass);
        return;
    }
    draw_chunks(terrain, shared, pass->depth ? &shared->ground_depth : &shared->ground, grid, pass, CHUNKS_ALL);
    if (!pass->depth && !pass->tray) {
        draw_apron(terrain, &shared->apron, grid, pass);
    }
}
