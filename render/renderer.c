/// Creates a renderer and draws frames: sends what changed to the GPU, draws the pictures that are due, lays small
/// pictures and panels over them. docs/rendering.md numbers the steps; shot.c draws what one camera sees.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/panels/panels.h"
#include "render/shot.h"

enum { LEAST_SCALED = 240 }; ///< pixels of height below which the scene has all of the screen's. Chosen

/// What the qualities differ in, beside the shaders of LOW. Chosen; docs/rendering.md tells what it saves.
static const struct {
    bool low;
    int shadow_texels[SHADOW_PARTS], shadow_every;
    double scale;
} qualities[RENDER_QUALITY_COUNT] = {
    [RENDER_QUALITY_HIGH] = {false, {SHADOW_TEXELS, SHADOW_TOOL_TEXELS, SHADOW_TOOL_TEXELS}, 1, 1.0},
    [RENDER_QUALITY_MEDIUM] = {false, {SHADOW_TEXELS_LOW, SHADOW_TOOL_TEXELS, 0}, 2, 0.6},
    [RENDER_QUALITY_LOW] = {true, {SHADOW_TEXELS_LOW, 0, 0}, 2, 0.6},
};

const char *const render_pass_names[RENDER_PASS_COUNT] = {
#define X(id, name) #name,
    RENDER_PASSES(X)
#undef X
};

void render_measure(Renderer *renderer, double seconds[RENDER_PASS_COUNT])
{
    renderer->seconds = seconds;
}

/// ---- small pictures ------------------------------------------------------------------------------------------------

// Second cameras in a corner of the view, and what the mirrors of the cab show. Each is kept in a texture of its own
// and drawn again every few frames, in turn: no frame has to draw them all.

/// False with `status` set when a shader does not compile.
static bool insets_create(Insets *insets, const GlShaders *shaders, Status *status)
{
    insets->inset_program = gl_program_create(shaders, "glass", "", status);
    insets->mirror_program =
        insets->inset_program == 0 ? 0 : gl_program_create(shaders, "glass", "#define MIRROR\n", status);
    if (insets->mirror_program == 0) {
        return false;
    }
    insets->corner = glGetUniformLocation(insets->mirror_program, "corner");
    glGenVertexArrays(1, &insets->array);
    return true;
}

static void insets_destroy(Insets *insets)
{
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        stage_destroy(&insets->view[k].stage);
    }
    for (int k = 0; k < FITTINGS_MAX_MIRRORS; k++) {
        stage_destroy(&insets->mirror[k].stage);
    }
    glDeleteProgram(insets->inset_program);
    glDeleteProgram(insets->mirror_program);
    glDeleteVertexArrays(1, &insets->array);
    *insets = (Insets){0};
}

/// Pictures of a frame are drawn in turn: the `turn`th of them.
static bool is_due(const Renderer *renderer, const Inset *inset, int turn)
{
    int every = renderer->low ? 4 : 2; // frames. Chosen
    return renderer->whole || !inset->drawn || (renderer->frames + turn) % every == 0 ||
           renderer->frames - inset->frame >= every;
}

static void refresh_inset(Renderer *renderer, const RenderView *view, Inset *inset, Shot *shot)
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    if (stage_begin(&inset->stage, shot->width, shot->height, renderer->low)) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        shot->stage = &inset->stage;
        shot_draw(renderer, view, shot);
        inset->drawn = true;
        inset->frame = renderer->frames;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

static int to_scene_pixels(const Renderer *renderer, double pixels)
{
    return (int)fmax(round(renderer->scale * pixels), 16.0);
}

static void refresh_views(Renderer *renderer, const RenderView *view, int width, int height)
{
    PanelColumn columns[2];
    panel_columns(view, width, columns);
    double unit = panel_unit(view, columns[0].width, height);
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        Inset *inset = &renderer->insets.view[k];
        bool shown = k < view->inset_count && !view->menu.visible && !view->layout.moves[PANEL_COUNT + k].hidden;
        inset->drawn = inset->drawn && shown && inset->camera == view->insets[k];
        if (shown && is_due(renderer, inset, k)) {
            PanelPlace place = view->layout.monitor_inset == k + 1
                                   ? cab_monitor_rear
                                   : panel_inset(view, k, columns[0].width / unit, height / unit);
            Shot shot = shot_of(view, view->insets[k], 0, 0, to_scene_pixels(renderer, place.width * unit),
                                to_scene_pixels(renderer, place.height * unit));
            shot.coarse = true;
            inset->camera = view->insets[k];
            refresh_inset(renderer, view, inset, &shot);
        }
    }
}

