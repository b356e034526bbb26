/// Holds the shadow maps: a depth texture that the scene is drawn into as the sun sees it, and that shaders then
/// compare their own depth with (shadow_at in common.glsl). Its parts lie in one texture, so that a pixel chooses one
/// of them by arithmetic alone. Comparison and linear filtering in the texture unit smooth
/// the edges: percentage-closer filtering (Reeves, Salesin and Cook, SIGGRAPH 1987).
#include "render/gpu/shadow.h"

#include <string.h>

/// A depth texture bound to the shadow's unit, filled from `depth` or left as it is (NULL).
static void make_texture(Shadow *shadow, int width, int height, const GLuint *depth)
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
static bool make_framebuffer(Shadow *shadow)
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
    make_texture(shadow, width, height, NULL);
    if (none || !make_framebuffer(shadow)) {
        const GLuint farthest = UINT32_MAX;
        shadow_destroy(shadow);
        make_texture(shadow, 1, 1, &farthest);
        memcpy(shadow->texels, texels, sizeof shadow->texels);
    }
}

void shadow_place(const Shadow *shadow, ShadowPart part, float place[4])
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
