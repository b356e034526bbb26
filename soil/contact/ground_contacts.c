/// Contacts of particles with the ground: who may touch it, and the plane that stands for the surface below each.
///
/// The surface is bilinear, a contact a plane. It is taken anew when the particle has moved by FOLLOW_DISTANCE
/// sideways; the step from plane to plane becomes rest gap, so that rough ground throws nothing up. What a contact
/// remembers is kept with its particle, of which each has at most one such contact (the law: contact_law.h).
#include "soil/contact/ground_contacts.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "soil/contact/contact_geometry.h"
#include "soil/ground/grounds.h"

/// m: a particle that has moved so far sideways touches another piece of the surface.
#define FOLLOW_DISTANCE 0.005
#define SINK            0.5F ///< radii
#define NEAR                                                                                                           \
    0.3 ///< radii: contacts are listed from that gap on; particles that hit something within the tick may come so far

static uint64_t sum_of_versions(const Grounds *grounds)
{
    uint64_t sum = grounds->site->version;
    for (int k = 0; k < grounds->tray_count; k++) {
        sum += grounds->trays[k].ground->version;
    }
    return sum;
}

bool ground_contacts_last(const GroundReach *reach, const Grounds *grounds)
{
    return reach->version == sum_of_versions(grounds);
}

void ground_contacts_restore(GroundReach *reach, const Grounds *grounds, bool last)
{
    reach->known = false;
    reach->version = sum_of_versions(grounds) - (last ? 0 : 1); // versions grow: no change makes it fit again
}

/// What members share while they mark particles.
typedef struct NearSearch {
    const ContactSystem *system;
    ToolSweep sweep;
    double dt; ///< s
    double fastest; ///< m/s, of the trays
    const uint8_t *due; ///< [particles] which to look at; NULL: all
    atomic_bool changed;
} NearSearch;

/// True when a particle may touch the ground within the tick.
static bool comes_near(const NearSearch *search, int32_t i)
{
    const ContactSystem *system = search->system;
    const Particles *p = system->particles;
    Vec3 at = vec3(p->x[i], p->y[i], p->z[i]), velocity = vec3(p->vx[i], p->vy[i], p->vz[i]);
    double speed = vec3_length(velocity) + search->fastest;
    double reach = NEAR * system->model->particle_radius + tool_sweep_reach(&search->sweep, system->particles, i);
    reach += PAIR_APPROACH * search->dt * (speed + system->model->gravity * search->dt);
    reach += p->ground_rest[i] > 0.0F ? (double)p->ground_rest[i] : 0.0;
    Vec3 over = ground_contact_place(system, at);
    if (ground_contact_is_far(system, i, over, reach)) {
        return false;
    }
    Support support = support_find(system->model, system->grounds, over.x, over.y, at.z);
    if (support.tray != NULL) { // how fast it comes nearer
        velocity = vec3_sub(velocity, tray_velocity(support.tray, at));
        reach += PAIR_APPROACH * search->dt * (vec3_length(velocity) - speed);
    }
    return ground_contact_gap(p, i, p->z[i], &support) <= reach;
}

static void mark_own(void *context, int member, int members)
{
    NearSearch *search = context;
    const Particles *p = search->system->particles;
    enum { TOGETHER = 64 }; // particles: their marks fill a cache line. Those that are due lie close together
    bool changed = false;
    for (int32_t first = member * TOGETHER; first < p->count; first += members * TOGETHER) {
        for (int32_t i = first; i < p->count && i < first + TOGETHER; i++) {
            if (!particle_sleeps(p, i) && (search->due == NULL || search->due[i])) {
                bool near = comes_near(search, i);
                changed = changed || near != (p->ground_near[i] != 0);
                p->ground_near[i] = near;
            }
        }
    }
    if (changed) {
        atomic_store(&search->changed, true);
    }
}

/// Marks those of the particles that are `due` which may touch the ground.
static void mark_near(const ContactSystem *system, double dt, const uint8_t *due)
{
    NearSearch search = {.system = system, .dt = dt, .due = due};
    for (int k = 0; k < system->grounds->tray_count; k++) {
        const Tray *tray = &system->grounds->trays[k];
        double arm = 0.5 * (tray->params.length + tray->params.width);
        search.fastest = fmax(search.fastest, vec3_length(tray->velocity) + arm * vec3_length(tray->spin));
    }
    tool_sweep_find(&search.sweep, system, dt);
    team_run(system->team, system->particles->count > PARTICLES_WORTH_THREADS, mark_own, &search);
    system->ground_reach->known = system->ground_reach->known && !atomic_load(&search.changed);
}

