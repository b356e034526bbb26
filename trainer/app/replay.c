/// Shows a recording: playback, time line with marks of events and bookmarks, list of events, curves of samples, speed,
/// cameras, and taking over at the current tick. A session follows the recorded controls; distant ticks are reached
/// from the nearest keyframe, so scrubbing stays fluid in long recordings.
#include "trainer/app/replay.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/schema/schema.h"
#include "data/core/visible_text.h"
#include "render/render.h"
#include "trainer/app/ghost.h"
#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"

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
    case EVENT_SOIL_LEFT:
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

/// s; 0: the whole recording
static const double curve_spans[CURVE_SPANS] = {0.0, 120.0, 30.0, 10.0};

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

/// A recording that is being watched. The session follows the recorded controls.
typedef struct Replay {
    Recording *recording;
    RecordingSeal seal; ///< verdict on its seals: of a changed recording only the replay of its levers is shown
    Session *session;
    SessionView *view;
    MotionStream *motion; ///< stream of the seat's motion; NULL: none
    int64_t first; ///< where the recording begins: > 0 when it continues another
    int64_t tick, ticks; ///< done; in the recording
    double ahead; ///< ticks of wall-clock time not yet played
    double speed; ///< 0.25..16
    bool playing;
    double real_speed; ///< simulated s per wall s that was reached lately
    ReplayMarks marks;
    GroundPath path; ///< of the machine, all of it
} Replay;

#define WORK_A_FRAME 0.025 ///< s of simulation before the screen is drawn again

static void replay_close(Replay *replay)
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

/// `motion`: HOST:PORT that receives the seat's motion, or NULL.
static bool replay_open(Replay *replay, const char *path, const char *motion, int threads, TextUnits units,
                        Status *status)
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

/// Goes to a tick (clamped). `roughly`: only to the whole second before it, which is quick.
static bool replay_seek(Replay *replay, int64_t tick, bool roughly, Status *status)
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

/// Plays on for `elapsed` s of the wall clock, at most about 25 ms of work; what lies too far ahead is reached by
/// keyframes. Stops at the end.
static bool replay_advance(Replay *replay, double elapsed, Status *status)
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

/// Share of a tick that has passed, for drawing between ticks.
static double replay_blend(const Replay *replay)
{
    double blend = replay->playing ? replay->ahead : 1.0;
    return blend > 1.0 ? 1.0 : blend;
}

/// ---- bookmarks -----------------------------------------------------------------------------------------------------

/// Names bookmarks and keeps file, bookmarks and marks in step.

enum { NAMING_TEXT = 512 };

/// Zero is none.
typedef struct Naming {
    const char *path; ///< of the recording, borrowed
    Bookmarks bookmarks;
    bool readable; ///< REC.marks was; else nothing is written over it
    bool typing; ///< a name is being typed
    char name[BOOKMARK_NAME];
    char told[NAMING_TEXT]; ///< the question, or what went wrong; "" = nothing
} Naming;

static double time_of(const Replay *replay)
{
    return (double)replay->tick * session_dt(replay->session);
}

static void show_failure(Naming *naming, const Status *status)
{
    snprintf(naming->told, sizeof naming->told, "%.500s", status->text);
    fprintf(stderr, "spadework: %s\n", status->text);
}

/// Reads the bookmarks into the replay's marks. A faulty REC.marks is reported and left untouched.
static void open_bookmarks(Naming *naming, const char *path, Replay *replay)
{
    double dt = session_dt(replay->session);
    Status status;
    *naming = (Naming){.path = path};
    naming->readable = bookmarks_read(path, (double)replay->ticks * dt, &naming->bookmarks, &status);
    if (naming->readable) {
        replay_marks_set_bookmarks(&replay->marks, &naming->bookmarks, dt);
    } else {
        show_failure(naming, &status);
    }
}

/// Writes changed bookmarks; a failure reverts the change, so the list matches the file.
static void store_bookmarks(Naming *naming, Replay *replay, const Bookmarks *changed)
{
    Status status;
    if (!bookmarks_write(naming->path, changed, &status)) {
        show_failure(naming, &status);
        return;
    }
    naming->bookmarks = *changed;
    naming->told[0] = '\0';
    replay_marks_set_bookmarks(&replay->marks, changed, session_dt(replay->session));
}

static void store_name(Naming *naming, Replay *replay)
{
    Bookmarks changed = naming->bookmarks;
    if (naming->name[0] == '\0') {
        snprintf(naming->name, sizeof naming->name, language_text("Bookmark %d"), changed.count + 1);
    }
    if (visible_text_fault(naming->name, strlen(naming->name), false, NULL) != VISIBLE_GOOD) {
        snprintf(naming->told, sizeof naming->told, "%s",
                 language_text("A name needs letters, and may have no control characters or directions"));
    } else if (bookmarks_set(&changed, time_of(replay), naming->name)) {
        store_bookmarks(naming, replay, &changed);
    } else {
        snprintf(naming->told, sizeof naming->told, language_text("There are %d bookmarks already"), BOOKMARKS_MOST);
    }
}

