/// Reads a logo. The size in pixels is checked in the file's head before anything is decoded: a small file may hold a
/// picture that fills the memory.
#include "trainer/report/report_logo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/system_files.h"

enum { HEAD = 24 }; ///< bytes: signature, length and name of IHDR, width, height

static unsigned long read_number(const unsigned char *bytes)
{
    return (unsigned long)bytes[0] << 24 | (unsigned long)bytes[1] << 16 | (unsigned long)bytes[2] << 8 | bytes[3];
}

static bool check_head(const char *path, FILE *file, Status *status)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                              0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    unsigned char head[HEAD];
    struct stat info;
    if (fstat(fileno(file), &info) == 0 && info.st_size > LOGO_BYTES) {
        return status_fail(status, STATUS_BAD_FILE,
                           "logo %s: read %lld bytes, allowed %d: save it with fewer pixels (logo in settings.yaml)",
                           path, (long long)info.st_size, LOGO_BYTES);
    }
    if (fread(head, 1, HEAD, file) != HEAD || memcmp(head, signature, sizeof signature) != 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "logo %s: read no PNG, allowed a PNG file: save it as one (logo in settings.yaml)", path);
    }
    unsigned long width = read_number(head + 16), height = read_number(head + 20);
    rewind(file);
    return (width > 0 && width <= LOGO_SIDE && height > 0 && height <= LOGO_SIDE) ||
           status_fail(status, STATUS_BAD_FILE,
                       "logo %s: read %lu x %lu pixels, allowed 1..%d a side: save it smaller (logo in settings.yaml)",
                       path, width, height, LOGO_SIDE);
}

static cairo_status_t read_bytes(void *context, unsigned char *data, unsigned int length)
{
    FILE *file = context;
    return fread(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR;
}

cairo_surface_t *report_logo_read(const char *path, Status *status)
{
    Status reason;
    FILE *file = regular_file_open(path, &reason);
    if (file == NULL) {
        status_fail(status, STATUS_BAD_FILE, "logo %s: change logo in settings.yaml", reason.text);
        return NULL;
    }
    cairo_surface_t *logo = NULL;
    if (check_head(path, file, status)) {
        logo = cairo_image_surface_create_from_png_stream(read_bytes, file);
        cairo_status_t code = cairo_surface_status(logo);
        if (code != CAIRO_STATUS_SUCCESS) {
            cairo_surface_destroy(logo);
            logo = NULL;
            status_fail(status, STATUS_BAD_FILE,
                        "logo %s: cannot be decoded: %s: save it as a PNG again (logo in settings.yaml)", path,
                        cairo_status_to_string(code));
        }
    }
    fclose(file);
    return logo;
}

void report_logo_size(cairo_surface_t *logo, double *width, double *height)
{
    double columns = cairo_image_surface_get_width(logo), rows = cairo_image_surface_get_height(logo);
    double scale = fmin(1.0, fmin(LOGO_WIDTH / columns, LOGO_HEIGHT / rows));
    *width = scale * columns;
    *height = scale * rows;
}
