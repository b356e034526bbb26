/// A flat blade is pushed through level ground at a constant depth; what it feels is compared with the fundamental equation of
/// earthmoving (earthmoving.h) for the soil's own strength.
///
/// The law is that of the moment when the soil ahead first fails. What has been cut by then lies on the wedge: its weight, less
/// the bank soil that it came from, is the surcharge q of the law, so that blade and law may be compared at every travel. Means are
/// taken over a window of the travel. Closed sides (smooth walls) make the wide blade of the plane law; free sides lift crescents.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/earthmoving.h"
#include "tests/validation/packing.h"
#include "tests/validation/run.h"

#define GRAVITY   9.81 ///< m/s2
#define THICKNESS 0.05 ///< m of the plate, along the motion
#define WALL      0.3 ///< m
#define BED       2.4 ///< m

enum { BLADE, LEFT, RIGHT, FRONT, BACK, TOOLS };

typedef struct Trial {
    Earthmoving law;
    SoilParams soil;
    SceneParams scene;
    double radius; ///< m of a particle
    double length; ///< m: travel
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
    int tool_count;
    double top; ///< m: level surface
    bool grains; ///< a bed of particles alone
    Soil *soil_body;
} Trial;

/// Means over the window.
typedef struct Outcome {
    double draft, vertical; ///< N
    double law_draft, law_vertical; ///< N, with the surcharge at each moment
    double rupture, law_rupture; ///< m ahead of the edge, at the surface
    int most; ///< particles
} Outcome;

static ToolPiece box_piece(double x_min, double x_max, double y_min, double y_max, double z_min, double z_max)
{
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x_min, z_min}, {x_max, z_min}, {x_max, z_max}, {x_min, z_max}},
                       .y_min = y_min,
                       .y_max = y_max};
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
    for (int k = LEFT; k < FRONT; k++) {
        double side = k == LEFT ? half : -half - WALL;
        trial->shapes[k].piece_count = 1;
        trial->shapes[k].pieces[0] = box_piece(-10.0, 10.0, side, side + WALL, -2.0, 2.0);
    }
    for (int k = FRONT; k < TOOLS; k++) {
        double end = k == FRONT ? 0.5 * BED : -0.5 * BED - WALL;
        trial->shapes[k].piece_count = 1;
        trial->shapes[k].pieces[0] = box_piece(end, end + WALL, -half - WALL, half + WALL, -2.0, 2.0);
    }
    memset(trial->tools, 0, sizeof trial->tools);
    for (int k = 0; k < TOOLS; k++) {
        trial->tools[k].shape = &trial->shapes[k];
        trial->tools[k].frame.rotation = mat3_identity();
    }
    SoilTool *tool = &trial->tools[BLADE];
    tool->frame.position = tool->center = vec3(-0.5 * trial->length, 0.0, -trial->law.depth);
    tool->velocity = vec3(trial->law.speed, 0.0, 0.0);
    tool->steel_friction = 1.0;
    tool->cuts = true;
    trial->tool_count = trial->grains ? TOOLS : trial->law.closed ? FRONT : 1;
}

static void build_scene(Run *run, Trial *trial)
{
    if (trial->grains) {
        Grains grains = packing_grains(&trial->soil, trial->radius);
        double under = 8.0 * trial->radius;
        int count = packing_count(&grains, BED * trial->law.width * (trial->law.depth + under));
        trial->scene =
            run_scene(run, &trial->soil, count, trial->law.depth + under < 1.0 ? 1.0 : trial->law.depth + under);
        packing_fit_scene(&trial->scene, &grains);
        return;
    }
    double spacing = 2.0 * trial->radius, across = trial->law.width + (trial->law.closed ? 0.4 : 3.0);
    SceneParams *scene = &trial->scene;
    *scene = run_scene(run, &trial->soil, (int)option_number(run, "budget"), 1.0);
    scene->particles.persistent = false;
    scene->soil_count = 1;
    scene->ground = (SceneGround){.size_x = spacing * ceil((trial->length + 4.0) / spacing),
                                  .size_y = spacing * ceil(across / spacing),
                                  .column_spacing = spacing,
                                  .bedrock_depth = 1.0,
                                  .layer_count = 1};
}

