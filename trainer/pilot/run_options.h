/// What a drive is asked for, as plain values: the options of `run`.
#ifndef SPADEWORK_TRAINER_RUN_OPTIONS_H
#define SPADEWORK_TRAINER_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/schema/schema.h"
#include "soil/soil.h"

enum { RUN_MAX_SET = 32 };

/// What is shown beside the camera's own picture: each 0 as the settings say, else 1 + the value in SettingsViews.
typedef struct RunViews {
    int rear, inset, mirrors, screens, eyes;
} RunViews;

/// Everything `run` takes. Strings belong to the command line.
typedef struct RunOptions {
    const char *scene; ///< path or name
    bool headless;
    /// "gamepad", "keyboard", "auto", "expert", "expert:NAME", a script's path; NULL: whatever devices there are.
    const char *operator_name;
    double clumsy; ///< 0..1, of a scripted operator
    const char *controls; ///< control map, name or path; NULL: as the settings say, else "iso"
    double seconds; ///< s of the simulation; 0 = no end
    const char *record; ///< recording to write, or NULL
    const char *telemetry; ///< CSV to write, or NULL
    const char *orders; ///< CSV of what an instructor orders at which time (session_order.h), or NULL
    const char *ghost; ///< recording whose machine is drawn beside, "expert", or NULL
    const char *motion; ///< HOST:PORT that the seat's motion is sent to, or NULL
    int threads; ///< 0 = as the machine has
    bool has_seed;
    uint64_t seed; ///< when has_seed
    SoilSolver solver;
    const char *shot; ///< picture to write, or NULL
    int camera; ///< of a headless run's picture: place in CAMERAS; -1 = not given
    int quality; ///< of pictures: 1 + SettingsQuality; 0: as the settings say
    RunViews views;
    SettingsSides windows; ///< further windows; none: as the settings say
    int width, height; ///< pixels of a headless run's picture or of a video; 0 = 1280 x 720
    int panels; ///< over that picture, or the video: 1 + SettingsGauges; 0: none
    bool plain; ///< the same without panels, whatever `panels` says
    double shot_at; ///< s of the simulation at which the picture is drawn; below 0: at the end
    bool overlay; ///< the debug view: in the picture of a headless run, in a window from the start
    bool cut_fill; ///< colours of cut and fill on the ground: in the picture, in a window from the start
    bool axes; ///< in a window: shows from the start what each axis does
    bool no_briefing; ///< in a window: starts without the page about the exercise
    bool no_rumble; ///< devices do not shake
    const char *trainee; ///< or NULL
    const char *results; ///< file of results, NULL: the user's own
    const char *language; ///< of texts: "en" or that of a catalogue; NULL: the settings' or the environment's
    const char *course; ///< that the scene is driven in, a name or a path, or NULL
    bool keep; ///< any drive is recorded into the user's folder and stored, as a person's in the window is
    bool stationed; ///< set by `serve`: any drive is recorded and stored as a person's in the window is
    bool no_record; ///< a person's drive in the window is not recorded unasked
    const char *set[RUN_MAX_SET]; ///< KEY=VALUE
    int set_count;
    const Conditions *conditions; ///< chosen in the menu or on the page, set behind `set`; borrowed; NULL: none
    bool keep_going; ///< go on without recording or telemetry when writing fails
    bool json; ///< summary as JSON
    double volume; ///< of the window's sound, 0..1; 0 = silent; < 0: as the settings say
    bool mute; ///< no sound, whatever the volume
    bool has_console; ///< the instructor's console is served
    int console_port; ///< 0..65535; 0 = a free one
    const char *console_address; ///< numeric, to listen on; NULL: this computer alone
    const char *console_token; ///< that the page needs; NULL: a random one
    const char *broker; ///< URL of a classroom's broker; NULL: none
    const char *broker_password_file, *broker_ca; ///< or NULL
    const char *station; ///< name in that classroom; NULL: this computer's
    bool progress; ///< progress bar although stderr is no terminal
} RunOptions;

/// What is shown beside the camera's own picture: as the command line says, else as the settings do (NULL: there are
/// none). Where one asks for three screens and the other for two eyes, the command line has its way.
SettingsViews run_views(const RunViews *given, const SettingsViews *settings);

#endif
