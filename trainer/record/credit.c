/// Names of drivers, and the rules that follow from who drove.
#include "trainer/record/credit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/status.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"

#define HANDS ", clumsy " ///< stands between an operator's name and its clumsiness

static const char *const names[CREDIT_DRIVERS] = {
    [CREDIT_PERSON] = "person",
    [CREDIT_AUTO] = "auto",
    [CREDIT_EXPERT] = "expert",
    [CREDIT_SCRIPT] = "script",
};

const char *credit_driver_name(CreditDriver driver)
{
    return names[driver];
}

bool credit_driver_named(const char *name, CreditDriver *driver)
{
    for (int k = 0; k < CREDIT_DRIVERS; k++) {
        if (strcmp(name, names[k]) == 0) {
            *driver = (CreditDriver)k;
            return true;
        }
    }
    return false;
}

/// True when `name` is `word`, or goes on behind it with `more` or with the hands.
static bool is_word(const char *name, const char *word, const char *more)
{
    size_t length = strlen(word);
    const char *rest = name + length;
    return strncmp(name, word, length) == 0 &&
           (*rest == '\0' || strncmp(rest, HANDS, strlen(HANDS)) == 0 || (more[0] != '\0' && *rest == more[0]));
}

void credit_of_operator(const char *operator_name, Credit *credit)
{
    static const char *const people[] = {"", "person", "gamepad", "keyboard"};
    credit->driver = is_word(operator_name, "auto", "")      ? CREDIT_AUTO
                     : is_word(operator_name, "expert", ":") ? CREDIT_EXPERT
                                                             : CREDIT_SCRIPT;
    for (size_t k = 0; k < sizeof people / sizeof people[0]; k++) {
        credit->driver = strcmp(operator_name, people[k]) == 0 ? CREDIT_PERSON : credit->driver;
    }
    const char *hands = strstr(operator_name, HANDS);
    bool plays = credit->driver == CREDIT_AUTO || credit->driver == CREDIT_EXPERT;
    double clumsy = plays && hands != NULL ? strtod(hands + strlen(HANDS), NULL) : 0.0;
    credit->clumsy = clumsy > 0.0 && clumsy <= 1.0 ? clumsy : 0.0;
}

void credit_begin_in(Credit *credit, const char *path, double from)
{
    snprintf(credit->parent, sizeof credit->parent, "%s", path != NULL ? file_name_of(path) : "");
    visible_text_mask(credit->parent, false);
    credit->from = from;
}

void credit_list_changes(const char *const *set, int count, char changed[CREDIT_CHANGED])
{
    char all[4 * CREDIT_CHANGED] = "";
    for (int k = 0; k < count; k++) {
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", k > 0 ? "; " : "", set[k]);
    }
    visible_text_mask(all, false);
    status_copy_text(changed, CREDIT_CHANGED, all);
}

bool credit_is_comparable(const char *changed)
{
    static const char weather[] = "weather.";
    const char *part = changed[0] != '\0' ? changed : NULL;
    while (part != NULL && strncmp(part, weather, sizeof weather - 1) == 0) {
        part = strstr(part, "; ");
        part = part != NULL ? part + 2 : NULL;
    }
    return part == NULL;
}

bool credit_are_comparable(const char *changed, const char *other)
{
    return strcmp(changed, other) == 0 || (credit_is_comparable(changed) && credit_is_comparable(other));
}

bool credit_is_practice(const Credit *credit)
{
    return credit->parent[0] != '\0';
}

bool credit_is_scripted(const Credit *credit)
{
    return credit->driver != CREDIT_PERSON;
}

bool credit_counts(const Credit *credit, const char *trainee)
{
    bool named = trainee != NULL && trainee[0] != '\0';
    return !credit_is_practice(credit) && !(named && credit_is_scripted(credit));
}

bool credit_is_expert(const Credit *credit, const char *trainee)
{
    bool named = trainee != NULL && trainee[0] != '\0';
    return !named && (credit->driver == CREDIT_AUTO || credit->driver == CREDIT_EXPERT) && credit->clumsy == 0.0 &&
           !credit_is_practice(credit);
}
