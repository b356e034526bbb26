/// Attempts as tables and statements for other programs, classes from one computer to another, and the picture of a
/// trainee's progress.
// test: sanitized
#include <jansson.h>

#include "data/core/visible_text.h"
#include "tests/support/recording_fixture.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_json.h"

/// An attempt with three figures and a row.
static ResultAttempt make_attempt(const char *trainee, const char *scene, int day, double points)
{
    ResultAttempt attempt = {.duration = 372.456,
                             .score = points,
                             .finished = true,
                             .driver = trainee[0] != '\0' ? CREDIT_PERSON : CREDIT_EXPERT,
                             .parent_at = -1.0,
                             .passed = points >= 70.0,
                             .metric_count = 3,
                             .metrics = {{"cycles", "1", 7.0}, {"moved_kg", "kg", 1234.5}, {"time_s", "s", 372.456}},
                             .score_count = 1,
                             .scores = {{"share dug", "work", 100.0, 0.5, points / 100.0, points}}};
    snprintf(attempt.trainee, sizeof attempt.trainee, "%s", trainee);
    snprintf(attempt.scene, sizeof attempt.scene, "%s", scene);
    snprintf(attempt.title, sizeof attempt.title, "A trench, \"deep\"");
    snprintf(attempt.started, sizeof attempt.started, "2026-11-%02dT18:05:31Z", day);
    snprintf(attempt.end, sizeof attempt.end, "done");
    snprintf(attempt.operator_name, sizeof attempt.operator_name, trainee[0] != '\0' ? "person" : "expert");
    snprintf(attempt.machine, sizeof attempt.machine, "excavator-22t");
    snprintf(attempt.recording, sizeof attempt.recording, "/nowhere/a.spade");
    snprintf(attempt.recording_hash, sizeof attempt.recording_hash, "553f4ac431919d15");
    return attempt;
}

static char folder[64], path[512]; // of the case, and its results

static Results *open_results(const char *file, ResultsMode mode)
{
    Status status = {0};
    Results *results = results_open(file, mode, &status);
    assert_good(results != NULL, status);
    return results;
}

/// Empty results in a folder of the case's own.
static Results *begin(void)
{
    make_folder(folder);
    return open_results(path_in(folder, "r.db", path), RESULTS_WRITE);
}

static void end(Results *results)
{
    results_close(results);
    remove_folder(folder);
}

static void add(Results *results, ResultAttempt attempt)
{
    Status status = {0};
    assert_good(results_add(results, &attempt, &status), status);
}

/// What is printed, as a text that the caller frees.
static char *print(Results *results, const ResultFilter *filter, ResultsFormat format)
{
    char *text = NULL;
    size_t size = 0;
    Status status = {0};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_good(results_print(results, filter, format, "https://school.example", file, &status), status);
    assert_int_equal(fclose(file), 0);
    return text;
}

static json_t *print_json(Results *results, ResultsFormat format)
{
    json_error_t error;
    char *text = print(results, NULL, format);
    json_t *array = json_loads(text, 0, &error);
    if (array == NULL) {
        fail_msg("line %d: %s in %s", error.line, error.text, text);
    }
    free(text);
    return array;
}

static const char *text_at(const json_t *object, const char *a, const char *b, const char *c)
{
    const json_t *value = json_object_get(object, a);
    value = b != NULL ? json_object_get(value, b) : value;
    value = c != NULL ? json_object_get(value, c) : value;
    const char *text = json_string_value(value);
    return text != NULL ? text : "";
}

TEST(a_table_and_csv_are_read_by_others)
{
    Results *results = begin();
    char *text = print(results, NULL, RESULTS_TABLE);
    assert_string_equal(text, "no attempts\n");
    free(text);
    add(results, make_attempt("=Ada", "trench", 2, 84.25));
    text = print(results, NULL, RESULTS_TABLE);
    assert_non_null(strstr(text, "2026-11-02 18:05:31  =Ada              trench              84.2  yes         6:12"));
    free(text);
    text = print(results, NULL, RESULTS_CSV);
    const char *row = strchr(text, '\n') + 1;
    assert_memory_equal(text, "uuid,started,trainee,scene,title,course,duration_s,points,passed,", 65);
    assert_non_null(
        strstr(row, ",2026-11-02T18:05:31Z,'=Ada,trench,\"A trench, \"\"deep\"\"\",,372.456,84.25,1,1,done,"));
    int heads = 1, fields = 1, quoted = 0;
    for (const char *p = text; p < row; p++) {
        heads += *p == ',';
    }
    for (const char *p = row; *p != '\0'; p++) {
        quoted ^= *p == '"';
        fields += *p == ',' && !quoted;
    }
    assert_int_equal(heads, 30 + METRIC_COUNT);
    assert_int_equal(fields, heads);
    free(text);
    end(results);
}

