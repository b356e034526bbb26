/// Experiment 16, `slot`: the shipped bucket digs a slot, pass by pass in its own plane, and empties itself far beside.
///
/// In soil that stands (Culmann's height of the loam is 2.3 m, of the clay 6.9 m), a tool with side plates leaves the
/// hole that it swept:
/// - dug outside the swept section is at most 4 % of it;
/// - no wall stands farther from the side plate than a column's width (0.1 m) over nine tenths of its height, and none
///   leans by more than 5 degrees (slot_section.h says how a wall of columns is measured);
/// - no fin is left that is thinner than 0.2 m and stands more than 0.2 m out.
/// Sand takes its angle of repose, within 2 degrees, and no pass asks there for more than the bucket's machine pulls.
/// Nothing is lost on any tick, and few particles live at once.
///
/// A pass enters at 56 degrees (steeper an edge is pressed in and does not cut), drags level while the bucket curls,
/// curls on and rises along the near end, is carried 6 m to the side at the least jerk, dumped, and comes back. Each
/// pass is `cut` deeper than the last one; the last one is drawn along the bottom once more. Sand runs in from the
/// sides between two passes: there each takes from what lies in the slot as much as fills the bucket.
///
/// Who dug where it should not is told by the soil's account (soil_keep_account): intact ground that each cause took,
/// and what of it came back, in bands beside the slot and at its ends.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/harness/experiments.h"
#include "tests/validation/rigs/soil/digging.h"
#include "tests/validation/soil/slot_section.h"

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "which soil is dug: three one after the other, or one", "all|loam|clay|sand|" OTHER_SOIL},
    {"length", 4.0, 1.5, 8.0, "m", "of the slot at the surface, along the edge's level ways (quick: 2)", NULL},
    {"depth", 1.5, 0.15, 3.0, "m", "of the slot (quick: 0.6)", NULL},
    {"cut", 0.15, 0.05, 0.4, "m", "depth of a pass", NULL},
    {"bite", 0.2, 0.1, 3.0, "m",
     "most that the edge goes below what lies in the slot; if not set: in sand what fills the bucket", NULL},
    {"offset", 0.0, -0.1, 0.1, "m", "of the bucket's middle from the middle of a column; if not set: by the seed",
     NULL},
    {"radius", 0.05, 0.03, 0.1, "m", "radius of the particles", NULL},
    {"attachment", 0, 0, 0, "", "which bucket digs (data/attachments)", "own|grading-bucket-1800|trenching-bucket-600"},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

enum { KNOTS = 12, SOILS = 3, BANDS = 6, PHASES = 4, PULL_TICKS = 30 };

#define ENTRY_PITCH  (-50.0 * M_PI / 180.0) ///< rad: while it enters its back stays inside of the far end
#define END_PITCH    (-100.0 * M_PI / 180.0) ///< rad: at the end of the level way
#define ENTRY_SLOPE  1.5 ///< m down a metre ahead
#define CLEARANCE    0.4 ///< m of the edge over the surface before it enters
#define ASIDE        6.0 ///< m: from the slot's axis to where it is dumped
#define ACCELERATION 2.5 ///< m/s2, most of the bucket on its way: what lies at its angle of repose must not run out
#define DRAG_SPEED   0.8 ///< m/s, mean along the level way
#define FIN          0.2 ///< m: thinner fins do not stand, and lower ones are none
#define STICK_FORCE  106.7e3 ///< N: what the bucket's own machine pulls at its lip (ISO 6015; rigs/machine/published.c)
#define LEAST        5e-3 ///< m3: less is not told in the account

typedef struct Slot {
    const char *name;
    double length, depth, cut, bite, radius; ///< m
    double y; ///< m: the bucket's plane
    double start; ///< m: x where the first pass enters
    SceneParams scene;
    ToolShape shape;
    SoilTool bucket;
    Soil *soil;
    SlotSweep sweep;
    Vec3 pin; ///< m: where the bucket is
    double pitch; ///< rad
    int64_t total, most_wrong; ///< quanta: in the beginning, and the largest difference since
    int peak, passes; ///< most particles at once; passes so far
    double pull[PULL_TICKS]; ///< N, along the slot: of the last ticks
    double most_pull; ///< N: largest mean of them
    int ticks;
    double carried; ///< kg: sum of the payloads that reached the dump
} Slot;

