/// Reads LandXML with libxml2's SAX parser: no tree is built, no entity is known but XML's own five, no file but the
/// given text is opened.
///
/// Which element is which follows from its name and its parent. The parser tells where it is; an element's place is
/// found by going back from there to the "<" of its tag, which no attribute can hold.
#include "data/core/elementary.h"
#include "data/files/landxml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/plain_text.h"
#include "data/files/xml_encoding.h"

enum {
    MOST_BYTES = 1 << 24,
    MOST_DEPTH = 8, ///< deeper there is nothing that is read
    MOST_TEXT = 256, ///< bytes of a point or a face
    NAME_LENGTH = 64,
    MOST_SURFACES = 64,
    MOST_NAMES = 400, ///< bytes of all names together, for an error
    ONLY = -1, ///< of a wanted surface: the only one
    NAMED = -2,
};

typedef enum Element {
    ELEMENT_OTHER,
    ELEMENT_LANDXML,
    ELEMENT_UNITS,
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
    {ELEMENT_LANDXML, "Units", ELEMENT_UNITS},      {ELEMENT_UNITS, "Metric", ELEMENT_METRIC},
    {ELEMENT_UNITS, "Imperial", ELEMENT_IMPERIAL},  {ELEMENT_LANDXML, "Surfaces", ELEMENT_SURFACES},
    {ELEMENT_SURFACES, "Surface", ELEMENT_SURFACE}, {ELEMENT_SURFACE, "Definition", ELEMENT_DEFINITION},
    {ELEMENT_DEFINITION, "Pnts", ELEMENT_PNTS},     {ELEMENT_PNTS, "P", ELEMENT_P},
    {ELEMENT_DEFINITION, "Faces", ELEMENT_FACES},   {ELEMENT_FACES, "F", ELEMENT_F},
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
    long id;
    int number;
} PointId;

/// A face as the file writes it.
typedef struct RawFace {
    long corners[3]; ///< ids
    TinPlace place;
    bool invisible;
} RawFace;

typedef struct Reader {
    const char *label;
    xmlParserCtxtPtr parser;
    Status *status;
    bool failed;
    const char *wanted_name;
    int wanted; ///< number of the TIN surface, from 0, ONLY or NAMED
    double metres; ///< a unit of the file; 0: not told yet
    int depth; ///< of open elements
    Element open[MOST_DEPTH];
    char name[NAME_LENGTH]; ///< of the open surface
    int tins; ///< TIN surfaces so far
    bool found; ///< the wanted one was there
    bool taking; ///< the open definition is the wanted one
    char names[MOST_NAMES]; ///< of the TIN surfaces, for errors
    TinPlace place; ///< of the open point or face
    long id;
    bool invisible;
    int length; ///< of its text so far
    char text[MOST_TEXT];
    PointId *ids; ///< [TIN_MOST_POINTS]
    RawFace *faces; ///< [TIN_MOST_FACES]
    int face_count;
    Tin *tin;
} Reader;

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
    const xmlChar *start = at;
    while (start > input->base && start[-1] != '\n') {
        start--;
    }
    bool whole = start == input->base ? place.line == 1 : true; // the beginning of the line is still in the buffer
    place.column = whole || !one_line ? (int)(at - start) + 1 : input->col - (int)(input->cur - at);
    place.line = place.line > 0 ? place.line : 1;
    place.column = place.column > 0 ? place.column : 1;
    return place;
}

/// ---- elements ------------------------------------------------------------------------------------------------------

/// The value of an attribute without a prefix, cut to fit; false when there is none.
static bool attribute(const xmlChar **attributes, int count, const char *name, char *value, size_t size)
{
    // libxml2 hands over five pointers an attribute: name, prefix, namespace, begin and end of its value.
    for (int k = 0; k < count; k++) {
        const xmlChar **one = attributes + (ptrdiff_t)5 * k;
        if (one[1] == NULL && strcmp((const char *)one[0], name) == 0) {
            snprintf(value, size, "%.*s", (int)(one[4] - one[3]), (const char *)one[3]);
            return true;
        }
    }
    value[0] = '\0';
    return false;
}

