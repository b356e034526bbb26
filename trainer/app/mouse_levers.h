/// Drives by the mouse alone: a panel with a gate for each two levers of the machine, and buttons for its horn, tool,
/// coupler and throttle. A grip is dragged, and springs back when it is let go. Main thread only.
#ifndef SPADEWORK_TRAINER_MOUSE_LEVERS_H
#define SPADEWORK_TRAINER_MOUSE_LEVERS_H

#include "render/render.h"
#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"

/// What a field of the panel moves.
typedef struct MouseField {
    ControlAxis
        axis[2]; ///< to the right, ahead; CONTROL_COUNT: nothing; CONTROL_LEFT_TRACK: both tracks, as a pattern's
    int sign[2]; ///< 1 or -1: where the plus way moves the lever
} MouseField;

/// Zero-initialise.
typedef struct MouseLevers {
    RenderMouse picture;
    MouseField fields[RENDER_MOUSE_FIELDS];
    bool down; ///< the mouse's button was, at the last poll
    bool holds; ///< it holds `held`
    int held;
    double from[2]; ///< pixels: where it was when it took the grip
} MouseLevers;

/// Fills the fields for the present machine and the pattern of the control map.
/// slings  the scene has loads on slings
void mouse_levers_fill(MouseLevers *levers, const char *pattern, const Session *session, bool slings);
/// Reads the mouse: holds levers, presses buttons, adds steps of the throttle to `presses`. True: the panel takes it,
/// and no camera moves.
/// shown  the view that was drawn last, or NULL
bool mouse_levers_take(MouseLevers *levers, const WindowInput *input, const RenderView *shown, Operator *driver,
                       OperatorPresses *presses);
/// Lets go of all levers.
void mouse_levers_release(MouseLevers *levers, Operator *driver);

#endif
