/// Sleep and waking of rocks: the stacking structure of Hsu and Keyser 2010, sections 3.1 to 3.5 (piles are
/// founded, filled, grown, joined and shaken), and rest as such: a rock that stands still on something that stands
/// still sleeps, too. Numbers without a section of the paper are chosen; test_machine_rocks and `validate run piles`
/// check their effects.
#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "machine/rocks/rocks_internal.h"

/// ---- cones and layers of a pile ------------------------------------------------------------------------------------

// Newton's iteration instead of the library's function: the same bits everywhere. For 1e-9 < v < 1e12.
static double cube_root(double v)
{
    double root = v > 1.0 ? v : 1.0;
    for (int k = 0; k < 80; k++) {
        root = (2.0 * root + v / (root * root)) / 3.0;
    }
    return root;
}

// V = pi / 3 r^3 tan(alpha), eq. 1; h = r tan(alpha).
double rock_piles_least_volume(double length, double slope)
{
    double radius = length / slope;
    return M_PI / 3.0 * radius * radius * radius * slope;
}

void rock_piles_cut(double volume, double slope, double length, RockLayers *layers)
{
    memset(layers, 0, sizeof *layers);
    layers->radius = cube_root(3.0 * volume / (M_PI * slope));
    layers->height = layers->radius * slope;
    double count = floor(layers->height / length * (1.0 + 1e-9));
    layers->count = count < 1.0 ? 1 : count > ROCK_MAX_LAYERS ? ROCK_MAX_LAYERS : (int)count;
    layers->thickness = layers->height / layers->count;
    for (int i = 0; i < layers->count; i++) {
        double foot = layers->radius * (layers->count - i) / layers->count;
        double top = layers->radius * (layers->count - i - 1) / layers->count;
        layers->layer_radius[i] = foot;
        layers->capacity[i] = M_PI / 3.0 * layers->thickness * (foot * foot + foot * top + top * top);
    }
}

int rock_piles_find(const RockLayers *layers, double up, double aside)
{
    if (up < 0.0 || up >= layers->height) {
        return -1;
    }
    int layer = (int)(up / layers->thickness);
    layer = layer < layers->count ? layer : layers->count - 1;
    return aside < layers->layer_radius[layer] ? layer : -1;
}

double rock_piles_occupation(const RockLayers *layers)
{
    double held = 0.0, capacity = 0.0;
    for (int i = 0; i < layers->count; i++) {
        held += layers->held[i];
        capacity += layers->capacity[i];
    }
    return held / capacity;
}

// rho_i d v with d = max(r_i - s, 0) / r_i (eq. 2) and v = 1 / (1 + |v|), |v| in m/s.
double rock_piles_score(const RockLayers *layers, int layer, double aside, double speed)
{
    double density = layers->held[layer] / layers->capacity[layer];
    double radius = layers->layer_radius[layer];
    double closeness = fmax(radius - aside, 0.0) / radius;
    return density * closeness / (1.0 + speed);
}

bool rock_piles_stands(const RockLayers *layers, int layer)
{
    for (int i = 0; i < layer; i++) {
        if (layers->asleep[i] == 0) {
            return false;
        }
    }
    return true;
}

/// ---- the ground below a rock asleep --------------------------------------------------------------------------------
/// The ground below rocks that sleep. A rock asleep asks nothing, so the heights below it are noted when it falls
/// asleep, and a rock that has lost its support wakes. Both numbers are chosen; see test_sim_rocks.

// m: ground that sank by more no longer bears what sleeps on it.
#define SUNK 0.01
// Of its box: how far from its middle the ground below a rock is looked at.
#define SPREAD 0.3

/// Wakes a rock asleep; one that is awake stays as it is.
static void wake_rock(Rocks *rocks, int rock)
{
    RockState *state = &rocks->state;
    if (state->shape[rock][0] < 0 || !state->asleep[rock][0]) {
        return;
    }
    state->asleep[rock][0] = 0;
    state->awake_time[rock][0] = 0.0;
    memset(state->drift[rock], 0, sizeof state->drift[rock]);
    memset(state->turning[rock], 0, sizeof state->turning[rock]);
    state->carries[rock][0] = 1;
    memcpy(state->anchor[rock], state->position[rock], sizeof state->anchor[rock]);
}

