/// Expert runs: the names of their actions, and the keys of the list of actions, each a mapping with exactly one key,
/// with the rules between them.
#include <assert.h>

#include "data/core/constants.h"
#include "data/schema/expert_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/schemas.h"

const char *const expert_action_names[EXPERT_ACTION_COUNT] = {
#define X(upper, lower, machine) #lower,
    EXPERT_ACTIONS(X)
#undef X
};

/// True when machines of that type can do it.
static bool is_action_of(ExpertActionKind kind, MachineType type)
{
    enum { OF_E = 1, OF_D = 2, OF_A = OF_E | OF_D };
    static const int machines[EXPERT_ACTION_COUNT] = {
#define X(upper, lower, machine) OF_##machine,
        EXPERT_ACTIONS(X)
#undef X
    };
    int own = type == MACHINE_EXCAVATOR ? OF_E : type == MACHINE_DOZER ? OF_D : 0;
    return (machines[kind] & own) != 0;
}

#define MOST_M    100.0 ///< m: as far as sites reach
#define MOST_TIME 3600.0 ///< s that an action may take

/// A number without a fallback; what is not given is EXPERT_NOT_GIVEN or more once its unit is applied.
#define ROW_GIVEN(name, Struct, member, low, high, per, about)                                                         \
    ROW_NUMBER_OR(name, Struct, member, low, high, per, EXPERT_NOT_GIVEN / (per), about)
#define ROW_POINT_OF(Struct, member)                                                                                   \
    ROW_NUMBER("x", Struct, member x, -MOST_M, MOST_M, 1, "m: to the east of the site's middle"),                      \
        ROW_NUMBER("y", Struct, member y, -MOST_M, MOST_M, 1, "m: to the north of the site's middle"),                 \
        ROW_GIVEN("z", Struct, member z, -10, 30, 1, "m: height over the level of the site"),                          \
        ROW_GIVEN("above", Struct, member above, -5, 30, 1,                                                            \
                  "m: height over the ground as it lies there when the action begins; in place of z")
#define ROW_LIMIT(Struct, most)                                                                                        \
    ROW_NUMBER_OR("limit", Struct, limit, 0.1, MOST_TIME, 1, most,                                                     \
                  "s: time limit of the action; the list then continues")

static const KeyChoice truths[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}, {NULL, 0}};

static const DataKey point_keys[] = {ROW_POINT_OF(ExpertPoint, ), ROW_END};

static const DataKey tip_keys[] = {
    ROW_POINT_OF(ExpertTip, to.),
    ROW_GIVEN("angle_deg", ExpertTip, angle, -270, 90, UNIT_DEG,
              "deg: elevation of the line from the bucket's pin to its edge; left out: as it is"),
    ROW_GIVEN("over", ExpertTip, over, 0, 10, 1,
              "m: height over the ground that the edge rises to first and keeps on its way; left out: straight"),
    ROW_NUMBER_OR("speed", ExpertTip, speed, 0.02, 5, 1, 1.5, "m/s: of the edge"),
    ROW_NUMBER_OR("tolerance", ExpertTip, tolerance, 0.01, 2, 1, 0.05,
                  "m: tolerance; a nearer place counts as reached"),
    ROW_NUMBER_OR("hold", ExpertTip, hold, 0, 60, 1, 0.2, "s: time that it must stay there"),
    ROW_LIMIT(ExpertTip, 30),
    ROW_END,
};

static const DataKey line_keys[] = {
    ROW_MAPPING("from", ExpertLine, from, point_keys, "where the line begins"),
    ROW_MAPPING("to", ExpertLine, to, point_keys, "where the line ends"),
    ROW_NUMBER("angle_deg", ExpertLine, angle, -270, 90, UNIT_DEG,
               "deg: elevation of the line from the bucket's pin to its edge"),
    ROW_GIVEN("end_angle_deg", ExpertLine, end_angle, -270, 90, UNIT_DEG,
              "deg: the same at the end; left out: as at the start"),
    ROW_NUMBER_OR("approach", ExpertLine, approach, 0, 5, 1, 0.4,
                  "m: over its start, from where the edge comes down; 0: directly"),
    ROW_NUMBER_OR("speed", ExpertLine, speed, 0.02, 2, 1, 0.5, "m/s: of the edge"),
    ROW_NUMBER_OR("tolerance", ExpertLine, tolerance, 0.01, 1, 1, 0.04, "m: that the edge may be off at both ends"),
    ROW_LIMIT(ExpertLine, 60),
    ROW_END,
};

