/// Tools pressed on the ground: which patches of a tool's surface lie in it, what the ground bears of them, what the
/// tool does to the ground, and the notes of a tick for the getters.
#include "soil/tool/bearing.h"

#include <assert.h>
#include <math.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/core/zeroed_memory.h"
#include "soil/contact/contact_system.h"
#include "soil/ground/ground.h"
#include "soil/ground/track_sinkage.h"

/// ---- notes ---------------------------------------------------------------------------------------------------------
/// Stores what pressed on the tools, where the ground gave way and which columns were cut, for the getters.
///
/// A tick and a substep write here and never read: what is shown has no part in what happens, and is no part of the
/// state.

bool probe_create(Probe *probe, int capacity)
{
    probe->contact_capacity = capacity;
    probe->contacts = zeroed_alloc((size_t)capacity, sizeof *probe->contacts);
    return probe->contacts != NULL;
}

void probe_destroy(Probe *probe)
{
    zeroed_free(probe->contacts);
}

void probe_begin_tick(Probe *probe)
{
    probe_begin_substep(probe, 0, 0.0);
}

void probe_begin_substep(Probe *probe, int tool_count, double dt)
{
    probe->contact_count = probe->yield_count = 0;
    probe->tool_count = tool_count;
    probe->substep = dt;
}

void probe_forget(Probe *probe)
{
    probe_begin_tick(probe);
    probe->cut_count = 0;
}

static void add_contact(Probe *probe, const SoilToolContact *contact)
{
    bool presses = contact->force.x != 0.0 || contact->force.y != 0.0 || contact->force.z != 0.0;
    if (presses && contact->tool < probe->tool_count && probe->contact_count < probe->contact_capacity) {
        probe->contacts[probe->contact_count++] = *contact;
    }
}

/// Notes that the ground at `point` presses on a body with `force`, N; `normal` of the ground, up.
static void probe_note_bearing(Probe *probe, int body, Vec3 point, Vec3 normal, Vec3 force)
{
    add_contact(probe, &(SoilToolContact){.point = point,
                                          .normal = vec3_scale(normal, -1.0),
                                          .force = force,
                                          .particle = SOIL_NO_PARTICLE,
                                          .tool = body});
}

void probe_note_contact(Probe *probe, const SolverBody *bodies, const BodyContact *contact, uint32_t id,
                        Vec3 on_particle)
{
    const float *arm = contact->arm, *normal = contact->core.normal;
    Vec3 to_point = vec3((double)arm[0], (double)arm[1], (double)arm[2]);
    add_contact(probe, &(SoilToolContact){.point = vec3_add(bodies[contact->body].tool.motion.center, to_point),
                                          .normal = vec3((double)normal[0], (double)normal[1], (double)normal[2]),
                                          .force = vec3_scale(on_particle, -1.0),
                                          .particle = id,
                                          .tool = contact->body});
}

void probe_note_cut(Probe *probe, int64_t tick, int row, int column, double floor, double top)
{
    probe->cuts[probe->cut_count++ % PROBE_CUTS] = (ProbeCut){row, column, (float)floor, (float)top, tick};
}

/// Notes that the ground under a tool fails at a place.
static void probe_note_yield(Probe *probe, Vec3 place)
{
    if (probe->yield_count < PROBE_YIELDS) {
        probe->yields[probe->yield_count++] = place;
    }
}

/// ---- capacity ------------------------------------------------------------------------------------------------------
/// Pressure of the ground on a tool's edge, teeth, belly and sides.
///
/// A patch of the tool's surface in the ground bears k_s z at right angles to its face (z its depth, k_s =
/// BEARING_MODULUS), up to what the ground bears before it fails. For a plate of width B and length L that is
/// Terzaghi's sum with the factors of Prandtl (Nq), Reissner (Nc) and Vesic (Ngamma, and those of the plate's shape):
///     p = c Nc (1 + B / L Nq / Nc) + q Nq (1 + B / L tan phi) + 1/2 g rho B Ngamma (1 - 0.4 B / L),
///     Nq = tan2(pi/4 + phi/2) exp(2 theta tan phi),  Nc = (Nq - 1) / tan phi,  Ngamma = 2 (Nq + 1) tan phi
/// theta is the angle of the fan between the soil under the plate and that which is lifted beside it: pi/2 under a
/// level plate (Prandtl 1920), 0 before a wall, where Nq and Nc are Rankine's Kp and 2 sqrt(Kp), between the two pi/2
/// less the plate's inclination (Sokolovskii 1965). The term of B belongs to footings: it fades with the cosine of the
/// inclination, for a wall's own weight term is q Nq. q is the weight of the soil around above the patch; B the shorter
/// side of what the tool rests on. Loose soil has the density it has, and of its cohesion the remoulded share, more as
/// it is compacted. What fails is pushed aside ("failure"); only an edge that moves along turns ground into
/// particles (spawn.c). A wall is pressed by what stands before it ("walls").
///
/// Undisturbed ground bears that only when it has settled: by a twentieth of B for what cohesion bears, by a tenth for
/// the rest (Vesic 1973: clay fails at 3 to 7 % of B, sand at 5 to 15 %); before, a share as great as that of the way.
/// What a column has settled it remembers (track_sinkage.h), whatever pressed it: a plate that comes down in its own
/// print finds all of it. Loose soil settles by being compacted, and bears by its capacity from the start.
///
/// What is settled in a tray bears as the site does, in the tray's frame; the tray does not feel it.

/// What cohesion (Pa) ground has left.
static double bearing_cohesion(const BearingGround *ground)
{
    double remoulded = ground->soil->contact_remoulded;
    return ground->soil->cohesion * (remoulded + (1.0 - remoulded) * ground->firmness);
}

/// Finds them, unless they are those already: patches of a face press one way, most of them on one soil.
static void bearing_find_factors(BearingFactors *factors, const SoilParams *soil, double down)
{
    assert(soil != NULL);
    if (factors->soil == soil && factors->down == down) {
        return;
    }
    double phi = soil->friction_angle, fan = 0.5 * M_PI - same_acos(fmax(0.0, fmin(1.0, down)));
    if (factors->soil != soil) {
        factors->soil = soil;
        factors->tangent = same_tan(phi);
        factors->passive = same_tan(0.25 * M_PI + 0.5 * phi);
        factors->rubbing = same_tan(soil->steel_friction_angle);
    }
    factors->down = down;
    factors->nq = factors->passive * factors->passive * same_exp(2.0 * fan * factors->tangent);
    factors->nc = phi > 1e-3 ? (factors->nq - 1.0) / factors->tangent : 2.0 + 2.0 * fan;
    factors->ngamma = 2.0 * (factors->nq + 1.0) * factors->tangent * fmax(0.0, down);
}

/// What cohesion and what friction with weight bear of bearing_capacity, Pa.
typedef struct Capacity {
    double cohesive, frictional;
} Capacity;

static Capacity bearing_capacity_by(const BearingFactors *factors, const BearingGround *ground, double width,
                                    double length, double surcharge)
{
    double broad = width / length, weighty = 0.5 * STANDARD_GRAVITY * ground->density * width * factors->ngamma;
    return (Capacity){.cohesive = bearing_cohesion(ground) * (factors->nc + broad * factors->nq),
                      .frictional =
                          surcharge * factors->nq * (1.0 + broad * factors->tangent) + weighty * (1.0 - 0.4 * broad)};
}

double bearing_capacity(const BearingGround *ground, double width, double surcharge, double down)
{
    BearingFactors factors = {.soil = NULL};
    bearing_find_factors(&factors, ground->soil, down);
    Capacity capacity = bearing_capacity_by(&factors, ground, width, HUGE_VAL, surcharge);
    return capacity.cohesive + capacity.frictional;
}

/// Shorter side, m.
static double footing_width(const Footing *footing)
{
    return fmin(footing->cover.high[0] - footing->cover.low[0], footing->cover.high[1] - footing->cover.low[1]);
}

