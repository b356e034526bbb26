/// Turns particles at rest into ground again, sooner where more of them are awake than a tick may take.
///
/// A particle is absorbed when it has been quiet for a while, lies on the ground (bottom layer first, so that a
/// pile goes from below) and no tool is near, holds it or comes its way; one that a tool's upright face presses into
/// ground, at once. Its quanta go to the columns that it covers as loose soil; soil that was loosened but never moved
/// goes back intact, with its bank density, if its column has the room. Particles that the risen ground then overlaps
/// keep that overlap as their rest gap (ground_contacts.c), so that none is thrown. Beyond the edge of the site there
/// are no columns: particles stay where they come to rest, and are booked as having left the site where they lie
/// farther away than LEAVES, or when the particle budget is nearly used up. Loose soil that slips swells here
/// too, until a heap of it has its loose density.
#include <math.h>
#include <string.h>

#include "data/core/tool_geometry.h"
#include "data/core/zeroed_memory.h"
#include "soil/contact/sleep.h"
#include "soil/exchange/exchange.h"
#include "soil/ground/grounds.h"
#include "soil/soil_parts.h"

/// ---- crowding ------------------------------------------------------------------------------------------------------
/// What is given up when too much moves: less of the ground around the tools is free to move, from far away to near.
///
/// The work of a tick is counted, never timed: particles that do not sleep. Below START of what the scene allows
/// nothing is given up; from there on `share` rises to 1, and with it, in proportion,
/// - the distance to the tools falls beyond which particles are ground sooner, from FAR to NEAR;
/// - those wait for fewer quiet ticks, and may be faster, when they lie on the ground: they then slide on as ground;
/// - the wedges of the edges end a little beyond that distance: what lies farther moves as ground.
/// What is ahead of a tool counts as nearer than it is. Within NEAR of a tool's plates, in its container and in trays
/// nothing is given up; the columns that an edge passes are cut whatever it costs.

#define START 0.7 ///< of most_awake: from there on something is given up. Chosen: so that it sets in smoothly
#define FAR   2.5 ///< m. Chosen: a wedge before a bucket that is 1 m deep ends there
#define NEAR  0.35 ///< m. Chosen: nothing is absorbed so near to a tool in any case
/// Distances straight ahead count as 1 / (1 + AHEAD) of what they are. Chosen: with 1 the force in `validate run
/// crowding` is twice as far from that without a bound.
#define AHEAD     2.0
#define WHOLE_WAY 0.1 ///< m/s: from there on a tool's way counts in full. Chosen: below it a tool creeps
/// A second: how often particles at rest become ground, one layer at a time. Chosen: the usual tick rate
enum { LAYERS_A_SECOND = 60 };
#define QUIET_SPEED 0.08 ///< m/s. Chosen; see test_soil_absorb
#define QUIET_MORE  0.4 ///< m/s: so much faster may grains be when share is 1. Chosen; see `validate run crowding`
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

Crowding crowding_measure(const Soil *soil)
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

/// True where a column of the site may take a grain. The outermost ones take none above what stands without running out
/// over the edge (spawn.c): soil would become ground and grains in turn for ever.
static bool site_takes(const Ground *site, double x, double y)
{
    int row, column;
    ground_column_at(site, x, y, &row, &column);
    double limit = HUGE_VAL, stands = site->tan_repose[ground_top_soil(site, row, column)] * site->spacing;
    for (int k = -1; k <= 1; k += 2) {
        bool aside = column + k < 0 || column + k >= site->columns, along = row + k < 0 || row + k >= site->rows;
        limit = aside ? fmin(limit, ground_column_height(site, row, column + k) + stands) : limit;
        limit = along ? fmin(limit, ground_column_height(site, row + k, column) + stands) : limit;
    }
    return ground_has_column(site, x, y) && ground_column_height(site, row, column) < limit;
}

