/// Soil particles as clusters of grains: each simulated particle is drawn as many grains and clods of its soil's sizes.
/// What is sent to the GPU is one instance a particle; its grains are made there.
///
/// Functions that take Grains need a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on; the others are pure.
#ifndef SPADEWORK_RENDER_GRAINS_H
#define SPADEWORK_RENDER_GRAINS_H

#include "render/gpu.h"
#include "render/render.h"

/// ---- clusters ------------------------------------------------------------------------------------------------------

// A cluster stands for one particle. Its parts are numbered from the largest; a coarser cluster has the first parts of
// a finer one, so that they stay where they are when the fineness changes.

enum {
    GRAIN_NEAR, ///< GRAIN_NEAR_PARTS parts, the larger ones rounder
    GRAIN_FAR, ///< GRAIN_FAR_PARTS parts
    GRAIN_SHADE, ///< one lump, for the shadow map
    GRAIN_LEVELS
};
enum {
    GRAIN_NEAR_PARTS = 26,
    GRAIN_FAR_PARTS = 9,
    GRAIN_MAX_VERTICES = 224, ///< of a cluster, at least as many as the finest has
    GRAIN_MAX_INDICES = 1008
};

/// A vertex of a cluster.
typedef struct GrainVertex {
    float direction[3]; ///< unit: from the middle of its part
    float place[3]; ///< unit: of its part, from the middle of the cluster
    float part; ///< 0..25: its number, up to GRAIN_NEAR_PARTS - 1
} GrainVertex;

/// A cluster's mesh; triangles run counter-clockwise seen from outside.
typedef struct GrainMesh {
    int vertex_count, index_count;
    GrainVertex vertices[GRAIN_MAX_VERTICES];
    uint16_t indices[GRAIN_MAX_INDICES];
} GrainMesh;

/// Writes the cluster of a level, GRAIN_NEAR..GRAIN_SHADE.
void grain_mesh(int level, GrainMesh *mesh);

/// Writes `parts` small grains as one mesh, one after the other: the first `round` ones have 12 points, the others 6;
/// then the first `again` once more, with 6. At most GRAIN_MAX_VERTICES in all. Returns where the indices of these
/// begin.
int grain_mesh_small(int parts, int round, int again, GrainMesh *mesh);

/// Returns the number of parts of a level's cluster.
int grain_parts(int level);

/// Writes the `place` of a part: the direction (unit) from the middle of its cluster. The first n places lie to all
/// sides, for any n.
void grain_place(int part, float place[3]);

/// ---- stand ---------------------------------------------------------------------------------------------------------

// How the cluster of a particle stands: how far it has turned and how far it has settled onto the ground. The same view
// gives the same picture.

/// The ground and the tool that particles may lie on or in. Points into the view.
typedef struct GrainStand {
    const RenderGrid *ground; ///< NULL: there is none
    bool holds; ///< the machine has a tool that carries soil
    FloatVec3 middle; ///< m, world: of that tool's inside
    float reach; ///< m around it
    mat4 to_tool; ///< world -> the tool's frame
    versor turn; ///< of the tool
    float heading[2]; ///< -1..1: cosine and sine of the heading of the ground's frame
} GrainStand;

/// Fills `stand` from a view.
void grain_stand_find(GrainStand *stand, const RenderView *view);

/// Writes how a particle at xyzr (m: world, radius) stands, parts of 32767: out[0..2]: x, y, z of the unit quaternion
/// whose w is not negative, of its turn; out[3]: how far it has settled, 0 free .. 1 lying on the ground.
/// A cluster turns as it moves on, about a radian every GRAIN_ROLL m; what lies in the tool turns as the tool does.
void grain_stand_at(const GrainStand *stand, const float xyzr[4], uint32_t id, int16_t out[4]);

#define GRAIN_ROLL 0.45f ///< m; chosen by eye: a lump of 10 cm that rolls as fast as it moves would whirl in the air

/// ---- drawing -------------------------------------------------------------------------------------------------------

enum { GRAIN_POINT_PARTS = 6 }; ///< of a cluster of points, at low quality

/// One particle as the GPU sees it: two texels of four 32-bit numbers.
typedef struct GrainInstance {
    float xyzr[4]; ///< m: centre in the world, radius
    uint32_t mark; ///< id * 8 + soil
    uint8_t tint[4]; ///< sRGB colour laid over the grains and its share
    int16_t stand[4]; ///< of grain_stand_at
} GrainInstance;

/// Zero-initialise; owned by the caller, freed by grains_destroy.
typedef struct Grains {
    bool points; ///< at low quality
    struct GrainProgram {
        GLuint program;
        GLint soil_color, soil_shape, parts, filled;
    } light, depth;
    GLuint array[GRAIN_LEVELS], vertices[GRAIN_LEVELS], triangles[GRAIN_LEVELS];
    int index_count[GRAIN_LEVELS];
    GLuint instances, texture; ///< the particles, and the same as a texture
    GrainInstance *scratch; ///< [capacity]: near ones from the front, far ones from the back
    int capacity;
    int count[2]; ///< near, far
    GLsizeiptr buffer_size; ///< bytes of `instances`
} Grains;

/// Makes programs and meshes. False with `status` set when a shader does not compile; then call grains_destroy.
/// points  whether grains are points, which the shader lights as balls: for what draws in software
bool grains_create(Grains *grains, bool points, const GlShaders *shaders, Status *status);
void grains_destroy(Grains *grains);

/// Sorts the view's particles into near (seen larger than a few pixels from `eye`, m, world) and far and sends them.
/// When memory is short none is drawn.
/// pixels_per_radian  of the picture at its middle
void grains_update(Grains *grains, const RenderView *view, const float eye[3], double pixels_per_radian);

/// Gives the program in use the colours of a scene's soils and the shapes of their grains.
void grains_aim_looks(GLint soil_color, GLint soil_shape, const SceneParams *scene);

/// Draws what was sent last, in the colours of the scene's soils, into the shadow map (`depth`) or the picture. All
/// near clusters are one draw call, all far ones another; at low quality all are one.
/// cut  a plane cuts some open: they show a solid inside
void grains_draw(const Grains *grains, const SceneParams *scene, bool depth, bool cut);

#endif
