/// A texture and a renderbuffer for depth behind a framebuffer, made when a size is first asked for, and the blit that
/// stretches them. Beside them a second texture behind the same depth: a pixel's place is found with all the triangles
/// that touch it, and what costs much is then done once a pixel (deferred shading: Deering et al., SIGGRAPH 1988).
#include "render/gpu/stage.h"

void stage_destroy(Stage *stage)
{
    glDeleteFramebuffers(1, &stage->framebuffer);
    glDeleteFramebuffers(1, &stage->places_framebuffer);
    glDeleteTextures(1, &stage->color);
    glDeleteTextures(1, &stage->places);
    glDeleteRenderbuffers(1, &stage->depth);
    *stage = (Stage){0};
}

static void make_texture(GLuint *texture, GLint kept, GLenum type, int width, int height)
{
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, kept, width, height, 0, GL_RGBA, type, NULL);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

/// A texture and the stage's depth behind a framebuffer. False where the driver cannot draw into them.
static bool make_framebuffer(const Stage *stage, GLuint texture, GLuint *framebuffer)
{
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, stage->depth);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/// Without these the ground is lit as its triangles are drawn.
static void make_places(Stage *stage, int width, int height)
{
    make_texture(&stage->places, GL_RGBA32F, GL_FLOAT, width, height);
    if (!make_framebuffer(stage, stage->places, &stage->places_framebuffer)) {
        glDeleteFramebuffers(1, &stage->places_framebuffer);
        stage->places_framebuffer = 0;
    }
}

bool stage_begin(Stage *stage, int width, int height, bool places)
{
    GLint before = 0;
    if (stage->width == width && stage->height == height) {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
        return true;
    }
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    stage_destroy(stage);
    make_texture(&stage->color, GL_RGBA8, GL_UNSIGNED_BYTE, width, height);
    glGenRenderbuffers(1, &stage->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, stage->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    if (places) {
        make_places(stage, width, height);
    }
    if (!make_framebuffer(stage, stage->color, &stage->framebuffer)) {
        glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
        stage_destroy(stage);
        return false;
    }
    stage->width = width;
    stage->height = height;
    return true;
}

void stage_end(const Stage *stage, GLuint target, int width, int height)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glBlitFramebuffer(0, 0, stage->width, stage->height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
}

void stage_begin_places(const Stage *stage)
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage->places_framebuffer);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
}

void stage_mark_places(int mark)
{
    glStencilFunc(GL_ALWAYS, mark, 0xFF);
}

void stage_use_places(const Stage *stage)
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
