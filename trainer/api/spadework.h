/// Spadework for programs: sessions of the excavator and bulldozer simulator, stepped as fast as the computer can.
///
///     char error[SPADEWORK_TEXT];
///     SpadeworkParams params = SPADEWORK_PARAMS;
///     params.scene = "trench";
///     Spadework site;
///     if (spadework_create(&params, &site, error) != SPADEWORK_GOOD) {
///         fprintf(stderr, "%s\n", error);
///     }
///     double levers[6] = {0.0, 0.0, 0.3}; // swing, stick, boom ...: the names are in spadework_info
///     spadework_step(site, levers, 6, 3); // three ticks of 1/60 s
///     spadework_observe(site, values, count);
///     spadework_close(site);
///
/// Results    Every function returns a SpadeworkResult, 0 for success, or a size. The session's spadework_error says in
///            one line what was read, what is allowed and what to do. A call that fails changes nothing, unless its
///            comment says so.
/// Physics    A session makes the same bits from the same scene, overrides, seed, levers and orders on every x86-64
///            computer, with any number of threads, beside any other sessions of the process, and whatever
///            floating-point mode the host has set: every call sets the default mode and gives the host's back. No
///            clock enters it.
/// Threads    Any thread may call with any session, one at a time for each session: SPADEWORK_BUSY says that another
///            call on it has not returned. Sessions do not share anything. A process that fork made may use only the
///            sessions that it creates itself. Calling threads need 64 kB of stack.
/// Frames     World: x east, y north, z up, origin in the middle of the site; m, rad, s, kg, N, Pa. A heading counts
///            from x towards y.
/// Ownership  What is passed in is read during the call alone; results are written into the caller's memory.
/// Memory     SPADEWORK_NO_MEMORY, never an abort, where the soil or this library gets none: then the session has
///            failed, and can be restored, reset or closed. ODE and libyaml are libraries of others, and what they do
///            without memory is theirs.
/// Versions   spadework_abi: a major number that differs breaks programs, a higher minor one adds. Structs begin with
///            their size, so that they can grow.
#ifndef SPADEWORK_H
#define SPADEWORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SPADEWORK_API __attribute__((visibility("default")))
#else
#define SPADEWORK_API
#endif

#define SPADEWORK_ABI_MAJOR 0
#define SPADEWORK_ABI_MINOR 1

/// A session; 0 is none. Numbers are never used again, so a closed session's number is refused for ever.
typedef uint64_t Spadework;

enum {
    SPADEWORK_TEXT = 1024, ///< bytes that hold any error, with the NUL
    SPADEWORK_NAME = 64, ///< bytes that hold any name
    SPADEWORK_SENTENCE = 400, ///< bytes that hold an event's sentence
    SPADEWORK_NUMBERS = 32, ///< numbers of an event, of which info lists those in use
    SPADEWORK_PARTICLE = 9, ///< numbers of a particle
    SPADEWORK_MOST_TICKS = 1000000 ///< of one step
};

typedef enum SpadeworkResult {
    SPADEWORK_GOOD = 0,
    SPADEWORK_BAD_ARGUMENT = 1, ///< a length, a range, a number that is not finite, NULL where something is needed
    SPADEWORK_BAD_FILE = 2, ///< a scene, an override or a file that it names is wrong
    SPADEWORK_BAD_STATE = 3, ///< bytes that are no state, or one of another scene or version
    SPADEWORK_CLOSED = 4, ///< no session of this number is open
    SPADEWORK_BUSY = 5, ///< a call on this session has not returned yet, in another thread
    SPADEWORK_NO_MEMORY = 6, ///< memory or threads lack
    SPADEWORK_FAILED = 7, ///< memory lacked in a tick: restore, reset or close the session
    SPADEWORK_CANNOT = 8, ///< the computer lacks something: a disk's room, OpenGL, the library for it
    SPADEWORK_NOT_NOW = 9 ///< the session records, or does not
} SpadeworkResult;

/// SPADEWORK_ABI_MAJOR << 16 | SPADEWORK_ABI_MINOR of the library. Compare it with the header's.
SPADEWORK_API uint32_t spadework_abi(void);

/// ---- life ----------------------------------------------------------------------------------------------------------

/// A text in place of a file, as spadework_files gives it: what a session was made of.
typedef struct SpadeworkFile {
    const char *kind; ///< folder under the data: "scenes", "machines", "soils", ...
    const char *name; ///< without folder and suffix
    const char *text; ///< [size] bytes
    size_t size;
} SpadeworkFile;

