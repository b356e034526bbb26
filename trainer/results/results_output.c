/// Writes attempts as lines for people, as CSV, as JSON, and as statements of the Experience API, which learning
/// platforms take; moves a class with its trainees and attempts from one computer to another as JSON.
#include "trainer/results/results_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "data/schema/schema.h"
#include "trainer/results/results_json.h"
#include "trainer/results/results_store_internal.h"

/// A course that statements name.
typedef struct ResultsCourse {
    char name[SCENE_NAME_LENGTH];
    char title[RESULT_NAME]; ///< its name where there is no such course here
    char language[RESULT_LANGUAGE]; ///< of the title; "" = not known
} ResultsCourse;

enum { RESULTS_COURSES = 64 };

/// An output on its way.
typedef struct ResultsPrinting {
    Results *results;
    FILE *file;
    const char *home_page; ///< of the actors' accounts
    const char *class_name; ///< of the filter, or NULL
    int count; ///< attempts written
    bool lacking; ///< memory was too short for one: the reading has ended
    int member_count; ///< -1: the members could not be read; statements alone name them
    ResultMember *members; ///< [member_count] by trainee; the caller frees them
    int course_count; ///< 0..RESULTS_COURSES
    ResultsCourse courses[RESULTS_COURSES]; ///< that were looked up
} ResultsPrinting;

/// ---- table ---------------------------------------------------------------------------------------------------------

/// The text with as many characters (not bytes) as the column has, without what a terminal would take as a command.
static void print_cell(FILE *file, const char *name, int width)
{
    char shown[RESULT_NAME]; // an older program may have taken any name
    int characters = 0;
    visible_text_show(name, false, shown, sizeof shown);
    const char *p = shown;
    for (; *p != '\0'; p++) {
        bool begins = ((unsigned char)*p & 0xc0) != 0x80;
        if (begins && characters == width) {
            break;
        }
        characters += begins;
        fputc(*p, file);
    }
    fprintf(file, "%*s", width - characters + 2, "");
}

/// Whether it is passed, or why it counts for nobody.
static const char *passed_text(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    return credit_counts(&credit, attempt->trainee) ? attempt->passed ? "yes" : "no"
           : credit_is_practice(&credit)            ? "practice"
                                                    : "scripted";
}

/// Lines below an attempt, for those that have something to say.
static void print_remark_lines(FILE *file, const ResultAttempt *attempt)
{
    if (attempt->changed[0] != '\0') {
        fprintf(file, "    changed for this drive: %s%s\n", attempt->changed,
                credit_is_comparable(attempt->changed) ? "" : " (points are not comparable with those of the scene)");
    }
    if (attempt->grade[0] != '\0') {
        fprintf(file, "    grade: %s\n", attempt->grade);
    }
    if (attempt->comment[0] != '\0') {
        fprintf(file, "    comment: %s\n", attempt->comment);
    }
}

static bool print_line(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    FILE *file = self->file;
    if (self->count++ == 0) {
        fputs("started (UTC)        trainee           scene             points  passed    min:s   end      recording\n",
              file);
    }
    char started[RESULT_TIME];
    snprintf(started, sizeof started, "%s", attempt->started);
    started[10] = started[10] == 'T' ? ' ' : started[10];
    started[19] = '\0';
    print_cell(file, started, 19);
    print_cell(file, attempt->trainee[0] != '\0' ? attempt->trainee : "-", 16);
    print_cell(file, attempt->scene, 16);
    char points[16] = "     -", gone[40] = "", recording[DATA_PATH_LENGTH];
    if (attempt->parent[0] == '\0') { // practice has no points of its own
        snprintf(points, sizeof points, "%6.1f", attempt->score);
    }
    if (attempt->cleared[0] != '\0') {
        snprintf(gone, sizeof gone, "deleted by the clean-up on %.10s: ", attempt->cleared);
    }
    snprintf(recording, sizeof recording, "%s", attempt->recording[0] != '\0' ? attempt->recording : "-");
    visible_text_mask(recording, false);
    int seconds = (int)attempt->duration;
    fprintf(file, "%s  %-8s  %3d:%02d  %-7s  %s%s\n", points, passed_text(attempt), seconds / 60, seconds % 60,
            attempt->end, gone, recording);
    print_remark_lines(file, attempt);
    return true;
}

