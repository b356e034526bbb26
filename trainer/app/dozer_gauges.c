/// Writes a dozer's gauges: blade and ripper by height and angle instead of an arm's pressures alone, and the gear with
/// the speed over the ground.
#include "trainer/app/dozer_gauges.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/dozer_params.h"

#include <math.h>
#include <stdio.h>

static const double degree = M_PI / 180.0;

/// "12 deg right": one line for something that goes two ways.
static void write_turn(char *text, size_t size, double angle, const char *less, const char *more)
{
    double shown = round(fabs(angle) / degree);
    snprintf(text, size, "%.0f\u00b0 %s", shown, shown < 1.0 ? "" : angle < 0.0 ? less : more);
}

void dozer_gauges(const SessionFrame *frame, const MachineParams *machine, TextUnits units, DozerGaugeText *text,
                  RenderHud *hud)
{
    const MachineReadout *readout = &frame->machine;
    size_t size = sizeof text->value[0];
    snprintf(text->value[DOZER_JOINT_RIPPER], size, "%s",
             quantity(QUANTITY_RISE, dozer_ripper_height(machine, readout->angle[DOZER_JOINT_RIPPER]), units).text);
    snprintf(text->value[DOZER_JOINT_LIFT], size, "%s", quantity(QUANTITY_RISE, readout->tip_height, units).text);
    write_turn(text->value[DOZER_JOINT_ANGLE], size, readout->angle[DOZER_JOINT_ANGLE], language_text("left"),
               language_text("right"));
    write_turn(text->value[DOZER_JOINT_TILT], size, readout->angle[DOZER_JOINT_TILT], language_text("left"),
               language_text("right"));
    for (int k = 0; k < DOZER_JOINT_COUNT; k++) {
        hud->joint_value[k] = text->value[k];
    }
    hud->tool_name[0] = language_text("Blade");
    hud->tool_name[1] = language_text("Ripper");
    Quantity speed = quantity(QUANTITY_SPEED, fabs(readout->speed_over_ground), units);
    if (readout->gear == 0) {
        snprintf(text->drive, sizeof text->drive, "%s  %s", language_text("N"), speed.text);
    } else {
        char gear[12];
        snprintf(gear, sizeof gear, language_text(readout->gear > 0 ? TEXT("F%d") : TEXT("R%d")),
                 readout->gear > 0 ? readout->gear : -readout->gear);
        snprintf(text->drive, sizeof text->drive, "%s  %s", gear, speed.text);
    }
    hud->drive = text->drive;
}
