/// What a dozer's operator makes of the ground before each pass.
///
/// Front to back, as slots are dozed: the first passes cut the end of the slot that is nearer to the spoil, each begins
/// as far back as fills the blade, and the load goes on through what is cut already. A layer is as thick as the tracks
/// can cut. What is left of the floor at the end is taken in passes that begin where the first of it lies. Loads are
/// laid down where the spoil is lowest.
#include "data/core/elementary.h"
#include "trainer/pilot/autopilot_dozer.h"

#include <math.h>

#define LAYER       0.20 ///< m that one pass takes: more stalls the tracks in loam
#define LAYER_FREE  0.13 ///< m, without an exercise: its ground is clay
#define FLOOR_BELOW 0.015 ///< m that the edge goes below a trench's floor, so that no crumbs stand above it
#define FILLS       0.80 ///< m3 in the bank that are cut in a pass, of what a blade is rated for in loose soil
#define SKIM        0.01 ///< m over the ground at which a load is carried
#define BEHIND      4.0 ///< m behind the cut from which on the ground is looked at
#define CRUMBS      0.04 ///< m: less is not worth a pass of its own
#define SMOOTH      0.75 ///< m on either side over which the ground is a mean
#define ENTRY_SLOPE 0.12 ///< m a metre by which the edge goes down where a cut begins
#define ENTRY_ROOM  0.5 ///< m before the soil that it wants where it begins to go down
#define NEAR_END    1.5 ///< m from the trench's near end: a cut that begins there begins with the ramp before it
#define APPROACH    0.10 ///< m over the ground on the way to the cut
#define NEARER      0.04 ///< m of spoil that a metre of way is worth
#define END_ROOM    0.1 ///< m inside the blade's ends where the ground is looked at

enum { LINES = 7 };

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double dozer_lane_middle(const DozerPilot *pilot, int lane)
{
    if (pilot->exercise) {
        return (lane - 0.5 * (pilot->lanes - 1)) * pilot->lane_spacing;
    }
    int step = (lane + 1) / 2; // 0, 1 left, 1 right, 2 left, ...
    return (lane % 2 == 1 ? step : -step) * pilot->lane_spacing;
}

double dozer_floor(const DozerPilot *pilot, double along)
{
    double from = along - pilot->cut_from, to = pilot->cut_length - from;
    double share = clamp(fmin(from, to) / pilot->ramp, 0.0, 1.0);
    return pilot->surface - share * (pilot->depth + (pilot->exercise ? FLOOR_BELOW : 0.0));
}

static int place_index(const DozerPilot *pilot, double along)
{
    return (int)clamp((along - pilot->profile_from) / DOZER_PITCH + 0.5, 0.0, DOZER_PLACES - 1);
}

static double place_along(const DozerPilot *pilot, int k)
{
    return pilot->profile_from + k * DOZER_PITCH;
}

/// Looks at one place across the lane. Returns the mean of its heights.
static double look_across(DozerPilot *pilot, const DozerView *view, int k)
{
    double along = place_along(pilot, k), c = same_cos(pilot->heading), s = same_sin(pilot->heading), mean = 0.0;
    double reach = pilot->sway_most + 0.5 * pilot->machine.tool[0].shape.edge_width - END_ROOM;
    double from = along - pilot->cut_from, inside = from >= 0.0 && from <= pilot->cut_length ? 1.0 : 0.0;
    pilot->excess[k] = 0.0;
    for (int n = 0; n < LINES; n++) {
        double line = dozer_lane_middle(pilot, pilot->lane) + reach * (2.0 * n / (LINES - 1) - 1.0);
        double height = view->height(view->context, pilot->x + along * c - line * s, pilot->y + along * s + line * c);
        double above = inside * fmax(0.0, height - dozer_floor(pilot, along));
        mean += height / LINES;
        pilot->excess[k] += above / LINES;
        pilot->left_excess += n == LINES - 1 ? above : 0.0;
        pilot->right_excess += n == 0 ? above : 0.0;
    }
    return mean;
}

