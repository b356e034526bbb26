/// Reads GeoTIFF files: the keys first, then the pixels row by row.
///
/// libtiff and PROJ report to this file alone and never to the terminal. Sizes of the header are checked before memory
/// is asked for by them: a row of tiles takes at most MOST_BAND bytes, and libtiff at most MOST_MEMORY for one thing.
#include "data/files/geotiff.h"

#include <geotiff/geo_simpletags.h>
#include <geotiff/geo_tiffp.h>
#include <geotiff/geotiff.h>
#include <geotiff/geovalues.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <proj.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tiffio.h>

#include "data/core/elementary.h"
#include "data/files/raster.h"

bool geotiff_is(const char *first)
{
    static const char signs[4][4] = {"II*", "MM\0*", "II+", "MM\0+"};
    for (int k = 0; k < 4; k++) {
        if (memcmp(first, signs[k], 4) == 0) {
            return true;
        }
    }
    return false;
}

enum {
    MOST_BAND = 128 << 20, ///< bytes of a row of tiles
    MOST_MEMORY = 256 << 20, ///< bytes of one thing that libtiff keeps
    MOST_METADATA = 1 << 20, ///< bytes of GDAL_METADATA
    MOST_PICTURES = 64, ///< in a file that are looked at
};

/// Tags that libtiff does not know (OGC 19-008r4, Annex C; GDAL's are 42112 and 42113).
enum {
    TAG_PIXEL_SCALE = 33550,
    TAG_TIEPOINT = 33922,
    TAG_TRANSFORMATION = 34264,
    TAG_KEYS = 34735,
    TAG_DOUBLES = 34736,
    TAG_TEXTS = 34737,
    TAG_METADATA = 42112,
    TAG_NODATA = 42113,
};

/// A unit of length.
typedef struct Unit {
    double metres; ///< 0: not stated
    char name[48];
} Unit;

typedef struct Reader {
    const char *label;
    FILE *file;
    Status *status;
    TIFF *tiff;
    GTIF *keys; ///< or NULL: the file has none
    PJ_CONTEXT *proj;
    char said[160]; ///< the first error of libtiff
    Raster raster;
    uint16_t bits, format; ///< of a sample
    bool tiled;
    uint32_t tile_width, tile_length; ///< of strips: columns, rows per strip
    bool has_nodata;
    double nodata, scale, offset; ///< height = offset + scale * sample, in units of the file
    Unit plan, height;
    unsigned char *band; ///< the samples of a row of tiles, [tile_length][columns], or of a row
    unsigned char *tile; ///< one tile
    long band_first; ///< row of the file that `band` begins with; -1: none
    long next_row; ///< that libtiff reads next, of strips; -1: none
} Reader;

static bool fail(const Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const Reader *reader, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status_fail(reader->status, STATUS_BAD_FILE, "%s: %s", reader->label, text);
}

/// ---- libtiff -------------------------------------------------------------------------------------------------------

static tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t size)
{
    const Reader *reader = handle;
    return (tmsize_t)fread(bytes, 1, (size_t)size, reader->file);
}

static tmsize_t refuse_bytes(thandle_t handle, void *bytes, tmsize_t size)
{
    (void)handle, (void)bytes, (void)size;
    return 0;
}

static toff_t seek_bytes(thandle_t handle, toff_t to, int whence)
{
    const Reader *reader = handle;
    return to <= INT64_MAX && fseeko(reader->file, (off_t)to, whence) == 0 ? (toff_t)ftello(reader->file) : (toff_t)-1;
}

static int leave_open(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of_file(thandle_t handle)
{
    const Reader *reader = handle;
    off_t at = ftello(reader->file);
    off_t size = fseeko(reader->file, 0, SEEK_END) == 0 ? ftello(reader->file) : 0;
    fseeko(reader->file, at, SEEK_SET);
    return (toff_t)(size > 0 ? size : 0);
}

/// Keeps the first error, as ASCII: it may quote the file.
static int note_error(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static int note_error(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
    Reader *reader = data;
    (void)tiff, (void)module;
    if (reader->said[0] == '\0') {
        vsnprintf(reader->said, sizeof reader->said, format, arguments);
        for (char *sign = reader->said; *sign != '\0'; sign++) {
            *sign = *sign >= ' ' && *sign <= '~' ? *sign : '?';
        }
    }
    return 1; // no other handler is called
}

static int drop_warning(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static int drop_warning(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)data, (void)module, (void)format, (void)arguments;
    return 1;
}

static bool fail_tiff(const Reader *reader, const char *what)
{
    return fail(reader, "%s cannot be read (libtiff: %s): is the file whole?", what,
                reader->said[0] != '\0' ? reader->said : "no reason");
}

static bool open_tiff(Reader *reader)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) {
        return status_fail(reader->status, STATUS_LACKING, "%s: out of memory", reader->label);
    }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MOST_MEMORY);
    TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, reader);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, reader);
    reader->tiff = TIFFClientOpenExt(reader->label, "rm", reader, read_bytes, refuse_bytes, seek_bytes, leave_open,
                                     size_of_file, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return reader->tiff != NULL || fail_tiff(reader, "the header");
}

