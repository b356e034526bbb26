/// What stands, lies or drives on the site of a scene: keys and rules of fixtures, rocks, loads, persons, trucks and
/// hauls, and of what incidents cost.
#include "data/schema/scene_check.h"

#include <math.h>
#include <stdio.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/schema/scene_site.h"
#include "data/schema/truck_way.h"

/// ---- fixtures ------------------------------------------------------------------------------------------------------

/// Of a column's side: so far at most is the next column's middle from a pipe's axis, whichever way that runs.
static const double least_radius = 0.75;

static const KeyChoice fixture_shapes[] = {
    {"box", SCENE_FIXTURE_BOX}, {"post", SCENE_FIXTURE_POST}, {"pipe", SCENE_FIXTURE_PIPE}, {NULL, 0}};

static const KeyChoice media[] = {
    {"water", SCENE_MEDIUM_WATER}, {"gas", SCENE_MEDIUM_GAS}, {"cable", SCENE_MEDIUM_CABLE}, {NULL, 0}};

static const DataKey utility_keys[] = {
    ROW_CHOICE("medium", SceneUtility, medium, media, "what runs through the pipe"),
    ROW_NUMBER_OR("wall_mm", SceneUtility, wall, 1, 100, UNIT_MM, 0, "mm: its wall; left out: 1/17 of the diameter"),
    ROW_NUMBER_OR("strength_mpa", SceneUtility, strength, 5, 1000, 1e6, 25,
                  "MPa: tensile strength of the wall: polyethylene 25, steel 450"),
    ROW_NUMBER_OR("limit_kj", SceneUtility, limit, 0.01, 1000, 1e3, 0,
                  "kJ: a blow that breaks it; left out: by its wall and strength"),
    ROW_NUMBER_OR("pressure_kpa", SceneUtility, pressure, 10, 2000, 1e3, 400, "kPa: of water in it"),
    ROW_NUMBER_OR("hole_mm", SceneUtility, hole, 5, 500, UNIT_MM, 50, "mm: diameter of the hole that water leaves by"),
    ROW_NUMBER_OR("leak_time", SceneUtility, leak_time, 1, 600, 1, 30,
                  "s: of leaking, after which the attempt is over"),
    ROW_END,
};

static const DataKey fixture_keys[] = {
    ROW_TEXT("name", SceneFixture, name, "name that is shown to people"),
    ROW_CHOICE_OPTIONAL("shape", SceneFixture, shape, fixture_shapes,
                        "what it is: a box, a round post or a level pipe"),
    ROW_NUMBER("x", SceneFixture, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", SceneFixture, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneFixture, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its length points, from east to north"),
    ROW_NUMBER_OR("length", SceneFixture, length, 0.05, 50, 1, 0, "m: along its heading; of a box and a pipe"),
    ROW_NUMBER_OR("width", SceneFixture, width, 0.05, 50, 1, 0, "m: across its heading; of a box"),
    ROW_NUMBER_OR("radius", SceneFixture, radius, 0.02, 5, 1, 0, "m: of a post and a pipe"),
    ROW_NUMBER_OR("z", SceneFixture, z, -5, 30, 1, 0,
                  "m: height of a pipe's axis over the level of the site; below 0 it is buried"),
    ROW_NUMBER_OR("bottom", SceneFixture, bottom, -5, 30, 1, -0.5,
                  "m: height of its lower side over the level of the site; of a box and a post"),
    ROW_NUMBER_OR("top", SceneFixture, top, -5, 30, 1, 0,
                  "m: height of its upper side over the level of the site; of a box and a post"),
    ROW_MAPPING_OPTIONAL("utility", SceneFixture, utility, utility_keys,
                         "what runs through it, and what breaks it; of a pipe"),
    ROW_TUPLE_OPTIONAL("damage_kj", SceneFixture, damage, double, DAMAGE_CLASSES, 0.001, 1e5, 1e3,
                       "kJ: blows that scratch it, crack or bend it, and push it over; left out: by its measures"),
    ROW_END,
};
const DataKey scene_fixtures_item = ROW_ITEM(SceneFixture, fixture_keys);

/// Keys of measures: which a shape needs (2), may have (1) and may not have (0).
static const struct {
    const char *key;
    int use[3]; ///< by SceneFixtureShape
} measures[] = {
    {"length", {2, 0, 2}}, {"width", {2, 0, 0}}, {"radius", {0, 2, 2}},
    {"z", {0, 0, 2}},      {"top", {2, 2, 0}},   {"bottom", {1, 1, 0}},
};

static const char *const descriptions[] = {"a box has a length and a width, and a top", "a post has a radius and a top",
                                           "a pipe has a length, a radius and the z of its axis"};

/// Keys that a shape needs are there, and those that mean nothing to it are not.
static bool check_sizes(Document *document, const SceneFixture *fixture, int index, Status *status)
{
    for (size_t k = 0; k < sizeof measures / sizeof measures[0]; k++) {
        DocumentPath path = document_path("fixtures.%d.%s", index, measures[k].key);
        bool there = document_find(document, path.text) != NULL;
        int use = measures[k].use[fixture->shape];
        if (there ? use == 0 : use == 2) {
            return document_fail_at(document, path.text, status, "%s: %s",
                                    there ? "the key does not belong here" : "the key is missing",
                                    descriptions[fixture->shape]);
        }
    }
    return true;
}

