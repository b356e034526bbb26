/// Writes numbers as the panels show them, and words for what levers do. Values are rounded to what an operator can use
/// (10 kg, 10 rpm, 1 cm), so that figures do not flicker.
#include "render/panels/hud_text.h"

#include "render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

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

void hud_format_mass(double kg, char text[HUD_TEXT_LENGTH])
{
    if (fabs(kg) < 9995.0) {
        snprintf(text, HUD_TEXT_LENGTH, "%.0f kg", 10.0 * round(fabs(kg) < 4.9 ? 0.0 : kg / 10.0));
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%.1f t", kg / 1000.0);
    }
}

void hud_format_pressure(double pascal, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.1f MPa", fmax(pascal, 0.0) / 1e6);
}

void hud_format_force(double newton, char text[HUD_TEXT_LENGTH])
{
    snprintf(text, HUD_TEXT_LENGTH, "%.0f kN", fmax(newton, 0.0) / 1e3);
}

void hud_format_depth(double m, char text[HUD_TEXT_LENGTH])
{
    double shown = round(100.0 * m) / 100.0;
    if (shown < 0.0) {
        snprintf(text, HUD_TEXT_LENGTH, "+%.2f m", -shown);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "%.2f m", fabs(shown));
    }
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
    snprintf(text, HUD_TEXT_LENGTH, "%.*fx", real_time < 0.095 ? 2 : 1, fmin(real_time, 0.9));
    return true;
}

void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH])
{
    if (speed > 0.0) {
        snprintf(text, HUD_TEXT_LENGTH, "%gx", speed);
    } else {
        snprintf(text, HUD_TEXT_LENGTH, "paused");
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
        stick.ahead = left ? "ahead" : "blade down";
        stick.back = left ? "back" : "blade up";
        stick.left = stick.right = left ? "steer" : "tilt";
        return stick;
    }
    stick.ahead = moves_stick ? "stick out" : "boom down";
    stick.back = moves_stick ? "stick in" : "boom up";
    stick.left = left ? "swing" : "curl";
    stick.right = left ? "swing" : "dump";
    return stick;
}
