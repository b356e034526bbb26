/// Strength of contacts between grains: bonds of undisturbed soil wear by what they slide (two grains in free fall
/// slide past each other, held by their bond alone); what was torn gains strength where it is pressed, and forgets it
/// when it parts.
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

#define DUCTILITY 0.4 ///< radii

enum { SUBSTEPS = 8, LONGEST = 30 * SUBSTEPS };

/// So high that they do not reach the ground in LONGEST substeps.
static Soil *two_bonded_grains(double speed)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    scene.soils[0].contact_ductility = DUCTILITY;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    double r = soil->model.particle_radius;
    soil_add_particle(soil, vec3(-r, 0, 6), vec3(0, -0.5 * speed, 0), r, 0, 1.0);
    soil_add_particle(soil, vec3(r, 0, 6), vec3(0, 0.5 * speed, 0), r, 0, 1.0);
    soil_bond(soil);
    return soil;
}

/// From the first grain to the second, m: within a tick by the rows, else by the particles.
static Vec3 apart(const Soil *soil)
{
    const Particles *p = &soil->state.particles;
    if (soil->derived.contact_tick.rows == NULL) {
        return vec3(p->x[1] - p->x[0], p->y[1] - p->y[0], p->z[1] - p->z[0]);
    }
    const Row *a = &soil->derived.contact_tick.rows[0], *b = &soil->derived.contact_tick.rows[1];
    return vec3_scale(vec3(b->x - a->x, b->y - a->y, b->z - a->z), ROW_STEP);
}

/// What the only bond has lost of its strength; 1 when it is broken.
static double lost(const Soil *soil)
{
    for (int32_t k = 0; k < soil->state.pairs.batches * BATCH; k++) {
        if (soil->state.pairs.i[k] < soil->state.particles.count && (soil->state.pairs.flags[k] & CONTACT_BONDED)) {
            return 1.0 - (double)soil->state.pairs.strength[k] / PAIR_WHOLE;
        }
    }
    return 1.0;
}

/// Slides them for LONGEST substeps. Returns the largest difference of what the bond lost from the slip of all substeps
/// that have ended, in units of what uses it up; *slip: the whole slip.
static double slide(double speed, double *slip)
{
    Soil *soil = two_bonded_grains(speed);
    double worst = 0.0, whole = DUCTILITY * soil->model.particle_radius;
    Vec3 before = vec3(2.0 * soil->model.particle_radius, 0, 0);
    *slip = 0.0;
    for (int k = 0; k < LONGEST; k++) {
        if (k % SUBSTEPS == 0) {
            soil_begin_tick(soil, NULL, 0, 1.0 / 60.0);
        }
        soil_substep(soil, NULL, 0, 1.0 / (60.0 * SUBSTEPS), NULL);
        worst = fmax(worst, fabs(lost(soil) - fmin(*slip, 1.0)));
        Vec3 now = apart(soil);
        *slip += vec3_length(vec3_cross(before, now)) / vec3_length(before) / whole;
        before = now;
        if (k % SUBSTEPS == SUBSTEPS - 1) {
            soil_end_tick(soil, NULL, 0);
        }
    }
    soil_destroy(soil);
    return worst;
}

/// The bond brakes the slow ones before it is used up. What slides elastically wears nothing: friction limit over
/// stiffness.
TEST(a_bond_loses_what_it_slides_at_any_speed)
{
    const double speeds[] = {0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.5};
    for (int k = 0; k < 7; k++) {
        double slip = 0.0, worst = slide(speeds[k], &slip);
        print_message("%g m/s: slid by %.3f of what uses up a bond, lost that to %.4f\n", speeds[k], slip, worst);
        assert_true(speeds[k] < 0.8 ? slip > 0.03 && slip < 0.9 : slip > 1.1);
        assert_near(worst, 0.0, 0.008);
    }
}

#define KNEADED 0.4 ///< share of the adhesion
#define TICK    (1.0 / 60.0)

/// Two grains that just touch, without weight, of soil whose torn contacts hold nothing until they are pressed.
static Soil *two_clods(bool bonded)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    SoilParams *loam = &scene.soils[0];
    loam->contact_ductility = DUCTILITY;
    loam->contact_friction = 0.0; // else they come to rest before the bond is used up
    loam->contact_remoulded = 0.0;
    loam->contact_rebonded_strength = KNEADED;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    soil->model.gravity = 0.0;
    double r = soil->model.particle_radius;
    soil_add_particle(soil, vec3(-r, 0, 6), vec3(0, 0, 0), r, 0, 1.0);
    soil_add_particle(soil, vec3(r, 0, 6), vec3(0, 0, 0), r, 0, 1.0);
    if (bonded) {
        soil_bond(soil);
    }
    return soil;
}

