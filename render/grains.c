/// Draws soil particles as clusters of grains, one instance of a cluster's mesh a particle; the shader sizes, places,
/// dents and turns each grain by its number and the particle's. Particles seen larger than a few pixels have many
/// grains, the others few. At low quality grains are points, a fixed number for each particle, which reads its
/// instance from a texture: what draws in software spends microseconds on every instance.
#include "render/grains.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "render/scene/grain_stand.h"

enum { SOILS = 8, TEXELS = 2 /* of an instance */ };
static const double near_pixels = 7.0; ///< a particle whose radius covers more has many grains; chosen by eye

static void create_mesh(Grains *grains, int level)
{
    GrainMesh mesh;
    grain_mesh(level, &mesh);
    glGenVertexArrays(1, &grains->array[level]);
    glGenBuffers(1, &grains->vertices[level]);
    glGenBuffers(1, &grains->triangles[level]);
    glBindVertexArray(grains->array[level]);
    glBindBuffer(GL_ARRAY_BUFFER, grains->vertices[level]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(GrainVertex) * mesh.vertex_count, mesh.vertices, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(GrainVertex),
                          (const void *)offsetof(GrainVertex, direction));
    glEnableVertexAttribArray(5);
    glVertexAttribPointer(5, 4, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(GrainVertex),
                          (const void *)offsetof(GrainVertex, place));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, grains->triangles[level]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(mesh.indices[0]) * mesh.index_count, mesh.indices,
                 GL_STATIC_DRAW);
    for (GLuint attribute = 1; attribute < 5; attribute++) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribDivisor(attribute, 1);
    }
    glBindVertexArray(0);
    grains->index_count[level] = mesh.index_count;
}

static bool create_program(struct GrainProgram *out, const GlShaders *shaders, const char *defines, Status *status)
{
    out->program = gl_program_create(shaders, "grain", defines, status);
    if (out->program == 0) {
        return false;
    }
    out->soil_color = glGetUniformLocation(out->program, "soil_color");
    out->soil_shape = glGetUniformLocation(out->program, "soil_shape");
    out->filled = glGetUniformLocation(out->program, "filled");
    out->parts = glGetUniformLocation(out->program, "parts");
    return true;
}

bool grains_create(Grains *grains, bool points, const GlShaders *shaders, Status *status)
{
    grains->points = points;
    if (!create_program(&grains->light, shaders, "", status) ||
        !create_program(&grains->depth, shaders, "#define DEPTH\n", status)) {
        return false;
    }
    glGenBuffers(1, &grains->instances);
    if (points) {
        glGenTextures(1, &grains->texture);
        glGenVertexArrays(1, &grains->array[0]);
    } else {
        for (int level = 0; level < GRAIN_LEVELS; level++) {
            create_mesh(grains, level);
        }
    }
    return true;
}

void grains_destroy(Grains *grains)
{
    glDeleteProgram(grains->light.program);
    glDeleteProgram(grains->depth.program);
    glDeleteVertexArrays(GRAIN_LEVELS, grains->array);
    glDeleteBuffers(GRAIN_LEVELS, grains->vertices);
    glDeleteBuffers(GRAIN_LEVELS, grains->triangles);
    glDeleteBuffers(1, &grains->instances);
    glDeleteTextures(1, &grains->texture);
    free(grains->scratch);
    *grains = (Grains){0};
}

static bool reserve(Grains *grains, int count)
{
    if (count <= grains->capacity) {
        return true;
    }
    int capacity = count + count / 2;
    GrainInstance *grown = realloc(grains->scratch, sizeof(GrainInstance) * (size_t)capacity);
    if (grown == NULL) {
        return false;
    }
    grains->scratch = grown;
    grains->capacity = capacity;
    return true;
}

static void send(Grains *grains, int count)
{
    GLsizeiptr size = (GLsizeiptr)sizeof(GrainInstance) * count;
    glBindBuffer(GL_ARRAY_BUFFER, grains->instances);
    if (size > grains->buffer_size) {
        grains->buffer_size = (GLsizeiptr)sizeof(GrainInstance) * grains->capacity;
    }
    glBufferData(GL_ARRAY_BUFFER, grains->buffer_size, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, size, grains->scratch);
    if (grains->points) {
        glActiveTexture(GL_TEXTURE0 + GL_UNIT_GRAINS);
        glBindTexture(GL_TEXTURE_BUFFER, grains->texture);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, grains->instances);
    }
}

