/// Reports and exports of recordings: the debrief as HTML and PDF, the plan of a scene, telemetry, events, particles,
/// pictures and films for other programs, models of machines, and packets for a motion platform. Nothing here needs a
/// window; who draws pictures or meshes gives a painter.
///
///     Status status;
///     ReportRequest request = {.recording = "dig.spade", .html = "dig.html"};
///     if (!report_write(&request, &status)) {
///         fprintf(stderr, "%s\n", status.text);
///     }
///     ExportParams params = {.recording = "dig.spade", .csv = "dig.csv", .every = 1};
///     ExportSummary summary;
///     bool good = export_recording(&params, &summary, &status);
///
/// Threads: words, plans and summaries can be made on any thread. A writer (Telemetry, MotionStream) belongs to one
/// thread, that of its session; exports and reports run on the calling thread. Ownership: telemetry_create and
/// motion_stream_create give what their close function frees. Paths and other strings in a request are the caller's and
/// must outlive the call. Errors: false, NULL or -1 with a status, whose text is one line for people. A file that is
/// half written is removed; files that are read are never changed (output_file.h).
///
/// From bottom to top: output_file.h (what may be overwritten), report_words.h (drivers, credits, seals and scenes in
/// words), telemetry.h and motion_stream.h (a session's ticks), sampling.h (what is observed of a session), plan.h (the
/// plan of a scene), byte_buffer.h, json_text.h, mcap_file.h, mcap_schemas.h and export_mcap.h (a session's ticks as
/// messages), ply_file.h (particles as a file), export_ground.h (the ground for survey programs), export.h (a recording
/// replayed for other programs), export_hdf5.h and hdf5_replay.h (demonstrations for learning, and the way back),
/// model.h (a machine for other programs), report_pages.h (the debrief and its summary), volume.h (volumes between two
/// surfaces). Inside: change_map.h, contours.h.
#ifndef SPADEWORK_TRAINER_REPORT_DOOR_H
#define SPADEWORK_TRAINER_REPORT_DOOR_H

#include "trainer/report/export.h"
#include "trainer/report/export_hdf5.h"
#include "trainer/report/hdf5_replay.h"
#include "trainer/report/model.h"
#include "trainer/report/motion_stream.h"
#include "trainer/report/output_file.h"
#include "trainer/report/plan.h"
#include "trainer/report/ply_file.h"
#include "trainer/report/report_pages.h"
#include "trainer/report/report_words.h"
#include "trainer/report/telemetry.h"
#include "trainer/report/volume.h"

#endif
