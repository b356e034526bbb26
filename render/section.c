/// Draws what a section cuts as triangles in its plane.
#include "render/section.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "data/core/srgb.h"
#include "render/terrain.h"

/// ---- pieces --------------------------------------------------------------------------------------------------------

/// A layer, or a slice of what is no ground, between two places along the section.
typedef struct Piece {
    float top[2], bottom[2]; ///< m: at the left and the right place
    float color[3], loose;
} Piece;

static SectionVertex *add_piece(SectionVertex *out, const float along[2], const Piece *piece)
{
    const int side[6] = {0, 0, 1, 1, 0, 1};
    const bool high[6] = {true, false, true, true, false, false};
    for (int k = 0; k < 6; k++) {
        int s = side[k];
        *out++ = (SectionVertex){.along = along[s],
                                 .up = high[k] ? piece->top[s] : fminf(piece->bottom[s], piece->top[s]),
                                 .color = {piece->color[0], piece->color[1], piece->color[2]},
                                 .loose = piece->loose};
    }
    return out;
}

static void paint_soil(Piece *piece, const SceneParams *scene, int soil, uint8_t loose)
{
    const SoilParams *params = &scene->soils[soil % SCENE_MAX_SOILS];
    piece->loose = (float)loose / 255.0f;
    for (int n = 0; n < 3; n++) {
        piece->color[n] =
            params->color_fresh[n] * (1.0f - 0.25f * piece->loose) + 0.25f * piece->loose * params->color_weathered[n];
    }
}

static void paint_solid(Piece *piece, const uint8_t color[3])
{
    piece->loose = SECTION_SOLID;
    for (int n = 0; n < 3; n++) {
        piece->color[n] = (float)srgb_to_linear(color[n]);
    }
}

/// ---- ground --------------------------------------------------------------------------------------------------------

static const uint8_t bedrock[3] = {124, 121, 118}; // sRGB

enum { BROKEN = 90 /* of 255 parts of looseness: from here on a layer is another one than the same soil intact */ };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int layers_of(const RenderSection *section, int column)
{
    return least(section->count[column], RENDER_SECTION_LAYERS);
}

static bool are_alike(const RenderSection *section, int i, int a, int j, int b)
{
    return section->soil[i][a] == section->soil[j][b] &&
           (section->loose[i][a] >= BROKEN) == (section->loose[j][b] >= BROKEN);
}

/// How many layers from a of column i and b of column i + 1 downwards go over into each other at most: the longest
/// common subsequence.
typedef struct Common {
    uint8_t below[RENDER_SECTION_LAYERS + 1][RENDER_SECTION_LAYERS + 1];
} Common;

static Common find_common(const RenderSection *section, int i)
{
    Common common = {{{0}}};
    for (int a = layers_of(section, i) - 1; a >= 0; a--) {
        for (int b = layers_of(section, i + 1) - 1; b >= 0; b--) {
            uint8_t one = common.below[a + 1][b], other = common.below[a][b + 1];
            common.below[a][b] = are_alike(section, i, a, i + 1, b) ? (uint8_t)(common.below[a + 1][b + 1] + 1)
                                 : one > other                      ? one
                                                                    : other;
        }
    }
    return common;
}

/// The layers between a column and the next, from the top: those of both, and those of one, which thin out.
static SectionVertex *add_layers(SectionVertex *out, const RenderSection *section, const SceneParams *scene, int i,
                                 float low)
{
    const float along[2] = {(float)(i * section->step), (float)((i + 1) * section->step)};
    const int count[2] = {layers_of(section, i), layers_of(section, i + 1)};
    Common common = find_common(section, i);
    Piece piece = {.top = {section->surface[i], section->surface[i + 1]}};
    int at[2] = {0, 0};
    while (at[0] < count[0] || at[1] < count[1]) {
        bool both = at[0] < count[0] && at[1] < count[1] && are_alike(section, i, at[0], i + 1, at[1]) &&
                    common.below[at[0]][at[1]] == common.below[at[0] + 1][at[1] + 1] + 1;
        bool first =
            at[0] < count[0] && (at[1] >= count[1] || common.below[at[0] + 1][at[1]] >= common.below[at[0]][at[1] + 1]);
        int own = both || first ? 0 : 1;
        paint_soil(&piece, scene, section->soil[i + own][at[own]], section->loose[i + own][at[own]]);
        for (int s = 0; s < 2; s++) {
            piece.bottom[s] = piece.top[s];
            if (both || s == own) {
                piece.bottom[s] = fminf(section->bottom[i + s][at[s]], piece.top[s]);
                at[s]++;
            }
        }
        out = add_piece(out, along, &piece);
        piece.top[0] = piece.bottom[0];
        piece.top[1] = piece.bottom[1];
    }
    paint_solid(&piece, bedrock);
    piece.bottom[0] = piece.bottom[1] = low;
    return add_piece(out, along, &piece);
}

