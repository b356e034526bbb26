/// What an opened recording gives: sessions, controls, moments, results.
#include "trainer/record/recording.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/signals.h"
#include "data/core/visible_text.h"
#include "trainer/record/recording_internal.h"

int64_t recording_ticks(const Recording *recording)
{
    return recording->last_tick;
}

int recording_tick_rate(const Recording *recording)
{
    return recording->tick_rate;
}

int64_t recording_first_tick(const Recording *recording)
{
    return recording->first_tick;
}

void recording_meta_bytes(Recording *recording, const char *key, char *value, size_t size)
{
    sqlite3_reset(recording->meta);
    sqlite3_bind_text(recording->meta, 1, key, -1, SQLITE_TRANSIENT);
    bool there = sqlite3_step(recording->meta) == SQLITE_ROW && sqlite3_column_type(recording->meta, 0) == SQLITE_TEXT;
    snprintf(value, size, "%s", there ? (const char *)sqlite3_column_text(recording->meta, 0) : "");
    sqlite3_reset(recording->meta);
}

const char *recording_meta(Recording *recording, const char *key)
{
    sqlite3_reset(recording->meta);
    sqlite3_bind_text(recording->meta, 1, key, -1, SQLITE_TRANSIENT);
    const char *value = NULL;
    if (sqlite3_step(recording->meta) == SQLITE_ROW && sqlite3_column_type(recording->meta, 0) == SQLITE_TEXT) {
        visible_text_show((const char *)sqlite3_column_text(recording->meta, 0), false, recording->value,
                          sizeof recording->value);
        value = recording->value;
    }
    sqlite3_reset(recording->meta);
    return value;
}

void recording_credit(Recording *recording, Credit *credit)
{
    *credit = (Credit){.driver = CREDIT_PERSON};
    const char *told = recording_meta(recording, "driver");
    if (told != NULL && credit_driver_named(told, &credit->driver)) {
        told = recording_meta(recording, "clumsy");
        credit->clumsy = told != NULL ? strtod(told, NULL) : 0.0;
    } else {
        told = recording_meta(recording, "operator");
        credit_of_operator(told != NULL ? told : "", credit);
    }
    credit_begin_in(credit, recording_meta(recording, "parent"), (double)recording->first_tick / recording->tick_rate);
}

/// ---- sessions ------------------------------------------------------------------------------------------------------

static bool restore_keyframe(Recording *recording, Session *session, int index, Status *status)
{
    Status reason;
    if (!recording_load_keyframe(recording, index, status)) {
        return false;
    }
    if (!state_restore(session, recording->state.data, recording->state.size, &reason)) {
        return recording_fail(recording, status, "the keyframe of tick %" PRId64 " cannot be restored: %.300s",
                              recording->keyframe_ticks[index], reason.text);
    }
    int64_t tick = session_frame(session)->tick;
    return tick == recording->keyframe_ticks[index] ||
           recording_fail(recording, status, "the keyframe of tick %" PRId64 " holds tick %" PRId64,
                          recording->keyframe_ticks[index], tick);
}

Session *recording_create_session(Recording *recording, int threads, Status *status)
{
    SessionParams params = {.has_seed = true,
                            .seed = recording->seed,
                            .solver = recording->solver,
                            .threads = threads,
                            .files = &recording->files};
    Status reason;
    Session *session = session_create(&params, &reason);
    if (session == NULL) {
        status_fail(status, reason.code, "%s: %.900s", recording->path, reason.text);
        return NULL;
    }
    bool good = session_scene(session)->rates.tick_rate == recording->tick_rate ||
                recording_fail(recording, status, "is damaged: its scene has %d ticks a second, its meta %d",
                               session_scene(session)->rates.tick_rate, recording->tick_rate);
    good = good && recording_check_events(recording, &session_scene(session)->exercise, status);
    if (good) {
        SoilGridView grid = soil_get_grid(session_soil(session));
        recording->state_most = state_size_most(session);
        recording->columns_most = (int64_t)grid.rows * grid.columns;
    }
    if (!good || (recording->first_tick > 0 && !restore_keyframe(recording, session, 0, status))) {
        session_destroy(session);
        return NULL;
    }
    return session;
}

const DataFiles *recording_files(const Recording *recording)
{
    return &recording->files;
}

