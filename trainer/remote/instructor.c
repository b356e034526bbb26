/// Orders of the page, or of a classroom, become what a drive can do; how the drive stands becomes what both show.
/// Nothing of it enters the state: time stands still between two ticks, and what is said goes into the recording beside
/// the events of the exercise.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "data/core/signals.h"
#include "data/core/language.h"
#include "data/schema/load.h"
#include "trainer/remote/debrief.h"
#include "trainer/remote/instructor_internal.h"

#define PICTURE_EVERY 1.0 ///< s between two pictures of what the operator sees. Chosen
#define WAIT_STEP     0.05 ///< s between two looks at the orders while nobody drives. Chosen

enum { MOST_SCENES = 512 }; ///< of the list

/// ---- the guide -----------------------------------------------------------------------------------------------------

/// Before its first tick a drive is made known.
static void begin_link(Instructor *self, const Drive *drive)
{
    if (self->link != NULL && !self->begun) {
        link_begin(self->link, drive->session);
    }
    self->begun = true;
}

/// Answers an order; a `load` that was taken is answered later, when its drive begins or fails.
static void answer_or_keep(Instructor *self, const Taken *taken, const char *error)
{
    if (error == NULL && taken->command.order.kind == CONSOLE_LOAD) {
        instructor_keep_load(self, taken);
    } else {
        instructor_answer(self, taken, error);
    }
}

/// Obeys, answers, and tells the classroom what was obeyed, as an event of the drive in which it was ordered; a fault
/// is an event of the exercise. False: the drive fails with `status`.
static bool obey_and_tell(Instructor *self, Drive *drive, DriveRound *round, const Taken *taken, Status *status)
{
    const ConsoleCommand *order = &taken->command.order;
    double time = session_frame(drive->session)->time;
    Status refusal = {STATUS_GOOD, ""};
    bool good = instructor_obey(self, drive, round, order, &refusal, status),
         obeyed = good && refusal.code == STATUS_GOOD;
    answer_or_keep(self, taken, obeyed ? NULL : good ? refusal.text : status->text);
    if (obeyed && self->link != NULL && order->kind != CONSOLE_FAULT) {
        ExerciseEvent event = instructor_event(order);
        link_tell(self->link, time, &event);
    }
    begin_link(self, drive);
    return good;
}

static bool before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    Instructor *self = context;
    Taken taken;
    bool good = true;
    if (self->over) {
        self->over = false;
        console_view_destroy(self->view);
        self->view = NULL;
    }
    begin_link(self, drive);
    if (self->loads && !round->leaves) { // this is its drive
        instructor_answer_load(self, NULL);
        if (self->load.command.order.value > 0.0) {
            instructor_freeze(self, drive, true);
        }
    }
    while (good && !round->leaves && instructor_take(self, &taken)) {
        good = obey_and_tell(self, drive, round, &taken, status);
    }
    if (!good) {
        return false;
    }
    round->holds |= self->frozen;
    return true;
}

static void after(void *context, Drive *drive, bool last)
{
    Instructor *self = context;
    instructor_show(self, drive, last);
    if (last) { // the next drive is another session
        snprintf(self->recorded, sizeof self->recorded, "%s", drive->recorder != NULL ? drive->record : "");
        self->over = true;
        self->frozen = false;
        self->notes = 0;
        self->restarts = 0;
        self->back.count = 0;
        self->begun = false;
    }
}

/// While the page after a drive is open, what ends it is obeyed.
static bool follows(void *context, const Drive *drive)
{
    static const char refusal[] = "the operator reads the page after the drive; allowed are end and load";
    Instructor *self = context;
    Taken taken;
    bool leaves = false;
    while (!leaves && instructor_take(self, &taken)) {
        leaves = instructor_wishes(&taken.command.order, &self->wish);
        instructor_remember(self, session_frame(drive->session)->time, &taken.command.order);
        if (!leaves) {
            instructor_tell_failure(self, refusal);
        }
        answer_or_keep(self, &taken, leaves ? NULL : refusal);
    }
    instructor_show_after(self, drive);
    return leaves;
}

