/// Decides whether a file may be written: an older output is known by its first bytes, one file under two names by its
/// device and number (POSIX stat).
#include "trainer/report/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/core/data_files.h"
#include "data/core/system_files.h"

/// True for "/dev/stdout" in a pipeline. Any other pipe would be waited for, until somebody reads it, without end; and
/// whether somebody does cannot be tried, as a reader leaves when the trial is closed.
static bool is_standard_output(const struct stat *info)
{
    struct stat own;
    return fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == info->st_dev && own.st_ino == info->st_ino;
}

/// A list of points begins with a number.
static bool is_number(const char *head, size_t size)
{
    bool number = true;
    for (size_t k = 0; k < size; k++) {
        number = number && head[k] != '\0' && strchr("0123456789+-. ", head[k]) != NULL;
    }
    return number;
}

bool output_may_replace(const char *path, OutputKind kind, Status *status)
{
    static const struct {
        const char *start;
        size_t offset, length;
        const char *name;
    } kinds[] = {[OUTPUT_TELEMETRY] = {"tick,t,", 0, 7, "telemetry"},
                 [OUTPUT_PICTURE] = {"\x89PNG", 0, 4, "a PNG picture"},
                 [OUTPUT_EVENTS] = {"event,t", 0, 7, "a table of events"},
                 [OUTPUT_HTML] = {"<!DOCTYP", 0, 8, "an HTML page"},
                 [OUTPUT_SVG] = {"<?xml", 0, 5, "an SVG picture"},
                 [OUTPUT_PDF] = {"%PDF", 0, 4, "a PDF file"},
                 [OUTPUT_GLTF] = {"glTF", 0, 4, "a binary glTF file"},
                 [OUTPUT_VIDEO] = {"ftyp", 4, 4, "an MP4 film"},
                 [OUTPUT_MCAP] = {"\x89MCAP0\r\n", 0, 8, "an MCAP file"},
                 [OUTPUT_HDF5] = {"\x89HDF\r\n\x1a\n", 0, 8, "an HDF5 file"},
                 [OUTPUT_GEOTIFF] = {"II*", 0, 4, "a TIFF file"},
                 [OUTPUT_ASCII_GRID] = {"ncols ", 0, 6, "an ASCII grid"},
                 [OUTPUT_LANDXML] = {"<?xml", 0, 5, "an XML file"},
                 [OUTPUT_DXF] = {"0\nSECTIO", 0, 8, "a DXF file"},
                 [OUTPUT_POINTS] = {"", 0, 0, "a list of points"}};
    struct stat info;
    if (path == NULL || stat(path, &info) != 0) {
        return true; // a file that cannot be written fails when it is opened
    }
    if (S_ISFIFO(info.st_mode) && !is_standard_output(&info)) {
        return status_fail(status, STATUS_LACKING,
                           "%s: is a pipe, which would be waited for; choose a file, or /dev/stdout and |", path);
    }
    if (!S_ISREG(info.st_mode) || info.st_size == 0) {
        return true;
    }
    char head[8] = "";
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    size_t got = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    size_t offset = kinds[kind].offset, length = kinds[kind].length;
    bool alike = got >= offset + length && memcmp(head + offset, kinds[kind].start, length) == 0 &&
                 (kind != OUTPUT_POINTS || is_number(head, got));
    return alike ||
           status_fail(status, STATUS_LACKING, "%s: exists and is not %s: it is left as it is; choose another name",
                       path, kinds[kind].name);
}

bool output_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), more = strlen(ending);
    return length > more && strcasecmp(path + length - more, ending) == 0;
}

static bool is_empty(const char *path, bool *empty)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    *empty = true;
    for (const struct dirent *entry = readdir(folder); entry != NULL && *empty; entry = readdir(folder)) {
        *empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(folder);
    return true;
}

bool output_make_folder(const char *path, Status *status)
{
    bool empty = true;
    if (strlen(path) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_LACKING, "%.80s...: the path is longer than %d bytes", path,
                           DATA_PATH_LENGTH - 1);
    }
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    if (errno != EEXIST || !is_empty(path, &empty)) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be used as a folder: %s", path, strerror(errno));
    }
    return empty || status_fail(status, STATUS_LACKING,
                                "%s: exists and is not empty: it is left as it is; choose another folder", path);
}

bool output_is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    if (a == NULL || b == NULL) {
        return false;
    }
    return strcmp(a, b) == 0 || (stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
                                 first.st_ino == second.st_ino);
}

void output_number_path(const char *path, char *numbered, size_t size)
{
    enum { MOST = 100000 };
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    size_t stem = dot != NULL && dot > (slash != NULL ? slash : path) ? (size_t)(dot - path) : strlen(path);
    for (int number = 2; number < MOST; number++) {
        snprintf(numbered, size, "%.*s-%d%s", (int)stem, path, number, path + stem);
        if (access(numbered, F_OK) != 0) {
            return;
        }
    }
}
