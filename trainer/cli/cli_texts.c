/// The command texts: a template of everything of an exercise that is translated. Equal texts stand once, at their
/// first place, since gettext has one translation of a text.
#include "trainer/cli/cli_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/metric.h"
#include "data/schema/load.h"
#include "data/schema/scene_texts.h"
#include "trainer/cli/cli_commands.h"

enum { SCENES_MOST = 256, TEXTS_MOST = 8192 };

/// What was printed already, and whose texts are being printed.
typedef struct Printer {
    char **texts;
    int count;
    const char *place;
    bool full; ///< more texts than there is room for, or no memory
} Printer;

/// Prints a text as a string of C, in which PO files write.
static void print_quoted(const char *text)
{
    putchar('"');
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n') {
            fputs("\\n", stdout);
            continue;
        }
        if (*p == '"' || *p == '\\') {
            putchar('\\');
        }
        putchar(*p);
    }
    putchar('"');
}

static void print_text(void *context, const char *key, char *text, size_t size)
{
    Printer *self = context;
    for (int k = 0; k < self->count; k++) {
        if (strcmp(self->texts[k], text) == 0) {
            return;
        }
    }
    char *copy = self->count < TEXTS_MOST ? malloc(strlen(text) + 1) : NULL;
    if (copy == NULL) {
        self->full = true;
        return;
    }
    self->texts[self->count++] = strcpy(copy, text);
    printf("\n#. At most %zu bytes.\n#: %s %s\nmsgid ", size - 1, self->place, key);
    print_quoted(text);
    fputs("\nmsgstr \"\"\n", stdout);
}

static void print_phrases(Printer *printer)
{
    printer->place = "metric";
    for (int k = 0; k < METRIC_COUNT; k++) {
        char phrase[SCENE_TEXT];
        snprintf(phrase, sizeof phrase, "%s", metric_infos[k].phrase);
        print_text(printer, metric_infos[k].name, phrase, sizeof((SceneScore *)NULL)->label);
    }
}

static bool print_scene(Printer *printer, const char *name, Status *status)
{
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the scene");
    }
    good = good && data_load_scene(name, NULL, 0, scene, machine, NULL, status);
    if (good) {
        printer->place = scene->name;
        scene_visit_texts(scene, print_text, printer);
    }
    free(machine);
    free(scene);
    return good;
}

static bool print_all(const CliOptions *options, Printer *printer, Status *status)
{
    if (options->file_count > 0) {
        for (int k = 0; k < options->file_count; k++) {
            if (!print_scene(printer, options->files[k], status)) {
                return false;
            }
        }
        return true;
    }
    DataListEntry *entries = calloc(SCENES_MOST, sizeof *entries);
    int count = entries == NULL ? 0 : data_list("scenes", entries, SCENES_MOST, status);
    bool good = entries != NULL ? count >= 0 : status_fail(status, STATUS_LACKING, "out of memory for the list");
    for (int k = 0; good && k < count; k++) {
        good = entries[k].own || print_scene(printer, entries[k].name, status);
    }
    free(entries);
    print_phrases(printer);
    return good;
}

int cli_texts(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    Printer printer = {.texts = calloc(TEXTS_MOST, sizeof(char *))};
    fputs("# Texts of exercises. An English text is the key; what is left empty is shown in English.\n"
          "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
          "\"Content-Transfer-Encoding: 8bit\\n\"\n",
          stdout);
    bool good = printer.texts != NULL ? print_all(options, &printer, &status)
                                      : status_fail(&status, STATUS_LACKING, "out of memory for the texts");
    if (good && printer.full) {
        good = status_fail(&status, STATUS_LACKING, "more than %d texts, or out of memory for them", TEXTS_MOST);
    }
    for (int k = 0; k < printer.count; k++) {
        free(printer.texts[k]);
    }
    free(printer.texts);
    return good ? cli_flush() : cli_fail(&status);
}
