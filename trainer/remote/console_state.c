/// JSON texts for the page: courses and trainees to choose from, and a session: its state, the machine's figure and the
/// ground around it. They follow from the session at present and from the ground when the view was made.
///
/// The figure is lines: the outline of every convex piece of steel, seen along the axis of the arm's joints and from
/// above.
#include "trainer/remote/console_state.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/schema.h"
#include "trainer/remote/console_json.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

#define MAP_HALF 11.0 ///< m each way about the machine that the map of the ground goes
#define MAP_STEP 0.275 ///< m

enum { MAP_SIDE = 80, MAP_HEAD = 256, REAL_DIGITS = 7 };

#define PROFILE_BACK 8.0 ///< m behind the machine's middle that the ground is shown from the side
#define PROFILE_STEP 0.25 ///< m

enum { PROFILE_POINTS = 93, MOST_GRAINS = 150 }; ///< as far as 15 m ahead; that are shown

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

/// ---- parts of the state --------------------------------------------------------------------------------------------

/// The page words a fault, by its unit and what ends it.
static json_t *make_order(const ConsoleOrder *order)
{
    json_t *object = json_pack("{s:f, s:s}", "time", order->time, "command", order->command);
    SessionFault fault = order->fault != NULL ? session_fault_named(order->fault->name) : SESSION_FAULT_COUNT;
    console_json_set(object, "text", order->text);
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
    console_json_set(state, "phase", notes->phase);
    console_json_set(state, "station", notes->station);
    console_json_set(state, "trainee", notes->trainee);
    console_json_set(state, "driver", notes->driver);
    console_json_set(state, "recording", notes->recording);
    console_json_set(state, "debrief", notes->debrief);
    console_json_set(state, "picture", notes->picture);
    json_object_set_new(state, "real_time", json_real(notes->real_time));
    json_t *orders = json_array();
    for (int k = 0; k < notes->order_count; k++) {
        json_array_append_new(orders, make_order(&notes->orders[k]));
    }
    json_object_set_new(state, "orders", orders);
    json_t *snapshots = json_array();
    for (int k = 0; k < notes->snapshot_count; k++) {
        json_array_append_new(
            snapshots, json_pack("{s:f, s:s}", "time", notes->snapshots[k].time, "text", notes->snapshots[k].text));
    }
    json_object_set_new(state, "snapshots", snapshots);
}

static json_t *make_pressures(const MachineParams *params, const MachineReadout *readout)
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
                                  "pressures", make_pressures(params, readout)));
    json_t *tools = json_array();
    for (int k = 0; k < params->tool_count; k++) {
        json_array_append_new(tools, json_pack("{s:s, s:f}", "name", params->body[params->tool[k].body].name, "force",
                                               session_tool_load(session, k)));
    }
    json_object_set_new(json_object_get(state, "gauges"), "tools", tools);
}

/// How the switches of the cab stand, and where the operator is; null where the scene has neither.
static void add_cab(json_t *state, const Session *session)
{
    static const char *const engines[] = {
        [CAB_ENGINE_OFF] = "off", [CAB_ENGINE_CRANKS] = "cranks", [CAB_ENGINE_RUNS] = "runs"};
    const CabReadout *cab = &session_frame(session)->cab;
    const FootReadout *foot = &session_frame(session)->foot;
    json_t *object = json_null();
    if (cab->has || foot->has) {
        object =
            json_pack("{s:s, s:b, s:b, s:b, s:b, s:b, s:b, s:f, s:b, s:b, s:i, s:i}", "engine", engines[cab->engine],
                      "lever_down", cab->lever_down, "high_range", cab->high_range, "economy", cab->eco, "auto_idle",
                      cab->auto_idle, "lights", cab->lights, "wiper", cab->wiper, "oil", cab->oil, "oil_cold",
                      cab->oil < cab->oil_warm, "on_foot", foot->walks, "looked", foot->looked, "things", foot->count);
    }
    json_object_set_new(state, "cab", object);
    const CouplerReadout *coupler = &session_frame(session)->coupler;
    json_object_set_new(state, "coupler",
                        coupler->has ? json_pack("{s:s, s:i, s:s, s:f}", "state", coupler_word(coupler), "tool",
                                                 coupler->tool, "name", coupler->name, "confirm", coupler->confirm)
                                     : json_null());
}

