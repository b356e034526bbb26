#include "trainer/command/cli.h"

/// Options that several commands share.
#define DRIVE_OPTIONS                                                                                                  \
    "  --operator WHO     gamepad, keyboard, auto, or FILE.csv (an operator script)\n"                                 \
    "                     window: gamepad and keyboard when not given; headless: auto\n"                               \
    "  --controls MAP     control map, a name under data/controls or a file (default: the machine's)\n"                \
    "  --seconds S        simulated seconds to drive\n"                                                                \
    "  --record REC       write a recording; a file that exists is left alone\n"                                       \
    "  --telemetry CSV    write one row a tick\n"                                                                      \
    "  --threads N        1..256 (default: as many as the computer has)\n"                                             \
    "  --shot PNG[@S]     write a picture, at simulated second S or at the end\n"                                      \
    "  --camera VIEW      headless: view of the picture: around, behind, cab or bucket\n"                              \
    "  --size WxH         headless: size of the picture, 16..8192 pixels each (default 1280x720)\n"                    \
    "  --overlay          debug view of the soil: in the picture, in the window from the start (F3)\n"                 \
    "  --volume V         window: loudness of the sound, 0..1 (default 0.7; F6 switches it off and on)\n"              \
    "  --mute             no sound\n"                                                                                  \
    "  --axes             window: what each lever and axis does, from the start (F4)\n"                                \
    "  --no-rumble        pads and joysticks do not shake\n"                                                           \
    "  --trainee NAME     stored in the recording\n"                                                                   \
    "  --keep-going       drive on unrecorded when recording fails (disk full)\n"                                      \
    "  --headless         no window\n"                                                                                 \
    "  --json             headless: summary as JSON\n"                                                                 \
    "  --progress         headless: progress bar although stderr is no terminal\n"

#define EXIT_CODES                                                                                                     \
    "Exit codes: 0 good, 1 bad input file, 2 bad usage, 3 verification failed, 4 the computer lacks something.\n"

static const char overview[] =
    "spadework - excavator operator training simulator\n"
    "\n"
    "  spadework [menu]                            the window: pick a scene, drive\n"
    "  spadework run SCENE [options]               drive one scene (a name under data/scenes, or a file)\n"
    "  spadework replay REC [--verify] [--from S]  watch a recording, or verify it tick by tick\n"
    "  spadework resume REC --at S [options]       take a recording over at second S\n"
    "  spadework check FILE...                     check YAML files and recordings\n"
    "  spadework list scenes|machines|soils|controls|meshes\n"
    "  spadework export REC --ply DIR | --csv FILE | --video OUT.mp4\n"
    "                                              particles, telemetry, a film of it\n"
    "  spadework calibrate MAP.yaml                move your levers and pedals, get a control map for them\n"
    "  spadework COMMAND --help, --version\n"
    "\n"
    "Without arguments: the menu; without a display: a demonstration that a scripted operator drives.\n" EXIT_CODES;

static const char menu[] = "usage: spadework menu [options]\n"
                           "The window: pick a scene, drive, watch what was driven.\n"
                           "  --operator auto    let the scripted operator drive\n"
                           "  --controls MAP     control map (default: the machine's)\n"
                           "  --threads N        1..256\n"
                           "  --overlay          debug view of the soil from the start (F3)\n"
                           "  --volume V         loudness of the sound, 0..1 (default 0.7; F6 switches it off and on)\n"
                           "  --mute             no sound\n"
                           "  --axes             what each lever and axis does, from the start (F4)\n"
                           "  --no-rumble        pads and joysticks do not shake\n"
                           "  --trainee NAME     stored in recordings\n"
                           "  --record REC       write a recording; later ones are numbered\n";

static const char run[] =
    "usage: spadework run SCENE [options]\n"
    "Drives one scene: a name under data/scenes (see: spadework list scenes) or a file.\n" DRIVE_OPTIONS
    "  --seed N           0..2^63-1 instead of the scene's\n"
    "  --solver NAME      default, p2 or gs\n"
    "  --set KEY=VALUE    any key of the scene, dotted (ground.layers.1.soil=sand); repeatable\n"
    "Headless without --seconds: until the exercise is finished, the script ends or the scene's\n"
    "time limit. Ctrl-C ends a headless run in good order.\n" EXIT_CODES;

