/// Height grids on the GPU. A grid is a height texture and a colour texture; its mesh has no vertices of its own. Near chunks
/// are drawn at every column, far ones at every second, fourth, eighth.
#ifndef SPADEWORK_RENDER_TERRAIN_H
#define SPADEWORK_RENDER_TERRAIN_H

#include "render/scene/camera.h"
#include "render/scene/dirty_rectangle.h"
#include "render/gpu/gl.h"

enum { TERRAIN_CHUNK_CELLS = 32, TERRAIN_LEVELS = 4, TERRAIN_APRON_RINGS = 14, TERRAIN_APRON_STEP = 4 };

/// Number of indices of one chunk drawn at every `step`th column, with its skirts.
int terrain_chunk_index_count(int step);
/// Writes them; vertex numbers are row * (cells + 1) + column, then the four skirts' (cells + 1) each.
void terrain_chunk_indices(int step, uint16_t *indices);
/// How fine a chunk is drawn (0 = every column) at a distance in m, for columns `spacing` m apart.
int terrain_level(double distance, double spacing);

/// Programs and index buffers shared by all grids.
typedef struct TerrainShared {
    struct TerrainProgram {
        GLuint program;
        GLint grid_size, grid_frame, grid_origin, chunk, floor_height, tray_base, tray_turn, ring_points, ring_distance;
    } ground, ground_depth, apron;
    GLuint array, indices;
    GLsizeiptr offset[TERRAIN_LEVELS];
} TerrainShared;
bool terrain_shared_create(TerrainShared *shared, const char *shader_folder, Status *status);
void terrain_shared_destroy(TerrainShared *shared);

/// One grid. Zero-initialise.
typedef struct Terrain {
    GLuint height_map, color_map, apron_array, apron_indices;
    int rows, columns, chunk_rows, chunk_columns;
    int apron_count;
    bool known; ///< the textures hold a grid
    float *low, *high; ///< m: heights of each chunk
    uint32_t *pixels; ///< scratch for colours, rows x columns
    uint32_t palette[SCENE_MAX_SOILS][256]; ///< sRGB colour and looseness by soil and looseness
} Terrain;
void terrain_destroy(Terrain *terrain);

/// Sends what changed. `forget` = the scene changed: everything is sent.
void terrain_update(Terrain *terrain, const RenderGrid *grid, const SceneParams *scene, bool forget);

/// Packs a soil's colour for the colour texture: sRGB bytes, looseness in the highest.
uint32_t terrain_pack_color(const SoilParams *soil, uint8_t loose);

typedef struct TerrainPass {
    bool depth; ///< into the shadow map
    bool tray; ///< nothing below its floor is drawn; no apron
    float eye[3];
    vec4 *planes; ///< 6 planes of the view volume
} TerrainPass;
void terrain_draw(const Terrain *terrain, const TerrainShared *shared, const RenderGrid *grid, const TerrainPass *pass);

#endif
