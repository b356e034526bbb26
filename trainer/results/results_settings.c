/// Reads and changes the user's settings, and remembers the trainee who was chosen last as the only line of a file.
/// That is written beside and then renamed, so that a full disk leaves the name that was there.
#include "trainer/results/results_settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/system_files.h"
#include "data/schema/settings_params.h"

static const char settings_file[] = "settings.yaml";

bool results_settings(SettingsParams *settings, Status *status)
{
    char path[DATA_PATH_LENGTH];
    if (!user_config_path(settings_file, path, status)) {
        return false;
    }
    return data_load_settings(access(path, F_OK) == 0 ? path : NULL, settings, status);
}

TextUnits results_units(void)
{
    SettingsParams settings = {0};
    Status unused;
    return results_settings(&settings, &unused) ? settings.window.units : TEXT_UNITS_METRIC;
}

void results_logo(char path[SETTINGS_LOGO])
{
    SettingsParams settings = {0};
    Status unused;
    bool good = results_settings(&settings, &unused);
    snprintf(path, SETTINGS_LOGO, "%s", good ? settings.logo : "");
}

bool results_settings_exist(void)
{
    char path[DATA_PATH_LENGTH];
    Status unused;
    return user_config_path(settings_file, path, &unused) && access(path, F_OK) == 0;
}

bool results_settings_change(const char *const *values, int count, Status *status)
{
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH];
    return user_config_path("", folder, status) && user_config_path(settings_file, path, status) &&
           user_make_folder(folder, status) && settings_edit(path, values, count, status);
}

/// ---- the last trainee ----------------------------------------------------------------------------------------------

static const char trainee_file[] = "last-trainee";

void results_remembered(char name[RESULT_NAME])
{
    char path[DATA_PATH_LENGTH];
    Status unused;
    name[0] = '\0';
    FILE *file = user_data_path(trainee_file, path, &unused) ? regular_file_open(path, &unused) : NULL;
    if (file == NULL) {
        return;
    }
    if (fgets(name, RESULT_NAME, file) == NULL) {
        name[0] = '\0';
    }
    fclose(file);
    name[strcspn(name, "\n")] = '\0';
    if (!results_check_name("trainee", name, &unused)) {
        name[0] = '\0';
    }
}

static bool write_line(const char *path, const char *name)
{
    FILE *file = written_file_open(path);
    if (file == NULL) {
        return false;
    }
    bool good = fprintf(file, "%s\n", name) > 0;
    return fclose(file) == 0 && good;
}

bool results_remember(const char *name, Status *status)
{
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH], beside[DATA_PATH_LENGTH + 8];
    if (!user_data_path("", folder, status) || !user_make_folder(folder, status) ||
        !user_data_path(trainee_file, path, status)) {
        return false;
    }
    snprintf(beside, sizeof beside, "%s.new", path);
    if (write_line(beside, name) && rename(beside, path) == 0) {
        return true;
    }
    int why = errno;
    unlink(beside);
    return status_fail(status, STATUS_LACKING, "%s: who drives cannot be remembered: %s", path, strerror(why));
}
