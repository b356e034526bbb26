/// Decides which grains sleep, cube by cube, and what wakes them.
///
/// Cubes are kept in a hash table that is made anew in each tick in which a grain is calm: what is decided depends on
/// the grains alone, not on their order or on the table.
#include "soil/contact/sleep.h"

#include <math.h>
#include <string.h>

#include "data/core/tool_geometry.h"
#include "soil/contact/contact_geometry.h"
#include "soil/contact/ground_contacts.h"
#include "soil/ground/grounds.h"

#define CUBE_SIDE  8.0 ///< nominal radii. Chosen: some sixty grains share what wakes one of them
#define CALM_SPEED 0.02 ///< m/s: a faster grain is not calm. Chosen; see test_soil_sleep
/// Of its weight: what the forces on a calm grain may lack to balance. Chosen: a stack of 40 that swings slowly sleeps
/// with a force on its plate within 0.2 %; with 0.05, within 4 % (validate run column).
#define CALM_SHARE    0.001F
#define FAST_SPEED    0.1 ///< m/s: nothing sleeps in cubes beside so fast a grain. Chosen
#define WAKING_SHARE  0.1F ///< of what a grain bears: so much beyond its balance wakes it. Chosen; see test_soil_sleep
#define TOOL_DISTANCE 2.0 ///< nominal radii from a tool's plates in which nothing sleeps. Chosen
#define TOOL_TICKS    1.5 ///< in which a tool may reach a grain that sleeps. Chosen: of one at rest a tick is enough
/// Radii that the ground may rise or sink below a grain that sleeps: a step that it takes as rest gap. Chosen.
#define GROUND_STEP 0.05F
/// Radii: gap from which on a grain that did not touch the ground may come to do so, below that of ground_contacts.c.
#define GROUND_NEAR 0.25

/// What a cube holds, and what follows for it.
enum { HOLDS_SLEEPER = 1, HOLDS_RESTLESS = 2, HOLDS_WOKEN = 4, HOLDS_FAST = 8, NEAR_TOOL = 16, STAYS = 32, USED = 64 };

typedef struct Cube {
    int32_t x, y, z; ///< CUBE_SIDE
    uint32_t marks;
} Cube;

typedef struct Cubes {
    Cube *cubes; ///< [size], most of them free
    int32_t size, count; ///< size: a power of two
    double side; ///< m
} Cubes;

/// Entries of the largest table that so many grains need, each in a cube of its own.
static size_t most_cubes(size_t particles)
{
    return 4 * particles + 64;
}

/// The place of a cube in the table, or that where it would be.
static int32_t find_cube(const Cubes *cubes, int32_t x, int32_t y, int32_t z)
{
    uint32_t hash = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca6bu ^ (uint32_t)z * 0xc2b2ae35u;
    uint32_t mask = (uint32_t)cubes->size - 1, slot = (hash ^ hash >> 15) & mask;
    const Cube *cube = &cubes->cubes[slot];
    while (cube->marks != 0 && (cube->x != x || cube->y != y || cube->z != z)) {
        slot = (slot + 1) & mask;
        cube = &cubes->cubes[slot];
    }
    return (int32_t)slot;
}

static uint32_t marks_of(const Particles *p, int32_t i, int calm_ticks)
{
    if (p->calm[i] == PARTICLE_ASLEEP) {
        return USED | HOLDS_SLEEPER;
    }
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
    uint32_t fast = square > FAST_SPEED * FAST_SPEED ? HOLDS_FAST : 0;
    uint32_t woken = p->calm[i] == PARTICLE_WOKEN ? HOLDS_WOKEN : 0;
    return USED | fast | woken | (p->calm[i] >= calm_ticks ? 0 : HOLDS_RESTLESS);
}

/// The cube's number along an axis: rounded down.
static int32_t number_of(double sides)
{
    int32_t whole = (int32_t)sides;
    return whole - (sides < whole);
}

