/// What the writers of URDF and glTF share: the machine as a tree of nodes, and their drawn meshes by materials.
#ifndef SPADEWORK_TRAINER_MODEL_INTERNAL_H
#define SPADEWORK_TRAINER_MODEL_INTERNAL_H

#include <stdio.h>

#include "data/core/vec.h"
#include "machine/machine.h"
#include "machine/solids.h"
#include "trainer/report/model.h"

enum { MODEL_MAX_NODES = 64, MODEL_MAX_GROUPS = 48, MODEL_NAME = 40 };

/// Triangles of one material.
typedef struct ModelGroup {
    uint8_t color[4], gloss, metal; ///< as ModelVertex
    ModelVertex *vertices; ///< used by a triangle, each; unit normals
    uint32_t *indices;
    int vertex_count, index_count;
} ModelGroup;

/// The base, a joint with the frame of the body that hangs on it, the tip, or something drawn.
typedef struct ModelNode {
    char name[MODEL_NAME];
    int parent; ///< node; -1: none
    Pose start; ///< in the base's frame, in the start pose of the joints
    int body; ///< that carries it, and whose axes it has; -1: it has axes of its own
    int joint; ///< that turns it, or whose strut it is; -1
    bool drawn;
    ModelPart part; ///< of what is drawn
    char aims_at[MODEL_NAME]; ///< node that its x axis points to however the machine stands; "": it is fixed
    int group_count;
    ModelGroup group[MODEL_MAX_GROUPS]; ///< of what is drawn
} ModelNode;

typedef struct Model {
    MachineParams params;
    char name[3 * sizeof((MachineParams *)NULL)->name]; ///< letters, digits, - and _
    Machine *machine;
    MachineHinge hinge[MACHINE_MAX_JOINTS];
    int body_node[MACHINE_MAX_BODIES]; ///< that has the body's frame
    int node_count;
    ModelNode node[MODEL_MAX_NODES];
} Model;

/// Loads, builds and draws the machine of a request; the caller destroys it. NULL with `status`.
Model *model_create(const ModelRequest *request, Status *status);
void model_destroy(Model *model);

/// Name of a body's link: "boom_link".
void model_link_name(const Model *model, int body, char name[MODEL_NAME]);
/// Moments of inertia of a body about its centre of mass, kg m2, along its frame's axes: those of a solid box of
/// inertia_size, as ODE gets them (dMassSetBoxTotal).
Vec3 model_inertia(const MachineBodyParams *body);

/// Writes the URDF file.
/// package  as ModelRequest
void model_write_urdf(const Model *model, const char *package, FILE *file);
/// Name of the file of a material of node `node`, and of the convex part `part`, below the folder of meshes.
void model_mesh_name(const Model *model, int node, int group, char name[2 * MODEL_NAME]);
void model_hull_name(const Model *model, int part, char name[2 * MODEL_NAME]);
/// True for nodes that a URDF shows: bodies and belts. Cylinders and bars close loops, which a tree has no place for.
bool model_is_in_tree(const ModelNode *node);
/// Writes a mesh as Wavefront OBJ.
void model_write_mesh(const ModelGroup *group, FILE *file);
void model_write_hull(const ConvexHull *hull, FILE *file);

/// Writes the binary glTF file; false when memory runs out.
bool model_write_gltf(const Model *model, FILE *file);

#endif