static void begin_root(Reader *reader, const char *name, const char *space)
{
    static const char landxml[] = "http://www.landxml.org/schema/LandXML-1.";
    bool known = space != NULL && strncmp(space, landxml, sizeof landxml - 1) == 0;
    const char *version = known ? space + sizeof landxml - 1 : "";
    if (strcmp(name, "LandXML") != 0) {
        fail(reader, tag_place(reader), "read <%.40s>, allowed a LandXML file", name);
    } else if (!known || strlen(version) != 1 || strchr("012", version[0]) == NULL) {
        fail(reader, tag_place(reader), "read the namespace %.80s, allowed %s0 to 2", space ? space : "none", landxml);
    }
}

static void begin_units(Reader *reader, const xmlChar **attributes, int count)
{
    char unit[32];
    attribute(attributes, count, "linearUnit", unit, sizeof unit);
    for (size_t k = 0; k < sizeof linear_units / sizeof linear_units[0]; k++) {
        if (strcmp(linear_units[k].name, unit) == 0) {
            reader->metres = linear_units[k].metres;
            return;
        }
    }
    fail(reader, tag_place(reader),
         "linearUnit: read \"%s\", allowed meter, millimeter, centimeter, kilometer, foot, USSurveyFoot, inch, mile",
         unit);
}

static void begin_definition(Reader *reader, const xmlChar **attributes, int count)
{
    char type[16];
    attribute(attributes, count, "surfType", type, sizeof type);
    bool tin = strcmp(type, "TIN") == 0, named = reader->wanted == NAMED;
    bool called = named && strcmp(reader->name, reader->wanted_name) == 0;
    if (!tin) {
        if (called) {
            fail(reader, tag_place(reader), "surfType: read \"%s\", allowed TIN", type);
        }
        return;
    }
    size_t length = strlen(reader->names);
    snprintf(reader->names + length, sizeof reader->names - length, "%s%s", reader->tins > 0 ? ", " : "", reader->name);
    int number = reader->tins++;
    if (reader->tins > MOST_SURFACES) {
        fail(reader, tag_place(reader), "more than %d surfaces, allowed at most that many", MOST_SURFACES);
    }
    if (reader->wanted == ONLY && number == 1) {
        fail(reader, tag_place(reader), "the file has several surfaces (%s, ...): state which one by `surface`",
             reader->names);
    }
    if (called && reader->found) {
        fail(reader, tag_place(reader), "a second surface %s, allowed one of that name", reader->name);
    }
    reader->taking = named ? called : number == (reader->wanted == ONLY ? 0 : reader->wanted);
    reader->found = reader->found || reader->taking;
}

/// Reads a whole number above 0 that fills a word.
static bool read_id(const char *word, long *id)
{
    size_t length = strlen(word);
    *id = length > 0 && length <= 9 && strspn(word, "0123456789") == length ? strtol(word, NULL, 10) : 0;
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
        reader->invisible = attribute(attributes, count, "i", word, sizeof word) && strcmp(word, "1") == 0;
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
    } else if (element == ELEMENT_SURFACE) {
        attribute(attributes, count, "name", reader->name, sizeof reader->name);
    } else if (element == ELEMENT_DEFINITION) {
        begin_definition(reader, attributes, count);
    } else if (reader->taking && (element == ELEMENT_P || element == ELEMENT_F)) {
        begin_item(reader, element == ELEMENT_P, attributes, count);
    }
}

