/// libspadework-record: a session's episode as a recording.
#include <stdlib.h>

#include "trainer/api/plugins.h"
#include "trainer/record/record.h"

static void *begin(Session *session, const char *path, const char *operator_name, Status *status)
{
    RecorderParams params = {
        .path = path, .operator_name = operator_name != NULL ? operator_name : "program", .driver = CREDIT_SCRIPT};
    return recorder_create(&params, session, status);
}

static bool order(void *recording, const SessionOrder *order, Status *status)
{
    return recorder_order(recording, order, status);
}

static bool tick(void *recording, Session *session, Status *status)
{
    return recorder_tick(recording, session, status);
}

static bool end(void *recording, Session *session, Status *status)
{
    return recorder_close(recording, session, status);
}

const ApiRecorder *spadework_recorder(void)
{
    static const ApiRecorder recorder = {.build = API_BUILD, .begin = begin, .order = order, .tick = tick, .end = end};
    return &recorder;
}
