/// Draws the picture of the controls (controls_picture.h): the device above, the machine below, seen from the side and
/// from above. Each lever has a colour, which its inputs and its part of the machine share.
#include "render/panels/controls_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/panels/canvas.h"

/// The drawing is laid out on a sheet of this size and scaled to its place.
static const double sheet_width = 720.0, sheet_height = 500.0;
static const double machine_top = 306.0, ground = 470.0; ///< of the sheet
static const double lit = 0.02; ///< of a lever's way: less moves nothing
static const double cap = 46.0, cap_pitch = 49.0, row_pitch = 50.0; ///< of keys

static CanvasColor color_of(ControlAxis axis)
{
    static const CanvasColor colors[CONTROL_COUNT] = {
        [CONTROL_SWING] = {0.30, 0.76, 0.88, 1.0},       [CONTROL_STICK] = {0.52, 0.82, 0.38, 1.0},
        [CONTROL_BOOM] = {1.00, 0.64, 0.22, 1.0},        [CONTROL_BUCKET] = {0.93, 0.50, 0.76, 1.0},
        [CONTROL_LEFT_TRACK] = {0.68, 0.66, 0.98, 1.0},  [CONTROL_RIGHT_TRACK] = {0.68, 0.66, 0.98, 1.0},
        [CONTROL_BLADE] = {1.00, 0.64, 0.22, 1.0},       [CONTROL_BLADE_TILT] = {0.52, 0.82, 0.38, 1.0},
        [CONTROL_BLADE_ANGLE] = {0.30, 0.76, 0.88, 1.0}, [CONTROL_RIPPER] = {0.93, 0.50, 0.76, 1.0},
    };
    return axis < CONTROL_COUNT && colors[axis].a > 0.0 ? colors[axis] : canvas_soft;
}

static CanvasColor faded(CanvasColor color, double opacity)
{
    color.a = opacity;
    return color;
}

/// Fills the current path and draws its edge: bright where it is lit.
static void paint(cairo_t *cairo, CanvasColor color, bool bright)
{
    canvas_color(cairo, bright ? color : faded(color, 0.20));
    cairo_fill_preserve(cairo);
    canvas_color(cairo, bright ? canvas_text : faded(color, 0.75));
    cairo_set_line_width(cairo, 1.5);
    cairo_stroke(cairo);
}

/// ---- the device ----------------------------------------------------------------------------------------------------

static void draw_key(cairo_t *cairo, const RenderControlInput *key)
{
    const CanvasColor dark = {0.08, 0.07, 0.04, 1.0};
    double x = 8.0 + cap_pitch * key->x, y = 6.0 + row_pitch * key->y, width = cap + cap_pitch * (key->width - 1.0);
    bool bound = key->words[0][0] != '\0', down = key->value[0] > 0.5;
    CanvasColor color = color_of(key->axis[0]);
    canvas_rounded(cairo, x, y, width, cap, 6.0);
    canvas_color(cairo, down    ? (bound ? color : canvas_soft)
                        : bound ? faded(color, 0.22)
                                : (CanvasColor){1, 1, 1, 0.05});
    cairo_fill(cairo);
    CanvasColor ink = down ? dark : bound ? canvas_text : faded(canvas_soft, 0.5);
    canvas_fitted_line(cairo, x + 0.5 * width, y + 4.0, 14.0, bound, CANVAS_CENTER, width - 4.0, ink, key->label);
    if (bound) {
        canvas_fitted_line(cairo, x + 0.5 * width, y + 26.0, 11.0, false, CANVAS_CENTER, width - 3.0,
                           down ? dark : color, key->words[0]);
    }
}