static void type_name(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    window_edit_text(input, naming->name, sizeof naming->name);
    naming->typing = input->pressed[WINDOW_ACCEPT] + input->pressed[WINDOW_BACK] == 0;
    snprintf(naming->told, sizeof naming->told,
             language_text("Name of the bookmark: %s_     (Enter: keep it   Esc: leave it)"), naming->name);
    if (!naming->typing) {
        window_take_text(window, false);
        naming->told[0] = '\0';
        if (input->pressed[WINDOW_ACCEPT] > 0) {
            store_name(naming, replay);
        }
    }
}

/// Handles the keys of bookmarks. True while a name is typed: the keys are then consumed.
static bool edit_bookmarks(Naming *naming, Window *window, Replay *replay, const WindowInput *input)
{
    if (naming->typing) {
        type_name(naming, window, replay, input);
        return true;
    }
    if (!naming->readable) {
        return false;
    }
    if (input->pressed[WINDOW_REMOVE] > 0) {
        Bookmarks changed = naming->bookmarks;
        int row = replay_marks_chosen(&replay->marks, replay->tick, -1);
        for (; row >= 0 && replay_marks_kind(&replay->marks.events[row]) != RENDER_MARK_BOOKMARK; row--) {
        }
        if (row >= 0 && replay->marks.events[row].tick == replay->tick && bookmarks_remove(&changed, time_of(replay))) {
            store_bookmarks(naming, replay, &changed);
        }
    }
    if (input->pressed[WINDOW_BOOKMARK] > 0) {
        replay->playing = false;
        naming->name[0] = '\0';
        naming->typing = true;
        window_take_text(window, true);
        type_name(naming, window, replay, &(WindowInput){0});
    }
    return naming->typing;
}

/// ---- watching ------------------------------------------------------------------------------------------------------

#define MOST_ELAPSED 0.25 ///< s
#define SLOWEST      0.25
#define FASTEST      16.0
#define STEP         1.0 ///< s that an arrow key moves
#define LONG_STEP    10.0 ///< s with shift held

#define MARK_REACH 0.008 ///< of the bar's length: so near to a mark the mouse means it. Chosen
#define TOLD_TIME  1.5 ///< s for which an event's line is shown after its tick. Chosen

typedef struct Watch {
    Window *window;
    Replay replay;
    ReplayCurves curves;
    char changed[SEAL_WORDS]; ///< what was changed in the recording; "" = nothing
    Ghost ghost;
    Naming naming;
    bool shows_ghost;
    GhostLead race; ///< how far ahead it is
    const RenderView *view; ///< what was drawn last, where the mouse points; NULL at first
    bool list; ///< the list of events is shown
    int wanted; ///< row of the list that was gone to
    bool scrubbing; ///< the mouse holds the time line
    int64_t hovered; ///< tick of the time line under the mouse; -1: it is elsewhere
    char told[REPLAY_MARK_TEXT];
    bool over;
    ScreenEnd end;
    Status *status;
} Watch;

static void end_watching(Watch *watch, ScreenEnd end)
{
    watch->over = true;
    watch->end = end;
}

static void seek_replay(Watch *watch, int64_t tick, bool roughly)
{
    if (!replay_seek(&watch->replay, tick, roughly, watch->status)) {
        end_watching(watch, SCREEN_END_FAILED);
    }
}

/// The tick of the time line under the mouse, -1 elsewhere. `held`: the bar is being dragged and the mouse may leave
/// it.
static int64_t tick_under_mouse(const Watch *watch, const WindowInput *input, bool held)
{
    int width = 0, height = 0;
    window_size(watch->window, &width, &height);
    double share = watch->view == NULL ? -1.0
                                       : render_timeline_at(watch->view, width, height, input->mouse_x,
                                                            held ? height - 20.0 : input->mouse_y);
    return share < 0.0 ? -1 : (int64_t)llround(share * (double)watch->replay.ticks);
}

/// Seeks to a row of the list and pauses.
static void go_to_row(Watch *watch, int row)
{
    if (row >= 0 && row < watch->replay.marks.count) {
        watch->replay.playing = false;
        watch->wanted = row;
        seek_replay(watch, watch->replay.marks.events[row].tick, false);
    }
}

/// A click on a row of the list goes there.
static bool click_row(Watch *watch, const WindowInput *input)
{
    int width = 0, height = 0;
    window_size(watch->window, &width, &height);
    int row = watch->view != NULL ? render_event_at(watch->view, width, height, input->mouse_x, input->mouse_y) : -1;
    go_to_row(watch, row);
    return row >= 0;
}

