/// Catalogues of translations: every text of a whole one is found, a damaged one is refused.
// test: sanitized
#include "tests/support/test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/language.h"

/// Texts in order, the first one the head, and one with a context.
static const struct {
    const char *english, *german;
} texts[] = {{"", "Content-Type: text/plain; charset=UTF-8\n"},
             {"Paused", "Angehalten"},
             {"name\004hut", "Bauhütte"},
             {"pause", ""},
             {"paused", "hält"}};
enum { TEXTS = sizeof texts / sizeof texts[0], HEAD = 28, ORIGINALS = HEAD, TRANSLATIONS = ORIGINALS + 8 * TEXTS };

typedef struct Bytes {
    size_t size;
    unsigned char at[1024];
} Bytes;

static void put_number(Bytes *bytes, size_t place, uint32_t number)
{
    for (int k = 0; k < 4; k++) {
        bytes->at[place + (size_t)k] = (unsigned char)(number >> 8 * k);
    }
}

static void put_text(Bytes *bytes, size_t row, const char *text)
{
    put_number(bytes, row, (uint32_t)strlen(text));
    put_number(bytes, row + 4, (uint32_t)bytes->size);
    memcpy(bytes->at + bytes->size, text, strlen(text) + 1);
    bytes->size += strlen(text) + 1;
}

static Bytes whole_catalogue(void)
{
    static const uint32_t head[] = {0x950412deu, 0, TEXTS, ORIGINALS, TRANSLATIONS};
    Bytes bytes = {.size = TRANSLATIONS + 8 * TEXTS};
    for (size_t k = 0; k < sizeof head / sizeof head[0]; k++) {
        put_number(&bytes, 4 * k, head[k]);
    }
    for (size_t k = 0; k < TEXTS; k++) {
        put_text(&bytes, ORIGINALS + 8 * k, texts[k].english);
        put_text(&bytes, TRANSLATIONS + 8 * k, texts[k].german);
    }
    return bytes;
}

static TextCatalogue *open_bytes(const Bytes *bytes, Status *status)
{
    char path[] = "/tmp/test_data_catalogue.XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, bytes->at, bytes->size), (ssize_t)bytes->size);
    close(handle);
    TextCatalogue *catalogue = text_catalogue_open(path, status);
    unlink(path);
    return catalogue;
}

TEST(every_text_is_found_and_no_other)
{
    static const char *const strange[] = {"A", "Pause", "hut", "name", "pauses", "zzz", "\xff"};
    Status status;
    Bytes bytes = whole_catalogue();
    TextCatalogue *catalogue = open_bytes(&bytes, &status);
    assert_non_null(catalogue);
    for (size_t k = 0; k < TEXTS; k++) {
        assert_string_equal(text_catalogue_find(catalogue, texts[k].english), texts[k].german);
    }
    for (size_t k = 0; k < sizeof strange / sizeof strange[0]; k++) {
        assert_null(text_catalogue_find(catalogue, strange[k]));
    }
    text_catalogue_close(catalogue);
    text_catalogue_close(NULL);
}

static void assert_refused(const Bytes *bytes)
{
    Status status = {0};
    assert_null(open_bytes(bytes, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "install Spadework again"));
}

TEST(a_catalogue_that_was_cut_is_refused)
{
    Bytes bytes = whole_catalogue();
    for (size_t whole = bytes.size; bytes.size-- > 0;) {
        assert_true(bytes.size < whole);
        assert_refused(&bytes);
    }
}

TEST(a_wrong_number_is_refused)
{
    static const struct {
        size_t place;
        uint32_t number;
    } wrong[] = {
        {0, 0xde120495u}, // the other order of bytes
        {4, 1}, // a revision with texts that depend on the system
        {8, TEXTS + 1},
        {8, UINT32_MAX},
        {12, UINT32_MAX},
        {12, TRANSLATIONS + 8}, // reaches into the texts
        {16, 1 << 20},
        {ORIGINALS + 8, 5}, // does not end there
        {ORIGINALS + 8, UINT32_MAX},
        {ORIGINALS + 12, UINT32_MAX},
        {ORIGINALS + 12, 1 << 16},
        {TRANSLATIONS + 8 * (TEXTS - 1), 6}, // past the end
        {ORIGINALS + 8 * (TEXTS - 1) + 4, HEAD + 3}, // out of order: the same text as no other, at a NUL
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Bytes bytes = whole_catalogue();
        put_number(&bytes, wrong[k].place, wrong[k].number);
        assert_refused(&bytes);
    }
    Bytes bytes = whole_catalogue();
    memcpy(bytes.at + ORIGINALS + 8, bytes.at + ORIGINALS + 16, 8); // a text twice
    assert_refused(&bytes);
}

TEST(what_is_no_file_is_refused)
{
    Status status = {0};
    assert_null(text_catalogue_open("/tmp", &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_null(text_catalogue_open("/proc/none.mo", &status));
    assert_non_null(strstr(status.text, "/proc/none.mo"));
}

TEST_GROUP(NULL, NULL)
