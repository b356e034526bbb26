/// The words of the pages: the same keys in every language, all that the page asks for, and files that are there.
#include <jansson.h>

#include "data/core/data_files.h"
#include "tests/support/test.h"
#include "trainer/remote/classroom.h"

static const ConsolePage *const pages[] = {&console_page, &classroom_page};
static const char *const folders[] = {"console", "classroom"};
static const char *const languages[] = {"en", "de", "es"};
enum { PAGES = 2, LANGUAGES = 3, FILE_MOST = 1 << 16 };

static json_t *words(int page, int language)
{
    char path[DATA_PATH_LENGTH + 64];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s/%s.json", data_folder(), folders[page], languages[language]);
    json_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (read == NULL) {
        fail_msg("%s: %s", path, error.text);
    }
    return read;
}

TEST(each_language_has_the_same_keys)
{
    for (int page = 0; page < PAGES; page++) {
        json_t *english = words(page, 0);
        for (int language = 1; language < LANGUAGES; language++) {
            json_t *other = words(page, language);
            const char *key;
            json_t *value;
            json_object_foreach(english, key, value)
            {
                const char *said = json_string_value(json_object_get(other, key));
                if (said == NULL || said[0] == '\0') {
                    fail_msg("%s/%s.json lacks %s", folders[page], languages[language], key);
                    break;
                }
                const char *meant = json_string_value(value);
                if (meant == NULL || (strchr(meant, '%') == NULL) != (strchr(said, '%') == NULL)) { // a number's place
                    fail_msg("%s/%s.json: %s has other places", folders[page], languages[language], key);
                }
            }
            assert_int_equal(json_object_size(english), json_object_size(other));
            json_decref(other);
        }
        json_decref(english);
    }
}

static const char *read_page(const char *name, char text[FILE_MOST])
{
    char path[DATA_PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/%s", data_folder(), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, FILE_MOST - 1, file);
    fclose(file);
    text[size] = '\0';
    assert_true(size > 0 && size < FILE_MOST - 1);
    return text;
}

/// Every literal key behind `before` in a file of the page has words.
static void check_keys(const char *text, const char *before, const json_t *known, const char *name)
{
    for (const char *at = strstr(text, before); at != NULL; at = strstr(at, before)) {
        char key[64];
        at += strlen(before);
        size_t length = strcspn(at, "\"");
        assert_true(length < sizeof key);
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        bool is_whole = at[length + 1] != ' ' || at[length + 2] != '+'; // no beginning of one
        if (is_whole && json_object_get(known, key) == NULL) {
            fail_msg("%s asks for %s, which is in no language", name, key);
        }
    }
}

TEST(whatever_a_page_asks_for_has_words)
{
    static char text[FILE_MOST];
    for (int page = 0; page < PAGES; page++) {
        json_t *english = words(page, 0);
        for (int k = 0; k < pages[page]->file_count; k++) {
            const char *name = pages[page]->files[k].name;
            read_page(name, text);
            if (strstr(name, ".html") != NULL) {
                check_keys(text, "data-text=\"", english, name);
            } else if (strstr(name, ".js") != NULL) {
                check_keys(text, "word(\"", english, name);
            }
        }
        json_decref(english);
    }
}

TEST_GROUP(NULL, NULL)