void grains_update(Grains *grains, const RenderView *view, const float eye[3], double pixels_per_radian)
{
    const RenderParticles *particles = &view->particles;
    int n = particles->count;
    grains->count[0] = grains->count[1] = 0;
    if (n <= 0 || particles->xyzr == NULL || !reserve(grains, n)) {
        return;
    }
    static const uint8_t plain[4] = {0};
    GrainStand stand;
    grain_stand_find(&stand, view);
    int front = 0, back = n;
    float near_reach = (float)(pixels_per_radian / near_pixels); // m of distance for each m of radius
    for (int i = 0; i < n; i++) {
        const float *p = particles->xyzr + 4 * (size_t)i;
        float dx = p[0] - eye[0], dy = p[1] - eye[1], dz = p[2] - eye[2];
        float reach = p[3] * near_reach;
        bool near = grains->points || dx * dx + dy * dy + dz * dz < reach * reach;
        GrainInstance *out = &grains->scratch[near ? front++ : --back];
        memcpy(out->xyzr, p, sizeof(out->xyzr));
        uint32_t id = particles->id == NULL ? (uint32_t)i : particles->id[i];
        memcpy(out->tint, particles->tint == NULL ? plain : particles->tint + 4 * (size_t)i, sizeof(out->tint));
        out->mark = (id << 3) | (particles->soil == NULL ? 0U : particles->soil[i] & 7U);
        grain_stand_at(&stand, p, id, out->stand);
    }
    grains->count[0] = front;
    grains->count[1] = n - front;
    send(grains, n);
}

/// Where the attributes of instances begin in their buffer.
static void point_at_instances(const Grains *grains, int first)
{
    GLsizei stride = (GLsizei)sizeof(GrainInstance);
    size_t base = (size_t)first * sizeof(GrainInstance);
    glBindBuffer(GL_ARRAY_BUFFER, grains->instances);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, (const void *)(base + offsetof(GrainInstance, xyzr)));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, stride, (const void *)(base + offsetof(GrainInstance, mark)));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)(base + offsetof(GrainInstance, tint)));
    glVertexAttribPointer(4, 4, GL_SHORT, GL_TRUE, stride, (const void *)(base + offsetof(GrainInstance, stand)));
}

static void use_program(const struct GrainProgram *program, const SceneParams *scene)
{
    float colors[SOILS][4] = {{0.0f}}, shapes[SOILS][4] = {{0.0f}};
    for (int soil = 0; soil < scene->soil_count && soil < SOILS; soil++) {
        GrainLook look = grain_look(&scene->soils[soil]);
        const float shape[4] = {look.largest, look.decay, look.angular, look.spread};
        memcpy(colors[soil], scene->soils[soil].color_fresh, 3 * sizeof(float));
        colors[soil][3] = grain_stones(&scene->soils[soil]);
        memcpy(shapes[soil], shape, sizeof(shape));
    }
    glUseProgram(program->program);
    glUniform4fv(program->soil_color, SOILS, colors[0]);
    glUniform4fv(program->soil_shape, SOILS, shapes[0]);
}

static void draw_clusters(const Grains *grains, int level, int first, int count)
{
    if (count > 0) {
        glBindVertexArray(grains->array[level]);
        point_at_instances(grains, first);
        glDrawElementsInstanced(GL_TRIANGLES, grains->index_count[level], GL_UNSIGNED_SHORT, NULL, count);
    }
}

void grains_draw(const Grains *grains, const SceneParams *scene, bool depth, bool cut)
{
    const struct GrainProgram *program = depth ? &grains->depth : &grains->light;
    int count = grains->count[0] + grains->count[1];
    if (count == 0) {
        return;
    }
    use_program(program, scene);
    if (grains->points) {
        int parts = depth ? 1 : GRAIN_POINT_PARTS;
        glUniform1i(program->parts, parts);
        glActiveTexture(GL_TEXTURE0 + GL_UNIT_GRAINS);
        glBindTexture(GL_TEXTURE_BUFFER, grains->texture);
        glBindVertexArray(grains->array[0]);
        glEnable(GL_PROGRAM_POINT_SIZE);
        glDrawArrays(GL_POINTS, 0, parts * count);
        glDisable(GL_PROGRAM_POINT_SIZE);
        return;
    }
    glUniform1i(program->filled, cut);
    if (!cut) {
        glEnable(GL_CULL_FACE);
    }
    if (depth) {
        draw_clusters(grains, GRAIN_SHADE, 0, count);
    } else {
        draw_clusters(grains, GRAIN_NEAR, 0, grains->count[0]);
        draw_clusters(grains, GRAIN_FAR, grains->count[0], grains->count[1]);
    }
    glDisable(GL_CULL_FACE);
}
