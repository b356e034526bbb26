/// The parameters of every contact: soil on soil, on the ground and on steel.
///
/// A soil file states what laboratories measure and, fitted to it, what one contact of a sphere of REFERENCE_RADIUS is
/// like (docs/notes/soil-calibration.md). Two soils that meet share the mean of their parameters; of two strengths
/// that yield the lower counts. The laws and their sources stand in contact_law.h.
#include "soil/law/contact_law.h"

#include <math.h>

#include "data/core/constants.h"

static double bond_friction(const SoilParams *soil)
{
    return fmin(soil->contact_bond_friction, soil->contact_friction);
}

/// N/m: stiffness of a sphere of `radius` on a plane, from that of one of REFERENCE_RADIUS. A plane is a second sphere
/// without curvature, which is why it is twice as stiff as two equal spheres in series.
static double stiffness_of(double stiffness, double radius)
{
    return 2.0 * stiffness * radius / REFERENCE_RADIUS;
}

static ContactMaterial of_particles(const SoilModel *model, int i, int j, double radius)
{
    const SoilParams *a = &model->scene.soils[i], *b = &model->scene.soils[j];
    double share = 0.5 * (a->contact_remoulded + b->contact_remoulded);
    double adhesion = 0.5 * M_PI * (a->contact_adhesion + b->contact_adhesion) * radius * radius;
    double ductility = fmax(0.5 * (a->contact_ductility + b->contact_ductility), CONTACT_LEAST_DUCTILITY);
    return (ContactMaterial){.stiffness = stiffness_of(0.5 * (a->contact_stiffness + b->contact_stiffness), radius),
                             .damping_ratio = 0.5 * (a->contact_damping + b->contact_damping),
                             .friction = 0.5 * (a->contact_friction + b->contact_friction),
                             .bond_friction = 0.5 * (bond_friction(a) + bond_friction(b)),
                             .adhesion = adhesion,
                             .remoulded_share = share,
                             .remoulded_adhesion = share * adhesion,
                             .ductility = ductility * model->particle_radius,
                             .bond_distance =
                                 0.5 * (a->contact_bond_distance + b->contact_bond_distance) * model->particle_radius,
                             .rebonded_strength = 0.5 * (a->contact_rebonded_strength + b->contact_rebonded_strength),
                             .yield_force = M_PI * fmin(model->crushing[i], model->crushing[j]) * radius * radius};
}

/// A bond holds the soil's cohesion on the area that the particle stands for; a mere touch what two particles would.
static ContactMaterial of_ground(const SoilModel *model, int soil, int other, double radius)
{
    const SoilParams *own = &model->scene.soils[soil];
    double friction = 0.5 * (model->tan_friction[soil] + model->tan_friction[other]);
    double touch = own->contact_remoulded * own->contact_adhesion * M_PI * radius * radius;
    return (ContactMaterial){.stiffness = stiffness_of(own->contact_stiffness, radius),
                             .damping_ratio = own->contact_damping,
                             .friction = friction,
                             .bond_friction = friction,
                             .adhesion = own->cohesion * GROUND_BOND_AREA * radius * radius,
                             .remoulded_share = own->contact_remoulded,
                             .remoulded_adhesion = touch,
                             .ground_adhesion =
                                 fmax(touch, own->contact_ground_adhesion * GROUND_CONTACT_AREA * radius * radius),
                             .rebonded_strength = own->contact_rebonded_strength,
                             .yield_force = model->crushing[soil] * GROUND_CONTACT_AREA * radius * radius};
}

static ContactMaterial of_steel(const SoilModel *model, int soil, double radius)
{
    const SoilParams *own = &model->scene.soils[soil];
    double area = STEEL_CONTACT_AREA * radius * radius;
    return (ContactMaterial){.stiffness = stiffness_of(own->contact_stiffness, radius),
                             .damping_ratio = own->contact_damping,
                             .friction = model->tan_steel[soil],
                             .bond_friction = model->tan_steel[soil],
                             .adhesion = own->steel_adhesion * area,
                             .yield_force = model->crushing[soil] * area};
}

ContactMaterial contact_material(const SoilModel *model, ContactKind kind, int soil, int other, double radius)
{
    return kind == CONTACT_PARTICLES ? of_particles(model, soil, other, radius)
           : kind == CONTACT_GROUND  ? of_ground(model, soil, other, radius)
                                     : of_steel(model, soil, radius);
}

double contact_strength_per_force(const ContactMaterial *material)
{
    return material->yield_force > 0.0 ? material->rebonded_strength / material->yield_force : 0.0;
}
