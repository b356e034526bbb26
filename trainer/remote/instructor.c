/// Orders of the page, or of a classroom, become what a drive can do; the state of the drive becomes what both show.
///
/// Nothing of it enters the simulated state: time stands still between two ticks, and orders go into the recording
/// beside the events of the exercise.
#include "trainer/remote/instructor.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "data/core/language.h"
#include "data/core/system_files.h"
#include "data/core/signals.h"
#include "data/schema/schema.h"
#include "trainer/record/record.h"
#include "trainer/remote/console_json.h"
#include "trainer/remote/console_state.h"
#include "trainer/remote/link.h"
#include "trainer/report/report.h"
#include "trainer/results/results.h"

#define STATE_EVERY   0.1 ///< s between two states
#define GROUND_EVERY  1.0 ///< s between two maps of the ground
#define PICTURE_EVERY 1.0 ///< s between two pictures of what the operator sees. Chosen
#define WAIT_STEP     0.05 ///< s between two checks for orders while nobody drives. Chosen

enum { MOST_NOTES = 200 }; ///< events in one recording, which has room for so many
enum { MOST_SCENES = 512 }; ///< of the list
enum { DEBRIEF_MOST = 16 << 20 }; ///< bytes of a debrief

/// Snapshots: moments of one drive that the instructor can return to; zero: there are none yet.
typedef struct WayBack {
    int count;
    struct {
        double time; ///< s of the session
        char text[CONSOLE_TEXT]; ///< what it is called, or ""
        char recording[DATA_PATH_LENGTH]; ///< that holds it
    } snapshots[CONSOLE_SNAPSHOTS];
} WayBack;

enum { INSTRUCTOR_TEXT = 256 }; ///< bytes of what is said beside an order on the page: a reason may be long

/// An order, and where it came from.
typedef struct Taken {
    LinkCommand command;
    bool from_link; ///< which waits for an answer
} Taken;

struct Instructor {
    Console *console; ///< NULL: there is no page
    Link *link; ///< NULL: there is no classroom
    bool begun; ///< the link knows of the drive
    DriveGuide guide;
    ConsoleView *view; ///< of the session that is driven; NULL: none yet
    int restarts; ///< of the drive, that the view is of
    bool over; ///< that drive is
    bool frozen;
    int notes; ///< events in the present recording
    double stated, mapped; ///< drive_clock, of the last state and the last map
    double pictured; ///< drive_clock, when a picture was last asked for
    char picture[64]; ///< path of the picture on the page; "" = none
    bool linked; ///< the link is connected, as the recording has it
    double looked; ///< drive_clock, when the state of the link was last checked
    struct {
        double time; ///< s of the session
        const char *command;
        char text[INSTRUCTOR_TEXT];
        ConsoleCommand given; ///< the order
        bool is_fault;
    } orders[CONSOLE_ORDERS]; ///< the newest last
    int order_count;
    bool loads; ///< `load` was taken, and waits for what becomes of it
    Taken load;
    WayBack back;
    char recorded[DATA_PATH_LENGTH]; ///< recording of the last drive that has ended; "" = none
    char offered[DATA_PATH_LENGTH]; ///< recording that the debrief on the page is of
    char attempt[RESULT_UUID]; ///< of that drive; "" = none
    const char *results; ///< file of results, borrowed; NULL: the user's own
    char debrief[64]; ///< path of its debrief on the page; "" = none
    InstructorWish wish;
    Choices *choices; ///< NULL: there is no page that chooses
    char station[STATION_NAME];
};

/// ---- snapshots -----------------------------------------------------------------------------------------------------

/// Keeps the present moment: what is driven is recorded, so a snapshot is a place in a recording. False with `status`
/// (STATUS_BAD_USAGE): nothing is recorded, or there are CONSOLE_SNAPSHOTS already.
static bool add_snapshot(WayBack *back, const Drive *drive, const char *text, Status *status)
{
    if (drive->recorder == NULL) {
        return status_fail(status, STATUS_BAD_USAGE, "there is no snapshot: nothing is recorded");
    }
    if (back->count == CONSOLE_SNAPSHOTS) {
        return status_fail(status, STATUS_BAD_USAGE, "there are %d snapshots, which is all that there is room for",
                           CONSOLE_SNAPSHOTS);
    }
    int at = back->count++;
    back->snapshots[at].time = session_frame(drive->session)->time;
    snprintf(back->snapshots[at].text, sizeof back->snapshots[at].text, "%s", text);
    snprintf(back->snapshots[at].recording, sizeof back->snapshots[at].recording, "%s", drive->record);
    return true;
}

