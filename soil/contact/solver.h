/// The default solver: a tick of contacts and its substeps. One thread calls; the team of the system works.
#ifndef SPADEWORK_SOIL_CONTACT_SOLVER_H
#define SPADEWORK_SOIL_CONTACT_SOLVER_H

#include "soil/contact/contact_system.h"

/// Begins a tick of `dt` seconds: lists the pairs that may touch and takes the rows, in which particles move until the
/// tick's end.
void contact_solver_begin_tick(const ContactSystem *system, double dt);
/// Takes one substep of `h` seconds, the same in all of a soil's life. The rows, and the bodies' sums of lambda (N s2)
/// and of contacts, are the result.
void contact_solver_substep(const ContactSystem *system, double h);
/// Ends the tick: places and velocities go from the rows to the particles, what contacts remember to their lists.
void contact_solver_end_tick(const ContactSystem *system);
/// Gives the rows of a tick back without what they hold.
void contact_solver_drop_rows(ContactTick *tick, Scratch *scratch);

#endif
