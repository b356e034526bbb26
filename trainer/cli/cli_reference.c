/// Prints the reference of one kind of file, part by part.
#include "trainer/cli/cli_reference.h"

#include <stdlib.h>
#include <string.h>

#include "data/core/status.h"
#include "trainer/cli/reference_print.h"
#include "trainer/cli/cli_commands.h"

/// A kind there is; the status lists them.
static bool check_kind(const char *kind, Status *status)
{
    char kinds[160] = "";
    for (int k = 0; reference_kind(k) != NULL; k++) {
        size_t length = strlen(kinds);
        snprintf(kinds + length, sizeof kinds - length, "%s%s", k > 0 ? ", " : "", reference_kind(k));
    }
    return reference_part(kind, 0) != NULL ||
           status_fail(status, STATUS_BAD_USAGE, "reference %.80s: one of %s is allowed", kind, kinds);
}

static void print_page(const CliOptions *options, const ReferencePage *page, json_t *pages)
{
    if (pages != NULL) {
        json_array_append_new(pages, reference_json(page));
    } else if (options->as_html) {
        reference_print_html(page, stdout);
    } else if (options->as_markdown) {
        reference_print_markdown(page, stdout);
    } else {
        reference_print_text(page, stdout);
    }
}

int cli_reference(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    if (options->run.json + options->as_html + options->as_markdown > 1) {
        status_fail(&status, STATUS_BAD_USAGE, "reference: one of --json, --html and --markdown is allowed");
        return cli_fail(&status);
    }
    if (!check_kind(options->kind, &status)) {
        return cli_fail(&status);
    }
    ReferenceKey *keys = calloc(REFERENCE_MOST, sizeof *keys);
    if (keys == NULL) {
        status_fail(&status, STATUS_LACKING, "out of memory for the reference");
        return cli_fail(&status);
    }
    json_t *pages = options->run.json ? json_array() : NULL;
    if (options->as_html) {
        reference_print_html_begin(options->kind, stdout);
    }
    const char *title = NULL;
    for (int part = 0; (title = reference_part(options->kind, part)) != NULL; part++) {
        const ReferencePage page = {title, keys, reference_keys(options->kind, part, keys, REFERENCE_MOST)};
        print_page(options, &page, pages);
    }
    if (options->as_html) {
        reference_print_html_end(stdout);
    }
    free(keys);
    if (pages != NULL) {
        json_dumpf(pages, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(pages);
    }
    return cli_flush();
}
