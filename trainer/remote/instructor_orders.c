/// What the page or a classroom orders, done to the drive.
#include "trainer/remote/instructor_internal.h"

#include <stdio.h>
#include <string.h>

#include "trainer/sim/sim.h"

enum { MOST_NOTES = 200 }; ///< events in one recording, which has room for so many

void instructor_remember_words(Instructor *self, double time, const char *command, const char *text)
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

/// What an order says beside its name.
void instructor_words(const ConsoleCommand *command, char text[CONSOLE_TEXT])
{
    snprintf(text, CONSOLE_TEXT, "%s", command->kind == CONSOLE_LOAD ? command->name : command->text);
    if (command->kind == CONSOLE_RETURN || command->kind == CONSOLE_REWIND) {
        snprintf(text, CONSOLE_TEXT, "%g", command->value);
    } else if (command->kind == CONSOLE_FAULT) {
        snprintf(text, CONSOLE_TEXT, "%.30s%s%.30s %g", command->name, command->part[0] != '\0' ? " " : "",
                 command->part, command->value);
    }
}

void instructor_remember(Instructor *self, double time, const ConsoleCommand *command)
{
    char text[CONSOLE_TEXT];
    instructor_words(command, text);
    instructor_remember_words(self, time, console_command_names[command->kind], text);
    self->orders[self->order_count - 1].given = *command;
    self->orders[self->order_count - 1].is_fault = command->kind == CONSOLE_FAULT;
}

void instructor_tell_failure(Instructor *instructor, const char *text)
{
    instructor_answer_load(instructor, text);
    instructor_remember_words(instructor, 0.0, "failed", text);
}

static ExerciseEvent typed_event(EventKind kind, int form, const char *text)
{
    ExerciseEvent event = {.kind = (int32_t)kind, .form = form};
    snprintf(event.text, sizeof event.text, "%s", text);
    return event;
}

ExerciseEvent instructor_event(const ConsoleCommand *command)
{
    static const EventKind kinds[CONSOLE_COMMAND_COUNT] = {
        [CONSOLE_FREEZE] = EVENT_FREEZE,     [CONSOLE_CONTINUE] = EVENT_CONTINUE, [CONSOLE_MARK] = EVENT_MARK,
        [CONSOLE_MESSAGE] = EVENT_MESSAGE,   [CONSOLE_END] = EVENT_END,           [CONSOLE_RESTART] = EVENT_RESTART,
        [CONSOLE_SNAPSHOT] = EVENT_SNAPSHOT, [CONSOLE_RETURN] = EVENT_RETURN,     [CONSOLE_REWIND] = EVENT_REWIND,
        [CONSOLE_FAULT] = EVENT_FAULT,       [CONSOLE_LOAD] = EVENT_LOAD};
    bool loads = command->kind == CONSOLE_LOAD;
    ExerciseEvent event = typed_event(kinds[command->kind], 0, loads ? command->name : command->text);
    event.number.count = command->kind == CONSOLE_RETURN ? command->value : 0.0;
    event.number.duration = command->kind == CONSOLE_REWIND ? command->value : 0.0;
    return event;
}

void instructor_note(Instructor *self, Drive *drive, const ExerciseEvent *event)
{
    if (self->notes++ < MOST_NOTES) {
        drive_note(drive, event);
    } else if (self->notes == MOST_NOTES + 1) {
        fprintf(stderr, "spadework: console: the recording has taken %d notes, and takes no more\n", MOST_NOTES);
    }
}

void instructor_freeze(Instructor *self, Drive *drive, bool frozen)
{
    if (self->frozen != frozen) {
        self->frozen = frozen;
        ExerciseEvent event = {.kind = EVENT_FREEZE, .form = frozen ? EVENT_FREEZE_BEGINS : EVENT_FREEZE_ENDS};
        instructor_note(self, drive, &event);
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
        instructor_remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    } else if (went == DRIVE_WENT_BACK) {
        self->notes = 0;
        self->begun = false;
        fprintf(stderr, "spadework: recorded %s\n", before);
    }
    return went != DRIVE_FAILED;
}

static void take_snapshot(Instructor *self, Drive *drive, const ConsoleCommand *command, Status *refusal)
{
    if (way_back_keep(&self->back, drive, command->text, refusal)) {
        ExerciseEvent event = typed_event(EVENT_MARK, EVENT_MARK_SNAPSHOT, command->text);
        event.number.count = self->back.count;
        instructor_note(self, drive, &event);
    } else {
        instructor_remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
    }
}

bool instructor_wishes(const ConsoleCommand *command, InstructorWish *wish)
{
    bool loads = command->kind == CONSOLE_LOAD;
    wish->ends = command->kind == CONSOLE_END;
    snprintf(wish->scene, sizeof wish->scene, "%s", loads ? command->name : "");
    snprintf(wish->trainee, sizeof wish->trainee, "%s", loads ? command->text : "");
    snprintf(wish->course, sizeof wish->course, "%s", loads ? command->part : "");
    return wish->ends || loads;
}

static void end(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command)
{
    drive->dismissed = true;
    round->leaves = true;
    instructor_wishes(command, &self->wish);
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
    instructor_remember_words(self, session_frame(drive->session)->time, "failed", refusal->text);
}

bool instructor_obey(Instructor *self, Drive *drive, DriveRound *round, const ConsoleCommand *command, Status *refusal,
                     Status *status)
{
    ExerciseEvent typed;
    instructor_remember(self, session_frame(drive->session)->time, command);
    switch (command->kind) {
    case CONSOLE_FREEZE:
    case CONSOLE_CONTINUE:
        instructor_freeze(self, drive, command->kind == CONSOLE_FREEZE);
        break;
    case CONSOLE_MARK:
        typed = typed_event(EVENT_MARK, EVENT_MARK_NOTE, command->text);
        instructor_note(self, drive, &typed);
        break;
    case CONSOLE_MESSAGE:
        typed = typed_event(EVENT_MESSAGE, 0, command->text);
        instructor_note(self, drive, &typed);
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

bool instructor_take(Instructor *self, Taken *taken)
{
    taken->from_link = false;
    if (self->console != NULL && console_next(self->console, &taken->command.order)) {
        return true;
    }
    taken->from_link = self->link != NULL && link_next(self->link, &taken->command);
    return taken->from_link;
}

void instructor_keep_load(Instructor *self, const Taken *taken)
{
    instructor_answer_load(self, "another exercise was loaded after it");
    self->load = *taken;
    self->loads = true;
}

void instructor_answer_load(Instructor *self, const char *error)
{
    if (self->loads) {
        self->loads = false;
        instructor_answer(self, &self->load, error);
    }
}

/// Answers, where somebody waits for it. error  NULL: it was taken
void instructor_answer(Instructor *self, const Taken *taken, const char *error)
{
    if (taken->from_link) {
        link_answer(self->link, &taken->command, error);
    }
}