static bool is_in_sight(const MirrorGlass *glass, const Shot *shots, int count)
{
    Vec3 corners[4];
    mirror_corners(glass, corners);
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 4; k++) {
        FloatVec3 at;
        linear_from_vec3(corners[k], at);
        for (int n = 0; n < 3; n++) {
            low[n] = fminf(low[n], at[n]);
            high[n] = fmaxf(high[n], at[n]);
        }
    }
    bool seen = false;
    for (int k = 0; k < count; k++) {
        seen = seen || camera_sees_box((vec4 *)shots[k].camera.planes, low, high);
    }
    return seen;
}

static void refresh_mirrors(Renderer *renderer, const RenderView *view, int height, const Shot *shots, int count)
{
    MirrorGlass glasses[FITTINGS_MAX_MIRRORS];
    int mirror_count = shot_mirrors(renderer, view, glasses);
    Vec3 eye = camera_place(view, RENDER_CAMERA_CAB).eye;
    for (int k = 0; k < FITTINGS_MAX_MIRRORS; k++) {
        Inset *inset = &renderer->insets.mirror[k];
        const MirrorGlass *glass = &glasses[k];
        Shot shot = {.kind = RENDER_CAMERA_CAB, .coarse = true};
        if (k >= mirror_count || !is_in_sight(glass, shots, count) ||
            !camera_of_mirror(glass, eye, &shot.place, &shot.camera)) {
            inset->drawn = false;
        } else if (is_due(renderer, inset, k)) {
            double longer = fmax(glass->width, glass->height); // as many pixels as its glass covers at arm's length
            shot.width = to_scene_pixels(renderer, 0.40 * height * glass->width / longer);
            shot.height = to_scene_pixels(renderer, 0.40 * height * glass->height / longer);
            refresh_inset(renderer, view, inset, &shot);
        }
    }
}

/// Draws the pictures that are due, of a frame that is prepared. Leaves the target bound.
/// height  pixels of the whole picture
/// shots   [count] in which a mirror would be seen
static void insets_refresh(Renderer *renderer, const RenderView *view, int width, int height, const Shot *shots,
                           int count)
{
    refresh_mirrors(renderer, view, height, shots, count);
    refresh_views(renderer, view, width, height);
}

