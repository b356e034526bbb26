/// The law of a contact: what two sides that touch are made of, and the force between them.
///
/// A contact joins a particle (side i) with another particle, with the plane of the ground below it or with a face of a
/// steel body (side j). Every stage takes its parameters from contact_material(). The equations are solved by
/// pair_kernel.h, many contacts at once (particles, ground), and by body_contacts.c, one after another (steel);
/// contact_equations.h holds what both compute alike.
///
/// Symbols, in relative displacements d (m, world axes) since the start of a substep of h (s): the predicted drift plus
/// what contacts have added; n unit normal towards i; W (1/kg) the sum of the inverse masses of both sides, of a body
/// 1/M + (r x n)' I^-1 (r x n); k stiffness (N/m), c damping (N s/m), mu friction. lambda is a force times h^2 (N s2 =
/// kg m), what displaces a mass; forces and wrenches are lambda / h^2.
///
/// Normal (XPBD, Macklin et al. 2016; one step from lambda = 0 is the spring-damper of Holz 2014, eq. 21, m = 1/W):
///   C = gap - rest + n.d,  alpha = 1/(k h^2),  gamma = c/(k h),
///   dlambda = -(C + alpha lambda + gamma (n.d + max(gap - rest, 0))) / ((1 + gamma) W + alpha),
///   lambda >= -adhesion h^2. The damper brakes only what is left of d after the two have met. alpha is at least
///   CONTACT_LEAST_COMPLIANCE W. `rest` is the gap without force: soil appears without stored energy.
///
/// Tangential (elastic shear as the anchor of Cundall and Strack 1979, Coulomb's limit):
///   s = d - n (n.d) - alpha_t lambda_t at the substep's start,  k_t = 0.8 k,  alpha_t = 1.25 alpha,
///   dlambda_t = -(s + alpha_t lambda_t) / (W + alpha_t),
///   |lambda_t| <= mu' max(lambda, 0) + a adhesion h^2,
///   with a = CONTACT_ADHESIVE_FRICTION_SHARE between particles and 1 on ground and steel, and between particles
///   mu' = mu (1 + min(CONTACT_HARDENING sqrt(compression / radius), 2)); on ground and steel mu' = mu.
///
/// Strength S, 0..1, of a contact of soil with soil: adhesion = remoulded + S (undisturbed - remoulded), once they met.
///   A bond of undisturbed soil starts with S = 1 and loses it evenly as it slides by L = contact_ductility x nominal
///   radius. It slides while |lambda_t| is at its limit, against the force: dS = -max(-d.lambda_t, 0) / (|lambda_t| L).
///   That is a sum over the bond's life and depends neither on the substep nor on the speed; but S is counted in
///   PAIR_WHOLE, and what slides by less than L / (2 PAIR_WHOLE) in a substep loses nothing. The bond is broken where S
///   comes down to the Sp of what presses it then, or at once, with S = 0, when it opens by contact_breaking_opening.
///   Bonds with the ground do not wear: under a wedge that is pushed along, the plane of slip eats into fresh ground.
///
///   A bond joins two places. Where ground is cut in which grains still lie, a grain appears in a grain, and so it
///   does where the packing has a sphere twice (docs/soil-model.md, "Known limits"). The rest gap of such a pair means
///   that the centres coincide, and then the normal n is undefined: a bond of adhesion T pulls them through each
///   other by up to T h^2 W in each substep. That makes energy: the two circle at up to 0.4 T h W each, wet clay at
///   0.5 m/s, for ever where friction on the ground takes less. Two whose centres are nearer than
///   contact_bond_distance when one appears have no bond; their overlap swells like that of other soil that was put
///   into soil.
///
///   A broken contact keeps 1/sensitivity of its strength (Skempton and Northey 1952) where it is one body again: clods
///   touch in points, which yield until they bear what presses them, and water films take time to be squeezed out.
///   Under a force N the contact may have
///     Sp = rebonded_strength min(1, N / (A qu)),  A = pi r^2 of the smaller particle,
///     qu = 2 c tan(45 + phi/2) of the softer soil: its unconfined compressive strength.
///   While S < Sp: dS/dt = (Sp - S) / CONTACT_REBONDING_TIME, taken once a tick, so that it depends neither on the
///   substep nor on what S is counted in. It is lost again only when the contact parts, by CONTACT_ADHESIVE_SEPARATION.
///   N / A is about the mean stress of a packing: s = v Z N / (4 pi r^2) with a solid share v = 0.6 and Z = pi / (1 -
///   v) contacts (Rumpf 1958) is 1.2 N / A.
///
/// Ground: its adhesion acts against opening and sliding, at any speed. That of loose soil is a =
///   max(contact_ground_adhesion GROUND_CONTACT_AREA r^2, what contact_remoulded leaves). A grain of mass m on a slope
///   of angle b slides when m g sin b > m g cos b tan(phi) + a: with the mass m / area and the stress a / area that is
///   the infinite slope (Taylor 1948; Skempton and DeLory 1957). One that slides at v on a slope that holds it stops
///   within v^2 / (2 g (a / (m g) + cos b tan(phi) - sin b)).
///
/// Steel: water films hold soil on the area that really touches (Fountaine 1954). Clods touch a plate in points, which
///   yield until they bear what presses (Bowden and Tabor 1950: area is force over strength) and stay flat when that is
///   gone. Of the area A = STEEL_CONTACT_AREA r^2 that a particle takes on the plate there touches s = min(1, Nmax / (A
///   qu)), Nmax being the largest force that has pressed it on since it came there: soil that fails against a plate
///   lies on it all over, loose soil hardly. The adhesion is s ca A, with ca the soil's adhesion on steel (Pa).
///
/// Valid for spheres that do not spin. Contact parameters are fitted to direct shear and poured heaps at radii of 0.03
/// and 0.05 m, under 10 to 100 kPa (docs/notes/soil-calibration.md).
#ifndef SPADEWORK_SOIL_CONTACT_LAW_H
#define SPADEWORK_SOIL_CONTACT_LAW_H