// Returns the mover that bears the rock, -1 = none.
static int measure_bed(const Rocks *rocks, int rock, RocksGround *ground, void *context, double bed[ROCK_BED])
{
    int mover = -1;
    static const double place[ROCK_BED][2] = {{0.0, 0.0}, {-1.0, -1.0}, {1.0, -1.0}, {-1.0, 1.0}, {1.0, 1.0}};
    const RockBox *box = &rocks->scratch.box[rock];
    Vec3 size = vec3_sub(box->high, box->low), middle = rocks_vec(rocks->state.position[rock]);
    for (int k = 0; k < ROCK_BED; k++) {
        Vec3 at = vec3(middle.x + SPREAD * size.x * place[k][0], middle.y + SPREAD * size.y * place[k][1], box->low.z);
        Vec3 normal;
        bed[k] = 0.0;
        if (ground != NULL) {
            int bears = ground(context, at, &bed[k], &normal);
            mover = bears > mover ? bears : mover;
        }
    }
    return mover;
}

void rocks_note_bed(Rocks *rocks, int rock, RocksGround *ground, void *context)
{
    measure_bed(rocks, rock, ground, context, rocks->state.bed[rock]);
}

static bool mover_moves(const Rocks *rocks, int mover)
{
    if (mover < 0 || mover >= rocks->scratch.mover_count) {
        return false;
    }
    const RockMover *of = &rocks->scratch.mover[mover];
    return vec3_length(of->motion.velocity) + vec3_length(of->motion.spin) > ROCK_MOVER_MOVES;
}

void rocks_wake_unbedded(Rocks *rocks, RocksGround *ground, void *context)
{
    if (ground == NULL) {
        return;
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] < 0 || !rocks->state.asleep[i][0]) {
            continue;
        }
        double bed[ROCK_BED];
        bool sunk = mover_moves(rocks, measure_bed(rocks, i, ground, context, bed));
        for (int k = 0; k < ROCK_BED; k++) {
            sunk = sunk || bed[k] < rocks->state.bed[i][k] - SUNK;
        }
        if (sunk) {
            wake_rock(rocks, i);
        }
    }
}

/// ---- falling asleep and waking -------------------------------------------------------------------------------------

// A normal that points up by this much bears a rock.
#define BEARING_SLOPE 0.2
// Of its length: a rock that moved so far no longer bears what leans on it.
#define SUPPORT_SLIP 0.05
// Share of the capacity above which a pile's structure is made larger (section 3.2).
#define FULL 0.5
// Of the density that started an avalanche: a layer that was let loose and stands again bears that much more until the
// next.
#define BORNE_AGAIN 1.1
// 1/s: how fast a pile's middle follows the mean of its rocks.
#define MIDDLE_RATE 1.0
// Rocks that land near one another found a pile.
#define FOUNDERS 3

enum { MOST_GROWTHS = 40 }; // of a pile in a step

static double speed_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void put_to_sleep(Rocks *rocks, int rock)
{
    RockState *state = &rocks->state;
    state->asleep[rock][0] = 1;
    state->carries[rock][0] = 0;
    memset(state->velocity[rock], 0, sizeof state->velocity[rock]);
    memset(state->spin[rock], 0, sizeof state->spin[rock]);
}

void rocks_wake_in_box(Rocks *rocks, const RockBox *box, double lowest)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && rocks->state.asleep[i][0] && rocks->state.position[i][2] >= lowest &&
            rocks_boxes_meet(box, &rocks->scratch.box[i])) {
            wake_rock(rocks, i);
        }
    }
}

// Distance of a rock from a pile's axis.
static double aside_of(const Rocks *rocks, int rock, int pile)
{
    const double *p = rocks->state.position[rock], *m = rocks->piles.middle[pile];
    return sqrt((p[0] - m[0]) * (p[0] - m[0]) + (p[1] - m[1]) * (p[1] - m[1]));
}

static void wake_pile(Rocks *rocks, int pile)
{
    for (int i = 0; i < rocks->params.budget; i++) {
        if (rocks->state.shape[i][0] >= 0 && aside_of(rocks, i, pile) < rocks->scratch.layers[pile].radius) {
            wake_rock(rocks, i);
        }
    }
}

// m: a mover that reaches deeper into a rock asleep wakes it.
#define MOVER_INTRUDES 2e-3

static Vec3 velocity_at(const double velocity[3], const double spin[3], const double center[3], Vec3 point)
{
    Vec3 arm = vec3_sub(point, rocks_vec(center));
    return vec3_add(rocks_vec(velocity), vec3_cross(rocks_vec(spin), arm));
}

