/// Reads the framebuffer and writes it as PNG with libpng (the functions of render.h). OpenGL's rows begin at the lower
/// edge, a picture's at the upper one, so rows are exchanged after reading.
#include "render/render.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>
#include <png.h>

#include "data/core/written_file.h"

void render_read_pixels(int width, int height, unsigned char *rgb)
{
    size_t row = 3 * (size_t)width;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        unsigned char *a = rgb + row * (size_t)top, *b = rgb + row * (size_t)bottom;
        for (size_t k = 0; k < row; k++) {
            unsigned char kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}

/// Writes `rgb` to an open file; false when libpng gives up. Allocates nothing itself, because libpng leaves by
/// longjmp.
static bool write_rows(FILE *file, int width, int height, const unsigned char *rgb)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        png_write_row(png, rgb + 3 * (size_t)width * (size_t)y);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

bool render_write_png(const char *path, int width, int height, Status *status)
{
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "%s: a picture of %d x %d pixels was asked for; 1 to 16384 are possible", path, width,
                           height);
    }
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    if (rgb == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory for a picture of %d x %d pixels", path, width,
                           height);
    }
    render_read_pixels(width, height, rgb);
    FILE *file = written_file_open(path);
    if (file == NULL) {
        free(rgb);
        return status_fail(status, STATUS_LACKING,
                           "%s: cannot be written; choose a folder that exists and may be written", path);
    }
    bool good = write_rows(file, width, height, rgb);
    good = fclose(file) == 0 && good;
    free(rgb);
    return good ? status_good(status)
                : status_fail(status, STATUS_LACKING, "%s: writing the picture failed; is the disk full?", path);
}
