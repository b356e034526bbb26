/// A machine on the GPU: meshes of its bodies, its belts' shoes, its cylinders and bars.
#ifndef SPADEWORK_RENDER_MACHINE_MODEL_H
#define SPADEWORK_RENDER_MACHINE_MODEL_H

#include "render/scene/camera.h"
#include "render/gpu/gl.h"
#include "render/models/machine_mesh.h"

/// Programs for everything made of plates and bars.
typedef struct SolidShared {
    struct SolidProgram {
        GLuint program;
        GLint model, dust_color;
    } plain, plain_depth, shoes, shoes_depth;
} SolidShared;
bool solid_shared_create(SolidShared *shared, const char *shader_folder, Status *status);
void solid_shared_destroy(SolidShared *shared);

typedef struct MachineModel {
    GlMesh body[MACHINE_MAX_BODIES], cab, glass, shoe, barrel, rod, bar, eye;
    GLuint shoe_places; ///< buffer: place of every shoe of one belt
    TrackPath path;
} MachineModel;
void machine_model_create(MachineModel *model, const MachineParams *params);
void machine_model_destroy(MachineModel *model);

/// `dust`: linear colour and share of the dust on the machine.
void machine_model_draw(const MachineModel *model, const SolidShared *shared, const RenderView *view,
                        const float dust[4], bool depth);
/// The cab's panes; to be drawn after everything opaque.
void machine_model_draw_glass(const MachineModel *model, const SolidShared *shared, const RenderView *view,
                              const float dust[4]);

#endif
