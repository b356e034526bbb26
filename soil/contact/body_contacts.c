/// Contacts of particles with bodies: memory and state that outlasts the tick, the search for contacts, and their part
/// in a substep of the default solver.
#include "soil/contact/body_contacts.h"

#include <math.h>
#include <string.h>

#include "data/core/tool_geometry.h"
#include "data/core/zeroed_memory.h"
#include "soil/contact/contact_geometry.h"

/// ---- memory --------------------------------------------------------------------------------------------------------
/// Memory for the contacts with bodies, and the state that outlasts the tick: created, saved, restored and checked.
///
/// Fields of the memory are listed once (CONTACT_FIELDS). The hash table has room for twice the contacts, so that a
/// search ends after a step or two.

bool contacts_create(Contacts *contacts, ContactMemory *memory, int particle_capacity, bool ground)
{
    memset(contacts, 0, sizeof *contacts);
    memset(memory, 0, sizeof *memory);
    size_t n = (size_t)particle_capacity;
    contacts->body_capacity = (int32_t)(n * 3);
    contacts->ground_capacity = ground ? (int32_t)n : 0;
    memory->capacity = (int32_t)(n * 3);
    contacts->table_size = CONTACT_TABLE_LEAST;
    while (contacts->table_size < 2 * memory->capacity) {
        contacts->table_size *= 2;
    }
    contacts->bodies = zeroed_alloc(n * 3, sizeof(BodyContact));
    contacts->ground = zeroed_alloc((size_t)contacts->ground_capacity + 1, sizeof(ContactCore));
    contacts->table = zeroed_alloc((size_t)contacts->table_size, sizeof(int32_t));
    size_t bytes = 0;
#define X(type, name) bytes += zeroed_room((size_t)memory->capacity, sizeof(type));
    CONTACT_FIELDS(X)
#undef X
    unsigned char *at = memory->arrays = zeroed_alloc(bytes, 1);
    if (contacts->bodies == NULL || contacts->ground == NULL || contacts->table == NULL || at == NULL) {
        return false;
    }
#define X(type, name)                                                                                                  \
    memory->name = (void *)at;                                                                                         \
    at += zeroed_room((size_t)memory->capacity, sizeof(type));
    CONTACT_FIELDS(X)
#undef X
    return true;
}

void contacts_destroy(Contacts *contacts, ContactMemory *memory)
{
    zeroed_free(contacts->bodies);
    zeroed_free(contacts->ground);
    zeroed_free(contacts->table);
    zeroed_free(memory->arrays);
    memset(contacts, 0, sizeof *contacts);
    memset(memory, 0, sizeof *memory);
}

void body_contacts_give_back(Contacts *contacts, ContactMemory *memory)
{
    size_t count = (size_t)memory->count, capacity = (size_t)memory->capacity;
#define X(type, name) zeroed_give_back_elements(memory->arrays, memory->name, sizeof(type), count, capacity);
    CONTACT_FIELDS(X)
#undef X
    zeroed_give_back_elements(contacts->bodies, contacts->bodies, sizeof *contacts->bodies,
                              (size_t)contacts->body_count, (size_t)contacts->body_capacity);
}

static const StateName recorded[] = {{"contacts.friction_lambda_x", "contacts.force_x"},
                                     {"contacts.friction_lambda_y", "contacts.force_y"},
                                     {"contacts.friction_lambda_z", "contacts.force_z"}};

