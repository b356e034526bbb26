/// Writes the report as one HTML page and as A4 pages (PDF): the same tables and figures in both. A file is written
/// whole or not at all.
#include "trainer/report/report_logo.h"
#include "trainer/report/report_pages_internal.h"

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <errno.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/visible_text.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/signals.h"
#include "data/core/system_files.h"

/// ---- HTML ----------------------------------------------------------------------------------------------------------

/// The page is well-formed XML, too, holds its pictures, and can be read without scripts, in print and in grey.

enum { ROWS_MOST = 600 };

static void put_tagged(FILE *file, const char *tag, const char *text)
{
    fprintf(file, "<%s>", tag);
    html_put(file, text);
    fprintf(file, "</%s>", tag);
}

/// A text of this program, in the reader's language.
static void put_words(FILE *file, const char *tag, const char *english)
{
    put_tagged(file, tag, language_text(english));
}

/// Bytes that become base64 as they come.
typedef struct Encoder {
    FILE *file;
    unsigned char rest[3];
    int count;
} Encoder;

static void put_base64(Encoder *self)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = self->rest;
    char out[4] = {letters[b[0] >> 2], letters[(b[0] & 3) << 4 | b[1] >> 4],
                   self->count > 1 ? letters[(b[1] & 15) << 2 | b[2] >> 6] : '=',
                   self->count > 2 ? letters[b[2] & 63] : '='};
    fwrite(out, 1, sizeof out, self->file);
    self->rest[0] = self->rest[1] = self->rest[2] = 0;
    self->count = 0;
}

static cairo_status_t encode_base64(void *context, const unsigned char *data, unsigned int length)
{
    Encoder *self = context;
    for (unsigned int k = 0; k < length; k++) {
        self->rest[self->count++] = data[k];
        if (self->count == 3) {
            put_base64(self);
        }
    }
    return CAIRO_STATUS_SUCCESS;
}

static void put_figure(FILE *file, const ReportFigure *figure, const ReportData *data)
{
    Encoder encoder = {.file = file};
    fprintf(file, "<figure id=\"%s\"><img width=\"%.0f\" height=\"%.0f\" alt=\"", figure->id, figure->width,
            figure->height);
    html_put(file, language_text(figure->text));
    fputs("\" src=\"data:image/svg+xml;base64,", file);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(encode_base64, &encoder, figure->width, figure->height);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    figure->draw(cairo, data, figure->width, figure->height);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (encoder.count > 0) {
        put_base64(&encoder);
    }
    fputs("\"/>\n", file);
    put_words(file, "figcaption", figure->title);
    fputs("</figure>\n", file);
}

/// The logo, if there is one, written anew from its pixels: what else its file holds does not leave this computer.
static void put_logo(FILE *file, const ReportData *data)
{
    Encoder encoder = {.file = file};
    double width, height;
    if (data->logo == NULL) {
        return;
    }
    report_logo_size(data->logo, &width, &height);
    fprintf(file, "<p><img width=\"%.0f\" height=\"%.0f\" alt=\"\" src=\"data:image/png;base64,", width, height);
    cairo_surface_write_to_png_stream(data->logo, encode_base64, &encoder);
    if (encoder.count > 0) {
        put_base64(&encoder);
    }
    fputs("\"/></p>\n", file);
}

static void put_style(FILE *file)
{
    fputs("<style>\n"
          "body{font:15px/1.45 'DejaVu Sans',Verdana,sans-serif;color:#222;background:#fff;max-width:720px;margin:24px "
          "auto;padding:0 12px}\n"
          "h1{font-size:24px;margin:0 0 2px}h2{font-size:18px;border-bottom:2px solid #222;margin:28px 0 8px}\n"
          "table{border-collapse:collapse;width:100%;font-size:13px;margin:6px 0 14px}caption{text-align:left;"
          "font-weight:bold;padding:4px 0}\n"
          "th,td{text-align:left;vertical-align:top;padding:3px 8px 3px 0;border-bottom:1px solid #ccc}\n"
          "td.n,th.n{text-align:right}td.n{white-space:nowrap}\n"
          ".score{font-size:44px;font-weight:bold}.passed{border-left:10px solid #009e73;padding-left:12px}"
          ".failed{border-left:10px double #d55e00;padding-left:12px}"
          ".practice{border-left:10px dotted #0072b2;padding-left:12px}\n"
          ".seal{font-weight:bold}.changed{border:4px solid #d55e00;padding:8px 12px;font-size:18px;font-weight:bold}\n"
          "figure{margin:10px 0;display:inline-block;vertical-align:top}figcaption{font-size:12px;color:#444}\n"
          "img{max-width:100%;height:auto}code{font-size:12px}td "
          "code{white-space:nowrap}tr:target{background:#fff3c4}a{color:#00598a}\n"
          ".w,p code{overflow-wrap:anywhere}\n"
          "@media(max-width:600px){table{font-size:11px;display:block;overflow-x:auto}th,td{padding:3px 4px 3px "
          "0;hyphens:auto}}\n"
          ".two{display:flex;flex-wrap:wrap;gap:10px}ol,ul{padding-left:22px}\n"
          "@media print{body{max-width:none;margin:0;font-size:11px}h2{break-after:avoid}figure,tr{break-inside:avoid}"
          "a{color:inherit;text-decoration:none}}\n"
          "@page{size:A4;margin:15mm}\n"
          "</style>\n",
          file);
}

