/// The table of commands and options, which the parser, the help, the manual page and the completion read, and the
/// values that a command line is parsed into. Constant; any thread.
#ifndef SPADEWORK_TRAINER_CLI_TABLE_H
#define SPADEWORK_TRAINER_CLI_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
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
    CLI_ENV,
    CLI_MODEL,
    CLI_VOLUME,
} CliCommand;

typedef struct CliOptions {
    CliCommand command;
    CliCommand topic; ///< of CLI_HELP: the command asked about, CLI_NOTHING = all
    RunOptions run; ///< of run, resume, menu; replay and export: threads, json, progress, controls
    const char *map; ///< of calibrate: the control map to write
    double cell, tolerance; ///< of volume: m; 0: the default
    const char *recording; ///< of replay, resume; of export the first
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
    int ply_color; ///< PlyColor
    bool ply_solid; ///< grains have faces
    const char *csv; ///< of export: telemetry to write, or NULL
    const char *events; ///< of export: table of events to write, or NULL
    const char *mcap; ///< of export: MCAP file to write, or NULL
    int every; ///< of export: ticks from one PLY file to the next
    const char *video; ///< of export: MP4 to write, or NULL
    Still stills[STILLS_MOST]; ///< of export: pictures of single moments
    int still_count;
    GroundShot grounds[GROUNDS_MOST]; ///< of export: the ground of single moments
    int ground_count;
    int fps; ///< of the video: pictures a second, 0 = 30
    bool has_film_from, has_film_to;
    double film_from, film_to; ///< s of simulated time, of the video: its first and last picture
    Still place; ///< of export: where --camera puts a free camera, for pictures that do not say
    const char *hdf5; ///< of export: file, or folder for several recordings, or NULL
    int layout; ///< Hdf5Layout
    int rate, picture_rate; ///< of export --hdf5 and --mcap: samples, pictures a second; 0: the default
    int cameras[HDF5_CAMERAS], camera_count; ///< of export --hdf5: RenderCamera
    int picture_width, picture_height; ///< of export --hdf5: pixels; 0: the default
    bool has_heights;
    int heights; ///< of export --hdf5: rows and columns of the patch of heights; 0: none
    double spacing; ///< m between its samples
    bool trainee_names; ///< of export --hdf5: who drove goes into the file
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
    const char *machine; ///< of model: path or name
    const char *attachment; ///< of model: path or name of what hangs on the machine, or NULL
    const char *coupler; ///< of model: path or name of the coupler that it hangs on, or NULL
    const char *urdf, *gltf; ///< of model: folder and file to write, or NULL
    const char *package; ///< of model: ROS package of the meshes, or NULL
    int file_count; ///< of check, export, rescore, report; of results and station: words
    const char *files[CLI_MAX_FILES];
    const char *listen; ///< of env: address
    bool any_host; ///< of env: other computers may reach it
    const char *token_file; ///< of env, or NULL
    int session_most, connection_most; ///< of env; 0: as many as are usual
    char shot_path[1024]; ///< what RunOptions.shot points at when the time was cut off
} CliOptions;

/// What an option's value is.
typedef enum CliType {
    CLI_FLAG, ///< none: sets a bool
    CLI_TEXT, ///< not empty
    CLI_INPUT, ///< text; a file that is read, unless it is a name without dot and slash
    CLI_OUTPUT, ///< text; a file that is written
    CLI_REAL, ///< double from `least` to `most`
    CLI_POSITIVE, ///< double above 0, to `most`
    CLI_COUNT, ///< int from `least` to `most`
    CLI_SEED, ///< uint64_t, 0..2^63-1
    CLI_SOLVER, ///< SoilSolver
    CLI_CAMERA, ///< int: a name of CAMERAS
    CLI_QUALITY, ///< int, see cli_read_quality
    CLI_PANELS, ///< int, see cli_read_panels
    CLI_VIEW, ///< int, see cli_read_view
    CLI_WINDOW, ///< SettingsSides: VIEW or VIEW@DISPLAY, repeatable
    CLI_SIZE, ///< int width, height: `place` is the width's, the height follows
    CLI_SHOT, ///< PNG or PNG@S
    CLI_SET, ///< KEY=VALUE, repeatable
    CLI_STILL, ///< PNG@S[,VIEW], repeatable
    CLI_FILM_CAMERA, ///< a name of CAMERAS, or free=X,Y,Z,X,Y,Z
    CLI_GROUND, ///< FILE@S[,WHAT][,site], repeatable
    CLI_LAYOUT, ///< int: a name of HDF5_LAYOUTS
    CLI_PLY_COLOR, ///< int: a word of PLY_COLORS
    CLI_CAMERAS, ///< names of CAMERAS with commas between
    CLI_HEIGHTS, ///< N or N,SPACING: `place` is the count's
    CLI_TARGET, ///< HOST:PORT, see motion_stream_check
} CliType;

