/// A flat blade is pushed through level ground at a constant depth; what it feels is compared with the fundamental
/// equation of earthmoving (earthmoving.h) for the soil's own strength.
///
/// What the blade has cut lies on the wedge and is pushed along: the law is taken with the mass that really lies above
/// each trial plane, at every moment; beside it stands the law for the level surface. Means are taken over the last
/// part of the travel. Closed sides (smooth walls) make the wide blade of the plane law; free sides lift crescents. The
/// law's walls are smooth, but clay sticks to steel: what drags at the walls is taken off. Cohesive soil fails piece by
/// piece: the mean over the travel lies below the force of the moment of failure, which is the law's; the largest mean
/// over a tenth of the depth is noted, too.
///
/// Undisturbed ground is always the same packing, so that a blade that begins at one place has one specimen, whatever
/// the seed: a shallow cut of few grains scatters by 5 % and more. Means are taken over several places.
///
/// Two sweeps: over the blade's angle, and over the depth for tools that are wide (closed sides) and narrow (twice as
/// wide as deep, free sides), slow and fast.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/validation/rigs/soil/earthmoving.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/site.h"

#define THICKNESS 0.05 ///< m of the plate, along the motion
#define WALL      0.3 ///< m

#define REACH 10.0 ///< depths ahead of the edge within which ground is weighed

enum { BLADE, LEFT, RIGHT, TOOLS };
enum { PEAK_TICKS = 240, MOST_STARTS = 20 };

/// Radii over which the places where the blade begins are spread: half of the way after which the ground repeats.
#define PLACES 8.0
/// Of that, from one beginning to the next. Chosen: the golden section, with which no two are close to each other.
#define NEXT_START 0.618

typedef struct Trial {
    Earthmoving law;
    SoilParams soil;
    SceneParams scene;
    double radius; ///< m of a particle
    double length; ///< m: travel
    double start; ///< m: where the blade begins, beyond half its travel before the site's middle
    Mat3 turn; ///< from the blade's frame (x along its way, y to its left) to the site's
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
    int tool_count;
    Soil *soil_body;
} Trial;

/// Means over the window and over the places where the blade begins.
typedef struct Outcome {
    double draft, vertical; ///< N
    double drag; ///< N: of what sticks to the walls, not in the draft
    double peak; ///< N: largest draft of the whole travel, means over a tenth of the depth
    double law_draft, law_vertical; ///< N, with the mass above each plane at each moment
    double rupture, law_rupture; ///< m ahead of the edge, at the surface
    double spread; ///< standard deviation of draft over law_draft between those places
    int most; ///< particles
} Outcome;

static ToolPiece box_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
}

