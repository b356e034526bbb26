/// Reads a document by a table of keys: each value is checked, converted to SI and written where its row says, in one
/// walk.
///
/// The walk follows the document, so that the first error in the text is reported, or the first of all
/// (Document.findings); what the document lacks is filled in after each mapping. Numbers are decimal alone: strtod
/// would also take nan, inf and hexadecimal.
#include "data/files/key_table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/visible_text.h"

typedef struct Reader {
    const Document *document;
    Status *status;
    char path[DOCUMENT_PATH_LENGTH]; ///< dotted, of where the walk is: for errors
} Reader;

static bool read_value(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *base);

/// Appends a part to the path; returns the length to cut it back to.
static size_t push(Reader *reader, const char *part)
{
    size_t length = strlen(reader->path);
    snprintf(reader->path + length, sizeof reader->path - length, "%s%s", length ? "." : "", part);
    return length;
}

static bool fail_read(Reader *reader, const DocumentNode *node, const char *allowed)
{
    static const char *const forms[] = {"a value", "a list", "keys and values"};
    const char *text = node->type != DOCUMENT_SCALAR ? forms[node->type] : node->text[0] ? node->text : "nothing";
    return document_fail(reader->document, &node->start, reader->path, reader->status, "read %.60s%s, allowed %s", text,
                         strlen(text) > 60 ? "..." : "", allowed);
}

/// Writes a number of the file's unit in SI, as double or float.
static void store_number(const DataKey *row, double number, unsigned char *at)
{
    double value = number * (row->unit > 0.0 ? row->unit : 1.0);
    if (row->size == sizeof(float)) {
        memcpy(at, &(float){(float)value}, sizeof(float));
    } else {
        memcpy(at, &value, sizeof value);
    }
}

/// Units that may stand behind a length of a survey.
static const struct {
    const char *name;
    double metres;
} lengths[] = {{"m", 1.0},
               {"mm", 1e-3},
               {"cm", 1e-2},
               {"km", 1e3},
               {"in", 0.0254},
               {"ft", 0.3048},
               {"ft_us", 1200.0 / 3937.0},
               {"mile", 1609.344}};

/// m for one of the unit that a word names; 0: it names none.
static double metres_of(const char *word)
{
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        if (strcmp(word, lengths[k].name) == 0) {
            return lengths[k].metres;
        }
    }
    return 0.0;
}

static bool read_number(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *at)
{
    char allowed[128], number[256], digits[64];
    snprintf(allowed, sizeof allowed, "%.10g to %.10g%s", row->min, row->max, row->survey_length ? " m" : "");
    size_t length = strspn(node->text, "0123456789+-.eE");
    const char *unit = node->text + length + strspn(node->text + length, " ");
    bool has_unit = row->survey_length && unit > node->text + length;
    double metres = has_unit ? metres_of(unit) : 1.0;
    snprintf(digits, sizeof digits, "%.*s", (int)(length < sizeof digits ? length : sizeof digits - 1), node->text);
    char *end = NULL;
    double value = strtod(digits, &end) * metres;
    if (end == digits || *end != '\0' || length >= sizeof digits || metres <= 0.0 || (!has_unit && unit[0] != '\0')) {
        snprintf(number, sizeof number, "a number, %s%s", allowed,
                 row->survey_length ? ", or one with a unit (m, mm, cm, km, in, ft, ft_us, mile)" : "");
        return fail_read(reader, node, number);
    }
    if (!(value >= row->min && value <= row->max)) {
        return fail_read(reader, node, allowed);
    }
    store_number(row, value, at);
    return true;
}

/// True for an optional minus sign and up to 19 digits. A leading zero could be meant as octal.
static bool is_whole(const char *text, bool sign)
{
    const char *digits = text + (sign && text[0] == '-');
    size_t length = strlen(digits);
    return length > 0 && length <= 19 && strspn(digits, "0123456789") == length && (digits[0] != '0' || length == 1);
}

