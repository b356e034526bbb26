/// A patch of heights: places, turning, grains, the edge of the site, the design.
// test: sanitized

#include "trainer/sim/ground_patch.h"

#include "soil/soil_lab.h"
#include "tests/support/test.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/session.h"

enum { SIDE = 21, SAMPLES = SIDE * SIDE };

typedef struct Patch {
    float ground[SAMPLES], design[SAMPLES];
    uint8_t mask[SAMPLES];
} Patch;

static int make_session(void **state)
{
    Status status;
    *state = session_create(&(SessionParams){.scene = "trench", .threads = 1}, &status);
    return *state != NULL ? 0 : -1;
}

static int free_session(void **state)
{
    session_destroy(*state);
    return 0;
}

static void fill(Session *session, double x, double y, double heading, double spacing, Patch *patch)
{
    GroundPatch where = {x, y, heading, SIDE, SIDE, spacing};
    Status status;
    assert_good(ground_patch_check(&where, &status), status);
    ground_patch_fill(session, &where, patch->ground, patch->design, patch->mask);
}

static float highest(const Patch *patch)
{
    float most = -INFINITY;
    for (int k = 0; k < SAMPLES; k++) {
        most = fmaxf(most, patch->ground[k]);
    }
    return most;
}

TEST_WITH(heights_are_those_of_the_ground, Session *session)
{
    Patch patch;
    const double x = 2.3, y = -1.7, heading = 0.7, spacing = 0.13;
    fill(session, x, y, heading, spacing, &patch);
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            double u = (column - SIDE / 2) * spacing, v = (row - SIDE / 2) * spacing;
            double at_x = x + u * cos(heading) - v * sin(heading), at_y = y + u * sin(heading) + v * cos(heading);
            double height = soil_get_height(session_soil(session), at_x, at_y);
            assert_near(patch.ground[row * SIDE + column], height, 1e-5);
            assert_int_equal(patch.mask[row * SIDE + column] & GROUND_PATCH_ON_SITE, GROUND_PATCH_ON_SITE);
        }
    }
}

/// The same places, seen from three other sides, with a heap of grains on them.
TEST_WITH(turning_by_quarters_gives_the_same_heights, Session *session)
{
    static Patch patches[4];
    Soil *soil = session_soil(session);
    for (int k = 0; k < 12; k++) {
        double x = 5.0 + 0.07 * k, y = 3.0 - 0.05 * (k % 5);
        assert_true(soil_add_particle(soil, vec3(x, y, soil_get_height(soil, x, y) + 0.08), vec3(0.0, 0.0, 0.0), 0.06,
                                      0, 1.5) >= 0);
    }
    for (int turn = 0; turn < 4; turn++) {
        fill(session, 5.03, 3.01, 0.3 + turn * M_PI / 2.0, 0.1, &patches[turn]);
    }
    int grains = 0;
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            int from = row * SIDE + column;
            // A place at (u, v) lies at (v, -u) of a patch that is turned to the left by a quarter.
            int r = row, c = column;
            for (int turn = 1; turn < 4; turn++) {
                int next_row = SIDE - 1 - c, next_column = r;
                r = next_row;
                c = next_column;
                assert_near(patches[turn].ground[r * SIDE + c], patches[0].ground[from], 1e-4);
                assert_int_equal(patches[turn].mask[r * SIDE + c], patches[0].mask[from]);
            }
            grains += (patches[0].mask[from] & GROUND_PATCH_GRAINS) != 0;
        }
    }
    assert_true(grains >= 12);
}

/// A ball on the ground: its top over the sample nearest to its middle, its skin over the others, nothing beside it.
TEST_WITH(a_grain_is_seen_as_a_ball, Session *session)
{
    Soil *soil = session_soil(session);
    const double x = -6.0, y = 4.0, radius = 0.15, z = soil_get_height(soil, -6.0, 4.0) + 0.5;
    static Patch before, after;
    fill(session, x, y, 0.0, 0.1, &before);
    assert_true(soil_add_particle(soil, vec3(x, y, z), vec3(0.0, 0.0, 0.0), radius, 0, 8.0) >= 0);
    fill(session, x, y, 0.0, 0.1, &after);
    int middle = SIDE / 2 * SIDE + SIDE / 2;
    assert_near(after.ground[middle], z + radius, 1e-5);
    assert_near(after.ground[middle + 1], z + sqrt(radius * radius - 0.01), 1e-5);
    assert_near(after.ground[middle + 1 + SIDE], z + sqrt(radius * radius - 0.02), 1e-5);
    int raised = 0;
    for (int k = 0; k < SAMPLES; k++) {
        raised += after.ground[k] != before.ground[k];
        assert_int_equal((after.mask[k] & GROUND_PATCH_GRAINS) != 0, after.ground[k] != before.ground[k]);
    }
    assert_int_equal(raised, 9);
    // A grain much smaller than the spacing, off all samples, is seen at the sample whose square it lies in.
    fill(session, x - 3.3, y + 3.4, 0.0, 1.0, &after);
    assert_near(highest(&after), z + radius, 1e-5);
}