void dozer_look(DozerPilot *pilot, const DozerView *view)
{
    double seen[DOZER_PLACES];
    pilot->profile_from = pilot->cut_from - BEHIND;
    pilot->left_excess = pilot->right_excess = 0.0;
    for (int k = 0; k < DOZER_PLACES; k++) {
        seen[k] = look_across(pilot, view, k);
    }
    int half = (int)(SMOOTH / DOZER_PITCH);
    for (int k = 0; k < DOZER_PLACES; k++) {
        pilot->ground[k] = 0.0;
        for (int n = -half; n <= half; n++) {
            pilot->ground[k] += seen[(int)clamp(k + n, 0.0, DOZER_PLACES - 1)] / (2 * half + 1);
        }
    }
}

double dozer_left_over(const DozerPilot *pilot)
{
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < DOZER_PLACES; k++) {
        double from = place_along(pilot, k) - pilot->cut_from;
        if (from >= pilot->ramp && from <= pilot->cut_length - pilot->ramp) {
            sum += pilot->excess[k];
            count++;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

/// m that a pass takes.
static double layer(const DozerPilot *pilot)
{
    return pilot->exercise ? LAYER : LAYER_FREE;
}

/// Where the pass begins that fills the blade and ends at the slot's end; else where the first soil lies.
static double plan_start(const DozerPilot *pilot)
{
    double wanted = FILLS * pilot->full / pilot->bank_density, volume = 0.0;
    double width = pilot->machine.tool[0].shape.edge_width, start = pilot->cut_from + pilot->cut_length - pilot->ramp;
    for (int k = DOZER_PLACES - 1; k >= 0 && volume < wanted; k--) {
        double along = place_along(pilot, k), from = along - pilot->cut_from;
        if (pilot->excess[k] > CRUMBS && from >= pilot->ramp) {
            volume += fmin(pilot->excess[k], layer(pilot)) * width * DOZER_PITCH;
            start = fmin(start, along);
        }
    }
    return start < pilot->cut_from + pilot->ramp + NEAR_END ? pilot->cut_from : start - ENTRY_ROOM;
}

/// Where the spoil is lowest and the way short.
static double plan_spread(const DozerPilot *pilot)
{
    double best = HUGE_VAL, chosen = pilot->dump_from;
    for (double from = pilot->dump_from; from + pilot->spread_length <= pilot->dump_to + 1e-6; from += DOZER_PITCH) {
        int first = place_index(pilot, from), last = place_index(pilot, from + pilot->spread_length);
        double height = 0.0;
        for (int k = first; k <= last; k++) {
            height += (pilot->ground[k] - pilot->surface) / (last - first + 1);
        }
        double worth = height + NEARER * (from - pilot->dump_from);
        if (worth < best) {
            best = worth;
            chosen = from;
        }
    }
    return chosen;
}

void dozer_plan_pass(DozerPilot *pilot)
{
    pilot->start = pilot->exercise ? plan_start(pilot) : pilot->cut_from;
    pilot->sway = copysign(pilot->sway_most, pilot->left_excess - pilot->right_excess);
    pilot->spread_from = plan_spread(pilot);
}

static double ground_at(const DozerPilot *pilot, double along)
{
    double place = clamp((along - pilot->profile_from) / DOZER_PITCH, 0.0, DOZER_PLACES - 1.001);
    int k = (int)place;
    return pilot->ground[k] + (place - k) * (pilot->ground[k + 1] - pilot->ground[k]);
}

double dozer_cut_line(const DozerPilot *pilot, double along)
{
    double ground = ground_at(pilot, along);
    if (along < pilot->start) {
        return ground + APPROACH * fmin(1.0, pilot->start - along);
    }
    double down = ground - fmin(layer(pilot), ENTRY_SLOPE * (along - pilot->start));
    return fmax(down, dozer_floor(pilot, along));
}

double dozer_carry_line(const DozerPilot *pilot, double along)
{
    double most = along < pilot->spread_from ? pilot->surface + SKIM : HUGE_VAL;
    return fmax(fmin(ground_at(pilot, along) + SKIM, most), dozer_floor(pilot, along));
}
