/// Which pairs come near in a tick, and where they touch: boxes sorted along one axis (sweep and prune, Baraff 1992),
/// then the exact test of two solids (convex_contact.h) for rocks, obstacles and movers, and the plane of the ground
/// below each corner. Contacts that may close within the tick are found too, for they are followed and, but for those
/// of squeezed rocks (rocks_squeeze.c), not found again (rock_solver.h). Numbers without a source are chosen;
/// test_machine_rocks and test_machine_rock_movers hold what they do.
#include <math.h>
#include <string.h>

#include "machine/rocks/rocks_internal.h"

// m: contacts are found from this gap on, and from farther where rock or mover is fast.
#define NEAR 0.01
// Times what a body moves in a tick as it goes at its start: it may be pushed on within it.
#define REACH 1.25
// m: most of that.
#define FARTHEST 0.3

RockBox rocks_box_of(const Vec3 *points, int count)
{
    RockBox box = {points[0], points[0]};
    for (int k = 1; k < count; k++) {
        box.low = vec3(fmin(box.low.x, points[k].x), fmin(box.low.y, points[k].y), fmin(box.low.z, points[k].z));
        box.high = vec3(fmax(box.high.x, points[k].x), fmax(box.high.y, points[k].y), fmax(box.high.z, points[k].z));
    }
    return box;
}

static RockBox widened(const RockBox *box, double margin)
{
    Vec3 reach = vec3(margin, margin, margin);
    return (RockBox){vec3_sub(box->low, reach), vec3_add(box->high, reach)};
}

static void grow(RockBox *box, const RockBox *by)
{
    box->low = vec3(fmin(box->low.x, by->low.x), fmin(box->low.y, by->low.y), fmin(box->low.z, by->low.z));
    box->high = vec3(fmax(box->high.x, by->high.x), fmax(box->high.y, by->high.y), fmax(box->high.z, by->high.z));
}

bool rocks_boxes_meet(const RockBox *a, const RockBox *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static size_t part_at(const RockScratch *scratch, int rock, int part)
{
    return (size_t)rock * (size_t)scratch->part_stride + (size_t)part;
}

ConvexSolid rocks_part_solid(const Rocks *rocks, int rock, int part)
{
    const RockScratch *scratch = &rocks->scratch;
    size_t at = part_at(scratch, rock, part);
    const RockBox *box = &scratch->part_box[at];
    return (ConvexSolid){.hull = &rocks->kind[rocks->state.shape[rock][0]].part[part],
                         .point = scratch->point + at * (size_t)scratch->point_stride,
                         .normal = scratch->normal + at * (size_t)scratch->face_stride,
                         .center = vec3_scale(vec3_add(box->low, box->high), 0.5)};
}

void rocks_pose(Rocks *rocks, int rock)
{
    RockScratch *scratch = &rocks->scratch;
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    const double *q = rocks->state.quaternion[rock];
    Pose pose = {rocks_vec(rocks->state.position[rock]), mat3_from_quat((Quat){q[0], q[1], q[2], q[3]})};
    RockBox *box = &scratch->box[rock];
    for (int p = 0; p < kind->part_count; p++) {
        const ConvexHull *hull = &kind->part[p];
        size_t at = part_at(scratch, rock, p);
        Vec3 *point = scratch->point + at * (size_t)scratch->point_stride;
        Vec3 *normal = scratch->normal + at * (size_t)scratch->face_stride;
        for (int k = 0; k < hull->point_count; k++) {
            point[k] = pose_apply(&pose, hull->point[k]);
        }
        for (int k = 0; k < hull->face_count; k++) {
            normal[k] = mat3_mul(&pose.rotation, hull->normal[k]);
        }
        scratch->part_box[at] = rocks_box_of(point, hull->point_count);
        if (p == 0) {
            *box = scratch->part_box[at];
        } else {
            grow(box, &scratch->part_box[at]);
        }
    }
    scratch->posed[rock] = true;
}

void rocks_pose_all(Rocks *rocks)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !rocks->scratch.posed[i]) {
            rocks_pose(rocks, i);
        }
    }
}

