/// Draws what one camera sees of a prepared frame: ground, grains, rocks, trucks, the machine, the sky, lines and
/// glass; and the solids of it into the maps of shadows.
#include "render/shot.h"

#include <math.h>
#include <string.h>
#include <time.h>

/// ---- uniforms and passes -------------------------------------------------------------------------------------------

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void frame_begin_passes(Renderer *renderer)
{
    renderer->pass_began = renderer->seconds != NULL ? clock_now() : 0.0;
}

void frame_end_pass(Renderer *renderer, RenderPass pass)
{
    if (renderer->seconds != NULL) {
        glFinish();
        double now = clock_now();
        renderer->seconds[pass] += now - renderer->pass_began;
        renderer->pass_began = now;
    }
}

void frame_set_viewport(FrameUniforms *uniforms, int width, int height)
{
    const float viewport[4] = {(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height};
    memcpy(uniforms->viewport, viewport, sizeof(viewport));
}

void frame_send_uniforms(const Renderer *renderer)
{
    const FrameUniforms *frame = &renderer->uniforms;
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)sizeof(*frame), frame, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, GL_FRAME_BINDING, renderer->frame_buffer);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_NOISE);
    glBindTexture(GL_TEXTURE_2D, renderer->noise);
}

/// ---- shots ---------------------------------------------------------------------------------------------------------

static void make_cameras(Shot *shot)
{
    double aspect = (double)shot->width / shot->height;
    camera_from_place(&shot->place, aspect, &shot->camera);
    shot->cut_depth = camera_cut(&shot->place, aspect, &shot->cut);
}

Shot shot_of(const RenderView *view, RenderCamera kind, int x, int y, int width, int height)
{
    Shot shot = {.kind = kind, .x = x, .y = y, .width = width, .height = height};
    shot.place = camera_place(view, kind);
    make_cameras(&shot);
    return shot;
}

int shots_of(const RenderView *view, int width, int height, Shot shots[CAMERA_MAX_PANES])
{
    CameraPane panes[CAMERA_MAX_PANES];
    int count = camera_panes(view, width, panes);
    CameraPlace place = camera_place(view, view->camera);
    for (int k = 0; k < count; k++) {
        shots[k] = (Shot){.kind = view->camera, .x = panes[k].x, .width = panes[k].width, .height = height};
        shots[k].place =
            count > 1 ? camera_pane_place(view, &place, &panes[k], (double)panes[k].width / height) : place;
        make_cameras(&shots[k]);
    }
    return count;
}

/// ---- solids --------------------------------------------------------------------------------------------------------

/// How solids are drawn: into the shadow map (`depth`) or a picture.
typedef struct SolidsPass {
    bool depth;
    bool coarse; ///< less fine than the quality asks for
    bool cut; ///< what is cut open shows that it is solid
    const GlStage *stage; ///< that is the target, with places; NULL: none is
    vec4 *planes; ///< 6, of the view volume
    FloatVec3 eye; ///< m, world: fineness goes by the distance to it
    double pixel; ///< rad that a pixel has from there; 0: the ground is as fine as its distance asks for
} SolidsPass;

/// What all solids of a pass share. The dust on them has the colour of the site's uppermost soil.
static SolidPass solid_pass_of(const Renderer *renderer, const SceneParams *scene, bool depth)
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

static void draw_grids(Renderer *renderer, const RenderView *view, const SolidsPass *from)
{
    bool depth = from->depth;
    for (int k = 0; k < view->grid_count && k < RENDER_MAX_GRIDS; k++) {
        bool colored = k == 0 && !depth && view->grade.colors && view->grade.design != NULL;
        TerrainPass pass = {.depth = depth,
                            .tray = k > 0,
                            .tolerance = colored ? (float)view->grade.tolerance : 0.0f,
                            .reach = renderer->low || from->coarse ? TERRAIN_REACH_LOW : TERRAIN_REACH,
                            .least = renderer->low && depth && k == 0 ? 1 : 0,
                            .pixel = from->pixel,
                            .planes = from->planes,
                            .stage = from->stage,
                            .lamps_lit = renderer->uniforms.lamps.place[0][3] > 0.0f,
                            .eye = {from->eye[0], from->eye[1], from->eye[2]}};
        terrain_draw(&renderer->terrain[k], &renderer->terrain_shared, &view->grids[k], &pass);
    }
    frame_end_pass(renderer, depth ? RENDER_PASS_SHADOW : RENDER_PASS_GROUND);
}

