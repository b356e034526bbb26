/// Reads closed surfaces from Wavefront OBJ texts, line by line.
///
/// Vertices may stand twice at one place (many programs write one for each face), so the surface is closed when every
/// edge between places, not numbers, belongs to an even number of faces. The first word that breaks a rule is named by
/// line and column.
#include "data/files/obj.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/plain_text.h"

enum { LONGEST_LINE = 4096, MOST_CORNERS = 256 };

/// Where a word stands; both count from 1, columns in characters.
typedef struct Place {
    int line, column;
} Place;

/// An edge of a triangle, and where its face stands.
typedef struct Edge {
    int low, high; ///< vertices
    Place place;
} Edge;

typedef struct Parser {
    const char *label;
    int line; ///< that is read
    const char *text; ///< of this line and what follows
    const char *cut; ///< the line, cut into words
    size_t word; ///< that is read, bytes from the line's start
    Place face; ///< of the face that is read
    Status *status;
    ObjMesh mesh;
    int vertex_room, triangle_room;
    Place *places; ///< of each triangle's face; as large as triangle_room
} Parser;

static bool fail_at(const Parser *parser, Place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail_at(const Parser *parser, Place place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(parser->status, STATUS_BAD_FILE, "%s:%d:%d: %s", parser->label, place.line, place.column, text);
}

/// Where the word that is read stands; at a line's end, where one is missing.
static Place here(const Parser *parser)
{
    Place place;
    plain_text_place(parser->text, parser->word, &place.line, &place.column);
    place.line = parser->line;
    return place;
}

static bool fail_memory(const char *label, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
}

void obj_free(ObjMesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (ObjMesh){0};
}

/// ---- growing arrays ------------------------------------------------------------------------------------------------

static bool add_vertex(Parser *parser, const double at[3])
{
    ObjMesh *mesh = &parser->mesh;
    if (mesh->vertex_count == parser->vertex_room) {
        int room = parser->vertex_room > 0 ? 2 * parser->vertex_room : 256;
        void *larger = realloc(mesh->vertices, (size_t)room * sizeof *mesh->vertices);
        if (larger == NULL) {
            return fail_memory(parser->label, parser->status);
        }
        mesh->vertices = larger;
        parser->vertex_room = room;
    }
    memcpy(mesh->vertices[mesh->vertex_count++], at, sizeof *mesh->vertices);
    return true;
}

static bool add_triangle(Parser *parser, int a, int b, int c)
{
    ObjMesh *mesh = &parser->mesh;
    if (mesh->triangle_count == parser->triangle_room) {
        int room = parser->triangle_room > 0 ? 2 * parser->triangle_room : 256;
        void *larger = realloc(mesh->triangles, (size_t)room * sizeof *mesh->triangles);
        if (larger == NULL) {
            return fail_memory(parser->label, parser->status);
        }
        mesh->triangles = larger;
        Place *places = realloc(parser->places, (size_t)room * sizeof *places);
        if (places == NULL) {
            return fail_memory(parser->label, parser->status);
        }
        parser->places = places;
        parser->triangle_room = room;
    }
    parser->places[mesh->triangle_count] = parser->face;
    memcpy(mesh->triangles[mesh->triangle_count++], (int[]){a, b, c}, sizeof *mesh->triangles);
    return true;
}

/// ---- lines ---------------------------------------------------------------------------------------------------------

/// The next word of a line, cut off by a NUL; NULL at its end. `rest` moves behind it; its place is noted.
static char *next_word(Parser *parser, char **rest)
{
    char *word = *rest + strspn(*rest, " \t");
    parser->word = (size_t)(word - parser->cut);
    if (*word == '\0') {
        return NULL;
    }
    char *end = word + strcspn(word, " \t");
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

static bool read_vertex(Parser *parser, char *rest)
{
    double at[3];
    for (int k = 0; k < 3; k++) {
        const char *word = next_word(parser, &rest);
        if (word == NULL) {
            return fail_at(parser, here(parser), "a vertex with %d numbers, allowed v x y z", k);
        }
        // Decimal digits only: strtod alone would take nan, inf and hexadecimal.
        char *end = NULL;
        bool plain = strspn(word, "0123456789+-.eE") == strlen(word);
        at[k] = plain ? strtod(word, &end) : 0.0;
        if (!plain || end == word || *end != '\0' || !(fabs(at[k]) <= OBJ_FARTHEST)) {
            return fail_at(parser, here(parser), "read %.40s, allowed a number, %g to %g", word, -OBJ_FARTHEST,
                           OBJ_FARTHEST);
        }
    }
    return add_vertex(parser, at);
}

/// A corner `n`, `n/t`, `n//m` or `n/t/m`: the number of its vertex, from 0.
static bool read_corner(const Parser *parser, const char *word, int *vertex)
{
    char *end = NULL;
    *vertex = 0;
    long number = isdigit((unsigned char)word[word[0] == '-']) ? strtol(word, &end, 10) : 0;
    if (end == NULL || (*end != '\0' && *end != '/') || strspn(end, "/0123456789-") != strlen(end)) {
        return fail_at(parser, here(parser), "read %.40s, allowed numbers of vertices: n, n/t, n//m or n/t/m", word);
    }
    int count = parser->mesh.vertex_count;
    if (number == 0 || number > count || number < -(long)count) {
        return fail_at(parser, here(parser), "vertex %.40s, there are %d before this line", word, count);
    }
    *vertex = (int)(number > 0 ? number - 1 : count + number);
    return true;
}

static bool read_face(Parser *parser, char *rest)
{
    int corners[MOST_CORNERS], count = 0;
    for (const char *word = next_word(parser, &rest); word != NULL; word = next_word(parser, &rest)) {
        if (count == MOST_CORNERS) {
            return fail_at(parser, here(parser), "a face with more than %d corners", MOST_CORNERS);
        }
        if (!read_corner(parser, word, &corners[count])) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            if (corners[k] == corners[count]) {
                return fail_at(parser, here(parser), "a face comes to vertex %.40s twice", word);
            }
        }
        count++;
    }
    if (count < 3) {
        return fail_at(parser, here(parser), "a face with %d corners, allowed 3 or more", count);
    }
    for (int k = 2; k < count; k++) {
        if (!add_triangle(parser, corners[0], corners[k - 1], corners[k])) {
            return false;
        }
    }
    return true;
}

static bool read_line(Parser *parser, char *line)
{
    static const char *const passed_over[] = {"vt", "vn", "g", "o", "s", "usemtl", "mtllib", "l", "p"};
    line[strcspn(line, "#\r")] = '\0';
    parser->cut = line;
    char *rest = line;
    const char *word = next_word(parser, &rest);
    if (word == NULL) {
        return true;
    }
    if (strcmp(word, "v") == 0) {
        return read_vertex(parser, rest);
    }
    if (strcmp(word, "f") == 0) {
        parser->face = here(parser);
        return read_face(parser, rest);
    }
    for (size_t k = 0; k < sizeof passed_over / sizeof passed_over[0]; k++) {
        if (strcmp(word, passed_over[k]) == 0) {
            return true;
        }
    }
    return fail_at(parser, here(parser),
                   "read %.40s, allowed v and f (and vt, vn, g, o, s, usemtl, mtllib, l, p, comments)", word);
}

/// line  room for one
static bool read_each(Parser *parser, const char *text, size_t size, char line[LONGEST_LINE])
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : size - at;
        parser->line++;
        if (length >= LONGEST_LINE) {
            return fail_at(parser, (Place){parser->line, LONGEST_LINE}, "a line of %zu bytes, allowed %d", length,
                           LONGEST_LINE - 1);
        }
        parser->text = text + at;
        memcpy(line, text + at, length);
        line[length] = '\0';
        if (!read_line(parser, line)) {
            return false;
        }
        at += length + 1;
    }
    return true;
}