static const DataKey curl_keys[] = {
    ROW_NUMBER("angle_deg", ExpertCurl, angle, -270, 90, UNIT_DEG,
               "deg: elevation of the line from the bucket's pin to its edge"),
    ROW_NUMBER_OR("tolerance_deg", ExpertCurl, tolerance, 0.2, 45, UNIT_DEG, 3,
                  "deg: tolerance; a nearer angle counts as reached"),
    ROW_LIMIT(ExpertCurl, 6),
    ROW_END,
};

static const DataKey tool_keys[] = {
    ROW_GIVEN("tilt_deg", ExpertTool, tilt, -60, 60, UNIT_DEG, "deg: tilt, right corner down; left out: unchanged"),
    ROW_GIVEN("rotate_deg", ExpertTool, rotate, -180, 180, UNIT_DEG,
              "deg: turn, clockwise seen from above; left out: unchanged"),
    ROW_NUMBER_OR("tolerance_deg", ExpertTool, tolerance, 0.2, 45, UNIT_DEG, 1,
                  "deg: tolerance; nearer angles count as reached"),
    ROW_LIMIT(ExpertTool, 20),
    ROW_END,
};

static const DataKey turn_keys[] = {
    ROW_NUMBER("heading_deg", ExpertTurn, heading, -360, 360, UNIT_DEG, "deg: heading to turn to, from east to north"),
    ROW_NUMBER_OR("speed", ExpertTurn, speed, 0.05, 1, 1, 1, "share: of the lever's travel, at most"),
    ROW_NUMBER_OR("tolerance_deg", ExpertTurn, tolerance, 0.2, 45, UNIT_DEG, 2,
                  "deg: tolerance; a nearer angle counts as reached"),
    ROW_LIMIT(ExpertTurn, 40),
    ROW_END,
};

#define ROWS_FIELD(Struct)                                                                                             \
    ROW_NUMBER("x", Struct, field.x, -MOST_M, MOST_M, 1, "m: middle of its near end, to the east"),                    \
        ROW_NUMBER("y", Struct, field.y, -MOST_M, MOST_M, 1, "m: middle of its near end, to the north"),               \
        ROW_NUMBER_OR("heading_deg", Struct, field.heading, -360, 360, UNIT_DEG, 0,                                    \
                      "deg: where its length points, from east to north"),                                             \
        ROW_NUMBER("length", Struct, field.length, 0.2, MOST_M, 1, "m: along its heading"),                            \
        ROW_NUMBER("width", Struct, field.width, 0.2, MOST_M, 1, "m: across its heading")

static const DataKey dig_keys[] = {
    ROWS_FIELD(ExpertDig),
    ROW_NUMBER("floor", ExpertDig, floor, -10, 30, 1, "m: height of the floor over the level of the site"),
    ROW_CHOICE_OPTIONAL("heap", ExpertDig, heap, truths,
                        "the soil is a heap on the ground, not a pit whose walls must stand"),
    ROW_NUMBER("dump_x", ExpertDig, dump_x, -MOST_M, MOST_M, 1, "m: where loads are dumped, to the east"),
    ROW_NUMBER("dump_y", ExpertDig, dump_y, -MOST_M, MOST_M, 1, "m: where loads are dumped, to the north"),
    ROW_NUMBER_OR("dump_radius", ExpertDig, dump_radius, 0.3, 10, 1, 1.5,
                  "m: radius of the place where loads are dumped"),
    ROW_INTEGER_OR("cycles", ExpertDig, cycles, 0, 10000, 0, "loads after which it ends; 0: when nothing is left"),
    ROW_LIMIT(ExpertDig, 900),
    ROW_END,
};

