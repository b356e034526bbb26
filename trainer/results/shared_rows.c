/// Which values the rows of results may hold, as the types of results.h have it.
#include "trainer/results/shared_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"

#define LARGEST 1e300 ///< any figure, in its unit: JSON has no infinity. Chosen

#define TEXT_OF(key, bytes)                                                                                            \
    {                                                                                                                  \
        .name = (key), .is_text = true, .may_lack = true, .most = (bytes)                                              \
    }
#define NAME_OF(key, bytes)                                                                                            \
    {                                                                                                                  \
        .name = (key), .is_text = true, .most = (bytes)                                                                \
    }
#define NUMBER_OF(key, low, high)                                                                                      \
    {                                                                                                                  \
        .name = (key), .least = (low), .most = (high)                                                                  \
    }

const SharedColumn shared_attempt_columns[] = {
    NAME_OF("uuid", 39),
    NAME_OF("scene", 63),
    TEXT_OF("title", 95),
    TEXT_OF("course", 63),
    NAME_OF("started", 23),
    NUMBER_OF("duration", 0.0, 1e7),
    NUMBER_OF("score", 0.0, 100.0),
    NUMBER_OF("passed", 0.0, 1.0),
    NUMBER_OF("finished", 0.0, 1.0),
    TEXT_OF("end", 15),
    TEXT_OF("operator", 511),
    TEXT_OF("machine", 63),
    TEXT_OF("build", 31),
    TEXT_OF("recording", 511),
    TEXT_OF("recording_hash", 19),
    TEXT_OF("recording_seal", 67),
    TEXT_OF("parent", 511),
    NAME_OF("driver", 15),
    NUMBER_OF("clumsy", 0.0, 1.0),
    NUMBER_OF("parent_at", -1.0, 1e7),
    TEXT_OF("language", 35),
    TEXT_OF("station", 95),
    TEXT_OF("cleared", 23),
    TEXT_OF("trainee", 95),
};
_Static_assert(sizeof shared_attempt_columns / sizeof shared_attempt_columns[0] == SHARED_ATTEMPT_COUNT, "columns");

const SharedColumn shared_metric_columns[3] = {
    NAME_OF("name", 31),
    TEXT_OF("unit", 11),
    NUMBER_OF("value", -LARGEST, LARGEST),
};

const SharedColumn shared_score_columns[6] = {
    TEXT_OF("label", 63),
    TEXT_OF("group", 15),
    NUMBER_OF("weight", 0.0, 100.0),
    NUMBER_OF("value", -LARGEST, LARGEST),
    NUMBER_OF("share", 0.0, 1.0),
    NUMBER_OF("points", 0.0, 100.0),
};

/// ---- out -----------------------------------------------------------------------------------------------------------

json_t *shared_text_json(const char *text)
{
    char *plain = strdup(text);
    if (plain == NULL) {
        return NULL;
    }
    visible_text_mask(plain, false);
    json_t *value = json_string(plain);
    free(plain);
    return value;
}

static json_t *value_out(sqlite3_stmt *row, int at)
{
    switch (sqlite3_column_type(row, at)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(row, at));
    case SQLITE_FLOAT:
        return json_real(fmax(-LARGEST, fmin(LARGEST, sqlite3_column_double(row, at))));
    case SQLITE_TEXT:
        return shared_text_json((const char *)sqlite3_column_text(row, at));
    default:
        return json_string("");
    }
}

json_t *shared_row_object(sqlite3_stmt *row)
{
    json_t *object = json_object();
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        json_object_set_new(object, sqlite3_column_name(row, k), value_out(row, k));
    }
    return object;
}

json_t *shared_row_array(sqlite3_stmt *row)
{
    json_t *array = json_array();
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        json_array_append_new(array, value_out(row, k));
    }
    return array;
}

/// ---- in ------------------------------------------------------------------------------------------------------------

static bool check_text(const SharedColumn *column, const json_t *value, const char *where, Status *status)
{
    const char *text = json_string_value(value);
    size_t length = text != NULL ? json_string_length(value) : 0;
    bool plain = text != NULL && length <= (size_t)column->most && (length > 0 || column->may_lack) &&
                 visible_text_fault(text, length, false, NULL) == VISIBLE_GOOD;
    return plain || status_fail(status, STATUS_BAD_FILE,
                                "%s: %s: read %s%.40s%s, allowed is a text of %d to %d bytes without control "
                                "characters and directions",
                                where, column->name, text != NULL ? "\"" : "", text != NULL ? text : "no text",
                                text != NULL ? "\"" : "", column->may_lack ? 0 : 1, (int)column->most);
}

static bool check_number(const SharedColumn *column, const json_t *value, const char *where, Status *status)
{
    double number = json_number_value(value);
    if (!json_is_number(value)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s: read no number, allowed is %g..%g", where, column->name,
                           column->least, column->most);
    }
    return (number >= column->least && number <= column->most) ||
           status_fail(status, STATUS_BAD_FILE, "%s: %s: read %g, allowed is %g..%g", where, column->name, number,
                       column->least, column->most);
}

bool shared_bind(sqlite3_stmt *statement, int first, const SharedColumn *columns, int count, const json_t *row,
                 const char *where, Status *status)
{
    for (int k = 0; k < count; k++) {
        const SharedColumn *column = &columns[k];
        const json_t *value = json_is_array(row) ? json_array_get(row, (size_t)k) : json_object_get(row, column->name);
        if (column->is_text) {
            if (!check_text(column, value, where, status)) {
                return false;
            }
            sqlite3_bind_text(statement, first + k, json_string_value(value), (int)json_string_length(value),
                              SQLITE_STATIC);
        } else if (!check_number(column, value, where, status)) {
            return false;
        } else if (json_is_integer(value)) {
            sqlite3_bind_int64(statement, first + k, json_integer_value(value));
        } else {
            sqlite3_bind_double(statement, first + k, json_real_value(value));
        }
    }
    return true;
}
