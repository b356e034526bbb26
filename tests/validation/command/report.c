/// Writes the report: runs every experiment with every solver and seed in a child process, and writes one HTML file
/// with a summary, a table of measured against allowed values and the curves over their laws. The file is written anew
/// after each run, so that what is done so far can be read. A file NAME.md gets the tables alone, as Markdown.
#include "data/core/visible_text.h"
#include "tests/validation/command/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/system_files.h"
#include "tests/validation/command/measurements.h"
#include "tests/validation/harness/child.h"
#include "tests/validation/harness/plot.h"

enum { FULL_SEEDS = 3, MAX_SEEDS = 20 };

/// All runs of one experiment: [solver][seed].
typedef struct Chapter {
    const Experiment *experiment;
    int solvers, seeds;
    json_t *runs[RUN_SOLVERS][MAX_SEEDS];
} Chapter;

static const char style[] =
    "<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#1c2126;background:#fff;max-width:76rem;margin:0 "
    "auto;padding:1rem}\n"
    "h1,h2,h3{line-height:1.2}h2{margin-top:3rem;border-top:1px solid #d5dade;padding-top:1rem}\n"
    "h3{font-size:1rem;margin:.2rem 0}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}\n"
    "td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #e6e9ec;white-space:nowrap}\n"
    "td:first-child,th:first-child{text-align:left;white-space:normal}\n"
    ".pass{color:#1a7a3c}.fail{color:#b3261e;font-weight:600}.none{color:#6a737b}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:1rem}\n"
    "figure{margin:0;min-width:0}svg{width:100%;height:auto;font-size:12.5px;font-family:inherit}\n"
    "svg text{fill:#444b52}.grid{stroke:#e9ecef;fill:none}.axis{stroke:#6a737b;fill:none}\n"
    ".measured polyline{fill:none;stroke-width:2.6}.measured circle{stroke:none}\n"
    ".law polyline{fill:none;stroke:#222;stroke-width:1.1;stroke-dasharray:5 4}\n"
    ".legend{font-size:.8rem;margin:.1rem 0 1rem}.legend span{margin-right:.8rem;white-space:nowrap}\n"
    ".legend i{display:inline-block;width:1.1rem;height:.25rem;margin-right:.3rem;vertical-align:middle}\n"
    ".legend i.dashed{height:0;border-top:2px dashed #222}\n"
    "</style>\n";

static const char *failure_of(const json_t *run)
{
    return json_string_value(json_object_get(run, "failure"));
}

static bool passes(const json_t *run)
{
    return json_is_true(json_object_get(run, "pass"));
}

/// Whether a chapter is that of published measurements, whose runs hold their sets; it has one solver.
static bool is_measured(const Chapter *chapter)
{
    return strcmp(chapter->experiment->name, "measured") == 0;
}

/// Its runs, as measurements_write_page takes them.
static const json_t *const *measured_runs(const Chapter *chapter)
{
    return (const json_t *const *)chapter->runs[SOIL_SOLVER_DEFAULT];
}

/// Judged results of all runs of a solver: how many, and how many are within tolerance.
static void count_results(const Chapter *chapter, int solver, int *judged, int *good)
{
    ComparisonSums sums = measurements_sums(measured_runs(chapter), chapter->seeds); // 0 of another experiment
    *judged = sums.cases;
    *good = sums.within;
    for (int s = 0; s < chapter->seeds; s++) {
        const json_t *run = chapter->runs[solver][s];
        size_t k;
        json_t *result;
        json_array_foreach(json_object_get(run, "results"), k, result)
        {
            if (!is_measured(chapter) && json_is_true(json_object_get(result, "judged"))) {
                ++*judged;
                *good += json_is_true(json_object_get(result, "pass"));
            }
        }
        if (failure_of(run) != NULL) {
            ++*judged;
        }
    }
}

static void write_summary(FILE *file, const Chapter *chapters, int count)
{
    fputs("<div class=\"scroll\"><table>\n<tr><th>experiment</th>", file);
    for (int solver = 0; solver < RUN_SOLVERS; solver++) {
        fprintf(file, "<th>%s</th>", solver_name((SoilSolver)solver));
    }
    fputs("</tr>\n", file);
    for (int c = 0; c < count; c++) {
        const Chapter *chapter = &chapters[c];
        fprintf(file, "<tr><td><a href=\"#%s\">%s</a>: ", chapter->experiment->name, chapter->experiment->name);
        html_put(file, chapter->experiment->title);
        fputs("</td>", file);
        for (int solver = 0; solver < RUN_SOLVERS; solver++) {
            int judged, good;
            if (solver >= chapter->solvers) {
                fputs("<td class=\"none\">-</td>", file);
                continue;
            }
            count_results(chapter, solver, &judged, &good);
            if (judged == 0) {
                fputs("<td class=\"none\">not judged</td>", file);
                continue;
            }
            fprintf(file, "<td class=\"%s\">%d of %d</td>", good == judged ? "pass" : "fail", good, judged);
        }
        fputs("</tr>\n", file);
    }
    fputs("</table></div>\n", file);
}

