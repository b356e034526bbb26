/// An expert run: a list of actions that a scripted operator carries out one after the other.
///
/// Places are in the world (m), headings and directions in the world, rad from x towards y. The angle of a bucket is
/// the elevation of the line from the bucket's pin to its edge: -90 degrees hangs straight down, -178 holds a load.
#ifndef SPADEWORK_DATA_EXPERT_PARAMS_H
#define SPADEWORK_DATA_EXPERT_PARAMS_H

#include <stdbool.h>

#include "data/core/metric.h"
#include "data/schema/machine_params.h"

enum { EXPERT_NAME_LENGTH = 64, EXPERT_MAX_ACTIONS = 200 };

/// A number that the file does not give, where it has no fallback.
#define EXPERT_NOT_GIVEN 1e9
static inline bool expert_gives(double value)
{
    return value < 1e6;
}

/// The actions, by the names that files use. Machines: E excavator, D dozer, A any.
#define EXPERT_ACTIONS(X)                                                                                              \
    X(TIP, tip, E)                                                                                                     \
    X(LINE, line, E)                                                                                                   \
    X(CURL, curl, E)                                                                                                   \
    X(SWING, swing, E)                                                                                                 \
    X(DIG, dig, E)                                                                                                     \
    X(GRADE, grade, E)                                                                                                 \
    X(PRESS, press, E)                                                                                                 \
    X(TAMP, tamp, E)                                                                                                   \
    X(BREAK, break, E)                                                                                                 \
    X(HAMMER, hammer, E)                                                                                               \
    X(HOIST, hoist, E)                                                                                                 \
    X(PLACE, place, E)                                                                                                 \
    X(PUSH, push, D)                                                                                                   \
    X(LEVEL, level, D)                                                                                                 \
    X(RIP, rip, D)                                                                                                     \
    X(BLADE, blade, D)                                                                                                 \
    X(TRAVEL, travel, A)                                                                                               \
    X(TURN, turn, A)                                                                                                   \
    X(TASK, task, A)                                                                                                   \
    X(ANSWER, answer, A)                                                                                               \
    X(WAIT, wait, A)                                                                                                   \
    X(HORN, horn, A)                                                                                                   \
    X(AUXILIARY, auxiliary, A)                                                                                         \
    X(WALK, walk, A)                                                                                                   \
    X(INSPECT, inspect, A)                                                                                             \
    X(SWITCH, switch, A)                                                                                               \
    X(REPEAT, repeat, A)                                                                                               \
    X(TOOL, tool, E)                                                                                                   \
    X(RELEASE, release, E)

typedef enum ExpertActionKind {
#define X(upper, lower, machine) EXPERT_##upper,
    EXPERT_ACTIONS(X)
#undef X
        EXPERT_ACTION_COUNT
} ExpertActionKind;

extern const char *const expert_action_names[EXPERT_ACTION_COUNT]; ///< "tip", ...

/// A point, by its height or by how far it is over the ground below it when the action begins: one of them is given.
typedef struct ExpertPoint {
    double x, y; ///< m, world
    double z; ///< m, world; EXPERT_NOT_GIVEN
    double above; ///< m over the ground; EXPERT_NOT_GIVEN
} ExpertPoint;

/// The bucket's edge goes to a point, all functions at once.
typedef struct ExpertTip {
    ExpertPoint to;
    double angle; ///< rad; EXPERT_NOT_GIVEN: as it is, or the nearest with which the point is reached
    double
        over; ///< m over the ground that the edge goes up to first, and stays at on the way; EXPERT_NOT_GIVEN: straight
    double speed; ///< m/s of the edge
    double tolerance; ///< m
    double hold; ///< s that it stays within the tolerance
    double limit; ///< s that the action may take
} ExpertTip;

/// The edge is drawn along a straight line.
typedef struct ExpertLine {
    ExpertPoint from, to;
    double angle; ///< rad at its start
    double end_angle; ///< rad; EXPERT_NOT_GIVEN: as at the start
    double approach; ///< m over its start from where the edge comes down; 0: directly
    double speed; ///< m/s
    double tolerance; ///< m that the edge may be off at the start and at the end
    double limit; ///< s
} ExpertLine;

/// The bucket alone turns.
typedef struct ExpertCurl {
    double angle; ///< rad
    double tolerance; ///< rad
    double limit; ///< s
} ExpertCurl;

/// A tiltrotator tilts and turns its tool.
typedef struct ExpertTool {
    double tilt, rotate; ///< rad; EXPERT_NOT_GIVEN: unchanged
    double tolerance; ///< rad
    double limit; ///< s
} ExpertTool;