/// Draws the site: ground, grains, rocks, fixtures and trucks.
static void draw_site(Renderer *renderer, const RenderView *view, const SolidsPass *pass)
{
    solid_programs_aim(&renderer->solids, pass->planes);
    SolidPass solids = solid_pass_of(renderer, view->scene, pass->depth);
    glEnable(GL_CULL_FACE);
    rock_model_draw(&renderer->rocks, &solids, &view->rocks);
    fixture_model_draw(&renderer->fixtures, &solids);
    person_model_draw(&renderer->persons, view->persons, view->person_count, &solids);
    staff_model_draw(&renderer->staffs, &solids);
    truck_model_draw(&renderer->trucks, &solids, view);
    water_model_draw(&renderer->water, &solids, &view->water);
    glDisable(GL_CULL_FACE);
    frame_end_pass(renderer, pass->depth ? RENDER_PASS_SHADOW : RENDER_PASS_MACHINES);
    draw_grids(renderer, view, pass);
    grains_draw(&renderer->grains, view->scene, pass->depth, pass->cut);
    if (!renderer->low && !pass->depth) {
        crumbs_draw(&renderer->crumbs, renderer->terrain, view);
        grass_draw(&renderer->grass, &renderer->terrain[0], view);
    }
    frame_end_pass(renderer, pass->depth ? RENDER_PASS_SHADOW : RENDER_PASS_GRAINS);
}

/// Draws the machine and what hangs on it.
static void draw_machine(Renderer *renderer, const RenderView *view, const SolidsPass *pass)
{
    solid_programs_aim(&renderer->solids, pass->planes);
    SolidPass solids = solid_pass_of(renderer, view->scene, pass->depth);
    solids.plain = solids.plain || pass->coarse;
    glEnable(GL_CULL_FACE);
    load_model_draw(&renderer->loads, &solids, view);
    thing_model_draw(&renderer->things, &solids, view);
    tool_model_draw(&renderer->tools, &solids, view);
    MachineStand stand = machine_stand_of_view(view);
    machine_model_draw(&renderer->machine, &solids, &stand);
    glDisable(GL_CULL_FACE);
    frame_end_pass(renderer, pass->depth ? RENDER_PASS_SHADOW : RENDER_PASS_MACHINES);
}

#define SHADOW_PIXEL 0.002 ///< rad: shadows are less sharp than a pixel of a picture of 720 rows. Chosen

void shot_draw_shadows(Renderer *renderer, const RenderView *view, const float eye[3])
{
    GLint target = 0;
    Shadows *shadows = &renderer->shadows;
    FrameUniforms *uniforms = &renderer->uniforms;
    const FrameUniforms usual = *uniforms;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    for (int part = 0; part < SHADOW_PARTS; part++) {
        if (!shadows->drawn[part]) {
            continue;
        }
        glm_mat4_copy(shadows->light[part], uniforms->light_projection);
        if (part == SHADOW_LAMP) {
            memcpy(uniforms->sun, shadows->to_lamp, sizeof shadows->to_lamp);
        }
        frame_send_uniforms(renderer);
        shadow_begin(&renderer->shadow, (ShadowPart)part);
        SolidsPass pass = {
            .depth = true, .planes = shadows->planes[part], .eye = {eye[0], eye[1], eye[2]}, .pixel = SHADOW_PIXEL};
        draw_site(renderer, view, &pass);
        draw_machine(renderer, view, &pass);
        shadow_end();
    }
    *uniforms = usual;
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}

