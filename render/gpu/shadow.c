/// Holds the sun's shadow map: a depth texture that the scene is drawn into as the sun sees it, and that shaders then
/// compare their own depth with (shadow_at in common.glsl). Comparison and linear filtering in the texture unit smooth
/// the edges: percentage-closer filtering (Reeves, Salesin and Cook, SIGGRAPH 1987).
#include "render/gpu/shadow.h"

/// A depth texture of texels x texels, bound to the shadow's unit, filled from `depth` or left as it is (NULL).
static void make_texture(Shadow *shadow, int texels, const GLuint *depth)
{
    glGenTextures(1, &shadow->texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, texels, texels, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
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

void shadow_create(Shadow *shadow, int texels, bool none)
{
    make_texture(shadow, texels, NULL);
    if (none || !make_framebuffer(shadow)) {
        const GLuint farthest = UINT32_MAX;
        shadow_destroy(shadow);
        make_texture(shadow, 1, &farthest);
    }
    shadow->texels = texels;
}

void shadow_destroy(Shadow *shadow)
{
    glDeleteFramebuffers(1, &shadow->framebuffer);
    glDeleteTextures(1, &shadow->texture);
    *shadow = (Shadow){0};
}

void shadow_begin(const Shadow *shadow)
{
    // While the map is drawn to, no program may hold it for reading.
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, shadow->texels, shadow->texels);
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
}
