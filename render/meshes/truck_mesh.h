/// Meshes of a dump truck around its bed, in m, each in the frame stated here. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_TRUCK_MESH_H
#define SPADEWORK_RENDER_TRUCK_MESH_H

#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "render/meshes/mesh.h"

/// Adds the chassis with its cab, without wheels, in the chassis frame (data/schema/truck_params.h).
void truck_mesh_chassis(const TruckParams *truck, Mesh *mesh);
/// Adds the cab's panes, in the chassis frame.
void truck_mesh_glass(const TruckParams *truck, Mesh *mesh);
/// Adds the bed without its tail, in the bed's frame.
void truck_mesh_bed(const TruckParams *truck, Mesh *mesh);
/// Adds the tail: it hangs down from its hinges, which lie along y at its origin.
void truck_mesh_gate(const TruckParams *truck, Mesh *mesh);
/// Adds a left wheel: its middle at the origin, its axle along y.
void truck_mesh_wheel(const TruckParams *truck, Mesh *mesh);

/// Adds a truck's number, 0..99, on both doors, in the chassis frame.
void truck_mesh_number(const TruckParams *truck, int number, Mesh *mesh);

/// A wheel's place in the chassis frame.
typedef struct TruckWheel {
    Vec3 at; ///< m
    bool left, steers;
} TruckWheel;
enum { TRUCK_WHEELS = 6 };

/// Finds the wheels, left and right in turn, from the rear.
void truck_wheels(const TruckParams *truck, TruckWheel wheels[TRUCK_WHEELS]);

#endif
