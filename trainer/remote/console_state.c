/// The texts that the page draws. They follow from the session as it stands and from the ground as it was when the view
/// was made.
#include "trainer/remote/console_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "trainer/remote/console_event.h"
#include "trainer/remote/console_faults.h"
#include "trainer/remote/console_figure.h"
#include "trainer/report/report.h"
#include "trainer/sim/sim.h"

#define MAP_HALF 11.0 ///< m each way about the machine that the map of the ground goes
#define MAP_STEP 0.275 ///< m

enum { MAP_SIDE = 80, MAP_HEAD = 256, REAL_DIGITS = 7 };

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

/// Writes an object, which it frees. NULL when memory is short.
static char *write_out(json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS)) : NULL;
    json_decref(object);
    return text;
}

/// Writes an object, which it frees, and behind its keys what has many numbers: faults and figure.
static char *write_with_numbers(json_t *object, Session *session, size_t *size)
{
    char *text = write_out(object);
    ConsoleLine line = {0};
    *size = 0;
    if (text == NULL) {
        return NULL;
    }
    text[strlen(text) - 1] = ','; // in the place of the object's end
    console_line_add(&line, text);
    free(text);
    console_faults_write(&line, session);
    console_line_add(&line, ",");
    console_figure_write(&line, session);
    console_line_add(&line, "}");
    return console_line_finish(&line, size);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text != NULL ? text : "");
    json_object_set_new(object, key, value != NULL ? value : json_string("?")); // bytes that are no UTF-8
}

/// ---- parts of the state --------------------------------------------------------------------------------------------

/// The page words a fault, by its unit and what ends it.
static json_t *order_object(const ConsoleOrder *order)
{
    json_t *object = json_pack("{s:f, s:s}", "time", order->time, "command", order->command);
    SessionFault fault = order->fault != NULL ? session_fault_named(order->fault->name) : SESSION_FAULT_COUNT;
    set_text(object, "text", order->text);
    if (fault != SESSION_FAULT_COUNT) {
        const SessionFaultKind *kind = session_fault_kind(fault);
        json_object_set_new(object, "fault",
                            json_pack("{s:s, s:s, s:f, s:s, s:f, s:b}", "name", order->fault->name, "part",
                                      order->fault->part, "value", order->fault->value, "unit", kind->unit, "sound",
                                      kind->sound, "ends", kind->ends));
    }
    return object;
}

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
        json_array_append_new(orders, order_object(&notes->orders[k]));
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
                                  "fuel", readout->fuel, "tank", params->engine.tank, "payload",
                                  session_payload_shown(session), "pitch", readout->pitch, "roll", readout->roll,
                                  "speed", readout->speed_over_ground, "tip_height", readout->tip_height, "gear",
                                  readout->gear, "slip", readout->slip[0], readout->slip[1], "limits", limits,
                                  "pressures", pressures(params, readout)));
    json_t *tools = json_array();
    for (int k = 0; k < params->tool_count; k++) {
        json_array_append_new(tools, json_pack("{s:s, s:f}", "name", params->body[params->tool[k].body].name, "force",
                                               session_tool_load(session, k)));
    }
    json_object_set_new(json_object_get(state, "gauges"), "tools", tools);
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

/// Whether it is passed, as the results will have it, and why it would count for nobody.
static void add_credit(json_t *state, const Exercise *exercise, const ConsoleNotes *notes)
{
    const Credit *credit = &notes->credit;
    bool counts = credit_counts(credit, notes->trainee);
    json_object_set_new(state, "passed", json_boolean(exercise_is_passed(exercise) && counts));
    json_object_set_new(state, "counts", json_boolean(counts));
    json_object_set_new(state, "practice",
                        credit_is_practice(credit)
                            ? json_pack("{s:s, s:f}", "parent", credit->parent, "from", credit->from)
                            : json_null());
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
    json_object_set_new(state, "scored", json_boolean(scene_is_scored(asked)));
    json_object_set_new(state, "score", json_real(exercise_score(exercise)));
    json_object_set_new(state, "pass_mark", json_real(asked->pass_mark));
    json_object_set_new(state, "finished", json_boolean(exercise_is_finished(exercise)));
    const char *failure = exercise_failure(exercise);
    json_object_set_new(state, "failure", failure != NULL ? json_string(failure) : json_null());
}

