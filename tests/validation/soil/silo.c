/// A round silo is filled step by step; its floor carries a part of the weight that saturates, the wall the rest.
///
/// Janssen 1895 (Zeitschrift VDI 39): with mu the friction on the wall and K the ratio of horizontal to vertical
/// stress, the vertical stress at the depth z is sigma = rho g D / (4 mu K) (1 - exp(-4 mu K z / D)). For the mass M in
/// the silo, the floor carries M' g (1 - exp(-M / M')) with M' = rho A D / (4 mu K), A the area: no height needs to be
/// measured.
///
/// The law holds where the wall's friction is fully used. As in the experiments with a piston for a floor (Ovarlez,
/// Fond, Clement 2003, Phys. Rev. E 67), wall and floor are moved past each other, slowly, after each step of filling;
/// here the wall goes up until its friction is used. K is fitted to all steps at once (one parameter); Jaky's 1 -
/// sin(phi) and the K measured from the pressure on the wall stand beside it. The wall is in two halves, so that the
/// pressure on it does not cancel.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/vessel.h"

enum { BASE, WALL_EAST, WALL_WEST, TOOLS, MAX_STEPS = 16 };

typedef struct Silo {
    double diameter, height; ///< m: D, and of the fill asked for
    double mass; ///< kg in the silo
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
} Silo;

/// What is measured after a step of filling, means over the time.
typedef struct Step {
    double mass; ///< kg
    double base, wall; ///< N: carried by the floor and by both halves of the wall
    double thrust; ///< N: horizontal, on one half
    double deviation; ///< N: of the floor's share, over time
    double level; ///< m: height of the fill
} Step;

enum { MOST_SECONDS = 15 }; ///< that the wall moves after a step of filling

/// The wall reaches so far down that it still closes the silo after all its `travel`.
static void build_silo(Silo *silo, double wall_friction, double travel, double d)
{
    double half = 0.5 * silo->diameter + 4.0 * d;
    VesselRing wall = {0.5 * silo->diameter, 3.0 * d, -3.0 * d - travel, 3.0 * silo->height + 2.0, 24};
    vessel_add_box(&silo->shapes[BASE], vec3(-half, -half, -3.0 * d), vec3(half, half, 0.0));
    // Sides 0..5 and 18..23 look east.
    vessel_add_ring(&silo->shapes[WALL_EAST], &wall, 0, 6);
    vessel_add_ring(&silo->shapes[WALL_EAST], &wall, 18, 6);
    vessel_add_ring(&silo->shapes[WALL_WEST], &wall, 6, 12);
    for (int k = 0; k < TOOLS; k++) {
        silo->tools[k] = vessel_tool(&silo->shapes[k], vec3(0, 0, 0), k == BASE ? 1.0 : wall_friction);
    }
}

/// Runs one second and takes the means over it.
static Step measure(Soil *soil, const SceneParams *scene, Silo *silo)
{
    Step step = {.mass = silo->mass, .level = packing_height(soil, 0.0)};
    double square = 0.0, share = 1.0 / scene->rates.tick_rate;
    for (int k = 0; k < scene->rates.tick_rate; k++) {
        Wrench mean[TOOLS];
        run_tick(soil, scene, silo->tools, TOOLS, mean);
        step.base -= share * mean[BASE].force.z;
        square += share * mean[BASE].force.z * mean[BASE].force.z;
        step.wall -= share * (mean[WALL_EAST].force.z + mean[WALL_WEST].force.z);
        step.thrust += share * 0.5 * (mean[WALL_EAST].force.x - mean[WALL_WEST].force.x);
    }
    step.deviation = sqrt(fmax(0.0, square - step.base * step.base));
    return step;
}

/// Share of the wall's friction that is used. A pressure p around the wall thrusts a half with D p and rubs with mu pi
/// D p.
static double used_friction(const Step *step, double mu)
{
    return step->wall / (mu * M_PI * step->thrust);
}

