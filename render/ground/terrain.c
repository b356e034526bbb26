/// Draws height grids without vertices of their own: the vertex shader reads heights from a texture, so a change of the
/// ground sends only the changed rectangle. The grid is cut into chunks that are drawn coarser with distance
/// (geomipmapping, de Boer 2000); skirts that hang down from their edges hide the cracks between chunks of different
/// fineness. Around the site an apron of rings carries the ground to the horizon.
#include "render/terrain.h"

#include "render/gpu/stage.h"
#include "render/ground/outline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int level_step[TERRAIN_LEVELS] = {1, 2, 4, 8};
/// m beyond the site's edge; the first ring hangs below the edge and hides cracks.
static const float apron_distance[TERRAIN_APRON_RINGS] = {0.0f,  0.0f,  0.6f,  1.5f,   3.0f,   6.0f,   10.0f,
                                                          16.0f, 30.0f, 60.0f, 120.0f, 260.0f, 700.0f, 2200.0f};

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

/// Where a tray's floor is.
static Pose tray_frame(const RenderGrid *grid)
{
    return grid->moves ? grid->frame : (Pose){vec3(grid->x, grid->y, grid->floor), mat3_yaw(grid->heading)};
}

/// Room of a tray however it leans.
static void tray_box(const RenderGrid *grid, float low[3], float high[3])
{
    Vec3 at = tray_frame(grid).position;
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
    glUniform4fv(program->layer_color, 16, &terrain->layers_color[0][0]);
    if (pass->tray) {
        Pose frame = tray_frame(grid);
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
    glUniform1fv(program->ring_distance, TERRAIN_APRON_RINGS, apron_distance);
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
