/// A window is a word; where it stands is a whole number behind an @.
#include "data/schema/sides.h"

#include <string.h>

enum { WORD = 16 };

static int find_camera(const char *text, size_t length)
{
    static const char *const names[CAMERA_COUNT] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
    };
    int k = 0;
    while (k < CAMERA_COUNT && !(strlen(names[k]) == length && strncmp(names[k], text, length) == 0)) {
        k++;
    }
    return k;
}

/// 0: it is no display.
static int read_display(const char *text)
{
    int display = 0;
    for (const char *digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9' || digit - text > 1) {
            return 0;
        }
        display = 10 * display + (*digit - '0');
    }
    return display <= SETTINGS_MOST_DISPLAYS ? display : 0;
}

bool sides_add(const char *text, SettingsSides *sides)
{
    size_t length = strcspn(text, "@");
    int camera = find_camera(text, length);
    int display = text[length] == '@' ? read_display(text + length + 1) : 0;
    if (camera == CAMERA_COUNT || (text[length] == '@' && display == 0) || sides->count == SETTINGS_MOST_SIDES) {
        return false;
    }
    sides->sides[sides->count++] = (SettingsSide){.camera = camera, .display = display};
    return true;
}

bool sides_read(const char *text, SettingsSides *sides)
{
    *sides = (SettingsSides){0};
    for (const char *at = text + strspn(text, ", "); *at != '\0'; at += strspn(at, ", ")) {
        char word[WORD] = "";
        size_t length = strcspn(at, ", ");
        if (length >= sizeof word) {
            return false;
        }
        memcpy(word, at, length);
        if (!sides_add(word, sides)) {
            return false;
        }
        at += length;
    }
    return true;
}
