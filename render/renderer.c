/// Draws one frame in the order that docs/rendering.md numbers: prepares what its pictures share, draws them, and
/// lays the panels over them. What is drawn and how is in the rooms' own files; here is only the order.
#include "render/shot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/scene/noise.h"

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

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void frame_end_pass(Renderer *renderer, RenderPass pass)
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
        !solid_programs_create(&renderer->solids, shaders, status) ||
        !terrain_shared_create(&renderer->terrain_shared, renderer->low, shaders, status) ||
        !grains_create(&renderer->grains, renderer->low, shaders, status) ||
        (!renderer->low && !crumbs_create(&renderer->crumbs, shaders, status)) ||
        !line_batch_create(&renderer->lines, shaders, status) ||
        !section_face_create(&renderer->section, shaders, status) ||
        !landscape_create(&renderer->landscape, renderer->low, shaders, status) ||
        !rain_create(&renderer->rain, renderer->low, shaders, status) ||
        (!renderer->low && !dust_create(&renderer->dust, shaders, status)) ||
        !insets_create(&renderer->insets, shaders, status)) {
        return false;
    }
    renderer->overlay = overlay_create(shaders, renderer->low ? 7.0 : 15.0, status);
    glGenVertexArrays(1, &renderer->empty_array);
    glGenBuffers(1, &renderer->frame_buffer);
    return renderer->overlay != NULL;
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
    line_batch_destroy(&renderer->lines);
    section_face_destroy(&renderer->section);
    insets_destroy(&renderer->insets);
    grains_destroy(&renderer->grains);
    crumbs_destroy(&renderer->crumbs);
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

void frame_set_viewport(FrameUniforms *uniforms, int width, int height)
{
    const float viewport[4] = {(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height};
    memcpy(uniforms->viewport, viewport, sizeof(viewport));
}

void frame_send_uniforms(const Renderer *renderer)
{
    const FrameUniforms *frame = &renderer->uniforms;
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizeof(*frame), frame, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_FRAME_BINDING, renderer->frame_buffer);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_NOISE);
    glBindTexture(GL_TEXTURE_2D, renderer->noise);
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
    glClearColor(0.05f, 0.06f, 0.07f, 1.0f);
}

static void clear(int width, int height)
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
    frame_prepare(renderer, view, &shots[count / 2]);
    insets_refresh(renderer, view, width, height, shots, count);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    scaled = scaled && stage_begin(&renderer->stage, own_width, own_height, renderer->low);
    if (!scaled && own_width != width) { // the driver cannot draw into a smaller picture
        count = shots_of(view, width, height, shots);
    }
    clear(scaled ? own_width : width, scaled ? own_height : height);
    for (int k = 0; k < count; k++) {
        shots[k].stage = scaled ? &renderer->stage : NULL;
        shot_draw(renderer, view, &shots[k]);
    }
    if (scaled) {
        stage_end(&renderer->stage, (GLuint)target, width, height);
    }
    glDisable(GL_DEPTH_TEST);
    insets_draw(renderer, view, width, height);
}

void render_draw(Renderer *renderer, const RenderView *view, int width, int height)
{
    if (width < 1 || height < 1) {
        return;
    }
    renderer->pass_began = renderer->seconds != NULL ? clock_now() : 0.0;
    begin_frame();
    if (view->scene != NULL) {
        draw_scene(renderer, view, width, height);
    } else {
        clear(width, height);
    }
    frame_set_viewport(&renderer->uniforms, width, height);
    frame_send_uniforms(renderer);
    glDisable(GL_DEPTH_TEST);
    overlay_draw(renderer->overlay, view, view->scene != NULL, width, height);
    frame_end_pass(renderer, RENDER_PASS_PANELS);
    renderer->frames++;
    glBindVertexArray(0);
    glUseProgram(0);
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
        clear(width, height);
        return;
    }
    double scale = scale_of(renderer, height);
    int own_width = (int)fmax(scale * width, 1.0), own_height = (int)fmax(scale * height, 1.0);
    bool scaled = scale < 1.0 || renderer->low;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    scaled = scaled && stage_begin(&renderer->beside[k], own_width, own_height, renderer->low);
    own_width = scaled ? own_width : width;
    own_height = scaled ? own_height : height;
    clear(own_width, own_height);
    Shot shot = shot_of(view, view->camera, 0, 0, own_width, own_height);
    shot.stage = scaled ? &renderer->beside[k] : NULL;
    shot_draw(renderer, view, &shot);
    if (scaled) {
        stage_end(&renderer->beside[k], (GLuint)target, width, height);
    }
    glBindVertexArray(0);
    glUseProgram(0);
}
