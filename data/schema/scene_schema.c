/// The keys of a scene and the rules between them. Ranges are those of scene_params.h. Parts of an exercise kind are
/// mappings of their own, which must be there for that kind and for no other.
#include <math.h>
#include <stdio.h>

#include "data/core/constants.h"
#include "data/schema/scene_check.h"
#include "data/schema/scene_params.h"

static const double max_columns = 4e6;
static const int least_substep_rate = 240; ///< Hz: the tracks on their stiffest ground are unstable below
static const double min_radius = 0.01; ///< m: finer particles would not run in real time

static const DataKey rates_keys[] = {
    ROW_INTEGER_OR("tick_rate", SceneRates, tick_rate, 30, 240, 60,
                   "ticks a second; the controls are read and the score is counted in each"),
    ROW_INTEGER_OR("substeps", SceneRates, substeps, 1, SCENE_MAX_SUBSTEPS, 8,
                   "steps of the machine and the soil in each tick"),
    ROW_END,
};

static const DataKey weather_keys[] = {
    ROW_NUMBER_OR("time", SceneWeather, time, 0, 24, UNIT_HOUR, 14,
                  "h: of the day, which is one in late April at 50 degrees north"),
    ROW_NUMBER_OR("clouds", SceneWeather, clouds, 0, 1, 1, 0.35, "share: of the sky that clouds cover"),
    ROW_NUMBER_OR("visibility", SceneWeather, visibility, 20, 50000, 1, 1500,
                  "m: how far one sees through fog or haze"),
    ROW_NUMBER_OR("rain", SceneWeather, rain, 0, 50, UNIT_MM_PER_H, 0, "mm/h: of rain that falls"),
    ROW_END,
};

static const DataKey machine_keys[] = {
    ROW_TEXT("file", SceneMachine, file, "name of a machine's file"),
    ROW_TEXT_OPTIONAL("attachment", SceneMachine, attachment,
                      "name of an attachment's file, which hangs in place of the machine's own bucket"),
    ROW_NUMBER("x", SceneMachine, x, -100, 100, 1, "m: where it starts, to the east of the site's middle"),
    ROW_NUMBER("y", SceneMachine, y, -100, 100, 1, "m: where it starts, to the north of the site's middle"),
    ROW_NUMBER("heading_deg", SceneMachine, heading, -360, 360, UNIT_DEG,
               "deg: where it looks, from east (0) to north (90)"),
    ROW_END,
};

static const DataKey layer_keys[] = {
    ROW_TEXT("soil", SceneLayer, soil, "name of a soil's file"),
    ROW_NUMBER_OR("thickness", SceneLayer, thickness, 0.05, 20, 1, 20,
                  "m: of the layer; the last one reaches down to bedrock"),
    ROW_END,
};
static const DataKey layer = ROW_ITEM(SceneLayer, layer_keys);

