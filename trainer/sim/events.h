/// Events of a drive as data: their kinds, what each is about, which numbers it carries; and their sentences in the
/// reader's language and units. Files, broker and counters use the tables; only the sentences depend on a language.
/// Any thread.
///
/// To add a kind: an X row below (an incident: data/core/metric.h), a row in events.c, and translations of its
/// sentence in data/texts/screen.
#ifndef SPADEWORK_TRAINER_EVENTS_H
#define SPADEWORK_TRAINER_EVENTS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/metric.h"
#include "data/core/quantity.h"
#include "data/core/status.h"
#include "data/schema/scene_params.h"

/// ---- kinds ---------------------------------------------------------------------------------------------------------

/// Kinds that are no incidents: name in C, name as it is stored and sent, what people call it. First those of the
/// exercise, which are state; then those that the program adds to a recording; then what only a page or a broker has.
#define EVENT_KINDS(X)                                                                                                 \
    X(CYCLE, cycle, "cycle") /* a load was dug, carried and dumped */                                                  \
    X(RELIEF, relief, "relief") /* a function was held at relief pressure */                                           \
    X(OVERDIG, overdig, "overdig") /* more was dug below the trench's floor */                                         \
    X(SPILL, spill, "spill") /* more lies where it should not */                                                       \
    X(SOIL_LEFT, soil_left, "soil left the site") /* soil came to rest far beyond its edge: it is out of reach */      \
    X(FINISHED, finished, "finished") /* the exercise was judged */                                                    \
    X(POINTS, points, "points") /* a row of the score lost points, or won them back */                                 \
    X(ANSWER, answer, "answer") /* a question was answered */                                                          \
    X(TARGET, target, "target") /* a target was reached */                                                             \
    X(STEP, step, "step") /* a step was done */                                                                        \
    X(TRUCK, truck, "truck") /* a driver did something */                                                              \
    X(HOOKED, hooked, "hooked") /* a load is on the hook */                                                            \
    X(UNHOOKED, unhooked, "unhooked")                                                                                  \
    X(HOOK_REFUSED, hook_refused, "hook refused") /* it could not be hooked or taken off */                            \
    X(LIFTED_OFF, lifted_off, "lifted off") /* a load hangs free */                                                    \
    X(SET_DOWN, set_down, "set down")                                                                                  \
    X(LAID_DOWN, laid_down, "laid down") /* it lies and its sling is slack */                                          \
    X(SWITCH, switch, "switch") /* the engine, the key or the safety lever */                                          \
    X(INSPECTION, inspection, "walk-round") /* on foot: a thing was judged, or who drives climbed in or out */         \
    X(FAULT, fault, "fault") /* an instructor ordered a fault, or its end */                                           \
    X(SLOW, slow, "slow") /* the simulation fell behind the clock */                                                   \
    X(RECORDING, recording, "recording") /* the disk held the recording up */                                          \
    X(FREEZE, freeze, "freeze") /* somebody froze the session, or let it go on */                                      \
    X(MARK, mark, "mark") /* somebody marked a moment */                                                               \
    X(MESSAGE, message, "message") /* somebody said something to who drives */                                         \
    X(BROKER, broker, "broker") /* the broker of the classroom went away, or came back */                              \
    X(BOOKMARK, bookmark, "bookmark") /* of a replay: a reader's own */                                                \
    X(CONTINUE, continue, "continued") /* an order of the instructor, as the broker gets it; so are those below */     \
    X(RESTART, restart, "begun again")                                                                                 \
    X(SNAPSHOT, snapshot, "snapshot")                                                                                  \
    X(RETURN, return, "back to a snapshot")                                                                            \
    X(REWIND, rewind, "gone back")                                                                                     \
    X(END, end, "ended by the instructor")                                                                             \
    X(LOAD, load, "another exercise")                                                                                  \
    X(COUPLER, coupler, "coupler") /* a tool is taken, released or lost; state as those of the exercise */             \
    X(SLINGER, slinger, "slinger called") /* the slinger is to hook or take off a load */