/// Begin with SPADEWORK_PARAMS, which fills in the defaults.
typedef struct SpadeworkParams {
    size_t size; ///< of this struct
    const char *scene; ///< a name (`spadework list scenes`) or the path of a file; not read when there are files
    const char *const *overrides; ///< [override_count] "KEY=VALUE", keys of the scene, dotted: "machine.x=2.5"
    size_t override_count; ///< 0..256
    const SpadeworkFile
        *files; ///< [file_count] texts that another session was made of, in place of scene and overrides
    size_t file_count; ///< 0..20
    int64_t seed; ///< 0 or more; -1: the scene's own
    int32_t threads; ///< 1..256: of the soil; no result depends on it. Default 1: many sessions fill the processors
    int32_t
        questions; ///< 0: the exercise's questions are answered before the session is handed over; 1: they are asked
    const char *const *actions; ///< [action_count] names of the levers that a step is given, in their order
    size_t action_count; ///< 0: all that act on the machine, but throttle and horn
    const char *data_folder; ///< of scenes, machines, soils; NULL: $SPADEWORK_DATA, else beside the library
} SpadeworkParams;
#define SPADEWORK_PARAMS                                                                                               \
    {                                                                                                                  \
        sizeof(SpadeworkParams), NULL, NULL, 0, NULL, 0, -1, 1, 0, NULL, 0, NULL                                       \
    }

/// Makes a session, which stands at its start. Write a text into `error` [SPADEWORK_TEXT] (or NULL) when it fails. The
/// data folder is the process's: the first session that gives one sets it for all that follow.
SPADEWORK_API int spadework_create(const SpadeworkParams *params, Spadework *session, char *error);
/// Ends a recording (as spadework_record_end) and frees the session. A second call returns SPADEWORK_CLOSED.
SPADEWORK_API int spadework_close(Spadework session);
/// The text of the last call on this session that failed, "" when none has; NUL-terminated, cut to `size`.
SPADEWORK_API int spadework_error(Spadework session, char *text, size_t size);

/// Writes a JSON object (UTF-8, NUL-terminated) into json[size] when it has room. Returns the bytes that it needs with
/// the NUL; 0: failed.
///     "abi", "version", "semantics" (recordings and states fit when equal), "ode", "processor"
///     "scene": name, title, description, seed, files; "dt" s a tick; "tick_rate"; "machine"; "start_tick"
///     "actions": name, low, high, neutral, what positive values do; "axes": every lever, and whether it acts
///     "observation": name, unit, low, high, phrase (meaning) of each number that spadework_observe writes
///     "exercise": the same of spadework_exercise, with a phrase and `live` (true in every tick, or taken by surveys)
///     "events": kinds with their phrases; "event_numbers": name and unit
///     "faults": name, unit, low, high, value that ends it, parts
///     "cameras", "site", "design", "trucks", "questions", "time_limit", "particle"
SPADEWORK_API size_t spadework_info(Spadework session, char *json, size_t size);
/// Writes text `index` (from 0) of those that the session was made of: pass them to spadework_create to make it again
/// anywhere. `kind` and `name` are [SPADEWORK_NAME] or NULL. Returns the bytes of the text, which is written when
/// text[size] has room; 0: there is none.
SPADEWORK_API size_t spadework_file(Spadework session, size_t index, char *kind, char *name, char *text, size_t size);

/// ---- stepping ------------------------------------------------------------------------------------------------------

/// Puts the session to its start. seed: NULL keeps the seed; another one gives what spadework_create would, without
/// reading files again. Ends a recording. A failed reset leaves a session to be reset again or closed.
SPADEWORK_API int spadework_reset(Spadework session, const int64_t *seed);
/// Makes `ticks` (1..SPADEWORK_MOST_TICKS) ticks with these levers, which are held. All that is read afterwards is the
/// state after the last of them.
/// levers  [count] -1..1, in the order of the actions of spadework_info; they are rounded to 1/32767
SPADEWORK_API int spadework_step(Spadework session, const double *levers, size_t count, int64_t ticks);
/// Steps n different sessions, each by the same number of ticks, on `threads` threads (1..256; the caller's is one).
/// levers   [n][count]; every session takes `count` levers
/// results  [n] or NULL: what spadework_step would return for each
/// Returns the first result that is not SPADEWORK_GOOD; the others are stepped all the same. SPADEWORK_BAD_ARGUMENT,
/// and none is stepped, where one stands twice.
SPADEWORK_API int spadework_step_many(const Spadework *sessions, size_t n, const double *levers, size_t count,
                                      int64_t ticks, int32_t threads, int32_t *results);
/// A fault of the machine, a truck's driver who stops, a person who walks in: acts from the next tick on, and is
/// recorded. part: as info lists it, "" where it has none.
SPADEWORK_API int spadework_order(Spadework session, const char *fault, const char *part, double value);

/// ---- reading -------------------------------------------------------------------------------------------------------

/// Ticks since the scene's beginning; a session whose questions are answered for it starts later than 0.
SPADEWORK_API int spadework_tick(Spadework session, int64_t *tick);
/// Writes machine, tool and loads: values[count], as many as info's "observation".
SPADEWORK_API int spadework_observe(Spadework session, double *values, size_t count);
/// Writes the terms of the work: values[count], as many as info's "exercise". Costs more than spadework_observe where
/// the scene has a design, whose cut and fill are measured anew.
SPADEWORK_API int spadework_exercise(Spadework session, double *values, size_t count);

