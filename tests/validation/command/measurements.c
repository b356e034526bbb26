/// Writes published measurements beside the law and the simulation: as sections of a page, a figure and a table each,
/// and as Markdown. Both say of every case whether it lies within what was measured; none is left out.
#include "tests/validation/command/measurements.h"

#include <math.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "tests/validation/harness/plot.h"

const char measurements_style[] =
    "<style>\n"
    ".set{margin-top:3rem;border-top:1px solid #d5dade}\n"
    ".set h3{font-size:1.25rem;margin:1rem 0 .4rem}.set p{margin:.4rem 0;max-width:60rem}\n"
    ".set .pictures{display:flex;flex-wrap:wrap;gap:0 2rem}\n"
    ".set figure{flex:1 1 min(22rem,100%);max-width:36rem;margin:.8rem 0 0}\n"
    "@media(max-width:40rem){.set svg{font-size:14px}}\n"
    ".set td,.set th,.sums td,.sums th{vertical-align:top}.set th,.sums th,.sums td{white-space:normal}\n"
    ".set th:last-child,.sums th:nth-child(5){min-width:6rem}\n"
    ".set td:first-child,.sums td:first-child,.sums td:nth-child(n+6){min-width:9rem}\n"
    ".sums td:nth-child(2),.sums th:nth-child(2){white-space:nowrap}\n"
    ".set .scroll{margin-top:.6rem}.set .run{margin-top:.6rem}.set .run th{text-align:left}\n"
    ".set .run td{text-align:left;white-space:normal;overflow-wrap:anywhere}.set .run span{display:inline-block}\n"
    "svg .case{fill:#1c2126}svg .good,.legend .good{fill:#1a7a3c;color:#1a7a3c}\n"
    "svg .bad,.legend .bad{fill:#b3261e;color:#b3261e;font-weight:600}\n"
    ".range{fill:#8fb3d9}.legend i.range{background:#8fb3d9;height:.7rem}\n"
    ".scatter{fill:#dce8f4}.legend i.scatter{background:#dce8f4;height:.7rem}\n"
    ".lawline{stroke:#222;stroke-width:2;stroke-dasharray:4 3;fill:none}\n"
    ".legend i.lawline{width:0;height:1rem;border-left:2px dashed #222;margin:0 .5rem}\n"
    ".within{fill:#1a7a3c;stroke:#fff}.outside{fill:#b3261e;stroke:#fff}\n"
    "@media print{@page{size:A4;margin:12mm}\n"
    "html{font-size:11px}\n"
    "body{font-size:1rem;padding:0;max-width:none;-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
    ".set{break-before:page;break-inside:avoid;border:0;margin:0}\n"
    ".set figure{flex:1 1 8cm;max-width:12cm}.scroll{overflow:visible}}\n"
    "</style>\n";

/// The best and the worst case of a set over all runs, with their errors.
typedef struct Extremes {
    const char *best, *worst; ///< names of cases; NULL: none was compared
    double best_error, worst_error;
    bool best_within, worst_within;
} Extremes;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/// The case of that number in the set of a run; NULL: the run has no such set.
static const json_t *case_of(const json_t *run, const char *set, size_t k)
{
    return json_array_get(json_object_get(comparison_find_set(run, set), "cases"), k);
}

static void add_set(ComparisonSums *sums, const json_t *set)
{
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(set, "cases"), k, one)
    {
        Comparison comparison = comparison_of(one);
        comparison_add(sums, &comparison);
    }
}

ComparisonSums measurements_sums(const json_t *const *runs, int count)
{
    ComparisonSums sums = {0};
    for (int r = 0; r < count; r++) {
        size_t k;
        json_t *set;
        json_array_foreach(json_object_get(runs[r], "sets"), k, set)
        {
            add_set(&sums, set);
        }
    }
    return sums;
}

/// Sums of one set over all runs.
static ComparisonSums sums_of(const json_t *const *runs, int count, const char *name)
{
    ComparisonSums sums = {0};
    for (int r = 0; r < count; r++) {
        add_set(&sums, comparison_find_set(runs[r], name));
    }
    return sums;
}

