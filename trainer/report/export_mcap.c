/// Puts a session's states into JSON messages, tick by tick, and these into an MCAP file, which is flushed each
/// simulated second.
#include "trainer/report/export_mcap.h"
#include "data/schema/scene_relief.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/cylinder.h"
#include "trainer/report/json_text.h"
#include "trainer/report/mcap_file.h"
#include "trainer/report/mcap_schemas.h"
#include "trainer/report/report_words.h"

enum { MOST_EVENTS = 4096, FLOAT_SIZE = 4 };

/// Steps in a metre to which heights are rounded. A power of two leaves the last bits of a float 0, which makes the
/// file a third as large; recorded maps have millimetres, too.
#define GROUND_STEPS 1024.0F

static const char world_frame[] = "world";

struct ExportMcap {
    McapFile *file;
    Session *session;
    locale_t locale; ///< "C": a decimal point
    int channel[MCAP_CHANNELS];
    int64_t every; ///< ticks from one state to the next
    int64_t last_tick; ///< of the recording
    ByteBuffer text; ///< the message that is put together
    ExerciseEvent *events; ///< [event_count] of the recording, in order of tick
    int event_count, next_event;
    float *heights; ///< m: [rows][columns] of the site
    unsigned char *packed; ///< the same, little-endian
    uint64_t ground_version; ///< of the grid in the last message
    bool ground_written, ground_moved; ///< the last message held moving grains
};

/// ---- times and messages --------------------------------------------------------------------------------------------

static uint64_t tick_time(const ExportMcap *self, int64_t tick)
{
    uint64_t rate = (uint64_t)session_scene(self->session)->rates.tick_rate, second = 1000000000;
    return (uint64_t)tick / rate * second + (uint64_t)tick % rate * second / rate;
}

static void put_time(ByteBuffer *text, const char *key, uint64_t time)
{
    json_text_begin(text, key, '{');
    json_text_integer(text, "sec", (int64_t)(time / 1000000000));
    json_text_integer(text, "nsec", (int64_t)(time % 1000000000));
    json_text_end(text, '}');
}

/// ROS's header of a message.
static void put_header(ByteBuffer *text, uint64_t time, const char *frame)
{
    json_text_begin(text, "header", '{');
    put_time(text, "stamp", time);
    json_text_string(text, "frame_id", frame);
    json_text_end(text, '}');
}

static ByteBuffer *begin_message(ExportMcap *self)
{
    byte_buffer_clear(&self->text);
    json_text_begin(&self->text, NULL, '{');
    return &self->text;
}

static bool end_message(ExportMcap *self, McapChannel channel, uint64_t time, Status *status)
{
    json_text_end(&self->text, '}');
    if (self->text.failed) {
        return status_fail(status, STATUS_LACKING, "out of memory for a message of %s", mcap_channels[channel].topic);
    }
    return mcap_add_message(self->file, self->channel[channel], time, self->text.bytes, self->text.size, status);
}

static void put_vector(ByteBuffer *text, const char *key, Vec3 v)
{
    json_text_begin(text, key, '{');
    json_text_number(text, "x", v.x);
    json_text_number(text, "y", v.y);
    json_text_number(text, "z", v.z);
    json_text_end(text, '}');
}