#include "soil/model.h"

/// Least alpha of a contact over W: k h^2 W <= 2.2. Stiffer packings ring with two visits a substep (measured:
/// docs/soil-model.md, "How the default solver was chosen").
#define CONTACT_LEAST_COMPLIANCE 0.4545F

/// m: opening that breaks a bond: CONTACT_OPENING, for that is a length of the soil and not of what it is cut into, but
/// at most as far as bonds are listed, and of coarse particles at least what direct shear was fitted with
/// (docs/notes/soil-calibration.md). A fifth of all radii made drafts of clay and loam fall by 9 to 12 % with half the
/// particles; see `validate run blade`. `radius`: nominal, m.
#define CONTACT_OPENING       6e-3F
#define CONTACT_MOST_OPENING  0.4F ///< nominal radii
#define CONTACT_LEAST_OPENING 0.2F ///< nominal radii
static inline float contact_breaking_opening(double radius)
{
    float least = CONTACT_LEAST_OPENING * (float)radius, most = CONTACT_MOST_OPENING * (float)radius;
    return CONTACT_OPENING < least ? least : CONTACT_OPENING > most ? most : CONTACT_OPENING;
}
/// Nominal radii: opening at which what sticks parts. Chosen: about half of the opening that breaks a bond.
#define CONTACT_ADHESIVE_SEPARATION 0.095F
/// Nominal radii: opening at which what does not stick forgets that it touched. Chosen.
#define CONTACT_DRY_SEPARATION 0.003F
/// Nominal radii: a contact pressed together more than that does not swell, so that swelling does no work on a load.
/// Chosen.
#define CONTACT_SWELLING_LIMIT 0.01F
/// m/s: speed at which loose soil that appeared packed closer than its contacts allow swells. Chosen: slow enough to
/// throw nothing; see test_soil_kick.
#define CONTACT_SWELLING_SPEED 0.05F
/// m/s: the same of soil without cohesion that was cut out of undisturbed ground, beside what it dilates by slip.
/// Chosen: a cut of 0.1 m/s is over before. With 0.05 m/s sand's draft was 11 % too small at 0.1 m/s, for the soil
/// ahead of the blade swelled while it was cut, and grew by 25 % to 1 m/s beside what inertia adds (`validate run
/// blade`). Cohesive soil swells by the clock.
#define CONTACT_CREEP_SPEED 0.01F
/// Share of its slip by which an overlap closes at least that a particle was born with, on the ground, or between
/// particles that creep: they climb over each other as far as they are sheared, however fast. Densely packed soil
/// dilates by up to 20 to 30 degrees on the plane that it shears on; contacts of particles look all ways. Loose soil
/// was packed by chance, and is not thrown apart so.
#define GROUND_DILATION 0.5F
#define PAIR_DILATION   0.3F
/// Friction between particles grows by this much times the root of the compression in radii, to three times at most: it
/// makes up for the strength that packings lose because particles are softer than soil. Fitted to sand
/// (docs/notes/soil-calibration.md).
#define CONTACT_HARDENING 2.2
/// Share of what a contact between particles holds against opening that it also holds against sliding, whatever presses
/// it. Fitted with direct shear of loam and clay (docs/notes/soil-calibration.md).
#define CONTACT_ADHESIVE_FRICTION_SHARE 0.3F
/// s: in which a broken contact gains what pressure may give it but for 1/e: clods that are kneaded together stick,
/// clods that strike each other for milliseconds do not. Fitted to heaps of clay (docs/notes/soil-calibration.md: 0.1
/// s 35 degrees, 0.3 s 31, 0.5 s 29).
#define CONTACT_REBONDING_TIME 0.5F
/// Nominal radii: contacts that stay that far open in a substep, as they move at its start, are not visited in it.
/// Chosen.
#define CONTACT_MARGIN 0.003F
/// Share of what a particle falls by in a substep, g h^2: a block whose lambdas move nothing by more is at rest and
/// visited once. Chosen: forces on a plate then scatter by 1e-4 (docs/soil-model.md).
#define CONTACT_REVISIT_THRESHOLD 1e-3
/// Nominal radii: least slip that uses up a bond, for soils that state none.
#define CONTACT_LEAST_DUCTILITY 1e-3

