/// A tick of rocks: contacts are found once (rocks_begin), each step moves what is awake and solves the contacts
/// (rocks_substep), the end tells who sleeps (rocks_end). Also the exchange with movers: their velocity goes in, a
/// wrench comes out. Numbers without a source are chosen; test_machine_rocks and test_machine_rock_movers hold what
/// they do.
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "machine/rocks/rocks_internal.h"

// A hit wakes rocks, which may hit others: so often in a tick at most.
enum { WAKE_PASSES = 4 };

// Of the contacts of rocks under a mover: with 12 a stone of 70 kg bears 22 t within 0.1 %. And most visits of contacts
// of a step.
enum { SQUEEZE_SWEEPS = 12, SQUEEZE_VISITS = 600 };

// s: longest step of rocks_step.
#define LONGEST_STEP (1.0 / 480.0)
// m: a rock that is found deeper in the ground than contacts ever press it was put or buried there, and is left there.
#define BURIED 0.03
// m/s and rad/s: what a mover that squeezes rocks may gain in a step is foreseen up to this; more is a blow from
// elsewhere.
#define FORESEEN 0.1

// m/s: a rock that sinks faster does not sleep.
#define SINKS 0.002

/// ---- bodies --------------------------------------------------------------------------------------------------------

static int standing_body(const Rocks *rocks)
{
    return rocks->scratch.active_count + rocks->scratch.mover_count;
}

static int body_of(const Rocks *rocks, int b)
{
    const RockScratch *scratch = &rocks->scratch;
    if (b >= 0) {
        return rocks->state.asleep[b][0] ? standing_body(rocks) : scratch->slot[b];
    }
    return b == ROCK_STANDS ? standing_body(rocks) : scratch->active_count + rocks_mover_of(b);
}

static RockBody mover_body(const RockMover *mover, const Pose *start)
{
    RockBody body = {.velocity = mover->motion.velocity,
                     .spin = mover->motion.spin,
                     .inverse_mass = mover->motion.inverse_mass,
                     .inertia_inverse = mover->motion.inertia_inverse};
    body.moved = vec3_sub(mover->motion.center, start->position);
    for (int i = 0; i < 3; i++) { // R R0'
        for (int j = 0; j < 3; j++) {
            const double *now = mover->motion.frame.rotation.m[i], *then = start->rotation.m[j];
            body.turned.m[i][j] = now[0] * then[0] + now[1] * then[1] + now[2] * then[2];
        }
    }
    return body;
}

static void begin_bodies(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        const RockKind *kind = &rocks->kind[rocks->state.shape[i][0]];
        Mat3 rotation = rocks_rotation(rocks->state.quaternion[i]);
        scratch->slot[i] = k;
        scratch->start[k] = (Pose){rocks_vec(rocks->state.position[i]), rotation};
        scratch->body[k] = (RockBody){.velocity = rocks_vec(rocks->state.velocity[i]),
                                      .spin = rocks_vec(rocks->state.spin[i]),
                                      .inverse_mass = 1.0 / kind->mass,
                                      .inertia_inverse = rocks_turn_tensor(&rotation, &kind->inertia_inverse),
                                      .turned = mat3_identity()};
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        int k = scratch->active_count + n;
        scratch->start[k] = (Pose){scratch->mover[n].motion.center, scratch->mover[n].motion.frame.rotation};
        scratch->body[k] = mover_body(&scratch->mover[n], &scratch->start[k]);
    }
    scratch->body[standing_body(rocks)] = (RockBody){.turned = mat3_identity()};
}

/// ---- contacts and what they remember -------------------------------------------------------------------------------

Vec3 rocks_belt_drift(const RockMover *mover, int part, Vec3 out)
{
    if (part < 0 || part > 1 || mover->belt[part] == 0.0) {
        return vec3(0.0, 0.0, 0.0);
    }
    const Mat3 *r = &mover->motion.frame.rotation;
    Vec3 along = vec3_cross(vec3(r->m[0][1], r->m[1][1], r->m[2][1]), out);
    return vec3_scale(along, mover->belt[part]);
}