/// The kinds: incidents first, so that an incident's number is its kind's number.
typedef enum EventKind {
#define X(id, name, phrase) EVENT_##id,
    INCIDENTS(X) EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
} EventKind;

/// Who makes the events of a kind.
typedef enum EventSource {
    EVENT_OF_EXERCISE, ///< they are state, and follow from the replay
    EVENT_OF_PROGRAM, ///< they stand in recordings beside those of the exercise, and prove nothing
    EVENT_OF_READER, ///< they stand in no recording
} EventSource;

/// Forms: the sentences that a kind has, where it has several. The first is 0.
enum {
    EVENT_HIT_BY_STEEL,
    EVENT_HIT_BY_LOAD,
    EVENT_HIT_BY_ROCK,
    EVENT_HIT_BY_SOIL
}; ///< person_hit; person_zone: the first two
enum { EVENT_WALL_ALONE, EVENT_WALL_SPOIL, EVENT_WALL_MACHINE, EVENT_WALL_MARK }; ///< wall_fell
enum { EVENT_SWUNG_EMPTY, EVENT_SWUNG_LOADED }; ///< swing_over_person
enum { EVENT_SIGNAL_STOP, EVENT_SIGNAL_DANGER }; ///< signal_ignored
enum { EVENT_MOVED_MACHINE, EVENT_MOVED_LOAD }; ///< slinger_endangered
enum { EVENT_CYCLE_OF_ARM, EVENT_CYCLE_OF_BLADE };
enum { EVENT_FINISHED_DONE, EVENT_FINISHED_TIME_UP, EVENT_FINISHED_FAILED };
enum { EVENT_ANSWER_RIGHT, EVENT_ANSWER_WRONG };
enum {
    EVENT_TRUCK_SPOTTED,
    EVENT_TRUCK_FULL,
    EVENT_TRUCK_CALLED,
    EVENT_TRUCK_EMPTIED,
    EVENT_TRUCK_LIES,
    EVENT_TRUCK_HELD,
    EVENT_TRUCK_BEHIND_BUCKET,
    EVENT_TRUCK_BEHIND_MACHINE,
    EVENT_TRUCK_GOES_ON,
    EVENT_TRUCK_UNEVEN, ///< its driver complains, and leaves later
    EVENT_TRUCK_TOO_HEAVY, ///< so
    EVENT_TRUCK_REFUSES,
    EVENT_TRUCK_SCRATCHED, ///< its driver complains of a blow: by damage class
    EVENT_TRUCK_DENTED,
    EVENT_TRUCK_WRECKED
};
enum { EVENT_SCRATCHED, EVENT_DENTED, EVENT_WRECKED }; ///< truck_damaged, fixture_damaged: damage class - 1
enum { EVENT_HOOK_NOT_SLACK, EVENT_HOOK_MOVES, EVENT_HOOK_FAR };
enum {
    EVENT_SWITCH_ENGINE_STARTS,
    EVENT_SWITCH_ENGINE_STOPS,
    EVENT_SWITCH_LEVER_DOWN,
    EVENT_SWITCH_LEVER_UP,
    EVENT_SWITCH_REFUSED ///< the starter: the safety lever is down
};
enum {
    EVENT_INSPECTION_FOUND, ///< reported, and rightly so
    EVENT_INSPECTION_FALSE, ///< reported, but it is fine
    EVENT_INSPECTION_MISSED, ///< taken for fine, but it must be reported
    EVENT_INSPECTION_FINE,
    EVENT_INSPECTION_IN,
    EVENT_INSPECTION_EARLY, ///< climbed in before everything was looked at
    EVENT_INSPECTION_OUT
};
/// Of a fault: that it acts, and that it is over, for each of SESSION_FAULTS in its order (session_order.h).
enum {
    EVENT_FAULT_PRESSURE,
    EVENT_FAULT_SWING,
    EVENT_FAULT_HEAT,
    EVENT_FAULT_VALVE,
    EVENT_FAULT_VALVE_OVER,
    EVENT_FAULT_FUNCTION,
    EVENT_FAULT_FUNCTION_OVER,
    EVENT_FAULT_ENGINE,
    EVENT_FAULT_ENGINE_OVER,
    EVENT_FAULT_SIGHT,
    EVENT_FAULT_TRUCK,
    EVENT_FAULT_TRUCK_OVER,
    EVENT_FAULT_PERSON,
    EVENT_FAULT_PERSON_OVER,
    EVENT_MOST_FORMS = EVENT_TRUCK_WRECKED + 1 ///< no kind has more forms than trucks
};
enum { EVENT_FREEZE_BEGINS, EVENT_FREEZE_ENDS };
enum { EVENT_MARK_NOTE, EVENT_MARK_SNAPSHOT };
enum { EVENT_BROKER_AWAY, EVENT_BROKER_BACK };
enum {
    EVENT_COUPLER_ASKED, ///< the first step of a release
    EVENT_COUPLER_RELEASED,
    EVENT_COUPLER_HOOKED,
    EVENT_COUPLER_LOCKED,
    EVENT_COUPLER_LAID,
    EVENT_COUPLER_DROPPED,
    EVENT_COUPLER_UNLOCKED, ///< what the hook alone holds was lifted
    EVENT_COUPLER_NOT_CURLED,
    EVENT_COUPLER_LOADED,
    EVENT_COUPLER_PRESSED,
    EVENT_COUPLER_NO_POWER,
    EVENT_COUPLER_NOT_SEATED
};

