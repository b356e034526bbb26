/// Quotes words for sh.
#include "data/core/shell_word.h"

#include <string.h>

#include "data/core/visible_text.h"

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
static const char safe_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+:,@%=";

enum { NAME_MOST = 63 }; ///< bytes of a scene's name

/// A word that grows within its room.
typedef struct Word {
    char *text;
    size_t used, room;
    bool fits;
} Word;

static void add(Word *word, const char *text, size_t length)
{
    word->fits = word->fits && word->used + length < word->room;
    if (word->fits) {
        memcpy(word->text + word->used, text, length);
        word->used += length;
        word->text[word->used] = '\0';
    }
}

static void add_quoted(Word *word, const char *text)
{
    add(word, "'", 1);
    for (; *text != '\0'; text++) {
        bool quote = *text == '\'';
        add(word, quote ? "'\\''" : text, quote ? 4 : 1);
    }
    add(word, "'", 1);
}

bool shell_word_file(const char *path, char *text, size_t room)
{
    Word word = {.text = text, .room = room, .fits = room > 0};
    if (room > 0) {
        text[0] = '\0';
    }
    size_t length = strlen(path);
    if (length == 0 || (visible_text_fault(path, length, false, NULL) != VISIBLE_GOOD &&
                        visible_text_fault(path, length, false, NULL) != VISIBLE_BLANK)) {
        return false;
    }
    add(&word, "./", path[0] == '-' ? 2 : 0);
    if (strspn(path, safe_letters) == length) {
        add(&word, path, length);
    } else {
        add_quoted(&word, path);
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
