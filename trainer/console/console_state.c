/// The texts that the page draws. They follow from the session as it stands and from the ground as it was when the view
/// was made.
#include "trainer/console/console_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "trainer/console/console_faults.h"
#include "trainer/console/console_figure.h"
#include "trainer/language/event_words.h"
#include "trainer/language/scene_language.h"

#define MAP_HALF 11.0 ///< m each way about the machine that the map of the ground goes
#define MAP_STEP 0.275 ///< m

enum { MAP_SIDE = 80, REAL_DIGITS = 7, EVENT_WORDS = 256 };

struct ConsoleView {
    int rows, columns;
    float *start; ///< m, [rows][columns]: heights when the view was made
    double floor; ///< m, world: of the trench that is asked for; NAN: not known
    double cut, fill; ///< m3 since, at the last map
    SceneParams shown; ///< in the language of who reads
};

/// The floor of a trench, below the ground at its middle; once it is being dug that cannot be seen any more.
static double find_floor(Session *session)
{
    const SceneTrench *trench = &session_scene(session)->exercise.trench;
    double half = 0.5 * trench->length;
    if (session_scene(session)->exercise.kind != EXERCISE_TRENCH || session_frame(session)->tick > 60) {
        return NAN;
    }
    return soil_get_height(session_soil(session), trench->x + half * same_cos(trench->heading),
                           trench->y + half * same_sin(trench->heading)) -
           trench->depth;
}

ConsoleView *console_view_create(Session *session)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    size_t count = (size_t)grid.rows * (size_t)grid.columns;
    ConsoleView *view = calloc(1, sizeof *view);
    float *start = malloc(count * sizeof *start);
    if (view == NULL || start == NULL) {
        free(view);
        free(start);
        return NULL;
    }
    memcpy(start, grid.height, count * sizeof *start);
    view->rows = grid.rows;
    view->columns = grid.columns;
    view->start = start;
    view->floor = find_floor(session);
    view->shown = *session_scene(session);
    language_translate_scene(&view->shown);
    return view;
}

void console_view_destroy(ConsoleView *view)
{
    if (view != NULL) {
        free(view->start);
        free(view);
    }
}

static char *write_out(json_t *object, size_t *size)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS)) : NULL;
    *size = text != NULL ? strlen(text) : 0;
    json_decref(object);
    return text;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text != NULL ? text : "");
    json_object_set_new(object, key, value != NULL ? value : json_string("?")); // bytes that are no UTF-8
}

/// ---- parts of the state --------------------------------------------------------------------------------------------

static void add_notes(json_t *state, const ConsoleNotes *notes)
{
    set_text(state, "phase", notes->phase);
    set_text(state, "station", notes->station);
    set_text(state, "trainee", notes->trainee);
    set_text(state, "driver", notes->driver);
    set_text(state, "recording", notes->recording);
    set_text(state, "debrief", notes->debrief);
    set_text(state, "picture", notes->picture);
    json_object_set_new(state, "real_time", json_real(notes->real_time));
    json_t *orders = json_array();
    for (int k = 0; k < notes->order_count; k++) {
        const ConsoleOrder *order = &notes->orders[k];
        json_array_append_new(
            orders, json_pack("{s:f, s:s, s:s}", "time", order->time, "command", order->command, "text", order->text));
    }
    json_object_set_new(state, "orders", orders);
    json_t *snapshots = json_array();
    for (int k = 0; k < notes->snapshot_count; k++) {
        json_array_append_new(
            snapshots, json_pack("{s:f, s:s}", "time", notes->snapshots[k].time, "text", notes->snapshots[k].text));
    }
    json_object_set_new(state, "snapshots", snapshots);
}

static json_t *pressures(const MachineParams *params, const MachineReadout *readout)
{
    json_t *list = json_array();
    for (int k = 0; k < params->joint_count; k++) {
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f}", "name", params->joint[k].name, "pressure",
                                              readout->pressure[k], "relief", machine_joint_relief(params, k), "angle",
                                              readout->angle[k]));
    }
    return list;
}

static void add_gauges(json_t *state, const Session *session)
{
    const MachineParams *params = session_machine_params(session);
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *readout = &frame->machine;
    char limits[MACHINE_LIMITS_TEXT];
    machine_limits_text(readout->limits, limits);
    json_object_set_new(state, "gauges",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:[f, f], s:s, s:o}",
                                  "engine_speed", readout->engine_speed, "engine_rated", params->engine.rated_speed,
                                  "fuel", readout->fuel, "tank", params->engine.tank, "payload", frame->payload,
                                  "pitch", readout->pitch, "roll", readout->roll, "speed", readout->speed_over_ground,
                                  "tip_height", readout->tip_height, "gear", readout->gear, "slip", readout->slip[0],
                                  readout->slip[1], "limits", limits, "pressures", pressures(params, readout)));
}

