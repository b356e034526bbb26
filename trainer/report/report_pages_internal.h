/// What the files of the report share: the data of a run and the tables made of it (report_rows.c), and the figures
/// (report_figures.c).
#ifndef SPADEWORK_TRAINER_REPORT_INTERNAL_H
#define SPADEWORK_TRAINER_REPORT_INTERNAL_H

#include <cairo/cairo.h>

#include "data/schema/schema.h"
#include "trainer/record/record.h"
#include "trainer/report/report_pages.h"

enum { REPORT_MAX_AGAINST = 8 };

/// One run, as its recording holds it.
typedef struct ReportRun {
    char path[DATA_PATH_LENGTH];
    char trainee[128], operator_name[128], created[40], build[40]; ///< as the recording's meta; "" = not known
    Credit credit; ///< who drove, and what it began in
    char changed[CREDIT_CHANGED]; ///< in its scene (credit_list_changes); "" = nothing
    char role[24]; ///< of a run to compare with, in English: "expert"; "" = none
    double dt; ///< s a tick
    int64_t first_tick, last_tick;
    double values[METRIC_COUNT]; ///< by Metric, in its unit
    RecordingSeal seal; ///< what the recording's seals say
    bool has_values; ///< false: it is not whole, and nothing is scored
    int event_count;
    ExerciseEvent *events;
    int64_t sample_count;
    TraceSample *samples;
} ReportRun;

typedef struct ReportData {
    TextUnits units; ///< the reader's
    ReportRun run;
    SceneParams scene;
    MachineParams machine;
    DesignSurface *design; ///< surface that the scene asks for
    TraceGround before, after;
    ReportSummary summary;
    int against_count;
    ReportRun against[REPORT_MAX_AGAINST];
    cairo_surface_t *logo; ///< or NULL
    char comment[REPORT_TEXT], grade[REPORT_TEXT]; ///< of the instructor; "" = none
    char note[2 * REPORT_TEXT]; ///< about runs that it is not compared with; "" = nothing
} ReportData;

/// Reads everything a report needs; the caller frees it with report_data_free. NULL with `status`.
ReportData *report_data_read(const ReportRequest *request, Status *status);
void report_data_free(ReportData *data); ///< NULL is nothing
/// s of a tick since the recording's beginning of time.
double report_time(const ReportRun *run, int64_t tick);

/// A figure: what it shows, and how it is drawn into width x height points.
typedef struct ReportFigure {
    const char *id; ///< of its element in the page
    const char *title; ///< in English, as the next
    const char *text; ///< describes it for people who cannot see it
    double width, height; ///< points
    bool (*shows)(const ReportData *data); ///< false: there is nothing to draw; NULL: always
    void (*draw)(cairo_t *cairo, const ReportData *data, double width, double height);
} ReportFigure;
extern const ReportFigure report_figures[];
extern const int report_figure_count;

/// Colours of report_colour.
enum { REPORT_INK, REPORT_ORANGE, REPORT_BLUE, REPORT_GREEN, REPORT_SKY, REPORT_YELLOW, REPORT_RED, REPORT_GREY };
/// One of the colours of Okabe and Ito, which people who are colour-blind tell apart.
void report_colour(cairo_t *cairo, int colour, double alpha);
void report_text(cairo_t *cairo, double x, double y, double size, const char *text);

/// What the seals say, as a sentence of the page, and why nothing is scored; "" when it is.
void report_seal_line(const ReportData *data, char text[2 * REPORT_TEXT]);
void report_unscored_line(const ReportData *data, char text[2 * REPORT_TEXT]);
bool report_is_changed(const ReportData *data); ///< the recording was changed: nothing in it is shown as true

/// Rows of the tables, the same in HTML and PDF.
enum { REPORT_COLUMNS = 6, REPORT_COMPARED = REPORT_COLUMNS - 2 }; ///< runs that the table has room for
typedef struct ReportCell {
    char text[REPORT_COLUMNS][REPORT_TEXT];
} ReportCell;
int report_head_rows(const ReportData *data, ReportCell *rows, int capacity); ///< what, value
extern const char *const report_score_heads[5]; ///< in English, of the next
int report_score_rows(const ReportData *data, ReportCell *rows, int capacity); ///< group, what, value, formula, points
/// time, kind, detail, points, second to replay from, id: events, and the moments of mistakes among them
int report_event_rows(const ReportData *data, ReportCell *rows, int capacity);
enum { REPORT_ID = 32 };
/// Writes the id of the row of a moment of the summary.
void report_moment_id(const ReportRun *run, int64_t tick, char id[REPORT_ID]);
int report_compare_rows(const ReportData *data, ReportCell *rows, int capacity); ///< metric, this, others
/// Writes the heads of that table, of the others the letter by which the curves name them, too; returns its columns.
int report_compare_heads(const ReportData *data, ReportCell *heads);
enum { REPORT_CLOCK = 48 };
/// Writes "2:03.4". mark  the decimal mark (language_decimal_mark)
void report_clock(double seconds, const char *mark, char text[REPORT_CLOCK]);

#endif
