/// Reads LandXML with libxml2's SAX parser.
///
/// No tree is built, no entity is known but XML's own five, no file but the given text is opened. Which element is
/// which follows from its name and its parent. The parser says where it stands; an element's place is found by going
/// back from there to the "<" of its tag, which no attribute can hold.
#include "data/files/landxml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/core/elementary.h"
#include "data/core/plain_text.h"

/// ---- the reader ----------------------------------------------------------------------------------------------------

enum {
    MOST_DEPTH = 8, ///< deeper there is nothing that is read
    MOST_TEXT = 256, ///< bytes of a point or a face
    MOST_NAMES = 400, ///< bytes of all names together, for an error
};

typedef enum Element {
    ELEMENT_OTHER,
    ELEMENT_LANDXML,
    ELEMENT_UNITS,
    ELEMENT_COORDINATES,
    ELEMENT_METRIC,
    ELEMENT_IMPERIAL,
    ELEMENT_SURFACES,
    ELEMENT_SURFACE,
    ELEMENT_DEFINITION,
    ELEMENT_PNTS,
    ELEMENT_P,
    ELEMENT_FACES,
    ELEMENT_F,
} Element;

static const struct {
    Element parent;
    const char *name;
    Element element;
} elements[] = {
    {ELEMENT_LANDXML, "CoordinateSystem", ELEMENT_COORDINATES},
    {ELEMENT_LANDXML, "Units", ELEMENT_UNITS},
    {ELEMENT_UNITS, "Metric", ELEMENT_METRIC},
    {ELEMENT_UNITS, "Imperial", ELEMENT_IMPERIAL},
    {ELEMENT_LANDXML, "Surfaces", ELEMENT_SURFACES},
    {ELEMENT_SURFACES, "Surface", ELEMENT_SURFACE},
    {ELEMENT_SURFACE, "Definition", ELEMENT_DEFINITION},
    {ELEMENT_DEFINITION, "Pnts", ELEMENT_PNTS},
    {ELEMENT_PNTS, "P", ELEMENT_P},
    {ELEMENT_DEFINITION, "Faces", ELEMENT_FACES},
    {ELEMENT_FACES, "F", ELEMENT_F},
};

static const struct {
    const char *name;
    double metres;
} linear_units[] = {
    {"meter", 1.0},     {"millimeter", 1e-3}, {"centimeter", 1e-2},
    {"kilometer", 1e3}, {"foot", 0.3048},     {"USSurveyFoot", 1200.0 / 3937.0},
    {"inch", 0.0254},   {"mile", 1609.344},
};

/// A point's id and its number.
typedef struct PointId {
    int id, number;
} PointId;

typedef struct Reader {
    const char *label;
    xmlParserCtxtPtr parser;
    Status *status;
    bool failed;
    const SurveyWish *wish;
    double metres; ///< a unit of the file; 0: not read yet
    char unit[32]; ///< its name
    int depth; ///< of open elements
    Element open[MOST_DEPTH];
    char name[SURVEY_NAME_LENGTH]; ///< of the open surface
    int tins; ///< TIN surfaces so far
    bool found; ///< the wanted one was there
    bool taking; ///< the open definition is the wanted one
    char names[MOST_NAMES]; ///< of the TIN surfaces, for errors
    TinPlace place; ///< of the open point or face
    TinPlace began; ///< the surface that is taken
    int id;
    bool invisible;
    int length; ///< of its text so far
    char text[MOST_TEXT];
    PointId *ids; ///< [id_room] of the points
    int id_room;
    int hidden; ///< invisible faces
    Tin tin; ///< its faces name ids until the surface ends
} Reader;

/// True when the file says that it is not UTF-8: by its mark of UTF-16, or by `encoding` in its first tag, which is
/// ASCII (XML 1.0, appendix F). The parser then reads what that names.
static bool names_encoding(const char *text, size_t size)
{
    char tag[128] = "";
    memcpy(tag, text, size < sizeof tag - 1 ? size : sizeof tag - 1);
    tag[strcspn(tag, ">")] = '\0';
    const char *encoding = strstr(tag, "encoding");
    bool wide = memcmp(tag, "\xff\xfe", 2) == 0 || memcmp(tag, "\xfe\xff", 2) == 0;
    return wide || (encoding != NULL && strstr(encoding, "UTF-8") == NULL && strstr(encoding, "utf-8") == NULL);
}

