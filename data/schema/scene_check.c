/// Checks the rules between the keys of a scene: things lie on the site, above bedrock and beside each other. Has the
/// keys and rules of earthworks.
#include "data/schema/scene_check.h"

#include <math.h>
#include <stdio.h>

#include "data/core/elementary.h"
#include "data/core/constants.h"
#include "data/schema/scene_relief.h"
#include "data/schema/scene_site.h"

/// ---- places and start ----------------------------------------------------------------------------------------------

const double scene_truck_level = 0.05;

bool scene_check_place(Document *document, const SceneGround *ground, const char *x_path, double x, const char *y_path,
                       double y, Status *status)
{
    if (!(fabs(x) <= 0.5 * ground->size_x)) {
        return document_fail_at(document, x_path, status, "%.6g lies outside the site, allowed %.6g to %.6g", x,
                                -0.5 * ground->size_x, 0.5 * ground->size_x);
    }
    if (!(fabs(y) <= 0.5 * ground->size_y)) {
        return document_fail_at(document, y_path, status, "%.6g lies outside the site, allowed %.6g to %.6g", y,
                                -0.5 * ground->size_y, 0.5 * ground->size_y);
    }
    return true;
}

bool scene_check_rectangle(Document *document, const SceneGround *ground, const char *path, const double middle[2],
                           double heading, const double along[2], double half_width, Status *status)
{
    for (int corner = 0; corner < 4; ++corner) {
        double forward = along[corner / 2], left = corner % 2 ? half_width : -half_width;
        double x = middle[0] + forward * same_cos(heading) - left * same_sin(heading);
        double y = middle[1] + forward * same_sin(heading) + left * same_cos(heading);
        if (!(fabs(x) <= 0.5 * ground->size_x && fabs(y) <= 0.5 * ground->size_y)) {
            return document_fail_at(document, path, status,
                                    "its corner at %.4g, %.4g lies outside the site of %.6g x %.6g m", x, y,
                                    ground->size_x, ground->size_y);
        }
    }
    return true;
}

static bool check_patch_shape(Document *document, const ScenePatch *patch, int index, Status *status)
{
    bool circle = patch->radius > 0.0, sides = patch->length > 0.0 || patch->width > 0.0;
    if (circle ? !sides : patch->length > 0.0 && patch->width > 0.0) {
        return true;
    }
    return document_fail_at(document, document_path("ground.patches.%d", index).text, status,
                            "read %s, allowed length and width (a rectangle) or radius (a circle)",
                            circle   ? "radius beside length or width"
                            : !sides ? "none of length, width and radius"
                                     : "only one of length and width");
}

bool scene_check_patches(Document *document, const SceneGround *ground, Status *status)
{
    for (int i = 0; i < ground->patch_count; ++i) {
        const ScenePatch *patch = &ground->patches[i];
        if (!check_patch_shape(document, patch, i, status)) {
            return false;
        }
        double half = patch->radius > 0.0 ? patch->radius : 0.5 * patch->length;
        double side = patch->radius > 0.0 ? patch->radius : 0.5 * patch->width;
        double heading = patch->radius > 0.0 ? 0.0 : patch->heading;
        if (!scene_check_rectangle(document, ground, document_path("ground.patches.%d", i).text,
                                   (double[]){patch->x, patch->y}, heading, (double[]){-half, half}, side, status)) {
            return false;
        }
        double deepest = patch->top + patch->thickness + ground->roughness;
        if (deepest > ground->bedrock_depth) {
            return document_fail_at(document, document_path("ground.patches.%d.thickness", i).text, status,
                                    "%.6g reaches bedrock: with top and roughness that is %.6g m, allowed up to "
                                    "ground.bedrock_depth (%.6g)",
                                    patch->thickness, deepest, ground->bedrock_depth);
        }
    }
    return true;
}