/// ---- mirrors -------------------------------------------------------------------------------------------------------

#define MIRROR_RADIUS 0.8 ///< m: how mirrors of excavators and dozers bulge. Estimate

/// The glass of a mirror, in the world frame.
static MirrorGlass place_glass(const RenderView *view, const FittingMirror *mirror)
{
    const double before = 0.002; // m before the pane of the housing
    const Pose *body = &view->body[mirror->body];
    const Mat3 *turn = &mirror->glass.rotation;
    Vec3 out = vec3(turn->m[0][0], turn->m[1][0], turn->m[2][0]);
    return (MirrorGlass){.frame = {pose_apply(body, vec3_madd(mirror->glass.position, before, out)),
                                   mat3_product(&body->rotation, turn)},
                         .width = mirror->width,
                         .height = mirror->height,
                         .radius = MIRROR_RADIUS};
}

int shot_mirrors(const Renderer *renderer, const RenderView *view, MirrorGlass glasses[FITTINGS_MAX_MIRRORS])
{
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    if (view->machine == NULL || view->camera != RENDER_CAMERA_CAB || view->mirrors == RENDER_MIRRORS_OFF ||
        (view->mirrors == RENDER_MIRRORS_AUTO && renderer->low)) {
        return 0;
    }
    int count = machine_mirrors(view->machine, mirrors);
    for (int k = 0; k < count; k++) {
        glasses[k] = place_glass(view, &mirrors[k]);
    }
    return count;
}