static bool read_lines(Parser *parser, const char *text, size_t size)
{
    char line[LONGEST_LINE];
    bool good = plain_text_check(parser->label, text, size, parser->status) && read_each(parser, text, size, line);
    parser->cut = NULL; // it was the line
    return good;
}

/// ---- closedness ----------------------------------------------------------------------------------------------------

static int compare_edges(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

static int compare_places(const void *a, const void *b)
{
    const double *x = **(double(*const *)[3])a, *y = **(double(*const *)[3])b;
    for (int k = 0; k < 3; k++) {
        if (x[k] != y[k]) {
            return x[k] < y[k] ? -1 : 1;
        }
    }
    return (x > y) - (x < y);
}

/// same[v]: the first vertex with v's place. Many programs write a vertex again for each face. NULL when memory is out.
static int *find_same(const ObjMesh *mesh)
{
    size_t count = (size_t)mesh->vertex_count;
    assert(count > 0); // there are faces, and they name vertices
    double(**order)[3] = malloc(count * sizeof *order);
    int *same = malloc(count * sizeof *same);
    if (order == NULL || same == NULL) {
        free(order);
        free(same);
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        order[k] = &mesh->vertices[k];
    }
    qsort(order, count, sizeof *order, compare_places);
    size_t first = 0;
    for (size_t k = 0; k < count; k++) {
        const double *a = *order[first], *b = *order[k];
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) {
            first = k;
        }
        same[order[k] - mesh->vertices] = (int)(order[first] - mesh->vertices);
    }
    free(order);
    return same;
}