static void fail(Reader *reader, TinPlace place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// The first failure ends the reading.
static void fail(Reader *reader, TinPlace place, const char *format, ...)
{
    if (reader->failed) {
        return;
    }
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    status_fail(reader->status, STATUS_BAD_FILE, "%s:%d:%d: %s", reader->label, place.line, place.column, text);
    reader->failed = true;
    if (reader->parser != NULL) {
        xmlStopParser(reader->parser);
    }
}

/// Where the tag begins that the parser is at the end of.
static TinPlace tag_place(const Reader *reader)
{
    const xmlParserInput *input = reader->parser->input;
    if (input == NULL || input->cur == NULL) {
        return (TinPlace){1, 1};
    }
    TinPlace place = {input->line, input->col};
    const xmlChar *at = input->cur;
    bool one_line = true;
    while (at > input->base && *at != '<') {
        at--;
        if (*at == '\n') {
            place.line--;
            one_line = false;
        }
    }
    place.column = input->col - (int)(input->cur - at);
    if (!one_line) {
        const xmlChar *start = at; // a tag of several lines: the beginning of its first has to be looked for
        while (start > input->base && start[-1] != '\n') {
            start--;
        }
        place.column = (int)(at - start) + 1;
    }
    place.line = place.line > 0 ? place.line : 1;
    place.column = place.column > 0 ? place.column : 1;
    return place;
}

/// ---- elements ------------------------------------------------------------------------------------------------------

/// Of a text that fills its room: without the last character, of which a part may be missing.
static void cut_whole(char *text, size_t size)
{
    size_t length = strlen(text);
    if (length + 1 == size) {
        while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) {
            length--;
        }
        text[length > 0 ? length - 1 : 0] = '\0';
    }
}

/// The value of an attribute without a prefix, cut to fit; false when there is none.
static bool attribute(const xmlChar **attributes, int count, const char *name, char *value, size_t size)
{
    // libxml2 hands over five pointers an attribute: name, prefix, namespace, begin and end of its value, in which it
    // leaves one sign as a reference.
    static const char and_sign[] = "&#38;";
    for (int k = 0; k < count; k++) {
        const xmlChar **one = attributes + (ptrdiff_t)5 * k;
        if (one[1] == NULL && strcmp((const char *)one[0], name) == 0) {
            snprintf(value, size, "%.*s", (int)(one[4] - one[3]), (const char *)one[3]);
            cut_whole(value, size);
            for (char *sign = strstr(value, and_sign); sign != NULL; sign = strstr(sign + 1, and_sign)) {
                memmove(sign + 1, sign + sizeof and_sign - 1, strlen(sign + sizeof and_sign - 1) + 1);
            }
            return true;
        }
    }
    value[0] = '\0';
    return false;
}

/// LandXML of the versions that have surfaces alike, also in the namespace of the Finnish Inframodel, or in none.
static void begin_root(Reader *reader, const char *name, const char *space)
{
    static const char *const spaces[] = {
        "http://www.landxml.org/schema/LandXML-1.0", "http://www.landxml.org/schema/LandXML-1.1",
        "http://www.landxml.org/schema/LandXML-1.2", "http://www.landxml.org/schema/LandXML-2.0",
        "http://www.inframodel.fi/inframodel"};
    bool known = space == NULL;
    for (size_t k = 0; !known && k < sizeof spaces / sizeof spaces[0]; k++) {
        known = strcmp(space, spaces[k]) == 0;
    }
    if (strcmp(name, "LandXML") != 0) {
        fail(reader, tag_place(reader), "read <%.40s>, allowed a LandXML file", name);
    } else if (!known) {
        fail(reader, tag_place(reader),
             "read the namespace %.80s, allowed http://www.landxml.org/schema/LandXML-1.0, 1.1, 1.2 or 2.0, "
             "http://www.inframodel.fi/inframodel, or none",
             space);
    }
}

/// m; 0: no unit of that name. Programs write them with capitals, too.
static double metres_of(const char *unit)
{
    for (size_t k = 0; k < sizeof linear_units / sizeof linear_units[0]; k++) {
        if (strcasecmp(linear_units[k].name, unit) == 0) {
            return linear_units[k].metres;
        }
    }
    return 0.0;
}

