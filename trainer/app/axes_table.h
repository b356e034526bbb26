/// The table on the screen of what each axis does: lever, what moves it, what the device reads and what the machine
/// gets.
#ifndef SPADEWORK_TRAINER_AXES_TABLE_H
#define SPADEWORK_TRAINER_AXES_TABLE_H

#include "trainer/pilot/pilot.h"
#include "trainer/app/hints.h"

/// Its texts, to which the shown table points.
typedef struct AxesTable {
    char title[HINT_TEXT];
    char sources[CONTROL_COUNT][HINT_TEXT];
    char devices[RENDER_MAX_DEVICES][HINT_TEXT];
} AxesTable;

/// Fills the table with the devices as the operator saw them last. `pattern`: the control map's, "ISO". What is shown
/// points into `self`.
void axes_table_show(AxesTable *self, const Operator *driver, const char *pattern, const Session *session,
                     RenderControls *shown);

#endif
