/// Replays a recording tick by tick, compares each state with the recorded hash, and hands the session to the writers
/// that were asked for, among them that of particles. Films repeat or leave out ticks so that they run in real time.
#include "trainer/report/export.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/signals.h"
#include "data/core/system_files.h"
#include "data/schema/schema.h"
#include "trainer/record/record.h"
#include "trainer/report/export_mcap.h"
#include "trainer/report/output_file.h"
#include "trainer/report/telemetry.h"
#include "trainer/sim/sim.h"

/// ---- table of events -----------------------------------------------------------------------------------------------

enum { MOST_EVENTS = 4096 };

static void print_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, file);
    }
    fputc('"', file);
}

static void print_name(FILE *file, const EventThing *thing)
{
    char text[EVENT_TEXT];
    event_thing_text(thing, &reader_of_files, text);
    print_quoted(file, text);
}

static void print_thing(FILE *file, const EventThing *thing)
{
    fputc(',', file);
    print_quoted(file, event_thing_kind_name((EventThingKind)thing->kind));
    fprintf(file, ",%d", (int)thing->index);
}

/// scene  NULL: it could not be read, and what it says of steps and answers is missing
static void print_events(FILE *file, const ExerciseEvent *events, int count, int tick_rate, const SceneExercise *scene)
{
    fputs("event,tick,t,part,thing", file);
#define X(name, unit, shown) fputs("," #name, file);
    EVENT_NUMBERS(X)
#undef X
    fputs(",detail,form,part_kind,part_index,thing_kind,thing_index\n", file);
    for (int k = 0; k < count; k++) {
        const ExerciseEvent *event = &events[k];
        EventKind kind = (EventKind)event->kind;
        char text[EVENT_TEXT];
        print_quoted(file, event_kind_name(kind));
        fprintf(file, ",%lld,%.9g,", (long long)event->tick, (double)event->tick / tick_rate);
        print_name(file, &event->part);
        fputc(',', file);
        print_name(file, &event->thing);
#define X(name, unit, shown) fprintf(file, ",%.9g", event->number.name);
        EVENT_NUMBERS(X)
#undef X
        fputc(',', file);
        event_text(event, &reader_of_files, scene, text);
        print_quoted(file, text);
        fputc(',', file);
        print_quoted(file, event_form(kind, event->form)->name);
        print_thing(file, &event->part);
        print_thing(file, &event->thing);
        fputc('\n', file);
    }
}

/// The recording's own scene; NULL: it cannot be read. The caller frees it.
static SceneParams *read_recorded_scene(Recording *recording)
{
    Status ignored;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL &&
                data_load_scene_from_files(recording_files(recording), scene, machine, &ignored);
    free(machine);
    if (!good) {
        free(scene);
    }
    return good ? scene : NULL;
}

/// Writes the events of `recording`, whose scene has `tick_rate` ticks a second: one row an event, with its part,
/// thing, place and numbers. Texts stand in quotes, doubled within; numbers have 9 digits and a point whatever the
/// locale. Returns how many; -1 with `status` (STATUS_LACKING) when the file cannot be written.
static int write_event_table(const char *path, Recording *recording, int tick_rate, Status *status)
{
    if (!output_may_replace(path, OUTPUT_EVENTS, status)) {
        return -1;
    }
    ExerciseEvent *events = calloc(MOST_EVENTS + 1, sizeof *events);
    int found = events != NULL ? recording_events(recording, events, MOST_EVENTS + 1) : 0;
    if (found > MOST_EVENTS) {
        free(events);
        status_fail(status, STATUS_BAD_FILE, "%s: the recording holds more than %d events", path, MOST_EVENTS);
        return -1;
    }
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    FILE *file = events != NULL && locale != (locale_t)0 ? written_file_open(path) : NULL;
    int count = -1;
    if (file != NULL) {
        locale_t before = uselocale(locale);
        SceneParams *scene = read_recorded_scene(recording);
        print_events(file, events, found, tick_rate, scene != NULL ? &scene->exercise : NULL);
        free(scene);
        uselocale(before);
        bool bad = ferror(file) != 0;
        count = fclose(file) != 0 || bad ? -1 : found;
    }
    if (count < 0) {
        status_fail(status, STATUS_LACKING, "%s: cannot write the events: %s", path, written_file_reason(errno));
    }
    if (locale != (locale_t)0) {
        freelocale(locale);
    }
    free(events);
    return count;
}

