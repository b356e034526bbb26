/// Builds the tree of a YAML text from libyaml's events, in one pass.
///
/// Events instead of libyaml's own tree, because an alias could make a cycle there, or a tree that is exponentially
/// large when walked, and because only events report anchors and tags. All memory of a document lies in blocks that
/// never move, so that nodes may point at each other, and that go together when the document is closed.
#include "data/files/document.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "data/core/plain_text.h"

/// Chosen; far above what the shipped files need (depth 5, 300 nodes, 30 keys), and walked in no time.
enum { MAX_DEPTH = 12, MAX_NODES = 20000, MAX_KEYS = 64 };

enum { BLOCK_SIZE = 16384 }; ///< bytes; more where one text needs more

typedef struct DocumentBlock DocumentBlock;
struct DocumentBlock {
    DocumentBlock *before;
    size_t used, size; ///< bytes of `room`
    alignas(max_align_t) unsigned char room[];
};

/// What has been built so far.
typedef struct Builder {
    Document *document;
    Status *status;
    int nodes, documents;
    int depth; ///< lists and mappings that have begun and not ended
    DocumentNode *open[MAX_DEPTH]; ///< these, outermost first
    DocumentNode *last[MAX_DEPTH]; ///< the youngest child of each
    const char *key; ///< of the innermost mapping, whose value comes next; or NULL
    DocumentMark key_start;
} Builder;

/// Zeroed memory that lives as long as the document, or NULL.
static void *allocate(Document *document, size_t size)
{
    const size_t unit = alignof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    DocumentBlock *block = document->blocks;
    if (block == NULL || block->size - block->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = calloc(1, sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        block->before = document->blocks;
        block->size = room;
        document->blocks = block;
    }
    block->used += size;
    return block->room + block->used - size;
}

static DocumentMark mark_of(yaml_mark_t mark)
{
    return (DocumentMark){mark.line + 1, mark.column + 1, mark.index};
}

static bool fail_mark(const Builder *builder, yaml_mark_t place, const char *text)
{
    DocumentMark mark = mark_of(place);
    return document_fail(builder->document, &mark, "", builder->status, "%s", text);
}

static bool fail_memory(const Builder *builder)
{
    return status_fail(builder->status, STATUS_LACKING, "%s: out of memory", builder->document->label);
}

static bool fail_parser(const Builder *builder, const yaml_parser_t *parser)
{
    const char *label = builder->document->label;
    const char *problem = parser->problem ? parser->problem : "not readable as YAML";
    if (parser->error == YAML_READER_ERROR) {
        int line, column;
        plain_text_place(builder->document->text, parser->problem_offset, &line, &column);
        return status_fail(builder->status, STATUS_BAD_FILE, "%s:%d:%d: read the byte 0x%02X: %s", label, line, column,
                           (unsigned)parser->problem_value & 0xffU, problem);
    }
    if (parser->error == YAML_MEMORY_ERROR) {
        return fail_memory(builder);
    }
    char text[256];
    snprintf(text, sizeof text, "not valid YAML: %s%s%s", problem, parser->context ? " " : "",
             parser->context ? parser->context : "");
    return fail_mark(builder, parser->problem_mark, text);
}

static const char *keep_text(Builder *builder, const yaml_event_t *scalar)
{
    char *text = allocate(builder->document, scalar->data.scalar.length + 1);
    if (text != NULL) {
        memcpy(text, scalar->data.scalar.value, scalar->data.scalar.length);
    }
    return text;
}

/// Takes a scalar as the key of the value that follows.
static bool add_key(Builder *builder, DocumentNode *mapping, const yaml_event_t *event)
{
    if (event->type != YAML_SCALAR_EVENT) {
        return fail_mark(builder, event->start_mark, "a key that is not a plain word");
    }
    if (mapping->count == MAX_KEYS) {
        return document_fail(builder->document, &mapping->start, "", builder->status, "too many keys in one place");
    }
    const char *name = (const char *)event->data.scalar.value;
    const DocumentNode *earlier = document_child(mapping, name);
    if (earlier != NULL) {
        char text[128];
        snprintf(text, sizeof text, "%.60s: the key stands twice (first in line %zu)", name, earlier->key_start.line);
        return fail_mark(builder, event->start_mark, text);
    }
    builder->key = keep_text(builder, event);
    builder->key_start = mark_of(event->start_mark);
    return builder->key != NULL || fail_memory(builder);
}

/// Adds a scalar, or the begin of a list or mapping, below the innermost list or mapping that is open.
static bool add_node(Builder *builder, DocumentType type, const yaml_event_t *event)
{
    DocumentNode *parent = builder->depth > 0 ? builder->open[builder->depth - 1] : NULL;
    if (++builder->nodes > MAX_NODES) {
        return fail_mark(builder, event->start_mark, "too many values in one file");
    }
    if (parent != NULL && parent->type == DOCUMENT_MAPPING && builder->key == NULL) {
        return add_key(builder, parent, event);
    }
    DocumentNode *node = allocate(builder->document, sizeof *node);
    const char *text = type != DOCUMENT_SCALAR ? "" : keep_text(builder, event);
    if (node == NULL || text == NULL) {
        return fail_memory(builder);
    }
    *node = (DocumentNode){.type = type,
                           .text = text,
                           .key = builder->key,
                           .key_start = builder->key_start,
                           .start = mark_of(event->start_mark),
                           .end = mark_of(event->end_mark)};
    builder->key = NULL;
    if (parent == NULL) {
        builder->document->root = node;
    } else {
        *(parent->count++ == 0 ? &parent->first : &builder->last[builder->depth - 1]->next) = node;
        builder->last[builder->depth - 1] = node;
    }
    if (type != DOCUMENT_SCALAR) {
        if (builder->depth == MAX_DEPTH) {
            return fail_mark(builder, event->start_mark, "nested too deeply");
        }
        builder->open[builder->depth++] = node;
        node->flow = type == DOCUMENT_MAPPING && event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    } else {
        yaml_scalar_style_t style = event->data.scalar.style;
        node->block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    }
    return true;
}

static bool refuse_marked(const Builder *builder, const yaml_event_t *event, const yaml_char_t *anchor,
                          const yaml_char_t *tag)
{
    return !(anchor || tag) ||
           fail_mark(builder, event->start_mark,
                     anchor ? "an anchor (&name); write the value out" : "a tag (!name); it means nothing here");
}

static bool add_event(Builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return fail_mark(builder, event->start_mark, "an alias (*name); write the value out");
    case YAML_SCALAR_EVENT:
        if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length) {
            return fail_mark(builder, event->start_mark, "a value with a NUL character in it");
        }
        return refuse_marked(builder, event, event->data.scalar.anchor, event->data.scalar.tag) &&
               add_node(builder, DOCUMENT_SCALAR, event);
    case YAML_SEQUENCE_START_EVENT:
        return refuse_marked(builder, event, event->data.sequence_start.anchor, event->data.sequence_start.tag) &&
               add_node(builder, DOCUMENT_LIST, event);
    case YAML_MAPPING_START_EVENT:
        return refuse_marked(builder, event, event->data.mapping_start.anchor, event->data.mapping_start.tag) &&
               add_node(builder, DOCUMENT_MAPPING, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        assert(builder->depth > 0 && builder->open[builder->depth - 1] != NULL); // libyaml's events come in pairs
        builder->open[--builder->depth]->end = mark_of(event->end_mark);
        return true;
    case YAML_DOCUMENT_START_EVENT:
        return ++builder->documents == 1 ||
               fail_mark(builder, event->start_mark, "a second document; a file holds one");
    default:
        return true;
    }
}

