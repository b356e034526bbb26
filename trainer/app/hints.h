/// The lines on the screen that tell what each lever and action is bound to.
#ifndef SPADEWORK_TRAINER_HINTS_H
#define SPADEWORK_TRAINER_HINTS_H

#include "data/schema/machine_params.h"
#include "render/render.h"
#include "trainer/pilot/pilot.h"

enum { HINT_TEXT = 120 };

typedef struct Hints {
    char pattern[8]; ///< "ISO", "BHL", "DOZER"
    bool devices; ///< pads and joysticks are told, too
    int count;
    char text[RENDER_MAX_HINTS][HINT_TEXT];
} Hints;

/// Reads the operator's control map, which every operator at a window has. Each input that the map binds is named,
/// those of pads and joysticks while one is plugged in; the auxiliary lever is left out where machine and scene have no
/// use for it. slings  the scene has loads to hook up
void hints_describe(Hints *hints, const Operator *driver, const MachineParams *machine, bool slings);

/// The key that does an action of the map ("reset"); "" where the map has none.
const char *hints_key(const ControlsParams *params, const char *action);

#endif
