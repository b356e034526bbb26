/// Plates, boxes and statistics that several experiments use.
#ifndef SPADEWORK_VALIDATION_APPARATUS_H
#define SPADEWORK_VALIDATION_APPARATUS_H

#include "tests/validation/harness/experiment.h"

/// A loose soil without adhesion, for experiments of contacts alone. `stiffness` N/m for a radius of 0.05 m, `damping`
/// ratio, `friction` mu between particles; steel friction 20 degrees.
SoilParams grain_soil(double stiffness, double damping, double friction);
/// The mass (kg) a particle gets when it is asked for with `mass`: a whole number of quanta, at least one.
double whole_quanta(double mass);
/// Mass (kg) of a grain: 1 kg for a radius of 0.05 m, in whole quanta.
double grain_mass(double radius);

/// A block with its faces along the axes of its shape, m.
ToolPiece block_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max);
/// A level plate whose upper face is z = 0 of its frame, 0.3 m thick.
ToolShape plate_shape(double length, double width);
/// A box open at the top: floor at z = 0 of its frame, walls 0.1 m thick, inside length x width x wall.
ToolShape box_shape(double length, double width, double wall);
/// A tool without edge that stands still (inverse mass 0) at a place.
SoilTool still_tool(const ToolShape *shape, Vec3 at);

/// Mean and standard deviation of a series of figures.
typedef struct Statistics {
    int count;
    double sum, square;
} Statistics;
void statistics_add(Statistics *statistics, double value);
double statistics_mean(const Statistics *statistics);
double statistics_deviation(const Statistics *statistics);

/// A line y = intercept + slope x.
typedef struct FittedLine {
    double slope, intercept;
    double r2; ///< share of the variance that it explains
} FittedLine;
/// Least squares through `count` points, at least two, x above 0. Each counts with 1 / x^2: a strength scatters by a
/// share of itself, and the intercept is not to be what the scatter under the highest load leaves.
FittedLine fit_line(const double *x, const double *y, int count);

/// Time since some moment, ms, of the wall's clock: for notes on what a tick costs, never for what is measured.
double wall_milliseconds(void);
/// The same of the processors: what all threads of this program have worked, whatever else the machine does.
double processor_milliseconds(void);
/// The value below which a share (0..1) of `count` values lies; sorts them. 0 of none.
double share_below(double *values, int count, double share);

#endif
