/// The keys of a scene with its exercise, and the rules between them. Ranges are those of scene_params.h. Parts of an
/// exercise kind are mappings of their own, which must be there for that kind and for no other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "data/schema/scene_check.h"
#include "data/schema/scene_params.h"

/// ---- keys of the site ----------------------------------------------------------------------------------------------

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
                  "h: time of day, on a day in late April at 50 degrees north"),
    ROW_NUMBER_OR("clouds", SceneWeather, clouds, 0, 1, 1, 0.35, "share: of the sky that clouds cover"),
    ROW_NUMBER_OR("visibility", SceneWeather, visibility, 20, 50000, 1, 1500, "m: visibility in fog or haze"),
    ROW_NUMBER_OR("rain", SceneWeather, rain, 0, 50, UNIT_MM_PER_H, 0, "mm/h: of rain that falls"),
    ROW_END,
};

static const DataKey machine_keys[] = {
    ROW_TEXT("file", SceneMachine, file, "name of a machine's file"),
    ROW_TEXT_OPTIONAL("attachment", SceneMachine, attachment,
                      "name of the file of an attachment, which replaces the machine's own bucket"),
    ROW_TEXT_OPTIONAL("coupler", SceneMachine, coupler,
                      "name of the file of a coupler between the linkage and the bucket or attachment"),
    ROW_NUMBER("x", SceneMachine, x, -100, 100, 1, "m: where it starts, to the east of the site's middle"),
    ROW_NUMBER("y", SceneMachine, y, -100, 100, 1, "m: where it starts, to the north of the site's middle"),
    ROW_NUMBER("heading_deg", SceneMachine, heading, -360, 360, UNIT_DEG,
               "deg: its heading, from east (0) to north (90)"),
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
    ROW_TEXT("soil", ScenePatch, soil, "name of the soil of this part"),
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

/// Keys that say where a file of heights is and how it lies on the site, of a struct that has them as `in` members.
#define PLACED_KEYS(Struct, in)                                                                                        \
    ROW_TEXT_OPTIONAL(                                                                                                 \
        "file", Struct, in file,                                                                                       \
        "a survey (LandXML; DXF, grids, GeoTIFF and points by their path): a name under data/surfaces, or a path"),    \
        ROW_TEXT_OPTIONAL("surface", Struct, in name, "name of the surface in the survey, where it has several"),      \
        ROW_LENGTH_OR("east", Struct, in east, -1e8, 1e8, 0, "m: easting of the survey that lies at x, y"),            \
        ROW_LENGTH_OR("north", Struct, in north, -1e8, 1e8, 0, "m: northing of the survey that lies at x, y"),         \
        ROW_LENGTH_OR("elevation", Struct, in elevation, -1e8, 1e8, 0, "m: elevation of the survey that lies at z"),   \
        ROW_NUMBER_OR("longest_edge", Struct, in longest_edge, 0.05, 1000, 1, 0,                                       \
                      "m: longest edge of triangles between points; others are left out"),                             \
        ROW_TEXT_OPTIONAL("heights", Struct, in heights,                                                               \
                          "a height map, grey PNG of 16 bits: a name under data/heights, or a path"),                  \
        ROW_NUMBER_OR("length", Struct, in length, 0.5, 200, 1, 0, "m: of the height map, along its heading"),         \
        ROW_NUMBER_OR("width", Struct, in width, 0.5, 200, 1, 0, "m: of the height map, across its heading"),          \
        ROW_NUMBER_OR("low", Struct, in low, -6, 10, 1, 0, "m: height of black over the level of the site"),           \
        ROW_NUMBER_OR("high", Struct, in high, -6, 10, 1, 0, "m: height of white over the level of the site"),         \
        ROW_NUMBER_OR("x", Struct, in x, -100, 100, 1, 0,                                                              \
                      "m: where the survey's place, or the near end of the height map, lies to the east"),             \
        ROW_NUMBER_OR("y", Struct, in y, -100, 100, 1, 0, "m: the same to the north"),                                 \
        ROW_NUMBER_OR("z", Struct, in z, -100, 100, 1, 0,                                                              \
                      "m: height of the survey's place over the level of the site"),                                   \
        ROW_NUMBER_OR("heading_deg", Struct, in heading, -360, 360, UNIT_DEG, 0,                                       \
                      "deg: where the survey's east, or the height map's length, points, from east to north")

static const DataKey surface_part_keys[] = {
    ROW_NUMBER("x", SceneSurfacePart, x, -100, 100, 1, "m: middle of the near end, to the east"),
    ROW_NUMBER("y", SceneSurfacePart, y, -100, 100, 1, "m: middle of the near end, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneSurfacePart, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its length points from the near end, from east to north"),
    ROW_NUMBER("length", SceneSurfacePart, length, 0.5, 100, 1, "m: along its heading"),
    ROW_NUMBER("width", SceneSurfacePart, width, 0.5, 100, 1, "m: across its heading"),
    ROW_NUMBER("z", SceneSurfacePart, z, -6, 10, 1, "m: height of the near end over the level of the site"),
    ROW_NUMBER("far_z", SceneSurfacePart, far_z, -6, 10, 1, "m: height of the far end over the level of the site"),
    ROW_END,
};
static const DataKey surface_part = ROW_ITEM(SceneSurfacePart, surface_part_keys);

static const DataKey surface_keys[] = {
    ROW_NUMBER("tolerance", SceneSurface, tolerance, 0.005, 0.5, 1, "m: tolerance of the ground's height"),
    ROW_NUMBER_OR("compaction", SceneSurface, compaction, 0.5, 1, 1, 0,
                  "share: of its bank density that the fill is to have; left out: nothing is asked"),
    ROW_LIST_OPTIONAL("parts", SceneSurface, parts, parts_count, 1, SCENE_MAX_SURFACE_PARTS, &surface_part,
                      "rectangles of the surface; where they overlap, the later one holds"),
    PLACED_KEYS(SceneSurface, ),
    ROW_LENGTH_OR("crop_length", SceneSurface, crop_length, 1, 1000, 0,
                  "m: of the survey only so much is taken, along its east, around the place of east and north"),
    ROW_LENGTH_OR("crop_width", SceneSurface, crop_width, 1, 1000, 0, "m: the same along its north"),
    ROW_END,
};

static const KeyChoice relief_layers[] = {{"follow", SCENE_RELIEF_FOLLOW}, {"stay", SCENE_RELIEF_STAY}, {NULL, 0}};

static const DataKey relief_keys[] = {
    PLACED_KEYS(SceneRelief, surface.),
    ROW_CHOICE_OPTIONAL("layers", SceneRelief, layers, relief_layers,
                        "follow: layers lie below this surface; stay: they lie as on a level site, and what is higher "
                        "is fill"),
    ROW_TEXT_OPTIONAL(
        "fill", SceneRelief, fill,
        "with layers: stay, name of the soil that lies over the level site (left out: that of the top layer)"),
    ROW_CHOICE_OPTIONAL("compacted", SceneRelief, loose, scene_compactions,
                        "yes: the fill is as dense as undisturbed ground; no: it is as loose as it was tipped"),
    ROW_END,
};

static const KeyChoice wetnesses[] = {{"no", false}, {"yes", true}, {NULL, 0}};

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
    ROW_MAPPING_OPTIONAL("surface", SceneGround, surface, relief_keys,
                         "heights that the ground begins with, from a survey or a height map"),
    ROW_CHOICE_OPTIONAL("wet", SceneGround, wet, wetnesses,
                        "rain or ground water gets into open faces (soaking_time_min of their soils)"),
    ROW_END,
};

