/// The shipped trench scene with its scripted operator: the session benchmarks' common set-up.
#ifndef SPADEWORK_BENCH_TRENCH_H
#define SPADEWORK_BENCH_TRENCH_H

#include "tests/bench/bench.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/sim/session.h"

typedef struct Trench {
    Session *session;
    Autopilot *pilot;
} Trench;

/// With options->n a heap of n particles that never turn back into ground lies beside the machine. Destroy also after
/// failure.
bool trench_create(Trench *trench, const BenchOptions *options, Status *status);
void trench_destroy(Trench *trench);
/// One tick with the scripted operator's levers.
void trench_tick(Trench *trench);
/// Ticks until the bucket digs: not measured.
int trench_warm_ticks(const Trench *trench);

#endif
