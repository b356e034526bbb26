/// Words for drivers and for what a drive counts as. Facts come as fields (credit.h); of an operator's name only the
/// kind of a person's devices and a script's path are read.
#include "trainer/report/report_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

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

static const char *say(const char *english, bool translated) __attribute__((format_arg(1)));

static const char *say(const char *english, bool translated)
{
    return translated ? language_text(english) : english;
}

static void write_words(const Credit *credit, const char *trainee, bool translated, char text[CREDIT_WORDS])
{
    char at[CLOCK];
    print_clock(credit->from, translated ? language_decimal_mark() : ".", at);
    if (credit_counts(credit, trainee)) {
        text[0] = '\0';
    } else if (!credit_is_practice(credit)) {
        snprintf(text, CREDIT_WORDS, "%s",
                 say(TEXT("A scripted run under a trainee's name: it passes nothing"), translated));
    } else if (credit->from < 0.0) {
        snprintf(text, CREDIT_WORDS, say(TEXT("Practice that began in %s: it passes nothing"), translated),
                 credit->parent);
    } else {
        snprintf(text, CREDIT_WORDS, say(TEXT("Practice from %s of %s on: it passes nothing"), translated), at,
                 credit->parent);
    }
}

void credit_words(const Credit *credit, const char *trainee, char text[CREDIT_WORDS])
{
    write_words(credit, trainee, true, text);
}

void credit_words_plain(const Credit *credit, const char *trainee, char text[CREDIT_WORDS])
{
    write_words(credit, trainee, false, text);
}