/// Somebody looks, and the last picture is old enough.
static bool wants_picture(void *context)
{
    Instructor *self = context;
    double now = drive_clock();
    if (self->console == NULL || now - self->pictured < PICTURE_EVERY ||
        !console_is_wanted(self->console, CONSOLE_PICTURE)) {
        return false;
    }
    self->pictured = now;
    return true;
}

static void take_picture(void *context, const unsigned char *png, size_t size)
{
    Instructor *self = context;
    console_offer(self->console, CONSOLE_PICTURE, (const char *)png, size);
}

const DriveGuide *instructor_guide(Instructor *instructor)
{
    return instructor != NULL ? &instructor->guide : NULL;
}

/// ---- between drives ------------------------------------------------------------------------------------------------

void instructor_offer_debrief(Instructor *instructor)
{
    Status status;
    size_t size = 0;
    instructor->debrief[0] = '\0';
    if (instructor->recorded[0] == '\0' || instructor->console == NULL) {
        return;
    }
    char *bytes = debrief_make(instructor->recorded, &size, &status);
    console_offer(instructor->console, CONSOLE_DEBRIEF, bytes, size);
    if (bytes != NULL) {
        snprintf(instructor->debrief, sizeof instructor->debrief, "offered/%s/debrief",
                 console_ticket(instructor->console));
    } else {
        instructor_tell_failure(instructor, status.text);
    }
    free(bytes);
    instructor->recorded[0] = '\0';
}

InstructorWish instructor_wish(Instructor *instructor)
{
    InstructorWish wish = instructor->wish;
    instructor->wish = (InstructorWish){0};
    return wish;
}

static void show_waiting(Instructor *self)
{
    double now = drive_clock();
    if (now - self->stated >= STATE_EVERY) {
        self->stated = now;
        size_t size;
        ConsoleNotes notes = instructor_notes(self, NULL, "waiting");
        char *text = console_waiting_state(&notes, &size);
        instructor_hand_over(self, CONSOLE_STATE, text, size);
    }
}

/// Obeys `load` while nobody drives and refuses all else. In particular `end`, which may arrive twice or just after the
/// drive has ended, does not close the station.
static void obey_waiting(Instructor *self, const Taken *taken, InstructorWish *wish)
{
    static const char refusal[] = "nobody drives here; allowed is load";
    const ConsoleCommand *order = &taken->command.order;
    bool loads = order->kind == CONSOLE_LOAD;
    instructor_remember(self, 0.0, order);
    if (loads) {
        instructor_wishes(order, wish);
    } else {
        instructor_tell_failure(self, refusal);
    }
    answer_or_keep(self, taken, loads ? NULL : refusal);
}

/// Who has driven is among the trainees once they have been read anew.
static void publish_choices(const Instructor *self)
{
    size_t size;
    char *text = choices_take(self->choices, &size);
    instructor_hand_over(self, CONSOLE_CHOICES, text, size);
}

InstructorWish instructor_wait(Instructor *instructor)
{
    InstructorWish wish = {0};
    Taken taken;
    instructor_answer_load(instructor, "the drive was left before it began");
    choices_ask(instructor->choices);
    if (instructor->link != NULL) {
        link_wait(instructor->link);
    }
    while (!wish.ends && wish.scene[0] == '\0') {
        show_waiting(instructor);
        publish_choices(instructor);
        nanosleep(&(struct timespec){0, (long)(WAIT_STEP * 1e9)}, NULL);
        wish.ends = signals_stop_asked();
        if (!wish.ends && instructor_take(instructor, &taken)) {
            obey_waiting(instructor, &taken, &wish);
        }
    }
    return wish;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Tells the page which scenes there are, in the words of who reads. One that cannot be read has its fault as its
/// title.
static void publish_scenes(Instructor *self, const DataListEntry *entries, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", entries[k].name, "title", language_text(entries[k].title)));
    }
    char *text = json_dumps(list, JSON_COMPACT);
    instructor_hand_over(self, CONSOLE_SCENES, text, text != NULL ? strlen(text) : 0);
    json_decref(list);
}

