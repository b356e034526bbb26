/// Replays the drives that an exported HDF5 file holds (export_hdf5.h), from that file alone, and compares each state
/// with the hash that stands in it: the way back from a demonstration to the same bits.
///
/// All that is read is checked before it is used: kinds and sizes of datasets, numbers of ticks, files and orders,
/// levers, the saved state. libhdf5 itself parses the file, as h5py does; it does not promise to withstand files that
/// were made to break it.
///
/// One thread of a process at a time: HDF5 is not thread safe (hdf5_file.h).
#ifndef SPADEWORK_TRAINER_HDF5_REPLAY_H
#define SPADEWORK_TRAINER_HDF5_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/status.h"
#include "trainer/record/record.h"

typedef struct Hdf5Replayed {
    int drives; ///< in the file: 1, or robomimic's demonstrations
    int64_t ticks; ///< replayed and equal, of all drives
    int64_t first_difference; ///< tick whose state differs; -1: none
    int drive; ///< of that tick, from 0
} Hdf5Replayed;

/// True when the file begins as an HDF5 file does.
bool hdf5_is_file(const char *path);

/// Replays every drive of a file.
/// threads   as SessionParams
/// progress  in ticks of one drive; NULL: none
/// False with `status`: no file of this program's, or a damaged one (STATUS_BAD_FILE, with the dataset, what was read
/// and what is allowed), a state that differs (STATUS_NOT_VERIFIED), ended by a signal (STATUS_STOPPED).
bool hdf5_replay(const char *path, int threads, RecordingProgress *progress, void *context, Hdf5Replayed *result,
                 Status *status);

#endif
