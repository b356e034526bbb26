/// Tables of keys: what a file of one kind may hold, where it goes, in which unit and within which bounds. Internal to
/// data/.
///
/// Each rule stands once, in one row of a table, with a phrase that says what the value means. One walk over the
/// document checks every value against its row, with line and column, converts it to SI and writes it into the params
/// struct; keys that are missing get the row's fallback.
///
/// A new key is a row of the table of its mapping (schema/ *_schema.c) and a member of the params struct. A key that
/// gets a better name keeps the old one, since recordings hold old files and are read with today's tables:
///
///     ROW_NUMBER("relief_mpa", MachineCylinder, relief, 1, 100, UNIT_MPA, "MPa: pressure at which its valves open"),
///     ROW_FORMER("max_pressure_mpa", "relief_mpa"),
///
/// Below its former name a value has the same type, bounds, unit and place. Errors about the value say the name that
/// the file uses; lists of allowed keys say today's name alone; both names in one mapping are refused. The tree takes
/// over today's name, so that rules between keys (DataSchema.check) find the value by it. There may be several former
/// names of one key.
#ifndef SPADEWORK_DATA_KEY_TABLE_H
#define SPADEWORK_DATA_KEY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "data/files/document.h"

typedef enum KeyType {
    KEY_NUMBER, ///< double or float by size
    KEY_INTEGER, ///< int
    KEY_SEED, ///< uint64_t
    KEY_TEXT, ///< char array of `size`
    KEY_CHOICE, ///< enum, by `choices`
    KEY_MAPPING, ///< struct with keys `inside`
    KEY_ONE, ///< a mapping with exactly one of the keys `inside`, whose row's number goes to the int at `count_offset`
    KEY_LIST, ///< count_min..count_max items, each as the row `inside` says; their number goes to `count_offset`
    KEY_TUPLE, ///< exactly count_max numbers that share bounds and unit
    KEY_KIND, ///< the file's kind, checked before the table is used
    KEY_FORMER, ///< a former name of the key `current`
} KeyType;

typedef struct KeyChoice {
    const char *name; ///< NULL ends the list
    int value;
} KeyChoice;

typedef struct DataKey DataKey;
struct DataKey {
    const char *key; ///< NULL ends a table
    KeyType type;
    bool optional; ///< when missing: `fallback` (numbers), or left zero
    size_t offset; ///< in the struct of the enclosing mapping
    size_t size; ///< bytes of the value (of one item for lists and tuples)
    double min, max; ///< in the file's unit; of texts: least length (most is size - 1)
    double unit; ///< SI value = number in the file x unit; 0 stands for 1
    double fallback; ///< in the file's unit
    bool survey_length; ///< KEY_NUMBER in m: another unit of length may stand behind it ("1067000 ft_us")
    const DataKey *inside; ///< KEY_MAPPING, KEY_ONE: its keys. KEY_LIST: the row of one item
    size_t count_offset; ///< KEY_LIST: the int that takes the number of items. KEY_ONE: that takes the row's
    int count_min, count_max;
    const KeyChoice *choices;
    bool lines; ///< KEY_TEXT: may hold line ends
    const char *current; ///< KEY_FORMER: today's name
    /// What the value means, one phrase without a full stop: for the reference of keys and the comments of a new
    /// exercise. Of numbers and tuples it begins with the file's unit: "m: depth of the floor below the surface";
    /// a number without one is a share (0 to 1) or a ratio, and a figure has the unit of the metric it belongs to.
    const char *meaning;
};

#define KEY_SIZE(Struct, member) sizeof(((Struct *)NULL)->member)

/// Where a row's value goes.
#define KEY_AT(Struct, member) .offset = offsetof(Struct, member), .size = KEY_SIZE(Struct, member)

/// Rows. `low` and `high` are in the file's unit, `per` converts to SI, `about` is the row's meaning. Rows that end in
/// _OR or _OPTIONAL may be missing.
#define ROW_NUMBER(name, Struct, member, low, high, per, about)                                                        \
    {                                                                                                                  \
        .key = (name), .type = KEY_NUMBER, KEY_AT(Struct, member), .min = (low), .max = (high), .unit = (per),         \
        .meaning = (about)                                                                                             \
    }
#define ROW_NUMBER_OR(name, Struct, member, low, high, per, otherwise, about)                                          \
    {                                                                                                                  \
        .key = (name), .type = KEY_NUMBER, .optional = true, KEY_AT(Struct, member), .min = (low), .max = (high),      \
        .unit = (per), .fallback = (otherwise), .meaning = (about)                                                     \
    }
