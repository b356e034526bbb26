/// A machine on the GPU: meshes of its bodies, its cab, its belts' shoes, its cylinders, bars and hoses.
///
/// Every function that makes, bends, draws or destroys needs a current OpenGL 3.3 core context and must be called from
/// the thread that it is current on.
#ifndef SPADEWORK_RENDER_MACHINE_MODEL_H
#define SPADEWORK_RENDER_MACHINE_MODEL_H

#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"
#include "render/models/solid.h"
#include "render/render.h"

/// The meshes of a machine: one a body (MachineParams.body), then these.
enum {
    MACHINE_PART_CAB = MACHINE_MAX_BODIES,
    MACHINE_PART_GLASS,
    MACHINE_PART_SHOE,
    MACHINE_PART_PLAIN_SHOE, ///< for shadows and low quality
    MACHINE_PART_BARREL, ///< this and the next three: 1 m along x, of radius 1, stretched to each strut
    MACHINE_PART_ROD,
    MACHINE_PART_BAR,
    MACHINE_PART_EYE,
    MACHINE_PART_JOYSTICK,
    MACHINE_PART_TRAVEL_LEVER,
    MACHINE_PART_LENS, ///< of a lamp, dark; and the next: lit
    MACHINE_PART_LENS_LIT,
    MACHINE_PART_COUNT
};

/// The hoses of a machine, bent anew for each frame.
typedef struct HoseModel {
    int count;
    Hose hose[HOSES_MAX];
    int points, segments; ///< of a hose, around it
    Mesh bent; ///< of all hoses in the world's frame; keeps its memory
    SolidMesh mesh;
} HoseModel;

/// Zero-initialise; owned by the caller, freed by machine_model_destroy.
typedef struct MachineModel {
    bool made; ///< of `params`
    MachineParams params; ///< own copy
    SolidMesh part[MACHINE_PART_COUNT];
    GLuint shoe_places; ///< buffer: place of every shoe of one belt
    TrackPath path;
    HoseModel hoses;
} MachineModel;
void machine_model_destroy(MachineModel *model);

/// Rebuilds the meshes when they are not those of `params`; NULL = there is no machine.
void machine_model_follow(MachineModel *model, const MachineParams *params);

/// How a machine stands; borrowed.
typedef struct MachineStand {
    const MachineParams *params; ///< NULL: there is none
    const Pose *body;
    const double *track_travel;
    int strut_count;
    const RenderStrut *struts;
    const double *levers; ///< [CONTROL_COUNT], -1..1, that the cab's levers show; NULL: they are not drawn
    const char *pattern; ///< of the joysticks, as in RenderHud
    const RenderDirt *dirt; ///< [RENDER_DIRT_PARTS]; NULL: the machine is clean
    bool without_cab; ///< neither the cab nor the body that carries it is drawn: the camera is in it
} MachineStand;
MachineStand machine_stand_of_view(const RenderView *view);
MachineStand machine_stand_of_ghost(const RenderView *view, bool without_cab);

/// Bends the hoses of a machine for the pictures of a frame, if there is a machine. Before the first call hoses are not
/// drawn.
/// plain  at low quality
void machine_model_bend(MachineModel *model, const MachineStand *stand, bool plain);

/// Draws a machine with its struts and belts, if there is one.
void machine_model_draw(const MachineModel *model, const SolidPass *pass, const MachineStand *stand);
/// Draws a machine blue and half transparent, after everything opaque; only its nearest surface is visible.
void machine_model_draw_ghost(const MachineModel *model, const SolidPass *pass, const MachineStand *stand);

/// Draws the cab's panes, if there is a machine; call it after everything opaque is drawn.
void machine_model_draw_glass(const MachineModel *model, const SolidPass *pass, const RenderView *view);

#endif
