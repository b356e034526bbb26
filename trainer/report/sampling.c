/// Walks over what is observed of a session, once for the names and then for the numbers of each sample.
#include "trainer/report/sampling.h"

#include <assert.h>
#include <stdio.h>

typedef struct Walk {
    Sampling *names; ///< being listed; NULL: numbers are taken
    double *values; ///< NULL: names are listed
    int column;
} Walk;

static void begin(Walk *walk, const char *name, const char *about, bool task)
{
    Sampling *names = walk->names;
    if (names != NULL) {
        assert(names->array_count < SAMPLING_ARRAYS);
        names->arrays[names->array_count++] =
            (SampledArray){.name = name, .about = about, .task = task, .first = names->column_count};
    }
}

static void add(Walk *walk, const char *name, const char *unit, double value)
{
    Sampling *names = walk->names;
    if (names == NULL) {
        walk->values[walk->column++] = value;
        return;
    }
    assert(names->column_count < SAMPLING_COLUMNS);
    SampledColumn *column = &names->columns[names->column_count++];
    snprintf(column->name, sizeof column->name, "%s", name);
    snprintf(column->unit, sizeof column->unit, "%s", unit);
    names->arrays[names->array_count - 1].count++;
}

static void add_vector(Walk *walk, const char *unit, Vec3 value)
{
    add(walk, "x", unit, value.x);
    add(walk, "y", unit, value.y);
    add(walk, "z", unit, value.z);
}

static void walk_joints(Walk *walk, const MachineParams *machine, const MachineReadout *readout)
{
    begin(walk, "qpos", "angles of the machine's joints", false);
    for (int k = 0; k < machine->joint_count; k++) {
        add(walk, machine->joint[k].column, "rad", readout->angle[k]);
    }
    begin(walk, "qvel", "speeds of the machine's joints", false);
    for (int k = 0; k < machine->joint_count; k++) {
        add(walk, machine->joint[k].column, "rad/s", readout->speed[k]);
    }
    begin(walk, "pressure", "pressure at the higher port of each joint's cylinder or motor", false);
    for (int k = 0; k < machine->joint_count; k++) {
        add(walk, machine->joint[k].column, "Pa", readout->pressure[k]);
    }
}

static void walk_machine(Walk *walk, const Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const MachineReadout *readout = &frame->machine;
    walk_joints(walk, session_machine_params(session), readout);
    begin(walk, "tool_force", "force of soil and rocks on the first tool, world axes", false);
    add_vector(walk, "N", frame->tool_wrench.force);
    begin(walk, "tool_moment", "their moment about its centre of mass, world axes", false);
    add_vector(walk, "N m", frame->tool_wrench.moment);
    begin(walk, "payload", "soil and rocks in the first tool", false);
    add(walk, "payload", "kg", frame->payload);
    add(walk, "rock_payload", "kg", frame->rock_payload);
    begin(walk, "tip", "middle of the first tool's cutting edge, world", false);
    add_vector(walk, "m", readout->tip);
    begin(walk, "base_position", "origin of the undercarriage, world", false);
    add_vector(walk, "m", readout->base);
    begin(walk, "orientation", "of the undercarriage: to the left, nose up, left side up", false);
    add(walk, "yaw", "rad", readout->yaw);
    add(walk, "pitch", "rad", readout->pitch);
    add(walk, "roll", "rad", readout->roll);
    begin(walk, "track_slip", "1 - ground speed / belt speed; 0 when the belt stands", false);
    add(walk, "left", "1", readout->slip[0]);
    add(walk, "right", "1", readout->slip[1]);
    begin(walk, "engine", "engine, pumps and tank", false);
    add(walk, "speed", "rad/s", readout->engine_speed);
    add(walk, "pump_power", "W", readout->pump_power);
    add(walk, "fuel", "kg", readout->fuel);
}

static void walk_truck(Walk *walk, const SessionTrucks *trucks)
{
    if (session_trucks_count(trucks) == 0) {
        return;
    }
    int index = session_trucks_watched(trucks);
    SessionTruckReadout truck = {.load = 0.0};
    if (index >= 0) {
        truck = session_trucks_readout(trucks, index);
    }
    begin(walk, "truck", "truck that is loaded or comes next, from 1 on (0: none), and what it bears", true);
    add(walk, "number", "1", index + 1);
    add(walk, "load", "kg", truck.load);
    add(walk, "front", "kg", truck.front);
    add(walk, "rear", "kg", truck.rear);
    add(walk, "left", "kg", truck.left);
    add(walk, "right", "kg", truck.right);
}

static void walk_task(Walk *walk, const Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const SceneExercise *asked = &session_scene(session)->exercise;
    const Exercise *exercise = session_exercise(session);
    begin(walk, "score", "points, 0..100, and for how long its figures of the ground have been held", true);
    add(walk, "score", "1", frame->score);
    add(walk, "held", "s", frame->held);
    ScoreRow rows[SCENE_MAX_SCORES];
    int row_count = exercise_score_rows(exercise, rows);
    if (row_count > 0) {
        begin(walk, "score_rows", "points of each row of the score, by its metric", true);
    }
    for (int k = 0; k < row_count; k++) {
        add(walk, metric_infos[asked->scores[k].metric].name, "1", rows[k].points);
    }
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(exercise, metrics);
    begin(walk, "metrics", "figures of the exercise so far; those of the ground as it last was settled", true);
    for (int k = 0; k < count; k++) {
        add(walk, metrics[k].name, metrics[k].unit, metrics[k].value);
    }
    walk_truck(walk, session_trucks(session));
}

static void list_axes(const MachineParams *machine, Sampling *sampling)
{
    int jaws = machine->jaw_count > 1 ? machine->jaw_count - 1 : 0; // one lever moves them all
    for (int k = 0; k < machine->joint_count - jaws; k++) {
        sampling->axes[sampling->axis_count++] = machine->joint[k].control;
    }
    sampling->axes[sampling->axis_count++] = CONTROL_LEFT_TRACK;
    sampling->axes[sampling->axis_count++] = CONTROL_RIGHT_TRACK;
    sampling->axes[sampling->axis_count++] = CONTROL_THROTTLE;
    if (machine->hammer.blow_energy > 0.0) {
        sampling->axes[sampling->axis_count++] = CONTROL_AUXILIARY;
    }
    if (machine_floating_joint(machine) >= 0) {
        sampling->axes[sampling->axis_count++] = CONTROL_BLADE_FLOAT;
    }
}

void sampling_describe(const Session *session, Sampling *sampling)
{
    *sampling = (Sampling){0};
    Walk walk = {.names = sampling};
    walk_machine(&walk, session);
    walk_task(&walk, session);
    list_axes(session_machine_params(session), sampling);
}

void sampling_take(const Session *session, const Sampling *sampling, double *values)
{
    Walk walk = {.values = values};
    walk_machine(&walk, session);
    walk_task(&walk, session);
    assert(walk.column == sampling->column_count);
    (void)sampling;
}
