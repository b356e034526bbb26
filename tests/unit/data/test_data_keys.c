/// Tables of keys: former names of keys are read as today's; missing keys take the fallback of their row.
// test: sanitized

#include "data/files/key_table.h"
#include "tests/support/test.h"

typedef struct Spring {
    double rate, preload; ///< N/m, N
} Spring;

typedef struct Part {
    char name[16];
    double mass; ///< kg
    float share;
    int count;
    Spring spring;
} Part;

static const DataKey spring_keys[] = {
    ROW_NUMBER("rate", Spring, rate, 1, 1e6, 1, "N/m: of the spring"),
    ROW_NUMBER_OR("preload_kn", Spring, preload, 0, 10, 1e3, 2, "kN: at rest"),
    ROW_END,
};

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_NUMBER("mass", Part, mass, 1, 100, 1, "kg: of the part"),
    ROW_FORMER("weight", "mass"),
    ROW_FORMER("heaviness", "mass"),
    ROW_NUMBER_OR("share", Part, share, 0, 1, 1, 0.25, "share: of the whole"),
    ROW_INTEGER_OR("count", Part, count, 1, 9, 3, "of its kind"),
    ROW_MAPPING_OPTIONAL("spring", Part, spring, spring_keys, "what it stands on"),
    ROW_FORMER("coil", "spring"),
    ROW_END,
};

/// A rule between two keys, which knows today's names alone.
static bool check_part(Document *document, const void *params, Status *status)
{
    const Part *part = params;
    return part->mass < 50.0 || document_find(document, "spring.rate") != NULL ||
           document_fail_at(document, "mass", status, "too heavy without a spring");
}

static const DataSchema schema = {
    .kind = "part", .keys = keys, .size = sizeof(Part), .name_size = KEY_SIZE(Part, name), .check = check_part};

static bool read_part(const char *text, Part *part, Status *status)
{
    Document document;
    bool good = document_open(&document, "part.yaml", text, strlen(text), status) &&
                schema_read(&schema, &document, part, status);
    if (document.root) {
        document_close(&document);
    }
    return good;
}

static void assert_says(const char *text, const char *says)
{
    Part part;
    Status status;
    if (read_part(text, &part, &status)) {
        fail_msg("\"%s\" is accepted", text);
    }
    assert_string_equal(status.text, says);
}

TEST(a_former_name_is_read_as_todays)
{
    static const char *const texts[] = {"kind: part\nmass: 7\nspring: {rate: 300}\n",
                                        "kind: part\nweight: 7\ncoil: {rate: 300}\n",
                                        "coil: {rate: 300}\nheaviness: 7\nkind: part\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Part part = {0};
        Status status = {0};
        assert_good(read_part(texts[i], &part, &status), status);
        assert_true(part.mass == 7.0 && part.spring.rate == 300.0);
    }
}

TEST(rules_between_keys_find_a_value_under_todays_name)
{
    Part part;
    Status status;
    assert_true(read_part("kind: part\nweight: 60\ncoil: {rate: 300}\n", &part, &status));
    assert_says("kind: part\nweight: 60\n", "part.yaml:2:9: mass: too heavy without a spring");
}

TEST(errors_say_the_name_that_the_file_uses)
{
    assert_says("kind: part\nweight: 700\n", "part.yaml:2:9: weight: read 700, allowed 1 to 100");
    assert_says("kind: part\nmass: 7\ncoil: {rate: 0}\n", "part.yaml:3:14: coil.rate: read 0, allowed 1 to 1000000");
}

TEST(both_names_at_once_are_refused)
{
    assert_says("kind: part\nmass: 7\nweight: 7\n",
                "part.yaml:3:1: weight: a former name of mass, which stands here, too: allowed one of them");
    assert_says("kind: part\nweight: 7\nmass: 7\n",
                "part.yaml:2:1: weight: a former name of mass, which stands here, too: allowed one of them");
    assert_says("kind: part\nweight: 7\nheaviness: 7\n",
                "part.yaml:3:1: heaviness: a former name of mass, which stands here, too: allowed one of them");
}

TEST(former_names_are_no_longer_offered)
{
    assert_says("kind: part\nmas: 7\n", "part.yaml:2:1: mas: unknown key, allowed kind, mass, share, count, spring");
    assert_says("kind: part\n", "part.yaml:1:1: mass: the key is missing");
}

TEST(missing_keys_take_their_fallback)
{
    Part part;
    Status status;
    memset(&part, 0xAA, sizeof part);
    assert_true(read_part("kind: part\nmass: 7\n", &part, &status));
    assert_true(part.share == 0.25F && part.count == 3);
    assert_true(part.spring.rate == 0.0 && part.spring.preload == 2000.0);
    assert_int_equal(part.name[0], '\0');
}

TEST_GROUP(NULL, NULL)
