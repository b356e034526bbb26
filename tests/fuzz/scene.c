/// Any text as a scene, with the shipped soils and machine beside it. The first line may be an override.
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "data/files/document.h"
#include "tests/fuzz/fuzz.h"

/// The shipped files, loaded once; the scene's own text is put in place of the first file's for each input.
static bool load_shipped(DataFiles *files)
{
    static SceneParams scene;
    static MachineParams machine;
    Status status;
    return data_load_scene("free", NULL, 0, &scene, &machine, files, &status);
}

void fuzz_scene(const uint8_t *data, size_t size)
{
    static DataFiles shipped;
    static SceneParams scene;
    static MachineParams machine;
    require(shipped.count > 0 || load_shipped(&shipped));
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    DataFiles files = shipped;
    DataFile *slot = &files.files[files.count - 1];
    require(strcmp(slot->kind, "scenes") == 0);
    slot->text = text;
    slot->size = size;
    Status status = {STATUS_GOOD, ""};
    // Every refusal says why.
    require(data_load_scene_from_files(&files, &scene, &machine, &status) || status.text[0] != '\0');
    require(data_check_text("fuzz", text, size, &status) || status.text[0] != '\0');
    if (size > 0 && data[0] == '-') {
        char *line_end = strchr(text, '\n');
        if (line_end) {
            *line_end = '\0';
            Document document;
            if (document_open(&document, "scene", line_end + 1, strlen(line_end + 1), &status)) {
                override_apply(&document, text + 1, &status);
                document_close(&document);
            }
        }
    }
    free(text);
}