/// ---- CSV -----------------------------------------------------------------------------------------------------------

/// In quotes where it needs them. A text that a spreadsheet would take for a formula begins with an apostrophe.
static void print_field(FILE *file, const char *text)
{
    const char *formula = text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL ? "'" : "";
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(file, "%s%s", formula, text);
        return;
    }
    fprintf(file, "\"%s", formula);
    for (const char *p = text; *p != '\0'; p++) {
        fputs(*p == '"' ? "\"\"" : (char[]){*p, '\0'}, file);
    }
    fputc('"', file);
}

static void print_heads(FILE *file)
{
    fputs("uuid,started,trainee,scene,title,course,duration_s,points,passed,finished,end,operator,machine,build,"
          "recording,"
          "recording_xxh3,recording_seal,parent,driver,clumsy,practice_from_s,points_with_parent,language,station,"
          "recording_cleared,changed,comparable,comment,grade,commented",
          file);
    for (int k = 0; k < METRIC_COUNT; k++) {
        fprintf(file, ",%s", metric_infos[k].name);
    }
    fputc('\n', file);
}

/// Who drove, what practice began in and came to, and what is not the attempt's own.
static void print_credit(FILE *file, const ResultAttempt *attempt)
{
    const char *const texts[] = {attempt->language, attempt->station, attempt->cleared};
    fprintf(file, ",%s,%.9g,", credit_driver_name(attempt->driver), attempt->clumsy);
    bool practice = attempt->parent[0] != '\0';
    if (practice && attempt->parent_at >= 0.0) {
        fprintf(file, "%.3f", attempt->parent_at);
    }
    fputc(',', file);
    if (practice) {
        fprintf(file, "%.6g", attempt->score);
    }
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        fputc(',', file);
        print_field(file, texts[k]);
    }
}

/// What was changed for this drive, and what an instructor says of it.
static void print_remarks(FILE *file, const ResultAttempt *attempt)
{
    const char *const texts[] = {attempt->comment, attempt->grade, attempt->commented};
    fputc(',', file);
    print_field(file, attempt->changed);
    fprintf(file, ",%d", credit_is_comparable(attempt->changed));
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        fputc(',', file);
        print_field(file, texts[k]);
    }
}

static bool print_row(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    FILE *file = self->file;
    const char *texts[] = {attempt->uuid,  attempt->started, attempt->trainee,
                           attempt->scene, attempt->title,   attempt->course};
    const char *more[] = {attempt->end,       attempt->operator_name,  attempt->machine,        attempt->build,
                          attempt->recording, attempt->recording_hash, attempt->recording_seal, attempt->parent};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        print_field(file, texts[k]);
        fputc(',', file);
    }
    char points[32] = "";
    if (attempt->parent[0] == '\0') {
        snprintf(points, sizeof points, "%.6g", attempt->score);
    }
    fprintf(file, "%.3f,%s,%d,%d", attempt->duration, points, attempt->passed, attempt->finished);
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        fputc(',', file);
        print_field(file, more[k]);
    }
    print_credit(file, attempt);
    print_remarks(file, attempt);
    for (int k = 0; k < METRIC_COUNT; k++) {
        fputc(',', file);
        for (int m = 0; m < attempt->metric_count; m++) {
            if (strcmp(attempt->metrics[m].name, metric_infos[k].name) == 0) {
                fprintf(file, "%.9g", attempt->metrics[m].value);
            }
        }
    }
    fputc('\n', file);
    return true;
}

/// ---- JSON ----------------------------------------------------------------------------------------------------------