/// The levers that the machine has.
static void add_levers(json_t *state, const MachineParams *params, const OperatorControls *controls)
{
    json_t *levers = json_object();
    for (int k = 0; k < CONTROL_COUNT; k++) {
        bool drives = k == CONTROL_LEFT_TRACK || k == CONTROL_RIGHT_TRACK || k == CONTROL_THROTTLE;
        if (!drives && machine_joint_of_control(params, (ControlAxis)k) < 0) {
            continue;
        }
        double value = control_value(controls, (ControlAxis)k);
        json_object_set_new(levers, control_axis_names[k], json_real(round(value * 1000.0) / 1000.0));
    }
    json_object_set_new(state, "levers", levers);
}

static void add_score(json_t *state, const Exercise *exercise, const SceneExercise *asked)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(exercise, rows);
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "label", score_label(&asked->scores[k]), "points",
                                              rows[k].points, "of", asked->scores[k].weight));
    }
    json_object_set_new(state, "rows", list);
    json_object_set_new(state, "score", json_real(exercise_score(exercise)));
    json_object_set_new(state, "pass_mark", json_real(asked->pass_mark));
    json_object_set_new(state, "finished", json_boolean(exercise_is_finished(exercise)));
    json_object_set_new(state, "passed", json_boolean(exercise_is_passed(exercise)));
    const char *failure = exercise_failure(exercise);
    json_object_set_new(state, "failure", failure != NULL ? json_string(failure) : json_null());
}

/// asked  in the language of who reads
static void add_progress(json_t *state, const Exercise *exercise, const SceneExercise *asked, double dt)
{
    char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    int count = exercise_progress(exercise, asked, SETTINGS_UNITS_METRIC, lines);
    json_t *progress = json_array(), *steps = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(progress, json_string(lines[k]));
    }
    for (int k = 0; k < asked->steps_count; k++) {
        int64_t tick = exercise_step_tick(exercise, k);
        json_array_append_new(steps, json_pack("{s:s, s:f}", "text", asked->steps[k].text, "done", (double)tick * dt));
    }
    json_object_set_new(state, "progress", progress);
    json_object_set_new(state, "steps", steps);
}

static void add_events(json_t *state, const Exercise *exercise, double dt)
{
    int count = exercise_event_count(exercise), first = count > CONSOLE_EVENTS ? count - CONSOLE_EVENTS : 0;
    json_t *list = json_array();
    for (int k = first; k < count; k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        char kind[EVENT_WORDS], detail[EVENT_WORDS];
        event_words_kind(event, kind, sizeof kind);
        event_words_detail(event, SETTINGS_UNITS_METRIC, detail, sizeof detail);
        json_array_append_new(list, json_pack("{s:f, s:s, s:s, s:f}", "time", (double)event->tick * dt, "kind", kind,
                                              "detail", detail, "points", event->number.points));
    }
    json_object_set_new(state, "events", list);
    json_object_set_new(state, "event_count", json_integer(count));
}

static void add_soil(json_t *state, const ConsoleView *view, const SessionFrame *frame)
{
    json_object_set_new(state, "soil",
                        json_pack("{s:f, s:f, s:i, s:I}", "cut", view->cut, "fill", view->fill, "particles",
                                  frame->counters.particles, "mass_drift", (json_int_t)frame->mass_drift));
}

char *console_view_state(ConsoleView *view, Session *session, const ConsoleNotes *notes, size_t *size)
{
    const SessionFrame *frame = session_frame(session);
    const SceneParams *scene = session_scene(session), *shown = &view->shown;
    const Exercise *exercise = session_exercise(session);
    double dt = session_dt(session);
    json_t *state = json_object();
    add_notes(state, notes);
    set_text(state, "scene", scene->name);
    set_text(state, "title", shown->title);
    set_text(state, "description", shown->description);
    set_text(state, "machine", session_machine_params(session)->title);
    json_object_set_new(state, "time", json_real(frame->time));
    json_object_set_new(state, "time_limit", json_real(scene->exercise.time_limit));
    json_object_set_new(state, "held", json_real(frame->held));
    add_gauges(state, session);
    add_levers(state, session_machine_params(session), &frame->controls);
    add_score(state, exercise, &shown->exercise);
    add_progress(state, exercise, &shown->exercise, dt);
    add_events(state, exercise, dt);
    add_soil(state, view, frame);
    console_faults_add(state, session);
    console_figure_add(state, session);
    console_persons_add(state, session);
    console_marks_add(state, &scene->exercise, view->floor);
    return write_out(state, size);
}

