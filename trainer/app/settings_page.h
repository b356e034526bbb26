/// The settings that a person may change: window, levers, language. A change is written to the user's file at once;
/// each item states when it takes effect.
#ifndef SPADEWORK_TRAINER_SETTINGS_PAGE_H
#define SPADEWORK_TRAINER_SETTINGS_PAGE_H

#include "trainer/app/menu.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"

enum { SETTINGS_MOST_CONTROLS = 24 };

/// Settings; ids of the page's items.
typedef enum SettingsItem {
    SETTINGS_ITEM_CONTROLS = 700,
    SETTINGS_ITEM_VOLUME,
    SETTINGS_ITEM_QUALITY,
    SETTINGS_ITEM_GAUGES,
    SETTINGS_ITEM_REAR,
    SETTINGS_ITEM_INSET,
    SETTINGS_ITEM_WINDOWS,
    SETTINGS_ITEM_MIRRORS,
    SETTINGS_ITEM_SCORE,
    SETTINGS_ITEM_MAP,
    SETTINGS_ITEM_SIGNALS,
    SETTINGS_ITEM_SIDES,
    SETTINGS_ITEM_SIZE,
    SETTINGS_ITEM_KEYS,
    SETTINGS_ITEM_UNITS,
    SETTINGS_ITEM_EXERCISES,
    SETTINGS_ITEM_LANGUAGE,
    SETTINGS_ITEM_END
} SettingsItem;

/// Zero-initialise.
typedef struct SettingsPage {
    SettingsParams now; ///< of the file; the defaults where it is missing or bad
    char fault[MENU_SUBTITLE]; ///< fault of the file, which then cannot be changed; "" = none
    int controls_count, controls_index;
    DataListEntry controls[SETTINGS_MOST_CONTROLS + 1]; ///< maps of an excavator; their titles are short
    const char *given; ///< a map of the command line that is none of them: the last one; NULL = none
} SettingsPage;

/// Reads the file, and the control maps there are. given: the map that the command line names, NULL: none; it outlives
/// the page. False with `status`: the shipped maps cannot be listed, or the given one cannot be loaded.
bool settings_page_read(SettingsPage *page, const char *given, Status *status);
/// The control map to drive with, a name or a path.
const char *settings_page_controls(const SettingsPage *page);
/// Chooses a control map, writes it to the file and adds it to the list. False with `status`.
bool settings_page_choose_controls(SettingsPage *page, const char *name, Status *status);

/// Appends the items.
void settings_page_add(const SettingsPage *page, Menu *menu);
/// Describes an item and when a change takes effect; "" for other ids.
const char *settings_page_about(int id);
/// Gives an item its next value (step 1) or the one before (-1), in the file as well; step 0: the next, and after the
/// last the first. False with `status`, and nothing has changed. Other ids are ignored.
bool settings_page_change(SettingsPage *page, int id, int step, Status *status);
/// Applies an item's present value to the window.
bool settings_page_apply(const SettingsPage *page, int id, Window *window, Status *status);

/// ---- settings over a drive -----------------------------------------------------------------------------------------

/// The settings, or what the controls do, over a paused drive. Settings take effect at once, except the control map of
/// the settings, which the caller applies.

typedef enum SettingsEnd {
    SETTINGS_END_BACK, ///< the person goes back, or the guide calls the person back (drive_stand)
    SETTINGS_END_CLOSE, ///< the window is to close
    SETTINGS_END_FAILED ///< the drive has, with `status`
} SettingsEnd;

/// Shows the page over the present session until it is left. The guide is polled meanwhile.
/// behind    the session's view, which gets the units and the language that are chosen
/// controls  [DATA_PATH_LENGTH] receives the control map that is to drive from now on; "" = the same as before
/// pictured  what the controls do is shown, by the drive's own map, in place of the settings
SettingsEnd settings_screen(Window *window, SessionView *behind, Drive *drive, bool pictured, char *controls,
                            Status *status);

#endif
