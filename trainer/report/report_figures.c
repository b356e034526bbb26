/// The figures over time: phases and events, score, loads, pressures, functions used together.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/sim/sim.h"
#include "trainer/report/report_plans.h"

#define LABEL_SIZE 8.0 ///< points
#define MARK_ROWS  10.0 ///< points above the lanes of the time line, beside what every figure has there
enum { CURVE_POINTS = 1500 }; ///< of a curve at most

static ReportAxes axes_in(double width, double height, double left)
{
    return (ReportAxes){.left = left, .top = 18.0, .width = width - left - 12.0, .height = height - 46.0};
}

static double end_time(const ReportData *data)
{
    double end = report_time(&data->run, data->run.last_tick);
    return end > 1.0 ? end : 1.0;
}

/// Every n-th sample is enough for a curve.
static int64_t stride(const ReportRun *run)
{
    return run->sample_count / CURVE_POINTS + 1;
}

static bool has_samples(const ReportData *data)
{
    return data->run.sample_count > 1;
}

/// ---- phases and events ---------------------------------------------------------------------------------------------

static const int phase_colours[WORK_PHASE_COUNT] = {
    [WORK_IDLE] = REPORT_GREY,           [WORK_TRAVEL] = REPORT_SKY, [WORK_DIG] = REPORT_RED,
    [WORK_SWING_LOADED] = REPORT_ORANGE, [WORK_DUMP] = REPORT_GREEN, [WORK_SWING_EMPTY] = REPORT_BLUE};

static void draw_phases(cairo_t *cairo, const ReportData *data, const ReportAxes *axes, double lane)
{
    const ReportRun *run = &data->run;
    for (int64_t k = 0; k < run->sample_count;) {
        int phase = (int)run->samples[k].phase;
        int64_t end = k + 1;
        while (end < run->sample_count && (int)run->samples[end].phase == phase) {
            end++;
        }
        double from = report_x(axes, report_time(run, run->samples[k].tick));
        int64_t last = end < run->sample_count ? end : run->sample_count - 1;
        double to = report_x(axes, report_time(run, run->samples[last].tick));
        if (phase >= 0 && phase < WORK_PHASE_COUNT) {
            report_colour(cairo, phase_colours[phase], 1.0);
            cairo_rectangle(cairo, from, axes->top + lane * phase + 1.5, fmax(to - from, 0.3), lane - 3.0);
            cairo_fill(cairo);
        }
        k = end;
    }
}

/// What stands above the lanes, each by a shape of its own.
typedef enum EventMark { MARK_NONE, MARK_LOST, MARK_INCIDENT, MARK_DONE, MARK_MISTAKE, MARK_KINDS } EventMark;

static const char *const mark_names[MARK_KINDS] = {[MARK_LOST] = TEXT("points lost"),
                                                   [MARK_INCIDENT] = TEXT("incident"),
                                                   [MARK_DONE] = TEXT("step or target done"),
                                                   [MARK_MISTAKE] = TEXT("where a mistake cost most")};

static EventMark mark_of(const ExerciseEvent *event)
{
    bool done = event->kind == EVENT_STEP || event->kind == EVENT_TARGET;
    return event->kind < INCIDENT_COUNT ? MARK_INCIDENT
           : done                       ? MARK_DONE
           : event->number.points < 0.0 ? MARK_LOST
                                        : MARK_NONE;
}

/// Draws a shape of 7 points around (x, y).
static void draw_mark(cairo_t *cairo, EventMark mark, double x, double y, const char *number)
{
    static const int colours[MARK_KINDS] = {[MARK_LOST] = REPORT_ORANGE,
                                            [MARK_INCIDENT] = REPORT_RED,
                                            [MARK_DONE] = REPORT_GREEN,
                                            [MARK_MISTAKE] = REPORT_INK};
    cairo_new_path(cairo);
    if (mark == MARK_LOST) {
        cairo_move_to(cairo, x, y + 3.5);
        cairo_line_to(cairo, x - 3.5, y - 3.5);
        cairo_line_to(cairo, x + 3.5, y - 3.5);
    } else if (mark == MARK_INCIDENT) {
        cairo_rectangle(cairo, x - 3.2, y - 3.2, 6.4, 6.4);
    } else if (mark == MARK_DONE) {
        cairo_move_to(cairo, x, y - 4.0);
        cairo_line_to(cairo, x + 3.5, y);
        cairo_line_to(cairo, x, y + 4.0);
        cairo_line_to(cairo, x - 3.5, y);
    } else {
        cairo_arc(cairo, x, y, 5.0, 0.0, 2.0 * M_PI);
    }
    cairo_close_path(cairo);
    report_colour(cairo, colours[mark], 1.0);
    cairo_fill(cairo);
    if (number != NULL) {
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        report_text(cairo, x - 0.5 * report_text_width(cairo, LABEL_SIZE, number), y + 3.0, LABEL_SIZE, number);
    }
}

