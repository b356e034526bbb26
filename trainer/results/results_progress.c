/// Draws a trainee's way: his points over his attempts, beside his class and the expert. Lines differ in colour, in
/// dash and in their marks, so that they can be distinguished without colour, too.
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trainer/results/results_store_internal.h"
#include "trainer/results/results_output.h"

enum { MOST_SCENES = 40, MOST_ATTEMPTS = 200 };

/// Pixels of the picture.
#define WIDTH  880.0
#define HEAD   84.0
#define PANEL  210.0
#define LEFT   56.0
#define RIGHT  150.0
#define TOP    34.0
#define BOTTOM 42.0

/// One scene.
typedef struct Panel {
    char scene[SCENE_NAME_LENGTH], title[RESULT_NAME];
    int count; ///< of his own attempts
    double points[MOST_ATTEMPTS];
    bool passed[MOST_ATTEMPTS];
    int mates; ///< attempts of the class: the highest number
    double sum[MOST_ATTEMPTS]; ///< points of the class's attempts of each number
    int people[MOST_ATTEMPTS]; ///< of how many
    double expert; ///< best points of an expert; below 0: none drove
    double needs; ///< points that open the next exercise of the course; 0: not known
} Panel;

/// How often a classmate has driven a scene so far.
typedef struct Tally {
    char trainee[RESULT_NAME];
    int panel, count;
} Tally;

typedef struct Progress {
    const char *trainee;
    const CourseParams *course; ///< NULL: all scenes
    int count;
    Panel panels[MOST_SCENES];
    Tally *tallies;
    int tally_count;
    int attempts; ///< of his, at the scenes that are shown
    bool full; ///< memory was short
} Progress;

/// ---- figures -------------------------------------------------------------------------------------------------------

static Panel *find_panel(Progress *self, const char *scene)
{
    for (int k = 0; k < self->count; k++) {
        if (strcmp(self->panels[k].scene, scene) == 0) {
            return &self->panels[k];
        }
    }
    return NULL;
}

static Panel *add_panel(Progress *self, const char *scene)
{
    Panel *panel = &self->panels[self->count++];
    panel->expert = -1.0;
    snprintf(panel->scene, sizeof panel->scene, "%s", scene);
    return panel;
}

/// Only what somebody drove himself, from its first tick, is his progress.
static bool is_own(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    return !credit_is_practice(&credit) && !credit_is_scripted(&credit);
}

static bool take_own(void *context, const ResultAttempt *attempt)
{
    Progress *self = context;
    Panel *panel = find_panel(self, attempt->scene);
    if (panel == NULL && self->course == NULL && self->count < MOST_SCENES) {
        panel = add_panel(self, attempt->scene);
    }
    if (panel != NULL) {
        self->attempts++;
        snprintf(panel->title, sizeof panel->title, "%s", attempt->title);
    }
    if (panel != NULL && panel->count < MOST_ATTEMPTS && is_own(attempt)) {
        panel->passed[panel->count] = attempt->passed;
        panel->points[panel->count++] = attempt->score;
    }
    return true;
}

/// The number of this attempt among those of its trainee at its scene, from 0; -1: too many.
static int count_attempt(Progress *self, const char *trainee, int panel)
{
    int k = 0;
    while (k < self->tally_count &&
           (self->tallies[k].panel != panel || strcmp(self->tallies[k].trainee, trainee) != 0)) {
        k++;
    }
    if (k == self->tally_count) {
        Tally *more = realloc(self->tallies, (size_t)(k + 1) * sizeof *more);
        if (more == NULL) {
            self->full = true;
            return -1;
        }
        self->tallies = more;
        self->tallies[self->tally_count++] = (Tally){.panel = panel};
        snprintf(self->tallies[k].trainee, RESULT_NAME, "%s", trainee);
    }
    int number = self->tallies[k].count++;
    return number < MOST_ATTEMPTS ? number : -1;
}