/// A length, m, with another unit behind it where that is stated: for numbers that people copy from surveys.
#define ROW_LENGTH_OR(name, Struct, member, low, high, otherwise, about)                                               \
    {                                                                                                                  \
        .key = (name), .type = KEY_NUMBER, .optional = true, KEY_AT(Struct, member), .min = (low), .max = (high),      \
        .fallback = (otherwise), .survey_length = true, .meaning = (about)                                             \
    }
#define ROW_INTEGER(name, Struct, member, low, high, about)                                                            \
    {                                                                                                                  \
        .key = (name), .type = KEY_INTEGER, KEY_AT(Struct, member), .min = (low), .max = (high), .meaning = (about)    \
    }
#define ROW_INTEGER_OR(name, Struct, member, low, high, otherwise, about)                                              \
    {                                                                                                                  \
        .key = (name), .type = KEY_INTEGER, .optional = true, KEY_AT(Struct, member), .min = (low), .max = (high),     \
        .fallback = (otherwise), .meaning = (about)                                                                    \
    }
#define ROW_SEED(name, Struct, member, about)                                                                          \
    {                                                                                                                  \
        .key = (name), .type = KEY_SEED, KEY_AT(Struct, member), .meaning = (about)                                    \
    }
#define ROW_TEXT(name, Struct, member, about)                                                                          \
    {                                                                                                                  \
        .key = (name), .type = KEY_TEXT, KEY_AT(Struct, member), .min = 1, .meaning = (about)                          \
    }
#define ROW_TEXT_LINES(name, Struct, member, about)                                                                    \
    {                                                                                                                  \
        .key = (name), .type = KEY_TEXT, KEY_AT(Struct, member), .min = 1, .lines = true, .meaning = (about)           \
    }
#define ROW_TEXT_OPTIONAL(name, Struct, member, about)                                                                 \
    {                                                                                                                  \
        .key = (name), .type = KEY_TEXT, .optional = true, KEY_AT(Struct, member), .meaning = (about)                  \
    }
#define ROW_TEXT_LINES_OPTIONAL(name, Struct, member, about)                                                           \
    {                                                                                                                  \
        .key = (name), .type = KEY_TEXT, .optional = true, KEY_AT(Struct, member), .lines = true, .meaning = (about)   \
    }
#define ROW_CHOICE(name, Struct, member, list, about)                                                                  \
    {                                                                                                                  \
        .key = (name), .type = KEY_CHOICE, KEY_AT(Struct, member), .choices = (list), .meaning = (about)               \
    }
#define ROW_CHOICE_OPTIONAL(name, Struct, member, list, about)                                                         \
    {                                                                                                                  \
        .key = (name), .type = KEY_CHOICE, .optional = true, KEY_AT(Struct, member), .choices = (list),                \
        .meaning = (about)                                                                                             \
    }
#define ROW_MAPPING(name, Struct, member, table, about)                                                                \
    {                                                                                                                  \
        .key = (name), .type = KEY_MAPPING, KEY_AT(Struct, member), .inside = (table), .meaning = (about)              \
    }
#define ROW_MAPPING_OPTIONAL(name, Struct, member, table, about)                                                       \
    {                                                                                                                  \
        .key = (name), .type = KEY_MAPPING, .optional = true, KEY_AT(Struct, member), .inside = (table),               \
        .meaning = (about)                                                                                             \
    }

/// A list of `least` to `most` items, each as the row `item` says. An empty list is the fallback of an optional one.
#define KEY_ITEMS(Struct, member, counter, item)                                                                       \
    .offset = offsetof(Struct, member), .size = KEY_SIZE(Struct, member[0]), .inside = (item),                         \
    .count_offset = offsetof(Struct, counter)
#define ROW_LIST(name, Struct, member, counter, least, most, item, about)                                              \
    {                                                                                                                  \
        .key = (name), .type = KEY_LIST, KEY_ITEMS(Struct, member, counter, item), .count_min = (least),               \
        .count_max = (most), .meaning = (about)                                                                        \
    }
#define ROW_LIST_OPTIONAL(name, Struct, member, counter, least, most, item, about)                                     \
    {                                                                                                                  \
        .key = (name), .type = KEY_LIST, .optional = true, KEY_ITEMS(Struct, member, counter, item),                   \
        .count_min = (least), .count_max = (most), .meaning = (about)                                                  \
    }
