/// A YAML text as a tree of nodes that know their place, for errors that name line and column. Internal to data/.
///
/// Anchors, aliases, tags, duplicate keys, several documents in a file, deep nesting and huge lists are refused at opening,
/// so that everything behind may walk the tree without bounds of its own.
#ifndef SPADEWORK_DATA_DOCUMENT_H
#define SPADEWORK_DATA_DOCUMENT_H

#include <stddef.h>
#include <yaml.h>

#include "data/core/status.h"

enum { DOCUMENT_MAX_SIZE = 1 << 20, DOCUMENT_PATH_LENGTH = 192 };

typedef struct Document {
    const char *label; ///< what errors call the file; borrowed
    const char *text; ///< borrowed
    size_t size; ///< bytes, at most DOCUMENT_MAX_SIZE
    yaml_document_t yaml;
} Document;

/// Parses `text`. On success the caller ends with document_close; on failure there is nothing to close.
bool document_open(Document *document, const char *label, const char *text, size_t size, Status *status);
void document_close(Document *document);

/// The top mapping. Never NULL.
yaml_node_t *document_root(Document *document);
/// Value of a key of a mapping, or item of a list by its number; NULL when there is none.
yaml_node_t *document_child(Document *document, const yaml_node_t *node, const char *key);
/// The node of a dotted path ("ground.layers.0.soil"), or NULL.
yaml_node_t *document_find(Document *document, const char *path);
/// Walks down a dotted path as far as it exists: the node reached, and in `rest` what is left of the path ("" = all found).
yaml_node_t *document_walk(Document *document, const char *path, const char **rest);
/// A scalar's text; "" for anything else.
const char *document_scalar(const yaml_node_t *node);

/// Writes `label:line:column: path: ...` into the status and returns false. `node` NULL: no line is named.
bool document_fail(const Document *document, const yaml_node_t *node, const char *path, Status *status,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/// The same for the node at `path` (its nearest existing parent when the key is missing).
bool document_fail_at(Document *document, const char *path, Status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
