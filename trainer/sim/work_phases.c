/// Classifies a tick by load, edge, swing and tracks, with thresholds that depend on the phase, and changes the phase
/// once a class has held; measures swings of the house.
#include "trainer/sim/work_phases.h"

#include <math.h>

#include "data/core/elementary.h"
#include "data/core/language.h"

#define LOAD_LAG  0.3 ///< s: low pass of the payload, so that bouncing soil is no event
#define SLOW_LAG  1.0 ///< s: low pass of what it was a moment ago
#define BITE      0.15 ///< of a full tool, more than was left: there is a load
#define GONE      0.10 ///< of a full tool: below it there is none
#define STICKING  0.35 ///< of the most that there was: below it there is none, where soil sticks
#define MOVES     0.05 ///< rad/s of a joint: what is slower stands
#define SWINGS    0.10 ///< rad/s
#define CURLS     0.10 ///< rad/s of the bucket
#define DRIVES    0.10 ///< m/s of a track
#define IN_GROUND 0.10 ///< m of the edge over the ground, up to which a stroke begins
#define OUT       0.35 ///< m, up to which it lasts
#define CUTS      (-0.03) ///< m of a blade's edge over the tracks' plane, below which it cuts
#define GAINS     0.03 ///< of a full blade a second that it gains in a cut, at least
#define LOSES     0.04 ///< of a full blade a second that it loses where a load is spread, at least
#define SPREADING 0.80 ///< of the most that there was: less is left of a load that is spread, not only spilled

void work_phases_start(WorkPhases *phases, double payload)
{
    *phases = (WorkPhases){.load = payload, .slow_load = payload, .least = payload, .most = payload};
}

/// ---- classes of a tick ---------------------------------------------------------------------------------------------

static double low_pass(double before, double now, double dt, double lag)
{
    return before + (now - before) * dt / (lag + dt);
}

/// There is a load once it is a bite more than was left; it is gone when next to nothing, or what sticks, is left.
static void filter_load(WorkPhases *phases, const WorkMotion *motion)
{
    phases->load = low_pass(phases->load, motion->payload, motion->dt, LOAD_LAG);
    phases->slow_load = low_pass(phases->slow_load, phases->load, motion->dt, SLOW_LAG);
    phases->least = fmin(phases->least, phases->load);
    phases->most = fmax(phases->most, phases->load);
    if (phases->holds != 0 && phases->load < fmax(GONE * motion->full, STICKING * phases->most)) {
        phases->holds = 0;
        phases->least = phases->load;
    } else if (phases->holds == 0 && phases->load > phases->least + BITE * motion->full && motion->full > 0.0) {
        phases->holds = 1;
        phases->most = phases->load;
    }
}

/// Classifies a tick of a machine with an arm.
static WorkPhase classify_arm(const WorkPhases *phases, const WorkMotion *motion)
{
    bool swings = fabs(motion->swing_speed) > SWINGS, opens = motion->curl_speed < -CURLS;
    bool curls = fabs(motion->curl_speed) > CURLS;
    bool moves = motion->joint_speed > MOVES;
    bool low = motion->edge_height < (phases->phase == WORK_DIG ? OUT : IN_GROUND);
    bool drives = fmax(fabs(motion->belts[0]), fabs(motion->belts[1])) > DRIVES;
    if (drives && !low && !swings) {
        return WORK_TRAVEL;
    }
    if (!moves) {
        return drives ? (WorkPhase)phases->phase : WORK_IDLE;
    }
    bool dumps = phases->phase == WORK_DUMP;
    if (phases->holds != 0) {
        bool filling = phases->phase == WORK_DIG && motion->curl_speed > CURLS;
        return (opens && !(low && phases->phase == WORK_DIG)) || (dumps && !swings) ? WORK_DUMP
               : !swings && (low || filling)                                        ? WORK_DIG
                                                                                    : WORK_SWING_LOADED;
    }
    // Shaking the bucket or drawing its edge off the heap is still dumping, and so is a load that falls at once.
    bool dumped = dumps || phases->seen == WORK_DUMP;
    return dumped && !swings && curls && !low ? WORK_DUMP : low && !swings ? WORK_DIG : WORK_SWING_EMPTY;
}