/// Adds whether it is passed, as the results will have it, and why it would not count.
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
        json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "label", language_text(score_label(&asked->scores[k])),
                                              "points", rows[k].points, "of", asked->scores[k].weight));
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

/// ---- faults --------------------------------------------------------------------------------------------------------

/// Adds the parts that a fault has here; false when there are none.
static bool add_parts(ConsoleLine *line, const Session *session, SessionFault fault)
{
    char name[ORDER_NAME];
    bool any = false;
    for (int part = 0; part < ORDER_PARTS; part++) {
        if (session_order_part(fault, part, session_scene(session), session_machine_params(session), name)) {
            console_line_add(line, "{\"name\":");
            console_line_add_string(line, name);
            console_line_add(line, ",\"value\":");
            console_line_add_number(line, session_orders(session)->value[fault][part], 3);
            console_line_end_list(line);
            console_line_add(line, "},");
            any = true;
        }
    }
    console_line_end_list(line);
    return any;
}

static void add_named(ConsoleLine *line, const char *head, double value)
{
    console_line_add(line, head);
    console_line_add_number(line, value, 3);
}

/// Writes "faults": of each that the scene and its machine can have the name, unit, range, the value that ends it,
/// whether only the two ends of the range are allowed, and its parts with the value that each has now.
static void write_faults(ConsoleLine *line, const Session *session)
{
    console_line_add(line, "\"faults\":[");
    for (int k = 0; k < SESSION_FAULT_COUNT; k++) {
        const SessionFaultKind *kind = session_fault_kind((SessionFault)k);
        size_t before = line->size;
        console_line_add(line, "{\"name\":");
        console_line_add_string(line, kind->name);
        console_line_add(line, ",\"unit\":");
        console_line_add_string(line, kind->unit);
        add_named(line, ",\"low\":", kind->low);
        add_named(line, "\"high\":", kind->high);
        add_named(line, "\"sound\":", kind->sound);
        console_line_add(line, kind->ends ? "\"ends\":true,\"parts\":[" : "\"ends\":false,\"parts\":[");
        if (add_parts(line, session, (SessionFault)k)) {
            console_line_add(line, "]},");
        } else if (line->bytes != NULL) {
            line->size = before;
        }
    }
    console_line_end_list(line);
    console_line_add(line, "]");
}

/// ---- figure --------------------------------------------------------------------------------------------------------

/// The upright plane through the machine's middle, in the direction of its cab.
typedef struct SidePlane {
    Vec3 middle;
    double x, y; ///< unit, along it
} SidePlane;

static SidePlane find_plane(Session *session)
{
    Pose cab;
    machine_get_body_frame(session_machine(session), session_machine_state(session),
                           session_machine_params(session)->cab_body, &cab);
    Vec3 ahead = mat3_mul(&cab.rotation, vec3(1.0, 0.0, 0.0));
    double length = hypot(ahead.x, ahead.y);
    SidePlane plane = {.middle = session_frame(session)->machine.base, .x = 1.0, .y = 0.0};
    if (length > 1e-6) {
        plane.x = ahead.x / length;
        plane.y = ahead.y / length;
    }
    return plane;
}

/// Adds `pose` to the state.
static void add_pose(json_t *state, Session *session)
{
    const MachineReadout *readout = &session_frame(session)->machine;
    SidePlane plane = find_plane(session);
    json_object_set_new(state, "pose",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:[f, f, f]}", "x", readout->base.x, "y",
                                  readout->base.y, "z", readout->base.z, "heading", readout->yaw, "ahead_x", plane.x,
                                  "ahead_y", plane.y, "tip", readout->tip.x, readout->tip.y, readout->tip.z));
}

/// ---- figure: steel -------------------------------------------------------------------------------------------------

/// A point of a view.
typedef struct ViewPoint {
    double x, y; ///< m
} ViewPoint;

static int compare_points(const void *a, const void *b)
{
    const ViewPoint *one = a, *other = b;
    return one->x != other->x ? (one->x > other->x) - (one->x < other->x) : (one->y > other->y) - (one->y < other->y);
}

/// Adds a number that is good to a centimetre, which is less than a dot of the picture.
static void add_length(ConsoleLine *line, double value)
{
    console_line_add_number(line, value, 2);
}

