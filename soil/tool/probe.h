/// What is noted of the last tick for those who look on (soil.h): nothing in the simulation reads it.
#ifndef SPADEWORK_SOIL_PROBE_H
#define SPADEWORK_SOIL_PROBE_H

#include "soil/contact/body_contact.h"
#include "soil/contact/solver_body.h"
#include "soil/soil_types.h"

/// Contacts of particles are as many as the solver holds; beside them so many places where the ground bears a tool are
/// shown.
enum { PROBE_BEARINGS = 2048, PROBE_CUTS = 1024, PROBE_YIELDS = 64 };

typedef struct ProbeCut {
    int row, column;
    float floor, top; ///< m
    int64_t tick; ///< in which it happened
} ProbeCut;

typedef struct Probe {
    int contact_count, contact_capacity;
    SoilToolContact *contacts; ///< of the last substep: the ground's first, then the particles'
    double substep; ///< s; 0: no substep in this tick yet
    int tool_count;
    int64_t cut_count; ///< ever, since the last restore
    int yield_count;
    Vec3 yields[PROBE_YIELDS]; ///< m, world: where ground under a tool failed in the last substep
    ProbeCut cuts[PROBE_CUTS]; ///< ring: cut k is in k % PROBE_CUTS
} Probe;

/// False when memory for `capacity` contacts is short.
bool probe_create(Probe *probe, int capacity);
void probe_destroy(Probe *probe);
void probe_begin_tick(Probe *probe);
/// Forgets the forces of the substep before. `tool_count`: bodies from there on are the walls of trays, which are not
/// shown.
void probe_begin_substep(Probe *probe, int tool_count, double dt);
/// Forgets all, after a restore: what was noted belongs to another tick.
void probe_forget(Probe *probe);

/// Notes that the ground at `point` presses on a body with `force`, N; `normal` of the ground, up.
void probe_note_bearing(Probe *probe, int body, Vec3 point, Vec3 normal, Vec3 force);
/// Notes that the ground under a tool fails at a place.
void probe_note_yield(Probe *probe, Vec3 place);
/// Notes a column that was cut from height `top` down to `floor` in a tick.
void probe_note_cut(Probe *probe, int64_t tick, int row, int column, double floor, double top);
/// Notes a contact of a body with the particle of that id. `on_particle`: force on the particle, N.
void probe_note_contact(Probe *probe, const SolverBody *bodies, const BodyContact *contact, uint32_t id,
                        Vec3 on_particle);

#endif
