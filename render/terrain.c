/// What is on the GPU of a height grid: textures with a value for each column, of which only changed rectangles are
/// sent, and the rings of ground around a site.
#include "render/terrain.h"

#include "render/ground/outline.h"
#include "render/relief.h"
#include "render/soil_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    free(terrain->low);
    free(terrain->high);
    free(terrain->pixels);
    free(terrain->outline);
    free(terrain->relief);
    free(terrain->means);
    free(terrain->faced);
    *terrain = (Terrain){0};
}

/// Rings of the ground around the site: each joins the edge's points to the next ring's.
static void create_apron(Terrain *terrain)
{
    int nx = (terrain->columns - 1) / TERRAIN_APRON_STEP, ny = (terrain->rows - 1) / TERRAIN_APRON_STEP;
    int points = 2 * (nx + ny);
    terrain->apron_count = 6 * points * (TERRAIN_APRON_RINGS - 1);
    uint32_t *indices = malloc(sizeof(uint32_t) * (size_t)terrain->apron_count);
    if (indices == NULL) {
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
    glBindVertexArray(terrain->apron_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, terrain->apron_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint32_t) * terrain->apron_count, indices, GL_STATIC_DRAW);
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
static bool resize(Terrain *terrain, const RenderGrid *grid, bool low)
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
    terrain->faced = calloc(chunks, sizeof(bool));
    if (terrain->low == NULL || terrain->high == NULL || terrain->pixels == NULL || terrain->outline == NULL ||
        terrain->faced == NULL || (low && (terrain->relief == NULL || terrain->means == NULL))) {
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

static void send_colors(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    uint32_t *out = terrain->pixels;
    for (int j = dirty->first_row; j < dirty->first_row + dirty->rows; j++) {
        size_t row = (size_t)j * (size_t)grid->columns;
        for (size_t at = row + (size_t)dirty->first_column; at < row + (size_t)(dirty->first_column + dirty->columns);
             at++) {
            *out++ = terrain->palette[soil_of(grid, at)][grid->loose == NULL ? 0 : grid->loose[at]];
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
            *out++ = terrain->look[soil_of(grid, at)];
        }
    }
    send_map(grid, terrain->look_map, dirty, GL_RGBA, GL_UNSIGNED_BYTE, terrain->pixels, true);
}

/// What faces need: their outlines, which change around what has changed, too, and their layers.
static void send_faces(Terrain *terrain, const RenderGrid *grid, const DirtyRectangle *dirty)
{
    DirtyRectangle part = outline_rectangle(grid, dirty);
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
    DirtyRectangle part = relief_rectangle(grid, dirty);
    relief_mean(grid, dirty, terrain->means);
    for (int j = part.first_row; j < part.first_row + part.rows; j++) {
        for (int i = part.first_column; i < part.first_column + part.columns; i++) {
            size_t at = (size_t)j * (size_t)grid->columns + (size_t)i;
            uint8_t *relief = terrain->relief + 4 * at;
            relief_compute(grid, terrain->outline + 4 * at, terrain->means, j, i, relief);
            relief[3] = terrain->grass[soil_of(grid, at)][grid->loose == NULL ? 0 : grid->loose[at]];
        }
    }
    find_faces(terrain, &part);
    size_t at = (size_t)part.first_row * (size_t)grid->columns + (size_t)part.first_column;
    send_map(grid, terrain->relief_map, &part, GL_RGBA, GL_UNSIGNED_BYTE, terrain->relief + 4 * at, false);
}

/// The mean colour of the site's edge, which the ground takes far beyond it.
static void find_far_color(Terrain *terrain, const RenderGrid *grid)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < grid->columns; i++) {
        for (int end = 0; end < 2; end++) {
            size_t at = (size_t)i + (end == 1 ? (size_t)(grid->rows - 1) * (size_t)grid->columns : 0);
            uint32_t color = terrain->palette[soil_of(grid, at)][grid->loose == NULL ? 0 : grid->loose[at]];
            for (int k = 0; k < 3; k++) {
                sum[k] += (double)(color >> (8 * k) & 255U);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        terrain->far_color[k] = (float)(sum[k] / (255.0 * 2.0 * grid->columns));
    }
}

/// Colours of ground.glsl: by looseness, and of layers that a face shows, cut and tipped.
static void make_tints(Terrain *terrain, const SoilParams *params, int soil)
{
    for (int loose = 0; loose < 256; loose++) {
        SoilTint tint = soil_look_tint(params, loose / 255.0);
        terrain->palette[soil][loose] = soil_look_pack_tint(&tint);
        terrain->grass[soil][loose] = (uint8_t)lrintf(255.0f * tint.grass);
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

void terrain_update(Terrain *terrain, const RenderGrid *grid, const SceneParams *scene, bool forget, bool low,
                    bool baked)
{
    if (grid->rows < 2 || grid->columns < 2 || grid->height == NULL) {
        terrain->known = false;
        return;
    }
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_HEIGHT);
    if (terrain->rows != grid->rows || terrain->columns != grid->columns) {
        if (!resize(terrain, grid, low)) {
            return;
        }
        forget = true;
    }
    if (forget) {
        terrain->baked = baked;
        make_palette(terrain, scene);
        find_far_color(terrain, grid);
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

void terrain_follow_design(Terrain *terrain, const RenderGrid *grid, const RenderGrade *grade)
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

uint32_t render_mark(RenderTraceKind kind, int strength, double heading, double turns, double left)
{
    double around = heading / (2.0 * M_PI), far = fmax(-0.5, fmin(0.5, left));
    uint32_t angle = (uint32_t)lrint(256.0 * (around - floor(around))) & 255U;
    uint32_t phase = (uint32_t)lrint(256.0 * (turns - floor(turns))) & 255U;
    uint32_t mark = angle | phase << 8 | (uint32_t)lrint(127.0 + 254.0 * far) << 16 | (uint32_t)kind << 30;
    return render_mark_faded(mark, strength);
}

uint32_t render_mark_faded(uint32_t mark, int strength)
{
    return strength <= 0 ? 0 : (mark & 0xc0ffffffU) | (uint32_t)(strength & RENDER_TRACE_FULL) << 24;
}
