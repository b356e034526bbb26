/// The tables of events, the check that an event can exist, and the sentences made from templates.
#include "trainer/sim/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"
#include "trainer/sim/score.h"

/// ---- the table -----------------------------------------------------------------------------------------------------

typedef struct Row {
    EventSource source;
    uint32_t carries; ///< set of HAS
    EventForm forms[EVENT_MOST_FORMS];
} Row;

#define HAS(name) (1u << EVENT_NUMBER_##name)
/// Every incident has a place and may cost points.
#define INCIDENT (HAS(x) | HAS(y) | HAS(z) | HAS(points))
/// Of incidents that follow from the machine's motion.
#define MOTION (INCIDENT | HAS(speed) | HAS(load) | HAS(inclination))
/// Of a part that is near to something.
#define NEARNESS (INCIDENT | HAS(speed) | HAS(load))
#define PHASES   (HAS(dig) | HAS(carry) | HAS(dump) | HAS(back))

static const Row rows[EVENT_KIND_COUNT] = {
    // Incidents.
    [EVENT_TOUCH] = {EVENT_OF_EXERCISE,
                     INCIDENT | HAS(speed) | HAS(impulse) | HAS(energy),
                     {{"", TEXT("{part} touches {thing} at {speed}, {impulse}, {energy}")}}},
    [EVENT_PERSON_HIT] = {EVENT_OF_EXERCISE,
                          NEARNESS,
                          {[EVENT_HIT_BY_STEEL] = {"steel", TEXT("{part} hits {thing} at {speed}")},
                           [EVENT_HIT_BY_LOAD] = {"load", TEXT("the {part} hits {thing} at {speed}")},
                           [EVENT_HIT_BY_ROCK] = {"rock", TEXT("a rock hits {thing} at {speed}")},
                           [EVENT_HIT_BY_SOIL] = {"soil", TEXT("falling soil hits {thing}: {load} at {speed}")}}},
    [EVENT_PERSON_ZONE] = {EVENT_OF_EXERCISE,
                           NEARNESS | HAS(distance),
                           {[EVENT_HIT_BY_STEEL] = {"steel", TEXT("{part} comes within {distance} of {thing}")},
                            [EVENT_HIT_BY_LOAD] = {"load",
                                                   TEXT("the {part} comes within {distance} of {thing}, {speed}")}}},
    [EVENT_SWING_OVER_PERSON] =
        {EVENT_OF_EXERCISE,
         NEARNESS | HAS(height),
         {[EVENT_SWUNG_EMPTY] = {"empty", TEXT("{part} passes over {thing}, {height} over the ground, empty")},
          [EVENT_SWUNG_LOADED] = {"loaded", TEXT("{part} passes over {thing}, {height} over the ground, loaded")}}},
    [EVENT_LOAD_OVER_PERSON] = {EVENT_OF_EXERCISE, NEARNESS, {{"", TEXT("the {part} hangs over {thing}, {speed}")}}},
    [EVENT_TIP_BEGINS] = {EVENT_OF_EXERCISE,
                          MOTION | HAS(height),
                          {{"", TEXT("tracks {height} off the ground, {inclination} from upright")}}},
    [EVENT_TIP_ENDS] = {EVENT_OF_EXERCISE,
                        MOTION | HAS(height) | HAS(duration),
                        {{"", TEXT("after {duration}; at most {inclination} from upright")}}},
    [EVENT_TIPPED_OVER] = {EVENT_OF_EXERCISE, MOTION, {{"", TEXT("the machine lies, {inclination} from upright")}}},
    [EVENT_LIFTED] = {EVENT_OF_EXERCISE,
                      MOTION | HAS(height) | HAS(duration) | HAS(share),
                      {{"", TEXT("the tool holds the tracks {height} off the ground, {share} on them")}}},
    [EVENT_FELL_INTO_HOLE] = {EVENT_OF_EXERCISE,
                              MOTION | HAS(height),
                              {{"", TEXT("sank {height} and leans {inclination} beyond an edge")}}},
    [EVENT_TRACK_OFF_EDGE] = {EVENT_OF_EXERCISE,
                              MOTION | HAS(height) | HAS(length),
                              {{"", TEXT("the {part} hangs {length} over an edge, {height} deep")}}},
    [EVENT_BUCKET_OVER_CAB] = {EVENT_OF_EXERCISE,
                               NEARNESS | HAS(height),
                               {{"", TEXT("{part} passes {height} over {thing} with {load}")}}},
    [EVENT_SLAM] = {EVENT_OF_EXERCISE, MOTION, {{"", TEXT("the {part} runs into its end stop at {speed}")}}},
    [EVENT_SITE_LEFT] = {EVENT_OF_EXERCISE, MOTION, {{"", TEXT("{part} crosses the edge of the site")}}},
    [EVENT_TRUCK_OVERLOAD] = {EVENT_OF_EXERCISE,
                              MOTION | HAS(excess),
                              {{"", TEXT("{thing} carries {load}: the bed or an axle bears {excess} too much")}}},
    [EVENT_TRUCK_TIPPED] = {EVENT_OF_EXERCISE, MOTION, {{"", TEXT("{thing} falls over, {inclination} from upright")}}},
    [EVENT_MAIN_BROKEN] = {EVENT_OF_EXERCISE,
                           INCIDENT | HAS(energy),
                           {{"", TEXT("{part} breaks the {thing} with {energy}: water runs out")}}},
    [EVENT_FLOODED] = {EVENT_OF_EXERCISE,
                       INCIDENT | HAS(duration) | HAS(volume) | HAS(height),
                       {{"", TEXT("{volume} out of the {thing} in {duration}, {height} deep")}}},
    [EVENT_GAS_PIPE_BROKEN] = {EVENT_OF_EXERCISE,
                               INCIDENT | HAS(energy),
                               {{"", TEXT("{part} breaks the {thing} with {energy}: gas escapes")}}},
    [EVENT_CABLE_HIT] = {EVENT_OF_EXERCISE,
                         INCIDENT | HAS(energy),
                         {{"", TEXT("{part} cuts the {thing} with {energy}: an arc, the machine may be live")}}},
    [EVENT_TRUCK_DAMAGED] = {EVENT_OF_EXERCISE,
                             INCIDENT | HAS(speed) | HAS(energy),
                             {[EVENT_SCRATCHED] = {"scratched", TEXT("{thing} is scratched: {energy}")},
                              [EVENT_DENTED] = {"dented", TEXT("{thing} is dented: {energy}")},
                              [EVENT_WRECKED] = {"wrecked", TEXT("{thing} is wrecked: {energy}")}}},
    [EVENT_FIXTURE_DAMAGED] = {EVENT_OF_EXERCISE,
                               INCIDENT | HAS(speed) | HAS(energy),
                               {[EVENT_SCRATCHED] = {"scratched", TEXT("{thing} is scratched: {energy}")},
                                [EVENT_DENTED] = {"cracked", TEXT("{thing} is cracked or bent: {energy}")},
                                [EVENT_WRECKED] = {"pushed_over", TEXT("{thing} is pushed over: {energy}")}}},
    [EVENT_SIGNAL_IGNORED] = {EVENT_OF_EXERCISE,
                              INCIDENT,
                              {[EVENT_SIGNAL_STOP] = {"stop", TEXT("{thing} signals stop, and the machine works")},
                               [EVENT_SIGNAL_DANGER] = {"danger",
                                                        TEXT("{thing} signals danger, and the machine works")}}},
    [EVENT_SLINGER_ENDANGERED] = {EVENT_OF_EXERCISE,
                                  INCIDENT,
                                  {[EVENT_MOVED_MACHINE] = {"machine",
                                                            TEXT("the machine moves while {thing} is at the load")},
                                   [EVENT_MOVED_LOAD] = {"load", TEXT("the {part} moves while {thing} is beside it")}}},
    [EVENT_WALL_FELL] =
        {EVENT_OF_EXERCISE,
         INCIDENT | HAS(load) | HAS(height),
         {[EVENT_WALL_ALONE] = {"alone", TEXT("{load} fall from a wall {height} high")},
          [EVENT_WALL_SPOIL] = {"spoil", TEXT("{load} fall from a wall {height} high, with soil on its edge")},
          [EVENT_WALL_MACHINE] = {"machine", TEXT("{load} fall from a wall {height} high, below the machine")},
          [EVENT_WALL_MARK] = {"mark", TEXT("{load} fall from a wall {height} high into the trench: dig them out")}}},
    [EVENT_PERSON_BURIED] = {EVENT_OF_EXERCISE,
                             INCIDENT | HAS(load) | HAS(height),
                             {{"", TEXT("{load} fall on {thing} from a wall {height} high")}}},
    [EVENT_BOX_OVERLOADED] = {EVENT_OF_EXERCISE,
                              INCIDENT | HAS(share),
                              {{"", TEXT("the soil presses on the {thing} with {share} of what it is rated for")}}},
    // The work.
    [EVENT_CYCLE] =
        {EVENT_OF_EXERCISE,
         HAS(load) | HAS(duration) | PHASES,
         {[EVENT_CYCLE_OF_ARM] = {"arm", TEXT("{load} in {duration}: dig {dig}, swing {carry}, dump {dump}, "
                                              "return {back}")},
          [EVENT_CYCLE_OF_BLADE] = {"blade", TEXT("{load} in {duration}: cut {dig}, carry {carry}, spread {dump}, "
                                                  "return {back}")}}},
    [EVENT_RELIEF] = {EVENT_OF_EXERCISE, HAS(duration), {{"", TEXT("{duration} on end at relief pressure")}}},
    [EVENT_OVERDIG] = {EVENT_OF_EXERCISE, HAS(volume), {{"", TEXT("{volume} below the trench's floor in all")}}},
    [EVENT_SPILL] = {EVENT_OF_EXERCISE, HAS(load) | HAS(total), {{"", TEXT("{load}, {total} in all")}}},
    [EVENT_SOIL_LEFT] = {EVENT_OF_EXERCISE, HAS(load) | HAS(total), {{"", TEXT("{load}, {total} in all")}}},
    [EVENT_FINISHED] = {EVENT_OF_EXERCISE,
                        HAS(duration) | HAS(score),
                        {[EVENT_FINISHED_DONE] = {"done", TEXT("work done after {duration}, score {score}")},
                         [EVENT_FINISHED_TIME_UP] = {"time_up", TEXT("time is up after {duration}, score {score}")},
                         [EVENT_FINISHED_FAILED] = {"failed",
                                                    TEXT("failed: {thing} after {duration}, score {score}")}}},
    [EVENT_POINTS] = {EVENT_OF_EXERCISE, HAS(points), {{"", TEXT("{points} points: {words}")}}},
    [EVENT_ANSWER] = {EVENT_OF_EXERCISE,
                      HAS(count),
                      {[EVENT_ANSWER_RIGHT] = {"right", TEXT("right: {words}")},
                       [EVENT_ANSWER_WRONG] = {"wrong", TEXT("wrong: {words}")}}},
    [EVENT_TARGET] = {EVENT_OF_EXERCISE,
                      HAS(x) | HAS(y) | HAS(z) | HAS(duration) | HAS(length) | HAS(count),
                      {{"", TEXT("target {number} of {count} after {duration}, {length} from its middle")}}},
    [EVENT_STEP] = {EVENT_OF_EXERCISE, 0, {{"", TEXT("step {number} done: {words}")}}},
    // Trucks.
    [EVENT_TRUCK] = {EVENT_OF_EXERCISE,
                     HAS(load) | HAS(rest) | HAS(count) | HAS(excess) | HAS(share) | HAS(duration),
                     {[EVENT_TRUCK_SPOTTED] = {"spotted", TEXT("{thing} is at the spot")},
                      [EVENT_TRUCK_FULL] = {"full", TEXT("{thing} leaves full: {load} in {count} passes")},
                      [EVENT_TRUCK_CALLED] = {"called", TEXT("{thing} leaves as told: {load} in {count} passes")},
                      [EVENT_TRUCK_EMPTIED] = {"emptied", TEXT("{thing} has tipped {load}, {rest} stay in its bed")},
                      [EVENT_TRUCK_LIES] = {"lies", TEXT("{thing} stops: it has tipped over")},
                      [EVENT_TRUCK_HELD] = {"held", TEXT("{thing} stops: it was told to")},
                      [EVENT_TRUCK_BEHIND_BUCKET] = {"behind_bucket", TEXT("{thing} stops: the bucket is in its way")},
                      [EVENT_TRUCK_BEHIND_MACHINE] = {"behind_machine",
                                                      TEXT("{thing} stops: the machine is in its way")},
                      [EVENT_TRUCK_GOES_ON] = {"goes_on", TEXT("{thing} goes on")},
                      [EVENT_TRUCK_UNEVEN] = {"uneven", TEXT("{thing}: the driver says one side bears {share} more, "
                                                             "and leaves {duration} later")},
                      [EVENT_TRUCK_TOO_HEAVY] = {"too_heavy", TEXT("{thing}: the driver says {excess} are too much, "
                                                                   "and leaves {duration} later")},
                      [EVENT_TRUCK_REFUSES] = {"refuses", TEXT("{thing}: the driver does not leave with {excess} too "
                                                               "much")},
                      [EVENT_TRUCK_SCRATCHED] = {"says_scratched", TEXT("{thing}: the driver complains of a scratch")},
                      [EVENT_TRUCK_DENTED] = {"says_dented", TEXT("{thing}: the driver complains of a dent")},
                      [EVENT_TRUCK_WRECKED] = {"says_wrecked", TEXT("{thing}: the driver says the truck is wrecked")}}},
    // Loads on slings.
    [EVENT_HOOKED] = {EVENT_OF_EXERCISE, 0, {{"", TEXT("the {thing} is on the hook")}}},
    [EVENT_UNHOOKED] = {EVENT_OF_EXERCISE, 0, {{"", TEXT("the {thing} is taken off the hook")}}},
    [EVENT_HOOK_REFUSED] = {EVENT_OF_EXERCISE,
                            0,
                            {[EVENT_HOOK_NOT_SLACK] = {"not_slack", TEXT("the sling of the {thing} is not slack")},
                             [EVENT_HOOK_MOVES] = {"moves", TEXT("the eye does not stand still")},
                             [EVENT_HOOK_FAR] = {"far", TEXT("no sling reaches the eye")}}},
    [EVENT_LIFTED_OFF] = {EVENT_OF_EXERCISE, HAS(load), {{"", TEXT("the {thing} hangs free, {load}")}}},
    [EVENT_SET_DOWN] = {EVENT_OF_EXERCISE, HAS(speed), {{"", TEXT("the {thing} is set down at {speed}")}}},
    [EVENT_LAID_DOWN] = {EVENT_OF_EXERCISE, 0, {{"", TEXT("the {thing} lies, its sling is slack")}}},
    // Before the work.
    [EVENT_SWITCH] = {EVENT_OF_EXERCISE,
                      0,
                      {[EVENT_SWITCH_ENGINE_STARTS] = {"engine_starts", TEXT("the engine starts")},
                       [EVENT_SWITCH_ENGINE_STOPS] = {"engine_stops", TEXT("the engine stops")},
                       [EVENT_SWITCH_LEVER_DOWN] = {"lever_down", TEXT("safety lever down: the levers work")},
                       [EVENT_SWITCH_LEVER_UP] = {"lever_up", TEXT("safety lever up: the levers are locked")},
                       [EVENT_SWITCH_REFUSED] = {"refused", TEXT("no start: the safety lever is down")}}},
    [EVENT_INSPECTION] = {EVENT_OF_EXERCISE,
                          0,
                          {[EVENT_INSPECTION_FOUND] = {"found", TEXT("reported rightly: {words}")},
                           [EVENT_INSPECTION_FALSE] = {"false", TEXT("reported, but it is fine: {words}")},
                           [EVENT_INSPECTION_MISSED] = {"missed", TEXT("taken for fine, but it is not: {words}")},
                           [EVENT_INSPECTION_FINE] = {"fine", TEXT("looked at, and fine: {words}")},
                           [EVENT_INSPECTION_IN] = {"in", TEXT("climbed in")},
                           [EVENT_INSPECTION_EARLY] = {"early", TEXT("climbed in before everything was looked at")},
                           [EVENT_INSPECTION_OUT] = {"out", TEXT("climbed out")}}},
    // Faults.
    [EVENT_FAULT] = {EVENT_OF_EXERCISE,
                     HAS(share) | HAS(heat) | HAS(distance),
                     {[EVENT_FAULT_PRESSURE] = {"pressure", TEXT("the pumps reach {share} of their pressure")},
                      [EVENT_FAULT_SWING] = {"swing", TEXT("the swing reaches {share} of its speed")},
                      [EVENT_FAULT_HEAT] = {"heat", TEXT("the oil is {heat} too hot")},
                      [EVENT_FAULT_VALVE] = {"valve", TEXT("the valve is stuck: {part}")},
                      [EVENT_FAULT_VALVE_OVER] = {"valve_over", TEXT("the valve moves again: {part}")},
                      [EVENT_FAULT_FUNCTION] = {"function", TEXT("the function gives nothing: {part}")},
                      [EVENT_FAULT_FUNCTION_OVER] = {"function_over", TEXT("the function works again: {part}")},
                      [EVENT_FAULT_ENGINE] = {"engine", TEXT("the engine stops")},
                      [EVENT_FAULT_ENGINE_OVER] = {"engine_over", TEXT("the engine is started again")},
                      [EVENT_FAULT_SIGHT] = {"sight", TEXT("one sees {distance} far")},
                      [EVENT_FAULT_TRUCK] = {"truck", TEXT("{thing} is told to stop")},
                      [EVENT_FAULT_TRUCK_OVER] = {"truck_over", TEXT("{thing} is told to go on")},
                      [EVENT_FAULT_PERSON] = {"person", TEXT("somebody walks up to {distance} of the machine")},
                      [EVENT_FAULT_PERSON_OVER] = {"person_over", TEXT("who walked in goes away")}}},
    // Of the program.
    [EVENT_SLOW] = {EVENT_OF_PROGRAM, HAS(share), {{"", TEXT("the simulation runs at {share} of the clock's speed")}}},
    [EVENT_RECORDING] = {EVENT_OF_PROGRAM,
                         HAS(duration),
                         {{"", TEXT("the disk was not ready for {duration}; what was driven is kept")}}},
    [EVENT_FREEZE] = {EVENT_OF_PROGRAM,
                      0,
                      {[EVENT_FREEZE_BEGINS] = {"begins", TEXT("by the instructor")},
                       [EVENT_FREEZE_ENDS] = {"ends", TEXT("over, by the instructor")}}},
    [EVENT_MARK] = {EVENT_OF_PROGRAM,
                    HAS(count),
                    {[EVENT_MARK_NOTE] = {"note", "{text}"},
                     [EVENT_MARK_SNAPSHOT] = {"snapshot", TEXT("snapshot {count}: {text}")}}},
    [EVENT_MESSAGE] = {EVENT_OF_PROGRAM, 0, {{"", "{text}"}}},
    [EVENT_BROKER] =
        {EVENT_OF_PROGRAM,
         0,
         {[EVENT_BROKER_AWAY] = {"away", TEXT("away")}, [EVENT_BROKER_BACK] = {"back", TEXT("back again")}}},
    // Of pages and brokers.
    [EVENT_BOOKMARK] = {EVENT_OF_READER, 0, {{"", "{text}"}}},
    [EVENT_CONTINUE] = {EVENT_OF_READER, 0, {{"", TEXT("by the instructor")}}},
    [EVENT_RESTART] = {EVENT_OF_READER, 0, {{"", TEXT("by the instructor")}}},
    [EVENT_SNAPSHOT] = {EVENT_OF_READER, 0, {{"", "{text}"}}},
    [EVENT_RETURN] = {EVENT_OF_READER, HAS(count), {{"", TEXT("snapshot {count}")}}},
    [EVENT_REWIND] = {EVENT_OF_READER, HAS(duration), {{"", TEXT("to {duration}")}}},
    [EVENT_END] = {EVENT_OF_READER, 0, {{"", TEXT("by the instructor")}}},
    [EVENT_LOAD] = {EVENT_OF_READER, 0, {{"", "{text}"}}},
    [EVENT_COUPLER] =
        {EVENT_OF_EXERCISE,
         HAS(x) | HAS(y) |
             HAS(z) | HAS(load) | HAS(height) | HAS(energy),
         {[EVENT_COUPLER_ASKED] = {"asked", TEXT("confirm to release the {thing}: press again, or hold")},
          [EVENT_COUPLER_RELEASED] = {"released", TEXT("the {thing} is released: the hook alone holds it")},
          [EVENT_COUPLER_HOOKED] = {"hooked", TEXT("the {thing} is in the hook: curl in, then lock")},
          [EVENT_COUPLER_LOCKED] = {"locked", TEXT("the {thing} is locked, {load}")},
          [EVENT_COUPLER_LAID] = {"laid_down", TEXT("the {thing} stands on the ground, off the coupler")},
          [EVENT_COUPLER_DROPPED] = {"dropped", TEXT("the {thing} falls off the coupler from {height}, {energy}")},
          [EVENT_COUPLER_UNLOCKED] = {"unlocked", TEXT("the {thing} was lifted and is not locked")},
          [EVENT_COUPLER_NOT_CURLED] = {"not_curled", TEXT("not released: curl the {thing} in as far as it goes")},
          [EVENT_COUPLER_LOADED] = {"loaded", TEXT("not released: empty the {thing} first")},
          [EVENT_COUPLER_PRESSED] = {"pressed", TEXT("not released: lift the {thing} off the ground first")},
          [EVENT_COUPLER_NO_POWER] = {"no_power", TEXT("coupler: the engine must run and the levers work")},
          [EVENT_COUPLER_NOT_SEATED] = {"not_seated", TEXT("not locked: the pins do not lie in hook and jaw")}}},
    [EVENT_SLINGER] = {EVENT_OF_EXERCISE, 0, {{"", TEXT("the slinger is called to the {thing}")}}},
};

