/// The kernels of the pairs and of the neighbour search, compiled once for each instruction set (pair_kernel_*.c).
/// KERNEL_NAME names the table that they end in.
///
/// From top to bottom: the search for the neighbours of a particle, the contacts of a vector of lanes (gather the two
/// sides, relax, scatter), and batches with what sleeps in them. Equations: contact_law.h. A lane is one contact; lanes
/// of a batch share no particle, so their number changes no bit.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "soil/grains/neighbours.h"
#include "soil/pairs/pair_list.h"
#include "soil/parallel/lanes.h"

/// ---- search --------------------------------------------------------------------------------------------------------
/// Search for the neighbours of one particle (neighbours.h).

/// Writes the numbers of those lanes that are set, and anything behind them: LANES numbers. Returns how many are set.
LANES_INLINE int32_t lanes_list(LaneBits set, LaneBits numbers, int32_t *list)
{
#if LANES == 16
    __mmask16 mask = _mm512_test_epi32_mask((__m512i)set, (__m512i)set);
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32(mask, (__m512i)numbers));
    return __builtin_popcount(mask);
#elif LANES == 8
    static const int32_t first[16][4] = {{0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
                                         {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    unsigned mask = lanes_mask(set), low = mask & 15, high = mask >> 4; // four lanes: those that are set come first
    __m128 of_low = _mm256_castps256_ps128((__m256)numbers), of_high = _mm256_extractf128_ps((__m256)numbers, 1);
    int32_t found = __builtin_popcount(low);
    _mm_storeu_ps((float *)list, _mm_permutevar_ps(of_low, _mm_loadu_si128((const __m128i *)first[low])));
    _mm_storeu_ps((float *)(list + found), _mm_permutevar_ps(of_high, _mm_loadu_si128((const __m128i *)first[high])));
    return found + __builtin_popcount(high);
#else
    int32_t found = 0;
    for (int lane = 0; lane < LANES; lane++) {
        list[found] = numbers[lane];
        found -= set[lane];
    }
    return found;
#endif
}

/// A particle that looks for its neighbours, in each lane.
typedef struct Seeker {
    Lanes x, y, z, way_x, way_y, way_z, reach;
} Seeker;

/// Appends those of particles [j, end) that are near one and not above `top`. Returns the new length of the list. What
/// lies between two looks at `top` is tested unasked: that takes less time than to guess wrong.
LANES_INLINE int32_t list_near(const SearchPlaces *place, const Seeker *seeker, int32_t j, int32_t end, float top,
                               int32_t *list, int32_t found)
{
    do {
        Lanes dx = seeker->x - lanes_load_any(place->x + j), dy = seeker->y - lanes_load_any(place->y + j);
        Lanes dz = seeker->z - lanes_load_any(place->z + j), sum = seeker->reach + lanes_load_any(place->reach + j);
        Lanes wx = seeker->way_x - lanes_load_any(place->way_x + j);
        Lanes wy = seeker->way_y - lanes_load_any(place->way_y + j);
        Lanes wz = seeker->way_z - lanes_load_any(place->way_z + j);
        sum += lanes_sqrt(wx * wx + wy * wy + wz * wz);
        LaneBits numbers = lanes_count() + j;
        LaneBits near = (dx * dx + dy * dy + dz * dz < sum * sum) & (numbers < end);
        found += lanes_list(near, numbers, list + found);
        j += LANES;
    } while (j < end && place->z[j] <= top);
    return found;
}

/// m: how far something at x lies outside [from, to].
LANES_INLINE Lanes distance_outside(Lanes x, Lanes from, Lanes to)
{
    return lanes_larger(lanes_larger(from - x, x - to), lanes_all(0.0F));
}

/// Which of the cells from `first` on something near a particle may be in, a bit each. `most`: m, centres of particles
/// of each cell that are near it are no farther from it.
LANES_INLINE unsigned cells_in_reach(const SearchAround *around, int first, const Seeker *seeker, float most[LANES])
{
    Lanes wx = seeker->way_x - lanes_load_any(around->way_x + first);
    Lanes wy = seeker->way_y - lanes_load_any(around->way_y + first);
    Lanes wz = seeker->way_z - lanes_load_any(around->way_z + first);
    Lanes longest = seeker->reach + lanes_load_any(around->reach + first) + lanes_sqrt(wx * wx + wy * wy + wz * wz) +
                    lanes_load_any(around->deviation + first);
    Lanes dx =
        distance_outside(seeker->x, lanes_load_any(around->from_x + first), lanes_load_any(around->to_x + first));
    Lanes dy =
        distance_outside(seeker->y, lanes_load_any(around->from_y + first), lanes_load_any(around->to_y + first));
    memcpy(most, &longest, sizeof longest);
    return lanes_mask(~(dx * dx + dy * dy > longest * longest)) | (first == 0); // it is in the first itself
}

/// See SearchFunction.
static int32_t search(const SearchPlaces *place, SearchAround *around, int32_t i, int32_t *list, int32_t room)
{
    const float z = place->z[i];
    const Seeker seeker = {lanes_all(place->x[i]),     lanes_all(place->y[i]),     lanes_all(z),
                           lanes_all(place->way_x[i]), lanes_all(place->way_y[i]), lanes_all(place->way_z[i]),
                           lanes_all(place->reach[i])};
    float most[LANES];
    unsigned in_reach = 0;
    around->low[0] = i + 1; // in its own cell a particle finds those above it
    int32_t found = 0;
    for (int c = 0; c < around->cells; c++, in_reach >>= 1) {
        if (c % LANES == 0) {
            in_reach = cells_in_reach(around, c, &seeker, most);
        }
        float bottom = z - around->below[c];
        int32_t j = around->low[c], end = around->end[c];
        for (int k = 0; k < 2; k++) { // it rises by about one particle: what is left of it is only tested in vain
            j += (j < end) & (place->z[j] < bottom);
        }
        around->low[c] = j;
        if ((in_reach & 1) && j < end && found + end - j + SEARCH_LANES <= room) {
            found = list_near(place, &seeker, j, end, z + most[c % LANES], list, found);
        }
    }
    return found;
}

/// ---- vectors of lanes ----------------------------------------------------------------------------------------------

typedef Lanes Real;
typedef LaneBits RealBits;
#define real_all     lanes_all
#define real_larger  lanes_larger
#define real_smaller lanes_smaller
#define real_select  lanes_select
#define real_sqrt    lanes_sqrt
#include "soil/law/contact_equations.h"

typedef Real3 Lanes3;

LANES_INLINE Lanes3 load3(const float *x, const float *y, const float *z, size_t k)
{
    return (Lanes3){lanes_load(x + k), lanes_load(y + k), lanes_load(z + k)};
}

LANES_INLINE void store3(float *x, float *y, float *z, size_t k, Lanes3 value)
{
    lanes_store(x + k, value.x);
    lanes_store(y + k, value.y);
    lanes_store(z + k, value.z);
}

#define LOAD3(arrays, name, k)         load3((arrays)->name##_x, (arrays)->name##_y, (arrays)->name##_z, k)
#define STORE3(arrays, name, k, value) store3((arrays)->name##_x, (arrays)->name##_y, (arrays)->name##_z, k, value)

LANES_INLINE Lanes3 keep3(LaneBits mask, Lanes3 a)
{
    return (Lanes3){lanes_keep(mask, a.x), lanes_keep(mask, a.y), lanes_keep(mask, a.z)};
}

LANES_INLINE LaneBits differs3(Lanes3 a, float from)
{
    return (a.x != from) | (a.y != from) | (a.z != from);
}

/// ---- the two sides of a contact ------------------------------------------------------------------------------------

/// Quarters of the rows of the two particles of some lanes; of ground contacts the second side is nothing: zeros.
typedef struct LaneSides {
    LaneRows a, b;
} LaneSides;

enum { ROW_QUARTERS = ROW_FLOATS / 4 };

LANES_INLINE LaneSides gather(Row *rows, int place, const PairList *list, size_t k, bool ground)
{
    const float(*table)[4] = (const float(*)[4])rows + place / 4;
    LaneSides sides = {.a = lanes_gather_from(table, ROW_QUARTERS, list->i + k)};
    if (!ground) {
        sides.b = lanes_gather_from(table, ROW_QUARTERS, list->j + k);
    }
    return sides;
}

LANES_INLINE void scatter_side(float (*table)[4], const int32_t *index, LaneRows rows, int count)
{
    if (count >= LANES) {
        lanes_scatter_to(table, ROW_QUARTERS, index, rows);
    } else {
        lanes_scatter_some(table, ROW_QUARTERS, index, rows, count);
    }
}

LANES_INLINE void scatter_moves(Row *rows, const PairList *list, size_t k, const LaneSides *sides, int count,
                                bool ground)
{
    float(*table)[4] = (float(*)[4])rows + ROW_MOVE / 4;
    scatter_side(table, list->i + k, sides->a, count);
    if (!ground) {
        scatter_side(table, list->j + k, sides->b, count);
    }
}

LANES_INLINE Lanes3 of_row(LaneRows rows)
{
    return (Lanes3){rows.x, rows.y, rows.z};
}

LANES_INLINE void add_to_row(LaneRows *rows, Lanes share, Lanes3 value)
{
    rows->x += share * value.x;
    rows->y += share * value.y;
    rows->z += share * value.z;
}

/// Moves the particles as a lambda (N s2, on i; the opposite on j) does.
LANES_INLINE void take(LaneSides *move, Lanes3 lambda, bool ground)
{
    add_to_row(&move->a, move->a.w, lambda);
    if (!ground) {
        add_to_row(&move->b, -move->b.w, lambda);
    }
}

LANES_INLINE Lanes3 whole_of(Lanes3 normal, Lanes lambda, Lanes3 lambda_t)
{
    return add3(scale3(lambda, normal), lambda_t);
}

/// Where two places lie to each other, m.
LANES_INLINE Lanes3 metres3(Lanes3 to, Lanes3 from)
{
    Lanes step = lanes_all((float)ROW_STEP);
    return (Lanes3){step * lanes_difference(to.x, from.x), step * lanes_difference(to.y, from.y),
                    step * lanes_difference(to.z, from.z)};
}

/// ---- what a contact is made of -------------------------------------------------------------------------------------

/// In the units of a substep. alpha: not stiffer than so few visits resolve, else a packing of light particles rings
/// (docs/soil-model.md).
typedef struct LaneMaterial {
    Lanes alpha, gamma, friction, bond_friction;
    Lanes adhesion, remoulded; ///< N
    Lanes wear; ///< 1/m
    Lanes rebonded_strength, strength_per_force; ///< 1, 1/N
} LaneMaterial;

LANES_INLINE LaneMaterial ground_material(const PairList *list, const PairStep *step, size_t k, Lanes inverse_mass)
{
    LaneMaterial m;
    const GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    Lanes alpha = 1.0F / (step->h * step->h) * lanes_load(batch->compliance + lane);
    m.alpha = lanes_larger(alpha, CONTACT_LEAST_COMPLIANCE * inverse_mass);
    m.gamma = 1.0F / step->h * lanes_load(batch->relaxation + lane);
    m.friction = m.bond_friction = lanes_load(batch->friction + lane);
    m.adhesion = lanes_load(batch->adhesion + lane);
    m.remoulded = lanes_load(batch->remoulded + lane);
    m.wear = lanes_all(0.0F); // not read
    m.rebonded_strength = lanes_load(batch->rebonded_strength + lane);
    m.strength_per_force = lanes_load(batch->strength_per_force + lane);
    return m;
}

enum { MATERIAL_QUARTERS = sizeof(PairMaterial) / sizeof(float[4]) };

/// Where the materials of some lanes stand. Not inlined: the compiler would keep the indices of both sides for the
/// gathers that come later, more than there are registers, also for batches that are not mixed.
static __attribute__((noinline)) void find_kinds(const PairList *list, size_t k, int32_t kinds[LANES])
{
    const uint8_t *soils = list->soils;
    int32_t used = list->used[k / BATCH] - (int32_t)(k % BATCH);
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t at = k + ((int32_t)lane < used ? lane : 0); // padding is made of anything
        kinds[lane] = soils[list->i[at]] * SCENE_MAX_SOILS + soils[list->j[at]];
    }
}

/// Materials of pairs as lanes: `compliance` in alpha, `damping` in gamma, the share in remoulded. `kinds`: of a mixed
/// batch.
LANES_INLINE LaneMaterial look_up(const PairList *list, size_t k, const int32_t kinds[LANES])
{
    int kind = list->kind[k / BATCH];
    if (kind != PAIR_MIXED) {
        const PairMaterial *p = &list->materials[kind];
        return (LaneMaterial){
            lanes_all(p->compliance),    lanes_all(p->damping),           lanes_all(p->friction),
            lanes_all(p->bond_friction), lanes_all(p->adhesion),          lanes_all(p->remoulded),
            lanes_all(p->wear),          lanes_all(p->rebonded_strength), lanes_all(p->strength_per_force)};
    }
    const float(*table)[4] = (const float(*)[4])list->materials;
    LaneRows first = lanes_gather_from(table, MATERIAL_QUARTERS, kinds);
    LaneRows second = lanes_gather_from(table + 1, MATERIAL_QUARTERS, kinds);
    LaneRows third = lanes_gather_from(table + 2, MATERIAL_QUARTERS, kinds);
    return (LaneMaterial){first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w, third.x};
}

LANES_INLINE LaneMaterial pair_material(const PairList *list, const PairStep *step, size_t k,
                                        const int32_t kinds[LANES], const LaneSides *place, const LaneSides *speed,
                                        Lanes inverse_mass)
{
    LaneMaterial m = look_up(list, k, kinds);
    Lanes alpha = 1.0F / (step->h * step->h) * (m.alpha * (speed->a.w + speed->b.w));
    Lanes radius = lanes_smaller(place->a.w, place->b.w);
    m.gamma = m.gamma * lanes_sqrt(alpha / inverse_mass); // c / (k h), c = 2 zeta sqrt(k / W)
    m.alpha = lanes_larger(alpha, CONTACT_LEAST_COMPLIANCE * inverse_mass);
    m.adhesion = m.adhesion * (radius * radius);
    m.strength_per_force = m.strength_per_force / (radius * radius);
    m.remoulded = m.remoulded * m.adhesion;
    return m;
}

/// ---- a substep -----------------------------------------------------------------------------------------------------

/// What is known of the contacts of some lanes where a substep ends and the next begins.
typedef struct LaneContacts {
    Lanes3 relative; ///< m: displacement of i against j in a substep
    Lanes3 normal;
    Lanes gap; ///< geometry now
    Lanes turning; ///< 1/m: turn of the normal, rad, by what slides
    Lanes inverse_mass;
    Lanes rest;
    Lanes3 whole; ///< N s2 on i: lambda n + lambda_t
    Lanes lambda; ///< N s2: along the normal
    Lanes3 lambda_t; ///< N s2: across it
    LaneBits flags, strength;
    LaneMaterial material;
} LaneContacts;

/// Normal and gap where the particles are now, and the displacements of a substep at the speeds they have.
LANES_INLINE void look(const PairList *list, const PairStep *step, size_t k, bool ground, const LaneSides *place,
                       const LaneSides *speed, LaneContacts *c)
{
    const GroundBatch *batch = ground ? &list->ground[k / BATCH] : NULL;
    const size_t lane = k % BATCH;
    Lanes3 other = ground ? LOAD3(batch, drift, lane) : of_row(speed->b);
    c->relative = scale3(lanes_all(step->h), sub3(of_row(speed->a), other));
    if (ground) {
        Lanes3 base =
            load3((const float *)batch->base_x, (const float *)batch->base_y, (const float *)batch->base_z, lane);
        c->normal = LOAD3(batch, normal, lane);
        c->gap = lanes_load(batch->plane + lane) + dot(metres3(of_row(place->a), base), c->normal);
        c->turning = lanes_all(0.0F);
        return;
    }
    Lanes3 now = metres3(of_row(place->a), of_row(place->b));
    Lanes distance = lanes_sqrt(dot(now, now));
    LaneBits apart = distance > 1e-9F;
    c->turning = lanes_keep(apart, 1.0F / distance);
    c->normal = scale3(c->turning, now);
    c->normal.z = lanes_select(apart, c->normal.z, lanes_all(1.0F)); // same place: one goes up
    c->gap = distance - (place->a.w + place->b.w);
}

/// What friction holds at most. The ground's friction is that of the soil in bulk, and hardens no further.
LANES_INLINE Lanes friction_limit(const PairStep *step, bool ground, Lanes friction, Lanes lambda, Lanes alpha,
                                  Lanes tension)
{
    Lanes pressed = lanes_larger(lambda, lanes_all(0.0F));
    if (!ground) {
        pressed += pressed * lanes_smaller(lanes_sqrt(step->hardening * (alpha * pressed)), lanes_all(2.0F));
    }
    return friction * pressed + (ground ? 1.0F : step->adhesive_friction_share) * tension;
}

/// What adhesion holds of each contact, as a lambda.
LANES_INLINE Lanes tension_of(const PairStep *step, const LaneContacts *c)
{
    Lanes remoulded = c->material.remoulded, share = lanes_number(c->strength) * (1.0F / PAIR_WHOLE);
    Lanes held = lanes_keep(c->flags != 0, remoulded + share * (c->material.adhesion - remoulded));
    return held * (step->h * step->h);
}

/// Share of the slip L that a contact has slid in this substep, in PAIR_WHOLE. Friction was held to its limit along the
/// normal of then; along the normal of now, a part of the tension of a bond that turned would count as friction.
LANES_INLINE LaneBits slip_of(const PairStep *step, const LaneContacts *c)
{
    const LaneMaterial *m = &c->material;
    Lanes3 turn = scale3(c->turning, flatten(c->relative, dot(c->relative, c->normal), c->normal));
    Lanes3 before = sub3(c->normal, turn); // not of unit length
    Lanes size = dot(before, before), share = dot(c->whole, before) / size;
    Lanes lambda = share * lanes_sqrt(size);
    Lanes3 lambda_t = sub3(c->whole, scale3(share, before));
    Lanes friction = lanes_select((c->flags & CONTACT_BONDED) != 0, m->bond_friction, m->friction);
    Lanes limit = friction_limit(step, false, friction, lambda, m->alpha, tension_of(step, c));
    Lanes square = dot(lambda_t, lambda_t), zero = lanes_all(0.0F), whole = lanes_all(PAIR_WHOLE);
    LaneBits slides = (square >= 0.998F * (limit * limit)) & (square > 0.0F);
    Lanes slid = lanes_keep(slides, lanes_larger(0.0F - dot(c->relative, lambda_t), zero) / lanes_sqrt(square));
    return lanes_whole(lanes_smaller(whole * (slid * m->wear), whole) + 0.5F);
}

/// Strength Sp that a broken contact may have under the pressure of the substep that ends (contact_law.h).
LANES_INLINE LaneBits pressed_strength(const PairStep *step, const LaneContacts *c)
{
    Lanes force = 1.0F / (step->h * step->h) * lanes_larger(c->lambda, lanes_all(0.0F));
    Lanes share = lanes_smaller(c->material.strength_per_force * force, c->material.rebonded_strength);
    LaneBits pressed = (c->lambda > 0.0F) & (c->material.adhesion > 0.0F);
    return lanes_whole(lanes_keep(pressed, share) * (float)PAIR_WHOLE + 0.5F);
}

/// Changes the strength by slip and pressure: bonds lose it, broken contacts that are pressed gain it.
LANES_INLINE void wear_and_rebond(const PairStep *step, bool ground, LaneBits bonded, LaneContacts *c)
{
    LaneBits most = pressed_strength(step, c), gains = ~bonded & (c->flags != 0) & (c->strength < most);
    if (!lanes_any(bonded | gains)) {
        return;
    }
    LaneBits left = c->strength;
    if (!ground) {
        left -= slip_of(step, c);
    }
    LaneBits more = c->strength + lanes_whole(lanes_number(most - c->strength) * step->rebonding_rate + 0.5F);
    LaneBits sticks = c->material.adhesion > 0.0F;
    Lanes opening = lanes_select(sticks, lanes_all(step->breaking_opening), lanes_all(step->adhesive_separation));
    LaneBits opens = c->gap - c->rest > opening, breaks = bonded & (opens | (left <= most));
    left &= (left > 0) & ~(opens & bonded);
    c->strength = (left & bonded) | (more & gains) | (c->strength & ~bonded & ~gains);
    c->flags = (c->flags & ~(breaks & CONTACT_BONDED)) | (breaks & CONTACT_CUT);
    c->rest = lanes_select(breaks, lanes_smaller(c->rest, lanes_all(0.0F)), c->rest);
}

/// After the last iteration of a substep: bonds that broke, contacts that opened, swelling.
LANES_INLINE void settle(const PairStep *step, bool ground, LaneContacts *c)
{
    LaneBits sticks = c->material.adhesion > 0.0F;
    Lanes lasting = lanes_select(sticks, lanes_all(step->adhesive_separation), lanes_all(step->dry_separation));
    c->flags |= (c->gap <= 0.0F) & CONTACT_TOUCHED;
    wear_and_rebond(step, ground, (c->flags & CONTACT_BONDED) != 0, c);
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0;
    LaneBits swells = ~bonded & (c->gap - c->rest > -step->swelling_limit);
    LaneBits cut = ((c->flags & CONTACT_CUT) != 0) & ~sticks;
    Lanes swelling = lanes_select(cut, lanes_all(step->creep), lanes_all(step->swelling));
    LaneBits dilates = swells & (c->rest < 0.0F) & (ground ? swells : cut);
    if (lanes_any(dilates)) {
        Lanes3 slid = flatten(c->relative, dot(c->relative, c->normal), c->normal);
        Lanes climbs = (ground ? GROUND_DILATION : PAIR_DILATION) * lanes_sqrt(dot(slid, slid));
        swelling = lanes_larger(swelling, lanes_keep(dilates, climbs));
    }
    c->rest = lanes_select(swells, lanes_smaller(c->rest + swelling, lanes_all(0.0F)), c->rest);
    LaneBits keeps = bonded | (c->gap <= lasting);
    c->strength &= keeps;
    c->flags &= keeps;
    c->rest = lanes_keep(keeps, c->rest);
    c->whole = keep3(keeps, c->whole);
    c->lambda = lanes_keep(keeps, c->lambda);
    c->lambda_t = keep3(keeps, c->lambda_t);
}

/// Displacement that two sides are bound for.
LANES_INLINE Lanes3 drift_of(const PairStep *step, bool ground, const LaneContacts *c)
{
    Lanes3 drift = c->relative;
    drift.z = drift.z - (ground ? step->fall : 0.0F);
    return drift;
}

/// Whether any of the lanes may touch in this substep.
LANES_INLINE int may_touch(const PairStep *step, bool ground, const LaneContacts *c)
{
    Lanes approach = lanes_smaller(dot(drift_of(step, ground, c), c->normal), lanes_all(0.0F));
    return lanes_any((c->flags != 0) | (c->gap - c->rest + 2.0F * approach < step->contact_margin));
}

/// What the visits of a substep start with (see PairVisit).
typedef struct LaneStart {
    Lanes3 normal;
    Lanes offset, tension;
    Lanes3 slide;
} LaneStart;

/// A contact that is open holds nothing any more.
LANES_INLINE LaneStart start(const PairStep *step, bool ground, LaneContacts *c)
{
    LaneStart s = {.normal = c->normal, .tension = tension_of(step, c)};
    Lanes zero = lanes_all(0.0F), gap = c->gap - c->rest;
    LaneBits closed = (gap <= 0.0F) | (s.tension > 0.0F);
    c->whole = keep3(closed, c->whole);
    c->lambda = lanes_keep(closed, c->lambda);
    c->lambda_t = keep3(closed, c->lambda_t);
    Lanes3 drift = drift_of(step, ground, c);
    Lanes approach = dot(drift, c->normal);
    s.offset = gap + approach + c->material.gamma * (approach + lanes_larger(gap, zero));
    s.slide = sub3(flatten(drift, approach, c->normal), scale3(1.25F * c->material.alpha, c->lambda_t));
    return s;
}

/// Normal and friction of a contact (contact_law.h): from the multipliers before to those after.
LANES_INLINE void relax(const PairStep *step, bool ground, const LaneMaterial *m, const LaneSides *move,
                        const LaneStart *s, Lanes *lambda, Lanes3 *lambda_t)
{
    Lanes gamma = 1.0F + m->gamma, w = move->a.w + move->b.w, alpha = m->alpha, alpha_t = 1.25F * alpha;
    Lanes3 moved = sub3(of_row(move->a), of_row(move->b));
    Lanes approach = dot(moved, s->normal);
    Lanes error = s->offset + gamma * approach + alpha * *lambda;
    *lambda = relax_normal(*lambda, error, gamma, w, alpha, s->tension);
    *lambda_t = relax_friction(*lambda_t, add3(s->slide, flatten(moved, approach, s->normal)), w, alpha_t);
    Lanes tension = lanes_keep(*lambda != 0.0F, s->tension);
    Lanes soft = friction_hold(m->friction, *lambda, (ground ? 1.0F : step->adhesive_friction_share) * tension);
    if (lanes_any(dot(*lambda_t, *lambda_t) > soft * soft)) { // friction that hardens holds no less
        *lambda_t = cap3(*lambda_t, friction_limit(step, ground, m->friction, *lambda, alpha, tension));
    }
}

/// `at`: the contact's number in its block.
LANES_INLINE void store_visit(const PairVisits *visits, size_t at, const LaneStart *s, const LaneMaterial *m)
{
    PairVisit *batch = &visits->batches[at / BATCH];
    size_t lane = at % BATCH;
    STORE3(batch, normal, lane, s->normal);
    STORE3(batch, slide, lane, s->slide);
    lanes_store(batch->offset + lane, s->offset);
    lanes_store(batch->tension + lane, s->tension);
    lanes_store(batch->alpha + lane, m->alpha);
    lanes_store(batch->gamma + lane, m->gamma);
    lanes_store(batch->friction + lane, m->friction);
}

/// What holds particles that sleep, which have no inverse mass, moves them as far as they fall. Returns the lanes in
/// which both sleep.
LANES_INLINE LaneBits hold_sleepers(const PairStep *step, LaneSides *move)
{
    LaneBits a = move->a.w == 0.0F, b = move->b.w == 0.0F;
    Lanes fall = lanes_all(step->fall);
    move->a.z = lanes_select(a, fall, move->a.z);
    move->b.z = lanes_select(b, fall, move->b.z);
    return a & b;
}

/// What contacts would move if none slept, as the material has it: the stiffness of a contact does not change with the
/// sleep of one side. Both sides are taken to be alike.
LANES_INLINE Lanes waking_mass(const LaneSides *move, bool held)
{
    Lanes a = move->a.w, b = move->b.w;
    if (held) {
        Lanes alike = lanes_select(a == 0.0F, b, a) + lanes_select(b == 0.0F, a, b);
        return lanes_select(alike == 0.0F, lanes_all(1.0F), alike);
    }
    return a + b;
}

LANES_INLINE Lanes3 select3(LaneBits mask, Lanes3 yes, Lanes3 no)
{
    return (Lanes3){lanes_select(mask, yes.x, no.x), lanes_select(mask, yes.y, no.y), lanes_select(mask, yes.z, no.z)};
}

/// One visit more.
LANES_INLINE void visit(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, size_t at,
                        size_t k, int count, bool held)
{
    LaneSides move = gather(rows, ROW_MOVE, list, k, false);
    const PairVisit *batch = &visits->batches[at / BATCH];
    size_t lane = at % BATCH;
    LaneStart s = {LOAD3(batch, normal, lane), lanes_load(batch->offset + lane), lanes_load(batch->tension + lane),
                   LOAD3(batch, slide, lane)};
    LaneMaterial m = {.alpha = lanes_load(batch->alpha + lane),
                      .gamma = lanes_load(batch->gamma + lane),
                      .friction = lanes_load(batch->friction + lane)};
    Lanes3 before = LOAD3(list, lambda, k);
    Lanes lambda = dot(before, s.normal);
    Lanes3 lambda_t = flatten(before, lambda, s.normal);
    relax(step, false, &m, &move, &s, &lambda, &lambda_t);
    Lanes3 after = whole_of(s.normal, lambda, lambda_t);
    after = held ? select3((move.a.w == 0.0F) & (move.b.w == 0.0F), before, after) : after;
    STORE3(list, lambda, k, after);
    take(&move, sub3(after, before), false);
    scatter_moves(rows, list, k, &move, count, false);
}

LANES_INLINE LaneContacts meet(const PairList *list, const PairStep *step, size_t k, bool ground,
                               const LaneSides *place, const LaneSides *speed)
{
    LaneContacts c;
    look(list, step, k, ground, place, speed, &c);
    c.rest = lanes_load(list->rest + k);
    c.flags = lanes_load_bytes(list->flags + k);
    c.strength = lanes_load_halves(list->strength + k);
    return c;
}

/// From one substep to the next, in one visit: ends the last, looks, and relaxes from the lambda that the rows still
/// hold from the last substep. Contacts that slept hold nothing. `held`: particles may sleep. Returns whether a lambda
/// changed much.
LANES_INLINE int renew(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, size_t at,
                       size_t k, int count, bool ground, bool slept, bool held)
{
    int32_t kinds[LANES];
    if (!ground && list->kind[k / BATCH] == PAIR_MIXED) {
        find_kinds(list, k, kinds);
    }
    LaneSides place = gather(rows, ROW_PLACE, list, k, ground), speed = gather(rows, ROW_SPEED, list, k, ground);
    LaneSides move = gather(rows, ROW_MOVE, list, k, ground);
    LaneBits asleep = held ? hold_sleepers(step, &move) : (LaneBits){0};
    LaneContacts c = meet(list, step, k, ground, &place, &speed);
    c.inverse_mass = waking_mass(&move, held);
    c.material = ground ? ground_material(list, step, k, c.inverse_mass)
                        : pair_material(list, step, k, kinds, &place, &speed, c.inverse_mass);
    Lanes3 had = LOAD3(list, lambda, k);
    c.whole = had;
    c.lambda = dot(had, c.normal);
    c.lambda_t = flatten(had, c.lambda, c.normal);
    if (!slept) {
        settle(step, ground, &c);
    }
    LaneBits bonded = (c.flags & CONTACT_BONDED) != 0;
    c.material.friction = lanes_select(bonded, c.material.bond_friction, c.material.friction);
    LaneStart s = start(step, ground, &c);
    take(&move, sub3(c.whole, had), ground);
    relax(step, ground, &c.material, &move, &s, &c.lambda, &c.lambda_t);
    Lanes3 after = whole_of(c.normal, c.lambda, c.lambda_t), change = sub3(after, c.whole);
    if (held) {
        after = select3(asleep, had, after);
        change = keep3(~asleep, change);
        c.rest = lanes_select(asleep, lanes_load(list->rest + k), c.rest);
        c.flags = (lanes_load_bytes(list->flags + k) & asleep) | (c.flags & ~asleep);
        c.strength = (lanes_load_halves(list->strength + k) & asleep) | (c.strength & ~asleep);
    }
    STORE3(list, lambda, k, after);
    lanes_store(list->rest + k, c.rest);
    lanes_store_bytes(list->flags + k, c.flags);
    lanes_store_halves(list->strength + k, c.strength);
    if (!ground) {
        store_visit(visits, at, &s, &c.material);
    }
    take(&move, change, ground);
    scatter_moves(rows, list, k, &move, count, ground);
    change = scale3(c.inverse_mass, change);
    return lanes_any(dot(change, change) > lanes_all(step->revisit_threshold * step->revisit_threshold));
}

/// ---- batches -------------------------------------------------------------------------------------------------------

LANES_INLINE void begin_batches(const PairList *list, Row *rows, int32_t first, int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        int awake = 0;
        if (list->holds && list->held[batch] == PAIR_ASLEEP) {
            list->awake[batch] = 0;
            continue;
        }
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            Lanes3 lambda = LOAD3(list, lambda, k);
            int held = lanes_any(differs3(lambda, 0.0F));
            awake |= held | lanes_any(lanes_load_bytes(list->flags + k) != 0);
            if (held) {
                LaneSides move = gather(rows, ROW_MOVE, list, k, ground);
                take(&move, lambda, ground);
                scatter_moves(rows, list, k, &move, list->used[batch] - lane, ground);
            }
        }
        list->awake[batch] = (uint8_t)awake;
    }
}

