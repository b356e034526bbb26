/// Parts of a Soil: model (constant), state (hashed and saved), derived (made anew each tick), scratch. Not for
/// users of the library.
#ifndef SPADEWORK_SOIL_PARTS_H
#define SPADEWORK_SOIL_PARTS_H

#include "soil/contact/contact_system.h"
#include "soil/published/paper.h"
#include "soil/tool/bearing.h"

enum { SOIL_MAX_CUTS = 4096 };

/// A column of the ground that is to become particles.
typedef struct SoilCut {
    int32_t index; ///< of the column in the grid
    float floor, height; ///< m: down to where, and where it is
    uint8_t exact; ///< the edge is there
} SoilCut;

/// What an edge between side plates cuts in this tick, seen from above: the plates part the ground upright.
typedef struct SoilStrip {
    double middle_x, middle_y; ///< m: of the edge
    double side_x, side_y; ///< unit vector along it
    double half_edge, half_column; ///< m: half its width, and half a column's along it
    double half_inside; ///< m: half of what goes between the plates, whose middle planes part it
} SoilStrip;

/// How long faces have been open, by the column of their foot: [rows][columns], NULL where no soil weakens.
typedef struct FaceAge {
    float *open; ///< s since the foot was last lowered by more than a decimetre
    float *wet; ///< s of them in which the ground was wet
    float *foot; ///< m: height of the foot then
    uint32_t *counted; ///< scratch: the last look in which it grew older
} FaceAge;

/// What is hashed, saved and restored.
typedef struct SoilState {
    int64_t tick;
    Grounds grounds;
    Particles particles;
    ContactMemory memory;
    BearingMemory bearing;
    int64_t left[SCENE_MAX_SOILS]; ///< quanta that are no longer on the site nor beside it, by soil (absorb.c)
    Vec3 ways[SOIL_MAX_TOOLS]; ///< unit vectors, tools' frames: how each went last; 0: it has not moved yet
    double borne[SOIL_MAX_FOOTPRINTS]; ///< Pa: mean pressure of each footprint over the last half second (standing.c)
    FaceAge face_age; ///< of open faces (face_age.c)
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
    int standing_count; ///< of soil_load in this tick; 0 at its end
    SoilFootprint standing[SOIL_MAX_FOOTPRINTS];
    int plate_count; ///< of soil_shore in this tick; 0 at its end
    SoilPlate plates[SOIL_MAX_PLATES];
    int fall_count; ///< of the last tick
    SoilFall falls[SOIL_MAX_FALLS];
    int crack_count; ///< of the last look at faces
    SoilCrack cracks[SOIL_MAX_CRACKS];
    Probe probe; ///< for the getters; never read by the simulation
    SoilCounters counters;
    int64_t total; ///< quanta at the tick's start, in a build with asserts: what soil_end_tick finds again
} SoilDerived;

/// What the soil's arrays have been used for since memory was given back to the system. Nothing of it changes what the
/// soil does.
typedef struct SoilUse {
    int32_t particles; ///< most at a time
    int32_t recent; ///< the same in the last ticks (soil.c)
    bool searched, searching; ///< many particles were looked for; in the last ticks
} SoilUse;

/// Memory that is rebuilt by its user and has no meaning between two calls.
typedef struct SoilScratch {
    SoilUse use;
    PairBuild build;
    Team *team; ///< model.threads members
    Scratch memory; ///< pieces of it are taken and given back by the stages
    SearchPlaces places; ///< while a list is made
    PairVisits *visits; ///< [threads]
    Paper paper;
    struct Resting *resting; ///< of absorb.c
    struct FaceFailure *face_failure; ///< of face_failure.c
    SoilCut *cuts; ///< [SOIL_MAX_CUTS] columns to be cut in this tick
    int cut_count;
    SoilStrip strips[SOIL_MAX_TOOLS];
    int strip_count; ///< of the edges that cut the columns; 0 once they are cut
    int32_t *marks; ///< [rows][columns] of the ground: what spawn.c knows of a column within the tick, else 0
} SoilScratch;

struct Soil {
    SoilModel model;
    SoilState state;
    SoilDerived derived;
    SoilScratch scratch;
};

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
