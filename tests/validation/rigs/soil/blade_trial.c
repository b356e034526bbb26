/// Pushes a blade, weighs what lies ahead of it and takes means over its way and over the places where it begins.
#include "tests/validation/rigs/soil/blade_trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/rigs/soil/apparatus.h"
#include "tests/validation/rigs/soil/site.h"

#define THICKNESS 0.05 ///< m of the plate, along the motion
#define WALL      0.3 ///< m

#define REACH 10.0 ///< depths ahead of the edge within which ground is weighed

enum { BLADE, LEFT, RIGHT, TOOLS };
enum { PEAK_TICKS = 240 };

/// Radii over which the places where the blade begins are spread: half of the way after which the ground repeats.
#define PLACES 8.0
/// Of that, from one beginning to the next. Chosen: the golden section, with which no two are close to each other.
#define NEXT_START 0.618

/// A blade at one place where it begins.
typedef struct Pushed {
    const BladeTrial *trial;
    double start; ///< m: beyond half its travel before the site's middle
    Mat3 turn; ///< from the blade's frame (x along its way, y to its left) to the site's
    SceneParams scene;
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
    int tool_count;
    Soil *soil;
} Pushed;

/// Turned by an angle about z. Exact for whole quarters, so that a closed site has no column beyond its walls there.
static Mat3 turn_by(double heading)
{
    double c = cos(heading), s = sin(heading);
    c = fabs(c) < 1e-12 ? 0.0 : c;
    s = fabs(s) < 1e-12 ? 0.0 : s;
    return (Mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

static void build_tools(Pushed *pushed)
{
    double alpha = pushed->trial->law.rake, half = 0.5 * pushed->trial->law.width,
           high = pushed->trial->law.depth + 0.8;
    double back = high / tan(alpha);
    memset(pushed->shapes, 0, sizeof pushed->shapes);
    ToolShape *blade = &pushed->shapes[BLADE];
    blade->piece_count = 1;
    blade->pieces[0] = (ToolPiece){.corner_count = 4,
                                   .corners = {{0, 0}, {-back, high}, {-back - THICKNESS, high}, {-THICKNESS, 0.02}},
                                   .y_min = -half,
                                   .y_max = half};
    blade->edge_width = pushed->trial->law.width;
    for (int k = LEFT; k < TOOLS; k++) {
        double side = k == LEFT ? half : -half - WALL;
        pushed->shapes[k].piece_count = 1;
        pushed->shapes[k].pieces[0] = block_piece(-10.0, 10.0, side, side + WALL, -2.0, 2.0);
    }
    memset(pushed->tools, 0, sizeof pushed->tools);
    for (int k = 0; k < TOOLS; k++) {
        pushed->tools[k].shape = &pushed->shapes[k];
        pushed->tools[k].motion.frame.rotation = pushed->turn;
    }
    SoilTool *tool = &pushed->tools[BLADE];
    tool->motion.frame.position = tool->motion.center =
        mat3_mul(&pushed->turn, vec3(pushed->start - 0.5 * pushed->trial->length, 0.0, -pushed->trial->law.depth));
    tool->motion.velocity = mat3_mul(&pushed->turn, vec3(pushed->trial->law.speed, 0.0, 0.0));
    tool->steel_friction = 1.0;
    tool->cuts = true;
    pushed->tool_count = pushed->trial->law.closed ? TOOLS : 1;
}

/// The site is the smallest that holds the way and what lies beside it. Closed sides are walls at its borders for whole
/// quarters of a turn; for other headings they stand in the ground.
static void build_scene(const Run *run, Pushed *pushed)
{
    const BladeTrial *trial = pushed->trial;
    double along = trial->length + 4.0, across = pushed->trial->law.width + (pushed->trial->law.closed ? 0.0 : 3.0);
    double c = fabs(pushed->turn.m[0][0]), s = fabs(pushed->turn.m[1][0]);
    SiteForm form = {.size_x = along * c + across * s,
                     .size_y = along * s + across * c,
                     .depth = 1.0,
                     .radius = trial->radius,
                     .budget = trial->budget};
    pushed->scene = site_scene(run, &pushed->trial->soil, &form);
}

/// What lies above each plane, kg per width: straight ahead, and beside the blade as the crescents count it.
typedef struct Wedges {
    double ahead[EARTHMOVING_ANGLES], beside[EARTHMOVING_ANGLES];
} Wedges;

/// Adds mass (kg) at a place from the edge's middle to the steepest plane that it lies above.
static void weigh_part(const Earthmoving *law, Vec3 at, double mass, Wedges *wedges)
{
    double first = earthmoving_angle(0), step = earthmoving_angle(1) - first, half = 0.5 * law->width, share = 1.0;
    double angle = atan2(at.z, at.x), *sum = wedges->ahead;
    if (fabs(at.y) > half) {
        share = earthmoving_crescent(law->rake, at.x, fabs(at.y) - half, at.z, &angle);
        sum = wedges->beside;
    }
    if (angle >= first) {
        int k = (int)fmin((angle - first) / step, EARTHMOVING_ANGLES - 1);
        sum[k] += share * mass / law->width;
    }
}

/// A column of ground, in slices of two halves: the blade's side may run through its middle.
static void weigh_column(const Pushed *pushed, Vec3 top, double area, Wedges *wedges)
{
    enum { SLICES = 12 };
    double lean = 1.0 / tan(pushed->trial->law.rake),
           half = 0.5 * top.z / SLICES * area * pushed->trial->soil.bank_density;
    for (int k = 0; k < 2 * SLICES; k++) {
        Vec3 at = vec3(top.x, top.y + (k % 2 == 0 ? -0.25 : 0.25) * sqrt(area), top.z * (k / 2 + 0.5) / SLICES);
        if (at.x > -at.z * lean) {
            weigh_part(&pushed->trial->law, at, half, wedges);
        }
    }
}

/// A place (m, site) as seen from the edge's middle: ahead, to the left, up.
static Vec3 from_edge(const Pushed *pushed, Vec3 at)
{
    return mat3_mul_transposed(&pushed->turn, vec3_sub(at, pushed->tools[BLADE].motion.frame.position));
}

/// Particles and ground ahead of the blade's face.
static void weigh_wedges(const Pushed *pushed, Wedges *wedges)
{
    SoilParticleView p = soil_get_particles(pushed->soil);
    SoilGridView grid = soil_get_grid(pushed->soil);
    double lean = 1.0 / tan(pushed->trial->law.rake),
           sides = pushed->trial->law.closed ? 0.5 * pushed->trial->law.width : HUGE_VAL;
    memset(wedges, 0, sizeof *wedges);
    for (int i = 0; i < p.count; i++) {
        Vec3 at = from_edge(pushed, vec3(p.x[i], p.y[i], p.z[i]));
        if (at.x > -at.z * lean && at.z > 0.0 && fabs(at.y) < sides) {
            weigh_part(&pushed->trial->law, at, p.mass[i] * SOIL_QUANTUM, wedges);
        }
    }
    for (int n = 0; n < grid.rows * grid.columns; n++) {
        Vec3 top = vec3(grid.origin_x + n % grid.columns * grid.spacing,
                        grid.origin_y + (double)(n / grid.columns) * grid.spacing, (double)grid.height[n]);
        top = from_edge(pushed, top);
        if (top.x > -top.z * lean && top.x < REACH * pushed->trial->law.depth && top.z > 0.0 && fabs(top.y) < sides) {
            weigh_column(pushed, top, grid.spacing * grid.spacing, wedges);
        }
    }
    for (int k = EARTHMOVING_ANGLES - 2; k >= 0; k--) {
        wedges->ahead[k] += wedges->ahead[k + 1];
        wedges->beside[k] += wedges->beside[k + 1];
    }
}

/// How far ahead of where the blade meets it the old surface moves along: the farthest particle just below it with more
/// than about half the wedge's speed, but for the farthest fiftieth.
static double rupture_length(const Pushed *pushed)
{
    enum { BINS = 200 };
    const double bin = 0.01;
    SoilParticleView p = soil_get_particles(pushed->soil);
    double count[BINS] = {0}, total = 0.0, seen = 0.0;
    for (int i = 0; i < p.count; i++) {
        double speed = sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
        Vec3 place = from_edge(pushed, vec3(p.x[i], p.y[i], p.z[i]));
        int at = (int)(place.x / bin);
        if (at >= 0 && at < BINS && p.z[i] > -4.0 * pushed->trial->radius && p.z[i] < -pushed->trial->radius &&
            fabs(place.y) < 0.25 * pushed->trial->law.width && speed > 0.35 * pushed->trial->law.speed) {
            count[at] += 1.0;
            total += 1.0;
        }
    }
    for (int k = BINS - 1; k >= 0; k--) {
        seen += count[k];
        if (seen > 0.02 * total) {
            return (k + 1) * bin + pushed->trial->law.depth / tan(pushed->trial->law.rake);
        }
    }
    return 0.0;
}

/// Force on the blade less what drags at the walls, N, in the blade's frame.
static Vec3 soil_force(const Pushed *pushed, const Wrench *wrenches)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < pushed->tool_count; k++) {
        sum = vec3_add(sum, wrenches[k].force);
    }
    return mat3_mul_transposed(&pushed->turn, sum);
}

