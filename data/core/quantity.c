/// Writes names, texts and quantities for a reader: in the language and the units that the reader has. Values are
/// rounded to what an operator can use, so that figures do not flicker.
#include "data/core/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/language.h"

/// ---- texts and names -----------------------------------------------------------------------------------------------

/// A catalogue has a text with a context under the context, this letter and the text.
#define NAME_CONTEXT "name\004"

const TextReader reader_of_files = {.english = true, .units = TEXT_UNITS_METRIC};

const char *reader_text(const TextReader *reader, const char *english)
{
    return reader->english ? english : language_text(english);
}

const char *reader_name(const TextReader *reader, const char *name)
{
    char key[160];
    int size = snprintf(key, sizeof key, NAME_CONTEXT "%s", name);
    if (reader->english || name[0] == '\0' || size >= (int)sizeof key) {
        return name;
    }
    const char *translation = language_text(key);
    return translation == key ? name : translation;
}

/// What stands between a number's whole and its fraction: "." or ",".
static const char *decimal_mark(const TextReader *reader)
{
    return reader->english ? "." : language_decimal_mark();
}

/// ---- quantities ----------------------------------------------------------------------------------------------------

#define FEET        3.280839895 ///< ft in a metre
#define INCHES      12.0 ///< in a foot
#define POUNDS      2.204622622 ///< lb in a kilogram
#define YARDS3      1.307950619 ///< yd3 in a cubic metre
#define HOUR        3600.0 ///< s
#define FOOT_POUNDS 0.7375621493 ///< ft lbf in a joule
#define DEGREES     57.29577951308232 ///< in a radian

enum {
    NUMBER_LENGTH = sizeof((Quantity *)NULL)->number,
    UNIT_LENGTH = sizeof((Quantity *)NULL)->unit,
    MOST_DECIMALS = 12
};

/// How a kind is written in one system: value times `scale`, rounded to whole `step`s where that is not 0.
typedef struct Form {
    const char *unit;
    double scale, step;
    int decimals;
    bool has_sign;
} Form;

static const Form forms[QUANTITY_KINDS][2] = {
    [QUANTITY_LENGTH] = {{"m", 1.0, 0.0, 2, false}, {"ft", FEET, 0.0, 0, false}},
    [QUANTITY_RISE] = {{"m", 1.0, 0.0, 2, true}, {"ft", FEET, 0.0, 0, true}},
    [QUANTITY_WAY] = {{"m", 1.0, 0.0, 1, false}, {"ft", FEET, 0.0, 0, false}},
    [QUANTITY_FINE] = {{"cm", 100.0, 0.0, 1, false}, {"in", FEET *INCHES, 0.0, 1, false}},
    [QUANTITY_OFFSET] = {{"cm", 100.0, 0.0, 1, true}, {"in", FEET *INCHES, 0.0, 1, true}},
    [QUANTITY_VOLUME] = {{"m\u00b3", 1.0, 0.0, 2, false}, {"yd\u00b3", YARDS3, 0.0, 2, false}},
    [QUANTITY_RATE] = {{"m\u00b3/h", HOUR, 0.0, 0, false}, {"yd\u00b3/h", HOUR *YARDS3, 0.0, 0, false}},
    [QUANTITY_MASS] = {{"kg", 1.0, 10.0, 0, false}, {"lb", POUNDS, 10.0, 0, false}},
    [QUANTITY_WEIGHED] = {{"kg", 1.0, 0.0, 0, false}, {"lb", POUNDS, 0.0, 0, false}},
    [QUANTITY_TONNES] = {{"t", 1e-3, 0.0, 1, false}, {"lb", POUNDS, 10.0, 0, false}},
    [QUANTITY_FORCE] = {{"kN", 1e-3, 0.0, 0, false}, {"lbf", POUNDS / 9.80665, 100.0, 0, false}},
    [QUANTITY_PRESSURE] = {{"MPa", 1e-6, 0.0, 1, false}, {"psi", 1.0 / 6894.757293, 10.0, 0, false}},
    [QUANTITY_POWER] = {{"kW", 1e-3, 0.0, 0, false}, {"hp", 1.0 / 745.6998716, 0.0, 0, false}},
    [QUANTITY_SPEED] = {{"km/h", 3.6, 0.0, 1, false}, {"mph", 3.6 / 1.609344, 0.0, 1, false}},
    [QUANTITY_APPROACH] = {{"m/s", 1.0, 0.0, 2, false}, {"ft/s", FEET, 0.0, 1, false}},
    [QUANTITY_IMPULSE] = {{"kN s", 1e-3, 0.0, 1, false}, {"lbf s", POUNDS / 9.80665, 10.0, 0, false}},
    [QUANTITY_ENERGY] = {{"kJ", 1e-3, 0.0, 1, false}, {"ft lbf", FOOT_POUNDS, 10.0, 0, false}},
    [QUANTITY_ANGLE] = {{"\u00b0", DEGREES, 0.0, 0, false}, {"\u00b0", DEGREES, 0.0, 0, false}},
    [QUANTITY_WARMTH] = {{"K", 1.0, 0.0, 0, false}, {"\u00b0F", 1.8, 0.0, 0, false}},
    [QUANTITY_TIME] = {{"s", 1.0, 0.0, 1, false}, {"s", 1.0, 0.0, 1, false}},
    [QUANTITY_SHARE] = {{"%", 100.0, 0.0, 0, false}, {"%", 100.0, 0.0, 0, false}},
};