static const DataKey grade_keys[] = {
    ROWS_FIELD(ExpertGrade),
    ROW_NUMBER("z", ExpertGrade, z, -10, 30, 1, "m: height of the near end over the level of the site"),
    ROW_GIVEN("far_z", ExpertGrade, far_z, -10, 30, 1, "m: height of the far end; left out: level"),
    ROW_NUMBER_OR("cross_fall", ExpertGrade, cross_fall, -1, 1, 1, 0,
                  "ratio: rise for each metre to the left, seen from the near end"),
    ROW_NUMBER_OR("angle_deg", ExpertGrade, angle, -270, 90, UNIT_DEG, -95,
                  "deg: elevation of the line from the bucket's pin to its edge"),
    ROW_NUMBER_OR("speed", ExpertGrade, speed, 0.02, 2, 1, 0.6, "m/s: of the edge"),
    ROW_NUMBER_OR("tolerance", ExpertGrade, tolerance, 0.005, 1, 1, 0.02,
                  "m: that may stand above it, mean over a lane"),
    ROW_NUMBER_OR("layer", ExpertGrade, layer, 0.02, 1, 1, 0.2, "m: that is planed off at once, where soil is heaped"),
    ROW_GIVEN("dump_x", ExpertGrade, dump_x, -MOST_M, MOST_M, 1,
              "m: where soil is heaped; left out: it is drawn along"),
    ROW_GIVEN("dump_y", ExpertGrade, dump_y, -MOST_M, MOST_M, 1, "m: the same"),
    ROW_NUMBER_OR("dump_radius", ExpertGrade, dump_radius, 0.3, 10, 1, 1.5, "m: of the heap's circle"),
    ROW_INTEGER_OR("passes", ExpertGrade, passes, 1, 50, 3, "over the whole field, at most"),
    ROW_LIMIT(ExpertGrade, 900),
    ROW_END,
};

static const DataKey press_keys[] = {
    ROW_NUMBER("x", ExpertPress, x, -MOST_M, MOST_M, 1, "m: of the edge, to the east"),
    ROW_NUMBER("y", ExpertPress, y, -MOST_M, MOST_M, 1, "m: of the edge, to the north"),
    ROW_NUMBER_OR("angle_deg", ExpertPress, angle, -270, 90, UNIT_DEG, -110,
                  "deg: elevation of the line from the bucket's pin to its edge"),
    ROW_NUMBER_OR("depth", ExpertPress, depth, 0.01, 2, 1, 0.3, "m: below the ground that the edge goes, at most"),
    ROW_NUMBER_OR("force_kn", ExpertPress, force, 1, 500, UNIT_KN, 40, "kN: upwards on the bucket, at which it ends"),
    ROW_NUMBER_OR("over", ExpertPress, over, 0.1, 5, 1, 0.4,
                  "m: over the ground from where it comes and to where it goes"),
    ROW_LIMIT(ExpertPress, 20),
    ROW_END,
};

static const DataKey tamp_keys[] = {
    ROWS_FIELD(ExpertTamp),
    ROW_NUMBER_OR("angle_deg", ExpertTamp, angle, -270, 90, UNIT_DEG, -110,
                  "deg: elevation of the line from the bucket's pin to its edge"),
    ROW_NUMBER_OR("depth", ExpertTamp, depth, 0.01, 2, 1, 0.4, "m: below the ground that the plate goes, at most"),
    ROW_NUMBER_OR("force_kn", ExpertTamp, force, 1, 500, UNIT_KN, 40,
                  "kN: upwards on the bucket, with which a place is pressed"),
    ROW_NUMBER_OR("hold", ExpertTamp, hold, 0, 10, 1, 0.5, "s: that each place is pressed"),
    ROW_NUMBER_OR("over", ExpertTamp, over, 0.1, 5, 1, 0.3, "m: over the ground between two places"),
    ROW_LIMIT(ExpertTamp, 300),
    ROW_END,
};

