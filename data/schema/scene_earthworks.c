/// The keys of a scene's earthworks and the rules between them.
#include "data/schema/scene_earthworks.h"

#include "data/core/elementary.h"
#include "data/core/units.h"
#include "data/schema/scene_ground.h"
#include "data/schema/scene_check.h"

#include <math.h>

static const double least_left = 0.1; ///< m of soil that a cut leaves over bedrock
static const double rounding = 1e-6; ///< rad
/// rad: tracks start on nothing steeper (70 %, what makers state as gradeability of excavators on tracks)
static const double steepest_start = 35.0 * M_PI / 180.0;
static const double deepest_start = 0.25; ///< m that the surface may lie below what the tracks rest on; chosen

static const KeyChoice shapes[] = {{"bank", SCENE_EARTHWORK_BANK}, {"cut", SCENE_EARTHWORK_CUT}, {NULL, 0}};
static const KeyChoice compactions[] = {{"yes", false}, {"no", true}, {NULL, 0}};

static const DataKey earthwork_keys[] = {
    ROW_CHOICE("shape", SceneEarthwork, shape, shapes, "a bank is put on what is there, a cut is taken out of it"),
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
    ROW_CHOICE_OPTIONAL("compacted", SceneEarthwork, loose, compactions,
                        "a bank is as dense as undisturbed ground, or as it was tipped"),
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

/// The crest or floor lies beyond what is there already, so that something is made.
static bool check_height(Document *document, const SceneGround *ground, int index, Status *status)
{
    const SceneEarthwork *earthwork = &ground->earthworks[index];
    DocumentPath path = document_path("ground.earthworks.%d.height", index);
    double lowest = 0.0 - ground->roughness, highest = ground->roughness;
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
