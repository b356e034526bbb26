/// Memory for the contacts with bodies, and the state that outlasts the tick: created, saved, restored and checked.
///
/// Fields of the memory are listed once (CONTACT_FIELDS). The hash table has room for twice the contacts, so that a
/// search ends after a step or two.
#include "soil/contact/body_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    // Not cleared: most of it is never touched, and then costs no memory.
    contacts->bodies = malloc(n * 3 * sizeof(BodyContact));
    contacts->ground = calloc((size_t)contacts->ground_capacity + 1, sizeof(ContactCore));
    contacts->table = malloc((size_t)contacts->table_size * sizeof(int32_t));
    bool good = contacts->bodies != NULL && contacts->ground != NULL && contacts->table != NULL;
#define X(type, name)                                                                                                  \
    memory->name = malloc((size_t)memory->capacity * sizeof(type));                                                    \
    good = good && memory->name != NULL;
    CONTACT_FIELDS(X)
#undef X
    return good;
}

void contacts_destroy(Contacts *contacts, ContactMemory *memory)
{
    free(contacts->bodies);
    free(contacts->ground);
    free(contacts->table);
#define X(type, name) free(memory->name);
    CONTACT_FIELDS(X)
#undef X
    memset(contacts, 0, sizeof *contacts);
    memset(memory, 0, sizeof *memory);
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
