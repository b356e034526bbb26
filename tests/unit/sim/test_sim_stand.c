/// Machines at the start: each end of the tracks stands as deep as its load makes it.

#include <math.h>

#include "tests/support/test.h"
#include "trainer/sim/session.h"

/// Largest change of pitch in 3 s with idle levers, rad.
static double nods(const char *machine, const char *soil)
{
    char layers[2][64], file[64];
    snprintf(file, sizeof file, "machine.file=%s", machine);
    const char *set[] = {layers[0], layers[1], file, "ground.roughness=0"};
    for (int layer = 0; layer < 2; layer++) {
        snprintf(layers[layer], sizeof layers[layer], "ground.layers.%d.soil=%s", layer, soil);
    }
    Status status;
    Session *session =
        session_create(&(SessionParams){.scene = "free", .set = set, .set_count = 4, .threads = 1}, &status);
    assert_good(session != NULL, status);
    const SessionFrame *frame = session_frame(session);
    double pitch = frame->machine.pitch, most = 0.0;
    for (int tick = 0; tick < 180; tick++) {
        session_tick(session, &control_neutral);
        most = fmax(most, fabs(frame->machine.pitch - pitch));
    }
    print_message("%s in %s: starts at %.2f mrad, nods by %.2f mrad\n", machine, soil, 1e3 * pitch, 1e3 * most);
    session_destroy(session);
    return most;
}

/// The rear of an excavator whose arm is drawn in carries more than its front, and sinks deeper.
TEST(no_end_of_a_machine_settles_after_the_start)
{
    static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
    static const char *const soils[] = {"sand", "loam", "clay", "wet-clay"};
    double most = 0.0;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        for (size_t k = 0; k < sizeof soils / sizeof soils[0]; k++) {
            most = fmax(most, nods(machines[m], soils[k]));
        }
    }
    assert_true(most < 0.5e-3);
}

TEST_GROUP(NULL, NULL)
