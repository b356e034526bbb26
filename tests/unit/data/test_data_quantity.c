/// Quantities as the screen shows them: units, decimals, signs and what is no number. Factors are those of NIST SP 811.
// test: sanitized
#include "tests/support/test.h"

#include <math.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

TEST(each_kind_has_a_metric_and_an_imperial_form)
{
    static const struct {
        QuantityKind kind;
        double value; ///< SI
        const char *metric, *imperial;
    } cases[] = {
        {QUANTITY_LENGTH, 1.249, "1.25 m", "4 ft 1 in"},
        {QUANTITY_LENGTH, 0.18, "0.18 m", "7 in"},
        {QUANTITY_LENGTH, 0.3048 * 0.999, "0.30 m", "1 ft 0 in"}, // never 12 in
        {QUANTITY_RISE, 0.4, "+0.40 m", "+1 ft 4 in"},
        {QUANTITY_RISE, -0.4, "-0.40 m", "-1 ft 4 in"},
        {QUANTITY_RISE, -0.001, "0.00 m", "0 in"},
        {QUANTITY_WAY, 12.34, "12.3 m", "40 ft"},
        {QUANTITY_WAY, 5000.0, "5000 m", "16404 ft"},
        {QUANTITY_FINE, 0.032, "3.2 cm", "1.3 in"},
        {QUANTITY_OFFSET, 0.0324, "+3.2 cm", "+1.3 in"},
        {QUANTITY_VOLUME, 0.85, "0.85 m\u00b3", "1.11 yd\u00b3"},
        {QUANTITY_VOLUME, 12.34, "12.3 m\u00b3", "16.1 yd\u00b3"},
        {QUANTITY_RATE, 120.0 / 3600.0, "120 m\u00b3/h", "157 yd\u00b3/h"},
        {QUANTITY_MASS, 643.0, "640 kg", "1420 lb"},
        {QUANTITY_MASS, -2.0, "0 kg", "0 lb"},
        {QUANTITY_MASS, 12400.0, "12.4 t", "27340 lb"},
        {QUANTITY_WEIGHED, 643.4, "643 kg", "1418 lb"},
        {QUANTITY_WEIGHED, 12400.0, "12.4 t", "27337 lb"},
        {QUANTITY_TONNES, 4200.0, "4.2 t", "9260 lb"},
        {QUANTITY_FORCE, 96.4e3, "96 kN", "21700 lbf"},
        {QUANTITY_PRESSURE, 21.44e6, "21.4 MPa", "3110 psi"},
        {QUANTITY_POWER, 84e3, "84 kW", "113 hp"},
        {QUANTITY_SPEED, 1.2, "4.3 km/h", "2.7 mph"},
        {QUANTITY_APPROACH, 0.45, "0.45 m/s", "1.5 ft/s"},
        {QUANTITY_IMPULSE, 10300.0, "10.3 kN s", "2320 lbf s"},
        {QUANTITY_ENERGY, 30800.0, "30.8 kJ", "22720 ft lbf"},
        {QUANTITY_ANGLE, 0.42, "24\u00b0", "24\u00b0"},
        {QUANTITY_WARMTH, 20.0, "20 K", "36 \u00b0F"},
        {QUANTITY_TIME, 12.34, "12.3 s", "12.3 s"},
        {QUANTITY_SHARE, 0.25, "25 %", "25 %"},
        {QUANTITY_SHARE, 0.005, "0.5 %", "0.5 %"},
        {QUANTITY_SHARE, 5.53e-6, "< 0.1 %", "< 0.1 %"},
        {QUANTITY_SHARE, 0.0, "0 %", "0 %"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_string_equal(quantity(cases[k].kind, cases[k].value, TEXT_UNITS_METRIC).text, cases[k].metric);
        assert_string_equal(quantity(cases[k].kind, cases[k].value, TEXT_UNITS_IMPERIAL).text, cases[k].imperial);
    }
}

/// Files and the terminal get English, points and plain letters, whatever the screen's language is.
TEST(files_are_written_with_plain_letters)
{
    const TextReader file = {.english = true}, feet = {.english = true, .units = TEXT_UNITS_IMPERIAL};
    Status status;
    assert_good(language_choose("de", &status), status);
    assert_string_equal(quantity_for(&file, QUANTITY_VOLUME, 0.85).text, "0.85 m3");
    assert_string_equal(quantity_for(&feet, QUANTITY_RATE, 120.0 / 3600.0).text, "157 yd3/h");
    assert_string_equal(quantity_for(&file, QUANTITY_ANGLE, 0.42).text, "24 deg");
    assert_string_equal(quantity_named_for(&file, 1234.4, "m3/h").text, "1234 m3/h");
    assert_string_equal(quantity_signed_for(&file, 1.25, 1).text, "+1.2");
    assert_string_equal(quantity(QUANTITY_VOLUME, 0.85, TEXT_UNITS_METRIC).text, "0,85 m\u00b3");
    assert_good(language_choose("en", &status), status);
}

TEST(what_is_no_number_is_a_dash)
{
    for (int kind = 0; kind < QUANTITY_KINDS; kind++) {
        for (int units = 0; units < 2; units++) {
            assert_string_equal(quantity((QuantityKind)kind, NAN, (TextUnits)units).number, "\u2013");
            assert_string_equal(quantity((QuantityKind)kind, INFINITY, (TextUnits)units).number, "\u2013");
            Quantity huge = quantity((QuantityKind)kind, -1e300, (TextUnits)units);
            assert_true(strlen(huge.number) < sizeof huge.number);
        }
    }
}

TEST(bare_numbers_and_named_units)
{
    assert_string_equal(quantity_number(-0.04, 1).text, "0.0");
    assert_string_equal(quantity_signed(0.5, 2).text, "+0.50");
    assert_string_equal(quantity_signed(-0.5, 2).text, "-0.50");
    assert_string_equal(quantity_digits(27290.4, 4).text, "27290");
    assert_string_equal(quantity_digits(123456.0, 4).text, "123500");
    assert_string_equal(quantity_digits(-9999.7, 4).text, "-10000");
    assert_string_equal(quantity_digits(0.00001234, 3).text, "0.0000123");
    assert_string_equal(quantity_digits(0.0, 3).text, "0");
    assert_string_equal(quantity_digits(-1e-30, 3).text, "0");
    assert_string_equal(quantity_digits(1e300, 3).text, "1000000000000000");
    assert_string_equal(quantity_named(37.0, "kJ", TEXT_UNITS_IMPERIAL).text, "27290 ft lbf");
    assert_string_equal(quantity_digits(70.0, 4).text, "70");
    assert_string_equal(quantity_named(0.1234567, "m", TEXT_UNITS_METRIC).text, "0.1235 m");
    assert_string_equal(quantity_named(10.0, "m", TEXT_UNITS_IMPERIAL).text, "32.81 ft");
    assert_string_equal(quantity_named(3.0, "1", TEXT_UNITS_IMPERIAL).text, "3");
    assert_string_equal(quantity_named(12.5, "s", TEXT_UNITS_IMPERIAL).text, "12.5 s");
}

TEST_GROUP(NULL, NULL)