/// N that press a contact of its grains together so that it lies on all its place: pi r2 x 2 c tan(45 + phi / 2).
static double flattening(const Soil *soil)
{
    const SoilParams *loam = &soil->model.scene.soils[0];
    double r = soil->model.particle_radius;
    return M_PI * r * r * 2.0 * loam->cohesion * tan(0.25 * M_PI + 0.5 * loam->friction_angle);
}

/// A force on each of the two for some ticks, along the line of their centres.
static void push(Soil *soil, double press, int ticks)
{
    for (int k = 0; k < ticks * SUBSTEPS; k++) {
        if (k % SUBSTEPS == 0) {
            soil_begin_tick(soil, NULL, 0, TICK);
        }
        Vec3 normal = vec3_unit(apart(soil), vec3(1, 0, 0));
        for (int i = 0; i < 2; i++) {
            Row *row = &soil->derived.contact_tick.rows[i];
            double gain = (i == 0 ? press : -press) * TICK / SUBSTEPS * (double)row->inverse_mass;
            row->speed[0] += (float)(gain * normal.x);
            row->speed[1] += (float)(gain * normal.y);
        }
        soil_substep(soil, NULL, 0, TICK / SUBSTEPS, NULL);
        if (k % SUBSTEPS == SUBSTEPS - 1) {
            soil_end_tick(soil, NULL, 0);
        }
    }
}

/// Of the only contact; 0 when there is none.
static double strength(const Soil *soil)
{
    for (int32_t k = 0; k < soil->state.pairs.batches * BATCH; k++) {
        if (soil->state.pairs.i[k] < soil->state.particles.count) {
            return (double)soil->state.pairs.strength[k] / PAIR_WHOLE;
        }
    }
    return 0.0;
}

static double gap_of(const Soil *soil)
{
    return vec3_length(apart(soil)) - 2.0 * soil->model.particle_radius;
}

/// S = KNEADED min(1, N / (A qu)) (1 - exp(-t / T)) after a time t under a force N.
TEST(pressed_clods_stick_by_pressure_and_time)
{
    const double shares[] = {0.25, 0.5, 1.0, 2.0};
    for (int k = 0; k < 4; k++) {
        Soil *soil = two_clods(false);
        double most = KNEADED * fmin(shares[k], 1.0), press = shares[k] * flattening(soil);
        push(soil, press, 15);
        double early = strength(soil);
        push(soil, press, 165);
        double late = strength(soil), rest = 15 * TICK / (double)CONTACT_REBONDING_TIME;
        print_message("pressed by %g of A qu: %.4f after 0.25 s, %.4f after 3 s (most %.4f)\n", shares[k], early, late,
                      most);
        assert_near(early, most * (1.0 - exp(-rest)), 0.03 * most);
        assert_near(late, most * (1.0 - exp(-12.0 * rest)), 0.01 * most);
        soil_destroy(soil);
    }
}

/// It holds that much of the adhesion against pulling, whatever presses then, and nothing once it has parted.
TEST(what_was_pressed_on_holds_until_it_parts)
{
    Soil *soil = two_clods(false);
    double r = soil->model.particle_radius, pull = soil->model.scene.soils[0].contact_adhesion * M_PI * r * r;
    push(soil, 0.5 * flattening(soil), 180);
    double had = strength(soil);
    push(soil, -0.9 * had * pull, 12);
    assert_true(gap_of(soil) < 0.02 * r);
    assert_near(strength(soil), had, 1e-4);
    push(soil, -1.5 * had * pull, 12);
    assert_true(gap_of(soil) > (double)CONTACT_ADHESIVE_SEPARATION * r);
    assert_near(strength(soil), 0.0, 0.0);
    soil_destroy(soil);
}

/// A bond that is pressed by half of A qu and sheared wears down to what that pressure gives, and no further.
TEST(a_bond_that_is_pressed_keeps_the_remoulded_strength)
{
    Soil *soil = two_clods(true);
    double press = 0.5 * flattening(soil), least = 1.0;
    push(soil, press, 12);
    assert_near(strength(soil), 1.0, 0.0);
    soil->state.particles.vy[0] -= 0.4;
    soil->state.particles.vy[1] += 0.4;
    for (int k = 0; k < 12; k++) {
        push(soil, press, 1);
        least = fmin(least, strength(soil));
        assert_true(gap_of(soil) < 0.0);
    }
    print_message("sheared under 0.5 of A qu: %.4f is left\n", least);
    assert_near(least, 0.5 * KNEADED, 0.05 * KNEADED);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
