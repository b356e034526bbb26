/// The heap of the paper's figures 1, 3 and 5: grains poured through a hole onto a rough plate.
#ifndef SPADEWORK_VALIDATION_PAPER_HEAP_H
#define SPADEWORK_VALIDATION_PAPER_HEAP_H

#include "tests/validation/harness/experiment.h"

/// What is poured, and what it is solved with.
typedef struct PaperHeapParams {
    SoilSolver solver;
    int threads;
    int iterations; ///< of one step of 1/60 s
    double error_reduction; ///< epsilon of eq. 37
    double sleep_distance; ///< m (section 7)
    double stiffness, damping; ///< N/m for a radius of 0.05 m, and ratio, of a contact
    double friction_angle; ///< rad: theta_k between grains
    double adhesion; ///< Pa: a of eq. 35
    int count; ///< grains
    double radius; ///< m: mean; radii lie within 8 % of it
    double settle; ///< s that the heap is left alone after the last grain was poured
} PaperHeapParams;

/// The options that all of these experiments share, for their lists.
#define PAPER_HEAP_OPTIONS                                                                                             \
    {"count", 2000, 100, 20000, "", "grains", NULL},                                                                   \
    {                                                                                                                  \
        "radius", 0.05, 0.01, 0.2, "m", "mean radius of the grains", NULL                                              \
    }

typedef struct PaperHeap {
    PaperHeapParams params;
    SceneParams scene;
    Soil *soil;
    ToolShape plate_shape;
    SoilTool plate;
    uint64_t random;
    int poured, ticks;
    int ticks_left; ///< until it has settled, once all are poured
} PaperHeap;

/// Parameters of the paper's experiments with the user's `count` and `radius`: 10 iterations, epsilon 0.5, sleeping at
/// 0.0003 m, theta_k 30 degrees, no adhesion. `quick_count`: grains of the quick form.
PaperHeapParams paper_heap_params(const Run *run, int quick_count);

/// False with run_fail.
bool paper_heap_create(PaperHeap *heap, Run *run, const PaperHeapParams *params);
void paper_heap_destroy(PaperHeap *heap);
/// One tick, pouring when there is room. False when the heap has settled.
bool paper_heap_step(PaperHeap *heap);
/// Share of the work done, 0..1.
double paper_heap_progress(const PaperHeap *heap);

/// Slope of the heap, degrees: that of the cone with the same mean height and mean distance from the axis. Of a cone
/// with height H and radius R these are H/4 and R/2, so that tan(slope) = 2 height / distance; single grains that
/// rolled away and a rounded top hardly change it.
double paper_heap_slope(const PaperHeap *heap);
/// Adds the heap's surface (height over distance, both in grain diameters) to a plot under `series`.
void paper_heap_plot(const PaperHeap *heap, Run *run, int plot, const char *series);

#endif
