/// Sine, cosine and tangent: Taylor's series of an angle brought to -pi/4..pi/4 with more digits than a double has.
#include "data/core/elementary.h"

#include <math.h>

/// pi/2 = PART_1 + PART_2 + PART_3. The first two have 33 bits, so that their products with whole numbers up to 2^20
/// are exact (Cody and Waite, Software Manual for the Elementary Functions, 1980).
#define PART_1   0x1.921fb544p+0
#define PART_2   0x1.0b4611a6p-34
#define PART_3   0x1.3198a2e037073p-69
#define QUARTERS 0x1.45f306dc9c883p-1 ///< 2/pi
#define FAR      0x1p20 ///< quarter turns
#define TINY     0x1p-27 ///< its square is lost beside 1

/// An angle as a whole number of quarter turns and a rest.
typedef struct Reduced {
    int quarter; ///< 0..3: the number of quarter turns, modulo 4
    double high, low; ///< rad; the rest is their sum, -pi/4..pi/4 (a little beyond by rounding), |low| <= ulp(high) / 2
} Reduced;

static Reduced reduce(double angle)
{
    // Angles of machines do not come here. The remainder is exact, but the double nearest 2 pi is not 2 pi.
    double x = fabs(angle) * QUARTERS < FAR ? angle : remainder(angle, 2.0 * M_PI);
    double n = floor(x * QUARTERS + 0.5);
    double a = x - n * PART_1; // exact: both are multiples of 2^-53 and near each other
    double b = -n * PART_2, sum = a + b, back = sum - a;
    double rest = (a - (sum - back)) + (b - back) - n * PART_3; // what the sum has lost (Knuth), and the third part
    double high = sum + rest;
    return (Reduced){.quarter = (int)(n - 4.0 * floor(0.25 * n)), .high = high, .low = rest - (high - sum)};
}

/// sin(h + l) = h - h^3/3! + ... + h^17/17! + l cos(h); the next term is below 2^-62 of the sine.
static double sine_series(double h, double l)
{
    double z = h * h;
    double tail =
        1.0 / 362880.0 +
        z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z / 355687428096000.0)));
    double series = -1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * tail));
    return h + (h * z * series + l * (1.0 - 0.5 * z));
}

/// cos(h + l) = 1 - h^2/2! + ... - h^18/18! - l sin(h), with what 1 - h^2/2 loses by rounding.
static double cosine_series(double h, double l)
{
    double z = h * h, half = 0.5 * z, one = 1.0 - half;
    double tail =
        1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0 - z / 6402373705728000.0));
    double series = 1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 + z * tail)));
    return one + (((1.0 - one) - half) + (z * z * series - h * l));
}

/// Sine of an angle that is `quarter` quarter turns and the rest of `at`.
static double sine_of(const Reduced *at, int quarter)
{
    double value = quarter % 2 == 0 ? sine_series(at->high, at->low) : cosine_series(at->high, at->low);
    return quarter < 2 ? value : -value;
}

double same_sin(double angle)
{
    if (fabs(angle) < TINY || !isfinite(angle)) {
        return isfinite(angle) ? angle : angle - angle;
    }
    Reduced at = reduce(angle);
    return sine_of(&at, at.quarter);
}

double same_cos(double angle)
{
    if (!isfinite(angle)) {
        return angle - angle;
    }
    Reduced at = reduce(angle);
    return sine_of(&at, (at.quarter + 1) % 4);
}

double same_tan(double angle)
{
    if (fabs(angle) < TINY || !isfinite(angle)) {
        return isfinite(angle) ? angle : angle - angle;
    }
    Reduced at = reduce(angle);
    return sine_of(&at, at.quarter) / sine_of(&at, (at.quarter + 1) % 4);
}