/// True when all contacts of a batch that slept may sleep on: it is decided for the batch, so that the number of lanes
/// changes nothing.
LANES_INLINE bool sleeps_on(const PairList *list, Row *rows, const PairStep *step, int32_t batch, bool ground)
{
    int awake = 0;
    for (int lane = 0; lane < list->used[batch]; lane += LANES) {
        size_t k = (size_t)batch * BATCH + (size_t)lane;
        LaneSides place = gather(rows, ROW_PLACE, list, k, ground), speed = gather(rows, ROW_SPEED, list, k, ground);
        LaneContacts c = meet(list, step, k, ground, &place, &speed);
        awake |= may_touch(step, ground, &c);
    }
    return !awake;
}

LANES_INLINE bool renew_batches(const PairList *list, Row *rows, const PairStep *shared, const PairVisits *visits,
                                int32_t first, int32_t end, bool ground, bool held)
{
    const PairStep own = *shared, *step = &own; // no store of a lane changes it: what follows from it is computed once
    int restless = 0;
    for (int32_t batch = first; batch < end; batch++) {
        bool slept = !list->awake[batch];
        if ((held && list->held[batch] == PAIR_ASLEEP) || (slept && sleeps_on(list, rows, step, batch, ground))) {
            continue;
        }
        list->awake[batch] = 1;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane, at = k - (size_t)first * BATCH;
            restless |= renew(list, rows, step, visits, at, k, list->used[batch] - lane, ground, slept, held);
        }
    }
    return restless != 0;
}

