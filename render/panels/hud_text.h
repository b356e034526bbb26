/// Numbers and words of the HUD that have no unit, or need two (data/core/quantity.h has the rest). Each format
/// writes at most HUD_TEXT_LENGTH bytes with their end. Pure functions but for the language.
#ifndef SPADEWORK_RENDER_HUD_TEXT_H
#define SPADEWORK_RENDER_HUD_TEXT_H

#include <stdbool.h>

#include "render/render.h"

enum { HUD_TEXT_LENGTH = 48 };

void hud_format_time(double seconds, char text[HUD_TEXT_LENGTH]); ///< "4:07", "1:02:33"; not a number: "-:--"
/// Writes a depth (m): "1.25 m", "+0.40 m" above the level.
void hud_format_depth(double m, TextUnits units, char text[HUD_TEXT_LENGTH]);
void hud_format_speed(double rad_per_s, char text[HUD_TEXT_LENGTH]); ///< "1800"
void hud_format_count(int64_t count, char text[HUD_TEXT_LENGTH]); ///< "12 800 000", in groups of three
/// Writes "0.8×" when the simulation is slower than real time; false (and empty) from 0.98 on.
bool hud_format_badge(double real_time, char text[HUD_TEXT_LENGTH]);
/// Writes "2×", "0.25×", "paused".
void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH]);

/// What a joystick shows: where its grip is (x right, y forward, -1..1) and what each way does, in
/// the language of who reads.
typedef struct HudStick {
    double x, y;
    const char *ahead, *back, *left, *right;
} HudStick;
/// Tells what the left or the right joystick shows. The pattern "BHL" swaps boom and stick against "ISO", "DOZER" has
/// tracks and blade.
HudStick hud_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left);

#endif
