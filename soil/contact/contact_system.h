/// Types of the stages of contacts: bodies and their contacts, the parts of a soil that contacts touch, and what the
/// stages keep of a tick.
///
/// Uses grains/, ground/ and the model below it. The caller lends the parts (soil_parts.h); nothing here
/// is owned but by the soil that contains it.
#ifndef SPADEWORK_SOIL_CONTACT_SYSTEM_H
#define SPADEWORK_SOIL_CONTACT_SYSTEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/core/constants.h"
#include "data/core/state_visitor.h"
#include "data/schema/scene_params.h"
#include "soil/grains/neighbours.h"
#include "soil/grains/particles.h"
#include "soil/ground/grounds.h"
#include "soil/model.h"
#include "soil/pairs/pair_list.h"
#include "soil/parallel/team.h"
#include "soil/soil_types.h"

/// ---- bodies --------------------------------------------------------------------------------------------------------

/// Bodies at a time: tools, the walls of trays, and what stands on the site.
enum { SOIL_MAX_BODIES = SOIL_MAX_TOOLS + SOIL_MAX_TRAYS + SCENE_MAX_FIXTURES };

/// A body during one substep: the tool as given and how far the contacts have moved it.
typedef struct SolverBody {
    SoilTool tool;
    bool stands; ///< a fixture: nothing moves it
    bool far; ///< no particle can come near it within the tick
    uint32_t plates; ///< bits of its pieces: side plates of an edge that cuts; 0: it has none
    Vec3 middle; ///< m, in the tool's frame: of the sphere around its shape; of the tick, with `reach`
    double reach; ///< m: that sphere's radius
    Vec3 displacement; ///< m that contacts have added, of the centre of mass
    Vec3 rotation; ///< rad that contacts have added
    Vec3 lambda; ///< N s2: sum of what acts on the body, force x h^2 of the substep; a Wrench is lambda / h^2
    Vec3 lambda_moment; ///< N m s2: the same about the centre of mass
    atomic_int contacts; ///< that hold a force: members of a team count theirs
} SolverBody;

/// ---- contacts with bodies ------------------------------------------------------------------------------------------

/// Slots of the hash table at least: a power of two.
enum { CONTACT_TABLE_LEAST = 64 };

/// What is alike in every contact.
typedef struct ContactCore {
    float normal[3]; ///< towards particle i
    float drift[3]; ///< m: predicted relative displacement, h v + h^2 g
    float gap; ///< m at the substep's start (remembered: at the tick's end); negative = overlap
    float rest; ///< m: gap without force (soil appears without stored energy)
    float lambda; ///< N s2
    float friction_lambda[3];
    float slide[3]; ///< m: less the elastic shear at the substep's start
    float stiffness, damping; ///< N/m, N s/m
    float friction; ///< mu
    float adhesion; ///< N: force that tears an intact bond; of a body: that tears soil off which lies on it all over
    float yield_force; ///< N: of a body: pressed on with that, the particle lies on it all over
    float pressed; ///< N: largest force that has pressed it on since it met the body
    float inverse_mass; ///< W, 1/kg
    float alpha, gamma, alpha_t;
    float most; ///< N s2: of lambda, in a contact with a body
    float tension; ///< pull of this substep x h^2, and what it adds to friction
    uint8_t flags; ///< CONTACT_*
} ContactCore;

typedef struct BodyContact {
    int32_t i;
    uint8_t body, piece, face;
    bool slices; ///< of a side plate's rim that came to the particle
    bool open; ///< holds nothing and does not close in this substep: not visited
    float arm[3]; ///< m from the body's centre of mass
    float crushed; ///< N s/m: damping where a tool pinches soil
    float held[3]; ///< N s2: lambda at the last substep's end, in which the particle's row still has it
    ContactCore core;
} BodyContact;

/// Scratch: the contacts of one tick.
typedef struct Contacts {
    BodyContact *bodies;
    int32_t body_count, body_capacity;
    ContactCore *ground; ///< one a particle; of the published solvers
    int32_t ground_capacity;
    int32_t *table; ///< scratch of the memory's hash table
    int32_t table_size;
} Contacts;

/// State: what contacts remember between ticks.
#define CONTACT_FIELDS(X)                                                                                              \
    X(uint32_t, first) /* id of a particle */                                                                          \
    X(uint32_t, second) /* CONTACT_BODY | body << 8 | piece */                                                         \
    X(float, lambda)                                                                                                   \
    X(float, gap)                                                                                                      \
    X(float, friction_lambda_x)                                                                                        \
    X(float, friction_lambda_y)                                                                                        \
    X(float, friction_lambda_z)                                                                                        \
    X(float, rest)                                                                                                     \
    X(float, pressed)                                                                                                  \
    X(uint8_t, flags)                                                                                                  \
    X(uint8_t, face)

