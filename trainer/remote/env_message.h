/// Messages of the environment server (docs/environment-server.md): a length, a JSON object, and the arrays of numbers
/// that the object announces. Reads and writes them over any transport. Any thread; a message on one at a time.
#ifndef SPADEWORK_TRAINER_ENV_MESSAGE_H
#define SPADEWORK_TRAINER_ENV_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

/// What an array holds; little-endian, as the processor has it.
typedef enum EnvType { ENV_FLOAT64, ENV_FLOAT32, ENV_UINT8, ENV_TYPES } EnvType;
extern const char *const env_type_names[ENV_TYPES];

enum {
    ENV_ARRAYS = 32, ///< of a message
    ENV_DIMENSIONS = 4, ///< of an array
    ENV_NAME = 64, ///< bytes of an array's name with the NUL
    ENV_HEAD_MOST = 1 << 20, ///< bytes of a request's JSON
    ENV_BODY_MOST = 1 << 26, ///< bytes of a request's arrays: twice the longest state
    ENV_STRANGER_MOST = 1 << 12 ///< bytes of JSON of a client that has not shown its token; it sends no arrays
};

typedef struct EnvArray {
    char name[ENV_NAME];
    EnvType type;
    int dimensions; ///< 0..ENV_DIMENSIONS; 0: one number
    size_t shape[ENV_DIMENSIONS];
    size_t count; ///< numbers: product of `shape`
    size_t size; ///< bytes
    void *bytes; ///< [size], own
} EnvArray;

/// Begins as {0}; ends with env_message_free.
typedef struct EnvMessage {
    json_t *head; ///< own; NULL: none yet
    int array_count; ///< 0..ENV_ARRAYS
    EnvArray arrays[ENV_ARRAYS];
} EnvMessage;

/// How bytes come and go.
typedef struct EnvWire {
    void *context;
    /// Reads exactly [size] bytes. False: there are none any more.
    bool (*take)(void *context, void *bytes, size_t size);
    /// Writes [size] bytes. False: nobody takes them any more.
    bool (*put)(void *context, const void *bytes, size_t size);
} EnvWire;

/// How a read ended.
typedef enum EnvRead {
    ENV_READ, ///< the message is there
    ENV_ENDED, ///< no further message
    ENV_LOST ///< what follows is no message; `status` says why
} EnvRead;

/// Reads a message. head_most, body_most: bytes that its JSON, and its arrays, may have.
EnvRead env_message_read(EnvMessage *message, const EnvWire *wire, size_t head_most, size_t body_most, Status *status);
/// Writes a message, with its arrays announced. False: the wire has ended, or memory is short.
bool env_message_write(const EnvMessage *message, const EnvWire *wire);
void env_message_free(EnvMessage *message);

/// Adds an array of zeros. NULL: memory is short, or the message has ENV_ARRAYS.
/// shape  [dimensions]
EnvArray *env_message_add(EnvMessage *message, const char *name, EnvType type, int dimensions, const size_t *shape);
/// The array of this name; NULL: there is none.
const EnvArray *env_message_find(const EnvMessage *message, const char *name);

#endif
