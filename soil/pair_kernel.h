/// The pair kernels, compiled once for each instruction set (pair_kernel_*.c). KERNEL_NAME names the table they end in.
///
/// Equations: pair_list.h. A lane is one contact; lanes of a batch share no particle, so their number changes no bit.
#include <stddef.h>

#include "soil/lanes.h"
#include "soil/pair_list.h"

/// What is known of the contacts of some lanes while a substep begins or ends.
typedef struct LaneContacts {
    Lanes relative_x, relative_y, relative_z; ///< m: displacement of i against j in a substep
    Lanes normal_x, normal_y, normal_z, gap; ///< geometry now
    Lanes inverse_mass;
    Lanes lambda, rest, slip_x, slip_y, slip_z;
    LaneBits flags;
} LaneContacts;

LANES_INLINE Lanes dot(Lanes ax, Lanes ay, Lanes az, Lanes bx, Lanes by, Lanes bz)
{
    return ax * bx + ay * by + az * bz;
}

/// alpha of a contact. Not stiffer than so few visits resolve: else a packing of light particles rings (README.md).
LANES_INLINE Lanes compliance(const PairList *list, const PairStep *step, size_t k, Lanes inverse_mass)
{
    return lanes_larger(1.0F / (step->h * step->h) * lanes_load(list->compliance + k), SOIL_RESOLVED * inverse_mass);
}

/// Normal and gap where the particles are now, and the displacement of a substep at the speed they have.
LANES_INLINE void look(const PairList *list, const Motion *motion, const PairStep *step, size_t k, bool ground,
                       LaneContacts *c)
{
    const int32_t *i = list->i + k, *j = list->j + k;
    LaneRows a = lanes_gather((const float(*)[4])motion->shift, i);
    LaneRows va = lanes_gather((const float(*)[4])motion->speed, i);
    Lanes x = lanes_load(list->start_x + k), y = lanes_load(list->start_y + k), z = lanes_load(list->start_z + k);
    if (ground) {
        c->normal_x = x;
        c->normal_y = y;
        c->normal_z = z;
        c->gap = lanes_load(list->plane + k) + dot(a.x, a.y, a.z, x, y, z);
        c->relative_x = step->h * va.x;
        c->relative_y = step->h * va.y;
        c->relative_z = step->h * va.z;
        c->inverse_mass = va.w;
        return;
    }
    LaneRows b = lanes_gather((const float(*)[4])motion->shift, j);
    LaneRows vb = lanes_gather((const float(*)[4])motion->speed, j);
    x = x + (a.x - b.x);
    y = y + (a.y - b.y);
    z = z + (a.z - b.z);
    Lanes distance = lanes_sqrt(dot(x, y, z, x, y, z));
    LaneBits apart = distance > 1e-9F;
    Lanes inverse = lanes_keep(apart, 1.0F / distance);
    c->normal_x = x * inverse;
    c->normal_y = y * inverse;
    c->normal_z = lanes_select(apart, z * inverse, lanes_all(1.0F)); // same place: one goes up
    c->gap = distance - (a.w + b.w);
    c->relative_x = step->h * (va.x - vb.x);
    c->relative_y = step->h * (va.y - vb.y);
    c->relative_z = step->h * (va.z - vb.z);
    c->inverse_mass = va.w + vb.w;
}

LANES_INLINE void recall(const PairList *list, size_t k, LaneContacts *c)
{
    c->lambda = lanes_load(list->lambda + k);
    c->rest = lanes_load(list->rest + k);
    c->slip_x = lanes_load(list->slip_x + k);
    c->slip_y = lanes_load(list->slip_y + k);
    c->slip_z = lanes_load(list->slip_z + k);
    c->flags = lanes_load_bits(list->flags + k);
}