/// Goes back to a snapshot; number  from 1, as the page has it
static DriveReturn return_to_snapshot(const WayBack *back, Drive *drive, double number, Status *status)
{
    int at = (int)number - 1;
    if (number != (double)(at + 1) || at < 0 || at >= back->count) {
        status_fail(status, STATUS_BAD_USAGE, "snapshot %g: there are %d", number, back->count);
        return DRIVE_REFUSED;
    }
    return drive_return(drive, back->snapshots[at].recording, back->snapshots[at].time, status);
}

/// Lists the snapshots for the page.
static void list_snapshots(const WayBack *back, ConsoleNotes *notes)
{
    notes->snapshot_count = back->count;
    for (int k = 0; k < back->count; k++) {
        notes->snapshots[k] = (ConsoleSnapshot){.time = back->snapshots[k].time, .text = back->snapshots[k].text};
    }
}

/// ---- orders that are taken, answered and shown ---------------------------------------------------------------------

/// Takes the next order of the page or of the classroom; false: there is none.
static bool take_order(Instructor *self, Taken *taken)
{
    taken->from_link = false;
    if (self->console != NULL && console_next(self->console, &taken->command.order)) {
        return true;
    }
    taken->from_link = self->link != NULL && link_next(self->link, &taken->command);
    return taken->from_link;
}

/// Answers the classroom, where the order came from it. error  NULL: it was obeyed
static void answer_order(Instructor *self, const Taken *taken, const char *error)
{
    if (taken->from_link) {
        link_answer(self->link, &taken->command, error);
    }
}

/// Answers the load that was kept, if there is one. error  NULL: its drive has begun
static void answer_load(Instructor *self, const char *error)
{
    if (self->loads) {
        self->loads = false;
        answer_order(self, &self->load, error);
    }
}

/// Keeps a `load` that was taken: it is answered when its drive begins, or cannot.
static void keep_load(Instructor *self, const Taken *taken)
{
    answer_load(self, "another exercise was loaded after it");
    self->load = *taken;
    self->loads = true;
}

/// Answers an order; a `load` that was taken is answered later, when its drive begins or fails.
static void answer_or_keep(Instructor *self, const Taken *taken, const char *error)
{
    if (error == NULL && taken->command.order.kind == CONSOLE_LOAD) {
        keep_load(self, taken);
    } else {
        answer_order(self, taken, error);
    }
}

/// Puts words about an order among those that the page shows.
static void show_words(Instructor *self, double time, const char *command, const char *text)
{
    if (self->order_count == CONSOLE_ORDERS) {
        memmove(&self->orders[0], &self->orders[1], sizeof self->orders - sizeof self->orders[0]);
        self->order_count--;
    }
    int place = self->order_count++;
    self->orders[place].time = time;
    self->orders[place].command = command;
    self->orders[place].is_fault = false;
    status_copy_text(self->orders[place].text, sizeof self->orders[place].text, text);
}

/// Writes what an order says beside its name.
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

/// Puts an order among those that the page shows, in words.
static void show_order(Instructor *self, double time, const ConsoleCommand *command)
{
    char text[CONSOLE_TEXT];
    write_words(command, text);
    show_words(self, time, console_command_names[command->kind], text);
    self->orders[self->order_count - 1].given = *command;
    self->orders[self->order_count - 1].is_fault = command->kind == CONSOLE_FAULT;
}

void instructor_tell_failure(Instructor *instructor, const char *text)
{
    answer_load(instructor, text);
    show_words(instructor, 0.0, "failed", text);
}

/// ---- orders that are obeyed ----------------------------------------------------------------------------------------

static ExerciseEvent typed_event(EventKind kind, int form, const char *text)
{
    ExerciseEvent event = {.kind = (int32_t)kind, .form = form};
    snprintf(event.text, sizeof event.text, "%s", text);
    return event;
}

