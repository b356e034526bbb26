/// A YAML text as a tree of nodes that know their place, for errors that name line and column. Internal to data/.
///
/// The text is parsed once, by libyaml, which no other file of the project includes. Anchors, aliases, tags, duplicate
/// keys, several documents in a file, deep nesting and huge lists are refused on the way, so that everything behind may
/// walk the tree without bounds of its own. A document belongs to one thread at a time.
#ifndef SPADEWORK_DATA_DOCUMENT_H
#define SPADEWORK_DATA_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum { DOCUMENT_MAX_SIZE = 1 << 20, DOCUMENT_PATH_LENGTH = 192 };

/// A place in the text.
typedef struct DocumentMark {
    size_t line, column; ///< from 1
    size_t character; ///< from 0; a character may take several bytes
} DocumentMark;

typedef enum DocumentType { DOCUMENT_SCALAR, DOCUMENT_LIST, DOCUMENT_MAPPING } DocumentType;

typedef struct DocumentNode DocumentNode;
struct DocumentNode {
    DocumentType type;
    const char *text; ///< value of a scalar; "" of lists and mappings
    const char *key; ///< under which the node stands in its mapping; NULL for items of a list and for the top
    DocumentMark key_start; ///< where that key begins
    DocumentMark start, end;
    bool block; ///< a text written behind | or >
    bool flow; ///< a mapping written in braces
    int count; ///< items of a list, keys of a mapping
    DocumentNode *first; ///< of these, or NULL
    DocumentNode *next; ///< in the same list or mapping, or NULL
};

typedef struct Document {
    const char *label; ///< what errors call the file; borrowed
    const char *text; ///< borrowed, or the same as `own_text`
    size_t size; ///< bytes, at most DOCUMENT_MAX_SIZE
    char *own_text; ///< a text that the document frees at its end (override_apply), or NULL
    DocumentNode *root; ///< the top mapping, never NULL
    struct DocumentBlock *blocks; ///< memory of nodes and scalars
    Findings
        *findings; ///< takes every failure, so that reading goes on behind it; NULL: the first one ends it. Borrowed
} Document;

/// Parses `text`, which must outlive the document, as must `label`. On success the caller ends with document_close; on
/// failure there is nothing to close.
bool document_open(Document *document, const char *label, const char *text, size_t size, Status *status);
void document_close(Document *document);

/// Value of a key of a mapping, or item of a list by its number; NULL when there is none. `node` may be NULL.
DocumentNode *document_child(const DocumentNode *node, const char *key);
/// The node of a dotted path ("ground.layers.0.soil"), or NULL.
DocumentNode *document_find(const Document *document, const char *path);
/// Walks down a dotted path as far as it exists: the node reached, and in `rest` what is left of the path ("" = all
/// found).
DocumentNode *document_walk(const Document *document, const char *path, const char **rest);

/// A dotted path, written as printf does: document_path("grains.%d.soil", i).text, valid to the end of the expression.
typedef struct DocumentPath {
    char text[DOCUMENT_PATH_LENGTH];
} DocumentPath;
DocumentPath document_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Writes `label:line:column: path: ...` into the status and returns false. `mark` NULL: no line is named. Where the
/// document has findings they take the failure, and true is returned, so that what called goes on to the next rule.
bool document_fail(const Document *document, const DocumentMark *mark, const char *path, Status *status,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/// The same for the node at `path` (its nearest existing parent when the key is missing).
bool document_fail_at(const Document *document, const char *path, Status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Checks a language's tag as BCP 47 forms it: 2 to 8 letters, then groups of 1 to 8 letters or digits behind hyphens;
/// "" is good, too. False with `status`.
bool document_check_language(const Document *document, const char *path, const char *tag, Status *status);

/// Adds a warning about the node at `path` to the document's findings, if it has any.
void document_warn_at(const Document *document, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// True when no fault was found so far; else the status is the first one.
bool document_is_good(const Document *document, Status *status);

/// ---- --set ---------------------------------------------------------------------------------------------------------

/// Applies one KEY=VALUE to an open document, whose text is then its own (`own_text`). A key that is missing is added
/// to its mapping, which must exist; whether it may stand there is for the schema to say. On failure the document stays
/// as it was, and the error names the argument.
bool override_apply(Document *document, const char *set, Status *status);

/// True when the text of a failure speaks of the key of a --set, or of something that holds it.
bool override_is_told_of(const char *set, const char *text);

#endif