/// ---- trays ---------------------------------------------------------------------------------------------------------

#define LEAST_FILL 0.012 ///< m of soil on a tray's floor that is drawn, as the terrain does
enum { PROBES = 48 /* up a slice, between which its ends are bisected */, HALVINGS = 8 };

/// A tray in the plane of a section.
typedef struct CutTray {
    const RenderGrid *grid;
    Pose frame;
    Vec3 start, along; ///< of the section
} CutTray;

/// The column at a place of the section; -1: beside the tray or no soil is there.
static int tray_column(const CutTray *tray, double t, double z)
{
    const RenderGrid *grid = tray->grid;
    Vec3 world = vec3_madd(tray->start, t, tray->along);
    world.z = z;
    Vec3 at = pose_apply_inverse(&tray->frame, world);
    long column = lrint((at.x - grid->origin_x) / grid->spacing), row = lrint((at.y - grid->origin_y) / grid->spacing);
    if (at.z < 0.0 || column < 0 || row < 0 || column >= grid->columns || row >= grid->rows) {
        return -1;
    }
    int index = (int)(row * grid->columns + column);
    double deep = (double)grid->height[index] - grid->floor;
    return deep > LEAST_FILL && at.z <= deep ? index : -1;
}

/// Between a height where there is soil and one where there is none.
static double edge_between(const CutTray *tray, double t, double filled, double empty)
{
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (filled + empty);
        *(tray_column(tray, t, middle) >= 0 ? &filled : &empty) = middle;
    }
    return filled;
}

/// Finds the soil at t: from bottom to top, and a column that it is of. False where there is none.
static bool probe_tray(const CutTray *tray, double t, double reach, float *bottom, float *top, int *index)
{
    double first = 0.0, last = 0.0, step = 2.0 * reach / PROBES, from = tray->frame.position.z - reach;
    *index = -1;
    for (int k = 0; k <= PROBES; k++) {
        int column = tray_column(tray, t, from + k * step);
        first = *index < 0 ? from + k * step : first;
        last = column >= 0 ? from + k * step : last;
        *index = column >= 0 ? column : *index;
    }
    if (*index < 0) {
        return false;
    }
    *bottom = (float)edge_between(tray, t, first, first - step);
    *top = (float)edge_between(tray, t, last, last + step);
    return true;
}

static SectionVertex *add_tray(SectionVertex *out, const RenderView *view, const RenderGrid *grid)
{
    CutTray tray = {grid, terrain_tray_frame(grid), view->section.start, view->section.along};
    double wide = fmax(grid->rows, grid->columns) * grid->spacing;
    double middle = vec3_dot(vec3_sub(tray.frame.position, tray.start), tray.along), tall = 0.5 * wide;
    Piece piece = {.color = {0.0f}};
    bool before = false;
    double step = 1.5 * wide / SECTION_SLICES;
    for (int k = 0; k <= SECTION_SLICES; k++) {
        double t = middle + (k - SECTION_SLICES / 2) * step;
        float bottom, top;
        int index;
        bool filled = probe_tray(&tray, t, tall, &bottom, &top, &index);
        if (filled) {
            piece.bottom[1] = bottom;
            piece.top[1] = top;
            paint_soil(&piece, view->scene, grid->soil == NULL ? 0 : grid->soil[index], 255);
        }
        if (filled && before) {
            out = add_piece(out, (float[2]){(float)(t - step), (float)t}, &piece);
        }
        piece.bottom[0] = piece.bottom[1];
        piece.top[0] = piece.top[1];
        before = filled;
    }
    return out;
}

/// ---- fixtures ------------------------------------------------------------------------------------------------------

#define PIPE_INSIDE 0.88 ///< share of a pipe's radius that is hollow. Estimate: scenes do not say

/// Narrows [low, high] to where |start + t slope| <= most.
static void clip(double start, double slope, double most, double *low, double *high)
{
    if (fabs(slope) < 1e-9) {
        *high = fabs(start) <= most ? *high : *low;
        return;
    }
    double a = (-most - start) / slope, b = (most - start) / slope;
    *low = fmax(*low, fmin(a, b));
    *high = fmin(*high, fmax(a, b));
}

