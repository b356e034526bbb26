/// The keys of a soil. Ranges are those of soil_params.h; they hold every soil from peat to boulder clay with room to
/// spare.
#include "data/core/units.h"
#include "data/schema/schemas.h"
#include "data/soil_params.h"

static const DataKey keys[] = {
    ROW_KIND(),
    ROW_TEXT("title", SoilParams, title),
    ROW_NUMBER("bank_density", SoilParams, bank_density, 800, 3000, 1),
    ROW_NUMBER("swell", SoilParams, swell, 0, 0.8, 1),
    ROW_NUMBER("friction_angle_deg", SoilParams, friction_angle, 0, 50, UNIT_DEG),
    ROW_NUMBER("cohesion_kpa", SoilParams, cohesion, 0, 200, UNIT_KPA),
    ROW_NUMBER("steel_friction_angle_deg", SoilParams, steel_friction_angle, 0, 45, UNIT_DEG),
    ROW_NUMBER("steel_adhesion_kpa", SoilParams, steel_adhesion, 0, 100, UNIT_KPA),
    ROW_NUMBER_OR("compression_index", SoilParams, compression_index, 0, 2, 1, 0.2),
    ROW_NUMBER("repose_angle_deg", SoilParams, repose_angle, 5, 60, UNIT_DEG),
    ROW_NUMBER("contact_friction", SoilParams, contact_friction, 0, 2, 1),
    ROW_NUMBER_OR("contact_bond_friction", SoilParams, contact_bond_friction, 0, 2, 1, 2),
    ROW_NUMBER("contact_stiffness", SoilParams, contact_stiffness, 1e3, 1e8, 1),
    ROW_NUMBER("contact_damping", SoilParams, contact_damping, 0, 2, 1),
    ROW_NUMBER("contact_adhesion_kpa", SoilParams, contact_adhesion, 0, 200, UNIT_KPA),
    ROW_NUMBER_OR("contact_remoulded", SoilParams, contact_remoulded, 0, 1, 1, 0.2),
    ROW_NUMBER_OR("contact_rebonded_strength", SoilParams, contact_rebonded_strength, 0, 1, 1, 0),
    ROW_FORMER("contact_kneaded", "contact_rebonded_strength"),
    ROW_NUMBER_OR("contact_ductility", SoilParams, contact_ductility, 0.001, 10, 1, 1),
    ROW_TUPLE("color_fresh", SoilParams, color_fresh, float, 3, 0, 1, 1),
    ROW_TUPLE("color_weathered", SoilParams, color_weathered, float, 3, 0, 1, 1),
    ROW_END,
};

const DataSchema data_soil_schema = {.kind = "soil",
                                     .folder = "soils",
                                     .keys = keys,
                                     .size = sizeof(SoilParams),
                                     .name_size = KEY_SIZE(SoilParams, name)};
