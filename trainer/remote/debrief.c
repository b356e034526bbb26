/// Makes a page by way of a file, as the command `report` does.
#include "trainer/remote/debrief.h"

#include <stdio.h>
#include <stdlib.h>

#include "data/core/regular_file.h"
#include "data/core/temporary_folder.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

static char *read_whole(const char *path, size_t *size, Status *status)
{
    FILE *file = regular_file_open(path, status);
    char *bytes = file != NULL ? malloc(DEBRIEF_MOST) : NULL;
    *size = bytes != NULL ? fread(bytes, 1, DEBRIEF_MOST, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (file != NULL && (bytes == NULL || *size == 0 || *size == DEBRIEF_MOST)) {
        status_fail(status, STATUS_LACKING, "%s: the debrief has %zu bytes; a page has room for 1..%d", path, *size,
                    DEBRIEF_MOST - 1);
        free(bytes);
        return NULL;
    }
    return bytes;
}

char *debrief_make(const char *recording, size_t *size, Status *status)
{
    char folder[TEMPORARY_FOLDER], path[TEMPORARY_FOLDER + 16];
    char *bytes = NULL;
    if (!temporary_folder_make(folder, status)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/debrief.html", folder);
    if (report_write(&(ReportRequest){.units = results_units(), .recording = recording, .html = path}, status)) {
        bytes = read_whole(path, size, status);
    }
    temporary_folder_remove(folder);
    return bytes;
}
