/// A dump truck around a bed. No OpenGL.
#ifndef SPADEWORK_RENDER_TRUCK_MESH_H
#define SPADEWORK_RENDER_TRUCK_MESH_H

#include "data/scene_params.h"
#include "data/core/vec.h"
#include "render/gpu/mesh.h"

/// Measures of a scene's truck: of its file, or as its bed suggests.
TruckParams truck_shape(const SceneParams *scene);

/// In the chassis frame (data/truck_params.h), without wheels.
void truck_mesh_chassis(const TruckParams *truck, Mesh *mesh);
void truck_mesh_glass(const TruckParams *truck, Mesh *mesh);
/// In the bed's frame, without its tail.
void truck_mesh_bed(const TruckParams *truck, Mesh *mesh);
/// The tail: hangs down from its hinges, which lie along y at its origin.
void truck_mesh_gate(const TruckParams *truck, Mesh *mesh);
/// A left wheel, its middle at the origin, its axle along y.
void truck_mesh_wheel(const TruckParams *truck, Mesh *mesh);

/// A wheel's place in the chassis frame.
typedef struct TruckWheel {
    Vec3 at; ///< m
    bool left, steers;
} TruckWheel;
enum { TRUCK_MAX_WHEELS = 6 };
int truck_wheels(const TruckParams *truck, TruckWheel wheels[TRUCK_MAX_WHEELS]);

#endif