static const KeyChoice frictions[] = {
    {"coulomb", PARTICLE_FRICTION_COULOMB}, {"macklin", PARTICLE_FRICTION_MACKLIN}, {NULL, 0}};

static const KeyChoice persistences[] = {{"no", false}, {"yes", true}, {NULL, 0}};

static const KeyChoice sleeps[] = {{"yes", false}, {"no", true}, {NULL, 0}};

static const DataKey particles_keys[] = {
    ROW_INTEGER_OR("budget", SceneParticles, budget, 100, 400000, 20000, "most grains of moving soil at once"),
    ROW_INTEGER_OR("most_awake", SceneParticles, most_awake, 0, 400000, 6000,
                   "number of moving grains above which soil far from the tools moves as ground; 0: never"),
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
    ROW_NUMBER("tolerance", SceneTrench, tolerance, 0.01, 0.5, 1, "m: tolerance of the floor's depth"),
    ROW_NUMBER("dump_x", SceneTrench, dump_x, -100, 100, 1, "m: middle of the circle for the soil, to the east"),
    ROW_NUMBER("dump_y", SceneTrench, dump_y, -100, 100, 1, "m: middle of the circle for the soil, to the north"),
    ROW_NUMBER("dump_radius", SceneTrench, dump_radius, 0.5, 20, 1, "m: of the circle for the soil"),
    ROW_END,
};

