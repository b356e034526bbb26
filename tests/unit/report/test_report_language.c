/// Texts of exercises in the languages that are shipped: which are chosen, what is translated, and that all is.
#include "tests/support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "data/schema/scene_params.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/settings_params.h"
#include "trainer/report/report_words.h"

static const char *const languages[] = {"de", "es"};

static void speak(const char *language)
{
    Status status;
    assert_good(language_choose(language, &status), status);
}

TEST(a_language_without_texts_is_refused)
{
    static const char *const wrong[] = {"xx", "", "../de", "DE", "deutsch"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        Status status = {0};
        assert_false(language_choose(wrong[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
        assert_non_null(strstr(status.text, "allowed en, de, es"));
    }
}

TEST(the_environment_chooses)
{
    static const struct {
        const char *language, *lang, *title;
    } cases[] = {{"", "de_AT.UTF-8", "Einen Graben ausheben"},
                 {"es:de", "de_DE.UTF-8", "Excavar una zanja"},
                 {"", "C", "Dig a trench"},
                 {"", "fr_FR.UTF-8", "Dig a trench"},
                 {"de", "en_GB.UTF-8", "Einen Graben ausheben"}};
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    setenv("LANGUAGE", "", 1);
    setenv("LANG", "C.UTF-8", 1);
    speak("de"); // whatever the environment says
    assert_string_equal(language_text("Dig a trench"), "Einen Graben ausheben");
    assert_string_equal(language_code(), "de");
    speak(NULL);
    assert_string_equal(language_text("Dig a trench"), "Dig a trench");
    assert_string_equal(language_code(), "en");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        setenv("LANGUAGE", cases[k].language, 1);
        setenv("LANG", cases[k].lang, 1);
        speak(NULL);
        assert_string_equal(language_text("Dig a trench"), cases[k].title);
    }
}

/// What is shown is in the language; the scene that is simulated keeps its own words, and numbers their points.
TEST(a_shown_scene_is_translated)
{
    Status status;
    SceneParams *scene = calloc(1, sizeof *scene), *shown = calloc(1, sizeof *shown);
    MachineParams *machine = calloc(1, sizeof *machine);
    assert_good(data_load_scene("walk-round", NULL, 0, scene, machine, NULL, &status), status);
    speak("de");
    *shown = *scene;
    language_translate_scene(shown);
    char number[8];
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0.5");
    assert_string_not_equal(shown->title, scene->title);
    assert_string_not_equal(shown->exercise.questions[0].answers[0], scene->exercise.questions[0].answers[0]);
    // A row without a label of its own is shown by its figure's phrase, whole, however long it is.
    char what[SCORE_WHAT];
    assert_string_equal(shown->exercise.scores[0].label, "");
    score_write_what(&shown->exercise.scores[0], &(TextReader){.units = TEXT_UNITS_METRIC}, what);
    assert_string_equal(what, language_text(metric_infos[scene->exercise.scores[0].metric].phrase));
    assert_string_not_equal(what, metric_infos[scene->exercise.scores[0].metric].phrase);
    speak("en");
    *shown = *scene;
    language_translate_scene(shown);
    assert_memory_equal(shown, scene, sizeof *scene);
    free(machine);
    free(shown);
    free(scene);
}

/// One text in one language: where it stands, and whether it is there and fits.
typedef struct Search {
    const char *scene, *language;
    int missing;
} Search;

static void look_up(void *context, const char *key, char *text, size_t size)
{
    Search *search = context;
    const char *translation = language_text(text);
    if (translation == text || strlen(translation) >= size) {
        print_error("%s, %s: %s: %s\n", search->language, search->scene, key,
                    translation == text ? text : "the translation is too long");
        search->missing++;
    }
}

TEST(every_text_of_a_shipped_scene_is_translated)
{
    Status status;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    DataListEntry entries[128];
    int count = data_list("scenes", entries, 128, &status);
    assert_true(count > 0);
    for (size_t n = 0; n < sizeof languages / sizeof languages[0]; n++) {
        Search search = {.language = languages[n]};
        speak(languages[n]);
        for (int k = 0; k < count; k++) {
            assert_good(data_load_scene(entries[k].name, NULL, 0, scene, machine, NULL, &status), status);
            search.scene = entries[k].name;
            scene_visit_texts(scene, look_up, &search);
        }
        assert_int_equal(search.missing, 0);
    }
    free(machine);
    free(scene);
}

/// A row without words of its own shows its metric's phrase, which is translated and fits there.
TEST(every_phrase_of_a_metric_is_translated)
{
    for (size_t n = 0; n < sizeof languages / sizeof languages[0]; n++) {
        Search search = {.language = languages[n], .scene = "metric"};
        speak(languages[n]);
        for (int k = 0; k < METRIC_COUNT; k++) {
            char phrase[SCENE_TEXT];
            snprintf(phrase, sizeof phrase, "%s", metric_infos[k].phrase);
            look_up(&search, metric_infos[k].name, phrase, sizeof((SceneScore *)NULL)->label);
        }
        assert_int_equal(search.missing, 0);
    }
}

static void look_up_shown(Search *search, const char *scene, const char *key, const char *english)
{
    char text[2 * SCENE_TEXT];
    snprintf(text, sizeof text, "%s", english);
    text[0] = (char)toupper((unsigned char)text[0]); // as it stands before its bar
    search->scene = scene;
    look_up(search, key, text, sizeof text);
}

static void look_up_name(Search *search, const char *key, const char *name)
{
    const TextReader reader = {.english = false};
    if (reader_name(&reader, name) == name) {
        print_error("%s, %s: %s: %s\n", search->language, search->scene, key, name);
        search->missing++;
    }
}

/// What stands on a scene's site is named on its plan and in what happened there.
static void look_up_site(Search *search, SceneParams *scene)
{
    search->scene = scene->name;
    for (int k = 0; k < scene->fixtures_count; k++) {
        look_up_name(search, "fixture", scene->fixtures[k].name);
    }
    for (int k = 0; k < scene->persons_count; k++) {
        look_up_name(search, "person", scene->persons[k].name);
    }
    for (int k = 0; k < scene->exercise.loads_count; k++) {
        look_up_name(search, "load", scene->exercise.loads[k].name);
    }
    for (int k = 0; k < scene->ground.patch_count; k++) {
        look_up(search, "patch", scene->ground.patches[k].soil, sizeof scene->ground.patches[k].soil);
    }
}

/// Parts of machines and trucks that may touch something.
static void look_up_parts(Search *search, MachineParams *machine)
{
    static const char *const others[] = {"left track", "right track", "bed", "tail", "chassis", "cab"};
    for (int k = 0; k < machine->body_count; k++) {
        look_up(search, "body", machine->body[k].name, 64);
    }
    for (int k = 0; k < machine->solid_count; k++) {
        look_up(search, "solid", machine->solid[k].name, 64);
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s", others[k]);
        look_up(search, "part", name, 64);
    }
}

/// What files of data call parts of machines and loads is shown beside gauges, the machine in the debrief.
TEST(every_name_of_a_part_is_translated)
{
    Status status;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    DataListEntry entries[128];
    int count = data_list("scenes", entries, 128, &status);
    for (size_t n = 0; n < sizeof languages / sizeof languages[0]; n++) {
        Search search = {.language = languages[n]};
        speak(languages[n]);
        for (int k = 0; k < count; k++) {
            assert_good(data_load_scene(entries[k].name, NULL, 0, scene, machine, NULL, &status), status);
            for (int joint = 0; joint < machine->joint_count; joint++) {
                look_up_shown(&search, entries[k].name, "joint", machine->joint[joint].name);
            }
            look_up(&search, "machine", machine->title, sizeof machine->title);
            look_up_site(&search, scene);
            look_up_parts(&search, machine);
        }
        assert_int_equal(search.missing, 0);
    }
    free(machine);
    free(scene);
}

TEST(every_camera_is_translated)
{
    static const char *const names[] = {
#define X(id, name) name,
        CAMERAS(X)
#undef X
    };
    for (size_t n = 0; n < sizeof languages / sizeof languages[0]; n++) {
        Search search = {.language = languages[n], .scene = "settings"};
        speak(languages[n]);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s", names[k]);
            look_up(&search, "camera", name, sizeof name);
        }
        assert_int_equal(search.missing, 0);
    }
}

TEST_GROUP(NULL, NULL)
