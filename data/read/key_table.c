#include "data/read/key_table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One check of a document: where we are is kept as a dotted path for errors.
typedef struct Check {
    Document *document;
    Status *status;
    char path[DOCUMENT_PATH_LENGTH];
} Check;

static bool check_value(Check *check, const DataKey *key, const yaml_node_t *node);

/// Appends a part to the path; returns the length to cut it back to.
static size_t push(Check *check, const char *part)
{
    size_t length = strlen(check->path);
    snprintf(check->path + length, sizeof check->path - length, "%s%s", length ? "." : "", part);
    return length;
}

static bool fail_read(Check *check, const yaml_node_t *node, const char *allowed)
{
    static const char *const forms[] = {"nothing", "a value", "a list", "keys and values"};
    if (node->type == YAML_SCALAR_NODE) {
        const char *text = document_scalar(node);
        return document_fail(check->document, node, check->path, check->status, "read %s%.60s%s, allowed %s",
                             text[0] ? "" : "nothing", text, strlen(text) > 60 ? "..." : "", allowed);
    }
    return document_fail(check->document, node, check->path, check->status, "read %s, allowed %s", forms[node->type],
                         allowed);
}

static bool check_number(Check *check, const DataKey *key, const yaml_node_t *node)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "%.10g to %.10g", key->min, key->max);
    const char *text = document_scalar(node);
    // Decimal digits only: strtod alone would take nan, inf and hexadecimal.
    bool plain = text[0] && strspn(text, "0123456789+-.eE") == strlen(text);
    char *end = NULL;
    double value = plain ? strtod(text, &end) : 0.0;
    if (!plain || *end || end == text) {
        char number[128];
        snprintf(number, sizeof number, "a number, %s", allowed);
        return fail_read(check, node, number);
    }
    return (value >= key->min && value <= key->max) || fail_read(check, node, allowed);
}

static bool check_integer(Check *check, const DataKey *key, const yaml_node_t *node)
{
    char allowed[96];
    if (key->type == KEY_SEED) {
        snprintf(allowed, sizeof allowed, "a whole number, 0 to %lld", (long long)INT64_MAX);
    } else {
        snprintf(allowed, sizeof allowed, "a whole number, %.0f to %.0f", key->min, key->max);
    }
    const char *text = document_scalar(node);
    const char *digits = text + (text[0] == '-' && key->type == KEY_INTEGER);
    size_t length = strlen(digits);
    // A leading zero would be read as octal; 18 digits always fit.
    bool plain =
        length > 0 && length <= 19 && strspn(digits, "0123456789") == length && (digits[0] != '0' || length == 1);
    if (!plain) {
        return fail_read(check, node, allowed);
    }
    if (key->type == KEY_SEED) {
        return strtoull(digits, NULL, 10) <= (unsigned long long)INT64_MAX || fail_read(check, node, allowed);
    }
    double value = strtod(text, NULL);
    return (value >= key->min && value <= key->max) || fail_read(check, node, allowed);
}

static bool check_text(Check *check, const DataKey *key, const yaml_node_t *node)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a text of %.0f to %zu bytes", key->min, key->size - 1);
    const char *text = document_scalar(node);
    size_t length = strlen(text);
    if (node->type != YAML_SCALAR_NODE || (double)length < key->min || length > key->size - 1) {
        return fail_read(check, node, allowed);
    }
    // Texts end up on screens and terminals, where control characters would do things.
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
        if ((*c < 0x20 && !(*c == '\n' && key->lines)) || *c == 0x7F) {
            return document_fail(check->document, node, check->path, check->status,
                                 "read a control character (0x%02X), allowed %s", *c,
                                 key->lines ? "letters and line ends" : "one line of letters");
        }
    }
    return true;
}

static bool check_choice(Check *check, const DataKey *key, const yaml_node_t *node)
{
    char allowed[256] = "";
    for (const KeyChoice *choice = key->choices; choice->name; ++choice) {
        if (node->type == YAML_SCALAR_NODE && strcmp(document_scalar(node), choice->name) == 0) {
            return true;
        }
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", length ? ", " : "", choice->name);
    }
    return fail_read(check, node, allowed);
}

static bool fail_unknown(Check *check, const DataKey *keys, const yaml_node_t *node)
{
    char allowed[512] = "";
    for (; keys->key; ++keys) {
        size_t length = strlen(allowed);
        snprintf(allowed + length, sizeof allowed - length, "%s%s", length ? ", " : "", keys->key);
    }
    push(check, document_scalar(node));
    return document_fail(check->document, node, check->path, check->status, "unknown key, allowed %s", allowed);
}

static bool check_mapping(Check *check, const DataKey *keys, const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE) {
        return fail_read(check, node, "keys and values");
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *name = yaml_document_get_node(&check->document->yaml, pair->key);
        const DataKey *key = keys;
        while (key->key && strcmp(key->key, document_scalar(name)) != 0) {
            ++key;
        }
        if (!key->key) {
            return fail_unknown(check, keys, name);
        }
        size_t length = push(check, key->key);
        if (!check_value(check, key, yaml_document_get_node(&check->document->yaml, pair->value))) {
            return false;
        }
        check->path[length] = '\0';
    }
    for (const DataKey *key = keys; key->key; ++key) {
        if (!key->optional && !document_child(check->document, node, key->key)) {
            push(check, key->key);
            return document_fail(check->document, node, check->path, check->status, "the key is missing");
        }
    }
    return true;
}

