/// Rows and the averaged Jacobi iteration of p2, compiled once for each instruction set (paper_kernel_*.c); KERNEL_NAME
/// names it. A lane is one particle and adds its corrections up in the order of its list, so the number of lanes
/// changes no bit.
#include <math.h>

#include "soil/published/paper_contact.h"

/// Factors, shares and friction of the pairs between particles `i` and their neighbours in a row.
LANES_INLINE void relate_lanes(const Paper *paper, const PaperStep *step, int32_t row, int lane, const int32_t *i,
                               const LaneRows *a)
{
    PaperRow *r = &paper->rows[row];
    const int32_t *j = r->other + lane;
    LaneRows b = lanes_gather((const float(*)[4])paper->material, j);
    Lanes w = a->x + b.x;
    Lanes k = (a->y + b.y) * (a->w * b.w / (a->w + b.w)); // mean of the soils times the harmonic mean radius
    Lanes stiffness = step->h * step->h * k * w;
    Lanes damping = (a->z + b.z) * lanes_sqrt(stiffness); // c = 2 ratio sqrt(k m)
    paper_relax(&stiffness, &damping, step->iterations);
    lanes_store(r->stiffness + lane, stiffness);
    lanes_store(r->damping + lane, damping);
    lanes_store(r->share + lane, a->x / w);
    if (step->simple) {
        return;
    }
    PaperSoilRow *s = &paper->soil_rows[row];
    for (int l = 0; l < LANES; l++) {
        s->friction[lane + l] = 0.5F * (paper->soil[i[l]][0] + paper->soil[j[l]][0]);
        s->pull[lane + l] = 0.5F * (paper->soil[i[l]][1] + paper->soil[j[l]][1]);
    }
    // Eqs. 35 and 36 with the largest contact surface, as a relative displacement by eq. 34.
    Lanes smallest = lanes_smaller(a->w, b.w), area = (float)M_PI * smallest * smallest;
    lanes_store(s->pull + lane, lanes_load(s->pull + lane) * area * w * (step->h * step->h));
    lanes_store(s->inverse_radius + lane, 1.0F / smallest);
}

static void relate_batches(const Paper *paper, const PaperStep *step, int32_t first, int32_t end)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < PAPER_BATCH; lane += LANES) {
            const int32_t *member = paper->member + (size_t)batch * PAPER_BATCH + lane;
            LaneRows own = lanes_gather((const float(*)[4])paper->material, member);
            for (int32_t row = paper->row_first[batch]; row < paper->row_first[batch + 1]; row++) {
                relate_lanes(paper, step, row, lane, member, &own);
            }
        }
    }
}

/// Sum of the corrections of some particles and how many constraints they violate.
typedef struct LaneSum {
    Lanes x, y, z, violated;
} LaneSum;

LANES_INLINE void add_pair(const Paper *paper, const PaperStep *step, const float (*from)[4], int32_t row, int lane,
                           bool macklin, bool simple, const LaneRows *own, LaneSum *sum)
{
    const PaperRow *r = &paper->rows[row];
    LaneRows other = lanes_gather(from, r->other + lane);
    LaneVector start = {lanes_load(r->start_x + lane), lanes_load(r->start_y + lane), lanes_load(r->start_z + lane)};
    LaneVector relative = {own->x - other.x, own->y - other.y, own->z - other.z};
    PaperTouch touch;
    LaneBits touches = paper_touch_particle(start, relative, own->w + other.w, &touch);
    PaperLaw law = {lanes_load(r->stiffness + lane), lanes_load(r->damping + lane), lanes_all(step->friction),
                    lanes_all(0.0F), lanes_all(0.0F)};
    if (!simple) {
        const PaperSoilRow *s = &paper->soil_rows[row];
        law.friction = lanes_load(s->friction + lane);
        law.pull = lanes_load(s->pull + lane);
        law.inverse_radius = lanes_load(s->inverse_radius + lane);
    }
    LaneVector c = paper_correct(&law, step->static_ratio, macklin, !simple, &touch);
    // Eq. 37: e_i = 1 - epsilon (n.g), g the direction of gravity, -z.
    Lanes share = (1.0F + step->error_reduction * touch.normal.z) * lanes_load(r->share + lane);
    sum->x += lanes_keep(touches, share * c.x);
    sum->y += lanes_keep(touches, share * c.y);
    sum->z += lanes_keep(touches, share * c.z);
    sum->violated += lanes_keep(touches, lanes_all(1.0F));
}

/// Rows of LANES flat contacts from `k` on, as places in a table of rows of four. Behind the last comes the last again,
/// which is then corrected, and written, several times alike.
LANES_INLINE void flat_rows(int32_t k, int32_t end, int32_t *row)
{
    for (int lane = 0; lane < LANES; lane++) {
        row[lane] = (k + lane < end ? k + lane : end - 1) * PAPER_FLAT_ROWS;
    }
}

