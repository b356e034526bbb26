/// What the controls do: a picture of the device that is driven with, which moves with it, and of the machine. It works
/// from a control map's bindings, so that each map shows what it does, shipped or not.
#ifndef SPADEWORK_TRAINER_CONTROLS_PAGE_H
#define SPADEWORK_TRAINER_CONTROLS_PAGE_H

#include "input/input.h"
#include "render/render.h"
#include "trainer/app/menu.h"

/// Zero-initialise, or use controls_page_begin.
typedef struct ControlsPage {
    const ControlsParams *params; ///< the map; borrowed, NULL: not begun
    const InputMap *map; ///< the same, ready to use; borrowed
    InputMemory memory;
    RenderControlsPicture picture;
} ControlsPage;

/// Begins with a map and the device that is plugged in; a page that had begun keeps its device where the map binds it.
/// Map and params outlive the page's use.
/// sample  the devices now; NULL: the keyboard
void controls_page_begin(ControlsPage *page, const ControlsParams *params, const InputMap *map,
                         const InputSample *sample);
/// Reads the devices, `dt` s after the last call, and moves the picture. A device that is moved is shown. Removes from
/// `input` what moves levers here: the stick does not move the selection, and left and right change no value.
void controls_page_look(ControlsPage *page, const InputSample *sample, double dt, WindowInput *input);
/// Shows the next device.
void controls_page_next_device(ControlsPage *page);
/// Writes "Device: Keyboard".
void controls_page_name_device(const ControlsPage *page, char text[MENU_TEXT]);
/// Writes "Pattern: ISO pattern".
void controls_page_name_pattern(const ControlsPage *page, char text[MENU_TEXT]);
/// Puts the picture beside the menu's items.
void controls_page_show(const ControlsPage *page, Menu *menu);

#endif
