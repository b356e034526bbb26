/// Marks texts in tables that are translated where they are shown.
#ifndef SPADEWORK_LANGUAGE_TEXT_H
#define SPADEWORK_LANGUAGE_TEXT_H

/// A text of a table, to be translated by language_text (data/core/language.h) where it is shown.
#define TEXT(english) (english)

#endif
