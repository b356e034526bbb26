/// Work lamps as spots of light. Their strength is chosen by what they are for: all four together light soil 6 m ahead,
/// where the bucket works, nearly as brightly as the default afternoon does.
#include "render/world/lamps.h"

#include <math.h>
#include <string.h>

#include "data/core/units.h"
#include "render/meshes/fittings.h"

static const double strength = 24.0; ///< light times square of the distance; the default sun's light is about 3
static const double half_cone = 56.0 * UNIT_DEG; ///< of a flood lamp, to where it gives nothing

static void set_lamp(LampUniforms *lamps, int index, const Pose *body, const FittingLamp *lamp, double share)
{
    Vec3 at = pose_apply(body, lamp->at), aim = mat3_mul(&body->rotation, lamp->direction);
    const float place[4] = {(float)at.x, (float)at.y, (float)at.z, (float)(share * strength)};
    const float direction[4] = {(float)aim.x, (float)aim.y, (float)aim.z, (float)cos(half_cone)};
    memcpy(lamps->place[index], place, sizeof place);
    memcpy(lamps->aim[index], direction, sizeof direction);
}

void lamps_compute(const RenderView *view, double share, LampUniforms *lamps)
{
    memset(lamps, 0, sizeof *lamps);
    if (view->machine == NULL || !(share > 0.0)) {
        return;
    }
    FittingLamp fittings[FITTINGS_MAX_LAMPS];
    int count = machine_lamps(view->machine, fittings);
    for (int k = 0; k < count && k < LAMPS_MAX; k++) {
        set_lamp(lamps, k, &view->body[fittings[k].body], &fittings[k], share);
    }
}
