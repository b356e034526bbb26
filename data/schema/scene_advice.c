/// Warns of what a good scene asks for and its machine cannot do: events that cannot happen, limits that no value can
/// pass, work out of the tool's reach, a trench that the tool does not fit, steps that go backwards.
#include "data/schema/scene_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/schema/machine_reach.h"
#include "data/schema/scene_site.h"

/// ---- rules of events -----------------------------------------------------------------------------------------------

/// Without persons nobody is hit, without a truck none is overloaded.

static bool has_role(const SceneParams *scene, ScenePersonRole role)
{
    bool found = false;
    for (int k = 0; k < scene->persons_count; k++) {
        found = found || scene->persons[k].role == role;
    }
    return found;
}

static bool has_zone(const SceneParams *scene)
{
    bool found = false;
    for (int k = 0; k < scene->persons_count; k++) {
        found = found || scene->persons[k].zone > 0.0;
    }
    return found;
}

static bool has_utility(const SceneParams *scene, SceneMedium medium)
{
    bool found = false;
    for (int k = 0; k < scene->fixtures_count; k++) {
        found = found || scene->fixtures[k].utility.medium == medium;
    }
    return found;
}

static bool has_box(const SceneParams *scene)
{
    bool found = false;
    for (int k = 0; k < scene->exercise.loads_count; k++) {
        found = found || scene->exercise.loads[k].pipe.height > 0.0;
    }
    return found;
}

/// True when an incident meets a fixture, whose name a rule may ask for.
static bool meets_fixture(Incident incident)
{
    return incident == INCIDENT_TOUCH || incident == INCIDENT_FIXTURE_DAMAGED || incident == INCIDENT_MAIN_BROKEN ||
           incident == INCIDENT_FLOODED || incident == INCIDENT_GAS_PIPE_BROKEN || incident == INCIDENT_CABLE_HIT;
}

/// Why an incident cannot happen in a scene; NULL: it can.
static const char *advise_why_not(const SceneParams *scene, Incident incident)
{
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING;
    switch (incident) {
    case INCIDENT_TOUCH:
        return truck || scene->fixtures_count > 0 || scene->exercise.loads_count > 0
                   ? NULL
                   : "the scene has neither fixtures nor a truck";
    case INCIDENT_WALL_FELL:
        return scene->exercise.walls.mass > 0.0 ? NULL : "the exercise does not say which walls count (exercise.walls)";
    case INCIDENT_BOX_OVERLOADED:
        return has_box(scene) ? NULL : "the exercise has no trench box";
    case INCIDENT_PERSON_BURIED:
    case INCIDENT_PERSON_HIT:
        return scene->persons_count > 0 ? NULL : "the scene has no persons";
    case INCIDENT_PERSON_ZONE:
    case INCIDENT_SWING_OVER_PERSON:
        return scene->persons_count == 0 ? "the scene has no persons"
               : has_zone(scene)         ? NULL
                                         : "no person of the scene has a zone";
    case INCIDENT_BUCKET_OVER_CAB:
    case INCIDENT_TRUCK_OVERLOAD:
    case INCIDENT_TRUCK_TIPPED:
    case INCIDENT_TRUCK_DAMAGED:
        return truck ? NULL : "the scene has no truck";
    case INCIDENT_FIXTURE_DAMAGED:
        return scene->fixtures_count > 0 ? NULL : "the scene has no fixtures";
    case INCIDENT_MAIN_BROKEN:
    case INCIDENT_FLOODED:
        return has_utility(scene, SCENE_MEDIUM_WATER) ? NULL : "no fixture of the scene carries water";
    case INCIDENT_GAS_PIPE_BROKEN:
        return has_utility(scene, SCENE_MEDIUM_GAS) ? NULL : "no fixture of the scene carries gas";
    case INCIDENT_CABLE_HIT:
        return has_utility(scene, SCENE_MEDIUM_CABLE) ? NULL : "no fixture of the scene is a cable";
    case INCIDENT_SIGNAL_IGNORED:
        return has_role(scene, SCENE_ROLE_BANKSMAN) ? NULL : "the scene has no banksman who gives signals (role)";
    case INCIDENT_SLINGER_ENDANGERED:
        return has_role(scene, SCENE_ROLE_SLINGER) ? NULL : "the scene has no slinger who hooks loads (role)";
    default:
        return NULL;
    }
}