/// The heads of columns; from `right` to `last` they stand above numbers.
static void put_heads(FILE *file, const char *const *heads, int columns, int right, int last)
{
    for (int k = 0; k < columns; k++) {
        fprintf(file, "<th scope=\"col\"%s>", k >= right && k <= last ? " class=\"n\"" : "");
        html_put(file, language_text(heads[k]));
        fputs("</th>", file);
    }
}

/// Columns from `right` on hold numbers. Of a table of two columns the second may hold names without any blank.
static void put_rows(FILE *file, const char *caption, const char *const *heads, int columns, const ReportCell *rows,
                     int count, int right)
{
    fputs("<table><caption>", file);
    html_put(file, language_text(caption));
    fputs("</caption><thead><tr>", file);
    put_heads(file, heads, columns, right, columns);
    fputs("</tr></thead><tbody>\n", file);
    for (int n = 0; n < count; n++) {
        fputs("<tr>", file);
        for (int k = 0; k < columns; k++) {
            fprintf(file, "<td%s>", k >= right ? " class=\"n\"" : columns == 2 && k == 1 ? " class=\"w\"" : "");
            html_put(file, rows[n].text[k]);
            fputs("</td>", file);
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table>\n", file);
}

/// The score with its verdict, or why there is none, and what the seals say.
static void put_result(FILE *file, const ReportData *data)
{
    char line[2 * REPORT_TEXT];
    bool scored = data->run.has_values;
    fprintf(file, "<div class=\"%s\">",
            report_is_changed(data)          ? "changed"
            : data->summary.practice         ? "practice"
            : scored && data->summary.passed ? "passed"
                                             : "failed");
    if (scored) {
        fprintf(file, "<span class=\"score\">%s</span> ", quantity_number(data->summary.score, 1).number);
        html_put(file, data->summary.practice ? language_text("points, together with the drive that it began in")
                                              : language_text("points"));
        fputs("<br/>", file);
    }
    report_unscored_line(data, line);
    html_put(file, scored ? data->summary.verdict : line);
    fputs("</div>\n<p class=\"seal\">", file);
    report_seal_line(data, line);
    html_put(file, line);
    fputs("</p>\n", file);
}

static void put_head(FILE *file, const ReportData *data)
{
    char title[2 * REPORT_TEXT];
    fprintf(file,
            "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"%s\">\n<head><meta "
            "charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>\n",
            language_code());
    snprintf(title, sizeof title, language_text("%s: debrief"), data->scene.title);
    put_tagged(file, "title", title);
    fputc('\n', file);
    put_style(file);
    fputs("</head>\n<body>\n", file);
    put_logo(file, data);
    fputs("<h1>", file);
    html_put(file, data->scene.title);
    fputs("</h1>\n<p>", file);
    html_put(file, data->scene.description);
    fputs("</p>\n", file);
    put_result(file, data);
    ReportCell rows[12];
    int count = report_head_rows(data, rows, 12);
    put_rows(file, report_is_changed(data) ? TEXT("What the file says of itself, unproven") : TEXT("The attempt"),
             (const char *const[]){"", ""}, 2, rows, count, 9);
}

/// The moments of a mistake, each a link to its row of the events.
static void put_moments(FILE *file, const ReportData *data, int mistake)
{
    const ReportMistake *told = &data->summary.mistakes[mistake];
    for (int k = 0; k < told->moment_count; k++) {
        char at[REPORT_CLOCK], id[REPORT_ID];
        report_clock(report_time(&data->run, told->moments[k]), language_decimal_mark(), at);
        report_moment_id(&data->run, told->moments[k], id);
        fputs(k == 0 ? "<br/>" : ", ", file);
        html_put(file, k == 0 ? language_text("Watch it: ") : "");
        fprintf(file, "<a href=\"#%s\">%s</a>", id, at);
    }
}

static void put_summary(FILE *file, const ReportData *data)
{
    const ReportSummary *summary = &data->summary;
    put_words(file, "h2", TEXT("What went well"));
    fputs("\n<ul>", file);
    for (int k = 0; k < summary->good_count; k++) {
        put_tagged(file, "li", summary->good[k]);
    }
    if (summary->good_count == 0) {
        put_words(file, "li", TEXT("Nothing reached nine tenths of its points yet."));
    }
    fputs("</ul>\n", file);
    put_words(file, "h2", TEXT("What cost most"));
    fputs("\n<ol>", file);
    for (int k = 0; k < summary->mistake_count; k++) {
        const ReportMistake *mistake = &summary->mistakes[k];
        char points[REPORT_TEXT];
        snprintf(points, sizeof points, language_text("%s points"), quantity_number(mistake->points, 1).number);
        fputs("<li>", file);
        put_tagged(file, "strong", points);
        fputs(": ", file);
        html_put(file, mistake->what);
        if (mistake->advice[0] != '\0') {
            fputs("<br/><em>", file);
            html_put(file, mistake->advice);
            fputs("</em>", file);
        }
        put_moments(file, data, k);
        fputs("</li>\n", file);
    }
    if (summary->mistake_count == 0) {
        put_words(file, "li", TEXT("Nothing."));
    }
    fputs("</ol>\n", file);
}

static void put_figures(FILE *file, const ReportData *data, const char *const *ids, int count)
{
    fputs("<div class=\"two\">\n", file);
    for (int k = 0; k < report_figure_count; k++) {
        const ReportFigure *figure = &report_figures[k];
        for (int n = 0; n < count; n++) {
            if (strcmp(figure->id, ids[n]) == 0 && (figure->shows == NULL || figure->shows(data))) {
                put_figure(file, figure, data);
            }
        }
    }
    fputs("</div>\n", file);
}

static void put_events(FILE *file, const ReportData *data, ReportCell *rows)
{
    int count = report_event_rows(data, rows, ROWS_MOST);
    put_words(file, "h2", TEXT("Events"));
    put_words(file, "p", TEXT("Each is looked at five seconds before it happened by the command beside it."));
    fputs("\n<table>", file);
    put_words(file, "caption", TEXT("What happened"));
    fputs("<thead><tr>", file);
    put_heads(file, (const char *const[]){TEXT("time"), TEXT("kind"), TEXT("what"), TEXT("points"), TEXT("replay")}, 5,
              3, 3);
    fputs("</tr></thead><tbody>\n", file);
    for (int k = 0; k < count; k++) {
        fprintf(file, "<tr id=\"%s\"><td>", rows[k].text[5]);
        html_put(file, rows[k].text[0]);
        fputs("</td><td>", file);
        html_put(file, rows[k].text[1]);
        fputs("</td><td class=\"w\">", file);
        html_put(file, rows[k].text[2]);
        fputs("</td><td class=\"n\">", file);
        html_put(file, rows[k].text[3]);
        fputs("</td><td><code>--from ", file);
        html_put(file, rows[k].text[4]);
        fputs("</code></td></tr>\n", file);
    }
    fputs("</tbody></table>\n", file);
    char word[2 * DATA_PATH_LENGTH];
    if (shell_word_file(file_name_of(data->run.path), word, sizeof word)) {
        fputs("<p>", file);
        html_put(file, language_text("Replay, in the folder of the recording: "));
        fputs("<code>spadework replay ", file);
        html_put(file, word);
        fputs(" --from S</code></p>\n", file);
    }
}

static void put_comparison(FILE *file, const ReportData *data, ReportCell *rows)
{
    if (data->against_count > 0) {
        ReportCell heads;
        const char *texts[REPORT_COLUMNS];
        for (int k = 0; k < REPORT_COLUMNS; k++) {
            texts[k] = heads.text[k];
        }
        int columns = report_compare_heads(data, &heads), count = report_compare_rows(data, rows, ROWS_MOST);
        put_rows(file, TEXT("Beside other runs; the letters are those of the curves"), texts, columns, rows, count, 1);
    }
    if (data->note[0] != '\0') {
        put_tagged(file, "p", data->note);
    }
}

static void put_score(FILE *file, const ReportData *data, ReportCell *rows)
{
    put_summary(file, data);
    put_words(file, "h2", TEXT("Score"));
    int count = report_score_rows(data, rows, ROWS_MOST);
    put_rows(file, TEXT("How the points came about"), report_score_heads, 5, rows, count, 4);
    put_figures(file, data, (const char *const[]){"score"}, 1);
    put_comparison(file, data, rows);
}

static void put_course(FILE *file, const ReportData *data, ReportCell *rows)
{
    put_words(file, "h2", TEXT("How it went"));
    put_figures(file, data, (const char *const[]){"time-line", "cycles", "pressures"}, 3);
    put_words(file, "h2", TEXT("Where"));
    put_figures(file, data, (const char *const[]){"plan", "side", "ground", "error", "together"}, 5);
    put_events(file, data, rows);
}

static bool write_html_page(const ReportData *data, FILE *file)
{
    ReportCell *rows = calloc(ROWS_MOST, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    put_head(file, data);
    if (data->run.has_values) {
        put_score(file, data, rows);
    }
    if (!report_is_changed(data)) {
        put_course(file, data, rows);
        put_words(
            file, "p",
            TEXT("Made by Spadework from the recording alone; its figures follow from it and can be made again."));
    }
    fputs("\n</body>\n</html>\n", file);
    free(rows);
    return ferror(file) == 0;
}

/// ---- PDF -----------------------------------------------------------------------------------------------------------

#define PAGE_WIDTH  595.0 ///< points: A4
#define PAGE_HEIGHT 842.0 ///< points
#define MARGIN      42.0 ///< points

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

static void draw_text(Pages *self, const char *text, double size, bool bold)
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

static void draw_heading(Pages *self, const char *text)
{
    make_room(self, 90.0); // no heading at the foot of a page
    self->y += 8.0;
    draw_text(self, text, 13.0, true);
}

/// A row of cells, each as wide as its share.
static void draw_row(Pages *self, const ReportCell *row, const double *shares, int columns, bool bold)
{
    PangoLayout *layouts[REPORT_COLUMNS];
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
static void draw_heads(Pages *self, const char *const heads[5], const double *shares)
{
    ReportCell row = {0};
    for (int k = 0; k < 5; k++) {
        snprintf(row.text[k], REPORT_TEXT, "%s", language_text(heads[k]));
    }
    draw_row(self, &row, shares, 5, true);
}

static void draw_figure(Pages *self, const ReportFigure *figure, const ReportData *data)
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
    draw_text(self, language_text(figure->title), 8.0, false);
}

static void draw_logo(Pages *self, const ReportData *data)
{
    double width, height;
    if (data->logo == NULL) {
        return;
    }
    report_logo_size(data->logo, &width, &height);
    double scale = width / cairo_image_surface_get_width(data->logo);
    cairo_save(self->cairo);
    cairo_translate(self->cairo, MARGIN, self->y);
    cairo_scale(self->cairo, scale, scale);
    cairo_set_source_surface(self->cairo, data->logo, 0.0, 0.0);
    cairo_paint(self->cairo);
    cairo_restore(self->cairo);
    self->y += height + 8.0;
}

static void draw_first_page(Pages *self, const ReportData *data)
{
    char text[SCORE_VERDICT + 2 * REPORT_TEXT];
    draw_logo(self, data);
    draw_text(self, data->scene.title, 20.0, true);
    draw_text(self, data->scene.description, 9.0, false);
    report_unscored_line(data, text);
    if (data->run.has_values) {
        snprintf(text, sizeof text,
                 data->summary.practice ? language_text("%s points, together with the drive that it began in. %s")
                                        : language_text("%s points. %s"),
                 quantity_number(data->summary.score, 1).number, data->summary.verdict);
    }
    draw_text(self, text, 14.0, true);
    draw_text(self, self->foot, 10.0, true);
    if (report_is_changed(data)) {
        draw_heading(self, language_text("What the file says of itself, unproven"));
    }
    ReportCell rows[12];
    int count = report_head_rows(data, rows, 12);
    for (int k = 0; k < count; k++) {
        draw_row(self, &rows[k], (const double[]){0.2, 0.8}, 2, false);
    }
}

static void draw_summary(Pages *self, const ReportData *data)
{
    draw_heading(self, language_text("What went well"));
    for (int k = 0; k < data->summary.good_count; k++) {
        draw_text(self, data->summary.good[k], 9.0, false);
    }
    if (data->summary.good_count == 0) {
        draw_text(self, language_text("Nothing reached nine tenths of its points yet."), 9.0, false);
    }
    draw_heading(self, language_text("What cost most"));
    for (int k = 0; k < data->summary.mistake_count; k++) {
        const ReportMistake *mistake = &data->summary.mistakes[k];
        char line[2 * REPORT_TEXT + 64];
        int length = snprintf(line, sizeof line, language_text("%d. %s points: %s. %s"), k + 1,
                              quantity_number(mistake->points, 1).number, mistake->what, mistake->advice);
        for (int n = 0; n < mistake->moment_count && length < (int)sizeof line; n++) {
            char at[REPORT_CLOCK];
            report_clock(report_time(&data->run, mistake->moments[n]), language_decimal_mark(), at);
            length += snprintf(line + length, sizeof line - (size_t)length, "%s%s%s", n == 0 ? " " : ", ",
                               n == 0 ? language_text("Watch it: ") : "", at);
        }
        draw_text(self, line, 9.0, false);
    }
}

static void draw_score(Pages *self, const ReportData *data, ReportCell *rows)
{
    static const double score_shares[] = {0.12, 0.28, 0.12, 0.36, 0.12};
    draw_heading(self, language_text("Score"));
    draw_heads(self, report_score_heads, score_shares);
    int count = report_score_rows(data, rows, ROWS_MOST);
    for (int k = 0; k < count; k++) {
        draw_row(self, &rows[k], score_shares, 5, false);
    }
    if (data->against_count > 0) {
        double shares[REPORT_COLUMNS] = {0.28};
        ReportCell heads;
        int columns = report_compare_heads(data, &heads);
        for (int k = 1; k < columns; k++) {
            shares[k] = (1.0 - shares[0]) / (columns - 1);
        }
        draw_heading(self, language_text("Beside other runs"));
        draw_row(self, &heads, shares, columns, true);
        count = report_compare_rows(data, rows, ROWS_MOST);
        for (int k = 0; k < count; k++) {
            draw_row(self, &rows[k], shares, columns, false);
        }
    }
    if (data->note[0] != '\0') {
        draw_text(self, data->note, 9.0, false);
    }
}

static void draw_events(Pages *self, const ReportData *data, ReportCell *rows)
{
    static const double event_shares[] = {0.1, 0.18, 0.52, 0.1, 0.1};
    draw_heading(self, language_text("Events"));
    draw_heads(self,
               (const char *const[]){TEXT("time"), TEXT("kind"), TEXT("what"), TEXT("points"), TEXT("from second")},
               event_shares);
    int count = report_event_rows(data, rows, ROWS_MOST);
    for (int k = 0; k < count; k++) {
        draw_row(self, &rows[k], event_shares, 5, false);
    }
}

static bool write_pdf(const ReportData *data, const char *path, Status *status)
{
    ReportCell *rows = calloc(ROWS_MOST, sizeof *rows);
    if (rows == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for the report", path);
    }
    cairo_surface_t *surface = cairo_pdf_surface_create(path, PAGE_WIDTH, PAGE_HEIGHT);
    Pages pages = {.cairo = cairo_create(surface), .y = MARGIN};
    report_seal_line(data, pages.foot);
    draw_first_page(&pages, data);
    if (data->run.has_values) {
        draw_summary(&pages, data);
    }
    for (int k = 0; k < report_figure_count && !report_is_changed(data); k++) {
        if (report_figures[k].shows == NULL || report_figures[k].shows(data)) {
            draw_figure(&pages, &report_figures[k], data);
        }
    }
    if (data->run.has_values) {
        draw_score(&pages, data, rows);
    }
    if (!report_is_changed(data)) {
        draw_events(&pages, data, rows);
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

/// ---- files ---------------------------------------------------------------------------------------------------------

static bool write_html(const ReportData *data, const char *path, Status *status)
{
    FILE *file = written_file_open(path);
    bool good = file != NULL && write_html_page(data, file);
    int error = errno;
    if (file != NULL && fclose(file) != 0) {
        good = false;
        error = errno;
    }
    if (!good) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the report cannot be written: %s", path,
                           written_file_reason(error));
    }
    return true;
}

bool report_write(const ReportRequest *request, Status *status)
{
    ReportData *data = report_data_read(request, status);
    if (data == NULL) {
        return false;
    }
    bool good =
        signals_go_on(request->recording, status) && (request->html == NULL || write_html(data, request->html, status));
    if (good && request->pdf != NULL) {
        good = write_pdf(data, request->pdf, status);
        if (!good) {
            unlink(request->pdf);
        }
    }
    report_data_free(data);
    return good;
}
