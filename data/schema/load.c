/// Loads a file with everything it names: the texts from the disk or from a recording, each read once, checked, and
/// kept for a recording.
///
/// A scene names soils, meshes, a machine and perhaps a truck. They are loaded after the scene's own keys are good, so
/// that an error in one of them names both places: where the scene refers to it, and where it is wrong.
#include "data/schema/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data/core/elementary.h"
#include "data/core/system_files.h"
#include "data/files/document.h"
#include "data/files/references.h"
#include "data/files/height_map.h"
#include "data/files/survey.h"
#include "data/files/obj.h"
#include "data/schema/design_surface.h"
#include "data/schema/scene_check.h"
#include "data/schema/scene_relief.h"
#include "data/schema/schemas.h"

/// A scene whose references are being followed.
typedef struct Scene {
    Document *document;
    SceneParams *params;
    const ReferenceSource *source;
    Status *status;
    char soils[SCENE_MAX_SOILS][SOIL_NAME_LENGTH]; ///< references as the scene writes them, by index of the soil
    char meshes[SCENE_MAX_GRAINS][SCENE_NAME_LENGTH]; ///< the same, by index of the grains
    bool in_file; ///< what is wrong is a file that the scene names, not the scene
} Scene;

/// Puts the place of the reference in front of what does not fit the file it names.
static bool fail_reference(const Scene *scene, const char *path)
{
    Status inner = *scene->status;
    return document_fail_at(scene->document, path, scene->status, "%s", inner.text);
}

/// The same of what is wrong with that file: it is missing, or bad.
static bool fail_file(Scene *scene, const char *path)
{
    scene->in_file = true;
    return fail_reference(scene, path);
}

/// Finds or loads a soil of the scene; writes its index. `reference` becomes the soil's plain name.
static bool load_soil(Scene *scene, char *reference, int *index)
{
    SceneParams *params = scene->params;
    for (int i = 0; i < params->soil_count; ++i) {
        if (strcmp(scene->soils[i], reference) == 0) {
            *index = i;
            memcpy(reference, params->soils[i].name, SOIL_NAME_LENGTH);
            return true;
        }
    }
    if (params->soil_count >= SCENE_MAX_SOILS) {
        return status_fail(scene->status, STATUS_BAD_FILE, "%s: more than %d soils in one scene", reference,
                           SCENE_MAX_SOILS);
    }
    SoilParams *soil = &params->soils[params->soil_count];
    if (!reference_load(&data_soil_schema, reference, scene->source, soil, scene->status)) {
        return false;
    }
    for (int i = 0; i < params->soil_count; ++i) {
        if (strcmp(params->soils[i].name, soil->name) == 0) {
            return status_fail(scene->status, STATUS_BAD_FILE,
                               "%s and %s: two soil files of one scene may not share a name", scene->soils[i],
                               reference);
        }
    }
    memcpy(scene->soils[params->soil_count], reference, SOIL_NAME_LENGTH);
    memcpy(reference, soil->name, SOIL_NAME_LENGTH);
    *index = params->soil_count++;
    return true;
}

static bool resolve_soil(Scene *scene, DocumentPath path, char *reference, int *index)
{
    return load_soil(scene, reference, index) || fail_file(scene, path.text);
}

static bool check_mesh(const char *label, const char *text, size_t size, Status *status)
{
    ObjMesh mesh;
    if (!obj_parse(label, text, size, &mesh, status)) {
        return false;
    }
    obj_free(&mesh);
    return true;
}

/// Loads the mesh of grains number `index`. Its text stays with the source's files; without files the grains have none.
static bool load_mesh(Scene *scene, int index)
{
    SceneGrains *grains = &scene->params->grains[index];
    memcpy(scene->meshes[index], grains->obj, sizeof grains->obj);
    if (!reference_name(&data_mesh_schema, scene->meshes[index], grains->obj, sizeof grains->obj, scene->status)) {
        return false;
    }
    for (int i = 0; i < index; ++i) {
        const SceneGrains *other = &scene->params->grains[i];
        if (strcmp(other->obj, grains->obj) == 0) {
            grains->text = other->text;
            grains->text_size = other->text_size;
            return strcmp(scene->meshes[i], scene->meshes[index]) == 0 ||
                   status_fail(scene->status, STATUS_BAD_FILE,
                               "%s and %s: two meshes of one scene may not share a name", scene->meshes[i],
                               scene->meshes[index]);
        }
    }
    ReferenceFound found;
    if (!reference_find(&data_mesh_schema, scene->meshes[index], scene->source, &found, scene->status)) {
        return false;
    }
    bool good = check_mesh(found.label, found.text, found.size, scene->status);
    good = reference_keep(&data_mesh_schema, scene->source, &found, good, scene->status);
    bool stays = good && (scene->source->kept || scene->source->files);
    grains->text = stays ? found.text : NULL;
    grains->text_size = stays ? found.size : 0;
    return good;
}