/// A place in the bucket's way: of its pin, or where `edge`, of its cutting edge.
typedef struct Place {
    Vec3 at; ///< m
    double pitch; ///< rad
    bool edge;
} Place;

static void watch(Slot *slot, const SiteWay *way, double time)
{
    SoilTool bucket = slot->bucket;
    for (int k = 0; k < 8; k++) {
        site_place(&bucket, way, time + k / 480.0);
        slot_sweep_note(&slot->sweep, &bucket);
    }
    int particles = soil_get_counters(slot->soil).particles;
    int64_t wrong = llabs(soil_get_ledger(slot->soil).total - slot->total);
    slot->peak = particles > slot->peak ? particles : slot->peak;
    slot->most_wrong = wrong > slot->most_wrong ? wrong : slot->most_wrong;
}

/// Notes what the soil holds the bucket back with, N, for the mean over half a second.
static void note_pull(Slot *slot, double force)
{
    double sum = 0.0;
    slot->pull[slot->ticks++ % PULL_TICKS] = force;
    for (int k = 0; k < PULL_TICKS; k++) {
        sum += slot->pull[k] / PULL_TICKS;
    }
    slot->most_pull = fmax(slot->most_pull, sum);
}

/// Moves the bucket to a place with a smooth start and stop: pin or edge on a straight line, the pitch turning evenly.
static void go(Slot *slot, double seconds, Place to)
{
    SiteWay way = {.even = true};
    Vec3 edge = vec3(slot->shape.edge[0] * cos(slot->pitch) - slot->shape.edge[1] * sin(slot->pitch), 0.0,
                     slot->shape.edge[0] * sin(slot->pitch) + slot->shape.edge[1] * cos(slot->pitch));
    Vec3 from = to.edge ? vec3_add(slot->pin, edge) : slot->pin;
    for (int k = 0; k <= KNOTS; k++) {
        double s = (double)k / KNOTS, share = s * s * s * (10.0 + s * (6.0 * s - 15.0)); // least jerk
        Vec3 at = vec3_madd(from, share, vec3_sub(to.at, from));
        double pitch = slot->pitch + share * (to.pitch - slot->pitch), step = k > 0 ? seconds / KNOTS : 0.0;
        if (to.edge) {
            site_go_edge(&way, step, &slot->shape, at, pitch, 0.0);
        } else {
            site_go(&way, step, at, pitch, 0.0);
        }
    }
    int ticks = (int)ceil(60.0 * seconds);
    for (int k = 0; k < ticks; k++) {
        Wrench wrench;
        site_tick(slot->soil, &slot->scene, &slot->bucket, &way, 1, k / 60.0, &wrench);
        watch(slot, &way, k / 60.0);
        note_pull(slot, wrench.force.x);
    }
    slot->pin = way.knots[way.count - 1].at;
    slot->pitch = to.pitch;
}

/// s that the pin takes for a way: least jerk accelerates by 10 / sqrt(3) L / T^2 at most.
static double travel_time(Vec3 from, Vec3 to)
{
    return fmax(1.0, sqrt(10.0 / sqrt(3.0) * vec3_length(vec3_sub(to, from)) / ACCELERATION));
}

/// Highest ground within 2 m of a place.
static double highest_near(const Soil *soil, double x, double y)
{
    double top = 0.0;
    for (int k = 0; k < 400; k++) {
        top = fmax(top, soil_get_height(soil, x - 2.0 + 0.2 * (k % 20), y - 2.0 + 0.2 * (k / 20)));
    }
    return top;
}

