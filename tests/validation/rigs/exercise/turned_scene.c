/// Places and headings of a scene, turned one by one into settings.
#include "tests/validation/rigs/exercise/turned_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(TurnedScene *turned, double value, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Adds "KEY=VALUE"; the key as printf.
static void put(TurnedScene *turned, double value, const char *format, ...)
{
    char key[TURNED_SETTING - 26];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line before; clang 14 does not see it
    int length = vsnprintf(key, sizeof key, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof key || turned->count == TURNED_SETTINGS) {
        abort(); // TURNED_SETTINGS is less than a scene may need
    }
    char *text = turned->text[turned->count];
    snprintf(text, TURNED_SETTING, "%s=%.17g", key, value);
    turned->set[turned->count++] = text;
}

static bool is_odd(const SceneTurn *turn)
{
    return turn->quarters % 2 != 0;
}

/// Sets PREFIX.x and PREFIX.y, or PREFIXx and PREFIXy where the prefix ends in `_`.
static void put_place(TurnedScene *turned, const SceneTurn *turn, const char *prefix, double x, double y)
{
    const char *dot = prefix[strlen(prefix) - 1] == '_' ? "" : ".";
    x += turn->along;
    y += turn->aside;
    y = turn->mirrored ? -y : y;
    for (int k = 0; k < (turn->quarters % 4 + 4) % 4; k++) {
        double east = -y;
        y = x;
        x = east;
    }
    put(turned, x, "%s%sx", prefix, dot);
    put(turned, y, "%s%sy", prefix, dot);
}

static void put_heading(TurnedScene *turned, const SceneTurn *turn, const char *prefix, double heading)
{
    double degrees = heading * 180.0 / M_PI;
    degrees = (turn->mirrored ? -degrees : degrees) + 90.0 * turn->quarters;
    put(turned, remainder(degrees, 360.0), "%s.heading_deg", prefix);
}

static void put_ground(TurnedScene *turned, const SceneTurn *turn, const SceneGround *ground)
{
    char prefix[40];
    put(turned, is_odd(turn) ? ground->size_y : ground->size_x, "ground.size_x");
    put(turned, is_odd(turn) ? ground->size_x : ground->size_y, "ground.size_y");
    put(turned, 0.0, "ground.roughness");
    for (int k = 0; k < ground->mound_count; k++) {
        snprintf(prefix, sizeof prefix, "ground.mounds.%d", k);
        put_place(turned, turn, prefix, ground->mounds[k].x, ground->mounds[k].y);
    }
    for (int k = 0; k < ground->patch_count; k++) {
        const ScenePatch *patch = &ground->patches[k];
        snprintf(prefix, sizeof prefix, "ground.patches.%d", k);
        put_place(turned, turn, prefix, patch->x, patch->y);
        if (patch->radius <= 0.0) {
            put_heading(turned, turn, prefix, patch->heading);
        }
    }
    for (int k = 0; k < ground->earthwork_count; k++) {
        snprintf(prefix, sizeof prefix, "ground.earthworks.%d", k);
        put_place(turned, turn, prefix, ground->earthworks[k].x, ground->earthworks[k].y);
        put_heading(turned, turn, prefix, ground->earthworks[k].heading);
    }
}

static void put_exercise(TurnedScene *turned, const SceneTurn *turn, const SceneExercise *exercise)
{
    char prefix[48];
    if (exercise->kind == EXERCISE_TRENCH) {
        put_place(turned, turn, "exercise.trench", exercise->trench.x, exercise->trench.y);
        put_heading(turned, turn, "exercise.trench", exercise->trench.heading);
        put_place(turned, turn, "exercise.trench.dump_", exercise->trench.dump_x, exercise->trench.dump_y);
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        put_place(turned, turn, "exercise.truck", exercise->truck.x, exercise->truck.y);
        put_heading(turned, turn, "exercise.truck", exercise->truck.heading);
        put_place(turned, turn, "exercise.truck.dig_", exercise->truck.dig_x, exercise->truck.dig_y);
    }
    for (int k = 0; k < exercise->surface.parts_count; k++) {
        snprintf(prefix, sizeof prefix, "exercise.surface.parts.%d", k);
        put_place(turned, turn, prefix, exercise->surface.parts[k].x, exercise->surface.parts[k].y);
        put_heading(turned, turn, prefix, exercise->surface.parts[k].heading);
    }
    for (int k = 0; k < exercise->targets_count; k++) {
        const SceneTarget *target = &exercise->targets[k];
        snprintf(prefix, sizeof prefix, "exercise.targets.%d", k);
        put_place(turned, turn, prefix, target->x, target->y);
        if (target->what == SCENE_TARGET_MACHINE) {
            put_heading(turned, turn, prefix, target->heading);
        }
    }
}

/// The key of a part that cannot be turned; NULL: there is none.
static const char *fixed_part(const SceneParams *scene)
{
    const SceneExercise *exercise = &scene->exercise;
    const struct {
        bool there;
        const char *key;
    } parts[] = {
        {exercise->haul.trucks > 0, "exercise.haul"},
        {exercise->loads_count > 0, "exercise.loads"},
        {exercise->rip.length > 0.0, "exercise.rip"},
        {exercise->surface.file[0] != '\0', "exercise.surface.file"},
        {exercise->surface.heights[0] != '\0', "exercise.surface.heights"},
        {scene->grains_count > 0, "grains"},
        {scene->rocks_count > 0, "rocks"},
        {scene->fixtures_count > 0, "fixtures"},
        {scene->persons_count > 0, "persons"},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (parts[k].there) {
            return parts[k].key;
        }
    }
    return NULL;
}

bool scene_turn(const SceneParams *scene, const SceneTurn *turn, TurnedScene *turned, Status *status)
{
    const char *fixed = fixed_part(scene);
    if (fixed != NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "%s: the scene has %s, which cannot be turned", scene->name,
                           fixed);
    }
    turned->count = 0;
    put_place(turned, turn, "machine", scene->machine.x, scene->machine.y);
    put_heading(turned, turn, "machine", scene->machine.heading);
    put_ground(turned, turn, &scene->ground);
    put_exercise(turned, turn, &scene->exercise);
    return true;
}

Vec3 scene_turn_back(const SceneTurn *turn, Vec3 vector, bool free)
{
    for (int k = 0; k < (turn->quarters % 4 + 4) % 4; k++) {
        vector = (Vec3){vector.y, -vector.x, vector.z};
    }
    vector.y = turn->mirrored ? -vector.y : vector.y;
    if (!free) {
        vector.x -= turn->along;
        vector.y -= turn->aside;
    }
    return vector;
}

OperatorControls scene_mirror_levers(const OperatorControls *controls)
{
    static const ControlAxis turns[] = {CONTROL_SWING, CONTROL_BLADE_TILT, CONTROL_BLADE_ANGLE};
    OperatorControls mirrored = *controls;
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        mirrored.axis[turns[k]] = (int16_t)-controls->axis[turns[k]];
    }
    mirrored.axis[CONTROL_LEFT_TRACK] = controls->axis[CONTROL_RIGHT_TRACK];
    mirrored.axis[CONTROL_RIGHT_TRACK] = controls->axis[CONTROL_LEFT_TRACK];
    return mirrored;
}
