/// Looks (isolate.h) that need neither display nor devices.
#ifndef SPADEWORK_TRAINER_DOCTOR_LOOKS_H
#define SPADEWORK_TRAINER_DOCTOR_LOOKS_H

#include "trainer/cli/isolate.h"

DoctorLook look_at_computer; ///< computer.c: as /proc, the scheduler and control groups tell
DoctorLook
    look_at_files; ///< files.c: opens shipped data and settings, and asks the environment for language and locale
DoctorLook look_at_session; ///< trial.c: drives a shipped scene for two or three seconds
DoctorLook look_at_folders; ///< folders.c: makes and writes nothing
DoctorLook look_at_software; ///< software.c: all libraries but SDL, and programs by PATH

/// Adds a library; one too many is left out.
void look_add_library(SoftwareFacts *software, const char *name, const char *version);

#endif