static const DataKey truck_keys[] = {
    ROW_NUMBER("x", SceneTruck, x, -100, 100, 1, "m: middle of the bed, to the east"),
    ROW_NUMBER("y", SceneTruck, y, -100, 100, 1, "m: middle of the bed, to the north"),
    ROW_NUMBER("heading_deg", SceneTruck, heading, -360, 360, UNIT_DEG,
               "deg: heading of the truck, from east to north"),
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

/// ---- keys of an exercise -------------------------------------------------------------------------------------------

#define MOST        1e9 ///< of a figure, in its unit
#define WEIGHT_SLIP 1e-6 ///< points that weights may sum to beside 100: decimal fractions

static const KeyChoice groups[] = {
#define X(id, name) {#name, SCORE_GROUP_##id},
    SCORE_GROUPS(X)
#undef X
        {NULL, 0}};

static const DataKey score_keys[] = {
    ROW_CHOICE("metric", SceneScore, metric, scene_metric_names, "the figure that is judged"),
    ROW_CHOICE_OPTIONAL("group", SceneScore, group, groups, "group of the debrief that the row belongs to"),
    ROW_NUMBER("weight", SceneScore, weight, 0, 100, 1, "points: that the row is worth"),
    ROW_NUMBER("full", SceneScore, full, -MOST, MOST, 1, "figure: value that has all points"),
    ROW_NUMBER("zero", SceneScore, zero, -MOST, MOST, 1,
               "figure: value that has no points; between the two, points are in proportion"),
    ROW_CHOICE_OPTIONAL("of", SceneScore, of, scene_metric_names,
                        "a share that scales the points, such as the share of the work that was done"),
    ROW_NUMBER_OR("fail_below", SceneScore, fail_below, -MOST, MOST, 1, -SCENE_NO_LIMIT,
                  "figure: a lower value at the end fails the attempt"),
    ROW_NUMBER_OR("fail_above", SceneScore, fail_above, -MOST, MOST, 1, SCENE_NO_LIMIT,
                  "figure: a higher value at the end fails the attempt"),
    ROW_TEXT_OPTIONAL("label", SceneScore, label, "label that is shown instead of the figure's own phrase"),
    ROW_END,
};
static const DataKey score_item = ROW_ITEM(SceneScore, score_keys);

static const DataKey step_keys[] = {
    ROW_TEXT("text", SceneStep, text, "what is to be done"),
    ROW_CHOICE("metric", SceneStep, metric, scene_metric_names, "the figure that decides whether it is done"),
    ROW_NUMBER_OR("least", SceneStep, least, -MOST, MOST, 1, -SCENE_NO_LIMIT, "figure: done when it is at least this"),
    ROW_NUMBER_OR("most", SceneStep, most, -MOST, MOST, 1, SCENE_NO_LIMIT, "figure: done when it is at most this"),
    ROW_END,
};
static const DataKey step_item = ROW_ITEM(SceneStep, step_keys);

static const DataKey fault_keys[] = {
    ROW_TEXT("text", SceneFault, text, "what went wrong, and what to do about it"),
    ROW_CHOICE("metric", SceneFault, metric, scene_metric_names, "the figure that shows the mistake"),
    ROW_NUMBER_OR("below", SceneFault, below, -MOST, MOST, 1, -SCENE_NO_LIMIT,
                  "figure: the mistake is shown when it is less than this"),
    ROW_NUMBER_OR("above", SceneFault, above, -MOST, MOST, 1, SCENE_NO_LIMIT,
                  "figure: the mistake is shown when it is more than this"),
    ROW_END,
};
static const DataKey fault_item = ROW_ITEM(SceneFault, fault_keys);

static const DataKey rip_keys[] = {
    ROW_NUMBER("x", SceneRip, x, -100, 100, 1, "m: middle of the near end, to the east"),
    ROW_NUMBER("y", SceneRip, y, -100, 100, 1, "m: middle of the near end, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneRip, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where its length points from the near end, from east to north"),
    ROW_NUMBER("length", SceneRip, length, 1, 50, 1, "m: along its heading"),
    ROW_NUMBER("width", SceneRip, width, 0.3, 30, 1, "m: across its heading"),
    ROW_NUMBER("depth", SceneRip, depth, 0.1, 1, 1, "m: below the ground at the start, to be broken"),
    ROW_END,
};

static const KeyChoice targets[] = {{"tip", SCENE_TARGET_TIP}, {"machine", SCENE_TARGET_MACHINE}, {NULL, 0}};

static const DataKey target_keys[] = {
    ROW_CHOICE_OPTIONAL("what", SceneTarget, what, targets,
                        "what is to reach it: the tool's edge, or the machine's middle"),
    ROW_NUMBER("x", SceneTarget, x, -100, 100, 1, "m: its middle, to the east"),
    ROW_NUMBER("y", SceneTarget, y, -100, 100, 1, "m: its middle, to the north"),
    ROW_NUMBER_OR("z", SceneTarget, z, -10, 20, 1, 0, "m: its height over the level of the site; of the tool's edge"),
    ROW_NUMBER_OR("radius", SceneTarget, radius, 0.05, 20, 1, 0.3, "m: nearer than this counts as reached"),
    ROW_NUMBER_OR("hold", SceneTarget, hold, 0, 60, 1, 0, "s: time that it must stay there"),
    ROW_NUMBER_OR("heading_deg", SceneTarget, heading, -360, 360, UNIT_DEG, 0,
                  "deg: heading that the machine is to have, from east to north"),
    ROW_NUMBER_OR("heading_tolerance_deg", SceneTarget, heading_tolerance, 1, 180, UNIT_DEG, 180,
                  "deg: tolerance of that heading; 180: any heading"),
    ROW_END,
};
static const DataKey target_item = ROW_ITEM(SceneTarget, target_keys);

static const DataKey text_item = {.type = KEY_TEXT, .size = SCENE_TEXT, .min = 1, .meaning = "what may be answered"};
static const DataKey hint_item = {.type = KEY_TEXT, .size = SCENE_TEXT, .min = 1, .meaning = "advice"};

static const DataKey question_keys[] = {
    ROW_TEXT("text", SceneQuestion, text, "the question"),
    ROW_LIST("answers", SceneQuestion, answers, answers_count, 2, SCENE_MAX_ANSWERS, &text_item,
             "what may be answered, numbered from 1"),
    ROW_INTEGER("right", SceneQuestion, right, 1, SCENE_MAX_ANSWERS, "number of the right answer"),
    ROW_TEXT_OPTIONAL("why", SceneQuestion, why, "explanation that is shown with the right answer"),
    ROW_END,
};
static const DataKey question_item = ROW_ITEM(SceneQuestion, question_keys);

/// ---- rules of an exercise ------------------------------------------------------------------------------------------

/// A figure that this exercise measures, and that does not follow from the score itself.
static bool check_metric(Document *document, const SceneExercise *exercise, DocumentPath path, Metric metric,
                         Status *status)
{
    const MetricInfo *info = &metric_infos[metric];
    static const char *const parts[] = {
        [METRIC_OF_ANY] = "",
        [METRIC_OF_WORK] = "trench or truck",
        [METRIC_OF_TRENCH] = "trench",
        [METRIC_OF_TRUCK] = "truck",
        [METRIC_OF_HAUL] = "haul",
        [METRIC_OF_STEPS] = "steps",
        [METRIC_OF_TARGETS] = "targets",
        [METRIC_OF_QUESTIONS] = "questions",
        [METRIC_OF_EXPOSING] = "expose",
        [METRIC_OF_SURFACE] = "surface",
        [METRIC_OF_COMPACTION] = "surface.compaction",
        [METRIC_OF_ROCKS] = "oversize",
        [METRIC_OF_RIPPING] = "rip",
        [METRIC_OF_LOADS] = "loads",
        [METRIC_OF_WALK_ROUND] = "walk_round",
        [METRIC_OF_START_UP] = "start_up",
        [METRIC_OF_TOOLS] = "tools",
        [METRIC_OF_ROCK_PLACE] = "rock_place",
    };
    _Static_assert(sizeof parts / sizeof parts[0] == METRIC_OF_ROCK_PLACE + 1, "each part is named");
    if (info->kind == METRIC_IS_POINTS) {
        return document_fail_at(document, path.text, status,
                                "read %s, allowed what is measured: this follows from the score", info->name);
    }
    if (!scene_has_part(exercise, info->part)) {
        return document_fail_at(document, path.text, status,
                                "read %s, allowed what this exercise measures: it has no %s", info->name,
                                parts[info->part]);
    }
    return true;
}

static bool check_score(Document *document, const SceneExercise *exercise, int index, Status *status)
{
    const SceneScore *score = &exercise->scores[index];
    if (!check_metric(document, exercise, document_path("exercise.scores.%d.metric", index), score->metric, status)) {
        return false;
    }
    if (score->full == score->zero) {
        return document_fail_at(document, document_path("exercise.scores.%d.zero", index).text, status,
                                "read %.6g, allowed another value than full", score->zero);
    }
    DocumentPath of = document_path("exercise.scores.%d.of", index);
    if (document_find(document, of.text) == NULL) {
        return true;
    }
    if (metric_infos[score->of].kind != METRIC_IS_SHARE) {
        return document_fail_at(document, of.text, status, "read %s, allowed a share (0 to 1)",
                                metric_infos[score->of].name);
    }
    return check_metric(document, exercise, of, score->of, status);
}

static bool check_sum(const Document *document, double sum, Status *status)
{
    return fabs(sum - 100.0) <= WEIGHT_SLIP ||
           document_fail_at(document, "exercise.scores", status, "weights sum to %.6g, allowed 100", sum);
}

/// The sum of the weights alone, from the document, where its keys have faults and the rules of scores cannot be
/// checked.
static void check_weights(const Document *document)
{
    const DocumentNode *scores = document_find(document, "exercise.scores");
    double sum = 0.0;
    Status ignored;
    bool plain = scores != NULL && scores->type == DOCUMENT_LIST && scores->count > 0;
    for (const DocumentNode *row = plain ? scores->first : NULL; row != NULL && plain; row = row->next) {
        const DocumentNode *weight = document_child(row, "weight");
        plain =
            weight != NULL && weight->text[0] != '\0' && strspn(weight->text, "0123456789.") == strlen(weight->text);
        sum += plain ? strtod(weight->text, NULL) : 0.0;
    }
    if (plain) {
        check_sum(document, sum, &ignored);
    }
}

static bool check_scores(Document *document, const SceneExercise *exercise, Status *status)
{
    double sum = 0.0;
    for (int k = 0; k < exercise->scores_count; k++) {
        if (!check_score(document, exercise, k, status)) {
            return false;
        }
        sum += exercise->scores[k].weight;
    }
    return exercise->scores_count == 0 || check_sum(document, sum, status);
}

/// Exactly one of two limits is stated.
static bool check_limit(Document *document, DocumentPath path, const char *first, const char *second, double low,
                        double high, Status *status)
{
    bool has_low = low > -MOST * 2.0, has_high = high < MOST * 2.0;
    if (has_low != has_high) {
        return true;
    }
    return document_fail_at(document, path.text, status, "read %s, allowed %s or %s, one of the two",
                            has_low ? "both" : "neither", first, second);
}

static bool check_steps(Document *document, const SceneExercise *exercise, Status *status)
{
    for (int k = 0; k < exercise->steps_count; k++) {
        const SceneStep *step = &exercise->steps[k];
        DocumentPath metric = document_path("exercise.steps.%d.metric", k);
        if (!check_limit(document, document_path("exercise.steps.%d", k), "least", "most", step->least, step->most,
                         status) ||
            !check_metric(document, exercise, metric, step->metric, status)) {
            return false;
        }
        if (metric_infos[step->metric].part == METRIC_OF_STEPS) {
            return document_fail_at(document, metric.text, status, "read %s, allowed what does not count steps",
                                    metric_infos[step->metric].name);
        }
    }
    if (exercise->kind == EXERCISE_TASKS && exercise->steps_count == 0) {
        return document_fail_at(document, "exercise.steps", status,
                                "the key is missing: an exercise of tasks is done when its steps are");
    }
    return true;
}

static bool check_faults(Document *document, const SceneExercise *exercise, Status *status)
{
    for (int k = 0; k < exercise->faults_count; k++) {
        const SceneFault *fault = &exercise->faults[k];
        if (!check_limit(document, document_path("exercise.faults.%d", k), "below", "above", fault->below, fault->above,
                         status) ||
            !check_metric(document, exercise, document_path("exercise.faults.%d.metric", k), fault->metric, status)) {
            return false;
        }
    }
    return true;
}

/// One of the three ways to state a surface, with the keys that belong to it.
/// base  path of the surface's keys
static bool check_surface_keys(Document *document, const char *base, const SceneSurface *surface, Status *status)
{
    enum { PARTS = 1, FILE_KEY = 2, HEIGHTS = 4 };
    static const struct {
        const char *key;
        int of;
        bool needed; ///< by each of them
    } keys[] = {{"surface", FILE_KEY, false},     {"east", FILE_KEY, false},
                {"north", FILE_KEY, false},       {"elevation", FILE_KEY, false},
                {"z", FILE_KEY, false},           {"length", HEIGHTS, true},
                {"crop_length", FILE_KEY, false}, {"crop_width", FILE_KEY, false},
                {"width", HEIGHTS, true},         {"low", HEIGHTS, true},
                {"high", HEIGHTS, true},          {"x", FILE_KEY | HEIGHTS, false},
                {"y", FILE_KEY | HEIGHTS, false}, {"heading_deg", FILE_KEY | HEIGHTS, false}};
    if (document_find(document, base) == NULL) {
        return true;
    }
    int of = (surface->parts_count > 0 ? PARTS : 0) | (surface->file[0] != '\0' ? FILE_KEY : 0) |
             (surface->heights[0] != '\0' ? HEIGHTS : 0);
    if (of != PARTS && of != FILE_KEY && of != HEIGHTS) {
        return document_fail_at(document, base, status, "read %s of %sfile and heights, allowed one of them",
                                of == 0 ? "none" : "several", strcmp(base, "ground.surface") == 0 ? "" : "parts, ");
    }
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        DocumentPath path = document_path("%s.%s", base, keys[k].key);
        bool there = document_find(document, path.text) != NULL, belongs = (keys[k].of & of) != 0;
        const char *name = of == PARTS ? "parts" : of == HEIGHTS ? "heights" : "file";
        if ((there && !belongs) &&
            !document_fail_at(document, path.text, status, "does not belong to a surface of %s", name)) {
            return false;
        }
        if (belongs && keys[k].needed && !there &&
            !document_fail_at(document, path.text, status, "the key is missing: %s need it", name)) {
            return false;
        }
    }
    if ((surface->crop_length > 0.0) != (surface->crop_width > 0.0)) {
        const char *there = surface->crop_length > 0.0 ? "crop_length" : "crop_width";
        return document_fail_at(document, document_path("%s.%s", base, there).text, status,
                                "stands alone, allowed crop_length and crop_width together");
    }
    return of != HEIGHTS || surface->high > surface->low ||
           document_fail_at(document, document_path("%s.high", base).text, status,
                            "read %.6g, allowed more than low (%.6g)", surface->high, surface->low);
}

