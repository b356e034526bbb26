/// Writes MCAP files (https://mcap.dev/spec): messages by channel in zstd chunks, with what an indexed reader needs:
/// message indexes behind each chunk, and at the end schemas, channels, chunk indexes, statistics and summary offsets.
/// Message data is JSON, described by a JSON schema. All checksums that the format has are written (CRC-32, IEEE).
///
/// Until mcap_close, the file is PATH.part. A writer that is killed leaves all chunks that were flushed: a reader that
/// goes along the file finds their messages. One thread a file.
///
///     McapFile *file = mcap_create("drive.mcap", "spadework 1.0", &status);
///     int channel = mcap_add_channel(file, "/payload", "spadework.Payload", "{\"type\":\"object\"}");
///     bool good = mcap_add_message(file, channel, 0, "{}", 2, &status) && mcap_flush(file, &status);
///     good = mcap_close(file, good, &later) && good;
#ifndef SPADEWORK_TRAINER_MCAP_FILE_H
#define SPADEWORK_TRAINER_MCAP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/status.h"

enum {
    MCAP_MOST_CHANNELS = 64,
    MCAP_CHUNK = 4 << 20, ///< bytes of messages after which a chunk is written without mcap_flush. Chosen
};

typedef struct McapFile McapFile;

/// Creates PATH.part and writes the head. The caller ends it with mcap_close. NULL with `status` (STATUS_LACKING): it
/// cannot be written, or at `path` or PATH.part is something that is no MCAP file.
/// library  for the head: who wrote it
McapFile *mcap_create(const char *path, const char *library, Status *status);

/// Adds a channel with a schema of its own, before the first message. Texts are copied. Returns the channel, 0 to
/// MCAP_MOST_CHANNELS - 1; memory that was out fails the next message.
/// schema  JSON schema of an object
int mcap_add_channel(McapFile *file, const char *topic, const char *schema_name, const char *schema);

/// One text of a metadata record.
typedef struct McapText {
    const char *key, *value;
} McapText;
/// Writes a metadata record of `count` texts. False with `status` (STATUS_LACKING), as all below.
bool mcap_add_metadata(McapFile *file, const char *name, const McapText *texts, int count, Status *status);
/// Writes a file's `size` bytes as an attachment; its times are 0.
bool mcap_add_attachment(McapFile *file, const char *name, const char *media_type, const void *bytes, size_t size,
                         Status *status);

/// Adds a message. Times do not go back within a channel.
/// time  ns, both logged and published
/// json  `size` bytes, 1 or more
bool mcap_add_message(McapFile *file, int channel, uint64_t time, const void *json, size_t size, Status *status);
/// Writes the messages since the last chunk as a chunk; without messages nothing.
bool mcap_flush(McapFile *file, Status *status);

int64_t mcap_messages(const McapFile *file); ///< added so far

/// Ends the file and frees the writer. keep  false: PATH.part is removed. False with `status` when it was to be kept
/// and could not be written whole: nothing is left of it then. NULL is good.
bool mcap_close(McapFile *file, bool keep, Status *status);

#endif
