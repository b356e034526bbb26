/// Levers for the mouse: a panel of fields that are drawn like the gates of levers, and of buttons. Filled once a frame
/// by the screen that drives; texts are UTF-8 in the language of the screen and belong to the caller.
#ifndef SPADEWORK_RENDER_MOUSE_LEVERS_H
#define SPADEWORK_RENDER_MOUSE_LEVERS_H

#include <stdbool.h>

enum { RENDER_MOUSE_FIELDS = 12 };

typedef enum RenderMouseKind {
    RENDER_MOUSE_GATE, ///< a lever that is dragged two ways, or one
    RENDER_MOUSE_BUTTON, ///< it acts while it is pressed
} RenderMouseKind;

/// A field of the panel. Gates come first.
typedef struct RenderMouseField {
    RenderMouseKind kind;
    double at[2]; ///< -1..1, of a gate: where its grip is, to the right and ahead
    const char *words[4]; ///< of a gate: ahead, back, left, right, "" where it does not go; of a button: the first
    bool lit; ///< of a button: it is pressed
} RenderMouseField;

typedef struct RenderMouse {
    bool visible;
    int count; ///< 0..RENDER_MOUSE_FIELDS
    RenderMouseField fields[RENDER_MOUSE_FIELDS];
} RenderMouse;

#endif
