/// Every command and every option of the command line, once: what parses it, what checks it and what the help says of
/// it. Constant; any thread.
#ifndef SPADEWORK_TRAINER_CLI_TABLE_H
#define SPADEWORK_TRAINER_CLI_TABLE_H

#include "trainer/cli/cli_options.h"

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
    CLI_CAMERA, ///< int, see cli_read_camera
    CLI_QUALITY, ///< int, see cli_read_quality
    CLI_VIEW, ///< int, see cli_read_view
    CLI_WINDOW, ///< SettingsSides: VIEW or VIEW@DISPLAY, repeatable
    CLI_SIZE, ///< int width, height: `place` is the width's, the height follows
    CLI_SHOT, ///< PNG or PNG@S
    CLI_SET, ///< KEY=VALUE, repeatable
    CLI_STILL, ///< PNG@S[,VIEW], repeatable
    CLI_TARGET, ///< HOST:PORT, see motion_stream_check
} CliType;

/// What must be so for an option to make sense.
typedef enum CliNeed {
    CLI_NEEDS_NOTHING,
    CLI_NEEDS_WINDOW, ///< neither --headless nor --verify
    CLI_NEEDS_PICTURE, ///< a window, or --shot
    CLI_NEEDS_VERIFY,
    CLI_NEEDS_VIDEO,
    CLI_NEEDS_CONSOLE, ///< --console, or a station
    CLI_NEEDS_BROKER,
    CLI_NEEDS_DRAWING, ///< a video or a picture
} CliNeed;

typedef struct CliOption {
    const char *name; ///< "--seconds"
    const char *value; ///< what the help calls its value, "S"; NULL: a flag
    unsigned on; ///< commands that take it, 1 << CliCommand each
    CliType type;
    size_t place; ///< of the value in CliOptions
    double least, most; ///< of numbers
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
enum { CLI_MOST_OPTIONS = 128 };
extern const CliCommandRow cli_commands[]; ///< in the order of the overview
extern const int cli_command_count;

/// The row of a command; NULL for CLI_NOTHING, CLI_HELP and CLI_VERSION.
const CliCommandRow *cli_command_row(CliCommand command);

#endif
