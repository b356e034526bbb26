/// Orders of the page, or of a classroom, become what a drive can do; how the drive stands becomes what both show.
/// Nothing of it enters the state: time stands still between two ticks, and what is said goes into the recording beside
/// the events of the exercise.
#include "trainer/instructor/instructor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "data/core/signals/signals.h"
#include "data/load.h"
#include "data/language/language.h"
#include "trainer/console/console_state.h"
#include "trainer/instructor/choices.h"
#include "trainer/instructor/debrief.h"
#include "trainer/instructor/way_back.h"
#include "trainer/link/link.h"
#include "trainer/session/orders/session_order.h"
#include "trainer/station/station.h"

#define STATE_EVERY  0.1 ///< s between two states
#define GROUND_EVERY 1.0 ///< s between two maps of the ground
#define WAIT_STEP    0.05 ///< s between two looks at the orders while nobody drives. Chosen

enum { MOST_NOTES = 200, MOST_SCENES = 512 }; ///< events in one recording, which has room for so many; of the list

struct Instructor {
    Console *console; ///< NULL: there is no page
    Link *link; ///< NULL: there is no classroom
    bool begun; ///< the link knows of the drive
    DriveGuide guide;
    ConsoleView *view; ///< of the session that is driven; NULL: none yet
    int restarts; ///< of the drive, that the view is of
    bool frozen;
    int notes; ///< events in the present recording
    double stated, mapped; ///< drive_clock, of the last state and the last map
    double looked; ///< drive_clock, of the last look at how the link stands
    struct {
        double time; ///< s of the session
        const char *command;
        char text[CONSOLE_TEXT];
    } orders[CONSOLE_ORDERS]; ///< the newest last
    int order_count;
    WayBack back;
    char recorded[DATA_PATH_LENGTH]; ///< recording of the last drive that has ended; "" = none
    char debrief[64]; ///< path of its debrief on the page; "" = none
    InstructorWish wish;
    const char *results; ///< of the options; NULL: the user's own
    char station[STATION_NAME];
};

/// ---- orders --------------------------------------------------------------------------------------------------------

/// Keeps an order for the page.
static void remember_words(Instructor *self, double time, const char *command, const char *text)
{
    if (self->order_count == CONSOLE_ORDERS) {
        memmove(&self->orders[0], &self->orders[1], sizeof self->orders - sizeof self->orders[0]);
        self->order_count--;
    }
    int place = self->order_count++;
    self->orders[place].time = time;
    self->orders[place].command = command;
    snprintf(self->orders[place].text, sizeof self->orders[place].text, "%.90s", text);
}

/// What an order says beside its name.
static void write_words(const ConsoleCommand *command, char text[CONSOLE_TEXT])
{
    snprintf(text, CONSOLE_TEXT, "%s", command->kind == CONSOLE_LOAD ? command->name : command->text);
    if (command->kind == CONSOLE_RETURN || command->kind == CONSOLE_REWIND) {
        snprintf(text, CONSOLE_TEXT, "%g", command->value);
    } else if (command->kind == CONSOLE_FAULT) {
        snprintf(text, CONSOLE_TEXT, "%.30s%s%.30s %g", command->name, command->part[0] != '\0' ? " " : "",
                 command->part, command->value);
    }
}

static void remember(Instructor *self, double time, const ConsoleCommand *command)
{
    char text[CONSOLE_TEXT];
    write_words(command, text);
    remember_words(self, time, console_command_names[command->kind], text);
}

void instructor_tell_failure(Instructor *instructor, const char *text)
{
    remember_words(instructor, 0.0, "failed", text);
}

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

static void note(Instructor *self, Drive *drive, const char *kind, const char *detail)
{
    if (self->notes++ < MOST_NOTES) {
        drive_note(drive, kind, detail);
    } else if (self->notes == MOST_NOTES + 1) {
        fprintf(stderr, "spadework: console: the recording has taken %d notes, and takes no more\n", MOST_NOTES);
    }
}

static void freeze(Instructor *self, Drive *drive, bool frozen)
{
    if (self->frozen != frozen) {
        self->frozen = frozen;
        note(self, drive, "freeze", frozen ? "by the instructor" : "over, by the instructor");
        drive_forget_time(drive);
    }
}

static bool begin_again(Instructor *self, Drive *drive, Status *status)
{
    char before[DATA_PATH_LENGTH];
    snprintf(before, sizeof before, "%s", drive->recorder != NULL ? drive->record : "");
    self->frozen = false;
    self->notes = 0;
    self->begun = false;
    bool good = drive_restart(drive, status);
    if (good && before[0] != '\0') {
        fprintf(stderr, "spadework: recorded %s\n", before);
    }
    return good;
}

