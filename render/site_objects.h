/// The staffs of a view on the GPU: one mesh of all of them, in the world's frame.
///
/// Every function but staff_mesh needs a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_STAFF_MODEL_H
#define SPADEWORK_RENDER_STAFF_MODEL_H

#include "render/models/solid.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by staff_model_destroy.
typedef struct StaffModel {
    int count; ///< of what the mesh is made of
    RenderStaff staffs[RENDER_MAX_STAFFS]; ///< own copies
    SolidMesh mesh;
} StaffModel;
void staff_model_destroy(StaffModel *model);

/// Builds the mesh anew when the view's staffs are others.
void staff_model_follow(StaffModel *model, const RenderView *view);
/// Draws them.
void staff_model_draw(const StaffModel *model, const SolidPass *pass);

/// Adds a staff's mesh. Pure.
void staff_mesh(const RenderStaff *staff, Mesh *mesh);

#endif
