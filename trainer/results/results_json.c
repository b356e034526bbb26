/// Attempts as JSON, and as statements of the Experience API, which learning platforms take.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "trainer/results/results_print.h"
#include "trainer/results/shared_rows.h"

bool results_print_item(ResultsPrinting *self, json_t *item)
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

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text[0] != '\0' ? shared_text_json(text) : json_null());
}

static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

static json_t *metrics_json(const ResultAttempt *attempt)
{
    json_t *metrics = json_array();
    for (int k = 0; k < attempt->metric_count; k++) {
        json_t *metric = json_object();
        set_text(metric, "name", attempt->metrics[k].name);
        set_text(metric, "unit", attempt->metrics[k].unit);
        set_number(metric, "value", attempt->metrics[k].value);
        json_array_append_new(metrics, metric);
    }
    return metrics;
}

static json_t *scores_json(const ResultAttempt *attempt)
{
    json_t *scores = json_array();
    for (int k = 0; k < attempt->score_count; k++) {
        const ResultScore *row = &attempt->scores[k];
        json_t *score = json_object();
        set_text(score, "label", row->label);
        set_text(score, "group", row->group);
        set_number(score, "weight", row->weight);
        set_number(score, "value", row->value);
        set_number(score, "share", row->share);
        set_number(score, "points", row->points);
        json_array_append_new(scores, score);
    }
    return scores;
}

/// What it began in; null of an attempt that is its driver's own from the first tick.
static json_t *practice_json(const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    if (!credit_is_practice(&credit)) {
        return json_null();
    }
    json_t *practice = json_object();
    set_text(practice, "parent", credit.parent);
    json_object_set_new(practice, "from_s", credit.from >= 0.0 ? json_real(credit.from) : json_null());
    set_number(practice, "points_with_parent", attempt->score);
    return practice;
}

static void set_credit(json_t *object, const ResultAttempt *attempt)
{
    Credit credit = results_credit(attempt);
    json_object_set_new(object, "points", credit_is_practice(&credit) ? json_null() : json_real(attempt->score));
    json_object_set_new(object, "passed", json_boolean(attempt->passed));
    json_object_set_new(object, "counts", json_boolean(credit_counts(&credit, attempt->trainee)));
    json_object_set_new(object, "practice", practice_json(attempt));
    set_text(object, "driver", credit_driver_name(attempt->driver));
    set_number(object, "clumsy", attempt->clumsy);
}

json_t *results_attempt_json(const ResultAttempt *attempt, bool files)
{
    json_t *object = json_object();
    set_text(object, "uuid", attempt->uuid);
    if (files) {
        set_text(object, "trainee", attempt->trainee);
    }
    set_text(object, "scene", attempt->scene);
    set_text(object, "title", attempt->title);
    set_text(object, "language", attempt->language);
    set_text(object, "course", attempt->course);
    set_text(object, "started", attempt->started);
    set_number(object, "duration_s", attempt->duration);
    set_credit(object, attempt);
    json_object_set_new(object, "finished", json_boolean(attempt->finished));
    set_text(object, "end", attempt->end);
    set_text(object, "operator", attempt->operator_name);
    set_text(object, "machine", attempt->machine);
    set_text(object, "build", attempt->build);
    set_text(object, "station", attempt->station);
    if (files) {
        set_text(object, "recording", attempt->recording);
        set_text(object, "recording_cleared", attempt->cleared);
        set_text(object, "parent", attempt->parent);
    }
    set_text(object, "recording_xxh3", attempt->recording_hash);
    set_text(object, "recording_seal", attempt->recording_seal);
    json_object_set_new(object, "metrics", metrics_json(attempt));
    json_object_set_new(object, "scores", scores_json(attempt));
    return object;
}

bool results_print_json(void *context, const ResultAttempt *attempt)
{
    return results_print_item(context, results_attempt_json(attempt, true));
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

static json_t *activity(const char *start, const char *name, const char *title, const char *language, const char *type)
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
        set_number(figures, key, attempt->metrics[k].value);
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
static json_t *group(const ResultsPrinting *self, const char *class_name)
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
        json_object_set_new(context, "team", group(self, team));
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
    if (credit_is_practice(&credit)) {
        json_object_set_new(extensions, "urn:spadework:practice", practice_json(attempt));
    }
    if (attempt->course[0] != '\0') {
        const ResultsCourse *course = find_course(self, attempt->course);
        json_object_set_new(context, "contextActivities",
                            json_pack("{s:[o]}", "grouping",
                                      activity("urn:spadework:course:", attempt->course, course->title,
                                               course->language, "http://adlnet.gov/expapi/activities/course")));
    }
    set_team(self, attempt, context, extensions);
    return context;
}

bool results_print_statement(void *context, const ResultAttempt *attempt)
{
    ResultsPrinting *self = context;
    if (attempt->trainee[0] == '\0') {
        return true; // a statement is about somebody
    }
    json_t *statement =
        json_pack("{s:s, s:{s:s, s:s, s:{s:s, s:s}}, s:o, s:o, s:o, s:o, s:s, s:s}", "id", attempt->uuid, "actor",
                  "objectType", "Agent", "name", attempt->trainee, "account", "homePage", self->home_page, "name",
                  attempt->trainee, "verb", statement_verb(attempt), "object",
                  activity("urn:spadework:scene:", attempt->scene, attempt->title, attempt->language,
                           "http://adlnet.gov/expapi/activities/simulation"),
                  "result", statement_result(attempt), "context", statement_context(self, attempt), "timestamp",
                  attempt->started, "version", "1.0.3");
    return results_print_item(self, statement);
}
