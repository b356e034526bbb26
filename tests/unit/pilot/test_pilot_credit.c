/// What an attempt counts as: who drove and where it began decide it, in one place, and it is the same in the drive,
/// its recording, its attempt, its debrief and the list of recordings.
#include "tests/support/silent_host.h"
#include "tests/support/recording_fixture.h"
#include "trainer/pilot/drive.h"
#include "trainer/report/report_words.h"
#include "trainer/record/recording_glance.h"
#include "trainer/report/report_pages.h"
#include "trainer/record/rescore.h"
#include "trainer/results/results_store.h"
#include "trainer/results/results_output.h"

/// ---- the rule ------------------------------------------------------------------------------------------------------

TEST(only_a_persons_attempt_from_its_first_tick_counts)
{
    static const struct {
        CreditDriver driver;
        const char *parent, *trainee;
        bool counts;
    } cases[] = {
        {CREDIT_PERSON, "", "Ada", true},         {CREDIT_PERSON, "", "", true},
        {CREDIT_PERSON, "x.spade", "Ada", false}, {CREDIT_PERSON, "x.spade", "", false},
        {CREDIT_AUTO, "", "Ada", false},          {CREDIT_EXPERT, "", "Ada", false},
        {CREDIT_SCRIPT, "", "Ada", false},        {CREDIT_AUTO, "", "", true},
        {CREDIT_EXPERT, "x.spade", "", false},    {CREDIT_SCRIPT, "", "", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Credit credit = {.driver = cases[k].driver};
        credit_begin_in(&credit, cases[k].parent, 3.0);
        if (credit_counts(&credit, cases[k].trainee) != cases[k].counts) {
            fail_msg("case %zu: %s in \"%s\" by \"%s\"", k, credit_driver_name(cases[k].driver), cases[k].parent,
                     cases[k].trainee);
        }
    }
}

TEST(weather_alone_leaves_points_comparable)
{
    static const char *const set[] = {"weather.time=22", "weather.rain=4", "ground.layers.0.soil=sand"};
    char changed[CREDIT_CHANGED], longest[300];
    credit_list_changes(set, 0, changed);
    assert_string_equal(changed, "");
    assert_true(credit_is_comparable(changed));
    credit_list_changes(set, 2, changed);
    assert_string_equal(changed, "weather.time=22; weather.rain=4");
    assert_true(credit_is_comparable(changed));
    credit_list_changes(set, 3, changed);
    assert_string_equal(changed, "weather.time=22; weather.rain=4; ground.layers.0.soil=sand");
    assert_false(credit_is_comparable(changed));
    assert_false(credit_is_comparable("machine.file=excavator-8t"));
    assert_true(credit_are_comparable("weather.time=22", ""));
    assert_true(credit_are_comparable("machine.file=excavator-8t", "machine.file=excavator-8t"));
    assert_false(credit_are_comparable("machine.file=excavator-8t", ""));
    memset(longest, 'x', sizeof longest);
    longest[299] = '\0';
    const char *const one[] = {longest};
    credit_list_changes(one, 1, changed);
    assert_int_equal(strlen(changed), CREDIT_CHANGED - 1);
}

TEST(older_files_tell_the_driver_by_his_name)
{
    static const struct {
        const char *name;
        CreditDriver driver;
        double clumsy;
    } cases[] = {
        {"", CREDIT_PERSON, 0.0},
        {"person", CREDIT_PERSON, 0.0},
        {"gamepad", CREDIT_PERSON, 0.0},
        {"keyboard", CREDIT_PERSON, 0.0},
        {"auto", CREDIT_AUTO, 0.0},
        {"auto, clumsy 0.50", CREDIT_AUTO, 0.5},
        {"expert", CREDIT_EXPERT, 0.0},
        {"expert:pad", CREDIT_EXPERT, 0.0},
        {"expert:pad, clumsy 0.25", CREDIT_EXPERT, 0.25},
        {"expert, clumsy 7", CREDIT_EXPERT, 0.0}, // which there is not
        {"blind.csv", CREDIT_SCRIPT, 0.0},
        {"/home/x/person", CREDIT_SCRIPT, 0.0},
        {"experts.csv", CREDIT_SCRIPT, 0.0},
        {"automatic", CREDIT_SCRIPT, 0.0},
        {"levers, clumsy 0.5", CREDIT_SCRIPT, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Credit credit = {.driver = CREDIT_PERSON};
        credit_of_operator(cases[k].name, &credit);
        if (credit.driver != cases[k].driver || credit.clumsy != cases[k].clumsy) {
            fail_msg("%s: %s, %g", cases[k].name, credit_driver_name(credit.driver), credit.clumsy);
        }
    }
    CreditDriver driver;
    for (int k = 0; k < CREDIT_DRIVERS; k++) {
        assert_true(credit_driver_named(credit_driver_name((CreditDriver)k), &driver) && (int)driver == k);
    }
    assert_false(credit_driver_named("nobody", &driver));
}

TEST(words_say_where_practice_began)
{
    Credit credit = {.driver = CREDIT_PERSON};
    char text[CREDIT_WORDS];
    credit_words_plain(&credit, "Ada", text);
    assert_string_equal(text, "");
    credit_begin_in(&credit, "/home/x/lift-pipe.spade", 95.65);
    credit_words_plain(&credit, "Ada", text);
    assert_string_equal(text, "Practice from 1:35.7 of lift-pipe.spade on: it passes nothing");
    credit.from = -1.0;
    credit_words_plain(&credit, "Ada", text);
    assert_string_equal(text, "Practice that began in lift-pipe.spade: it passes nothing");
    credit = (Credit){.driver = CREDIT_SCRIPT};
    credit_words_plain(&credit, "Ada", text);
    assert_string_equal(text, "A scripted run under a trainee's name: it passes nothing");
    operator_words("auto, clumsy 0.50", &(Credit){.driver = CREDIT_AUTO, .clumsy = 0.5}, text, sizeof text);
    assert_string_equal(text, "the program with a beginner's hands (0.50)");
    operator_words("gamepad", &(Credit){.driver = CREDIT_PERSON}, text, sizeof text);
    assert_string_equal(text, "a person with a gamepad");
    operator_words("auto", &(Credit){.driver = CREDIT_SCRIPT}, text, sizeof text); // a file of that name
    assert_string_equal(text, "the script auto");
}

/// ---- drives --------------------------------------------------------------------------------------------------------

static Drive *start(const RunOptions *options, const char *parent, double at)
{
    Status status = {0};
    Drive *drive = calloc(1, sizeof *drive);
    assert_non_null(drive);
    assert_good(drive_create(drive, &(DriveParams){.options = options, .parent = parent, .at = at}, &status), status);
    assert_good(drive_run(drive, &silent_host, &status), status);
    return drive;
}

static void leave(Drive *drive)
{
    Status status = {0};
    assert_good(drive_close(drive, true, &status), status);
    drive_destroy(drive);
    free(drive);
}

typedef struct Kept {
    int count;
    ResultAttempt attempts[8];
} Kept;

static bool keep(void *context, const ResultAttempt *attempt)
{
    Kept *kept = context;
    assert_true(kept->count < 8);
    kept->attempts[kept->count++] = *attempt;
    return true;
}

static Kept *read_all(const char *db)
{
    Status status = {0};
    Kept *kept = calloc(1, sizeof *kept);
    Results *results = results_open(db, RESULTS_READ, &status);
    assert_good(results != NULL, status);
    assert_good(results_each(results, NULL, keep, kept, &status), status);
    results_close(results);
    return kept;
}

static double figure(const ResultAttempt *attempt, const char *name)
{
    for (int k = 0; k < attempt->metric_count; k++) {
        if (strcmp(attempt->metrics[k].name, name) == 0) {
            return attempt->metrics[k].value;
        }
    }
    return -1.0;
}

/// Lifts a pipe by the expert, to its end: a passed exercise in half a simulated minute.
static void drive_expert(const char *record, const char *db, const char *trainee)
{
    RunOptions options = {.scene = "lift-pipe",
                          .operator_name = "expert",
                          .threads = 1,
                          .shot_at = -1.0,
                          .camera = -1,
                          .record = record,
                          .results = db,
                          .trainee = trainee,
                          .course = trainee != NULL ? "excavator" : NULL};
    Drive *drive = start(&options, NULL, 0.0);
    assert_true(exercise_is_passed(session_exercise(drive->session)));
    leave(drive);
}

/// What every reader of a recording says of it.
static void expect_nothing_passed(const char *recording, const char *words)
{
    Status status = {0};
    RecordingGlance glance;
    assert_good(recording_glance(recording, &glance, &status), status);
    assert_true(glance.closed && !glance.passed && glance.score > 90.0);
    Rescore rescore;
    assert_good(rescore_recording(recording, NULL, &rescore, &status), status);
    assert_true(!rescore.passed && rescore.after > 90.0);
    char page[600];
    snprintf(page, sizeof page, "%s.html", recording);
    ReportRequest request = {.recording = recording, .html = page};
    assert_good(report_write(&request, &status), status);
    char command[1400];
    snprintf(command, sizeof command, "grep -qF \"%s\" '%s' && ! grep -q 'class=\"passed\"\\|Passed with' '%s'", words,
             page, page);
    assert_int_equal(system(command), 0);
}

TEST(a_takeover_is_practice_and_a_script_under_a_name_passes_nothing)
{
    char folder[64], db[512], expert[512], own[512], branch[512], script[512];
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    path_in(folder, "r.db", db);
    drive_expert(path_in(folder, "expert.spade", expert), db, NULL);
    drive_expert(path_in(folder, "own.spade", own), db, "Otto");
    // The last tick of the expert's drive, with levers that do nothing, as a person would have it by T.
    RecordingGlance glance;
    Status status = {0};
    char words[96];
    assert_good(recording_glance(expert, &glance, &status), status);
    double at = glance.duration;
    assert_true(glance.passed && credit_is_expert(&glance.credit, glance.trainee));
    FILE *file = fopen(path_in(folder, "blind.csv", script), "w");
    fputs("t,swing,stick,boom,bucket,left_track,right_track,throttle\n0,0,0,0,0,0,0,1\n900,0,0,0,0,0,0,1\n", file);
    fclose(file);
    RunOptions options = {.operator_name = script,
                          .threads = 1,
                          .seconds = 1.0,
                          .shot_at = -1.0,
                          .camera = -1,
                          .record = path_in(folder, "branch.spade", branch),
                          .results = db,
                          .trainee = "Otto",
                          .course = "excavator"};
    Drive *drive = start(&options, expert, at);
    assert_true(exercise_is_passed(session_exercise(drive->session))); // as the exercise has it
    Credit credit = drive_credit(drive);
    assert_true(credit_is_practice(&credit) && !credit_counts(&credit, "Otto"));
    leave(drive);
    Kept *kept = read_all(db);
    assert_int_equal(kept->count, 3);
    const ResultAttempt *by_nobody = &kept->attempts[0], *by_script = &kept->attempts[1],
                        *practice = &kept->attempts[2];
    assert_true(by_nobody->passed && by_nobody->driver == CREDIT_EXPERT && by_nobody->trainee[0] == '\0');
    assert_true(!by_script->passed && by_script->finished && by_script->driver == CREDIT_EXPERT);
    assert_true(figure(by_script, "passed") == 0.0 && figure(by_script, "score") > 90.0);
    assert_true(!practice->passed && practice->finished && practice->driver == CREDIT_SCRIPT);
    assert_string_equal(practice->parent, expert);
    assert_near(practice->parent_at, at, 1e-9);
    assert_true(figure(practice, "passed") < 0.0 && figure(practice, "score") < 0.0); // neither is its own
    assert_near(practice->duration, 1.0, 1e-9);
    free(kept);
    assert_int_equal(sql_number(db, "select count(*) from course_progress"), 0);
    expect_nothing_passed(own, "A scripted run under a trainee");
    snprintf(words, sizeof words, "Practice from 0:%.1f of expert.spade on", at);
    expect_nothing_passed(branch, words);
    remove_folder(folder);
}

/// An instructor's way back is a takeover of the trainee's own recording: what follows is practice; beginning again is
/// not.
TEST(what_follows_a_way_back_is_practice_until_it_begins_again)
{
    char folder[64], db[512], first[512];
    Status status = {0};
    make_folder(folder);
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    RunOptions options = {.scene = "trench",
                          .operator_name = "auto",
                          .threads = 1,
                          .seconds = 1.0,
                          .shot_at = -1.0,
                          .camera = -1,
                          .record = path_in(folder, "first.spade", first),
                          .results = path_in(folder, "r.db", db)};
    Drive *drive = start(&options, NULL, 0.0);
    Credit credit = drive_credit(drive);
    assert_false(credit_is_practice(&credit));
    assert_int_equal(drive_return(drive, NULL, 0.5, &status), DRIVE_WENT_BACK);
    credit = drive_credit(drive);
    assert_string_equal(credit.parent, "first.spade");
    assert_near(credit.from, 0.5, 1e-9);
    assert_good(drive_run(drive, &silent_host, &status), status);
    assert_good(drive_restart(drive, &status), status);
    credit = drive_credit(drive);
    assert_false(credit_is_practice(&credit));
    assert_good(drive_run(drive, &silent_host, &status), status);
    leave(drive);
    assert_int_equal(sql_number(db, "select count(*) from attempt"), 3);
    assert_int_equal(sql_number(db, "select count(*) from attempt where parent <> '' and parent_at = 0.5"), 1);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
