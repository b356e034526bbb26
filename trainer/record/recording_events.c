/// Reads the event table: rows that no event can be are refused, with their place.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "trainer/record/recording_internal.h"

#define NUMBER_COLUMN(name, unit, shown) "," #name
static const char rows_sql[] =
    "SELECT tick,kind,form,part_kind,part_index,part,thing_kind,thing_index,thing,detail" EVENT_NUMBERS(
        NUMBER_COLUMN) " FROM event WHERE rowid <= ? ORDER BY tick, rowid";

/// A row that is read, and what of it is wrong.
typedef struct EventRow {
    sqlite3_stmt *row;
    int column; ///< the next one
    Status bad; ///< STATUS_GOOD: nothing so far
} EventRow;

static int64_t take_integer(EventRow *from, const char *name, int64_t most)
{
    int column = from->column++;
    int64_t value = sqlite3_column_int64(from->row, column);
    bool good = sqlite3_column_type(from->row, column) == SQLITE_INTEGER && value >= 0 && value <= most;
    if (!good && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: read %.40s, allowed 0..%" PRId64, name,
                    (const char *)sqlite3_column_text(from->row, column), most);
    }
    return good ? value : 0;
}

static double take_number(EventRow *from, const char *name)
{
    int column = from->column++, type = sqlite3_column_type(from->row, column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: allowed is a number alone", name);
    }
    return sqlite3_column_double(from->row, column);
}

/// Copies a text that has room; what it holds of control characters is made visible.
static void take_text(EventRow *from, const char *name, char *text, size_t size)
{
    int column = from->column++;
    bool is_text = sqlite3_column_type(from->row, column) == SQLITE_TEXT; // asked for as text it becomes one
    const char *value = (const char *)sqlite3_column_text(from->row, column);
    bool good = is_text && value != NULL && strlen(value) < size;
    if (!good && from->bad.code == STATUS_GOOD) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: allowed is a text of up to %zu bytes", name, size - 1);
    }
    visible_text_show(good ? value : "", false, text, size);
}

/// A name out of a table; `count` where there is none of that name.
static int take_named(EventRow *from, const char *name, int (*find)(const void *table, const char *text),
                      const void *table, int count)
{
    char text[64];
    take_text(from, name, text, sizeof text);
    int found = from->bad.code == STATUS_GOOD ? find(table, text) : 0;
    if (found < 0 || found >= count) {
        status_fail(&from->bad, STATUS_BAD_FILE, "%s: read \"%s\", which this program does not know", name, text);
        return 0;
    }
    return found;
}

static int find_kind(const void *unused, const char *text)
{
    (void)unused;
    EventKind kind = event_kind_named(text);
    return kind < EVENT_KIND_COUNT && event_kind_source(kind) != EVENT_OF_READER ? (int)kind : -1;
}

static int find_form(const void *kind, const char *text)
{
    return event_form_named((EventKind) * (const int32_t *)kind, text);
}

static int find_thing(const void *unused, const char *text)
{
    (void)unused;
    return (int)event_thing_named(text);
}

static EventThing take_thing(EventRow *from, const char *const names[3])
{
    EventThing thing = {0};
    thing.kind = take_named(from, names[0], find_thing, NULL, THING_KIND_COUNT);
    thing.index = (int32_t)take_integer(from, names[1], INT32_MAX);
    take_text(from, names[2], thing.name, sizeof thing.name);
    return thing;
}

/// last_tick  of the recording
static ExerciseEvent take_event(EventRow *from, int64_t last_tick, const SceneExercise *exercise)
{
    static const char *const part[] = {"part_kind", "part_index", "part"};
    static const char *const thing[] = {"thing_kind", "thing_index", "thing"};
    from->column = 0;
    from->bad = (Status){STATUS_GOOD, ""};
    ExerciseEvent event = {.tick = take_integer(from, "tick", last_tick)};
    event.kind = take_named(from, "kind", find_kind, NULL, EVENT_KIND_COUNT);
    event.form = take_named(from, "form", find_form, &event.kind, EVENT_MOST_FORMS);
    event.part = take_thing(from, part);
    event.thing = take_thing(from, thing);
    take_text(from, "detail", event.text, sizeof event.text);
#define X(name, unit, shown) event.number.name = take_number(from, #name);
    EVENT_NUMBERS(X)
#undef X
    if (from->bad.code == STATUS_GOOD) {
        event_check(&event, exercise, &from->bad);
    }
    return event;
}

int recording_events(Recording *recording, ExerciseEvent *events, int capacity)
{
    EventRow from = {.row = NULL};
    int count = 0;
    if (sqlite3_prepare_v2(recording->db, rows_sql, -1, &from.row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(from.row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_event));
        while (count < capacity && sqlite3_step(from.row) == SQLITE_ROW) {
            events[count] = take_event(&from, recording->last_tick, NULL);
            if (from.bad.code != STATUS_GOOD) { // it was good when the recording was opened
                break;
            }
            count++;
        }
    }
    sqlite3_finalize(from.row);
    return count;
}

bool recording_check_events(Recording *recording, const SceneExercise *exercise, Status *status)
{
    EventRow from = {.row = NULL, .bad = {STATUS_GOOD, ""}};
    bool good = sqlite3_prepare_v2(recording->db, rows_sql, -1, &from.row, NULL) == SQLITE_OK;
    int64_t tick = 0;
    int count = 0;
    if (good) {
        sqlite3_bind_int64(from.row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_event));
    }
    while (good && from.bad.code == STATUS_GOOD && sqlite3_step(from.row) == SQLITE_ROW) {
        tick = take_event(&from, recording->last_tick, exercise).tick;
        count++;
    }
    sqlite3_finalize(from.row);
    return (good || recording_fail(recording, status, "is damaged: %s", sqlite3_errmsg(recording->db))) &&
           (from.bad.code == STATUS_GOOD ||
            recording_fail(recording, status, "is damaged: event %d, at tick %" PRId64 ": %.300s", count, tick,
                           from.bad.text));
}