/// Puts the grains into cubes. False when the table was too small.
static bool fill_cubes(const Particles *p, int calm_ticks, Cubes *cubes, int32_t *cube_of)
{
    memset(cubes->cubes, 0, (size_t)cubes->size * sizeof *cubes->cubes);
    cubes->count = 0;
    double per_side = 1.0 / cubes->side;
    Cube last = {0, 0, 0, 0};
    int32_t slot = 0;
    for (int32_t i = 0; i < p->count; i++) {
        Cube cube = {number_of(p->x[i] * per_side), number_of(p->y[i] * per_side), number_of(p->z[i] * per_side), USED};
        if (last.marks == 0 || cube.x != last.x || cube.y != last.y || cube.z != last.z) {
            last = cube;
            slot = find_cube(cubes, cube.x, cube.y, cube.z);
            if (cubes->cubes[slot].marks == 0) {
                cubes->cubes[slot] = cube;
                if (++cubes->count > cubes->size / 2) {
                    return false;
                }
            }
        }
        cubes->cubes[slot].marks |= marks_of(p, i, calm_ticks);
        cube_of[i] = slot;
    }
    return true;
}

/// Marks the cubes that a body may reach.
static void mark_near_body(const ContactSystem *system, Cubes *cubes, const SolverBody *body, double dt)
{
    const SoilTool *tool = &body->tool;
    const Vec3 middle = body->middle;
    const double radius = body->reach;
    double speed = vec3_length(tool->motion.velocity) + vec3_length(tool->motion.spin) * 2.0 * radius;
    double reach = 0.5 * sqrt(3.0) * cubes->side + TOOL_DISTANCE * system->model->particle_radius +
                   TOOL_TICKS * dt * (speed + CALM_SPEED);
    for (int32_t k = 0; k < cubes->size; k++) {
        Cube *cube = &cubes->cubes[k];
        if (cube->marks == 0 || (cube->marks & HOLDS_RESTLESS) != 0) {
            continue;
        }
        Vec3 at = vec3_scale(vec3(cube->x + 0.5, cube->y + 0.5, cube->z + 0.5), cubes->side);
        Vec3 local = pose_apply_inverse(&tool->motion.frame, at);
        if (vec3_length(vec3_sub(local, middle)) < radius + reach && tool_is_within(tool->shape, local, reach)) {
            cube->marks |= NEAR_TOOL;
        }
    }
}

/// True when the ground below a grain that sleeps is no longer where it was, or moves.
static bool is_ground_changed(const ContactSystem *system, int32_t i)
{
    const Particles *p = system->particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
    Vec3 over = ground_contact_place(system, at);
    Support support = support_find(system->model, system->grounds, over.x, over.y, at.z);
    if (support.tray != NULL && vec3_length(support.tray->velocity) + vec3_length(support.tray->spin) > 0.0) {
        return true;
    }
    double gap = ground_contact_gap(p, i, at.z, &support), radius = (double)p->radius[i];
    return p->ground_near[i] ? fabs(gap - (double)p->ground_gap[i]) > (double)GROUND_STEP * radius
                             : gap < GROUND_NEAR * radius;
}

static void wake_on_changed_ground(const ContactSystem *system)
{
    Particles *p = system->particles;
    for (int32_t i = 0; i < p->count; i++) {
        if (particle_sleeps(p, i) && is_ground_changed(system, i)) {
            p->calm[i] = PARTICLE_WOKEN;
        }
    }
}

/// True when a cube or one of those around holds what lets none of them sleep.
static bool is_disturbed(const Cubes *cubes, const Cube *cube)
{
    for (int k = 0; k < 27; k++) {
        int32_t slot = find_cube(cubes, cube->x + k % 3 - 1, cube->y + k / 3 % 3 - 1, cube->z + k / 9 - 1);
        if ((cubes->cubes[slot].marks & (HOLDS_WOKEN | HOLDS_FAST)) != 0) {
            return true;
        }
    }
    return false;
}

static void choose_cubes(Cubes *cubes)
{
    for (int32_t k = 0; k < cubes->size; k++) {
        Cube *cube = &cubes->cubes[k];
        bool calm = cube->marks != 0 && (cube->marks & (HOLDS_RESTLESS | NEAR_TOOL)) == 0;
        cube->marks |= calm && !is_disturbed(cubes, cube) ? STAYS : 0;
    }
}

