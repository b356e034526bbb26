/// HDF5 files through libhdf5: settings that keep an unclosed file readable, and the calls that writers need.
#include "trainer/report/hdf5_file.h"

#include <assert.h>
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/system_files.h"

static_assert(sizeof(hid_t) == sizeof(int64_t), "headers hold libhdf5's handles as int64_t");

enum { GZIP_LEVEL = 4 }; ///< 1..9; more costs time and saves little

size_t hdf5_type_size(Hdf5Type type)
{
    static const size_t sizes[HDF5_TYPES] = {1, 2, 4, 8, 8, 4, 8};
    return sizes[type];
}

int64_t hdf5_type_id(Hdf5Type type)
{
    switch (type) {
    case HDF5_UINT8:
        return H5T_STD_U8LE;
    case HDF5_INT16:
        return H5T_STD_I16LE;
    case HDF5_INT32:
        return H5T_STD_I32LE;
    case HDF5_INT64:
        return H5T_STD_I64LE;
    case HDF5_UINT64:
        return H5T_STD_U64LE;
    case HDF5_FLOAT:
        return H5T_IEEE_F32LE;
    case HDF5_DOUBLE:
    case HDF5_TYPES:
        break;
    }
    return H5T_IEEE_F64LE;
}

/// ---- the file ------------------------------------------------------------------------------------------------------

/// Keeps the first reason. The library hides errno in a stack of its own, and leaves it set as well.
static void fail(Hdf5File *file, const char *what)
{
    if (!file->failed) {
        const char *reason = errno != 0 ? written_file_reason(errno) : "HDF5 gives no reason";
        snprintf(file->reason, sizeof file->reason, "%s: %s", what, reason);
        file->failed = true;
    }
}

static void check(Hdf5File *file, int64_t result, const char *what)
{
    if (result < 0) {
        fail(file, what);
    }
}

