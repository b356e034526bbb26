/// Reads and writes the messages of the environment server.
#include "trainer/remote/env_message.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/remote/console_json.h"

const char *const env_type_names[ENV_TYPES] = {"float64", "float32", "uint8"};
static const size_t type_sizes[ENV_TYPES] = {8, 4, 1};

enum {
    LENGTH = 4, ///< bytes in front of the JSON
    SHOWN = 80, ///< bytes of a value in an error
    TOGETHER = 1 << 18 ///< bytes of a message that goes out at once
};

/// ---- arrays --------------------------------------------------------------------------------------------------------

EnvArray *env_message_add(EnvMessage *message, const char *name, EnvType type, int dimensions, const size_t *shape)
{
    if (message->array_count == ENV_ARRAYS) {
        return NULL;
    }
    EnvArray *array = &message->arrays[message->array_count];
    *array = (EnvArray){.type = type, .dimensions = dimensions, .count = 1};
    snprintf(array->name, sizeof array->name, "%s", name);
    for (int k = 0; k < dimensions; k++) {
        array->shape[k] = shape[k];
        array->count *= shape[k];
    }
    array->size = array->count * type_sizes[type];
    array->bytes = calloc(array->size > 0 ? array->size : 1, 1);
    if (array->bytes == NULL) {
        return NULL;
    }
    message->array_count++;
    return array;
}

const EnvArray *env_message_find(const EnvMessage *message, const char *name)
{
    for (int k = 0; k < message->array_count; k++) {
        if (strcmp(message->arrays[k].name, name) == 0) {
            return &message->arrays[k];
        }
    }
    return NULL;
}

void env_message_free(EnvMessage *message)
{
    json_decref(message->head);
    for (int k = 0; k < message->array_count; k++) {
        free(message->arrays[k].bytes);
    }
    *message = (EnvMessage){.head = NULL};
}

/// ---- reading -------------------------------------------------------------------------------------------------------

static bool read_type(const json_t *value, EnvType *type, Status *status)
{
    const char *name = json_string_value(value);
    for (int k = 0; k < ENV_TYPES && name != NULL; k++) {
        if (strcmp(name, env_type_names[k]) == 0) {
            *type = (EnvType)k;
            return true;
        }
    }
    return console_json_refuse("arrays: dtype", value, SHOWN, "float64, float32 or uint8", status);
}

/// Reads a shape whose array has at most `most` bytes.
static bool read_shape(const json_t *value, EnvType type, size_t most, size_t shape[ENV_DIMENSIONS], Status *status)
{
    if (!json_is_array(value) || json_array_size(value) > ENV_DIMENSIONS) {
        return console_json_refuse("arrays: shape", value, SHOWN, "a list of 0 to 4 lengths", status);
    }
    size_t room = most / type_sizes[type];
    for (size_t k = 0; k < json_array_size(value); k++) {
        const json_t *length = json_array_get(value, k);
        json_int_t number = json_integer_value(length);
        if (!json_is_integer(length) || number < 0 || (uint64_t)number > room) {
            char allowed[96];
            snprintf(allowed, sizeof allowed, "whole numbers of 0 or more, and %zu bytes for it in this message", most);
            return console_json_refuse("arrays: shape", value, SHOWN, allowed, status);
        }
        shape[k] = (size_t)number;
        room = number > 0 ? room / (size_t)number : room;
    }
    return true;
}

/// Makes the arrays that the head announces, without their bytes.
static bool read_arrays(EnvMessage *message, size_t body_most, Status *status)
{
    const json_t *list = json_object_get(message->head, "arrays");
    size_t left = body_most;
    if (list != NULL && (!json_is_array(list) || json_array_size(list) > ENV_ARRAYS)) {
        return console_json_refuse("arrays", list, SHOWN, "a list of at most 32 objects {name, dtype, shape}", status);
    }
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *row = json_array_get(list, k), *shape = json_object_get(row, "shape");
        const char *name = json_string_value(json_object_get(row, "name"));
        EnvType type = ENV_FLOAT64;
        size_t lengths[ENV_DIMENSIONS] = {0};
        if (name == NULL || strlen(name) >= ENV_NAME || env_message_find(message, name) != NULL) {
            return console_json_refuse("arrays: name", json_object_get(row, "name"), SHOWN,
                                       "a text of at most 63 bytes that no other array of the message has", status);
        }
        if (!read_type(json_object_get(row, "dtype"), &type, status) ||
            !read_shape(shape, type, left, lengths, status)) {
            return false;
        }
        const EnvArray *array = env_message_add(message, name, type, (int)json_array_size(shape), lengths);
        if (array == NULL) {
            return status_fail(status, STATUS_LACKING, "no memory for the array '%.60s'", name);
        }
        left -= array->size;
    }
    return true;
}

