/// Writers and readers of JSON: objects of jansson as texts, lines of many numbers by hand, and events and
/// levers as objects.
#include "trainer/remote/console_json.h"
#include "data/core/visible_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// ---- objects -------------------------------------------------------------------------------------------------------

void console_json_set(json_t *object, const char *key, const char *text)
{
    json_t *value = json_string(text != NULL ? text : "");
    json_object_set_new(object, key, value != NULL ? value : json_string("?"));
}

char *console_json_write(json_t *object, size_t digits, size_t *size)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(object);
    if (size != NULL) {
        *size = text != NULL ? strlen(text) : 0;
    }
    return text;
}

bool console_json_refuse(const char *field, const json_t *value, int most, const char *allowed, Status *status)
{
    char *read = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    status_fail(status, STATUS_BAD_FILE, "%s: %.*s was read; allowed is %s", field, most,
                read != NULL ? read : "nothing", allowed);
    free(read);
    return false;
}

json_t *console_json_read(const char *what, const char *bytes, size_t size, size_t most, int shown, Status *status)
{
    json_error_t error;
    if (size > most) {
        status_fail(status, STATUS_BAD_FILE, "%s: %zu bytes were read; allowed are %zu", what, size, most);
        return NULL;
    }
    json_t *object = json_loadb(bytes != NULL ? bytes : "", size, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL) {
        visible_text_mask(error.text, false); // it has some of what was sent
        status_fail(status, STATUS_BAD_FILE, "%s: byte %d: %.120s; allowed is one JSON object", what, error.position,
                    error.text);
        return NULL;
    }
    if (!json_is_object(object)) {
        console_json_refuse(what, object, shown, "one JSON object", status);
        json_decref(object);
        return NULL;
    }
    return object;
}

/// ---- lines ---------------------------------------------------------------------------------------------------------

#define MOST 1e9 ///< of a number either way

enum { FIRST_ROOM = 1 << 14, DIGITS = 18 }; ///< bytes: of most states; of a number with point, sign and comma

/// Makes room for `more` bytes behind the end. False when memory is short.
static bool grow_line(ConsoleLine *line, size_t more)
{
    size_t room = line->room == 0 ? FIRST_ROOM : 2 * line->room;
    while (room < line->size + more) {
        room *= 2;
    }
    char *bytes = line->room != SIZE_MAX ? realloc(line->bytes, room) : NULL;
    if (bytes == NULL) {
        free(line->bytes);
        *line = (ConsoleLine){.room = SIZE_MAX};
        return false;
    }
    line->bytes = bytes;
    line->room = room;
    return true;
}

/// Where `more` bytes have room behind the end; NULL: memory is short.
static char *reserve_room(ConsoleLine *line, size_t more)
{
    bool fits = line->bytes != NULL && line->room - line->size >= more;
    return fits || grow_line(line, more) ? line->bytes + line->size : NULL;
}

void console_line_add(ConsoleLine *line, const char *text)
{
    size_t size = strlen(text);
    char *place = reserve_room(line, size + 1);
    if (place != NULL) {
        memcpy(place, text, size + 1); // what comes next takes the place of the NUL
        line->size += size;
    }
}

void console_line_add_string(ConsoleLine *line, const char *text)
{
    char *place = reserve_room(line, 2 * strlen(text) + 2);
    if (place == NULL) {
        return;
    }
    char *end = place;
    *end++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            *end++ = '\\';
        }
        *end++ = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    *end++ = '"';
    line->size += (size_t)(end - place);
}

void console_line_add_number(ConsoleLine *line, double value, int decimals)
{
    static const double scales[] = {1.0, 10.0, 100.0, 1000.0};
    double scaled = (value < MOST ? value > -MOST ? value : -MOST : MOST) * scales[decimals];
    uint64_t left = (uint64_t)(fabs(scaled) + 0.5);
    char digits[DIGITS], *place = reserve_room(line, DIGITS);
    if (place == NULL) {
        return;
    }
    bool negative = scaled < 0.0 && left > 0;
    while (decimals > 0 && left % 10 == 0) {
        left /= 10;
        decimals--;
    }
    int first = DIGITS;
    digits[--first] = ',';
    for (int k = 0; left > 0 || k <= decimals; k++, left /= 10) {
        if (k > 0 && k == decimals) {
            digits[--first] = '.';
        }
        digits[--first] = (char)('0' + left % 10);
    }
    if (negative) {
        digits[--first] = '-';
    }
    memcpy(place, digits + first, (size_t)(DIGITS - first));
    line->size += (size_t)(DIGITS - first);
}

void console_line_end_list(ConsoleLine *line)
{
    if (line->size > 0 && line->bytes[line->size - 1] == ',') {
        line->size--;
    }
}

char *console_line_finish(ConsoleLine *line, size_t *size)
{
    char *end = reserve_room(line, 1);
    if (end != NULL) {
        *end = '\0';
    }
    *size = line->size;
    return line->bytes;
}

/// ---- events --------------------------------------------------------------------------------------------------------

static void add_thing(json_t *object, const char *key, const EventThing *thing)
{
    if (thing->kind == THING_NOTHING) {
        return;
    }
    json_t *value = json_object();
    console_json_set(value, "kind", event_thing_kind_name((EventThingKind)thing->kind));
    json_object_set_new(value, "index", json_integer(thing->index));
    console_json_set(value, "name", thing->name);
    json_object_set_new(object, key, value);
}

void console_event_add(json_t *object, const ExerciseEvent *event, const SceneExercise *scene)
{
    const TextReader station = {.english = false, .units = TEXT_UNITS_METRIC};
    EventKind kind = (EventKind)event->kind;
    char text[EVENT_TEXT];
    console_json_set(object, "kind", event_kind_name(kind));
    console_json_set(object, "form", event_form(kind, event->form)->name);
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
        console_json_set(object, "text", event->text);
    }
    event_title(event, &station, text);
    console_json_set(object, "title", text);
    event_text(event, &station, scene, text);
    console_json_set(object, "detail", text);
}

/// ---- levers --------------------------------------------------------------------------------------------------------

json_t *console_levers(const MachineParams *params, const OperatorControls *controls)
{
    json_t *object = json_object();
    for (int k = 0; k < CONTROL_COUNT; k++) {
        bool drives = k == CONTROL_LEFT_TRACK || k == CONTROL_RIGHT_TRACK || k == CONTROL_THROTTLE;
        if (drives || machine_joint_of_control(params, (ControlAxis)k) >= 0) {
            double value = control_value(controls, (ControlAxis)k);
            json_object_set_new(object, control_axis_names[k], json_real(round(value * 1000.0) / 1000.0));
        }
    }
    return object;
}
