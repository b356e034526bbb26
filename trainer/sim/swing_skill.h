/// How well swings are ended and how smoothly they run: figures of an operator's hands.
///
/// A swing is a turn of the house one way by SWING_LEAST or more. It overshoots by what is turned back after it: a turn
/// the other way that begins within SWING_PAUSE and is no swing itself. Its smoothness is that of the edge's way: the
/// log dimensionless jerk -ln(T^3 / v^2 int |d2u/dt2|^2 dt) of the edge's velocity u over the swing's time T, with the
/// greatest speed v (Balasubramanian, Melendez-Calderon, Roby-Brami and Burdet 2015, J. NeuroEng. Rehabil. 12:112, eq.
/// 5). The smoothest move from rest to rest, of least jerk (Flash and Hogan 1985), has -ln 204.8 = -5.32; less is
/// rougher.
#ifndef SPADEWORK_TRAINER_SWING_SKILL_H
#define SPADEWORK_TRAINER_SWING_SKILL_H

#include "data/core/state_visitor.h"
#include "data/core/vec.h"

#define SWING_LEAST 0.26 ///< rad: 15 degrees. Chosen: less is a correction
#define SWING_PAUSE 1.5 ///< s. Chosen: whoever turns back later means to

/// Every scalar of the state: hashed, saved, restored.
#define SWING_SKILL_SCALARS(X)                                                                                         \
    X(int32_t, way) /* of the turn under way: 1 to the left, -1 to the right, 0: there is none */                      \
    X(int32_t, ticks) /* since the start, up to 3: what is known of the edge's motion */                               \
    X(int32_t, stopped) /* way of the swing that has just ended; 0: none has */                                        \
    X(double, turned) /* rad, of the turn under way */                                                                 \
    X(double, still) /* s that the house has stood */                                                                  \
    X(double, time) /* s, of the turn under way */                                                                     \
    X(double, peak) /* m/s: greatest speed of the edge in it */                                                        \
    X(double, jerk) /* m2/s5: integral of the squared jerk in it */                                                    \
    X(int64_t, swings) /* that have ended */                                                                           \
    X(double, overshoot) /* rad, sum over them */                                                                      \
    X(double, smoothness) /* sum over them */

typedef struct SwingSkill {
#define X(type, name) type name;
    SWING_SKILL_SCALARS(X)
#undef X
    double edge[3]; ///< m, world: of the last tick, low-passed
    double lagged[3]; ///< m: after the first of two low passes
    double velocity[3]; ///< m/s
    double acceleration[3]; ///< m/s2
} SwingSkill;

void swing_skill_start(SwingSkill *skill, Vec3 tip); ///< tip  m, world
/// Looks at a tick. dt  s; tip  m, world, of the edge; swing_speed  rad/s, to the left above 0
void swing_skill_tick(SwingSkill *skill, double dt, Vec3 tip, double swing_speed);
double swing_skill_overshoot(const SwingSkill *skill); ///< rad, mean; 0 where no swing has ended
double swing_skill_smoothness(const SwingSkill *skill); ///< mean; 0 where no swing has ended
/// Visits the state; what there cannot be fails a restoring visitor.
void swing_skill_visit(SwingSkill *skill, StateVisitor *visitor);

#endif