/// Cases within what was measured are better than those outside, even those whose error is larger because the range is
/// wide; else the smaller error is better.
static Extremes extremes_of(const json_t *const *runs, int count, const char *name)
{
    Extremes of = {NULL, NULL, 0.0, 0.0, false, false};
    for (int r = 0; r < count; r++) {
        size_t k;
        json_t *one;
        json_array_foreach(json_object_get(comparison_find_set(runs[r], name), "cases"), k, one)
        {
            Comparison is = comparison_of(one);
            if (!is.compared) {
                continue;
            }
            if (of.best == NULL || (is.within == of.best_within ? is.error < of.best_error : is.within)) {
                of.best = text_of(one, "name");
                of.best_error = is.error;
                of.best_within = is.within;
            }
            if (of.worst == NULL || (is.within == of.worst_within ? !(is.error <= of.worst_error) : of.worst_within)) {
                of.worst = text_of(one, "name");
                of.worst_error = is.error;
                of.worst_within = is.within;
            }
        }
    }
    return of;
}

typedef void SetWriter(FILE *file, const json_t *const *runs, int count, const json_t *set);

/// Calls `write` for each set, once, in the order of the runs.
static void each_set(FILE *file, const json_t *const *runs, int count, SetWriter *write)
{
    for (int r = 0; r < count; r++) {
        size_t k;
        json_t *set;
        json_array_foreach(json_object_get(runs[r], "sets"), k, set)
        {
            bool known = false;
            for (int before = 0; before < r; before++) {
                known = known || comparison_find_set(runs[before], text_of(set, "set")) != NULL;
            }
            if (!known) {
                write(file, runs, count, set);
            }
        }
    }
}

/// ---- words that page and tables share ------------------------------------------------------------------------------

typedef struct Words {
    char text[400];
} Words;

static Words figure_words(double figure)
{
    Words words = {"-"};
    if (!isnan(figure)) {
        snprintf(words.text, sizeof words.text, "%.3g", figure);
    }
    return words;
}

static Words error_words(double error)
{
    Words words = {"-"};
    if (!isnan(error)) {
        snprintf(words.text, sizeof words.text, "%.0f %%", 100.0 * error);
    }
    return words;
}

/// "0.54 to 0.67", "1.2 ± 10 %", "-" where nothing was measured.
static Words measured_words(const Comparison *comparison)
{
    Words words = {"-"};
    if (isnan(comparison->low)) {
        return words;
    }
    int used = snprintf(words.text, sizeof words.text, "%.4g", comparison->low);
    if (comparison->high > comparison->low) {
        used += snprintf(words.text + used, sizeof words.text - (size_t)used, " to %.4g", comparison->high);
    }
    double scatter = 1.0 - comparison->least / comparison->low;
    if (scatter > 1e-9) {
        snprintf(words.text + used, sizeof words.text - (size_t)used, " ± %.3g %%", 100.0 * scatter);
    }
    return words;
}

static const char *verdict_word(const Comparison *comparison)
{
    return !comparison->ran            ? "not run"
           : isnan(comparison->low)    ? "a divisor"
           : isnan(comparison->figure) ? "no figure"
           : comparison->within        ? "within"
                                       : "outside";
}

static const char *nearer_word(const Comparison *comparison)
{
    return !comparison->compared || isnan(comparison->law) ? "-" : comparison->nearer ? "yes" : "no";
}

/// "loam, 8 %", and whether it lies outside.
static Words extreme_words(const char *name, double error, bool within)
{
    Words words = {"-"};
    if (name != NULL) {
        snprintf(words.text, sizeof words.text, "%.200s, %.20s%s", name, error_words(error).text,
                 within ? "" : ", outside");
    }
    return words;
}

/// Sums as cells: "3 of 4", mean error, that of the law, "2 of 4".
typedef struct SumCells {
    Words within, error, law_error, nearer;
} SumCells;

