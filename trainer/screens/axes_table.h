/// The table on the screen of what each axis does: lever, what moves it, what the device reads and what the machine gets.
#ifndef SPADEWORK_TRAINER_AXES_TABLE_H
#define SPADEWORK_TRAINER_AXES_TABLE_H

#include "trainer/screens/window_operator.h"

/// Its texts, to which the shown table points.
typedef struct AxesTable {
    char title[HINT_TEXT];
    char sources[CONTROL_COUNT][HINT_TEXT];
    char devices[CONTROLS_MAX_DEVICES][HINT_TEXT];
} AxesTable;

/// `sample`: the devices as they are now.
void axes_table_show(AxesTable *self, const WindowOperator *driver, const Session *session, const InputSample *sample,
                     RenderControls *shown);

#endif
