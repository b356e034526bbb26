/// Contacts of particles with bodies (of the published solvers: with the ground, too), and what they remember between
/// ticks. The law of a contact, with what sticks to steel: contact_law.h.
#ifndef SPADEWORK_SOIL_BODY_CONTACT_H
#define SPADEWORK_SOIL_BODY_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "soil/pairs/pair_list.h"

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
    bool open; ///< holds nothing and does not close in this substep: not visited
    float arm[3]; ///< m from the body's centre of mass
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

#endif
