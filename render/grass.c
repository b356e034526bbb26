/// Draws grass: one instance a square metre, whose blades the vertex shader puts on the grid's own textures. Only the
/// numbers of patches are sent.
#include "render/grass.h"

#include <math.h>
#include <stddef.h>

#include "data/core/random.h"
#include "render/soil_look.h"

/// Chosen by eye: blades of a band are so many and wide that the ground between them shows.
static const struct {
    int blades; ///< on a patch
    bool bent; ///< of three triangles, else one
} bands[GRASS_BANDS] = {{170, true}, {120, false}, {54, false}};
const float grass_reach[GRASS_BANDS] = {5.0f, 15.0f, 30.0f};

#define GROWN 0.1f ///< share of grass from which a soil has blades
enum {
    GROWN_LOOSE = 90, ///< of 255: looser ground has none
    SAMPLES = 5, ///< columns along a side of a patch that are looked at
    MOST_VERTICES = 5 * 170 + 3 * 120 + 3 * 54,
    MOST_INDICES = 9 * 170 + 3 * 120 + 3 * 54
};

/// ---- patches -------------------------------------------------------------------------------------------------------

/// Whether some column of a patch is grown over.
static bool is_grown(const RenderGrid *grid, const float growth[SCENE_MAX_SOILS], int x, int y)
{
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        double across = (x + (k % SAMPLES) / (SAMPLES - 1.0)) * GRASS_PATCH / grid->spacing;
        double up = (y + (k / SAMPLES) / (SAMPLES - 1.0)) * GRASS_PATCH / grid->spacing;
        int column = (int)fmin(across, grid->columns - 1.0), row = (int)fmin(up, grid->rows - 1.0);
        size_t at = (size_t)row * (size_t)grid->columns + (size_t)column;
        int soil = grid->soil == NULL ? 0 : grid->soil[at] % SCENE_MAX_SOILS;
        if (growth[soil] > GROWN && (grid->loose == NULL || grid->loose[at] < GROWN_LOOSE)) {
            return true;
        }
    }
    return false;
}

static bool in_sight(vec4 *planes, const FloatVec3 place)
{
    for (int k = 0; planes != NULL && k < 6; k++) {
        if (planes[k][0] * place[0] + planes[k][1] * place[1] + planes[k][2] * place[2] + planes[k][3] < -1.0f) {
            return false;
        }
    }
    return true;
}

/// The patches whose middles are `near` to `far` m from the eye.
static void find_band(const RenderGrid *grid, const float growth[SCENE_MAX_SOILS], Vec3 eye, vec4 *planes,
                      const double range[2], GrassPatches *patches, int *count)
{
    const Pose frame = {vec3(grid->x, grid->y, 0.0), mat3_yaw(grid->heading)};
    Vec3 from = pose_apply_inverse(&frame, eye);
    double wide = (grid->columns - 1) * grid->spacing / GRASS_PATCH, high = (grid->rows - 1) * grid->spacing;
    double at_x = (from.x - grid->origin_x) / GRASS_PATCH, at_y = (from.y - grid->origin_y) / GRASS_PATCH;
    double reach = range[1] / GRASS_PATCH;
    int x_end = (int)fmin(at_x + reach, wide - 1.0), y_end = (int)fmin(at_y + reach, high / GRASS_PATCH - 1.0);
    for (int y = (int)fmax(at_y - reach, 0.0); y <= y_end; y++) {
        for (int x = (int)fmax(at_x - reach, 0.0); x <= x_end; x++) {
            double middle_x = (x + 0.5) * GRASS_PATCH, middle_y = (y + 0.5) * GRASS_PATCH;
            int column = (int)(middle_x / grid->spacing), row = (int)(middle_y / grid->spacing);
            double height = (double)grid->height[(size_t)row * (size_t)grid->columns + (size_t)column];
            Vec3 place = pose_apply(&frame, vec3(grid->origin_x + middle_x, grid->origin_y + middle_y, height));
            double away = vec3_length(vec3_sub(place, eye));
            FloatVec3 at;
            linear_from_vec3(place, at);
            if (away >= range[0] && away < range[1] && *count < GRASS_MAX_PATCHES && in_sight(planes, at) &&
                is_grown(grid, growth, x, y)) {
                patches->patch[(*count)++] = grass_patch(x, y);
            }
        }
    }
}