/// Draws a gate around (x, y) with its grip, what its ways do, and its name above.
static void draw_gate(cairo_t *cairo, const RenderControlInput *stick, double x, double y)
{
    const double r = 54.0, half = 112.0;
    double to_x = x + stick->value[0] * (r - 12.0), to_y = y - stick->value[1] * (r - 12.0);
    canvas_rounded(cairo, x - r, y - r, 2.0 * r, 2.0 * r, 14.0);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.07});
    cairo_fill(cairo);
    canvas_color(cairo, canvas_faint);
    cairo_set_line_width(cairo, 1.0);
    cairo_move_to(cairo, x - r, y);
    cairo_line_to(cairo, x + r, y);
    cairo_move_to(cairo, x, y - r);
    cairo_line_to(cairo, x, y + r);
    cairo_stroke(cairo);
    canvas_color(cairo, faded(canvas_accent, 0.4));
    cairo_set_line_width(cairo, 7.0);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, to_x, to_y);
    cairo_stroke(cairo);
    canvas_color(cairo, canvas_accent);
    cairo_arc(cairo, to_x, to_y, 11.0, 0.0, 2.0 * M_PI);
    cairo_fill(cairo);
    const bool at[RENDER_CONTROL_WAYS] = {stick->value[0] > 0.1, stick->value[0]<-0.1, stick->value[1]> 0.1,
                                          stick->value[1] < -0.1};
    canvas_fitted_line(cairo, x, y - r - 38.0, 12.5, true, CANVAS_CENTER, 2.0 * half, canvas_soft, stick->label);
    for (int k = 0; k < RENDER_CONTROL_WAYS; k++) {
        static const char *const arrows[RENDER_CONTROL_WAYS] = {"\u25b8", "\u25c2", "\u25b4", "\u25be"};
        char text[RENDER_CONTROL_WORDS + 8];
        const char *first = k == 0 ? stick->words[k] : arrows[k], *second = k == 0 ? arrows[k] : stick->words[k];
        snprintf(text, sizeof text, "%s %s", first, second);
        double across = k == 0 ? x + 5.0 : k == 1 ? x - 5.0 : x;
        double down = k == 2 ? y - r - 20.0 : k == 3 ? y + r + 4.0 : y + r + 21.0;
        CanvasAlign align = k == 0 ? CANVAS_LEFT : k == 1 ? CANVAS_RIGHT : CANVAS_CENTER;
        canvas_fitted_line(cairo, across, down, 12.0, at[k], align, k < 2 ? half : 2.0 * half,
                           stick->words[k][0] == '\0' ? faded(canvas_soft, 0.5)
                           : at[k]                    ? canvas_text
                                                      : color_of(stick->axis[k]),
                           text);
    }
}

/// Draws a trigger, pedal or single axis as a bar with its name above and what it does below.
static void draw_pedal(cairo_t *cairo, const RenderControlInput *pedal, double x, double width)
{
    const double bar = 0.72 * width;
    CanvasColor color = color_of(pedal->axis[0]);
    bool moves = fabs(pedal->value[0]) > 0.1;
    char text[2 * RENDER_CONTROL_WORDS + 8];
    snprintf(text, sizeof text, "%s%s%s", pedal->words[0], pedal->words[1][0] != '\0' ? " / " : "", pedal->words[1]);
    canvas_fitted_line(cairo, x, 2.0, 12.0, true, CANVAS_CENTER, width - 6.0, canvas_soft, pedal->label);
    if (pedal->both_ways) {
        canvas_two_way_bar(cairo, x - 0.5 * bar, 22.0, bar, 9.0, pedal->value[0], color);
    } else {
        canvas_bar(cairo, x - 0.5 * bar, 22.0, bar, 9.0, pedal->value[0], -1.0, color);
    }
    canvas_fitted_line(cairo, x, 34.0, 12.0, moves, CANVAS_CENTER, width - 6.0, moves ? canvas_text : color, text);
}

static int count_of(const RenderControlsPicture *picture, RenderInputShape shape)
{
    int count = 0;
    for (int k = 0; k < picture->input_count; k++) {
        count += picture->inputs[k].shape == shape;
    }
    return count;
}

/// Draws the outline of a gamepad behind its sticks.
static void draw_pad_body(cairo_t *cairo)
{
    cairo_new_path(cairo);
    cairo_move_to(cairo, 150.0, 62.0);
    cairo_curve_to(cairo, 290.0, 50.0, 430.0, 50.0, 570.0, 62.0);
    cairo_curve_to(cairo, 700.0, 70.0, 735.0, 250.0, 690.0, 292.0);
    cairo_curve_to(cairo, 640.0, 304.0, 560.0, 296.0, 470.0, 292.0);
    cairo_line_to(cairo, 250.0, 292.0);
    cairo_curve_to(cairo, 160.0, 296.0, 80.0, 304.0, 30.0, 292.0);
    cairo_curve_to(cairo, -15.0, 250.0, 20.0, 70.0, 150.0, 62.0);
    cairo_close_path(cairo);
    canvas_color(cairo, (CanvasColor){1.0, 1.0, 1.0, 0.05});
    cairo_fill_preserve(cairo);
    canvas_color(cairo, canvas_faint);
    cairo_set_line_width(cairo, 2.0);
    cairo_stroke(cairo);
}

