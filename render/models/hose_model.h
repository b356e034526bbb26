/// The hoses of a machine on the GPU, bent anew for each frame.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_HOSE_MODEL_H
#define SPADEWORK_RENDER_HOSE_MODEL_H

#include "render/meshes/fittings.h"
#include "render/models/solid.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by hose_model_destroy.
typedef struct HoseModel {
    int count;
    Hose hose[HOSES_MAX];
    int points, segments; ///< of a hose, around it
    Mesh bent; ///< of all hoses in the world's frame; keeps its memory
    SolidMesh mesh;
} HoseModel;
void hose_model_destroy(HoseModel *model);

/// Makes the hoses of a machine. `plain`: at low quality, of fewer triangles.
void hose_model_make(HoseModel *model, const MachineParams *params, bool plain);
/// Bends them between the bodies (frames in the world) and the cylinders of a machine.
void hose_model_bend(HoseModel *model, const MachineParams *params, const Pose *body, const RenderStrut *struts,
                     int strut_count);
/// Draws them as they were bent last.
void hose_model_draw(const HoseModel *model, const SolidProgram *program);

#endif
