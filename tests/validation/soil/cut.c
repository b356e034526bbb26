/// Experiment 11, `cut`: how high a face of soil stands.
///
/// Culmann 1875: a face of inclination i, in soil with cohesion c, friction angle phi and density rho, fails along a
/// plane at (i + phi) / 2 when it is higher than
///   Hc = 4 c sin(i) cos(phi) / (rho g (1 - cos(i - phi))).
/// Where cracks open behind the crest a vertical face fails from 0.67 Hc on (Terzaghi 1943). Wanted: stands at 0.90 Hc
/// for a minute, has failed by 1.05 Hc. c, phi and rho are those of the soil's file.
///
/// Ground alone: a face from end to end of a level site. In front of it the ground is taken away down to 0.90 Hc, and,
/// after the minute, 0.005 Hc deeper at a time until the face falls; then the fall is watched. Particles alone:
/// cut_block.c.
#include "tests/validation/rigs/soil/cut_block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/vessel.h"

#define DEGREE (M_PI / 180.0)
#define WIDTH  10.0 ///< m: of the face
#define WALL   1.0 ///< m: thickness
#define DEEPER 0.005 ///< of the critical height, each time
#define FALL   8.0 ///< times the root of height over gravity: s that a fall is watched

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "file of data/soils; both: loam and clay",
     "both|loam|clay|topsoil|wet-clay|hard-clay|" OTHER_SOIL},
    {"form", 0, 0, 0, "", "what the face is made of", "both|ground|particles"},
    {"height", 0, 0, 16, "m", "of the face, which is only watched then; 0: looks for the height at which it fails",
     NULL},
    {"angle_deg", 90, 20, 90, "degrees", "of the face against the horizontal", NULL},
    {"radius", 0, 0, 0.25, "m",
     "of the particles (half the columns' spacing); 0: faces 24 and 36 particles high, in the quick form 16", NULL},
    {"blocks", 4, 1, 50, "", "of particles, whose mean is taken (quick: 2)", NULL},
    {"hold", 60, 0.5, 600, "s", "that the face has to stand", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

double cut_critical_height(const SoilParams *soil, double angle, double density)
{
    double phi = soil->friction_angle;
    return 4.0 * soil->cohesion * sin(angle) * cos(phi) / (density * STANDARD_GRAVITY * (1.0 - cos(angle - phi)));
}

double cut_plane_angle(const SoilParams *soil, double angle)
{
    return 0.5 * (angle + soil->friction_angle);
}

typedef struct Site {
    SceneParams scene;
    Soil *soil;
    ToolShape walls; ///< smooth, at the ends of the face and where spoil would leave the site
    SoilTool tool;
    double foot; ///< m: x of the face's foot
    double tangent; ///< of the face
    int64_t total; ///< quanta
} Site;

/// The walls stand so far out that no particle of the outermost columns begins in one.
static void build_walls(Site *site)
{
    const SceneGround *ground = &site->scene.ground;
    double x = 0.5 * ground->size_x, y = 0.5 * ground->size_y + 0.25 * ground->column_spacing, high = 2.0;
    double low = -ground->bedrock_depth;
    vessel_add_box(&site->walls, vec3(-x - WALL, y, low), vec3(x, y + WALL, high));
    vessel_add_box(&site->walls, vec3(-x - WALL, -y - WALL, low), vec3(x, -y, high));
    vessel_add_box(&site->walls, vec3(-x - WALL, -y, low), vec3(-x, y, high));
    site->tool = vessel_tool(&site->walls, vec3(0.0, 0.0, 0.0), 0.0);
}

/// As long as the wedge behind the crest and the spoil before the foot need; the face runs along y from end to end.
static bool create_site(Run *run, const Cut *cut, double highest, Site *site)
{
    memset(site, 0, sizeof *site);
    double run_up = highest / tan(cut_plane_angle(cut->soil, cut->angle)), behind = run_up + 2.0;
    double spacing = fmin(fmax(2.0 * cut->radius, 0.05), 0.5);
    double wedge = 0.5 * highest * (run_up - highest / tan(cut->angle)) * WIDTH;
    site->tangent = tan(cut->angle);
    site->scene = run_scene(run, cut->soil, 100, 1.0);
    site->scene.particles.persistent = false;
    site->scene.particles.budget = (int)fmin(4e5, 1000.0 + 1.2 * sqrt(2.0) * wedge / pow(spacing, 3.0));
    site->scene.soil_count = 1;
    site->scene.ground = (SceneGround){.size_x = fmax(10.0, 2.0 * behind + 2.0 * highest),
                                       .size_y = WIDTH,
                                       .column_spacing = spacing,
                                       .bedrock_depth = fmin(20.0, ceil(highest) + 1.0),
                                       .layer_count = 1};
    if (site->scene.ground.size_x > 200.0 || highest > 19.0) {
        run_fail(run, "a face of %.3g m at %.3g degrees does not fit on a site (19 m deep and 200 m long at most)",
                 highest, cut->angle / DEGREE);
        return false;
    }
    build_walls(site);
    site->soil = run_create_soil(run, &site->scene);
    return site->soil != NULL;
}

/// Takes the ground away in front of a face of a height.
static void dig(Site *site, double height)
{
    SoilGridView grid = soil_get_grid(site->soil);
    for (int row = 0; row < grid.rows; row++) {
        for (int column = 0; column < grid.columns; column++) {
            double x = grid.origin_x + column * grid.spacing, y = grid.origin_y + row * grid.spacing;
            double surface = x < site->foot ? -height : -height + (x - site->foot) * site->tangent;
            if (surface < 0.0) {
                soil_remove_ground(site->soil, x, y, surface);
            }
        }
    }
    site->total = soil_get_ledger(site->soil).total;
}

/// Highest place of ground and particles, m.
static double highest_place(const Soil *soil)
{
    SoilGridView grid = soil_get_grid(soil);
    SoilParticleView p = soil_get_particles(soil);
    double top = -HUGE_VAL;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        top = fmax(top, (double)grid.height[k]);
    }
    for (int k = 0; k < p.count; k++) {
        top = fmax(top, p.z[k]);
    }
    return top;
}

