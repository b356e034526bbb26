/// OpenGL helpers: compiles shader programs, makes the detail texture, off-screen targets and shadow maps, and reads
/// pictures back. A shader is one file of data/shaders that holds both stages, put behind common.glsl and a few
/// #defines, so that variants (into the shadow map, blurred, of a belt's shoes) share their source.
#include "render/gpu.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "data/core/software_renderer.h"
#include "data/core/system_files.h"
#include "render/render.h"

enum {
    NOISE_SIZE = 512, ///< pixels a side of the detail texture, a power of two
    PATH_LENGTH = 768, ///< bytes; chosen: a folder and a name
    DEFINES_LENGTH = 256, ///< bytes
    SHADER_MAX_BYTES = 1 << 20, ///< chosen: far above the longest shader
    LOG_LENGTH = 600 ///< bytes of the driver's log that are looked at
};

/// ---- programs ------------------------------------------------------------------------------------------------------

// A failure names the file and the line as the driver does, because shaders may be edited without building the program.

/// Returns the whole text of a file, to be freed by the caller; NULL with `status` set.
static char *read_text(const char *path, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        status_fail(status, STATUS_LACKING, "%s: cannot be read; the shaders belong to data/shaders", path);
        return NULL;
    }
    char *text = malloc(SHADER_MAX_BYTES);
    size_t size = text == NULL ? 0 : fread(text, 1, SHADER_MAX_BYTES - 1, file);
    fclose(file);
    if (text == NULL || size == 0) {
        free(text);
        status_fail(status, STATUS_LACKING, "%s: empty or unreadable; a shader is expected", path);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

/// Cuts a log to its first line that says something.
static void cut_to_first_line(char *log)
{
    size_t start = strspn(log, " \r\n\t");
    memmove(log, log + start, strlen(log + start) + 1);
    log[strcspn(log, "\r\n")] = '\0';
}

/// Compiles one stage; 0 with `status` set when it does not.
static GLuint compile(GLenum stage, const char *path, const char *defines, const char *common, const char *text,
                      Status *status)
{
    const char *stage_name = stage == GL_VERTEX_SHADER ? "vertex" : "fragment";
    const char *stage_define = stage == GL_VERTEX_SHADER ? "#define VERTEX\n" : "#define FRAGMENT\n";
    const char *parts[] = {"#version 330 core\n", stage_define, defines, "#line 1 0\n", common, "\n#line 1 1\n", text};
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, (GLsizei)(sizeof(parts) / sizeof(parts[0])), parts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[LOG_LENGTH] = "";
        glGetShaderInfoLog(shader, LOG_LENGTH, NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: %s shader does not compile (0 = common.glsl, 1 = this file): %s", path,
                    stage_name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

/// Binds the samplers and the uniform block that every program finds in the same place.
static void bind_fixed_units(GLuint program)
{
    static const struct {
        const char *name;
        GLint unit;
    } samplers[] = {{"noise_map", GL_UNIT_NOISE},     {"shadow_map", GL_UNIT_SHADOW}, {"height_map", GL_UNIT_HEIGHT},
                    {"color_map", GL_UNIT_COLOR},     {"design_map", GL_UNIT_DESIGN}, {"overlay_map", GL_UNIT_OVERLAY},
                    {"outline_map", GL_UNIT_OUTLINE}, {"strata_map", GL_UNIT_STRATA}, {"look_map", GL_UNIT_LOOK},
                    {"mark_map", GL_UNIT_MARKS},      {"grain_map", GL_UNIT_GRAINS},  {"relief_map", GL_UNIT_RELIEF},
                    {"place_map", GL_UNIT_PLACES}};
    glUseProgram(program);
    for (size_t i = 0; i < sizeof(samplers) / sizeof(samplers[0]); i++) {
        GLint location = glGetUniformLocation(program, samplers[i].name);
        if (location >= 0) {
            glUniform1i(location, samplers[i].unit);
        }
    }
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, GL_FRAME_BINDING);
    }
    glUseProgram(0);
}

/// Links two stages; 0 with `status` set when they do not fit.
static GLuint link_program(GLuint vertex, GLuint fragment, const char *path, Status *status)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[LOG_LENGTH] = "";
        glGetProgramInfoLog(program, LOG_LENGTH, NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: the program does not link: %s", path, log);
        glDeleteProgram(program);
        return 0;
    }
    bind_fixed_units(program);
    return program;
}