/// Classifies a tick of a dozer.
static WorkPhase classify_blade(const WorkPhases *phases, const WorkMotion *motion)
{
    double speed = 0.5 * (motion->belts[0] + motion->belts[1]);
    double turning = 0.5 * fabs(motion->belts[0] - motion->belts[1]);
    if (fabs(speed) < DRIVES && turning < DRIVES) {
        return motion->joint_speed > MOVES ? (WorkPhase)phases->phase : WORK_IDLE;
    }
    if (turning > fabs(speed)) {
        return WORK_TRAVEL;
    }
    if (speed < 0.0) {
        return WORK_SWING_EMPTY;
    }
    bool below = motion->edge_height < CUTS;
    if (phases->holds == 0) {
        return below ? WORK_DIG : phases->phase == WORK_DUMP ? WORK_DUMP : WORK_TRAVEL;
    }
    // Where the tracks climb out of a slot the edge is below their plane and cuts nothing: the load decides.
    double rate = (phases->load - phases->slow_load) / (SLOW_LAG * motion->full);
    double loses = phases->phase == WORK_DUMP ? 0.0 : LOSES;
    bool spreads = phases->load < SPREADING * phases->most && rate < -loses;
    return rate > GAINS ? WORK_DIG : spreads ? WORK_DUMP : WORK_SWING_LOADED;
}

WorkPhase work_phases_tick(WorkPhases *phases, const WorkMotion *motion, double *seen)
{
    filter_load(phases, motion);
    int32_t now = (int32_t)(motion->swings ? classify_arm(phases, motion) : classify_blade(phases, motion));
    *seen = 0.0;
    if (now == phases->phase) {
        phases->doubt = fmax(0.0, phases->doubt - motion->dt);
        return (WorkPhase)phases->phase;
    }
    phases->doubt = now == phases->seen ? phases->doubt : 0.0;
    phases->seen = now;
    if (phases->doubt >= (now == WORK_IDLE ? WORK_IDLE_HOLD : WORK_PHASE_HOLD)) {
        *seen = phases->doubt;
        phases->phase = now;
        phases->doubt = 0.0;
    } else {
        phases->doubt += motion->dt;
    }
    return (WorkPhase)phases->phase;
}

void work_phases_visit(WorkPhases *phases, StateVisitor *visitor)
{
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "exercise.work." #name, phases->name);
    WORK_PHASE_FIELDS(F)
#undef F
    if (visitor->restoring && (phases->phase < 0 || phases->phase >= WORK_PHASE_COUNT || phases->seen < 0 ||
                               phases->seen >= WORK_PHASE_COUNT || phases->holds < 0 || phases->holds > 1)) {
        *phases = (WorkPhases){0};
        visitor->failed = true;
    }
}

const char *work_phase_name(WorkPhase phase, bool swings)
{
    static const char *const arm[WORK_PHASE_COUNT] = {TEXT("idle"),         TEXT("travel"), TEXT("dig"),
                                                      TEXT("swing loaded"), TEXT("dump"),   TEXT("swing empty")};
    static const char *const blade[WORK_PHASE_COUNT] = {TEXT("idle"),  TEXT("travel"), TEXT("cut"),
                                                        TEXT("carry"), TEXT("spread"), TEXT("return")};
    return phase >= 0 && phase < WORK_PHASE_COUNT ? (swings ? arm : blade)[phase] : "?";
}

/// ---- swings --------------------------------------------------------------------------------------------------------
///
/// Turns of the house, one way each; of the edge's way the jerk, from differences of its low-passed place.

#define TURNS    0.03 ///< rad/s: what is slower stands
#define ENDS     0.5 ///< s that the house stands at the end of a turn
#define EDGE_LAG 0.03 ///< s: low pass of the edge, twice: 5 Hz, above what hands steer and below the ticks
#define CRAWL    0.1 ///< m/s: an edge that was never faster has no smoothness

void swing_skill_start(SwingSkill *skill, Vec3 tip)
{
    *skill = (SwingSkill){.edge = {tip.x, tip.y, tip.z}, .lagged = {tip.x, tip.y, tip.z}};
}

/// Differences the edge's place three times; returns the squared jerk, m2/s6, once there are enough ticks.
static double squared_jerk(SwingSkill *skill, double dt, Vec3 tip)
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
    double squared = squared_jerk(skill, dt, tip);
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
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "exercise.swing." #name, skill->name);
#define A(type, name, count, low, high, unit)                                                                          \
    state_visit_array(visitor, "exercise.swing." #name, skill->name, sizeof(type), count);
    SWING_SKILL_FIELDS(F, A)
#undef F
#undef A
    if (visitor->restoring && (skill->way < -1 || skill->way > 1 || skill->stopped < -1 || skill->stopped > 1 ||
                               skill->ticks < 0 || skill->ticks > 3 || skill->swings < 0)) {
        *skill = (SwingSkill){0};
        visitor->failed = true;
    }
}