static void write_number(FILE *file, const json_t *number)
{
    if (json_is_number(number)) {
        fprintf(file, "%.5g", json_number_value(number));
    } else {
        fputs("-", file);
    }
}

/// What is allowed, as the table of a run has it; HTML and Markdown know &plusmn;.
static void write_allowed(FILE *file, const json_t *result)
{
    const char *allowed = json_string_value(json_object_get(result, "allowed")), *sign = strstr(allowed, "+-");
    if (sign == NULL) {
        fputs(allowed, file);
    } else {
        fprintf(file, "%.*s&plusmn;%s", (int)(sign - allowed), allowed, sign + 2);
    }
}

/// The result `quantity` of a run; the k-th one, when it has that name there.
static const json_t *find_result(const json_t *run, size_t k, const char *quantity)
{
    const json_t *results = json_object_get(run, "results"), *result = json_array_get(results, k);
    for (size_t i = 0; result == NULL || strcmp(json_string_value(json_object_get(result, "quantity")), quantity) != 0;
         i++) {
        if (i == json_array_size(results)) {
            return NULL;
        }
        result = json_array_get(results, i);
    }
    return result;
}

/// Measured values of one quantity, one cell a solver with the seeds in it.
static void write_cells(FILE *file, const Chapter *chapter, size_t k, const char *quantity)
{
    for (int solver = 0; solver < chapter->solvers; solver++) {
        fputs("<td>", file);
        for (int s = 0; s < chapter->seeds; s++) {
            const json_t *result = find_result(chapter->runs[solver][s], k, quantity);
            bool judged = json_is_true(json_object_get(result, "judged"));
            bool good = json_is_true(json_object_get(result, "pass"));
            fprintf(file, "%s<span class=\"%s\">", s > 0 ? " · " : "", !judged ? "none" : good ? "pass" : "fail");
            write_number(file, json_object_get(result, "measured"));
            fputs("</span>", file);
        }
        fputs("</td>", file);
    }
}

/// The first run of the chapter that has results, of any solver.
static const json_t *find_model(const Chapter *chapter)
{
    for (int solver = 0; solver < chapter->solvers; solver++) {
        for (int s = 0; s < chapter->seeds; s++) {
            if (failure_of(chapter->runs[solver][s]) == NULL) {
                return chapter->runs[solver][s];
            }
        }
    }
    return NULL;
}

static void write_results(FILE *file, const Chapter *chapter)
{
    const json_t *model = find_model(chapter);
    if (model == NULL) {
        return;
    }
    fputs("<div class=\"scroll\"><table>\n<tr><th>quantity</th><th>unit</th><th>allowed</th>", file);
    for (int solver = 0; solver < chapter->solvers; solver++) {
        fprintf(file, "<th>%s</th>", solver_name((SoilSolver)solver));
    }
    fputs("</tr>\n", file);
    size_t k;
    json_t *result;
    json_array_foreach(json_object_get(model, "results"), k, result)
    {
        const char *quantity = json_string_value(json_object_get(result, "quantity"));
        fputs("<tr><td>", file);
        html_put(file, quantity);
        fputs("</td><td>", file);
        html_put(file, json_string_value(json_object_get(result, "unit")));
        fputs("</td><td>", file);
        write_allowed(file, result);
        fputs("</td>", file);
        write_cells(file, chapter, k, quantity);
        fputs("</tr>\n", file);
    }
    fputs("</table></div>\n", file);
}

static void write_parameters(FILE *file, const json_t *run)
{
    const char *key;
    json_t *value, *parameters = json_object_get(run, "parameters");
    if (json_object_size(parameters) == 0) {
        return;
    }
    const char *separator = "";
    fputs("<p>Parameters: ", file);
    json_object_foreach(parameters, key, value)
    {
        fprintf(file, "%s%s ", separator, key);
        separator = ", ";
        if (json_is_string(value)) {
            html_put(file, json_string_value(value));
        } else if (json_is_null(value)) {
            fputs("of the soil's file", file);
        } else {
            fprintf(file, "%g", json_number_value(value));
        }
    }
    fputs(".</p>\n", file);
}