/// A row of marks for what happened, one above it with the numbers of the costliest mistakes, and a line through all
/// lanes for the end.
static void draw_event_marks(cairo_t *cairo, const ReportData *data, const ReportAxes *axes)
{
    for (int k = 0; k < data->run.event_count; k++) {
        const ExerciseEvent *event = &data->run.events[k];
        double x = report_x(axes, report_time(&data->run, event->tick));
        EventMark mark = mark_of(event);
        if (mark != MARK_NONE) {
            draw_mark(cairo, mark, x, axes->top - 6.0, NULL);
        }
        if (event->kind == EVENT_FINISHED) {
            report_colour(cairo, REPORT_INK, 1.0);
            cairo_set_line_width(cairo, 1.0);
            cairo_move_to(cairo, x, axes->top);
            cairo_line_to(cairo, x, axes->top + axes->height);
            cairo_stroke(cairo);
        }
    }
    for (int k = data->summary.mistake_count - 1; k >= 0; k--) {
        const ReportMistake *mistake = &data->summary.mistakes[k];
        for (int n = 0; n < mistake->moment_count; n++) {
            char number[2] = {(char)('1' + k), '\0'};
            draw_mark(cairo, MARK_MISTAKE, report_x(axes, report_time(&data->run, mistake->moments[n])),
                      axes->top - 18.0, number);
        }
    }
}

/// What the shapes mean, along the lower edge.
static void draw_mark_key(cairo_t *cairo, const ReportAxes *axes)
{
    double x = axes->left, y = axes->top + axes->height + 21.0;
    for (int mark = MARK_LOST; mark < MARK_KINDS; mark++) {
        draw_mark(cairo, (EventMark)mark, x + 4.0, y, mark == MARK_MISTAKE ? "1" : NULL);
        report_colour(cairo, REPORT_INK, 1.0);
        const char *name = language_text(mark_names[mark]);
        report_text(cairo, x + 12.0, y + 3.0, LABEL_SIZE, name);
        x += 26.0 + report_text_width(cairo, LABEL_SIZE, name);
    }
}

static void draw_time_line(cairo_t *cairo, const ReportData *data, double width, double height)
{
    ReportAxes axes = axes_in(width, height, 84.0);
    axes.top += MARK_ROWS;
    axes.height -= MARK_ROWS;
    axes.x_high = end_time(data);
    axes.y_high = WORK_PHASE_COUNT;
    double lane = axes.height / WORK_PHASE_COUNT;
    draw_phases(cairo, data, &axes, lane);
    for (int k = 0; k < WORK_PHASE_COUNT; k++) {
        const char *name = language_text(work_phase_name((WorkPhase)k, data->machine.swing_joint >= 0));
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes.left - 6.0 - report_text_width(cairo, LABEL_SIZE, name),
                    axes.top + lane * (k + 0.5) + 3.0, LABEL_SIZE, name);
        report_colour(cairo, REPORT_GREY, 0.5);
        cairo_set_line_width(cairo, 0.5);
        cairo_move_to(cairo, axes.left, axes.top + lane * k);
        cairo_line_to(cairo, axes.left + axes.width, axes.top + lane * k);
        cairo_stroke(cairo);
    }
    report_axes_draw(cairo, &axes, "s", NULL);
    draw_event_marks(cairo, data, &axes);
    draw_mark_key(cairo, &axes);
}

/// ---- curves --------------------------------------------------------------------------------------------------------

