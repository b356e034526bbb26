/// Makes plates and boxes of steel and soils of equal spheres, and keeps means, deviations, quantiles and clocks. The
/// masses of grains are whole quanta, so that no weight is rounded where an experiment compares weights.
#include "tests/validation/rigs/soil/apparatus.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

SoilParams grain_soil(double stiffness, double damping, double friction)
{
    const double degree = M_PI / 180.0;
    return (SoilParams){.name = "grains",
                        .bank_density = 1600.0,
                        .friction_angle = 30.0 * degree,
                        .steel_friction_angle = 20.0 * degree,
                        .repose_angle = 30.0 * degree,
                        .contact_friction = friction,
                        .contact_bond_friction = friction,
                        .contact_stiffness = stiffness,
                        .contact_damping = damping};
}

double whole_quanta(double mass)
{
    return fmax(1.0, floor(mass / SOIL_QUANTUM + 0.5)) * SOIL_QUANTUM;
}

double grain_mass(double radius)
{
    double ratio = radius / 0.05;
    return whole_quanta(ratio * ratio * ratio);
}

ToolPiece block_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
}

ToolShape plate_shape(double length, double width)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 1;
    shape.pieces[0] = block_piece(-0.5 * length, 0.5 * length, -0.5 * width, 0.5 * width, -0.3, 0.0);
    return shape;
}

ToolShape box_shape(double length, double width, double wall)
{
    const double l = 0.5 * length, w = 0.5 * width, t = 0.1;
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 5;
    shape.pieces[0] = block_piece(-l - t, l + t, -w - t, w + t, -0.3, 0.0);
    shape.pieces[1] = block_piece(-l - t, l + t, w, w + t, 0.0, wall);
    shape.pieces[2] = block_piece(-l - t, l + t, -w - t, -w, 0.0, wall);
    shape.pieces[3] = block_piece(l, l + t, -w, w, 0.0, wall);
    shape.pieces[4] = block_piece(-l - t, -l, -w, w, 0.0, wall);
    return shape;
}

SoilTool still_tool(const ToolShape *shape, Vec3 at)
{
    SoilTool tool;
    memset(&tool, 0, sizeof tool);
    tool.shape = shape;
    tool.motion.frame = (Pose){at, mat3_identity()};
    tool.motion.center = at;
    tool.steel_friction = 1.0;
    return tool;
}

void statistics_add(Statistics *statistics, double value)
{
    statistics->count++;
    statistics->sum += value;
    statistics->square += value * value;
}

double statistics_mean(const Statistics *statistics)
{
    return statistics->sum / statistics->count;
}

double statistics_deviation(const Statistics *statistics)
{
    double mean = statistics_mean(statistics);
    return sqrt(fmax(0.0, statistics->square / statistics->count - mean * mean));
}

static double milliseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

FittedLine fit_line(const double *x, const double *y, int count)
{
    assert(count >= 2);
    double s = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, syy = 0.0;
    for (int k = 0; k < count; k++) {
        double w = 1.0 / (x[k] * x[k]);
        s += w;
        sx += w * x[k];
        sy += w * y[k];
        sxx += w * x[k] * x[k];
        sxy += w * x[k] * y[k];
        syy += w * y[k] * y[k];
    }
    double vx = sxx - sx * sx / s, vy = syy - sy * sy / s, cov = sxy - sx * sy / s, slope = cov / vx;
    return (FittedLine){.slope = slope, .intercept = (sy - slope * sx) / s, .r2 = cov * cov / (vx * vy)};
}

double wall_milliseconds(void)
{
    return milliseconds(CLOCK_MONOTONIC);
}

double processor_milliseconds(void)
{
    return milliseconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double share_below(double *values, int count, double share)
{
    if (count == 0) {
        return 0.0;
    }
    qsort(values, (size_t)count, sizeof *values, by_size);
    int k = (int)(share * count);
    return values[k < count ? k : count - 1];
}