/// Longer side, m.
static double footing_length(const Footing *footing)
{
    return fmax(footing->cover.high[0] - footing->cover.low[0], footing->cover.high[1] - footing->cover.low[1]);
}

#define BARE 0.01 ///< m: a thinner layer on a tray's floor bears nothing. Chosen: a shovel's scrape

/// True when there is settled soil at a place of a footing's ground: in a tray, over its floor and not on bare steel.
static bool bearing_has_ground(const Footing *footing, Vec3 at, double height)
{
    const Tray *tray = footing->tray;
    if (tray == NULL) {
        return true;
    }
    double floor = tray->params.floor;
    return fabs(at.x) < 0.5 * tray->params.length && fabs(at.y) < 0.5 * tray->params.width && height > floor + BARE &&
           at.z > floor - TRAY_WALL;
}

enum { MOST_PATCHES = 24 };
/// Bits of a patch's key from the lowest: its number on its face, the face, the piece, the ground, the body.
enum { KEY_FACE = 10, KEY_PIECE = 14, KEY_GROUND = 19, KEY_BODY = 21 };
static_assert((int)MOST_PATCHES * (int)MOST_PATCHES <= 1 << KEY_FACE, "a face's patches fit into the key");
static_assert((int)TOOL_MAX_CORNERS + 2 <= 1 << (KEY_PIECE - KEY_FACE), "a piece's faces fit into the key");
static_assert((int)TOOL_MAX_PIECES <= 1 << (KEY_GROUND - KEY_PIECE), "a tool's pieces fit into the key");
static_assert((int)SOIL_MAX_TRAYS + 1 <= 1 << (KEY_BODY - KEY_GROUND), "the grounds fit into the key");

/// Number of the face that a patch is on, among all of the tick.
static uint32_t bearing_face_of(const BearingPatch *patch)
{
    return patch->key >> KEY_FACE;
}

/// ---- memory --------------------------------------------------------------------------------------------------------
/// How far walls are pushed into the ground: the only part of bearing that outlasts a tick. A patch is found again by
/// its key; patches are found in the order of their keys, so that one walk through both is enough.

#define FARTHEST 1.0 ///< m: no tool reaches 50 m into ground, the depth at which it would yield so late

void bearing_remember(const Bearing *bearing, BearingMemory *memory)
{
    memory->count = 0;
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->wall && patch->pushed > 0.0) {
            memory->key[memory->count] = patch->key;
            memory->pushed[memory->count++] = patch->pushed;
        }
    }
}

static void bearing_recall(Bearing *bearing, const BearingMemory *memory)
{
    int32_t known = 0;
    for (int k = 0; k < bearing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        while (known < memory->count && memory->key[known] < patch->key) {
            known++;
        }
        bool found = known < memory->count && memory->key[known] == patch->key;
        patch->pushed = found ? memory->pushed[known] : 0.0;
    }
}

void bearing_memory_visit(BearingMemory *memory, StateVisitor *visitor)
{
    int32_t count = visitor->measuring ? BEARING_PATCHES : memory->count;
    STATE_VISIT(visitor, "bearing.count", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > BEARING_PATCHES) {
            visitor->failed = true;
            return;
        }
        memory->count = count;
    }
    state_visit_array(visitor, "bearing.key", memory->key, sizeof *memory->key, (size_t)count);
    state_visit_array(visitor, "bearing.pushed", memory->pushed, sizeof *memory->pushed, (size_t)count);
}

bool bearing_memory_is_valid(const BearingMemory *memory)
{
    for (int32_t k = 0; k < memory->count; k++) {
        bool rises = k == 0 || memory->key[k] > memory->key[k - 1];
        if (!rises || !(memory->pushed[k] > 0.0 && memory->pushed[k] <= FARTHEST)) {
            return false;
        }
    }
    return true;
}

/// ---- walls ---------------------------------------------------------------------------------------------------------
/// What ground bears a tool's upright faces: side plates, the ends of a blade, a plate that stands in its own print.
///
/// The height field has no upright walls. So ground before an upright face is looked at column by column, each a prism:
/// a patch stands before the column whose middle is a column or less before it, and is pressed as far as that one
/// stands higher. A wall that is pushed on takes each column when it passes its middle ("failure"), and stands
/// before the next at once.
///
/// The pressure grows with the way u that the patch has been pushed on since it met ground, to all of it at a fiftieth
/// of the wall's depth (Clough and Duncan 1991: 1 % before dense sand, 2 % before medium, 4 % before loose, 5 % before
/// clay): the passive pressure (Rankine 1857)
///     p = q Kp + 2 c sqrt(Kp),   Kp = tan2(pi/4 + phi/2),
/// q the weight of what stands above the patch over the length of the wedge that is lifted, d tan(pi/4 + phi/2) for a
/// patch d deep. A wall as narrow as it is high lifts more than what is straight before it: its pressure is greater by
///     R = 1 + (Kp - Ka)^(2/3) 1.6 / (1 + 5 l / d),   Ka = 1 / Kp,   R <= 2,
/// l its length, d its depth (Ovesen 1964, Brinch Hansen 1966, for a wall by itself from the surface down; Duncan and
/// Mokwa 2001 bound it by 2).
///
/// Ground that ends before it could fail as a wedge (a bank, a fin between two trenches) is sheared off below: what
/// stands above a depth carries no more than b (q tan phi + c), b its breadth. A patch bears what its own height adds
/// to the lesser of the two forces, the wedge's and that.
///
/// A wall that slides along comes before fresh ground, which is not pressed yet: u falls over the way FRESH.
///
/// Grains that have fallen between a wall and the ground that it is pushed into are part of that ground (absorb.c):
/// between two things that are both unyielding they would carry any force.
///
/// Ground that has been pressed comes back by a fifth of the way, so that a wall that is let go is hardly thrown back.

/// Pressed soil is so much stiffer when it is let go (oedometer: three to ten times). Chosen; see test_soil_walls.
#define UNLOADING 5.0
/// Columns: ground that goes on so far before a wall counts as going on for ever. Chosen: 4 m, twice the longest wedge
/// before a wall of 1 m.
enum { FAR_AHEAD = 40 };
#define MOBILISED 0.02 ///< of a wall's depth: the way with which ground before it bears all that it can
#define ENDLESS   1e6 ///< m: that is its breadth
#define WIDEST    2.0 ///< of R
#define FRESH     0.3 ///< m. Chosen: half of what a bucket's side plate has in the ground

enum { WAYS = 6 }; ///< along the tool's axes, and against them

/// Level unit vector that an upright patch looks along.
static Vec3 bearing_level_way(const BearingPatch *patch)
{
    double size = same_hypot(patch->out.x, patch->out.y);
    return vec3(patch->out.x / size, patch->out.y / size, 0.0);
}

/// m along that way, from a face to the middle of the column that it looks at.
static double bearing_reach(const Ground *ground, Vec3 way)
{
    return 0.5 * ground->spacing * (fabs(way.x) + fabs(way.y));
}

/// m: half of how high a patch stands, from its foot to its top.
static double bearing_half_height(const Footing *footing, const BearingPatch *patch)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    return fabs(mat3_mul(turn, patch->along_local).z) + fabs(mat3_mul(turn, patch->across_local).z);
}

/// Extent of all walls of a footing that look one way.
typedef struct Extent {
    Vec3 along; ///< level
    double low, high; ///< m along it
    double deep; ///< m
    double passive, wider; ///< how much more it bears, before ground of that Kp; 0: not found yet
} Extent;

static int way_of(const BearingPatch *patch)
{
    const double out[3] = {patch->out_local.x, patch->out_local.y, patch->out_local.z};
    int axis = fabs(out[0]) > fabs(out[1]) ? 0 : 1;
    axis = fabs(out[2]) > fabs(out[axis]) ? 2 : axis;
    return 2 * axis + (out[axis] > 0.0 ? 1 : 0);
}

