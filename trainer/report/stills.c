/// Seeks each moment by the recording's keyframes, so that a late picture costs about as little as an early one.
#include "trainer/report/stills.h"

#include <inttypes.h>
#include <math.h>

#include "trainer/report/output_file.h"
#include "trainer/sim/sim.h"

static bool find_tick(const Recording *recording, const Session *session, const Still *still, int64_t *tick,
                      Status *status)
{
    int rate = session_scene(session)->rates.tick_rate;
    int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
    *tick = (int64_t)llround(still->time * rate);
    return (*tick >= first && *tick <= last) ||
           status_fail(status, STATUS_BAD_USAGE,
                       "--picture %.80s: second %g is not in the recording, which holds seconds %g to %g", still->path,
                       still->time, (double)first / rate, (double)last / rate);
}

bool stills_write(Recording *recording, Session *session, const Still *stills, int count, const StillPainter *painter,
                  int *written, Status *status)
{
    int64_t tick;
    *written = 0;
    for (int k = 0; k < count; k++) {
        if (!find_tick(recording, session, &stills[k], &tick, status) ||
            !output_may_replace(stills[k].path, OUTPUT_PICTURE, status)) {
            return false;
        }
    }
    for (int k = 0; k < count; k++) {
        if (!find_tick(recording, session, &stills[k], &tick, status) ||
            !recording_seek(recording, session, tick, status)) {
            return false;
        }
        if (state_hash(session) != recording_state_hash(recording, tick)) {
            return status_fail(status, STATUS_NOT_VERIFIED,
                               "%.80s: the replay differs from the recording at tick %" PRId64, stills[k].path, tick);
        }
        if (!painter->paint(painter->context, session, &stills[k], status)) {
            return false;
        }
        *written += 1;
    }
    return true;
}
