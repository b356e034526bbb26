/// The fundamental equation of earthmoving: what a flat blade needs to fail the soil ahead of it.
///
/// Reece 1965 (Proc. Inst. Mech. Eng. 179): P = w (rho g d^2 Ng + c d Nc + ca d Nca), with the factors of a plane wedge
/// that rises from the edge at the angle beta, which is the one that makes the weight's part least. Where soil has
/// heaped up, its weight above each plane takes the place of that of the level wedge, and the plane is the one on which
/// the whole force is least (Coulomb's trial wedge). A blade that is free at its sides lifts a crescent on each: McKyes
/// and Ali 1977 (J. Terramechanics 14). A blade of speed v has to accelerate the wedge: rho v^2 d Na (McKyes 1985, Soil
/// Cutting and Tillage, ch. 3). These laws are models that measurements scatter around by 10 to 20 %.
#ifndef SPADEWORK_VALIDATION_EARTHMOVING_H
#define SPADEWORK_VALIDATION_EARTHMOVING_H

#include <stdbool.h>
#include <stddef.h>

#include "data/schema/soil_params.h"

typedef struct Earthmoving {
    double rake; ///< rad from the horizontal, 0.3..pi/2: pi/2 = upright, less = leaning back, edge ahead
    double depth, width; ///< m
    double speed; ///< m/s
    /// kg per metre of width ahead of the blade's face and above a plane through its edge that rises at the angle
    /// earthmoving_angle(k): of soil with another surface than a level one. NULL = level.
    const double *mass;
    /// The same for the crescents beside a free blade: kg per metre of width, each part times the cosine of the angle
    /// between the motion and the direction that it is pushed to (earthmoving_crescent). Given along with `mass`, or
    /// NULL: crescents that are level on top.
    const double *crescents;
    bool closed; ///< the sides are closed by smooth walls: no crescents
    double curved; ///< of earthmoving_curve; 0: the slip surface is plane
} Earthmoving;

typedef struct EarthmovingForce {
    double draft; ///< N: against the motion
    double vertical; ///< N: drawing the blade down
    double rupture_angle; ///< rad: beta
    double rupture_length; ///< m at the surface, from where the face of the blade meets it
} EarthmovingForce;

enum { EARTHMOVING_ANGLES = 400 };
/// rad: 0.1 .. 1.3
double earthmoving_angle(int k);

/// Crescents of McKyes and Ali: soil beside the edge's corner moves away from the blade's face straight outwards; what
/// lies above the cone through the corner that cuts a circle of radius z (cot(alpha) + cot(beta)) out of the plane at
/// the height z does. Cosine of that direction for soil at x ahead of the corner, y beside it and z above it (m, y > 0,
/// z > 0); `angle` becomes the steepest plane (rad) whose crescent it belongs to.
double earthmoving_crescent(double rake, double x, double y, double z, double *angle);

/// Sets `curved`: before a face steeper than 70 degrees the slip surface is no plane, and a plane needs more force. It
/// is the force of a logarithmic spiral over that of the best plane, for level ground and a slow blade without
/// adhesion.
void earthmoving_curve(Earthmoving *blade, const SoilParams *soil);

EarthmovingForce earthmoving_force(const Earthmoving *blade, const SoilParams *soil);

#endif