/// Adds the corners of the convex outline of points (Andrew 1979, monotone chain), which it sorts.
static void add_outline(ConsoleLine *line, ViewPoint *points, int count)
{
    ViewPoint chain[4 * TOOL_MAX_CORNERS + 1];
    int size = 0;
    qsort(points, (size_t)count, sizeof *points, compare_points);
    for (int way = 0; way < 2; way++) {
        int first = size;
        for (int k = 0; k < count; k++) {
            ViewPoint p = points[way == 0 ? k : count - 1 - k];
            while (size > first + 1 && (chain[size - 1].x - chain[size - 2].x) * (p.y - chain[size - 2].y) -
                                               (chain[size - 1].y - chain[size - 2].y) * (p.x - chain[size - 2].x) <=
                                           0.0) {
                size--;
            }
            chain[size++] = p;
        }
        size--; // the other way begins there
    }
    for (int k = 0; k < size; k++) {
        add_length(line, chain[k].x);
        add_length(line, chain[k].y);
    }
    console_line_end_list(line);
}

/// Adds a prism's outlines: what hides what is behind it, and what is below it.
static void add_piece(ConsoleLine *line, const char *name, const char *kind, const Pose *frame, const ToolPiece *piece,
                      const SidePlane *plane)
{
    ViewPoint side[2 * TOOL_MAX_CORNERS], above[2 * TOOL_MAX_CORNERS];
    for (int k = 0; k < 2 * piece->corner_count; k++) {
        const double *corner = piece->corners[k / 2];
        Vec3 at = pose_apply(frame, vec3(corner[0], k % 2 == 0 ? piece->y_min : piece->y_max, corner[1]));
        side[k] = (ViewPoint){(at.x - plane->middle.x) * plane->x + (at.y - plane->middle.y) * plane->y, at.z};
        above[k] = (ViewPoint){at.x, at.y};
    }
    console_line_add(line, "{\"part\":");
    console_line_add_string(line, name);
    console_line_add(line, ",\"kind\":");
    console_line_add_string(line, kind);
    console_line_add(line, ",\"side\":[");
    add_outline(line, side, 2 * piece->corner_count);
    console_line_add(line, "],\"above\":[");
    add_outline(line, above, 2 * piece->corner_count);
    console_line_add(line, "]},");
}

static void add_tracks(ConsoleLine *line, const MachineTracks *tracks, const Pose *base, const SidePlane *plane)
{
    double half = 0.5 * tracks->length, low = 0.5 * (tracks->contact_length - tracks->length);
    for (int side = -1; side <= 1; side += 2) {
        double middle = 0.5 * side * tracks->gauge, top = tracks->height;
        ToolPiece belt = {.corner_count = 6,
                          .corners = {{-half - low, 0.0},
                                      {half + low, 0.0},
                                      {half, 0.5 * top},
                                      {half + low, top},
                                      {-half - low, top},
                                      {-half, 0.5 * top}},
                          .y_min = middle - 0.5 * tracks->shoe_width,
                          .y_max = middle + 0.5 * tracks->shoe_width};
        add_piece(line, side < 0 ? "right track" : "left track", "track", base, &belt, plane);
    }
}

static void add_shape(ConsoleLine *line, const char *name, const char *kind, const Pose *frame, const ToolShape *shape,
                      const SidePlane *plane)
{
    for (int k = 0; k < shape->piece_count; k++) {
        add_piece(line, name, kind, frame, &shape->pieces[k], plane);
    }
}

static void add_machine(ConsoleLine *line, Session *session, const SidePlane *plane)
{
    const MachineParams *params = session_machine_params(session);
    const Machine *machine = session_machine(session);
    Pose frame;
    for (int body = 0; body < params->body_count; body++) {
        ToolShape steel;
        machine_get_body_frame(machine, session_machine_state(session), body, &frame);
        machine_get_steel(machine, body, &steel);
        if (body == MACHINE_BASE) {
            add_tracks(line, &params->tracks, &frame, plane);
        } else { // that of the base is behind its tracks
            add_shape(line, params->body[body].name, "steel", &frame, &steel, plane);
        }
    }
    for (int k = 0; k < params->tool_count; k++) {
        machine_get_body_frame(machine, session_machine_state(session), params->tool[k].body, &frame);
        add_shape(line, params->body[params->tool[k].body].name, "tool", &frame, &params->tool[k].shape, plane);
    }
    console_line_end_list(line);
}