LANES_INLINE void visit_batches(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits,
                                int32_t first, int32_t end, bool held)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; list->awake[batch] && lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane, at = k - (size_t)first * BATCH;
            visit(list, rows, step, visits, at, k, list->used[batch] - lane, held);
        }
    }
}

static void begin_pairs(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    begin_batches(list, rows, first, end, false);
}

static void begin_ground(const PairList *list, Row *rows, int32_t first, int32_t end)
{
    begin_batches(list, rows, first, end, true);
}

/// Where particles sleep; apart, so that it costs nothing where none does.
static __attribute__((noinline)) bool renew_held(const PairList *list, Row *rows, const PairStep *step,
                                                 const PairVisits *visits, int32_t first, int32_t end)
{
    return renew_batches(list, rows, step, visits, first, end, false, true);
}

static __attribute__((noinline)) void visit_held(const PairList *list, Row *rows, const PairStep *step,
                                                 const PairVisits *visits, int32_t first, int32_t end)
{
    visit_batches(list, rows, step, visits, first, end, true);
}

static bool renew_pairs(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                        int32_t end)
{
    return list->holds ? renew_held(list, rows, step, visits, first, end)
                       : renew_batches(list, rows, step, visits, first, end, false, false);
}

static void renew_ground(const PairList *list, Row *rows, const PairStep *step, int32_t first, int32_t end)
{
    (void)renew_batches(list, rows, step, NULL, first, end, true, false);
}

