/// Reads and changes the user's settings in his folder of settings.
#include "trainer/results/results_settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/settings_edit.h"
#include "data/core/data_files.h"

static const char file_name[] = "settings.yaml";

bool results_settings(SettingsParams *settings, Status *status)
{
    char path[DATA_PATH_LENGTH];
    if (!user_config_path(file_name, path, status)) {
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

bool results_settings_exist(void)
{
    char path[DATA_PATH_LENGTH];
    Status unused;
    return user_config_path(file_name, path, &unused) && access(path, F_OK) == 0;
}

bool results_settings_change(const char *const *values, int count, Status *status)
{
    char folder[DATA_PATH_LENGTH], path[DATA_PATH_LENGTH];
    return user_config_path("", folder, status) && user_config_path(file_name, path, status) &&
           user_make_folder(folder, status) && settings_edit(path, values, count, status);
}
