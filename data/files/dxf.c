/// Reads DXF pair by pair: a group code and its value, each on a line (AutoCAD DXF Reference, "ASCII DXF Files").
#include "data/files/dxf.h"

#include <iconv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/core/language.h"
#include "data/core/plain_text.h"
#include "data/files/breaklines.h"

bool dxf_is(const char *first)
{
    const char *code = first + strspn(first, " \t\r\n");
    size_t length = strspn(code, "0123456789");
    const char *value = code + length + strspn(code + length, " \t\r\n");
    bool comment = length == 3 && strncmp(code, "999", 3) == 0;
    return comment || (length == 1 && code[0] == '0' && strncmp(value, "SECTION", 7) == 0);
}

/// ---- pairs ---------------------------------------------------------------------------------------------------------

enum { MOST_LINE = 512, MOST_LAYERS = 1024 };

/// A layer that has faces, or lines and points with heights.
typedef struct Layer {
    char name[SURVEY_NAME_LENGTH];
    Tin tin;
    Breaklines lines;
    bool has_height; ///< one of the lines' and points' is not 0
    TinPlace began;
} Layer;

/// What an entity says.
typedef struct Entity {
    char type[32];
    char layer[SURVEY_NAME_LENGTH];
    int line; ///< of its beginning
    bool paper; ///< not in the model
    int flags; ///< 70
    bool has[4]; ///< corners
    double corner[4][3];
    int vertex[4]; ///< 71..74
    bool has_height; ///< 30 of the first corner, or 38
    double height; ///< 38
} Entity;

typedef struct Reader {
    const char *label;
    FILE *file;
    Status *status;
    int line; ///< that was read last
    int code;
    char value[MOST_LINE];
    char section[32], variable[32];
    int units; ///< $INSUNITS
    char code_page[32]; ///< $DWGCODEPAGE, as iconv has it
    Layer *layers; ///< [MOST_LAYERS]
    int layer_count;
    bool in_mesh; ///< of vertices and faces
    Layer *mesh_layer;
    int mesh_first; ///< its first point
    Layer *line_layer; ///< of the vertices of an open polyline, and of a lightweight one that is being read
    bool closed, flat; ///< that polyline: its last vertex leads to the first; one height is that of all
    double line_height; ///< of one that is flat
    int line_first; ///< number of its first vertex
    int light_line; ///< of the lightweight polyline without a height that was counted last
    int blocks, meshes, lines; ///< that are not read: lines and points have no heights
} Reader;

static bool fail(const Reader *reader, int line, const char *text, const char *read)
{
    return tin_fail_at(reader->label, (TinPlace){line > 0 ? line : 1, 1}, reader->status, text, read);
}

/// Reads a line without its ends; false at the end of the file, or with `status` when it is too long.
static bool next_line(Reader *reader, char line[MOST_LINE], bool *ends)
{
    *ends = fgets(line, MOST_LINE, reader->file) == NULL;
    if (*ends) {
        return false;
    }
    reader->line++;
    size_t length = strlen(line);
    if (length + 1 == MOST_LINE && line[length - 1] != '\n') {
        return tin_fail_at(reader->label, (TinPlace){reader->line, 1}, reader->status,
                           "read a line of more than %d characters: is this a DXF with text?", MOST_LINE - 2);
    }
    while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL) {
        line[--length] = '\0';
    }
    size_t blank = strspn(line, " \t");
    memmove(line, line + blank, length - blank + 1);
    return true;
}

/// Reads a pair; `ends` at the end of the file.
static bool next_pair(Reader *reader, bool *ends)
{
    char code[MOST_LINE];
    if (!next_line(reader, code, ends)) {
        return false;
    }
    char *end;
    long number = strtol(code, &end, 10);
    if (end == code || *end != '\0' || number < -5 || number > 1071) {
        return tin_fail_at(reader->label, (TinPlace){reader->line, 1}, reader->status,
                           "read \"%.40s\", allowed a group code, -5 to 1071", code);
    }
    reader->code = (int)number;
    bool cut;
    if (!next_line(reader, reader->value, &cut)) {
        return cut ? fail(reader, reader->line, "%s", "the file ends behind a group code") : false;
    }
    return true;
}

