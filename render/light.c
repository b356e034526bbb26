/// Computes the light of a frame. What light is left after the way through the air is physics, by spherical astronomy
/// and optical depths; how blue, how bright and how orange it looks is chosen so that the default afternoon is a
/// pleasant one, and that by a night with a full moon the machine is seen and its bucket needs its lamps.
#include "render/light.h"

#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "render/camera.h"
#include "render/meshes/fittings.h"
#include "render/models/truck_model.h"

/// ---- sun, moon and sky ---------------------------------------------------------------------------------------------

static const double latitude = 50.0 * UNIT_DEG;
static const double declination = 12.55 * UNIT_DEG; ///< of about the 22nd of April
static const double noon = 43654.0; ///< s by the clock: 12:07:34, of a place 13 degrees east in the zone of 15
static const double usual_elevation = 46.05 * UNIT_DEG; ///< of the default time, for which colours are stated
static const double day_length = 86400.0; ///< s
static const double heaviest_rain = 20.0 * UNIT_MM_PER_H; ///< that looks no heavier if there is more

/// Of the default afternoon.
static const float usual_sun[3] = {3.30f, 2.95f, 2.42f};
static const float usual_zenith[3] = {0.150f, 0.300f, 0.600f};
static const float usual_horizon[3] = {0.660f, 0.740f, 0.820f};
static const float usual_ambient_sky[3] = {0.50f, 0.60f, 0.76f};
static const float usual_ambient_ground[3] = {0.30f, 0.255f, 0.20f};
static const float usual_bounce[3] = {0.20f, 0.17f, 0.13f};
static const float usual_glow[3] = {0.231f, 0.165f, 0.0935f};
static const double usual_exposure = 0.62;

/// Of a clear night with a full moon at its highest.
static const float moon[3] = {0.130f, 0.155f, 0.200f};
static const float night_zenith[3] = {0.0035f, 0.0055f, 0.0120f};
static const float night_horizon[3] = {0.010f, 0.013f, 0.022f};
static const float night_ambient_sky[3] = {0.026f, 0.034f, 0.052f};
static const float night_ambient_ground[3] = {0.007f, 0.008f, 0.010f};

static double clamp01(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/// 0 where x <= from, 1 where x >= to, smooth between.
static double smooth_step(double from, double to, double x)
{
    double t = clamp01((x - from) / (to - from));
    return t * t * (3.0 - 2.0 * t);
}

static void mix_color(const float from[3], const float to[3], double share, float out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = (float)((1.0 - share) * (double)from[k] + share * (double)to[k]);
    }
}

static void scale_color(float color[3], double factor)
{
    for (int k = 0; k < 3; k++) {
        color[k] *= (float)factor;
    }
}

/// Takes the colour out by a share, keeping its brightness (luminance of Rec. 709).
static void grey_color(float color[3], double share)
{
    float grey = 0.2126f * color[0] + 0.7152f * color[1] + 0.0722f * color[2];
    mix_color(color, (float[]){0.98f * grey, grey, 1.03f * grey}, share, color);
}

/// With the hour angle H, positive in the afternoon, the latitude f and the declination d (Meeus, Astronomical
/// Algorithms, 2nd ed., eqs. 13.5 and 13.6, as a vector):
///   east = -cos d sin H,  north = cos f sin d - sin f cos d cos H,  up = sin f sin d + cos f cos d cos H
void daylight_sun(double time, double to_sun[3])
{
    double hour = 2.0 * M_PI * (time - noon) / day_length;
    double sf = sin(latitude), cf = cos(latitude), sd = sin(declination), cd = cos(declination);
    to_sun[0] = -cd * sin(hour);
    to_sun[1] = cf * sd - sf * cd * cos(hour);
    to_sun[2] = sf * sd + cf * cd * cos(hour);
}

/// Air that light comes through, in thicknesses of the atmosphere, at an elevation (rad):
///   m = 1 / (sin h + 0.50572 (h + 6.07995 deg)^-1.6364), Kasten and Young, Applied Optics 28 (1989) 4735
static double air_mass(double elevation)
{
    double degrees = fmax(elevation / UNIT_DEG, 0.0);
    return 1.0 / (sin(degrees * UNIT_DEG) + 0.50572 * pow(degrees + 6.07995, -1.6364));
}

