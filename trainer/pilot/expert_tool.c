/// The expert's levers of a tiltrotator.
#include <math.h>

#include "trainer/pilot/expert_internal.h"

static const double slow_from = 0.12; ///< rad before the goal from which the lever goes back. Chosen
static const double still = 0.02; ///< rad/s: slower is at rest. Chosen

/// Moves a joint towards an angle; true when it is there and rests, or the machine has no such joint.
static bool turn_joint(const Expert *expert, const ExpertView *view, ControlAxis axis, double goal, double tolerance,
                       OperatorControls *controls)
{
    const MachineParams *machine = &expert->pilot.machine;
    int joint = machine_joint_of_control(machine, axis);
    if (joint < 0 || !expert_gives(goal)) {
        return true;
    }
    double away = goal - view->arm.angle[joint];
    if (machine_joint_is_endless(&machine->joint[joint])) {
        away -= 2.0 * M_PI * floor((away + M_PI) / (2.0 * M_PI));
    }
    bool there = fabs(away) < tolerance;
    double dead = machine->hydraulics.dead_band, lever = dead + (1.0 - dead) * fmin(fabs(away) / slow_from, 1.0);
    controls->axis[axis] = control_quantise(there ? 0.0 : copysign(lever, away));
    return there && fabs(view->arm.speed[joint]) < still;
}

bool expert_tool(Expert *expert, const ExpertView *view, const ExpertAction *action, OperatorControls *controls)
{
    const ExpertTool *tool = &action->with.tool;
    double tolerance = view->ease * tool->tolerance;
    bool tilted = turn_joint(expert, view, CONTROL_TOOL_TILT, tool->tilt, tolerance, controls);
    return turn_joint(expert, view, CONTROL_TOOL_ROTATE, tool->rotate, tolerance, controls) && tilted;
}