// The memory's contacts by rock a: scratch.known lists them, those of rock a from first[a] to first[a + 1].
static void index_memory(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    const RockMemory *memory = &rocks->memory;
    int budget = rocks->params.budget;
    memset(scratch->first, 0, sizeof *scratch->first * (size_t)(budget + 1));
    for (int k = 0; k < memory->count; k++) {
        scratch->first[memory->a[k][0] + 1]++;
    }
    for (int i = 0; i < budget; i++) {
        scratch->first[i + 1] += scratch->first[i];
    }
    int *end = scratch->mark; // [budget]: how many of each are in place; zero again below
    for (int k = 0; k < memory->count; k++) {
        int a = memory->a[k][0];
        scratch->known[scratch->first[a] + end[a]++] = k;
    }
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)budget);
}

// The nearest contact of the last tick, which is then used up; -1 = none. `anchor` in rock a's frame.
static int recall(Rocks *rocks, const RockTouch *touch, Vec3 anchor)
{
    RockScratch *scratch = &rocks->scratch;
    int best = -1;
    double nearest = ROCK_SAME_PLACE * ROCK_SAME_PLACE;
    for (int n = scratch->first[touch->a]; n < scratch->first[touch->a + 1]; n++) {
        int k = scratch->known[n];
        if (k < 0 || rocks->memory.b[k][0] != touch->b) {
            continue;
        }
        Vec3 to = vec3_sub(anchor, rocks_vec(rocks->memory.anchor[k]));
        if (vec3_dot(to, to) < nearest) {
            nearest = vec3_dot(to, to);
            best = n;
        }
    }
    if (best < 0) {
        return -1;
    }
    int k = scratch->known[best];
    scratch->known[best] = -1;
    return k;
}

static void make_constraint(Rocks *rocks, int k)
{
    RockScratch *scratch = &rocks->scratch;
    RockTouch *touch = &scratch->touch[k];
    RockConstraint *c = &scratch->constraint[k];
    bool mover = touch->b < ROCK_STANDS;
    *c = (RockConstraint){.a = scratch->slot[touch->a],
                          .b = body_of(rocks, touch->b),
                          .normal = touch->normal,
                          .friction = rocks->params.friction};
    c->arm_a = vec3_sub(touch->point, scratch->start[c->a].position);
    int known = recall(rocks, touch, mat3_mul_transposed(&scratch->start[c->a].rotation, c->arm_a));
    touch->rest = known >= 0 ? fmax(fmin(rocks->memory.rest[known][0], touch->depth), 0.0) : 0.0;
    if (known < 0 && touch->part < 0 && touch->depth > BURIED) {
        touch->rest = touch->depth;
    }
    c->gap = touch->rest - touch->depth;
    if (mover) {
        const RockMover *of = &scratch->mover[rocks_mover_of(touch->b)];
        c->arm_b = vec3_sub(touch->point, of->motion.center);
        c->friction = rocks->params.mover[rocks_mover_of(touch->b)].friction;
        c->drift = rocks_belt_drift(of, touch->part, touch->normal);
    } else if (c->b < scratch->active_count) {
        c->arm_b = vec3_sub(touch->point, scratch->start[c->b].position);
    }
    Vec3 impulse = known >= 0 ? rocks_vec(rocks->memory.impulse[known]) : vec3(0.0, 0.0, 0.0);
    rock_solver_prepare(scratch->body, c, impulse);
    rocks_soften(rocks, touch, c);
    c->approach = mover ? 0.0 : c->approach; // what bounces off a mover would be lost to it
}

static void remember(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    RockMemory *memory = &rocks->memory;
    memory->count = 0;
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockConstraint *c = &scratch->constraint[k];
        const RockTouch *touch = &scratch->touch[k];
        if ((c->impulse <= 0.0 && touch->rest == 0.0) || rocks->state.asleep[touch->a][0]) {
            continue;
        }
        int n = memory->count++;
        memory->a[n][0] = touch->a;
        memory->b[n][0] = touch->b;
        memory->rest[n][0] = touch->rest + c->sunk; // ground that gave way does not push back
        rocks_put(memory->anchor[n], mat3_mul_transposed(&scratch->start[c->a].rotation, c->arm_a));
        rocks_put(memory->impulse[n], rock_solver_impulse(c));
    }
}

/// ---- the tick ------------------------------------------------------------------------------------------------------

