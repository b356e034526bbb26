/// Bookmarks while a recording is watched: a key sets one, its name is typed, another key takes it away; each change is
/// written at once.
#ifndef SPADEWORK_TRAINER_NAMING_H
#define SPADEWORK_TRAINER_NAMING_H

#include "trainer/app/replay.h"
#include "trainer/app/window.h"

enum { NAMING_TEXT = 512 };

/// Zero is none.
typedef struct Naming {
    const char *path; ///< of the recording, borrowed
    Bookmarks bookmarks;
    bool readable; ///< REC.marks was; else nothing is written over it
    bool typing; ///< a name is being typed
    char name[BOOKMARK_NAME];
    char told[NAMING_TEXT]; ///< the question, or what went wrong; "" = nothing
} Naming;

/// Reads the bookmarks into the replay's marks. What is wrong with REC.marks is told, and stays there untouched.
void naming_open(Naming *naming, const char *path, Replay *replay);
/// Takes the keys. True while a name is typed: then they are for nobody else.
bool naming_take(Naming *naming, Window *window, Replay *replay, const WindowInput *input);

#endif
