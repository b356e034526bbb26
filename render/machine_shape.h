/// The drawn machine as triangles, for files of other programs: its bodies, belts, cylinders and bars, each in a frame
/// of its own. Needs no OpenGL; any thread. Lengths in m.
#ifndef SPADEWORK_RENDER_MACHINE_SHAPE_H
#define SPADEWORK_RENDER_MACHINE_SHAPE_H

#include "render/meshes/mesh.h"

typedef enum RenderShapeKind {
    RENDER_SHAPE_BODY, ///< a body in its own frame; with the cab, its panes, levers and lamps where it carries them
    RENDER_SHAPE_BELT, ///< a track's shoes as they lie at the start, in the base's frame
    RENDER_SHAPE_BARREL, ///< from its base pin along x
    RENDER_SHAPE_ROD, ///< from its rod pin along x, into the barrel
    RENDER_SHAPE_BAR, ///< of a linkage, from one pin along x to the other
} RenderShapeKind;

typedef struct RenderShape {
    RenderShapeKind kind;
    int index; ///< of a body: 0 .. body_count - 1; of a belt: 0 left, 1 right
    double length, radius; ///< m, of barrel, rod and bar
} RenderShape;

/// Adds a shape to `mesh`, which the caller zero-initialises and frees with mesh_free. Triangles are counter-clockwise
/// from outside. False when memory runs out.
bool render_shape_build(const MachineParams *params, const RenderShape *shape, Mesh *mesh);

#endif