static void write_failures(FILE *file, const Chapter *chapter)
{
    for (int solver = 0; solver < chapter->solvers; solver++) {
        for (int s = 0; s < chapter->seeds; s++) {
            const json_t *run = chapter->runs[solver][s];
            if (failure_of(run) != NULL) {
                fprintf(file, "<p class=\"fail\">%s, seed %lld: ", solver_name((SoilSolver)solver),
                        (long long)json_integer_value(json_object_get(run, "seed")));
                html_put(file, failure_of(run));
                fputs("</p>\n", file);
            }
        }
    }
}

/// One picture of a plot for each solver, the seeds over one another.
static void write_plot(FILE *file, const Chapter *chapter, size_t index, const char *title)
{
    fputs("<h3>", file);
    html_put(file, title);
    fputs("</h3>\n<div class=\"plots\">\n", file);
    const json_t *drawn = NULL;
    for (int solver = 0; solver < chapter->solvers; solver++) {
        const json_t *runs[MAX_SEEDS];
        int count = 0;
        for (int s = 0; s < chapter->seeds; s++) {
            const json_t *plot = json_array_get(json_object_get(chapter->runs[solver][s], "plots"), index);
            if (plot != NULL && plot_has_points(plot)) {
                runs[count++] = chapter->runs[solver][s];
            }
        }
        if (count > 0) {
            fprintf(file, "<figure><figcaption>%s</figcaption>\n", solver_name((SoilSolver)solver));
            plot_write(file, runs, count, index);
            fputs("</figure>\n", file);
            drawn = drawn != NULL ? drawn : json_array_get(json_object_get(runs[0], "plots"), index);
        }
    }
    fputs("</div>\n", file);
    plot_write_legend(file, drawn);
}

static void write_chapter(FILE *file, const Chapter *chapter)
{
    const json_t *model = find_model(chapter);
    fprintf(file, "<h2 id=\"%s\">%s: ", chapter->experiment->name, chapter->experiment->name);
    html_put(file, chapter->experiment->title);
    fputs("</h2>\n<p>Compared with: ", file);
    html_put(file, chapter->experiment->law);
    fputs(".</p>\n", file);
    if (is_measured(chapter)) {
        write_failures(file, chapter);
        measurements_write_page(file, measured_runs(chapter), chapter->seeds);
        return;
    }
    write_parameters(file, model);
    write_failures(file, chapter);
    size_t k;
    json_t *plot;
    json_array_foreach(json_object_get(model, "plots"), k, plot)
    {
        if (plot_has_points(plot)) {
            write_plot(file, chapter, k, json_string_value(json_object_get(plot, "title")));
        }
    }
    write_results(file, chapter);
}

static void write_report(FILE *file, const Chapter *chapters, int count, bool quick)
{
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<title>Spadework: validation of the soil</title>\n%s%s</head><body>\n"
            "<h1>Validation of the soil</h1>\n"
            "<p>Every experiment compares the soil with something known from elsewhere: a law, a published figure. "
            "<b>default</b> is what the trainer runs; <b>p2</b> is Parallel Particles as published and <b>gs</b> its "
            "sequential reference, shown as the baseline and allowed to miss. Dashed lines are the law; pale curves "
            "are further seeds. %s form, seeds: %d.</p>\n",
            style, measurements_style, quick ? "Quick" : "Full", chapters[0].seeds);
    write_summary(file, chapters, count);
    for (int c = 0; c < count; c++) {
        write_chapter(file, &chapters[c]);
    }
    fputs("</body></html>\n", file);
}

