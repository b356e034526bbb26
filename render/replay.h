/// The panels of a replay: its time line with marks, the list of events, and curves. Filled once a frame by the screen
/// that shows a recording. Texts are UTF-8 in the language of the screen; texts and arrays belong to the caller.
#ifndef SPADEWORK_RENDER_REPLAY_H
#define SPADEWORK_RENDER_REPLAY_H

#include <stdbool.h>

enum {
    RENDER_TIMELINE_KEYS = 2,
    RENDER_MAX_CURVES = 6,
    RENDER_MAX_COLUMNS = 512,
};

/// Kinds of marks on a time line; each has a colour and a shape of its own.
typedef enum RenderMarkKind {
    RENDER_MARK_NOTE, ///< anything else: a thin line
    RENDER_MARK_CYCLE, ///< a work cycle ended: a green dot
    RENDER_MARK_DONE, ///< a step, a target or the exercise is done: a blue square
    RENDER_MARK_FAULT, ///< cost points or may cost some: an orange diamond
    RENDER_MARK_INCIDENT, ///< a red triangle
    RENDER_MARK_BOOKMARK, ///< set by a person: a violet flag
    RENDER_MARK_KINDS
} RenderMarkKind;

/// A mark on a time line.
typedef struct RenderMark {
    double time; ///< s
    RenderMarkKind kind;
} RenderMark;

/// Time line of a replay.
typedef struct RenderTimeline {
    bool visible;
    double position, duration; ///< s; 0..duration; > 0
    double speed; ///< 0.25..16 times real time; 0: paused
    int mark_count; ///< 0 or more
    const RenderMark *marks; ///< [mark_count], in order of time
    int chosen; ///< the selected mark, drawn larger; -1: none
    const char *told; ///< what happened at the chosen mark; NULL: nothing
    const char *keys[RENDER_TIMELINE_KEYS]; ///< lines that explain the keys; NULL ends
} RenderTimeline;

/// A row of the list of events.
typedef struct RenderEvent {
    const char *time; ///< "1:04.2"
    const char *text; ///< "cycle: 640 kg in 21.3 s"
    RenderMarkKind kind;
} RenderEvent;

/// The list of events beside the picture of a replay; a long one is shown in part, around the chosen row.
typedef struct RenderEvents {
    bool visible;
    const char *title;
    int count, chosen; ///< rows, 0 or more; the highlighted one, -1: none
    const RenderEvent *rows; ///< [count], in order of time
} RenderEvents;

/// A figure over time: in each column of the picture its least and its greatest value, 0 (lower edge) to 1 (upper
/// edge); NaN where there is none.
typedef struct RenderCurve {
    const char *name, *value; ///< "Boom"; its value at the cursor: "21.4"
    const float *low, *high; ///< 0..1 [RenderCurves.columns]
} RenderCurve;

/// Curves of one kind under the picture of a replay, over the bar of the time line.
typedef struct RenderCurves {
    bool visible;
    const char *title; ///< "Pressures, MPa"
    const char *top, *bottom; ///< values of the upper and the lower edge: "35", "0"
    const char *from, *to; ///< the times at the left and the right edge
    double cursor; ///< 0..1 along the time; < 0: not in sight
    double zero; ///< 0..1 up the picture: where a line marks the value 0; < 0: no line
    int columns; ///< 0..RENDER_MAX_COLUMNS
    int count; ///< 0..RENDER_MAX_CURVES
    RenderCurve curves[RENDER_MAX_CURVES];
} RenderCurves;

#endif
