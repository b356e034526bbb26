/// Compares where work is with where the machine stands and how far its tool gets. A machine that is to travel may
/// reach everything: of such an exercise only what no place reaches is told.
#include <math.h>

#include "data/schema/advice_parts.h"
#include "data/schema/machine_reach.h"
#include "data/core/elementary.h"
#include "data/schema/scene_ground.h"

static const double margin = 0.05; ///< m that a figure may be off before it is told

/// A rectangle in plan: along[0] to along[1] m beyond a place towards a heading, `half` m to either side.
typedef struct Area {
    double x, y, heading;
    double along[2], half;
} Area;

/// m in plan from a place to an area; 0 in it.
static double distance_to(const Area *area, double x, double y)
{
    double dx = x - area->x, dy = y - area->y;
    double along = dx * same_cos(area->heading) + dy * same_sin(area->heading);
    double across = dy * same_cos(area->heading) - dx * same_sin(area->heading);
    double beyond = fmax(fmax(area->along[0] - along, along - area->along[1]), 0.0);
    return same_hypot(beyond, fmax(fabs(across) - area->half, 0.0));
}

/// How far two areas overlap at least, m, along the sides of either; below 0: they lie apart.
static double overlap_of(const Area *a, const Area *b)
{
    double least = HUGE_VAL;
    for (int side = 0; side < 4; side++) {
        const Area *of = side < 2 ? a : b;
        double direction = of->heading + (side % 2) * 0.5 * M_PI, c = same_cos(direction), s = same_sin(direction);
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int corner = 0; corner < 8; corner++) {
            const Area *one = corner < 4 ? a : b;
            double u = one->along[corner % 2], v = corner % 4 < 2 ? -one->half : one->half;
            double x = one->x + u * same_cos(one->heading) - v * same_sin(one->heading);
            double y = one->y + u * same_sin(one->heading) + v * same_cos(one->heading);
            int k = corner / 4;
            low[k] = fmin(low[k], x * c + y * s);
            high[k] = fmax(high[k], x * c + y * s);
        }
        least = fmin(least, fmin(high[0], high[1]) - fmax(low[0], low[1]));
    }
    return least;
}

static Area tracks_of(const SceneMachine *place, const MachineParams *machine)
{
    const MachineTracks *tracks = &machine->tracks;
    double half = 0.5 * tracks->contact_length;
    return (Area){place->x, place->y, place->heading, {-half, half}, 0.5 * (tracks->gauge + tracks->shoe_width)};
}

/// ---- a machine in its own way --------------------------------------------------------------------------------------

static void advise_stand(const Document *document, const SceneParams *scene, const MachineParams *machine)
{
    const SceneExercise *exercise = &scene->exercise;
    const Area tracks = tracks_of(&scene->machine, machine);
    const SceneTrench *trench = &exercise->trench;
    if (exercise->kind == EXERCISE_TRENCH && machine->swing_joint >= 0) {
        const Area area = {trench->x, trench->y, trench->heading, {0.0, trench->length}, 0.5 * trench->width};
        double deep = overlap_of(&tracks, &area);
        if (deep > margin) {
            document_warn_at(document, "machine", "its tracks start %.3g m on the trench that it is to dig", deep);
        }
    }
    if (exercise->kind == EXERCISE_TRENCH) {
        double distance = distance_to(&tracks, trench->dump_x, trench->dump_y);
        if (machine->swing_joint >= 0 && distance < trench->dump_radius - margin) {
            document_warn_at(document, "machine",
                             "its tracks start on the dump: they are %.3g m from its middle, its radius is %.4g m",
                             distance, trench->dump_radius);
        }
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING &&
        distance_to(&tracks, exercise->truck.dig_x, exercise->truck.dig_y) <= 0.0) {
        document_warn_at(document, "machine", "its tracks start where the soil is to be taken (exercise.truck.dig_x)");
    }
    for (int k = 0; k < exercise->surface.parts_count && machine->swing_joint >= 0; k++) {
        const SceneSurfacePart *part = &exercise->surface.parts[k];
        const Area area = {part->x, part->y, part->heading, {0.0, part->length}, 0.5 * part->width};
        double deep = overlap_of(&tracks, &area);
        if (deep > margin) {
            document_warn_at(document, "machine",
                             "its tracks start %.3g m on exercise.surface.parts.%d, which it is "
                             "to shape",
                             deep, k);
        }
    }
}

