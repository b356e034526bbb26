/// A team of threads that run one function together and wait for each other inside it; scratch memory for its work.
///
/// A soil has a team of its own for as long as it lives. Its threads stand by between two runs: they poll for the
/// next one for some tens of microseconds, as long as a machine's substep takes, and then sleep until they are
/// called. So nothing turns in circles while a session is paused, and on a computer that is busy with other things a
/// thread that waits gives the processor away. What is computed never depends on the number of members: each owner of
/// work sees to that. The threads compute in the default floating-point environment (data/core/float_mode.h).
#ifndef SPADEWORK_SOIL_TEAM_H
#define SPADEWORK_SOIL_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/zeroed_memory.h"

enum { TEAM_MOST_MEMBERS = 256 };

typedef struct Team Team;

/// What every member runs. `member`: 0 (the caller of team_run) .. `members` - 1.
typedef void TeamWork(void *context, int member, int members);

/// Creates a team of `members` (1..TEAM_MOST_MEMBERS), the calling thread included. NULL when memory or threads lack.
/// The caller destroys it.
Team *team_create(int members);
/// Ends the threads and frees the team. NULL is fine. Not to be called inside a run.
void team_destroy(Team *team);
/// Members of the team, the calling thread included.
int team_members(const Team *team);

/// Runs `work` on all members when it is `worth` that, else on the calling thread alone (`members` = 1). Returns when
/// all are through; what they wrote, the caller sees. Called by one thread at a time, and not inside a run.
void team_run(Team *team, bool worth, TeamWork *work, void *context);

/// Inside a run: returns when all members of the run have come here. What one wrote before, all see afterwards.
void team_wait(Team *team);

/// A piece of a row of things: [first, end).
typedef struct TeamPart {
    int32_t first, end;
} TeamPart;

/// The piece of `count` things (0 or more) that is a member's: pieces are equally long to one, and follow one another.
static inline TeamPart team_part(int64_t count, int member, int members)
{
    return (TeamPart){(int32_t)(count * member / members), (int32_t)(count * (member + 1) / members)};
}

/// Processors that this process may run on, 1..TEAM_MOST_MEMBERS.
int team_count_processors(void);

/// ---- scratch memory ------------------------------------------------------------------------------------------------
/// Scratch memory: one block, taken in pieces that have names and are given back in the order opposite to that in
/// which they were taken. What a stage needs while it works lies where the stage before had its own, and stays in the
/// cache. What of the block was never touched takes no memory, so that pieces may be as long as they ever can be.
///
/// Pieces hold nothing when they are taken and mean nothing when they are given back; in a build with asserts their
/// beginning is overwritten then. One thread takes and gives back; any may use a piece in between.

/// SCRATCH_OVERWRITTEN: bytes of a piece, at most: much of a large one is never touched.
enum { SCRATCH_DEPTH = 8, SCRATCH_OVERWRITTEN = 65536 };

typedef struct Scratch {
    unsigned char *memory;
    size_t size, used; ///< bytes
    int depth; ///< pieces that are taken
    const char *name[SCRATCH_DEPTH]; ///< what each is for, for a debugger
    size_t first[SCRATCH_DEPTH]; ///< byte at which each begins
} Scratch;

/// Bytes that may still be taken; SCRATCH_DEPTH limits the pieces, too.
static inline size_t scratch_left(const Scratch *scratch)
{
    return scratch->size - scratch->used;
}

/// False when there is no memory for `bytes`, the sum of the pieces' zeroed_room. The caller destroys it.
bool scratch_create(Scratch *scratch, size_t bytes);
void scratch_destroy(Scratch *scratch);

/// Gives the memory of bytes from `first` on back to the system; none of the block is taken.
void scratch_shrink(Scratch *scratch, size_t first);
/// Takes a piece, aligned to a cache line. More than there is room for is a fault of the program: it ends.
void *scratch_take(Scratch *scratch, const char *name, size_t count, size_t size);
/// Gives back the piece that was taken last, which must be `piece`.
void scratch_give_back(Scratch *scratch, const void *piece);

#endif