/// The event that the classroom gets of an order that was obeyed; not of a fault, which is one of the exercise.
static ExerciseEvent make_event(const ConsoleCommand *command)
{
    static const EventKind kinds[CONSOLE_COMMAND_COUNT] = {
        [CONSOLE_FREEZE] = EVENT_FREEZE,     [CONSOLE_CONTINUE] = EVENT_CONTINUE, [CONSOLE_MARK] = EVENT_MARK,
        [CONSOLE_MESSAGE] = EVENT_MESSAGE,   [CONSOLE_END] = EVENT_END,           [CONSOLE_RESTART] = EVENT_RESTART,
        [CONSOLE_SNAPSHOT] = EVENT_SNAPSHOT, [CONSOLE_RETURN] = EVENT_RETURN,     [CONSOLE_REWIND] = EVENT_REWIND,
        [CONSOLE_FAULT] = EVENT_FAULT,       [CONSOLE_LOAD] = EVENT_LOAD,         [CONSOLE_COMMENT] = EVENT_MARK,
        [CONSOLE_GRADE] = EVENT_MARK};
    assert(command->kind < CONSOLE_COMMAND_COUNT);
    bool loads = command->kind == CONSOLE_LOAD;
    ExerciseEvent event = typed_event(kinds[command->kind], 0, loads ? command->name : command->text);
    event.number.count = command->kind == CONSOLE_RETURN ? command->value : 0.0;
    event.number.duration = command->kind == CONSOLE_REWIND ? command->value : 0.0;
    return event;
}

/// Puts an event into the recording, while that has room for one.
static void note_event(Instructor *self, Drive *drive, const ExerciseEvent *event)
{
    if (self->notes++ < MOST_NOTES) {
        drive_note(drive, event);
    } else if (self->notes == MOST_NOTES + 1) {
        fprintf(stderr, "spadework: console: the recording has taken %d notes, and takes no more\n", MOST_NOTES);
    }
}

/// Holds the drive's time, or releases it, and writes that into the recording.
static void set_frozen(Instructor *self, Drive *drive, bool frozen)
{
    if (self->frozen != frozen) {
        self->frozen = frozen;
        ExerciseEvent event = {.kind = EVENT_FREEZE, .form = frozen ? EVENT_FREEZE_BEGINS : EVENT_FREEZE_ENDS};
        note_event(self, drive, &event);
        drive_forget_time(drive);
    }
}

static bool restart_drive(Instructor *self, Drive *drive, Status *status)
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

/// Returns to a snapshot or a moment. A refusal is shown on the page; false only when the drive cannot continue.
static bool go_back(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal, Status *status)
{
    char before[DATA_PATH_LENGTH];
    snprintf(before, sizeof before, "%s", drive->record);
    DriveReturn went = command->kind == CONSOLE_RETURN ? return_to_snapshot(&self->back, drive, command->value, status)
                                                       : drive_return(drive, NULL, command->value, status);
    if (went == DRIVE_REFUSED) {
        *refusal = *status;
        status_good(status);
        show_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    } else if (went == DRIVE_WENT_BACK) {
        self->notes = 0;
        self->begun = false;
        fprintf(stderr, "spadework: recorded %s\n", before);
    }
    return went != DRIVE_FAILED;
}

static void take_snapshot(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal)
{
    if (add_snapshot(&self->back, drive, command->text, refusal)) {
        ExerciseEvent event = typed_event(EVENT_MARK, EVENT_MARK_SNAPSHOT, command->text);
        event.number.count = self->back.count;
        note_event(self, drive, &event);
    } else {
        show_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    }
}

/// What the order wants done once nobody drives any more; false: it is none of those.
static bool read_wish(const ConsoleCommand *command, InstructorWish *wish)
{
    bool loads = command->kind == CONSOLE_LOAD;
    wish->ends = command->kind == CONSOLE_END;
    snprintf(wish->scene, sizeof wish->scene, "%s", loads ? command->name : "");
    snprintf(wish->trainee, sizeof wish->trainee, "%s", loads ? command->text : "");
    snprintf(wish->course, sizeof wish->course, "%s", loads ? command->part : "");
    wish->conditions = loads ? command->conditions : (Conditions){.name = {""}};
    return wish->ends || loads;
}