/// Curves over the travel, of the first trial of each angle. At its start the blade is put into the ground, which bears
/// its back until it has cut itself free: that is not drawn.
static void draw_tick(Run *run, int plot, double travel, const Pushed *pushed, Vec3 felt, const EarthmovingForce *force)
{
    double per = 1e-3 / pushed->trial->law.width;
    run_point(run, plot, "draft", travel, -felt.x * per);
    run_point(run, plot, "down", travel, -felt.z * per);
    run_point(run, plot, "law: draft", travel, force->draft * per);
    run_point(run, plot, "law: down", travel, force->vertical * per);
}

static EarthmovingForce law_now(const Pushed *pushed)
{
    Earthmoving law = pushed->trial->law;
    Wedges wedges;
    weigh_wedges(pushed, &wedges);
    law.mass = wedges.ahead;
    law.crescents = law.closed ? NULL : wedges.beside;
    return earthmoving_force(&law, &pushed->trial->soil);
}

static void add_tick(const Pushed *pushed, const Wrench *wrenches, const EarthmovingForce *force, double share,
                     BladeOutcome *outcome)
{
    Vec3 felt = soil_force(pushed, wrenches);
    outcome->draft -= share * felt.x;
    outcome->vertical -= share * felt.z;
    outcome->drag -= share * (mat3_mul_transposed(&pushed->turn, wrenches[BLADE].force).x - felt.x);
    outcome->law_draft += share * force->draft;
    outcome->law_vertical += share * force->vertical;
    outcome->law_rupture += share * force->rupture_length;
    outcome->rupture += share * rupture_length(pushed);
}

