/// Writes the files of a model. Each is made in memory first, and what was written of a folder is removed again when
/// the rest of it cannot be.
#include "trainer/report/model.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/system_files.h"
#include "trainer/report/model_internal.h"
#include "trainer/report/output_file.h"

/// ---- files ---------------------------------------------------------------------------------------------------------

enum { PATH_ROOM = 1024, MESH_FILES = MODEL_MAX_NODES * 8 };

/// A file in memory.
typedef struct Memory {
    FILE *file;
    char *bytes;
    size_t size;
} Memory;

static bool memory_open(Memory *memory)
{
    *memory = (Memory){0};
    memory->file = open_memstream(&memory->bytes, &memory->size);
    return memory->file != NULL;
}

/// False when it is not whole.
static bool memory_close(Memory *memory)
{
    bool good = ferror(memory->file) == 0;
    return fclose(memory->file) == 0 && good;
}

/// The folder of a URDF while it is written.
typedef struct Folder {
    const char *path;
    bool made; ///< it was not there
    char meshes[PATH_ROOM]; ///< folder below it
    int count;
    char file[MESH_FILES][2 * MODEL_NAME]; ///< that were written, below `path`
} Folder;

static bool fail_to_write(const char *path, Status *status)
{
    return status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, written_file_reason(errno));
}

/// Writes a new file below the folder and frees what is in memory.
static bool folder_put(Folder *folder, const char *name, Memory *memory, Status *status)
{
    char path[PATH_ROOM];
    bool whole = memory_close(memory);
    int length = snprintf(path, sizeof path, "%s/%s", folder->path, name);
    bool good = whole || status_fail(status, STATUS_LACKING, "%s: out of memory for it", path);
    if (good && (length >= (int)sizeof path || folder->count == MESH_FILES)) {
        good = status_fail(status, STATUS_LACKING, "%s: the path is too long, or there are too many files", path);
    }
    FILE *file = good ? fopen(path, "wbx") : NULL;
    if (file != NULL) {
        snprintf(folder->file[folder->count++], sizeof folder->file[0], "%s", name);
        bool written = fwrite(memory->bytes, 1, memory->size, file) == memory->size;
        good = (fclose(file) == 0 && written) || fail_to_write(path, status);
    } else if (good) {
        good = fail_to_write(path, status);
    }
    free(memory->bytes);
    return good;
}

static void folder_remove(Folder *folder)
{
    char path[PATH_ROOM];
    for (int k = 0; k < folder->count; k++) {
        snprintf(path, sizeof path, "%s/%s", folder->path, folder->file[k]);
        unlink(path);
    }
    rmdir(folder->meshes);
    if (folder->made) {
        rmdir(folder->path);
    }
}

static bool put_meshes(const Model *model, Folder *folder, ModelSummary *summary, Status *status)
{
    Memory memory;
    bool good = true;
    for (int k = 0; good && k < model->node_count; k++) {
        const ModelNode *node = &model->node[k];
        for (int n = 0; good && model_is_in_tree(node) && n < node->group_count; n++) {
            char name[2 * MODEL_NAME];
            good = memory_open(&memory) || status_fail(status, STATUS_LACKING, "out of memory for the meshes");
            if (good) {
                model_write_mesh(&node->group[n], memory.file);
                model_mesh_name(model, k, n, name);
                good = folder_put(folder, name, &memory, status);
            }
        }
    }
    summary->hulls = machine_part_count(model->machine);
    for (int k = 0; good && k < summary->hulls; k++) {
        int body;
        char name[2 * MODEL_NAME];
        good = memory_open(&memory) || status_fail(status, STATUS_LACKING, "out of memory for the meshes");
        if (good) {
            model_write_hull(machine_part_hull(model->machine, k, &body), memory.file);
            model_hull_name(model, k, name);
            good = folder_put(folder, name, &memory, status);
        }
    }
    return good;
}

static bool put_urdf(const Model *model, const ModelRequest *request, ModelSummary *summary, Status *status)
{
    Folder *folder = calloc(1, sizeof *folder);
    if (folder == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for it", request->urdf);
    }
    folder->path = request->urdf;
    folder->made = access(request->urdf, F_OK) != 0;
    snprintf(folder->meshes, sizeof folder->meshes, "%s/meshes", request->urdf);
    bool good = output_make_folder(request->urdf, status);
    if (good) {
        Memory memory;
        char name[2 * MODEL_NAME];
        snprintf(name, sizeof name, "%.70s.urdf", model->name);
        good = output_make_folder(folder->meshes, status) && put_meshes(model, folder, summary, status) &&
               (memory_open(&memory) || status_fail(status, STATUS_LACKING, "%s: out of memory for it", name));
        if (good) {
            model_write_urdf(model, request->package, memory.file);
            good = folder_put(folder, name, &memory, status);
        }
        if (good) {
            snprintf(summary->urdf, sizeof summary->urdf, "%.900s/%s", request->urdf, name);
        } else {
            folder_remove(folder);
        }
    }
    free(folder);
    return good;
}

static bool put_gltf(const Model *model, const char *path, Status *status)
{
    Memory memory;
    if (!memory_open(&memory)) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for it", path);
    }
    bool written = model_write_gltf(model, memory.file), whole = memory_close(&memory);
    bool good = (written && whole) || status_fail(status, STATUS_LACKING, "%s: out of memory for it", path);
    good = good && write_whole(path, memory.bytes, memory.size, status);
    free(memory.bytes);
    return good;
}

/// ---- the whole -----------------------------------------------------------------------------------------------------

static bool check_package(const char *package, Status *status)
{
    size_t length = package != NULL ? strlen(package) : 1;
    bool plain = package == NULL ||
                 strspn(package, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == length;
    return (plain && length >= 1 && length <= 63) ||
           status_fail(status, STATUS_BAD_USAGE, "--package %.80s: 1 to 63 letters, digits, - and _ are allowed",
                       package);
}

static void sum_up(const Model *model, ModelSummary *summary)
{
    summary->links = model->params.body_count;
    summary->joints = model->params.joint_count;
    summary->mass = machine_total_mass(&model->params);
    for (int k = 0; k < model->node_count; k++) {
        summary->meshes += model->node[k].drawn;
        for (int n = 0; n < model->node[k].group_count; n++) {
            summary->triangles += model->node[k].group[n].index_count / 3;
        }
    }
}

bool model_export(const ModelRequest *request, ModelSummary *summary, Status *status)
{
    *summary = (ModelSummary){0};
    if (!check_package(request->package, status) || !output_may_replace(request->gltf, OUTPUT_GLTF, status)) {
        return false;
    }
    Model *model = model_create(request, status);
    if (model == NULL) {
        return false;
    }
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); // a decimal point
    bool good = locale != (locale_t)0 || status_fail(status, STATUS_LACKING, "out of memory for the model");
    if (good) {
        locale_t before = uselocale(locale);
        sum_up(model, summary);
        good = (request->gltf == NULL || put_gltf(model, request->gltf, status)) &&
               (request->urdf == NULL || put_urdf(model, request, summary, status));
        uselocale(before);
        freelocale(locale);
    }
    model_destroy(model);
    return good;
}