/// The row of a list's items that are mappings.
#define ROW_ITEM(Struct, table)                                                                                        \
    {                                                                                                                  \
        .type = KEY_MAPPING, .size = sizeof(Struct), .inside = (table)                                                 \
    }

/// The row of a list's items that are mappings with exactly one of the table's keys. Their values may share a union:
/// only the one that is present is written, and its row's number.
#define ROW_ITEM_ONE(Struct, chosen, table)                                                                            \
    {                                                                                                                  \
        .type = KEY_ONE, .size = sizeof(Struct), .inside = (table), .count_offset = offsetof(Struct, chosen)           \
    }

/// `length` numbers of type Number, which share bounds and unit.
#define ROW_TUPLE(name, Struct, member, Number, length, low, high, per, about)                                         \
    {                                                                                                                  \
        .key = (name), .type = KEY_TUPLE, .offset = offsetof(Struct, member), .size = sizeof(Number), .min = (low),    \
        .max = (high), .unit = (per), .count_min = (length), .count_max = (length), .meaning = (about)                 \
    }
#define ROW_TUPLE_OPTIONAL(name, Struct, member, Number, length, low, high, per, about)                                \
    {                                                                                                                  \
        .key = (name), .type = KEY_TUPLE, .optional = true, .offset = offsetof(Struct, member),                        \
        .size = sizeof(Number), .min = (low), .max = (high), .unit = (per), .count_min = (length),                     \
        .count_max = (length), .meaning = (about)                                                                      \
    }

/// A former name of the key `today`, which has a row in the same table.
#define ROW_FORMER(name, today)                                                                                        \
    {                                                                                                                  \
        .key = (name), .type = KEY_FORMER, .optional = true, .current = (today)                                        \
    }
#define ROW_KIND()                                                                                                     \
    {                                                                                                                  \
        .key = "kind", .type = KEY_KIND, .meaning = "what kind of file it is"                                          \
    }
#define ROW_END                                                                                                        \
    {                                                                                                                  \
        .key = NULL                                                                                                    \
    }

/// One kind of file.
typedef struct DataSchema DataSchema;
struct DataSchema {
    const char *kind; ///< "scene": the value of the key `kind`
    const char *folder; ///< "scenes": the folder under data/
    const char *extension; ///< of its files; NULL: ".yaml"
    const char *const
        *other_extensions; ///< of other formats that its reader knows, found by their path; ends with NULL
    bool users_too; ///< files of this kind in the shared folder and the user's are found by name, too
    const DataKey *keys; ///< NULL: not a YAML file
    size_t size; ///< of the params struct; its first member is `char name[name_size]`
    size_t name_size;
    /// Computes what follows from the keys, before `check`. NULL: nothing does.
    void (*derive)(void *params);
    /// Rules between several keys, on the loaded struct (SI).
    bool (*check)(Document *document, const void *params, Status *status);
    /// Rules that need nothing but the document, checked also when its keys have faults, with which `check` cannot be
    /// looked at. NULL: there are none.
    void (*check_text)(const Document *document);
    bool rules_go_on; ///< a rule of `check` may be looked at although one before it failed
    /// Of a kind with several tables for the same struct: the one this document is to be read with. NULL: there is one.
    const DataSchema *(*variant)(Document *document);
};

/// Reads the open document into `params` (schema->size bytes), in SI; the member `name` is left empty. On failure
/// `params` holds nothing of use, and the status says where, what was read and what is allowed.
bool schema_read(const DataSchema *schema, Document *document, void *params, Status *status);

/// ---- rows in words -------------------------------------------------------------------------------------------------

enum { KEY_WORDS = 256, KEY_UNIT = 16 };

/// Writes the unit of a number or tuple as files have it ("m"); "" for everything else.
void key_unit(const DataKey *row, char unit[KEY_UNIT]);
/// What the value means, without the unit in front.
const char *key_phrase(const DataKey *row);
/// The kind of value: "number", "whole number", "text", "choice", "keys", "one key", "list", "3 numbers", "word".
void key_type(const DataKey *row, char words[KEY_WORDS]);
/// What is allowed: "0.2 to 6", "free, trench or tasks", "1 to 4 items", "up to 95 bytes"; of many choices how many.
void key_allowed(const DataKey *row, char words[KEY_WORDS]);
/// What a key that is left out stands for; "" where it is needed, and where nothing stands for it.
void key_default(const DataKey *row, char words[KEY_WORDS]);

enum { KEY_FEW_CHOICES = 10 }; ///< of more, key_allowed says their number

#endif