void ground_contacts_look(const ContactSystem *system, double dt, const uint8_t *due)
{
    mark_near(system, dt, due);
}

/// The material of a contact, but for the friction of its plane (take_plane), and what its particle remembers. Which
/// particle it is, the list knows already: members of a team read that of each other's contacts while this runs.
static void set_contact(const ContactSystem *system, size_t k, int32_t i)
{
    PairList *list = system->ground_contacts;
    GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    const Particles *p = system->particles;
    ContactMaterial m = contact_material(system->model, CONTACT_GROUND, p->soil[i], p->soil[i], (double)p->radius[i]);
    double mass = p->mass[i] * SOIL_QUANTUM;
    batch->compliance[lane] = (float)(1.0 / m.stiffness);
    batch->relaxation[lane] = (float)(2.0 * m.damping_ratio * sqrt(mass / m.stiffness));
    batch->adhesion[lane] = (float)m.adhesion;
    batch->remoulded[lane] = (float)m.ground_adhesion;
    batch->rebonded_strength[lane] = (float)m.rebonded_strength;
    batch->strength_per_force[lane] = (float)contact_strength_per_force(&m);
    list->rest[k] = p->ground_rest[i];
    list->lambda_x[k] = p->ground_lambda_x[i];
    list->lambda_y[k] = p->ground_lambda_y[i];
    list->lambda_z[k] = p->ground_lambda_z[i];
    bool pressed = p->ground_lambda_x[i] != 0.0F || p->ground_lambda_y[i] != 0.0F || p->ground_lambda_z[i] != 0.0F;
    list->strength[k] = p->ground_strength[i];
    list->flags[k] = p->ground_bond[i] | (pressed ? CONTACT_TOUCHED : 0); // it may have met in the last substep
}

/// The bare floor of a tray: the adhesion of a mere touch, and nothing that sticks again under pressure.
static void lie_on_steel(const ContactSystem *system, size_t k)
{
    PairList *list = system->ground_contacts;
    GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    const Particles *p = system->particles;
    int32_t i = list->i[k];
    ContactMaterial m = contact_material(system->model, CONTACT_GROUND, p->soil[i], p->soil[i], (double)p->radius[i]);
    batch->remoulded[lane] = (float)m.remoulded_adhesion;
    batch->rebonded_strength[lane] = 0.0F;
}

/// Takes the plane under the particle where it is now.
static void take_plane(const ContactSystem *system, size_t k)
{
    PairList *list = system->ground_contacts;
    GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    const Particles *p = system->particles;
    int32_t i = list->i[k];
    const Row *row = &system->tick->rows[i];
    Vec3 at, velocity;
    contact_particle_state(system->particles, system->tick->rows, i, &at, &velocity);
    Vec3 over = ground_contact_place(system, at);
    Support support = support_find(system->model, system->grounds, over.x, over.y, at.z);
    batch->normal_x[lane] = (float)support.normal.x;
    batch->normal_y[lane] = (float)support.normal.y;
    batch->normal_z[lane] = (float)support.normal.z;
    batch->plane[lane] = (float)ground_contact_gap(p, i, at.z, &support);
    batch->base_x[lane] = row->x;
    batch->base_y[lane] = row->y;
    batch->base_z[lane] = row->z;
    batch->friction[lane] = (float)support_friction(system->model, &support, p->soil[i]);
    if (support.bare) {
        lie_on_steel(system, k);
    }
    Vec3 drift = support.tray != NULL ? tray_velocity(support.tray, at) : vec3(0.0, 0.0, 0.0);
    batch->drift_x[lane] = (float)drift.x;
    batch->drift_y[lane] = (float)drift.y;
    batch->drift_z[lane] = (float)drift.z;
    batch->tray[lane] = support.tray != NULL ? (uint8_t)(support.tray - system->grounds->trays + 1) : 0;
}

/// The plane of a tray has moved on with it in the last substep.
static void carry_plane(const ContactSystem *system, size_t k)
{
    const PairList *list = system->ground_contacts;
    GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    Vec3 turn = vec3_scale(system->grounds->trays[batch->tray[lane] - 1].spin, system->tick->last_h);
    Vec3 normal = vec3((double)batch->normal_x[lane], (double)batch->normal_y[lane], (double)batch->normal_z[lane]);
    normal = vec3_add(normal, vec3_cross(turn, normal)); // the next tick takes it anew
    batch->normal_x[lane] = (float)normal.x;
    batch->normal_y[lane] = (float)normal.y;
    batch->normal_z[lane] = (float)normal.z;
    batch->base_x[lane] = row_add(batch->base_x[lane], (double)batch->drift_x[lane] * system->tick->last_h);
    batch->base_y[lane] = row_add(batch->base_y[lane], (double)batch->drift_y[lane] * system->tick->last_h);
    batch->base_z[lane] = row_add(batch->base_z[lane], (double)batch->drift_z[lane] * system->tick->last_h);
}