/// Names the patch, earthwork or mound that was put last on a place.
static DocumentPath name_last(const SceneGround *ground, const double *tan_repose, double x, double y)
{
    DocumentPath path = document_path("ground.layers");
    for (int i = 0; i < ground->patch_count; ++i) {
        if (scene_patch_holds(&ground->patches[i], x, y)) {
            path = document_path("ground.patches.%d", i);
        }
    }
    double surface = 0.0;
    for (int i = 0; i < ground->earthwork_count; ++i) {
        double plane = scene_earthwork_height(&ground->earthworks[i], x, y);
        bool bank = ground->earthworks[i].shape == SCENE_EARTHWORK_BANK;
        if (bank && plane > surface) {
            path = document_path("ground.earthworks.%d", i);
        }
        surface = bank ? fmax(surface, plane) : fmin(surface, plane);
    }
    for (int i = 0; i < ground->mound_count; ++i) {
        if (scene_mound_height(&ground->mounds[i], tan_repose[ground->mounds[i].soil_index], x, y) > 0.0) {
            path = document_path("ground.mounds.%d", i);
        }
    }
    return path;
}

#define LEAST_MOUND 0.1 ///< m: of the schema

/// Mounds lie on the site to their feet: beyond its edge the ground is level outwards, and would be a bank.
static bool check_mounds(Document *document, const SceneParams *scene, const double *tan_repose, Status *status)
{
    const SceneGround *ground = &scene->ground;
    for (int i = 0; i < ground->mound_count; ++i) {
        const SceneMound *mound = &ground->mounds[i];
        double slope = tan_repose[mound->soil_index], foot = mound->height / slope;
        double room = fmin(0.5 * ground->size_x - fabs(mound->x), 0.5 * ground->size_y - fabs(mound->y));
        double highest = floor(1e3 * room * slope) * 1e-3; // rounded down to the millimetre that the message shows
        DocumentPath path = document_path("ground.mounds.%d.height", i);
        if (foot > room + 1e-6 && highest < LEAST_MOUND) {
            return document_fail_at(document, path.text, status,
                                    "%.6g at %.4g, %.4g is too near to the edge of the site: its foot lies %.3g m "
                                    "around it, move it inwards by %.3g m",
                                    mound->height, mound->x, mound->y, foot, foot - room);
        }
        if (foot > room + 1e-6) {
            return document_fail_at(document, path.text, status,
                                    "%.6g reaches %.3g m beyond the edge of the site, allowed up to %.3f at %.4g, %.4g",
                                    mound->height, foot - room, highest, mound->x, mound->y);
        }
    }
    return true;
}

/// No column of the ground may begin with more layers than it can keep.
static bool check_stack(Document *document, const SceneParams *scene, const double *tan_repose, Status *status)
{
    const SceneGround *ground = &scene->ground;
    int fills = ground->surface.layers == SCENE_RELIEF_STAY;
    if (ground->layer_count + 2 * ground->patch_count + ground->earthwork_count + ground->mound_count + fills <=
        SCENE_MAX_STACK) {
        return true;
    }
    SceneAngles angles;
    scene_find_angles(ground, &angles);
    double spacing = ground->column_spacing;
    int rows = scene_rows(ground), columns = scene_columns(ground);
    for (int k = 0; k < rows * columns; ++k) {
        double x = (k % columns - 0.5 * (columns - 1)) * spacing, y = (k / columns - 0.5 * (rows - 1)) * spacing;
        SceneProfile profile;
        scene_profile(ground, &angles, tan_repose, ground->bedrock_depth, x, y, &profile);
        if (profile.count > SCENE_MAX_STACK) {
            return document_fail_at(document, name_last(ground, tan_repose, x, y).text, status,
                                    "with it %d layers lie on one another at %.4g, %.4g, allowed at most %d",
                                    profile.count, x, y, SCENE_MAX_STACK);
        }
    }
    return true;
}

/// A rectangle on the ground.
typedef struct Plan {
    double x, y, heading; ///< m, m, rad
    double half_length, half_width; ///< m
} Plan;

/// True when a line square to `direction` runs between two rectangles.
static bool lie_apart_along(const Plan *a, const Plan *b, double direction)
{
    double between = fabs((b->x - a->x) * same_cos(direction) + (b->y - a->y) * same_sin(direction));
    double reach = 0.0;
    for (int k = 0; k < 2; ++k) {
        const Plan *plan = k == 0 ? a : b;
        reach += plan->half_length * fabs(same_cos(direction - plan->heading)) +
                 plan->half_width * fabs(same_sin(direction - plan->heading));
    }
    return between > reach;
}