/// The house turns on the spot until the arm points along a heading; the same of a whole machine.
typedef struct ExpertTurn {
    double heading; ///< rad
    double speed; ///< 0..1 of the lever's way, at most
    double tolerance; ///< rad
    double limit; ///< s
} ExpertTurn;

/// A place to work in: a rectangle that lies along a heading.
typedef struct ExpertField {
    double x, y; ///< m, world: middle of the end from where `heading` leads along it
    double heading; ///< rad
    double length, width; ///< m
} ExpertField;

/// Soil is dug from a field and heaped elsewhere, load by load, as the operator `auto` digs a trench or a heap.
typedef struct ExpertDig {
    ExpertField field; ///< begins at its end that is nearer to the machine
    double floor; ///< m, world
    bool heap; ///< a heap on the ground; else between walls that are to stand
    double dump_x, dump_y, dump_radius; ///< m, world: where loads go
    int cycles; ///< loads after which it ends; 0: when nothing is left
    double limit; ///< s
} ExpertDig;

/// A field is planed with the bucket's edge, in lines towards its near end. With a place to heap it, soil is taken off
/// in layers and carried there by the bucket; else it is drawn along.
typedef struct ExpertGrade {
    ExpertField field; ///< begins at its end that is nearer to the machine
    double z; ///< m, world: of its near end
    double far_z; ///< m, world: of its far end; EXPERT_NOT_GIVEN: level
    double cross_fall; ///< -1..1: rise for each metre to the left, seen from the near end
    double angle; ///< rad: elevation of the tip line
    double speed; ///< m/s
    double tolerance; ///< m that may stand above it, mean over a lane's width
    double layer; ///< m that a pass takes off at most, when soil is carried away
    double dump_x, dump_y; ///< m, world: where loads go; EXPERT_NOT_GIVEN: nowhere
    double dump_radius; ///< m
    int passes; ///< over the whole field, at most
    double limit; ///< s
} ExpertGrade;

/// The bucket's back is pressed on the ground, or a hammer's chisel on a rock.
typedef struct ExpertPress {
    double x, y; ///< m, world: of the edge
    double angle; ///< rad: elevation of the tip line
    double depth; ///< m below the ground that the edge goes, at most
    double force; ///< N upwards on the bucket, at which it ends
    double over; ///< m over the ground from where it comes and to where it goes
    double seconds; ///< s that a hammer works; it is pressed on as it goes in. 0: of a bucket
    double hold; ///< s that a bucket stays pressed on; 0: it is lifted off at once
    double limit; ///< s
} ExpertPress;

/// The ground of a field is pressed with the bucket's lowest plate, place by place from its far end.
typedef struct ExpertTamp {
    ExpertField field; ///< begins at its end that is nearer to the machine
    double angle; ///< rad: elevation of the tip line, which says what plate that is
    double depth; ///< m below the ground that the plate goes, at most
    double force; ///< N upwards on the bucket, with which a place is pressed
    double hold; ///< s that each place is pressed
    double over; ///< m over the ground between two places
    double limit; ///< s
} ExpertTamp;

/// Rocks are broken with a hammer, the nearest first, until none that is within reach is too large.
typedef struct ExpertBreak {
    double size; ///< m: diameter of a sphere of the volume that is small enough
    double angle; ///< rad: elevation of the chisel
    double force; ///< N upwards on the chisel, at which it strikes
    double seconds; ///< s that a rock is struck, at most, before the chisel is set anew
    double limit; ///< s
} ExpertBreak;

/// A load is hooked up with the lifting eye and lifted straight up; or it is carried to a place, laid down there and
/// taken off the hook. The eye is sped up and slowed down over one turn of the load's swing each, which so ends at rest
/// (Smith 1957, posicast), and what swings on is damped by following it.
typedef struct ExpertLift {
    int load; ///< 1..: of the exercise's loads
    double height; ///< m that it hangs over the ground
    double angle; ///< rad: elevation of the tip line while it is lifted, the bucket curled in
    double speed; ///< m/s of the eye with the load
    double swing; ///< rad that it may swing when it is set down
    double limit; ///< s
} ExpertLift;

