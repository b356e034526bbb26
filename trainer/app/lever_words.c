/// Names of the levers, in the signs of data/core/operator_controls.h.
#include "trainer/app/lever_words.h"

#include <stddef.h>
#include <string.h>

#include "data/core/language.h"

LeverWords lever_words(ControlAxis axis)
{
    static const LeverWords words[CONTROL_COUNT] = {
        [CONTROL_SWING] = {TEXT("Swing"), TEXT("left"), TEXT("right")},
        [CONTROL_STICK] = {TEXT("Stick"), TEXT("out"), TEXT("in")},
        [CONTROL_BOOM] = {TEXT("Boom"), TEXT("down"), TEXT("up")},
        [CONTROL_BUCKET] = {TEXT("Bucket"), TEXT("dump"), TEXT("curl")},
        [CONTROL_LEFT_TRACK] = {TEXT("Track L"), TEXT("back"), TEXT("ahead")},
        [CONTROL_RIGHT_TRACK] = {TEXT("Track R"), TEXT("back"), TEXT("ahead")},
        [CONTROL_THROTTLE] = {TEXT("Engine"), TEXT("idle"), TEXT("full")},
        [CONTROL_BLADE] = {TEXT("Blade"), TEXT("down"), TEXT("up")},
        [CONTROL_BLADE_TILT] = {TEXT("Tilt"), TEXT("left"), TEXT("right")},
        [CONTROL_BLADE_ANGLE] = {TEXT("Angle"), TEXT("left"), TEXT("right")},
        [CONTROL_RIPPER] = {TEXT("Ripper"), TEXT("up"), TEXT("down")},
        [CONTROL_HORN] = {TEXT("Horn"), "", TEXT("on")},
        [CONTROL_AUXILIARY] = {TEXT("Hammer"), "", TEXT("on")},
        [CONTROL_ANSWER] = {"", "", ""},
    };
    const LeverWords *row = &words[axis];
    return (LeverWords){language_text(row->lever), row->less[0] != '\0' ? language_text(row->less) : "",
                        language_text(row->more)};
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
