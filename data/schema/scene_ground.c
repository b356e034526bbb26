/// Computes the strata of a place of the site before the start: layers, cut by patches, shaped by earthworks, with
/// mounds on top.
///
/// The ground is made of it once, and the loader asks it how many layers lie on one another. A patch replaces what lies
/// between its depths, so that it splits at most one layer in two; where patches overlap, the later one of the file
/// holds. An earthwork is a pyramid's stump: its planes meet at the corners, so that of the falls from the side and
/// from the end the greater one holds. A mound is a cone at the repose angle of its soil.
#include "data/core/elementary.h"
#include "data/schema/scene_ground.h"

#include <math.h>
#include <string.h>

static const double least_stratum = 1e-6; ///< m: what is left of a layer by rounding
static const double steepest = 89.9 * M_PI / 180.0; ///< rad: a side from here on stands upright

bool scene_patch_holds(const ScenePatch *patch, double x, double y)
{
    double dx = x - patch->x, dy = y - patch->y;
    if (patch->radius > 0.0) {
        return dx * dx + dy * dy <= patch->radius * patch->radius;
    }
    if (4.0 * (dx * dx + dy * dy) > patch->length * patch->length + patch->width * patch->width) {
        return false;
    }
    double c = same_cos(patch->heading), s = same_sin(patch->heading);
    return fabs(dx * c + dy * s) <= 0.5 * patch->length && fabs(dy * c - dx * s) <= 0.5 * patch->width;
}

double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y)
{
    double dx = x - mound->x, dy = y - mound->y;
    double height = mound->height - sqrt(dx * dx + dy * dy) * tan_repose;
    return height > 0.0 ? height : 0.0;
}

double scene_earthwork_height(const SceneEarthwork *earthwork, double x, double y)
{
    double dx = x - earthwork->x, dy = y - earthwork->y, c = same_cos(earthwork->heading),
           s = same_sin(earthwork->heading);
    double along = dx * c + dy * s, across = fabs(dy * c - dx * s) - 0.5 * earthwork->width;
    double beyond = fabs(along) - 0.5 * earthwork->length, fall = 0.0;
    double own = along < 0.0 ? earthwork->start_slope : earthwork->end_slope;
    double end = own > 0.0 ? own : earthwork->slope;
    if (across > least_stratum) {
        fall = earthwork->slope > steepest ? HUGE_VAL : across * same_tan(earthwork->slope);
    }
    if (beyond > least_stratum) {
        fall = end > steepest ? HUGE_VAL : fmax(fall, beyond * same_tan(end));
    }
    return earthwork->shape == SCENE_EARTHWORK_BANK ? earthwork->height - fall : earthwork->height + fall;
}

double scene_surface(const SceneGround *ground, double undisturbed, double x, double y)
{
    double surface = undisturbed;
    for (int k = 0; k < ground->earthwork_count; k++) {
        double plane = scene_earthwork_height(&ground->earthworks[k], x, y);
        surface = ground->earthworks[k].shape == SCENE_EARTHWORK_BANK ? fmax(surface, plane) : fmin(surface, plane);
    }
    return surface;
}

double scene_surface_change(const SceneGround *ground, double x, double y, double heading, const double along[2],
                            double half_width)
{
    enum { ALONG = 33, ACROSS = 9 };
    double most = 0.0, c = same_cos(heading), s = same_sin(heading);
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double u = along[0] + (along[1] - along[0]) * (double)(k / ACROSS) / (ALONG - 1);
        double v = half_width * (2.0 * (k % ACROSS) / (ACROSS - 1) - 1.0);
        double surface = scene_surface(ground, 0.0, x + c * u - s * v, y + s * u + c * v);
        most = fabs(surface) > fabs(most) ? surface : most;
    }
    return most;
}

SceneStand scene_stand(const SceneGround *ground, double x, double y, double heading, double length, double width)
{
    enum { ALONG = 17, ACROSS = 9 };
    double height[ALONG * ACROSS], u[ALONG * ACROSS], v[ALONG * ACROSS], c = same_cos(heading), s = same_sin(heading);
    double mean = 0.0, uu = 0.0, uz = 0.0, vv = 0.0, vz = 0.0;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        u[k] = length * ((double)(k / ACROSS) / (ALONG - 1) - 0.5);
        v[k] = width * ((double)(k % ACROSS) / (ACROSS - 1) - 0.5);
        height[k] = scene_surface(ground, 0.0, x + c * u[k] - s * v[k], y + s * u[k] + c * v[k]);
        mean += height[k] / (ALONG * ACROSS);
        uu += u[k] * u[k];
        vv += v[k] * v[k];
        uz += u[k] * height[k];
        vz += v[k] * height[k];
    }
    SceneStand stand = {.height = mean, .along = uz / uu, .across = vz / vv};
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double above = height[k] - stand.height - stand.along * u[k] - stand.across * v[k];
        highest = fmax(highest, above);
        lowest = fmin(lowest, above);
    }
    stand.height += highest;
    stand.deepest = highest - lowest;
    return stand;
}

