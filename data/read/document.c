#include "data/read/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 12, MAX_NODES = 20000, MAX_KEYS = 64 };

static bool fail_mark(const char *label, yaml_mark_t mark, Status *status, const char *text)
{
    return status_fail(status, STATUS_BAD_FILE, "%s:%zu:%zu: %s", label, mark.line + 1, mark.column + 1, text);
}

static bool fail_parser(const char *label, const yaml_parser_t *parser, Status *status)
{
    const char *problem = parser->problem ? parser->problem : "not readable as YAML";
    if (parser->error == YAML_READER_ERROR) {
        return status_fail(status, STATUS_BAD_FILE, "%s: not a text file (UTF-8): %s at byte %zu", label, problem,
                           parser->problem_offset);
    }
    if (parser->error == YAML_MEMORY_ERROR) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    char text[256];
    snprintf(text, sizeof text, "not valid YAML: %s%s%s", problem, parser->context ? " " : "",
             parser->context ? parser->context : "");
    return fail_mark(label, parser->problem_mark, status, text);
}

static bool start_parser(yaml_parser_t *parser, const char *label, const char *text, size_t size, Status *status)
{
    if (!yaml_parser_initialize(parser)) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, size);
    return true;
}

/// What the first pass has seen so far.
typedef struct Scan {
    int depth, nodes, documents;
} Scan;

/// Refuses one event that a data file may not have.
static bool scan_event(const char *label, const yaml_event_t *event, Scan *scan, Status *status)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return fail_mark(label, event->start_mark, status, "an alias (*name); write the value out");
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        scan->nodes++;
        if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length) {
            return fail_mark(label, event->start_mark, status, "a value with a NUL character in it");
        }
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        scan->nodes++;
        scan->depth++;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        scan->nodes++;
        scan->depth++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        scan->depth--;
        break;
    case YAML_DOCUMENT_START_EVENT:
        if (++scan->documents > 1) {
            return fail_mark(label, event->start_mark, status, "a second document; a file holds one");
        }
        break;
    default:
        break;
    }
    if (anchor || tag) {
        return fail_mark(label, event->start_mark, status,
                         anchor ? "an anchor (&name); write the value out" : "a tag (!name); it means nothing here");
    }
    if (scan->depth > MAX_DEPTH || scan->nodes > MAX_NODES) {
        return fail_mark(label, event->start_mark, status,
                         scan->depth > MAX_DEPTH ? "nested too deeply" : "too many values in one file");
    }
    return true;
}

