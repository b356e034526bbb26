/// Texts, names and quantities as people read them. A TextReader says in which language and in which units. Texts for a
/// file or the terminal are English, with decimal points and units of plain letters; the others are in the language
/// that was chosen (language.h).
///
/// This is the one place that knows units, decimals and the language's decimal mark. Nothing here is parsed or stored:
/// files, recordings and the command line have SI and points.
#ifndef SPADEWORK_DATA_QUANTITY_H
#define SPADEWORK_DATA_QUANTITY_H

#include <stdbool.h>

/// ---- reader --------------------------------------------------------------------------------------------------------

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

/// ---- quantities ----------------------------------------------------------------------------------------------------

/// What a quantity is of, with the unit that `value` is in.
typedef enum QuantityKind {
    QUANTITY_LENGTH, ///< m: "1.25 m", "4 ft 1 in"
    QUANTITY_RISE, ///< m, with its sign: "+0.40 m", "+1 ft 4 in"
    QUANTITY_WAY, ///< m: "12.3 m", "5000 m", "40 ft"
    QUANTITY_FINE, ///< m: "3.2 cm", "1.3 in"
    QUANTITY_OFFSET, ///< m, with its sign: "+3.2 cm", "+1.3 in"
    QUANTITY_VOLUME, ///< m3: "0.85 m³", "1.11 yd³"
    QUANTITY_RATE, ///< m3/s: "120 m³/h", "157 yd³/h"
    QUANTITY_MASS, ///< kg: "640 kg", "12.4 t", "1410 lb"
    QUANTITY_WEIGHED, ///< kg, of what was weighed once and stays: "643 kg", "12.4 t", "1418 lb"
    QUANTITY_TONNES, ///< kg: "0.6 t", "1320 lb"
    QUANTITY_FORCE, ///< N: "96 kN", "21600 lbf"
    QUANTITY_PRESSURE, ///< Pa: "21.4 MPa", "3100 psi"
    QUANTITY_POWER, ///< W: "84 kW", "113 hp"
    QUANTITY_SPEED, ///< m/s: "4.3 km/h", "2.7 mph"
    QUANTITY_APPROACH, ///< m/s: "0.45 m/s", "1.5 ft/s"
    QUANTITY_IMPULSE, ///< N s: "10.3 kN s", "2310 lbf s"
    QUANTITY_ENERGY, ///< J: "30.8 kJ", "22720 ft lbf"
    QUANTITY_ANGLE, ///< rad: "24°"
    QUANTITY_WARMTH, ///< K between two temperatures: "20 K", "36 °F"
    QUANTITY_TIME, ///< s: "12.3 s"
    QUANTITY_SHARE, ///< 1: "25 %", "0.5 %", "< 0.1 %"; "0 %" is nothing at all
    QUANTITY_KINDS
} QuantityKind;

typedef struct Quantity {
    char number[24]; ///< "1.25"; of feet and inches all of it
    char unit[12]; ///< "m"; "" of feet and inches
    char text[40]; ///< both
} Quantity;

/// Writes a value of that kind, in the reader's units. Pure but for the language; from any thread.
/// value  in the unit that the kind says; infinite and no numbers are shown as a dash
Quantity quantity(QuantityKind kind, double value, TextUnits units);

/// Writes a value whose SI unit is called `unit` in a scene's figures ("m", "kg", "m3/h", "1", ...), with four digits.
/// value  in that unit
Quantity quantity_named(double value, const char *unit, TextUnits units);

/// Writes a bare number with so many decimals; `signed_`: a plus, too. From any thread.
/// value  in the caller's unit
Quantity quantity_number(double value, int decimals);
Quantity quantity_signed(double value, int decimals); ///< the same with a plus where it is more than 0
/// Writes a bare number with so many digits at most, never with an exponent. value  in the caller's unit
Quantity quantity_digits(double value, int digits);

/// The same for a TextReader. Files and the terminal get English, a point, and units of plain letters ("m3").
Quantity quantity_for(const TextReader *reader, QuantityKind kind, double value);
Quantity quantity_named_for(const TextReader *reader, double value, const char *unit);
Quantity quantity_number_for(const TextReader *reader, double value, int decimals);
Quantity quantity_signed_for(const TextReader *reader, double value, int decimals);
Quantity quantity_digits_for(const TextReader *reader, double value, int digits);

/// Returns what a kind's values are to be multiplied by for a curve's axis, and writes that axis's unit; 1 and the SI
/// unit where it is shown in SI.
/// Result: display unit over the unit that the kind says.
double quantity_scale(QuantityKind kind, TextUnits units, const char **unit);

#endif