/// Adds a stratum below the others; joins it with the last one of the same kind.
static void add_below(SceneProfile *profile, double thickness, int soil, bool loose)
{
    if (thickness < least_stratum) {
        return;
    }
    SceneStratum *last = profile->count > 0 ? &profile->strata[profile->count - 1] : NULL;
    if (last != NULL && last->soil == soil && last->loose == loose) {
        last->thickness += thickness;
        return;
    }
    profile->strata[profile->count++] = (SceneStratum){thickness, soil, loose};
}

/// Puts a patch in the place of what lay between its depths.
static void replace(SceneProfile *profile, const ScenePatch *patch)
{
    SceneProfile before = *profile;
    double depth = 0.0, bottom = patch->top + patch->thickness;
    bool placed = false;
    profile->count = 0;
    for (int k = 0; k < before.count; k++) {
        const SceneStratum *old = &before.strata[k];
        double end = depth + old->thickness;
        if (end <= patch->top || depth >= bottom) {
            add_below(profile, old->thickness, old->soil, old->loose);
        } else {
            add_below(profile, patch->top - depth, old->soil, old->loose);
            if (!placed) {
                add_below(profile, patch->thickness, patch->soil_index, false);
                placed = true;
            }
            add_below(profile, end - bottom, old->soil, old->loose);
        }
        depth = end;
    }
}

/// Puts a stratum on top; joins it with one of the same kind.
static void add_on_top(SceneProfile *profile, double thickness, int soil, bool loose)
{
    if (profile->count > 0 && profile->strata[0].loose == loose && profile->strata[0].soil == soil) {
        profile->strata[0].thickness += thickness;
        return;
    }
    memmove(profile->strata + 1, profile->strata, (size_t)profile->count * sizeof profile->strata[0]);
    profile->strata[0] = (SceneStratum){thickness, soil, loose};
    profile->count++;
}

static void take_off_top(SceneProfile *profile, double thickness)
{
    while (profile->count > 0 && thickness > 0.0) {
        if (profile->strata[0].thickness - thickness >= least_stratum) {
            profile->strata[0].thickness -= thickness;
            return;
        }
        thickness -= profile->strata[0].thickness;
        profile->count--;
        memmove(profile->strata, profile->strata + 1, (size_t)profile->count * sizeof profile->strata[0]);
    }
}

static void shape(SceneProfile *profile, const SceneEarthwork *earthwork, double x, double y, double *surface)
{
    double plane = scene_earthwork_height(earthwork, x, y);
    if (earthwork->shape == SCENE_EARTHWORK_BANK && plane - *surface >= least_stratum) {
        add_on_top(profile, plane - *surface, earthwork->soil_index, earthwork->loose);
        *surface = plane;
    } else if (earthwork->shape == SCENE_EARTHWORK_CUT && *surface - plane >= least_stratum) {
        take_off_top(profile, *surface - plane);
        *surface = plane;
    }
}

void scene_profile(const SceneGround *ground, const double *tan_repose, double depth, double x, double y,
                   SceneProfile *profile)
{
    profile->count = 0;
    double rest = depth;
    for (int k = 0; k + 1 < ground->layer_count; k++) {
        add_below(profile, ground->layers[k].thickness, ground->layers[k].soil_index, false);
        rest -= ground->layers[k].thickness;
    }
    add_below(profile, rest, ground->layers[ground->layer_count - 1].soil_index, false);
    for (int k = 0; k < ground->patch_count; k++) {
        if (scene_patch_holds(&ground->patches[k], x, y)) {
            replace(profile, &ground->patches[k]);
        }
    }
    double surface = depth - ground->bedrock_depth;
    for (int k = 0; k < ground->earthwork_count; k++) {
        shape(profile, &ground->earthworks[k], x, y, &surface);
    }
    for (int k = 0; k < ground->mound_count; k++) {
        double height = scene_mound_height(&ground->mounds[k], tan_repose[ground->mounds[k].soil_index], x, y);
        if (height >= least_stratum) {
            add_on_top(profile, height, ground->mounds[k].soil_index, true);
        }
    }
}