/// Moves the wall up until its friction is used, at most MOST_SECONDS; the means over the second after that.
static Step mobilise(Soil *soil, const SceneParams *scene, Silo *silo, double speed, double mu)
{
    silo->tools[WALL_EAST].motion.velocity = silo->tools[WALL_WEST].motion.velocity = vec3(0, 0, speed);
    Step step = measure(soil, scene, silo);
    for (int k = 1; k < MOST_SECONDS && speed > 0.0 && used_friction(&step, mu) < 0.97; k++) {
        step = measure(soil, scene, silo);
    }
    step = measure(soil, scene, silo);
    silo->tools[WALL_EAST].motion.velocity = silo->tools[WALL_WEST].motion.velocity = vec3(0, 0, 0);
    return step;
}

/// Adds grains above the fill and waits until they rest.
static void pour(Run *run, Soil *soil, const SceneParams *scene, const Grains *grains, Silo *silo, int count, int stage)
{
    PackingSpace space = {.radius = 0.5 * silo->diameter};
    double top = stage == 0 ? 0.0 : packing_top(soil) + 1.5 * grains->radius;
    packing_fill(soil, grains, &space, top, count, run_seed(run) + 1000u * (uint64_t)stage);
    packing_settle(soil, scene, silo->tools, TOOLS, 4.0);
    SoilParticleView p = soil_get_particles(soil);
    int64_t quanta = 0;
    for (int k = 0; k < p.count; k++) {
        quanta += p.mass[k];
    }
    silo->mass = (double)quanta * SOIL_QUANTUM;
}

/// Weight on the floor by Janssen's law, N.
static double janssen(double mass, double saturation)
{
    return saturation * STANDARD_GRAVITY * (1.0 - exp(-mass / saturation));
}

/// Root mean square distance from the law, N.
static double misfit(const Step *steps, int count, double saturation)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        double error = steps[k].base - janssen(steps[k].mass, saturation);
        sum += error * error;
    }
    return sqrt(sum / count);
}

/// The M' that fits best: golden section over its logarithm.
static double fit_saturation(const Step *steps, int count)
{
    const double golden = 0.6180339887498949;
    double low = log(0.01 * steps[count - 1].mass), high = log(100.0 * steps[count - 1].mass);
    for (int k = 0; k < 80; k++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (misfit(steps, count, exp(left)) < misfit(steps, count, exp(right))) {
            high = right;
        } else {
            low = left;
        }
    }
    return exp(0.5 * (low + high));
}

/// K from the wall's pressure over the mean vertical stress. The pressure p on a strip dz gives D p dz on a half; the
/// mean vertical stress of the fill follows from the law with the fitted M'.
static double measured_ratio(const Step *step, const Silo *silo, double saturation)
{
    double area = 0.25 * M_PI * silo->diameter * silo->diameter, sum = 0.0;
    enum { SLICES = 100 };
    for (int k = 0; k < SLICES; k++) {
        sum += janssen(step->mass * (k + 0.5) / SLICES, saturation) / area / SLICES;
    }
    return step->thrust / (silo->diameter * step->level) / sum;
}

static void report_silo(Run *run, const Silo *silo, const SoilParams *sand, const Step *steps, int count, double mu)
{
    int plot = run_plot(run, "Weight on the floor of a silo", "weight of the fill / (rho g A D)",
                        "weight on the floor / (rho g A D)");
    const Step *last = &steps[count - 1];
    double area = 0.25 * M_PI * silo->diameter * silo->diameter, density = last->mass / (area * last->level);
    double saturation = fit_saturation(steps, count), unit = density * area * silo->diameter;
    double ratio = unit / (4.0 * mu * saturation), jaky = 1.0 - sin(sand->friction_angle), worst = 0.0;
    for (int k = 0; k < count; k++) {
        double error = (steps[k].base + steps[k].wall) / (steps[k].mass * STANDARD_GRAVITY) - 1.0;
        worst = fabs(error) > fabs(worst) ? error : worst;
        run_point(run, plot, "measured", steps[k].mass / unit, steps[k].base / (unit * STANDARD_GRAVITY));
    }
    for (int k = 0; k <= 40; k++) {
        double mass = last->mass * k / 40.0;
        run_point(run, plot, "law: Janssen, K fitted", mass / unit,
                  janssen(mass, saturation) / (unit * STANDARD_GRAVITY));
        run_point(run, plot, "law: Janssen, K = 1 - sin(phi)", mass / unit,
                  janssen(mass, unit / (4.0 * mu * jaky)) / (unit * STANDARD_GRAVITY));
        run_point(run, plot, "law: hydrostatic", mass / unit, mass / unit);
    }
    run_result_between(run, "RMS distance from the law, of saturation", "",
                       misfit(steps, count, saturation) / (saturation * STANDARD_GRAVITY), 0.0, 0.04);
    run_result(run, "floor and wall over weight, worst step", "", 1.0 + worst, 1.0, 0.005);
    run_note(run, "K fitted", "", ratio);
    run_note(run, "K from the pressure on the wall, full silo", "", measured_ratio(last, silo, saturation));
    run_note(run, "K of Jaky, 1 - sin(phi)", "", jaky);
    run_note(run, "RMS distance with Jaky's K, of saturation", "",
             misfit(steps, count, unit / (4.0 * mu * jaky)) / (unit / (4.0 * mu * jaky) * STANDARD_GRAVITY));
    run_note(run, "share of the weight on the floor, full silo", "", last->base / (last->mass * STANDARD_GRAVITY));
    run_note(run, "share of the wall's friction used, full silo", "", used_friction(last, mu));
    run_note(run, "deviation of the floor's share over time, full silo", "", last->deviation / last->base);
    run_note(run, "height of the fill over D", "", last->level / silo->diameter);
    run_note(run, "bulk density", "kg/m3", density);
}

