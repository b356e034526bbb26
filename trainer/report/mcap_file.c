/// Writes the records of MCAP, version 0. A record is its opcode, its size (u64) and its content; numbers are
/// little-endian, texts and maps have their size (u32) in front.
#include "trainer/report/mcap_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "data/core/data_files.h"
#include "data/core/system_files.h"
#include "trainer/report/byte_buffer.h"
#include "trainer/report/output_file.h"

enum { COMPRESSION = 3 }; ///< level of zstd: its default

typedef enum Opcode {
    OP_HEADER = 1,
    OP_FOOTER,
    OP_SCHEMA,
    OP_CHANNEL,
    OP_MESSAGE,
    OP_CHUNK,
    OP_MESSAGE_INDEX,
    OP_CHUNK_INDEX,
    OP_ATTACHMENT,
    OP_ATTACHMENT_INDEX,
    OP_STATISTICS,
    OP_METADATA,
    OP_METADATA_INDEX,
    OP_SUMMARY_OFFSET,
    OP_DATA_END
} Opcode;

static const char magic[8] = "\x89MCAP0\r\n";

typedef struct Channel {
    uint64_t messages;
    ByteBuffer index; ///< pairs of time and offset of the chunk's messages
} Channel;

struct McapFile {
    char path[DATA_PATH_LENGTH], part[DATA_PATH_LENGTH + 8];
    int file; ///< -1: none
    uint64_t size; ///< bytes written
    uint32_t checksum; ///< of the section that is being written: data or summary
    bool failed;
    uint32_t crc[256]; ///< of each byte
    ZSTD_CCtx *compressor;
    ByteBuffer scratch; ///< records that are put together
    ByteBuffer chunk, packed; ///< records of the chunk; compressed
    uint64_t chunk_messages, chunk_begin, chunk_end; ///< ns of its first and last message
    uint64_t begin, end; ///< ns of the file's
    int channel_count;
    Channel channels[MCAP_MOST_CHANNELS];
    ByteBuffer schemas, channel_records, chunk_indexes, attachment_indexes, metadata_indexes; ///< of the summary
    uint64_t messages;
    uint32_t chunks, attachments, metadata;
};

/// ---- checksum ------------------------------------------------------------------------------------------------------

/// CRC-32 of IEEE 802.3, reflected: polynomial 0xEDB88320, as zlib and PNG have it.
static void make_crc(uint32_t table[256])
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) {
            value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320U : 0);
        }
        table[byte] = value;
    }
}

/// Goes on from the checksum of what lies before; 0 at the beginning.
static uint32_t add_to_crc(const uint32_t table[256], uint32_t crc, const unsigned char *bytes, size_t size)
{
    crc = ~crc;
    for (size_t k = 0; k < size; k++) {
        crc = table[(crc ^ bytes[k]) & 0xFF] ^ crc >> 8;
    }
    return ~crc;
}

/// ---- parts of records ----------------------------------------------------------------------------------------------

static void put_text(ByteBuffer *to, const char *text)
{
    size_t length = strlen(text);
    byte_buffer_put_number(to, length, 4);
    byte_buffer_put(to, text, length);
}

/// Returns where the record begins, for end_record.
static size_t begin_record(ByteBuffer *to, Opcode opcode)
{
    size_t at = to->size;
    byte_buffer_put_number(to, (uint64_t)opcode, 1);
    byte_buffer_put_number(to, 0, 8);
    return at;
}

static void end_record(ByteBuffer *to, size_t at)
{
    byte_buffer_set_number(to, at + 1, to->size - at - 9, 8);
}

/// Puts the size in front of a map or list that began at `at`, where 4 bytes are kept for it.
static void end_list(ByteBuffer *to, size_t at)
{
    byte_buffer_set_number(to, at, to->size - at - 4, 4);
}

/// ---- the file ------------------------------------------------------------------------------------------------------

static bool fail(McapFile *self, const char *reason, Status *status)
{
    self->failed = true;
    return status_fail(status, STATUS_LACKING, "%s: cannot write the MCAP file: %s", self->path, reason);
}

