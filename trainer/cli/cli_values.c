/// Reads one value of the command line at a time, whole and within its range, or says what is allowed.
#include "trainer/cli/cli_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/settings_params.h"
#include "data/schema/sides.h"

#define CAMERA_WORD(id, name) " " name
#define CAMERA_WORDS          CAMERAS(CAMERA_WORD)

bool cli_read_real(const char *option, const char *text, double lowest, double highest, double *value, Status *status)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < lowest || number > highest) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: a number from %g to %g is allowed", option, text,
                           lowest, highest);
    }
    *value = number;
    return true;
}

bool cli_read_whole(const char *option, const char *text, uint64_t lowest, uint64_t highest, uint64_t *value,
                    Status *status)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < lowest || number > highest) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: a whole number from %llu to %llu is allowed", option,
                           text, (unsigned long long)lowest, (unsigned long long)highest);
    }
    *value = number;
    return true;
}

bool cli_read_text(const char *option, const char *text, const char **value, Status *status)
{
    if (text[0] == '\0') {
        return status_fail(status, STATUS_BAD_USAGE, "%s: is given an empty value", option);
    }
    *value = text;
    return true;
}

bool cli_read_solver(const char *text, SoilSolver *solver, Status *status)
{
    if (strcmp(text, "default") == 0) {
        *solver = SOIL_SOLVER_DEFAULT;
    } else if (strcmp(text, "p2") == 0) {
        *solver = SOIL_SOLVER_P2;
    } else if (strcmp(text, "gs") == 0) {
        *solver = SOIL_SOLVER_GS;
    } else {
        return status_fail(status, STATUS_BAD_USAGE, "--solver %.80s: default, p2 or gs is allowed", text);
    }
    return true;
}

/// Finds a word among `count` names; -1: it is none of them.
static int word_of(const char *text, const char *const *names, int count)
{
    int k = 0;
    while (k < count && strcmp(text, names[k]) != 0) {
        k++;
    }
    return k < count ? k : -1;
}

bool cli_read_camera(const char *text, int *camera, Status *status)
{
    static const char *const names[] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
    };
    *camera = word_of(text, names, CAMERA_COUNT);
    return *camera >= 0 ||
           status_fail(status, STATUS_BAD_USAGE, "--camera %.80s: allowed is one of" CAMERA_WORDS, text);
}

/// The value of a word, -1: it is none of an option's.
static int view_of(const char *option, const char *text)
{
    static const char *const rear[] = {"off", "auto", "on"}, *const mirrors[] = {"auto", "off", "on"};
    static const char *const screens[] = {"", "1", "", "3"}, *const eyes[] = {"", "1", "2"};
    if (strcmp(option, "--inset") == 0) {
        Status unused;
        int camera = -1;
        bool off = strcmp(text, "off") == 0;
        return off ? 0 : cli_read_camera(text, &camera, &unused) ? 1 + camera : -1;
    }
    return text[0] == '\0'                    ? -1
           : strcmp(option, "--rear") == 0    ? word_of(text, rear, 3)
           : strcmp(option, "--mirrors") == 0 ? word_of(text, mirrors, 3)
           : strcmp(option, "--screens") == 0 ? word_of(text, screens, 4)
                                              : word_of(text, eyes, 3);
}

bool cli_read_view(const char *option, const char *text, int *value, Status *status)
{
    *value = 1 + view_of(option, text);
    if (*value > 0) {
        return true;
    }
    if (strcmp(option, "--inset") == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: allowed is off or one of" CAMERA_WORDS, option, text);
    }
    return status_fail(status, STATUS_BAD_USAGE, "%s %.80s: %s is allowed", option, text,
                       strcmp(option, "--screens") == 0 ? "1 or 3"
                       : strcmp(option, "--eyes") == 0  ? "1 or 2"
                                                        : "off, auto or on");
}

bool cli_read_window(const char *text, SettingsSides *windows, Status *status)
{
    if (windows->count == SETTINGS_MOST_SIDES) {
        return status_fail(status, STATUS_BAD_USAGE, "--window %.80s: at most %d are allowed", text,
                           SETTINGS_MOST_SIDES);
    }
    return sides_add(text, windows) ||
           status_fail(status, STATUS_BAD_USAGE,
                       "--window %.80s: allowed is one of" CAMERA_WORDS ", with @1 to @%d behind it or without", text,
                       SETTINGS_MOST_DISPLAYS);
}

bool cli_read_quality(const char *text, int *quality, Status *status)
{
    static const char *const names[] = {"auto", "high", "medium", "low"};
    *quality = word_of(text, names, 4) + 1;
    return *quality > 0 ||
           status_fail(status, STATUS_BAD_USAGE, "--quality %.80s: auto, high, medium or low is allowed", text);
}

bool cli_read_size(const char *text, int *width, int *height, Status *status)
{
    enum { LEAST = 16, MOST = 8192 };
    char *end = NULL;
    long w = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
    const char *second = end != NULL && *end == 'x' ? end + 1 : "";
    long h = second[0] >= '0' && second[0] <= '9' ? strtol(second, &end, 10) : 0;
    if (h == 0 || *end != '\0' || w < LEAST || w > MOST || h < LEAST || h > MOST) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--size %.80s: WIDTHxHEIGHT is expected, each from %d to %d pixels", text, LEAST, MOST);
    }
    *width = (int)w;
    *height = (int)h;
    return true;
}
