/// Particles as a binary PLY file (Stanford polygon format 1.0, little-endian), as Blender and MeshLab read it.
///
/// Element `vertex`, one a particle, in order of id: float x, y, z (m, world), radius (m), vx, vy, vz (m/s); uchar soil
/// (named in the header's comments); int id (stable for a particle's life).
#ifndef SPADEWORK_TRAINER_PLY_H
#define SPADEWORK_TRAINER_PLY_H

#include "soil/soil.h"

/// Memory that is used again from frame to frame; zero-initialise, free with ply_free.
typedef struct PlyWriter {
    unsigned char *bytes;
    int32_t *order;
    int capacity; ///< particles
} PlyWriter;
void ply_free(PlyWriter *writer);

/// What the header says beside the particles.
typedef struct PlyMoment {
    const SceneParams *scene;
    int64_t tick;
    double time; ///< s
} PlyMoment;

/// Creates the file; one that exists is refused. False with `status` (STATUS_LACKING) when it cannot be written whole:
/// then nothing is left of it.
bool ply_write(PlyWriter *writer, const char *path, const SoilParticleView *particles, const PlyMoment *moment,
               Status *status);

#endif