/// Area of a plane, in radii squared, for one particle that touches it or nearly so: 0.73 particles of the packing that
/// ground is made of have their surface within a tenth of a radius of a plane, on the square of a nominal diameter.
#define GROUND_CONTACT_AREA 6.3
/// The same where a plane is cut through that packing: of 4 sqrt(2) r^3 each there is one centre, and bonded are those
/// less than GROUND_STANDOFF plus a skin of 0.1 of their radius (0.93 r on the mean) above it: one on 7.5 r^2, or 8.66
/// squares of its own radius. The areas of all together are the plane's, so that its cohesion is the soil's
/// (test_soil_body).
#define GROUND_BOND_AREA 8.66
/// The same of steel: what lies or slides along a smooth wall lies side by side, as discs that cover 0.82 of it at
/// random (Berryman 1983), so that the particles on a full plate together stand for the plate, not for one and a half
/// of it.
#define STEEL_CONTACT_AREA 3.83

/// m: width of the footing whose bearing capacity is the most with which soil that is pinched between the lower side of
/// a tool and the ground presses on the tool. Particles are harder than soil, but the ground below them would yield.
/// Chosen.
#define PINCHED_FOOTING 0.3
/// z of the unit normal, from the tool to the soil, below which a digging tool's contact counts as pinched. Chosen: 17
/// degrees below level and steeper.
#define PINCHED_NORMAL (-0.3F)
/// Damping ratio, at least, of what a digging tool presses: soil that is pinched is crushed and throws nothing back. 1
/// is critical damping.
#define CRUSHED_DAMPING_RATIO 1.0

/// What a particle touches.
typedef enum ContactKind {
    CONTACT_PARTICLES, ///< another particle
    CONTACT_GROUND, ///< the plane of the ground below, undisturbed or settled
    CONTACT_STEEL, ///< a face of a body
} ContactKind;

/// What a contact is made of. Computed by contact_material().
typedef struct ContactMaterial {
    double stiffness; ///< N/m: k
    double damping_ratio; ///< zeta, 0..2: c = 2 zeta sqrt(k / W)
    double friction; ///< mu
    double bond_friction; ///< mu while a bond holds, at most `friction`
    double adhesion; ///< N: pull-off force of an intact bond; of steel: of soil that lies on it all over
    double remoulded_share; ///< 0..1: of the adhesion, which a mere touch between particles holds
    double remoulded_adhesion; ///< N: what a mere touch holds
    double ground_adhesion; ///< N: the same on ground that is soil, not on the bare floor of a tray
    double ductility; ///< m: slip that uses up a bond between particles
    double bond_distance; ///< m: between the centres of two particles, at least, that a bond joins
    double rebonded_strength; ///< 0..1: most strength that pressure gives a broken contact
    double yield_force; ///< N: A qu, which flattens the contact over its whole area; 0: soil without cohesion
} ContactMaterial;

/// Computes what a contact is made of, for a particle of soil `soil` (index into the model's soils) and a radius (m).
///   CONTACT_PARTICLES  `other` is the soil of the second particle, in either order. The stiffness is that of
///                      radius = ri rj / (ri + rj) and grows with it, the forces are those of the smaller radius and
///                      grow with its square: the material at 1 m serves all pairs of two soils.
///   CONTACT_GROUND     `other` is the soil of the ground; friction is the mean of both soils in bulk.
///   CONTACT_STEEL      `other` is not read; friction is that of steel as rough as the soil's file assumes.
/// Stiffness grows with the radius, so that a packing has one bulk modulus whatever its particles' size. Any thread.
ContactMaterial contact_material(const SoilModel *model, ContactKind kind, int soil, int other, double radius);

/// Strength that a force gives a broken contact, 1/N: rebonded_strength / yield_force, or 0 where there is no cohesion.
double contact_strength_per_force(const ContactMaterial *material);

#endif