static bool resolve_soils(Scene *scene)
{
    SceneGround *ground = &scene->params->ground;
    bool good = true;
    for (int i = 0; i < ground->layer_count && good; ++i) {
        SceneLayer *layer = &ground->layers[i];
        good = resolve_soil(scene, document_path("ground.layers.%d.soil", i), layer->soil, &layer->soil_index);
    }
    for (int i = 0; i < ground->patch_count && good; ++i) {
        ScenePatch *patch = &ground->patches[i];
        good = resolve_soil(scene, document_path("ground.patches.%d.soil", i), patch->soil, &patch->soil_index);
    }
    for (int i = 0; i < ground->mound_count && good; ++i) {
        SceneMound *mound = &ground->mounds[i];
        good = resolve_soil(scene, document_path("ground.mounds.%d.soil", i), mound->soil, &mound->soil_index);
    }
    for (int i = 0; i < ground->earthwork_count && good; ++i) {
        SceneEarthwork *shape = &ground->earthworks[i];
        good = shape->shape == SCENE_EARTHWORK_CUT ||
               resolve_soil(scene, document_path("ground.earthworks.%d.soil", i), shape->soil, &shape->soil_index);
    }
    for (int i = 0; i < scene->params->grains_count && good; ++i) {
        SceneGrains *grains = &scene->params->grains[i];
        good =
            resolve_soil(scene, document_path("grains.%d.soil", i), grains->soil, &grains->soil_index) &&
            (grains->obj[0] == '\0' || load_mesh(scene, i) || fail_file(scene, document_path("grains.%d.obj", i).text));
    }
    return good;
}

static bool resolve_truck(Scene *scene)
{
    SceneParams *params = scene->params;
    SceneTruck *spot = &params->exercise.truck;
    if (spot->file[0] == '\0') {
        params->exercise.haul = (SceneHaul){.trucks = 0};
        return true;
    }
    if (!reference_load(&data_truck_schema, spot->file, scene->source, &params->truck, scene->status)) {
        return fail_file(scene, "exercise.truck.file");
    }
    snprintf(spot->file, sizeof spot->file, "%s", params->truck.name);
    scene_complete_truck(scene->document, params);
    return true;
}

/// What hangs on a machine is neither too light nor too heavy for the body that carries it.
static bool check_hung(const MachineParams *machine, Status *status)
{
    double allowed;
    const MachineJointParams *joint = machine_uneven_joint(machine, &allowed);
    return joint == NULL ||
           status_fail(status, STATUS_BAD_FILE,
                       "%s weighs %.6g kg, allowed %.6g to %.6g kg on the %s of %s: at most %.6g times as heavy or as "
                       "light",
                       machine->attachment, machine->body[joint->child].mass,
                       machine->body[joint->parent].mass / allowed, machine->body[joint->parent].mass * allowed,
                       machine->body[joint->parent].name, machine->name, allowed);
}

/// Hangs an attachment on a loaded machine. The status names no key on failure; `read` says whether its file is good.
static bool attach(const char *reference, const ReferenceSource *source, MachineParams *machine, bool *read,
                   Status *status)
{
    AttachmentParams *attachment = malloc(sizeof *attachment);
    if (!attachment) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", reference);
    }
    bool good = reference_load(&data_attachment_schema, reference, source, attachment, status);
    *read = good;
    double mass = machine_total_mass(machine);
    const double *carrier = attachment->carrier_mass;
    if (good && !machine->takes_attachment) {
        good = status_fail(status, STATUS_BAD_FILE,
                           "read %s, allowed none: %s takes no attachment, only machines of type excavator do",
                           attachment->name, machine->name);
    } else if (good && !(mass >= carrier[0] && mass <= carrier[1])) {
        good = status_fail(status, STATUS_BAD_FILE,
                           "%s is for machines of %.6g to %.6g kg (carrier_mass), read %s with %.6g kg",
                           attachment->name, carrier[0], carrier[1], machine->name, mass);
    }
    int solids = machine->solid_count + attachment->rotator.piece_count + attachment->thumb.piece_count;
    for (int k = 0; good && k < attachment->jaw_count; k++) {
        solids += attachment->jaw[k].piece_count;
    }
    if (good && solids > MACHINE_MAX_SOLIDS) {
        good = status_fail(status, STATUS_BAD_FILE, "pieces of %s and the solids of %s are %d, allowed up to %d",
                           attachment->name, machine->name, solids, MACHINE_MAX_SOLIDS);
    }
    MachineParams *carrying = good ? malloc(sizeof *carrying) : NULL;
    if (carrying != NULL) {
        *carrying = *machine;
        attachment_hang(attachment, carrying);
        good = check_hung(carrying, status);
        *machine = good ? *carrying : *machine;
    } else if (good) {
        good = status_fail(status, STATUS_LACKING, "%s: out of memory", reference);
    }
    free(carrying);
    free(attachment);
    return good;
}

/// What a coupler needs of a machine.
static bool check_carrier(const CouplerParams *coupler, const MachineParams *machine, Status *status)
{
    const double play = 0.003; // m: that pins of one class may differ by
    double mass = machine_total_mass(machine), apart = coupler_pins_apart(machine);
    if (!machine->takes_attachment) {
        return status_fail(status, STATUS_BAD_FILE,
                           "read %s, allowed none: %s takes no coupler, only machines of type excavator do",
                           coupler->name, machine->name);
    }
    if (!(mass >= coupler->carrier_mass[0] && mass <= coupler->carrier_mass[1])) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s is for machines of %.6g to %.6g kg (carrier_mass), read %s with %.6g kg", coupler->name,
                           coupler->carrier_mass[0], coupler->carrier_mass[1], machine->name, mass);
    }
    if (!(machine->solid_count + coupler_pieces(coupler) <= MACHINE_MAX_SOLIDS)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s has %d pieces and %s %d solids, allowed %d together: take some from the machine's file",
                           coupler->name, coupler_pieces(coupler), machine->name, machine->solid_count,
                           MACHINE_MAX_SOLIDS);
    }
    if (coupler->rotator.hitch_count > 0 && machine_tool_turns(machine)) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s has a rotator, allowed on %s is a tool without: the tiltrotator turns it",
                           machine->attachment, coupler->name);
    }
    if (coupler->rotator.hitch_count > 0 && machine->joint_count + 2 > MACHINE_MAX_JOINTS) {
        return status_fail(status, STATUS_BAD_FILE, "%s adds 2 joints to the %d of %s, allowed %d together",
                           coupler->name, machine->joint_count, machine->name, MACHINE_MAX_JOINTS);
    }
    return fabs(apart - coupler->pin_distance) <= play ||
           status_fail(status, STATUS_BAD_FILE,
                       "%s is for pins %.4g m apart (pin_distance), read %.4g m of the tool on %s, allowed within "
                       "%.2g m",
                       coupler->name, coupler->pin_distance, apart, machine->name, play);
}

