/// What all pictures of a frame share: grids, grains and models as they are now, the maps of shadows, and the uniforms
/// that do not belong to a camera.
#include "render/shot.h"

#include <math.h>
#include <string.h>

/// Sends what changed of the grids; all of it when the soils are others.
static void follow_grids(Renderer *renderer, const RenderView *view)
{
    bool forget = !renderer->has_scene || memcmp(renderer->soils, view->scene->soils, sizeof(renderer->soils)) != 0;
    if (forget) {
        memcpy(renderer->soils, view->scene->soils, sizeof(renderer->soils));
        renderer->has_scene = true;
    }
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        if (k < view->grid_count) {
            terrain_update(&renderer->terrain[k], &view->grids[k], view->scene, forget, renderer->low,
                           renderer->low && k == 0);
        } else {
            terrain_destroy(&renderer->terrain[k]);
        }
    }
    if (view->grid_count > 0 && view->grade.colors) {
        terrain_follow_design(&renderer->terrain[0], &view->grids[0], &view->grade);
    }
}

/// Fills what all pictures share.
static void fill_shared(FrameUniforms *uniforms, const RenderView *view, const Shadows *shadows,
                        const Daylight *daylight)
{
    memset(uniforms, 0, sizeof(*uniforms));
    glm_mat4_copy((vec4 *)shadows->light[SHADOW_SITE], uniforms->light_projection);
    uniforms->shadows = shadows->uniforms;
    memcpy(uniforms->sun, daylight->to_light, 3 * sizeof(float));
    uniforms->daylight = daylight->uniforms;
    lamps_compute(view, daylight->lamps, &uniforms->lamps);
    occluders_compute(view, &uniforms->occluders);
}

/// Sends what changed of everything but the grids.
static void follow_models(Renderer *renderer, const RenderView *view)
{
    truck_model_follow(&renderer->trucks, view->scene);
    fixture_model_follow(&renderer->fixtures, view->scene, view->person_ground);
    load_model_follow(&renderer->loads, view->load_count);
    machine_model_follow(&renderer->machine, view->machine);
    machine_model_follow(&renderer->ghost, view->ghost.machine);
    const MachineStand stand = machine_stand_of_view(view);
    machine_model_bend(&renderer->machine, &stand, renderer->low);
    rock_model_follow(&renderer->rocks, &view->rocks);
    staff_model_follow(&renderer->staffs, view);
    landscape_follow(&renderer->landscape, view->scene);
}

void frame_prepare(Renderer *renderer, const RenderView *view, const Shot *main)
{
    SceneWeather weather = view->scene->weather;
    weather.visibility = view->visibility > 0.0 ? view->visibility : weather.visibility;
    daylight_compute(&weather, &renderer->daylight);
    bool keeps_shadow = !renderer->whole && renderer->frames % renderer->shadow_every != 0;
    if (!keeps_shadow) {
        shadows_place(&renderer->shadows, view, &renderer->shadow, &renderer->daylight);
    }
    fill_shared(&renderer->uniforms, view, &renderer->shadows, &renderer->daylight);
    renderer->uniforms.sun[3] = 2.0f * SHADOW_RADIUS / (float)renderer->shadow.texels[SHADOW_SITE];
    follow_grids(renderer, view);
    follow_models(renderer, view);
    const Camera *camera = &main->camera;
    grains_update(&renderer->grains, view, camera->eye,
                  renderer->low ? 0.0 : main->height / (2.0 * tan(0.5 * (double)camera->field_of_view)));
    if (!renderer->low) {
        crumbs_update(&renderer->crumbs, view, camera);
        dust_update(&renderer->dust, view);
    }
    frame_send_uniforms(renderer);
    frame_end_pass(renderer, RENDER_PASS_UPLOAD);
    if (!keeps_shadow && renderer->shadow.framebuffer != 0) {
        shadows_draw(renderer, view, camera->eye);
    }
}
