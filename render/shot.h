/// Draws what one camera sees of a prepared frame, a "shot", into one rectangle of the target, and the maps of shadows
/// that all shots of the frame share.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_SHOT_H
#define SPADEWORK_RENDER_SHOT_H

#include "render/camera.h"
#include "render/crumbs.h"
#include "render/gpu.h"
#include "render/grains.h"
#include "render/grass.h"
#include "render/landscape.h"
#include "render/light.h"
#include "render/section.h"
#include "render/meshes/fittings.h"
#include "render/models/fixture_model.h"
#include "render/models/person_model.h"
#include "render/models/thing_model.h"
#include "render/models/tool_model.h"
#include "render/models/machine_model.h"
#include "render/models/truck_model.h"
#include "render/models/water_model.h"
#include "render/panels/cab_monitor.h"
#include "render/panels/overlay.h"
#include "render/render.h"
#include "render/site_objects.h"
#include "render/terrain.h"
#include "render/weather.h"

/// The uniform block "Frame" of common.glsl (std140): what every program reads.
typedef struct FrameUniforms {
    mat4 view_projection, inverse_view_projection, light_projection;
    float eye[4]; ///< m, world: x, y, z; unused
    float sun[4]; ///< unit, towards the light of the map that is drawn or read; m a texel of the site's map
    float viewport[4]; ///< pixels: width, height; their inverses
    OccluderUniforms occluders;
    DaylightUniforms daylight;
    LampUniforms lamps;
    ShadowUniforms shadows;
} FrameUniforms;

/// A small picture, kept from frame to frame.
typedef struct Inset {
    GlStage stage;
    RenderCamera camera;
    bool drawn; ///< it holds a picture of that camera
    int frame; ///< of the renderer's, in which it was drawn last
} Inset;

/// Small pictures of a frame: the views in its corner, and what the mirrors of the cab show.
typedef struct Insets {
    GLuint inset_program, mirror_program, array;
    GLint corner;
    Inset view[RENDER_MAX_INSETS], mirror[FITTINGS_MAX_MIRRORS];
} Insets;

/// One picture of a frame: its camera, and its rectangle of the target.
typedef struct Shot {
    RenderCamera kind; ///< which of the view's cameras
    CameraPlace place;
    Camera camera;
    Camera cut; ///< of what is cut away near by
    double cut_depth; ///< 0..1 (camera_cut); 0: nothing is cut
    bool coarse; ///< of a small picture: less fine ground and shoes
    const GlStage *stage; ///< that is the target; NULL: another one is
    int x, y, width, height; ///< pixels, from the lower left
} Shot;

/// All that is kept from frame to frame.
struct Renderer {
    bool low; ///< quality: plainer shaders, meshes and grains
    double scale; ///< pixels of the scene for each of the screen, along a side
    double fineness; ///< share of these (render_set_fineness)
    bool whole; ///< the same
    int shadow_every; ///< frames with one shadow map
    GLuint noise, frame_buffer, sky_program, empty_array;
    Shadow shadow;
    GlStage stage; ///< where the scene has fewer pixels than the screen
    GlStage beside[RENDER_MAX_BESIDE]; ///< the same of pictures beside it
    int frames; ///< drawn so far
    Shadows shadows; ///< with which the shadow map was drawn
    Daylight daylight; ///< of the frame
    FrameUniforms uniforms; ///< of the frame: what its pictures share, and what the last of them had
    SolidPrograms solids;
    TerrainShared terrain_shared;
    Terrain terrain[RENDER_MAX_GRIDS];
    Grains grains;
    Crumbs crumbs; ///< of high quality
    Grass grass; ///< of high and medium quality
    RockModel rocks;
    MachineModel machine, ghost;
    TruckModel trucks;
    FixtureModel fixtures;
    PersonModel persons;
    LoadModel loads;
    ThingModel things;
    ToolModel tools;
    WaterModel water;
    StaffModel staffs;
    Landscape landscape;
    Rain rain;
    Dust dust; ///< of high and medium quality
    LineBatch lines;
    SectionFace section;
    Insets insets;
    Overlay *overlay;
    CabMonitor *monitor;
    bool has_scene; ///< the grids hold the colours of `soils`
    bool forgot; ///< render_forget came before the frame
    Shot shot; ///< of the last frame: its middle pane; zero: the frame had no scene
    SoilParams soils[SCENE_MAX_SOILS];
    double *seconds; ///< s, [RENDER_PASS_COUNT], the caller's: passes are measured into it; NULL: they are not
    double pass_began; ///< s of the clock
};

/// Makes the shot of one of the view's cameras into a rectangle.
Shot shot_of(const RenderView *view, RenderCamera kind, int x, int y, int width, int height);

/// Makes the shots of the view's camera, one a pane, for a picture of so many pixels; returns their number.
int shots_of(const RenderView *view, int width, int height, Shot shots[CAMERA_MAX_PANES]);

/// Puts what belongs to a shot's camera into the frame's uniforms and sends them.
void shot_aim(Renderer *renderer, const Shot *shot, const Camera *camera);

/// Draws the prepared frame as `shot` sees it into its rectangle of the target, whose depth there is clear.
void shot_draw(Renderer *renderer, const RenderView *view, const Shot *shot);

/// Draws the renderer's maps of shadows, for pictures taken from `eye` (m). Leaves the target bound; the frame's
/// uniforms must be sent again.
void shot_draw_shadows(Renderer *renderer, const RenderView *view, const float eye[3]);

/// Writes the glasses of the cab's mirrors that show a picture, in the world frame, and returns their number: 0 outside
/// the cab, at low quality, or where mirrors are off.
int shot_mirrors(const Renderer *renderer, const RenderView *view, MirrorGlass glasses[FITTINGS_MAX_MIRRORS]);

/// Binds the frame's uniforms as they are now, and the detail texture that every program reads.
void frame_send_uniforms(const Renderer *renderer);
void frame_set_viewport(FrameUniforms *uniforms, int width, int height); ///< pixels

/// Begins the first pass of a frame.
void frame_begin_passes(Renderer *renderer);
/// Ends a pass: where passes are measured, waits for it and adds its time.
void frame_end_pass(Renderer *renderer, RenderPass pass);

#endif