GLuint gl_program_create(const GlShaders *shaders, const char *name, const char *own, Status *status)
{
    char common_path[PATH_LENGTH], path[PATH_LENGTH], defines[DEFINES_LENGTH];
    snprintf(common_path, sizeof(common_path), "%s/common.glsl", shaders->folder);
    snprintf(path, sizeof(path), "%s/%s.glsl", shaders->folder, name);
    snprintf(defines, sizeof(defines), "%s%s", shaders->defines, own);
    GLuint program = 0, vertex = 0, fragment = 0;
    char *common = read_text(common_path, status);
    char *text = common == NULL ? NULL : read_text(path, status);
    if (text != NULL) {
        vertex = compile(GL_VERTEX_SHADER, path, defines, common, text, status);
        fragment = vertex == 0 ? 0 : compile(GL_FRAGMENT_SHADER, path, defines, common, text, status);
    }
    if (fragment != 0) {
        program = link_program(vertex, fragment, path, status);
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    free(common);
    free(text);
    return program;
}

void gl_texture_sampling(GLint minify, GLint wrap)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, minify);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}

/// ---- detail texture ------------------------------------------------------------------------------------------------

// Fractal value noise (Perlin, SIGGRAPH 1985) and clods, a bump around a random point of each cell (Worley, SIGGRAPH
// 1996). Both repeat at the picture's edges, so that it can be laid over any surface.

