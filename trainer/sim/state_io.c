/// Hash, save, restore and difference are four visitors over one list of fields (data/core/state_visitor.h). A saved
/// state names every field, so that two states can be compared field by field and a state of another scene is refused.
#include "trainer/sim/state_io.h"
#include "trainer/sim/state_ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The hash's running state lives on the stack, so that hashing allocates nothing.
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "saved states are little-endian");

static const char magic[8] = {'S', 'P', 'A', 'D', 'E', 'S', 'T', '1'};

enum { HEAD_SIZE = 16, SUM_SIZE = 8, FIELD_HEAD = 2 + 4 + 8, NAME_MOST = 1000 };

static void visit_session(void *subject, StateVisitor *visitor)
{
    session_visit(subject, visitor);
}

/// ---- hash ----------------------------------------------------------------------------------------------------------

typedef struct HashVisitor {
    StateVisitor visitor; ///< first, so that the visitor is the struct
    XXH3_state_t *state;
} HashVisitor;

static void hash_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    if (size * count > 0) {
        XXH3_64bits_update(((HashVisitor *)visitor)->state, data, size * count);
    }
}

uint64_t state_hash_visit(StateVisit *visit, void *subject)
{
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    HashVisitor self = {.visitor = {.field = hash_field}, .state = &state};
    visit(subject, &self.visitor);
    return XXH3_64bits_digest(&state);
}

uint64_t state_hash(Session *session)
{
    return state_hash_visit(visit_session, session);
}

/// ---- save ----------------------------------------------------------------------------------------------------------

typedef struct SaveVisitor {
    StateVisitor visitor;
    StateBuffer *buffer;
} SaveVisitor;

void state_buffer_free(StateBuffer *buffer)
{
    free(buffer->data);
    *buffer = (StateBuffer){0};
}

bool state_buffer_reserve(StateBuffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more) {
        return true;
    }
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : (size_t)1 << 16;
    while (capacity - buffer->size < more) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    unsigned char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

/// The room for it is there.
static void append(StateBuffer *buffer, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(buffer->data + buffer->size, bytes, size);
        buffer->size += size;
    }
}

static void save_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    StateBuffer *buffer = ((SaveVisitor *)visitor)->buffer;
    uint16_t name_length = (uint16_t)strlen(name);
    uint32_t element = (uint32_t)size;
    uint64_t elements = count;
    if (!state_buffer_reserve(buffer, FIELD_HEAD + name_length + size * count)) {
        visitor->failed = true;
        return;
    }
    append(buffer, &name_length, sizeof name_length);
    append(buffer, name, name_length);
    append(buffer, &element, sizeof element);
    append(buffer, &elements, sizeof elements);
    append(buffer, data, size * count);
}

bool state_save_visit(StateVisit *visit, void *subject, StateBuffer *buffer, Status *status)
{
    buffer->size = 0;
    SaveVisitor self = {.visitor = {.field = save_field}, .buffer = buffer};
    uint64_t whole = 0;
    self.visitor.failed = !state_buffer_reserve(buffer, HEAD_SIZE);
    if (!self.visitor.failed) {
        append(buffer, magic, sizeof magic);
        append(buffer, &whole, sizeof whole);
        visit(subject, &self.visitor);
    }
    if (self.visitor.failed || !state_buffer_reserve(buffer, SUM_SIZE)) {
        return status_fail(status, STATUS_LACKING, "out of memory for a state of %zu bytes", buffer->size);
    }
    whole = buffer->size + SUM_SIZE;
    memcpy(buffer->data + sizeof magic, &whole, sizeof whole);
    uint64_t sum = XXH3_64bits(buffer->data, buffer->size);
    append(buffer, &sum, sizeof sum);
    return true;
}

bool state_save(Session *session, StateBuffer *buffer, Status *status)
{
    return state_save_visit(visit_session, session, buffer, status);
}

/// ---- how large it can become ---------------------------------------------------------------------------------------

typedef struct SizeVisitor {
    StateVisitor visitor;
    size_t bytes;
} SizeVisitor;

