/// The soil's ledger, counted from its columns and grains by themselves: what `moved_kg` has to agree with. It reads
/// the soil's state as it is stored, and none of the functions that the exercise measures with.
#ifndef SPADEWORK_TESTS_FIGURES_LEDGER_H
#define SPADEWORK_TESTS_FIGURES_LEDGER_H

#include "trainer/sim/sim.h"

typedef struct Ledger {
    int64_t first; ///< quanta in trays and grains when the session began
} Ledger;

/// Before the first tick.
void ledger_begin(Ledger *ledger, const Session *session);
/// kg that have left where they lay: what columns outside the cut lost, what the cut and the way out of it lost on the
/// whole, less what is still in a tool or in motion. By the balance of masses that is what now lies outside the cut, or
/// in trays.
/// loose  true: also grains that move count as lying where they are, as in EXERCISE_CREEPING
double ledger_moved(const Ledger *ledger, Session *session, bool loose);

#endif