const EventNumberInfo event_numbers[EVENT_NUMBER_COUNT] = {
#define X(name, unit, shown) [EVENT_NUMBER_##name] = {#name, unit, shown},
    EVENT_NUMBERS(X)
#undef X
};

static const struct {
    const char *name, *phrase;
} names[EVENT_KIND_COUNT] = {
#define X(id, name, phrase) [EVENT_##id] = {#name, phrase},
    INCIDENTS(X) EVENT_KINDS(X)
#undef X
};

static const struct {
    const char *name;
    int most;
    bool named;
} things[THING_KIND_COUNT] = {
#define X(id, name, most, named) [THING_##id] = {name, most, named},
    EVENT_THINGS(X)
#undef X
};

/// ---- what is in it -------------------------------------------------------------------------------------------------

const char *event_kind_name(EventKind kind)
{
    return names[kind].name;
}

const char *event_kind_phrase(EventKind kind)
{
    return names[kind].phrase;
}

EventSource event_kind_source(EventKind kind)
{
    return rows[kind].source;
}

int event_form_count(EventKind kind)
{
    int count = 1;
    while (count < EVENT_MOST_FORMS && rows[kind].forms[count].text != NULL) {
        count++;
    }
    return count;
}

const EventForm *event_form(EventKind kind, int form)
{
    return &rows[kind].forms[form];
}

