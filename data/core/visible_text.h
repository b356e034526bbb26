/// Which characters are allowed in texts that people read: names, titles, marks, messages. Every text that enters the
/// program is checked by one rule, and texts that were never checked (from a recording, from another program's message)
/// are shown in one way. Any thread; nothing is kept.
///
/// Not allowed are: what is no UTF-8 (RFC 3629); control characters (C0, DEL, C1, U+2028, U+2029), which a terminal
/// takes as commands; and what turns the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
/// U+2069: Unicode Standard Annex 9), by which one name is shown as another. A text of blanks alone is invisible, and
/// no name.
#ifndef SPADEWORK_DATA_VISIBLE_TEXT_H
#define SPADEWORK_DATA_VISIBLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// How a text is wrong.
typedef enum VisibleFault {
    VISIBLE_GOOD,
    VISIBLE_CONTROL,
    VISIBLE_DIRECTION,
    VISIBLE_NOT_TEXT, ///< a byte that belongs to no character
    VISIBLE_BLANK, ///< blanks alone, at least one
} VisibleFault;

/// The first fault of a text of `size` bytes. The empty text has none.
/// lines  ends of lines (U+000A) are allowed
/// at     out: byte at which it is; NULL: not asked for
VisibleFault visible_text_fault(const char *text, size_t size, bool lines, size_t *at);
/// The same as words: "a control character (0x1B)", "the byte 0xFF, which is no character", "blanks alone".
typedef struct VisibleWords {
    char text[64];
} VisibleWords;
VisibleWords visible_text_words(const char *text, size_t at, VisibleFault fault);

/// Writes an untrusted text so that it can be displayed: what is not allowed is replaced by its number
/// ("\u202e", of a byte that is no character "\xff"). Cut at the end of a letter where there is no more room.
/// lines  ends of lines stay
void visible_text_show(const char *text, bool lines, char *shown, size_t room);
/// The same of one line, to be printed at once; what is longer than there is room for is cut.
typedef struct VisibleShown {
    char text[1024];
} VisibleShown;
VisibleShown visible_text_shown(const char *text);
/// The same in place, where there is no room for numbers: a question mark for each byte.
void visible_text_mask(char *text, bool lines);

#endif
