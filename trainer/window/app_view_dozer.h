/// What the gauges show of a dozer instead of an excavator's arm.
#ifndef SPADEWORK_TRAINER_APP_VIEW_DOZER_H
#define SPADEWORK_TRAINER_APP_VIEW_DOZER_H

#include "render/render.h"
#include "trainer/session/session.h"

typedef struct AppDozerText {
    char value[MACHINE_JOINT_COUNT][24], drive[32];
} AppDozerText;

/// Names, positions and relief pressures of ripper, lift, angle and tilt; gear and speed; the blade's height. `text` holds the words as
/// long as the HUD is drawn.
void app_view_dozer(const SessionFrame *frame, const MachineParams *machine, AppDozerText *text, RenderHud *hud);

#endif
