/// Session -> RenderView. Keeps the state after the last two ticks, so a frame can show a moment between them. Never
/// changes the session's state. Also what is shown beside the window's camera.
#ifndef SPADEWORK_TRAINER_SESSION_VIEW_H
#define SPADEWORK_TRAINER_SESSION_VIEW_H

#include "data/schema/settings_params.h"
#include "render/render.h"
#include "trainer/app/ground_view.h"
#include "trainer/sim/sim.h"

/// ---- the view ------------------------------------------------------------------------------------------------------

typedef struct SessionView SessionView;
/// Never fails; memory grows with the particles. Free with session_view_destroy, before the session.
SessionView *session_view_create(void);
void session_view_destroy(SessionView *view);

/// All of the machine's way, from which the marks on the ground follow after a jump; NULL: what was seen of it. Belongs
/// to the caller and outlives the view.
void session_view_set_path(SessionView *view, const GroundPath *path);

/// Sets the units of quantities; metric at first.
void session_view_set_units(SessionView *view, TextUnits units);

/// The session's scene with its texts in the chosen language (language_choose). Belongs to the view.
const SceneParams *session_view_scene(SessionView *view, const Session *session);

/// Reads these texts again after a change of language.
void session_view_translate(SessionView *view, const Session *session);

/// Call after a tick: the present state becomes the past.
void session_view_tick(SessionView *view, Session *session);
/// Call after a start, a seek or a restart: there is no past, and all of the ground is new.
void session_view_jump(SessionView *view, Session *session);
/// Levers to show until the next tick, where the session does not know those that led to its state (after a seek).
void session_view_set_levers(SessionView *view, const OperatorControls *controls);

/// Fills the whole view for the moment `blend` (0..1: from the tick before the last to the last) except camera, menu,
/// time line and the HUD's message, hints and flags, which the caller sets afterwards. The result belongs to the
/// SessionView; its pointers hold until the session's next tick. Clears the ground's dirty marks, so draw what it
/// returns.
RenderView *session_view_build(SessionView *view, Session *session, double blend);

/// Text about a failed attempt, in two lines; NULL where it has not failed. `key`: starts again, ""
/// where none is known. Belongs to the view, until the next call.
const char *session_view_failure(SessionView *view, const Session *session, const char *key);

/// Text about tracks beyond the edge of the site, with the distance, else about a leak, a new damage or what a truck's
/// driver says; NULL where there is none of it. Belongs to the view, until the next call of this or the last function.
const char *session_view_notice(SessionView *view, const Session *session);

/// Adds the grade display (site_overlays.h) to what session_view_build returned last; nothing where the exercise asks
/// for neither a trench nor a surface.
/// panel   it is shown
/// colors  of cut and fill on the ground
void session_view_add_grade(SessionView *view, Session *session, bool panel, bool colors);

/// Adds the section of the ground (site_overlays.h) to what session_view_build returned last.
/// height  m the section shows from top to bottom; 0: what it shows by itself
void session_view_add_section(SessionView *view, Session *session, double height);

/// Adds the debug view of the session's last tick (site_overlays.h) to what session_view_build returned last.
void session_view_add_debug(SessionView *view, Session *session);

/// ---- beside the camera ---------------------------------------------------------------------------------------------

/// What a window shows beside its camera: the rear camera, another one in a corner, mirrors, screens and eyes.

/// Belongs to the window, survives restarts and seeks. Zero but for `set` at first.
typedef struct Views {
    SettingsViews set;
    bool moved; ///< the machine has gone back or swung
    double moved_at; ///< s of RenderHud.time, when it did last
} Views;

/// Chooses the next setting of the rear camera: off, automatic, always.
void views_step_rear(Views *views);
/// Chooses the next camera in the corner, or none after the last.
void views_step_inset(Views *views);

/// Adds all of it to the view. A camera that fills the whole picture is not repeated in a corner.
void views_show(Views *views, RenderView *view);

/// Sets the layout of the view's panels.
void views_lay_out(const SettingsPanels *panels, SettingsGauges gauges, RenderView *view);

/// True when `camera` or an inset cuts the ground, so that the view needs its section.
bool views_cut_ground(const Views *views, RenderCamera camera);

#endif
