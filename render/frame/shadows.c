/// Places the maps of shadows and draws into them: what the sun sees of the site, a finer map of what is around the
/// tool, and by night what the lamps that light the tool best see of it. What throws a shadow and the shadow lie on one
/// ray of light, so that a map around the tool holds the tool's shadow however high it hangs.
#include "render/shot.h"

#include <math.h>
#include <string.h>

#define AROUND_TOOL 1.0 ///< m beyond the ball about the tool, where the finer map ends. Chosen
#define BEHIND_TOOL 14.0f ///< m: how far behind the tool lamps' light is followed

/// A ball about the tool; false where the machine has none.
static bool find_tool(const RenderView *view, Vec3 *middle, double *radius)
{
    if (view->machine == NULL || view->machine->tool_count == 0 || view->machine->tool[0].shape.piece_count == 0) {
        return false;
    }
    const MachineToolParams *tool = &view->machine->tool[0];
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < tool->shape.piece_count; k++) {
        for (int c = 0; c < tool->shape.pieces[k].corner_count; c++) {
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = fmin(low[axis], tool->shape.pieces[k].corners[c][axis]);
                high[axis] = fmax(high[axis], tool->shape.pieces[k].corners[c][axis]);
            }
        }
    }
    Vec3 local = vec3(0.5 * (low[0] + high[0]), 0.0, 0.5 * (low[1] + high[1]));
    *middle = pose_apply(&view->body[tool->body], local);
    *radius = 0.5 * vec3_length(vec3(high[0] - low[0], tool->shape.edge_width, high[1] - low[1]));
    return true;
}

/// The sun's camera looks at a place 3 m ahead of the cab's body: the work lies there.
static void place_site(const RenderView *view, const Daylight *daylight, int texels, Shadows *out)
{
    const Pose *house = &view->body[view->machine != NULL ? view->machine->cab_body : MACHINE_BASE];
    FloatVec3 middle, to_light;
    linear_from_vec3(vec3_madd(house->position, 3.0, vec3(house->rotation.m[0][0], house->rotation.m[1][0], 0.0)),
                     middle);
    glm_vec3_copy((float *)daylight->to_light, to_light);
    camera_compute_sun(middle, to_light, SHADOW_RADIUS, texels, out->light[SHADOW_SITE], out->planes[SHADOW_SITE]);
}

/// Both maps of the sun have its axes: a place in one is one in the other by a scale of x and y and an offset.
static void place_tool(const Daylight *daylight, Vec3 tool, double radius, int texels, Shadows *out)
{
    float reach = (float)(radius + AROUND_TOOL), scale = SHADOW_RADIUS / reach;
    FloatVec3 middle, to_light;
    linear_from_vec3(tool, middle);
    glm_vec3_copy((float *)daylight->to_light, to_light);
    camera_compute_sun(middle, to_light, reach, texels, out->light[SHADOW_TOOL], out->planes[SHADOW_TOOL]);
    const float *site = out->light[SHADOW_SITE][3], *own = out->light[SHADOW_TOOL][3];
    const float across[4] = {own[0] - scale * site[0], own[1] - scale * site[1], own[2] - site[2], scale};
    memcpy(out->uniforms.tool_light, across, sizeof across);
    out->uniforms.fineness[0] = 2.0f * reach / (float)texels;
    out->drawn[SHADOW_TOOL] = true;
}

/// Light that a lamp sheds on a place.
static double lamp_on(const LampUniforms *lamps, int lamp, Vec3 at)
{
    const float *from = lamps->place[lamp], *aim = lamps->aim[lamp];
    Vec3 ray = vec3_sub(at, vec3((double)from[0], (double)from[1], (double)from[2]));
    double away = fmax(vec3_length(ray), 0.1);
    double along = ((double)aim[0] * ray.x + (double)aim[1] * ray.y + (double)aim[2] * ray.z) / away;
    return (double)from[3] * fmax(along - (double)aim[3], 0.0) / (away * away + 8.0);
}

/// Lamps stand in pairs; the pair that lights the tool best is taken for one lamp between the two. What is nearer to it
/// than the tool's surroundings, as the boom that carries it, throws no shadow.
static void place_lamp(const LampUniforms *lamps, Vec3 tool, double radius, int texels, Shadows *out)
{
    double light[2];
    for (int pair = 0; pair < 2; pair++) {
        light[pair] = lamp_on(lamps, 2 * pair, tool) + lamp_on(lamps, 2 * pair + 1, tool);
    }
    int pair = light[1] > light[0] ? 1 : 0;
    FloatVec3 from, to, up = {0.0f, 0.0f, 1.0f};
    linear_from_vec3(tool, to);
    glm_vec3_center((float *)lamps->place[2 * pair], (float *)lamps->place[2 * pair + 1], from);
    float away = glm_vec3_distance(from, to), wide = (float)(1.15 * radius);
    if (!(light[pair] > 0.0) || away < 1.5f * wide) {
        return;
    }
    mat4 view, projection;
    if (fabsf(from[0] - to[0]) + fabsf(from[1] - to[1]) < 0.1f * away) {
        glm_vec3_copy((FloatVec3){1.0f, 0.0f, 0.0f}, up);
    }
    glm_lookat(from, to, up, view);
    glm_perspective(2.0f * atanf(wide / away), 1.0f, away - 1.3f * wide, away + BEHIND_TOOL, projection);
    glm_mat4_mul(projection, view, out->light[SHADOW_LAMP]);
    glm_frustum_planes(out->light[SHADOW_LAMP], out->planes[SHADOW_LAMP]);
    glm_mat4_copy(out->light[SHADOW_LAMP], out->uniforms.lamp_light);
    out->uniforms.fineness[1] = 2.0f * wide / (away * (float)texels);
    out->uniforms.fineness[2] = (float)pair;
    glm_vec3_sub(from, to, out->to_lamp);
    glm_vec3_normalize(out->to_lamp);
    out->drawn[SHADOW_LAMP] = true;
}

void shadows_place(Shadows *out, const RenderView *view, const Shadow *map, const Daylight *daylight)
{
    Vec3 tool;
    double radius;
    memset(out, 0, sizeof *out);
    out->uniforms.fineness[2] = -1.0f;
    shadow_place(map, SHADOW_SITE, out->uniforms.site_part);
    shadow_place(map, SHADOW_TOOL, out->uniforms.tool_part);
    shadow_place(map, SHADOW_LAMP, out->uniforms.lamp_part);
    place_site(view, daylight, map->texels[SHADOW_SITE], out);
    out->drawn[SHADOW_SITE] = true;
    if (map->texels[SHADOW_TOOL] > 0 && find_tool(view, &tool, &radius)) {
        place_tool(daylight, tool, radius, map->texels[SHADOW_TOOL], out);
        if (map->texels[SHADOW_LAMP] > 0 && daylight->lamps > 0.0) {
            LampUniforms lamps;
            lamps_compute(view, daylight->lamps, &lamps);
            place_lamp(&lamps, tool, radius, map->texels[SHADOW_LAMP], out);
        }
    }
}

void shadows_draw(Renderer *renderer, const RenderView *view, const float eye[3])
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
        SolidsPass pass = {.depth = true, .planes = shadows->planes[part], .eye = {eye[0], eye[1], eye[2]}};
        frame_draw_site(renderer, view, &pass);
        frame_draw_machine(renderer, view, &pass);
        shadow_end();
    }
    *uniforms = usual;
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
}