static const DataKey hammer_keys[] = {
    ROW_NUMBER("x", ExpertPress, x, -MOST_M, MOST_M, 1, "m: of the chisel's tip, to the east"),
    ROW_NUMBER("y", ExpertPress, y, -MOST_M, MOST_M, 1, "m: of the chisel's tip, to the north"),
    ROW_NUMBER("seconds", ExpertPress, seconds, 0.1, 600, 1, "s: that the hammer works"),
    ROW_NUMBER_OR("angle_deg", ExpertPress, angle, -270, 90, UNIT_DEG, -90, "deg: elevation of the chisel"),
    ROW_NUMBER_OR("depth", ExpertPress, depth, 0.01, 2, 1, 0.3, "m: below the ground that the chisel goes, at most"),
    ROW_NUMBER_OR("force_kn", ExpertPress, force, 1, 500, UNIT_KN, 20,
                  "kN: upwards on the chisel, at which it strikes"),
    ROW_NUMBER_OR("over", ExpertPress, over, 0.1, 5, 1, 1.5,
                  "m: over the ground from where it comes and to where it goes"),
    ROW_LIMIT(ExpertPress, 60),
    ROW_END,
};

static const DataKey break_keys[] = {
    ROW_NUMBER("size", ExpertBreak, size, 0.2, 1.5, 1,
               "m: rocks of this size, as a sphere of their volume, are small enough"),
    ROW_NUMBER_OR("angle_deg", ExpertBreak, angle, -270, 90, UNIT_DEG, -90, "deg: elevation of the chisel"),
    ROW_NUMBER_OR("force_kn", ExpertBreak, force, 1, 500, UNIT_KN, 20,
                  "kN: upwards on the chisel, at which it strikes"),
    ROW_NUMBER_OR("seconds", ExpertBreak, seconds, 0.1, 600, 1, 20,
                  "s: that a rock is struck before the chisel is set anew"),
    ROW_LIMIT(ExpertBreak, 600),
    ROW_END,
};

#define ROWS_LIFT(height_or, speed_or)                                                                                 \
    ROW_INTEGER_OR("load", ExpertLift, load, 1, SCENE_MAX_LOADS, 1, "which of the exercise's loads, from 1"),          \
        ROW_NUMBER_OR("height", ExpertLift, height, 0.1, 8, 1, height_or, "m: over the ground that it hangs"),         \
        ROW_NUMBER_OR("angle_deg", ExpertLift, angle, -270, 90, UNIT_DEG, -160,                                        \
                      "deg: of the bucket's line from pin to edge over the level, meanwhile"),                         \
        ROW_NUMBER_OR("speed", ExpertLift, speed, 0.05, 3, 1, speed_or, "m/s: of the lifting eye with the load"),      \
        ROW_LIMIT(ExpertLift, 90)

static const DataKey hoist_keys[] = {ROWS_LIFT(0.6, 0.3), ROW_END};

static const DataKey place_keys[] = {
    ROWS_LIFT(0.6, 0.9),
    ROW_NUMBER_OR("swing_deg", ExpertLift, swing, 0.1, 20, UNIT_DEG, 1.5,
                  "deg: off plumb, with which it may be let down"),
    ROW_END,
};

static const DataKey push_keys[] = {
    ROW_NUMBER("x", ExpertPush, x, -MOST_M, MOST_M, 1, "m: of the edge's middle at the end, to the east"),
    ROW_NUMBER("y", ExpertPush, y, -MOST_M, MOST_M, 1, "m: of the edge's middle at the end, to the north"),
    ROW_GIVEN("z", ExpertPush, z, -10, 30, 1, "m: height of the edge over the level of the site"),
    ROW_GIVEN("end_z", ExpertPush, end_z, -10, 30, 1, "m: the same at the end; left out: as at the start"),
    ROW_GIVEN("depth", ExpertPush, depth, -3, 1, 1, "m: of the edge below the ground; below 0: over it"),
    ROW_GIVEN("end_depth", ExpertPush, end_depth, -3, 1, 1, "m: the same at the end; left out: as at the start"),
    ROW_NUMBER_OR("speed", ExpertPush, speed, 0.1, 1, 1, 0.36, "share: of the levers' travel"),
    ROW_LIMIT(ExpertPush, 90),
    ROW_END,
};

