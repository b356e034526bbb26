/// The life of rocks: memory for the whole budget at once, adding and taking away, and what others may read of a rock,
/// a pile or the whole. A tick is rocks_step.c, sleep is rocks_sleep.c.
#include "machine/rocks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/rocks/rocks_internal.h"

static bool build_shapes(Rocks *rocks, Status *status)
{
    RockScratch *scratch = &rocks->scratch;
    const char *reason;
    rocks->kind_count = rocks->params.shape_count;
    rocks->kind = calloc((size_t)rocks->kind_count + 2 * (size_t)rocks->params.cut_capacity, sizeof *rocks->kind);
    if (!rocks->kind) {
        return status_fail(status, STATUS_LACKING, "rocks: no memory");
    }
    if (rocks->params.cut_capacity > 0) {
        scratch->point_stride = CONVEX_MAX_POINTS;
        scratch->face_stride = CONVEX_MAX_FACES;
    }
    for (int i = 0; i < rocks->params.shape_count; i++) {
        RockKind *kind = &rocks->kind[i];
        if (!rocks_build_kind(&rocks->params.shape[i], i, kind, status)) {
            return false;
        }
        rocks->length = fmax(rocks->length, kind->length);
        scratch->part_stride = kind->part_count > scratch->part_stride ? kind->part_count : scratch->part_stride;
        for (int p = 0; p < kind->part_count; p++) {
            const ConvexHull *hull = &kind->part[p];
            scratch->point_stride =
                hull->point_count > scratch->point_stride ? hull->point_count : scratch->point_stride;
            scratch->face_stride = hull->face_count > scratch->face_stride ? hull->face_count : scratch->face_stride;
        }
    }
    for (int n = 0; n < rocks->params.obstacle_count; n++) {
        ConvexHull *hull = &rocks->obstacle[n];
        bool built =
            convex_build(rocks->params.obstacle[n].point, rocks->params.obstacle[n].point_count, hull, &reason);
        assert(built); // rocks_check has built it before
        (void)built;
        rocks->obstacle_box[n] = rocks_box_of(hull->point, hull->point_count);
        Vec3 center = vec3_scale(vec3_add(rocks->obstacle_box[n].low, rocks->obstacle_box[n].high), 0.5);
        rocks->obstacle_solid[n] = (ConvexSolid){hull, hull->point, hull->normal, center};
    }
    return true;
}

static bool build_movers(Rocks *rocks)
{
    const char *reason;
    for (int n = 0; n < rocks->params.mover_count; n++) {
        const RockMoverParams *params = &rocks->params.mover[n];
        rocks->mover_part[n] = calloc((size_t)params->part_count + 1, sizeof *rocks->mover_part[n]);
        if (!rocks->mover_part[n]) {
            return false;
        }
        for (int p = 0; p < params->part_count; p++) {
            const RockPart *part = &params->part[p];
            bool built = convex_build(part->point, part->point_count, &rocks->mover_part[n][p].hull, &reason);
            assert(built); // as above
            (void)built;
        }
    }
    return true;
}

static bool allocate_state(Rocks *rocks)
{
    size_t budget = (size_t)rocks->params.budget;
    RockMemory *memory = &rocks->memory;
    bool good = true;
#define X(type, name, width) good = (rocks->state.name = calloc(budget, sizeof *rocks->state.name)) != NULL && good;
    ROCK_FIELDS(X)
#undef X
    memory->capacity = rocks->params.budget * ROCK_TOUCHES;
#define X(type, name, width)                                                                                           \
    good = (memory->name = calloc((size_t)memory->capacity, sizeof *memory->name)) != NULL && good;
    ROCK_MEMORY_FIELDS(X)
#undef X
    return good;
}

// The pointers of the scratch with how many of each: from here to rocks_destroy.
#define SCRATCH_ARRAYS(X)                                                                                              \
    X(posed, budget)                                                                                                   \
    X(point, parts *(size_t)scratch->point_stride)                                                                     \
    X(normal, parts *(size_t)scratch->face_stride)                                                                     \
    X(part_box, parts)                                                                                                 \
    X(box, budget)                                                                                                     \
    X(sweep, budget)                                                                                                   \
    X(next, budget + 1)                                                                                                \
    X(order, budget)                                                                                                   \
    X(pair, budget *ROCK_PAIRS)                                                                                        \
    X(unsorted, budget *ROCK_PAIRS)                                                                                    \
    X(first, budget + 1)                                                                                               \
    X(touch, budget *ROCK_TOUCHES)                                                                                     \
    X(active, budget)                                                                                                  \
    X(support, budget)                                                                                                 \
    X(footing, budget)                                                                                                 \
    X(mark, budget)                                                                                                    \
    X(margin, budget)                                                                                                  \
    X(slot, budget)                                                                                                    \
    X(body, budget + ROCK_MAX_MOVERS + 1)                                                                              \
    X(start, budget + ROCK_MAX_MOVERS)                                                                                 \
    X(constraint, budget *ROCK_TOUCHES)                                                                                \
    X(squeezed, budget *ROCK_TOUCHES)                                                                                  \
    X(known, budget *ROCK_TOUCHES)

