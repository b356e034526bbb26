/// Plays a recording and prepares its time line: marks of events and curves of samples. A session follows the recorded
/// controls; distant ticks are reached from the nearest keyframe, so scrubbing stays fluid in long recordings.
#include "trainer/app/replay.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/schema.h"
#include "trainer/app/ghost.h"
#include "trainer/pilot/pilot.h"

/// ---- marks on the time line ----------------------------------------------------------------------------------------

/// Events are sorted into the kinds of the time line and found by tick.

#define MOST_EVENTS 4096 ///< that are shown; an exercise keeps fewer

/// Writes "1:04.2".
static void format_event_time(double time, char *text, size_t size)
{
    int tenths = (int)(10.0 * time + 0.5);
    snprintf(text, size, "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10);
}

/// The time stands first in the row's text, ended by a zero.
static void write_row(ReplayMarks *marks, int index, double dt)
{
    char *text = marks->texts[index];
    format_event_time((double)marks->events[index].tick * dt, text, REPLAY_MARK_ROW);
    char *phrase = text + strlen(text) + 1;
    char line[EVENT_TEXT];
    event_line(&marks->events[index], &marks->reader, marks->scene, line);
    snprintf(phrase, (size_t)(text + REPLAY_MARK_ROW - phrase), "%s", line);
    marks->rows[index] = (RenderEvent){text, phrase, marks->marks[index].kind};
}

static void write_all(ReplayMarks *marks, double dt)
{
    for (int i = 0; i < marks->count; i++) {
        marks->marks[i] = (RenderMark){(double)marks->events[i].tick * dt, replay_marks_kind(&marks->events[i])};
        write_row(marks, i, dt);
    }
}

/// Reads the recording's scene for the texts of steps, answers and rows; NULL: unreadable, rows have no such text.
static SceneExercise *read_scene(Recording *recording, const TextReader *reader)
{
    Status ignored;
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    SceneExercise *exercise = malloc(sizeof *exercise);
    if (scene == NULL || machine == NULL || exercise == NULL) {
        abort();
    }
    bool good = data_load_scene_from_files(recording_files(recording), scene, machine, &ignored);
    if (good && !reader->english) {
        language_translate_scene(scene);
    }
    *exercise = scene->exercise;
    free(scene);
    free(machine);
    if (!good) {
        free(exercise);
        return NULL;
    }
    return exercise;
}

void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt)
{
    marks->scene = read_scene(recording, &marks->reader);
    marks->events = calloc(MOST_EVENTS, sizeof *marks->events);
    marks->marks = calloc(MOST_EVENTS, sizeof *marks->marks);
    marks->rows = calloc(MOST_EVENTS, sizeof *marks->rows);
    marks->texts = calloc(MOST_EVENTS, sizeof *marks->texts);
    if (marks->events == NULL || marks->marks == NULL || marks->rows == NULL || marks->texts == NULL) {
        abort();
    }
    int count = recording_events(recording, marks->events, MOST_EVENTS);
    marks->count = count < 0 ? 0 : count > MOST_EVENTS ? MOST_EVENTS : count;
    write_all(marks, dt);
}

void replay_marks_set_bookmarks(ReplayMarks *marks, const Bookmarks *bookmarks, double dt)
{
    int kept = 0;
    for (int k = 0; k < marks->count; k++) {
        if (replay_marks_kind(&marks->events[k]) != RENDER_MARK_BOOKMARK) {
            marks->events[kept++] = marks->events[k];
        }
    }
    marks->count = kept;
    for (int k = 0; k < bookmarks->count && marks->count < MOST_EVENTS; k++) {
        ExerciseEvent event = {.tick = (int64_t)llround(bookmarks->rows[k].time / dt), .kind = EVENT_BOOKMARK};
        snprintf(event.text, sizeof event.text, "%s", bookmarks->rows[k].name);
        int at = marks->count;
        while (at > 0 && marks->events[at - 1].tick > event.tick) {
            marks->events[at] = marks->events[at - 1];
            at--;
        }
        marks->events[at] = event;
        marks->count++;
    }
    write_all(marks, dt);
}

void replay_marks_free(ReplayMarks *marks)
{
    free(marks->scene);
    free(marks->events);
    free(marks->marks);
    free(marks->rows);
    free(marks->texts);
    *marks = (ReplayMarks){0};
}

