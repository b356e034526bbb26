/// Splits the hands off the name: what stands before ", clumsy " is who drove.
#include "trainer/language/operator_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/language/language.h"
#include "data/language/quantity.h"

#define HANDS  ", clumsy "
#define EXPERT "expert"

static const char *const names[][2] = {{"person", TEXT("a person")},
                                       {"gamepad", TEXT("a person with a gamepad")},
                                       {"keyboard", TEXT("a person at the keyboard")},
                                       {"auto", TEXT("the program")},
                                       {EXPERT, TEXT("the program as an expert")}};

void operator_words(const char *name, char *text, size_t size)
{
    char who[256];
    const char *hands = strstr(name, HANDS);
    snprintf(who, sizeof who, "%.*s", hands != NULL ? (int)(hands - name) : (int)strlen(name), name);
    if (strncmp(who, EXPERT ":", strlen(EXPERT ":")) == 0) {
        who[strlen(EXPERT)] = '\0'; // whose list of actions it is tells nobody anything
    }
    const char *said = NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        said = strcmp(who, names[k][0]) == 0 ? language_text(names[k][1]) : said;
    }
    if (said == NULL) {
        snprintf(text, size, language_text("the script %s"), who);
    } else if (hands != NULL) {
        snprintf(text, size, language_text("%s with a beginner's hands (%s)"), said,
                 quantity_number(strtod(hands + strlen(HANDS), NULL), 2).number);
    } else {
        snprintf(text, size, "%s", said);
    }
}