/// Shepperd 1978: from the largest of trace and diagonal, so that nothing is divided by a small number. w is 0 or more.
static Quat rotation_quaternion(const Mat3 *r)
{
    double trace = r->m[0][0] + r->m[1][1] + r->m[2][2], q[4];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(1.0 + trace);
        q[0] = 0.25 * s;
        q[1] = (r->m[2][1] - r->m[1][2]) / s;
        q[2] = (r->m[0][2] - r->m[2][0]) / s;
        q[3] = (r->m[1][0] - r->m[0][1]) / s;
    } else {
        int i = r->m[0][0] > r->m[1][1] ? 0 : 1;
        i = r->m[2][2] > r->m[i][i] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = 2.0 * sqrt(fmax(1.0 + r->m[i][i] - r->m[j][j] - r->m[k][k], 1e-12));
        q[0] = (r->m[k][j] - r->m[j][k]) / s;
        q[1 + i] = 0.25 * s;
        q[1 + j] = (r->m[j][i] + r->m[i][j]) / s;
        q[1 + k] = (r->m[k][i] + r->m[i][k]) / s;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double scale = (q[0] < 0.0 ? -1.0 : 1.0) / length;
    return (Quat){scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
}

static void put_rotation(ByteBuffer *text, const char *key, const Mat3 *rotation)
{
    Quat q = rotation_quaternion(rotation);
    json_text_begin(text, key, '{');
    json_text_number(text, "x", q.x);
    json_text_number(text, "y", q.y);
    json_text_number(text, "z", q.z);
    json_text_number(text, "w", q.w);
    json_text_end(text, '}');
}

static void put_pose(ByteBuffer *text, const char *key, const Pose *pose)
{
    json_text_begin(text, key, '{');
    put_vector(text, "position", pose->position);
    put_rotation(text, "orientation", &pose->rotation);
    json_text_end(text, '}');
}

/// ---- machine -------------------------------------------------------------------------------------------------------

/// Torque of what drives a joint, N m, in the sense of its angle: a cylinder's force times its lever arm (virtual
/// work); 0 where the linkage cannot close.
static double joint_torque(const MachineJointParams *joint, double angle, double force)
{
    double length, arm;
    if (joint->drive != MACHINE_DRIVE_CYLINDER) {
        return force;
    }
    return cylinder_length(joint, angle, &length, &arm) ? force * arm : 0.0;
}

static bool write_joints(ExportMcap *self, uint64_t time, Status *status)
{
    const MachineParams *machine = session_machine_params(self->session);
    const MachineState *state = session_machine_state(self->session);
    const MachineReadout *readout = &session_frame(self->session)->machine;
    ByteBuffer *text = begin_message(self);
    put_header(text, time, "");
    json_text_begin(text, "name", '[');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_string(text, NULL, machine->joint[k].column);
    }
    json_text_end(text, ']');
    json_text_begin(text, "position", '[');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_number(text, NULL, readout->angle[k]);
    }
    json_text_end(text, ']');
    json_text_begin(text, "velocity", '[');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_number(text, NULL, readout->speed[k]);
    }
    json_text_end(text, ']');
    json_text_begin(text, "effort", '[');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_number(text, NULL, joint_torque(&machine->joint[k], readout->angle[k], state->joint_force[k]));
    }
    json_text_end(text, ']');
    return end_message(self, MCAP_JOINT_STATES, time, status);
}

static Pose body_frame(const ExportMcap *self, int body)
{
    Pose frame;
    machine_get_body_frame(session_machine(self->session), session_machine_state(self->session), body, &frame);
    return frame;
}

/// Body that another one hangs on; -1: none.
static int parent_body(const MachineParams *machine, int body)
{
    for (int k = 0; k < machine->joint_count; k++) {
        if (machine->joint[k].child == body) {
            return machine->joint[k].parent;
        }
    }
    return -1;
}

/// The frames of all bodies, each in that of the body it hangs on, as a robot's state publisher has them.
static bool write_frames(ExportMcap *self, uint64_t time, Status *status)
{
    const MachineParams *machine = session_machine_params(self->session);
    ByteBuffer *text = begin_message(self);
    json_text_begin(text, "transforms", '[');
    for (int k = 0; k < machine->body_count; k++) {
        int parent = parent_body(machine, k);
        Pose frame = body_frame(self, k);
        if (parent >= 0) {
            Pose above = body_frame(self, parent);
            Mat3 inverse;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    inverse.m[i][j] = above.rotation.m[j][i];
                }
            }
            frame = (Pose){pose_apply_inverse(&above, frame.position), mat3_product(&inverse, &frame.rotation)};
        }
        json_text_begin(text, NULL, '{');
        put_time(text, "timestamp", time);
        json_text_string(text, "parent_frame_id", parent >= 0 ? machine->body[parent].name : world_frame);
        json_text_string(text, "child_frame_id", machine->body[k].name);
        put_vector(text, "translation", frame.position);
        put_rotation(text, "rotation", &frame.rotation);
        json_text_end(text, '}');
    }
    json_text_end(text, ']');
    return end_message(self, MCAP_TF, time, status);
}