/// ---- points and faces ----------------------------------------------------------------------------------------------

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
        fail(reader, reader->place, "point %ld: read %s%d numbers, allowed 3: northing easting elevation", reader->id,
             count > 3 ? "more than " : "", count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        // Decimal digits only: strtod alone would take nan, inf and hexadecimal.
        char *end = words[k];
        bool plain = strspn(words[k], "0123456789+-.eE") == strlen(words[k]);
        at[k] = plain ? strtod(words[k], &end) : 0.0;
        if (!plain || end == words[k] || *end != '\0' || !(fabs(at[k]) <= LANDXML_FARTHEST)) {
            fail(reader, reader->place, "point %ld: read %.40s, allowed a number, %g to %g", reader->id, words[k],
                 -LANDXML_FARTHEST, LANDXML_FARTHEST);
            return;
        }
    }
    const double east_first[3] = {at[1], at[0], at[2]};
    int number = reader->tin->point_count;
    if (!tin_add_point(reader->tin, reader->label, east_first, reader->place, reader->status)) {
        reader->failed = true;
        xmlStopParser(reader->parser);
        return;
    }
    reader->ids[number] = (PointId){reader->id, number};
}

static void end_face(Reader *reader)
{
    char *words[3];
    RawFace face = {.place = reader->place, .invisible = reader->invisible};
    int count = split(reader->text, words, 3);
    if (count != 3) {
        fail(reader, reader->place, "face: read %s%d ids, allowed 3", count > 3 ? "more than " : "",
             count > 3 ? 3 : count);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (!read_id(words[k], &face.corners[k])) {
            fail(reader, reader->place, "face: read %.40s, allowed the id of a point", words[k]);
            return;
        }
    }
    if (reader->face_count == TIN_MOST_FACES) {
        fail(reader, reader->place, "more than %d faces, allowed at most that many", TIN_MOST_FACES);
        return;
    }
    reader->faces[reader->face_count++] = face;
}

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
    if (reader->depth < MOST_DEPTH && reader->open[reader->depth] == ELEMENT_DEFINITION) {
        reader->taking = false;
    }
}

/// ---- what is refused -----------------------------------------------------------------------------------------------

static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    Reader *reader = context;
    (void)name, (void)external, (void)system;
    fail(reader, tag_place(reader), "read a DOCTYPE, allowed none: entities and other files are not followed");
}

static void take_error(void *context, xmlErrorPtr error)
{
    Reader *reader = context;
    if (error->level == XML_ERR_FATAL) {
        int length = error->message != NULL ? (int)strcspn(error->message, "\n") : 0;
        fail(reader, (TinPlace){error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1}, "%.*s", length,
             error->message != NULL ? error->message : "");
    }
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b)
{
    const PointId *p = a, *q = b;
    if (p->id != q->id) {
        return p->id < q->id ? -1 : 1;
    }
    return p->number - q->number;
}

/// Gives the faces the numbers of their points.
static bool join_faces(Reader *reader)
{
    Tin *tin = reader->tin;
    size_t count = (size_t)tin->point_count;
    qsort(reader->ids, count, sizeof *reader->ids, compare_ids);
    for (size_t k = 1; k < count; k++) {
        if (reader->ids[k].id == reader->ids[k - 1].id) {
            fail(reader, tin->point_places[reader->ids[k].number], "a second point %ld (the first in line %d)",
                 reader->ids[k].id, tin->point_places[reader->ids[k - 1].number].line);
            return false;
        }
    }
    for (int k = 0; k < reader->face_count; k++) {
        const RawFace *face = &reader->faces[k];
        int corners[3];
        for (int c = 0; c < 3; c++) {
            const PointId wanted = {.id = face->corners[c]};
            size_t low = 0, high = count;
            while (low < high) {
                size_t middle = (low + high) / 2;
                bool before = reader->ids[middle].id < wanted.id;
                low = before ? middle + 1 : low;
                high = before ? high : middle;
            }
            if (low == count || reader->ids[low].id != wanted.id) {
                fail(reader, face->place, "the face names point %ld, which the surface does not have", wanted.id);
                return false;
            }
            corners[c] = reader->ids[low].number;
        }
        if (!face->invisible && !tin_add_face(tin, reader->label, corners, face->place, reader->status)) {
            return false;
        }
    }
    return true;
}