static bool build(Builder *builder, yaml_parser_t *parser)
{
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            return fail_parser(builder, parser);
        }
        more = event.type != YAML_STREAM_END_EVENT;
        bool good = add_event(builder, &event);
        yaml_event_delete(&event);
        if (!good) {
            return false;
        }
    }
    const DocumentNode *root = builder->document->root;
    if (root == NULL || (root->type == DOCUMENT_SCALAR && root->text[0] == '\0')) {
        return status_fail(builder->status, STATUS_BAD_FILE, "%s: the file is empty", builder->document->label);
    }
    return root->type == DOCUMENT_MAPPING || document_fail(builder->document, &root->start, "", builder->status,
                                                           "keys and values (`kind: ...`) are expected");
}

bool document_open(Document *document, const char *label, const char *text, size_t size, Status *status)
{
    *document = (Document){.label = label, .text = text, .size = size};
    if (size > DOCUMENT_MAX_SIZE) {
        return status_fail(status, STATUS_BAD_FILE, "%s: larger than 1 MiB", label);
    }
    if (!plain_text_check(label, text, size, status)) {
        return false;
    }
    Builder builder = {.document = document, .status = status};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return fail_memory(&builder);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool good = build(&builder, &parser);
    yaml_parser_delete(&parser);
    if (!good) {
        document_close(document);
    }
    return good;
}

void document_close(Document *document)
{
    for (DocumentBlock *block = document->blocks, *before; block != NULL; block = before) {
        before = block->before;
        free(block);
    }
    free(document->own_text);
    *document = (Document){0};
}