/// True when particle i, which need not be quiet yet, is to become ground at once: it is far, slow and lies on the
/// site.
static bool crowding_settles(const Soil *soil, const Crowding *crowding, int32_t i)
{
    const Particles *p = &soil->state.particles;
    if (crowding->share <= 0.0 || !p->ground_near[i]) {
        return false;
    }
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
    double waited = fmin(1.0, p->quiet[i] / (double)soil->model.quiet_ticks + crowding->share);
    double most = (QUIET_SPEED + QUIET_MORE * crowding->share) * waited;
    if (square >= most * most) {
        return false;
    }
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    if (!crowding_is_far(crowding, at)) {
        return false;
    }
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    return support.tray == NULL && site_takes(support.ground, at.x, at.y) &&
           (at.z - support.height) * support.normal.z < (double)p->radius[i];
}

double crowding_wedge_reach(const Crowding *crowding, double cosine)
{
    return (crowding->reach + WEDGE_BEYOND) * (1.0 + AHEAD * fmax(0.0, cosine));
}

/// ---- absorption ----------------------------------------------------------------------------------------------------

/// Share of the particles in the volume of a heap, as they lie in a bucket: see `validate run bucket`.
#define HEAP_SOLID 0.62
/// Shear strain after which loosened soil has its loose density: soil is sheared to its critical state by a few tenths
/// (Wood 1990, Soil Behaviour and Critical State Soil Mechanics). Chosen; see `validate run bucket --set soil=clay`
#define SWELL_STRAIN 0.3
#define SLIP_LEAST   0.01F ///< m/s: slower grains creep in a load that shakes. Chosen; see test_soil_swing
#define SWELL_RATE   1.0 ///< nominal radii a second at most, so that no load is lifted with a jerk. Chosen
/// Nominal radii between grains that are neighbours yet. Chosen: bonds of clods are no longer
#define SWELL_TOUCH 0.1
#define GROWN       1e-3 ///< share of the volume that may lack. Chosen; see `validate run bucket`
/// Nominal radii over its centre: as high may a column rise that soil goes back to, a layer's unevenness over its top.
/// Chosen; see test_soil_put_back.
#define PUT_BACK_TOP 2.0
/// Nominal radii over the column's intact soil: soil that lies higher has lost what it stood on. Chosen; see above.
#define PUT_BACK_GAP  3.0
#define SUNK          0.4F ///< radii below the surface: slow loose soil there is absorbed. Chosen; see test_soil_absorb
#define CAUGHT        0.1F ///< radii below the surface: pressed into it by a wall. Chosen; see test_soil_walls
#define SUNK_SPEED    0.3 ///< m/s: faster soil may still climb out. Chosen; see test_soil_absorb
#define TOOL_DISTANCE 0.35 ///< m from a tool's plates. Chosen; see test_soil_absorb
/// m that a tool has moved on beside soil that did not move with it. Chosen: a blade that creeps at 0.1 m/s then has
/// the draft that it has among grains that all stay, within 1.5 %; with a rest counted in seconds alone, a tenth less.
/// See test_soil_absorb
#define REST_WAY 0.4
/// Of a tool's speed: what moves with it as fast is no soil at rest, however slow that is. Chosen; see `validate run
/// same`
#define WITH_TOOL 0.25
/// Radii of a tool's sphere, with TOOL_DISTANCE: how far along its way soil waits for it. Chosen: the wedge of a blade
#define WAY_REACHES 2.0
/// m beyond the edge of the site: what comes to rest farther away has left it. Chosen: a truck's length
#define LEAVES     10.0
#define SWEEP_STEP 0.05 ///< m: least step along a tool's way. Chosen: half of a grain

/// True when a tool that keeps its direction will not come nearer to a point than TOOL_DISTANCE within `reach` m: what
/// lies ahead of a tool is about to be moved, or cut anew.
static bool is_passed_by(const ToolShape *shape, Vec3 local, Vec3 way, double reach)
{
    for (double gone = 0.0; gone < reach;) {
        double distance = tool_distance(shape, vec3_madd(local, -gone, way));
        if (distance < TOOL_DISTANCE) {
            return false;
        }
        gone += fmax(distance - TOOL_DISTANCE, SWEEP_STEP);
    }
    return true;
}

