/// What the soil remembers of the last tick for those who look on (soil.h): scratch, never read by the simulation.
#ifndef SPADEWORK_SOIL_VIEWS_H
#define SPADEWORK_SOIL_VIEWS_H

#include "soil/soil.h"

enum { SOIL_KNOWN_CUTS = 1024, SOIL_KNOWN_YIELDS = 64 };

typedef struct SoilKnownCut {
    int row, column;
    float floor, top; ///< m
    int64_t tick; ///< in which it happened
} SoilKnownCut;

typedef struct SoilViews {
    int contact_count, contact_capacity;
    SoilToolContact *contacts; ///< of the last substep: the ground's first, then the particles'
    double substep; ///< s; 0: no substep in this tick yet
    int64_t cut_count; ///< ever, since the last restore
    int yield_count;
    Vec3 yields[SOIL_KNOWN_YIELDS]; ///< m, world: where ground under a tool failed in the last substep
    SoilKnownCut cuts[SOIL_KNOWN_CUTS]; ///< ring: cut k is in k % SOIL_KNOWN_CUTS
} SoilViews;

struct SolverBody;

bool soil_views_create(Soil *soil);
void soil_views_destroy(Soil *soil);
void soil_views_begin_tick(Soil *soil);
void soil_views_begin_substep(Soil *soil, double dt);
/// The ground at `point` presses on a body with `force`, N; `normal` of the ground, up.
void soil_views_note_bearing(Soil *soil, const struct SolverBody *body, Vec3 point, Vec3 normal, Vec3 force);
/// The ground under a tool fails at a place.
void soil_views_note_yield(Soil *soil, Vec3 place);
/// A column was cut from height `top` down to `floor`.
void soil_views_note_cut(Soil *soil, int row, int column, double floor, double top);
/// Takes the forces of the last substep from the contacts of particles; to be called before particles are absorbed.
void soil_views_take_contacts(Soil *soil);
/// After a restore: what is remembered belongs to another tick.
void soil_views_forget(Soil *soil);

#endif