/// Grains of cubes that stay fall asleep, those of others wake. Returns whether any did.
static bool put_to_sleep(const ContactSystem *system, const Cubes *cubes, const int32_t *cube_of)
{
    Particles *p = system->particles;
    bool changed = false;
    system->tick->asleep = 0;
    for (int32_t i = 0; i < p->count; i++) {
        bool stays = (cubes->cubes[cube_of[i]].marks & STAYS) != 0;
        if (stays) {
            changed = changed || p->calm[i] != PARTICLE_ASLEEP;
            p->calm[i] = PARTICLE_ASLEEP;
            system->tick->asleep++;
        } else if (p->calm[i] >= PARTICLE_WOKEN) {
            changed = true;
            p->calm[i] = 0;
        }
    }
    return changed;
}

static bool is_any_calm(const Particles *p, int calm_ticks)
{
    for (int32_t i = 0; i < p->count; i++) {
        if (p->calm[i] >= calm_ticks) {
            return true;
        }
    }
    return false;
}

/// True when all slept, and there is nothing that could have woken one.
static bool sleep_on(const ContactSystem *system)
{
    const Particles *p = system->particles;
    uint8_t least = PARTICLE_ASLEEP;
    for (int32_t i = 0; i < p->count; i++) {
        least = p->calm[i] < least ? p->calm[i] : least;
    }
    return least == PARTICLE_ASLEEP && system->body_count == 0;
}

bool sleep_decide(const ContactSystem *system, double dt)
{
    Particles *p = system->particles;
    system->tick->asleep = 0;
    system->tick->held = false;
    system->tick->taken = vec3(0.0, 0.0, 0.0);
    if (system->model->scene.particles.sleepless || !is_any_calm(p, system->model->calm_ticks)) {
        return false;
    }
    if (!ground_contacts_last(system->ground_reach, system->grounds)) {
        wake_on_changed_ground(system);
    }
    if (sleep_on(system)) {
        system->tick->asleep = p->count;
        return false;
    }
    Cubes cubes = {.side = CUBE_SIDE * system->model->particle_radius, .size = 64};
    int32_t *cube_of = scratch_take(system->scratch, "cubes of particles", (size_t)p->count, sizeof *cube_of);
    while (cubes.size < p->count / 8) {
        cubes.size *= 2;
    }
    cubes.cubes = scratch_take(system->scratch, "cubes", most_cubes((size_t)p->count), sizeof *cubes.cubes);
    while (!fill_cubes(p, system->model->calm_ticks, &cubes, cube_of)) {
        cubes.size *= 2;
    }
    for (int b = 0; b < system->body_count; b++) {
        if (!system->bodies[b].far) {
            mark_near_body(system, &cubes, &system->bodies[b], dt);
        }
    }
    choose_cubes(&cubes);
    bool changed = put_to_sleep(system, &cubes, cube_of);
    scratch_give_back(system->scratch, cubes.cubes);
    scratch_give_back(system->scratch, cube_of);
    return changed;
}

size_t sleep_scratch_bytes(size_t particles)
{
    return zeroed_room(particles, sizeof(int32_t)) + zeroed_room(most_cubes(particles), sizeof(Cube));
}

/// ---- contacts ------------------------------------------------------------------------------------------------------

static uint8_t held_in(const PairList *list, const Particles *p, int32_t batch)
{
    int sleepers = 0;
    for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
        sleepers += particle_sleeps(p, list->i[k]) + particle_sleeps(p, list->j[k]);
    }
    return sleepers == 0 ? PAIR_FREE : sleepers == 2 * list->used[batch] ? PAIR_ASLEEP : PAIR_HELD;
}

void sleep_mark_batches(const ContactSystem *system)
{
    PairList *list = system->pairs;
    list->holds = system->tick->asleep > 0;
    if (!list->holds || sleep_holds_all(system)) {
        return; // no batch is looked at
    }
    for (int32_t batch = 0; batch < list->batches; batch++) {
        list->held[batch] = held_in(list, system->particles, batch);
        system->tick->held = system->tick->held || list->held[batch] == PAIR_HELD;
    }
}