/// A pipe or box, `share` of its radius or width large: slices between its ends, narrow ones where a pipe's curve ends.
static SectionVertex *add_fixture(SectionVertex *out, const RenderSection *section, const SceneFixture *fixture,
                                  double share, const uint8_t color[3])
{
    bool pipe = fixture->shape == SCENE_FIXTURE_PIPE;
    double c = cos(fixture->heading), s = sin(fixture->heading);
    double dx = section->start.x - fixture->x, dy = section->start.y - fixture->y;
    double beside = c * dy - s * dx, turn = c * section->along.y - s * section->along.x;
    double half = share * (pipe ? fixture->radius : 0.5 * fixture->width);
    double low = 0.0, high = section->step * RENDER_SECTION_COLUMNS;
    clip(c * dx + s * dy, c * section->along.x + s * section->along.y, 0.5 * fixture->length, &low, &high);
    clip(beside, turn, half, &low, &high);
    if (!(low < high)) {
        return out;
    }
    Piece piece = {.color = {0.0f}};
    paint_solid(&piece, color);
    double before = low;
    for (int k = 0; k <= SECTION_SLICES; k++) {
        double t = 0.5 * (low + high) - 0.5 * (high - low) * cos(M_PI * k / SECTION_SLICES);
        double off = beside + t * turn, tall = sqrt(fmax(half * half - off * off, 0.0));
        piece.top[1] = (float)(pipe ? fixture->z + tall : fixture->top);
        piece.bottom[1] = (float)(pipe ? fixture->z - tall : fixture->bottom);
        if (k > 0) {
            out = add_piece(out, (float[2]){(float)before, (float)t}, &piece);
        }
        piece.top[0] = piece.top[1];
        piece.bottom[0] = piece.bottom[1];
        before = t;
    }
    return out;
}

static SectionVertex *add_fixtures(SectionVertex *out, const RenderView *view)
{
    static const uint8_t paint[3] = {34, 92, 168}, inside[3] = {16, 26, 36}, concrete[3] = {150, 148, 142};
    for (int k = 0; k < view->scene->fixtures_count && k < SCENE_MAX_FIXTURES; k++) {
        const SceneFixture *fixture = &view->scene->fixtures[k];
        if (fixture->shape == SCENE_FIXTURE_PIPE) {
            out = add_fixture(out, &view->section, fixture, 1.0, paint);
            out = add_fixture(out, &view->section, fixture, PIPE_INSIDE, inside);
        } else if (fixture->shape == SCENE_FIXTURE_BOX) {
            out = add_fixture(out, &view->section, fixture, 1.0, concrete);
        }
    }
    return out;
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

int section_faces(const RenderView *view, double low, SectionVertex *out, int *ground)
{
    SectionVertex *end = out;
    for (int i = 0; i < RENDER_SECTION_COLUMNS; i++) {
        end = add_layers(end, &view->section, view->scene, i, (float)low);
    }
    *ground = (int)(end - out);
    for (int k = 1; k < view->grid_count && k < RENDER_MAX_GRIDS; k++) {
        if (view->grids[k].height != NULL) {
            end = add_tray(end, view, &view->grids[k]);
        }
    }
    return (int)(add_fixtures(end, view) - out);
}

bool section_face_create(SectionFace *face, const GlShaders *shaders, Status *status)
{
    face->program = gl_program_create(shaders, "section", "", status);
    if (face->program == 0) {
        return false;
    }
    face->start = glGetUniformLocation(face->program, "start");
    face->direction = glGetUniformLocation(face->program, "direction");
    face->vertices = malloc(sizeof(SectionVertex) * SECTION_VERTICES);
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

void section_face_draw(SectionFace *face, const RenderView *view, double low)
{
    const RenderSection *section = &view->section;
    if (!section->visible || view->scene == NULL) {
        return;
    }
    const double before = 0.01; // m towards the eye that trays and fixtures lie before the ground
    int ground = 0, count = section_faces(view, low, face->vertices, &ground);
    glUseProgram(face->program);
    glUniform2f(face->direction, (float)section->along.x, (float)section->along.y);
    glBindVertexArray(face->array);
    glBindBuffer(GL_ARRAY_BUFFER, face->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(SectionVertex) * count, face->vertices, GL_STREAM_DRAW);
    glUniform3f(face->start, (float)section->start.x, (float)section->start.y, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, ground);
    glUniform3f(face->start, (float)(section->start.x + before * section->along.y),
                (float)(section->start.y - before * section->along.x), 0.0f);
    glDepthFunc(GL_LEQUAL); // a pipe's inside is drawn over its wall
    glDrawArrays(GL_TRIANGLES, ground, count - ground);
    glDepthFunc(GL_LESS);
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
