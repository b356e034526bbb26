/// Ranges of a saved state: each number of each field is refused when it is just beyond its range, infinite or none,
/// with the field's name, before anything is restored.
#include <math.h>

#include "tests/support/recording_fixture.h"
#include "trainer/session/ranges/state_ranges.h"

#define MOST_BYTES 96

/// Writes a number as the bytes of its kind. False when that kind cannot hold it.
static bool put_number(StateNumber number, double value, unsigned char *at)
{
    double real = value;
    float single = (float)value;
    int32_t whole = 0;
    memset(at, 0, MOST_BYTES);
    if (number == STATE_DOUBLE) {
        memcpy(at, &real, sizeof real);
        return true;
    }
    if (number == STATE_FLOAT) {
        memcpy(at, &single, sizeof single);
        return true;
    }
    if (number != STATE_INT32 || !(fabs(value) < 2147483647.0)) {
        return false;
    }
    whole = (int32_t)value;
    memcpy(at, &whole, sizeof whole);
    return true;
}

/// A number of a field's first element is refused with the field's name.
static void refuse(const StateRange *range, const SceneParams *scene, double value)
{
    unsigned char bytes[MOST_BYTES];
    if (!put_number(range->number, value, bytes)) {
        return;
    }
    Status status = {0};
    int hint = 0;
    StateBytes field = {range->name, strlen(range->name), bytes, state_number_size(range->number)};
    assert_false(state_range_holds(&field, scene, &hint, &status));
    assert_int_equal(status.code, STATUS_BAD_FILE);
    assert_non_null(strstr(status.text, range->name));
    assert_non_null(strstr(status.text, "allowed"));
}

TEST(every_field_refuses_what_is_beyond_its_range)
{
    Session *session = make_session(1);
    const SceneParams *scene = session_scene(session);
    int count;
    const StateRange *rows = state_ranges(&count);
    for (int k = 0; k < count; k++) {
        double low, high;
        state_range_bounds(&rows[k], scene, 0, &low, &high);
        bool real = rows[k].number == STATE_DOUBLE || rows[k].number == STATE_FLOAT;
        double beyond = real ? 1e-5 : 0.0;
        if (rows[k].number == STATE_TEXT) {
            continue;
        }
        refuse(&rows[k], scene, high + fmax(1.0, beyond * fabs(high)));
        refuse(&rows[k], scene, low - fmax(1.0, beyond * fabs(low)));
        if (real) {
            refuse(&rows[k], scene, (double)NAN);
            refuse(&rows[k], scene, (double)INFINITY);
            refuse(&rows[k], scene, 2e30);
        }
    }
    session_destroy(session);
}

TEST_MAIN(NULL, NULL)
