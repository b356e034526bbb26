/// Small scenes for the soil's tests.
#ifndef SPADEWORK_TESTS_SOIL_FIXTURE_H
#define SPADEWORK_TESTS_SOIL_FIXTURE_H

#include "data/schema/scene_site.h"
#include "soil/soil_lab.h"
#include "tests/support/test.h"

static inline double radians(double degrees)
{
    return degrees * M_PI / 180.0;
}

/// Level loam, 8 x 8 m on bedrock at -2 m.
static inline SceneParams loam_scene(void)
{
    SceneParams scene;
    memset(&scene, 0, sizeof scene);
    scene.seed = 1;
    scene.rates = (SceneRates){60, 8};
    scene.ground = (SceneGround){.size_x = 8, .size_y = 8, .column_spacing = 0.1, .bedrock_depth = 2, .layer_count = 1};
    scene.particles = (SceneParticles){.budget = 6000, .per_column_side = 1, .iterations = 2, .error_reduction = 0.5};
    scene.soil_count = 1;
    scene.soils[0] = (SoilParams){.name = "loam",
                                  .bank_density = 1540,
                                  .swell = 0.25,
                                  .friction_angle = radians(30),
                                  .cohesion = 5e3,
                                  .steel_friction_angle = radians(20),
                                  .steel_adhesion = 1e3,
                                  .compression_index = 0.2,
                                  .sinkage_cohesive = 60.0,
                                  .sinkage_frictional = 5.88e6,
                                  .sinkage_exponent = 1.01,
                                  .repose_angle = radians(35),
                                  .contact_friction = 0.33,
                                  .contact_bond_friction = 0.33,
                                  .contact_stiffness = 2e5,
                                  .contact_damping = 0.5,
                                  .contact_adhesion = 5e3,
                                  .contact_remoulded = 0.2};
    return scene;
}

/// 0.5 m of loam over clay on bedrock at -2 m, and a third soil.
static inline SceneParams layered_scene(void)
{
    SceneParams scene = loam_scene();
    scene.soil_count = 3;
    scene.soils[1] = scene.soils[2] = scene.soils[0];
    scene.soils[1].bank_density = 1750;
    scene.soils[2].bank_density = 1600;
    scene.ground.layer_count = 2;
    scene.ground.layers[0] = (SceneLayer){.thickness = 0.5, .soil_index = 0};
    scene.ground.layers[1] = (SceneLayer){.soil_index = 1};
    return scene;
}

/// The undisturbed ground at a place is made of these soils, top first, of these thicknesses, m.
static inline void expect_strata(const SceneParams *scene, double x, double y, int count, const int *soils,
                                 const double *thickness)
{
    double tan_repose[SCENE_MAX_SOILS];
    for (int k = 0; k < scene->soil_count; k++) {
        tan_repose[k] = tan(scene->soils[k].repose_angle);
    }
    SceneProfile profile;
    SceneAngles angles;
    scene_find_angles(&scene->ground, &angles);
    scene_profile(&scene->ground, &angles, tan_repose, scene->ground.bedrock_depth, x, y, &profile);
    assert_int_equal(profile.count, count);
    for (int k = 0; k < count; k++) {
        assert_int_equal(profile.strata[k].soil, soils[k]);
        assert_near(profile.strata[k].thickness, thickness[k], 1e-12);
    }
}

/// The same without any adhesion.
static inline SceneParams sand_scene(void)
{
    SceneParams scene = loam_scene();
    scene.soils[0].cohesion = scene.soils[0].steel_adhesion = scene.soils[0].contact_adhesion = 0.0;
    return scene;
}

static inline Soil *make_soil(const SceneParams *scene, SoilSolver solver, int threads)
{
    Status status;
    Soil *soil = soil_create(scene, scene->seed, solver, threads, &status);
    assert_non_null(soil);
    return soil;
}

/// A heap of 196 grains of 0.8 kg dropped at a place over a height, m. Returns its mass, quanta.
static inline int64_t drop_heap(Soil *soil, double x, double y, double height)
{
    const double radius = 0.05, mass = 0.8;
    int64_t before = soil_get_ledger(soil).particles;
    for (int layer = 0; layer < 4; layer++) {
        for (int i = -3; i <= 3; i++) {
            for (int j = -3; j <= 3; j++) {
                double stray = 0.002 * ((layer * 7 + i * 3 + j * 5 + 50) % 5 - 2);
                Vec3 at = vec3(x + 0.11 * i + stray, y + 0.11 * j - stray, height + 0.06 + 0.11 * layer);
                assert_true(soil_add_particle(soil, at, vec3(0, 0, 0), radius, 0, mass) >= 0);
            }
        }
    }
    return soil_get_ledger(soil).particles - before;
}

/// FNV-1a over a state visit.
typedef struct Hasher {
    StateVisitor visitor;
    uint64_t hash;
} Hasher;

static inline void hash_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    Hasher *hasher = (Hasher *)visitor;
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size * count; k++) {
        hasher->hash = (hasher->hash ^ bytes[k]) * 0x100000001b3u;
    }
}