static bool check_items(Check *check, const DataKey *key, const yaml_node_t *node)
{
    long count =
        node->type != YAML_SEQUENCE_NODE ? -1 : (long)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (count < key->count_min || count > key->count_max) {
        char allowed[96];
        if (key->type == KEY_TUPLE) {
            snprintf(allowed, sizeof allowed, "a list of %d numbers", key->count_max);
        } else {
            snprintf(allowed, sizeof allowed, "a list of %d to %d items", key->count_min, key->count_max);
        }
        return count < 0 ? fail_read(check, node, allowed)
                         : document_fail(check->document, node, check->path, check->status,
                                         "read %ld items, allowed %s", count, allowed);
    }
    for (long i = 0; i < count; ++i) {
        char number[24];
        snprintf(number, sizeof number, "%ld", i);
        size_t length = push(check, number);
        const yaml_node_t *item = yaml_document_get_node(&check->document->yaml, node->data.sequence.items.start[i]);
        if (!(key->type == KEY_TUPLE ? check_number(check, key, item) : check_value(check, key->inside, item))) {
            return false;
        }
        check->path[length] = '\0';
    }
    return true;
}

static bool check_value(Check *check, const DataKey *key, const yaml_node_t *node)
{
    switch (key->type) {
    case KEY_NUMBER:
        return check_number(check, key, node);
    case KEY_INTEGER:
    case KEY_SEED:
        return check_integer(check, key, node);
    case KEY_TEXT:
        return check_text(check, key, node);
    case KEY_CHOICE:
        return check_choice(check, key, node);
    case KEY_MAPPING:
        return check_mapping(check, key->inside, node);
    case KEY_LIST:
    case KEY_TUPLE:
        return check_items(check, key, node);
    case KEY_KIND:
        break;
    }
    return true;
}

/// Multiplies one number (double or float) by the row's unit; `node` NULL: takes the fallback.
static void convert_number(const DataKey *key, bool given, unsigned char *at)
{
    double unit = key->unit > 0.0 ? key->unit : 1.0;
    if (key->size == sizeof(float)) {
        float value = 0.0F;
        memcpy(&value, at, sizeof value);
        value = (float)((given ? (double)value : key->fallback) * unit);
        memcpy(at, &value, sizeof value);
        return;
    }
    double value = 0.0;
    memcpy(&value, at, sizeof value);
    value = (given ? value : key->fallback) * unit;
    memcpy(at, &value, sizeof value);
}

static void convert(const DataKey *key, Document *document, const yaml_node_t *node, unsigned char *at);

static void convert_mapping(const DataKey *keys, Document *document, const yaml_node_t *node, unsigned char *base)
{
    for (const DataKey *key = keys; key->key; ++key) {
        convert(key, document, document_child(document, node, key->key), base + key->offset);
    }
}

/// Brings what libcyaml read at `at` to SI; `node` NULL means that the key was missing.
static void convert(const DataKey *key, Document *document, const yaml_node_t *node, unsigned char *at)
{
    if (key->type == KEY_NUMBER) {
        convert_number(key, node != NULL, at);
    } else if (key->type == KEY_INTEGER && !node) {
        memcpy(at, &(int){(int)key->fallback}, sizeof(int));
    } else if (key->type == KEY_MAPPING) {
        convert_mapping(key->inside, document, node, at);
    } else if (key->type == KEY_TUPLE && node) {
        for (int i = 0; i < key->count_max; ++i) {
            convert_number(key, true, at + (size_t)i * key->size);
        }
    } else if (key->type == KEY_LIST && node) {
        const yaml_node_item_t *first = node->data.sequence.items.start;
        for (long i = 0; i < node->data.sequence.items.top - first; ++i) {
            convert(key->inside, document, yaml_document_get_node(&document->yaml, first[i]),
                    at + (size_t)i * key->size);
        }
    }
}

bool schema_read(const DataSchema *schema, Document *document, void *params, Status *status)
{
    const yaml_node_t *kind = document_find(document, "kind");
    if (!kind || strcmp(document_scalar(kind), schema->kind) != 0) {
        return document_fail(document, kind ? kind : document_root(document), "kind", status, "%s%.60s, allowed %s",
                             kind ? "read " : "the key is missing", document_scalar(kind), schema->kind);
    }
    if (schema->variant) {
        schema = schema->variant(document);
    }
    Check check = {document, status, ""};
    if (!check_mapping(&check, schema->keys, document_root(document)) ||
        !schema_fill(schema, document, params, status)) {
        return false;
    }
    convert_mapping(schema->keys, document, document_root(document), params);
    return !schema->check || schema->check(document, params, status);
}
