/// A soil, as its file states it. File: data/soils/NAME.yaml; keys in brackets where file units differ.
#ifndef SPADEWORK_DATA_SOIL_PARAMS_H
#define SPADEWORK_DATA_SOIL_PARAMS_H

#define SOIL_NAME_LENGTH 32

typedef struct SoilParams {
    char name[SOIL_NAME_LENGTH]; ///< file name without .yaml
    char title[64];
    /// Bulk properties (what a soil laboratory states).
    double bank_density; ///< kg/m3, 800..3000: undisturbed
    double swell; ///< 0..0.8: loose volume / bank volume - 1
    double friction_angle; ///< rad [friction_angle_deg 0..50]: internal friction
    double cohesion; ///< Pa [cohesion_kpa 0..200]
    double steel_friction_angle; ///< rad [steel_friction_angle_deg 0..45]: soil on steel
    double steel_adhesion; ///< Pa [steel_adhesion_kpa 0..100]
    /// 0..2, default 0.2: Cc, void ratio that loose soil loses each time its pressure grows tenfold
    double compression_index;
    /// Bekker's pressure, Pa, under a strip of width b, m, at the depth z, m: (cohesive / b + frictional) z^exponent
    double sinkage_cohesive; ///< N/m^(n+1) [kN/m^(n+1), 0..2000], default 60: kc
    double sinkage_frictional; ///< N/m^(n+2) [kN/m^(n+2), 1..1e6], default 5.88e6: kphi
    double sinkage_exponent; ///< 0.05..2, default 1.01: n
    double repose_angle; ///< rad [repose_angle_deg 5..60]: loose soil
    /// Particle contacts (what the solver uses; stiffness of one contact for REFERENCE_RADIUS, in proportion to the
    /// radius).
    double contact_friction; ///< mu between particles, 0..2
    double contact_bond_friction; ///< 0..2, default 2: the same while their bond holds, where that is less
    double contact_stiffness; ///< N/m, 1e3..1e8
    double contact_damping; ///< damping ratio of a contact, 0..2
    double contact_adhesion; ///< Pa [contact_adhesion_kpa 0..200]: pull-off force of a contact / (pi r^2)
    double contact_remoulded; ///< 0..1, default 0.2: share of the adhesion that a broken contact keeps
    double contact_rebonded_strength; ///< 0..1, default 0: most of it that pressure gives back, 1 / sensitivity
    double contact_ductility; ///< 0.001..10 radii, default 1: slip that uses up a bond of undisturbed soil
    /// Pa [contact_ground_adhesion_kpa 0..50], default 0: adhesion of loose soil to the ground that it lies on, where
    /// it is more than contact_remoulded leaves
    double contact_ground_adhesion;
    /// 0..1.5 radii, default 0: grains whose centres are nearer when they appear have no bond
    double contact_bond_distance;
    /// How undisturbed faces weaken (soil/exchange/face_age.h, soil/ground/wedge.c); all off by default.
    double tension_crack; ///< 0..1, default 0: depth of the crack behind a face, of 2 c / (rho g sqrt(Ka))
    double soft_cohesion; ///< Pa [soft_cohesion_kpa 0..200], default 200 kPa: the cohesion that an open face keeps
    double standing_time; ///< s [standing_time_min 0..1e5], default 0 (off): an open face loses 63 % of the rest in it
    double soaking_time; ///< s [soaking_time_min 0..1e5], default 0 (off): the same beside it, where the ground is wet
    /// Colours for drawing, linear 0..1.
    float color_fresh[3]; ///< freshly dug
    float color_weathered[3]; ///< undisturbed surface
} SoilParams;

#endif
