/// JSON of an event: fields of the tables, and its text as this station's language has it.
#include "trainer/remote/console_event.h"

/// Bytes that are no UTF-8 have no place in JSON.
static void add_text(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text);
    json_object_set_new(object, key, value != NULL ? value : json_string("?"));
}

static void add_thing(json_t *object, const char *key, const EventThing *thing)
{
    if (thing->kind == THING_NOTHING) {
        return;
    }
    json_t *value = json_object();
    add_text(value, "kind", event_thing_kind_name((EventThingKind)thing->kind));
    json_object_set_new(value, "index", json_integer(thing->index));
    add_text(value, "name", thing->name);
    json_object_set_new(object, key, value);
}

void console_event_add(json_t *object, const ExerciseEvent *event, const SceneExercise *scene)
{
    const TextReader station = {.english = false, .units = TEXT_UNITS_METRIC};
    EventKind kind = (EventKind)event->kind;
    char text[EVENT_TEXT];
    add_text(object, "kind", event_kind_name(kind));
    add_text(object, "form", event_form(kind, event->form)->name);
    add_thing(object, "part", &event->part);
    add_thing(object, "thing", &event->thing);
    json_t *numbers = json_object();
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        if (event_carries(kind, (EventNumber)k)) {
            json_object_set_new(numbers, event_numbers[k].name, json_real(event_number(event, (EventNumber)k)));
        }
    }
    json_object_set_new(object, "numbers", numbers);
    if (event->text[0] != '\0') {
        add_text(object, "text", event->text);
    }
    event_title(event, &station, text);
    add_text(object, "title", text);
    event_text(event, &station, scene, text);
    add_text(object, "detail", text);
}
