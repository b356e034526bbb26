/// Draws one frame in the order that README.md of this floor numbers: sends what changed to the GPU, draws everything
/// into the sun's shadow map, then ground, particles, rocks, trucks, machine, sky, lines, glass and panels into the
/// caller's framebuffer. What is drawn and how is in the rooms' own files; here is only the order and what all programs
/// share.
#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/gpu/shadow.h"
#include "render/gpu/stage.h"
#include "render/models/fixture_model.h"
#include "render/scene/load_model.h"
#include "render/models/machine_model.h"
#include "render/models/rock_model.h"
#include "render/models/truck_model.h"
#include "render/panels/overlay.h"
#include "render/scene/camera.h"
#include "render/scene/line_batch.h"
#include "render/scene/noise.h"
#include "render/scene/particle_spheres.h"
#include "render/scene/terrain.h"
#include "render/world/daylight.h"

// Low quality: pixels of the scene for each of the screen, along a side, and the height below which it has all of them.
#define LOW_SCALE 0.75
enum { LOW_LEAST = 240 };

/// The uniform block "Frame" of common.glsl (std140).
typedef struct FrameUniforms {
    mat4 view_projection, inverse_view_projection, light_projection;
    float eye[4], sun[4], viewport[4];
    float occluder[3][4], occluder_size[3][4];
    DaylightUniforms daylight;
    float lamp[4][4], lamp_aim[4][4];
} FrameUniforms;

struct Renderer {
    bool low; ///< the quality
    GLuint noise, frame_buffer, sky_program, empty_array;
    Shadow shadow;
    Stage stage; ///< of low quality
    int frames; ///< drawn
    mat4 light; ///< with which the shadow map was drawn
    SolidPrograms solids;
    TerrainShared terrain_shared;
    Terrain terrain[RENDER_MAX_GRIDS];
    ParticleSpheres spheres;
    RockModel rocks;
    MachineModel machine, ghost;
    TruckModel trucks;
    FixtureModel fixtures;
    LoadModel loads;
    LineBatch lines;
    Overlay *overlay;
    bool has_scene; ///< the grids hold the colours of `soils`
    SoilParams soils[SCENE_MAX_SOILS];
    double *seconds; ///< [RENDER_PASS_COUNT] that passes are measured into; NULL: they are not
    double pass_began; ///< s of the clock
};

const char *const render_pass_names[RENDER_PASS_COUNT] = {
#define X(id, name) #name,
    RENDER_PASSES(X)
#undef X
};

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// A pass is over: where passes are measured it is waited for.
static void end_pass(Renderer *renderer, RenderPass pass)
{
    if (renderer->seconds != NULL) {
        glFinish();
        double now = clock_now();
        renderer->seconds[pass] += now - renderer->pass_began;
        renderer->pass_began = now;
    }
}

void render_measure(Renderer *renderer, double seconds[RENDER_PASS_COUNT])
{
    renderer->seconds = seconds;
}

static bool create_noise(Renderer *renderer, Status *status)
{
    uint8_t *rgba = calloc((size_t)NOISE_SIZE * NOISE_SIZE, 4);
    if (rgba == NULL) {
        return status_fail(status, STATUS_LACKING, "renderer: no memory for the noise texture");
    }
    noise_fill(rgba);
    glGenTextures(1, &renderer->noise);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_NOISE);
    glBindTexture(GL_TEXTURE_2D, renderer->noise);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, NOISE_SIZE, NOISE_SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    gl_texture_sampling(GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
    glGenerateMipmap(GL_TEXTURE_2D);
    free(rgba);
    return true;
}

