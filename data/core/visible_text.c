/// Decodes UTF-8, classifies each character as visible, blank, control or direction mark, and quotes text for shells
/// and HTML.
#include "data/core/visible_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int visible_text_length(unsigned lead)
{
    return lead < 0x80 ? 1 : lead < 0xc2U ? 0 : lead < 0xe0U ? 2 : lead < 0xf0U ? 3 : lead <= 0xf4U ? 4 : 0;
}

static bool is_direction(unsigned code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

static bool is_control(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029;
}

/// Blanks, and characters of no width.
static bool is_blank(unsigned code)
{
    static const unsigned blanks[] = {' ',    '\n',   0x00a0, 0x00ad, 0x034f, 0x115f, 0x1160, 0x1680, 0x180e,
                                      0x202f, 0x205f, 0x2060, 0x2800, 0x3000, 0x3164, 0xfeff, 0xffa0};
    bool blank = code >= 0x2000 && code <= 0x200d;
    for (size_t k = 0; k < sizeof blanks / sizeof *blanks && !blank; k++) {
        blank = code == blanks[k];
    }
    return blank;
}

VisibleLetter visible_text_letter(const char *text, size_t size, bool lines)
{
    const unsigned char *bytes = (const unsigned char *)text;
    VisibleLetter none = {.code = bytes[0], .length = 1, .fault = VISIBLE_NOT_TEXT};
    int length = visible_text_length(bytes[0]);
    if (length == 0 || (size_t)length > size) {
        return none;
    }
    unsigned code = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);
    for (int k = 1; k < length; k++) {
        if ((bytes[k] & 0xc0U) != 0x80U) {
            return none;
        }
        code = code << 6 | (bytes[k] & 0x3fU);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
        return none;
    }
    VisibleFault fault = is_direction(code)                             ? VISIBLE_DIRECTION
                         : is_control(code) && !(lines && code == '\n') ? VISIBLE_CONTROL
                                                                        : VISIBLE_GOOD;
    return (VisibleLetter){.code = code, .length = length, .fault = fault};
}

VisibleFault visible_text_fault(const char *text, size_t size, bool lines, size_t *at)
{
    bool blank = true;
    for (size_t k = 0; k < size;) {
        VisibleLetter letter = visible_text_letter(text + k, size - k, lines);
        if (letter.fault != VISIBLE_GOOD) {
            if (at != NULL) {
                *at = k;
            }
            return letter.fault;
        }
        blank = blank && is_blank(letter.code);
        k += (size_t)letter.length;
    }
    if (at != NULL) {
        *at = 0;
    }
    return size > 0 && blank ? VISIBLE_BLANK : VISIBLE_GOOD;
}

VisibleWords visible_text_words(const char *text, size_t at, VisibleFault fault)
{
    VisibleWords words = {"nothing wrong"};
    VisibleLetter letter = visible_text_letter(text + at, strlen(text + at) + 1, false);
    switch (fault) {
    case VISIBLE_CONTROL:
        snprintf(words.text, sizeof words.text,
                 letter.code < 0x100 ? "a control character (0x%02X)" : "a control character (U+%04X)", letter.code);
        break;
    case VISIBLE_DIRECTION:
        snprintf(words.text, sizeof words.text, "U+%04X, which turns the direction of writing", letter.code);
        break;
    case VISIBLE_NOT_TEXT:
        snprintf(words.text, sizeof words.text, "the byte 0x%02X, which is no character", letter.code);
        break;
    case VISIBLE_BLANK:
        snprintf(words.text, sizeof words.text, "blanks alone");
        break;
    case VISIBLE_GOOD:
        break;
    }
    return words;
}

void visible_text_show(const char *text, bool lines, char *shown, size_t room)
{
    size_t used = 0, size = strlen(text);
    for (size_t k = 0; k < size;) {
        char number[16];
        VisibleLetter letter = visible_text_letter(text + k, size - k, lines);
        const char *form = letter.fault == VISIBLE_NOT_TEXT ? "\\x%02x" : "\\u%04x";
        int length = letter.fault == VISIBLE_GOOD ? letter.length : snprintf(number, sizeof number, form, letter.code);
        if (used + (size_t)length >= room) {
            break;
        }
        memcpy(shown + used, letter.fault == VISIBLE_GOOD ? text + k : number, (size_t)length);
        used += (size_t)length;
        k += (size_t)letter.length;
    }
    if (room > 0) {
        shown[used] = '\0';
    }
}

