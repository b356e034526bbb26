/// A look at the computer in a process of its own, so that a driver that hangs or crashes takes nothing along.
#ifndef SPADEWORK_TRAINER_DOCTOR_ISOLATE_H
#define SPADEWORK_TRAINER_DOCTOR_ISOLATE_H

#include "trainer/cli/doctor_facts.h"

/// The way from the process that looks to the one that waits.
typedef struct DoctorTell DoctorTell;

/// Hands on what `facts` hold up to now: it counts even when the look ends badly later. The time that the look has
/// begins anew.
void doctor_tell(DoctorTell *tell, const DoctorFacts *facts);

/// Looks at one part and writes what it finds into `facts`, which hold what earlier looks found. What it prints is
/// lost.
typedef void DoctorLook(DoctorFacts *facts, DoctorTell *tell);

/// Runs a look in a child process, which may be silent for at most `limit` s of wall time, and takes over what it
/// found; how it ended goes to facts->ends[part]. Never fails, and never waits more than a second longer. Call it while
/// the process has one thread.
void doctor_look(DoctorFacts *facts, DoctorPart part, DoctorLook *look, double limit);

#endif
