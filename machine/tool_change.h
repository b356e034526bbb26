/// Tools that a machine takes up and lays down with its coupler: a tool that nothing holds is a rigid body which moves
/// in the machine's own step (machine/solids.h, MachineMover); one that is locked is part of the machine's last body.
///
/// Between the two lies the hook: steel that bears the tool's first pin on three sides and is open to the fourth. It
/// holds by contact alone, so that a tool leaves it where it opens, by its weight or because it stands. The second pin
/// is borne by the jaw, on one side.
///
///     loose  --hook comes to the first pin-->  hooked  --jaw comes to the second pin, wedge-->  locked
///
/// A change keeps the poses of coupler and tool but for what the pins were off their seats; momentum and the moment of
/// momentum of both together stay, within what a box of equal inertia leaves out.
///
/// Frames, owner, thread, errors: as machine/machine.h. Of a tool: that of its file, with the first pin at the origin.
#ifndef SPADEWORK_MACHINE_TOOL_CHANGE_H
#define SPADEWORK_MACHINE_TOOL_CHANGE_H

#include "machine/solids.h"

enum { LOOSE_TOOL_FEET = MACHINE_MAX_FEET };

/// What a tool is as a body of its own.
typedef struct LooseToolParams {
    double mass; ///< kg
    Vec3 center; ///< m: of mass, in the tool's frame
    Vec3 inertia; ///< kg m2 about it, along the frame's axes
    Vec3 pin[2]; ///< m, in the tool's frame: that of the hook (the origin), that of the jaw
    double half_pin; ///< m: half of what hook and jaw take of a pin's length
    SolidThing shape; ///< its outline, in the tool's frame, as wide as its widest piece
    int foot_count;
    Vec3 foot[LOOSE_TOOL_FEET]; ///< m, in the tool's frame: corners of the outline that it can stand on
    double rest_turn; ///< rad: elevation of its x axis where it stands
    double rest_height; ///< m: of its first pin over level ground there
} LooseToolParams;

/// Makes a body of the first tool of a machine that has no coupler. False with `status` when its outline is no solid.
bool loose_tool_make(const MachineParams *plain, LooseToolParams *tool, Status *status);
/// Writes the state of a tool that stands still: its first pin over (x, y), m, on level ground of `height` m; its edge
/// looks along `heading`, rad.
void loose_tool_start(const LooseToolParams *tool, double x, double y, double height, double heading,
                      MachineBodyState *body);
Pose loose_tool_frame(const LooseToolParams *tool, const MachineBodyState *body);
/// The outline where it is now, with its velocity.
void loose_tool_thing(const LooseToolParams *tool, const MachineBodyState *body, SolidThing *thing);
/// The ground under a foot.
typedef struct LooseToolGround {
    double height; ///< m, world
    Vec3 normal; ///< unit, upwards
} LooseToolGround;
/// Writes a tool's part in a step: its mass, its motion and its feet on the ground, of which there is one for each
/// place of loose_tool_feet.
void loose_tool_push(const LooseToolParams *tool, const LooseToolGround ground[LOOSE_TOOL_FEET],
                     const MachineBodyState *body, MachineMover *mover);
/// Writes where its feet are, m, world. Returns how many.
int loose_tool_feet(const LooseToolParams *tool, const MachineBodyState *body, Vec3 points[LOOSE_TOOL_FEET]);
/// Adds a foot on a thing that it runs into: `foot` has point, normal, depth and other.
void loose_tool_stand_on(const LooseToolParams *tool, const MachineFoot *foot, MachineMover *mover);

/// Where a tool's pins are, seen from the coupler's seats.
typedef struct CouplerPins {
    double out; ///< m that the first pin is out of the hook, along its opening; below 0: pressed into its bottom
    double aside; ///< m that it is off the line of the opening
    double lateral; ///< m that the tool is off the middle, to the left
    double askew; ///< rad between the axes of pin and hook
    double jaw; ///< m from the jaw's seat to the second pin, towards where the jaw closes to; below 0: pressed in
    double slipped; ///< m that it is off the jaw's middle
    double first, second; ///< m from each pin to its seat
    double faces_down; ///< -1..1: how much the hook opens downwards; 0: level
} CouplerPins;
CouplerPins machine_coupler_pins(const Machine *machine, const MachineState *state, const LooseToolParams *tool,
                                 const MachineBodyState *body);
/// True when the pin has come into the hook; true when it has left it again.
bool coupler_pin_enters(const CouplerLock *lock, const CouplerPins *pins);
bool coupler_pin_leaves(const CouplerLock *lock, const CouplerPins *pins);
/// True when both pins lie in their seats.
bool coupler_pins_seated(const CouplerLock *lock, const CouplerPins *pins);
/// Adds the touches of hook and jaw with the pins of a hooked tool, which is of mover `mover` (MachineTouch.mover), to
/// touches[count]. Returns their number with these.
int machine_hook_touches(const Machine *machine, const MachineState *state, const LooseToolParams *tool,
                         const MachineBodyState *body, int mover, MachineTouch touches[MACHINE_MAX_TOUCHES], int count);

/// Releases a locked tool: `state` of machine `with`, which has it, becomes that of `bare`, the same one without; the
/// tool continues as `body`.
void machine_lay_down(const Machine *with, const Machine *bare, const LooseToolParams *tool, MachineState *state,
                      MachineBodyState *body);
/// Locks a tool whose pins lie in their seats: the other way round.
void machine_take_up(const Machine *bare, const Machine *with, const LooseToolParams *tool,
                     const MachineBodyState *body, MachineState *state);

#endif