/// Hashes 32 bits: lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
static uint32_t mix_bits(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// 0..1 for a lattice point that repeats every `period`.
static double lattice(int x, int y, int period, uint32_t seed)
{
    uint32_t i = (uint32_t)((x + period) % period), j = (uint32_t)((y + period) % period);
    return (double)mix_bits(i + 4099U * j + 7919U * seed + 1U) / 4294967295.0;
}

static double value_noise(double x, double y, int period, uint32_t seed)
{
    int i = (int)floor(x), j = (int)floor(y);
    double u = x - i, v = y - j;
    u = u * u * (3.0 - 2.0 * u);
    v = v * v * (3.0 - 2.0 * v);
    double low = lattice(i, j, period, seed) * (1.0 - u) + lattice(i + 1, j, period, seed) * u;
    double high = lattice(i, j + 1, period, seed) * (1.0 - u) + lattice(i + 1, j + 1, period, seed) * u;
    return low * (1.0 - v) + high * v;
}

static double fractal(double x, double y)
{
    double sum = 0.0, weight = 0.5;
    int period = 5;
    for (uint32_t octave = 0; octave < 6; octave++) {
        sum += weight * value_noise(x * period, y * period, period, octave);
        weight *= 0.5;
        period *= 2;
    }
    return sum / (1.0 - 2.0 * weight);
}

/// A clod around a random point in each cell: height by the distance to the nearest one.
static double clods(double x, double y, int cells, uint32_t seed)
{
    double px = x * cells, py = y * cells, nearest = 4.0;
    int i = (int)floor(px), j = (int)floor(py);
    for (int b = j - 1; b <= j + 1; b++) {
        for (int a = i - 1; a <= i + 1; a++) {
            double cx = a + lattice(a, b, cells, seed), cy = b + lattice(a, b, cells, seed + 1U);
            double size = 0.55 + 0.9 * lattice(a, b, cells, seed + 2U);
            double d = ((px - cx) * (px - cx) + (py - cy) * (py - cy)) / (size * size);
            nearest = d < nearest ? d : nearest;
        }
    }
    double h = 1.0 - nearest;
    return h > 0.0 ? sqrt(h) : 0.0;
}

static uint8_t to_byte(double value)
{
    return (uint8_t)lrint(fmin(fmax(value, 0.0), 1.0) * 255.0);
}

/// Fills [NOISE_SIZE][NOISE_SIZE][4] bytes (gl_noise_create); `height` is scratch, [NOISE_SIZE][NOISE_SIZE].
static void fill_noise(uint8_t *rgba, double *height)
{
    for (int y = 0; y < NOISE_SIZE; y++) {
        for (int x = 0; x < NOISE_SIZE; x++) {
            double u = (double)x / NOISE_SIZE, v = (double)y / NOISE_SIZE;
            height[y * NOISE_SIZE + x] = 0.52 * clods(u, v, 11, 20) + 0.30 * clods(u, v, 29, 40) +
                                         0.18 * value_noise(u * 90.0, v * 90.0, 90, 60);
            rgba[4 * (y * NOISE_SIZE + x)] = to_byte(fractal(u, v));
        }
    }
    for (int y = 0; y < NOISE_SIZE; y++) {
        for (int x = 0; x < NOISE_SIZE; x++) {
            uint8_t *pixel = &rgba[4 * (y * NOISE_SIZE + x)];
            const double *row = &height[y * NOISE_SIZE];
            double dx = row[(x + 1) % NOISE_SIZE] - row[(x + NOISE_SIZE - 1) % NOISE_SIZE];
            double dy = height[((y + 1) % NOISE_SIZE) * NOISE_SIZE + x] -
                        height[((y + NOISE_SIZE - 1) % NOISE_SIZE) * NOISE_SIZE + x];
            pixel[1] = to_byte(row[x]);
            pixel[2] = to_byte(0.5 + 2.2 * dx);
            pixel[3] = to_byte(0.5 + 2.2 * dy);
        }
    }
}

GLuint gl_noise_create(void)
{
    GLuint texture = 0;
    uint8_t *rgba = malloc((size_t)NOISE_SIZE * NOISE_SIZE * 4);
    double *height = malloc(sizeof(double) * NOISE_SIZE * NOISE_SIZE);
    if (rgba != NULL && height != NULL) {
        fill_noise(rgba, height);
        glGenTextures(1, &texture);
        glActiveTexture(GL_TEXTURE0 + GL_UNIT_NOISE);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, NOISE_SIZE, NOISE_SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
        gl_texture_sampling(GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    free(height);
    free(rgba);
    return texture;
}

/// ---- stages --------------------------------------------------------------------------------------------------------

// A texture and a renderbuffer for depth behind a framebuffer, made when a size is first asked for, and the blit that
// stretches them. Beside them a second texture behind the same depth: a pixel's place is found with all the triangles
// that touch it, and what costs much is then done once a pixel (deferred shading: Deering et al., SIGGRAPH 1988).

void stage_destroy(GlStage *stage)
{
    glDeleteFramebuffers(1, &stage->framebuffer);
    glDeleteFramebuffers(1, &stage->places_framebuffer);
    glDeleteTextures(1, &stage->color);
    glDeleteTextures(1, &stage->places);
    glDeleteRenderbuffers(1, &stage->depth);
    *stage = (GlStage){0};
}

static void make_stage_texture(GLuint *texture, GLint kept, GLenum type, int width, int height)
{
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, kept, width, height, 0, GL_RGBA, type, NULL);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

/// A texture and the stage's depth behind a framebuffer. False where the driver cannot draw into them.
static bool make_stage_framebuffer(const GlStage *stage, GLuint texture, GLuint *framebuffer)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, stage->depth);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/// Without these the ground is lit as its triangles are drawn.
static void make_places(GlStage *stage, int width, int height)
{
    make_stage_texture(&stage->places, GL_RGBA32F, GL_FLOAT, width, height);
    if (!make_stage_framebuffer(stage, stage->places, &stage->places_framebuffer)) {
        glDeleteFramebuffers(1, &stage->places_framebuffer);
        stage->places_framebuffer = 0;
    }
}

bool stage_begin(GlStage *stage, int width, int height, bool places)
{
    GLint before = 0;
    if (stage->width == width && stage->height == height) {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
        return true;
    }
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    stage_destroy(stage);
    make_stage_texture(&stage->color, GL_RGBA8, GL_UNSIGNED_BYTE, width, height);
    glGenRenderbuffers(1, &stage->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, stage->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    if (places) {
        make_places(stage, width, height);
    }
    if (!make_stage_framebuffer(stage, stage->color, &stage->framebuffer)) {
        glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
        stage_destroy(stage);
        return false;
    }
    stage->width = width;
    stage->height = height;
    return true;
}

void stage_end(const GlStage *stage, GLuint target, int width, int height)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, stage->width, stage->height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
}

void stage_clear_places(const GlStage *stage)
{
    const GLfloat nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (stage->places_framebuffer != 0) {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->places_framebuffer);
        glClearBufferfv(GL_COLOR, 0, nothing);
        glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    }
}

void stage_begin_places(const GlStage *stage)
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage->places_framebuffer);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
}