/// After the last iteration of a substep: slip since contact, bonds that broke, contacts that opened, swelling.
LANES_INLINE void settle(const PairList *list, const PairStep *step, size_t k, LaneContacts *c)
{
    Lanes nx = lanes_load(list->normal_x + k), ny = lanes_load(list->normal_y + k), nz = lanes_load(list->normal_z + k);
    Lanes fx = lanes_load(list->force_x + k), fy = lanes_load(list->force_y + k), fz = lanes_load(list->force_z + k);
    Lanes alpha_t = 1.25F * compliance(list, step, k, c->inverse_mass);
    Lanes approach = dot(c->relative_x, c->relative_y, c->relative_z, nx, ny, nz);
    Lanes zero = lanes_all(0.0F);
    Lanes limit = lanes_load(list->friction + k) * lanes_larger(c->lambda, zero) + lanes_load(list->tension + k);
    LaneBits slips = dot(fx, fy, fz, fx, fy, fz) >= 0.998F * (limit * limit);
    Lanes slid_x = c->slip_x + c->relative_x - approach * nx;
    Lanes slid_y = c->slip_y + c->relative_y - approach * ny;
    Lanes slid_z = c->slip_z + c->relative_z - approach * nz;
    // A sliding contact keeps only the slip its friction can hold.
    c->slip_x = lanes_select(slips, -alpha_t * fx, slid_x);
    c->slip_y = lanes_select(slips, -alpha_t * fy, slid_y);
    c->slip_z = lanes_select(slips, -alpha_t * fz, slid_z);
    c->flags |= (c->gap <= 0.0F) & CONTACT_TOUCHED;
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0;
    LaneBits sheared = slips & (dot(slid_x, slid_y, slid_z, slid_x, slid_y, slid_z) > step->torn * step->torn);
    LaneBits tears = bonded & ((c->gap - c->rest > step->torn) | sheared);
    bonded &= ~tears;
    c->flags &= ~(tears & CONTACT_BONDED);
    c->rest = lanes_select(tears, lanes_smaller(c->rest, zero), c->rest);
    LaneBits swells = ~bonded & (c->gap - c->rest > -step->squeeze);
    c->rest = lanes_select(swells, lanes_smaller(c->rest + step->swelling, zero), c->rest);
    LaneBits keeps = bonded | (c->gap <= step->torn);
    c->flags &= keeps;
    c->rest = lanes_keep(keeps, c->rest);
    c->lambda = lanes_keep(keeps, c->lambda);
    c->slip_x = lanes_keep(keeps, c->slip_x);
    c->slip_y = lanes_keep(keeps, c->slip_y);
    c->slip_z = lanes_keep(keeps, c->slip_z);
}

/// Adds inverse mass x impulse to the rows of one side.
LANES_INLINE void push(const Motion *motion, const int32_t *index, int count, LaneRows rows, Lanes x, Lanes y, Lanes z)
{
    rows.x += rows.w * x;
    rows.y += rows.w * y;
    rows.z += rows.w * z;
    if (count >= LANES) {
        lanes_scatter(motion->move, index, rows);
    } else {
        lanes_scatter_some(motion->move, index, rows, count);
    }
}

/// What a substep starts with: constants, and the impulse a contact held, turned with it.
typedef struct LaneStart {
    Lanes offset, slide_x, slide_y, slide_z; ///< see PAIR_SCRATCH_FIELDS
    Lanes slip_x, slip_y, slip_z, tension;
    Lanes lambda, force_x, force_y, force_z;
    LaneBits awake; ///< may touch in this substep
} LaneStart;