static bool read_number(const Reader *reader, double most, double *number)
{
    char *end = NULL;
    bool plain = strspn(reader->value, "0123456789+-.eE") == strlen(reader->value) && reader->value[0] != '\0';
    *number = plain ? strtod(reader->value, &end) : 0.0;
    return (plain && *end == '\0' && fabs(*number) <= most) ||
           tin_fail_at(reader->label, (TinPlace){reader->line, 1}, reader->status,
                       "group code %d: read \"%.40s\", allowed a number, %g to %g", reader->code, reader->value, -most,
                       most);
}

/// ---- faces ---------------------------------------------------------------------------------------------------------

static Layer *find_layer(Reader *reader, const Entity *entity)
{
    for (int k = 0; k < reader->layer_count; k++) {
        if (strcmp(reader->layers[k].name, entity->layer) == 0) {
            return &reader->layers[k];
        }
    }
    if (reader->layer_count == MOST_LAYERS) {
        tin_fail_at(reader->label, (TinPlace){entity->line, 1}, reader->status,
                    "faces in more than %d layers, allowed at most that many", MOST_LAYERS);
        return NULL;
    }
    Layer *layer = &reader->layers[reader->layer_count++];
    snprintf(layer->name, sizeof layer->name, "%s", entity->layer);
    layer->began = (TinPlace){entity->line, 1};
    return layer;
}

static bool add_triangle(const Reader *reader, Layer *layer, int a, int b, int c, int line)
{
    return tin_add_face(&layer->tin, reader->label, (int[3]){a, b, c}, (TinPlace){line, 1}, reader->status);
}

static bool add_corner(const Reader *reader, Layer *layer, const double at[3], int line)
{
    return tin_add_point(&layer->tin, reader->label, at, (TinPlace){line, 1}, reader->status);
}

/// A face of three corners, whose fourth is missing or the third again, or of four, cut along its first diagonal.
static bool end_3dface(Reader *reader, const Entity *entity)
{
    if (!entity->has[0] || !entity->has[1] || !entity->has[2]) {
        return fail(reader, entity->line, "%s: less than three corners", "3DFACE");
    }
    Layer *layer = find_layer(reader, entity);
    bool four = entity->has[3] && memcmp(entity->corner[2], entity->corner[3], sizeof entity->corner[2]) != 0;
    int first = layer != NULL ? layer->tin.point_count : 0;
    bool good = layer != NULL;
    for (int k = 0; good && k < (four ? 4 : 3); k++) {
        good = add_corner(reader, layer, entity->corner[k], entity->line);
    }
    return good && add_triangle(reader, layer, first, first + 1, first + 2, entity->line) &&
           (!four || add_triangle(reader, layer, first, first + 2, first + 3, entity->line));
}

/// ---- lines ---------------------------------------------------------------------------------------------------------

/// Adds a point of a line, or one that stands alone; `joins`: a line leads to it from the point before.
static bool add_vertex(Reader *reader, Layer *layer, const double at[3], int line, bool joins)
{
    Tin *points = &layer->lines.points;
    layer->has_height = layer->has_height || at[2] != 0.0;
    return tin_add_point(points, reader->label, at, (TinPlace){line, 1}, reader->status) &&
           (!joins || breaklines_add(&layer->lines, reader->label, points->point_count - 2, points->point_count - 1,
                                     reader->status));
}

/// Ends the polyline that is open, if there is one.
static bool end_line(Reader *reader)
{
    Layer *layer = reader->line_layer;
    reader->line_layer = NULL;
    int last = layer != NULL ? layer->lines.points.point_count - 1 : 0;
    return layer == NULL || !reader->closed || last < reader->line_first + 2 ||
           breaklines_add(&layer->lines, reader->label, last, reader->line_first, reader->status);
}

