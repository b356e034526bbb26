/// Data files: where they are, and the texts of those that a scene was made of. A recording keeps these texts and needs
/// no other file.
#ifndef SPADEWORK_DATA_DATA_FILES_H
#define SPADEWORK_DATA_DATA_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum { DATA_MAX_FILES = 24, DATA_PATH_LENGTH = 512 };

/// One file as it was read (a scene: after --set).
typedef struct DataFile {
    /// Folder under data/: "scenes", "machines", "soils", "controls", "meshes", "attachments", "experts", "surfaces",
    /// "heights", "couplers"; or "grounds", heights of a site's columns (data/schema/scene_relief.h).
    char kind[16];
    char name[64]; ///< name without folder and .yaml (.obj, .xml, .png)
    char *text; ///< NUL-terminated, owned by the set; of a picture bytes, among which there are NULs
    size_t size; ///< bytes without the NUL
    char path[DATA_PATH_LENGTH]; ///< where it was read, for messages; "": kept by a recording
} DataFile;

/// Zero-initialise; end with data_files_free. Belongs to one thread at a time.
typedef struct DataFiles {
    int count; ///< 0..DATA_MAX_FILES
    DataFile files[DATA_MAX_FILES]; ///< in the order in which they were read
} DataFiles;

/// Frees the texts and empties the set.
void data_files_free(DataFiles *files);

/// Adds a malloc'd text of `size` bytes, which the set takes over (also on failure, when it is freed). `files` NULL
/// frees the text and succeeds. False, with the status filled, when the set is full.
bool data_files_add(DataFiles *files, const char *kind, const char *name, char *text, size_t size, Status *status);

/// The file of a kind by its name, or the first of that kind when `name` is NULL; NULL when there is none. It belongs
/// to the set.
const DataFile *data_files_find(const DataFiles *files, const char *kind, const char *name);

/// Where the shipped data is: the folder that data_set_folder named; else $SPADEWORK_DATA; else the one that
/// data_take_installed or data_take_beside found; else the one given at build time. Never NULL; valid to the end of the
/// process, a variable's until the environment changes. Any thread.
const char *data_folder(void);
/// Names the folder of the data for the process; NULL: none, as at the start. Sessions that exist keep their data.
/// False with `status` for an empty path or one of DATA_PATH_LENGTH characters or more (STATUS_BAD_USAGE), or without
/// memory (STATUS_LACKING). What the folder holds is checked when something is read. Any thread.
bool data_set_folder(const char *path, Status *status);

/// Writes the path of a folder of an installed Spadework ("data", "texts"): PREFIX/share/spadework/NAME, of a program
/// that lies in PREFIX/bin. False when there is none: the program runs where it was built, or is another one.
bool data_find_installed(const char *name, char path[DATA_PATH_LENGTH]);
/// The same for a shared library, whatever program has loaded it: PREFIX/share/spadework/NAME of a library in
/// PREFIX/lib or PREFIX/lib/TRIPLET, or else NAME in the library's own folder, as in a package of Python's.
/// address  of a function or variable of the library
bool data_find_beside(const void *address, const char *name, char path[DATA_PATH_LENGTH]);
/// Takes the installed data of the program, or those beside a library, as what data_folder finds, where there are some.
/// The environment stays as it is. Any thread.
void data_take_installed(void);
void data_take_beside(const void *address);

/// Where the user's own files lie: $XDG_DATA_HOME/spadework (else ~/.local/share/spadework) and
/// $XDG_CONFIG_HOME/spadework (else ~/.config/spadework).
///
/// Writes the path of a file or folder of the user's data ("results.db", "recordings", "scenes"; "" = the folder
/// itself). False with `status` (STATUS_LACKING) when there is no home to put it in.
bool user_data_path(const char *name, char path[DATA_PATH_LENGTH], Status *status);
/// The same of the user's settings ("settings.yaml").
bool user_config_path(const char *name, char path[DATA_PATH_LENGTH], Status *status);
/// The folder that the stations of a centre share. Scenes, courses and control maps in its folders of these names are
/// found by name, listed behind the shipped ones and before those of the user's data folder; of two of one name the
/// first in this order is meant. It need not be there.
///
/// NULL: none is set. Any thread; valid to the end of the process.
const char *data_shared_folder(void);
/// Names it for the process; NULL or "": none. False with `status` for a path that does not begin with / or has
/// DATA_PATH_LENGTH characters or more (STATUS_BAD_USAGE), or without memory (STATUS_LACKING). Any thread.
bool data_set_shared_folder(const char *path, Status *status);
/// Makes a folder and those above it, for the user alone. False with `status` (STATUS_LACKING).
bool user_make_folder(const char *path, Status *status);

/// One entry of a listing (data_list in load.h).
typedef struct DataListEntry {
    char name[64]; ///< what the file is called by
    char title[96]; ///< its key `title`, or why it has none
    bool own; ///< of the user's folder (user_data_path), not shipped
    bool shared; ///< of the folder that stations share (data_shared_folder), not shipped
    bool hides; ///< a folder behind it has a file of this name, too, which is not found by name
} DataListEntry;

#endif
