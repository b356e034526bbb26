/// The debrief: what it says of figures that are known by hand, its page, and what it refuses.
// test: long

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/report/report_pages.h"

static char folder[64];
static char path[512];

static int record_some(void **state)
{
    (void)state;
    make_folder(folder);
    path_in(folder, "a.spade", path);
    RecorderParams params = {.path = path, .trainee = "Ann <script>alert(\"x\")</script> & 'Bo'", .operator_name = "a"};
    record_as(&params, 2, 40 * TICK_RATE, NULL);
    return 0;
}

static int remove_it(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

static char *read_whole(const char *name)
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        count++;
    }
    return count;
}

/// 60 points for work that is done, 30 for spill of which half is lost, a rule that took 2 x 4, and 10 for time.
TEST(the_costliest_mistakes_come_first)
{
    SceneExercise *asked = calloc(1, sizeof *asked);
    asked->pass_mark = 70.0;
    asked->scores_count = 3;
    asked->scores[0] = (SceneScore){METRIC_REMOVED_SHARE, SCORE_GROUP_WORK, 60, 1, 0, METRIC_SCORE, -1e300, 1e300, ""};
    asked->scores[1] = (SceneScore){
        METRIC_SPILLED_SHARE, SCORE_GROUP_SPILL, 30, 0, 0.2, METRIC_WORK_SHARE, -1e300, 1e300, "clean ways"};
    asked->scores[2] = (SceneScore){METRIC_PACE_SHARE, SCORE_GROUP_TIME, 10, 1, 0, METRIC_SCORE, -1e300, 1e300, ""};
    asked->rules_count = 1;
    asked->rules[0] = (SceneRule){.incident = INCIDENT_TOUCH, .limit = 1, .points = 4.0};
    asked->faults_count = 1;
    asked->faults[0] = (SceneFault){"Curl it level.", METRIC_SPILLED_SHARE, -1e300, 0.05};
    double values[METRIC_COUNT] = {
        [METRIC_SCORE] = 77.0,        [METRIC_FINISHED] = 1.0,      [METRIC_PASSED] = 1.0,
        [METRIC_REMOVED_SHARE] = 1.0, [METRIC_SPILLED_SHARE] = 0.1, [METRIC_WORK_SHARE] = 1.0,
        [METRIC_PACE_SHARE] = 1.0,    [METRIC_MOVED] = 1000.0};
    ExerciseEvent events[5] = {{.tick = 50, .kind = EVENT_POINTS, .thing = {THING_SCORE, 1, "spilled_share"}},
                               {.tick = 60, .kind = EVENT_TOUCH, .thing = {THING_FIXTURE, 0, "wall"}},
                               {.tick = 70, .kind = EVENT_TOUCH, .thing = {THING_FIXTURE, 0, "wall"}},
                               {.tick = 80, .kind = EVENT_TOUCH, .thing = {THING_TRUCK_PART, 0, "cab"}},
                               {.tick = 90, .kind = EVENT_FINISHED}};
    ReportSummary summary;
    ReportFacts facts = {.asked = asked, .values = values, .events = events, .event_count = 5, .dt = 0.05};
    report_summarise(&facts, &summary);
    assert_true(summary.passed);
    assert_string_equal(summary.verdict, "Passed with 77.0 points");
    assert_int_equal(summary.good_count, 2);
    assert_int_equal(summary.mistake_count, 2);
    assert_near(summary.mistakes[0].points, 15.0, 1e-9);
    assert_string_equal(summary.mistakes[0].what, "clean ways (spilled share of what was moved): 10 %");
    assert_string_equal(summary.mistakes[0].advice, "Curl it level.");
    assert_int_equal(summary.mistakes[0].moment_count, 1);
    assert_int_equal(summary.mistakes[0].moments[0], 50);
    assert_near(summary.mistakes[1].points, 8.0, 1e-9);
    assert_int_equal(summary.mistakes[1].times, 2);
    assert_int_equal(summary.mistakes[1].moment_count, 2); // the first one is let pass
    assert_int_equal(summary.mistakes[1].moments[0], 70);
    assert_int_equal(summary.mistakes[1].moments[1], 80);
    // An incident that ends the attempt costs it all.
    asked->rules[0].points = 0.0;
    asked->rules[0].fail = true;
    report_summarise(&facts, &summary);
    assert_near(summary.mistakes[0].points, 100.0, 1e-9);
    assert_string_equal(summary.verdict, "Not passed: The machine ran into what it must not touch.");
    free(asked);
}