static bool check_memory(McapFile *self, const ByteBuffer *buffer, Status *status)
{
    return !buffer->failed || fail(self, "out of memory", status);
}

static bool put_bytes(McapFile *self, const unsigned char *bytes, size_t size, Status *status)
{
    if (self->failed) {
        return status_fail(status, STATUS_LACKING, "%s: the MCAP file was given up", self->path);
    }
    if (!written_file_put(self->file, (const char *)bytes, size)) {
        return fail(self, written_file_reason(errno), status);
    }
    self->checksum = add_to_crc(self->crc, self->checksum, bytes, size);
    self->size += size;
    return true;
}

/// Writes a buffer and empties it.
static bool put_buffer(McapFile *self, ByteBuffer *buffer, Status *status)
{
    bool good = check_memory(self, buffer, status) && put_bytes(self, buffer->bytes, buffer->size, status);
    byte_buffer_clear(buffer);
    return good;
}

static void free_file(McapFile *self)
{
    if (self->file >= 0) {
        close(self->file);
    }
    ByteBuffer *buffers[] = {&self->scratch,
                             &self->chunk,
                             &self->packed,
                             &self->schemas,
                             &self->channel_records,
                             &self->chunk_indexes,
                             &self->attachment_indexes,
                             &self->metadata_indexes};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++) {
        byte_buffer_free(buffers[k]);
    }
    for (int k = 0; k < self->channel_count; k++) {
        byte_buffer_free(&self->channels[k].index);
    }
    ZSTD_freeCCtx(self->compressor);
    free(self);
}

static bool put_head(McapFile *self, const char *library, Status *status)
{
    byte_buffer_put(&self->scratch, magic, sizeof magic);
    size_t at = begin_record(&self->scratch, OP_HEADER);
    put_text(&self->scratch, ""); // no profile: those that are known ask for other encodings
    put_text(&self->scratch, library);
    end_record(&self->scratch, at);
    return put_buffer(self, &self->scratch, status);
}

McapFile *mcap_create(const char *path, const char *library, Status *status)
{
    McapFile *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->file = -1;
        self->compressor = ZSTD_createCCtx();
    }
    if (self == NULL || self->compressor == NULL || strlen(path) >= sizeof self->path) {
        status_fail(status, STATUS_LACKING,
                    "%.80s: out of memory for the MCAP file, or its path is longer than %d bytes", path,
                    DATA_PATH_LENGTH - 1);
        if (self != NULL) {
            free_file(self);
        }
        return NULL;
    }
    make_crc(self->crc);
    snprintf(self->path, sizeof self->path, "%s", path);
    snprintf(self->part, sizeof self->part, "%s.part", path);
    if (!output_may_replace(self->path, OUTPUT_MCAP, status) || !output_may_replace(self->part, OUTPUT_MCAP, status)) {
        free_file(self); // what a killed writer left is an MCAP file, too
        return NULL;
    }
    self->file = written_file_handle(self->part);
    if (self->file < 0) {
        fail(self, written_file_reason(errno), status);
        free_file(self);
        return NULL;
    }
    if (!put_head(self, library, status)) {
        remove(self->part);
        free_file(self);
        return NULL;
    }
    return self;
}

/// ---- channels, metadata, attachments -------------------------------------------------------------------------------

int mcap_add_channel(McapFile *self, const char *topic, const char *schema_name, const char *schema)
{
    assert(self->channel_count < MCAP_MOST_CHANNELS && self->messages == 0);
    int channel = self->channel_count++;
    uint64_t schema_id = (uint64_t)channel + 1; // 0 would be no schema
    size_t at = begin_record(&self->schemas, OP_SCHEMA);
    byte_buffer_put_number(&self->schemas, schema_id, 2);
    put_text(&self->schemas, schema_name);
    put_text(&self->schemas, "jsonschema");
    put_text(&self->schemas, schema);
    end_record(&self->schemas, at);
    at = begin_record(&self->channel_records, OP_CHANNEL);
    byte_buffer_put_number(&self->channel_records, (uint64_t)channel, 2);
    byte_buffer_put_number(&self->channel_records, schema_id, 2);
    put_text(&self->channel_records, topic);
    put_text(&self->channel_records, "json");
    byte_buffer_put_number(&self->channel_records, 0, 4); // no metadata
    end_record(&self->channel_records, at);
    return channel;
}

