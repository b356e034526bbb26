/// Draws soil particles as low spheres, an icosahedron or its split, one instance a particle; the shader dents and
/// turns each by its id, so that no two look alike. Particles seen larger than a few pixels are drawn fine, the others
/// coarse. At low quality each is a point that the shader lights as a ball: what draws in software spends microseconds
/// on every instance.
#include "render/scene/particle_spheres.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double fine_pixels = 7.0; ///< a sphere whose radius covers more is drawn fine; chosen by eye

/// Returns the number of the point of the sphere between a and b, which is added unless it is there.
static int midpoint(float (*points)[3], int *count, int a, int b)
{
    float p[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        p[k] = points[a][k] + points[b][k];
        length += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++) {
        p[k] /= sqrtf(length);
    }
    for (int i = 12; i < *count; i++) {
        if (fabsf(points[i][0] - p[0]) + fabsf(points[i][1] - p[1]) + fabsf(points[i][2] - p[2]) < 1e-4f) {
            return i;
        }
    }
    memcpy(points[*count], p, sizeof(p));
    return (*count)++;
}

int sphere_mesh(int splits, float (*points)[3], int *point_count, uint16_t (*triangles)[3])
{
    static const uint16_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                          {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                          {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                          {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const float g = 0.85065081f, s = 0.52573111f; // golden rectangle's corners on the unit sphere
    const float corners[12][3] = {{-s, g, 0},  {s, g, 0},  {-s, -g, 0}, {s, -g, 0}, {0, -s, g},  {0, s, g},
                                  {0, -s, -g}, {0, s, -g}, {g, 0, -s},  {g, 0, s},  {-g, 0, -s}, {-g, 0, s}};
    memcpy(points, corners, sizeof(corners));
    *point_count = 12;
    if (splits == 0) {
        memcpy(triangles, faces, sizeof(faces));
        return 20;
    }
    int count = 0;
    for (int f = 0; f < 20; f++) {
        int a = faces[f][0], b = faces[f][1], c = faces[f][2];
        int ab = midpoint(points, point_count, a, b), bc = midpoint(points, point_count, b, c);
        int ca = midpoint(points, point_count, c, a);
        const int split[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
        for (int k = 0; k < 4; k++, count++) {
            for (int m = 0; m < 3; m++) {
                triangles[count][m] = (uint16_t)split[k][m];
            }
        }
    }
    return count;
}

static void create_mesh(ParticleSpheres *spheres, int kind)
{
    float points[42][3];
    uint16_t triangles[80][3];
    int point_count = 0, count = sphere_mesh(kind == 0 ? 1 : 0, points, &point_count, triangles);
    glGenVertexArrays(1, &spheres->array[kind]);
    glGenBuffers(1, &spheres->vertices[kind]);
    glGenBuffers(1, &spheres->triangles[kind]);
    glBindVertexArray(spheres->array[kind]);
    glBindBuffer(GL_ARRAY_BUFFER, spheres->vertices[kind]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(points[0]) * point_count, points, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, spheres->triangles[kind]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(triangles[0]) * count, triangles, GL_STATIC_DRAW);
    for (GLuint attribute = 1; attribute < 4; attribute++) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribDivisor(attribute, 1);
    }
    glBindVertexArray(0);
}

/// Grains as points: what the instances are is one vertex each.
static void create_points(ParticleSpheres *spheres)
{
    glGenVertexArrays(1, &spheres->array[0]);
    glBindVertexArray(spheres->array[0]);
    for (GLuint attribute = 1; attribute < 4; attribute++) {
        glEnableVertexAttribArray(attribute);
    }
    glBindVertexArray(0);
}

bool particle_spheres_create(ParticleSpheres *spheres, bool points, const GlShaders *shaders, Status *status)
{
    spheres->points = points;
    spheres->program = gl_program_create(shaders, "particle", "", status);
    spheres->depth_program =
        spheres->program == 0 ? 0 : gl_program_create(shaders, "particle", "#define DEPTH\n", status);
    if (spheres->depth_program == 0) {
        return false;
    }
    spheres->soil_color = glGetUniformLocation(spheres->program, "soil_color");
    glGenBuffers(1, &spheres->instances);
    if (points) {
        create_points(spheres);
    } else {
        create_mesh(spheres, 0);
        create_mesh(spheres, 1);
    }
    return true;
}

void particle_spheres_destroy(ParticleSpheres *spheres)
{
    glDeleteProgram(spheres->program);
    glDeleteProgram(spheres->depth_program);
    glDeleteVertexArrays(2, spheres->array);
    glDeleteBuffers(2, spheres->vertices);
    glDeleteBuffers(2, spheres->triangles);
    glDeleteBuffers(1, &spheres->instances);
    free(spheres->scratch);
    *spheres = (ParticleSpheres){0};
}

static bool reserve(ParticleSpheres *spheres, int count)
{
    if (count <= spheres->capacity) {
        return true;
    }
    int capacity = count + count / 2;
    SphereInstance *grown = realloc(spheres->scratch, sizeof(SphereInstance) * (size_t)capacity);
    if (grown == NULL) {
        return false;
    }
    spheres->scratch = grown;
    spheres->capacity = capacity;
    return true;
}

void particle_spheres_update(ParticleSpheres *spheres, const RenderParticles *particles, const float eye[3],
                             double pixels_per_radian)
{
    int n = particles->count;
    spheres->count[0] = spheres->count[1] = 0;
    if (n <= 0 || particles->xyzr == NULL || !reserve(spheres, n)) {
        return;
    }
    static const uint8_t plain[4] = {0};
    int front = 0, back = n;
    float fine_reach = (float)(pixels_per_radian / fine_pixels); // m of distance for each m of radius
    for (int i = 0; i < n; i++) {
        const float *p = particles->xyzr + 4 * (size_t)i;
        float dx = p[0] - eye[0], dy = p[1] - eye[1], dz = p[2] - eye[2];
        float reach = p[3] * fine_reach;
        bool fine = spheres->points || dx * dx + dy * dy + dz * dz < reach * reach;
        SphereInstance *out = &spheres->scratch[fine ? front++ : --back];
        memcpy(out->xyzr, p, sizeof(out->xyzr));
        uint32_t id = particles->id == NULL ? (uint32_t)i : particles->id[i];
        memcpy(out->tint, particles->tint == NULL ? plain : particles->tint + 4 * (size_t)i, sizeof(out->tint));
        out->mark = (id << 3) | (particles->soil == NULL ? 0U : particles->soil[i] & 7U);
    }
    spheres->count[0] = front;
    spheres->count[1] = n - front;
    GLsizeiptr size = (GLsizeiptr)sizeof(SphereInstance) * n;
    glBindBuffer(GL_ARRAY_BUFFER, spheres->instances);
    if (size > spheres->buffer_size) {
        spheres->buffer_size = (GLsizeiptr)sizeof(SphereInstance) * spheres->capacity;
    }
    glBufferData(GL_ARRAY_BUFFER, spheres->buffer_size, NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, size, spheres->scratch);
}

/// Where the attributes of instances, or points, begin in their buffer.
static void point_at_instances(const ParticleSpheres *spheres, size_t base)
{
    GLsizei stride = (GLsizei)sizeof(SphereInstance);
    glBindBuffer(GL_ARRAY_BUFFER, spheres->instances);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, (const void *)(base + offsetof(SphereInstance, xyzr)));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, stride, (const void *)(base + offsetof(SphereInstance, mark)));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)(base + offsetof(SphereInstance, tint)));
}

