#include "render/line_batch.h"

#include <stddef.h>

static const float lift = 0.02f; ///< m over what a line lies on

typedef struct LineInstance {
    float a[3], b[3], color[4];
} LineInstance;

bool line_batch_create(LineBatch *batch, const char *folder, Status *status)
{
    batch->program = gl_program_create(folder, "line", "", status);
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
    for (GLuint k = 0; k < 3; k++) {
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

void line_batch_draw(const LineBatch *batch, const RenderLine *lines, int count, double thickness)
{
    LineInstance instances[RENDER_MAX_LINES];
    count = count < RENDER_MAX_LINES ? count : RENDER_MAX_LINES;
    if (count <= 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        const RenderLine *line = &lines[i];
        instances[i] = (LineInstance){{(float)line->a.x, (float)line->a.y, (float)line->a.z + lift},
                                      {(float)line->b.x, (float)line->b.y, (float)line->b.z + lift},
                                      {line->color[0], line->color[1], line->color[2], line->color[3]}};
    }
    glUseProgram(batch->program);
    glUniform1f(batch->thickness, (float)thickness);
    glBindVertexArray(batch->array);
    glBindBuffer(GL_ARRAY_BUFFER, batch->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(sizeof(LineInstance) * (size_t)count), instances, GL_STREAM_DRAW);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
