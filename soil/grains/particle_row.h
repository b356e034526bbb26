/// Particles as the kernels of the default solver see them during a tick: one row each, one cache line.
#ifndef SPADEWORK_SOIL_PARTICLE_ROW_H
#define SPADEWORK_SOIL_PARTICLE_ROW_H

#include <stdint.h>

#include "soil/grains/particles.h"

/// Positions are counted in whole steps of 2^-28 m (4e-9 m), modulo 16 m: differences of neighbours are exact
/// anywhere on a site, where a float would resolve 8e-6 m.
#define ROW_STEPS 268435456.0
#define ROW_STEP  (1.0 / ROW_STEPS) ///< m

/// Row `capacity` is nothing: it never moves, and its radius is negative: padding never touches itself.
typedef struct Row {
    int32_t x, y, z; ///< ROW_STEP
    float radius; ///< m
    float speed[3]; ///< m/s at the substep's start
    float curvature; ///< 1/m: 1/radius
    float move[3]; ///< m: what contacts add in this substep. A substep starts with what the last one ended with
    float inverse_mass; ///< 1/kg
    float carry[3]; ///< m/s: what the roundings of the velocity have added (Kahan): subtract it
    float unused; ///< 0
} Row;

/// Places of the quarters of a row, in floats.
enum { ROW_PLACE = 0, ROW_SPEED = 4, ROW_MOVE = 8, ROW_CARRY = 12, ROW_FLOATS = 16 };

static inline int32_t row_steps(double metres)
{
    return (int32_t)(uint32_t)(uint64_t)(int64_t)(metres * ROW_STEPS + (metres < 0.0 ? -0.5 : 0.5));
}

/// Difference of two places, m.
static inline double row_metres(int32_t to, int32_t from)
{
    return (double)(int32_t)((uint32_t)to - (uint32_t)from) * ROW_STEP;
}

/// A place so many metres on.
static inline int32_t row_add(int32_t place, double metres)
{
    return (int32_t)((uint32_t)place + (uint32_t)row_steps(metres));
}

/// How far particle i has moved since the tick's start, m.
static inline void row_shift(const Row *row, const Particles *p, int32_t i, double shift[3])
{
    shift[0] = row_metres(row->x, row_steps(p->x[i]));
    shift[1] = row_metres(row->y, row_steps(p->y[i]));
    shift[2] = row_metres(row->z, row_steps(p->z[i]));
}

#endif
