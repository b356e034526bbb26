/// What a Soil consists of: model (constant), state (hashed and saved), derived (made anew each tick), scratch. Not for users of the library.
#ifndef SPADEWORK_SOIL_PARTS_H
#define SPADEWORK_SOIL_PARTS_H

#include "soil/tool/bearing.h"
#include "soil/contact/contact_system.h"
#include "soil/published/paper.h"
#include "soil/soil.h"
#include "soil/tool/probe.h"

enum { SOIL_MAX_CUTS = 4096 };

/// A column of the ground that is to become particles.
typedef struct SoilCut {
    int32_t index; ///< of the column in the grid
    float floor, height; ///< m: down to where, and where it is
    uint8_t exact; ///< the edge is there
} SoilCut;

/// What is hashed, saved and restored.
typedef struct SoilState {
    int64_t tick;
    Grounds grounds;
    Particles particles;
    ContactMemory memory;
    PairList pairs; ///< of the default solver; its order is part of the state
} SoilState;

/// What follows from model, state and the tools of the tick. Made anew at the tick's start; a restore forgets it.
typedef struct SoilDerived {
    Neighbours neighbours;
    Contacts contacts;
    PairList ground_contacts; ///< of the default solver: particles that may touch the ground
    GroundReach ground_reach;
    ContactTick contact_tick; ///< of the default solver
    int body_count;
    SolverBody bodies[SOIL_MAX_BODIES];
    Bearing bearing;
    Probe probe; ///< for those who look on; never read by the simulation
    SoilCounters counters;
} SoilDerived;

/// Memory that is rebuilt by whoever uses it and means nothing between two calls.
typedef struct SoilScratch {
    PairBuild build;
    Team *team; ///< model.threads members
    Scratch memory; ///< pieces of it are taken and given back by the stages
    SearchPlaces places; ///< while a list is made
    PairVisits *visits; ///< [threads]
    Paper paper;
    struct Stand *stand; ///< of stand.c
    SoilCut *cuts; ///< [SOIL_MAX_CUTS] columns to be cut in this tick
    int cut_count;
    int32_t *marks; ///< [rows][columns] of the ground: what cut.c knows of a column within the tick, else 0
} SoilScratch;

struct Soil {
    SoilModel model;
    SoilState state;
    SoilDerived derived;
    SoilScratch scratch;
};

/// Puts a particle's mass on the ground that carries it; the particle is then gone (absorb.c).
void soil_absorb_resting(Soil *soil);
/// Turns ground into particles ahead of the cutting tools for the motion of `dt` seconds (spawn.c).
void soil_spawn_ahead(Soil *soil, double dt);
/// Notes a column to be cut in this tick.
void soil_mark_cut(Soil *soil, int row, int column, double floor, bool exact);
/// Turns the marked columns into particles, all of one soil equally dense (cut.c). Columns in which a particle would have no room, that
/// are too thin for one or that do not fit in the budget stay ground.
void soil_cut_marked(Soil *soil);
/// Turns one column into particles, down to `floor` at most.
void soil_spawn_column(Soil *soil, int row, int column, double floor);

/// Settled load that cannot stay in its tray turns into particles, and so does what tools dig there (tray_unload.c).
void soil_tip_trays(Soil *soil, double dt);

/// Intact faces that cannot stand turn into particles that fall (stand.c).
bool soil_stand_create(Soil *soil);
void soil_stand_destroy(Soil *soil);
void soil_let_fail(Soil *soil);

/// Cells as wide as the longest pair that may meet within the tick (of the published solvers).
double soil_choose_cell(const Soil *soil, double dt);

/// One substep of the particles by each solver (solve_*.c). Positions and velocities of the particles and the sums of the
/// bodies are the result.
void soil_solve_paper(Soil *soil, double h, bool jacobi);

/// Notes the forces of the last substep of a published solver in the probe.
void soil_show_paper_contacts(const Soil *soil, Probe *probe);

/// The parts of a soil that its contacts touch, lent for one call: bodies are those that were taken last.
static inline ContactSystem soil_contact_system(Soil *soil)
{
    return (ContactSystem){.model = &soil->model,
                           .grounds = &soil->state.grounds,
                           .particles = &soil->state.particles,
                           .memory = &soil->state.memory,
                           .pairs = &soil->state.pairs,
                           .neighbours = &soil->derived.neighbours,
                           .contacts = &soil->derived.contacts,
                           .ground_contacts = &soil->derived.ground_contacts,
                           .ground_reach = &soil->derived.ground_reach,
                           .tick = &soil->derived.contact_tick,
                           .bodies = soil->derived.bodies,
                           .body_count = soil->derived.body_count,
                           .build = &soil->scratch.build,
                           .places = &soil->scratch.places,
                           .visits = soil->scratch.visits,
                           .team = soil->scratch.team,
                           .scratch = &soil->scratch.memory};
}

#endif