static SumCells sum_cells(const ComparisonSums *sums)
{
    SumCells cells = {.error = error_words(sums->cases > 0 ? sums->error / sums->cases : (double)NAN),
                      .law_error = error_words(sums->with_law > 0 ? sums->law_error / sums->with_law : (double)NAN),
                      .nearer = {"-"}};
    snprintf(cells.within.text, sizeof cells.within.text, "%d of %d", sums->within, sums->cases);
    if (sums->with_law > 0) {
        snprintf(cells.nearer.text, sizeof cells.nearer.text, "%d of %d", sums->nearer, sums->with_law);
    }
    return cells;
}

/// Sums over all cases, without those of the law, which would be of other cases than the simulation's.
static SumCells cells_of_all(const ComparisonSums *sums)
{
    ComparisonSums all = {.cases = sums->cases, .within = sums->within, .error = sums->error};
    return sum_cells(&all);
}

/// The same over the cases that have a law.
static SumCells cells_with_law(const ComparisonSums *sums)
{
    ComparisonSums with_law = *sums;
    with_law.cases = sums->with_law;
    with_law.within = sums->within_with_law;
    with_law.error = sums->error_with_law;
    return sum_cells(&with_law);
}

/// The form, the solver and the seeds of the runs.
static void write_origin(FILE *file, const json_t *const *runs, int count)
{
    fprintf(file, "%s form, solver %s, seed%s", json_is_true(json_object_get(runs[0], "quick")) ? "Quick" : "Full",
            text_of(runs[0], "solver"), count > 1 ? "s" : "");
    for (int r = 0; r < count; r++) {
        fprintf(file, "%s %lld", r > 0 ? "," : "", (long long)json_integer_value(json_object_get(runs[r], "seed")));
    }
    fputc('.', file);
}

#define ERROR_MEANING                                                                                                  \
    "The error of a figure is its distance from the middle of the measured range, as a share of that; a figure "       \
    "within "                                                                                                          \
    "a wide range may have a large one."

/// The row of a set in the table of sums.
typedef struct SumRow {
    const char *name; ///< of the set
    ComparisonSums sums;
    SumCells cells;
    Extremes extremes;
} SumRow;

static SumRow sum_row_of(const json_t *const *runs, int count, const json_t *set)
{
    SumRow row = {.name = text_of(set, "set")};
    row.sums = sums_of(runs, count, row.name);
    row.cells = sum_cells(&row.sums);
    row.extremes = extremes_of(runs, count, row.name);
    return row;
}

/// ---- the page ------------------------------------------------------------------------------------------------------

static void write_sum_row(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    SumRow row = sum_row_of(runs, count, set);
    fputs("<tr><td><a href=\"#set-", file);
    html_put(file, row.name);
    fputs("\">", file);
    html_put(file, text_of(set, "title"));
    fprintf(file, "</a></td><td class=\"%s\">%s</td><td>%s</td><td>%s</td><td>%s</td><td>",
            row.sums.cases == 0                 ? "none"
            : row.sums.within == row.sums.cases ? "pass"
                                                : "fail",
            row.cells.within.text, row.cells.error.text, row.cells.law_error.text, row.cells.nearer.text);
    html_put(file, extreme_words(row.extremes.best, row.extremes.best_error, row.extremes.best_within).text);
    fputs("</td><td>", file);
    html_put(file, extreme_words(row.extremes.worst, row.extremes.worst_error, row.extremes.worst_within).text);
    fputs("</td></tr>\n", file);
}

static void write_total_row(FILE *file, const char *name, const SumCells *cells)
{
    fprintf(file, "<tr><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th>%s</th><th></th><th></th></tr>\n", name,
            cells->within.text, cells->error.text, cells->law_error.text, cells->nearer.text);
}

