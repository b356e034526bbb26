/// What the console refuses before it answers: tokens, hosts, origins, rates; and orders with one fault of each kind.
// test: sanitized
#include "tests/support/test.h"
#include "trainer/remote/console_commands.h"
#include "trainer/remote/console_guard.h"

#define TOKEN "0123456789abcdefABCDEF-_"

TEST(a_token_is_known_whole_or_not_at_all)
{
    assert_true(guard_knows_token("Bearer " TOKEN, TOKEN));
    assert_true(guard_knows_token("bearer " TOKEN, TOKEN)); // the scheme's case is free (RFC 9110)
    static const char *const wrong[] = {"",
                                        "Bearer",
                                        "Bearer ",
                                        "Basic " TOKEN,
                                        TOKEN,
                                        "Bearer " TOKEN "x",
                                        "Bearer  " TOKEN,
                                        "Bearer 0123456789abcdefABCDEF-",
                                        "Bearer 0123456789abcdefABCDEF-x",
                                        "Bearer x123456789abcdefABCDEF-_",
                                        "Bearer " TOKEN TOKEN};
    assert_false(guard_knows_token(NULL, TOKEN));
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        if (guard_knows_token(wrong[k], TOKEN)) {
            fail_msg("'%s' passes", wrong[k]);
        }
    }
}

TEST(a_token_has_letters_that_a_page_can_carry)
{
    char longest[GUARD_TOKEN_MOST + 2];
    memset(longest, 'a', sizeof longest);
    longest[GUARD_TOKEN_MOST + 1] = '\0';
    assert_false(guard_token_is_one(longest));
    longest[GUARD_TOKEN_MOST] = '\0';
    assert_true(guard_token_is_one(longest));
    assert_true(guard_token_is_one("0123456789abcdef"));
    assert_false(guard_token_is_one("0123456789abcde"));
    assert_false(guard_token_is_one("0123456789abcde "));
    assert_false(guard_token_is_one("0123456789abcde#"));
    assert_false(guard_token_is_one("0123456789abcd\xc3\xa9"));
}

TEST(a_host_is_a_number_or_localhost_with_the_port)
{
    static const char *const good[] = {"127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080",
                                       "127.3.2.1:8080"};
    static const char *const wrong[] = {"",
                                        "127.0.0.1",
                                        "127.0.0.1:80801",
                                        "127.0.0.1:08080",
                                        "127.0.0.1:8080 ",
                                        "127.0.0.1:",
                                        "127.0.0.1:-1",
                                        "evil.example:8080", // leads here by its name server
                                        "localhost.evil.example:8080",
                                        "127.0.0.1.evil.example:8080",
                                        "::1:8080",
                                        "[::1:8080",
                                        "[::1]x8080",
                                        "[localhost]:8080",
                                        "[127.0.0.1]:8080",
                                        "192.168.1.2:8080", // not this computer, while none else is meant
                                        ":8080"};
    assert_false(guard_host(NULL, 8080, true));
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        if (!guard_host(good[k], 8080, true)) {
            fail_msg("'%s' is refused", good[k]);
        }
    }
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        if (guard_host(wrong[k], 8080, true)) {
            fail_msg("'%s' passes", wrong[k]);
        }
    }
    assert_true(guard_host("192.168.1.2:8080", 8080, false));
    assert_true(guard_host("[fe80::1]:8080", 8080, false));
    assert_true(guard_host("127.0.0.1", 80, true)); // which HTTP leaves out
    assert_false(guard_host("evil.example:8080", 8080, false));
}

TEST(only_a_page_of_this_server_asks)
{
    const char *host = "127.0.0.1:8080";
    assert_true(guard_origin(NULL, NULL, host)); // no page at all
    assert_true(guard_origin("http://127.0.0.1:8080", "same-origin", host));
    assert_true(guard_origin(NULL, "none", host)); // the address line
    assert_false(guard_origin("http://evil.example", NULL, host));
    assert_false(guard_origin("https://127.0.0.1:8080", NULL, host));
    assert_false(guard_origin("http://127.0.0.1:8081", NULL, host));
    assert_false(guard_origin("http://127.0.0.1:8080.evil.example", NULL, host));
    assert_false(guard_origin("null", NULL, host));
    assert_false(guard_origin("", NULL, host));
    assert_false(guard_origin(NULL, "cross-site", host));
    assert_false(guard_origin(NULL, "same-site", host));
}