static void widen(Extent *extent, const Footing *footing, const BearingPatch *patch)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    if (!(extent->deep > 0.0)) {
        Vec3 way = bearing_level_way(patch);
        *extent = (Extent){.along = vec3(-way.y, way.x, 0.0), .low = HUGE_VAL, .high = -HUGE_VAL};
    }
    double at = vec3_dot(patch->at, extent->along);
    double half = fabs(vec3_dot(mat3_mul(turn, patch->along_local), extent->along)) +
                  fabs(vec3_dot(mat3_mul(turn, patch->across_local), extent->along));
    extent->low = fmin(extent->low, at - half);
    extent->high = fmax(extent->high, at + half);
    extent->deep = fmax(extent->deep, patch->ahead);
}

/// Finds the column that an upright patch stands before, looking along its level way; false when none stands higher
/// than the patch's foot.
static bool bearing_look_ahead(const Footing *footing, BearingPatch *patch, Vec3 way)
{
    const Ground *ground = footing->ground;
    Vec3 before = vec3_madd(patch->at, bearing_reach(ground, way), way);
    ground_column_at(ground, before.x, before.y, &patch->row, &patch->column);
    double height = ground_height_of_column(ground, before.x, before.y);
    patch->ahead = height - (patch->at.z - bearing_half_height(footing, patch));
    patch->wall = patch->ahead > 0.0 && bearing_has_ground(footing, before, height);
    return patch->wall;
}

/// Ground before a patch, from the column that it stands before on.
typedef struct Ahead {
    double mean; ///< m: height above the patch's foot, over the length of the wedge
    double breadth; ///< m: how far it stands higher than that; ENDLESS when it does not end
} Ahead;

static Ahead measure_ahead(const Ground *ground, const BearingPatch *patch, double foot, double wedge)
{
    Vec3 way = bearing_level_way(patch);
    double x = ground->origin_x + patch->column * ground->spacing;
    double y = ground->origin_y + patch->row * ground->spacing, sum = 0.0, size = ground->spacing;
    int counted = 0;
    for (int k = 0; k < FAR_AHEAD; k++) {
        double rise = ground_height_of_column(ground, x + k * size * way.x, y + k * size * way.y) - foot;
        if (rise <= 0.0) {
            return (Ahead){sum / counted, k * size};
        }
        if (counted == 0 || k * size < wedge) {
            sum += rise;
            counted++;
        }
    }
    return (Ahead){sum / counted, ENDLESS};
}

/// How much more a wall bears for what it lifts beside it.
static double widening(Extent *extent, double passive)
{
    if (extent->passive != passive) {
        double length = extent->high - extent->low;
        double over = fmax(0.0, passive - 1.0 / passive),
               more = same_cbrt(over * over) * 1.6 / (1.0 + 5.0 * length / extent->deep);
        extent->passive = passive;
        extent->wider = fmin(WIDEST, 1.0 + more);
    }
    return extent->wider;
}

/// What ground before a wall carries, all above a depth together.
typedef struct Passive {
    double cohesive; ///< Pa: of the wedge's pressure, the same at all depths
    double weighty; ///< Pa a metre of depth
    double wider; ///< R
    double foot, foot_weighty; ///< N/m, and a metre of depth: of what stands on a foot that is sheared
} Passive;

/// N a metre of the wall's length.
static double force_above(const Passive *passive, double depth)
{
    double wedge = passive->wider * depth * (passive->cohesive + 0.5 * passive->weighty * depth);
    return depth > 0.0 ? fmin(wedge, passive->foot + passive->foot_weighty * depth) : 0.0;
}

static void find_capacity(const Footing *footing, Extent *extent, BearingFactors *factors, BearingPatch *patch)
{
    const Ground *ground = footing->ground;
    double half = bearing_half_height(footing, patch), foot = patch->at.z - half;
    double above = fmax(0.5 * patch->ahead, patch->ahead - half); // m, of the middle of what is in the ground
    GroundProfile profile = ground_profile_above(ground, patch->row, patch->column, foot + patch->ahead - above);
    const SoilParams *soil = &ground->soils[profile.soil];
    BearingGround before = {soil, profile.density, profile.firmness};
    bearing_find_factors(factors, soil, fmax(0.0, -patch->out.z));
    double steep = factors->passive;
    Ahead ahead = measure_ahead(ground, patch, foot, patch->ahead * steep);
    double weight = profile.weight / above; // N/m3
    Capacity capacity = bearing_capacity_by(factors, &before, 0.0, HUGE_VAL, weight);
    Passive passive = {.cohesive = capacity.cohesive,
                       .weighty = capacity.frictional,
                       .wider = widening(extent, steep * steep),
                       .foot = ahead.breadth * bearing_cohesion(&before),
                       .foot_weighty = ahead.breadth * weight * factors->tangent};
    patch->soil = profile.soil;
    patch->rubbing = factors->rubbing;
    patch->crushing = 2.0 * soil->cohesion * steep;
    patch->yielding = MOBILISED * extent->deep;
    patch->capacity =
        (force_above(&passive, ahead.mean) - force_above(&passive, ahead.mean - 2.0 * half)) / (2.0 * half);
}

/// Finds how much the ground bears that the walls among a footing's patches stand before.
static void bearing_find_walls(Bearing *bearing, const Footing *footing)
{
    Extent extents[WAYS] = {{.deep = 0.0}};
    BearingFactors factors = {.soil = NULL};
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->wall) {
            widen(&extents[way_of(patch)], footing, patch);
        }
    }
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->wall) {
            find_capacity(footing, &extents[way_of(patch)], &factors, patch);
        }
    }
}

/// Pushes a wall on for `h` seconds at a velocity: its pressure.
static void bearing_push_wall(BearingPatch *patch, Vec3 velocity, double h)
{
    double approach = vec3_dot(velocity, patch->out);
    double slip = h * vec3_length(vec3_madd(velocity, -approach, patch->out));
    double pushed = patch->pushed / (1.0 + slip / FRESH) + h * approach * (approach > 0.0 ? 1.0 : UNLOADING);
    patch->fails = pushed > patch->yielding;
    patch->pushed = fmax(0.0, fmin(patch->yielding, pushed));
    patch->pressure = patch->capacity * patch->pushed / patch->yielding;
}

static bool is_pressed(const Bearing *bearing, const BearingPatch *patch)
{
    return patch->wall && patch->pushed > 0.0 && bearing->footings[patch->footing].tray == NULL;
}

void bearing_find_pressed(const Bearing *bearing, PressedWalls *walls)
{
    walls->low[0] = walls->low[1] = HUGE_VAL;
    walls->high[0] = walls->high[1] = -HUGE_VAL;
    walls->count = 0;
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (is_pressed(bearing, patch)) {
            walls->low[0] = fmin(walls->low[0], patch->at.x);
            walls->low[1] = fmin(walls->low[1], patch->at.y);
            walls->high[0] = fmax(walls->high[0], patch->at.x);
            walls->high[1] = fmax(walls->high[1], patch->at.y);
            walls->patches[walls->count++] = (int16_t)k;
        }
    }
    for (int k = walls->count - 1; k >= 0; k--) {
        const BearingPatch *here = &bearing->patches[walls->patches[k]], *after = here;
        if (k + 1 < walls->count) {
            after = &bearing->patches[walls->patches[k + 1]];
        }
        bool same = after != here && after->footing == here->footing && bearing_face_of(after) == bearing_face_of(here);
        walls->next[k] = same ? walls->next[k + 1] : (int16_t)(k + 1);
    }
}

/// True when a place lies beside a patch, in its plane, by no more than `beside` m.
static bool is_beside(const Footing *footing, const BearingPatch *patch, Vec3 to, double beside)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    const Vec3 sides[2] = {mat3_mul(turn, patch->along_local), mat3_mul(turn, patch->across_local)};
    bool inside = true;
    for (int k = 0; k < 2; k++) {
        double half = vec3_length(sides[k]);
        inside = inside && fabs(vec3_dot(to, sides[k])) <= half * (half + beside);
    }
    return inside;
}

