/// Makes the sessions that a drive begins with.
#include "trainer/record/session_origin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARENTS = 1000 }; ///< recordings in a row, each of which took the next one over. Chosen

SessionOrigin session_origin(const char *parent, double at)
{
    SessionOrigin origin = {.at = parent != NULL ? at : 0.0};
    snprintf(origin.parent, sizeof origin.parent, "%s", parent != NULL ? parent : "");
    return origin;
}

const char *session_origin_parent(const SessionOrigin *origin)
{
    return origin->parent[0] != '\0' ? origin->parent : NULL;
}

/// Puts the session to the tick at which the recording is taken over.
static bool seek(Recording *recording, Session *session, const SessionOrigin *origin, Status *status)
{
    double dt = session_dt(session), tick = round(origin->at / dt);
    int64_t first = recording_first_tick(recording), last = recording_ticks(recording);
    if (!(tick >= (double)first && tick <= (double)last)) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: cannot be taken over at %g s: it holds %.3f..%.3f s",
                           origin->parent, origin->at, (double)first * dt, (double)last * dt);
    }
    return recording_seek(recording, session, (int64_t)tick, status);
}

static Session *take_over(SessionOrigin *origin, int threads, Status *status)
{
    Recording *recording = recording_open(origin->parent, status);
    if (recording == NULL) {
        return NULL;
    }
    RecordingSeal seal;
    Session *session = recording_create_session(recording, threads, status);
    if (session != NULL &&
        !(seek(recording, session, origin, status) && recording_check_seals(recording, &seal, status))) {
        session_destroy(session);
        session = NULL;
    }
    recording_last_seal(recording, origin->seal);
    recording_close(recording);
    return session;
}

Session *session_origin_make(SessionOrigin *origin, const SessionParams *params, Status *status)
{
    return origin->parent[0] != '\0' ? take_over(origin, params->threads, status) : session_create(params, status);
}

bool session_origin_find(const char *recording, double at, SessionOrigin *origin, Status *status)
{
    *origin = session_origin(recording, at);
    for (int k = 0; k < MOST_PARENTS; k++) {
        Recording *opened = recording_open(origin->parent, status);
        if (opened == NULL) {
            return false;
        }
        double rate = recording_tick_rate(opened), first = (double)recording_first_tick(opened) / rate;
        bool found = round(at * rate) >= (double)recording_first_tick(opened),
             goes_on = !found && recording_parent_path(opened, origin->parent);
        recording_close(opened);
        if (found) {
            return true;
        }
        if (!goes_on) {
            return status_fail(status, STATUS_BAD_USAGE, "%s: begins at %.3f s, which is later than %g s",
                               origin->parent, first, at);
        }
    }
    return status_fail(status, STATUS_BAD_USAGE, "%s: more than %d recordings took over one another", recording,
                       MOST_PARENTS);
}
