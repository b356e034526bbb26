/// Puts things, numbers and words of a scene into the places of a template.
#include "trainer/sim/event_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/sim/score.h"

/// A text under construction; what there is no room for is left out.
typedef struct Writer {
    char *text;
    size_t used;
} Writer;

/// What a template is filled with.
typedef struct Filling {
    const ExerciseEvent *event; ///< NULL: a thing alone
    const EventThing *thing; ///< whose {name} and {number} are meant
    const TextReader *reader;
    const SceneExercise *scene;
} Filling;

static void write_bytes(Writer *writer, const char *bytes, size_t count)
{
    size_t room = EVENT_TEXT - 1 - writer->used;
    size_t kept = count < room ? count : room;
    memcpy(writer->text + writer->used, bytes, kept);
    writer->used += kept;
    writer->text[writer->used] = '\0';
    if (kept < count) {
        language_end_whole(writer->text);
        writer->used = strlen(writer->text);
    }
}

static void write_text(Writer *writer, const char *text)
{
    write_bytes(writer, text, strlen(text));
}

/// ---- what stands in the places -------------------------------------------------------------------------------------

/// Things that are called otherwise than by their name.
static const char *const thing_texts[THING_KIND_COUNT] = {[THING_CYLINDER] = TEXT("{name} cylinder"),
                                                          [THING_STOP] = TEXT("end stop"),
                                                          [THING_WALKER] = TEXT("the walker"),
                                                          [THING_TRUCK] = TEXT("truck {number}"),
                                                          [THING_TRUCK_PART] = TEXT("the truck's {name}"),
                                                          [THING_STEP] = TEXT("step {number}"),
                                                          [THING_TARGET] = TEXT("target {number}"),
                                                          [THING_QUESTION] = TEXT("question {number}")};

/// Names of the machine's and the truck's parts are words of the program, the others those of who wrote the scene.
static const char *name_of(const EventThing *thing, const TextReader *reader)
{
    bool word = thing->kind == THING_PART || thing->kind == THING_CYLINDER || thing->kind == THING_TRUCK_PART;
    return thing->kind == THING_SCORE ? thing->name
           : word                     ? reader_text(reader, thing->name)
                                      : reader_name(reader, thing->name);
}

/// What the scene says of a thing; "" where there is none to ask.
static const char *words_of(const Filling *filling)
{
    const SceneExercise *scene = filling->scene;
    const EventThing *thing = filling->thing;
    int index = thing->index;
    if (scene == NULL) {
        return "";
    }
    if (thing->kind == THING_STEP && index < scene->steps_count) {
        return scene->steps[index].text;
    }
    if (thing->kind == THING_QUESTION && index < scene->questions_count) {
        const SceneQuestion *question = &scene->questions[index];
        double answer = filling->event->number.count;
        return answer >= 1.0 && answer <= question->answers_count ? question->answers[(int)answer - 1] : "";
    }
    if (thing->kind == THING_SCORE) {
        const SceneScore *row = index < scene->scores_count ? &scene->scores[index] : NULL;
        bool same = row != NULL && strcmp(metric_infos[row->metric].name, thing->name) == 0;
        int metric = 0;
        while (metric < METRIC_COUNT && strcmp(metric_infos[metric].name, thing->name) != 0) {
            metric++;
        }
        return same && row->label[0] != '\0' ? row->label
               : metric < METRIC_COUNT       ? reader_text(filling->reader, metric_infos[metric].phrase)
                                             : thing->name;
    }
    return "";
}

static Quantity number_of(const ExerciseEvent *event, EventNumber number, const TextReader *reader)
{
    double value = event_number(event, number);
    switch (event_numbers[number].shown) {
    case EVENT_AS_POINTS:
        return quantity_signed_for(reader, value, 1);
    case EVENT_AS_COUNT:
        return quantity_number_for(reader, value, 0);
    case EVENT_AS_SCORE:
        return quantity_number_for(reader, value, 1);
    default:
        return quantity_for(reader, (QuantityKind)event_numbers[number].shown, value);
    }
}

