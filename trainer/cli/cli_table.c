/// The table of commands and options, in the order of the help; and what commands print: failures, JSON, the
/// progress of long work, and the seals of a recording.
#include "trainer/cli/cli_table.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trainer/remote/remote.h"
#include "trainer/report/report.h"

#define SECONDS_MOST 1e6 ///< s: eleven days. Chosen
#define PLACE(field) offsetof(CliOptions, field)
#define RUN(field)   offsetof(CliOptions, run.field)

enum {
    MENU = 1 << CLI_MENU,
    REPLAY = 1 << CLI_REPLAY,
    RESUME = 1 << CLI_RESUME,
    CHECK = 1 << CLI_CHECK,
    LIST = 1 << CLI_LIST,
    EXPORT = 1 << CLI_EXPORT,
    CALIBRATE = 1 << CLI_CALIBRATE,
    RESULTS = 1 << CLI_RESULTS,
    RESCORE = 1 << CLI_RESCORE,
    REPORT = 1 << CLI_REPORT,
    PREVIEW = 1 << CLI_PREVIEW,
    NEW = 1 << CLI_NEW,
    REFERENCE = 1 << CLI_REFERENCE,
    DOCTOR = 1 << CLI_DOCTOR,
    RUNS = 1 << CLI_RUN,
    SERVE = 1 << CLI_SERVE,
    ENV = 1 << CLI_ENV,
    MODEL = 1 << CLI_MODEL,
    VOLUME = 1 << CLI_VOLUME,
    DRIVE = RUNS | RESUME,
};

