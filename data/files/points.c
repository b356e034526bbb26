/// Reads lists of points line by line.
#include "data/files/points.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "data/files/delaunay.h"
#include "data/files/raster.h"

/// ---- words of a line -----------------------------------------------------------------------------------------------

enum { MOST_LINE = 1024, MOST_WORDS = 64 };

typedef enum Column { COLUMN_EAST, COLUMN_NORTH, COLUMN_HEIGHT, COLUMN_USED, COLUMN_OTHER = COLUMN_USED } Column;

static const char *const column_names[COLUMN_USED] = {"east", "north", "height"};

/// Words in the first line of a file. What stands for a number, a code or a colour of a point is not read.
static const struct {
    const char *name;
    Column column;
} names[] = {
    {"x", COLUMN_EAST},          {"e", COLUMN_EAST},       {"east", COLUMN_EAST},        {"easting", COLUMN_EAST},
    {"rechtswert", COLUMN_EAST}, {"ost", COLUMN_EAST},     {"ostwert", COLUMN_EAST},     {"este", COLUMN_EAST},
    {"y", COLUMN_NORTH},         {"n", COLUMN_NORTH},      {"north", COLUMN_NORTH},      {"northing", COLUMN_NORTH},
    {"hochwert", COLUMN_NORTH},  {"nord", COLUMN_NORTH},   {"nordwert", COLUMN_NORTH},   {"norte", COLUMN_NORTH},
    {"z", COLUMN_HEIGHT},        {"h", COLUMN_HEIGHT},     {"height", COLUMN_HEIGHT},    {"elevation", COLUMN_HEIGHT},
    {"elev", COLUMN_HEIGHT},     {"hoehe", COLUMN_HEIGHT}, {"h\u00f6he", COLUMN_HEIGHT}, {"altura", COLUMN_HEIGHT},
    {"cota", COLUMN_HEIGHT}};

static Column column_of(const char *word)
{
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcasecmp(word, names[k].name) == 0) {
            return names[k].column;
        }
    }
    return COLUMN_OTHER;
}

/// A line, cut into words.
typedef struct Line {
    char text[MOST_LINE];
    int count;
    char *words[MOST_WORDS];
} Line;

/// The sign that divides columns: a semicolon, a tab or a comma, where the line has one, else spaces. A comma within
/// columns that spaces divide is a decimal one.
static char find_divider(const char *text)
{
    if (strchr(text, ';') != NULL || strchr(text, '\t') != NULL) {
        return strchr(text, ';') != NULL ? ';' : '\t';
    }
    const char *comma = strchr(text, ',');
    for (const char *at = comma; at != NULL; at = strchr(at + 1, ',')) {
        const char *word = at + 1 + strspn(at + 1, " ");
        size_t length = strcspn(word, ", ");
        if (word[length] == ' ' && word[length + strspn(word + length, " ")] != ',' &&
            word[length + strspn(word + length, " ")] != '\0') {
            return ' ';
        }
    }
    return comma != NULL ? ',' : ' ';
}

/// Takes away the spaces and quotes around a word.
static char *trim(char *word)
{
    word += strspn(word, " \t\"");
    size_t length = strlen(word);
    while (length > 0 && strchr(" \t\"", word[length - 1]) != NULL) {
        word[--length] = '\0';
    }
    return word;
}

static void cut_line(Line *line, char divider)
{
    const char signs[] = {divider, divider == ' ' ? '\t' : '\0', '\0'};
    line->count = 0;
    for (char *at = line->text; line->count < MOST_WORDS;) {
        at += divider == ' ' ? strspn(at, signs) : 0;
        size_t length = strcspn(at, signs);
        bool ends = at[length] == '\0';
        if (length == 0 && ends && divider == ' ') {
            break; // spaces at the end of the line
        }
        at[length] = '\0';
        line->words[line->count++] = trim(at);
        if (ends) {
            break;
        }
        at += length + 1;
    }
}