/// Places and heights are in `linearUnit`; an `elevationUnit` of another length is refused. The schema calls that one
/// feet and miles, whichever foot it is.
static void begin_units(Reader *reader, const xmlChar **attributes, int count)
{
    char height[32], *unit = reader->unit;
    attribute(attributes, count, "linearUnit", unit, sizeof reader->unit);
    reader->metres = metres_of(unit);
    if (!(reader->metres > 0.0)) {
        fail(
            reader, tag_place(reader),
            "linearUnit: read \"%s\", allowed meter, millimeter, centimeter, kilometer, foot, USSurveyFoot, inch, mile",
            unit);
        return;
    }
    if (attribute(attributes, count, "elevationUnit", height, sizeof height)) {
        const char *same = strcasecmp(height, "feet") == 0    ? "foot"
                           : strcasecmp(height, "miles") == 0 ? "mile"
                                                              : height;
        double metres = metres_of(same);
        if (!(fabs(metres - reader->metres) <= 1e-5 * reader->metres)) {
            fail(reader, tag_place(reader),
                 "elevationUnit: read \"%s\" beside linearUnit \"%s\", allowed one unit for places and heights: export "
                 "it again in one",
                 height, unit);
        }
    }
}

/// A survey that is turned against its grid would lie wrong.
static void begin_coordinates(Reader *reader, const xmlChar **attributes, int count)
{
    char angle[32];
    if (attribute(attributes, count, "rotationAngle", angle, sizeof angle) && strtod(angle, NULL) != 0.0) {
        fail(reader, tag_place(reader),
             "rotationAngle: read %s, allowed 0: export it again in the coordinates of the grid, or turn it by "
             "`heading_deg`",
             angle);
    }
}

static void begin_definition(Reader *reader, const xmlChar **attributes, int count)
{
    char type[16];
    attribute(attributes, count, "surfType", type, sizeof type);
    bool tin = strcmp(type, "TIN") == 0, named = reader->wish->choice == SURVEY_NAMED;
    bool called = named && strcmp(reader->name, reader->wish->name) == 0;
    if (!tin) {
        if (called) {
            fail(reader, tag_place(reader), "surfType: read \"%s\", allowed TIN", type);
        }
        return;
    }
    size_t length = strlen(reader->names);
    snprintf(reader->names + length, sizeof reader->names - length, "%s%s", reader->tins > 0 ? ", " : "", reader->name);
    int number = reader->tins++;
    if (reader->tins > SURVEY_MOST_SURFACES) {
        fail(reader, tag_place(reader), "more than %d surfaces, allowed at most that many", SURVEY_MOST_SURFACES);
    }
    if (reader->wish->choice == SURVEY_ONLY && number == 1) {
        fail(reader, tag_place(reader), "the file has several surfaces (%s, ...): state which one by `surface`",
             reader->names);
    }
    if (called && reader->found) {
        fail(reader, tag_place(reader), "a second surface %s, allowed one of that name", reader->name);
    }
    reader->taking = !named || called;
    reader->found = reader->found || reader->taking;
    reader->began = tag_place(reader);
    if (reader->taking && !(reader->metres > 0.0)) {
        fail(reader, tag_place(reader), "no Units before this surface: the length of a unit is missing");
    }
}

/// Reads a whole number above 0 that fills a word.
static bool read_id(const char *word, int *id)
{
    size_t length = strlen(word);
    *id = length > 0 && length <= 9 && strspn(word, "0123456789") == length ? (int)strtol(word, NULL, 10) : 0;
    return *id > 0;
}

static void begin_item(Reader *reader, bool point, const xmlChar **attributes, int count)
{
    char word[32];
    reader->place = tag_place(reader);
    reader->length = 0;
    if (point) {
        attribute(attributes, count, "id", word, sizeof word);
        if (!read_id(word, &reader->id)) {
            fail(reader, reader->place, "id: read \"%s\", allowed a whole number, 1 to 999999999", word);
        }
    } else {
        bool told = attribute(attributes, count, "i", word, sizeof word);
        reader->invisible = told && (strcmp(word, "1") == 0 || strcmp(word, "true") == 0);
        if (told && !reader->invisible && strcmp(word, "0") != 0 && strcmp(word, "false") != 0) {
            fail(reader, reader->place, "i: read \"%s\", allowed 1 or true (the face is invisible), 0 or false", word);
        }
    }
}

