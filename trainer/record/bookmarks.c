/// Reads and writes the lines of REC.marks, and keeps bookmarks in order.
#include "trainer/record/bookmarks.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/plain_text.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"

#define SAME_TIME 0.0008 ///< s: the file rounds to thousandths. Chosen

enum { PATH_SIZE = 1100, LINE_SIZE = 256 };

/// One line; `number` counts from 1.
static bool read_line(const char *file, int number, char *line, double duration, Bookmarks *bookmarks, Status *status)
{
    char *end = NULL, *text = line + strspn(line, " \t");
    line[strcspn(line, "\r\n")] = '\0';
    if (text[0] == '\0' || text[0] == '#') {
        return true;
    }
    double time = strtod(text, &end);
    int column = (int)(text - line) + 1;
    if (end == text || !isfinite(time) || time < 0.0 || time > duration + SAME_TIME) {
        return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read %.40s, allowed seconds 0..%.3f and a name", file,
                           number, column, text, duration);
    }
    char *name = end + strspn(end, " \t");
    size_t length = strlen(name);
    if (name == end || length == 0 || length >= BOOKMARK_NAME) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s:%d:%d: read a name of %d bytes, allowed a blank and 1..%d bytes behind the time", file,
                           number, (int)(name - line) + 1, name == end ? 0 : (int)length, BOOKMARK_NAME - 1);
    }
    size_t at = 0;
    VisibleFault fault = visible_text_fault(name, length, false, &at);
    if (fault != VISIBLE_GOOD) {
        return status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read %s, allowed a name of letters", file, number,
                           (int)(name - line) + 1, visible_text_words(name, at, fault).text);
    }
    return bookmarks_set(bookmarks, time, name) ||
           status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read one more bookmark, allowed %d", file, number, column,
                       BOOKMARKS_MOST);
}

bool bookmarks_read(const char *path, double duration, Bookmarks *bookmarks, Status *status)
{
    char file[PATH_SIZE], line[LINE_SIZE];
    *bookmarks = (Bookmarks){0};
    snprintf(file, sizeof file, "%s.marks", path);
    FILE *stream = regular_file_open(file, status);
    if (stream == NULL) {
        return errno == ENOENT && status_good(status);
    }
    bool good = plain_text_check_file(file, stream, status);
    for (int number = 1; good && fgets(line, sizeof line, stream) != NULL; number++) {
        bool whole = strchr(line, '\n') != NULL || feof(stream) != 0;
        good = whole ? read_line(file, number, line, duration, bookmarks, status)
                     : status_fail(status, STATUS_BAD_FILE, "%s:%d:%d: read a longer line, allowed %d bytes", file,
                                   number, LINE_SIZE - 1, LINE_SIZE - 2);
    }
    if (good && ferror(stream) != 0) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: cannot be read: %s", file, strerror(errno));
    }
    fclose(stream);
    if (!good) {
        *bookmarks = (Bookmarks){0};
    }
    return good;
}

bool bookmarks_write(const char *path, const Bookmarks *bookmarks, Status *status)
{
    char file[PATH_SIZE], part[PATH_SIZE + 8];
    snprintf(file, sizeof file, "%s.marks", path);
    snprintf(part, sizeof part, "%s.part", file);
    FILE *stream = written_file_open(part);
    if (stream == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", file, strerror(errno));
    }
    fputs("# Bookmarks of the recording: seconds since the start, then a name.\n", stream);
    for (int k = 0; k < bookmarks->count; k++) {
        fprintf(stream, "%.3f %s\n", bookmarks->rows[k].time, bookmarks->rows[k].name);
    }
    bool good = fflush(stream) == 0 && ferror(stream) == 0 && fsync(fileno(stream)) == 0;
    int reason = errno;
    if (fclose(stream) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(part, file) != 0) {
        reason = errno;
        good = false;
    }
    if (!good) {
        unlink(part);
        return status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", file, strerror(reason));
    }
    return true;
}

bool bookmarks_set(Bookmarks *bookmarks, double time, const char *name)
{
    int at = 0;
    while (at < bookmarks->count && bookmarks->rows[at].time < time - SAME_TIME) {
        at++;
    }
    Bookmark *row = &bookmarks->rows[at];
    if (at == bookmarks->count || row->time > time + SAME_TIME) {
        if (bookmarks->count == BOOKMARKS_MOST) {
            return false;
        }
        memmove(row + 1, row, (size_t)(bookmarks->count - at) * sizeof *row);
        bookmarks->count++;
    }
    row->time = time;
    size_t length = strcspn(name, "\r\n");
    length = length < BOOKMARK_NAME - 1 ? length : BOOKMARK_NAME - 1;
    memcpy(row->name, name, length);
    row->name[length] = '\0';
    return true;
}

bool bookmarks_remove(Bookmarks *bookmarks, double time)
{
    for (int k = 0; k < bookmarks->count; k++) {
        Bookmark *row = &bookmarks->rows[k];
        if (fabs(row->time - time) <= SAME_TIME) {
            bookmarks->count--;
            memmove(row, row + 1, (size_t)(bookmarks->count - k) * sizeof *row);
            return true;
        }
    }
    return false;
}
