/// Solves the earthmoving equation by trial planes (Coulomb): for each plane through the edge the forces on the wedge
/// are balanced, and the plane that needs the least force is the one that fails. The equations stand in the header and
/// above try_plane.
#include <math.h>
#include <stdbool.h>

#include "tests/validation/rigs/soil/earthmoving.h"
#include "data/core/constants.h"
#include "tests/validation/rigs/soil/log_spiral.h"

#define STEEP (70.0 * M_PI / 180.0) ///< rad: of a face before which the slip surface counts as curved

/// Parts of the force per metre of width for one plane, N/m, the blade's adhesion apart.
typedef struct Trial {
    double weight, rest;
} Trial;

static double cot(double angle)
{
    return 1.0 / tan(angle);
}

double earthmoving_angle(int k)
{
    return 0.1 + 1.2 * k / (EARTHMOVING_ANGLES - 1);
}

double earthmoving_crescent(double rake, double x, double y, double z, double *angle)
{
    double ahead = x / z + cot(rake), away = hypot(ahead, y / z), cosine = ahead / away;
    double flat =
        cosine > 0.0 ? fmax(away, cot(rake) / cosine) - cot(rake) : HUGE_VAL; // the crescent ends beside the edge
    *angle = atan2(1.0, flat);
    return fmax(cosine, 0.0);
}

/// The weight is that of the wedge per width over its resistance; cos(eta) = d cot(alpha) / r tells how far to the side
/// crescents reach: r sin(eta).
static Trial try_plane(const Earthmoving *blade, const SoilParams *soil, int k)
{
    double alpha = blade->rake, delta = soil->steel_friction_angle, phi = soil->friction_angle, d = blade->depth;
    double beta = earthmoving_angle(k), resistance = cos(alpha + delta) + sin(alpha + delta) * cot(beta + phi);
    double length = cot(alpha) + cot(beta), toe = cot(alpha) / length;
    double side = blade->closed ? 0.0 : length * d / blade->width * sqrt(fmax(0.0, 1.0 - toe * toe));
    double mass = blade->mass != NULL ? blade->mass[k] : 0.5 * soil->bank_density * d * d * length;
    double beside = blade->crescents != NULL ? blade->crescents[k] : 2.0 / 3.0 * side * mass;
    double rest = soil->cohesion * d * (1.0 + cot(beta) * cot(beta + phi)) * (1.0 + side);
    rest += soil->steel_adhesion * d * (1.0 - cot(alpha) * cot(beta + phi));
    double inertia = (tan(beta) + cot(beta + phi)) / (1.0 + tan(beta) * cot(alpha));
    rest += soil->bank_density * blade->speed * blade->speed * d * inertia;
    return (Trial){.weight = resistance > 0.0 ? STANDARD_GRAVITY * (mass + beside) / resistance : HUGE_VAL,
                   .rest = rest / resistance};
}

EarthmovingForce earthmoving_force(const Earthmoving *blade, const SoilParams *soil)
{
    int plane = 0;
    Trial best = try_plane(blade, soil, plane);
    for (int k = 1; k < EARTHMOVING_ANGLES && earthmoving_angle(k) + soil->friction_angle < 0.5 * M_PI; k++) {
        Trial trial = try_plane(blade, soil, k);
        double add = blade->mass != NULL ? 1.0 : 0.0; // see the header
        if (trial.weight + add * trial.rest < best.weight + add * best.rest) {
            best = trial;
            plane = k;
        }
    }
    double curved = blade->curved > 0.0 ? blade->curved : 1.0, force = curved * (best.weight + best.rest);
    double w = blade->width, adhesion = soil->steel_adhesion * blade->depth;
    double lean = blade->rake + soil->steel_friction_angle, beta = earthmoving_angle(plane);
    return (EarthmovingForce){.draft = w * (force * sin(lean) + adhesion * cot(blade->rake)),
                              .vertical = w * (force * cos(lean) - adhesion),
                              .rupture_angle = beta,
                              .rupture_length = blade->depth * (cot(blade->rake) + cot(beta))};
}

void earthmoving_curve(Earthmoving *blade, const SoilParams *soil)
{
    Earthmoving plane = {.rake = blade->rake, .depth = blade->depth, .width = 1.0, .closed = true};
    SoilParams smooth = *soil;
    smooth.steel_adhesion = 0.0;
    double force = earthmoving_force(&plane, &smooth).draft / sin(blade->rake + soil->steel_friction_angle);
    blade->curved = blade->rake > STEEP ? log_spiral_force(&smooth, blade->rake, blade->depth) / force : 0.0;
}