/// Mounts a coupler on a loaded machine with its tool. The status names no key on failure; `read` says whether its file
/// is good.
static bool mount(const char *reference, const ReferenceSource *source, MachineParams *machine, bool *read,
                  Status *status)
{
    CouplerParams *coupler = malloc(sizeof *coupler);
    if (!coupler) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", reference);
    }
    bool good = reference_load(&data_coupler_schema, reference, source, coupler, status);
    *read = good;
    good = good && check_carrier(coupler, machine, status);
    if (good) {
        coupler_mount(coupler, machine);
    }
    free(coupler);
    return good;
}

/// Loads the scene's machine with what hangs on it.
static bool resolve_machine(Scene *scene, MachineParams *machine)
{
    SceneMachine *place = &scene->params->machine;
    if (!reference_load(&data_machine_schema, place->file, scene->source, machine, scene->status)) {
        return fail_file(scene, "machine.file");
    }
    snprintf(place->file, sizeof place->file, "%s", machine->name);
    bool read = true;
    if (place->attachment[0] != '\0' && !attach(place->attachment, scene->source, machine, &read, scene->status)) {
        return read ? fail_reference(scene, "machine.attachment") : fail_file(scene, "machine.attachment");
    }
    if (place->coupler[0] != '\0' && !mount(place->coupler, scene->source, machine, &read, scene->status)) {
        return read ? fail_reference(scene, "machine.coupler") : fail_file(scene, "machine.coupler");
    }
    snprintf(place->attachment, sizeof place->attachment, "%s", machine->attachment);
    snprintf(place->coupler, sizeof place->coupler, "%s", machine->coupler);
    return true;
}

/// Mounts the coupler alone.
static bool mount_alone(const char *reference, const ReferenceSource *source, MachineParams *machine, Status *status)
{
    CouplerParams *coupler = malloc(sizeof *coupler);
    if (!coupler) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory", reference);
    }
    bool good = reference_load(&data_coupler_schema, reference, source, coupler, status);
    if (good) {
        coupler_mount_alone(coupler, machine);
    }
    free(coupler);
    return good;
}

/// Writes the plain names of the tools on the site and keeps their files, each once.
static bool resolve_tools(Scene *scene)
{
    const DataFiles *have = scene->source->kept ? scene->source->kept : scene->source->files;
    AttachmentParams *attachment = scene->params->exercise.tools_count > 0 ? malloc(sizeof *attachment) : NULL;
    if (scene->params->exercise.tools_count > 0 && attachment == NULL) {
        return status_fail(scene->status, STATUS_LACKING, "out of memory for the tools of the scene");
    }
    bool good = true;
    for (int k = 0; good && k < scene->params->exercise.tools_count; k++) {
        char *reference = scene->params->exercise.tools[k].attachment, name[SCENE_NAME_LENGTH];
        DocumentPath path = document_path("exercise.tools.%d.attachment", k);
        good = reference_name(&data_attachment_schema, reference, name, sizeof name, scene->status);
        bool known = good && have != NULL && data_files_find(have, data_attachment_schema.folder, name) != NULL;
        const ReferenceSource kept = {have, NULL, NULL};
        good = good && reference_load(&data_attachment_schema, known ? name : reference, known ? &kept : scene->source,
                                      attachment, scene->status);
        snprintf(reference, SCENE_NAME_LENGTH, "%s", name);
        good = good || fail_file(scene, path.text);
    }
    free(attachment);
    return good;
}

/// The tools on the site fit the machine and its coupler. `machine`: scratch.
static bool check_tools(Scene *scene, MachineParams *machine)
{
    const DataFiles *have = scene->source->kept ? scene->source->kept : scene->source->files;
    bool good = true;
    for (int k = 0; good && have != NULL && k < scene->params->exercise.tools_count; k++) {
        good = data_load_scene_tool(have, scene->params, k + 1, NULL, machine, scene->status) ||
               fail_reference(scene, document_path("exercise.tools.%d.attachment", k).text);
    }
    return good;
}

bool data_load_scene_tool(const DataFiles *files, const SceneParams *scene, int tool, MachineParams *plain,
                          MachineParams *machine, Status *status)
{
    const SceneMachine *start = &scene->machine;
    const ReferenceSource source = {files, NULL, NULL};
    const char *attachment = tool > 0 ? scene->exercise.tools[tool - 1].attachment : start->attachment;
    bool read = true;
    if (!reference_load(&data_machine_schema, start->file, &source, machine, status)) {
        return false;
    }
    if (tool < 0) {
        return mount_alone(start->coupler, &source, machine, status) && status_good(status);
    }
    if (attachment[0] != '\0' && !attach(attachment, &source, machine, &read, status)) {
        return false;
    }
    if (machine->jaw_count > 0) {
        return status_fail(status, STATUS_BAD_FILE,
                           "%s has jaws or a thumb, whose hoses a coupler does not connect, allowed where tools are "
                           "changed are those without",
                           attachment);
    }
    if (plain != NULL) {
        *plain = *machine;
    }
    return mount(start->coupler, &source, machine, &read, status) && status_good(status);
}

