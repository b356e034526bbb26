/// What the gauges show of a dozer instead of an excavator's arm.
#ifndef SPADEWORK_TRAINER_DOZER_GAUGES_H
#define SPADEWORK_TRAINER_DOZER_GAUGES_H

#include "render/render.h"
#include "trainer/sim/sim.h"

typedef struct DozerGaugeText {
    char value[MACHINE_MAX_JOINTS][40], drive[56];
} DozerGaugeText;

/// Names, positions and relief pressures of ripper, lift, angle and tilt; gear and speed; the blade's height. `text`
/// holds the words as long as the HUD is drawn.
void dozer_gauges(const SessionFrame *frame, const MachineParams *machine, TextUnits units, DozerGaugeText *text,
                  RenderHud *hud);

#endif