static bool has_failed(const Site *site)
{
    return soil_get_counters(site->soil).particles > 0;
}

/// Ticks until the face fails, `seconds` at most. True when it has failed.
static bool watch(Site *site, double seconds)
{
    for (int k = 0; k < (int)(seconds * 60.0 + 0.5) && !has_failed(site); k++) {
        run_tick(site->soil, &site->scene, &site->tool, 1, NULL);
    }
    return has_failed(site);
}

/// What falls: its mass, how fast it gets, how high it lies at the end.
static void watch_fall(Run *run, const Cut *cut, Site *site, double height, int plot)
{
    char text[160];
    double tan_plane = tan(cut_plane_angle(cut->soil, cut->angle));
    double wedge = 0.5 * cut->soil->bank_density * height * height * (1.0 / tan_plane - 1.0 / site->tangent);
    SoilLedger ledger = soil_get_ledger(site->soil);
    snprintf(text, sizeof text, "%s: mass that falls / Culmann's wedge", cut->label);
    run_note(run, text, "", (double)ledger.particles * SOIL_QUANTUM / (wedge * site->scene.ground.size_y));
    double fastest = 0.0, top = 0.0, seconds = FALL * sqrt(height / STANDARD_GRAVITY);
    for (int k = 0; k < (int)(60.0 * seconds); k++) {
        run_tick(site->soil, &site->scene, &site->tool, 1, NULL);
        SoilParticleView p = soil_get_particles(site->soil);
        for (int i = 0; i < p.count; i++) {
            fastest = fmax(fastest, p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i]);
        }
        top = fmax(top, highest_place(site->soil));
    }
    snprintf(text, sizeof text, "%s: highest speed / sqrt(2 g H)", cut->label);
    run_result_between(run, text, "", sqrt(fastest / (2.0 * STANDARD_GRAVITY * height)), 0.0, 1.0);
    snprintf(text, sizeof text, "%s: highest place over the old surface", cut->label);
    run_result_between(run, text, "m", fmax(top, 0.0), 0.0, 0.5 * site->scene.ground.column_spacing);
    snprintf(text, sizeof text, "%s: mass gained", cut->label);
    run_result(run, text, "kg", (double)(soil_get_ledger(site->soil).total - site->total) * SOIL_QUANTUM, 0.0, 0.0);
    SoilGridView grid = soil_get_grid(site->soil);
    const float *section = grid.height + (grid.rows / 2) * grid.columns;
    for (int k = 0; k < grid.columns; k++) {
        run_point(run, plot, cut->label, (grid.origin_x + k * grid.spacing - site->foot) / height,
                  1.0 + (double)section[k] / height);
    }
}

