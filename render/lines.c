/// Draws lines as instanced quads that keep their thickness on the screen, since OpenGL's core profile need not draw
/// lines wider than a pixel, and the cut face of the ground as triangles.
#include "render/lines.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/// ---- lines ---------------------------------------------------------------------------------------------------------

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

/// ---- section -------------------------------------------------------------------------------------------------------

// A layer of a column is two triangles between the layer above it and its own bottom; the uppermost one reaches the
// surface at both edges of the column, so that its slope is the ground's. Below the layers is bedrock.

enum { CORNERS = 6, MOST_VERTICES = RENDER_SECTION_COLUMNS * (RENDER_SECTION_LAYERS + 1) * CORNERS };

typedef struct SectionVertex {
    float along, up, color[3], loose;
} SectionVertex;

static const float bedrock[3] = {0.20f, 0.19f, 0.18f}; ///< linear colour

bool section_face_create(SectionFace *face, const GlShaders *shaders, Status *status)
{
    face->program = gl_program_create(shaders, "section", "", status);
    if (face->program == 0) {
        return false;
    }
    face->start = glGetUniformLocation(face->program, "start");
    face->direction = glGetUniformLocation(face->program, "direction");
    face->vertices = malloc(sizeof(SectionVertex) * MOST_VERTICES);
    if (face->vertices == NULL) {
        return status_fail(status, STATUS_LACKING, "renderer: out of memory for the section");
    }
    glGenVertexArrays(1, &face->array);
    glGenBuffers(1, &face->buffer);
    glBindVertexArray(face->array);
    glBindBuffer(GL_ARRAY_BUFFER, face->buffer);
    GLsizei stride = (GLsizei)sizeof(SectionVertex);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(SectionVertex, along));
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(SectionVertex, color));
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glBindVertexArray(0);
    return true;
}

void section_face_destroy(SectionFace *face)
{
    glDeleteProgram(face->program);
    glDeleteVertexArrays(1, &face->array);
    glDeleteBuffers(1, &face->buffer);
    free(face->vertices);
    *face = (SectionFace){0};
}

/// Two triangles: the left edge from top[0] down to bottom, the right one from top[1].
static SectionVertex *add_piece(SectionVertex *out, const float along[2], const float top[2], float bottom,
                                const float color[3], float loose)
{
    const int side[CORNERS] = {0, 0, 1, 1, 0, 1};
    const bool high[CORNERS] = {true, false, true, true, false, false};
    for (int k = 0; k < CORNERS; k++) {
        float edge = top[side[k]];
        *out++ = (SectionVertex){.along = along[side[k]],
                                 .up = high[k] ? edge : fminf(bottom, edge),
                                 .color = {color[0], color[1], color[2]},
                                 .loose = loose};
    }
    return out;
}

static SectionVertex *add_column(SectionVertex *out, const RenderSection *section, const SceneParams *scene, int i,
                                 float low)
{
    const float along[2] = {(float)(i * section->step), (float)((i + 1) * section->step)};
    float top[2] = {section->surface[i], section->surface[i + 1]};
    for (int k = 0; k < section->count[i] && k < RENDER_SECTION_LAYERS; k++) {
        float color[3], share = (float)section->loose[i][k] / 255.0f, bottom = section->bottom[i][k];
        const SoilParams *soil = &scene->soils[section->soil[i][k] % SCENE_MAX_SOILS];
        for (int n = 0; n < 3; n++) {
            color[n] = soil->color_fresh[n] * (1.0f - 0.25f * share) + 0.25f * share * soil->color_weathered[n];
        }
        out = add_piece(out, along, top, bottom, color, share);
        top[0] = fminf(top[0], bottom);
        top[1] = fminf(top[1], bottom);
    }
    return add_piece(out, along, top, low, bedrock, 0.0f);
}

void section_face_draw(SectionFace *face, const RenderView *view, double low)
{
    const RenderSection *section = &view->section;
    if (!section->visible || view->scene == NULL) {
        return;
    }
    SectionVertex *out = face->vertices;
    for (int i = 0; i < RENDER_SECTION_COLUMNS; i++) {
        out = add_column(out, section, view->scene, i, (float)low);
    }
    GLsizei count = (GLsizei)(out - face->vertices);
    glUseProgram(face->program);
    glUniform3f(face->start, (float)section->start.x, (float)section->start.y, 0.0f);
    glUniform2f(face->direction, (float)section->along.x, (float)section->along.y);
    glBindVertexArray(face->array);
    glBindBuffer(GL_ARRAY_BUFFER, face->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(SectionVertex) * count, face->vertices, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, count);
}

/// Joins the heights at the columns' edges; where one is missing the line has a gap.
static int join_heights(const RenderSection *section, const float *heights, const float color[4], float width,
                        RenderLine lines[RENDER_SECTION_COLUMNS])
{
    int count = 0;
    for (int i = 0; i < RENDER_SECTION_COLUMNS; i++) {
        if (heights[i] <= RENDER_NO_DESIGN || heights[i + 1] <= RENDER_NO_DESIGN) {
            continue;
        }
        Vec3 a = vec3_madd(section->start, i * section->step, section->along);
        Vec3 b = vec3_madd(section->start, (i + 1) * section->step, section->along);
        a.z = (double)heights[i];
        b.z = (double)heights[i + 1];
        lines[count++] = (RenderLine){a, b, {color[0], color[1], color[2], color[3]}, width};
    }
    return count;
}

void section_face_draw_lines(const LineBatch *batch, const RenderSection *section, double thickness)
{
    static const float edge[4] = {0.13f, 0.09f, 0.06f, 1.0f}, design[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    RenderLine lines[RENDER_SECTION_COLUMNS];
    if (section->visible) {
        line_batch_draw(batch, lines, join_heights(section, section->surface, edge, 1.0f, lines), thickness, 0.0);
        line_batch_draw(batch, lines, join_heights(section, section->wanted, design, 1.6f, lines), thickness, 0.0);
    }
}