/// ---- what an event is about ----------------------------------------------------------------------------------------

/// What acts or is met: name in C, name as it is stored, how many there may be (an index is below), whether it has a
/// name beside the index.
#define EVENT_THINGS(X)                                                                                                \
    X(NOTHING, "", 1, false)                                                                                           \
    X(PART, "part", 1, true) /* of the machine; its name is the machine's */                                           \
    X(CYLINDER, "cylinder", 1, true) /* of the joint of that name */                                                   \
    X(STOP, "stop", 1, false) /* the end of a cylinder */                                                              \
    X(FIXTURE, "fixture", SCENE_MAX_FIXTURES, true) /* with the name that the scene gives it */                        \
    X(PERSON, "person", SCENE_MAX_PERSONS, true) /* so */                                                              \
    X(WALKER, "walker", 1, false) /* who walked in by an order */                                                      \
    X(HUNG_LOAD, "load", SCENE_MAX_LOADS, true) /* as fixtures and persons */                                          \
    X(TRUCK, "truck", SCENE_MAX_TRUCKS, false)                                                                         \
    X(TRUCK_PART, "truck_part", SCENE_MAX_TRUCKS, true) /* of that truck: "cab", "bed", "tail", "chassis" */           \
    X(STEP, "step", SCENE_MAX_STEPS, false) /* of the exercise, as the next two */                                     \
    X(TARGET, "target", SCENE_MAX_TARGETS, false)                                                                      \
    X(QUESTION, "question", SCENE_MAX_QUESTIONS, false)                                                                \
    X(FINDING, "finding", SCENE_MAX_THINGS, true) /* of the walk-round, with the scene's name for it */                \
    X(SCORE, "score", SCENE_MAX_SCORES, true) /* a row of the score; the name is its metric's */                       \
    X(INCIDENT, "incident", INCIDENT_COUNT, false)                                                                     \
    X(TOOL, "tool", 1 + SCENE_MAX_TOOLS, true) /* of the start, then of the site; the name is its file's */

typedef enum EventThingKind {
#define X(id, name, most, named) THING_##id,
    EVENT_THINGS(X)
#undef X
        THING_KIND_COUNT
} EventThingKind;

enum { EVENT_NAME = 40, EVENT_TYPED = 96 };