static void draw_score_curve(cairo_t *cairo, const ReportRun *run, const ReportAxes *axes)
{
    for (int64_t k = 0; k < run->sample_count; k += stride(run)) {
        double x = report_x(axes, report_time(run, run->samples[k].tick));
        double y = report_y(axes, (double)run->samples[k].score);
        if (k == 0) {
            cairo_move_to(cairo, x, y);
        } else {
            cairo_line_to(cairo, x, y);
        }
    }
    if (run->has_values && run->sample_count > 0) { // what was judged in the end
        cairo_line_to(cairo, report_x(axes, report_time(run, run->last_tick)),
                      report_y(axes, run->values[METRIC_SCORE]));
    }
    cairo_stroke(cairo);
}

/// Line patterns, so that curves are told apart without colour.
static void set_dash(cairo_t *cairo, int index)
{
    static const double dashes[][2] = {{1.0, 0.0}, {6.0, 3.0}, {2.0, 2.0}, {8.0, 2.0}};
    cairo_set_dash(cairo, dashes[index % 4], index % 4 == 0 ? 0 : 2, 0.0);
}

/// A letter where a curve ends, on white, so that it is read over other curves.
static void name_curve(cairo_t *cairo, const ReportRun *run, const ReportAxes *axes, const char *name)
{
    if (run->sample_count < 1) {
        return;
    }
    double last = run->has_values ? run->values[METRIC_SCORE] : (double)run->samples[run->sample_count - 1].score;
    double width = report_text_width(cairo, LABEL_SIZE, name);
    double x = fmin(report_x(axes, report_time(run, run->last_tick)) + 2.0, axes->left + axes->width - width - 2.0);
    double y = fmax(report_y(axes, last) - 2.0, axes->top + LABEL_SIZE);
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.8);
    cairo_rectangle(cairo, x - 1.0, y - LABEL_SIZE, width + 2.0, LABEL_SIZE + 2.0);
    cairo_fill(cairo);
    report_colour(cairo, REPORT_INK, 1.0);
    report_text(cairo, x, y, LABEL_SIZE, name);
}

static void draw_score(cairo_t *cairo, const ReportData *data, double width, double height)
{
    static const int colours[] = {REPORT_ORANGE, REPORT_GREEN, REPORT_SKY, REPORT_RED};
    ReportAxes axes = axes_in(width, height, 40.0);
    axes.y_high = 100.0;
    axes.x_high = end_time(data);
    for (int k = 0; k < data->against_count; k++) {
        axes.x_high = fmax(axes.x_high, report_time(&data->against[k], data->against[k].last_tick));
    }
    report_axes_draw(cairo, &axes, "s", language_text("points"));
    cairo_set_line_width(cairo, 1.3);
    for (int k = data->against_count - 1; k >= 0; k--) {
        report_colour(cairo, colours[k % 4], 1.0);
        set_dash(cairo, k + 1);
        draw_score_curve(cairo, &data->against[k], &axes);
        name_curve(cairo, &data->against[k], &axes, (char[]){(char)('A' + k), '\0'});
    }
    set_dash(cairo, 0);
    report_colour(cairo, REPORT_BLUE, 1.0);
    cairo_set_line_width(cairo, 1.8);
    draw_score_curve(cairo, &data->run, &axes);
    report_colour(cairo, REPORT_INK, 0.6);
    set_dash(cairo, 2);
    cairo_set_line_width(cairo, 0.8);
    double mark = report_y(&axes, data->scene.exercise.pass_mark);
    cairo_move_to(cairo, axes.left, mark);
    cairo_line_to(cairo, axes.left + axes.width, mark);
    cairo_stroke(cairo);
    set_dash(cairo, 0);
    if (data->against_count > 0) {
        name_curve(cairo, &data->run, &axes, language_text("this run"));
    }
    report_text(cairo, axes.left + 4.0, mark - 3.0, LABEL_SIZE, language_text("pass mark"));
}