bool event_carries(EventKind kind, EventNumber number)
{
    return (rows[kind].carries & (1u << number)) != 0;
}

EventKind event_kind_named(const char *name)
{
    int kind = 0;
    while (kind < EVENT_KIND_COUNT && strcmp(names[kind].name, name) != 0) {
        kind++;
    }
    return (EventKind)kind;
}

int event_form_named(EventKind kind, const char *name)
{
    int form = event_form_count(kind) - 1;
    while (form >= 0 && strcmp(rows[kind].forms[form].name, name) != 0) {
        form--;
    }
    return form;
}

EventThingKind event_thing_named(const char *name)
{
    int kind = 0;
    while (kind < THING_KIND_COUNT && strcmp(things[kind].name, name) != 0) {
        kind++;
    }
    return (EventThingKind)kind;
}

const char *event_thing_kind_name(EventThingKind kind)
{
    return things[kind].name;
}

EventThing event_thing(EventThingKind kind, int index, const char *name)
{
    EventThing thing = {.kind = (int32_t)kind, .index = index};
    snprintf(thing.name, sizeof thing.name, "%s", name);
    return thing;
}

double event_number(const ExerciseEvent *event, EventNumber number)
{
    double values[EVENT_NUMBER_COUNT];
    memcpy(values, &event->number, sizeof values);
    return values[number];
}

