/// Drawing: frames of the trench while it is dug, in a hidden context without smoothed edges, as a window has them; how
/// long each pass of a frame takes, and how little quicker a small picture is.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "render/render.h"
#include "render/grains.h"
#include "tests/bench/trench.h"
#include "tests/support/gl_count.h"
#include "trainer/app/camera.h"
#include "trainer/app/offscreen.h"
#include "trainer/app/session_view.h"

#define RENDER_SECONDS   0.2 // a computer without a graphics card draws a few frames a second
#define READ_TWICE       2 // frames that warm a context up
#define MANY_GRAINS      100000 // of a row of its own
#define GRAIN_ROW(parts) ((MANY_GRAINS + (parts)-1) / (parts)) // particles

typedef struct Painter {
    Offscreen *context;
    Renderer *renderer;
    SessionView *view;
    unsigned char *pixels;
    int width, height;
    RenderCamera camera;
    int heap; ///< particles that are drawn in place of the session's; 0: the session's
    float *xyzr; ///< of them
} Painter;

/// What is measured: a size of the picture, a camera and a quality.
typedef struct Sitting {
    const char *name;
    int width, height;
    RenderCamera camera;
    RenderQuality quality;
    int heap; ///< particles of a heap beside the machine in place of the session's; 0: those
} Sitting;

static const Sitting sittings[] = {
    {"render", 1280, 720, RENDER_CAMERA_ORBIT, RENDER_QUALITY_HIGH, 0},
    {"render_cab", 1280, 720, RENDER_CAMERA_CAB, RENDER_QUALITY_HIGH, 0},
    {"render_small", 320, 180, RENDER_CAMERA_ORBIT, RENDER_QUALITY_HIGH, 0},
    {"render_medium", 1280, 720, RENDER_CAMERA_ORBIT, RENDER_QUALITY_MEDIUM, 0},
    {"render_medium_cab", 1280, 720, RENDER_CAMERA_CAB, RENDER_QUALITY_MEDIUM, 0},
    {"render_low", 1280, 720, RENDER_CAMERA_ORBIT, RENDER_QUALITY_LOW, 0},
    {"render_low_cab", 1280, 720, RENDER_CAMERA_CAB, RENDER_QUALITY_LOW, 0},
    {"render_low_small", 320, 180, RENDER_CAMERA_ORBIT, RENDER_QUALITY_LOW, 0},
    {"grains_100000", 1280, 720, RENDER_CAMERA_ORBIT, RENDER_QUALITY_HIGH, GRAIN_ROW(GRAIN_NEAR_PARTS)},
    {"grains_100000_low", 1280, 720, RENDER_CAMERA_ORBIT, RENDER_QUALITY_LOW, GRAIN_ROW(GRAIN_POINT_PARTS)},
};

/// A block of particles right of the machine, large enough to be drawn near.
static bool make_heap(Painter *painter, int count, Status *status)
{
    enum { SIDE = 20 };
    painter->xyzr = malloc(sizeof(float[4]) * (size_t)count);
    if (painter->xyzr == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for %d particles", count);
    }
    for (int k = 0; k < count; k++) {
        float *out = painter->xyzr + 4 * (size_t)k;
        out[0] = 4.0f + 0.1f * (float)(k % SIDE);
        out[1] = 0.1f * (float)(k / SIDE % SIDE);
        out[2] = 0.2f + 0.1f * (float)(k / (SIDE * SIDE));
        out[3] = 0.2f;
    }
    painter->heap = count;
    return true;
}

static bool painter_create(Painter *painter, const Sitting *sitting, Session *session, Status *status)
{
    *painter = (Painter){.context = offscreen_create(sitting->width, sitting->height, RENDER_QUALITY_LOW, status),
                         .width = sitting->width,
                         .height = sitting->height,
                         .camera = sitting->camera};
    if (painter->context == NULL) {
        return false;
    }
    char folder[DATA_PATH_LENGTH + 16];
    snprintf(folder, sizeof folder, "%.*s/shaders", DATA_PATH_LENGTH, data_folder());
    painter->renderer = render_create(&(RenderParams){.shader_folder = folder, .quality = sitting->quality}, status);
    painter->view = session_view_create();
    session_view_jump(painter->view, session);
    painter->pixels = malloc((size_t)3 * (size_t)sitting->width * (size_t)sitting->height);
    return painter->renderer != NULL &&
           (painter->pixels != NULL || status_fail(status, STATUS_LACKING, "out of memory for a picture")) &&
           (sitting->heap == 0 || make_heap(painter, sitting->heap, status));
}

static void painter_destroy(Painter *painter)
{
    free(painter->pixels);
    free(painter->xyzr);
    if (painter->view != NULL) {
        session_view_destroy(painter->view);
    }
    if (painter->renderer != NULL) {
        render_destroy(painter->renderer);
    }
    offscreen_destroy(painter->context);
}