/// Where a patch's middle and direction are counted from.
typedef enum SpadeworkFrame {
    SPADEWORK_WORLD = 0,
    SPADEWORK_MACHINE = 1, ///< the middle of the tracks, and their heading
    SPADEWORK_HOUSE = 2, ///< the middle of the tracks, and where the boom (of a dozer: the machine) points
    SPADEWORK_TOOL = 3 ///< below the tool's edge, and where the boom points
} SpadeworkFrame;
/// A rectangle of points at which heights are read. Point (row, column) lies (column - (columns - 1) / 2) x spacing
/// ahead of the middle along the heading and (row - (rows - 1) / 2) x spacing to its left.
typedef struct SpadeworkPatch {
    size_t size; ///< of this struct
    int32_t frame; ///< SpadeworkFrame
    int32_t rows, columns; ///< 1..512 each
    double x, y; ///< m: the middle, in that frame
    double heading; ///< rad, in that frame
    double spacing; ///< m, 0.01..10
} SpadeworkPatch;
#define SPADEWORK_PATCH                                                                                                \
    {                                                                                                                  \
        sizeof(SpadeworkPatch), SPADEWORK_HOUSE, 64, 64, 0.0, 0.0, 0.0, 0.1                                            \
    }
enum {
    SPADEWORK_ON_SITE = 1, ///< the point lies on the site; beyond it heights are those of the site's edge
    SPADEWORK_GRAINS = 2, ///< moving grains cover the ground there, and `ground` is their top
    SPADEWORK_DESIGNED = 4 ///< a height is asked for there; elsewhere the design is the same as `ground`
};
/// Writes heights, m, world z: of the ground with the moving grains on it (none that a tool carries or that lie over a
/// truck's bed), of the design, and a mask of the bits above. Each [rows][columns]; design and mask may be NULL.
SPADEWORK_API int spadework_heights(Spadework session, const SpadeworkPatch *patch, float *ground, float *design,
                                    uint8_t *mask);
/// Writes the moving grains, particles[most][SPADEWORK_PARTICLE]: x, y, z, radius (m), vx, vy, vz (m/s), mass (kg),
/// soil (index into the scene's). `count` receives how many there are, also when they are more than `most`.
SPADEWORK_API int spadework_particles(Spadework session, double *particles, size_t most, size_t *count);

typedef struct SpadeworkEvent {
    int64_t tick;
    double time; ///< s
    double points; ///< that it gave, or took (below 0)
    double numbers[SPADEWORK_NUMBERS]; ///< as info's "event_numbers"; what an event is not about is 0
    char kind[SPADEWORK_NAME]; ///< as info's "events": "touch"
    char part[SPADEWORK_NAME], thing[SPADEWORK_NAME]; ///< what acts, what it meets, or ""
    char text[SPADEWORK_SENTENCE]; ///< in English
} SpadeworkEvent;
/// Writes events from number `from` (0: the first since the start) on, at most `most`, in order of time. `count`
/// receives how many there are from that number on.
SPADEWORK_API int spadework_events(Spadework session, size_t from, SpadeworkEvent *events, size_t most, size_t *count);

/// ---- states --------------------------------------------------------------------------------------------------------

/// Writes the whole state into `state` when `size` has room for it; `needed` receives its bytes. With `state` NULL they
/// are counted alone. A state goes into any session of the same scene, overrides and version of semantics, in any
/// process.
SPADEWORK_API int spadework_save(Spadework session, void *state, size_t size, size_t *needed);
/// Continues from a state, bit for bit. Every number is checked before it is used. A state of another scene or version
/// is refused and changes nothing. Damaged bytes are refused, too; those that are forged to fit may leave a session
/// that has failed. Refused while a session records: plan in a second session.
SPADEWORK_API int spadework_restore(Spadework session, const void *state, size_t size);
/// The hash of the state that recordings hold for every tick.
SPADEWORK_API int spadework_hash(Spadework session, uint64_t *hash);

/// ---- recording and pictures: libraries of their own, loaded at the first call --------------------------------------

/// Begins an episode's recording: a new `.spade` file, which `spadework replay`, `report`, `rescore` and `export` read.
/// The session must stand at its start. operator_name: who moves the levers ("policy 3"), or NULL.
SPADEWORK_API int spadework_record(Spadework session, const char *path, const char *operator_name);
/// Ends it. SPADEWORK_CANNOT when something was lost: the file holds what came before.
SPADEWORK_API int spadework_record_end(Spadework session);

/// Begin with SPADEWORK_PICTURE.
typedef struct SpadeworkPicture {
    size_t size; ///< of this struct
    const char *camera; ///< of info's "cameras"; NULL: the operator's
    int32_t width, height; ///< 16..8192 pixels
    int32_t quality; ///< 0 low, 1 medium, 2 high
    int32_t panels; ///< 1: with a strip of gauges and the task
} SpadeworkPicture;
#define SPADEWORK_PICTURE                                                                                              \
    {                                                                                                                  \
        sizeof(SpadeworkPicture), NULL, 320, 240, 0, 0                                                                 \
    }
/// Draws the session's state.
/// rgb    [height][width][3], top row first, or NULL
/// depth  [height][width] m along the camera's axis, or NULL; the sky is INFINITY
SPADEWORK_API int spadework_render(Spadework session, const SpadeworkPicture *picture, uint8_t *rgb, float *depth);

#ifdef __cplusplus
}
#endif

#endif
