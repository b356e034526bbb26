/// What sticks to steel: a particle holds as much as its place on a plate allows, on the share of it that it was
/// pressed flat on.
#include "soil/soil_parts.h"
#include "tests/support/soil_fixture.h"

#define RADIUS 0.05
#define MASS   1.0 ///< kg of a grain

static ToolShape shape;

/// A box with a floor of 1.6 x 1.6 m, too high for the ground to matter.
static SoilTool box(void)
{
    shape = box_shape(1.6, 1.6, 0.9);
    return box_tool(&shape, vec3(0, 0, 4));
}

/// Loam as in the fixture: 1 kPa of adhesion, 5 kPa of cohesion, 30 degrees.
static Soil *clinging_soil(void)
{
    SceneParams scene = loam_scene();
    scene.particles.persistent = true;
    return make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
}

/// Its clods' unconfined compressive strength, 2 c tan(45 + phi / 2), and a grain's place on a plate, on which discs
/// cover 0.82.
static const double crushing = 2.0 * 5e3 * 1.7320508, place = M_PI * RADIUS * RADIUS / 0.82;

/// The grain's weight becomes `force` (N, down) in a second, as slowly as to swing nothing.
static void weigh_down(Soil *soil, const SoilTool *tool, double from, double force)
{
    for (int t = 1; t <= 60; t++) {
        soil->model.gravity = (from + (force - from) * t / 60.0) / MASS;
        run_ticks(soil, tool, 1, 1);
    }
}

/// A grain on a plate: pressed on with one force, then drawn off with another. True when it stays.
static bool holds(double pressed, double drawn)
{
    Soil *soil = clinging_soil();
    SoilTool tool = box();
    soil->model.gravity = 0.0;
    soil_add_particle(soil, vec3(0, 0, 4.0 + RADIUS), vec3(0, 0, 0), RADIUS, 0, MASS);
    weigh_down(soil, &tool, 0.0, pressed);
    weigh_down(soil, &tool, pressed, -drawn);
    run_ticks(soil, &tool, 1, 30);
    bool stays = soil_get_particles(soil).z[0] < 4.0 + 1.1 * RADIUS;
    soil_destroy(soil);
    return stays;
}

TEST(a_grain_holds_what_it_was_pressed_flat_on)
{
    const struct {
        double pressure, share; ///< over the crushing strength, and of the adhesion
    } cases[] = {{0.1, 0.1}, {0.5, 0.5}, {0.9, 0.9}, {2.0, 1.0}, {5.0, 1.0}};
    for (int k = 0; k < 5; k++) {
        double pressed = cases[k].pressure * crushing * place, most = cases[k].share * 1e3 * place;
        assert_true(holds(pressed, 0.95 * most));
        assert_false(holds(pressed, 1.05 * most));
    }
}

/// What was pressed on and parts, by more than a tenth of a radius, only touches when it comes back.
TEST(what_parts_forgets)
{
    Soil *soil = clinging_soil();
    SoilTool tool = box();
    soil->model.gravity = 0.0;
    soil_add_particle(soil, vec3(0, 0, 4.0 + RADIUS), vec3(0, 0, 0), RADIUS, 0, MASS);
    weigh_down(soil, &tool, 0.0, 2.0 * crushing * place);
    assert_int_equal(soil->derived.contacts.body_count, 1);
    assert_near((double)soil->derived.contacts.bodies[0].core.pressed, 2.0 * crushing * place, 0.01 * crushing * place);
    weigh_down(soil, &tool, 2.0 * crushing * place, -1.2e3 * place);
    run_ticks(soil, &tool, 1, 30);
    assert_true(soil_get_particles(soil).z[0] > 4.0 + 1.1 * RADIUS);
    for (int32_t k = 0; k < soil->state.memory.count; k++) {
        assert_true(soil->state.memory.pressed[k] <= 0.0F);
    }
    soil_destroy(soil);
}

/// Grains rain into the box, six layers deep, in no order.
static void fill_box(Soil *soil)
{
    uint32_t random = 1u;
    for (int k = 0; k < 1500; k++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            random = random * 1664525u + 1013904223u;
            at[axis] = (double)(random >> 8) / 16777216.0;
        }
        Vec3 place_of_birth = vec3(1.4 * at[0] - 0.7, 1.4 * at[1] - 0.7, 4.1 + 0.004 * k);
        assert_true(soil_add_particle(soil, place_of_birth, vec3(0, 0, 0), RADIUS * (0.9 + 0.1 * at[2]), 0, MASS) >= 0);
    }
}

/// Grains that lie on a plate stand for the plate together: poured for a little less of it than pressed, never for
/// more.
TEST(grains_stand_for_the_plate_they_cover)
{
    Soil *soil = clinging_soil();
    SoilTool tool = box();
    fill_box(soil);
    run_ticks(soil, &tool, 1, 180);
    double covered = 0.0, half = 0.6; // m: away from the walls
    for (int32_t k = 0; k < soil->derived.contacts.body_count; k++) {
        const BodyContact *contact = &soil->derived.contacts.bodies[k];
        const Particles *p = &soil->state.particles;
        double r = (double)p->radius[contact->i];
        bool inside = fabs(p->x[contact->i]) < half && fabs(p->y[contact->i]) < half;
        covered += contact->piece == 0 && inside && contact->core.flags != 0 ? STEEL_CONTACT_AREA * r * r : 0.0;
    }
    print_message("grains stand for %.3f of the plate that they cover\n", covered / (4.0 * half * half));
    assert_near(covered / (4.0 * half * half), 0.85, 0.15);
    soil_destroy(soil);
}

/// What pressed is part of the state, and no number that a contact could not have is taken for it.
TEST(a_forged_pressure_is_refused)
{
    Soil *soil = clinging_soil(), *other = clinging_soil();
    SoilTool tool = box();
    fill_box(soil);
    run_ticks(soil, &tool, 1, 30);
    assert_true(soil->state.memory.count > 100 && soil->state.memory.pressed[0] > 0.0F);
    Forger forger = {.copier = {.visitor = {.field = forge_field}, .size = 32u << 20}, .field = ""};
    forger.copier.bytes = malloc(forger.copier.size);
    assert_non_null(forger.copier.bytes);
    soil_visit(soil, &forger.copier.visitor);
    const struct {
        const char *field;
        float value;
        bool refused;
    } cases[] = {{"contacts.pressed", -1.0F, true},
                 {"contacts.pressed", NAN, true},
                 {"contacts.pressed", 1e13F, true},
                 {"", 0.0F, false}};
    for (int k = 0; k < 4; k++) {
        forger.copier.visitor = (StateVisitor){.field = forge_field, .restoring = true};
        forger.copier.at = 0;
        forger.field = cases[k].field;
        memcpy(&forger.value, &cases[k].value, sizeof forger.value);
        soil_visit(other, &forger.copier.visitor);
        assert_int_equal(forger.copier.visitor.failed, cases[k].refused);
    }
    for (int t = 0; t < 30; t++) {
        assert_true(hash_soil(soil) == hash_soil(other));
        run_ticks(soil, &tool, 1, 1);
        run_ticks(other, &tool, 1, 1);
    }
    free(forger.copier.bytes);
    soil_destroy(soil);
    soil_destroy(other);
}

TEST_GROUP(NULL, NULL)