static const DataKey patch_keys[] = {
    ROW_TEXT("soil", ScenePatch, soil, "name of the soil that lies here instead"),
    ROW_NUMBER("x", ScenePatch, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", ScenePatch, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER_OR("length", ScenePatch, length, 0.5, 200, 1, 0, "m: of a rectangle, along its heading"),
    ROW_NUMBER_OR("width", ScenePatch, width, 0.5, 200, 1, 0, "m: of a rectangle, across its heading"),
    ROW_NUMBER_OR("heading_deg", ScenePatch, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its length points, from east to north"),
    ROW_NUMBER_OR("radius", ScenePatch, radius, 0.5, 100, 1, 0, "m: of a circle"),
    ROW_NUMBER_OR("top", ScenePatch, top, 0, 20, 1, 0, "m: depth of its upper side below the surface"),
    ROW_NUMBER("thickness", ScenePatch, thickness, 0.05, 20, 1, "m: from its upper side down"),
    ROW_END,
};
static const DataKey patch = ROW_ITEM(ScenePatch, patch_keys);

static const DataKey mound_keys[] = {
    ROW_TEXT("soil", SceneMound, soil, "name of the soil it is made of"),
    ROW_NUMBER("x", SceneMound, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", SceneMound, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER("height", SceneMound, height, 0.1, 10, 1, "m: of the cone, which lies at the soil's angle of repose"),
    ROW_END,
};
static const DataKey mound = ROW_ITEM(SceneMound, mound_keys);

static const DataKey ground_keys[] = {
    ROW_NUMBER("size_x", SceneGround, size_x, 10, 200, 1, "m: from the western to the eastern edge"),
    ROW_NUMBER("size_y", SceneGround, size_y, 10, 200, 1, "m: from the southern to the northern edge"),
    ROW_NUMBER_OR("column_spacing", SceneGround, column_spacing, 0.05, 0.5, 1, 0.1,
                  "m: side of the square columns that the ground is made of"),
    ROW_NUMBER("bedrock_depth", SceneGround, bedrock_depth, 1, 20, 1, "m: depth below which nothing can be dug"),
    ROW_NUMBER_OR("roughness", SceneGround, roughness, 0, 0.5, 1, 0, "m: height of the unevenness of the surface"),
    ROW_LIST("layers", SceneGround, layers, layer_count, 1, SCENE_MAX_LAYERS, &layer,
             "soils on one another, the top one first"),
    ROW_LIST_OPTIONAL("patches", SceneGround, patches, patch_count, 0, SCENE_MAX_PATCHES, &patch,
                      "parts of the site with another soil"),
    ROW_LIST_OPTIONAL("mounds", SceneGround, mounds, mound_count, 0, SCENE_MAX_MOUNDS, &mound,
                      "cones of loose soil on the surface"),
    ROW_LIST_OPTIONAL("earthworks", SceneGround, earthworks, earthwork_count, 0, SCENE_MAX_EARTHWORKS,
                      &scene_earthworks_item, "banks and cuts that shape the site before the start, in this order"),
    ROW_END,
};

static const KeyChoice frictions[] = {
    {"coulomb", PARTICLE_FRICTION_COULOMB}, {"macklin", PARTICLE_FRICTION_MACKLIN}, {NULL, 0}};

static const KeyChoice persistences[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const KeyChoice sleeps[] = {{"yes", false}, {"no", true}, {NULL, 0}};

static const DataKey particles_keys[] = {
    ROW_INTEGER_OR("budget", SceneParticles, budget, 100, 400000, 20000, "most grains of moving soil at once"),
    ROW_INTEGER_OR("most_awake", SceneParticles, most_awake, 0, 400000, 6000,
                   "moving grains from which on soil far from the tools moves as ground; 0: never"),
    ROW_INTEGER_OR("per_column_side", SceneParticles, per_column_side, 1, 4, 1,
                   "grains along one side of a column of the ground"),
    ROW_INTEGER_OR("iterations", SceneParticles, iterations, 1, 50, 2, "rounds of the contact solver in each substep"),
    ROW_NUMBER_OR("error_reduction", SceneParticles, error_reduction, 0, 1, 1, 0.5,
                  "share: of an overlap that a step takes back; of the published solvers alone"),
    ROW_NUMBER_OR("sleep_distance", SceneParticles, sleep_distance, 0, 0.01, 1, 0,
                  "m: grains that moved less in a step keep their place; of the published solvers alone"),
    ROW_NUMBER_OR("static_ratio", SceneParticles, static_ratio, 1, 3, 1, 1,
                  "ratio: of friction at rest to friction in motion; of the published solvers alone"),
    ROW_CHOICE_OPTIONAL("friction", SceneParticles, friction, frictions,
                        "law of friction between grains; of the published solvers alone"),
    ROW_CHOICE_OPTIONAL("persistent", SceneParticles, persistent, persistences, "grains never turn back into ground"),
    ROW_CHOICE_OPTIONAL("sleep", SceneParticles, sleepless, sleeps, "calm grains are not computed"),
    ROW_END,
};

static const DataKey grains_keys[] = {
    ROW_TEXT_OPTIONAL("obj", SceneGrains, obj, "name of a mesh's file, whose inside is filled with grains"),
    ROW_TUPLE_OPTIONAL("box", SceneGrains, box, double, 3, 0.1, 50, 1,
                       "m: length, width and height of a box that is filled with grains"),
    ROW_TEXT("soil", SceneGrains, soil, "name of the soil the grains are of"),
    ROW_NUMBER_OR("radius", SceneGrains, radius, 0.01, 0.25, 1, 0, "m: of the largest grain; 0: as the scene's grains"),
    ROW_NUMBER("x", SceneGrains, x, -100, 100, 1, "m: middle of the box, or origin of the mesh, to the east"),
    ROW_NUMBER("y", SceneGrains, y, -100, 100, 1, "m: middle of the box, or origin of the mesh, to the north"),
    ROW_NUMBER("z", SceneGrains, z, -20, 100, 1,
               "m: base of the box, or origin of the mesh, above the level of the site"),
    ROW_NUMBER_OR("scale", SceneGrains, scale, 0.001, 1000, 1, 1, "m: length of one unit of the mesh"),
    ROW_END,
};
static const DataKey grains = ROW_ITEM(SceneGrains, grains_keys);

static const DataKey trench_keys[] = {
    ROW_NUMBER("x", SceneTrench, x, -100, 100, 1, "m: middle of the end nearest to the machine, to the east"),
    ROW_NUMBER("y", SceneTrench, y, -100, 100, 1, "m: middle of the end nearest to the machine, to the north"),
    ROW_NUMBER("heading_deg", SceneTrench, heading, -360, 360, UNIT_DEG,
               "deg: where its length points from that end, from east to north"),
    ROW_NUMBER("length", SceneTrench, length, 1, 50, 1, "m: along its heading"),
    ROW_NUMBER("width", SceneTrench, width, 0.5, 10, 1, "m: between its walls"),
    ROW_NUMBER("depth", SceneTrench, depth, 0.2, 6, 1, "m: of the floor below the level of the site"),
    ROW_NUMBER("tolerance", SceneTrench, tolerance, 0.01, 0.5, 1, "m: so far the floor may be off its depth"),
    ROW_NUMBER("dump_x", SceneTrench, dump_x, -100, 100, 1, "m: middle of the circle for the soil, to the east"),
    ROW_NUMBER("dump_y", SceneTrench, dump_y, -100, 100, 1, "m: middle of the circle for the soil, to the north"),
    ROW_NUMBER("dump_radius", SceneTrench, dump_radius, 0.5, 20, 1, "m: of the circle for the soil"),
    ROW_END,
};

static const DataKey truck_keys[] = {
    ROW_NUMBER("x", SceneTruck, x, -100, 100, 1, "m: middle of the bed, to the east"),
    ROW_NUMBER("y", SceneTruck, y, -100, 100, 1, "m: middle of the bed, to the north"),
    ROW_NUMBER("heading_deg", SceneTruck, heading, -360, 360, UNIT_DEG,
               "deg: where the truck looks, from east to north"),
    ROW_TEXT_OPTIONAL("file", SceneTruck, file, "name of a truck's file, which then states the bed"),
    ROW_NUMBER_OR("bed_length", SceneTruck, bed_length, 2, 10, 1, 0,
                  "m: of the bed's inside; of a truck without a file"),
    ROW_NUMBER_OR("bed_width", SceneTruck, bed_width, 1.5, 5, 1, 0,
                  "m: of the bed's inside; of a truck without a file"),
    ROW_NUMBER_OR("bed_height", SceneTruck, bed_height, 0.3, 3, 1, 0,
                  "m: of the side walls above the bed's floor; of a truck without a file"),
    ROW_NUMBER_OR("floor_height", SceneTruck, floor_height, 0.5, 3, 1, 0,
                  "m: of the bed's floor above the ground; of a truck without a file"),
    ROW_NUMBER("target_mass", SceneTruck, target_mass, 100, 1000000, 1,
               "kg: that is to be loaded, of all loads together"),
    ROW_NUMBER("dig_x", SceneTruck, dig_x, -100, 100, 1, "m: where the soil is to be taken, to the east"),
    ROW_NUMBER("dig_y", SceneTruck, dig_y, -100, 100, 1, "m: where the soil is to be taken, to the north"),
    ROW_END,
};

static const KeyChoice exercises[] = {
    {"free", EXERCISE_FREE},
    {"trench", EXERCISE_TRENCH},
    {"truck-loading", EXERCISE_TRUCK_LOADING},
    {"tasks", EXERCISE_TASKS},
    {NULL, 0},
};

static const DataKey exercise_keys[] = {
    ROW_CHOICE("kind", SceneExercise, kind, exercises,
               "what is to be done, which says what the parts of the exercise are"),
    ROW_NUMBER("time_limit", SceneExercise, time_limit, 10, 36000, 1, "s: after which the attempt ends"),
    ROW_NUMBER("par_time", SceneExercise, par_time, 1, 36000, 1, "s: that a good operator takes"),
    ROW_MAPPING_OPTIONAL("trench", SceneExercise, trench, trench_keys,
                         "the trench to be dug and where its soil goes; of the kind trench"),
    ROW_MAPPING_OPTIONAL("truck", SceneExercise, truck, truck_keys,
                         "the truck to be loaded and where the soil is taken; of the kind truck-loading"),
    ROW_MAPPING_OPTIONAL("haul", SceneExercise, haul, scene_haul_keys,
                         "trucks that drive away with their loads and come back"),
    ROW_MAPPING_OPTIONAL("surface", SceneExercise, surface, scene_surface_keys, "the ground as it is to become"),
    ROW_MAPPING_OPTIONAL("rip", SceneExercise, rip, scene_rip_keys, "hard ground that a dozer's ripper is to break"),
    ROW_LIST_OPTIONAL("rules", SceneExercise, rules, rules_count, 0, SCENE_MAX_RULES, &scene_rules_item,
                      "what incidents cost"),
    ROW_NUMBER_OR("pass_mark", SceneExercise, pass_mark, 0, 100, 1, 70, "points: from which the attempt is passed"),
    ROW_LIST_OPTIONAL("scores", SceneExercise, scores, scores_count, 0, SCENE_MAX_SCORES, &scene_score_item,
                      "rows of the score; their weights sum to 100"),
    ROW_LIST_OPTIONAL("steps", SceneExercise, steps, steps_count, 0, SCENE_MAX_STEPS, &scene_step_item,
                      "what is to be done, in order, each ticked off by a figure"),
    ROW_LIST_OPTIONAL("targets", SceneExercise, targets, targets_count, 0, SCENE_MAX_TARGETS, &scene_target_item,
                      "places that are to be reached, in order"),
    ROW_LIST_OPTIONAL("questions", SceneExercise, questions, questions_count, 0, SCENE_MAX_QUESTIONS,
                      &scene_question_item, "asked before the work, while the levers are locked"),
    ROW_TEXT_LINES_OPTIONAL("goal", SceneExercise, goal,
                            "what is learnt, and why; in place of the description on the page before the exercise"),
    ROW_LIST_OPTIONAL("hints", SceneExercise, hints, hints_count, 0, SCENE_MAX_HINTS, &scene_hint_item,
                      "advice that is shown before the work"),
    ROW_LIST_OPTIONAL("faults", SceneExercise, faults, faults_count, 0, SCENE_MAX_FAULTS, &scene_fault_item,
                      "usual mistakes, and what to do about them, told after the attempt"),
    ROW_TEXT_OPTIONAL("expert", SceneExercise, expert, "who shows it: auto, or the name of an expert run's file"),
    ROW_TEXT_OPTIONAL("expose", SceneExercise, expose,
                      "words in the names of the pipes and boxes that are to be dug free"),
    ROW_LIST_OPTIONAL("loads", SceneExercise, loads, loads_count, 0, SCENE_MAX_LOADS, &scene_loads_item,
                      "pipes that are to be lifted with a sling"),
    ROW_NUMBER_OR("oversize", SceneExercise, oversize, 0.2, 1.5, 1, 0,
                  "m: rocks larger than this, as a sphere of their volume, are to be broken"),
    ROW_TEXT_OPTIONAL("picture", SceneExercise, picture, "name of a picture's file, shown with the exercise"),
    ROW_END,
};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", SceneParams, title, "shown in menus and lists"),
    ROW_TEXT_LINES("description", SceneParams, description, "what the operator is to do, in one or two sentences"),
    ROW_TEXT_OPTIONAL("language", SceneParams, language,
                      "that title and texts are written in, as a tag (de, pt-BR), for learning platforms"),
    ROW_SEED("seed", SceneParams, seed, "where all chance of the scene starts: unevenness, grains, rocks"),
    ROW_MAPPING_OPTIONAL("rates", SceneParams, rates, rates_keys, "how finely time is cut"),
    ROW_MAPPING("machine", SceneParams, machine, machine_keys, "the machine and where it starts"),
    ROW_MAPPING("ground", SceneParams, ground, ground_keys, "the site and what it is made of"),
    ROW_MAPPING_OPTIONAL("particles", SceneParams, particles, particles_keys, "how moving soil is computed"),
    ROW_MAPPING("exercise", SceneParams, exercise, exercise_keys, "what is to be done, and how it is judged"),
    ROW_MAPPING_OPTIONAL("weather", SceneParams, weather, weather_keys,
                         "time of day and weather, which are seen and change nothing else"),
    ROW_LIST_OPTIONAL("grains", SceneParams, grains, grains_count, 0, SCENE_MAX_GRAINS, &grains,
                      "volumes that are full of loose grains at the start"),
    ROW_LIST_OPTIONAL("rocks", SceneParams, rocks, rocks_count, 0, SCENE_MAX_ROCK_GROUPS, &scene_rocks_item,
                      "boulders that lie on the site at the start"),
    ROW_LIST_OPTIONAL("fixtures", SceneParams, fixtures, fixtures_count, 0, SCENE_MAX_FIXTURES, &scene_fixtures_item,
                      "walls, posts, pipes and other things that stand for good"),
    ROW_LIST_OPTIONAL("persons", SceneParams, persons, persons_count, 0, SCENE_MAX_PERSONS, &scene_persons_item,
                      "people on the site, whom the machine must keep away from"),
    ROW_END,
};

static bool check_ground(Document *document, const SceneParams *params, Status *status)
{
    const SceneGround *ground = &params->ground;
    double columns = ceil(ground->size_x / ground->column_spacing) * ceil(ground->size_y / ground->column_spacing);
    if (columns > max_columns) {
        return document_fail_at(document, "ground.column_spacing", status,
                                "%.6g makes %.0f columns of this site, allowed at most %.0f", ground->column_spacing,
                                columns, max_columns);
    }
    const SceneRates *rates = &params->rates;
    if (rates->tick_rate * rates->substeps < least_substep_rate) {
        return document_fail_at(document, "rates.substeps", status,
                                "%d x %d ticks a second are too few for a stable machine, allowed at least %d substeps "
                                "a second",
                                rates->substeps, rates->tick_rate, least_substep_rate);
    }
    double radius = ground->column_spacing / (2.0 * params->particles.per_column_side);
    if (radius < min_radius) {
        return document_fail_at(document, "particles.per_column_side", status,
                                "%d makes particles of radius %.4g m with this column_spacing, allowed at least %.4g m",
                                params->particles.per_column_side, radius, min_radius);
    }
    for (int i = 0; i < ground->layer_count - 1; ++i) {
        DocumentPath path = document_path("ground.layers.%d.thickness", i);
        if (!document_find(document, path.text)) {
            return document_fail_at(document, path.text, status,
                                    "the key is missing (only the last layer may lack it)");
        }
    }
    double above = ground->roughness;
    for (int i = 0; i < ground->layer_count - 1; ++i) {
        above += ground->layers[i].thickness;
    }
    if (above > ground->bedrock_depth) {
        return document_fail_at(document, "ground.bedrock_depth", status,
                                "%.6g is less than the layers above the last one and the roughness together, %.6g m",
                                ground->bedrock_depth, above);
    }
    if (!scene_check_patches(document, ground, status) || !scene_check_earthworks(document, ground, status)) {
        return false;
    }
    for (int i = 0; i < ground->mound_count; ++i) {
        if (!scene_check_place(document, ground, document_path("ground.mounds.%d.x", i).text, ground->mounds[i].x,
                               document_path("ground.mounds.%d.y", i).text, ground->mounds[i].y, status)) {
            return false;
        }
    }
    return scene_check_place(document, ground, "machine.x", params->machine.x, "machine.y", params->machine.y, status);
}

static bool check_trench(Document *document, const SceneParams *params, Status *status)
{
    const SceneTrench *trench = &params->exercise.trench;
    if (trench->depth >= params->ground.bedrock_depth) {
        return document_fail_at(document, "exercise.trench.depth", status,
                                "%.6g reaches bedrock, allowed less than ground.bedrock_depth (%.6g)", trench->depth,
                                params->ground.bedrock_depth);
    }
    return scene_check_rectangle(document, &params->ground, "exercise.trench", (double[]){trench->x, trench->y},
                                 trench->heading, (double[]){0.0, trench->length}, 0.5 * trench->width, status) &&
           scene_check_place(document, &params->ground, "exercise.trench.dump_x", trench->dump_x,
                             "exercise.trench.dump_y", trench->dump_y, status);
}

static bool check_truck(Document *document, const SceneParams *params, Status *status)
{
    const SceneTruck *truck = &params->exercise.truck;
    double half = 0.5 * truck->bed_length;
    return scene_check_truck(document, truck, status) &&
           scene_check_rectangle(document, &params->ground, "exercise.truck", (double[]){truck->x, truck->y},
                                 truck->heading, (double[]){-half, half}, 0.5 * truck->bed_width, status) &&
           scene_check_place(document, &params->ground, "exercise.truck.dig_x", truck->dig_x, "exercise.truck.dig_y",
                             truck->dig_y, status);
}

/// A part that belongs to one exercise kind: there when it is needed, absent when it would mean nothing.
static bool check_part(Document *document, const char *path, bool wanted, Status *status)
{
    bool there = document_find(document, path) != NULL;
    if (there == wanted) {
        return true;
    }
    return document_fail_at(document, path, status,
                            wanted ? "the key is missing: this exercise kind needs it"
                                   : "does not belong to this exercise kind");
}

static bool check_grains(Document *document, const SceneParams *params, int index, Status *status)
{
    const SceneGrains *volume = &params->grains[index];
    DocumentPath obj_path = document_path("grains.%d.obj", index), box_path = document_path("grains.%d.box", index);
    bool obj = document_find(document, obj_path.text) != NULL, box = document_find(document, box_path.text) != NULL;
    if (obj == box || (obj && volume->obj[0] == '\0')) {
        return document_fail_at(document, obj ? obj_path.text : box_path.text, status,
                                "either obj or box is needed, one of them");
    }
    double most = params->ground.column_spacing / (2.0 * params->particles.per_column_side);
    if (volume->radius > most) {
        return document_fail_at(document, document_path("grains.%d.radius", index).text, status,
                                "%.6g is more than the scene's particles have, allowed %.4g to %.4g m "
                                "(ground.column_spacing / 2 / particles.per_column_side)",
                                volume->radius, min_radius, most);
    }
    return scene_check_place(document, &params->ground, document_path("grains.%d.x", index).text, volume->x,
                             document_path("grains.%d.y", index).text, volume->y, status);
}

static bool check_scene(Document *document, const void *data, Status *status)
{
    const SceneParams *params = data;
    const SceneExercise *exercise = &params->exercise;
    bool trench = exercise->kind == EXERCISE_TRENCH, truck = exercise->kind == EXERCISE_TRUCK_LOADING;
    if (!document_check_language(document, "language", params->language, status) ||
        !check_ground(document, params, status) || !check_part(document, "exercise.trench", trench, status) ||
        !check_part(document, "exercise.truck", truck, status)) {
        return false;
    }
    if (!truck && document_find(document, "exercise.haul") != NULL) {
        return check_part(document, "exercise.haul", false, status);
    }
    if (exercise->par_time > exercise->time_limit &&
        !document_fail_at(document, "exercise.par_time", status, "read %.6g, allowed up to the time_limit (%.6g)",
                          exercise->par_time, exercise->time_limit)) {
        return false;
    }
    for (int i = 0; i < params->grains_count; ++i) {
        if (!check_grains(document, params, i, status)) {
            return false;
        }
    }
    return scene_check_rocks(document, params, status) && scene_check_fixtures(document, params, status) &&
           scene_check_persons(document, params, status) && scene_check_loads(document, params, status) &&
           scene_check_rules(document, exercise, status) && (!trench || check_trench(document, params, status)) &&
           (!truck || check_truck(document, params, status)) && scene_check_exercise(document, params, status);
}

const DataSchema data_scene_schema = {.kind = "scene",
                                      .folder = "scenes",
                                      .users_too = true,
                                      .keys = keys,
                                      .size = sizeof(SceneParams),
                                      .name_size = KEY_SIZE(SceneParams, name),
                                      .check = check_scene,
                                      .check_text = scene_check_weights,
                                      .rules_go_on = true};

/// ---- texts ---------------------------------------------------------------------------------------------------------

typedef struct TextWalk {
    SceneTextVisitor *visit;
    void *context;
} TextWalk;

static void visit_text(const TextWalk *walk, const char *key, char *text, size_t size)
{
    if (text[0] != '\0') {
        walk->visit(walk->context, key, text, size);
    }
}

/// The same of an item of a list; `part` is "" for items that are texts themselves.
static void visit_item_text(const TextWalk *walk, const char *list, int index, const char *part, char *text,
                            size_t size)
{
    char key[96];
    snprintf(key, sizeof key, "exercise.%s.%d%s", list, index, part);
    visit_text(walk, key, text, size);
}

static void visit_question(const TextWalk *walk, SceneQuestion *question, int index)
{
    visit_item_text(walk, "questions", index, ".text", question->text, sizeof question->text);
    for (int n = 0; n < question->answers_count; n++) {
        char part[32];
        snprintf(part, sizeof part, ".answers.%d", n);
        visit_item_text(walk, "questions", index, part, question->answers[n], sizeof question->answers[n]);
    }
    visit_item_text(walk, "questions", index, ".why", question->why, sizeof question->why);
}

void scene_visit_texts(SceneParams *scene, SceneTextVisitor *visit, void *context)
{
    const TextWalk walk = {visit, context};
    SceneExercise *exercise = &scene->exercise;
    visit_text(&walk, "title", scene->title, sizeof scene->title);
    visit_text(&walk, "description", scene->description, sizeof scene->description);
    visit_text(&walk, "exercise.goal", exercise->goal, sizeof exercise->goal);
    for (int k = 0; k < exercise->steps_count; k++) {
        visit_item_text(&walk, "steps", k, ".text", exercise->steps[k].text, sizeof exercise->steps[k].text);
    }
    for (int k = 0; k < exercise->hints_count; k++) {
        visit_item_text(&walk, "hints", k, "", exercise->hints[k], sizeof exercise->hints[k]);
    }
    for (int k = 0; k < exercise->faults_count; k++) {
        visit_item_text(&walk, "faults", k, ".text", exercise->faults[k].text, sizeof exercise->faults[k].text);
    }
    for (int k = 0; k < exercise->questions_count; k++) {
        visit_question(&walk, &exercise->questions[k], k);
    }
    for (int k = 0; k < exercise->scores_count; k++) {
        visit_item_text(&walk, "scores", k, ".label", exercise->scores[k].label, sizeof exercise->scores[k].label);
    }
}