/// A way back that there is not is told on the page; false only when the drive cannot go on.
static bool go_back(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal, Status *status)
{
    char before[DATA_PATH_LENGTH];
    snprintf(before, sizeof before, "%s", drive->record);
    DriveReturn went = command->kind == CONSOLE_RETURN ? way_back_return(&self->back, drive, command->value, status)
                                                       : drive_return(drive, NULL, command->value, status);
    if (went == DRIVE_REFUSED) {
        *refusal = *status;
        status_good(status);
        remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    } else if (went == DRIVE_WENT_BACK) {
        self->notes = 0;
        self->begun = false;
        fprintf(stderr, "spadework: recorded %s\n", before);
    }
    return went != DRIVE_FAILED;
}

static void take_snapshot(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal)
{
    char detail[CONSOLE_TEXT];
    if (way_back_keep(&self->back, drive, command->text, detail, refusal)) {
        note(self, drive, "mark", detail);
    } else {
        remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    }
}

static void end(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command)
{
    drive->dismissed = true;
    round->leaves = true;
    self->wish.ends = command->kind == CONSOLE_END;
    snprintf(self->wish.scene, sizeof self->wish.scene, "%s", command->name);
    snprintf(self->wish.trainee, sizeof self->wish.trainee, "%s", command->text);
    snprintf(self->wish.course, sizeof self->wish.course, "%s", command->part);
}

/// What cannot be ordered here is told on the page, and answered.
static void order_fault(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal)
{
    const SceneParams *scene = session_scene(drive->session);
    const MachineParams *machine = session_machine_params(drive->session);
    SessionFault fault = session_fault_named(command->name);
    if (fault == SESSION_FAULT_COUNT) {
        status_fail(refusal, STATUS_BAD_USAGE, "fault %s: there is none of that name", command->name);
    } else if (drive_order(drive,
                           &(SessionOrder){.fault = fault,
                                           .part = session_order_part_named(fault, command->part, scene, machine),
                                           .value = command->value},
                           refusal)) {
        return;
    }
    remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
}

/// False: the drive fails with `status`. refusal  why an order could not be obeyed; left alone where it was
static bool obey(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command, Status *refusal,
                 Status *status)
{
    remember(self, session_frame(drive->session)->time, command);
    switch (command->kind) {
    case CONSOLE_FREEZE:
    case CONSOLE_CONTINUE:
        freeze(self, drive, command->kind == CONSOLE_FREEZE);
        break;
    case CONSOLE_MARK:
        note(self, drive, "mark", command->text);
        break;
    case CONSOLE_MESSAGE:
        note(self, drive, "message", command->text);
        drive_tell(drive, command->text);
        break;
    case CONSOLE_RESTART:
        return begin_again(self, drive, status);
    case CONSOLE_SNAPSHOT:
        take_snapshot(self, drive, command, refusal);
        break;
    case CONSOLE_RETURN:
    case CONSOLE_REWIND:
        return go_back(self, drive, command, refusal, status);
    case CONSOLE_END:
    case CONSOLE_LOAD:
        end(self, drive, round, command);
        break;
    case CONSOLE_FAULT:
        order_fault(self, drive, command, refusal);
        break;
    case CONSOLE_COMMAND_COUNT:
        break;
    }
    return true;
}

/// An order, and where it came from.
typedef struct Taken {
    LinkCommand command;
    bool from_link; ///< which waits for an answer
} Taken;

static bool take_next(Instructor *self, Taken *taken)
{
    taken->from_link = false;
    if (self->console != NULL && console_next(self->console, &taken->command.order)) {
        return true;
    }
    taken->from_link = self->link != NULL && link_next(self->link, &taken->command);
    return taken->from_link;
}

/// Answers, where somebody waits for it. error  NULL: it was taken
static void answer(Instructor *self, const Taken *taken, const char *error)
{
    if (taken->from_link) {
        link_answer(self->link, &taken->command, error);
    }
}

