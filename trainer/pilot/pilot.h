/// Operators, which move the levers of a session, and the drive that runs a session with one of them.
///
/// An operator is a person with devices, the autopilot, an expert or a script; clumsy hands can stand between a
/// scripted operator and the levers. A drive makes session, operator, recording and telemetry, runs them tick by tick
/// and stores the attempt among the results. Its host (window or terminal) paces the rounds and shows them:
///
///     RunOptions options = {.scene = "trench", .operator_name = "auto", .seconds = 60.0, .record = "trench.spade"};
///     Drive drive;
///     bool good = drive_create(&drive, &(DriveParams){.options = &options}, &status);
///     good = good && drive_run(&drive, &host, &status); // calls host.before, after_tick and after
///     good = drive_close(&drive, good, &status);
///     drive_destroy(&drive);
///
/// Everything runs on the session's thread. An operator reads the session and never changes it: its memory is no
/// session state, the recording holds its levers, and the same session gives the same levers. What is created belongs
/// to the caller. A failed call returns false or NULL with a status of one line.
///
/// Headers, from bottom to top; each uses only those before it:
///     run_options.h    options of `run`, as plain values
///     autopilot.h      the autopilot, which digs, loads and dozes by the exercise
///     expert.h         an expert, which carries out a list of actions (data/schema/expert_params.h)
///     operator.h       one operator for all ways of driving, with control maps, shaking devices and clumsy hands
///     drive.h          the drive, its recording and its attempt
#ifndef SPADEWORK_TRAINER_PILOT_DOOR_H
#define SPADEWORK_TRAINER_PILOT_DOOR_H

#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/drive.h"
#include "trainer/pilot/expert.h"
#include "trainer/pilot/operator.h"
#include "trainer/pilot/run_options.h"

#endif
