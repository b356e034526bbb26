/// Puts the state of a recording, and who signed it, into words.
#include "trainer/report/seal_words.h"

#include <stdio.h>

#include "data/core/language.h"

static const char *const names[] = {[RECORDING_UNCHECKED] = "unchecked",
                                    [RECORDING_WHOLE] = "whole",
                                    [RECORDING_CUT_SHORT] = "cut short",
                                    [RECORDING_LIVE] = "being recorded",
                                    [RECORDING_CHANGED] = "changed"};

static const char *const states[] = {
    [RECORDING_UNCHECKED] = TEXT("its seals were not checked"),
    [RECORDING_WHOLE] = TEXT("whole"),
    [RECORDING_CUT_SHORT] = TEXT("cut short: its drive did not end in good order"),
    [RECORDING_LIVE] = TEXT("being recorded: this is how far it was when it was read"),
};

const char *seal_state_name(RecordingState state)
{
    return names[state];
}

static const char *say(bool english, const char *text)
{
    return english ? text : language_text(text);
}

void seal_words(const RecordingSeal *seal, bool english, char *text, size_t size)
{
    char what[SEAL_WORDS / 2];
    if (seal->state == RECORDING_CHANGED) {
        snprintf(what, sizeof what, say(english, seal->change), seal->table);
        snprintf(text, size, say(english, TEXT("changed after it was recorded: %s (seal %lld)")), what,
                 (long long)seal->at);
        return;
    }
    if (seal->key[0] == '\0') {
        snprintf(what, sizeof what, "%s", say(english, TEXT("sealed, not signed")));
    } else if (seal->trusted[0] != '\0') {
        snprintf(what, sizeof what, say(english, TEXT("sealed, signed by %s")), seal->trusted);
    } else {
        snprintf(what, sizeof what, say(english, TEXT("sealed, signed by %s, which is not trusted here")),
                 seal->station);
    }
    snprintf(text, size, "%s; %s", say(english, states[seal->state]), what);
}
