/// What the screen says in its middle: a text of any length, a line of it at a time.
#ifndef SPADEWORK_TRAINER_MESSAGE_H
#define SPADEWORK_TRAINER_MESSAGE_H

enum { MESSAGE_LINE = 50 }; ///< letters that the screen has room for

/// Zero says nothing.
typedef struct Message {
    char text[512]; ///< one line after the other, each ended by \n
    char line[MESSAGE_LINE * 4]; ///< the one that is shown
    double age; ///< s since it was said
} Message;

/// Says a text from now on.
void message_say(Message *message, const char *text);
/// Returns the line that is due, valid until the next call; NULL when all were shown.
const char *message_line(Message *message);

#endif
