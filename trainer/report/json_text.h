/// Writes JSON (RFC 8259) into a buffer, without white space and without a tree in memory: for many small messages.
/// Commas come by themselves. Numbers have 9 digits and a point, under a locale whose decimal mark is a point (the
/// caller's: uselocale). One thread.
///
///     json_text_begin(&text, NULL, '{');
///     json_text_number(&text, "score", 12.5);
///     json_text_begin(&text, "name", '[');
///     json_text_string(&text, NULL, "boom");
///     json_text_end(&text, ']');
///     json_text_end(&text, '}'); // {"score":12.5,"name":["boom"]}
#ifndef SPADEWORK_TRAINER_JSON_TEXT_H
#define SPADEWORK_TRAINER_JSON_TEXT_H

#include "trainer/report/byte_buffer.h"

/// Each function adds one value. `key` is plain ASCII without quotes; NULL: the value stands in an array, or is the
/// whole text.
void json_text_begin(ByteBuffer *text, const char *key, char bracket); ///< '{' or '['
void json_text_end(ByteBuffer *text, char bracket); ///< '}' or ']'
void json_text_number(ByteBuffer *text, const char *key, double value); ///< null when it is infinite or no number
void json_text_integer(ByteBuffer *text, const char *key, int64_t value);
void json_text_bool(ByteBuffer *text, const char *key, bool value);
/// UTF-8; a byte that belongs to no character becomes U+FFFD.
void json_text_string(ByteBuffer *text, const char *key, const char *value);
/// Bytes as base64 (RFC 4648), a string.
void json_text_base64(ByteBuffer *text, const char *key, const unsigned char *bytes, size_t size);
/// A value that is JSON already.
void json_text_raw(ByteBuffer *text, const char *key, const char *json);

#endif
