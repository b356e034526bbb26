/// Writes the reference of keys. A list of many names (figures, incidents, levers) is written once, with what the names
/// mean where that is known.
#include "trainer/cli/reference_print.h"

#include <string.h>

#include "data/core/html.h"
#include "data/core/incident.h"
#include "data/core/metric.h"

/// "number, m, 0.2 to 6, default 60"; a key that is needed says so.
static void describe(const ReferenceKey *key, char *words, size_t size)
{
    char fallback[REFERENCE_WORDS + 16];
    snprintf(fallback, sizeof fallback, "default %s", key->fallback);
    snprintf(words, size, "%s%s%s%s%s, %s", key->type, key->unit[0] != '\0' ? ", " : "", key->unit,
             key->allowed[0] != '\0' ? ", " : "", key->allowed,
             key->needed                ? "needed"
             : key->fallback[0] != '\0' ? fallback
                                        : "may be left out");
}

/// True for the first key that has a list of many choices.
static bool begins_names(const ReferencePage *page, int index)
{
    const ReferenceKey *key = &page->keys[index];
    bool begins = reference_choice_count(key) > REFERENCE_FEW;
    for (int k = 0; k < index && begins; k++) {
        begins = page->keys[k].choices != key->choices;
    }
    return begins;
}

/// What a name of a long list means: a figure with its unit, or an incident; "" of others.
static void explain(const char *name, char *words, size_t size)
{
    Metric metric = metric_named(name);
    words[0] = '\0';
    if (metric != METRIC_COUNT) {
        const char *unit = metric_infos[metric].unit;
        bool bare = strcmp(unit, "1") == 0;
        snprintf(words, size, "%s%s%s", bare ? "" : unit, bare ? "" : ": ", metric_infos[metric].phrase);
    }
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        if (strcmp(incident_names[k], name) == 0) {
            snprintf(words, size, "%s", incident_phrases[k]);
        }
    }
}

/// ---- text and Markdown ---------------------------------------------------------------------------------------------

void reference_print_text(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fprintf(file, "%s\n\n", page->title);
    for (int k = 0; k < page->count; k++) {
        describe(&page->keys[k], words, sizeof words);
        fprintf(file, "%s\n    %s\n    %s\n", page->keys[k].path, words, page->keys[k].meaning);
    }
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fprintf(file, "\nNames for %s\n", page->keys[k].path);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain(name, words, sizeof words);
            fprintf(file, words[0] != '\0' ? "    %-24s %s\n" : "    %s\n", name, words);
        }
    }
    fputc('\n', file);
}

void reference_print_markdown(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fprintf(file, "# %s\n\n| key | value | unit | allowed | when left out | meaning |\n|---|---|---|---|---|---|\n",
            page->title);
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        fprintf(file, "| `%s` | %s | %s | %s | %s | %s |\n", key->path, key->type, key->unit, key->allowed,
                key->needed ? "(needed)" : key->fallback, key->meaning);
    }
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fprintf(file, "\n## Names for `%s`\n\n| name | meaning |\n|---|---|\n", page->keys[k].path);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain(name, words, sizeof words);
            fprintf(file, "| `%s` | %s |\n", name, words);
        }
    }
    fputc('\n', file);
}

/// ---- HTML ----------------------------------------------------------------------------------------------------------

static void print_cell(const char *text, FILE *file)
{
    fputs("<td>", file);
    html_put(file, text);
    fputs("</td>", file);
}

void reference_print_html_begin(const char *kind, FILE *file)
{
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Keys of a %s</title>\n"
            "<style>body{font:15px/1.4 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
            "table{border-collapse:collapse;width:100%%}td,th{border-bottom:1px solid #ccc;padding:.25em .6em;"
            "text-align:left;vertical-align:top}td:first-child{font-family:monospace}tr.inside td:first-child"
            "{color:#444}@media print{body{font-size:9pt}}</style></head><body>\n",
            kind);
}

void reference_print_html_end(FILE *file)
{
    fputs("</body></html>\n", file);
}

void reference_print_html(const ReferencePage *page, FILE *file)
{
    char words[4 * REFERENCE_WORDS];
    fputs("<h1>", file);
    html_put(file, page->title);
    fputs("</h1>\n<table><tr><th>key</th><th>value</th><th>unit</th><th>allowed</th><th>when left out</th>"
          "<th>meaning</th></tr>\n",
          file);
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        fputs("<tr>", file);
        print_cell(key->path, file);
        print_cell(key->type, file);
        print_cell(key->unit, file);
        print_cell(key->allowed, file);
        print_cell(key->needed ? "(needed)" : key->fallback, file);
        print_cell(key->meaning, file);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
    for (int k = 0; k < page->count; k++) {
        const char *name = NULL;
        if (!begins_names(page, k)) {
            continue;
        }
        fputs("<h2>Names for ", file);
        html_put(file, page->keys[k].path);
        fputs("</h2>\n<table><tr><th>name</th><th>meaning</th></tr>\n", file);
        for (int i = 0; (name = reference_choice(&page->keys[k], i)) != NULL; i++) {
            explain(name, words, sizeof words);
            fputs("<tr>", file);
            print_cell(name, file);
            print_cell(words, file);
            fputs("</tr>\n", file);
        }
        fputs("</table>\n", file);
    }
}

/// ---- JSON ----------------------------------------------------------------------------------------------------------

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

json_t *reference_json(const ReferencePage *page)
{
    json_t *object = json_object(), *list = json_array();
    json_object_set_new(object, "title", json_string(page->title));
    for (int k = 0; k < page->count; k++) {
        const ReferenceKey *key = &page->keys[k];
        json_t *entry = json_object();
        json_object_set_new(entry, "path", json_string(key->path));
        json_object_set_new(entry, "type", json_string(key->type));
        json_object_set_new(entry, "unit", text_or_null(key->unit));
        json_object_set_new(entry, "allowed", text_or_null(key->allowed));
        json_object_set_new(entry, "default", text_or_null(key->fallback));
        json_object_set_new(entry, "needed", json_boolean(key->needed));
        json_object_set_new(entry, "meaning", json_string(key->meaning));
        if (key->choices != NULL) {
            json_t *choices = json_array();
            for (int i = 0; reference_choice(key, i) != NULL; i++) {
                json_array_append_new(choices, json_string(reference_choice(key, i)));
            }
            json_object_set_new(entry, "choices", choices);
        }
        json_array_append_new(list, entry);
    }
    json_object_set_new(object, "keys", list);
    return object;
}
