/// Copies the meshes that pictures are drawn of into those of a model.
#include "trainer/app/machine_drawing.h"

#include <stdlib.h>
#include <string.h>

#include "render/render.h"

static RenderShapeKind kind_of(ModelPartKind kind)
{
    static const RenderShapeKind kinds[] = {[MODEL_BODY] = RENDER_SHAPE_BODY,
                                            [MODEL_BELT] = RENDER_SHAPE_BELT,
                                            [MODEL_BARREL] = RENDER_SHAPE_BARREL,
                                            [MODEL_ROD] = RENDER_SHAPE_ROD,
                                            [MODEL_BAR] = RENDER_SHAPE_BAR};
    return kinds[kind];
}

/// False when memory runs out.
static bool copy_mesh(const Mesh *from, ModelMesh *to)
{
    *to = (ModelMesh){.vertices = calloc((size_t)from->vertex_count + 1, sizeof *to->vertices),
                      .indices = calloc((size_t)from->index_count + 1, sizeof *to->indices)};
    if (to->vertices == NULL || to->indices == NULL) {
        free(to->vertices);
        free(to->indices);
        *to = (ModelMesh){0};
        return false;
    }
    to->vertex_count = from->vertex_count;
    to->index_count = from->index_count;
    for (int k = 0; k < from->index_count; k++) {
        to->indices[k] = from->indices[k];
    }
    for (int k = 0; k < from->vertex_count; k++) {
        const MeshVertex *vertex = &from->vertices[k];
        ModelVertex *own = &to->vertices[k];
        memcpy(own->position, vertex->position, sizeof own->position);
        memcpy(own->normal, vertex->normal, sizeof own->normal);
        memcpy(own->color, vertex->color, sizeof own->color);
        own->gloss = vertex->surface[0];
        own->metal = vertex->surface[1];
    }
    return true;
}

static bool draw(void *context, const MachineParams *params, const ModelPart *part, ModelMesh *mesh)
{
    (void)context;
    const RenderShape shape = {kind_of(part->kind), part->index, part->length, part->radius};
    Mesh drawn = {0};
    bool good = render_shape_build(params, &shape, &drawn) && copy_mesh(&drawn, mesh);
    mesh_free(&drawn);
    return good;
}

const ModelPainter machine_drawing_painter = {NULL, draw};