static void start_element(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *space,
                          int space_count, const xmlChar **spaces, int count, int defaulted, const xmlChar **attributes)
{
    Reader *reader = context;
    const char *name = (const char *)local;
    (void)prefix, (void)space_count, (void)spaces, (void)defaulted;
    if (reader->failed) {
        return;
    }
    Element element = ELEMENT_OTHER;
    if (reader->depth == 0) {
        begin_root(reader, name, (const char *)space);
        element = ELEMENT_LANDXML;
    }
    Element parent = reader->depth > 0 && reader->depth <= MOST_DEPTH ? reader->open[reader->depth - 1] : ELEMENT_OTHER;
    for (size_t k = 0; parent != ELEMENT_OTHER && k < sizeof elements / sizeof elements[0]; k++) {
        if (elements[k].parent == parent && strcmp(elements[k].name, name) == 0) {
            element = elements[k].element;
        }
    }
    if (reader->depth < MOST_DEPTH) {
        reader->open[reader->depth] = element;
    }
    reader->depth++;
    if (element == ELEMENT_METRIC || element == ELEMENT_IMPERIAL) {
        begin_units(reader, attributes, count);
    } else if (element == ELEMENT_COORDINATES) {
        begin_coordinates(reader, attributes, count);
    } else if (element == ELEMENT_SURFACE) {
        attribute(attributes, count, "name", reader->name, sizeof reader->name);
    } else if (element == ELEMENT_DEFINITION) {
        begin_definition(reader, attributes, count);
    } else if (reader->taking && (element == ELEMENT_P || element == ELEMENT_F)) {
        begin_item(reader, element == ELEMENT_P, attributes, count);
    }
}

/// ---- points and faces ----------------------------------------------------------------------------------------------

/// Makes room for one item more than `count`.
static bool make_room(void **items, int *room, int count, size_t size)
{
    int wider = *room > 0 ? *room + *room / 2 : 256;
    void *larger = count < *room ? *items : realloc(*items, (size_t)wider * size);
    *room = count < *room || larger == NULL ? *room : wider;
    *items = larger != NULL ? larger : *items;
    return larger != NULL;
}

static void fail_memory(Reader *reader)
{
    status_fail(reader->status, STATUS_LACKING, "%s: out of memory", reader->label);
    reader->failed = true;
    xmlStopParser(reader->parser);
}

