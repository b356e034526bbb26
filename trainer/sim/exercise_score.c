/// The score as the exercise goes on, what it lost, and the lines that the screen shows.
#include "trainer/sim/exercise_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

#define POINTS_STEP 1.0 ///< points lost, or won back, that make an event

double exercise_score(const Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return values[METRIC_SCORE];
}

int exercise_score_rows(const Exercise *exercise, ScoreRow rows[SCENE_MAX_SCORES])
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return score_rows(&exercise->asked, values, rows);
}

bool exercise_is_passed(const Exercise *exercise)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    return values[METRIC_PASSED] > 0.0;
}

void exercise_verdict(const Exercise *exercise, const TextReader *reader, char text[SCORE_VERDICT])
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    Verdict verdict = score_judge(&exercise->asked, values, exercise_cause(exercise));
    score_verdict(&exercise->asked, values, &verdict, reader, text);
}

/// ---- what was lost -------------------------------------------------------------------------------------------------

/// Rows of which less is better: they start with all points, and lose them.
static bool loses(const SceneScore *score)
{
    return score->full < score->zero;
}

/// Points that a row has lost of those that it could have by now.
static double lost_points(const SceneScore *score, const ScoreRow *row)
{
    return score->weight * row->scale * (1.0 - row->share);
}

void score_start(Exercise *exercise)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(exercise, rows);
    for (int k = 0; k < count; k++) {
        exercise->state.lost_told[k] = lost_points(&exercise->asked.scores[k], &rows[k]);
    }
}

void score_tell(Exercise *exercise, int64_t tick)
{
    ScoreRow rows[SCENE_MAX_SCORES];
    int count = exercise_score_rows(exercise, rows);
    for (int k = 0; k < count; k++) {
        const SceneScore *score = &exercise->asked.scores[k];
        double lost = lost_points(score, &rows[k]), points = exercise->state.lost_told[k] - lost;
        if (!loses(score) || fabs(points) < POINTS_STEP) {
            continue;
        }
        exercise->state.lost_told[k] = lost;
        ExerciseEvent event = {.tick = tick,
                               .kind = EVENT_POINTS,
                               .thing = event_thing(THING_SCORE, k, metric_infos[score->metric].name),
                               .number = {.points = points}};
        exercise_add_event(&exercise->state, EXERCISE_EVENT_ROOM, &event);
    }
}

/// ---- the screen ----------------------------------------------------------------------------------------------------

/// Lines under construction; those that there is no room for are left out.
typedef struct Lines {
    char (*text)[EXERCISE_TEXT];
    int count;
} Lines;

static void add_line(Lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(Lines *lines, const char *format, ...)
{
    if (lines->count < EXERCISE_MAX_PROGRESS) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(lines->text[lines->count++], EXERCISE_TEXT, format, arguments);
        va_end(arguments);
    }
}

/// How it ended, or the step that is due.
static void add_stand(const Exercise *exercise, const SceneExercise *shown, Lines *lines)
{
    const ExerciseState *state = &exercise->state;
    static const char *const ends[] = {[EXERCISE_DONE] = TEXT("Finished"),
                                       [EXERCISE_TIME_UP] = TEXT("Time is up"),
                                       [EXERCISE_JUDGING] = TEXT("Time is up: the soil settles")};
    if (state->end == EXERCISE_FAILED) {
        add_line(lines, language_text("Failed: %s"), language_text(incident_phrases[state->failed_by]));
    } else if (state->end != EXERCISE_RUNNING) {
        add_line(lines, "%s", language_text(ends[state->end]));
    } else {
        int due = 0;
        while (due < exercise->asked.steps_count && state->step_tick[due] > 0) {
            due++;
        }
        if (due < exercise->asked.steps_count) {
            add_line(lines, "%d/%d %s", due + 1, exercise->asked.steps_count, shown->steps[due].text);
        }
    }
}

static void add_surface(const Exercise *exercise, TextUnits units, Lines *lines)
{
    const ExerciseState *state = &exercise->state;
    const SceneSurface *surface = &exercise->asked.surface;
    double design;
    if (design_height(exercise->surface.surface, state->tip_x, state->tip_y, &design)) {
        add_line(lines, language_text("Edge %s over the design"),
                 quantity(QUANTITY_RISE, state->tip_z - design, units).text);
    }
    if (scene_has_part(&exercise->asked, METRIC_OF_SURFACE)) {
        add_line(lines, language_text("Surface %.0f %% within %s"), 100.0 * state->surface_within,
                 quantity(QUANTITY_FINE, surface->tolerance, units).text);
    }
    if (surface->compaction > 0.0) {
        add_line(lines, language_text("Tamped %.0f %% of the fill"), 100.0 * state->compacted);
    }
}

int exercise_progress(const Exercise *exercise, const SceneExercise *shown, TextUnits units,
                      char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT])
{
    const ExerciseState *state = &exercise->state;
    const SceneExercise *asked = &exercise->asked;
    Lines list = {lines, 0};
    add_stand(exercise, shown == NULL ? asked : shown, &list);
    if (asked->kind == EXERCISE_TRENCH) {
        add_line(&list, language_text("Depth %s of %s"), quantity(QUANTITY_LENGTH, state->mean_depth, units).number,
                 quantity(QUANTITY_LENGTH, asked->trench.depth, units).text);
        add_line(&list, language_text("Dug out %.0f %%, width %s of %s"), 100.0 * state->removed_share,
                 quantity(QUANTITY_LENGTH, state->dug_width, units).number,
                 quantity(QUANTITY_LENGTH, asked->trench.width, units).text);
    }
    if (asked->kind == EXERCISE_TRUCK_LOADING) {
        add_line(&list, language_text("Loaded %s of %s"),
                 quantity(QUANTITY_TONNES, exercise_loaded(exercise), units).number,
                 quantity(QUANTITY_TONNES, asked->truck.target_mass, units).text);
    }
    add_surface(exercise, units, &list);
    if (asked->rip.depth > 0.0) {
        add_line(&list, language_text("Ripped %.0f %% of %s"), 100.0 * state->ripping[RIP_SHARE_FIGURE],
                 quantity(QUANTITY_LENGTH, asked->rip.depth, units).text);
    }
    if (exercise->expose_length > 0.0) {
        add_line(&list, language_text("Bare %.0f %% of %s"), 100.0 * state->exposed,
                 quantity(QUANTITY_LENGTH, exercise->expose_length, units).text);
        add_line(&list, language_text("Edge %s over the crown"),
                 quantity(QUANTITY_RISE, state->tip_z - exercise->expose_crown, units).text);
    }
    if (asked->targets_count > 0) {
        int next = state->targets_reached + 1;
        add_line(&list, language_text("Target %d of %d"), next < asked->targets_count ? next : asked->targets_count,
                 asked->targets_count);
    }
    bool hauls = asked->kind == EXERCISE_TRENCH || asked->kind == EXERCISE_TRUCK_LOADING;
    if (hauls || state->cycles > 0) {
        add_line(&list, language_text("Cycles %lld, last %s s"), (long long)state->cycles,
                 quantity_number(state->last_cycle_time, 1).text);
        add_line(&list, language_text("Moved %s, %s"), quantity(QUANTITY_TONNES, exercise_moved(exercise), units).text,
                 quantity(QUANTITY_RATE, exercise_production(exercise), units).text);
    }
    if (scene_has_part(asked, METRIC_OF_WORK)) {
        add_line(&list, language_text("Spilled %s"), quantity(QUANTITY_MASS, state->spilled, units).text);
    }
    return list.count;
}