/// Draws the list of buttons in the middle between two gates, in letters of one size.
static void draw_buttons(cairo_t *cairo, const RenderControlsPicture *picture)
{
    const double from = 238.0, to = 482.0, top = 66.0, room = 222.0, share = 0.52; // of the width: of the names
    int count = count_of(picture, RENDER_INPUT_BUTTON), line = 0;
    double pitch = fmin(17.0, room / fmax(count, 1.0)), usual = fmin(12.0, 0.8 * pitch), size = usual;
    double width = to - from;
    for (int k = 0; k < picture->input_count; k++) {
        const RenderControlInput *button = &picture->inputs[k];
        if (button->shape == RENDER_INPUT_BUTTON) {
            size = fmin(size, canvas_fitting_size(cairo, usual, false, share * width, button->label));
            size = fmin(size, canvas_fitting_size(cairo, usual, false, (1.0 - share) * width - 6.0, button->words[0]));
        }
    }
    for (int k = 0; k < picture->input_count; k++) {
        const RenderControlInput *button = &picture->inputs[k];
        if (button->shape != RENDER_INPUT_BUTTON) {
            continue;
        }
        double y = top + pitch * line++;
        bool down = button->value[0] > 0.5;
        canvas_line(cairo, from, y, size, false, CANVAS_LEFT, share * width, down ? canvas_accent : canvas_soft,
                    button->label);
        canvas_line(cairo, to, y, size, false, CANVAS_RIGHT, (1.0 - share) * width - 6.0,
                    down ? canvas_text : color_of(button->axis[0]), button->words[0]);
    }
}

/// Draws sticks, bars and buttons: a gamepad, or joysticks and pedals.
static void draw_sticks(cairo_t *cairo, const RenderControlsPicture *picture)
{
    int gates = count_of(picture, RENDER_INPUT_STICK), pedals = count_of(picture, RENDER_INPUT_PEDAL);
    double first = gates > 1 ? 116.0 : 0.5 * sheet_width, step = gates > 1 ? 488.0 / (gates - 1) : 0.0;
    double width = sheet_width / fmax(pedals, 1.0);
    int gate = 0, pedal = 0;
    if (picture->device == RENDER_DEVICE_PAD) {
        draw_pad_body(cairo);
    }
    for (int k = 0; k < picture->input_count; k++) {
        const RenderControlInput *input = &picture->inputs[k];
        if (input->shape == RENDER_INPUT_STICK) {
            draw_gate(cairo, input, first + step * gate++, 176.0);
        } else if (input->shape == RENDER_INPUT_PEDAL) {
            draw_pedal(cairo, input, width * (pedal++ + 0.5), fmin(width, 240.0));
        }
    }
    if (gates == 2) {
        draw_buttons(cairo, picture);
    }
}

/// Draws the keyboard, and below it the keys that do something else than move a lever.
static void draw_keyboard(cairo_t *cairo, const RenderControlsPicture *picture)
{
    char others[512] = "";
    size_t used = 0;
    for (int k = 0; k < picture->input_count; k++) {
        const RenderControlInput *input = &picture->inputs[k];
        if (input->shape == RENDER_INPUT_KEY) {
            draw_key(cairo, input);
        } else if (used < sizeof others) {
            int written = snprintf(others + used, sizeof others - used, "%s%s: %s", used > 0 ? "    " : "",
                                   input->label, input->words[0]);
            used += written > 0 ? (size_t)written : 0;
        }
    }
    canvas_paragraph(cairo, 8.0, 212.0, 12.0, sheet_width - 16.0, 56.0, canvas_soft, others);
}

/// Draws a square in the colour of each lever, with its name.
static void draw_legend(cairo_t *cairo, const RenderControlsPicture *picture)
{
    int count = 0, place = 0;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        count += picture->names[axis][0] != '\0';
    }
    double width = (sheet_width - 16.0) / fmax(count, 1.0);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (picture->names[axis][0] == '\0') {
            continue;
        }
        double x = 8.0 + width * place++;
        bool moves = fabs(picture->lever[axis]) > lit;
        canvas_rounded(cairo, x, machine_top + 4.0, 11.0, 11.0, 3.0);
        canvas_color(cairo, color_of((ControlAxis)axis));
        cairo_fill(cairo);
        canvas_fitted_line(cairo, x + 16.0, machine_top, 12.5, moves, CANVAS_LEFT, width - 20.0,
                           moves ? canvas_text : canvas_soft, picture->names[axis]);
    }
}