/// Carries the load to the dump, where the passes make a windrow, empties the bucket and rises.
static void dump(Slot *slot)
{
    double x = slot->start - slot->length * (0.2 + 0.3 * (slot->passes % 3)), y = slot->y + ASIDE;
    Vec3 over = vec3(x, y, highest_near(slot->soil, x, y) + slot->shape.edge[0] + 0.5);
    go(slot, travel_time(slot->pin, over), (Place){over, DIGGING_CURLED, false});
    double payload = soil_get_payload(slot->soil, &slot->bucket, NULL);
    go(slot, 1.5, (Place){over, DIGGING_DUMPED, false});
    go(slot, 1.0, (Place){over, DIGGING_DUMPED, false});
    slot->carried += payload;
}

/// One pass along the level `low`: above it, in the hole, all has been dug from `high` on.
static void dig(Slot *slot, double high, double low)
{
    double far = slot->start + high / ENTRY_SLOPE, toe = far - (high - low) / ENTRY_SLOPE;
    double near = slot->start - slot->length;
    Vec3 over = vec3(far, slot->y, CLEARANCE);
    Vec3 way = vec3_sub(vec3_sub(over, vec3(slot->shape.edge[0] * cos(ENTRY_PITCH), 0, 0)), slot->pin);
    go(slot, travel_time(vec3(0, 0, 0), way), (Place){over, ENTRY_PITCH, true});
    go(slot, 1.0, (Place){vec3(far, slot->y, high + 0.05), ENTRY_PITCH, true});
    go(slot, 0.8, (Place){vec3(toe, slot->y, low), ENTRY_PITCH, true});
    go(slot, fmax(1.5, (toe - near) / DRAG_SPEED), (Place){vec3(near, slot->y, low), END_PITCH, true});
    go(slot, 1.2, (Place){vec3(near - 0.45, slot->y, low + 0.45), -140.0 * M_PI / 180.0, true});
    go(slot, 1.2, (Place){vec3(near - 0.60, slot->y, low + 1.00), -170.0 * M_PI / 180.0, true});
    Vec3 up = slot->pin;
    up.z = slot->shape.edge[0] + CLEARANCE;
    go(slot, travel_time(slot->pin, up), (Place){up, DIGGING_CURLED, false});
    slot->passes++;
    dump(slot);
}

/// Mean height of what lies between the plates along the level way.
static double surface_in_slot(const Slot *slot)
{
    enum { ALONG = 40, ACROSS = 5 };
    double sum = 0.0;
    for (int k = 0; k < ALONG * ACROSS; k++) {
        double x = slot->start - slot->length * (k % ALONG + 0.5) / ALONG;
        double y = slot->y + slot->sweep.half_width * (2.0 * (k / ALONG) / (ACROSS - 1.0) - 1.0) * 0.8;
        sum += soil_get_height(slot->soil, x, y) / (ALONG * ACROSS);
    }
    return sum;
}

/// In soil that stands each pass is `cut` deeper than the last one, and the last one is drawn along the bottom once
/// more. What does not stand runs in from the sides: a pass goes no more than `bite` below what lies in the slot, until
/// two have gone along the bottom, or twice as many have been made.
static void dig_all(Run *run, Slot *slot, double before, double share)
{
    int layers = (int)ceil(slot->depth / slot->cut - 1e-9);
    int most = slot->bite < HUGE_VAL ? 2 * layers + 1 : layers + 1;
    for (int k = 0, along = 0; k < most && along < 2; k++) {
        int from = k < layers ? k : layers - 1;
        double high = -fmin(slot->depth, from * slot->cut), low = -fmin(slot->depth, (from + 1) * slot->cut);
        if (slot->bite < HUGE_VAL) {
            low = fmax(-slot->depth, surface_in_slot(slot) - slot->bite);
            high = fmin(low + slot->cut, 0.0);
        }
        dig(slot, high, low);
        along += low <= -slot->depth;
        run_progress(run, before + share * (k + 1) / most);
    }
}

