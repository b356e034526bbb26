/// A machine as a model for other programs: URDF (Unified Robot Description Format, as ROS, Gazebo and MuJoCo read it)
/// and binary glTF 2.0 (Khronos; Blender, web pages). Both have the machine's own frames, joint angles, masses and
/// limits (docs/machine-model.md, "Models for other programs"), so that angles of the telemetry can be used unchanged.
#ifndef SPADEWORK_TRAINER_MODEL_H
#define SPADEWORK_TRAINER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "data/schema/machine_params.h"

/// ---- drawing -------------------------------------------------------------------------------------------------------

/// Reports know no drawing: who has the meshes of pictures gives a painter.

typedef enum ModelPartKind {
    MODEL_BODY, ///< a body in its own frame, with its cab
    MODEL_BELT, ///< a track's shoes, in the base's frame
    MODEL_BARREL, ///< of a cylinder: from its base pin along x
    MODEL_ROD, ///< of a cylinder: from its rod pin along x, into the barrel
    MODEL_BAR, ///< of a linkage: from one pin along x to the other
} ModelPartKind;

typedef struct ModelPart {
    ModelPartKind kind;
    int index; ///< of a body: 0 .. body_count - 1; of a belt: 0 left, 1 right
    double length, radius; ///< m, of barrel, rod and bar
} ModelPart;

typedef struct ModelVertex {
    float position[3]; ///< m
    float normal[3]; ///< ratio: unit vector
    uint8_t color[4]; ///< sRGB, and opacity
    uint8_t gloss, metal; ///< 0..255
} ModelVertex;

/// Triangles, counter-clockwise from outside. Both arrays are freed by free().
typedef struct ModelMesh {
    ModelVertex *vertices;
    uint32_t *indices; ///< three a triangle
    int vertex_count, index_count;
} ModelMesh;

typedef struct ModelPainter {
    void *context;
    /// Writes a part's mesh; false when memory runs out.
    bool (*draw)(void *context, const MachineParams *params, const ModelPart *part, ModelMesh *mesh);
} ModelPainter;

/// ---- writing -------------------------------------------------------------------------------------------------------

typedef struct ModelRequest {
    const char *machine; ///< a path, or a name under data/machines
    const char *attachment; ///< a path, or a name under data/attachments, that hangs on it; NULL: its own bucket
    const char *coupler; ///< a path, or a name under data/couplers, between the stick and that; NULL: none
    const char *urdf; ///< folder to write, which is made, or empty; NULL: none
    const char *package; ///< ROS package that the folder's content belongs to: meshes are then called
        ///< package://PACKAGE/meshes/...; 1..63 letters, digits, - and _; NULL: relative to the URDF file
    const char *gltf; ///< file to write, NAME.glb; NULL: none
    ModelPainter painter;
} ModelRequest;

typedef struct ModelSummary {
    int links, joints, hulls; ///< of the URDF: links with a mass, joints that turn, convex pieces
    int meshes, triangles; ///< drawn
    double mass; ///< kg
    char urdf[1024]; ///< path of the URDF file; "": none
} ModelSummary;

/// False with `status`: a bad machine or attachment (STATUS_BAD_FILE), a bad package name (STATUS_BAD_USAGE), or
/// something cannot be written (STATUS_LACKING); then no part of the model that failed is left.
bool model_export(const ModelRequest *request, ModelSummary *summary, Status *status);

#endif
