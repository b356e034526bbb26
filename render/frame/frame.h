/// A frame is prepared once and drawn any number of times: frame_prepare sends what changed to the GPU and draws the
/// shadow map, shot_draw draws what one camera sees into one rectangle of the target.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_FRAME_H
#define SPADEWORK_RENDER_FRAME_H

#include "render/beside.h"
#include "render/camera/camera.h"
#include "render/camera/panes.h"
#include "render/gpu/shadow.h"
#include "render/gpu/stage.h"
#include "render/meshes/fittings.h"
#include "render/models/fixture_model.h"
#include "render/models/machine_model.h"
#include "render/models/truck_model.h"
#include "render/panels/overlay.h"
#include "render/render.h"
#include "render/scene/crumbs.h"
#include "render/scene/grains.h"
#include "render/scene/line_batch.h"
#include "render/scene/load_model.h"
#include "render/scene/section_face.h"
#include "render/ground/terrain.h"
#include "render/world/daylight.h"
#include "render/world/lamps.h"
#include "render/world/dust.h"
#include "render/world/landscape.h"
#include "render/world/occluders.h"
#include "render/world/rain.h"
#include "render/world/staff_model.h"

/// The maps' part of the uniform block "Frame" (common.glsl, std140).
typedef struct ShadowUniforms {
    mat4 lamp_light; ///< from the world to what the lamps see
    float tool_light[4]; ///< from the sun's map of the site to that of the tool: x, y, z; scale of x and y, 0: none
    float site_part[4], tool_part[4], lamp_part[4]; ///< of the texture: width, height, left, lower edge
    float fineness[4]; ///< m a texel of the tool's map; the same of the lamps' 1 m away; the pair of lamps, -1: none
} ShadowUniforms;

/// The uniform block "Frame" of common.glsl (std140).
typedef struct FrameUniforms {
    mat4 view_projection, inverse_view_projection, light_projection;
    float eye[4], sun[4], viewport[4];
    OccluderUniforms occluders;
    DaylightUniforms daylight;
    LampUniforms lamps;
    ShadowUniforms shadows;
} FrameUniforms;

/// The maps of shadows of a frame (shadows.c).
typedef struct Shadows {
    bool drawn[SHADOW_PARTS];
    mat4 light[SHADOW_PARTS]; ///< from the world to clip space
    vec4 planes[SHADOW_PARTS][6]; ///< of what they see
    FloatVec3 to_lamp; ///< unit, from the tool towards the lamps
    ShadowUniforms uniforms;
} Shadows;

/// A picture that is kept.
typedef struct Inset {
    Stage stage;
    RenderCamera camera;
    bool drawn; ///< it holds a picture of that camera
    int frame; ///< of the renderer's, in which it was drawn last
} Inset;

/// Small pictures of a frame (insets.c). Zero-initialise; owned by the caller, freed by insets_destroy.
typedef struct Insets {
    GLuint inset_program, mirror_program, array;
    GLint corner;
    Inset view[RENDER_MAX_INSETS], mirror[FITTINGS_MAX_MIRRORS];
} Insets;
struct Renderer {
    bool low; ///< quality: plainer shaders, meshes and grains
    double scale; ///< pixels of the scene for each of the screen, along a side
    double fineness; ///< share of these (render_set_fineness)
    bool whole; ///< the same
    int shadow_every; ///< frames with one shadow map
    GLuint noise, frame_buffer, sky_program, empty_array;
    Shadow shadow;
    Stage stage; ///< where the scene has fewer pixels than the screen
    Stage beside[RENDER_MAX_BESIDE]; ///< the same of pictures beside it
    int frames; ///< drawn
    Shadows shadows; ///< with which the shadow map was drawn
    Daylight daylight; ///< of the frame
    FrameUniforms uniforms; ///< of the frame: what its pictures share, and what the last of them had
    SolidPrograms solids;
    TerrainShared terrain_shared;
    Terrain terrain[RENDER_MAX_GRIDS];
    Grains grains;
    Crumbs crumbs; ///< of high quality
    RockModel rocks;
    MachineModel machine, ghost;
    TruckModel trucks;
    FixtureModel fixtures;
    LoadModel loads;
    StaffModel staffs;
    Landscape landscape;
    Rain rain;
    Dust dust; ///< of high and medium quality
    LineBatch lines;
    SectionFace section;
    Insets insets;
    Overlay *overlay;
    bool has_scene; ///< the grids hold the colours of `soils`
    SoilParams soils[SCENE_MAX_SOILS];
    double *seconds; ///< [RENDER_PASS_COUNT] that passes are measured into; NULL: they are not
    double pass_began; ///< s of the clock
};