static bool write_pose(ExportMcap *self, McapChannel channel, const Pose *pose, uint64_t time, Status *status)
{
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_string(text, "frame_id", world_frame);
    put_pose(text, "pose", pose);
    return end_message(self, channel, time, status);
}

/// The base's frame, and the tool's at the middle of its edge.
static bool write_poses(ExportMcap *self, uint64_t time, Status *status)
{
    const SessionFrame *frame = session_frame(self->session);
    Pose base = body_frame(self, MACHINE_BASE);
    Pose tip = {frame->machine.tip, frame->tool.frame.rotation};
    return write_pose(self, MCAP_BASE, &base, time, status) && write_pose(self, MCAP_TIP, &tip, time, status);
}

/// ROS: a wrench is about the origin of the frame that it names, along its axes; the session's is about the centre of
/// mass, along the world's.
static bool write_wrench(ExportMcap *self, uint64_t time, Status *status)
{
    const MachineParams *machine = session_machine_params(self->session);
    const SessionFrame *frame = session_frame(self->session);
    const Pose *tool = &frame->tool.frame;
    Vec3 force = frame->tool_wrench.force;
    Vec3 arm = vec3_sub(frame->tool.center, tool->position);
    Vec3 moment = vec3_add(frame->tool_wrench.moment, vec3_cross(arm, force));
    ByteBuffer *text = begin_message(self);
    put_header(text, time, machine->body[machine->tool[0].body].name);
    json_text_begin(text, "wrench", '{');
    put_vector(text, "force", mat3_mul_transposed(&tool->rotation, force));
    put_vector(text, "torque", mat3_mul_transposed(&tool->rotation, moment));
    json_text_end(text, '}');
    return end_message(self, MCAP_WRENCH, time, status);
}

static bool write_payload(ExportMcap *self, uint64_t time, Status *status)
{
    const SessionFrame *frame = session_frame(self->session);
    const SessionTrucks *trucks = session_trucks(self->session);
    int truck = session_trucks_watched(trucks);
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_number(text, "payload", frame->payload);
    json_text_number(text, "rocks", frame->rock_payload);
    json_text_integer(text, "truck", truck + 1);
    json_text_number(text, "truck_load", truck >= 0 ? session_trucks_readout(trucks, truck).load : 0.0);
    return end_message(self, MCAP_PAYLOAD, time, status);
}

static bool write_levers(ExportMcap *self, uint64_t time, Status *status)
{
    const OperatorControls *controls = &session_frame(self->session)->controls;
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_begin(text, "position", '{');
    for (int k = 0; k < CONTROL_COUNT; k++) {
        json_text_number(text, control_axis_names[k], control_value(controls, (ControlAxis)k));
    }
    json_text_end(text, '}');
    json_text_begin(text, "raw", '{');
    for (int k = 0; k < CONTROL_COUNT; k++) {
        json_text_integer(text, control_axis_names[k], controls->axis[k]);
    }
    json_text_end(text, '}');
    return end_message(self, MCAP_LEVERS, time, status);
}