static void pour_bed(Run *run, Trial *trial)
{
    Grains grains = packing_grains(&trial->soil, trial->radius);
    PackingSpace space = {.length = BED, .width = trial->law.width};
    Vec3 start = trial->tools[BLADE].frame.position;
    trial->tools[BLADE].frame.position = trial->tools[BLADE].center = vec3(0, 0, 50);
    trial->tools[BLADE].velocity = vec3(0, 0, 0);
    int count = trial->scene.particles.budget;
    packing_pour(trial->soil_body, &trial->scene, trial->tools, TOOLS, &grains, &space, count, run_seed(run), 3.0);
    fprintf(stderr, "top %.3f height %.3f n %d\n", packing_top(trial->soil_body),
            packing_height(trial->soil_body, -1.0), count);
    start.z = packing_height(trial->soil_body, -1.0) - 1.0 - trial->law.depth;
    trial->top = start.z + trial->law.depth;
    start.x = -0.5 * BED + 0.35;
    trial->tools[BLADE].frame.position = trial->tools[BLADE].center = start;
    trial->tools[BLADE].velocity = vec3(trial->law.speed, 0, 0);
    trial->tools[BLADE].cuts = false;
    soil_bond(trial->soil_body);
}

/// Mass per width ahead of the blade's face and above planes through its edge, particles and ground.
static void weigh_wedges(const Trial *trial, double mass[EARTHMOVING_ANGLES])
{
    SoilParticleView p = soil_get_particles(trial->soil_body);
    SoilGridView grid = soil_get_grid(trial->soil_body);
    const Earthmoving *law = &trial->law;
    Vec3 edge = trial->tools[BLADE].frame.position;
    double lean = 1.0 / tan(law->rake), half = 0.5 * law->width, step = earthmoving_angle(1) - earthmoving_angle(0);
    memset(mass, 0, EARTHMOVING_ANGLES * sizeof *mass);
    for (int i = 0; i < p.count; i++) {
        double x = p.x[i] - edge.x, z = p.z[i] - edge.z;
        if (x > -z * lean && z > 0.0 && fabs(p.y[i]) < half) {
            int k = (int)((atan2(z, x) - earthmoving_angle(0)) / step); // the steepest plane that it lies above
            k = k < 0 ? -1 : k >= EARTHMOVING_ANGLES ? EARTHMOVING_ANGLES - 1 : k;
            mass[k < 0 ? 0 : k] += k < 0 ? 0.0 : p.mass[i] * SOIL_QUANTUM / law->width;
        }
    }
    for (int k = EARTHMOVING_ANGLES - 2; k >= 0; k--) {
        mass[k] += mass[k + 1];
    }
    for (int n = 0; n < grid.rows * grid.columns; n++) {
        double x = grid.origin_x + n % grid.columns * grid.spacing - edge.x, z = (double)grid.height[n] - edge.z;
        if (x <= 0.0 || fabs(grid.origin_y + (double)(n / grid.columns) * grid.spacing) >= half) {
            continue;
        }
        for (int k = 0; k < EARTHMOVING_ANGLES && z > x * tan(earthmoving_angle(k)); k++) {
            mass[k] += (z - x * tan(earthmoving_angle(k))) * grid.spacing * grid.spacing * trial->soil.bank_density /
                       law->width;
        }
    }
}

