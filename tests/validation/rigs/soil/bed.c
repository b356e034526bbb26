/// Makes a bed: pours more than its depth with the friction of bonds and without adhesion, lets it settle, strikes it
/// off level and takes the grains over into a soil with the true contacts. Density is that of the bed's middle, where
/// walls and surface do not reach.
#include "tests/validation/rigs/soil/bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/rigs/soil/vessel.h"

#define THICK 0.3 ///< m: of floor and walls

static void build_box(Bed *bed)
{
    const BedPlan *plan = &bed->plan;
    double w = 0.5 * plan->width, l = plan->length, high = 3.0 * plan->depth + 1.0;
    double thick = THICK + plan->room, west = -plan->room - thick, east = l + THICK;
    vessel_add_box(&bed->shapes[BED_FLOOR], vec3(west, -w - THICK, -THICK), vec3(east, w + THICK, 0.0));
    vessel_add_box(&bed->shapes[BED_SIDES], vec3(west, w, -THICK), vec3(east, w + THICK, high));
    vessel_add_box(&bed->shapes[BED_SIDES], vec3(west, -w - THICK, -THICK), vec3(east, -w, high));
    vessel_add_box(&bed->shapes[BED_EAST], vec3(l, -w, 0.0), vec3(l + THICK, w, high));
    vessel_add_box(&bed->shapes[BED_SILL], vec3(-thick, -w, -THICK), vec3(0.0, w, plan->sill));
    vessel_add_box(&bed->shapes[BED_WEST], vec3(-thick, -w, plan->sill), vec3(0.0, w, high));
    const double friction[BED_BOX] = {plan->floor_friction, 0.0, 0.0, plan->west_friction, plan->west_friction};
    for (int k = 0; k < BED_BOX; k++) {
        bed->tools[k] = vessel_tool(&bed->shapes[k], vec3(0, 0, 0), friction[k]);
    }
}

/// Strikes the bed off: takes the grains below its depth over into a soil whose contacts have the true parameters.
static bool strike_off(Run *run, Bed *bed)
{
    Soil *poured = bed->soil;
    bed->soil = run_create_soil(run, &bed->scene);
    if (bed->soil == NULL) {
        bed->soil = poured;
        return false;
    }
    SoilParticleView p = soil_get_particles(poured);
    bed->count = 0;
    for (int k = 0; k < p.count; k++) {
        double r = (double)p.radius[k];
        if (p.z[k] < bed->plan.depth) {
            soil_add_particle(bed->soil, vec3(p.x[k], p.y[k], p.z[k]), vec3(0, 0, 0), r, 0, p.mass[k] * SOIL_QUANTUM);
            bed->count++;
        }
    }
    soil_destroy(poured);
    packing_settle(bed->soil, &bed->scene, bed->tools, BED_BOX, 2.0);
    return true;
}

/// Pours somewhat more than the bed's depth, with the friction of bonds and no adhesion.
static bool pour_bed(Run *run, const SoilParams *soil, Bed *bed)
{
    const BedPlan *plan = &bed->plan;
    PackingSpace space = {.x = 0.5 * plan->length, .length = plan->length, .width = plan->width, .scattered = true};
    int layer = packing_layer(&bed->grains, &space);
    if (layer <= 0) {
        run_fail(run, "a bed of %g x %g m has no room for grains of %g m", plan->length, plan->width,
                 bed->grains.radius);
        return false;
    }
    double deep = plan->depth + 3.0 * bed->grains.radius;
    int layers = packing_count(&bed->grains, plan->length * plan->width * deep) / layer + 1;
    bed->count = layer * layers; // whole layers: the bed is level
    bed->scene = run_scene(run, soil, bed->count, 1.0);
    bed->scene.soils[0].steel_adhesion = 0.0; // nothing sticks to the sides and the wall
    packing_fit_scene(&bed->scene, &bed->grains);
    if (option_number(run, "substeps") >= 1.0) {
        bed->scene.rates.substeps = (int)option_number(run, "substeps");
    }
    SceneParams dry = bed->scene;
    dry.soils[0].contact_adhesion = 0.0;
    dry.soils[0].contact_friction = fmin(soil->contact_friction, soil->contact_bond_friction);
    bed->soil = run_create_soil(run, &dry);
    if (bed->soil == NULL) {
        return false;
    }
    packing_pour(bed->soil, &dry, bed->tools, BED_BOX, &bed->grains, &space, bed->count, plan->seed, 4.0);
    return true;
}

