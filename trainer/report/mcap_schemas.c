/// JSON schemas: fixed texts of known messages, and schemas made from a machine's joints, an exercise's metrics and the
/// table of events' numbers.
#include "trainer/report/mcap_schemas.h"

#include <assert.h>
#include <stdio.h>

#include "trainer/report/json_text.h"

const McapChannelInfo mcap_channels[MCAP_CHANNELS] = {
    [MCAP_JOINT_STATES] = {"/joint_states", "sensor_msgs/msg/JointState"},
    [MCAP_TF] = {"/tf", "foxglove.FrameTransforms"},
    [MCAP_BASE] = {"/base/pose", "foxglove.PoseInFrame"},
    [MCAP_TIP] = {"/tip/pose", "foxglove.PoseInFrame"},
    [MCAP_WRENCH] = {"/tool/wrench", "geometry_msgs/msg/WrenchStamped"},
    [MCAP_PAYLOAD] = {"/payload", "spadework.Payload"},
    [MCAP_LEVERS] = {"/levers", "spadework.Levers"},
    [MCAP_HYDRAULICS] = {"/hydraulics", "spadework.Hydraulics"},
    [MCAP_EXERCISE] = {"/exercise", "spadework.Exercise"},
    [MCAP_LOG] = {"/events", "foxglove.Log"},
    [MCAP_EVENTS] = {"/events/data", "spadework.Event"},
    [MCAP_GROUND] = {"/ground", "foxglove.Grid"},
};

/// ---- fixed schemas -------------------------------------------------------------------------------------------------

#define FIELD(name, schema) "\"" name "\":" schema
#define OBJECT(title, fields, required)                                                                                \
    "{\"title\":\"" title "\",\"type\":\"object\",\"properties\":{" fields "},\"required\":[" required "]}"
#define LIST(schema) "{\"type\":\"array\",\"items\":" schema "}"
#define TEXT_FIELD   "{\"type\":\"string\"}"
#define NUMBER       "{\"type\":\"number\"}"
#define COUNT        "{\"type\":\"integer\",\"minimum\":0}"
#define BYTES        "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"
/// Foxglove's has no required fields.
#define TIME                                                                                                           \
    "{\"title\":\"time\",\"type\":\"object\",\"properties\":{" FIELD("sec", COUNT) "," FIELD(                          \
        "nsec", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":999999999}") "}}"
#define VECTOR2    OBJECT("foxglove.Vector2", FIELD("x", NUMBER) "," FIELD("y", NUMBER), "\"x\",\"y\"")
#define XYZ        FIELD("x", NUMBER) "," FIELD("y", NUMBER) "," FIELD("z", NUMBER)
#define VECTOR3    OBJECT("foxglove.Vector3", XYZ, "\"x\",\"y\",\"z\"")
#define QUATERNION OBJECT("foxglove.Quaternion", XYZ "," FIELD("w", NUMBER), "\"x\",\"y\",\"z\",\"w\"")
#define POSE                                                                                                           \
    OBJECT("foxglove.Pose", FIELD("position", VECTOR3) "," FIELD("orientation", QUATERNION),                           \
           "\"position\",\"orientation\"")
#define TRANSFORM                                                                                                      \
    OBJECT("foxglove.FrameTransform",                                                                                  \
           FIELD("timestamp", TIME) "," FIELD("parent_frame_id", TEXT_FIELD) "," FIELD(                                \
               "child_frame_id", TEXT_FIELD) "," FIELD("translation", VECTOR3) "," FIELD("rotation", QUATERNION),      \
           "\"timestamp\",\"parent_frame_id\",\"child_frame_id\",\"translation\",\"rotation\"")
#define HEADER                                                                                                         \
    OBJECT("std_msgs/msg/Header", FIELD("stamp", TIME) "," FIELD("frame_id", TEXT_FIELD), "\"stamp\",\"frame_id\"")
