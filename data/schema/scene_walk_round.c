/// What the operator does before the work: keys and rules of the walk round the machine, with the things to look at,
/// and of the start-up.
#include "data/schema/scene_check.h"

#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"

static const KeyChoice looks[] = {
#define X(id, name) {name, SCENE_THING_##id},
    SCENE_THING_LOOKS(X)
#undef X
        {NULL, 0}};

static const KeyChoice reports[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const DataKey thing_keys[] = {
    ROW_TEXT("name", SceneThing, name, "name that is shown to people"),
    ROW_CHOICE("look", SceneThing, look, looks, "what it looks like"),
    ROW_TEXT_OPTIONAL("on", SceneThing, body, "body of the machine that it is on; left out: it is on the site"),
    ROW_TUPLE("at", SceneThing, at, double, 3, -100, 100, 1,
              "m: where it is, ahead, left and up in the body's frame; on the site east, north and over the ground"),
    ROW_NUMBER_OR("heading_deg", SceneThing, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its front points, from the body's x axis, or from east, to the left"),
    ROW_NUMBER_OR("reach", SceneThing, reach, 0.5, 5, 1, 2, "m: from the eye, to look at it closely"),
    ROW_CHOICE("report", SceneThing, report, reports, "yes: it must be reported before the work; no: it is fine"),
    ROW_TEXT("text", SceneThing, text, "what is seen from near, without a verdict"),
    ROW_TEXT_OPTIONAL("why", SceneThing, why, "explanation that is shown after the answer"),
    ROW_END,
};
static const DataKey thing_item = ROW_ITEM(SceneThing, thing_keys);

const DataKey scene_walk_round_keys[] = {
    ROW_NUMBER("x", SceneWalkRound, x, -100, 100, 1, "m: where the operator stands at the start, to the east"),
    ROW_NUMBER("y", SceneWalkRound, y, -100, 100, 1, "m: where the operator stands at the start, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneWalkRound, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where the operator looks at the start, from east to north"),
    ROW_LIST("things", SceneWalkRound, things, things_count, 1, SCENE_MAX_THINGS, &thing_item,
             "what is to be looked at: defects, dangers, and things that are fine"),
    ROW_END,
};

static const KeyChoice switches[] = {{"no", SCENE_SWITCHES_OFF}, {"yes", SCENE_SWITCHES_ON}, {NULL, 0}};

const DataKey scene_start_up_keys[] = {
    ROW_CHOICE("switches", SceneStartUp, switches, switches,
               "yes: engine off and safety lever up at the start; no: ready to work, and the start-up counts as done"),
    ROW_NUMBER_OR("oil_c", SceneStartUp, oil, -20, 80, 1, 15, "degC: hydraulic oil at the start"),
    ROW_NUMBER_OR("air_c", SceneStartUp, air, -20, 50, 1, 15, "degC: air, which the oil cools down to"),
    ROW_END,
};

bool scene_check_walk_round(Document *document, const SceneParams *scene, Status *status)
{
    const SceneWalkRound *walk = &scene->exercise.walk_round;
    if (walk->things_count == 0) {
        return true;
    }
    if (!scene_check_place(document, &scene->ground, "exercise.walk_round.x", walk->x, "exercise.walk_round.y", walk->y,
                           status)) {
        return false;
    }
    for (int k = 0; k < walk->things_count; k++) {
        const SceneThing *thing = &walk->things[k];
        if (thing->body[0] == '\0' &&
            !scene_check_place(document, &scene->ground, document_path("exercise.walk_round.things.%d.at.0", k).text,
                               thing->at[0], document_path("exercise.walk_round.things.%d.at.1", k).text, thing->at[1],
                               status)) {
            return false;
        }
    }
    return true;
}

/// Writes the names of a machine's bodies: "undercarriage, house, boom, stick, bucket".
static void list_bodies(const MachineParams *machine, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < machine->body_count && used < size; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", machine->body[k].name);
    }
}

bool scene_check_walk_round_loaded(Document *document, const SceneParams *scene, const MachineParams *machine,
                                   Status *status)
{
    const SceneWalkRound *walk = &scene->exercise.walk_round;
    for (int k = 0; k < walk->things_count; k++) {
        const SceneThing *thing = &walk->things[k];
        if (thing->body[0] != '\0' && machine_body_named(machine, thing->body) < 0) {
            char bodies[160];
            list_bodies(machine, bodies, sizeof bodies);
            return document_fail_at(document, document_path("exercise.walk_round.things.%d.on", k).text, status,
                                    "read %s, allowed a body of %s: %s", thing->body, machine->name, bodies);
        }
        for (int axis = 0; axis < 3 && thing->body[0] != '\0'; axis++) {
            if (!(thing->at[axis] >= -SCENE_THING_OUT && thing->at[axis] <= SCENE_THING_OUT)) {
                return document_fail_at(document, document_path("exercise.walk_round.things.%d.at.%d", k, axis).text,
                                        status, "read %.6g, allowed within %g m of the origin of the %s",
                                        thing->at[axis], SCENE_THING_OUT, thing->body);
            }
        }
    }
    return true;
}