DocumentNode *document_child(const DocumentNode *node, const char *key)
{
    if (node == NULL || node->type == DOCUMENT_SCALAR) {
        return NULL;
    }
    DocumentNode *child = node->first;
    if (node->type == DOCUMENT_MAPPING) {
        while (child != NULL && strcmp(child->key, key) != 0) {
            child = child->next;
        }
        return child;
    }
    char *end = NULL;
    long index = strtol(key, &end, 10);
    if (key[0] < '0' || key[0] > '9' || *end) {
        return NULL;
    }
    for (; child != NULL && index > 0; --index) {
        child = child->next;
    }
    return child;
}

DocumentNode *document_walk(const Document *document, const char *path, const char **rest)
{
    DocumentNode *node = document->root;
    while (*path) {
        char part[DOCUMENT_PATH_LENGTH];
        size_t length = strcspn(path, ".");
        if (length >= sizeof part) {
            break;
        }
        memcpy(part, path, length);
        part[length] = '\0';
        DocumentNode *child = document_child(node, part);
        if (!child) {
            break;
        }
        node = child;
        path += length + (path[length] == '.');
    }
    *rest = path;
    return node;
}

DocumentNode *document_find(const Document *document, const char *path)
{
    const char *rest = NULL;
    DocumentNode *node = document_walk(document, path, &rest);
    return rest[0] ? NULL : node;
}

DocumentPath document_path(const char *format, ...)
{
    DocumentPath path;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path.text, sizeof path.text, format, arguments);
    va_end(arguments);
    return path;
}

/// Writes `label:line:column: path: ...`.
static void write_list(const Document *document, const DocumentMark *mark, const char *path, Status *status,
                       const char *format, va_list arguments)
{
    char text[768], place[64] = "";
    vsnprintf(text, sizeof text, format, arguments);
    if (mark != NULL) {
        snprintf(place, sizeof place, ":%zu:%zu", mark->line, mark->column);
    }
    status_fail(status, STATUS_BAD_FILE, "%s%s: %s%s%s", document->label, place, path, path[0] ? ": " : "", text);
}

/// Hands a failure to the findings, if there are any: true then.
static bool hand_on(const Document *document, const Status *status)
{
    if (document->findings != NULL) {
        findings_add(document->findings, false, status->text);
    }
    return document->findings != NULL;
}

bool document_fail(const Document *document, const DocumentMark *mark, const char *path, Status *status,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_list(document, mark, path, status, format, arguments);
    va_end(arguments);
    return hand_on(document, status);
}

bool document_fail_at(const Document *document, const char *path, Status *status, const char *format, ...)
{
    const char *rest = NULL;
    va_list arguments;
    va_start(arguments, format);
    write_list(document, &document_walk(document, path, &rest)->start, path, status, format, arguments);
    va_end(arguments);
    return hand_on(document, status);
}

bool document_check_language(const Document *document, const char *path, const char *tag, Status *status)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strspn(tag, letters);
    bool good = tag[0] == '\0' || (length >= 2 && length <= 8);
    for (const char *p = tag + length; good && *p != '\0'; p += length) {
        length = *p == '-' ? 1 + strspn(p + 1, more) : 0;
        good = length >= 2 && length <= 9;
    }
    return good ||
           document_fail_at(document, path, status, "read %.40s, allowed a language's tag (en, de, pt-BR)", tag);
}

void document_warn_at(const Document *document, const char *path, const char *format, ...)
{
    const char *rest = NULL;
    Status warning;
    va_list arguments;
    if (document->findings == NULL) {
        return;
    }
    va_start(arguments, format);
    write_list(document, &document_walk(document, path, &rest)->start, path, &warning, format, arguments);
    va_end(arguments);
    findings_add(document->findings, true, warning.text);
}

bool document_is_good(const Document *document, Status *status)
{
    const Findings *findings = document->findings;
    for (int k = 0; findings != NULL && k < findings->count; k++) {
        if (!findings->list[k].warning) {
            return status_fail(status, STATUS_BAD_FILE, "%s", findings->list[k].text);
        }
    }
    return true;
}

/// ---- --set: one value replaced -------------------------------------------------------------------------------------

/// Changes one value of a YAML text by cutting and pasting bytes, so that a recording keeps the author's comments and
/// lines.
///
/// The tree of the document says which bytes the value takes; the changed text is parsed again, since every place in it
/// may have moved. The value is written so that it stays one scalar wherever it stands.

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

static bool plan_edit(const Document *document, const char *set, const char *key, const char *value, Edit *edit,
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
    if (!plan_edit(document, set, key, value, &edit, status)) {
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