/// Reads the JSON of `size` bytes.
static EnvRead read_head(EnvMessage *message, const EnvWire *wire, size_t size, Status *status)
{
    char *text = malloc(size > 0 ? size : 1);
    if (text == NULL) {
        status_fail(status, STATUS_LACKING, "no memory for a message of %zu bytes", size);
        return ENV_LOST;
    }
    EnvRead end = wire->take(wire->context, text, size) ? ENV_READ : ENV_ENDED;
    if (end == ENV_READ) {
        message->head = console_json_read("message", text, size, size, SHOWN, status);
        end = message->head != NULL ? ENV_READ : ENV_LOST;
    }
    free(text);
    return end;
}

EnvRead env_message_read(EnvMessage *message, const EnvWire *wire, size_t head_most, size_t body_most, Status *status)
{
    unsigned char length[LENGTH];
    *message = (EnvMessage){.head = NULL};
    if (!wire->take(wire->context, length, LENGTH)) {
        return ENV_ENDED;
    }
    size_t size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (size > head_most) {
        status_fail(status, STATUS_BAD_FILE, "a message begins with the length %zu; allowed are 2 to %zu bytes of JSON",
                    size, head_most);
        return ENV_LOST;
    }
    EnvRead end = read_head(message, wire, size, status);
    if (end == ENV_READ && !read_arrays(message, body_most, status)) {
        end = ENV_LOST;
    }
    for (int k = 0; k < message->array_count && end == ENV_READ; k++) {
        EnvArray *array = &message->arrays[k];
        end = wire->take(wire->context, array->bytes, array->size) ? ENV_READ : ENV_ENDED;
    }
    if (end != ENV_READ) {
        env_message_free(message);
    }
    return end;
}

/// ---- writing -------------------------------------------------------------------------------------------------------

static json_t *describe(const EnvArray *array)
{
    json_t *row = json_object(), *shape = json_array();
    for (int k = 0; k < array->dimensions; k++) {
        json_array_append_new(shape, json_integer((json_int_t)array->shape[k]));
    }
    json_object_set_new(row, "name", json_string(array->name));
    json_object_set_new(row, "dtype", json_string(env_type_names[array->type]));
    json_object_set_new(row, "shape", shape);
    return row;
}

/// The head with its arrays, as a text that the caller frees; NULL: memory is short.
static char *write_head(const EnvMessage *message, size_t *size)
{
    json_t *head = json_copy(message->head);
    if (message->array_count > 0) {
        json_t *list = json_array();
        for (int k = 0; k < message->array_count; k++) {
            json_array_append_new(list, describe(&message->arrays[k]));
        }
        json_object_set_new(head, "arrays", list);
    }
    return console_json_write(head, 0, size);
}

bool env_message_write(const EnvMessage *message, const EnvWire *wire)
{
    size_t size = 0, begun = 0;
    char *text = write_head(message, &size);
    size_t all = LENGTH + size;
    for (int k = 0; k < message->array_count; k++) {
        all += message->arrays[k].size;
    }
    bool together = all <= TOGETHER;
    unsigned char *bytes = text != NULL ? malloc(together ? all : LENGTH + size) : NULL;
    bool good = bytes != NULL;
    if (good) {
        for (int k = 0; k < LENGTH; k++) {
            bytes[k] = (unsigned char)(size >> (8 * k));
        }
        memcpy(bytes + LENGTH, text, size);
        begun = LENGTH + size;
        for (int k = 0; k < message->array_count && together; k++) {
            memcpy(bytes + begun, message->arrays[k].bytes, message->arrays[k].size);
            begun += message->arrays[k].size;
        }
        good = wire->put(wire->context, bytes, begun);
    }
    for (int k = 0; k < message->array_count && good && !together; k++) {
        good = wire->put(wire->context, message->arrays[k].bytes, message->arrays[k].size);
    }
    free(bytes);
    free(text);
    return good;
}