/// Lays an inset over a column of the picture.
static void draw_inset(Renderer *renderer, const PanelPlace *place, double unit, int from, int height)
{
    int x = from + (int)lround(place->x * unit), y = height - (int)lround((place->y + place->height) * unit);
    int w = (int)lround(place->width * unit), h = (int)lround(place->height * unit);
    frame_set_viewport(&renderer->uniforms, w, h);
    frame_send_uniforms(renderer);
    glViewport(x, y, w, h);
    glUseProgram(renderer->insets.inset_program);
    glBindVertexArray(renderer->insets.array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Lays the insets over the picture of width x height pixels.
static void insets_draw(Renderer *renderer, const RenderView *view, int width, int height)
{
    PanelColumn columns[2];
    int count = panel_columns(view, width, columns);
    double unit = panel_unit(view, columns[0].width, height);
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        const Inset *inset = &renderer->insets.view[k];
        PanelPlace place = panel_inset(view, k, columns[0].width / unit, height / unit);
        for (int c = 0; c < count && inset->drawn && place.width > 0.0; c++) {
            glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
            glBindTexture(GL_TEXTURE_2D, inset->stage.color);
            draw_inset(renderer, &place, unit, columns[c].x, height);
        }
    }
    glViewport(0, 0, width, height);
}

/// ---- the monitor ---------------------------------------------------------------------------------------------------

/// Draws the cab's monitor over the picture of width x height pixels, of all of whose shots the camera is in the cab:
/// with the pixels of the screen and not of the scene, so that it can be read at any quality. Nothing in the cab is
/// before it.
static void monitor_draw(Renderer *renderer, const RenderView *view, const Shot *shots, int count, int height)
{
    if (view->machine == NULL || view->camera != RENDER_CAMERA_CAB) {
        return;
    }
    const CabMonitorPlace place = cab_monitor_place(view->machine);
    const Pose *body = &view->body[view->machine->cab_body];
    const MirrorGlass glass = {
        .frame = {pose_apply(body, place.glass.position), mat3_product(&body->rotation, &place.glass.rotation)},
        .width = place.width,
        .height = place.height};
    Vec3 corners[4];
    float places[4][3];
    mirror_corners(&glass, corners);
    for (int k = 0; k < 4; k++) {
        linear_from_vec3(corners[k], places[k]);
    }
    cab_monitor_update(renderer->monitor, view, height);
    for (int k = 0; k < count; k++) {
        shot_aim(renderer, &shots[k], &shots[k].camera);
        glViewport(shots[k].x, shots[k].y, shots[k].width, shots[k].height);
        cab_monitor_draw(renderer->monitor, (const float(*)[3])places);
        int rear = view->layout.monitor_inset - 1;
        if (rear >= 0 && renderer->insets.view[rear].drawn) {
            cab_monitor_draw_rear(renderer->monitor, renderer->insets.view[rear].stage.color,
                                  (const float(*)[3])places);
        }
    }
}

/// ---- creation ------------------------------------------------------------------------------------------------------

static bool create_parts(Renderer *renderer, const GlShaders *shaders, Status *status)
{
    if (epoxy_gl_version() < 33) {
        return status_fail(status, STATUS_LACKING, "OpenGL %d.%d is too old; 3.3 core is needed",
                           epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    }
    renderer->noise = gl_noise_create();
    if (renderer->noise == 0) {
        return status_fail(status, STATUS_LACKING, "renderer: no memory for the noise texture");
    }
    renderer->sky_program = gl_program_create(shaders, "sky", "", status);
    if (renderer->sky_program == 0 || !solid_programs_create(&renderer->solids, shaders, status) ||
        !terrain_shared_create(&renderer->terrain_shared, renderer->low, shaders, status) ||
        !grains_create(&renderer->grains, renderer->low, shaders, status) ||
        (!renderer->low && !crumbs_create(&renderer->crumbs, shaders, status)) ||
        (!renderer->low && !grass_create(&renderer->grass, shaders, status)) ||
        !line_batch_create(&renderer->lines, shaders, status) ||
        !section_face_create(&renderer->section, shaders, status) ||
        !landscape_create(&renderer->landscape, renderer->low, shaders, status) ||
        !rain_create(&renderer->rain, renderer->low, shaders, status) ||
        (!renderer->low && !dust_create(&renderer->dust, shaders, status)) ||
        !insets_create(&renderer->insets, shaders, status)) {
        return false;
    }
    const double rate = renderer->low ? 7.0 : 15.0; // 1/s
    renderer->overlay = overlay_create(shaders, rate, status);
    renderer->monitor = renderer->overlay != NULL ? cab_monitor_create(shaders, rate, status) : NULL;
    glGenVertexArrays(1, &renderer->empty_array);
    glGenBuffers(1, &renderer->frame_buffer);
    return renderer->monitor != NULL;
}

Renderer *render_create(const RenderParams *params, Status *status)
{
    Renderer *renderer = calloc(1, sizeof(*renderer));
    if (renderer == NULL) {
        status_fail(status, STATUS_LACKING, "renderer: out of memory");
        return NULL;
    }
    renderer->low = qualities[params->quality].low;
    renderer->scale = qualities[params->quality].scale;
    renderer->fineness = 1.0;
    renderer->shadow_every = qualities[params->quality].shadow_every;
    GlShaders shaders = {.folder = params->shader_folder, .defines = renderer->low ? "#define LOW\n" : ""};
    if (!create_parts(renderer, &shaders, status)) {
        render_destroy(renderer);
        return NULL;
    }
    shadow_create(&renderer->shadow, qualities[params->quality].shadow_texels, params->no_shadow_map);
    status_good(status);
    return renderer;
}

void render_set_fineness(Renderer *renderer, double share, bool whole)
{
    renderer->fineness = share;
    renderer->whole = whole;
}

const char *render_lack(const Renderer *renderer)
{
    return renderer->shadow.framebuffer != 0 ? NULL : "OpenGL cannot draw into a depth texture here: no shadows";
}

bool render_is_lost(void)
{
    // Without this part of OpenGL a context is never said to be lost. It is core since 4.5, under the same name.
    bool told = epoxy_gl_version() >= 45 || epoxy_has_gl_extension("GL_KHR_robustness");
    if (told) {
        return glGetGraphicsResetStatus() != GL_NO_ERROR;
    }
    return epoxy_has_gl_extension("GL_ARB_robustness") && glGetGraphicsResetStatusARB() != GL_NO_ERROR;
}

void render_destroy(Renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    overlay_destroy(renderer->overlay);
    cab_monitor_destroy(renderer->monitor);
    line_batch_destroy(&renderer->lines);
    section_face_destroy(&renderer->section);
    insets_destroy(&renderer->insets);
    grains_destroy(&renderer->grains);
    crumbs_destroy(&renderer->crumbs);
    grass_destroy(&renderer->grass);
    rock_model_destroy(&renderer->rocks);
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        terrain_destroy(&renderer->terrain[k]);
    }
    terrain_shared_destroy(&renderer->terrain_shared);
    machine_model_destroy(&renderer->machine);
    machine_model_destroy(&renderer->ghost);
    truck_model_destroy(&renderer->trucks);
    fixture_model_destroy(&renderer->fixtures);
    person_model_destroy(&renderer->persons);
    load_model_destroy(&renderer->loads);
    water_model_destroy(&renderer->water);
    thing_model_destroy(&renderer->things);
    tool_model_destroy(&renderer->tools);
    staff_model_destroy(&renderer->staffs);
    landscape_destroy(&renderer->landscape);
    rain_destroy(&renderer->rain);
    dust_destroy(&renderer->dust);
    solid_programs_destroy(&renderer->solids);
    shadow_destroy(&renderer->shadow);
    stage_destroy(&renderer->stage);
    for (int k = 0; k < RENDER_MAX_BESIDE; k++) {
        stage_destroy(&renderer->beside[k]);
    }
    glDeleteProgram(renderer->sky_program);
    glDeleteTextures(1, &renderer->noise);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->empty_array);
    free(renderer);
}

