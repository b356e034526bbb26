/// Rounds to what an operator can use, so that figures do not flicker, and writes the number in the language's way.
#include "data/language/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/language/language.h"

#define FEET   3.280839895 ///< ft in a metre
#define INCHES 12.0 ///< in a foot
#define POUNDS 2.204622622 ///< lb in a kilogram
#define YARDS3 1.307950619 ///< yd3 in a cubic metre
#define HOUR   3600.0 ///< s

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
    [QUANTITY_TONNES] = {{"t", 1e-3, 0.0, 1, false}, {"lb", POUNDS, 10.0, 0, false}},
    [QUANTITY_FORCE] = {{"kN", 1e-3, 0.0, 0, false}, {"lbf", POUNDS / 9.80665, 100.0, 0, false}},
    [QUANTITY_PRESSURE] = {{"MPa", 1e-6, 0.0, 1, false}, {"psi", 1.0 / 6894.757293, 10.0, 0, false}},
    [QUANTITY_POWER] = {{"kW", 1e-3, 0.0, 0, false}, {"hp", 1.0 / 745.6998716, 0.0, 0, false}},
    [QUANTITY_SPEED] = {{"km/h", 3.6, 0.0, 1, false}, {"mph", 3.6 / 1.609344, 0.0, 1, false}},
    [QUANTITY_APPROACH] = {{"m/s", 1.0, 0.0, 2, false}, {"ft/s", FEET, 0.0, 1, false}},
};

/// Puts the language's mark in the place of the point, and the unit behind the number.
static void finish(Quantity *written, const char *unit)
{
    char *point = strchr(written->number, '.');
    const char *mark = language_decimal_mark();
    if (point != NULL && strlen(mark) == 1) {
        *point = mark[0];
    }
    snprintf(written->unit, sizeof written->unit, "%s", unit);
    snprintf(written->text, sizeof written->text, "%s%s%s", written->number, unit[0] != '\0' ? " " : "", written->unit);
}

/// No zero keeps a minus.
static double without_minus(double value, int decimals)
{
    return fabs(value) < 0.5 * pow(10.0, -decimals) ? 0.0 : value;
}

static Quantity write_number(double value, int decimals, bool has_sign, const char *unit)
{
    Quantity written = {.number = "\u2013"};
    if (isfinite(value)) {
        double shown = without_minus(value, decimals);
        bool plus = has_sign && shown > 0.0;
        snprintf(written.number, sizeof written.number, plus ? "+%.*f" : "%.*f", decimals,
                 fmin(fmax(shown, -1e12), 1e12));
    }
    finish(&written, unit);
    return written;
}

/// "4 ft 1 in", "7 in"; m.
static Quantity write_feet(double m, bool has_sign)
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
    finish(&written, "");
    return written;
}

Quantity quantity(QuantityKind kind, double value, SettingsUnits units)
{
    bool imperial = units == SETTINGS_UNITS_IMPERIAL;
    const Form *form = &forms[kind][imperial ? 1 : 0];
    if (imperial && (kind == QUANTITY_LENGTH || kind == QUANTITY_RISE)) {
        return write_feet(value, form->has_sign);
    }
    double shown = value * form->scale;
    if (kind == QUANTITY_MASS && !imperial && fabs(shown) >= 9995.0) {
        form = &forms[QUANTITY_TONNES][0];
        shown = value * form->scale;
    }
    int decimals = kind == QUANTITY_VOLUME && fabs(shown) >= 9.95 ? 1 : form->decimals;
    return write_number(form->step > 0.0 ? form->step * round(shown / form->step) : shown, decimals, form->has_sign,
                        form->unit);
}

Quantity quantity_number(double value, int decimals)
{
    return write_number(value, decimals, false, "");
}

Quantity quantity_signed(double value, int decimals)
{
    return write_number(value, decimals, true, "");
}

Quantity quantity_digits(double value, int digits)
{
    Quantity written = {.number = "\u2013"};
    if (isfinite(value)) {
        snprintf(written.number, sizeof written.number, "%.*g", digits, value);
    }
    finish(&written, "");
    return written;
}

Quantity quantity_named(double value, const char *unit, SettingsUnits units)
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
        {"kJ", "kJ", "ft lbf", 737.5621493},
        {"deg", "\u00b0", "\u00b0", 1.0},
    };
    Quantity written = quantity_digits(value, 4);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(names[k].unit, unit) == 0) {
            bool imperial = units == SETTINGS_UNITS_IMPERIAL;
            written = quantity_digits(imperial ? value * names[k].scale : value, 4);
            finish(&written, imperial ? names[k].imperial : names[k].shown);
            return written;
        }
    }
    finish(&written, unit);
    return written;
}

double quantity_scale(QuantityKind kind, SettingsUnits units, const char **unit)
{
    const Form *form = &forms[kind][units == SETTINGS_UNITS_IMPERIAL ? 1 : 0];
    *unit = form->unit;
    return form->scale;
}
