/// What the soil shows of its last tick: forces on tools, cut and active columns; nothing of another tick after a
/// restore.
// test: sanitized
#include "tests/support/soil_fixture.h"

#define DT      (1.0 / 60.0)
#define SUBSTEP (DT / 8.0)

/// One tick of a tool that moves with a velocity; `wrench` receives what the last substep did to it.
static void move_tick(Soil *soil, SoilTool *tool, Vec3 velocity, Wrench *wrench)
{
    tool->motion.velocity = velocity;
    soil_begin_tick(soil, tool, 1, DT);
    for (int k = 0; k < 8; k++) {
        tool->motion.frame.position = tool->motion.center = vec3_madd(tool->motion.center, SUBSTEP, velocity);
        soil_substep(soil, tool, 1, SUBSTEP, wrench);
    }
    soil_end_tick(soil, tool, 1);
}

/// The contacts' forces and their moments about the tool's centre sum up to the wrench. Returns how many are the
/// ground's.
static int check_sum(const Soil *soil, const SoilTool *tool, const Wrench *wrench)
{
    SoilToolContactView view = soil_get_tool_contacts(soil);
    Vec3 force = {0}, moment = {0};
    double size = 0.0;
    int ground = 0;
    for (int k = 0; k < view.count; k++) {
        const SoilToolContact *contact = &view.contacts[k];
        Vec3 arm = vec3_sub(contact->point, tool->motion.center);
        force = vec3_add(force, contact->force);
        moment = vec3_add(moment, vec3_cross(arm, contact->force));
        size += vec3_length(contact->force);
        ground += contact->particle == SOIL_NO_PARTICLE;
        assert_int_equal(contact->tool, 0);
        assert_near(vec3_length(contact->normal), 1.0, 1e-5);
    }
    assert_near(vec3_length(vec3_sub(force, wrench->force)), 0.0, 1e-5 * size);
    assert_near(vec3_length(vec3_sub(moment, wrench->moment)), 0.0, 1e-5 * size);
    return ground;
}

static bool is_particle(const Soil *soil, uint32_t id)
{
    SoilParticleView particles = soil_get_particles(soil);
    bool found = false;
    for (int k = 0; k < particles.count; k++) {
        found = found || particles.id[k] == id;
    }
    return found;
}

/// A box of sand hangs on a tool: what its floor and walls carry is the weight of the sand, contact by contact.
TEST(contacts_sum_up_to_the_wrench)
{
    const SoilSolver solvers[] = {SOIL_SOLVER_DEFAULT, SOIL_SOLVER_P2, SOIL_SOLVER_GS};
    for (int s = 0; s < 3; s++) {
        SceneParams scene = sand_scene();
        scene.particles.persistent = true;
        Soil *soil = make_soil(&scene, solvers[s], 1);
        ToolShape shape = box_shape(0.8, 0.8, 0.6);
        SoilTool box = box_tool(&shape, vec3(0, 0, 1.0));
        for (int k = 0; k < 250; k++) {
            soil_add_particle(soil, vec3(-0.3 + 0.1 * (k % 7), -0.3 + 0.1 * (k / 7 % 7), 1.05 + 0.1 * (k / 49)),
                              vec3(0, 0, 0), 0.045, 0, 0.5);
        }
        assert_int_equal(soil_get_tool_contacts(soil).count, 0);
        Wrench wrench;
        for (int tick = 0; tick < 120; tick++) {
            move_tick(soil, &box, vec3(0, 0, 0), &wrench);
        }
        assert_int_equal(check_sum(soil, &box, &wrench), 0);
        SoilToolContactView view = soil_get_tool_contacts(soil);
        assert_true(view.count >= 49);
        for (int k = 0; k < view.count; k++) {
            assert_true(is_particle(soil, view.contacts[k].particle));
            assert_true(vec3_dot(view.contacts[k].force, view.contacts[k].normal) < 0.0); // dry soil only pushes
        }
        if (solvers[s] == SOIL_SOLVER_DEFAULT) { // the published ones do not hold the weight (docs/soil-model.md)
            assert_near(wrench.force.z, -250 * 0.5 * STANDARD_GRAVITY, 0.01 * 250 * 0.5 * STANDARD_GRAVITY);
        }
        soil_destroy(soil);
    }
}

/// A plate pressed on intact ground is borne by the ground itself.
TEST(ground_bears_without_particles)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(0, 0, -0.002));
    blade.cuts = true;
    Wrench wrench;
    move_tick(soil, &blade, vec3(0, 0, 0), &wrench);
    SoilToolContactView view = soil_get_tool_contacts(soil);
    assert_true(view.count > 0);
    assert_int_equal(check_sum(soil, &blade, &wrench), view.count);
    for (int k = 0; k < view.count; k++) {
        assert_true(view.contacts[k].force.z > 0.0);
        assert_true(view.contacts[k].normal.z < -0.9); // the soil is below the tool
    }
    // Lifted off, nothing presses; a tick without a substep knows of nothing either.
    blade.motion.frame.position.z = blade.motion.center.z = 0.5;
    move_tick(soil, &blade, vec3(0, 0, 0), &wrench);
    assert_int_equal(soil_get_tool_contacts(soil).count, 0);
    soil_begin_tick(soil, &blade, 1, DT);
    soil_end_tick(soil, &blade, 1);
    assert_int_equal(soil_get_tool_contacts(soil).count, 0);
    soil_destroy(soil);
}

