/// A texture and a renderbuffer for depth behind a framebuffer, made when a size is first asked for, and the blit that
/// stretches them.
#include "render/gpu/stage.h"

void stage_destroy(Stage *stage)
{
    glDeleteFramebuffers(1, &stage->framebuffer);
    glDeleteTextures(1, &stage->color);
    glDeleteRenderbuffers(1, &stage->depth);
    *stage = (Stage){0};
}

static void make_color(GLuint *texture, int width, int height)
{
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl_texture_sampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

bool stage_begin(Stage *stage, int width, int height)
{
    GLint before = 0;
    if (stage->width == width && stage->height == height) {
        glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
        return true;
    }
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    stage_destroy(stage);
    make_color(&stage->color, width, height);
    glGenRenderbuffers(1, &stage->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, stage->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glGenFramebuffers(1, &stage->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, stage->color, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, stage->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
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