/// ---- the machine ---------------------------------------------------------------------------------------------------

static bool is_lit(const RenderControlsPicture *picture, ControlAxis axis)
{
    return fabs(picture->lever[axis]) > lit;
}

/// Draws a track from (x, y), with shoes that run with its way.
static void draw_track(cairo_t *cairo, const RenderControlsPicture *picture, ControlAxis axis, double x, double y,
                       double width, double height)
{
    double shoe = 11.0, shift = fmod(20.0 * picture->pose[axis], shoe);
    canvas_rounded(cairo, x, y, width, height, 0.45 * height);
    paint(cairo, color_of(axis), is_lit(picture, axis));
    canvas_color(cairo, (CanvasColor){0.0, 0.0, 0.0, 0.45});
    cairo_set_line_width(cairo, 2.0);
    for (double at = x + 0.4 * height + fmod(shift + shoe, shoe); at < x + width - 0.4 * height; at += shoe) {
        cairo_move_to(cairo, at, y + 3.0);
        cairo_line_to(cairo, at, y + height - 3.0);
    }
    cairo_stroke(cairo);
}

/// Draws a beam from (x, y) at an angle (rad, up), and writes its end.
static void draw_beam(cairo_t *cairo, double *x, double *y, double angle, double length, double width,
                      CanvasColor color, bool bright)
{
    double along = cos(angle), up = -sin(angle), from_x = *x, from_y = *y;
    *x += length * along;
    *y += length * up;
    cairo_new_path(cairo);
    cairo_move_to(cairo, from_x - up * width, from_y + along * width);
    cairo_line_to(cairo, *x - up * 0.6 * width, *y + along * 0.6 * width);
    cairo_line_to(cairo, *x + up * 0.6 * width, *y - along * 0.6 * width);
    cairo_line_to(cairo, from_x + up * width, from_y - along * width);
    cairo_close_path(cairo);
    paint(cairo, color, bright);
}

/// Draws an arrow round (x, y) where the machine swings or turns; clockwise for `way` above 0.
static void draw_turn(cairo_t *cairo, double x, double y, double r, double way, CanvasColor color)
{
    double from = -0.25 * M_PI, to = from + (way > 0.0 ? 0.5 : -0.5) * M_PI, s = way > 0.0 ? 1.0 : -1.0;
    cairo_new_path(cairo);
    if (way > 0.0) {
        cairo_arc(cairo, x, y, r, from, to);
    } else {
        cairo_arc_negative(cairo, x, y, r, from, to);
    }
    canvas_color(cairo, color);
    cairo_set_line_width(cairo, 3.5);
    cairo_stroke(cairo);
    double tip_x = x + r * cos(to), tip_y = y + r * sin(to), along_x = -s * sin(to), along_y = s * cos(to);
    cairo_move_to(cairo, tip_x + 12.0 * along_x, tip_y + 12.0 * along_y);
    cairo_line_to(cairo, tip_x + 7.0 * cos(to), tip_y + 7.0 * sin(to));
    cairo_line_to(cairo, tip_x - 7.0 * cos(to), tip_y - 7.0 * sin(to));
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

static void draw_excavator_side(cairo_t *cairo, const RenderControlsPicture *picture)
{
    const double *pose = picture->pose;
    double x = 196.0, y = 412.0, boom = 0.80 + 0.42 * pose[CONTROL_BOOM];
    double stick = boom - 1.75 - 0.60 * pose[CONTROL_STICK], bucket = stick - 0.75 - 0.85 * pose[CONTROL_BUCKET];
    ControlAxis track = is_lit(picture, CONTROL_LEFT_TRACK) ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
    draw_track(cairo, picture, track, 104.0, ground - 27.0, 132.0, 27.0);
    cairo_new_path(cairo);
    cairo_move_to(cairo, 108.0, 438.0);
    cairo_line_to(cairo, 104.0, 406.0);
    cairo_line_to(cairo, 160.0, 402.0);
    cairo_line_to(cairo, 166.0, 368.0);
    cairo_line_to(cairo, 206.0, 368.0);
    cairo_line_to(cairo, 216.0, 404.0);
    cairo_line_to(cairo, 216.0, 438.0);
    cairo_close_path(cairo);
    paint(cairo, color_of(CONTROL_SWING), is_lit(picture, CONTROL_SWING));
    draw_beam(cairo, &x, &y, boom, 112.0, 8.0, color_of(CONTROL_BOOM), is_lit(picture, CONTROL_BOOM));
    draw_beam(cairo, &x, &y, stick, 66.0, 6.0, color_of(CONTROL_STICK), is_lit(picture, CONTROL_STICK));
    cairo_new_path(cairo);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x + 32.0 * cos(bucket), y - 32.0 * sin(bucket));
    cairo_arc_negative(cairo, x + 17.0 * cos(bucket - 0.5), y - 17.0 * sin(bucket - 0.5), 17.0, -bucket,
                       -bucket - M_PI);
    cairo_close_path(cairo);
    paint(cairo, color_of(CONTROL_BUCKET), is_lit(picture, CONTROL_BUCKET));
}