/// ---- film ----------------------------------------------------------------------------------------------------------

enum { NUMBER = 32, COMPLAINT = 200 };

/// A film made from pictures with ffmpeg, which runs beside the program and reads raw pictures from a pipe. Until
/// close_film the film is in PATH.part, so that no half film bears its name. Signals are taken (signals.h) while a film
/// is open: a stop that is asked for ends ffmpeg, and nothing is left of the film. One film at a time.
typedef struct Video {
    char path[DATA_PATH_LENGTH], part[DATA_PATH_LENGTH + 8];
    size_t frame_size; ///< bytes
    pid_t process;
    int pipe; ///< to ffmpeg; -1 = closed
    FILE *complaints; ///< what ffmpeg says
} Video;

/// The name of the part is always taken for a file: "-y", "concat:a|b", "pipe:1" are files, too.
static bool start_ffmpeg(Video *video, int input, int width, int height, int fps, Status *status)
{
    char size[NUMBER], rate[NUMBER], output[sizeof video->part + NUMBER];
    snprintf(output, sizeof output, "file:%s%s", video->part[0] == '/' ? "" : "./", video->part);
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%d", fps);
    const char *words[] = {"ffmpeg",     "-nostdin",    "-hide_banner",
                           "-loglevel",  "error",       "-y",
                           "-f",         "rawvideo",    "-pixel_format",
                           "rgb24",      "-video_size", size,
                           "-framerate", rate,          "-protocol_whitelist",
                           "pipe",       "-i",          "pipe:0",
                           "-an",        "-c:v",        "libx264",
                           "-crf",       "20",          "-pix_fmt",
                           "yuv420p",    "-movflags",   "+faststart",
                           "-f",         "mp4",         output,
                           NULL};
    char *copies[sizeof words / sizeof words[0]] = {0}; // posix_spawnp wants words it could change
    for (size_t k = 0; words[k] != NULL; k++) {
        copies[k] = strdup(words[k]);
    }
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, fileno(video->complaints), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    signals_for_program(&attributes);
    int problem = posix_spawnp(&video->process, "ffmpeg", &files, &attributes, copies, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    for (size_t k = 0; k < sizeof copies / sizeof copies[0]; k++) {
        free(copies[k]);
    }
    return problem == 0 ||
           (problem == ENOENT
                ? status_fail(status, STATUS_LACKING, "video: ffmpeg is not installed (Debian: apt install ffmpeg)")
                : status_fail(status, STATUS_LACKING, "video: ffmpeg cannot be started: %s", strerror(problem)));
}

/// The first line of what ffmpeg said, or what its end means.
static void read_complaint(const Video *video, char text[COMPLAINT])
{
    rewind(video->complaints);
    if (fgets(text, COMPLAINT, video->complaints) == NULL) {
        snprintf(text, COMPLAINT, "it ended without a word; is the disk full?");
    }
    text[strcspn(text, "\r\n")] = '\0';
}

/// H.264 in MP4. `width`, `height` pixels, even; `fps` pictures a second. NULL with `status` (STATUS_LACKING): no
/// ffmpeg, or something at `path` that is not a film.
static Video *open_film(const char *path, int width, int height, int fps, Status *status)
{
    int ends[2];
    char part[sizeof((Video *)NULL)->part];
    snprintf(part, sizeof part, "%s.part", path);
    if (!output_may_replace(path, OUTPUT_VIDEO, status) || !output_may_replace(part, OUTPUT_VIDEO, status)) {
        return NULL; // what a killed ffmpeg left is a film, too
    }
    Video *video = calloc(1, sizeof *video);
    FILE *complaints = tmpfile();
    if (video == NULL || complaints == NULL || strlen(path) >= sizeof video->path || pipe(ends) != 0) {
        status_fail(status, STATUS_LACKING, "%.80s: no memory, temporary file or pipe for the film", path);
        if (complaints != NULL) {
            fclose(complaints);
        }
        free(video);
        return NULL;
    }
    snprintf(video->path, sizeof video->path, "%s", path);
    memcpy(video->part, part, sizeof video->part);
    video->frame_size = 3 * (size_t)width * (size_t)height;
    video->complaints = complaints;
    video->pipe = ends[1];
    fcntl(video->pipe, F_SETFD, FD_CLOEXEC); // or ffmpeg would hold its own input open
    fcntl(fileno(complaints), F_SETFD, FD_CLOEXEC);
    bool started = start_ffmpeg(video, ends[0], width, height, fps, status);
    close(ends[0]);
    if (!started) {
        close(video->pipe);
        fclose(complaints);
        free(video);
        return NULL;
    }
    signals_take(); // without SIGPIPE, the write fails where ffmpeg gave up
    return video;
}

/// `rgb`: width x height x 3 bytes, top row first. False with `status` when ffmpeg gave up (STATUS_LACKING) or a stop
/// was asked for (STATUS_STOPPED): close it then.
static bool add_film_frame(Video *video, const unsigned char *rgb, Status *status)
{
    for (size_t done = 0; done < video->frame_size;) {
        ssize_t written = write(video->pipe, rgb + done, video->frame_size - done);
        if (written < 0 && !signals_go_on(video->path, status)) {
            return false;
        }
        if (written < 0 && errno != EINTR) {
            close(video->pipe);
            video->pipe = -1;
            return status_fail(status, STATUS_LACKING, "%s: ffmpeg gave up", video->path);
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/// Ends the film, or (`keep` false) removes it. False with `status` when it could not be written whole: nothing is left
/// of it then. NULL is fine.
static bool close_film(Video *video, bool keep, Status *status)
{
    if (video == NULL) {
        return true;
    }
    if (!keep) {
        kill(video->process, SIGKILL); // it might wait for something, and nothing of it is kept
    }
    bool broken = video->pipe < 0;
    if (!broken) {
        close(video->pipe);
    }
    int end = 0;
    while (waitpid(video->process, &end, 0) < 0 && errno == EINTR) {
        if (signals_stop_asked()) {
            kill(video->process, SIGKILL);
        }
    }
    bool stopped = signals_stop_asked();
    signals_release();
    // ffmpeg does not end with a failure for every write that failed, but it complains of each.
    bool silent = fseek(video->complaints, 0, SEEK_END) == 0 && ftell(video->complaints) == 0;
    bool good = !broken && WIFEXITED(end) && WEXITSTATUS(end) == 0 && silent;
    if (keep && good && rename(video->part, video->path) != 0) {
        fprintf(video->complaints, "it cannot be given its name: %s\n", strerror(errno));
        good = false;
    }
    if (!keep || !good) {
        remove(video->part);
    }
    if (!good && stopped) {
        signals_go_on(video->path, status);
    } else if (!good && (keep || broken)) {
        char text[COMPLAINT];
        read_complaint(video, text);
        status_fail(status, STATUS_LACKING, "%s: the film could not be written: ffmpeg: %s", video->path, text);
    }
    fclose(video->complaints);
    free(video);
    return good || (!keep && !broken && !stopped);
}

/// ---- single moments ------------------------------------------------------------------------------------

/// The tick of a moment, the nearest one. `asks`: the option and what it is to write.
static bool find_tick(const Recording *recording, const Session *session, const char *option, const char *path,
                      double time, int64_t *tick, Status *status)
{
    int rate = session_scene(session)->rates.tick_rate;
    int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
    *tick = (int64_t)llround(time * rate);
    return (*tick >= first && *tick <= last) ||
           status_fail(status, STATUS_BAD_USAGE,
                       "%s %.80s: second %g is not in the recording, which holds seconds %g to %g", option, path, time,
                       (double)first / rate, (double)last / rate);
}

/// Restores a tick and compares the state with the recorded one. The recording's keyframes make a late moment cost
/// about as little as an early one.
static bool restore_tick(Recording *recording, Session *session, const char *path, int64_t tick, Status *status)
{
    return recording_seek(recording, session, tick, status) &&
           (state_hash(session) == recording_state_hash(recording, tick) ||
            status_fail(status, STATUS_NOT_VERIFIED, "%.80s: the replay differs from the recording at tick %" PRId64,
                        path, tick));
}

/// Has each picture written. False with `status`: a time that the recording does not hold (STATUS_BAD_USAGE), a state
/// that is computed differently here (STATUS_NOT_VERIFIED), a bad recording, or a file that cannot be written
/// (STATUS_LACKING); pictures before it stay.
/// written  counts the pictures
static bool write_stills(Recording *recording, Session *session, const Still *stills, int count,
                         const StillPainter *painter, int *written, Status *status)
{
    int64_t tick;
    for (int k = 0; k < count; k++) {
        if (!find_tick(recording, session, "--picture", stills[k].path, stills[k].time, &tick, status) ||
            !output_may_replace(stills[k].path, OUTPUT_PICTURE, status)) {
            return false;
        }
    }
    for (int k = 0; k < count; k++) {
        if (!find_tick(recording, session, "--picture", stills[k].path, stills[k].time, &tick, status) ||
            !restore_tick(recording, session, stills[k].path, tick, status) ||
            !painter->paint(painter->context, session, &stills[k], status)) {
            return false;
        }
        *written += 1;
    }
    return true;
}

/// Writes the files of the ground; failures as write_stills.
static bool write_grounds(Recording *recording, Session *session, const ExportParams *params, ExportSummary *summary,
                          Status *status)
{
    int64_t tick;
    for (int k = 0; k < params->ground_count; k++) {
        const GroundShot *shot = &params->grounds[k];
        if (!find_tick(recording, session, "--ground", shot->path, shot->time, &tick, status) ||
            !export_ground_check(session, shot, status)) {
            return false;
        }
    }
    float *start = params->ground_count > 0 ? export_ground_start(recording, params->threads, status) : NULL;
    bool good = params->ground_count == 0 || start != NULL;
    for (int k = 0; good && k < params->ground_count; k++) {
        const GroundShot *shot = &params->grounds[k];
        good = find_tick(recording, session, "--ground", shot->path, shot->time, &tick, status) &&
               restore_tick(recording, session, shot->path, tick, status) &&
               export_ground(session, start, shot, &summary->ground[k], status);
        summary->grounds += good;
    }
    free(start);
    return good;
}

typedef struct Export {
    const ExportParams *params;
    ExportSummary *summary;
    Recording *recording;
    Session *session;
    Telemetry *telemetry; ///< or NULL
    ExportMcap *mcap; ///< or NULL
    PlyWriter writer;
    Video *video; ///< or NULL
    unsigned char *picture; ///< of the film
    int64_t film_first, film_last; ///< ticks that it shows
} Export;

/// ---- ticks ---------------------------------------------------------------------------------------------------------

/// The ticks of the film's first and last picture.
static bool find_film(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    self->film_first = recording_first_tick(self->recording);
    self->film_last = recording_ticks(self->recording);
    return (params->film_from == NULL || find_tick(self->recording, self->session, "--from of", params->video,
                                                   *params->film_from, &self->film_first, status)) &&
           (params->film_to == NULL || find_tick(self->recording, self->session, "--to of", params->video,
                                                 *params->film_to, &self->film_last, status));
}

/// Ticks that fall between two pictures of the film are not shown.
static bool film_frame(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    ExportSummary *summary = self->summary;
    int64_t rate = session_scene(self->session)->rates.tick_rate;
    int64_t tick = session_frame(self->session)->tick, done = tick - self->film_first;
    if (self->video == NULL || tick > self->film_last ||
        done < (summary->pictures * rate + params->fps - 1) / params->fps) {
        return true;
    }
    if (!params->painter.paint(params->painter.context, self->session, self->picture, status) ||
        !add_film_frame(self->video, self->picture, status)) {
        return false;
    }
    summary->pictures++;
    return true;
}

static bool write_frame(Export *self, Status *status)
{
    const SessionFrame *frame = session_frame(self->session);
    ExportSummary *summary = self->summary;
    int64_t done = frame->tick - summary->first_tick;
    if (self->params->ply == NULL || done % self->params->every != 0) {
        return true;
    }
    SoilParticleView particles = soil_get_particles(session_soil(self->session));
    if (particles.count == 0) { // CloudCompare opens no file without vertices
        summary->empty_frames++;
        return true;
    }
    char path[DATA_PATH_LENGTH + 40];
    snprintf(path, sizeof path, "%s/frame_%06" PRId64 ".ply", self->params->ply, done / self->params->every);
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

/// What shows the state after a tick, and at the first one.
static bool write_tick(Export *self, Status *status)
{
    return check_state(self, status) && write_frame(self, status) && film_frame(self, status) &&
           (self->mcap == NULL || export_mcap_tick(self->mcap, status));
}

static bool replay_ticks(Export *self, Status *status)
{
    ExportSummary *summary = self->summary;
    const ExportParams *params = self->params;
    int64_t last = recording_ticks(self->recording);
    if (params->ply == NULL && params->csv == NULL && params->mcap == NULL) { // a film alone needs its own ticks
        last = self->film_last;
        if (!recording_seek(self->recording, self->session, self->film_first, status)) {
            return false;
        }
        summary->first_tick = summary->last_tick = self->film_first;
    }
    bool good = write_tick(self, status);
    for (int64_t tick = summary->first_tick; good && tick < last; tick++) {
        good =
            signals_go_on(self->params->recording, status) && recording_advance(self->recording, self->session, status);
        if (good) {
            summary->last_tick = tick + 1;
            good = write_tick(self, status) &&
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
    if (!find_film(self, status)) {
        return false;
    }
    self->picture = malloc(3 * (size_t)params->width * (size_t)params->height);
    if (self->picture == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory for pictures of %d x %d pixels", params->video,
                           params->width, params->height);
    }
    self->video = open_film(params->video, params->width, params->height, params->fps, status);
    return self->video != NULL;
}

static bool start_mcap(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    ExportMcapParams mcap = {
        .path = params->mcap, .rate = params->rate, .recording = self->recording, .seal = &self->summary->seal};
    if (params->mcap != NULL) {
        self->mcap = export_mcap_create(&mcap, self->session, status);
    }
    return params->mcap == NULL || self->mcap != NULL;
}

/// Ends the files that ticks went into. `good`: so far; what is not whole goes. Returns whether all is good.
static bool close_outputs(Export *self, bool good, Status *status)
{
    Status later;
    if (!close_film(self->video, good, &later)) {
        *status = later; // ffmpeg's own message is better than "gave up"
        good = false;
    }
    self->summary->messages = self->mcap != NULL ? export_mcap_messages(self->mcap) : 0;
    if (!export_mcap_close(self->mcap, good, &later) && good) {
        *status = later;
        good = false;
    }
    if (!telemetry_close(self->telemetry, &later) && good) {
        *status = later;
        good = false;
    }
    return good;
}

static bool export_parts(Export *self, Status *status)
{
    const ExportParams *params = self->params;
    self->recording = recording_open(params->recording, status);
    if (self->recording == NULL || !recording_check_seals(self->recording, &self->summary->seal, status)) {
        return false;
    }
    self->session = recording_create_session(self->recording, params->threads, status);
    if (self->session == NULL || (params->ply != NULL && !output_make_folder(params->ply, status))) {
        return false;
    }
    self->summary->first_tick = self->summary->last_tick = recording_first_tick(self->recording);
    if (params->events != NULL) {
        int rate = session_scene(self->session)->rates.tick_rate;
        self->summary->events = write_event_table(params->events, self->recording, rate, status);
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
    bool whole = params->ply != NULL || params->csv != NULL || params->mcap != NULL || params->video != NULL;
    bool good = start_mcap(self, status) && start_film(self, status) && (!whole || replay_ticks(self, status)) &&
                write_stills(self->recording, self->session, params->stills, params->still_count,
                             &params->still_painter, &self->summary->stills, status) &&
                write_grounds(self->recording, self->session, params, self->summary, status);
    return close_outputs(self, good, status);
}

bool export_recording(const ExportParams *params, ExportSummary *summary, Status *status)
{
    Export self = {.params = params, .summary = summary, .writer = {.style = params->ply_style}};
    *summary = (ExportSummary){0};
    status_good(status);
    bool good = export_parts(&self, status);
    ply_free(&self.writer);
    free(self.picture);
    session_destroy(self.session);
    if (self.recording != NULL) {
        recording_close(self.recording);
    }
    return good;
}
