/// Lists the kinds of data files, and has the tables of the small ones: soils and courses.
#include "data/schema/schemas.h"

#include <string.h>

#include "data/core/constants.h"
#include "data/files/references.h"
#include "data/schema/condition_params.h"
#include "data/schema/scene_params.h"
#include "data/schema/soil_params.h"

/// ---- soils ---------------------------------------------------------------------------------------------------------

/// Ranges are those of soil_params.h; they hold every soil from peat to boulder clay with room to spare.

static const DataKey soil_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", SoilParams, title, "shown in lists"),
    ROW_NUMBER("bank_density", SoilParams, bank_density, 800, 3000, 1, "kg/m3: density of undisturbed soil"),
    ROW_NUMBER("swell", SoilParams, swell, 0, 0.8, 1, "ratio: loose volume to bank volume, less 1"),
    ROW_NUMBER("friction_angle_deg", SoilParams, friction_angle, 0, 50, UNIT_DEG, "deg: angle of internal friction"),
    ROW_NUMBER("cohesion_kpa", SoilParams, cohesion, 0, 200, UNIT_KPA, "kPa: cohesion"),
    ROW_NUMBER("steel_friction_angle_deg", SoilParams, steel_friction_angle, 0, 45, UNIT_DEG,
               "deg: angle of friction on steel"),
    ROW_NUMBER("steel_adhesion_kpa", SoilParams, steel_adhesion, 0, 100, UNIT_KPA, "kPa: adhesion to steel"),
    ROW_NUMBER_OR("compression_index", SoilParams, compression_index, 0, 2, 1, 0.2,
                  "ratio: void ratio that loose soil loses each time its pressure grows tenfold (Cc)"),
    ROW_NUMBER_OR("sinkage_cohesive", SoilParams, sinkage_cohesive, 0, 2000, 1e3, 0.06,
                  "kN/m^(n+1): kc of Bekker's p = (kc / b + kphi) z^n under a track b m wide that has sunk by z m"),
    ROW_NUMBER_OR("sinkage_frictional", SoilParams, sinkage_frictional, 1, 1e6, 1e3, 5880,
                  "kN/m^(n+2): kphi of the same"),
    ROW_NUMBER_OR("sinkage_exponent", SoilParams, sinkage_exponent, 0.05, 2, 1, 1.01, "ratio: n of the same"),
    ROW_NUMBER("repose_angle_deg", SoilParams, repose_angle, 5, 60, UNIT_DEG, "deg: angle of repose of loose soil"),
    ROW_NUMBER("contact_friction", SoilParams, contact_friction, 0, 2, 1, "ratio: friction between grains"),
    ROW_NUMBER_OR("contact_bond_friction", SoilParams, contact_bond_friction, 0, 2, 1, 2,
                  "ratio: the same while the bond of a contact holds"),
    ROW_NUMBER("contact_stiffness", SoilParams, contact_stiffness, 1e3, 1e8, 1,
               "N/m: of one contact of grains with a radius of 5 cm, in proportion to the radius"),
    ROW_NUMBER("contact_damping", SoilParams, contact_damping, 0, 2, 1,
               "ratio: damping of a contact to critical damping"),
    ROW_NUMBER("contact_adhesion_kpa", SoilParams, contact_adhesion, 0, 200, UNIT_KPA,
               "kPa: pull that a contact bears, over a grain's section"),
    ROW_NUMBER_OR("contact_remoulded", SoilParams, contact_remoulded, 0, 1, 1, 0.2,
                  "share: of the adhesion that a broken contact keeps"),
    ROW_NUMBER_OR("contact_rebonded_strength", SoilParams, contact_rebonded_strength, 0, 1, 1, 0,
                  "share: of the adhesion that pressure gives back"),
    ROW_FORMER("contact_kneaded", "contact_rebonded_strength"),
    ROW_NUMBER_OR("contact_ductility", SoilParams, contact_ductility, 0.001, 10, 1, 1,
                  "radii: slip that uses up a bond of undisturbed soil"),
    ROW_NUMBER_OR(
        "contact_ground_adhesion_kpa", SoilParams, contact_ground_adhesion, 0, 50, UNIT_KPA, 0,
        "kPa: adhesion of loose soil to the ground that it lies on, if it is more than contact_remoulded leaves"),
    ROW_NUMBER_OR("contact_bond_distance", SoilParams, contact_bond_distance, 0, 1.5, 1, 0,
                  "radii: grains whose centres are nearer when they appear are not bonded; 0.5 for very sticky soil"),
    ROW_NUMBER_OR("tension_crack", SoilParams, tension_crack, 0, 1, 1, 0,
                  "share: depth of the crack behind an open face, of 2 c / (rho g sqrt(Ka)); 0: none"),
    ROW_NUMBER_OR("soft_cohesion_kpa", SoilParams, soft_cohesion, 0, 200, UNIT_KPA, 200,
                  "kPa: cohesion that an open face keeps in the end, where it is less than cohesion_kpa"),
    ROW_NUMBER_OR("standing_time_min", SoilParams, standing_time, 0, 1e5, 60, 0,
                  "min: in which an open face loses 63 % of the difference; 0: never"),
    ROW_NUMBER_OR("soaking_time_min", SoilParams, soaking_time, 0, 1e5, 60, 0,
                  "min: the same by water alone, where ground.wet is yes; 0: never"),
    ROW_TUPLE("color_fresh", SoilParams, color_fresh, float, 3, 0, 1, 1,
              "share: red, green and blue of freshly dug soil, linear"),
    ROW_TUPLE("color_weathered", SoilParams, color_weathered, float, 3, 0, 1, 1,
              "share: red, green and blue of the undisturbed surface, linear"),
    ROW_END,
};