/// The Experience API's data model, 2.4: who, did what, with what, came to what.
TEST(statements_are_those_of_the_experience_api)
{
    Results *results = begin();
    add(results, make_attempt("Ada", "my trench", 1, 84.25));
    add(results, make_attempt("Ada", "trench", 2, 30.0));
    ResultAttempt attempt = make_attempt("Ada", "free", 3, 0.0);
    attempt.score_count = 0; // nothing is scored there
    snprintf(attempt.course, sizeof attempt.course, "first");
    add(results, attempt);
    attempt = make_attempt("Ada", "trench", 4, 90.0);
    attempt.finished = false;
    add(results, attempt);
    add(results, make_attempt("", "trench", 5, 90.0)); // of nobody: no statement
    json_t *all = print_json(results, RESULTS_XAPI);
    static const char *const verbs[] = {"passed", "failed", "completed", "attempted"};
    assert_int_equal(json_array_size(all), 4);
    for (size_t k = 0; k < 4; k++) {
        char verb[64];
        snprintf(verb, sizeof verb, "http://adlnet.gov/expapi/verbs/%s", verbs[k]);
        assert_string_equal(text_at(json_array_get(all, k), "verb", "id", NULL), verb);
    }
    const json_t *first = json_array_get(all, 0), *result = json_object_get(first, "result");
    assert_string_equal(text_at(first, "actor", "account", "homePage"), "https://school.example");
    assert_string_equal(text_at(first, "actor", "account", "name"), "Ada");
    assert_string_equal(text_at(first, "actor", "objectType", NULL), "Agent");
    assert_string_equal(text_at(first, "object", "id", NULL), "urn:spadework:scene:my%20trench");
    assert_string_equal(text_at(first, "timestamp", NULL, NULL), "2026-11-01T18:05:31Z");
    assert_string_equal(text_at(first, "version", NULL, NULL), "1.0.3");
    assert_int_equal(strlen(text_at(first, "id", NULL, NULL)), 36);
    assert_string_equal(json_string_value(json_object_get(result, "duration")), "PT372.46S");
    const json_t *score = json_object_get(result, "score");
    assert_near(json_number_value(json_object_get(score, "scaled")), 0.8425, 1e-9);
    assert_near(json_number_value(json_object_get(score, "raw")), 84.25, 1e-9);
    assert_near(json_number_value(json_object_get(score, "max")), 100.0, 1e-9);
    assert_true(json_is_true(json_object_get(result, "success")));
    assert_true(json_is_true(json_object_get(result, "completion")));
    const json_t *moved = json_object_get(json_object_get(result, "extensions"), "urn:spadework:metric:moved_kg");
    assert_near(json_number_value(moved), 1234.5, 1e-9);
    assert_null(json_object_get(json_object_get(json_array_get(all, 2), "result"), "success"));
    assert_true(json_is_false(json_object_get(json_object_get(json_array_get(all, 3), "result"), "completion")));
    json_decref(all);
    end(results);
}

static const json_t *at(const json_t *object, const char *a, const char *b, const char *c)
{
    const json_t *value = json_object_get(object, a);
    value = b != NULL ? json_object_get(value, b) : value;
    return c != NULL ? json_object_get(value, c) : value;
}