static void end_drive(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command)
{
    drive->dismissed = true;
    round->leaves = true;
    read_wish(command, &self->wish);
}

/// Orders a fault; a refusal is shown on the page.
static void order_fault(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal)
{
    const SceneParams *scene = session_scene(drive->session);
    const MachineParams *machine = session_machine_params(drive->session);
    SessionFault fault = session_fault_named(command->name);
    if (fault == SESSION_FAULT_COUNT) {
        status_fail(refusal, STATUS_BAD_USAGE, "fault %s: there is none of that name", command->name);
    } else if (drive_order(drive,
                           &(SessionOrder){.fault = (int32_t)fault,
                                           .part = session_order_part_named(fault, command->part, scene, machine),
                                           .value = command->value},
                           refusal)) {
        return;
    }
    show_words(self, session_frame(drive->session)->time, "failed", refusal->text);
}

/// False: the drive fails with `status`. refusal  why an order could not be obeyed; left alone where it was
static bool obey_order(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command,
                       Status *refusal, Status *status)
{
    ExerciseEvent typed;
    show_order(self, session_frame(drive->session)->time, command);
    switch (command->kind) {
    case CONSOLE_FREEZE:
    case CONSOLE_CONTINUE:
        set_frozen(self, drive, command->kind == CONSOLE_FREEZE);
        break;
    case CONSOLE_MARK:
        typed = typed_event(EVENT_MARK, EVENT_MARK_NOTE, command->text);
        note_event(self, drive, &typed);
        break;
    case CONSOLE_MESSAGE:
        typed = typed_event(EVENT_MESSAGE, 0, command->text);
        note_event(self, drive, &typed);
        drive_tell(drive, command->text);
        break;
    case CONSOLE_RESTART:
        return restart_drive(self, drive, status);
    case CONSOLE_SNAPSHOT:
        take_snapshot(self, drive, command, refusal);
        break;
    case CONSOLE_RETURN:
    case CONSOLE_REWIND:
        return go_back(self, drive, command, refusal, status);
    case CONSOLE_END:
    case CONSOLE_LOAD:
        end_drive(self, drive, round, command);
        break;
    case CONSOLE_FAULT:
        order_fault(self, drive, command, refusal);
        break;
    case CONSOLE_COMMENT:
    case CONSOLE_GRADE:
        status_fail(refusal, STATUS_BAD_USAGE, "%s: allowed once the drive is over and its page is left",
                    console_command_names[command->kind]);
        show_words(self, session_frame(drive->session)->time, "failed", refusal->text);
        break;
    case CONSOLE_COMMAND_COUNT:
        break;
    }
    return true;
}

/// ---- what is shown -------------------------------------------------------------------------------------------------

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// drive  NULL: nobody drives
static ConsoleNotes make_notes(const Instructor *self, const Drive *drive, const char *phase)
{
    const char *name = self->station[0] == '\0' && self->link != NULL ? link_station(self->link) : self->station;
    ConsoleNotes notes = {.phase = phase,
                          .station = name,
                          .debrief = self->debrief,
                          .picture = self->picture,
                          .order_count = self->order_count};
    for (int k = 0; k < self->order_count; k++) {
        notes.orders[k] = (ConsoleOrder){.time = self->orders[k].time,
                                         .command = self->orders[k].command,
                                         .text = self->orders[k].text,
                                         .fault = self->orders[k].is_fault ? &self->orders[k].given : NULL};
    }
    list_snapshots(&self->back, &notes);
    if (drive != NULL) {
        notes.trainee = drive->params.options->trainee;
        notes.driver = drive->driver.name;
        notes.credit = drive_credit(drive);
        notes.recording = drive->recorder != NULL ? base_name(drive->record) : NULL;
        notes.real_time = drive->real_time;
    }
    return notes;
}

/// The ticket in the addresses of debrief and picture is for who sees the page alone.
static void hide_ticket(const Instructor *self, char *text)
{
    const char *ticket = self->console != NULL ? console_ticket(self->console) : "";
    for (char *found = ticket[0] != '\0' ? strstr(text, ticket) : NULL; found != NULL; found = strstr(found, ticket)) {
        memset(found, '0', strlen(ticket));
    }
}