static bool write_hydraulics(ExportMcap *self, uint64_t time, Status *status)
{
    const MachineParams *machine = session_machine_params(self->session);
    const MachineReadout *readout = &session_frame(self->session)->machine;
    char limits[MACHINE_LIMITS_TEXT];
    machine_limits_text(readout->limits, limits);
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_begin(text, "pressure", '{');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_number(text, machine->joint[k].column, readout->pressure[k]);
    }
    json_text_end(text, '}');
    json_text_begin(text, "relief", '{');
    for (int k = 0; k < machine->joint_count; k++) {
        json_text_bool(text, machine->joint[k].column, (readout->relief & MACHINE_RELIEF_JOINT(k)) != 0);
    }
    json_text_end(text, '}');
    json_text_number(text, "engine_speed", readout->engine_speed);
    json_text_number(text, "pump_power", readout->pump_power);
    json_text_number(text, "fuel", readout->fuel);
    json_text_string(text, "limits", limits);
    return end_message(self, MCAP_HYDRAULICS, time, status);
}

/// ---- exercise and events -------------------------------------------------------------------------------------------

static const char *end_words(ExerciseEnd end)
{
    switch (end) {
    case EXERCISE_DONE:
        return "done";
    case EXERCISE_TIME_UP:
        return "time up";
    case EXERCISE_JUDGING:
        return "judging";
    case EXERCISE_FAILED:
        return "failed";
    default:
        return "running";
    }
}

static void put_rows(ExportMcap *self, ByteBuffer *text)
{
    const SceneExercise *asked = &session_scene(self->session)->exercise;
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(session_exercise(self->session), rows);
    json_text_begin(text, "rows", '[');
    for (int k = 0; k < count; k++) {
        json_text_begin(text, NULL, '{');
        json_text_string(text, "label", score_label(&asked->scores[k]));
        json_text_string(text, "metric", metric_infos[asked->scores[k].metric].name);
        json_text_number(text, "value", rows[k].value);
        json_text_number(text, "share", rows[k].share);
        json_text_number(text, "scale", rows[k].scale);
        json_text_number(text, "points", rows[k].points);
        json_text_number(text, "weight", asked->scores[k].weight);
        json_text_bool(text, "failed", rows[k].failed);
        json_text_end(text, '}');
    }
    json_text_end(text, ']');
}

static bool write_exercise(ExportMcap *self, uint64_t time, Status *status)
{
    const Exercise *exercise = session_exercise(self->session);
    const SessionFrame *frame = session_frame(self->session);
    bool swings = session_machine_params(self->session)->swing_joint >= 0;
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(exercise, metrics);
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_number(text, "score", frame->score);
    json_text_number(text, "held", frame->held);
    json_text_string(text, "phase", work_phase_name(exercise_phase(exercise), swings));
    json_text_string(text, "end", end_words(exercise_end(exercise)));
    json_text_begin(text, "metrics", '{');
    for (int k = 0; k < count; k++) {
        json_text_number(text, metrics[k].name, metrics[k].value);
    }
    json_text_end(text, '}');
    put_rows(self, text);
    return end_message(self, MCAP_EXERCISE, time, status);
}

static void put_thing(ByteBuffer *text, const char *key, const EventThing *thing)
{
    json_text_begin(text, key, '{');
    json_text_string(text, "kind", event_thing_kind_name((EventThingKind)thing->kind));
    json_text_integer(text, "index", thing->index);
    json_text_string(text, "name", thing->name);
    json_text_end(text, '}');
}

/// The event in words; of one that holds what somebody typed, its kind alone.
static void event_words(const ExportMcap *self, const ExerciseEvent *event, char words[EVENT_TEXT])
{
    if (event->text[0] != '\0') {
        event_title(event, &reader_of_files, words);
    } else {
        event_line(event, &reader_of_files, &session_scene(self->session)->exercise, words);
    }
}

