/// The probes of the command `doctor`, and the command itself.
#ifndef SPADEWORK_TRAINER_DOCTOR_H
#define SPADEWORK_TRAINER_DOCTOR_H

#include "trainer/cli/cli_table.h"
#include "trainer/cli/doctor_findings.h"

typedef struct DoctorProbeRow {
    DoctorProbe *probe;
    double limit; ///< s that it may be silent: several times what it takes on a slow computer. Chosen
} DoctorProbeRow;

extern const DoctorProbeRow doctor_probes[DOCTOR_PART_COUNT]; ///< by DoctorPart

/// Runs all probes and prints the findings, as text or JSON. Returns STATUS_GOOD when a drive in the window can run, be
/// it slowly; STATUS_LACKING when it cannot, or the output cannot be written. Main thread, while there is no other.
int cli_doctor(const CliOptions *options);

#endif
