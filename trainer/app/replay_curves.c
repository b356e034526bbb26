/// Takes figures out of a recording's samples, finds round edges for their axis, and thins them to the columns of the
/// picture: of each column the least and the greatest value, so that no peak is lost.
#include "trainer/app/replay_curves.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"

#define MEGA           1e6
#define TONNE          1000.0 ///< kg
#define KILO           1000.0
#define KMH            3.6 ///< km/h in a m/s
#define DEGREES        (180.0 / M_PI) ///< in a radian
#define TURNS          (60.0 / (2.0 * M_PI)) ///< rev/min in a rad/s
#define SPEED_DISTANCE 3 ///< samples before and after, between which a speed is taken: 0.6 s. Chosen

const double curve_spans[CURVE_SPANS] = {0.0, 120.0, 30.0, 10.0};

static const struct {
    const char *title;
    const char *unit; ///< where `kind` says none
    QuantityKind kind; ///< QUANTITY_KINDS: of no kind
    int decimals; ///< of a value
    bool has_sign; ///< a value tells which way it is
    double low, high; ///< of the axis; equal: as the values are
    bool from_zero; ///< the axis has 0 in it
} groups[CURVES_COUNT] = {
    [CURVES_PRESSURE] = {TEXT("Pressures"), "", QUANTITY_PRESSURE, 1, false, 0.0, 0.0, true},
    [CURVES_LEVERS] = {TEXT("Levers"), TEXT("percent of the way"), QUANTITY_KINDS, 0, true, -100.0, 100.0, true},
    [CURVES_LOAD] = {TEXT("Load in the tool"), "", QUANTITY_TONNES, 2, false, 0.0, 0.0, true},
    [CURVES_FORCE] = {TEXT("Force on the tool"), "", QUANTITY_FORCE, 0, false, 0.0, 0.0, true},
    [CURVES_EDGE] = {TEXT("Heights"), "", QUANTITY_WAY, 2, true, 0.0, 0.0, true},
    [CURVES_ANGLES] = {TEXT("Angles of the joints"), TEXT("degrees"), QUANTITY_KINDS, 0, false, 0.0, 0.0, false},
    [CURVES_TRAVEL] = {TEXT("Speed over the ground"), "", QUANTITY_SPEED, 1, false, 0.0, 0.0, true},
    [CURVES_SLIP] = {TEXT("Slip of the tracks"), "%", QUANTITY_KINDS, 0, false, -100.0, 100.0, true},
    [CURVES_TILT] = {TEXT("Tilt of the undercarriage"), TEXT("degrees"), QUANTITY_KINDS, 1, true, 0.0, 0.0, true},
    [CURVES_ENGINE] = {TEXT("Engine"), TEXT("rpm"), QUANTITY_KINDS, 0, false, 0.0, 0.0, true},
    [CURVES_FUNCTIONS] = {TEXT("Functions used together"), "", QUANTITY_KINDS, 0, false, 0.0, 6.0, true},
    [CURVES_SCORE] = {TEXT("Score"), TEXT("points"), QUANTITY_KINDS, 1, false, 0.0, 100.0, true},
};

/// What a metric figure of the group is multiplied by for who reads; writes the unit's name.
static double scale_of(const ReplayCurves *curves, CurveGroup group, const char **unit)
{
    QuantityKind kind = groups[group].kind;
    const char *metric_unit;
    if (kind == QUANTITY_KINDS) {
        *unit = groups[group].unit[0] != '\0' ? language_text(groups[group].unit) : "";
        return 1.0;
    }
    double metric = quantity_scale(kind, TEXT_UNITS_METRIC, &metric_unit);
    return quantity_scale(kind, curves->units, unit) / metric;
}

bool replay_curves_open(ReplayCurves *curves, Recording *recording, const MachineParams *machine, double dt,
                        TextUnits units, Status *status)
{
    *curves = (ReplayCurves){.machine = machine, .dt = dt, .units = units, .group = CURVES_PRESSURE};
    curves->count = recording_trace(recording, &curves->samples, status);
    if (curves->count < 0) {
        curves->count = 0;
        curves->samples = NULL;
        return false;
    }
    return true;
}

