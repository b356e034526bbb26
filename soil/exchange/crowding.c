/// What is given up when too much moves: less of the ground around the tools is free to move, from far away to near.
///
/// The work of a tick is counted, never timed: particles that do not sleep. Below START of what the scene allows
/// nothing is given up; from there on `share` rises to 1, and with it, in proportion,
/// - the distance to the tools falls beyond which particles are ground sooner, from FAR to NEAR;
/// - those wait for fewer quiet ticks, and may be faster, when they lie on the ground: as that they slide on (ground.c);
/// - the wedges of the edges end a little beyond that distance: what lies farther moves as ground.
/// What is ahead of a tool counts as nearer than it is. Within NEAR of a tool's plates, in its container and in trays
/// nothing is given up; the columns that an edge passes are cut whatever it costs.
#include "soil/exchange/crowding.h"

#include <math.h>

#include "data/core/tool_geometry.h"
#include "soil/ground/grounds.h"

#define START 0.7 ///< of most_awake: from there on something is given up. Chosen: so that it sets in smoothly
#define FAR   2.5 ///< m. Chosen: a wedge before a bucket that is 1 m deep ends there
#define NEAR  0.35 ///< m. Chosen: as near to a tool nothing is absorbed in any case (absorb.c)
/// Distances straight ahead count as 1 / (1 + AHEAD) of what they are. Chosen: with 1 the force in `validate run
/// crowding` is twice as far from that without a bound.
#define AHEAD      2.0
#define WHOLE_WAY  0.1 ///< m/s: from there on a tool's way counts in full. Chosen: below it a tool creeps
#define QUIET_BASE 0.08 ///< m/s: as in absorb.c
#define QUIET_MORE 0.4 ///< m/s: so much faster may grains be when share is 1. Chosen; see `validate run crowding`
#define QUIET_WAIT 24.0 ///< ticks: as in absorb.c
/// m: the wedge ends so much farther away than grains settle. Chosen: 0.2 makes the force on a bucket 4 % larger, its
/// border being near; with 0.4 it is 3 % smaller, and what has settled is freed anew.
#define WEDGE_BEYOND 0.3
#define DOUBT        (1.0 + 1e-9) ///< more than what distances lose by rounding

static double share_of(const SoilModel *model, const Particles *p)
{
    double most = model->scene.particles.most_awake;
    if (most <= 0.0 || model->scene.particles.persistent) {
        return 0.0;
    }
    int awake = 0;
    for (int32_t i = 0; i < p->count; i++) {
        awake += !particle_sleeps(p, i);
    }
    return fmax(0.0, fmin(1.0, (awake - START * most) / ((1.0 - START) * most)));
}

Crowding crowding_look(const Soil *soil)
{
    Crowding crowding = {.share = share_of(&soil->model, &soil->state.particles)};
    crowding.reach = crowding.share > 0.0 ? FAR + crowding.share * (NEAR - FAR) : HUGE_VAL;
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SolverBody *body = &soil->derived.bodies[b];
        if (body->tool.shape->edge_width > 0.0) {
            const RigidMotion *motion = &body->tool.motion;
            Vec3 middle = pose_apply(&motion->frame, body->middle);
            Vec3 velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(middle, motion->center)));
            Vec3 way = vec3_scale(velocity, 1.0 / fmax(WHOLE_WAY, vec3_length(velocity)));
            double off = fmax(0.0, tool_distance(body->tool.shape, body->middle)) * DOUBT;
            crowding.tools[crowding.tool_count++] = (CrowdingTool){body, middle, way, off};
        }
    }
    return crowding;
}

/// True when a place (m, world) lies farther from every tool than `reach`; ahead of a tool that counts for more.
static bool crowding_is_far(const Crowding *crowding, Vec3 at)
{
    for (int k = 0; k < crowding->tool_count; k++) {
        const CrowdingTool *tool = &crowding->tools[k];
        Vec3 to = vec3_sub(at, tool->middle);
        double away = vec3_length(to), ahead = away > 0.0 ? fmax(0.0, vec3_dot(to, tool->way) / away) : 1.0;
        double reach = crowding->reach * (1.0 + AHEAD * ahead);
        if (away >= tool->body->reach + reach) {
            continue;
        }
        if (away * DOUBT + tool->off < reach) {
            return false; // no farther from the steel than by way of the sphere's middle
        }
        const ToolShape *shape = tool->body->tool.shape;
        Vec3 local = pose_apply_inverse(&tool->body->tool.motion.frame, at);
        if (tool_is_within(shape, local, reach) || tool_contains(shape, local, NEAR)) {
            return false;
        }
    }
    return true;
}

bool crowding_settles(const Soil *soil, const Crowding *crowding, int32_t i)
{
    const Particles *p = &soil->state.particles;
    if (crowding->share <= 0.0 || !p->ground_near[i]) {
        return false;
    }
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
    double waited = fmin(1.0, p->quiet[i] / QUIET_WAIT + crowding->share);
    double most = (QUIET_BASE + QUIET_MORE * crowding->share) * waited;
    if (square >= most * most) {
        return false;
    }
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    if (!crowding_is_far(crowding, at)) {
        return false;
    }
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    return support.tray == NULL && (at.z - support.height) * support.normal.z < (double)p->radius[i];
}

double crowding_wedge_reach(const Crowding *crowding, double cosine)
{
    return (crowding->reach + WEDGE_BEYOND) * (1.0 + AHEAD * fmax(0.0, cosine));
}