void contact_memory_visit(ContactMemory *memory, StateVisitor *visitor)
{
    int32_t count = visitor->measuring ? memory->capacity : memory->count;
    STATE_VISIT(visitor, "contacts.count", count);
    if (visitor->restoring) {
        if (visitor->failed || count < 0 || count > memory->capacity) {
            visitor->failed = true;
            return;
        }
        memory->count = count;
    }
#define X(type, name)                                                                                                  \
    state_visit_array(visitor, state_recorded_name(recorded, sizeof recorded / sizeof *recorded, "contacts." #name),   \
                      memory->name, sizeof(type), (size_t)count);
    CONTACT_FIELDS(X)
#undef X
}

bool contact_memory_is_valid(const ContactMemory *memory)
{
    for (int32_t k = 0; k < memory->count; k++) {
        bool good = fabsf(memory->gap[k]) < 1e6F && fabsf(memory->lambda[k]) < 1e12F && fabsf(memory->rest[k]) < 1e3F;
        good = good && fabsf(memory->friction_lambda_x[k]) < 1e12F && fabsf(memory->friction_lambda_y[k]) < 1e12F;
        good = good && memory->pressed[k] >= 0.0F && memory->pressed[k] < 1e12F;
        if (!good || !(fabsf(memory->friction_lambda_z[k]) < 1e12F)) {
            return false;
        }
    }
    return true;
}

/// ---- the search ----------------------------------------------------------------------------------------------------
/// Finds which particles may touch which pieces of a body within a tick, and keeps what their contacts remember.
///
/// A contact is found again by the particle's id and the body's piece, in a hash table, so that friction and what
/// sticks to steel outlast the tick. A contact that did not come where it is by motion (a tool that jumped) holds no
/// energy: its overlap becomes its rest gap.

static uint32_t hash_pair(uint32_t first, uint32_t second)
{
    uint32_t hash = first * 0x9e3779b1u ^ (second * 0x85ebca6bu + 0x7f4a7c15u);
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    return hash ^ hash >> 13;
}

static void index_memory(Contacts *contacts, const ContactMemory *memory, uint32_t *mask)
{
    uint32_t size = CONTACT_TABLE_LEAST;
    while (size < 2u * (uint32_t)memory->count) {
        size *= 2;
    }
    *mask = size - 1;
    memset(contacts->table, 0, size * sizeof(int32_t));
    for (int32_t k = 0; k < memory->count; k++) {
        uint32_t slot = hash_pair(memory->first[k], memory->second[k]) & *mask;
        while (contacts->table[slot] != 0) {
            slot = (slot + 1) & *mask;
        }
        contacts->table[slot] = k + 1;
    }
}

/// Fills the remembered part of a contact; zero when it is new. Returns whether it was known.
static bool recall(const Contacts *contacts, const ContactMemory *memory, uint32_t mask, uint32_t first,
                   uint32_t second, ContactCore *core, uint8_t *face)
{
    uint32_t slot = hash_pair(first, second) & mask;
    while (contacts->table[slot] != 0) {
        int32_t k = contacts->table[slot] - 1;
        if (memory->first[k] == first && memory->second[k] == second) {
            core->lambda = memory->lambda[k];
            core->gap = memory->gap[k];
            core->friction_lambda[0] = memory->friction_lambda_x[k];
            core->friction_lambda[1] = memory->friction_lambda_y[k];
            core->friction_lambda[2] = memory->friction_lambda_z[k];
            core->rest = memory->rest[k];
            core->pressed = memory->pressed[k];
            core->flags = memory->flags[k];
            *face = memory->face[k];
            return true;
        }
        slot = (slot + 1) & mask;
    }
    core->lambda = core->gap = core->rest = core->pressed = 0.0F;
    memset(core->friction_lambda, 0, sizeof core->friction_lambda);
    core->flags = 0;
    *face = TOOL_NO_FACE;
    return false;
}

static void store_contact(ContactMemory *memory, uint32_t first, uint32_t second, const ContactCore *core, uint8_t face)
{
    if (memory->count == memory->capacity || (core->flags == 0 && core->lambda == 0.0F && face == TOOL_NO_FACE)) {
        return;
    }
    int32_t k = memory->count++;
    memory->first[k] = first;
    memory->second[k] = second;
    memory->lambda[k] = core->lambda;
    memory->gap[k] = core->gap;
    memory->friction_lambda_x[k] = core->friction_lambda[0];
    memory->friction_lambda_y[k] = core->friction_lambda[1];
    memory->friction_lambda_z[k] = core->friction_lambda[2];
    memory->rest[k] = core->rest;
    memory->pressed[k] = core->pressed;
    memory->flags[k] = core->flags;
    memory->face[k] = face;
}

void body_contacts_remember(const ContactSystem *system)
{
    const Contacts *contacts = system->contacts;
    const Particles *p = system->particles;
    system->memory->count = 0;
    for (int32_t k = 0; k < contacts->body_count; k++) {
        const BodyContact *body = &contacts->bodies[k];
        uint32_t second = CONTACT_BODY | (uint32_t)body->body << 8 | body->piece;
        store_contact(system->memory, p->id[body->i], second, &body->core, body->face);
    }
}

/// Whether a contact with a gap came where it is by motion. If not (a tool that jumped, soil put into a tool) the
/// overlap is taken as its rest gap: it holds no energy, and opens slowly (see pair_update.c).
static bool continues(const BodyContact *contact, double gap, double reach)
{
    return contact->core.flags == 0 ? gap >= 0.0 : gap >= (double)contact->core.gap - reach;
}

static void set_material(const ContactSystem *system, BodyContact *contact, const SoilTool *tool)
{
    const Particles *p = system->particles;
    int32_t i = contact->i;
    ContactMaterial m = contact_material(system->model, CONTACT_STEEL, p->soil[i], 0, (double)p->radius[i]);
    double mass = p->mass[i] * SOIL_QUANTUM;
    contact->core.stiffness = (float)m.stiffness;
    contact->core.damping = (float)(2.0 * m.damping_ratio * sqrt(m.stiffness * mass));
    contact->crushed = (float)(2.0 * fmax(m.damping_ratio, CRUSHED_DAMPING_RATIO) * sqrt(m.stiffness * mass));
    contact->core.friction = (float)(m.friction * tool->steel_friction);
    contact->core.adhesion = (float)m.adhesion;
    contact->core.yield_force = (float)m.yield_force;
}

/// Where a thread puts the contacts it finds.
typedef struct ContactRoom {
    BodyContact *contacts;
    int32_t count, capacity;
    bool full; ///< contacts were left out
} ContactRoom;

/// True when a side plate's rim parts the soil that it comes to, `relative` to it (m/s, tool's frame): one of its ends
/// touches that soil already, or it comes nearer, `normal` leading to the soil.
static bool parts_soil(const SolverBody *body, const BodyContact *contact, Vec3 normal, Vec3 relative)
{
    bool plate = (body->plates >> contact->piece & 1U) != 0, touched = contact->core.flags != 0;
    return plate && (touched ? contact->face >= TOOL_FACE_RIGHT : vec3_dot(relative, normal) < 0.0);
}

static void consider_piece(const ContactSystem *system, ContactRoom *room, int32_t i, int body, int piece, Vec3 local,
                           Vec3 relative, double reach, uint32_t mask)
{
    const Particles *p = system->particles;
    const SolverBody *solver_body = &system->bodies[body];
    const ToolPiece *shape = &solver_body->tool.shape->pieces[piece];
    Vec3 normal;
    uint8_t face = TOOL_NO_FACE;
    double distance = tool_piece_distance(shape, local, &face, &normal);
    if (distance > (double)p->radius[i] + reach) {
        return;
    }
    if (room->count == room->capacity) {
        room->full = true;
        return;
    }
    BodyContact *contact = &room->contacts[room->count++];
    contact->i = i;
    contact->body = (uint8_t)body;
    contact->piece = (uint8_t)piece;
    uint32_t second = CONTACT_BODY | (uint32_t)body << 8 | (uint32_t)piece;
    recall(system->contacts, system->memory, mask, p->id[i], second, &contact->core, &contact->face);
    contact->slices = parts_soil(solver_body, contact, normal, relative);
    double was = distance; // by way of the face it came in by
    if (contact->slices) {
        was = distance = body_contact_distance(contact, shape, local, &normal);
        face = contact->face;
    } else if (distance <= 0.0) { // outside, all faces lead to the same
        uint8_t kept = contact->face;
        was = tool_piece_distance(shape, local, &kept, &normal);
    }
    if (!continues(contact, was - (double)p->radius[i], reach)) {
        contact->face = face;
        contact->core.rest = (float)fmin(distance - (double)p->radius[i], 0.0);
        contact->core.lambda = contact->core.pressed = 0.0F;
        memset(contact->core.friction_lambda, 0, sizeof contact->core.friction_lambda);
    }
    set_material(system, contact, &solver_body->tool);
}

/// Boxes around the pieces of a tool, in its frame: they rule most particles out. In single precision, for a box that
/// is a little too large does no harm.
typedef struct PieceBoxes {
    int count;
    float middle[3][TOOL_MAX_PIECES], half[3][TOOL_MAX_PIECES]; ///< m, by axis
} PieceBoxes;

/// m: more than single precision loses of places on tools, which reach 20 m at most.
#define BOX_ROUNDING 1e-5F

static void find_boxes(const ToolShape *shape, PieceBoxes *boxes)
{
    boxes->count = shape->piece_count;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        double low[3] = {HUGE_VAL, piece->y_min, HUGE_VAL}, high[3] = {-HUGE_VAL, piece->y_max, -HUGE_VAL};
        for (int c = 0; c < piece->corner_count; c++) {
            for (int axis = 0; axis < 3; axis += 2) {
                double at = piece->corners[c][axis / 2];
                low[axis] = at < low[axis] ? at : low[axis];
                high[axis] = at > high[axis] ? at : high[axis];
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            boxes->middle[axis][k] = (float)(0.5 * (low[axis] + high[axis]));
            boxes->half[axis][k] = (float)(0.5 * (high[axis] - low[axis])) + BOX_ROUNDING;
        }
    }
}

/// Whether a place lies in each of the boxes or no farther beside it than a margin, m. Without branches: several are
/// compared at once.
static void find_near_boxes(const PieceBoxes *boxes, Vec3 place, double most, int32_t near[TOOL_MAX_PIECES])
{
    const float x = (float)place.x, y = (float)place.y, z = (float)place.z, margin = (float)most;
    for (int k = 0; k < boxes->count; k++) {
        near[k] = (fabsf(x - boxes->middle[0][k]) < boxes->half[0][k] + margin) &
                  (fabsf(y - boxes->middle[1][k]) < boxes->half[1][k] + margin) &
                  (fabsf(z - boxes->middle[2][k]) < boxes->half[2][k] + margin);
    }
}

/// What members share while they look for the contacts of a body.
typedef struct BodySearch {
    const ContactSystem *system;
    int body;
    double dt; ///< s
    uint32_t mask;
    PieceBoxes boxes;
    ContactRoom room[TEAM_MOST_MEMBERS]; ///< of each member
} BodySearch;

/// Finds the contacts of particles [first, end).
static void find_body_contacts(const BodySearch *search, ContactRoom *room, int32_t first, int32_t end)
{
    const ContactSystem *system = search->system;
    const Particles *p = system->particles;
    const SolverBody *body = &system->bodies[search->body];
    const SoilTool *tool = &body->tool;
    Vec3 world = pose_apply(&tool->motion.frame, body->middle);
    double skin = 0.2 * system->model->particle_radius;
    for (int32_t i = first; i < end; i++) {
        if (particle_sleeps(p, i)) {
            continue; // none sleeps near a body
        }
        Vec3 at = vec3(p->x[i], p->y[i], p->z[i]);
        Vec3 to = vec3_sub(at, world);
        Vec3 velocity =
            vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(at, tool->motion.center)));
        Vec3 relative = vec3_sub(vec3(p->vx[i], p->vy[i], p->vz[i]), velocity);
        double reach = skin + 1.3 * search->dt * vec3_length(relative);
        double far = body->reach + reach + (double)p->radius[i];
        if (vec3_dot(to, to) > far * far) {
            continue;
        }
        Vec3 local = pose_apply_inverse(&tool->motion.frame, at);
        relative = mat3_mul_transposed(&tool->motion.frame.rotation, relative);
        int32_t near[TOOL_MAX_PIECES];
        find_near_boxes(&search->boxes, local, reach + (double)p->radius[i], near);
        for (int piece = 0; piece < search->boxes.count; piece++) {
            if (near[piece] != 0) {
                consider_piece(system, room, i, search->body, piece, local, relative, reach, search->mask);
            }
        }
    }
}