/// The list of actions that shows the exercise, for a machine of its type. A recording without it is replayed all the
/// same.
static bool resolve_expert(Scene *scene, const MachineParams *machine)
{
    const char *reference = scene->params->exercise.expert;
    char name[64];
    if (reference[0] == '\0' || strcmp(reference, "auto") == 0 || machine->name[0] == '\0') {
        return true;
    }
    if (!reference_name(&data_expert_schema, reference, name, sizeof name, scene->status)) {
        return fail_file(scene, "exercise.expert");
    }
    if (scene->source->kept && !data_files_find(scene->source->kept, data_expert_schema.folder, name)) {
        return true;
    }
    ExpertParams *expert = calloc(1, sizeof *expert);
    if (!expert) {
        return status_fail(scene->status, STATUS_LACKING, "out of memory for the expert's actions");
    }
    bool good = reference_load(&data_expert_schema, reference, scene->source, expert, scene->status) ||
                fail_file(scene, "exercise.expert");
    if (good && expert->machine != machine->type) {
        good = document_fail_at(scene->document, "exercise.expert", scene->status,
                                "read %s, which is for another type of machine than %s", reference, machine->name);
    }
    free(expert);
    return good;
}

/// Finds a survey file. Of one that is large, of another format, or to be cropped, the text is what the scene takes of
/// it.
/// left_out  what that leaves out, with its places in the file
static bool find_survey(Scene *scene, const SceneSurface *surface, ReferenceFound *found,
                        char left_out[SURVEY_LEFT_OUT])
{
    const SurveyCrop crop = {.east = surface->east,
                             .north = surface->north,
                             .length = surface->crop_length,
                             .width = surface->crop_width,
                             .called = "the crop"};
    struct stat info;
    if (!reference_locate(&data_survey_schema, surface->file, scene->source, found, scene->status)) {
        return false;
    }
    FILE *file = regular_file_open(found->label, scene->status);
    bool large = file && fstat(fileno(file), &info) == 0 && info.st_size > DOCUMENT_MAX_SIZE, crops = crop.length > 0.0;
    bool whole = file && !large && !crops && surface->longest_edge <= 0.0 && survey_is_landxml(file);
    bool good =
        whole ? file_read(found->label, &found->own_text, &found->size, scene->status)
              : file && survey_reduce(found->label, file, surface->name, crops ? &crop : NULL, surface->longest_edge,
                                      &found->own_text, &found->size, left_out, scene->status);
    if (file) {
        fclose(file);
    }
    found->text = found->own_text;
    return good;
}

/// Loads the file of the design surface, if it has one. Its text stays with the source's files; without files the
/// surface has none.
static bool resolve_surface(Scene *scene)
{
    SceneSurface *surface = &scene->params->exercise.surface;
    bool survey = surface->file[0] != '\0';
    if (!survey && surface->heights[0] == '\0') {
        return true;
    }
    const DataSchema *schema = survey ? &data_survey_schema : &data_heights_schema;
    const char *path = survey ? "exercise.surface.file" : "exercise.surface.heights";
    char *reference = survey ? surface->file : surface->heights;
    ReferenceFound found;
    char left_out[SURVEY_LEFT_OUT] = "";
    bool there = survey && !scene->source->kept
                     ? find_survey(scene, surface, &found, left_out)
                     : reference_find(schema, reference, scene->source, &found, scene->status);
    if (!there) {
        free(found.own_text);
        return fail_file(scene, path);
    }
    surface->text = found.text;
    surface->text_size = found.size;
    DesignSurface *design = design_create(&scene->params->exercise, DESIGN_OF_SURFACE, found.label, scene->status);
    bool good = design != NULL
                    ? design_fits(design, surface, &scene->params->ground, scene->status) || fail_reference(scene, path)
                    : fail_file(scene, path);
    if (left_out[0] == '\0') {
        design_tell_left_out(design, found.label, left_out, sizeof left_out);
    }
    if (good && left_out[0] != '\0') {
        document_warn_at(scene->document, path, "%s", left_out);
    }
    design_destroy(design);
    memcpy(reference, found.name, sizeof found.name);
    good = reference_keep(schema, scene->source, &found, good, scene->status);
    bool stays = good && (scene->source->kept || scene->source->files);
    surface->text = stays ? found.text : NULL;
    surface->text_size = stays ? found.size : 0;
    return good;
}

/// ---- the heights that the ground begins with -----------------------------------------------------------------------

