/// Files of comma-separated values that people write: a header row that names the columns, then rows of as many values.
/// Numbers are decimal and read in the C locale, so that a file means the same on every computer; the first error names
/// file:line:column and what was read. One thread; what is opened is closed by its owner.
///
///     CsvFile file;
///     bool good = csv_open(&file, path, "a list", status) && csv_read_header(&file, names, count, columns, known);
///     while (good && csv_next_row(&file)) {
///         good = read_row(&file);
///     }
///     good = good && file.good;
///     csv_close(&file);
#ifndef SPADEWORK_DATA_CSV_FILE_H
#define SPADEWORK_DATA_CSV_FILE_H

#include <locale.h>
#include <stdbool.h>

#include "data/core/status.h"

enum { CSV_LONGEST_LINE = 4095, CSV_MOST_BYTES = 64 << 20 };

/// A value without the blanks around it: [begin, end).
typedef struct CsvField {
    const char *begin, *end;
} CsvField;

/// An open file. Read freely; written by the functions below alone.
typedef struct CsvFile {
    const char *path; ///< the caller's
    const char *what; ///< the caller's: "an operator script"
    int line, column; ///< from 1; of the field that was read last, in bytes
    bool good; ///< false once a row could not be read
    char *text; ///< all of it
    const char *next, *end; ///< of what was not read yet
    const char *row, *row_end, *rest; ///< the present row; what is left of it, NULL: nothing
    locale_t numbers;
    Status *status; ///< the caller's
} CsvFile;

/// Reads a whole file of at most CSV_MOST_BYTES; `path`, `what` and `status` live as long as it is open. False with
/// `status`; csv_close may follow, and needs not.
bool csv_open(CsvFile *file, const char *path, const char *what, Status *status);
/// Frees it. A file that was closed, or all 0, is nothing.
void csv_close(CsvFile *file);

/// Goes to the next row that is not empty. False at the end, and at a line of more than CSV_LONGEST_LINE bytes (`good`
/// is then false, with the status).
bool csv_next_row(CsvFile *file);
/// Takes the next value off the row; false behind the last one.
bool csv_next_field(CsvFile *file, CsvField *field);

/// Reads the header row: each of `names` [count], one of which is needed, at most once, in any order. columns  out
/// [count]: index in `names` of each column of the file known    "known columns: ..."; needed  index of the one that
/// must be there; missing: the error text when it is absent Returns how many columns there are; 0 with the status when
/// the row is wrong or absent.
int csv_read_header(CsvFile *file, const char *const *names, int count, int *columns, const char *known, int needed,
                    const char *missing);

/// True when the field is exactly `text`.
bool csv_field_is(CsvField field, const char *text);
/// Reads a number from `low` to `high`; false with the status, which then ends with `allowed`.
bool csv_read_number(CsvFile *file, CsvField field, double low, double high, const char *allowed, double *value);
/// Tells that the field is wrong: "PATH:LINE:COLUMN: read "FIELD"; ALLOWED". Returns false.
bool csv_fail(CsvFile *file, CsvField field, const char *allowed);
/// The same of the file or of a whole row, at its beginning.
bool csv_fail_row(CsvFile *file, const char *allowed);

#endif