/// Largest mean of the last `window` ticks.
static void note_peak(BladeOutcome *outcome, double draft, double *last, int tick, int window)
{
    double sum = 0.0;
    last[tick % window] = draft;
    for (int k = 0; k < window; k++) {
        sum += last[k] / window;
    }
    outcome->peak = tick + 1 >= window ? fmax(outcome->peak, sum) : outcome->peak;
}

/// All ticks of the travel; the law is taken anew each time that the blade has moved by a fiftieth of its depth.
static void push(Run *run, Pushed *pushed, bool draws, BladeOutcome *outcome)
{
    const double dt = 1.0 / 60.0;
    double last[PEAK_TICKS] = {0}, advance = pushed->trial->law.speed * dt / pushed->trial->law.depth;
    char title[96];
    snprintf(title, sizeof title, "a blade at %.0f degrees, %.2f m deep, %.2f m wide, %.2f m/s",
             pushed->trial->law.rake * 180.0 / M_PI, pushed->trial->law.depth, pushed->trial->law.width,
             pushed->trial->law.speed);
    int plot = draws ? run_plot(run, title, "travel, m", "kN per m of width") : 0;
    int ticks = (int)(pushed->trial->length / (pushed->trial->law.speed * dt)),
        first = (int)(ticks * pushed->trial->from);
    int window = (int)fmax(1.0, fmin(PEAK_TICKS, 0.1 / advance)), every = (int)fmax(1.0, 0.02 / advance);
    int start = draws ? ticks / 8 : first;
    EarthmovingForce force = {0};
    for (int tick = 0; tick < ticks; tick++) {
        Wrench mean[TOOLS];
        run_tick(pushed->soil, &pushed->scene, pushed->tools, pushed->tool_count, mean);
        note_peak(outcome, -soil_force(pushed, mean).x, last, tick, window);
        if (tick >= start) {
            force = (tick - start) % every == 0 ? law_now(pushed) : force;
            if (draws) {
                draw_tick(run, plot, (tick + 1) * dt * pushed->trial->law.speed, pushed, soil_force(pushed, mean),
                          &force);
            }
            if (tick >= first) {
                add_tick(pushed, mean, &force, 1.0 / (ticks - first), outcome);
            }
        }
        outcome->most = (int)fmax(outcome->most, soil_get_counters(pushed->soil).particles);
    }
}