/// ---- what the page shows -------------------------------------------------------------------------------------------

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static ConsoleNotes take_notes(const Instructor *self, const Drive *drive, const char *phase)
{
    const char *name = self->station[0] == '\0' && self->link != NULL ? link_station(self->link) : self->station;
    ConsoleNotes notes = {.phase = phase, .station = name, .debrief = self->debrief, .order_count = self->order_count};
    for (int k = 0; k < self->order_count; k++) {
        notes.orders[k] = (ConsoleOrder){self->orders[k].time, self->orders[k].command, self->orders[k].text};
    }
    way_back_tell(&self->back, &notes);
    if (drive != NULL) {
        notes.trainee = drive->params.options->trainee;
        notes.driver = drive->driver.name;
        notes.recording = drive->recorder != NULL ? base_name(drive->record) : NULL;
        notes.real_time = drive->real_time;
    }
    return notes;
}

/// The ticket in the address of the debrief is for who sees the page alone.
static void hide_ticket(const Instructor *self, char *text)
{
    char *found = self->debrief[0] != '\0' ? strstr(text, console_ticket(self->console)) : NULL;
    if (found != NULL) {
        memset(found, '0', strlen(console_ticket(self->console)));
    }
}

static void hand_over(const Instructor *self, ConsoleChannel channel, char *text, size_t size)
{
    bool viewed = channel == CONSOLE_STATE || channel == CONSOLE_GROUND;
    if (text != NULL && self->console != NULL) {
        console_publish(self->console, channel, text, size);
    }
    if (text != NULL && viewed && self->link != NULL && link_is_watched(self->link)) {
        hide_ticket(self, text);
        link_view(self->link, channel == CONSOLE_GROUND, text, size);
    }
    free(text);
}

/// Somebody sees the page, or looks closer from the classroom.
static bool is_seen(const Instructor *self)
{
    return self->console != NULL || (self->link != NULL && link_is_watched(self->link));
}

/// The view keeps the ground of the drive's beginning; a session that takes another's place is shown at once.
static void look_anew(Instructor *self, Drive *drive)
{
    if (self->view == NULL) {
        self->view = console_view_create(drive->session);
    }
    if (self->restarts != drive->restarts) {
        self->restarts = drive->restarts;
        self->stated = self->mapped = 0.0;
    }
}

static void show_page(Instructor *self, Drive *drive, const char *phase, bool last)
{
    double now = drive_clock();
    size_t size;
    look_anew(self, drive);
    if (self->view != NULL && is_seen(self) && (last || now - self->mapped >= GROUND_EVERY)) {
        self->mapped = now;
        char *text = console_view_ground(self->view, drive->session, &size);
        hand_over(self, CONSOLE_GROUND, text, size);
    }
    if (self->view != NULL && is_seen(self) && (last || now - self->stated >= STATE_EVERY)) {
        self->stated = now;
        ConsoleNotes notes = take_notes(self, drive, phase);
        char *text = console_view_state(self->view, drive->session, &notes, &size);
        hand_over(self, CONSOLE_STATE, text, size);
    }
}

/// Tells who drives, and the recording, when the classroom goes away and comes back.
static void tell_change(Instructor *self, Drive *drive)
{
    bool connected;
    double now = drive_clock();
    if (now - self->looked < STATE_EVERY) {
        return;
    }
    self->looked = now;
    if (link_changed(self->link, &connected)) {
        drive_tell(drive, connected ? language_text("connected again") : language_text("not connected"));
        note(self, drive, "broker", connected ? "back" : "away");
    }
}

static void show(Instructor *self, Drive *drive, bool last)
{
    const char *phase = last ? "over" : self->frozen ? "frozen" : "driving";
    show_page(self, drive, phase, last);
    if (self->link != NULL) {
        link_show(self->link, drive->session, &(LinkNotes){phase, drive->params.options->trainee, drive->real_time},
                  last);
        tell_change(self, drive);
    }
}

/// ---- the guide -----------------------------------------------------------------------------------------------------

/// Before its first tick a drive is made known.
static void begin_link(Instructor *self, const Drive *drive)
{
    if (self->link != NULL && !self->begun) {
        link_begin(self->link, drive->session);
    }
    self->begun = true;
}

/// Obeys, answers, and tells the classroom what was obeyed, as an event of the drive in which it was ordered; a fault
/// is an event of the exercise. False: the drive fails with `status`.
static bool obey_and_tell(Instructor *self, Drive *drive, DriveRound *round, const Taken *taken, Status *status)
{
    char words[CONSOLE_TEXT];
    const ConsoleCommand *order = &taken->command.order;
    double time = session_frame(drive->session)->time;
    Status refusal = {STATUS_GOOD, ""};
    bool good = obey(self, drive, round, order, &refusal, status), obeyed = good && refusal.code == STATUS_GOOD;
    answer(self, taken, obeyed ? NULL : good ? refusal.text : status->text);
    if (obeyed && self->link != NULL && order->kind != CONSOLE_FAULT) {
        write_words(order, words);
        link_tell(self->link, time, console_command_names[order->kind], words);
    }
    begin_link(self, drive);
    return good;
}

