#include <math.h>
#include <stdbool.h>

#include "tests/validation/earthmoving.h"

#define GRAVITY 9.81 ///< m/s2

/// What weight (with Ng's part of the crescents), cohesion, surcharge, adhesion and acceleration cost, each without its unit.
typedef struct Factors {
    double weight, cohesion, surcharge, adhesion, inertia;
    double length; ///< over the depth: cot(alpha) + cot(beta)
} Factors;

static double cot(double angle)
{
    return 1.0 / tan(angle);
}

/// cos(eta) = d cot(alpha) / r tells how far to the side the crescents reach: r sin(eta).
static Factors factors_at(const Earthmoving *blade, const SoilParams *soil, double beta)
{
    double alpha = blade->rake, delta = soil->steel_friction_angle, phi = soil->friction_angle;
    double load = cos(alpha + delta) + sin(alpha + delta) * cot(beta + phi);
    double length = cot(alpha) + cot(beta), toe = cot(alpha) / length;
    double side = blade->closed ? 0.0 : length * blade->depth / blade->width * sqrt(fmax(0.0, 1.0 - toe * toe));
    return (Factors){.weight = 0.5 * length * (1.0 + 2.0 / 3.0 * side) / load,
                     .cohesion = (1.0 + cot(beta) * cot(beta + phi)) * (1.0 + side) / load,
                     .surcharge = length * (1.0 + side) / load,
                     .adhesion = (1.0 - cot(alpha) * cot(beta + phi)) / load,
                     .inertia = (tan(beta) + cot(beta + phi)) / (load * (1.0 + tan(beta) * cot(alpha))),
                     .length = length};
}

EarthmovingForce earthmoving_force(const Earthmoving *blade, const SoilParams *soil)
{
    const double step = 0.0005, last = 0.5 * M_PI - soil->friction_angle;
    double beta = 0.1;
    Factors best = factors_at(blade, soil, beta);
    for (double trial = beta; trial < last; trial += step) {
        Factors factors = factors_at(blade, soil, trial);
        if (factors.weight > 0.0 && (factors.weight < best.weight || best.weight <= 0.0)) {
            best = factors;
            beta = trial;
        }
    }
    double d = blade->depth, w = blade->width, adhesion = soil->steel_adhesion * d * w;
    double load = soil->bank_density * GRAVITY * d * d * best.weight + soil->cohesion * d * best.cohesion;
    load += blade->surcharge * d * best.surcharge + soil->steel_adhesion * d * best.adhesion;
    load += soil->bank_density * blade->speed * blade->speed * d * best.inertia;
    double lean = blade->rake + soil->steel_friction_angle;
    return (EarthmovingForce){.draft = w * load * sin(lean) + adhesion * cot(blade->rake),
                              .vertical = w * load * cos(lean) - adhesion,
                              .rupture_angle = beta,
                              .rupture_length = d * best.length};
}