static const DataKey level_keys[] = {
    ROWS_FIELD(ExpertLevel),
    ROW_NUMBER("z", ExpertLevel, z, -10, 30, 1, "m: height of the end from where it works over the level of the site"),
    ROW_GIVEN("end_z", ExpertLevel, end_z, -10, 30, 1, "m: height of the other end; left out: level"),
    ROW_NUMBER_OR("layer", ExpertLevel, layer, 0.02, 1, 1, 0.15, "m: that a push takes away, at most"),
    ROW_NUMBER_OR("beyond", ExpertLevel, beyond, 0, 30, 1, 2, "m: beyond the field that soil is pushed"),
    ROW_NUMBER_OR("tolerance", ExpertLevel, tolerance, 0.005, 1, 1, 0.01,
                  "m: that may stand above it, mean over a lane"),
    ROW_NUMBER_OR("speed", ExpertLevel, speed, 0.1, 1, 1, 0.25, "share: of the levers' travel"),
    ROW_INTEGER_OR("passes", ExpertLevel, passes, 1, 50, 6, "over the whole field, at most"),
    ROW_LIMIT(ExpertLevel, 1800),
    ROW_END,
};

static const DataKey rip_keys[] = {
    ROWS_FIELD(ExpertRip),
    ROW_NUMBER("depth", ExpertRip, depth, 0.05, 1, 1, "m: of the ripper's point below what the tracks stand on"),
    ROW_NUMBER_OR("spacing", ExpertRip, spacing, 0.1, 3, 1, 0.5, "m: between two lanes, at most"),
    ROW_NUMBER_OR("speed", ExpertRip, speed, 0.1, 1, 1, 0.3, "share: of the levers' travel"),
    ROW_LIMIT(ExpertRip, 900),
    ROW_END,
};

static const DataKey blade_keys[] = {
    ROW_GIVEN("height", ExpertBlade, height, -1, 2, 1, "m: of the edge over what the tracks stand on"),
    ROW_GIVEN("angle_deg", ExpertBlade, angle, -40, 40, UNIT_DEG, "deg: more is to the right"),
    ROW_GIVEN("tilt_deg", ExpertBlade, tilt, -20, 20, UNIT_DEG, "deg: more is the right corner down"),
    ROW_GIVEN("ripper_deg", ExpertBlade, ripper, -90, 90, UNIT_DEG, "deg: more is down"),
    ROW_LIMIT(ExpertBlade, 6),
    ROW_END,
};

static const DataKey travel_keys[] = {
    ROW_NUMBER("x", ExpertTravel, x, -MOST_M, MOST_M, 1, "m: where the middle of the tracks is to be, to the east"),
    ROW_NUMBER("y", ExpertTravel, y, -MOST_M, MOST_M, 1, "m: where the middle of the tracks is to be, to the north"),
    ROW_CHOICE_OPTIONAL("reverse", ExpertTravel, reverse, truths, "drives backwards"),
    ROW_CHOICE_OPTIONAL("float", ExpertTravel, floats, truths, "lets a bulldozer's blade float on the way"),
    ROW_NUMBER_OR("speed", ExpertTravel, speed, 0.1, 1, 1, 0.7, "share: of the levers' travel, at most"),
    ROW_NUMBER_OR("tolerance", ExpertTravel, tolerance, 0.05, 5, 1, 0.3,
                  "m: tolerance; a nearer place counts as reached"),
    ROW_LIMIT(ExpertTravel, 90),
    ROW_END,
};

static const DataKey task_keys[] = {
    ROW_INTEGER_OR("cycles", ExpertTask, cycles, 0, 10000, 0,
                   "loads after which it ends; 0: when the exercise is done or nothing is left"),
    ROW_LIMIT(ExpertTask, MOST_TIME),
    ROW_END,
};

static const KeyChoice metrics[] = {
#define X(id, metric, unit, kind, part, phrase) {#metric, METRIC_##id},
    METRICS(X)
#undef X
#define X(id, incident, phrase) {#incident "_count", METRIC_INCIDENT_##id},
        INCIDENTS(X)
#undef X
            {NULL, 0},
};

