/// Tasks of an exercise: targets to reach one after the other, questions to answer before the levers move anything, and
/// steps that are ticked off.
#include "data/core/elementary.h"
#include "trainer/sim/exercise_internal.h"

#define NOT_DONE 0.99 ///< most progress of a step that is not done

/// ---- questions -----------------------------------------------------------------------------------------------------

int exercise_question(const Exercise *exercise)
{
    int answered = exercise->state.answered;
    return answered < exercise->asked.questions_count && !exercise_is_finished(exercise) ? answered : -1;
}

bool exercise_is_locked(const Exercise *exercise)
{
    return exercise_question(exercise) >= 0;
}

int exercise_answer(const Exercise *exercise, int question)
{
    bool there = question >= 0 && question < exercise->asked.questions_count;
    return there ? exercise->state.answers[question] : 0;
}

/// An answer counts when it comes; one that there is not is no answer.
static void record_answer(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    int before = state->answer_held, question = exercise_question(exercise);
    state->answer_held = sample->answer;
    if (question < 0 || before != 0 || sample->answer < 1 ||
        sample->answer > exercise->asked.questions[question].answers_count) {
        return;
    }
    const SceneQuestion *asked = &exercise->asked.questions[question];
    bool right = sample->answer == asked->right;
    state->answers[question] = sample->answer;
    state->answered++;
    ExerciseEvent event = {.tick = sample->tick,
                           .kind = EVENT_ANSWER,
                           .form = right ? EVENT_ANSWER_RIGHT : EVENT_ANSWER_WRONG,
                           .thing = event_thing(THING_QUESTION, question, ""),
                           .number = {.count = sample->answer}};
    exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
}

/// ---- targets -------------------------------------------------------------------------------------------------------

/// Distance from the target, m; far where the machine has another heading.
static double target_distance(const SceneTarget *target, const ExerciseSample *sample)
{
    if (target->what == SCENE_TARGET_TIP) {
        return vec3_length(vec3_sub(sample->tip, vec3(target->x, target->y, target->z)));
    }
    double turn = remainder(sample->heading - target->heading, 2.0 * M_PI);
    return fabs(turn) > target->heading_tolerance ? HUGE_VAL
                                                  : same_hypot(sample->base.x - target->x, sample->base.y - target->y);
}

