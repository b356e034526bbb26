/// A menu over the view: scenes, pause, settings. Filled by the screen that is open. Texts are UTF-8 in the language of
/// the screen; texts and pictures belong to the caller.
#ifndef SPADEWORK_RENDER_MENU_H
#define SPADEWORK_RENDER_MENU_H

#include <stdbool.h>
#include <stdint.h>

#include "render/controls_picture.h"

enum { RENDER_MAX_MENU = 256 };

/// A picture inside a panel.
typedef struct RenderPicture {
    int width, height; ///< pixels
    /// [height][width] of 32 bits, 0xXXRRGGBB in the processor's order of bytes, as cairo's.
    const unsigned char *pixels;
    uint64_t id; ///< another picture has another number
} RenderPicture;

/// What an item of a menu is.
typedef enum RenderMenuStyle {
    RENDER_MENU_CHOICE,
    RENDER_MENU_CLOSED, ///< shown, but not open yet
    RENDER_MENU_TELLS, ///< a line of text, which cannot be chosen
    RENDER_MENU_HEADING, ///< the same over a group
} RenderMenuStyle;

/// A bar at the right end of an item, below or beside its value.
typedef struct RenderMenuBar {
    bool visible;
    bool two_way; ///< it grows from its middle
    bool done; ///< its value has reached its goal
    double share; ///< 0..1; where `two_way`, -1..1
} RenderMenuBar;

/// A line of a menu.
typedef struct RenderMenuItem {
    const char *text; ///< not NULL
    const char *detail; ///< second line, NULL: none
    const char *value; ///< at the right end ("87 points"), NULL: none
    bool changes; ///< of a choice: the value stands between two arrows
    RenderMenuBar bar;
    RenderMenuStyle style;
} RenderMenuItem;

enum { RENDER_SIDE_PICTURES = 2 };

/// Beside a menu's items: pictures, below each other, and a text about the selected one.
typedef struct RenderMenuSide {
    bool visible;
    const RenderPicture *pictures[RENDER_SIDE_PICTURES]; ///< NULL: none
    const char *text; ///< broken into lines; NULL: none
    const RenderControlsPicture *controls; ///< in place of both, on a wide side; NULL: none
} RenderMenuSide;

/// A menu over the view (scene menu, pause menu).
typedef struct RenderMenu {
    bool visible;
    const char *title, *subtitle;
    int count; ///< 0..RENDER_MAX_MENU
    int selected; ///< an item that can be chosen, or -1
    int first; ///< first item in sight of a menu longer than its panel; -1: the selected one is near the middle
    RenderMenuItem items[RENDER_MAX_MENU];
    int before, whole; ///< of a menu that is passed in part: items before these; all of them, 0: `count`
    RenderMenuSide side;
    const char *footer; ///< NULL: none
} RenderMenu;

#endif
