/// Reads what a drive is replayed from out of an HDF5 file, with its checks, and replays it.
#include "trainer/report/hdf5_replay.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/signals.h"
#include "data/core/system_files.h"
#include "data/schema/scene_relief.h"
#include "trainer/report/hdf5_file.h"

enum {
    FAULT_NAME = 16,
    FILE_BYTES = 1 << 20, ///< most of a stored file, as of a recording's
    START_BYTES = 1 << 28, ///< most of a saved state, before its scene says what it can have
    DRIVES_MOST = 100000,
};
#define TICKS_MOST  ((uint64_t)1 << 24) ///< of a drive: 77 hours at 60 a second
#define ORDERS_MOST ((uint64_t)1 << 20)

bool hdf5_is_file(const char *path)
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[8];
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    bool is = file != NULL && fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, mark, sizeof mark) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return is;
}

/// A drive while it is read.
typedef struct Drive {
    const char *path; ///< of the file
    hid_t file;
    char group[64]; ///< "/replay", "/data/demo_3/replay"
    int64_t first_tick, tick_rate;
    uint64_t seed, ticks, order_count, start_size;
    SoilSolver solver;
    DataFiles files;
    OperatorControls *controls; ///< [ticks]
    uint64_t *hashes; ///< [ticks + 1]
    int64_t *order_ticks; ///< [order_count]
    int32_t *order_parts;
    double *order_values;
    char (*order_faults)[FAULT_NAME];
    unsigned char *start; ///< [start_size], the state at first_tick; NULL: the scene's beginning
} Drive;

static bool fail(const Drive *self, Status *status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// "FILE: GROUP: text" with STATUS_BAD_FILE; false.
static bool fail(const Drive *self, Status *status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(status, STATUS_BAD_FILE, "%s: %s/%s", self->path, self->group, text);
}

/// ---- datasets ------------------------------------------------------------------------------------------------------

/// A dataset that is asked for.
typedef struct Wanted {
    const char *name; ///< behind the drive's group
    Hdf5Type type;
    size_t text; ///< bytes of a text, instead of `type`; 0: numbers
    uint64_t columns; ///< 0: it has one dimension
    uint64_t most; ///< rows
} Wanted;

static bool type_fits(hid_t type, const Wanted *wanted)
{
    if (wanted->text > 0) {
        return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) == wanted->text;
    }
    return H5Tequal(type, hdf5_type_id(wanted->type)) > 0;
}

static bool shape_fits(hid_t space, const Wanted *wanted, uint64_t *rows)
{
    hsize_t sizes[2] = {0};
    int rank = wanted->columns > 0 ? 2 : 1;
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || H5Sget_simple_extent_ndims(space) != rank ||
        H5Sget_simple_extent_dims(space, sizes, NULL) != rank) {
        return false;
    }
    *rows = sizes[0];
    return sizes[0] <= wanted->most && (rank == 1 || sizes[1] == wanted->columns);
}

/// Where its bytes are: other files are not read.
static bool lies_here(hid_t dataset)
{
    hid_t list = H5Dget_create_plist(dataset);
    bool here = list >= 0 && H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
    if (list >= 0) {
        H5Pclose(list);
    }
    return here;
}

/// Reads the bytes of an open dataset that was checked. The caller frees them; NULL with `status`.
static void *read_bytes(const Drive *self, hid_t dataset, hid_t type, const Wanted *wanted, uint64_t rows,
                        Status *status)
{
    size_t item = wanted->text > 0 ? wanted->text : hdf5_type_size(wanted->type);
    size_t size = (size_t)rows * item * (size_t)(wanted->columns > 0 ? wanted->columns : 1);
    unsigned char *bytes = malloc(size + 1);
    if (bytes == NULL) {
        status_fail(status, STATUS_LACKING, "%s: no memory for %s/%s", self->path, self->group, wanted->name);
        return NULL;
    }
    if (rows > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) {
        fail(self, status, "%s: is damaged: its bytes cannot be read", wanted->name);
        free(bytes);
        return NULL;
    }
    bytes[size] = 0;
    return bytes;
}

