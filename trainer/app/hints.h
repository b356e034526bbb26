/// Texts on the screen about the controls: names of levers, the list of keys, and the table of what each axis does.
#ifndef SPADEWORK_TRAINER_HINTS_H
#define SPADEWORK_TRAINER_HINTS_H

#include "data/core/operator_controls.h"
#include "data/schema/machine_params.h"
#include "render/render.h"
#include "trainer/pilot/pilot.h"

/// ---- names of the levers -------------------------------------------------------------------------------------------

/// Names of the levers and their directions in the reader's language. Pure.

/// A lever's name and the two ways it goes; "" = it does not go that way.
typedef struct LeverWords {
    const char *lever, *less, *more; ///< "Swing", "left" (minus), "right" (plus)
} LeverWords;

LeverWords lever_words(ControlAxis axis);

/// Shortens a lever's description (input_map_describe) to pad and first keys: what needs a second key held ("Left
/// Shift + D"), and what follows it, goes.
void lever_words_cut(char *bound);

/// ---- list of keys --------------------------------------------------------------------------------------------------

enum { HINT_TEXT = 120 };

typedef struct Hints {
    char pattern[8]; ///< "ISO", "BHL", "DOZER"
    bool devices; ///< pads and joysticks are described, too
    int count;
    char text[RENDER_MAX_HINTS][HINT_TEXT];
} Hints;

/// Reads the operator's control map, which every operator at a window has. Each input that the map binds is named,
/// those of pads and joysticks while one is plugged in; the auxiliary lever is left out where machine and scene have no
/// use for it. slings    the scene has loads to hook up
/// switches  the scene has a start-up or a walk-round
/// coupler   the scene has tools to change
void hints_describe(Hints *hints, const Operator *driver, const MachineParams *machine, bool slings, bool switches,
                    bool coupler);

/// The key that does an action of the map ("reset"); "" where the map has none.
const char *hints_key(const ControlsParams *params, const char *action);

/// The screen's label of an action of the map: "engine faster".
const char *hints_action(const char *name);
/// Writes the screen's label of a joystick's button as a map names it: "left button 3", "left hat up"; false and ""
/// when it is none.
bool hints_joystick(const ControlsParams *params, const char *name, char *text, size_t size);

/// ---- table of the axes ---------------------------------------------------------------------------------------------

/// The table of axes: lever, its input, the device's reading and the value that the machine
/// gets.

/// Its texts, to which the shown table points.
typedef struct AxesTable {
    char title[HINT_TEXT];
    char sources[CONTROL_COUNT][HINT_TEXT];
    char devices[RENDER_MAX_DEVICES][HINT_TEXT];
} AxesTable;

/// Fills the table with the devices as the operator saw them last. `pattern`: the control map's, "ISO". What is shown
/// points into `self`.
void axes_table_show(AxesTable *self, const Operator *driver, const char *pattern, const Session *session,
                     RenderControls *shown);

#endif
