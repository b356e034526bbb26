/// The demonstration of a computer without a display: the scripted operator digs a trench and loads a truck, and leaves
/// recordings, telemetry and pictures in a folder of their own.
#ifndef SPADEWORK_TRAINER_DEMO_H
#define SPADEWORK_TRAINER_DEMO_H

#include "trainer/sim/sim.h"

typedef enum DemoView { DEMO_VIEW_ORBIT, DEMO_VIEW_CAB } DemoView;

/// Draws pictures for the demonstration: the headless core has no means of its own. False with `status` when it cannot;
/// no further picture is asked for then.
typedef struct DemoPainter {
    void *context;
    bool (*paint)(void *context, Session *session, DemoView view, const char *path, Status *status);
} DemoPainter;

/// Runs it in the present folder (./spadework-demo, numbered when that exists; .gitignore names it, so that a clone
/// stays clean) with a progress bar on stderr, prints the summaries and what was left where. Returns an exit code; one
/// line on stderr when it is not 0.
int demo_run(const DemoPainter *painter);

#endif