/// ---- the heap ------------------------------------------------------------------------------------------------------
/// Its volume is that of what was cut, loosened, as nothing is lost between smooth walls. Cut is w d L of the travel L
/// and B, what the ground has lost behind the start, where the blade was put into it. A blade that leans back by alpha
/// holds T = w d2 / (2 tan alpha) of it below the old surface. The heap is then between w d L + B - T, if nothing has
/// swollen, and (w d L + B) (1 + s) - T + s w d R / 2, if all of it has by s, and so has the wedge of the length R
/// before the blade. The outline of spheres says where a surface is to half of their radius.

/// Height (m, site) above which soil before the blade's face belongs to the heap.
static double heap_floor(const void *context, double x, double y)
{
    const Pushed *pushed = context;
    const Earthmoving *law = &pushed->trial->law;
    double ahead = x - pushed->tools[BLADE].motion.frame.position.x, high = -ahead * tan(law->rake) - law->depth;
    double ground = fmax(soil_get_height(pushed->soil, x, y), 0.0);
    return fabs(y) > 0.5 * law->width || high > 0.8 ? (double)NAN : fmax(high, ground);
}

/// m3 of the ground between its surface and the old one: above that ahead of the edge, where what has come to rest is
/// ground again; behind the start what is below less what is above, for the back of the blade pushes some up.
static double ground_change(const Pushed *pushed, bool ahead)
{
    SoilGridView grid = soil_get_grid(pushed->soil);
    double edge = pushed->tools[BLADE].motion.frame.position.x, start = edge - pushed->trial->length;
    double volume = 0.0, half = 0.5 * pushed->trial->law.width, area = grid.spacing * grid.spacing;
    for (int n = 0; n < grid.rows * grid.columns; n++) {
        double x = grid.origin_x + n % grid.columns * grid.spacing, high = (double)grid.height[n];
        double y = grid.origin_y + (double)(n / grid.columns) * grid.spacing;
        if (fabs(y) < half && (ahead ? x > edge && high > 0.0 : x < start)) {
            volume += (ahead ? high : -high) * area;
        }
    }
    return volume;
}

