/// Where the user's own files lie: $XDG_DATA_HOME/spadework (else ~/.local/share/spadework) and
/// $XDG_CONFIG_HOME/spadework (else ~/.config/spadework). Any thread; nothing is kept.
#ifndef SPADEWORK_TRAINER_RESULTS_PATHS_H
#define SPADEWORK_TRAINER_RESULTS_PATHS_H

#include "data/load.h"

/// Writes the path of a file or folder of the user's data ("results.db", "recordings"; "" = the folder itself). False
/// with `status` (STATUS_LACKING) when there is no home to put it in.
bool results_data_path(const char *name, char path[DATA_PATH_LENGTH], Status *status);
/// The same of the user's settings ("settings.yaml").
bool results_config_path(const char *name, char path[DATA_PATH_LENGTH], Status *status);
/// Makes a folder and those above it, for the user alone. False with `status` (STATUS_LACKING).
bool results_make_folder(const char *path, Status *status);
/// Reads the user's settings; without a file, those of no keys. False with `status` (STATUS_BAD_FILE) for a bad one.
bool results_settings(SettingsParams *settings, Status *status);

#endif
