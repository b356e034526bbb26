/// Tells which way a joystick leans for what the machine is asked to do, in the patterns that machines are driven by.
#include "render/render.h"

#include <strings.h>

void render_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left, double at[2])
{
    if (pattern != NULL && strcasecmp(pattern, "DOZER") == 0) {
        double l = levers[CONTROL_LEFT_TRACK], r = levers[CONTROL_RIGHT_TRACK];
        at[0] = left ? 0.5 * (l - r) : levers[CONTROL_BLADE_TILT];
        at[1] = left ? 0.5 * (l + r) : -levers[CONTROL_BLADE];
        return;
    }
    bool backhoe = pattern != NULL && strcasecmp(pattern, "BHL") == 0;
    at[0] = left ? levers[CONTROL_SWING] : -levers[CONTROL_BUCKET];
    at[1] = left != backhoe ? -levers[CONTROL_STICK] : -levers[CONTROL_BOOM];
}
