/// Reads the user's settings from his folder of settings.
#include "trainer/results/results_settings.h"

#include <unistd.h>

#include "data/data_files.h"

bool results_settings(SettingsParams *settings, Status *status)
{
    char path[DATA_PATH_LENGTH];
    if (!user_config_path("settings.yaml", path, status)) {
        return false;
    }
    return data_load_settings(access(path, F_OK) == 0 ? path : NULL, settings, status);
}