/// The lower side of a thing in the ground is above bedrock, and its upper side above its lower one.
static bool check_heights(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneFixture *fixture = &scene->fixtures[index];
    if (fixture->shape != SCENE_FIXTURE_PIPE) {
        return fixture->bottom < fixture->top ||
               document_fail_at(document, document_path("fixtures.%d.top", index).text, status,
                                "read %.6g, allowed more than bottom (%.6g)", fixture->top, fixture->bottom);
    }
    double least = least_radius * scene->ground.column_spacing;
    if (fixture->radius < least) {
        return document_fail_at(document, document_path("fixtures.%d.radius", index).text, status,
                                "read %.6g, allowed for a pipe at least %.6g: three quarters of ground.column_spacing",
                                fixture->radius, least);
    }
    double deepest = fixture->radius - scene->ground.bedrock_depth;
    return fixture->z >= deepest ||
           document_fail_at(document, document_path("fixtures.%d.z", index).text, status,
                            "read %.6g, allowed at least %.6g: the pipe reaches bedrock (ground.bedrock_depth %.6g)",
                            fixture->z, deepest, scene->ground.bedrock_depth);
}

/// Only a pipe carries anything, with a wall that leaves a bore; limits of damage ascend.
static bool check_strength(Document *document, const SceneFixture *fixture, int index, Status *status)
{
    if (fixture->utility.medium != SCENE_MEDIUM_NONE && fixture->shape != SCENE_FIXTURE_PIPE) {
        return document_fail_at(document, document_path("fixtures.%d.utility", index).text, status,
                                "the key does not belong here, allowed with shape: pipe alone");
    }
    if (fixture->utility.wall >= fixture->radius && fixture->utility.wall > 0.0) {
        return document_fail_at(document, document_path("fixtures.%d.utility.wall_mm", index).text, status,
                                "read %.6g, allowed less than the radius (%.6g mm)", fixture->utility.wall / UNIT_MM,
                                fixture->radius / UNIT_MM);
    }
    for (int k = 1; k < DAMAGE_CLASSES; k++) {
        if (fixture->damage[k] < fixture->damage[k - 1]) {
            return document_fail_at(document, document_path("fixtures.%d.damage_kj", index).text, status,
                                    "read %.6g after %.6g, allowed energies that do not fall",
                                    1e-3 * fixture->damage[k], 1e-3 * fixture->damage[k - 1]);
        }
    }
    return true;
}

/// What is to be dug free is there.
static bool check_expose(Document *document, const SceneParams *scene, Status *status)
{
    const char *words = scene->exercise.expose;
    bool found = words[0] == '\0';
    for (int i = 0; i < scene->fixtures_count && !found; i++) {
        found = scene_is_to_expose(&scene->exercise, &scene->fixtures[i]);
    }
    return found || document_fail_at(document, "exercise.expose", status,
                                     "read %s, allowed words in the name of a fixture that is a pipe or a box", words);
}

bool scene_check_fixtures(Document *document, const SceneParams *scene, Status *status)
{
    for (int i = 0; i < scene->fixtures_count; i++) {
        const SceneFixture *fixture = &scene->fixtures[i];
        double along = fixture->shape == SCENE_FIXTURE_POST ? fixture->radius : 0.5 * fixture->length;
        double across = fixture->shape == SCENE_FIXTURE_BOX ? 0.5 * fixture->width : fixture->radius;
        if (!check_sizes(document, fixture, i, status) ||
            !scene_check_rectangle(document, &scene->ground, document_path("fixtures.%d", i).text,
                                   (double[]){fixture->x, fixture->y}, fixture->heading, (double[]){-along, along},
                                   across, status) ||
            !check_heights(document, scene, i, status) || !check_strength(document, fixture, i, status)) {
            return false;
        }
    }
    return check_expose(document, scene, status);
}

void scene_complete_fixtures(SceneParams *scene)
{
    for (int i = 0; i < scene->fixtures_count; i++) {
        SceneFixture *fixture = &scene->fixtures[i];
        if (fixture->shape == SCENE_FIXTURE_PIPE) {
            fixture->bottom = fixture->z - fixture->radius;
            fixture->top = fixture->z + fixture->radius;
        }
    }
}

/// ---- rocks ---------------------------------------------------------------------------------------------------------

static const KeyChoice rock_shapes[] = {
    {"angular", SCENE_ROCK_ANGULAR}, {"rounded", SCENE_ROCK_ROUNDED}, {"slab", SCENE_ROCK_SLAB}, {NULL, 0}};

static const DataKey rocks_keys[] = {
    ROW_NUMBER("x", SceneRocks, x, -100, 100, 1, "m: where the rock lies, or the middle of the heap, to the east"),
    ROW_NUMBER("y", SceneRocks, y, -100, 100, 1, "m: where the rock lies, or the middle of the heap, to the north"),
    ROW_NUMBER_OR("z", SceneRocks, z, -1, 20, 1, 0,
                  "m: height of its lowest point over the ground at the start; below 0 it is buried, above 0 it falls"),
    ROW_NUMBER("size", SceneRocks, size, 0.2, 1.5, 1, "m: diameter of a sphere of the same volume"),
    ROW_NUMBER_OR("largest", SceneRocks, largest, 0.2, 1.5, 1, 0,
                  "m: sizes run evenly from size to this; left out: all are of one size"),
    ROW_CHOICE_OPTIONAL("shape", SceneRocks, shape, rock_shapes, "shape of the rocks"),
    ROW_INTEGER_OR("count", SceneRocks, count, 1, SCENE_MAX_ROCKS, 1,
                   "how many there are; several are dropped as a heap"),
    ROW_NUMBER_OR("spread", SceneRocks, spread, 0, 20, 1, 0, "m: radius of the circle that a heap is dropped in"),
    ROW_NUMBER_OR("density", SceneRocks, density, 1500, 4000, 1, 2600, "kg/m3: of the rock"),
    ROW_NUMBER_OR("work_index", SceneRocks, work_index, 5, 30, UNIT_BOND, 15, "kWh/t: Bond work index of the rock"),
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
    const struct SceneRockPlace *place = &scene->exercise.rock_place;
    const char *key = scene->exercise.oversize > 0.0 ? "exercise.oversize" : "exercise.rock_place";
    bool asked = scene->exercise.oversize > 0.0 || place->radius > 0.0;
    if (asked && total == 0) {
        return document_fail_at(document, key, status, "the scene has no rocks, allowed where there are some");
    }
    return place->radius <= 0.0 || scene_check_place(document, &scene->ground, "exercise.rock_place.x", place->x,
                                                     "exercise.rock_place.y", place->y, status);
}

