/// A drive in a window, with a pad whose lever is moved from outside: every move reaches the state in its order,
/// however slow the pictures are, and how many there are changes no tick.
#include "tests/support/lever_probe.h"
#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/app/screens.h"
#include "trainer/sim/state_io.h"
#include "trainer/app/picture.h"

#ifdef SANITIZED
#define LATE HUGE_VAL ///< ms: sanitizers draw the first picture for seconds
#else
#define LATE 1000.0 ///< ms: far beyond what a computer that is busy with other things makes of a tick
#endif

typedef struct Watch {
    LeverProbe probe;
    bool moves; ///< the probe runs
    int64_t ticks;
    uint64_t hash; ///< of the last tick's state
} Watch;

static void look_on(void *watcher, Session *session)
{
    Watch *watch = watcher;
    watch->ticks++;
    if (watch->moves) {
        probe_watch(&watch->probe, session);
    } else {
        watch->hash = state_hash(session);
    }
}

/// Drives `scene` with pictures that take `trial` longer. Returns the pictures that were shown.
static int64_t drive(const RunOptions *options, const PictureTrial *trial, bool moves, Watch *watch)
{
    Status status = {0};
    char recorded[DATA_PATH_LENGTH];
    Window *window = window_open("test", SETTINGS_QUALITY_LOW, &status);
    assert_good(window != NULL, status);
    picture_try(window_picture(window), trial);
    *watch = (Watch){.moves = moves};
    assert_true(!moves || probe_start(&watch->probe));
    DriveParams params = {.options = options, .watch = look_on, .watcher = watch};
    assert_int_equal(drive_screen(window, &params, recorded, &status), SCREEN_END_LEAVE);
    if (moves) {
        probe_stop(&watch->probe);
    }
    double seconds = 0.0;
    int64_t frames = picture_frames(window_picture(window), &seconds);
    window_close(window);
    return frames;
}

TEST(a_lever_reaches_the_state_however_slow_the_pictures_are)
{
    static const double delays[] = {0.0, 1.0 / 15.0, 1.0 / 4.0};
    RunOptions options = {.scene = "free",
                          .threads = 1,
                          .seconds = 4.0,
                          .no_record = true,
                          .no_rumble = true,
                          .no_briefing = true,
                          .shot_at = -1.0,
                          .camera = -1};
    for (size_t k = 0; k < sizeof delays / sizeof delays[0]; k++) {
        static Watch watch;
        int64_t frames = drive(&options, &(PictureTrial){.delay = delays[k]}, true, &watch);
        double worst = 0.0, sum = 0.0;
        for (int i = 0; i < watch.probe.count; i++) {
            worst = fmax(worst, watch.probe.ms[i]);
            sum += watch.probe.ms[i];
        }
        print_message(
            "pictures that take %3.0f ms longer: %d shown; lever to state %.1f ms on the mean, %.1f at worst\n",
            1e3 * delays[k], (int)frames, sum / fmax(1.0, watch.probe.count), worst);
        assert_int_equal(watch.ticks, 240);
        assert_in_range(watch.probe.count, watch.probe.moves - 1, watch.probe.moves); // the last may come after the end
        assert_true(watch.probe.count >= 4 && worst < LATE);
    }
}

/// The same script ends in the same state with many pictures and with few, also where the context gets lost on the way.
TEST(pictures_change_no_tick)
{
    char script[] = "test_app_window.csv";
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs("t,swing,boom\n0,0.5,0\n0.5,0,-0.6\n1.5,0,0\n", file);
    assert_int_equal(fclose(file), 0);
    RunOptions options = {
        .scene = "free", .operator_name = script, .threads = 1, .seconds = 2.0, .shot_at = -1.0, .camera = -1};
    static const PictureTrial trials[] = {{0}, {.delay = 0.25}, {.lost = true}};
    uint64_t first = 0;
    for (size_t k = 0; k < sizeof trials / sizeof trials[0]; k++) {
        static Watch watch;
        drive(&options, &trials[k], false, &watch);
        assert_int_equal(watch.ticks, 120);
        first = k == 0 ? watch.hash : first;
        assert_true(watch.hash == first);
    }
    remove(script);
}

TEST_GROUP(need_offscreen_window, NULL)