/// Waits, with the bucket aside, until all that does not stick in it is ground again; at most 20 s.
static void settle(Slot *slot)
{
    for (int second = 0; second < 20; second++) {
        int stuck;
        soil_get_payload(slot->soil, &slot->bucket, &stuck);
        SoilCounters counters = soil_get_counters(slot->soil);
        if (second > 1 && counters.particles <= stuck && counters.active_columns == 0) {
            return;
        }
        go(slot, 1.0, (Place){slot->pin, slot->pitch, false});
    }
}

/// A name of a result, which begins with the soil.
static const char *named(const Slot *slot, const char *text, char buffer[128])
{
    snprintf(buffer, 128, "%.40s: %.80s", slot->name, text);
    return buffer;
}

static const char *const cause_names[SOIL_CAUSES] = {
    [SOIL_CAUSE_LAB] = "laboratory",          [SOIL_CAUSE_EDGE] = "edge",
    [SOIL_CAUSE_WEDGE] = "wedge of the edge", [SOIL_CAUSE_BEARING] = "bearing failure",
    [SOIL_CAUSE_ABSORPTION] = "absorption",   [SOIL_CAUSE_SLIDE] = "slide",
    [SOIL_CAUSE_FACE] = "failing face"};
static const char *const band_names[BANDS] = {"0 to 0.2 m beside", "0.2 to 0.5 m beside", "0.5 to 1.5 m beside",
                                              "at the near end",   "at the far end",      "in it"};

/// The band of a column: beside the slot, at the end where the bucket leaves the ground, at that where it enters, or in
/// the swept section; -1: none.
static int band_of(const Slot *slot, double x, double y, double spacing)
{
    enum { BESIDE = 3 };
    static const double ends[BESIDE] = {0.2, 0.5, 1.5};
    bool swept = slot_sweep_floor(&slot->sweep, x, spacing) < 0.0;
    double aside = fabs(y - slot->y) - slot->sweep.half_width - 0.5 * spacing;
    if (!swept) {
        return aside > ends[BESIDE - 1] ? -1 : x < slot->start - 0.5 * slot->length ? BESIDE : BESIDE + 1;
    }
    for (int k = 0; k < BESIDE && aside > -1e-6; k++) {
        if (aside < ends[k] - 1e-6) {
            return k;
        }
    }
    return aside > 0.0 ? -1 : BESIDE + 2;
}

/// Notes what each cause did, in m3 of bank soil: intact ground that it took or loosened, what went back intact, and
/// loose soil that it put down (loosened in place, too) less what it took. The last two less the first is what all
/// columns of the band have gained.
static void note_account(Run *run, const Slot *slot)
{
    SoilGridView grid = soil_get_grid(slot->soil);
    double quantum = SOIL_QUANTUM / slot->scene.soils[0].bank_density;
    static const char *const what[] = {"took of intact ground", "put back intact", "put down loose, less it took"};
    char text[128], name[128];
    for (int band = 0; band < BANDS; band++) {
        for (int cause = 0; cause < SOIL_CAUSES; cause++) {
            const SoilAccountEntry *account = soil_get_account(slot->soil, (SoilCause)cause);
            SoilAccountEntry sum = {0};
            for (int k = 0; k < grid.rows * grid.columns; k++) {
                double x = grid.origin_x + k % grid.columns * grid.spacing,
                       y = grid.origin_y + k / grid.columns * grid.spacing;
                bool counts = band_of(slot, x, y, grid.spacing) == band;
                sum.intact += counts ? account[k].intact : 0;
                sum.loose += counts ? account[k].loose : 0;
                sum.given += counts ? account[k].given : 0;
                sum.restored += counts ? account[k].restored : 0;
            }
            const double amounts[] = {(double)sum.intact * quantum, (double)sum.restored * quantum,
                                      (double)(sum.given - sum.loose) * quantum};
            for (int k = 0; k < 3; k++) {
                if (fabs(amounts[k]) > LEAST) {
                    snprintf(text, sizeof text, "%s: %s %s", band_names[band], cause_names[cause], what[k]);
                    run_note(run, named(slot, text, name), "m3", amounts[k]);
                }
            }
        }
    }
}

