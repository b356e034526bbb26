/// Bytes that are no text: told with place, byte and what is allowed, alike by every reader of a text format (scripts:
/// test_input_script).
// test: sanitized
#include "data/core/plain_text.h"
#include "data/files/obj.h"
#include "data/schema/load.h"
#include "data/files/landxml.h"
#include "tests/support/test.h"

typedef struct Case {
    const char *text;
    size_t size;
    const char *says; ///< NULL: it is text
} Case;

#define CASE(text, says)                                                                                               \
    {                                                                                                                  \
        text, sizeof text - 1, says                                                                                    \
    }

static const Case cases[] = {
    CASE("", NULL),
    CASE("plain\n\ttext\r\n", NULL),
    CASE("Gr\xc3\xbc\xc3\x9f"
         "e \xe2\x82\xac \xf0\x9f\x9a\x9c \xf4\x8f\xbf\xbf \xed\x9f\xbf",
         NULL),
    CASE("a: b\nname: Andr\xe9\n", "t:2:11: read the byte 0xE9, which is no character, allowed text (UTF-8)"),
    CASE("\xc3\xbc\xfc", "t:1:2: read the byte 0xFC"), // columns count characters
    CASE("ab\0c", "t:1:3: read a NUL byte (0x00), allowed text (UTF-8)"),
    CASE("\0", "t:1:1: read a NUL byte"),
    CASE("a\xc0\x80", "t:1:2: read the byte 0xC0"), // overlong
    CASE("a\xe0\x9f\xbf", "t:1:2: read the byte 0xE0"),
    CASE("a\xf0\x8f\xbf\xbf", "t:1:2: read the byte 0xF0"),
    CASE("a\xed\xa0\x80", "t:1:2: read the byte 0xED"), // a surrogate
    CASE("a\xf4\x90\x80\x80", "t:1:2: read the byte 0xF4"), // above U+10FFFF
    CASE("a\x80", "t:1:2: read the byte 0x80"), // goes on, but nothing began
    CASE("\n\xe2\x82", "t:2:1: read the byte 0xE2"), // cut
    CASE("\xc3\0", "t:1:1: read the byte 0xC3"),
};

TEST(bytes_that_are_no_text_are_told_with_their_place)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status = {0}, of_file = {0};
        const Case *one = &cases[k];
        FILE *file = tmpfile();
        assert_non_null(file);
        assert_int_equal(fwrite(one->text, 1, one->size, file), one->size);
        rewind(file);
        bool good = plain_text_check("t", one->text, one->size, &status);
        bool good_file = plain_text_check_file("t", file, &of_file);
        assert_int_equal(good, one->says == NULL);
        assert_int_equal(good_file, good);
        if (one->says != NULL) {
            assert_contains(status.text, one->says);
            assert_string_equal(status.text, of_file.text);
        } else {
            assert_int_equal(ftell(file), 0);
        }
        fclose(file);
    }
}

/// ---- the readers ---------------------------------------------------------------------------------------------------

static bool read_yaml(const char *text, size_t size, Status *status)
{
    return data_check_text("t", text, size, status);
}

static bool read_mesh(const char *text, size_t size, Status *status)
{
    ObjMesh mesh;
    return obj_parse("t", text, size, &mesh, status);
}

static bool read_survey(const char *text, size_t size, Status *status)
{
    Tin tin;
    return landxml_read("t", text, size, "", NULL, &tin, status);
}

TEST(every_reader_tells_bytes_that_are_no_text)
{
    static const struct {
        bool (*read)(const char *text, size_t size, Status *status);
        const char *before; ///< what the bytes stand behind, in line 2 from column 3 on
    } readers[] = {
        {read_yaml, "kind: soil\n# "},
        {read_mesh, "v 0 0 0\n# "},
        {read_survey, "<?xml version=\"1.0\"?>\n  "},
    };
    static const char *const bytes[][2] = {{"\xe4 ", ":2:3: read the byte 0xE4, which is no character"},
                                           {"\0 ", ":2:3: read a NUL byte (0x00), allowed text (UTF-8)"}};
    for (size_t k = 0; k < 2 * sizeof readers / sizeof readers[0]; k++) {
        char text[64];
        Status status = {0};
        size_t length = strlen(readers[k / 2].before);
        memcpy(text, readers[k / 2].before, length);
        memcpy(text + length, bytes[k % 2][0], 2);
        assert_false(readers[k / 2].read(text, length + 2, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        assert_contains(status.text, bytes[k % 2][1]);
    }
}

TEST(a_survey_may_name_another_encoding)
{
    static const char text[] = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<Andr\xe9/>\n";
    Status status = {0};
    assert_false(read_survey(text, sizeof text - 1, &status));
    assert_contains(status.text, "t:2:1: read <Andr\xc3\xa9>, allowed a LandXML file");
}

TEST_GROUP(NULL, NULL)