bool mcap_add_metadata(McapFile *self, const char *name, const McapText *texts, int count, Status *status)
{
    ByteBuffer *record = &self->scratch, *index = &self->metadata_indexes;
    size_t at = begin_record(record, OP_METADATA);
    put_text(record, name);
    size_t map = record->size;
    byte_buffer_put_number(record, 0, 4);
    for (int k = 0; k < count; k++) {
        put_text(record, texts[k].key);
        put_text(record, texts[k].value);
    }
    end_list(record, map);
    end_record(record, at);
    at = begin_record(index, OP_METADATA_INDEX);
    byte_buffer_put_number(index, self->size, 8);
    byte_buffer_put_number(index, record->size, 8);
    put_text(index, name);
    end_record(index, at);
    self->metadata++;
    return put_buffer(self, record, status);
}

bool mcap_add_attachment(McapFile *self, const char *name, const char *media_type, const void *bytes, size_t size,
                         Status *status)
{
    ByteBuffer *record = &self->scratch, *index = &self->attachment_indexes;
    size_t at = begin_record(record, OP_ATTACHMENT);
    byte_buffer_put_number(record, 0, 8); // log time
    byte_buffer_put_number(record, 0, 8); // creation time: not known
    put_text(record, name);
    put_text(record, media_type);
    byte_buffer_put_number(record, size, 8);
    byte_buffer_put(record, bytes, size);
    if (!check_memory(self, record, status)) {
        return false;
    }
    byte_buffer_put_number(record, add_to_crc(self->crc, 0, record->bytes + at + 9, record->size - at - 9), 4);
    end_record(record, at);
    at = begin_record(index, OP_ATTACHMENT_INDEX);
    byte_buffer_put_number(index, self->size, 8);
    byte_buffer_put_number(index, record->size, 8);
    byte_buffer_put_number(index, 0, 8);
    byte_buffer_put_number(index, 0, 8);
    byte_buffer_put_number(index, size, 8);
    put_text(index, name);
    put_text(index, media_type);
    end_record(index, at);
    self->attachments++;
    return put_buffer(self, record, status);
}

/// ---- chunks --------------------------------------------------------------------------------------------------------

bool mcap_add_message(McapFile *self, int channel, uint64_t time, const void *json, size_t size, Status *status)
{
    assert(channel >= 0 && channel < self->channel_count && size > 0);
    Channel *to = &self->channels[channel];
    if (self->messages == 0) { // each channel stands before its first message
        byte_buffer_put(&self->chunk, self->schemas.bytes, self->schemas.size);
        byte_buffer_put(&self->chunk, self->channel_records.bytes, self->channel_records.size);
        self->begin = self->end = time;
    }
    if (self->chunk_messages == 0) {
        self->chunk_begin = self->chunk_end = time;
    }
    self->begin = time < self->begin ? time : self->begin;
    self->end = time > self->end ? time : self->end;
    self->chunk_begin = time < self->chunk_begin ? time : self->chunk_begin;
    self->chunk_end = time > self->chunk_end ? time : self->chunk_end;
    byte_buffer_put_number(&to->index, time, 8);
    byte_buffer_put_number(&to->index, self->chunk.size, 8);
    size_t at = begin_record(&self->chunk, OP_MESSAGE);
    byte_buffer_put_number(&self->chunk, (uint64_t)channel, 2);
    byte_buffer_put_number(&self->chunk, to->messages & UINT32_MAX, 4); // sequence
    byte_buffer_put_number(&self->chunk, time, 8);
    byte_buffer_put_number(&self->chunk, time, 8);
    byte_buffer_put(&self->chunk, json, size);
    end_record(&self->chunk, at);
    to->messages++;
    self->messages++;
    self->chunk_messages++;
    return check_memory(self, &self->chunk, status) && check_memory(self, &to->index, status) &&
           (self->chunk.size < MCAP_CHUNK || mcap_flush(self, status));
}

