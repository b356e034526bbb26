/// What a window shows beside its own camera: the rear camera, another one in a corner, mirrors, screens and eyes.
#ifndef SPADEWORK_TRAINER_VIEWS_H
#define SPADEWORK_TRAINER_VIEWS_H

#include "data/schema/settings_params.h"
#include "render/render.h"

/// Belongs to the window, survives restarts and seeks. Zero but for `set` at first.
typedef struct Views {
    SettingsViews set;
    bool moved; ///< the machine has gone back or swung
    double moved_at; ///< s of RenderHud.time, when it did last
} Views;

/// Goes on to the next setting of the rear camera: off, by itself, always.
void views_step_rear(Views *views);
/// Goes on to the next camera in the corner, or none after the last.
void views_step_inset(Views *views);

/// Puts all of it into the view. A camera that fills the whole picture is not shown in a corner, too.
void views_show(Views *views, RenderView *view);

/// Puts into the view how its panels are laid out.
void views_lay_out(const SettingsPanels *panels, SettingsGauges gauges, RenderView *view);

/// True when `camera` or an inset cuts the ground, so that the view needs its section.
bool views_cut_ground(const Views *views, RenderCamera camera);

#endif
