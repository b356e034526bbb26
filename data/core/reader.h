/// Who reads a text that is made of data: in which language and in which units. Texts that a file or the terminal gets
/// are English, with points and with units that every keyboard has; the others are in the language that was chosen
/// (language.h).
#ifndef SPADEWORK_DATA_READER_H
#define SPADEWORK_DATA_READER_H

#include <stdbool.h>

/// What quantities on the screen are written in; files, results and the command line stay in SI.
typedef enum TextUnits {
    TEXT_UNITS_METRIC,
    TEXT_UNITS_IMPERIAL, ///< ft and in, yd3, lb, lbf, psi, mph
} TextUnits;

/// Zero is a person who reads the chosen language and SI.
typedef struct TextReader {
    bool english; ///< of files and of the terminal, whatever the language is
    TextUnits units;
} TextReader;

extern const TextReader reader_of_files; ///< English and SI: files, the terminal, and the rules of scenes

/// The text in the reader's language. As language_text (language.h); from any thread.
const char *reader_text(const TextReader *reader, const char *english) __attribute__((format_arg(2)));

/// A name that a file gives to a thing ("wall", "banksman"). Those of the shipped files have translations, under the
/// context "name", so that a thing is never called as a word of the program is; any other name stays as it was given,
/// byte for byte.
/// name  valid as long as the result is used
const char *reader_name(const TextReader *reader, const char *name);

/// What stands between a number's whole and its fraction: "." or ",".
const char *reader_decimal_mark(const TextReader *reader);

#endif
