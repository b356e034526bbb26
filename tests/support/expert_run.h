/// A session with an expert that does one action after the other.
#ifndef SPADEWORK_TESTS_EXPERT_RUN_H
#define SPADEWORK_TESTS_EXPERT_RUN_H

#include "tests/support/test.h"
#include "trainer/pilot/pilot.h"

typedef struct Run {
    Session *session;
    ExpertParams params;
    Expert *expert;
    double time; ///< s that the last action took
} Run;

/// machine  "machine.file=NAME"
static inline Run run_begin(const char *scene, const char *machine, MachineType type)
{
    Status status = {0};
    const char *set[] = {machine, "ground.roughness=0"};
    Run run = {.session =
                   session_create(&(SessionParams){.scene = scene, .set = set, .set_count = 2, .threads = 1}, &status)};
    assert_good(run.session != NULL, status);
    run.params.machine = type;
    return run;
}

static inline void run_end(Run *run)
{
    expert_destroy(run->expert);
    session_destroy(run->session);
}

/// Begins one action.
static inline void run_start(Run *run, ExpertAction action)
{
    Status status = {0};
    run->params.actions[0] = action;
    run->params.action_count = 1;
    expert_destroy(run->expert);
    run->expert = expert_create(&run->params, run->session, &status);
    assert_good(run->expert != NULL, status);
}

static inline void run_tick(Run *run)
{
    OperatorControls controls;
    expert_controls(run->expert, run->session, NULL, &controls);
    session_tick(run->session, &controls);
}

/// Does one action to its end; true when it was in time.
static inline bool run_act(Run *run, ExpertAction action)
{
    run_start(run, action);
    double from = session_frame(run->session)->time;
    while (!expert_is_done(run->expert)) {
        run_tick(run);
    }
    run->time = session_frame(run->session)->time - from;
    return expert_late(run->expert) == 0;
}

static inline const MachineReadout *run_readout(const Run *run)
{
    return &session_frame(run->session)->machine;
}

#endif