static bool open_console(Instructor *self, const RunOptions *options, bool serves, Status *status)
{
    self->console = console_start(&(ConsoleParams){.address = options->console_address,
                                                   .port = options->console_port,
                                                   .token = options->console_token,
                                                   .takes_faults = true,
                                                   .takes_scenes = serves},
                                  status);
    return self->console != NULL;
}

/// A station is called as the options say, or by its key's name.
static bool open_link(Instructor *self, const RunOptions *options, const DataListEntry *entries, int count, bool serves,
                      Status *status)
{
    LinkScene *scenes = calloc((size_t)count + 1, sizeof *scenes);
    for (int k = 0; scenes != NULL && k < count; k++) {
        scenes[k] = (LinkScene){entries[k].name, language_text(entries[k].title)};
    }
    char *courses = serves ? choices_courses() : NULL;
    bool fits = link_station_is_one(self->station);
    self->link = link_open(&(LinkParams){.url = options->broker,
                                         .password_file = options->broker_password_file,
                                         .ca_file = options->broker_ca,
                                         .station = options->station != NULL ? options->station
                                                    : fits                   ? self->station
                                                                             : NULL,
                                         .takes_scenes = serves,
                                         .scenes = scenes,
                                         .scene_count = scenes != NULL ? count : 0,
                                         .courses = courses},
                           status);
    free(courses);
    free(scenes);
    if (self->link == NULL || !link_settle(self->link, status)) { // nothing is driven yet that could be lost
        return false;
    }
    fprintf(stderr, "spadework: in the classroom this station is %s\n", link_station(self->link));
    return true;
}

static bool start(Instructor *self, const RunOptions *options, bool serves, Status *status)
{
    Status unused;
    DataListEntry *entries = serves ? calloc(MOST_SCENES, sizeof *entries) : NULL;
    int count = entries != NULL ? data_list("scenes", entries, MOST_SCENES, &unused) : 0;
    count = count < 0 ? 0 : count < MOST_SCENES ? count : MOST_SCENES;
    bool good = (!options->has_console || open_console(self, options, serves, status)) &&
                (options->broker == NULL || open_link(self, options, entries, count, serves, status));
    if (good && serves) {
        publish_scenes(self, entries, count);
    }
    free(entries);
    return good;
}

Instructor *instructor_open(const RunOptions *options, bool serves, Status *status)
{
    Instructor *self = calloc(1, sizeof *self);
    if (self == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the console");
        return NULL;
    }
    Station station;
    Status unused;
    if (station_load(&station, &unused)) {
        snprintf(self->station, sizeof self->station, "%s", station.name);
    }
    station_forget(&station);
    self->linked = true;
    self->guide = (DriveGuide){self, before, after, follows, wants_picture, take_picture};
    if (!start(self, options, serves, status)) {
        instructor_close(self);
        return NULL;
    }
    if (self->console != NULL) {
        self->choices = serves ? choices_open(options->results) : NULL;
        snprintf(self->picture, sizeof self->picture, "offered/%s/picture", console_ticket(self->console));
        fprintf(stderr, "spadework: the instructor's console: %s\n", console_url(self->console));
    }
    return self;
}

void instructor_close(Instructor *instructor)
{
    if (instructor != NULL) {
        instructor_answer_load(instructor, "the station was closed");
        choices_close(instructor->choices);
        link_close(instructor->link);
        console_stop(instructor->console);
        console_view_destroy(instructor->view);
        free(instructor);
    }
}