typedef struct EventThing {
    int32_t kind; ///< EventThingKind
    int32_t index; ///< which one, from 0
    char name[EVENT_NAME]; ///< "bucket"; of what a scene names, its words, byte for byte; "" = it has none
} EventThing;

/// The name is copied, and cut to EVENT_NAME.
EventThing event_thing(EventThingKind kind, int index, const char *name);

/// The numbers of an event: name as it is stored, SI unit, how it is shown. What an event is not about is 0.
#define EVENT_NUMBERS(X)                                                                                               \
    X(x, "m", QUANTITY_LENGTH) /* world: where it happened */                                                          \
    X(y, "m", QUANTITY_LENGTH)                                                                                         \
    X(z, "m", QUANTITY_LENGTH)                                                                                         \
    X(speed, "m/s", QUANTITY_APPROACH) /* approach of what met, of a cylinder at its stop, of the machine */           \
    X(impulse, "N s", QUANTITY_IMPULSE) /* of the tick in which it began */                                            \
    X(energy, "J", QUANTITY_ENERGY) /* that the contact took up in that tick */                                        \
    X(duration, "s", QUANTITY_TIME) /* that it has lasted */                                                           \
    X(height, "m", QUANTITY_LENGTH) /* of the part over what it passes, of a drop below a track, sunk */               \
    X(load, "kg", QUANTITY_WEIGHED) /* in the tool, in a truck, on a sling; that fell */                               \
    X(inclination, "rad", QUANTITY_ANGLE) /* of the machine or the truck from upright */                               \
    X(points, "1", EVENT_AS_POINTS) /* of the score that it gave, or took (below 0) */                                 \
    X(length, "m", QUANTITY_LENGTH) /* of a track that hangs over an edge; off a target's middle */                    \
    X(distance, "m", QUANTITY_WAY) /* to a person; that one sees */                                                    \
    X(volume, "m3", QUANTITY_VOLUME) /* dug too deep */                                                                \
    X(total, "kg", QUANTITY_WEIGHED) /* spilled so far */                                                              \
    X(rest, "kg", QUANTITY_WEIGHED) /* that stay in a truck's bed */                                                   \
    X(excess, "kg", QUANTITY_WEIGHED) /* that a truck bears too much */                                                \
    X(share, "1", QUANTITY_SHARE) /* of a weight, a pressure, a speed */                                               \
    X(heat, "K", QUANTITY_WARMTH) /* above what it should be */                                                        \
    X(count, "1", EVENT_AS_COUNT) /* passes; targets in all; the answer, from 1; a snapshot's number */                \
    X(score, "1", EVENT_AS_SCORE) /* 0..100 */                                                                         \
    X(dig, "s", QUANTITY_TIME) /* of a cycle's phases: dig or cut */                                                   \
    X(carry, "s", QUANTITY_TIME) /* swing loaded, or carry */                                                          \
    X(dump, "s", QUANTITY_TIME) /* dump or spread */                                                                   \
    X(back, "s", QUANTITY_TIME) /* return */

/// Numbers that are shown as no quantity: with a sign and a decimal, whole, with a decimal.
enum { EVENT_AS_POINTS = QUANTITY_KINDS, EVENT_AS_COUNT, EVENT_AS_SCORE };

typedef struct EventNumbers {
#define X(name, unit, shown) double name;
    EVENT_NUMBERS(X)
#undef X
} EventNumbers;

typedef enum EventNumber {
#define X(name, unit, shown) EVENT_NUMBER_##name,
    EVENT_NUMBERS(X)
#undef X
        EVENT_NUMBER_COUNT
} EventNumber;
static_assert(EVENT_NUMBER_COUNT * sizeof(double) == sizeof(EventNumbers), "events hold numbers alone");

