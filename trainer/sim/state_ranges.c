/// Looks numbers up in their rows and compares them; the rows are in range_rows.c.
#include "trainer/sim/state_ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN         100.0 ///< m beyond the site: no machine comes there, what rolls off it may
#define UNIT_TOLERANCE 1e-3 ///< of a quaternion's length

/// True when a name is that of a row, in which one '*' stands for any characters.
static bool fits(const char *pattern, const char *name, size_t length)
{
    const char *star = strchr(pattern, '*');
    if (star == NULL) {
        return strlen(pattern) == length && memcmp(pattern, name, length) == 0;
    }
    size_t head = (size_t)(star - pattern), tail = strlen(star + 1);
    return length > head + tail && memcmp(pattern, name, head) == 0 &&
           memcmp(star + 1, name + length - tail, tail) == 0;
}

const StateRange *state_range_find(const char *name, size_t name_length, int *hint)
{
    int count;
    const StateRange *rows = state_ranges(&count);
    int first = *hint >= 0 && *hint < count ? *hint : 0;
    for (int k = 0; k < count; k++) {
        const StateRange *row = &rows[(first + k) % count];
        if (fits(row->name, name, name_length)) {
            *hint = (first + k + 1) % count;
            return row;
        }
    }
    return NULL;
}

size_t state_number_size(StateNumber number)
{
    static const size_t sizes[] = {
        [STATE_DOUBLE] = 8, [STATE_FLOAT] = 4,  [STATE_INT64] = 8, [STATE_INT32] = 4,
        [STATE_UINT32] = 4, [STATE_UINT16] = 2, [STATE_UINT8] = 1, [STATE_TEXT] = 1,
    };
    return sizes[number];
}

void state_range_bounds(const StateRange *range, const SceneParams *scene, size_t index, double *low, double *high)
{
    const double reach[] = {0.5 * scene->ground.size_x + MARGIN, 0.5 * scene->ground.size_y + MARGIN};
    *low = range->low;
    *high = range->high;
    int axis = range->basis == STATE_PLACE     ? (int)(index % 3)
               : range->basis == STATE_ALONG_Y ? 1
               : range->basis == STATE_ALONG_X ? 0
                                               : 2;
    if (axis < 2) {
        *low = -reach[axis];
        *high = reach[axis];
    } else if (range->basis == STATE_PARTICLES) {
        *high += scene->particles.budget;
    } else if (range->basis == STATE_SOILS) {
        *high += scene->soil_count;
    }
}

/// A number as its bytes say. Whole numbers beyond 2^53, which no range reaches, are rounded.
static double number_at(StateNumber number, const unsigned char *at)
{
    union {
        double real;
        float single;
        int64_t i64;
        int32_t i32;
        uint32_t u32;
        uint16_t u16;
    } value;
    memcpy(&value, at, state_number_size(number));
    switch (number) {
    case STATE_DOUBLE:
        return value.real;
    case STATE_FLOAT:
        return (double)value.single;
    case STATE_INT64:
        return (double)value.i64;
    case STATE_INT32:
        return (double)value.i32;
    case STATE_UINT32:
        return (double)value.u32;
    case STATE_UINT16:
        return (double)value.u16;
    default:
        return (double)*at;
    }
}

/// The first of `count` numbers that is not between `low` and `high`, a NaN, too; `count`: none is. Loops of one kind
/// of number each, for there are many.
static size_t first_outside(StateNumber number, const unsigned char *data, size_t count, double low, double high)
{
    size_t at = 0;
    if (number == STATE_DOUBLE) {
        for (double x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!(x >= low && x <= high)) {
                break;
            }
        }
    } else if (number == STATE_FLOAT) {
        for (float x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!((double)x >= low && (double)x <= high)) {
                break;
            }
        }
    } else if (number == STATE_INT32) {
        for (int32_t x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!(x >= low && x <= high)) {
                break;
            }
        }
    } else {
        size_t size = state_number_size(number);
        while (at < count && number_at(number, data + at * size) >= low &&
               number_at(number, data + at * size) <= high) {
            at++;
        }
    }
    return at;
}

/// Says which element of a field is not what it may be. `count`: of the field's elements; one alone has no index.
static bool fail_element(const StateBytes *field, size_t index, size_t count, const char *text, Status *status)
{
    char place[32] = "";
    if (count > 1) {
        snprintf(place, sizeof place, "[%zu]", index);
    }
    return status_fail(status, STATUS_BAD_FILE, "saved state: %.*s%s is %s", (int)field->name_length, field->name,
                       place, text);
}

static bool fail_range(const StateRange *range, const StateBytes *field, size_t index, const double bounds[2],
                       Status *status)
{
    size_t size = state_number_size(range->number);
    char text[160];
    snprintf(text, sizeof text, "%.9g; allowed %.9g..%.9g%s%s", number_at(range->number, field->data + index * size),
             bounds[0], bounds[1], range->unit[0] != '\0' ? " " : "", range->unit);
    return fail_element(field, index, field->bytes / size, text, status);
}

/// Quaternions of length 1, or 0 in places that nothing is in.
static bool are_units(const StateBytes *field, Status *status)
{
    size_t count = field->bytes / sizeof(double) / 4;
    for (size_t k = 0; k < count; k++) {
        double q[4];
        memcpy(q, field->data + k * sizeof q, sizeof q);
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length == 0.0 || fabs(length - 1.0) <= UNIT_TOLERANCE)) {
            char text[120];
            snprintf(text, sizeof text, "a quaternion of length %.9g; allowed 1", length);
            return fail_element(field, k, count, text, status);
        }
    }
    return true;
}

bool state_range_holds(const StateBytes *field, const SceneParams *scene, int *hint, Status *status)
{
    const StateRange *range = state_range_find(field->name, field->name_length, hint);
    if (range == NULL) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: %.*s is no field of a session",
                           field->name_length < 60 ? (int)field->name_length : 60, field->name);
    }
    size_t size = state_number_size(range->number), count = field->bytes / size;
    if (field->bytes % size != 0) {
        return fail_element(field, 0, 1, "no whole number of numbers", status);
    }
    if (range->number == STATE_TEXT) {
        return true;
    }
    // x, y and z have ranges of their own; all other elements share one.
    size_t step = range->basis == STATE_PLACE ? 1 : count;
    for (size_t k = 0; k < count; k += step) {
        double bounds[2];
        state_range_bounds(range, scene, k, &bounds[0], &bounds[1]);
        size_t at = k + first_outside(range->number, field->data + k * size, step, bounds[0], bounds[1]);
        if (at < k + step) {
            return fail_range(range, field, at, bounds, status);
        }
    }
    return range->basis != STATE_UNIT || are_units(field, status);
}