static bool allocate_scratch(Rocks *rocks)
{
    RockScratch *scratch = &rocks->scratch;
    size_t budget = (size_t)rocks->params.budget, parts = budget * (size_t)scratch->part_stride;
    bool good = true;
#define X(name, count) good = (scratch->name = calloc(count, sizeof *scratch->name)) != NULL && good;
    SCRATCH_ARRAYS(X)
#undef X
    return good;
}

Rocks *rocks_create(const RocksParams *params, Status *status)
{
    if (!rocks_check(params, status)) {
        return NULL;
    }
    Rocks *rocks = calloc(1, sizeof *rocks);
    if (!rocks) {
        status_fail(status, STATUS_LACKING, "rocks: no memory");
        return NULL;
    }
    rocks->params = *params;
    if (!build_shapes(rocks, status)) {
        rocks_destroy(rocks);
        return NULL;
    }
    if (!build_movers(rocks) || !allocate_state(rocks) || !allocate_scratch(rocks)) {
        status_fail(status, STATUS_LACKING, "rocks: no memory for %d rocks", params->budget);
        rocks_destroy(rocks);
        return NULL;
    }
    for (int i = 0; i < params->budget; i++) {
        rocks->state.shape[i][0] = -1;
    }
    return rocks;
}

void rocks_destroy(Rocks *rocks)
{
    if (!rocks) {
        return;
    }
#define X(type, name, width) free(rocks->state.name);
    ROCK_FIELDS(X)
#undef X
#define X(type, name, width) free(rocks->memory.name);
    ROCK_MEMORY_FIELDS(X)
#undef X
#define X(name, count) free(rocks->scratch.name);
    SCRATCH_ARRAYS(X)
#undef X
    for (int n = 0; n < ROCK_MAX_MOVERS; n++) {
        free(rocks->mover_part[n]);
    }
    free(rocks->kind);
    free(rocks);
}