/// Opens the surface of a survey or of a height map, as it lies on the site. NULL with the scene's status.
/// left_out  see tin_tell_left_out
static DesignSurface *open_relief(Scene *scene, const SceneSurface *surface, ReferenceFound *found,
                                  char left_out[SURVEY_LEFT_OUT])
{
    const SceneGround *ground = &scene->params->ground;
    if (surface->heights[0] != '\0') {
        if (!reference_locate(&data_heights_schema, surface->heights, scene->source, found, scene->status) ||
            !file_read(found->label, &found->own_text, &found->size, scene->status)) {
            return NULL;
        }
        SceneExercise *asking = calloc(1, sizeof *asking);
        if (asking == NULL) {
            status_fail(scene->status, STATUS_LACKING, "%s: out of memory", found->label);
            return NULL;
        }
        asking->surface = *surface;
        asking->surface.text = found->own_text;
        asking->surface.text_size = found->size;
        DesignSurface *design = design_create(asking, DESIGN_OF_SURFACE, found->label, scene->status);
        free(asking);
        return design;
    }
    const LandXmlPlacement place = design_placement(surface);
    double c = same_cos(surface->heading), s = same_sin(surface->heading);
    double around = same_hypot(ground->size_x, ground->size_y) + 2.0; // the site, however it is turned, and a metre
    const SurveyCrop crop = {.east = surface->east - c * surface->x - s * surface->y,
                             .north = surface->north - c * surface->y + s * surface->x,
                             .length = around,
                             .width = around,
                             .called = "the site"};
    if (!reference_locate(&data_survey_schema, surface->file, scene->source, found, scene->status)) {
        return NULL;
    }
    Tin tin;
    FILE *file = regular_file_open(found->label, scene->status);
    bool good = file && survey_read(found->label, file, surface->name, &crop, surface->longest_edge, &place, &tin,
                                    left_out, scene->status);
    if (file) {
        fclose(file);
    }
    return good ? design_of_tin(&tin, found->label, scene->status) : NULL;
}

#define BESIDE 2e-4 ///< m: more than files round places by

/// Samples a surface at the middles of columns; NaN where it has no height. Returns how many have one. The outermost
/// columns of a ground that was exported lie on its boundary, so that a place just inside counts, too.
static int sample_relief(const DesignSurface *design, const SceneGround *ground, float *heights)
{
    int rows = scene_rows(ground), columns = scene_columns(ground), count = 0;
    for (int k = 0; k < rows * columns; k++) {
        double x = (k % columns - 0.5 * (columns - 1)) * ground->column_spacing;
        double y = (k / columns - 0.5 * (rows - 1)) * ground->column_spacing, height;
        bool has = design_height(design, x, y, &height) ||
                   design_height(design, x - copysign(BESIDE, x), y - copysign(BESIDE, y), &height);
        heights[k] = has ? (float)height : (float)NAN;
        count += has;
    }
    return count;
}

/// Samples the heights, has columns without one take the nearest one's, and packs them. NULL with the scene's status.
static char *make_relief(Scene *scene, const DesignSurface *design, const char *label, size_t *size)
{
    const SceneGround *ground = &scene->params->ground;
    int cells = scene_rows(ground) * scene_columns(ground);
    float *heights = malloc((size_t)cells * sizeof *heights);
    char *bytes = NULL;
    int covered = heights ? sample_relief(design, ground, heights) : 0;
    if (heights && covered == 0) {
        status_fail(scene->status, STATUS_BAD_FILE, "%s: no column of the site has a height", label);
    } else if (!heights || !scene_relief_spread(ground, heights) ||
               !(bytes = scene_relief_pack(ground, heights, size))) {
        status_fail(scene->status, STATUS_LACKING, "%s: out of memory", label);
    } else if (covered < cells) {
        document_warn_at(scene->document, "ground.surface",
                         "%.2g %% of the site have no height in %s and take the nearest one",
                         100.0 * (cells - covered) / cells, label);
    }
    free(heights);
    return bytes;
}

/// Reads the heights from their file, and gives them to the source's files.
static bool read_relief(Scene *scene, const SceneSurface *surface, ReferenceFound *found)
{
    char left_out[SURVEY_LEFT_OUT] = "";
    DesignSurface *design = open_relief(scene, surface, found, left_out);
    free(found->own_text);
    found->own_text = NULL;
    bool good = design && design_fits_height(design, surface, &scene->params->ground, scene->status);
    found->own_text = good ? make_relief(scene, design, found->label, &found->size) : NULL;
    found->text = found->own_text;
    design_destroy(design);
    if (found->own_text && left_out[0] != '\0') {
        document_warn_at(scene->document, "ground.surface", "%s", left_out);
    }
    return found->own_text != NULL;
}

/// Loads the heights that the ground begins with, if it has some.
static bool resolve_relief(Scene *scene)
{
    SceneGround *ground = &scene->params->ground;
    SceneRelief *relief = &ground->surface;
    const SceneSurface *surface = &relief->surface;
    if (!scene_has_relief(ground)) {
        return true;
    }
    const char *path = surface->file[0] != '\0' ? "ground.surface.file" : "ground.surface.heights";
    char *reference = surface->file[0] != '\0' ? relief->surface.file : relief->surface.heights;
    const DataSchema *schema = surface->file[0] != '\0' ? &data_survey_schema : &data_heights_schema;
    if (relief->layers == SCENE_RELIEF_STAY && relief->fill[0] == '\0') {
        snprintf(relief->fill, sizeof relief->fill, "%s", ground->layers[0].soil);
        relief->soil_index = ground->layers[0].soil_index;
    } else if (relief->layers == SCENE_RELIEF_STAY &&
               !resolve_soil(scene, document_path("ground.surface.fill"), relief->fill, &relief->soil_index)) {
        return false;
    }
    ReferenceFound found = {.text = NULL};
    if (scene->source->kept) {
        const DataFile *kept = reference_name(schema, reference, found.name, sizeof found.name, scene->status)
                                   ? data_files_find(scene->source->kept, SCENE_RELIEF_KIND, found.name)
                                   : NULL;
        snprintf(found.label, sizeof found.label, "kept %s/%.64s", SCENE_RELIEF_KIND, found.name);
        memcpy(reference, found.name, sizeof found.name);
        if (!kept) {
            return status_fail(scene->status, STATUS_BAD_FILE, "%s: it is missing", found.label);
        }
        return scene_relief_take(ground, found.label, kept->text, kept->size, scene->status);
    }
    if (!read_relief(scene, surface, &found)) {
        return fail_file(scene, path);
    }
    memcpy(reference, found.name, sizeof found.name);
    return data_files_add(scene->source->files, SCENE_RELIEF_KIND, found.name, found.own_text, found.size,
                          scene->status) &&
           scene_relief_take(ground, found.label, found.text, found.size, scene->status) &&
           (scene_relief_fits(ground, scene->status) || fail_reference(scene, path));
}