/// Splits the text at white space; returns the number of words, one more than `most` when there are more.
static int split(char *text, char *words[], int most)
{
    int count = 0;
    for (char *at = text + strspn(text, " \t\r\n"); *at != '\0'; at += strspn(at, " \t\r\n")) {
        if (count == most) {
            return most + 1;
        }
        words[count++] = at;
        at += strcspn(at, " \t\r\n");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return count;
}

static void end_point(Reader *reader)
{
    char *words[3];
    double at[3];
    int count = split(reader->text, words, 3);
    if (count != 3) {
        fail(reader, reader->place, "point %d: read %s%d numbers, allowed 3: northing easting elevation", reader->id,
             count > 3 ? "more than " : "", count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        // Decimal digits only: strtod alone would take nan, inf and hexadecimal.
        char *end = words[k];
        bool plain = strspn(words[k], "0123456789+-.eE") == strlen(words[k]);
        at[k] = plain ? strtod(words[k], &end) : 0.0;
        if (!plain || end == words[k] || *end != '\0' || !(fabs(at[k]) <= SURVEY_FARTHEST)) {
            fail(reader, reader->place, "point %d: read %.40s, allowed a number, %g to %g", reader->id, words[k],
                 -SURVEY_FARTHEST, SURVEY_FARTHEST);
            return;
        }
    }
    const double east_first[3] = {at[1], at[0], at[2]};
    int number = reader->tin.point_count;
    if (!make_room((void **)&reader->ids, &reader->id_room, number, sizeof *reader->ids)) {
        fail_memory(reader);
        return;
    }
    if (!tin_add_point(&reader->tin, reader->label, east_first, reader->place, reader->status)) {
        reader->failed = true;
        xmlStopParser(reader->parser);
        return;
    }
    reader->ids[number] = (PointId){reader->id, number};
}

static void end_face(Reader *reader)
{
    char *words[3];
    int corners[3], count = split(reader->text, words, 3);
    if (count != 3) {
        fail(reader, reader->place, "face: read %s%d ids, allowed 3: export it again as triangles",
             count > 3 ? "more than " : "", count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!read_id(words[k], &corners[k])) {
            fail(reader, reader->place, "face: read %.40s, allowed the id of a point", words[k]);
            return;
        }
    }
    if (reader->invisible) {
        reader->hidden++;
    } else if (!tin_add_face(&reader->tin, reader->label, corners, reader->place, reader->status)) {
        reader->failed = true;
        xmlStopParser(reader->parser);
    }
}

/// ---- the end of a surface ------------------------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b)
{
    const PointId *p = a, *q = b;
    return p->id != q->id ? p->id - q->id : p->number - q->number;
}

/// The number of the point with an id, or -1. Most files number their points one after another.
static int find_point(const Reader *reader, int id)
{
    int count = reader->tin.point_count, guess = id - reader->ids[0].id;
    if (guess >= 0 && guess < count && reader->ids[guess].id == id) {
        return reader->ids[guess].number;
    }
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool before = reader->ids[middle].id < id;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < count && reader->ids[low].id == id ? reader->ids[low].number : -1;
}

/// Gives the faces the numbers of their points.
static bool join_faces(Reader *reader)
{
    Tin *tin = &reader->tin;
    bool ordered = true;
    for (int k = 1; k < tin->point_count && ordered; k++) {
        ordered = reader->ids[k - 1].id < reader->ids[k].id;
    }
    if (!ordered) {
        qsort(reader->ids, (size_t)tin->point_count, sizeof *reader->ids, compare_ids);
    }
    for (int k = 1; k < tin->point_count; k++) {
        if (reader->ids[k].id == reader->ids[k - 1].id) {
            fail(reader, tin->point_places[reader->ids[k].number], "a second point %d (the first in line %d)",
                 reader->ids[k].id, tin->point_places[reader->ids[k - 1].number].line);
            return false;
        }
    }
    for (int k = 0; k < 3 * tin->face_count; k++) {
        int *corner = &tin->faces[k / 3][k % 3], point = tin->point_count > 0 ? find_point(reader, *corner) : -1;
        if (point < 0) {
            fail(reader, tin->face_places[k / 3], "the face names point %d, which the surface does not have", *corner);
            return false;
        }
        *corner = point;
    }
    return true;
}

static void end_surface(Reader *reader)
{
    Tin *tin = &reader->tin;
    if (tin->face_count == 0) {
        fail(reader, reader->began, "the surface has no faces that are visible%s",
             reader->hidden == 0 ? ": export it with its triangles, not its points alone" : "");
        return;
    }
    if (!join_faces(reader)) {
        return;
    }
    free(reader->ids);
    reader->ids = NULL;
    reader->id_room = reader->hidden = 0;
    for (int k = 0; k < 3 * tin->point_count; k++) {
        tin->points[k / 3][k % 3] *= reader->metres;
    }
    if (!reader->wish->take(reader->wish->context, reader->name, tin, reader->began, reader->status)) {
        reader->failed = true;
        xmlStopParser(reader->parser);
    }
    tin_free(tin);
}

/// ---- texts and ends ------------------------------------------------------------------------------------------------

static bool in_item(const Reader *reader)
{
    Element open = reader->depth > 0 && reader->depth <= MOST_DEPTH ? reader->open[reader->depth - 1] : ELEMENT_OTHER;
    return reader->taking && (open == ELEMENT_P || open == ELEMENT_F);
}

static void add_text(void *context, const xmlChar *text, int length)
{
    Reader *reader = context;
    if (reader->failed || !in_item(reader)) {
        return;
    }
    if (length >= MOST_TEXT - reader->length) {
        fail(reader, reader->place, "more than %d characters, allowed three numbers", MOST_TEXT - 1);
        return;
    }
    memcpy(reader->text + reader->length, text, (size_t)length);
    reader->length += length;
}

static void end_element(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *space)
{
    Reader *reader = context;
    (void)local, (void)prefix, (void)space;
    if (reader->failed) {
        return;
    }
    if (in_item(reader)) {
        reader->text[reader->length] = '\0';
        if (reader->open[reader->depth - 1] == ELEMENT_P) {
            end_point(reader);
        } else {
            end_face(reader);
        }
    }
    reader->depth--;
    if (reader->depth < MOST_DEPTH && reader->open[reader->depth] == ELEMENT_DEFINITION && reader->taking) {
        end_surface(reader);
        reader->taking = false;
    }
}

/// ---- errors of the parser ------------------------------------------------------------------------------------------

static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    Reader *reader = context;
    (void)name, (void)external, (void)system;
    fail(reader, tag_place(reader), "read a DOCTYPE, allowed none: entities and other files are not followed");
}

static void take_error(void *context, xmlErrorPtr error)
{
    Reader *reader = context;
    if (error->code == XML_ERR_INVALID_ENCODING) {
        fail(reader, (TinPlace){error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1},
             "read bytes that are no text in UTF-8: state the file's encoding in its first line, or save it as UTF-8");
    } else if (error->level == XML_ERR_FATAL) {
        int length = error->message != NULL ? (int)strcspn(error->message, "\n") : 0;
        fail(reader, (TinPlace){error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1}, "%.*s", length,
             error->message != NULL ? error->message : "");
    }
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

/// Of a file that is read piece by piece.
static int read_piece(void *context, char *buffer, int length)
{
    FILE *file = context;
    size_t read = fread(buffer, 1, (size_t)length, file);
    return ferror(file) ? -1 : (int)read;
}

/// Runs the parser over the text, or over a file.
static bool parse(Reader *reader, const char *text, size_t size, FILE *file)
{
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                             .startElementNs = start_element,
                             .endElementNs = end_element,
                             .characters = add_text,
                             .ignorableWhitespace = add_text,
                             .cdataBlock = add_text,
                             .internalSubset = refuse_doctype,
                             .serror = take_error};
    xmlInitParser();
    reader->parser = file != NULL ? xmlCreateIOParserCtxt(NULL, NULL, read_piece, NULL, file, XML_CHAR_ENCODING_NONE)
                                  : xmlCreateMemoryParserCtxt(text, (int)size);
    if (reader->parser == NULL) {
        return status_fail(reader->status, STATUS_LACKING, "%s: out of memory", reader->label);
    }
    *reader->parser->sax = handler;
    reader->parser->userData = reader;
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET | XML_PARSE_NOCDATA);
    xmlParseDocument(reader->parser);
    bool well = reader->parser->wellFormed != 0;
    if (reader->parser->myDoc != NULL) {
        xmlFreeDoc(reader->parser->myDoc);
    }
    xmlFreeParserCtxt(reader->parser);
    reader->parser = NULL;
    if (!well) {
        fail(reader, (TinPlace){1, 1}, "not a well-formed XML file");
    }
    return !reader->failed;
}