bool bearing_catches(const Bearing *bearing, const PressedWalls *walls, Vec3 at, double radius)
{
    double reach = 4.0 * radius;
    if (at.x < walls->low[0] - reach || at.x > walls->high[0] + reach || at.y < walls->low[1] - reach ||
        at.y > walls->high[1] + reach) {
        return false;
    }
    for (int k = 0; k < walls->count;) {
        const BearingPatch *patch = &bearing->patches[walls->patches[k]];
        double off = vec3_dot(vec3_sub(at, patch->at), patch->out);
        int end = off > 0.0 && off <= 2.0 * radius ? walls->next[k] : k;
        for (int one = k; one < end; one++) {
            patch = &bearing->patches[walls->patches[one]];
            if (is_beside(&bearing->footings[patch->footing], patch, vec3_sub(at, patch->at), radius)) {
                return true;
            }
        }
        k = walls->next[k];
    }
    return false;
}

/// ---- patches -------------------------------------------------------------------------------------------------------
/// Finds which patches of a tool's surface lie in the ground.
///
/// Each side of a piece is cut into patches of at most PATCH a side, each face at its ends likewise; a patch counts
/// with its middle. Patches that may come to lie in the ground are found once a tick, for the motion of all of it, in
/// the site and in each tray; a tray is looked at in its own frame, where its load lies still. A tool is the union of
/// its pieces: patches inside another piece are left out, and where two pieces share a face only the first has it.
///
/// A face that looks down lies on the surface. Beside a hole that has upright walls the surface between two columns is
/// a ramp: a face that looks down does not rest on that, but on the column below it. What upright faces stand before is
/// found column by column ("walls"), but for the front of a cutting edge: what is ahead of that is cut.

#define PATCH  0.08 ///< m
#define SKIN   1e-3 ///< m beside a face: there another piece is looked for
#define FACING 0.2 ///< a face counts wholly from this cosine to the ground's normal on
#define NEAR   0.3 ///< m: pieces whose corners are all so far above the ground are left out
#define MARGIN 0.1 ///< m: patches so far above the ground, and farther by what they move, are left out
#define MOVES  0.02 ///< m/s: an edge that goes faster cuts
/// Cosine: ground that is steeper, and leans more from a face, is a wall beside it. Chosen; see test_soil_bearing.
#define LEANS 0.7

/// Height of the highest of the columns around a place.
static double highest_around(const Ground *ground, Vec3 at)
{
    int row, column;
    ground_column_at(ground, at.x, at.y, &row, &column);
    double highest = -HUGE_VAL;
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = column - 1; c <= column + 1; c++) {
            highest = fmax(highest, ground_column_height(ground, r, c));
        }
    }
    return highest;
}

static bool is_near(const Ground *ground, const SoilTool *tool, const ToolPiece *piece)
{
    for (int c = 0; c < 2 * piece->corner_count; c++) {
        const double *corner = piece->corners[c / 2];
        Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], c % 2 ? piece->y_max : piece->y_min, corner[1]));
        if (at.z < highest_around(ground, at) + NEAR) {
            return true;
        }
    }
    return false;
}

/// True when the point is on the outside of the tool and no piece before this one has it.
static bool is_surface(const ToolShape *shape, int piece, Vec3 local, Vec3 out)
{
    Vec3 outside = vec3_madd(local, SKIN, out), inside = vec3_madd(local, -SKIN, out);
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *other = &shape->pieces[k];
        if (k != piece && (tool_piece_holds(other, outside) || (k < piece && tool_piece_holds(other, inside)))) {
            return false;
        }
    }
    return true;
}

static bool is_at_edge(const Ground *ground, const SoilTool *tool, Vec3 local)
{
    double reach = ground->spacing, x = local.x - tool->shape->edge[0], z = local.z - tool->shape->edge[1];
    return tool->cuts && fabs(x) <= reach && fabs(z) <= reach &&
           fabs(local.y) <= 0.5 * tool->shape->edge_width + reach && same_hypot(x, z) < reach;
}

/// The columns around a place, and their weights of the bilinear surface.
typedef struct Shares {
    int row, column; ///< of the first; then the next column, the next row, both
    double weight[4]; ///< sum 1
} Shares;

static Shares shares_at(const Ground *ground, Vec3 at)
{
    double u = (at.x - ground->origin_x) / ground->spacing, v = (at.y - ground->origin_y) / ground->spacing;
    u = fmax(0.0, fmin(u, ground->columns - 1.001));
    v = fmax(0.0, fmin(v, ground->rows - 1.001));
    Shares cell = {.row = (int)v, .column = (int)u};
    for (int k = 0; k < 4; k++) {
        cell.weight[k] =
            (k % 2 ? u - cell.column : 1.0 - u + cell.column) * (k / 2 ? v - cell.row : 1.0 - v + cell.row);
    }
    return cell;
}

/// Where the ground is looked at: right there; for an edge that cuts its way, behind it, where it has been. `way`: from
/// there to the patch, m.
static Vec3 probe_of(const Ground *ground, const SoilTool *tool, const BearingPatch *patch, Vec3 *way)
{
    Vec3 velocity =
        vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(patch->at, tool->motion.center)));
    Vec3 at = patch->under;
    double square = velocity.x * velocity.x + velocity.y * velocity.y;
    *way = vec3(0.0, 0.0, 0.0);
    if (!patch->edge || square < MOVES * MOVES) {
        return at;
    }
    *way = vec3_scale(velocity, ground->spacing / sqrt(square));
    return vec3(at.x - way->x, at.y - way->y, at.z);
}

/// m by which ground with a normal falls along a way, as far as the way itself falls: an edge that cuts its way down a
/// slope is no deeper in the ground than where it has been.
static double fall_along(Vec3 way, Vec3 normal)
{
    double fall = normal.z > 0.0 ? (way.x * normal.x + way.y * normal.y) / normal.z : 0.0;
    return fmax(0.0, fmin(fall, -way.z));
}

/// Height of the column that a face which looks down rests on beside a wall: the nearest, if the tool is over its
/// middle, else the lowest around.
static double column_below(const Footing *footing, Vec3 at)
{
    const Ground *ground = footing->ground;
    int row, column;
    ground_column_at(ground, at.x, at.y, &row, &column);
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double height = ground_height_of_column(ground, at.x, at.y);
    Vec3 inside = pose_apply_inverse(&footing->tool.motion.frame, vec3(x, y, at.z + SKIN));
    if (bearing_is_beyond(footing, at) || tool_is_within(footing->tool.shape, inside, SKIN)) {
        return height;
    }
    int beside = at.x > x ? 1 : -1, beyond = at.y > y ? 1 : -1;
    for (int k = 1; k < 4; k++) {
        int r = row + (k & 2 ? beyond : 0), c = column + (k & 1 ? beside : 0);
        height = fmin(height, ground_column_height(ground, r, c));
    }
    return height;
}

/// Height (m) and normal of the ground that may bear a face at a place: the surface there, or, where that is as steep
/// as a wall beside a face that looks down, the top of the column.
static double bearing_height(const Footing *footing, Vec3 at, Vec3 out, Vec3 *normal)
{
    double height = ground_surface(footing->ground, at.x, at.y, normal);
    if (out.z < -BEARING_WALL && normal->z < LEANS && -vec3_dot(out, *normal) < LEANS) {
        height = column_below(footing, at);
        *normal = vec3(0.0, 0.0, 1.0);
    }
    return height;
}

