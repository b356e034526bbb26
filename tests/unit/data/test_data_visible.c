/// Which letters a name may have, how a text is shown that came in by no check, and how words are quoted for sh.
// test: sanitized
#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "data/core/system_files.h"
#include "data/core/plain_text.h"
#include "tests/support/test.h"

TEST(letters_of_all_languages_are_allowed)
{
    static const char *const good[] = {
        "Ann",
        "Jörg Müßig",
        "Żółć",
        "李小龍",
        "ابن سينا",
        "שלום",
        "नमस्ते",
        "a",
        "O'Neill \"the digger\" <3",
        "\xf0\x9f\x9a\x9c",
        "\xe2\x80\x8dx",
        "", // ZWJ within a word belongs to it
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        if (visible_text_fault(good[k], strlen(good[k]), false, NULL) != VISIBLE_GOOD) {
            fail_msg("%s", good[k]);
        }
    }
}

TEST(what_cannot_be_seen_is_refused)
{
    static const struct {
        const char *text;
        VisibleFault fault;
        const char *words;
    } bad[] = {
        {"a\nb", VISIBLE_CONTROL, "a control character (0x0A)"},
        {"\x1b[2J", VISIBLE_CONTROL, "a control character (0x1B)"},
        {"a\x7f", VISIBLE_CONTROL, "a control character (0x7F)"},
        {"a\xc2\x9b", VISIBLE_CONTROL, "a control character (0x9B)"},
        {"\xe2\x80\xa8", VISIBLE_CONTROL, "a control character (U+2028)"},
        {"a\xe2\x80\x8e", VISIBLE_DIRECTION, "U+200E, which turns the direction of writing"},
        {"a\xe2\x80\x8f", VISIBLE_DIRECTION, "U+200F"},
        {"\xe2\x80\xaa", VISIBLE_DIRECTION, "U+202A"},
        {"Ann \xe2\x80\xae"
         "bob",
         VISIBLE_DIRECTION, "U+202E"},
        {"\xe2\x81\xa6", VISIBLE_DIRECTION, "U+2066"},
        {"\xe2\x81\xa9", VISIBLE_DIRECTION, "U+2069"},
        {"\xd8\x9c", VISIBLE_DIRECTION, "U+061C"},
        {"a\xff", VISIBLE_NOT_TEXT, "the byte 0xFF, which is no character"},
        {"\xc0\x80", VISIBLE_NOT_TEXT, "the byte 0xC0"}, // an overlong NUL
        {"\xed\xa0\x80", VISIBLE_NOT_TEXT, "the byte 0xED"}, // half of a pair
        {"\xf4\x90\x80\x80", VISIBLE_NOT_TEXT, "the byte 0xF4"},
        {"\xe2\x80", VISIBLE_NOT_TEXT, "the byte 0xE2"}, // cut
        {"  ", VISIBLE_BLANK, "blanks alone"},
        {"\xc2\xa0\xe3\x80\x80", VISIBLE_BLANK, "blanks alone"},
        {"\xe2\x80\x8b", VISIBLE_BLANK, "blanks alone"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        size_t at = 99;
        VisibleFault fault = visible_text_fault(bad[k].text, strlen(bad[k].text), false, &at);
        VisibleWords words = visible_text_words(bad[k].text, at, fault);
        if (fault != bad[k].fault || strncmp(words.text, bad[k].words, strlen(bad[k].words)) != 0) {
            fail_msg("case %zu: %d %s", k, (int)fault, words.text);
        }
        Status status = {0};
        assert_false(visible_name_check("--trainee", bad[k].text, 95, &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
        assert_non_null(strstr(status.text, words.text));
        assert_int_equal(visible_text_fault(status.text, strlen(status.text), false, NULL), VISIBLE_GOOD);
    }
    assert_int_equal(visible_text_fault("a\nb", 3, true, NULL), VISIBLE_GOOD);
    assert_int_equal(visible_text_fault("a\tb", 3, true, NULL), VISIBLE_CONTROL);
    Status status = {0};
    assert_false(visible_name_check("class", "", 95, &status));
    assert_false(visible_name_check("class", "12345", 4, &status));
    assert_true(visible_name_check("class", "1234", 4, &status));
}

TEST(what_came_in_is_shown_by_its_number)
{
    char shown[64], small[8];
    visible_text_show("Ann \xe2\x80\xae"
                      "bob\xff\x1b[2J\xc2\x9b ü\n",
                      false, shown, sizeof shown);
    assert_string_equal(shown, "Ann \\u202ebob\\xff\\u001b[2J\\u009b ü\\u000a");
    visible_text_show("a\nb", true, shown, sizeof shown);
    assert_string_equal(shown, "a\nb");
    visible_text_show("1234\xe2\x80\xae", false, small, sizeof small); // no half of a number
    assert_string_equal(small, "1234");
    visible_text_show("123456üx", false, small, sizeof small); // no half of a letter
    assert_string_equal(small, "123456");
    char text[] = "a\xe2\x80\xae"
                  "b\x1b\xc2\x9b\xff ü";
    visible_text_mask(text, false);
    assert_string_equal(text, "a???b???? ü");
    Status status;
    status_fail(&status, STATUS_BAD_FILE, "read %s", "\xe2\x80\xaetxet");
    assert_string_equal(status.text, "read ???txet");
}

/// What sh makes of a word.
static void assert_word(const char *path, const char *expected)
{
    char word[256], command[300], read[256] = "";
    assert_true(shell_word_file(path, word, sizeof word));
    snprintf(command, sizeof command, "printf %%s %s", word);
    FILE *shell = popen(command, "r");
    assert_non_null(shell);
    size_t got = fread(read, 1, sizeof read - 1, shell);
    read[got] = '\0';
    assert_int_equal(pclose(shell), 0);
    assert_string_equal(read, expected);
}

TEST(sh_takes_a_path_as_one_word)
{
    char word[64];
    assert_word("a.spade", "a.spade");
    assert_word("/tmp/x y/it's; touch $(HOME) `id` \\ \"q\" * ~ # & |.spade",
                "/tmp/x y/it's; touch $(HOME) `id` \\ \"q\" * ~ # & |.spade");
    assert_word("-rf", "./-rf");
    assert_word("- x", "./- x");
    assert_word(" ", " ");
    assert_word("ü", "ü");
    assert_true(shell_word_file("trench-2026.spade", word, sizeof word));
    assert_string_equal(word, "trench-2026.spade"); // nothing is quoted that need not be
    static const char *const none[] = {"", "a\nb", "a\xff", "a\xe2\x80\xae", "\x1b"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        strcpy(word, "before");
        assert_false(shell_word_file(none[k], word, sizeof word));
        assert_string_equal(word, "");
    }
    char small[6];
    assert_false(shell_word_file("a b c d", small, sizeof small));
    assert_string_equal(small, "");
}

TEST(only_a_scenes_name_is_one)
{
    char word[64];
    static const char *const good[] = {"trench", "my-trench_2.b", "A", "0"};
    static const char *const bad[] = {"",
                                      "trench; touch ; #",
                                      "-h",
                                      ".hidden",
                                      "a b",
                                      "a/b",
                                      "$(id)",
                                      "tr\xc3\xa4nch",
                                      "a123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_true(shell_word_scene(good[k], word, sizeof word));
        assert_string_equal(word, good[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        if (shell_word_scene(bad[k], word, sizeof word) || word[0] != '\0') {
            fail_msg("%s", bad[k]);
        }
    }
}

/// Pages and screens are seen by others, who need not learn the user's name.
TEST(the_home_folder_is_not_shown)
{
    static const struct {
        const char *home, *text, *shown;
    } cases[] = {{"/home/ada", "/home/ada/dig.spade: damaged", "~/dig.spade: damaged"},
                 {"/home/ada", "read /home/ada, then (/home/ada/b)", "read ~, then (~/b)"},
                 {"/home/ada/", "In /home/ada/x", "In ~/x"},
                 {"/home/ada", "/home/adam/x /srv/home/ada/x /home/ada-2 /home/ada\u00e9", NULL},
                 {"/home/ada", "", NULL},
                 {"/", "/x/y", NULL},
                 {"", "/x/y", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128];
        snprintf(text, sizeof text, "%s", cases[k].text);
        setenv("HOME", cases[k].home, 1);
        visible_text_hide_home(text);
        assert_string_equal(text, cases[k].shown != NULL ? cases[k].shown : cases[k].text);
    }
    char text[] = "/home/ada/x";
    unsetenv("HOME");
    visible_text_hide_home(text);
    assert_string_equal(text, "/home/ada/x");
}

TEST(a_file_name_follows_the_last_slash)
{
    assert_string_equal(file_name_of("/home/ada/dig.spade"), "dig.spade");
    assert_string_equal(file_name_of("dig.spade"), "dig.spade");
    assert_string_equal(file_name_of("folder/"), "");
}

TEST_GROUP(NULL, NULL)
