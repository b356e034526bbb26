/// Reads operator scripts: CSV with a header row; see input_script_load for the format and its limits.
///
/// Numbers are read in the C locale, so that a script means the same on every computer, and are quantised at once as a
/// device's would be. The first place that is wrong is told as file:line:column.
#include "input/input.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/files/plain_text.h"
#include "data/core/files/regular_file.h"

enum { LONGEST_LINE = 4095, MOST_BYTES = 64 << 20, TIME_COLUMN = CONTROL_COUNT, MOST_COLUMNS = CONTROL_COUNT + 1 };

static const double latest_time = 1e6; // s

struct InputScript {
    int row_count, row_capacity;
    double *times; ///< s, strictly ascending, [row_count]
    OperatorControls *rows; ///< held from times[i] on, [row_count]
};

/// Where the parser is, for its errors.
typedef struct Place {
    const char *path;
    int line, column; ///< from 1; column in bytes
    Status *status;
} Place;

/// A piece of a line: [begin, end).
typedef struct Field {
    const char *begin, *end;
} Field;

/// The field as it can be shown in an error: short, printable.
static const char *shown(Field field, char text[40])
{
    size_t length = (size_t)(field.end - field.begin), kept = length < 32 ? length : 32;
    for (size_t i = 0; i < kept; i++) {
        char c = field.begin[i];
        text[i] = c;
        if (c < ' ' || c > '~') {
            text[i] = '?';
        }
    }
    snprintf(text + kept, 40 - kept, "%s", length > kept ? "..." : "");
    return text;
}

static bool fail_at(const Place *place, Field field, const char *allowed)
{
    char text[40];
    return status_fail(place->status, STATUS_BAD_FILE, "%s:%d:%d: read \"%s\"; %s", place->path, place->line,
                       place->column, shown(field, text), allowed);
}

static Field trimmed(Field field)
{
    while (field.begin < field.end && (*field.begin == ' ' || *field.begin == '\t')) {
        field.begin++;
    }
    while (field.end > field.begin && (field.end[-1] == ' ' || field.end[-1] == '\t')) {
        field.end--;
    }
    return field;
}

/// Takes the next comma-separated field off the line; false after the last one.
static bool next_field(const char **rest, const char *line, const char *line_end, Field *field, Place *place)
{
    if (!*rest) {
        return false;
    }
    const char *comma = memchr(*rest, ',', (size_t)(line_end - *rest));
    field->begin = *rest;
    field->end = comma ? comma : line_end;
    *rest = comma ? comma + 1 : NULL;
    *field = trimmed(*field);
    place->column = (int)(field->begin - line) + 1;
    return true;
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p;
}

/// True when the field is a decimal number: [+-] digits [. digits] [e [+-] digits], with a digit before the e. Neither
/// hexadecimal numbers, "nan" nor "inf" pass.
static bool is_decimal(Field field)
{
    const char *p = field.begin, *end = field.end;
    if (p < end && (*p == '+' || *p == '-')) {
        p++;
    }
    const char *whole = p;
    p = skip_digits(p, end);
    long digits = p - whole;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = skip_digits(p, end);
        digits += p - fraction;
    }
    if (digits == 0) {
        return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) {
            p++;
        }
        const char *exponent = p;
        p = skip_digits(p, end);
        if (p == exponent) {
            return false;
        }
    }
    return p == end;
}

/// Reads a number; the caller has made the C locale current, so that "0.5" is a half everywhere.
static bool read_number(Field field, double lowest, double highest, const Place *place, const char *allowed,
                        double *value)
{
    char text[LONGEST_LINE + 1];
    if (!is_decimal(field)) {
        return fail_at(place, field, allowed);
    }
    size_t length = (size_t)(field.end - field.begin);
    memcpy(text, field.begin, length);
    text[length] = '\0';
    *value = strtod(text, NULL);
    if (!(*value >= lowest && *value <= highest)) {
        return fail_at(place, field, allowed);
    }
    return true;
}

static int column_by_name(Field field)
{
    size_t length = (size_t)(field.end - field.begin);
    if (length == 1 && *field.begin == 't') {
        return TIME_COLUMN;
    }
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (strlen(control_axis_names[axis]) == length && memcmp(control_axis_names[axis], field.begin, length) == 0) {
            return axis;
        }
    }
    return -1;
}

/// Reads the header row: what each column is. Returns their number, 0 with the status filled when it is wrong.
static int read_header(const char *line, const char *line_end, int columns[MOST_COLUMNS], Place *place)
{
    const char *rest = line;
    Field field;
    int count = 0;
    bool seen[MOST_COLUMNS] = {false};
    while (next_field(&rest, line, line_end, &field, place)) {
        int column = column_by_name(field);
        if (column < 0) {
            fail_at(place, field,
                    "known columns: t, swing, stick, boom, bucket, left_track, right_track, throttle, blade, "
                    "blade_tilt, blade_angle, ripper, horn, auxiliary, answer");
            return 0;
        }
        if (seen[column]) {
            fail_at(place, field, "this column was named before; each may appear once");
            return 0;
        }
        seen[column] = true;
        columns[count++] = column;
    }
    if (!seen[TIME_COLUMN]) {
        place->column = 1;
        fail_at(place, (Field){line, line_end}, "the header row needs a column t (seconds)");
        return 0;
    }
    return count;
}