static void check_target(Exercise *exercise, const ExerciseSample *sample)
{
    ExerciseState *state = &exercise->state;
    if (state->targets_reached >= exercise->asked.targets_count || exercise_is_locked(exercise)) {
        state->target_since = state->time;
        return;
    }
    const SceneTarget *target = &exercise->asked.targets[state->targets_reached];
    double distance = target_distance(target, sample);
    if (distance > target->radius) {
        state->target_held = 0.0;
        return;
    }
    state->target_held += sample->dt;
    if (state->target_held < target->hold) {
        return;
    }
    double took = state->time - state->target_since;
    state->targets_reached++;
    state->target_time += took;
    state->target_error += distance;
    state->target_held = 0.0;
    state->target_since = state->time;
    ExerciseEvent event = {.tick = sample->tick,
                           .kind = EVENT_TARGET,
                           .thing = event_thing(THING_TARGET, state->targets_reached - 1, ""),
                           .number = {.x = target->x,
                                      .y = target->y,
                                      .z = target->z,
                                      .duration = took,
                                      .length = distance,
                                      .count = exercise->asked.targets_count}};
    exercise_add_event(state, EXERCISE_EVENT_ROOM, &event);
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

static bool is_met(const SceneStep *step, const double values[METRIC_COUNT])
{
    double value = values[step->metric];
    return value >= step->least && value <= step->most;
}

/// How far a step has come, 0..1, from where its figure stood before the start; 1 only once it is done.
static double step_progress(const Exercise *exercise, int index, const double values[METRIC_COUNT])
{
    if (exercise->state.step_tick[index] > 0) {
        return 1.0;
    }
    const SceneStep *step = &exercise->asked.steps[index];
    double start = exercise->state.step_start[index];
    double goal = step->least > -SCENE_NO_LIMIT ? step->least : step->most;
    double share = goal == start ? 0.0 : (values[step->metric] - start) / (goal - start);
    return share < 0.0 ? 0.0 : share > NOT_DONE ? NOT_DONE : share;
}

void tasks_fill(const Exercise *exercise, double values[METRIC_COUNT])
{
    const ExerciseState *state = &exercise->state;
    const SceneExercise *asked = &exercise->asked;
    double reached = state->targets_reached > 0 ? (double)state->targets_reached : 1.0;
    values[METRIC_TARGETS_REACHED] = (double)state->targets_reached;
    values[METRIC_TARGETS_SHARE] =
        asked->targets_count > 0 ? (double)state->targets_reached / asked->targets_count : 0.0;
    values[METRIC_TARGET_TIME] = state->target_time / reached;
    values[METRIC_TARGET_ERROR] = state->target_error / reached;
    int right = 0, done = 0;
    for (int k = 0; k < asked->questions_count; k++) {
        right += state->answers[k] == asked->questions[k].right;
    }
    values[METRIC_QUESTIONS_ANSWERED] = (double)state->answered;
    values[METRIC_QUESTIONS_SHARE] = asked->questions_count > 0 ? (double)right / asked->questions_count : 0.0;
    double progress = 0.0;
    for (int k = 0; k < asked->steps_count; k++) {
        done += state->step_tick[k] > 0;
        progress += step_progress(exercise, k, values);
    }
    values[METRIC_STEPS_DONE] = (double)done;
    values[METRIC_STEPS_SHARE] = asked->steps_count > 0 ? progress / asked->steps_count : 0.0;
}

int64_t exercise_step_tick(const Exercise *exercise, int step)
{
    return step >= 0 && step < exercise->asked.steps_count ? exercise->state.step_tick[step] : 0;
}

bool tasks_are_done(const Exercise *exercise)
{
    for (int k = 0; k < exercise->asked.steps_count; k++) {
        if (exercise->state.step_tick[k] == 0) {
            return false;
        }
    }
    return exercise->asked.steps_count > 0;
}

void tasks_start(Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    for (int k = 0; k < exercise->asked.steps_count; k++) {
        exercise->state.step_start[k] = values[exercise->asked.steps[k].metric];
    }
}

void tasks_check_steps(Exercise *exercise, const ExerciseSample *sample)
{
    const SceneExercise *asked = &exercise->asked;
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    for (int k = 0; k < asked->steps_count; k++) {
        if (exercise->state.step_tick[k] > 0 || !is_met(&asked->steps[k], values)) {
            continue;
        }
        exercise->state.step_tick[k] = sample->tick > 0 ? sample->tick : 1;
        ExerciseEvent event = {.tick = sample->tick, .kind = EVENT_STEP, .thing = event_thing(THING_STEP, k, "")};
        exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, &event);
    }
}

void tasks_tick(Exercise *exercise, const ExerciseSample *sample)
{
    record_answer(exercise, sample);
    check_target(exercise, sample);
    if (exercise->asked.steps_count > 0 && exercise->state.provisional == 0) {
        tasks_check_steps(exercise, sample);
    }
}

/// ---- state ---------------------------------------------------------------------------------------------------------

void tasks_visit(ExerciseState *state, StateVisitor *visitor)
{
    state_visit_array(visitor, "exercise.answers", state->answers, sizeof(int32_t), SCENE_MAX_QUESTIONS);
    state_visit_array(visitor, "exercise.step_tick", state->step_tick, sizeof(int64_t), SCENE_MAX_STEPS);
    state_visit_array(visitor, "exercise.step_start", state->step_start, sizeof(double), SCENE_MAX_STEPS);
    state_visit_array(visitor, "exercise.lost_told", state->lost_told, sizeof(double), SCENE_MAX_SCORES);
    bool good = state->targets_reached >= 0 && state->targets_reached <= SCENE_MAX_TARGETS && state->answered >= 0 &&
                state->answered <= SCENE_MAX_QUESTIONS;
    for (int k = 0; k < SCENE_MAX_QUESTIONS; k++) {
        good = good && state->answers[k] >= 0 && state->answers[k] <= SCENE_MAX_ANSWERS;
    }
    for (int k = 0; k < SCENE_MAX_STEPS; k++) {
        good = good && state->step_tick[k] >= 0;
    }
    visitor->failed = visitor->failed || !good;
}