/// The layer of a line or a point; NULL: there are too many layers, and it is one of those that are not read.
static Layer *find_line_layer(Reader *reader, const Entity *entity)
{
    Status ignored = *reader->status;
    Layer *layer = find_layer(reader, entity);
    if (layer == NULL) {
        *reader->status = ignored;
        reader->lines++;
    }
    return layer;
}

/// A line or a point; without a height it is none.
static bool end_line_or_point(Reader *reader, const Entity *entity)
{
    bool point = strcmp(entity->type, "POINT") == 0;
    if (!entity->has_height || !entity->has[0] || (!point && !entity->has[1])) {
        reader->lines++;
        return true;
    }
    Layer *layer = find_line_layer(reader, entity);
    return layer == NULL || (add_vertex(reader, layer, entity->corner[0], entity->line, false) &&
                             (point || add_vertex(reader, layer, entity->corner[1], entity->line, true)));
}

/// Begins a polyline of the layer of an entity.
static void begin_line(Reader *reader, const Entity *entity, bool flat, double height)
{
    reader->line_layer = find_line_layer(reader, entity);
    if (reader->line_layer == NULL) {
        return;
    }
    reader->closed = (entity->flags & 1) != 0;
    reader->flat = flat;
    reader->line_height = height;
    reader->line_first = reader->line_layer->lines.points.point_count;
}

/// Adds a vertex of the open polyline.
static bool add_line_vertex(Reader *reader, const double corner[3], int line)
{
    const double at[3] = {corner[0], corner[1], reader->flat ? reader->line_height : corner[2]};
    bool joins = reader->line_layer->lines.points.point_count > reader->line_first;
    return add_vertex(reader, reader->line_layer, at, line, joins);
}

/// ---- polylines and meshes ------------------------------------------------------------------------------------------

enum {
    POLYLINE_3D = 8,
    SPLINE_FRAME = 16,
    POLYLINE_MESH = 16,
    POLYLINE_FACES = 64,
    VERTEX_PLACE = 64,
    VERTEX_OF_FACES = 128
};

static bool end_polyline(Reader *reader, const Entity *entity)
{
    bool solid = (entity->flags & POLYLINE_3D) != 0, faces = (entity->flags & POLYLINE_FACES) != 0;
    reader->meshes += (entity->flags & POLYLINE_MESH) != 0;
    if ((entity->flags & (POLYLINE_MESH | POLYLINE_FACES)) == 0) {
        reader->lines += !solid && !entity->has_height;
        if (!entity->paper && (solid || entity->has_height)) {
            begin_line(reader, entity, !solid, entity->corner[0][2]);
        }
        return true;
    }
    if (faces && !entity->paper) {
        reader->mesh_layer = find_layer(reader, entity);
        if (reader->mesh_layer == NULL) {
            return false;
        }
        reader->in_mesh = true;
        reader->mesh_first = reader->mesh_layer->tin.point_count;
    }
    return true;
}

static bool end_vertex(const Reader *reader, const Entity *entity)
{
    Layer *layer = reader->mesh_layer;
    if ((entity->flags & VERTEX_PLACE) != 0) {
        return (entity->has[0] || fail(reader, entity->line, "%s: no place", "VERTEX")) &&
               add_corner(reader, layer, entity->corner[0], entity->line);
    }
    int corners[4], count = 0, points = layer->tin.point_count - reader->mesh_first;
    for (int k = 0; k < 4; k++) {
        int vertex = abs(entity->vertex[k]); // below 0: its edge is invisible
        if (vertex > points) {
            return tin_fail_at(reader->label, (TinPlace){entity->line, 1}, reader->status,
                               "the face names vertex %d, of %d before it", vertex, points);
        }
        corners[count] = reader->mesh_first + vertex - 1;
        count += vertex > 0;
    }
    for (int k = 2; k < count; k++) {
        if (!add_triangle(reader, layer, corners[0], corners[k - 1], corners[k], entity->line)) {
            return false;
        }
    }
    return true;
}