/// Reads a whole dataset. The caller frees it; NULL with `status`.
static void *read_dataset(const Drive *self, const Wanted *wanted, uint64_t *rows, Status *status)
{
    char path[HDF5_PATH];
    snprintf(path, sizeof path, "%s/%s", self->group, wanted->name);
    hid_t dataset = H5Lexists(self->file, path, H5P_DEFAULT) > 0 ? H5Dopen2(self->file, path, H5P_DEFAULT) : -1;
    if (dataset < 0) {
        fail(self, status, "%s: is missing", wanted->name);
        return NULL;
    }
    void *bytes = NULL;
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    if (type < 0 || space < 0 || !lies_here(dataset)) {
        fail(self, status, "%s: is damaged, or lies in another file", wanted->name);
    } else if (!type_fits(type, wanted)) {
        fail(self, status, "%s: holds another kind of values than an export writes", wanted->name);
    } else if (!shape_fits(space, wanted, rows)) {
        fail(self, status, "%s: has another shape than an export writes; %" PRIu64 " rows are the most", wanted->name,
             wanted->most);
    } else {
        bytes = read_bytes(self, dataset, type, wanted, *rows, status);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
    return bytes;
}

/// The same of one with `rows` rows, no more and no fewer.
static void *read_rows(const Drive *self, const Wanted *wanted, uint64_t rows, Status *status)
{
    uint64_t got;
    void *bytes = read_dataset(self, wanted, &got, status);
    if (bytes != NULL && got != rows) {
        fail(self, status, "%s: has %" PRIu64 " rows; %" PRIu64 " are needed", wanted->name, got, rows);
        free(bytes);
        return NULL;
    }
    return bytes;
}

/// ---- attributes ----------------------------------------------------------------------------------------------------

/// Opens an attribute of one value; -1: there is none.
static hid_t open_attribute(const Drive *self, const char *path, const char *name)
{
    hid_t attribute = H5Aexists_by_name(self->file, path, name, H5P_DEFAULT) > 0
                          ? H5Aopen_by_name(self->file, path, name, H5P_DEFAULT, H5P_DEFAULT)
                          : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (attribute >= 0 && !one) {
        H5Aclose(attribute);
        attribute = -1;
    }
    return attribute;
}

static bool read_number(const Drive *self, const char *name, Hdf5Type type, void *value, Status *status)
{
    hid_t attribute = open_attribute(self, self->group, name);
    hid_t kind = attribute >= 0 ? H5Aget_type(attribute) : -1;
    memset(value, 0, hdf5_type_size(type));
    bool good = kind >= 0 && H5Tequal(kind, hdf5_type_id(type)) > 0 && H5Aread(attribute, kind, value) >= 0;
    if (kind >= 0) {
        H5Tclose(kind);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return good || fail(self, status, "@%s: is missing, or no number as an export writes it", name);
}

static bool read_whole(const Drive *self, const char *name, int64_t least, int64_t most, int64_t *value, Status *status)
{
    *value = 0;
    return read_number(self, name, HDF5_INT64, value, status) &&
           ((*value >= least && *value <= most) ||
            fail(self, status, "@%s: is %" PRId64 "; allowed are %" PRId64 " to %" PRId64, name, *value, least, most));
}

/// Reads a text of any length, cut to `size`.
/// path  of the group or dataset
static bool read_text(const Drive *self, const char *path, const char *name, char *text, size_t size, Status *status)
{
    hid_t attribute = open_attribute(self, path, name);
    hid_t kind = attribute >= 0 ? H5Aget_type(attribute) : -1;
    char *value = NULL;
    bool good = kind >= 0 && H5Tget_class(kind) == H5T_STRING && H5Tis_variable_str(kind) > 0 &&
                H5Aread(attribute, kind, &value) >= 0 && value != NULL;
    bool fits = good && strlen(value) < size;
    if (fits) {
        snprintf(text, size, "%s", value);
    }
    if (value != NULL) {
        H5free_memory(value);
    }
    if (kind >= 0) {
        H5Tclose(kind);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return fits || status_fail(status, STATUS_BAD_FILE,
                               good ? "%s: %s@%s: is longer than %zu bytes" : "%s: %s@%s: is missing, or no text",
                               self->path, path, name, size - 1);
}

static bool read_solver(Drive *self, Status *status)
{
    static const char *const names[] = {
        [SOIL_SOLVER_DEFAULT] = "default", [SOIL_SOLVER_P2] = "p2", [SOIL_SOLVER_GS] = "gs"};
    char text[16];
    if (!read_text(self, self->group, "solver", text, sizeof text, status)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        if (strcmp(text, names[k]) == 0) {
            self->solver = (SoilSolver)k;
            return true;
        }
    }
    return fail(self, status, "@solver: is %s; allowed are default, p2 and gs", text);
}

/// ---- a drive -------------------------------------------------------------------------------------------------------

static bool read_facts(Drive *self, Status *status)
{
    int64_t format;
    if (!read_whole(self, "format", 0, INT64_MAX, &format, status)) {
        return false;
    }
    if (format != RECORDING_VERSION) {
        return fail(self, status, "@format: is %" PRId64 "; this program replays %d alone", format, RECORDING_VERSION);
    }
    return read_whole(self, "first_tick", 0, (int64_t)TICKS_MOST, &self->first_tick, status) &&
           read_whole(self, "tick_rate", 1, 10000, &self->tick_rate, status) &&
           read_number(self, "seed", HDF5_UINT64, &self->seed, status) &&
           (self->seed <= INT64_MAX ||
            fail(self, status, "@seed: is %" PRIu64 "; allowed are 0 to 2^63-1", self->seed)) &&
           read_solver(self, status);
}

static bool is_kind(const char *kind)
{
    static const char *const kinds[] = {"scenes",  "machines", "soils",   "controls", "meshes",         "attachments",
                                        "experts", "surfaces", "heights", "couplers", SCENE_RELIEF_KIND};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(kind, kinds[k]) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_file(Drive *self, int number, Status *status)
{
    char name[32], path[HDF5_PATH], kind[sizeof((DataFile *)NULL)->kind], called[sizeof((DataFile *)NULL)->name];
    uint64_t size;
    snprintf(name, sizeof name, "files/%d", number);
    snprintf(path, sizeof path, "%s/%s", self->group, name);
    char *text = read_dataset(self, &(Wanted){.name = name, .type = HDF5_UINT8, .most = FILE_BYTES}, &size, status);
    if (text == NULL) {
        return false;
    }
    if (!read_text(self, path, "kind", kind, sizeof kind, status) ||
        !read_text(self, path, "name", called, sizeof called, status) ||
        !(is_kind(kind) || fail(self, status, "%s@kind: is %s, which is no kind of a scene's files", name, kind))) {
        free(text);
        return false;
    }
    return data_files_add(&self->files, kind, called, text, (size_t)size, status);
}

static bool read_files(Drive *self, Status *status)
{
    H5G_info_t info;
    char path[HDF5_PATH];
    snprintf(path, sizeof path, "%s/files", self->group);
    if (H5Lexists(self->file, path, H5P_DEFAULT) <= 0 ||
        H5Gget_info_by_name(self->file, path, &info, H5P_DEFAULT) < 0) {
        return fail(self, status, "files: is missing");
    }
    if (info.nlinks < 1 || info.nlinks > DATA_MAX_FILES) {
        return fail(self, status, "files: holds %" PRIu64 " files; allowed are 1 to %d", (uint64_t)info.nlinks,
                    DATA_MAX_FILES);
    }
    bool good = true;
    for (int k = 0; good && k < (int)info.nlinks; k++) {
        good = read_file(self, k, status);
    }
    return good;
}

static bool read_orders(Drive *self, Status *status)
{
    self->order_ticks = read_dataset(self, &(Wanted){.name = "orders/tick", .type = HDF5_INT64, .most = ORDERS_MOST},
                                     &self->order_count, status);
    uint64_t count = self->order_count;
    if (self->order_ticks == NULL ||
        (self->order_faults = read_rows(self, &(Wanted){.name = "orders/fault", .text = FAULT_NAME, .most = count},
                                        count, status)) == NULL ||
        (self->order_parts = read_rows(self, &(Wanted){.name = "orders/part", .type = HDF5_INT32, .most = count}, count,
                                       status)) == NULL ||
        (self->order_values = read_rows(self, &(Wanted){.name = "orders/value", .type = HDF5_DOUBLE, .most = count},
                                        count, status)) == NULL) {
        return false;
    }
    int64_t least = self->first_tick, end = self->first_tick + (int64_t)self->ticks;
    for (uint64_t k = 0; k < count; k++) {
        int64_t tick = self->order_ticks[k];
        if (tick < least || tick >= end) {
            return fail(self, status,
                        "orders/tick: row %" PRIu64 " is %" PRId64 "; allowed are %" PRId64 " to %" PRId64, k, tick,
                        least, end - 1);
        }
        least = tick;
    }
    return true;
}

static bool read_ticks(Drive *self, Status *status)
{
    self->controls = read_dataset(
        self, &(Wanted){.name = "controls", .type = HDF5_INT16, .columns = CONTROL_COUNT, .most = TICKS_MOST},
        &self->ticks, status);
    if (self->controls == NULL) {
        return false;
    }
    for (uint64_t k = 0; k < self->ticks * CONTROL_COUNT; k++) {
        int value = self->controls[k / CONTROL_COUNT].axis[k % CONTROL_COUNT];
        if (value < -CONTROL_FULL) {
            return fail(self, status, "controls: %s of row %" PRIu64 " is %d; allowed are -%d to %d",
                        control_axis_names[k % CONTROL_COUNT], k / CONTROL_COUNT, value, CONTROL_FULL, CONTROL_FULL);
        }
    }
    self->hashes = read_rows(self, &(Wanted){.name = "hash", .type = HDF5_UINT64, .most = TICKS_MOST + 1},
                             self->ticks + 1, status);
    return self->hashes != NULL;
}

static bool read_start(Drive *self, Status *status)
{
    if (self->first_tick == 0) {
        return true;
    }
    self->start = read_dataset(self, &(Wanted){.name = "start", .type = HDF5_UINT8, .most = START_BYTES},
                               &self->start_size, status);
    return self->start != NULL;
}

static void free_drive(Drive *self)
{
    data_files_free(&self->files);
    free(self->controls);
    free(self->hashes);
    free(self->order_ticks);
    free(self->order_parts);
    free(self->order_values);
    free(self->order_faults);
    free(self->start);
}

/// ---- the replay ----------------------------------------------------------------------------------------------------

static Session *make_session(const Drive *self, int threads, Status *status)
{
    SessionParams params = {
        .has_seed = true, .seed = self->seed, .solver = self->solver, .threads = threads, .files = &self->files};
    Status reason;
    Session *session = session_create(&params, &reason);
    if (session == NULL) {
        status_fail(status, reason.code, "%s: %s: %.800s", self->path, self->group, reason.text);
        return NULL;
    }
    bool good = session_scene(session)->rates.tick_rate == self->tick_rate ||
                fail(self, status, "@tick_rate: is %" PRId64 "; its scene has %d", self->tick_rate,
                     session_scene(session)->rates.tick_rate);
    if (good && self->start != NULL) {
        good = state_restore(session, self->start, (size_t)self->start_size, &reason) ||
               fail(self, status, "start: %.400s", reason.text);
        good = good && (session_frame(session)->tick == self->first_tick ||
                        fail(self, status, "start: is of tick %" PRId64 "; it should be of %" PRId64,
                             session_frame(session)->tick, self->first_tick));
    }
    if (!good) {
        session_destroy(session);
        return NULL;
    }
    return session;
}

/// Gives the orders of a tick; `next` is the first that was not given yet.
static bool give_orders(const Drive *self, Session *session, int64_t tick, uint64_t *next, Status *status)
{
    Status reason;
    for (; *next < self->order_count && self->order_ticks[*next] == tick; (*next)++) {
        uint64_t k = *next;
        char name[FAULT_NAME + 1];
        snprintf(name, sizeof name, "%.*s", FAULT_NAME, self->order_faults[k]);
        SessionFault fault = session_fault_named(name);
        SessionOrder order = {(int32_t)fault, self->order_parts[k], self->order_values[k]};
        if (fault == SESSION_FAULT_COUNT) {
            return fail(self, status, "orders/fault: row %" PRIu64 " is %s, which is no fault", k, name);
        }
        if (!session_order(session, &order, &reason)) {
            return fail(self, status, "orders: row %" PRIu64 ": %.300s", k, reason.text);
        }
    }
    return true;
}

static bool replay_ticks(const Drive *self, Session *session, RecordingProgress *progress, void *context,
                         Hdf5Replayed *result, Status *status)
{
    uint64_t next = 0;
    for (uint64_t done = 0;; done++) {
        if (state_hash(session) != self->hashes[done]) {
            result->first_difference = self->first_tick + (int64_t)done;
            return status_fail(status, STATUS_NOT_VERIFIED, "%s: %s: the replay differs at tick %" PRId64, self->path,
                               self->group, result->first_difference);
        }
        if (progress != NULL) {
            progress(context, (int64_t)done, (int64_t)self->ticks);
        }
        if (done == self->ticks) {
            return true;
        }
        if (!signals_go_on(self->path, status) ||
            !give_orders(self, session, self->first_tick + (int64_t)done, &next, status)) {
            return false;
        }
        session_tick(session, &self->controls[done]);
        result->ticks++;
    }
}

static bool replay_drive(Drive *self, int threads, RecordingProgress *progress, void *context, Hdf5Replayed *result,
                         Status *status)
{
    if (!read_facts(self, status) || !read_files(self, status) || !read_ticks(self, status) ||
        !read_orders(self, status) || !read_start(self, status)) {
        return false;
    }
    Session *session = make_session(self, threads, status);
    bool good = session != NULL && replay_ticks(self, session, progress, context, result, status);
    session_destroy(session);
    return good;
}

/// Names the group of drive `number`; false when the file has no such drive.
static bool find_drive(hid_t file, int number, char group[64])
{
    if (number == 0 && H5Lexists(file, "replay", H5P_DEFAULT) > 0) {
        snprintf(group, 64, "/replay");
        return true;
    }
    char demo[48];
    snprintf(demo, sizeof demo, "/data/demo_%d", number);
    snprintf(group, 64, "%s/replay", demo);
    return H5Lexists(file, "data", H5P_DEFAULT) > 0 && H5Lexists(file, demo, H5P_DEFAULT) > 0 &&
           H5Lexists(file, group, H5P_DEFAULT) > 0;
}

bool hdf5_replay(const char *path, int threads, RecordingProgress *progress, void *context, Hdf5Replayed *result,
                 Status *status)
{
    *result = (Hdf5Replayed){.first_difference = -1};
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: cannot be opened as an HDF5 file: it is damaged, cut, or being written", path);
    }
    bool good = true;
    char group[64];
    while (good && result->drives < DRIVES_MOST && find_drive(file, result->drives, group)) {
        Drive drive = {.path = path, .file = file};
        snprintf(drive.group, sizeof drive.group, "%s", group);
        result->drive = result->drives++;
        good = replay_drive(&drive, threads, progress, context, result, status);
        free_drive(&drive);
    }
    H5Fclose(file);
    if (result->drives == 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: holds no drive: neither /replay nor /data/demo_0/replay, as spadework export --hdf5 "
                           "writes them",
                           path);
    }
    return good;
}