// The speed that a hit gives the rock asleep when both go on together: m_a v / (m_a + m_b), v along the normal; 0 when
// they do not meet within dt.
static double hit_speed(const Rocks *rocks, const RockTouch *touch, double dt)
{
    const RockState *state = &rocks->state;
    Vec3 v = velocity_at(state->velocity[touch->a], state->spin[touch->a], state->position[touch->a], touch->point);
    double mass = rocks->kind[state->shape[touch->a][0]].mass, other = rocks->kind[state->shape[touch->b][0]].mass;
    double closing = -vec3_dot(v, touch->normal);
    return touch->depth + closing * dt > 0.0 ? closing * mass / (mass + other) : 0.0;
}

static Vec3 mover_velocity(const Rocks *rocks, const RockTouch *touch)
{
    const RockMover *mover = &rocks->scratch.mover[rocks_mover_of(touch->b)];
    return vec3_add(mover->motion.velocity,
                    vec3_cross(mover->motion.spin, vec3_sub(touch->point, mover->motion.center)));
}

// A rock asleep that a mover comes to push, or that lies on one that moves.
static bool is_moved(const Rocks *rocks, const RockTouch *touch, double dt)
{
    Vec3 v = mover_velocity(rocks, touch);
    double closing = vec3_dot(v, touch->normal);
    bool lies = touch->normal.z > BEARING_SLOPE && touch->depth > -MOVER_INTRUDES;
    return touch->depth > MOVER_INTRUDES || (touch->depth + closing * dt > 0.0 && closing > ROCK_MOVER_MOVES) ||
           (lies && vec3_length(v) > ROCK_MOVER_MOVES);
}

bool rocks_wake_hit(Rocks *rocks, double dt)
{
    const RockSleepParams *sleep = &rocks->params.sleep;
    bool any = false;
    for (int k = 0; k < rocks->scratch.touch_count; k++) {
        const RockTouch *touch = &rocks->scratch.touch[k];
        if (touch->b < ROCK_STANDS && rocks->state.asleep[touch->a][0] && is_moved(rocks, touch, dt)) {
            wake_rock(rocks, touch->a);
            any = true;
        }
        if (touch->b <= ROCK_STANDS || !rocks->state.asleep[touch->b][0]) {
            continue;
        }
        double speed = hit_speed(rocks, touch, dt);
        if (speed <= sleep->wake_speed) {
            continue;
        }
        any = true;
        rocks->wakes++;
        wake_rock(rocks, touch->b);
        for (int p = 0; p < ROCK_MAX_PILES && speed > sleep->pile_wake_speed; p++) {
            if (rocks->piles.used[p][0] && aside_of(rocks, touch->b, p) < rocks->scratch.layers[p].radius) {
                wake_pile(rocks, p);
                rocks->pile_wakes++;
            }
        }
    }
    return any;
}

// Of its weight: a load that pushes a rock aside or lifts it with more wakes it.
#define LOAD_SHARE 0.25

void rocks_set_load(Rocks *rocks, int rock, Vec3 force, Vec3 moment)
{
    RockState *state = &rocks->state;
    if (state->shape[rock][0] < 0) {
        return;
    }
    rocks_put(state->force[rock], force);
    rocks_put(state->moment[rock], moment);
    double most = LOAD_SHARE * STANDARD_GRAVITY * rocks->kind[state->shape[rock][0]].mass;
    if (state->asleep[rock][0] && (force.x * force.x + force.y * force.y > most * most || force.z > most)) {
        wake_rock(rocks, rock);
    }
}

// Velocities are averaged, not speeds: a rock that the solver jogs to and fro gets nowhere, and is at rest.
static void measure_drift(Rocks *rocks, double dt)
{
    RockState *state = &rocks->state;
    double share = fmin(dt / fmax(rocks->params.sleep.rest_time, dt), 1.0);
    for (int k = 0; k < rocks->scratch.active_count; k++) {
        int i = rocks->scratch.active[k];
        for (int c = 0; c < 3; c++) {
            state->drift[i][c] += share * (state->velocity[i][c] - state->drift[i][c]);
            state->turning[i][c] += share * (state->spin[i][c] - state->turning[i][c]);
        }
        state->awake_time[i][0] += dt;
    }
}

static bool is_restless(const Rocks *rocks, int rock)
{
    const RockState *state = &rocks->state;
    double reach = 0.5 * rocks->kind[state->shape[rock][0]].length;
    double speed = speed_of(state->drift[rock]) + reach * speed_of(state->turning[rock]);
    return !state->asleep[rock][0] &&
           (speed >= rocks->params.sleep.rest_speed || state->awake_time[rock][0] < rocks->params.sleep.wake_time);
}