VisibleShown visible_text_shown(const char *text)
{
    VisibleShown shown;
    visible_text_show(text, false, shown.text, sizeof shown.text);
    return shown;
}

void visible_text_mask(char *text, bool lines)
{
    size_t size = strlen(text);
    for (size_t k = 0; k < size;) {
        VisibleLetter letter = visible_text_letter(text + k, size - k, lines);
        if (letter.fault != VISIBLE_GOOD) {
            memset(text + k, '?', (size_t)letter.length);
        }
        k += (size_t)letter.length;
    }
}

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

/// A byte that may stand in the middle of a path's part, so that /srv/home/ada is no path in /home/ada.
static bool goes_on_in_path(char letter)
{
    return letter != '\0' && (((unsigned char)letter & 0x80u) != 0 || strchr(name_letters, letter) != NULL);
}

void visible_text_hide_home(char *text)
{
    const char *home = getenv("HOME");
    size_t length = home != NULL ? strlen(home) : 0;
    while (length > 0 && home[length - 1] == '/') {
        length--;
    }
    for (char *at = length > 0 ? strstr(text, home) : NULL; at != NULL; at = strstr(at + 1, home)) {
        bool begins = at == text || (!goes_on_in_path(at[-1]) && at[-1] != '/');
        if (begins && !goes_on_in_path(at[length])) {
            *at = '~';
            memmove(at + 1, at + length, strlen(at + length) + 1);
        }
    }
}

/// ---- words of a shell ----------------------------------------------------------------------------------------------

static const char safe_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:,@%=";

enum { NAME_MOST = 63 }; ///< bytes of a scene's name

/// A word that grows within its room.
typedef struct ShellWord {
    char *text;
    size_t used, room;
    bool fits;
} ShellWord;

static void append_word(ShellWord *word, const char *text, size_t length)
{
    word->fits = word->fits && word->used + length < word->room;
    if (word->fits) {
        memcpy(word->text + word->used, text, length);
        word->used += length;
        word->text[word->used] = '\0';
    }
}

static void append_quoted(ShellWord *word, const char *text)
{
    append_word(word, "'", 1);
    for (; *text != '\0'; text++) {
        bool quote = *text == '\'';
        append_word(word, quote ? "'\\''" : text, quote ? 4 : 1);
    }
    append_word(word, "'", 1);
}

bool shell_word_file(const char *path, char *text, size_t room)
{
    ShellWord word = {.text = text, .room = room, .fits = room > 0};
    if (room > 0) {
        text[0] = '\0';
    }
    size_t length = strlen(path);
    if (length == 0 || (visible_text_fault(path, length, false, NULL) != VISIBLE_GOOD &&
                        visible_text_fault(path, length, false, NULL) != VISIBLE_BLANK)) {
        return false;
    }
    append_word(&word, "./", path[0] == '-' ? 2 : 0);
    if (strspn(path, safe_letters) == length) {
        append_word(&word, path, length);
    } else {
        append_quoted(&word, path);
    }
    if (!word.fits && room > 0) {
        text[0] = '\0';
    }
    return word.fits;
}

bool shell_word_scene(const char *name, char *text, size_t room)
{
    size_t length = strlen(name);
    bool good = length > 0 && length <= NAME_MOST && strspn(name, name_letters) == length && name[0] != '-' &&
                name[0] != '.' && length < room;
    if (room > 0) {
        text[0] = '\0';
    }
    if (good) {
        memcpy(text, name, length + 1);
    }
    return good;
}

/// ---- HTML ----------------------------------------------------------------------------------------------------------

void html_put(FILE *file, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        switch (*c) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        default:
            fputc(*c < 0x20 || *c == 0x7f ? ' ' : *c, file);
        }
    }
}
