/// Whether the functions of data/core are near the true values, and the same bits with every compiler.
// test: sanitized
#include "tests/support/test.h"

#include <float.h>

#include "data/core/elementary.h"
#include "data/core/random.h"

enum { SAMPLES = 200000 };

typedef double Function(double x);
typedef long double Truth(long double x);

/// The greatest error over `samples` arguments between two bounds, in units of the last place of the true value.
static double greatest_error(Function *function, Truth *truth, double low, double high)
{
    double greatest = 0.0;
    for (uint64_t k = 0; k < SAMPLES; k++) {
        double x = low + (high - low) * random_unit(7, 1, k);
        long double wanted = truth(x);
        double near = fabs((double)wanted), ulp = nextafter(near, HUGE_VAL) - near;
        double error = (double)(fabsl((long double)function(x) - wanted) / (long double)ulp);
        greatest = fmax(greatest, error);
    }
    return greatest;
}

/// Where a long double is no wider than a double, the truth is as uncertain as a C library's functions.
static double allowed(double ulp)
{
    return LDBL_MANT_DIG > DBL_MANT_DIG ? ulp : ulp + 1.0;
}

static double length_beside_1(double x)
{
    return same_hypot(x, 1.25);
}

static long double true_length_beside_1(long double x)
{
    return sqrtl(x * x + 1.5625L);
}

TEST(errors_are_as_the_header_says)
{
    assert_true(greatest_error(same_sin, sinl, -7.0, 7.0) < allowed(1.0));
    assert_true(greatest_error(same_sin, sinl, -1.6e6, 1.6e6) < allowed(1.0));
    assert_true(greatest_error(same_cos, cosl, -7.0, 7.0) < allowed(1.0));
    assert_true(greatest_error(same_cos, cosl, -1.6e6, 1.6e6) < allowed(1.0));
    assert_true(greatest_error(same_tan, tanl, -1.6, 1.6) < allowed(3.0));
    assert_true(greatest_error(same_asin, asinl, -1.0, 1.0) < allowed(3.0));
    assert_true(greatest_error(same_acos, acosl, -1.0, 1.0) < allowed(3.0));
    assert_true(greatest_error(same_atan, atanl, -2.0, 2.0) < allowed(3.0));
    assert_true(greatest_error(same_atan, atanl, -1e9, 1e9) < allowed(3.0));
    assert_true(greatest_error(same_exp, expl, -700.0, 700.0) < allowed(1.0));
    assert_true(greatest_error(same_log, logl, 0.5, 2.0) < allowed(1.0));
    assert_true(greatest_error(same_log, logl, 1e-9, 1e6) < allowed(1.0));
    assert_true(greatest_error(same_cbrt, cbrtl, -100.0, 100.0) < allowed(1.0));
    assert_true(greatest_error(length_beside_1, true_length_beside_1, -10.0, 10.0) < allowed(2.0));
}

static void expect(double got, double wanted)
{
    assert_true(isnan(wanted) ? isnan(got) : got == wanted && signbit(got) == signbit(wanted));
}

TEST(special_values_are_those_of_the_standard)
{
    expect(same_sin(-0.0), -0.0);
    expect(same_tan(-0.0), -0.0);
    expect(same_cos(0.0), 1.0);
    expect(same_cos(M_PI), -1.0);
    expect(same_sin(0.5 * M_PI), 1.0);
    expect(same_sin(HUGE_VAL), (double)NAN);
    expect(same_cos((double)NAN), (double)NAN);
    expect(same_asin(1.0), 0.5 * M_PI);
    expect(same_asin(-0.0), -0.0);
    expect(same_acos(1.0), 0.0);
    expect(same_acos(-1.0), M_PI);
    expect(same_acos(1.5), (double)NAN);
    expect(same_atan(-HUGE_VAL), -0.5 * M_PI);
    expect(same_exp(0.0), 1.0);
    expect(same_exp(-HUGE_VAL), 0.0);
    expect(same_exp(1e4), HUGE_VAL);
    expect(same_exp((double)NAN), (double)NAN);
    expect(same_log(1.0), 0.0);
    expect(same_log(0.0), -HUGE_VAL);
    expect(same_log(-1.0), (double)NAN);
    expect(same_log(HUGE_VAL), HUGE_VAL);
    expect(same_cbrt(-27.0), -3.0);
    expect(same_cbrt(-0.0), -0.0);
    expect(same_hypot(3.0, -4.0), 5.0);
    expect(same_hypot(-HUGE_VAL, (double)NAN), HUGE_VAL);
    assert_near(same_hypot(3e300, 4e300) / 5e300, 1.0, 1e-15);
    assert_near(same_hypot(3e-300, 4e-300) / 5e-300, 1.0, 1e-15);
}

TEST(directions_know_their_quadrant)
{
    expect(same_atan2(0.0, 1.0), 0.0);
    expect(same_atan2(-0.0, 1.0), -0.0);
    expect(same_atan2(0.0, -1.0), M_PI);
    expect(same_atan2(-0.0, -1.0), -M_PI);
    expect(same_atan2(0.0, 0.0), 0.0);
    expect(same_atan2(-0.0, -0.0), -M_PI);
    expect(same_atan2(2.0, 0.0), 0.5 * M_PI);
    expect(same_atan2(3.0, 3.0), 0.25 * M_PI);
    expect(same_atan2(-HUGE_VAL, HUGE_VAL), -0.25 * M_PI);
    expect(same_atan2(1.0, -HUGE_VAL), M_PI);
    expect(same_atan2((double)NAN, 1.0), (double)NAN);
    assert_near(same_atan2(1e300, 2e300), same_atan(0.5), 1e-15);
    assert_near(same_atan2(1e-310, 2e-310), same_atan(0.5), 1e-12);
    for (int k = -179; k < 180; k++) {
        double angle = k * M_PI / 180.0;
        assert_near(same_atan2(2.5 * same_sin(angle), 2.5 * same_cos(angle)), angle, 1e-15);
    }
}

/// FNV-1a (Fowler, Noll, Vo) over the bits of a value.
static uint64_t mix_in(uint64_t sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++, bits >>= 8) {
        sum = (sum ^ (bits & 255)) * 0x100000001b3u;
    }
    return sum;
}

/// The sum is that of gcc 12 and of clang 14 on x86-64 and of gcc 12 on arm64, from -O0 to -O3, with FMA and without.
TEST(bits_are_the_same_with_every_compiler)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint64_t k = 0; k < 20000; k++) {
        double x = 20.0 * random_unit(3, 1, k) - 10.0, y = 20.0 * random_unit(3, 2, k) - 10.0, share = 0.1 * x;
        const double values[] = {same_sin(x),      same_cos(x),      same_tan(x),       same_asin(share),
                                 same_acos(share), same_atan2(y, x), same_exp(x),       same_log(fabs(x)),
                                 same_cbrt(x),     same_hypot(x, y), same_sin(1e5 * x), same_atan(x)};
        for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
            sum = mix_in(sum, values[n]);
        }
    }
    assert_int_equal(sum, 0xa0afd13a6d76a5cfu);
}

TEST_GROUP(NULL, NULL)
