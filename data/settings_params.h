/// The user's own settings: what the window looks like, what is kept of what was driven, and under which name results
/// go to a learning platform.
#ifndef SPADEWORK_DATA_SETTINGS_PARAMS_H
#define SPADEWORK_DATA_SETTINGS_PARAMS_H

#include <stdbool.h>

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
    X(FREE, "free") /* flown by who looks on */

enum {
    CAMERA_COUNT = 0
#define X(id, name) +1
    CAMERAS(X)
#undef X
};

/// Which recordings go last when there are too many.
typedef enum SettingsKeep {
    SETTINGS_KEEP_NEWEST,
    SETTINGS_KEEP_BEST, ///< each trainee's best attempt at a scene goes after all others
} SettingsKeep;

typedef struct SettingsRecordings {
    double
        limit; ///< bytes, 1e8..1e13, default 1e10: of the folder of recordings that were made without being asked for
    SettingsKeep keep;
} SettingsRecordings;

typedef struct SettingsXapi {
    char home_page[256]; ///< of the actors' accounts; "" = that of the program
} SettingsXapi;

/// How much is drawn.
typedef enum SettingsQuality {
    SETTINGS_QUALITY_AUTO, ///< high; low once pictures take too long
    SETTINGS_QUALITY_HIGH,
    SETTINGS_QUALITY_LOW,
} SettingsQuality;

/// What there is of gauges when a window opens.
typedef enum SettingsGauges {
    SETTINGS_GAUGES_STRIP,
    SETTINGS_GAUGES_ALL,
    SETTINGS_GAUGES_NONE,
    SETTINGS_GAUGES_COUNT
} SettingsGauges;

/// What quantities on the screen are written in; files, results and the command line stay in SI.
typedef enum SettingsUnits {
    SETTINGS_UNITS_METRIC,
    SETTINGS_UNITS_IMPERIAL, ///< ft and in, yd3, lb, lbf, psi, mph
} SettingsUnits;

typedef struct SettingsWindow {
    SettingsQuality quality;
    SettingsGauges gauges;
    SettingsUnits units; ///< default metric
    bool no_keys; ///< [keys: no] the list of keys is not shown at the start
} SettingsWindow;

typedef struct SettingsSound {
    double volume; ///< 0..1, default 0.7: of the window's sound; 0 = silent
} SettingsSound;

typedef struct SettingsParams {
    char name[64]; ///< file name without .yaml
    char controls[200]; ///< control map, a name or a path; "" = the machine's own
    SettingsWindow window;
    SettingsSound sound;
    SettingsRecordings recordings;
    SettingsXapi xapi;
    char language[8]; ///< of what people read: "en", "de", "es"; "" = as the environment says
} SettingsParams;

#endif