static bool take_mate(void *context, const ResultAttempt *attempt)
{
    Progress *self = context;
    Panel *panel = is_own(attempt) ? find_panel(self, attempt->scene) : NULL;
    int number = panel != NULL ? count_attempt(self, attempt->trainee, (int)(panel - self->panels)) : -1;
    if (number >= 0) {
        panel->sum[number] += attempt->score;
        panel->people[number]++;
        panel->mates = number + 1 > panel->mates ? number + 1 : panel->mates;
    }
    return true;
}

static bool take_expert(void *context, const ResultAttempt *attempt)
{
    Panel *panel = find_panel(context, attempt->scene);
    Credit credit = results_credit(attempt);
    if (panel != NULL && credit_is_expert(&credit, attempt->trainee)) {
        panel->expert = fmax(panel->expert, attempt->score);
    }
    return true;
}

static bool gather_points(Results *results, Progress *self, Status *status)
{
    for (int k = 0; self->course != NULL && k < self->course->exercises_count; k++) {
        add_panel(self, self->course->exercises[k].scene)->needs = self->course->exercises[k].needs;
    }
    if (!results_each(results, &(ResultFilter){.trainee = self->trainee}, take_own, self, status)) {
        return false;
    }
    if (self->attempts == 0) {
        return status_fail(status, STATUS_BAD_USAGE, "%.80s has no attempts%s%.64s", self->trainee,
                           self->course != NULL ? " at the course " : "",
                           self->course != NULL ? self->course->name : "");
    }
    return results_each(results, &(ResultFilter){.classmates_of = self->trainee}, take_mate, self, status) &&
           results_each(results, &(ResultFilter){.nobodys = true}, take_expert, self, status) &&
           (!self->full || status_fail(status, STATUS_LACKING, "out of memory for the class"));
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

static void write_text(cairo_t *cairo, double x, double y, double size, bool bold, double grey, const char *text)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
    cairo_set_source_rgb(cairo, grey, grey, grey);
    cairo_move_to(cairo, x, y);
    cairo_show_text(cairo, text);
    cairo_new_path(cairo); // text leaves a point that the next line would begin at
}

/// Okabe and Ito's palette, which colour-blind people can tell apart.
static void set_own(cairo_t *cairo)
{
    cairo_set_source_rgb(cairo, 0.0, 0.447, 0.698);
    cairo_set_line_width(cairo, 2.5);
    cairo_set_dash(cairo, NULL, 0, 0.0);
}

static void set_class(cairo_t *cairo)
{
    static const double dash[] = {7.0, 4.0};
    cairo_set_source_rgb(cairo, 0.835, 0.369, 0.0);
    cairo_set_line_width(cairo, 1.8);
    cairo_set_dash(cairo, dash, 2, 0.0);
}

static void set_expert(cairo_t *cairo)
{
    static const double dots[] = {1.5, 3.5};
    cairo_set_source_rgb(cairo, 0.25, 0.25, 0.25);
    cairo_set_line_width(cairo, 1.8);
    cairo_set_dash(cairo, dots, 2, 0.0);
}

/// A disc of an attempt that passed, a ring of one that did not.
static void draw_own_mark(cairo_t *cairo, double x, double y, bool passed)
{
    set_own(cairo);
    cairo_arc(cairo, x, y, 4.5, 0.0, 2.0 * 3.14159265358979);
    if (!passed) {
        cairo_path_t *ring = cairo_copy_path(cairo);
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        cairo_fill(cairo);
        set_own(cairo);
        cairo_set_line_width(cairo, 2.0);
        cairo_append_path(cairo, ring);
        cairo_path_destroy(ring);
        cairo_stroke(cairo);
        return;
    }
    cairo_fill(cairo);
}

static void draw_class_mark(cairo_t *cairo, double x, double y)
{
    set_class(cairo);
    cairo_rectangle(cairo, x - 3.5, y - 3.5, 7.0, 7.0);
    cairo_fill(cairo);
}

