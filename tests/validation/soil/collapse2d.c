/// A column of grains between two smooth walls; the gate vanishes and it runs out along a channel.
///
/// h0, L0: height and length of the column, a = h0 / L0; L: where the deposit ends, from the wall behind the column.
/// (L - L0) / L0 is proportional to a up to a = 2 to 3 and to a^(2/3) above: 1.2 a and 1.9 a^(2/3) of Lube, Huppert,
/// Sparks, Freundt 2005 (Phys. Rev. E 72), a and a^(2/3) of Lajeunesse, Monnier, Homsy 2005 (Phys. Fluids 17); the
/// slope depends on the grains, 1.2 to 1.8 (Balmforth and Kerswell 2005, J. Fluid Mech. 538), the exponent does not.
/// Grains that lie alone beyond the deposit are left out (packing_front()).
///
/// Friction on the side walls matters: Balmforth and Kerswell found exponents of 0.9 +- 0.1 in wide channels and 0.65
/// +- 0.05 in narrow ones. The walls are smooth here unless `side_friction` is set: a wide channel.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/packing.h"
#include "tests/validation/rigs/soil/vessel.h"

#define THICK  0.3 ///< m: of plates and walls
#define LINEAR 2.3 ///< columns up to this aspect ratio show the slope (one of 2 settles a little higher)
#define TALL   2.8 ///< columns from this one on show the exponent

/// Base, the two side walls, the wall behind; the gate is the last one, so that it can be left out.
enum { BASE, SIDES, BACK, GATE, TOOLS };

typedef struct Channel {
    double aspect; ///< asked for
    Runout runout; ///< L0 and h0, width between the side walls, L at the end
    ToolShape shapes[TOOLS];
    SoilTool tools[TOOLS];
} Channel;

static void build_channel(Channel *channel, double base_friction, double side_friction)
{
    double l = channel->runout.start, w = 0.5 * channel->runout.width, height = 6.0 * channel->aspect * l + 2.0;
    double end = l * (2.0 + 6.0 * channel->aspect) + 2.0;
    memset(channel->shapes, 0, sizeof channel->shapes);
    vessel_add_box(&channel->shapes[BASE], vec3(-THICK, -w - THICK, -THICK), vec3(end, w + THICK, 0.0));
    vessel_add_box(&channel->shapes[SIDES], vec3(-THICK, w, -THICK), vec3(end, w + THICK, height));
    vessel_add_box(&channel->shapes[SIDES], vec3(-THICK, -w - THICK, -THICK), vec3(end, -w, height));
    vessel_add_box(&channel->shapes[BACK], vec3(-THICK, -w, 0.0), vec3(0.0, w, height));
    vessel_add_box(&channel->shapes[GATE], vec3(l, -w, 0.0), vec3(l + THICK, w, height));
    const double friction[TOOLS] = {base_friction, side_friction, 1.0, 1.0};
    for (int k = 0; k < TOOLS; k++) {
        channel->tools[k] = vessel_tool(&channel->shapes[k], vec3(0, 0, 0), friction[k]);
    }
}

static bool run_channel(Run *run, const SoilParams *sand, Channel *channel, int plot)
{
    Grains grains = packing_grains(sand, option_number(run, "radius"));
    channel->runout.start = option_number(run, "length_ratio") * 2.0 * grains.radius;
    channel->runout.width = option_number(run, "width_ratio") * 2.0 * grains.radius;
    double height = channel->aspect * channel->runout.start;
    int count = packing_count(&grains, channel->runout.start * channel->runout.width * height);
    SceneParams scene = run_scene(run, sand, count, 1.0);
    packing_fit_scene(&scene, &grains);
    Soil *soil = run_create_soil(run, &scene);
    if (soil == NULL) {
        return false;
    }
    build_channel(channel, option_number(run, "base_friction"), option_number(run, "side_friction"));
    PackingSpace space = {
        .x = 0.5 * channel->runout.start, .length = channel->runout.start, .width = channel->runout.width};
    packing_pour(soil, &scene, channel->tools, TOOLS, &grains, &space, count, run_seed(run), 3.0);
    channel->runout.height = packing_height(soil, 0.0);
    packing_run_out(run, soil, &scene, channel->tools, GATE, &grains, plot, &channel->runout);
    soil_destroy(soil);
    return true;
}

/// The two fits: through the origin below LINEAR, a power above TALL (least squares of the logarithms).
typedef struct Fits {
    double below_xy, below_xx;
    int tall;
    double x, y, xx, xy;
} Fits;