void stage_mark_places(int mark)
{
    glStencilFunc(GL_ALWAYS, mark, 0xFF);
}

void stage_use_places(const GlStage *stage)
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDisable(GL_DEPTH_TEST);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_PLACES);
    glBindTexture(GL_TEXTURE_2D, stage->places);
}

void stage_choose_places(int mark)
{
    glStencilFunc(GL_EQUAL, mark, 0xFF);
}

void stage_end_places(void)
{
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_PLACES);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
}

/// ---- the driver ----------------------------------------------------------------------------------------------------

bool render_is_in_software(void)
{
    const char *driver = (const char *)glGetString(GL_RENDERER);
    return driver != NULL && is_software_renderer(driver);
}

/// ---- shadow maps ---------------------------------------------------------------------------------------------------

// A depth texture that the scene is drawn into as the sun sees it, and that shaders then compare their own depth with
// (shadow_at in common.glsl). Its parts lie in one texture, so that a pixel chooses one of them by arithmetic alone.
// Comparison and linear filtering in the texture unit smooth the edges: percentage-closer filtering (Reeves, Salesin
// and Cook, SIGGRAPH 1987).

/// A depth texture bound to the shadow's unit, filled from `depth` or with undefined content (NULL).
static void make_depth_texture(Shadow *shadow, int width, int height, const GLuint *depth)
{
    glGenTextures(1, &shadow->texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

/// False where the driver cannot draw into the texture.
static bool make_depth_framebuffer(Shadow *shadow)
{
    GLint before = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &shadow->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow->texture, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
    return complete;
}

/// Pixels of the whole texture.
static void find_size(const Shadow *shadow, int *width, int *height)
{
    int right = shadow->texels[SHADOW_TOOL] + shadow->texels[SHADOW_LAMP];
    *width = shadow->texels[SHADOW_SITE] + shadow->texels[SHADOW_TOOL];
    *height = shadow->texels[SHADOW_SITE] > right ? shadow->texels[SHADOW_SITE] : right;
}

/// Pixels of a part: its left, its lower edge, its side.
static void find_part(const Shadow *shadow, ShadowPart part, int place[3])
{
    place[0] = part == SHADOW_SITE ? 0 : shadow->texels[SHADOW_SITE];
    place[1] = part == SHADOW_LAMP ? shadow->texels[SHADOW_TOOL] : 0;
    place[2] = shadow->texels[part];
}

void shadow_create(Shadow *shadow, const int texels[SHADOW_PARTS], bool none)
{
    int width, height;
    memcpy(shadow->texels, texels, sizeof shadow->texels);
    find_size(shadow, &width, &height);
    make_depth_texture(shadow, width, height, NULL);
    if (none || !make_depth_framebuffer(shadow)) {
        const GLuint farthest = UINT32_MAX;
        shadow_destroy(shadow);
        make_depth_texture(shadow, 1, 1, &farthest);
        memcpy(shadow->texels, texels, sizeof shadow->texels);
    }
}

void shadow_part_place(const Shadow *shadow, ShadowPart part, float place[4])
{
    int width, height, pixels[3];
    find_size(shadow, &width, &height);
    find_part(shadow, part, pixels);
    place[0] = (float)pixels[2] / (float)width;
    place[1] = (float)pixels[2] / (float)height;
    place[2] = (float)pixels[0] / (float)width;
    place[3] = (float)pixels[1] / (float)height;
}

void shadow_destroy(Shadow *shadow)
{
    glDeleteFramebuffers(1, &shadow->framebuffer);
    glDeleteTextures(1, &shadow->texture);
    *shadow = (Shadow){0};
}

void shadow_begin(const Shadow *shadow, ShadowPart part)
{
    int place[3];
    find_part(shadow, part, place);
    // While the map is drawn to, no program may hold it for reading.
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(place[0], place[1], place[2], place[2]);
    glScissor(place[0], place[1], place[2], place[2]);
    glEnable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    // Pushes the map away from the sun by slope and depth steps, so that lit faces do not shade themselves. Chosen;
    // see render-trench.png of test_render_picture.
    glPolygonOffset(1.6f, 3.0f);
}

void shadow_end(void)
{
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_SCISSOR_TEST);
}

/// ---- pictures ------------------------------------------------------------------------------------------------------

// OpenGL's rows begin at the lower edge, a picture's at the upper one, so rows are exchanged after reading.

void gl_read_depth(const GlStage *stage, int width, int height, uint32_t *depth)
{
    GLint before = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    if (stage != NULL) {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
}

/// Pixels of the current framebuffer with the mean of each pixel's samples. glReadPixels finds it of a window's
/// framebuffer alone, and with Mesa's llvmpipe (22.3) not even there: it reads one sample.
typedef struct GlMeans {
    GLuint source, framebuffer, color; ///< framebuffer 0: the source has one sample a pixel and is read itself
} GlMeans;

static void means_end(GlMeans *means)
{
    if (means->framebuffer != 0) {
        glBindFramebuffer(GL_FRAMEBUFFER, means->source);
        glDeleteFramebuffers(1, &means->framebuffer);
        glDeleteRenderbuffers(1, &means->color);
    }
}

/// Makes them the current framebuffer until means_end. False when memory is short.
static bool means_begin(GlMeans *means, int width, int height)
{
    GLint source = 0, samples = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &source);
    glGetIntegerv(GL_SAMPLES, &samples);
    *means = (GlMeans){.source = (GLuint)source};
    if (samples == 0) {
        return true;
    }
    glGenFramebuffers(1, &means->framebuffer);
    glGenRenderbuffers(1, &means->color);
    glBindRenderbuffer(GL_RENDERBUFFER, means->color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, means->framebuffer);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, means->color);
    if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        means_end(means);
        return false;
    }
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, means->framebuffer);
    return true;
}