static void measure_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)data;
    ((SizeVisitor *)visitor)->bytes += FIELD_HEAD + strlen(name) + size * count;
}

size_t state_size_most(Session *session)
{
    SizeVisitor self = {.visitor = {.field = measure_field, .measuring = true}, .bytes = HEAD_SIZE + SUM_SIZE};
    visit_session(session, &self.visitor);
    return self.visitor.failed ? 0 : self.bytes;
}

/// ---- reading a saved state -----------------------------------------------------------------------------------------

typedef struct Reader {
    const unsigned char *at, *end; ///< fields only
} Reader;

typedef struct SavedField {
    const char *name; ///< not NUL-terminated
    size_t name_length, size, count;
    const unsigned char *data;
} SavedField;

static bool next_field(Reader *reader, SavedField *field)
{
    size_t left = (size_t)(reader->end - reader->at);
    uint16_t name_length;
    uint32_t size;
    uint64_t count;
    if (left < FIELD_HEAD) {
        return false;
    }
    memcpy(&name_length, reader->at, sizeof name_length);
    if (name_length > NAME_MOST || left < (size_t)FIELD_HEAD + name_length) {
        return false;
    }
    const unsigned char *rest = reader->at + sizeof name_length + name_length;
    memcpy(&size, rest, sizeof size);
    memcpy(&count, rest + sizeof size, sizeof count);
    left -= (size_t)FIELD_HEAD + name_length;
    if (size == 0 || count > left / size) {
        return false;
    }
    *field = (SavedField){.name = (const char *)reader->at + sizeof name_length,
                          .name_length = name_length,
                          .size = size,
                          .count = (size_t)count,
                          .data = rest + sizeof size + sizeof count};
    reader->at = field->data + size * count;
    return true;
}

static bool has_name(const SavedField *field, const char *name)
{
    return strlen(name) == field->name_length && memcmp(name, field->name, field->name_length) == 0;
}

bool state_is_whole(const unsigned char *data, size_t size, Status *status)
{
    uint64_t whole, sum;
    if (size < HEAD_SIZE + SUM_SIZE || memcmp(data, magic, sizeof magic) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: not a state of this program");
    }
    memcpy(&whole, data + sizeof magic, sizeof whole);
    if (whole != size) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: %zu bytes instead of %llu: it is cut", size,
                           (unsigned long long)whole);
    }
    memcpy(&sum, data + size - SUM_SIZE, sizeof sum);
    if (XXH3_64bits(data, size - SUM_SIZE) != sum) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: its checksum does not match: it is damaged");
    }
    Reader reader = {data + HEAD_SIZE, data + size - SUM_SIZE};
    SavedField field;
    while (reader.at < reader.end) {
        if (!next_field(&reader, &field)) {
            return status_fail(status, STATUS_BAD_FILE, "saved state: a field does not fit at byte %zu",
                               (size_t)(reader.at - data));
        }
    }
    return true;
}

/// ---- restore -------------------------------------------------------------------------------------------------------

typedef struct RestoreVisitor {
    StateVisitor visitor;
    Reader reader;
    char wrong[160]; ///< the first field that does not fit, "" = none
    char last[160]; ///< name of the field that was restored last
} RestoreVisitor;

static void restore_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    RestoreVisitor *self = (RestoreVisitor *)visitor;
    SavedField field;
    snprintf(self->last, sizeof self->last, "%s", name);
    if (!next_field(&self->reader, &field)) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%s is missing", name);
    } else if (!has_name(&field, name)) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%.*s stands where %s belongs",
                 field.name_length < 60 ? (int)field.name_length : 60, field.name, name);
    } else if (field.size != size || field.count != count) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%s has %zu x %zu bytes instead of %zu x %zu", name, field.count,
                 field.size, count, size);
    } else if (size * count > 0) {
        memcpy(data, field.data, size * count);
    }
}

static bool restore_holds(StateVisitor *visitor, const char *name)
{
    Reader ahead = ((RestoreVisitor *)visitor)->reader;
    SavedField field;
    return next_field(&ahead, &field) && has_name(&field, name);
}

