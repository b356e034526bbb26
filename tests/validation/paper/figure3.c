/// The paper's figure 3: the angle of repose rises with the kinetic friction angle and with adhesion.
///
/// 2000 grains are poured to a heap by p2 with 10 iterations, epsilon = 0.5 and sleeping at 0.0003 m. I: theta_k = 5
/// degrees, a = 0. II: 30 degrees, a = 0. III: 5 degrees, a = 1000 Pa. The paper shows pictures and gives no angles.
#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/paper/paper_heap.h"

/// degrees: what two heaps must differ by to count as different; heaps of one kind scatter by about half of it.
#define DIFFERENT 1.0

static const ExperimentOption options[] = {
    PAPER_HEAP_OPTIONS,
    {"friction_angle", 30, 0, 60, "deg", "theta_k of case II", NULL},
    {"adhesion", 1000, 0, 1e5, "Pa", "a of case III", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct Case {
    const char *name;
    double friction_angle, adhesion; ///< degrees, Pa
} Case;

static bool measure_case(Run *run, const Case *set_up, int number, int plot, double *slope)
{
    PaperHeapParams params = paper_heap_params(run, 800);
    params.friction_angle = set_up->friction_angle * M_PI / 180.0;
    params.adhesion = set_up->adhesion;
    PaperHeap heap;
    if (!paper_heap_create(&heap, run, &params)) {
        return false;
    }
    while (paper_heap_step(&heap)) {
        run_progress(run, (number + paper_heap_progress(&heap)) / 3.0);
    }
    char name[64];
    snprintf(name, sizeof name, "%s: %g deg, %g Pa", set_up->name, set_up->friction_angle, set_up->adhesion);
    *slope = paper_heap_slope(&heap);
    paper_heap_plot(&heap, run, plot, name);
    snprintf(name, sizeof name, "slope of %s (%g deg, %g Pa)", set_up->name, set_up->friction_angle, set_up->adhesion);
    run_note(run, name, "deg", *slope);
    paper_heap_destroy(&heap);
    return true;
}

static bool run_figure3(Run *run)
{
    const Case cases[3] = {{"I", 5.0, 0.0},
                           {"II", option_number(run, "friction_angle"), 0.0},
                           {"III", 5.0, option_number(run, "adhesion")}};
    double slope[3];
    int plot =
        run_plot(run, "Heaps of figure 3", "distance from the axis (grain diameters)", "height (grain diameters)");
    for (int k = 0; k < 3; k++) {
        if (!measure_case(run, &cases[k], k, plot, &slope[k])) {
            return false;
        }
    }
    run_result_least(run, "slope rises with friction: II - I", "deg", slope[1] - slope[0], DIFFERENT);
    run_result_least(run, "slope rises with adhesion: III - I", "deg", slope[2] - slope[0], DIFFERENT);
    return true;
}

const Experiment experiment_figure3 = {
    .name = "figure3",
    .title = "P2 fig. 3: angle of repose by friction and adhesion",
    .law = "Holz 2014, fig. 3: the angle rises with the friction angle and with adhesion",
    .options = options,
    .run = run_figure3,
    .paper_only = true,
};