static void draw_excavator_plan(cairo_t *cairo, const RenderControlsPicture *picture)
{
    const double *pose = picture->pose, *lever = picture->lever;
    double x = 0.0, y = 0.0, reach = 62.0 - 14.0 * pose[CONTROL_STICK] - 6.0 * pose[CONTROL_BOOM];
    cairo_save(cairo);
    cairo_translate(cairo, 540.0, 402.0);
    draw_track(cairo, picture, CONTROL_LEFT_TRACK, -56.0, -46.0, 112.0, 22.0);
    draw_track(cairo, picture, CONTROL_RIGHT_TRACK, -56.0, 24.0, 112.0, 22.0);
    cairo_save(cairo);
    cairo_rotate(cairo, pose[CONTROL_SWING]);
    canvas_rounded(cairo, -46.0, -30.0, 74.0, 60.0, 8.0);
    paint(cairo, color_of(CONTROL_SWING), is_lit(picture, CONTROL_SWING));
    draw_beam(cairo, &x, &y, 0.0, reach, 8.0, color_of(CONTROL_BOOM), is_lit(picture, CONTROL_BOOM));
    draw_beam(cairo, &x, &y, 0.0, 30.0, 5.5, color_of(CONTROL_STICK), is_lit(picture, CONTROL_STICK));
    canvas_rounded(cairo, x - 2.0, -11.0, 14.0, 22.0, 3.0);
    paint(cairo, color_of(CONTROL_BUCKET), is_lit(picture, CONTROL_BUCKET));
    cairo_restore(cairo);
    if (is_lit(picture, CONTROL_SWING)) {
        draw_turn(cairo, 0.0, 0.0, 76.0, lever[CONTROL_SWING], color_of(CONTROL_SWING));
    }
    cairo_restore(cairo);
}

static void draw_dozer_side(cairo_t *cairo, const RenderControlsPicture *picture)
{
    const double *pose = picture->pose;
    ControlAxis track = is_lit(picture, CONTROL_LEFT_TRACK) ? CONTROL_LEFT_TRACK : CONTROL_RIGHT_TRACK;
    double lift = 20.0 * pose[CONTROL_BLADE], x = 96.0, y = 420.0;
    double ripper = M_PI + 0.15 + 0.35 * pose[CONTROL_RIPPER];
    draw_beam(cairo, &x, &y, ripper, 34.0, 6.0, color_of(CONTROL_RIPPER), is_lit(picture, CONTROL_RIPPER));
    draw_beam(cairo, &x, &y, ripper + 1.5, 40.0, 5.0, color_of(CONTROL_RIPPER), is_lit(picture, CONTROL_RIPPER));
    cairo_new_path(cairo);
    cairo_move_to(cairo, 104.0, 432.0);
    cairo_line_to(cairo, 104.0, 404.0);
    cairo_line_to(cairo, 124.0, 400.0);
    cairo_line_to(cairo, 130.0, 356.0);
    cairo_line_to(cairo, 176.0, 356.0);
    cairo_line_to(cairo, 184.0, 398.0);
    cairo_line_to(cairo, 238.0, 404.0);
    cairo_line_to(cairo, 238.0, 432.0);
    cairo_close_path(cairo);
    paint(cairo, canvas_soft, false);
    draw_track(cairo, picture, track, 88.0, ground - 44.0, 168.0, 44.0);
    cairo_new_path(cairo);
    cairo_move_to(cairo, 278.0, 404.0 - lift);
    cairo_curve_to(cairo, 266.0, 426.0 - lift, 266.0, 448.0 - lift, 286.0, ground - lift);
    cairo_line_to(cairo, 274.0, ground - lift);
    cairo_curve_to(cairo, 256.0, 448.0 - lift, 256.0, 426.0 - lift, 268.0, 404.0 - lift);
    cairo_close_path(cairo);
    bool moves = is_lit(picture, CONTROL_BLADE);
    paint(cairo, color_of(CONTROL_BLADE), moves);
}

