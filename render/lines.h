/// Lines of constant thickness on the screen: marks of the exercise, forces and columns of the debug view.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_LINES_H
#define SPADEWORK_RENDER_LINES_H

#include "render/gpu.h"
#include "render/render.h"

/// Zero-initialise; owned by the caller, freed by line_batch_destroy.
typedef struct LineBatch {
    GLuint program, array, buffer;
    GLint thickness;
} LineBatch;

/// False with `status` set when the shader does not compile.
bool line_batch_create(LineBatch *batch, const GlShaders *shaders, Status *status);
void line_batch_destroy(LineBatch *batch);

/// Draws any number of lines, blended over the picture.
/// thickness  pixels, for a line's width of 1
/// lift       m that lines are drawn higher than they are, clear of the ground they lie on
void line_batch_draw(const LineBatch *batch, const RenderLine *lines, int count, double thickness, double lift);

#endif
