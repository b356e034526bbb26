/// Draws a session's present state by any renderer: all that a picture without a window shows. Needs no SDL.
#include <string.h>

#include "trainer/app/camera.h"
#include "trainer/app/offscreen.h"
#include "trainer/app/session_view.h"

void offscreen_render(Renderer *renderer, Session *session, const OffscreenLook *look, int width, int height)
{
    Camera place = camera_default(look->camera);
    if (look->placed) {
        camera_put(&place, look->eye, look->target);
    }
    SessionView *own = session_view_create();
    session_view_set_path(own, look->path);
    session_view_set_units(own, look->units);
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    bool panels = look->panels != OFFSCREEN_PANELS_OFF;
    session_view_add_grade(own, session, panels, look->cut_fill);
    view->hud.visible = panels;
    view->hud.compact = look->panels == OFFSCREEN_PANELS_STRIP;
    if (look->ghost != NULL) {
        view->ghost = *look->ghost;
    }
    if (look->race != NULL) {
        view->hud.race_count = look->race->race_count;
        memcpy(view->hud.race, look->race->race, sizeof view->hud.race);
    }
    if (look->debug) {
        session_view_add_debug(own, session);
    }
    Views views = {.set = look->views};
    if (views_cut_ground(&views, look->camera)) {
        session_view_add_section(own, session, place.section_height);
    }
    camera_aim(&place, view);
    views_show(&views, view);
    RenderClearance alone = {.camera = look->camera};
    render_clear_work(look->clearance != NULL ? look->clearance : &alone, view, width, height);
    render_draw(renderer, view, width, height);
    session_view_destroy(own);
}
