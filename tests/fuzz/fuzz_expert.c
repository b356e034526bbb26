/// libFuzzer: any text as an expert's list of actions (start the corpus from data/experts). It is refused with its
/// reason, or carried out for some ticks on a machine that stands in the open: levers stay within their ranges.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trainer/expert/expert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TICKS = 40 };

static char path[64];

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void carry_out(const ExpertParams *params, const char *scene)
{
    Status status = {STATUS_GOOD, ""};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    require(session != NULL);
    Expert *expert = expert_create(params, session, &status);
    require(expert != NULL || status.text[0] != '\0');
    for (int tick = 0; tick < TICKS && expert != NULL; tick++) {
        OperatorControls controls;
        expert_controls(expert, session, NULL, &controls);
        for (int axis = 0; axis < CONTROL_COUNT; axis++) {
            double value = control_value(&controls, (ControlAxis)axis);
            require(value >= -1.0 && value <= 1.0);
        }
        session_tick(session, &controls);
    }
    expert_destroy(expert);
    session_destroy(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ExpertParams params;
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "/dev/shm/spadework-fuzz-%ld.yaml", (long)getpid());
    }
    FILE *file = fopen(path, "wb");
    require(file != NULL);
    fwrite(data, 1, size, file);
    fclose(file);
    Status status = {STATUS_GOOD, ""};
    if (!data_load_expert(path, &params, NULL, &status)) {
        require(status.text[0] != '\0');
        return 0;
    }
    carry_out(&params, "free");
    return 0;
}
