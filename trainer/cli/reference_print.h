/// A part of the reference of keys, as text, Markdown, HTML or JSON.
#ifndef SPADEWORK_TRAINER_REFERENCE_PRINT_H
#define SPADEWORK_TRAINER_REFERENCE_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "data/schema/reference.h"

enum { REFERENCE_FEW = 10 }; ///< names of more choices are listed once, behind the keys

typedef struct ReferencePage {
    const char *title;
    const ReferenceKey *keys;
    int count;
} ReferencePage;

void reference_print_text(const ReferencePage *page, FILE *file);
void reference_print_markdown(const ReferencePage *page, FILE *file);
/// The page's part of a document that reference_print_html_begin and _end enclose.
void reference_print_html(const ReferencePage *page, FILE *file);
void reference_print_html_begin(const char *kind, FILE *file);
void reference_print_html_end(FILE *file);
/// An object; the caller's.
json_t *reference_json(const ReferencePage *page);

#endif