/// First pass over the events. Without it an alias could make a cycle, or a tree that is exponentially large when walked.
static bool scan_text(const char *label, const char *text, size_t size, Status *status)
{
    yaml_parser_t parser;
    if (!start_parser(&parser, label, text, size, status)) {
        return false;
    }
    Scan scan = {0, 0, 0};
    bool good = true;
    for (bool more = true; more && good;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            good = fail_parser(label, &parser, status);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        good = scan_event(label, &event, &scan, status);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (good && scan.documents == 0) {
        return status_fail(status, STATUS_BAD_FILE, "%s: the file is empty", label);
    }
    return good;
}

static bool check_keys(Document *document, const yaml_node_t *node, Status *status)
{
    const yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    if (end - first > MAX_KEYS) {
        return fail_mark(document->label, node->start_mark, status, "too many keys in one place");
    }
    for (const yaml_node_pair_t *pair = first; pair < end; ++pair) {
        const yaml_node_t *key = yaml_document_get_node(&document->yaml, pair->key);
        if (key->type != YAML_SCALAR_NODE) {
            return fail_mark(document->label, key->start_mark, status, "a key that is not a plain word");
        }
        for (const yaml_node_pair_t *other = first; other < pair; ++other) {
            const yaml_node_t *earlier = yaml_document_get_node(&document->yaml, other->key);
            if (strcmp(document_scalar(earlier), document_scalar(key)) == 0) {
                char text[128];
                snprintf(text, sizeof text, "%.60s: the key stands twice (first in line %zu)", document_scalar(key),
                         earlier->start_mark.line + 1);
                return fail_mark(document->label, key->start_mark, status, text);
            }
        }
    }
    return true;
}

static bool check_tree(Document *document, Status *status)
{
    const yaml_node_t *root = yaml_document_get_root_node(&document->yaml);
    if (!root || (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: the file is empty", document->label);
    }
    if (root->type != YAML_MAPPING_NODE) {
        return fail_mark(document->label, root->start_mark, status, "keys and values (`kind: ...`) are expected");
    }
    for (const yaml_node_t *node = document->yaml.nodes.start; node < document->yaml.nodes.top; ++node) {
        if (node->type == YAML_MAPPING_NODE && !check_keys(document, node, status)) {
            return false;
        }
    }
    return true;
}

bool document_open(Document *document, const char *label, const char *text, size_t size, Status *status)
{
    *document = (Document){.label = label, .text = text, .size = size};
    if (size > DOCUMENT_MAX_SIZE) {
        return status_fail(status, STATUS_BAD_FILE, "%s: larger than 1 MiB", label);
    }
    if (memchr(text, '\0', size)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: not a text file (it holds a NUL byte)", label);
    }
    yaml_parser_t parser;
    if (!scan_text(label, text, size, status) || !start_parser(&parser, label, text, size, status)) {
        return false;
    }
    bool parsed = yaml_parser_load(&parser, &document->yaml) != 0;
    if (!parsed) {
        fail_parser(label, &parser, status);
    }
    yaml_parser_delete(&parser);
    if (!parsed) {
        return false;
    }
    if (!check_tree(document, status)) {
        document_close(document);
        return false;
    }
    return true;
}

void document_close(Document *document)
{
    yaml_document_delete(&document->yaml);
}

yaml_node_t *document_root(Document *document)
{
    return yaml_document_get_root_node(&document->yaml);
}

const char *document_scalar(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static yaml_node_t *list_item(Document *document, const yaml_node_t *node, const char *key)
{
    char *end = NULL;
    long index = strtol(key, &end, 10);
    long count = (long)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (key[0] < '0' || key[0] > '9' || *end || index >= count) {
        return NULL;
    }
    return yaml_document_get_node(&document->yaml, node->data.sequence.items.start[index]);
}

yaml_node_t *document_child(Document *document, const yaml_node_t *node, const char *key)
{
    if (!node) {
        return NULL;
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        return list_item(document, node, key);
    }
    if (node->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; ++pair) {
        if (strcmp(document_scalar(yaml_document_get_node(&document->yaml, pair->key)), key) == 0) {
            return yaml_document_get_node(&document->yaml, pair->value);
        }
    }
    return NULL;
}

yaml_node_t *document_walk(Document *document, const char *path, const char **rest)
{
    yaml_node_t *node = document_root(document);
    while (*path) {
        char part[DOCUMENT_PATH_LENGTH];
        size_t length = strcspn(path, ".");
        if (length >= sizeof part) {
            break;
        }
        memcpy(part, path, length);
        part[length] = '\0';
        yaml_node_t *child = document_child(document, node, part);
        if (!child) {
            break;
        }
        node = child;
        path += length + (path[length] == '.');
    }
    *rest = path;
    return node;
}

yaml_node_t *document_find(Document *document, const char *path)
{
    const char *rest = NULL;
    yaml_node_t *node = document_walk(document, path, &rest);
    return rest[0] ? NULL : node;
}

static bool fail_text(const Document *document, const yaml_node_t *node, const char *path, Status *status,
                      const char *text)
{
    const char *colon = path[0] ? ": " : "";
    if (!node) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s%s%s", document->label, path, colon, text);
    }
    return status_fail(status, STATUS_BAD_FILE, "%s:%zu:%zu: %s%s%s", document->label, node->start_mark.line + 1,
                       node->start_mark.column + 1, path, colon, text);
}

bool document_fail(const Document *document, const yaml_node_t *node, const char *path, Status *status,
                   const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fail_text(document, node, path, status, text);
}

bool document_fail_at(Document *document, const char *path, Status *status, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *rest = NULL;
    return fail_text(document, document_walk(document, path, &rest), path, status, text);
}