static bool end_entity(Reader *reader, const Entity *entity)
{
    const char *type = entity->type;
    if (strcmp(type, "3DFACE") == 0) {
        return entity->paper || end_3dface(reader, entity);
    }
    if (strcmp(type, "POLYLINE") == 0) {
        reader->in_mesh = false;
        return end_line(reader) && end_polyline(reader, entity);
    }
    if (strcmp(type, "VERTEX") == 0 && reader->line_layer != NULL) {
        return (entity->flags & SPLINE_FRAME) != 0 || !entity->has[0] ||
               add_line_vertex(reader, entity->corner[0], entity->line);
    }
    if (strcmp(type, "VERTEX") == 0) {
        return !reader->in_mesh || (entity->flags & VERTEX_OF_FACES) == 0 || end_vertex(reader, entity);
    }
    reader->in_mesh = reader->in_mesh && strcmp(type, "SEQEND") != 0;
    reader->blocks += strcmp(type, "INSERT") == 0;
    reader->meshes += strcmp(type, "MESH") == 0 || strcmp(type, "SURFACE") == 0;
    if (!end_line(reader)) {
        return false;
    }
    return entity->paper || (strcmp(type, "LINE") != 0 && strcmp(type, "POINT") != 0) ||
           end_line_or_point(reader, entity);
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

/// Writes the value, a name of a file's own code page, as UTF-8, which files from 2007 on have. A code page that is not
/// known counts as Latin-1.
static void read_name(const Reader *reader, char name[SURVEY_NAME_LENGTH])
{
    char text[2 * MOST_LINE];
    Status ignored;
    char *in = (char *)reader->value, *out = text; // iconv does not write to it
    size_t left = strlen(in), room = sizeof text - 1;
    if (plain_text_check("", in, left, &ignored)) {
        snprintf(name, SURVEY_NAME_LENGTH, "%.*s", SURVEY_NAME_LENGTH - 1, in);
        language_end_whole(name);
        return;
    }
    iconv_t pages = iconv_open("UTF-8", reader->code_page[0] != '\0' ? reader->code_page : "CP1252");
    if (pages != (iconv_t)-1) {
        iconv(pages, &in, &left, &out, &room);
        iconv_close(pages);
    }
    for (; left > 0; in++, left--) {
        unsigned char letter = (unsigned char)*in;
        if (letter >= 0x80) {
            *out++ = (char)(0xc0 | letter >> 6);
        }
        *out++ = (char)(letter < 0x80 ? letter : 0x80 | (letter & 0x3f));
    }
    *out = '\0';
    snprintf(name, SURVEY_NAME_LENGTH, "%.*s", SURVEY_NAME_LENGTH - 1, text);
    language_end_whole(name);
}

/// "ANSI_1252" is CP1252 for iconv.
static void read_code_page(Reader *reader)
{
    const char *number = reader->value + strcspn(reader->value, "0123456789");
    bool plain = number[0] != '\0' && number[strspn(number, "0123456789")] == '\0';
    snprintf(reader->code_page, sizeof reader->code_page, "%s%.20s", plain ? "CP" : "", plain ? number : "");
}

/// Adds a vertex of a lightweight polyline, whose height and flags stand before its vertices.
static bool add_light_vertex(Reader *reader, const Entity *entity)
{
    if (entity->paper || !entity->has_height) {
        reader->lines += reader->light_line != entity->line;
        reader->light_line = entity->line;
        return true;
    }
    if (reader->line_layer == NULL) {
        begin_line(reader, entity, true, entity->height);
    }
    return reader->line_layer == NULL || add_line_vertex(reader, entity->corner[0], entity->line);
}

/// Takes a pair of an entity.
static bool add_pair(Reader *reader, Entity *entity)
{
    int code = reader->code, corner = code % 10, axis = code / 10 - 1;
    double number = 0.0;
    bool light = strcmp(entity->type, "LWPOLYLINE") == 0;
    if (code == 8) {
        read_name(reader, entity->layer);
    } else if (code >= 10 && code <= 33 && corner < 4) {
        if (!read_number(reader, SURVEY_FARTHEST, &number)) {
            return false;
        }
        entity->corner[corner][axis] = number;
        entity->has[corner] = entity->has[corner] || axis == 0;
        entity->has_height = entity->has_height || code == 30;
        return !light || code != 20 || add_light_vertex(reader, entity);
    } else if (light && code == 38) {
        if (!read_number(reader, SURVEY_FARTHEST, &entity->height)) {
            return false;
        }
        entity->has_height = true;
    } else if (code == 67 || (code >= 70 && code <= 74)) {
        if (!read_number(reader, 2147483647.0, &number)) {
            return false;
        }
        entity->paper = code == 67 ? number != 0.0 : entity->paper;
        entity->flags = code == 70 ? (int)number : entity->flags;
        if (code > 70) {
            entity->vertex[code - 71] = (int)number;
        }
    }
    return true;
}

/// A pair outside of entities.
static bool take_other(Reader *reader)
{
    double number;
    if (reader->code == 2) {
        snprintf(reader->section, sizeof reader->section, "%.*s", (int)sizeof reader->section - 1, reader->value);
    } else if (reader->code == 9) {
        snprintf(reader->variable, sizeof reader->variable, "%.*s", (int)sizeof reader->variable - 1, reader->value);
    } else if (reader->code == 70 && strcmp(reader->variable, "$INSUNITS") == 0) {
        if (!read_number(reader, 24.0, &number)) {
            return false;
        }
        reader->units = (int)number;
        reader->variable[0] = '\0';
    } else if (reader->code == 3 && strcmp(reader->variable, "$DWGCODEPAGE") == 0) {
        read_code_page(reader);
    }
    return true;
}

static bool read_pairs(Reader *reader)
{
    bool ends = false, in_entity = false;
    Entity entity = {.line = 0};
    while (next_pair(reader, &ends)) {
        if (reader->code == 0) {
            if (in_entity && !end_entity(reader, &entity)) {
                return false;
            }
            if (strcmp(reader->value, "EOF") == 0) {
                return true;
            }
            bool frame = strcmp(reader->value, "SECTION") == 0 || strcmp(reader->value, "ENDSEC") == 0;
            in_entity = !frame && strcmp(reader->section, "ENTITIES") == 0;
            reader->section[0] = frame ? '\0' : reader->section[0];
            entity = (Entity){.line = reader->line - 1, .layer = "0"};
            snprintf(entity.type, sizeof entity.type, "%.31s", reader->value);
        } else if (in_entity ? !add_pair(reader, &entity)
                             : (reader->section[0] == '\0' || strcmp(reader->section, "HEADER") == 0) &&
                                   !take_other(reader)) {
            return false;
        }
    }
    return ends && fail(reader, reader->line, "%s", "the file ends without EOF: it is not whole");
}

/// m; 0: none of those that are read.
static double metres_of(int units, const char **name)
{
    static const struct {
        int units;
        const char *name;
        double metres;
    } known[] = {{0, "metres, as it states no unit", 1.0},
                 {1, "inches", 0.0254},
                 {2, "feet", 0.3048},
                 {3, "miles", 1609.344},
                 {4, "millimetres", 1e-3},
                 {5, "centimetres", 1e-2},
                 {6, "metres", 1.0},
                 {7, "kilometres", 1e3},
                 {10, "yards", 0.9144},
                 {14, "decimetres", 0.1},
                 {21, "US survey feet", 1200.0 / 3937.0}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (known[k].units == units) {
            *name = known[k].name;
            return known[k].metres;
        }
    }
    return 0.0;
}

/// Makes a surface of the lines and points of a layer.
static bool join_lines(const Reader *reader, Layer *layer, const SurveyWish *wish)
{
    if (!layer->has_height) {
        return tin_fail_at(reader->label, layer->began, reader->status,
                           "the lines and points of layer %s have no height but 0: export them in three dimensions",
                           layer->name);
    }
    if (!breaklines_join(&layer->lines, wish->longest_edge, reader->label, reader->status)) {
        return false;
    }
    tin_free(&layer->tin);
    layer->tin = layer->lines.points;
    layer->lines.points = (Tin){0};
    return true;
}

static void scale_points(Tin *tin, double metres)
{
    for (int n = 0; n < 3 * tin->point_count; n++) {
        tin->points[n / 3][n % 3] *= metres;
    }
}

/// Layers with faces are surfaces; where there are none, or one is named that has none, those with lines and points.
static bool give_layers(Reader *reader, const SurveyWish *wish, double metres)
{
    char names[400] = "";
    int found = 0, given = 0, with_faces = 0;
    for (int k = 0; k < reader->layer_count; k++) {
        with_faces += reader->layers[k].tin.face_count > 0;
    }
    bool lines = with_faces == 0;
    for (int k = 0; k < reader->layer_count; k++) {
        size_t length = strlen(names);
        bool has = lines ? reader->layers[k].lines.points.point_count > 0 : reader->layers[k].tin.face_count > 0;
        snprintf(names + length, sizeof names - length, "%s%s", has && found > 0 ? ", " : "",
                 has ? reader->layers[k].name : "");
        found += has;
    }
    if (found == 0) {
        return tin_fail_at(reader->label, (TinPlace){1, 1}, reader->status,
                           "no 3DFACE, no polyface mesh and no lines with heights (there are %d lines and points "
                           "without, %d other meshes, %d inserted blocks): export the surface as 3D faces or its break "
                           "lines as 3D polylines, and explode blocks",
                           reader->lines, reader->meshes, reader->blocks);
    }
    if (found > 1 && wish->choice == SURVEY_ONLY) {
        return fail(reader, 1,
                    lines ? "lines lie in several layers (%s): state which one by `surface`"
                          : "faces lie in several layers (%s): state which one by `surface`",
                    names);
    }
    for (int k = 0; k < reader->layer_count; k++) {
        Layer *layer = &reader->layers[k];
        bool named = wish->choice == SURVEY_NAMED, has_faces = layer->tin.face_count > 0;
        bool has_lines = layer->lines.points.point_count > 0;
        if ((named ? strcasecmp(layer->name, wish->name) != 0 : !lines && !has_faces) || (!has_faces && !has_lines)) {
            continue;
        }
        if (has_faces && wish->longest_edge > 0.0) {
            return fail(reader, 1, "longest_edge: layer %s has faces, allowed for one of lines and points",
                        layer->name);
        }
        scale_points(&layer->tin, metres);
        scale_points(&layer->lines.points, metres);
        if ((!has_faces && !join_lines(reader, layer, wish)) ||
            !wish->take(wish->context, named ? wish->name : layer->name, &layer->tin, layer->began, reader->status)) {
            return false;
        }
        tin_free(&layer->tin);
        given++;
    }
    return given > 0 ||
           tin_fail_at(reader->label, (TinPlace){1, 1}, reader->status,
                       "no layer named %s has faces or lines with heights, those are in %s", wish->name, names);
}

bool dxf_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Reader reader = {.label = label, .file = file, .status = status};
    const char *name = "";
    reader.layers = calloc(MOST_LAYERS, sizeof *reader.layers);
    if (reader.layers == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    bool good = read_pairs(&reader);
    double metres = metres_of(reader.units, &name);
    if (good && !(metres > 0.0)) {
        good =
            tin_fail_at(label, (TinPlace){1, 1}, status,
                        "$INSUNITS: read %d, allowed a unit of length from millimetres to miles: export it in metres",
                        reader.units);
    }
    snprintf(unit, SURVEY_NAME_LENGTH, "%s", name);
    good = good && give_layers(&reader, wish, metres);
    for (int k = 0; k < reader.layer_count; k++) {
        tin_free(&reader.layers[k].tin);
        breaklines_free(&reader.layers[k].lines);
    }
    free(reader.layers);
    return good && status_good(status);
}