static void draw_legend(cairo_t *cairo, const Progress *self)
{
    char title[2 * RESULT_NAME + 32];
    snprintf(title, sizeof title, "Progress of %s%s%s", self->trainee, self->course != NULL ? ": " : "",
             self->course != NULL ? self->course->title : "");
    write_text(cairo, 20.0, 32.0, 20.0, true, 0.1, title);
    static const char *const names[] = {"points, passed", "not passed", "mean of the class", "expert"};
    static const double at[] = {20.0, 170.0, 290.0, 470.0};
    for (int k = 0; k < 4; k++) {
        double x = at[k] + 14.0, y = 58.0;
        k < 2 ? set_own(cairo) : k == 2 ? set_class(cairo) : set_expert(cairo);
        cairo_move_to(cairo, x - 14.0, y);
        cairo_line_to(cairo, x + 14.0, y);
        cairo_stroke(cairo);
        if (k < 2) {
            draw_own_mark(cairo, x, y, k == 0);
        } else if (k == 2) {
            draw_class_mark(cairo, x, y);
        }
        write_text(cairo, x + 20.0, y + 4.0, 12.0, false, 0.2, names[k]);
    }
}

/// A panel's place on the picture.
typedef struct Axes {
    double top; ///< pixels
    int attempts; ///< along the axis
} Axes;

