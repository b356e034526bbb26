/// Broken files: one change to a good text each, and the line, column and words of the error that it must give.
#ifndef SPADEWORK_TESTS_BROKEN_H
#define SPADEWORK_TESTS_BROKEN_H

#include "data/schema/schema.h"
#include "tests/support/test.h"

/// `find` (its first place in the text) becomes `replace`; the | in it marks where the error must point.
typedef struct Broken {
    const char *find, *replace, *says;
} Broken;

/// Applies one change; `line` and `column` receive the marked place (0 without a mark).
static inline char *change(const char *good, const Broken *broken, int *line, int *column)
{
    const char *at = strstr(good, broken->find);
    if (!at) {
        fail_msg("the good text has no \"%s\"", broken->find);
        return NULL;
    }
    size_t before = (size_t)(at - good);
    char *text = malloc(strlen(good) + strlen(broken->replace) + 1);
    assert_non_null(text);
    memcpy(text, good, before);
    strcpy(text + before, broken->replace);
    char *mark = strchr(text + before, '|');
    *line = *column = 0;
    if (mark) {
        memmove(mark, mark + 1, strlen(mark));
        *line = *column = 1;
        for (const char *c = text; c < mark; ++c) {
            *column = *c == '\n' ? 1 : *column + 1;
            *line += *c == '\n';
        }
    }
    strcat(text, at + strlen(broken->find));
    return text;
}

static inline void check_broken(const char *good, const Broken *broken, size_t count)
{
    Status status;
    if (!data_check_text("good.yaml", good, strlen(good), &status)) {
        fail_msg("the good text is refused: %s", status.text);
    }
    for (size_t i = 0; i < count; ++i) {
        int line = 0, column = 0;
        char *text = change(good, &broken[i], &line, &column);
        bool accepted = data_check_text("bad.yaml", text, strlen(text), &status);
        free(text);
        if (accepted) {
            fail_msg("\"%s\" is accepted", broken[i].replace);
        }
        assert_int_equal(status.code, STATUS_BAD_FILE);
        char place[64] = "bad.yaml";
        if (line > 0) {
            snprintf(place, sizeof place, "bad.yaml:%d:%d: ", line, column);
        }
        if (strncmp(status.text, place, strlen(place)) != 0 || !strstr(status.text, broken[i].says) ||
            strchr(status.text, '\n')) {
            fail_msg("\"%s\" gives \"%s\", expected \"%s...%s\"", broken[i].replace, status.text, place,
                     broken[i].says);
        }
    }
}

#endif