/// Publishes a text to the page and to a classroom that watches, and frees it. NULL is nothing.
static void publish_text(const Instructor *self, ConsoleChannel channel, char *text, size_t size)
{
    bool viewed = channel == CONSOLE_STATE || channel == CONSOLE_GROUND;
    // A state says that the drive lives, also where it stands still; the ground may rest.
    if (text != NULL && self->console != NULL &&
        (channel != CONSOLE_GROUND || !console_is_newest(self->console, (int)channel, text, size))) {
        console_publish(self->console, (int)channel, text, size);
    }
    if (text != NULL && viewed && self->link != NULL && link_is_watched(self->link)) {
        hide_ticket(self, text);
        link_view(self->link, channel == CONSOLE_GROUND, text, size);
    }
    free(text);
}

/// True when there is a page, or the classroom watches.
static bool is_seen(const Instructor *self)
{
    return self->console != NULL || (self->link != NULL && link_is_watched(self->link));
}

/// The view keeps the ground of the drive's beginning; a session that takes another's place is shown at once.
static void renew_view(Instructor *self, const Drive *drive)
{
    if (self->view == NULL) {
        self->view = console_view_create(drive->session);
    }
    if (self->restarts != drive->restarts) {
        self->restarts = drive->restarts;
        self->stated = self->mapped = 0.0;
    }
}

static void show_page(Instructor *self, const Drive *drive, const char *phase, bool last)
{
    double now = drive_clock();
    size_t size;
    renew_view(self, drive);
    if (self->view != NULL && is_seen(self) && (last || now - self->mapped >= GROUND_EVERY)) {
        self->mapped = now;
        char *text = console_view_ground(self->view, drive->session, &size);
        publish_text(self, CONSOLE_GROUND, text, size);
    }
    if (self->view != NULL && is_seen(self) && (last || now - self->stated >= STATE_EVERY)) {
        self->stated = now;
        ConsoleNotes notes = make_notes(self, drive, phase);
        char *text = console_view_state(self->view, drive->session, &notes, &size);
        publish_text(self, CONSOLE_STATE, text, size);
    }
}

/// Notifies the driver, and notes in the recording, when the classroom goes away and comes back.
static void report_change(Instructor *self, Drive *drive)
{
    LinkStanding standing;
    double now = drive_clock();
    if (now - self->looked < STATE_EVERY) {
        return;
    }
    self->looked = now;
    if (!link_changed(self->link, &standing)) {
        return;
    }
    drive_tell(drive, standing == LINK_HERE    ? language_text("connected again")
                      : standing == LINK_TAKEN ? language_text("another station has this name")
                                               : language_text("not connected"));
    bool linked = standing == LINK_HERE;
    if (linked != self->linked) { // the recording knows there and away alone
        self->linked = linked;
        ExerciseEvent event = {.kind = EVENT_BROKER, .form = linked ? EVENT_BROKER_BACK : EVENT_BROKER_AWAY};
        note_event(self, drive, &event);
    }
}

/// After each round; `last`: the drive is over.
static void show_round(Instructor *self, Drive *drive, bool last)
{
    const char *phase = last ? "over" : self->frozen ? "frozen" : "driving";
    show_page(self, drive, phase, last);
    if (self->link != NULL) {
        link_show(self->link, drive->session, &(LinkNotes){phase, drive->params.options->trainee, drive->real_time},
                  last);
        report_change(self, drive);
    }
}

/// While a page follows a drive that is over.
static void show_page_after(Instructor *self, const Drive *drive)
{
    show_page(self, drive, "over", false);
}

/// ---- debrief -------------------------------------------------------------------------------------------------------