/// Particles that a member looks at one after another, of every so many: those at a body lie close together.
enum { SEARCHED_TOGETHER = 128 };

static void find_own_body_contacts(void *context, int member, int members)
{
    BodySearch *search = context;
    int32_t count = search->system->particles->count;
    for (int32_t first = member * SEARCHED_TOGETHER; first < count; first += members * SEARCHED_TOGETHER) {
        int32_t end = count - first < SEARCHED_TOGETHER ? count : first + SEARCHED_TOGETHER;
        find_body_contacts(search, &search->room[member], first, end);
    }
}

/// Moves what members have found to `to`, by particle, where there is room for `most`. Returns how many there are, or
/// -1 when some of all had no room.
static int32_t join_found(const BodySearch *search, int members, BodyContact *to, int32_t most)
{
    int32_t left = 0, at = 0, taken[TEAM_MOST_MEMBERS] = {0};
    for (int k = 0; k < members; k++) {
        left += search->room[k].count;
        if (search->room[k].full || left > most) {
            return -1;
        }
    }
    for (int32_t piece = 0; left > 0; piece++) {
        int member = piece % members;
        const ContactRoom *room = &search->room[member];
        int32_t first = taken[member], end = first;
        while (end < room->count && room->contacts[end].i / SEARCHED_TOGETHER == piece) {
            end++;
        }
        memcpy(to + at, room->contacts + first, (size_t)(end - first) * sizeof *to);
        taken[member] = end;
        at += end - first;
        left -= end - first;
    }
    return at;
}