/// Finds where a patch of a footing is now, and how it lies in the ground.
static void bearing_follow_patch(BearingPatch *patch, const Footing *footing)
{
    const SoilTool *tool = &footing->tool;
    patch->at = pose_apply(&tool->motion.frame, patch->local);
    patch->out = mat3_mul(&tool->motion.frame.rotation, patch->out_local);
    const Mat3 *turn = &tool->motion.frame.rotation;
    patch->under = vec3_madd(patch->at, patch->inward, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]));
    patch->pressure = 0.0;
    patch->fails = false;
    patch->weight = patch->wall ? 1.0 : 0.0;
    if (patch->upright) {
        return;
    }
    Vec3 way, probe = probe_of(footing->ground, tool, patch, &way), normal;
    double height = bearing_height(footing, probe, patch->out, &normal);
    height -= fall_along(way, normal);
    patch->depth = (height - patch->at.z) * normal.z;
    double facing = -vec3_dot(patch->out, normal);
    if (patch->depth > 0.0 && bearing_has_ground(footing, patch->at, height)) {
        patch->weight = fmax(0.0, fmin(1.0, facing / FACING));
    }
}

/// A piece of a tool whose faces are cut into patches.
typedef struct Face {
    Bearing *bearing; ///< takes the patches
    const Ground *ground;
    const SoilTool *tool;
    int footing, piece; ///< their numbers
    double reach; ///< m: patches so far above the ground are left out
    Vec3 way; ///< that it looks along, level, if it may be upright
    uint32_t key; ///< of its first patch
} Face;

/// Of a patch at the sides of a tool with side plates. A wall that the plates have cut is known to a column: it is felt
/// from there on.
static double inward_of(const Ground *ground, const SoilTool *tool, const BearingPatch *patch)
{
    const Mat3 *turn = &tool->motion.frame.rotation;
    double column = ground->spacing * (fabs(turn->m[0][1]) + fabs(turn->m[1][1])); // its width along the edge
    double beyond = fabs(patch->local.y) - fmax(0.0, 0.5 * tool->shape->edge_width - column);
    bool beside = tool->cuts && beyond > 0.0 && tool_has_side_plates(tool->shape);
    return beside ? -copysign(beyond, patch->local.y) : 0.0;
}

/// True when a patch that looks down may come to lie in the ground in this tick. Of a house beside a truck a thousand
/// patches are lower than what its bed holds, and beside the bed.
static bool may_rest(const Face *face, Vec3 at)
{
    const Tray *tray = face->bearing->footings[face->footing].tray;
    if (tray != NULL &&
        (fabs(at.x) > 0.5 * tray->params.length + face->reach || fabs(at.y) > 0.5 * tray->params.width + face->reach ||
         at.z < tray->params.floor - TRAY_WALL - face->reach)) {
        return false;
    }
    return at.z <= ground_height(face->ground, at.x, at.y) + face->reach;
}

/// Adds patch k of a face, with its middle at `local`, when it may come to lie in the ground. `patch` has what all of
/// the face have in common.
static void try_patch(const Face *face, int k, Vec3 local, BearingPatch *patch)
{
    Bearing *bearing = face->bearing;
    const SoilTool *tool = face->tool;
    patch->local = local;
    patch->edge = is_at_edge(face->ground, tool, local);
    patch->at = pose_apply(&tool->motion.frame, local);
    patch->upright = patch->out.z >= -BEARING_WALL && !(patch->edge && fabs(patch->out_local.y) < BEARING_WALL);
    patch->wall = false;
    bool meets = patch->upright ? bearing_look_ahead(&bearing->footings[face->footing], patch, face->way)
                                : may_rest(face, patch->at);
    if (!meets || !is_surface(tool->shape, face->piece, local, patch->out_local)) {
        return;
    }
    assert(bearing->count < BEARING_PATCHES); // what has no room feels no ground
    if (bearing->count == BEARING_PATCHES) {
        return;
    }
    patch->key = face->key + (uint32_t)k;
    patch->footing = face->footing;
    patch->inward = inward_of(face->ground, tool, patch);
    bearing->patches[bearing->count++] = *patch;
}

static int patches_of(double length)
{
    int count = (int)ceil(length / PATCH);
    return count < 1 ? 1 : count > MOST_PATCHES ? MOST_PATCHES : count;
}

/// Begins a face: finds where it looks. False when that is up: such a face bears nothing.
static bool begin_face(Face *face, BearingPatch *patch)
{
    patch->out = mat3_mul(&face->tool->motion.frame.rotation, patch->out_local);
    if (patch->out.z >= -BEARING_WALL) {
        face->way = bearing_level_way(patch);
    }
    return patch->out.z <= FACING;
}

static void try_side(Face *face, int side)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    const double *a = piece->corners[side], *b = piece->corners[(side + 1) % piece->corner_count];
    double ex = b[0] - a[0], ez = b[1] - a[1], length = sqrt(ex * ex + ez * ez), width = piece->y_max - piece->y_min;
    int n = patches_of(length), m = patches_of(width);
    BearingPatch patch = {.out_local = vec3(ez / length, 0.0, -ex / length),
                          .along_local = vec3(0.5 * ex / n, 0.0, 0.5 * ez / n),
                          .across_local = vec3(0.0, 0.5 * width / m, 0.0),
                          .area = length * width / (n * m)};
    if (!begin_face(face, &patch)) {
        return;
    }
    for (int k = 0; k < n * m; k++) {
        double u = (k / m + 0.5) / n, v = (k % m + 0.5) / m;
        try_patch(face, k, vec3(a[0] + u * ex, piece->y_min + v * width, a[1] + u * ez), &patch);
    }
}

/// The polygon at an end of a piece: patches of its bounding rectangle whose middle lies in it.
static void try_end(Face *face, bool left)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    Vec3 out = vec3(0.0, left ? 1.0 : -1.0, 0.0);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int c = 0; c < piece->corner_count; c++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], piece->corners[c][axis]);
            high[axis] = fmax(high[axis], piece->corners[c][axis]);
        }
    }
    int n = patches_of(high[0] - low[0]), m = patches_of(high[1] - low[1]);
    double dx = (high[0] - low[0]) / n, dz = (high[1] - low[1]) / m, y = left ? piece->y_max : piece->y_min;
    BearingPatch patch = {.out_local = out,
                          .along_local = vec3(0.5 * dx, 0.0, 0.0),
                          .across_local = vec3(0.0, 0.0, 0.5 * dz),
                          .area = dx * dz};
    if (!begin_face(face, &patch)) {
        return;
    }
    for (int k = 0; k < n * m; k++) {
        Vec3 local = vec3(low[0] + (k / m + 0.5) * dx, y, low[1] + (k % m + 0.5) * dz);
        if (tool_piece_holds(piece, vec3_madd(local, -SKIN, out))) {
            try_patch(face, k, local, &patch);
        }
    }
}

/// Finds the patches of a footing, whose tool is as it is seen from its ground. `key`: of its first patch.
static void find_of_footing(Bearing *bearing, int index, uint32_t key, double dt)
{
    const Footing *footing = &bearing->footings[index];
    const SoilTool *tool = &footing->tool;
    Vec3 middle;
    double size = 2.0 * tool_bounding_sphere(tool->shape, &middle);
    double reach = MARGIN + dt * (vec3_length(tool->motion.velocity) + size * vec3_length(tool->motion.spin));
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        if (!is_near(footing->ground, tool, piece)) {
            continue;
        }
        Face face = {.bearing = bearing,
                     .ground = footing->ground,
                     .tool = tool,
                     .footing = index,
                     .piece = k,
                     .reach = reach,
                     .key = key + ((uint32_t)k << KEY_PIECE)};
        for (int side = 0; side < piece->corner_count; side++) {
            try_side(&face, side);
            face.key += 1U << KEY_FACE;
        }
        try_end(&face, false);
        face.key += 1U << KEY_FACE;
        try_end(&face, true);
    }
}

/// True when a tool is so near to a tray that it may touch what is settled in it.
static bool is_over(const Tray *tray, const SoilTool *tool)
{
    Vec3 middle;
    double radius = tool_bounding_sphere(tool->shape, &middle);
    Vec3 at = pose_apply_inverse(&tray->frame, pose_apply(&tool->motion.frame, middle));
    return fabs(at.x) < 0.5 * tray->params.length + radius && fabs(at.y) < 0.5 * tray->params.width + radius &&
           at.z > -TRAY_WALL - radius;
}

