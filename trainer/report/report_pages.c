/// Writes a report's files: whole, or not at all.
#include "trainer/report/report_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/core/written_file.h"
#include "data/core/signals.h"
#include "trainer/report/report_pages_internal.h"

static bool write_html(const ReportData *data, const char *path, Status *status)
{
    FILE *file = written_file_open(path);
    bool good = file != NULL && report_html_write(data, file);
    int error = errno;
    if (file != NULL && fclose(file) != 0) {
        good = false;
        error = errno;
    }
    if (!good) {
        unlink(path);
        return status_fail(status, STATUS_LACKING, "%s: the report cannot be written: %s", path,
                           written_file_reason(error));
    }
    return true;
}

bool report_write(const ReportRequest *request, Status *status)
{
    ReportData *data = report_data_read(request, status);
    if (data == NULL) {
        return false;
    }
    bool good =
        signals_go_on(request->recording, status) && (request->html == NULL || write_html(data, request->html, status));
    if (good && request->pdf != NULL) {
        good = report_pdf_write(data, request->pdf, status);
        if (!good) {
            unlink(request->pdf);
        }
    }
    report_data_free(data);
    return good;
}