/// The contacts of a body behind those that are there, by particle. Members put their own into the second half of the
/// room, from which they are moved together. False when one had too little.
static bool append_body_contacts(const ContactSystem *system, int body, double dt, uint32_t mask, bool together)
{
    Contacts *contacts = system->contacts;
    BodySearch search = {.system = system, .body = body, .dt = dt, .mask = mask};
    find_boxes(system->bodies[body].tool.shape, &search.boxes);
    BodyContact *room = contacts->bodies + contacts->body_count;
    int32_t left = contacts->body_capacity - contacts->body_count, first = together ? (left + 1) / 2 : 0;
    int members = together ? team_members(system->team) : 1;
    for (int k = 0; k < members; k++) {
        TeamPart part = team_part(left - first, k, members);
        search.room[k] = (ContactRoom){.contacts = room + first + part.first, .capacity = part.end - part.first};
    }
    team_run(system->team, together, find_own_body_contacts, &search);
    int32_t found = together ? join_found(&search, members, room, first) : search.room[0].count;
    contacts->body_count += found > 0 ? found : 0;
    return found >= 0;
}

void body_contacts_find(const ContactSystem *system, double dt)
{
    Contacts *contacts = system->contacts;
    uint32_t mask;
    index_memory(contacts, system->memory, &mask);
    contacts->body_count = 0;
    bool together = system->particles->count > PARTICLES_WORTH_THREADS && team_members(system->team) > 1;
    for (int body = 0; body < system->body_count; body++) {
        if (system->bodies[body].far) {
            continue;
        }
        if (!append_body_contacts(system, body, dt, mask, together)) {
            append_body_contacts(system, body, dt, mask, false); // what is left out does not depend on threads
        }
    }
}

