/// Looks for the pole of the spiral that needs the least force, over a grid that becomes finer around the best.
#include "tests/validation/rigs/soil/log_spiral.h"

#include <math.h>
#include <stdbool.h>

#include "data/core/constants.h"

enum { POINTS = 48, STEPS = 24, ROUNDS = 6 };
#define TURN 3.0 ///< rad: a spiral that has not reached the surface by then is none

typedef struct Face {
    const SoilParams *soil;
    double rake, depth;
} Face;

typedef struct Place {
    double x, z; ///< m: ahead of the edge, above it
} Place;

/// Where a spiral about `pole` that begins at the edge is after turning by `angle`.
static Place on_spiral(const Face *face, Place pole, double angle)
{
    double r = hypot(pole.x, pole.z) * exp(angle * tan(face->soil->friction_angle));
    double at = atan2(-pole.z, -pole.x) + angle;
    return (Place){pole.x + r * cos(at), pole.z + r * sin(at)};
}

/// Angle by which it has turned when it comes to the surface from below; below 0: it does not.
static double angle_at_surface(const Face *face, Place pole)
{
    double low = 0.0, step = TURN / POINTS;
    while (low < TURN && on_spiral(face, pole, low + step).z < face->depth) {
        low += step;
    }
    if (low >= TURN) {
        return -1.0;
    }
    for (double size = 0.5 * step; size > 1e-9; size *= 0.5) {
        low += on_spiral(face, pole, low + size).z < face->depth ? size : 0.0;
    }
    return low;
}

/// Adds the part of an edge of a polygon to the integral of x over its area.
static double moment_of_edge(Place a, Place b)
{
    return (a.x * b.z - b.x * a.z) * (a.x + b.x) / 6.0;
}

static double area_of_edge(Place a, Place b)
{
    return 0.5 * (a.x * b.z - b.x * a.z);
}

/// The force for one pole; HUGE_VAL where there is no such body.
static double force_about(const Face *face, Place pole)
{
    const SoilParams *soil = face->soil;
    double turned = angle_at_surface(face, pole), lean = 1.0 / tan(face->rake), d = face->depth;
    if (turned <= 0.0) {
        return HUGE_VAL;
    }
    Place top = {-d * lean, d}, before = {0.0, 0.0}, edge = before;
    double moment = 0.0, area = 0.0;
    for (int k = 1; k <= POINTS; k++) {
        Place at = on_spiral(face, pole, turned * k / POINTS);
        moment += moment_of_edge(before, at);
        area += area_of_edge(before, at);
        before = at;
    }
    moment += moment_of_edge(before, top) + moment_of_edge(top, edge);
    area += area_of_edge(before, top) + area_of_edge(top, edge);
    double weight = soil->bank_density * STANDARD_GRAVITY * (moment - pole.x * area);
    double tangent = tan(soil->friction_angle), r0 = hypot(pole.x, pole.z), r1 = r0 * exp(turned * tangent);
    double shear = soil->cohesion * (tangent > 1e-6 ? (r1 * r1 - r0 * r0) / (2.0 * tangent) : r0 * r0 * turned);
    double ux = sin(face->rake + soil->steel_friction_angle), uz = cos(face->rake + soil->steel_friction_angle);
    double third = (-lean * d / 3.0 - pole.x) * uz - (d / 3.0 - pole.z) * ux;
    double half = (-lean * d / 2.0 - pole.x) * uz - (d / 2.0 - pole.z) * ux;
    // The body turns to the side that the face pushes it, and its weight has to be lifted.
    bool pushed = third > 1e-9 && half > 1e-9 && weight > 0.0;
    return pushed ? weight / third + shear / half : HUGE_VAL;
}

double log_spiral_force(const SoilParams *soil, double rake, double depth)
{
    Face face = {soil, rake, depth};
    Place low = {-6.0 * depth, -1.0 * depth}, high = {3.0 * depth, 12.0 * depth}, best = low;
    double least = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        Place from = low, size = {(high.x - low.x) / STEPS, (high.z - low.z) / STEPS};
        for (int k = 0; k < (STEPS + 1) * (STEPS + 1); k++) {
            Place pole = {from.x + size.x * (k % (STEPS + 1)), from.z + size.z * (k / (STEPS + 1))};
            double force = force_about(&face, pole);
            if (force < least) {
                least = force;
                best = pole;
            }
        }
        low = (Place){best.x - 2.0 * size.x, best.z - 2.0 * size.z};
        high = (Place){best.x + 2.0 * size.x, best.z + 2.0 * size.z};
    }
    return least;
}