static void solve_pairs(const PairList *list, Row *rows, const PairStep *step, const PairVisits *visits, int32_t first,
                        int32_t end)
{
    if (list->holds) {
        visit_held(list, rows, step, visits, first, end);
    } else {
        visit_batches(list, rows, step, visits, first, end, false);
    }
}

typedef float Quarter __attribute__((vector_size(16), may_alias));
typedef uint32_t QuarterWords __attribute__((vector_size(16), may_alias));
typedef int32_t QuarterSteps __attribute__((vector_size(16), may_alias));

/// Quarters of a row whose last number stays are one operation; that of the carry is its deviation.
static void advance(Row *rows, double h, double gravity, int32_t first, int32_t end)
{
    const float per_h = (float)(1.0 / h), steps = (float)(h * ROW_STEPS);
    const Quarter gain = {per_h, per_h, per_h, 0.0F}, fall = {0.0F, 0.0F, (float)(gravity * h), 0.0F};
    const Quarter way = {steps, steps, steps, 0.0F}, up = {0.5F, 0.5F, 0.5F, 0.5F};
    const QuarterSteps sign = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN}, last = {0, 0, 0, -1};
    for (int32_t i = first; i < end; i++) {
        Quarter *row = (Quarter *)&rows[i], speed = row[ROW_SPEED / 4];
        QuarterSteps carried = (QuarterSteps)row[ROW_CARRY / 4];
        Quarter added = row[ROW_MOVE / 4] * gain - fall - (Quarter)(carried & ~last), sum = speed + added;
        Quarter moved = sum * way;
        row[ROW_CARRY / 4] = (Quarter)((QuarterSteps)((sum - speed) - added) | (carried & last));
        row[ROW_SPEED / 4] = sum;
        moved += (Quarter)((QuarterSteps)up | ((QuarterSteps)moved & sign)); // to the nearest step
        QuarterWords *place = (QuarterWords *)&row[ROW_PLACE / 4];
        *place += (QuarterWords) __builtin_convertvector(moved, QuarterSteps);
    }
}

