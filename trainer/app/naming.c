/// Types the name of a bookmark and keeps file, bookmarks and marks the same.
#include "trainer/app/naming.h"

#include <stdio.h>
#include <string.h>

#include "data/core/visible_text.h"
#include "data/core/language.h"

static double time_of(const Replay *replay)
{
    return (double)replay->tick * session_dt(replay->session);
}

static void tell_failure(Naming *naming, const Status *status)
{
    snprintf(naming->told, sizeof naming->told, "%.500s", status->text);
    fprintf(stderr, "spadework: %s\n", status->text);
}

void naming_open(Naming *naming, const char *path, Replay *replay)
{
    double dt = session_dt(replay->session);
    Status status;
    *naming = (Naming){.path = path};
    naming->readable = bookmarks_read(path, (double)replay->ticks * dt, &naming->bookmarks, &status);
    if (naming->readable) {
        replay_marks_set_bookmarks(&replay->marks, &naming->bookmarks, dt);
    } else {
        tell_failure(naming, &status);
    }
}

/// What cannot be written is taken back, so that the list shows what the file holds.
static void change(Naming *naming, Replay *replay, const Bookmarks *changed)
{
    Status status;
    if (!bookmarks_write(naming->path, changed, &status)) {
        tell_failure(naming, &status);
        return;
    }
    naming->bookmarks = *changed;
    naming->told[0] = '\0';
    replay_marks_set_bookmarks(&replay->marks, changed, session_dt(replay->session));
}

static void keep_name(Naming *naming, Replay *replay)
{
    Bookmarks changed = naming->bookmarks;
    if (naming->name[0] == '\0') {
        snprintf(naming->name, sizeof naming->name, language_text("Bookmark %d"), changed.count + 1);
    }
    if (visible_text_fault(naming->name, strlen(naming->name), false, NULL) != VISIBLE_GOOD) {
        snprintf(naming->told, sizeof naming->told, "%s",
                 language_text("A name needs letters, and may have no control characters or directions"));
    } else if (bookmarks_set(&changed, time_of(replay), naming->name)) {
        change(naming, replay, &changed);
    } else {
        snprintf(naming->told, sizeof naming->told, language_text("There are %d bookmarks already"), BOOKMARKS_MOST);
    }
}

static void type(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    window_edit_text(input, naming->name, sizeof naming->name);
    naming->typing = input->pressed[WINDOW_ACCEPT] + input->pressed[WINDOW_BACK] == 0;
    snprintf(naming->told, sizeof naming->told,
             language_text("Name of the bookmark: %s_     (Enter: keep it   Esc: leave it)"), naming->name);
    if (!naming->typing) {
        window_take_text(window, false);
        naming->told[0] = '\0';
        if (input->pressed[WINDOW_ACCEPT] > 0) {
            keep_name(naming, replay);
        }
    }
}

bool naming_take(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    if (naming->typing) {
        type(naming, window, replay, input);
        return true;
    }
    if (!naming->readable) {
        return false;
    }
    if (input->pressed[WINDOW_REMOVE] > 0) {
        Bookmarks changed = naming->bookmarks;
        int row = replay_marks_chosen(&replay->marks, replay->tick, -1);
        for (; row >= 0 && replay_marks_kind(&replay->marks.events[row]) != RENDER_MARK_BOOKMARK; row--) {
        }
        if (row >= 0 && replay->marks.events[row].tick == replay->tick && bookmarks_remove(&changed, time_of(replay))) {
            change(naming, replay, &changed);
        }
    }
    if (input->pressed[WINDOW_BOOKMARK] > 0) {
        replay->playing = false;
        naming->name[0] = '\0';
        naming->typing = true;
        window_take_text(window, true);
        type(naming, window, replay, &(WindowInput){0});
    }
    return naming->typing;
}