static void find_supports(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    memset(scratch->support, 0, sizeof *scratch->support * (size_t)rocks->params.budget);
    for (int k = 0; k < scratch->touch_count; k++) {
        const RockTouch *touch = &scratch->touch[k];
        if (!touch->pressed) {
            continue;
        }
        bool mover = touch->b < ROCK_STANDS; // what goes away again holds nothing: soil beside it may bear the rock
        if (mover && (scratch->mover[rocks_mover_of(touch->b)].motion.inverse_mass > 0.0 ||
                      vec3_length(mover_velocity(rocks, touch)) > ROCK_MOVER_MOVES)) {
            scratch->support[touch->a] |= fabs(touch->normal.z) > BEARING_SLOPE ? ROCK_ON_MOVER : 0;
            continue;
        }
        scratch->support[touch->a] |= ROCK_TOUCHED;
        if (touch->b <= ROCK_STANDS) {
            scratch->support[touch->a] |= touch->sinks ? ROCK_ON_RESTLESS : 0;
            scratch->support[touch->a] |= touch->normal.z > BEARING_SLOPE ? ROCK_ON_GROUND : 0;
            continue;
        }
        scratch->support[touch->b] |= ROCK_TOUCHED;
        if (touch->normal.z > BEARING_SLOPE && is_restless(rocks, touch->b)) {
            scratch->support[touch->a] |= ROCK_ON_RESTLESS;
        }
        if (touch->normal.z < -BEARING_SLOPE && is_restless(rocks, touch->a)) {
            scratch->support[touch->b] |= ROCK_ON_RESTLESS;
        }
    }
}

// A rock on which others fell asleep has moved: they wake.
static void drop_what_leans(Rocks *rocks)
{
    RockState *state = &rocks->state;
    for (int k = 0; k < rocks->scratch.active_count; k++) {
        int i = rocks->scratch.active[k];
        if (!state->carries[i][0]) {
            continue;
        }
        double slip = SUPPORT_SLIP * rocks->kind[state->shape[i][0]].length;
        Vec3 moved = vec3_sub(rocks_vec(state->position[i]), rocks_vec(state->anchor[i]));
        if (vec3_dot(moved, moved) > slip * slip) {
            state->carries[i][0] = 0;
            RockBox box = rocks->scratch.box[i];
            double lowest = box.low.z; // what has its centre below that was not borne by it
            double reach = vec3_length(moved) + 0.2 * slip; // back to where it touched them
            Vec3 margin = vec3(reach, reach, reach);
            box.low = vec3_sub(box.low, margin);
            box.high = vec3_add(box.high, margin);
            rocks_wake_in_box(rocks, &box, lowest);
        }
    }
}

static int free_pile(const Rocks *rocks)
{
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (!rocks->piles.used[p][0]) {
            return p;
        }
    }
    return -1;
}

static bool in_a_pile(const Rocks *rocks, int rock)
{
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (rocks->piles.used[p][0] && aside_of(rocks, rock, p) < rocks->scratch.layers[p].radius + rocks->length) {
            return true;
        }
    }
    return false;
}

bool rocks_add_pile(Rocks *rocks, Vec3 middle, double boundary, Status *status)
{
    RockPileState *piles = &rocks->piles;
    if (!isfinite(middle.x) || !isfinite(middle.y) || !isfinite(middle.z) || !(boundary >= 0.0 && boundary <= 1e4)) {
        return status_fail(status, STATUS_BAD_FILE, "pile: boundary is %g m; allowed is 0..1e4, at a finite place",
                           boundary);
    }
    int pile = 0;
    while (pile < ROCK_MAX_PILES && piles->used[pile][0]) {
        pile++;
    }
    if (pile == ROCK_MAX_PILES) {
        return status_fail(status, STATUS_BAD_FILE, "pile: there are %d already; no more are allowed", pile);
    }
    double slope = rocks->params.sleep.repose_slope;
    rocks_put(piles->middle[pile], middle);
    piles->boundary[pile][0] = boundary;
    piles->volume[pile][0] = rock_piles_least_volume(rocks->length, slope);
    piles->used[pile][0] = piles->given[pile][0] = 1;
    for (int i = 0; i < ROCK_MAX_LAYERS; i++) {
        piles->borne[pile][i] = rocks->params.sleep.avalanche_density;
    }
    rock_piles_cut(piles->volume[pile][0], slope, rocks->length, &rocks->scratch.layers[pile]);
    return status_good(status);
}