static bool resolve_references(Scene *scene, MachineParams *machine)
{
    return resolve_soils(scene) && resolve_relief(scene) && resolve_surface(scene) && resolve_truck(scene) &&
           resolve_machine(scene, machine) && resolve_tools(scene) && resolve_expert(scene, machine);
}

/// The tools fit; the machine of the scene is loaded.
static bool resolve_tool_machines(Scene *scene)
{
    MachineParams *scratch = scene->params->exercise.tools_count > 0 ? malloc(sizeof *scratch) : NULL;
    bool good = scene->params->exercise.tools_count == 0 || scratch != NULL;
    good = good ? scratch == NULL || check_tools(scene, scratch)
                : status_fail(scene->status, STATUS_LACKING, "out of memory for the tools of the scene");
    free(scratch);
    return good;
}

/// Loads what an open scene names, and checks what needs it. `in_file` (or NULL) says whether a file that it names is
/// what is wrong.
static bool resolve_scene(Document *document, SceneParams *params, MachineParams *machine,
                          const ReferenceSource *source, bool *in_file, Status *status)
{
    Scene scene = {.document = document, .params = params, .source = source, .status = status};
    scene_complete_fixtures(params);
    bool good = resolve_references(&scene, machine) && resolve_tool_machines(&scene);
    if (in_file) {
        *in_file = scene.in_file;
    }
    return good && document_is_good(document, status) && scene_check_loaded(document, params, machine, status) &&
           scene_check_earthworks_loaded(document, params, machine, status) && document_is_good(document, status) &&
           scene_check_rocks_start(document, params, machine, status) &&
           scene_check_rip_loaded(document, params, machine, status) &&
           scene_check_walk_round_loaded(document, params, machine, status) &&
           scene_check_loads_start(document, params, machine, status) &&
           scene_check_tools_start(document, params, machine, status) &&
           scene_check_haul(document, params, machine, status) && document_is_good(document, status);
}

/// Reads the scene of an open document, with all that it names.
static bool read_scene(Document *document, const char *name, const ReferenceSource *source, SceneParams *params,
                       MachineParams *machine, bool *in_file, Status *status)
{
    if (!schema_read(&data_scene_schema, document, params, status)) {
        return false;
    }
    snprintf(params->name, sizeof params->name, "%s", name);
    return resolve_scene(document, params, machine, source, in_file, status);
}

static void prefix_set(const char *set, const char *others, StatusCode code, Status *status)
{
    Status inner = *status;
    status_fail(status, code, "--set %.200s%s: %.760s", set, others, inner.text);
}

void data_blame_set(const char *const *set, int set_count, bool in_file, Status *status)
{
    StatusCode code = status->code == STATUS_LACKING ? STATUS_LACKING : in_file ? STATUS_BAD_FILE : STATUS_BAD_USAGE;
    for (int i = 0; i < set_count; ++i) {
        if (override_is_told_of(set[i], status->text)) {
            prefix_set(set[i], "", code, status);
            return;
        }
    }
    if (set_count > 0) {
        prefix_set(set[0], set_count > 1 ? " and others" : "", code, status);
    }
}

/// Names the --set that a failure comes from, when it comes from one: the text without them is good then.
static void blame_set(const char *path, const char *text, size_t size, const char *const *set, int set_count,
                      bool in_file, Status *status)
{
    Status ignored;
    if (set_count > 0 && data_check_text(path, text, size, &ignored)) {
        data_blame_set(set, set_count, in_file, status);
    }
}

/// Loads the scene of a text that was read from `path` and gives the text as it was used, after --set, to
/// source->files. Takes over `text`.
static bool load_scene_text(const char *path, const char *name, char *text, size_t size, const char *const *set,
                            int set_count, const ReferenceSource *source, SceneParams *params, MachineParams *machine,
                            Status *status)
{
    Document document;
    if (!document_open(&document, path, text, size, status)) {
        free(text);
        return false;
    }
    bool good = true;
    for (int i = 0; i < set_count && good; ++i) {
        good = override_apply(&document, set[i], status);
    }
    bool in_file = false;
    if (good && !read_scene(&document, name, source, params, machine, &in_file, status)) {
        blame_set(path, text, size, set, set_count, in_file, status);
        good = false;
    }
    if (good && document.own_text) {
        free(text);
        text = document.own_text;
        size = document.size;
        document.own_text = NULL;
    }
    document_close(&document);
    if (!good) {
        free(text);
        return false;
    }
    if (!data_files_add(source->files, data_scene_schema.folder, name, text, size, status)) {
        return false;
    }
    if (source->files) {
        DataFile *kept = &source->files->files[source->files->count - 1];
        snprintf(kept->path, sizeof kept->path, "%s", path);
    }
    return true;
}

