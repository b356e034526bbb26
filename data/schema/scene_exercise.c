/// The keys of scores, steps, targets, questions, hints and faults, and the rules between them.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/schema/dozer_params.h"
#include "data/schema/scene_check.h"

#define MOST        1e9 ///< of a figure, in its unit
#define WEIGHT_SLIP 1e-6 ///< points that weights may sum to beside 100: decimal fractions

/// By name. The score's own points are listed so that an error can say that they are no choice.
static const KeyChoice metrics[] = {
#define X(id, metric, unit, kind, part, phrase) {#metric, METRIC_##id},
    METRICS(X)
#undef X
#define X(id, incident, phrase) {#incident "_count", METRIC_INCIDENT_##id},
        INCIDENTS(X)
#undef X
            {NULL, 0}};

static const KeyChoice groups[] = {
#define X(id, name) {#name, SCORE_GROUP_##id},
    SCORE_GROUPS(X)
#undef X
        {NULL, 0}};

static const DataKey score_keys[] = {
    ROW_CHOICE("metric", SceneScore, metric, metrics, "the figure that is judged"),
    ROW_CHOICE_OPTIONAL("group", SceneScore, group, groups, "where the debrief sorts it"),
    ROW_NUMBER("weight", SceneScore, weight, 0, 100, 1, "points: that the row is worth"),
    ROW_NUMBER("full", SceneScore, full, -MOST, MOST, 1, "figure: value that has all points"),
    ROW_NUMBER("zero", SceneScore, zero, -MOST, MOST, 1,
               "figure: value that has none; the share of the way to full counts between"),
    ROW_CHOICE_OPTIONAL("of", SceneScore, of, metrics,
                        "a share that scales the points, since what was not done cannot have been done well"),
    ROW_NUMBER_OR("fail_below", SceneScore, fail_below, -MOST, MOST, 1, -SCENE_NO_LIMIT,
                  "figure: a lower value at the end fails the attempt"),
    ROW_NUMBER_OR("fail_above", SceneScore, fail_above, -MOST, MOST, 1, SCENE_NO_LIMIT,
                  "figure: a higher value at the end fails the attempt"),
    ROW_TEXT_OPTIONAL("label", SceneScore, label, "what people read instead of the figure's own phrase"),
    ROW_END,
};
const DataKey scene_score_item = ROW_ITEM(SceneScore, score_keys);

static const DataKey step_keys[] = {
    ROW_TEXT("text", SceneStep, text, "what is to be done"),
    ROW_CHOICE("metric", SceneStep, metric, metrics, "the figure that tells when it is done"),
    ROW_NUMBER_OR("least", SceneStep, least, -MOST, MOST, 1, -SCENE_NO_LIMIT, "figure: done when it is at least this"),
    ROW_NUMBER_OR("most", SceneStep, most, -MOST, MOST, 1, SCENE_NO_LIMIT, "figure: done when it is at most this"),
    ROW_END,
};
const DataKey scene_step_item = ROW_ITEM(SceneStep, step_keys);

static const DataKey fault_keys[] = {
    ROW_TEXT("text", SceneFault, text, "what went wrong, and what to do about it"),
    ROW_CHOICE("metric", SceneFault, metric, metrics, "the figure that tells the mistake"),
    ROW_NUMBER_OR("below", SceneFault, below, -MOST, MOST, 1, -SCENE_NO_LIMIT,
                  "figure: told when it is less than this"),
    ROW_NUMBER_OR("above", SceneFault, above, -MOST, MOST, 1, SCENE_NO_LIMIT, "figure: told when it is more than this"),
    ROW_END,
};
const DataKey scene_fault_item = ROW_ITEM(SceneFault, fault_keys);

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

