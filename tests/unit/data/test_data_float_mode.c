/// The floating-point environment: the default one inside, the caller's before and after, flags included.
#include "data/core/float_mode.h"
#include "tests/support/host_mode.h"
#include "tests/support/test.h"

TEST(the_callers_mode_is_kept)
{
    for (HostMode host = MODE_DEFAULT; host < MODE_COUNT; host++) {
        host_mode_set(host);
        feraiseexcept(FE_DIVBYZERO);
        bool plain_before = host_mode_is_default();
        HostControl before = host_control();
        FloatMode mode = float_mode_begin();
        int flags = fetestexcept(FE_ALL_EXCEPT);
        bool plain = host_mode_is_default();
        float_mode_end(&mode);
        bool kept = host_control_is(before);
        fesetenv(FE_DFL_ENV);
        assert_true(plain);
        assert_true(kept);
        assert_int_equal(flags, 0);
        assert_int_equal(plain_before, host == MODE_DEFAULT);
    }
}

TEST(calls_nest)
{
    host_mode_set(MODE_UPWARD);
    FloatMode outer = float_mode_begin(), inner = float_mode_begin();
    float_mode_end(&inner);
    bool plain = host_mode_is_default();
    float_mode_end(&outer);
    int rounding = fegetround();
    fesetenv(FE_DFL_ENV);
    assert_true(plain);
    assert_int_equal(rounding, FE_UPWARD);
}

TEST_GROUP(NULL, NULL)
