/// Reads grey pictures through libpng, from memory. libpng's errors come as long jumps; they end in height_map_read,
/// where nothing but memory of the Reading is changed between the two.
#include "data/files/height_map.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    const char *label;
    const unsigned char *bytes;
    size_t size, at;
    png_structp png;
    png_infop info;
    unsigned char *raw; ///< [rows][columns][2], the high byte first
    png_bytep *lines; ///< [rows] into raw
    int rows, columns;
    Status *status;
    char words[128]; ///< what libpng says
} Reading;

void height_map_free(HeightMap *map)
{
    free(map->grey);
    *map = (HeightMap){0};
}

static void take_error(png_structp png, png_const_charp words)
{
    Reading *reading = png_get_error_ptr(png);
    snprintf(reading->words, sizeof reading->words, "%s", words);
    png_longjmp(png, 1);
}

static void take_warning(png_structp png, png_const_charp words)
{
    (void)png, (void)words;
}

static void read_bytes(png_structp png, png_bytep out, png_size_t count)
{
    Reading *reading = png_get_io_ptr(png);
    if (count > reading->size - reading->at) {
        png_error(png, "the file ends too early");
    }
    memcpy(out, reading->bytes + reading->at, count);
    reading->at += count;
}

/// The picture's kind and size, or why it is refused.
static bool read_head(Reading *reading)
{
    png_read_info(reading->png, reading->info);
    unsigned columns = png_get_image_width(reading->png, reading->info);
    unsigned rows = png_get_image_height(reading->png, reading->info);
    int bits = png_get_bit_depth(reading->png, reading->info);
    int colours = png_get_color_type(reading->png, reading->info);
    static const struct {
        int type;
        const char *name;
    } kinds[] = {{PNG_COLOR_TYPE_GRAY, "grey"},
                 {PNG_COLOR_TYPE_GRAY_ALPHA, "grey with alpha"},
                 {PNG_COLOR_TYPE_PALETTE, "palette"},
                 {PNG_COLOR_TYPE_RGB, "colour"},
                 {PNG_COLOR_TYPE_RGB_ALPHA, "colour with alpha"}};
    const char *kind = "unknown";
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        kind = kinds[k].type == colours ? kinds[k].name : kind;
    }
    if (colours != PNG_COLOR_TYPE_GRAY || bits != 16 || png_get_valid(reading->png, reading->info, PNG_INFO_tRNS)) {
        return status_fail(reading->status, STATUS_BAD_FILE,
                           "%s: read a %s picture of %d bits%s, allowed grey, 16 bits", reading->label, kind, bits,
                           png_get_valid(reading->png, reading->info, PNG_INFO_tRNS) ? " with a transparent grey" : "");
    }
    if (columns < 2 || rows < 2 || columns > HEIGHT_MAP_MOST || rows > HEIGHT_MAP_MOST) {
        return status_fail(reading->status, STATUS_BAD_FILE,
                           "%s: read a picture of %u x %u pixels, allowed 2 to %d a side", reading->label, columns,
                           rows, HEIGHT_MAP_MOST);
    }
    reading->rows = (int)rows;
    reading->columns = (int)columns;
    return true;
}

static bool read_pixels(Reading *reading)
{
    size_t line = 2 * (size_t)reading->columns;
    reading->raw = calloc((size_t)reading->rows, line);
    reading->lines = calloc((size_t)reading->rows, sizeof *reading->lines);
    if (reading->raw == NULL || reading->lines == NULL) {
        return status_fail(reading->status, STATUS_LACKING, "%s: out of memory", reading->label);
    }
    for (int row = 0; row < reading->rows; row++) {
        reading->lines[row] = reading->raw + line * (size_t)row;
    }
    png_read_image(reading->png, reading->lines);
    png_read_end(reading->png, NULL);
    return true;
}

/// Runs libpng; false with the status filled.
static bool run(Reading *reading)
{
    // NOLINTNEXTLINE(cert-err52-cpp): libpng knows no other way out of its errors
    if (setjmp(png_jmpbuf(reading->png)) != 0) {
        return status_fail(reading->status, STATUS_BAD_FILE, "%s: not a whole PNG picture: %s", reading->label,
                           reading->words);
    }
    png_set_user_limits(reading->png, 0x7fffffffU, 0x7fffffffU);
    png_set_chunk_malloc_max(reading->png, 1U << 20);
    // Texts, profiles and the like are passed over: a packed one of some bytes may unpack to very many.
    png_set_keep_unknown_chunks(reading->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_read_fn(reading->png, reading, read_bytes);
    return read_head(reading) && read_pixels(reading);
}

/// Puts the bytes of the pixels together.
static bool take_pixels(const Reading *reading, HeightMap *map)
{
    size_t count = (size_t)reading->rows * (size_t)reading->columns;
    map->grey = malloc(count * sizeof *map->grey);
    if (map->grey == NULL) {
        return status_fail(reading->status, STATUS_LACKING, "%s: out of memory", reading->label);
    }
    for (size_t k = 0; k < count; k++) {
        map->grey[k] = (uint16_t)(reading->raw[2 * k] << 8 | reading->raw[2 * k + 1]);
    }
    map->rows = reading->rows;
    map->columns = reading->columns;
    return true;
}

bool height_map_read(const char *label, const char *bytes, size_t size, HeightMap *map, Status *status)
{
    *map = (HeightMap){0};
    Reading reading = {.label = label, .bytes = (const unsigned char *)bytes, .size = size, .status = status};
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, take_error, take_warning);
    reading.info = reading.png != NULL ? png_create_info_struct(reading.png) : NULL;
    bool good = reading.info != NULL ? run(&reading) && take_pixels(&reading, map)
                                     : status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    free(reading.lines);
    free(reading.raw);
    return good && status_good(status);
}

double height_map_at(const HeightMap *map, double u, double v)
{
    double x = fmin(fmax(u, 0.0), 1.0) * (map->columns - 1), y = (1.0 - fmin(fmax(v, 0.0), 1.0)) * (map->rows - 1);
    int column = (int)fmin(floor(x), map->columns - 2), row = (int)fmin(floor(y), map->rows - 2);
    const uint16_t *at = map->grey + (size_t)row * (size_t)map->columns + (size_t)column;
    double right = x - column, down = y - row;
    double upper = at[0] + right * (at[1] - at[0]);
    double lower = at[map->columns] + right * (at[map->columns + 1] - at[map->columns]);
    return upper + down * (lower - upper);
}
