/// Exports recordings as demonstrations for imitation learning: HDF5 files in the layouts that ACT and robomimic read,
/// or in groups of its own. docs/demonstrations.md lists the datasets.
///
/// Each session is replayed from its recording alone; each tick's state is compared with the recorded one. Beside the
/// samples a file holds all that is needed to replay the drive to the same bits (hdf5_replay.h).
///
/// One thread of a process at a time: HDF5 is not thread safe (hdf5_file.h). Several processes may export at once.
#ifndef SPADEWORK_TRAINER_EXPORT_HDF5_H
#define SPADEWORK_TRAINER_EXPORT_HDF5_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

/// Layouts: name in C, name on the command line.
#define HDF5_LAYOUTS(X)                                                                                                \
    X(SPADEWORK, "spadework") /* one recording a file: action, observations, task, heights, pictures, events */        \
    X(ACT, "act") /* one recording a file: /action, /observations/qpos, .../images/CAMERA; attribute sim */            \
    X(ROBOMIMIC, "robomimic") /* any number of recordings a file: /data/demo_0, ... with obs and next_obs */

typedef enum Hdf5Layout {
#define X(id, name) HDF5_LAYOUT_##id,
    HDF5_LAYOUTS(X)
#undef X
        HDF5_LAYOUT_COUNT
} Hdf5Layout;
extern const char *const hdf5_layout_names[HDF5_LAYOUT_COUNT];

enum { HDF5_CAMERAS = 8, HDF5_PICTURE_RATE = 10, HDF5_PICTURE_WIDTH = 320, HDF5_PICTURE_HEIGHT = 240 };
enum { HDF5_HEIGHTS = 64 }; ///< rows and columns of a patch, default
#define HDF5_SPACING 0.1 ///< m between its samples, default

/// Draws pictures; the library has no renderer.
typedef struct CameraPainter {
    void *context;
    /// The session's present state from a camera (RenderCamera) as width x height x 3 bytes, top row first. False with
    /// `status` ends the export.
    /// recording  path of the recording that is exported
    bool (*paint)(void *context, const char *recording, Session *session, int camera, unsigned char *rgb,
                  Status *status);
} CameraPainter;

typedef struct Hdf5Params {
    const char *const *recordings; ///< [count] paths, the demonstrations in order
    int count; ///< at least 1; of all layouts but robomimic 1
    const char *path; ///< file to write, over an older HDF5 file alone
    Hdf5Layout layout;
    int rate; ///< samples a second, a divisor of the scene's ticks a second; 0: the ticks a second
    int cameras[HDF5_CAMERAS]; ///< [camera_count] RenderCamera
    int camera_count; ///< 0: no pictures
    int picture_rate; ///< pictures a second; 0: HDF5_PICTURE_RATE at most; of act and robomimic always `rate`
    int width, height; ///< pixels, 16..8192
    CameraPainter painter; ///< for camera_count > 0
    int heights; ///< rows and columns of the patch of heights, 1..GROUND_PATCH_SIDE; 0: none
    double spacing; ///< m between its samples, as GroundPatch
    bool trainee_names; ///< who drove, and what people typed, goes into the file
    int threads; ///< 0 = one for each processor
    void (*progress)(void *context, int recording, int64_t done, int64_t ticks); ///< or NULL
    void *context;
} Hdf5Params;

/// What became of one recording.
typedef struct Hdf5Summary {
    RecordingSeal seal; ///< what its seals say
    int64_t ticks; ///< replayed
    int64_t samples; ///< rows of actions and observations
    int64_t pictures; ///< of all cameras
    int rate; ///< samples a second
} Hdf5Summary;

/// Writes the file as PATH.part and renames it once it is whole. While it grows it is flushed each simulated second,
/// so that a killed export leaves a PATH.part that can be read; its attribute `complete` is false.
/// summaries  [count], out, the caller's
/// False with `status`: a recording is bad (STATUS_BAD_FILE), was changed or replays differently here
/// (STATUS_NOT_VERIFIED), a rate does not fit (STATUS_BAD_USAGE), or the file cannot be written (STATUS_LACKING): then
/// nothing is left of it. Ended by a signal (STATUS_STOPPED): PATH.part stays, up to the last second at least.
bool export_hdf5(const Hdf5Params *params, Hdf5Summary *summaries, Status *status);

#endif