/// While the mouse is held only whole seconds are shown, each a keyframe; letting go brings the exact tick.
static void scrub(Watch *watch, const WindowInput *input, bool was_down)
{
    int64_t under = tick_under_mouse(watch, input, watch->scrubbing);
    if (input->button && !was_down && !click_row(watch, input)) {
        watch->scrubbing = under >= 0;
    }
    watch->hovered = !watch->scrubbing ? under : -1;
    if (watch->scrubbing) {
        seek_replay(watch, under, input->button);
        watch->scrubbing = input->button;
    } else {
        window_move_camera(watch->window, input);
    }
}

/// Steps by one tick or to the next event, and pauses.
static void take_small_steps(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    int ticks = input->pressed[WINDOW_TICK_ON] - input->pressed[WINDOW_TICK_BACK];
    int events = input->pressed[WINDOW_MARK_ON] - input->pressed[WINDOW_MARK_BACK];
    int rows = input->pressed[WINDOW_DOWN] - input->pressed[WINDOW_UP];
    if (ticks != 0) {
        replay->playing = false;
        seek_replay(watch, replay->tick + ticks, false);
    }
    if (events != 0) {
        go_to_row(watch, replay_marks_next(&replay->marks, replay->tick, events > 0));
    }
    if (rows != 0) {
        int chosen = replay_marks_chosen(&replay->marks, replay->tick, watch->wanted);
        bool before = rows < 0 && chosen >= 0 && replay->marks.events[chosen].tick < replay->tick;
        go_to_row(watch, chosen + rows + (before ? 1 : 0)); // up leads to the row at hand first
    }
}

static void take_keys(Watch *watch, const WindowInput *input)
{
    Replay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    int steps = input->pressed[WINDOW_RIGHT] - input->pressed[WINDOW_LEFT];
    if (steps != 0) {
        double step = input->shift ? LONG_STEP : STEP;
        seek_replay(watch, replay->tick + (int64_t)llround(steps * step * rate), false);
    }
    take_small_steps(watch, input);
    replay_curves_step(&watch->curves, input->shift ? -input->pressed[WINDOW_CURVES] : input->pressed[WINDOW_CURVES]);
    replay_curves_zoom(&watch->curves, input->pressed[WINDOW_SPAN]);
    watch->shows_ghost = watch->shows_ghost != ((input->pressed[WINDOW_GHOST] & 1) != 0);
    watch->list = (input->pressed[WINDOW_LIST] & 1) != 0 ? !watch->list : watch->list;
    double speed = replay->speed * pow(2.0, input->pressed[WINDOW_FASTER] - input->pressed[WINDOW_SLOWER]);
    replay->speed = speed < SLOWEST ? SLOWEST : speed > FASTEST ? FASTEST : speed;
    if (input->pressed[WINDOW_PLAY] + input->pressed[WINDOW_ACCEPT] > 0) {
        replay->playing = !replay->playing;
        if (replay->playing && replay->tick >= replay->ticks) {
            seek_replay(watch, 0, false);
        }
    }
    if (input->pressed[WINDOW_TAKE_OVER] > 0) {
        end_watching(watch, SCREEN_END_TAKE_OVER);
    } else if (input->pressed[WINDOW_BACK] > 0) {
        end_watching(watch, SCREEN_END_LEAVE);
    }
    if (input->close) {
        end_watching(watch, SCREEN_END_CLOSE);
    }
}

/// The mark under the mouse, or else the one that was just reached: -1 when there is none.
static int find_told(const Watch *watch)
{
    const Replay *replay = &watch->replay;
    double rate = 1.0 / session_dt(replay->session);
    if (watch->hovered >= 0) {
        int64_t reach = (int64_t)llround(MARK_REACH * (double)replay->ticks);
        int under = replay_marks_near(&replay->marks, watch->hovered, reach, reach);
        if (under >= 0) {
            return under;
        }
    }
    return replay_marks_near(&replay->marks, replay->tick, (int64_t)llround(TOLD_TIME * rate), 0);
}