/// ---- preparation ---------------------------------------------------------------------------------------------------

/// Sends what changed of a grid. After render_forget that is what differs from what was sent last: the grid itself
/// knows only what changed on its own site.
static void update_grid(Renderer *renderer, const RenderView *view, int k, bool forget)
{
    Terrain *terrain = &renderer->terrain[k];
    RenderGrid grid = view->grids[k];
    bool compared = renderer->forgot && grid.height != NULL;
    if (compared) {
        DirtyRectangle changed = grid_copy_update(&terrain->copy, &grid);
        grid.all_dirty = false;
        grid.dirty_row_min = changed.first_row;
        grid.dirty_row_max = changed.first_row + changed.rows - 1;
        grid.dirty_column_min = changed.first_column;
        grid.dirty_column_max = changed.first_column + changed.columns - 1;
    } else {
        grid_copy_free(&terrain->copy);
    }
    terrain_update(terrain, &grid, view->scene, forget, renderer->low, renderer->low && k == 0);
    if (compared) {
        terrain_update_far_color(terrain, &grid);
    }
}

/// Sends what changed of the grids; all of it when the soils are others.
static void update_grids(Renderer *renderer, const RenderView *view)
{
    bool forget = !renderer->has_scene || memcmp(renderer->soils, view->scene->soils, sizeof(renderer->soils)) != 0;
    if (forget) {
        memcpy(renderer->soils, view->scene->soils, sizeof(renderer->soils));
        renderer->has_scene = true;
    }
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        if (k < view->grid_count) {
            update_grid(renderer, view, k, forget);
        } else {
            terrain_destroy(&renderer->terrain[k]);
        }
    }
    if (view->grid_count > 0 && view->grade.colors) {
        terrain_update_design(&renderer->terrain[0], &view->grids[0], &view->grade);
    }
}

/// Fills what all pictures of the frame share.
static void fill_shared_uniforms(FrameUniforms *uniforms, const RenderView *view, const Shadows *shadows,
                                 const Daylight *daylight)
{
    memset(uniforms, 0, sizeof(*uniforms));
    glm_mat4_copy((vec4 *)shadows->light[SHADOW_SITE], uniforms->light_projection);
    uniforms->shadows = shadows->uniforms;
    memcpy(uniforms->sun, daylight->to_light, 3 * sizeof(float));
    uniforms->daylight = daylight->uniforms;
    lamps_compute(view, daylight->lamps, &uniforms->lamps);
    occluders_compute(view, &uniforms->occluders);
}

/// Sends what changed of everything but the grids.
static void update_models(Renderer *renderer, const RenderView *view)
{
    truck_model_follow(&renderer->trucks, view->scene);
    fixture_model_follow(&renderer->fixtures, view->scene, view->falls);
    person_model_follow(&renderer->persons);
    load_model_follow(&renderer->loads, view->load_count);
    water_model_follow(&renderer->water, &view->water);
    thing_model_follow(&renderer->things, view->thing_count);
    tool_model_follow(&renderer->tools, view);
    machine_model_follow(&renderer->machine, view->machine);
    machine_model_follow(&renderer->ghost, view->ghost.machine);
    const MachineStand stand = machine_stand_of_view(view);
    machine_model_bend(&renderer->machine, &stand, renderer->low);
    rock_model_follow(&renderer->rocks, &view->rocks, renderer->low);
    staff_model_follow(&renderer->staffs, view);
    landscape_follow(&renderer->landscape, view->scene);
}

