/// Writes particles as a binary PLY file (Stanford polygon format 1.0, little-endian).
///
/// Each program keeps the properties whose names it knows and drops the others, so that some values stand under two
/// names. Element `vertex`, in order of the grains' id:
///
/// | property | type | meaning | kept by |
/// |---|---|---|---|
/// | x y z | float | m, world | all |
/// | red green blue | uchar | sRGB, of the soil or of the speed | all; Blender 3.4 only with faces |
/// | radius | float | m | MeshLab |
/// | quality | float | m/s, the speed | MeshLab |
/// | scalar_radius scalar_speed scalar_vx scalar_vy scalar_vz | float | m, m/s | CloudCompare, without "scalar_" |
/// | scalar_soil | uchar | index into the scene's soils, which the header's comments name | CloudCompare |
/// | scalar_id | int | stable for a grain's life | CloudCompare |
///
/// As points a grain is one vertex. As solids it is an octahedron, 6 vertices with the grain's values and 8 faces
/// (element `face`, list `vertex_indices`), whose corners lie on the grain's sphere.
#ifndef SPADEWORK_TRAINER_PLY_FILE_H
#define SPADEWORK_TRAINER_PLY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "data/schema/schema.h"
#include "soil/soil.h"

/// What the colour of a grain shows. X(NAME, word of --color)
#define PLY_COLORS(X)                                                                                                  \
    X(SOIL, "soil")                                                                                                    \
    X(SPEED, "speed")
typedef enum PlyColor {
#define X(name, word) PLY_COLOR_##name,
    PLY_COLORS(X)
#undef X
        PLY_COLOR_COUNT
} PlyColor;
extern const char *const ply_color_names[PLY_COLOR_COUNT]; ///< the words

typedef struct PlyStyle {
    PlyColor color;
    bool solid; ///< grains as octahedra
} PlyStyle;

/// Memory that is used again from frame to frame; zero-initialise, set the style, free with ply_free.
typedef struct PlyWriter {
    PlyStyle style;
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
