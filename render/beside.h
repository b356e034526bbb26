/// Draws a frame once more as another camera sees it: for windows beside the first.
#ifndef SPADEWORK_RENDER_BESIDE_H
#define SPADEWORK_RENDER_BESIDE_H

#include "render/render.h"

/// From where a picture of a view is taken: the members of RenderView that have these names.
typedef struct RenderAim {
    RenderCamera camera;
    double orbit_yaw, orbit_pitch, orbit_distance; ///< rad, rad, m
    double cab_yaw, cab_pitch, cab_lean; ///< rad, rad, 0..1
    double plan_height, plan_x, plan_y, section_height; ///< m
    bool free_placed;
    Vec3 free_eye; ///< m
    double free_yaw, free_pitch; ///< rad
} RenderAim;
RenderAim render_aim_of(const RenderView *view); ///< pure; any thread
void render_aim_at(const RenderAim *aim, RenderView *view); ///< pure; any thread

enum { RENDER_MAX_BESIDE = 3 };
/// Draws the frame of the last render_draw once more, into the current framebuffer of width x height pixels (>= 1, else
/// nothing happens): as another camera sees it, without panels, insets and new mirrors. Nothing is sent to the GPU but
/// what belongs to the camera. `view` is the one drawn last but for its aim; a view without a scene is dark.
/// k  0..RENDER_MAX_BESIDE - 1: which of the pictures beside it is, so that each keeps its memory
void render_draw_beside(Renderer *renderer, const RenderView *view, int k, int width, int height);
void render_wait(void); ///< until all that was drawn is there

#endif