/// Sends what changed of the view to the GPU and draws the maps of shadows, for pictures of which `main` is the most
/// important: fineness goes by its eye. Leaves the target bound.
static void prepare_frame(Renderer *renderer, const RenderView *view, const Shot *main)
{
    SceneWeather weather = view->scene->weather;
    weather.visibility = view->visibility > 0.0 ? view->visibility : weather.visibility;
    daylight_compute(&weather, &renderer->daylight);
    renderer->daylight.lamps = view->lamps == RENDER_LAMPS_OFF  ? 0.0
                               : view->lamps == RENDER_LAMPS_ON ? 1.0
                                                                : renderer->daylight.lamps;
    bool keeps_shadow = !renderer->whole && renderer->frames % renderer->shadow_every != 0;
    if (!keeps_shadow) {
        shadows_place(&renderer->shadows, view, &renderer->shadow, &renderer->daylight);
    }
    fill_shared_uniforms(&renderer->uniforms, view, &renderer->shadows, &renderer->daylight);
    renderer->uniforms.sun[3] = 2.0f * SHADOW_RADIUS / (float)renderer->shadow.texels[SHADOW_SITE];
    update_grids(renderer, view);
    update_models(renderer, view);
    const Camera *camera = &main->camera;
    grains_update(&renderer->grains, view, camera->eye,
                  renderer->low ? 0.0 : main->height / (2.0 * tan(0.5 * (double)camera->field_of_view)));
    if (!renderer->low) {
        crumbs_update(&renderer->crumbs, view, camera);
        grass_update(&renderer->grass, view, camera);
        dust_update(&renderer->dust, view);
    }
    frame_send_uniforms(renderer);
    frame_end_pass(renderer, RENDER_PASS_UPLOAD);
    if (!keeps_shadow && renderer->shadow.framebuffer != 0) {
        shot_draw_shadows(renderer, view, camera->eye);
    }
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

static void begin_frame(void)
{
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_MULTISAMPLE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glClearColor(0.05f, 0.06f, 0.07f, 1.0f);
}

static void clear_target(int width, int height)
{
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/// Pixels of the scene for each of the screen, along a side.
static double scale_of(const Renderer *renderer, int height)
{
    double scale = (int)(renderer->scale * height) >= LEAST_SCALED ? renderer->scale : 1.0;
    return fmax(scale * renderer->fineness, fmin(scale, (double)LEAST_SCALED / height));
}

/// Prepares the frame once and draws a picture of it for each pane; where the scene has fewer pixels than the screen,
/// into a smaller picture, which is then stretched.
static void draw_scene(Renderer *renderer, const RenderView *view, int width, int height)
{
    GLint target = 0;
    Shot shots[CAMERA_MAX_PANES];
    double scale = scale_of(renderer, height);
    int own_width = (int)fmax(scale * width, 1.0), own_height = (int)fmax(scale * height, 1.0);
    bool scaled = scale < 1.0 || renderer->low; // low quality needs the stage for the ground
    int count = shots_of(view, own_width, own_height, shots);
    prepare_frame(renderer, view, &shots[count / 2]);
    insets_refresh(renderer, view, width, height, shots, count);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    scaled = scaled && stage_begin(&renderer->stage, own_width, own_height, renderer->low);
    if (!scaled && own_width != width) { // the driver cannot draw into a smaller picture
        count = shots_of(view, width, height, shots);
    }
    if (scaled && renderer->frames == 0) {
        stage_clear_places(&renderer->stage);
    }
    clear_target(scaled ? own_width : width, scaled ? own_height : height);
    for (int k = 0; k < count; k++) {
        shots[k].stage = scaled ? &renderer->stage : NULL;
        shot_draw(renderer, view, &shots[k]);
    }
    if (scaled) {
        stage_end(&renderer->stage, (GLuint)target, width, height);
    }
    renderer->shot = shots[count / 2];
    glDisable(GL_DEPTH_TEST);
    count = shots_of(view, width, height, shots);
    monitor_draw(renderer, view, shots, count, height);
    insets_draw(renderer, view, width, height);
}

void render_draw(Renderer *renderer, const RenderView *view, int width, int height)
{
    if (width < 1 || height < 1) {
        return;
    }
    frame_begin_passes(renderer);
    begin_frame();
    if (view->scene != NULL) {
        draw_scene(renderer, view, width, height);
    } else {
        clear_target(width, height);
        renderer->shot = (Shot){0};
    }
    frame_set_viewport(&renderer->uniforms, width, height);
    frame_send_uniforms(renderer);
    glDisable(GL_DEPTH_TEST);
    overlay_draw(renderer->overlay, view, view->scene != NULL, width, height);
    frame_end_pass(renderer, RENDER_PASS_PANELS);
    renderer->frames++;
    renderer->forgot = false;
    glBindVertexArray(0);
    glUseProgram(0);
}

void render_forget(Renderer *renderer)
{
    renderer->forgot = true;
    renderer->frames = 0; // of several frames with one map of shadows, the one that draws it
    for (int k = 0; k < RENDER_MAX_INSETS; k++) {
        renderer->insets.view[k].drawn = false;
    }
    for (int k = 0; k < FITTINGS_MAX_MIRRORS; k++) {
        renderer->insets.mirror[k].drawn = false;
    }
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        renderer->terrain[k].design_key = 0;
    }
    overlay_forget(renderer->overlay);
    cab_monitor_forget(renderer->monitor);
}

/// Metres along the axis of a camera for a depth of OpenGL, 0..1: solves z of the projection's third row,
///
///     2 depth - 1 = (p22 (-z) + p32) / w,   w = z with perspective, 1 without
static double distance_of(const Camera *camera, bool flat, double depth)
{
    double p22 = (double)camera->projection[2][2], p32 = (double)camera->projection[3][2], ndc = 2.0 * depth - 1.0;
    return flat ? (p32 - ndc) / p22 : p32 / (ndc + p22);
}

bool render_read_depth(const Renderer *renderer, int width, int height, float *depth, Status *status)
{
    const Shot *shot = &renderer->shot;
    if (shot->height == 0) {
        return status_fail(status, STATUS_LACKING, "a picture without a scene has no depth");
    }
    size_t pixels = (size_t)shot->width * (size_t)shot->height;
    uint32_t *stored = malloc(pixels * sizeof *stored);
    if (stored == NULL) {
        return status_fail(status, STATUS_LACKING, "no memory for the depth of %d x %d pixels", width, height);
    }
    gl_read_depth(shot->stage, shot->width, shot->height, stored);
    bool flat = !(shot->place.field_of_view > 0.0);
    for (int y = 0; y < height; y++) {
        int64_t row = ((int64_t)(height - 1 - y) * 2 + 1) * shot->height / (2 * (int64_t)height); // from the lower edge
        for (int x = 0; x < width; x++) {
            int64_t column = ((int64_t)x * 2 + 1) * shot->width / (2 * (int64_t)width);
            uint32_t value = stored[row * shot->width + column];
            depth[(size_t)y * (size_t)width + (size_t)x] =
                value == UINT32_MAX ? INFINITY : (float)distance_of(&shot->camera, flat, value / (double)UINT32_MAX);
        }
    }
    free(stored);
    return status_good(status);
}

void render_wait(void)
{
    glFinish();
}

void render_draw_beside(Renderer *renderer, const RenderView *view, int k, int width, int height)
{
    GLint target = 0;
    if (width < 1 || height < 1) {
        return;
    }
    begin_frame();
    if (view->scene == NULL || !renderer->has_scene) {
        clear_target(width, height);
        return;
    }
    double scale = scale_of(renderer, height);
    int own_width = (int)fmax(scale * width, 1.0), own_height = (int)fmax(scale * height, 1.0);
    bool scaled = scale < 1.0 || renderer->low;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    scaled = scaled && stage_begin(&renderer->beside[k], own_width, own_height, renderer->low);
    own_width = scaled ? own_width : width;
    own_height = scaled ? own_height : height;
    clear_target(own_width, own_height);
    Shot shot = shot_of(view, view->camera, 0, 0, own_width, own_height);
    shot.stage = scaled ? &renderer->beside[k] : NULL;
    shot_draw(renderer, view, &shot);
    if (scaled) {
        stage_end(&renderer->beside[k], (GLuint)target, width, height);
    }
    glDisable(GL_DEPTH_TEST);
    shot = shot_of(view, view->camera, 0, 0, width, height);
    monitor_draw(renderer, view, &shot, 1, height);
    glBindVertexArray(0);
    glUseProgram(0);
}
