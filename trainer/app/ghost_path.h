/// The way of the machine of a recording, from its samples: for the marks on the ground of its replay.
#ifndef SPADEWORK_TRAINER_GHOST_PATH_H
#define SPADEWORK_TRAINER_GHOST_PATH_H

#include "trainer/record/record.h"
#include "trainer/app/ground_path.h"

/// Adds the way that the samples of a recording tell, as far as they go; what cannot be read is left out, since a
/// picture without marks is still one.
/// machine  that was recorded
void ghost_read_path(Recording *recording, const Machine *machine, GroundPath *path);

#endif