/// m/s of a tool at a place.
static Vec3 tool_velocity(const SoilTool *tool, Vec3 at)
{
    return vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
}

/// True when a tool neither holds a grain in its container or near its plates nor comes its way, and has moved on by
/// REST_WAY while the grain has been quiet: soil beside a slow tool creeps. A tool that stands in soil may go on as it
/// came (`way`, its frame): what lies there bears its load.
static bool is_clear_of_tool(const SolverBody *body, Vec3 at, double quiet, const Vec3 *way)
{
    const SoilTool *tool = &body->tool;
    double reach = body->reach + TOOL_DISTANCE;
    Vec3 local = pose_apply_inverse(&tool->motion.frame, at), to = vec3_sub(local, body->middle);
    if (vec3_dot(to, to) >= WAY_REACHES * WAY_REACHES * reach * reach) {
        return true;
    }
    if (vec3_dot(to, to) < reach * reach &&
        (tool_is_within(tool->shape, local, TOOL_DISTANCE) || tool_contains(tool->shape, local, TOOL_DISTANCE))) {
        return false;
    }
    Vec3 velocity = tool_velocity(tool, at);
    double speed = vec3_length(velocity);
    if (speed < SOIL_STILL_SPEED) {
        return body->contacts == 0 || vec3_dot(*way, *way) == 0.0 ||
               is_passed_by(tool->shape, local, *way, WAY_REACHES * reach);
    }
    Vec3 ahead = mat3_mul_transposed(&tool->motion.frame.rotation, vec3_scale(velocity, 1.0 / speed));
    return quiet * speed >= REST_WAY && is_passed_by(tool->shape, local, ahead, WAY_REACHES * reach);
}

/// Whether particle i, at rest, is clear of all tools but the walls of trays, which do not keep their soil awake.
static bool is_clear(const Soil *soil, int32_t i)
{
    const Particles *p = &soil->state.particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    double quiet = p->quiet[i] * model_tick(&soil->model);
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SolverBody *body = &soil->derived.bodies[b];
        if (body->tool.shape->edge_width > 0.0 && !is_clear_of_tool(body, at, quiet, &soil->state.ways[b])) {
            return false;
        }
    }
    return true;
}

/// How far a grain is from the size that its soil has when it is loose, m3 x 3 / 4 pi; 0 when it is there, and of soil
/// that has not been disturbed.
static double missing_cube(const SoilModel *model, const Particles *p, int32_t i)
{
    if (p->path[i] < 0.0F || !particle_is_disturbed(p, i, model->particle_radius)) {
        return 0.0;
    }
    const SoilParams *params = &model->scene.soils[p->soil[i]];
    double volume = p->mass[i] * SOIL_QUANTUM * (1.0 + params->swell) / params->bank_density * HEAP_SOLID;
    double target = 0.75 / M_PI * volume, radius = (double)p->radius[i], missing = target - radius * radius * radius;
    return fabs(missing) < GROWN * target ? 0.0 : missing;
}

/// Squared speed (m2/s2) at which two neighbours slip past each other, `to` apart and `past` m/s: across the line
/// between them, for what swells pushes others away along it.
static double slip_square(Vec3 to, Vec3 past)
{
    double along = vec3_dot(past, to);
    return fmax(vec3_dot(past, past) - along * along / vec3_dot(to, to), 0.0);
}

