/// The table of events and the sentences that are made of it: every kind and form, in every language and unit; what
/// people wrote comes out byte for byte; what no event can be is refused with its place.
#include "tests/support/test.h"
#include "tests/support/event_fixture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/sim/exercise.h"

static const char *const languages[] = {"en", "de", "es"};
/// Names and words that look like templates, numbers, units and sentences of the program.
static const char hut[] = "hut at gate", typed[] = "wrong: 3 m deep, says the plan";
static const char step[] = "8 answers are to be given at 4 m/s: {speed} %s", answer[] = "2 kg in 3 passes, in all";

static void speak(const char *language)
{
    Status status;
    assert_good(language_choose(language, &status), status);
}

static SceneExercise *make_scene(void)
{
    SceneExercise *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->steps_count = scene->questions_count = scene->scores_count = scene->targets_count = 1;
    snprintf(scene->steps[0].text, sizeof scene->steps[0].text, "%s", step);
    scene->questions[0].answers_count = 2;
    snprintf(scene->questions[0].answers[1], sizeof scene->questions[0].answers[1], "%s", answer);
    scene->scores[0] = (SceneScore){.metric = METRIC_SPILLED_SHARE};
    snprintf(scene->scores[0].label, sizeof scene->scores[0].label, "%s", hut);
    return scene;
}

/// A thing of a kind with the most awkward name that it may have.
static EventThing thing_of(EventThingKind kind)
{
    bool named = event_check(&(ExerciseEvent){.thing = {(int32_t)kind, 0, "x"}}, NULL, &(Status){STATUS_GOOD, ""});
    return event_thing(kind, 0, kind == THING_SCORE ? "spilled_share" : named ? hut : "");
}

/// An event that carries all that its kind may, with numbers that are large in any unit.
static ExerciseEvent event_of(EventKind kind, int form)
{
    ExerciseEvent event = {.tick = 60, .kind = (int32_t)kind, .form = form};
    double *numbers = (double *)(void *)&event.number;
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        numbers[k] = event_carries(kind, (EventNumber)k) ? 12345.678 * (1 + k) : 0.0;
    }
    numbers[EVENT_NUMBER_energy] *= 1e4;
    numbers[EVENT_NUMBER_impulse] *= 1e4;
    numbers[EVENT_NUMBER_count] = event_carries(kind, EVENT_NUMBER_count) ? 2.0 : 0.0;
    event.part = thing_of(THING_PART);
    event.thing = thing_of(kind == EVENT_STEP       ? THING_STEP
                           : kind == EVENT_ANSWER   ? THING_QUESTION
                           : kind == EVENT_TARGET   ? THING_TARGET
                           : kind == EVENT_POINTS   ? THING_SCORE
                           : kind == EVENT_FINISHED ? THING_INCIDENT
                                                    : THING_FIXTURE);
    if (event_kind_source(kind) != EVENT_OF_EXERCISE) {
        snprintf(event.text, sizeof event.text, "%s", typed);
    }
    return event;
}

/// The names of a template's places, each once and in order of the letters.
static void list_places(const char *template, char list[512])
{
    char found[16][32];
    int count = 0;
    for (const char *at = strchr(template, '{'); at != NULL; at = strchr(at + 1, '{')) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "}"), at);
        int place = count++;
        for (; place > 0 && strcmp(found[place - 1], name) > 0; place--) {
            strcpy(found[place], found[place - 1]);
        }
        strcpy(found[place], name);
    }
    list[0] = '\0';
    for (int k = 0; k < count; k++) {
        strcat(list, found[k]);
    }
}

/// A number such as 2.7e+04 stands in it.
static bool has_exponent(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (at > text && isdigit((unsigned char)at[-1]) && (*at == 'e' || *at == 'E') &&
            (at[1] == '+' || at[1] == '-') && isdigit((unsigned char)at[2])) {
            return true;
        }
    }
    return false;
}

/// The words that may hold braces taken away, once each.
static void take_away(char *text, const char *words)
{
    char *at = strstr(text, words);
    if (at != NULL) {
        memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
    }
}

static void expect_in(const char *template, const char *place, const char *text, const char *words)
{
    if (strstr(template, place) != NULL && strstr(text, words) == NULL) {
        fail_msg("\"%s\" of \"%s\": \"%s\" is not there", text, template, words);
    }
}

