/// Trays: their load settles, moves with them, is tipped out and dug, and no quantum is lost.
#include "tests/support/soil_fixture.h"

#define TICK (1.0 / 60.0)

static const SoilTray bed = {
    .x = 1.0, .y = 0.5, .heading = 0.3, .length = 3.0, .width = 2.0, .floor = 1.2, .wall = 0.8};

/// A soil with a bed over level ground, with room around to drive.
typedef struct Yard {
    SceneParams scene;
    Soil *soil;
    SoilTrayMotion motion;
    double angle; ///< rad: tip
    int64_t total; ///< quanta
} Yard;

static void open_yard(Yard *yard, SceneParams scene, SoilSolver solver, int threads)
{
    memset(yard, 0, sizeof *yard);
    yard->scene = scene;
    yard->scene.ground.size_x = 20.0;
    yard->soil = make_soil(&yard->scene, solver, threads);
    Status status;
    assert_int_equal(soil_add_tray(yard->soil, &bed, &status), 0);
    yard->motion.frame = soil_get_tray_frame(yard->soil, 0);
}

/// Soil poured into the bed in layers: a heap in its middle. Returns its mass, quanta.
static int64_t pour(Yard *yard, int layers)
{
    const double radius = 0.05, apart = 0.112, mass = 1232.0 * 4.0 * sqrt(2.0) * radius * radius * radius;
    for (int layer = 0; layer < layers; layer++) {
        for (int i = -11; i <= 11; i++) {
            for (int j = -7; j <= 7; j++) {
                double stray_x = ((i * 7 + j * 3 + layer * 5 + 90) % 5 - 2) * 0.002;
                double stray_y = ((i * 3 + j * 5 + layer + 90) % 5 - 2) * 0.002;
                Vec3 local = vec3(i * apart + stray_x, j * apart + stray_y, 0.06 + layer * apart);
                double size = radius * (0.92 + 0.02 * ((i + j + layer + 90) % 5));
                Vec3 at = pose_apply(&yard->motion.frame, local);
                assert_true(soil_add_particle(yard->soil, at, vec3(0, 0, 0), size, 0, mass) >= 0);
            }
        }
    }
    SoilLedger ledger = soil_get_ledger(yard->soil);
    yard->total = ledger.total;
    return ledger.particles;
}

/// One tick, after which not a quantum is missing.
static void tick(Yard *yard, const SoilTool *tools, int count)
{
    run_ticks(yard->soil, tools, count, 1);
    assert_true(soil_get_ledger(yard->soil).total == yard->total);
}

static void stand(Yard *yard, int ticks)
{
    for (int t = 0; t < ticks; t++) {
        tick(yard, NULL, 0);
    }
}

static void move(Yard *yard)
{
    Status status;
    assert_good(soil_move_tray(yard->soil, 0, &yard->motion, &status), status);
}

/// One tick of tipping at `rate` (rad/s) about the lower edge of the tail.
static void tip(Yard *yard, double rate)
{
    double c = cos(yard->angle), s = sin(yard->angle);
    Mat3 yaw = mat3_yaw(bed.heading), pitch = {{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}}, turn = mat3_product(&yaw, &pitch);
    Vec3 hinge = vec3_add(vec3(bed.x, bed.y, bed.floor), mat3_mul(&yaw, vec3(-0.5 * bed.length, 0, 0)));
    yard->motion.frame = (Pose){vec3_add(hinge, mat3_mul(&turn, vec3(0.5 * bed.length, 0, 0))), turn};
    yard->motion.spin = mat3_mul(&yaw, vec3(0, -rate, 0));
    yard->motion.velocity = vec3_cross(yard->motion.spin, vec3_sub(yard->motion.frame.position, hinge));
    move(yard);
    yard->angle += rate * TICK;
}

static double share_in_bed(const Yard *yard, int64_t load)
{
    return soil_get_tray_mass(yard->soil, 0) / ((double)load * SOIL_QUANTUM);
}

/// How high the fastest particle could rise: where it would have fallen from.
static double highest_rise(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double highest = 0.0;
    for (int i = 0; i < p.count; i++) {
        double square = p.vx[i] * p.vx[i] + p.vy[i] * p.vy[i] + p.vz[i] * p.vz[i];
        highest = fmax(highest, p.z[i] + square / (2.0 * STANDARD_GRAVITY));
    }
    return highest;
}

