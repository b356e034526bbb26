/// The events of a recording as a CSV file: one row an event, with its part, thing, place and numbers.
#ifndef SPADEWORK_TRAINER_EVENT_TABLE_H
#define SPADEWORK_TRAINER_EVENT_TABLE_H

#include "trainer/record/record.h"

/// Writes the events of `recording`, whose scene has `tick_rate` ticks a second, over nothing or an older file of the
/// kind. Returns how many; -1 with `status` (STATUS_LACKING) when the file cannot be written.
int event_table_write(const char *path, Recording *recording, int tick_rate, Status *status);

#endif