/// True when grain i hardly moves and the forces on it balance. Its row holds what contacts moved it in the substep.
static bool is_calm(const Particles *p, const Row *row, int32_t i, float fall)
{
    float x = row->move[0], y = row->move[1], z = row->move[2] - fall, most = CALM_SHARE * fall;
    double square = p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
    return x * x + y * y + z * z < most * most && square < CALM_SPEED * CALM_SPEED && p->newborn[i] == 0;
}

void sleep_count_calm(const ContactSystem *system)
{
    Particles *p = system->particles;
    float fall = (float)(system->model->gravity * system->tick->last_h * system->tick->last_h);
    for (int32_t i = 0; i < p->count; i++) {
        if (!particle_sleeps(p, i)) {
            bool calm = is_calm(p, &system->tick->rows[i], i, fall);
            int ticks = p->calm[i] < system->model->calm_ticks ? p->calm[i] + 1 : system->model->calm_ticks;
            p->calm[i] = calm ? (uint8_t)ticks : 0;
        }
    }
}

/// What contacts bear on a grain.
typedef struct Borne {
    float x, y, z; ///< N s2: their sum
    float sum; ///< N s2: of their sizes
} Borne;

static void bear(Borne *borne, float sign, float x, float y, float z)
{
    borne->x += sign * x;
    borne->y += sign * y;
    borne->z += sign * z;
    borne->sum += sqrtf(x * x + y * y + z * z);
}

static void sum_up_pairs(const PairList *list, const Particles *p, Borne *borne)
{
    for (int32_t batch = 0; batch < list->batches; batch++) {
        if (list->held[batch] == PAIR_FREE) {
            continue;
        }
        for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
            if (particle_sleeps(p, list->i[k])) {
                bear(&borne[list->i[k]], 1.0F, list->lambda_x[k], list->lambda_y[k], list->lambda_z[k]);
            }
            if (particle_sleeps(p, list->j[k])) {
                bear(&borne[list->j[k]], -1.0F, list->lambda_x[k], list->lambda_y[k], list->lambda_z[k]);
            }
        }
    }
}

/// Wakes a grain whose forces do not balance. What it takes goes to the ground meanwhile.
static void weigh_grain(const ContactSystem *system, int32_t i, Borne *borne)
{
    Particles *p = system->particles;
    double fall = system->model->gravity * system->tick->last_h * system->tick->last_h;
    float weight = (float)(p->mass[i] * SOIL_QUANTUM * fall);
    bear(borne, 1.0F, p->ground_lambda_x[i], p->ground_lambda_y[i], p->ground_lambda_z[i]);
    float z = borne->z - weight, square = borne->x * borne->x + borne->y * borne->y + z * z;
    float most = WAKING_SHARE * larger(weight, 0.5F * borne->sum); // what presses from one side presses on the other
    system->tick->taken = vec3_add(system->tick->taken, vec3((double)borne->x, (double)borne->y, (double)z));
    if (!(square <= most * most)) {
        p->calm[i] = PARTICLE_WOKEN;
    }
}

void sleep_weigh_forces(const ContactSystem *system)
{
    Particles *p = system->particles;
    system->tick->taken = vec3(0.0, 0.0, 0.0);
    if (!system->tick->held) {
        return;
    }
    Borne *borne = scratch_take(system->scratch, "what contacts bear", (size_t)p->count, sizeof *borne);
    memset(borne, 0, (size_t)p->count * sizeof *borne);
    sum_up_pairs(system->pairs, p, borne);
    for (int32_t i = 0; i < p->count; i++) {
        if (particle_sleeps(p, i)) {
            weigh_grain(system, i, &borne[i]);
        }
    }
    scratch_give_back(system->scratch, borne);
}

void sleep_wake_beside_removed(const PairList *list, Particles *p)
{
    for (int32_t batch = 0; batch < list->batches; batch++) {
        for (size_t k = (size_t)batch * BATCH; k < (size_t)batch * BATCH + list->used[batch]; k++) {
            int32_t i = list->i[k], j = list->j[k];
            if (i >= p->count || j >= p->count || (p->mass[i] != 0 && p->mass[j] != 0)) {
                continue;
            }
            p->calm[i] = particle_sleeps(p, i) ? PARTICLE_WOKEN : p->calm[i];
            p->calm[j] = particle_sleeps(p, j) ? PARTICLE_WOKEN : p->calm[j];
        }
    }
}
