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

/// First impulse of a contact: what it held in the last substep, and the constants of this substep.
/// Returns whether any of them may touch.
LANES_INLINE int warm(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                      bool ground, LaneContacts *c)
{
    Lanes alpha_t = 1.25F * compliance(list, step, k, c->inverse_mass);
    Lanes gamma = 1.0F / step->h * lanes_load(list->relaxation + k);
    Lanes zero = lanes_all(0.0F);
    LaneBits bonded = (c->flags & CONTACT_BONDED) != 0, touched = (c->flags & CONTACT_TOUCHED) != 0;
    Lanes held = lanes_select(bonded, lanes_load(list->pull + k), lanes_keep(touched, lanes_load(list->remoulded + k)));
    Lanes tension = held * (step->h * step->h);
    Lanes nx = c->normal_x, ny = c->normal_y, nz = c->normal_z;
    // The slip lives in the tangent plane, which turns with the contact.
    Lanes along = dot(c->slip_x, c->slip_y, c->slip_z, nx, ny, nz);
    Lanes slip_x = c->slip_x - along * nx, slip_y = c->slip_y - along * ny, slip_z = c->slip_z - along * nz;
    Lanes gap = c->gap - c->rest;
    LaneBits closed = (gap <= 0.0F) | (tension > 0.0F);
    Lanes lambda = lanes_keep(closed, step->warm * c->lambda);
    Lanes limit = lanes_load(list->friction + k) * lanes_larger(lambda, zero);
    limit += lanes_keep(closed, tension);
    Lanes stiffness = -step->warm / alpha_t;
    Lanes fx = stiffness * slip_x, fy = stiffness * slip_y, fz = stiffness * slip_z;
    Lanes square = dot(fx, fy, fz, fx, fy, fz);
    Lanes scale = lanes_select(square > limit * limit, limit / lanes_sqrt(square), lanes_all(1.0F));
    fx *= scale;
    fy *= scale;
    fz *= scale;
    Lanes drift_z = c->relative_z - (ground ? step->fall : 0.0F);
    Lanes approach = dot(c->relative_x, c->relative_y, drift_z, nx, ny, nz);
    lanes_store(list->normal_x + k, nx);
    lanes_store(list->normal_y + k, ny);
    lanes_store(list->normal_z + k, nz);
    lanes_store(list->offset + k, gap + approach + gamma * (approach + lanes_larger(gap, zero)));
    lanes_store(list->slide_x + k, slip_x + (c->relative_x - approach * nx));
    lanes_store(list->slide_y + k, slip_y + (c->relative_y - approach * ny));
    lanes_store(list->slide_z + k, slip_z + (drift_z - approach * nz));
    lanes_store(list->slip_x + k, slip_x);
    lanes_store(list->slip_y + k, slip_y);
    lanes_store(list->slip_z + k, slip_z);
    lanes_store(list->tension + k, tension);
    lanes_store(list->lambda + k, lambda);
    lanes_store(list->rest + k, c->rest);
    lanes_store_bits(list->flags + k, c->flags);
    lanes_store(list->force_x + k, fx);
    lanes_store(list->force_y + k, fy);
    lanes_store(list->force_z + k, fz);
    LaneBits awake = (c->flags != 0) | (gap + 2.0F * lanes_smaller(approach, zero) < step->nearness);
    if (!lanes_any(awake)) {
        return 0; // without impulses
    }
    Lanes x = lambda * nx + fx, y = lambda * ny + fy, z = lambda * nz + fz;
    push(motion, list->i + k, count, lanes_gather((const float(*)[4])motion->move, list->i + k), x, y, z);
    if (!ground) {
        push(motion, list->j + k, count, lanes_gather((const float(*)[4])motion->move, list->j + k), -x, -y, -z);
    }
    return 1;
}

/// One visit.
LANES_INLINE void visit(const PairList *list, const Motion *motion, const PairStep *step, size_t k, int count,
                        bool ground)
{
    Lanes gamma = 1.0F + 1.0F / step->h * lanes_load(list->relaxation + k);
    Lanes nx = lanes_load(list->normal_x + k), ny = lanes_load(list->normal_y + k), nz = lanes_load(list->normal_z + k);
    Lanes tension = lanes_load(list->tension + k), zero = lanes_all(0.0F);
    LaneRows a = lanes_gather((const float(*)[4])motion->move, list->i + k), b = {0};
    Lanes x = a.x, y = a.y, z = a.z, w = a.w;
    if (!ground) {
        b = lanes_gather((const float(*)[4])motion->move, list->j + k);
        x = x - b.x;
        y = y - b.y;
        z = z - b.z;
        w = w + b.w;
    }
    Lanes alpha = compliance(list, step, k, w), alpha_t = 1.25F * alpha;
    Lanes approach = dot(x, y, z, nx, ny, nz);
    Lanes before = lanes_load(list->lambda + k);
    Lanes error = lanes_load(list->offset + k) + gamma * approach + alpha * before;
    Lanes lambda = lanes_larger(before - error / (gamma * w + alpha), -tension);
    Lanes change = lambda - before;
    Lanes limit = lanes_load(list->friction + k) * lanes_larger(lambda, zero) + lanes_keep(lambda != 0.0F, tension);
    Lanes inverse = 1.0F / (w + alpha_t);
    Lanes fx = lanes_load(list->force_x + k), fy = lanes_load(list->force_y + k), fz = lanes_load(list->force_z + k);
    Lanes slid_x = lanes_load(list->slide_x + k) + (x - approach * nx);
    Lanes slid_y = lanes_load(list->slide_y + k) + (y - approach * ny);
    Lanes slid_z = lanes_load(list->slide_z + k) + (z - approach * nz);
    Lanes wanted_x = fx - (slid_x + alpha_t * fx) * inverse;
    Lanes wanted_y = fy - (slid_y + alpha_t * fy) * inverse;
    Lanes wanted_z = fz - (slid_z + alpha_t * fz) * inverse;
    Lanes square = dot(wanted_x, wanted_y, wanted_z, wanted_x, wanted_y, wanted_z);
    Lanes scale = lanes_select(square > limit * limit, limit / lanes_sqrt(square), lanes_all(1.0F));
    wanted_x *= scale;
    wanted_y *= scale;
    wanted_z *= scale;
    lanes_store(list->lambda + k, lambda);
    lanes_store(list->force_x + k, wanted_x);
    lanes_store(list->force_y + k, wanted_y);
    lanes_store(list->force_z + k, wanted_z);
    x = change * nx + (wanted_x - fx);
    y = change * ny + (wanted_y - fy);
    z = change * nz + (wanted_z - fz);
    push(motion, list->i + k, count, a, x, y, z);
    if (!ground) {
        push(motion, list->j + k, count, b, -x, -y, -z);
    }
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
            if (!step->first) {
                settle(list, step, k, &c);
            }
            awake |= warm(list, motion, step, k, list->used[batch] - lane, ground, &c);
        }
        list->awake[batch] = (uint8_t)awake;
    }
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

const PairKernel KERNEL_NAME = {LANES,        begin_pairs,  begin_ground, solve_pairs,
                                solve_ground, finish_pairs, finish_ground};