static const DataKey repeat_keys[] = {
    ROW_INTEGER("last", ExpertRepeat, last, 1, EXPERT_MAX_ACTIONS, "how many of the actions before it"),
    ROW_INTEGER("times", ExpertRepeat, times, 2, 1000, "how often they are done in all, at most"),
    ROW_CHOICE_OPTIONAL("metric", ExpertRepeat, metric, metrics, "figure of the exercise that ends it earlier"),
    ROW_GIVEN("least", ExpertRepeat, least, -1e5, 1e5, 1, "figure: at least this ends it"),
    ROW_GIVEN("most", ExpertRepeat, most, -1e5, 1e5, 1, "figure: at most this ends it"),
    ROW_END,
};

#define ROWS_WALK                                                                                                      \
    ROW_NUMBER("x", ExpertWalk, x, -MOST_M, MOST_M, 1, "m: where to stand, to the east"),                              \
        ROW_NUMBER("y", ExpertWalk, y, -MOST_M, MOST_M, 1, "m: where to stand, to the north"),                         \
        ROW_NUMBER_OR("tolerance", ExpertWalk, tolerance, 0.1, 5, 1, 0.3,                                              \
                      "m: tolerance; a nearer place counts as reached"),                                               \
        ROW_LIMIT(ExpertWalk, 40)

static const DataKey walk_keys[] = {ROWS_WALK, ROW_END};

static const DataKey inspect_keys[] = {
    ROWS_WALK,
    ROW_INTEGER("thing", ExpertWalk, thing, 1, SCENE_MAX_THINGS, "which of the walk-round's things, from 1"),
    ROW_CHOICE("report", ExpertWalk, report, truths, "yes: it is reported; no: it is taken for fine"),
    ROW_END,
};

static const KeyChoice switch_axes[] = {{"ignition", CONTROL_IGNITION},
                                        {"safety_lever", CONTROL_SAFETY_LEVER},
                                        {"travel_range", CONTROL_TRAVEL_RANGE},
                                        {"power_mode", CONTROL_POWER_MODE},
                                        {"auto_idle", CONTROL_AUTO_IDLE},
                                        {"lights", CONTROL_LIGHTS},
                                        {"wiper", CONTROL_WIPER},
                                        {"inspect", CONTROL_INSPECT},
                                        {"coupler", CONTROL_COUPLER},
                                        {NULL, 0}};

static const DataKey switch_keys[] = {
    ROW_CHOICE("axis", ExpertSwitch, axis, switch_axes, "which switch; inspect climbs in and out"),
    ROW_NUMBER_OR("seconds", ExpertSwitch, seconds, 0.05, 10, 1, 0.2, "s: that it is held"),
    ROW_END,
};