/// Sunlight at an elevation: Beer's law with optical depths of a clear, slightly hazy air for red, green and blue.
static void sun_color(double elevation, float color[3])
{
    static const double depth[3] = {0.075, 0.145, 0.27};
    double more = air_mass(elevation) - air_mass(usual_elevation);
    double risen = smooth_step(-0.8 * UNIT_DEG, 2.0 * UNIT_DEG, elevation);
    for (int k = 0; k < 3; k++) {
        color[k] = (float)((double)usual_sun[k] * exp(-depth[k] * more) * risen);
    }
}

/// The clear sky at the sun's elevation, and what sky and ground shed.
static void clear_sky(double elevation, DaylightUniforms *out)
{
    double day = smooth_step(-9.0 * UNIT_DEG, 7.0 * UNIT_DEG, elevation);
    double high = smooth_step(-4.0 * UNIT_DEG, 26.0 * UNIT_DEG, elevation), dim = 0.42 + 0.58 * high;
    mix_color(night_zenith, usual_zenith, day * dim, out->sky_zenith);
    mix_color(night_horizon, usual_horizon, day * dim, out->sky_horizon);
    mix_color(night_ambient_sky, usual_ambient_sky, day * dim, out->ambient_sky);
    mix_color(night_ambient_ground, usual_ambient_ground, day * dim * (0.5 + 0.5 * high), out->ambient_ground);
    mix_color((float[]){0.0f, 0.0f, 0.0f}, usual_bounce, day * high, out->bounce);
    // A low sun reddens the sky around it and the horizon.
    double red =
        smooth_step(-10.0 * UNIT_DEG, 0.0, elevation) * (1.0 - smooth_step(3.0 * UNIT_DEG, 22.0 * UNIT_DEG, elevation));
    mix_color(usual_glow, (float[]){0.62f, 0.25f, 0.07f}, red, out->glow);
    scale_color(out->glow, day);
    mix_color(out->sky_horizon, (float[]){0.40f, 0.30f, 0.25f}, 0.45 * red * day, out->sky_horizon);
    // The eye gets used to less light, but not to all of it.
    out->exposure = (float)(usual_exposure * (1.0 + 0.5 * (1.0 - high) + 0.5 * (1.0 - day)));
    out->night = (float)(1.0 - smooth_step(-9.0 * UNIT_DEG, 0.0, elevation));
}

/// Clouds and fog take the sun away, make the sky grey and spread its light evenly.
static void cover_sky(double clouds, double veil, DaylightUniforms *out)
{
    double overcast = smooth_step(0.45, 1.0, clouds), hidden = 1.0 - (1.0 - overcast) * (1.0 - veil);
    scale_color(out->sun_color, (1.0 - 0.96 * overcast) * (1.0 - 0.90 * veil));
    scale_color(out->glow, 1.0 - hidden);
    scale_color(out->bounce, 1.0 - 0.8 * hidden);
    mix_color(out->sky_zenith, out->sky_horizon, 0.72 * overcast, out->sky_zenith);
    float *colors[] = {out->sky_zenith, out->sky_horizon, out->ambient_sky};
    for (int k = 0; k < 3; k++) {
        grey_color(colors[k], 0.8 * hidden);
        scale_color(colors[k], k < 2 ? 1.0 - 0.30 * overcast : 1.0 + 0.35 * hidden);
    }
    out->exposure *= (float)(1.0 + 0.55 * hidden);
}

/// Extinction of the air, 1/m: of haze by Koschmieder's law, 3.912 / visibility, and of rain of R mm/h
/// 0.248e-3 R^0.67 (ITU-R P.1814, 1.076 R^0.67 dB/km).
static double extinction(const SceneWeather *weather)
{
    return 3.912 / weather->visibility + 0.248e-3 * pow(weather->rain / UNIT_MM_PER_H, 0.67);
}

static void place_light(const double to_sun[3], double elevation, Daylight *daylight)
{
    const double flattest = sin(3.0 * UNIT_DEG);
    // The full moon stands opposite to the sun: it rises where that sets.
    double side = elevation < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        daylight->uniforms.sun_place[k] = (float)to_sun[k];
        daylight->to_light[k] = (float)(side * to_sun[k]);
    }
    daylight->to_light[2] = fmaxf(daylight->to_light[2], (float)flattest);
    glm_vec3_normalize(daylight->to_light);
}