const DataKey scene_rock_place_keys[] = {
    ROW_NUMBER("x", struct SceneRockPlace, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", struct SceneRockPlace, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER("radius", struct SceneRockPlace, radius, 0.3, 20, 1, "m: a rock whose middle is nearer lies there"),
    ROW_END,
};

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

/// ---- loads to be lifted --------------------------------------------------------------------------------------------

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
    ROW_TEXT("name", SceneLoad, name, "name that is shown to people: pipe"),
    ROW_NUMBER_OR("mass", SceneLoad, pipe.mass, 20, 10000, 1, 0, "kg: of a pipe or a trench box"),
    ROW_NUMBER("length", SceneLoad, pipe.length, 0.5, 15, 1, "m: of the load"),
    ROW_NUMBER_OR("radius", SceneLoad, pipe.radius, 0.05, 1.5, 1, 0, "m: of a pipe or a log, outside"),
    ROW_NUMBER_OR("wall", SceneLoad, pipe.wall, 0.002, 1.5, 1, 0,
                  "m: thickness of a pipe's wall, or of a trench box's plates"),
    ROW_NUMBER_OR("width", SceneLoad, pipe.width, 0.5, 5, 1, 0, "m: of a trench box, outside; nothing else has one"),
    ROW_NUMBER_OR("height", SceneLoad, pipe.height, 0.5, 6, 1, 0, "m: of a trench box; nothing else has one"),
    ROW_NUMBER_OR("rating_kpa", SceneLoad, pipe.rating, 1, 500, UNIT_KPA, 0,
                  "kPa: pressure of the soil that a trench box bears"),
    ROW_NUMBER_OR("density", SceneLoad, pipe.density, 300, 1300, 1, 0,
                  "kg/m3: of a log's wood, in place of mass and wall; fresh wood has 700 to 1000"),
    ROW_NUMBER_OR("friction", SceneLoad, pipe.friction, 0.05, 1.2, 1, 0,
                  "ratio: of friction to pressure, of steel on it; left out: 0.4 of a pipe, 0.5 of a log"),
    ROW_NUMBER_OR("sling", SceneLoad, pipe.sling, 0.3, 10, 1, 0,
                  "m: length of each leg of the sling; left out: it has none, and a grab lifts it"),
    ROW_NUMBER_OR("spread", SceneLoad, pipe.spread, 0, 15, 1, 0,
                  "m: along the load between two legs; 0: one leg in the middle"),
    ROW_NUMBER("x", SceneLoad, x, -100, 100, 1, "m: its middle at the start, to the east"),
    ROW_NUMBER("y", SceneLoad, y, -100, 100, 1, "m: its middle at the start, to the north"),
    ROW_NUMBER("heading_deg", SceneLoad, heading, -360, 360, UNIT_DEG,
               "deg: of the pipe's axis at the start, from east to north"),
    ROW_CHOICE_OPTIONAL("hooked", SceneLoad, hooked, truths, "yes: its sling hangs in the lifting eye at the start"),
    ROW_NUMBER_OR("tag_lines", SceneLoad, tag_lines, 0, 500, 1, 0,
                  "N: force of tag lines at both ends, which turn it to its place's heading while it hangs; 0: none"),
    ROW_MAPPING_OPTIONAL("place", SceneLoad, place, place_keys, "where it is to lie"),
    ROW_END,
};
const DataKey scene_loads_item = ROW_ITEM(SceneLoad, load_keys);

static const double pipe_friction = 0.4; ///< painted steel on steel: handbooks give 0.3 to 0.5
static const double log_friction = 0.5; ///< steel on wood with its bark: handbooks give 0.2 (wet) to 0.6

void scene_complete_loads(void *params)
{
    SceneParams *scene = params;
    for (int k = 0; k < scene->exercise.loads_count; k++) {
        HungLoadParams *load = &scene->exercise.loads[k].pipe;
        bool log = load->density > 0.0;
        load->friction = load->friction > 0.0 ? load->friction : log ? log_friction : pipe_friction;
        if (log) {
            load->mass = load->density * M_PI * load->radius * load->radius * load->length;
            load->wall = load->radius;
        }
    }
}

