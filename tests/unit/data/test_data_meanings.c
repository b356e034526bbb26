/// Every key of every kind of file has a meaning, with the unit that its name says, for the reference of keys.
// test: sanitized

#include "data/files/key_table.h"
#include "data/schema/schemas.h"
#include "tests/support/test.h"

static int faults;

static void tell(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    faults++;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), more = strlen(end);
    return length > more && strcmp(text + length - more, end) == 0;
}

/// Units that a key's name may end in, and every unit there is.
static void check_unit(const DataKey *row, const char *path)
{
    static const char *const endings[][2] = {
        {"_kn_per_mm", "kN/mm"}, {"_deg", "deg"},  {"_mm", "mm"}, {"_kpa", "kPa"},       {"_mpa", "MPa"},
        {"_kn", "kN"},           {"_knm", "kN m"}, {"_kw", "kW"}, {"_kj", "kJ"},         {"_lpm", "l/min"},
        {"_kmh", "km/h"},        {"_rpm", "rpm"},  {"_gb", "GB"}, {"_per_min", "1/min"}, {"_g_per_kwh", "g/kWh"},
        {"_kg_per_h", "kg/h"},   {"_c", "degC"},   {"_l", "l"},   {"_time_min", "min"}};
    static const char *const plain[] = {
        "m",     "m3",    "s",       "kg",   "kg m2", "kg/m3",         "kWh/t",      "N",         "N/m",
        "J",     "Pa/m",  "m/s",     "m/s2", "share", "ratio",         "figure",     "points",    "pumps",
        "radii", "power", "reading", "h",    "mm/h",  "ways a second", "kN/m^(n+1)", "kN/m^(n+2)"};
    char unit[KEY_UNIT];
    key_unit(row, unit);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        if (row->key != NULL && ends_in(row->key, endings[k][0])) {
            if (strcmp(unit, endings[k][1]) != 0) {
                tell(path, "its meaning does not begin with the unit of its name");
            }
            return;
        }
    }
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        if (strcmp(unit, plain[k]) == 0) {
            return;
        }
    }
    tell(path, "its meaning begins with no unit (`m: ...`)");
}

static void check_row(const DataKey *row, const char *path)
{
    const char *phrase = key_phrase(row);
    if (phrase[0] == '\0') {
        tell(path, "the row has no meaning");
    } else if (strlen(phrase) > 110 || ends_in(phrase, ".") || strchr(phrase, '\n') != NULL) {
        tell(path, "its meaning is no short phrase without a full stop");
    }
    if (row->type == KEY_NUMBER || row->type == KEY_TUPLE) {
        check_unit(row, path);
    }
}

static void check_rows(const DataKey *rows, const char *above)
{
    for (const DataKey *row = rows; row->key != NULL; row++) {
        char path[DOCUMENT_PATH_LENGTH];
        snprintf(path, sizeof path, "%s.%s", above, row->key);
        if (row->type == KEY_FORMER) {
            continue;
        }
        check_row(row, path);
        if (row->type == KEY_MAPPING) {
            check_rows(row->inside, path);
        } else if (row->type == KEY_LIST && (row->inside->type == KEY_MAPPING || row->inside->type == KEY_ONE)) {
            check_rows(row->inside->inside, path);
        }
    }
}

TEST(every_row_has_a_meaning)
{
    static const char *const kinds[] = {"scene",  "machine",  "soil",   "controls",   "truck",
                                        "expert", "settings", "course", "attachment", "coupler"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const DataSchema *schema = schema_of_kind(kinds[k]);
        assert_non_null(schema);
        check_rows(schema->keys, kinds[k]);
    }
    check_rows(data_dozer_schema.keys, "dozer");
    assert_int_equal(faults, 0);
}

TEST(rows_in_words)
{
    static const KeyChoice some[] = {{"iron", 1}, {"wood", 0}, {"clay", 2}, {NULL, 0}};
    typedef struct Thing {
        double length, edge[2];
        int count, of;
        char name[20];
    } Thing;
    static const DataKey rows[] = {
        ROW_NUMBER_OR("length_mm", Thing, length, 0.5, 2e3, 1e-3, 12.5, "mm: from end to end"),
        ROW_INTEGER("count", Thing, count, 1, 9, "how many"),
        ROW_CHOICE_OPTIONAL("of", Thing, of, some, "what it is made of: its stuff"),
        ROW_TUPLE("edge", Thing, edge, double, 2, -1, 1, 1, "m: of the edge"),
        ROW_TEXT("name", Thing, name, "what it is called"),
        ROW_END,
    };
    static const char *const words[][5] = {
        {"mm", "number", "0.5 to 2000", "12.5", "from end to end"},
        {"", "whole number", "1 to 9", "", "how many"},
        {"", "choice", "iron, wood or clay", "wood", "what it is made of: its stuff"},
        {"m", "2 numbers", "-1 to 1", "", "of the edge"},
        {"", "text", "up to 19 bytes", "", "what it is called"}};
    for (int k = 0; k < 5; k++) {
        char unit[KEY_UNIT], type[KEY_WORDS], allowed[KEY_WORDS], fallback[KEY_WORDS];
        key_unit(&rows[k], unit);
        key_type(&rows[k], type);
        key_allowed(&rows[k], allowed);
        key_default(&rows[k], fallback);
        assert_string_equal(unit, words[k][0]);
        assert_string_equal(type, words[k][1]);
        assert_string_equal(allowed, words[k][2]);
        assert_string_equal(fallback, words[k][3]);
        assert_string_equal(key_phrase(&rows[k]), words[k][4]);
    }
}

TEST_GROUP(NULL, NULL)
