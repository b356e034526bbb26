/// The keys of a soil. Ranges are those of soil_params.h; they hold every soil from peat to boulder clay with room to
/// spare.
#include "data/core/units.h"
#include "data/schema/schemas.h"
#include "data/schema/soil_params.h"

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", SoilParams, title, "shown in lists"),
    ROW_NUMBER("bank_density", SoilParams, bank_density, 800, 3000, 1, "kg/m3: as it lies undisturbed"),
    ROW_NUMBER("swell", SoilParams, swell, 0, 0.8, 1, "ratio: by which it takes more room when it is loose"),
    ROW_NUMBER("friction_angle_deg", SoilParams, friction_angle, 0, 50, UNIT_DEG, "deg: angle of internal friction"),
    ROW_NUMBER("cohesion_kpa", SoilParams, cohesion, 0, 200, UNIT_KPA, "kPa: cohesion"),
    ROW_NUMBER("steel_friction_angle_deg", SoilParams, steel_friction_angle, 0, 45, UNIT_DEG,
               "deg: angle of friction on steel"),
    ROW_NUMBER("steel_adhesion_kpa", SoilParams, steel_adhesion, 0, 100, UNIT_KPA, "kPa: adhesion to steel"),
    ROW_NUMBER_OR("compression_index", SoilParams, compression_index, 0, 2, 1, 0.2,
                  "ratio: void ratio that loose soil loses each time its pressure grows tenfold (Cc)"),
    ROW_NUMBER("repose_angle_deg", SoilParams, repose_angle, 5, 60, UNIT_DEG, "deg: at which loose soil lies"),
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
    ROW_TUPLE("color_fresh", SoilParams, color_fresh, float, 3, 0, 1, 1,
              "share: red, green and blue of freshly dug soil, linear"),
    ROW_TUPLE("color_weathered", SoilParams, color_weathered, float, 3, 0, 1, 1,
              "share: red, green and blue of the undisturbed surface, linear"),
    ROW_END,
};

const DataSchema data_soil_schema = {.kind = "soil",
                                     .folder = "soils",
                                     .keys = keys,
                                     .size = sizeof(SoilParams),
                                     .name_size = KEY_SIZE(SoilParams, name)};
