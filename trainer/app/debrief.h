/// The debrief of a recording, in the browser.
#ifndef SPADEWORK_TRAINER_DEBRIEF_H
#define SPADEWORK_TRAINER_DEBRIEF_H

#include <stddef.h>

#include "data/schema/settings_params.h"

/// Writes the debrief beside the recording (REC.spade.html), compared with the expert's run and the trainee's own last
/// ones, and opens it with xdg-open, without waiting for it. `told` [size] receives one line: where it lies, and that
/// it could not be opened or written.
/// results  file of results, NULL: the user's own
/// units    that quantities are written in
void debrief_open(const char *recording, const char *results, TextUnits units, char *told, size_t size);

#endif
