/// The machine of another recording, to be drawn beside the one that is watched: where it stood at the same time since
/// the start, from the samples that the other recording keeps (trainer/recording/trace.h). Nothing is simulated.
#ifndef SPADEWORK_TRAINER_GHOST_H
#define SPADEWORK_TRAINER_GHOST_H

#include "render/render.h"
#include "trainer/recording/recording.h"

enum { GHOST_NOTE = 320 };

/// Zero is none.
typedef struct Ghost {
    Session *session; ///< own: of the other recording, for its machine
    TraceSample *samples; ///< own, in order of tick
    int64_t count;
    double dt; ///< s of a tick
    bool differs; ///< it drove another scene or another machine
    char note[GHOST_NOTE]; ///< whose machine it is, and what differs
} Ghost;

/// Reads the other recording. Another scene or machine is no failure; the note says so. False with `status`
/// (STATUS_BAD_FILE) for a file that is no whole recording, or has no samples.
/// watched  the session beside which it is drawn
bool ghost_open(Ghost *ghost, const char *path, const Session *watched, Status *status);
void ghost_close(Ghost *ghost);
/// Writes how the machine stood at `time` (s since the start), between two samples by proportion; before the first and
/// after the last it stands as there.
void ghost_show(const Ghost *ghost, double time, RenderGhost *shown);
/// Sets bodies as a sample says: the base by its place and angles, the others by those of their joints.
void ghost_place(const Machine *machine, const TraceSample *sample, MachineState *state);

#endif