/// Most that two particles overlap, of the sum of their radii.
static double worst_overlap(const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    double worst = 0.0;
    for (int i = 0; i < p.count; i++) {
        for (int j = 0; j < i; j++) {
            double dx = p.x[i] - p.x[j], dy = p.y[i] - p.y[j], dz = p.z[i] - p.z[j];
            double sum = (double)p.radius[i] + (double)p.radius[j], square = dx * dx + dy * dy + dz * dz;
            worst = square < sum * sum ? fmax(worst, 1.0 - sqrt(square) / sum) : worst;
        }
    }
    return worst;
}

TEST(test_a_load_settles_in_the_bed)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    int64_t load = pour(&yard, 4);
    stand(&yard, 300);
    SoilLedger ledger = soil_get_ledger(yard.soil);
    assert_true((double)ledger.trays > 0.98 * (double)load);
    assert_true(ledger.trays + ledger.particles == load); // nothing went over the walls
    soil_destroy(yard.soil);
}

/// Tipped by 50 degrees in 5 s with its tail open, then left for 3 s.
TEST(test_a_tipped_load_runs_out)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    int64_t load = pour(&yard, 4);
    stand(&yard, 300);
    yard.motion.tail_open = true;
    const double steepest = radians(50.0), rate = steepest / 5.0;
    double top = 0.0, overlap = 0.0;
    for (int t = 0; t < 480; t++) {
        tip(&yard, yard.angle < steepest ? rate : 0.0);
        tick(&yard, NULL, 0);
        // The heap is below 0.6 m over the floor; what falls from it has no more energy than it had there.
        top = fmax(top, bed.floor + bed.length * sin(yard.angle) + 0.6 * cos(yard.angle));
        assert_true(highest_rise(yard.soil) < top);
        if (soil_get_counters(yard.soil).spawned > 0) {
            overlap = fmax(overlap, worst_overlap(yard.soil));
        }
    }
    double left = share_in_bed(&yard, load);
    print_message("of the sand stays in the bed: %.2f %%; overlap as it turns into particles: %.1f %%\n", 100.0 * left,
                  100.0 * overlap);
    assert_true(left < 0.02);
    assert_true(overlap < 0.1);
    soil_destroy(yard.soil);
}

/// A load of three times the budget runs out as well: what finds no place in the budget waits in the bed.
TEST(test_a_small_budget_only_delays)
{
    Yard yard;
    SceneParams scene = sand_scene();
    scene.particles.budget = 400;
    open_yard(&yard, scene, SOIL_SOLVER_DEFAULT, 1);
    int64_t load = 0;
    for (int k = 0; k < 4; k++) {
        load += pour(&yard, 1);
        stand(&yard, 120);
        assert_true(soil_get_ledger(yard.soil).particles < load / 100);
    }
    yard.motion.tail_open = true;
    for (int t = 0; t < 900; t++) {
        tip(&yard, t < 120 ? radians(50.0) / 2.0 : 0.0);
        tick(&yard, NULL, 0);
    }
    print_message("of the sand stays in the bed, with a third of the budget: %.2f %%\n",
                  100.0 * share_in_bed(&yard, load));
    assert_true(share_in_bed(&yard, load) < 0.02);
    soil_destroy(yard.soil);
}

/// Over a tail lower than the sides soil lies no higher than its angle of repose lets it; the rest has run over the
/// tail.
TEST(test_a_low_tail_lets_a_heap_run_over)
{
    double share[2], highest = 0.0;
    for (int k = 0; k < 2; k++) {
        Yard yard;
        SceneParams scene = sand_scene();
        memset(&yard, 0, sizeof yard);
        yard.scene = scene;
        yard.scene.ground.size_x = 20.0;
        yard.soil = make_soil(&yard.scene, SOIL_SOLVER_DEFAULT, 1);
        SoilTray tray = bed;
        tray.tail = k == 0 ? 0.0 : 0.05;
        Status status;
        assert_int_equal(soil_add_tray(yard.soil, &tray, &status), 0);
        yard.motion.frame = soil_get_tray_frame(yard.soil, 0);
        int64_t load = pour(&yard, 8);
        stand(&yard, 400);
        share[k] = share_in_bed(&yard, load);
        SoilGridView grid = soil_get_tray_grid(yard.soil, 0);
        for (int row = 0; k == 1 && row < grid.rows; row++) {
            highest = fmax(highest, (double)grid.height[row * grid.columns] - bed.floor);
        }
        soil_destroy(yard.soil);
    }
    print_message(
        "of the sand stays: %.1f %% before a high tail, %.1f %% before one of 0.05 m, where it is %.2f m high\n",
        100.0 * share[0], 100.0 * share[1], highest);
    assert_near(share[0], 1.0, 1e-9);
    assert_true(share[1] < 0.995 && share[1] > 0.9); // most of it has room behind a slope that ends at the tail
    assert_true(highest > 0.02 && highest < 0.05 + 0.15); // of the tail, and a grain
}