/// The start of the ground: where its heights are, and a fill where layers stay.
static bool check_relief(Document *document, const SceneRelief *relief, Status *status)
{
    static const char *const of_fill[] = {"ground.surface.fill", "ground.surface.compacted"};
    for (int k = 0; k < 2; k++) {
        if (relief->layers == SCENE_RELIEF_FOLLOW && document_find(document, of_fill[k]) != NULL) {
            return document_fail_at(document, of_fill[k], status, "the key belongs to layers: stay");
        }
    }
    return check_surface_keys(document, "ground.surface", &relief->surface, status);
}

/// Parts of the surface lie on the site and above bedrock.
static bool check_surface(Document *document, const SceneParams *scene, Status *status)
{
    const SceneSurface *surface = &scene->exercise.surface;
    for (int k = 0; k < surface->parts_count; k++) {
        const SceneSurfacePart *part = &surface->parts[k];
        if (!scene_check_rectangle(document, &scene->ground, document_path("exercise.surface.parts.%d", k).text,
                                   (double[]){part->x, part->y}, part->heading, (double[]){0.0, part->length},
                                   0.5 * part->width, status)) {
            return false;
        }
        double lowest = fmin(part->z, part->far_z);
        if (lowest <= -scene->ground.bedrock_depth) {
            const char *key =
                part->z <= part->far_z ? "exercise.surface.parts.%d.z" : "exercise.surface.parts.%d.far_z";
            return document_fail_at(document, document_path(key, k).text, status,
                                    "%.6g reaches bedrock, allowed more than %.6g", lowest,
                                    -scene->ground.bedrock_depth);
        }
    }
    return true;
}

