/// What the command line asks for, as plain values.
#ifndef SPADEWORK_TRAINER_CLI_OPTIONS_H
#define SPADEWORK_TRAINER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"

enum { CLI_MAX_FILES = 1024 };

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