/// What members share while they look after the particles at a tick's end.
typedef struct Resting {
    Soil *soil;
    float *slips; ///< [particles] m/s: past their neighbours
    uint8_t *swells; ///< [particles] whether each may swell
    Vec3 middle[SOIL_MAX_BODIES]; ///< m, of the bodies' spheres
    PressedWalls walls;
    /// Numbers of the tools that move, and so slowly that the soil they push counts as quiet by QUIET_SPEED alone.
    int slow[SOIL_MAX_BODIES];
    int slow_count;
    int needed; ///< ticks of quiet
    bool crowded; ///< the particle budget is nearly used up
    bool settles; ///< what is at rest becomes ground in this tick
    int32_t *chosen; ///< [particles] of each member where its part of the particles begins
    int32_t found[TEAM_MOST_MEMBERS]; ///< how many each has chosen
    int32_t hastened[TEAM_MOST_MEMBERS]; ///< how many of those only because too much moves
    Crowding crowding;
} Resting;

/// Notes how fast (m/s) two neighbours slip past each other, of each its fastest: the least of what is seen from the
/// ground and from the tools that they lie in or at, which turn with what they carry.
static void note_slip(const Resting *resting, int32_t i, int32_t j)
{
    const Soil *soil = resting->soil;
    const Particles *p = &soil->state.particles;
    float *slips = resting->slips;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]), to = vec3(at.x - p->x[j], at.y - p->y[j], at.z - p->z[j]);
    double touch = (double)p->radius[i] + (double)p->radius[j] + SWELL_TOUCH * soil->model.particle_radius;
    double square = vec3_dot(to, to);
    if (square > touch * touch || square == 0.0) {
        return;
    }
    Vec3 past = vec3(p->vx[i] - p->vx[j], p->vy[i] - p->vy[j], p->vz[i] - p->vz[j]);
    double least = slip_square(to, past);
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SolverBody *body = &soil->derived.bodies[b];
        double reach = body->reach + TOOL_DISTANCE;
        Vec3 away = vec3_sub(at, resting->middle[b]);
        if (!body->far && !body->stands && vec3_dot(away, away) < reach * reach) {
            least = fmin(least, slip_square(to, vec3_sub(past, vec3_cross(body->tool.motion.spin, to))));
        }
    }
    float slip = (float)sqrt(least);
    slips[i] = fmaxf(slips[i], slip);
    slips[j] = fmaxf(slips[j], slip);
}

/// Notes the slips of the pairs of a member's blocks. Blocks of one colour share no particle.
static void note_own_slips(const Resting *resting, int member, int members)
{
    const PairList *pairs = &resting->soil->state.pairs;
    const int32_t count = resting->soil->state.particles.count;
    for (int colour = 0; colour < PAIR_COLOURS; colour++) {
        for (int32_t block = pairs->colour_first[colour] + member; block < pairs->colour_first[colour + 1];
             block += members) {
            for (int32_t k = pairs->block_first[block] * BATCH; k < pairs->block_first[block + 1] * BATCH; k++) {
                int32_t i = pairs->i[k], j = pairs->j[k]; // padding names no particle
                if (i < count && j < count && (resting->swells[i] || resting->swells[j])) {
                    note_slip(resting, i, j);
                }
            }
        }
        team_wait(resting->soil->scratch.team);
    }
}

/// Loose soil takes more room than undisturbed soil. As a particle slips past its neighbours it grows to the radius
/// with which a heap of its like has the loose density; what is carried as one body keeps its room. The published
/// solvers have no list of pairs: their soil swells when it is ground.
static void grow(const Resting *resting, TeamPart part)
{
    const SoilModel *model = &resting->soil->model;
    const Particles *p = &resting->soil->state.particles;
    double dt = model_tick(model);
    for (int32_t i = part.first; i < part.end; i++) {
        if (resting->swells[i] && resting->slips[i] > SLIP_LEAST) {
            double radius = (double)p->radius[i],
                   swelling = model->scene.soils[p->soil[i]].swell / (6.0 * SWELL_STRAIN);
            double most = dt * fmin(swelling * (double)resting->slips[i], SWELL_RATE * model->particle_radius);
            double step = missing_cube(model, p, i) / (3.0 * radius * radius); // Newton's
            double change = fmax(-most, fmin(most, step));
            p->radius[i] = (float)(radius + change);
            p->calm[i] = 0;
            p->slack[i] -= (float)fabs(change);
        }
    }
}