LANES_INLINE LaneStart start(const PairList *list, const PairStep *step, size_t k, bool ground, const LaneContacts *c)
{
    LaneStart s;
    Lanes alpha_t = 1.25F * compliance(list, step, k, c->inverse_mass);
    Lanes gamma = 1.0F / step->h * lanes_load(list->relaxation + k);
    Lanes zero = lanes_all(0.0F);
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0, touched = (c->flags & CONTACT_TOUCHED) != 0;
    Lanes held = lanes_select(bonded, lanes_load(list->pull + k), lanes_keep(touched, lanes_load(list->remoulded + k)));
    s.tension = held * (step->h * step->h);
    Lanes nx = c->normal_x, ny = c->normal_y, nz = c->normal_z;
    // The slip lives in the tangent plane, which turns with the contact.
    Lanes along = dot(c->slip_x, c->slip_y, c->slip_z, nx, ny, nz);
    s.slip_x = c->slip_x - along * nx;
    s.slip_y = c->slip_y - along * ny;
    s.slip_z = c->slip_z - along * nz;
    Lanes gap = c->gap - c->rest;
    LaneBits closed = (gap <= 0.0F) | (s.tension > 0.0F);
    s.lambda = lanes_keep(closed, step->warm * c->lambda);
    Lanes limit = lanes_load(list->friction + k) * lanes_larger(s.lambda, zero);
    limit += lanes_keep(closed, s.tension);
    Lanes stiffness = -step->warm / alpha_t;
    Lanes fx = stiffness * s.slip_x, fy = stiffness * s.slip_y, fz = stiffness * s.slip_z;
    Lanes square = dot(fx, fy, fz, fx, fy, fz);
    Lanes scale = lanes_select(square > limit * limit, limit / lanes_sqrt(square), lanes_all(1.0F));
    s.force_x = fx * scale;
    s.force_y = fy * scale;
    s.force_z = fz * scale;
    Lanes drift_z = c->relative_z - (ground ? step->fall : 0.0F);
    Lanes approach = dot(c->relative_x, c->relative_y, drift_z, nx, ny, nz);
    s.offset = gap + approach + gamma * (approach + lanes_larger(gap, zero));
    s.slide_x = s.slip_x + (c->relative_x - approach * nx);
    s.slide_y = s.slip_y + (c->relative_y - approach * ny);
    s.slide_z = s.slip_z + (drift_z - approach * nz);
    s.awake = (c->flags != 0) | (gap + 2.0F * lanes_smaller(approach, zero) < step->nearness);
    return s;
}

/// All but the multipliers.
LANES_INLINE void store_start(const PairList *list, size_t k, const LaneContacts *c, const LaneStart *s)
{
    lanes_store(list->normal_x + k, c->normal_x);
    lanes_store(list->normal_y + k, c->normal_y);
    lanes_store(list->normal_z + k, c->normal_z);
    lanes_store(list->offset + k, s->offset);
    lanes_store(list->slide_x + k, s->slide_x);
    lanes_store(list->slide_y + k, s->slide_y);
    lanes_store(list->slide_z + k, s->slide_z);
    lanes_store(list->slip_x + k, s->slip_x);
    lanes_store(list->slip_y + k, s->slip_y);
    lanes_store(list->slip_z + k, s->slip_z);
    lanes_store(list->tension + k, s->tension);
    lanes_store(list->rest + k, c->rest);
    lanes_store_bits(list->flags + k, c->flags);
}

LANES_INLINE void store_multipliers(const PairList *list, size_t k, Lanes lambda, Lanes x, Lanes y, Lanes z)
{
    lanes_store(list->lambda + k, lambda);
    lanes_store(list->force_x + k, x);
    lanes_store(list->force_y + k, y);
    lanes_store(list->force_z + k, z);
}

/// First impulse of a contact in a tick. Returns whether any of the lanes may touch.
LANES_INLINE int warm(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                      bool ground, LaneContacts *c)
{
    LaneStart s = start(list, step, k, ground, c);
    store_start(list, k, c, &s);
    store_multipliers(list, k, s.lambda, s.force_x, s.force_y, s.force_z);
    if (!lanes_any(s.awake)) {
        return 0; // without impulses
    }
    Lanes x = s.lambda * c->normal_x + s.force_x, y = s.lambda * c->normal_y + s.force_y;
    Lanes z = s.lambda * c->normal_z + s.force_z;
    push(motion, list->i + k, count, lanes_gather((const float(*)[4])motion->move, list->i + k), x, y, z);
    if (!ground) {
        push(motion, list->j + k, count, lanes_gather((const float(*)[4])motion->move, list->j + k), -x, -y, -z);
    }
    return 1;
}

/// What a visit needs and changes.
typedef struct LaneVisit {
    Lanes normal_x, normal_y, normal_z;
    Lanes offset, slide_x, slide_y, slide_z, tension; ///< see PAIR_SCRATCH_FIELDS
    Lanes x, y, z; ///< m: what contacts have moved i against j in this substep
    Lanes inverse_mass;
    Lanes lambda, force_x, force_y, force_z; ///< in: before, out: after
} LaneVisit;