static void add_footing(Bearing *bearing, const Footing *footing, uint32_t key, double dt)
{
    int index = bearing->footing_count++;
    bearing->footings[index] = *footing;
    bearing->footings[index].first = bearing->count;
    find_of_footing(bearing, index, key, dt);
    bearing->footings[index].count = bearing->count - bearing->footings[index].first;
}

void bearing_find_patches(Bearing *bearing, const Grounds *grounds, const BearingMemory *memory,
                          const SolverBody *bodies, int body_count, double dt)
{
    bearing->tick = dt;
    bearing->count = bearing->footing_count = 0;
    for (int b = 0; b < body_count; b++) {
        const SoilTool *tool = &bodies[b].tool;
        uint32_t key = (uint32_t)b << KEY_BODY;
        if (!tool->cuts && !tool->presses) {
            continue;
        }
        add_footing(bearing, &(Footing){.body = b, .ground = grounds->site, .tool = *tool}, key, dt);
        for (int t = 0; t < grounds->tray_count; t++) {
            const Tray *tray = &grounds->trays[t];
            if (is_over(tray, tool)) {
                Footing footing = {.body = b, .ground = tray->ground, .tray = tray, .tool = tray_see_tool(tray, tool)};
                add_footing(bearing, &footing, key + ((uint32_t)(t + 1) << KEY_GROUND), dt);
            }
        }
    }
    bearing_recall(bearing, memory);
    for (int f = 0; f < bearing->footing_count; f++) {
        bearing_find_walls(bearing, &bearing->footings[f]);
    }
}

/// ---- failure -------------------------------------------------------------------------------------------------------
/// What a tool that presses on the ground does to it, at the end of a tick: loose soil under it compacts, ground that
/// has failed gives way to the side. A tool sinks only so: it never passes through ground.
///
/// Ground at its capacity under a plate flows out beside it and is heaved there (Prandtl's mechanism); what flows is
/// no longer bank soil. The surface under each failing patch is lowered to where the patch is, by the weights of the
/// bilinear surface, and the quanta taken there are spread over the ground beside what the tool rests on, on the side
/// that the patch presses to.
///
/// Before a wall whole columns give way, when it has passed their middle: they sink to its foot, and the wall stands
/// before the next ones. So the ground before it is never eaten ahead of it. What they held is heaved before the wall.

#define SINKING 0.3 ///< m/s: loose soil compacts by no more. Chosen; see test_soil_bearing
#define GIVING  3.0 ///< m/s: failed ground gives way by no more. Chosen; see test_soil_bearing
#define YIELDS  (1.0 / 41.6) ///< s: in which a plate's depth in loose soil falls to 1 / e by its compaction. Chosen
/// Sine of the lean from which on a face pushes soil to the side it leans to. Chosen; see test_soil_bearing.
#define SIDEWAYS 0.3
/// m: what a wall has passed may stand so much above its foot. Chosen: less than a grain's layer
#define THINNEST 1e-3
#define HEAVE    0.5 ///< m: widest strip beside a tool that is heaved. Chosen; see test_soil_bearing

static double depth_of(const Footing *footing, const BearingPatch *patch, Vec3 *normal)
{
    return (bearing_height(footing, patch->under, patch->out, normal) - patch->at.z) * normal->z;
}

/// Notes that a column has been pressed down, which stood at `height` (m) and was pressed down by `pressed` (m) then.
static void note_settlement(Ground *ground, int row, int column, double pressed, double height)
{
    double more = height - (double)ground->height[ground_index(ground, row, column)];
    if (more > 0.0) {
        ground_note_pressed(ground, row, column, pressed, more);
    }
}

/// `dt` s; `share` of a plate's depth by which it sinks in that time.
static void compact_under(const Footing *footing, const BearingPatch *patch, double dt, double share)
{
    Ground *ground = footing->ground;
    Vec3 normal;
    double depth = depth_of(footing, patch, &normal);
    if (patch->out.z > -BEARING_WALL || depth <= 0.0 || bearing_is_beyond(footing, patch->under)) {
        return;
    }
    int row, column;
    ground_column_at(ground, patch->under.x, patch->under.y, &row, &column);
    double pressed = ground_pressed_depth(ground, row, column);
    double height = (double)ground->height[ground_index(ground, row, column)];
    ground_compact(ground, row, column, patch->pressure, footing_width(footing), fmin(SINKING * dt, share * depth));
    note_settlement(ground, row, column, pressed, height);
}

/// Where the soil goes: beyond the footing's rectangle, towards where the face leans, or by the shortest way.
static void find_way(const Footing *footing, const BearingPatch *patch, double size, double *x, double *y)
{
    double at[2] = {patch->at.x * footing->cover.x[0] + patch->at.y * footing->cover.x[1],
                    patch->at.x * footing->cover.y[0] + patch->at.y * footing->cover.y[1]};
    double out[2] = {patch->out.x * footing->cover.x[0] + patch->out.y * footing->cover.x[1],
                     patch->out.x * footing->cover.y[0] + patch->out.y * footing->cover.y[1]};
    int axis = fabs(out[0]) > fabs(out[1]) ? 0 : 1;
    bool up = out[axis] > 0.0;
    if (fabs(out[axis]) < SIDEWAYS) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < 4; k++) {
            double way = k % 2 ? footing->cover.high[k / 2] - at[k / 2] : at[k / 2] - footing->cover.low[k / 2];
            if (way < nearest) {
                nearest = way;
                axis = k / 2;
                up = k % 2 != 0;
            }
        }
    }
    at[axis] = up ? footing->cover.high[axis] + size : footing->cover.low[axis] - size;
    *x = at[0] * footing->cover.x[0] + at[1] * footing->cover.y[0];
    *y = at[0] * footing->cover.x[1] + at[1] * footing->cover.y[1];
}

/// Lowers the surface at a patch to where the ground still bears its pressure.
static void give_way(const Footing *footing, const BearingPatch *patch, double dt)
{
    Ground *ground = footing->ground;
    Vec3 normal;
    double drop = (depth_of(footing, patch, &normal) - patch->pressure / BEARING_MODULUS) / normal.z;
    if (drop <= 0.0) {
        return;
    }
    drop = fmin(drop, GIVING * dt);
    Shares cell = shares_at(ground, patch->under);
    double squares = 0.0;
    for (int k = 0; k < 4; k++) {
        int index = ground_index(ground, cell.row + k / 2, cell.column + k % 2);
        cell.weight[k] = (double)ground->height[index] > patch->at.z ? cell.weight[k] : 0.0;
        squares += cell.weight[k] * cell.weight[k];
    }
    double size = fmax(2.0 * ground->spacing, fmin(footing_width(footing), HEAVE)), x, y;
    find_way(footing, patch, 0.5 * (size + ground->spacing), &x, &y);
    for (int k = 0; k < 4 && squares > 0.0; k++) {
        int row = cell.row + k / 2, column = cell.column + k % 2;
        double height = (double)ground->height[ground_index(ground, row, column)];
        double depth = fmin(drop * cell.weight[k] / squares, height - patch->at.z);
        if (depth > 0.0 && cell.weight[k] > 0.0) {
            double pressed = ground_pressed_depth(ground, row, column);
            ground_move_aside(ground, row, column, depth, x, y, size);
            note_settlement(ground, row, column, pressed, height);
        }
    }
}