/// The truck does not stand in a fixture.
static bool check_truck_fixtures(Document *document, const SceneParams *scene, Status *status)
{
    TruckParams truck = scene_truck_shape(scene);
    const SceneTruck *stands = &scene->exercise.truck;
    TruckPlace place = truck_place_of(&truck, &(ScenePose){stands->x, stands->y, stands->heading});
    for (int k = 0; k < scene->fixtures_count; k++) {
        if (scene_fixture_meets_truck(&scene->fixtures[k], &truck, &place)) {
            return document_fail_at(document, document_path("fixtures.%d", k).text, status,
                                    "the truck stands in the %s: its bed's middle is at %.4g, %.4g",
                                    scene->fixtures[k].name, stands->x, stands->y);
        }
    }
    return true;
}

/// The truck stands on the level, where no earthworks are.
static bool check_truck_level(Document *document, const SceneParams *scene, const Plan *bed, Status *status)
{
    TruckParams truck = scene_truck_shape(scene);
    double surface = scene_surface_change(&scene->ground, bed->x, bed->y, bed->heading,
                                          (double[]){-bed->half_length, truck.front}, bed->half_width);
    return fabs(surface) <= scene_truck_level ||
           document_fail_at(document, "exercise.truck", status,
                            "earthworks leave the ground under it at %.3g m, allowed up to %.3g m beside the level",
                            surface, scene_truck_level);
}

/// The truck does not stand where the tracks do.
static bool check_truck(Document *document, const SceneParams *scene, const Plan *tracks, Status *status)
{
    if (scene->exercise.kind != EXERCISE_TRUCK_LOADING) {
        return true;
    }
    const SceneTruck *truck = &scene->exercise.truck;
    const Plan bed = {truck->x, truck->y, truck->heading, 0.5 * truck->bed_length, 0.5 * truck->bed_width};
    for (int k = 0; k < 2; ++k) {
        if (lie_apart_along(tracks, &bed, tracks->heading + k * 0.5 * M_PI) ||
            lie_apart_along(tracks, &bed, bed.heading + k * 0.5 * M_PI)) {
            return check_truck_level(document, scene, &bed, status) && check_truck_fixtures(document, scene, status);
        }
    }
    return document_fail_at(document, "exercise.truck", status,
                            "the machine starts in it: read a bed of %.4g x %.4g m at %.4g, %.4g, allowed beside the "
                            "tracks (%.4g x %.4g m at %.4g, %.4g)",
                            truck->bed_length, truck->bed_width, bed.x, bed.y, 2.0 * tracks->half_length,
                            2.0 * tracks->half_width, tracks->x, tracks->y);
}

/// The machine's tracks stand on the site, in no mound and in no truck.
static bool check_start(Document *document, const SceneParams *scene, const MachineParams *machine,
                        const double *tan_repose, Status *status)
{
    const SceneMachine *place = &scene->machine;
    double half = 0.5 * machine->tracks.contact_length;
    double side = 0.5 * (machine->tracks.gauge + machine->tracks.shoe_width);
    if (!scene_check_rectangle(document, &scene->ground, "machine", (double[]){place->x, place->y}, place->heading,
                               (double[]){-half, half}, side, status)) {
        return false;
    }
    for (int i = 0; i < scene->ground.mound_count; ++i) {
        const SceneMound *mound = &scene->ground.mounds[i];
        double dx = mound->x - place->x, dy = mound->y - place->y;
        double c = same_cos(place->heading), s = same_sin(place->heading);
        double beyond = fmax(0.0, fabs(dx * c + dy * s) - half), beside = fmax(0.0, fabs(dy * c - dx * s) - side);
        double foot = mound->height / tan_repose[mound->soil_index], distance = same_hypot(beyond, beside);
        if (distance < foot) {
            return document_fail_at(document, document_path("ground.mounds.%d", i).text, status,
                                    "the machine starts in it: its tracks are %.4g m from its middle, allowed from "
                                    "%.4g m on (where its slope ends)",
                                    distance, foot);
        }
    }
    return check_truck(document, scene, &(Plan){place->x, place->y, place->heading, half, side}, status);
}