static bool before(void *context, Drive *drive, DriveRound *round, Status *status)
{
    Instructor *self = context;
    Taken taken;
    bool good = true;
    begin_link(self, drive);
    while (good && !round->leaves && take_next(self, &taken)) {
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
    show(self, drive, last);
    if (last) { // the next drive is another session
        snprintf(self->recorded, sizeof self->recorded, "%s", drive->recorder != NULL ? drive->record : "");
        console_view_destroy(self->view);
        self->view = NULL;
        self->frozen = false;
        self->notes = 0;
        self->restarts = 0;
        self->back.count = 0;
        self->begun = false;
    }
}

const DriveGuide *instructor_guide(Instructor *instructor)
{
    return instructor != NULL ? &instructor->guide : NULL;
}

/// ---- between drives ------------------------------------------------------------------------------------------------

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
        ConsoleNotes notes = take_notes(self, NULL, "waiting");
        char *text = console_waiting_state(&notes, &size);
        hand_over(self, CONSOLE_STATE, text, size);
    }
}

/// What is ordered while nobody drives.
static void obey_waiting(Instructor *self, const Taken *taken, InstructorWish *wish)
{
    const ConsoleCommand *order = &taken->command.order;
    bool loads = order->kind == CONSOLE_LOAD;
    wish->ends = order->kind == CONSOLE_END;
    if (loads) {
        snprintf(wish->scene, sizeof wish->scene, "%s", order->name);
        snprintf(wish->trainee, sizeof wish->trainee, "%s", order->text);
        snprintf(wish->course, sizeof wish->course, "%s", order->part);
    }
    remember(self, 0.0, order);
    answer(self, taken, loads || wish->ends ? NULL : "nobody drives; allowed are load and end");
}

/// Who has driven is among the trainees from then on.
static void publish_choices(const Instructor *self)
{
    if (self->console != NULL) {
        size_t size;
        char *text = choices_text(self->results, &size);
        hand_over(self, CONSOLE_CHOICES, text, size);
    }
}

InstructorWish instructor_wait(Instructor *instructor)
{
    InstructorWish wish = {0};
    Taken taken;
    publish_choices(instructor);
    if (instructor->link != NULL) {
        link_wait(instructor->link);
    }
    while (!wish.ends && wish.scene[0] == '\0') {
        show_waiting(instructor);
        nanosleep(&(struct timespec){0, (long)(WAIT_STEP * 1e9)}, NULL);
        wish.ends = signals_stop_asked();
        if (!wish.ends && take_next(instructor, &taken)) {
            obey_waiting(instructor, &taken, &wish);
        }
    }
    return wish;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Tells the page which scenes there are. One that cannot be read has its fault as its title.
static void publish_scenes(Instructor *self, const DataListEntry *entries, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", entries[k].name, "title", entries[k].title));
    }
    char *text = json_dumps(list, JSON_COMPACT);
    hand_over(self, CONSOLE_SCENES, text, text != NULL ? strlen(text) : 0);
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
        scenes[k] = (LinkScene){entries[k].name, entries[k].title};
    }
    bool fits = link_station_is_one(self->station);
    self->link = link_open(&(LinkParams){.url = options->broker,
                                         .password_file = options->broker_password_file,
                                         .ca_file = options->broker_ca,
                                         .station = options->station != NULL ? options->station
                                                    : fits                   ? self->station
                                                                             : NULL,
                                         .takes_scenes = serves,
                                         .scenes = scenes,
                                         .scene_count = scenes != NULL ? count : 0},
                           status);
    free(scenes);
    if (self->link != NULL) {
        fprintf(stderr, "spadework: in the classroom this station is %s\n", link_station(self->link));
    }
    return self->link != NULL;
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
    self->guide = (DriveGuide){self, before, after};
    self->results = options->results;
    if (!start(self, options, serves, status)) {
        instructor_close(self);
        return NULL;
    }
    if (self->console != NULL) {
        fprintf(stderr, "spadework: the instructor's console: %s\n", console_url(self->console));
    }
    return self;
}

void instructor_close(Instructor *instructor)
{
    if (instructor != NULL) {
        link_close(instructor->link);
        console_stop(instructor->console);
        console_view_destroy(instructor->view);
        free(instructor);
    }
}
