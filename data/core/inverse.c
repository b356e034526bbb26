/// Arcs: the direction of a point, and from it arc tangent, arc sine and arc cosine.
#include "data/core/elementary.h"

#include <math.h>

enum { ARCS = 9 };
#define PI_HIGH 0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53
#define LARGE   0x1p500
#define SMALL   0x1p-400
#define DOWN    0x1p-600
#define UP      0x1p600

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
