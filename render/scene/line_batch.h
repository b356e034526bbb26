/// Lines of constant thickness on the screen: marks of the exercise, forces and columns of the debug view.
#ifndef SPADEWORK_RENDER_LINE_BATCH_H
#define SPADEWORK_RENDER_LINE_BATCH_H

#include "render/gpu/gl.h"
#include "render/render.h"

typedef struct LineBatch {
    GLuint program, array, buffer;
    GLint thickness;
} LineBatch;
bool line_batch_create(LineBatch *batch, const char *shader_folder, Status *status);
void line_batch_destroy(LineBatch *batch);
/// `thickness` in pixels, for a line's width of 1; lines are drawn `lift` m higher than they are.
void line_batch_draw(const LineBatch *batch, const RenderLine *lines, int count, double thickness, double lift);

#endif