TEST(test_a_closed_tail_holds_the_load)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    int64_t load = pour(&yard, 3);
    stand(&yard, 240);
    for (int t = 0; t < 480; t++) {
        tip(&yard, t < 180 ? radians(35.0) / 3.0 : t < 300 ? 0.0 : -radians(35.0) / 3.0);
        tick(&yard, NULL, 0);
    }
    assert_near(share_in_bed(&yard, load), 1.0, 1e-9);
    stand(&yard, 120);
    assert_near(share_in_bed(&yard, load), 1.0, 1e-9);
    soil_destroy(yard.soil);
}

/// What has not run out when the bed comes back settles again.
TEST(test_what_stays_settles_again)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    int64_t load = pour(&yard, 4);
    stand(&yard, 300);
    yard.motion.tail_open = true;
    for (int t = 0; t < 360; t++) {
        tip(&yard, t < 180 ? radians(27.0) / 3.0 : -radians(27.0) / 3.0);
        tick(&yard, NULL, 0);
    }
    double loose = (double)soil_get_ledger(yard.soil).trays;
    double share = share_in_bed(&yard, load);
    print_message("of the sand stays as the bed comes back: %.0f %%\n", 100.0 * share);
    assert_true(share > 0.1 && share < 0.95);
    yard.motion.tail_open = false;
    tip(&yard, 0.0);
    tick(&yard, NULL, 0);
    stand(&yard, 300);
    assert_near(share_in_bed(&yard, load), share, 0.05);
    double settled = (double)soil_get_ledger(yard.soil).trays;
    assert_true(settled > 0.95 * share_in_bed(&yard, load) * (double)load && settled > loose);
    soil_destroy(yard.soil);
}

/// Drives 1.5 m in 2.5 s, with 1 m/s2, along the bed's heading.
static void drive(Yard *yard)
{
    Vec3 start = yard->motion.frame.position, ahead = vec3(cos(bed.heading), sin(bed.heading), 0.0);
    double way = 0.0, speed = 0.0;
    for (int t = 0; t < 150; t++) {
        double acceleration = t < 60 ? 1.0 : t >= 90 ? -1.0 : 0.0;
        yard->motion.frame.position = vec3_madd(start, way, ahead);
        yard->motion.velocity = vec3_scale(ahead, speed);
        move(yard);
        tick(yard, NULL, 0);
        way += speed * TICK;
        speed = fmax(speed + acceleration * TICK, 0.0);
    }
    assert_true(way > 1.4);
}

TEST(test_a_bed_that_drives_carries_its_load)
{
    const SoilSolver solvers[3] = {SOIL_SOLVER_DEFAULT, SOIL_SOLVER_P2, SOIL_SOLVER_GS};
    for (int k = 0; k < 3; k++) {
        for (int settled = 0; settled < 2; settled++) {
            Yard yard;
            open_yard(&yard, sand_scene(), solvers[k], 1);
            int64_t load = pour(&yard, 2);
            stand(&yard, settled ? 240 : 10);
            drive(&yard);
            assert_near(share_in_bed(&yard, load), 1.0, 1e-9);
            soil_destroy(yard.soil);
        }
    }
}

