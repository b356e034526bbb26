/// Draws lines as instanced quads that keep their thickness on the screen, since OpenGL's core profile need not draw
/// lines wider than a pixel.
#include "render/lines.h"

#include <math.h>
#include <stddef.h>

// A line whose ends are the same is a dot. They are sent in batches, so that their number is not bounded.

enum { BATCH_LINES = 256 }; ///< chosen: 11 KiB on the stack

typedef struct LineInstance {
    float a[3], b[3], color[4], width;
} LineInstance;

bool line_batch_create(LineBatch *batch, const GlShaders *shaders, Status *status)
{
    batch->program = gl_program_create(shaders, "line", "", status);
    if (batch->program == 0) {
        return false;
    }
    batch->thickness = glGetUniformLocation(batch->program, "thickness");
    glGenVertexArrays(1, &batch->array);
    glGenBuffers(1, &batch->buffer);
    glBindVertexArray(batch->array);
    glBindBuffer(GL_ARRAY_BUFFER, batch->buffer);
    GLsizei stride = (GLsizei)sizeof(LineInstance);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(LineInstance, a));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(LineInstance, b));
    glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(LineInstance, color));
    glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(LineInstance, width));
    for (GLuint k = 0; k < 4; k++) {
        glEnableVertexAttribArray(k);
        glVertexAttribDivisor(k, 1);
    }
    glBindVertexArray(0);
    return true;
}

void line_batch_destroy(LineBatch *batch)
{
    glDeleteProgram(batch->program);
    glDeleteVertexArrays(1, &batch->array);
    glDeleteBuffers(1, &batch->buffer);
    *batch = (LineBatch){0};
}

static void draw_line_part(const RenderLine *lines, int count, float lift)
{
    LineInstance instances[BATCH_LINES];
    for (int i = 0; i < count; i++) {
        const RenderLine *line = &lines[i];
        instances[i] = (LineInstance){{(float)line->a.x, (float)line->a.y, (float)line->a.z + lift},
                                      {(float)line->b.x, (float)line->b.y, (float)line->b.z + lift},
                                      {line->color[0], line->color[1], line->color[2], line->color[3]},
                                      line->width > 0.0f ? line->width : 1.0f};
    }
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(LineInstance) * (size_t)count), instances, GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
}

void line_batch_draw(const LineBatch *batch, const RenderLine *lines, int count, double thickness, double lift)
{
    if (count <= 0) {
        return;
    }
    glUseProgram(batch->program);
    glUniform1f(batch->thickness, (float)thickness);
    glBindVertexArray(batch->array);
    glBindBuffer(GL_ARRAY_BUFFER, batch->buffer);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    for (int first = 0; first < count; first += BATCH_LINES) {
        draw_line_part(lines + first, count - first < BATCH_LINES ? count - first : BATCH_LINES, (float)lift);
    }
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