/// The results of a chapter as a Markdown table: the seeds of a solver in one cell, what misses its tolerance in bold.
static void write_table(FILE *file, const Chapter *chapter)
{
    const json_t *model = find_model(chapter);
    fprintf(file, "\n## %s: %s\n\nCompared with: %s.\n", chapter->experiment->name, chapter->experiment->title,
            chapter->experiment->law);
    if (model == NULL) {
        fputs("\nNo run could be done.\n", file);
        return;
    }
    if (is_measured(chapter)) {
        measurements_write_tables(file, measured_runs(chapter), chapter->seeds);
        return;
    }
    fputs("\n| quantity | unit | allowed |", file);
    for (int solver = 0; solver < chapter->solvers; solver++) {
        fprintf(file, " %s |", solver_name((SoilSolver)solver));
    }
    fputs("\n|---|---|---|", file);
    for (int solver = 0; solver < chapter->solvers; solver++) {
        fputs("---|", file);
    }
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(model, "results"), k, row)
    {
        const char *quantity = json_string_value(json_object_get(row, "quantity"));
        fprintf(file, "\n| %s | %s | ", quantity, json_string_value(json_object_get(row, "unit")));
        write_allowed(file, row);
        for (int solver = 0; solver < chapter->solvers; solver++) {
            for (int s = 0; s < chapter->seeds; s++) {
                const json_t *result = find_result(chapter->runs[solver][s], k, quantity);
                const char *mark = json_is_false(json_object_get(result, "pass")) ? "**" : "";
                fprintf(file, "%s%s", s > 0 ? ", " : " | ", mark);
                write_number(file, json_object_get(result, "measured"));
                fputs(mark, file);
            }
        }
        fputs(" |", file);
    }
    fputc('\n', file);
}

static void write_tables(FILE *file, const Chapter *chapters, int count, bool quick)
{
    fprintf(file, "# Validation of soil and machine\n\n%s form, seeds: %d. Bold: outside the tolerance.\n",
            quick ? "Quick" : "Full", chapters[0].seeds);
    for (int c = 0; c < count; c++) {
        write_table(file, &chapters[c]);
    }
}

/// The report as far as it is done: tables alone for NAME.md, else a page. False when it cannot be written.
static bool write_file(const char *path, const Chapter *chapters, int count, bool quick)
{
    FILE *file = written_file_open(path);
    if (file == NULL) {
        return false;
    }
    size_t length = strlen(path);
    bool tables = length > 3 && strcmp(path + length - 3, ".md") == 0;
    (tables ? write_tables : write_report)(file, chapters, count, quick);
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}

/// Runs a chapter; that of published measurements is taken from saved results where there are some.
static void run_chapter(Chapter *chapter, const RunRequest *request, const SavedRuns *saved)
{
    if (is_measured(chapter) && saved->count > 0) {
        chapter->seeds = saved->count;
        for (int s = 0; s < saved->count; s++) {
            chapter->runs[SOIL_SOLVER_DEFAULT][s] = json_incref(saved->runs[s]);
        }
        return;
    }
    RunRequest each = *request;
    each.experiment = chapter->experiment;
    for (int solver = 0; solver < chapter->solvers; solver++) {
        each.solver = (SoilSolver)solver;
        for (int s = 0; s < chapter->seeds; s++) {
            each.seed = request->seed + (uint64_t)s;
            chapter->runs[solver][s] = child_run(&each);
        }
    }
}

static void drop_chapter(Chapter *chapter)
{
    for (int solver = 0; solver < chapter->solvers; solver++) {
        for (int s = 0; s < chapter->seeds; s++) {
            json_decref(chapter->runs[solver][s]);
        }
    }
}

StatusCode report_write(const char *path, const RunRequest *request, const Experiment *const *experiments, int count,
                        int seeds, const SavedRuns *saved, Status *status)
{
    enum { MAX_CHAPTERS = 64 };
    Chapter chapters[MAX_CHAPTERS];
    memset(chapters, 0, sizeof chapters);
    bool saved_alone = saved->count > 0 && count == 1;
    bool quick = saved_alone ? json_is_true(json_object_get(saved->runs[0], "quick")) : request->quick;
    bool good = true, written = write_file(path, chapters, 0, quick); // before the runs: they may take long
    count = count < MAX_CHAPTERS ? count : MAX_CHAPTERS;
    for (int c = 0; written && c < count; c++) {
        chapters[c].experiment = experiments[c];
        chapters[c].solvers = solver_count_for(experiments[c]);
        chapters[c].seeds = seeds > 0 ? seeds : request->quick ? 1 : FULL_SEEDS;
        run_chapter(&chapters[c], request, saved);
        for (int s = 0; s < chapters[c].seeds; s++) {
            good = good && passes(chapters[c].runs[SOIL_SOLVER_DEFAULT][s]);
        }
        written = write_file(path, chapters, c + 1, quick); // an interrupted report keeps what is done
    }
    for (int c = 0; c < count; c++) {
        drop_chapter(&chapters[c]);
    }
    if (!written) {
        status_fail(status, STATUS_BAD_FILE, "%s cannot be written", path);
        return status->code;
    }
    return good ? STATUS_GOOD : STATUS_NOT_VERIFIED;
}