/// ---- the check -----------------------------------------------------------------------------------------------------

/// How many things of a kind there may be.
static int count_things(EventThingKind kind, const SceneExercise *exercise)
{
    if (exercise == NULL) {
        return things[kind].most;
    }
    switch (kind) {
    case THING_STEP:
        return exercise->steps_count;
    case THING_TARGET:
        return exercise->targets_count;
    case THING_QUESTION:
        return exercise->questions_count;
    case THING_FINDING:
        return exercise->walk_round.things_count;
    case THING_SCORE:
        return exercise->scores_count;
    default:
        return things[kind].most;
    }
}

static bool check_thing(const char *field, const EventThing *thing, const SceneExercise *exercise, Status *status)
{
    if (thing->kind < 0 || thing->kind >= THING_KIND_COUNT) {
        return status_fail(status, STATUS_BAD_FILE, "%s: read kind %d, allowed 0..%d", field, (int)thing->kind,
                           THING_KIND_COUNT - 1);
    }
    EventThingKind kind = (EventThingKind)thing->kind;
    int most = count_things(kind, exercise);
    if (thing->index < 0 || thing->index >= most) {
        return status_fail(status, STATUS_BAD_FILE, "%s: read %s %d, allowed are the first %d", field,
                           things[kind].name, (int)thing->index, most);
    }
    bool ended = memchr(thing->name, '\0', sizeof thing->name) != NULL;
    if (!ended || (thing->name[0] != '\0') != things[kind].named) {
        return status_fail(status, STATUS_BAD_FILE, "%s: read %s with the name \"%.*s\", allowed %s", field,
                           things[kind].name, (int)sizeof thing->name, thing->name,
                           things[kind].named ? "one with a name" : "one without");
    }
    return true;
}