/// Draws and waits for the picture: reading its pixels is the only way that does not trust the driver.
static double paint(Painter *painter, Session *session)
{
    double start = bench_clock_ms();
    Camera place = camera_default(painter->camera);
    RenderView *view = session_view_build(painter->view, session, 1.0);
    view->camera = place.camera;
    view->orbit_yaw = place.orbit_yaw;
    view->orbit_pitch = place.orbit_pitch;
    view->orbit_distance = place.orbit_distance;
    view->cab_yaw = place.cab_yaw;
    view->cab_pitch = place.cab_pitch;
    if (painter->heap > 0) {
        view->particles = (RenderParticles){.count = painter->heap, .xyzr = painter->xyzr};
    }
    render_draw(painter->renderer, view, painter->width, painter->height);
    offscreen_pixels(painter->context, painter->pixels);
    return bench_clock_ms() - start;
}

/// Frames as they are, then as many whose passes are waited for one by one.
static void sit(Painter *painter, Trench *trench, const Sitting *sitting, const BenchOptions *options,
                BenchReport *report)
{
    BenchTimes frames = {0};
    double seconds[RENDER_PASS_COUNT] = {0.0}, most_uploaded = 0.0;
    int ticks = bench_step_count(options, RENDER_SECONDS, session_dt(trench->session));
    for (int k = -READ_TWICE; k < 2 * ticks; k++) {
        trench_tick(trench);
        session_view_tick(painter->view, trench->session);
        render_measure(painter->renderer, k >= ticks ? seconds : NULL);
        gl_count_begin();
        double ms = paint(painter, trench->session);
        most_uploaded = k >= 0 ? fmax(most_uploaded, (double)gl_count.uploaded) : 0.0;
        if (k >= 0 && k < ticks) {
            bench_times_add(&frames, ms);
        }
    }
    json_t *row = bench_report_row(report, sitting->name, session_frame(trench->session)->counters.particles,
                                   options->threads, bench_solver_name(options->solver), &frames);
    bench_report_extra(row, "width", sitting->width);
    bench_report_extra(row, "height", sitting->height);
    bench_report_extra(row, "upload_kb", most_uploaded / 1e3);
    bench_report_extra(row, "draws", gl_count.draws);
    if (painter->heap > 0) {
        bool low = sitting->quality == RENDER_QUALITY_LOW;
        bench_report_extra(row, "grains_in_one_draw",
                           low ? (double)gl_count.most_vertices : (double)gl_count.most_instances * GRAIN_NEAR_PARTS);
    }
    for (int pass = 0; pass < RENDER_PASS_COUNT; pass++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ms", render_pass_names[pass]);
        bench_report_extra(row, key, 1e3 * seconds[pass] / ticks);
    }
    bench_report_end(report, row);
    bench_times_free(&frames);
}

enum { SITTINGS = sizeof sittings / sizeof sittings[0] };

/// Marks the rows that --only names; all without it. False with `status` when it names none there is.
static bool choose_sittings(const char *only, bool chosen[SITTINGS], Status *status)
{
    for (int k = 0; k < SITTINGS; k++) {
        chosen[k] = only == NULL;
    }
    for (const char *name = only; name != NULL; name = strchr(name, ',') != NULL ? strchr(name, ',') + 1 : NULL) {
        size_t length = strcspn(name, ",");
        int found = 0;
        while (found < SITTINGS &&
               (strncmp(sittings[found].name, name, length) != 0 || sittings[found].name[length] != '\0')) {
            found++;
        }
        if (found == SITTINGS) {
            return status_fail(status, STATUS_BAD_USAGE, "--only %.60s: render has no such row; the first is %s", name,
                               sittings[0].name);
        }
        chosen[found] = true;
    }
    return true;
}

bool bench_render(const BenchOptions *options, BenchReport *report, Status *status)
{
    bool chosen[SITTINGS];
    if (!choose_sittings(options->only, chosen, status)) {
        return false;
    }
    Trench trench;
    bench_report_says(report, "digging and drawing");
    bool good = trench_create(&trench, options, status);
    for (int k = good ? -trench_warm_ticks(&trench) : 0; k < 0; k++) {
        trench_tick(&trench);
    }
    for (int k = 0; good && k < SITTINGS; k++) {
        if (!chosen[k]) {
            continue;
        }
        Painter painter = {0};
        good = painter_create(&painter, &sittings[k], trench.session, status);
        if (good) {
            sit(&painter, &trench, &sittings[k], options, report);
        }
        painter_destroy(&painter);
    }
    trench_destroy(&trench);
    return good;
}
