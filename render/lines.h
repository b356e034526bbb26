/// The face of the ground where a section cuts it: filled with its soils, with the surface and the design as lines.
///
/// Every function needs a current OpenGL 3.3 core context and must be called from the thread that it is current on.
#ifndef SPADEWORK_RENDER_SECTION_FACE_H
#define SPADEWORK_RENDER_SECTION_FACE_H

#include "render/gpu.h"
#include "render/render.h"
#include "render/scene/line_batch.h"

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