void rocks_begin(Rocks *rocks, RocksGround *ground, void *context, const RockMover *movers, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    rocks_pose_all(rocks);
    rocks_place_movers(rocks, movers, dt);
    rocks_wake_unbedded(rocks, ground, context);
    rocks_find_margins(rocks, dt);
    rocks_forget_footings(rocks);
    rocks_find_touches(rocks, ground, context);
    for (int pass = 0; pass < WAKE_PASSES && rocks_wake_hit(rocks, dt); pass++) {
        rocks_find_touches(rocks, ground, context);
    }
    rocks_list_active(rocks);
    rocks_find_footings(rocks, context);
    begin_bodies(rocks);
    index_memory(rocks);
    for (int k = 0; k < scratch->touch_count; k++) {
        make_constraint(rocks, k);
    }
    memcpy(scratch->before, scratch->mover, sizeof scratch->before);
    rocks_find_squeezed(rocks);
}

// Turns a quaternion by spin x h.
static void turn_quaternion(double q[4], Vec3 spin, double h)
{
    Vec3 t = vec3_scale(spin, 0.5 * h);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double n[4] = {w - t.x * x - t.y * y - t.z * z, x + t.x * w + t.y * z - t.z * y, y + t.y * w + t.z * x - t.x * z,
                   z + t.z * w + t.x * y - t.y * x};
    double scale = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    for (int k = 0; k < 4; k++) {
        q[k] = scale * n[k];
    }
}

// Without moment, the angular momentum I w stays as the rock turns: w = I(new)^-1 I(old) w.
static void move_rock(Rocks *rocks, int k, double h)
{
    RockScratch *scratch = &rocks->scratch;
    int i = scratch->active[k];
    const RockKind *kind = &rocks->kind[rocks->state.shape[i][0]];
    RockBody *body = &scratch->body[k];
    double *q = rocks->state.quaternion[i];
    Mat3 rotation = rocks_rotation(q), inertia = rocks_turn_tensor(&rotation, &kind->inertia);
    Vec3 momentum = mat3_mul(&inertia, body->spin);
    body->moved = vec3_madd(body->moved, h, body->velocity);
    turn_quaternion(q, body->spin, h);
    rotation = rocks_rotation(q);
    body->inertia_inverse = rocks_turn_tensor(&rotation, &kind->inertia_inverse);
    body->spin = mat3_mul(&body->inertia_inverse, momentum);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const double *now = rotation.m[r], *then = scratch->start[k].rotation.m[c];
            body->turned.m[r][c] = now[0] * then[0] + now[1] * then[1] + now[2] * then[2];
        }
    }
    rocks_put(rocks->state.position[i], vec3_add(scratch->start[k].position, body->moved));
}

static void add_reaction(const RockScratch *scratch, const RockConstraint *c, double h, Wrench *wrenches)
{
    int n = c->b - scratch->active_count;
    if (n < 0 || n >= scratch->mover_count || c->impulse == 0.0) {
        return;
    }
    Vec3 force = vec3_scale(rock_solver_impulse(c), -1.0 / h);
    Vec3 arm = mat3_mul(&scratch->body[c->b].turned, c->arm_b);
    wrenches[n].force = vec3_add(wrenches[n].force, force);
    wrenches[n].moment = vec3_add(wrenches[n].moment, vec3_cross(arm, force));
}

static int squeeze_sweeps(int count)
{
    int most = count > 0 ? SQUEEZE_VISITS / count : 0;
    return most < SQUEEZE_SWEEPS ? most : SQUEEZE_SWEEPS;
}

// A mover that squeezes rocks, as it will be in the next step if what acts on it lasts, the rocks' forces of the last
// step included: 2 v - v of the step before. What drives it (a cylinder, a weight) then adds to the rocks' forces from
// step to step until they hold it: for a mover of mass m, a part of a machine of mass M, these settle as long as
// m < 2 M.
static void foresee(const RockMover *before, RockBody *body)
{
    Vec3 gained = vec3_sub(body->velocity, before->motion.velocity), turn = vec3_sub(body->spin, before->motion.spin);
    double speed = vec3_length(gained), rate = vec3_length(turn);
    body->velocity = vec3_madd(body->velocity, speed > FORESEEN ? FORESEEN / speed : 1.0, gained);
    body->spin = vec3_madd(body->spin, rate > FORESEEN ? FORESEEN / rate : 1.0, turn);
    body->loaded = true;
}

