/// Values of the command line's options. Each reader says in one line what was read and what is allowed
/// (STATUS_BAD_USAGE).
#ifndef SPADEWORK_TRAINER_CLI_VALUES_H
#define SPADEWORK_TRAINER_CLI_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "data/schema/settings_params.h"
#include "soil/soil.h"
#include "trainer/cli/cli_options.h"

bool cli_read_real(const char *option, const char *text, double lowest, double highest, double *value, Status *status);
bool cli_read_whole(const char *option, const char *text, uint64_t lowest, uint64_t highest, uint64_t *value,
                    Status *status);
bool cli_read_text(const char *option, const char *text, const char **value, Status *status); ///< not empty
bool cli_read_solver(const char *text, SoilSolver *solver, Status *status);
bool cli_read_camera(const char *text, int *camera, Status *status); ///< a name of CAMERAS: its number
/// Of --rear, --inset, --mirrors, --screens, --eyes: 1 + the value in SettingsViews.
bool cli_read_view(const char *option, const char *text, int *value, Status *status);
bool cli_read_window(const char *text, SettingsSides *windows, Status *status); ///< VIEW[@DISPLAY]: appended
bool cli_read_quality(const char *text, int *quality, Status *status); ///< auto, high, medium, low: 1..4
bool cli_read_size(const char *text, int *width, int *height, Status *status); ///< "1280x720", 16..8192 each

#endif
