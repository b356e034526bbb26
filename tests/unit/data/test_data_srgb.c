/// Whether colours go through sRGB and come back, and what is outside comes to the nearest end.
#include "tests/support/test.h"

#include "data/core/srgb.h"

TEST(every_byte_comes_back)
{
    for (int byte = 0; byte < 256; byte++) {
        assert_int_equal(srgb_from_linear(srgb_to_linear((uint8_t)byte)), byte);
    }
    assert_near(srgb_to_linear(188), 0.5, 0.005); // IEC 61966-2-1: half the light is 0.735 of the signal
}

TEST(what_is_outside_is_the_nearest_end)
{
    assert_int_equal(srgb_from_linear(-1.0), 0);
    assert_int_equal(srgb_from_linear((double)NAN), 0);
    assert_int_equal(srgb_from_linear(1.5), 255);
}

TEST_GROUP(NULL, NULL)
