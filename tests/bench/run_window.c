/// The window as it is driven: pictures a second, how much of the clock's time the simulation keeps, and how long a
/// lever of a device takes into the state, whatever the drawing takes. Needs a display; Xvfb will do.
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"
#include "tests/support/lever_probe.h"
#include "trainer/app/screens.h"
#include "trainer/app/picture.h"

#define WINDOW_SECONDS 30.0 // of each row
#define WARM_SHARE     0.1 // of them before the measure begins: the driver compiles, the quality is found

/// What is driven, and how slowly it is drawn.
typedef struct Sitting {
    const char *name;
    const char *operator_name; ///< NULL: a person, whose lever the probe moves
    SettingsQuality quality;
    double delay; ///< s that each picture takes longer than it does
} Sitting;

static const Sitting sittings[] = {
    {"window_low", "auto", SETTINGS_QUALITY_LOW, 0.0},    {"window_auto", "auto", SETTINGS_QUALITY_AUTO, 0.0},
    {"window_high", "auto", SETTINGS_QUALITY_HIGH, 0.0},  {"lever_low", NULL, SETTINGS_QUALITY_LOW, 0.0},
    {"lever_15", NULL, SETTINGS_QUALITY_LOW, 1.0 / 15.0}, {"lever_4", NULL, SETTINGS_QUALITY_LOW, 1.0 / 4.0},
};

/// What is counted from tick to tick.
typedef struct Count {
    Window *window;
    LeverProbe probe;
    int64_t warm; ///< tick at which the measure begins
    int64_t ticks, frames; ///< since then
    int64_t first_frame;
    double start, now; ///< ms of the clock
} Count;

static void watch(void *watcher, Session *session)
{
    Count *count = watcher;
    double seconds = 0.0;
    int64_t tick = session_frame(session)->tick, frames = picture_frames(window_picture(count->window), &seconds);
    count->now = bench_clock_ms();
    if (tick <= count->warm) {
        count->start = count->now;
        count->first_frame = frames;
    }
    count->ticks = tick - count->warm;
    count->frames = frames - count->first_frame;
    if (count->probe.thread != NULL) {
        probe_watch(&count->probe, session);
    }
}

static void report_row(const BenchOptions *options, BenchReport *report, const Sitting *sitting, const Count *count,
                       double dt)
{
    BenchTimes levers = {0};
    for (int k = 0; k < count->probe.count; k++) {
        bench_times_add(&levers, count->probe.ms[k]);
    }
    double clock = 1e-3 * (count->now - count->start);
    json_t *row =
        bench_report_row(report, sitting->name, 0, options->threads, bench_solver_name(options->solver), &levers);
    bench_report_extra(row, "pictures_per_s", clock > 0.0 ? (double)count->frames / clock : (double)NAN);
    bench_report_extra(row, "simulation_share_of_clock", clock > 0.0 ? (double)count->ticks * dt / clock : (double)NAN);
    bool moved = levers.count > 0;
    bench_report_extra(row, "lever_to_state_ms", moved ? bench_times_median(&levers) : (double)NAN);
    bench_report_extra(row, "lever_to_state_worst_ms", moved ? bench_times_quantile(&levers, 1.0) : (double)NAN);
    bench_report_extra(row, "lever_moves", (double)levers.count);
    bench_report_end(report, row);
    bench_times_free(&levers);
}

static bool drive(const Sitting *sitting, const BenchOptions *options, BenchReport *report, Window *window,
                  Status *status)
{
    RunOptions run = {.scene = "trench",
                      .operator_name = sitting->operator_name,
                      .seconds = options->seconds > 0.0 ? options->seconds : WINDOW_SECONDS,
                      .threads = options->threads,
                      .solver = options->solver,
                      .no_record = true,
                      .no_rumble = true,
                      .no_briefing = true,
                      .shot_at = -1.0,
                      .camera = -1};
    const double dt = 1.0 / 60.0; // s, of the trench
    static Count count;
    count = (Count){.window = window, .warm = (int64_t)(WARM_SHARE * run.seconds / dt)};
    char recorded[DATA_PATH_LENGTH];
    picture_try(window_picture(window), &(PictureTrial){.delay = sitting->delay});
    if (sitting->operator_name == NULL && !probe_start(&count.probe)) {
        return status_fail(status, STATUS_LACKING, "SDL has no virtual joysticks here: %s", SDL_GetError());
    }
    DriveParams params = {.options = &run, .watch = watch, .watcher = &count};
    bool good = drive_screen(window, &params, recorded, status) != SCREEN_END_FAILED;
    if (count.probe.thread != NULL) {
        probe_stop(&count.probe);
    }
    if (good) {
        report_row(options, report, sitting, &count, dt);
    }
    return good;
}

bool bench_window(const BenchOptions *options, BenchReport *report, Status *status)
{
    bool good = true;
    for (size_t k = 0; good && k < sizeof sittings / sizeof sittings[0]; k++) {
        bench_report_says(report, "%s", sittings[k].name);
        Window *window = window_open("Spadework", sittings[k].quality, status);
        good = window != NULL && drive(&sittings[k], options, report, window, status);
        window_close(window);
    }
    return good;
}
