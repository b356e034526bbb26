/// Writes the copy to a file that was not there before; what it says has been checked as a file of that place first, so
/// that a reference that starts in the other scene's folder is told and nothing is left behind.
#include "trainer/cli/cli_new.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/scene_copy.h"
#include "data/core/shell_word.h"
#include "data/schema/load.h"
#include "trainer/cli/cli_commands.h"

/// What is to be made.
typedef struct NewScene {
    const char *from;
    char name[64];
    char title[96];
    char path[DATA_PATH_LENGTH];
} NewScene;

static bool fail_usage(Status *status, const char *what)
{
    return status_fail(status, STATUS_BAD_USAGE, "new: %s; see: spadework new --help", what);
}

/// The name of a file without folder and ending.
static bool name_of_path(const char *path, char name[64], Status *status)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    size_t length = strlen(file);
    if (length < 6 || strcmp(file + length - 5, ".yaml") != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "-o %.80s: a name that ends in .yaml is expected", path);
    }
    if (length - 5 >= 64) {
        return status_fail(status, STATUS_BAD_USAGE, "-o %.80s: the name is longer than 63 bytes", path);
    }
    memcpy(name, file, length - 5);
    name[length - 5] = '\0';
    return true;
}

/// "my-trench" becomes "My trench".
static void title_of_name(const char *name, char title[96])
{
    snprintf(title, 96, "%s", name);
    for (char *c = title; *c != '\0'; c++) {
        *c = *c == '-' || *c == '_' ? ' ' : *c;
    }
    title[0] = (char)toupper((unsigned char)title[0]);
}

/// Name and place: in the user's folder, or where -o says.
static bool find_place(const CliOptions *options, NewScene *scene, Status *status)
{
    const char *name = options->file_count > 1 ? options->files[1] : NULL;
    char folder[DATA_PATH_LENGTH];
    if (options->copy != NULL) {
        if (!name_of_path(options->copy, scene->name, status)) {
            return false;
        }
        snprintf(scene->path, sizeof scene->path, "%s", options->copy);
        return strlen(options->copy) < sizeof scene->path ||
               status_fail(status, STATUS_BAD_USAGE, "-o %.80s...: the path is too long", options->copy);
    }
    if (name == NULL) {
        return fail_usage(status, "needs the NAME of the new exercise, or -o FILE.yaml");
    }
    if (!scene_copy_may_be_called(name, status)) {
        return false;
    }
    snprintf(scene->name, sizeof scene->name, "%.63s", name);
    if (!user_scenes_path(folder, status)) {
        return false;
    }
    int length = snprintf(scene->path, sizeof scene->path, "%.*s/%s.yaml", DATA_PATH_LENGTH - 70, folder, name);
    return (length < (int)sizeof scene->path && strlen(folder) < (size_t)(DATA_PATH_LENGTH - 70)) ||
           status_fail(status, STATUS_LACKING, "%.100s...: the path of the user's files is too long", folder);
}

static bool plan(const CliOptions *options, NewScene *scene, Status *status)
{
    if (options->file_count == 0 || strcmp(options->files[0], "exercise") != 0) {
        return fail_usage(status, "what is expected: new exercise --from SCENE NAME");
    }
    if (options->file_count > 2 || (options->file_count == 2 && options->copy != NULL)) {
        return fail_usage(status, "one NAME is expected, or -o FILE.yaml in its place");
    }
    if (options->from_scene == NULL) {
        return fail_usage(status, "needs --from SCENE, the scene it is made from");
    }
    scene->from = options->from_scene;
    if (!find_place(options, scene, status)) {
        return false;
    }
    if (options->title == NULL) {
        title_of_name(scene->name, scene->title);
        return true;
    }
    snprintf(scene->title, sizeof scene->title, "%s", options->title);
    return strlen(options->title) < sizeof scene->title ||
           status_fail(status, STATUS_BAD_USAGE, "--title: it is longer than %zu bytes", sizeof scene->title - 1);
}

static bool fail_write(const char *path, Status *status)
{
    return errno == EEXIST ? status_fail(status, STATUS_LACKING,
                                         "%s: there is a file already, which is left alone: choose another name", path)
                           : status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(errno));
}

/// Makes the file, which is removed again when it cannot be written whole.
static bool write_new(const char *path, const char *text, size_t size, Status *status)
{
    int handle = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (handle < 0) {
        return fail_write(path, status);
    }
    FILE *file = fdopen(handle, "wb");
    bool written = file != NULL && fwrite(text, 1, size, file) == size;
    int error = errno;
    if (file == NULL) {
        close(handle);
    } else if (fclose(file) != 0) {
        error = written ? errno : error;
        written = false;
    }
    if (!written) {
        unlink(path);
        errno = error;
        return fail_write(path, status);
    }
    return true;
}

static bool make(const CliOptions *options, NewScene *scene, Status *status)
{
    char folder[DATA_PATH_LENGTH];
    char *text = NULL;
    size_t size = 0;
    if (!plan(options, scene, status) || !scene_copy(scene->from, scene->title, &text, &size, status)) {
        return false;
    }
    bool good = data_check_text(scene->path, text, size, status);
    if (good && options->copy == NULL) {
        good = user_scenes_path(folder, status) && user_make_folder(folder, status);
    }
    good = good && write_new(scene->path, text, size, status);
    free(text);
    return good;
}

int cli_new(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    NewScene scene = {0};
    if (!make(options, &scene, &status)) {
        return cli_fail(&status);
    }
    char file[2 * DATA_PATH_LENGTH], name[SCENE_NAME_LENGTH];
    const char *dot = strchr(scene.path, '/') == NULL && scene.path[0] != '-' ? "./" : "";
    printf("exercise      %s\n", scene.path);
    if (shell_word_file(scene.path, file, sizeof file)) {
        bool named = options->copy == NULL && shell_word_scene(scene.name, name, sizeof name);
        printf("check         spadework check %s%s\n", dot, file);
        printf("drive         spadework run %s%s\n", named ? "" : dot, named ? name : file);
    }
    return cli_flush();
}
