/// Reads comma-separated values from a file that is held in memory as a whole.
#include "data/files/csv_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/plain_text.h"
#include "data/core/system_files.h"

/// ---- errors --------------------------------------------------------------------------------------------------------

/// The field as it can be shown in an error: short, printable.
static const char *shown(CsvField field, char text[40])
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

bool csv_fail(CsvFile *file, CsvField field, const char *allowed)
{
    char text[40];
    return status_fail(file->status, STATUS_BAD_FILE, "%s:%d:%d: read \"%s\"; %s", file->path, file->line, file->column,
                       shown(field, text), allowed);
}

bool csv_fail_row(CsvFile *file, const char *allowed)
{
    file->column = 1;
    return csv_fail(file, (CsvField){file->row, file->row_end}, allowed);
}

/// ---- numbers -------------------------------------------------------------------------------------------------------

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p;
}

/// True when the field is a decimal number: [+-] digits [. digits] [e [+-] digits], with a digit before the e. Neither
/// hexadecimal numbers, "nan" nor "inf" pass.
static bool is_decimal(CsvField field)
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

bool csv_read_number(CsvFile *file, CsvField field, double low, double high, const char *allowed, double *value)
{
    char text[CSV_LONGEST_LINE + 1];
    if (!is_decimal(field)) {
        return csv_fail(file, field, allowed);
    }
    size_t length = (size_t)(field.end - field.begin);
    memcpy(text, field.begin, length);
    text[length] = '\0';
    locale_t before = uselocale(file->numbers);
    *value = strtod(text, NULL);
    uselocale(before);
    return (*value >= low && *value <= high) || csv_fail(file, field, allowed);
}

bool csv_field_is(CsvField field, const char *text)
{
    size_t length = (size_t)(field.end - field.begin);
    return strlen(text) == length && memcmp(text, field.begin, length) == 0;
}

/// ---- rows ----------------------------------------------------------------------------------------------------------

static CsvField trimmed(CsvField field)
{
    while (field.begin < field.end && (*field.begin == ' ' || *field.begin == '\t')) {
        field.begin++;
    }
    while (field.end > field.begin && (field.end[-1] == ' ' || field.end[-1] == '\t')) {
        field.end--;
    }
    return field;
}

bool csv_next_field(CsvFile *file, CsvField *field)
{
    if (file->rest == NULL) {
        return false;
    }
    const char *comma = memchr(file->rest, ',', (size_t)(file->row_end - file->rest));
    field->begin = file->rest;
    field->end = comma != NULL ? comma : file->row_end;
    file->rest = comma != NULL ? comma + 1 : NULL;
    *field = trimmed(*field);
    file->column = (int)(field->begin - file->row) + 1;
    return true;
}

bool csv_next_row(CsvFile *file)
{
    while (file->good && file->next < file->end) {
        const char *newline = memchr(file->next, '\n', (size_t)(file->end - file->next));
        file->line++;
        file->column = 1;
        file->row = file->rest = file->next;
        file->row_end = newline != NULL ? newline : file->end;
        file->next = newline != NULL ? newline + 1 : file->end;
        if (file->row_end > file->row && file->row_end[-1] == '\r') {
            file->row_end--;
        }
        if (file->row_end - file->row > CSV_LONGEST_LINE) {
            file->good = csv_fail(file, (CsvField){file->row, file->row_end}, "a line may have 4095 bytes");
            return false;
        }
        CsvField whole = trimmed((CsvField){file->row, file->row_end});
        if (whole.begin < whole.end) {
            return true;
        }
    }
    file->line++;
    file->row = file->row_end = file->end;
    return false;
}

static int find_column(CsvField field, const char *const *names, int count)
{
    int column = 0;
    while (column < count && !csv_field_is(field, names[column])) {
        column++;
    }
    return column;
}

int csv_read_header(CsvFile *file, const char *const *names, int count, int *columns, const char *known, int needed,
                    const char *missing)
{
    CsvField field;
    int found = 0;
    bool has_needed = false;
    if (!csv_next_row(file)) {
        return file->good ? csv_fail_row(file, "the file is empty; a header row is needed") : 0;
    }
    while (csv_next_field(file, &field)) {
        int column = find_column(field, names, count);
        if (column == count) {
            return csv_fail(file, field, known);
        }
        for (int k = 0; k < found; k++) {
            if (columns[k] == column) {
                return csv_fail(file, field, "this column was named before; each may appear once");
            }
        }
        has_needed |= column == needed;
        columns[found++] = column;
    }
    return has_needed ? found : csv_fail_row(file, missing);
}

/// ---- opening and closing -------------------------------------------------------------------------------------------

/// Reads a whole file into memory of the caller; NULL with the status filled when it cannot.
static char *read_whole(const char *path, const char *what, size_t *size, Status *status)
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
            char *larger = capacity <= 2 * (size_t)CSV_MOST_BYTES ? realloc(text, capacity) : NULL;
            good = larger != NULL;
            text = larger ? larger : text;
        }
        if (good) {
            *size += fread(text + *size, 1, capacity - *size, file);
            good = !ferror(file) && *size <= CSV_MOST_BYTES;
        }
    }
    bool unreadable = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (!good) {
        if (unreadable) {
            status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", path, strerror(reason));
        } else {
            status_fail(status, STATUS_BAD_FILE, "%s: too large; %s may have 64 MiB", path, what);
        }
        free(text);
        return NULL;
    }
    return text;
}

bool csv_open(CsvFile *file, const char *path, const char *what, Status *status)
{
    size_t size = 0;
    *file = (CsvFile){.path = path, .what = what, .status = status, .good = true};
    file->text = read_whole(path, what, &size, status);
    if (file->text == NULL) {
        return false;
    }
    file->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (file->numbers == (locale_t)0) {
        csv_close(file);
        return status_fail(status, STATUS_LACKING, "not enough memory for %s: %s", what, path);
    }
    if (!plain_text_check(path, file->text, size, status)) {
        csv_close(file);
        return false;
    }
    file->next = file->text;
    file->end = file->text + size;
    if (size >= 3 && memcmp(file->text, "\xEF\xBB\xBF", 3) == 0) {
        file->next += 3; // the mark some spreadsheets put first
    }
    return true;
}

void csv_close(CsvFile *file)
{
    if (file->numbers != (locale_t)0) {
        freelocale(file->numbers);
    }
    free(file->text);
    *file = (CsvFile){.good = false};
}
