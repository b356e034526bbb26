/// All settled ground of a soil: the site's, and what lies in trays.
#ifndef SPADEWORK_SOIL_GROUNDS_H
#define SPADEWORK_SOIL_GROUNDS_H

#include "data/core/status.h"
#include "soil/ground/fixtures.h"
#include "soil/ground/ground.h"
#include "soil/ground/tray.h"

typedef struct Grounds {
    Ground *site;
    int tray_count;
    Tray trays[SOIL_MAX_TRAYS];
    Fixtures fixtures; ///< that stand on the site
} Grounds;

/// Destroys the site and all trays.
void grounds_destroy(Grounds *grounds);

/// Adds a tray. Returns its index, or -1 with the reason in `status`.
int grounds_add_tray(const SoilModel *model, Grounds *grounds, const SoilTray *params, Status *status);
/// Sets how a tray moves in the next tick. False, with the reason in `status`, when that is out of range: the tray
/// stays as it is.
bool grounds_move_tray(const SoilModel *model, Grounds *grounds, int index, const SoilTrayMotion *motion,
                       Status *status);
/// Moves all trays on by `h` seconds.
void grounds_advance_trays(Grounds *grounds, double h);
/// Stops all trays, at the end of a tick. True when any of them moved.
bool grounds_rest_trays(Grounds *grounds);
/// Visits the trays' part of the state.
void grounds_visit_trays(const SoilModel *model, Grounds *grounds, StateVisitor *visitor);

#endif