TEST(so_much_may_happen_in_a_time)
{
    GuardRate rate = {0};
    for (int k = 0; k < 5; k++) {
        assert_true(guard_rate(&rate, 100.0, 2.0, 5.0));
    }
    assert_false(guard_rate(&rate, 100.0, 2.0, 5.0));
    assert_false(guard_rate(&rate, 100.4, 2.0, 5.0));
    assert_true(guard_rate(&rate, 100.6, 2.0, 5.0));
    assert_false(guard_rate(&rate, 50.0, 2.0, 5.0)); // a clock that goes back gives nothing
    for (int k = 0; k < 5; k++) {
        assert_true(guard_rate(&rate, 1e6, 2.0, 5.0));
    }
    assert_false(guard_rate(&rate, 1e6, 2.0, 5.0));
}

/// ---- orders --------------------------------------------------------------------------------------------------------

static ConsoleCommand accept(const char *body)
{
    ConsoleCommand command;
    Status status = {0};
    assert_good(console_command_read(body, strlen(body), &command, &status), status);
    return command;
}

TEST(each_order_is_read)
{
    assert_int_equal(accept("{\"command\":\"freeze\"}").kind, CONSOLE_FREEZE);
    assert_int_equal(accept(" {\"command\" : \"continue\"}\n").kind, CONSOLE_CONTINUE);
    assert_int_equal(accept("{\"command\":\"end\"}").kind, CONSOLE_END);
    assert_int_equal(accept("{\"command\":\"restart\"}").kind, CONSOLE_RESTART);
    ConsoleCommand command = accept("{\"command\":\"message\",\"text\":\"L\\u00e4nger \xe2\x9c\x93\"}");
    assert_int_equal(command.kind, CONSOLE_MESSAGE);
    assert_string_equal(command.text, "L\xc3\xa4nger \xe2\x9c\x93");
    command = accept("{\"command\":\"fault\",\"name\":\"valve\",\"part\":\"left track\",\"value\":50000}");
    assert_string_equal(command.name, "valve");
    assert_string_equal(command.part, "left track");
    assert_near(command.value, 50000.0, 0.0);
    command = accept("{\"command\":\"load\",\"name\":\"trench\",\"text\":\"\"}");
    assert_string_equal(command.name, "trench");
    assert_string_equal(command.text, "");
}