/// What a scene asks for stands in it and in the file of its surface.
static bool is_asked(const DataFile *file)
{
    return strcmp(file->kind, "scenes") == 0 || strcmp(file->kind, "surfaces") == 0 ||
           strcmp(file->kind, "heights") == 0;
}

/// Copies those texts of a set that say what is asked for, or the others.
static bool copy_files(const DataFiles *from, bool asked, DataFiles *to, Status *status)
{
    for (int k = 0; k < from->count; k++) {
        const DataFile *file = &from->files[k];
        if (is_asked(file) != asked) {
            continue;
        }
        char *copy = malloc(file->size + 1);
        if (copy == NULL) {
            return status_fail(status, STATUS_LACKING, "out of memory for the texts of a recording");
        }
        memcpy(copy, file->text, file->size);
        copy[file->size] = '\0';
        if (!data_files_add(to, file->kind, file->name, copy, file->size, status)) {
            return false;
        }
    }
    return true;
}

Session *recording_create_session_of(Recording *recording, const DataFiles *asked, int threads, Status *status)
{
    DataFiles files = {0};
    Session *session = NULL;
    if (copy_files(&recording->files, false, &files, status) && copy_files(asked, true, &files, status)) {
        SessionParams params = {.has_seed = true,
                                .seed = recording->seed,
                                .solver = recording->solver,
                                .threads = threads,
                                .files = &files};
        session = session_create(&params, status);
    }
    data_files_free(&files);
    return session;
}

bool recording_controls(Recording *recording, int64_t tick, OperatorControls *controls, Status *status)
{
    if (tick < recording->first_tick || tick >= recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: no input at tick %" PRId64 ", allowed %" PRId64 "..%" PRId64,
                           recording->path, tick, recording->first_tick, recording->last_tick - 1);
    }
    *controls = recording->controls[tick - recording->first_tick];
    return true;
}

uint64_t recording_state_hash(const Recording *recording, int64_t tick)
{
    assert(tick >= recording->first_tick && tick <= recording->last_tick);
    return recording->hashes[tick - recording->first_tick];
}

bool recording_seek(Recording *recording, Session *session, int64_t tick, Status *status)
{
    if (tick < recording->first_tick || tick > recording->last_tick) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: tick %" PRId64 " is not recorded, allowed %" PRId64 "..%" PRId64, recording->path, tick,
                           recording->first_tick, recording->last_tick);
    }
    int index = recording_keyframe_before(recording, tick);
    if (!restore_keyframe(recording, session, index, status)) {
        return false;
    }
    for (int64_t at = recording->keyframe_ticks[index]; at < tick; at++) {
        if (!signals_go_on(recording->path, status)) {
            return false;
        }
        if (!recording_advance(recording, session, status)) {
            return false;
        }
    }
    return true;
}

bool recording_check_keyframes(Recording *recording, Session *session, RecordingProgress *progress, void *context,
                               Status *status)
{
    bool good = true;
    for (int k = 0; k < recording->keyframe_count && good; k++) {
        good = signals_go_on(recording->path, status) && restore_keyframe(recording, session, k, status);
        if (progress != NULL && good) {
            progress(context, k + 1, recording->keyframe_count);
        }
    }
    return good;
}

/// ---- results -------------------------------------------------------------------------------------------------------

/// Copies a column's text, cut to `size`; anything else than text is "".
static void copy_text(sqlite3_stmt *row, int column, char *text, size_t size)
{
    const char *value =
        sqlite3_column_type(row, column) == SQLITE_TEXT ? (const char *)sqlite3_column_text(row, column) : NULL;
    visible_text_show(value != NULL ? value : "", false, text, size);
}

int recording_metrics(Recording *recording, ExerciseMetric *metrics, int capacity)
{
    sqlite3_stmt *row = NULL;
    int count = 0;
    if (sqlite3_prepare_v2(recording->db, "SELECT name, unit, value FROM metric WHERE rowid <= ? ORDER BY rowid", -1,
                           &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, seal_moment_last_row(&recording->moment, SEAL_OF_metric));
        while (count < capacity && sqlite3_step(row) == SQLITE_ROW) {
            ExerciseMetric *metric = &metrics[count++];
            copy_text(row, 0, metric->name, sizeof metric->name);
            copy_text(row, 1, metric->unit, sizeof metric->unit);
            metric->value = sqlite3_column_double(row, 2);
        }
    }
    sqlite3_finalize(row);
    return count;
}
