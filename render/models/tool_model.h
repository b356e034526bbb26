/// Tools that no machine holds, on the GPU: a mesh each, made when a view first has the tool. Every function needs a
/// current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_TOOL_MODEL_H
#define SPADEWORK_RENDER_TOOL_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

/// The meshes of tools that were seen so far; of more the oldest one is made anew.
typedef struct ToolModel {
    MachineParams params[RENDER_MAX_TOOLS]; ///< own copies; without bodies: there is no mesh
    SolidMesh mesh[RENDER_MAX_TOOLS];
    int next; ///< the place of the next mesh
} ToolModel;
void tool_model_destroy(ToolModel *model);

/// Makes the meshes of tools that the view has and the model has not.
void tool_model_follow(ToolModel *model, const RenderView *view);
/// Draws the tools of the view.
void tool_model_draw(const ToolModel *model, const SolidPass *pass, const RenderView *view);

#endif