/// Grains that lie on the floor follow it up, around and along: friction and support see how it moves.
TEST(test_grains_move_as_the_floor_does)
{
    Yard yard;
    SceneParams scene = sand_scene();
    scene.particles.persistent = true;
    open_yard(&yard, scene, SOIL_SOLVER_DEFAULT, 1);
    pour(&yard, 1);
    stand(&yard, 30);
    SoilParticleView p = soil_get_particles(yard.soil);
    Vec3 first = pose_apply_inverse(&yard.motion.frame, vec3(p.x[0], p.y[0], p.z[0]));
    uint32_t id = p.id[0];
    double heading = bed.heading, spin = 0.0;
    for (int t = 0; t < 120; t++) {
        double share = fmin(t / 30.0, 1.0); // of its speed, so that nothing slips: 1.2 m/s2
        spin = 0.3 * share;
        yard.motion.velocity = vec3(0.5 * share, -0.3 * share, 0.2 * share);
        yard.motion.frame.rotation = mat3_yaw(heading);
        yard.motion.spin = vec3(0, 0, spin);
        move(&yard);
        tick(&yard, NULL, 0);
        heading += spin * TICK;
        yard.motion.frame.position = vec3_madd(yard.motion.frame.position, TICK, yard.motion.velocity);
    }
    p = soil_get_particles(yard.soil);
    int k = 0;
    while (p.id[k] != id) {
        k++;
    }
    Pose frame = soil_get_tray_frame(yard.soil, 0);
    Vec3 moved = vec3_sub(pose_apply_inverse(&frame, vec3(p.x[k], p.y[k], p.z[k])), first);
    print_message("the grain moved in the bed by %.2f mm\n", 1e3 * vec3_length(moved));
    assert_near(vec3_length(moved), 0.0, 0.005);
    soil_destroy(yard.soil);
}

/// A blade drawn 0.6 m along the bed, its edge `height` over the floor and `aside` of the bed's middle.
static void draw_blade(Yard *yard, double aside, double height)
{
    ToolShape shape = plate_shape(0.04, 0.6, 0.8);
    Pose frame = soil_get_tray_frame(yard->soil, 0);
    Vec3 ahead = mat3_mul(&frame.rotation, vec3(0.3, 0, 0));
    SoilTool blade = box_tool(&shape, pose_apply(&frame, vec3(-0.6, aside, height)));
    blade.motion.frame.rotation = frame.rotation;
    blade.motion.velocity = ahead;
    blade.cuts = true;
    for (int t = 0; t < 120; t++) {
        tick(yard, &blade, 1);
        blade.motion.frame.position = blade.motion.center = vec3_madd(blade.motion.center, TICK, ahead);
    }
}

TEST(test_settled_load_can_be_dug)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    pour(&yard, 4);
    stand(&yard, 300);
    SoilLedger before = soil_get_ledger(yard.soil);
    draw_blade(&yard, 2.0, 0.1); // outside its wall
    SoilLedger beside = soil_get_ledger(yard.soil);
    assert_true(beside.trays >= before.trays && beside.ground == before.ground); // the last grains may settle meanwhile
    draw_blade(&yard, 0.0, 0.05);
    SoilLedger after = soil_get_ledger(yard.soil);
    double dug = (double)(before.trays - after.trays) * SOIL_QUANTUM;
    print_message("dug from the bed: %.0f kg\n", dug);
    // 0.8 x 0.6 m, about 0.11 m deep, of 1232 kg/m3
    assert_true(dug > 0.8 * 0.6 * 0.1 * 1232.0);
    assert_true(after.ground == before.ground);
    soil_destroy(yard.soil);
}

static const int quick = 120; ///< ticks in which it is tipped by 50 degrees

static void tip_on(Yard *yard, int first, int ticks)
{
    yard->motion.tail_open = true;
    for (int t = first; t < first + ticks; t++) {
        yard->angle = t < quick ? t * radians(50.0) / quick : radians(50.0);
        tip(yard, t < quick ? radians(50.0) / (quick * TICK) : 0.0);
        tick(yard, NULL, 0);
    }
}

TEST(test_tipping_goes_on_from_a_saved_state)
{
    Yard yard, other;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    pour(&yard, 3);
    stand(&yard, 200);
    tip_on(&yard, 0, 80);
    assert_true(soil_get_counters(yard.soil).particles > 100);
    Copier copier = {.visitor = {.field = copy_field}, .size = (size_t)1 << 26};
    copier.bytes = malloc(copier.size);
    soil_visit(yard.soil, &copier.visitor);
    uint64_t then = hash_soil(yard.soil);
    tip_on(&yard, 80, 100);
    open_yard(&other, sand_scene(), SOIL_SOLVER_DEFAULT, 4);
    other.total = yard.total;
    copier.at = 0;
    copier.visitor.restoring = true;
    soil_visit(other.soil, &copier.visitor);
    assert_false(copier.visitor.failed);
    assert_true(hash_soil(other.soil) == then);
    tip_on(&other, 80, 100);
    assert_true(hash_soil(other.soil) == hash_soil(yard.soil));
    free(copier.bytes);
    soil_destroy(yard.soil);
    soil_destroy(other.soil);
}