static bool check_rip(Document *document, const SceneParams *scene, Status *status)
{
    const SceneRip *rip = &scene->exercise.rip;
    return rip->depth <= 0.0 ||
           scene_check_rectangle(document, &scene->ground, "exercise.rip", (double[]){rip->x, rip->y}, rip->heading,
                                 (double[]){0.0, rip->length}, 0.5 * rip->width, status);
}

bool scene_check_rip_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    double depth = scene->exercise.rip.depth;
    if (depth <= 0.0) {
        return true;
    }
    if (!dozer_has_ripper(machine)) {
        return document_fail_at(document, "exercise.rip", status, "%s has no ripper, allowed of a dozer alone",
                                machine->name);
    }
    double reach = -dozer_ripper_height(machine, machine->joint[DOZER_JOINT_RIPPER].range[1]);
    return depth <= reach || document_fail_at(document, "exercise.rip.depth", status,
                                              "read %.6g, allowed up to what the ripper of %s reaches (%.2f)", depth,
                                              machine->name, reach);
}

/// Weights sum to 100; a score, step or fault names a figure that the exercise has; targets lie on the site.
static bool check_exercise(Document *document, const SceneParams *scene, Status *status)
{
    const SceneExercise *exercise = &scene->exercise;
    for (int k = 0; k < exercise->targets_count; k++) {
        if (!scene_check_place(document, &scene->ground, document_path("exercise.targets.%d.x", k).text,
                               exercise->targets[k].x, document_path("exercise.targets.%d.y", k).text,
                               exercise->targets[k].y, status)) {
            return false;
        }
    }
    for (int k = 0; k < exercise->questions_count; k++) {
        const SceneQuestion *question = &exercise->questions[k];
        if (question->right > question->answers_count) {
            return document_fail_at(document, document_path("exercise.questions.%d.right", k).text, status,
                                    "read %d, allowed 1 to the number of answers (%d)", question->right,
                                    question->answers_count);
        }
    }
    return check_surface_keys(document, "exercise.surface", &exercise->surface, status) &&
           check_surface(document, scene, status) && check_rip(document, scene, status) &&
           check_scores(document, exercise, status) && check_steps(document, exercise, status) &&
           check_faults(document, exercise, status);
}

