/// The user's own settings: how the window is shown, which recordings are kept, and under which name results go to a
/// learning platform.
#ifndef SPADEWORK_DATA_SETTINGS_PARAMS_H
#define SPADEWORK_DATA_SETTINGS_PARAMS_H

#include <stdbool.h>

#include "data/core/quantity.h"
#include "data/core/status.h"

/// The cameras by the names that options, settings and menus call them, in the order in which one follows the other.
/// X(ID, name)
#define CAMERAS(X)                                                                                                     \
    X(ORBIT, "around") /* turned about the machine */                                                                  \
    X(CHASE, "behind") /* follows the machine */                                                                       \
    X(CAB, "cab") /* the driver's eyes */                                                                              \
    X(TOOL, "bucket") /* near the bucket, turned with the house */                                                     \
    X(BOOM, "boom") /* from the boom's tip, or over a blade, down at the bucket or the blade */                        \
    X(PLAN, "plan") /* from above, north up, without perspective */                                                    \
    X(SECTION, "section") /* square across the arm's plane, in which the ground is cut away */                         \
    X(REAR, "rear") /* at the machine's tail, as its monitor shows it: mirror-inverted */                              \
    X(FREE, "free") /* flown by a spectator */

enum {
#define X(id, name) CAMERA_##id,
    CAMERAS(X)
#undef X
        CAMERA_COUNT
};

/// Which recordings go last when there are too many.
typedef enum SettingsKeep {
    SETTINGS_KEEP_NEWEST,
    SETTINGS_KEEP_BEST, ///< each trainee's best attempt at a scene goes after all others
} SettingsKeep;

/// Which recordings may go at all.
typedef enum SettingsClear {
    SETTINGS_CLEAR_PLAIN, ///< those that are neither an expert's run, nor passed, nor marked
    SETTINGS_CLEAR_ANY,
} SettingsClear;

typedef struct SettingsRecordings {
    double
        limit; ///< bytes, 1e8..1e13, default 1e10: of the folder of recordings that were made without being asked for
    SettingsKeep keep;
    SettingsClear clear;
} SettingsRecordings;

/// Which exercises of the courses a trainee may choose from the menu.
typedef enum SettingsExercises {
    SETTINGS_EXERCISES_IN_ORDER, ///< one opens when the one before it has been passed
    SETTINGS_EXERCISES_OPEN, ///< all
    SETTINGS_EXERCISES_COUNT
} SettingsExercises;

typedef struct SettingsCourses {
    SettingsExercises exercises;
} SettingsCourses;

typedef struct SettingsXapi {
    char home_page[256]; ///< of the actors' accounts; "" = that of the program
} SettingsXapi;

/// How much is drawn.
typedef enum SettingsQuality {
    SETTINGS_QUALITY_AUTO, ///< high; medium or low once pictures take too long
    SETTINGS_QUALITY_HIGH,
    SETTINGS_QUALITY_MEDIUM,
    SETTINGS_QUALITY_LOW,
    SETTINGS_QUALITY_COUNT
} SettingsQuality;

/// What there is of gauges when a window opens.
typedef enum SettingsGauges {
    SETTINGS_GAUGES_STRIP,
    SETTINGS_GAUGES_ALL,
    SETTINGS_GAUGES_NONE,
    SETTINGS_GAUGES_COUNT
} SettingsGauges;

/// When the rear camera is shown in a corner of the picture.
typedef enum SettingsRear {
    SETTINGS_REAR_OFF,
    SETTINGS_REAR_AUTO, ///< while the machine goes back or swings
    SETTINGS_REAR_ON,
    SETTINGS_REAR_COUNT
} SettingsRear;

/// Whether the mirrors of the cab show what is behind.
typedef enum SettingsMirrors {
    SETTINGS_MIRRORS_AUTO, ///< at high quality
    SETTINGS_MIRRORS_OFF,
    SETTINGS_MIRRORS_ON,
} SettingsMirrors;

