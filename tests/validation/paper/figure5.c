/// The paper's figure 5: the slope of a heap by solver, number of iterations and error reduction.
///
/// Top: with as many iterations Gauss-Seidel stands at least as steep as p2. Bottom: p2 with epsilon = 0.5 and 10
/// iterations stands near Gauss-Seidel with 40. The paper shows pictures; it gives no angles and does not say how long
/// after the pour they were taken. All of these heaps creep when they are left alone, each at its own pace: what is
/// judged is the heap as the last grain is poured, and the slopes afterwards are drawn.
#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/paper/paper_heap.h"

/// degrees: heaps that differ by less are alike; heaps of one kind scatter by about as much.
#define ALIKE 1.0
/// degrees: what "close" may mean in the paper's picture.
#define CLOSE 3.0

static const ExperimentOption options[] = {
    PAPER_HEAP_OPTIONS,
    {"friction_angle", 30, 0, 60, "deg", "theta_k between the grains", NULL},
    {"sleep_mm", 0.3, 0, 10, "mm", "sleeping: a grain that moved less in a step keeps its place", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { COUNTS = 3 };
static const int iteration_counts[COUNTS] = {10, 20, 40};

typedef enum Kind { GS, P2, P2_REDUCED, KINDS } Kind;
static const char *const kind_names[KINDS] = {"gs", "p2, epsilon 0", "p2, epsilon 0.5"};

/// Plots of the experiment.
typedef struct Plots {
    int slopes, heaps, creep;
} Plots;

static bool measure(Run *run, Kind kind, int iterations, const Plots *plots, double *slope)
{
    PaperHeapParams params = paper_heap_params(run, 800);
    params.solver = kind == GS ? SOIL_SOLVER_GS : SOIL_SOLVER_P2;
    params.error_reduction = kind == P2_REDUCED ? 0.5 : 0.0;
    params.iterations = iterations;
    params.friction_angle = option_number(run, "friction_angle") * M_PI / 180.0;
    params.sleep_distance = option_number(run, "sleep_mm") * 1e-3;
    PaperHeap heap;
    if (!paper_heap_create(&heap, run, &params)) {
        return false;
    }
    char name[64];
    snprintf(name, sizeof name, "%s, %d iterations", kind_names[kind], iterations);
    int poured_at = 0;
    *slope = 0.0;
    while (paper_heap_step(&heap)) {
        if (heap.poured < params.count) {
            poured_at = heap.ticks;
        } else if ((heap.ticks - poured_at) % 15 == 1) {
            run_point(run, plots->creep, name, (heap.ticks - poured_at - 1) / 60.0, paper_heap_slope(&heap));
        }
        if (heap.ticks - poured_at == 1) {
            *slope = paper_heap_slope(&heap);
            paper_heap_plot(&heap, run, plots->heaps, name);
        }
    }
    run_point(run, plots->slopes, kind_names[kind], iterations, *slope);
    char quantity[96];
    snprintf(quantity, sizeof quantity, "slope as poured, %s", name);
    run_note(run, quantity, "deg", *slope);
    snprintf(quantity, sizeof quantity, "slope %g s later, %s", params.settle, name);
    run_note(run, quantity, "deg", paper_heap_slope(&heap));
    paper_heap_destroy(&heap);
    return true;
}

static bool run_figure5(Run *run)
{
    double slope[KINDS][COUNTS];
    Plots plots;
    plots.slopes = run_plot(run, "Slope by iterations", "iterations", "slope (deg)");
    plots.heaps =
        run_plot(run, "Heaps of figure 5", "distance from the axis (grain diameters)", "height (grain diameters)");
    plots.creep = run_plot(run, "Slope after the pour", "time (s)", "slope (deg)");
    for (int k = 0; k < KINDS * COUNTS; k++) {
        Kind kind = (Kind)(k / COUNTS);
        int iterations = iteration_counts[k % COUNTS];
        if (!measure(run, kind, iterations, &plots, &slope[kind][k % COUNTS])) {
            return false;
        }
        run_progress(run, (k + 1.0) / (KINDS * COUNTS));
    }
    for (int k = 0; k < COUNTS; k++) {
        char name[64];
        snprintf(name, sizeof name, "gs at least as steep as p2, %d iterations", iteration_counts[k]);
        run_result_between(run, name, "deg", slope[GS][k] - slope[P2][k], -ALIKE, 90.0);
    }
    run_result(run, "p2 with epsilon 0.5, 10 iterations, near gs with 40", "deg", slope[P2_REDUCED][0] - slope[GS][2],
               0.0, CLOSE);
    return true;
}

const Experiment experiment_figure5 = {
    .name = "figure5",
    .title = "P2 fig. 5: slope by solver, iterations and error reduction",
    .law = "Holz 2014, fig. 5: GS >= P2 with equal iterations; P2 with epsilon 0.5 and 10 near GS with 40",
    .options = options,
    .run = run_figure5,
    .paper_only = true,
};