void grass_find(const RenderGrid *grid, const SceneParams *scene, const float eye[3], vec4 *planes,
                GrassPatches *patches)
{
    float growth[SCENE_MAX_SOILS] = {0.0f}, most = 0.0f;
    for (int k = 0; k < scene->soil_count && k < SCENE_MAX_SOILS; k++) {
        growth[k] = soil_look(&scene->soils[k]).growth;
        most = fmaxf(most, growth[k]);
    }
    Vec3 from = vec3((double)eye[0], (double)eye[1], (double)eye[2]);
    int count = 0;
    for (int k = 0; k < GRASS_BANDS; k++) {
        // A patch reaches 0.7 m beyond its middle.
        const double range[2] = {k > 0 ? (double)grass_reach[k - 1] + 0.75 : 0.0, (double)grass_reach[k] + 0.75};
        if (most > GROWN && grid->height != NULL) {
            find_band(grid, growth, from, planes, range, patches, &count);
        }
        patches->count[k] = count;
    }
}

/// ---- blades --------------------------------------------------------------------------------------------------------

/// A corner of a blade: its root on the patch (m), a number 0..1 of the blade; to its left or right, -1..1, and how far
/// up, 0..1.
typedef struct BladeVertex {
    float root[3], at[2];
} BladeVertex;

typedef struct BladeMesh {
    BladeVertex vertices[MOST_VERTICES];
    uint16_t indices[MOST_INDICES];
    int vertex_count, index_count;
} BladeMesh;

static void add_blade(BladeMesh *mesh, const float root[3], bool bent)
{
    static const float corners[5][2] = {{-1.0f, 0.0f}, {1.0f, 0.0f}, {-0.75f, 0.5f}, {0.75f, 0.5f}, {0.0f, 1.0f}};
    static const uint16_t triangles[9] = {0, 1, 2, 2, 1, 3, 2, 3, 4};
    int first = mesh->vertex_count;
    for (int k = 0; k < (bent ? 5 : 3); k++) {
        const float *at = corners[bent || k < 2 ? k : 4];
        mesh->vertices[mesh->vertex_count++] = (BladeVertex){{root[0], root[1], root[2]}, {at[0], at[1]}};
    }
    for (int k = 0; k < (bent ? 9 : 3); k++) {
        mesh->indices[mesh->index_count++] = (uint16_t)(first + triangles[k]);
    }
}

/// Blades stand in tufts of a few.
static void make_blades(Grass *grass, BladeMesh *mesh)
{
    const uint64_t stream = 0x97a5;
    uint64_t drawn = 0;
    for (int k = 0; k < GRASS_BANDS; k++) {
        grass->first[k] = mesh->index_count;
        for (int blade = 0; blade < bands[k].blades; blade++) {
            uint64_t tuft = (uint64_t)k * 1000U + (uint64_t)(blade / 4);
            float root[3];
            for (int n = 0; n < 2; n++) {
                double near = 0.09 * (random_unit(2, stream, drawn++) - 0.5);
                root[n] = (float)(random_unit(1, stream, 2 * tuft + (uint64_t)n) * GRASS_PATCH + near);
            }
            root[2] = (float)random_unit(3, stream, drawn++);
            add_blade(mesh, root, bands[k].bent);
        }
        grass->indices[k] = mesh->index_count - grass->first[k];
    }
}