/// Pictures beside the camera's own.
typedef struct SettingsViews {
    SettingsRear rear;
    int inset; ///< 1 + place in CAMERAS, 0 (default): none
    SettingsMirrors mirrors;
    int screens; ///< 1 or 3 beside each other; 0 is 1
    double screen_angle; ///< rad [screen_angle_deg 15..110], default 50 degrees: that the eye sees each of three under
    int eyes; ///< 1 or 2 side by side; 0 is 1. Not with three screens
} SettingsViews;

enum { SETTINGS_MOST_SIDES = 3, SETTINGS_MOST_DISPLAYS = 16, SETTINGS_SIDES_TEXT = 64 };

/// A window beside the main one, for spectators.
typedef struct SettingsSide {
    int camera; ///< place in CAMERAS
    int display; ///< that it fills, 1..SETTINGS_MOST_DISPLAYS; 0: a window that can be moved
} SettingsSide;

typedef struct SettingsSides {
    int count; ///< 0..SETTINGS_MOST_SIDES
    SettingsSide sides[SETTINGS_MOST_SIDES];
} SettingsSides;

/// How the panels over the picture are laid out.
typedef struct SettingsPanels {
    bool no_score; ///< [score: no] without title, time, score and progress
    bool no_map; ///< [map: no] without the site from above
    bool no_signals; ///< [signals: no] without the word of a banksman's signal
    bool mirrored; ///< [sides: swapped] what stands on the left stands on the right, and the other way round
    double scale; ///< 0.75..1.5 of the usual size, default 1
} SettingsPanels;

typedef struct SettingsWindow {
    SettingsQuality quality;
    SettingsGauges gauges;
    TextUnits units; ///< default metric
    bool no_keys; ///< [keys: no] the list of keys is not shown at the start
    SettingsPanels panels;
    SettingsViews views;
    char windows[SETTINGS_SIDES_TEXT]; ///< further windows as data/schema reads them; "" = none
} SettingsWindow;

typedef struct SettingsSound {
    double volume; ///< 0..1, default 0.7: of the window's sound; 0 = silent
} SettingsSound;

enum { SETTINGS_SHARED_FOLDER = 320, SETTINGS_LOGO = 320 };

typedef struct SettingsParams {
    char name[64]; ///< file name without .yaml
    char controls[200]; ///< control map, a name or a path; "" = the machine's own
    SettingsWindow window;
    SettingsSound sound;
    SettingsRecordings recordings;
    SettingsCourses courses;
    SettingsXapi xapi;
    char shared_folder[SETTINGS_SHARED_FOLDER]; ///< data_set_shared_folder, begins with /; "" = none
    char logo[SETTINGS_LOGO]; ///< PNG file at the head of debriefs, begins with /; "" = none
    char language[8]; ///< of texts: "en", "de", "es"; "" = as the environment says
} SettingsParams;

/// ---- further windows -----------------------------------------------------------------------------------------------

/// Appends a window: VIEW or VIEW@DISPLAY, a name of CAMERAS and a display from 1 on. False: it is neither, or there
/// are SETTINGS_MOST_SIDES already.
bool sides_add(const char *text, SettingsSides *sides);

/// Reads a list of them, parted by commas or spaces; "" is none. False: one is wrong, or they are too many.
bool sides_read(const char *text, SettingsSides *sides);

/// ---- changing values -----------------------------------------------------------------------------------------------

/// Puts `count` values KEY=VALUE (dotted keys: "window.gauges=all") into the file `path`, which is made when it is not
/// there, by write_whole. A file that has any fault, unknown keys included, is not changed, nor is one in which a
/// value is not allowed: false with `status`, which says file, line, column, what was read and what is allowed
/// (STATUS_BAD_FILE, STATUS_BAD_USAGE), or why it cannot be written (STATUS_LACKING).
bool settings_edit(const char *path, const char *const *values, int count, Status *status);

#endif
