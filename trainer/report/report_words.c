/// Puts drivers, credits and seals into words, and scenes into the reader's language. Facts come as fields (credit.h):
/// of an operator's name only the kind of a person's devices and a script's path are read.
#include "trainer/report/report_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/scene_params.h"

static const char *text_in(const char *english, bool translated) __attribute__((format_arg(1)));

static const char *text_in(const char *english, bool translated)
{
    return translated ? language_text(english) : english;
}

/// ---- drivers and credit --------------------------------------------------------------------------------------------

enum { CLOCK = 48 };

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
        snprintf(text, size, language_text("the script %s"), name);
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

/// "0:35.7"
static void print_clock(double seconds, const char *mark, char text[CLOCK])
{
    int tenths = (int)fmin(fmax(0.0, round(10.0 * seconds)), 1e9);
    snprintf(text, CLOCK, "%d:%02d%s%d", tenths / 600, tenths / 10 % 60, mark, tenths % 10);
}

static void write_credit(const Credit *credit, const char *trainee, bool translated, char text[CREDIT_WORDS])
{
    char at[CLOCK];
    print_clock(credit->from, translated ? language_decimal_mark() : ".", at);
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
    for (int k = 0; k < scene->exercise.scores_count; k++) {
        SceneScore *score = &scene->exercise.scores[k];
        const char *phrase = metric_infos[score->metric].phrase, *translation = language_text(phrase);
        if (score->label[0] == '\0' && strcmp(phrase, translation) != 0) {
            put_translation(score->label, sizeof score->label, translation);
        }
    }
}
