/// The landscape around a site on the GPU: two meshes, made when the scene's site or seed is another.
///
/// Every function but landscape_mesh and landscape_edge_mesh needs a current OpenGL 3.3 core context and must be called
/// from the thread that it is current on.
#ifndef SPADEWORK_RENDER_LANDSCAPE_H
#define SPADEWORK_RENDER_LANDSCAPE_H

#include "data/schema/scene_params.h"
#include "render/models/solid.h"

/// Zero-initialise; owned by the caller, freed by landscape_destroy.
typedef struct Landscape {
    struct LandscapeProgram {
        GLuint program;
        GLint site_radius, reach;
    } solids, cards;
    bool plain; ///< at low quality: fewer things of fewer triangles
    uint64_t seed; ///< of what the mesh is made of
    double size_x, size_y; ///< m
    SolidMesh mesh, leaves;
} Landscape;

/// Compiles the program. False with `status` set when it does not compile.
bool landscape_create(Landscape *landscape, bool plain, const GlShaders *shaders, Status *status);
void landscape_destroy(Landscape *landscape);

/// Builds the mesh anew when the scene's site has another size or seed.
void landscape_follow(Landscape *landscape, const SceneParams *scene);
/// Draws it.
/// reach  m: what is nearer to the eye is left out, so that nothing hides the work; 0: nothing is
void landscape_draw(const Landscape *landscape, double reach);

/// Adds stakes and a tape along the edge of a site of size_x by size_y m, its middle at the origin.
void landscape_edge_mesh(double size_x, double size_y, bool plain, Mesh *mesh);

#define LANDSCAPE_LEAST 2.0 ///< m beyond the site's edge: nothing but the edge's own stakes stands nearer

/// Adds the landscape of a site of size_x by size_y m, its middle at the origin. The same seed gives the same one.
/// leaves  cards with leaves and needles (render/meshes/tree_mesh.h), seen from both sides
void landscape_mesh(double size_x, double size_y, uint64_t seed, bool plain, Mesh *mesh, Mesh *leaves);

#endif