void daylight_compute(const SceneWeather *weather, Daylight *daylight)
{
    static const SceneWeather usual = {14.0 * UNIT_HOUR, 0.35, 1500.0, 0.0};
    const SceneWeather *now = weather->visibility > 0.0 ? weather : &usual;
    DaylightUniforms *out = &daylight->uniforms;
    double to_sun[3];
    memset(daylight, 0, sizeof *daylight);
    daylight_sun(now->time, to_sun);
    double elevation = asin(to_sun[2]);
    place_light(to_sun, elevation, daylight);
    sun_color(elevation, out->sun_color);
    float moonlight[3] = {moon[0], moon[1], moon[2]};
    scale_color(moonlight, smooth_step(1.0 * UNIT_DEG, 14.0 * UNIT_DEG, -elevation));
    glm_vec3_add(out->sun_color, moonlight, out->sun_color);
    clear_sky(elevation, out);
    out->rain = (float)clamp01(now->rain / heaviest_rain);
    out->wetness = (float)(1.0 - exp(-1.2 * now->rain / UNIT_MM_PER_H));
    out->clouds = (float)fmax(now->clouds, smooth_step(0.0, 1.0 * UNIT_MM_PER_H, now->rain));
    out->haze = (float)extinction(now);
    out->veil = (float)smooth_step(log(1200.0), log(60.0), log(3.912 / (double)out->haze));
    out->haze_most = (float)(0.80 + 0.20 * smooth_step(0.003, 0.012, (double)out->haze));
    cover_sky((double)out->clouds, (double)out->veil, out);
    double dull = 0.4 * fmax((double)out->veil, smooth_step(0.2, 0.6, (double)out->rain));
    daylight->lamps = fmax(1.0 - smooth_step(-3.0 * UNIT_DEG, 3.0 * UNIT_DEG, elevation), dull);
}

/// ---- work lamps ----------------------------------------------------------------------------------------------------

// Lamps are spots of light. Their strength is chosen by what they are for: all four together light soil 6 m ahead,
// where the bucket works, nearly as brightly as the default afternoon does.

static const double lamp_strength = 24.0; ///< light times square of the distance; the default sun's light is about 3
static const double lamp_half_cone = 56.0 * UNIT_DEG; ///< of a flood lamp, to where it gives nothing

static void set_lamp(LampUniforms *lamps, int index, const Pose *body, const FittingLamp *lamp, double share)
{
    Vec3 at = pose_apply(body, lamp->at), aim = mat3_mul(&body->rotation, lamp->direction);
    const float place[4] = {(float)at.x, (float)at.y, (float)at.z, (float)(share * lamp_strength)};
    const float direction[4] = {(float)aim.x, (float)aim.y, (float)aim.z, (float)cos(lamp_half_cone)};
    memcpy(lamps->place[index], place, sizeof place);
    memcpy(lamps->aim[index], direction, sizeof direction);
}

void lamps_compute(const RenderView *view, double share, LampUniforms *lamps)
{
    memset(lamps, 0, sizeof *lamps);
    if (view->machine == NULL || !(share > 0.0)) {
        return;
    }
    FittingLamp fittings[FITTINGS_MAX_LAMPS];
    int count = machine_lamps(view->machine, fittings);
    for (int k = 0; k < count && k < LAMPS_MAX; k++) {
        set_lamp(lamps, k, &view->body[fittings[k].body], &fittings[k], share);
    }
}

/// ---- occluders -----------------------------------------------------------------------------------------------------

// Bodies over the ground are rectangles with soft rims. A tool's is the stronger and the sharper the nearer it is: of
// the two signs by which its height is seen, the shadow of the sun and the dark under it, this one needs no sun.

#define UNDER_TRACKS 0.62f ///< strength
#define UNDER_TOOL   0.60 ///< strength, where it touches the ground
#define TOOL_REACH   1.3 ///< m: from this height on a tool takes no light
#define BODY_TOP     0.8 ///< m over a body's frame

static void set_occluder(OccluderUniforms *occluders, int index, Vec3 at, double heading, double half_length,
                         double half_width, float strength, double softness)
{
    const float place[4] = {(float)at.x, (float)at.y, (float)cos(heading), (float)sin(heading)};
    const float size[4] = {(float)half_length, (float)half_width, strength, (float)softness};
    memcpy(occluders->place[index], place, sizeof place);
    memcpy(occluders->size[index], size, sizeof size);
    occluders->top[index] = (float)at.z;
}