void replay_curves_close(ReplayCurves *curves)
{
    free(curves->samples);
    *curves = (ReplayCurves){0};
}

void replay_curves_step(ReplayCurves *curves, int steps)
{
    int group = ((int)curves->group + steps) % CURVES_COUNT;
    curves->group = (CurveGroup)(group < 0 ? group + CURVES_COUNT : group);
}

void replay_curves_zoom(ReplayCurves *curves, int steps)
{
    int span = (curves->span + steps) % CURVE_SPANS;
    curves->span = span < 0 ? span + CURVE_SPANS : span;
}

int replay_curves_number(const ReplayCurves *curves, CurveGroup group)
{
    switch (group) {
    case CURVES_OFF:
    case CURVES_COUNT:
        return 0;
    case CURVES_PRESSURE:
    case CURVES_ANGLES:
        return curves->machine->joint_count;
    case CURVES_LEVERS:
        return curves->machine->joint_count + 2;
    case CURVES_FORCE:
        return curves->machine->tool_count;
    case CURVES_EDGE:
    case CURVES_SLIP:
    case CURVES_TILT:
        return 2;
    default:
        return 1;
    }
}

/// Metres a second between the places of some samples around one.
static double speed_at(const ReplayCurves *curves, int64_t index)
{
    int64_t first = index > SPEED_DISTANCE ? index - SPEED_DISTANCE : 0, last = index + SPEED_DISTANCE;
    last = last < curves->count ? last : curves->count - 1;
    const TraceSample *a = &curves->samples[first], *b = &curves->samples[last];
    double time = (double)(b->tick - a->tick) * curves->dt;
    return time > 0.0 ? hypot((double)(b->base_x - a->base_x), (double)(b->base_y - a->base_y)) / time : 0.0;
}

static double lever_at(const ReplayCurves *curves, int curve, const TraceSample *sample)
{
    const MachineParams *machine = curves->machine;
    int axis = curve < machine->joint_count    ? (int)machine->joint[curve].control
               : curve == machine->joint_count ? CONTROL_LEFT_TRACK
                                               : CONTROL_RIGHT_TRACK;
    return 100.0 * (double)sample->lever[axis];
}

static double metric_value(const ReplayCurves *curves, CurveGroup group, int curve, int64_t index)
{
    const TraceSample *sample = &curves->samples[index];
    switch (group) {
    case CURVES_PRESSURE:
        return (double)sample->pressure[curve] / MEGA;
    case CURVES_LEVERS:
        return lever_at(curves, curve, sample);
    case CURVES_LOAD:
        return (double)sample->payload / TONNE;
    case CURVES_FORCE:
        return (double)(curve == 0 ? sample->tool_force : sample->second_force) / KILO;
    case CURVES_EDGE:
        return (double)(curve == 0 ? sample->tip_z : sample->base_z);
    case CURVES_ANGLES:
        return (double)sample->angle[curve] * DEGREES;
    case CURVES_TRAVEL:
        return speed_at(curves, index) * KMH;
    case CURVES_SLIP:
        return 100.0 * (double)(curve == 0 ? sample->slip_left : sample->slip_right);
    case CURVES_TILT:
        return (double)(curve == 0 ? sample->pitch : sample->roll) * DEGREES;
    case CURVES_ENGINE:
        return (double)sample->engine_speed * TURNS;
    case CURVES_FUNCTIONS:
        return (double)sample->together;
    case CURVES_SCORE:
        return (double)sample->score;
    default:
        return 0.0;
    }
}

double replay_curves_value(const ReplayCurves *curves, CurveGroup group, int curve, int64_t index)
{
    const char *unit;
    return scale_of(curves, group, &unit) * metric_value(curves, group, curve, index);
}