/// What else the command line must hold for an option to be allowed.
typedef enum CliNeed {
    CLI_NEEDS_NOTHING,
    CLI_NEEDS_WINDOW, ///< neither --headless nor --verify
    CLI_NEEDS_PICTURE, ///< a window, or --shot
    CLI_NEEDS_VERIFY,
    CLI_NEEDS_PLY,
    CLI_NEEDS_VIDEO,
    CLI_NEEDS_CONSOLE, ///< --console, or a station
    CLI_NEEDS_BROKER,
    CLI_NEEDS_DRAWING, ///< a video or a picture
    CLI_NEEDS_URDF,
    CLI_NEEDS_CAMERA, ///< one of these, or --cameras
    CLI_NEEDS_HDF5,
    CLI_NEEDS_SAMPLES, ///< --hdf5 or --mcap
    CLI_NEEDS_CAMERAS,
} CliNeed;

typedef struct CliOption {
    const char *name; ///< "--seconds"
    const char *value; ///< what the help calls its value, "S"; NULL: a flag
    unsigned on; ///< commands that take it, 1 << CliCommand each
    CliType type;
    size_t place; ///< of the value in CliOptions
    double least, most; ///< of numbers, in the unit of the option
    CliNeed need;
    const char *help; ///< one line or several
    size_t mark; ///< of a bool in CliOptions that says it was given; 0: none
} CliOption;

typedef struct CliCommandRow {
    CliCommand command;
    const char *name;
    const char *takes; ///< behind the name: "SCENE [options]"
    const char *brief; ///< the same in the overview
    const char *summary; ///< one line of the overview, or two
    const char *about; ///< lines of its help
    size_t argument; ///< of the string that its argument goes to; 0: none, or more than one
    const char *needs; ///< what is missing when there is no argument; NULL: nothing
    bool exit_codes; ///< its help ends with them
} CliCommandRow;

/// An option's table has several rows of one name where commands understand it differently; no command has two.
extern const CliOption cli_options[];
extern const int cli_option_count; ///< at most CLI_MOST_OPTIONS
enum { CLI_MOST_OPTIONS = 160 };
extern const CliCommandRow cli_commands[]; ///< in the order of the overview
extern const int cli_command_count;

/// The row of a command; NULL for CLI_NOTHING, CLI_HELP and CLI_VERSION.
const CliCommandRow *cli_command_row(CliCommand command);

/// ---- output --------------------------------------------------------------------------------------------------------

/// What commands print: failures, JSON, the progress of long work, and the seals of a recording. stdout holds the
/// answer, stderr one line for each failure. Main thread.

/// Flushes stdout; one line on stderr and STATUS_LACKING when it cannot be written (a full disk).
int cli_flush(void);
/// "spadework: TEXT" on stderr; returns the status's code.
int cli_fail(const Status *status);

/// Prints a value, indented, and frees it. The caller flushes.
void cli_print_json(json_t *value);
json_t *cli_json_text(const char *text); ///< "": null
/// The seals for --json: state, seals, closed, seal, signed_by, station_key, trusted_station, change.
json_t *cli_seal_json(const RecordingSeal *seal);

/// A line on stderr that says how much is done, four times a second, from the second second on.
typedef struct CliProgress {
    const char *done, *what; ///< "verified", "ticks"
    int64_t from; ///< where the counting began
    bool at_once; ///< from the beginning on
    double began, shown; ///< wall clock, s
    bool visible; ///< something was shown
} CliProgress;

bool cli_shows_progress(const RunOptions *options); ///< --progress is given, or stderr is a terminal
/// A RecordingProgress. `context` is a CliProgress.
void cli_show_progress(void *context, int64_t done, int64_t all);

#endif
