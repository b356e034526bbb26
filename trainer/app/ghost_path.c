/// A sample tells where the undercarriage stood and the angles of the joints, from which all edges follow.
#include "trainer/app/ghost_path.h"

#include <stdlib.h>

#include "trainer/app/ghost.h"

void ghost_read_path(Recording *recording, const Machine *machine, GroundPath *path)
{
    TraceSample *samples = NULL;
    Status ignored;
    int64_t count = recording_trace(recording, &samples, &ignored);
    for (int64_t k = 0; k < count; k++) {
        MachineState state;
        GroundStep step;
        ghost_place(machine, &samples[k], &state);
        state.track_travel[0] = (double)samples[k].travel_left;
        state.track_travel[1] = (double)samples[k].travel_right;
        ground_step_take(machine, &state, samples[k].tick, &step);
        ground_path_add(path, &step);
    }
    free(samples);
}