static void write_sums(FILE *file, const json_t *const *runs, int count)
{
    ComparisonSums sums = measurements_sums(runs, count);
    SumCells all = cells_of_all(&sums), with_law = cells_with_law(&sums);
    fputs("<div class=\"scroll sums\"><table>\n<tr><th>set of measurements</th><th>within</th><th>mean error</th>"
          "<th>law's mean error</th><th>nearer than the law</th><th>best case</th><th>worst case</th></tr>\n",
          file);
    each_set(file, runs, count, write_sum_row);
    write_total_row(file, "all", &all);
    write_total_row(file, "all with a law", &with_law);
    fputs("</table></div>\n<p>" ERROR_MEANING "</p>\n", file);
}

/// The case of all runs as a row of a picture. False when no run compares it.
static bool make_range(const json_t *const *runs, int count, const json_t *set, size_t k, PlotRange *range)
{
    memset(range, 0, sizeof *range);
    range->law = (double)NAN;
    for (int r = 0; r < count && range->count < PLOT_MOST_FIGURES; r++) {
        const json_t *one = case_of(runs[r], text_of(set, "set"), k);
        Comparison is = comparison_of(one);
        if (!is.compared) {
            continue;
        }
        range->name = text_of(one, "name");
        range->low = is.low;
        range->high = is.high;
        range->least = is.least;
        range->most = is.most;
        range->law = isnan(range->law) ? is.law : range->law;
        range->within[range->count] = is.within;
        range->figures[range->count++] = is.figure;
    }
    return range->count > 0;
}

/// One picture of the cases from `first` on that are in the same unit; an earlier picture has those that are in the
/// unit of a case before.
static void write_picture(FILE *file, const json_t *const *runs, int count, const json_t *set, size_t first)
{
    const json_t *cases = json_object_get(set, "cases");
    const char *unit = text_of(json_array_get(cases, first), "unit");
    PlotRange ranges[COMPARISON_MOST_CASES], one;
    int rows = 0;
    for (size_t k = 0; k < json_array_size(cases) && rows < COMPARISON_MOST_CASES; k++) {
        bool same = strcmp(text_of(json_array_get(cases, k), "unit"), unit) == 0;
        if (same && make_range(runs, count, set, k, &one)) {
            if (k < first) {
                return;
            }
            ranges[rows++] = one;
        }
    }
    char axis[64];
    snprintf(axis, sizeof axis, unit[0] != '\0' ? "measured and simulated, %s" : "measured and simulated, no unit",
             unit);
    fputs("<figure>\n", file);
    plot_write_ranges(file, text_of(set, "title"), axis, ranges, rows);
    plot_write_range_legend(file, ranges, rows);
    fputs("</figure>\n", file);
}

static void write_pictures(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    PlotRange range;
    fputs("<div class=\"pictures\">\n", file);
    for (size_t k = 0; k < json_array_size(json_object_get(set, "cases")); k++) {
        if (make_range(runs, count, set, k, &range)) {
            write_picture(file, runs, count, set, k);
        }
    }
    fputs("</div>\n", file);
}

/// What a cell of a case has of each run, the runs split by " · ".
typedef const char *CellWords(const Comparison *comparison, Words *room);

static const char *figure_cell(const Comparison *comparison, Words *room)
{
    *room = figure_words(comparison->figure);
    return room->text;
}

static const char *error_cell(const Comparison *comparison, Words *room)
{
    *room = error_words(comparison->error);
    return room->text;
}

static const char *law_cell(const Comparison *comparison, Words *room)
{
    *room = figure_words(comparison->law);
    return room->text;
}

static const char *verdict_cell(const Comparison *comparison, Words *room)
{
    (void)room;
    return verdict_word(comparison);
}

static const char *nearer_cell(const Comparison *comparison, Words *room)
{
    (void)room;
    return nearer_word(comparison);
}

static bool is_missed(const Comparison *comparison)
{
    return comparison->compared && !comparison->within;
}

/// How a table marks what lies outside.
typedef struct Marks {
    const char *good, *bad, *good_end, *bad_end;
} Marks;

static const Marks page_marks = {"<span>", "<span class=\"fail\">", "</span>", "</span>"};
static const Marks markdown_marks = {"", "**", "", "**"};

