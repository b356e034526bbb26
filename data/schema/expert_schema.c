/// The keys of an expert run: a list of actions, each a mapping with exactly one key, and the rules between them.
#include "data/schema/schemas.h"

#include <assert.h>

#include "data/core/units.h"
#include "data/plan/expert_params.h"
#include "data/scene_params.h"

#define MOST_M    100.0 ///< m: as far as sites reach
#define MOST_TIME 3600.0 ///< s that an action may take

/// A number without a fallback; what is not given is EXPERT_NOT_GIVEN or more once its unit is applied.
#define ROW_GIVEN(name, Struct, member, low, high, per)                                                                \
    ROW_NUMBER_OR(name, Struct, member, low, high, per, EXPERT_NOT_GIVEN / (per))
#define ROW_POINT_OF(Struct, member)                                                                                   \
    ROW_NUMBER("x", Struct, member x, -MOST_M, MOST_M, 1), ROW_NUMBER("y", Struct, member y, -MOST_M, MOST_M, 1),      \
        ROW_GIVEN("z", Struct, member z, -10, 30, 1), ROW_GIVEN("above", Struct, member above, -5, 30, 1)
#define ROW_LIMIT(Struct, most) ROW_NUMBER_OR("limit", Struct, limit, 0.1, MOST_TIME, 1, most)

static const DataKey point_keys[] = {ROW_POINT_OF(ExpertPoint, ), ROW_END};

static const DataKey tip_keys[] = {
    ROW_POINT_OF(ExpertTip, to.),
    ROW_GIVEN("angle_deg", ExpertTip, angle, -270, 90, UNIT_DEG),
    ROW_GIVEN("over", ExpertTip, over, 0, 10, 1),
    ROW_NUMBER_OR("speed", ExpertTip, speed, 0.02, 5, 1, 1.5),
    ROW_NUMBER_OR("tolerance", ExpertTip, tolerance, 0.01, 2, 1, 0.05),
    ROW_NUMBER_OR("hold", ExpertTip, hold, 0, 60, 1, 0.2),
    ROW_LIMIT(ExpertTip, 30),
    ROW_END,
};

static const DataKey line_keys[] = {
    ROW_MAPPING("from", ExpertLine, from, point_keys),
    ROW_MAPPING("to", ExpertLine, to, point_keys),
    ROW_NUMBER("angle_deg", ExpertLine, angle, -270, 90, UNIT_DEG),
    ROW_GIVEN("end_angle_deg", ExpertLine, end_angle, -270, 90, UNIT_DEG),
    ROW_NUMBER_OR("approach", ExpertLine, approach, 0, 5, 1, 0.4),
    ROW_NUMBER_OR("speed", ExpertLine, speed, 0.02, 2, 1, 0.5),
    ROW_NUMBER_OR("tolerance", ExpertLine, tolerance, 0.01, 1, 1, 0.04),
    ROW_LIMIT(ExpertLine, 60),
    ROW_END,
};

static const DataKey curl_keys[] = {
    ROW_NUMBER("angle_deg", ExpertCurl, angle, -270, 90, UNIT_DEG),
    ROW_NUMBER_OR("tolerance_deg", ExpertCurl, tolerance, 0.2, 45, UNIT_DEG, 3),
    ROW_LIMIT(ExpertCurl, 6),
    ROW_END,
};

static const DataKey turn_keys[] = {
    ROW_NUMBER("heading_deg", ExpertTurn, heading, -360, 360, UNIT_DEG),
    ROW_NUMBER_OR("speed", ExpertTurn, speed, 0.05, 1, 1, 1),
    ROW_NUMBER_OR("tolerance_deg", ExpertTurn, tolerance, 0.2, 45, UNIT_DEG, 2),
    ROW_LIMIT(ExpertTurn, 40),
    ROW_END,
};

static const DataKey blade_keys[] = {
    ROW_GIVEN("height", ExpertBlade, height, -1, 2, 1),
    ROW_GIVEN("angle_deg", ExpertBlade, angle, -40, 40, UNIT_DEG),
    ROW_GIVEN("tilt_deg", ExpertBlade, tilt, -20, 20, UNIT_DEG),
    ROW_GIVEN("ripper_deg", ExpertBlade, ripper, -90, 90, UNIT_DEG),
    ROW_LIMIT(ExpertBlade, 6),
    ROW_END,
};

static const KeyChoice truths[] = {{"yes", 1}, {"no", 0}, {"true", 1}, {"false", 0}, {NULL, 0}};