static bool create_parts(Renderer *renderer, const GlShaders *shaders, Status *status)
{
    if (epoxy_gl_version() < 33) {
        return status_fail(status, STATUS_LACKING, "OpenGL %d.%d is too old; 3.3 core is needed",
                           epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    }
    renderer->sky_program = gl_program_create(shaders, "sky", "", status);
    if (renderer->sky_program == 0 || !create_noise(renderer, status) ||
        !shadow_create(&renderer->shadow, renderer->low ? SHADOW_TEXELS_LOW : SHADOW_TEXELS, status) ||
        !solid_programs_create(&renderer->solids, shaders, status) ||
        !terrain_shared_create(&renderer->terrain_shared, shaders, status) ||
        !particle_spheres_create(&renderer->spheres, renderer->low, shaders, status) ||
        !line_batch_create(&renderer->lines, shaders, status)) {
        return false;
    }
    renderer->overlay = overlay_create(shaders, status);
    glGenVertexArrays(1, &renderer->empty_array);
    glGenBuffers(1, &renderer->frame_buffer);
    return renderer->overlay != NULL;
}

Renderer *render_create(const char *shader_folder, RenderQuality quality, Status *status)
{
    Renderer *renderer = calloc(1, sizeof(*renderer));
    if (renderer == NULL) {
        status_fail(status, STATUS_LACKING, "renderer: out of memory");
        return NULL;
    }
    renderer->low = quality == RENDER_QUALITY_LOW;
    GlShaders shaders = {.folder = shader_folder, .defines = renderer->low ? "#define LOW\n" : ""};
    if (!create_parts(renderer, &shaders, status)) {
        render_destroy(renderer);
        return NULL;
    }
    status_good(status);
    return renderer;
}

void render_destroy(Renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    overlay_destroy(renderer->overlay);
    line_batch_destroy(&renderer->lines);
    particle_spheres_destroy(&renderer->spheres);
    rock_model_destroy(&renderer->rocks);
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        terrain_destroy(&renderer->terrain[k]);
    }
    terrain_shared_destroy(&renderer->terrain_shared);
    machine_model_destroy(&renderer->machine);
    machine_model_destroy(&renderer->ghost);
    truck_model_destroy(&renderer->trucks);
    fixture_model_destroy(&renderer->fixtures);
    load_model_destroy(&renderer->loads);
    solid_programs_destroy(&renderer->solids);
    shadow_destroy(&renderer->shadow);
    stage_destroy(&renderer->stage);
    glDeleteProgram(renderer->sky_program);
    glDeleteTextures(1, &renderer->noise);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->empty_array);
    free(renderer);
}

/// Sends what changed of the grids; all of it when the soils are others.
static void follow_grids(Renderer *renderer, const RenderView *view)
{
    bool forget = !renderer->has_scene || memcmp(renderer->soils, view->scene->soils, sizeof(renderer->soils)) != 0;
    if (forget) {
        memcpy(renderer->soils, view->scene->soils, sizeof(renderer->soils));
        renderer->has_scene = true;
    }
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        if (k < view->grid_count) {
            terrain_update(&renderer->terrain[k], &view->grids[k], view->scene, forget);
        } else {
            terrain_destroy(&renderer->terrain[k]);
        }
    }
    if (view->grid_count > 0 && view->grade.colors) {
        terrain_follow_design(&renderer->terrain[0], &view->grids[0], &view->grade);
    }
}

/// Puts a standing body that takes light from the ground near it into the frame.
static void set_occluder(FrameUniforms *frame, int index, Vec3 at, double heading, double half_length,
                         double half_width, float strength)
{
    const float place[4] = {(float)at.x, (float)at.y, (float)cos(heading), (float)sin(heading)};
    const float size[4] = {(float)half_length, (float)half_width, strength, 1.1f};
    memcpy(frame->occluder[index], place, sizeof(place));
    memcpy(frame->occluder_size[index], size, sizeof(size));
}

static void set_viewport(FrameUniforms *frame, int width, int height)
{
    const float viewport[4] = {(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height};
    memcpy(frame->viewport, viewport, sizeof(viewport));
}

static void fill_frame(FrameUniforms *frame, const RenderView *view, const Camera *camera, mat4 light,
                       const Daylight *daylight, int shadow_texels, int width, int height)
{
    memset(frame, 0, sizeof(*frame));
    glm_mat4_copy((vec4 *)camera->view_projection, frame->view_projection);
    glm_mat4_copy((vec4 *)camera->inverse, frame->inverse_view_projection);
    glm_mat4_copy(light, frame->light_projection);
    memcpy(frame->eye, camera->eye, 3 * sizeof(float));
    memcpy(frame->sun, daylight->to_light, 3 * sizeof(float));
    frame->daylight = daylight->uniforms;
    frame->sun[3] = 2.0f * SHADOW_RADIUS / (float)shadow_texels;
    set_viewport(frame, width, height);
    frame->occluder_size[0][3] = frame->occluder_size[1][3] = frame->occluder_size[2][3] = 1.0f;
    if (view->machine != NULL) {
        const Pose *pose = &view->body[MACHINE_BASE];
        set_occluder(frame, 0, pose->position, atan2(pose->rotation.m[1][0], pose->rotation.m[0][0]),
                     0.5 * view->machine->tracks.length - 0.45, 0.5 * view->machine->tracks.gauge - 0.1, 0.62f);
    }
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int count = truck_model_places(view, trucks);
    for (int k = 0; k < count; k++) {
        const SceneTruck *truck = &view->scene->exercise.truck;
        const Pose *chassis = &trucks[k].chassis;
        Vec3 at = pose_apply(chassis, vec3(1.0, 0.0, 0.0));
        set_occluder(frame, 1 + k, at, atan2(chassis->rotation.m[1][0], chassis->rotation.m[0][0]),
                     0.5 * truck->bed_length + 0.8, 0.5 * truck->bed_width - 0.4, 0.62f);
    }
}

/// Binds the frame's uniforms and the detail texture that every program reads.
static void send_frame(const Renderer *renderer, const FrameUniforms *frame)
{
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizeof(*frame), frame, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_FRAME_BINDING, renderer->frame_buffer);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_NOISE);
    glBindTexture(GL_TEXTURE_2D, renderer->noise);
}