void render_read_pixels(int width, int height, unsigned char *rgb)
{
    GlMeans means;
    size_t row = 3 * (size_t)width;
    if (!means_begin(&means, width, height)) {
        memset(rgb, 0, row * (size_t)height);
        return;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    means_end(&means);
    for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        unsigned char *a = rgb + row * (size_t)top, *b = rgb + row * (size_t)bottom;
        for (size_t k = 0; k < row; k++) {
            unsigned char kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}

/// Writes `rgb` to an open file; false when libpng gives up. Allocates nothing itself, because libpng leaves by
/// longjmp.
static bool write_rows(FILE *file, int width, int height, const unsigned char *rgb)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        png_write_row(png, rgb + 3 * (size_t)width * (size_t)y);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

bool render_write_png(const char *path, int width, int height, Status *status)
{
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: a picture of %d x %d pixels was asked for; 1 to 16384 are possible", path, width,
                           height);
    }
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    if (rgb == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory for a picture of %d x %d pixels", path, width,
                           height);
    }
    render_read_pixels(width, height, rgb);
    FILE *file = written_file_open(path);
    if (file == NULL) {
        free(rgb);
        return status_fail(status, STATUS_LACKING,
                           "%s: cannot be written; choose a folder that exists and may be written", path);
    }
    bool good = write_rows(file, width, height, rgb);
    good = fclose(file) == 0 && good;
    free(rgb);
    return good ? status_good(status)
                : status_fail(status, STATUS_LACKING, "%s: writing the picture failed; is the disk full?", path);
}
