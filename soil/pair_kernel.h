/// The pair kernels, compiled once for each instruction set (pair_kernel_*.c). KERNEL_NAME names the table they end in.
///
/// Equations: pair_list.h. A lane is one contact; lanes of a batch share no particle, so their number changes no bit.
#include <stddef.h>

#include "soil/lanes.h"
#include "soil/pair_list.h"

/// ---- vectors of lanes ----------------------------------------------------------------------------------------------

typedef struct Lanes3 {
    Lanes x, y, z;
} Lanes3;

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

#define LOAD3(list, name, k)         load3((list)->name##_x, (list)->name##_y, (list)->name##_z, k)
#define STORE3(list, name, k, value) store3((list)->name##_x, (list)->name##_y, (list)->name##_z, k, value)

LANES_INLINE Lanes dot(Lanes3 a, Lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

LANES_INLINE Lanes3 add3(Lanes3 a, Lanes3 b)
{
    return (Lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

LANES_INLINE Lanes3 sub3(Lanes3 a, Lanes3 b)
{
    return (Lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANES_INLINE Lanes3 scale3(Lanes s, Lanes3 a)
{
    return (Lanes3){s * a.x, s * a.y, s * a.z};
}

LANES_INLINE Lanes3 keep3(LaneBits mask, Lanes3 a)
{
    return (Lanes3){lanes_keep(mask, a.x), lanes_keep(mask, a.y), lanes_keep(mask, a.z)};
}

/// Shortened to a length, where it is longer.
LANES_INLINE Lanes3 cap3(Lanes3 a, Lanes limit)
{
    Lanes square = dot(a, a);
    return scale3(lanes_select(square > limit * limit, limit / lanes_sqrt(square), lanes_all(1.0F)), a);
}

/// What is left of a vector in the plane that a unit normal stands on.
LANES_INLINE Lanes3 flatten(Lanes3 a, Lanes3 normal)
{
    return sub3(a, scale3(dot(a, normal), normal));
}

/// ---- the two sides of a contact --------------------------------------------------------------------------------------

/// Rows of the two particles of some lanes; of ground contacts the second side is nothing: zeros.
typedef struct LaneSides {
    LaneRows a, b;
} LaneSides;

LANES_INLINE LaneSides gather(float (*table)[4], const PairList *list, size_t k, bool ground)
{
    LaneSides sides = {.a = lanes_gather((const float(*)[4])table, list->i + k)};
    if (!ground) {
        sides.b = lanes_gather((const float(*)[4])table, list->j + k);
    }
    return sides;
}

LANES_INLINE void scatter_side(float (*table)[4], const int32_t *index, LaneRows rows, int count)
{
    if (count >= LANES) {
        lanes_scatter(table, index, rows);
    } else {
        lanes_scatter_some(table, index, rows, count);
    }
}

LANES_INLINE void scatter(float (*table)[4], const PairList *list, size_t k, const LaneSides *sides, int count,
                          bool ground)
{
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

/// Moves the particles as an impulse (N s2, on i; the opposite on j) does.
LANES_INLINE void take(LaneSides *move, Lanes3 impulse, bool ground)
{
    add_to_row(&move->a, move->a.w, impulse);
    if (!ground) {
        add_to_row(&move->b, -move->b.w, impulse);
    }
}

LANES_INLINE Lanes3 impulse_of(Lanes3 normal, Lanes lambda, Lanes3 force)
{
    return add3(scale3(lambda, normal), force);
}

/// ---- a substep -------------------------------------------------------------------------------------------------------

/// What is known of the contacts of some lanes while a substep begins or ends.
typedef struct LaneContacts {
    Lanes3 relative; ///< m: displacement of i against j in a substep
    Lanes3 normal;
    Lanes gap; ///< geometry now
    Lanes inverse_mass;
    Lanes lambda, rest;
    Lanes3 force;
    LaneBits flags;
} LaneContacts;

/// alpha of a contact. Not stiffer than so few visits resolve: else a packing of light particles rings (README.md).
LANES_INLINE Lanes compliance(const PairList *list, const PairStep *step, size_t k, Lanes inverse_mass)
{
    return lanes_larger(1.0F / (step->h * step->h) * lanes_load(list->compliance + k), SOIL_RESOLVED * inverse_mass);
}

/// Normal and gap where the particles are now, and the displacements of a substep at the speeds they have.
LANES_INLINE void look(const PairList *list, const Motion *motion, const PairStep *step, size_t k, bool ground,
                       LaneContacts *c)
{
    LaneSides shift = gather(motion->shift, list, k, ground), speed = gather(motion->speed, list, k, ground);
    Lanes3 start = LOAD3(list, start, k), moved = sub3(of_row(shift.a), of_row(shift.b));
    c->relative = scale3(lanes_all(step->h), sub3(of_row(speed.a), of_row(speed.b)));
    c->inverse_mass = speed.a.w + speed.b.w;
    if (ground) {
        c->normal = start;
        c->gap = lanes_load(list->plane + k) + dot(moved, start);
        return;
    }
    Lanes3 now = add3(start, moved);
    Lanes distance = lanes_sqrt(dot(now, now));
    LaneBits apart = distance > 1e-9F;
    c->normal = scale3(lanes_keep(apart, 1.0F / distance), now);
    c->normal.z = lanes_select(apart, c->normal.z, lanes_all(1.0F)); // same place: one goes up
    c->gap = distance - (shift.a.w + shift.b.w);
}

/// What is known of contacts where their particles are now.
LANES_INLINE LaneContacts meet(const PairList *list, const Motion *motion, const PairStep *step, size_t k, bool ground)
{
    LaneContacts c;
    look(list, motion, step, k, ground, &c);
    c.lambda = lanes_load(list->lambda + k);
    c.rest = lanes_load(list->rest + k);
    c.force = LOAD3(list, force, k);
    c.flags = lanes_load_bits(list->flags + k);
    return c;
}

/// What friction holds at most. The ground's friction is that of the soil in bulk, and hardens no further.
LANES_INLINE Lanes friction_limit(const PairList *list, const PairStep *step, size_t k, bool ground, Lanes lambda,
                                  Lanes alpha, Lanes tension)
{
    Lanes pressed = lanes_larger(lambda, lanes_all(0.0F));
    if (!ground) {
        pressed += pressed * lanes_smaller(lanes_sqrt(step->hardening * (alpha * pressed)), lanes_all(2.0F));
    }
    return lanes_load(list->friction + k) * pressed + tension;
}

/// Bonds that are sheared too far: contacts that slide, by their elastic shear and what they slid in the substep.
LANES_INLINE LaneBits shears_off(const PairList *list, const PairStep *step, size_t k, bool ground,
                                 const LaneContacts *c)
{
    Lanes3 normal = LOAD3(list, normal, k);
    Lanes alpha = compliance(list, step, k, c->inverse_mass);
    Lanes limit = friction_limit(list, step, k, ground, c->lambda, alpha, lanes_load(list->tension + k));
    Lanes3 slid = sub3(flatten(c->relative, normal), scale3(1.25F * alpha, c->force));
    LaneBits slips = dot(c->force, c->force) >= 0.998F * (limit * limit);
    return slips & (dot(slid, slid) > step->sheared * step->sheared);
}

/// After the last iteration of a substep: bonds that broke, contacts that opened, swelling.
LANES_INLINE void settle(const PairList *list, const PairStep *step, size_t k, bool ground, LaneContacts *c)
{
    Lanes zero = lanes_all(0.0F);
    Lanes lasting = lanes_select(lanes_load(list->pull + k) > 0.0F, lanes_all(step->torn), lanes_all(step->parted));
    c->flags |= (c->gap <= 0.0F) & CONTACT_TOUCHED;
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0;
    if (lanes_any(bonded)) {
        LaneBits tears = bonded & ((c->gap - c->rest > step->torn) | shears_off(list, step, k, ground, c));
        bonded &= ~tears;
        c->flags &= ~(tears & CONTACT_BONDED);
        c->rest = lanes_select(tears, lanes_smaller(c->rest, zero), c->rest);
    }
    LaneBits swells = ~bonded & (c->gap - c->rest > -step->squeeze);
    c->rest = lanes_select(swells, lanes_smaller(c->rest + step->swelling, zero), c->rest);
    LaneBits keeps = bonded | (c->gap <= lasting);
    c->flags &= keeps;
    c->rest = lanes_keep(keeps, c->rest);
    c->lambda = lanes_keep(keeps, c->lambda);
    c->force = keep3(keeps, c->force);
}

/// What a substep starts with: constants, and the impulse a contact held, turned with it.
typedef struct LaneStart {
    Lanes offset, tension;
    Lanes3 slide; ///< see PAIR_SCRATCH_FIELDS
    Lanes lambda;
    Lanes3 force;
} LaneStart;

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
    return lanes_any((c->flags != 0) | (c->gap - c->rest + 2.0F * approach < step->nearness));
}

LANES_INLINE LaneStart start(const PairList *list, const PairStep *step, size_t k, bool ground, const LaneContacts *c)
{
    LaneStart s;
    Lanes alpha = compliance(list, step, k, c->inverse_mass), alpha_t = 1.25F * alpha, zero = lanes_all(0.0F);
    Lanes gamma = 1.0F / step->h * lanes_load(list->relaxation + k);
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0, touched = (c->flags & CONTACT_TOUCHED) != 0;
    Lanes held = lanes_select(bonded, lanes_load(list->pull + k), lanes_keep(touched, lanes_load(list->remoulded + k)));
    s.tension = held * (step->h * step->h);
    Lanes gap = c->gap - c->rest;
    LaneBits closed = (gap <= 0.0F) | (s.tension > 0.0F);
    s.lambda = lanes_keep(closed, c->lambda);
    s.force =
        keep3(closed, flatten(c->force, c->normal)); // it lives in the tangent plane, which turns with the contact
    Lanes3 drift = drift_of(step, ground, c);
    Lanes approach = dot(drift, c->normal);
    s.offset = gap + approach + gamma * (approach + lanes_larger(gap, zero));
    s.slide = sub3(sub3(drift, scale3(approach, c->normal)), scale3(alpha_t, s.force));
    return s;
}

LANES_INLINE void store_start(const PairList *list, size_t k, const LaneContacts *c, const LaneStart *s)
{
    STORE3(list, normal, k, c->normal);
    STORE3(list, slide, k, s->slide);
    lanes_store(list->offset + k, s->offset);
    lanes_store(list->tension + k, s->tension);
    lanes_store(list->rest + k, c->rest);
    lanes_store_bits(list->flags + k, c->flags);
}

LANES_INLINE void store_multipliers(const PairList *list, size_t k, Lanes lambda, Lanes3 force)
{
    lanes_store(list->lambda + k, lambda);
    STORE3(list, force, k, force);
}

/// First impulse of a contact in a tick. Returns whether any of the lanes may touch.
LANES_INLINE int warm(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                      bool ground, LaneContacts *c)
{
    LaneStart s = start(list, step, k, ground, c);
    store_start(list, k, c, &s);
    store_multipliers(list, k, s.lambda, s.force);
    if (!may_touch(step, ground, c)) {
        return 0; // without impulses
    }
    LaneSides move = gather(motion->move, list, k, ground);
    take(&move, impulse_of(c->normal, s.lambda, s.force), ground);
    scatter(motion->move, list, k, &move, count, ground);
    return 1;
}

/// Normal and friction of a contact (pair_list.h): from the multipliers before to those after.
LANES_INLINE void relax(const PairList *list, const PairStep *step, size_t k, bool ground, const LaneSides *move,
                        Lanes3 normal, const LaneStart *s, Lanes *lambda, Lanes3 *force)
{
    Lanes gamma = 1.0F + 1.0F / step->h * lanes_load(list->relaxation + k);
    Lanes w = move->a.w + move->b.w, alpha = compliance(list, step, k, w), alpha_t = 1.25F * alpha;
    Lanes3 moved = sub3(of_row(move->a), of_row(move->b));
    Lanes approach = dot(moved, normal);
    Lanes error = s->offset + gamma * approach + alpha * *lambda;
    *lambda = lanes_larger(*lambda - error / (gamma * w + alpha), -s->tension);
    Lanes limit = friction_limit(list, step, k, ground, *lambda, alpha, lanes_keep(*lambda != 0.0F, s->tension));
    Lanes3 slid = add3(s->slide, sub3(moved, scale3(approach, normal)));
    slid = add3(slid, scale3(alpha_t, *force));
    *force = cap3(sub3(*force, scale3(1.0F / (w + alpha_t), slid)), limit);
}

/// One visit more.
LANES_INLINE void visit(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                        bool ground)
{
    LaneSides move = gather(motion->move, list, k, ground);
    LaneStart s;
    s.offset = lanes_load(list->offset + k);
    s.tension = lanes_load(list->tension + k);
    s.slide = LOAD3(list, slide, k);
    Lanes3 normal = LOAD3(list, normal, k), force = LOAD3(list, force, k);
    Lanes lambda = lanes_load(list->lambda + k);
    Lanes3 before = impulse_of(normal, lambda, force);
    relax(list, step, k, ground, &move, normal, &s, &lambda, &force);
    store_multipliers(list, k, lambda, force);
    take(&move, sub3(impulse_of(normal, lambda, force), before), ground);
    scatter(motion->move, list, k, &move, count, ground);
}

/// From one substep to the next, in one visit: ends the last, looks, turns the impulse that the rows still hold from the last
/// substep with the contact, and relaxes it. Contacts that slept hold nothing. Returns whether an impulse changed much.
LANES_INLINE int renew(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                       bool ground, bool slept)
{
    LaneContacts c = meet(list, motion, step, k, ground);
    Lanes3 old = keep3((LaneBits){0}, c.relative);
    if (!slept) {
        old = impulse_of(LOAD3(list, normal, k), c.lambda, c.force);
        settle(list, step, k, ground, &c);
    }
    LaneStart s = start(list, step, k, ground, &c);
    LaneSides move = gather(motion->move, list, k, ground);
    Lanes3 turned = impulse_of(c.normal, s.lambda, s.force);
    take(&move, sub3(turned, old), ground);
    Lanes lambda = s.lambda;
    Lanes3 force = s.force;
    relax(list, step, k, ground, &move, c.normal, &s, &lambda, &force);
    store_start(list, k, &c, &s);
    store_multipliers(list, k, lambda, force);
    Lanes3 change = sub3(impulse_of(c.normal, lambda, force), turned);
    take(&move, change, ground);
    scatter(motion->move, list, k, &move, count, ground);
    Lanes calm = step->calm / (move.a.w + move.b.w);
    return lanes_any(dot(change, change) > calm * calm);
}

/// Ends a tick: what contacts remember.
LANES_INLINE void remember(const PairList *list, size_t k, const LaneContacts *c)
{
    lanes_store(list->lambda + k, c->lambda);
    lanes_store(list->rest + k, c->rest);
    STORE3(list, force, k, c->force);
    lanes_store_bits(list->flags + k, c->flags);
}

LANES_INLINE void begin_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        int awake = 0;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            LaneContacts c = meet(list, motion, step, k, ground);
            awake |= warm(list, motion, step, k, list->used[batch] - lane, ground, &c);
        }
        list->awake[batch] = (uint8_t)awake;
    }
}

/// True when all contacts of a batch that slept may sleep on: it is decided for the batch, so that the number of lanes changes
/// nothing.
LANES_INLINE bool sleeps_on(const PairList *list, const Motion *motion, const PairStep *step, int32_t batch,
                            bool ground)
{
    int awake = 0;
    for (int lane = 0; lane < list->used[batch]; lane += LANES) {
        size_t k = (size_t)batch * BATCH + (size_t)lane;
        LaneContacts c = meet(list, motion, step, k, ground);
        awake |= may_touch(step, ground, &c);
    }
    return !awake;
}

LANES_INLINE bool renew_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                int32_t end, bool ground)
{
    int restless = 0;
    for (int32_t batch = first; batch < end; batch++) {
        bool slept = !list->awake[batch];
        if (slept && sleeps_on(list, motion, step, batch, ground)) {
            continue;
        }
        list->awake[batch] = 1;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            restless |= renew(list, motion, step, k, list->used[batch] - lane, ground, slept);
        }
    }
    return restless != 0;
}

