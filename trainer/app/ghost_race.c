/// Compares two runs by what both have reached.
#include "trainer/app/ghost_race.h"

#include <math.h>
#include <stdio.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

/// ---- marks ---------------------------------------------------------------------------------------------------------

static const EventKind event_kinds[GHOST_MARK_KINDS] = {
    [GHOST_STEP] = EVENT_STEP, [GHOST_TARGET] = EVENT_TARGET, [GHOST_CYCLE] = EVENT_CYCLE};

int ghost_marks(const ExerciseEvent *events, int count, GhostMark *marks)
{
    int found = 0, numbers[GHOST_MARK_KINDS] = {0};
    for (int k = 0; k < count; k++) {
        for (int kind = 0; kind < GHOST_MARK_KINDS; kind++) {
            if (events[k].kind == (int32_t)event_kinds[kind]) { // steps may be done in any order
                int number = kind == GHOST_STEP ? events[k].thing.index + 1 : ++numbers[kind];
                marks[found++] = (GhostMark){(GhostMarkKind)kind, number, events[k].tick};
            }
        }
    }
    return found;
}

static const GhostMark *find_mark(const GhostMark *marks, int count, GhostMarkKind kind, int number)
{
    for (int k = 0; k < count; k++) {
        if (marks[k].kind == kind && marks[k].number == number) {
            return &marks[k];
        }
    }
    return NULL;
}

/// ---- the race ------------------------------------------------------------------------------------------------------

/// The last one that both have reached; of one tick the most telling.
static const GhostMark *last_common(const GhostRace *race)
{
    const GhostMark *last = NULL;
    for (int k = 0; k < race->own_count; k++) {
        const GhostMark *own = &race->own[k];
        bool later = last == NULL || own->tick > last->tick || (own->tick == last->tick && own->kind < last->kind);
        if (later && find_mark(race->other, race->other_count, own->kind, own->number) != NULL) {
            last = own;
        }
    }
    return last;
}

/// The first mark that the other one has reached by now and the own run has not.
static const GhostMark *first_missed(const GhostRace *race)
{
    for (int k = 0; k < race->other_count && race->other[k].tick <= race->tick; k++) {
        const GhostMark *other = &race->other[k];
        if (find_mark(race->own, race->own_count, other->kind, other->number) == NULL) {
            return other;
        }
    }
    return NULL;
}

bool ghost_race_lead(const GhostRace *race, double *lead, GhostMark *at)
{
    const GhostMark *last = last_common(race), *missed = first_missed(race);
    if (last != NULL) {
        const GhostMark *other = find_mark(race->other, race->other_count, last->kind, last->number);
        *lead = (double)(other->tick - last->tick) * race->dt;
        *at = *last;
    }
    if (missed != NULL) {
        double overdue = (double)(missed->tick - race->tick) * race->dt;
        if (last == NULL || overdue < *lead) {
            *lead = overdue;
            *at = *missed;
        }
    }
    return last != NULL || missed != NULL;
}

void ghost_race_text(const GhostRace *race, char text[GHOST_RACE_LINES][GHOST_RACE_TEXT])
{
    double lead;
    GhostMark at;
    text[0][0] = '\0';
    if (ghost_race_lead(race, &lead, &at)) {
        snprintf(
            text[0], GHOST_RACE_TEXT,
            language_text(lead < 0.0 ? TEXT("%s s behind the ghost (%s %d)") : TEXT("%s s ahead of the ghost (%s %d)")),
            quantity_number(fabs(lead), 1).number, language_text(event_kind_phrase(event_kinds[at.kind])), at.number);
    }
    snprintf(text[1], GHOST_RACE_TEXT, language_text("%.0f points, the ghost %.0f"), metric_whole(race->own_score),
             metric_whole(race->other_score));
}
