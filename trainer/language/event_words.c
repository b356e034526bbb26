/// Patterns of the lines that exercises, trucks, loads and incidents write. Those with more letters stand before those
/// that would fit the same line with fewer.
#include "trainer/language/event_words.h"

#include <stdio.h>
#include <string.h>

#include "data/core/incident.h"
#include "data/language/language.h"
#include "data/language/sentence.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const char *const details[] = {
    TEXT("%s in %s: dig %s, swing %s, dump %s, return %s"),
    TEXT("%s in %s: %s %s, %s %s, %s %s, return %s"),
    TEXT("%s on end at relief pressure"),
    TEXT("%s below the trench's floor in all"),
    TEXT("failed: %s after %s, score %s"),
    TEXT("%s after %s, score %s"),
    TEXT("target %s of %s after %s, %s from its middle"),
    TEXT("step %s done: %s"),
    TEXT("right: %s"),
    TEXT("wrong: %s"),
    TEXT("%s points: %s"),
    TEXT("%s, %s in all"),
    TEXT("%s comes within %s of %s"),
    TEXT("%s passes over %s, %s over the ground, %s"),
    TEXT("%s passes %s over the truck's cab with %s"),
    TEXT("%s carries %s: the bed or an axle bears %s too much"),
    TEXT("%s falls over, %s degrees from upright"),
    TEXT("tracks %s off the ground, %s degrees from upright"),
    TEXT("after %s; at most %s degrees from upright"),
    TEXT("the tool holds the tracks %s off the ground, %s %% on them"),
    TEXT("the machine lies, %s degrees from upright"),
    TEXT("the %s hangs %s over an edge, %s deep"),
    TEXT("sank %s and leans %s degrees beyond an edge"),
    TEXT("the %s runs into its end stop at %s"),
    TEXT("%s crosses the edge of the site"),
    TEXT("%s touches %s at %s, %s, %s"),
    TEXT("the %s hits %s at %s"),
    TEXT("%s hits %s at %s"),
    TEXT("truck %s is at the spot"),
    TEXT("truck %s leaves full: %s in %s passes"),
    TEXT("truck %s leaves as told: %s in %s passes"),
    TEXT("truck %s has tipped %s, %s stay in its bed"),
    TEXT("truck %s stops: %s"),
    TEXT("truck %s goes on"),
    TEXT("the pumps reach %s %% of their pressure"),
    TEXT("the swing reaches %s %% of its speed"),
    TEXT("the oil is %s too hot"),
    TEXT("the valve is stuck: %s"),
    TEXT("the valve moves again: %s"),
    TEXT("the function gives nothing: %s"),
    TEXT("the function works again: %s"),
    TEXT("one sees %s far"),
    TEXT("truck %s is told to stop"),
    TEXT("truck %s is told to go on"),
    TEXT("somebody walks up to %s of the machine"),
    TEXT("who walked in goes away"),
    TEXT("the %s is taken off the hook"),
    TEXT("the sling of the %s is not slack"),
    TEXT("the %s is on the hook"),
    TEXT("the %s hangs free, %s"),
    TEXT("the %s is set down at %s"),
    TEXT("the %s lies, its sling is slack"),
    TEXT("truck's %s"),
    TEXT("%s cylinder"),
    TEXT("truck %s"),
};

/// Words that stand in them, and names of kinds.
static const char *const words[] = {TEXT("the walker"),
                                    TEXT("dig"),
                                    TEXT("swing"),
                                    TEXT("dump"),
                                    TEXT("cut"),
                                    TEXT("carry"),
                                    TEXT("spread"),
                                    TEXT("work done"),
                                    TEXT("time is up"),
                                    TEXT("loaded"),
                                    TEXT("empty"),
                                    TEXT("left track"),
                                    TEXT("right track"),
                                    TEXT("end stop"),
                                    TEXT("the truck's cab"),
                                    TEXT("it has tipped over"),
                                    TEXT("the bucket is in its way"),
                                    TEXT("the machine is in its way"),
                                    TEXT("it was told to"),
                                    TEXT("the engine stops"),
                                    TEXT("the engine is started again"),
                                    TEXT("fault"),
                                    TEXT("the eye does not stand still"),
                                    TEXT("no sling reaches the eye"),
                                    TEXT("bucket"),
                                    TEXT("boom"),
                                    TEXT("stick"),
                                    TEXT("blade"),
                                    TEXT("ripper"),
                                    TEXT("house"),
                                    TEXT("undercarriage"),
                                    TEXT("cycle"),
                                    TEXT("relief"),
                                    TEXT("overdig"),
                                    TEXT("spill"),
                                    TEXT("finished"),
                                    TEXT("points"),
                                    TEXT("answer"),
                                    TEXT("target"),
                                    TEXT("step"),
                                    TEXT("truck"),
                                    TEXT("bookmark"),
                                    TEXT("hooked"),
                                    TEXT("unhooked"),
                                    TEXT("hook refused"),
                                    TEXT("lifted off"),
                                    TEXT("set down"),
                                    TEXT("laid down")};

void event_words_kind(const ExerciseEvent *event, char *text, size_t size)
{
    char kind[sizeof event->kind];
    for (int k = 0; k < INCIDENT_COUNT; k++) {
        if (strcmp(event->kind, incident_names[k]) == 0) {
            snprintf(text, size, "%s", language_text(incident_phrases[k]));
            return;
        }
    }
    snprintf(kind, sizeof kind, "%s", event->kind);
    for (char *c = kind; *c != '\0'; c++) { // names of events have _ where people write a space
        *c = *c == '_' ? ' ' : *c;
    }
    language_sentence(words, COUNT(words), kind, SETTINGS_UNITS_METRIC, text, size);
}

void event_words_detail(const ExerciseEvent *event, SettingsUnits units, char *text, size_t size)
{
    if (event->detail[0] != '\0' || event->thing[0] == '\0') {
        language_sentence(details, COUNT(details), event->detail, units, text, size);
        return;
    }
    char part[64], thing[64];
    language_sentence(details, COUNT(details), event->part, units, part, sizeof part);
    language_sentence(details, COUNT(details), event->thing, units, thing, sizeof thing);
    snprintf(text, size, language_text("%s on %s"), part, thing);
}

void event_words_device(const char *english, char *text, size_t size)
{
    static const char *const told[] = {TEXT("%s connected as %s"),
                                       TEXT("%s connected"),
                                       TEXT("%s lost: its levers are neutral"),
                                       TEXT("%s is not plugged in"),
                                       TEXT("%s not used: too many pads"),
                                       TEXT("%s cannot be opened")};
    language_sentence(told, COUNT(told), english, SETTINGS_UNITS_METRIC, text, size);
}
