/// Text from outside, made safe for where it is shown: a screen or terminal, a line of shell, an HTML page. Every text
/// that enters the program is checked by one rule; texts that were never checked (from a recording, from another
/// program's message) are displayed in one way. Any thread; nothing is kept.
///
/// Not allowed in texts that people read (names, titles, marks, messages) are: bytes that are no UTF-8 (RFC 3629);
/// control characters (C0, DEL, C1, U+2028, U+2029), which a terminal takes as commands; and characters that turn the
/// direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: Unicode Standard Annex 9), by
/// which one name can pass for another. A text of blanks alone is invisible, and no name.
#ifndef SPADEWORK_DATA_VISIBLE_TEXT_H
#define SPADEWORK_DATA_VISIBLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// How a text is wrong.
typedef enum VisibleFault {
    VISIBLE_GOOD,
    VISIBLE_CONTROL,
    VISIBLE_DIRECTION,
    VISIBLE_NOT_TEXT, ///< a byte that belongs to no character
    VISIBLE_BLANK, ///< blanks alone, at least one
} VisibleFault;

/// A character of a text.
typedef struct VisibleLetter {
    unsigned code; ///< of what is no character, the byte
    int length; ///< bytes, 1..4
    VisibleFault fault; ///< never VISIBLE_BLANK
} VisibleLetter;

/// Bytes of the character that begins with the byte `lead`; 0: none does.
int visible_text_length(unsigned lead);
/// The character at the beginning of `size` bytes, at least one.
/// lines  an end of line (U+000A) is allowed
VisibleLetter visible_text_letter(const char *text, size_t size, bool lines);

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

/// Puts "~" for the user's home folder (HOME), wherever a path in the text begins with it: pages and screens are seen
/// by others. In place; nothing where HOME is not set.
void visible_text_hide_home(char *text);

/// ---- words of a shell ----------------------------------------------------------------------------------------------

/// Words of a command line that is printed for people to copy: sh takes each as that word alone, whatever it holds. The
/// program itself never gives a line to a shell.

/// Writes a file's path as one word for sh (POSIX, 2.2.2): bare where that is safe, else in single quotes, and behind
/// ./ where it would be taken for an option. False with "" where no line can hold it: it is empty, has control or
/// direction characters or bytes that are no text, or there is not enough room.
bool shell_word_file(const char *path, char *word, size_t room);
/// The same of a scene's name. False with "" for what cannot be one: other letters than those of ASCII, digits, - _ and
/// ., more than 63 of them, - or . at the beginning.
bool shell_word_scene(const char *name, char *word, size_t room);

/// ---- HTML ----------------------------------------------------------------------------------------------------------

/// Writes text from files and people so that nothing in it is markup; control bytes become spaces.
/// text  UTF-8
void html_put(FILE *file, const char *text);

#endif
