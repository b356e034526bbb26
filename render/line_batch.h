/// Overlay lines of the exercise: trench marks, dump circle.
#ifndef SPADEWORK_RENDER_LINE_BATCH_H
#define SPADEWORK_RENDER_LINE_BATCH_H

#include "render/gl.h"
#include "render/render.h"

typedef struct LineBatch {
    GLuint program, array, buffer;
    GLint thickness;
} LineBatch;
bool line_batch_create(LineBatch *batch, const char *shader_folder, Status *status);
void line_batch_destroy(LineBatch *batch);
/// `thickness` in pixels; lines are lifted a little over the ground of the view's first grid.
void line_batch_draw(const LineBatch *batch, const RenderLine *lines, int count, double thickness);

#endif
