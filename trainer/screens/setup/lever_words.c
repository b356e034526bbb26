/// Names of the levers, in the signs of data/core/operator_controls.h.
#include "trainer/screens/setup/lever_words.h"

#include <stddef.h>
#include <string.h>

LeverWords lever_words(ControlAxis axis)
{
    static const LeverWords words[CONTROL_COUNT] = {
        [CONTROL_SWING] = {"Swing", "left", "right"},
        [CONTROL_STICK] = {"Stick", "out", "in"},
        [CONTROL_BOOM] = {"Boom", "down", "up"},
        [CONTROL_BUCKET] = {"Bucket", "dump", "curl"},
        [CONTROL_LEFT_TRACK] = {"Track L", "back", "ahead"},
        [CONTROL_RIGHT_TRACK] = {"Track R", "back", "ahead"},
        [CONTROL_THROTTLE] = {"Engine", "idle", "full"},
        [CONTROL_BLADE] = {"Blade", "down", "up"},
        [CONTROL_BLADE_TILT] = {"Tilt", "left", "right"},
        [CONTROL_BLADE_ANGLE] = {"Angle", "left", "right"},
        [CONTROL_RIPPER] = {"Ripper", "up", "down"},
        [CONTROL_HORN] = {"Horn", "", "on"},
        [CONTROL_AUXILIARY] = {"Hammer", "", "on"},
    };
    return words[axis];
}

void lever_words_cut(char *bound)
{
    int commas = 0;
    char *end = NULL; // of the last binding that is kept
    for (char *p = bound; *p != '\0'; p++) {
        if (*p == ',' && ++commas <= 2) {
            end = p;
        }
    }
    char *plus = strstr(bound, " + ");
    if (end != NULL && (commas >= 2 || plus != NULL)) {
        *end = '\0';
    }
}
