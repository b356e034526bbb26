/// Experiment 12, `wall`: the thrust of a bed of soil on a smooth wall that is moved into it (passive) or away from it
/// (active).
///
/// Rankine 1857 (Phil. Trans. 147): Kp = tan2(45 + phi/2), Ka = tan2(45 - phi/2). Thrust per width: Kp rho g H2 / 2 + 2
/// c H sqrt(Kp); Ka rho g H2 / 2 - 2 c H sqrt(Ka), as far as that is above 0. With friction delta on the wall,
/// Coulomb's wedge without cohesion: Kh = cos2(phi) / (1 +- sqrt(sin(phi + delta) sin(phi) / cos(delta)))2.
///
/// rho g H2 / 2 is the vertical stress summed over the depth. It is taken from the grains next to the wall
/// (bed_level()), so that it holds the surcharge of what heaves there. Curves are means over several beds; the thrust
/// is the extreme of a running mean.
///
/// The floor is rough. In the passive case the bed goes on below the wall: where the wall stands on the floor, it packs
/// the grains that the floor holds into the corner, and the thrust rises without end. In the active case it stands on
/// the floor.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "tests/validation/rigs/soil/bed.h"

#define SLOWER 0.25 ///< speed of the active case over that of the passive one: it is over after a few millimetres

enum { MAX_SAMPLES = 320, SIZES = 2 };

typedef struct Sample {
    double travel; ///< m
    double thrust, far_thrust; ///< N/m: on the wall, and on the one at the bed's other end
    double level; ///< m: H next to the wall
} Sample;

/// Means over the beds.
typedef struct WallTest {
    bool passive;
    double radius; ///< m
    double density; ///< kg/m3
    double level; ///< m: H at the start
    int bed_count;
    int sample_count;
    Sample samples[MAX_SAMPLES];
    Sample peak; ///< extreme of the running mean
    Sample residual; ///< of the last quarter
    double single, squares; ///< mean of the extremes of single beds' K, and of their squares
    double rupture_angle; ///< rad, from the horizontal
    double rupture_friction; ///< rad: angle between the force on the rupture surface and its normal
} WallTest;

static void add_sample(Sample *sum, const Sample *sample, double share)
{
    sum->travel += share * sample->travel;
    sum->thrust += share * sample->thrust;
    sum->far_thrust += share * sample->far_thrust;
    sum->level += share * sample->level;
}

static Sample mean_of(const WallTest *test, int first, int count)
{
    Sample mean = {0};
    for (int k = first; k < first + count; k++) {
        add_sample(&mean, &test->samples[k], 1.0 / count);
    }
    return mean;
}

/// K: thrust over the vertical stress summed over the depth.
static double ratio_of(const WallTest *test, const Sample *sample)
{
    return sample->thrust / (0.5 * test->density * STANDARD_GRAVITY * sample->level * sample->level);
}

/// Adds a bed to the means, with the weight `share`.
static void add_bed(WallTest *test, const WallTest *bed, double share)
{
    double ratio = ratio_of(bed, &bed->peak);
    for (int s = 0; s < bed->sample_count; s++) {
        add_sample(&test->samples[s], &bed->samples[s], share);
    }
    test->sample_count = bed->sample_count;
    test->density += share * bed->density;
    test->level += share * bed->level;
    test->single += share * ratio;
    test->squares += share * ratio * ratio;
    test->rupture_angle += share * bed->rupture_angle;
    test->rupture_friction += share * bed->rupture_friction;
}

/// Extreme of a running mean over a sixteenth of the travel.
static void find_peak(WallTest *test)
{
    int window = test->sample_count / 16 > 0 ? test->sample_count / 16 : 1;
    int last = test->sample_count / 4 > 0 ? test->sample_count / 4 : 1;
    test->peak = mean_of(test, 0, window);
    for (int k = 1; k + window <= test->sample_count; k++) {
        Sample mean = mean_of(test, k, window);
        double more = ratio_of(test, &mean) - ratio_of(test, &test->peak);
        if (test->passive ? more > 0.0 : more < 0.0) {
            test->peak = mean;
        }
    }
    test->residual = mean_of(test, test->sample_count - last, last);
}

static double travel_of(const Run *run, bool passive)
{
    return option_number(run, passive ? "travel" : "active_travel") * option_number(run, "height");
}

