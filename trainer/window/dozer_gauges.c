/// Writes a dozer's gauges: blade and ripper by height and angle instead of an arm's pressures alone, and the gear with
/// the speed over the ground.
#include "trainer/window/dozer_gauges.h"
#include "data/dozer_params.h"

#include <math.h>
#include <stdio.h>

static const double degree = M_PI / 180.0;

/// "12 deg right": one line for something that goes two ways.
static void write_turn(char *text, size_t size, double angle, const char *less, const char *more)
{
    double shown = round(fabs(angle) / degree);
    snprintf(text, size, "%.0f\u00b0 %s", shown, shown < 1.0 ? "" : angle < 0.0 ? less : more);
}

void dozer_gauges(const SessionFrame *frame, const MachineParams *machine, DozerGaugeText *text, RenderHud *hud)
{
    const MachineReadout *readout = &frame->machine;
    size_t size = sizeof text->value[0];
    snprintf(text->value[DOZER_JOINT_RIPPER], size, "%+.2f m",
             dozer_ripper_height(machine, readout->angle[DOZER_JOINT_RIPPER]));
    snprintf(text->value[DOZER_JOINT_LIFT], size, "%+.2f m", readout->tip_height);
    write_turn(text->value[DOZER_JOINT_ANGLE], size, readout->angle[DOZER_JOINT_ANGLE], "left", "right");
    write_turn(text->value[DOZER_JOINT_TILT], size, readout->angle[DOZER_JOINT_TILT], "left", "right");
    for (int k = 0; k < DOZER_JOINT_COUNT; k++) {
        hud->joint_value[k] = text->value[k];
    }
    double kmh = 3.6 * fabs(readout->speed_over_ground);
    if (readout->gear == 0) {
        snprintf(text->drive, sizeof text->drive, "N  %.1f km/h", kmh);
    } else {
        snprintf(text->drive, sizeof text->drive, "%s%d  %.1f km/h", readout->gear > 0 ? "F" : "R",
                 readout->gear > 0 ? readout->gear : -readout->gear, kmh);
    }
    hud->drive = text->drive;
}
