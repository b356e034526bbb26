/// Shipped data, settings, and the language and letters that people read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "data/core/language.h"
#include "data/schema/load.h"
#include "trainer/cli/looks.h"
#include "trainer/results/results.h"

enum { MOST_SCENES = 512 };

static void look_at_data(FilesFacts *files)
{
    Status status = {STATUS_GOOD, ""};
    snprintf(files->data, sizeof files->data, "%s", data_folder());
    DataListEntry *entries = calloc(MOST_SCENES, sizeof *entries);
    int count = entries != NULL ? data_list("scenes", entries, MOST_SCENES, &status) : 0;
    files->scenes = count > 0 ? count : 0;
    snprintf(files->data_fault, sizeof files->data_fault, "%.255s", count < 0 ? status.text : "");
    free(entries);
}

/// What the settings name is there: the language and the control map.
static bool check_names(const SettingsParams *settings, Status *status)
{
    ControlsParams *controls = calloc(1, sizeof *controls);
    bool good = settings->language[0] == '\0' || language_choose(settings->language, status);
    if (good && controls != NULL && settings->controls[0] != '\0') {
        good = data_load_controls(settings->controls, controls, NULL, status);
    }
    free(controls);
    return good;
}

static void look_at_settings(FilesFacts *files)
{
    Status status = {STATUS_GOOD, ""};
    SettingsParams settings = {0};
    files->settings_there = results_settings_exist();
    bool good = user_config_path("settings.yaml", files->settings, &status) && results_settings(&settings, &status) &&
                check_names(&settings, &status);
    snprintf(files->settings_fault, sizeof files->settings_fault, "%.255s", good ? "" : status.text);
}

/// The first of the variables that say which letters there are, as setlocale asks them.
static const char *locale_of(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return "";
}

static bool is_utf8(const char *locale)
{
    const char *code = strchr(locale, '.');
    return code != NULL && (strncasecmp(code, ".utf-8", 6) == 0 || strncasecmp(code, ".utf8", 5) == 0);
}

static void look_at_texts(FilesFacts *files)
{
    const char *kind = getenv("TERM"), *locale = locale_of();
    snprintf(files->language, sizeof files->language, "%s", language_code());
    snprintf(files->locale, sizeof files->locale, "%s", locale);
    files->utf8 = is_utf8(locale);
    snprintf(files->terminal_kind, sizeof files->terminal_kind, "%s", kind != NULL ? kind : "");
}

void look_at_files(DoctorFacts *facts, DoctorTell *tell)
{
    look_at_texts(&facts->files);
    doctor_tell(tell, facts);
    look_at_settings(&facts->files);
    doctor_tell(tell, facts);
    look_at_data(&facts->files);
}