/// m/s: what is as fast is not quiet, at a place (m, world).
static double quiet_speed(const Resting *resting, Vec3 at)
{
    const Soil *soil = resting->soil;
    double most = QUIET_SPEED;
    for (int k = 0; k < resting->slow_count; k++) {
        const SolverBody *body = &soil->derived.bodies[resting->slow[k]];
        double reach = WAY_REACHES * (body->reach + TOOL_DISTANCE);
        Vec3 away = vec3_sub(at, resting->middle[resting->slow[k]]);
        if (vec3_dot(away, away) < reach * reach) {
            double speed = vec3_length(tool_velocity(&body->tool, at));
            most = speed > SOIL_STILL_SPEED ? fmin(most, WITH_TOOL * speed) : most;
        }
    }
    return most;
}

static void count_quiet(const Resting *resting, TeamPart part)
{
    const Particles *p = &resting->soil->state.particles;
    double dt = model_tick(&resting->soil->model);
    for (int32_t i = part.first; i < part.end; i++) {
        double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
        double most = quiet_speed(resting, vec3(p->x[i], p->y[i], p->z[i]));
        if (square > most * most) {
            p->quiet[i] = 0;
        } else if (p->quiet[i] < PARTICLE_QUIET) {
            p->quiet[i]++;
        }
        p->newborn[i] = 0;
        if (p->path[i] >= 0.0F && !particle_sleeps(p, i)) {
            p->path[i] += (float)(sqrt(square) * dt);
        }
    }
}

/// Puts soil that was loosened but never moved back to where it came from, intact, below loose soil that has run in
/// under it. False when the column would then stand over the place where the soil lies: others have gone there before;
/// when what it stood on has gone; and below loose soil when no cohesion bonds it to what it goes back to.
static bool put_back(const SoilModel *model, const Particles *p, int32_t i, Ground *ground)
{
    int row, column;
    ground_column_at(ground, p->x[i], p->y[i], &row, &column);
    if (ground_is_inside_fixture(ground, row, column)) {
        return false;
    }
    const SoilParams *params = &model->scene.soils[p->soil[i]];
    double rise = p->mass[i] * SOIL_QUANTUM / (params->bank_density * ground->area);
    double top = ground_firm_top(ground, row, column);
    if (particle_is_disturbed(p, i, model->particle_radius) ||
        (params->cohesion <= 0.0 && ground_top_is_loose(ground, row, column)) ||
        top + rise > p->z[i] + PUT_BACK_TOP * model->particle_radius ||
        p->z[i] > top + PUT_BACK_GAP * model->particle_radius) {
        return false;
    }
    ground_put(ground, row, column, p->soil[i], p->mass[i], true);
    return true;
}

/// Deeper in the ground than a diameter: it has closed over the particle, which cannot come to rest between its planes.
static bool is_buried(const Particles *p, int32_t i)
{
    return p->ground_near[i] && p->ground_gap[i] < -2.0F * p->radius[i];
}

/// Loose soil that has sunk into the ground by a part of its radius, and is slow: in a hollow it would rattle from
/// plane to plane for ever.
static bool is_sunk(const SoilModel *model, const Particles *p, int32_t i)
{
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
    return p->ground_near[i] && p->ground_gap[i] < -SUNK * p->radius[i] && square < SUNK_SPEED * SUNK_SPEED &&
           particle_is_disturbed(p, i, model->particle_radius);
}

/// In the ramp beside the edge of the site: its outermost column takes it in.
static bool is_taken_in(const SoilModel *model, const Ground *site, const Particles *p, int32_t i)
{
    double away = ground_distance_beyond(site, p->x[i], p->y[i]);
    return away > 0.0 && away < site->spacing && (is_buried(p, i) || is_sunk(model, p, i));
}