TEST(each_fault_of_an_order_is_told)
{
    static const char *const bad[][3] = {
        {"", "body:", "one JSON object"},
        {"{\"command\":\"freeze\"", "body: byte", "allowed is one JSON object"},
        {"{\"command\":\"freeze\"} x", "body: byte", ""},
        {"[1]", "body: [1] was read", "one JSON object"},
        {"7", "body", ""},
        {"{}", "command: nothing was read", "freeze"},
        {"{\"command\":7}", "command: 7 was read", "freeze"},
        {"{\"command\":\"dig\"}", "command: \"dig\" was read", "message"},
        {"{\"command\":\"freeze\\u0000\"}", "", ""},
        {"{\"command\":\"freeze\",\"command\":\"end\"}", "body: byte", "duplicate"},
        {"{\"command\":\"freeze\",\"text\":\"a\"}", "key text was read", "freeze takes command alone"},
        {"{\"command\":\"mark\",\"x\\ny\":1,\"text\":\"a\"}", "key x?y was read", ""},
        {"{\"command\":\"mark\",\"x\":1,\"text\":\"a\"}", "key x was read", "mark takes command, text alone"},
        {"{\"command\":\"mark\"}", "text: nothing was read", "1..90 bytes"},
        {"{\"command\":\"mark\",\"text\":7}", "text: 7 was read", "1..90 bytes"},
        {"{\"command\":\"mark\",\"text\":\"\"}", "text: \"\" was read", "1..90 bytes"},
        {"{\"command\":\"mark\",\"text\":\"a\\nb\"}", "text:", "control characters"},
        {"{\"command\":\"mark\",\"text\":\"a\\u001b[2J\"}", "text:", "control characters"},
        {"{\"command\":\"mark\",\"text\":\"a\\u009b2J\"}", "text:", "control characters"},
        {"{\"command\":\"mark\",\"text\":\"a\\u202eb\"}", "text:", "and directions"},
        {"{\"command\":\"message\",\"text\":\"a\\u200fb\"}", "text:", "and directions"},
        {"{\"command\":\"mark\",\"text\":\"  \"}", "text:", "1..90 bytes"},
        {"{\"command\":\"load\",\"name\":\"trench\",\"text\":\"Ann \\u2067bob\"}", "text:", "and directions"},
        {"{\"command\":\"mark\",\"text\":\"a\\u0000b\"}", "", ""},
        {"{\"command\":\"mark\",\"text\":\"\xff\"}", "body: byte", ""},
        {"{\"command\":\"mark\",\"text\":\"a\\\nb\"}", "body: byte", ""},
        {"{\"command\":\"fault\",\"name\":\"\",\"part\":\"\",\"value\":0}", "name: \"\" was read", "1..63"},
        {"{\"command\":\"fault\",\"name\":\"a b\",\"part\":\"\",\"value\":0}", "name: \"a b\" was read", "a-z"},
        {"{\"command\":\"fault\",\"name\":\"../x\",\"part\":\"\",\"value\":0}", "name:", "a-z"},
        {"{\"command\":\"fault\",\"name\":\"a\",\"part\":\"b/\",\"value\":0}", "part: \"b/\" was read", "a-z"},
        {"{\"command\":\"fault\",\"name\":\"a\",\"part\":\"b\",\"value\":-0.5}", "value: -0.5 was read", "0 to 1e6"},
        {"{\"command\":\"fault\",\"name\":\"a\",\"part\":\"b\",\"value\":\"1\"}", "value: \"1\" was read", "0 to 1e6"},
        {"{\"command\":\"fault\",\"name\":\"a\",\"part\":\"b\",\"value\":1e999}", "body: byte", ""},
        {"{\"command\":\"load\",\"name\":\"trench\"}", "text: nothing was read", "0..90"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        ConsoleCommand command;
        Status status = {0};
        if (console_command_read(bad[k][0], strlen(bad[k][0]), &command, &status)) {
            fail_msg("'%s' passes", bad[k][0]);
        }
        assert_contains(status.text, bad[k][1]);
        assert_contains(status.text, bad[k][2]);
        assert_null(strpbrk(status.text, "\n\033")); // some of what was sent is told, in one plain line
    }
}

TEST(an_order_has_a_size)
{
    char body[CONSOLE_BODY + 2] = "{\"command\":\"mark\",\"text\":\"";
    ConsoleCommand command;
    Status status = {0};
    memset(body + strlen(body), 'a', 91);
    strcat(body, "\"}");
    assert_false(console_command_read(body, strlen(body), &command, &status));
    assert_contains(status.text, "1..90 bytes");
    memset(body, ' ', sizeof body);
    assert_false(console_command_read(body, sizeof body, &command, &status));
    assert_contains(status.text, "allowed are 2048");
    memset(body, '[', CONSOLE_BODY);
    assert_false(console_command_read(body, CONSOLE_BODY, &command, &status));
}

TEST(paths_are_decoded_but_for_their_end)
{
    static const char *const cases[][2] = {{"/state", "/state"},
                                           {"/st%61te", "/state"},
                                           {"/state%00x", "/state%00x"},
                                           {"%", "%"},
                                           {"%4", "%4"},
                                           {"%zz%4", "%zz%4"},
                                           {"%2500", "%00"},
                                           {"%2f%2F", "//"},
                                           {"", ""},
                                           {"%00%41%00", "%00A%00"},
                                           {"%c3%bc", "\xc3\xbc"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[32];
        snprintf(text, sizeof text, "%s", cases[k][0]);
        assert_int_equal(guard_unescape(text), strlen(cases[k][1]));
        assert_string_equal(text, cases[k][1]);
    }
}

TEST_GROUP(NULL, NULL)