static char *read_whole(const char *path, size_t *size, Status *status)
{
    FILE *file = regular_file_open(path, status);
    char *bytes = file != NULL ? malloc(DEBRIEF_MOST) : NULL;
    *size = bytes != NULL ? fread(bytes, 1, DEBRIEF_MOST, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (file != NULL && (bytes == NULL || *size == 0 || *size == DEBRIEF_MOST)) {
        status_fail(status, STATUS_LACKING, "%s: the debrief has %zu bytes; a page has room for 1..%d", path, *size,
                    DEBRIEF_MOST - 1);
        free(bytes);
        return NULL;
    }
    return bytes;
}

/// Writes the report of a closed recording, by way of a file, as one page of HTML of `size` bytes that the caller
/// frees. NULL with `status`: the recording is bad (STATUS_BAD_FILE), or memory or disk are short (STATUS_LACKING).
static char *make_debrief(const char *recording, const char *results, size_t *size, Status *status)
{
    ResultsRemarks remarks;
    char logo[SETTINGS_LOGO];
    results_logo(logo);
    results_find_remarks(results, recording, &remarks);
    char folder[TEMPORARY_FOLDER], path[TEMPORARY_FOLDER + 16];
    char *bytes = NULL;
    if (!temporary_folder_make(folder, status)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%s/debrief.html", folder);
    if (report_write(&(ReportRequest){.units = results_units(),
                                      .comment = remarks.comment,
                                      .grade = remarks.grade,
                                      .logo = logo,
                                      .recording = recording,
                                      .html = path},
                     status)) {
        bytes = read_whole(path, size, status);
    }
    temporary_folder_remove(folder);
    return bytes;
}

/// ---- the guide -----------------------------------------------------------------------------------------------------

/// Announces a drive to the link before its first tick.
static void begin_link(Instructor *self, const Drive *drive)
{
    if (self->link != NULL && !self->begun) {
        link_begin(self->link, drive->session);
    }
    self->begun = true;
}

/// Obeys, answers, and reports an obeyed order to the classroom, as an event of the drive in which it was ordered; a
/// fault is an event of the exercise. False: the drive fails with `status`.
static bool obey_and_tell(Instructor *self, Drive *drive, DriveRound *round, const Taken *taken, Status *status)
{
    const ConsoleCommand *order = &taken->command.order;
    double time = session_frame(drive->session)->time;
    Status refusal = {STATUS_GOOD, ""};
    bool good = obey_order(self, drive, round, order, &refusal, status), obeyed = good && refusal.code == STATUS_GOOD;
    answer_or_keep(self, taken, obeyed ? NULL : good ? refusal.text : status->text);
    if (obeyed && self->link != NULL && order->kind != CONSOLE_FAULT) {
        ExerciseEvent event = make_event(order);
        link_publish_event(self->link, time, &event);
    }
    begin_link(self, drive);
    return good;
}

static bool before_round(void *context, Drive *drive, DriveRound *round, Status *status)
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
        answer_load(self, NULL);
        if (self->load.command.order.value > 0.0) {
            set_frozen(self, drive, true);
        }
    }
    while (good && !round->leaves && take_order(self, &taken)) {
        good = obey_and_tell(self, drive, round, &taken, status);
    }
    if (!good) {
        return false;
    }
    round->holds |= self->frozen;
    return true;
}

static void after_round(void *context, Drive *drive, bool last)
{
    Instructor *self = context;
    show_round(self, drive, last);
    if (last) { // the next drive is another session
        snprintf(self->recorded, sizeof self->recorded, "%s", drive->recorder != NULL ? drive->record : "");
        snprintf(self->attempt, sizeof self->attempt, "%s", drive->results.stores ? drive->results.attempt : "");
        self->over = true;
        self->frozen = false;
        self->notes = 0;
        self->restarts = 0;
        self->back.count = 0;
        self->begun = false;
    }
}

/// While the page after a drive is open, what ends it is obeyed.
static bool follow_page_after(void *context, const Drive *drive)
{
    static const char refusal[] = "the operator reads the page after the drive; allowed are end and load";
    Instructor *self = context;
    Taken taken;
    bool leaves = false;
    while (!leaves && take_order(self, &taken)) {
        leaves = read_wish(&taken.command.order, &self->wish);
        show_order(self, session_frame(drive->session)->time, &taken.command.order);
        if (!leaves) {
            instructor_tell_failure(self, refusal);
        }
        answer_or_keep(self, &taken, leaves ? NULL : refusal);
    }
    show_page_after(self, drive);
    return leaves;
}

