/// What the command line asks for, as plain values.
#ifndef SPADEWORK_TRAINER_CLI_OPTIONS_H
#define SPADEWORK_TRAINER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "data/settings_params.h"
#include "soil/soil.h"
#include "trainer/export/stills.h"

enum { CLI_MAX_SET = 32, CLI_MAX_FILES = 1024 };

/// What is shown beside the camera's own picture: each 0 as the settings say, else 1 + the value in SettingsViews.
typedef struct CliViews {
    int rear, inset, mirrors, screens, eyes;
} CliViews;

/// Everything `run` takes. Strings belong to the command line.
typedef struct RunOptions {
    const char *scene; ///< path or name
    bool headless;
    /// "gamepad", "keyboard", "auto", "expert", "expert:NAME", a script's path; NULL: whatever devices there are.
    const char *operator_name;
    double clumsy; ///< 0..1, of a scripted operator
    const char *controls; ///< control map, name or path; NULL: as the settings say, else "iso"
    double seconds; ///< simulated seconds; 0 = no end
    const char *record; ///< recording to write, or NULL
    const char *telemetry; ///< CSV to write, or NULL
    const char *orders; ///< CSV of what an instructor orders at which time (order_script.h), or NULL
    const char *ghost; ///< recording whose machine is drawn beside, "expert", or NULL
    const char *motion; ///< HOST:PORT that is told what the seat feels, or NULL
    int threads; ///< 0 = as the machine has
    bool has_seed;
    uint64_t seed; ///< when has_seed
    SoilSolver solver;
    const char *shot; ///< picture to write, or NULL
    int camera; ///< of a headless run's picture: place in CAMERAS; -1 = not given
    int quality; ///< of pictures: 1 + SettingsQuality; 0: as the settings say
    CliViews views;
    SettingsSides windows; ///< further windows; none: as the settings say
    int width, height; ///< pixels of a headless run's picture or of a video; 0 = 1280 x 720
    bool plain; ///< that picture, or the video, without gauges
    double shot_at; ///< simulated second of the picture; < 0: at the end
    bool overlay; ///< the debug view: in the picture of a headless run, in a window from the start
    bool cut_fill; ///< colours of cut and fill on the ground: in the picture, in a window from the start
    bool axes; ///< in a window: shows from the start what each axis does
    bool no_briefing; ///< in a window: starts without the page about the exercise
    bool no_rumble; ///< devices do not shake
    const char *trainee; ///< or NULL
    const char *results; ///< file of results, NULL: the user's own
    const char
        *language; ///< of what people read: "en" or that of a catalogue; NULL: the settings' or the environment's
    const char *course; ///< that the scene is driven in, or NULL
    bool keep; ///< whoever drives is recorded into the user's folder and stored, as a person in the window is
    bool stationed; ///< set by `serve`: whoever drives is recorded and stored as a person in the window is
    bool no_record; ///< a person's drive in the window is not recorded unasked
    const char *set[CLI_MAX_SET]; ///< KEY=VALUE
    int set_count;
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

typedef enum CliCommand {
    CLI_NOTHING, ///< no arguments: the menu, or the demonstration where there is no display
    CLI_HELP,
    CLI_VERSION,
    CLI_MENU,
    CLI_RUN,
    CLI_REPLAY,
    CLI_RESUME,
    CLI_CHECK,
    CLI_LIST,
    CLI_EXPORT,
    CLI_CALIBRATE,
    CLI_RESULTS,
    CLI_RESCORE,
    CLI_REPORT,
    CLI_PREVIEW,
    CLI_TEXTS,
    CLI_NEW,
    CLI_REFERENCE,
    CLI_STATION,
    CLI_DOCTOR,
    CLI_SERVE,
} CliCommand;

typedef struct CliOptions {
    CliCommand command;
    CliCommand topic; ///< of CLI_HELP: the command asked about, CLI_NOTHING = all
    RunOptions run; ///< of run, resume, menu; replay and export: threads, json, progress, controls
    const char *map; ///< of calibrate: the control map to write
    const char *recording; ///< of replay, resume, export
    bool demo; ///< of serve: the scripted operator shows it
    bool classroom; ///< of serve: all stations of the broker on one page
    bool verify; ///< of replay: headless, compare every tick
    bool list_marks; ///< of replay: no window, its events and bookmarks
    bool keyframes; ///< of replay --verify: go on from every keyframe too
    bool is_signed; ///< of replay --verify: fails unless a trusted station has signed
    bool has_from;
    double from; ///< s, of replay: where to begin
    double at; ///< s, of resume
    const char *ply; ///< of export: folder, or NULL
    const char *csv; ///< of export: telemetry to write, or NULL
    const char *events; ///< of export: table of events to write, or NULL
    int every; ///< of export: ticks from one PLY file to the next
    const char *video; ///< of export: MP4 to write, or NULL
    Still stills[STILLS_MOST]; ///< of export: pictures of single moments
    int still_count;
    int fps; ///< of the video: pictures a second, 0 = 30
    const char *kind; ///< of list: "scenes", "machines", "soils", "controls", "meshes"; of reference: "scene", ...
    const char *from_scene, *title; ///< of new: the scene it is made from, path or name; what it is called, or NULL
    const char *copy; ///< of new: file to write, NULL: in the user's folder
    bool strict; ///< of check: a warning is a fault
    bool as_html, as_markdown; ///< of reference: how it is printed
    const char *other_scene; ///< of rescore: whose rules are used, path or name; NULL: each recording's own
    const char *class_name; ///< of results, or NULL
    const char *result_scene; ///< of results: scene of the attempts, or NULL
    bool result_csv, result_xapi; ///< of results: how attempts are written
    bool restore; ///< of results: people who were deleted come back
    bool dry_run, yes; ///< of results: deletes nothing; does not ask
    bool no_compare; ///< of report: no other runs are looked up
    const char *html, *pdf; ///< of report, of preview (html): files to write, or NULL
    int file_count; ///< of check, rescore, report; of results and station: words
    const char *files[CLI_MAX_FILES];
    char shot_path[1024]; ///< what RunOptions.shot points at when the time was cut off
} CliOptions;

#endif