/// Who stands where soil is to be dug or dumped is in the way of every load.
static void advise_persons(const Document *document, const SceneParams *scene)
{
    const SceneTrench *trench = &scene->exercise.trench;
    const Area area = {trench->x, trench->y, trench->heading, {0.0, trench->length}, 0.5 * trench->width};
    for (int k = 0; k < scene->persons_count && scene->exercise.kind == EXERCISE_TRENCH; k++) {
        const ScenePerson *person = &scene->persons[k];
        bool in_trench = distance_to(&area, person->x, person->y) < person->radius;
        double off = same_hypot(person->x - trench->dump_x, person->y - trench->dump_y);
        if (in_trench || off < trench->dump_radius + person->radius) {
            document_warn_at(document, document_path("persons.%d", k).text, "%s stands on the %s", person->name,
                             in_trench ? "trench that is to be dug" : "dump");
        }
    }
}

/// ---- reach ---------------------------------------------------------------------------------------------------------

/// Nothing asks the machine to leave its place.
static bool stays(const SceneExercise *exercise)
{
    for (int k = 0; k < exercise->targets_count; k++) {
        if (exercise->targets[k].what == SCENE_TARGET_MACHINE) {
            return false;
        }
    }
    return true;
}

static void advise_targets(const Document *document, const SceneParams *scene, const MachineParams *machine)
{
    const SceneMachine *place = &scene->machine;
    SceneStand stand = scene_stand(&scene->ground, place->x, place->y, place->heading, machine->tracks.contact_length,
                                   machine->tracks.gauge + machine->tracks.shoe_width);
    double ahead = machine->joint[machine->swing_joint].origin.x;
    double axis_x = place->x + ahead * same_cos(place->heading), axis_y = place->y + ahead * same_sin(place->heading);
    for (int k = 0; k < scene->exercise.targets_count; k++) {
        const SceneTarget *target = &scene->exercise.targets[k];
        double distance = same_hypot(target->x - axis_x, target->y - axis_y), height = target->z - stand.height;
        double miss = machine_reach_miss(machine, distance, height) - target->radius;
        if (target->what == SCENE_TARGET_TIP && miss > margin) {
            document_warn_at(document, document_path("exercise.targets.%d", k).text,
                             "out of the tool's reach by %.3g m from where the machine starts, %.4g m away and %.4g m "
                             "over it, and no target asks it to travel",
                             miss, distance, height);
        }
    }
}

static void advise_depth(const Document *document, const SceneExercise *exercise, const MachineReach *reach)
{
    if (exercise->kind == EXERCISE_TRENCH && exercise->trench.depth > margin - reach->low) {
        document_warn_at(document, "exercise.trench.depth", "%.4g m is deeper than the tool gets, %.3g m",
                         exercise->trench.depth, -reach->low);
    }
    for (int k = 0; k < exercise->surface.parts_count; k++) {
        const SceneSurfacePart *part = &exercise->surface.parts[k];
        double low = fmin(part->z, part->far_z);
        if (low < reach->low - margin) {
            document_warn_at(document, document_path("exercise.surface.parts.%d", k).text,
                             "%.4g m is deeper than the tool gets from the level of the site, %.3g m", low, reach->low);
        }
    }
}

/// From one place the tool gets to two others only if they are no further apart than twice its reach.
static void advise_dump(const Document *document, const SceneExercise *exercise, const MachineReach *reach)
{
    if (exercise->kind == EXERCISE_TRENCH) {
        const SceneTrench *trench = &exercise->trench;
        const Area area = {trench->x, trench->y, trench->heading, {0.0, trench->length}, 0.5 * trench->width};
        double apart = distance_to(&area, trench->dump_x, trench->dump_y) - trench->dump_radius;
        if (apart > 2.0 * reach->far + margin) {
            document_warn_at(document, "exercise.trench.dump_x",
                             "the dump is %.4g m from the trench: no place reaches both, the tool gets %.3g m far",
                             apart, reach->far);
        }
    }
    if (exercise->kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *truck = &exercise->truck;
        double half = 0.5 * truck->bed_length;
        const Area bed = {truck->x, truck->y, truck->heading, {-half, half}, 0.5 * truck->bed_width};
        double apart = distance_to(&bed, truck->dig_x, truck->dig_y);
        if (apart > 2.0 * reach->far + margin) {
            document_warn_at(document, "exercise.truck.dig_x",
                             "the soil is %.4g m from the truck: no place reaches both, the tool gets %.3g m far",
                             apart, reach->far);
        }
        double wall = truck->floor_height + truck->bed_height;
        if (wall > reach->high + margin) {
            document_warn_at(document, "exercise.truck", "its walls are %.3g m high: the tool gets no higher than %.3g",
                             wall, reach->high);
        }
    }
}

void advise_places(const Document *document, const SceneParams *scene, const MachineParams *machine)
{
    advise_stand(document, scene, machine);
    advise_persons(document, scene);
    if (!machine_reach_is_known(machine)) {
        return;
    }
    const MachineReach reach = machine_reach(machine);
    if (stays(&scene->exercise)) {
        advise_targets(document, scene, machine);
    }
    advise_depth(document, &scene->exercise, &reach);
    advise_dump(document, &scene->exercise, &reach);
}
