/// Operator scripts: what is read, and the one line said about each kind of bad file.
// test: sanitized
#include <limits.h>
#include <locale.h>
#include <unistd.h>

#include "input/input.h"
#include "tests/support/test.h"

static char path[64];

static InputScript *load_bytes(const char *text, size_t size, Status *status)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return input_script_load(path, status);
}

static InputScript *load(const char *text, Status *status)
{
    return load_bytes(text, strlen(text), status);
}

static InputScript *load_good(const char *text)
{
    Status status;
    InputScript *script = load(text, &status);
    assert_good(script != NULL, status);
    assert_int_equal(status.code, STATUS_GOOD);
    return script;
}

static int16_t axis_at(const InputScript *script, double t, ControlAxis axis)
{
    OperatorControls controls;
    input_script_get(script, t, &controls);
    return controls.axis[axis];
}

TEST(values_hold_until_the_next_row)
{
    InputScript *script = load_good("t,boom,swing\n0.5,1,-0.25\n2,0,0.5\n3.5e0,-1,0\n");
    assert_true(fabs(input_script_duration(script) - 3.5) < 1e-15);
    const struct {
        double t, boom, swing;
    } expected[] = {{9.0, -1, 0},   {-1.0, 0, 0},  {0.0, 0, 0},     {0.4999, 0, 0},      {0.5, 1, -0.25},
                    {1.9, 1, -.25}, {2.0, 0, 0.5}, {3.4999, 0, .5}, {(double)NAN, 0, 0}, {3.5, -1, 0}};
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_int_equal(axis_at(script, expected[i].t, CONTROL_BOOM), control_quantise(expected[i].boom));
        assert_int_equal(axis_at(script, expected[i].t, CONTROL_SWING), control_quantise(expected[i].swing));
        assert_int_equal(axis_at(script, expected[i].t, CONTROL_STICK), 0);
    }
    input_script_destroy(script);
}

/// A script without a throttle runs at full; so does one with it before its first row, since that begins neutral.
TEST(the_throttle_is_at_full_unless_a_row_moves_it)
{
    InputScript *without = load_good("t,boom\n1,1\n"), *with = load_good("t,throttle\n1,-0.5\n2,0\n");
    for (double t = 0.0; t < 3.0; t += 0.5) {
        assert_int_equal(axis_at(without, t, CONTROL_THROTTLE), CONTROL_FULL);
        int16_t expected = t < 1.0 ? CONTROL_FULL : control_quantise(t < 2.0 ? -0.5 : 0.0);
        assert_int_equal(axis_at(with, t, CONTROL_THROTTLE), expected);
        assert_int_equal(axis_at(with, t, CONTROL_BOOM), 0);
    }
    input_script_destroy(without);
    input_script_destroy(with);
}

TEST(columns_come_in_any_order)
{
    InputScript *script =
        load_good("auxiliary,horn,ripper,blade_angle,blade_tilt,blade,throttle,right_track,left_track,bucket,"
                  "boom,stick,swing,t\n.05,.1,.2,.3,.4,.5,.6,.7,.8,.9,-.1,-.2,-.3,0\n");
    const double expected[CONTROL_COUNT] = {-.3, -.2, -.1, .9, .8, .7, .6, .5, .4, .3, .2, .1, .05};
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        assert_int_equal(axis_at(script, 0.0, (ControlAxis)axis), control_quantise(expected[axis]));
    }
    input_script_destroy(script);
}

TEST(spreadsheets_habits_are_understood)
{
    InputScript *script = load_good("\xEF\xBB\xBFt , boom\r\n 0, +0.5 \r\n\r\n1,\t-5e-1"); // no newline at the end
    assert_int_equal(axis_at(script, 0.0, CONTROL_BOOM), control_quantise(0.5));
    assert_int_equal(axis_at(script, 1.0, CONTROL_BOOM), control_quantise(-0.5));
    input_script_destroy(script);
}

TEST(many_rows_are_found)
{
    enum { ROWS = 5000 };
    char *text = malloc(64 * ROWS);
    int used = sprintf(text, "t,stick\n");
    for (int i = 0; i < ROWS; i++) {
        used += sprintf(text + used, "%d.5,%.5f\n", i, (i % 201 - 100) / 100.0);
    }
    InputScript *script = load_good(text);
    for (int i = 0; i < ROWS; i++) {
        int16_t expected = control_quantise((i % 201 - 100) / 100.0);
        assert_int_equal(axis_at(script, i + 0.5, CONTROL_STICK), expected);
        assert_int_equal(axis_at(script, i + 1.4, CONTROL_STICK), expected);
    }
    input_script_destroy(script);
    free(text);
}

TEST(a_comma_locale_changes_nothing)
{
    // Any of these writes a half as "0,5"; where none is installed the rest of this file covers the same code.
    const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "sv_SE.UTF-8"};
    bool set = false;
    for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]) && !set; i++) {
        set = setlocale(LC_NUMERIC, locales[i]) != NULL;
    }
    InputScript *script = load_good("t,boom\n0.25,0.5\n");
    assert_int_equal(axis_at(script, 0.25, CONTROL_BOOM), control_quantise(0.5));
    input_script_destroy(script);
    setlocale(LC_NUMERIC, "C");
}

/// A bad file and what its error must say: the place, and a word about the reason.
typedef struct BadScript {
    const char *text;
    const char *place;
    const char *says;
} BadScript;

