/// A recording that is watched: its screen, and the time line with marks of events and curves of samples.
#ifndef SPADEWORK_TRAINER_REPLAY_H
#define SPADEWORK_TRAINER_REPLAY_H

#include "render/render.h"
#include "trainer/app/session_view.h"
#include "trainer/app/window.h"
#include "trainer/pilot/pilot.h"
#include "trainer/record/record.h"
#include "trainer/report/report.h"
#include "trainer/sim/sim.h"

/// ---- marks on the time line ----------------------------------------------------------------------------------------

/// The events of a recording as marks on the time line: their kinds, places and texts.

enum { REPLAY_MARK_ROW = EVENT_TEXT + 24, REPLAY_MARK_TEXT = EVENT_TEXT + 64 };

/// Zero has no events. All arrays have `count` rows in order of tick.
typedef struct ReplayMarks {
    TextReader reader; ///< of the rows
    SceneExercise *scene; ///< with its texts in that reader's language; NULL: it cannot be read
    int count;
    ExerciseEvent *events;
    RenderMark *marks; ///< of the same events, for the picture
    RenderEvent *rows; ///< of the same events, for the list; texts belong to the marks
    char (*texts)[REPLAY_MARK_ROW];
} ReplayMarks;

/// Reads the events. Freed by replay_marks_free.
/// marks  receives them; what it held before is not freed
/// dt     s of a tick
void replay_marks_read(ReplayMarks *marks, Recording *recording, double dt);
void replay_marks_free(ReplayMarks *marks);
/// Puts the bookmarks among the events, in place of those that were there. They are events of the kind "bookmark".
/// dt  s of a tick
void replay_marks_set_bookmarks(ReplayMarks *marks, const Bookmarks *bookmarks, double dt);

/// Shape of an event's mark: incidents by name, lost points, cycles, and achievements.
RenderMarkKind replay_marks_kind(const ExerciseEvent *event);
/// Finds the first event after `tick` (forward) or the last before it; of several in one tick the first one. -1 when
/// there is none.
int replay_marks_next(const ReplayMarks *marks, int64_t tick, bool forward);
/// Finds the row of the list that stands out: the last event at or before `tick`; of several in one tick the one of
/// `wanted`, if it is one of them, else the last. -1 before the first.
int replay_marks_chosen(const ReplayMarks *marks, int64_t tick, int wanted);
/// Finds the event nearest to `tick`, at most `before` ticks before it and `after` ticks after it; of two equally near
/// ones the graver (RenderMarkKind). -1 when there is none.
int replay_marks_near(const ReplayMarks *marks, int64_t tick, int64_t before, int64_t after);
/// Writes a line of an event: its time, its place among all, what it was and what it gave or took.
void replay_marks_tell(const ReplayMarks *marks, int index, double dt, char text[REPLAY_MARK_TEXT]);

/// ---- curves --------------------------------------------------------------------------------------------------------

/// Curves under the picture of a replay, made of the samples that a recording keeps (trainer/record/record.h): one
/// group of figures at a time, over the whole recording or a part of it around the present time.

/// The groups, in the order in which the key goes through them.
typedef enum CurveGroup {
    CURVES_OFF,
    CURVES_PRESSURE, ///< of each joint's function
    CURVES_LEVERS, ///< of each joint and both tracks
    CURVES_LOAD,
    CURVES_FORCE, ///< on the tool
    CURVES_EDGE, ///< height of the tool's edge and of the machine
    CURVES_ANGLES, ///< of the joints
    CURVES_TRAVEL, ///< speed over the ground
    CURVES_SLIP, ///< of the tracks
    CURVES_TILT, ///< of the undercarriage
    CURVES_ENGINE,
    CURVES_FUNCTIONS, ///< used together
    CURVES_SCORE,
    CURVES_COUNT
} CurveGroup;

/// Parts of the time that are shown.
enum { CURVE_SPANS = 4 };

typedef struct ReplayCurves {
    const MachineParams *machine; ///< borrowed
    double dt; ///< s of a tick
    TraceSample *samples; ///< own, in order of tick
    int64_t count;
    TextUnits units;
    CurveGroup group;
    int span; ///< of curve_spans
    CurveGroup drawn; ///< the group that `axis` and the columns were last made for
    double part[2], axis[2]; ///< s; of the group: what the columns show
    char title[96], edge[2][24], time[2][40]; ///< texts of what was shown last
    char name[RENDER_MAX_CURVES][32], value[RENDER_MAX_CURVES][24];
    float low[RENDER_MAX_CURVES][RENDER_MAX_COLUMNS], high[RENDER_MAX_CURVES][RENDER_MAX_COLUMNS];
} ReplayCurves;

/// Fills `curves` from a recording, with pressures over the whole of it. `machine` outlives them. A recording whose
/// samples cannot be read has none: false with `status`.
/// dt  s of a tick
bool replay_curves_open(ReplayCurves *curves, Recording *recording, const MachineParams *machine, double dt,
                        TextUnits units, Status *status);
/// Frees the samples. Zero is allowed.
void replay_curves_close(ReplayCurves *curves);
/// Goes to the next group, or back.
void replay_curves_step(ReplayCurves *curves, int steps);
/// Shows the next shorter part, after the shortest the whole.
void replay_curves_zoom(ReplayCurves *curves, int steps);
/// Number of a group's curves, 0..RENDER_MAX_CURVES.
int replay_curves_number(const ReplayCurves *curves, CurveGroup group);
/// A figure of sample `index` in the unit of its group's title (MPa, %, t, kN, m, degrees, km/h, rev/min, points).
double replay_curves_value(const ReplayCurves *curves, CurveGroup group, int curve, int64_t index);
/// Fills `shown` for the present `time` of a recording that ends at `duration`, both s. Its pointers lead into `curves`
/// and hold until the next call.
void replay_curves_show(ReplayCurves *curves, double time, double duration, RenderCurves *shown);

/// ---- screen --------------------------------------------------------------------------------------------------------

/// Shows a recording from second `from`. `at` (s) receives where it stood at the end.
ScreenEnd watch_screen(Window *window, const char *path, double from, const RunOptions *options, double *at,
                       Status *status);

#endif
