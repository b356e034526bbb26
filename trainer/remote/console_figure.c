/// Lines of the machine: the outline of every convex piece of steel, seen along the axis of the arm's joints and from
/// above.
#include "trainer/remote/console_figure.h"

#include <math.h>
#include <stdlib.h>

#define PROFILE_BACK 8.0 ///< m behind the machine's middle that the ground is shown from the side
#define PROFILE_STEP 0.25 ///< m

enum { PROFILE_POINTS = 93, MOST_GRAINS = 150 }; ///< as far as 15 m ahead; that are shown

/// The upright plane through the machine's middle, along where its cab looks.
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

/// ---- steel ---------------------------------------------------------------------------------------------------------

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
        SessionTruckLook look = session_trucks_look(trucks, k);
        ToolPiece bed = {.corner_count = 4,
                         .corners = {{-half, 0.0}, {half, 0.0}, {half, asked->bed_height}, {-half, asked->bed_height}},
                         .y_min = -wide,
                         .y_max = wide};
        add_piece(line, "truck", "truck", &look.bed, &bed, plane);
    }
    console_line_end_list(line);
}

/// ---- ground --------------------------------------------------------------------------------------------------------

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

void console_figure_add(json_t *state, Session *session)
{
    const MachineReadout *readout = &session_frame(session)->machine;
    SidePlane plane = find_plane(session);
    json_object_set_new(state, "pose",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:[f, f, f]}", "x", readout->base.x, "y",
                                  readout->base.y, "z", readout->base.z, "heading", readout->yaw, "ahead_x", plane.x,
                                  "ahead_y", plane.y, "tip", readout->tip.x, readout->tip.y, readout->tip.z));
}

void console_figure_write(ConsoleLine *line, Session *session)
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

void console_persons_add(json_t *state, const Session *session)
{
    const SceneParams *scene = session_scene(session);
    json_t *persons = json_array();
    Vec3 feet;
    for (int k = 0; k < scene->persons_count; k++) {
        const ScenePerson *person = &scene->persons[k];
        json_array_append_new(persons, json_pack("[f, f, f]", person->x, person->y, person->zone));
    }
    if (session_walker(session, &feet)) {
        json_array_append_new(persons, json_pack("[f, f, f]", feet.x, feet.y, 0.0));
    }
    json_object_set_new(state, "persons", persons);
}

/// ---- what is asked -------------------------------------------------------------------------------------------------

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

void console_marks_add(json_t *state, const SceneExercise *exercise, double floor)
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
