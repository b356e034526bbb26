/// Meshes of a machine, made from its parameters; each in its body's frame (data/schema/machine_params.h), in m. Sizes
/// that the parameters do not state only change the picture: nothing collides with them. Pure functions, no OpenGL.
#ifndef SPADEWORK_RENDER_MACHINE_MESH_H
#define SPADEWORK_RENDER_MACHINE_MESH_H

#include "data/schema/machine_params.h"
#include "render/meshes/mesh.h"

/// Adds one body or part of a machine to `mesh`, which the caller owns.
typedef void (*MachineMeshBuilder)(const MachineParams *params, Mesh *mesh);

/// Adds body `body` (0 .. body_count - 1) of a machine of any type (machine_bodies.c), without the cab.
void machine_mesh_body(const MachineParams *params, int body, Mesh *mesh);
/// Pieces of cylinders and bars, 1 m along x and of radius 1, to be stretched: a barrel, a rod and a bar from the
/// origin on, an eye around it.
void strut_mesh_barrel(Mesh *mesh);
void strut_mesh_rod(Mesh *mesh);
void strut_mesh_bar(Mesh *mesh);
void strut_mesh_eye(Mesh *mesh);

/// Bodies of an excavator (excavator_mesh.c).
void excavator_mesh_undercarriage(const MachineParams *params, Mesh *mesh);
void excavator_mesh_house(const MachineParams *params, Mesh *mesh);
void excavator_mesh_boom(const MachineParams *params, Mesh *mesh);
void excavator_mesh_stick(const MachineParams *params, Mesh *mesh);
void excavator_mesh_bucket(const MachineParams *params, Mesh *mesh);
/// Adds the ears on the machine's pins of a tool or of what it turns on, whose steel is `tool`; `origin`: the pin on
/// the stick, m, in that frame.
void excavator_mesh_ears(const MachineParams *params, const ToolShape *tool, PlanePoint origin, Mesh *mesh);

/// Adds what an excavator's coupler has on `body`, with a tiltrotator its upper part or its hitch (coupler_mesh.c).
void coupler_mesh(const MachineParams *params, int body, Mesh *mesh);
/// Adds the tilting housing of a tiltrotator.
void coupler_mesh_housing(const MachineParams *params, Mesh *mesh);

/// Bodies of a dozer (dozer_mesh.c).
void dozer_mesh_chassis(const MachineParams *params, Mesh *mesh);
void dozer_mesh_ripper(const MachineParams *params, Mesh *mesh);
void dozer_mesh_push_frame(const MachineParams *params, Mesh *mesh);
void dozer_mesh_yoke(const MachineParams *params, Mesh *mesh);
void dozer_mesh_blade(const MachineParams *params, Mesh *mesh);

/// Opaque parts of the cab (machine_cab.c), in the frame of the body that carries it (MachineParams.cab_body).
void machine_mesh_cab(const MachineParams *params, Mesh *mesh);
/// A joystick, and a travel lever with its pedal: pivot at the origin, upright; x is ahead of the driver.
void cab_mesh_joystick(Mesh *mesh);
void cab_mesh_travel_lever(Mesh *mesh);

enum { CAB_MAX_LEVERS = 4 };

/// A lever that the driver moves.
typedef struct CabLever {
    Vec3 pivot; ///< m, in the frame of the body that carries the cab
    bool pedal; ///< a travel lever, which goes ahead and back with its pedal; false: a joystick
    double size; ///< times the mesh
} CabLever;
/// Writes the levers and returns their number: left and right joystick; then left and right travel lever of an
/// excavator, or the ripper's lever of a dozer that has one.
int cab_levers(const MachineParams *params, CabLever levers[CAB_MAX_LEVERS]);

/// The monitor of the cab.
typedef struct CabMonitorPlace {
    Pose glass; ///< of the body that carries the cab: its middle; x towards the driver's eye, z up
    double width, height; ///< m, along y and z
} CabMonitorPlace;
/// Returns where the monitor stands: before the right pillar, below the horizon and beside the tool as the driver sees
/// them. It is the larger the further it is away, so that it is seen as large in every cab.
CabMonitorPlace cab_monitor_place(const MachineParams *params);

/// Mean of a piece's corners.
PlanePoint piece_middle(const ToolPiece *piece);
/// A jaw of a grab (MachineParams.jaw_count), in its own frame (grab_mesh.c).
void grab_mesh_jaw(const MachineParams *params, int body, Mesh *mesh);
/// The bracket of a grab's rotator, which hangs on the machine's pins, in its own frame.
void grab_mesh_bracket(const MachineParams *params, Mesh *mesh);
/// A thumb (MachineParams.thumb), in its own frame (thumb_mesh.c).
void thumb_mesh(const MachineParams *params, int body, Mesh *mesh);

/// The cab's panes, in the same frame.
void machine_mesh_glass(const MachineParams *params, Mesh *mesh);
/// Track frames with rollers, idlers and sprockets (machine_tracks.c), in the undercarriage's frame.
void machine_mesh_track_frames(const MachineParams *params, Mesh *mesh);
/// One shoe with its chain link: x along the belt, z inwards, origin in the middle of the inner face.
void machine_mesh_shoe(const MachineParams *params, Mesh *mesh);
/// The same from a tenth of the triangles, for shadows and for low quality.
void machine_mesh_plain_shoe(const MachineParams *params, Mesh *mesh);

enum { TRACK_MAX_SHOES = 128 }; ///< a belt

/// The belt: a stadium in the undercarriage's x-z plane through the shoes' inner faces.
typedef struct TrackPath {
    double radius, half_length, center_z; ///< m: of the end arcs; their centres at x = +-half_length, z = center_z
    double length; ///< m around
    int shoes; ///< 12..TRACK_MAX_SHOES
    double pitch; ///< m: length / shoes
} TrackPath;

/// Returns the belt of tracks of any size.
TrackPath track_path(const MachineTracks *tracks);

/// Finds the place at `s` m along the belt: any finite number; 0 = rear end of the lower run, whose shoes lie forward
/// in s.
/// out  x and z in m, and the cosine and sine of the direction of rising s
void track_path_at(const TrackPath *path, double s, float out[4]);

#endif