/// Writes an item of an array, and frees it. False, and nothing is written, when memory was too short for it (NULL is
/// such an item): `lacking` is set.
static bool print_item(ResultsPrinting *self, json_t *item)
{
    char *text = item != NULL ? json_dumps(item, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    if (text != NULL) {
        fprintf(self->file, "%s%s", self->count++ > 0 ? ",\n" : "\n", text);
    }
    self->lacking = self->lacking || text == NULL;
    free(text);
    json_decref(item);
    return !self->lacking;
}

static bool print_json(void *context, const ResultAttempt *attempt)
{
    return print_item(context, results_attempt_json(attempt, true));
}

/// ---- Experience API 1.0.3 ------------------------------------------------------------------------------------------
/// https://github.com/adlnet/xAPI-Spec: xAPI-Data.md, 2.4. Verbs are ADL's own. The statement's id is the attempt's, so
/// that a platform that is sent it twice has it once.
///
/// What counts for nobody (practice, a scripted run under a trainee's name) is "experienced": it has neither score nor
/// success, and says what it was in an extension.

static bool counts(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    return credit_counts(&credit, attempt->trainee);
}

static const char *verb_of(const ResultAttempt *attempt)
{
    return !counts(attempt)            ? "experienced"
           : !attempt->finished        ? "attempted"
           : attempt->score_count == 0 ? "completed" // there is nothing to pass
           : attempt->passed           ? "passed"
                                       : "failed";
}

/// A language map (xAPI-Data.md, 4.2): "und" is the tag of a language that nobody has told (RFC 5646, 4.1).
static json_t *language_map(const char *language, const char *text)
{
    return json_pack("{s:s}", language[0] != '\0' ? language : "und", text);
}

static json_t *statement_verb(const ResultAttempt *attempt)
{
    char id[64];
    snprintf(id, sizeof id, "http://adlnet.gov/expapi/verbs/%s", verb_of(attempt));
    return json_pack("{s:s, s:o}", "id", id, "display", language_map("en-US", verb_of(attempt)));
}

/// Letters, digits and `-._~` stay; any other byte is written as %XX, so that the name is part of an IRI.
static void make_iri(const char *start, const char *name, char *iri, size_t size)
{
    int length = snprintf(iri, size, "%s", start);
    for (const char *p = name; *p != '\0' && length + 4 < (int)size; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
                     strchr("-._~", *p) != NULL;
        length += snprintf(iri + length, size - (size_t)length, plain ? "%c" : "%%%02X", (unsigned char)*p);
    }
}

static json_t *activity_json(const char *start, const char *name, const char *title, const char *language,
                             const char *type)
{
    char id[320];
    make_iri(start, name, id, sizeof id);
    bool titled = title[0] != '\0';
    return json_pack("{s:s, s:s, s:{s:o, s:s}}", "objectType", "Activity", "id", id, "definition", "name",
                     language_map(titled ? language : "", titled ? title : name), "type", type);
}

/// s of the exercise's own clock, which stands still once it is judged; of practice what was driven of it after the
/// takeover. What has no such figure counts as it was driven.
static double own_time(const ResultAttempt *attempt)
{
    double time = attempt->duration;
    for (int k = 0; k < attempt->metric_count; k++) {
        if (strcmp(attempt->metrics[k].name, metric_infos[METRIC_TIME].name) == 0) {
            time = attempt->metrics[k].value;
        }
    }
    if (attempt->parent[0] != '\0') {
        time = attempt->parent_at >= 0.0 ? fmin(attempt->duration, fmax(0.0, time - attempt->parent_at))
                                         : attempt->duration;
    }
    return time;
}

static json_t *statement_result(const ResultAttempt *attempt)
{
    char duration[32];
    snprintf(duration, sizeof duration, "PT%.2fS", own_time(attempt));
    json_t *figures = json_object();
    for (int k = 0; k < attempt->metric_count; k++) {
        char key[96];
        make_iri("urn:spadework:metric:", attempt->metrics[k].name, key, sizeof key);
        json_object_set_new(figures, key, json_real(attempt->metrics[k].value));
    }
    json_t *result = json_pack("{s:s, s:o}", "duration", duration, "extensions", figures);
    if (!counts(attempt)) {
        return result;
    }
    json_object_set_new(result, "score",
                        json_pack("{s:f, s:f, s:i, s:i}", "scaled", attempt->score / 100.0, "raw", attempt->score,
                                  "min", 0, "max", 100));
    json_object_set_new(result, "completion", json_boolean(attempt->finished));
    if (attempt->finished && attempt->score_count > 0) {
        json_object_set_new(result, "success", json_boolean(attempt->passed));
    }
    return result;
}

/// Looks a course up once. One that is not here any more is called by its name.
static const ResultsCourse *find_course(ResultsPrinting *self, const char *name)
{
    int k = 0;
    while (k < self->course_count && strcmp(self->courses[k].name, name) != 0) {
        k++;
    }
    if (k < self->course_count) {
        return &self->courses[k];
    }
    CourseParams *course = calloc(1, sizeof *course);
    Status unused;
    k = self->course_count < RESULTS_COURSES ? self->course_count++ : RESULTS_COURSES - 1;
    ResultsCourse *found = &self->courses[k];
    *found = (ResultsCourse){.language = ""};
    snprintf(found->name, sizeof found->name, "%s", name);
    snprintf(found->title, sizeof found->title, "%s", name);
    if (course != NULL && data_load_course(name, course, &unused)) {
        snprintf(found->title, sizeof found->title, "%s", course->title);
        snprintf(found->language, sizeof found->language, "%s", course->language);
    }
    free(course);
    return found;
}

/// A class as a group that its account names (xAPI-Data.md, 2.4.2.2); its members are not listed in each statement.
static json_t *group_json(const ResultsPrinting *self, const char *class_name)
{
    return json_pack("{s:s, s:s, s:{s:s, s:s}}", "objectType", "Group", "name", class_name, "account", "homePage",
                     self->home_page, "name", class_name);
}

static int compare_members(const void *name, const void *member)
{
    return strcmp(name, ((const ResultMember *)member)->trainee);
}

/// The first class of a trainee, and how many he is in.
static const ResultMember *find_classes(const ResultsPrinting *self, const char *trainee, int *count)
{
    const ResultMember *first = self->member_count > 0 ? bsearch(trainee, self->members, (size_t)self->member_count,
                                                                 sizeof *self->members, compare_members)
                                                       : NULL;
    *count = 0;
    while (first != NULL && first > self->members && strcmp(first[-1].trainee, trainee) == 0) {
        first--;
    }
    for (const ResultMember *at = first;
         at != NULL && at < self->members + self->member_count && strcmp(at->trainee, trainee) == 0; at++) {
        ++*count;
    }
    return first;
}

/// The class that is asked for, else the first of the trainee's by name; a statement has room for one team, so that all
/// of them stand in an extension where there are more.
static void set_team(const ResultsPrinting *self, const ResultAttempt *attempt, json_t *context, json_t *extensions)
{
    int count;
    const ResultMember *classes = find_classes(self, attempt->trainee, &count);
    const char *team = self->class_name != NULL ? self->class_name : count > 0 ? classes->class_name : NULL;
    if (team != NULL) {
        json_object_set_new(context, "team", group_json(self, team));
    }
    if (count > 1) {
        json_t *names = json_array();
        for (int k = 0; k < count; k++) {
            json_array_append_new(names, json_string(classes[k].class_name));
        }
        json_object_set_new(extensions, "urn:spadework:classes", names);
    }
}

static json_t *statement_context(ResultsPrinting *self, const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    json_t *context =
        json_pack("{s:s, s:{s:s, s:s, s:s, s:s}}", "platform", "Spadework", "extensions", "urn:spadework:build",
                  attempt->build, "urn:spadework:machine", attempt->machine, "urn:spadework:operator",
                  attempt->operator_name, "urn:spadework:driver", credit_driver_name(attempt->driver));
    json_t *extensions = json_object_get(context, "extensions");
    if (attempt->recording_hash[0] != '\0') {
        json_object_set_new(extensions, "urn:spadework:recording-xxh3", json_string(attempt->recording_hash));
    }
    const char *const remarks[][2] = {{"urn:spadework:changed", attempt->changed},
                                      {"urn:spadework:comment", attempt->comment},
                                      {"urn:spadework:grade", attempt->grade}};
    for (size_t k = 0; k < sizeof remarks / sizeof remarks[0]; k++) {
        if (remarks[k][1][0] != '\0') {
            json_object_set_new(extensions, remarks[k][0], json_string(remarks[k][1]));
        }
    }
    if (credit_is_practice(&credit)) {
        json_object_set_new(extensions, "urn:spadework:practice", results_practice_json(attempt));
    }
    if (attempt->course[0] != '\0') {
        const ResultsCourse *course = find_course(self, attempt->course);
        json_object_set_new(context, "contextActivities",
                            json_pack("{s:[o]}", "grouping",
                                      activity_json("urn:spadework:course:", attempt->course, course->title,
                                                    course->language, "http://adlnet.gov/expapi/activities/course")));
    }
    set_team(self, attempt, context, extensions);
    return context;
}

static bool print_statement(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    if (attempt->trainee[0] == '\0') {
        return true; // a statement is about somebody
    }
    json_t *statement =
        json_pack("{s:s, s:{s:s, s:s, s:{s:s, s:s}}, s:o, s:o, s:o, s:o, s:s, s:s}", "id", attempt->uuid, "actor",
                  "objectType", "Agent", "name", attempt->trainee, "account", "homePage", self->home_page, "name",
                  attempt->trainee, "verb", statement_verb(attempt), "object",
                  activity_json("urn:spadework:scene:", attempt->scene, attempt->title, attempt->language,
                                "http://adlnet.gov/expapi/activities/simulation"),
                  "result", statement_result(attempt), "context", statement_context(self, attempt), "timestamp",
                  attempt->started, "version", "1.0.3");
    return print_item(self, statement);
}

/// ---- which ---------------------------------------------------------------------------------------------------------

bool results_print(Results *results, const ResultFilter *filter, ResultsFormat format, const char *home_page,
                   FILE *file, Status *status)
{
    ResultsPrinting self = {.results = results,
                            .file = file,
                            .class_name = filter != NULL ? filter->class_name : NULL,
                            .home_page = home_page != NULL && home_page[0] != '\0' ? home_page : RESULTS_HOME_PAGE};
    bool json = format == RESULTS_JSON || format == RESULTS_XAPI;
    ResultsVisit *visit = format == RESULTS_JSON   ? print_json
                          : format == RESULTS_XAPI ? print_statement
                          : format == RESULTS_CSV  ? print_row
                                                   : print_line;
    if (format == RESULTS_CSV) {
        print_heads(file);
    } else if (json) {
        fputc('[', file);
    }
    bool good = format != RESULTS_XAPI || (self.member_count = results_members(results, &self.members, status)) >= 0;
    good = good && results_each(results, filter, visit, &self, status);
    good = good && (!self.lacking || status_fail(status, STATUS_LACKING, "out of memory for the attempts"));
    free(self.members);
    if (json) {
        fputs(self.count > 0 ? "\n]\n" : "]\n", file);
    } else if (format == RESULTS_TABLE && self.count == 0 && good) {
        fputs("no attempts\n", file);
    }
    return good;
}

/// ---- classes -------------------------------------------------------------------------------------------------------

#define CLASS_FORMAT  "spadework-class" ///< of the file
#define CLASS_LARGEST 1e12 ///< any figure, in its unit. Chosen

enum { CLASS_VERSION = RESULTS_ATTEMPT_VERSION, MOST_TRAINEES = 100000 };

/// ---- out -----------------------------------------------------------------------------------------------------------

static bool append_attempt(void *context, const ResultAttempt *attempt)
{
    json_array_append_new(context, results_attempt_json(attempt, false));
    return true;
}

static json_t *class_json(Results *results, const char *class_name, Status *status)
{
    ResultTrainee *list = NULL;
    int count = results_trainees(results, class_name, &list, status);
    json_t *trainees = json_array();
    bool good = count >= 0;
    for (int k = 0; k < count && good; k++) {
        json_t *attempts = json_array();
        good = results_each(results, &(ResultFilter){.trainee = list[k].name}, append_attempt, attempts, status);
        json_array_append_new(trainees, json_pack("{s:s, s:o}", "name", list[k].name, "attempts", attempts));
    }
    free(list);
    if (!good) {
        json_decref(trainees);
        return NULL;
    }
    return json_pack("{s:s, s:i, s:s, s:o}", "format", CLASS_FORMAT, "version", CLASS_VERSION, "class", class_name,
                     "trainees", trainees);
}

bool results_export_class(Results *results, const char *class_name, const char *path, Status *status)
{
    json_t *value = class_json(results, class_name, status);
    bool good = value != NULL && results_write_json(path, value, 1, status);
    json_decref(value);
    return good && status_good(status);
}

/// ---- in ------------------------------------------------------------------------------------------------------------

/// One trainee of the file.
typedef struct Person {
    char name[RESULT_NAME];
    char gone[RESULT_TIME]; ///< UTC: when he was deleted here; "" = he was not, or is to come back
    bool added; ///< to the class
} Person;

/// Adds him to the class with the first attempt that stays.
static bool add_person(Results *results, ResultsReader *reader, Person *person, ResultsImport *import)
{
    if (person->added) {
        return true;
    }
    person->added = true;
    import->trainees++;
    return results_insert_member(results, import->class_name, person->name, reader->status);
}

/// What began before somebody was deleted stays deleted.
static bool import_attempt(Results *results, ResultsReader *reader, const json_t *object, Person *person,
                           ResultsImport *import)
{
    ResultAttempt *attempt = calloc(1, sizeof *attempt);
    if (attempt == NULL) {
        return status_fail(reader->status, STATUS_LACKING, "out of memory for an attempt");
    }
    bool good = results_read_attempt(reader, object, attempt);
    if (good && strcmp(attempt->started, person->gone) <= 0) {
        import->left_out++;
    } else if (good) {
        snprintf(attempt->trainee, sizeof attempt->trainee, "%s", person->name);
        int known = results_is_known(results, attempt->uuid, reader->status);
        import->known += known > 0;
        import->attempts += known == 0;
        good = known >= 0 && add_person(results, reader, person, import) &&
               (known > 0 ? results_take_remarks(results, attempt, reader->status)
                          : results_insert(results, attempt, reader->status));
    }
    free(attempt);
    return good;
}

/// Whether he was deleted here, or is brought back.
static bool find_person(Results *results, Person *person, bool restore, Status *status)
{
    return restore ? results_restore(results, person->name, status)
                   : results_find_gone(results, person->name, person->gone, status);
}

static bool import_trainee(Results *results, ResultsReader *reader, const json_t *object, int index, bool restore,
                           ResultsImport *import)
{
    Person person = {.gone = ""};
    const json_t *attempts;
    snprintf(reader->place, RESULTS_PLACE, "trainees[%d]", index);
    if (!results_read_text(reader, object, "name", true, person.name, sizeof person.name) ||
        !results_read_array(reader, object, "attempts", SIZE_MAX, &attempts) ||
        !find_person(results, &person, restore, reader->status) ||
        (person.gone[0] == '\0' && !add_person(results, reader, &person, import))) {
        return false;
    }
    for (size_t k = 0; k < json_array_size(attempts); k++) {
        snprintf(reader->place, RESULTS_PLACE, "trainees[%d].attempts[%zu]", index, k);
        if (!import_attempt(results, reader, json_array_get(attempts, k), &person, import)) {
            return false;
        }
    }
    if (!person.added) {
        snprintf(import->gone_name, sizeof import->gone_name, "%s",
                 import->gone == 0 ? person.name : import->gone_name);
        import->gone++;
    }
    return true;
}

static bool import_class(Results *results, ResultsReader *reader, const json_t *root, bool restore,
                         ResultsImport *import)
{
    char format[32];
    double version = 0.0;
    const json_t *trainees;
    if (!results_read_text(reader, root, "format", true, format, sizeof format) ||
        (strcmp(format, CLASS_FORMAT) != 0 &&
         !results_refuse(reader, "format", "read %s, allowed %s", format, CLASS_FORMAT)) ||
        !results_read_number(reader, root, "version", 1, CLASS_VERSION, &version) ||
        !results_read_text(reader, root, "class", true, import->class_name, sizeof import->class_name) ||
        !results_read_array(reader, root, "trainees", MOST_TRAINEES, &trainees)) {
        return false;
    }
    reader->version = (int)version;
    for (size_t k = 0; k < json_array_size(trainees); k++) {
        if (!import_trainee(results, reader, json_array_get(trainees, k), (int)k, restore, import)) {
            return false;
        }
    }
    return true;
}

bool results_import_class(Results *results, const char *path, bool restore, ResultsImport *import, Status *status)
{
    *import = (ResultsImport){0};
    json_t *root = results_load_json(path, status);
    if (root == NULL) {
        return false;
    }
    ResultsReader reader = {.path = path, .largest = CLASS_LARGEST, .status = status};
    bool good = results_begin(results, status) &&
                results_end(results, import_class(results, &reader, root, restore, import), status);
    json_decref(root);
    return good && status_good(status);
}