/// rad: slope of the front of the heap, between its highest strip and the first one that is lower than a diameter. That
/// one lies `foot_ahead` m ahead of the edge.
static double heap_slope(const Pushed *pushed, double *foot_ahead)
{
    enum { STRIPS = 200 };
    double edge = pushed->tools[BLADE].motion.frame.position.x, wide = 2.0 * pushed->trial->radius;
    double top[STRIPS] = {0.0};
    SoilParticleView p = soil_get_particles(pushed->soil);
    for (int i = 0; i < p.count; i++) {
        int k = (int)(((double)p.x[i] - edge) / wide);
        if (p.x[i] > edge && k < STRIPS) {
            top[k] = fmax(top[k], (double)p.z[i] + (double)p.radius[i]);
        }
    }
    int highest = 0, foot = 0;
    for (int k = 0; k < STRIPS; k++) {
        highest = top[k] > top[highest] ? k : highest;
    }
    for (foot = highest; foot < STRIPS && top[foot] > wide; foot++) {
    }
    *foot_ahead = foot * wide;
    return foot > highest ? atan((top[highest] - wide) / ((foot - highest) * wide)) : 0.0;
}

static void measure_heap(const Pushed *pushed, BladeOutcome *outcome)
{
    const BladeTrial *trial = pushed->trial;
    const Earthmoving *law = &trial->law;
    if (!law->closed || trial->heading != 0.0) {
        return;
    }
    double edge = pushed->tools[BLADE].motion.frame.position.x, half = 0.5 * law->width, lean = 1.0 / tan(law->rake);
    SiteArea area = {edge - (law->depth + 0.8) * lean, -half, edge + REACH * law->depth, half};
    outcome->heap =
        site_heap_volume(pushed->soil, &area, trial->radius, heap_floor, pushed) + ground_change(pushed, true);
    double foot;
    outcome->slope = heap_slope(pushed, &foot);
    double cut = law->width * law->depth * trial->length + ground_change(pushed, false),
           held = 0.5 * law->width * law->depth * law->depth * lean;
    double swell = trial->soil.swell, wedge = 0.5 * law->width * law->depth * outcome->law_rupture;
    double outline = 0.5 * trial->radius * law->width * foot;
    outcome->heap_least = cut - held - outline;
    outcome->heap_most = cut * (1.0 + swell) - held + swell * wedge + outline;
}

/// One place where the blade begins.
static bool run_start(Run *run, Pushed *pushed, bool draws, BladeOutcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    pushed->turn = turn_by(pushed->trial->heading);
    build_scene(run, pushed);
    build_tools(pushed);
    pushed->soil = run_create_soil(run, &pushed->scene);
    if (pushed->soil == NULL) {
        return false;
    }
    push(run, pushed, draws, outcome);
    measure_heap(pushed, outcome);
    soil_destroy(pushed->soil);
    return true;
}

static void add_start(BladeOutcome *mean, const BladeOutcome *one, double share)
{
    mean->draft += share * one->draft;
    mean->vertical += share * one->vertical;
    mean->drag += share * one->drag;
    mean->peak += share * one->peak;
    mean->law_draft += share * one->law_draft;
    mean->law_vertical += share * one->law_vertical;
    mean->rupture += share * one->rupture;
    mean->law_rupture += share * one->law_rupture;
    mean->heap += share * one->heap;
    mean->heap_least += share * one->heap_least;
    mean->heap_most += share * one->heap_most;
    mean->slope += share * one->slope;
    mean->most = one->most > mean->most ? one->most : mean->most;
}

bool blade_trial_run(Run *run, const BladeTrial *trial, bool draws, BladeOutcome *outcome)
{
    double ratios[BLADE_MOST_STARTS], squares = 0.0;
    memset(outcome, 0, sizeof *outcome);
    for (int k = 0; k < trial->starts; k++) {
        BladeOutcome one;
        Pushed pushed = {.trial = trial, .start = fmod(k * NEXT_START, 1.0) * PLACES * trial->radius};
        if (!run_start(run, &pushed, draws && k == 0, &one)) {
            return false;
        }
        ratios[k] = one.draft / one.law_draft;
        add_start(outcome, &one, 1.0 / trial->starts);
    }
    for (int k = 0; k < trial->starts; k++) {
        squares += pow(ratios[k] - outcome->draft / outcome->law_draft, 2.0);
    }
    outcome->spread = trial->starts > 1 ? sqrt(squares / (trial->starts - 1)) : 0.0;
    return true;
}