RenderMarkKind replay_marks_kind(const ExerciseEvent *event)
{
    if (event->kind < INCIDENT_COUNT) {
        return RENDER_MARK_INCIDENT;
    }
    if (event->number.points < 0.0) {
        return RENDER_MARK_FAULT;
    }
    switch ((EventKind)event->kind) {
    case EVENT_BOOKMARK:
        return RENDER_MARK_BOOKMARK;
    case EVENT_SPILL:
    case EVENT_OVERDIG:
    case EVENT_RELIEF:
        return RENDER_MARK_FAULT;
    case EVENT_FINISHED:
    case EVENT_STEP:
    case EVENT_TARGET:
        return RENDER_MARK_DONE;
    case EVENT_CYCLE:
        return RENDER_MARK_CYCLE;
    default:
        return RENDER_MARK_NOTE;
    }
}

int replay_marks_next(const ReplayMarks *marks, int64_t tick, bool forward)
{
    int found = -1;
    for (int k = 0; k < marks->count; k++) {
        int64_t at = marks->events[k].tick;
        if (forward && at > tick) {
            return k;
        }
        if (!forward && at < tick && (found < 0 || at > marks->events[found].tick)) {
            found = k;
        }
    }
    return found;
}

int replay_marks_near(const ReplayMarks *marks, int64_t tick, int64_t before, int64_t after)
{
    int found = -1;
    int64_t nearest = 0;
    for (int k = 0; k < marks->count; k++) {
        int64_t at = marks->events[k].tick, away = at > tick ? at - tick : tick - at;
        if (at < tick - before || at > tick + after) {
            continue;
        }
        if (found < 0 || away < nearest || (away == nearest && marks->marks[k].kind > marks->marks[found].kind)) {
            found = k;
            nearest = away;
        }
    }
    return found;
}

int replay_marks_chosen(const ReplayMarks *marks, int64_t tick, int wanted)
{
    if (wanted >= 0 && wanted < marks->count && marks->events[wanted].tick == tick) {
        return wanted;
    }
    int found = -1;
    while (found + 1 < marks->count && marks->events[found + 1].tick <= tick) {
        found++;
    }
    return found;
}

void replay_marks_tell(const ReplayMarks *marks, int index, double dt, char text[REPLAY_MARK_TEXT])
{
    const ExerciseEvent *event = &marks->events[index];
    char time[24], line[EVENT_TEXT];
    format_event_time((double)event->tick * dt, time, sizeof time);
    event_line(event, &marks->reader, marks->scene, line);
    snprintf(text, REPLAY_MARK_TEXT, "%d/%d   %s   %s", index + 1, marks->count, time, line);
}

/// ---- curves --------------------------------------------------------------------------------------------------------

/// Figures come from a recording's samples. Each column of the picture keeps the least and the greatest value, so no
/// peak is lost; the axis has round ends.

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
    bool has_sign; ///< a value is signed
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

/// Factor from a metric figure of the group to the reader's units; writes the unit's name.
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

/// ---- axis of the curves --------------------------------------------------------------------------------------------