void particle_spheres_draw(const ParticleSpheres *spheres, const SceneParams *scene, bool depth)
{
    glUseProgram(depth ? spheres->depth_program : spheres->program);
    if (!depth) {
        float colors[8][4] = {{0.0f}};
        for (int soil = 0; soil < scene->soil_count && soil < 8; soil++) {
            memcpy(colors[soil], scene->soils[soil].color_fresh, 3 * sizeof(float));
        }
        glUniform4fv(spheres->soil_color, 8, colors[0]);
    }
    size_t first = 0;
    for (int kind = 0; kind < 2; kind++) {
        int count = spheres->count[kind];
        if (count > 0) {
            glBindVertexArray(spheres->array[kind]);
            point_at_instances(spheres, first * sizeof(SphereInstance));
        }
        if (count > 0 && spheres->points) {
            glEnable(GL_PROGRAM_POINT_SIZE);
            glDrawArrays(GL_POINTS, 0, count);
            glDisable(GL_PROGRAM_POINT_SIZE);
        } else if (count > 0) {
            glDrawElementsInstanced(GL_TRIANGLES, 3 * (kind == 0 ? SPHERE_FINE_TRIANGLES : SPHERE_COARSE_TRIANGLES),
                                    GL_UNSIGNED_SHORT, NULL, count);
        }
        first += (size_t)count;
    }
}