static void name_curve(ReplayCurves *curves, CurveGroup group, int curve)
{
    static const char *const pairs[CURVES_COUNT][2] = {[CURVES_LOAD] = {TEXT("Load")},
                                                       [CURVES_FORCE] = {TEXT("Force")},
                                                       [CURVES_EDGE] = {TEXT("Edge"), TEXT("Machine")},
                                                       [CURVES_TRAVEL] = {TEXT("Speed")},
                                                       [CURVES_SLIP] = {TEXT("Left"), TEXT("Right")},
                                                       [CURVES_TILT] = {TEXT("Nose up"), TEXT("Left up")},
                                                       [CURVES_ENGINE] = {TEXT("Engine")},
                                                       [CURVES_FUNCTIONS] = {TEXT("Functions")},
                                                       [CURVES_SCORE] = {TEXT("Score")},
                                                       [CURVES_LEVERS] = {TEXT("Left track"), TEXT("Right track")}};
    int joints =
        group == CURVES_PRESSURE || group == CURVES_ANGLES || group == CURVES_LEVERS ? curves->machine->joint_count : 0;
    const MachineParams *machine = curves->machine;
    const char *name = curve < joints ? machine->joint[curve].name : pairs[group][curve - joints];
    if (group == CURVES_FORCE && machine->tool_count > 1) {
        name = machine->body[machine->tool[curve].body].name;
    }
    char english[32];
    snprintf(english, sizeof english, "%s", name);
    english[0] = (char)toupper((unsigned char)name[0]);
    snprintf(curves->name[curve], sizeof curves->name[curve], "%s", language_text(english));
}

/// ---- the axis ------------------------------------------------------------------------------------------------------