const DataSchema data_soil_schema = {.kind = "soil",
                                     .folder = "soils",
                                     .keys = soil_keys,
                                     .size = sizeof(SoilParams),
                                     .name_size = KEY_SIZE(SoilParams, name)};

/// ---- courses -------------------------------------------------------------------------------------------------------

/// Each exercise is a scene that exists, and stands once.

static const DataKey exercise_keys[] = {
    ROW_TEXT("scene", CourseExercise, scene, "name of a scene's file"),
    ROW_NUMBER_OR("needs", CourseExercise, needs, 0, 100, 1, 0,
                  "points: that open the next exercise; 0: the scene's own pass mark"),
    ROW_INTEGER_OR("difficulty", CourseExercise, difficulty, 0, 5, 0,
                   "difficulty, 1 (first time at the levers) to 5; 0: not stated"),
    ROW_END,
};
static const DataKey exercise = ROW_ITEM(CourseExercise, exercise_keys);

static const DataKey course_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", CourseParams, title, "shown in lists"),
    ROW_TEXT_LINES("description", CourseParams, description, "whom the course is for and what is learnt"),
    ROW_TEXT_OPTIONAL("language", CourseParams, language,
                      "that title and description are written in, as a tag (de, pt-BR), for learning platforms"),
    ROW_INTEGER_OR("place", CourseParams, place, 1, 100, 50, "order of the course in lists, the lowest first"),
    ROW_LIST("exercises", CourseParams, exercises, exercises_count, 1, COURSE_MAX_EXERCISES, &exercise,
             "scenes in the order in which they are learnt"),
    ROW_END,
};

static bool check_exercise(Document *document, const CourseParams *course, int index, Status *status)
{
    const char *scene = course->exercises[index].scene;
    DocumentPath at = document_path("exercises.%d.scene", index);
    char path[DATA_PATH_LENGTH], name[COURSE_NAME_LENGTH];
    Status reason;
    // Menu, pages and results know the exercises of a course by their names.
    if (reference_name(&data_scene_schema, scene, name, sizeof name, &reason) && strcmp(name, scene) != 0) {
        return document_fail_at(document, at.text, status,
                                "read %s, allowed the name of a scene (spadework list scenes), no path: put the file "
                                "into the folder scenes beside that of the courses and write %s",
                                scene, name);
    }
    if (!reference_path(&data_scene_schema, scene, NULL, path, &reason)) {
        return document_fail_at(document, at.text, status, "%s", reason.text);
    }
    for (int k = 0; k < index; k++) {
        if (strcmp(course->exercises[k].scene, scene) == 0) {
            return document_fail_at(document, at.text, status, "read %s, allowed each scene once: it is exercise %d",
                                    scene, k + 1);
        }
    }
    return true;
}

