/// Texts in the reader's language. The build makes the catalogues, with gettext's tools, of data/texts/ (*.po:
/// what exercises say; screen/*.po: what the program itself says on its screen).
///
/// An English text is its own key: a text without a translation is shown unchanged, so that a scene may be written in
/// any language. Recordings, results, summaries and the command line keep the English; only texts in the window are
/// translated. tests/unit/texts.sh finds every text that the sources mark, and fails for one that a language lacks.
#ifndef SPADEWORK_DATA_LANGUAGE_H
#define SPADEWORK_DATA_LANGUAGE_H

#include <stdbool.h>

#include "data/core/status.h"

/// Marks a text of a table, to be translated by language_text where it is shown.
#define TEXT(english) (english)

/// Chooses the language for this process. `wanted`: "en", or one that has a catalogue ("de", "es"); NULL: as the
/// environment says (LANGUAGE, LC_ALL, LC_MESSAGES, LANG), or English. False with `status` when what is wanted has no
/// catalogue (STATUS_BAD_USAGE), or a damaged one (STATUS_BAD_FILE); the language stays. The first call of all comes
/// before any thread starts, since it sets the locale of the system's messages; numbers stay as they are. Later ones
/// from any thread: they count for the texts that are asked for from then on.
bool language_choose(const char *wanted, Status *status);

/// The translation of `english` (UTF-8; NULL stays NULL), or `english` itself. Belongs to the library, valid to the end
/// of the process.
/// From any thread.
const char *language_text(const char *english) __attribute__((format_arg(1)));

/// The language that is chosen: "en", "de", "es". As above, from any thread.
const char *language_code(void);

/// Takes the beginning of a last letter away whose other bytes are lost, as where UTF-8 was cut to a size.
void language_end_whole(char *text);

/// What stands between a number's whole and its fraction: "." or ",". As above; for what is shown alone.
const char *language_decimal_mark(void);

/// ---- catalogues ----------------------------------------------------------------------------------------------------

/// A catalogue of translations: a file that msgfmt made (GNU MO, revision 0, little-endian).
///
/// The C library's gettext reads such files, too, but only for a locale that the system has, and from glibc 2.41 on it
/// takes C.UTF-8, which is the only one of a small system, for one that translates nothing.
/// Format: GNU gettext manual, "The Format of GNU MO Files".
///
///     TextCatalogue *catalogue = text_catalogue_open("texts/de.mo", status);
///     const char *german = catalogue != NULL ? text_catalogue_find(catalogue, "Paused") : NULL;
///     text_catalogue_close(catalogue);
typedef struct TextCatalogue TextCatalogue;

/// Reads a whole catalogue of at most 16 MiB and checks it: every text lies in the file and ends there,
/// the originals are in order. NULL with `status` (STATUS_BAD_FILE; STATUS_LACKING without memory).
TextCatalogue *text_catalogue_open(const char *path, Status *status);

/// The translation of `english`, with "CONTEXT\004" before it where it has a context; NULL = none. Belongs to the
/// catalogue. From any thread.
const char *text_catalogue_find(const TextCatalogue *catalogue, const char *english);

/// Frees it. NULL is nothing.
void text_catalogue_close(TextCatalogue *catalogue);

#endif