static bool run_silo(Run *run)
{
    option_quick(run, "diameter_ratio", 10.0);
    option_quick(run, "fill_ratio", 4.0);
    option_quick(run, "steps", 6.0);
    SoilParams sand;
    int count;
    if (!packing_load_sand(run, &sand) || !option_whole(run, "steps", &count)) {
        return false;
    }
    Grains grains = packing_grains(&sand, option_number(run, "radius"));
    double d = 2.0 * grains.radius, friction = option_number(run, "wall_friction");
    double mu = friction * tan(sand.steel_friction_angle);
    if (mu <= 0.0) {
        run_fail(run, "the wall has no friction: the floor carries everything");
        return false;
    }
    Silo silo = {.diameter = option_number(run, "diameter_ratio") * d};
    silo.height = option_number(run, "fill_ratio") * silo.diameter;
    int total = packing_count(&grains, 0.25 * M_PI * silo.diameter * silo.diameter * silo.height);
    SceneParams scene = run_scene(run, &sand, total, 1.0 + 4.0 * d);
    packing_fit_scene(&scene, &grains);
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    double speed = option_number(run, "wall_speed") * sqrt(STANDARD_GRAVITY * d);
    build_silo(&silo, friction, speed * (MOST_SECONDS + 1) * count, d);
    Step steps[MAX_STEPS];
    for (int k = 0; k < count; k++) {
        int share = (int)((int64_t)total * (k + 1) / count - (int64_t)total * k / count);
        pour(run, soil, &scene, &grains, &silo, share, k);
        steps[k] = mobilise(soil, &scene, &silo, speed, mu);
        run_progress(run, (k + 1.0) * (k + 2.0) / (count * (count + 1.0)));
    }
    soil_destroy(soil);
    report_silo(run, &silo, &sand, steps, count, mu);
    return true;
}

static const ExperimentOption options[] = {
    {"fill_ratio", 6.0, 0.5, 12.0, "", "height of the fill over the silo's diameter D", NULL},
    {"diameter_ratio", 20.0, 5.0, 50.0, "", "D over the grains' mean diameter d", NULL},
    {"steps", 12.0, 3.0, MAX_STEPS, "", "steps of filling", NULL},
    {"friction", OF_THE_FILE, 0.0, 2.0, "", "contact friction of the grains", NULL},
    {"wall_friction", 1.0, 0.0, 10.0, "", "friction on the wall over that of the soil on steel", NULL},
    {"wall_speed", 0.01, 0.0, 0.2, "", "speed of the wall over sqrt(g d); 0 = at rest, as the filling leaves it", NULL},
    {"radius", 0.05, 0.01, 0.1, "m", "mean radius of the grains", NULL},
    {.key = NULL},
};

const Experiment experiment_silo = {
    .name = "silo",
    .title = "a silo's floor carries a part of the fill's weight",
    .law = "Janssen 1895: sigma = rho g D / (4 mu K) (1 - exp(-4 mu K z / D)), mu of the wall, K fitted",
    .options = options,
    .run = run_silo,
};