static bool read_integer(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *at)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a whole number, %.0f to %.0f", row->min, row->max);
    double value = strtod(node->text, NULL);
    if (!is_whole(node->text, true) || !(value >= row->min && value <= row->max)) {
        return fail_read(reader, node, allowed);
    }
    memcpy(at, &(int){(int)value}, sizeof(int));
    return true;
}

static bool read_seed(Reader *reader, const DocumentNode *node, unsigned char *at)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a whole number, 0 to %lld", (long long)INT64_MAX);
    uint64_t value = strtoull(node->text, NULL, 10);
    if (!is_whole(node->text, false) || value > (uint64_t)INT64_MAX) {
        return fail_read(reader, node, allowed);
    }
    memcpy(at, &value, sizeof value);
    return true;
}

static bool read_text(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *at)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a text of %.0f to %zu bytes", row->min, row->size - 1);
    size_t length = strlen(node->text);
    if (node->type != DOCUMENT_SCALAR || (double)length < row->min || length > row->size - 1) {
        return fail_read(reader, node, allowed);
    }
    size_t wrong = 0;
    VisibleFault fault = visible_text_fault(node->text, length, row->lines, &wrong);
    if (fault != VISIBLE_GOOD) {
        return document_fail(reader->document, &node->start, reader->path, reader->status, "read %s, allowed %s",
                             visible_text_words(node->text, wrong, fault).text,
                             row->lines ? "letters and line ends" : "one line of letters");
    }
    memcpy(at, node->text, length + 1);
    return true;
}

/// The names that a choice may have; of a long list the one that begins most like what was read.
static void list_choices(const KeyChoice *choices, const char *read, char *allowed, size_t size)
{
    const char *nearest = "";
    size_t length = 0, alike = 0;
    int count = 0;
    allowed[0] = '\0';
    for (const KeyChoice *choice = choices; choice->name; ++choice, ++count) {
        size_t same = 0;
        while (choice->name[same] != '\0' && choice->name[same] == read[same]) {
            same++;
        }
        if (same > alike || nearest[0] == '\0') {
            alike = same;
            nearest = choice->name;
        }
        int more =
            length < size ? snprintf(allowed + length, size - length, "%s%s", length ? ", " : "", choice->name) : 0;
        length += (size_t)(more > 0 ? more : 0);
    }
    if (length >= size) {
        snprintf(allowed, size, "one of %d names, of which %s is nearest", count, nearest);
    }
}

static bool read_choice(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *at)
{
    for (const KeyChoice *choice = row->choices; choice->name; ++choice) {
        if (node->type == DOCUMENT_SCALAR && strcmp(node->text, choice->name) == 0) {
            if (row->size == sizeof(bool)) {
                memcpy(at, &(bool){choice->value != 0}, sizeof(bool));
            } else {
                memcpy(at, &choice->value, sizeof choice->value);
            }
            return true;
        }
    }
    char allowed[256];
    list_choices(row->choices, node->type == DOCUMENT_SCALAR ? node->text : "", allowed, sizeof allowed);
    return fail_read(reader, node, allowed);
}

static const DataKey *find_row(const DataKey *rows, const char *key)
{
    while (rows->key && strcmp(rows->key, key) != 0) {
        ++rows;
    }
    return rows->key ? rows : NULL;
}

static bool fail_unknown(Reader *reader, const DataKey *rows, const DocumentNode *member)
{
    char allowed[512] = "";
    for (; rows->key; ++rows) {
        size_t length = strlen(allowed);
        if (rows->type != KEY_FORMER) {
            snprintf(allowed + length, sizeof allowed - length, "%s%s", length ? ", " : "", rows->key);
        }
    }
    push(reader, member->key);
    return document_fail(reader->document, &member->key_start, reader->path, reader->status, "unknown key, allowed %s",
                         allowed);
}