/// Lowers the column that a wall has passed to the wall's foot, and heaves what it held before the wall.
static void sweep(const Footing *footing, const BearingPatch *patch, double dt)
{
    Ground *ground = footing->ground;
    const SoilTool *tool = &footing->tool;
    Vec3 way = bearing_level_way(patch), arm = vec3_sub(patch->at, tool->motion.center);
    Vec3 behind = vec3_madd(patch->at, -bearing_reach(ground, way), way);
    int row, column;
    ground_column_at(ground, behind.x, behind.y, &row, &column);
    Vec3 middle =
        vec3(ground->origin_x + column * ground->spacing, ground->origin_y + row * ground->spacing, patch->at.z);
    Vec3 velocity = vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, arm));
    double moved = fmax(0.0, dt * vec3_dot(velocity, patch->out));
    bool passed = vec3_dot(vec3_sub(patch->at, middle), way) >= 0.0;
    double beyond = nextafter(moved, HUGE_VAL);
    if (!passed || bearing_is_beyond(footing, behind) ||
        !tool_is_within(tool->shape, pose_apply_inverse(&tool->motion.frame, middle), beyond)) {
        return;
    }
    double foot = fmax(patch->at.z - bearing_half_height(footing, patch), ground->base);
    double size = fmax(2.0 * ground->spacing, fmin(patch->ahead, HEAVE)), before = 0.5 * (size + ground->spacing);
    double x = patch->at.x + before * way.x, y = patch->at.y + before * way.y;
    for (int layer = 0; layer < GROUND_LAYERS; layer++) {
        double height = (double)ground->height[ground_index(ground, row, column)];
        if (height - foot < THINNEST) {
            return;
        }
        double bottom = fmax(foot, ground_top_bottom(ground, row, column));
        ground_move_aside(ground, row, column, height - bottom, x, y, size);
    }
}

/// Half the length of a patch along a level direction, by half its sides.
static double half_along(Vec3 a, Vec3 b, const double d[2])
{
    return fabs(a.x * d[0] + a.y * d[1]) + fabs(b.x * d[0] + b.y * d[1]);
}

/// Widens a rectangle so that it holds a patch.
static void widen_cover(GroundCover *cover, const Footing *footing, const BearingPatch *patch)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    Vec3 a = mat3_mul(turn, patch->along_local), b = mat3_mul(turn, patch->across_local);
    for (int axis = 0; axis < 2; axis++) {
        const double *d = axis == 0 ? cover->x : cover->y;
        double at = patch->at.x * d[0] + patch->at.y * d[1], half = half_along(a, b, d);
        cover->low[axis] = fmin(cover->low[axis], at - half);
        cover->high[axis] = fmax(cover->high[axis], at + half);
    }
}

/// A level rectangle along a way around a patch, and behind it by a column.
static GroundCover cover_of(const Footing *footing, const BearingPatch *patch, Vec3 way)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    Vec3 a = mat3_mul(turn, patch->along_local), b = mat3_mul(turn, patch->across_local);
    GroundCover cover = {.x = {way.x, way.y}, .y = {-way.y, way.x}};
    double along = patch->at.x * way.x + patch->at.y * way.y, across = patch->at.y * way.x - patch->at.x * way.y;
    double half = fabs(a.y * way.x - a.x * way.y) + fabs(b.y * way.x - b.x * way.y);
    cover.low[0] = along - footing->ground->spacing;
    cover.high[0] = along;
    cover.low[1] = across - half;
    cover.high[1] = across + half;
    return cover;
}

/// Notes the ground behind the walls of a footing that are pressed, one rectangle a face.
static void cover_walls(const Bearing *bearing, const Footing *footing)
{
    Ground *ground = footing->ground;
    GroundCover *cover = NULL;
    uint32_t face = 0;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (!patch->wall || patch->pushed <= 0.0) {
            continue;
        }
        if (cover == NULL || bearing_face_of(patch) != face) {
            if (ground->cover_count == GROUND_COVERS) {
                return;
            }
            cover = &ground->covers[ground->cover_count++];
            face = bearing_face_of(patch);
            *cover = cover_of(footing, patch, bearing_level_way(patch));
        }
        GroundCover more = cover_of(footing, patch, vec3(cover->x[0], cover->x[1], 0.0));
        for (int axis = 0; axis < 2; axis++) {
            cover->low[axis] = fmin(cover->low[axis], more.low[axis]);
            cover->high[axis] = fmax(cover->high[axis], more.high[axis]);
        }
    }
}

enum { COVER_PARTS = 3 };

/// Notes the rectangles that a tool rests on, one for each third of its width: the ends of a blade ride on the ground
/// beside its cut, and what lies between them is cut. Thirds overlap by a patch, so that no column lies between two.
static void cover_rest(const Bearing *bearing, const Footing *footing)
{
    Ground *ground = footing->ground;
    GroundCover parts[COVER_PARTS];
    double half_third = 0.5 * footing->tool.shape->edge_width / COVER_PARTS;
    for (int k = 0; k < COVER_PARTS; k++) {
        parts[k] = footing->cover;
        parts[k].low[0] = parts[k].low[1] = HUGE_VAL;
        parts[k].high[0] = parts[k].high[1] = -HUGE_VAL;
    }
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight > 0.0 && !patch->wall) {
            const bool in[COVER_PARTS] = {
                patch->local.y<PATCH - half_third, fabs(patch->local.y) < PATCH + half_third, patch->local.y>
                    half_third -
                PATCH};
            for (int part = 0; part < COVER_PARTS; part++) {
                if (in[part]) {
                    widen_cover(&parts[part], footing, patch);
                }
            }
        }
    }
    for (int k = 0; k < COVER_PARTS; k++) {
        if (parts[k].high[0] > parts[k].low[0] && ground->cover_count < GROUND_COVERS) {
            ground->covers[ground->cover_count++] = parts[k];
        }
    }
}

/// Notes what tools rest on: no soil slides in below them, nor through the walls that they push.
static void cover_grounds(const Bearing *bearing, Grounds *grounds)
{
    grounds->site->cover_count = 0;
    for (int t = 0; t < grounds->tray_count; t++) {
        grounds->trays[t].ground->cover_count = 0;
    }
    for (int f = 0; f < bearing->footing_count; f++) {
        if (bearing->footings[f].pressed > 0) {
            cover_rest(bearing, &bearing->footings[f]);
        }
    }
    for (int f = 0; f < bearing->footing_count; f++) {
        cover_walls(bearing, &bearing->footings[f]);
    }
}

void bearing_fail(const Bearing *bearing, Grounds *grounds)
{
    double share = 1.0 - same_exp(-bearing->tick / YIELDS);
    cover_grounds(bearing, grounds);
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight > 0.0) {
            compact_under(&bearing->footings[patch->footing], patch, bearing->tick, share);
        }
    }
    for (int k = 0; k < bearing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        const Footing *footing = &bearing->footings[patch->footing];
        if (patch->wall && patch->pushed > 0.0) {
            sweep(footing, patch, bearing->tick);
        } else if (patch->fails && !patch->wall) {
            give_way(footing, patch, bearing->tick);
        }
    }
}

/// ---- pressure ------------------------------------------------------------------------------------------------------

#define SLIP_SPEED 0.05 ///< m/s: friction is full above it. Chosen; see test_soil_bearing
/// m/s: a face that leaves the ground so fast is not pressed: soil does not spring back. Chosen; see test_soil_kick.
#define LEAVING 0.2
#define BEYOND  10.0 ///< ratio: the hard ground beyond the site bears so much more. Chosen; see test_pilot_scripts
/// Of a footing's shorter side: the settlement with which ground bears all that it can by cohesion, and by friction.
#define SETTLEMENT_COHESIVE   0.05
#define SETTLEMENT_FRICTIONAL 0.1
#define DAMPED                2.0 ///< substeps: friction stops a tool in no fewer, so that it cannot turn it back

/// The rectangle around what a tool rests on, with sides along its level axis.
static void measure_cover(const Bearing *bearing, Footing *footing)
{
    const Mat3 *turn = &footing->tool.motion.frame.rotation;
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]); // the tool's y axis
    bool upright = fabs(side.z) > 0.9;
    double c = upright ? 1.0 : side.x, s = upright ? 0.0 : side.y, size = same_hypot(c, s);
    footing->cover = (GroundCover){.y = {c / size, s / size},
                                   .x = {s / size, -c / size},
                                   .low = {HUGE_VAL, HUGE_VAL},
                                   .high = {-HUGE_VAL, -HUGE_VAL}};
    GroundCover *cover = &footing->cover;
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0 || patch->wall) {
            continue;
        }
        widen_cover(cover, footing, patch);
    }
}