/// Texts under the tag of their own language, the course by its title, the class as a team, the exercise's own time.
TEST(statements_name_language_class_course_and_time)
{
    Status status = {0};
    Results *results = begin();
    ResultAttempt attempt = make_attempt("Ada", "graben", 1, 80.0);
    snprintf(attempt.title, sizeof attempt.title, "Graben f\u00fcr Kabel");
    snprintf(attempt.language, sizeof attempt.language, "de");
    snprintf(attempt.course, sizeof attempt.course, "excavator");
    attempt.duration = 60.0; // driven on after it was done
    attempt.metrics[2].value = 43.5;
    add(results, attempt);
    attempt = make_attempt("Bo", "trench", 2, 80.0);
    snprintf(attempt.course, sizeof attempt.course, "of another school");
    add(results, attempt);
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    json_t *all = print_json(results, RESULTS_XAPI);
    assert_int_equal(json_array_size(all), 2);
    const json_t *first = json_array_get(all, 0), *second = json_array_get(all, 1);
    const json_t *name = at(at(first, "object", "definition", NULL), "name", NULL, NULL);
    assert_int_equal(json_object_size(name), 1);
    assert_string_equal(text_at(name, "de", NULL, NULL), "Graben f\u00fcr Kabel");
    name = at(at(second, "object", "definition", NULL), "name", NULL, NULL);
    assert_string_equal(text_at(name, "und", NULL, NULL), "A trench, \"deep\"");
    assert_string_equal(text_at(first, "result", "duration", NULL), "PT43.50S");
    const json_t *course = json_array_get(at(first, "context", "contextActivities", "grouping"), 0);
    assert_string_equal(text_at(course, "id", NULL, NULL), "urn:spadework:course:excavator");
    assert_string_equal(text_at(at(course, "definition", "name", NULL), "en", NULL, NULL),
                        "Excavator, from the first lever to the truck");
    course = json_array_get(at(second, "context", "contextActivities", "grouping"), 0);
    assert_string_equal(text_at(at(course, "definition", "name", NULL), "und", NULL, NULL), "of another school");
    const json_t *team = at(first, "context", "team", NULL);
    assert_string_equal(text_at(team, "objectType", NULL, NULL), "Group");
    assert_string_equal(text_at(team, "name", NULL, NULL), "Spring");
    assert_string_equal(text_at(team, "account", "name", NULL), "Spring");
    assert_string_equal(text_at(team, "account", "homePage", NULL), "https://school.example");
    assert_null(at(second, "context", "team", NULL));
    json_decref(all);
    // In more classes than one: the one that is asked for, else the first, and all of them beside it.
    assert_good(results_add_member(results, "Autumn", "Ada", &status), status);
    all = print_json(results, RESULTS_XAPI);
    first = json_array_get(all, 0);
    assert_string_equal(text_at(first, "context", "team", "name"), "Autumn");
    const json_t *classes = at(first, "context", "extensions", "urn:spadework:classes");
    assert_int_equal(json_array_size(classes), 2);
    json_decref(all);
    char *text = print(results, &(ResultFilter){.class_name = "Spring"}, RESULTS_XAPI);
    assert_non_null(strstr(text, "\"name\": \"Spring\""));
    free(text);
    end(results);
}

static ResultAttempt make_practice(int day)
{
    ResultAttempt attempt = make_attempt("Otto", "trench", day, 100.0);
    attempt.duration = 20.0;
    attempt.parent_at = 360.0;
    snprintf(attempt.parent, sizeof attempt.parent, "/x/expert.spade");
    return attempt;
}

static ResultAttempt make_scripted(int day)
{
    ResultAttempt attempt = make_attempt("Otto", "trench", day, 100.0);
    attempt.driver = CREDIT_SCRIPT;
    snprintf(attempt.operator_name, sizeof attempt.operator_name, "blind.csv");
    return attempt;
}