static bool reserve_row(InputScript *script, Status *status)
{
    if (script->row_count < script->row_capacity) {
        return true;
    }
    int capacity = script->row_capacity ? 2 * script->row_capacity : 256;
    double *times = realloc(script->times, (size_t)capacity * sizeof(*times));
    script->times = times ? times : script->times;
    OperatorControls *rows = realloc(script->rows, (size_t)capacity * sizeof(*rows));
    script->rows = rows ? rows : script->rows;
    if (!times || !rows) {
        status_fail(status, STATUS_LACKING, "not enough memory for an operator script of %d rows", capacity);
        return false;
    }
    script->row_capacity = capacity;
    return true;
}

static bool read_row(InputScript *script, const char *line, const char *line_end, const int *columns, int column_count,
                     Place *place)
{
    const char *rest = line;
    Field field;
    int count = 0;
    double time = 0.0;
    OperatorControls controls = {{0}};
    while (next_field(&rest, line, line_end, &field, place)) {
        double value = 0.0;
        if (count == column_count) {
            return fail_at(place, field, "this row has more values than the header has columns");
        }
        int column = columns[count++];
        if (column == TIME_COLUMN) {
            if (!read_number(field, 0.0, latest_time, place, "t is a number 0..1000000 (seconds)", &time)) {
                return false;
            }
            if (script->row_count > 0 && time <= script->times[script->row_count - 1]) {
                return fail_at(place, field, "t must be greater than in the row before");
            }
        } else {
            if (!read_number(field, -1.0, 1.0, place, "a number -1..1 is allowed", &value)) {
                return false;
            }
            controls.axis[column] = control_quantise(value);
        }
    }
    if (count < column_count) {
        return fail_at(place, field, "this row has fewer values than the header has columns");
    }
    if (!reserve_row(script, place->status)) {
        return false;
    }
    script->times[script->row_count] = time;
    script->rows[script->row_count++] = controls;
    return true;
}

static bool read_lines(InputScript *script, const char *text, size_t size, Place *place)
{
    int columns[MOST_COLUMNS];
    int column_count = 0;
    if (!plain_text_check(place->path, text, size, place->status)) {
        return false;
    }
    const char *end = text + size, *next = text;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        next += 3; // the mark some spreadsheets put first
    }
    for (place->line = 1; next < end; place->line++) {
        const char *line = next;
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *line_end = newline ? newline : end;
        next = newline ? newline + 1 : end;
        place->column = 1;
        if (line_end > line && line_end[-1] == '\r') {
            line_end--;
        }
        if (line_end - line > LONGEST_LINE) {
            return fail_at(place, (Field){line, line_end}, "a line may have 4095 bytes");
        }
        Field whole = trimmed((Field){line, line_end});
        if (whole.begin == whole.end) {
            continue;
        }
        if (column_count == 0) {
            column_count = read_header(line, line_end, columns, place);
            if (column_count == 0) {
                return false;
            }
        } else if (!read_row(script, line, line_end, columns, column_count, place)) {
            return false;
        }
    }
    place->column = 1;
    if (column_count == 0) {
        return fail_at(place, (Field){text, text}, "the file is empty; a header row with a column t is needed");
    }
    if (script->row_count == 0) {
        return fail_at(place, (Field){text, text}, "no row follows the header; at least one is needed");
    }
    return true;
}

/// Reads a whole file into memory of the caller; NULL with the status filled when it cannot.
static char *read_whole(const char *path, size_t *size, Status *status)
{
    FILE *file = regular_file_open(path, status);
    if (!file) {
        return NULL;
    }
    char *text = NULL;
    size_t capacity = 0;
    bool good = true;
    *size = 0;
    while (good && !feof(file)) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *larger = capacity <= 2 * (size_t)MOST_BYTES ? realloc(text, capacity) : NULL;
            good = larger != NULL;
            text = larger ? larger : text;
        }
        if (good) {
            *size += fread(text + *size, 1, capacity - *size, file);
            good = !ferror(file) && *size <= MOST_BYTES;
        }
    }
    bool unreadable = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (!good) {
        if (unreadable) {
            status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", path, strerror(reason));
        } else {
            status_fail(status, STATUS_BAD_FILE, "%s: too large; an operator script may have 64 MiB", path);
        }
        free(text);
        return NULL;
    }
    return text;
}

static InputScript *parse(const char *path, const char *text, size_t size, Status *status)
{
    InputScript *script = calloc(1, sizeof(*script));
    if (!script) {
        status_fail(status, STATUS_LACKING, "not enough memory for the operator script %s", path);
        return NULL;
    }
    Place place = {path, 1, 1, status};
    if (!read_lines(script, text, size, &place)) {
        input_script_destroy(script);
        return NULL;
    }
    status_good(status);
    return script;
}

InputScript *input_script_load(const char *path, Status *status)
{
    size_t size = 0;
    char *text = read_whole(path, &size, status);
    if (!text) {
        return NULL;
    }
    InputScript *script = NULL;
    locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (numbers == (locale_t)0) {
        status_fail(status, STATUS_LACKING, "not enough memory for the operator script %s", path);
    } else {
        locale_t before = uselocale(numbers);
        script = parse(path, text, size, status);
        uselocale(before);
        freelocale(numbers);
    }
    free(text);
    return script;
}

void input_script_destroy(InputScript *script)
{
    if (script) {
        free(script->times);
        free(script->rows);
        free(script);
    }
}

void input_script_get(const InputScript *script, double t, OperatorControls *controls)
{
    // rows [0, low) start at or before t, rows [high, row_count) after it
    int low = 0, high = script->row_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (script->times[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *controls = low > 0 ? script->rows[low - 1] : (OperatorControls){{0}};
}

double input_script_duration(const InputScript *script)
{
    return script->times[script->row_count - 1];
}