static bool check_numbers(const ExerciseEvent *event, Status *status)
{
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        double value = event_number(event, (EventNumber)k);
        bool carried = event_carries((EventKind)event->kind, (EventNumber)k);
        if (!isfinite(value) || (!carried && value != 0.0)) {
            return status_fail(status, STATUS_BAD_FILE, "%s: read %g of %s, allowed %s", event_numbers[k].name, value,
                               names[event->kind].name, carried ? "a finite number" : "0");
        }
    }
    return true;
}

bool event_check(const ExerciseEvent *event, const SceneExercise *exercise, Status *status)
{
    if (event->kind < 0 || event->kind >= EVENT_KIND_COUNT) {
        return status_fail(status, STATUS_BAD_FILE, "kind: read %d, allowed 0..%d", (int)event->kind,
                           EVENT_KIND_COUNT - 1);
    }
    int forms = event_form_count((EventKind)event->kind);
    if (event->form < 0 || event->form >= forms) {
        return status_fail(status, STATUS_BAD_FILE, "form: read %d of %s, allowed 0..%d", (int)event->form,
                           names[event->kind].name, forms - 1);
    }
    if (memchr(event->text, '\0', sizeof event->text) == NULL) {
        return status_fail(status, STATUS_BAD_FILE, "text: read more than %d bytes", EVENT_TYPED - 1);
    }
    return check_thing("part", &event->part, exercise, status) &&
           check_thing("thing", &event->thing, exercise, status) && check_numbers(event, status);
}

