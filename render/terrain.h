/// Height grids on the GPU. A grid is a height texture and a colour texture; its mesh has no vertices of its own. Near
/// uneven chunks are drawn at every column, far or even ones at every second, fourth, eighth: the coarsest at which no
/// column is off by half a pixel (geometrical mipmapping, de Boer 2000).
///
/// Functions that take a Terrain or TerrainShared need a current OpenGL 3.3 core context and must be called from the
/// thread that it is current on.
#ifndef SPADEWORK_RENDER_TERRAIN_H
#define SPADEWORK_RENDER_TERRAIN_H

#include "render/camera.h"
#include "render/gpu.h"
#include "render/relief.h"

enum {
    TERRAIN_CHUNK_CELLS = 32, ///< columns a side; a chunk's vertices then have 16-bit numbers
    TERRAIN_LEVELS = 4, ///< of fineness
    TERRAIN_APRON_RINGS = 15, ///< around the site, to the horizon
    TERRAIN_APRON_STEP = 4 ///< columns between two points of a ring
};

/// Returns the number of indices of one chunk drawn at every `step`th column, with its skirts.
int terrain_chunk_index_count(int step);
/// Writes them, room for terrain_chunk_index_count(step); vertex numbers are row * (cells + 1) + column, then the four
/// skirts' (cells + 1) each.
void terrain_chunk_indices(int step, uint16_t *indices);
/// Columns' spacings up to which the ground is drawn with every column; chosen by eye: 20 m at columns of 0.1 m.
#define TERRAIN_REACH     200.0
#define TERRAIN_REACH_LOW 55.0
/// Returns the level (0: every column) that a chunk is drawn at, `distance` m away, for columns `spacing` m apart;
/// `reach`: spacings up to which that is every column.
int terrain_level(double distance, double spacing, double reach);
/// Computes how far the columns of a chunk are off at most.
/// row, column  its first ones
/// errors       m, of each level; 0 of the first
void terrain_errors(const RenderGrid *grid, int row, int column, float errors[TERRAIN_LEVELS]);

/// Programs and index buffers shared by all grids. Zero-initialise; owned by the caller, freed by
/// terrain_shared_destroy.
typedef struct TerrainShared {
    struct TerrainProgram {
        GLuint program;
        GLint grid_size, grid_frame, grid_origin, chunk, floor_height, tray_base, tray_turn, ring_points, ring_distance,
            grade, soils, looks, layered, marks, far_color, far_ground, far_look, layer_color;
    } ground, ground_depth, apron;
    // Of low quality: terrain.glsl leaves places, ground.glsl lights them where nothing is steep, where faces stand,
    // both again with the machine's lamps, and with colours of cut and fill.
    struct TerrainProgram places, apron_places, lit[2][2], graded;
    bool low;
    GLuint array, indices;
    GLsizeiptr offset[TERRAIN_LEVELS];
} TerrainShared;
/// low  the quality
/// False with `status` set when a shader does not compile or memory is short; then call terrain_shared_destroy.
bool terrain_shared_create(TerrainShared *shared, bool low, const GlShaders *shaders, Status *status);
void terrain_shared_destroy(TerrainShared *shared);

/// One grid. Zero-initialise; owned by the caller, freed by terrain_destroy, after which it is empty again.
typedef struct Terrain {
    GLuint height_map, color_map, design_map, outline_map, strata_map, look_map, mark_map, relief_map;
    GLuint apron_array, apron_indices, apron_border;
    uint64_t design_key; ///< of what the design's texture holds; 0: nothing
    int rows, columns, chunk_rows, chunk_columns;
    int apron_count;
    float (*border)[2]; ///< m: [rings][points] of send_border
    bool known; ///< the textures hold a grid
    GridCopy copy; ///< of what they hold, where frames are drawn after render_forget; else empty
    float *low, *high; ///< m: heights of each chunk
    float (*errors)[TERRAIN_LEVELS]; ///< m: of terrain_errors, of each chunk
    uint32_t *pixels; ///< scratch for colours, rows x columns
    int8_t *outline; ///< [rows][columns][4] of outline_compute
    uint8_t *relief; ///< [rows][columns][4] of relief_compute, at low quality
    float *means; ///< m: of relief_mean
    bool *faced; ///< chunks in which something is steep
    uint8_t grass[SCENE_MAX_SOILS][256]; ///< 255 parts, by soil and looseness
    /// 0..1, of the ground beyond the site: as the palette, with looseness; share of grass; SoilLook
    float far_color[4], far_grass, far_look[4];
    float layers_color[16][4]; ///< 0..1, as the palette: of soils that a tool has cut, then tipped
    uint32_t palette[SCENE_MAX_SOILS][256]; ///< sRGB colour and looseness by soil and looseness; where baked, tints
    bool baked; ///< lit by ground.glsl: the palette has tints (soil_look_tint)
    uint32_t look[SCENE_MAX_SOILS]; ///< of soil_look_pack; the texture has the grass of each column in the highest byte
    float soils[SCENE_MAX_SOILS][4], looks[SCENE_MAX_SOILS][4]; ///< 0..1: fresh colours, linear; SoilLook
} Terrain;
void terrain_destroy(Terrain *terrain);

/// Sends what changed since the last call; makes new textures when the size is another. A grid that memory is short for
/// is not drawn.
/// scene   whose soils give the colours
/// forget  the scene changed: everything is sent
/// low     the quality: heights and colours have no coarser copies, but there is a relief
/// baked   low quality's ground: colours are those of ground.glsl
void terrain_update(Terrain *terrain, const RenderGrid *grid, const SceneParams *scene, bool forget, bool low,
                    bool baked);

/// Takes the colour of the ground far beyond the site from a grid's present edge. terrain_update does so only for
/// another scene.
void terrain_update_far_color(Terrain *terrain, const RenderGrid *grid);

/// Sends the design when it is another one than the last.
void terrain_update_design(Terrain *terrain, const RenderGrid *grid, const RenderGrade *grade);

/// Where the floor of a tray is in the world, and how it lies.
Pose terrain_tray_frame(const RenderGrid *grid);

/// How a grid is drawn.
typedef struct TerrainPass {
    bool depth; ///< into the shadow map
    bool tray; ///< nothing below its floor is drawn; no apron
    float tolerance; ///< m, of cut and fill colours; 0: none
    float eye[3]; ///< m, world: fineness goes by the distance to it
    double reach; ///< times the spacing, 0..200: TERRAIN_REACH or less
    int least; ///< the finest level that is drawn
    double pixel; ///< rad that a pixel has; 0: a chunk's level goes by its distance alone
    vec4 *planes; ///< 6 planes of the view volume
    bool lamps_lit;
    const GlStage
        *stage; ///< where places are left and each pixel is lit once; NULL: triangles are lit as they are drawn
} TerrainPass;
/// Draws the chunks that the planes do not cut away, and the apron around the site.
void terrain_draw(const Terrain *terrain, const TerrainShared *shared, const RenderGrid *grid, const TerrainPass *pass);

#endif
