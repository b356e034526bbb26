/// Puts drivers, credits, seals and the result of an exercise into words, and scenes into the reader's language. Facts
/// come as fields (credit.h): of an operator's name only the kind of a person's devices and a script's path are read.
#include "trainer/report/report_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/schema/scene_params.h"
#include "trainer/report/report_pages_internal.h"
#include "trainer/sim/sim.h"

static const char *text_in(const char *english, bool translated) __attribute__((format_arg(1)));

static const char *text_in(const char *english, bool translated)
{
    return translated ? language_text(english) : english;
}

/// ---- drivers and credit --------------------------------------------------------------------------------------------

static const char *driver_text(const char *name, const Credit *credit)
{
    static const char *const programs[CREDIT_DRIVERS] = {
        [CREDIT_PERSON] = TEXT("a person"),
        [CREDIT_AUTO] = TEXT("the program"),
        [CREDIT_EXPERT] = TEXT("the program as an expert"),
    };
    bool person = credit->driver == CREDIT_PERSON;
    return person && strcmp(name, "gamepad") == 0    ? TEXT("a person with a gamepad")
           : person && strcmp(name, "keyboard") == 0 ? TEXT("a person at the keyboard")
                                                     : programs[credit->driver];
}

void operator_words(const char *name, const Credit *credit, char *text, size_t size)
{
    if (credit->driver == CREDIT_SCRIPT) {
        snprintf(text, size, language_text("the script %s"), file_name_of(name));
        return;
    }
    const char *said = language_text(driver_text(name, credit));
    if (credit->clumsy > 0.0) {
        snprintf(text, size, language_text("%s with a beginner's hands (%s)"), said,
                 quantity_number(credit->clumsy, 2).number);
    } else {
        snprintf(text, size, "%s", said);
    }
}

void report_clock(double seconds, const char *mark, char text[REPORT_CLOCK])
{
    int tenths = (int)fmin(fmax(0.0, round(10.0 * seconds)), 1e9);
    snprintf(text, REPORT_CLOCK, "%d:%02d%s%d", tenths / 600, tenths / 10 % 60, mark, tenths % 10);
}

static void write_credit(const Credit *credit, const char *trainee, bool translated, char text[CREDIT_WORDS])
{
    char at[REPORT_CLOCK];
    report_clock(credit->from, translated ? language_decimal_mark() : ".", at);
    if (credit_counts(credit, trainee)) {
        text[0] = '\0';
    } else if (!credit_is_practice(credit)) {
        snprintf(text, CREDIT_WORDS, "%s",
                 text_in(TEXT("A scripted run under a trainee's name: it passes nothing"), translated));
    } else if (credit->from < 0.0) {
        snprintf(text, CREDIT_WORDS, text_in(TEXT("Practice that began in %s: it passes nothing"), translated),
                 credit->parent);
    } else {
        snprintf(text, CREDIT_WORDS, text_in(TEXT("Practice from %s of %s on: it passes nothing"), translated), at,
                 credit->parent);
    }
}

void credit_words(const Credit *credit, const char *trainee, char text[CREDIT_WORDS])
{
    write_credit(credit, trainee, true, text);
}

void credit_words_plain(const Credit *credit, const char *trainee, char text[CREDIT_WORDS])
{
    write_credit(credit, trainee, false, text);
}

/// ---- seals ---------------------------------------------------------------------------------------------------------

static const char *const seal_state_names[] = {[RECORDING_UNCHECKED] = "unchecked",
                                               [RECORDING_WHOLE] = "whole",
                                               [RECORDING_CUT_SHORT] = "cut short",
                                               [RECORDING_LIVE] = "being recorded",
                                               [RECORDING_CHANGED] = "changed"};

static const char *const seal_states[] = {
    [RECORDING_UNCHECKED] = TEXT("its seals were not checked"),
    [RECORDING_WHOLE] = TEXT("whole"),
    [RECORDING_CUT_SHORT] = TEXT("cut short: its drive did not end in good order"),
    [RECORDING_LIVE] = TEXT("being recorded: this is how far it was when it was read"),
};

const char *seal_state_name(RecordingState state)
{
    return seal_state_names[state];
}

