/// The report as A4 pages: the same tables and figures as the page, laid out one below the other.
#include <cairo/cairo-pdf.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "trainer/report/report_pages_internal.h"

#define PAGE_WIDTH  595.0 ///< points: A4
#define PAGE_HEIGHT 842.0 ///< points
#define MARGIN      42.0 ///< points
enum { ROWS_MOST = 600, COLUMNS = REPORT_COLUMNS };

typedef struct Pages {
    cairo_t *cairo;
    double y; ///< points from the top, of the next thing
    char foot[2 * REPORT_TEXT]; ///< of every page: what the recording's seals say
} Pages;

static void end_page(Pages *self)
{
    report_colour(self->cairo, REPORT_INK, 1.0);
    report_text(self->cairo, MARGIN, PAGE_HEIGHT - 0.5 * MARGIN, 7.0, self->foot);
    cairo_show_page(self->cairo);
}

static void make_room(Pages *self, double height)
{
    if (self->y + height > PAGE_HEIGHT - MARGIN && self->y > MARGIN) {
        end_page(self);
        self->y = MARGIN;
    }
}

static PangoLayout *make_layout(Pages *self, const char *text, double size, bool bold, double width)
{
    PangoLayout *layout = pango_cairo_create_layout(self->cairo);
    PangoFontDescription *font = pango_font_description_from_string("DejaVu Sans");
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_text(layout, text, -1);
    return layout;
}

static double layout_height(PangoLayout *layout)
{
    int height;
    pango_layout_get_size(layout, NULL, &height);
    return (double)height / PANGO_SCALE;
}

static void put_text(Pages *self, const char *text, double size, bool bold)
{
    PangoLayout *layout = make_layout(self, text, size, bold, PAGE_WIDTH - 2.0 * MARGIN);
    double height = layout_height(layout);
    make_room(self, height);
    report_colour(self->cairo, REPORT_INK, 1.0);
    cairo_move_to(self->cairo, MARGIN, self->y);
    pango_cairo_show_layout(self->cairo, layout);
    self->y += height + 0.3 * size;
    g_object_unref(layout);
}

static void put_heading(Pages *self, const char *text)
{
    make_room(self, 90.0); // no heading at the foot of a page
    self->y += 8.0;
    put_text(self, text, 13.0, true);
}

/// A row of cells, each as wide as its share.
static void put_row(Pages *self, const ReportCell *row, const double *shares, int columns, bool bold)
{
    PangoLayout *layouts[COLUMNS];
    double width = PAGE_WIDTH - 2.0 * MARGIN, height = 0.0, x = MARGIN;
    for (int k = 0; k < columns; k++) {
        layouts[k] = make_layout(self, row->text[k], 8.0, bold, shares[k] * width - 6.0);
        double own = layout_height(layouts[k]);
        height = own > height ? own : height;
    }
    make_room(self, height + 3.0);
    for (int k = 0; k < columns; k++) {
        report_colour(self->cairo, REPORT_INK, 1.0);
        cairo_move_to(self->cairo, x, self->y);
        pango_cairo_show_layout(self->cairo, layouts[k]);
        x += shares[k] * width;
        g_object_unref(layouts[k]);
    }
    self->y += height + 3.0;
    report_colour(self->cairo, REPORT_GREY, 0.6);
    cairo_set_line_width(self->cairo, 0.4);
    cairo_move_to(self->cairo, MARGIN, self->y - 1.5);
    cairo_line_to(self->cairo, PAGE_WIDTH - MARGIN, self->y - 1.5);
    cairo_stroke(self->cairo);
}

/// Five heads of columns, in English.
static void put_heads(Pages *self, const char *const heads[5], const double *shares)
{
    ReportCell row = {0};
    for (int k = 0; k < 5; k++) {
        snprintf(row.text[k], REPORT_TEXT, "%s", language_text(heads[k]));
    }
    put_row(self, &row, shares, 5, true);
}

static void put_figure(Pages *self, const ReportFigure *figure, const ReportData *data)
{
    double scale = (PAGE_WIDTH - 2.0 * MARGIN) / figure->width;
    scale = scale > 1.0 ? 1.0 : scale;
    make_room(self, scale * figure->height + 16.0);
    cairo_save(self->cairo);
    cairo_translate(self->cairo, MARGIN, self->y);
    cairo_scale(self->cairo, scale, scale);
    figure->draw(self->cairo, data, figure->width, figure->height);
    cairo_restore(self->cairo);
    self->y += scale * figure->height;
    put_text(self, language_text(figure->title), 8.0, false);
}