/// The hole's cross-sections: a quarter, half and three quarters along the bottom, and the mean of both walls.
static void draw(Run *run, const Slot *slot, double low_x, double high_x)
{
    char title[128], series[64];
    SoilGridView grid = soil_get_grid(slot->soil);
    int plot = run_plot(run, named(slot, "cross-sections", title), "y from the bucket's middle, m", "z, m");
    for (int k = 1; k <= 3; k++) {
        double x = low_x + 0.25 * k * (high_x - low_x);
        int column = (int)floor((x - grid.origin_x) / grid.spacing + 0.5);
        snprintf(series, sizeof series, "hole at x = %.1f m", grid.origin_x + column * grid.spacing);
        for (int row = 0; row < grid.rows; row++) {
            double y = grid.origin_y + row * grid.spacing - slot->y,
                   h = (double)grid.height[row * grid.columns + column];
            if (fabs(y) < 2.5) {
                run_point(run, plot, series, y - 0.5 * grid.spacing, h);
                run_point(run, plot, series, y + 0.5 * grid.spacing, h);
            }
        }
    }
    double half = slot->sweep.half_width;
    run_point(run, plot, "law: swept", -half, 0.0);
    run_point(run, plot, "law: swept", -half, -slot->depth);
    run_point(run, plot, "law: swept", half, -slot->depth);
    run_point(run, plot, "law: swept", half, 0.0);
    plot = run_plot(run, named(slot, "section along the slot", title), "x, m", "z, m");
    int row = (int)floor((slot->y - grid.origin_y) / grid.spacing + 0.5);
    for (int column = 0; column < grid.columns; column++) {
        double x = grid.origin_x + column * grid.spacing, h = (double)grid.height[row * grid.columns + column];
        run_point(run, plot, "hole", x - 0.5 * grid.spacing, h);
        run_point(run, plot, "hole", x + 0.5 * grid.spacing, h);
    }
    for (int k = 0; k < slot->sweep.count; k += 5) {
        run_point(run, plot, "law: swept", slot->sweep.low_x + k * slot->sweep.step, slot->sweep.floor[k]);
    }
}

static void report(Run *run, const Slot *slot)
{
    char name[128];
    bool stands = slot->scene.soils[0].cohesion > 0.0;
    double toe = slot->start - slot->depth / ENTRY_SLOPE, near = slot->start - slot->length; // of the level bottom
    double low_x = near + 0.1, high_x = fmax(toe - 0.4, low_x);
    SlotVolumes volumes = slot_volumes(slot->soil, &slot->sweep);
    run_result(run, named(slot, "mass lost or made on any tick", name), "quanta", (double)slot->most_wrong, 0.0, 0.0);
    run_result_between(run, named(slot, "most particles at once", name), "", slot->peak, 0.0, 4000.0);
    if (stands) {
        run_note(run, named(slot, "largest pull, mean over half a second", name), "kN", slot->most_pull * 1e-3);
        run_result_between(run, named(slot, "dug outside / swept", name), "", volumes.outside / volumes.swept, 0.0,
                           0.04);
        run_result(run, named(slot, "columns in fins thinner than 0.2 m", name), "",
                   slot_fins(slot->soil, &slot->sweep, FIN, FIN), 0.0, 0.0);
    } else {
        run_note(run, named(slot, "dug outside / swept", name), "", volumes.outside / volumes.swept);
        run_result_between(run, named(slot, "largest pull, mean over half a second", name), "kN",
                           slot->most_pull * 1e-3, 0.0, STICK_FORCE * 1e-3);
    }
    for (int side = 0; side < SLOT_SIDES; side++) {
        SlotWall wall = slot_wall(slot->soil, &slot->sweep, side, low_x, high_x);
        double degrees = wall.inclination * 180.0 / M_PI;
        if (stands) {
            run_result(run, named(slot, side == 0 ? "right wall from the plate" : "left wall from the plate", name),
                       "m", wall.farthest, 0.0, 0.1 + 1e-6);
            run_result_between(run,
                               named(slot, side == 0 ? "right wall's inclination" : "left wall's inclination", name),
                               "deg", degrees, 85.0, 90.0);
        } else {
            run_result(run, named(slot, side == 0 ? "right wall's inclination" : "left wall's inclination", name),
                       "deg", degrees, slot->scene.soils[0].repose_angle * 180.0 / M_PI, 2.0);
        }
    }
    run_note(run, named(slot, "passes", name), "", slot->passes);
    run_note(run, named(slot, "swept", name), "m3", volumes.swept);
    run_note(run, named(slot, "of what was dug outside: below the swept section", name), "m3", volumes.below);
    run_note(run, named(slot, "dug outside the bucket's own outline / swept", name), "",
             volumes.beyond / volumes.swept);
    run_note(run, named(slot, "left standing in the swept section / it", name), "", volumes.left / volumes.swept);
    run_note(run, named(slot, "mean payload at the dump", name), "kg", slot->carried / slot->passes);
    note_account(run, slot);
    draw(run, slot, low_x, high_x);
}