/// Whether the velocities of some particles have changed by more than they may have fallen. `vx`, `vy` and `vz` are
/// theirs alone.
LANES_INLINE LaneBits has_changed(const MotionCheck *check, LaneBits particles, const double *vx, const double *vy,
                                  const double *vz)
{
    int32_t index[LANES];
    memcpy(index, &particles, sizeof index);
    const float(*table)[4] = (const float(*)[4])check->rows;
    Lanes3 v = of_row(lanes_gather_from(table + ROW_SPEED / 4, ROW_QUARTERS, index));
    Lanes before = lanes_gather_from(table + ROW_CARRY / 4, ROW_QUARTERS, index).w; // Row.deviation
    Lanes x = v.x - lanes_load_doubles(vx), y = v.y - lanes_load_doubles(vy), z = v.z - lanes_load_doubles(vz);
    Lanes fallen = z + check->falling;
    Lanes change = x * x + y * y + lanes_smaller(z * z, fallen * fallen);
    LaneBits stays_slow = (before < 0.0F) & (dot(v, v) < check->slow);
    return ~(stays_slow | ((before <= 0.0F) & (change < check->least_change)));
}

/// The same of the last `count` of them, which fill no vector.
static LaneBits has_changed_some(const MotionCheck *check, int32_t first, int32_t count)
{
    double vx[LANES] = {0.0}, vy[LANES] = {0.0}, vz[LANES] = {0.0};
    LaneBits behind = lanes_count() >= count;
    for (int32_t k = 0; k < count; k++) {
        vx[k] = check->vx[first + k];
        vy[k] = check->vy[first + k];
        vz[k] = check->vz[first + k];
    }
    return ~behind & has_changed(check, (lanes_count() & ~behind) + first, vx, vy, vz);
}

static int32_t find_changed(const MotionCheck *check, int32_t first, int32_t end, int32_t *changed)
{
    int32_t found = 0, i = first;
    for (; i + LANES <= end; i += LANES) {
        LaneBits numbers = lanes_count() + i;
        LaneBits set = has_changed(check, numbers, check->vx + i, check->vy + i, check->vz + i);
        found += lanes_list(set, numbers, changed + found);
    }
    if (i < end) {
        found += lanes_list(has_changed_some(check, i, end - i), lanes_count() + i, changed + found);
    }
    return found;
}

const PairKernel KERNEL_NAME = {.lanes = LANES,
                                .begin = begin_pairs,
                                .begin_ground = begin_ground,
                                .renew = renew_pairs,
                                .renew_ground = renew_ground,
                                .solve = solve_pairs,
                                .advance = advance,
                                .search = search,
                                .find_changed = find_changed};