/// The values of a tag that libtiff does not know, when it has that type. They belong to libtiff.
static const void *find_tag(const Reader *reader, uint32_t tag, TIFFDataType type, uint32_t *count)
{
    const TIFFField *field = TIFFFindField(reader->tiff, tag, TIFF_ANY);
    void *values = NULL;
    *count = 0;
    bool known = field != NULL && TIFFFieldDataType(field) == type && TIFFFieldPassCount(field) != 0 &&
                 TIFFFieldReadCount(field) == TIFF_VARIABLE2;
    return known && TIFFGetField(reader->tiff, tag, count, &values) == 1 && *count > 0 ? values : NULL;
}

/// ---- the picture ---------------------------------------------------------------------------------------------------

static bool check_sizes(Reader *reader)
{
    uint32_t columns = 0, rows = 0;
    TIFFGetField(reader->tiff, TIFFTAG_IMAGEWIDTH, &columns);
    TIFFGetField(reader->tiff, TIFFTAG_IMAGELENGTH, &rows);
    if (columns < 2 || columns > RASTER_MOST || rows < 2 || rows > RASTER_MOST) {
        return fail(reader, "read %u x %u pixels, allowed 2 to %d columns and rows: cut it (gdal_translate -projwin)",
                    columns, rows, RASTER_MOST);
    }
    reader->raster.columns = (int)columns;
    reader->raster.rows = (int)rows;
    return true;
}

static bool check_samples(Reader *reader)
{
    uint16_t bands = 1, photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_SAMPLESPERPIXEL, &bands);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_BITSPERSAMPLE, &reader->bits);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_SAMPLEFORMAT, &reader->format);
    TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetField(reader->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    if (bands != 1) {
        return fail(reader, "read %u bands, allowed one of heights: pick it (gdal_translate -b 1)", bands);
    }
    if (photometric == PHOTOMETRIC_PALETTE) {
        return fail(reader, "read a picture with a table of colours, allowed a band of heights");
    }
    bool is_float = reader->format == SAMPLEFORMAT_IEEEFP && (reader->bits == 32 || reader->bits == 64);
    bool is_whole = (reader->format == SAMPLEFORMAT_UINT || reader->format == SAMPLEFORMAT_INT) &&
                    (reader->bits == 8 || reader->bits == 16 || reader->bits == 32);
    if (!is_float && !is_whole) {
        return fail(reader,
                    "read samples of %u bits in format %u, allowed integers of 8, 16 or 32 bits and floats of 32 or 64 "
                    "(gdal_translate -ot Float32)",
                    reader->bits, reader->format);
    }
    if (!TIFFIsCODECConfigured(compression)) {
        const TIFFCodec *codec = TIFFFindCODEC(compression);
        return fail(reader, "compression %u (%s) is not read by this libtiff: gdal_translate -co COMPRESS=DEFLATE",
                    compression, codec != NULL ? codec->name : "unknown");
    }
    return true;
}

