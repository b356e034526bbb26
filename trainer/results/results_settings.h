/// The user's settings, in his folder of settings (data/data_files.h). Any thread; nothing is kept.
#ifndef SPADEWORK_TRAINER_RESULTS_SETTINGS_H
#define SPADEWORK_TRAINER_RESULTS_SETTINGS_H

#include "data/load.h"

/// Reads them; without a file, those of no keys. False with `status` (STATUS_BAD_FILE) for a bad one.
bool results_settings(SettingsParams *settings, Status *status);

#endif
