/// Objects on a site that only the renderer knows as solids: staffs that depths and heights are read from, and pipes on
/// slings.
///
/// Every function but staff_mesh needs a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_SITE_OBJECTS_H
#define SPADEWORK_RENDER_SITE_OBJECTS_H

#include "render/models/solid.h"
#include "render/render.h"

/// The staffs of a view: one mesh of all of them, in the world frame. Zero-initialise; owned by the caller, freed by
/// staff_model_destroy.
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

/// Meshes of a load: a hollow pipe, a rope, the band where a sling holds the pipe, a log, and a plate of a trench box.
typedef enum LoadPart {
    LOAD_PART_PIPE,
    LOAD_PART_ROPE,
    LOAD_PART_BAND,
    LOAD_PART_LOG,
    LOAD_PART_PLATE,
    LOAD_PART_COUNT
} LoadPart;

/// Meshes that are stretched to what each load is. Zero-initialise; owned by the caller, freed by load_model_destroy.
typedef struct LoadModel {
    SolidMesh part[LOAD_PART_COUNT];
    bool made;
} LoadModel;
void load_model_destroy(LoadModel *model);

/// Builds the meshes when there are loads to draw and none were built.
void load_model_follow(LoadModel *model, int load_count);

/// Draws the view's loads with their slings.
void load_model_draw(const LoadModel *model, const SolidPass *pass, const RenderView *view);

#endif
