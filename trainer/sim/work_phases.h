/// Phases of work, recognised from how a machine moves, as a time study of a cycle counts them; and how smoothly its
/// house swings.
///
/// A machine that swings digs, swings loaded, dumps and swings empty; one that does not cuts, carries, spreads and
/// returns. Each tick is classified. A class becomes the phase once it has held for WORK_PHASE_HOLD, so that a phase
/// begins that much late, lasts at least that long and never flickers.
#ifndef SPADEWORK_TRAINER_WORK_PHASES_H
#define SPADEWORK_TRAINER_WORK_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"

/// ---- phases --------------------------------------------------------------------------------------------------------

typedef enum WorkPhase {
    WORK_IDLE, ///< nothing moves
    WORK_TRAVEL, ///< the tracks turn, the edge is out of the ground
    WORK_DIG, ///< the edge is in the ground; of a dozer: below what its tracks stand on
    WORK_SWING_LOADED, ///< lifts and swings the load; a dozer carries it ahead
    WORK_DUMP, ///< the load leaves the bucket; a dozer spreads it
    WORK_SWING_EMPTY, ///< back to where it digs; a dozer in reverse
    WORK_PHASE_COUNT
} WorkPhase;

#define WORK_PHASE_HOLD 0.5 ///< s that a class lasts before it is the phase
#define WORK_IDLE_HOLD  1.5 ///< s, of WORK_IDLE: a pause between two movements is none

/// Motion of a machine in a tick.
typedef struct WorkMotion {
    double dt; ///< s, of the tick
    bool swings; ///< a machine with a house that swings; else a dozer
    double joint_speed; ///< rad/s of the fastest joint, the swing included: a machine that rocks moves none
    double edge_height; ///< m, of the edge over the ground beneath it; of a dozer over the plane its tracks stand on
    double payload; ///< kg in the tool
    double full; ///< kg, of a heaped tool of loose soil; 0: it carries nothing
    double swing_speed; ///< rad/s
    double curl_speed; ///< rad/s of the bucket, below 0: it opens
    double belts[2]; ///< m/s of the tracks, left and right, ahead above 0
} WorkMotion;

/// Every field of the state, F(type, name, low, high, unit): hashed, saved, restored (state_io.c names the bounds).
#define WORK_PHASE_FIELDS(F)                                                                                           \
    F(int32_t, phase, 0.0, WORK_PHASE_COUNT - 1.0, "") /* WorkPhase */                                                 \
    F(int32_t, seen, 0.0, WORK_PHASE_COUNT - 1.0, "") /* class of the last tick, WorkPhase */                          \
    F(double, doubt, 0.0, LONGEST, "s") /* for which the class was `seen` and not `phase` */                           \
    F(int32_t, holds, 0.0, 1.0, "") /* 1: there is a load in the tool */                                               \
    F(double, load, -HEAVIEST, HEAVIEST, "kg") /* low-passed */                                                        \
    F(double, slow_load, -HEAVIEST, HEAVIEST, "kg") /* low-passed longer: what `load` was a moment ago */              \
    F(double, least, -HEAVIEST, HEAVIEST, "kg") /* least of `load` since there was a load */                           \
    F(double, most, -HEAVIEST, HEAVIEST, "kg") /* most of `load` since there is one */

typedef struct WorkPhases {
#define F(type, name, low, high, unit) type name;
    WORK_PHASE_FIELDS(F)
#undef F
} WorkPhases;

/// Begins idle, with what the tool carries now. payload  kg
void work_phases_start(WorkPhases *phases, double payload);
/// Classifies a tick and returns the phase.
/// seen  s, out: for how long a phase that begins in this tick was seen before it; 0 when none begins
WorkPhase work_phases_tick(WorkPhases *phases, const WorkMotion *motion, double *seen);
/// Visits the state; phases that there are not fail a restoring visitor.
void work_phases_visit(WorkPhases *phases, StateVisitor *visitor);
/// "swing loaded", or "carry" of a machine that does not swing; constant text.
const char *work_phase_name(WorkPhase phase, bool swings);

/// ---- swings --------------------------------------------------------------------------------------------------------
///
/// How well swings are ended and how smoothly they run: figures of an operator's hands.
///
/// A swing is a turn of the house one way by SWING_LEAST or more. It overshoots by what is turned back after it: a turn
/// the other way that begins within SWING_PAUSE and is no swing itself. Its smoothness is that of the edge's way: the
/// log dimensionless jerk -ln(T^3 / v^2 int |d2u/dt2|^2 dt) of the edge's velocity u over the swing's time T, with the
/// greatest speed v (Balasubramanian, Melendez-Calderon, Roby-Brami and Burdet 2015, J. NeuroEng. Rehabil. 12:112, eq.
/// 5). The smoothest move from rest to rest, of least jerk (Flash and Hogan 1985), has -ln 204.8 = -5.32; less is
/// rougher.

#define SWING_LEAST 0.26 ///< rad: 15 degrees. Chosen: less is a correction
#define SWING_PAUSE 1.5 ///< s. Chosen: turning back later is intended

/// Every field of the state, as above, and A(type, name, count, low, high, unit): arrays.
#define SWING_SKILL_FIELDS(F, A)                                                                                       \
    F(int32_t, way, -1.0, 1.0, "") /* of the turn under way: 1 to the left, -1 to the right, 0: there is none */       \
    F(int32_t, ticks, 0.0, 3.0, "") /* since the start, up to 3: what is known of the edge's motion */                 \
    F(int32_t, stopped, -1.0, 1.0, "") /* way of the swing that has just ended; 0: none has */                         \
    F(double, turned, -1e6, 1e6, "rad") /* of the turn under way */                                                    \
    F(double, still, 0.0, LONGEST, "s") /* that the house has stood */                                                 \
    F(double, time, 0.0, LONGEST, "s") /* of the turn under way */                                                     \
    F(double, peak, 0.0, 1e6, "m/s") /* greatest speed of the edge in it */                                            \
    F(double, jerk, 0.0, 1e30, "m2/s5") /* integral of the squared jerk in it */                                       \
    F(int64_t, swings, 0.0, MOST, "") /* that have ended */                                                            \
    F(double, overshoot, -1e6, 1e6, "rad") /* sum over them */                                                         \
    F(double, smoothness, -HARDEST, HARDEST, "") /* sum over them */                                                   \
    A(double, edge, 3, -1e4, 1e4, "m") /* world: of the last tick, low-passed */                                       \
    A(double, lagged, 3, -1e4, 1e4, "m") /* after the first of two low passes */                                       \
    A(double, velocity, 3, -1e6, 1e6, "m/s")                                                                           \
    A(double, acceleration, 3, -1e9, 1e9, "m/s2")

typedef struct SwingSkill {
#define F(type, name, low, high, unit)        type name;
#define A(type, name, count, low, high, unit) type name[count];
    SWING_SKILL_FIELDS(F, A)
#undef F
#undef A
} SwingSkill;

void swing_skill_start(SwingSkill *skill, Vec3 tip); ///< tip  m, world
/// Adds a tick. dt  s; tip  m, world, of the edge; swing_speed  rad/s, to the left above 0
void swing_skill_tick(SwingSkill *skill, double dt, Vec3 tip, double swing_speed);
double swing_skill_overshoot(const SwingSkill *skill); ///< rad, mean; 0 where no swing has ended
double swing_skill_smoothness(const SwingSkill *skill); ///< mean; 0 where no swing has ended
/// Visits the state; what there cannot be fails a restoring visitor.
void swing_skill_visit(SwingSkill *skill, StateVisitor *visitor);

#endif