/// What all solids of a pass share: the dust on them has the colour of the site's uppermost soil.
static SolidPass solid_pass(const Renderer *renderer, const SceneParams *scene, bool depth)
{
    SolidPass pass = {
        .programs = &renderer->solids, .depth = depth, .plain = renderer->low, .dust = {0.0f, 0.0f, 0.0f, 0.85f}};
    int soil = scene->ground.layer_count > 0 ? scene->ground.layers[0].soil_index : 0;
    soil = soil >= 0 && soil < scene->soil_count ? soil : 0;
    for (int k = 0; k < 3; k++) {
        pass.dust[k] = 0.5f * (scene->soils[soil].color_weathered[k] + scene->soils[soil].color_fresh[k]) * 1.05f;
    }
    return pass;
}

/// Draws everything that throws a shadow, into the shadow map (`depth`) or the picture.
static void draw_solids(Renderer *renderer, const RenderView *view, vec4 planes[6], const float eye[3], bool depth)
{
    SolidPass solids = solid_pass(renderer, view->scene, depth);
    for (int k = 0; k < view->grid_count && k < RENDER_MAX_GRIDS; k++) {
        bool colored = k == 0 && !depth && view->grade.colors && view->grade.design != NULL;
        TerrainPass pass = {.depth = depth,
                            .tray = k > 0,
                            .tolerance = colored ? (float)view->grade.tolerance : 0.0f,
                            .reach = renderer->low ? TERRAIN_REACH_LOW : TERRAIN_REACH,
                            .least = renderer->low && depth && k == 0 ? 1 : 0,
                            .planes = planes,
                            .eye = {eye[0], eye[1], eye[2]}};
        terrain_draw(&renderer->terrain[k], &renderer->terrain_shared, &view->grids[k], &pass);
    }
    end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_GROUND);
    particle_spheres_draw(&renderer->spheres, view->scene, depth);
    end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_GRAINS);
    glEnable(GL_CULL_FACE);
    rock_model_draw(&renderer->rocks, &solids, &view->rocks);
    fixture_model_draw(&renderer->fixtures, &solids);
    load_model_draw(&renderer->loads, &solids, view);
    truck_model_draw(&renderer->trucks, &solids, view);
    MachineStand stand = machine_stand_of_view(view);
    machine_model_draw(&renderer->machine, &solids, &stand);
    glDisable(GL_CULL_FACE);
    end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_MACHINES);
}

static void draw_shadow(Renderer *renderer, const RenderView *view, vec4 planes[6], const float eye[3])
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    shadow_begin(&renderer->shadow);
    draw_solids(renderer, view, planes, eye, true);
    shadow_end();
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