static bool covers(const SoilActiveTile *tiles, int count, const SoilCutColumn *cut)
{
    for (int k = 0; k < count; k++) {
        int row = cut->row - tiles[k].changed_row, column = cut->column - tiles[k].changed_column;
        if (row >= 0 && row < tiles[k].changed_rows && column >= 0 && column < tiles[k].changed_columns) {
            return true;
        }
    }
    return false;
}

enum { MANY = 1500 };

/// Everything that became particles is in the wedge: volume x bank density is the ledger's change, and every cut column
/// lies in an active tile.
TEST(cut_columns_hold_what_was_spawned)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(-1, 0, -0.3));
    blade.cuts = true;
    SoilCutColumn cuts[MANY];
    SoilActiveTile tiles[MANY];
    double bank = scene.soils[0].bank_density * 0.1 * 0.1;
    int all = 0;
    assert_int_equal(soil_get_wedge(soil, 1000, cuts, MANY), 0);
    for (int tick = 0; tick < 60; tick++) {
        int64_t before = soil_get_ledger(soil).ground;
        soil_clear_dirty(soil);
        Wrench wrench;
        move_tick(soil, &blade, vec3(0.5, 0, 0), &wrench);
        int count = soil_get_wedge(soil, 0, cuts, MANY);
        double mass = 0.0;
        for (int k = 0; k < count; k++) {
            assert_true(cuts[k].age == 0 && cuts[k].top > cuts[k].floor);
            mass += (cuts[k].top - cuts[k].floor) * bank;
            assert_true(covers(tiles, soil_get_active_tiles(soil, -1, tiles, MANY), &cuts[k]));
        }
        all += count;
        if (soil_get_counters(soil).absorbed == 0 && soil_get_counters(soil).active_columns == 0) {
            assert_near(mass, (double)(before - soil_get_ledger(soil).ground) * SOIL_QUANTUM, 1e-3 + 1e-4 * mass);
        }
        // The changed columns lie inside what drawing has to send anew.
        SoilGridView grid = soil_get_grid(soil);
        int active = soil_get_active_tiles(soil, -1, tiles, MANY);
        for (int k = 0; k < active; k++) {
            const SoilActiveTile *tile = &tiles[k];
            assert_true(tile->changed_rows == 0 || (tile->changed_row >= grid.dirty_row_min &&
                                                    tile->changed_row + tile->changed_rows - 1 <= grid.dirty_row_max));
            assert_true(tile->row + tile->rows <= grid.rows && tile->column + tile->columns <= grid.columns);
        }
    }
    assert_true(all > 50);
    int known = soil_get_wedge(soil, 1000, cuts, MANY);
    assert_int_equal(known, all < 1024 ? all : 1024);
    assert_int_equal(soil_get_wedge(soil, 1000, cuts, 7), 7);
    soil_destroy(soil);
}

/// A restored soil shows nothing of the ticks before, but what is state.
TEST(nothing_stale_after_a_restore)
{
    SceneParams scene = loam_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    ToolShape shape = plate_shape(0.08, 1.0, 1.2);
    SoilTool blade = box_tool(&shape, vec3(-1, 0, -0.3));
    blade.cuts = true;
    Wrench wrench;
    for (int tick = 0; tick < 30; tick++) {
        move_tick(soil, &blade, vec3(0.5, 0, -0.3), &wrench);
    }
    SoilCutColumn cut;
    SoilActiveTile tiles[64];
    const Vec3 *places;
    assert_true(soil_get_tool_contacts(soil).count > 0);
    assert_int_equal(soil_get_wedge(soil, 1000, &cut, 1), 1);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    soil_visit(soil, &copier.visitor);
    assert_true(soil_get_tool_contacts(soil).count > 0); // saving forgets nothing
    copier.at = 0;
    copier.visitor.restoring = true;
    soil_visit(soil, &copier.visitor);
    assert_false(copier.visitor.failed);
    assert_int_equal(soil_get_tool_contacts(soil).count, 0);
    assert_int_equal(soil_get_wedge(soil, 1000, &cut, 1), 0);
    assert_int_equal(soil_get_yields(soil, &places), 0);
    int count = soil_get_active_tiles(soil, -1, tiles, 64);
    for (int k = 0; k < count; k++) {
        assert_true(tiles[k].slides && tiles[k].changed_rows == 0);
    }
    assert_int_equal(soil_get_active_tiles(soil, 0, tiles, 64), 0); // there is no tray
    SoilCounters counters = soil_get_counters(soil);
    assert_int_equal(counters.particles, soil_get_particles(soil).count);
    assert_int_equal(counters.spawned + counters.absorbed + counters.contacts + counters.active_columns, 0);
    free(copier.bytes);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