/// True when the page asks for a picture and the last one is old enough.
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
    char *bytes = make_debrief(instructor->recorded, instructor->results, &size, &status);
    console_offer(instructor->console, CONSOLE_DEBRIEF, bytes, size);
    if (bytes != NULL) {
        snprintf(instructor->debrief, sizeof instructor->debrief, "offered/%s/debrief",
                 console_ticket(instructor->console));
    } else {
        instructor_tell_failure(instructor, status.text);
    }
    free(bytes);
    memcpy(instructor->offered, instructor->recorded, sizeof instructor->offered);
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
        ConsoleNotes notes = make_notes(self, NULL, "waiting");
        char *text = console_waiting_state(&notes, &size);
        publish_text(self, CONSOLE_STATE, text, size);
    }
}

/// Stores a comment or a grade with the attempt that was driven last, and makes its debrief anew. False with `status`.
static bool set_remark(Instructor *self, const ConsoleCommand *order, Status *status)
{
    ResultRemark remark = order->kind == CONSOLE_GRADE ? RESULT_REMARK_GRADE : RESULT_REMARK_COMMENT;
    if (self->attempt[0] == '\0') {
        return status_fail(status, STATUS_BAD_USAGE, "%s: nothing was driven here that is among the results",
                           console_command_names[order->kind]);
    }
    Results *results = results_open(self->results, RESULTS_WRITE, status);
    bool good = results != NULL && results_set_remark(results, self->attempt, remark, order->text, status);
    if (good) {
        Status unused; // a server that is away gets it later
        results_refresh(results, &unused);
    }
    results_close(results);
    if (good) {
        memcpy(self->recorded, self->offered, sizeof self->recorded);
        instructor_offer_debrief(self);
    }
    return good;
}

/// Obeys `load`, `comment` and `grade` while nobody drives and refuses all else. In particular `end`, which may arrive
/// twice or just after the drive has ended, does not close the station.
static void obey_waiting(Instructor *self, const Taken *taken, InstructorWish *wish)
{
    const ConsoleCommand *order = &taken->command.order;
    bool loads = order->kind == CONSOLE_LOAD, remarks = order->kind == CONSOLE_COMMENT || order->kind == CONSOLE_GRADE;
    Status refusal = {STATUS_BAD_USAGE, "nobody drives here; allowed are load, comment and grade"};
    show_order(self, 0.0, order);
    bool good = loads || (remarks && set_remark(self, order, &refusal));
    if (loads) {
        read_wish(order, wish);
    } else if (!good) {
        instructor_tell_failure(self, refusal.text);
    }
    answer_or_keep(self, taken, good ? NULL : refusal.text);
}

/// Who has driven is among the trainees once they have been read anew.
static void publish_choices(const Instructor *self)
{
    size_t size;
    char *text = choices_take(self->choices, &size);
    publish_text(self, CONSOLE_CHOICES, text, size);
}

InstructorWish instructor_wait(Instructor *instructor)
{
    InstructorWish wish = {0};
    Taken taken;
    answer_load(instructor, "the drive was left before it began");
    choices_ask(instructor->choices);
    if (instructor->link != NULL) {
        link_wait(instructor->link);
    }
    while (!wish.ends && wish.scene[0] == '\0') {
        show_waiting(instructor);
        publish_choices(instructor);
        nanosleep(&(struct timespec){0, (long)(WAIT_STEP * 1e9)}, NULL);
        wish.ends = signals_stop_asked();
        if (!wish.ends && take_order(instructor, &taken)) {
            obey_waiting(instructor, &taken, &wish);
        }
    }
    return wish;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

/// Publishes which scenes there are, in the station's language. One that cannot be read has its fault as its
/// title.
static void publish_scenes(Instructor *self, const DataListEntry *entries, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", entries[k].name, "title", language_text(entries[k].title)));
    }
    size_t size;
    char *text = console_json_write(list, 0, &size);
    publish_text(self, CONSOLE_SCENES, text, size);
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

static bool start_instructor(Instructor *self, const RunOptions *options, bool serves, Status *status)
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
    self->results = options->results;
    self->guide = (DriveGuide){self, before_round, after_round, follow_page_after, wants_picture, take_picture};
    if (!start_instructor(self, options, serves, status)) {
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
        answer_load(instructor, "the station was closed");
        choices_close(instructor->choices);
        link_close(instructor->link);
        console_stop(instructor->console);
        console_view_destroy(instructor->view);
        free(instructor);
    }
}