#define ROS_VECTOR3           OBJECT("geometry_msgs/msg/Vector3", XYZ, "\"x\",\"y\",\"z\"")
#define CHOICE(title, number) "{\"title\":\"" title "\",\"const\":" number "}"
#define LOG_LEVEL                                                                                                      \
    "{\"title\":\"foxglove.LogLevel\",\"oneOf\":[" CHOICE("UNKNOWN", "0") "," CHOICE("DEBUG", "1") "," CHOICE(         \
        "INFO", "2") "," CHOICE("WARNING", "3") "," CHOICE("ERROR", "4") "," CHOICE("FATAL", "5") "]}"
#define NUMERIC_TYPE                                                                                                   \
    "{\"title\":\"foxglove.NumericType\",\"oneOf\":[" CHOICE("UNKNOWN", "0") "," CHOICE("UINT8", "1") "," CHOICE(      \
        "INT8",                                                                                                        \
        "2") "," CHOICE("UINT16",                                                                                      \
                        "3") "," CHOICE("INT16",                                                                       \
                                        "4") "," CHOICE("UINT32",                                                      \
                                                        "5") "," CHOICE("INT32",                                       \
                                                                        "6") "," CHOICE("FLOAT32",                     \
                                                                                        "7") "," CHOICE("FLOAT64",     \
                                                                                                        "8") "]}"
#define PACKED_FIELD                                                                                                   \
    OBJECT("foxglove.PackedElementField",                                                                              \
           FIELD("name", TEXT_FIELD) "," FIELD("offset", COUNT) "," FIELD("type", NUMERIC_TYPE),                       \
           "\"name\",\"offset\",\"type\"")

/// Of channels whose schema does not depend on the session.
static const char *const fixed_schemas[MCAP_CHANNELS] = {
    [MCAP_JOINT_STATES] =
        OBJECT("sensor_msgs/msg/JointState",
               FIELD("header", HEADER) "," FIELD("name", LIST(TEXT_FIELD)) "," FIELD(
                   "position", LIST(NUMBER)) "," FIELD("velocity", LIST(NUMBER)) "," FIELD("effort", LIST(NUMBER)),
               "\"header\",\"name\",\"position\",\"velocity\",\"effort\""),
    [MCAP_TF] = OBJECT("foxglove.FrameTransforms", FIELD("transforms", LIST(TRANSFORM)), "\"transforms\""),
    [MCAP_BASE] = OBJECT("foxglove.PoseInFrame",
                         FIELD("timestamp", TIME) "," FIELD("frame_id", TEXT_FIELD) "," FIELD("pose", POSE),
                         "\"timestamp\",\"frame_id\",\"pose\""),
    [MCAP_TIP] = OBJECT("foxglove.PoseInFrame",
                        FIELD("timestamp", TIME) "," FIELD("frame_id", TEXT_FIELD) "," FIELD("pose", POSE),
                        "\"timestamp\",\"frame_id\",\"pose\""),
    [MCAP_WRENCH] = OBJECT(
        "geometry_msgs/msg/WrenchStamped",
        FIELD("header", HEADER) "," FIELD("wrench", OBJECT("geometry_msgs/msg/Wrench",
                                                           FIELD("force", ROS_VECTOR3) "," FIELD("torque", ROS_VECTOR3),
                                                           "\"force\",\"torque\"")),
        "\"header\",\"wrench\""),
    [MCAP_LOG] =
        OBJECT("foxglove.Log",
               FIELD("timestamp", TIME) "," FIELD("level", LOG_LEVEL) "," FIELD("message", TEXT_FIELD) "," FIELD(
                   "name", TEXT_FIELD) "," FIELD("file", TEXT_FIELD) "," FIELD("line", COUNT),
               "\"timestamp\",\"level\",\"message\",\"name\",\"file\",\"line\""),
    [MCAP_GROUND] = OBJECT(
        "foxglove.Grid",
        FIELD("timestamp", TIME) "," FIELD("frame_id", TEXT_FIELD) "," FIELD("pose", POSE) "," FIELD(
            "column_count",
            COUNT) "," FIELD("cell_size",
                             VECTOR2) "," FIELD("row_stride",
                                                COUNT) "," FIELD("cell_stride",
                                                                 COUNT) "," FIELD("fields",
                                                                                  LIST(PACKED_FIELD)) "," FIELD("data",
                                                                                                                BYTES),
        "\"timestamp\",\"frame_id\",\"pose\",\"column_count\",\"cell_size\",\"row_stride\",\"cell_stride\",\"fields\","
        "\"data\""),
};