/// The equations of a contact (pair_list.h).
LANES_INLINE void relax(const PairList *list, const PairStep *step, size_t k, LaneVisit *v)
{
    Lanes gamma = 1.0F + 1.0F / step->h * lanes_load(list->relaxation + k), zero = lanes_all(0.0F);
    Lanes nx = v->normal_x, ny = v->normal_y, nz = v->normal_z, w = v->inverse_mass;
    Lanes alpha = compliance(list, step, k, w), alpha_t = 1.25F * alpha;
    Lanes approach = dot(v->x, v->y, v->z, nx, ny, nz);
    Lanes error = v->offset + gamma * approach + alpha * v->lambda;
    Lanes lambda = lanes_larger(v->lambda - error / (gamma * w + alpha), -v->tension);
    Lanes limit = lanes_load(list->friction + k) * lanes_larger(lambda, zero) + lanes_keep(lambda != 0.0F, v->tension);
    Lanes inverse = 1.0F / (w + alpha_t);
    Lanes fx = v->force_x, fy = v->force_y, fz = v->force_z;
    Lanes slid_x = v->slide_x + (v->x - approach * nx);
    Lanes slid_y = v->slide_y + (v->y - approach * ny);
    Lanes slid_z = v->slide_z + (v->z - approach * nz);
    fx -= (slid_x + alpha_t * fx) * inverse;
    fy -= (slid_y + alpha_t * fy) * inverse;
    fz -= (slid_z + alpha_t * fz) * inverse;
    Lanes square = dot(fx, fy, fz, fx, fy, fz);
    Lanes scale = lanes_select(square > limit * limit, limit / lanes_sqrt(square), lanes_all(1.0F));
    v->lambda = lambda;
    v->force_x = fx * scale;
    v->force_y = fy * scale;
    v->force_z = fz * scale;
}

/// One visit more.
LANES_INLINE void visit(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                        bool ground)
{
    LaneRows a = lanes_gather((const float(*)[4])motion->move, list->i + k), b = {0};
    LaneVisit v = {.normal_x = lanes_load(list->normal_x + k),
                   .normal_y = lanes_load(list->normal_y + k),
                   .normal_z = lanes_load(list->normal_z + k),
                   .offset = lanes_load(list->offset + k),
                   .slide_x = lanes_load(list->slide_x + k),
                   .slide_y = lanes_load(list->slide_y + k),
                   .slide_z = lanes_load(list->slide_z + k),
                   .tension = lanes_load(list->tension + k),
                   .x = a.x,
                   .y = a.y,
                   .z = a.z,
                   .inverse_mass = a.w,
                   .lambda = lanes_load(list->lambda + k),
                   .force_x = lanes_load(list->force_x + k),
                   .force_y = lanes_load(list->force_y + k),
                   .force_z = lanes_load(list->force_z + k)};
    if (!ground) {
        b = lanes_gather((const float(*)[4])motion->move, list->j + k);
        v.x -= b.x;
        v.y -= b.y;
        v.z -= b.z;
        v.inverse_mass += b.w;
    }
    Lanes lambda = v.lambda, fx = v.force_x, fy = v.force_y, fz = v.force_z;
    relax(list, step, k, &v);
    store_multipliers(list, k, v.lambda, v.force_x, v.force_y, v.force_z);
    Lanes x = (v.lambda - lambda) * v.normal_x + (v.force_x - fx);
    Lanes y = (v.lambda - lambda) * v.normal_y + (v.force_y - fy);
    Lanes z = (v.lambda - lambda) * v.normal_z + (v.force_z - fz);
    push(motion, list->i + k, count, a, x, y, z);
    if (!ground) {
        push(motion, list->j + k, count, b, -x, -y, -z);
    }
}

/// What the contacts of a batch are in a substep.
enum { BATCH_SLEEPS = 0, BATCH_AWAKE = 1, BATCH_RESTLESS = 2 };