#define CONTACT_BODY 0x80000000u

typedef struct ContactMemory {
    int32_t count, capacity;
    void *arrays; ///< memory of all fields
#define X(type, name) type *name;
    CONTACT_FIELDS(X)
#undef X
} ContactMemory;

/// `ground`: with contacts of the published solvers.
bool contacts_create(Contacts *contacts, ContactMemory *memory, int particle_capacity, bool ground);
void contacts_destroy(Contacts *contacts, ContactMemory *memory);
void contact_memory_visit(ContactMemory *memory, StateVisitor *visitor);
/// True when restored contacts could have been written by this program.
bool contact_memory_is_valid(const ContactMemory *memory);

/// ---- system --------------------------------------------------------------------------------------------------------

/// Derived: which particles are listed as near the ground.
typedef struct GroundReach {
    uint64_t version; ///< sum of the grounds' versions when particles were marked
    bool known; ///< false: the list must be made from the marks
    int32_t late; ///< batches from there on were added within a tick: they do not come by particle
} GroundReach;

/// What a contact of the list that was remembers, while the list is made anew.
typedef struct PairRemembered {
    int32_t upper; ///< particle, of the two the one with the higher index
    int32_t next; ///< contact of the same lower one, or -1
    float lambda[3]; ///< N s2, on the lower one
    float rest;
    uint16_t strength;
    uint8_t flags;
} PairRemembered;

/// Scratch of making a list of pairs and of bringing one up to date (pair_update.c).
typedef struct PairBuild {
    int32_t *found; ///< [3 x pairs] pairs that are new in a list, and where each is to stand
    size_t found_room; ///< pairs
    /// Borrowed: of the scratch memory, of lambdas that are not in use, or `found`.
    int32_t *head; ///< [particles] first contact, of those remembered, whose lower particle this is, or -1
    int32_t *raw_i, *raw_j; ///< [pairs] as found
    int32_t *raw_slot; ///< [pairs] place of each in the block, batch * BATCH + lane
    PairRemembered *old; ///< see lay_aside
} PairBuild;

/// Derived: where the default solver is in its tick. Computed by solver.c.
typedef struct ContactTick {
    double elapsed, left; ///< s: since motion is counted, and to the end of the tick
    double last_h; ///< s: length of the substep before, 0 at the start of a tick
    int lists; ///< how often the pairs were listed anew in this tick
    int32_t looked; ///< particles whose pairs were searched for at its start, without those of a new list
    int32_t late; ///< particles that left their ways within it
    bool placed; ///< the grid holds the particles as they were at its start
    bool failed; ///< memory was short since the soil was created or restored: contacts are not what they should be
    int32_t asleep; ///< particles that sleep in this tick
    bool held; ///< some of them have contacts with some that are awake
    Vec3 taken; ///< N s2: what those that sleep took beyond their balance in the last substep, and gave to the ground
    Row *rows; ///< [budget + 1] a piece of the scratch from the tick's first list to its end, else NULL
    uint64_t *at_bodies; ///< a bit a particle: it has a contact with a body. Where members share the rows, else NULL
    /// Where the list's pairs are found while there are rows, from the first late pair on, else NULL: [particles] first
    /// contact whose lower particle this is, or -1; [contacts] the next one.
    int32_t *pair_first, *pair_next;
} ContactTick;

typedef struct ContactSystem {
    const SoilModel *model;
    const Grounds *grounds;
    Particles *particles;
    /// State that contacts keep from tick to tick.
    ContactMemory *memory; ///< of contacts with bodies
    PairList *pairs; ///< of the default solver; its order is part of the state
    /// Derived in each tick.
    Neighbours *neighbours;
    Contacts *contacts;
    PairList *ground_contacts; ///< of the default solver: particles that may touch the ground
    GroundReach *ground_reach;
    ContactTick *tick;
    SolverBody *bodies; ///< [body_count] tools, then the walls of trays, then fixtures
    int body_count;
    /// Scratch.
    PairBuild *build;
    SearchPlaces *places; ///< while a list is made
    PairVisits *visits; ///< [model->threads]
    Team *team; ///< of model->threads members
    Scratch *scratch;
} ContactSystem;

#endif