static void summarise_row(const SceneScore *row, const double *values, ReportSummary *summary)
{
    SceneExercise *asked = calloc(1, sizeof *asked);
    assert_non_null(asked);
    asked->scores_count = 1;
    asked->scores[0] = *row;
    report_summarise(&(ReportFacts){.asked = asked, .values = values, .dt = 0.05}, summary);
    free(asked);
}

/// A label that names the aim stands beside a figure that measures what went wrong: both are named.
TEST(a_label_of_ones_own_says_what_its_figure_is)
{
    const SceneScore row = {METRIC_OVERDIG_SHARE,
                            SCORE_GROUP_ACCURACY,
                            20,
                            0,
                            0.05,
                            METRIC_SCORE,
                            -1e300,
                            1e300,
                            "floor within the tolerance, not too deep"};
    ReportSummary summary;
    double values[METRIC_COUNT] = {[METRIC_OVERDIG_SHARE] = 5.53e-6};
    summarise_row(&row, values, &summary);
    assert_int_equal(summary.good_count, 1);
    assert_string_equal(summary.good[0], "floor within the tolerance, not too deep (dug too deep, as a share of the "
                                         "trench): only < 0.1 % (20.0 of 20 points)");
}

/// A share of what was moved is no figure where nothing was: neither praise nor 100 %.
TEST(a_drive_that_moved_nothing_is_not_praised_for_it)
{
    const SceneScore clean = {METRIC_SPILLED_SHARE, SCORE_GROUP_SPILL, 20, 0, 0.2, METRIC_SCORE, -1e300, 1e300, ""};
    const SceneScore placed = {
        METRIC_DELIVERED_SHARE, SCORE_GROUP_SPILL, 20, 0.97, 0.5, METRIC_WORK_SHARE, -1e300, 1e300, ""};
    ReportSummary summary;
    double values[METRIC_COUNT] = {[METRIC_DELIVERED_SHARE] = 1.0};
    summarise_row(&clean, values, &summary);
    assert_int_equal(summary.good_count, 0);
    summarise_row(&placed, values, &summary);
    assert_string_equal(summary.mistakes[0].what, "share of what was moved that lies where it was asked for, counted "
                                                  "times share of the work done: 0 %");
    values[METRIC_MOVED] = 100.0;
    summarise_row(&clean, values, &summary);
    assert_string_equal(summary.good[0], "spilled share of what was moved: none (20.0 of 20 points)");
}

/// A row is praised or called a mistake, not both; a figure too small for its digits is none.
TEST(what_cost_points_did_not_go_well)
{
    const SceneScore work = {METRIC_WORK_SHARE, SCORE_GROUP_WORK, 30, 0.95, 0, METRIC_SCORE, -1e300, 1e300, ""};
    const SceneScore deep = {
        METRIC_SURFACE_OVERDIG, SCORE_GROUP_ACCURACY, 10, 0.05, 0.8, METRIC_SCORE, -1e300, 1e300, ""};
    ReportSummary summary;
    double values[METRIC_COUNT] = {[METRIC_WORK_SHARE] = 0.9, [METRIC_SURFACE_OVERDIG] = 0.003};
    summarise_row(&work, values, &summary);
    assert_int_equal(summary.mistake_count, 1);
    assert_int_equal(summary.good_count, 0);
    values[METRIC_WORK_SHARE] = 0.94;
    summarise_row(&work, values, &summary);
    assert_int_equal(summary.mistake_count, 0);
    assert_int_equal(summary.good_count, 1);
    summarise_row(&deep, values, &summary);
    assert_string_equal(summary.good[0], "dug below the surface: none (10.0 of 10 points)");
}

/// Points that the row's own figure lost are not put down to the work, all of which is done.
TEST(a_loss_is_put_down_to_what_lost_more)
{
    const SceneScore row = {
        METRIC_SURFACE_OVERDIG, SCORE_GROUP_ACCURACY, 7, 0, 0.6, METRIC_WORK_SHARE, -1e300, 1e300, ""};
    ReportSummary summary;
    double values[METRIC_COUNT] = {[METRIC_SURFACE_OVERDIG] = 0.05, [METRIC_WORK_SHARE] = 1.0};
    summarise_row(&row, values, &summary);
    assert_string_equal(summary.mistakes[0].what, "dug below the surface: 0.05 m\u00b3");
    values[METRIC_WORK_SHARE] = 0.5;
    summarise_row(&row, values, &summary);
    assert_string_equal(summary.mistakes[0].what, "dug below the surface, counted times share of the work done: 50 %");
}