static bool check(Document *document, const void *params, Status *status)
{
    const CourseParams *course = params;
    if (!document_check_language(document, "language", course->language, status)) {
        return false;
    }
    for (int k = 0; k < course->exercises_count; k++) {
        if (!check_exercise(document, course, k, status)) {
            return false;
        }
    }
    return true;
}

const DataSchema data_course_schema = {.kind = "course",
                                       .folder = "courses",
                                       .keys = course_keys,
                                       .size = sizeof(CourseParams),
                                       .name_size = KEY_SIZE(CourseParams, name),
                                       .users_too = true,
                                       .check = check,
                                       .rules_go_on = true};

/// ---- conditions ----------------------------------------------------------------------------------------------------

static const KeyChoice conditions[] = {
    {"time", CONDITION_TIME}, {"weather", CONDITION_WEATHER}, {"start", CONDITION_START}, {NULL, 0}};
static const DataKey condition_set = {.type = KEY_TEXT,
                                      .size = CONDITION_SET,
                                      .min = 1,
                                      .meaning =
                                          "KEY=VALUE, a key under weather, or of a start under exercise.start_up"};

static const DataKey condition_keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", ConditionParams, title, "shown in lists"),
    ROW_CHOICE("of", ConditionParams, of, conditions, "list that it belongs to"),
    ROW_INTEGER_OR("place", ConditionParams, place, 1, 100, 50, "order in lists, the lowest first"),
    ROW_LIST("set", ConditionParams, set, set_count, 1, CONDITION_FILE_SETS, &condition_set,
             "values of a scene's weather or start-up, as --set takes them"),
    ROW_END,
};

static bool check_condition(Document *document, const void *params, Status *status)
{
    const ConditionParams *condition = params;
    const char *keys = condition->of == CONDITION_START ? "exercise.start_up." : "weather.";
    for (int k = 0; k < condition->set_count; k++) {
        const char *set = condition->set[k];
        if (strncmp(set, keys, strlen(keys)) != 0 || strchr(set, '=') == NULL) {
            return document_fail_at(document, document_path("set.%d", k).text, status,
                                    "read %s, allowed %sKEY=VALUE: other keys change the work", set, keys);
        }
    }
    return true;
}

const DataSchema data_condition_schema = {.kind = "condition",
                                          .folder = "conditions",
                                          .users_too = true,
                                          .keys = condition_keys,
                                          .size = sizeof(ConditionParams),
                                          .name_size = KEY_SIZE(ConditionParams, name),
                                          .check = check_condition};

/// ---- all kinds -----------------------------------------------------------------------------------------------------

const DataSchema data_mesh_schema = {.kind = "mesh", .folder = "meshes", .extension = ".obj", .name_size = 64};

static const char *const survey_extensions[] = {".dxf", ".asc", ".tif", ".tiff", ".xyz", ".pts", ".csv", ".txt", NULL};
const DataSchema data_survey_schema = {.kind = "surface",
                                       .folder = "surfaces",
                                       .extension = ".xml",
                                       .other_extensions = survey_extensions,
                                       .name_size = 64};
const DataSchema data_heights_schema = {
    .kind = "height map", .folder = "heights", .extension = ".png", .name_size = 64};

static const DataSchema *const schemas[] = {
    &data_scene_schema,  &data_machine_schema,    &data_soil_schema,      &data_controls_schema, &data_mesh_schema,
    &data_truck_schema,  &data_attachment_schema, &data_expert_schema,    &data_settings_schema, &data_course_schema,
    &data_survey_schema, &data_heights_schema,    &data_condition_schema, &data_coupler_schema};
enum { SCHEMA_COUNT = sizeof schemas / sizeof schemas[0] };

const DataSchema *schema_of_folder(const char *folder)
{
    for (int i = 0; i < SCHEMA_COUNT; ++i) {
        if (strcmp(schemas[i]->folder, folder) == 0) {
            return schemas[i];
        }
    }
    return NULL;
}

const DataSchema *schema_of_kind(const char *kind)
{
    for (int i = 0; i < SCHEMA_COUNT; ++i) {
        if (schemas[i]->keys && strcmp(schemas[i]->kind, kind) == 0) {
            return schemas[i];
        }
    }
    return NULL;
}
