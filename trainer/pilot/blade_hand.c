/// See blade_hand.h.
#include "trainer/pilot/blade_hand.h"

#include <math.h>

// The edge goes up faster than down: where the nose falls into a hollow, it digs in and stalls the machine. Chosen.
#define UP        12.0 ///< share of the full speed for a metre that is missing
#define DOWN      10.0 ///< the same for a metre too high
#define EDGE_LEAD 0.20 ///< s that the operator looks ahead of the edge as the lift moves it
#define NOSE_LEAD 0.15 ///< s, as the nose moves it
#define RATE_TIME 0.10 ///< s
#define SPEED     0.62 ///< m/s of the edge at the lever's end: what a dozer of 20 t has
#define LAG       0.15 ///< s in which the edge comes to the lever's speed
#define CAUTION   0.30 ///< s: hands that are so late correct half as fast, for they do not know the blade so well

BladeHand blade_hand_rest(const BladeLook *look)
{
    return (BladeHand){.tip_height = look->tip_height, .plane = look->edge - look->tip_height};
}

static void follow(double seen, double dt, double *last, double *rate)
{
    *rate += dt / (RATE_TIME + dt) * ((seen - *last) / dt - *rate);
    *last = seen;
}

/// m by which the lever will still move the edge, unseen; and m/s by which the edge is faster than it looks.
static double unseen(const BladeHand *hand, const BladeLook *look, double *faster)
{
    int late = (int)fmin(look->late / look->dt + 0.5, fmin(hand->ticks, BLADE_HAND_TICKS - 1));
    double way = 0.0, now = 0.0, then = 0.0;
    for (int k = late; k >= 0; k--) {
        int tick = hand->ticks - 1 - k;
        now = tick >= 0 ? hand->speed[tick % BLADE_HAND_TICKS] : 0.0;
        then = k == late ? now : then;
        way += k < late ? now * look->dt : 0.0;
    }
    *faster = now - then;
    return way;
}

double blade_hand_share(BladeHand *hand, const BladeLook *look, double height, double still)
{
    follow(look->tip_height, look->dt, &hand->tip_height, &hand->tip_rate);
    follow(look->edge - look->tip_height, look->dt, &hand->plane, &hand->plane_rate);
    double faster, way = unseen(hand, look, &faster);
    double missing = height - look->edge - EDGE_LEAD * (hand->tip_rate + faster);
    missing -= (NOSE_LEAD + look->late) * hand->plane_rate + way;
    double gain = (missing > 0.0 ? UP : DOWN) / (1.0 + look->late / CAUTION), share = 0.0;
    if (fabs(missing) > still) {
        share = fmax(-1.0, fmin(1.0, gain * missing));
    }
    double before = hand->ticks > 0 ? hand->speed[(hand->ticks - 1) % BLADE_HAND_TICKS] : 0.0;
    hand->speed[hand->ticks++ % BLADE_HAND_TICKS] = before + look->dt / (LAG + look->dt) * (SPEED * share - before);
    return share;
}
