/// Which further windows a line asks for.
// test: sanitized
#include "data/schema/settings_params.h"
#include "tests/support/test.h"

TEST(a_list_is_read)
{
    SettingsSides sides;
    assert_true(sides_read("", &sides));
    assert_int_equal(sides.count, 0);
    assert_true(sides_read(" around@2,behind  free@16 ", &sides));
    assert_int_equal(sides.count, 3);
    assert_int_equal(sides.sides[0].camera, CAMERA_ORBIT);
    assert_int_equal(sides.sides[0].display, 2);
    assert_int_equal(sides.sides[1].camera, CAMERA_CHASE);
    assert_int_equal(sides.sides[1].display, 0);
    assert_int_equal(sides.sides[2].camera, CAMERA_FREE);
    assert_int_equal(sides.sides[2].display, 16);
}

TEST(what_is_no_window_is_refused)
{
    static const char *const wrong[] = {"moon",
                                        "aroun",
                                        "around@",
                                        "around@0",
                                        "around@17",
                                        "around@-1",
                                        "around@1x",
                                        "@1",
                                        "cab@",
                                        "Cab",
                                        "cab@1@2",
                                        "cab;plan",
                                        "cab@0000000000001",
                                        "cab@001",
                                        "a-word-that-is-too-long-for-any",
                                        "cab cab cab cab"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        SettingsSides sides;
        if (sides_read(wrong[k], &sides)) {
            fail_msg("%s is read", wrong[k]);
        }
    }
}

TEST_GROUP(NULL, NULL)