void rocks_find_margins(Rocks *rocks, double dt)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0) {
            double reach = 0.5 * rocks->kind[rocks->state.shape[i][0]].length;
            double speed =
                vec3_length(rocks_vec(rocks->state.velocity[i])) + reach * vec3_length(rocks_vec(rocks->state.spin[i]));
            rocks->scratch.margin[i] = fmin(NEAR + REACH * dt * speed, FARTHEST);
            rocks->scratch.sweep[i] = rocks->scratch.box[i].low.x - rocks->scratch.margin[i];
        }
    }
}

void rocks_pose_mover(Rocks *rocks, int n, const RockMover *mover)
{
    RockScratch *scratch = &rocks->scratch;
    RockBox *box = &scratch->mover_box[n];
    for (int p = 0; p < rocks->params.mover[n].part_count; p++) {
        RockMoverPart *part = &rocks->mover_part[n][p];
        for (int k = 0; k < part->hull.point_count; k++) {
            part->point[k] = pose_apply(&mover->motion.frame, part->hull.point[k]);
        }
        for (int k = 0; k < part->hull.face_count; k++) {
            part->normal[k] = mat3_mul(&mover->motion.frame.rotation, part->hull.normal[k]);
        }
        part->box = rocks_box_of(part->point, part->hull.point_count);
        if (p == 0) {
            *box = part->box;
        } else {
            grow(box, &part->box);
        }
    }
}

static void place_mover(Rocks *rocks, int n, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    const RockMover *mover = &scratch->mover[n];
    const RockBox *box = &scratch->mover_box[n];
    rocks_pose_mover(rocks, n, mover);
    double size = vec3_length(vec3_sub(box->high, box->low));
    double speed = vec3_length(mover->motion.velocity) + size * vec3_length(mover->motion.spin);
    scratch->mover_margin[n] = fmin(REACH * dt * speed, FARTHEST);
}

void rocks_place_movers(Rocks *rocks, const RockMover *movers, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    scratch->mover_count = movers != NULL ? rocks->params.mover_count : 0;
    for (int n = 0; n < scratch->mover_count; n++) {
        scratch->mover[n] = movers[n];
        if (rocks->params.mover[n].part_count > 0) {
            place_mover(rocks, n, dt);
        }
    }
}

void rocks_list_active(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    scratch->active_count = 0;
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !rocks->state.asleep[i][0]) {
            scratch->active[scratch->active_count++] = i;
        }
    }
}

// Rocks by the low x of their boxes, widened by their margins, equals by number. The order of before is nearly this
// one.
static void sort_order(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int kept = 0;
    for (int k = 0; k < scratch->order_count; k++) {
        int rock = scratch->order[k];
        if (rocks->state.shape[rock][0] < 0) {
            scratch->mark[rock] = 0;
        } else {
            scratch->order[kept++] = rock;
            scratch->mark[rock] = 1; // marks the rocks that are listed
        }
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && !scratch->mark[i]) {
            scratch->order[kept++] = i;
        }
        scratch->mark[i] = 0;
    }
    scratch->order_count = kept;
    for (int k = 1; k < kept; k++) {
        int rock = scratch->order[k], at = k;
        double x = scratch->sweep[rock];
        for (; at > 0; at--) {
            int before = scratch->order[at - 1];
            double low = scratch->sweep[before];
            if (low < x || (low == x && before < rock)) {
                break;
            }
            scratch->order[at] = before;
        }
        scratch->order[at] = rock;
    }
}

