/// Exports a recording for other programs: its particles as PLY files, its telemetry and events as CSV, all of it as
/// MCAP, a film, pictures of single moments. The session is replayed from the recording alone, and each tick's state is
/// compared with the recorded one.
#ifndef SPADEWORK_TRAINER_EXPORT_H
#define SPADEWORK_TRAINER_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/data_files.h"
#include "data/core/status.h"
#include "trainer/record/record.h"
#include "trainer/report/export_ground.h"
#include "trainer/report/ply_file.h"
#include "trainer/sim/sim.h"

enum { STILLS_MOST = 32 };

/// One picture that is asked for.
typedef struct Still {
    char path[DATA_PATH_LENGTH]; ///< PNG to write
    double time; ///< s of simulated time
    int view; ///< RenderCamera, -1: the one of all pictures
    bool placed; ///< the free camera stands at `eye` and looks towards `target`; else where it begins
    Vec3 eye, target; ///< m, world
} Still;

/// Draws and writes pictures; the library has no renderer.
typedef struct StillPainter {
    void *context;
    /// Writes the session's present state as a PNG. False with `status` ends the export.
    bool (*paint)(void *context, Session *session, const Still *still, Status *status);
} StillPainter;

/// Draws pictures for the film; the library has no renderer.
typedef struct ExportPainter {
    void *context;
    /// The session's present state as width x height x 3 bytes, top row first. False with `status` ends the export.
    bool (*paint)(void *context, Session *session, unsigned char *rgb, Status *status);
} ExportPainter;

typedef struct ExportParams {
    const char *recording;
    /// Folder for frame_000000.ply, ... (ply_file.h), numbered from the first tick on; a tick without particles has a
    /// number and no file. It is made, or must be empty. NULL: none.
    const char *ply;
    PlyStyle ply_style;
    const char *csv; ///< telemetry to write, one row a tick (trainer/report/telemetry.h), or NULL
    const char *events; ///< CSV of its events to write, or NULL
    const char *mcap; ///< MCAP file to write, or NULL (trainer/report/export_mcap.h)
    int rate; ///< Hz, states in it, a divisor of the tick rate; 0: 60, or the tick rate where that is no multiple of 60
    int every; ///< ticks from one PLY file to the next, at least 1; the first shows the recording's beginning
    const char *video; ///< MP4 to write, or NULL
    int width, height; ///< pixels of the film, even
    int fps; ///< its pictures a second: 1 to the scene's ticks a second
    const double *film_from, *film_to; ///< s of simulated time: its first and last picture; NULL: the recording's
    ExportPainter painter; ///< for the film
    const Still *stills; ///< [still_count], pictures of single moments
    int still_count; ///< 0..STILLS_MOST
    StillPainter still_painter;
    const GroundShot *grounds; ///< [ground_count], the ground of single moments
    int ground_count; ///< 0..GROUNDS_MOST
    int threads; ///< 0 = one for each processor
    void (*progress)(void *context, int64_t done, int64_t ticks); ///< or NULL
    void *context;
} ExportParams;

typedef struct ExportSummary {
    RecordingSeal seal; ///< what the recording's seals say
    int64_t first_tick, last_tick; ///< replayed; also when it failed on its way
    int64_t frames; ///< PLY files, all whole
    int64_t empty_frames; ///< ticks that would have one, but had no particles
    int64_t rows; ///< of telemetry
    int64_t events; ///< of the table of events
    int particles_most; ///< in one PLY file
    int64_t messages; ///< of the MCAP file
    int64_t pictures; ///< of the film
    int stills; ///< pictures of single moments, all whole
    int grounds; ///< files of the ground, all whole
    GroundWritten ground[GROUNDS_MOST];
} ExportSummary;

/// False with `status`: the recording is bad (STATUS_BAD_FILE), was changed, of which nothing is written, or replays
/// differently here (both STATUS_NOT_VERIFIED), or an output cannot be written (STATUS_LACKING). What was written
/// before stays, but of a film or an MCAP file that is not whole.
bool export_recording(const ExportParams *params, ExportSummary *summary, Status *status);

#endif