static double at_x(const Axes *axes, int attempt)
{
    double share = axes->attempts > 1 ? (double)attempt / (axes->attempts - 1) : 0.0;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double at_y(const Axes *axes, double points)
{
    return axes->top + TOP + (1.0 - points / 100.0) * (PANEL - TOP - BOTTOM);
}

static void draw_axes(cairo_t *cairo, const Axes *axes, const Panel *panel)
{
    char text[RESULT_NAME + SCENE_NAME_LENGTH + 48];
    const char *title = panel->title[0] != '\0' ? panel->title : panel->scene;
    if (panel->needs > 0.0) {
        snprintf(text, sizeof text, "%s (%.0f points open the next one)", title, panel->needs);
    } else {
        snprintf(text, sizeof text, "%s", title);
    }
    write_text(cairo, LEFT, axes->top + 20.0, 14.0, true, 0.1, text);
    cairo_set_dash(cairo, NULL, 0, 0.0);
    cairo_set_line_width(cairo, 1.0);
    for (int points = 0; points <= 100; points += 25) {
        double y = at_y(axes, points);
        cairo_set_source_rgb(cairo, 0.85, 0.85, 0.85);
        cairo_move_to(cairo, LEFT, y);
        cairo_line_to(cairo, WIDTH - RIGHT, y);
        cairo_stroke(cairo);
        snprintf(text, sizeof text, "%d", points);
        write_text(cairo, LEFT - 32.0, y + 4.0, 11.0, false, 0.35, text);
    }
    int step = axes->attempts > 20 ? (axes->attempts + 19) / 20 : 1;
    for (int k = 0; k < axes->attempts; k += step) {
        snprintf(text, sizeof text, "%d", k + 1);
        write_text(cairo, at_x(axes, k) - 3.0, at_y(axes, 0.0) + 16.0, 11.0, false, 0.35, text);
    }
    write_text(cairo, WIDTH - RIGHT - 52.0, at_y(axes, 0.0) + 31.0, 11.0, false, 0.35, "attempts");
}

static void write_value(cairo_t *cairo, double y, const char *what, double points)
{
    char text[48];
    snprintf(text, sizeof text, "%s %.1f", what, points);
    write_text(cairo, WIDTH - RIGHT + 12.0, y + 4.0, 11.0, false, 0.2, text);
}

static void draw_class(cairo_t *cairo, const Axes *axes, const Panel *panel)
{
    set_class(cairo);
    for (int k = 0; k < panel->mates; k++) {
        cairo_line_to(cairo, at_x(axes, k), at_y(axes, panel->sum[k] / panel->people[k]));
    }
    cairo_stroke(cairo);
    for (int k = 0; k < panel->mates; k++) {
        draw_class_mark(cairo, at_x(axes, k), at_y(axes, panel->sum[k] / panel->people[k]));
    }
}

static void draw_own(cairo_t *cairo, const Axes *axes, const Panel *panel)
{
    set_own(cairo);
    for (int k = 0; k < panel->count; k++) {
        cairo_line_to(cairo, at_x(axes, k), at_y(axes, panel->points[k]));
    }
    cairo_stroke(cairo);
    for (int k = 0; k < panel->count; k++) {
        draw_own_mark(cairo, at_x(axes, k), at_y(axes, panel->points[k]), panel->passed[k]);
    }
}

/// Words beside the lines, at the heights of their last values but never on each other.
static void label(cairo_t *cairo, const Axes *axes, const Panel *panel)
{
    const char *names[3] = {"expert", "class", "last"};
    double values[3] = {panel->expert, -1.0, panel->count > 0 ? panel->points[panel->count - 1] : -1.0};
    if (panel->mates > 0) {
        values[1] = panel->sum[panel->mates - 1] / panel->people[panel->mates - 1];
    }
    for (int k = 0; k < 3; k++) { // the highest first
        for (int m = k + 1; m < 3; m++) {
            if (values[m] > values[k]) {
                double value = values[k];
                const char *name = names[k];
                values[k] = values[m];
                names[k] = names[m];
                values[m] = value;
                names[m] = name;
            }
        }
    }
    double lowest = axes->top;
    for (int k = 0; k < 3 && values[k] >= 0.0; k++) {
        double y = fmax(at_y(axes, values[k]), lowest + 14.0);
        write_value(cairo, y, names[k], values[k]);
        lowest = y;
    }
}

static void draw_panel(cairo_t *cairo, const Panel *panel, double top)
{
    Axes axes = {.top = top, .attempts = panel->count > panel->mates ? panel->count : panel->mates};
    draw_axes(cairo, &axes, panel);
    if (panel->count == 0) {
        write_text(cairo, LEFT + 8.0, at_y(&axes, 100.0) + 16.0, 12.0, false, 0.35, "no attempt that counts yet");
    }
    if (panel->expert >= 0.0) {
        set_expert(cairo);
        cairo_move_to(cairo, LEFT, at_y(&axes, panel->expert));
        cairo_line_to(cairo, WIDTH - RIGHT, at_y(&axes, panel->expert));
        cairo_stroke(cairo);
    }
    draw_class(cairo, &axes, panel);
    draw_own(cairo, &axes, panel);
    label(cairo, &axes, panel);
}

/// ---- the file ------------------------------------------------------------------------------------------------------

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool draw(const Progress *self, const char *path, Status *status)
{
    bool svg = has_ending(path, ".svg");
    double height = HEAD + PANEL * self->count;
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, WIDTH, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)WIDTH, (int)height);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    draw_legend(cairo, self);
    for (int k = 0; k < self->count; k++) {
        draw_panel(cairo, &self->panels[k], HEAD + PANEL * k);
    }
    cairo_status_t told = cairo_status(cairo);
    cairo_destroy(cairo);
    if (!svg && told == CAIRO_STATUS_SUCCESS) {
        told = cairo_surface_write_to_png(surface, path);
    }
    cairo_surface_finish(surface);
    told = told == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : told;
    cairo_surface_destroy(surface);
    if (told != CAIRO_STATUS_SUCCESS) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the picture cannot be written: %s", path,
                           cairo_status_to_string(told));
    }
    return status_good(status);
}

bool results_draw_progress(Results *results, const char *trainee, const CourseParams *course, const char *path,
                           Status *status)
{
    if (!has_ending(path, ".svg") && !has_ending(path, ".png")) {
        return status_fail(status, STATUS_BAD_USAGE, "%.200s: a name that ends in .svg or .png is expected", path);
    }
    if (access(path, F_OK) == 0) {
        return status_fail(status, STATUS_LACKING, "%s: exists already and is left as it is", path);
    }
    Progress *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the picture");
    }
    self->trainee = trainee;
    self->course = course;
    bool good = gather_points(results, self, status) && draw(self, path, status);
    free(self->tallies);
    free(self);
    return good;
}