static bool create(Run *run, Slot *slot)
{
    SoilParams soil;
    double capacity;
    if (!run_load_soil(run, slot->name, &soil) ||
        !site_load_bucket(run, "excavator-22t", option_word(run, "attachment"), &slot->shape, &capacity)) {
        return false;
    }
    slot->bite = soil.cohesion > 0.0 ? HUGE_VAL : capacity / (slot->length * slot->shape.edge_width);
    slot->bite = option_is_set(run, "bite") ? option_number(run, "bite") : slot->bite;
    SiteForm form = {.size_x = slot->length + 6.0,
                     .size_y = 2.0 * ASIDE + 7.0,
                     .depth = slot->depth + 1.0,
                     .radius = slot->radius,
                     .budget = 30000};
    slot->scene = site_scene(run, &soil, &form);
    slot->soil = run_create_soil(run, &slot->scene);
    if (slot->soil == NULL) {
        return false;
    }
    if (!soil_keep_account(slot->soil)) {
        abort();
    }
    SoilGridView grid = soil_get_grid(slot->soil);
    double jitter = run_random(run) - 0.5, offset = option_number(run, "offset");
    int row = grid.rows / 4 + 10;
    slot->y = grid.origin_y + row * grid.spacing + (option_is_set(run, "offset") ? offset : jitter * grid.spacing);
    slot->start = 0.5 * slot->length + 0.3;
    slot->bucket = digging_bucket(&slot->shape);
    slot->sweep = slot_sweep_create(slot->soil, &slot->shape, slot->y);
    slot->total = soil_get_ledger(slot->soil).total;
    slot->pin = vec3(slot->start, slot->y, 3.0);
    slot->pitch = ENTRY_PITCH;
    return true;
}

static bool run_one(Run *run, const char *soil, double before, double share)
{
    Slot slot = {.name = soil,
                 .length = option_number(run, "length"),
                 .depth = option_number(run, "depth"),
                 .cut = option_number(run, "cut"),
                 .radius = option_number(run, "radius")};
    if (!create(run, &slot)) {
        return false;
    }
    dig_all(run, &slot, before, share);
    settle(&slot);
    report(run, &slot);
    soil_destroy(slot.soil);
    slot_sweep_free(&slot.sweep);
    return true;
}

static bool run_slot(Run *run)
{
    static const char *const soils[SOILS] = {"loam", "clay", "sand"};
    const char *word = option_word(run, "soil");
    bool all = strcmp(word, "all") == 0;
    int count = all && !run_quick(run) ? SOILS : 1;
    option_quick(run, "length", 2.0);
    option_quick(run, "depth", 0.6);
    for (int k = 0; k < count; k++) {
        if (!run_one(run, all ? soils[k] : word, (double)k / count, 1.0 / count)) {
            return false;
        }
    }
    return true;
}

const Experiment experiment_slot = {
    .name = "slot",
    .title = "the bucket digs a slot: the hole against the section that it swept, and who dug the rest",
    .law = "geometry: the swept section; Culmann 1875: soil with cohesion stands; repose angle of the soil's file",
    .options = options,
    .run = run_slot,
};