/// Puts a particle's mass on the ground that carries it, or books it as having left the site.
static void lay_down(Soil *soil, int32_t i)
{
    Particles *p = &soil->state.particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    bool beyond = support.tray == NULL && !ground_has_column(support.ground, at.x, at.y);
    if (support.tray != NULL) {
        at = pose_apply_inverse(&support.tray->frame, at);
    } else if (beyond && !is_taken_in(&soil->model, support.ground, p, i)) {
        soil->state.left[p->soil[i]] += p->mass[i];
        p->mass[i] = 0;
        return;
    } else if (!beyond && put_back(&soil->model, p, i, support.ground)) {
        p->mass[i] = 0;
        return;
    }
    ground_spread(support.ground, at.x, at.y, 2.0 * (double)p->radius[i], p->soil[i], p->mass[i]);
    p->mass[i] = 0;
}

/// Whether a particle at rest beyond the edge has left the site, or goes to the edge's column. Else it stays what it
/// is: there is no column for it.
static bool leaves_site(const Resting *resting, const Ground *site, int32_t i)
{
    const Particles *p = &resting->soil->state.particles;
    return resting->crowded || ground_distance_beyond(site, p->x[i], p->y[i]) > LEAVES ||
           is_taken_in(&resting->soil->model, site, p, i);
}

/// Whether a particle becomes ground in this tick, or leaves the site.
static bool is_due(const Resting *resting, int32_t i)
{
    const Soil *soil = resting->soil;
    const Particles *p = &soil->state.particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    bool caught = p->ground_near[i] && p->ground_gap[i] < -CAUGHT * p->radius[i] &&
                  bearing_catches(&soil->derived.bearing, &resting->walls, at, (double)p->radius[i]);
    if (p->quiet[i] < resting->needed && !is_buried(p, i) && !is_sunk(&soil->model, p, i) && !caught) {
        return false;
    }
    Support support = support_find(&soil->model, &soil->state.grounds, at.x, at.y, at.z);
    double above = (at.z - support.height) * support.normal.z;
    bool settles = above < (double)p->radius[i] && (caught || is_clear(soil, i));
    if (support.tray == NULL && !ground_has_column(support.ground, at.x, at.y)) {
        return settles && leaves_site(resting, support.ground, i);
    }
    return settles && (support.tray == NULL ? site_takes(support.ground, at.x, at.y) || is_buried(p, i)
                                            : tray_settles(&soil->model, support.tray, at));
}

/// Counts who is quiet, lets what slips swell, and chooses what becomes ground: by the ground before any is laid down,
/// one layer a tick.
static void look_after_own(void *context, int member, int members)
{
    Resting *resting = context;
    const SoilModel *model = &resting->soil->model;
    const Particles *p = &resting->soil->state.particles;
    TeamPart part = team_part(p->count, member, members);
    count_quiet(resting, part);
    resting->found[member] = resting->hastened[member] = 0;
    if (model->scene.particles.persistent) {
        return;
    }
    for (int32_t i = part.first; i < part.end; i++) {
        resting->slips[i] = 0.0F;
        resting->swells[i] = !particle_sleeps(p, i) && missing_cube(model, p, i) != 0.0;
    }
    team_wait(resting->soil->scratch.team);
    note_own_slips(resting, member, members);
    grow(resting, part);
    for (int32_t i = part.first; i < part.end && resting->settles; i++) {
        bool hastens = crowding_settles(resting->soil, &resting->crowding, i);
        resting->hastened[member] += hastens;
        if (hastens || is_due(resting, i)) {
            resting->chosen[part.first + resting->found[member]++] = i;
        }
    }
}

bool absorb_create(Soil *soil)
{
    soil->scratch.resting = zeroed_alloc(1, sizeof *soil->scratch.resting); // too large for a small stack
    return soil->scratch.resting != NULL;
}

void absorb_destroy(Soil *soil)
{
    zeroed_free(soil->scratch.resting);
}