bool data_load_scene(const char *scene, const char *const *set, int set_count, SceneParams *params,
                     MachineParams *machine, DataFiles *files, Status *status)
{
    char name[64], path[DATA_PATH_LENGTH];
    char *text = NULL;
    size_t size = 0;
    if (!reference_name(&data_scene_schema, scene, name, sizeof name, status) ||
        !reference_path(&data_scene_schema, scene, NULL, path, status) || !file_read(path, &text, &size, status)) {
        return false;
    }
    DataFiles kept = {0};
    const ReferenceSource source = {NULL, path, &kept};
    bool good = load_scene_text(path, name, text, size, set, set_count, &source, params, machine, status);
    if (good && files) {
        *files = kept;
        return status_good(status);
    }
    data_files_free(&kept);
    for (int i = 0; good && i < params->grains_count; ++i) {
        params->grains[i].text = NULL;
        params->grains[i].text_size = 0;
    }
    params->exercise.surface.text = params->ground.surface.text = NULL;
    params->exercise.surface.text_size = params->ground.surface.text_size = 0;
    return good && status_good(status);
}

bool data_load_scene_from_files(const DataFiles *files, SceneParams *params, MachineParams *machine, Status *status)
{
    const DataFile *scene = data_files_find(files, data_scene_schema.folder, NULL);
    if (!scene) {
        return status_fail(status, STATUS_BAD_FILE, "the kept files hold no scene");
    }
    const ReferenceSource source = {files, NULL, NULL};
    char label[96], name[64];
    snprintf(label, sizeof label, "kept %s/%s.yaml", scene->kind, scene->name);
    Document document;
    if (!reference_name(&data_scene_schema, scene->name, name, sizeof name, status) ||
        !document_open(&document, label, scene->text, scene->size, status)) {
        return false;
    }
    bool good = read_scene(&document, name, &source, params, machine, NULL, status);
    document_close(&document);
    return good && status_good(status);
}

static bool load_one(const DataSchema *schema, const char *reference, void *params, DataFiles *files, Status *status)
{
    DataFiles kept = {0};
    const ReferenceSource source = {NULL, NULL, &kept};
    bool good = reference_load(schema, reference, &source, params, status);
    if (!good || !files) {
        data_files_free(&kept);
    } else {
        *files = kept;
    }
    return good && status_good(status);
}

bool data_load_machine(const char *machine, MachineParams *params, DataFiles *files, Status *status)
{
    return load_one(&data_machine_schema, machine, params, files, status);
}

bool data_load_attachment(const char *attachment, MachineParams *machine, DataFiles *files, Status *status)
{
    const ReferenceSource source = {NULL, NULL, files};
    bool read = true;
    return attach(attachment, &source, machine, &read, status) && status_good(status);
}

bool data_load_coupler(const char *coupler, MachineParams *machine, DataFiles *files, Status *status)
{
    const ReferenceSource source = {NULL, NULL, files};
    bool read = true;
    return mount(coupler, &source, machine, &read, status) && status_good(status);
}

bool data_load_truck(const char *truck, TruckParams *params, DataFiles *files, Status *status)
{
    return load_one(&data_truck_schema, truck, params, files, status);
}

bool data_load_soil(const char *soil, SoilParams *params, DataFiles *files, Status *status)
{
    return load_one(&data_soil_schema, soil, params, files, status);
}

bool data_load_expert(const char *expert, ExpertParams *params, DataFiles *files, Status *status)
{
    return load_one(&data_expert_schema, expert, params, files, status);
}

bool data_load_course(const char *course, CourseParams *params, Status *status)
{
    return load_one(&data_course_schema, course, params, NULL, status);
}

bool data_load_condition(const char *condition, ConditionParams *params, Status *status)
{
    return load_one(&data_condition_schema, condition, params, NULL, status) && status_good(status);
}

bool data_load_scene_expert(const DataFiles *files, const char *reference, ExpertParams *params, Status *status)
{
    const ReferenceSource source = {files, NULL, NULL};
    return reference_load(&data_expert_schema, reference, &source, params, status) && status_good(status);
}

bool data_load_controls(const char *controls, ControlsParams *params, DataFiles *files, Status *status)
{
    return load_one(&data_controls_schema, controls, params, files, status);
}

bool data_load_settings(const char *path, SettingsParams *params, Status *status)
{
    static const char empty[] = "kind: settings\n";
    if (path) {
        return load_one(&data_settings_schema, path, params, NULL, status);
    }
    Document document;
    bool good = document_open(&document, "no settings", empty, sizeof empty - 1, status) &&
                schema_read(&data_settings_schema, &document, params, status);
    document_close(&document);
    return good && status_good(status);
}

/// Schema by the document's `kind:`, or NULL with the status.
static const DataSchema *find_schema(Document *document, Status *status)
{
    const DocumentNode *kind = document_child(document->root, "kind");
    const DataSchema *schema = schema_of_kind(kind ? kind->text : "");
    if (!schema) {
        document_fail(document, kind ? &kind->start : &document->root->start, "kind", status,
                      "%s%.60s, allowed scene, machine, soil, controls, truck, attachment, coupler, expert, course, "
                      "condition, settings",
                      kind ? "read " : "the key is missing", kind ? kind->text : "");
    }
    return schema;
}

/// Room for any file; a scene's machine goes to the second member.
typedef struct CheckRoom {
    union {
        SceneParams scene;
        MachineParams machine;
        AttachmentParams attachment;
        CouplerParams coupler;
        SoilParams soil;
        ControlsParams controls;
        TruckParams truck;
        ExpertParams expert;
        SettingsParams settings;
        CourseParams course;
        ConditionParams condition;
    } params;
    MachineParams machine;
} CheckRoom;