/// Names that things of an incident may have: those of persons, of fixtures and trucks, or what the incident says.
static bool is_named(const SceneParams *scene, const SceneRule *rule)
{
    bool person = rule->incident == INCIDENT_PERSON_HIT || rule->incident == INCIDENT_PERSON_ZONE ||
                  rule->incident == INCIDENT_SWING_OVER_PERSON || rule->incident == INCIDENT_SIGNAL_IGNORED ||
                  rule->incident == INCIDENT_SLINGER_ENDANGERED || rule->incident == INCIDENT_PERSON_BURIED;
    bool truck = scene->exercise.kind == EXERCISE_TRUCK_LOADING && !person;
    bool found = false;
    for (int k = 0; k < scene->persons_count && person; k++) {
        found = found || strstr(scene->persons[k].name, rule->thing) != NULL;
    }
    for (int k = 0; k < scene->fixtures_count && meets_fixture(rule->incident); k++) {
        found = found || strstr(scene->fixtures[k].name, rule->thing) != NULL;
    }
    for (int k = 0; k < SCENE_MAX_TRUCKS && truck; k++) {
        char name[16];
        snprintf(name, sizeof name, "truck %d", k + 1);
        found = found || strstr(name, rule->thing) != NULL;
    }
    return found || (rule->incident == INCIDENT_SLAM && strstr("end stop", rule->thing) != NULL);
}

static void advise_rules(const Document *document, const SceneParams *scene)
{
    for (int k = 0; k < scene->exercise.rules_count; k++) {
        const SceneRule *rule = &scene->exercise.rules[k];
        const char *why = advise_why_not(scene, rule->incident);
        if (why != NULL) {
            document_warn_at(document, document_path("exercise.rules.%d.event", k).text, "%s cannot happen: %s",
                             incident_names[rule->incident], why);
        } else if (rule->thing[0] != '\0' && !is_named(scene, rule)) {
            document_warn_at(document, document_path("exercise.rules.%d.thing", k).text,
                             "%s cannot happen with it: nothing of the scene is named so",
                             incident_names[rule->incident]);
        }
    }
}

/// ---- figures -------------------------------------------------------------------------------------------------------

/// Compares the limits of steps, faults and scores with what their metrics can be: a share is 0 to 1, nobody reaches
/// more targets than there are, and what cannot happen is counted 0 times.

/// What a figure can be, in its unit.
typedef struct Bounds {
    double low, high;
} Bounds;

static Bounds bounds_of(const SceneParams *scene, Metric metric)
{
    const SceneExercise *exercise = &scene->exercise;
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        if (metric == (Metric)((int)METRIC_INCIDENT_TOUCH + k)) {
            return (Bounds){0.0, advise_why_not(scene, (Incident)k) != NULL ? 0.0 : HUGE_VAL};
        }
    }
    switch (metric) {
    case METRIC_TIME:
        return (Bounds){0.0, exercise->time_limit};
    case METRIC_MEAN_DEPTH:
        return (Bounds){-HUGE_VAL, scene->ground.bedrock_depth};
    case METRIC_STEPS_DONE:
        return (Bounds){0.0, exercise->steps_count};
    case METRIC_TARGETS_REACHED:
        return (Bounds){0.0, exercise->targets_count};
    case METRIC_QUESTIONS_ANSWERED:
        return (Bounds){0.0, exercise->questions_count};
    case METRIC_SMOOTHNESS:
        return (Bounds){-HUGE_VAL, HUGE_VAL};
    default:
        break;
    }
    const MetricKind kind = metric_infos[metric].kind;
    return (Bounds){0.0, kind == METRIC_IS_SHARE ? 1.0 : HUGE_VAL};
}