/// In the order of ExpertActionKind: the number of a row is the kind.
static const DataKey action_keys[] = {
    [EXPERT_TIP] =
        ROW_MAPPING("tip", ExpertAction, with.tip, tip_keys, "the edge to a point, all functions at once; excavator"),
    [EXPERT_LINE] =
        ROW_MAPPING("line", ExpertAction, with.line, line_keys, "the edge along a straight line; excavator"),
    [EXPERT_CURL] = ROW_MAPPING("curl", ExpertAction, with.curl, curl_keys, "the bucket alone turns; excavator"),
    [EXPERT_SWING] = ROW_MAPPING("swing", ExpertAction, with.swing, turn_keys,
                                 "the house turns until the arm looks along a heading; excavator"),
    [EXPERT_DIG] = ROW_MAPPING("dig", ExpertAction, with.dig, dig_keys,
                               "digs a field out and heaps it elsewhere, load by load; excavator"),
    [EXPERT_GRADE] = ROW_MAPPING("grade", ExpertAction, with.grade, grade_keys,
                                 "planes a field with the edge, lane by lane from its far end; excavator"),
    [EXPERT_PRESS] = ROW_MAPPING("press", ExpertAction, with.press, press_keys,
                                 "presses the bucket's back on the ground; excavator"),
    [EXPERT_TAMP] = ROW_MAPPING("tamp", ExpertAction, with.tamp, tamp_keys,
                                "presses the bucket's lowest plate on a field, place by place; excavator"),
    [EXPERT_BREAK] = ROW_MAPPING("break", ExpertAction, with.breaking, break_keys,
                                 "breaks the rocks in reach with a hammer, the nearest first; excavator"),
    [EXPERT_HAMMER] = ROW_MAPPING("hammer", ExpertAction, with.hammer, hammer_keys,
                                  "presses the chisel on what lies there, and strikes; excavator"),
    [EXPERT_HOIST] = ROW_MAPPING("hoist", ExpertAction, with.lift, hoist_keys,
                                 "a load is hooked up and lifted straight up; excavator"),
    [EXPERT_PLACE] = ROW_MAPPING("place", ExpertAction, with.lift, place_keys,
                                 "the load on the hook is carried to its place, laid down and taken off; excavator"),
    [EXPERT_PUSH] = ROW_MAPPING("push", ExpertAction, with.push, push_keys,
                                "ahead until the edge is at a place, the edge on a line; dozer"),
    [EXPERT_LEVEL] =
        ROW_MAPPING("level", ExpertAction, with.level, level_keys, "planes a field in lanes along its heading; dozer"),
    [EXPERT_RIP] =
        ROW_MAPPING("rip", ExpertAction, with.rip, rip_keys, "rips a field in lanes along its heading; dozer"),
    [EXPERT_BLADE] = ROW_MAPPING("blade", ExpertAction, with.blade, blade_keys,
                                 "blade and ripper go there and are held there; dozer"),
    [EXPERT_TRAVEL] = ROW_MAPPING("travel", ExpertAction, with.travel, travel_keys,
                                  "turns on the spot towards a place, and drives straight to it"),
    [EXPERT_TURN] =
        ROW_MAPPING("turn", ExpertAction, with.turn, turn_keys, "the machine turns on the spot to a heading"),
    [EXPERT_TASK] =
        ROW_MAPPING("task", ExpertAction, with.task, task_keys, "the exercise's own work, done by the operator auto"),
    [EXPERT_ANSWER] = ROW_INTEGER("answer", ExpertAction, with.answer, 1, SCENE_MAX_ANSWERS,
                                  "answers the question that is asked, by its number"),
    [EXPERT_WAIT] = ROW_NUMBER("wait", ExpertAction, with.seconds, 0.01, 600, 1, "s: nothing is done"),
    [EXPERT_HORN] = ROW_NUMBER("horn", ExpertAction, with.seconds, 0.05, 10, 1, "s: the horn sounds"),
    [EXPERT_AUXILIARY] =
        ROW_NUMBER("auxiliary", ExpertAction, with.seconds, 0.05, 600, 1, "s: what drives an attachment runs"),
    [EXPERT_WALK] = ROW_MAPPING("walk", ExpertAction, with.walk, walk_keys, "on foot, straight to a place"),
    [EXPERT_INSPECT] = ROW_MAPPING("inspect", ExpertAction, with.walk, inspect_keys,
                                   "on foot, to a place, looks at a thing from there and judges it"),
    [EXPERT_SWITCH] =
        ROW_MAPPING("switch", ExpertAction, with.switching, switch_keys, "a switch of the cab is held for a while"),
    [EXPERT_REPEAT] = ROW_MAPPING("repeat", ExpertAction, with.repeat, repeat_keys, "the actions before it once more"),
    [EXPERT_TOOL] =
        ROW_MAPPING("tool", ExpertAction, with.tool, tool_keys, "a tiltrotator tilts and turns its tool; excavator"),
    [EXPERT_RELEASE] = ROW_NUMBER("release", ExpertAction, with.seconds, 0.05, 600, 1,
                                  "s: the attachment's lever is held the other way: a grab opens; excavator"),
    [EXPERT_ACTION_COUNT] = ROW_END,
};
static_assert(sizeof(ExpertActionKind) == sizeof(int), "the number of a row is stored as an int");

static const DataKey action_item = ROW_ITEM_ONE(ExpertAction, kind, action_keys);

static const KeyChoice machines[] = {{"excavator", MACHINE_EXCAVATOR}, {"dozer", MACHINE_DOZER}, {NULL, 0}};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", ExpertParams, title, "shown in lists"),
    ROW_CHOICE("machine", ExpertParams, machine, machines, "type of machine whose levers it moves"),
    ROW_LIST("actions", ExpertParams, actions, action_count, 1, EXPERT_MAX_ACTIONS, &action_item,
             "done one after the other; each item has one key"),
    ROW_END,
};