// Gravity and loads; where the movers are now.
static void begin_substep(Rocks *rocks, const RockMover *movers, double h)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        RockBody *body = &scratch->body[k];
        body->velocity = vec3_madd(body->velocity, h * body->inverse_mass, rocks_vec(rocks->state.force[i]));
        body->velocity.z -= h * STANDARD_GRAVITY;
        body->spin = vec3_madd(body->spin, h, mat3_mul(&body->inertia_inverse, rocks_vec(rocks->state.moment[i])));
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        int k = scratch->active_count + n;
        scratch->body[k] = mover_body(&movers[n], &scratch->start[k]);
        if (scratch->squeezes[n]) {
            foresee(&scratch->before[n], &scratch->body[k]);
        }
        scratch->before[n] = movers[n];
    }
}

static void move_bodies(Rocks *rocks, const RockMover *movers, double h)
{
    RockScratch *scratch = &rocks->scratch;
    for (int k = 0; k < scratch->active_count; k++) {
        move_rock(rocks, k, h);
    }
    for (int n = 0; n < scratch->mover_count; n++) {
        RockBody *body = &scratch->body[scratch->active_count + n];
        body->moved = vec3_madd(body->moved, h, movers[n].motion.velocity);
    }
}

void rocks_substep(Rocks *rocks, const RockMover *movers, double h, Wrench *wrenches)
{
    RockScratch *scratch = &rocks->scratch;
    RockConstraint *constraints = scratch->constraint;
    const RockMover *now = movers != NULL ? movers : scratch->mover;
    begin_substep(rocks, now, h);
    rocks_follow_squeezed(rocks, now);
    RockSqueeze squeeze = {
        .list = scratch->squeezed, .count = scratch->squeezed_count, .sweeps = squeeze_sweeps(scratch->squeezed_count)};
    rock_solver_push(scratch->body, constraints, scratch->touch_count, &squeeze, h);
    move_bodies(rocks, now, h);
    rock_solver_relax(scratch->body, constraints, scratch->touch_count, &squeeze, h);
    for (int k = 0; k < scratch->active_count; k++) {
        rocks_put(rocks->state.velocity[scratch->active[k]], scratch->body[k].velocity);
        rocks_put(rocks->state.spin[scratch->active[k]], scratch->body[k].spin);
    }
    if (wrenches != NULL) {
        memset(wrenches, 0, sizeof *wrenches * (size_t)rocks->params.mover_count);
    }
    scratch->pressing = 0.0;
    for (int k = 0; k < scratch->touch_count; k++) {
        scratch->pressing = fmax(scratch->pressing, constraints[k].impulse / h);
        if (wrenches != NULL) {
            add_reaction(scratch, &constraints[k], h, wrenches);
        }
    }
}

void rocks_end(Rocks *rocks, RocksGround *ground, void *context, double dt)
{
    RockScratch *scratch = &rocks->scratch;
    rock_solver_bounce(scratch->body, scratch->constraint, scratch->touch_count, rocks->params.restitution);
    for (int k = 0; k < scratch->active_count; k++) {
        int i = scratch->active[k];
        rocks_put(rocks->state.velocity[i], scratch->body[k].velocity);
        rocks_put(rocks->state.spin[i], scratch->body[k].spin);
        rocks_pose(rocks, i);
    }
    for (int k = 0; k < scratch->touch_count; k++) {
        RockTouch *touch = &scratch->touch[k];
        touch->pressed = scratch->constraint[k].most > 0.0;
        touch->sinks = scratch->constraint[k].sunk > SINKS * dt;
        scratch->footing[touch->a].sank |= scratch->constraint[k].sunk > 0.0;
    }
    rocks_update_sleep(rocks, dt);
    for (int k = 0; k < scratch->active_count; k++) {
        if (rocks->state.asleep[scratch->active[k]][0]) {
            rocks_note_bed(rocks, scratch->active[k], ground, context);
        }
    }
    remember(rocks);
}

void rocks_step(Rocks *rocks, RocksGround *ground, void *context, double dt)
{
    int steps = (int)ceil(dt / LONGEST_STEP - 1e-9);
    rocks_begin(rocks, ground, context, NULL, dt);
    for (int k = 0; k < steps; k++) {
        rocks_substep(rocks, NULL, dt / steps, NULL);
    }
    rocks_end(rocks, ground, context, dt);
}
