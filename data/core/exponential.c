/// Exponential, logarithm, cube root and the length of a vector.
#include "data/core/elementary.h"

#include <math.h>

/// log 2 = PART_1 + PART_2; the first has 38 bits, so that its products with exponents of doubles are exact.
#define PART_1      0x1.62e42fefap-1
#define PART_2      0x1.cf79abc9e3b3ap-40
#define LOG_2_UNDER 0x1.71547652b82fep+0 ///< 1 / log 2
#define HIGHEST     709.8 ///< exp of more is infinite
#define LOWEST      (-745.2) ///< exp of less is 0
#define ROOT_HALF   0x1.6a09e667f3bcdp-1
#define LARGE       0x1p500
#define SMALL       0x1p-400
#define DOWN        0x1p-600
#define UP          0x1p600

/// exp(n log 2 + r) = 2^n (1 + r + r^2/2! + ... + r^13/13!), |r| <= log 2 / 2: the next term is below 2^-57.
double same_exp(double x)
{
    if (!(x >= LOWEST && x <= HIGHEST)) {
        return x > HIGHEST ? HUGE_VAL : x < LOWEST ? 0.0 : x;
    }
    double n = floor(x * LOG_2_UNDER + 0.5);
    double a = x - n * PART_1, b = n * PART_2, r = a - b, lost = (a - r) - b;
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
    return e * PART_1 - ((half - (s * (half + rest) + e * PART_2)) - f);
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
