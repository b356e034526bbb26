/// Computes the strata of a place of the undisturbed site: layers, cut by patches, with mounds on top.
///
/// The ground is made of it once, and the loader asks it how many layers lie on one another. A patch replaces what lies
/// between its depths, so that it splits at most one layer in two; where patches overlap, the later one of the file
/// holds. A mound is a cone at the repose angle of its soil.
#include "data/scene_ground.h"

#include <math.h>
#include <string.h>

static const double least_stratum = 1e-6; ///< m: what is left of a layer by rounding

bool scene_patch_holds(const ScenePatch *patch, double x, double y)
{
    double dx = x - patch->x, dy = y - patch->y;
    if (patch->radius > 0.0) {
        return dx * dx + dy * dy <= patch->radius * patch->radius;
    }
    if (4.0 * (dx * dx + dy * dy) > patch->length * patch->length + patch->width * patch->width) {
        return false;
    }
    double c = cos(patch->heading), s = sin(patch->heading);
    return fabs(dx * c + dy * s) <= 0.5 * patch->length && fabs(dy * c - dx * s) <= 0.5 * patch->width;
}

double scene_mound_height(const SceneMound *mound, double tan_repose, double x, double y)
{
    double dx = x - mound->x, dy = y - mound->y;
    double height = mound->height - sqrt(dx * dx + dy * dy) * tan_repose;
    return height > 0.0 ? height : 0.0;
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

/// Puts a mound on top; joins it with one of the same soil.
static void add_on_top(SceneProfile *profile, double thickness, int soil)
{
    if (profile->count > 0 && profile->strata[0].loose && profile->strata[0].soil == soil) {
        profile->strata[0].thickness += thickness;
        return;
    }
    memmove(profile->strata + 1, profile->strata, (size_t)profile->count * sizeof profile->strata[0]);
    profile->strata[0] = (SceneStratum){thickness, soil, true};
    profile->count++;
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
    for (int k = 0; k < ground->mound_count; k++) {
        double height = scene_mound_height(&ground->mounds[k], tan_repose[ground->mounds[k].soil_index], x, y);
        if (height >= least_stratum) {
            add_on_top(profile, height, ground->mounds[k].soil_index);
        }
    }
}
