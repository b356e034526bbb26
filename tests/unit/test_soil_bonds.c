/// Bonds of undisturbed soil wear by what they slide: two grains in free fall slide past each other, held by their bond alone.
#include "soil_fixture.h"
#include "soil/internal.h"

#define DUCTILITY 0.4 ///< radii

enum { SUBSTEPS = 8, LONGEST = 30 * SUBSTEPS };

/// So high that they do not reach the ground in LONGEST substeps.
static Soil *two_bonded_grains(double speed)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    scene.soils[0].contact_ductility = DUCTILITY;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    double r = soil->particle_radius;
    soil_add_particle(soil, vec3(-r, 0, 6), vec3(0, -0.5 * speed, 0), r, 0, 1.0);
    soil_add_particle(soil, vec3(r, 0, 6), vec3(0, 0.5 * speed, 0), r, 0, 1.0);
    soil_bond(soil);
    return soil;
}

/// From the first grain to the second, m.
static Vec3 apart(const Soil *soil)
{
    const Row *a = &soil->rows[0], *b = &soil->rows[1];
    return vec3_scale(vec3(b->x - a->x, b->y - a->y, b->z - a->z), ROW_STEP);
}

/// What the only bond has lost of its strength; 1 when it is broken.
static double lost(const Soil *soil)
{
    for (int32_t k = 0; k < soil->pairs.batches * BATCH; k++) {
        if (soil->pairs.i[k] < soil->particles.count && (soil->pairs.flags[k] & CONTACT_BONDED)) {
            return 1.0 - (double)soil->pairs.strength[k] / PAIR_WHOLE;
        }
    }
    return 1.0;
}

/// Slides them for LONGEST substeps. Returns the largest difference of what the bond lost from the slip of all substeps that have
/// ended, in units of what uses it up; *slip: the whole slip.
static double slide(double speed, double *slip)
{
    Soil *soil = two_bonded_grains(speed);
    double worst = 0.0, whole = DUCTILITY * soil->particle_radius;
    Vec3 before = vec3(2.0 * soil->particle_radius, 0, 0);
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

/// The bond brakes the slow ones before it is used up. What slides elastically wears nothing: friction limit over stiffness.
static void a_bond_loses_what_it_slides_at_any_speed(void **state)
{
    (void)state;
    const double speeds[] = {0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.5};
    for (int k = 0; k < 7; k++) {
        double slip = 0.0, worst = slide(speeds[k], &slip);
        print_message("%g m/s: slid by %.3f of what uses up a bond, lost that to %.4f\n", speeds[k], slip, worst);
        assert_true(speeds[k] < 0.8 ? slip > 0.03 && slip < 0.9 : slip > 1.1);
        assert_near(worst, 0.0, 0.008);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bond_loses_what_it_slides_at_any_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