/// Mean height of the ground beside the middle of each side of what a tool rests on.
static double height_around(const Ground *ground, const GroundCover *cover)
{
    double beyond = 1.5 * ground->spacing, sum = 0.0;
    for (int k = 0; k < 4; k++) {
        double place[2] = {0.5 * (cover->low[0] + cover->high[0]), 0.5 * (cover->low[1] + cover->high[1])};
        place[k / 2] = k % 2 ? cover->high[k / 2] + beyond : cover->low[k / 2] - beyond;
        double x = place[0] * cover->x[0] + place[1] * cover->y[0];
        double y = place[0] * cover->x[1] + place[1] * cover->y[1];
        sum += ground_height(ground, x, y);
    }
    return 0.25 * sum;
}

/// The ground under a patch, whose soil is noted.
static BearingGround ground_under(const Ground *ground, BearingPatch *patch, double width)
{
    int row, column;
    ground_column_at(ground, patch->at.x, patch->at.y, &row, &column);
    patch->soil = ground_top_soil(ground, row, column);
    double looseness = ground_looseness(ground, row, column, fmax(width, ground->spacing));
    return (BearingGround){&ground->soils[patch->soil], ground_top_density(ground, row, column), 1.0 - looseness};
}

/// Soil sticks to a wall as far as it is pressed flat on it, fully at the strength of its clods (contact_law.h).
static double sticking_share(const BearingPatch *patch)
{
    return patch->pressure < patch->crushing ? patch->pressure / patch->crushing : 1.0;
}

static double most_friction(const Footing *footing, const BearingPatch *patch, double push)
{
    const SoilParams *soil = &footing->ground->soils[patch->soil];
    double stuck = patch->area * patch->weight * (patch->wall ? sticking_share(patch) : 1.0);
    return footing->tool.steel_friction * (patch->rubbing * push + soil->steel_adhesion * stuck);
}

/// m that the ground at a place has been pressed down for good, by the weights of its four columns.
static double settled_depth(const Ground *ground, Vec3 at)
{
    Shares cell = shares_at(ground, at);
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        sum += cell.weight[k] * ground_pressed_depth(ground, cell.row + k / 2, cell.column + k % 2);
    }
    return sum;
}

/// Share of what it can bear that ground bears under a patch when it has settled by `settled` of the `wanted` way.
/// Loose soil is compacted instead.
static double mobilised_share(const BearingGround *under, double settled, double wanted)
{
    return settled < wanted ? 1.0 - under->firmness * (1.0 - settled / wanted) : 1.0;
}

/// Finds the pressure on a patch that rests on the ground, and whether the ground fails there.
static void press(const Footing *footing, BearingFactors *factors, BearingPatch *patch)
{
    double width = footing_width(footing);
    BearingGround under = ground_under(footing->ground, patch, width);
    double surcharge = STANDARD_GRAVITY * under.density * fmax(0.0, footing->around - patch->at.z);
    bearing_find_factors(factors, under.soil, -patch->out.z);
    Capacity most = bearing_capacity_by(factors, &under, width, footing_length(footing), surcharge);
    bool beyond = bearing_is_beyond(footing, patch->under);
    double settled = beyond ? HUGE_VAL : settled_depth(footing->ground, patch->under) + patch->depth;
    double capacity = most.cohesive * mobilised_share(&under, settled, SETTLEMENT_COHESIVE * width) +
                      most.frictional * mobilised_share(&under, settled, SETTLEMENT_FRICTIONAL * width);
    capacity *= beyond ? BEYOND : 1.0;
    patch->rubbing = factors->rubbing;
    double pressure = BEARING_MODULUS * patch->depth;
    patch->fails = pressure > capacity && !beyond;
    patch->pressure = fmin(pressure, capacity);
}

static Vec3 arm_of(const Footing *footing, const BearingPatch *patch)
{
    return vec3_sub(patch->at, footing->tool.motion.center);
}

static Vec3 velocity_of(const Footing *footing, const BearingPatch *patch)
{
    return vec3_add(footing->tool.motion.velocity, vec3_cross(footing->tool.motion.spin, arm_of(footing, patch)));
}

static Vec3 place_in_world(const Footing *footing, Vec3 at)
{
    return footing->tray != NULL ? tray_show_place(footing->tray, at) : at;
}

/// Presses all patches of a footing for `h` seconds; returns the most friction of all together, N.
static double press_all(Bearing *bearing, const Footing *footing, double h, Probe *probe)
{
    double rubbing = 0.0;
    BearingFactors factors = {.soil = NULL};
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0) {
            continue;
        }
        if (patch->wall) {
            bearing_push_wall(patch, velocity_of(footing, patch), h);
        } else {
            press(footing, &factors, patch);
        }
        if (patch->fails) {
            probe_note_yield(probe, place_in_world(footing, patch->at));
        }
        rubbing += most_friction(footing, patch, patch->pressure * patch->area * patch->weight);
    }
    return rubbing;
}

/// Adds a force at a patch to the sums of the body.
static void add_force(const Footing *footing, const BearingPatch *patch, Vec3 force, SolverBody *self, double h,
                      Probe *probe)
{
    Vec3 out = patch->out, moment = vec3_cross(arm_of(footing, patch), force);
    if (footing->tray != NULL) {
        const Mat3 *turn = &footing->tray->frame.rotation;
        out = mat3_mul(turn, out);
        force = mat3_mul(turn, force);
        moment = mat3_mul(turn, moment);
    }
    probe_note_bearing(probe, footing->body, place_in_world(footing, patch->at), vec3_scale(out, -1.0), force);
    self->lambda = vec3_madd(self->lambda, h * h, force);
    self->lambda_moment = vec3_madd(self->lambda_moment, h * h, moment);
}

static void bear(Bearing *bearing, const Footing *footing, SolverBody *self, double h, Probe *probe)
{
    double rubbing = press_all(bearing, footing, h, probe);
    double slow = fmax(SLIP_SPEED, DAMPED * rubbing * h * self->tool.motion.inverse_mass);
    for (int k = footing->first; k < footing->first + footing->count; k++) {
        const BearingPatch *patch = &bearing->patches[k];
        if (patch->weight <= 0.0 || (patch->wall && patch->pressure <= 0.0)) {
            continue;
        }
        Vec3 velocity = velocity_of(footing, patch);
        double leaving = -vec3_dot(velocity, patch->out);
        double push = patch->pressure * patch->area * patch->weight;
        push *= leaving > 0.0 ? fmax(0.0, 1.0 - leaving / LEAVING) : 1.0;
        Vec3 slip = vec3_madd(velocity, leaving, patch->out);
        double rub = most_friction(footing, patch, push) / fmax(vec3_length(slip), slow);
        add_force(footing, patch, vec3_madd(vec3_scale(patch->out, -push), -rub, slip), self, h, probe);
    }
}

void bearing_press(Bearing *bearing, SolverBody *bodies, double h, Probe *probe)
{
    for (int f = 0; f < bearing->footing_count; f++) {
        Footing *footing = &bearing->footings[f];
        const SoilTool *tool = &bodies[footing->body].tool;
        int walls = 0;
        footing->tool = footing->tray != NULL ? tray_see_tool(footing->tray, tool) : *tool;
        footing->pressed = 0;
        for (int k = footing->first; k < footing->first + footing->count; k++) {
            const BearingPatch *patch = &bearing->patches[k];
            bearing_follow_patch(&bearing->patches[k], footing);
            footing->pressed += patch->weight > 0.0 && !patch->wall;
            walls += patch->wall;
        }
        if (footing->pressed > 0) {
            measure_cover(bearing, footing);
            footing->around = height_around(footing->ground, &footing->cover);
        }
        if (footing->pressed + walls > 0) {
            bear(bearing, footing, &bodies[footing->body], h, probe);
        }
    }
}