/// One picture of a frame: from where, and where in the target.
typedef struct Shot {
    RenderCamera kind; ///< what the camera is
    CameraPlace place;
    Camera camera;
    Camera cut; ///< of what is cut away near by
    double cut_depth; ///< 0..1 (camera_cut); 0: nothing is cut
    bool coarse; ///< of a small picture: less fine ground and shoes
    const Stage *stage; ///< that is the target; NULL: another one is
    int x, y, width, height; ///< pixels, from the lower left
} Shot;

/// Sends what changed of the view to the GPU and draws the shadow map, for pictures of which `main` is the most
/// important: fineness goes by its eye. Leaves the target bound.
void frame_prepare(Renderer *renderer, const RenderView *view, const Shot *main);

/// Makes the shot of one of the view's cameras into a rectangle.
Shot shot_of(const RenderView *view, RenderCamera kind, int x, int y, int width, int height);

/// Makes the shots of the view's camera, one a pane, for a picture of so many pixels; returns their number.
int shots_of(const RenderView *view, int width, int height, Shot shots[CAMERA_MAX_PANES]);

/// Draws the prepared frame as `shot` sees it into its rectangle of the target, whose depth there is clear.
void shot_draw(Renderer *renderer, const RenderView *view, const Shot *shot);

/// How solids are drawn: into the shadow map (`depth`) or a picture.
typedef struct SolidsPass {
    bool depth;
    bool coarse; ///< less fine than the quality asks for
    bool cut; ///< what is cut open shows that it is solid
    const Stage *stage; ///< that is the target, with places; NULL: none is
    vec4 *planes; ///< 6, of the view volume
    FloatVec3 eye; ///< m, world: fineness goes by the distance to it
} SolidsPass;
/// Finds the maps of shadows of a view that `map` has room for.
void shadows_place(Shadows *out, const RenderView *view, const Shadow *map, const Daylight *daylight);
/// Draws the renderer's maps of shadows, for pictures taken from `eye` (m). Leaves the target bound; the frame's
/// uniforms are to be sent again.
void shadows_draw(Renderer *renderer, const RenderView *view, const float eye[3]);

/// Draws the site: ground, grains, rocks, fixtures and trucks.
void frame_draw_site(Renderer *renderer, const RenderView *view, const SolidsPass *pass);
/// Draws the machine and what hangs on it.
void frame_draw_machine(Renderer *renderer, const RenderView *view, const SolidsPass *pass);

/// What all solids of a pass share.
SolidPass frame_solid_pass(const Renderer *renderer, const SceneParams *scene, bool depth);

/// Binds the frame's uniforms as they are now, and the detail texture that every program reads.
void frame_send_uniforms(const Renderer *renderer);
void frame_set_viewport(FrameUniforms *uniforms, int width, int height); ///< pixels

/// A pass is over: where passes are measured it is waited for.
void frame_end_pass(Renderer *renderer, RenderPass pass);

/// False with `status` set when a shader does not compile.
bool insets_create(Insets *insets, const GlShaders *shaders, Status *status);
void insets_destroy(Insets *insets);

/// Draws the pictures that are due, of a frame that is prepared. Leaves the target bound.
/// height  pixels of the whole picture
/// shots   [count] in which a mirror would be seen
void insets_refresh(Renderer *renderer, const RenderView *view, int width, int height, const Shot *shots, int count);
/// Puts the mirrors' pictures on their glasses, into the picture that is being drawn.
void insets_draw_mirrors(const Renderer *renderer, const RenderView *view);
/// Lays the insets over the picture of width x height pixels.
void insets_draw(Renderer *renderer, const RenderView *view, int width, int height);

#endif
