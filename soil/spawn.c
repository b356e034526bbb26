/// Ground turns into particles ahead of a cutting edge.
///
/// Where the edge will be within the tick, the soil that has to fail lies between the edge and the surface: a wedge that
/// rises from the edge at the rupture angle pi/4 - phi/2 in the direction of motion (Rankine's passive wedge) and steeper
/// behind and beside. Columns are cut down to that wedge in whole lattice layers; each layer of a column becomes
/// per_column_side^2 particles of exactly its mass.
/// The lattice is face-centred cubic with layers sqrt(2) r apart (0.74 solid). Contacts made at birth hold no force (contacts.h:
/// rest), whatever their gap; once its bonds are broken the soil swells until grains touch as they are large, which is when it
/// has its loose density.
#include <math.h>

#include "soil/internal.h"
#include "soil/random.h"
#include "soil/tool.h"

enum { SEEDS_PER_EDGE = 16, MAX_SEEDS = 160 };

/// A point of a cutting edge, and how the wedge rises around it.
typedef struct Seed {
    Vec3 at; ///< m, lowest place in this tick
    double direction_x, direction_y; ///< unit motion, or zero
    double slope_ahead, slope_behind; ///< rise of the wedge a metre
} Seed;

/// Lattice layers below the edge that are loosened too.
#define LAYERS_BELOW 1.0
#define REST_SPEED   0.02 ///< m/s: a tool slower than this loosens nothing new
/// Share of the space that spheres fill on the lattice, and when they lie as they fell (poured equal spheres: 0.60 to 0.64, Scott
/// 1960, Nature 188). Grains are so large that their mass, lying loose, takes the volume that loose soil takes.
#define LATTICE_PACKING 0.7405
#define LOOSE_PACKING   0.63
#define RADIUS_SPREAD   0.05 ///< of a grain's radius: equal ones would crystallise

/// Seeds of a tool's edge. `fastest` receives the highest speed of the edge.
static int seed_edge(const Soil *soil, const SoilTool *tool, double dt, Seed *seeds, double *fastest)
{
    const ToolShape *shape = tool->shape;
    int points = (int)(shape->edge_width / soil->ground->spacing) + 1;
    points = points > SEEDS_PER_EDGE ? SEEDS_PER_EDGE : points < 2 ? 2 : points;
    int count = 0;
    *fastest = 0.0;
    for (int k = 0; k < points; k++) {
        double y = shape->edge_width * ((double)k / (points - 1) - 0.5);
        Vec3 now = pose_apply(&tool->frame, vec3(shape->edge[0], y, shape->edge[1]));
        Vec3 velocity = vec3_add(tool->velocity, vec3_cross(tool->spin, vec3_sub(now, tool->center)));
        Vec3 then = vec3_madd(now, 2.0 * dt, velocity);
        int row, column;
        ground_column_at(soil->ground, now.x, now.y, &row, &column);
        const SoilParams *params = &soil->scene.soils[ground_top_soil(soil->ground, row, column)];
        double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
        *fastest = fmax(*fastest, vec3_length(velocity));
        Seed seed = {.at = now};
        seed.at.z = fmin(now.z, then.z) - LAYERS_BELOW * soil->layer_height;
        seed.slope_ahead = tan(0.25 * M_PI - 0.5 * params->friction_angle);
        seed.slope_behind = 2.0;
        if (speed > 0.02) {
            seed.direction_x = velocity.x / speed;
            seed.direction_y = velocity.y / speed;
        } else {
            seed.slope_ahead = seed.slope_behind = 1.0;
        }
        seeds[count++] = seed;
        if (speed * dt > 0.25 * soil->ground->spacing) {
            seed.at.x = then.x;
            seed.at.y = then.y;
            seeds[count++] = seed;
        }
    }
    return count;
}

/// Height to which a column at (x, y) has to be cut for a seed.
static double seed_floor(const Seed *seed, double x, double y)
{
    double dx = x - seed->at.x, dy = y - seed->at.y;
    double distance = sqrt(dx * dx + dy * dy);
    double ahead = dx * seed->direction_x + dy * seed->direction_y;
    double share = distance > 0.0 ? fmax(0.0, ahead / distance) : 1.0; // 1 straight ahead .. 0 beside and behind
    double slope = seed->slope_behind + (seed->slope_ahead - seed->slope_behind) * share;
    return seed->at.z + slope * distance;
}

/// True when a new particle at `at` would stick in a tool.
static bool inside_a_tool(const Soil *soil, Vec3 at, double radius)
{
    for (int b = 0; b < soil->body_count; b++) {
        const SoilTool *tool = &soil->bodies[b].tool;
        Vec3 middle;
        double bound = tool_bounding_sphere(tool->shape, &middle) + radius;
        Vec3 local = pose_apply_inverse(&tool->frame, at);
        Vec3 to = vec3_sub(local, middle);
        if (vec3_dot(to, to) < bound * bound && tool_distance(tool->shape, local) < 0.7 * radius) {
            return true;
        }
    }
    return false;
}

/// Place of lattice site (a, b) of a column's layer. Odd layers are shifted by (r, r): face-centred cubic.
static Vec3 site_of(const Soil *soil, int row, int column, int64_t layer, int a, int b)
{
    const Ground *ground = soil->ground;
    int side = soil->scene.particles.per_column_side;
    double r = soil->particle_radius, shift = layer & 1 ? 0.5 * r : -0.5 * r;
    double x = ground->origin_x + column * ground->spacing + (2 * a - side + 1) * r + shift;
    double y = ground->origin_y + row * ground->spacing + (2 * b - side + 1) * r + shift;
    return vec3(x, y, ((double)layer + 0.5) * soil->layer_height);
}

