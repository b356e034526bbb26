/// Writes JSON: keys, commas, escapes, base64.
#include "trainer/report/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"

static void put_text(ByteBuffer *text, const char *plain)
{
    byte_buffer_put(text, plain, strlen(plain));
}

/// A comma where a value stands before, and the key.
static void put_key(ByteBuffer *text, const char *key)
{
    unsigned char last = text->size > 0 ? text->bytes[text->size - 1] : '[';
    if (last != '{' && last != '[') {
        put_text(text, ",");
    }
    if (key != NULL) {
        put_text(text, "\"");
        put_text(text, key);
        put_text(text, "\":");
    }
}

void json_text_begin(ByteBuffer *text, const char *key, char bracket)
{
    put_key(text, key);
    byte_buffer_put(text, &bracket, 1);
}

void json_text_end(ByteBuffer *text, char bracket)
{
    byte_buffer_put(text, &bracket, 1);
}

void json_text_number(ByteBuffer *text, const char *key, double value)
{
    char digits[32] = "null";
    if (isfinite(value)) {
        snprintf(digits, sizeof digits, "%.9g", value);
    }
    put_key(text, key);
    put_text(text, digits);
}

void json_text_integer(ByteBuffer *text, const char *key, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    put_key(text, key);
    put_text(text, digits);
}

void json_text_bool(ByteBuffer *text, const char *key, bool value)
{
    put_key(text, key);
    put_text(text, value ? "true" : "false");
}

void json_text_raw(ByteBuffer *text, const char *key, const char *json)
{
    put_key(text, key);
    put_text(text, json);
}

void json_text_string(ByteBuffer *text, const char *key, const char *value)
{
    put_key(text, key);
    put_text(text, "\"");
    size_t size = strlen(value);
    for (size_t at = 0; at < size;) {
        VisibleLetter letter = visible_text_letter(value + at, size - at, true);
        char escape[8];
        if (letter.fault == VISIBLE_NOT_TEXT) {
            put_text(text, "\\ufffd");
        } else if (letter.code < 0x20 || letter.code == '"' || letter.code == '\\') {
            snprintf(escape, sizeof escape, "\\u%04x", letter.code);
            put_text(text, escape);
        } else {
            byte_buffer_put(text, value + at, (size_t)letter.length);
        }
        at += (size_t)letter.length;
    }
    put_text(text, "\"");
}

void json_text_base64(ByteBuffer *text, const char *key, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    put_key(text, key);
    put_text(text, "\"");
    if (!byte_buffer_reserve(text, (size + 2) / 3 * 4)) {
        return;
    }
    for (size_t k = 0; k < size; k += 3) {
        unsigned rest = size - k > 2 ? 3 : (unsigned)(size - k);
        unsigned three = (unsigned)bytes[k] << 16 | (rest > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                         (rest > 2 ? (unsigned)bytes[k + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63], rest > 1 ? digits[three >> 6 & 63] : '=',
                              rest > 2 ? digits[three & 63] : '='};
        byte_buffer_put(text, four, 4);
    }
    put_text(text, "\"");
}