static bool write_event(ExportMcap *self, const ExerciseEvent *event, Status *status)
{
    enum { LOG_INFO = 2, LOG_WARNING = 3 };
    uint64_t time = tick_time(self, event->tick);
    EventKind kind = (EventKind)event->kind;
    bool incident = event->kind < (int32_t)INCIDENT_COUNT;
    char words[EVENT_TEXT];
    event_words(self, event, words);
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_integer(text, "level", incident ? LOG_WARNING : LOG_INFO);
    json_text_string(text, "message", words);
    json_text_string(text, "name", event_kind_name(kind));
    json_text_string(text, "file", "");
    json_text_integer(text, "line", 0);
    if (!end_message(self, MCAP_LOG, time, status)) {
        return false;
    }
    text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_string(text, "kind", event_kind_name(kind));
    json_text_string(text, "form", event_form(kind, event->form)->name);
    json_text_bool(text, "incident", incident);
    json_text_string(text, "message", words);
    put_thing(text, "part", &event->part);
    put_thing(text, "thing", &event->thing);
    json_text_begin(text, "numbers", '{');
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        json_text_number(text, event_numbers[k].name, event_number(event, (EventNumber)k));
    }
    json_text_end(text, '}');
    return end_message(self, MCAP_EVENTS, time, status);
}

static bool write_events(ExportMcap *self, int64_t tick, Status *status)
{
    bool good = true;
    while (good && self->next_event < self->event_count && self->events[self->next_event].tick <= tick) {
        good = write_event(self, &self->events[self->next_event++], status);
    }
    return good;
}

/// ---- ground --------------------------------------------------------------------------------------------------------

/// A change of the grid, or grains that move or lie on it.
static bool ground_changed(const ExportMcap *self, const SoilGridView *grid)
{
    bool moves = soil_get_particles(session_soil(self->session)).count > 0;
    return !self->ground_written || self->ground_moved || moves || grid->version != self->ground_version;
}

static bool write_ground(ExportMcap *self, const SoilGridView *grid, uint64_t time, Status *status)
{
    enum { FLOAT32 = 7 }; // foxglove.NumericType
    Soil *soil = session_soil(self->session);
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    soil_get_rest(soil, SOIL_GRAINS_ALL, self->heights);
    for (size_t k = 0; k < count; k++) {
        float height = roundf(self->heights[k] * GROUND_STEPS) / GROUND_STEPS;
        uint32_t word;
        memcpy(&word, &height, sizeof word);
        for (int byte = 0; byte < FLOAT_SIZE; byte++) {
            self->packed[FLOAT_SIZE * k + (size_t)byte] = (unsigned char)(word >> (8 * byte));
        }
    }
    double half = 0.5 * grid->spacing; // the grid's corner is that of its first cell, the origin that cell's middle
    Pose corner = {vec3(grid->origin_x - half, grid->origin_y - half, 0.0), mat3_identity()};
    ByteBuffer *text = begin_message(self);
    put_time(text, "timestamp", time);
    json_text_string(text, "frame_id", world_frame);
    put_pose(text, "pose", &corner);
    json_text_integer(text, "column_count", grid->columns);
    json_text_begin(text, "cell_size", '{');
    json_text_number(text, "x", grid->spacing);
    json_text_number(text, "y", grid->spacing);
    json_text_end(text, '}');
    json_text_integer(text, "row_stride", (int64_t)FLOAT_SIZE * grid->columns);
    json_text_integer(text, "cell_stride", FLOAT_SIZE);
    json_text_begin(text, "fields", '[');
    json_text_begin(text, NULL, '{');
    json_text_string(text, "name", "elevation");
    json_text_integer(text, "offset", 0);
    json_text_integer(text, "type", FLOAT32);
    json_text_end(text, '}');
    json_text_end(text, ']');
    json_text_base64(text, "data", self->packed, FLOAT_SIZE * count);
    self->ground_version = grid->version;
    self->ground_moved = soil_get_particles(soil).count > 0;
    self->ground_written = true;
    return end_message(self, MCAP_GROUND, time, status);
}

/// ---- ticks ---------------------------------------------------------------------------------------------------------

static bool write_state(ExportMcap *self, uint64_t time, Status *status)
{
    return write_joints(self, time, status) && write_frames(self, time, status) && write_poses(self, time, status) &&
           write_wrench(self, time, status) && write_payload(self, time, status) && write_levers(self, time, status) &&
           write_hydraulics(self, time, status);
}

