#include "data/read/override.h"

#include "data/read/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_LENGTH = 600 };

/// Byte offset of a libyaml mark, which counts characters.
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

/// Replaces bytes from..to of the text.
static bool splice(char **text, size_t *size, size_t from, size_t to, const char *with)
{
    size_t length = strlen(with), total = *size - (to - from) + length;
    char *result = malloc(total + 1);
    if (!result) {
        return false;
    }
    memcpy(result, *text, from);
    memcpy(result + from, with, length);
    memcpy(result + from + length, *text + to, *size - to);
    result[total] = '\0';
    free(*text);
    *text = result;
    *size = total;
    return true;
}

/// What is to be written where.
typedef struct Edit {
    size_t from, to; ///< bytes
    char text[VALUE_LENGTH + 2 * DOCUMENT_PATH_LENGTH + 512];
} Edit;

static bool plan_replace(const Document *document, const yaml_node_t *node, const char *value, Edit *edit)
{
    edit->from = byte_offset(document->text, document->size, node->start_mark.index);
    edit->to = byte_offset(document->text, document->size, node->end_mark.index);
    // An empty value ("key:") ends right behind the colon and needs a space; a block text (| or >) took its line end along.
    bool block =
        node->data.scalar.style == YAML_LITERAL_SCALAR_STYLE || node->data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
    int column = block ? (int)node->end_mark.column : 0;
    snprintf(edit->text, sizeof edit->text, "%s%s%s%*s", edit->from == edit->to ? " " : "", value, block ? "\n" : "",
             column, "");
    return column < 200;
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
static bool plan_insert(Document *document, const yaml_node_t *parent, const char *rest, const char *value, Edit *edit)
{
    char key[sizeof edit->text - 256];
    if (parent->type != YAML_MAPPING_NODE || parent->data.mapping.pairs.top == parent->data.mapping.pairs.start ||
        !write_new_key(rest, value, key, sizeof key)) {
        return false;
    }
    const yaml_node_t *first = yaml_document_get_node(&document->yaml, parent->data.mapping.pairs.start->key);
    edit->from = edit->to = byte_offset(document->text, document->size, first->start_mark.index);
    bool flow = parent->data.mapping.style == YAML_FLOW_MAPPING_STYLE;
    int column = flow ? 0 : (int)first->start_mark.column;
    if (column >= 200) {
        return false;
    }
    snprintf(edit->text, sizeof edit->text, "%s%s%*s", key, flow ? ", " : "\n", column, "");
    return true;
}

static bool plan(Document *document, const char *set, const char *key, const char *value, Edit *edit, Status *status)
{
    const char *rest = NULL;
    const yaml_node_t *node = document_walk(document, key, &rest);
    if (!rest[0] && node->type == YAML_SCALAR_NODE) {
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

bool override_apply(const char *label, const char *set, char **text, size_t *size, Status *status)
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
    Document document;
    if (!document_open(&document, label, *text, *size, status)) {
        return false;
    }
    Edit edit = {0};
    bool good = plan(&document, set, key, value, &edit, status);
    document_close(&document);
    if (!good) {
        return false;
    }
    if (!splice(text, size, edit.from, edit.to, edit.text)) {
        return status_fail(status, STATUS_LACKING, "--set %.200s: out of memory", set);
    }
    if (!document_open(&document, label, *text, *size, status)) {
        Status inner = *status;
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %.760s", set, inner.text);
    }
    document_close(&document);
    return true;
}