static const char replay[] =
    "usage: spadework replay REC [options]\n"
    "Watches a recording in a window; with --verify replays it and compares every tick.\n"
    "  --verify           no window: exit 0 when every tick and keyframe is equal, 3 when not\n"
    "  --keyframes        with --verify: go on from every keyframe too (twice the work)\n"
    "  --from S           begin at simulated second S\n"
    "  --threads N        1..256; the result is the same\n"
    "  --controls MAP     control map for taking over (default: the machine's)\n"
    "  --no-rumble        pads and joysticks do not shake\n"
    "  --overlay          debug view of the soil from the start (F3)\n"
    "  --volume V         loudness of the sound, 0..1 (default 0.7; F6 switches it off and on)\n"
    "  --mute             no sound\n"
    "  --json             with --verify: result as JSON\n"
    "  --progress         with --verify: progress bar although stderr is no terminal\n";

static const char resume[] =
    "usage: spadework resume REC --at S [options]\n"
    "Takes a recording over at simulated second S. The new recording names its parent; without --record it is\n"
    "numbered beside it (dig.spade: dig-2.spade). Scene, seed and solver are the recording's.\n"
    "  --at S             simulated second\n" DRIVE_OPTIONS;

static const char check[] = "usage: spadework check FILE... [--json]\n"
                            "Checks YAML files and recordings: `file:line:column: message`, exit 1 when any is bad.\n";

static const char list[] = "usage: spadework list scenes|machines|soils|controls|meshes [--json]\n"
                           "One a line: name and title.\n";

static const char export_usage[] =
    "usage: spadework export REC [--ply DIR] [--csv FILE] [--video OUT.mp4] [options]\n"
    "Replays a recording without a window and writes what it holds for other programs.\n"
    "  --ply DIR          particles, one binary PLY file a tick: DIR/frame_000000.ply, ... (x y z radius vx vy vz\n"
    "                     soil id, SI units); DIR is made, or must be empty\n"
    "  --every N          one PLY file each N ticks (default 1)\n"
    "  --csv FILE         telemetry, one row a tick, as run --telemetry writes it\n"
    "  --video OUT.mp4    a film of it (H.264), made with ffmpeg\n"
    "  --fps N            film: pictures a second, 1..240, at most the scene's ticks (default 30)\n"
    "  --size WxH         film: even numbers of pixels, 16..8192 each (default 1280x720)\n"
    "  --camera VIEW      film: around (default), behind, cab or bucket\n"
    "  --overlay          film: with the debug view of the soil\n"
    "  --threads N        1..256; the result is the same\n"
    "  --json             summary as JSON\n"
    "  --progress         progress bar although stderr is no terminal\n" EXIT_CODES;

static const char calibrate[] =
    "usage: spadework calibrate MAP.yaml [--controls BASE]\n"
    "Asks you to move each lever and pedal of your joysticks, and writes a control map for them. Keyboard, gamepad\n"
    "and curves are taken from BASE (default iso; bhl for the backhoe pattern). Drive with it: spadework run SCENE\n"
    "--controls ./MAP.yaml. A file that exists is left alone.\n" EXIT_CODES;

const char *cli_help(CliCommand topic)
{
    switch (topic) {
    case CLI_MENU:
        return menu;
    case CLI_RUN:
        return run;
    case CLI_REPLAY:
        return replay;
    case CLI_RESUME:
        return resume;
    case CLI_CHECK:
        return check;
    case CLI_LIST:
        return list;
    case CLI_EXPORT:
        return export_usage;
    case CLI_CALIBRATE:
        return calibrate;
    case CLI_NOTHING:
    case CLI_HELP:
    case CLI_VERSION:
        break;
    }
    return overview;
}