static const BadScript bad_scripts[] = {
    {"", ":1:1: ", "empty"},
    {"\n\n", ":3:1: ", "empty"},
    {"t,boom\n", ":2:1: ", "no row"},
    {"boom,swing\n0,0\n", ":1:1: ", "column t"},
    {"t,bom\n0,0\n", ":1:3: ", "\"bom\"; known columns: t, swing"},
    {"T,boom\n0,0\n", ":1:1: ", "\"T\""},
    {"t,boom,\n0,0,0\n", ":1:8: ", "known columns"},
    {"t,boom,boom\n0,0,0\n", ":1:8: ", "named before"},
    {"t,t\n0,0\n", ":1:3: ", "named before"},
    {"t;boom\n0;0\n", ":1:1: ", "\"t;boom\""},
    {"t,boom\n0,1.5\n", ":2:3: ", "\"1.5\"; a number -1..1"},
    {"t,boom\n0,-1.0001\n", ":2:3: ", "-1..1"},
    {"t,boom\n0,nan\n", ":2:3: ", "\"nan\"; a number -1..1"},
    {"t,boom\n0,-inf\n", ":2:3: ", "\"-inf\""},
    {"t,boom\n0,1e999\n", ":2:3: ", "-1..1"},
    {"t,boom\n0,0x1\n", ":2:3: ", "\"0x1\""},
    {"t,boom\n0,\n", ":2:3: ", "\"\"; a number -1..1"},
    {"t,boom\n0,.\n", ":2:3: ", "\".\""},
    {"t,boom\n0,1e\n", ":2:3: ", "\"1e\""},
    {"t,boom\n0,0.5 0.5\n", ":2:3: ", "\"0.5 0.5\""},
    {"t,boom\n0, up\n", ":2:4: ", "\"up\""},
    {"t,boom\n0,\"0.5\"\n", ":2:3: ", "\"\"0.5\"\""},
    {"t,boom\n0\n", ":2:1: ", "fewer values"},
    {"t,boom,swing\n0,0.5\n", ":2:3: ", "fewer values"},
    {"t,boom\n0,0,0\n", ":2:5: ", "more values"},
    {"t,boom\n0,5,0\n", ":2:3: ", "-1..1"},
    {"t,boom\n-1,0\n", ":2:1: ", "t is a number 0..1000000"},
    {"t,boom\nnan,0\n", ":2:1: ", "t is a number"},
    {"t,boom\n1e7,0\n", ":2:1: ", "t is a number"},
    {"t,boom\n1,0\n\n1,0.5\n", ":4:1: ", "greater than in the row before"},
    {"boom,t\n0,2\n0,1.5\n", ":3:3: ", "greater"},
    {"t,boom\n0,\x01\x7f\n", ":2:3: ", "\"?\?\""},
    {"t,boom\n0,\x01\x7f\xff\n", ":2:5: ", "read the byte 0xFF, which is no character, allowed text (UTF-8)"},
    {"t,boom,arri\xe8re\n0,0\n", ":1:12: ", "read the byte 0xE8"},
    {"t,boom\n0,123456789012345678901234567890123456789\n", ":2:3: ", "\"12345678901234567890123456789012...\""},
};

static void check_refused(InputScript *script, const Status *status, const char *place, const char *says)
{
    char where[128];
    assert_null(script);
    assert_int_equal(status->code, STATUS_BAD_FILE);
    snprintf(where, sizeof(where), "%s%s", path, place);
    if (strncmp(status->text, where, strlen(where)) != 0 || !strstr(status->text, says) || strchr(status->text, '\n')) {
        fail_msg("\"%s\" should begin with \"%s\" and say \"%s\"", status->text, where, says);
    }
}

TEST(bad_files_are_refused_by_place_and_reason)
{
    for (size_t i = 0; i < sizeof(bad_scripts) / sizeof(bad_scripts[0]); i++) {
        Status status;
        InputScript *script = load(bad_scripts[i].text, &status);
        check_refused(script, &status, bad_scripts[i].place, bad_scripts[i].says);
    }
}

TEST(zero_bytes_are_refused)
{
    const char text[] = "t,boom\n0,0.5\0,\n";
    Status status;
    InputScript *script = load_bytes(text, sizeof(text) - 1, &status);
    check_refused(script, &status, ":2:6: ", "read a NUL byte (0x00), allowed text (UTF-8)");
}

TEST(overlong_lines_are_refused)
{
    char text[8192] = "t,boom\n0,0.";
    memset(text + strlen(text), '0', 4091);
    Status status;
    InputScript *script = load(text, &status);
    assert_non_null(script); // the longest line allowed: 4095 bytes
    input_script_destroy(script);
    text[4095 + strlen("t,boom\n")] = '0';
    script = load(text, &status);
    check_refused(script, &status, ":2:1: ", "4095 bytes");
}

TEST(files_that_cannot_be_read_are_told)
{
    Status status;
    assert_null(input_script_load("no/such/file.csv", &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, "no/such/file.csv: cannot be read: No such file"));
    assert_null(input_script_load(".", &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, ".: a folder, not a file"));
    assert_null(input_script_load("/dev/zero", &status));
    assert_non_null(strstr(status.text, "/dev/zero: a device or pipe, not a file"));
}

static int make_path(void **state)
{
    (void)state;
    strcpy(path, "/tmp/spadework-script-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
    (void)state;
    return remove(path);
}

TEST_GROUP(make_path, remove_path)