/// Units of files and of the terminal have plain letters: "m3", "deg". The letters in their place have two bytes each.
static void write_plain(const char *unit, char plain[UNIT_LENGTH])
{
    static const char *const letters[][2] = {{"\u00b2", "2"}, {"\u00b3", "3"}, {"\u00b0", "deg"}};
    size_t length = 0;
    plain[0] = '\0';
    while (*unit != '\0' && length + 4 < UNIT_LENGTH) {
        const char *instead = NULL;
        for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++) {
            instead = strncmp(unit, letters[k][0], 2) == 0 ? letters[k][1] : instead;
        }
        length += (size_t)snprintf(plain + length, UNIT_LENGTH - length, "%.*s", instead != NULL ? 3 : 1,
                                   instead != NULL ? instead : unit);
        unit += instead != NULL ? 2 : 1;
    }
}

/// Puts the language's mark in the place of the point, and the unit behind the number.
static void finish(Quantity *written, const char *unit, const TextReader *reader)
{
    char *point = strchr(written->number, '.');
    const char *mark = decimal_mark(reader);
    if (point != NULL && strlen(mark) == 1) {
        *point = mark[0];
    }
    if (reader->english) {
        write_plain(unit, written->unit);
    } else {
        snprintf(written->unit, sizeof written->unit, "%s", unit);
    }
    bool apart = written->unit[0] != '\0' && strcmp(written->unit, "\u00b0") != 0; // 24 m, but 24 degrees as a sign
    snprintf(written->text, sizeof written->text, "%s%s%s", written->number, apart ? " " : "", written->unit);
}

/// No zero keeps a minus.
static double without_minus(double value, int decimals)
{
    return fabs(value) < 0.5 * pow(10.0, -decimals) ? 0.0 : value;
}

static Quantity write_number(double value, int decimals, bool has_sign, const char *unit, const TextReader *reader)
{
    Quantity written = {.number = "\u2013"};
    if (isfinite(value)) {
        double shown = without_minus(value, decimals);
        bool plus = has_sign && shown > 0.0;
        snprintf(written.number, sizeof written.number, plus ? "+%.*f" : "%.*f", decimals,
                 fmin(fmax(shown, -1e12), 1e12));
    }
    finish(&written, unit, reader);
    return written;
}

/// "4 ft 1 in", "7 in"; m.
static Quantity write_feet(double m, bool has_sign, const TextReader *reader)
{
    Quantity written = {.number = "\u2013"};
    if (isfinite(m)) {
        int inches = (int)lround(fmin(fabs(m), 1e6) * FEET * INCHES), feet = inches / 12;
        const char *sign = inches == 0 ? "" : m < 0.0 ? "-" : has_sign ? "+" : "";
        if (feet > 0) {
            snprintf(written.number, sizeof written.number, "%s%d ft %d in", sign, feet, inches % 12);
        } else {
            snprintf(written.number, sizeof written.number, "%s%d in", sign, inches);
        }
    }
    finish(&written, "", reader);
    return written;
}

/// Whole percents from ten on; what is not nothing is never shown as nothing.
static Quantity write_share(double percent, const TextReader *reader)
{
    bool little = percent > 0.0 && percent < 0.05;
    int decimals = percent == 0.0 || fabs(percent) >= 9.95 ? 0 : 1;
    Quantity written = write_number(percent, decimals, false, "", reader);
    if (little) {
        snprintf(written.number, sizeof written.number, "< 0.1");
    }
    finish(&written, "%", reader);
    return written;
}