static bool compress(McapFile *self, Status *status)
{
    byte_buffer_clear(&self->packed);
    if (!byte_buffer_reserve(&self->packed, ZSTD_compressBound(self->chunk.size))) {
        return fail(self, "out of memory", status);
    }
    size_t size = ZSTD_compressCCtx(self->compressor, self->packed.bytes, self->packed.capacity, self->chunk.bytes,
                                    self->chunk.size, COMPRESSION);
    if (ZSTD_isError(size)) {
        return fail(self, ZSTD_getErrorName(size), status);
    }
    self->packed.size = size;
    return true;
}

static bool put_chunk(McapFile *self, Status *status)
{
    ByteBuffer *head = &self->scratch;
    size_t at = begin_record(head, OP_CHUNK);
    byte_buffer_put_number(head, self->chunk_begin, 8);
    byte_buffer_put_number(head, self->chunk_end, 8);
    byte_buffer_put_number(head, self->chunk.size, 8);
    byte_buffer_put_number(head, add_to_crc(self->crc, 0, self->chunk.bytes, self->chunk.size), 4);
    put_text(head, "zstd");
    byte_buffer_put_number(head, self->packed.size, 8);
    byte_buffer_set_number(head, at + 1, head->size - at - 9 + self->packed.size, 8);
    return put_buffer(self, head, status) && put_bytes(self, self->packed.bytes, self->packed.size, status);
}

/// Writes the index of each channel that has messages in the chunk, and notes in `offsets` where it lies.
static bool put_message_indexes(McapFile *self, ByteBuffer *offsets, Status *status)
{
    ByteBuffer *indexes = &self->scratch;
    for (int k = 0; k < self->channel_count; k++) {
        ByteBuffer *index = &self->channels[k].index;
        if (index->size == 0) {
            continue;
        }
        byte_buffer_put_number(offsets, (uint64_t)k, 2);
        byte_buffer_put_number(offsets, self->size + indexes->size, 8);
        size_t at = begin_record(indexes, OP_MESSAGE_INDEX);
        byte_buffer_put_number(indexes, (uint64_t)k, 2);
        byte_buffer_put_number(indexes, index->size, 4);
        byte_buffer_put(indexes, index->bytes, index->size);
        end_record(indexes, at);
        byte_buffer_clear(index);
    }
    return put_buffer(self, indexes, status);
}

bool mcap_flush(McapFile *self, Status *status)
{
    if (self->chunk_messages == 0) {
        return true;
    }
    ByteBuffer *index = &self->chunk_indexes;
    uint64_t chunk_at = self->size;
    if (!compress(self, status) || !put_chunk(self, status)) {
        return false;
    }
    uint64_t indexes_at = self->size;
    size_t at = begin_record(index, OP_CHUNK_INDEX);
    byte_buffer_put_number(index, self->chunk_begin, 8);
    byte_buffer_put_number(index, self->chunk_end, 8);
    byte_buffer_put_number(index, chunk_at, 8);
    byte_buffer_put_number(index, indexes_at - chunk_at, 8);
    size_t map = index->size;
    byte_buffer_put_number(index, 0, 4);
    if (!put_message_indexes(self, index, status)) {
        return false;
    }
    end_list(index, map);
    byte_buffer_put_number(index, self->size - indexes_at, 8);
    put_text(index, "zstd");
    byte_buffer_put_number(index, self->packed.size, 8);
    byte_buffer_put_number(index, self->chunk.size, 8);
    end_record(index, at);
    self->chunks++;
    self->chunk_messages = 0;
    byte_buffer_clear(&self->chunk);
    return check_memory(self, index, status);
}

int64_t mcap_messages(const McapFile *self)
{
    return (int64_t)self->messages;
}

/// ---- the end -------------------------------------------------------------------------------------------------------

