/// The limits of a machine as a set: the gravest of them, and how they are written.
#include <stdio.h>

#include "data/core/text.h"
#include "machine/machine.h"

const char *const machine_limit_names[MACHINE_LIMIT_COUNT] = {"none", TEXT("stall"), TEXT("relief"), TEXT("slip"),
                                                              TEXT("tip")};

MachineLimit machine_gravest_limit(int limits)
{
    MachineLimit gravest = MACHINE_LIMIT_NONE;
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        gravest = (limits & MACHINE_LIMIT_BIT(k)) != 0 ? (MachineLimit)k : gravest;
    }
    return gravest;
}

void machine_limits_text(int limits, char text[MACHINE_LIMITS_TEXT])
{
    int length = 0;
    for (int k = MACHINE_LIMIT_NONE + 1; k < MACHINE_LIMIT_COUNT; k++) {
        if ((limits & MACHINE_LIMIT_BIT(k)) != 0) {
            length += snprintf(text + length, (size_t)(MACHINE_LIMITS_TEXT - length), "%s%s", length > 0 ? "+" : "",
                               machine_limit_names[k]);
        }
    }
    if (length == 0) {
        snprintf(text, MACHINE_LIMITS_TEXT, "%s", machine_limit_names[MACHINE_LIMIT_NONE]);
    }
}