/// A pipe has a mass and a wall, a log a density.
static bool check_kind(Document *document, const HungLoadParams *load, int index, Status *status)
{
    bool log = load->density > 0.0;
    static const char *const keys[] = {"mass", "wall"};
    for (int k = 0; k < 2; k++) {
        char path[DOCUMENT_PATH_LENGTH];
        snprintf(path, sizeof path, "exercise.loads.%d.%s", index, keys[k]);
        if ((document_find(document, path) != NULL) == log) {
            return document_fail_at(document, path, status,
                                    log ? "a log has a density in its place" : "the key is missing");
        }
    }
    const double least = 20.0, most = 10000.0; // kg
    return !log || (load->mass >= least && load->mass <= most) ||
           document_fail_at(document, document_path("exercise.loads.%d.density", index).text, status,
                            "read %.6g: the log weighs %.4g kg, allowed %.4g to %.4g kg", load->density, load->mass,
                            least, most);
}

/// What hangs at the start, or has legs or tag lines, has a sling.
static bool check_sling_is_there(Document *document, const SceneLoad *load, int index, Status *status)
{
    bool needed = load->hooked || load->tag_lines > 0.0 || load->pipe.spread > 0.0;
    return load->pipe.sling > 0.0 || !needed ||
           document_fail_at(document, document_path("exercise.loads.%d.sling", index).text, status,
                            "the key is missing: hooked, spread and tag_lines need it");
}

/// A pipe or a log has a radius; a box has width, height and a rating, plates that leave room between them, and struts
/// that weigh as much as the plates at most.
static bool check_shape(Document *document, const HungLoadParams *load, int index, Status *status)
{
    bool box = load->width > 0.0 || load->height > 0.0 || load->rating > 0.0;
    if (!box && load->radius <= 0.0) {
        return document_fail_at(
            document, document_path("exercise.loads.%d", index).text, status,
            "read neither radius nor width, allowed radius of a pipe or a log, or width, height and "
            "rating_kpa of a trench box");
    }
    if (box && (load->radius > 0.0 || load->width <= 0.0 || load->height <= 0.0 || load->rating <= 0.0)) {
        return document_fail_at(document, document_path("exercise.loads.%d", index).text, status,
                                "read some keys of a trench box, allowed width, height and rating_kpa together, and no "
                                "radius");
    }
    if (box && load->wall > 0.25 * load->width) {
        return document_fail_at(document, document_path("exercise.loads.%d.wall", index).text, status,
                                "read %.6g, allowed up to a quarter of width (%.6g)", load->wall, 0.25 * load->width);
    }
    double most = 4.0 * steel_density * load->length * load->height * load->wall;
    return !box || load->mass <= most ||
           document_fail_at(document, document_path("exercise.loads.%d.mass", index).text, status,
                            "read %.6g, allowed up to %.4g kg: twice what two steel plates of these measures weigh",
                            load->mass, most);
}

/// A pipe is hollow, and no heavier than steel.
static bool check_mass(Document *document, const HungLoadParams *pipe, int index, Status *status)
{
    if (!check_kind(document, pipe, index, status) || !check_shape(document, pipe, index, status)) {
        return false;
    }
    if (pipe->density > 0.0 || pipe->height > 0.0) {
        return true;
    }
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
                            "read %.6g, allowed up to %.4g m: on the load, and 120 degrees between legs of %.4g m",
                            pipe->spread, most, pipe->sling);
}

static bool check_places(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneLoad *load = &scene->exercise.loads[index];
    double half = 0.5 * load->pipe.length;
    const struct SceneLoadPlace *place = &load->place;
    return scene_check_rectangle(document, &scene->ground, document_path("exercise.loads.%d", index).text,
                                 (double[]){load->x, load->y}, load->heading, (double[]){-half, half},
                                 hung_load_half_width(&load->pipe), status) &&
           (place->within <= 0.0 ||
            scene_check_rectangle(document, &scene->ground, document_path("exercise.loads.%d.place", index).text,
                                  (double[]){place->x, place->y}, place->heading, (double[]){-half, half},
                                  hung_load_half_width(&load->pipe), status));
}

