/// Curves under the picture of a replay, made of the samples that a recording keeps (trainer/record/trace.h): one
/// group of figures at a time, over the whole recording or a part of it around the present time.
#ifndef SPADEWORK_TRAINER_REPLAY_CURVES_H
#define SPADEWORK_TRAINER_REPLAY_CURVES_H

#include "render/render.h"
#include "trainer/record/record.h"

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
extern const double curve_spans[CURVE_SPANS]; ///< s; 0: the whole recording

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
/// samples cannot be read has none: `status` says why, and false comes back.
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

#endif
