/// The layout of a file of results: its tables, numbered migrations, and whether a file holds just these. Internal to
/// the results.
#ifndef SPADEWORK_TRAINER_RESULTS_LAYOUT_H
#define SPADEWORK_TRAINER_RESULTS_LAYOUT_H

#include "trainer/results/results_store_internal.h"

/// Sets what SQLite may do with a file that may be a stranger's: no trigger and no view runs, no other file is opened.
void results_distrust(sqlite3 *db);

/// Reads the layout's number. 0: there is nothing in the file yet. -1 with `status`: it cannot be read, or is of a
/// later program.
int results_layout(Results *results, Status *status);
/// True when the file holds the tables and indexes of that layout to the letter, and nothing else. False with `status`
/// (STATUS_BAD_FILE), which names what is foreign, changed or missing, and what to do.
bool results_check_schema(Results *results, int layout, Status *status);
/// Runs the migrations that the file lacks in one transaction. One that holds results is copied beside itself before,
/// as FILE.layout-N, which results_notice and a line on stderr tell. False with `status`, and nothing is changed.
bool results_migrate(Results *results, int layout, Status *status);
/// Number of the present layout.
int results_layout_latest(void);

#endif
