/// Comparing what a recording says of a drive with what its replay gives: samples, maps of the ground, events, metrics.
/// Internal to the recording.
#ifndef SPADEWORK_TRAINER_RECORDING_EVIDENCE_H
#define SPADEWORK_TRAINER_RECORDING_EVIDENCE_H

#include "trainer/record/recording.h"

typedef struct Evidence {
    const char *path;
    TraceSample *samples; ///< [sample_count]
    int64_t sample_count, next_sample;
    int64_t *ground_ticks; ///< [ground_count]
    int64_t ground_count, next_ground;
    TraceGround taken; ///< with room for the site's columns
    int64_t first_tick;
    int interval; ///< ticks from one sample to the next
} Evidence;

/// Reads what is to be compared from tick `first_tick` on; end with evidence_close, also on failure.
bool evidence_open(Evidence *evidence, Recording *recording, Session *session, Status *status);
void evidence_close(Evidence *evidence);
/// Compares what there is of the session's present tick. False with the name of what differs in `field` ([size]), or
/// with "" and `status` when it cannot be read.
bool evidence_compare_tick(Evidence *evidence, Recording *recording, Session *session, VerifyResult *result,
                           Status *status);
/// Compares events and metrics with those of the session at the recording's last tick, in the same way.
bool evidence_compare_results(Recording *recording, const Session *session, VerifyResult *result, Status *status);

#endif
