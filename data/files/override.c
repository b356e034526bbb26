/// Changes one value of a YAML text by cutting and pasting bytes, so that a recording keeps the author's comments and
/// lines.
///
/// The tree of the document says which bytes the value takes; the changed text is parsed again, since every place in it
/// may have moved. The value is written so that it stays one scalar wherever it stands, whatever the caller typed.
#include "data/files/override.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE_LENGTH = 600, ///< bytes of a value as YAML; the longest text a scene holds, its description, takes 512
    MAX_COLUMN = 200, ///< spaces that an edit may write before what follows it
};

/// Byte offset of a place that is counted in characters.
static size_t byte_offset(const char *text, size_t size, size_t characters)
{
    size_t at = 0;
    while (at < size && characters > 0) {
        ++at;
        while (at < size && ((unsigned char)text[at] & 0xC0U) == 0x80U) {
            ++at;
        }
        --characters;
    }
    return at;
}

/// The value as YAML: bare when that is safe in every place, else in double quotes.
static bool write_value(const char *value, char out[VALUE_LENGTH])
{
    size_t length = strlen(value);
    if (length > 0 && strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._/") == length &&
        strcmp(value, "-") != 0 && strncmp(value, "---", 3) != 0 && strncmp(value, "...", 3) != 0) {
        return snprintf(out, VALUE_LENGTH, "%s", value) < VALUE_LENGTH;
    }
    size_t at = 0;
    out[at++] = '"';
    for (; *value; ++value) {
        unsigned char c = (unsigned char)*value;
        if (at > VALUE_LENGTH - 8) {
            return false;
        }
        if (c < 0x20) {
            at += (size_t)snprintf(out + at, VALUE_LENGTH - at, "\\x%02X", c);
            continue;
        }
        if (c == '"' || c == '\\') {
            out[at++] = '\\';
        }
        out[at++] = (char)c;
    }
    out[at++] = '"';
    out[at] = '\0';
    return true;
}

/// What is to be written where.
typedef struct Edit {
    size_t from, to; ///< bytes
    char text[VALUE_LENGTH + 2 * DOCUMENT_PATH_LENGTH + 512];
} Edit;

/// The document's text after an edit, malloc'd and NUL-terminated, and its size; NULL when memory is short.
static char *edited_text(const Document *document, const Edit *edit, size_t *size)
{
    size_t length = strlen(edit->text), rest = document->size - edit->to;
    char *text = malloc(edit->from + length + rest + 1);
    if (text) {
        memcpy(text, document->text, edit->from);
        memcpy(text + edit->from, edit->text, length);
        memcpy(text + edit->from + length, document->text + edit->to, rest);
        *size = edit->from + length + rest;
        text[*size] = '\0';
    }
    return text;
}

static bool plan_replace(const Document *document, const DocumentNode *node, const char *value, Edit *edit)
{
    edit->from = byte_offset(document->text, document->size, node->start.character);
    edit->to = byte_offset(document->text, document->size, node->end.character);
    // An empty value ("key:") ends right behind the colon and needs a space; a block text (| or >) took its line end
    // along.
    int column = node->block ? (int)node->end.column - 1 : 0;
    snprintf(edit->text, sizeof edit->text, "%s%s%s%*s", edit->from == edit->to ? " " : "", value,
             node->block ? "\n" : "", column, "");
    return column < MAX_COLUMN;
}

/// Writes `rest` ("particles.budget") with the value as "particles: {budget: 5000}".
static bool write_new_key(const char *rest, const char *value, char *out, size_t size)
{
    int depth = 0;
    size_t at = 0;
    for (bool more = true; more;) {
        size_t length = strcspn(rest, ".");
        more = rest[length] == '.';
        if (length == 0 || at + length + 8 > size) {
            return false;
        }
        at += (size_t)snprintf(out + at, size - at, "%.*s: %s", (int)length, rest, more ? "{" : "");
        depth += more;
        rest += length + more;
    }
    if (at + strlen(value) + (size_t)depth + 1 > size) {
        return false;
    }
    at += (size_t)snprintf(out + at, size - at, "%s", value);
    memset(out + at, '}', (size_t)depth);
    out[at + (size_t)depth] = '\0';
    return true;
}

/// A new key goes before the first key of its mapping, in that one's column.
static bool plan_insert(const Document *document, const DocumentNode *parent, const char *rest, const char *value,
                        Edit *edit)
{
    char key[sizeof edit->text - 256];
    if (parent->type != DOCUMENT_MAPPING || !parent->first || !write_new_key(rest, value, key, sizeof key)) {
        return false;
    }
    const DocumentMark *first = &parent->first->key_start;
    edit->from = edit->to = byte_offset(document->text, document->size, first->character);
    int column = parent->flow ? 0 : (int)first->column - 1;
    if (column >= MAX_COLUMN) {
        return false;
    }
    snprintf(edit->text, sizeof edit->text, "%s%s%*s", key, parent->flow ? ", " : "\n", column, "");
    return true;
}

static bool plan(const Document *document, const char *set, const char *key, const char *value, Edit *edit,
                 Status *status)
{
    const char *rest = NULL;
    const DocumentNode *node = document_walk(document, key, &rest);
    if (!rest[0] && node->type == DOCUMENT_SCALAR) {
        return plan_replace(document, node, value, edit) ||
               status_fail(status, STATUS_BAD_FILE, "--set %.200s: %s is indented too far", set, key);
    }
    if (!rest[0]) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %s holds several values, name one of them", set,
                           key);
    }
    return plan_insert(document, node, rest, value, edit) ||
           status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %s has no place for %s", set, document->label, key);
}

bool override_apply(Document *document, const char *set, Status *status)
{
    static const char key_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    char key[DOCUMENT_PATH_LENGTH], value[VALUE_LENGTH];
    size_t length = strspn(set, key_characters);
    if (length == 0 || length >= sizeof key || set[length] != '=') {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: allowed KEY=VALUE, such as ground.size_x=40", set);
    }
    memcpy(key, set, length);
    key[length] = '\0';
    if (!write_value(set + length + 1, value)) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.60s...: the value is too long", set);
    }
    Edit edit = {0};
    if (!plan(document, set, key, value, &edit, status)) {
        return false;
    }
    Document changed;
    size_t size = 0;
    char *text = edited_text(document, &edit, &size);
    if (!text) {
        return status_fail(status, STATUS_LACKING, "--set %.200s: out of memory", set);
    }
    if (!document_open(&changed, document->label, text, size, status)) {
        free(text);
        Status inner = *status;
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %.760s", set, inner.text);
    }
    document_close(document);
    *document = changed;
    document->own_text = text;
    return true;
}

bool override_is_told_of(const char *set, const char *text)
{
    char key[DOCUMENT_PATH_LENGTH], said[DOCUMENT_PATH_LENGTH + 8];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(set, "="), set);
    for (char *end = key + strlen(key); end; end = strrchr(key, '.')) {
        *end = '\0';
        snprintf(said, sizeof said, ": %s: ", key);
        if (strstr(text, said)) {
            return true;
        }
    }
    return false;
}