static void forget(Particles *p, int32_t i)
{
    p->ground_bond[i] = 0;
    p->ground_gap[i] = 0.0F;
    p->ground_rest[i] = 0.0F;
    p->ground_strength[i] = 0;
    p->ground_lambda_x[i] = p->ground_lambda_y[i] = p->ground_lambda_z[i] = 0.0F;
}

/// What members share while they make the list.
typedef struct GroundListing {
    const ContactSystem *system;
    int32_t found[TEAM_MOST_MEMBERS]; ///< of each member's share of the particles
} GroundListing;

static void list_own(void *context, int member, int members)
{
    GroundListing *listing = context;
    PairList *list = listing->system->ground_contacts;
    Particles *p = listing->system->particles;
    TeamPart part = team_part(p->count, member, members);
    int32_t found = 0;
    for (int32_t i = part.first; i < part.end; i++) {
        found += p->ground_near[i] && !particle_sleeps(p, i);
    }
    listing->found[member] = found;
    team_wait(listing->system->team);
    int32_t at = 0;
    for (int k = 0; k < member; k++) {
        at += listing->found[k];
    }
    for (int32_t i = part.first; i < part.end; i++) {
        if (particle_sleeps(p, i)) {
            continue; // its contact stays as it is
        }
        if (p->ground_near[i]) {
            list->j[at] = p->capacity;
            list->i[at++] = i;
        } else {
            forget(p, i);
        }
    }
}

/// From the marks at the particles, which are part of the state.
static void make_list(const ContactSystem *system)
{
    PairList *list = system->ground_contacts;
    GroundListing listing = {.system = system};
    bool together = system->particles->count > PARTICLES_WORTH_THREADS;
    team_run(system->team, together, list_own, &listing);
    int32_t found = 0;
    for (int k = 0; k < (together ? team_members(system->team) : 1); k++) {
        found += listing.found[k];
    }
    list->batches = system->ground_reach->late = (found + BATCH - 1) / BATCH;
    for (int32_t batch = 0; batch < list->batches; batch++) {
        int32_t left = found - batch * BATCH;
        list->used[batch] = (uint8_t)(left < BATCH ? left : BATCH);
        pair_list_pad(list, batch, system->particles->capacity);
    }
    system->ground_reach->known = true;
}

/// Gap that a contact's plane gives where its particle has moved to.
static float gap_after(const PairList *list, size_t k, const double moved[3])
{
    const GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    return batch->plane[lane] + batch->normal_x[lane] * (float)moved[0] + batch->normal_y[lane] * (float)moved[1] +
           batch->normal_z[lane] * (float)moved[2];
}

/// The new plane of a contact may lie higher than the one before, where the surface bends or the ground has changed:
/// the step is taken as rest gap, so that it throws nothing up. Where it lies lower, what is more than SINK of rest gap
/// is given back: taken alone, the steps up would let a particle sink into ground that is rough or steep; but in a
/// hollow it has to find a place between planes. A bonded one is part of the ground that is cut away beneath it: it
/// gives back all that it is in the ground.
static void rest_on_plane(const ContactSystem *system, size_t k, float before)
{
    const PairList *list = system->ground_contacts;
    const GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    bool bonded = (list->flags[k] & CONTACT_BONDED) != 0;
    float now = batch->plane[lane], sunk = bonded ? 0.0F : -SINK * system->particles->radius[list->i[k]];
    if (now < before && now < 0.0F) {
        list->rest[k] += now - (before < 0.0F ? before : 0.0F);
    } else if (now > before && list->rest[k] < sunk) {
        float rest = list->rest[k] + (now - before);
        list->rest[k] = rest < sunk ? rest : sunk;
    }
}

static void find_moved(const ContactSystem *system, size_t k, double moved[3])
{
    const PairList *list = system->ground_contacts;
    const GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    const Row *row = &system->tick->rows[list->i[k]];
    moved[0] = row_metres(row->x, batch->base_x[lane]);
    moved[1] = row_metres(row->y, batch->base_y[lane]);
    moved[2] = row_metres(row->z, batch->base_z[lane]);
}