/// Checks how the samples lie in the file, and makes room for them.
static bool check_layout(Reader *reader)
{
    const uint64_t sample = reader->bits / 8U, columns = (uint64_t)reader->raster.columns;
    reader->tiled = TIFFIsTiled(reader->tiff) != 0;
    reader->tile_width = (uint32_t)columns;
    reader->tile_length = (uint32_t)reader->raster.rows;
    if (reader->tiled) {
        TIFFGetField(reader->tiff, TIFFTAG_TILEWIDTH, &reader->tile_width);
        TIFFGetField(reader->tiff, TIFFTAG_TILELENGTH, &reader->tile_length);
    } else {
        uint32_t rows = 0;
        TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        reader->tile_length = rows == 0 || rows > reader->tile_length ? reader->tile_length : rows;
    }
    uint64_t width = reader->tile_width, length = reader->tile_length;
    uint64_t tile = width <= MOST_BAND && length <= MOST_BAND ? width * length * sample : UINT64_MAX;
    uint64_t band = (reader->tiled && length <= MOST_BAND ? length : 1) * columns * sample;
    if (reader->tiled && (tile > MOST_BAND || band > MOST_BAND || tile != TIFFTileSize64(reader->tiff))) {
        return fail(reader,
                    "read tiles of %u x %u pixels, allowed rows of tiles of up to %d MB: gdal_translate -co "
                    "TILED=YES",
                    reader->tile_width, reader->tile_length, MOST_BAND >> 20);
    }
    if (!reader->tiled && band != TIFFScanlineSize64(reader->tiff)) {
        return fail(reader, "a row has not the size of its pixels");
    }
    reader->band = calloc(band, 1);
    reader->tile = reader->tiled ? calloc(tile, 1) : NULL;
    reader->band_first = reader->next_row = -1;
    return (reader->band != NULL && (!reader->tiled || reader->tile != NULL)) ||
           status_fail(reader->status, STATUS_LACKING, "%s: out of memory", reader->label);
}

/// A picture that masks others hides pixels which hold some value.
static bool check_mask(const Reader *reader)
{
    bool masks = false;
    for (int k = 1; k < MOST_PICTURES && TIFFReadDirectory(reader->tiff) == 1; k++) {
        uint32_t kind = 0;
        TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_SUBFILETYPE, &kind);
        masks = masks || (kind & FILETYPE_MASK) != 0;
    }
    if (masks) {
        return fail(reader, "a mask hides some of its pixels: give them a value that stands for none (gdalwarp "
                            "-dstnodata -9999)");
    }
    return TIFFSetDirectory(reader->tiff, 0) == 1 || fail_tiff(reader, "the header");
}

/// ---- keys ----------------------------------------------------------------------------------------------------------

