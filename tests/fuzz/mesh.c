/// Any bytes as the mesh of a scene: parsed, and filled with grains when it is a closed surface.
#include <math.h>
#include <string.h>

#include "data/files/obj.h"
#include "soil/soil.h"
#include "tests/fuzz/fuzz.h"

static void check_inside(const Soil *soil, const ObjMesh *mesh)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < mesh->vertex_count; k++) {
        low = fmin(low, mesh->vertices[k][2]);
        high = fmax(high, mesh->vertices[k][2]);
    }
    SoilParticleView grains = soil_get_particles(soil);
    for (int i = 0; i < grains.count; i++) {
        double radius = (double)grains.radius[i];
        require(grains.z[i] - radius >= low - 1e-6 && grains.z[i] + radius <= high + 1e-6);
    }
}

void fuzz_mesh(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    ObjMesh mesh;
    if (!obj_parse("fuzz.obj", (const char *)data, size, &mesh, &status)) {
        require(status.text[0] != '\0');
        return;
    }
    SceneParams scene;
    memset(&scene, 0, sizeof scene);
    scene.rates = (SceneRates){60, 8};
    scene.ground =
        (SceneGround){.size_x = 10, .size_y = 10, .column_spacing = 0.5, .bedrock_depth = 1, .layer_count = 1};
    scene.particles = (SceneParticles){.budget = 2000, .per_column_side = 1, .iterations = 2};
    scene.soil_count = 1;
    scene.soils[0] = (SoilParams){.bank_density = 1600, .swell = 0.1, .friction_angle = 0.5, .repose_angle = 0.6};
    scene.grains_count = 1;
    scene.grains[0] = (SceneGrains){.obj = "fuzz", .text = (const char *)data, .text_size = size, .scale = 1.0};
    Soil *soil = soil_create(&scene, 1, SOIL_SOLVER_DEFAULT, 1, &status);
    if (soil != NULL) {
        check_inside(soil, &mesh);
        soil_destroy(soil);
    }
    obj_free(&mesh);
}
