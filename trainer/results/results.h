/// Results: who drove what, when and how well.
///
///     Results *results = results_open(NULL, RESULTS_WRITE, &status); // the user's own file
///     ResultAttempt attempt = {.trainee = "Ada"};
///     results_now(attempt.started);
///     results_fill(&attempt, session, &credit, attempt.trainee);
///     bool good = results != NULL && results_add(results, &attempt, &status);
///     good = good && results_print(results, NULL, RESULTS_CSV, NULL, stdout, &status);
///     results_close(results);
///
/// Threads: open results belong to one thread; several programs may use one file. Errors: a status with one line; after
/// a failure the file is what it was before the call.
///
/// From bottom to top:
/// - results_store.h: attempts, people and classes in an SQLite file; attempts that wait as files while it cannot be
///   written
/// - results_settings.h: the user's settings, and who drove last
/// - results_shared.h: exchanges the file with a PostgreSQL server that stations share
/// - results_output.h: attempts as table, CSV, JSON and xAPI, classes as files, progress as a picture
/// - results_recordings.h: the user's folder of recordings
/// - results_comparison.h: the recordings that a report compares with
/// - catalogue.h: courses and scenes, with what a trainee has reached there
#ifndef SPADEWORK_TRAINER_RESULTS_DOOR_H
#define SPADEWORK_TRAINER_RESULTS_DOOR_H

#include "trainer/results/catalogue.h"
#include "trainer/results/results_comparison.h"
#include "trainer/results/results_output.h"
#include "trainer/results/results_recordings.h"
#include "trainer/results/results_settings.h"
#include "trainer/results/results_shared.h"
#include "trainer/results/results_store.h"

#endif
