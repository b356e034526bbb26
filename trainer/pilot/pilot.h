/// What moves the levers, and the drive that joins it with the rest.
///
/// An operator (operator.h) is a person with devices, the scripted operator (autopilot.h), an expert (expert.h), or a
/// script, each with clumsy hands on request (clumsy_hands.h). A drive (drive.h) runs a session with an operator, records
/// it and stores its result; its host paces and shows it.
#ifndef SPADEWORK_TRAINER_PILOT_DOOR_H
#define SPADEWORK_TRAINER_PILOT_DOOR_H

#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/clumsy_hands.h"
#include "trainer/pilot/drive.h"
#include "trainer/pilot/expert.h"
#include "trainer/pilot/operator.h"
#include "trainer/pilot/run_options.h"

#endif
