/// Drawing: frames of the trench while it is dug, in a hidden context of 1280 x 720 pixels.
#include <stdio.h>
#include <stdlib.h>

#include "data/load.h"
#include "render/render.h"
#include "tests/bench/trench.h"
#include "trainer/window/camera.h"
#include "trainer/window/offscreen.h"
#include "trainer/window/session_view.h"

enum { WIDTH = 1280, HEIGHT = 720 };

#define RENDER_SECONDS 0.5 // a computer without a graphics card draws one or two frames a second

typedef struct Painter {
    Offscreen *context;
    Renderer *renderer;
    SessionView *view;
    unsigned char *pixels;
} Painter;

static bool painter_create(Painter *painter, Session *session, Status *status)
{
    *painter = (Painter){.context = offscreen_create(WIDTH, HEIGHT, status)};
    if (painter->context == NULL) {
        return false;
    }
    char folder[DATA_PATH_LENGTH + 16];
    snprintf(folder, sizeof folder, "%.*s/shaders", DATA_PATH_LENGTH, data_folder());
    painter->renderer = render_create(folder, status);
    painter->view = session_view_create();
    session_view_jump(painter->view, session);
    painter->pixels = malloc((size_t)3 * WIDTH * HEIGHT);
    return painter->renderer != NULL &&
           (painter->pixels != NULL || status_fail(status, STATUS_LACKING, "out of memory for a picture"));
}

static void painter_destroy(Painter *painter)
{
    free(painter->pixels);
    if (painter->view != NULL) {
        session_view_destroy(painter->view);
    }
    if (painter->renderer != NULL) {
        render_destroy(painter->renderer);
    }
    offscreen_destroy(painter->context);
}

/// Draws and waits for the picture: reading its pixels is the only way that does not trust the driver. `read_ms`
/// receives the wait and the copy.
static double paint(Painter *painter, Session *session, BenchTimes *read_ms)
{
    double start = bench_clock_ms();
    Camera place = camera_default(RENDER_CAMERA_ORBIT);
    RenderView *view = session_view_build(painter->view, session, 1.0);
    view->camera = place.camera;
    view->orbit_yaw = place.orbit_yaw;
    view->orbit_pitch = place.orbit_pitch;
    view->orbit_distance = place.orbit_distance;
    render_draw(painter->renderer, view, WIDTH, HEIGHT);
    double drawn = bench_clock_ms();
    offscreen_pixels(painter->context, painter->pixels);
    double end = bench_clock_ms();
    bench_times_add(read_ms, end - drawn);
    return end - start;
}

static void run(Painter *painter, Trench *trench, const BenchOptions *options, BenchReport *report)
{
    BenchTimes frames = {0}, reads = {0};
    int ticks = bench_step_count(options, RENDER_SECONDS, session_dt(trench->session)),
        warm = trench_warm_ticks(trench);
    for (int k = -warm; k < ticks; k++) {
        trench_tick(trench);
        session_view_tick(painter->view, trench->session);
        if (k >= 0) {
            bench_times_add(&frames, paint(painter, trench->session, &reads));
        }
    }
    json_t *row = bench_report_row(report, "render", session_frame(trench->session)->counters.particles,
                                   options->threads, bench_solver_name(options->solver), &frames);
    bench_report_extra(row, "width", WIDTH);
    bench_report_extra(row, "height", HEIGHT);
    bench_report_extra(row, "read_ms_median", bench_times_median(&reads));
    bench_report_end(report, row);
    bench_times_free(&frames);
    bench_times_free(&reads);
}

bool bench_render(const BenchOptions *options, BenchReport *report, Status *status)
{
    Trench trench;
    Painter painter = {0};
    bench_report_says(report, "digging and drawing");
    bool good = trench_create(&trench, options, status) && painter_create(&painter, trench.session, status);
    if (good) {
        run(&painter, &trench, options, report);
    }
    painter_destroy(&painter);
    trench_destroy(&trench);
    return good;
}