/// ---- in a substep --------------------------------------------------------------------------------------------------
/// Contacts of particles with bodies in the default solver: one after another, for all of a body's contacts share its
/// motion. The law stands in contact_law.h; what it shares with the lanes of pair_kernel.h in contact_equations.h.

typedef float Real;
typedef bool RealBits;
#define real_larger  larger
#define real_smaller smaller
#define real_sqrt    sqrtf
static inline float real_all(float value)
{
    return value;
}
static inline float real_select(bool chosen, float yes, float no)
{
    return chosen ? yes : no;
}

#include "soil/law/contact_equations.h"

static Real3 read_vector(const float from[3])
{
    return (Real3){from[0], from[1], from[2]};
}

static void write_vector(float to[3], Real3 value)
{
    to[0] = value.x;
    to[1] = value.y;
    to[2] = value.z;
}

/// What a contact starts a substep with: what it held in the last one, turned with it.
static void warm_core(ContactCore *core)
{
    bool open = core->gap - core->rest > 0.0F && core->tension == 0.0F;
    core->lambda = open ? 0.0F : smaller(core->lambda, core->most);
    Real3 normal = read_vector(core->normal), lambda_t = read_vector(core->friction_lambda);
    lambda_t = flatten(lambda_t, dot(lambda_t, normal), normal);
    lambda_t = cap3(lambda_t, friction_hold(core->friction, core->lambda, open ? 0.0F : core->tension));
    write_vector(core->friction_lambda, lambda_t);
    write_vector(core->slide, scale3(-core->alpha_t, lambda_t));
}

/// One visit of a contact. `relative`: displacement of i minus that of the other side.
static void solve_core(ContactCore *core, const float relative[3])
{
    Real3 moved = read_vector(relative), normal = read_vector(core->normal),
          lambda_t = read_vector(core->friction_lambda);
    float w = core->inverse_mass, approach = dot(moved, normal), gap = core->gap - core->rest;
    float error = gap + approach + core->alpha * core->lambda + core->gamma * (approach + larger(gap, 0.0F));
    float lambda = relax_normal(core->lambda, error, 1.0F + core->gamma, w, core->alpha, core->tension);
    core->lambda = smaller(lambda, core->most);
    Real3 slid = flatten(add3(read_vector(core->slide), moved), approach, normal);
    lambda_t = relax_friction(lambda_t, slid, w, core->alpha_t);
    float adhesive_hold = core->lambda != 0.0F ? core->tension : 0.0F;
    write_vector(core->friction_lambda, cap3(lambda_t, friction_hold(core->friction, core->lambda, adhesive_hold)));
}

