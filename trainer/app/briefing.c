/// Lines of the briefing, in the order in which an instructor tells them.
#include "trainer/sim/sim.h"
#include "trainer/app/briefing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

#define LINE_LENGTH 80 ///< letters of a line: more have no room beside the plan

bool briefing_is_worth(const SceneExercise *asked)
{
    return asked->scores_count > 0 || asked->steps_count > 0;
}

/// Appends a line and returns where its MENU_TEXT characters go; a full menu's last line gives way.
static char *add_line(Menu *menu)
{
    MenuItem *item = menu_tell(menu, RENDER_MENU_TELLS, "");
    return item != NULL ? item->text : menu->items[RENDER_MAX_MENU - 1].text;
}

/// Writes a time as people say it: "45 s", "6:00".
static void print_time(double seconds, char text[16])
{
    int whole = (int)lround(seconds);
    if (whole < 60) {
        snprintf(text, 16, "%d s", whole);
    } else {
        snprintf(text, 16, "%d:%02d", whole / 60, whole % 60);
    }
}

static void tell_task(Menu *menu, const SceneExercise *asked, TextUnits units)
{
    char par[16], limit[16];
    print_time(asked->par_time, par);
    print_time(asked->time_limit, limit);
    snprintf(add_line(menu), MENU_TEXT, language_text("Time: a good operator takes %s, the limit is %s"), par, limit);
    if (asked->scores_count > 0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Passed from %s points of 100"),
                 quantity_digits(asked->pass_mark, 4).number);
    }
    const SceneTrench *trench = &asked->trench;
    if (asked->kind == EXERCISE_TRENCH) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Measure: %s long, %s wide, %s deep, tolerance %s"),
                 quantity(QUANTITY_LENGTH, trench->length, units).text,
                 quantity(QUANTITY_LENGTH, trench->width, units).text,
                 quantity(QUANTITY_LENGTH, trench->depth, units).text,
                 quantity(QUANTITY_FINE, trench->tolerance, units).text);
    }
    if (asked->kind == EXERCISE_TRUCK_LOADING) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Load: %s in all"),
                 quantity(QUANTITY_TONNES, asked->truck.target_mass, units).text);
    }
    if (asked->surface.parts_count > 0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Surface: tolerance %s"),
                 quantity(QUANTITY_FINE, asked->surface.tolerance, units).text);
    }
    if (asked->rip.depth > 0.0) {
        snprintf(add_line(menu), MENU_TEXT, language_text("Rip: %s long, %s wide, %s deep"),
                 quantity(QUANTITY_LENGTH, asked->rip.length, units).text,
                 quantity(QUANTITY_LENGTH, asked->rip.width, units).text,
                 quantity(QUANTITY_LENGTH, asked->rip.depth, units).text);
    }
}

static void tell_steps(Menu *menu, const SceneExercise *asked, const Exercise *exercise)
{
    for (int k = 0; k < asked->steps_count; k++) {
        bool done = exercise != NULL && exercise_step_tick(exercise, k) > 0;
        char text[MENU_TEXT];
        snprintf(text, sizeof text, language_text("%s Step %d: %.120s"), done ? "[x]" : "[ ]", k + 1,
                 asked->steps[k].text);
        menu_tell_text(menu, text, LINE_LENGTH);
    }
}

static void tell_scores(Menu *menu, const SceneExercise *asked, const TextReader *reader)
{
    for (int k = 0; k < asked->scores_count; k++) {
        const SceneScore *score = &asked->scores[k];
        char full[SCORE_VALUE], zero[SCORE_VALUE], limit[SCORE_VALUE], fails[64] = "", text[MENU_TEXT];
        score_write_value(score->metric, score->full, reader, full);
        score_write_value(score->metric, score->zero, reader, zero);
        bool low = score->fail_below > -SCENE_NO_LIMIT;
        if (low || score->fail_above < SCENE_NO_LIMIT) {
            score_write_value(score->metric, low ? score->fail_below : score->fail_above, reader, limit);
            snprintf(fails, sizeof fails, language_text(low ? TEXT("; fails below %s") : TEXT("; fails above %s")),
                     limit);
        }
        snprintf(text, sizeof text, language_text("%s points: %.63s, from %.24s to %.24s%.48s"),
                 quantity_digits_for(reader, score->weight, 3).number, language_text(score_label(score)), zero, full,
                 fails);
        menu_tell_text(menu, text, LINE_LENGTH);
    }
}

static void tell_rules(Menu *menu, const SceneExercise *asked, const TextReader *reader)
{
    for (int k = 0; k < asked->rules_count; k++) {
        const SceneRule *rule = &asked->rules[k];
        char what[EVENT_TEXT], let[40] = "";
        event_rule_text(rule, reader, what);
        if (rule->limit > 0) {
            snprintf(let, sizeof let, language_text(", beyond %d"), rule->limit);
        }
        if (rule->fail) {
            snprintf(add_line(menu), MENU_TEXT, language_text("Ends the attempt: %.80s%.24s"), what, let);
        } else if (rule->points > 0.0) {
            snprintf(add_line(menu), MENU_TEXT, language_text("-%s points each time: %.80s%.24s"),
                     quantity_digits_for(reader, rule->points, 3).number, what, let);
        }
    }
}

void briefing_add(Menu *menu, const SceneExercise *asked, const Exercise *exercise, TextUnits units)
{
    const TextReader reader = {.units = units};
    menu_tell_text(menu, asked->goal, LINE_LENGTH);
    tell_task(menu, asked, units);
    tell_steps(menu, asked, exercise);
    tell_scores(menu, asked, &reader);
    tell_rules(menu, asked, &reader);
}