/// Reads what is wanted of a text or a file.
static bool read_all(Reader *reader, const char *text, size_t size, FILE *file)
{
    const TinPlace top = {1, 1};
    bool good = parse(reader, text, size, file);
    if (good && !reader->found && reader->wish->choice == SURVEY_NAMED) {
        fail(reader, top, "no TIN surface named %s, there are %s", reader->wish->name,
             reader->tins > 0 ? reader->names : "none");
    } else if (good && !reader->found) {
        fail(reader, top,
             "no TIN surface (Surfaces/Surface/Definition with surfType=\"TIN\"): export the surface with its "
             "triangles, not alignments, break lines or points alone");
    }
    free(reader->ids);
    tin_free(&reader->tin);
    return good && !reader->failed && status_good(reader->status);
}

bool landxml_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Reader reader = {.label = label, .status = status, .wish = wish};
    bool good = read_all(&reader, NULL, 0, file);
    snprintf(unit, SURVEY_NAME_LENGTH, "%s", reader.unit);
    return good;
}

/// ---- a surface on the site -----------------------------------------------------------------------------------------

void landxml_place(Tin *tin, const LandXmlPlacement *place)
{
    double c = same_cos(place->heading), s = same_sin(place->heading);
    for (int k = 0; k < tin->point_count; k++) {
        double *p = tin->points[k], east = p[0] - place->east, north = p[1] - place->north;
        p[0] = place->x + c * east - s * north;
        p[1] = place->y + s * east + c * north;
        p[2] = place->z + p[2] - place->elevation;
    }
}