static bool check_point(Document *document, const ExpertPoint *point, const char *path, Status *status)
{
    int given = expert_gives(point->z) + expert_gives(point->above);
    return given == 1 || document_fail_at(document, path, status, "%s, allowed one of z and above",
                                          given == 0 ? "neither z nor above is given" : "both z and above are given");
}

static bool check_blade(Document *document, const ExpertBlade *blade, const char *path, Status *status)
{
    bool given = expert_gives(blade->height) || expert_gives(blade->angle) || expert_gives(blade->tilt) ||
                 expert_gives(blade->ripper);
    return given || document_fail_at(document, path, status,
                                     "nothing is given, allowed height, angle_deg, tilt_deg, ripper_deg");
}

/// An edge has one kind of height.
static bool check_push(Document *document, const ExpertPush *push, const char *path, Status *status)
{
    int given = expert_gives(push->z) + expert_gives(push->depth);
    bool end_fits = (!expert_gives(push->end_z) || expert_gives(push->z)) &&
                    (!expert_gives(push->end_depth) || expert_gives(push->depth));
    return (given == 1 && end_fits) ||
           document_fail_at(document, path, status, "allowed either z with end_z, or depth with end_depth");
}

static bool check_grade(Document *document, const ExpertGrade *grade, const char *path, Status *status)
{
    return expert_gives(grade->dump_x) == expert_gives(grade->dump_y) ||
           document_fail_at(document, path, status, "allowed both dump_x and dump_y, or none of them");
}

static bool check_repeat(Document *document, const ExpertRepeat *repeat, int index, Status *status)
{
    bool named = document_find(document, document_path("actions.%d.repeat.metric", index).text) != NULL;
    int given = expert_gives(repeat->least) + expert_gives(repeat->most);
    if (repeat->last > index) {
        return document_fail_at(document, document_path("actions.%d.repeat.last", index).text, status,
                                "read %d, allowed at most the %d actions before it", repeat->last, index);
    }
    return given == (named ? 1 : 0) ||
           document_fail_at(document, document_path("actions.%d.repeat", index).text, status,
                            "allowed a metric with one of least and most, or none of the three");
}

/// An action has what it needs, and the machine has what it moves.
static bool check_action(Document *document, const ExpertParams *params, int index, Status *status)
{
    const ExpertAction *action = &params->actions[index];
    const char *name = expert_action_names[action->kind];
    DocumentPath path = document_path("actions.%d.%s", index, name);
    if (!is_action_of(action->kind, params->machine)) {
        return document_fail_at(document, path.text, status, "this machine's expert has no %s", name);
    }
    switch (action->kind) {
    case EXPERT_TRAVEL:
        return !action->with.travel.floats || params->machine == MACHINE_DOZER ||
               document_fail_at(document, document_path("actions.%d.travel.float", index).text, status,
                                "read yes, allowed no: this machine has no blade that floats");
    case EXPERT_TIP:
        return check_point(document, &action->with.tip.to, path.text, status);
    case EXPERT_LINE:
        return check_point(document, &action->with.line.from, document_path("actions.%d.line.from", index).text,
                           status) &&
               check_point(document, &action->with.line.to, document_path("actions.%d.line.to", index).text, status);
    case EXPERT_GRADE:
        return check_grade(document, &action->with.grade, path.text, status);
    case EXPERT_BLADE:
        return check_blade(document, &action->with.blade, path.text, status);
    case EXPERT_REPEAT:
        return check_repeat(document, &action->with.repeat, index, status);
    case EXPERT_PUSH:
        return check_push(document, &action->with.push, path.text, status);
    default:
        return true;
    }
}

static bool check(Document *document, const void *data, Status *status)
{
    const ExpertParams *params = data;
    for (int i = 0; i < params->action_count; i++) {
        if (!check_action(document, params, i, status)) {
            return false;
        }
    }
    return true;
}

const DataSchema data_expert_schema = {.kind = "expert",
                                       .folder = "experts",
                                       .keys = keys,
                                       .size = sizeof(ExpertParams),
                                       .name_size = KEY_SIZE(ExpertParams, name),
                                       .check = check,
                                       .rules_go_on = true};
