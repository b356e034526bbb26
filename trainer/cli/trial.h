/// The shipped scene that the doctor drives to time it.
#ifndef SPADEWORK_TRAINER_DOCTOR_TRIAL_H
#define SPADEWORK_TRAINER_DOCTOR_TRIAL_H

#include "trainer/pilot/pilot.h"
#include "trainer/sim/sim.h"

#define DOCTOR_SCENE "trench"

/// Owns both; zero is none.
typedef struct Trial {
    Session *session;
    Autopilot *pilot;
} Trial;

/// False with `status` as session_create tells, or when memory is short; destroy it also then.
bool trial_create(Trial *trial, Status *status);
void trial_tick(Trial *trial); ///< one tick of the scripted operator
void trial_destroy(Trial *trial);

#endif
