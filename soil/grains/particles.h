/// The particles: arrays by field, in the order the neighbour search sorted them. Fields are listed once.
#ifndef SPADEWORK_SOIL_PARTICLES_H
#define SPADEWORK_SOIL_PARTICLES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "soil/parallel/team.h"

/// X(type, name). Positions in double: at 100 m from the origin a float resolves 8e-6 m, a slow particle moves less
/// in a substep. `ground_*`: memory of the contact with the ground below (lambda, rest gap, strength of a bond;
/// pair_list.h).
#define PARTICLE_FIELDS(X)                                                                                             \
    X(double, x)                                                                                                       \
    X(double, y)                                                                                                       \
    X(double, z)                                                                                                       \
    X(double, vx)                                                                                                      \
    X(double, vy)                                                                                                      \
    X(double, vz)                                                                                                      \
    X(float, radius)                                                                                                   \
    X(int32_t, mass) /* quanta */                                                                                      \
    X(uint32_t, id) /* stable for life */                                                                              \
    X(uint8_t, soil)                                                                                                   \
    X(uint16_t, quiet) /* ticks at rest, up to PARTICLE_QUIET */                                                       \
    X(uint8_t, calm) /* ticks in which its forces balanced, up to calm_ticks; PARTICLE_ASLEEP, PARTICLE_WOKEN */       \
    X(uint8_t, newborn) /* PARTICLE_BORN* in the tick it appeared */                                                   \
    X(float, path) /* m moved since it was undisturbed ground; below 0: it never was */                                \
    X(float, slack) /* m that it may still move before its pairs are looked for anew; 0: they never were */            \
    X(uint8_t, ground_near) /* 1: listed as a contact with the ground */                                               \
    X(uint8_t, ground_bond)                                                                                            \
    X(float, ground_gap) /* m, at the end of the tick */                                                               \
    X(float, ground_rest)                                                                                              \
    X(uint16_t, ground_strength)                                                                                       \
    X(float, ground_lambda_x) /* N s2: last substep, on the particle */                                                \
    X(float, ground_lambda_y)                                                                                          \
    X(float, ground_lambda_z)

/// Of `newborn`: as undisturbed soil; as soil that has failed, bonded to its like but not to the ground it lies on.
enum { PARTICLE_BORN = 1, PARTICLE_BORN_FALLING = 2 };
/// Of `calm`: it sleeps; it slept in the last tick, and something woke it.
enum { PARTICLE_WOKEN = 254, PARTICLE_ASLEEP = 255 };
/// Of `quiet`: more than any tick rate has in the longest wait (absorb.c), so that none of them changes it.
enum { PARTICLE_QUIET = 65535 };
/// m: a path longer than any, of soil that was loose as ground already.
#define PARTICLE_LOOSE 1e3F
/// Fields that are sorted at a time, each in a buffer of its own.
enum { PARTICLE_BUFFERS = 6 };
/// Below this much work one thread is faster than waking the others.
enum { PARTICLES_WORTH_THREADS = 2000 };

typedef struct Particles {
    int32_t count, capacity;
    uint32_t next_id;
    void *memory; ///< of all fields
#define X(type, name) type *name;
    PARTICLE_FIELDS(X)
#undef X
} Particles;

/// True of loose soil: particle i has moved farther than `radius` (m, of a nominal particle) since it was ground, or
/// was loose as ground.
static inline bool particle_is_disturbed(const Particles *particles, int32_t i, double radius)
{
    return particles->path[i] < 0.0F || particles->path[i] > (float)radius;
}

/// True of a particle that was cut out of undisturbed ground in this tick.
static inline bool particle_is_cut(const Particles *particles, int32_t i)
{
    return particles->newborn[i] == PARTICLE_BORN && particles->path[i] == 0.0F;
}

/// True of a particle that stays where it is in this tick (contact/sleep.h).
static inline bool particle_sleeps(const Particles *particles, int32_t i)
{
    return particles->calm[i] == PARTICLE_ASLEEP;
}

bool particles_create(Particles *particles, int capacity);
void particles_destroy(Particles *particles);

/// Gives the memory behind the last particle back to the system.
void particles_give_back(Particles *particles);

/// Appends a zeroed particle and returns its index, or -1 when the budget is full.
int particles_add(Particles *particles);
/// Removes all particles with mass 0, keeping the order. where[old] receives the new index, or -1.
void particles_remove_empty(Particles *particles, int32_t *where);
/// Reorders: new element k is old element order[k]. Takes PARTICLE_BUFFERS numbers of 8 bytes a particle from
/// `scratch`.
void particles_permute(Particles *particles, const int32_t *order, Team *team, Scratch *scratch);
int64_t particles_total(const Particles *particles); ///< quanta

/// The box around all particles, the largest of them and the fastest.
typedef struct ParticlesExtent {
    Vec3 low, high; ///< m: of their centres; without any from +infinity to -infinity
    double radius; ///< m
    double square; ///< m2/s2: the speed's
} ParticlesExtent;
ParticlesExtent particles_extent(const Particles *particles, Team *team);

void particles_visit(Particles *particles, StateVisitor *visitor);
/// True when restored particles could have been written by this program; `reach` m: farthest from the origin.
bool particles_are_valid(const Particles *particles, int soil_count, double reach);
bool particles_are_finite(const Particles *particles);

/// Particles as the kernels of the default solver see them during a tick: one row each, one cache line.

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
    float deviation; ///< m: how far from its way the list of pairs lets it be; 0: it has kept its velocity; -1: it was
        ///< slow at the tick's start, too
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
