/// Housings of lamps and mirrors, around the places that fittings.h tells. Lengths in m, in the frame of the body that
/// carries them. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_FITTING_MESH_H
#define SPADEWORK_RENDER_FITTING_MESH_H

#include "render/meshes/fittings.h"
#include "render/meshes/mesh.h"

/// Adds the housings, without lenses, of those of `count` lamps that `body` carries.
void fitting_mesh_lamps(const FittingLamp *lamps, int count, int body, Mesh *mesh);
/// Adds a lens: in the lamp's frame, its middle at the origin. `lit`: it shines.
void fitting_mesh_lens(bool lit, Mesh *mesh);
/// Adds the housing and the glass of the mirrors of a machine's cab.
void fitting_mesh_mirrors(const MachineParams *params, Mesh *mesh);

#endif
