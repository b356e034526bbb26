/// Experiment 2, `thirdlaw`: contacts exchange momentum, they make none.
///
/// Free clusters: P(t) - P(0) - M g t must be zero. It is compared with the impulse that contacts exchanged, the sum
/// over all ticks and particles of |m dv - m g h| (a lower bound: opposite impulses on one particle cancel in it).
/// A vessel with soil: in every tick dP - M g h of the soil is minus the impulse that the vessel is told it received.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"

static const ExperimentOption options[] = {
    {"count", 400, 2, 20000, "", "particles of each part", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

#define ALLOWED 1e-6 ///< of the impulse exchanged

/// What is watched from tick to tick.
typedef struct Balance {
    int count;
    double (*velocity)[3]; ///< m/s before the tick, by id
    Vec3 residual; ///< N s: sum over ticks of dP - M g h + what the tool received
    double exchanged; ///< N s
} Balance;

static double mass_of(const SoilParticleView *p, int k)
{
    return p->mass[k] * SOIL_QUANTUM;
}

static void note_velocities(const Soil *soil, Balance *balance)
{
    SoilParticleView p = soil_get_particles(soil);
    for (int k = 0; k < p.count; k++) {
        double *v = balance->velocity[p.id[k]];
        v[0] = p.vx[k];
        v[1] = p.vy[k];
        v[2] = p.vz[k];
    }
}

/// After a tick of `h` in which the tool received `given` (N s).
static void balance_tick(const Soil *soil, Balance *balance, double h, Vec3 given)
{
    SoilParticleView p = soil_get_particles(soil);
    Vec3 sum = given;
    for (int k = 0; k < p.count; k++) {
        const double *v = balance->velocity[p.id[k]];
        Vec3 gained = vec3(p.vx[k] - v[0], p.vy[k] - v[1], p.vz[k] - v[2] + STANDARD_GRAVITY * h);
        double mass = mass_of(&p, k);
        sum = vec3_madd(sum, mass, gained);
        balance->exchanged += mass * vec3_length(gained);
    }
    balance->residual = vec3_add(balance->residual, sum);
}

static double balance_ratio(const Balance *balance)
{
    return balance->exchanged > 0.0 ? vec3_length(balance->residual) / balance->exchanged : HUGE_VAL;
}

/// A vessel that flies freely: its own equations of motion, in steps of `h`.
static void move_free_vessel(SoilTool *vessel, const Wrench *wrench, double h)
{
    vessel->motion.velocity = vec3_madd(vessel->motion.velocity, h * vessel->motion.inverse_mass, wrench->force);
    vessel->motion.velocity.z -= STANDARD_GRAVITY * h;
}

/// A vessel on an eccentric: shaken in a circle of the x-z plane and sideways.
static void shake_vessel(SoilTool *vessel, double time)
{
    const double speed = 0.6, omega = 2.0 * M_PI * 2.0;
    vessel->motion.velocity =
        vec3(speed * cos(omega * time), 0.3 * speed * sin(1.7 * omega * time), speed * sin(omega * time));
}

/// One part: particles, and a vessel around them (NULL: free clusters).
typedef struct Part {
    SceneParams scene;
    Soil *soil;
    SoilTool *vessel;
    int plot;
    int ticks;
    double share_before, share; ///< of the whole experiment
    char label[64];
} Part;

/// One substep of `h`. Returns the impulse that the vessel received, N s.
static Vec3 step_part(Part *part, int tick, int substep, double h)
{
    Wrench wrench = {.force = {0, 0, 0}};
    SoilTool *vessel = part->vessel;
    if (vessel != NULL && vessel->motion.inverse_mass == 0.0) {
        shake_vessel(vessel, tick / 60.0 + substep * h);
    }
    soil_substep(part->soil, vessel, vessel != NULL, h, &wrench);
    if (vessel != NULL) {
        if (vessel->motion.inverse_mass > 0.0) {
            move_free_vessel(vessel, &wrench, h);
        }
        vessel->motion.frame.position = vec3_madd(vessel->motion.frame.position, h, vessel->motion.velocity);
        vessel->motion.center = vessel->motion.frame.position;
    }
    return vec3_scale(wrench.force, h);
}

static void run_part(Run *run, Part *part)
{
    int count = soil_get_particles(part->soil).count, substeps = part->scene.rates.substeps;
    Balance balance = {.count = count, .velocity = calloc((size_t)count, sizeof(double[3]))};
    if (balance.velocity == NULL) {
        run_fail(run, "out of memory for %d particles", count);
        return;
    }
    for (int tick = 0; tick < part->ticks; tick++) {
        Vec3 given = vec3(0, 0, 0);
        note_velocities(part->soil, &balance);
        soil_begin_tick(part->soil, part->vessel, part->vessel != NULL, 1.0 / 60.0);
        for (int k = 0; k < substeps; k++) {
            given = vec3_add(given, step_part(part, tick, k, 1.0 / 60.0 / substeps));
        }
        soil_end_tick(part->soil, part->vessel, part->vessel != NULL);
        balance_tick(part->soil, &balance, 1.0 / 60.0, given);
        double seconds = (tick + 1) / 60.0;
        if (balance.exchanged > 0.0) {
            run_point(run, part->plot, part->label, seconds, log10(fmax(balance_ratio(&balance), 1e-16)));
        }
        run_progress(run, part->share_before + part->share * tick / part->ticks);
    }
    char quantity[112];
    snprintf(quantity, sizeof quantity, "%s: momentum made / impulse exchanged", part->label);
    run_result_between(run, quantity, "", balance_ratio(&balance), 0.0, ALLOWED);
    snprintf(quantity, sizeof quantity, "%s: impulse exchanged", part->label);
    run_note(run, quantity, "N s", balance.exchanged);
    free(balance.velocity);
}

/// Particles of one or of mixed sizes on a loose lattice of `side` x `side`, with random velocities up to `speed`.
static void fill(Run *run, Soil *soil, Vec3 low, int count, int side, double radius, bool mixed, double speed)
{
    double step = 2.15 * radius;
    for (int k = 0; k < count; k++) {
        double r = mixed ? radius * (0.6 + 0.4 * run_random(run)) : radius, move[3], jitter[3];
        for (int axis = 0; axis < 3; axis++) {
            jitter[axis] = 0.1 * radius * (run_random(run) - 0.5);
            move[axis] = speed * (2.0 * run_random(run) - 1.0);
        }
        Vec3 at = vec3(low.x + (k % side + 0.5) * step + jitter[0], low.y + (k / side % side + 0.5) * step + jitter[1],
                       low.z + (k / (side * side) + 0.5) * step + jitter[2]);
        soil_add_particle(soil, at, vec3(move[0], move[1], move[2]), r, 0, grain_mass(r));
    }
}

static bool create_part(Run *run, Part *part, int count, double radius)
{
    SoilParams grains = grain_soil(2e5, 0.3, 0.4);
    grains.contact_adhesion = grains.steel_adhesion = 2e3; // the adhesive part has to be equal and opposite, too
    grains.contact_remoulded = 0.5;
    part->scene = run_scene(run, &grains, count, 20.0);
    part->scene.ground.column_spacing = 2.0 * radius;
    part->soil = run_create_soil(run, &part->scene);
    return part->soil != NULL;
}

/// Two clusters that fly into each other while they fall.
static bool run_clusters(Run *run, Part *part, int count, double radius, bool mixed)
{
    int half = (count + 1) / 2, side = (int)ceil(cbrt(half));
    if (!create_part(run, part, count, radius)) {
        return false;
    }
    double width = 2.15 * radius * side;
    fill(run, part->soil, vec3(-width - radius, 0, 0), half, side, radius, mixed, 1.0);
    fill(run, part->soil, vec3(radius, 0, 0), count - half, side, radius, mixed, 1.0);
    snprintf(part->label, sizeof part->label, "clusters, r = %g m%s", radius, mixed ? ", mixed" : "");
    run_part(run, part);
    soil_destroy(part->soil);
    return true;
}

/// Soil in a box. `heaviness`: mass of the soil over that of the box, which then falls freely; 0 = the box is shaken.
static bool run_vessel(Run *run, Part *part, int count, double radius, double heaviness)
{
    int side = (int)ceil(cbrt(count));
    double width = 2.15 * radius * side;
    ToolShape shape = box_shape(width + 2.0 * radius, width + 2.0 * radius, 2.0 * width);
    SoilTool vessel = still_tool(&shape, vec3(0, 0, 0));
    if (!create_part(run, part, count, radius)) {
        return false;
    }
    fill(run, part->soil, vec3(-0.5 * width, -0.5 * width, 0), count, side, radius, false, 0.5);
    if (heaviness > 0.0) {
        vessel.motion.inverse_mass = heaviness / (count * grain_mass(radius));
        vessel.motion.velocity = vec3(0.3, -0.2, 1.5); // thrown against the soil in it
        snprintf(part->label, sizeof part->label, "box thrown, soil/box %g, r = %g m", heaviness, radius);
    } else {
        snprintf(part->label, sizeof part->label, "box shaken, r = %g m", radius);
    }
    part->vessel = &vessel;
    run_part(run, part);
    soil_destroy(part->soil);
    return true;
}

static bool run_thirdlaw(Run *run)
{
    enum { PARTS = 8, FALLING_TICKS = 105 }; // falls 15 m: the ground lies 20 m below
    static const double heaviness[PARTS] = {0, 0, 0, 0, 0, 0.1, 1, 5};
    int count,
        plot = run_plot(run, "Momentum made by contacts", "time, s", "log10 (momentum made / impulse exchanged)");
    if (!option_whole(run, "count", &count)) {
        return false;
    }
    for (int k = 0; k < PARTS; k++) {
        Part part = {.plot = plot, .share_before = (double)k / PARTS, .share = 1.0 / PARTS};
        part.ticks = run_quick(run) || k < 3 ? 60 : heaviness[k] > 0.0 ? FALLING_TICKS : 180;
        double radius = k % 2 == 0 ? 0.05 : 0.03;
        bool good = k < 3 ? run_clusters(run, &part, count, radius, k == 2)
                          : run_vessel(run, &part, count, radius, heaviness[k]);
        if (!good) {
            return false;
        }
    }
    run_point(run, plot, "law: allowed", 0.0, log10(ALLOWED));
    run_point(run, plot, "law: allowed", run_quick(run) ? 1.0 : 3.0, log10(ALLOWED));
    return true;
}

const Experiment experiment_thirdlaw = {
    .name = "thirdlaw",
    .title = "free clusters, a shaken and a thrown box: momentum made by contacts",
    .law = "Newton's third law: contacts exchange momentum and make none",
    .options = options,
    .run = run_thirdlaw,
};
