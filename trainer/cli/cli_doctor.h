/// The command `doctor`: what the computer has for a drive, what will be slow, and what to do about it.
#ifndef SPADEWORK_TRAINER_CLI_DOCTOR_H
#define SPADEWORK_TRAINER_CLI_DOCTOR_H

#include "trainer/cli/cli_options.h"

/// Looks at everything and prints it, as text or JSON. Returns STATUS_GOOD when a drive in the window can run, be it
/// slowly; STATUS_LACKING when it cannot, or the output cannot be written. Main thread, while there is no other.
int cli_doctor(const CliOptions *options);

#endif