static void add_particle(Soil *soil, Vec3 at, int soil_index, int64_t mass, double nominal, bool disturbed)
{
    Particles *p = &soil->particles;
    int i = particles_add(p);
    uint32_t id = p->id[i];
    double jitter = 0.03 * soil->particle_radius;
    p->x[i] = at.x + jitter * (2.0 * random_unit(soil->seed, 11, id) - 1.0);
    p->y[i] = at.y + jitter * (2.0 * random_unit(soil->seed, 12, id) - 1.0);
    p->z[i] = at.z + jitter * (2.0 * random_unit(soil->seed, 13, id) - 1.0);
    double size = cbrt((double)mass / nominal);
    double mean = cbrt(LOOSE_PACKING / LATTICE_PACKING * (1.0 + soil->scene.soils[soil_index].swell));
    double vary = mean * (1.0 + RADIUS_SPREAD * (2.0 * random_unit(soil->seed, 14, id) - 1.0));
    p->radius[i] = (float)(soil->particle_radius * vary * (size < 1.0 ? fmax(size, 0.7) : 1.0));
    p->mass[i] = (int32_t)mass;
    p->soil[i] = (uint8_t)soil_index;
    p->newborn[i] = 1;
    p->disturbed[i] = disturbed;
    soil->counters.spawned++;
}

void soil_spawn_column(Soil *soil, int row, int column, double floor_height)
{
    Ground *ground = soil->ground;
    int64_t bottom = (int64_t)ceil(floor_height / soil->layer_height - 1e-9);
    double base = (double)bottom * soil->layer_height;
    double height = (double)ground->height[ground_index(ground, row, column)];
    if (base < ground->base + 1e-6) { // nothing is born below bedrock
        base = ground->base;
        bottom = (int64_t)ceil(base / soil->layer_height - 1e-9);
    }
    int layers = (int)floor((height - base) / soil->layer_height + 0.5);
    int side = soil->scene.particles.per_column_side, sites = layers * side * side;
    if (layers < 1 || height - base < 0.8 * soil->layer_height ||
        sites > soil->particles.capacity - soil->particles.count) {
        return;
    }
    for (int k = 0; k < sites; k++) {
        Vec3 at = site_of(soil, row, column, bottom + k / (side * side), k % side, k / side % side);
        if (inside_a_tool(soil, at, soil->particle_radius)) {
            return;
        }
    }
    int soil_index;
    double loose;
    int64_t mass = ground_cut(ground, row, column, base, &soil_index, &loose);
    double nominal =
        soil->scene.soils[soil_index].bank_density * ground->area * soil->layer_height / (side * side) / SOIL_QUANTUM;
    for (int k = 0; k < sites; k++) {
        int64_t part = mass / sites + (k < mass % sites ? 1 : 0);
        if (part > 0) {
            Vec3 at = site_of(soil, row, column, bottom + k / (side * side), k % side, k / side % side);
            add_particle(soil, at, soil_index, part, nominal, loose > 0.5);
        }
    }
}

static void spawn_wedge(Soil *soil, const Seed *seeds, int count)
{
    const Ground *ground = soil->ground;
    double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL, reach = 0.0;
    for (int k = 0; k < count; k++) {
        double depth = ground_height(ground, seeds[k].at.x, seeds[k].at.y) - seeds[k].at.z + 0.5;
        low_x = fmin(low_x, seeds[k].at.x);
        high_x = fmax(high_x, seeds[k].at.x);
        low_y = fmin(low_y, seeds[k].at.y);
        high_y = fmax(high_y, seeds[k].at.y);
        reach = fmax(reach, depth / seeds[k].slope_ahead);
    }
    reach = fmin(reach, 4.0);
    int row_low, row_high, column_low, column_high;
    ground_column_at(ground, low_x - reach, low_y - reach, &row_low, &column_low);
    ground_column_at(ground, high_x + reach, high_y + reach, &row_high, &column_high);
    for (int row = row_low; row <= row_high; row++) {
        for (int column = column_low; column <= column_high; column++) {
            double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
            double height = (double)ground->height[ground_index(ground, row, column)], lowest = HUGE_VAL;
            for (int k = 0; k < count; k++) {
                lowest = fmin(lowest, seed_floor(&seeds[k], x, y));
            }
            if (lowest < height - 0.8 * soil->layer_height) {
                soil_spawn_column(soil, row, column, lowest);
            }
        }
    }
}

void soil_spawn_ahead(Soil *soil, double dt)
{
    for (int b = 0; b < soil->body_count; b++) {
        const SoilTool *tool = &soil->bodies[b].tool;
        if (!tool->cuts) {
            continue;
        }
        Seed seeds[MAX_SEEDS];
        double fastest;
        int count = seed_edge(soil, tool, dt, seeds, &fastest);
        bool deep = false;
        for (int k = 0; k < count; k++) {
            deep |= ground_height(soil->ground, seeds[k].at.x, seeds[k].at.y) > seeds[k].at.z;
        }
        if (deep && fastest > REST_SPEED) {
            spawn_wedge(soil, seeds, count);
        }
    }
    Seed yield = {.slope_ahead = 2.0, .slope_behind = 2.0};
    for (int k = 0; k < soil->yield_count; k++) {
        yield.at = vec3_sub(soil->yields[k], vec3(0.0, 0.0, 0.5 * soil->layer_height));
        spawn_wedge(soil, &yield, 1);
    }
    soil->yield_count = 0;
}
