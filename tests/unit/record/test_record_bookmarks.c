/// Bookmarks: in order, read as they were written, and refused with line and column.
// test: sanitized
#include "trainer/record/bookmarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/test.h"

static char folder[64], path[128], marks[160];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/var/tmp/spadework-marks-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/a.spade", folder);
    snprintf(marks, sizeof marks, "%s.marks", path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(marks);
    return rmdir(folder);
}

TEST(they_are_read_as_written)
{
    static Bookmarks written, read;
    Status status = {0};
    assert_true(bookmarks_read(path, 60.0, &read, &status)); // absent: none
    assert_int_equal(read.count, 0);
    written.count = 0;
    assert_true(bookmarks_set(&written, 20.5, "too deep"));
    assert_true(bookmarks_set(&written, 3.25, "swings over people # not a comment"));
    assert_true(bookmarks_set(&written, 60.0, "the end"));
    assert_true(bookmarks_set(&written, 20.5, "too deep by far")); // named anew
    assert_true(bookmarks_write(path, &written, &status));
    assert_true(bookmarks_read(path, 60.0, &read, &status));
    assert_int_equal(read.count, 3);
    assert_float_equal(read.rows[0].time, 3.25, 1e-9);
    assert_string_equal(read.rows[0].name, "swings over people # not a comment");
    assert_string_equal(read.rows[1].name, "too deep by far");
    assert_true(bookmarks_remove(&read, 20.5));
    assert_false(bookmarks_remove(&read, 20.5));
    assert_int_equal(read.count, 2);
    assert_string_equal(read.rows[1].name, "the end");
}

TEST(bad_lines_are_named)
{
    static const char *const rows[][2] = {
        {"1.0 good\nsoon a name\n", ":2:1: read soon a name, allowed seconds 0..60.000"},
        {"# c\n  61 late\n", ":2:3: read 61 late"},
        {"-1 early\n", ":1:1: read -1 early"},
        {"nan x\n", ":1:1: read nan x"},
        {"1e999 x\n", ":1:1: read 1e999"},
        {"5.5\n", ":1:4: read a name of 0 bytes"},
        {"5.5x\n", ":1:4: read a name of 0 bytes"},
        {"# c\n5 Andr\xe9\n", ":2:7: read the byte 0xE9, which is no character, allowed text (UTF-8)"},
        {"# c\n5 Ann \xe2\x80\xaexob\n", ":2:3: read U+202E, which turns the direction of writing"},
        {"5 a\x1b[2J\n", ":1:3: read a control character (0x1B)"},
        {"5 \xc2\xa0\n", ":1:3: read blanks alone"},
        {"1 0123456789012345678901234567890123456789012345678901234567890123\n", ":1:3: read a name of 64 bytes"},
    };
    static Bookmarks read;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Status status = {0};
        FILE *file = fopen(marks, "w");
        assert_non_null(file);
        fputs(rows[k][0], file);
        fclose(file);
        assert_false(bookmarks_read(path, 60.0, &read, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        assert_non_null(strstr(status.text, rows[k][1]));
        assert_int_equal(read.count, 0);
    }
}

TEST(there_is_an_end)
{
    static Bookmarks many;
    many.count = 0;
    for (int k = 0; k < BOOKMARKS_MOST; k++) {
        assert_true(bookmarks_set(&many, (double)(BOOKMARKS_MOST - k), "x"));
    }
    assert_false(bookmarks_set(&many, 0.5, "one more"));
    assert_true(bookmarks_set(&many, 7.0, "anew"));
    Status status = {0};
    assert_false(bookmarks_write("/nowhere/a.spade", &many, &status));
    assert_int_equal(status.code, STATUS_LACKING);
}

TEST_GROUP(make_folder, remove_folder)
