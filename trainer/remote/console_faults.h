/// The faults that an instructor may order of a session, for the page. Pure reading; the session's thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_FAULTS_H
#define SPADEWORK_TRAINER_CONSOLE_FAULTS_H

#include "trainer/remote/console_line.h"
#include "trainer/sim/sim.h"

/// Writes "faults": of each that the scene and its machine can have the name, unit, range, the value that ends it,
/// whether only the two ends of the range are allowed, and its parts with the value that each has now.
void console_faults_write(ConsoleLine *line, const Session *session);

#endif