static void make_statistics(const McapFile *self, ByteBuffer *to)
{
    size_t at = begin_record(to, OP_STATISTICS);
    byte_buffer_put_number(to, self->messages, 8);
    byte_buffer_put_number(to, (uint64_t)self->channel_count, 2); // schemas
    byte_buffer_put_number(to, (uint64_t)self->channel_count, 4);
    byte_buffer_put_number(to, self->attachments, 4);
    byte_buffer_put_number(to, self->metadata, 4);
    byte_buffer_put_number(to, self->chunks, 4);
    byte_buffer_put_number(to, self->begin, 8);
    byte_buffer_put_number(to, self->end, 8);
    size_t map = to->size;
    byte_buffer_put_number(to, 0, 4);
    for (int k = 0; k < self->channel_count; k++) {
        if (self->channels[k].messages > 0) {
            byte_buffer_put_number(to, (uint64_t)k, 2);
            byte_buffer_put_number(to, self->channels[k].messages, 8);
        }
    }
    end_list(to, map);
    end_record(to, at);
}

/// Writes the records of one kind and, into `offsets`, where they lie.
static bool put_group(McapFile *self, Opcode opcode, ByteBuffer *records, ByteBuffer *offsets, Status *status)
{
    if (records->size > 0) {
        size_t at = begin_record(offsets, OP_SUMMARY_OFFSET);
        byte_buffer_put_number(offsets, (uint64_t)opcode, 1);
        byte_buffer_put_number(offsets, self->size, 8);
        byte_buffer_put_number(offsets, records->size, 8);
        end_record(offsets, at);
    }
    return put_buffer(self, records, status);
}

/// offsets_at  out: where the summary offsets begin
static bool put_summary(McapFile *self, uint64_t *offsets_at, Status *status)
{
    ByteBuffer statistics = {0}, offsets = {0};
    make_statistics(self, &statistics);
    bool good = put_group(self, OP_SCHEMA, &self->schemas, &offsets, status) &&
                put_group(self, OP_CHANNEL, &self->channel_records, &offsets, status) &&
                put_group(self, OP_STATISTICS, &statistics, &offsets, status) &&
                put_group(self, OP_CHUNK_INDEX, &self->chunk_indexes, &offsets, status) &&
                put_group(self, OP_ATTACHMENT_INDEX, &self->attachment_indexes, &offsets, status) &&
                put_group(self, OP_METADATA_INDEX, &self->metadata_indexes, &offsets, status);
    *offsets_at = self->size;
    good = good && put_buffer(self, &offsets, status);
    byte_buffer_free(&statistics);
    byte_buffer_free(&offsets);
    return good;
}

/// The end of the data, the summary, and the footer, whose checksum covers the summary and its own fields before it.
static bool put_tail(McapFile *self, Status *status)
{
    ByteBuffer *record = &self->scratch;
    size_t at = begin_record(record, OP_DATA_END);
    byte_buffer_put_number(record, self->checksum, 4);
    end_record(record, at);
    if (!put_buffer(self, record, status)) {
        return false;
    }
    uint64_t summary_at = self->size, offsets_at;
    self->checksum = 0;
    if (!put_summary(self, &offsets_at, status)) {
        return false;
    }
    at = begin_record(record, OP_FOOTER);
    byte_buffer_put_number(record, summary_at, 8);
    byte_buffer_put_number(record, offsets_at, 8);
    byte_buffer_set_number(record, at + 1, 8 + 8 + 4, 8);
    if (!put_buffer(self, record, status)) {
        return false;
    }
    byte_buffer_put_number(record, self->checksum, 4);
    byte_buffer_put(record, magic, sizeof magic);
    return put_buffer(self, record, status);
}

bool mcap_close(McapFile *self, bool keep, Status *status)
{
    if (self == NULL) {
        return true;
    }
    bool good = !keep || (mcap_flush(self, status) && put_tail(self, status));
    int closed = close(self->file);
    self->file = -1;
    if (keep && good && (closed != 0 || rename(self->part, self->path) != 0)) {
        good = fail(self, strerror(errno), status);
    }
    if (!keep || !good) {
        remove(self->part);
    }
    free_file(self);
    return good;
}
