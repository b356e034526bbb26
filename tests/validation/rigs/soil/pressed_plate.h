/// A plate that carries a load onto a specimen: along one axis it moves until the specimen pushes back as hard.
///
/// To the solver it is a body that moves as told: with a finite mass the friction of a substep would shift it aside,
/// where it is held.
#ifndef SPADEWORK_VALIDATION_PRESSED_PLATE_H
#define SPADEWORK_VALIDATION_PRESSED_PLATE_H

#include <math.h>

#include "soil/soil.h"

#define PRESSED_PLATE_SPEED 0.1 ///< m/s at most

typedef struct PressedPlate {
    double load; ///< N
    double mass, damping; ///< kg, N s/m
} PressedPlate;

/// A plate on a specimen of a soil, `area` m2 in section and `depth` m deep: twice as heavy as it, and damped by a
/// share of what is critical against its stiffness k / d per area.
static inline PressedPlate pressed_plate(const SoilParams *soil, double area, double depth, double damping)
{
    PressedPlate plate = {.mass = 2.0 * soil->bank_density * area * depth};
    plate.damping = 2.0 * damping * sqrt(soil->contact_stiffness / 0.1 * area / depth * plate.mass);
    return plate;
}

/// Its speed (m/s, away from the specimen) a substep of `dt` s later, when the specimen pushes it away with `force`, N.
static inline double pressed_plate_speed(const PressedPlate *plate, double speed, double force, double dt)
{
    double next = speed + dt * (force - plate->load - plate->damping * speed) / plate->mass;
    return fmax(-PRESSED_PLATE_SPEED, fmin(PRESSED_PLATE_SPEED, next));
}

#endif