/// Puts the mirrors' pictures on their glasses, into the picture that is being drawn.
static void draw_mirrors(const Renderer *renderer, const RenderView *view)
{
    MirrorGlass glasses[FITTINGS_MAX_MIRRORS];
    int count = shot_mirrors(renderer, view, glasses);
    for (int k = 0; k < count; k++) {
        if (renderer->insets.mirror[k].drawn) {
            Vec3 corners[4];
            float places[4][3];
            mirror_corners(&glasses[k], corners);
            for (int n = 0; n < 4; n++) {
                linear_from_vec3(corners[n], places[n]);
            }
            glActiveTexture(GL_TEXTURE0 + GL_UNIT_OVERLAY);
            glBindTexture(GL_TEXTURE_2D, renderer->insets.mirror[k].stage.color);
            glUseProgram(renderer->insets.mirror_program);
            glUniform3fv(renderer->insets.corner, 4, places[0]);
            glBindVertexArray(renderer->insets.array);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
}

/// ---- the whole picture ---------------------------------------------------------------------------------------------

/// Things around the site hide nothing: where the eye is outside it, those between it and the machine are left out.
static double landscape_reach(const RenderView *view, const Shot *shot)
{
    Vec3 base = view->body[MACHINE_BASE].position;
    const float *eye = shot->camera.eye;
    double away = hypot((double)eye[0] - base.x, (double)eye[1] - base.y);
    return shot->kind == RENDER_CAMERA_CAB ? 0.0 : fmax(away - 3.0, 0.0);
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

void shot_aim(Renderer *renderer, const Shot *shot, const Camera *camera)
{
    FrameUniforms *uniforms = &renderer->uniforms;
    glm_mat4_copy((vec4 *)camera->view_projection, uniforms->view_projection);
    glm_mat4_copy((vec4 *)camera->inverse, uniforms->inverse_view_projection);
    memcpy(uniforms->eye, camera->eye, 3 * sizeof(float));
    frame_set_viewport(uniforms, shot->width, shot->height);
    frame_send_uniforms(renderer);
}

/// Without perspective what is seen is as fine as from where a camera with one would show it as large.
static void find_fineness(const Shot *shot, SolidsPass *pass)
{
    const CameraPlace *place = &shot->place;
    const double flat = 1.25; // times the height of the picture, m, that this place is away
    double away = vec3_length(vec3_sub(place->eye, place->target));
    double share = place->field_of_view > 0.0 ? 1.0 : fmin(flat * place->height / away, 1.0);
    linear_from_vec3(vec3_madd(place->target, share, vec3_sub(place->eye, place->target)), pass->eye);
    double rows = place->field_of_view > 0.0 ? 2.0 * tan(0.5 * place->field_of_view) : 1.0 / flat;
    pass->pixel = rows / shot->height;
}

/// The site is drawn with the second near plane, at the depths that the whole camera gives it; then the cut's face.
static void draw_cut_site(Renderer *renderer, const RenderView *view, const Shot *shot, const SolidsPass *whole)
{
    SolidsPass pass = *whole;
    pass.planes = (vec4 *)shot->cut.planes;
    pass.cut = true;
    shot_aim(renderer, shot, &shot->cut);
    glDepthRange(shot->cut_depth, 1.0);
    draw_site(renderer, view, &pass);
    glDepthRange(0.0, 1.0);
    shot_aim(renderer, shot, &shot->camera);
    section_face_draw(&renderer->section, view, shot->place.target.z - shot->place.height);
}

/// Lines do not write depth, so they follow the sky.
static void draw_shot_lines(Renderer *renderer, const RenderView *view, const Shot *shot)
{
    double thickness = fmax(1.5, shot->height / 360.0);
    if (!(shot->cut_depth > 0.0)) {
        draw_lines(renderer, view, thickness);
        return;
    }
    shot_aim(renderer, shot, &shot->cut);
    glDepthRange(shot->cut_depth, 1.0);
    draw_lines(renderer, view, thickness);
    glDepthRange(0.0, 1.0);
    shot_aim(renderer, shot, &shot->camera);
    section_face_draw_lines(&renderer->lines, &view->section, thickness);
}

void shot_draw(Renderer *renderer, const RenderView *view, const Shot *shot)
{
    SolidsPass pass = {.coarse = shot->coarse, .planes = (vec4 *)shot->camera.planes};
    pass.stage = shot->stage != NULL && shot->stage->places_framebuffer != 0 ? shot->stage : NULL;
    find_fineness(shot, &pass);
    pass.pixel =
        renderer->low ? 0.0 : pass.pixel; // at low quality corners of chunks have the shade of what stands there
    glViewport(shot->x, shot->y, shot->width, shot->height);
    glFrontFace(shot->camera.mirrored ? GL_CW : GL_CCW);
    glActiveTexture(GL_TEXTURE0 + GL_UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow.texture);
    shot_aim(renderer, shot, &shot->camera);
    draw_machine(renderer, view, &pass); // first: what it hides of the ground is then not lit
    if (shot->cut_depth > 0.0) {
        draw_cut_site(renderer, view, shot, &pass);
    } else {
        draw_site(renderer, view, &pass);
    }
    if (shot->kind == RENDER_CAMERA_CAB && !shot->coarse) {
        draw_mirrors(renderer, view);
    }
    if (shot->place.field_of_view > 0.0) { // a drawing to scale has no landscape
        landscape_draw(&renderer->landscape, landscape_reach(view, shot));
    }
    draw_sky(renderer);
    draw_shot_lines(renderer, view, shot);
    if (!renderer->low && shot->place.field_of_view > 0.0) {
        dust_draw(&renderer->dust, view);
    }
    if (shot->place.field_of_view > 0.0) {
        const double under_roof = shot->kind == RENDER_CAMERA_CAB ? 1.8 : 0.5; // m
        rain_draw(&renderer->rain, (double)renderer->daylight.uniforms.rain, view->hud.time, under_roof);
    }
    SolidPass solids = solid_pass_of(renderer, view->scene, false);
    MachineStand ghost = machine_stand_of_ghost(view, shot->kind == RENDER_CAMERA_CAB);
    machine_model_draw_ghost(&renderer->ghost, &solids, &ghost);
    if (shot->kind != RENDER_CAMERA_CAB) {
        machine_model_draw_glass(&renderer->machine, &solids, view);
    }
    glFrontFace(GL_CCW);
    frame_end_pass(renderer, RENDER_PASS_SKY);
}