static void relate_flats(const Paper *paper, const PaperStep *step, int32_t first, int32_t end)
{
    float(*table)[4] = (float(*)[4])paper->flats;
    int32_t row[LANES];
    for (int32_t k = first; k < end; k += LANES) {
        flat_rows(k, end, row);
        LaneRows law = lanes_gather((const float(*)[4])table + 2, row);
        paper_relax(&law.x, &law.y, step->iterations);
        lanes_scatter(table + 2, row, law);
    }
}

/// Corrections by flat contacts [first, end), each by itself.
LANES_INLINE void correct_flats(const Paper *paper, const PaperStep *step, const float (*from)[4], int32_t first,
                                int32_t end, bool macklin)
{
    float(*table)[4] = (float(*)[4])paper->flats;
    const float(*flats)[4] = (const float(*)[4])table;
    int32_t row[LANES], i[LANES];
    for (int32_t k = first; k < end; k += LANES) {
        flat_rows(k, end, row);
        for (int lane = 0; lane < LANES; lane++) {
            i[lane] = paper->flats[row[lane] / PAPER_FLAT_ROWS].i;
        }
        LaneRows own = lanes_gather(from, i), plane = lanes_gather(flats, row), other = lanes_gather(flats + 1, row);
        LaneRows factors = lanes_gather(flats + 2, row);
        LaneVector relative = {own.x - other.x, own.y - other.y, own.z - other.z};
        PaperTouch touch;
        LaneBits touches = paper_touch_plane(plane.w, (LaneVector){plane.x, plane.y, plane.z}, relative, &touch);
        PaperLaw law = {factors.x, factors.y, factors.z, factors.w, lanes_gather(flats + 4, row).w};
        LaneVector c = paper_correct(&law, step->static_ratio, macklin, true, &touch);
        lanes_scatter(table + 3, row,
                      (LaneRows){lanes_keep(touches, other.w * c.x), lanes_keep(touches, other.w * c.y),
                                 lanes_keep(touches, other.w * c.z), lanes_keep(touches, lanes_all(1.0F))});
    }
}

/// Adds what correct_flats found for the particles of some lanes.
LANES_INLINE void add_flats(const Paper *paper, int32_t batch, int lane, LaneSum *sum)
{
    for (int32_t k = paper->batch_flats[batch]; k < paper->batch_flats[batch + 1]; k++) {
        const PaperFlat *flat = &paper->flats[paper->flat_lanes[k].flat];
        int32_t own = paper->flat_lanes[k].lane - lane;
        if (own >= 0 && own < LANES) {
            sum->x[own] += flat->correction[0];
            sum->y[own] += flat->correction[1];
            sum->z[own] += flat->correction[2];
            sum->violated[own] += flat->violated;
        }
    }
}

/// What contacts with bodies were really given, after averaging.
LANES_INLINE void keep_flats(const Paper *paper, int32_t batch, int lane, Lanes average)
{
    for (int32_t k = paper->batch_flats[batch]; k < paper->batch_flats[batch + 1]; k++) {
        PaperFlat *flat = &paper->flats[paper->flat_lanes[k].flat];
        int32_t own = paper->flat_lanes[k].lane - lane;
        for (int axis = 0; flat->body >= 0 && own >= 0 && own < LANES && axis < 3; axis++) {
            flat->correction[axis] *= average[own];
            flat->total[axis] += flat->correction[axis];
        }
    }
}

LANES_INLINE void average_lanes(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4],
                                int32_t batch, int lane, bool macklin, bool simple)
{
    const int32_t *member = paper->member + (size_t)batch * PAPER_BATCH + lane;
    LaneRows own = lanes_gather(from, member);
    LaneSum sum = {.x = lanes_all(0.0F)};
    for (int32_t row = paper->row_first[batch]; row < paper->row_first[batch + 1]; row++) {
        add_pair(paper, step, from, row, lane, macklin, simple, &own, &sum);
    }
    add_flats(paper, batch, lane, &sum);
    // Eq. 9: the mean of the corrections by the n violated constraints.
    Lanes average = 1.0F / lanes_larger(sum.violated, lanes_all(1.0F));
    if (step->bodies) {
        keep_flats(paper, batch, lane, average);
    }
    own.x += average * sum.x;
    own.y += average * sum.y;
    own.z += average * sum.z;
    lanes_scatter(to, member, own);
    LaneBits touches = sum.violated > 0.0F;
    for (int k = 0; step->sleeps && k < LANES; k++) {
        paper->touches[member[k]] = touches[k] != 0;
    }
}

LANES_INLINE void average_batches(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4],
                                  int32_t first, int32_t end, bool macklin, bool simple)
{
    correct_flats(paper, step, from, paper->batch_flats[first], paper->batch_flats[end], macklin);
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < PAPER_BATCH; lane += LANES) {
            average_lanes(paper, step, from, to, batch, lane, macklin, simple);
        }
    }
}

static void average(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4], int32_t first,
                    int32_t end)
{
    if (step->macklin) {
        average_batches(paper, step, from, to, first, end, true, false);
    } else if (step->simple) {
        average_batches(paper, step, from, to, first, end, false, true);
    } else {
        average_batches(paper, step, from, to, first, end, false, false);
    }
}

const PaperKernel KERNEL_NAME = {LANES, relate_batches, relate_flats, average};