/// Beds of trucks, from above and from the side.
static void add_trucks(ConsoleLine *line, Session *session, const SidePlane *plane)
{
    const SessionTrucks *trucks = session_trucks(session);
    const SceneTruck *asked = &session_scene(session)->exercise.truck;
    double half = 0.5 * asked->bed_length, wide = 0.5 * asked->bed_width;
    for (int k = 0; k < session_trucks_count(trucks); k++) {
        SessionTruckPose look = session_trucks_pose(trucks, k);
        ToolPiece bed = {.corner_count = 4,
                         .corners = {{-half, 0.0}, {half, 0.0}, {half, asked->bed_height}, {-half, asked->bed_height}},
                         .y_min = -wide,
                         .y_max = wide};
        add_piece(line, "truck", "truck", &look.bed, &bed, plane);
    }
    console_line_end_list(line);
}

/// ---- figure: ground and persons ------------------------------------------------------------------------------------

static void add_profile(ConsoleLine *line, Session *session, const SidePlane *plane)
{
    const Soil *soil = session_soil(session);
    console_line_add(line, "{\"from\":");
    console_line_add_number(line, -PROFILE_BACK, 2);
    console_line_add(line, "\"step\":");
    console_line_add_number(line, PROFILE_STEP, 2);
    console_line_add(line, "\"heights\":[");
    for (int k = 0; k < PROFILE_POINTS; k++) {
        double along = k * PROFILE_STEP - PROFILE_BACK;
        add_length(line, soil_get_height(soil, plane->middle.x + along * plane->x, plane->middle.y + along * plane->y));
    }
    console_line_end_list(line);
    console_line_add(line, "]}");
}

static void add_grains(ConsoleLine *line, Session *session)
{
    SoilParticleView all = soil_get_particles(session_soil(session));
    int stride = all.count / MOST_GRAINS + 1;
    for (int k = 0; k < all.count; k += stride) {
        add_length(line, (double)all.x[k]);
        add_length(line, (double)all.y[k]);
        add_length(line, (double)all.z[k]);
    }
    console_line_end_list(line);
}

/// Writes `parts`, `trucks`, `profile` and `grains`, which are nearly all numbers of a state.
static void write_figure(ConsoleLine *line, Session *session)
{
    SidePlane plane = find_plane(session);
    console_line_add(line, "\"parts\":[");
    add_machine(line, session, &plane);
    console_line_add(line, "],\"trucks\":[");
    add_trucks(line, session, &plane);
    console_line_add(line, "],\"profile\":");
    add_profile(line, session, &plane);
    console_line_add(line, ",\"grains\":[");
    add_grains(line, session);
    console_line_add(line, "]");
}

/// Adds `persons`, from above: [x, y, zone] of each, m.
static void add_persons(json_t *state, const Session *session)
{
    const SceneParams *scene = session_scene(session);
    json_t *persons = json_array();
    Vec3 feet;
    for (int k = 0; k < scene->persons_count; k++) {
        const ScenePerson *person = &scene->persons[k];
        const PersonState *stands = session_person(session, k);
        json_array_append_new(persons, json_pack("[f, f, f]", stands->x, stands->y, person->zone));
    }
    if (session_walker(session, &feet)) {
        json_array_append_new(persons, json_pack("[f, f, f]", feet.x, feet.y, 0.0));
    }
    json_object_set_new(state, "persons", persons);
}

/// ---- figure: what the exercise asks for ----------------------------------------------------------------------------

static void add_rectangle(json_t *marks, const char *kind, const double place[3], double length, double width,
                          double depth)
{
    json_array_append_new(marks,
                          json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "kind", kind, "x", place[0], "y", place[1],
                                    "heading", place[2], "length", length, "width", width, "depth", depth));
}

static void add_circle(json_t *marks, const char *kind, double x, double y, double radius)
{
    json_array_append_new(marks, json_pack("{s:s, s:f, s:f, s:f}", "kind", kind, "x", x, "y", y, "radius", radius));
}

