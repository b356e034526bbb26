/// How texts that people read are marked where they stand.
#ifndef SPADEWORK_LANGUAGE_TEXT_H
#define SPADEWORK_LANGUAGE_TEXT_H

/// Marks a text of a table, which whoever shows it gives to language_text (data/core/language.h).
#define TEXT(english) (english)

#endif