/// What a reader sees of one form.
static void expect_whole(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene)
{
    const char *template = event_form((EventKind)event->kind, event->form)->text;
    char text[EVENT_TEXT], line[EVENT_TEXT];
    event_text(event, reader, scene, text);
    event_line(event, reader, scene, line);
    assert_non_null(strstr(line, text));
    assert_true(text[0] != '\0' && strlen(line) < EVENT_TEXT - 1);
    expect_in(template, "{part}", text, hut);
    expect_in(template, "{text}", text, typed);
    if (event->thing.kind == THING_FIXTURE) {
        expect_in(template, "{thing}", text, hut);
    }
    if (event->kind == EVENT_STEP || event->kind == EVENT_ANSWER || event->kind == EVENT_POINTS) {
        expect_in(template, "{words}", text,
                  event->kind == EVENT_STEP     ? step
                  : event->kind == EVENT_ANSWER ? answer
                                                : hut);
    }
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        char place[32];
        snprintf(place, sizeof place, "{%s}", event_numbers[k].name);
        if (strstr(template, place) != NULL) {
            assert_true(event_carries((EventKind)event->kind, (EventNumber)k));
        }
        if (event_numbers[k].shown < (int)QUANTITY_KINDS) {
            expect_in(
                template, place, text,
                quantity_for(reader, (QuantityKind)event_numbers[k].shown, event_number(event, (EventNumber)k)).text);
        }
    }
    take_away(text, step);
    if (strpbrk(text, "{}") != NULL || has_exponent(text)) {
        fail_msg("\"%s\" of \"%s\"", text, template);
    }
}

TEST(every_sentence_is_whole_in_every_language_and_unit)
{
    SceneExercise *scene = make_scene();
    int forms = 0;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
        for (int form = 0; form < event_form_count((EventKind)kind); form++, forms++) {
            ExerciseEvent event = event_of((EventKind)kind, form);
            Status status = {0};
            assert_non_null(event_form((EventKind)kind, form)->text);
            assert_good(event_check(&event, scene, &status), status);
            for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
                speak(languages[k]);
                for (int units = TEXT_UNITS_METRIC; units <= (int)TEXT_UNITS_IMPERIAL; units++) {
                    expect_whole(&event, &(TextReader){.units = (TextUnits)units}, scene);
                    expect_whole(&event, &(TextReader){.english = true, .units = (TextUnits)units}, scene);
                }
            }
        }
    }
    print_message("%d kinds, %d forms\n", EVENT_KIND_COUNT, forms);
    speak("en");
    free(scene);
}

/// A translation has the places of its English text, in any order, and says something else.
TEST(translations_have_the_places_of_their_sentences)
{
    for (size_t k = 1; k < sizeof languages / sizeof languages[0]; k++) {
        speak(languages[k]);
        for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
            const char *phrase = event_kind_phrase((EventKind)kind);
            if (language_text(phrase) == phrase) {
                fail_msg("%s: \"%s\" has no translation", languages[k], phrase);
            }
            for (int form = 0; form < event_form_count((EventKind)kind); form++) {
                const char *english = event_form((EventKind)kind, form)->text, *translated = language_text(english);
                char places[512], theirs[512];
                list_places(english, places);
                list_places(translated, theirs);
                assert_string_equal(theirs, places);
                assert_true(translated != english || strcmp(english, "{text}") == 0);
            }
        }
    }
    speak("en");
}

/// The same event for a German in feet, for a Spaniard in metres, and for a file while a German reads the screen.
TEST(a_touch_is_said_as_its_reader_has_it)
{
    ExerciseEvent event = {.kind = EVENT_TOUCH,
                           .part = {THING_PART, 0, "bucket"},
                           .thing = {THING_FIXTURE, 0, "hut at gate"},
                           .number = {.speed = 4.32, .impulse = 10300.0, .energy = 37000.0, .points = -2.0}};
    const TextReader feet = {.units = TEXT_UNITS_IMPERIAL}, metres = {.units = TEXT_UNITS_METRIC};
    char text[EVENT_TEXT];
    speak("de");
    event_text(&event, &feet, NULL, text);
    assert_string_equal(text, "Löffel berührt hut at gate mit 14,2 ft/s, 2320 lbf s, 27290 ft lbf");
    event_text(&event, &reader_of_files, NULL, text);
    assert_string_equal(text, "bucket touches hut at gate at 4.32 m/s, 10.3 kN s, 37.0 kJ");
    event_line(&event, &metres, NULL, text);
    assert_string_equal(text,
                        "berührte etwas: Löffel berührt hut at gate mit 4,32 m/s, 10,3 kN s, 37,0 kJ (-2,0 Punkte)");
    event.thing = event_thing(THING_FIXTURE, 1, "wall"); // of a shipped scene
    speak("es");
    event_text(&event, &metres, NULL, text);
    assert_string_equal(text, "cazo toca muro a 4,32 m/s, 10,3 kN s, 37,0 kJ");
    event.thing = event_thing(THING_FIXTURE, 1, "house"); // a word of the program, but here a house
    event_text(&event, &metres, NULL, text);
    assert_string_equal(text, "cazo toca house a 4,32 m/s, 10,3 kN s, 37,0 kJ");
    speak("en");
}

