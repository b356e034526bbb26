/// MCAP: JSON texts, the container's bytes against the format's text, what is refused, and that no part is left.
/// tests/e2e/mcap.sh reads whole exports by a reader of its own.
// test: sanitized
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/support/recording_fixture.h"
#include "tests/support/reseal.h"
#include "trainer/report/export.h"
#include "trainer/report/export_mcap.h"
#include "trainer/report/json_text.h"
#include "trainer/report/mcap_file.h"

static const char *text_of(ByteBuffer *text)
{
    byte_buffer_put(text, "", 1);
    assert_false(text->failed);
    return (const char *)text->bytes;
}

TEST(json_is_written_by_the_grammar)
{
    ByteBuffer text = {0};
    json_text_begin(&text, NULL, '{');
    json_text_number(&text, "a", -0.125);
    json_text_number(&text, "none", (double)NAN);
    json_text_begin(&text, "list", '[');
    json_text_integer(&text, NULL, INT64_MIN);
    json_text_bool(&text, NULL, true);
    json_text_begin(&text, NULL, '{');
    json_text_end(&text, '}');
    json_text_begin(&text, NULL, '[');
    json_text_end(&text, ']');
    json_text_end(&text, ']');
    json_text_string(&text, "words", "a\"\\\n{\x01 \xc3\xa4\xff[");
    json_text_raw(&text, "raw", "{\"b\":1}");
    json_text_end(&text, '}');
    assert_string_equal(text_of(&text),
                        "{\"a\":-0.125,\"none\":null,\"list\":[-9223372036854775808,true,{},[]],"
                        "\"words\":\"a\\u0022\\u005c\\u000a{\\u0001 \xc3\xa4\\ufffd[\",\"raw\":{\"b\":1}}");
    byte_buffer_free(&text);
}

TEST(base64_is_that_of_rfc_4648)
{
    static const char *const pairs[][2] = {{"", "\"\""},
                                           {"f", "\"Zg==\""},
                                           {"fo", "\"Zm8=\""},
                                           {"foo", "\"Zm9v\""},
                                           {"foob", "\"Zm9vYg==\""},
                                           {"fooba", "\"Zm9vYmE=\""},
                                           {"foobar", "\"Zm9vYmFy\""},
                                           {"\xff\xfe\xfb", "\"//77\""}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        ByteBuffer text = {0};
        json_text_base64(&text, NULL, (const unsigned char *)pairs[k][0], strlen(pairs[k][0]));
        assert_string_equal(text_of(&text), pairs[k][1]);
        byte_buffer_free(&text);
    }
}

/// Reads a file of at most `size` bytes.
static size_t read_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

static uint64_t number_at(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int k = 0; k < count; k++) {
        number |= (uint64_t)bytes[k] << (8 * k);
    }
    return number;
}

/// CRC-32 bit by bit, from its definition (ISO 3309).
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFFU;
    for (size_t k = 0; k < size; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0);
        }
    }
    return ~crc;
}