static RenderView *build_view(Watch *watch)
{
    Replay *replay = &watch->replay;
    RenderView *view = session_view_build(replay->view, replay->session, replay_blend(replay));
    view->hud.visible = true;
    view->hud.compact = window_gauges(watch->window) == SETTINGS_GAUGES_STRIP;
    session_view_add_grade(replay->view, replay->session, window_shows_grade(watch->window),
                           window_shows_cut_fill(watch->window));
    if (window_shows_debug(watch->window)) {
        session_view_add_debug(replay->view, replay->session);
    }
    if (window_cuts_ground(watch->window)) {
        session_view_add_section(replay->view, replay->session, window_section(watch->window));
    }
    double dt = session_dt(replay->session);
    int told = find_told(watch);
    if (told >= 0) {
        replay_marks_tell(&replay->marks, told, dt, watch->told);
    }
    view->timeline = (RenderTimeline){.visible = true,
                                      .position = (double)replay->tick * dt,
                                      .duration = (double)replay->ticks * dt,
                                      .speed = replay->playing ? replay->speed : 0.0,
                                      .mark_count = replay->marks.count,
                                      .marks = replay->marks.marks,
                                      .chosen = told,
                                      .told = told >= 0                   ? watch->told
                                              : watch->changed[0] != '\0' ? watch->changed
                                                                          : NULL};
    if (window_shows_help(watch->window)) {
        view->timeline.keys[0] =
            language_text("Space: play   +/-: speed   Left/Right: 1 s (Shift: 10 s)   ,/.: one tick   "
                          "Up/Down or a click: events   L: their list   B/Del: bookmark");
        view->timeline.keys[1] =
            language_text("V/Shift+V: curves   Z: their span   G: ghost   C: camera   T: take over from here   "
                          "F2: gauges   F1: keys   Esc: leave");
    }
    view->events = (RenderEvents){.visible = watch->list && replay->marks.count > 0,
                                  .title = language_text("What happened"),
                                  .count = replay->marks.count,
                                  .chosen = replay_marks_chosen(&replay->marks, replay->tick, watch->wanted),
                                  .rows = replay->marks.rows};
    replay_curves_show(&watch->curves, (double)replay->tick * dt, (double)replay->ticks * dt, &view->curves);
    if (watch->shows_ghost) {
        ghost_show(&watch->ghost, (double)replay->tick * dt, &view->ghost);
        ghost_tell(&watch->ghost, replay->session, &watch->race, &view->hud);
        view->timeline.told = told >= 0 || watch->ghost.samples == NULL ? view->timeline.told : watch->ghost.told;
    }
    if (watch->naming.told[0] != '\0') {
        view->timeline.told = watch->naming.told;
    }
    watch->view = view;
    return view;
}

/// A recording without samples is watched without curves.
static bool open_watch(Watch *watch, const char *path, const RunOptions *options, Status *status)
{
    Replay *replay = &watch->replay;
    if (!replay_open(replay, path, options->motion, options->threads, window_units(watch->window), status)) {
        return false;
    }
    Status reason;
    if (replay->seal.state == RECORDING_CHANGED) {
        seal_words(&replay->seal, false, watch->changed, sizeof watch->changed);
        recording_tell_change(replay->recording, &replay->seal, &reason);
        fprintf(stderr, "spadework: %s; its events and curves are not shown\n", reason.text);
    } else if (!replay_curves_open(&watch->curves, replay->recording, session_machine_params(replay->session),
                                   session_dt(replay->session), window_units(watch->window), &reason)) {
        fprintf(stderr, "spadework: no curves: %s\n", reason.text);
    }
    open_bookmarks(&watch->naming, path, replay);
    if (options->ghost == NULL) {
        return true;
    }
    GhostAsked asked = {.who = options->ghost, .results = options->results, .recording = path};
    if (!ghost_ask(&watch->ghost, &asked, status)) {
        replay_curves_close(&watch->curves);
        replay_close(replay);
        return false;
    }
    ghost_warn(&watch->ghost, replay->session);
    return true;
}

ScreenEnd watch_screen(Window *window, const char *path, double from, const RunOptions *options, double *at,
                       Status *status)
{
    Watch watch = {.window = window, .shows_ghost = true, .list = true, .wanted = -1, .status = status};
    if (!open_watch(&watch, path, options, status)) {
        return SCREEN_END_FAILED;
    }
    window_set_title(window, language_text(session_scene(watch.replay.session)->title));
    seek_replay(&watch, (int64_t)llround(from / session_dt(watch.replay.session)), false);
    double last = drive_clock();
    bool was_down = false;
    while (!watch.over) {
        double now = drive_clock(), elapsed = now - last < MOST_ELAPSED ? now - last : MOST_ELAPSED;
        last = now;
        WindowInput input;
        window_poll(window, NULL, &input);
        scrub(&watch, &input, was_down);
        was_down = input.button;
        if (!edit_bookmarks(&watch.naming, window, &watch.replay, &input)) {
            take_keys(&watch, &input);
        } else if (input.close) {
            end_watching(&watch, SCREEN_END_CLOSE);
        }
        if (!watch.over && !watch.scrubbing && !replay_advance(&watch.replay, elapsed, status)) {
            end_watching(&watch, SCREEN_END_FAILED);
        }
        window_play(window, watch.replay.session, watch.replay.playing && !watch.scrubbing && !watch.over);
        window_show(window, build_view(&watch));
    }
    *at = (double)watch.replay.tick * session_dt(watch.replay.session);
    replay_curves_close(&watch.curves);
    ghost_close(&watch.ghost);
    replay_close(&watch.replay);
    return watch.end;
}