static void drop_message(GTIF *keys, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// libgeotiff prints what has no handler.
static void drop_message(GTIF *keys, int level, const char *format, ...)
{
    (void)keys, (void)level, (void)format;
}

/// Opens the keys. They are copied out of the tags, so that no table of tags is changed for the whole process.
static bool open_keys(Reader *reader)
{
    static const struct {
        uint32_t tag;
        TIFFDataType type;
        int simple;
    } tags[] = {
        {TAG_KEYS, TIFF_SHORT, STT_SHORT}, {TAG_DOUBLES, TIFF_DOUBLE, STT_DOUBLE}, {TAG_TEXTS, TIFF_ASCII, STT_ASCII}};
    uint32_t count;
    if (find_tag(reader, TAG_KEYS, TIFF_SHORT, &count) == NULL) {
        return true;
    }
    ST_TIFF *simple = ST_Create();
    for (size_t k = 0; simple != NULL && k < sizeof tags / sizeof tags[0]; k++) {
        const void *values = find_tag(reader, tags[k].tag, tags[k].type, &count);
        if (values != NULL && count <= UINT16_MAX) {
            ST_SetKey(simple, (int)tags[k].tag, (int)count, tags[k].simple, (void *)(uintptr_t)values);
        }
    }
    TIFFMethod methods = {.get = NULL};
    GTIFSetSimpleTagsMethods(&methods);
    reader->keys = simple != NULL ? GTIFNewWithMethodsEx(simple, &methods, drop_message, NULL) : NULL;
    ST_Destroy(simple);
    return reader->keys != NULL || fail(reader, "GeoKeyDirectory: it is not well formed: gdal_translate may mend it");
}

/// The value of a key; 0: not stated, or by no code.
static int code_of(const Reader *reader, geokey_t key)
{
    unsigned short code = 0;
    bool there = reader->keys != NULL && GTIFKeyGetSHORT(reader->keys, key, &code, 0, 1) == 1;
    return there && code != KvUserDefined ? code : 0;
}

static bool has_size(const Reader *reader, geokey_t key, double *metres)
{
    return reader->keys != NULL && GTIFKeyGetDOUBLE(reader->keys, key, metres, 0, 1) == 1;
}

/// ---- units ---------------------------------------------------------------------------------------------------------

static void set_unit(Unit *unit, double metres, const char *name)
{
    unit->metres = metres;
    snprintf(unit->name, sizeof unit->name, "%s", name);
}

static bool same_unit(const Unit *a, const Unit *b)
{
    return fabs(a->metres - b->metres) <= 1e-7 * a->metres; // a foot and a US survey foot differ by 2e-6
}

/// The unit of a code of EPSG, or of a size of its own.
static bool read_unit_key(const Reader *reader, const char *name, geokey_t key, geokey_t size_key, Unit *unit)
{
    int code = code_of(reader, key);
    char text[16];
    const char *said = NULL, *category = NULL;
    double metres = 0.0;
    *unit = (Unit){.metres = 0.0};
    if (code != 0) {
        snprintf(text, sizeof text, "%d", code);
        if (proj_uom_get_info_from_database(reader->proj, "EPSG", text, &said, &metres, &category) == 0 ||
            strcmp(category, "linear") != 0) {
            return fail(reader,
                        "%s: read %d, allowed a unit of length of EPSG (9001: metre, 9002: foot, 9003: US survey "
                        "foot)",
                        name, code);
        }
        set_unit(unit, metres, said);
    } else if (size_key != 0 && has_size(reader, size_key, &metres)) {
        if (!(metres >= 1e-6 && metres <= 1e6)) {
            return fail(reader, "%s: read a unit of %g m, allowed 1e-06 to 1e+06 m", name, metres);
        }
        set_unit(unit, metres, "a unit of its own");
    }
    return true;
}

/// The unit of the axis of a coordinate system of EPSG; of one that PROJ does not know nothing is stated.
static bool read_system_unit(const Reader *reader, const char *name, geokey_t key, bool vertical, Unit *unit)
{
    int code = code_of(reader, key);
    char text[16];
    *unit = (Unit){.metres = 0.0};
    snprintf(text, sizeof text, "%d", code);
    PJ *system = code != 0 ? proj_create_from_database(reader->proj, "EPSG", text, PJ_CATEGORY_CRS, 0, NULL) : NULL;
    if (system == NULL) {
        return true;
    }
    PJ_TYPE type = proj_get_type(system);
    bool right = type == (vertical ? PJ_TYPE_VERTICAL_CRS : PJ_TYPE_PROJECTED_CRS);
    PJ *axes = right ? proj_crs_get_coordinate_system(reader->proj, system) : NULL;
    const char *direction = NULL, *said = NULL;
    double metres = 0.0;
    bool there = axes != NULL &&
                 proj_cs_get_axis_info(reader->proj, axes, 0, NULL, NULL, &direction, &metres, &said, NULL, NULL) != 0;
    bool good = right || fail(reader, "%s: read EPSG:%d, allowed a %s coordinate system", name, code,
                              vertical ? "vertical" : "projected");
    if (good && there && vertical && strcmp(direction, "down") == 0) {
        good = fail(reader, "%s: read EPSG:%d, which counts depths downwards, allowed heights", name, code);
    }
    if (good && there) {
        set_unit(unit, metres, said);
    }
    proj_destroy(axes);
    proj_destroy(system);
    return good;
}

/// Joins two statements of a unit: what is stated by one of them, or by both the same.
static bool join_units(const Reader *reader, Unit *unit, const char *name, const Unit *other, const char *other_name)
{
    if (unit->metres > 0.0 && other->metres > 0.0 && !same_unit(unit, other)) {
        return fail(reader, "%s is %s, but %s is %s: export it with one unit", name, unit->name, other_name,
                    other->name);
    }
    *unit = unit->metres > 0.0 ? *unit : *other;
    return true;
}

/// Reads the unit of a band by its name, of which programs have several.
static bool read_unit_name(const Reader *reader, const char *text, Unit *unit)
{
    static const struct {
        const char *name, *means;
    } spellings[] = {{"meter", "metre"},
                     {"meters", "metre"},
                     {"metres", "metre"},
                     {"feet", "foot"},
                     {"international foot", "foot"},
                     {"ftUS", "US survey foot"},
                     {"US survey feet", "US survey foot"},
                     {"Foot_US", "US survey foot"}};
    for (size_t k = 0; k < sizeof spellings / sizeof spellings[0]; k++) {
        text = strcasecmp(text, spellings[k].name) == 0 ? spellings[k].means : text;
    }
    int count = 0;
    PROJ_UNIT_INFO **known = proj_get_units_from_database(reader->proj, "EPSG", "linear", 0, &count);
    for (int k = 0; known != NULL && k < count && unit->metres <= 0.0; k++) {
        if (strcasecmp(text, known[k]->name) == 0 ||
            (known[k]->proj_short_name != NULL && strcasecmp(text, known[k]->proj_short_name) == 0)) {
            set_unit(unit, known[k]->conv_factor, known[k]->name);
        }
    }
    proj_unit_list_destroy(known);
    return unit->metres > 0.0 ||
           fail(reader,
                "GDAL_METADATA: the unit of the band is \"%.40s\", allowed a unit of length (m, ft, US survey foot)",
                text);
}

/// ---- what GDAL writes ----------------------------------------------------------------------------------------------

static bool read_plain(const char *text, double *number)
{
    char *end = NULL;
    *number = strtod(text, &end);
    return end != text && end[strspn(end, " \t\r\n")] == '\0';
}

/// Takes an item of the first band.
static bool take_item(Reader *reader, const char *role, const char *text, Unit *unit)
{
    bool scale = strcmp(role, "scale") == 0;
    if (scale || strcmp(role, "offset") == 0) {
        double *number = scale ? &reader->scale : &reader->offset;
        bool good = read_plain(text, number) && fabs(*number) <= SURVEY_FARTHEST;
        return (good && !(scale && fabs(*number) < 1e-9)) ||
               fail(reader, "GDAL_METADATA: %s: read %.40s, allowed a number of -1e+08 to 1e+08%s", role, text,
                    scale ? ", not 0" : "");
    }
    return strcmp(role, "unittype") != 0 || text[0] == '\0' || read_unit_name(reader, text, unit);
}

/// Reads scale, offset and unit of the band from GDAL's items.
static bool read_metadata(Reader *reader, Unit *unit)
{
    uint32_t count;
    const char *text = find_tag(reader, TAG_METADATA, TIFF_ASCII, &count);
    *unit = (Unit){.metres = 0.0};
    if (text == NULL) {
        return true;
    }
    size_t length = strnlen(text, count);
    xmlDoc *tree =
        length > 0 && length <= MOST_METADATA
            ? xmlReadMemory(text, (int)length, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)
            : NULL;
    const xmlNode *root = tree != NULL && tree->intSubset == NULL ? xmlDocGetRootElement(tree) : NULL;
    bool good = root != NULL || fail(reader, "GDAL_METADATA: it is not well-formed XML");
    for (const xmlNode *item = root != NULL ? root->children : NULL; good && item != NULL; item = item->next) {
        if (item->type != XML_ELEMENT_NODE || strcmp((const char *)item->name, "Item") != 0) {
            continue;
        }
        xmlChar *role = xmlGetProp(item, (const xmlChar *)"role");
        xmlChar *sample = xmlGetProp(item, (const xmlChar *)"sample");
        xmlChar *content = xmlNodeGetContent(item);
        bool first = sample == NULL || strcmp((const char *)sample, "0") == 0;
        if (role != NULL && content != NULL && first) {
            good = take_item(reader, (const char *)role, (const char *)content, unit);
        }
        xmlFree(role);
        xmlFree(sample);
        xmlFree(content);
    }
    xmlFreeDoc(tree);
    return good;
}

static bool read_nodata(Reader *reader)
{
    uint32_t count;
    char number[64] = "";
    const char *text = find_tag(reader, TAG_NODATA, TIFF_ASCII, &count);
    if (text == NULL) {
        return true;
    }
    snprintf(number, sizeof number, "%.*s", (int)(count < sizeof number ? count : sizeof number - 1), text);
    reader->has_nodata = number[0] != '\0';
    return !reader->has_nodata || read_plain(number, &reader->nodata) ||
           fail(reader, "GDAL_NODATA: read %.40s, allowed a number", number);
}

/// ---- where the pixels lie ------------------------------------------------------------------------------------------

static bool is_finite(const double *values, int count)
{
    for (int k = 0; k < count; k++) {
        if (!(fabs(values[k]) <= SURVEY_FARTHEST)) {
            return false;
        }
    }
    return true;
}

/// The place of pixel (0, 0)'s tiepoint in units of the file, and the way to the next column and row, along axes that
/// are turned from east towards north.
typedef struct Frame {
    double x, y, dx, dy;
    double cosine, sine;
} Frame;

static bool read_transformation(const Reader *reader, const double *m, uint32_t count, Frame *frame)
{
    if (count != 16 || !is_finite(m, 16)) {
        return fail(reader, "ModelTransformation: read %u values, allowed 16 numbers of -1e+08 to 1e+08", count);
    }
    if (fabs(m[1]) <= 1e-9 * fabs(m[0]) && fabs(m[4]) <= 1e-9 * fabs(m[5])) {
        *frame = (Frame){m[3], m[7], m[0], m[5], 1.0, 0.0};
        return true;
    }
    double along = same_hypot(m[0], m[4]), down = same_hypot(m[1], m[5]);
    if (!(along > 0.0 && fabs(m[0] * m[1] + m[4] * m[5]) <= 1e-6 * along * down)) {
        return fail(reader,
                    "ModelTransformation: the grid is sheared (%g %g, %g %g), allowed columns square to rows: gdalwarp "
                    "makes one",
                    m[0], m[1], m[4], m[5]);
    }
    double cosine = m[0] / along, sine = m[4] / along;
    *frame = (Frame){m[3], m[7], along, cosine * m[5] - sine * m[1], cosine, sine};
    return true;
}

static bool read_tiepoint(const Reader *reader, const double *scale, uint32_t scales, Frame *frame)
{
    uint32_t count;
    const double *tie = find_tag(reader, TAG_TIEPOINT, TIFF_DOUBLE, &count);
    if (tie == NULL || count < 6 || !is_finite(tie, 6)) {
        return fail(reader, "ModelTiepoint: read %u values, allowed at least 6 numbers of -1e+08 to 1e+08", count);
    }
    if (scales < 2 || !is_finite(scale, (int)(scales < 3 ? scales : 3))) {
        return fail(reader, "ModelPixelScale: read %u values, allowed 2 or 3 numbers of -1e+08 to 1e+08", scales);
    }
    if (scales > 2 && ((scale[2] != 0.0 && scale[2] != 1.0) || tie[5] != 0.0)) {
        return fail(reader,
                    "heights are scaled by ModelPixelScale (%g) and ModelTiepoint (%g), allowed by GDAL's scale and "
                    "offset",
                    scale[2], tie[5]);
    }
    *frame = (Frame){tie[3] - tie[0] * scale[0], tie[4] + tie[1] * scale[1], scale[0], -scale[1], 1.0, 0.0};
    return true;
}

static bool read_frame(const Reader *reader, Frame *frame)
{
    uint32_t scales, values, ties;
    const double *scale = find_tag(reader, TAG_PIXEL_SCALE, TIFF_DOUBLE, &scales);
    const double *matrix = find_tag(reader, TAG_TRANSFORMATION, TIFF_DOUBLE, &values);
    const double *tie = find_tag(reader, TAG_TIEPOINT, TIFF_DOUBLE, &ties);
    if (scale != NULL) {
        return read_tiepoint(reader, scale, scales, frame);
    }
    if (matrix != NULL) {
        return read_transformation(reader, matrix, values, frame);
    }
    if (tie != NULL && ties > 6) {
        return fail(reader, "it is placed by %u points alone, allowed a grid along east and north: gdalwarp makes one",
                    ties / 6);
    }
    return fail(reader,
                "it does not say where its pixels lie (no ModelPixelScale, no ModelTransformation): state it by "
                "gdal_translate -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH; if a world file (.tfw) lies beside "
                "it, gdal_translate takes that in");
}

/// Puts the grid to its place in metres.
static bool place_grid(Reader *reader, const Frame *frame)
{
    Raster *raster = &reader->raster;
    double middle = code_of(reader, GTRasterTypeGeoKey) == RasterPixelIsPoint ? 0.0 : 0.5;
    double metres = reader->plan.metres, least = 1e-6, most = 1e4;
    if (!(frame->dx * metres >= least && frame->dx * metres <= most && fabs(frame->dy) * metres >= least &&
          fabs(frame->dy) * metres <= most)) {
        return fail(reader, "read pixels of %g x %g, allowed %g to %g m, columns from west to east", frame->dx,
                    fabs(frame->dy), least, most);
    }
    raster->northward = frame->dy > 0.0;
    raster->dx = frame->dx * metres;
    raster->dy = fabs(frame->dy) * metres;
    raster->cosine = frame->cosine;
    raster->sine = frame->sine;
    double along = middle * frame->dx, down = (middle + (raster->northward ? 0 : raster->rows - 1)) * frame->dy;
    raster->x = (frame->x + along * frame->cosine - down * frame->sine) * metres;
    raster->y = (frame->y + along * frame->sine + down * frame->cosine) * metres;
    return true;
}

static bool fail_degrees(const Reader *reader)
{
    return fail(reader,
                "it is in degrees, allowed metres or feet: project it, for example by gdalwarp -t_srs EPSG:25832 "
                "-r bilinear with the code of its zone");
}

static bool read_units(Reader *reader)
{
    Unit system, band;
    if (!read_unit_key(reader, "ProjLinearUnitsGeoKey", ProjLinearUnitsGeoKey, ProjLinearUnitSizeGeoKey,
                       &reader->plan) ||
        !read_system_unit(reader, "ProjectedCRSGeoKey", ProjectedCSTypeGeoKey, false, &system) ||
        !join_units(reader, &reader->plan, "ProjLinearUnitsGeoKey", &system, "that of ProjectedCRSGeoKey") ||
        !read_unit_key(reader, "VerticalUnitsGeoKey", VerticalUnitsGeoKey, 0, &reader->height) ||
        !read_system_unit(reader, "VerticalGeoKey", VerticalCSTypeGeoKey, true, &system) ||
        !join_units(reader, &reader->height, "VerticalUnitsGeoKey", &system, "that of VerticalGeoKey") ||
        !read_metadata(reader, &band) ||
        !join_units(reader, &reader->height, "the unit of heights by the keys", &band, "that of the band")) {
        return false;
    }
    Unit metre;
    set_unit(&metre, 1.0, "metre");
    if (reader->plan.metres > 0.0 && reader->height.metres <= 0.0 && !same_unit(&reader->plan, &metre)) {
        return fail(reader,
                    "the plan is in %s, and nothing states the unit of heights: state it, for example by "
                    "gdal_translate -a_srs EPSG:%d+6360 (US survey feet), +8228 (feet) or +5703 (metres)",
                    reader->plan.name, code_of(reader, ProjectedCSTypeGeoKey));
    }
    return true;
}

/// Reads all that stands before the pixels.
static bool read_header(Reader *reader, char *unit)
{
    Frame frame = {.dx = 0.0};
    if (!check_mask(reader) || !check_sizes(reader) || !check_samples(reader) || !check_layout(reader) ||
        !open_keys(reader)) {
        return false;
    }
    int model = code_of(reader, GTModelTypeGeoKey);
    if (model == ModelTypeGeographic || model == ModelTypeGeocentric) {
        return model == ModelTypeGeographic
                   ? fail_degrees(reader)
                   : fail(reader, "GTModelTypeGeoKey: read geocentric, allowed projected: gdalwarp projects it");
    }
    if (!read_units(reader) || !read_nodata(reader) || !read_frame(reader, &frame)) {
        return false;
    }
    bool stated = reader->plan.metres > 0.0 || reader->height.metres > 0.0;
    if (reader->plan.metres <= 0.0) {
        set_unit(&reader->plan, 1.0, stated ? "metre" : "metres, which the file does not say");
    }
    reader->height = reader->height.metres > 0.0 ? reader->height : reader->plan;
    if (same_unit(&reader->plan, &reader->height)) {
        snprintf(unit, SURVEY_NAME_LENGTH, "%s", reader->plan.name);
    } else {
        snprintf(unit, SURVEY_NAME_LENGTH, "%.24s, heights in %.24s", reader->plan.name, reader->height.name);
    }
    return place_grid(reader, &frame) && (!raster_seems_geographic(&reader->raster) || fail_degrees(reader));
}

/// ---- pixels --------------------------------------------------------------------------------------------------------

static double sample_of(const Reader *reader, const unsigned char *at)
{
    union {
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        float f32;
        double f64;
    } sample;
    memcpy(&sample, at, reader->bits / 8U);
    if (reader->format == SAMPLEFORMAT_IEEEFP) {
        return reader->bits == 32 ? (double)sample.f32 : sample.f64;
    }
    bool has_sign = reader->format == SAMPLEFORMAT_INT;
    return reader->bits == 8    ? (has_sign ? sample.i8 : sample.u8)
           : reader->bits == 16 ? (has_sign ? sample.i16 : sample.u16)
                                : (has_sign ? (double)sample.i32 : (double)sample.u32);
}

/// m; NAN: none.
static double height_of(const Reader *reader, const unsigned char *at)
{
    double sample = sample_of(reader, at);
    bool none = !isfinite(sample);
    if (!none && reader->has_nodata) {
        none =
            reader->format == SAMPLEFORMAT_IEEEFP ? raster_is_nodata(sample, reader->nodata) : sample == reader->nodata;
    }
    return none ? (double)NAN : (reader->offset + reader->scale * sample) * reader->height.metres;
}

/// The number of the tile or strip that has a pixel; false where a sparse file leaves it out.
static bool find_block(const Reader *reader, int row, int column, uint32_t *block)
{
    *block = reader->tiled ? TIFFComputeTile(reader->tiff, (uint32_t)column, (uint32_t)row, 0, 0)
                           : TIFFComputeStrip(reader->tiff, (uint32_t)row, 0);
    return TIFFGetStrileByteCount(reader->tiff, *block) > 0;
}

static bool fail_row(const Reader *reader, int row)
{
    char what[48];
    snprintf(what, sizeof what, "row %d of the pixels", row + 1);
    return fail_tiff(reader, what);
}

/// Reads the tiles of a row that have columns which are wanted.
static bool read_tiles(Reader *reader, int row, int first, int count)
{
    const size_t sample = reader->bits / 8U, columns = (size_t)reader->raster.columns, width = reader->tile_width;
    const tmsize_t size = (tmsize_t)(width * reader->tile_length * sample);
    long top = row - row % (long)reader->tile_length;
    if (reader->band_first == top) {
        return true;
    }
    reader->band_first = top;
    for (size_t left = (size_t)first / width * width; left < (size_t)first + (size_t)count; left += width) {
        uint32_t tile;
        size_t wide = left + width <= columns ? width : columns - left;
        if (!find_block(reader, row, (int)left, &tile)) {
            continue;
        }
        if (TIFFReadEncodedTile(reader->tiff, tile, reader->tile, size) != size) {
            return fail_row(reader, row);
        }
        for (size_t k = 0; k < reader->tile_length; k++) {
            memcpy(reader->band + (k * columns + left) * sample, reader->tile + k * width * sample, wide * sample);
        }
    }
    return true;
}

/// Reads a row of strips. Within a strip libtiff reads rows one after another.
static bool read_line(Reader *reader, int row)
{
    long top = row - row % (long)reader->tile_length;
    uint32_t strip;
    if (!find_block(reader, row, 0, &strip)) {
        return true;
    }
    if (TIFFGetStrileByteCount(reader->tiff, strip) > MOST_MEMORY) {
        return fail(reader, "a strip has more than %d MB: gdal_translate -co TILED=YES", MOST_MEMORY >> 20);
    }
    if (reader->next_row < top || reader->next_row > row) {
        reader->next_row = top;
    }
    for (; reader->next_row <= row; reader->next_row++) {
        if (TIFFReadScanline(reader->tiff, reader->band, (uint32_t)reader->next_row, 0) < 0) {
            return fail_row(reader, (int)reader->next_row);
        }
    }
    return true;
}

/// See RasterRead.
static bool read_row(void *context, int row, int first, int count, double *heights, TinPlace *places)
{
    Reader *reader = context;
    const size_t sample = reader->bits / 8U, columns = (size_t)reader->raster.columns;
    if (!(reader->tiled ? read_tiles(reader, row, first, count) : read_line(reader, row))) {
        return false;
    }
    const size_t line = reader->tiled ? (size_t)(row - reader->band_first) * columns : 0;
    bool there = false;
    for (int k = 0; k < count; k++) {
        uint32_t block;
        int column = first + k;
        if (k == 0 || (reader->tiled && column % (int)reader->tile_width == 0)) {
            there = find_block(reader, row, column, &block);
        }
        heights[k] = there ? height_of(reader, reader->band + (line + (size_t)column) * sample) : (double)NAN;
        places[k] = (TinPlace){row + 1, column + 1};
        if (!isnan(heights[k]) && !(fabs(heights[k]) <= SURVEY_FARTHEST)) {
            return tin_fail_at(reader->label, places[k], reader->status,
                               "height: read %g m, allowed %g to %g: if it stands for no height, state so "
                               "(gdal_translate -a_nodata %g)",
                               heights[k], -SURVEY_FARTHEST, SURVEY_FARTHEST,
                               sample_of(reader, reader->band + (line + (size_t)column) * sample));
        }
    }
    return true;
}

/// ---- the whole file ------------------------------------------------------------------------------------------------

bool geotiff_scan(const char *label, FILE *file, const SurveyWish *wish, char *unit, Status *status)
{
    Reader reader = {
        .label = label, .file = file, .status = status, .scale = 1.0, .raster = {.label = label}, .next_row = -1};
    reader.proj = proj_context_create();
    if (reader.proj == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    proj_log_level(reader.proj, PJ_LOG_NONE);
    proj_context_set_enable_network(reader.proj, 0);
    bool good = open_tiff(&reader) && read_header(&reader, unit) &&
                raster_scan(&reader.raster, read_row, &reader, wish, status);
    if (reader.keys != NULL) {
        GTIFFree(reader.keys);
    }
    if (reader.tiff != NULL) {
        TIFFClose(reader.tiff);
    }
    free(reader.band);
    free(reader.tile);
    proj_context_destroy(reader.proj);
    return good;
}