/// Adds `marks`: what the exercise asks for, from above.
/// floor  m, world: of a trench; NAN: it is not known
static void add_marks(json_t *state, const SceneExercise *exercise, double floor)
{
    json_t *marks = json_array();
    const SceneTrench *trench = &exercise->trench;
    if (exercise->kind == EXERCISE_TRENCH) {
        add_rectangle(marks, "trench", (double[]){trench->x, trench->y, trench->heading}, trench->length, trench->width,
                      trench->depth);
        if (isfinite(floor)) {
            json_object_set_new(json_array_get(marks, 0), "floor", json_real(floor));
        }
        add_circle(marks, "dump", trench->dump_x, trench->dump_y, trench->dump_radius);
    }
    if (exercise->rip.depth > 0.0) {
        const SceneRip *rip = &exercise->rip;
        add_rectangle(marks, "rip", (double[]){rip->x, rip->y, rip->heading}, rip->length, rip->width, rip->depth);
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        add_circle(marks, "dig", exercise->truck.dig_x, exercise->truck.dig_y, EXERCISE_DIG_RADIUS);
    }
    for (int k = 0; k < exercise->targets_count; k++) {
        add_circle(marks, "target", exercise->targets[k].x, exercise->targets[k].y, exercise->targets[k].radius);
    }
    json_object_set_new(state, "marks", marks);
}

/// ---- state ---------------------------------------------------------------------------------------------------------

/// Writes an object, which it frees, and behind its keys what has many numbers: faults and figure.
static char *write_with_numbers(json_t *object, Session *session, size_t *size)
{
    char *text = console_json_write(object, REAL_DIGITS, NULL);
    ConsoleLine line = {0};
    *size = 0;
    if (text == NULL) {
        return NULL;
    }
    text[strlen(text) - 1] = ','; // in the place of the object's end
    console_line_add(&line, text);
    free(text);
    write_faults(&line, session);
    console_line_add(&line, ",");
    write_figure(&line, session);
    console_line_add(&line, "}");
    return console_line_finish(&line, size);
}

char *console_view_state(ConsoleView *view, Session *session, const ConsoleNotes *notes, size_t *size)
{
    const SessionFrame *frame = session_frame(session);
    const SceneParams *scene = session_scene(session), *shown = &view->shown;
    const Exercise *exercise = session_exercise(session);
    double dt = session_dt(session);
    json_t *state = json_object();
    add_notes(state, notes);
    console_json_set(state, "scene", scene->name);
    console_json_set(state, "title", shown->title);
    console_json_set(state, "description", shown->description);
    console_json_set(state, "machine", session_machine_params(session)->title);
    json_object_set_new(state, "site", json_pack("[f, f]", scene->ground.size_x, scene->ground.size_y));
    json_object_set_new(state, "outside", json_real(fmax(session_beyond_site(session), 0.0)));
    json_object_set_new(state, "time", json_real(frame->time));
    json_object_set_new(state, "time_limit", json_real(scene->exercise.time_limit));
    json_object_set_new(state, "limited", json_boolean(scene_told_limit(&scene->exercise) > 0.0));
    json_object_set_new(state, "held", json_real(frame->held));
    add_gauges(state, session);
    add_cab(state, session);
    json_object_set_new(state, "levers", console_levers(session_machine_params(session), &frame->controls));
    add_score(state, exercise, &shown->exercise);
    add_credit(state, exercise, notes);
    add_progress(state, exercise, &shown->exercise, dt);
    add_events(state, exercise, &shown->exercise, dt);
    add_soil(state, view, frame);
    add_pose(state, session);
    add_persons(state, session);
    add_marks(state, &scene->exercise, view->floor);
    return write_with_numbers(state, session, size);
}

char *console_waiting_state(const ConsoleNotes *notes, size_t *size)
{
    json_t *state = json_object();
    add_notes(state, notes);
    return console_json_write(state, REAL_DIGITS, size);
}

/// ---- map of the ground ---------------------------------------------------------------------------------------------

/// Volumes between the ground at the start and now.
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
    return round(floor((middle - MAP_HALF) / MAP_STEP) * MAP_STEP * 1000.0) / 1000.0; // as the text rounds it
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

/// ---- choices -------------------------------------------------------------------------------------------------------

/// Names that the page suggests; others are typed. Chosen: half a megabyte.
enum { MOST_COURSES = 64, MOST_TRAINEES = 20000 };

