/// Writes numbers as the panels show them, and words for what levers do. Values are rounded to what an operator can use
/// (10 rpm, 1 cm), so that figures do not flicker.
#include "render/panels/hud_text.h"

#include "render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

void hud_format_time(double seconds, char text[HUD_TEXT_LENGTH])
{
    if (!(seconds >= 0.0 && seconds < 360000.0)) {
        snprintf(text, HUD_TEXT_LENGTH, "-:--");
        return;
    }
    int whole = (int)seconds, hours = whole / 3600, minutes = whole / 60 % 60;
    if (hours > 0) {
        snprintf(text, HUD_TEXT_LENGTH, "%d:%02d:%02d", hours, minutes, whole % 60);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%d:%02d", minutes, whole % 60);
    }
}

void hud_format_depth(double m, TextUnits units, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%s", quantity(m < 0.0 ? QUANTITY_RISE : QUANTITY_LENGTH, fabs(m), units).text);
}

void hud_format_speed(double rad_per_s, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.0f", 10.0 * round(fmax(rad_per_s, 0.0) * 30.0 / M_PI / 10.0));
}

void hud_format_count(int64_t count, char text[HUD_TEXT_LENGTH])
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%" PRId64, count), written = 0;
    int first = digits[0] == '-' ? 1 : 0;
    for (int k = 0; k < length; k++) {
        if (k > first && (length - k) % 3 == 0) {
            written += snprintf(text + written, HUD_TEXT_LENGTH - (size_t)written, "\u2009"); // a thin space
        }
        text[written++] = digits[k];
    }
    text[written] = '\0';
}

bool hud_format_badge(double real_time, char text[HUD_TEXT_LENGTH])
{
    text[0] = '\0';
    if (!(real_time > 0.0 && real_time < 0.98)) {
        return false;
    }
    snprintf(text, HUD_TEXT_LENGTH, "%s\u00d7", quantity_number(fmin(real_time, 0.9), real_time < 0.095 ? 2 : 1).text);
    return true;
}

void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH])
{
    if (speed > 0.0) {
        snprintf(text, HUD_TEXT_LENGTH, "%s\u00d7", quantity_digits(speed, 6).text);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%s", language_text("paused"));
    }
}

HudStick hud_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left)
{
    bool backhoe = pattern != NULL && strcasecmp(pattern, "BHL") == 0;
    bool moves_stick = left != backhoe;
    HudStick stick = {0};
    double at[2];
    render_stick(levers, pattern, left, at);
    stick.x = at[0];
    stick.y = at[1];
    if (pattern != NULL && strcasecmp(pattern, "DOZER") == 0) {
        stick.ahead = language_text(left ? TEXT("ahead") : TEXT("blade down"));
        stick.back = language_text(left ? TEXT("back") : TEXT("blade up"));
        stick.left = stick.right = language_text(left ? TEXT("steer") : TEXT("tilt"));
        return stick;
    }
    stick.ahead = language_text(moves_stick ? TEXT("stick out") : TEXT("boom down"));
    stick.back = language_text(moves_stick ? TEXT("stick in") : TEXT("boom up"));
    stick.left = language_text(left ? TEXT("swing") : TEXT("curl"));
    stick.right = language_text(left ? TEXT("swing") : TEXT("dump"));
    return stick;
}