// clang-format off
const CliOption cli_options[] = {
    {"--at", "S", RESUME, CLI_REAL, PLACE(at), 0, SECONDS_MOST, CLI_NEEDS_NOTHING, "simulated second", 0},
    {"--verify", NULL, REPLAY, CLI_FLAG, PLACE(verify), 0, 0, CLI_NEEDS_NOTHING,
     "no window: exit 0 when every tick and keyframe is equal, 3 when not; also of a file that\n"
     "export --hdf5 wrote", 0},
    {"--keyframes", NULL, REPLAY, CLI_FLAG, PLACE(keyframes), 0, 0, CLI_NEEDS_VERIFY,
     "with --verify: go on from every keyframe too (twice the work)", 0},
    {"--signed", NULL, REPLAY, CLI_FLAG, PLACE(is_signed), 0, 0, CLI_NEEDS_VERIFY,
     "with --verify: exit 3 unless it ended in good order and a station trusted here signed it", 0},
    {"--from", "S", REPLAY, CLI_REAL, PLACE(from), 0, SECONDS_MOST, CLI_NEEDS_NOTHING,
     "begin at simulated second S", PLACE(has_from)},
    {"--at", "S", REPLAY, CLI_REAL, PLACE(from), 0, SECONDS_MOST, CLI_NEEDS_NOTHING, "the same as --from",
     PLACE(has_from)},
    {"--list-marks", NULL, REPLAY, CLI_FLAG, PLACE(list_marks), 0, 0, CLI_NEEDS_NOTHING,
     "no window: its events and bookmarks, a line each: time, kind, what", 0},
    {"--ghost", "REC", REPLAY, CLI_INPUT, RUN(ghost), 0, 0, CLI_NEEDS_WINDOW,
     "window: draws the machine of another recording, at the same time since the start;\n"
     "expert: the newest run of the scene's expert that is known", 0},
    {"--ghost", "REC", DRIVE, CLI_INPUT, RUN(ghost), 0, 0, CLI_NEEDS_PICTURE,
     "another recording's machine beside it, at the same time since the start, and how far ahead it is;\n"
     "expert: the newest run of the scene's expert that is known (G hides it)", 0},
    {"--ply", "DIR", EXPORT, CLI_TEXT, PLACE(ply), 0, 0, CLI_NEEDS_NOTHING,
     "particles, one binary PLY file a tick: DIR/frame_000000.ply, ...; none without particles.\n"
     "CloudCompare keeps position, colour, radius, speed, vx vy vz, soil, id; MeshLab position, colour,\n"
     "radius, speed (as quality); ParaView position, colour; Blender 3.4 the position, with --solid the\n"
     "colour, too. SI units; DIR is made, or must be empty", 0},
    {"--color", "WHAT", EXPORT, CLI_PLY_COLOR, PLACE(ply_color), 0, 0, CLI_NEEDS_PLY,
     "PLY: colour of the particles: soil (default), or speed, from 0 (dark blue) to 3 m/s (yellow)", 0},
    {"--solid", NULL, EXPORT, CLI_FLAG, PLACE(ply_solid), 0, 0, CLI_NEEDS_PLY,
     "PLY: a particle is an octahedron of its radius, not a point: for Blender; eight times as large", 0},
    {"--every", "N", EXPORT, CLI_COUNT, PLACE(every), 1, 1e6, CLI_NEEDS_NOTHING,
     "one PLY file each N ticks (default 1)", 0},
    {"--csv", "FILE", EXPORT, CLI_OUTPUT, PLACE(csv), 0, 0, CLI_NEEDS_NOTHING,
     "telemetry, one row a tick, as run --telemetry writes it", 0},
    {"--events", "FILE", EXPORT, CLI_OUTPUT, PLACE(events), 0, 0, CLI_NEEDS_NOTHING,
     "its events as CSV: kind, time, part, thing, place, numbers", 0},
    {"--mcap", "OUT.mcap", EXPORT, CLI_OUTPUT, PLACE(mcap), 0, 0, CLI_NEEDS_NOTHING,
     "all of it for Foxglove and ROS 2: joints, frames, wrench, levers, pressures, exercise, events and\n"
     "ground as JSON messages (docs/mcap.md)", 0},
    {"--video", "OUT.mp4", EXPORT, CLI_OUTPUT, PLACE(video), 0, 0, CLI_NEEDS_NOTHING,
     "a film of it (H.264), made with ffmpeg", 0},
    {"--fps", "N", EXPORT, CLI_COUNT, PLACE(fps), 1, 240, CLI_NEEDS_VIDEO,
     "film: pictures a second, 1..240, at most the scene's ticks (default 30)", 0},
    {"--from", "S", EXPORT, CLI_REAL, PLACE(film_from), 0, SECONDS_MOST, CLI_NEEDS_VIDEO,
     "film: begins at simulated second S (default: with the recording)", PLACE(has_film_from)},
    {"--to", "S", EXPORT, CLI_REAL, PLACE(film_to), 0, SECONDS_MOST, CLI_NEEDS_VIDEO,
     "film: ends at simulated second S (default: with the recording)", PLACE(has_film_to)},
    {"--urdf", "DIR", MODEL, CLI_TEXT, PLACE(urdf), 0, 0, CLI_NEEDS_NOTHING,
     "DIR/NAME.urdf with its meshes in DIR/meshes, for ROS, Gazebo and MuJoCo; DIR is made, or must\n"
     "be empty", 0},
    {"--package", "NAME", MODEL, CLI_TEXT, PLACE(package), 0, 0, CLI_NEEDS_URDF,
     "meshes are called package://NAME/meshes/..., as ROS needs it where DIR is the package NAME\n"
     "(default: meshes/..., beside the URDF file)", 0},
    {"--gltf", "FILE.glb", MODEL, CLI_OUTPUT, PLACE(gltf), 0, 0, CLI_NEEDS_NOTHING,
     "one binary glTF 2.0 file, for Blender and web pages", 0},
    {"--attachment", "NAME", MODEL, CLI_INPUT, PLACE(attachment), 0, 0, CLI_NEEDS_NOTHING,
     "what hangs on the machine in place of its bucket, a name under data/attachments or a file", 0},
    {"--coupler", "NAME", MODEL, CLI_INPUT, PLACE(coupler), 0, 0, CLI_NEEDS_NOTHING,
     "what the bucket or attachment hangs on, a name under data/couplers or a file", 0},
    {"--hdf5", "FILE", EXPORT, CLI_OUTPUT, PLACE(hdf5), 0, 0, CLI_NEEDS_NOTHING,
     "demonstrations for learning (docs/demonstrations.md), written over an older HDF5 file alone; of\n"
     "several recordings a folder, which is made or must be empty; goes without the outputs above", 0},
    {"--layout", "NAME", EXPORT, CLI_LAYOUT, PLACE(layout), 0, 0, CLI_NEEDS_HDF5,
     "spadework (default), act (of several: DIR/episode_0.hdf5, ...) or robomimic (one file:\n"
     "/data/demo_0, ...)", 0},
    {"--rate", "HZ", EXPORT, CLI_COUNT, PLACE(rate), 1, 1000, CLI_NEEDS_SAMPLES,
     "HDF5 and MCAP: samples a second, a divisor of the scene's ticks a second (default: HDF5 each\n"
     "tick, MCAP 60)", 0},
    {"--cameras", "VIEW,...", EXPORT, CLI_CAMERAS, 0, 0, 0, CLI_NEEDS_HDF5,
     "pictures without gauges, from up to eight cameras, as --camera names them", 0},
    {"--picture-rate", "HZ", EXPORT, CLI_COUNT, PLACE(picture_rate), 1, 1000, CLI_NEEDS_CAMERAS,
     "layout spadework: pictures a second (default: as the samples, at most 10); in the others each\n"
     "sample has its pictures", 0},
    {"--picture-size", "WxH", EXPORT, CLI_SIZE, PLACE(picture_width), 16, 8192, CLI_NEEDS_CAMERAS,
     "pixels of these pictures, 16..8192 each (default 320x240)", 0},
    {"--heights", "N,M", EXPORT, CLI_HEIGHTS, PLACE(heights), 0, GROUND_PATCH_SIDE, CLI_NEEDS_HDF5,
     "N x N heights round the cutting edge, M metres apart (default 64,0.1); 0: none", PLACE(has_heights)},
    {"--trainee-names", NULL, EXPORT, CLI_FLAG, PLACE(trainee_names), 0, 0, CLI_NEEDS_HDF5,
     "who drove and what people typed goes into the file (default: neither)", 0},
    {"-o", "OUT.html", REPORT, CLI_OUTPUT, PLACE(html), 0, 0, CLI_NEEDS_NOTHING,
     "one page that needs nothing else", 0},
    {"-o", "OUT.pdf", VOLUME, CLI_OUTPUT, PLACE(html), 0, 0, CLI_NEEDS_NOTHING,
     "page with table and map of cut and fill to write, by its end a PDF, an SVG or a PNG", 0},
    {"--cell", "M", VOLUME, CLI_REAL, PLACE(cell), VOLUME_LEAST_CELL, VOLUME_MOST_CELL, CLI_NEEDS_NOTHING,
     "side of the cells, m, 0.01..10 (default: a 500th of the longer side, rounded)", 0},
    {"--tolerance", "M", VOLUME, CLI_REAL, PLACE(tolerance), 0.001, 10, CLI_NEEDS_NOTHING,
     "m within which the surfaces count as equal, 0.001..10 (default 0.03)", 0},
    {"-o", "PLAN.png", PREVIEW, CLI_OUTPUT, PLACE(html), 0, 0, CLI_NEEDS_NOTHING,
     "picture to write, by its end a PNG or an SVG", 0},
    {"--strict", NULL, CHECK, CLI_FLAG, PLACE(strict), 0, 0, CLI_NEEDS_NOTHING,
     "a file with a warning is bad, too", 0},
    {"--from", "SCENE", NEW, CLI_INPUT, PLACE(from_scene), 0, 0, CLI_NEEDS_NOTHING,
     "scene, or course, that it is made from, a name (see: spadework list scenes) or a file", 0},
    {"-o", "FILE.yaml", NEW, CLI_OUTPUT, PLACE(copy), 0, 0, CLI_NEEDS_NOTHING,
     "file to write, in place of NAME in the user's folder", 0},
    {"--title", "TEXT", NEW, CLI_TEXT, PLACE(title), 0, 0, CLI_NEEDS_NOTHING,
     "its title (default: made from its name)", 0},
    {"--markdown", NULL, REFERENCE, CLI_FLAG, PLACE(as_markdown), 0, 0, CLI_NEEDS_NOTHING, "as tables in Markdown", 0},
    {"--html", NULL, REFERENCE, CLI_FLAG, PLACE(as_html), 0, 0, CLI_NEEDS_NOTHING, "as one page of HTML", 0},
    {"--pdf", "OUT.pdf", REPORT, CLI_OUTPUT, PLACE(pdf), 0, 0, CLI_NEEDS_NOTHING, "the same for a printer, A4", 0},
    {"--results", "DB", REPORT, CLI_INPUT, RUN(results), 0, 0, CLI_NEEDS_NOTHING,
     "file of results, or postgresql://..., in which the expert's run and earlier attempts are\n"
     "looked up (default: spadework/results.db in the user's data folder)", 0},
    {"--no-compare", NULL, REPORT, CLI_FLAG, PLACE(no_compare), 0, 0, CLI_NEEDS_NOTHING,
     "compares with no other run", 0},
    {"--scene", "SCENE", RESCORE, CLI_INPUT, PLACE(other_scene), 0, 0, CLI_NEEDS_NOTHING,
     "by the rules of this scene, a name under data/scenes or a file (default: each recording's own)", 0},
    {"--operator", "WHO", DRIVE | MENU, CLI_INPUT, RUN(operator_name), 0, 0, CLI_NEEDS_NOTHING,
     "gamepad, keyboard, auto, expert (the scene's list of actions), expert:NAME (a name under\n"
     "data/experts or a file), or FILE.csv (an operator script);\n"
     "window: gamepad and keyboard when not given; headless: auto", 0},
    {"--clumsy", "C", DRIVE | MENU, CLI_REAL, RUN(clumsy), 0, 1, CLI_NEEDS_NOTHING,
     "a scripted operator with a beginner's hands: 0 (none) to 1; late, slow, off by the eye", 0},
    {"--controls", "MAP", DRIVE | MENU | REPLAY, CLI_INPUT, RUN(controls), 0, 0, CLI_NEEDS_NOTHING,
     "control map, a name under data/controls or a file (default: the machine's)", 0},
    {"--controls", "BASE", CALIBRATE, CLI_INPUT, RUN(controls), 0, 0, CLI_NEEDS_NOTHING,
     "map that keyboard, gamepad and curves are taken from (default iso)", 0},
    {"--seconds", "S", DRIVE, CLI_POSITIVE, RUN(seconds), 0, SECONDS_MOST, CLI_NEEDS_NOTHING,
     "simulated seconds to drive", 0},
    {"--record", "REC", DRIVE, CLI_OUTPUT, RUN(record), 0, 0, CLI_NEEDS_NOTHING,
     "write a recording; a file that exists is left alone", 0},
    {"--record", "REC", MENU, CLI_OUTPUT, RUN(record), 0, 0, CLI_NEEDS_NOTHING,
     "write a recording; later ones are numbered", 0},
    {"--orders", "FILE.csv", DRIVE, CLI_INPUT, RUN(orders), 0, 0, CLI_NEEDS_NOTHING,
     "give an instructor's orders at their times: columns t, fault, part, value; the faults are\n"
     "pressure, swing, heat, valve, function, engine, sight, truck, person (docs/orders.md says\n"
     "what they do)", 0},
    {"--telemetry", "CSV", DRIVE, CLI_OUTPUT, RUN(telemetry), 0, 0, CLI_NEEDS_NOTHING, "write one row a tick", 0},
    {"--motion", "HOST:PORT", DRIVE | MENU, CLI_TARGET, RUN(motion), 0, 0, CLI_NEEDS_NOTHING,
     "send what the operator's seat feels by UDP, 100 packets a second, to a motion platform\n"
     "(docs/motion-platform.md has the packet)", 0},
    {"--motion", "HOST:PORT", REPLAY, CLI_TARGET, RUN(motion), 0, 0, CLI_NEEDS_WINDOW,
     "send what the operator's seat feels by UDP, 100 packets a second, to a motion platform\n"
     "(docs/motion-platform.md has the packet)", 0},
    {"--console", "PORT", DRIVE, CLI_COUNT, RUN(console_port), 0, 65535, CLI_NEEDS_NOTHING,
     "serve the instructor's console, a page that shows the drive and takes orders; 0: a free port;\n"
     "headless, the run then goes by the wall clock", RUN(has_console)},
    {"--port", "PORT", SERVE, CLI_COUNT, RUN(console_port), 0, 65535, CLI_NEEDS_NOTHING,
     "of the page, 0..65535 (default 0: a free one)", RUN(has_console)},
    {"--demo", NULL, SERVE, CLI_FLAG, PLACE(demo), 0, 0, CLI_NEEDS_NOTHING,
     "the scripted operator digs a trench, over and over", 0},
    {"--classroom", NULL, SERVE, CLI_FLAG, PLACE(classroom), 0, 0, CLI_NEEDS_NOTHING,
     "all stations of the broker on one page; nothing is driven here", 0},
    {"--console-address", "ADDRESS", DRIVE | SERVE, CLI_TEXT, RUN(console_address), 0, 0, CLI_NEEDS_CONSOLE,
     "numeric address to listen on (default 127.0.0.1: this computer alone); others can then reach it,\n"
     "unencrypted", 0},
    {"--console-token", "TOKEN", DRIVE | SERVE, CLI_TEXT, RUN(console_token), 0, 0, CLI_NEEDS_CONSOLE,
     "what the page needs to know, 16..64 letters, digits, - and _ (default: a random one)", 0},
    {"--broker", "URL", DRIVE | SERVE, CLI_TEXT, RUN(broker), 0, 0, CLI_NEEDS_NOTHING,
     "join a classroom through its MQTT broker: mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS;\n"
     "one that is away holds nothing up; headless, the run then goes by the wall clock", 0},
    {"--broker-password-file", "FILE", DRIVE | SERVE, CLI_INPUT, RUN(broker_password_file), 0, 0, CLI_NEEDS_BROKER,
     "whose first line is the password of the URL's user; only its owner may read it", 0},
    {"--broker-ca", "FILE", DRIVE | SERVE, CLI_INPUT, RUN(broker_ca), 0, 0, CLI_NEEDS_BROKER,
     "certificates to trust with mqtts:// (default: those of the computer)", 0},
    {"--station", "NAME", DRIVE | SERVE, CLI_TEXT, RUN(station), 0, 0, CLI_NEEDS_BROKER,
     "name in the classroom, 1..40 of a-z, 0-9, - and _ (default: the station's, or the computer's);\n"
     "where another program has it, this one ends at its start with code 4", 0},
    {"--operator", "WHO", SERVE, CLI_INPUT, RUN(operator_name), 0, 0, CLI_NEEDS_NOTHING,
     "who drives the scenes that the page loads, as of run", 0},
    {"--headless", NULL, SERVE, CLI_FLAG, RUN(headless), 0, 0, CLI_NEEDS_NOTHING, "no window", 0},
    {"--threads", "N", SERVE, CLI_COUNT, RUN(threads), 1, 256, CLI_NEEDS_NOTHING,
     "1..256 (default: as many as the computer has); the result is the same", 0},
    {"--language", "NAME", SERVE, CLI_TEXT, RUN(language), 0, 0, CLI_NEEDS_NOTHING,
     "language of the window: en, de or es", 0},
    {"--listen", "ADDRESS", ENV, CLI_TEXT, PLACE(listen), 0, 0, CLI_NEEDS_NOTHING,
     "unix:PATH (or a path with a slash): a socket for this user alone; or HOST:PORT, as 127.0.0.1:4700,\n"
     "port 0: a free one", 0},
    {"--any-host", NULL, ENV, CLI_FLAG, PLACE(any_host), 0, 0, CLI_NEEDS_NOTHING,
     "HOST may be an address that other computers reach, unencrypted (0.0.0.0: any)", 0},
    {"--token", "FILE", ENV, CLI_INPUT, PLACE(token_file), 0, 0, CLI_NEEDS_NOTHING,
     "whose first line clients must show, 16..64 letters, digits, - and _; only its owner may read it\n"
     "(default: with HOST:PORT a random one, which is printed; with a Unix socket none)", 0},
    {"--sessions", "N", ENV, CLI_COUNT, PLACE(session_most), 1, ENV_SESSIONS_MOST, CLI_NEEDS_NOTHING,
     "sessions of all clients at a time, 1..4096 (default 64)", 0},
    {"--connections", "N", ENV, CLI_COUNT, PLACE(connection_most), 1, ENV_CONNECTIONS_MOST, CLI_NEEDS_NOTHING,
     "clients at a time, 1..1024 (default 32)", 0},
    {"--threads", "N", DRIVE | MENU | REPLAY | EXPORT, CLI_COUNT, RUN(threads), 1, 256, CLI_NEEDS_NOTHING,
     "1..256 (default: as many as the computer has); the result is the same", 0},
    {"--shot", "PNG[@S]", DRIVE, CLI_SHOT, RUN(shot), 0, SECONDS_MOST, CLI_NEEDS_NOTHING,
     "write a picture, at simulated second S or at the end", 0},
    {"--camera", "VIEW", DRIVE, CLI_CAMERA, RUN(camera), 0, 0, CLI_NEEDS_NOTHING,
     "headless: view of the picture: around (default), behind, cab, bucket, boom, plan, section,\n"
     "rear or free", 0},
    {"--picture", "PNG@S", EXPORT, CLI_STILL, 0, 0, SECONDS_MOST, CLI_NEEDS_NOTHING,
     "a picture of simulated second S; PNG@S,VIEW: seen from there, as --camera says, or from a place on\n"
     "the site: free=X,Y,Z,X,Y,Z of the eye and of what it looks at, m; repeatable", 0},
    {"--ground", "FILE@S", EXPORT, CLI_GROUND, 0, 0, SECONDS_MOST, CLI_NEEDS_NOTHING,
     "the ground of simulated second S with the grains on it, for survey programs: a GeoTIFF (.tif), ESRI\n"
     "ASCII grid (.asc), LandXML (.xml), DXF (.dxf) or list of points (.xyz), in the survey's coordinates\n"
     "where the exercise has one; FILE@S,WHAT: start, design, firm (the highest intact ground) or a\n"
     "soil (the top of its highest layer); FILE@S,site: in the site's own coordinates; repeatable", 0},
    {"--quality", "Q", EXPORT, CLI_QUALITY, RUN(quality), 0, 0, CLI_NEEDS_CAMERA,
     "film, pictures: high (default; of --cameras low) or low", 0},
    {"--camera", "VIEW", EXPORT, CLI_FILM_CAMERA, 0, 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: around (default), behind, cab, bucket, boom, plan, section, rear or free, or from a\n"
     "place on the site: free=X,Y,Z,X,Y,Z", 0},
    {"--rear", "WHEN", DRIVE | MENU | REPLAY, CLI_VIEW, RUN(views.rear), 0, 0, CLI_NEEDS_NOTHING,
     "rear camera in a corner of the picture: off, auto (while the machine goes back or swings) or\n"
     "on (default: as the settings say, else off; F9)", 0},
    {"--inset", "VIEW", DRIVE | MENU | REPLAY, CLI_VIEW, RUN(views.inset), 0, 0, CLI_NEEDS_NOTHING,
     "another camera in a corner of the picture: off, or as --camera (F10)", 0},
    {"--mirrors", "M", DRIVE | MENU | REPLAY, CLI_VIEW, RUN(views.mirrors), 0, 0, CLI_NEEDS_NOTHING,
     "the cab's mirrors: auto (default: at high quality), off or on", 0},
    {"--screens", "N", DRIVE | MENU | REPLAY, CLI_VIEW, RUN(views.screens), 0, 0, CLI_NEEDS_NOTHING,
     "1, or 3 screens side by side, turned to each other, that the picture goes over", 0},
    {"--eyes", "N", DRIVE | MENU | REPLAY, CLI_VIEW, RUN(views.eyes), 0, 0, CLI_NEEDS_NOTHING,
     "1, or 2 pictures side by side, for the left and the right eye", 0},
    {"--window", "VIEW[@D]", DRIVE | MENU | REPLAY, CLI_WINDOW, RUN(windows), 0, 0, CLI_NEEDS_WINDOW,
     "another window with a camera of its own, as --camera names it, up to three times; with @D it fills\n"
     "the display D, from 1 on (N opens and closes them)", 0},
    {"--rear", "WHEN", EXPORT, CLI_VIEW, RUN(views.rear), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: rear camera in a corner: off (default), auto (while the machine goes back or\n"
     "swings) or on", 0},
    {"--inset", "VIEW", EXPORT, CLI_VIEW, RUN(views.inset), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: another camera in a corner: off, or as --camera", 0},
    {"--mirrors", "M", EXPORT, CLI_VIEW, RUN(views.mirrors), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: the cab's mirrors: auto (default: at high quality), off or on", 0},
    {"--screens", "N", EXPORT, CLI_VIEW, RUN(views.screens), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: 1, or 3 screens side by side", 0},
    {"--eyes", "N", EXPORT, CLI_VIEW, RUN(views.eyes), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: 1, or 2 side by side, for the left and the right eye", 0},
    {"--quality", "Q", DRIVE | MENU | REPLAY, CLI_QUALITY, RUN(quality), 0, 0, CLI_NEEDS_NOTHING,
     "auto (default, unless the settings say otherwise): high, in a window medium or low once pictures\n"
     "take too long; high; medium, for slow graphics cards; or low, for computers that draw in software", 0},
    {"--quality", "Q", DOCTOR, CLI_QUALITY, RUN(quality), 0, 0, CLI_NEEDS_NOTHING,
     "whose pictures are timed: auto, high, medium or low (default: as the settings say)", 0},
    {"--size", "WxH", DRIVE, CLI_SIZE, RUN(width), 16, 8192, CLI_NEEDS_NOTHING,
     "headless: size of the picture, 16..8192 pixels each (default 1280x720)", 0},
    {"--size", "WxH", EXPORT, CLI_SIZE, RUN(width), 16, 8192, CLI_NEEDS_DRAWING,
     "film, pictures: pixels, 16..8192 each, of a film even numbers (default 1280x720)", 0},
    {"--panels", "P", DRIVE, CLI_PANELS, RUN(panels), 0, 0, CLI_NEEDS_PICTURE,
     "headless: panels over the picture: strip, all, or off (default); a window's has what F2 chose", 0},
    {"--panels", "P", EXPORT, CLI_PANELS, RUN(panels), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: panels over them: strip, all, or off (default)", 0},
    {"--plain", NULL, DRIVE, CLI_FLAG, RUN(plain), 0, 0, CLI_NEEDS_PICTURE, "the same as --panels off", 0},
    {"--plain", NULL, EXPORT, CLI_FLAG, RUN(plain), 0, 0, CLI_NEEDS_DRAWING, "the same as --panels off", 0},
    {"--overlay", NULL, DRIVE, CLI_FLAG, RUN(overlay), 0, 0, CLI_NEEDS_PICTURE,
     "debug view of the soil: in the picture, in the window from the start (F3)", 0},
    {"--overlay", NULL, MENU | REPLAY, CLI_FLAG, RUN(overlay), 0, 0, CLI_NEEDS_WINDOW,
     "debug view of the soil from the start (F3)", 0},
    {"--overlay", NULL, EXPORT, CLI_FLAG, RUN(overlay), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: with the debug view of the soil", 0},
    {"--cut-fill", NULL, DRIVE, CLI_FLAG, RUN(cut_fill), 0, 0, CLI_NEEDS_PICTURE,
     "ground to cut orange, to fill blue: in the picture, in the window from the start (F8)", 0},
    {"--cut-fill", NULL, MENU | REPLAY, CLI_FLAG, RUN(cut_fill), 0, 0, CLI_NEEDS_WINDOW,
     "ground to cut orange, to fill blue, from the start (F8)", 0},
    {"--cut-fill", NULL, EXPORT, CLI_FLAG, RUN(cut_fill), 0, 0, CLI_NEEDS_DRAWING,
     "film, pictures: ground to cut orange, to fill blue", 0},
    {"--volume", "V", DRIVE | MENU | REPLAY, CLI_REAL, RUN(volume), 0, 1, CLI_NEEDS_WINDOW,
     "window: loudness of the sound, 0..1 (default: the settings', 0.7; F6 switches it off and on)", 0},
    {"--mute", NULL, DRIVE | MENU | REPLAY, CLI_FLAG, RUN(mute), 0, 0, CLI_NEEDS_NOTHING, "no sound", 0},
    {"--axes", NULL, DRIVE | MENU, CLI_FLAG, RUN(axes), 0, 0, CLI_NEEDS_NOTHING,
     "window: what each lever and axis does, from the start (F4)", 0},
    {"--no-briefing", NULL, RUNS | MENU, CLI_FLAG, RUN(no_briefing), 0, 0, CLI_NEEDS_NOTHING,
     "window: start at once, without the page that tells about the exercise", 0},
    {"--no-rumble", NULL, DRIVE | MENU | REPLAY, CLI_FLAG, RUN(no_rumble), 0, 0, CLI_NEEDS_NOTHING,
     "pads and joysticks do not shake", 0},
    {"--trainee", "NAME", DRIVE | MENU, CLI_TEXT, RUN(trainee), 0, 0, CLI_NEEDS_NOTHING,
     "who drives: stored in the recording and the results", 0},
    {"--results", "DB", DRIVE | MENU | SERVE, CLI_TEXT, RUN(results), 0, 0, CLI_NEEDS_NOTHING,
     "file of results that takes the attempt, or the server of shared ones, postgresql://USER@HOST/NAME\n"
     "(default, in the window and with --trainee: spadework/results.db in the user's data folder)", 0},
    {"--language", "NAME", DRIVE | MENU | REPLAY | EXPORT | PREVIEW | REPORT | VOLUME | LIST, CLI_TEXT, RUN(language),
     0, 0, CLI_NEEDS_NOTHING,
     "language of texts: en, de or es (default: the settings', else the environment's)", 0},
    {"--course", "NAME", DRIVE, CLI_INPUT, RUN(course), 0, 0, CLI_NEEDS_NOTHING,
     "course of the scene, a name (spadework list courses) or a file: passing it is progress there", 0},
    {"--keep", NULL, DRIVE, CLI_FLAG, RUN(keep), 0, 0, CLI_NEEDS_NOTHING,
     "with any operator: recorded into the recordings folder and stored among the results, as a\n"
     "person's drive in the window is; an expert's run kept so is what debriefs compare with", 0},
    {"--no-record", NULL, DRIVE | MENU | SERVE, CLI_FLAG, RUN(no_record), 0, 0, CLI_NEEDS_NOTHING,
     "window: what a person drives is neither recorded nor stored unasked", 0},
    {"--trainee", "NAME", RESULTS, CLI_TEXT, RUN(trainee), 0, 0, CLI_NEEDS_NOTHING,
     "attempts, or courses, of one trainee", 0},
    {"--class", "NAME", RESULTS, CLI_TEXT, PLACE(class_name), 0, 0, CLI_NEEDS_NOTHING,
     "attempts, or trainees, of one class", 0},
    {"--scene", "NAME", RESULTS, CLI_TEXT, PLACE(result_scene), 0, 0, CLI_NEEDS_NOTHING, "attempts at one scene", 0},
    {"--course", "NAME", RESULTS, CLI_INPUT, RUN(course), 0, 0, CLI_NEEDS_NOTHING,
     "progress: the exercises of this course alone, in its order, driven or not", 0},
    {"--csv", NULL, RESULTS, CLI_FLAG, PLACE(result_csv), 0, 0, CLI_NEEDS_NOTHING,
     "attempts as CSV: a row each, a column a figure", 0},
    {"--xapi", NULL, RESULTS, CLI_FLAG, PLACE(result_xapi), 0, 0, CLI_NEEDS_NOTHING,
     "attempts as statements of the Experience API 1.0.3, for learning platforms", 0},
    {"--restore", NULL, RESULTS, CLI_FLAG, PLACE(restore), 0, 0, CLI_NEEDS_NOTHING,
     "import-class, add: people who were deleted come back with what they drove before", 0},
    {"--dry-run", NULL, RESULTS, CLI_FLAG, PLACE(dry_run), 0, 0, CLI_NEEDS_NOTHING,
     "delete, purge: tells what would be deleted, and deletes nothing", 0},
    {"--yes", NULL, RESULTS, CLI_FLAG, PLACE(yes), 0, 0, CLI_NEEDS_NOTHING,
     "delete: does not ask, as it does at a terminal", 0},
    {"--json", NULL, RESULTS, CLI_FLAG, RUN(json), 0, 0, CLI_NEEDS_NOTHING, "attempts, trainees or courses as JSON", 0},
    {"--results", "DB", RESULTS, CLI_TEXT, RUN(results), 0, 0, CLI_NEEDS_NOTHING,
     "file of results, or the server of shared ones, postgresql://USER@HOST/NAME\n"
     "(default: spadework/results.db in the user's data folder)", 0},
    {"--keep-going", NULL, DRIVE, CLI_FLAG, RUN(keep_going), 0, 0, CLI_NEEDS_NOTHING,
     "drive on without a recording or telemetry that can no longer be written (disk full)", 0},
    {"--headless", NULL, DRIVE, CLI_FLAG, RUN(headless), 0, 0, CLI_NEEDS_NOTHING, "no window", 0},
    {"--headless", NULL, REPLAY, CLI_FLAG, RUN(headless), 0, 0, CLI_NEEDS_VERIFY,
     "with --verify, which opens no window anyway", 0},
    {"--json", NULL, DRIVE, CLI_FLAG, RUN(json), 0, 0, CLI_NEEDS_NOTHING, "headless: summary as JSON", 0},
    {"--json", NULL, REPLAY, CLI_FLAG, RUN(json), 0, 0, CLI_NEEDS_VERIFY, "with --verify: result as JSON", 0},
    {"--json", NULL, CHECK | LIST | EXPORT | REFERENCE | VOLUME | DOCTOR, CLI_FLAG, RUN(json), 0, 0, CLI_NEEDS_NOTHING,
     "the answer as JSON", 0},
    {"--progress", NULL, DRIVE, CLI_FLAG, RUN(progress), 0, 0, CLI_NEEDS_NOTHING,
     "headless: progress bar although stderr is no terminal", 0},
    {"--progress", NULL, EXPORT, CLI_FLAG, RUN(progress), 0, 0, CLI_NEEDS_NOTHING,
     "progress bar although stderr is no terminal", 0},
    {"--threads", "N", RESCORE, CLI_COUNT, RUN(threads), 1, 64, CLI_NEEDS_NOTHING,
     "recordings at a time, 1..64 (default: as many as the computer has processors)", 0},
    {"--json", NULL, RESCORE, CLI_FLAG, RUN(json), 0, 0, CLI_NEEDS_NOTHING, "the answer as JSON", 0},
    {"--progress", NULL, RESCORE | CHECK | REPORT, CLI_FLAG, RUN(progress), 0, 0, CLI_NEEDS_NOTHING,
     "progress although stderr is no terminal", 0},
    {"--progress", NULL, REPLAY, CLI_FLAG, RUN(progress), 0, 0, CLI_NEEDS_VERIFY,
     "with --verify: progress bar although stderr is no terminal", 0},
    {"--seed", "N", RUNS, CLI_SEED, RUN(seed), 0, 0, CLI_NEEDS_NOTHING,
     "0..2^63-1 instead of the scene's", RUN(has_seed)},
    {"--solver", "NAME", RUNS, CLI_SOLVER, RUN(solver), 0, 0, CLI_NEEDS_NOTHING, "default, p2 or gs", 0},
    {"--set", "KEY=VALUE", RUNS, CLI_SET, RUN(set), 0, 0, CLI_NEEDS_NOTHING,
     "any key of the scene, dotted (ground.layers.1.soil=sand); repeatable", 0},
};
const int cli_option_count = sizeof cli_options / sizeof cli_options[0];
static_assert(sizeof cli_options / sizeof cli_options[0] <= (size_t)CLI_MOST_OPTIONS, "the parser has a flag for each");

const CliCommandRow cli_commands[] = {
    {CLI_MENU, "menu", "[options]", "[menu]", "the window: pick a scene, drive",
     "The window: pick a scene, drive, watch what was driven.\n", 0, NULL, false},
    {CLI_RUN, "run", "SCENE [options]", "run SCENE [options]", "drive one scene (a name under data/scenes, or a file)",
     "Drives one scene: a name under data/scenes (see: spadework list scenes) or a file.\n"
     "Headless without --seconds: until the exercise is finished, the script ends or the scene's\n"
     "time limit. Ctrl-C, kill and a closed terminal end it in good order; a second time, at once.\n",
     RUN(scene), "a SCENE (see: spadework list scenes)", true},
    {CLI_REPLAY, "replay", "REC [options]", "replay REC [--verify] [--from S]",
     "watch a recording, or verify it tick by tick",
     "Watches a recording in a window; with --verify replays it and compares every tick.\n",
     PLACE(recording), "a recording", false},
    {CLI_RESUME, "resume", "REC --at S [options]", "resume REC --at S [options]", "take a recording over at second S",
     "Takes a recording over at simulated second S. The new recording names its parent; without --record it is\n"
     "numbered beside it (dig.spade: dig-2.spade). Scene, seed and solver are the recording's. A script's times count\n"
     "from the start of the recording.\n",
     PLACE(recording), "a recording", false},
    {CLI_CHECK, "check", "FILE... [options]", "check FILE...", "check YAML files and recordings",
     "Checks YAML files, recordings, and scenes by their names: `file:line:column: message`, exit 1 when any\n"
     "is bad. What is allowed and cannot work (a target out of reach, a dump on the trench) is a warning.\n",
     0, "a file", true},
    {CLI_LIST, "list",
     "KIND", "list KIND", "what there is of a kind",
     "One a line: name and title. KIND is scenes, machines, soils, controls, meshes, attachments, couplers, experts,\n"
     "courses, surfaces, heights or conditions.\n", PLACE(kind),
     "scenes, machines, soils, controls, meshes, attachments, experts, courses, surfaces, heights, conditions or "
     "couplers",
     false},
    {CLI_EXPORT, "export",
     "REC... [--ply DIR] [--csv FILE] [--mcap FILE] [--video FILE] [--ground FILE@S] [--hdf5 FILE]",
     "export REC... --csv FILE | --hdf5 FILE | --mcap OUT.mcap | --video OUT.mp4",
     "telemetry, demonstrations, messages for Foxglove, a film",
     "Replays a recording without a window and writes what it holds for other programs. --hdf5 takes any number of\n"
     "recordings.\n",
     0, "a recording", true},
    {CLI_RESCORE, "rescore", "REC... [--scene SCENE] [options]", "rescore REC... [--scene SCENE]",
     "score recordings anew",
     "Scores recordings anew, by their own rules or by those of another scene on the same site, on all processors.\n"
     "Where only the rules differ, the recorded figures are weighed; where the work differs, the recording is\n"
     "replayed. Recordings are not changed.\n",
     0, "a recording", false},
    {CLI_REPORT, "report", "REC [OTHER...] -o OUT.html | --pdf OUT.pdf", "report REC [OTHER...] -o OUT.html",
     "debrief: what was done, what it was worth, what it cost",
     "Writes the debrief of a recording: score with its formulas, phases, ways, cut and fill, loads, pressures,\n"
     "events and what cost most. It is compared with the other recordings that are named, or else with the expert's\n"
     "run of the scene and the trainee's last attempts before it, as the results know them.\n",
     0, "a recording", false},
    {CLI_PREVIEW, "preview", "SCENE -o PLAN.png|PLAN.svg", "preview SCENE -o PLAN.png",
     "the plan of a scene as a picture",
     "Draws the plan of a scene to scale: site, heaps, work, targets, persons, things and machine.\n", RUN(scene),
     "a SCENE (see: spadework list scenes)", true},
    {CLI_MODEL, "model", "MACHINE --urdf DIR | --gltf FILE.glb [options]", "model MACHINE --urdf DIR | --gltf FILE.glb",
     "a machine for ROS, Gazebo, MuJoCo, Blender",
     "Writes a machine, a name under data/machines or a file, for other programs: bodies with masses and meshes,\n"
     "joints with axes and limits, which take the angles of telemetry as they are. Both may be given.\n",
     PLACE(machine), "a MACHINE (see: spadework list machines)", true},
    {CLI_VOLUME, "volume", "FROM TO [-o OUT.pdf]", "volume FROM TO -o OUT.pdf", "cut and fill between two surfaces",
     "Compares two surfaces of survey files, as the ground before and after a drive (export --ground): volumes of cut\n"
     "and fill, where they are greatest, and what is equal. Of a file with several surfaces FILE#SURFACE names one.\n",
     0, "two survey files", true},
    {CLI_TEXTS, "texts", "[SCENE...]", "texts [SCENE...]", "the words of exercises, for translators",
     "Prints the words of the scenes, of all shipped ones when none is named, as a template for translators (gettext\n"
     "PO). Translations lie under data/texts.\n",
     0, NULL, false},
    {CLI_NEW, "new", "exercise --from SCENE NAME | course NAME [options]",
     "new exercise --from SCENE NAME | course NAME", "a scene or a course of your own",
     "Writes a commented copy of a scene, or a course to begin with, into your folder of scenes or courses\n"
     "($XDG_DATA_HOME/spadework/scenes, courses, else ~/.local/share/spadework/...), which is made when it is\n"
     "missing: above each key stands its unit, what is allowed and what it means. A scene is driven by its name\n"
     "(spadework run NAME); a course is in the menu, on the instructor's page and in: spadework list courses.\n"
     "Names of shipped and shared files are refused; a file that exists is left alone.\n",
     0, "exercise --from SCENE NAME, or course NAME", true},
    {CLI_REFERENCE, "reference", 
     "scene|machine|attachment|coupler|truck|soil|controls|expert|course|settings [options]",
     "reference scene|machine|attachment|coupler|truck|soil|controls|expert|course|settings", "",
     "Prints every key that such a file may hold: where it stands, type, unit, what is allowed, what it is when\n"
     "left out, and what it means.\n",
     PLACE(kind), 
     "a kind of file: scene, machine, attachment, coupler, truck, soil, controls, expert, course or settings", true},
    {CLI_CALIBRATE, "calibrate", "MAP.yaml [options]", "calibrate MAP.yaml",
     "move your levers and pedals, get a control map for them",
     "Asks you to move each lever and pedal of your joysticks, and writes a control map for them; --controls bhl\n"
     "for the backhoe pattern. Drive with it: spadework run SCENE --controls ./MAP.yaml. A file that exists is\n"
     "left alone.\n",
     PLACE(map), "a file to write (my-joysticks.yaml)", true},
    {CLI_RESULTS, "results", "[VERB] [options]", "results [VERB] [options]",
     "who drove what and how well",
     "Lists attempts, the oldest first. With a verb:\n"
     "  verify                            replays the recordings and compares: every attempt is proven, or not\n"
     "  trainees                          who there is\n"
     "  class add|remove NAME TRAINEE     into a class, out of it\n"
     "  courses                           which scenes of courses are passed\n"
     "  comment ATTEMPT TEXT              what an instructor says of it; \"\" takes it away. ATTEMPT is its\n"
     "                                    uuid, its recording, or last (of --trainee, --class, --scene)\n"
     "  grade ATTEMPT GRADE               a grade as your school has them, 0..15 bytes\n"
     "  progress TRAINEE FILE.svg|.png    a picture of his points beside his class and the expert,\n"
     "                                    of one course with --course\n"
     "  export-class NAME FILE.json       a class with all its results\n"
     "  import-class FILE.json            the same, in; what is known already is left\n"
     "  add RECORDING...                  the attempts of recordings that the results lack, by their seals\n"
     "  delete TRAINEE                    with all results, and the recordings that lie here; tells what it did,\n"
     "                                    station by station, and what it cannot reach\n"
     "  purge                             recordings here of people who were deleted at another station\n"
     "  send                              what waits here, to the server of shared results\n",
     0, NULL, true},
    {CLI_STATION, "station", "[init NAME | trust KEY NAME]", "station [init NAME | trust KEY NAME]",
     "the key that signs recordings made here",
     "Prints the name and the public key of this computer. With a verb:\n"
     "  init NAME         makes a key; recordings made from then on are signed\n"
     "  trust KEY NAME    trusts recordings that another station has signed: the line it prints, from its\n"
     "                    key on\n"
     "The key lies in station.key in the user's data folder, for its owner alone; who has it can sign.\n",
     0, NULL, true},
    {CLI_SERVE, "serve", "[--demo | --classroom --broker URL] [options]", "serve [--demo | --classroom]",
     "a station that an instructor's page runs, or the page of all",
     "Serves the instructor's console and drives the scenes that are loaded there, in a window, or with --headless\n"
     "without one; --demo shows it with the scripted operator. --classroom shows all stations of an MQTT broker on\n"
     "one page, and opens the console of each. The address with the page's token is printed.\n",
     0, NULL, true},
    {CLI_ENV, "env", "--listen ADDRESS [options]", "env --listen ADDRESS",
     "sessions for programs, over a socket",
     "Serves sessions to programs: they create a scene, step it as fast as they like, read, save, restore, record and\n"
     "draw it (docs/environment-server.md). A session stands at its tick while nobody steps it, and is closed\n"
     "with the connection that made it. Address and token are printed. Ctrl-C and kill end it in good order,\n"
     "with code 0.\n",
     0, NULL, true},
    {CLI_DOCTOR, "doctor", "[options]", "doctor [options]", "what this computer lacks for a drive, or does slowly",
     "Looks at processors, display, OpenGL, pads, sound, disk, folders, libraries and programs, and drives a scene\n"
     "and draws it for some seconds each. Each line says good, slow or missing, what was found, and what to do.\n"
     "Exit code 0: a drive in the window can run, be it slowly; 4: it cannot (commands without a window may).\n",
     0, NULL, false},
};
const int cli_command_count = sizeof cli_commands / sizeof cli_commands[0];
// clang-format on

const CliCommandRow *cli_command_row(CliCommand command)
{
    for (int k = 0; k < cli_command_count; k++) {
        if (cli_commands[k].command == command) {
            return &cli_commands[k];
        }
    }
    return NULL;
}

/// ---- output --------------------------------------------------------------------------------------------------------

#define SHOW_EVERY 0.25 ///< s
#define SHOW_AFTER 1.0 ///< s: what is done sooner needs no line

int cli_fail(const Status *status)
{
    fprintf(stderr, "spadework: %s\n", status->text);
    return (int)status->code;
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return STATUS_GOOD;
    }
    fprintf(stderr, "spadework: the output cannot be written: %s\n", strerror(errno));
    return STATUS_LACKING;
}

/// ---- JSON ----------------------------------------------------------------------------------------------------------

void cli_print_json(json_t *value)
{
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(value);
}

json_t *cli_json_text(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

json_t *cli_seal_json(const RecordingSeal *seal)
{
    json_t *object = json_object();
    char words[SEAL_WORDS];
    seal_words(seal, true, words, sizeof words);
    json_object_set_new(object, "state", json_string(seal_state_name(seal->state)));
    json_object_set_new(object, "seals", json_integer(seal->count));
    json_object_set_new(object, "closed", json_boolean(seal->closed));
    json_object_set_new(object, "seal", cli_json_text(seal->hash));
    json_object_set_new(object, "signed_by", cli_json_text(seal->station));
    json_object_set_new(object, "station_key", cli_json_text(seal->key));
    json_object_set_new(object, "trusted_station", cli_json_text(seal->trusted));
    json_object_set_new(object, "change", seal->state == RECORDING_CHANGED ? json_string(words) : json_null());
    return object;
}

/// ---- progress ------------------------------------------------------------------------------------------------------

bool cli_shows_progress(const RunOptions *options)
{
    return options->progress || isatty(STDERR_FILENO) == 1;
}

void cli_show_progress(void *context, int64_t done, int64_t all)
{
    CliProgress *self = context;
    double now = drive_clock();
    self->began = self->began == 0.0 ? now : self->began;
    bool early = !self->at_once && now - self->began < SHOW_AFTER;
    if (early || (now - self->shown < SHOW_EVERY && done < all) || (done == all && !self->visible && !self->at_once)) {
        return;
    }
    self->shown = now;
    self->visible = true;
    int64_t whole = all - self->from, so_far = done - self->from;
    fprintf(stderr, "\r%s %lld of %lld %s (%d %%)%s", self->done, (long long)so_far, (long long)whole, self->what,
            whole > 0 ? (int)(100 * so_far / whole) : 100, done < all ? "" : "\n");
}