static void draw_sky(const Renderer *renderer)
{
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glUseProgram(renderer->sky_program);
    glBindVertexArray(renderer->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
}

static void draw_lines(const Renderer *renderer, const RenderView *view, double thickness)
{
    const double lift = 0.02; // m over the ground
    const RenderDebug *debug = &view->debug;
    line_batch_draw(&renderer->lines, view->lines, view->line_count, thickness, lift);
    if (debug->visible) {
        line_batch_draw(&renderer->lines, debug->ground_lines, debug->ground_line_count, thickness, lift);
        glDisable(GL_DEPTH_TEST);
        line_batch_draw(&renderer->lines, debug->force_lines, debug->force_line_count, thickness, 0.0);
        glEnable(GL_DEPTH_TEST);
    }
}

/// The sun's camera looks at a place 3 m ahead of the cab's body: the work lies there.
static void place_sun(const RenderView *view, int texels, FloatVec3 to_light, mat4 light, vec4 planes[6])
{
    const Pose *house = &view->body[view->machine != NULL ? view->machine->cab_body : MACHINE_BASE];
    FloatVec3 middle;
    linear_from_vec3(vec3_madd(house->position, 3.0, vec3(house->rotation.m[0][0], house->rotation.m[1][0], 0.0)),
                     middle);
    camera_compute_sun(middle, to_light, SHADOW_RADIUS, texels, light, planes);
}

static void draw_scene(Renderer *renderer, const RenderView *view, int width, int height)
{
    Camera camera;
    mat4 light;
    vec4 light_planes[6];
    Daylight daylight;
    FrameUniforms frame;
    daylight_compute(&view->scene->weather, &daylight);
    camera_compute(view, (double)width / height, &camera);
    place_sun(view, renderer->shadow.texels, daylight.to_light, light, light_planes);
    // At low quality every second frame has the shadows of the one before.
    bool keeps_shadow = renderer->low && renderer->frames % 2 == 1;
    glm_mat4_copy(keeps_shadow ? renderer->light : light, keeps_shadow ? light : renderer->light);
    fill_frame(&frame, view, &camera, light, &daylight, renderer->shadow.texels, width, height);
    follow_grids(renderer, view);
    truck_model_follow(&renderer->trucks, view->scene);
    fixture_model_follow(&renderer->fixtures, view->scene, view->person_ground);
    load_model_follow(&renderer->loads, view->load_count);
    machine_model_follow(&renderer->machine, view->machine);
    machine_model_follow(&renderer->ghost, view->ghost.machine);
    rock_model_follow(&renderer->rocks, &view->rocks);
    particle_spheres_update(&renderer->spheres, &view->particles, camera.eye,
                            renderer->low ? 0.0 : height / (2.0 * tan(0.5 * (double)camera.field_of_view)));
    send_frame(renderer, &frame);
    end_pass(renderer, RENDER_PASS_UPLOAD);
    if (!keeps_shadow) {
        draw_shadow(renderer, view, light_planes, camera.eye);
    }
    glViewport(0, 0, width, height);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow.texture);
    draw_solids(renderer, view, camera.planes, camera.eye, false);
    draw_sky(renderer);
    draw_lines(renderer, view, fmax(1.5, height / 360.0));
    SolidPass solids = solid_pass(renderer, view->scene, false);
    MachineStand ghost = machine_stand_of_ghost(view);
    machine_model_draw_ghost(&renderer->ghost, &solids, &ghost);
    if (view->camera != RENDER_CAMERA_CAB) {
        machine_model_draw_glass(&renderer->machine, &solids, view);
    }
    end_pass(renderer, RENDER_PASS_SKY);
}

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
}

static void clear(int width, int height)
{
    glViewport(0, 0, width, height);
    glClearColor(0.05f, 0.06f, 0.07f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/// At low quality into a smaller picture, which is then stretched.
static void draw_scaled_scene(Renderer *renderer, const RenderView *view, int width, int height)
{
    GLint target = 0;
    int less_width = (int)(LOW_SCALE * width), less_height = (int)(LOW_SCALE * height);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    bool scaled = renderer->low && less_height >= LOW_LEAST && stage_begin(&renderer->stage, less_width, less_height);
    clear(scaled ? less_width : width, scaled ? less_height : height);
    draw_scene(renderer, view, scaled ? less_width : width, scaled ? less_height : height);
    if (scaled) {
        stage_end(&renderer->stage, (GLuint)target, width, height);
        glViewport(0, 0, width, height);
    }
}

void render_draw(Renderer *renderer, const RenderView *view, int width, int height)
{
    if (width < 1 || height < 1) {
        return;
    }
    renderer->pass_began = renderer->seconds != NULL ? clock_now() : 0.0;
    begin_frame();
    if (view->scene != NULL) {
        draw_scaled_scene(renderer, view, width, height);
    } else {
        FrameUniforms frame = {0};
        clear(width, height);
        set_viewport(&frame, width, height);
        send_frame(renderer, &frame);
    }
    glDisable(GL_DEPTH_TEST);
    overlay_draw(renderer->overlay, view, view->scene != NULL, width, height);
    end_pass(renderer, RENDER_PASS_PANELS);
    renderer->frames++;
    glBindVertexArray(0);
    glUseProgram(0);
}