static void warn_never(const Document *document, const char *path, double read, Metric metric, const Bounds *bounds,
                       const char *so)
{
    const char *name = metric_infos[metric].name;
    if (isinf(bounds->high)) {
        document_warn_at(document, path, "read %.6g, but %s is never less than %.6g: %s", read, name, bounds->low, so);
    } else {
        document_warn_at(document, path, "read %.6g, but %s is from %.6g to %.6g: %s", read, name, bounds->low,
                         bounds->high, so);
    }
}

static bool is_stated(double limit)
{
    return fabs(limit) < SCENE_NO_LIMIT;
}

static void advise_step(const Document *document, const SceneParams *scene, int index)
{
    const SceneStep *step = &scene->exercise.steps[index];
    const Bounds bounds = bounds_of(scene, step->metric);
    bool least = is_stated(step->least);
    double limit = least ? step->least : step->most;
    DocumentPath path = document_path("exercise.steps.%d.%s", index, least ? "least" : "most");
    if (least ? limit > bounds.high : limit < bounds.low) {
        warn_never(document, path.text, limit, step->metric, &bounds, "the step is never done");
    } else if (least ? limit <= bounds.low : limit >= bounds.high) {
        warn_never(document, path.text, limit, step->metric, &bounds, "the step is done from the start");
    }
}

static void advise_fault(const Document *document, const SceneParams *scene, int index)
{
    const SceneFault *fault = &scene->exercise.faults[index];
    const Bounds bounds = bounds_of(scene, fault->metric);
    bool above = is_stated(fault->above);
    double limit = above ? fault->above : fault->below;
    if (above ? limit >= bounds.high : limit <= bounds.low) {
        warn_never(document, document_path("exercise.faults.%d.%s", index, above ? "above" : "below").text, limit,
                   fault->metric, &bounds, "the fault is never told");
    }
}

static void advise_score(const Document *document, const SceneParams *scene, int index)
{
    const SceneScore *score = &scene->exercise.scores[index];
    const Bounds bounds = bounds_of(scene, score->metric);
    if (score->full > bounds.high || score->full < bounds.low) {
        warn_never(document, document_path("exercise.scores.%d.full", index).text, score->full, score->metric, &bounds,
                   "the row never has all its points");
    }
    if (bounds.low == bounds.high) {
        document_warn_at(document, document_path("exercise.scores.%d.metric", index).text,
                         "%s is always %.6g in this scene: the row tells nobody apart",
                         metric_infos[score->metric].name, bounds.low);
    }
    if (is_stated(score->fail_below) && score->fail_below <= bounds.low) {
        warn_never(document, document_path("exercise.scores.%d.fail_below", index).text, score->fail_below,
                   score->metric, &bounds, "nobody fails by it");
    }
    if (is_stated(score->fail_above) && score->fail_above >= bounds.high) {
        warn_never(document, document_path("exercise.scores.%d.fail_above", index).text, score->fail_above,
                   score->metric, &bounds, "nobody fails by it");
    }
}

/// Warns of two answers with the same text.
static void advise_question(const Document *document, const SceneQuestion *question, int index)
{
    for (int k = 1; k < question->answers_count; k++) {
        for (int before = 0; before < k; before++) {
            if (strcmp(question->answers[k], question->answers[before]) == 0) {
                document_warn_at(document, document_path("exercise.questions.%d.answers.%d", index, k).text,
                                 "says the same as answer %d", before + 1);
            }
        }
    }
}

/// Time that targets are to be held alone.
static void advise_time(const Document *document, const SceneExercise *exercise)
{
    double hold = 0.0;
    for (int k = 0; k < exercise->targets_count; k++) {
        hold += exercise->targets[k].hold;
    }
    if (hold > exercise->time_limit) {
        document_warn_at(document, "exercise.time_limit", "%.6g s are less than the targets are to be held, %.6g s",
                         exercise->time_limit, hold);
    } else if (hold > exercise->par_time) {
        document_warn_at(document, "exercise.par_time", "%.6g s are less than the targets are to be held, %.6g s",
                         exercise->par_time, hold);
    }
}

