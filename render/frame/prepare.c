/// What all pictures of a frame share: grids, grains and models as they are now, the sun's shadow map, and the uniforms
/// that do not belong to a camera.
#include "render/frame/frame.h"

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
            terrain_update(&renderer->terrain[k], &view->grids[k], view->scene, forget);
        } else {
            terrain_destroy(&renderer->terrain[k]);
        }
    }
    if (view->grid_count > 0 && view->grade.colors) {
        terrain_follow_design(&renderer->terrain[0], &view->grids[0], &view->grade);
    }
}

/// Fills what all pictures share.
static void fill_shared(FrameUniforms *uniforms, const RenderView *view, mat4 light, const Daylight *daylight,
                        int shadow_texels)
{
    memset(uniforms, 0, sizeof(*uniforms));
    glm_mat4_copy(light, uniforms->light_projection);
    memcpy(uniforms->sun, daylight->to_light, 3 * sizeof(float));
    uniforms->daylight = daylight->uniforms;
    lamps_compute(view, daylight->lamps, &uniforms->lamps);
    uniforms->sun[3] = 2.0f * SHADOW_RADIUS / (float)shadow_texels;
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

static void draw_shadow(Renderer *renderer, const RenderView *view, vec4 planes[6], const float eye[3])
{
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    shadow_begin(&renderer->shadow);
    SolidsPass pass = {.depth = true, .planes = planes, .eye = {eye[0], eye[1], eye[2]}};
    frame_draw_site(renderer, view, &pass);
    frame_draw_machine(renderer, view, &pass);
    shadow_end();
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

/// The sun's camera looks at a place 3 m ahead of the cab's body: the work lies there.
static void place_sun(const RenderView *view, int texels, FloatVec3 to_light, mat4 light, vec4 planes[6])
{
    const Pose *house = &view->body[view->machine != NULL ? view->machine->cab_body : MACHINE_BASE];
    FloatVec3 middle;
    linear_from_vec3(vec3_madd(house->position, 3.0, vec3(house->rotation.m[0][0], house->rotation.m[1][0], 0.0)),
                     middle);
    camera_compute_sun(middle, to_light, SHADOW_RADIUS, texels, light, planes);
}

void frame_prepare(Renderer *renderer, const RenderView *view, const Shot *main)
{
    mat4 light;
    vec4 light_planes[6];
    daylight_compute(&view->scene->weather, &renderer->daylight);
    place_sun(view, renderer->shadow.texels, renderer->daylight.to_light, light, light_planes);
    bool keeps_shadow = renderer->frames % renderer->shadow_every != 0;
    if (!keeps_shadow) {
        glm_mat4_copy(light, renderer->light);
    }
    fill_shared(&renderer->uniforms, view, renderer->light, &renderer->daylight, renderer->shadow.texels);
    follow_grids(renderer, view);
    follow_models(renderer, view);
    const Camera *camera = &main->camera;
    grains_update(&renderer->grains, view, camera->eye,
                  renderer->low ? 0.0 : main->height / (2.0 * tan(0.5 * (double)camera->field_of_view)));
    if (!renderer->low) {
        crumbs_update(&renderer->crumbs, view, camera);
    }
    frame_send_uniforms(renderer);
    frame_end_pass(renderer, RENDER_PASS_UPLOAD);
    if (!keeps_shadow && renderer->shadow.framebuffer != 0) {
        draw_shadow(renderer, view, light_planes, camera->eye);
    }
}
