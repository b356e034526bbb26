/// What a view says of its camera, apart from all else that is in it.
#include "render/beside.h"

RenderAim render_aim_of(const RenderView *view)
{
    return (RenderAim){.camera = view->camera,
                       .orbit_yaw = view->orbit_yaw,
                       .orbit_pitch = view->orbit_pitch,
                       .orbit_distance = view->orbit_distance,
                       .cab_yaw = view->cab_yaw,
                       .cab_pitch = view->cab_pitch,
                       .cab_lean = view->cab_lean,
                       .plan_height = view->plan_height,
                       .plan_x = view->plan_x,
                       .plan_y = view->plan_y,
                       .section_height = view->section_height,
                       .free_placed = view->free_placed,
                       .free_eye = view->free_eye,
                       .free_yaw = view->free_yaw,
                       .free_pitch = view->free_pitch};
}

void render_aim_at(const RenderAim *aim, RenderView *view)
{
    view->camera = aim->camera;
    view->orbit_yaw = aim->orbit_yaw;
    view->orbit_pitch = aim->orbit_pitch;
    view->orbit_distance = aim->orbit_distance;
    view->cab_yaw = aim->cab_yaw;
    view->cab_pitch = aim->cab_pitch;
    view->cab_lean = aim->cab_lean;
    view->plan_height = aim->plan_height;
    view->plan_x = aim->plan_x;
    view->plan_y = aim->plan_y;
    view->section_height = aim->section_height;
    view->free_placed = aim->free_placed;
    view->free_eye = aim->free_eye;
    view->free_yaw = aim->free_yaw;
    view->free_pitch = aim->free_pitch;
}