static bool is_key(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

/// Writes what a place of an event stands for; false: it is no place.
static bool write_of_event(Writer *writer, const char *key, size_t length, const Filling *filling)
{
    const ExerciseEvent *event = filling->event;
    char text[EVENT_TEXT];
    if (is_key(key, length, "part") || is_key(key, length, "thing")) {
        const EventThing *thing = is_key(key, length, "part") ? &event->part : &event->thing;
        event_thing_text(thing, filling->reader, text);
        write_text(writer, thing->kind == THING_INCIDENT && thing->index < INCIDENT_COUNT
                               ? reader_text(filling->reader, incident_phrases[thing->index])
                               : text);
        return true;
    }
    if (is_key(key, length, "text") || is_key(key, length, "words")) {
        write_text(writer, is_key(key, length, "text") ? event->text : words_of(filling));
        return true;
    }
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        if (is_key(key, length, event_numbers[k].name)) {
            write_text(writer, number_of(event, (EventNumber)k, filling->reader).text);
            return true;
        }
    }
    return false;
}

static bool write_place(Writer *writer, const char *key, size_t length, const Filling *filling)
{
    if (is_key(key, length, "name")) {
        write_text(writer, name_of(filling->thing, filling->reader));
        return true;
    }
    if (is_key(key, length, "number")) {
        write_text(writer, quantity_number_for(filling->reader, filling->thing->index + 1.0, 0).text);
        return true;
    }
    return filling->event != NULL && write_of_event(writer, key, length, filling);
}

/// Fills a template, in the reader's language already. What is put in is not read again.
static void fill(Writer *writer, const char *pattern, const Filling *filling)
{
    while (*pattern != '\0') {
        size_t plain = strcspn(pattern, "{");
        write_bytes(writer, pattern, plain);
        pattern += plain;
        const char *end = strchr(pattern, '}');
        if (*pattern == '{' &&
            (end == NULL || !write_place(writer, pattern + 1, (size_t)(end - pattern) - 1, filling))) {
            write_bytes(writer, pattern, 1);
            pattern++;
        } else if (*pattern == '{') {
            pattern = end + 1;
        }
    }
}

/// ---- texts ---------------------------------------------------------------------------------------------------------

static Writer begin(char text[EVENT_TEXT])
{
    text[0] = '\0';
    return (Writer){text, 0};
}

void event_thing_text(const EventThing *thing, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = begin(text);
    const char *pattern = thing_texts[thing->kind];
    if (thing->kind == THING_INCIDENT) {
        write_text(&writer, incident_names[thing->index]);
    } else if (pattern != NULL) {
        fill(&writer, reader_text(reader, pattern), &(Filling){.thing = thing, .reader = reader});
    } else {
        write_text(&writer, name_of(thing, reader));
    }
}

void event_title(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = begin(text);
    write_text(&writer, reader_text(reader, event_kind_phrase((EventKind)event->kind)));
}

/// Where the words are missing that stand last, what leads to them is, too.
static void end_without_words(char *text)
{
    size_t length = strlen(text);
    if (length >= 2 && strcmp(text + length - 2, ": ") == 0) {
        text[length - 2] = '\0';
    }
}

void event_text(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene, char text[EVENT_TEXT])
{
    Writer writer = begin(text);
    Filling filling = {.event = event, .thing = &event->thing, .reader = reader, .scene = scene};
    const char *pattern = event_form((EventKind)event->kind, event->form)->text;
    fill(&writer, reader_text(reader, pattern), &filling);
    if (words_of(&filling)[0] == '\0' && event->text[0] == '\0') {
        end_without_words(text);
    }
}

void event_points(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = begin(text);
    if (event->number.points != 0.0) {
        write_text(&writer, number_of(event, EVENT_NUMBER_points, reader).text);
    }
}

void event_line(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene, char text[EVENT_TEXT])
{
    char title[EVENT_TEXT], what[EVENT_TEXT];
    Writer writer = begin(text);
    event_title(event, reader, title);
    event_text(event, reader, scene, what);
    bool points = event->kind == EVENT_POINTS; // they say themselves what they are
    write_text(&writer, points ? "" : title);
    write_text(&writer, points || what[0] == '\0' ? "" : ": ");
    write_text(&writer, what);
    if (!points && fabs(event->number.points) >= 0.05) {
        fill(&writer, reader_text(reader, TEXT(" ({points} points)")),
             &(Filling){.event = event, .thing = &event->thing, .reader = reader});
    }
}

void event_rule_text(const SceneRule *rule, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = begin(text);
    write_text(&writer, reader_text(reader, incident_phrases[rule->incident]));
    if (rule->thing[0] != '\0') {
        write_text(&writer, " (");
        bool kind = event_thing_named(rule->thing) < THING_KIND_COUNT; // "truck", else a scene's name for something
        write_text(&writer, kind ? reader_text(reader, rule->thing) : reader_name(reader, rule->thing));
        write_text(&writer, ")");
    }
}