static void write_cell(FILE *file, const json_t *const *runs, int count, const json_t *set, size_t k, CellWords *words,
                       const Marks *marks)
{
    const char *separator = "";
    for (int r = 0; r < count; r++) {
        const json_t *one = case_of(runs[r], text_of(set, "set"), k);
        if (one != NULL) {
            Words room;
            Comparison is = comparison_of(one);
            bool missed = is_missed(&is) && marks != NULL;
            const char *begin = marks == NULL ? "" : missed ? marks->bad : marks->good;
            const char *end = marks == NULL ? "" : missed ? marks->bad_end : marks->good_end;
            fprintf(file, "%s%s%s%s", separator, begin, words(&is, &room), end);
            separator = " · ";
        }
    }
}

/// What a row has behind the measured range, each behind `between`.
static void write_cells(FILE *file, const json_t *const *runs, int count, const json_t *set, size_t k,
                        const Marks *marks, const char *between)
{
    static CellWords *const words[] = {law_cell, figure_cell, error_cell, verdict_cell, nearer_cell};
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        bool marked = words[n] == figure_cell || words[n] == verdict_cell;
        fputs(between, file);
        write_cell(file, runs, count, set, k, words[n], marked ? marks : NULL);
    }
}

static void write_case_row(FILE *file, const json_t *const *runs, int count, const json_t *set, size_t k)
{
    const json_t *one = json_array_get(json_object_get(set, "cases"), k);
    Comparison model = comparison_of(one);
    fputs("<tr><td>", file);
    html_put(file, text_of(one, "name"));
    fputs("</td><td>", file);
    html_put(file, text_of(one, "unit"));
    fprintf(file, "</td><td>%s", measured_words(&model).text);
    write_cells(file, runs, count, set, k, &page_marks, "</td><td>");
    fputs("</td></tr>\n", file);
}

/// How a case was repeated: "blade --set soil=sand --set angle_deg=30", and what of it is compared.
static void write_command_row(FILE *file, const json_t *one)
{
    fputs("<tr><td>", file);
    html_put(file, text_of(one, "name"));
    fputs("</td><td><code>validate run ", file);
    html_put(file, text_of(one, "experiment"));
    size_t k;
    json_t *option;
    json_array_foreach(json_object_get(one, "options"), k, option)
    {
        fputs(" <span>--set ", file);
        html_put(file, json_string_value(option));
        fputs("</span>", file);
    }
    fputs("</code></td><td>", file);
    html_put(file, text_of(one, "quantity"));
    double per = json_number_value(json_object_get(one, "per"));
    if (text_of(one, "over")[0] != '\0') {
        fputs(", divided by that of &ldquo;", file);
        html_put(file, text_of(one, "over"));
        fputs("&rdquo;", file);
    }
    if (per != 1.0) {
        fprintf(file, ", divided by %.6g", per);
    }
    fputs("</td></tr>\n", file);
}

static void write_section(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    const json_t *cases = json_object_get(set, "cases");
    fputs("<section class=\"set\" id=\"set-", file);
    html_put(file, text_of(set, "set"));
    fputs("\">\n<h3>", file);
    html_put(file, text_of(set, "title"));
    fputs("</h3>\n<p><b>Measured:</b> ", file);
    html_put(file, text_of(set, "source"));
    fputs("</p>\n<p><b>Repeated, and what differs:</b> ", file);
    html_put(file, text_of(set, "note"));
    ComparisonSums sums = sums_of(runs, count, text_of(set, "set"));
    fputs(sums.cases > 0 && sums.with_law == 0 ? " No classical law is set against it.</p>\n" : "</p>\n", file);
    write_pictures(file, runs, count, set);
    fputs("<div class=\"scroll\"><table>\n<tr><th>case</th><th>unit</th><th>measured</th><th>law</th><th>Spadework</th>"
          "<th>error</th><th>verdict</th><th>nearer than the law</th></tr>\n",
          file);
    for (size_t k = 0; k < json_array_size(cases); k++) {
        write_case_row(file, runs, count, set, k);
    }
    fputs(
        "</table></div>\n<div class=\"scroll\"><table class=\"run\">\n<tr><th>case</th><th>repeated by</th><th>result "
        "compared</th></tr>\n",
        file);
    for (size_t k = 0; k < json_array_size(cases); k++) {
        write_command_row(file, json_array_get(cases, k));
    }
    fputs("</table></div>\n</section>\n", file);
}

