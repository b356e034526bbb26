/// Draws crumbs: one instance a column, a mesh of several grains, whose heights the vertex shader reads from the grid's
/// own texture. Only the columns' numbers are sent.
#include "render/crumbs.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "render/grains.h"

#define STEEP 1.3f ///< m a metre: cut faces are clean
#define FLOOR 0.05f ///< m of soil in a tray that cannot be told from its floor

/// Where a grid's frame is in the world; heights in it are over its `base`.
static Pose frame_of(const RenderGrid *grid, bool tray, double *base)
{
    *base = tray ? grid->floor : 0.0;
    return tray ? terrain_tray_frame(grid) : (Pose){vec3(grid->x, grid->y, 0.0), mat3_yaw(grid->heading)};
}

/// Whether the ground falls or rises too steeply from a column to its neighbours, which it has on all sides.
static bool is_steep(const RenderGrid *grid, const float *height)
{
    float most = STEEP * (float)grid->spacing, here = *height;
    return fabsf(height[1] - here) > most || fabsf(height[-1] - here) > most ||
           fabsf(height[grid->columns] - here) > most || fabsf(height[-grid->columns] - here) > most;
}

static int clamp_index(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

static bool in_sight(vec4 *planes, const float place[3])
{
    for (int k = 0; planes != NULL && k < 6; k++) {
        if (planes[k][0] * place[0] + planes[k][1] * place[1] + planes[k][2] * place[2] + planes[k][3] < -0.2f) {
            return false;
        }
    }
    return true;
}

/// Whether a column has soil that crumbs may lie on.
static bool is_loose(const RenderGrid *grid, bool tray, double base, size_t at)
{
    bool held = tray ? (double)grid->height[at] > base + (double)FLOOR
                     : grid->loose != NULL && grid->loose[at] >= CRUMBS_LEAST_LOOSE;
    return held && !is_steep(grid, grid->height + at);
}

void crumbs_find(const RenderGrid *grid, bool tray, const float eye[3], vec4 *planes, CrumbColumns *out)
{
    double base = 0.0;
    Pose frame = frame_of(grid, tray, &base);
    Vec3 from = pose_apply_inverse(&frame, vec3((double)eye[0], (double)eye[1], (double)eye[2]));
    double column = (from.x - grid->origin_x) / grid->spacing, row = (from.y - grid->origin_y) / grid->spacing;
    double reach = (double)CRUMBS_FAR / grid->spacing;
    int row_end = clamp_index(row + reach, 0, grid->rows - 2);
    int column_end = clamp_index(column + reach, 0, grid->columns - 2);
    for (int j = clamp_index(row - reach, 1, grid->rows - 1); j <= row_end; j++) {
        for (int i = clamp_index(column - reach, 1, grid->columns - 1); i <= column_end; i++) {
            size_t at = (size_t)j * (size_t)grid->columns + (size_t)i;
            if (!is_loose(grid, tray, base, at)) {
                continue;
            }
            Vec3 local = vec3(grid->origin_x + i * grid->spacing, grid->origin_y + j * grid->spacing,
                              (double)grid->height[at] - base);
            double away = vec3_length(vec3_sub(local, from));
            FloatVec3 place;
            linear_from_vec3(pose_apply(&frame, local), place);
            if (away < (double)CRUMBS_FAR && out->front < out->back && in_sight(planes, place)) {
                uint32_t *to = &out->columns[away < (double)CRUMBS_NEAR ? out->front++ : --out->back];
                *to = crumb_column(i, j, grid->soil == NULL ? 0 : grid->soil[at]);
            }
        }
    }
}

static void create_mesh(Crumbs *crumbs)
{
    GrainMesh mesh;
    crumbs->near_indices = grain_mesh_small(CRUMBS_NEAR_PARTS, CRUMBS_ROUND_PARTS, CRUMBS_FAR_PARTS, &mesh);
    crumbs->far_indices = mesh.index_count - crumbs->near_indices;
    glGenVertexArrays(1, &crumbs->array);
    glGenBuffers(1, &crumbs->vertices);
    glGenBuffers(1, &crumbs->triangles);
    glGenBuffers(1, &crumbs->instances);
    glBindVertexArray(crumbs->array);
    glBindBuffer(GL_ARRAY_BUFFER, crumbs->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(GrainVertex) * mesh.vertex_count, mesh.vertices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(GrainVertex),
                          (const void *)offsetof(GrainVertex, direction));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(GrainVertex),
                          (const void *)offsetof(GrainVertex, part));
    glEnableVertexAttribArray(2);
    glVertexAttribDivisor(2, 1);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, crumbs->triangles);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(mesh.indices[0]) * mesh.index_count, mesh.indices,
                 GL_STATIC_DRAW);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, crumbs->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(crumbs->columns), NULL, GL_STREAM_DRAW);
}

