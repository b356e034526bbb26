/// Computes how strongly the devices shake from what the machine feels; the map says how much of it the operator wants.
///
/// The heavy motor follows the tool's force. The light one hums with the square of the engine's load, so that idling is
/// not felt, and buzzes when a limit acts. A pulse is for what happens once: each motor does the stronger of both.
/// Strengths are shares of a motor's full strength, which no device states in N.
#include "input/input.h"

static const double least_force = 0.05; ///< share of the digging force below which the tool is felt as free; chosen
static const double limit_buzz = 0.3; ///< share of the map's strength that a limit adds; chosen

/// 0..1; 0 for what is not a number.
static double share(double value)
{
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

InputShake input_shake(const ControlRumble *rumble, double tool_force, double engine_load, bool at_limit)
{
    double force = share(tool_force);
    double hum = share(rumble->engine) * share(engine_load) * share(engine_load); // idling is not felt
    double buzz = at_limit ? limit_buzz * share(rumble->tool) : 0.0;
    return (InputShake){.low = force < least_force ? 0.0 : force * share(rumble->tool), .high = share(hum + buzz)};
}

InputShake input_shake_add(const ControlRumble *rumble, InputShake shake, const InputPulse *pulse)
{
    double low = share(rumble->tool) * share(pulse->low), high = share(rumble->tool) * share(pulse->high);
    return (InputShake){.low = low > shake.low ? low : shake.low, .high = high > shake.high ? high : shake.high};
}
