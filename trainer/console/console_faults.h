/// The faults that an instructor may order of a session, for the page. Pure reading; the session's thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_FAULTS_H
#define SPADEWORK_TRAINER_CONSOLE_FAULTS_H

#include <jansson.h>

#include "trainer/session/session.h"

/// Adds "faults": of each that the scene and its machine can have the name, unit, range, the value that ends it,
/// whether only the two ends of the range are allowed, and its parts with the value that each has now.
void console_faults_add(json_t *state, const Session *session);

#endif
