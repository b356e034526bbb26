/// Samples of a drive, ten a simulated second, of what gauges show, and maps of the ground's heights, one a minute.
/// Reports and curves are made of them without simulating again. They follow from the session and are no part of its
/// state.
#ifndef SPADEWORK_TRAINER_TRACE_H
#define SPADEWORK_TRAINER_TRACE_H

#include "trainer/sim/sim.h"

enum { TRACE_RATE = 10 }; ///< samples a simulated second, or one a tick where ticks are fewer

/// The single numbers of a sample, in the order in which they are stored.
#define TRACE_FIELDS(X)                                                                                                \
    X(phase) /* WorkPhase (trainer/sim/work_phases.h) */                                                               \
    X(limits) /* set of MACHINE_LIMIT_BIT */                                                                           \
    X(relief) /* set of MACHINE_RELIEF_JOINT and MACHINE_RELIEF_TRACK */                                               \
    X(together) /* functions whose levers are used */                                                                  \
    X(tip_x) /* m, world: middle of the tool's edge */                                                                 \
    X(tip_y)                                                                                                           \
    X(tip_z)                                                                                                           \
    X(base_x) /* m, world: origin of the undercarriage */                                                              \
    X(base_y)                                                                                                          \
    X(base_z)                                                                                                          \
    X(yaw) /* rad, of the undercarriage */                                                                             \
    X(pitch)                                                                                                           \
    X(roll)                                                                                                            \
    X(payload) /* kg */                                                                                                \
    X(score) /* points */                                                                                              \
    X(held) /* s since what the score takes from the ground was last true */                                           \
    X(engine_speed) /* rad/s */                                                                                        \
    X(fuel) /* kg */                                                                                                   \
    X(slip_left) /* ratio */                                                                                           \
    X(slip_right)                                                                                                      \
    X(tool_force) /* N: size of all that the first tool feels (session/tool_force.h) */                                \
    X(second_force) /* N: the same of the second one, a ripper; 0: there is none */                                    \
    X(work) /* share of the work done */                                                                               \
    X(travel_left) /* m the belts have run */                                                                          \
    X(travel_right)

/// One moment. Every member but `tick` is a float, in the unit that its row above states.
typedef struct TraceSample {
    int64_t tick;
#define X(name) float name;
    TRACE_FIELDS(X)
#undef X
    float angle[MACHINE_MAX_JOINTS]; ///< rad
    float pressure[MACHINE_MAX_JOINTS]; ///< Pa
    float lever[CONTROL_COUNT]; ///< -1..1
    float amount[SCENE_MAX_SCORES]; ///< how the rows of the score stand (trainer/sim/score.h)
} TraceSample;

enum {
#define X(name) +1
    TRACE_NUMBERS = 2 * MACHINE_MAX_JOINTS + CONTROL_COUNT + SCENE_MAX_SCORES TRACE_FIELDS(X),
#undef X
    TRACE_BYTES = 8 + 4 * TRACE_NUMBERS ///< of a stored sample: tick, then the numbers, little-endian
};

/// Ticks from one sample to the next. tick_rate  Hz
int trace_interval(int tick_rate);
/// Fills a sample with what the session shows after its last tick.
void trace_take(const Session *session, TraceSample *sample);
void trace_pack(const TraceSample *sample, unsigned char bytes[TRACE_BYTES]);
/// False when a number is not finite.
bool trace_unpack(const unsigned char bytes[TRACE_BYTES], TraceSample *sample);

/// Heights of the site's columns at a tick.
typedef struct TraceGround {
    int64_t tick;
    int rows, columns;
    double spacing; ///< m
    double origin_x, origin_y; ///< m: centre of column (0, 0)
    int16_t *height; ///< mm, [rows][columns], the holder's
} TraceGround;

enum {
    TRACE_GROUND_SECONDS = 60
}; ///< from one map of the ground to the next; there is one at the start and at the end
/// Fills all but `height`, which the caller has reserved for the site's columns, with that, too.
void trace_ground_take(Session *session, TraceGround *ground);

#endif
