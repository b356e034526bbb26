/// Draws rocks: convex hulls with flat faces, as broken stone has them. Several rocks share a shape, so the meshes
/// belong to shapes and are kept until the shapes change (another scene).
#include "render/models/rock_model.h"

#include <string.h>

/// Grey to brown, as stones of one quarry; hardly any gloss, dust where they look up. Chosen; see `--shot` of boulders.
static MeshMaterial stone_of(int shape)
{
    static const uint8_t tones[4][3] = {{134, 128, 118}, {118, 115, 110}, {146, 134, 117}, {125, 117, 104}};
    const uint8_t *tone = tones[shape % 4];
    return (MeshMaterial){{tone[0], tone[1], tone[2], 255}, {18, 0, 105, 0}};
}

void rock_model_destroy(RockModel *model)
{
    solid_meshes_destroy(model->mesh, model->count);
    memset(model, 0, sizeof(*model));
}

void rock_model_follow(RockModel *model, const RenderRocks *rocks)
{
    size_t size = (size_t)rocks->shape_count * sizeof(*rocks->shapes);
    if (model->count == rocks->shape_count && (size == 0 || memcmp(model->shape, rocks->shapes, size) == 0)) {
        return;
    }
    rock_model_destroy(model);
    model->count = rocks->shape_count;
    if (size > 0) {
        memcpy(model->shape, rocks->shapes, size);
    }
    for (int k = 0; k < model->count; k++) {
        const RenderRockShape *shape = &model->shape[k];
        MeshMaterial stone = stone_of(k);
        Mesh mesh = {0};
        for (int face = 0; face < shape->triangle_count; face++) {
            mesh_triangle(&mesh, shape->triangle[face], shape->normal[face], &stone);
        }
        solid_mesh_create(&model->mesh[k], &mesh);
    }
}

void rock_model_draw(const RockModel *model, const SolidPass *pass, const RenderRocks *rocks)
{
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    for (int k = 0; k < rocks->count; k++) {
        solid_draw(program, &model->mesh[rocks->rocks[k].shape], &rocks->rocks[k].frame);
    }
}