/// Neither practice nor a script passes anything, in any form, however it was put in.
TEST(what_counts_for_nobody_is_passed_nowhere)
{
    char picture[512];
    Status status = {0};
    Results *results = begin();
    ResultAttempt practice = make_practice(1), scripted = make_scripted(2);
    snprintf(practice.course, sizeof practice.course, "excavator");
    snprintf(scripted.course, sizeof scripted.course, "excavator");
    add(results, practice);
    add(results, scripted);
    char *text = print(results, NULL, RESULTS_TABLE);
    assert_non_null(strstr(text, "     -  practice    0:20"));
    assert_non_null(strstr(text, " 100.0  scripted    6:12"));
    assert_null(strstr(text, "yes"));
    free(text);
    text = print(results, NULL, RESULTS_CSV);
    assert_non_null(strstr(text, ",20.000,,0,1,done,person,"));
    assert_non_null(strstr(text, ",/x/expert.spade,person,0,360.000,100,,,"));
    assert_non_null(strstr(text, ",372.456,100,0,1,done,blind.csv,"));
    free(text);
    json_t *all = print_json(results, RESULTS_JSON);
    const json_t *one = json_array_get(all, 0), *other = json_array_get(all, 1);
    assert_true(json_is_null(at(one, "points", NULL, NULL)) && json_is_false(at(one, "passed", NULL, NULL)));
    assert_string_equal(text_at(one, "practice", "parent", NULL), "expert.spade");
    assert_near(json_number_value(at(one, "practice", "from_s", NULL)), 360.0, 1e-9);
    assert_true(json_is_false(at(one, "counts", NULL, NULL)) && json_is_false(at(other, "counts", NULL, NULL)));
    assert_string_equal(text_at(other, "driver", NULL, NULL), "script");
    assert_true(json_is_false(at(other, "passed", NULL, NULL)) && json_is_null(at(other, "practice", NULL, NULL)));
    json_decref(all);
    all = print_json(results, RESULTS_XAPI);
    for (size_t k = 0; k < 2; k++) {
        one = json_array_get(all, k);
        assert_string_equal(text_at(one, "verb", "id", NULL), "http://adlnet.gov/expapi/verbs/experienced");
        assert_null(at(one, "result", "success", NULL));
        assert_null(at(one, "result", "score", NULL));
    }
    one = json_array_get(all, 0);
    assert_string_equal(text_at(one, "result", "duration", NULL), "PT12.46S"); // 372.456 s of the exercise, from 360 on
    assert_string_equal(text_at(at(one, "context", "extensions", NULL), "urn:spadework:practice", "parent", NULL),
                        "expert.spade");
    json_decref(all);
    ResultTrainee *people = NULL;
    assert_int_equal(results_trainees(results, NULL, &people, &status), 1);
    assert_true(people[0].attempts == 2 && people[0].passed == 0 && people[0].best == 0.0);
    free(people);
    assert_int_equal(sql_number(path, "select count(*) from course_progress"), 0);
    // A row that another program has marked as passed is not believed.
    sql_number(path, "update attempt set passed = 1");
    text = print(results, NULL, RESULTS_TABLE);
    assert_null(strstr(text, "yes"));
    free(text);
    // The picture shows nothing of them.
    assert_good(results_draw_progress(results, "Otto", NULL, path_in(folder, "p.svg", picture), &status), status);
    end(results);
}

/// ---- classes -------------------------------------------------------------------------------------------------------