/// What a scene asks for.
typedef struct Placing {
    const char *label;
    const LandXmlPlacement *place; ///< or NULL
    Tin *tin; ///< out
} Placing;

/// Moves the surface to where it lies on the site, and finishes it.
static bool place_surface(void *context, const char *name, Tin *tin, TinPlace began, Status *status)
{
    static const TinAxes site = {"x", "y", " on the site"}, survey = {"easting", "northing", " of the survey"};
    const Placing *placing = context;
    (void)name, (void)began;
    if (placing->place != NULL) {
        landxml_place(tin, placing->place);
    }
    if (!tin_finish(tin, placing->label, placing->place != NULL ? &site : &survey, status)) {
        return false;
    }
    *placing->tin = *tin;
    *tin = (Tin){0};
    return true;
}

bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status)
{
    *tin = (Tin){0};
    if (size == 0 || size > LANDXML_MOST_TEXT) {
        return status_fail(status, STATUS_BAD_FILE, "%s:1:1: %s", label, size == 0 ? "an empty file" : "too large");
    }
    if (!names_encoding(text, size) && !plain_text_check(label, text, size, status)) {
        return false;
    }
    Placing placing = {.label = label, .place = place, .tin = tin};
    const SurveyWish wish = {.choice = name[0] == '\0' ? SURVEY_ONLY : SURVEY_NAMED,
                             .name = name,
                             .take = place_surface,
                             .context = &placing};
    Reader reader = {.label = label, .status = status, .wish = &wish};
    if (!read_all(&reader, text, size, NULL)) {
        tin_free(tin);
        return false;
    }
    return true;
}

/// ---- writing -------------------------------------------------------------------------------------------------------

/// Writes the name of a surface as an attribute's value. Returns its length.
static size_t write_name(const char *name, char *text, size_t room)
{
    size_t length = 0;
    for (const char *at = name; *at != '\0' && length + 8 < room; at++) {
        const char *sign = *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : *at == '"' ? "&quot;" : NULL;
        length += (size_t)(sign != NULL ? snprintf(text + length, room - length, "%s", sign)
                                        : snprintf(text + length, room - length, "%c", *at));
    }
    return length;
}

bool landxml_write(const char *label, const Tin *tin, const char *name, char **text, size_t *size, Status *status)
{
    enum { LINE = 96, HEAD = 1024 };
    int *ids = calloc((size_t)tin->point_count + 1, sizeof *ids), used = 0;
    for (int k = 0; ids != NULL && k < 3 * tin->face_count; k++) {
        int *id = &ids[tin->faces[k / 3][k % 3]];
        *id = *id == 0 ? ++used : *id;
    }
    size_t room = HEAD + (size_t)LINE * ((size_t)used + (size_t)tin->face_count), length = 0;
    char *out = ids != NULL ? malloc(room) : NULL;
    if (out == NULL) {
        free(ids);
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    length += (size_t)snprintf(out, room,
                               "<?xml version=\"1.0\"?>\n<LandXML xmlns=\"http://www.landxml.org/schema/LandXML-1.2\" "
                               "version=\"1.2\">\n<Units><Metric linearUnit=\"meter\"/></Units>\n<Surfaces><Surface "
                               "name=\"");
    length += write_name(name, out + length, HEAD - length - 128);
    length += (size_t)snprintf(out + length, room - length, "\"><Definition surfType=\"TIN\"><Pnts>\n");
    for (int k = 0; k < tin->point_count; k++) {
        const double *p = tin->points[k];
        length += ids[k] == 0 ? 0
                              : (size_t)snprintf(out + length, room - length, "<P id=\"%d\">%.5f %.5f %.5f</P>\n",
                                                 ids[k], p[1], p[0], p[2]);
    }
    length += (size_t)snprintf(out + length, room - length, "</Pnts><Faces>\n");
    for (int k = 0; k < tin->face_count; k++) {
        const int *face = tin->faces[k];
        length += (size_t)snprintf(out + length, room - length, "<F>%d %d %d</F>\n", ids[face[0]], ids[face[1]],
                                   ids[face[2]]);
    }
    length += (size_t)snprintf(out + length, room - length, "</Faces></Definition></Surface></Surfaces></LandXML>\n");
    free(ids);
    *text = out;
    *size = length;
    return true;
}