/// ---- the whole scene -----------------------------------------------------------------------------------------------

static const KeyChoice exercises[] = {
    {"free", EXERCISE_FREE},
    {"trench", EXERCISE_TRENCH},
    {"truck-loading", EXERCISE_TRUCK_LOADING},
    {"tasks", EXERCISE_TASKS},
    {NULL, 0},
};

static const DataKey walls_keys[] = {
    ROW_NUMBER("mass", SceneWalls, mass, 50, 1e5, 1, "kg: that falls at once, at least"),
    ROW_NUMBER_OR("height", SceneWalls, height, 0.3, 10, 1, 1, "m: height of the wall, at least"),
    ROW_END,
};

static const DataKey exercise_keys[] = {
    ROW_CHOICE("kind", SceneExercise, kind, exercises, "kind of task, which decides which parts the exercise has"),
    ROW_NUMBER("time_limit", SceneExercise, time_limit, 10, 36000, 1, "s: after which the attempt ends"),
    ROW_NUMBER("par_time", SceneExercise, par_time, 1, 36000, 1, "s: that a good operator takes"),
    ROW_MAPPING_OPTIONAL("trench", SceneExercise, trench, trench_keys,
                         "the trench to be dug and where its soil goes; of the kind trench"),
    ROW_MAPPING_OPTIONAL("truck", SceneExercise, truck, truck_keys,
                         "the truck to be loaded and where the soil is taken; of the kind truck-loading"),
    ROW_MAPPING_OPTIONAL("haul", SceneExercise, haul, scene_haul_keys,
                         "trucks that drive away with their loads and come back"),
    ROW_MAPPING_OPTIONAL("surface", SceneExercise, surface, surface_keys,
                         "the design that the ground is to be shaped to"),
    ROW_MAPPING_OPTIONAL("rip", SceneExercise, rip, rip_keys, "hard ground that a dozer's ripper is to break"),
    ROW_LIST_OPTIONAL("rules", SceneExercise, rules, rules_count, 0, SCENE_MAX_RULES, &scene_rules_item,
                      "what incidents cost"),
    ROW_NUMBER_OR("truck_scratch", SceneExercise, damage_points[DAMAGE_OF_TRUCK][0], 0, 100, 1, 2,
                  "points: that a scratch on a truck costs, beside what rules take"),
    ROW_NUMBER_OR("truck_dent", SceneExercise, damage_points[DAMAGE_OF_TRUCK][1], 0, 100, 1, 10,
                  "points: that a dent in a truck costs"),
    ROW_NUMBER_OR("truck_wreck", SceneExercise, damage_points[DAMAGE_OF_TRUCK][2], 0, 100, 1, 40,
                  "points: that a wrecked truck costs"),
    ROW_NUMBER_OR("fixture_scratch", SceneExercise, damage_points[DAMAGE_OF_FIXTURE][0], 0, 100, 1, 1,
                  "points: that a scratch on a fixture costs"),
    ROW_NUMBER_OR("fixture_crack", SceneExercise, damage_points[DAMAGE_OF_FIXTURE][1], 0, 100, 1, 10,
                  "points: that a fixture costs that is cracked or bent"),
    ROW_NUMBER_OR("fixture_fall", SceneExercise, damage_points[DAMAGE_OF_FIXTURE][2], 0, 100, 1, 30,
                  "points: that a fixture costs that is pushed over"),
    ROW_NUMBER_OR("pass_mark", SceneExercise, pass_mark, 0, 100, 1, 70, "points: from which the attempt is passed"),
    ROW_LIST_OPTIONAL("scores", SceneExercise, scores, scores_count, 0, SCENE_MAX_SCORES, &score_item,
                      "rows of the score; their weights sum to 100"),
    ROW_LIST_OPTIONAL("steps", SceneExercise, steps, steps_count, 0, SCENE_MAX_STEPS, &step_item,
                      "steps of the exercise in order, each done when a figure reaches its limit"),
    ROW_LIST_OPTIONAL("targets", SceneExercise, targets, targets_count, 0, SCENE_MAX_TARGETS, &target_item,
                      "places that are to be reached, in order"),
    ROW_LIST_OPTIONAL("questions", SceneExercise, questions, questions_count, 0, SCENE_MAX_QUESTIONS, &question_item,
                      "asked before the work, while the levers are locked"),
    ROW_TEXT_LINES_OPTIONAL("goal", SceneExercise, goal,
                            "what is learnt, and why; in place of the description on the page before the exercise"),
    ROW_LIST_OPTIONAL("hints", SceneExercise, hints, hints_count, 0, SCENE_MAX_HINTS, &hint_item,
                      "advice that is shown before the work"),
    ROW_LIST_OPTIONAL("faults", SceneExercise, faults, faults_count, 0, SCENE_MAX_FAULTS, &fault_item,
                      "usual mistakes, and what to do about them, shown after the attempt"),
    ROW_TEXT_OPTIONAL("expert", SceneExercise, expert, "demonstration: auto, or the name of an expert run's file"),
    ROW_TEXT_OPTIONAL("expose", SceneExercise, expose,
                      "words in the names of the pipes and boxes that are to be dug free"),
    ROW_LIST_OPTIONAL("loads", SceneExercise, loads, loads_count, 0, SCENE_MAX_LOADS, &scene_loads_item,
                      "pipes, logs and trench boxes that are to be lifted with a sling or a grab"),
    ROW_NUMBER_OR("oversize", SceneExercise, oversize, 0.2, 1.5, 1, 0,
                  "m: rocks larger than this, as a sphere of their volume, are to be broken"),
    ROW_MAPPING_OPTIONAL("rock_place", SceneExercise, rock_place, scene_rock_place_keys,
                         "circle in which the rocks are to lie"),
    ROW_MAPPING_OPTIONAL("walk_round", SceneExercise, walk_round, scene_walk_round_keys,
                         "the operator begins on foot, and looks at things before climbing in"),
    ROW_MAPPING_OPTIONAL("start_up", SceneExercise, start_up, scene_start_up_keys,
                         "the operator starts the machine: key, safety lever, cold oil"),
    ROW_LIST_OPTIONAL("tools", SceneExercise, tools, tools_count, 0, SCENE_MAX_TOOLS, &scene_tools_item,
                      "tools that stand on the site, for a machine with a coupler that takes them from the cab"),
    ROW_MAPPING_OPTIONAL("walls", SceneExercise, walls, walls_keys,
                         "walls of ground whose fall is reported (event wall_fell)"),
    ROW_TEXT_OPTIONAL("picture", SceneExercise, picture, "name of a picture's file, shown with the exercise"),
    ROW_END,
};

