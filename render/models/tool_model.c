/// Makes and draws the meshes of tools that stand on the site or hang in a hook.
#include "render/models/tool_model.h"

#include <string.h>

#include "render/meshes/machine_mesh.h"

/// The place of a tool's mesh, -1: it has none.
static int place_of(const ToolModel *model, const MachineParams *params)
{
    int place = -1;
    for (int k = 0; k < RENDER_MAX_TOOLS; k++) {
        bool same = model->params[k].body_count > 0 && memcmp(&model->params[k], params, sizeof *params) == 0;
        place = same ? k : place;
    }
    return place;
}

void tool_model_destroy(ToolModel *model)
{
    solid_meshes_destroy(model->mesh, RENDER_MAX_TOOLS);
    memset(model, 0, sizeof *model);
}

void tool_model_follow(ToolModel *model, const RenderView *view)
{
    for (int k = 0; k < view->tool_count; k++) {
        const MachineParams *params = view->tools[k].params;
        if (place_of(model, params) >= 0) {
            continue;
        }
        int place = model->next;
        model->next = (place + 1) % RENDER_MAX_TOOLS;
        solid_meshes_destroy(&model->mesh[place], 1);
        memcpy(&model->params[place], params, sizeof *params);
        Mesh mesh = {0};
        machine_mesh_body(params, params->tool[0].body, &mesh);
        solid_mesh_create(&model->mesh[place], &mesh);
    }
}

void tool_model_draw(const ToolModel *model, const SolidPass *pass, const RenderView *view)
{
    if (view->tool_count == 0) {
        return;
    }
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    for (int k = 0; k < view->tool_count; k++) {
        int place = place_of(model, view->tools[k].params);
        if (place >= 0) {
            solid_draw(program, &model->mesh[place], &view->tools[k].frame);
        }
    }
}