/// The row of a member, which gets today's name when it stands under a former one; NULL with the status.
static const DataKey *row_of_member(Reader *reader, const DataKey *rows, const DocumentNode *mapping,
                                    DocumentNode *member)
{
    const DataKey *row = find_row(rows, member->key);
    if (!row) {
        fail_unknown(reader, rows, member);
    } else if (row->type == KEY_FORMER && document_child(mapping, row->current)) {
        push(reader, member->key);
        document_fail(reader->document, &member->key_start, reader->path, reader->status,
                      "a former name of %s, which stands here, too: allowed one of them", row->current);
        row = NULL;
    } else if (row->type == KEY_FORMER) {
        member->key = row->current;
        row = find_row(rows, row->current);
    }
    return row;
}

/// What a missing key stands for: the fallback of numbers, inside mappings too. Everything else stays zero.
static void fill_missing(const DataKey *row, unsigned char *base)
{
    unsigned char *at = base + row->offset;
    if (row->type == KEY_NUMBER) {
        store_number(row, row->fallback, at);
    } else if (row->type == KEY_INTEGER) {
        memcpy(at, &(int){(int)row->fallback}, sizeof(int));
    } else if (row->type == KEY_MAPPING) {
        for (const DataKey *inside = row->inside; inside->key; ++inside) {
            fill_missing(inside, at);
        }
    }
}

static bool read_mapping(Reader *reader, const DataKey *rows, const DocumentNode *node, unsigned char *base)
{
    if (node->type != DOCUMENT_MAPPING) {
        return fail_read(reader, node, "keys and values");
    }
    for (DocumentNode *member = node->first; member; member = member->next) {
        const char *written = member->key;
        size_t length = strlen(reader->path);
        const DataKey *row = row_of_member(reader, rows, node, member);
        if (!row) {
            if (!reader->document->findings) {
                return false;
            }
            reader->path[length] = '\0';
            continue;
        }
        push(reader, written);
        if (!read_value(reader, row, member, base)) {
            return false;
        }
        reader->path[length] = '\0';
    }
    for (const DataKey *row = rows; row->key; ++row) {
        if (document_child(node, row->key)) {
            continue;
        }
        if (!row->optional) {
            size_t length = push(reader, row->key);
            if (!document_fail(reader->document, &node->start, reader->path, reader->status, "the key is missing")) {
                return false;
            }
            reader->path[length] = '\0';
        }
        fill_missing(row, base);
    }
    return true;
}

static bool read_one(Reader *reader, const DataKey *rows, size_t number_at, const DocumentNode *node,
                     unsigned char *base)
{
    if (node->type != DOCUMENT_MAPPING) {
        return fail_read(reader, node, "one key and its value");
    }
    DocumentNode *member = node->first;
    if (node->count != 1 || !member) {
        const DocumentNode *second = member ? member->next : NULL;
        return document_fail(reader->document, second ? &second->key_start : &node->start, reader->path, reader->status,
                             "read %d keys, allowed exactly one", node->count);
    }
    size_t length = strlen(reader->path);
    const DataKey *row = row_of_member(reader, rows, node, member);
    if (!row) {
        reader->path[length] = '\0';
        return reader->document->findings != NULL;
    }
    push(reader, member->key);
    if (!read_value(reader, row, member, base)) {
        return false;
    }
    reader->path[length] = '\0';
    memcpy(base + number_at, &(int){(int)(row - rows)}, sizeof(int));
    return true;
}

static bool read_items(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *base)
{
    int count = node->type == DOCUMENT_LIST ? node->count : -1;
    if (count < row->count_min || count > row->count_max) {
        char allowed[96];
        if (row->type == KEY_TUPLE) {
            snprintf(allowed, sizeof allowed, "a list of %d numbers", row->count_max);
        } else {
            snprintf(allowed, sizeof allowed, "a list of %d to %d items", row->count_min, row->count_max);
        }
        return count < 0 ? fail_read(reader, node, allowed)
                         : document_fail(reader->document, &node->start, reader->path, reader->status,
                                         "read %d items, allowed %s", count, allowed);
    }
    unsigned char *at = base + row->offset;
    const DocumentNode *item = node->first;
    for (int i = 0; i < count; ++i, item = item->next, at += row->size) {
        char number[24];
        snprintf(number, sizeof number, "%d", i);
        size_t length = push(reader, number);
        if (!(row->type == KEY_TUPLE ? read_number(reader, row, item, at)
                                     : read_value(reader, row->inside, item, at))) {
            return false;
        }
        reader->path[length] = '\0';
    }
    if (row->type == KEY_LIST) {
        memcpy(base + row->count_offset, &count, sizeof count);
    }
    return true;
}

