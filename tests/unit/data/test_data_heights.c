/// Height maps: grey of 16 bits becomes heights; every other picture is refused by name.
// test: sanitized
#include <png.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/schema/design_surface.h"
#include "data/schema/load.h"
#include "data/files/height_map.h"
#include "tests/support/test.h"

typedef struct Picture {
    char bytes[1 << 16];
    size_t size;
} Picture;

static void write_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    Picture *picture = png_get_io_ptr(png);
    assert_true(count <= sizeof picture->bytes - picture->size);
    memcpy(picture->bytes + picture->size, bytes, count);
    picture->size += count;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

/// Draws columns x rows pixels; `value(column, row)` is 1000 x column + 100 x row.
static void draw(Picture *picture, unsigned columns, unsigned rows, int bits, int colours, int interlace)
{
    picture->size = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_non_null(info);
    png_set_write_fn(png, picture, write_bytes, flush_nothing);
    png_set_IHDR(png, info, columns, rows, bits, colours, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color palette[2] = {{0, 0, 0}, {255, 255, 255}};
    if (colours == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 2);
    }
    png_write_info(png, info);
    size_t line = png_get_rowbytes(png, info);
    png_bytep *lines = calloc(rows, sizeof *lines);
    assert_non_null(lines);
    for (unsigned row = 0; row < rows; row++) {
        lines[row] = calloc(line, 1);
        for (unsigned column = 0; column < columns && bits == 16 && colours == PNG_COLOR_TYPE_GRAY; column++) {
            unsigned value = 1000 * column + 100 * row;
            lines[row][2 * column] = (png_byte)(value >> 8);
            lines[row][2 * column + 1] = (png_byte)(value & 255);
        }
    }
    png_write_image(png, lines);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    for (unsigned row = 0; row < rows; row++) {
        free(lines[row]);
    }
    free(lines);
}

static void check_refused(const char *bytes, size_t size, const char *says)
{
    Status status;
    HeightMap map;
    if (height_map_read("t.png", bytes, size, &map, &status)) {
        fail_msg("accepted where \"%s\" is expected", says);
    }
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_contains(status.text, "t.png: ");
    assert_contains(status.text, says);
    assert_null(map.grey);
}

TEST(grey_of_sixteen_bits_is_read_interlaced_or_not)
{
    static Picture picture;
    for (int k = 0; k < 2; k++) {
        Status status;
        HeightMap map;
        draw(&picture, 5, 3, 16, PNG_COLOR_TYPE_GRAY, k == 0 ? PNG_INTERLACE_NONE : PNG_INTERLACE_ADAM7);
        assert_good(height_map_read("t.png", picture.bytes, picture.size, &map, &status), status);
        assert_int_equal(map.columns, 5);
        assert_int_equal(map.rows, 3);
        for (int i = 0; i < 15; i++) {
            assert_int_equal(map.grey[i], 1000 * (i % 5) + 100 * (i / 5));
        }
        // The upper row lies at v = 1; between pixels the values of four are mixed.
        assert_near(height_map_at(&map, 0.0, 1.0), 0.0, 1e-9);
        assert_near(height_map_at(&map, 1.0, 0.0), 4200.0, 1e-9);
        assert_near(height_map_at(&map, 0.625, 0.25), 2500.0 + 150.0, 1e-9);
        assert_near(height_map_at(&map, 7.0, -3.0), 4200.0, 1e-9);
        height_map_free(&map);
    }
}