void measurements_write_page(FILE *file, const json_t *const *runs, int count)
{
    fputs("<p>", file);
    write_origin(file, runs, count);
    fputs("</p>\n", file);
    write_sums(file, runs, count);
    each_set(file, runs, count, write_section);
}

/// ---- Markdown ------------------------------------------------------------------------------------------------------

/// A text in a table: no markup, no end of a cell or of a line.
static void markdown_put(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '<') {
            fputs("&lt;", file);
        } else if (*c == '\n') {
            fputc(' ', file);
        } else {
            fprintf(file, "%s%c", *c == '|' || *c == '*' || *c == '`' ? "\\" : "", *c);
        }
    }
}

static void write_sum_line(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    SumRow row = sum_row_of(runs, count, set);
    fputs("| ", file);
    markdown_put(file, row.name);
    fputs(" | ", file);
    markdown_put(file, text_of(set, "title"));
    fprintf(file, " | %s | %s | %s | %s | ", row.cells.within.text, row.cells.error.text, row.cells.law_error.text,
            row.cells.nearer.text);
    markdown_put(file, extreme_words(row.extremes.best, row.extremes.best_error, row.extremes.best_within).text);
    fputs(" | ", file);
    markdown_put(file, extreme_words(row.extremes.worst, row.extremes.worst_error, row.extremes.worst_within).text);
    fputs(" |\n", file);
}

static void write_case_lines(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(set, "cases"), k, one)
    {
        Comparison model = comparison_of(one);
        fputs("| ", file);
        markdown_put(file, text_of(set, "set"));
        fputs(" | ", file);
        markdown_put(file, text_of(one, "name"));
        fputs(" | ", file);
        markdown_put(file, text_of(one, "unit"));
        fprintf(file, " | %s", measured_words(&model).text);
        write_cells(file, runs, count, set, k, &markdown_marks, " | ");
        fputs(" |\n", file);
    }
}

static void write_source(FILE *file, const json_t *const *runs, int count, const json_t *set)
{
    (void)runs;
    (void)count;
    fputs("- **", file);
    markdown_put(file, text_of(set, "set"));
    fputs("**. ", file);
    markdown_put(file, text_of(set, "source"));
    fputs(" Repeated, and what differs: ", file);
    markdown_put(file, text_of(set, "note"));
    fputc('\n', file);
}

static void write_total_line(FILE *file, const char *name, const SumCells *cells)
{
    fprintf(file, "| %s | | %s | %s | %s | %s | | |\n", name, cells->within.text, cells->error.text,
            cells->law_error.text, cells->nearer.text);
}

void measurements_write_tables(FILE *file, const json_t *const *runs, int count)
{
    ComparisonSums sums = measurements_sums(runs, count);
    SumCells all = cells_of_all(&sums), with_law = cells_with_law(&sums);
    fputc('\n', file);
    write_origin(file, runs, count);
    fputs(" " ERROR_MEANING
          "\n\n### By set\n\n| set | what is compared | within | mean error | law's mean error | nearer "
          "than the law | best case | worst case |\n|---|---|---|---|---|---|---|---|\n",
          file);
    each_set(file, runs, count, write_sum_line);
    write_total_line(file, "all", &all);
    write_total_line(file, "all with a law", &with_law);
    fputs(
        "\n### By case\n\n| set | case | unit | measured | law | Spadework | error | verdict | nearer than the law |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        file);
    each_set(file, runs, count, write_case_lines);
    fputs("\n### Sources\n\n", file);
    each_set(file, runs, count, write_source);
}