const DataKey scene_surface_keys[] = {
    ROW_NUMBER("tolerance", SceneSurface, tolerance, 0.005, 0.5, 1, "m: so far the ground may be off"),
    ROW_NUMBER_OR("compaction", SceneSurface, compaction, 0.5, 1, 1, 0,
                  "share: of its bank density that the fill is to have; left out: nothing is asked"),
    ROW_LIST_OPTIONAL("parts", SceneSurface, parts, parts_count, 1, SCENE_MAX_SURFACE_PARTS, &surface_part,
                      "rectangles of the surface; where they overlap, the later one holds"),
    ROW_TEXT_OPTIONAL("file", SceneSurface, file, "a survey's LandXML file: a name under data/surfaces, or a path"),
    ROW_TEXT_OPTIONAL("surface", SceneSurface, name, "name of the surface in the survey, where it has several"),
    ROW_NUMBER_OR("east", SceneSurface, east, -1e8, 1e8, 1, 0, "m: easting of the survey that lies at x, y"),
    ROW_NUMBER_OR("north", SceneSurface, north, -1e8, 1e8, 1, 0, "m: northing of the survey that lies at x, y"),
    ROW_NUMBER_OR("elevation", SceneSurface, elevation, -1e8, 1e8, 1, 0, "m: elevation of the survey that lies at z"),
    ROW_TEXT_OPTIONAL("heights", SceneSurface, heights,
                      "a height map, grey PNG of 16 bits: a name under data/heights, or a path"),
    ROW_NUMBER_OR("length", SceneSurface, length, 0.5, 100, 1, 0, "m: of the height map, along its heading"),
    ROW_NUMBER_OR("width", SceneSurface, width, 0.5, 100, 1, 0, "m: of the height map, across its heading"),
    ROW_NUMBER_OR("low", SceneSurface, low, -6, 10, 1, 0, "m: height of black over the level of the site"),
    ROW_NUMBER_OR("high", SceneSurface, high, -6, 10, 1, 0, "m: height of white over the level of the site"),
    ROW_NUMBER_OR("x", SceneSurface, x, -100, 100, 1, 0,
                  "m: where the survey's place, or the near end of the height map, lies to the east"),
    ROW_NUMBER_OR("y", SceneSurface, y, -100, 100, 1, 0, "m: the same to the north"),
    ROW_NUMBER_OR("z", SceneSurface, z, -100, 100, 1, 0, "m: height of the survey's place over the level of the site"),
    ROW_NUMBER_OR("heading_deg", SceneSurface, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where the survey's east, or the height map's length, points, from east to north"),
    ROW_END,
};

const DataKey scene_rip_keys[] = {
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
    ROW_NUMBER_OR("hold", SceneTarget, hold, 0, 60, 1, 0, "s: so long it is to stay there"),
    ROW_NUMBER_OR("heading_deg", SceneTarget, heading, -360, 360, UNIT_DEG, 0,
                  "deg: where the machine is to look, from east to north"),
    ROW_NUMBER_OR("heading_tolerance_deg", SceneTarget, heading_tolerance, 1, 180, UNIT_DEG, 180,
                  "deg: so far it may look elsewhere; 180: anywhere"),
    ROW_END,
};
const DataKey scene_target_item = ROW_ITEM(SceneTarget, target_keys);

static const DataKey text_item = {.type = KEY_TEXT, .size = SCENE_TEXT, .min = 1, .meaning = "what may be answered"};
const DataKey scene_hint_item = {.type = KEY_TEXT, .size = SCENE_TEXT, .min = 1, .meaning = "advice"};

static const DataKey question_keys[] = {
    ROW_TEXT("text", SceneQuestion, text, "the question"),
    ROW_LIST("answers", SceneQuestion, answers, answers_count, 2, SCENE_MAX_ANSWERS, &text_item,
             "what may be answered, numbered from 1"),
    ROW_INTEGER("right", SceneQuestion, right, 1, SCENE_MAX_ANSWERS, "number of the right answer"),
    ROW_TEXT_OPTIONAL("why", SceneQuestion, why, "told with the right answer"),
    ROW_END,
};
const DataKey scene_question_item = ROW_ITEM(SceneQuestion, question_keys);

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
    };
    _Static_assert(sizeof parts / sizeof parts[0] == METRIC_OF_LOADS + 1, "each part is named");
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

void scene_check_weights(const Document *document)
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
static bool check_surface_keys(Document *document, const SceneSurface *surface, Status *status)
{
    enum { PARTS = 1, FILE_KEY = 2, HEIGHTS = 4 };
    static const struct {
        const char *key;
        int of;
        bool needed; ///< by each of them
    } keys[] = {
        {"surface", FILE_KEY, false},     {"east", FILE_KEY, false},        {"north", FILE_KEY, false},
        {"elevation", FILE_KEY, false},   {"z", FILE_KEY, false},           {"length", HEIGHTS, true},
        {"width", HEIGHTS, true},         {"low", HEIGHTS, true},           {"high", HEIGHTS, true},
        {"x", FILE_KEY | HEIGHTS, false}, {"y", FILE_KEY | HEIGHTS, false}, {"heading_deg", FILE_KEY | HEIGHTS, false}};
    if (document_find(document, "exercise.surface") == NULL) {
        return true;
    }
    int of = (surface->parts_count > 0 ? PARTS : 0) | (surface->file[0] != '\0' ? FILE_KEY : 0) |
             (surface->heights[0] != '\0' ? HEIGHTS : 0);
    if (of != PARTS && of != FILE_KEY && of != HEIGHTS) {
        return document_fail_at(document, "exercise.surface", status,
                                "read %s of parts, file and heights, allowed one of them",
                                of == 0 ? "none" : "several");
    }
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        DocumentPath path = document_path("exercise.surface.%s", keys[k].key);
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
    return of != HEIGHTS || surface->high > surface->low ||
           document_fail_at(document, "exercise.surface.high", status, "read %.6g, allowed more than low (%.6g)",
                            surface->high, surface->low);
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

bool scene_check_exercise(Document *document, const SceneParams *scene, Status *status)
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
    return check_surface_keys(document, &exercise->surface, status) && check_surface(document, scene, status) &&
           check_rip(document, scene, status) && check_scores(document, exercise, status) &&
           check_steps(document, exercise, status) && check_faults(document, exercise, status);
}
