/// Experiment 4, `incline`: a block on a tilted plate holds up to the friction angle and slides as Coulomb says beyond.
///
/// The block is a bonded slab of particles; its friction on the plate is mu. It stands when tan(angle) < mu, and else
/// slides with the acceleration g (sin(angle) - mu cos(angle)).
#include <math.h>
#include <stdio.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"

static const ExperimentOption options[] = {
    {"friction", 0.5, 0.02, 1.5, "", "mu of the block on the plate", NULL},
    {"angle_deg", 30, 0, 70, "degrees",
     "tilt of the plate; when given, the only one (otherwise tan = 0.98, 1.25 and 2 times mu)", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { SIDE = 6, LAYERS = 2, GRAINS = SIDE * SIDE * LAYERS, SETTLING_TICKS = 60, HOLDING_TICKS = 60 * 60 };

/// A plate and the block on it. Slope frame: s down the slope, n away from the plate.
typedef struct Slope {
    SceneParams scene;
    Soil *soil;
    ToolShape shape;
    SoilTool plate;
    double angle, radius; ///< rad, m
    Vec3 down; ///< unit vector down the slope
    char label[64];
} Slope;

/// Rotation about y that turns +x down the slope.
static Mat3 tilt(double angle)
{
    double c = cos(angle), s = sin(angle);
    return (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

static bool create_slope(Run *run, Slope *slope, double mu)
{
    const double r = slope->radius;
    SoilParams grains = grain_soil(2e5, 0.5, 0.5);
    grains.steel_friction_angle = atan(mu);
    grains.contact_adhesion = 2e5; // of the bonds: the slab does not break under its own weight
    slope->scene = run_scene(run, &grains, GRAINS, 20.0);
    slope->scene.ground.column_spacing = 2.0 * r;
    slope->soil = run_create_soil(run, &slope->scene);
    if (slope->soil == NULL) {
        return false;
    }
    slope->shape = plate_shape(60.0, 4.0);
    slope->plate = still_tool(&slope->shape, vec3(0, 0, 0));
    slope->plate.motion.frame.rotation = tilt(slope->angle);
    slope->down = mat3_mul(&slope->plate.motion.frame.rotation, vec3(1, 0, 0));
    double x = -0.5 * r + r * run_random(run), y = -0.5 * r + r * run_random(run);
    for (int k = 0; k < GRAINS; k++) {
        Vec3 local = vec3(x + (2 * (k % SIDE) - SIDE + 1) * r, y + (2 * (k / SIDE % SIDE) - SIDE + 1) * r,
                          (2 * (k / (SIDE * SIDE)) + 1) * r);
        soil_add_particle(slope->soil, pose_apply(&slope->plate.motion.frame, local), vec3(0, 0, 0), r, 0,
                          grain_mass(r));
    }
    soil_bond(slope->soil);
    return true;
}

/// Way (m) and speed (m/s) of the block's centre down the slope.
static void read_block(const Slope *slope, double *way, double *speed)
{
    SoilParticleView p = soil_get_particles(slope->soil);
    Vec3 place = vec3(0, 0, 0), velocity = vec3(0, 0, 0);
    for (int k = 0; k < p.count; k++) {
        place = vec3_add(place, vec3(p.x[k], p.y[k], p.z[k]));
        velocity = vec3_add(velocity, vec3(p.vx[k], p.vy[k], p.vz[k]));
    }
    *way = vec3_dot(place, slope->down) / p.count;
    *speed = vec3_dot(velocity, slope->down) / p.count;
}

/// The block stands: its way in 60 s after settling, in diameters.
static void watch_hold(Run *run, Slope *slope, int plot, bool law)
{
    double start = 0.0, way, speed;
    for (int tick = 0; tick < SETTLING_TICKS + HOLDING_TICKS; tick++) {
        run_tick(slope->soil, &slope->scene, &slope->plate, 1, NULL);
        read_block(slope, &way, &speed);
        if (tick == SETTLING_TICKS - 1) {
            start = way;
        }
        if (tick >= SETTLING_TICKS - 1 && (tick + 1) % 30 == 0) {
            double creep = (way - start) / (2.0 * slope->radius);
            run_point(run, plot, slope->label, (tick + 1 - SETTLING_TICKS) / 60.0, creep);
        }
    }
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%s: creep in 60 s", slope->label);
    run_result(run, quantity, "d", (way - start) / (2.0 * slope->radius), 0.0, 0.01);
    if (law) {
        run_point(run, plot, "law: at rest", 0.0, 0.0);
        run_point(run, plot, "law: at rest", HOLDING_TICKS / 60.0, 0.0);
    }
}

/// The block slides: slope of its speed over time, least squares, after the springs have settled.
static void watch_slide(Run *run, Slope *slope, int plot, double mu, bool draw_law)
{
    enum { FIRST = 15, LAST = 120 };
    double law = STANDARD_GRAVITY * (sin(slope->angle) - mu * cos(slope->angle));
    double st = 0.0, sv = 0.0, stt = 0.0, stv = 0.0, way, speed;
    for (int tick = 1; tick <= LAST; tick++) {
        run_tick(slope->soil, &slope->scene, &slope->plate, 1, NULL);
        read_block(slope, &way, &speed);
        double t = tick / 60.0;
        run_point(run, plot, slope->label, t, speed);
        if (tick >= FIRST) {
            st += t;
            sv += speed;
            stt += t * t;
            stv += t * speed;
        }
    }
    int n = LAST - FIRST + 1;
    double measured = (n * stv - st * sv) / (n * stt - st * st);
    char text[96];
    snprintf(text, sizeof text, "%s: acceleration / law", slope->label);
    run_result(run, text, "", measured / law, 1.0, 0.01);
    if (draw_law) {
        snprintf(text, sizeof text, "law: a = %.3f m/s2", law);
        run_point(run, plot, text, 0.0, 0.0);
        run_point(run, plot, text, LAST / 60.0, law * LAST / 60.0);
    }
}

static bool run_incline(Run *run)
{
    double mu = option_number(run, "friction"), angles[3] = {atan(0.98 * mu), atan(1.25 * mu), atan(2.0 * mu)};
    int cases = 3;
    if (option_is_set(run, "angle_deg")) {
        angles[0] = option_number(run, "angle_deg") * M_PI / 180.0;
        cases = 1;
        if (fabs(tan(angles[0]) - mu) < 0.005 * mu) {
            run_fail(run, "--set angle_deg=%g: the block would be at its limit, tan(angle) = friction",
                     option_number(run, "angle_deg"));
            return false;
        }
    }
    static const double radii[2] = {0.05, 0.03};
    int hold = run_plot(run, "Creep below the friction angle", "time, s", "way down the slope, diameters");
    int slide = run_plot(run, "Speed beyond the friction angle", "time, s", "speed, m/s");
    for (int k = 0; k < 2 * cases; k++) {
        Slope slope = {.angle = angles[k / 2], .radius = radii[k % 2]};
        double ratio = tan(slope.angle) / mu;
        snprintf(slope.label, sizeof slope.label, "tan = %.3g mu, r = %g m", ratio, slope.radius);
        if (!create_slope(run, &slope, mu)) {
            return false;
        }
        if (ratio < 1.0) {
            watch_hold(run, &slope, hold, k % 2 == 0);
        } else {
            watch_slide(run, &slope, slide, mu, k % 2 == 0);
        }
        soil_destroy(slope.soil);
        run_progress(run, (k + 1) / (2.0 * cases));
    }
    return true;
}

const Experiment experiment_incline = {
    .name = "incline",
    .title = "a slab on a tilted plate: holds below the friction angle, slides beyond it",
    .law = "Coulomb friction: rest, or a = g (sin - mu cos)",
    .options = options,
    .run = run_incline,
};
