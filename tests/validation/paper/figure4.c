/// Parallel Particles, figure 4: free bodies among particles. A wheel turns under a stream; a trough tilts under what
/// falls on it.
///
/// Both bodies have one degree of freedom, the angle a about a horizontal axis: I a'' = M - c a' - k a, with M the
/// moment of the contacts. They are integrated here, substep by substep; the soil sees their inertia.
/// - The wheel: what it gets is what the sand loses, integral of M dt = L_in + integral of sum(r x m g) dt - L_out -
/// L_inside, about its
///   axis. (Grains that do not spin take up friction at their outside as if at their middle: a few per cent are lost in
///   that.) The brake takes c a'^2, which must be less than the power of the falling sand.
/// - The trough: at rest k a = sum(m g x), over all grains in it.
/// Grains that do not spin take friction at their outside as if at their middle, which is a moment from nowhere of
/// friction x radius a contact: 2 % in a trough filled four grains deep (0.04 m), half a per cent with grains of 0.03
/// m.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/packing.h"

static const ExperimentOption options[] = {
    {"radius", 0.03, 0.02, 0.06, "m", "mean radius of the grains (full form: also 0.02)", NULL},
    {"seconds", 12.0, 4.0, 60.0, "s", "that each of the two lasts", NULL},
    {"brake", 60.0, 0.0, 1000.0, "N m s", "of the wheel: moment per speed of turning", NULL},
    {"spring", 8000.0, 500.0, 1e5, "N m", "of the trough: moment per angle", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { PADDLES = 8, BUDGET = 20000 };

#define WHEEL_RADIUS 0.8 ///< m
#define WHEEL_WIDTH  0.8 ///< m
#define LEAVE        (-2.0) ///< m: sand below this has left the wheel
#define STREAM_SPEED 2.0 ///< m/s, downwards, with which sand appears
#define STREAM_X     0.45 ///< m from the axis

typedef struct Hinge {
    ToolShape shape;
    SoilTool tool;
    double inertia, damping, spring; ///< kg m2, N m s, N m
    double angle, rate; ///< rad, rad/s; positive lowers what lies at x > 0
    double moment; ///< N m of the contacts, mean over the last tick
    double given; ///< N m s: integral of the contacts' moment
} Hinge;

/// A body among grains of one size.
typedef struct Bench {
    SoilParams sand;
    Grains grains;
    SceneParams scene;
    Soil *soil;
    Hinge hinge;
    int ticks;
    double before, share; ///< of the whole experiment
} Bench;

static bool create_soil(Run *run, Bench *bench)
{
    bench->scene = run_scene(run, &bench->sand, BUDGET, 20.0);
    packing_fit_scene(&bench->scene, &bench->grains);
    bench->soil = run_create_soil(run, &bench->scene);
    return bench->soil != NULL;
}

/// A quantity's name with the size of the grains.
static const char *named(const Bench *bench, const char *text, char buffer[96])
{
    snprintf(buffer, 96, "%s, r = %g m", text, bench->grains.radius);
    return buffer;
}

static void pose_hinge(Hinge *hinge)
{
    double c = cos(hinge->angle), s = sin(hinge->angle);
    hinge->tool.motion.frame.rotation = (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    hinge->tool.motion.spin = vec3(0, hinge->rate, 0);
}

static void start_hinge(Hinge *hinge, double inertia, double damping, double spring)
{
    hinge->tool = still_tool(&hinge->shape, vec3(0, 0, 0));
    hinge->tool.motion.inertia_inverse.m[1][1] = 1.0 / inertia;
    hinge->inertia = inertia;
    hinge->damping = damping;
    hinge->spring = spring;
}

static void tick_hinge(Soil *soil, const SceneParams *scene, Hinge *hinge)
{
    const double dt = 1.0 / 60.0, h = dt / scene->rates.substeps;
    hinge->moment = 0.0;
    pose_hinge(hinge);
    soil_begin_tick(soil, &hinge->tool, 1, dt);
    for (int k = 0; k < scene->rates.substeps; k++) {
        Wrench wrench;
        soil_substep(soil, &hinge->tool, 1, h, &wrench);
        double own = -hinge->damping * hinge->rate - hinge->spring * hinge->angle;
        hinge->rate += h * (wrench.moment.y + own) / hinge->inertia;
        hinge->angle += h * hinge->rate;
        hinge->moment += wrench.moment.y / scene->rates.substeps;
        hinge->given += h * wrench.moment.y;
        pose_hinge(hinge);
    }
    soil_end_tick(soil, &hinge->tool, 1);
}

static void shape_wheel(ToolShape *shape)
{
    const double hub = 0.15, thick = 0.06;
    memset(shape, 0, sizeof *shape);
    shape->piece_count = PADDLES + 1;
    shape->pieces[PADDLES] = (ToolPiece){.corner_count = 8, .y_min = -0.5 * WHEEL_WIDTH, .y_max = 0.5 * WHEEL_WIDTH};
    for (int k = 0; k < PADDLES; k++) {
        double c = cos(2.0 * M_PI * k / PADDLES), s = sin(2.0 * M_PI * k / PADDLES), r = WHEEL_RADIUS, w = 0.5 * thick;
        shape->pieces[k] = (ToolPiece){.corner_count = 4,
                                       .corners = {{w * s, -w * c},
                                                   {r * c + w * s, r * s - w * c},
                                                   {r * c - w * s, r * s + w * c},
                                                   {-w * s, w * c}},
                                       .y_min = -0.5 * WHEEL_WIDTH,
                                       .y_max = 0.5 * WHEEL_WIDTH};
        shape->pieces[PADDLES].corners[k][0] = hub * c;
        shape->pieces[PADDLES].corners[k][1] = hub * s;
    }
}

/// The sand's angular momentum about the wheel's axis, and what comes and goes.
typedef struct Stream {
    double in, weight, out; ///< N m s: brought in, given by gravity, gone
    double mass; ///< kg brought in
    bool left[BUDGET]; ///< by id
} Stream;

static double turn_of(const SoilParticleView *p, int k)
{
    return p->mass[k] * SOIL_QUANTUM * (p->z[k] * p->vx[k] - p->x[k] * p->vz[k]);
}

/// After a tick: gravity's share, and grains that left. Returns what the sand still has.
static double watch_stream(const Soil *soil, Stream *stream)
{
    SoilParticleView p = soil_get_particles(soil);
    double inside = 0.0;
    for (int k = 0; k < p.count; k++) {
        if (stream->left[p.id[k]]) {
            continue;
        }
        double weight = p.mass[k] * SOIL_QUANTUM * STANDARD_GRAVITY / 60.0;
        stream->weight += weight * (p.x[k] - 0.5 * p.vx[k] / 60.0); // in the middle of the tick
        if (p.z[k] < LEAVE) {
            stream->left[p.id[k]] = true;
            stream->out += turn_of(&p, k);
        } else {
            inside += turn_of(&p, k);
        }
    }
    return inside;
}

/// A row of grains across the wheel.
static void pour(Run *run, Soil *soil, const Grains *grains, Stream *stream)
{
    double r = grains->radius, step = 2.2 * r * (1.0 + grains->spread);
    int count = (int)(0.8 * WHEEL_WIDTH / step);
    for (int k = 0; k < count; k++) {
        double size = r * (1.0 + grains->spread * (2.0 * run_random(run) - 1.0));
        double mass = grains->solid_density * 4.0 / 3.0 * M_PI * size * size * size;
        Vec3 at =
            vec3(STREAM_X + 0.5 * r * (run_random(run) - 0.5), (k - 0.5 * (count - 1)) * step, WHEEL_RADIUS + 0.4);
        if (soil_add_particle(soil, at, vec3(0, 0, -STREAM_SPEED), size, 0, mass) >= 0) {
            stream->in += whole_quanta(mass) * at.x * STREAM_SPEED;
            stream->mass += whole_quanta(mass);
        }
    }
}

/// Runs the wheel; `brake` and `turned` receive the work of the brake (J) and the angle (rad) of the second half.
/// Returns the angular momentum that the sand still has in the end.
static double turn_wheel(Run *run, Bench *bench, Stream *stream, double *brake, double *turned)
{
    const Grains *grains = &bench->grains;
    Hinge *wheel = &bench->hinge;
    int plot = run_plot(run, "A wheel under a stream of sand", "time, s", "turning, rad/s");
    int every = (int)ceil(60.0 * 2.2 * grains->radius * (1.0 + grains->spread) / STREAM_SPEED);
    double inside = 0.0;
    *brake = *turned = 0.0;
    for (int tick = 0; tick < bench->ticks; tick++) {
        if (tick % every == 0) {
            pour(run, bench->soil, grains, stream);
        }
        tick_hinge(bench->soil, &bench->scene, wheel);
        inside = watch_stream(bench->soil, stream);
        run_point(run, plot, "measured", (tick + 1) / 60.0, wheel->rate);
        if (tick >= bench->ticks / 2) {
            *brake += wheel->damping * wheel->rate * wheel->rate / 60.0;
            *turned += wheel->rate / 60.0;
        }
        run_progress(run, bench->before + 0.5 * bench->share * tick / bench->ticks);
    }
    return inside;
}

static bool run_wheel(Run *run, Bench *bench)
{
    char name[96];
    Stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || !create_soil(run, bench)) {
        free(stream);
        return false;
    }
    bench->hinge = (Hinge){0};
    shape_wheel(&bench->hinge.shape);
    start_hinge(&bench->hinge, 60.0, option_number(run, "brake"), 0.0);
    double brake, turned, inside = turn_wheel(run, bench, stream, &brake, &turned);
    double seconds = bench->ticks / 60.0, fall = 2.0 * WHEEL_RADIUS + 0.4, flow = stream->mass / seconds;
    double power = flow * (STANDARD_GRAVITY * fall + 0.5 * STREAM_SPEED * STREAM_SPEED);
    double lost = stream->in + stream->weight - stream->out - inside;
    run_result_least(run, named(bench, "wheel: speed it turns with", name), "rad/s", turned / (0.5 * seconds), 0.1);
    run_result(run, named(bench, "wheel: angular momentum received / lost by the sand", name), "",
               bench->hinge.given / lost, 1.0, 0.05);
    run_result_between(run, named(bench, "wheel: power of the brake / power of the sand", name), "",
                       brake / (0.5 * seconds) / power, 0.0, 1.0);
    run_note(run, named(bench, "wheel: sand", name), "kg/s", flow);
    soil_destroy(bench->soil);
    free(stream);
    return true;
}

/// Angle at which the spring balances the weight of the grains; spilt ones have fallen.
static double balanced_angle(const Soil *soil, const Hinge *trough)
{
    SoilParticleView p = soil_get_particles(soil);
    double moment = 0.0;
    for (int k = 0; k < p.count; k++) {
        moment += p.z[k] > -1.0 ? p.mass[k] * SOIL_QUANTUM * STANDARD_GRAVITY * p.x[k] : 0.0;
    }
    return moment / trough->spring;
}

static bool run_trough(Run *run, Bench *bench)
{
    char name[96];
    const double degree = M_PI / 180.0;
    if (!create_soil(run, bench)) {
        return false;
    }
    Hinge *trough = &bench->hinge;
    *trough = (Hinge){.shape = box_shape(2.4, 0.6, 0.5)};
    start_hinge(trough, 100.0, 1500.0, option_number(run, "spring"));
    PackingSpace space = {.x = 0.7, .length = 0.8, .width = 0.5};
    int plot = run_plot(run, "A trough is filled on one side", "time, s", "tilt, degrees");
    packing_fill(bench->soil, &bench->grains, &space, 0.2, packing_count(&bench->grains, 0.15), run_seed(run));
    double balance = 0.0;
    for (int tick = 0; tick < bench->ticks; tick++) {
        tick_hinge(bench->soil, &bench->scene, trough);
        balance = balanced_angle(bench->soil, trough);
        run_point(run, plot, "measured", (tick + 1) / 60.0, trough->angle / degree);
        run_point(run, plot, "law: moment of the grains / spring", (tick + 1) / 60.0, balance / degree);
        run_progress(run, bench->before + 0.5 * bench->share * (1.0 + (double)tick / bench->ticks));
    }
    run_result(run, named(bench, "trough: tilt / (moment of the grains / spring)", name), "", trough->angle / balance,
               1.0, 0.02);
    run_note(run, named(bench, "trough: tilt", name), "degrees", trough->angle / degree);
    run_note(run, named(bench, "trough: speed in the end", name), "rad/s", trough->rate);
    soil_destroy(bench->soil);
    return true;
}

static bool run_figure4(Run *run)
{
    static const double full[] = {0.03, 0.02, 0}, quick[] = {0.03, 0};
    double radii[SWEEP_MOST];
    int count = packing_sweep(run, "radius", full, quick, radii);
    Bench bench = {.ticks = (int)(60.0 * option_number(run, "seconds")), .share = 1.0 / count};
    if (!run_load_soil(run, "sand", &bench.sand)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        bench.grains = packing_grains(&bench.sand, radii[k]);
        bench.before = (double)k / count;
        if (!run_wheel(run, &bench) || !run_trough(run, &bench)) {
            return false;
        }
    }
    return true;
}

const Experiment experiment_figure4 = {
    .name = "figure4",
    .title = "a wheel that sand turns, a trough that it tilts",
    .law = "Parallel Particles, fig. 4; balance of angular momentum; statics",
    .options = options,
    .run = run_figure4,
};