/// The library prints nothing, and at the program's end does not try again to write what could not be written.
static void quiet_library(void)
{
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/// The earliest format, and a cache that writes metadata in H5Fflush alone.
static hid_t access_list(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    H5Pset_libver_bounds(list, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    if (H5Pget_mdc_config(list, &cache) >= 0) {
        cache.evictions_enabled = 0;
        cache.incr_mode = H5C_incr__off;
        cache.flash_incr_mode = H5C_flash_incr__off;
        cache.decr_mode = H5C_decr__off;
        H5Pset_mdc_config(list, &cache);
    }
    return list;
}

bool hdf5_create(Hdf5File *file, const char *path, Status *status)
{
    *file = (Hdf5File){0};
    snprintf(file->path, sizeof file->path, "%s", path);
    quiet_library();
    hid_t list = access_list();
    errno = 0;
    file->id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    H5Pclose(list);
    if (file->id < 0) {
        file->id = 0;
        fail(file, "cannot be made");
    }
    hdf5_flush(file); // raw data must never lie behind metadata that is not there yet
    return hdf5_good(file, status);
}

void hdf5_flush(Hdf5File *file)
{
    if (!file->failed && file->id > 0) {
        errno = 0;
        check(file, H5Fflush(file->id, H5F_SCOPE_LOCAL), "cannot be written");
    }
}

bool hdf5_good(const Hdf5File *file, Status *status)
{
    return !file->failed || status_fail(status, STATUS_LACKING, "%s: %s", file->path, file->reason);
}

bool hdf5_close(Hdf5File *file, Status *status)
{
    if (file->id > 0) {
        errno = 0;
        check(file, H5Fclose(file->id), "cannot be written");
        file->id = 0;
    }
    return hdf5_good(file, status);
}

/// ---- attributes ----------------------------------------------------------------------------------------------------

/// Begins a call: false when the file has failed already.
static bool ready(const Hdf5File *file)
{
    errno = 0;
    return !file->failed && file->id > 0;
}

/// Links that make the groups on their way.
static hid_t link_list(void)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(list, 1);
    return list;
}

void hdf5_group(Hdf5File *file, const char *path)
{
    if (!ready(file) || H5Lexists(file->id, path, H5P_DEFAULT) > 0) {
        return;
    }
    hid_t links = link_list();
    hid_t group = H5Gcreate2(file->id, path, links, H5P_DEFAULT, H5P_DEFAULT);
    check(file, group, "a group cannot be written");
    if (group >= 0) {
        H5Gclose(group);
    }
    H5Pclose(links);
}

/// `type` stays the caller's.
static void write_attribute(Hdf5File *file, const char *path, const char *name, hid_t type, hid_t space,
                            const void *value)
{
    hid_t object = H5Oopen(file->id, path, H5P_DEFAULT);
    bool there = object >= 0 && H5Aexists(object, name) > 0;
    hid_t attribute = object < 0 ? -1
                      : there    ? H5Aopen(object, name, H5P_DEFAULT)
                                 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(file, attribute, "an attribute cannot be made");
    if (attribute >= 0) {
        check(file, H5Awrite(attribute, type, value), "an attribute cannot be written");
        H5Aclose(attribute);
    }
    if (object >= 0) {
        H5Oclose(object);
    }
}

static void write_scalar(Hdf5File *file, const char *path, const char *name, hid_t type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    write_attribute(file, path, name, type, space, value);
    H5Sclose(space);
}

/// Text of any length, which h5py reads as str.
static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void hdf5_text(Hdf5File *file, const char *path, const char *name, const char *text)
{
    if (ready(file)) {
        hid_t type = text_type();
        write_scalar(file, path, name, type, &text);
        H5Tclose(type);
    }
}

void hdf5_texts(Hdf5File *file, const char *path, const char *name, const char *const *texts, int count)
{
    if (ready(file) && count > 0) {
        hsize_t size = (hsize_t)count;
        hid_t type = text_type(), space = H5Screate_simple(1, &size, NULL);
        write_attribute(file, path, name, type, space, texts);
        H5Sclose(space);
        H5Tclose(type);
    }
}

void hdf5_real(Hdf5File *file, const char *path, const char *name, double value)
{
    if (ready(file)) {
        write_scalar(file, path, name, hdf5_type_id(HDF5_DOUBLE), &value);
    }
}

void hdf5_whole(Hdf5File *file, const char *path, const char *name, int64_t value)
{
    if (ready(file)) {
        write_scalar(file, path, name, hdf5_type_id(HDF5_INT64), &value);
    }
}

void hdf5_unsigned(Hdf5File *file, const char *path, const char *name, uint64_t value)
{
    if (ready(file)) {
        write_scalar(file, path, name, hdf5_type_id(HDF5_UINT64), &value);
    }
}

void hdf5_flag(Hdf5File *file, const char *path, const char *name, bool value)
{
    if (ready(file)) {
        const int8_t no = 0, yes = 1;
        hid_t type = H5Tenum_create(H5T_STD_I8LE);
        H5Tenum_insert(type, "FALSE", &no);
        H5Tenum_insert(type, "TRUE", &yes);
        write_scalar(file, path, name, type, value ? &yes : &no);
        H5Tclose(type);
    }
}

/// ---- datasets ------------------------------------------------------------------------------------------------------

/// Makes a dataset of chunks of `chunk` [rank], compressed; of a chunk without an element not chunked.
static hid_t make_dataset(Hdf5File *file, const char *path, hid_t type, hid_t space, int rank, const hsize_t *chunk)
{
    hid_t links = link_list(), list = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk != NULL) {
        H5Pset_chunk(list, rank, chunk);
        H5Pset_shuffle(list);
        H5Pset_deflate(list, GZIP_LEVEL);
    }
    hid_t dataset = H5Dcreate2(file->id, path, type, space, links, list, H5P_DEFAULT);
    check(file, dataset, "a dataset cannot be made");
    H5Pclose(list);
    H5Pclose(links);
    return dataset;
}

/// Elements that a chunk of a whole dataset holds at most.
enum { WHOLE_CHUNK = 1 << 16 };

static void write_whole_dataset(Hdf5File *file, const char *path, hid_t type, int rank, const hsize_t *sizes,
                                const void *data)
{
    hsize_t chunk[HDF5_RANK] = {0}, row = 1, all = 1;
    for (int k = 0; k < rank; k++) {
        chunk[k] = sizes[k];
        row *= k > 0 ? sizes[k] : 1;
        all *= sizes[k];
    }
    if (row > 0 && chunk[0] > WHOLE_CHUNK / row) {
        chunk[0] = row < WHOLE_CHUNK ? WHOLE_CHUNK / row : 1;
    }
    hid_t space = H5Screate_simple(rank, sizes, NULL);
    hid_t dataset = make_dataset(file, path, type, space, rank, all > 0 ? chunk : NULL);
    if (dataset >= 0) {
        if (all > 0) {
            check(file, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "cannot be written");
        }
        check(file, H5Dclose(dataset), "cannot be written");
    }
    H5Sclose(space);
}