static double heading_of(const Pose *pose)
{
    return atan2(pose->rotation.m[1][0], pose->rotation.m[0][0]);
}

/// The box about a tool in the plane in which its arm moves: m ahead of its body's place, and m over it.
static void find_extent(const ToolShape *shape, const Pose *body, double heading, double ahead[2], double *lowest)
{
    const Vec3 along = vec3(cos(heading), sin(heading), 0.0);
    ahead[0] = *lowest = 1e9;
    ahead[1] = -1e9;
    for (int k = 0; k < shape->piece_count; k++) {
        for (int c = 0; c < shape->pieces[k].corner_count; c++) {
            const double *corner = shape->pieces[k].corners[c];
            Vec3 p = mat3_mul(&body->rotation, vec3(corner[0], 0.0, corner[1]));
            double u = vec3_dot(p, along);
            ahead[0] = fmin(ahead[0], u);
            ahead[1] = fmax(ahead[1], u);
            *lowest = fmin(*lowest, p.z);
        }
    }
}

static void add_tool(const RenderView *view, OccluderUniforms *occluders)
{
    const MachineToolParams *tool = &view->machine->tool[0];
    const Pose *body = &view->body[tool->body], *cab = &view->body[view->machine->cab_body];
    double heading = heading_of(cab), ahead[2], lowest;
    if (tool->shape.piece_count == 0) {
        return;
    }
    find_extent(&tool->shape, body, heading, ahead, &lowest);
    double middle = 0.5 * (ahead[0] + ahead[1]);
    Vec3 at = vec3_madd(body->position, middle, vec3(cos(heading), sin(heading), 0.0));
    at.z = body->position.z + lowest;
    double gap = fmax(at.z - camera_ground_height(view, at.x, at.y), 0.0), near = fmax(1.0 - gap / TOOL_REACH, 0.0);
    at.z += 0.15; // what is in the tool is not under it
    set_occluder(occluders, OCCLUDERS_TOOL, at, heading, 0.42 * (ahead[1] - ahead[0]), 0.42 * tool->shape.edge_width,
                 (float)(UNDER_TOOL * near * near), 0.25 + 0.7 * gap);
}

void occluders_compute(const RenderView *view, OccluderUniforms *occluders)
{
    memset(occluders, 0, sizeof *occluders);
    for (int k = 0; k < OCCLUDERS_MAX; k++) {
        occluders->size[k][3] = 1.0f;
    }
    if (view->machine != NULL) {
        const Pose *base = &view->body[MACHINE_BASE];
        set_occluder(occluders, 0, vec3_add(base->position, vec3(0.0, 0.0, BODY_TOP)), heading_of(base),
                     0.5 * view->machine->tracks.length - 0.45, 0.5 * view->machine->tracks.gauge - 0.1, UNDER_TRACKS,
                     1.1);
        add_tool(view, occluders);
    }
    RenderTruck trucks[RENDER_MAX_TRUCKS];
    int count = truck_model_places(view, trucks);
    for (int k = 0; k < count; k++) {
        const SceneTruck *truck = &view->scene->exercise.truck;
        const Pose *chassis = &trucks[k].chassis;
        set_occluder(occluders, 1 + k, pose_apply(chassis, vec3(1.0, 0.0, BODY_TOP)), heading_of(chassis),
                     0.5 * truck->bed_length + 0.8, 0.5 * truck->bed_width - 0.4, UNDER_TRACKS, 1.1);
    }
}

/// ---- maps of shadows -----------------------------------------------------------------------------------------------

// One map holds what the sun sees of the site, a finer one what it sees around the tool, and by night a third what the
// lamps that light the tool best see of it. What throws a shadow and the shadow lie on one ray of light, so that a map
// around the tool holds the tool's shadow however high it hangs.

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
    shadow_part_place(map, SHADOW_SITE, out->uniforms.site_part);
    shadow_part_place(map, SHADOW_TOOL, out->uniforms.tool_part);
    shadow_part_place(map, SHADOW_LAMP, out->uniforms.lamp_part);
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