/// ---- schemas of this program ---------------------------------------------------------------------------------------

enum { MOST_FIELDS = 200, DESCRIPTION = 160 };
static_assert((int)METRIC_COUNT <= (int)MOST_FIELDS, "a field for each metric");

/// A schema of an object that is being written: its fields are all required.
typedef struct Schema {
    ByteBuffer *text;
    const char *names[MOST_FIELDS];
    int count;
} Schema;

static Schema begin_schema(ByteBuffer *text, const char *key, const char *title)
{
    json_text_begin(text, key, '{');
    if (title != NULL) {
        json_text_string(text, "title", title);
    }
    json_text_string(text, "type", "object");
    json_text_begin(text, "properties", '{');
    return (Schema){.text = text};
}

static void require(Schema *schema, const char *name)
{
    if (schema->count < MOST_FIELDS) {
        schema->names[schema->count++] = name;
    }
}

static void end_schema(const Schema *schema)
{
    json_text_end(schema->text, '}');
    json_text_begin(schema->text, "required", '[');
    for (int k = 0; k < schema->count; k++) {
        json_text_string(schema->text, NULL, schema->names[k]);
    }
    json_text_end(schema->text, ']');
    json_text_end(schema->text, '}');
}

/// type  "number", "integer", "string", "boolean"
static void add_field(Schema *schema, const char *name, const char *type, const char *description)
{
    json_text_begin(schema->text, name, '{');
    json_text_string(schema->text, "type", type);
    json_text_string(schema->text, "description", description);
    json_text_end(schema->text, '}');
    require(schema, name);
}

static void add_time(Schema *schema)
{
    json_text_raw(schema->text, "timestamp", TIME);
    require(schema, "timestamp");
}

/// An object with a number for each joint of the machine.
static void add_joints(Schema *schema, const char *name, const MachineParams *machine, const char *type,
                       const char *description)
{
    Schema joints = begin_schema(schema->text, name, NULL);
    for (int k = 0; k < machine->joint_count; k++) {
        add_field(&joints, machine->joint[k].column, type, description);
    }
    end_schema(&joints);
    require(schema, name);
}

static void add_levers(Schema *schema, const char *name, const char *type, const char *description)
{
    Schema levers = begin_schema(schema->text, name, NULL);
    for (int k = 0; k < CONTROL_COUNT; k++) {
        add_field(&levers, control_axis_names[k], type, description);
    }
    end_schema(&levers);
    require(schema, name);
}

static void add_metrics(Schema *schema, const Exercise *exercise)
{
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = exercise_metrics(exercise, metrics);
    Schema object = begin_schema(schema->text, "metrics", NULL);
    for (int k = 0; k < count; k++) {
        Metric metric = metric_named(metrics[k].name);
        char description[DESCRIPTION];
        snprintf(description, sizeof description, "%s, %s", metrics[k].unit,
                 metric < METRIC_COUNT ? metric_infos[metric].phrase : "");
        add_field(&object, metric < METRIC_COUNT ? metric_infos[metric].name : "", "number", description);
    }
    end_schema(&object);
    require(schema, "metrics");
}

