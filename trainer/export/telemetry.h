/// Telemetry: a CSV file with one row a tick, SI units, a header row.
///
/// Numbers have 9 digits and a point whatever the locale; masses are exact to the soil's quantum. The last three
/// columns are wall times, the only ones that differ between two runs.
#ifndef SPADEWORK_TRAINER_TELEMETRY_H
#define SPADEWORK_TRAINER_TELEMETRY_H

#include "trainer/session/session.h"

typedef struct Telemetry Telemetry;

/// Creates the file, over older telemetry of the same name but over nothing else, and writes the header. NULL with
/// `status` (STATUS_LACKING) when it cannot.
Telemetry *telemetry_create(const char *path, Status *status);
/// Adds the row of the session's last tick. Buffered; written out each simulated second. False once writing failed.
bool telemetry_tick(Telemetry *telemetry, const Session *session, Status *status);
/// Writes the rest and closes. False when something was lost. NULL is good.
bool telemetry_close(Telemetry *telemetry, Status *status);

#endif