LANES_INLINE void visit_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; list->awake[batch] && lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            visit(list, motion, step, k, list->used[batch] - lane, ground);
        }
    }
}

LANES_INLINE void finish_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                 int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            LaneContacts c = meet(list, motion, step, k, ground);
            settle(list, step, k, ground, &c);
            remember(list, k, &c);
        }
    }
}

static void begin_pairs(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    begin_batches(list, motion, step, first, end, false);
}

static void begin_ground(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    begin_batches(list, motion, step, first, end, true);
}

static bool renew_pairs(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    return renew_batches(list, motion, step, first, end, false);
}

static bool renew_ground(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    return renew_batches(list, motion, step, first, end, true);
}

static void solve_pairs(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    visit_batches(list, motion, step, first, end, false);
}

static void solve_ground(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    visit_batches(list, motion, step, first, end, true);
}

static void finish_pairs(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    finish_batches(list, motion, step, first, end, false);
}

static void finish_ground(const PairList *list, const Motion *motion, const PairStep *step, int32_t first, int32_t end)
{
    finish_batches(list, motion, step, first, end, true);
}

const PairKernel KERNEL_NAME = {.lanes = LANES,
                                .begin = begin_pairs,
                                .begin_ground = begin_ground,
                                .renew = renew_pairs,
                                .renew_ground = renew_ground,
                                .solve = solve_pairs,
                                .solve_ground = solve_ground,
                                .finish = finish_pairs,
                                .finish_ground = finish_ground};