static void add_rows(Schema *schema)
{
    json_text_begin(schema->text, "rows", '{');
    json_text_string(schema->text, "type", "array");
    json_text_string(schema->text, "description", "rows of the score");
    Schema row = begin_schema(schema->text, "items", "spadework.ScoreRow");
    add_field(&row, "label", "string", "words for people");
    add_field(&row, "metric", "string", "figure that it is about");
    add_field(&row, "value", "number", "of the metric, in its unit");
    add_field(&row, "share", "number", "0..1 of the points that the value is worth");
    add_field(&row, "scale", "number", "0..1 by which another metric scales the points");
    add_field(&row, "points", "number", "weight x share x scale");
    add_field(&row, "weight", "number", "most points of the row");
    add_field(&row, "failed", "boolean", "the value is beyond the row's failing limit");
    end_schema(&row);
    json_text_end(schema->text, '}');
    require(schema, "rows");
}

static void add_thing(Schema *schema, const char *name, const char *description)
{
    Schema thing = begin_schema(schema->text, name, NULL);
    add_field(&thing, "kind", "string", description);
    add_field(&thing, "index", "integer", "which one, from 0");
    add_field(&thing, "name", "string", "what the machine or the scene calls it");
    end_schema(&thing);
    require(schema, name);
}

static void add_event(Schema *schema)
{
    add_field(schema, "kind", "string", "kind of event");
    add_field(schema, "form", "string", "form of the kind; empty where it has one only");
    add_field(schema, "incident", "boolean", "an incident: the rules of the exercise may cost points for it");
    add_field(schema, "message", "string", "sentence in English");
    add_thing(schema, "part", "what acts");
    add_thing(schema, "thing", "what it meets, or what it is about");
    Schema numbers = begin_schema(schema->text, "numbers", NULL);
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        add_field(&numbers, event_numbers[k].name, "number", event_numbers[k].unit);
    }
    end_schema(&numbers);
    require(schema, "numbers");
}

static void add_fields(McapChannel channel, const Session *session, Schema *schema)
{
    const MachineParams *machine = session_machine_params(session);
    switch (channel) {
    case MCAP_PAYLOAD:
        add_field(schema, "payload", "number", "kg of soil and rocks in the tool");
        add_field(schema, "rocks", "number", "kg of it that is rocks");
        add_field(schema, "truck", "integer", "truck that is served, from 1 on; 0: none");
        add_field(schema, "truck_load", "number", "kg in its bed");
        break;
    case MCAP_LEVERS:
        add_levers(schema, "position", "number", "-1..1: raw / 32767; signs: docs/scripted-operators.md");
        add_levers(schema, "raw", "integer", "-32767..32767, as recorded and used");
        break;
    case MCAP_HYDRAULICS:
        add_joints(schema, "pressure", machine, "number", "Pa, the higher port");
        add_joints(schema, "relief", machine, "boolean", "its relief valve is open");
        add_field(schema, "engine_speed", "number", "rad/s");
        add_field(schema, "pump_power", "number", "W taken from the engine");
        add_field(schema, "fuel", "number", "kg left");
        add_field(schema, "limits", "string",
                  "what bounds the machine: none, or stall, relief, slip, tip with + between");
        break;
    case MCAP_EXERCISE:
        add_field(schema, "score", "number", "0..100");
        add_field(schema, "held", "number", "s since the ground was last measured at rest; 0: it is");
        add_field(schema, "phase", "string", "phase of the work");
        add_field(schema, "end", "string", "running, done, time up, judging or failed");
        add_metrics(schema, session_exercise(session));
        add_rows(schema);
        break;
    default:
        add_event(schema);
        break;
    }
}

void mcap_schema(McapChannel channel, const Session *session, ByteBuffer *text)
{
    byte_buffer_clear(text);
    if (fixed_schemas[channel] != NULL) {
        json_text_raw(text, NULL, fixed_schemas[channel]);
    } else {
        Schema schema = begin_schema(text, NULL, mcap_channels[channel].schema_name);
        add_time(&schema);
        add_fields(channel, session, &schema);
        end_schema(&schema);
    }
    byte_buffer_put(text, "", 1);
}
