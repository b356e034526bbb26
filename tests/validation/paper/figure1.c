/// The paper's figure 1: time of a step against the number of grains poured, Gauss-Seidel on one thread and p2 on
/// several.
///
/// Times depend on the machine and on what else runs there: they are shown, never judged. What is judged: the heaps are
/// the same whatever the number of threads, and only the time differs.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/paper/paper_heap.h"

static const ExperimentOption options[] = {
    PAPER_HEAP_OPTIONS,
    {"threads", 2, 1, 64, "", "most threads of p2", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { BINS = 20 };

/// Seconds of the processor's clock on the wall.
static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// What is left of a heap: the same for heaps that are the same grain by grain.
static double fingerprint(const PaperHeap *heap)
{
    SoilParticleView p = soil_get_particles(heap->soil);
    double sum = 0.0;
    for (int k = 0; k < p.count; k++) {
        sum += p.x[k] * (k % 7 + 1) + p.y[k] * (k % 5 + 1) + p.z[k] * (k % 3 + 1);
    }
    return sum;
}

static bool time_heap(Run *run, SoilSolver solver, int threads, int plot, double share, double *print)
{
    PaperHeapParams params = paper_heap_params(run, 1200);
    params.solver = solver;
    params.threads = threads;
    params.settle = 0.0;
    PaperHeap heap;
    if (!paper_heap_create(&heap, run, &params)) {
        return false;
    }
    double time[BINS] = {0.0};
    int steps[BINS] = {0}, poured;
    for (bool more = true; more; run_progress(run, share * paper_heap_progress(&heap))) {
        double start = clock_now();
        poured = heap.poured;
        more = paper_heap_step(&heap);
        int bin = poured * BINS / params.count < BINS ? poured * BINS / params.count : BINS - 1;
        time[bin] += clock_now() - start;
        steps[bin]++;
    }
    char name[64];
    snprintf(name, sizeof name, "%s, %d thread%s", solver == SOIL_SOLVER_GS ? "gs" : "p2", threads,
             threads > 1 ? "s" : "");
    for (int bin = 0; bin < BINS; bin++) {
        if (steps[bin] > 0) {
            run_point(run, plot, name, (bin + 0.5) * params.count / BINS, 1e3 * time[bin] / steps[bin]);
        }
    }
    char quantity[96];
    snprintf(quantity, sizeof quantity, "time of a step with %d grains, %s", params.count, name);
    run_note(run, quantity, "ms", steps[BINS - 1] > 0 ? 1e3 * time[BINS - 1] / steps[BINS - 1] : 0.0);
    *print = fingerprint(&heap);
    paper_heap_destroy(&heap);
    return true;
}

static bool run_figure1(Run *run)
{
    int most = (int)option_number(run, "threads"), plot = run_plot(run, "Time of a step", "grains poured", "ms");
    double gs, one = 0.0, difference = 0.0;
    if (!time_heap(run, SOIL_SOLVER_GS, 1, plot, 0.5, &gs)) {
        return false;
    }
    for (int threads = 1; threads <= most; threads *= 2) {
        double print;
        if (!time_heap(run, SOIL_SOLVER_P2, threads, plot, 1.0, &print)) {
            return false;
        }
        one = threads == 1 ? print : one;
        difference = fmax(difference, fabs(print - one));
    }
    run_result(run, "difference of p2's heaps by the number of threads", "m", difference, 0.0, 0.0);
    return true;
}

const Experiment experiment_figure1 = {
    .name = "figure1",
    .title = "P2 fig. 1: time of a step while 2000 grains are poured",
    .law = "Holz 2014, fig. 1: P2 on several threads against Gauss-Seidel on one; times are shown, not judged",
    .options = options,
    .run = run_figure1,
    .paper_only = true,
};
