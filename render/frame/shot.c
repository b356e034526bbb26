/// Draws what one camera sees of a prepared frame: ground, grains, rocks, trucks, the machine, the sky, lines and
/// glass.
#include "render/frame/frame.h"

#include <math.h>
#include <string.h>

/// The dust on them has the colour of the site's uppermost soil.
SolidPass frame_solid_pass(const Renderer *renderer, const SceneParams *scene, bool depth)
{
    SolidPass pass = {.programs = &renderer->solids,
                      .depth = depth,
                      .plain = renderer->low,
                      .lamps_lit = renderer->daylight.lamps > 0.1,
                      .dust = {0.0f, 0.0f, 0.0f, 0.85f}};
    int soil = scene->ground.layer_count > 0 ? scene->ground.layers[0].soil_index : 0;
    soil = soil >= 0 && soil < scene->soil_count ? soil : 0;
    for (int k = 0; k < 3; k++) {
        pass.dust[k] = 0.5f * (scene->soils[soil].color_weathered[k] + scene->soils[soil].color_fresh[k]) * 1.05f;
    }
    return pass;
}

void frame_draw_solids(Renderer *renderer, const RenderView *view, vec4 planes[6], const float eye[3], bool depth)
{
    SolidPass solids = frame_solid_pass(renderer, view->scene, depth);
    for (int k = 0; k < view->grid_count && k < RENDER_MAX_GRIDS; k++) {
        bool colored = k == 0 && !depth && view->grade.colors && view->grade.design != NULL;
        TerrainPass pass = {.depth = depth,
                            .tray = k > 0,
                            .tolerance = colored ? (float)view->grade.tolerance : 0.0f,
                            .reach = renderer->low ? TERRAIN_REACH_LOW : TERRAIN_REACH,
                            .least = renderer->low && depth && k == 0 ? 1 : 0,
                            .planes = planes,
                            .eye = {eye[0], eye[1], eye[2]}};
        terrain_draw(&renderer->terrain[k], &renderer->terrain_shared, &view->grids[k], &pass);
    }
    frame_end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_GROUND);
    particle_spheres_draw(&renderer->spheres, view->scene, depth);
    frame_end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_GRAINS);
    glEnable(GL_CULL_FACE);
    rock_model_draw(&renderer->rocks, &solids, &view->rocks);
    fixture_model_draw(&renderer->fixtures, &solids);
    load_model_draw(&renderer->loads, &solids, view);
    staff_model_draw(&renderer->staffs, &solids);
    truck_model_draw(&renderer->trucks, &solids, view);
    MachineStand stand = machine_stand_of_view(view);
    machine_model_draw(&renderer->machine, &solids, &stand);
    glDisable(GL_CULL_FACE);
    frame_end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_MACHINES);
}

static void draw_sky(const Renderer *renderer)
{
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glUseProgram(renderer->sky_program);
    glBindVertexArray(renderer->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
}

static void draw_lines(const Renderer *renderer, const RenderView *view, double thickness)
{
    const double lift = 0.02; // m over the ground
    const RenderDebug *debug = &view->debug;
    line_batch_draw(&renderer->lines, view->lines, view->line_count, thickness, lift);
    if (debug->visible) {
        line_batch_draw(&renderer->lines, debug->ground_lines, debug->ground_line_count, thickness, lift);
        glDisable(GL_DEPTH_TEST);
        line_batch_draw(&renderer->lines, debug->force_lines, debug->force_line_count, thickness, 0.0);
        glEnable(GL_DEPTH_TEST);
    }
}

/// Puts what belongs to the shot into the frame's uniforms and sends them.
static void aim(Renderer *renderer, const Shot *shot)
{
    FrameUniforms *uniforms = &renderer->uniforms;
    glm_mat4_copy((vec4 *)shot->camera.view_projection, uniforms->view_projection);
    glm_mat4_copy((vec4 *)shot->camera.inverse, uniforms->inverse_view_projection);
    memcpy(uniforms->eye, shot->camera.eye, 3 * sizeof(float));
    frame_set_viewport(uniforms, shot->width, shot->height);
    frame_send_uniforms(renderer);
}

void shot_draw(Renderer *renderer, const RenderView *view, const Shot *shot)
{
    aim(renderer, shot);
    glViewport(shot->x, shot->y, shot->width, shot->height);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow.texture);
    frame_draw_solids(renderer, view, (vec4 *)shot->camera.planes, shot->camera.eye, false);
    draw_sky(renderer);
    draw_lines(renderer, view, fmax(1.5, shot->height / 360.0));
    SolidPass solids = frame_solid_pass(renderer, view->scene, false);
    MachineStand ghost = machine_stand_of_ghost(view, shot->kind == RENDER_CAMERA_CAB);
    machine_model_draw_ghost(&renderer->ghost, &solids, &ghost);
    if (shot->kind != RENDER_CAMERA_CAB) {
        machine_model_draw_glass(&renderer->machine, &solids, view);
    }
    frame_end_pass(renderer, RENDER_PASS_SKY);
}
