/// Numbers and words of the HUD. Each format writes at most HUD_TEXT_LENGTH bytes with their end. Pure functions.
#ifndef SPADEWORK_RENDER_HUD_TEXT_H
#define SPADEWORK_RENDER_HUD_TEXT_H

#include <stdbool.h>

#include "render/render.h"

enum { HUD_TEXT_LENGTH = 48 };

void hud_format_time(double seconds, char text[HUD_TEXT_LENGTH]); ///< "4:07", "1:02:33"; not a number: "-:--"
void hud_format_mass(double kg, char text[HUD_TEXT_LENGTH]); ///< "640 kg", "12.4 t"
void hud_format_pressure(double pascal, char text[HUD_TEXT_LENGTH]); ///< "21.4 MPa"
void hud_format_force(double newton, char text[HUD_TEXT_LENGTH]); ///< "96 kN"
void hud_format_depth(double m, char text[HUD_TEXT_LENGTH]); ///< "1.25 m", "+0.40 m" above the level
void hud_format_speed(double rad_per_s, char text[HUD_TEXT_LENGTH]); ///< "1800"
void hud_format_count(int64_t count, char text[HUD_TEXT_LENGTH]); ///< "12 800 000", in groups of three
/// Writes "0.8x" when the simulation is slower than real time; false (and empty) from 0.98 on.
bool hud_format_badge(double real_time, char text[HUD_TEXT_LENGTH]);
/// Writes "2x", "0.25x", "paused".
void hud_format_replay(double speed, char text[HUD_TEXT_LENGTH]);

/// What a joystick shows: where its grip is (x right, y forward, -1..1) and what each way does.
typedef struct HudStick {
    double x, y;
    const char *ahead, *back, *left, *right;
} HudStick;
/// Tells what the left or the right joystick shows. The pattern "BHL" swaps boom and stick against "ISO", "DOZER" has
/// tracks and blade.
HudStick hud_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left);

#endif