/// The edges of all triangles, sorted; those without length are left out. NULL when memory is out.
static Edge *list_edges(const Parser *parser, const int *same, size_t *count)
{
    const ObjMesh *mesh = &parser->mesh;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    Edge *edges = malloc((corners + 1) * sizeof *edges);
    *count = 0;
    for (size_t k = 0; edges != NULL && k < corners; k++) {
        const int *triangle = mesh->triangles[k / 3];
        int a = same[triangle[k % 3]], b = same[triangle[(k + 1) % 3]];
        if (a != b) {
            edges[(*count)++] = (Edge){a < b ? a : b, a < b ? b : a, parser->places[k / 3]};
        }
    }
    if (edges != NULL) {
        qsort(edges, *count, sizeof *edges, compare_edges);
    }
    return edges;
}

/// Finds an edge with an odd number of faces: the surface has a hole there.
static bool check_closed(Parser *parser)
{
    int *same = find_same(&parser->mesh);
    size_t count = 0;
    Edge *edges = same != NULL ? list_edges(parser, same, &count) : NULL;
    free(same);
    if (edges == NULL) {
        return fail_memory(parser->label, parser->status);
    }
    bool closed = true;
    for (size_t first = 0, next; closed && first < count; first = next) {
        next = first + 1;
        while (next < count && edges[next].low == edges[first].low && edges[next].high == edges[first].high) {
            next++;
        }
        if ((next - first) % 2 != 0) {
            closed = fail_at(parser, edges[next - 1].place,
                             "the surface is open: the edge between vertices %d and %d has %zu face%s",
                             edges[first].low + 1, edges[first].high + 1, next - first, next - first == 1 ? "" : "s");
        }
    }
    free(edges);
    return closed;
}

/// ---- reading -------------------------------------------------------------------------------------------------------

bool obj_parse(const char *label, const char *text, size_t size, ObjMesh *mesh, Status *status)
{
    Parser parser = {.label = label, .status = status};
    bool good = read_lines(&parser, text, size);
    if (good && parser.mesh.triangle_count == 0) {
        good = fail_at(&parser, (Place){parser.line > 0 ? parser.line : 1, 1}, "no face up to here: the mesh is empty");
    }
    good = good && check_closed(&parser);
    free(parser.places);
    if (!good) {
        obj_free(&parser.mesh);
        return false;
    }
    *mesh = parser.mesh;
    return status_good(status);
}

bool obj_box(const double size[3], ObjMesh *mesh, Status *status)
{
    // Corner k: bit 0 x, bit 1 y, bit 2 z. Outward faces, two triangles each.
    static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    *mesh = (ObjMesh){.vertex_count = 8, .triangle_count = 12};
    mesh->vertices = malloc(8 * sizeof *mesh->vertices);
    mesh->triangles = malloc(sizeof faces);
    if (mesh->vertices == NULL || mesh->triangles == NULL) {
        obj_free(mesh);
        return fail_memory("box", status);
    }
    for (int k = 0; k < 8; k++) {
        mesh->vertices[k][0] = size[0] * ((k & 1) != 0 ? 0.5 : -0.5);
        mesh->vertices[k][1] = size[1] * ((k & 2) != 0 ? 0.5 : -0.5);
        mesh->vertices[k][2] = (k & 4) != 0 ? size[2] : 0.0;
    }
    memcpy(mesh->triangles, faces, sizeof faces);
    return true;
}
