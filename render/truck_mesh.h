/// A dump truck around a bed. No OpenGL.
#ifndef SPADEWORK_RENDER_TRUCK_MESH_H
#define SPADEWORK_RENDER_TRUCK_MESH_H

#include "data/scene_params.h"
#include "render/mesh.h"

/// Frame: origin under the middle of the bed's floor at z = 0, x along the bed's length towards the truck's cab, z up.
void truck_mesh(const SceneTruck *truck, Mesh *mesh);
void truck_mesh_glass(const SceneTruck *truck, Mesh *mesh);

#endif