static double sill_of(const Run *run, bool passive)
{
    return option_number(run, passive ? "below" : "active_below") * option_number(run, "height");
}

/// The soil that moves with the wall, since the grains were marked: a grain counts with its way over the wall's.
/// `from`, `to`: heights.
static double moving_mass(const Bed *bed, double moved, double from, double to, double *all)
{
    SoilParticleView p = soil_get_particles(bed->soil);
    double moving = 0.0;
    *all = 0.0;
    for (int k = 0; k < p.count; k++) {
        if (p.z[k] >= from && p.z[k] < to) {
            double way = (p.x[k] - bed->marks[p.id[k]].x) / moved;
            moving += fmin(fmax(way, 0.0), 1.0) * p.mass[k] * SOIL_QUANTUM;
            *all += p.mass[k] * SOIL_QUANTUM;
        }
    }
    return moving;
}

/// The surface that the moving soil slides on: a line through how far it reaches from the wall at each height. What
/// slides is in balance: with the thrust P and the weight W, the force on that surface is inclined by atan(P / W) to
/// the vertical.
static void find_rupture(const Bed *bed, WallTest *test, double moved, double thrust)
{
    enum { SLICES = 8 };
    double height = test->level, sill = bed->plan.sill, all, s = 0.0, sx = 0.0, sz = 0.0, szz = 0.0, sxz = 0.0;
    double length = bed->plan.length - bed->tools[BED_WEST].motion.frame.position.x;
    for (int k = 1; k < SLICES - 1; k++) { // not where the toe and the surface blur it
        double low = sill + height * k / SLICES, z = height * (k + 0.5) / SLICES;
        double reach = moving_mass(bed, moved, low, low + height / SLICES, &all) / fmax(all, SOIL_QUANTUM) * length;
        s += 1.0;
        sx += reach;
        sz += z;
        szz += z * z;
        sxz += reach * z;
    }
    double angle = atan2(szz - sz * sz / s, sxz - sx * sz / s);
    double weight = moving_mass(bed, moved, sill, HUGE_VAL, &all) * STANDARD_GRAVITY / bed->plan.width;
    double inclined = atan2(thrust, weight);
    test->rupture_angle = angle;
    test->rupture_friction = test->passive ? inclined - angle : angle - inclined;
}

static Sample tick(Bed *bed, const WallTest *test, double height)
{
    Wrench mean[BED_BOX];
    run_tick(bed->soil, &bed->scene, bed->tools, BED_BOX, mean);
    double wall = bed->tools[BED_WEST].motion.frame.position.x, width = bed->plan.width;
    return (Sample){.travel = fabs(wall),
                    .thrust = -mean[BED_WEST].force.x / width,
                    .far_thrust = mean[BED_EAST].force.x / width,
                    .level = bed_level(bed, bed->plan.sill, wall, wall + 0.5 * height, test->density)};
}

/// Moves the wall and notes what is measured on this bed.
static void move_wall(Run *run, Bed *bed, WallTest *test)
{
    double sign = test->passive ? 1.0 : -SLOWER, speed = sign * option_number(run, "speed");
    double travel = travel_of(run, test->passive), last = 0.0;
    int ticks = (int)fmax(1.0, travel / fabs(speed) * bed->scene.rates.tick_rate + 0.5), done = 0;
    int samples = ticks < MAX_SAMPLES ? ticks : MAX_SAMPLES, half = ticks / 2;
    bed->tools[BED_WEST].motion.velocity.x = speed;
    for (int s = 0; s < samples; s++) {
        int end = (int)((int64_t)(s + 1) * ticks / samples), first = done;
        for (; done < end; done++) {
            if (done == half) {
                bed_mark(bed);
            }
            Sample sample = tick(bed, test, option_number(run, "height"));
            add_sample(&test->samples[s], &sample, 1.0 / (end - first));
            last += done >= half ? sample.thrust / (ticks - half) : 0.0;
        }
    }
    test->sample_count = samples;
    find_rupture(bed, test, speed * (ticks - half) / bed->scene.rates.tick_rate, last);
}

