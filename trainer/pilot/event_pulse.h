/// What the devices' motors do for an event of the exercise: a blow is felt by its impulse, the begin of tipping by its
/// kind. A kind that is to be felt is a row of the table. Constant; any thread.
#ifndef SPADEWORK_TRAINER_EVENT_PULSE_H
#define SPADEWORK_TRAINER_EVENT_PULSE_H

#include "input/input.h"
#include "trainer/sim/sim.h"

/// The pulse of an event; its time is 0 for kinds that are not felt.
InputPulse event_pulse(const ExerciseEvent *event);
/// The pulse with which tracks begin to slip: a limit, no event.
InputPulse event_pulse_slip(void);

#endif
