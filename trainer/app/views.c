/// The rear camera that comes by itself goes by the levers, as a machine's does: it is there before the machine moves.
#include "trainer/app/views.h"

#include <math.h>

#define LEVER_MOVES 0.08 ///< of a lever's way: more than its dead band
#define STAYS       2.0 ///< s for which the rear camera stays after the levers are let go. Chosen

void views_step_rear(Views *views)
{
    views->set.rear = (SettingsRear)((views->set.rear + 1) % SETTINGS_REAR_COUNT);
}

void views_step_inset(Views *views)
{
    views->set.inset = (views->set.inset + 1) % (CAMERA_COUNT + 1);
    if (views->set.inset == 1 + (int)RENDER_CAMERA_REAR) { // which has a key of its own
        views->set.inset++;
    }
}

/// The machine goes back, turns on the spot or swings.
static bool is_moved_back(const double levers[CONTROL_COUNT])
{
    return fmin(levers[CONTROL_LEFT_TRACK], levers[CONTROL_RIGHT_TRACK]) < -LEVER_MOVES ||
           fabs(levers[CONTROL_SWING]) > LEVER_MOVES;
}

static bool shows_rear(Views *views, const RenderHud *hud)
{
    bool moves = is_moved_back(hud->levers);
    double since = hud->time - views->moved_at;
    views->moved_at = moves ? hud->time : views->moved_at;
    views->moved = moves || (views->moved && since >= 0.0 && since < STAYS);
    return views->set.rear == SETTINGS_REAR_ON || (views->set.rear == SETTINGS_REAR_AUTO && views->moved);
}

static void add_inset(RenderView *view, RenderCamera camera)
{
    if (camera != view->camera && view->inset_count < RENDER_MAX_INSETS) {
        view->insets[view->inset_count++] = camera;
    }
}

void views_show(Views *views, RenderView *view)
{
    const SettingsViews *set = &views->set;
    view->inset_count = 0;
    if (shows_rear(views, &view->hud)) {
        add_inset(view, RENDER_CAMERA_REAR);
    }
    if (set->inset > 0) {
        add_inset(view, (RenderCamera)(set->inset - 1));
    }
    view->mirrors = set->mirrors == SETTINGS_MIRRORS_OFF  ? RENDER_MIRRORS_OFF
                    : set->mirrors == SETTINGS_MIRRORS_ON ? RENDER_MIRRORS_ON
                                                          : RENDER_MIRRORS_AUTO;
    view->screens = set->screens;
    view->screen_angle = set->screen_angle;
    view->eyes = set->eyes;
}

bool views_cut_ground(const Views *views, RenderCamera camera)
{
    return camera == RENDER_CAMERA_SECTION || views->set.inset == 1 + (int)RENDER_CAMERA_SECTION;
}

void views_lay_out(const SettingsPanels *panels, SettingsGauges gauges, RenderView *view)
{
    view->layout = (RenderLayout){.scale = panels->scale,
                                  .mirrored = panels->mirrored,
                                  .no_task = panels->no_score,
                                  .no_gauges = gauges == SETTINGS_GAUGES_NONE,
                                  .map = !panels->no_map};
}