static bool write_tick(ExportMcap *self, Status *status)
{
    int64_t tick = session_frame(self->session)->tick;
    int64_t tick_rate = session_scene(self->session)->rates.tick_rate;
    uint64_t time = tick_time(self, tick);
    bool begins = !self->ground_written, ends = tick == self->last_tick;
    bool looks = tick % exercise_look_interval(1.0 / (double)tick_rate) == 0;
    bool shown = begins || tick % self->every == 0;
    if (!write_events(self, tick, status) || (shown && !write_state(self, time, status))) {
        return false;
    }
    if ((begins || ends || looks) && !write_exercise(self, time, status)) {
        return false;
    }
    SoilGridView grid = soil_get_grid(session_soil(self->session));
    bool due = begins || ends || tick % tick_rate == 0;
    if (due && ground_changed(self, &grid) && !write_ground(self, &grid, time, status)) {
        return false;
    }
    return !due || mcap_flush(self->file, status);
}

bool export_mcap_tick(ExportMcap *self, Status *status)
{
    locale_t before = uselocale(self->locale);
    bool good = write_tick(self, status);
    uselocale(before);
    return good;
}

int64_t export_mcap_messages(const ExportMcap *self)
{
    return mcap_messages(self->file);
}

/// ---- beginning and end ---------------------------------------------------------------------------------------------

/// Allowed rates: divisors of the tick rate.
static bool find_interval(ExportMcap *self, const ExportMcapParams *params, Status *status)
{
    int tick_rate = session_scene(self->session)->rates.tick_rate;
    int usual = tick_rate % EXPORT_MCAP_RATE == 0 ? EXPORT_MCAP_RATE : tick_rate;
    int rate = params->rate > 0 ? params->rate : usual;
    if (tick_rate % rate == 0) {
        self->every = tick_rate / rate;
        return true;
    }
    char allowed[256] = "";
    for (int k = 1; k <= tick_rate && strlen(allowed) + 8 < sizeof allowed; k++) {
        if (tick_rate % k == 0) {
            size_t length = strlen(allowed);
            snprintf(allowed + length, sizeof allowed - length, " %d", k);
        }
    }
    return status_fail(status, STATUS_BAD_USAGE,
                       "--rate %d: does not divide the %d ticks a second of the scene; allowed:%s", rate, tick_rate,
                       allowed);
}

static bool read_events(ExportMcap *self, const ExportMcapParams *params, Status *status)
{
    self->events = calloc(MOST_EVENTS + 1, sizeof *self->events);
    if (self->events == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for the events", params->path);
    }
    self->event_count = recording_events(params->recording, self->events, MOST_EVENTS + 1);
    return self->event_count <= MOST_EVENTS ||
           status_fail(status, STATUS_BAD_FILE, "%s: the recording holds more than %d events", params->path,
                       MOST_EVENTS);
}

static bool add_channels(ExportMcap *self, const char *path, Status *status)
{
    for (int k = 0; k < MCAP_CHANNELS; k++) {
        mcap_schema((McapChannel)k, self->session, &self->text);
        if (self->text.failed) {
            return status_fail(status, STATUS_LACKING, "%s: out of memory for the schemas", path);
        }
        self->channel[k] = mcap_add_channel(self->file, mcap_channels[k].topic, mcap_channels[k].schema_name,
                                            (const char *)self->text.bytes);
    }
    return true;
}

