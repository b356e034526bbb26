/// Reads and writes PNG with Cairo and draws plans of scenes. A PNG's size is checked before it is unpacked, so a small
/// file cannot claim all of the memory.
#include "trainer/app/pictures.h"

#include <cairo/cairo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/data_files.h"
#include "data/core/system_files.h"
#include "trainer/report/report.h"

enum { HEAD = 24, MOST_BYTES = 16 << 20, PLAN_PIXELS = 2 };

/// Bytes that are read or written one after the other.
typedef struct Bytes {
    unsigned char *data;
    size_t size, at; ///< of reading: all, and how many were read; of writing: room, and how many were written
} Bytes;

/// ---- reading -------------------------------------------------------------------------------------------------------

static uint32_t get_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_small_png(const unsigned char *data, size_t size)
{
    return size > HEAD && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0 && memcmp(data + 12, "IHDR", 4) == 0 &&
           get_big_endian(data + 16) - 1U < PICTURES_MOST && get_big_endian(data + 20) - 1U < PICTURES_MOST;
}

static cairo_status_t take_bytes(void *context, unsigned char *data, unsigned int size)
{
    Bytes *bytes = context;
    if (bytes->size - bytes->at < size) {
        return CAIRO_STATUS_READ_ERROR;
    }
    memcpy(data, bytes->data + bytes->at, size);
    bytes->at += size;
    return CAIRO_STATUS_SUCCESS;
}

/// FNV-1a, so that another picture has another number.
static uint64_t number_pixels(const unsigned char *pixels, size_t size)
{
    uint64_t hash = 14695981039346656037ULL;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ pixels[k]) * 1099511628211ULL;
    }
    return hash;
}

static RenderPicture *make_blank(int width, int height)
{
    RenderPicture *picture = calloc(1, sizeof *picture);
    unsigned char *pixels = calloc((size_t)width * (size_t)height, 4);
    if (picture == NULL || pixels == NULL) {
        free(pixels);
        free(picture);
        return NULL;
    }
    *picture = (RenderPicture){.width = width, .height = height, .pixels = pixels};
    return picture;
}

/// Begins to draw into a picture; `finish` ends it.
static cairo_t *begin(const RenderPicture *picture, cairo_surface_t **target)
{
    *target = cairo_image_surface_create_for_data((unsigned char *)(uintptr_t)picture->pixels, CAIRO_FORMAT_RGB24,
                                                  picture->width, picture->height, 4 * picture->width);
    return cairo_create(*target);
}

static void finish(RenderPicture *picture, cairo_t *cairo, cairo_surface_t *target)
{
    cairo_destroy(cairo);
    cairo_surface_flush(target);
    cairo_surface_destroy(target);
    picture->id = number_pixels(picture->pixels, (size_t)picture->width * (size_t)picture->height * 4);
}

RenderPicture *pictures_decode(const unsigned char *png, size_t size)
{
    if (!is_small_png(png, size)) {
        return NULL;
    }
    Bytes bytes = {(unsigned char *)(uintptr_t)png, size, 0}; // it is only read
    cairo_surface_t *read = cairo_image_surface_create_from_png_stream(take_bytes, &bytes), *target = NULL;
    RenderPicture *picture = NULL;
    if (cairo_surface_status(read) == CAIRO_STATUS_SUCCESS) {
        picture = make_blank(cairo_image_surface_get_width(read), cairo_image_surface_get_height(read));
    }
    if (picture != NULL) {
        cairo_t *cairo = begin(picture, &target);
        cairo_set_source_surface(cairo, read, 0.0, 0.0);
        cairo_paint(cairo);
        finish(picture, cairo, target);
    }
    cairo_surface_destroy(read);
    return picture;
}