/// asked  in the language of who reads
static void add_progress(json_t *state, const Exercise *exercise, const SceneExercise *asked, double dt)
{
    char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    int count = exercise_progress(exercise, asked, TEXT_UNITS_METRIC, lines);
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

/// asked  in the language of who reads
static void add_events(json_t *state, const Exercise *exercise, const SceneExercise *asked, double dt)
{
    int count = exercise_event_count(exercise), first = count > CONSOLE_EVENTS ? count - CONSOLE_EVENTS : 0;
    json_t *list = json_array();
    for (int k = first; k < count; k++) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        json_t *told = json_pack("{s:f, s:f}", "time", (double)event->tick * dt, "points", event->number.points);
        console_event_add(told, event, asked);
        json_array_append_new(list, told);
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
    json_object_set_new(state, "site", json_pack("[f, f]", scene->ground.size_x, scene->ground.size_y));
    json_object_set_new(state, "outside", json_real(fmax(session_beyond_site(session), 0.0)));
    json_object_set_new(state, "time", json_real(frame->time));
    json_object_set_new(state, "time_limit", json_real(scene->exercise.time_limit));
    json_object_set_new(state, "limited", json_boolean(scene_told_limit(&scene->exercise) > 0.0));
    json_object_set_new(state, "held", json_real(frame->held));
    add_gauges(state, session);
    add_levers(state, session_machine_params(session), &frame->controls);
    add_score(state, exercise, &shown->exercise);
    add_credit(state, exercise, notes);
    add_progress(state, exercise, &shown->exercise, dt);
    add_events(state, exercise, &shown->exercise, dt);
    add_soil(state, view, frame);
    console_figure_add(state, session);
    console_persons_add(state, session);
    console_marks_add(state, &scene->exercise, view->floor);
    return write_with_numbers(state, session, size);
}

char *console_waiting_state(const ConsoleNotes *notes, size_t *size)
{
    json_t *state = json_object();
    add_notes(state, notes);
    char *text = write_out(state);
    *size = text != NULL ? strlen(text) : 0;
    return text;
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

/// Finds rows or columns of the ground, each -1 outside of the site.
/// from    m: where the map begins
/// origin  m: of the ground's first
static void find_cells(int cells[MAP_SIDE], double from, double origin, double spacing, int count)
{
    for (int k = 0; k < MAP_SIDE; k++) {
        double cell = floor((from + (k + 0.5) * MAP_STEP - origin) / spacing + 0.5);
        cells[k] = cell >= 0.0 && cell < count ? (int)cell : -1;
    }
}

/// Where a map begins: it moves by whole steps, so that a machine which stands shows the same ground again and again.
static double find_corner(double middle)
{
    return round(floor((middle - MAP_HALF) / MAP_STEP) * MAP_STEP * 1000.0) / 1000.0; // as it is written
}

/// Cells of the ground that a map shows.
typedef struct MapCells {
    int rows[MAP_SIDE], columns[MAP_SIDE];
} MapCells;

/// Adds the array of heights, or of what they rose since the start, in cm; null is no ground.
static void add_map(ConsoleLine *line, const ConsoleView *view, const SoilGridView *grid, const MapCells *cells,
                    bool rises)
{
    for (int k = 0; k < MAP_SIDE * MAP_SIDE; k++) {
        int row = cells->rows[k / MAP_SIDE], column = cells->columns[k % MAP_SIDE];
        if (row < 0 || column < 0) {
            console_line_add(line, "null,");
        } else {
            int64_t at = (int64_t)row * grid->columns + column;
            double height = (double)grid->height[at] - (rises ? (double)view->start[at] : 0.0);
            console_line_add_number(line, height * 100.0, 0);
        }
    }
    console_line_end_list(line);
}

char *console_view_ground(ConsoleView *view, Session *session, size_t *size)
{
    SoilGridView grid = soil_get_grid(session_soil(session));
    Vec3 base = session_frame(session)->machine.base;
    double west = find_corner(base.x), south = find_corner(base.y);
    MapCells cells;
    ConsoleLine line = {0};
    char head[MAP_HEAD];
    sum_volumes(view, &grid);
    find_cells(cells.rows, south, grid.origin_y, grid.spacing, grid.rows);
    find_cells(cells.columns, west, grid.origin_x, grid.spacing, grid.columns);
    snprintf(head, sizeof head, "{\"west\":%.3f,\"south\":%.3f,\"step\":%.3f,\"side\":%d,\"heights_cm\":[", west, south,
             MAP_STEP, MAP_SIDE);
    console_line_add(&line, head);
    add_map(&line, view, &grid, &cells, false);
    console_line_add(&line, "],\"rises_cm\":[");
    add_map(&line, view, &grid, &cells, true);
    console_line_add(&line, "]}");
    return console_line_finish(&line, size);
}
