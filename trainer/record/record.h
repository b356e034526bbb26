/// Recordings: a session as an SQLite file that replays bit for bit.
///
/// A recorder writes levers, orders, hashes and keyframes while a session runs (recording.h); a recording is opened,
/// sought in, replayed, verified and scored anew (rescore.h). Seals show whether a file was changed, a station's key who
/// wrote it (seal.h, station.h). What an attempt counts as, its driver's own work or practice, is decided by credit.h.
///
///     Recorder *recorder = recorder_create(&(RecorderParams){.path = "a.spade"}, session, &status);
///     bool good = recorder != NULL;
///     while (good && drives()) {
///         session_tick(session, &levers);
///         good = recorder_tick(recorder, session, &status);
///     }
///     good = recorder_close(recorder, session, &status) && good;
///
/// A recorder belongs to the session's thread and writes on one of its own; an open recording to one thread.
#ifndef SPADEWORK_TRAINER_RECORD_DOOR_H
#define SPADEWORK_TRAINER_RECORD_DOOR_H

#include "trainer/record/bookmarks.h"
#include "trainer/record/credit.h"
#include "trainer/record/recording.h"
#include "trainer/record/recording_glance.h"
#include "trainer/record/recording_trust.h"
#include "trainer/record/rescore.h"
#include "trainer/record/seal.h"
#include "trainer/record/session_origin.h"
#include "trainer/record/station.h"

#endif