/// Scales and moves the points to where they lie on the site.
static void put_points(Reader *reader, const LandXmlPlacement *place)
{
    for (int k = 0; k < reader->tin->point_count; k++) {
        double *p = reader->tin->points[k];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] *= reader->metres;
        }
        if (place != NULL) {
            double c = same_cos(place->heading), s = same_sin(place->heading);
            double east = p[0] - place->east, north = p[1] - place->north;
            p[0] = place->x + c * east - s * north;
            p[1] = place->y + s * east + c * north;
            p[2] = place->z + p[2] - place->elevation;
        }
    }
}

/// Runs the parser over the text.
static bool parse(Reader *reader, const char *text, size_t size)
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
    reader->parser = xmlCreateMemoryParserCtxt(text, (int)size);
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

static bool finish(Reader *reader, const LandXmlPlacement *place)
{
    static const TinAxes site = {"x", "y", " on the site"}, survey = {"easting", "northing", " of the survey"};
    const TinPlace top = {1, 1};
    if (!reader->found && reader->wanted == NAMED) {
        fail(reader, top, "no TIN surface named %s, there are %s", reader->wanted_name,
             reader->tins > 0 ? reader->names : "none");
    } else if (!reader->found) {
        fail(reader, top, "no TIN surface (Surfaces/Surface/Definition with surfType=\"TIN\")");
    } else if (!(reader->metres > 0.0)) {
        fail(reader, top, "no Units with Metric or Imperial: the length of a unit is not told");
    }
    if (reader->failed || !join_faces(reader)) {
        return false;
    }
    if (reader->tin->face_count == 0) {
        fail(reader, top, "the surface has no faces that are visible");
        return false;
    }
    put_points(reader, place);
    return tin_check(reader->tin, reader->label, place != NULL ? &site : &survey, reader->status);
}

/// Reads one surface; `tins` takes how many the file has.
static bool read_surface(const char *label, const char *text, size_t size, const char *name, int wanted,
                         const LandXmlPlacement *place, Tin *tin, int *tins, Status *status)
{
    *tin = (Tin){0};
    if (size == 0 || size > MOST_BYTES) {
        return status_fail(status, STATUS_BAD_FILE, "%s:1:1: %s", label, size == 0 ? "an empty file" : "too large");
    }
    if (!xml_names_encoding(text, size) && !plain_text_check(label, text, size, status)) {
        return false;
    }
    Reader *reader = calloc(1, sizeof *reader);
    PointId *ids = malloc(TIN_MOST_POINTS * sizeof *ids);
    RawFace *faces = malloc(TIN_MOST_FACES * sizeof *faces);
    bool good = reader != NULL && ids != NULL && faces != NULL;
    if (good) {
        *reader = (Reader){.label = label,
                           .status = status,
                           .wanted_name = name,
                           .wanted = wanted,
                           .ids = ids,
                           .faces = faces,
                           .tin = tin};
        good = parse(reader, text, size) && finish(reader, place);
        *tins = reader->tins;
    } else {
        status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    free(faces);
    free(ids);
    free(reader);
    if (!good) {
        tin_free(tin);
    }
    return good;
}

bool landxml_read(const char *label, const char *text, size_t size, const char *name, const LandXmlPlacement *place,
                  Tin *tin, Status *status)
{
    int tins = 0;
    return read_surface(label, text, size, name, name[0] == '\0' ? ONLY : NAMED, place, tin, &tins, status) &&
           status_good(status);
}

bool landxml_check(const char *label, const char *text, size_t size, Status *status)
{
    int tins = 1;
    for (int k = 0; k < tins; k++) {
        Tin tin;
        if (!read_surface(label, text, size, "", k, NULL, &tin, &tins, status)) {
            return false;
        }
        tin_free(&tin);
    }
    return status_good(status);
}
