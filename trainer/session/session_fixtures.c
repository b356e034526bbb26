/// Things made of a scene's fixtures, the machine's touches of them in each substep, and the events that follow.
#include "trainer/session/session_fixtures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/scene_fixture.h"

/// Coulomb's friction of painted and worn steel on concrete and steel. Chosen within what handbooks give (0.3 to 0.5).
#define FIXTURE_FRICTION 0.4
/// s for which a body has to be clear of a fixture before it can meet it anew.
#define CLEAR_TIME 0.5
/// Ticks are not counted beyond.
#define LONG_CLEAR 1000000

/// What a body had to do with a fixture in this tick.
typedef struct Meeting {
    int part; ///< of the first touch
    double speed; ///< m/s: the fastest
    double impulse; ///< N s
    bool met;
} Meeting;

struct SessionFixtures {
    int count;
    SolidThing thing[SCENE_MAX_FIXTURES];
    char name[SCENE_MAX_FIXTURES][sizeof((SceneFixture *)NULL)->name];
    MachineTouch touches[MACHINE_MAX_TOUCHES];
    int touch_count;
    Meeting meeting[SCENE_MAX_FIXTURES][MACHINE_MAX_BODIES];
    /// State.
    int32_t clear[SCENE_MAX_FIXTURES][MACHINE_MAX_BODIES]; ///< ticks since the last touch
};

static bool make_things(SessionFixtures *self, const SceneParams *scene, Status *status)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        Vec3 points[SCENE_FIXTURE_MAX_POINTS];
        const char *reason;
        int count = scene_fixture_points(&scene->fixtures[k], points);
        if (!solid_thing_make(points, count, FIXTURE_FRICTION, &self->thing[k], &reason)) {
            return status_fail(status, STATUS_BAD_FILE, "scene %s: fixtures.%d (%s): %s", scene->name, k,
                               scene->fixtures[k].name, reason);
        }
        snprintf(self->name[k], sizeof self->name[k], "%s", scene->fixtures[k].name);
        for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
            self->clear[k][body] = LONG_CLEAR;
        }
    }
    self->count = scene->fixtures_count;
    return true;
}

bool session_fixtures_create(const SceneParams *scene, const Machine *machine, const MachineState *state,
                             SessionFixtures **fixtures, Status *status)
{
    *fixtures = NULL;
    if (scene->fixtures_count == 0) {
        return true;
    }
    SessionFixtures *self = calloc(1, sizeof *self);
    *fixtures = self;
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the fixtures");
    }
    if (!make_things(self, scene, status)) {
        return false;
    }
    int count;
    const MachineTouch *touches = session_fixtures_find(self, machine, state, &count);
    if (count > 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "scene %s: fixtures.%d (%s): the machine starts in it: its %s reaches %.3g m into it at "
                           "%.4g, %.4g, %.4g",
                           scene->name, touches->thing, self->name[touches->thing],
                           machine_part_name(machine, touches->part), touches->depth, touches->point.x,
                           touches->point.y, touches->point.z);
    }
    return true;
}

void session_fixtures_destroy(SessionFixtures *fixtures)
{
    free(fixtures);
}

MachineTouch *session_fixtures_find(SessionFixtures *fixtures, const Machine *machine, const MachineState *state,
                                    int *count)
{
    if (fixtures == NULL) {
        *count = 0;
        return NULL;
    }
    fixtures->touch_count = machine_find_touches(machine, state, fixtures->thing, fixtures->count, fixtures->touches);
    *count = fixtures->touch_count;
    return fixtures->touches;
}

void session_fixtures_take(SessionFixtures *fixtures, double h)
{
    for (int k = 0; fixtures != NULL && k < fixtures->touch_count; k++) {
        const MachineTouch *touch = &fixtures->touches[k];
        Meeting *meeting = &fixtures->meeting[touch->thing][touch->body];
        if (!meeting->met) {
            *meeting = (Meeting){.part = touch->part, .met = true};
        }
        meeting->speed = fmax(meeting->speed, touch->speed);
        meeting->impulse += vec3_length(touch->force) * h;
    }
}

void session_fixtures_end_tick(SessionFixtures *fixtures, const Machine *machine, int64_t tick, double dt,
                               Exercise *exercise)
{
    for (int k = 0; fixtures != NULL && k < fixtures->count; k++) {
        for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
            Meeting *meeting = &fixtures->meeting[k][body];
            int32_t *clear = &fixtures->clear[k][body];
            if (meeting->met && *clear * dt >= CLEAR_TIME) {
                char text[96];
                snprintf(text, sizeof text, "%s touches %s at %.2f m/s, %.1f kN s",
                         machine_part_name(machine, meeting->part), fixtures->name[k], meeting->speed,
                         1e-3 * meeting->impulse);
                exercise_note(exercise, tick, "touch", text);
            }
            *clear = meeting->met ? 0 : *clear < LONG_CLEAR ? *clear + 1 : LONG_CLEAR;
            *meeting = (Meeting){.met = false};
        }
    }
}

void session_fixtures_visit(SessionFixtures *fixtures, StateVisitor *visitor)
{
    if (fixtures == NULL) {
        return;
    }
    STATE_VISIT(visitor, "fixtures.clear", fixtures->clear);
    for (int k = 0; visitor->restoring && k < SCENE_MAX_FIXTURES * MACHINE_MAX_BODIES; k++) {
        int32_t *clear = &fixtures->clear[k / MACHINE_MAX_BODIES][k % MACHINE_MAX_BODIES];
        if (*clear < 0 || *clear > LONG_CLEAR) {
            *clear = LONG_CLEAR;
            visitor->failed = true;
        }
    }
}
