/// Recordings: a session as an SQLite file that replays bit for bit.
///
///     Recorder *recorder = recorder_create(&(RecorderParams){.path = "a.spade"}, session, &status);
///     bool good = recorder != NULL;
///     while (good && drives()) {
///         session_tick(session, &levers);
///         good = recorder_tick(recorder, session, &status);
///     }
///     good = recorder_close(recorder, session, &status) && good;
///
/// Threads: a recorder belongs to the session's thread and writes on one of its own; an open recording belongs to one
/// thread. Errors: a status with one line; a recording that is damaged or changed is refused and never modified.
///
/// From bottom to top:
/// - credit.h: what an attempt counts as, its driver's own work or practice
/// - recording_file.h: the tables, what SQLite may do with a stranger's file, what holds writing up
/// - seal.h: the station's key, and hashes over the rows, which show whether a file was changed
/// - recorder.h: writes levers, orders, hashes, keyframes, samples (trace.h) while a session runs
/// - recording.h: opens, seeks, replays and verifies a recording; begins a session at a moment of one
/// - recording_glance.h: what a list shows of many recordings
/// - rescore.h: scores a recording by other rules; bookmarks.h: named times of a recording
#ifndef SPADEWORK_TRAINER_RECORD_DOOR_H
#define SPADEWORK_TRAINER_RECORD_DOOR_H

#include "trainer/record/bookmarks.h"
#include "trainer/record/credit.h"
#include "trainer/record/recorder.h"
#include "trainer/record/recording.h"
#include "trainer/record/recording_file.h"
#include "trainer/record/recording_glance.h"
#include "trainer/record/rescore.h"
#include "trainer/record/seal.h"

#endif
