/// The commands, a function each. Each prints its answer on stdout and one line on stderr for each failure, and returns
/// the exit code. Main thread.
#ifndef SPADEWORK_TRAINER_CLI_COMMANDS_H
#define SPADEWORK_TRAINER_CLI_COMMANDS_H

#include "trainer/cli/cli_table.h"

enum { CLI_PICTURE_WIDTH = 1280, CLI_PICTURE_HEIGHT = 720, CLI_FPS = 30 }; ///< when not given

/// ---- recordings (cli_recordings.c) ---------------------------------------------------------------------------------

int cli_verify(const CliOptions *options); ///< replay --verify
/// `painter` draws the pictures of a film.
int cli_volume(const CliOptions *options);
int cli_export(const CliOptions *options, const ExportPainter *painter, const StillPainter *still_painter);
/// export --hdf5: demonstrations of all recordings. `painter` draws the pictures of --cameras.
int cli_export_hdf5(const CliOptions *options, const CameraPainter *painter);
int cli_verify_hdf5(const CliOptions *options); ///< replay --verify of such a file
/// Writes the debrief of the first recording beside the others, and prints where it is.
int cli_report(const CliOptions *options);
/// Scores all recordings anew and prints a line each, or JSON. Returns the exit code of the last recording that could
/// not be scored.
int cli_rescore(const CliOptions *options);

/// ---- files of people who write exercises (cli_authoring.c) ---------------------------------------------------------

int cli_list(const CliOptions *options);
/// Checks YAML files, meshes and recordings: each fault and warning is a line on stderr. Returns 0 when all are good
/// (with --strict, and none has a warning), 1 when a file is bad.
int cli_check(const CliOptions *options);
/// Writes a commented copy of a scene into the user's folder of scenes, or to the path of -o; never over a file.
int cli_new(const CliOptions *options);
/// Draws the plan of a scene into a PNG or SVG file, by the end of its name, and prints where.
int cli_preview(const CliOptions *options);
/// Prints every key of a kind of file, options->kind, as text, Markdown, HTML or JSON.
int cli_reference(const CliOptions *options);
/// Prints the texts of scenes as a template for translators; of all shipped scenes when none is named.
int cli_texts(const CliOptions *options);

/// ---- models of machines (cli_model.c) ------------------------------------------------------------------------------

/// Writes a machine as URDF and glTF and prints what is in it. `painter` has its meshes.
int cli_model(const CliOptions *options, const ModelPainter *painter);

/// ---- results (cli_results.c) ---------------------------------------------------------------------------------------

/// Runs the verb behind `results`: lists attempts, keeps classes, moves them between computers, draws progress.
int cli_results(const CliOptions *options);

/// ---- stations (cli_station.c) --------------------------------------------------------------------------------------

/// `station` prints this station's name and public key, `station init NAME` makes a key, `station trust KEY NAME` adds
/// another station.
int cli_station(const CliOptions *options);

/// Drives one scene, in a window or without one; returns an exit code, and says a failure on stderr and in `why`, which
/// is STATUS_GOOD before.
typedef int ServeDrive(const RunOptions *options, const DriveGuide *guide, Status *why);

/// Drives the scenes that the page loads, one after the other, or with --demo the scripted operator over and over,
/// until the page or a signal ends it. Returns the exit code of the last drive; one that failed is said and the station
/// goes on.
int cli_serve(const CliOptions *options, ServeDrive *drive);
/// serve --classroom: prints the page's address and serves it until a signal asks to stop.
int cli_classroom(const CliOptions *options);

/// env: prints where it listens, and the token, and serves sessions until a signal asks to stop.
int cli_env(const CliOptions *options);

/// ---- the demonstration (demo.c) ------------------------------------------------------------------------------------

/// The demonstration of a computer without a display: the scripted operator digs a trench and loads a truck, and leaves
/// recordings, telemetry and pictures in a folder of their own under the present one (./spadework-demo, numbered when
/// that exists; .gitignore names it, so that a clone stays clean). Prints the summaries and what was left where.
int cli_demo(void);

#endif