/// After the last iteration: contacts that opened, swelling, and how hard soil was pressed on.
static void finish_core(ContactCore *core, const float relative[3], float h, float radius)
{
    float gap = core->gap += dot(read_vector(relative), read_vector(core->normal));
    if (gap <= 0.0F) {
        core->flags |= CONTACT_TOUCHED;
    }
    core->pressed = larger(core->pressed, core->lambda / (h * h));
    if (gap - core->rest > -CONTACT_SWELLING_LIMIT * radius) {
        core->rest = smaller(core->rest + CONTACT_SWELLING_SPEED * h, 0.0F);
    }
    if (gap > (core->adhesion > 0.0F ? CONTACT_ADHESIVE_SEPARATION : CONTACT_DRY_SEPARATION) * radius) {
        core->flags = 0;
        core->rest = core->lambda = core->pressed = 0.0F;
        memset(core->friction_lambda, 0, sizeof core->friction_lambda);
    }
}

/// ---- both sides ----------------------------------------------------------------------------------------------------

/// The lambda of the contact goes to its two sides, less what they have of it. The particle's row starts a substep
/// with the lambda of the last one, the body with none.
static void apply(const ContactSystem *system, BodyContact *contact, SolverBody *body, const float body_has[3])
{
    const ContactCore *core = &contact->core;
    Row *row = &system->tick->rows[contact->i];
    float to_body[3];
    for (int k = 0; k < 3; k++) {
        float lambda = core->lambda * core->normal[k] + core->friction_lambda[k];
        row->move[k] += row->inverse_mass * (lambda - contact->held[k]);
        to_body[k] = lambda - body_has[k];
        contact->held[k] = lambda;
    }
    solver_body_take(body, contact, to_body);
}

/// Relative displacement of the two sides in this substep.
static void motion_of(const ContactSystem *system, const BodyContact *contact, float relative[3])
{
    float other[3];
    solver_body_motion(&system->bodies[contact->body], contact, other);
    contact_relative(&contact->core, system->tick->rows[contact->i].move, other, relative);
}

/// True of a contact that holds nothing, and held nothing in the last substep.
static bool is_idle(const BodyContact *contact)
{
    return contact->open && dot(read_vector(contact->held), read_vector(contact->held)) == 0.0F;
}

void body_contacts_prepare(const ContactSystem *system, bool first_substep, int32_t first, int32_t end)
{
    for (int32_t k = first; k < end; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (first_substep) {
            memset(contact->held, 0, sizeof contact->held);
        }
        if (!is_idle(contact)) {
            warm_core(&contact->core);
        }
    }
}

void body_contacts_warm(const ContactSystem *system)
{
    for (int32_t k = 0; k < system->contacts->body_count; k++) {
        static const float nothing[3] = {0.0F, 0.0F, 0.0F};
        BodyContact *contact = &system->contacts->bodies[k];
        if (!is_idle(contact)) {
            apply(system, contact, &system->bodies[contact->body], nothing);
        }
    }
}

void body_contacts_visit(const ContactSystem *system)
{
    for (int32_t k = 0; k < system->contacts->body_count; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3], had[3];
        motion_of(system, contact, relative);
        solve_core(&contact->core, relative);
        memcpy(had, contact->held, sizeof had);
        apply(system, contact, &system->bodies[contact->body], had);
    }
}

void body_contacts_finish(const ContactSystem *system, double h, int32_t first, int32_t end)
{
    float radius = (float)system->model->particle_radius;
    for (int32_t k = first; k < end; k++) {
        BodyContact *contact = &system->contacts->bodies[k];
        if (contact->open) {
            continue;
        }
        float relative[3];
        motion_of(system, contact, relative);
        finish_core(&contact->core, relative, (float)h, radius);
        if (contact->core.lambda != 0.0F) {
            atomic_fetch_add_explicit(&system->bodies[contact->body].contacts, 1, memory_order_relaxed);
        }
    }
}