/// From one substep to the next, in one visit: ends the last, looks, turns the impulse that the rows still hold from the last
/// substep with the contact, and relaxes it. Returns BATCH_*.
LANES_INLINE int renew(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                       bool ground, bool slept)
{
    LaneContacts c;
    look(list, motion, step, k, ground, &c);
    recall(list, k, &c);
    Lanes zero = lanes_all(0.0F), old_x = zero, old_y = zero, old_z = zero;
    if (!slept) {
        old_x = c.lambda * lanes_load(list->normal_x + k) + lanes_load(list->force_x + k);
        old_y = c.lambda * lanes_load(list->normal_y + k) + lanes_load(list->force_y + k);
        old_z = c.lambda * lanes_load(list->normal_z + k) + lanes_load(list->force_z + k);
        settle(list, step, k, &c);
    }
    LaneStart s = start(list, step, k, ground, &c);
    if (slept && !lanes_any(s.awake)) {
        return BATCH_SLEEPS;
    }
    LaneRows a = lanes_gather((const float(*)[4])motion->move, list->i + k), b = {0};
    LaneVisit v = {.normal_x = c.normal_x,
                   .normal_y = c.normal_y,
                   .normal_z = c.normal_z,
                   .offset = s.offset,
                   .slide_x = s.slide_x,
                   .slide_y = s.slide_y,
                   .slide_z = s.slide_z,
                   .tension = s.tension,
                   .x = a.x,
                   .y = a.y,
                   .z = a.z,
                   .inverse_mass = a.w,
                   .lambda = s.lambda,
                   .force_x = s.force_x,
                   .force_y = s.force_y,
                   .force_z = s.force_z};
    if (!ground) {
        b = lanes_gather((const float(*)[4])motion->move, list->j + k);
        v.x -= b.x;
        v.y -= b.y;
        v.z -= b.z;
        v.inverse_mass += b.w;
    }
    v.x += v.inverse_mass * (s.lambda * c.normal_x + s.force_x - old_x);
    v.y += v.inverse_mass * (s.lambda * c.normal_y + s.force_y - old_y);
    v.z += v.inverse_mass * (s.lambda * c.normal_z + s.force_z - old_z);
    relax(list, step, k, &v);
    store_start(list, k, &c, &s);
    store_multipliers(list, k, v.lambda, v.force_x, v.force_y, v.force_z);
    Lanes x = v.lambda * c.normal_x + v.force_x - old_x, y = v.lambda * c.normal_y + v.force_y - old_y;
    Lanes z = v.lambda * c.normal_z + v.force_z - old_z;
    push(motion, list->i + k, count, a, x, y, z);
    if (!ground) {
        push(motion, list->j + k, count, b, -x, -y, -z);
    }
    Lanes calm = step->calm / v.inverse_mass;
    x = v.force_x - s.force_x;
    y = v.force_y - s.force_y;
    z = v.force_z - s.force_z;
    Lanes change = v.lambda - s.lambda, square = change * change + dot(x, y, z, x, y, z);
    return lanes_any(square > calm * calm) ? BATCH_RESTLESS : BATCH_AWAKE;
}

/// Ends a tick: what contacts remember.
LANES_INLINE void remember(const PairList *list, size_t k, const LaneContacts *c)
{
    lanes_store(list->lambda + k, c->lambda);
    lanes_store(list->rest + k, c->rest);
    lanes_store(list->slip_x + k, c->slip_x);
    lanes_store(list->slip_y + k, c->slip_y);
    lanes_store(list->slip_z + k, c->slip_z);
    lanes_store_bits(list->flags + k, c->flags);
}

LANES_INLINE void begin_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                int32_t end, bool ground)
{
    for (int32_t batch = first; batch < end; batch++) {
        int awake = 0;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            LaneContacts c;
            look(list, motion, step, k, ground, &c);
            recall(list, k, &c);
            awake |= warm(list, motion, step, k, list->used[batch] - lane, ground, &c);
        }
        list->awake[batch] = (uint8_t)awake;
    }
}

LANES_INLINE bool renew_batches(const PairList *list, const Motion *motion, const PairStep *step, int32_t first,
                                int32_t end, bool ground)
{
    int restless = 0;
    for (int32_t batch = first; batch < end; batch++) {
        int state = 0;
        for (int lane = 0; lane < list->used[batch]; lane += LANES) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            state |= renew(list, motion, step, k, list->used[batch] - lane, ground, !list->awake[batch]);
        }
        list->awake[batch] = state != 0;
        restless |= state;
    }
    return (restless & BATCH_RESTLESS) != 0;
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
            LaneContacts c;
            look(list, motion, step, k, ground, &c);
            recall(list, k, &c);
            settle(list, step, k, &c);
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