/// The greatest pressure of a joint among the samples of each point of the width, as an area.
static void draw_pressure(cairo_t *cairo, const ReportRun *run, const ReportAxes *axes, int joint)
{
    int64_t count = run->sample_count, step = count / CURVE_POINTS + 1;
    cairo_new_path(cairo);
    cairo_move_to(cairo, axes->left, report_y(axes, 0.0));
    double x = axes->left;
    for (int64_t k = 0; k < count; k += step) {
        double most = 0.0;
        for (int64_t n = k; n < k + step && n < count; n++) {
            most = fmax(most, 1e-6 * (double)run->samples[n].pressure[joint]);
        }
        x = report_x(axes, report_time(run, run->samples[k].tick));
        cairo_line_to(cairo, x, report_y(axes, fmin(most, axes->y_high)));
    }
    cairo_line_to(cairo, x, report_y(axes, 0.0));
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

/// Marks along the top of a lane: the function's relief valve is open.
static void draw_relief(cairo_t *cairo, const ReportRun *run, const ReportAxes *axes, int joint)
{
    report_colour(cairo, REPORT_INK, 1.0);
    for (int64_t k = 0; k < run->sample_count; k++) {
        if (((int)run->samples[k].relief & MACHINE_RELIEF_JOINT(joint)) != 0) {
            cairo_rectangle(cairo, report_x(axes, report_time(run, run->samples[k].tick)), axes->top, 0.7, 4.0);
            cairo_fill(cairo);
        }
    }
}

/// What a joint is called, as its gauge is.
static void name_joint(const MachineJointParams *joint, char name[REPORT_TEXT])
{
    char english[sizeof joint->name];
    snprintf(english, sizeof english, "%s", joint->name);
    english[0] = (char)toupper((unsigned char)english[0]);
    snprintf(name, REPORT_TEXT, "%s", language_text(english));
}

/// A lane for each function, 0 to 40 MPa.
static void draw_pressures(cairo_t *cairo, const ReportData *data, double width, double height)
{
    static const int colours[] = {REPORT_BLUE, REPORT_RED, REPORT_GREEN, REPORT_ORANGE, REPORT_SKY, REPORT_GREY};
    ReportAxes whole = axes_in(width, height, 84.0);
    whole.x_high = end_time(data);
    whole.y_high = 1.0;
    int joints = data->machine.joint_count < MACHINE_MAX_JOINTS ? data->machine.joint_count : MACHINE_MAX_JOINTS;
    double lane = whole.height / (joints > 0 ? joints : 1);
    for (int joint = 0; joint < joints; joint++) {
        ReportAxes axes = whole;
        axes.top = whole.top + lane * joint + 1.0;
        axes.height = lane - 2.0;
        axes.y_high = 40.0;
        report_colour(cairo, colours[joint % 6], 0.85);
        draw_pressure(cairo, &data->run, &axes, joint);
        draw_relief(cairo, &data->run, &axes, joint);
        char name[REPORT_TEXT];
        name_joint(&data->machine.joint[joint], name);
        report_colour(cairo, REPORT_INK, 1.0);
        report_text(cairo, axes.left - 6.0 - report_text_width(cairo, LABEL_SIZE, name), axes.top + 0.5 * lane + 2.0,
                    LABEL_SIZE, name);
    }
    report_axes_draw(cairo, &whole, "s", NULL);
    char scale[REPORT_TEXT];
    snprintf(scale, sizeof scale, language_text("each lane: 0 to %s"),
             quantity(QUANTITY_PRESSURE, 40e6, data->units).text);
    report_text(cairo, whole.left, whole.top - 5.0, LABEL_SIZE, scale);
}

/// ---- bars ----------------------------------------------------------------------------------------------------------

static int count_cycles(const ReportData *data)
{
    int count = 0;
    for (int k = 0; k < data->run.event_count; k++) {
        count += data->run.events[k].kind == EVENT_CYCLE;
    }
    return count;
}

static bool has_cycles(const ReportData *data)
{
    return count_cycles(data) > 0;
}

/// Load and seconds of a cycle; false of another event.
static bool read_cycle(const ExerciseEvent *event, double *load, double *time)
{
    *load = event->number.load;
    *time = event->number.duration;
    return event->kind == EVENT_CYCLE && *load >= 0.0 && *time > 0.0;
}

static void draw_bars(cairo_t *cairo, const ReportData *data, const ReportAxes *axes, bool times, int colour)
{
    int index = 0;
    for (int k = 0; k < data->run.event_count; k++) {
        double load, time;
        if (!read_cycle(&data->run.events[k], &load, &time)) {
            continue;
        }
        double from = report_x(axes, index + 0.6), to = report_x(axes, index + 1.4);
        double top = report_y(axes, times ? fmin(time, axes->y_high) : fmin(load, axes->y_high));
        report_colour(cairo, colour, 1.0);
        cairo_rectangle(cairo, from, top, to - from, axes->top + axes->height - top);
        cairo_fill(cairo);
        index++;
    }
}

static void draw_cycles(cairo_t *cairo, const ReportData *data, double width, double height)
{
    double most_load = 100.0, most_time = 10.0;
    for (int k = 0; k < data->run.event_count; k++) {
        double load, time;
        if (read_cycle(&data->run.events[k], &load, &time)) {
            most_load = fmax(most_load, load);
            most_time = fmax(most_time, time);
        }
    }
    int count = count_cycles(data);
    double half = 0.5 * (width - 20.0);
    ReportAxes loads = axes_in(half, height, 44.0), times = loads;
    loads.x_low = times.x_low = 0.4;
    loads.x_high = times.x_high = count + 0.6;
    loads.y_high = 1.05 * most_load;
    times.y_high = 1.05 * most_time;
    times.left += half + 20.0;
    const char *unit;
    loads.y_scale = quantity_scale(QUANTITY_MASS, data->units, &unit);
    report_axes_draw(cairo, &loads, language_text("cycle"), unit);
    draw_bars(cairo, data, &loads, false, REPORT_ORANGE);
    report_axes_draw(cairo, &times, language_text("cycle"), "s");
    draw_bars(cairo, data, &times, true, REPORT_BLUE);
}

static void draw_together(cairo_t *cairo, const ReportData *data, double width, double height)
{
    enum { MOST = 5 };
    double counts[MOST] = {0.0}, all = 0.0;
    for (int64_t k = 0; k < data->run.sample_count; k++) {
        int used = (int)data->run.samples[k].together;
        used = used < 0 ? 0 : used >= MOST ? MOST - 1 : used;
        counts[used] += 1.0;
        all += 1.0;
    }
    ReportAxes axes = axes_in(width, height, 40.0);
    axes.x_low = -0.6;
    axes.x_high = MOST - 0.4;
    axes.y_high = 100.0;
    report_axes_draw(cairo, &axes, language_text("functions used at once"), language_text("% of the time"));
    for (int k = 0; k < MOST; k++) {
        double top = report_y(&axes, all > 0.0 ? 100.0 * counts[k] / all : 0.0);
        report_colour(cairo, k < 2 ? REPORT_SKY : REPORT_BLUE, 1.0);
        cairo_rectangle(cairo, report_x(&axes, k - 0.35), top, report_x(&axes, 0.7) - report_x(&axes, 0.0),
                        axes.top + axes.height - top);
        cairo_fill(cairo);
    }
}

const ReportFigure report_figures[] = {
    {"time-line", TEXT("Phases of work and what happened"),
     TEXT("Time line: a lane for each phase of work; above them triangles for lost points, squares for incidents, "
          "diamonds "
          "for what was done, and the numbers of the costliest mistakes."),
     680, 190, has_samples, draw_time_line},
    {"score", TEXT("Score"),
     TEXT("Score against time, solid; other runs dashed, with their letters; the pass mark dotted."), 680, 190,
     has_samples, draw_score},
    {"plan", TEXT("Way of the edge, from above"),
     TEXT("Plan of the site with the way of the tool's edge, the work, the dump and the machine."), 335, 300,
     has_samples, report_draw_plan},
    {"side", TEXT("Way of the edge, from the side"),
     TEXT("Height of the tool's edge over its distance from the machine, with the ground and the depth asked for."),
     335, 300, has_samples, report_draw_side},
    {"ground", TEXT("Cut and fill"),
     TEXT("Map of the change of the ground since the start: hatched and orange where it was cut, blue where it was "
          "filled."),
     335, 300, NULL, report_draw_change},
    {"error", TEXT("Error against the design"),
     TEXT("Map of the ground against the design: hatched and orange where it is too high, blue where it is too deep, "
          "white "
          "where it is within the tolerance."),
     335, 300, report_has_design, report_draw_error},
    {"cycles", TEXT("Loads and times of cycles"), TEXT("Bars: the load and the duration of each cycle."), 680, 170,
     has_cycles, draw_cycles},
    {"together", TEXT("Functions used together"),
     TEXT("Bars: share of the time with so many functions in use at once."), 335, 200, has_samples, draw_together},
    {"pressures", TEXT("Pressures"),
     TEXT("Pressure of each function against time; marks at the top: relief valves open."), 680, 200, has_samples,
     draw_pressures},
};
const int report_figure_count = sizeof report_figures / sizeof report_figures[0];
