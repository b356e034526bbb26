/// Turns of the house, one way each; of the edge's way the jerk, from differences of its low-passed place.
#include "data/core/elementary.h"
#include "trainer/sim/swing_skill.h"

#include <math.h>

#define TURNS    0.03 ///< rad/s: what is slower stands
#define ENDS     0.5 ///< s that the house stands at the end of a turn
#define EDGE_LAG 0.03 ///< s: low pass of the edge, twice: 5 Hz, above what hands steer and below the ticks
#define CRAWL    0.1 ///< m/s: an edge that was never faster has no smoothness

void swing_skill_start(SwingSkill *skill, Vec3 tip)
{
    *skill = (SwingSkill){.edge = {tip.x, tip.y, tip.z}, .lagged = {tip.x, tip.y, tip.z}};
}

/// Differences the edge's place three times; returns the squared jerk, m2/s6, once there are enough ticks.
static double follow_edge(SwingSkill *skill, double dt, Vec3 tip)
{
    const double now[3] = {tip.x, tip.y, tip.z};
    double share = dt / (EDGE_LAG + dt), squared = 0.0;
    for (int k = 0; k < 3; k++) {
        skill->lagged[k] += share * (now[k] - skill->lagged[k]);
        double before = skill->edge[k];
        skill->edge[k] += share * (skill->lagged[k] - skill->edge[k]);
        double velocity = (skill->edge[k] - before) / dt;
        double acceleration = (velocity - skill->velocity[k]) / dt;
        double jerk = (acceleration - skill->acceleration[k]) / dt;
        skill->velocity[k] = velocity;
        skill->acceleration[k] = acceleration;
        squared += jerk * jerk;
    }
    if (skill->ticks < 3) {
        skill->ticks++;
        return 0.0;
    }
    return squared;
}

static void end_turn(SwingSkill *skill)
{
    if (skill->turned >= SWING_LEAST) {
        skill->swings++;
        double stretch = skill->time * skill->time * skill->time / (skill->peak * skill->peak);
        skill->smoothness -= skill->peak > CRAWL && skill->jerk > 0.0 ? same_log(stretch * skill->jerk) : 0.0;
        skill->stopped = skill->way;
    } else if (skill->way == -skill->stopped) {
        skill->overshoot += skill->turned;
        skill->stopped = 0;
    }
    skill->way = 0;
}

void swing_skill_tick(SwingSkill *skill, double dt, Vec3 tip, double swing_speed)
{
    double squared = follow_edge(skill, dt, tip);
    int32_t way = swing_speed > TURNS ? 1 : swing_speed < -TURNS ? -1 : 0;
    skill->still = way == 0 ? skill->still + dt : 0.0;
    if (skill->way != 0 && (way == -skill->way || skill->still > ENDS)) {
        end_turn(skill);
    }
    if (skill->still > SWING_PAUSE) {
        skill->stopped = 0;
    }
    if (way != 0 && skill->way == 0) {
        skill->way = way;
        skill->turned = skill->time = skill->jerk = skill->peak = 0.0;
    }
    if (way != 0) {
        skill->turned += fabs(swing_speed) * dt;
        skill->time += dt;
        skill->jerk += squared * dt;
        skill->peak = fmax(skill->peak, vec3_length(vec3(skill->velocity[0], skill->velocity[1], skill->velocity[2])));
    }
}

double swing_skill_overshoot(const SwingSkill *skill)
{
    return skill->swings > 0 ? skill->overshoot / (double)skill->swings : 0.0;
}

double swing_skill_smoothness(const SwingSkill *skill)
{
    return skill->swings > 0 ? skill->smoothness / (double)skill->swings : 0.0;
}

void swing_skill_visit(SwingSkill *skill, StateVisitor *visitor)
{
#define X(type, name) STATE_VISIT(visitor, "exercise.swing." #name, skill->name);
    SWING_SKILL_SCALARS(X)
#undef X
    state_visit_array(visitor, "exercise.swing.edge", skill->edge, sizeof(double), 3);
    state_visit_array(visitor, "exercise.swing.lagged", skill->lagged, sizeof(double), 3);
    state_visit_array(visitor, "exercise.swing.velocity", skill->velocity, sizeof(double), 3);
    state_visit_array(visitor, "exercise.swing.acceleration", skill->acceleration, sizeof(double), 3);
    if (visitor->restoring && (skill->way < -1 || skill->way > 1 || skill->stopped < -1 || skill->stopped > 1 ||
                               skill->ticks < 0 || skill->ticks > 3 || skill->swings < 0)) {
        *skill = (SwingSkill){0};
        visitor->failed = true;
    }
}
