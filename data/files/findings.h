/// What checking a file finds: all its faults, and warnings of what is allowed but cannot work.
#ifndef SPADEWORK_DATA_FINDINGS_H
#define SPADEWORK_DATA_FINDINGS_H

#include <stdbool.h>

enum { FINDINGS_MOST = 64 };

typedef struct Finding {
    bool warning; ///< else a fault: the file is refused
    char text[1024]; ///< file:line:column: key: what was read, what is allowed
} Finding;

/// Zero-initialise; belongs to one thread at a time.
typedef struct Findings {
    int count; ///< 0..FINDINGS_MOST, in the order in which they were found
    int beyond; ///< found when the list was full, and not kept
    int faults; ///< of all that were found
    Finding list[FINDINGS_MOST];
} Findings;

/// Adds one; a text that is known already is left out.
void findings_add(Findings *findings, bool warning, const char *text);

#endif