// A pile where FOUNDERS rocks have landed within a length of one another.
static void found_pile(Rocks *rocks)
{
    const RockScratch *scratch = &rocks->scratch;
    int pile = free_pile(rocks);
    for (int k = 0; k < scratch->active_count && pile >= 0; k++) {
        int i = scratch->active[k], near = 0;
        if (!(scratch->support[i] & ROCK_ON_GROUND) || in_a_pile(rocks, i)) {
            continue;
        }
        Vec3 sum = vec3(0.0, 0.0, 0.0), middle = rocks_vec(rocks->state.position[i]);
        double low = HUGE_VAL;
        for (int j = 0; j < rocks->params.budget; j++) {
            Vec3 p = rocks_vec(rocks->state.position[j]);
            double limit = 1.5 * rocks->length;
            if (rocks->state.shape[j][0] >= 0 && vec3_dot(vec3_sub(p, middle), vec3_sub(p, middle)) < limit * limit) {
                sum = vec3_add(sum, p);
                low = fmin(low, scratch->box[j].low.z);
                near++;
            }
        }
        if (near >= FOUNDERS) {
            Status status;
            rocks_add_pile(rocks, vec3(sum.x / near, sum.y / near, low), 0.0, &status);
            rocks->piles.given[pile][0] = 0;
            return;
        }
    }
}

// m_i of each layer, as volume; the middle of a free pile follows its rocks.
static void count_pile(Rocks *rocks, int pile, double dt)
{
    RockState *state = &rocks->state;
    RockLayers *layers = &rocks->scratch.layers[pile];
    double *middle = rocks->piles.middle[pile], sum[2] = {0.0, 0.0}, held = 0.0;
    rock_piles_cut(rocks->piles.volume[pile][0], rocks->params.sleep.repose_slope, rocks->length, layers);
    for (int i = 0; i < rocks->params.budget; i++) {
        if (state->shape[i][0] < 0) {
            continue;
        }
        int layer = rock_piles_find(layers, state->position[i][2] - middle[2], aside_of(rocks, i, pile));
        if (layer >= 0) {
            double volume = rocks->kind[state->shape[i][0]].box_volume;
            layers->held[layer] += volume;
            layers->asleep[layer] += state->asleep[i][0];
            held += volume;
            sum[0] += volume * state->position[i][0];
            sum[1] += volume * state->position[i][1];
        }
    }
    if (held > 0.0 && !rocks->piles.given[pile][0]) {
        double share = fmin(MIDDLE_RATE * dt, 1.0);
        middle[0] += share * (sum[0] / held - middle[0]);
        middle[1] += share * (sum[1] / held - middle[1]);
    }
}

static void forget_borne(Rocks *rocks, int pile)
{
    for (int i = 0; i < ROCK_MAX_LAYERS; i++) {
        rocks->piles.borne[pile][i] = rocks->params.sleep.avalanche_density;
    }
}

// Section 3.2: twice the volume. Section 3.5: no wider than its boundary; with its lowest layer full there, it rises by
// a layer. False when it stays as it is.
static bool grow_pile(Rocks *rocks, int pile)
{
    RockLayers *layers = &rocks->scratch.layers[pile];
    double slope = rocks->params.sleep.repose_slope, boundary = rocks->piles.boundary[pile][0];
    double volume = 2.0 * rocks->piles.volume[pile][0];
    double widest = M_PI / 3.0 * boundary * boundary * boundary * slope;
    if (boundary > 0.0 && volume >= widest) {
        volume = widest;
        if (rocks->piles.volume[pile][0] >= widest) {
            if (layers->held[0] < layers->capacity[0]) {
                return false;
            }
            rocks->piles.middle[pile][2] += layers->thickness;
        }
    }
    rocks->piles.volume[pile][0] = volume;
    forget_borne(rocks, pile);
    count_pile(rocks, pile, 0.0);
    return true;
}

// Section 3.4.
static void slide_pile(Rocks *rocks, int pile)
{
    const RockLayers *layers = &rocks->scratch.layers[pile];
    bool slides = false;
    for (int i = 0; i < layers->count; i++) {
        double density = layers->held[i] / layers->capacity[i];
        if (density > rocks->piles.borne[pile][i]) {
            rocks->piles.borne[pile][i] = BORNE_AGAIN * density;
            slides = true;
        }
    }
    if (slides) {
        wake_pile(rocks, pile);
        rocks->avalanches++;
    }
}