// Into the order by first, then second rock: counted by the first, then put in by the second.
static void sort_pairs(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    memset(scratch->first, 0, sizeof *scratch->first * (size_t)(rocks->params.budget + 1));
    for (int k = 0; k < scratch->pair_count; k++) {
        scratch->first[scratch->unsorted[k][0] + 1]++;
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        scratch->first[i + 1] += scratch->first[i];
    }
    int *end = scratch->mark; // [budget]: how many of each are in place; zero again below
    for (int k = 0; k < scratch->pair_count; k++) {
        int a = scratch->unsorted[k][0], b = scratch->unsorted[k][1], at = scratch->first[a] + end[a]++;
        for (; at > scratch->first[a] && scratch->pair[at - 1][1] > b; at--) {
            memcpy(scratch->pair[at], scratch->pair[at - 1], sizeof scratch->pair[at]);
        }
        scratch->pair[at][0] = a;
        scratch->pair[at][1] = b;
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
}

static void add_pair(Rocks *rocks, int i, int j)
{
    RockScratch *scratch = &rocks->scratch;
    bool awake = !rocks->state.asleep[i][0], other_awake = !rocks->state.asleep[j][0];
    RockBox box = widened(&scratch->box[i], scratch->margin[i] + scratch->margin[j]);
    if (!rocks_boxes_meet(&box, &scratch->box[j])) {
        return;
    }
    if (scratch->pair_count == ROCK_PAIRS * rocks->params.budget) {
        scratch->dropped++;
        return;
    }
    bool swapped = awake && other_awake ? j < i : !awake;
    scratch->unsorted[scratch->pair_count][0] = swapped ? j : i;
    scratch->unsorted[scratch->pair_count++][1] = swapped ? i : j;
}

// Sweep and prune along x. Two that sleep are no pair: those that sleep skip to the next one awake.
static void find_pairs(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int count = scratch->order_count, *next = scratch->next;
    next[count] = count;
    for (int k = count - 1; k >= 0; k--) {
        next[k] = rocks->state.asleep[scratch->order[k]][0] ? next[k + 1] : k;
    }
    scratch->pair_count = 0;
    for (int k = 0; k < count; k++) {
        int i = scratch->order[k];
        bool awake = !rocks->state.asleep[i][0];
        double reach = scratch->box[i].high.x + scratch->margin[i];
        for (int m = awake ? k + 1 : next[k + 1]; m < count; m = awake ? m + 1 : next[m + 1]) {
            int j = scratch->order[m];
            if (scratch->sweep[j] > reach) {
                break;
            }
            add_pair(rocks, i, j);
        }
    }
    sort_pairs(rocks);
}

static void add_touch(Rocks *rocks, int a, int b, int part, const ConvexContact *contact)
{
    RockScratch *scratch = &rocks->scratch;
    if (scratch->touch_count == ROCK_TOUCHES * rocks->params.budget) {
        scratch->dropped++;
        return;
    }
    scratch->touch[scratch->touch_count++] = (RockTouch){
        .a = a, .b = b, .part = part, .point = contact->point, .normal = contact->normal, .depth = contact->depth};
}

static void touch_solids(Rocks *rocks, int a, int b, int part, const ConvexSolid solids[2], double margin)
{
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    int count = convex_contact_solids(&solids[0], &solids[1], margin, contacts);
    for (int k = 0; k < count; k++) {
        add_touch(rocks, a, b, part, &contacts[k]);
    }
}

static void touch_pair(Rocks *rocks, int a, int b)
{
    RockScratch *scratch = &rocks->scratch;
    double margin = scratch->margin[a] + scratch->margin[b];
    int parts_a = rocks->kind[rocks->state.shape[a][0]].part_count;
    int parts_b = rocks->kind[rocks->state.shape[b][0]].part_count;
    for (int i = 0; i < parts_a; i++) {
        RockBox box = widened(&scratch->part_box[part_at(scratch, a, i)], margin);
        if (!rocks_boxes_meet(&box, &scratch->box[b])) {
            continue;
        }
        for (int j = 0; j < parts_b; j++) {
            if (rocks_boxes_meet(&box, &scratch->part_box[part_at(scratch, b, j)])) {
                ConvexSolid solids[2] = {rocks_part_solid(rocks, a, i), rocks_part_solid(rocks, b, j)};
                touch_solids(rocks, a, b, 0, solids, margin);
            }
        }
    }
}

static void touch_obstacles(Rocks *rocks, int rock)
{
    double margin = rocks->scratch.margin[rock];
    RockBox box = widened(&rocks->scratch.box[rock], margin);
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int n = 0; n < rocks->params.obstacle_count; n++) {
        if (!rocks_boxes_meet(&box, &rocks->obstacle_box[n])) {
            continue;
        }
        for (int p = 0; p < parts; p++) {
            ConvexSolid solids[2] = {rocks_part_solid(rocks, rock, p), rocks->obstacle_solid[n]};
            touch_solids(rocks, rock, ROCK_STANDS, 0, solids, margin);
        }
    }
}