void seal_words(const RecordingSeal *seal, bool english, char *text, size_t size)
{
    char what[SEAL_WORDS / 2];
    if (seal->state == RECORDING_CHANGED) {
        snprintf(what, sizeof what, text_in(seal->change, !english), seal->table);
        snprintf(text, size, text_in(TEXT("changed after it was recorded: %s (seal %lld)"), !english), what,
                 (long long)seal->at);
        return;
    }
    if (seal->key[0] == '\0') {
        snprintf(what, sizeof what, "%s", text_in(TEXT("sealed, not signed"), !english));
    } else if (seal->trusted[0] != '\0') {
        snprintf(what, sizeof what, text_in(TEXT("sealed, signed by %s"), !english), seal->trusted);
    } else {
        snprintf(what, sizeof what, text_in(TEXT("sealed, signed by %s, which is not trusted here"), !english),
                 seal->station);
    }
    snprintf(text, size, "%s; %s", text_in(seal_states[seal->state], !english), what);
}

/// ---- scenes --------------------------------------------------------------------------------------------------------

static void put_translation(char *text, size_t size, const char *translation)
{
    size_t length = strlen(translation);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)translation[length] & 0xC0u) == 0x80u) {
            length--; // the middle of a character
        }
    }
    memmove(text, translation, length);
    text[length] = '\0';
}

static void translate_text(void *context, const char *key, char *text, size_t size)
{
    (void)context;
    (void)key;
    put_translation(text, size, language_text(text));
}

void language_translate_scene(SceneParams *scene)
{
    scene_visit_texts(scene, translate_text, NULL);
}

/// ---- summary of an exercise ----------------------------------------------------------------------------------------

/// Summarises an exercise: the score's rows that went well, and the rows and rules that cost points, the costliest
/// first.

#define WELL  0.9 ///< share of a row's points that is well done
#define WORTH 0.5 ///< points below which nothing is called a mistake

enum { MOST = SCENE_MAX_SCORES + SCENE_MAX_RULES + DAMAGE_OWNERS };

/// The scene's advice on a metric that is beyond what it names as usual.
static const char *advice_on(const SceneExercise *asked, const double values[METRIC_COUNT], Metric metric)
{
    for (int k = 0; k < asked->faults_count; k++) {
        const SceneFault *fault = &asked->faults[k];
        bool met = values[fault->metric] < fault->below || values[fault->metric] > fault->above;
        if (fault->metric == metric && met) {
            return fault->text;
        }
    }
    return "";
}

/// ---- moments -------------------------------------------------------------------------------------------------------

static void add_moment(ReportMistake *mistake, int64_t tick)
{
    if (mistake->moment_count < SCORE_MOMENTS) {
        mistake->moments[mistake->moment_count++] = tick;
    }
}

/// Tick in which the exercise was judged; the last one where it was not.
static int64_t end_tick(const ReportFacts *facts)
{
    for (int k = 0; k < facts->event_count; k++) {
        if (facts->events[k].kind == EVENT_FINISHED) {
            return facts->events[k].tick;
        }
    }
    return INT64_MAX;
}

/// The moments in which a row lost its points: its incidents, else those of its figure, else the event of the loss.
static void find_row_moments(const ReportFacts *facts, int row, bool scaled, ReportMistake *mistake)
{
    const SceneScore *score = &facts->asked->scores[row];
    int incident = (int)score->metric - (int)METRIC_INCIDENT_TOUCH;
    for (int k = 0; k < facts->event_count && !scaled && incident >= 0; k++) {
        if (facts->events[k].kind == incident) {
            add_moment(mistake, facts->events[k].tick);
        }
    }
    if (mistake->moment_count == 0) {
        mistake->moment_count = score_moments(facts->asked, row, scaled, facts->stands, facts->stand_count,
                                              end_tick(facts), facts->dt, mistake->moments);
    }
    for (int k = 0; k < facts->event_count && mistake->moment_count == 0; k++) {
        const ExerciseEvent *event = &facts->events[k];
        if (event->kind == EVENT_POINTS && strcmp(event->thing.name, metric_infos[score->metric].name) == 0) {
            add_moment(mistake, event->tick);
        }
    }
}

/// ---- rows and rules ------------------------------------------------------------------------------------------------

/// True when a figure is none, or too small for the digits that it is written with.
static bool shows_nothing(const char *value)
{
    return value[strcspn(value, "123456789")] == '\0';
}

