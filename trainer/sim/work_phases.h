/// Phases of work, recognised from how a machine moves: what a time study of a cycle counts.
///
/// A machine that swings digs, swings loaded, dumps and swings empty; one that does not cuts, carries, spreads and
/// returns. What a tick looks like becomes the phase once it has looked so for WORK_PHASE_HOLD: so each phase is told
/// that much late, lasts that long at least, and none flickers.
#ifndef SPADEWORK_TRAINER_WORK_PHASES_H
#define SPADEWORK_TRAINER_WORK_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"

typedef enum WorkPhase {
    WORK_IDLE, ///< nothing moves
    WORK_TRAVEL, ///< the tracks turn, the edge is out of the ground
    WORK_DIG, ///< the edge is in the ground; of a dozer: below what its tracks stand on
    WORK_SWING_LOADED, ///< lifts and swings the load; a dozer carries it ahead
    WORK_DUMP, ///< the load leaves the bucket; a dozer spreads it
    WORK_SWING_EMPTY, ///< back to where it digs; a dozer in reverse
    WORK_PHASE_COUNT
} WorkPhase;

#define WORK_PHASE_HOLD 0.5 ///< s that a phase is seen before it is believed
#define WORK_IDLE_HOLD  1.5 ///< s, of WORK_IDLE: a pause between two movements is none

/// What is seen of a machine in a tick.
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

/// Every scalar of the state: hashed, saved, restored.
#define WORK_PHASE_SCALARS(X)                                                                                          \
    X(int32_t, phase) /* WorkPhase */                                                                                  \
    X(int32_t, seen) /* WorkPhase that the last tick looked like */                                                    \
    X(double, doubt) /* s that it has looked like `seen` and not like `phase` */                                       \
    X(int32_t, holds) /* 1: there is a load in the tool */                                                             \
    X(double, load) /* kg, low-passed */                                                                               \
    X(double, slow_load) /* kg, low-passed longer: what `load` was a moment ago */                                     \
    X(double, least) /* kg: least of `load` since there was a load */                                                  \
    X(double, most) /* kg: most of `load` since there is one */

typedef struct WorkPhases {
#define X(type, name) type name;
    WORK_PHASE_SCALARS(X)
#undef X
} WorkPhases;

/// Begins idle, with what the tool carries now. payload  kg
void work_phases_start(WorkPhases *phases, double payload);
/// Looks at a tick and returns the phase.
/// seen  s, out: for how long a phase that begins in this tick was seen before it; 0 when none begins
WorkPhase work_phases_tick(WorkPhases *phases, const WorkMotion *motion, double *seen);
/// Visits the state; phases that there are not fail a restoring visitor.
void work_phases_visit(WorkPhases *phases, StateVisitor *visitor);
/// "swing loaded", or "carry" of a machine that does not swing; constant text.
const char *work_phase_name(WorkPhase phase, bool swings);

#endif
