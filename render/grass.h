/// Grass on ground that is grown over: blades near the eye, wider and fewer ones farther away. They are gone where the
/// ground is dug or covered, and lie flat where it was driven on.
///
/// Functions that take Grass need a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_GRASS_H
#define SPADEWORK_RENDER_GRASS_H

#include "render/camera.h"
#include "render/gpu.h"
#include "render/render.h"
#include "render/terrain.h"

enum {
    GRASS_BANDS = 3, ///< of distance: each has its own blades, which nearer places have, too
    GRASS_MAX_PATCHES = 4096, ///< of a frame
};
#define GRASS_PATCH 1.0 ///< m: side of a patch
extern const float grass_reach[GRASS_BANDS]; ///< m from the eye, where the blades of a band have shrunk to nothing

/// A patch: its number along x and y from the grid's first column.
static inline uint32_t grass_patch(int x, int y)
{
    return (uint32_t)x | (uint32_t)y << 16;
}

/// Patches of a frame, those of near bands first.
typedef struct GrassPatches {
    uint32_t patch[GRASS_MAX_PATCHES];
    int count[GRASS_BANDS]; ///< patches that have the blades of each band
} GrassPatches;

/// Finds the patches of the site's grid that are in sight and grown over somewhere. Pure.
/// eye     m, world
/// planes  6 planes of the view volume; NULL: everything is in sight
void grass_find(const RenderGrid *grid, const SceneParams *scene, const float eye[3], vec4 *planes,
                GrassPatches *patches);

/// Zero-initialise; owned by the caller, freed by grass_destroy.
typedef struct Grass {
    GLuint program, array, vertices, triangles, instances;
    GLint grid_size, grid_frame, grid_origin, band;
    int first[GRASS_BANDS], indices[GRASS_BANDS]; ///< triangles of each band
    GrassPatches patches;
} Grass;

/// False with `status` set when the shader does not compile; then call grass_destroy.
bool grass_create(Grass *grass, const GlShaders *shaders, Status *status);
void grass_destroy(Grass *grass);

/// Finds the patches of the view's site as a camera sees them and sends them.
void grass_update(Grass *grass, const RenderView *view, const Camera *camera);
/// Draws them on the site's grid: a draw call for each band.
void grass_draw(const Grass *grass, const Terrain *terrain, const RenderView *view);

#endif