/// A row that went well. Of what costs points, good is that there was little or none.
static void add_good(const SceneScore *score, const ScoreRow *row, const char *label, const char *value,
                     ReportSummary *summary)
{
    char *text = summary->good[summary->good_count++], points[24], weight[24];
    snprintf(points, sizeof points, "%s", quantity_number(row->points, 1).number);
    snprintf(weight, sizeof weight, "%s", quantity_digits(score->weight, 4).number);
    if (score->full >= score->zero) {
        snprintf(text, REPORT_TEXT, language_text("%s: %s (%s of %s points)"), label, value, points, weight);
    } else if (shows_nothing(value)) {
        snprintf(text, REPORT_TEXT, language_text("%s: none (%s of %s points)"), label, points, weight);
    } else {
        snprintf(text, REPORT_TEXT, language_text("%s: only %s (%s of %s points)"), label, value, points, weight);
    }
}

static int add_rows(const ReportFacts *facts, ReportMistake *mistakes, ReportSummary *summary)
{
    const SceneExercise *asked = facts->asked;
    const TextReader reader = {.units = facts->units};
    ScoreRow rows[SCENE_MAX_SCORES];
    int found = 0, row_count = score_rows(asked, facts->values, rows);
    for (int k = 0; k < row_count; k++) {
        const SceneScore *score = &asked->scores[k];
        char value[SCORE_VALUE], label[SCORE_WHAT];
        score_write_what(score, &reader, label);
        score_write_figure(score->metric, facts->values, &reader, value);
        double lost = score->weight - rows[k].points;
        bool good =
            score->weight > 0.0 && rows[k].points >= WELL * score->weight && lost < WORTH; // else it cost points
        if (good && score_has_value(score->metric, facts->values) && summary->good_count < REPORT_GOOD) {
            add_good(score, &rows[k], label, value, summary);
        }
        if (lost < WORTH) {
            continue;
        }
        ReportMistake *mistake = &mistakes[found++];
        *mistake = (ReportMistake){.points = lost, .times = 1};
        // Where the share itself is good, the points are missing for what it is scaled by, if that lost more.
        bool scaled = rows[k].share >= WELL && score->of != METRIC_SCORE && rows[k].scale < rows[k].share;
        if (scaled) {
            score_write_figure(score->of, facts->values, &reader, value);
            snprintf(mistake->what, REPORT_TEXT, language_text("%s, counted times %s: %s"), label,
                     language_text(metric_infos[score->of].phrase), value);
        } else {
            snprintf(mistake->what, REPORT_TEXT, "%s: %s", label, value);
        }
        snprintf(mistake->advice, REPORT_TEXT, "%s", advice_on(asked, facts->values, score->metric));
        language_end_whole(mistake->what);
        find_row_moments(facts, k, scaled, mistake);
    }
    return found;
}

/// The incidents that met a rule and that it did not let pass.
static void find_rule_moments(const ReportFacts *facts, const SceneRule *rule, ReportMistake *mistake)
{
    int met = 0;
    for (int k = 0; k < facts->event_count; k++) {
        const ExerciseEvent *event = &facts->events[k];
        bool meant = exercise_rule_meets(rule, event);
        met += meant;
        if (meant && met > rule->limit) {
            add_moment(mistake, event->tick);
        }
    }
}

static int add_rules(const ReportFacts *facts, ReportMistake *mistakes)
{
    const SceneExercise *asked = facts->asked;
    int found = 0;
    for (int k = 0; k < asked->rules_count; k++) {
        const SceneRule *rule = &asked->rules[k];
        SceneExercise alone = {.rules_count = 1, .rules = {*rule}};
        Incident cause;
        double points = exercise_apply_rules(&alone, facts->events, facts->event_count, &cause);
        bool ended = rule->fail && cause == rule->incident;
        if (points <= 0.0 && !ended) {
            continue;
        }
        ReportMistake *mistake = &mistakes[found++];
        int times = rule->points > 0.0 ? (int)(points / rule->points + 0.5) : 1;
        *mistake = (ReportMistake){.points = ended ? 100.0 : points, .times = times};
        char what[EVENT_TEXT];
        event_rule_text(rule, &(TextReader){.units = facts->units}, what);
        snprintf(mistake->what, REPORT_TEXT, language_text(times > 1 ? TEXT("%s, %d times%s") : TEXT("%s, %d time%s")),
                 what, times, ended ? language_text(": it ended the attempt") : "");
        snprintf(mistake->advice, REPORT_TEXT, "%s",
                 advice_on(asked, facts->values, (Metric)(METRIC_INCIDENT_TOUCH + (int)rule->incident)));
        find_rule_moments(facts, rule, mistake);
    }
    return found;
}

