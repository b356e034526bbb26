/// Computes the elementary functions by sums and products in a written order, so that they have the same bits
/// everywhere.
#include "data/core/elementary.h"

#include <math.h>

/// Squares of coordinates above LARGE or below SMALL leave the range of a double; these are scaled by DOWN or UP.
#define LARGE 0x1p500
#define SMALL 0x1p-400
#define DOWN  0x1p-600
#define UP    0x1p600

/// ---- exponential, logarithm, cube root, length of a vector ---------------------------------------------------------

/// log 2 = LOG_2_PART_1 + LOG_2_PART_2; the first has 38 bits, so that its products with exponents of doubles are
/// exact.
#define LOG_2_PART_1 0x1.62e42fefap-1
#define LOG_2_PART_2 0x1.cf79abc9e3b3ap-40
#define LOG_2_UNDER  0x1.71547652b82fep+0 ///< 1 / log 2
#define HIGHEST      709.8 ///< exp of more is infinite
#define LOWEST       (-745.2) ///< exp of less is 0
#define ROOT_HALF    0x1.6a09e667f3bcdp-1

/// exp(n log 2 + r) = 2^n (1 + r + r^2/2! + ... + r^13/13!), |r| <= log 2 / 2: the next term is below 2^-57.
double same_exp(double x)
{
    if (!(x >= LOWEST && x <= HIGHEST)) {
        return x > HIGHEST ? HUGE_VAL : x < LOWEST ? 0.0 : x;
    }
    double n = floor(x * LOG_2_UNDER + 0.5);
    double a = x - n * LOG_2_PART_1, b = n * LOG_2_PART_2, r = a - b, lost = (a - r) - b;
    double tail =
        1.0 / 362880.0 + r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * (1.0 / 479001600.0 + r / 6227020800.0)));
    double middle = 1.0 / 120.0 + r * (1.0 / 720.0 + r * (1.0 / 5040.0 + r * (1.0 / 40320.0 + r * tail)));
    double series = 0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * middle));
    return ldexp(1.0 + (r + (r * r * series + lost)), (int)n);
}

/// log(2^e m) = e log 2 + log(1 + f), f = m - 1, m from sqrt(1/2) to sqrt(2). With s = f / (2 + f),
/// log(1 + f) = 2 (s + s^3/3 + s^5/5 + ...) = f - f^2/2 + s (f^2/2 + R), R = 2 s^2/3 + 2 s^4/5 + ... + 2 s^22/23,
/// where f is exact and the rest is small beside it.
double same_log(double x)
{
    if (!(x > 0.0) || isinf(x)) {
        return x == 0.0 ? -HUGE_VAL : x < 0.0 ? (double)NAN : x;
    }
    int e;
    double m = frexp(x, &e); // 1/2..1
    if (m < ROOT_HALF) {
        m *= 2.0;
        e--;
    }
    double f = m - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double tail = 2.0 / 15.0 + z * (2.0 / 17.0 + z * (2.0 / 19.0 + z * (2.0 / 21.0 + z * (2.0 / 23.0))));
    double middle = 2.0 / 9.0 + z * (2.0 / 11.0 + z * (2.0 / 13.0 + z * tail));
    double rest = z * (2.0 / 3.0 + z * (2.0 / 5.0 + z * (2.0 / 7.0 + z * middle)));
    return e * LOG_2_PART_1 - ((half - (s * (half + rest) + e * LOG_2_PART_2)) - f);
}

/// Newton's method for t^3 = x on 1/8..1, from a line; each step doubles the digits.
double same_cbrt(double x)
{
    if (x == 0.0 || !isfinite(x)) {
        return x;
    }
    int e;
    double m = frexp(fabs(x), &e);
    while (e % 3 != 0) {
        m *= 0.5;
        e++;
    }
    double t = 0.47 + 0.55 * m;
    for (int k = 0; k < 6; k++) {
        t -= (t - m / (t * t)) / 3.0;
    }
    return copysign(ldexp(t, e / 3), x);
}

