/// Draws soil particles as clusters of grains, one instance of a cluster's mesh a particle; the shader sizes, places,
/// dents and turns each grain by its number and the particle's. Particles seen larger than a few pixels have many
/// grains, the others few. At low quality grains are points, a fixed number for each particle, which reads its
/// instance from a texture: what draws in software spends microseconds on every instance.
#include "render/grains.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "render/soil_look.h"

/// ---- clusters ------------------------------------------------------------------------------------------------------

// Clusters are put together from three shapes: a split icosahedron for the largest part, icosahedra, and octahedra for
// the many small ones.

enum { SHAPE_POINTS = 42, SHAPE_TRIANGLES = 80, ROUND_PARTS = 5 /* of a near cluster: finer than octahedra */ };

typedef struct Shape {
    int point_count, triangle_count;
    float points[SHAPE_POINTS][3]; ///< unit
    uint8_t triangles[SHAPE_TRIANGLES][3];
} Shape;

static void octahedron(Shape *shape)
{
    static const float points[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint8_t triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    shape->point_count = 6;
    shape->triangle_count = 8;
    memcpy(shape->points, points, sizeof(points));
    memcpy(shape->triangles, triangles, sizeof(triangles));
}

static void icosahedron(Shape *shape)
{
    static const uint8_t triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                             {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                             {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                             {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const float g = 0.85065081f, s = 0.52573111f; // golden rectangle's corners on the unit sphere
    const float points[12][3] = {{-s, g, 0},  {s, g, 0},  {-s, -g, 0}, {s, -g, 0}, {0, -s, g},  {0, s, g},
                                 {0, -s, -g}, {0, s, -g}, {g, 0, -s},  {g, 0, s},  {-g, 0, -s}, {-g, 0, s}};
    shape->point_count = 12;
    shape->triangle_count = 20;
    memcpy(shape->points, points, sizeof(points));
    memcpy(shape->triangles, triangles, sizeof(triangles));
}

/// Returns the number of the point of the sphere between a and b, which is added unless it is there.
static uint8_t midpoint(Shape *shape, int a, int b)
{
    float p[3], length = 0.0f;
    for (int k = 0; k < 3; k++) {
        p[k] = shape->points[a][k] + shape->points[b][k];
        length += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++) {
        p[k] /= sqrtf(length);
    }
    for (int i = 12; i < shape->point_count; i++) {
        const float *q = shape->points[i];
        if (fabsf(q[0] - p[0]) + fabsf(q[1] - p[1]) + fabsf(q[2] - p[2]) < 1e-4f) {
            return (uint8_t)i;
        }
    }
    memcpy(shape->points[shape->point_count], p, sizeof(p));
    return (uint8_t)shape->point_count++;
}

static void split_icosahedron(Shape *shape)
{
    Shape whole;
    icosahedron(&whole);
    *shape = whole;
    shape->triangle_count = 0;
    for (int f = 0; f < whole.triangle_count; f++) {
        uint8_t a = whole.triangles[f][0], b = whole.triangles[f][1], c = whole.triangles[f][2];
        uint8_t ab = midpoint(shape, a, b), bc = midpoint(shape, b, c), ca = midpoint(shape, c, a);
        const uint8_t split[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
        memcpy(shape->triangles[shape->triangle_count], split, sizeof(split));
        shape->triangle_count += 4;
    }
}

void grain_place(int part, float place[3])
{
    // Roberts' R2 sequence: no gaps and no clusters, however many of its points are taken.
    double a = fmod(0.5 + 0.7548776662466927 * part, 1.0), b = fmod(0.5 + 0.5698402909980532 * part, 1.0);
    double z = 1.0 - 2.0 * a, side = sqrt(1.0 - z * z);
    place[0] = (float)(side * cos(2.0 * M_PI * b));
    place[1] = (float)(side * sin(2.0 * M_PI * b));
    place[2] = (float)z;
}

int grain_parts(int level)
{
    return level == GRAIN_NEAR ? GRAIN_NEAR_PARTS : level == GRAIN_FAR ? GRAIN_FAR_PARTS : 1;
}

static void add_part(GrainMesh *mesh, const Shape *shape, int part)
{
    int first = mesh->vertex_count;
    GrainVertex vertex = {.part = (float)part};
    grain_place(part, vertex.place);
    for (int k = 0; k < shape->point_count; k++) {
        memcpy(vertex.direction, shape->points[k], sizeof(vertex.direction));
        mesh->vertices[mesh->vertex_count++] = vertex;
    }
    for (int k = 0; k < 3 * shape->triangle_count; k++) {
        mesh->indices[mesh->index_count++] = (uint16_t)(first + shape->triangles[k / 3][k % 3]);
    }
}

void grain_mesh(int level, GrainMesh *mesh)
{
    Shape fine, middle, coarse;
    split_icosahedron(&fine);
    icosahedron(&middle);
    octahedron(&coarse);
    mesh->vertex_count = mesh->index_count = 0;
    add_part(mesh, level == GRAIN_NEAR ? &fine : &middle, 0);
    for (int part = 1; part < grain_parts(level); part++) {
        add_part(mesh, level == GRAIN_NEAR && part < ROUND_PARTS ? &middle : &coarse, part);
    }
}

int grain_mesh_small(int parts, int round, int again, GrainMesh *mesh)
{
    Shape fine, coarse;
    octahedron(&coarse);
    icosahedron(&fine);
    mesh->vertex_count = mesh->index_count = 0;
    for (int part = 0; part < parts; part++) {
        add_part(mesh, part < round ? &fine : &coarse, part);
    }
    int whole = mesh->index_count;
    for (int part = 0; part < again; part++) {
        add_part(mesh, &coarse, part);
    }
    return whole;
}

/// ---- stand ---------------------------------------------------------------------------------------------------------

// A particle has no spin: solvers move spheres that do not turn. Its cluster is turned by where it is, so that it
// tumbles on its way and lies still where it lies still, without anything kept from one frame to the next.

/// The middle of a tool's inside (m, in the frame of its body), and how far its corners are from it.
static Vec3 inside_middle(const ToolShape *shape, double *reach)
{
    Vec3 middle = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < shape->inside_count; k++) {
        middle = vec3_add(
            middle, vec3(shape->inside[k][0] / shape->inside_count, 0.0, shape->inside[k][1] / shape->inside_count));
    }
    *reach = 0.0;
    for (int k = 0; k < shape->inside_count; k++) {
        Vec3 corner = vec3(shape->inside[k][0], 0.5 * shape->inside_width, shape->inside[k][1]);
        *reach = fmax(*reach, vec3_length(vec3_sub(corner, middle)));
    }
    return middle;
}

void grain_stand_find(GrainStand *stand, const RenderView *view)
{
    *stand = (GrainStand){.ground = view->grid_count > 0 && view->grids[0].height != NULL ? &view->grids[0] : NULL};
    if (stand->ground != NULL) {
        stand->heading[0] = (float)cos(stand->ground->heading);
        stand->heading[1] = (float)sin(stand->ground->heading);
    }
    const MachineToolParams *tool = view->machine != NULL ? &view->machine->tool[0] : NULL;
    // Soil rolls before a blade; in a bucket it lies.
    if (tool == NULL || tool->shape.inside_count == 0 || view->machine->type == MACHINE_DOZER) {
        return;
    }
    double reach = 0.0;
    const Pose *pose = &view->body[tool->body];
    stand->holds = true;
    linear_from_vec3(pose_apply(pose, inside_middle(&tool->shape, &reach)), stand->middle);
    stand->reach = (float)reach;
    mat4 frame;
    linear_from_pose(pose, frame);
    glm_mat4_quat(frame, stand->turn);
    glm_mat4_inv_fast(frame, stand->to_tool);
}

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/// -1..1, from ten bits of a number.
static float part_of(uint32_t number, int shift)
{
    return (float)(number >> shift & 1023U) / 511.5f - 1.0f;
}

/// The turn of a particle at a place (m, in the frame that it moves in).
static void tumble(uint32_t id, const float place[3], versor turn)
{
    uint32_t first = scramble(id), second = scramble(first);
    FloatVec3 axis = {part_of(first, 0), part_of(first, 10), part_of(first, 20) + 0.01f};
    float way = part_of(second, 0) * place[0] + part_of(second, 10) * place[1] + part_of(second, 20) * place[2];
    glm_quatv(turn, part_of(first, 5) * (float)M_PI + way / GRAIN_ROLL, axis);
}

static float fade(float low, float high, float value)
{
    float share = (value - low) / (high - low);
    share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
    return share * share * (3.0f - 2.0f * share);
}

/// How far a particle has settled onto the ground's column under it.
static float settled(const GrainStand *stand, const float xyzr[4])
{
    const RenderGrid *grid = stand->ground;
    if (grid == NULL) {
        return 0.0f;
    }
    float dx = xyzr[0] - (float)grid->x, dy = xyzr[1] - (float)grid->y, c = stand->heading[0], s = stand->heading[1];
    float column = (c * dx + s * dy - (float)grid->origin_x) / (float)grid->spacing;
    float row = (c * dy - s * dx - (float)grid->origin_y) / (float)grid->spacing;
    if (!(column >= 0.0f && row >= 0.0f && column <= (float)(grid->columns - 1) && row <= (float)(grid->rows - 1))) {
        return 0.0f;
    }
    float height = grid->height[(size_t)lrintf(row) * (size_t)grid->columns + (size_t)lrintf(column)];
    return 1.0f - fade(1.0f, 2.4f, (xyzr[2] - height) / fmaxf(xyzr[3], 1e-3f));
}

void grain_stand_at(const GrainStand *stand, const float xyzr[4], uint32_t id, int16_t out[4])
{
    versor turn = GLM_QUAT_IDENTITY_INIT, carried;
    float held = 0.0f;
    if (stand->holds) {
        float away = glm_vec3_distance((float *)stand->middle, (float *)xyzr);
        held = 1.0f - fade(stand->reach, 1.25f * stand->reach, away);
    }
    if (held < 1.0f) {
        tumble(id, xyzr, turn);
    }
    if (held > 0.0f) {
        FloatVec3 local;
        versor own;
        glm_mat4_mulv3((vec4 *)stand->to_tool, (float *)xyzr, 1.0f, local);
        tumble(id, local, own);
        glm_quat_mul((float *)stand->turn, own, carried);
        if (held < 1.0f) {
            glm_quat_nlerp(turn, carried, held, turn);
        } else {
            glm_quat_copy(carried, turn);
        }
    }
    float scale = (turn[3] < 0.0f ? -32767.0f : 32767.0f) / fmaxf(glm_quat_norm(turn), 1e-6f);
    for (int k = 0; k < 3; k++) {
        out[k] = (int16_t)lrintf(turn[k] * scale);
    }
    out[3] = (int16_t)lrintf(settled(stand, xyzr) * 32767.0f);
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

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

/// Makes room for `count` instances; false when memory is short.
static bool reserve_instances(Grains *grains, int count)
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

/// Sends the first `count` instances of the scratch.
static void send_instances(Grains *grains, int count)
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
    if (n <= 0 || particles->xyzr == NULL || !reserve_instances(grains, n)) {
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
    send_instances(grains, n);
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

void grains_aim_looks(GLint soil_color, GLint soil_shape, const SceneParams *scene)
{
    float colors[SOILS][4] = {{0.0f}}, shapes[SOILS][4] = {{0.0f}};
    for (int soil = 0; soil < scene->soil_count && soil < SOILS; soil++) {
        GrainLook look = grain_look(&scene->soils[soil]);
        const float shape[4] = {look.largest, look.decay, look.angular, look.spread};
        memcpy(colors[soil], scene->soils[soil].color_fresh, 3 * sizeof(float));
        colors[soil][3] = soil_look(&scene->soils[soil]).stones;
        memcpy(shapes[soil], shape, sizeof(shape));
    }
    glUniform4fv(soil_color, SOILS, colors[0]);
    glUniform4fv(soil_shape, SOILS, shapes[0]);
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
    glUseProgram(program->program);
    grains_aim_looks(program->soil_color, program->soil_shape, scene);
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
