/// A hammer is a piston that the oil lifts and throws on the chisel: each blow takes one stroke volume of oil, so that
/// the rate follows the flow, and has the energy E of the file. A piston of mass m that arrives with v = sqrt(2 E / m)
/// gives its momentum m v to the chisel; the oil that threw it pushed the housing back by as much. Over blows at the
/// rate f that is a mean force F = f m v, which the arm has to hold.
#include "machine/drive/hammer.h"

#include <math.h>

bool hammer_is_fed(const MachineHammer *hammer, double push)
{
    return hammer->blow_energy > 0.0 && push >= hammer->feed;
}

HammerStep hammer_step(const MachineHammer *hammer, double share, double dt, double *clock)
{
    HammerStep step = {0.0, false};
    if (hammer->blow_energy <= 0.0 || share <= 0.0) {
        return step;
    }
    step.rate = hammer->blow_rate * fmin(share, 1.0);
    *clock += step.rate * dt;
    step.blow = *clock >= 1.0;
    *clock -= step.blow ? 1.0 : 0.0;
    return step;
}

double hammer_momentum(const MachineHammer *hammer)
{
    return sqrt(2.0 * hammer->blow_energy * hammer->piston_mass);
}

PlanePoint hammer_axis(const MachineHammer *hammer, const PlanePoint *tip)
{
    double x = tip->x - hammer->top.x, z = tip->z - hammer->top.z, length = sqrt(x * x + z * z);
    return (PlanePoint){x / length, z / length};
}
