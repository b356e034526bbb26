/// The same edits of a text as those of --set, on the file's own text, which is checked before and after.
#include "data/schema/settings_edit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/schema/write_whole.h"
#include "data/files/files.h"
#include "data/files/override.h"
#include "data/schema/schemas.h"
#include "data/schema/settings_params.h"

static const char empty[] = "kind: settings\n";

static bool check(Document *document, Status *status)
{
    SettingsParams unused = {0};
    const DocumentNode *kind = document_child(document->root, "kind");
    if (kind == NULL || strcmp(kind->text, "settings") != 0) {
        return document_fail_at(document, "kind", status, "read %.40s, allowed settings",
                                kind != NULL ? kind->text : "nothing");
    }
    return schema_read(&data_settings_schema, document, &unused, status);
}

/// Edits a text; what is to be written lies in the document, which the caller closes.
static bool edit(Document *document, const char *const *values, int count, Status *status)
{
    bool good = check(document, status);
    for (int k = 0; k < count && good; k++) {
        good = override_apply(document, values[k], status);
    }
    return good && check(document, status);
}

bool settings_edit(const char *path, const char *const *values, int count, Status *status)
{
    char *text = NULL;
    size_t size = sizeof empty - 1;
    if (access(path, F_OK) == 0 && !file_read(path, &text, &size, status)) {
        return false;
    }
    Document document;
    bool good = document_open(&document, path, text != NULL ? text : empty, size, status);
    if (good) {
        good = edit(&document, values, count, status) && write_whole(path, document.text, document.size, status);
        document_close(&document);
    }
    free(text);
    return good;
}