/// Turned by an angle about z. Exact for whole quarters, so that a closed site has no column beyond its walls there.
static Mat3 turn_by(double heading)
{
    double c = cos(heading), s = sin(heading);
    c = fabs(c) < 1e-12 ? 0.0 : c;
    s = fabs(s) < 1e-12 ? 0.0 : s;
    return (Mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

static void build_tools(Trial *trial)
{
    double alpha = trial->law.rake, half = 0.5 * trial->law.width, high = trial->law.depth + 0.8;
    double back = high / tan(alpha);
    memset(trial->shapes, 0, sizeof trial->shapes);
    ToolShape *blade = &trial->shapes[BLADE];
    blade->piece_count = 1;
    blade->pieces[0] = (ToolPiece){.corner_count = 4,
                                   .corners = {{0, 0}, {-back, high}, {-back - THICKNESS, high}, {-THICKNESS, 0.02}},
                                   .y_min = -half,
                                   .y_max = half};
    blade->edge_width = trial->law.width;
    for (int k = LEFT; k < TOOLS; k++) {
        double side = k == LEFT ? half : -half - WALL;
        trial->shapes[k].piece_count = 1;
        trial->shapes[k].pieces[0] = box_piece(-10.0, 10.0, side, side + WALL, -2.0, 2.0);
    }
    memset(trial->tools, 0, sizeof trial->tools);
    for (int k = 0; k < TOOLS; k++) {
        trial->tools[k].shape = &trial->shapes[k];
        trial->tools[k].motion.frame.rotation = trial->turn;
    }
    SoilTool *tool = &trial->tools[BLADE];
    tool->motion.frame.position = tool->motion.center =
        mat3_mul(&trial->turn, vec3(trial->start - 0.5 * trial->length, 0.0, -trial->law.depth));
    tool->motion.velocity = mat3_mul(&trial->turn, vec3(trial->law.speed, 0.0, 0.0));
    tool->steel_friction = 1.0;
    tool->cuts = true;
    trial->tool_count = trial->law.closed ? TOOLS : 1;
}

/// The site is the smallest that holds the way and what lies beside it. Closed sides are walls at its borders for whole
/// quarters of a turn; for other headings they stand in the ground.
static void build_scene(Run *run, Trial *trial)
{
    double along = trial->length + 4.0, across = trial->law.width + (trial->law.closed ? 0.0 : 3.0);
    double c = fabs(trial->turn.m[0][0]), s = fabs(trial->turn.m[1][0]);
    SiteForm form = {.size_x = along * c + across * s,
                     .size_y = along * s + across * c,
                     .depth = 1.0,
                     .radius = trial->radius,
                     .budget = (int)option_number(run, "budget")};
    trial->scene = site_scene(run, &trial->soil, &form);
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
static void weigh_column(const Trial *trial, Vec3 top, double area, Wedges *wedges)
{
    enum { SLICES = 12 };
    double lean = 1.0 / tan(trial->law.rake), half = 0.5 * top.z / SLICES * area * trial->soil.bank_density;
    for (int k = 0; k < 2 * SLICES; k++) {
        Vec3 at = vec3(top.x, top.y + (k % 2 == 0 ? -0.25 : 0.25) * sqrt(area), top.z * (k / 2 + 0.5) / SLICES);
        if (at.x > -at.z * lean) {
            weigh_part(&trial->law, at, half, wedges);
        }
    }
}

/// A place (m, site) as seen from the edge's middle: ahead, to the left, up.
static Vec3 from_edge(const Trial *trial, Vec3 at)
{
    return mat3_mul_transposed(&trial->turn, vec3_sub(at, trial->tools[BLADE].motion.frame.position));
}

/// Particles and ground ahead of the blade's face.
static void weigh_wedges(const Trial *trial, Wedges *wedges)
{
    SoilParticleView p = soil_get_particles(trial->soil_body);
    SoilGridView grid = soil_get_grid(trial->soil_body);
    double lean = 1.0 / tan(trial->law.rake), sides = trial->law.closed ? 0.5 * trial->law.width : HUGE_VAL;
    memset(wedges, 0, sizeof *wedges);
    for (int i = 0; i < p.count; i++) {
        Vec3 at = from_edge(trial, vec3(p.x[i], p.y[i], p.z[i]));
        if (at.x > -at.z * lean && at.z > 0.0 && fabs(at.y) < sides) {
            weigh_part(&trial->law, at, p.mass[i] * SOIL_QUANTUM, wedges);
        }
    }
    for (int n = 0; n < grid.rows * grid.columns; n++) {
        Vec3 top = vec3(grid.origin_x + n % grid.columns * grid.spacing,
                        grid.origin_y + (double)(n / grid.columns) * grid.spacing, (double)grid.height[n]);
        top = from_edge(trial, top);
        if (top.x > -top.z * lean && top.x < REACH * trial->law.depth && top.z > 0.0 && fabs(top.y) < sides) {
            weigh_column(trial, top, grid.spacing * grid.spacing, wedges);
        }
    }
    for (int k = EARTHMOVING_ANGLES - 2; k >= 0; k--) {
        wedges->ahead[k] += wedges->ahead[k + 1];
        wedges->beside[k] += wedges->beside[k + 1];
    }
}

/// How far ahead of where the blade meets it the old surface moves along: the farthest particle just below it with more
/// than about half the wedge's speed, but for the farthest fiftieth.
static double rupture_length(const Trial *trial)
{
    enum { BINS = 200 };
    const double bin = 0.01;
    SoilParticleView p = soil_get_particles(trial->soil_body);
    double count[BINS] = {0}, total = 0.0, seen = 0.0;
    for (int i = 0; i < p.count; i++) {
        double speed = sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
        Vec3 place = from_edge(trial, vec3(p.x[i], p.y[i], p.z[i]));
        int at = (int)(place.x / bin);
        if (at >= 0 && at < BINS && p.z[i] > -4.0 * trial->radius && p.z[i] < -trial->radius &&
            fabs(place.y) < 0.25 * trial->law.width && speed > 0.35 * trial->law.speed) {
            count[at] += 1.0;
            total += 1.0;
        }
    }
    for (int k = BINS - 1; k >= 0; k--) {
        seen += count[k];
        if (seen > 0.02 * total) {
            return (k + 1) * bin + trial->law.depth / tan(trial->law.rake);
        }
    }
    return 0.0;
}

/// Force on the blade less what drags at the walls, N, in the blade's frame.
static Vec3 soil_force(const Trial *trial, const Wrench *wrenches)
{
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < trial->tool_count; k++) {
        sum = vec3_add(sum, wrenches[k].force);
    }
    return mat3_mul_transposed(&trial->turn, sum);
}

/// Curves over the travel, of the first trial of each angle. At its start the blade is put into the ground, which bears
/// its back until it has cut itself free: that is not drawn.
static void draw_tick(Run *run, int plot, double travel, const Trial *trial, Vec3 felt, const EarthmovingForce *force)
{
    double per = 1e-3 / trial->law.width;
    run_point(run, plot, "draft", travel, -felt.x * per);
    run_point(run, plot, "down", travel, -felt.z * per);
    run_point(run, plot, "law: draft", travel, force->draft * per);
    run_point(run, plot, "law: down", travel, force->vertical * per);
}

static EarthmovingForce law_now(const Trial *trial)
{
    Earthmoving law = trial->law;
    Wedges wedges;
    weigh_wedges(trial, &wedges);
    law.mass = wedges.ahead;
    law.crescents = law.closed ? NULL : wedges.beside;
    return earthmoving_force(&law, &trial->soil);
}

static void add_tick(const Trial *trial, const Wrench *wrenches, const EarthmovingForce *force, double share,
                     Outcome *outcome)
{
    Vec3 felt = soil_force(trial, wrenches);
    outcome->draft -= share * felt.x;
    outcome->vertical -= share * felt.z;
    outcome->drag -= share * (mat3_mul_transposed(&trial->turn, wrenches[BLADE].force).x - felt.x);
    outcome->law_draft += share * force->draft;
    outcome->law_vertical += share * force->vertical;
    outcome->law_rupture += share * force->rupture_length;
    outcome->rupture += share * rupture_length(trial);
}

/// Largest mean of the last `window` ticks.
static void note_peak(Outcome *outcome, double draft, double *last, int tick, int window)
{
    double sum = 0.0;
    last[tick % window] = draft;
    for (int k = 0; k < window; k++) {
        sum += last[k] / window;
    }
    outcome->peak = tick + 1 >= window ? fmax(outcome->peak, sum) : outcome->peak;
}

/// All ticks of the travel; the law is taken anew each time that the blade has moved by a fiftieth of its depth.
static void push(Run *run, Trial *trial, bool draws, Outcome *outcome)
{
    const double dt = 1.0 / 60.0;
    double last[PEAK_TICKS] = {0}, advance = trial->law.speed * dt / trial->law.depth;
    char title[96];
    snprintf(title, sizeof title, "a blade at %.0f degrees, %.2f m deep, %.2f m wide, %.2f m/s",
             trial->law.rake * 180.0 / M_PI, trial->law.depth, trial->law.width, trial->law.speed);
    int plot = draws ? run_plot(run, title, "travel, m", "kN per m of width") : 0;
    int ticks = (int)(trial->length / (trial->law.speed * dt)), first = (int)(ticks * option_number(run, "from"));
    int window = (int)fmax(1.0, fmin(PEAK_TICKS, 0.1 / advance)), every = (int)fmax(1.0, 0.02 / advance);
    int start = draws ? ticks / 8 : first;
    EarthmovingForce force = {0};
    for (int tick = 0; tick < ticks; tick++) {
        Wrench mean[TOOLS];
        run_tick(trial->soil_body, &trial->scene, trial->tools, trial->tool_count, mean);
        note_peak(outcome, -soil_force(trial, mean).x, last, tick, window);
        if (tick >= start) {
            force = (tick - start) % every == 0 ? law_now(trial) : force;
            if (draws) {
                draw_tick(run, plot, (tick + 1) * dt * trial->law.speed, trial, soil_force(trial, mean), &force);
            }
            if (tick >= first) {
                add_tick(trial, mean, &force, 1.0 / (ticks - first), outcome);
            }
        }
        outcome->most = (int)fmax(outcome->most, soil_get_counters(trial->soil_body).particles);
    }
}

/// One place where the blade begins.
static bool run_start(Run *run, Trial *trial, bool draws, Outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    trial->turn = turn_by(option_number(run, "heading") * M_PI / 180.0);
    build_scene(run, trial);
    build_tools(trial);
    trial->soil_body = run_create_soil(run, &trial->scene);
    if (trial->soil_body == NULL) {
        return false;
    }
    push(run, trial, draws, outcome);
    soil_destroy(trial->soil_body);
    return true;
}

static void add_start(Outcome *mean, const Outcome *one, double share)
{
    mean->draft += share * one->draft;
    mean->vertical += share * one->vertical;
    mean->drag += share * one->drag;
    mean->peak += share * one->peak;
    mean->law_draft += share * one->law_draft;
    mean->law_vertical += share * one->law_vertical;
    mean->rupture += share * one->rupture;
    mean->law_rupture += share * one->law_rupture;
    mean->most = one->most > mean->most ? one->most : mean->most;
}

static bool run_trial(Run *run, Trial *trial, bool draws, Outcome *outcome)
{
    double ratios[MOST_STARTS], squares = 0.0;
    int starts;
    if (!option_whole(run, "starts", &starts)) {
        return false;
    }
    memset(outcome, 0, sizeof *outcome);
    for (int k = 0; k < starts; k++) {
        Outcome one;
        trial->start = fmod(k * NEXT_START, 1.0) * PLACES * trial->radius;
        if (!run_start(run, trial, draws && k == 0, &one)) {
            return false;
        }
        ratios[k] = one.draft / one.law_draft;
        add_start(outcome, &one, 1.0 / starts);
    }
    for (int k = 0; k < starts; k++) {
        squares += pow(ratios[k] - outcome->draft / outcome->law_draft, 2.0);
    }
    outcome->spread = starts > 1 ? sqrt(squares / (starts - 1)) : 0.0;
    return true;
}

static void report(Run *run, const Trial *trial, const Outcome *outcome)
{
    EarthmovingForce bare = earthmoving_force(&trial->law, &trial->soil);
    double w = trial->law.width * 1e3;
    char name[96];
    const struct {
        const char *text, *unit;
        double measured, tolerance; // 0: a note
    } rows[] = {{"draft over the law's", "", outcome->draft / outcome->law_draft, 0.08},
                {"vertical over the law's", "", outcome->vertical / outcome->law_vertical, 0.15},
                {"rupture length over the law's", "", outcome->rupture / outcome->law_rupture, 0.15},
                {"draft over the law's: standard deviation between starts", "", outcome->spread, 0.0},
                {"draft", "kN/m", outcome->draft / w, 0.0},
                {"law", "kN/m", outcome->law_draft / w, 0.0},
                {"law for a level surface", "kN/m", bare.draft / w, 0.0},
                {"peak of the draft", "kN/m", outcome->peak / w, 0.0},
                {"down", "kN/m", outcome->vertical / w, 0.0},
                {"down by the law", "kN/m", outcome->law_vertical / w, 0.0},
                {"drag of the walls", "kN/m", outcome->drag / w, 0.0},
                {"most particles", "", outcome->most, 0.0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        snprintf(name, sizeof name, "%.0f degrees, r = %g m: %s", trial->law.rake * 180.0 / M_PI, trial->radius,
                 rows[k].text);
        if (rows[k].tolerance > 0.0) {
            run_result(run, name, rows[k].unit, rows[k].measured, 1.0, rows[k].tolerance);
        } else {
            run_note(run, name, rows[k].unit, rows[k].measured);
        }
    }
}

/// One angle with the particles asked for and, unless the run is quick, with half as large ones.
static bool run_angle(Run *run, Trial *trial, double angle, int done, int all, double share)
{
    double coarse = 0.0;
    trial->law.rake = angle * M_PI / 180.0;
    for (int size = 0; size < (run_quick(run) ? 1 : 2); size++) {
        Outcome outcome;
        trial->radius = option_number(run, "radius") / (1 << size);
        if (!run_trial(run, trial, size == 0, &outcome)) {
            return false;
        }
        report(run, trial, &outcome);
        double ratio = outcome.draft / outcome.law_draft;
        if (size > 0) {
            char name[96];
            snprintf(name, sizeof name, "%.0f degrees: draft with half the particle size, over that", angle);
            run_result(run, name, "", ratio / coarse, 1.0, 0.05);
        }
        coarse = ratio;
        run_progress(run, share * (done + (size + 1.0) / 2.0) / all);
    }
    return true;
}

/// A tool of the sweep over the depth.
typedef struct Kind {
    const char *name;
    double width; ///< m, or 0: twice the depth, with free sides
    double speed; ///< m/s
} Kind;

static const Kind kinds[] = {
    {"wide, slow", 0.6, 0.1}, {"wide, fast", 0.6, 1.0}, {"narrow, slow", 0.0, 0.1}, {"narrow, fast", 0.0, 1.0}};
enum { KINDS = sizeof kinds / sizeof kinds[0], LEAST_DEPTH_CM = 10, MOST_DEPTH_CM = 30, STEP_CM = 5 };

/// Draft and vertical force of one tool over the depth, beside the law.
static bool run_kind(Run *run, Trial *trial, const char *soil, const Kind *kind)
{
    char name[128];
    snprintf(name, sizeof name, "Force against depth, %s, %s tool: %s%.1f m/s, %.0f degrees", soil, kind->name,
             kind->width > 0.0 ? "closed sides, " : "twice as wide as deep, ", kind->speed,
             trial->law.rake * 180.0 / M_PI);
    int plot = run_plot(run, name, "depth, m", "kN per m of width");
    for (int depth = LEAST_DEPTH_CM; depth <= MOST_DEPTH_CM; depth += STEP_CM) {
        Outcome outcome;
        double d = 0.01 * depth;
        trial->law.depth = d;
        trial->law.closed = kind->width > 0.0;
        trial->law.width = trial->law.closed ? kind->width : 2.0 * d;
        trial->law.speed = kind->speed;
        trial->length = option_number(run, "travel") * d;
        if (!run_trial(run, trial, false, &outcome)) {
            return false;
        }
        double per = 1e-3 / trial->law.width;
        run_point(run, plot, "draft", d, outcome.draft * per);
        run_point(run, plot, "down", d, outcome.vertical * per);
        run_point(run, plot, "law: draft", d, outcome.law_draft * per);
        run_point(run, plot, "law: down", d, outcome.law_vertical * per);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: draft over the law's", soil, kind->name, d);
        run_result(run, name, "", outcome.draft / outcome.law_draft, 1.0, 0.08);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: standard deviation between starts", soil, kind->name, d);
        run_note(run, name, "", outcome.spread);
        snprintf(name, sizeof name, "%s, %s, %.2f m deep: vertical over the law's", soil, kind->name, d);
        run_result(run, name, "", outcome.vertical / outcome.law_vertical, 1.0, 0.15);
    }
    return true;
}

/// All tools, in the soil that the user set, or in three (quick: in sand).
static bool run_depths(Run *run, double before)
{
    const char *soils[] = {option_word(run, "soil"), "loam", "clay"};
    int count = run_quick(run) || option_is_set(run, "soil") ? 1 : 3;
    Trial trial = {.radius = option_number(run, "radius")};
    trial.law.rake = option_number(run, "angle_deg") * M_PI / 180.0;
    for (int k = 0; k < count * (int)KINDS; k++) {
        const char *soil = soils[k / KINDS];
        if (!run_load_soil(run, soil, &trial.soil) || !run_kind(run, &trial, soil, &kinds[k % KINDS])) {
            return false;
        }
        run_progress(run, before + (1.0 - before) * (k + 1) / (count * (double)KINDS));
    }
    return true;
}

static bool run_angles(Run *run, double share)
{
    static const double full[SWEEP_MOST] = {30.0, 45.0, 60.0}, quick[SWEEP_MOST] = {45.0};
    double angles[SWEEP_MOST];
    option_quick(run, "width", 0.6);
    int count = packing_sweep(run, "angle_deg", full, quick, angles);
    Trial trial = {.law = {.depth = option_number(run, "depth"),
                           .width = option_number(run, "width"),
                           .speed = option_number(run, "speed"),
                           .closed = strcmp(option_word(run, "sides"), "closed") == 0}};
    trial.length = option_number(run, "travel") * trial.law.depth;
    if (!run_load_soil(run, option_word(run, "soil"), &trial.soil)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!run_angle(run, &trial, angles[k], k, count, share)) {
            return false;
        }
    }
    return true;
}

static bool run_blade(Run *run)
{
    bool one = option_is_set(run, "depth") || option_is_set(run, "width") || option_is_set(run, "speed") ||
               option_is_set(run, "sides");
    const char *sweep = option_word(run, "sweep");
    option_quick(run, "starts", 2.0);
    bool angles = strcmp(sweep, "depth") != 0, depths = strcmp(sweep, "angle") != 0 && !(angles && one);
    double share = !angles ? 0.0 : depths ? 0.7 : 1.0;
    return (!angles || run_angles(run, share)) && (!depths || run_depths(run, share));
}

static const ExperimentOption options[] = {
    {"soil", 0.0, 0.0, 0.0, "", "name of a soil file", "sand|loam|clay|gravel|topsoil|wet-clay"},
    {"angle_deg", 45.0, 20.0, 90.0, "deg", "rake of the blade from the horizontal; 90 = upright", NULL},
    {"depth", 0.2, 0.02, 0.5, "m", "of the edge below the level surface", NULL},
    {"width", 1.0, 0.1, 5.0, "m", "of the blade", NULL},
    {"speed", 0.1, 0.01, 2.0, "m/s", "", NULL},
    {"radius", 0.025, 0.01, 0.1, "m", "of a particle, also half of it in the full form; columns are two wide", NULL},
    {"travel", 2.0, 0.5, 50.0, "", "over the depth", NULL},
    {"from", 0.5, 0.0, 0.95, "", "share of the travel after which means are taken", NULL},
    {"heading", 0.0, -360.0, 360.0, "deg", "of the blade's way against the site's columns", NULL},
    {"starts", 4.0, 1.0, MOST_STARTS, "", "places where the blade begins, whose mean is taken (quick: 2)", NULL},
    {"budget", 40000.0, 100.0, 400000.0, "", "most particles", NULL},
    {"sweep", 0.0, 0.0, 0.0, "",
     "angles of one blade, or depths of wide, narrow, slow and fast ones; all: depths only if neither depth, width, "
     "speed nor sides is set",
     "all|angle|depth"},
    {"sides", 0.0, 0.0, 0.0, "", "smooth walls beside the blade, or none", "closed|free"},
    {.key = NULL},
};

const Experiment experiment_blade = {
    .name = "blade",
    .title = "a flat blade cuts level ground",
    .law =
        "Reece 1965, McKyes and Ali 1977, McKyes 1985: P = w (rho g d^2 Ng + c d Nc + ca d Nca + rho v^2 d Na), with "
        "the mass that lies ahead in place of the level wedge's",
    .options = options,
    .run = run_blade,
};