TEST(a_class_goes_out_and_in)
{
    char other[512], file[512];
    Status status = {0};
    ResultsImport import;
    Results *results = begin();
    add(results, make_attempt("Ada", "trench", 1, 84.25));
    add(results, make_attempt("Bo", "trench", 2, 30.0));
    add(results, make_attempt("Cy", "trench", 3, 50.0)); // not in the class
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Spring", "Bo", &status), status);
    path_in(folder, "c.json", file);
    assert_good(results_export_class(results, "Spring", file, &status), status);
    assert_false(results_export_class(results, "Spring", file, &status)); // it is there
    assert_int_equal(status.code, STATUS_LACKING);
    assert_false(results_export_class(results, "Autumn", path_in(folder, "d.json", other), &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_int_not_equal(access(other, F_OK), 0);
    Results *second = open_results(path_in(folder, "s.db", other), RESULTS_WRITE);
    assert_good(results_import_class(second, file, false, &import, &status), status);
    assert_string_equal(import.class_name, "Spring");
    assert_int_equal(import.trainees, 2);
    assert_int_equal(import.attempts, 2);
    assert_good(results_import_class(second, file, false, &import, &status), status);
    assert_int_equal(import.attempts, 0);
    assert_int_equal(import.known, 2);
    json_t *before = print_json(results, RESULTS_JSON), *after = print_json(second, RESULTS_JSON);
    assert_int_equal(json_array_size(after), 2);
    for (size_t k = 0; k < 2; k++) { // equal but for the path, which is of the other computer
        json_object_set_new(json_array_get(before, k), "recording", json_null());
        assert_true(json_equal(json_array_get(before, k), json_array_get(after, k)));
    }
    json_decref(before);
    json_decref(after);
    results_close(results);
    results_close(second);
    remove_folder(folder);
}

/// What counts for nobody comes out and in as such; a file that says otherwise is not believed.
TEST(a_class_keeps_who_drove_and_what_it_began_in)
{
    char other[512], file[512];
    Status status = {0};
    ResultsImport import;
    Results *results = begin();
    add(results, make_practice(1));
    add(results, make_scripted(2));
    assert_good(results_add_member(results, "Spring", "Otto", &status), status);
    assert_good(results_export_class(results, "Spring", path_in(folder, "c.json", file), &status), status);
    Results *second = open_results(path_in(folder, "s.db", other), RESULTS_WRITE);
    char command[1200];
    snprintf(command, sizeof command, "sed -i 's/\"passed\": false/\"passed\": true/' '%s'", file);
    assert_int_equal(system(command), 0);
    assert_good(results_import_class(second, file, false, &import, &status), status);
    json_t *after = print_json(second, RESULTS_JSON);
    assert_string_equal(text_at(json_array_get(after, 0), "practice", "parent", NULL), "expert.spade");
    assert_string_equal(text_at(json_array_get(after, 1), "driver", NULL, NULL), "script");
    assert_true(json_is_false(at(json_array_get(after, 0), "passed", NULL, NULL)));
    assert_true(json_is_false(at(json_array_get(after, 1), "passed", NULL, NULL)));
    json_decref(after);
    results_close(results);
    results_close(second);
    remove_folder(folder);
}

/// Who was deleted is not brought back by an older file, but where that is asked for; what came later comes in.
TEST(a_deleted_trainee_is_not_brought_back_unasked)
{
    char file[512], newer[512];
    Status status = {0};
    ResultsImport import;
    ResultTrainee *people = NULL;
    Results *results = begin();
    add(results, make_attempt("Ada", "trench", 1, 84.25));
    add(results, make_attempt("Bo", "trench", 2, 30.0));
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Spring", "Bo", &status), status);
    assert_good(results_export_class(results, "Spring", path_in(folder, "c.json", file), &status), status);
    assert_good(results_delete_trainee(results, "Ada", NULL, &status), status);
    assert_good(results_import_class(results, file, false, &import, &status), status);
    assert_int_equal(import.trainees, 1);
    assert_int_equal(import.attempts, 0);
    assert_int_equal(import.known, 1);
    assert_int_equal(import.left_out, 1);
    assert_int_equal(import.gone, 1);
    assert_string_equal(import.gone_name, "Ada");
    assert_int_equal(results_trainees(results, NULL, &people, &status), 1);
    free(people);
    // Another one of that name, who drives later, is somebody else.
    ResultAttempt later = make_attempt("Ada", "trench", 3, 50.0);
    snprintf(later.started, sizeof later.started, "2199-01-01T00:00:00Z");
    add(results, later);
    assert_good(results_export_class(results, "Spring", path_in(folder, "n.json", newer), &status), status);
    assert_good(results_import_class(results, file, false, &import, &status), status);
    assert_int_equal(import.left_out, 1);
    assert_int_equal(sql_number(path, "select count(*) from attempt"), 2);
    assert_good(results_import_class(results, file, true, &import, &status), status);
    assert_int_equal(import.attempts, 1);
    assert_int_equal(import.left_out, 0);
    assert_int_equal(results_trainees(results, "Spring", &people, &status), 2);
    free(people);
    end(results);
}

#define ATTEMPT(uuid, started, points, passed, metrics)                                                                \
    "{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"C\", \"trainees\": [{\"name\": \"Ada\", "          \
    "\"attempts\": [{\"uuid\": " uuid ", \"scene\": \"trench\", \"started\": " started ", \"duration_s\": 1, "         \
    "\"points\": " points ", \"passed\": " passed ", \"finished\": true, \"end\": \"done\", \"metrics\": " metrics     \
    ", \"scores\": []}]}]}"
#define UUID "\"4f5a0b29-2a9b-4955-8149-cd50f43ee529\""
#define DATE "\"2026-11-23T18:05:31Z\""

TEST(a_bad_class_is_refused_whole)
{
    static const struct {
        const char *text, *told;
    } wrong[] = {
        {"{\"format\": \"spadework-class\",\n  \"version\": 1,,", ":2:16: "},
        {"[1]", "format: read nothing, allowed a text"},
        {"{\"format\": \"other\"}", "format: read other, allowed spadework-class"},
        {"{\"format\": \"spadework-class\", \"version\": 3}", "version: read 3, allowed 1 to 2"},
        {"{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"\"}", "class: read \"\", allowed 1..95 bytes"},
        {"{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"C\", \"trainees\": 3}",
         "trainees: read a whole number, allowed a list"},
        {"{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"C\", \"trainees\": [{\"name\": \"A\", "
         "\"attempts\": []}, {\"name\": \"A\\u0007\", \"attempts\": []}]}",
         "trainees[1].name: read"},
        {"{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"C\\u202e\", \"trainees\": []}",
         "class: read \"C???\", allowed 1..95 bytes without control characters and directions"},
        {"{\"format\": \"spadework-class\", \"version\": 1, \"class\": \"C\", \"trainees\": [{\"name\": \"  \", "
         "\"attempts\": []}]}",
         "trainees[0].name: read"},
        {ATTEMPT("\"x\"", DATE, "1", "true", "[]"), "trainees[0].attempts[0].uuid: read \"x\", allowed as in"},
        {ATTEMPT(UUID, "\"yesterday\"", "1", "true", "[]"), "attempts[0].started: read \"yesterday\""},
        {ATTEMPT(UUID, DATE, "120", "true", "[]"), "attempts[0].points: read 120, allowed 0 to 100"},
        {ATTEMPT(UUID, DATE, "1", "\"yes\"", "[]"), "attempts[0].passed: read a text, allowed true or false"},
        {"{\"format\": \"spadework-class\", \"version\": 2, \"class\": \"C\", \"trainees\": [{\"name\": \"Ada\", "
         "\"attempts\": [{\"uuid\": " UUID ", \"scene\": \"trench\", \"started\": " DATE ", \"duration_s\": 1, "
         "\"points\": 1, \"practice\": 7}]}]}",
         "attempts[0].practice: read a whole number, allowed an object or null"},
        {"{\"format\": \"spadework-class\", \"version\": 2, \"class\": \"C\", \"trainees\": [{\"name\": \"Ada\", "
         "\"attempts\": [{\"uuid\": " UUID ", \"scene\": \"trench\", \"started\": " DATE ", \"duration_s\": 1, "
         "\"practice\": {\"parent\": \"x\", \"from_s\": -3, \"points_with_parent\": 1}}]}]}",
         "attempts[0].practice.from_s: read -3, allowed 0 to 1e+07"},
        {"{\"format\": \"spadework-class\", \"version\": 2, \"class\": \"C\", \"trainees\": [{\"name\": \"Ada\", "
         "\"attempts\": [{\"uuid\": " UUID ", \"scene\": \"trench\", \"started\": " DATE ", \"duration_s\": 1, "
         "\"points\": 1, \"passed\": true, \"finished\": true, \"end\": \"done\", \"driver\": \"robot\"}]}]}",
         "attempts[0].driver: read robot, allowed person, auto, expert or script"},
        {ATTEMPT(UUID, DATE, "1", "true", "[{\"name\": \"a\", \"value\": 1e300}]"),
         "attempts[0].metrics[0].value: read 1e+300, allowed -1e+12 to 1e+12"},
        {ATTEMPT(UUID, DATE, "1", "true", "[{\"name\": \"a\", \"value\": 1}, {\"name\": \"a\", \"value\": 1}]"),
         "metrics[1].name: read \"a\" a second time"},
    };
    char file[512];
    Status status = {0};
    ResultsImport import;
    Results *results = begin();
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        FILE *stream = fopen(path_in(folder, "c.json", file), "w");
        fputs(wrong[k].text, stream);
        fclose(stream);
        assert_false(results_import_class(results, file, false, &import, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        if (strstr(status.text, wrong[k].told) == NULL || strncmp(status.text, file, strlen(file)) != 0) {
            fail_msg("told: %s; wanted: %s", status.text, wrong[k].told);
        }
    }
    assert_false(results_import_class(results, "/nowhere/c.json", false, &import, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    results_close(results);
    assert_int_equal(sql_number(path, "select count(*) from trainee"), 0);
    assert_int_equal(sql_number(path, "select count(*) from class"), 0);
    remove_folder(folder);
}

TEST(what_another_station_sends_can_be_shown)
{
    static const char *const names[] = {"Ann \xe2\x80\xaexob", "Ann \x1b[2J", "Ann \xc2\x9b", "  "};
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT ?, ?, ?", -1, &row, NULL), SQLITE_OK);
    Status status = {0};
    json_t *good = json_pack("{s:s, s:s, s:f}", "name", "Jörg", "unit", "m", "value", 1.0);
    assert_good(shared_bind(row, 1, shared_metric_columns, 3, good, "the server", &status), status);
    json_decref(good);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char name[64];
        json_t *bad = json_pack("{s:s, s:s, s:f}", "name", names[k], "unit", "m", "value", 1.0);
        assert_false(shared_bind(row, 1, shared_metric_columns, 3, bad, "the server", &status));
        assert_non_null(strstr(status.text, "the server: name: read"));
        json_decref(bad);
        snprintf(name, sizeof name, "%s", names[k]); // what an older program has left here goes out so that it is taken
        visible_text_mask(name, false);
        assert_null(strstr(name, "\xe2\x80\xae"));
        assert_null(strchr(name, '\x1b'));
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
}

TEST(names_need_letters_that_can_be_seen)
{
    Status status = {0};
    assert_good(results_check_name("--trainee", "Jörg O'Neill", &status), status);
    static const char *const names[] = {"", "  ", "a\nb", "Ann \xe2\x80\xaexob", "a\xff", "\xe2\x80\x8b", "a\xc2\x85"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_false(results_check_name("--trainee", names[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
    }
}

/// ---- progress ------------------------------------------------------------------------------------------------------

static char *read_text(const char *name)
{
    static char text[1 << 18];
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    return text;
}

/// One panel of 134 pixels a hundred points, 674 pixels wide, from (56, 252): 20 and 80 points are 26.8 pixels from its
/// ends; the class's mean of first attempts is (20 + 60) / 2 = 40, of second ones 80; the expert has 95.
TEST(progress_is_drawn_to_scale)
{
    char picture[512];
    Status status = {0};
    Results *results = begin();
    add(results, make_attempt("Ada", "trench", 1, 20.0));
    add(results, make_attempt("Ada", "trench", 2, 80.0));
    add(results, make_attempt("Bo", "trench", 3, 60.0));
    add(results, make_attempt("Cy", "trench", 4, 100.0)); // of no class
    add(results, make_attempt("", "trench", 5, 95.0));
    add(results, make_attempt("Ada", "haul", 6, 0.0));
    add(results, make_attempt("Ada", "haul", 7, 100.0));
    assert_good(results_add_member(results, "Spring", "Ada", &status), status);
    assert_good(results_add_member(results, "Spring", "Bo", &status), status);
    path_in(folder, "p.svg", picture);
    assert_good(results_draw_progress(results, "Ada", NULL, picture, &status), status);
    const char *svg = read_text(picture);
    static const char *const lines[] = {"M 56 225.199219 L 730 144.800781", "M 56 198.398438 L 730 144.800781",
                                        "M 56 124.699219 L 730 124.699219"};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        if (strstr(svg, lines[k]) == NULL) {
            fail_msg("%s is not in the picture", lines[k]);
        }
    }
    const char *second =
        "M 56 462 L 730 328"; // the next panel is 210 pixels below: his line, and his class's of him alone
    const char *line = strstr(svg, second);
    assert_non_null(line);
    assert_non_null(strstr(line + 1, second));
    assert_false(results_draw_progress(results, "Ada", NULL, picture, &status)); // it is there
    assert_int_equal(status.code, STATUS_LACKING);
    assert_good(results_draw_progress(results, "Ada", NULL, path_in(folder, "p.png", picture), &status), status);
    assert_memory_equal(read_text(picture), "\x89PNG\r\n", 6);
    assert_false(results_draw_progress(results, "Ada", NULL, "/nowhere/p.png", &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_false(results_draw_progress(results, "Ada", NULL, path_in(folder, "p.gif", picture), &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    // Of a course its exercises in its order, the ones that are not driven yet, too.
    CourseParams course = {.name = "mine",
                           .title = "My course",
                           .exercises_count = 3,
                           .exercises = {{.scene = "haul", .needs = 80.0}, {.scene = "pad"}, {.scene = "trench"}}};
    assert_good(results_draw_progress(results, "Ada", &course, path_in(folder, "c.svg", picture), &status), status);
    svg = read_text(picture);
    assert_non_null(strstr(svg, "height=\"714"));
    assert_non_null(strstr(svg, "M 56 252 L 730 118"));
    assert_null(strstr(svg, second));
    course.exercises_count = 1;
    snprintf(course.exercises[0].scene, sizeof course.exercises[0].scene, "pad");
    assert_false(results_draw_progress(results, "Ada", &course, path_in(folder, "d.svg", picture), &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_string_equal(status.text, "Ada has no attempts at the course mine");
    assert_false(results_draw_progress(results, "Di", NULL, path_in(folder, "q.svg", picture), &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_int_not_equal(access(picture, F_OK), 0);
    end(results);
}

TEST_GROUP(NULL, NULL)
