/// Numbers and texts of JSON by hand: what jansson reads of them is what was written.
#include <jansson.h>

#include "tests/support/test.h"
#include "trainer/remote/console_json.h"

/// The line as a text of its own, which the next call overwrites.
static const char *written(ConsoleLine *line)
{
    static char kept[256];
    size_t size;
    char *text = console_line_finish(line, &size);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    snprintf(kept, sizeof kept, "%s", text);
    free(text);
    return kept;
}

static const char *number(double value, int decimals)
{
    ConsoleLine line = {0};
    console_line_add_number(&line, value, decimals);
    console_line_end_list(&line);
    return written(&line);
}

TEST(a_number_has_the_digits_that_it_needs)
{
    assert_string_equal(number(0.0, 0), "0");
    assert_string_equal(number(0.0, 3), "0");
    assert_string_equal(number(-0.0004, 3), "0"); // no minus before a zero
    assert_string_equal(number(12.34, 2), "12.34");
    assert_string_equal(number(-12.3, 2), "-12.3");
    assert_string_equal(number(0.05, 2), "0.05");
    assert_string_equal(number(-0.005, 3), "-0.005");
    assert_string_equal(number(0.996, 2), "1");
    assert_string_equal(number(1200.0, 3), "1200");
    assert_string_equal(number(-7.5, 0), "-8"); // away from zero, as lround
    assert_string_equal(number(1e300, 3), "1000000000");
    assert_string_equal(number(-INFINITY, 3), "-1000000000");
    assert_string_equal(number((double)NAN, 3), "1000000000"); // a number of JSON all the same
}

TEST(a_number_is_the_value_again)
{
    for (int k = -20000; k <= 20000; k++) {
        double value = k * 0.0317;
        json_t *read = json_loads(number(value, 3), JSON_DECODE_ANY, NULL);
        assert_non_null(read);
        assert_true(fabs(json_number_value(read) - value) < 0.000501);
        json_decref(read);
    }
}

TEST(a_string_holds_what_it_was_given)
{
    ConsoleLine line = {0};
    console_line_add_string(&line, "\"boom\" \\ stick\n\xc3\xa9");
    json_t *read = json_loads(written(&line), JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(read), "\"boom\" \\ stick \xc3\xa9");
    json_decref(read);
}

TEST(a_line_grows)
{
    ConsoleLine line = {0};
    size_t size;
    console_line_add(&line, "[");
    for (int k = 0; k < 50000; k++) {
        console_line_add_number(&line, k, 0);
    }
    console_line_end_list(&line);
    console_line_add(&line, "]");
    char *text = console_line_finish(&line, &size);
    json_t *read = json_loadb(text, size, 0, NULL);
    assert_int_equal(json_array_size(read), 50000);
    assert_int_equal(json_integer_value(json_array_get(read, 49999)), 49999);
    json_decref(read);
    free(text);
}

TEST_GROUP(NULL, NULL)
