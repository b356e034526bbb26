/// Reads operator scripts: CSV with a header row; see input_script_load for the format and its limits. Values are
/// quantised at once as a device's would be.
#include "input/input.h"

#include <stdlib.h>

#include "data/files/files.h"

enum { TIME_COLUMN = CONTROL_COUNT, MOST_COLUMNS = CONTROL_COUNT + 1 };

static const double latest_time = 1e6; // s

struct InputScript {
    int row_count, row_capacity;
    double *times; ///< s, strictly ascending, [row_count]
    OperatorControls *rows; ///< held from times[i] on, [row_count]
};

static bool reserve_row(InputScript *script, Status *status)
{
    if (script->row_count < script->row_capacity) {
        return true;
    }
    int capacity = script->row_capacity ? 2 * script->row_capacity : 256;
    double *times = realloc(script->times, (size_t)capacity * sizeof(*times));
    script->times = times ? times : script->times;
    OperatorControls *rows = realloc(script->rows, (size_t)capacity * sizeof(*rows));
    script->rows = rows ? rows : script->rows;
    if (!times || !rows) {
        status_fail(status, STATUS_LACKING, "not enough memory for an operator script of %d rows", capacity);
        return false;
    }
    script->row_capacity = capacity;
    return true;
}

static bool read_row(InputScript *script, CsvFile *file, const int *columns, int column_count)
{
    CsvField field = {NULL, NULL};
    int count = 0;
    double time = 0.0;
    OperatorControls controls = control_neutral;
    while (csv_next_field(file, &field)) {
        double value = 0.0;
        if (count == column_count) {
            return csv_fail(file, field, "this row has more values than the header has columns");
        }
        int column = columns[count++];
        if (column == TIME_COLUMN) {
            if (!csv_read_number(file, field, 0.0, latest_time, "t is a number 0..1000000 (seconds)", &time)) {
                return false;
            }
            if (script->row_count > 0 && time <= script->times[script->row_count - 1]) {
                return csv_fail(file, field, "t must be greater than in the row before");
            }
        } else {
            if (!csv_read_number(file, field, -1.0, 1.0, "a number -1..1 is allowed", &value)) {
                return false;
            }
            controls.axis[column] = control_quantise(value);
        }
    }
    if (count < column_count) {
        return csv_fail(file, field, "this row has fewer values than the header has columns");
    }
    if (!reserve_row(script, file->status)) {
        return false;
    }
    script->times[script->row_count] = time;
    script->rows[script->row_count++] = controls;
    return true;
}

static bool read_rows(InputScript *script, CsvFile *file)
{
    const char *names[MOST_COLUMNS];
    int columns[MOST_COLUMNS];
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        names[axis] = control_axis_names[axis];
    }
    names[TIME_COLUMN] = "t";
    int count =
        csv_read_header(file, names, MOST_COLUMNS, columns,
                        "known columns: t, swing, stick, boom, bucket, left_track, right_track, throttle, "
                        "blade, blade_tilt, blade_angle, ripper, horn, auxiliary, answer, blade_float, ignition, "
                        "safety_lever, travel_range, power_mode, auto_idle, lights, wiper, inspect, tool_tilt, "
                        "tool_rotate, coupler",
                        TIME_COLUMN, "the header row needs a column t (seconds)");
    bool good = count > 0;
    while (good && csv_next_row(file)) {
        good = read_row(script, file, columns, count);
    }
    return good && file->good &&
           (script->row_count > 0 || csv_fail_row(file, "no row follows the header; at least one is needed"));
}

InputScript *input_script_load(const char *path, Status *status)
{
    CsvFile file;
    InputScript *script = calloc(1, sizeof *script);
    if (script == NULL) {
        status_fail(status, STATUS_LACKING, "not enough memory for the operator script %s", path);
        return NULL;
    }
    bool good = csv_open(&file, path, "an operator script", status) && read_rows(script, &file);
    csv_close(&file);
    if (!good) {
        input_script_destroy(script);
        return NULL;
    }
    status_good(status);
    return script;
}

void input_script_destroy(InputScript *script)
{
    if (script) {
        free(script->times);
        free(script->rows);
        free(script);
    }
}

void input_script_get(const InputScript *script, double t, OperatorControls *controls)
{
    // rows [0, low) start at or before t, rows [high, row_count) after it
    int low = 0, high = script->row_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (script->times[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *controls = low > 0 ? script->rows[low - 1] : control_neutral;
}

void input_script_span(const InputScript *script, ControlAxis axis, double *least, double *greatest)
{
    *least = 1.0;
    *greatest = -1.0;
    for (int k = 0; k < script->row_count; k++) {
        double value = control_value(&script->rows[k], axis);
        *least = value < *least ? value : *least;
        *greatest = value > *greatest ? value : *greatest;
    }
}

double input_script_duration(const InputScript *script)
{
    return script->times[script->row_count - 1];
}