/// Where it comes from, without who drove it.
static bool add_origin(ExportMcap *self, const ExportMcapParams *params, Status *status)
{
    enum { VALUE = 256 };
    static const char *const keys[] = {"scene",  "seed",   "tick_rate", "substeps",
                                       "solver", "format", "build",     "computer"};
    enum { KEYS = sizeof keys / sizeof keys[0], MORE = 6 };
    char values[KEYS][VALUE], numbers[2][32];
    McapText texts[KEYS + MORE];
    int count = 0;
    for (int k = 0; k < KEYS; k++) {
        const char *value = recording_meta(params->recording, keys[k]);
        snprintf(values[k], VALUE, "%s", value != NULL ? value : "");
        texts[count++] = (McapText){keys[k], values[k]};
    }
    snprintf(numbers[0], sizeof numbers[0], "%" PRId64, recording_first_tick(params->recording));
    snprintf(numbers[1], sizeof numbers[1], "%" PRId64, self->every);
    texts[count++] = (McapText){"first_tick", numbers[0]};
    texts[count++] = (McapText){"ticks_per_state", numbers[1]};
    texts[count++] = (McapText){"machine", session_machine_params(self->session)->name};
    texts[count++] = (McapText){"seal", params->seal->hash};
    texts[count++] = (McapText){"seal_state", seal_state_name(params->seal->state)};
    texts[count++] = (McapText){"time", "simulated, ns since the start of the scene"};
    return mcap_add_metadata(self->file, "spadework", texts, count, status);
}

static bool add_files(ExportMcap *self, Status *status)
{
    static const struct {
        const char *kind, *suffix, *media_type;
    } kinds[] = {{"meshes", "obj", "model/obj"},
                 {"surfaces", "xml", "application/xml"},
                 {"heights", "png", "image/png"},
                 {SCENE_RELIEF_KIND, "ground", "application/octet-stream"}};
    const DataFiles *files = session_files(self->session);
    for (int k = 0; k < files->count; k++) {
        const DataFile *file = &files->files[k];
        const char *suffix = "yaml", *media_type = "application/yaml";
        for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
            bool same = strcmp(file->kind, kinds[n].kind) == 0;
            suffix = same ? kinds[n].suffix : suffix;
            media_type = same ? kinds[n].media_type : media_type;
        }
        char name[sizeof file->kind + sizeof file->name + 8];
        snprintf(name, sizeof name, "%s/%s.%s", file->kind, file->name, suffix);
        if (!mcap_add_attachment(self->file, name, media_type, file->text, file->size, status)) {
            return false;
        }
    }
    return true;
}

static bool make_room(ExportMcap *self, const char *path, Status *status)
{
    SoilGridView grid = soil_get_grid(session_soil(self->session));
    size_t count = (size_t)grid.rows * (size_t)grid.columns;
    self->heights = malloc(count * sizeof *self->heights);
    self->packed = malloc(FLOAT_SIZE * count);
    self->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (self->heights != NULL && self->packed != NULL && self->locale != (locale_t)0) ||
           status_fail(status, STATUS_LACKING, "%s: out of memory for the MCAP file", path);
}

ExportMcap *export_mcap_create(const ExportMcapParams *params, Session *session, Status *status)
{
    ExportMcap *self = calloc(1, sizeof *self);
    if (self == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the MCAP file", params->path);
        return NULL;
    }
    self->session = session;
    self->last_tick = recording_ticks(params->recording);
    bool good = find_interval(self, params, status) && make_room(self, params->path, status) &&
                read_events(self, params, status);
    self->file = good ? mcap_create(params->path, "spadework " SPADEWORK_VERSION, status) : NULL;
    if (self->file == NULL || !add_channels(self, params->path, status) || !add_origin(self, params, status) ||
        !add_files(self, status)) {
        Status ignored;
        export_mcap_close(self, false, &ignored);
        return NULL;
    }
    return self;
}

bool export_mcap_close(ExportMcap *self, bool keep, Status *status)
{
    if (self == NULL) {
        return true;
    }
    bool good = mcap_close(self->file, keep, status);
    if (self->locale != (locale_t)0) {
        freelocale(self->locale);
    }
    byte_buffer_free(&self->text);
    free(self->events);
    free(self->heights);
    free(self->packed);
    free(self);
    return good;
}
