/// The keys of an exercise's loads and the rules between them.
#include "data/schema/scene_loads.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/core/units.h"
#include "data/schema/scene_check.h"

static const double steel_density = 7850.0; ///< kg/m3
static const double longest_spread = 0.95; ///< of the length
static const double heaviest_share = 0.5; ///< of the machine's mass

static const KeyChoice truths[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const DataKey place_keys[] = {
    ROW_NUMBER("x", struct SceneLoadPlace, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", struct SceneLoadPlace, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER("heading_deg", struct SceneLoadPlace, heading, -360, 360, UNIT_DEG,
               "deg: of the pipe's axis, from east to north, either way round"),
    ROW_NUMBER("within", struct SceneLoadPlace, within, 0.02, 5, 1, "m: a pipe whose middle is nearer lies there"),
    ROW_NUMBER("within_deg", struct SceneLoadPlace, within_angle, 0.5, 90, UNIT_DEG,
               "deg: a pipe that is off its heading by less lies there"),
    ROW_END,
};

static const DataKey load_keys[] = {
    ROW_TEXT("name", SceneLoad, name, "what people are told of: pipe"),
    ROW_NUMBER("mass", SceneLoad, pipe.mass, 20, 10000, 1, "kg: of the pipe"),
    ROW_NUMBER("length", SceneLoad, pipe.length, 0.5, 15, 1, "m: of the pipe"),
    ROW_NUMBER("radius", SceneLoad, pipe.radius, 0.05, 1.5, 1, "m: of the pipe, outside"),
    ROW_NUMBER("wall", SceneLoad, pipe.wall, 0.002, 1.5, 1, "m: thickness of the pipe's wall"),
    ROW_NUMBER("sling", SceneLoad, pipe.sling, 0.3, 10, 1, "m: length of each leg of the sling"),
    ROW_NUMBER_OR("spread", SceneLoad, pipe.spread, 0, 15, 1, 0,
                  "m: along the pipe between two legs; 0: one leg in the middle"),
    ROW_NUMBER("x", SceneLoad, x, -100, 100, 1, "m: its middle at the start, to the east"),
    ROW_NUMBER("y", SceneLoad, y, -100, 100, 1, "m: its middle at the start, to the north"),
    ROW_NUMBER("heading_deg", SceneLoad, heading, -360, 360, UNIT_DEG,
               "deg: of the pipe's axis at the start, from east to north"),
    ROW_CHOICE_OPTIONAL("hooked", SceneLoad, hooked, truths, "yes: its sling hangs in the lifting eye at the start"),
    ROW_NUMBER_OR("tag_lines", SceneLoad, tag_lines, 0, 500, 1, 0,
                  "N: with which hands at both ends turn it to its place's heading while it hangs; 0: nobody does"),
    ROW_MAPPING_OPTIONAL("place", SceneLoad, place, place_keys, "where it is to lie"),
    ROW_END,
};
const DataKey scene_loads_item = ROW_ITEM(SceneLoad, load_keys);

/// A pipe is hollow, and no heavier than steel.
static bool check_mass(Document *document, const HungLoadParams *pipe, int index, Status *status)
{
    if (pipe->wall > pipe->radius) {
        return document_fail_at(document, document_path("exercise.loads.%d.wall", index).text, status,
                                "read %.6g, allowed up to radius (%.6g)", pipe->wall, pipe->radius);
    }
    double inner = pipe->radius - pipe->wall;
    double most = steel_density * M_PI * (pipe->radius * pipe->radius - inner * inner) * pipe->length;
    return pipe->mass <= most ||
           document_fail_at(document, document_path("exercise.loads.%d.mass", index).text, status,
                            "read %.6g, allowed up to %.4g kg: what a steel pipe of these measures weighs", pipe->mass,
                            most);
}

/// Legs meet over the pipe, and are not spread so far that they tear it along.
static bool check_sling(Document *document, const HungLoadParams *pipe, int index, Status *status)
{
    const double widest = 2.0 * same_sin(60.0 * UNIT_DEG); // of a leg's length: 120 degrees between the legs (EN 818-6)
    double most = fmin(longest_spread * pipe->length, widest * pipe->sling);
    return pipe->spread <= most ||
           document_fail_at(document, document_path("exercise.loads.%d.spread", index).text, status,
                            "read %.6g, allowed up to %.4g m: on the pipe, and 120 degrees between legs of %.4g m",
                            pipe->spread, most, pipe->sling);
}

static bool check_places(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneLoad *load = &scene->exercise.loads[index];
    double half = 0.5 * load->pipe.length;
    const struct SceneLoadPlace *place = &load->place;
    return scene_check_rectangle(document, &scene->ground, document_path("exercise.loads.%d", index).text,
                                 (double[]){load->x, load->y}, load->heading, (double[]){-half, half},
                                 load->pipe.radius, status) &&
           (place->within <= 0.0 ||
            scene_check_rectangle(document, &scene->ground, document_path("exercise.loads.%d.place", index).text,
                                  (double[]){place->x, place->y}, place->heading, (double[]){-half, half},
                                  load->pipe.radius, status));
}

bool scene_check_loads(Document *document, const SceneParams *scene, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    if (exercise->loads_count > 0 && exercise->kind == EXERCISE_TRUCK_LOADING) {
        return document_fail_at(document, "exercise.loads", status, "does not belong to this exercise kind");
    }
    for (int i = 0; i < exercise->loads_count; i++) {
        const SceneLoad *load = &exercise->loads[i];
        if (!check_mass(document, &load->pipe, i, status) || !check_sling(document, &load->pipe, i, status) ||
            !check_places(document, scene, i, status)) {
            return false;
        }
        if (load->tag_lines > 0.0 && load->place.within <= 0.0) {
            return document_fail_at(document, document_path("exercise.loads.%d.tag_lines", i).text, status,
                                    "hands turn it to the heading of its place, which it lacks: allowed with `place`");
        }
    }
    return true;
}

bool scene_check_loads_start(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    bool eye = machine->lifting_eye.x != 0.0 || machine->lifting_eye.z != 0.0;
    double mass = 0.0;
    for (int k = 0; k < machine->body_count; k++) {
        mass += machine->body[k].mass;
    }
    int hooked = 0;
    for (int i = 0; i < exercise->loads_count; i++) {
        const SceneLoad *load = &exercise->loads[i];
        if (!eye) {
            return document_fail_at(document, document_path("exercise.loads.%d", i).text, status,
                                    "%s%s%s has no lifting_eye, allowed with a machine and an attachment that have one",
                                    machine->name, machine->attachment[0] != '\0' ? " with " : "", machine->attachment);
        }
        if (load->pipe.mass > heaviest_share * mass) {
            return document_fail_at(document, document_path("exercise.loads.%d.mass", i).text, status,
                                    "read %.6g, allowed up to half of what the machine weighs (%.6g kg)",
                                    load->pipe.mass, heaviest_share * mass);
        }
        hooked += load->hooked;
        if (hooked > 1) {
            return document_fail_at(document, document_path("exercise.loads.%d.hooked", i).text, status,
                                    "another load hangs there already, allowed one");
        }
    }
    return true;
}
