/// Ground along the way of a bucket and the line that is to be drawn through it: z = max(floor, base + slope s), s from
/// the far end, no lower than the edge gets that goes in there, and up on an arc from where the curl begins.
#ifndef SPADEWORK_TRAINER_AUTOPILOT_SECTION_H
#define SPADEWORK_TRAINER_AUTOPILOT_SECTION_H

#include <stdbool.h>

#define PILOT_PROBE       0.1 ///< m between heights looked at along a way
#define PILOT_CURL_RADIUS 1.25 ///< m: of the arc on which the edge comes up in the curl
enum { PILOT_SECTION_SIZE = 48, PILOT_SECTION_ACROSS = 7 }; ///< heights along a way and across the bucket, at most

typedef struct PilotSection {
    double heights[PILOT_SECTION_SIZE][PILOT_SECTION_ACROSS]; ///< m, each PILOT_PROBE nearer to the machine
    int count, across; ///< heights along and across
    double slope; ///< m per m towards the machine
    double floor; ///< m: nothing is cut below
    double width; ///< m: of the bucket
    double entry; ///< m per m with which the edge goes down from the far end; 0: it goes down upright
    double surface; ///< m: height from which it does
    double curl; ///< m from the far end: there the edge comes up; HUGE_VAL: the line goes on
} PilotSection;

/// Mean and highest ground across the bucket, m, at the place `k` PILOT_PROBE from the far end.
double pilot_mean_across(const PilotSection *section, int k);
double pilot_highest_across(const PilotSection *section, int k);
/// Height of the line, m, at `s` (m) from the far end.
double pilot_line_at(const PilotSection *section, double base, double s);
/// Soil above the line over the first `count` heights, m3.
double pilot_volume_above(const PilotSection *section, int count, double base);
/// The line's base that cuts `wanted` m3, by bisection between the shallowest and the one `deepest` (m) below it.
double pilot_find_base(const PilotSection *section, double deepest, double wanted);
/// Mean inclination of the ground towards the machine, m per m, between -down and up.
double pilot_ground_slope(const PilotSection *section, double down, double up);

#endif