/// Undisturbed soil is bonded to the ground; overlap without a past is a rest gap (see pair_update.c).
static void begin_life(const ContactSystem *system, size_t k)
{
    PairList *list = system->ground_contacts;
    const GroundBatch *batch = &list->ground[k / BATCH];
    const size_t lane = k % BATCH;
    int32_t i = list->i[k];
    float gap = batch->plane[lane];
    bool bonds = batch->adhesion[lane] > 0.0F && system->particles->newborn[i] == PARTICLE_BORN &&
                 !particle_is_disturbed(system->particles, i, system->model->particle_radius);
    if (list->flags[k] != 0) {
        list->strength[k] = bonds ? PAIR_WHOLE : list->strength[k];
        list->flags[k] |= bonds ? CONTACT_BONDED : 0;
        rest_on_plane(system, k, system->particles->ground_gap[i]);
        return;
    }
    if (bonds && gap < (float)PAIR_SKIN * system->particles->radius[i]) {
        list->strength[k] = PAIR_WHOLE;
        list->flags[k] = CONTACT_BONDED | CONTACT_TOUCHED;
        list->rest[k] = gap;
    } else if (gap < 0.0F) {
        list->rest[k] = gap < list->rest[k] ? gap : list->rest[k];
        bool cut = particle_is_cut(system->particles, i) && !(batch->adhesion[lane] > 0.0F);
        list->flags[k] = cut ? CONTACT_CUT | CONTACT_TOUCHED : 0;
    }
}

void ground_contacts_list(const ContactSystem *system, double dt, bool anew)
{
    if (anew || !ground_contacts_last(system->ground_reach, system->grounds)) {
        mark_near(system, dt, NULL);
        system->ground_reach->version = sum_of_versions(system->grounds);
        system->ground_reach->known = false;
    }
    bool mixed = system->ground_reach->late < system->ground_contacts->batches;
    if (!system->ground_reach->known ||
        mixed) { // which batch a contact is in may decide when its batch sleeps: always by particle
        make_list(system);
    }
}

bool ground_contacts_add(const ContactSystem *system, int32_t i)
{
    PairList *list = system->ground_contacts;
    bool room = list->batches > system->ground_reach->late && list->used[list->batches - 1] < BATCH;
    if (!room && list->batches == list->capacity) {
        return false;
    }
    if (!room) {
        list->used[list->batches] = 0;
        pair_list_pad(list, list->batches++, system->particles->capacity);
    }
    size_t k = (size_t)(list->batches - 1) * BATCH + list->used[list->batches - 1]++;
    list->awake[list->batches - 1] = 1;
    system->particles->ground_near[i] = 1;
    list->i[k] = i;
    list->j[k] = system->particles->capacity;
    set_contact(system, k, i);
    take_plane(system, k);
    float gap = list->ground[k / BATCH].plane[k % BATCH];
    list->rest[k] = fminf(list->rest[k], fminf(gap, 0.0F)); // there should be no overlap: it holds no energy
    return true;
}

void ground_contacts_begin(const ContactSystem *system, int32_t first, int32_t end)
{
    const PairList *list = system->ground_contacts;
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < list->used[batch]; lane++) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            set_contact(system, k, list->i[k]);
            take_plane(system, k);
            begin_life(system, k);
        }
    }
}

void ground_contacts_follow(const ContactSystem *system, int32_t first, int32_t end)
{
    const PairList *list = system->ground_contacts;
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < list->used[batch]; lane++) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            if (list->ground[batch].tray[lane] != 0) {
                carry_plane(system, k);
            }
            double moved[3];
            find_moved(system, k, moved);
            if (moved[0] * moved[0] + moved[1] * moved[1] > FOLLOW_DISTANCE * FOLLOW_DISTANCE) {
                float before = gap_after(list, k, moved);
                take_plane(system, k);
                rest_on_plane(system, k, before);
            }
        }
    }
}

void ground_contacts_end(const ContactSystem *system, int32_t first, int32_t end)
{
    const PairList *list = system->ground_contacts;
    Particles *p = system->particles;
    for (int32_t batch = first; batch < end; batch++) {
        for (int lane = 0; lane < list->used[batch]; lane++) {
            size_t k = (size_t)batch * BATCH + (size_t)lane;
            int32_t i = list->i[k];
            if (list->ground[batch].tray[lane] != 0) {
                carry_plane(system, k);
            }
            double moved[3];
            find_moved(system, k, moved);
            p->ground_gap[i] = gap_after(list, k, moved);
            p->ground_bond[i] = (uint8_t)list->flags[k];
            p->ground_rest[i] = list->rest[k];
            p->ground_strength[i] = list->strength[k];
            p->ground_lambda_x[i] = list->lambda_x[k];
            p->ground_lambda_y[i] = list->lambda_y[k];
            p->ground_lambda_z[i] = list->lambda_z[k];
        }
    }
}
