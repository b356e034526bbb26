/// Texts of exercises in the trainee's language: gettext over the catalogues that the build makes of data/texts/*.po.
///
/// An English text is its own key: what has no translation is shown as it is written, so that a scene of one's own may
/// be written in any language. Recordings, results and summaries keep the scene's own words; only what a person looks
/// at is translated.
#ifndef SPADEWORK_TRAINER_LANGUAGE_H
#define SPADEWORK_TRAINER_LANGUAGE_H

#include <stdbool.h>

#include "data/core/status.h"

/// Chooses the language for this process, once, before any thread starts. `wanted`: "en", or one that has a catalogue
/// ("de", "es"); NULL: as the environment says (LANGUAGE, LC_ALL, LC_MESSAGES, LANG). False with `status`
/// (STATUS_BAD_USAGE) when there is no such catalogue. Changes the locale of messages alone: numbers stay as they are.
bool language_choose(const char *wanted, Status *status);

/// The translation of `english` (UTF-8), or `english` itself. Belongs to the library, valid to the end of the process.
/// From any thread.
const char *language_text(const char *english);

#endif