double same_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) {
        return HUGE_VAL;
    }
    double size = fmax(fabs(x), fabs(y));
    if (size > LARGE) {
        return UP * sqrt((DOWN * x) * (DOWN * x) + (DOWN * y) * (DOWN * y));
    }
    if (size < SMALL) {
        return DOWN * sqrt((UP * x) * (UP * x) + (UP * y) * (UP * y));
    }
    return sqrt(x * x + y * y);
}

/// ---- arc functions -------------------------------------------------------------------------------------------------

enum { ARCS = 9 };
#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53

/// An angle as the sum of two doubles.
typedef struct Arc {
    double high, low; ///< rad
} Arc;

/// atan(k / 8).
static const Arc arcs[ARCS] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/// Direction of (x, y) for 0 <= y <= x, x > 0: with c = k / 8 next to y / x,
/// atan(y / x) = atan(c) + atan(t), t = (y - c x) / (x + c y), |t| <= 1/16; atan(t) = t - t^3/3 + ... + t^13/13.
static Arc steep_arc(double y, double x)
{
    int k = (int)(8.0 * (y / x) + 0.5);
    double c = k / 8.0, t = k == 0 ? y / x : (y - c * x) / (x + c * y), z = t * t;
    double tail = 1.0 / 9.0 + z * (-1.0 / 11.0 + z * (1.0 / 13.0));
    double series = -1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * tail));
    return (Arc){arcs[k].high, arcs[k].low + (t + t * z * series)};
}

double same_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    double ahead = fabs(x), aside = fabs(y);
    if (isinf(ahead) || isinf(aside)) { // the point as far away on the axis or the diagonal
        ahead = isinf(ahead) ? 1.0 : 0.0;
        aside = isinf(aside) ? 1.0 : 0.0;
    }
    double size = fmax(ahead, aside), scale = size > LARGE ? DOWN : size < SMALL ? UP : 1.0;
    ahead *= scale;
    aside *= scale;
    Arc arc = size == 0.0 ? arcs[0] : aside <= ahead ? steep_arc(aside, ahead) : steep_arc(ahead, aside);
    if (aside > ahead) { // from the other axis
        arc = (Arc){0.5 * PI_HIGH - arc.high, 0.5 * PI_LOW - arc.low};
    }
    if (signbit(x)) {
        arc = (Arc){PI_HIGH - arc.high, PI_LOW - arc.low};
    }
    return copysign(arc.high + arc.low, y);
}

double same_atan(double x)
{
    return same_atan2(x, 1.0);
}

double same_asin(double x)
{
    return same_atan2(x, sqrt((1.0 - x) * (1.0 + x)));
}

double same_acos(double x)
{
    return same_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}

/// ---- sine, cosine, tangent -----------------------------------------------------------------------------------------

/// Taylor's series of an angle that was brought to -pi/4..pi/4 with more digits than a double has.

/// pi/2 = HALF_PI_PART_1 + HALF_PI_PART_2 + HALF_PI_PART_3. The first two have 33 bits, so that their products with
/// whole numbers up to 2^20 are exact (Cody and Waite, Software Manual for the Elementary Functions, 1980).
#define HALF_PI_PART_1 0x1.921fb544p+0
#define HALF_PI_PART_2 0x1.0b4611a6p-34
#define HALF_PI_PART_3 0x1.3198a2e037073p-69
#define QUARTERS       0x1.45f306dc9c883p-1 ///< 2/pi
#define FAR            0x1p20 ///< quarter turns
#define TINY           0x1p-27 ///< its square is lost beside 1

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
    double a = x - n * HALF_PI_PART_1; // exact: both are multiples of 2^-53 and near each other
    double b = -n * HALF_PI_PART_2, sum = a + b, back = sum - a;
    double rest =
        (a - (sum - back)) + (b - back) - n * HALF_PI_PART_3; // what the sum has lost (Knuth), and the third part
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
