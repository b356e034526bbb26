/// The user's settings, in his folder of settings (data/core/data_files.h), and the last trainee, a file of one line in
/// his data. Any thread; nothing is kept.
#ifndef SPADEWORK_TRAINER_RESULTS_SETTINGS_H
#define SPADEWORK_TRAINER_RESULTS_SETTINGS_H

#include "data/schema/schema.h"
#include "trainer/results/results_store.h"

/// Reads them; without a file, those of no keys. False with `status` (STATUS_BAD_FILE) for a bad one.
bool results_settings(SettingsParams *settings, Status *status);
/// The units that they ask for; metric where there are none, or bad ones, which are reported where they are changed.
TextUnits results_units(void);
/// True when there is such a file, good or bad.
bool results_settings_exist(void);
/// Changes `count` values KEY=VALUE of the file (data/schema/settings_params.h), which is made with its folder when it
/// is not there. False with `status`, and nothing is changed.
bool results_settings_change(const char *const *values, int count, Status *status);

/// ---- who drove last, for the menu that asks who drives--------------------------------------------------------------

/// Writes the name that was remembered; "" when there is none, or it is no name for a trainee.
void results_remembered(char name[RESULT_NAME]);
/// Remembers a name; "": nobody. False with `status` (STATUS_LACKING) when it cannot be written.
bool results_remember(const char *name, Status *status);

/// Writes the path of the logo for debriefs; "" where the settings have none or are bad.
void results_logo(char path[SETTINGS_LOGO]);

#endif