Quantity quantity_for(const TextReader *reader, QuantityKind kind, double value)
{
    bool imperial = reader->units == TEXT_UNITS_IMPERIAL;
    const Form *form = &forms[kind][imperial ? 1 : 0];
    if (imperial && (kind == QUANTITY_LENGTH || kind == QUANTITY_RISE)) {
        return write_feet(value, form->has_sign, reader);
    }
    double shown = value * form->scale;
    if (kind == QUANTITY_SHARE) {
        return write_share(shown, reader);
    }
    if ((kind == QUANTITY_MASS || kind == QUANTITY_WEIGHED) && !imperial && fabs(shown) >= 9995.0) {
        form = &forms[QUANTITY_TONNES][0];
        shown = value * form->scale;
    }
    int decimals = kind == QUANTITY_VOLUME && fabs(shown) >= 9.95 ? 1
                   : kind == QUANTITY_WAY && fabs(shown) >= 99.95 ? 0
                                                                  : form->decimals;
    return write_number(form->step > 0.0 ? form->step * round(shown / form->step) : shown, decimals, form->has_sign,
                        form->unit, reader);
}

Quantity quantity_number_for(const TextReader *reader, double value, int decimals)
{
    return write_number(value, decimals, false, "", reader);
}

Quantity quantity_signed_for(const TextReader *reader, double value, int decimals)
{
    return write_number(value, decimals, true, "", reader);
}

/// Writes so many digits at most without an exponent: no page shows 2.729e+04.
static void write_digits(double value, int digits, char number[NUMBER_LENGTH])
{
    double size = fmin(fabs(value), 1e15), step = 1.0;
    int decimals = 0;
    if (size > 0.0) {
        int place = (int)floor(log10(size)) + 1 - digits; // of the last digit that is shown
        step = pow(10.0, place);
        decimals = place < 0 ? -place : 0;
    }
    decimals = decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS;
    snprintf(number, NUMBER_LENGTH, "%.*f", decimals, copysign(step * round(size / step), value));
    if (strchr(number, '.') != NULL) {
        char *end = number + strlen(number);
        while (end[-1] == '0') {
            *--end = '\0';
        }
        end[-1] = end[-1] == '.' ? '\0' : end[-1];
    }
    if (strcmp(number, "-0") == 0) {
        snprintf(number, NUMBER_LENGTH, "0");
    }
}

Quantity quantity_digits_for(const TextReader *reader, double value, int digits)
{
    Quantity written = {.number = "\u2013"};
    if (isfinite(value)) {
        write_digits(value, digits, written.number);
    }
    finish(&written, "", reader);
    return written;
}

Quantity quantity_named_for(const TextReader *reader, double value, const char *unit)
{
    static const struct {
        const char *unit, *shown, *imperial;
        double scale; ///< imperial over SI
    } names[] = {
        {"1", "", "", 1.0},
        {"m", "m", "ft", FEET},
        {"m2", "m\u00b2", "ft\u00b2", FEET * FEET},
        {"m3", "m\u00b3", "yd\u00b3", YARDS3},
        {"m3/h", "m\u00b3/h", "yd\u00b3/h", YARDS3},
        {"kg", "kg", "lb", POUNDS},
        {"m/s", "m/s", "ft/s", FEET},
        {"kJ", "kJ", "ft lbf", 1e3 * FOOT_POUNDS},
        {"deg", "\u00b0", "\u00b0", 1.0},
    };
    Quantity written = quantity_digits_for(reader, value, 4);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(names[k].unit, unit) == 0) {
            bool imperial = reader->units == TEXT_UNITS_IMPERIAL;
            written = quantity_digits_for(reader, imperial ? value * names[k].scale : value, 4);
            finish(&written, imperial ? names[k].imperial : names[k].shown, reader);
            return written;
        }
    }
    finish(&written, unit, reader);
    return written;
}

/// ---- for a reader --------------------------------------------------------------------------------------------------

Quantity quantity(QuantityKind kind, double value, TextUnits units)
{
    return quantity_for(&(TextReader){.units = units}, kind, value);
}

Quantity quantity_named(double value, const char *unit, TextUnits units)
{
    return quantity_named_for(&(TextReader){.units = units}, value, unit);
}

Quantity quantity_number(double value, int decimals)
{
    return quantity_number_for(&(TextReader){.english = false}, value, decimals);
}

Quantity quantity_signed(double value, int decimals)
{
    return quantity_signed_for(&(TextReader){.english = false}, value, decimals);
}

Quantity quantity_digits(double value, int digits)
{
    return quantity_digits_for(&(TextReader){.english = false}, value, digits);
}

double quantity_scale(QuantityKind kind, TextUnits units, const char **unit)
{
    const Form *form = &forms[kind][units == TEXT_UNITS_IMPERIAL ? 1 : 0];
    *unit = form->unit;
    return form->scale;
}
