/// JSON of a station.
#include "trainer/remote/link_messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "trainer/remote/broker_message.h"
#include "trainer/remote/console_event.h"
#include "trainer/sim/sim.h"

#ifndef SPADEWORK_VERSION
#define SPADEWORK_VERSION "?"
#endif

enum { REAL_DIGITS = 14 }; ///< of a number in a text: ms since 1970

static json_t *begin(void)
{
    return json_pack("{s:i}", "version", 1);
}

static char *write_out(json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS)) : NULL;
    json_decref(object);
    return text;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text != NULL ? text : "");
    json_object_set_new(object, key, value != NULL ? value : json_string("?")); // bytes that are no UTF-8
}

/// To a thousandth.
static void set_real(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(isfinite(value) ? round(value * 1000.0) / 1000.0 : 0.0));
}

static void set_who(json_t *object, const LinkWho *who)
{
    set_text(object, "instance", who->instance);
    set_text(object, "host", who->host);
    set_text(object, "address", who->address);
    json_object_set_new(object, "process", json_integer(who->process));
}

/// ---- the station ---------------------------------------------------------------------------------------------------

char *link_status_text(const LinkStatus *status)
{
    json_t *object = begin();
    json_object_set_new(object, "online", json_true());
    set_text(object, "station", status->station);
    set_text(object, "phase", status->phase);
    set_text(object, "scene", status->scene);
    set_text(object, "title", status->title);
    set_text(object, "trainee", status->trainee);
    set_text(object, "drive", status->drive);
    set_text(object, "program", SPADEWORK_VERSION);
    set_text(object, "since", status->since);
    set_who(object, status->who);
    json_object_set_new(object, "term", json_integer(status->term));
    return write_out(object);
}

char *link_gone_text(const char *station, const char *instance)
{
    json_t *object = begin();
    json_object_set_new(object, "online", json_false());
    set_text(object, "station", station);
    set_text(object, "instance", instance);
    return write_out(object);
}

char *link_claim_text(const LinkWho *who, bool held, bool out)
{
    json_t *object = begin();
    set_who(object, who);
    json_object_set_new(object, "held", json_boolean(held));
    json_object_set_new(object, "out", json_boolean(out));
    return write_out(object);
}

static char *write_scenes(const LinkScene *scenes, int count, const char *courses)
{
    json_t *object = begin(), *list = json_array();
    json_t *read = courses != NULL ? json_loads(courses, 0, NULL) : NULL;
    for (int k = 0; k < count; k++) {
        json_t *scene = json_object();
        set_text(scene, "name", scenes[k].name);
        set_text(scene, "title", scenes[k].title);
        json_array_append_new(list, scene);
    }
    json_object_set_new(object, "scenes", list);
    json_object_set_new(object, "courses", read != NULL ? read : json_array());
    return write_out(object);
}

char *link_scenes_text(const LinkScene *scenes, int count, const char *courses)
{
    char *text = write_scenes(scenes, count, courses);
    while (text != NULL && strlen(text) > BROKER_PAYLOAD && count > 0) {
        free(text);
        count -= count / 8 + 1;
        text = write_scenes(scenes, count, courses);
    }
    return text;
}

char *link_answer_text(const char *id, const char *error)
{
    json_t *object = begin();
    set_text(object, "id", id);
    json_object_set_new(object, "taken", json_boolean(error == NULL));
    if (error != NULL) {
        set_text(object, "error", error);
    }
    return write_out(object);
}

/// ---- the drive -----------------------------------------------------------------------------------------------------

char *link_event_text(const char *drive, int number, double time, const ExerciseEvent *event,
                      const SceneExercise *scene)
{
    json_t *object = begin();
    set_text(object, "drive", drive);
    json_object_set_new(object, "number", json_integer(number));
    set_real(object, "time", time);
    console_event_add(object, event, scene);
    return write_out(object);
}

static json_t *pose(const MachineReadout *readout)
{
    json_t *object = json_object();
    set_real(object, "x", readout->base.x);
    set_real(object, "y", readout->base.y);
    set_real(object, "z", readout->base.z);
    set_real(object, "heading", readout->yaw);
    set_real(object, "pitch", readout->pitch);
    set_real(object, "roll", readout->roll);
    return object;
}

/// The levers that the machine has.
static json_t *levers(const MachineParams *params, const OperatorControls *controls)
{
    json_t *object = json_object();
    for (int k = 0; k < CONTROL_COUNT; k++) {
        bool drives = k == CONTROL_LEFT_TRACK || k == CONTROL_RIGHT_TRACK || k == CONTROL_THROTTLE;
        if (drives || machine_joint_of_control(params, (ControlAxis)k) >= 0) {
            set_real(object, control_axis_names[k], control_value(controls, (ControlAxis)k));
        }
    }
    return object;
}

static int count_faults(const Session *session)
{
    char unused[ORDER_NAME];
    int count = 0;
    for (int fault = 0; fault < SESSION_FAULT_COUNT; fault++) {
        for (int part = 0; part < ORDER_PARTS; part++) {
            bool there = session_order_part((SessionFault)fault, part, session_scene(session),
                                            session_machine_params(session), unused);
            double sound = session_fault_kind((SessionFault)fault)->sound;
            count += there && (session_orders(session)->value[fault][part] < sound ||
                               session_orders(session)->value[fault][part] > sound);
        }
    }
    return count;
}

char *link_state_text(const LinkMoment *moment, Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const Exercise *exercise = session_exercise(session);
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    json_t *object = begin();
    json_object_set_new(object, "sequence", json_integer(moment->sequence));
    set_real(object, "sent", moment->sent);
    set_text(object, "drive", moment->drive);
    set_text(object, "phase", moment->phase);
    set_real(object, "time", frame->time);
    set_real(object, "score", exercise_score(exercise));
    set_real(object, "progress", fmax(0.0, fmin(1.0, values[METRIC_WORK_SHARE])));
    set_real(object, "real_time", moment->real_time);
    json_object_set_new(object, "pose", pose(&frame->machine));
    json_object_set_new(object, "levers", levers(session_machine_params(session), &frame->controls));
    json_object_set_new(object, "faults", json_integer(count_faults(session)));
    json_object_set_new(object, "events", json_integer(moment->events));
    return write_out(object);
}
