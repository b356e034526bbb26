/// A station's file of shared results, and the messages about it.
#include "trainer/results/results_shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/results/results_store_internal.h"
#include "trainer/results/shared_exchange.h"

_Static_assert((int)SHARED_NAME == (int)RESULT_NAME, "a trainee's name");
_Static_assert((int)SHARED_TIME == (int)RESULT_TIME, "a time");
_Static_assert((int)SHARED_UUID == (int)RESULT_UUID, "a uuid");

bool results_are_shared(const char *path)
{
    return shared_is_url(path);
}

bool results_share(Results *results, const char *url, char own[RESULT_UUID], Status *status)
{
    char key[SHARED_KEY];
    if (!shared_describe(url, results->shown, key, status)) {
        return false;
    }
    results->url = strdup(url);
    snprintf(own, RESULT_UUID, "shared-%s.db", key);
    return results->url != NULL || status_fail(status, STATUS_LACKING, "out of memory for the results");
}

/// ---- notes ---------------------------------------------------------------------------------------------------------

static bool note(Results *results, const SharedNote *said, Status *status)
{
    return shared_note(results->db, said) || results_fail(results, status);
}

bool results_note_attempt(Results *results, const ResultAttempt *attempt, Status *status)
{
    SharedNote said = {.kind = SHARED_ATTEMPT, .uuid = attempt->uuid, .class_name = "", .trainee = "", .at = ""};
    return results->url == NULL || note(results, &said, status);
}

bool results_note_people(Results *results, SharedKind kind, const char *class_name, const char *trainee, Status *status)
{
    char uuid[RESULT_UUID], now[RESULT_TIME];
    results_new_uuid(uuid);
    results_now(now);
    SharedNote said = {.kind = kind, .uuid = uuid, .class_name = class_name, .trainee = trainee, .at = now};
    return results->url == NULL || note(results, &said, status);
}

/// ---- exchange ------------------------------------------------------------------------------------------------------

bool results_exchange(Results *results, double patience, int *sent, Status *status)
{
    int taken = 0;
    bool good = results->url == NULL || shared_exchange(results->db, results->url, patience, &taken, status);
    if (sent != NULL) {
        *sent = taken;
    }
    return good;
}

bool results_refresh(Results *results, Status *status)
{
    SharedState state;
    if (results->url == NULL || !shared_state(results->db, &state) || state.rests) {
        return true;
    }
    return results_exchange(results, RESULTS_PATIENCE_SERVER, NULL, status) ||
           (status->code == STATUS_LACKING && status_good(status));
}

/// ---- messages ------------------------------------------------------------------------------------------------------

int results_waiting(Results *results)
{
    SharedState state;
    return results->url != NULL && shared_state(results->db, &state) ? state.waiting : 0;
}

bool results_shared_told(Results *results, char text[RESULTS_TOLD])
{
    SharedState state;
    text[0] = '\0';
    if (results->url == NULL || !shared_state(results->db, &state) ||
        (state.fault[0] == '\0' && state.waiting == 0 && state.refused == 0)) {
        return false;
    }
    int length = snprintf(text, RESULTS_TOLD, "%s", state.fault[0] != '\0' ? state.fault : results->shown);
    if (state.waiting > 0) {
        length += snprintf(text + length, RESULTS_TOLD - (size_t)length, "; %d result%s here for the server",
                           state.waiting, state.waiting == 1 ? " waits" : "s wait");
    }
    if (state.refused > 0) {
        length += snprintf(text + length, RESULTS_TOLD - (size_t)length, "; %d that the server refuses %s kept here",
                           state.refused, state.refused == 1 ? "is" : "are");
    }
    if (state.fault[0] != '\0' && state.seen[0] != '\0') {
        snprintf(text + length, RESULTS_TOLD - (size_t)length, "; what others did is known up to %s", state.seen);
    }
    return true;
}