bool state_restore_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, Status *status)
{
    if (!state_is_whole(data, size, status)) {
        return false;
    }
    RestoreVisitor self = {.visitor = {.field = restore_field, .holds = restore_holds, .restoring = true},
                           .reader = {data + HEAD_SIZE, data + size - SUM_SIZE}};
    visit(subject, &self.visitor);
    if (self.visitor.failed) {
        return self.wrong[0] != '\0' ? status_fail(status, STATUS_BAD_FILE, "saved state: %s", self.wrong)
                                     : status_fail(status, STATUS_BAD_FILE,
                                                   "saved state: up to %s: a value is out of its range", self.last);
    }
    if (self.reader.at != self.reader.end) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: it has fields that the session does not");
    }
    return true;
}

/// Looks at every number of a state that is whole. Fields that the session does not have have no range either.
static bool is_in_range(const Session *session, const unsigned char *data, size_t size, Status *status)
{
    Reader reader = {data + HEAD_SIZE, data + size - SUM_SIZE};
    SavedField field;
    int hint = 0;
    while (reader.at < reader.end && next_field(&reader, &field)) {
        StateBytes bytes = {field.name, field.name_length, field.data, field.size * field.count};
        if (!state_range_holds(&bytes, session_scene(session), &hint, status)) {
            return false;
        }
    }
    return true;
}

bool state_restore(Session *session, const unsigned char *data, size_t size, Status *status)
{
    return state_is_whole(data, size, status) && is_in_range(session, data, size, status) &&
           state_restore_visit(visit_session, session, data, size, status) && session_after_restore(session, status);
}

/// ---- difference ----------------------------------------------------------------------------------------------------

typedef struct CompareVisitor {
    StateVisitor visitor;
    Reader reader;
    char *field;
    int field_size;
    bool found;
} CompareVisitor;

/// Element that differs first; a struct of 8-byte numbers counts by numbers.
static size_t first_element(const unsigned char *a, const unsigned char *b, size_t size, size_t bytes)
{
    size_t element = size > 8 && size % 8 == 0 ? 8 : size;
    size_t at = 0;
    while (at < bytes && a[at] == b[at]) {
        at++;
    }
    return at / element;
}

static void compare_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    CompareVisitor *self = (CompareVisitor *)visitor;
    SavedField field;
    if (self->found) {
        return;
    }
    self->found = true;
    if (!next_field(&self->reader, &field)) {
        snprintf(self->field, (size_t)self->field_size, "%s (not in the saved state)", name);
    } else if (!has_name(&field, name) || field.size != size || field.count != count) {
        snprintf(self->field, (size_t)self->field_size, "%s (number of elements)", name);
    } else if (size * count > 0 && memcmp(field.data, data, size * count) != 0) {
        size_t index = first_element(field.data, data, size, size * count);
        if (count == 1 && size <= 8) {
            snprintf(self->field, (size_t)self->field_size, "%s", name);
        } else {
            snprintf(self->field, (size_t)self->field_size, "%s[%zu]", name, index);
        }
    } else {
        self->found = false;
    }
}

bool state_first_difference_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, char *field,
                                  int field_size)
{
    Status status;
    if (!state_is_whole(data, size, &status)) {
        snprintf(field, (size_t)field_size, "(damaged state)");
        return true;
    }
    CompareVisitor self = {.visitor = {.field = compare_field},
                           .reader = {data + HEAD_SIZE, data + size - SUM_SIZE},
                           .field = field,
                           .field_size = field_size};
    visit(subject, &self.visitor);
    if (!self.found && self.reader.at != self.reader.end) {
        snprintf(field, (size_t)field_size, "(fields that the session does not have)");
        self.found = true;
    }
    return self.found;
}

bool state_first_difference(Session *session, const unsigned char *data, size_t size, char *field, int field_size)
{
    return state_first_difference_visit(visit_session, session, data, size, field, field_size);
}
