/// Pictures of the menu: what is written is read again, and what is no picture is none.
#include "data/schema/load.h"
#include "tests/support/test.h"
#include "trainer/app/menu.h"

enum { WIDTH = 64, HEIGHT = 36 };

/// Left half red, right half blue.
static unsigned char *encode(size_t *size)
{
    unsigned char rgb[HEIGHT][WIDTH][3] = {0};
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            rgb[y][x][x < WIDTH / 2 ? 0 : 2] = 255;
        }
    }
    unsigned char *png = pictures_encode(&rgb[0][0][0], WIDTH, HEIGHT, WIDTH / 2, size);
    assert_non_null(png);
    return png;
}

TEST(a_picture_made_smaller_is_read_again)
{
    size_t size = 0;
    unsigned char *png = encode(&size);
    RenderPicture *picture = pictures_decode(png, size);
    assert_non_null(picture);
    assert_int_equal(picture->width, WIDTH / 2);
    assert_int_equal(picture->height, HEIGHT / 2);
    uint32_t left = 0, right = 0;
    memcpy(&left, picture->pixels + 4 * 2, sizeof left);
    memcpy(&right, picture->pixels + (size_t)4 * (WIDTH / 2 - 3), sizeof right);
    assert_int_equal(left & 0xffffffU, 0xff0000U);
    assert_int_equal(right & 0xffffffU, 0x0000ffU);
    pictures_free(picture);
    free(png);
}

TEST(what_is_no_picture_is_none)
{
    size_t size = 0;
    unsigned char *png = encode(&size);
    for (size_t cut = 0; cut < size; cut += 7) {
        pictures_free(pictures_decode(png, cut)); // whatever a cut one is, it is read within its bytes
    }
    assert_null(pictures_decode(png, size / 2));
    png[16] = 0x7f; // two thousand million pixels wide
    assert_null(pictures_decode(png, size));
    assert_null(pictures_decode((const unsigned char *)"no picture, but a text of some length", 37));
    assert_null(pictures_read("/nowhere/at/all.png"));
    assert_null(pictures_read("/dev/zero"));
    assert_null(pictures_of_scene("trench", "../../secret"));
    free(png);
}

/// The pictures that are shipped can be read and are of one size. A scene without one shows its plan.
TEST(shipped_pictures_are_of_one_size)
{
    DataListEntry *list = calloc(256, sizeof *list);
    Status status = {0};
    int pictures = 0;
    assert_non_null(list);
    int count = data_list("scenes", list, 256, &status);
    for (int k = 0; k < count; k++) {
        RenderPicture *picture = list[k].own ? NULL : pictures_of_scene(list[k].name, "");
        if (picture != NULL && (picture->width != 320 || picture->height != 180)) {
            fail_msg("%s: %d x %d pixels; sh data/pictures/scenes/make.sh %s", list[k].name, picture->width,
                     picture->height, list[k].name);
        }
        pictures += picture != NULL;
        pictures_free(picture);
    }
    assert_true(pictures > 10);
    free(list);
}

TEST_GROUP(NULL, NULL)
