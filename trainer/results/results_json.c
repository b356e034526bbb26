/// Attempts as JSON, and as statements of the Experience API, which learning platforms take.
#include <string.h>

#include "trainer/results/results_print.h"

void results_print_item(ResultsPrinting *self, json_t *item)
{
    fputs(self->count++ > 0 ? ",\n" : "\n", self->file);
    json_dumpf(item, self->file, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(item);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text[0] != '\0' ? json_string(text) : json_null());
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

json_t *results_attempt_json(const ResultAttempt *attempt, bool files)
{
    json_t *object = json_object();
    set_text(object, "uuid", attempt->uuid);
    if (files) {
        set_text(object, "trainee", attempt->trainee);
    }
    set_text(object, "scene", attempt->scene);
    set_text(object, "title", attempt->title);
    set_text(object, "course", attempt->course);
    set_text(object, "started", attempt->started);
    set_number(object, "duration_s", attempt->duration);
    set_number(object, "points", attempt->score);
    json_object_set_new(object, "passed", json_boolean(attempt->passed));
    json_object_set_new(object, "finished", json_boolean(attempt->finished));
    set_text(object, "end", attempt->end);
    set_text(object, "operator", attempt->operator_name);
    set_text(object, "machine", attempt->machine);
    set_text(object, "build", attempt->build);
    if (files) {
        set_text(object, "recording", attempt->recording);
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
    results_print_item(context, results_attempt_json(attempt, true));
    return true;
}

/// ---- Experience API 1.0.3 ------------------------------------------------------------------------------------------
/// https://github.com/adlnet/xAPI-Spec: xAPI-Data.md, 2.4. Verbs are ADL's own. The statement's id is the attempt's, so
/// that a platform that is sent it twice has it once.

static const char *verb_of(const ResultAttempt *attempt)
{
    return !attempt->finished          ? "attempted"
           : attempt->score_count == 0 ? "completed" // there is nothing to pass
           : attempt->passed           ? "passed"
                                       : "failed";
}

static json_t *language(const char *text)
{
    return json_pack("{s:s}", "en-US", text);
}

static json_t *statement_verb(const ResultAttempt *attempt)
{
    char id[64];
    snprintf(id, sizeof id, "http://adlnet.gov/expapi/verbs/%s", verb_of(attempt));
    return json_pack("{s:s, s:o}", "id", id, "display", language(verb_of(attempt)));
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

static json_t *activity(const char *start, const char *name, const char *title, const char *type)
{
    char id[320];
    make_iri(start, name, id, sizeof id);
    return json_pack("{s:s, s:s, s:{s:o, s:s}}", "objectType", "Activity", "id", id, "definition", "name",
                     language(title[0] != '\0' ? title : name), "type", type);
}

static json_t *statement_result(const ResultAttempt *attempt)
{
    char duration[32];
    snprintf(duration, sizeof duration, "PT%.2fS", attempt->duration);
    json_t *figures = json_object();
    for (int k = 0; k < attempt->metric_count; k++) {
        char key[96];
        make_iri("urn:spadework:metric:", attempt->metrics[k].name, key, sizeof key);
        set_number(figures, key, attempt->metrics[k].value);
    }
    json_t *result = json_pack("{s:{s:f, s:f, s:i, s:i}, s:b, s:s, s:o}", "score", "scaled", attempt->score / 100.0,
                               "raw", attempt->score, "min", 0, "max", 100, "completion", attempt->finished, "duration",
                               duration, "extensions", figures);
    if (attempt->finished && attempt->score_count > 0) {
        json_object_set_new(result, "success", json_boolean(attempt->passed));
    }
    return result;
}

static json_t *statement_context(const ResultAttempt *attempt)
{
    json_t *context = json_pack("{s:s, s:{s:s, s:s, s:s}}", "platform", "Spadework", "extensions",
                                "urn:spadework:build", attempt->build, "urn:spadework:machine", attempt->machine,
                                "urn:spadework:operator", attempt->operator_name);
    if (attempt->recording_hash[0] != '\0') {
        json_object_set_new(json_object_get(context, "extensions"), "urn:spadework:recording-xxh3",
                            json_string(attempt->recording_hash));
    }
    if (attempt->course[0] != '\0') {
        json_object_set_new(context, "contextActivities",
                            json_pack("{s:[o]}", "grouping",
                                      activity("urn:spadework:course:", attempt->course, attempt->course,
                                               "http://adlnet.gov/expapi/activities/course")));
    }
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
                  activity("urn:spadework:scene:", attempt->scene, attempt->title,
                           "http://adlnet.gov/expapi/activities/simulation"),
                  "result", statement_result(attempt), "context", statement_context(attempt), "timestamp",
                  attempt->started, "version", "1.0.3");
    results_print_item(self, statement);
    return true;
}