static void advise_figures(const Document *document, const SceneParams *scene)
{
    const SceneExercise *exercise = &scene->exercise;
    for (int k = 0; k < exercise->steps_count; k++) {
        advise_step(document, scene, k);
    }
    for (int k = 0; k < exercise->faults_count; k++) {
        advise_fault(document, scene, k);
    }
    for (int k = 0; k < exercise->scores_count; k++) {
        advise_score(document, scene, k);
    }
    for (int k = 0; k < exercise->questions_count; k++) {
        advise_question(document, &exercise->questions[k], k);
    }
    advise_time(document, exercise);
}

/// ---- places --------------------------------------------------------------------------------------------------------

/// Compares where work is with where the machine stands and how far its tool reaches. A machine that is to travel may
/// reach everything: of such an exercise only what no place reaches gives a warning.

static const double margin = 0.05; ///< m that a figure may be off without a warning

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

/// ---- a machine that stands where the work is -----------------------------------------------------------------------

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

static void advise_places(const Document *document, const SceneParams *scene, const MachineParams *machine)
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

/// ---- advice --------------------------------------------------------------------------------------------------------

static void advise_trench(const Document *document, const SceneTrench *trench, const MachineParams *machine)
{
    double width = machine->tool_count > 0 ? machine->tool[0].shape.edge_width : 0.0;
    if (trench->width < width) {
        document_warn_at(document, "exercise.trench.width", "%.4g m is narrower than the tool's edge, %.4g m",
                         trench->width, width);
    }
    double dx = trench->dump_x - trench->x, dy = trench->dump_y - trench->y;
    double along = dx * same_cos(trench->heading) + dy * same_sin(trench->heading);
    double across = dy * same_cos(trench->heading) - dx * same_sin(trench->heading);
    double beyond = fmax(fmax(-along, along - trench->length), 0.0);
    double distance = same_hypot(beyond, fmax(fabs(across) - 0.5 * trench->width, 0.0));
    if (distance < trench->dump_radius) {
        document_warn_at(document, "exercise.trench.dump_radius",
                         "the dump lies on the trench: its middle is %.4g m from it, its radius is %.4g m", distance,
                         trench->dump_radius);
    }
}

/// What lies beyond the edge of the site counts, but nothing there can be surveyed or taken up again.
static void advise_dump_place(const Document *document, const SceneParams *scene)
{
    const SceneTrench *trench = &scene->exercise.trench;
    double room_x = 0.5 * scene->ground.size_x - fabs(trench->dump_x);
    double beyond = trench->dump_radius - fmin(room_x, 0.5 * scene->ground.size_y - fabs(trench->dump_y));
    if (beyond > 0.0) {
        document_warn_at(
            document, "exercise.trench.dump_radius",
            "the dump reaches %.3g m beyond the edge of the site: soil that lies there cannot be dug again", beyond);
    }
}

/// A step that asks for less than one before it is done together with that one.
static void advise_steps(const Document *document, const SceneExercise *exercise)
{
    for (int k = 1; k < exercise->steps_count; k++) {
        const SceneStep *step = &exercise->steps[k];
        for (int before = 0; before < k; before++) {
            const SceneStep *other = &exercise->steps[before];
            bool both = step->least > -SCENE_NO_LIMIT && other->least > -SCENE_NO_LIMIT;
            if (both && step->metric == other->metric && step->least <= other->least) {
                document_warn_at(document, document_path("exercise.steps.%d.least", k).text,
                                 "%.6g is done with step %d, which asks for %.6g of the same figure", step->least,
                                 before + 1, other->least);
            }
        }
    }
}

void scene_advise(const Document *document, const SceneParams *scene, const MachineParams *machine)
{
    if (scene->exercise.kind == EXERCISE_TRENCH) {
        advise_trench(document, &scene->exercise.trench, machine);
        advise_dump_place(document, scene);
    }
    advise_steps(document, &scene->exercise);
    advise_places(document, scene, machine);
    advise_rules(document, scene);
    advise_figures(document, scene);
}
