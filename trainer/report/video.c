/// Pipes raw pictures to ffmpeg, which encodes H.264. A film that is not whole is removed; ffmpeg's first line of
/// complaint becomes the failure's text.
#include "trainer/report/video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "data/core/data_files.h"
#include "trainer/report/output_file.h"

enum { NUMBER = 32, COMPLAINT = 200 };

struct Video {
    char path[DATA_PATH_LENGTH], part[DATA_PATH_LENGTH + 8];
    size_t frame_size; ///< bytes
    pid_t process;
    int pipe; ///< to ffmpeg; -1 = closed
    FILE *complaints; ///< what ffmpeg says
};

/// Takes the name of the part as a file's, whatever it looks like: "-y", "concat:a|b", "pipe:1" are files, too.
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

Video *video_create(const char *path, int width, int height, int fps, Status *status)
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
    signals_take(); // that ffmpeg gave up is told by the write that fails
    return video;
}

bool video_frame(Video *video, const unsigned char *rgb, Status *status)
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

bool video_close(Video *video, bool keep, Status *status)
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
    // Not every failure to write makes ffmpeg end with one; but it tells of each.
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