static inline uint64_t hash_soil(Soil *soil)
{
    Hasher hasher = {.visitor = {.field = hash_field}, .hash = 0xcbf29ce484222325u};
    soil_visit(soil, &hasher.visitor);
    return hasher.hash;
}

/// Copies a state field by field into a byte buffer and back.
typedef struct Copier {
    StateVisitor visitor;
    unsigned char *bytes;
    size_t size, at;
} Copier;

static inline void copy_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    Copier *copier = (Copier *)visitor;
    assert_true(copier->at + size * count <= copier->size);
    if (visitor->restoring) {
        memcpy(data, copier->bytes + copier->at, size * count);
    } else {
        memcpy(copier->bytes + copier->at, data, size * count);
    }
    copier->at += size * count;
}

/// A second soil of the scene (default solver, 2 threads) in the state of the first, which goes by way of the copier.
static inline Soil *copy_soil(Soil *soil, const SceneParams *scene, Copier *copier)
{
    copier->at = 0;
    copier->visitor.restoring = false;
    soil_visit(soil, &copier->visitor);
    Soil *copy = make_soil(scene, SOIL_SOLVER_DEFAULT, 2);
    copier->at = 0;
    copier->visitor.restoring = true;
    soil_visit(copy, &copier->visitor);
    assert_false(copier->visitor.failed);
    return copy;
}

/// Restores what a Copier holds, with one number of one field changed.
typedef struct Forger {
    Copier copier;
    const char *field;
    size_t at;
    int32_t value;
} Forger;

static inline void forge_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    Forger *forger = (Forger *)visitor;
    copy_field(visitor, name, data, size, count);
    if (visitor->restoring && strcmp(name, forger->field) == 0) {
        assert_true(size == sizeof forger->value && forger->at < count);
        memcpy((char *)data + size * forger->at, &forger->value, size);
    }
}

/// A box of steel, open at the top: floor and four walls, inside `length` x `width`, in its own frame.
static inline ToolShape box_shape(double length, double width, double wall)
{
    double l = 0.5 * length, w = 0.5 * width, t = 0.1;
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 5;
    const double limits[5][6] = {{-l - t, l + t, -w - t, w + t, -t, 0},
                                 {-l - t, l + t, w, w + t, 0, wall},
                                 {-l - t, l + t, -w - t, -w, 0, wall},
                                 {l, l + t, -w, w, 0, wall},
                                 {-l - t, -l, -w, w, 0, wall}};
    for (int k = 0; k < 5; k++) {
        const double *b = limits[k];
        shape.pieces[k] = (ToolPiece){.corner_count = 4,
                                      .corners = {{b[0], b[4]}, {b[1], b[4]}, {b[1], b[5]}, {b[0], b[5]}},
                                      .y_min = b[2],
                                      .y_max = b[3]};
    }
    shape.inside_count = 4;
    const double inside[4][2] = {{-l, 0}, {l, 0}, {l, wall}, {-l, wall}};
    memcpy(shape.inside, inside, sizeof inside);
    shape.inside_width = width;
    shape.edge_width = 1.0; // a moving tool: keeps what it holds awake
    return shape;
}

/// An upright plate that is pushed along +x, its edge at the origin of its frame.
static inline ToolShape plate_shape(double thickness, double height, double width)
{
    ToolShape shape;
    memset(&shape, 0, sizeof shape);
    shape.piece_count = 1;
    shape.pieces[0] = (ToolPiece){.corner_count = 4,
                                  .corners = {{-thickness, 0}, {0, 0}, {0, height}, {-thickness, height}},
                                  .y_min = -0.5 * width,
                                  .y_max = 0.5 * width};
    shape.edge_width = width;
    return shape;
}

static inline SoilTool box_tool(const ToolShape *shape, Vec3 at)
{
    SoilTool tool;
    memset(&tool, 0, sizeof tool);
    tool.shape = shape;
    tool.motion.frame = (Pose){at, mat3_identity()};
    tool.motion.center = at;
    tool.steel_friction = 1.0;
    return tool;
}

/// Runs one tick with a tool that stands still; returns the mean vertical force on it, N.
static inline double tick_still(Soil *soil, const SoilTool *tool, int substeps)
{
    double dt = 1.0 / 60.0, sum = 0.0;
    soil_begin_tick(soil, tool, 1, dt);
    for (int k = 0; k < substeps; k++) {
        Wrench wrench;
        soil_substep(soil, tool, 1, dt / substeps, &wrench);
        sum += wrench.force.z;
    }
    soil_end_tick(soil, tool, 1);
    return sum / substeps;
}

/// Ticks of 8 substeps with tools that stand still (NULL, 0: none).
static inline void run_ticks(Soil *soil, const SoilTool *tools, int count, int ticks)
{
    Wrench wrenches[SOIL_MAX_TOOLS];
    for (int t = 0; t < ticks; t++) {
        soil_begin_tick(soil, tools, count, 1.0 / 60.0);
        for (int k = 0; k < 8; k++) {
            soil_substep(soil, tools, count, 1.0 / 480.0, wrenches);
        }
        soil_end_tick(soil, tools, count);
    }
}

#endif