/// Neither the folder of the recording nor that of a script or of another run is on the page.
TEST(no_folder_is_on_the_page)
{
    char html[512], script[512], own[512];
    Status status = {0};
    setenv("HOME", folder, 1);
    RecorderParams params = {.path = path_in(folder, "s.spade", own),
                             .operator_name = path_in(folder, "dig.csv", script),
                             .driver = CREDIT_SCRIPT};
    record_as(&params, 1, 20, NULL);
    char missing[512];
    const ReportOther others[] = {{path_in(folder, "gone.spade", missing), "earlier", true}};
    ReportRequest request = {
        .recording = own, .against = others, .against_count = 1, .html = path_in(folder, "s.html", html)};
    assert_good(report_write(&request, &status), status);
    char *text = read_whole(html);
    assert_null(strstr(text, folder));
    assert_non_null(strstr(text, "<td>Recording</td><td class=\"w\">s.spade</td>"));
    assert_non_null(strstr(text, "the script dig.csv"));
    assert_non_null(strstr(text, "in the folder of the recording: <code>spadework replay s.spade --from S</code>"));
    assert_non_null(strstr(text, "Not compared with earlier: ~/gone.spade"));
    free(text);
}

TEST(the_page_is_well_formed_and_holds_its_figures)
{
    char html[512], pdf[512], command[1200];
    Status status = {0};
    const ReportOther others[] = {{path, "expert", true}, {"/dev/null", "earlier", true}};
    ReportRequest request = {.recording = path,
                             .against = others,
                             .against_count = 2,
                             .html = path_in(folder, "a.html", html),
                             .pdf = path_in(folder, "a.pdf", pdf)};
    assert_good(report_write(&request, &status), status);
    char *text = read_whole(html);
    assert_true(strlen(text) < 3 << 20);
    assert_null(strstr(text, "<script"));
    assert_non_null(strstr(text, "Ann &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;Bo&#39;"));
    assert_int_equal(count_of(text, "<figure id="), 9);
    assert_int_equal(count_of(text, "alt=\""), 9);
    assert_null(strstr(text, "http://www.w3.org/2000")); // pictures are inside, as data
    assert_int_equal(count_of(text, "src=\"data:"), 9);
    assert_null(strstr(text, "src=\"http"));
    assert_non_null(strstr(text, ">A: expert, 20"));
    assert_null(strstr(text, ">B: "));
    assert_non_null(strstr(text, "Not compared with earlier: /dev/null: ")); // nobody asked for it
    // Each link leads somewhere.
    for (const char *at = strstr(text, "href=\"#"); at != NULL; at = strstr(at + 1, "href=\"#")) {
        char id[32], anchor[48];
        snprintf(id, sizeof id, "%.*s", (int)strcspn(at + 7, "\""), at + 7);
        snprintf(anchor, sizeof anchor, "id=\"%s\"", id);
        assert_non_null(strstr(text, anchor));
    }
    free(text);
    char *pages = read_whole(pdf);
    assert_memory_equal(pages, "%PDF", 4);
    free(pages);
    snprintf(command, sizeof command, "! command -v xmllint >/dev/null || xmllint --noout '%s'", html);
    assert_int_equal(system(command), 0);
}

TEST(what_cannot_be_reported_is_told)
{
    Status status = {0};
    char html[512], copy[512], command[1200];
    path_in(folder, "b.html", html);
    ReportRequest request = {.recording = "/dev/null", .html = html};
    assert_false(report_write(&request, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    request.recording = path;
    request.against = &(ReportOther){"/dev/null", "", false}; // one that was asked for
    request.against_count = 1;
    assert_false(report_write(&request, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    request.against_count = 0;
    request.html = "/nonexistent/b.html";
    assert_false(report_write(&request, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    snprintf(command, sizeof command, "cp '%s' '%s'", path, path_in(folder, "c.spade", copy));
    assert_int_equal(system(command), 0);
    sql_number(copy, "UPDATE ground SET zstd=x'00'");
    assert_true(reseal(copy));
    request = (ReportRequest){.recording = copy, .html = html};
    assert_false(report_write(&request, &status));
    assert_non_null(strstr(status.text, "cannot be unpacked"));
    assert_int_equal(access(html, F_OK), -1);
    // A drive that was cut off: no figures, but a page that says so.
    snprintf(command, sizeof command, "cp '%s' '%s'", path, path_in(folder, "d.spade", copy));
    assert_int_equal(system(command), 0);
    sql_number(copy, "DELETE FROM metric");
    assert_true(reseal(copy));
    request.recording = copy;
    assert_good(report_write(&request, &status), status);
    char *text = read_whole(html);
    assert_non_null(strstr(text, "was cut off before its figures were written"));
    free(text);
}

TEST_GROUP(record_some, remove_it)
