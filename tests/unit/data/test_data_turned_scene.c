/// The rig of `validate run same` that turns and mirrors exercises: places, headings, levers, and what it refuses.
#include <string.h>

#include "data/schema/load.h"
#include "tests/support/test.h"
#include "tests/validation/rigs/exercise/turned_scene.h"

static SceneParams scene, other;
static MachineParams machine;
static TurnedScene turned;

#define ROUNDING 1e-12 ///< m, rad

/// Loads `name` and the same turned.
static void turn(const char *name, const SceneTurn *how)
{
    Status status = {0};
    assert_good(data_load_scene(name, NULL, 0, &scene, &machine, NULL, &status), status);
    assert_good(scene_turn(&scene, how, &turned, &status), status);
    assert_good(data_load_scene(name, turned.set, turned.count, &other, &machine, NULL, &status), status);
}

TEST(a_quarter_turn_to_the_left)
{
    turn("trench", &(SceneTurn){.quarters = 1});
    assert_near(other.machine.x, 0.0, ROUNDING);
    assert_near(other.machine.y, -5.0, ROUNDING);
    assert_near(other.machine.heading, 0.5 * M_PI, ROUNDING);
    assert_near(other.exercise.trench.y, -0.2, ROUNDING);
    assert_near(other.exercise.trench.heading, 0.5 * M_PI, ROUNDING);
    assert_near(other.exercise.trench.dump_x, 7.5, ROUNDING);
    assert_near(other.exercise.trench.dump_y, -5.0, ROUNDING);
    assert_near(other.ground.roughness, 0.0, ROUNDING);
    turn("slot-dozing", &(SceneTurn){.quarters = 1});
    assert_near(other.ground.size_x, scene.ground.size_y, ROUNDING);
    assert_near(other.ground.size_y, scene.ground.size_x, ROUNDING);
}

TEST(a_mirror_about_the_x_axis)
{
    turn("truck-loading", &(SceneTurn){.mirrored = true});
    assert_near(other.machine.heading, -scene.machine.heading, ROUNDING);
    assert_near(other.exercise.truck.y, -6.5, ROUNDING);
    assert_near(fabs(other.exercise.truck.heading), M_PI, ROUNDING);
    assert_near(other.exercise.truck.dig_x, 7.7, ROUNDING);
    assert_near(other.ground.mounds[1].y, 1.6, ROUNDING);
    assert_near(other.ground.mounds[2].y, -1.6, ROUNDING);
    assert_near(other.ground.size_x, scene.ground.size_x, ROUNDING);
}

/// The shift comes before the mirror, the mirror before the turn.
TEST(all_at_once)
{
    const SceneTurn how = {.along = 0.25, .aside = 0.5, .mirrored = true, .quarters = 3};
    turn("bench", &how);
    const SceneEarthwork *bank = &other.ground.earthworks[0];
    assert_near(bank->x, -(0.0 + 0.5), ROUNDING);
    assert_near(bank->y, -(3.6 + 0.25), ROUNDING);
    assert_near(bank->heading, -0.5 * M_PI, ROUNDING);
    const SceneSurfacePart *part = &other.exercise.surface.parts[0];
    Vec3 back = scene_turn_back(&how, (Vec3){part->x, part->y, 1.0}, false);
    assert_near(back.x, scene.exercise.surface.parts[0].x, ROUNDING);
    assert_near(back.y, scene.exercise.surface.parts[0].y, ROUNDING);
    assert_near(back.z, 1.0, ROUNDING);
    back = scene_turn_back(&how, (Vec3){0.0, -1.0, 0.0}, true);
    assert_near(back.x, 1.0, ROUNDING);
    assert_near(back.y, 0.0, ROUNDING);
}

TEST(four_quarters_and_none_are_the_scene)
{
    static const SceneTurn none[] = {{.quarters = 0}, {.quarters = 4}, {.quarters = -4}};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        turn("truck-loading", &none[k]);
        assert_near(other.machine.heading, scene.machine.heading, ROUNDING);
        assert_near(other.exercise.truck.y, scene.exercise.truck.y, ROUNDING);
        assert_near(other.ground.mounds[1].x, scene.ground.mounds[1].x, ROUNDING);
    }
}

TEST(what_it_cannot_turn_is_refused)
{
    static const char *const parts[][2] = {{"boulders", "rocks"},
                                           {"haul", "exercise.haul"},
                                           {"tight-site", "fixtures"},
                                           {"lift-pipe", "exercise.loads"},
                                           {"ripping", "exercise.rip"}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        Status status = {0};
        assert_good(data_load_scene(parts[k][0], NULL, 0, &scene, &machine, NULL, &status), status);
        assert_false(scene_turn(&scene, &(SceneTurn){.quarters = 1}, &turned, &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
        if (strstr(status.text, parts[k][1]) == NULL) {
            fail_msg("%s: %s", parts[k][0], status.text);
        }
    }
}

TEST(mirrored_levers)
{
    OperatorControls controls, mirrored, twice;
    for (int k = 0; k < CONTROL_COUNT; k++) {
        controls.axis[k] = (int16_t)(100 + k);
    }
    mirrored = scene_mirror_levers(&controls);
    twice = scene_mirror_levers(&mirrored);
    assert_memory_equal(&twice, &controls, sizeof controls);
    assert_int_equal(mirrored.axis[CONTROL_SWING], -controls.axis[CONTROL_SWING]);
    assert_int_equal(mirrored.axis[CONTROL_LEFT_TRACK], controls.axis[CONTROL_RIGHT_TRACK]);
    assert_int_equal(mirrored.axis[CONTROL_BLADE_TILT], -controls.axis[CONTROL_BLADE_TILT]);
    assert_int_equal(mirrored.axis[CONTROL_BLADE_ANGLE], -controls.axis[CONTROL_BLADE_ANGLE]);
    assert_int_equal(mirrored.axis[CONTROL_BOOM], controls.axis[CONTROL_BOOM]);
}

TEST_GROUP(NULL, NULL)