static void draw_dozer_plan(cairo_t *cairo, const RenderControlsPicture *picture)
{
    const double *pose = picture->pose;
    double turn = picture->lever[CONTROL_LEFT_TRACK] - picture->lever[CONTROL_RIGHT_TRACK];
    cairo_save(cairo);
    cairo_translate(cairo, 490.0, 402.0);
    draw_track(cairo, picture, CONTROL_LEFT_TRACK, -62.0, -48.0, 124.0, 24.0);
    draw_track(cairo, picture, CONTROL_RIGHT_TRACK, -62.0, 24.0, 124.0, 24.0);
    canvas_rounded(cairo, -56.0, -22.0, 112.0, 44.0, 6.0);
    paint(cairo, canvas_soft, false);
    canvas_rounded(cairo, -92.0, -16.0, 26.0, 32.0, 4.0);
    paint(cairo, color_of(CONTROL_RIPPER), is_lit(picture, CONTROL_RIPPER));
    cairo_save(cairo);
    cairo_translate(cairo, 78.0, 0.0);
    cairo_rotate(cairo, 0.42 * pose[CONTROL_BLADE_ANGLE]);
    canvas_rounded(cairo, -6.0, -58.0, 13.0, 116.0, 5.0);
    paint(cairo, color_of(CONTROL_BLADE_ANGLE), is_lit(picture, CONTROL_BLADE_ANGLE));
    cairo_restore(cairo);
    if (fabs(turn) > 0.1) {
        draw_turn(cairo, 0.0, 0.0, 74.0, turn, color_of(CONTROL_LEFT_TRACK));
    }
    cairo_restore(cairo);
    cairo_save(cairo); // the blade from the front, as the driver sees it
    cairo_translate(cairo, 652.0, 428.0 - 14.0 * pose[CONTROL_BLADE]);
    cairo_rotate(cairo, 0.22 * pose[CONTROL_BLADE_TILT]);
    canvas_rounded(cairo, -52.0, -17.0, 104.0, 34.0, 4.0);
    paint(cairo, color_of(CONTROL_BLADE_TILT), is_lit(picture, CONTROL_BLADE_TILT));
    cairo_restore(cairo);
}

static void draw_machine(cairo_t *cairo, const RenderControlsPicture *picture)
{
    canvas_color(cairo, canvas_faint);
    cairo_rectangle(cairo, 8.0, ground, 360.0, 2.0);
    cairo_fill(cairo);
    if (picture->dozer) {
        draw_dozer_side(cairo, picture);
        draw_dozer_plan(cairo, picture);
    } else {
        draw_excavator_side(cairo, picture);
        draw_excavator_plan(cairo, picture);
    }
    canvas_fitted_line(cairo, 0.5 * sheet_width, ground + 8.0, 15.0, true, CANVAS_CENTER, sheet_width - 16.0,
                       canvas_accent, picture->told);
}

void controls_drawing(cairo_t *cairo, const RenderControlsPicture *picture, double x, double y, double width,
                      double height)
{
    double scale = fmin(width / sheet_width, height / sheet_height);
    cairo_save(cairo);
    cairo_translate(cairo, x + 0.5 * (width - scale * sheet_width), y);
    cairo_scale(cairo, scale, scale);
    if (picture->device == RENDER_DEVICE_KEYBOARD) {
        draw_keyboard(cairo, picture);
    } else {
        draw_sticks(cairo, picture);
    }
    draw_legend(cairo, picture);
    draw_machine(cairo, picture);
    cairo_restore(cairo);
}
