/// Compares the limits of steps, faults and scores with what their figures can be: a share is 0 to 1, nobody reaches
/// more targets than there are, and what cannot happen is counted 0 times.
#include <math.h>
#include <string.h>

#include "data/schema/advice_parts.h"

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

/// Two answers that say the same cannot be told apart.
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

void advise_figures(const Document *document, const SceneParams *scene)
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