/// One height that the user asks for.
static void watch_height(Run *run, const Cut *cut, Site *site, double critical, int plot)
{
    char text[160];
    double ratio = cut->height / critical;
    dig(site, cut->height);
    bool failed = watch(site, cut->hold);
    snprintf(text, sizeof text, "%s: height / Hc", cut->label);
    run_note(run, text, "", ratio);
    snprintf(text, sizeof text, "%s: has failed (1) or stands (0)", cut->label);
    if (ratio <= CUT_HOLD || ratio >= CUT_FAIL) {
        run_result(run, text, "", failed, ratio >= CUT_FAIL, 0.0);
    } else {
        run_note(run, text, "", failed);
    }
    if (failed) {
        watch_fall(run, cut, site, cut->height, plot);
    }
}

static bool test_ground(Run *run, const Cut *cut, int plot)
{
    char text[160];
    double critical = cut_critical_height(cut->soil, cut->angle, cut->soil->bank_density), ratio = CUT_HOLD;
    Site site;
    if (!create_site(run, cut, cut->height > 0.0 ? cut->height : critical * 1.1, &site)) {
        return false;
    }
    if (cut->height > 0.0) {
        watch_height(run, cut, &site, critical, plot);
        soil_destroy(site.soil);
        return true;
    }
    dig(&site, ratio * critical);
    bool failed = watch(&site, cut->hold);
    snprintf(text, sizeof text, "%s: stands at 0.90 Hc (1)", cut->label);
    run_result(run, text, "", !failed, 1.0, 0.0);
    while (!failed && ratio < CUT_TRIED) {
        ratio += DEEPER;
        dig(&site, ratio * critical);
        failed = watch(&site, 0.2);
    }
    snprintf(text, sizeof text, "%s: height at which it fails / Hc", cut->label);
    run_result_between(run, text, "", failed ? ratio : CUT_TRIED, CUT_HOLD, CUT_FAIL);
    if (failed) {
        watch_fall(run, cut, &site, ratio * critical, plot);
    }
    soil_destroy(site.soil);
    return true;
}

static bool test_soil(Run *run, const char *name, int plots[2], double share)
{
    static const char *const forms[2] = {"ground", "particles"};
    const char *form = option_word(run, "form");
    SoilParams soil;
    if (!run_load_soil(run, name, &soil)) {
        return false;
    }
    Cut cut = {.soil = &soil,
               .angle = option_number(run, "angle_deg") * DEGREE,
               .height = option_number(run, "height"),
               .hold = option_number(run, "hold")};
    if (!option_whole(run, "blocks", &cut.blocks)) {
        return false;
    }
    if (cut.angle < soil.friction_angle + 10.0 * DEGREE) {
        run_fail(run, "--set angle_deg=%g: at least 10 degrees above the friction angle of %s (%.3g) are expected",
                 option_number(run, "angle_deg"), name, soil.friction_angle / DEGREE);
        return false;
    }
    double highest = cut.height > 0.0 ? cut.height : cut_critical_height(&soil, cut.angle, soil.bank_density);
    int sizes = run_quick(run) || option_is_set(run, "radius") ? 1 : 2;
    for (int k = 0; k < 2 * sizes; k++) {
        if (strcmp(form, "both") != 0 && strcmp(form, forms[k % 2]) != 0) {
            continue;
        }
        double grains = run_quick(run) ? 16.0 : k < 2 ? 24.0 : 36.0; // that the face is high
        cut.radius = option_number(run, "radius") > 0.0 ? option_number(run, "radius") : 0.5 * highest / grains;
        cut.radius = fmin(fmax(cut.radius, 0.025), 0.25);
        snprintf(cut.label, sizeof cut.label, "%s, %s, r = %.3g m", name, forms[k % 2], cut.radius);
        if (!(k % 2 == 0 ? test_ground(run, &cut, plots[0]) : cut_test_block(run, &cut, plots[1]))) {
            return false;
        }
        run_progress(run, share + 0.5 * (k + 1.0) / (2.0 * sizes));
    }
    return true;
}

static bool run_cut(Run *run)
{
    const char *name = option_word(run, "soil");
    option_quick(run, "hold", 20.0);
    option_quick(run, "blocks", 2.0);
    bool both = strcmp(name, "both") == 0;
    int plots[2] = {run_plot(run, "Ground: section after the fall", "distance from the foot / H", "height / H"),
                    run_plot(run, "Particles: share of Culmann's wedge that has moved by a grain",
                             "weight / critical weight", "mass / wedge")};
    return test_soil(run, both ? "loam" : name, plots, 0.0) && (!both || test_soil(run, "clay", plots, 0.5));
}

const Experiment experiment_cut = {
    .name = "cut",
    .title = "how high a face of soil stands, as ground and as bonded particles",
    .law = "Culmann's height of a face, with cohesion, friction angle and density of the soil's file",
    .options = options,
    .run = run_cut,
};