RenderPicture *pictures_read(const char *path)
{
    struct stat info;
    Status unused;
    FILE *file = regular_file_open(path, &unused);
    if (file == NULL) {
        return NULL;
    }
    if (fstat(fileno(file), &info) != 0 || info.st_size > MOST_BYTES) {
        fclose(file);
        return NULL;
    }
    unsigned char *data = malloc((size_t)info.st_size + 1);
    size_t size = data != NULL ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    RenderPicture *picture = size > 0 ? pictures_decode(data, size) : NULL;
    free(data);
    return picture;
}

RenderPicture *pictures_of_scene(const char *name, const char *key)
{
    char path[DATA_PATH_LENGTH];
    const char *called = key[0] != '\0' ? key : name;
    int length = snprintf(path, sizeof path, "%s/pictures/scenes/%s.png", data_folder(), called);
    return strchr(called, '/') == NULL && length < DATA_PATH_LENGTH ? pictures_read(path) : NULL;
}

RenderPicture *pictures_plan(const SceneParams *scene, TextUnits units, int width, int height)
{
    RenderPicture *picture = make_blank(PLAN_PIXELS * width, PLAN_PIXELS * height);
    if (picture != NULL) {
        cairo_surface_t *target = NULL;
        cairo_t *cairo = begin(picture, &target);
        cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
        cairo_paint(cairo);
        cairo_scale(cairo, PLAN_PIXELS, PLAN_PIXELS);
        plan_draw(cairo, scene, units, width, height);
        finish(picture, cairo, target);
    }
    return picture;
}

void pictures_free(RenderPicture *picture)
{
    if (picture != NULL) {
        free((unsigned char *)(uintptr_t)picture->pixels);
        free(picture);
    }
}

/// ---- writing -------------------------------------------------------------------------------------------------------

static cairo_status_t put_bytes(void *context, const unsigned char *data, unsigned int size)
{
    Bytes *bytes = context;
    if (bytes->size - bytes->at < size) {
        size_t room = 2 * (bytes->size + size);
        unsigned char *grown = realloc(bytes->data, room);
        if (grown == NULL) {
            return CAIRO_STATUS_WRITE_ERROR;
        }
        bytes->data = grown;
        bytes->size = room;
    }
    memcpy(bytes->data + bytes->at, data, size);
    bytes->at += size;
    return CAIRO_STATUS_SUCCESS;
}

static uint32_t get_pixel(const unsigned char *rgb)
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/// The same pixels as cairo has them; NULL when memory is short.
static RenderPicture *copy_pixels(const unsigned char *rgb, int width, int height)
{
    RenderPicture *picture = make_blank(width, height);
    for (size_t k = 0; picture != NULL && k < (size_t)width * (size_t)height; k++) {
        uint32_t pixel = get_pixel(rgb + 3 * k);
        memcpy((unsigned char *)(uintptr_t)picture->pixels + 4 * k, &pixel, sizeof pixel);
    }
    return picture;
}

unsigned char *pictures_encode(const unsigned char *rgb, int width_of, int height_of, int width, size_t *size)
{
    Bytes bytes = {0};
    RenderPicture *whole = copy_pixels(rgb, width_of, height_of);
    double scale = (double)width / width_of;
    int height = (int)(scale * height_of + 0.5);
    RenderPicture *small = whole != NULL ? make_blank(width, height > 0 ? height : 1) : NULL;
    bool good = false;
    if (small != NULL) {
        cairo_surface_t *source = NULL, *target = NULL;
        cairo_destroy(begin(whole, &source));
        cairo_t *cairo = begin(small, &target);
        cairo_scale(cairo, scale, scale);
        cairo_set_source_surface(cairo, source, 0.0, 0.0);
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD); // no dark rim
        cairo_paint(cairo);
        good = cairo_surface_write_to_png_stream(target, put_bytes, &bytes) == CAIRO_STATUS_SUCCESS;
        finish(small, cairo, target);
        cairo_surface_destroy(source);
    }
    pictures_free(small);
    pictures_free(whole);
    *size = good ? bytes.at : 0;
    if (!good) {
        free(bytes.data);
        bytes.data = NULL;
    }
    return bytes.data;
}
