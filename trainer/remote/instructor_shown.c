/// How the drive stands, as texts for the page and the classroom.
#include "trainer/remote/instructor_internal.h"

#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"

#define GROUND_EVERY 1.0 ///< s between two maps of the ground

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

ConsoleNotes instructor_notes(const Instructor *self, const Drive *drive, const char *phase)
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
    way_back_tell(&self->back, &notes);
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

void instructor_hand_over(const Instructor *self, ConsoleChannel channel, char *text, size_t size)
{
    bool viewed = channel == CONSOLE_STATE || channel == CONSOLE_GROUND;
    // A state says that the drive lives, also where it stands still; the ground may rest.
    if (text != NULL && self->console != NULL &&
        (channel != CONSOLE_GROUND || !console_is_newest(self->console, channel, text, size))) {
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
static void look_anew(Instructor *self, const Drive *drive)
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
    look_anew(self, drive);
    if (self->view != NULL && is_seen(self) && (last || now - self->mapped >= GROUND_EVERY)) {
        self->mapped = now;
        char *text = console_view_ground(self->view, drive->session, &size);
        instructor_hand_over(self, CONSOLE_GROUND, text, size);
    }
    if (self->view != NULL && is_seen(self) && (last || now - self->stated >= STATE_EVERY)) {
        self->stated = now;
        ConsoleNotes notes = instructor_notes(self, drive, phase);
        char *text = console_view_state(self->view, drive->session, &notes, &size);
        instructor_hand_over(self, CONSOLE_STATE, text, size);
    }
}

/// Tells who drives, and the recording, when the classroom goes away and comes back.
static void tell_change(Instructor *self, Drive *drive)
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
        instructor_note(self, drive, &event);
    }
}

void instructor_show(Instructor *self, Drive *drive, bool last)
{
    const char *phase = last ? "over" : self->frozen ? "frozen" : "driving";
    show_page(self, drive, phase, last);
    if (self->link != NULL) {
        link_show(self->link, drive->session, &(LinkNotes){phase, drive->params.options->trainee, drive->real_time},
                  last);
        tell_change(self, drive);
    }
}

void instructor_show_after(Instructor *self, const Drive *drive)
{
    show_page(self, drive, "over", false);
}
