/// Writes an HDF5 file: groups, attributes, whole datasets, and arrays that grow by rows (libhdf5's C interface).
///
/// Threads   HDF5 as Debian builds it is not thread safe: one thread of a process at a time calls any of this, for all
///           files. Processes do not disturb each other.
/// Errors    sticky: once something could not be written, every later call of the same file does nothing, and
///           hdf5_good and hdf5_close say what failed first.
/// A kill    What hdf5_flush has written stays readable by any HDF5 library from 1.8 on, although the file was never
///           closed: the format is the earliest one, which has no mark "open for writing", and between two flushes
///           the library writes no metadata (its cache evicts nothing). A reader is refused while the file is open for
///           writing (HDF5 locks it).
#ifndef SPADEWORK_TRAINER_HDF5_FILE_H
#define SPADEWORK_TRAINER_HDF5_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/data_files.h"
#include "data/core/status.h"

enum { HDF5_PATH = 128, HDF5_RANK = 4 };

/// Numbers as they lie in memory and in files, little-endian.
typedef enum Hdf5Type {
    HDF5_UINT8,
    HDF5_INT16,
    HDF5_INT32,
    HDF5_INT64,
    HDF5_UINT64,
    HDF5_FLOAT,
    HDF5_DOUBLE,
    HDF5_TYPES
} Hdf5Type;
size_t hdf5_type_size(Hdf5Type type); ///< bytes
int64_t hdf5_type_id(Hdf5Type type); ///< libhdf5's own, which belongs to the library

/// An open file; zero is a closed one.
typedef struct Hdf5File {
    int64_t id; ///< libhdf5's; 0: closed
    char path[DATA_PATH_LENGTH + 8]; ///< for messages
    bool failed;
    char reason[160]; ///< why, once it failed
} Hdf5File;

/// Makes a new file; one that is there is emptied. False with `status` (STATUS_LACKING).
bool hdf5_create(Hdf5File *file, const char *path, Status *status);
/// Puts all that was added on the disk's queue, so that a kill loses nothing of it.
void hdf5_flush(Hdf5File *file);
/// True while everything could be written; else `status` (STATUS_LACKING).
bool hdf5_good(const Hdf5File *file, Status *status);
/// Closes it. False with `status` (STATUS_LACKING) when something is not in it. A closed file is good.
bool hdf5_close(Hdf5File *file, Status *status);

/// Attributes of the group or dataset at a path; one that is there is written over. Groups on the way to a new one are
/// made. Texts are UTF-8.
void hdf5_group(Hdf5File *file, const char *path);
void hdf5_text(Hdf5File *file, const char *path, const char *name, const char *text);
void hdf5_texts(Hdf5File *file, const char *path, const char *name, const char *const *texts, int count);
void hdf5_real(Hdf5File *file, const char *path, const char *name, double value);
void hdf5_whole(Hdf5File *file, const char *path, const char *name, int64_t value);
void hdf5_unsigned(Hdf5File *file, const char *path, const char *name, uint64_t value);
void hdf5_flag(Hdf5File *file, const char *path, const char *name, bool value); ///< as h5py writes bool

/// A whole dataset of numbers: data [sizes[0]]...[sizes[rank - 1]], rank 1..HDF5_RANK.
void hdf5_data(Hdf5File *file, const char *path, Hdf5Type type, int rank, const uint64_t *sizes, const void *data);
/// A whole dataset of `count` texts of `width` bytes each, NUL-terminated: texts [count][width].
void hdf5_strings(Hdf5File *file, const char *path, const char *texts, int count, int width);

/// A dataset that grows by rows. Rows are gathered and written a chunk or more at a time. Zero is none.
typedef struct Hdf5Array {
    Hdf5File *file;
    int64_t id; ///< libhdf5's
    Hdf5Type type;
    int rank; ///< with the rows
    uint64_t sizes[HDF5_RANK]; ///< sizes[0]: rows in the file
    size_t row_size; ///< bytes
    unsigned char *pending; ///< [room] rows that are not in the file yet
    int held, room;
} Hdf5Array;

/// Makes an array of rows of sizes[0]..sizes[rank - 1] (rank 0: a number each), compressed (shuffle, gzip).
/// chunk  rows in a chunk;   room  rows that are gathered, at least 1
void hdf5_array(Hdf5File *file, Hdf5Array *array, const char *path, Hdf5Type type, int rank, const uint64_t *sizes,
                int chunk, int room);
void hdf5_add(Hdf5Array *array, const void *row); ///< the type's numbers as they lie in memory; copied
void hdf5_write_out(Hdf5Array *array); ///< puts what is gathered into the file
void hdf5_array_close(Hdf5Array *array); ///< with all of its rows

#endif