/// Restores a state with one number of the field `name` changed.
typedef struct Spoiler {
    Copier copier;
    const char *name;
    double value;
} Spoiler;

static void spoil_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    const Spoiler *spoiler = (const Spoiler *)visitor;
    copy_field(visitor, name, data, size, count);
    if (visitor->restoring && strcmp(name, spoiler->name) == 0) {
        memcpy(data, &spoiler->value, size < sizeof(double) ? size : sizeof(double));
    }
}

TEST(test_a_tray_that_cannot_be_is_not_restored)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    const struct {
        const char *name;
        double value;
    } bad[] = {{"tray.position", NAN}, {"tray.position", 1e9}, {"tray.rotation", 0.5}, {"tray.tail_open", 77.25}};
    unsigned char *bytes = malloc((size_t)1 << 24);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        Spoiler spoiler = {.copier = {.visitor = {.field = spoil_field}, .bytes = bytes, .size = (size_t)1 << 24},
                           .name = bad[k].name,
                           .value = bad[k].value};
        if (strcmp(bad[k].name, "tray.tail_open") == 0) {
            memset(&spoiler.value, 7, sizeof spoiler.value);
        }
        soil_visit(yard.soil, &spoiler.copier.visitor);
        spoiler.copier.at = 0;
        spoiler.copier.visitor.restoring = true;
        soil_visit(yard.soil, &spoiler.copier.visitor);
        assert_true(spoiler.copier.visitor.failed);
    }
    free(bytes);
    soil_destroy(yard.soil);
}

static void assert_refused(Soil *soil, SoilTray tray, const char *why)
{
    Status status;
    status_good(&status);
    assert_int_equal(soil_add_tray(soil, &tray, &status), -1);
    assert_int_equal(status.code, STATUS_BAD_FILE);
    if (strstr(status.text, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", status.text, why);
    }
}

TEST(test_bad_trays_are_refused)
{
    SceneParams scene = sand_scene();
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    SoilTray tray = bed;
    tray.length = 0.0;
    assert_refused(soil, tray, "a side is 0.4 to 30 m");
    tray = bed;
    tray.width = NAN;
    assert_refused(soil, tray, "a side is 0.4 to 30 m");
    tray = bed;
    tray.wall = -1.0;
    assert_refused(soil, tray, "0 to 5 m");
    tray = bed;
    tray.tail = 0.9;
    assert_refused(soil, tray, "it is 0 to 0.8 m");
    tray.tail = NAN;
    assert_refused(soil, tray, "it is 0 to 0.8 m");
    tray = bed;
    tray.floor = -0.5;
    assert_refused(soil, tray, "the ground there is at -0.000 m");
    tray = bed;
    tray.x = 1000.0;
    assert_refused(soil, tray, "x is -4 to 4");
    Status status;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(soil_add_tray(soil, &bed, &status), k);
    }
    assert_refused(soil, bed, "more than 3");
    soil_destroy(soil);
}

static void assert_unmoved(Soil *soil, int index, SoilTrayMotion motion, const char *why)
{
    Status status;
    Pose before = soil_get_tray_frame(soil, 0);
    assert_false(soil_move_tray(soil, index, &motion, &status));
    if (strstr(status.text, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", status.text, why);
    }
    Pose after = soil_get_tray_frame(soil, 0);
    assert_memory_equal(&before, &after, sizeof before);
}

TEST(test_bad_motions_are_refused)
{
    Yard yard;
    open_yard(&yard, sand_scene(), SOIL_SOLVER_DEFAULT, 1);
    assert_unmoved(yard.soil, 1, yard.motion, "there are 1");
    SoilTrayMotion motion = yard.motion;
    motion.frame.position.z = NAN;
    assert_unmoved(yard.soil, 0, motion, "stays over the site");
    motion = yard.motion;
    motion.frame.rotation.m[0][0] = 2.0;
    assert_unmoved(yard.soil, 0, motion, "stays over the site");
    motion = yard.motion;
    motion.velocity.x = 31.0;
    assert_unmoved(yard.soil, 0, motion, "at most 30 m/s");
    motion = yard.motion;
    motion.spin.y = HUGE_VAL;
    assert_unmoved(yard.soil, 0, motion, "10 rad/s");
    soil_destroy(yard.soil);
}

TEST_GROUP(NULL, NULL)
