#include "render/scene/rock_meshes.h"

#include <stdlib.h>
#include <string.h>

/// Grey to brown, as stones of one quarry; hardly any gloss, dust where they look up.
static MeshMaterial stone_of(int shape)
{
    static const uint8_t tones[4][3] = {{134, 128, 118}, {118, 115, 110}, {146, 134, 117}, {125, 117, 104}};
    const uint8_t *tone = tones[shape % 4];
    return (MeshMaterial){{tone[0], tone[1], tone[2], 255}, {18, 0, 105, 0}};
}

static void build_mesh(const RenderRockShape *shape, int index, GlMesh *out)
{
    Mesh mesh = {0};
    MeshMaterial stone = stone_of(index);
    mesh.vertices = malloc((size_t)shape->triangle_count * 3 * sizeof *mesh.vertices);
    mesh.indices = malloc((size_t)shape->triangle_count * 3 * sizeof *mesh.indices);
    if (mesh.vertices == NULL || mesh.indices == NULL) {
        mesh_free(&mesh);
        return;
    }
    for (int k = 0; k < shape->triangle_count * 3; k++) {
        MeshVertex *vertex = &mesh.vertices[k];
        memcpy(vertex->position, shape->triangle[k / 3][k % 3], sizeof vertex->position);
        memcpy(vertex->normal, shape->normal[k / 3], sizeof vertex->normal);
        memcpy(vertex->color, stone.color, sizeof vertex->color);
        memcpy(vertex->surface, stone.surface, sizeof vertex->surface);
        mesh.indices[k] = (uint32_t)k;
    }
    mesh.vertex_count = mesh.index_count = shape->triangle_count * 3;
    gl_mesh_create(out, &mesh);
    mesh_free(&mesh);
}

void rock_meshes_destroy(RockMeshes *meshes)
{
    for (int k = 0; k < meshes->count; k++) {
        gl_mesh_destroy(&meshes->mesh[k]);
    }
    memset(meshes, 0, sizeof *meshes);
}

void rock_meshes_follow(RockMeshes *meshes, const RenderRocks *rocks)
{
    size_t size = (size_t)rocks->shape_count * sizeof *rocks->shapes;
    if (meshes->count == rocks->shape_count && (size == 0 || memcmp(meshes->shape, rocks->shapes, size) == 0)) {
        return;
    }
    rock_meshes_destroy(meshes);
    meshes->count = rocks->shape_count;
    if (size > 0) {
        memcpy(meshes->shape, rocks->shapes, size);
    }
    for (int k = 0; k < meshes->count; k++) {
        build_mesh(&meshes->shape[k], k, &meshes->mesh[k]);
    }
}

void rock_meshes_draw(const RockMeshes *meshes, const SolidShared *shared, const RenderRocks *rocks,
                      const float dust[4], bool depth)
{
    const struct SolidProgram *program = depth ? &shared->plain_depth : &shared->plain;
    if (rocks->count == 0) {
        return;
    }
    glUseProgram(program->program);
    glUniform4fv(program->dust_color, 1, dust);
    for (int k = 0; k < rocks->count; k++) {
        mat4 matrix;
        camera_pose_matrix(&rocks->rocks[k].frame, matrix);
        glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
        gl_mesh_draw(&meshes->mesh[rocks->rocks[k].shape]);
    }
}
