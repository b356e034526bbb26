/// The averaged Jacobi iteration of p2, compiled once for each instruction set (paper_kernel_*.c); KERNEL_NAME names it.
/// A lane is one particle and adds its corrections up in the order of its list, so the number of lanes changes no bit.
#include "soil/paper_contact.h"

/// Sum of the corrections of some particles and how many constraints they violate.
typedef struct LaneSum {
    Lanes x, y, z, violated;
} LaneSum;

LANES_INLINE void add_pair(const Paper *paper, const PaperStep *step, const float (*from)[4], int32_t row, int lane,
                           bool macklin, bool adhesive, const LaneRows *own, LaneSum *sum)
{
    const PaperRow *r = &paper->rows[row];
    LaneRows other = lanes_gather(from, r->other + lane);
    LaneVector start = {lanes_load(r->start_x + lane), lanes_load(r->start_y + lane), lanes_load(r->start_z + lane)};
    LaneVector relative = {own->x - other.x, own->y - other.y, own->z - other.z}, normal;
    Lanes overlap;
    LaneBits touches = paper_overlap(start, relative, own->w + other.w, &normal, &overlap);
    PaperLaw law = {lanes_load(r->stiffness + lane), lanes_load(r->damping + lane), lanes_load(r->friction + lane),
                    lanes_all(0.0F), lanes_all(0.0F)};
    if (adhesive) {
        law.pull = lanes_load(paper->sticks[row].pull + lane);
        law.inverse_radius = lanes_load(paper->sticks[row].inverse_radius + lane);
    }
    LaneVector c = paper_correct(&law, step->static_ratio, macklin, adhesive, overlap, normal, relative);
    // Eq. 37: e_i = 1 - epsilon (n.g), g the direction of gravity, -z.
    Lanes share = (1.0F + step->error_reduction * normal.z) * lanes_load(r->share + lane);
    sum->x += lanes_keep(touches, share * c.x);
    sum->y += lanes_keep(touches, share * c.y);
    sum->z += lanes_keep(touches, share * c.z);
    sum->violated += lanes_keep(touches, lanes_all(1.0F));
}

/// Contacts of the particles of some lanes with planes, one after another: few particles have any.
LANES_INLINE void add_flats(const Paper *paper, const PaperStep *step, const float (*from)[4], const int32_t *member,
                            LaneSum *sum)
{
    for (int lane = 0; lane < LANES; lane++) {
        int32_t i = member[lane];
        if (i == paper->capacity) {
            continue;
        }
        for (int32_t k = paper->flat_first[i]; k < paper->flat_first[i + 1]; k++) {
            PaperFlat *flat = &paper->flats[k];
            if (paper_correct_flat(flat, step, from[i])) {
                sum->x[lane] += flat->correction[0];
                sum->y[lane] += flat->correction[1];
                sum->z[lane] += flat->correction[2];
                sum->violated[lane] += 1.0F;
            }
        }
    }
}

/// What the flat contacts of some lanes were really given, after averaging.
LANES_INLINE void keep_flats(const Paper *paper, const int32_t *member, Lanes average)
{
    for (int lane = 0; lane < LANES; lane++) {
        int32_t i = member[lane];
        if (i == paper->capacity) {
            continue;
        }
        for (int32_t k = paper->flat_first[i]; k < paper->flat_first[i + 1]; k++) {
            PaperFlat *flat = &paper->flats[k];
            for (int axis = 0; axis < 3; axis++) {
                flat->correction[axis] *= average[lane];
                flat->total[axis] += flat->correction[axis];
            }
        }
    }
}

LANES_INLINE void average_lanes(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4],
                                int32_t batch, int lane, bool macklin, bool adhesive)
{
    const int32_t *member = paper->member + (size_t)batch * PAPER_BATCH + lane;
    LaneRows own = lanes_gather(from, member);
    LaneSum sum = {.x = lanes_all(0.0F)};
    for (int32_t row = paper->row_first[batch]; row < paper->row_first[batch + 1]; row++) {
        add_pair(paper, step, from, row, lane, macklin, adhesive, &own, &sum);
    }
    bool flats = paper->batch_flats[batch];
    if (flats) {
        add_flats(paper, step, from, member, &sum);
    }
    // Eq. 9: the mean of the corrections by the n violated constraints.
    Lanes average = 1.0F / lanes_larger(sum.violated, lanes_all(1.0F));
    if (flats) {
        keep_flats(paper, member, average);
    }
    own.x += average * sum.x;
    own.y += average * sum.y;
    own.z += average * sum.z;
    lanes_scatter(to, member, own);
    LaneBits touches = sum.violated > 0.0F;
    for (int k = 0; k < LANES; k++) {
        paper->touches[member[k]] = touches[k] != 0;
    }
}

LANES_INLINE void average_batches(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4],
                                  int32_t first, int32_t end, bool macklin, bool adhesive)
{
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < PAPER_BATCH; lane += LANES) {
            average_lanes(paper, step, from, to, batch, lane, macklin, adhesive);
        }
    }
}

void KERNEL_NAME(const Paper *paper, const PaperStep *step, const float (*from)[4], float (*to)[4], int32_t first,
                 int32_t end)
{
    if (step->macklin) {
        average_batches(paper, step, from, to, first, end, true, true);
    } else if (step->adhesive) {
        average_batches(paper, step, from, to, first, end, false, true);
    } else {
        average_batches(paper, step, from, to, first, end, false, false);
    }
}