/// Checks a value and writes it into the struct at `base`.
static bool read_value(Reader *reader, const DataKey *row, const DocumentNode *node, unsigned char *base)
{
    unsigned char *at = base + row->offset;
    switch (row->type) {
    case KEY_NUMBER:
        return read_number(reader, row, node, at);
    case KEY_INTEGER:
        return read_integer(reader, row, node, at);
    case KEY_SEED:
        return read_seed(reader, node, at);
    case KEY_TEXT:
        return read_text(reader, row, node, at);
    case KEY_CHOICE:
        return read_choice(reader, row, node, at);
    case KEY_MAPPING:
        return read_mapping(reader, row->inside, node, at);
    case KEY_ONE:
        return read_one(reader, row->inside, row->count_offset, node, at);
    case KEY_LIST:
    case KEY_TUPLE:
        return read_items(reader, row, node, base);
    case KEY_KIND:
    case KEY_FORMER:
        break;
    }
    return true;
}

/// Checks the rules between keys: all of them, or up to the first that fails where later ones build on earlier ones.
static bool check_rules(const DataSchema *schema, Document *document, const void *params, Status *status)
{
    Findings *findings = document->findings;
    if (!schema->rules_go_on) {
        document->findings = NULL;
    }
    bool good = schema->check(document, params, status);
    document->findings = findings;
    if (!good && findings && !schema->rules_go_on) {
        findings_add(findings, false, status->text);
    }
    return good && document_is_good(document, status);
}

bool schema_read(const DataSchema *schema, Document *document, void *params, Status *status)
{
    const DocumentNode *kind = document_child(document->root, "kind");
    if (!kind || strcmp(kind->text, schema->kind) != 0) {
        document_fail(document, kind ? &kind->start : &document->root->start, "kind", status, "%s%.60s, allowed %s",
                      kind ? "read " : "the key is missing", kind ? kind->text : "", schema->kind);
        return false;
    }
    if (schema->variant) {
        schema = schema->variant(document);
    }
    memset(params, 0, schema->size);
    Reader reader = {document, status, ""};
    if (!read_mapping(&reader, schema->keys, document->root, params) || !document_is_good(document, status)) {
        if (schema->check_text && document->findings) {
            schema->check_text(document);
        }
        return false;
    }
    if (schema->derive) {
        schema->derive(params);
    }
    return !schema->check || check_rules(schema, document, params, status);
}

/// ---- rows in words -------------------------------------------------------------------------------------------------

/// Writes a row's type, bounds and fallback in the words of an error message, so that the reference of keys and the
/// comments of a new exercise say what `check` says.

#define BEYOND 1e8 ///< bounds of more than this are none

static bool is_numeric(const DataKey *row)
{
    return row->type == KEY_NUMBER || row->type == KEY_TUPLE;
}

/// Length of the unit in front of a meaning; 0 of what has none.
static size_t unit_length(const DataKey *row)
{
    const char *end = is_numeric(row) && row->meaning != NULL ? strstr(row->meaning, ": ") : NULL;
    return end != NULL ? (size_t)(end - row->meaning) : 0;
}

void key_unit(const DataKey *row, char unit[KEY_UNIT])
{
    snprintf(unit, KEY_UNIT, "%.*s", (int)unit_length(row), row->meaning != NULL ? row->meaning : "");
}

