/// Meshes of a machine, made from its parameters; each in its body's frame (data/machine_params.h). No OpenGL.
#ifndef SPADEWORK_RENDER_MACHINE_MESH_H
#define SPADEWORK_RENDER_MACHINE_MESH_H

#include "data/machine_params.h"
#include "render/gpu/mesh.h"

void machine_mesh_undercarriage(const MachineParams *params, Mesh *mesh);
void machine_mesh_house(const MachineParams *params, Mesh *mesh);
void machine_mesh_cab(const MachineParams *params, Mesh *mesh); ///< opaque parts of the cab, in the house frame
void machine_mesh_glass(const MachineParams *params, Mesh *mesh); ///< its panes
void machine_mesh_boom(const MachineParams *params, Mesh *mesh);
void machine_mesh_stick(const MachineParams *params, Mesh *mesh);
void machine_mesh_bucket(const MachineParams *params, Mesh *mesh);
void machine_mesh_track_frames(const MachineParams *params,
                               Mesh *mesh); ///< rollers, idlers, sprockets; undercarriage's frame

/// Bodies of a dozer.
void machine_mesh_chassis(const MachineParams *params, Mesh *mesh);
void machine_mesh_ripper(const MachineParams *params, Mesh *mesh);
void machine_mesh_push_frame(const MachineParams *params, Mesh *mesh);
void machine_mesh_yoke(const MachineParams *params, Mesh *mesh);
void machine_mesh_blade(const MachineParams *params, Mesh *mesh);

/// One shoe with its chain link: x along the belt, z inwards, origin in the middle of the inner face.
void machine_mesh_shoe(double pitch, double width, Mesh *mesh);

/// The belt: a stadium in the undercarriage's x-z plane through the shoes' inner faces.
typedef struct TrackPath {
    double radius, half_length, center_z; ///< m: of the end arcs; their centres at x = +-half_length, z = center_z
    double length; ///< m around
    int shoes;
    double pitch; ///< m
} TrackPath;
TrackPath track_path(const MachineTracks *tracks);
/// Place at `s` m along the belt (any real number; 0 = rear end of the lower run, counter-clockwise seen from -y, so the lower
/// run goes forward): x, z and the direction's cosine and sine.
void track_path_at(const TrackPath *path, double s, float out[4]);

#endif