typedef struct EventNumberInfo {
    const char *name, *unit;
    int shown; ///< QuantityKind, or EVENT_AS_POINTS, EVENT_AS_COUNT, EVENT_AS_SCORE
} EventNumberInfo;
extern const EventNumberInfo event_numbers[EVENT_NUMBER_COUNT];

/// Something that happened, for the recording and the debrief.
typedef struct ExerciseEvent {
    int64_t tick;
    int32_t kind; ///< EventKind
    int32_t form; ///< of the kind, see above
    EventThing part; ///< what acts: a part of the machine, a load, a truck's cab
    EventThing thing; ///< what it meets, or what it is about
    EventNumbers number;
    /// What somebody typed: a message, a mark, a bookmark; byte for byte. Events of the exercise have none: it is no
    /// part of the state.
    char text[EVENT_TYPED];
} ExerciseEvent;

/// The value of a number of an event, in the unit of its row in EVENT_NUMBERS (m, s, kg, ...).
double event_number(const ExerciseEvent *event, EventNumber number);

/// ---- the table -----------------------------------------------------------------------------------------------------

/// A sentence. {part} and {thing} stand for what acts and what is met, {number} for the thing's index from 1, {words}
/// for what the scene says of the thing, {text} for what somebody typed, and every number's name for that number.
typedef struct EventForm {
    const char *name; ///< as it is stored; "" of a kind that has only one
    const char *text; ///< English; NULL: the kind has no such form
} EventForm;

const char *event_kind_name(EventKind kind); ///< as it is stored: "touch"
const char *event_kind_phrase(EventKind kind); ///< what people call it, in English: "touched something"
EventSource event_kind_source(EventKind kind);
int event_form_count(EventKind kind); ///< at least 1
const EventForm *event_form(EventKind kind, int form); ///< 0 <= form < event_form_count
bool event_carries(EventKind kind, EventNumber number); ///< else the number is 0

/// EVENT_KIND_COUNT, -1, THING_KIND_COUNT: there is none of that name.
EventKind event_kind_named(const char *name);
int event_form_named(EventKind kind, const char *name);
EventThingKind event_thing_named(const char *name);
const char *event_thing_kind_name(EventThingKind kind); ///< "fixture"

/// True when there can be such an event: its kind and form are in the table, its things are among those that there can
/// be, its numbers are finite and those that it does not carry are 0. Else `status` (STATUS_BAD_FILE) says the field,
/// what was read and what is allowed.
/// exercise  whose steps, targets, questions and rows it may name; NULL: those of any
bool event_check(const ExerciseEvent *event, const SceneExercise *exercise, Status *status);

/// ---- sentences -----------------------------------------------------------------------------------------------------
///
/// All sentences of events are made here, in the reader's language and units. Templates come from the table, numbers
/// from quantity.h; typed text and the names of a scene stay byte for byte. Pure but for the chosen language.

/// Bytes that hold any event's text, title or line.
enum { EVENT_TEXT = 400 };

/// Writes what people call the event's kind: "cycle", "touched something".
void event_title(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes what happened: "bucket touches container at 0.45 m/s, 10.3 kN s, 2.1 kJ".
/// scene  the exercise with its texts in this reader's language (report_words.h): it says what a step, an answer or a
///        row of the score is called; NULL: that is left out
void event_text(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene,
                char text[EVENT_TEXT]);

/// Writes the points that it gave or took, "+1.5"; "" where it did neither.
void event_points(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes title, text and points in one line: "touched something: bucket touches wall at 0.45 m/s, ... (-2.0 points)".
void event_line(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene,
                char text[EVENT_TEXT]);

/// Writes what a thing is called: "container", "the truck's cab", "boom cylinder"; of a row of the score its metric's
/// name, of an incident its own. For the English of files the rules of scenes name things so.
void event_thing_text(const EventThing *thing, const TextReader *reader, char text[EVENT_TEXT]);

/// Writes what a rule is about: "touched something (truck)".
void event_rule_text(const SceneRule *rule, const TextReader *reader, char text[EVENT_TEXT]);

#endif
