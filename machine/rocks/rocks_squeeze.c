/// Rocks squeezed between a mover and what stands: which they are, and what keeps steel out of them.
///
/// Ground pushes a rock out of an overlap, steel pushes it back, and the steel itself is moved by forces alone: between
/// the two the rock would be pressed into the steel. So where steel is deep in a squeezed rock (ROCK_PARTS_FROM)
///   - ground that yields is no spring: it keeps the dent that the rock has made;
///   - the steel is lifted out at a bounded speed (RockConstraint.parts), with the force that this takes.
/// And a hit turns a rock within a tick by more than contacts found at its start can follow: they are found anew.
/// Numbers without a source are chosen; test_pilot_scripts holds what they do.
#include <math.h>
#include <string.h>

#include "machine/rocks/rocks_internal.h"

enum {
    FOLLOWED_PAIRS = 16, ///< of squeezed rocks and movers, whose contacts are found anew in a step at most
    KEPT_IMPULSES = 64, ///< of a pair's contacts
};
// m: contacts of squeezed rocks that have come farther in the tick, by motion or by turning, are found anew.
#define FOLLOWED 0.01

// Lets ground that yields keep its dent below squeezed rocks which steel is deep in, and the steel part from them.
static void loosen_jammed(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    int *jammed = scratch->mark; // [budget]; zero again below
    for (int n = 0; n < scratch->squeezed_count; n++) {
        const RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        c->parts = !c->stiff && touch->part >= 0;
        jammed[touch->a] |= c->parts && touch->depth > ROCK_PARTS_FROM;
    }
    for (int n = 0; n < scratch->squeezed_count; n++) {
        RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        if (jammed[touch->a] && c->soft && c->gap < 0.0) {
            touch->rest -= c->gap;
            c->gap = 0.0;
        }
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
}

// Of the rocks that touch both a mover that gives way and something that stands or sleeps: their contacts with these.
void rocks_find_squeezed(Rocks *rocks)
{
    enum { BY_MOVER = 1, BY_STANDING = 2, BY_BOTH = 3 };
    RockScratch *scratch = &rocks->scratch;
    int *between = scratch->mark; // [budget]; zero again below
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        between[scratch->touch[k].a] |= c->stiff ? BY_STANDING : scratch->touch[k].b < 0 ? BY_MOVER : 0;
    }
    scratch->squeezed_count = 0;
    memset(scratch->squeezes, 0, sizeof scratch->squeezes);
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        if (between[scratch->touch[k].a] == BY_BOTH && (c->stiff || scratch->touch[k].b < 0)) {
            scratch->squeezed[scratch->squeezed_count++] = k;
            if (!c->stiff) {
                scratch->squeezes[c->b - scratch->active_count] = true;
            }
        }
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
    loosen_jammed(rocks);
}

/// ---- contacts found anew -------------------------------------------------------------------------------------------

typedef struct Pair {
    int rock, b;
} Pair;

// What a contact that is found anew begins with: its place, in the pose at the tick's start, and N s.
typedef struct KeptImpulse {
    Vec3 arm, impulse;
} KeptImpulse;

// m: where a body's point is that was `arm` from its centre at the tick's start, less `arm`.
static Vec3 gone(const RockBody *body, Vec3 arm)
{
    return vec3_sub(vec3_add(body->moved, mat3_mul(&body->turned, arm)), arm);
}

// m: how far the two sides of a contact have come along each other in the tick, and the rock's ends by turning.
static double come(const Rocks *rocks, const RockTouch *touch, const RockConstraint *c)
{
    const RockBody *a = &rocks->scratch.body[c->a], *b = &rocks->scratch.body[c->b];
    double turn = 0.0; // |R_a - R_b|^2 / 2, the angle squared where it is small
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double by = a->turned.m[i][j] - b->turned.m[i][j];
            turn += 0.5 * by * by;
        }
    }
    double reach = 0.5 * rocks->kind[rocks->state.shape[touch->a][0]].length;
    return vec3_length(vec3_sub(gone(a, c->arm_a), gone(b, c->arm_b))) + reach * sqrt(turn);
}