/// How far ahead of where the blade meets it the old surface moves along: the farthest particle of a layer of two diameters below it that has more than about half
/// of the speed of the wedge, but for the farthest hundredth.
static double rupture_length(const Trial *trial)
{
    enum { BINS = 200 };
    const double bin = 0.01;
    SoilParticleView p = soil_get_particles(trial->soil_body);
    double edge = trial->tools[BLADE].frame.position.x, count[BINS] = {0}, total = 0.0, seen = 0.0;
    for (int i = 0; i < p.count; i++) {
        double speed = sqrt(p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
        int at = (int)((p.x[i] - edge) / bin);
        if (at >= 0 && at < BINS && p.z[i] - trial->top > -4.0 * trial->radius &&
            p.z[i] - trial->top < -trial->radius && fabs(p.y[i]) < 0.25 * trial->law.width &&
            speed > 0.35 * trial->law.speed) {
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

static void add_tick(Trial *trial, const SoilWrench *wrench, double share, Outcome *outcome, Run *run, int plot,
                     double travel)
{
    Earthmoving law = trial->law;
    double mass[EARTHMOVING_ANGLES];
    weigh_wedges(trial, mass);
    law.mass = mass;
    EarthmovingForce force = earthmoving_force(&law, &trial->soil);
    double per = 1e-3 / trial->law.width;
    run_point(run, plot, "draft", travel, -wrench->force.x * per);
    run_point(run, plot, "down", travel, -wrench->force.z * per);
    run_point(run, plot, "law: draft", travel, force.draft * per);
    run_point(run, plot, "law: down", travel, force.vertical * per);
    outcome->draft -= share * wrench->force.x;
    outcome->vertical -= share * wrench->force.z;
    outcome->law_draft += share * force.draft;
    outcome->law_vertical += share * force.vertical;
    outcome->law_rupture += share * force.rupture_length;
    outcome->rupture += share * rupture_length(trial);
}

static bool run_trial(Run *run, Trial *trial, Outcome *outcome)
{
    const double dt = 1.0 / 60.0;
    memset(outcome, 0, sizeof *outcome);
    build_scene(run, trial);
    build_tools(trial);
    trial->soil_body = run_create_soil(run, &trial->scene);
    if (trial->soil_body == NULL) {
        return false;
    }
    if (trial->grains) {
        pour_bed(run, trial);
    }
    int plot = run_plot(run, "a blade through level ground", "travel, m", "kN per m of width");
    int ticks = (int)(trial->length / (trial->law.speed * dt));
    int first = (int)(ticks * option_number(run, "from")), counted = ticks - first;
    for (int tick = 0; tick < ticks; tick++) {
        SoilWrench mean[TOOLS];
        run_tick(trial->soil_body, &trial->scene, trial->tools, trial->tool_count, mean);
        Outcome unused = {0};
        add_tick(trial, &mean[BLADE], 1.0 / counted, tick >= first ? outcome : &unused, run, plot,
                 tick * dt * trial->law.speed);
        int count = soil_get_counters(trial->soil_body).particles;
        outcome->most = count > outcome->most ? count : outcome->most;
        run_progress(run, (tick + 1.0) / ticks);
    }
    soil_destroy(trial->soil_body);
    return true;
}

static bool run_blade(Run *run)
{
    Trial trial = {.radius = option_number(run, "radius"), .length = option_number(run, "travel")};
    if (!run_load_soil(run, option_word(run, "soil"), &trial.soil)) {
        return false;
    }
    trial.law = (Earthmoving){.rake = option_number(run, "angle_deg") * M_PI / 180.0,
                              .depth = option_number(run, "depth"),
                              .width = option_number(run, "width"),
                              .speed = option_number(run, "speed"),
                              .closed = strcmp(option_word(run, "sides"), "closed") == 0};
    trial.grains = strcmp(option_word(run, "bed"), "grains") == 0;
    Outcome outcome;
    if (!run_trial(run, &trial, &outcome)) {
        return false;
    }
    EarthmovingForce bare = earthmoving_force(&trial.law, &trial.soil);
    double w = trial.law.width * 1e3;
    run_result(run, "draft over the law's", "", outcome.draft / outcome.law_draft, 1.0, 0.08);
    run_result(run, "vertical over the law's", "", outcome.vertical / outcome.law_vertical, 1.0, 0.15);
    run_result(run, "rupture length over the law's", "", outcome.rupture / outcome.law_rupture, 1.0, 0.15);
    run_note(run, "draft", "kN/m", outcome.draft / w);
    run_note(run, "law, with what has heaped up", "kN/m", outcome.law_draft / w);
    run_note(run, "law, level surface", "kN/m", bare.draft / w);
    run_note(run, "down", "kN/m", outcome.vertical / w);
    run_note(run, "down by the law", "kN/m", outcome.law_vertical / w);
    run_note(run, "most particles", "", outcome.most);
    return true;
}

static const ExperimentOption options[] = {
    {"soil", 0.0, 0.0, 0.0, "", "name of a soil file", "loam|sand|clay|gravel|topsoil|wet-clay"},
    {"angle_deg", 45.0, 20.0, 90.0, "deg", "rake of the blade from the horizontal; 90 = upright", NULL},
    {"depth", 0.2, 0.02, 0.5, "m", "of the edge below the level surface", NULL},
    {"width", 1.0, 0.1, 5.0, "m", "of the blade", NULL},
    {"speed", 0.1, 0.01, 2.0, "m/s", "", NULL},
    {"radius", 0.05, 0.01, 0.1, "m", "of a particle; the columns are two wide", NULL},
    {"travel", 0.6, 0.05, 10.0, "m", "", NULL},
    {"from", 0.5, 0.0, 0.95, "", "share of the travel after which means are taken", NULL},
    {"budget", 40000.0, 100.0, 400000.0, "", "most particles", NULL},
    {"bed", 0.0, 0.0, 0.0, "", "ground that turns into particles, or a bed of grains alone", "ground|grains"},
    {"sides", 0.0, 0.0, 0.0, "", "smooth walls beside the blade, or none", "closed|free"},
    {.key = NULL},
};

const Experiment experiment_blade = {
    .name = "blade",
    .title = "a flat blade cuts level ground",
    .law = "Reece 1965, McKyes and Ali 1977: P = w (rho g d^2 Ng + c d Nc + q d Nq + ca d Nca)",
    .options = options,
    .run = run_blade,
};
