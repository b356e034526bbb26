/// Crumbs on loose ground and on what lies in trays: small grains scattered over every column that holds loose soil, so
/// that a heap is as grainy as what was thrown onto it. Near the eye only, where they are larger than a pixel or two.
///
/// Functions that take Crumbs need a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_CRUMBS_H
#define SPADEWORK_RENDER_CRUMBS_H

#include "render/camera.h"
#include "render/gpu.h"
#include "render/render.h"
#include "render/terrain.h"

enum {
    CRUMBS_NEAR_PARTS = 8, ///< grains on a column near the eye
    CRUMBS_ROUND_PARTS = 3, ///< the first of them, which are large and have 20 faces
    CRUMBS_FAR_PARTS = 2, ///< the first of those, on one farther away, with 8 faces
    CRUMBS_MAX_COLUMNS = 24000, ///< of a frame
    CRUMBS_LEAST_LOOSE = 90 ///< of 255: a column that is less loose has none
};
#define CRUMBS_NEAR 7.0f ///< m from the eye, where all but the first grains have shrunk to nothing
#define CRUMBS_FAR  17.0f ///< m, where these have, too

/// A column with crumbs: column, row, soil in 14, 14 and 3 bits.
static inline uint32_t crumb_column(int column, int row, int soil)
{
    return (uint32_t)column | (uint32_t)row << 14 | (uint32_t)(soil & 7) << 28;
}

/// Room for columns with crumbs: near ones are written from the front, far ones from the back.
typedef struct CrumbColumns {
    uint32_t *columns; ///< [end]
    int front, back; ///< the next near one; the last far one
} CrumbColumns;

/// Adds the columns of a grid that have crumbs while there is room: loose ground in sight that is not too steep, of a
/// tray what holds soil and does not lie against its edge. Pure.
/// eye     m, world
/// planes  6 planes of the view volume; NULL: everything is in sight
void crumbs_find(const RenderGrid *grid, bool tray, const float eye[3], vec4 *planes, CrumbColumns *out);

/// Zero-initialise; owned by the caller, freed by crumbs_destroy.
typedef struct Crumbs {
    GLuint program, array, vertices, triangles, instances;
    GLint soil_color, soil_shape, grid_size, grid_origin, frame_base, frame_turn;
    int near_indices, far_indices; ///< of the mesh of a near column; of a far one, which follow
    int first[2][RENDER_MAX_GRIDS], count[2][RENDER_MAX_GRIDS]; ///< columns of each grid, near and far
    uint32_t columns[CRUMBS_MAX_COLUMNS]; ///< scratch
} Crumbs;

/// False with `status` set when the shader does not compile; then call crumbs_destroy.
bool crumbs_create(Crumbs *crumbs, const GlShaders *shaders, Status *status);
void crumbs_destroy(Crumbs *crumbs);

/// Finds the columns of the view's grids that have crumbs as a camera sees them and sends them.
void crumbs_update(Crumbs *crumbs, const RenderView *view, const Camera *camera);

/// Draws them on the view's grids, whose textures are `terrain` [RENDER_MAX_GRIDS]: two draw calls a grid.
void crumbs_draw(const Crumbs *crumbs, const Terrain *terrain, const RenderView *view);

#endif