static json_t *list_courses(void)
{
    Status unused;
    DataListEntry *entries = calloc(MOST_COURSES, sizeof *entries);
    CourseParams *course = malloc(sizeof *course);
    bool has_room = entries != NULL && course != NULL;
    int count = has_room ? data_list("courses", entries, MOST_COURSES, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_COURSES; k++) {
        if (!data_load_course(entries[k].name, course, &unused)) {
            continue;
        }
        json_t *scenes = json_array();
        for (int step = 0; step < course->exercises_count; step++) {
            json_array_append_new(scenes, json_string(course->exercises[step].scene));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", entries[k].name, "title",
                                              language_text(course->title), "scenes", scenes));
    }
    free(course);
    free(entries);
    return list;
}

/// {"time": [{"name": "dawn", "title": "Dawn, 6:00"}, ...], ...}: what `load` takes as conditions.
static json_t *list_conditions(void)
{
    DataListEntry *entries = calloc(CONDITION_CHOICES, sizeof *entries);
    json_t *all = json_object();
    for (int condition = 0; condition < CONDITION_COUNT && entries != NULL; condition++) {
        int count = conditions_list((Condition)condition, entries, CONDITION_CHOICES);
        json_t *list = json_array();
        for (int k = 0; k < count; k++) {
            json_array_append_new(
                list, json_pack("{s:s, s:s}", "name", entries[k].name, "title", language_text(entries[k].title)));
        }
        json_object_set_new(all, condition_names[condition], list);
    }
    free(entries);
    return all;
}

char *choices_courses(void)
{
    return console_json_write(list_courses(), 0, NULL);
}

static json_t *list_trainees(const char *path)
{
    Status unused;
    ResultTrainee *trainees = NULL;
    Results *results = results_open(path, RESULTS_READ, &unused);
    int count = results != NULL ? results_trainees(results, NULL, &trainees, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_TRAINEES; k++) {
        json_array_append_new(list, json_string(trainees[k].name));
    }
    free(trainees);
    results_close(results);
    return list;
}

static char *read_choices(const char *results)
{
    json_t *choices = json_pack("{s:o, s:o, s:o}", "courses", list_courses(), "trainees", list_trainees(results),
                                "conditions", list_conditions());
    return console_json_write(choices, 0, NULL);
}

/// ---- the thread ----------------------------------------------------------------------------------------------------

struct Choices {
    const char *results;
    bool asked; ///< since the thread was begun
    bool runs; ///< the thread has been begun, and not been waited for
    pthread_t thread;
    pthread_mutex_t lock; ///< of all that follows
    bool done; ///< the thread has ended, or is about to
    char *text; ///< own: what it has read, or NULL
};

static void *read_in_background(void *context)
{
    Choices *self = context;
    char *text = read_choices(self->results);
    pthread_mutex_lock(&self->lock);
    self->text = text;
    self->done = true;
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/// Signals are the main thread's.
static void begin_reading(Choices *self)
{
    sigset_t all, before;
    self->asked = self->done = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    self->runs = pthread_create(&self->thread, NULL, read_in_background, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

Choices *choices_open(const char *results)
{
    Choices *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->results = results;
        pthread_mutex_init(&self->lock, NULL);
    }
    return self;
}

void choices_close(Choices *choices)
{
    if (choices != NULL) {
        if (choices->runs) {
            pthread_join(choices->thread, NULL);
        }
        pthread_mutex_destroy(&choices->lock);
        free(choices->text);
        free(choices);
    }
}

void choices_ask(Choices *choices)
{
    if (choices != NULL && choices->runs) {
        choices->asked = true;
    } else if (choices != NULL) {
        begin_reading(choices);
    }
}

char *choices_take(Choices *choices, size_t *size)
{
    *size = 0;
    if (choices == NULL || !choices->runs) {
        return NULL;
    }
    pthread_mutex_lock(&choices->lock);
    bool done = choices->done;
    char *text = choices->text;
    choices->text = NULL;
    pthread_mutex_unlock(&choices->lock);
    if (!done) {
        return NULL;
    }
    pthread_join(choices->thread, NULL);
    choices->runs = false;
    if (choices->asked) {
        begin_reading(choices);
    }
    *size = text != NULL ? strlen(text) : 0;
    return text;
}