static const DataKey scene_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", SceneParams, title, "shown in menus and lists"),
    ROW_TEXT_LINES("description", SceneParams, description, "what the operator is to do, in one or two sentences"),
    ROW_TEXT_OPTIONAL("language", SceneParams, language,
                      "that title and texts are written in, as a tag (de, pt-BR), for learning platforms"),
    ROW_SEED("seed", SceneParams, seed, "seed of the scene's random numbers: unevenness, grains, rocks"),
    ROW_MAPPING_OPTIONAL("rates", SceneParams, rates, rates_keys, "time steps"),
    ROW_MAPPING("machine", SceneParams, machine, machine_keys, "the machine and where it starts"),
    ROW_MAPPING("ground", SceneParams, ground, ground_keys, "the site and what it is made of"),
    ROW_MAPPING_OPTIONAL("particles", SceneParams, particles, particles_keys, "how moving soil is computed"),
    ROW_MAPPING("exercise", SceneParams, exercise, exercise_keys, "the task and how it is scored"),
    ROW_MAPPING_OPTIONAL("weather", SceneParams, weather, weather_keys,
                         "time of day and weather, which change the picture alone"),
    ROW_LIST_OPTIONAL("grains", SceneParams, grains, grains_count, 0, SCENE_MAX_GRAINS, &grains,
                      "volumes that are full of loose grains at the start"),
    ROW_LIST_OPTIONAL("rocks", SceneParams, rocks, rocks_count, 0, SCENE_MAX_ROCK_GROUPS, &scene_rocks_item,
                      "boulders that lie on the site at the start"),
    ROW_LIST_OPTIONAL("fixtures", SceneParams, fixtures, fixtures_count, 0, SCENE_MAX_FIXTURES, &scene_fixtures_item,
                      "walls, posts, pipes and other things that cannot be moved"),
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
    if (!check_relief(document, &ground->surface, status) || !scene_check_patches(document, ground, status) ||
        !scene_check_earthworks(document, ground, status)) {
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
           scene_check_tools(document, params, status) && scene_check_walk_round(document, params, status) &&
           scene_check_rules(document, exercise, status) && (!trench || check_trench(document, params, status)) &&
           (!truck || check_truck(document, params, status)) && check_exercise(document, params, status);
}

const DataSchema data_scene_schema = {.kind = "scene",
                                      .folder = "scenes",
                                      .users_too = true,
                                      .keys = scene_keys,
                                      .size = sizeof(SceneParams),
                                      .name_size = KEY_SIZE(SceneParams, name),
                                      .derive = scene_complete_loads,
                                      .check = check_scene,
                                      .check_text = check_weights,
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
    for (int k = 0; k < exercise->walk_round.things_count; k++) {
        SceneThing *thing = &exercise->walk_round.things[k];
        visit_item_text(&walk, "walk_round.things", k, ".name", thing->name, sizeof thing->name);
        visit_item_text(&walk, "walk_round.things", k, ".text", thing->text, sizeof thing->text);
        visit_item_text(&walk, "walk_round.things", k, ".why", thing->why, sizeof thing->why);
    }
    for (int k = 0; k < exercise->scores_count; k++) {
        visit_item_text(&walk, "scores", k, ".label", exercise->scores[k].label, sizeof exercise->scores[k].label);
    }
}