bool scene_check_loaded(Document *document, const SceneParams *scene, const MachineParams *machine, Status *status)
{
    double tan_repose[SCENE_MAX_SOILS];
    for (int k = 0; k < scene->soil_count; ++k) {
        tan_repose[k] = same_tan(scene->soils[k].repose_angle);
    }
    return check_mounds(document, scene, tan_repose, status) && check_stack(document, scene, tan_repose, status) &&
           check_start(document, scene, machine, tan_repose, status);
}

/// ---- earthworks ----------------------------------------------------------------------------------------------------

static const double least_left = 0.1; ///< m of soil that a cut leaves over bedrock
static const double rounding = 1e-6; ///< rad
/// rad: tracks start on nothing steeper (70 %, what makers state as gradeability of excavators on tracks)
static const double steepest_start = 35.0 * M_PI / 180.0;
static const double deepest_start = 0.25; ///< m that the surface may lie below what the tracks rest on; chosen

static const KeyChoice shapes[] = {{"bank", SCENE_EARTHWORK_BANK}, {"cut", SCENE_EARTHWORK_CUT}, {NULL, 0}};
const KeyChoice scene_compactions[] = {{"yes", false}, {"no", true}, {NULL, 0}};

static const DataKey earthwork_keys[] = {
    ROW_CHOICE("shape", SceneEarthwork, shape, shapes, "bank: soil added on the surface; cut: soil taken away from it"),
    ROW_NUMBER("x", SceneEarthwork, x, -100, 100, 1, "m: middle of its crest or floor, to the east"),
    ROW_NUMBER("y", SceneEarthwork, y, -100, 100, 1, "m: middle of its crest or floor, to the north"),
    ROW_NUMBER_OR("heading_deg", SceneEarthwork, heading, -360, 360, UNIT_DEG, 0,
                  "deg: from its start to its end, from east to north"),
    ROW_NUMBER("length", SceneEarthwork, length, 0, 200, 1, "m: of its crest or floor, along its heading; 0: an edge"),
    ROW_NUMBER("width", SceneEarthwork, width, 0, 200, 1, "m: of its crest or floor, across its heading; 0: an edge"),
    ROW_NUMBER("height", SceneEarthwork, height, -20, 20, 1,
               "m: of its crest or floor over the level of the site; below 0 under it"),
    ROW_NUMBER_OR("slope_deg", SceneEarthwork, slope, 1, 90, UNIT_DEG, 45,
                  "deg: of its sides against the level; 90 is upright"),
    ROW_NUMBER_OR("start_slope_deg", SceneEarthwork, start_slope, 1, 90, UNIT_DEG, 0,
                  "deg: of the side at its start; 0: as slope_deg"),
    ROW_NUMBER_OR("end_slope_deg", SceneEarthwork, end_slope, 1, 90, UNIT_DEG, 0,
                  "deg: of the side at its end; 0: as slope_deg"),
    ROW_TEXT_OPTIONAL("soil", SceneEarthwork, soil, "name of the soil a bank is made of"),
    ROW_CHOICE_OPTIONAL("compacted", SceneEarthwork, loose, scene_compactions,
                        "yes: a bank is as dense as undisturbed ground; no: it is as loose as it was tipped"),
    ROW_END,
};
const DataKey scene_earthworks_item = ROW_ITEM(SceneEarthwork, earthwork_keys);

/// A bank names its soil; a cut has none of its own.
static bool check_soil(Document *document, const SceneEarthwork *earthwork, int index, Status *status)
{
    bool bank = earthwork->shape == SCENE_EARTHWORK_BANK;
    DocumentPath soil = document_path("ground.earthworks.%d.soil", index);
    if ((earthwork->soil[0] != '\0') != bank) {
        return document_fail_at(document, soil.text, status, "%s",
                                bank ? "the key is missing: a bank is of a soil"
                                     : "the key does not belong to a cut, which shows the soil that is there");
    }
    DocumentPath compacted = document_path("ground.earthworks.%d.compacted", index);
    return bank || document_find(document, compacted.text) == NULL ||
           document_fail_at(document, compacted.text, status, "the key does not belong to a cut");
}

