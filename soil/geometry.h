/// Steps that all solvers share: prediction, contact geometry, what a body feels, and the end of a substep.
#ifndef SPADEWORK_SOIL_GEOMETRY_H
#define SPADEWORK_SOIL_GEOMETRY_H

#include "soil/internal.h"

/// Predicted displacements h v + h^2 g and inverse masses (P2 eq. 2, in displacements).
void soil_predict(Soil *soil, double h);
/// Gap, normal, compliance and limits of every contact at the substep's start.
void soil_begin_pairs(Soil *soil, double h);
void soil_begin_ground(Soil *soil, double h);
void soil_begin_bodies(Soil *soil, double h);
/// x += move, v = move / h (P2 eq. 3).
void soil_advance(Soil *soil, double h);

/// Applies minus `impulse` (force x h^2, as on the particle) to a body at a contact.
void soil_body_take(SolverBody *body, const BodyContact *contact, const float impulse[3]);
/// Displacement of the body's point at a contact since the substep's start.
void soil_body_motion(const SolverBody *body, const BodyContact *contact, float motion[3]);

#endif