/// The dozer drives ahead to where its edge is at a place, the edge at a height.
typedef struct ExpertPush {
    double x, y; ///< m, world: of the edge's middle at the end
    double z; ///< m, world: of the edge at the start; EXPERT_NOT_GIVEN: by `depth`
    double end_z; ///< m, world: at the end; EXPERT_NOT_GIVEN: as at the start
    double depth; ///< m below the ground as it lies under the edge when the push begins, below 0: over it
    double end_depth; ///< m: at the end; EXPERT_NOT_GIVEN: as at the start
    double speed; ///< 0..1 of the levers' way
    double limit; ///< s
} ExpertPush;

/// A field is planed with the dozer's blade, in lanes along its heading.
typedef struct ExpertLevel {
    ExpertField field;
    double z; ///< m, world: of the end from where it works
    double end_z; ///< m, world: of the other end; EXPERT_NOT_GIVEN: level
    double layer; ///< m that a lane takes away, at most
    double beyond; ///< m beyond the field that what is cut is pushed
    double tolerance; ///< m that may stand above it, mean over a lane
    double speed; ///< 0..1 of the levers' way
    int passes; ///< over the whole field, at most
    double limit; ///< s
} ExpertLevel;

/// A field is ripped, in lanes along its heading, from its right side to its left.
typedef struct ExpertRip {
    ExpertField field;
    double depth; ///< m of the ripper's point below what the tracks stand on
    double spacing; ///< m between two lanes, at most
    double speed; ///< 0..1 of the levers' way
    double limit; ///< s
} ExpertRip;

/// A dozer's blade and ripper; what is not given stays.
typedef struct ExpertBlade {
    double height; ///< m of the edge over the plane that the tracks stand on; EXPERT_NOT_GIVEN
    double angle; ///< rad, positive: its face to the right; EXPERT_NOT_GIVEN
    double tilt; ///< rad, positive: the right corner down; EXPERT_NOT_GIVEN
    double ripper; ///< rad, positive: down; EXPERT_NOT_GIVEN
    double limit; ///< s
} ExpertBlade;

/// The machine drives straight to a place. It turns on the spot first when it faces elsewhere.
typedef struct ExpertTravel {
    double x, y; ///< m, world: where the middle of the tracks is to be
    bool reverse; ///< drives backwards
    bool floats; ///< lets the blade float, which smooths the ground behind it; of bulldozers
    double speed; ///< 0..1 of the levers' way, at most
    double tolerance; ///< m
    double limit; ///< s
} ExpertTravel;

/// The exercise's own trench, heap or slot, dug by the operator `auto`.
typedef struct ExpertTask {
    int cycles; ///< loads after which it ends; 0: when the exercise is done or nothing is left
    double limit; ///< s
} ExpertTask;

/// The operator on foot goes straight to a place; looks from there at a thing of the walk-round, and says what it is.
typedef struct ExpertWalk {
    double x, y; ///< m, world
    double tolerance; ///< m
    int thing; ///< 1..: of the exercise's things; of `inspect`
    bool report; ///< it must be reported
    double limit; ///< s
} ExpertWalk;

/// A switch of the cab, or `inspect`, is held.
typedef struct ExpertSwitch {
    ControlAxis axis;
    double seconds; ///< s that it is held
} ExpertSwitch;

/// The actions before it once more.
typedef struct ExpertRepeat {
    int last; ///< how many of them
    int times; ///< how often they are done in all, at most
    Metric metric; ///< of the exercise, which ends it earlier
    double least, most; ///< in the metric's unit: at which it ends; EXPERT_NOT_GIVEN
} ExpertRepeat;

typedef struct ExpertAction {
    ExpertActionKind kind;
    union {
        ExpertTip tip;
        ExpertLine line;
        ExpertCurl curl;
        ExpertTool tool;
        ExpertTurn swing, turn;
        ExpertDig dig;
        ExpertGrade grade;
        ExpertPress press, hammer;
        ExpertTamp tamp;
        ExpertBreak breaking;
        ExpertLift lift; ///< hoist, place
        ExpertPush push;
        ExpertLevel level;
        ExpertRip rip;
        ExpertBlade blade;
        ExpertTravel travel;
        ExpertTask task;
        ExpertWalk walk; ///< walk, inspect
        ExpertSwitch switching;
        ExpertRepeat repeat;
        int answer; ///< 1.. of the question that is asked
        double seconds; ///< s: wait, horn, auxiliary, release
    } with;
} ExpertAction;

typedef struct ExpertParams {
    char name[EXPERT_NAME_LENGTH];
    char title[96];
    MachineType machine; ///< whose levers it moves
    int action_count; ///< 1..EXPERT_MAX_ACTIONS
    ExpertAction actions[EXPERT_MAX_ACTIONS];
} ExpertParams;

#endif