bool scene_check_loads(Document *document, const SceneParams *scene, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    if (exercise->loads_count > 0 && exercise->kind == EXERCISE_TRUCK_LOADING) {
        return document_fail_at(document, "exercise.loads", status, "does not belong to this exercise kind");
    }
    for (int i = 0; i < exercise->loads_count; i++) {
        const SceneLoad *load = &exercise->loads[i];
        if (!check_mass(document, &load->pipe, i, status) || !check_sling_is_there(document, load, i, status) ||
            !check_sling(document, &load->pipe, i, status) || !check_places(document, scene, i, status)) {
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
        if (!eye && load->pipe.sling > 0.0) {
            return document_fail_at(document, document_path("exercise.loads.%d", i).text, status,
                                    "%s%s%s has no lifting_eye, allowed with a machine and an attachment that have one",
                                    machine->name, machine->attachment[0] != '\0' ? " with " : "", machine->attachment);
        }
        if (load->pipe.sling == 0.0 && machine->jaw_count == 0) {
            return document_fail_at(document, document_path("exercise.loads.%d.sling", i).text, status,
                                    "the key is missing: only a machine with a grab or a thumb lifts without a sling");
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

/// ---- persons -------------------------------------------------------------------------------------------------------

static const DataKey way_point_keys[] = {
    ROW_NUMBER("x", SceneWayPoint, x, -100, 100, 1, "m: to the east"),
    ROW_NUMBER("y", SceneWayPoint, y, -100, 100, 1, "m: to the north"),
    ROW_NUMBER_OR("wait", SceneWayPoint, wait, 0, 600, 1, 0, "s: for which the person stands there"),
    ROW_END,
};
static const DataKey way_point_item = ROW_ITEM(SceneWayPoint, way_point_keys);

/// By name. The score's own points are listed so that an error can say that they are no choice.
const KeyChoice scene_metric_names[] = {
#define X(id, metric, unit, kind, part, phrase) {#metric, METRIC_##id},
    METRICS(X)
#undef X
#define X(id, incident, phrase) {#incident "_count", METRIC_INCIDENT_##id},
        INCIDENTS(X)
#undef X
            {NULL, 0}};

static const DataKey way_when_keys[] = {
    ROW_CHOICE("metric", struct SceneWayWhen, metric, scene_metric_names,
               "the figure that decides when the way begins"),
    ROW_NUMBER("least", struct SceneWayWhen, least, 1e-9, 1e9, 1, "figure: the way begins when it is at least this"),
    ROW_END,
};

static const DataKey way_keys[] = {
    ROW_NUMBER_OR("speed", SceneWay, speed, 0.2, 3, 1, 1.4, "m/s: at which the person walks"),
    ROW_NUMBER_OR("after", SceneWay, after, 0, 36000, 1, 0, "s: from the start, before which the person stands"),
    ROW_MAPPING_OPTIONAL("when", SceneWay, when, way_when_keys,
                         "a figure of the exercise before which the person stands"),
    ROW_CHOICE_OPTIONAL("loop", SceneWay, loop, truths, "yes: back to the start after the last point, and again"),
    ROW_LIST("points", SceneWay, points, points_count, 1, SCENE_MAX_WAY_POINTS, &way_point_item,
             "places of the way, in order, from where the person stands"),
    ROW_END,
};

static const KeyChoice roles[] = {
    {"none", SCENE_ROLE_NONE}, {"banksman", SCENE_ROLE_BANKSMAN}, {"slinger", SCENE_ROLE_SLINGER}, {NULL, 0}};

static const DataKey person_keys[] = {
    ROW_TEXT("name", ScenePerson, name, "name that is shown to people: banksman"),
    ROW_NUMBER("x", ScenePerson, x, -100, 100, 1, "m: where the person stands, to the east"),
    ROW_NUMBER("y", ScenePerson, y, -100, 100, 1, "m: where the person stands, to the north"),
    ROW_NUMBER_OR("radius", ScenePerson, radius, 0.1, 1, 1, 0.25, "m: of the person"),
    ROW_NUMBER_OR("height", ScenePerson, height, 0.5, 2.5, 1, 1.8, "m: of the person"),
    ROW_NUMBER_OR("zone", ScenePerson, zone, 0, 30, 1, 0, "m: radius around the person that must stay clear"),
    ROW_CHOICE_OPTIONAL("role", ScenePerson, role, roles,
                        "what the person does: gives arm signals, or hooks and unhooks loads"),
    ROW_NUMBER_OR("keeps_clear", ScenePerson, keeps_clear, 0, 15, 1, 0,
                  "m: the person steps back from machine and hanging loads that come nearer"),
    ROW_NUMBER_OR("hook_time", ScenePerson, hook_time, 1, 60, 1, 4, "s: that a slinger takes to hook or unhook"),
    ROW_MAPPING_OPTIONAL("path", ScenePerson, path, way_keys, "the way that the person walks"),
    ROW_NUMBER_OR("soil_energy", ScenePerson, soil_energy, 1, 10000, 1, SCENE_SOIL_HURTS,
                  "J: falling soil with more energy than that hurts the person"),
    ROW_END,
};
const DataKey scene_persons_item = ROW_ITEM(ScenePerson, person_keys);

/// Distance in plan, m, from a place to a fixture; 0 inside it.
static double distance_to(const SceneFixture *fixture, double x, double y)
{
    Vec3 points[SCENE_POST_SIDES];
    int corners = scene_fixture_outline(fixture, points);
    bool inside = true;
    double least = HUGE_VAL;
    for (int k = 0; k < corners; k++) {
        const Vec3 *a = &points[k], *b = &points[(k + 1) % corners];
        double ux = b->x - a->x, uy = b->y - a->y, px = x - a->x, py = y - a->y;
        double along = fmin(fmax((px * ux + py * uy) / (ux * ux + uy * uy), 0.0), 1.0);
        least = fmin(least, same_hypot(px - along * ux, py - along * uy));
        inside = inside && ux * py - uy * px >= 0.0;
    }
    return inside ? 0.0 : least;
}

static bool check_fixtures(Document *document, const SceneParams *scene, int index, Status *status)
{
    const ScenePerson *person = &scene->persons[index];
    for (int k = 0; k < scene->fixtures_count; k++) {
        const SceneFixture *fixture = &scene->fixtures[k];
        double distance = distance_to(fixture, person->x, person->y);
        if (distance < person->radius && fixture->bottom < person->height && fixture->top > 0.0) {
            return document_fail_at(document, document_path("persons.%d", index).text, status,
                                    "stands in fixtures.%d (%s): its middle is %.3g m from it, allowed from the radius "
                                    "(%.4g m) on",
                                    k, fixture->name, distance, person->radius);
        }
    }
    return true;
}

/// The points of a way are on the site and in no fixture that a person walks round.
static bool check_way(Document *document, const SceneParams *scene, int index, Status *status)
{
    const SceneWay *path = &scene->persons[index].path;
    for (int k = 0; k < path->points_count; k++) {
        const SceneWayPoint *point = &path->points[k];
        if (!scene_check_place(document, &scene->ground, document_path("persons.%d.path.points.%d.x", index, k).text,
                               point->x, document_path("persons.%d.path.points.%d.y", index, k).text, point->y,
                               status)) {
            return false;
        }
        for (int n = 0; n < scene->fixtures_count; n++) {
            const SceneFixture *fixture = &scene->fixtures[n];
            double distance = distance_to(fixture, point->x, point->y);
            if (distance < SCENE_WALK_CLEAR && fixture->bottom < scene->persons[index].height && fixture->top > 0.0) {
                return document_fail_at(document, document_path("persons.%d.path.points.%d", index, k).text, status,
                                        "%.3g m from fixtures.%d (%s), allowed from %.3g m on: a person goes round it",
                                        distance, n, fixture->name, SCENE_WALK_CLEAR);
            }
        }
    }
    return true;
}

/// One banksman, so that signals do not contradict each other; one slinger, who has a load to hook.
static bool check_role(Document *document, const SceneParams *scene, int index, Status *status)
{
    ScenePersonRole role = scene->persons[index].role;
    for (int k = 0; k < index && role != SCENE_ROLE_NONE; k++) {
        if (scene->persons[k].role == role) {
            return document_fail_at(document, document_path("persons.%d.role", index).text, status,
                                    "persons.%d (%s) has it, allowed for one person", k, scene->persons[k].name);
        }
    }
    bool idle = role == SCENE_ROLE_SLINGER && scene->exercise.loads_count == 0;
    return !idle || document_fail_at(document, document_path("persons.%d.role", index).text, status,
                                     "there is no load to hook, allowed with exercise.loads");
}

bool scene_check_persons(Document *document, const SceneParams *scene, Status *status)
{
    for (int i = 0; i < scene->persons_count; i++) {
        const ScenePerson *person = &scene->persons[i];
        if (!scene_check_place(document, &scene->ground, document_path("persons.%d.x", i).text, person->x,
                               document_path("persons.%d.y", i).text, person->y, status)) {
            return false;
        }
        if (person->height < 2.0 * person->radius) {
            return document_fail_at(document, document_path("persons.%d.height", i).text, status,
                                    "read %.6g, allowed from twice the radius (%.6g) on", person->height,
                                    person->radius);
        }
        if (person->zone > 0.0 && person->zone <= person->radius) {
            return document_fail_at(document, document_path("persons.%d.zone", i).text, status,
                                    "read %.6g, allowed 0 (none) or more than the radius (%.6g)", person->zone,
                                    person->radius);
        }
        if (!check_fixtures(document, scene, i, status) || !check_way(document, scene, i, status) ||
            !check_role(document, scene, i, status)) {
            return false;
        }
    }
    return true;
}

/// ---- rules ---------------------------------------------------------------------------------------------------------

static const KeyChoice incidents[] = {
#define X(kind, name, phrase) {#name, INCIDENT_##kind},
    INCIDENTS(X)
#undef X
        {NULL, 0},
};

static const KeyChoice fails[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const DataKey rule_keys[] = {
    ROW_CHOICE("event", SceneRule, incident, incidents, "the incident"),
    ROW_TEXT_OPTIONAL("thing", SceneRule, thing, "words in the name of the thing that is met; left out: any thing"),
    ROW_NUMBER_OR("energy_kj", SceneRule, energy, 0, 1000, 1e3, 0, "kJ: touches that absorb less energy do not count"),
    ROW_INTEGER_OR("limit", SceneRule, limit, 0, 1000, 0, "number of incidents that cost nothing"),
    ROW_NUMBER_OR("points", SceneRule, points, 0, 100, 1, 0, "points: deducted for each incident beyond the limit"),
    ROW_CHOICE_OPTIONAL("fail", SceneRule, fail, fails, "yes: the first incident beyond the limit ends the attempt"),
    ROW_END,
};
const DataKey scene_rules_item = ROW_ITEM(SceneRule, rule_keys);

/// Incidents of the machine alone meet no thing.
static bool has_thing(Incident incident)
{
    switch (incident) {
    case INCIDENT_TIP_BEGINS:
    case INCIDENT_TIP_ENDS:
    case INCIDENT_TIPPED_OVER:
    case INCIDENT_LIFTED:
    case INCIDENT_FELL_INTO_HOLE:
    case INCIDENT_TRACK_OFF_EDGE:
    case INCIDENT_SITE_LEFT:
    case INCIDENT_WALL_FELL:
        return false;
    default:
        return true;
    }
}

bool scene_check_rules(Document *document, const SceneExercise *exercise, Status *status)
{
    for (int k = 0; k < exercise->rules_count; k++) {
        const SceneRule *rule = &exercise->rules[k];
        if (rule->fail == (rule->points > 0.0)) {
            return document_fail_at(document, document_path("exercise.rules.%d", k).text, status,
                                    "read %s, allowed points above 0 or fail: yes, one of the two",
                                    rule->fail ? "both points and fail" : "neither points nor fail");
        }
        if (rule->energy > 0.0 && rule->incident != INCIDENT_TOUCH) {
            return document_fail_at(document, document_path("exercise.rules.%d.energy_kj", k).text, status,
                                    "read %.6g for %s, allowed above 0 for touch alone", 1e-3 * rule->energy,
                                    incident_names[rule->incident]);
        }
        if (rule->thing[0] != '\0' && !has_thing(rule->incident)) {
            return document_fail_at(document, document_path("exercise.rules.%d.thing", k).text, status,
                                    "read %s for %s, allowed nothing: it is of the machine alone", rule->thing,
                                    incident_names[rule->incident]);
        }
    }
    return true;
}

/// ---- trucks and hauls ----------------------------------------------------------------------------------------------

/// m of a road between two checked places.
#define CHECK_SPACING 0.5

static const DataKey pose_keys[] = {
    ROW_NUMBER("x", ScenePose, x, -100, 100, 1, "m: middle of the bed there, to the east"),
    ROW_NUMBER("y", ScenePose, y, -100, 100, 1, "m: middle of the bed there, to the north"),
    ROW_NUMBER("heading_deg", ScenePose, heading, -360, 360, UNIT_DEG,
               "deg: heading of the truck there, from east to north"),
    ROW_END,
};
static const DataKey pose = ROW_ITEM(ScenePose, pose_keys);

const DataKey scene_haul_keys[] = {
    ROW_INTEGER_OR("trucks", SceneHaul, trucks, 1, SCENE_MAX_TRUCKS, 1, "number of trucks that take turns"),
    ROW_NUMBER_OR("load_mass", SceneHaul, load_mass, 100, 500000, 1, 0,
                  "kg: load with which a driver leaves; 0: the payload"),
    ROW_MAPPING("wait", SceneHaul, wait, pose_keys,
                "where a truck waits; from here it backs to the spot where it is loaded"),
    ROW_MAPPING("turn", SceneHaul, turn, pose_keys, "from here a truck backs to the dump"),
    ROW_MAPPING("dump", SceneHaul, dump, pose_keys, "here a truck tips, over its tail"),
    ROW_NUMBER_OR("dump_radius", SceneHaul, dump_radius, 2, 30, 1, 8,
                  "m: soil within this radius of the dump is not spill"),
    ROW_LIST_OPTIONAL("out", SceneHaul, out, out_count, 0, SCENE_MAX_VIA, &pose,
                      "places that a loaded truck drives through on its way to turn"),
    ROW_LIST_OPTIONAL("back", SceneHaul, back, back_count, 0, SCENE_MAX_VIA, &pose,
                      "places that an empty truck drives through on its way to wait"),
    ROW_END,
};

bool scene_check_truck(Document *document, const SceneTruck *truck, Status *status)
{
    static const char *const stated[] = {"bed_length", "bed_width", "bed_height", "floor_height"};
    bool file = truck->file[0] != '\0';
    for (size_t k = 0; k < sizeof stated / sizeof stated[0]; k++) {
        DocumentPath path = document_path("exercise.truck.%s", stated[k]);
        if ((document_find(document, path.text) != NULL) == file) {
            return document_fail_at(document, path.text, status,
                                    file ? "the truck's file states it, too: one of them is needed"
                                         : "the key is missing (only a truck with a file may lack it)");
        }
    }
    if (!file && document_find(document, "exercise.haul") != NULL) {
        return document_fail_at(document, "exercise.haul", status,
                                "nobody can drive a bed without a truck, allowed with exercise.truck.file");
    }
    return true;
}

void scene_complete_truck(Document *document, SceneParams *scene)
{
    SceneTruck *spot = &scene->exercise.truck;
    SceneHaul *haul = &scene->exercise.haul;
    const TruckParams *truck = &scene->truck;
    spot->bed_length = truck->bed.length;
    spot->bed_width = truck->bed.width;
    spot->bed_height = truck->bed.height;
    spot->floor_height = truck->bed.floor_height;
    spot->tail_height = truck->bed.tail_height;
    if (document_find(document, "exercise.haul") == NULL) {
        *haul = (SceneHaul){.trucks = 0};
    } else if (!(haul->load_mass > 0.0)) {
        haul->load_mass = truck->payload;
    }
}

/// ---- roads ---------------------------------------------------------------------------------------------------------

/// What the roads of a scene are checked against.
typedef struct Site {
    Document *document;
    const SceneParams *scene;
    const MachineParams *machine;
    Status *status;
} Site;

static const char *const road_names[TRUCK_ROAD_COUNT] = {"the road to the dump", "the road back",
                                                         "the way to the spot"};

/// Key that errors of a road name.
static const char *const road_keys[TRUCK_ROAD_COUNT] = {"exercise.haul.dump", "exercise.haul.wait",
                                                        "exercise.haul.wait"};

/// No fixture stands on a road.
static bool check_haul_fixtures(const Site *site, int road, const TruckPlace *place)
{
    for (int k = 0; k < site->scene->fixtures_count; k++) {
        const SceneFixture *fixture = &site->scene->fixtures[k];
        if (scene_fixture_meets_truck(fixture, &site->scene->truck, place)) {
            return document_fail_at(site->document, document_path("fixtures.%d", k).text, site->status,
                                    "%s runs through the %s: a truck at %.4g, %.4g is in it", road_names[road],
                                    fixture->name, place->x, place->y);
        }
    }
    return true;
}

static bool check_on_site(const Site *site, int road, const TruckPlace *place)
{
    const TruckParams *truck = &site->scene->truck;
    const SceneGround *ground = &site->scene->ground;
    double x, y, half = 0.5 * truck->bed.width, c = same_cos(place->heading), s = same_sin(place->heading);
    truck_bed_middle(truck, place, &x, &y);
    for (int corner = 0; corner < 4; corner++) {
        double u = corner < 2 ? truck->front : -0.5 * truck->bed.length, v = corner % 2 ? half : -half;
        double at_x = x + c * u - s * v, at_y = y + s * u + c * v;
        if (!(fabs(at_x) <= 0.5 * ground->size_x && fabs(at_y) <= 0.5 * ground->size_y)) {
            return document_fail_at(site->document, road_keys[road], site->status,
                                    "%s leaves the site of %.6g x %.6g m: a corner of the truck is at %.4g, %.4g "
                                    "(turning radius %.4g m)",
                                    road_names[road], ground->size_x, ground->size_y, at_x, at_y,
                                    truck->drive.turning_radius);
        }
    }
    return true;
}

static bool check_free(const Site *site, int road, const TruckPlace *place)
{
    const TruckParams *truck = &site->scene->truck;
    const SceneMachine *start = &site->scene->machine;
    double away = truck_distance(truck, place, start->x, start->y);
    double room = fmax(site->machine->tail_radius,
                       same_hypot(0.5 * site->machine->tracks.length,
                                  0.5 * (site->machine->tracks.gauge + site->machine->tracks.shoe_width)));
    if (!(away >= room)) {
        return document_fail_at(site->document, road_keys[road], site->status,
                                "%s runs %.3g m beside the machine's middle at %.4g, %.4g, allowed from %.3g m on",
                                road_names[road], away, start->x, start->y, room);
    }
    double surface = scene_surface_change(&site->scene->ground, place->x, place->y, place->heading,
                                          (double[]){0.0, truck->wheelbase}, 0.5 * truck->bed.width);
    if (!(fabs(surface) <= scene_truck_level)) {
        return document_fail_at(site->document, road_keys[road], site->status,
                                "%s runs over earthworks: the ground under a truck at %.4g, %.4g is at %.3g m, allowed "
                                "up to %.3g m beside the level",
                                road_names[road], place->x, place->y, surface, scene_truck_level);
    }
    for (int k = 0; k < site->scene->ground.mound_count; k++) {
        const SceneMound *mound = &site->scene->ground.mounds[k];
        double foot = mound->height / same_tan(site->scene->soils[mound->soil_index].repose_angle);
        away = truck_distance(truck, place, mound->x, mound->y);
        if (!(away >= foot)) {
            return document_fail_at(site->document, road_keys[road], site->status,
                                    "%s runs %.3g m beside the middle of ground.mounds.%d, allowed from %.3g m on "
                                    "(where its slope ends)",
                                    road_names[road], away, k, foot);
        }
    }
    return true;
}

/// No road may need the place where the other truck stands meanwhile.
static bool check_waiting(const Site *site, const TruckRoute *route)
{
    const double room = 0.5; // m
    const TruckParams *truck = &site->scene->truck;
    const SceneHaul *haul = &site->scene->exercise.haul;
    const TruckPlace wait = truck_place_of(truck, &haul->wait);
    const TruckPlace spot = route->roads[TRUCK_ROAD_OUT].pieces[0].start, dump = truck_place_of(truck, &haul->dump);
    const struct {
        TruckRoad road;
        const TruckPlace *standing;
        const char *where;
    } pairs[] = {{TRUCK_ROAD_OUT, &wait, "where the other truck waits"},
                 {TRUCK_ROAD_BACK, &spot, "where the other truck is loaded"},
                 {TRUCK_ROAD_IN, &dump, "where the other truck tips"}};
    for (size_t k = 0; haul->trucks > 1 && k < sizeof pairs / sizeof pairs[0]; k++) {
        const TruckWay *way = &route->roads[pairs[k].road];
        for (double s = 0.0; s < way->length + CHECK_SPACING; s += CHECK_SPACING) {
            TruckPlace place = truck_way_at(way, s);
            if (truck_places_meet(truck, &place, pairs[k].standing, room)) {
                return document_fail_at(site->document, road_keys[pairs[k].road], site->status,
                                        "%s runs %s (%.4g, %.4g)", road_names[pairs[k].road], pairs[k].where,
                                        pairs[k].standing->x, pairs[k].standing->y);
            }
        }
    }
    return true;
}

bool scene_check_haul(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    const SceneHaul *haul = &scene->exercise.haul;
    const SceneTruck *spot = &scene->exercise.truck;
    double half = 0.5 * spot->bed_length;
    if (!scene_check_rectangle(document, &scene->ground, "exercise.truck", (double[]){spot->x, spot->y}, spot->heading,
                               (double[]){-half, half}, 0.5 * spot->bed_width, status)) {
        return false;
    }
    if (haul->trucks == 0) {
        return true;
    }
    if (!(haul->load_mass <= scene->truck.payload)) {
        return document_fail_at(document, "exercise.haul.load_mass", status,
                                "read %.6g, allowed up to the payload of %s (%.6g)", haul->load_mass,
                                scene->exercise.truck.file, scene->truck.payload);
    }
    TruckRoute route;
    if (!truck_route(&scene->truck, &scene->exercise.truck, haul, &route)) {
        return document_fail_at(document, "exercise.haul", status, "its roads have too many bends");
    }
    const Site site = {document, scene, machine, status};
    for (int road = 0; road < TRUCK_ROAD_COUNT; road++) {
        const TruckWay *way = &route.roads[road];
        for (double s = 0.0; s < way->length + CHECK_SPACING; s += CHECK_SPACING) {
            TruckPlace place = truck_way_at(way, s);
            if (!check_on_site(&site, road, &place) || !check_free(&site, road, &place) ||
                !check_haul_fixtures(&site, road, &place)) {
                return false;
            }
        }
    }
    return check_waiting(&site, &route);
}
