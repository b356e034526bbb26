/// What a section cuts, as faces in its plane: the ground with its layers, the soil in trays, buried pipes and walls;
/// the surface and the design as lines.
///
/// Functions that take a SectionFace or LineBatch need a current OpenGL 3.3 core context and must be called from the
/// thread that it is current on; the others are pure.
#ifndef SPADEWORK_RENDER_SECTION_H
#define SPADEWORK_RENDER_SECTION_H

#include "render/lines.h"

/// ---- faces ---------------------------------------------------------------------------------------------------------

/// A corner of a face.
typedef struct SectionVertex {
    float along, up; ///< m
    float color[3]; ///< 0..1, linear
    float loose; ///< 0..1 of soil; SECTION_SOLID: no soil
} SectionVertex;
#define SECTION_SOLID (-1.0f)

enum {
    SECTION_SLICES = 160, ///< of what lies in a tray, and of a fixture
    SECTION_BANDS = 2 * RENDER_SECTION_LAYERS + 1, ///< most layers between two columns, and bedrock
    SECTION_VERTICES =
        6 * (RENDER_SECTION_COLUMNS * SECTION_BANDS + SECTION_SLICES * (RENDER_MAX_GRIDS + 2 * SCENE_MAX_FIXTURES))
};

/// Writes the faces of a view's section as triangles, room for SECTION_VERTICES; returns the number of vertices.
/// Layers of neighbouring columns that are of one soil and state go over into each other; one that the neighbour lacks
/// thins out towards it.
/// low     m, down to which bedrock is drawn
/// ground  number of vertices that are the ground's; those of trays and fixtures follow, which lie in it or over it
int section_faces(const RenderView *view, double low, SectionVertex *out, int *ground);

/// ---- drawing -------------------------------------------------------------------------------------------------------

/// Zero-initialise; owned by the caller, freed by section_face_destroy.
typedef struct SectionFace {
    GLuint program, array, buffer;
    GLint start, direction;
    SectionVertex *vertices; ///< scratch
} SectionFace;
/// False with `status` set when the shader does not compile or memory is short; then call section_face_destroy.
bool section_face_create(SectionFace *face, const GlShaders *shaders, Status *status);
void section_face_destroy(SectionFace *face);

/// Draws the section of a view down to `low` m; nothing where it has none.
void section_face_draw(SectionFace *face, const RenderView *view, double low);
/// Draws the surface as a dark line and the design as a bright one, `thickness` pixels.
void section_face_draw_lines(const LineBatch *lines, const RenderSection *section, double thickness);

#endif