/// The crest lies above the ground before it, or the floor below: the earthwork changes something.
static bool check_height(Document *document, const SceneGround *ground, int index, Status *status)
{
    const SceneEarthwork *earthwork = &ground->earthworks[index];
    DocumentPath path = document_path("ground.earthworks.%d.height", index);
    bool level = !scene_has_relief(ground);
    double lowest = level ? 0.0 - ground->roughness : -HUGE_VAL, highest = level ? ground->roughness : HUGE_VAL;
    for (int k = 0; k < index; k++) {
        lowest = fmin(lowest, ground->earthworks[k].height);
        highest = fmax(highest, ground->earthworks[k].height);
    }
    if (earthwork->shape == SCENE_EARTHWORK_BANK && !(earthwork->height > lowest)) {
        return document_fail_at(document, path.text, status,
                                "read %.6g, allowed more than %.6g: nothing of the site lies lower than this bank",
                                earthwork->height, lowest);
    }
    if (earthwork->shape == SCENE_EARTHWORK_CUT && !(earthwork->height < highest)) {
        return document_fail_at(document, path.text, status,
                                "read %.6g, allowed less than %.6g: nothing of the site lies higher than this cut",
                                earthwork->height, highest);
    }
    if (!(earthwork->height >= least_left - ground->bedrock_depth)) {
        return document_fail_at(
            document, path.text, status,
            "read %.6g, allowed at least %.6g: ground.bedrock_depth is %.6g and %.6g m stay over it", earthwork->height,
            least_left - ground->bedrock_depth, ground->bedrock_depth, least_left);
    }
    return true;
}

bool scene_check_earthworks(Document *document, const SceneGround *ground, Status *status)
{
    for (int i = 0; i < ground->earthwork_count; i++) {
        const SceneEarthwork *earthwork = &ground->earthworks[i];
        double along = 0.5 * earthwork->length;
        if (!check_soil(document, earthwork, i, status) ||
            !scene_check_rectangle(document, ground, document_path("ground.earthworks.%d", i).text,
                                   (double[]){earthwork->x, earthwork->y}, earthwork->heading,
                                   (double[]){-along, along}, 0.5 * earthwork->width, status) ||
            !check_height(document, ground, i, status)) {
            return false;
        }
    }
    return true;
}

/// Soil that was tipped lies at its angle of repose at most.
static bool check_loose(Document *document, const SceneParams *scene, int index, Status *status)
{
    static const char *const keys[3] = {"slope_deg", "start_slope_deg", "end_slope_deg"};
    const SceneEarthwork *earthwork = &scene->ground.earthworks[index];
    const SoilParams *soil = &scene->soils[earthwork->soil_index];
    const double slopes[3] = {earthwork->slope, earthwork->start_slope, earthwork->end_slope};
    for (int k = 0; earthwork->loose && k < 3; k++) {
        if (slopes[k] > soil->repose_angle + rounding) {
            return document_fail_at(document, document_path("ground.earthworks.%d.%s", index, keys[k]).text, status,
                                    "%.6g is steeper than %s that is not compacted lies, allowed up to %.6g",
                                    slopes[k] / UNIT_DEG, soil->name, soil->repose_angle / UNIT_DEG);
        }
    }
    return true;
}

bool scene_check_earthworks_loaded(Document *document, const SceneParams *scene, const MachineParams *machine,
                                   Status *status)
{
    for (int i = 0; i < scene->ground.earthwork_count; i++) {
        if (!check_loose(document, scene, i, status)) {
            return false;
        }
    }
    const SceneMachine *place = &scene->machine;
    SceneStand stand = scene_stand(&scene->ground, place->x, place->y, place->heading, machine->tracks.contact_length,
                                   machine->tracks.gauge + machine->tracks.shoe_width);
    double slope = same_atan(same_hypot(stand.along, stand.across));
    if (!(stand.deepest <= deepest_start)) {
        return document_fail_at(
            document, "machine", status,
            "its tracks do not lie on the ground: where they rest on what earthworks left, they are "
            "up to %.3g m over it, allowed up to %.3g",
            stand.deepest, deepest_start);
    }
    if (!(slope <= steepest_start)) {
        return document_fail_at(document, "machine", status, "it starts on a slope of %.3g degrees, allowed up to %.3g",
                                slope / UNIT_DEG, steepest_start / UNIT_DEG);
    }
    return true;
}
