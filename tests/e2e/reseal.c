/// reseal REC.spade...: makes the seals of recordings anew that a script has edited (tests/support/reseal.h).
#include <stdio.h>
#include <string.h>

#include "tests/support/reseal.h"

int main(int count, char **arguments)
{
    for (int k = 1; k < count; k++) {
        if (!reseal(arguments[k])) {
            fprintf(stderr, "reseal: %s: no recording of this format\n", arguments[k]);
            return 1;
        }
    }
    return 0;
}
