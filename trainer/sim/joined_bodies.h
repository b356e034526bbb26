/// Whether the bodies of a restored machine hang together. Each number of a state may be in its range and its bodies
/// metres apart all the same; the solver would pull them together within a tick and fling the machine.
#ifndef SPADEWORK_TRAINER_JOINED_BODIES_H
#define SPADEWORK_TRAINER_JOINED_BODIES_H

#include "machine/machine.h"

/// m that a joint's pin may be from where its other body has it, and rad between the pin's axes. Chosen: a thousand
/// times the worst of honest recordings, 2e-5 m and 2e-6 rad in 1860 joints of the keyframes of digging, loading and
/// dozing; what is left comes out in some ticks without a jerk that is felt.
#define JOINED_DISTANCE 0.02
#define JOINED_ANGLE    0.002

/// True when the pins of all joints are where both of their bodies have them. Else `status` (STATUS_BAD_FILE) says
/// which joint, its bodies, how far they are apart and what is allowed.
bool joined_bodies_hold(const Machine *machine, const MachineParams *params, const MachineState *state, Status *status);

#endif