TEST(records_lie_where_the_format_wants_them)
{
    char folder[64], path[512], part[520];
    unsigned char bytes[4096];
    Status status;
    make_folder(folder);
    path_in(folder, "a.mcap", path);
    snprintf(part, sizeof part, "%s.part", path);
    McapFile *file = mcap_create(path, "lib", &status);
    assert_good(file != NULL, status);
    int channel = mcap_add_channel(file, "/t", "s.T", "{\"type\":\"object\"}");
    assert_good(mcap_add_attachment(file, "n", "m/t", "123456789", 9, &status), status);
    assert_good(mcap_add_message(file, channel, 7, "{}", 2, &status), status);
    assert_good(mcap_add_message(file, channel, 9, "{}", 2, &status), status);
    assert_int_equal(access(path, F_OK), -1); // it has its name when it is whole
    assert_int_equal(access(part, F_OK), 0);
    assert_int_equal(mcap_messages(file), 2);
    assert_good(mcap_close(file, true, &status), status);
    assert_int_equal(access(part, F_OK), -1);
    size_t size = read_file(path, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\x89MCAP0\r\n", 8);
    assert_memory_equal(bytes + size - 8, "\x89MCAP0\r\n", 8);
    assert_int_equal(bytes[8], 1); // header: profile "", library
    assert_int_equal(number_at(bytes + 9, 8), 4 + 4 + 3);
    const unsigned char *attachment = bytes + 8 + 9 + 11;
    size_t content = 8 + 8 + 4 + 1 + 4 + 3 + 8 + 9;
    assert_int_equal(attachment[0], 9);
    assert_int_equal(number_at(attachment + 1, 8), content + 4);
    assert_int_equal(number_at(attachment + 9 + content, 4), checksum(attachment + 9, content));
    const unsigned char *chunk = attachment + 9 + content + 4;
    assert_int_equal(chunk[0], 6);
    assert_int_equal(number_at(chunk + 9, 8), 7); // begins
    assert_int_equal(number_at(chunk + 17, 8), 9); // ends
    const unsigned char *footer = bytes + size - 8 - 29;
    assert_int_equal(footer[0], 2);
    uint64_t summary = number_at(footer + 9, 8);
    assert_int_equal(bytes[summary], 3); // schemas come first
    assert_int_equal(bytes[number_at(footer + 17, 8)], 14); // summary offsets
    assert_int_equal(number_at(footer + 25, 4), checksum(bytes + summary, (size_t)(footer + 25 - bytes) - summary));
    assert_int_equal(bytes[summary - 13], 15); // end of data, with the checksum of all before
    assert_int_equal(number_at(bytes + summary - 4, 4), checksum(bytes, summary - 13));
    remove_folder(folder);
}

TEST(a_file_is_whole_or_absent)
{
    char folder[64], path[512], part[520];
    Status status;
    make_folder(folder);
    path_in(folder, "a.mcap", path);
    snprintf(part, sizeof part, "%s.part", path);
    McapFile *file = mcap_create(path, "lib", &status);
    assert_good(file != NULL, status);
    assert_good(mcap_close(file, false, &status), status);
    assert_int_equal(access(part, F_OK), -1);
    // A disk that is full in the middle of it.
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 20000;
    signal(SIGXFSZ, SIG_IGN);
    file = mcap_create(path, "lib", &status);
    int channel = mcap_add_channel(file, "/t", "s.T", "{\"type\":\"object\"}");
    static char noise[100000];
    uint32_t random = 1;
    for (size_t k = 0; k < sizeof noise; k++) {
        random = random * 1664525U + 1013904223U;
        noise[k] = (char)(random >> 24);
    }
    assert_good(mcap_add_message(file, channel, 0, noise, sizeof noise, &status), status);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = mcap_flush(file, &status);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "a.mcap: cannot write the MCAP file: "));
    assert_false(mcap_close(file, true, &status)); // once it failed, it stays so
    assert_int_equal(status.code, STATUS_LACKING);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(part, F_OK), -1);
    remove_folder(folder);
}

TEST(what_is_wrong_is_refused_and_leaves_nothing)
{
    enum { TICKS = 6 };
    char folder[64], recording[512], path[512], part[520];
    Status status;
    ExportSummary summary;
    make_folder(folder);
    path_in(folder, "r.spade", recording);
    path_in(folder, "a.mcap", path);
    snprintf(part, sizeof part, "%s.part", path);
    record_as(&(RecorderParams){.path = recording, .operator_name = "auto"}, 1, TICKS, NULL);
    ExportParams params = {.recording = recording, .mcap = path, .every = 1, .threads = 1, .rate = 7};
    assert_false(export_recording(&params, &summary, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    assert_non_null(strstr(status.text, "--rate 7: does not divide the 60 ticks"));
    params.rate = 0;
    assert_good(export_recording(&params, &summary, &status), status);
    assert_int_equal(summary.messages,
                     8 * (TICKS + 1) + 2 + 2); // states; exercise and ground at both ends, for the tracks settle
    assert_int_equal(access(path, F_OK), 0);
    sql_number(recording, "UPDATE state SET hash = hash + 1 WHERE tick = 4");
    assert_true(reseal(recording));
    unlink(path);
    assert_false(export_recording(&params, &summary, &status));
    assert_int_equal(status.code, STATUS_NOT_VERIFIED);
    assert_non_null(strstr(status.text, "at tick 4"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(part, F_OK), -1);
    params.mcap = path_in(folder, "no/such/a.mcap", path);
    assert_false(export_recording(&params, &summary, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    remove_folder(folder);
}

TEST_GROUP(NULL, NULL)
