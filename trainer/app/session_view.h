/// Session -> RenderView. Keeps what the last two ticks looked like, so that a frame shows a moment between them; never
/// changes the session's state.
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

/// What quantities are written in from now on; metric at first.
void session_view_set_units(SessionView *view, TextUnits units);

/// The session's scene with its texts in the language that people read (language_choose). Belongs to the view.
const SceneParams *session_view_scene(SessionView *view, const Session *session);

/// Reads these texts anew, where they are, after another language was chosen.
void session_view_translate(SessionView *view, const Session *session);

/// Takes in the session after a tick: what was the present becomes the past.
void session_view_tick(SessionView *view, Session *session);
/// Takes in the session after a start, a seek or a restart: there is no past, and all of the ground is new.
void session_view_jump(SessionView *view, Session *session);
/// Levers to show until the next tick, where the session does not know those that led to its state (after a seek).
void session_view_set_levers(SessionView *view, const OperatorControls *controls);

/// Fills the whole view for the moment `blend` (0 = the tick before the last, 1 = the last) except camera, menu, time
/// line and the HUD's message, hints and flags, which the caller sets afterwards. The result belongs to the
/// SessionView; its pointers hold until the session's next tick. Clears the ground's dirty marks, so draw what it
/// returns.
RenderView *session_view_build(SessionView *view, Session *session, double blend);

/// What the screen says where the attempt has failed, in two lines; NULL where it has not. `key`: starts again, ""
/// where none is known. Belongs to the view, until the next call.
const char *session_view_failure(SessionView *view, const Session *session, const char *key);

/// What the screen says while the tracks are beyond the edge of the site: by how much; NULL where they are not. Belongs
/// to the view, until the next call of this or the last function.
const char *session_view_outside(SessionView *view, const Session *session);

/// Adds the grade display (grade_view.h) to what session_view_build returned last; nothing where the exercise asks for
/// neither a trench nor a surface.
/// panel   it is shown
/// colors  of cut and fill on the ground
void session_view_add_grade(SessionView *view, Session *session, bool panel, bool colors);

/// Adds what the section camera cuts (cameras/section_view.h) to what session_view_build returned last.
/// height  m the section shows from top to bottom; 0: what it shows by itself
void session_view_add_section(SessionView *view, Session *session, double height);

/// Adds the debug view of the session's last tick (debug_view.h) to what session_view_build returned last.
void session_view_add_debug(SessionView *view, Session *session);

/// ---- beside the camera ---------------------------------------------------------------------------------------------

/// What a window shows beside its own camera: the rear camera, another one in a corner, mirrors, screens and eyes.

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
