/// Where a closed mesh has room for a sphere. Internal to soil/.
#ifndef SPADEWORK_SOIL_MESH_VOLUME_H
#define SPADEWORK_SOIL_MESH_VOLUME_H

#include "data/files/obj.h"
#include "data/core/vec.h"

enum { VOLUME_BINS = 128 };

/// A mesh with its triangles sorted into upright bins over the x-y plane. Free with volume_free.
typedef struct Volume {
    const ObjMesh *mesh; ///< borrowed; world coordinates
    double reach; ///< m: each bin lists the triangles that come this near to it, in x and y
    Vec3 low, high; ///< m: the mesh's extent
    int columns, rows;
    int *first; ///< [columns * rows + 1]: into `list`
    int *list; ///< numbers of triangles
} Volume;

/// The corners of the box around a mesh's triangles.
void volume_extent(const ObjMesh *mesh, Vec3 *low, Vec3 *high);

typedef enum VolumeFailure { VOLUME_GOOD, VOLUME_NO_MEMORY, VOLUME_TOO_FINE } VolumeFailure;

/// `sites`: how many places will be asked for, spread over the extent; too many times the triangles is refused.
VolumeFailure volume_create(Volume *volume, const ObjMesh *mesh, double reach, double sites);
void volume_free(Volume *volume);
/// True when a sphere of `radius` (at most `reach`) at `at` lies inside the mesh.
bool volume_holds(const Volume *volume, Vec3 at, double radius);

#endif
