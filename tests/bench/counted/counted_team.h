/// Counts the instructions of the soil, and runs the members of its team in turns, in the order in which they would run
/// side by side.
///
/// This program's soil is compiled with -fsanitize-coverage=trace-pc: each basic block calls a function, which adds the
/// block's instructions to a clock. A member of the team is a coroutine with a clock of its own. Of those that may run,
/// the one whose clock is least does, until it is CLOCK_STEP ahead of the next. At a barrier all clocks take the
/// largest. So the code itself deals out the work, takes blocks in its own order and waits; what the clock shows after
/// a tick is the length of the schedule that so many threads follow if each instruction takes equally long, and if
/// barriers, memory and the other threads' use of it cost nothing.
#ifndef SPADEWORK_BENCH_COUNTED_TEAM_H
#define SPADEWORK_BENCH_COUNTED_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"

/// Instructions that a member may be ahead of another: some hundred nanoseconds. Less takes more changes of context.
enum { CLOCK_STEP = 1000 };
/// Hundredths of an instruction that one of a counted block stands for. The calls make the compiler keep less in
/// registers: counted so, the stirred heap takes as many instructions as the bench's own, within 2 % (callgrind).
enum { COUNTED_HUNDREDTHS = 83 };

/// Reads how many instructions each basic block of this program has, and its functions' names, from the file that was
/// made beside it when it was linked (block_sizes.awk). Before, nothing is counted. Returns false with `status` when
/// the file cannot be read.
bool counted_load(Status *status);
/// Sets the members of all teams from now on, 1..TEAM_MOST_MEMBERS. Not to be called inside a run.
void counted_set_members(int members);
/// Instructions since the program began.
uint64_t counted_clock(void);
/// Of those, instructions outside the runs of a team: one thread works alone.
uint64_t counted_alone(void);
/// Adds the instructions of code that does not count its own.
void counted_add(uint64_t instructions);

/// What lies between two waits for all in the runs of one function that wait equally often, summed over the runs.
typedef struct CountedStage {
    const char *function; ///< "?" when it is not known
    int part, parts; ///< it is part 0.. of so many
    int64_t runs;
    uint64_t length; ///< instructions, from wait to wait
    uint64_t work; ///< instructions of all members, with what they do while they wait for a block
} CountedStage;
/// The stages since the last call of counted_set_members, and their number.
const CountedStage *counted_stages(int *count);

#endif
