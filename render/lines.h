/// Lines of constant thickness on the screen (marks of the exercise, forces and columns of the debug view), and the
/// face of the ground where a section cuts it: filled with its soils, with the surface and the design as lines.
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

/// Zero-initialise; owned by the caller, freed by section_face_destroy.
typedef struct SectionFace {
    GLuint program, array, buffer;
    GLint start, direction;
    struct SectionVertex *vertices; ///< scratch
} SectionFace;
/// False with `status` set when the shader does not compile or memory is short; then call section_face_destroy.
bool section_face_create(SectionFace *face, const GlShaders *shaders, Status *status);
void section_face_destroy(SectionFace *face);

/// Draws the section of a view down to `low` m; nothing where it has none.
void section_face_draw(SectionFace *face, const RenderView *view, double low);
/// Draws the surface as a dark line and the design as a bright one, `thickness` pixels.
void section_face_draw_lines(const LineBatch *lines, const RenderSection *section, double thickness);

#endif
