/// Sends the meshes of machines, trucks and rocks to the GPU and draws them with the programs of solid.glsl. They share
/// programs because they share materials: painted, worn and dusty steel, rubber, glass, stone (MeshMaterial).
#include "render/models/solid.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/// Compiles a pair of programs. False with `status` set when one does not compile.
static bool create_pair(SolidProgram pair[2], const GlShaders *shaders, const char *defines, Status *status)
{
    for (int depth = 0; depth < 2; depth++) {
        char own[64];
        snprintf(own, sizeof own, "%s%s", defines, depth == 0 ? "" : "#define DEPTH\n");
        SolidProgram *out = &pair[depth];
        out->program = gl_program_create(shaders, "solid", own, status);
        if (out->program == 0) {
            return false;
        }
        out->model = glGetUniformLocation(out->program, "model");
        out->dust_color = glGetUniformLocation(out->program, "dust_color");
        out->tint = glGetUniformLocation(out->program, "tint");
        out->dirt = glGetUniformLocation(out->program, "dirt");
        out->dirt_from = glGetUniformLocation(out->program, "dirt_from");
        out->dirt_wet = glGetUniformLocation(out->program, "dirt_wet");
    }
    return true;
}

bool solid_programs_create(SolidPrograms *programs, const GlShaders *shaders, Status *status)
{
    return create_pair(programs->plain, shaders, "", status) &&
           create_pair(programs->shoes, shaders, "#define SHOES\n", status) &&
           create_pair(programs->stone, shaders, "#define STONE\n", status);
}

void solid_programs_destroy(SolidPrograms *programs)
{
    for (int depth = 0; depth < 2; depth++) {
        glDeleteProgram(programs->plain[depth].program);
        glDeleteProgram(programs->shoes[depth].program);
        glDeleteProgram(programs->stone[depth].program);
    }
    *programs = (SolidPrograms){0};
}

void solid_programs_aim(SolidPrograms *programs, vec4 planes[6])
{
    for (int depth = 0; depth < 2; depth++) {
        memcpy(programs->plain[depth].planes, planes, sizeof programs->plain[depth].planes);
        memcpy(programs->shoes[depth].planes, planes, sizeof programs->shoes[depth].planes);
        memcpy(programs->stone[depth].planes, planes, sizeof programs->stone[depth].planes);
    }
}

bool solid_sees(const SolidProgram *program, Vec3 middle, double radius)
{
    for (int k = 0; k < 6; k++) {
        const float *plane = program->planes[k];
        double away = (double)plane[0] * middle.x + (double)plane[1] * middle.y + (double)plane[2] * middle.z;
        if (away + (double)plane[3] < -radius) {
            return false;
        }
    }
    return true;
}

const SolidProgram *solid_begin(const SolidPass *pass, const SolidProgram program[2])
{
    const SolidProgram *chosen = &program[pass->depth];
    glUseProgram(chosen->program);
    glUniform4fv(chosen->dust_color, 1, pass->dust);
    glUniform4fv(chosen->tint, 1, pass->tint);
    solid_set_dirt(chosen, &(RenderDirt){.share = 0.0f}, vec3(0.0, 0.0, 0.0), 0.0);
    return chosen;
}

void solid_set_dirt(const SolidProgram *program, const RenderDirt *dirt, Vec3 from, double reach)
{
    glUniform4f(program->dirt, dirt->color[0], dirt->color[1], dirt->color[2], dirt->share);
    glUniform4f(program->dirt_from, (float)from.x, (float)from.y, (float)from.z, (float)reach);
    glUniform1f(program->dirt_wet, dirt->wet);
}

static void send_buffer(GLenum target, GLuint *buffer, size_t size, const void *data)
{
    glGenBuffers(1, buffer);
    glBindBuffer(target, *buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
}

static void find_ball(SolidMesh *mesh, const Mesh *source)
{
    float low[3], high[3];
    mesh_bounds(source, low, high);
    Vec3 a = vec3((double)low[0], (double)low[1], (double)low[2]);
    Vec3 b = vec3((double)high[0], (double)high[1], (double)high[2]);
    mesh->middle = vec3_scale(vec3_add(a, b), 0.5);
    mesh->radius = 0.5 * vec3_length(vec3_sub(b, a));
}

void solid_mesh_create(SolidMesh *mesh, Mesh *source)
{
    mesh_orient(source);
    *mesh = (SolidMesh){.count = (GLsizei)source->index_count};
    find_ball(mesh, source);
    if (source->index_count > 0) {
        glGenVertexArrays(1, &mesh->array);
        glBindVertexArray(mesh->array);
        send_buffer(GL_ARRAY_BUFFER, &mesh->vertices, sizeof(MeshVertex) * (size_t)source->vertex_count,
                    source->vertices);
        send_buffer(GL_ELEMENT_ARRAY_BUFFER, &mesh->indices, sizeof(uint32_t) * (size_t)source->index_count,
                    source->indices);
        GLsizei stride = (GLsizei)sizeof(MeshVertex);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(MeshVertex, position));
        glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(MeshVertex, normal));
        glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (const void *)offsetof(MeshVertex, color));
        glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (const void *)offsetof(MeshVertex, surface));
        for (GLuint attribute = 0; attribute < 4; attribute++) {
            glEnableVertexAttribArray(attribute);
        }
        glBindVertexArray(0);
    }
    mesh_free(source);
}

void solid_mesh_move(SolidMesh *mesh, const Mesh *source)
{
    if (mesh->count == (GLsizei)source->index_count && mesh->count > 0) {
        glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(MeshVertex) * (size_t)source->vertex_count), source->vertices,
                     GL_STREAM_DRAW);
        find_ball(mesh, source);
    }
}

void solid_meshes_destroy(SolidMesh *meshes, int count)
{
    for (int k = 0; k < count; k++) {
        glDeleteVertexArrays(1, &meshes[k].array);
        glDeleteBuffers(1, &meshes[k].vertices);
        glDeleteBuffers(1, &meshes[k].indices);
        meshes[k] = (SolidMesh){0};
    }
}

void solid_draw(const SolidProgram *program, const SolidMesh *mesh, const Pose *pose)
{
    double stretch = 0.0; // largest factor by which the pose lengthens
    for (int k = 0; k < 3; k++) {
        const Mat3 *turn = &pose->rotation;
        stretch = fmax(stretch, vec3_length(vec3(turn->m[0][k], turn->m[1][k], turn->m[2][k])));
    }
    if (mesh->count > 0 && solid_sees(program, pose_apply(pose, mesh->middle), stretch * mesh->radius)) {
        mat4 matrix;
        linear_from_pose(pose, matrix);
        glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
        glBindVertexArray(mesh->array);
        glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, NULL);
    }
}

void solid_draw_stretched(const SolidProgram *program, const SolidMesh *mesh, Vec3 origin, Vec3 axis, Vec3 side,
                          Vec3 scale)
{
    Vec3 z = vec3_unit(vec3_cross(axis, side), vec3(0.0, 0.0, 1.0));
    Vec3 y = vec3_cross(z, axis);
    Pose pose = {origin,
                 {{{axis.x * scale.x, y.x * scale.y, z.x * scale.z},
                   {axis.y * scale.x, y.y * scale.y, z.y * scale.z},
                   {axis.z * scale.x, y.z * scale.y, z.z * scale.z}}}};
    solid_draw(program, mesh, &pose);
}
