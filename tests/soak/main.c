/// `soak`: sessions of hours, and random scripts of seconds, that must break nothing. tests/soak.sh runs it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>

#include "tests/soak/soak.h"

static int messages;

static void hear(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
    messages++;
}

int soak_messages(void)
{
    return messages;
}

static const char help[] =
    "usage: soak parts\n"
    "       soak drive PART HOURS FOLDER\n"
    "       soak scripts COUNT SEED FOLDER\n"
    "       soak repeat SCENE FILE.csv SECONDS [KEY=VALUE...]\n"
    "drive: one of the parts for simulated hours, above 0 to 100. scripts: COUNT (1..1000000) from SEED (0..2^53) on.\n"
    "repeat: one script. What is found is written into FOLDER. Exit codes: 0 good, 1 something was wrong, 2 bad "
    "usage.\n";

/// Reads a number between two; ends the program when it is none.
static double read_number(const char *text, double low, double high)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (text[0] == '\0' || *end != '\0' || !(value >= low && value <= high)) {
        fprintf(stderr, "soak: %.60s: a number from %g to %g is allowed\n", text, low, high);
        exit(2);
    }
    return value;
}

void soak_worse(WatchFigures *worst, const WatchFigures *other)
{
#define X(name) worst->name = fmax(worst->name, other->name);
    WATCH_FIGURES(X)
#undef X
}

void soak_print_figures(const char *text, const WatchFigures *figures)
{
    printf("%s", text);
#define X(name) printf(" %s=%.4g", #name, figures->name);
    WATCH_FIGURES(X)
#undef X
    putchar('\n');
}

int main(int count, char **arguments)
{
    dSetMessageHandler(hear);
    const char *command = count > 1 ? arguments[1] : "";
    if (strcmp(command, "parts") == 0 && count == 2) {
        soak_list_parts();
        return 0;
    }
    if (strcmp(command, "drive") == 0 && count == 5) {
        return soak_drive(arguments[2], read_number(arguments[3], 1e-3, 100.0), arguments[4]);
    }
    if (strcmp(command, "scripts") == 0 && count == 5) {
        return soak_scripts((int)read_number(arguments[2], 1, 1e6),
                            (uint64_t)read_number(arguments[3], 0, 9007199254740992.0), arguments[4]);
    }
    if (strcmp(command, "repeat") == 0 && count >= 5) {
        return soak_repeat(arguments[2], arguments[3], read_number(arguments[4], 1e-3, 1e5),
                           (const char *const *)(arguments + 5), count - 5);
    }
    fputs(help, stderr);
    return 2;
}
