/// Two renderbuffers behind a framebuffer, made when a size is first asked for, and the blit that stretches them.
#include "render/gpu/stage.h"

void stage_destroy(Stage *stage)
{
    glDeleteFramebuffers(1, &stage->framebuffer);
    glDeleteRenderbuffers(1, &stage->color);
    glDeleteRenderbuffers(1, &stage->depth);
    *stage = (Stage){0};
}

static void make_buffer(GLuint *buffer, GLenum format, int width, int height)
{
    glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
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
    make_buffer(&stage->color, GL_RGBA8, width, height);
    make_buffer(&stage->depth, GL_DEPTH_COMPONENT24, width, height);
    glGenFramebuffers(1, &stage->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, stage->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, stage->color);
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
