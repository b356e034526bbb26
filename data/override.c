#include "data/override.h"

#include "data/document.h"

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
    char text[VALUE_LENGTH + DOCUMENT_PATH_LENGTH + 256];
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

/// A new key goes before the first key of its mapping, in that one's column.
static bool plan_insert(Document *document, const yaml_node_t *parent, const char *key, const char *value, Edit *edit)
{
    if (parent->data.mapping.pairs.top == parent->data.mapping.pairs.start) {
        return false;
    }
    const yaml_node_t *first = yaml_document_get_node(&document->yaml, parent->data.mapping.pairs.start->key);
    edit->from = edit->to = byte_offset(document->text, document->size, first->start_mark.index);
    bool flow = parent->data.mapping.style == YAML_FLOW_MAPPING_STYLE;
    int column = flow ? 0 : (int)first->start_mark.column;
    snprintf(edit->text, sizeof edit->text, "%s: %s%s%*s", key, value, flow ? ", " : "\n", column, "");
    return column < 200;
}

static bool plan(Document *document, const char *set, const char *key, const char *value, Edit *edit, Status *status)
{
    const yaml_node_t *node = document_find(document, key);
    if (node && node->type == YAML_SCALAR_NODE) {
        return plan_replace(document, node, value, edit) ||
               status_fail(status, STATUS_BAD_FILE, "--set %.200s: %s is indented too far", set, key);
    }
    if (node) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %s holds several values, name one of them", set,
                           key);
    }
    char path[DOCUMENT_PATH_LENGTH];
    snprintf(path, sizeof path, "%s", key);
    char *dot = strrchr(path, '.');
    const char *last = dot ? dot + 1 : path;
    if (dot) {
        *dot = '\0';
    }
    const yaml_node_t *parent = dot ? document_find(document, path) : document_root(document);
    if (!parent || parent->type != YAML_MAPPING_NODE || !last[0] || !plan_insert(document, parent, last, value, edit)) {
        return status_fail(status, STATUS_BAD_USAGE, "--set %.200s: %s has no key %s", set, document->label, key);
    }
    return true;
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
    Edit edit;
    bool good = plan(&document, set, key, value, &edit, status);
    document_close(&document);
    if (good && !splice(text, size, edit.from, edit.to, edit.text)) {
        return status_fail(status, STATUS_LACKING, "--set %.200s: out of memory", set);
    }
    return good;
}
