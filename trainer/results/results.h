/// Results: who drove what, when and how well.
///
/// Attempts, people and classes lie in an SQLite file (results_store.h), which may be shared by many stations through a
/// PostgreSQL server (results_shared.h). Also here: the user's settings and folder of recordings, courses and what a
/// person has reached in them (catalogue.h), and the runs that a report compares with (results_company.h).
#ifndef SPADEWORK_TRAINER_RESULTS_DOOR_H
#define SPADEWORK_TRAINER_RESULTS_DOOR_H

#include "trainer/results/catalogue.h"
#include "trainer/results/results_aside.h"
#include "trainer/results/results_company.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_recorded.h"
#include "trainer/results/results_recordings.h"
#include "trainer/results/results_remembered.h"
#include "trainer/results/results_settings.h"
#include "trainer/results/results_shared.h"
#include "trainer/results/results_store.h"

#endif