TEST(other_pictures_are_refused_by_name)
{
    static Picture picture;
    static const struct {
        int bits, colours;
        const char *says;
    } kinds[] = {{8, PNG_COLOR_TYPE_GRAY, "read a grey picture of 8 bits, allowed grey, 16 bits"},
                 {16, PNG_COLOR_TYPE_GRAY_ALPHA, "read a grey with alpha picture of 16 bits"},
                 {8, PNG_COLOR_TYPE_RGB, "read a colour picture of 8 bits"},
                 {16, PNG_COLOR_TYPE_RGB_ALPHA, "read a colour with alpha picture of 16 bits"},
                 {1, PNG_COLOR_TYPE_PALETTE, "read a palette picture of 1 bits"}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        draw(&picture, 4, 4, kinds[k].bits, kinds[k].colours, PNG_INTERLACE_NONE);
        check_refused(picture.bytes, picture.size, kinds[k].says);
    }
    draw(&picture, 1025, 2, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    check_refused(picture.bytes, picture.size, "read a picture of 1025 x 2 pixels, allowed 2 to 1024 a side");
    draw(&picture, 1, 8, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    check_refused(picture.bytes, picture.size, "read a picture of 1 x 8 pixels");
}

TEST(pictures_that_are_not_whole_are_refused)
{
    static Picture picture;
    check_refused("", 0, "not a whole PNG picture: the file ends too early");
    check_refused("kind: scene\n", 12, "not a whole PNG picture: ");
    draw(&picture, 40, 40, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    for (size_t size = 1; size + 12 < picture.size; size += 7) { // the last 12 bytes are the end mark
        check_refused(picture.bytes, size, "not a whole PNG picture");
    }
    picture.bytes[picture.size / 2] ^= 1;
    check_refused(picture.bytes, picture.size, "not a whole PNG picture");
}

/// Found by fuzzing: 99 bytes, of which the last begin a text of 1.9 GB, made libpng take as much.
TEST(a_text_in_a_picture_takes_no_memory)
{
    static Picture picture;
    struct rusage before, after;
    draw(&picture, 41, 17, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    memcpy(picture.bytes + 33, "\x73\x00\x00\x28tEXt", 8); // behind the head
    getrusage(RUSAGE_SELF, &before);
    check_refused(picture.bytes, 99, "not a whole PNG picture: the file ends too early");
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 65536); // kB
}

TEST(a_map_lies_where_the_scene_puts_it)
{
    static Picture picture;
    draw(&picture, 5, 3, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE);
    const SceneExercise exercise = {.surface = {.tolerance = 0.02,
                                                .heights = "t",
                                                .length = 8.0,
                                                .width = 4.0,
                                                .low = -1.0,
                                                .high = 1.0,
                                                .x = 1.0,
                                                .y = -2.0,
                                                .heading = M_PI / 2.0,
                                                .text = picture.bytes,
                                                .text_size = picture.size}};
    Status status;
    DesignSurface *design = design_create(&exercise, DESIGN_OF_SURFACE, NULL, &status);
    assert_non_null(design);
    // Its length runs north from (1, -2); the upper row is its left, western side.
    double z = 9.0;
    assert_true(design_height(design, -0.9999, 5.999, &z));
    assert_near(z, -1.0 + 2.0 * 4000.0 / 65535.0, 1e-4);
    assert_true(design_height(design, 2.999, -2.0, &z));
    assert_near(z, -1.0 + 2.0 * 200.0 / 65535.0, 1e-4);
    assert_false(design_height(design, 3.1, 0.0, &z));
    assert_true(design_holds(design, 1.0, 0.0, 1.99) && !design_holds(design, 1.0, 0.0, 2.01));
    DesignBox box;
    assert_true(design_box(design, &box));
    assert_near(box.low.z, -1.0, 1e-12);
    assert_near(box.high.z, -1.0 + 2.0 * 4200.0 / 65535.0, 1e-9);
    DesignLine lines[DESIGN_LINES];
    assert_int_equal(design_lines(design, lines, DESIGN_LINES), 64);
    design_destroy(design);
}

static void set_all(SceneParams *scene, const char *const *set, int count, const char *says)
{
    static MachineParams machine;
    Status status;
    bool good = data_load_scene(SPADEWORK_TEST_DIR "/support/swale.yaml", set, count, scene, &machine, NULL, &status);
    if (says == NULL) {
        assert_good(good, status);
    } else {
        assert_false(good);
        assert_contains(status.text, says);
    }
}

TEST(a_scene_states_its_map_wholly)
{
    static SceneParams scene;
    set_all(&scene, NULL, 0, NULL);
    set_all(&scene, (const char *[]){"exercise.surface.heights=nosuch"}, 1,
            "exercise.surface.heights: no height map named nosuch in");
    set_all(&scene, (const char *[]){"exercise.surface.high=-0.5"}, 1,
            "exercise.surface.high: read -0.5, allowed more than low (-0.35)");
    set_all(&scene, (const char *[]){"exercise.surface.length=60"}, 1, "the surface reaches from");
    set_all(&scene, (const char *[]){"exercise.surface.low=-3.5"}, 1,
            "reaches down to -3.5, allowed above bedrock (-3)");
    set_all(&scene, (const char *[]){"exercise.surface.east=3"}, 1,
            "exercise.surface.east: does not belong to a surface of heights");
    set_all(&scene, (const char *[]){"exercise.surface.width=inf"}, 1, "exercise.surface.width: read inf");
}

TEST(check_tells_what_is_wrong_with_a_picture)
{
    char folder[] = "/tmp/spadework-heights-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bad.png", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("\x89PNG\r\n\x1a\n", 1, 8, file), 8);
    fclose(file);
    Status status;
    assert_false(data_check_file(path, NULL, NULL, &status));
    assert_contains(status.text, "not a whole PNG picture");
    unlink(path);
    rmdir(folder);
    assert_good(data_check_file(SPADEWORK_DATA_DIR "/heights/swale.png", NULL, NULL, &status), status);
    assert_good(data_check_file(SPADEWORK_DATA_DIR "/surfaces/house-pad.xml", NULL, NULL, &status), status);
}

TEST_GROUP(NULL, NULL)