TEST_WITH(what_a_bucket_carries_is_no_ground, Session *session)
{
    static Patch before, after;
    SoilTool tools[COUPLING_MAX_TOOLS];
    assert_true(coupling_tools(session_machine(session), session_machine_state(session), tools) >= 1);
    const ToolShape *shape = tools[0].shape;
    double inside[2] = {0.0, 0.0};
    for (int k = 0; k < shape->inside_count; k++) {
        inside[0] += shape->inside[k][0] / shape->inside_count;
        inside[1] += shape->inside[k][1] / shape->inside_count;
    }
    Vec3 at = pose_apply(&tools[0].motion.frame, vec3(inside[0], 0.0, inside[1]));
    fill(session, at.x, at.y, 0.0, 0.1, &before);
    assert_true(soil_add_particle(session_soil(session), at, vec3(0.0, 0.0, 0.0), 0.05, 0, 1.0) >= 0);
    fill(session, at.x, at.y, 0.0, 0.1, &after);
    assert_memory_equal(before.ground, after.ground, sizeof before.ground);
    // Beside the bucket it is.
    double beside = shape->edge_width;
    at = pose_apply(&tools[0].motion.frame, vec3(inside[0], beside, inside[1]));
    fill(session, at.x, at.y, 0.0, 0.1, &before);
    assert_true(soil_add_particle(session_soil(session), at, vec3(0.0, 0.0, 0.0), 0.05, 0, 1.0) >= 0);
    fill(session, at.x, at.y, 0.0, 0.1, &after);
    assert_near(highest(&after), at.z + 0.05, 0.002);
}

TEST_WITH(beyond_the_site_is_masked_and_has_its_edge, Session *session)
{
    static Patch patch;
    SoilGridView grid = soil_get_grid(session_soil(session));
    double east = grid.origin_x + (grid.columns - 0.5) * grid.spacing;
    // Samples stand off the border by half of their spacing.
    fill(session, east - 0.05, grid.origin_y + 40 * grid.spacing, 0.0, 0.1, &patch);
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            int k = row * SIDE + column;
            bool beyond = column > SIDE / 2;
            assert_int_equal((patch.mask[k] & GROUND_PATCH_ON_SITE) == 0, beyond);
            if (beyond) {
                double y = grid.origin_y + 40 * grid.spacing + (row - SIDE / 2) * 0.1;
                assert_int_equal(patch.mask[k], 0);
                assert_near(patch.ground[k], soil_get_height(session_soil(session), east, y), 1e-5);
                assert_true(patch.design[k] == patch.ground[k]);
            }
        }
    }
    fill(session, 9e4, -9e4, 1.0, 10.0, &patch);
    for (int k = 0; k < SAMPLES; k++) {
        assert_int_equal(patch.mask[k], 0);
        assert_true(isfinite(patch.ground[k]));
    }
}

TEST_WITH(the_design_is_the_floor_of_the_trench, Session *session)
{
    static Patch patch;
    const SceneTrench *trench = &session_scene(session)->exercise.trench;
    double middle_x = trench->x + 0.5 * trench->length * cos(trench->heading);
    double middle_y = trench->y + 0.5 * trench->length * sin(trench->heading);
    fill(session, middle_x, middle_y, trench->heading, 0.1, &patch);
    int asked = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double v = (k / SIDE - SIDE / 2) * 0.1;
        bool inside = (patch.mask[k] & GROUND_PATCH_DESIGN) != 0;
        asked += inside;
        if (fabs(fabs(v) - 0.5 * trench->width) > 0.01) { // the sides run along rows; the patch ends within the length
            assert_int_equal(inside, fabs(v) < 0.5 * trench->width);
        }
        assert_near(patch.design[k], inside ? -trench->depth : (double)patch.ground[k], 1e-5);
    }
    assert_true(asked > SIDE);
}

TEST_WITH(only_heights_may_be_asked_for, Session *session)
{
    static Patch patch, alone;
    GroundPatch where = ground_patch_at_tip(session, SIDE, SIDE, 0.1);
    Vec3 tip = session_frame(session)->machine.tip;
    assert_true(where.x == tip.x && where.y == tip.y && where.heading == session_frame(session)->machine.yaw);
    ground_patch_fill(session, &where, patch.ground, patch.design, patch.mask);
    ground_patch_fill(session, &where, alone.ground, NULL, NULL);
    assert_memory_equal(patch.ground, alone.ground, sizeof patch.ground);
}

TEST(numbers_out_of_range_are_refused)
{
    const GroundPatch good = {0.0, 0.0, 0.0, 64, 64, 0.1};
    const GroundPatch bad[] = {{NAN, 0, 0, 64, 64, 0.1},      {0, 2e5, 0, 64, 64, 0.1}, {0, 0, INFINITY, 64, 64, 0.1},
                               {0, 0, 0, 0, 64, 0.1},         {0, 0, 0, 64, 513, 0.1},  {0, 0, 0, 64, 64, 0.0},
                               {0, 0, 0, 64, 64, 10.0000001}, {0, 0, 0, -1, 64, 0.1},   {0, 0, 0, 64, 64, NAN}};
    Status status;
    assert_true(ground_patch_check(&good, &status));
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_false(ground_patch_check(&bad[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
        assert_non_null(strstr(status.text, "allowed are"));
    }
}

TEST_GROUP(make_session, free_session)