static void send_blades(Grass *grass)
{
    BladeMesh mesh = {.vertex_count = 0};
    make_blades(grass, &mesh);
    glGenVertexArrays(1, &grass->array);
    glGenBuffers(1, &grass->vertices);
    glGenBuffers(1, &grass->triangles);
    glGenBuffers(1, &grass->instances);
    glBindVertexArray(grass->array);
    glBindBuffer(GL_ARRAY_BUFFER, grass->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof mesh.vertices, mesh.vertices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(BladeVertex),
                          (const void *)offsetof(BladeVertex, root));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(BladeVertex),
                          (const void *)offsetof(BladeVertex, at));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, grass->triangles);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof mesh.indices, mesh.indices, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, grass->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof grass->patches.patch, NULL, GL_STREAM_DRAW);
    glEnableVertexAttribArray(2);
    glVertexAttribDivisor(2, 1);
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, (GLsizei)sizeof(uint32_t), NULL);
    glBindVertexArray(0);
}

bool grass_create(Grass *grass, const GlShaders *shaders, Status *status)
{
    grass->program = gl_program_create(shaders, "grass", "", status);
    if (grass->program == 0) {
        return false;
    }
    grass->grid_size = glGetUniformLocation(grass->program, "grid_size");
    grass->grid_frame = glGetUniformLocation(grass->program, "grid_frame");
    grass->grid_origin = glGetUniformLocation(grass->program, "grid_origin");
    grass->band = glGetUniformLocation(grass->program, "band");
    send_blades(grass);
    return true;
}

void grass_destroy(Grass *grass)
{
    glDeleteProgram(grass->program);
    glDeleteVertexArrays(1, &grass->array);
    glDeleteBuffers(1, &grass->vertices);
    glDeleteBuffers(1, &grass->triangles);
    glDeleteBuffers(1, &grass->instances);
    *grass = (Grass){0};
}

void grass_update(Grass *grass, const RenderView *view, const Camera *camera)
{
    GrassPatches *patches = &grass->patches;
    for (int k = 0; k < GRASS_BANDS; k++) {
        patches->count[k] = 0;
    }
    if (view->grid_count > 0 && view->grids[0].rows > 2 && view->grids[0].columns > 2) {
        grass_find(&view->grids[0], view->scene, camera->eye, (vec4 *)camera->planes, patches);
    }
    int count = patches->count[GRASS_BANDS - 1];
    if (count > 0) {
        glBindBuffer(GL_ARRAY_BUFFER, grass->instances);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint32_t) * count, patches->patch, GL_STREAM_DRAW);
    }
}

static void bind_texture(GLenum unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

void grass_draw(const Grass *grass, const Terrain *terrain, const RenderView *view)
{
    const GrassPatches *patches = &grass->patches;
    if (patches->count[GRASS_BANDS - 1] == 0 || !terrain->known) {
        return;
    }
    const RenderGrid *grid = &view->grids[0];
    bind_texture(GL_UNIT_HEIGHT, terrain->height_map);
    bind_texture(GL_UNIT_COLOR, terrain->color_map);
    bind_texture(GL_UNIT_LOOK, terrain->look_map);
    bind_texture(GL_UNIT_MARKS, terrain->mark_map);
    glUseProgram(grass->program);
    glUniform2f(grass->grid_size, (float)grid->columns, (float)grid->rows);
    glUniform4f(grass->grid_frame, (float)grid->x, (float)grid->y, (float)cos(grid->heading),
                (float)sin(grid->heading));
    glUniform4f(grass->grid_origin, (float)grid->origin_x, (float)grid->origin_y, (float)grid->spacing,
                grid->bar_pitch > 0.0 ? 1.0f : 0.0f);
    glBindVertexArray(grass->array);
    for (int k = 0; k < GRASS_BANDS; k++) {
        if (patches->count[k] > 0) {
            glUniform3f(grass->band, grass_reach[k], (float)(k + 1), (float)GRASS_PATCH);
            glDrawElementsInstanced(GL_TRIANGLES, grass->indices[k], GL_UNSIGNED_SHORT,
                                    (const void *)(sizeof(uint16_t) * (size_t)grass->first[k]), patches->count[k]);
        }
    }
}
