/// How far walls are pushed into the ground: the only part of bearing that outlasts a tick. A patch is found again by
/// its key; patches are found in the order of their keys, so that one walk through both is enough.
#include <math.h>

#include "soil/tool/bearing.h"

#define FARTHEST 1.0 ///< m: no tool reaches 50 m into ground, the depth at which it would yield so late

void bearing_remember(const Bearing *bearing, BearingMemory *memory)
{
    memory->count = 0;
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->wall && patch->pushed > 0.0) {
            memory->key[memory->count] = patch->key;
            memory->pushed[memory->count++] = patch->pushed;
        }
    }
}

void bearing_recall(Bearing *bearing, const BearingMemory *memory)
{
    int32_t known = 0;
    for (int k = 0; k < bearing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        while (known < memory->count && memory->key[known] < patch->key) {
            known++;
        }
        bool found = known < memory->count && memory->key[known] == patch->key;
        patch->pushed = found ? memory->pushed[known] : 0.0;
    }
}

void bearing_memory_visit(BearingMemory *memory, StateVisitor *visitor)
{
    int32_t count = visitor->measuring ? BEARING_PATCHES : memory->count;
    STATE_VISIT(visitor, "bearing.count", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > BEARING_PATCHES) {
            visitor->failed = true;
            return;
        }
        memory->count = count;
    }
    state_visit_array(visitor, "bearing.key", memory->key, sizeof *memory->key, (size_t)count);
    state_visit_array(visitor, "bearing.pushed", memory->pushed, sizeof *memory->pushed, (size_t)count);
}

bool bearing_memory_is_valid(const BearingMemory *memory)
{
    for (int32_t k = 0; k < memory->count; k++) {
        bool rises = k == 0 || memory->key[k] > memory->key[k - 1];
        if (!rises || !(memory->pushed[k] > 0.0 && memory->pushed[k] <= FARTHEST)) {
            return false;
        }
    }
    return true;
}