static bool is_finite(Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool check_rock(const Rocks *rocks, int shape, Vec3 position, Quat turn, Vec3 velocity, Vec3 spin,
                       Status *status)
{
    if (shape < 0 || shape >= rocks->kind_count) {
        return status_fail(status, STATUS_BAD_FILE, "rock: shape is %d; allowed is 0..%d", shape,
                           rocks->kind_count - 1);
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_finite(spin)) {
        return status_fail(status, STATUS_BAD_FILE, "rock: position, velocity or spin is not finite");
    }
    double length = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
    if (!(fabs(length - 1.0) < 1e-6)) {
        return status_fail(status, STATUS_BAD_FILE, "rock: turn has length %g; a unit quaternion is wanted",
                           sqrt(length));
    }
    return true;
}

int rocks_add(Rocks *rocks, int shape, Vec3 position, Quat turn, Vec3 velocity, Vec3 spin, Status *status)
{
    RockState *state = &rocks->state;
    if (!check_rock(rocks, shape, position, turn, velocity, spin, status)) {
        return -1;
    }
    int rock = 0;
    while (rock < rocks->params.budget && state->shape[rock][0] >= 0) {
        rock++;
    }
    if (rock == rocks->params.budget) {
        status_fail(status, STATUS_BAD_FILE, "rock: there are %d already; rocks.budget allows no more", rock);
        return -1;
    }
    rocks_put(state->position[rock], position);
    rocks_put(state->velocity[rock], velocity);
    rocks_put(state->spin[rock], spin);
    rocks_put(state->anchor[rock], position);
    memcpy(state->quaternion[rock], (double[4]){turn.w, turn.x, turn.y, turn.z}, sizeof state->quaternion[rock]);
    rocks_put(state->drift[rock], velocity);
    rocks_put(state->turning[rock], spin);
    state->awake_time[rock][0] = 0.0;
    state->asleep[rock][0] = state->carries[rock][0] = 0;
    state->shape[rock][0] = shape;
    rocks_put(state->force[rock], vec3(0.0, 0.0, 0.0));
    rocks_put(state->moment[rock], vec3(0.0, 0.0, 0.0));
    memset(state->bed[rock], 0, sizeof state->bed[rock]);
    state->damage[rock][0] = 0.0;
    rocks_pose(rocks, rock);
    status_good(status);
    return rock;
}

/// What contacts of a rock that is gone pressed with is not to be found by the next one of its number,
/// nor how it lay in the ground.
static void forget(Rocks *rocks, int rock)
{
    RockMemory *memory = &rocks->memory;
    int kept = 0;
    for (int k = 0; k < memory->count; k++) {
        if (memory->a[k][0] == rock || memory->b[k][0] == rock) {
            continue;
        }
#define X(type, name, width) memmove(memory->name[kept], memory->name[k], sizeof *memory->name);
        ROCK_MEMORY_FIELDS(X)
#undef X
        kept++;
    }
    memory->count = kept;
    memset(&rocks->scratch.footing[rock], 0, sizeof *rocks->scratch.footing);
}

void rocks_remove(Rocks *rocks, int rock)
{
    assert(rock >= 0 && rock < rocks->params.budget);
    if (rocks->state.shape[rock][0] < 0) {
        return;
    }
    rocks_pose_all(rocks);
    rocks->state.shape[rock][0] = -1;
    RockBox box = rocks->scratch.box[rock];
    double margin = 0.02 * rocks->length;
    box.low = vec3_sub(box.low, vec3(margin, margin, margin));
    box.high = vec3_add(box.high, vec3(margin, margin, margin));
    rocks_wake_in_box(rocks, &box, -HUGE_VAL);
    forget(rocks, rock);
}

void rocks_wake(Rocks *rocks, Vec3 middle, double radius)
{
    rocks_pose_all(rocks);
    Vec3 reach = vec3(radius, radius, radius);
    rocks_wake_in_box(rocks, &(RockBox){vec3_sub(middle, reach), vec3_add(middle, reach)}, -HUGE_VAL);
}

bool rocks_add_pile(Rocks *rocks, Vec3 middle, double boundary, Status *status)
{
    RockPileState *piles = &rocks->piles;
    if (!is_finite(middle) || !(boundary >= 0.0 && boundary <= 1e4)) {
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

bool rocks_get(const Rocks *rocks, int rock, RockView *view)
{
    if (rock < 0 || rock >= rocks->params.budget || rocks->state.shape[rock][0] < 0) {
        return false;
    }
    const RockKind *kind = &rocks->kind[rocks->state.shape[rock][0]];
    Mat3 rotation = rocks_rotation(rocks->state.quaternion[rock]);
    Vec3 center = rocks_vec(rocks->state.position[rock]);
    *view = (RockView){.shape = rocks->state.shape[rock][0],
                       .asleep = rocks->state.asleep[rock][0] != 0,
                       .mass = kind->mass,
                       .motion = {.frame = {center, rotation},
                                  .center = center,
                                  .velocity = rocks_vec(rocks->state.velocity[rock]),
                                  .spin = rocks_vec(rocks->state.spin[rock]),
                                  .inverse_mass = 1.0 / kind->mass,
                                  .inertia_inverse = rocks_turn_tensor(&rotation, &kind->inertia_inverse)}};
    return true;
}

bool rocks_get_pile(const Rocks *rocks, int pile, RockPileView *view)
{
    if (pile < 0 || pile >= ROCK_MAX_PILES || !rocks->piles.used[pile][0]) {
        return false;
    }
    const RockLayers *layers = &rocks->scratch.layers[pile];
    *view = (RockPileView){.middle = rocks_vec(rocks->piles.middle[pile]),
                           .radius = layers->radius,
                           .height = layers->height,
                           .layer_count = layers->count};
    for (int i = 0; i < layers->count; i++) {
        view->layer[i] = (RockLayerView){layers->layer_radius[i], layers->held[i] / layers->capacity[i]};
    }
    return true;
}

RocksCounters rocks_get_counters(const Rocks *rocks)
{
    RocksCounters counters = {.contacts = rocks->scratch.touch_count,
                              .avalanches = rocks->avalanches,
                              .pile_wakes = rocks->pile_wakes,
                              .wakes = rocks->wakes,
                              .pressing = rocks->scratch.pressing,
                              .dropped_contacts = rocks->scratch.dropped};
    for (int k = 0; k < rocks->scratch.touch_count; k++) {
        const RockTouch *touch = &rocks->scratch.touch[k];
        if (touch->b >= 0 || touch->part >= 0) { // not the ground
            counters.deepest = fmax(counters.deepest, touch->depth);
        }
    }
    for (int i = 0; i < rocks->params.budget; i++) {
        bool here = rocks->state.shape[i][0] >= 0;
        counters.rocks += here;
        counters.awake += here && !rocks->state.asleep[i][0];
    }
    return counters;
}

void rocks_set_bearing(Rocks *rocks, RocksBearing *bearing)
{
    rocks->bearing = bearing;
}

double rocks_get_underside(const Rocks *rocks, int rock, double x, double y)
{
    assert(rock >= 0 && rock < rocks->params.budget && rocks->state.shape[rock][0] >= 0 && rocks->scratch.posed[rock]);
    return rocks_underside(rocks, rock, x, y);
}

const ConvexHull *rocks_get_part(const Rocks *rocks, int shape, int part)
{
    assert(shape >= 0 && shape < rocks->kind_count && part >= 0 && part < rocks->kind[shape].part_count);
    return &rocks->kind[shape].part[part];
}

int rocks_get_shape_count(const Rocks *rocks)
{
    return rocks->kind_count;
}

int rocks_get_part_count(const Rocks *rocks, int shape)
{
    return rocks->kind[shape].part_count;
}

double rocks_get_volume(const Rocks *rocks, int shape)
{
    return rocks->kind[shape].volume;
}

double rocks_get_mass(const Rocks *rocks)
{
    double mass = 0.0;
    for (int i = 0; i < rocks->params.budget; i++) {
        mass += rocks->state.shape[i][0] >= 0 ? rocks->kind[rocks->state.shape[i][0]].mass : 0.0;
    }
    return mass;
}
