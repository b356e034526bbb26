/// What programs read of a session: numbers, heights, grains, events.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/deep_call.h"
#include "trainer/api/api_internal.h"

/// ---- numbers -------------------------------------------------------------------------------------------------------

typedef struct Values {
    double *values; ///< NULL: they are counted
    size_t count;
} Values;

static void count_number(void *context, const ApiNumber *number)
{
    (void)number;
    ((Values *)context)->count++;
}

static void write_number(void *context, const ApiNumber *number)
{
    Values *to = context;
    to->values[to->count++] = number->value;
}

static int refuse_count(ApiSession *own, const char *what, const double *values, size_t count, size_t needed)
{
    return api_fail(own, SPADEWORK_BAD_ARGUMENT, "%s: there is room for %zu numbers; needed are exactly %zu", what,
                    values == NULL ? 0 : count, needed);
}

int spadework_observe(Spadework session, double *values, size_t count)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    Values to = {.values = values};
    api_observation(call.own, count_number, &to);
    if (values == NULL || count != to.count) {
        return api_leave(&call, refuse_count(call.own, "observation", values, count, to.count));
    }
    to.count = 0;
    api_observation(call.own, write_number, &to);
    return api_leave(&call, SPADEWORK_GOOD);
}

typedef struct Terms {
    ApiSession *own;
    double *values;
    size_t count;
    int result;
} Terms;

static void read_terms(void *context)
{
    Terms *terms = context;
    double *values = terms->values;
    Values to = {.values = values};
    if (!api_exercise(terms->own, false, count_number, &to)) {
        terms->result = api_fail(terms->own, SPADEWORK_NO_MEMORY, "no memory for the design's heights");
    } else if (values == NULL || terms->count != to.count) {
        terms->result = refuse_count(terms->own, "exercise", values, terms->count, to.count);
    } else {
        to.count = 0;
        bool measured = api_exercise(terms->own, true, write_number, &to);
        terms->result =
            measured ? SPADEWORK_GOOD : api_fail(terms->own, SPADEWORK_NO_MEMORY, "no memory for the ground's heights");
    }
}

int spadework_exercise(Spadework session, double *values, size_t count)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    Terms terms = {.own = call.own, .values = values, .count = count};
    read_terms(&terms);
    return api_leave(&call, terms.result);
}

/// ---- heights -------------------------------------------------------------------------------------------------------

/// Where the boom points, or of a machine without a swing its heading, rad.
static double house_heading(const ApiSession *own)
{
    const MachineParams *machine = session_machine_params(own->session);
    const MachineReadout *readout = &session_frame(own->session)->machine;
    return readout->yaw - (machine->swing_joint >= 0 ? readout->angle[machine->swing_joint] : 0.0);
}

/// A patch's middle and heading in the world.
static void place_patch(const ApiSession *own, const SpadeworkPatch *patch, GroundPatch *placed)
{
    const MachineReadout *readout = &session_frame(own->session)->machine;
    double x = 0.0, y = 0.0, heading = 0.0;
    if (patch->frame != SPADEWORK_WORLD) {
        Vec3 middle = patch->frame == SPADEWORK_TOOL ? readout->tip : readout->base;
        x = middle.x;
        y = middle.y;
        heading = patch->frame == SPADEWORK_MACHINE ? readout->yaw : house_heading(own);
    }
    double c = cos(heading), s = sin(heading);
    placed->x = x + c * patch->x - s * patch->y;
    placed->y = y + s * patch->x + c * patch->y;
    placed->heading = heading + patch->heading;
    placed->rows = patch->rows;
    placed->columns = patch->columns;
    placed->spacing = patch->spacing;
}

int spadework_heights(Spadework session, const SpadeworkPatch *patch, float *ground, float *design, uint8_t *mask)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    ApiSession *own = call.own;
    Status status = {.code = STATUS_GOOD};
    GroundPatch placed;
    if (patch == NULL || patch->size != sizeof *patch || ground == NULL) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "%s",
                          ground == NULL ? "ground is NULL" : "patch: begin with SPADEWORK_PATCH");
    } else if (patch->frame < SPADEWORK_WORLD || patch->frame > SPADEWORK_TOOL) {
        result = api_fail(own, SPADEWORK_BAD_ARGUMENT, "patch: frame %d; allowed is 0 to 3", (int)patch->frame);
    } else {
        place_patch(own, patch, &placed);
        if (ground_patch_check(&placed, &status)) {
            ground_patch_fill(own->session, &placed, ground, design, mask);
        } else {
            result = api_fail_status(own, &status, SPADEWORK_BAD_ARGUMENT, SPADEWORK_NO_MEMORY);
        }
    }
    return api_leave(&call, result);
}

int spadework_particles(Spadework session, double *particles, size_t most, size_t *count)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    SoilParticleView view = soil_get_particles(session_soil(call.own->session));
    if (count != NULL) {
        *count = (size_t)view.count;
    }
    for (size_t k = 0; particles != NULL && k < (size_t)view.count && k < most; k++) {
        double *row = particles + k * SPADEWORK_PARTICLE;
        row[0] = view.x[k];
        row[1] = view.y[k];
        row[2] = view.z[k];
        row[3] = (double)view.radius[k];
        row[4] = view.vx[k];
        row[5] = view.vy[k];
        row[6] = view.vz[k];
        row[7] = view.mass[k] * SOIL_QUANTUM;
        row[8] = view.soil[k];
    }
    return api_leave(&call, SPADEWORK_GOOD);
}

/// ---- events --------------------------------------------------------------------------------------------------------

static void write_event(const ApiSession *own, const ExerciseEvent *from, SpadeworkEvent *to)
{
    char text[EVENT_TEXT];
    memset(to, 0, sizeof *to);
    to->tick = from->tick;
    to->time = (double)from->tick * session_dt(own->session);
    to->points = from->number.points;
    memcpy(to->numbers, &from->number, sizeof from->number);
    snprintf(to->kind, sizeof to->kind, "%s", event_kind_name((EventKind)from->kind));
    event_thing_text(&from->part, &reader_of_files, text);
    snprintf(to->part, sizeof to->part, "%.*s", SPADEWORK_NAME - 1, text);
    event_thing_text(&from->thing, &reader_of_files, text);
    snprintf(to->thing, sizeof to->thing, "%.*s", SPADEWORK_NAME - 1, text);
    event_text(from, &reader_of_files, &session_scene(own->session)->exercise, text);
    snprintf(to->text, sizeof to->text, "%s", text);
}

_Static_assert((int)EVENT_NUMBER_COUNT <= (int)SPADEWORK_NUMBERS, "an event's numbers have room");
_Static_assert((int)EVENT_TEXT <= (int)SPADEWORK_SENTENCE, "an event's sentence has room");

int spadework_events(Spadework session, size_t from, SpadeworkEvent *events, size_t most, size_t *count)
{
    ApiCall call;
    int result = api_enter(&call, session);
    if (result != SPADEWORK_GOOD) {
        return result;
    }
    const Exercise *exercise = session_exercise(call.own->session);
    size_t all = (size_t)exercise_event_count(exercise);
    size_t there = from < all ? all - from : 0;
    for (size_t k = 0; events != NULL && k < there && k < most; k++) {
        write_event(call.own, exercise_event(exercise, (int)(from + k)), &events[k]);
    }
    if (count != NULL) {
        *count = there;
    }
    return api_leave(&call, SPADEWORK_GOOD);
}