TEST(what_a_scene_says_is_looked_up_in_it)
{
    SceneExercise *scene = make_scene();
    ExerciseEvent event = {.kind = EVENT_STEP, .thing = {THING_STEP, 0, ""}};
    const TextReader feet = {.units = TEXT_UNITS_IMPERIAL};
    char text[EVENT_TEXT], expected[EVENT_TEXT];
    event_text(&event, &feet, scene, text);
    snprintf(expected, sizeof expected, "step 1 done: %s", step);
    assert_string_equal(text, expected);
    event_text(&event, &feet, NULL, text);
    assert_string_equal(text, "step 1 done");
    event.thing.index = 7; // of another scene
    event_text(&event, &feet, scene, text);
    assert_string_equal(text, "step 8 done");
    event = (ExerciseEvent){.kind = EVENT_ANSWER, .form = EVENT_ANSWER_WRONG, .thing = {THING_QUESTION, 0, ""}};
    event.number.count = 2.0;
    event_text(&event, &feet, scene, text);
    snprintf(expected, sizeof expected, "wrong: %s", answer);
    assert_string_equal(text, expected);
    event.number.count = 9.0;
    event_text(&event, &feet, scene, text);
    assert_string_equal(text, "wrong");
    free(scene);
}

/// Rules name things as they are called in English, whatever the language is.
TEST(rules_find_what_they_name)
{
    const SceneRule truck = {.incident = INCIDENT_TOUCH, .thing = "truck"}, any = {.incident = INCIDENT_TOUCH};
    ExerciseEvent cab = {.kind = EVENT_TOUCH, .thing = {THING_TRUCK_PART, 1, "cab"}};
    ExerciseEvent wall = {.kind = EVENT_TOUCH, .thing = {THING_FIXTURE, 1, "wall"}};
    speak("de");
    assert_true(exercise_rule_meets(&truck, &cab) && exercise_rule_meets(&any, &cab));
    assert_true(!exercise_rule_meets(&truck, &wall) && exercise_rule_meets(&any, &wall));
    cab.kind = EVENT_PERSON_HIT;
    assert_false(exercise_rule_meets(&any, &cab));
    speak("en");
}

TEST(names_of_the_table_are_found_again)
{
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
        assert_int_equal(event_kind_named(event_kind_name((EventKind)kind)), kind);
        for (int form = 0; form < event_form_count((EventKind)kind); form++) {
            assert_int_equal(event_form_named((EventKind)kind, event_form((EventKind)kind, form)->name), form);
        }
    }
    for (int kind = 0; kind < THING_KIND_COUNT; kind++) {
        assert_int_equal(event_thing_named(event_thing_kind_name((EventThingKind)kind)), kind);
    }
    assert_int_equal(event_kind_named("touches"), EVENT_KIND_COUNT);
    assert_int_equal(event_form_named(EVENT_TOUCH, "load"), -1);
    assert_int_equal(event_thing_named("hut"), THING_KIND_COUNT);
}

TEST(what_no_event_can_be_is_refused)
{
    SceneExercise *scene = make_scene();
    ExerciseEvent long_name = {.thing = {THING_FIXTURE, 0, ""}}, long_text = {.kind = EVENT_MARK};
    memset(long_name.thing.name, 'x', sizeof long_name.thing.name);
    memset(long_text.text, 'x', sizeof long_text.text);
    char above[64], below[64];
    snprintf(above, sizeof above, "kind: read %d, allowed 0..%d", EVENT_KIND_COUNT, EVENT_KIND_COUNT - 1);
    snprintf(below, sizeof below, "kind: read -1, allowed 0..%d", EVENT_KIND_COUNT - 1);
    const struct {
        ExerciseEvent event;
        const char *says;
    } cases[] = {
        {{.kind = EVENT_KIND_COUNT}, above},
        {{.kind = -1}, below},
        {{.kind = EVENT_CYCLE, .form = 2}, "form: read 2 of cycle, allowed 0..1"},
        {{.part = {THING_KIND_COUNT, 0, ""}}, "part: read kind 17, allowed 0..16"},
        {{.thing = {THING_FIXTURE, SCENE_MAX_FIXTURES, "hut"}}, "thing: read fixture 16, allowed are the first 16"},
        {{.thing = {THING_FIXTURE, -1, "hut"}}, "thing: read fixture -1, allowed are the first 16"},
        {{.thing = {THING_STEP, 1, ""}}, "thing: read step 1, allowed are the first 1"},
        {{.thing = {THING_FIXTURE, 0, ""}}, "thing: read fixture with the name \"\", allowed one with a name"},
        {{.thing = {THING_TRUCK, 0, "hut"}}, "thing: read truck with the name \"hut\", allowed one without"},
        {{.number = {.speed = NAN}}, "speed: read nan of touch, allowed a finite number"},
        {{.number = {.energy = HUGE_VAL}}, "energy: read inf of touch, allowed a finite number"},
        {{.number = {.dig = 1.0}}, "dig: read 1 of touch, allowed 0"},
        {long_name, "thing: read fixture with the name \"xxxx"},
        {long_text, "text: read more than 95 bytes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Status status = {STATUS_GOOD, ""};
        assert_false(event_check(&cases[k].event, scene, &status));
        assert_int_equal(status.code, STATUS_BAD_FILE);
        if (strstr(status.text, cases[k].says) != status.text) {
            fail_msg("case %zu: \"%s\"", k, status.text);
        }
    }
    free(scene);
}

TEST_GROUP(NULL, NULL)