/// Checks a text; `findings` may be NULL.
static bool check_text(const char *label, const char *text, size_t size, Findings *findings, Status *status)
{
    Document document;
    if (!document_open(&document, label, text, size, status)) {
        return false;
    }
    document.findings = findings;
    const DataSchema *schema = find_schema(&document, status);
    CheckRoom *room = calloc(1, sizeof *room);
    bool good = schema && room;
    if (schema && !room) {
        status_fail(status, STATUS_LACKING, "%s: out of memory", label);
    }
    good = good && schema_read(schema, &document, &room->params, status);
    if (good && schema == &data_scene_schema) {
        DataFiles files = {0};
        const ReferenceSource source = {NULL, label, &files};
        good = resolve_scene(&document, &room->params.scene, &room->machine, &source, NULL, status);
        if (good) {
            scene_advise(&document, &room->params.scene, &room->machine);
        }
        data_files_free(&files);
    }
    free(room);
    document_close(&document);
    return good && status_good(status);
}

bool data_check_text(const char *label, const char *text, size_t size, Status *status)
{
    return check_text(label, text, size, NULL, status);
}

static bool check_heights(const char *label, const char *text, size_t size, Status *status)
{
    HeightMap map;
    if (!height_map_read(label, text, size, &map, status)) {
        return false;
    }
    height_map_free(&map);
    return true;
}

static bool check_survey(const char *path, Findings *findings, SurveyInfo *survey, Status *status)
{
    SurveyInfo ignored = {.format = NULL};
    FILE *file = regular_file_open(path, status);
    bool good = file && survey_check(path, file, findings, survey ? survey : &ignored, status);
    if (file) {
        fclose(file);
    }
    return good;
}

/// Checks a file that is no YAML, by its ending, else YAML.
static bool check_any(const char *path, const char *text, size_t size, Findings *findings, Status *status)
{
    return extension_is_of(&data_mesh_schema, path)      ? check_mesh(path, text, size, status)
           : extension_is_of(&data_heights_schema, path) ? check_heights(path, text, size, status)
                                                         : check_text(path, text, size, findings, status);
}

bool data_check_file(const char *path, Findings *findings, SurveyInfo *survey, Status *status)
{
    char *text = NULL;
    size_t size = 0;
    bool good = extension_is_of(&data_survey_schema, path)
                    ? check_survey(path, findings, survey, status)
                    : file_read(path, &text, &size, status) && check_any(path, text, size, findings, status);
    free(text);
    if (!good && findings && findings->faults == 0) {
        findings_add(findings, false, status->text);
    }
    return good;
}

int data_list(const char *kind, DataListEntry *entries, int capacity, Status *status)
{
    const DataSchema *schema = schema_of_folder(kind);
    if (!schema) {
        status_fail(status, STATUS_BAD_USAGE,
                    "read %s, allowed scenes, machines, soils, controls, courses, meshes, attachments, experts, "
                    "surfaces, heights, conditions, couplers",
                    kind);
        return -1;
    }
    return files_list(schema, entries, capacity, status);
}

/// ---- places of keys ------------------------------------------------------------------------------------------------

/// Reads the file once more: it was good as a file, and is small.

/// `said` may lie in the status.
static bool fail_in_text(const char *label, const char *text, size_t size, const char *key, const char *said,
                         Status *status)
{
    char copy[sizeof status->text];
    Document document;
    Status ignored;
    snprintf(copy, sizeof copy, "%s", said);
    if (!document_open(&document, label, text, size, &ignored)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", label, copy);
    }
    const char *rest = NULL;
    const DocumentMark mark = document_walk(&document, key, &rest)->start;
    status_fail(status, STATUS_BAD_FILE, "%s:%zu:%zu: %s", label, mark.line, mark.column, copy);
    document_close(&document);
    return false;
}

bool key_place_fail(const char *file, const char *key, const char *text, Status *status)
{
    char *read = NULL;
    size_t size = 0;
    Status ignored;
    if (!file_read(file, &read, &size, &ignored)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s", file, text);
    }
    fail_in_text(file, read, size, key, text, status);
    free(read);
    return false;
}

bool key_place_fail_in(const DataFile *file, const char *key, const char *text, Status *status)
{
    char label[DATA_PATH_LENGTH];
    snprintf(label, sizeof label, "kept %s/%s.yaml", file->kind, file->name);
    return fail_in_text(file->path[0] != '\0' ? file->path : label, file->text, file->size, key, text, status);
}

bool key_place_has(const DataFile *file, const char *key)
{
    Document document;
    Status ignored;
    if (!document_open(&document, file->name, file->text, file->size, &ignored)) {
        return false;
    }
    bool has = document_find(&document, key) != NULL;
    document_close(&document);
    return has;
}

void key_place_of_text(const char *text, char key[KEY_PLACE_LENGTH])
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    bool ends = text[length] == ':' || strncmp(text + length, " (", 2) == 0;
    bool is_key = length > 0 && length < KEY_PLACE_LENGTH && ends;
    snprintf(key, KEY_PLACE_LENGTH, "%.*s", is_key ? (int)length : 0, text);
}

bool key_place_text(const DataFile *file, Status *status)
{
    char key[KEY_PLACE_LENGTH];
    if (file != NULL && status->code == STATUS_BAD_FILE) {
        key_place_of_text(status->text, key);
        key_place_fail_in(file, key, status->text, status);
    }
    return false;
}
