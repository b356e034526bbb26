/// Replays a recording tick by tick, compares each state with the recorded hash, and hands the session to the writers
/// that were asked for. Films repeat or leave out ticks so that they run in real time.
#include "trainer/report/export.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/signals.h"
#include "trainer/report/event_table.h"
#include "trainer/report/ply.h"
#include "trainer/report/telemetry.h"
#include "trainer/report/video.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

typedef struct Export {
    const ExportParams *params;
    ExportSummary *summary;
    Recording *recording;
    Session *session;
    Telemetry *telemetry; ///< or NULL
    PlyWriter writer;
    Video *video; ///< or NULL
    unsigned char *picture; ///< of the film
} Export;

/// ---- the folder ----------------------------------------------------------------------------------------------------

static bool is_empty(const char *path, bool *empty)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    *empty = true;
    for (const struct dirent *entry = readdir(folder); entry != NULL && *empty; entry = readdir(folder)) {
        *empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(folder);
    return true;
}

/// Makes the folder, or takes an empty one: files of another export would get mixed up with these.
static bool make_folder(const char *path, Status *status)
{
    bool empty = true;
    if (strlen(path) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_LACKING, "%.80s...: the path is longer than %d bytes", path,
                           DATA_PATH_LENGTH - 1);
    }
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    if (errno != EEXIST || !is_empty(path, &empty)) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be used as a folder: %s", path, strerror(errno));
    }
    return empty || status_fail(status, STATUS_LACKING,
                                "%s: exists and is not empty: it is left as it is; choose another folder", path);
}

/// ---- ticks ---------------------------------------------------------------------------------------------------------

/// Ticks that fall between two pictures of the film are not shown.
static bool film_frame(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    ExportSummary *summary = self->summary;
    int64_t rate = session_scene(self->session)->rates.tick_rate;
    int64_t done = session_frame(self->session)->tick - summary->first_tick;
    if (self->video == NULL || done < (summary->pictures * rate + params->fps - 1) / params->fps) {
        return true;
    }
    if (!params->painter.paint(params->painter.context, self->session, self->picture, status) ||
        !video_frame(self->video, self->picture, status)) {
        return false;
    }
    summary->pictures++;
    return true;
}

static bool write_frame(Export *self, Status *status)
{
    const SessionFrame *frame = session_frame(self->session);
    ExportSummary *summary = self->summary;
    if (self->params->ply == NULL || (frame->tick - summary->first_tick) % self->params->every != 0) {
        return true;
    }
    char path[DATA_PATH_LENGTH + 40];
    snprintf(path, sizeof path, "%s/frame_%06" PRId64 ".ply", self->params->ply, summary->frames);
    SoilParticleView particles = soil_get_particles(session_soil(self->session));
    PlyMoment moment = {session_scene(self->session), frame->tick, frame->time};
    if (!ply_write(&self->writer, path, &particles, &moment, status)) {
        return false;
    }
    summary->frames++;
    summary->particles_most = particles.count > summary->particles_most ? particles.count : summary->particles_most;
    return true;
}

/// Another build may compute other bits: its particles would not be those that were recorded.
static bool check_state(Export *self, Status *status)
{
    int64_t tick = session_frame(self->session)->tick;
    return state_hash(self->session) == recording_state_hash(self->recording, tick) ||
           status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: differs from the replay at tick %" PRId64 "; see: spadework replay REC --verify",
                       self->params->recording, tick);
}

static bool replay(Export *self, Status *status)
{
    ExportSummary *summary = self->summary;
    int64_t last = recording_ticks(self->recording);
    bool good = check_state(self, status) && write_frame(self, status) && film_frame(self, status);
    for (int64_t tick = summary->first_tick; good && tick < last; tick++) {
        good =
            signals_go_on(self->params->recording, status) && recording_advance(self->recording, self->session, status);
        if (good) {
            summary->last_tick = tick + 1;
            good = check_state(self, status) && write_frame(self, status) && film_frame(self, status) &&
                   (self->telemetry == NULL || telemetry_tick(self->telemetry, self->session, status));
            summary->rows += good && self->telemetry != NULL;
        }
        if (self->params->progress != NULL) {
            self->params->progress(self->params->context, tick + 1 - summary->first_tick, last - summary->first_tick);
        }
    }
    return good;
}

static bool start_film(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    int rate = session_scene(self->session)->rates.tick_rate;
    if (params->video == NULL) {
        return true;
    }
    if (params->fps > rate) {
        return status_fail(status, STATUS_BAD_USAGE, "--fps %d: at most %d are allowed, the ticks a second of %s",
                           params->fps, rate, params->recording);
    }
    self->picture = malloc(3 * (size_t)params->width * (size_t)params->height);
    if (self->picture == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory for pictures of %d x %d pixels", params->video,
                           params->width, params->height);
    }
    self->video = video_create(params->video, params->width, params->height, params->fps, status);
    return self->video != NULL;
}

static bool run(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    self->recording = recording_open(params->recording, status);
    if (self->recording == NULL || !recording_check_seals(self->recording, &self->summary->seal, status)) {
        return false;
    }
    self->session = recording_create_session(self->recording, params->threads, status);
    if (self->session == NULL || (params->ply != NULL && !make_folder(params->ply, status))) {
        return false;
    }
    self->summary->first_tick = self->summary->last_tick = recording_first_tick(self->recording);
    if (params->events != NULL) {
        int rate = session_scene(self->session)->rates.tick_rate;
        self->summary->events = event_table_write(params->events, self->recording, rate, status);
        if (self->summary->events < 0) {
            return false;
        }
    }
    if (params->csv != NULL) {
        self->telemetry = telemetry_create(params->csv, session_machine_params(self->session), status);
        if (self->telemetry == NULL) {
            return false;
        }
    }
    bool whole = params->ply != NULL || params->csv != NULL || params->video != NULL;
    bool good = start_film(self, status) && (!whole || replay(self, status)) &&
                stills_write(self->recording, self->session, params->stills, params->still_count,
                             &params->still_painter, &self->summary->stills, status);
    Status later;
    if (!video_close(self->video, good, &later)) {
        *status = later; // what ffmpeg says tells more than that it gave up
        good = false;
    }
    if (!telemetry_close(self->telemetry, &later) && good) {
        *status = later;
        good = false;
    }
    return good;
}

bool export_recording(const ExportParams *params, ExportSummary *summary, Status *status)
{
    Export self = {.params = params, .summary = summary};
    *summary = (ExportSummary){0};
    status_good(status);
    bool good = run(&self, status);
    ply_free(&self.writer);
    free(self.picture);
    session_destroy(self.session);
    if (self.recording != NULL) {
        recording_close(self.recording);
    }
    return good;
}