static void add_to_fits(Fits *fits, double aspect, double runout)
{
    if (aspect <= LINEAR) {
        fits->below_xy += aspect * runout;
        fits->below_xx += aspect * aspect;
    } else if (aspect >= TALL && runout > 0.0) {
        double x = log(aspect), y = log(runout);
        fits->tall++;
        fits->x += x;
        fits->y += y;
        fits->xx += x * x;
        fits->xy += x * y;
    }
}

static void report_fits(Run *run, const Fits *fits, int plot, double highest)
{
    if (fits->below_xx > 0.0) {
        run_result_between(run, "slope of (L - L0)/L0 over a, a up to 2", "", fits->below_xy / fits->below_xx, 1.2,
                           1.8);
    }
    if (fits->tall >= 2) {
        double spread = fits->tall * fits->xx - fits->x * fits->x;
        double exponent = (fits->tall * fits->xy - fits->x * fits->y) / spread;
        run_result(run, "exponent of a in tall columns", "", exponent, 0.67, 0.05);
        run_note(run, "factor of a^(2/3) in tall columns", "",
                 exp(fits->y / fits->tall - 2.0 / 3.0 * fits->x / fits->tall));
    }
    for (int k = 1; k <= 60; k++) {
        double a = highest * k / 60.0;
        run_point(run, plot, "law: Lube 2005", a, a < 1.8 ? 1.2 * a : 1.9 * pow(a, 2.0 / 3.0));
    }
}

static void report_channel(Run *run, const Channel *channel, int plot, Fits *fits)
{
    char name[64];
    double aspect = channel->runout.height / channel->runout.start;
    double runout = (channel->runout.front - channel->runout.start) / channel->runout.start;
    snprintf(name, sizeof name, "a as it settled, %g asked", channel->aspect);
    run_note(run, name, "", aspect);
    snprintf(name, sizeof name, "run-out (L - L0)/L0, a = %g asked", channel->aspect);
    run_note(run, name, "", runout);
    snprintf(name, sizeof name, "front stops after, over sqrt(h0/g), a = %g asked", channel->aspect);
    run_note(run, name, "", channel->runout.stop / sqrt(channel->runout.height / STANDARD_GRAVITY));
    run_point(run, plot, "measured", aspect, runout);
    add_to_fits(fits, aspect, runout);
}

static bool run_collapse2d(Run *run)
{
    static const double full[] = {0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.5, 8.0, 10.0, 0.0},
                        quick[] = {0.7, 1.5, 3.0, 6.0, 0.0};
    double aspects[SWEEP_MOST] = {0.0};
    option_quick(run, "length_ratio", 12.0);
    option_quick(run, "width_ratio", 5.0);
    int count = packing_sweep(run, "aspect", full, quick, aspects);
    SoilParams sand;
    if (!packing_load_sand(run, &sand)) {
        return false;
    }
    int runouts = run_plot(run, "Run-out along a channel", "a = h0 / L0", "(L - L0) / L0");
    int fronts = run_plot(run, "Front after the gate vanished", "t / sqrt(h0 / g)", "(l - L0) / L0");
    Fits fits = {0};
    double work = 0.0, done = 0.0;
    for (int k = 0; k < count; k++) {
        work += aspects[k] * sqrt(aspects[k]);
    }
    for (int k = 0; k < count; k++) {
        Channel channel = {.aspect = aspects[k]};
        if (!run_channel(run, &sand, &channel, fronts)) {
            return false;
        }
        report_channel(run, &channel, runouts, &fits);
        done += aspects[k] * sqrt(aspects[k]);
        run_progress(run, done / work);
    }
    report_fits(run, &fits, runouts, fmax(1.1 * aspects[count - 1], 2.0));
    return true;
}

static const ExperimentOption options[] = {
    {"aspect", 1.0, 0.2, 30.0, "", "h0 / L0 of one column instead of the sweep from 0.5 to 10", NULL},
    {"length_ratio", 20.0, 4.0, 60.0, "", "L0 over the grains' mean diameter", NULL},
    {"width_ratio", 8.0, 2.0, 40.0, "", "width of the channel over the grains' mean diameter", NULL},
    {"friction", OF_THE_FILE, 0.0, 2.0, "", "contact friction of the grains", NULL},
    {"side_friction", 0.0, 0.0, 10.0, "", "friction on the side walls over that of the soil on steel", NULL},
    {"base_friction", 1.0, 0.0, 10.0, "", "friction on the base over that of the soil on steel", NULL},
    {"radius", 0.05, 0.01, 0.2, "m", "mean radius of the grains", NULL},
    {.key = NULL},
};

const Experiment experiment_collapse2d = {
    .name = "collapse2d",
    .title = "a column of grains collapses along a channel",
    .law = "Lube et al. 2005, Lajeunesse et al. 2005: a to a = 2..3 (slope 1.2-1.8), then a^(2/3)",
    .options = options,
    .run = run_collapse2d,
};
