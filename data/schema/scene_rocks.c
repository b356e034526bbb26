/// The keys of a scene's rocks and the rules between them.
#include "data/schema/scene_rocks.h"

#include "data/core/elementary.h"
#include "data/core/units.h"
#include "data/schema/scene_check.h"

#include <math.h>
#include <stdio.h>

static const KeyChoice shapes[] = {
    {"angular", SCENE_ROCK_ANGULAR}, {"rounded", SCENE_ROCK_ROUNDED}, {"slab", SCENE_ROCK_SLAB}, {NULL, 0}};

static const DataKey rocks_keys[] = {
    ROW_NUMBER("x", SceneRocks, x, -100, 100, 1, "m: where the rock lies, or the middle of the heap, to the east"),
    ROW_NUMBER("y", SceneRocks, y, -100, 100, 1, "m: where the rock lies, or the middle of the heap, to the north"),
    ROW_NUMBER_OR("z", SceneRocks, z, -1, 20, 1, 0,
                  "m: height of its lowest point over the ground at the start; below 0 it is buried, above 0 it falls"),
    ROW_NUMBER("size", SceneRocks, size, 0.2, 1.5, 1, "m: diameter of a sphere of the same volume"),
    ROW_NUMBER_OR("largest", SceneRocks, largest, 0.2, 1.5, 1, 0,
                  "m: sizes run evenly from size to this; left out: all are of one size"),
    ROW_CHOICE_OPTIONAL("shape", SceneRocks, shape, shapes, "how its faces are"),
    ROW_INTEGER_OR("count", SceneRocks, count, 1, SCENE_MAX_ROCKS, 1,
                   "how many there are; several are dropped as a heap"),
    ROW_NUMBER_OR("spread", SceneRocks, spread, 0, 20, 1, 0, "m: radius of the circle that a heap is dropped in"),
    ROW_NUMBER_OR("density", SceneRocks, density, 1500, 4000, 1, 2600, "kg/m3: of the rock"),
    ROW_NUMBER_OR("work_index", SceneRocks, work_index, 5, 30, UNIT_BOND, 15,
                  "kWh/t: what blows take to break it, after Bond"),
    ROW_END,
};
const DataKey scene_rocks_item = ROW_ITEM(SceneRocks, rocks_keys);

static bool check_group(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneRocks *rocks = &scene->rocks[index];
    DocumentPath largest = document_path("rocks.%d.largest", index);
    DocumentPath spread = document_path("rocks.%d.spread", index);
    if (document_find(document, largest.text) && rocks->largest < rocks->size) {
        return document_fail_at(document, largest.text, status, "read %.6g, allowed from size (%.6g) to 1.5",
                                rocks->largest, rocks->size);
    }
    bool off = fabs(rocks->x) + rocks->spread > 0.5 * scene->ground.size_x ||
               fabs(rocks->y) + rocks->spread > 0.5 * scene->ground.size_y;
    if (off && document_find(document, spread.text)) {
        return document_fail_at(document, spread.text, status, "%.6g reaches off the site of %.6g x %.6g m",
                                rocks->spread, scene->ground.size_x, scene->ground.size_y);
    }
    return scene_check_place(document, &scene->ground, document_path("rocks.%d.x", index).text, rocks->x,
                             document_path("rocks.%d.y", index).text, rocks->y, status);
}

bool scene_check_rocks(Document *document, const SceneParams *scene, Status *status)
{
    int total = 0;
    for (int i = 0; i < scene->rocks_count; ++i) {
        if (!check_group(document, scene, i, status)) {
            return false;
        }
        total += scene->rocks[i].count;
        if (total > SCENE_MAX_ROCKS) {
            DocumentPath group = document_path("rocks.%d", i), count = document_path("rocks.%d.count", i);
            return document_fail_at(document, document_find(document, count.text) ? count.text : group.text, status,
                                    "with it there are %d rocks, allowed at most %d in all", total, SCENE_MAX_ROCKS);
        }
    }
    return scene->exercise.oversize <= 0.0 || total > 0 ||
           document_fail_at(document, "exercise.oversize", status,
                            "the scene has no rocks, allowed where there are some");
}

bool scene_check_rocks_start(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    const SceneMachine *place = &scene->machine;
    double half = 0.5 * machine->tracks.length, side = 0.5 * (machine->tracks.gauge + machine->tracks.shoe_width);
    double c = same_cos(place->heading), s = same_sin(place->heading);
    for (int i = 0; i < scene->rocks_count; ++i) {
        const SceneRocks *rocks = &scene->rocks[i];
        double dx = rocks->x - place->x, dy = rocks->y - place->y;
        double beyond = fmax(0.0, fabs(dx * c + dy * s) - half), beside = fmax(0.0, fabs(dy * c - dx * s) - side);
        double least = rocks->spread + fmax(rocks->size, rocks->largest), distance = same_hypot(beyond, beside);
        if (distance < least) {
            return document_fail_at(document, document_path("rocks.%d", i).text, status,
                                    "the machine starts in them: its tracks are %.4g m from their middle, allowed from "
                                    "%.4g m on (spread and the largest size)",
                                    distance, least);
        }
    }
    return true;
}