bool crumbs_create(Crumbs *crumbs, const GlShaders *shaders, Status *status)
{
    char defines[96];
    snprintf(defines, sizeof(defines),
             "#define CRUMB\n#define CRUMBS_FAR_PARTS %d\n#define CRUMBS_NEAR %.1f\n#define CRUMBS_FAR %.1f\n",
             CRUMBS_FAR_PARTS, (double)CRUMBS_NEAR, (double)CRUMBS_FAR);
    crumbs->program = gl_program_create(shaders, "grain", defines, status);
    if (crumbs->program == 0) {
        return false;
    }
    crumbs->soil_color = glGetUniformLocation(crumbs->program, "soil_color");
    crumbs->soil_shape = glGetUniformLocation(crumbs->program, "soil_shape");
    crumbs->grid_size = glGetUniformLocation(crumbs->program, "grid_size");
    crumbs->grid_origin = glGetUniformLocation(crumbs->program, "grid_origin");
    crumbs->frame_base = glGetUniformLocation(crumbs->program, "frame_base");
    crumbs->frame_turn = glGetUniformLocation(crumbs->program, "frame_turn");
    create_mesh(crumbs);
    return true;
}

void crumbs_destroy(Crumbs *crumbs)
{
    glDeleteProgram(crumbs->program);
    glDeleteVertexArrays(1, &crumbs->array);
    glDeleteBuffers(1, &crumbs->vertices);
    glDeleteBuffers(1, &crumbs->triangles);
    glDeleteBuffers(1, &crumbs->instances);
    *crumbs = (Crumbs){0};
}

/// Sends the columns first .. first + count - 1 of the scratch.
static void send_columns(const Crumbs *crumbs, int first, int count)
{
    if (count > 0) {
        glBufferSubData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint32_t) * first, (GLsizeiptr)sizeof(uint32_t) * count,
                        crumbs->columns + first);
    }
}

void crumbs_update(Crumbs *crumbs, const RenderView *view, const Camera *camera)
{
    CrumbColumns found = {.columns = crumbs->columns, .back = CRUMBS_MAX_COLUMNS};
    for (int k = RENDER_MAX_GRIDS - 1; k >= 0; k--) { // trays first, which are small
        const RenderGrid *grid = &view->grids[k];
        int front = found.front, back = found.back;
        if (k < view->grid_count && grid->height != NULL && grid->rows > 2 && grid->columns > 2) {
            crumbs_find(grid, k > 0, camera->eye, (vec4 *)camera->planes, &found);
        }
        crumbs->first[0][k] = front;
        crumbs->count[0][k] = found.front - front;
        crumbs->first[1][k] = found.back;
        crumbs->count[1][k] = back - found.back;
    }
    glBindBuffer(GL_ARRAY_BUFFER, crumbs->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(crumbs->columns), NULL, GL_STREAM_DRAW);
    send_columns(crumbs, 0, found.front);
    send_columns(crumbs, found.back, CRUMBS_MAX_COLUMNS - found.back);
}

static void draw_grid(const Crumbs *crumbs, const Terrain *terrain, const RenderGrid *grid, int k)
{
    double base = 0.0;
    Pose frame = frame_of(grid, k > 0, &base);
    float turn[9];
    for (int n = 0; n < 9; n++) {
        turn[n] = (float)frame.rotation.m[n / 3][n % 3];
    }
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_COLOR);
    glBindTexture(GL_TEXTURE_2D, terrain->color_map);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_LOOK);
    glBindTexture(GL_TEXTURE_2D, terrain->look_map);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_HEIGHT);
    glBindTexture(GL_TEXTURE_2D, terrain->height_map);
    glUniform2f(crumbs->grid_size, (float)grid->columns, (float)grid->rows);
    glUniform4f(crumbs->grid_origin, (float)grid->origin_x, (float)grid->origin_y, (float)base, (float)grid->spacing);
    glUniform3f(crumbs->frame_base, (float)frame.position.x, (float)frame.position.y, (float)frame.position.z);
    glUniformMatrix3fv(crumbs->frame_turn, 1, GL_TRUE, turn);
    for (int band = 0; band < 2; band++) {
        glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, (GLsizei)sizeof(uint32_t),
                               (const void *)(sizeof(uint32_t) * (size_t)crumbs->first[band][k]));
        if (crumbs->count[band][k] > 0) {
            size_t first = band == 0 ? 0 : (size_t)crumbs->near_indices * sizeof(uint16_t);
            glDrawElementsInstanced(GL_TRIANGLES, band == 0 ? crumbs->near_indices : crumbs->far_indices,
                                    GL_UNSIGNED_SHORT, (const void *)first, crumbs->count[band][k]);
        }
    }
}

void crumbs_draw(const Crumbs *crumbs, const Terrain *terrain, const RenderView *view)
{
    glUseProgram(crumbs->program);
    grains_aim_looks(crumbs->soil_color, crumbs->soil_shape, view->scene);
    glBindVertexArray(crumbs->array);
    glBindBuffer(GL_ARRAY_BUFFER, crumbs->instances);
    glEnable(GL_CULL_FACE);
    for (int k = 0; k < view->grid_count && k < RENDER_MAX_GRIDS; k++) {
        if (crumbs->count[0][k] + crumbs->count[1][k] > 0 && terrain[k].known) {
            draw_grid(crumbs, &terrain[k], &view->grids[k], k);
        }
    }
    glDisable(GL_CULL_FACE);
}
