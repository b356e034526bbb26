/// Experiment 3, `contact`: fig. 2 of Parallel Particles. One sphere falls on a flat plate; its path is that of a
/// spring-damper integrated with implicit Euler at the same step, whatever the number of iterations.
///
/// With the height z of the centre over its place at first touch, C = z: free while z + h v - h^2 g > 0, else
///   v' = (v - h g - h k z / m) / (1 + h c / m + h^2 k / m),   z' = z + h v'
/// and never a pull: v' >= v - h g. This leaves nothing open when the sphere starts in touch (z = 0, moving down), and
/// that is the figure's claim. A sphere that falls from a height lands somewhere inside a step, and what a damper does
/// in that step is a matter of definition; two are accepted:
///   detection  as above, the paper's: the damper takes the whole way h v' of the step (its eq. 21, 23);
///   overlap    the damper takes the overlap's rate: h v' + max(z, 0), so that with z > 0
///              v' = ((v - h g) - z (c + h k) / m) / (1 + h c / m + h^2 k / m).
/// In the solver a plate's contact has the stiffness 2 contact_stiffness r / 0.05 m and the damping
/// 2 contact_damping sqrt(k m); both are chosen here so that k and c come out as asked.
#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"

static const ExperimentOption options[] = {
    {"radius", 0.05, 0.005, 0.2, "m", "of the sphere", NULL},
    {"mass", 1, 1e-3, 1e3, "kg", "of the sphere", NULL},
    {"stiffness", 1000, 1, 1e7, "N/m", "k of the contact; when k or c is given, the only case", NULL},
    {"damping", 100, 0, 1e5, "N s/m", "c of the contact (otherwise 1000 and 100, 100 and 0)", NULL},
    {"iterations", 5, 1, 50, "", "of the solver; when given, the only number (otherwise 1, 5 and 20)", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

#define ALLOWED     1e-4 ///< m
#define DROP_HEIGHT 0.2 ///< m between the sphere and the plate; starting in touch, it has the speed of that fall
enum { TICKS = 180, MAX_DEPTH = 2 };

typedef struct Sphere {
    double radius, mass, stiffness, damping;
} Sphere;

/// The reference: z is the height over the place of first touch.
typedef struct Euler {
    bool overlap; ///< the damper takes the overlap's rate
    double z, v;
    double farthest; ///< m: of the measured path from this one
} Euler;

static void euler_step(Euler *euler, const Sphere *sphere, double h)
{
    double k = sphere->stiffness / sphere->mass, c = sphere->damping / sphere->mass;
    double z = euler->z, free = euler->v - h * STANDARD_GRAVITY;
    double taken = euler->overlap && z > 0.0 ? h * k * z + c * z : h * k * z;
    euler->v = z + h * free < 0.0 ? fmax(free, (free - taken) / (1.0 + h * c + h * h * k)) : free;
    euler->z += h * euler->v;
}

/// A plate so thick that its upper face stays the nearest one, however soft the contact.
static ToolShape thick_plate(void)
{
    ToolShape shape = plate_shape(6.0, 6.0);
    shape.pieces[0].corners[0][1] = shape.pieces[0].corners[1][1] = -MAX_DEPTH;
    return shape;
}

/// How a sphere starts.
typedef struct Start {
    double height; ///< m over first touch
    double speed; ///< m/s downwards
    const char *text;
} Start;

static Soil *create_drop(Run *run, const Sphere *sphere, int iterations, const Start *start, SceneParams *scene)
{
    double unit = sphere->radius / 0.05;
    SoilParams soil_params =
        grain_soil(0.5 * sphere->stiffness / unit, 0.5 * sphere->damping / sqrt(sphere->stiffness * sphere->mass), 0.3);
    *scene = run_scene(run, &soil_params, 1, 10.0);
    scene->ground.column_spacing = 2.0 * sphere->radius;
    scene->particles.iterations = iterations;
    Soil *soil = run_create_soil(run, scene);
    if (soil != NULL) {
        Vec3 at = vec3(run_random(run) - 0.5, run_random(run) - 0.5, start->height + sphere->radius);
        soil_add_particle(soil, at, vec3(0, 0, -start->speed), sphere->radius, 0, sphere->mass);
    }
    return soil;
}

/// Largest distance (m) of the sphere's path from implicit Euler, whose curve is plotted when `law`.
static bool drop(Run *run, const Sphere *sphere, int iterations, const Start *start, int plot, bool law,
                 double *largest)
{
    SceneParams scene;
    Soil *soil = create_drop(run, sphere, iterations, start, &scene);
    if (soil == NULL) {
        return false;
    }
    ToolShape shape = thick_plate();
    SoilTool plate = still_tool(&shape, vec3(0, 0, 0));
    Euler eulers[2] = {{.overlap = false}, {.overlap = true}};
    char label[48];
    snprintf(label, sizeof label, "%d iterations", iterations);
    for (int k = 0; k < 2; k++) {
        eulers[k].z = start->height;
        eulers[k].v = -start->speed;
    }
    for (int tick = 0; tick < TICKS; tick++) {
        run_tick(soil, &scene, &plate, 1, NULL);
        double measured = soil_get_particles(soil).z[0] - sphere->radius;
        for (int k = 0; k < 2; k++) {
            for (int substep = 0; substep < scene.rates.substeps; substep++) {
                euler_step(&eulers[k], sphere, 1.0 / 60.0 / scene.rates.substeps);
            }
            eulers[k].farthest = fmax(eulers[k].farthest, fabs(measured - eulers[k].z));
        }
        if (law) {
            run_point(run, plot, "law: implicit Euler", (tick + 1) / 60.0, eulers[0].z);
        }
        run_point(run, plot, label, (tick + 1) / 60.0, measured);
    }
    *largest = fmin(eulers[0].farthest, eulers[1].farthest);
    soil_destroy(soil);
    return true;
}

static bool run_case(Run *run, const Sphere *sphere, const Start *start)
{
    int iterations[3] = {1, 5, 20}, numbers = 3;
    if (option_is_set(run, "iterations")) {
        if (!option_whole(run, "iterations", &iterations[0])) {
            return false;
        }
        numbers = 1;
    }
    char text[96];
    snprintf(text, sizeof text, "k = %g N/m, c = %g N s/m, r = %g m, %s", sphere->stiffness, sphere->damping,
             sphere->radius, start->text);
    int plot = run_plot(run, text, "time, s", "height over first touch, m");
    for (int k = 0; k < numbers; k++) {
        double largest;
        if (!drop(run, sphere, iterations[k], start, plot, k == 0, &largest)) {
            return false;
        }
        snprintf(text, sizeof text, "k %g c %g r %g %s, %d iterations: from Euler", sphere->stiffness, sphere->damping,
                 sphere->radius, start->text, iterations[k]);
        run_result_between(run, text, "m", largest, 0.0, ALLOWED);
    }
    return true;
}

static bool run_contact(Run *run)
{
    double stiffness[2] = {option_number(run, "stiffness"), 100.0}, damping[2] = {option_number(run, "damping"), 0.0};
    bool given = option_is_set(run, "stiffness") || option_is_set(run, "damping");
    bool sized = option_is_set(run, "radius") || option_is_set(run, "mass");
    const Start starts[2] = {{0.0, sqrt(2.0 * STANDARD_GRAVITY * DROP_HEIGHT), "in touch"},
                             {DROP_HEIGHT, 0.0, "falling"}};
    int sizes = sized ? 1 : 2, cases = given ? 1 : 2;
    for (int k = 0; k < 2 * sizes * cases; k++) {
        int which = k % cases, size = k / cases % sizes;
        Sphere sphere = {.radius = option_number(run, "radius"),
                         .mass = option_number(run, "mass"),
                         .stiffness = stiffness[which],
                         .damping = damping[which]};
        if (size == 1) { // beside the paper's sphere a smaller one of the same density
            sphere.radius *= 0.6;
            sphere.mass *= 0.216;
        }
        sphere.mass = whole_quanta(sphere.mass);
        if (!run_case(run, &sphere, &starts[k / (cases * sizes)])) {
            return false;
        }
        run_progress(run, (k + 1) / (2.0 * sizes * cases));
    }
    return true;
}

const Experiment experiment_contact = {
    .name = "contact",
    .title = "one sphere falls on a plate: the path of a spring-damper",
    .law = "implicit Euler at the same step (Parallel Particles, fig. 2)",
    .options = options,
    .run = run_contact,
};