char *console_waiting_state(const ConsoleNotes *notes, size_t *size)
{
    json_t *state = json_object();
    add_notes(state, notes);
    return write_out(state, size);
}

/// ---- the ground ----------------------------------------------------------------------------------------------------

/// Volumes between the ground as it was and as it is.
static void sum_volumes(ConsoleView *view, const SoilGridView *grid)
{
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    double cut = 0.0, fill = 0.0, area = grid->spacing * grid->spacing;
    for (size_t k = 0; k < count; k++) {
        double rise = (double)grid->height[k] - (double)view->start[k];
        cut += rise < 0.0 ? -rise : 0.0;
        fill += rise > 0.0 ? rise : 0.0;
    }
    view->cut = cut * area;
    view->fill = fill * area;
}

/// The column at a place, or -1 outside of the site.
static int64_t find_column(const SoilGridView *grid, double x, double y)
{
    double column = floor((x - grid->origin_x) / grid->spacing + 0.5);
    double row = floor((y - grid->origin_y) / grid->spacing + 0.5);
    bool inside = column >= 0.0 && row >= 0.0 && column < grid->columns && row < grid->rows;
    return inside ? (int64_t)row * grid->columns + (int64_t)column : -1;
}

/// A text that grows no further than the room that was reserved for it.
typedef struct MapText {
    char *bytes;
    size_t size;
} MapText;

enum { MAP_HEAD = 256, MAP_DIGITS = 8 }; ///< bytes before the arrays; of a number with its comma

/// Adds a number of at most five digits and a comma, by hand: a map has 12,800, and printf takes 2 ms for them.
static void put_integer(MapText *text, long value)
{
    char digits[MAP_DIGITS];
    int count = 0;
    long left = value < 0 ? -value : value;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        text->bytes[text->size++] = '-';
    }
    while (count > 0) {
        text->bytes[text->size++] = digits[--count];
    }
    text->bytes[text->size++] = ',';
}

/// Adds the array of heights, or of what they rose since the start, in cm; null is no ground.
static void put_map(MapText *text, const ConsoleView *view, const SoilGridView *grid, Vec3 corner, bool rises)
{
    for (int k = 0; k < MAP_SIDE * MAP_SIDE; k++) {
        int64_t at =
            find_column(grid, corner.x + (k % MAP_SIDE + 0.5) * MAP_STEP, corner.y + (k / MAP_SIDE + 0.5) * MAP_STEP);
        if (at < 0) {
            memcpy(text->bytes + text->size, "null,", 5);
            text->size += 5;
        } else {
            double height = (double)grid->height[at] - (rises ? (double)view->start[at] : 0.0);
            put_integer(text, lround(fmax(-9999.0, fmin(9999.0, height * 100.0))));
        }
    }
    text->bytes[text->size - 1] = ']'; // in place of the last comma
}

char *console_view_ground(ConsoleView *view, Session *session, size_t *size)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    Vec3 base = session_frame(session)->machine.base, corner = {base.x - MAP_HALF, base.y - MAP_HALF, 0.0};
    MapText text = {.bytes = malloc(2 * MAP_HEAD + 2 * (size_t)MAP_SIDE * MAP_SIDE * MAP_DIGITS)};
    sum_volumes(view, &grid);
    *size = 0;
    if (text.bytes == NULL) {
        return NULL;
    }
    text.size = (size_t)snprintf(text.bytes, MAP_HEAD,
                                 "{\"west\":%.3f,\"south\":%.3f,\"step\":%.3f,\"side\":%d,\"heights_cm\":[", corner.x,
                                 corner.y, MAP_STEP, MAP_SIDE);
    put_map(&text, view, &grid, corner, false);
    text.size += (size_t)snprintf(text.bytes + text.size, MAP_HEAD, ",\"rises_cm\":[");
    put_map(&text, view, &grid, corner, true);
    text.bytes[text.size++] = '}';
    *size = text.size;
    return text.bytes;
}
