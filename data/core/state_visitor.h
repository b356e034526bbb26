/// One list of state fields for four uses: hash, save, restore and first difference.
///
/// Every module with state has one function `foo_visit(foo, visitor)` that names each field once, in a fixed order.
/// What a visit does is up to the visitor. Padding is never visited. A module with arrays of variable length visits the
/// length first; a restoring visitor has then already written the length when the array is visited.
#ifndef SPADEWORK_DATA_STATE_VISITOR_H
#define SPADEWORK_DATA_STATE_VISITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct StateVisitor StateVisitor;
struct StateVisitor {
    /// Called for each field: `data` points to `count` elements of `size` bytes each. The name is valid during the
    /// call.
    void (*field)(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count);
    /// Tells while a state is being restored whether the field that comes next has this name: fields that a state need
    /// not have are visited where they are there. NULL: never.
    bool (*holds)(StateVisitor *visitor, const char *name);
    /// True while a state is being restored: fields are written, not read. A module that has derived data rebuilds it
    /// after its last field when this is set.
    bool restoring;
    /// True when it is asked how large the state can become: a module then visits its arrays as long as they can be,
    /// and the visitor looks at sizes and counts alone. Never together with `restoring`.
    bool measuring;
    /// Set by a restoring visitor when the stored bytes do not fit; a module stops visiting then and keeps its memory
    /// safe (a length it has just read is checked against its capacity before use; a module sets this too).
    bool failed;
    /// Set beside `failed` by a module that got no memory for what is restored.
    bool lacking;
};

static inline void state_visit_array(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    if (!visitor->failed) {
        visitor->field(visitor, name, data, size, count);
    }
}

/// A field that recordings know by another name than the code does.
typedef struct StateName {
    const char *field, *recorded;
} StateName;

/// The name of a field in recordings: that of the row that names it in `names` [count], else its own.
static inline const char *state_recorded_name(const StateName *names, int count, const char *field)
{
    for (int k = 0; k < count; k++) {
        if (strcmp(names[k].field, field) == 0) {
            return names[k].recorded;
        }
    }
    return field;
}

/// Visits one scalar or a fixed array of scalars that is a member or variable (never a struct with padding).
#define STATE_VISIT(visitor, name, lvalue) state_visit_array((visitor), (name), &(lvalue), sizeof(lvalue), 1)

#endif