/// Looks after all particles. Returns how many become ground: they come first in `chosen`, in their order.
static int look_after_particles(Soil *soil, int32_t *chosen)
{
    const Particles *p = &soil->state.particles;
    Scratch *scratch = &soil->scratch.memory;
    bool together = p->count > PARTICLES_WORTH_THREADS;
    Resting *resting = soil->scratch.resting;
    memset(resting, 0, sizeof *resting);
    resting->soil = soil;
    resting->chosen = chosen;
    resting->crowded = p->count > p->capacity - p->capacity / 8;
    resting->needed = resting->crowded ? soil->model.crowded_ticks : soil->model.quiet_ticks;
    resting->settles = model_times(&soil->model, soil->state.tick, LAYERS_A_SECOND) > 0;
    for (int b = 0; b < soil->derived.body_count; b++) {
        const SolverBody *body = &soil->derived.bodies[b];
        resting->middle[b] = pose_apply(&body->tool.motion.frame, body->middle);
        double speed = vec3_length(tool_velocity(&body->tool, resting->middle[b]));
        double most = speed + body->reach * vec3_length(body->tool.motion.spin);
        if (body->tool.shape->edge_width > 0.0 && most > SOIL_STILL_SPEED && WITH_TOOL * speed < QUIET_SPEED) {
            resting->slow[resting->slow_count++] = b;
        }
    }
    resting->crowding = crowding_measure(soil);
    bearing_find_pressed(&soil->derived.bearing, &resting->walls);
    resting->slips = scratch_take(scratch, "slip of the particles", (size_t)p->count, sizeof(float));
    resting->swells = scratch_take(scratch, "whether they swell", (size_t)p->count, 1);
    team_run(soil->scratch.team, together, look_after_own, resting);
    scratch_give_back(scratch, resting->swells);
    scratch_give_back(scratch, resting->slips);
    int members = together ? team_members(soil->scratch.team) : 1, absorbed = resting->found[0];
    soil->derived.counters.crowding = resting->crowding.share;
    soil->derived.counters.hastened = resting->hastened[0];
    for (int member = 1; member < members; member++) {
        const int32_t *own = chosen + team_part(p->count, member, members).first;
        memmove(chosen + absorbed, own, (size_t)resting->found[member] * sizeof *own);
        absorbed += resting->found[member];
        soil->derived.counters.hastened += resting->hastened[member];
    }
    return absorbed;
}

/// Remembers how the tools go.
static void note_ways(Soil *soil)
{
    for (int b = 0; b < soil->derived.body_count && b < SOIL_MAX_TOOLS; b++) {
        const SolverBody *body = &soil->derived.bodies[b];
        Vec3 middle = pose_apply(&body->tool.motion.frame, body->middle), velocity = tool_velocity(&body->tool, middle);
        double speed = vec3_length(velocity);
        if (body->tool.shape->edge_width > 0.0 && speed > SOIL_STILL_SPEED) {
            soil->state.ways[b] =
                mat3_mul_transposed(&body->tool.motion.frame.rotation, vec3_scale(velocity, 1.0 / speed));
        }
    }
}

void absorb_resting(Soil *soil)
{
    note_ways(soil);
    Particles *p = &soil->state.particles;
    int before = p->count;
    int32_t *chosen = scratch_take(&soil->scratch.memory, "particles to absorb", (size_t)p->count, sizeof *chosen);
    int absorbed = look_after_particles(soil, chosen);
    soil->derived.counters.absorbed = absorbed;
    for (int k = 0; k < absorbed; k++) {
        lay_down(soil, chosen[k]);
    }
    if (absorbed > 0) {
        if (soil->derived.contact_tick.asleep > 0) {
            sleep_wake_beside_removed(&soil->state.pairs, p);
        }
        particles_remove_empty(p, chosen);
        pair_list_forget_removed(&soil->state.pairs, chosen, before, p->capacity);
        soil->derived.ground_reach.known = false; // it names particles by their index
    }
    scratch_give_back(&soil->scratch.memory, chosen);
}