static void put_first_page(Pages *self, const ReportData *data)
{
    char text[SCORE_VERDICT + 2 * REPORT_TEXT];
    put_text(self, data->scene.title, 20.0, true);
    put_text(self, data->scene.description, 9.0, false);
    report_unscored_line(data, text);
    if (data->run.has_values) {
        snprintf(text, sizeof text,
                 data->summary.practice ? language_text("%s points, together with the drive that it began in. %s")
                                        : language_text("%s points. %s"),
                 quantity_number(data->summary.score, 1).number, data->summary.verdict);
    }
    put_text(self, text, 14.0, true);
    put_text(self, self->foot, 10.0, true);
    if (report_is_changed(data)) {
        put_heading(self, language_text("What the file says of itself, unproven"));
    }
    ReportCell rows[12];
    int count = report_head_rows(data, rows, 12);
    for (int k = 0; k < count; k++) {
        put_row(self, &rows[k], (const double[]){0.2, 0.8}, 2, false);
    }
}

static void put_summary(Pages *self, const ReportData *data)
{
    put_heading(self, language_text("What went well"));
    for (int k = 0; k < data->summary.good_count; k++) {
        put_text(self, data->summary.good[k], 9.0, false);
    }
    if (data->summary.good_count == 0) {
        put_text(self, language_text("Nothing reached nine tenths of its points yet."), 9.0, false);
    }
    put_heading(self, language_text("What cost most"));
    for (int k = 0; k < data->summary.mistake_count; k++) {
        const ReportMistake *mistake = &data->summary.mistakes[k];
        char line[2 * REPORT_TEXT + 64];
        int length = snprintf(line, sizeof line, language_text("%d. %s points: %s. %s"), k + 1,
                              quantity_number(mistake->points, 1).number, mistake->what, mistake->advice);
        for (int n = 0; n < mistake->moment_count && length < (int)sizeof line; n++) {
            char at[16];
            report_clock(report_time(&data->run, mistake->moments[n]), at);
            length += snprintf(line + length, sizeof line - (size_t)length, "%s%s%s", n == 0 ? " " : ", ",
                               n == 0 ? language_text("Watch it: ") : "", at);
        }
        put_text(self, line, 9.0, false);
    }
}

static void put_score(Pages *self, const ReportData *data, ReportCell *rows)
{
    static const double score_shares[] = {0.12, 0.28, 0.12, 0.36, 0.12};
    put_heading(self, language_text("Score"));
    put_heads(self, report_score_heads, score_shares);
    int count = report_score_rows(data, rows, ROWS_MOST);
    for (int k = 0; k < count; k++) {
        put_row(self, &rows[k], score_shares, 5, false);
    }
    if (data->against_count > 0) {
        double shares[COLUMNS] = {0.28};
        ReportCell heads;
        int columns = report_compare_heads(data, &heads);
        for (int k = 1; k < columns; k++) {
            shares[k] = (1.0 - shares[0]) / (columns - 1);
        }
        put_heading(self, language_text("Beside other runs"));
        put_row(self, &heads, shares, columns, true);
        count = report_compare_rows(data, rows, ROWS_MOST);
        for (int k = 0; k < count; k++) {
            put_row(self, &rows[k], shares, columns, false);
        }
    }
    if (data->note[0] != '\0') {
        put_text(self, data->note, 9.0, false);
    }
}

static void put_events(Pages *self, const ReportData *data, ReportCell *rows)
{
    static const double event_shares[] = {0.1, 0.18, 0.52, 0.1, 0.1};
    put_heading(self, language_text("Events"));
    put_heads(self,
              (const char *const[]){TEXT("time"), TEXT("kind"), TEXT("what"), TEXT("points"), TEXT("from second")},
              event_shares);
    int count = report_event_rows(data, rows, ROWS_MOST);
    for (int k = 0; k < count; k++) {
        put_row(self, &rows[k], event_shares, 5, false);
    }
}

bool report_pdf_write(const ReportData *data, const char *path, Status *status)
{
    ReportCell *rows = calloc(ROWS_MOST, sizeof *rows);
    if (rows == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for the report", path);
    }
    cairo_surface_t *surface = cairo_pdf_surface_create(path, PAGE_WIDTH, PAGE_HEIGHT);
    Pages pages = {.cairo = cairo_create(surface), .y = MARGIN};
    report_seal_line(data, pages.foot);
    put_first_page(&pages, data);
    if (data->run.has_values) {
        put_summary(&pages, data);
    }
    for (int k = 0; k < report_figure_count && !report_is_changed(data); k++) {
        if (report_figures[k].shows == NULL || report_figures[k].shows(data)) {
            put_figure(&pages, &report_figures[k], data);
        }
    }
    if (data->run.has_values) {
        put_score(&pages, data, rows);
    }
    if (!report_is_changed(data)) {
        put_events(&pages, data, rows);
    }
    end_page(&pages);
    cairo_destroy(pages.cairo);
    cairo_surface_finish(surface);
    cairo_status_t code = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    free(rows);
    return code == CAIRO_STATUS_SUCCESS || status_fail(status, STATUS_LACKING, "%s: the report cannot be written: %s",
                                                       path, cairo_status_to_string(code));
}
