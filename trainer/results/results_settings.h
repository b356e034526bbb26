/// The user's settings, in his folder of settings (data/core/data_files.h). Any thread; nothing is kept.
#ifndef SPADEWORK_TRAINER_RESULTS_SETTINGS_H
#define SPADEWORK_TRAINER_RESULTS_SETTINGS_H

#include "data/schema/load.h"

/// Reads them; without a file, those of no keys. False with `status` (STATUS_BAD_FILE) for a bad one.
bool results_settings(SettingsParams *settings, Status *status);
/// The units that they ask for; metric where there are none, or bad ones, which are told by what changes them.
TextUnits results_units(void);
/// True when there is such a file, good or bad.
bool results_settings_exist(void);
/// Changes `count` values KEY=VALUE of the file (data/schema/settings_edit.h), which is made with its folder when it
/// is not there. False with `status`, and nothing is changed.
bool results_settings_change(const char *const *values, int count, Status *status);

#endif