/// Rounds up to 1, 2 or 5 times a power of ten.
static double round_up(double span)
{
    double power = pow(10.0, floor(log10(span))), lead = span / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/// Axis of the group over the whole recording, so it stays fixed while time runs.
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

/// ---- picture of the curves -----------------------------------------------------------------------------------------

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

static void format_axis_time(double time, char *text, size_t size)
{
    double shown = fmax(time, 0.0);
    int minutes = (int)(fmin(shown, 3.6e6) / 60.0);
    snprintf(text, size, "%d:%s%s", minutes, shown - 60.0 * minutes < 9.95 ? "0" : "",
             quantity_number(shown - 60.0 * minutes, 1).number);
}

/// The shown part of the time: around the present, within the recording.
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

/// Computes the columns again only where group or part of the time have changed.
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
        format_axis_time(part[k], curves->time[k], sizeof curves->time[k]);
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

/// ---- playback ------------------------------------------------------------------------------------------------------

#define WORK_A_FRAME 0.025 ///< s of simulation before the screen is drawn again

bool replay_open(Replay *replay, const char *path, const char *motion, int threads, TextUnits units, Status *status)
{
    *replay = (Replay){.speed = 1.0, .real_speed = 1.0, .playing = true};
    replay->recording = recording_open(path, status);
    if (replay->recording != NULL && recording_prove(replay->recording, NULL, NULL, &replay->seal, status)) {
        replay->session = recording_create_session(replay->recording, threads, status);
    }
    if (replay->session != NULL && motion != NULL) {
        replay->motion = motion_stream_create(motion, status);
    }
    if (replay->session == NULL || (motion != NULL && replay->motion == NULL)) {
        replay_close(replay);
        return false;
    }
    replay->first = recording_first_tick(replay->recording);
    replay->tick = replay->first;
    replay->ticks = recording_ticks(replay->recording);
    replay->view = session_view_create();
    session_view_set_units(replay->view, units);
    bool believed = replay->seal.state != RECORDING_CHANGED;
    if (believed) {
        ghost_read_path(replay->recording, session_machine(replay->session), &replay->path);
    }
    session_view_set_path(replay->view, replay->path.count > 0 ? &replay->path : NULL);
    replay->marks.reader.units = units;
    session_view_jump(replay->view, replay->session);
    if (believed) {
        replay_marks_read(&replay->marks, replay->recording, session_dt(replay->session));
    }
    return true;
}

void replay_close(Replay *replay)
{
    session_view_destroy(replay->view);
    motion_stream_close(replay->motion);
    if (replay->session != NULL) {
        session_destroy(replay->session);
    }
    if (replay->recording != NULL) {
        recording_close(replay->recording);
    }
    replay_marks_free(&replay->marks);
    ground_path_free(&replay->path);
    *replay = (Replay){0};
}

static bool play_tick(Replay *replay, Status *status)
{
    if (!recording_advance(replay->recording, replay->session, status)) {
        return false;
    }
    if (replay->motion != NULL) {
        motion_stream_tick(replay->motion, replay->session);
    }
    session_view_tick(replay->view, replay->session);
    replay->tick++;
    return true;
}

bool replay_seek(Replay *replay, int64_t tick, bool roughly, Status *status)
{
    int64_t second = session_scene(replay->session)->rates.tick_rate;
    tick = tick < replay->first ? replay->first : tick > replay->ticks ? replay->ticks : tick;
    tick -= roughly ? (tick - replay->first) % second : 0;
    if (tick == replay->tick) {
        return true;
    }
    if (!recording_seek(replay->recording, replay->session, tick, status)) {
        return false;
    }
    replay->tick = tick;
    replay->ahead = 0.0;
    motion_stream_jump(replay->motion);
    session_view_jump(replay->view, replay->session);
    OperatorControls controls;
    Status ignored; // a damaged row shows as neutral levers
    if (tick > replay->first && recording_controls(replay->recording, tick - 1, &controls, &ignored)) {
        session_view_set_levers(replay->view, &controls);
    }
    return true;
}

bool replay_advance(Replay *replay, double elapsed, Status *status)
{
    if (!replay->playing) {
        return true;
    }
    double rate = 1.0 / session_dt(replay->session);
    int64_t before = replay->tick;
    replay->ahead += elapsed * replay->speed * rate;
    double start = drive_clock();
    while (replay->ahead >= 1.0 && replay->tick < replay->ticks && drive_clock() - start < WORK_A_FRAME) {
        if (!play_tick(replay, status)) {
            return false;
        }
        replay->ahead -= 1.0;
    }
    if (replay->tick >= replay->ticks) {
        replay->playing = false;
        replay->ahead = 0.0;
    } else if (replay->ahead >= 2.0 * rate && replay->speed > 1.0) {
        // Two seconds behind: a jump to the keyframe there costs less than the ticks between.
        int64_t target = replay->tick + (int64_t)replay->ahead;
        if (!replay_seek(replay, target, true, status)) {
            return false;
        }
    } else if (replay->ahead > rate && replay->speed <= 1.0) {
        replay->ahead = 1.0; // slower than real time: show every tick, late
    }
    if (elapsed > 0.0) {
        double now = (double)(replay->tick - before) / rate / elapsed;
        replay->real_speed += 0.1 * (now - replay->real_speed);
    }
    return true;
}

double replay_blend(const Replay *replay)
{
    double blend = replay->playing ? replay->ahead : 1.0;
    return blend > 1.0 ? 1.0 : blend;
}