/// Reads a word as a number. A comma in it is a decimal comma.
static bool read_plain(const char *word, double *number)
{
    char text[64], *end = NULL;
    if (word[0] == '\0' || strlen(word) >= sizeof text || strspn(word, "0123456789+-.,eE") != strlen(word)) {
        return false;
    }
    snprintf(text, sizeof text, "%s", word);
    char *comma = strchr(text, ',');
    if (comma != NULL && strchr(text, '.') == NULL) {
        *comma = '.';
    }
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

bool points_is(const char *first)
{
    Line line;
    double number;
    const char *text = first + (memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    for (const char *at = text; *at != '\0'; at++) {
        if (((unsigned char)*at < ' ' && strchr("\t\r\n", *at) == NULL) || *at == 0x7f) {
            return false;
        }
    }
    text += strspn(text, " \t\r\n");
    snprintf(line.text, sizeof line.text, "%.*s", (int)strcspn(text, "\r\n"), text);
    if (line.text[0] == '#' || strncmp(line.text, "//", 2) == 0) {
        return true;
    }
    cut_line(&line, find_divider(line.text));
    int numbers = 0, known = 0;
    for (int k = 0; k < line.count; k++) {
        numbers += read_plain(line.words[k], &number);
        known += column_of(line.words[k]) != COLUMN_OTHER;
    }
    return numbers > 1 || known > 1 || (numbers == 1 && line.count == 1);
}

/// ---- reading -------------------------------------------------------------------------------------------------------

typedef struct Reader {
    const char *label;
    FILE *file;
    Status *status;
    int number; ///< of the line that was read last
    Line line;
    char divider; ///< '\0' at first
    bool named; ///< the first line named the columns
    int column[COLUMN_USED]; ///< where they stand
    double announced; ///< points, by a first line of PTS; below 0: none
    int columns; ///< of the first point
    bool first_whole, others_broken; ///< the first column has no decimals, one of the three next has
    bool filters;
    double from[2], to[2]; ///< m: what is kept then
    double count; ///< of points, kept or not
    double low[3], high[3]; ///< m, of all
    Tin tin; ///< the points that are kept, at most TIN_MOST_POINTS
} Reader;

static bool fail(const Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const Reader *reader, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tin_fail_at(reader->label, (TinPlace){reader->number > 0 ? reader->number : 1, 1}, reader->status, "%s",
                       text);
}

/// Reads the next line that holds something; `ends` at the end of the file.
static bool next_line(Reader *reader, bool *ends)
{
    char *text = reader->line.text;
    *ends = false;
    while (fgets(text, MOST_LINE, reader->file) != NULL) {
        reader->number++;
        size_t length = strlen(text);
        if (length == MOST_LINE - 1 && text[length - 1] != '\n') {
            return fail(reader, "a line of more than %d characters", MOST_LINE - 2);
        }
        if (reader->number == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0) {
            memmove(text, text + 3, length - 2);
        }
        text[strcspn(text, "\r\n")] = '\0';
        size_t blank = strspn(text, " \t");
        if (text[blank] != '\0' && text[blank] != '#' && strncmp(text + blank, "//", 2) != 0) {
            reader->divider = reader->divider == '\0' ? find_divider(text) : reader->divider;
            cut_line(&reader->line, reader->divider);
            return true;
        }
    }
    *ends = true;
    return true;
}

static bool fail_order(const Reader *reader, const char *what)
{
    return fail(reader,
                "%s: name the columns in a first line, for example \"name,east,north,height\" or "
                "\"name,north,east,height,code\"",
                what);
}

/// Reads a first line that is no point.
static bool read_head(Reader *reader)
{
    const Line *line = &reader->line;
    double number;
    for (int k = 0; k < COLUMN_USED; k++) {
        reader->column[k] = -1;
    }
    int known = 0, numbers = 0;
    for (int k = 0; k < line->count; k++) {
        Column column = column_of(line->words[k]);
        numbers += read_plain(line->words[k], &number);
        if (column == COLUMN_OTHER) {
            continue;
        }
        if (reader->column[column] >= 0) {
            return fail(reader, "two columns of %s (%.20s, %.20s), allowed one", column_names[column],
                        line->words[reader->column[column]], line->words[k]);
        }
        reader->column[column] = k;
        known++;
    }
    reader->named = true;
    return known == COLUMN_USED ||
           fail_order(reader, numbers > 1 ? "the first column is no number"
                                          : "the first line does not name east, north and height");
}

/// Notes what the columns look like, where nothing names them.
static void look_at_columns(Reader *reader)
{
    const Line *line = &reader->line;
    reader->first_whole = reader->first_whole && strpbrk(line->words[0], ".,eE") == NULL;
    for (int k = 1; k < 4 && k < line->count; k++) {
        reader->others_broken = reader->others_broken || strpbrk(line->words[k], ".,") != NULL;
    }
}

/// Keeps a point, m.
static bool add_point(Reader *reader, const double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        reader->low[axis] = reader->count > 0.0 ? fmin(reader->low[axis], at[axis]) : at[axis];
        reader->high[axis] = reader->count > 0.0 ? fmax(reader->high[axis], at[axis]) : at[axis];
    }
    reader->count += 1.0;
    bool in = !reader->filters || (at[0] >= reader->from[0] && at[0] <= reader->to[0] && at[1] >= reader->from[1] &&
                                   at[1] <= reader->to[1]);
    return !in || reader->tin.point_count == TIN_MOST_POINTS ||
           tin_add_point(&reader->tin, reader->label, at, (TinPlace){reader->number, 1}, reader->status);
}

static bool read_point(Reader *reader)
{
    const Line *line = &reader->line;
    double at[COLUMN_USED];
    for (int k = 0; k < COLUMN_USED; k++) {
        int column = reader->column[k];
        const char *word = column < line->count ? line->words[column] : "";
        if (k == COLUMN_HEIGHT && strcasecmp(word, "nan") == 0) {
            return true;
        }
        if (!read_plain(word, &at[k]) || fabs(at[k]) > SURVEY_FARTHEST) {
            return fail(reader, "%s: read \"%.40s\" in column %d, allowed a number, %g to %g", column_names[k], word,
                        column + 1, -SURVEY_FARTHEST, SURVEY_FARTHEST);
        }
    }
    if (!reader->named) {
        look_at_columns(reader);
    }
    return raster_is_nodata(at[COLUMN_HEIGHT], -9999.0) || add_point(reader, at);
}

/// Reads the first line that holds something.
static bool read_first(Reader *reader)
{
    double number;
    const Line *line = &reader->line;
    if (line->count == 1 && read_plain(line->words[0], &number)) {
        reader->announced = number; // PTS
        reader->divider = '\0';
        return true;
    }
    return read_plain(line->words[0], &number) ? read_point(reader) : read_head(reader);
}

static bool read_lines(Reader *reader)
{
    bool ends = false, first = true;
    while (next_line(reader, &ends) && !ends) {
        reader->columns = reader->columns > 0 || reader->line.count == 1 ? reader->columns : reader->line.count;
        if (!(first ? read_first(reader) : read_point(reader))) {
            return false;
        }
        first = false;
    }
    if (!ends) {
        return false;
    }
    if (reader->announced >= 0.0 && reader->announced != reader->count) {
        return fail(reader, "read %.0f points, the first line announces %.0f", reader->count, reader->announced);
    }
    if (!reader->named && reader->announced < 0.0 && reader->columns > 3 && reader->first_whole &&
        reader->others_broken) {
        reader->number = 1;
        return fail_order(reader, "the first column seems to number the points");
    }
    return true;
}

/// ---- grids ---------------------------------------------------------------------------------------------------------

#define LATTICE_DOUBT 1e-3 ///< m: how far points may lie beside their grid
#define LATTICE_LEAST 0.5 ///< of its places that have a point

/// Points on a grid.
typedef struct Lattice {
    Raster raster;
    double *heights; ///< [rows][columns] from north to south, NAN without one
    TinPlace *places;
} Lattice;

static int compare_numbers(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/// Finds the equal steps by which the points lie along an axis; `room` is for all points. False without such.
static bool find_steps(const Tin *tin, int axis, double *room, int *count, double *from, double *step)
{
    int found = 0;
    for (int k = 0; k < tin->point_count; k++) {
        room[k] = tin->points[k][axis];
    }
    qsort(room, (size_t)tin->point_count, sizeof *room, compare_numbers);
    for (int k = 0; k < tin->point_count; k++) {
        if (found == 0 || room[k] - room[found - 1] > 2.0 * LATTICE_DOUBT) {
            room[found++] = room[k];
        }
    }
    if (found < 2 || found > RASTER_MOST) {
        return false;
    }
    *count = found;
    *from = room[0];
    *step = (room[found - 1] - room[0]) / (found - 1);
    for (int k = 0; k < found; k++) {
        if (fabs(room[k] - *from - k * *step) > LATTICE_DOUBT) {
            return false;
        }
    }
    return true;
}

/// Finds out whether points, of which no two lie on one another, are those of a grid, and lays them out then.
static bool find_lattice(const Tin *tin, Lattice *lattice)
{
    Raster *raster = &lattice->raster;
    raster->cosine = 1.0;
    double *room = malloc(((size_t)tin->point_count + 1) * sizeof *room);
    bool regular = room != NULL && find_steps(tin, 0, room, &raster->columns, &raster->x, &raster->dx) &&
                   find_steps(tin, 1, room, &raster->rows, &raster->y, &raster->dy) &&
                   tin->point_count >= LATTICE_LEAST * raster->columns * raster->rows;
    free(room);
    size_t cells = regular ? (size_t)raster->columns * (size_t)raster->rows : 0;
    lattice->heights = regular ? malloc(cells * sizeof *lattice->heights) : NULL;
    lattice->places = regular ? malloc(cells * sizeof *lattice->places) : NULL;
    if (lattice->heights == NULL || lattice->places == NULL) {
        return false;
    }
    for (size_t k = 0; k < cells; k++) {
        lattice->heights[k] = NAN;
        lattice->places[k] = (TinPlace){1, 1};
    }
    for (int k = 0; k < tin->point_count; k++) {
        const double *p = tin->points[k];
        size_t row = (size_t)(raster->rows - 1) - (size_t)floor((p[1] - raster->y) / raster->dy + 0.5);
        size_t column = (size_t)floor((p[0] - raster->x) / raster->dx + 0.5);
        lattice->heights[row * (size_t)raster->columns + column] = p[2];
        lattice->places[row * (size_t)raster->columns + column] = tin->point_places[k];
    }
    return true;
}

/// See RasterRead.
static bool read_row(void *context, int row, int first, int count, double *heights, TinPlace *places)
{
    const Lattice *lattice = context;
    size_t at = (size_t)row * (size_t)lattice->raster.columns + (size_t)first;
    memcpy(heights, lattice->heights + at, (size_t)count * sizeof *heights);
    memcpy(places, lattice->places + at, (size_t)count * sizeof *places);
    return true;
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

#define SAME_HEIGHT 5e-3 ///< m: two measurements of a point

/// Joins points that lie on no grid, and hands their surface over.
static bool give_joined(Reader *reader, const SurveyWish *wish)
{
    Tin *tin = &reader->tin;
    return delaunay_join(tin, reader->label, reader->status) &&
           delaunay_drop_long(tin, wish->longest_edge, reader->label, reader->status) &&
           wish->take(wish->context, "", tin, (TinPlace){1, 1}, reader->status);
}

/// A file with more points than can be joined is measured, or refused.
static bool give_measured(const Reader *reader, const SurveyWish *wish)
{
    SurveySurface measured = {.points = (int)fmin(reader->count, 2147483647.0)};
    memcpy(measured.low, reader->low, sizeof measured.low);
    memcpy(measured.high, reader->high, sizeof measured.high);
    return wish->measure != NULL
               ? wish->measure(wish->context, &measured, (TinPlace){1, 1}, reader->status)
               : tin_fail_at(reader->label, (TinPlace){1, 1}, reader->status,
                             "more than %d points%s, allowed at most that many: state crop_length and crop_width%s",
                             DELAUNAY_MOST, wish->crop != NULL ? " in and around the crop" : "",
                             wish->crop != NULL ? ", less than now" : "");
}

static bool give_points(Reader *reader, const SurveyWish *wish)
{
    const TinPlace top = {1, 1};
    Tin *tin = &reader->tin;
    if (reader->count > 0.0 && tin->point_count == 0) {
        return survey_fail_crop(reader->label, top, wish->crop, reader->low, reader->high, reader->status);
    }
    if (tin->point_count < 3) {
        return tin_fail_at(reader->label, top, reader->status, "read %d points%s, allowed at least 3", tin->point_count,
                           wish->crop != NULL ? " in and around the crop" : "");
    }
    if (fabs(reader->low[0]) <= 180.0 && fabs(reader->low[1]) <= 90.0 && reader->high[0] - reader->low[0] < 1.0 &&
        reader->high[1] - reader->low[1] < 1.0) {
        return tin_fail_at(reader->label, top, reader->status,
                           "the points seem to be in degrees: project them to metres");
    }
    if (tin->point_count == TIN_MOST_POINTS) {
        return give_measured(reader, wish);
    }
    if (!delaunay_merge(tin, SAME_HEIGHT, NULL, reader->label, reader->status)) {
        return false;
    }
    Lattice lattice = {.raster = {.label = reader->label}};
    bool regular = find_lattice(tin, &lattice);
    bool good = regular ? raster_scan(&lattice.raster, read_row, &lattice, wish, reader->status)
                : tin->point_count > DELAUNAY_MOST ? give_measured(reader, wish)
                                                   : give_joined(reader, wish);
    free(lattice.heights);
    free(lattice.places);
    return good;
}

bool points_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Reader reader = {.label = label,
                     .file = file,
                     .status = status,
                     .column = {COLUMN_EAST, COLUMN_NORTH, COLUMN_HEIGHT},
                     .announced = -1.0,
                     .first_whole = true,
                     .filters = wish->crop != NULL};
    snprintf(unit, SURVEY_NAME_LENGTH, "metres, which the format does not say");
    if (!survey_check_unnamed(label, wish, "a list of points", status)) {
        return false;
    }
    if (wish->crop != NULL) {
        double around = fmax(wish->crop->length, wish->crop->width) + POINTS_AROUND;
        survey_crop_sides(wish->crop, reader.from, reader.to);
        for (int axis = 0; axis < 2; axis++) {
            reader.from[axis] -= around;
            reader.to[axis] += around;
        }
    }
    bool good = read_lines(&reader) && give_points(&reader, wish);
    tin_free(&reader.tin);
    return good && status_good(status);
}