static const DataKey travel_keys[] = {
    ROW_NUMBER("x", ExpertTravel, x, -MOST_M, MOST_M, 1),
    ROW_NUMBER("y", ExpertTravel, y, -MOST_M, MOST_M, 1),
    ROW_CHOICE_OPTIONAL("reverse", ExpertTravel, reverse, truths),
    ROW_NUMBER_OR("speed", ExpertTravel, speed, 0.1, 1, 1, 0.7),
    ROW_NUMBER_OR("tolerance", ExpertTravel, tolerance, 0.05, 5, 1, 0.3),
    ROW_LIMIT(ExpertTravel, 90),
    ROW_END,
};

static const DataKey task_keys[] = {
    ROW_INTEGER_OR("cycles", ExpertTask, cycles, 0, 10000, 0),
    ROW_LIMIT(ExpertTask, MOST_TIME),
    ROW_END,
};

static const DataKey repeat_keys[] = {
    ROW_INTEGER("last", ExpertRepeat, last, 1, EXPERT_MAX_ACTIONS),
    ROW_INTEGER("times", ExpertRepeat, times, 2, 1000),
    ROW_END,
};

/// In the order of ExpertActionKind: the number of a row is the kind.
static const DataKey action_keys[] = {
    [EXPERT_TIP] = ROW_MAPPING("tip", ExpertAction, with.tip, tip_keys),
    [EXPERT_LINE] = ROW_MAPPING("line", ExpertAction, with.line, line_keys),
    [EXPERT_CURL] = ROW_MAPPING("curl", ExpertAction, with.curl, curl_keys),
    [EXPERT_SWING] = ROW_MAPPING("swing", ExpertAction, with.swing, turn_keys),
    [EXPERT_BLADE] = ROW_MAPPING("blade", ExpertAction, with.blade, blade_keys),
    [EXPERT_TRAVEL] = ROW_MAPPING("travel", ExpertAction, with.travel, travel_keys),
    [EXPERT_TURN] = ROW_MAPPING("turn", ExpertAction, with.turn, turn_keys),
    [EXPERT_TASK] = ROW_MAPPING("task", ExpertAction, with.task, task_keys),
    [EXPERT_ANSWER] = ROW_INTEGER("answer", ExpertAction, with.answer, 1, SCENE_MAX_ANSWERS),
    [EXPERT_WAIT] = ROW_NUMBER("wait", ExpertAction, with.seconds, 0.01, 600, 1),
    [EXPERT_HORN] = ROW_NUMBER("horn", ExpertAction, with.seconds, 0.05, 10, 1),
    [EXPERT_AUXILIARY] = ROW_NUMBER("auxiliary", ExpertAction, with.seconds, 0.05, 600, 1),
    [EXPERT_REPEAT] = ROW_MAPPING("repeat", ExpertAction, with.repeat, repeat_keys),
    [EXPERT_ACTION_COUNT] = ROW_END,
};
static_assert(sizeof(ExpertActionKind) == sizeof(int), "the number of a row is stored as an int");

static const DataKey action_item = ROW_ITEM_ONE(ExpertAction, kind, action_keys);

static const KeyChoice machines[] = {{"excavator", MACHINE_EXCAVATOR}, {"dozer", MACHINE_DOZER}, {NULL, 0}};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", ExpertParams, title),
    ROW_CHOICE("machine", ExpertParams, machine, machines),
    ROW_LIST("actions", ExpertParams, actions, action_count, 1, EXPERT_MAX_ACTIONS, &action_item),
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

/// An action has what it needs, and the machine has what it moves.
static bool check_action(Document *document, const ExpertParams *params, int index, Status *status)
{
    const ExpertAction *action = &params->actions[index];
    const char *name = expert_action_names[action->kind];
    DocumentPath path = document_path("actions.%d.%s", index, name);
    if (!expert_action_is_for(action->kind, params->machine)) {
        return document_fail_at(document, path.text, status, "this machine's expert has no %s", name);
    }
    switch (action->kind) {
    case EXPERT_TIP:
        return check_point(document, &action->with.tip.to, path.text, status);
    case EXPERT_LINE:
        return check_point(document, &action->with.line.from, document_path("actions.%d.line.from", index).text,
                           status) &&
               check_point(document, &action->with.line.to, document_path("actions.%d.line.to", index).text, status);
    case EXPERT_BLADE:
        return check_blade(document, &action->with.blade, path.text, status);
    case EXPERT_REPEAT:
        return action->with.repeat.last <= index ||
               document_fail_at(document, document_path("actions.%d.repeat.last", index).text, status,
                                "read %d, allowed at most the %d actions before it", action->with.repeat.last, index);
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
                                       .check = check};
