/// What a beginner does is drawn anew in each span of time, by seed, kind and number of the span: no draw depends on
/// another. Sizes are chosen: a reaction of half a second and a lever that needs as long for its whole way are the slow
/// end of what people do at a first try; the eye is off by up to four decimetres at eight metres.
#include "trainer/pilot/clumsy_hands.h"
#include "data/core/random.h"

#include <math.h>
#include <string.h>

// At the share 1.
#define LATE        0.50 ///< s from what is seen to the hand
#define SLOWEST     0.60 ///< s for a lever's whole way
#define QUICKEST    0.04 ///< s: at the share 0
#define SHORT_WAY   0.55 ///< of the lever's way that is not used
#define PAUSE_EVERY 5.0 ///< s: in each such span there may be a pause
#define PAUSE_MOST  2.5 ///< s that it lasts
#define HOLD_EVERY  3.0 ///< s: in each such span a lever may be held where it is
#define HOLD_MOST   0.7 ///< s
#define SWAP_EVERY  6.0 ///< s: in each such span the lever beside the right one may be moved
#define SWAP_MOST   0.6 ///< s
#define OFTEN       0.9 ///< how likely each of them is
#define AIM_EVERY   6.0 ///< s between two errors of the eye; it goes evenly from one to the next
#define AIM_ANGLE   0.050 ///< rad of each of the arm's joints
#define AIM_SWING   0.060 ///< rad
#define AIM_HEIGHT  0.25 ///< m of a dozer's edge
#define WRONG       0.6 ///< how likely an answer is wrong

/// What is drawn; the number of its stream.
enum { DRAW_PAUSE = 1, DRAW_HOLD, DRAW_SWAP, DRAW_ANSWER, DRAW_AIM };

void clumsy_start(ClumsyHands *hands, double share, uint64_t seed)
{
    memset(hands, 0, sizeof *hands);
    hands->share = share;
    hands->seed = seed;
}

static double draw(const ClumsyHands *hands, uint64_t stream, uint64_t span, uint64_t number)
{
    return random_unit(hands->seed ^ 0x636c756d7379u, stream, 16 * span + number);
}

/// True in the part of a span in which what it draws happens; `most` s at the share 1.
static bool happens(const ClumsyHands *hands, uint64_t stream, double time, double every, double most)
{
    uint64_t span = (uint64_t)(time / every);
    double lasts = hands->share * most * (0.3 + 0.7 * draw(hands, stream, span, 1));
    double from = (every - lasts) * draw(hands, stream, span, 2), since = time - (double)span * every;
    return draw(hands, stream, span, 0) < OFTEN * hands->share && since >= from && since < from + lasts;
}

/// -1..1, evenly from one span's draw to the next one's.
static double wander(const ClumsyHands *hands, uint64_t what, double time)
{
    uint64_t span = (uint64_t)(time / AIM_EVERY);
    double share = time / AIM_EVERY - (double)span;
    double from = draw(hands, DRAW_AIM, span, what), to = draw(hands, DRAW_AIM, span + 1, what);
    return 2.0 * (from + share * (to - from)) - 1.0;
}

void clumsy_aim(const ClumsyHands *hands, double time, OperatorAim *aim)
{
    *aim = (OperatorAim){.share = hands->share};
    if (hands->share == 0.0) {
        return;
    }
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        aim->angle[k] = hands->share * AIM_ANGLE * wander(hands, (uint64_t)k, time);
    }
    aim->direction = hands->share * AIM_SWING * wander(hands, MACHINE_MAX_JOINTS, time);
    aim->height = hands->share * AIM_HEIGHT * wander(hands, MACHINE_MAX_JOINTS + 1, time);
}

static bool is_lever(ControlAxis axis)
{
    return axis != CONTROL_THROTTLE && axis != CONTROL_HORN && axis != CONTROL_AUXILIARY && axis != CONTROL_ANSWER;
}

/// The lever beside the right one, of the same hand.
static void swap_levers(double wanted[CONTROL_COUNT], bool left_hand)
{
    ControlAxis one = left_hand ? CONTROL_SWING : CONTROL_BOOM, other = left_hand ? CONTROL_STICK : CONTROL_BUCKET;
    double kept = wanted[one];
    wanted[one] = wanted[other];
    wanted[other] = kept;
    wanted[CONTROL_BLADE] = -wanted[CONTROL_BLADE];
}

/// An answer that is wrong is wrong as long as it is shown.
static void answer(ClumsyHands *hands, double shown, OperatorControls *controls)
{
    hands->answers += shown > 0.0 && hands->lever[CONTROL_ANSWER] == 0.0 ? 1 : 0;
    hands->lever[CONTROL_ANSWER] = shown;
    if (shown > 0.0 && draw(hands, DRAW_ANSWER, (uint64_t)hands->answers, 0) < WRONG * hands->share) {
        controls->axis[CONTROL_ANSWER] = control_quantise(shown < 0.15 ? 0.2 : 0.1);
    }
}

void clumsy_move(ClumsyHands *hands, double time, double dt, OperatorControls *controls)
{
    if (hands->share == 0.0) {
        return;
    }
    hands->asked[hands->ticks % CLUMSY_MOST_LATE] = *controls;
    int late = (int)fmin(hands->share * LATE / dt + 0.5, CLUMSY_MOST_LATE - 1);
    late = late < hands->ticks ? late : hands->ticks;
    const OperatorControls *asked = &hands->asked[(hands->ticks - late) % CLUMSY_MOST_LATE];
    hands->ticks++;
    double wanted[CONTROL_COUNT], step = dt / (QUICKEST + hands->share * (SLOWEST - QUICKEST));
    bool pause = happens(hands, DRAW_PAUSE, time, PAUSE_EVERY, PAUSE_MOST);
    bool hold = happens(hands, DRAW_HOLD, time, HOLD_EVERY, HOLD_MOST);
    int held = (int)(draw(hands, DRAW_HOLD, (uint64_t)(time / HOLD_EVERY), 3) * CONTROL_COUNT);
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        wanted[axis] = pause ? 0.0 : (1.0 - SHORT_WAY * hands->share) * control_value(asked, (ControlAxis)axis);
    }
    if (happens(hands, DRAW_SWAP, time, SWAP_EVERY, SWAP_MOST)) {
        swap_levers(wanted, draw(hands, DRAW_SWAP, (uint64_t)(time / SWAP_EVERY), 3) < 0.5);
    }
    *controls = *asked;
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        if (is_lever((ControlAxis)axis)) {
            double way = wanted[axis] - hands->lever[axis];
            hands->lever[axis] += hold && axis == held ? 0.0 : fmax(-step, fmin(way, step));
            controls->axis[axis] = control_quantise(hands->lever[axis]);
        }
    }
    answer(hands, control_value(asked, CONTROL_ANSWER), controls);
}