/// Of the numbers 1, 2 and 5 times a power of ten the least that is not less.
static double round_up(double span)
{
    double power = pow(10.0, floor(log10(span))), lead = span / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/// Over the whole recording, so that the axis stands still while time runs.
static void find_axis(const ReplayCurves *curves, CurveGroup group, double *low, double *high)
{
    *low = groups[group].low;
    *high = groups[group].high;
    if (*low < *high) {
        return;
    }
    const char *unit;
    bool zero = groups[group].from_zero;
    double scale = scale_of(curves, group, &unit);
    double least = zero ? 0.0 : HUGE_VAL, most = zero ? 0.0 : -HUGE_VAL;
    int number = replay_curves_number(curves, group);
    for (int curve = 0; curve < number; curve++) {
        for (int64_t k = 0; k < curves->count; k++) {
            double value = replay_curves_value(curves, group, curve, k);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        most =
            group == CURVES_PRESSURE ? fmax(most, scale * machine_joint_relief(curves->machine, curve) / MEGA) : most;
    }
    if (!(least < most)) {
        *low = isfinite(least) ? least - 1.0 : 0.0;
        *high = *low + 2.0;
        return;
    }
    double step = round_up((most - least) / 5.0);
    *low = step * floor(least / step + 1e-9);
    *high = step * ceil(most / step - 1e-9);
}

/// ---- the picture ---------------------------------------------------------------------------------------------------

/// The last sample at or before a time, -1 before the first.
static int64_t sample_at(const ReplayCurves *curves, double time)
{
    int64_t low = 0, high = curves->count; // samples before `low` are not later, those from `high` on are
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((double)curves->samples[middle].tick * curves->dt <= time + 1e-9) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

/// A column shows the samples that fall into it, and where none does the one before.
static void fill_columns(ReplayCurves *curves, int curve)
{
    const double *time = curves->part, *axis = curves->axis;
    double width = (time[1] - time[0]) / RENDER_MAX_COLUMNS;
    int64_t last = curves->count - 1;
    double end = last >= 0 ? (double)curves->samples[last].tick * curves->dt : -1.0;
    int64_t from = sample_at(curves, time[0]);
    for (int k = 0; k < RENDER_MAX_COLUMNS; k++) {
        double least = NAN, most = NAN, begin = time[0] + k * width;
        int64_t to = sample_at(curves, begin + width);
        for (int64_t i = from < to ? from + 1 : to; i <= to && i >= 0 && begin <= end; i++) {
            double value = (replay_curves_value(curves, curves->group, curve, i) - axis[0]) / (axis[1] - axis[0]);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        curves->low[curve][k] = (float)least;
        curves->high[curve][k] = (float)most;
        from = to;
    }
}

static void write_time(double time, char *text, size_t size)
{
    double shown = fmax(time, 0.0);
    int minutes = (int)(fmin(shown, 3.6e6) / 60.0);
    snprintf(text, size, "%d:%s%s", minutes, shown - 60.0 * minutes < 9.95 ? "0" : "",
             quantity_number(shown - 60.0 * minutes, 1).number);
}

/// The part of the time that is shown: around the present, but not beyond the ends.
static void find_part(const ReplayCurves *curves, double time, double duration, double part[2])
{
    double span = curve_spans[curves->span];
    part[0] = 0.0;
    part[1] = fmax(duration, 0.1);
    if (span > 0.0 && span < part[1]) {
        part[0] = fmin(fmax(time - 0.5 * span, 0.0), part[1] - span);
        part[1] = part[0] + span;
    }
}

/// Only where the group or the part of the time is another one than that of the last call.
static void make_columns(ReplayCurves *curves, double time, double duration)
{
    double part[2];
    find_part(curves, time, duration, part);
    bool same_group = curves->drawn == curves->group;
    if (same_group && memcmp(part, curves->part, sizeof part) == 0) {
        return;
    }
    memcpy(curves->part, part, sizeof part);
    if (!same_group) {
        find_axis(curves, curves->group, &curves->axis[0], &curves->axis[1]);
    }
    curves->drawn = curves->group;
    for (int k = 0; k < replay_curves_number(curves, curves->group); k++) {
        fill_columns(curves, k);
        name_curve(curves, curves->group, k);
    }
}

void replay_curves_show(ReplayCurves *curves, double time, double duration, RenderCurves *shown)
{
    CurveGroup group = curves->group;
    *shown = (RenderCurves){0};
    if (group == CURVES_OFF || curves->count == 0) {
        return;
    }
    make_columns(curves, time, duration);
    const double *part = curves->part, *axis = curves->axis;
    shown->count = replay_curves_number(curves, group);
    int64_t now = sample_at(curves, time);
    for (int k = 0; k < shown->count; k++) {
        curves->value[k][0] = '\0';
        if (now >= 0) {
            double value = replay_curves_value(curves, group, k, now);
            int decimals = groups[group].decimals;
            Quantity written =
                groups[group].has_sign ? quantity_signed(value, decimals) : quantity_number(value, decimals);
            snprintf(curves->value[k], sizeof curves->value[k], "%s", written.number);
        }
        shown->curves[k] = (RenderCurve){curves->name[k], curves->value[k], curves->low[k], curves->high[k]};
    }
    for (int k = 0; k < 2; k++) {
        snprintf(curves->edge[k], sizeof curves->edge[k], "%s", quantity_digits(axis[k], 6).number);
        write_time(part[k], curves->time[k], sizeof curves->time[k]);
    }
    const char *unit;
    scale_of(curves, group, &unit);
    snprintf(curves->title, sizeof curves->title, "%s%s%s", language_text(groups[group].title),
             unit[0] != '\0' ? ", " : "", unit);
    shown->visible = true;
    shown->title = curves->title;
    shown->bottom = curves->edge[0];
    shown->top = curves->edge[1];
    shown->from = curves->time[0];
    shown->to = curves->time[1];
    shown->columns = RENDER_MAX_COLUMNS;
    shown->cursor = (time - part[0]) / (part[1] - part[0]);
    bool crosses = axis[0] < 0.0 && axis[1] > 0.0;
    shown->zero = crosses ? -axis[0] / (axis[1] - axis[0]) : -1.0;
}