// Free piles whose middles are within a rock's length are one.
static void merge_piles(Rocks *rocks)
{
    RockPileState *piles = &rocks->piles;
    for (int a = 0; a < ROCK_MAX_PILES; a++) {
        for (int b = a + 1; b < ROCK_MAX_PILES; b++) {
            if (!piles->used[a][0] || !piles->used[b][0] || piles->given[a][0] || piles->given[b][0]) {
                continue;
            }
            Vec3 to = vec3_sub(rocks_vec(piles->middle[b]), rocks_vec(piles->middle[a]));
            if (vec3_dot(to, to) < rocks->length * rocks->length) {
                double share = piles->volume[b][0] / (piles->volume[a][0] + piles->volume[b][0]);
                piles->middle[a][0] += share * to.x;
                piles->middle[a][1] += share * to.y;
                piles->middle[a][2] = fmin(piles->middle[a][2], piles->middle[b][2]);
                piles->volume[a][0] += piles->volume[b][0];
                piles->used[b][0] = 0;
                forget_borne(rocks, a);
            }
        }
    }
}

static void update_piles(Rocks *rocks, double dt)
{
    found_pile(rocks);
    merge_piles(rocks);
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (rocks->piles.used[p][0]) {
            count_pile(rocks, p, dt);
            int growths = 0; // a pile may be founded where there are many already
            while (rock_piles_occupation(&rocks->scratch.layers[p]) > FULL && growths < MOST_GROWTHS &&
                   grow_pile(rocks, p)) {
                growths++;
            }
            slide_pile(rocks, p);
        }
    }
}

static bool sleeps_in_pile(const Rocks *rocks, int rock)
{
    for (int p = 0; p < ROCK_MAX_PILES; p++) {
        if (!rocks->piles.used[p][0]) {
            continue;
        }
        const RockLayers *layers = &rocks->scratch.layers[p];
        double aside = aside_of(rocks, rock, p);
        int layer = rock_piles_find(layers, rocks->state.position[rock][2] - rocks->piles.middle[p][2], aside);
        if (layer >= 0 && rock_piles_stands(layers, layer) &&
            rock_piles_score(layers, layer, aside, speed_of(rocks->state.velocity[rock])) >
                rocks->params.sleep.threshold) {
            return true;
        }
    }
    return false;
}

static bool may_sleep(const Rocks *rocks, int rock)
{
    const RockSleepParams *sleep = &rocks->params.sleep;
    int support = rocks->scratch.support[rock];
    if (rocks->state.awake_time[rock][0] < sleep->wake_time || !(support & ROCK_TOUCHED) || (support & ROCK_ON_MOVER)) {
        return false;
    }
    if (sleep->rest && !is_restless(rocks, rock) && !(support & ROCK_ON_RESTLESS)) {
        return true;
    }
    return sleep->piles && sleeps_in_pile(rocks, rock);
}

// What touches a rock that fell asleep, and is awake, bears it from now on.
static void mark_carriers(Rocks *rocks)
{
    RockState *state = &rocks->state;
    for (int k = 0; k < rocks->scratch.touch_count; k++) {
        int a = rocks->scratch.touch[k].a, b = rocks->scratch.touch[k].b;
        if (!rocks->scratch.touch[k].pressed || b <= ROCK_STANDS || state->asleep[a][0] == state->asleep[b][0]) {
            continue;
        }
        int awake = state->asleep[a][0] ? b : a;
        if (rocks->scratch.mark[awake == a ? b : a] && !state->carries[awake][0]) {
            state->carries[awake][0] = 1;
            memcpy(state->anchor[awake], state->position[awake], sizeof state->anchor[awake]);
        }
    }
}

void rocks_update_sleep(Rocks *rocks, double dt)
{
    if (!rocks->params.sleep.rest && !rocks->params.sleep.piles) {
        return;
    }
    RockScratch *scratch = &rocks->scratch;
    measure_drift(rocks, dt);
    find_supports(rocks);
    drop_what_leans(rocks);
    if (rocks->params.sleep.piles) {
        update_piles(rocks, dt);
    }
    for (int k = 0; k < scratch->active_count; k++) {
        scratch->mark[scratch->active[k]] = may_sleep(rocks, scratch->active[k]);
    }
    for (int k = 0; k < scratch->active_count; k++) {
        if (scratch->mark[scratch->active[k]]) {
            put_to_sleep(rocks, scratch->active[k]);
        }
    }
    mark_carriers(rocks);
    memset(scratch->mark, 0, sizeof *scratch->mark * (size_t)rocks->params.budget);
}