bool bed_load_soil(Run *run, SoilParams *soil)
{
    if (!run_load_soil(run, option_word(run, "soil"), soil)) {
        return false;
    }
    option_override(run, "friction", 1.0, &soil->contact_friction);
    if (option_is_set(run, "stiffness")) {
        soil->contact_stiffness = fmax(option_number(run, "stiffness"), 1e3);
    }
    return true;
}

bool bed_check_length(Run *run, const char *what, double length, double radius)
{
    if (length < 6.0 * radius * (1.0 - 1e-9)) {
        run_fail(run, "%s of %g m: at least 3 diameters of grains of %g m are expected, %g m", what, length, radius,
                 6.0 * radius);
        return false;
    }
    return true;
}

bool bed_create(Run *run, const SoilParams *soil, double radius, const BedPlan *plan, Bed *bed)
{
    memset(bed, 0, sizeof *bed);
    bed->plan = *plan;
    bed->grains = packing_grains(soil, radius);
    build_box(bed);
    if (!pour_bed(run, soil, bed)) {
        return false;
    }
    if (!strike_off(run, bed)) {
        return false;
    }
    bed->marks = calloc((size_t)bed->count + 1, sizeof *bed->marks);
    if (bed->marks == NULL) {
        run_fail(run, "out of memory for %d particles", bed->count);
        return false;
    }
    if (soil->contact_adhesion > 0.0) {
        soil_bond(bed->soil);
        packing_settle(bed->soil, &bed->scene, bed->tools, BED_BOX, 1.0);
    }
    return true;
}

void bed_destroy(Bed *bed)
{
    soil_destroy(bed->soil);
    free(bed->marks);
    bed->soil = NULL;
    bed->marks = NULL;
}

double bed_density(const Bed *bed)
{
    const BedPlan *plan = &bed->plan;
    SoilParticleView p = soil_get_particles(bed->soil);
    double low = 0.2 * plan->depth, high = 0.7 * plan->depth, margin = 0.1 * plan->length, mass = 0.0;
    for (int k = 0; k < p.count; k++) {
        double r = (double)p.radius[k];
        // Grains at the upper and lower bound count with the share that lies within.
        double inside = fmin(1.0, (p.z[k] + r - low) / (2.0 * r)) - fmax(0.0, (p.z[k] + r - high) / (2.0 * r));
        if (inside > 0.0 && p.x[k] > margin && p.x[k] < plan->length - margin) {
            mass += inside * p.mass[k] * SOIL_QUANTUM;
        }
    }
    return mass / ((plan->length - 2.0 * margin) * plan->width * (high - low));
}

double bed_level(const Bed *bed, double floor, double from, double to, double density)
{
    SoilParticleView p = soil_get_particles(bed->soil);
    double moment = 0.0;
    for (int k = 0; k < p.count; k++) {
        if (p.x[k] > from && p.x[k] < to && p.z[k] > floor) {
            moment += p.mass[k] * SOIL_QUANTUM * (p.z[k] - floor);
        }
    }
    return sqrt(2.0 * moment / (density * (to - from) * bed->plan.width));
}

void bed_mark(Bed *bed)
{
    SoilParticleView p = soil_get_particles(bed->soil);
    for (int k = 0; k < p.count; k++) {
        if (p.id[k] < (uint32_t)bed->count) {
            bed->marks[p.id[k]] = vec3(p.x[k], p.y[k], p.z[k]);
        }
    }
}