void hdf5_data(Hdf5File *file, const char *path, Hdf5Type type, int rank, const uint64_t *sizes, const void *data)
{
    assert(rank >= 1 && rank <= HDF5_RANK);
    if (ready(file)) {
        hsize_t own[HDF5_RANK];
        for (int k = 0; k < rank; k++) {
            own[k] = sizes[k];
        }
        write_whole_dataset(file, path, hdf5_type_id(type), rank, own, data);
    }
}

void hdf5_strings(Hdf5File *file, const char *path, const char *texts, int count, int width)
{
    if (ready(file)) {
        hsize_t size = (hsize_t)count;
        hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, (size_t)width);
        H5Tset_cset(type, H5T_CSET_UTF8);
        write_whole_dataset(file, path, type, 1, &size, texts);
        H5Tclose(type);
    }
}

/// ---- arrays that grow ----------------------------------------------------------------------------------------------

void hdf5_array(Hdf5File *file, Hdf5Array *array, const char *path, Hdf5Type type, int rank, const uint64_t *sizes,
                int chunk, int room)
{
    assert(rank >= 0 && rank < HDF5_RANK && chunk >= 1 && room >= 1);
    *array = (Hdf5Array){.file = file, .type = type, .rank = rank + 1, .row_size = hdf5_type_size(type), .room = room};
    hsize_t now[HDF5_RANK] = {0}, most[HDF5_RANK] = {H5S_UNLIMITED}, chunks[HDF5_RANK] = {(hsize_t)chunk};
    for (int k = 0; k < rank; k++) {
        array->sizes[k + 1] = sizes[k];
        array->row_size *= (size_t)sizes[k];
        now[k + 1] = most[k + 1] = chunks[k + 1] = sizes[k];
    }
    if (!ready(file)) {
        return;
    }
    array->pending = malloc(array->row_size * (size_t)room);
    if (array->pending == NULL) {
        fail(file, "no memory for an array");
        return;
    }
    hid_t space = H5Screate_simple(array->rank, now, most);
    hid_t dataset = make_dataset(file, path, hdf5_type_id(type), space, array->rank, chunks);
    array->id = dataset >= 0 ? dataset : 0;
    H5Sclose(space);
}

void hdf5_write_out(Hdf5Array *array)
{
    Hdf5File *file = array->file;
    if (array->id == 0 || array->held == 0 || !ready(file)) {
        return;
    }
    hsize_t from[HDF5_RANK] = {array->sizes[0]}, count[HDF5_RANK] = {(hsize_t)array->held}, all[HDF5_RANK];
    for (int k = 1; k < array->rank; k++) {
        count[k] = all[k] = array->sizes[k];
    }
    array->sizes[0] += (uint64_t)array->held;
    all[0] = array->sizes[0];
    check(file, H5Dset_extent(array->id, all), "cannot grow");
    hid_t space = H5Dget_space(array->id), memory = H5Screate_simple(array->rank, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
    check(file, H5Dwrite(array->id, hdf5_type_id(array->type), memory, space, H5P_DEFAULT, array->pending),
          "cannot be written");
    H5Sclose(memory);
    H5Sclose(space);
    array->held = 0;
}

void hdf5_add(Hdf5Array *array, const void *row)
{
    if (array->pending == NULL) {
        return; // it could not be made, which its file remembers
    }
    memcpy(array->pending + (size_t)array->held * array->row_size, row, array->row_size);
    if (++array->held == array->room) {
        hdf5_write_out(array);
        array->held = 0;
    }
}

void hdf5_array_close(Hdf5Array *array)
{
    if (array->file == NULL) {
        return;
    }
    hdf5_write_out(array);
    if (array->id > 0) {
        check(array->file, H5Dclose(array->id), "cannot be written");
    }
    free(array->pending);
    *array = (Hdf5Array){0};
}