/// ---- sentences -----------------------------------------------------------------------------------------------------
///
/// Puts things, numbers and words of a scene into the places of a template.

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
    if (thing->kind == THING_FINDING && index < scene->walk_round.things_count) {
        return scene->walk_round.things[index].name;
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
static void fill_template(Writer *writer, const char *pattern, const Filling *filling)
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

static Writer start_text(char text[EVENT_TEXT])
{
    text[0] = '\0';
    return (Writer){text, 0};
}

void event_thing_text(const EventThing *thing, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = start_text(text);
    const char *pattern = thing_texts[thing->kind];
    if (thing->kind == THING_INCIDENT) {
        write_text(&writer, incident_names[thing->index]);
    } else if (pattern != NULL) {
        fill_template(&writer, reader_text(reader, pattern), &(Filling){.thing = thing, .reader = reader});
    } else {
        write_text(&writer, name_of(thing, reader));
    }
}

void event_title(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = start_text(text);
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
    Writer writer = start_text(text);
    Filling filling = {.event = event, .thing = &event->thing, .reader = reader, .scene = scene};
    const char *pattern = event_form((EventKind)event->kind, event->form)->text;
    fill_template(&writer, reader_text(reader, pattern), &filling);
    if (words_of(&filling)[0] == '\0' && event->text[0] == '\0') {
        end_without_words(text);
    }
}

void event_points(const ExerciseEvent *event, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = start_text(text);
    if (event->number.points != 0.0) {
        write_text(&writer, number_of(event, EVENT_NUMBER_points, reader).text);
    }
}

void event_line(const ExerciseEvent *event, const TextReader *reader, const SceneExercise *scene, char text[EVENT_TEXT])
{
    char title[EVENT_TEXT], what[EVENT_TEXT];
    Writer writer = start_text(text);
    event_title(event, reader, title);
    event_text(event, reader, scene, what);
    bool points = event->kind == EVENT_POINTS; // they say themselves what they are
    write_text(&writer, points ? "" : title);
    write_text(&writer, points || what[0] == '\0' ? "" : ": ");
    write_text(&writer, what);
    if (!points && fabs(event->number.points) >= 0.05) {
        fill_template(&writer, reader_text(reader, TEXT(" ({points} points)")),
                      &(Filling){.event = event, .thing = &event->thing, .reader = reader});
    }
}

void event_rule_text(const SceneRule *rule, const TextReader *reader, char text[EVENT_TEXT])
{
    Writer writer = start_text(text);
    write_text(&writer, reader_text(reader, incident_phrases[rule->incident]));
    if (rule->thing[0] != '\0') {
        write_text(&writer, " (");
        bool kind = event_thing_named(rule->thing) < THING_KIND_COUNT; // "truck", else a scene's name for something
        write_text(&writer, kind ? reader_text(reader, rule->thing) : reader_name(reader, rule->thing));
        write_text(&writer, ")");
    }
}
