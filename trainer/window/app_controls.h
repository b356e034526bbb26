/// The table on the screen of what each axis does: lever, what moves it, what the device reads and what the machine gets.
#ifndef SPADEWORK_TRAINER_APP_CONTROLS_H
#define SPADEWORK_TRAINER_APP_CONTROLS_H

#include "trainer/window/app_operator.h"

/// Its texts, to which the shown table points.
typedef struct AppControls {
    char title[APP_HINT_TEXT];
    char sources[CONTROL_COUNT][APP_HINT_TEXT];
    char devices[CONTROLS_MAX_DEVICES][APP_HINT_TEXT];
} AppControls;

/// `sample`: the devices as they are now.
void app_controls_show(AppControls *self, const AppOperator *driver, const Session *session, const InputSample *sample,
                       RenderControls *shown);

#endif