void rocks_touch_mover(Rocks *rocks, int rock, int n)
{
    const RockScratch *scratch = &rocks->scratch;
    double margin = scratch->margin[rock] + scratch->mover_margin[n];
    RockBox box = widened(&scratch->box[rock], margin);
    if (rocks->params.mover[n].part_count == 0 || !rocks_boxes_meet(&box, &scratch->mover_box[n])) {
        return;
    }
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int m = 0; m < rocks->params.mover[n].part_count; m++) {
        const RockMoverPart *part = &rocks->mover_part[n][m];
        if ((scratch->mover[n].absent >> m & 1U) != 0 || !rocks_boxes_meet(&box, &part->box)) {
            continue;
        }
        Vec3 center = vec3_scale(vec3_add(part->box.low, part->box.high), 0.5);
        for (int p = 0; p < parts; p++) {
            ConvexSolid solids[2] = {rocks_part_solid(rocks, rock, p),
                                     {&part->hull, part->point, part->normal, center}};
            touch_solids(rocks, rock, ROCK_STANDS - 1 - n, m, solids, margin);
        }
    }
}

// Corners near or below the ground, each against the plane of the ground beneath it; all with the mover that bears any.
static void touch_ground(Rocks *rocks, int rock, RocksGround *ground, void *context)
{
    double margin = rocks->scratch.margin[rock];
    if (ground == NULL && rocks->scratch.box[rock].low.z > margin) {
        return;
    }
    int parts = rocks->kind[rocks->state.shape[rock][0]].part_count;
    for (int p = 0; p < parts; p++) {
        ConvexSolid solid = rocks_part_solid(rocks, rock, p);
        ConvexContact near[CONVEX_MAX_POINTS], chosen[CONVEX_PAIR_CONTACTS];
        int count = 0, mover = -1;
        for (int k = 0; k < solid.hull->point_count; k++) {
            double height = 0.0;
            Vec3 normal = vec3(0.0, 0.0, 1.0), point = solid.point[k];
            if (ground != NULL) {
                int bears = ground(context, point, &height, &normal);
                mover = bears > mover ? bears : mover;
            }
            double depth = (height - point.z) * normal.z;
            if (depth >= -margin) {
                near[count++] = (ConvexContact){point, normal, depth};
            }
        }
        rocks_level_contacts(rocks, rock, ground, context, near, count);
        count = count > 0 ? convex_contact_choose(near, count, chosen) : 0;
        for (int k = 0; k < count; k++) {
            add_touch(rocks, rock, ROCK_STANDS - 1 - mover, -1, &chosen[k]);
        }
    }
}

void rocks_find_touches(Rocks *rocks, RocksGround *ground, void *context)
{
    RockScratch *scratch = &rocks->scratch;
    rocks_list_active(rocks);
    scratch->touch_count = scratch->dropped = 0;
    sort_order(rocks);
    find_pairs(rocks);
    for (int k = 0; k < scratch->pair_count; k++) {
        touch_pair(rocks, scratch->pair[k][0], scratch->pair[k][1]);
    }
    for (int k = 0; k < scratch->active_count; k++) {
        touch_obstacles(rocks, scratch->active[k]);
        touch_ground(rocks, scratch->active[k], ground, context);
    }
    for (int i = 0; i < rocks->params.budget && scratch->mover_count > 0; i++) {
        for (int n = 0; n < scratch->mover_count && rocks->state.shape[i][0] >= 0; n++) {
            rocks_touch_mover(rocks, i, n);
        }
    }
}