/// Moves the wall into, or away from, a bed of its own.
static bool test_bed(Run *run, const SoilParams *soil, WallTest *own, uint64_t seed)
{
    double height = option_number(run, "height"), sill = sill_of(run, own->passive);
    BedPlan plan = {.length = option_number(run, "length") * height,
                    .width = option_number(run, "width") * 2.0 * own->radius,
                    .depth = sill + height,
                    .room = travel_of(run, own->passive),
                    .sill = sill,
                    .floor_friction = option_number(run, "floor_friction"),
                    .west_friction = option_number(run, "wall_friction"),
                    .seed = seed};
    Bed bed;
    bool good = bed_create(run, soil, own->radius, &plan, &bed);
    if (good) {
        own->density = bed_density(&bed);
        own->level = bed_level(&bed, sill, 0.0, plan.length, own->density);
        move_wall(run, &bed, own);
        find_peak(own);
    }
    bed_destroy(&bed);
    return good;
}

/// K of the horizontal thrust; `cohesion` over rho g H / 2.
static double pressure_ratio(double phi, double delta, double cohesion, bool passive)
{
    double root = sqrt(sin(phi + delta) * sin(phi) / cos(delta)), sum = passive ? 1.0 - root : 1.0 + root;
    double ratio = pow(cos(phi) / sum, 2.0), more = 2.0 * cohesion * sqrt(ratio);
    return passive ? ratio + more : fmax(0.0, ratio - more);
}

static void draw_test(Run *run, int plot, const WallTest *test, double expected)
{
    char name[64];
    snprintf(name, sizeof name, "%s, r = %g m", test->passive ? "passive" : "active", test->radius);
    for (int k = 0; k < test->sample_count; k++) {
        run_point(run, plot, name, test->samples[k].travel / test->level, ratio_of(test, &test->samples[k]));
    }
    snprintf(name, sizeof name, "law: %s", test->passive ? "Kp" : "Ka");
    run_point(run, plot, name, 0.0, expected);
    run_point(run, plot, name, test->samples[test->sample_count - 1].travel / test->level, expected);
}

static void note(Run *run, const WallTest *test, const char *what, const char *unit, double value)
{
    char name[96];
    snprintf(name, sizeof name, "%s: %s, r = %g m", test->passive ? "passive" : "active", what, test->radius);
    run_note(run, name, unit, value);
}

static void report_test(Run *run, const SoilParams *soil, const WallTest *test, int plot)
{
    const double degree = M_PI / 180.0;
    double phi = soil->friction_angle,
           delta = atan(option_number(run, "wall_friction") * tan(soil->steel_friction_angle));
    double unit = 0.5 * test->density * STANDARD_GRAVITY * test->level, ratio = ratio_of(test, &test->peak);
    double law = pressure_ratio(phi, delta, soil->cohesion / unit, test->passive);
    char name[96];
    snprintf(name, sizeof name, "%s, r = %g m", test->passive ? "Kp" : "Ka", test->radius);
    run_result(run, name, "", ratio, law, law > 0.0 ? 0.05 * law : 0.05); // cohesion may hold the bed without a wall
    if (test->bed_count > 1) {
        double variance = test->squares - test->single * test->single, beds = test->bed_count;
        note(run, test, "K, mean of single beds' extremes", "", test->single);
        note(run, test, "K, standard deviation between beds", "", sqrt(fmax(0.0, variance * beds / (beds - 1.0))));
    }
    note(run, test, "K in the last quarter of the travel", "", ratio_of(test, &test->residual));
    note(run, test, "K by the level at the start", "", test->peak.thrust / (unit * test->level));
    note(run, test, "friction angle with this K in dry soil", "degrees",
         fabs(2.0 * atan(sqrt(ratio)) - 0.5 * M_PI) / degree);
    note(run, test, "travel then, of H", "", test->peak.travel / test->level);
    note(run, test, "level at the wall then, of H", "", test->peak.level / test->level);
    note(run, test, "angle of the rupture surface", "degrees", test->rupture_angle / degree);
    note(run, test, "the same by Rankine", "degrees", 45.0 + (test->passive ? -0.5 : 0.5) * phi / degree);
    note(run, test, "friction angle on the rupture surface", "degrees", test->rupture_friction / degree);
    note(run, test, "H", "m", test->level);
    note(run, test, "bulk density", "kg/m3", test->density);
    draw_test(run, plot, test, law);
}