const char *key_phrase(const DataKey *row)
{
    size_t unit = unit_length(row);
    return row->meaning == NULL ? "" : row->meaning + (unit > 0 ? unit + 2 : 0);
}

/// How many choices a row has; 0 of other types.
static int count_choices(const DataKey *row)
{
    int count = 0;
    while (row->type == KEY_CHOICE && row->choices[count].name != NULL) {
        count++;
    }
    return count;
}

void key_type(const DataKey *row, char words[KEY_WORDS])
{
    static const char *const types[] = {[KEY_NUMBER] = "number",
                                        [KEY_INTEGER] = "whole number",
                                        [KEY_SEED] = "whole number",
                                        [KEY_TEXT] = "text",
                                        [KEY_CHOICE] = "choice",
                                        [KEY_MAPPING] = "keys",
                                        [KEY_ONE] = "one key",
                                        [KEY_LIST] = "list",
                                        [KEY_TUPLE] = "",
                                        [KEY_KIND] = "word",
                                        [KEY_FORMER] = "former name"};
    if (row->type == KEY_TUPLE) {
        snprintf(words, KEY_WORDS, "%d numbers", row->count_max);
    } else {
        snprintf(words, KEY_WORDS, "%s", types[row->type]);
    }
}

static void write_choices(const DataKey *row, char words[KEY_WORDS])
{
    int count = count_choices(row);
    words[0] = '\0';
    if (count > KEY_FEW_CHOICES) {
        snprintf(words, KEY_WORDS, "one of %d names", count);
        return;
    }
    for (int k = 0; k < count; k++) {
        size_t length = strlen(words);
        const char *join = k == 0 ? "" : k == count - 1 ? " or " : ", ";
        snprintf(words + length, KEY_WORDS - length, "%s%s", join, row->choices[k].name);
    }
}

void key_allowed(const DataKey *row, char words[KEY_WORDS])
{
    words[0] = '\0';
    switch (row->type) {
    case KEY_NUMBER:
    case KEY_TUPLE:
        if (row->max > BEYOND) {
            snprintf(words, KEY_WORDS, "any");
        } else {
            snprintf(words, KEY_WORDS, "%.10g to %.10g%s", row->min, row->max,
                     row->survey_length ? ", or with a unit (ft, ft_us, in, mile, km, cm, mm)" : "");
        }
        break;
    case KEY_INTEGER:
        snprintf(words, KEY_WORDS, "%.0f to %.0f", row->min, row->max);
        break;
    case KEY_SEED:
        snprintf(words, KEY_WORDS, "0 to 9223372036854775807");
        break;
    case KEY_TEXT:
        snprintf(words, KEY_WORDS, "up to %zu bytes%s", row->size - 1, row->lines ? ", several lines" : "");
        break;
    case KEY_CHOICE:
        write_choices(row, words);
        break;
    case KEY_LIST:
        snprintf(words, KEY_WORDS, "%d to %d items", row->count_min, row->count_max);
        break;
    case KEY_MAPPING:
    case KEY_ONE:
    case KEY_KIND:
    case KEY_FORMER:
        break;
    }
}

/// The name of the choice that zero stands for: a missing choice leaves its member zero.
static const char *first_choice(const DataKey *row)
{
    for (const KeyChoice *choice = row->choices; choice->name != NULL; choice++) {
        if (choice->value == 0) {
            return choice->name;
        }
    }
    return "";
}

void key_default(const DataKey *row, char words[KEY_WORDS])
{
    words[0] = '\0';
    if (!row->optional) {
        return;
    }
    if (row->type == KEY_NUMBER && fabs(row->fallback) < BEYOND) {
        snprintf(words, KEY_WORDS, "%.10g", row->fallback);
    } else if (row->type == KEY_INTEGER) {
        snprintf(words, KEY_WORDS, "%.0f", row->fallback);
    } else if (row->type == KEY_CHOICE && count_choices(row) <= KEY_FEW_CHOICES) {
        snprintf(words, KEY_WORDS, "%s", first_choice(row));
    }
}
