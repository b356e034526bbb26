/// Experiment `biaxial`: the strength of a soil in plane strain, between smooth plates, under four pressures.
///
/// The strength is the peak of the axial stress; over the pressures it is a line, sigma1 = Kp sigma3 + 2 c sqrt(Kp),
/// with sin(phi) = (Kp - 1) / (Kp + 1). A soil's file states what a direct shear box measures. There the plane of shear
/// does not stretch, so that it is not the plane on which shear is the largest against strength. With the dilation psi
/// of the biaxial test (sin(psi) = -d(volume strain) / d(shear strain) at the peak) the box should measure (Davis 1968)
///   tan(phi_ds) = sin(phi) cos(psi) / (1 - sin(phi) sin(psi)),  c_ds = c cos(phi) cos(psi) / (1 - sin(phi) sin(psi)).
/// That is what is compared with the file.
#include "tests/validation/rigs/soil/biaxial_cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/bed.h"

enum { PRESSURES = 4, WINDOW = BIAXIAL_SAMPLES / 16 };

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "file of data/soils", "sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"pressure", 0, 0, 500, "kPa", "on the walls, one alone; 0: 5, 10, 25 and 50 kPa and a line through them", NULL},
    {"radius", 0.05, 0.01, 0.2, "m", "mean radius of the particles", NULL},
    {"length", 24, 6, 60, "diameters", "between the walls", NULL},
    {"height", 36, 6, 100, "diameters", "from the floor to the lid", NULL},
    {"width", 8, 6, 60, "diameters", "between the faces that hold the plane strain", NULL},
    {"rate", 0.02, 0.001, 0.5, "1/s", "of the lid's strain", NULL},
    {"strain", 0.25, 0.02, 0.35, "", "of the lid at the end", NULL},
    {"specimens", 2, 1, 50, "", "whose mean is taken", NULL},
    {"friction", OF_THE_FILE, 0, 2, "", "contact friction", NULL},
    {"stiffness", OF_THE_FILE, 0, 1e8, "N/m", "contact stiffness at 0.05 m", NULL},
    {"substeps", 0, 0, 64, "", "a tick; 0: as the trainer runs", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

/// Where a curve is the highest.
typedef struct Peak {
    double axial, lateral; ///< Pa
    double strain;
    double dilation; ///< rad
} Peak;

/// Mean of the curves of several specimens.
static bool mean_test(Run *run, BiaxialCell *cell, double pressure, int specimens, BiaxialTest *mean)
{
    memset(mean, 0, sizeof *mean);
    for (int n = 0; n < specimens; n++) {
        BiaxialTest one;
        cell->seed = run_seed(run) * 64 + (uint64_t)n;
        if (!biaxial_test(run, cell, pressure, &one)) {
            return false;
        }
        double share = 1.0 / specimens;
        mean->particles = one.particles;
        mean->solid += share * one.solid;
        for (int k = 0; k < BIAXIAL_SAMPLES; k++) {
            mean->samples[k].strain += share * one.samples[k].strain;
            mean->samples[k].volume_strain += share * one.samples[k].volume_strain;
            mean->samples[k].axial += share * one.samples[k].axial;
            mean->samples[k].lateral += share * one.samples[k].lateral;
        }
    }
    return true;
}

/// Highest running mean of the axial over the lateral stress; the dilation is that of the strains around it.
static Peak find_peak(const BiaxialTest *test)
{
    Peak peak = {0};
    for (int first = 0; first + WINDOW <= BIAXIAL_SAMPLES; first++) {
        double axial = 0.0, lateral = 0.0;
        for (int k = first; k < first + WINDOW; k++) {
            axial += test->samples[k].axial / WINDOW;
            lateral += test->samples[k].lateral / WINDOW;
        }
        if (axial - lateral > peak.axial - peak.lateral) {
            int from = first - WINDOW > 0 ? first - WINDOW : 0,
                to = first + 2 * WINDOW < BIAXIAL_SAMPLES ? first + 2 * WINDOW : BIAXIAL_SAMPLES - 1;
            const BiaxialSample *a = &test->samples[from], *b = &test->samples[to];
            double volume = b->volume_strain - a->volume_strain, high = b->strain - a->strain;
            peak = (Peak){.axial = axial, .lateral = lateral, .strain = test->samples[first + WINDOW / 2].strain};
            peak.dilation =
                asin(fmax(-1.0, fmin(1.0, -volume / (2.0 * high - volume)))); // shear: high - (volume - high)
        }
    }
    return peak;
}

static void judge(Run *run, const SoilParams *soil, const Peak peaks[PRESSURES])
{
    const double degree = M_PI / 180.0;
    double lateral[PRESSURES], axial[PRESSURES], dilation = 0.0;
    for (int k = 0; k < PRESSURES; k++) {
        lateral[k] = peaks[k].lateral;
        axial[k] = peaks[k].axial;
        dilation += peaks[k].dilation / PRESSURES;
    }
    FittedLine line = fit_line(lateral, axial, PRESSURES);
    double friction = asin((line.slope - 1.0) / (line.slope + 1.0));
    double cohesion = line.intercept / (2.0 * sqrt(line.slope));
    double share = cos(dilation) / (1.0 - sin(friction) * sin(dilation));
    double tolerance = soil->cohesion > 0.0 ? 0.08 * soil->cohesion : 300.0; // those of `shear`
    run_result(run, "friction angle that direct shear should have", "degrees", atan(sin(friction) * share) / degree,
               soil->friction_angle / degree, 1.5);
    run_result(run, "cohesion that direct shear should have", "kPa", cohesion * cos(friction) * share * 1e-3,
               soil->cohesion * 1e-3, tolerance * 1e-3);
    run_note(run, "friction angle in plane strain", "degrees", friction / degree);
    run_note(run, "cohesion in plane strain", "kPa", cohesion * 1e-3);
    run_note(run, "dilation at the peak", "degrees", dilation / degree);
}

static void note_peak(Run *run, const BiaxialTest *test, const Peak *peak, double pressure)
{
    char name[96];
    snprintf(name, sizeof name, "axial over lateral stress at %.3g kPa", pressure * 1e-3);
    run_note(run, name, "", peak->axial / peak->lateral);
    snprintf(name, sizeof name, "strain at the peak, %.3g kPa", pressure * 1e-3);
    run_note(run, name, "", peak->strain);
    snprintf(name, sizeof name, "dilation there, %.3g kPa", pressure * 1e-3);
    run_note(run, name, "degrees", peak->dilation * 180.0 / M_PI);
    snprintf(name, sizeof name, "lateral stress over the pressure asked for, %.3g kPa", pressure * 1e-3);
    run_note(run, name, "", peak->lateral / pressure);
    snprintf(name, sizeof name, "solid share at %.3g kPa", pressure * 1e-3);
    run_note(run, name, "", test->solid);
}

static void draw_test(Run *run, const int plots[2], const BiaxialTest *test, double pressure)
{
    char name[48];
    snprintf(name, sizeof name, "%g kPa", pressure * 1e-3);
    for (int k = 0; k < BIAXIAL_SAMPLES; k++) {
        run_point(run, plots[0], name, 100.0 * test->samples[k].strain, test->samples[k].axial / pressure);
        run_point(run, plots[1], name, 100.0 * test->samples[k].strain, -100.0 * test->samples[k].volume_strain);
    }
}

static bool run_biaxial(Run *run)
{
    static const double pressures[PRESSURES] = {5e3, 10e3, 25e3, 50e3};
    option_quick(run, "specimens", 1.0);
    option_quick(run, "length", 12.0);
    option_quick(run, "height", 16.0);
    option_quick(run, "rate", 0.06);
    BiaxialCell cell = {.radius = option_number(run, "radius"),
                        .length = option_number(run, "length"),
                        .width = option_number(run, "width"),
                        .height = option_number(run, "height"),
                        .rate = option_number(run, "rate"),
                        .strain = option_number(run, "strain")};
    int specimens;
    if (!bed_load_soil(run, &cell.soil) || !option_whole(run, "specimens", &specimens)) {
        return false;
    }
    double alone = option_number(run, "pressure") * 1e3;
    int count = alone > 0.0 ? 1 : PRESSURES;
    int plots[2] = {run_plot(run, "Axial stress over the pressure of the walls", "strain, %", "axial / lateral"),
                    run_plot(run, "Change of volume", "strain, %", "swell, %")};
    Peak peaks[PRESSURES];
    for (int k = 0; k < count; k++) {
        BiaxialTest test;
        double pressure = alone > 0.0 ? alone : pressures[k];
        if (!mean_test(run, &cell, pressure, specimens, &test)) {
            return false;
        }
        peaks[k] = find_peak(&test);
        note_peak(run, &test, &peaks[k], pressure);
        draw_test(run, plots, &test, pressure);
        run_progress(run, (k + 1.0) / count);
    }
    if (count == PRESSURES) {
        judge(run, &cell.soil, peaks);
    }
    return true;
}

const Experiment experiment_biaxial = {
    .name = "biaxial",
    .title = "biaxial cell: strength of a soil in plane strain, and what direct shear should make of it",
    .law = "friction angle and cohesion of the soil's file, by Davis 1968 from plane strain to direct shear",
    .options = options,
    .run = run_biaxial,
};