static bool run_tests(Run *run, const SoilParams *soil, WallTest *test, double before, double share)
{
    int beds;
    if (!option_whole(run, "beds", &beds) ||
        !bed_check_length(run, "a wall", option_number(run, "height"), test->radius)) {
        return false;
    }
    // Beds are alike: each is measured with its own density and level, and the means of the curves are taken.
    for (int k = 0; k < beds; k++) {
        WallTest own = {.passive = test->passive, .radius = test->radius};
        if (!test_bed(run, soil, &own, run_seed(run) * 64 + (uint64_t)k)) {
            return false;
        }
        add_bed(test, &own, 1.0 / beds);
        run_progress(run, before + share * (k + 1.0) / beds);
    }
    test->bed_count = beds;
    find_peak(test);
    return true;
}

static bool run_wall(Run *run)
{
    static const double radii[SIZES] = {0.03, 0.02};
    option_quick(run, "beds", 2.0);
    bool one_size = run_quick(run) || option_is_set(run, "radius");
    const char *mode = option_word(run, "mode");
    int sizes = one_size ? 1 : SIZES, modes = strcmp(mode, "both") == 0 ? 2 : 1, count = sizes * modes;
    SoilParams soil;
    if (!bed_load_soil(run, &soil)) {
        return false;
    }
    int plot = run_plot(run, "Thrust on a wall", "travel over H", "thrust / (rho g H2 / 2)");
    WallTest *test = malloc(sizeof *test);
    bool good = test != NULL;
    for (int k = 0; k < count && good; k++) {
        *test = (WallTest){.radius = one_size ? option_number(run, "radius") : radii[k / modes]};
        test->passive = modes == 2 ? k % 2 == 0 : strcmp(mode, "passive") == 0;
        good = run_tests(run, &soil, test, (double)k / count, 1.0 / count);
        if (good) {
            report_test(run, &soil, test, plot);
        }
    }
    free(test);
    return good;
}

static const ExperimentOption options[] = {
    {"soil", 0, 0, 0, "", "file of data/soils", "sand|gravel|topsoil|loam|clay|wet-clay|hard-clay|" OTHER_SOIL},
    {"mode", 0, 0, 0, "", "into the bed, away from it", "both|passive|active"},
    {"height", 0.5, 0.2, 2.0, "m", "of the bed beside the wall, H", NULL},
    {"radius", 0.03, 0.01, 0.1, "m", "mean radius of the grains; when given, the only one (otherwise 0.03 and 0.02 m)",
     NULL},
    {"beds", 4.0, 1.0, 50.0, "", "whose mean is taken", NULL},
    {"length", 4.0, 1.0, 12.0, "", "of the bed over H", NULL},
    {"width", 12.0, 3.0, 60.0, "diameters", "of the bed", NULL},
    {"below", 0.5, 0.0, 2.0, "", "depth of the bed below the wall, over H, in the passive case", NULL},
    {"active_below", 0.0, 0.0, 2.0, "", "the same in the active case", NULL},
    {"travel", 0.16, 0.01, 0.5, "", "of the wall into the bed, over H", NULL},
    {"active_travel", 0.02, 0.001, 0.5, "", "of the wall away from the bed, over H", NULL},
    {"speed", 0.02, 0.001, 0.5, "m/s", "of the wall; a quarter of it in the active case", NULL},
    {"wall_friction", 0.0, 0.0, 1.0, "", "friction on the wall over that of the soil on steel", NULL},
    {"floor_friction", BED_ROUGH, 0.0, 10.0, "", "friction on the floor over that of the soil on steel", NULL},
    {"friction", OF_THE_FILE, 0.0, 2.0, "", "contact friction of the grains", NULL},
    {"stiffness", OF_THE_FILE, 0, 1e8, "N/m", "contact stiffness at 0.05 m", NULL},
    {"substeps", 0, 0, 64, "", "a tick; 0: as the trainer runs", NULL},
    {.key = NULL},
};

const Experiment experiment_wall = {
    .name = "wall",
    .title = "thrust of a bed on a smooth wall that is moved into it or away",
    .law = "Rankine 1857: tan2(45 +- phi/2) with the friction angle of the soil's file",
    .options = options,
    .run = run_wall,
};