/// Damages that cost points without a rule.
static int add_damages(const ReportFacts *facts, ReportMistake *mistakes)
{
    static const Incident incidents[DAMAGE_OWNERS] = {INCIDENT_TRUCK_DAMAGED, INCIDENT_FIXTURE_DAMAGED};
    int found = 0;
    for (int owner = 0; owner < DAMAGE_OWNERS; owner++) {
        const SceneRule all = {.incident = incidents[owner]};
        SceneExercise alone = {.rules_count = 0};
        Incident cause;
        memcpy(alone.damage_points[owner], facts->asked->damage_points[owner], sizeof alone.damage_points[owner]);
        double points = exercise_apply_rules(&alone, facts->events, facts->event_count, &cause);
        if (points > 0.0) {
            ReportMistake *mistake = &mistakes[found++];
            *mistake = (ReportMistake){.points = points, .times = 1};
            snprintf(mistake->what, REPORT_TEXT, "%s", language_text(incident_phrases[incidents[owner]]));
            snprintf(mistake->advice, REPORT_TEXT, "%s",
                     advice_on(facts->asked, facts->values, (Metric)(METRIC_INCIDENT_TOUCH + (int)incidents[owner])));
            find_rule_moments(facts, &all, mistake);
        }
    }
    return found;
}

/// Costliest first; equal ones in the order of the scene.
static void sort_by_points(ReportMistake *mistakes, int count)
{
    for (int k = 1; k < count; k++) {
        ReportMistake moved = mistakes[k];
        int at = k;
        for (; at > 0 && mistakes[at - 1].points < moved.points; at--) {
            mistakes[at] = mistakes[at - 1];
        }
        mistakes[at] = moved;
    }
}

void report_summarise(const ReportFacts *facts, ReportSummary *summary)
{
    const double *values = facts->values;
    *summary = (ReportSummary){.score = values[METRIC_SCORE]};
    ReportMistake mistakes[MOST];
    int found = add_rows(facts, mistakes, summary);
    found += add_rules(facts, mistakes + found);
    found += add_damages(facts, mistakes + found);
    sort_by_points(mistakes, found);
    summary->mistake_count = found < REPORT_MISTAKES ? found : REPORT_MISTAKES;
    memcpy(summary->mistakes, mistakes, (size_t)summary->mistake_count * sizeof *mistakes);
    Incident cause;
    exercise_apply_rules(facts->asked, facts->events, facts->event_count, &cause);
    Verdict verdict = score_judge(facts->asked, values, cause);
    summary->passed = verdict.kind == VERDICT_PASSED;
    score_verdict(facts->asked, values, &verdict, &(TextReader){.units = facts->units}, summary->verdict);
}

void report_give_credit(ReportSummary *summary, const Credit *credit, const char *trainee)
{
    char why[CREDIT_WORDS];
    summary->practice = credit_is_practice(credit);
    if (!credit_counts(credit, trainee)) {
        credit_words(credit, trainee, why);
        summary->passed = false;
        snprintf(summary->verdict, sizeof summary->verdict, "%.*s", SCORE_VERDICT - 1, why);
        language_end_whole(summary->verdict);
    }
}

void report_summarise_exercise(const SceneExercise *asked, const Exercise *exercise, const ScoreTrail *trail, double dt,
                               TextUnits units, ReportSummary *summary)
{
    double values[METRIC_COUNT];
    exercise_values(exercise, values);
    int count = exercise_event_count(exercise);
    // The exercise keeps its events one after the other.
    ReportFacts facts = {.asked = asked,
                         .values = values,
                         .events = count > 0 ? exercise_event(exercise, 0) : NULL,
                         .event_count = count,
                         .stands = trail->stands,
                         .stand_count = trail->count,
                         .dt = dt,
                         .units = units};
    report_summarise(&facts, summary);
}
