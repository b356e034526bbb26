/// The frame of 10,000 spheres by ODE QuickStep (run_ode.c) as the measure of other times: it grows and shrinks with
/// the computer as they do.
#ifndef SPADEWORK_BENCH_ODE_FRAME_H
#define SPADEWORK_BENCH_ODE_FRAME_H

#include "tests/bench/bench.h"

typedef struct OdeFrame OdeFrame;

/// Settles the heap and finds ODE's fastest way with it: which space, and one thread or as many as asked for. NULL with
/// `status`. The caller destroys it, after all machines.
OdeFrame *ode_frame_create(const BenchOptions *options, const BenchReport *report, Status *status);
/// Returns ms of wall time of a frame now: the median of ten. Takes a second.
double ode_frame_measure(const OdeFrame *self);
void ode_frame_destroy(OdeFrame *self); ///< NULL is nothing

#endif