// A contact as one from the tick's start that has come to where it is now.
static void make_late(Rocks *rocks, int k, const RockMover *mover, const KeptImpulse *kept, int kept_count)
{
    RockScratch *scratch = &rocks->scratch;
    const RockTouch *touch = &scratch->touch[k];
    RockConstraint *c = &scratch->constraint[k];
    int n = rocks_mover_of(touch->b);
    *c = (RockConstraint){.a = scratch->slot[touch->a],
                          .b = scratch->active_count + n,
                          .normal = touch->normal,
                          .friction = rocks->params.mover[n].friction,
                          .drift = rocks_belt_drift(mover, touch->part, touch->normal)};
    const RockBody *a = &scratch->body[c->a], *b = &scratch->body[c->b];
    Vec3 from_a = vec3_sub(touch->point, vec3_add(scratch->start[c->a].position, a->moved));
    Vec3 from_b = vec3_sub(touch->point, vec3_add(scratch->start[c->b].position, b->moved));
    c->arm_a = mat3_mul_transposed(&a->turned, from_a);
    c->arm_b = mat3_mul_transposed(&b->turned, from_b);
    c->gap = -touch->depth - vec3_dot(touch->normal, vec3_sub(gone(a, c->arm_a), gone(b, c->arm_b)));
    Vec3 impulse = vec3(0.0, 0.0, 0.0);
    double nearest = ROCK_SAME_PLACE * ROCK_SAME_PLACE;
    for (int i = 0; i < kept_count; i++) {
        Vec3 to = vec3_sub(c->arm_a, kept[i].arm);
        if (vec3_dot(to, to) < nearest) {
            nearest = vec3_dot(to, to);
            impulse = kept[i].impulse;
        }
    }
    rock_solver_prepare(scratch->body, c, impulse);
    c->approach = 0.0; // what bounces off a mover would be lost to it
}

static void find_anew(Rocks *rocks, Pair pair, const RockMover *mover)
{
    RockScratch *scratch = &rocks->scratch;
    KeptImpulse kept[KEPT_IMPULSES];
    int kept_count = 0, count = 0;
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockTouch *touch = &scratch->touch[k];
        const RockConstraint *c = &scratch->constraint[k];
        if (touch->a != pair.rock || touch->b != pair.b || touch->part < 0) {
            scratch->touch[count] = *touch;
            scratch->constraint[count++] = *c;
        } else if (kept_count < KEPT_IMPULSES) {
            kept[kept_count++] = (KeptImpulse){c->arm_a, rock_solver_impulse(c)};
        }
    }
    scratch->touch_count = count;
    rocks_pose(rocks, pair.rock);
    rocks_pose_mover(rocks, rocks_mover_of(pair.b), mover);
    rocks_touch_mover(rocks, pair.rock, rocks_mover_of(pair.b));
    for (int k = count; k < scratch->touch_count; k++) {
        make_late(rocks, k, mover, kept, kept_count);
    }
}

// The pairs whose contacts have come too far.
static int list_pairs(const Rocks *rocks, Pair pairs[FOLLOWED_PAIRS])
{
    const RockScratch *scratch = &rocks->scratch;
    int count = 0;
    for (int n = 0; n < scratch->squeezed_count; n++) {
        const RockTouch *touch = &scratch->touch[scratch->squeezed[n]];
        const RockConstraint *c = &scratch->constraint[scratch->squeezed[n]];
        bool listed = count == FOLLOWED_PAIRS;
        for (int i = 0; i < count; i++) {
            listed = listed || (pairs[i].rock == touch->a && pairs[i].b == touch->b);
        }
        if (c->parts && !listed && come(rocks, touch, c) > FOLLOWED) {
            pairs[count++] = (Pair){touch->a, touch->b};
        }
    }
    return count;
}

void rocks_follow_squeezed(Rocks *rocks, const RockMover *movers)
{
    Pair pairs[FOLLOWED_PAIRS];
    int count = list_pairs(rocks, pairs);
    for (int i = 0; i < count; i++) {
        find_anew(rocks, pairs[i], &movers[rocks_mover_of(pairs[i].b)]);
    }
    if (count > 0) {
        rocks_find_squeezed(rocks);
    }
}
