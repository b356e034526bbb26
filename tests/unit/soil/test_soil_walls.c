/// Upright faces pushed into ground, and tools on what is settled in trays: what they feel, what they leave behind.
#include "tests/support/plates.h"

#include "data/core/tool_geometry.h"

enum { SUBSTEPS = 8 };

/// A wall of 0.2 m that fills a slot in level ground.
typedef struct Wall {
    Soil *soil;
    ToolShape shape;
    SoilTool tool;
    Vec3 way; ///< level unit vector that its face looks along
    double length, depth; ///< m
} Wall;

/// Cuts the columns of level ground within half a length and a breadth of the middle down to `depth` m below zero.
/// `way`: along the breadth.
static void cut_slot(Soil *soil, Vec3 way, double from, double to, double length, double depth)
{
    Ground *ground = soil->state.grounds.site;
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        double x = ground->origin_x + k % ground->columns * ground->spacing;
        double y = ground->origin_y + k / ground->columns * ground->spacing, loose;
        double along = x * way.x + y * way.y, across = y * way.x - x * way.y;
        int index;
        if (along > from && along < to && fabs(across) < 0.5 * length) {
            ground_cut(ground, k / ground->columns, k % ground->columns, -depth, &index, &loose);
        }
    }
}

/// Stands a wall into the ground whose face looks `heading` rad from +x.
static void stand_wall(Wall *wall, const SceneParams *scene, double length, double depth, double heading)
{
    wall->soil = make_soil(scene, SOIL_SOLVER_DEFAULT, 1);
    wall->way = vec3(cos(heading), sin(heading), 0.0);
    wall->length = length;
    wall->depth = depth;
    cut_slot(wall->soil, wall->way, -0.1, 0.1, length, depth);
    wall->shape = slab_shape(0.2, length);
    wall->shape.pieces[0].corners[2][1] = wall->shape.pieces[0].corners[3][1] = 2.0;
    wall->tool = slab_tool(&wall->shape, vec3(0, 0, -depth), vec3(0, 0, 0));
    wall->tool.motion.frame.rotation = mat3_yaw(heading);
}

/// What the ground, without particles, presses on a tool's upright faces, N, in the last substep.
static Vec3 force_on_faces(const Soil *soil)
{
    SoilToolContactView view = soil_get_tool_contacts(soil);
    Vec3 sum = vec3(0, 0, 0);
    for (int k = 0; k < view.count; k++) {
        if (fabs(view.contacts[k].normal.z) < 0.5 && view.contacts[k].particle == SOIL_NO_PARTICLE) {
            sum = vec3_add(sum, view.contacts[k].force);
        }
    }
    return sum;
}

/// Pushes a wall by `way` m at 0.1 m/s; returns the force against it, N.
static double push_wall(Wall *wall, double way)
{
    wall->tool.motion.velocity = vec3_scale(wall->way, 0.1);
    for (int tick = 0; tick < (int)(way / 0.1 / DT + 0.5); tick++) {
        move_tick(wall->soil, &wall->tool);
    }
    return -vec3_dot(force_on_faces(wall->soil), wall->way);
}

static double rankine(const SoilParams *soil)
{
    return pow(tan(M_PI / 4 + soil->friction_angle / 2), 2);
}

/// How much more a wall by itself meets than a part as long of an endless one (Ovesen).
static double three_dimensional(const SoilParams *soil, double length, double depth)
{
    double kp = rankine(soil);
    return 1.0 + pow(kp - 1.0 / kp, 2.0 / 3.0) * 1.6 / (1.0 + 5.0 * length / depth);
}

static double passive_force(const SoilParams *soil, double length, double depth)
{
    double kp = rankine(soil);
    double wedge =
        0.5 * STANDARD_GRAVITY * soil->bank_density * depth * depth * kp + 2.0 * soil->cohesion * sqrt(kp) * depth;
    return length * wedge * three_dimensional(soil, length, depth);
}

/// Pushes a wall at 0.8 m/s for a tick, before anything has time to fall; returns the force against it, N.
static double shove_wall(Wall *wall)
{
    wall->tool.motion.velocity = vec3_scale(wall->way, 0.8);
    move_tick(wall->soil, &wall->tool);
    return -vec3_dot(force_on_faces(wall->soil), wall->way);
}

/// A wall in the ground that is pushed on feels Rankine's passive wedge from the first millimetres on. Sand's own face
/// falls soon after that. What loam and clay are pushed aside is heaved before the wall and weighs on what follows.
TEST(a_wall_pushed_on_feels_the_passive_wedge)
{
    static const char *const names[] = {"sand", "loam", "clay"};
    static const double sizes[][2] = {{1.8, 0.22}, {1.8, 0.25}, {0.6, 0.45}};
    for (int k = 0; k < 9; k++) {
        SceneParams scene = scene_of(names[k / 3]);
        Wall wall;
        stand_wall(&wall, &scene, sizes[k % 3][0], sizes[k % 3][1], 0.0);
        int64_t total = soil_get_ledger(wall.soil).total;
        double law = passive_force(&scene.soils[0], wall.length, wall.depth);
        double force = k < 3 ? shove_wall(&wall) : push_wall(&wall, 0.01);
        print_message("%-5s %.1f x %.2f m: %.2f kN, wedge %.2f kN\n", names[k / 3], wall.length, wall.depth,
                      force / 1e3, law / 1e3);
        assert_near(force, law, 0.02 * law);
        double least = HUGE_VAL, most = 0.0;
        for (int step = 0; step < 24 && k >= 3; step++) { // across the middles of two columns
            force = push_wall(&wall, 0.01);
            least = fmin(least, force);
            most = fmax(most, force);
        }
        if (k >= 3) {
            print_message("  pushed by 0.25 m: %.2f to %.2f kN\n", least / 1e3, most / 1e3);
            assert_true(least > 0.9 * law && most < 1.6 * law);
            assert_true(soil_get_height(wall.soil, 0.2, 0.0) < 0.05 - wall.depth); // the wall has gone through
            assert_true(soil_get_height(wall.soil, 0.6, 0.0) > 0.02); // and heaved it
        }
        assert_true(soil_get_ledger(wall.soil).total == total);
        soil_destroy(wall.soil);
    }
}

/// Sand falls before a wall that is pushed into it; what is caught there goes into the ground and carries no more than
/// that does.
TEST(grains_caught_by_a_wall_do_not_jam_it)
{
    SceneParams scene = scene_of("sand");
    Wall wall;
    stand_wall(&wall, &scene, 1.8, 0.25, 0.0);
    int64_t total = soil_get_ledger(wall.soil).total;
    double law = passive_force(&scene.soils[0], wall.length, wall.depth), most = 0.0, sum = 0.0;
    wall.tool.motion.velocity = vec3(0.1, 0, 0);
    for (int tick = 0; tick < 180; tick++) {
        double force = -move_tick(wall.soil, &wall.tool).x;
        most = fmax(most, force);
        sum += force / 180.0;
    }
    print_message("sand before a wall pushed by 0.3 m: %.1f kN, at most %.1f, wedge %.1f\n", sum / 1e3, most / 1e3,
                  law / 1e3);
    assert_true(soil_get_ledger(wall.soil).total == total);
    assert_true(sum < 4.0 * law && most < 10.0 * law);
    soil_destroy(wall.soil);
}

/// Whichever way a wall looks over the columns, it feels the same.
TEST(walls_aslant_to_the_columns_feel_the_same)
{
    SceneParams scene = scene_of("loam");
    for (int degrees = 15; degrees <= 60; degrees += 15) {
        Wall wall;
        stand_wall(&wall, &scene, 1.8, 0.25, radians(degrees));
        double law = passive_force(&scene.soils[0], wall.length, wall.depth), least = HUGE_VAL, most = 0.0;
        push_wall(&wall, 0.1); // to where all of it stands before ground
        for (int step = 0; step < 15; step++) {
            double force = push_wall(&wall, 0.01);
            least = fmin(least, force);
            most = fmax(most, force);
        }
        print_message("%d degrees: %.2f to %.2f kN, wedge %.2f kN\n", degrees, least / 1e3, most / 1e3, law / 1e3);
        assert_true(least > 0.85 * law && most < 1.6 * law);
        soil_destroy(wall.soil);
    }
}

/// What a wall of 1 t does under a force.
typedef struct Slide {
    double speed; ///< m/s
    double way; ///< m
    double work; ///< J, of the soil on it, ever
    double most_work, back; ///< J, m/s: largest
} Slide;

/// One tick of a wall that may move along its way under `force`, N.
static void slide_tick(Wall *wall, Slide *slide, double force)
{
    const double inverse = 1e-3, h = DT / SUBSTEPS;
    SoilTool *tool = &wall->tool;
    tool->motion.inverse_mass = inverse;
    soil_begin_tick(wall->soil, tool, 1, DT);
    for (int k = 0; k < SUBSTEPS; k++) {
        Wrench wrench;
        soil_substep(wall->soil, tool, 1, h, &wrench);
        double soil = vec3_dot(wrench.force, wall->way), before = slide->speed;
        slide->speed += (force + soil) * inverse * h;
        slide->way += slide->speed * h;
        slide->work += 0.5 * (before + slide->speed) * soil * h;
        slide->most_work = fmax(slide->most_work, slide->work);
        slide->back = fmax(slide->back, -slide->speed);
        tool->motion.velocity = vec3_scale(wall->way, slide->speed);
        tool->motion.frame.position = tool->motion.center =
            vec3_add(vec3(0, 0, -wall->depth), vec3_scale(wall->way, slide->way));
    }
    soil_end_tick(wall->soil, tool, 1);
}

/// Below what the ground bears a wall stalls and stays; let go, it is hardly thrown back; beyond it the ground gives
/// way, until what is heaved before the wall holds it too. The soil never does more work on it than it was given.
TEST(a_wall_stalls_holds_and_is_not_thrown_back)
{
    SceneParams scene = scene_of("loam");
    for (int beyond = 0; beyond < 2; beyond++) {
        Wall wall;
        Slide slide = {0};
        stand_wall(&wall, &scene, 1.8, 0.25, 0.0);
        double law = passive_force(&scene.soils[0], wall.length, wall.depth), force = (beyond ? 1.3 : 0.7) * law;
        for (int tick = 0; tick < 120; tick++) {
            slide_tick(&wall, &slide, force * fmin(1.0, tick / 30.0));
        }
        double stalled = slide.way;
        for (int tick = 0; tick < 120 && !beyond; tick++) {
            slide_tick(&wall, &slide, force);
        }
        double crept = slide.way - stalled, held = slide.way, swing = slide.back;
        for (int tick = 0; tick < 60 && !beyond; tick++) {
            slide_tick(&wall, &slide, 0.0);
        }
        print_message("%.1f of the wedge's force: %.2f mm, creeps %.3f mm in 2 s; let go: %.2f mm back, %.3f m/s, soil "
                      "worked %.2f J at most\n",
                      force / law, 1e3 * stalled, 1e3 * crept, 1e3 * (held - slide.way), slide.back, slide.most_work);
        assert_true(beyond ? stalled > 0.05 : stalled < 0.006);
        if (!beyond) {
            assert_near(crept, 0.0, 1e-4);
            double given = 0.5 * force * held; // J; a fifth of it comes back
            assert_true(swing < 0.005 && 0.5 * 1e3 * slide.back * slide.back < 0.2 * given);
            assert_true(held - slide.way < 0.5 * held);
        }
        assert_true(slide.most_work < 1e-6);
        soil_destroy(wall.soil);
    }
}

/// A fin between the wall and a trench is sheared off at its foot.
TEST(a_fin_bears_what_its_foot_holds)
{
    SceneParams scene = scene_of("clay");
    const SoilParams *clay = &scene.soils[0];
    for (int columns = 1; columns <= 3; columns++) {
        Wall wall;
        double thick = 0.1 * columns;
        stand_wall(&wall, &scene, 1.8, 0.45, 0.0);
        cut_slot(wall.soil, wall.way, 0.1 + thick, 1.0, 2.0, 0.5);
        double weight = STANDARD_GRAVITY * clay->bank_density * wall.depth;
        double foot = wall.length * thick * (weight * tan(clay->friction_angle) + clay->cohesion);
        double force = shove_wall(&wall), law = passive_force(clay, wall.length, wall.depth);
        print_message("fin of %.1f m: %.1f kN, its foot %.1f kN, a wedge %.1f kN\n", thick, force / 1e3, foot / 1e3,
                      law / 1e3);
        assert_near(force, foot, 0.05 * foot);
        soil_destroy(wall.soil);
    }
}

/// What ground bears on the part of a bucket's side plate that is below zero, N.
static double passive_on_plate(const SoilParams *soil, const SoilTool *tool)
{
    const double step = 0.01, y = 0.649;
    double kp = rankine(soil), sum = 0.0, low_x = HUGE_VAL, high_x = -HUGE_VAL, low_z = 0.0;
    for (double x = -2.0; x < 2.0; x += step) {
        for (double z = -2.0; z < 2.0; z += step) {
            Vec3 at = pose_apply(&tool->motion.frame, vec3(x, y, z));
            if (at.z < 0.0 && tool_distance(tool->shape, vec3(x, y, z)) < 0.0) {
                double q = -STANDARD_GRAVITY * soil->bank_density * at.z;
                sum += step * step * (q * kp + 2.0 * soil->cohesion * sqrt(kp));
                low_x = fmin(low_x, at.x);
                high_x = fmax(high_x, at.x);
                low_z = fmin(low_z, at.z);
            }
        }
    }
    return sum * three_dimensional(soil, high_x - low_x, -low_z);
}

/// A bucket in its cut that is swung against the wall feels the wedge beside its side plate; the wall is pushed aside,
/// its edge cuts nothing. Along the wall it meets nothing.
TEST(a_bucket_swung_in_its_cut_meets_the_wall)
{
    static const char *const names[] = {"loam", "clay"};
    for (int k = 0; k < 2; k++) {
        SceneParams scene = scene_of(names[k]);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        cut_slot(soil, vec3(0, 1, 0), -0.65, 0.65, 4.0, 0.6);
        int64_t total = soil_get_ledger(soil).total;
        SoilTool tool = box_tool(bucket_shape(), vec3(0, 0, 0.9));
        tool.motion.frame.rotation = pitch(radians(90)); // hangs down
        tool.motion.center = tool.motion.frame.position;
        tool.cuts = true;
        tool.motion.velocity = vec3(0, 0, 0.1);
        for (int tick = 0; tick < 12; tick++) {
            move_tick(soil, &tool);
            assert_true(vec3_length(force_on_faces(soil)) < 1.0);
        }
        double law = passive_on_plate(&scene.soils[0], &tool), least = HUGE_VAL, most = 0.0;
        tool.motion.velocity = vec3(0, 0.2, 0);
        for (int tick = 0; tick < 60; tick++) {
            move_tick(soil, &tool);
            double force = -force_on_faces(soil).y;
            least = tick > 3 ? fmin(least, force) : least;
            most = fmax(most, force);
        }
        int particles = soil_get_counters(soil).particles;
        print_message("%s: swung by 0.2 m: %.1f to %.1f kN, the plate's wedge %.1f kN, %d particles\n", names[k],
                      least / 1e3, most / 1e3, law / 1e3, particles);
        assert_true(least > 0.7 * law && most < 1.6 * law);
        assert_int_equal(soil->derived.probe.cut_count, 0); // what little falls, falls from what it has left standing
        assert_true(soil_get_ledger(soil).total == total);
        soil_destroy(soil);
    }
}

static const SoilTray bed = {
    .x = 1.0, .y = 0.5, .heading = 0.3, .length = 3.0, .width = 2.0, .floor = 1.2, .wall = 0.8};

/// Presses a plate into loose loam 0.5 m thick, in a tray or on the site; returns the force on it, N.
static Vec3 press_load(bool in_tray, double drive, double sideways)
{
    SceneParams scene = scene_of("loam");
    scene.ground.size_x = 20.0;
    Soil *soil = in_tray ? make_soil(&scene, SOIL_SOLVER_DEFAULT, 1) : filled_soil(&scene, 0.5);
    Status status;
    Vec3 at = vec3(0, 0, 0.501), force = vec3(0, 0, 0);
    SoilTrayMotion motion = {.velocity = vec3(drive, 0, 0)};
    if (in_tray) {
        assert_int_equal(soil_add_tray(soil, &bed, &status), 0);
        Ground *load = soil->state.grounds.trays[0].ground;
        double density = scene.soils[0].bank_density / (1.0 + scene.soils[0].swell);
        for (int k = 0; k < load->rows * load->columns; k++) {
            ground_put(load, k / load->columns, k % load->columns, 0,
                       (int64_t)(0.5 * density * load->area / SOIL_QUANTUM), false);
        }
        motion.frame = soil_get_tray_frame(soil, 0);
        at = vec3(bed.x, bed.y, bed.floor + 0.501);
    }
    int64_t total = soil_get_ledger(soil).total;
    ToolShape shape = slab_shape(0.3, 0.6);
    SoilTool plate = slab_tool(&shape, at, vec3(drive + sideways, 0, -0.05));
    plate.motion.frame.rotation = mat3_yaw(in_tray ? bed.heading : 0.0);
    for (int tick = 0; tick < 60; tick++) {
        if (in_tray) {
            assert_good(soil_move_tray(soil, 0, &motion, &status), status);
            motion.frame.position.x += drive * DT;
        }
        force = move_tick(soil, &plate);
    }
    assert_true(soil_get_ledger(soil).total == total);
    assert_int_equal(soil_get_counters(soil).particles, 0);
    print_message("%s, driven at %.1f m/s, rubbed at %.1f m/s: %.2f kN, along %.2f kN\n", in_tray ? "tray" : "site",
                  drive, sideways, force.z / 1e3, force.x / 1e3);
    soil_destroy(soil);
    return force;
}

/// A load in a tray bears a plate as the same soil does on the site, standing and driven along.
TEST(a_load_in_a_tray_bears_as_the_site_does)
{
    Vec3 site = press_load(false, 0.0, 0.0), tray = press_load(true, 0.0, 0.0), driven = press_load(true, 2.0, 0.0);
    assert_true(site.z > 1e3);
    assert_near(tray.z, site.z, 0.03 * site.z);
    assert_near(driven.z, tray.z, 0.01 * tray.z);
    assert_near(driven.x, 0.0, 0.01 * tray.z);
    Vec3 rubbed = press_load(true, 0.0, 0.1);
    assert_true(rubbed.x < -0.2 * rubbed.z);
}

/// Pushes a plate into the site while slabs lie beside the bed, lower than what that holds; returns the force on it, N.
static double press_beside_bed(int slabs)
{
    enum { MOST = 20 };
    assert_true(slabs <= MOST);
    SceneParams scene = scene_of("loam");
    scene.ground.size_x = 20.0;
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    Status status;
    assert_int_equal(soil_add_tray(soil, &bed, &status), 0);
    ToolShape small = slab_shape(0.3, 0.6), large = slab_shape(2.0, 2.0);
    SoilTool tools[MOST + 1];
    for (int k = 0; k < slabs; k++) {
        tools[k] = slab_tool(&large, vec3(bed.x, bed.y - 2.5, 0.7), vec3(0, 0, 0));
    }
    tools[slabs] = slab_tool(&small, vec3(-4.0, 0, -0.01), vec3(0, 0, -0.05));
    Wrench wrenches[MOST + 1];
    soil_begin_tick(soil, tools, slabs + 1, DT);
    soil_substep(soil, tools, slabs + 1, DT / SUBSTEPS, wrenches);
    soil_end_tick(soil, tools, slabs + 1);
    soil_destroy(soil);
    return wrenches[slabs].force.z;
}

/// Steel beside a truck lies in no ground of its bed, and takes no room from what lies in the site's.
TEST(steel_beside_a_bed_is_not_in_its_load)
{
    double alone = press_beside_bed(0);
    assert_true(alone > 1e3);
    assert_true(press_beside_bed(20) == alone);
}

/// A wall that is pushed and a plate on a load are restored in the middle of it, and go on bit for bit.
TEST(walls_restore_exactly)
{
    SceneParams scene = scene_of("loam");
    Wall wall;
    stand_wall(&wall, &scene, 1.8, 0.25, 0.2);
    push_wall(&wall, 0.03);
    assert_true(wall.soil->state.bearing.count > 20);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    Wall other = wall;
    other.soil = copy_soil(wall.soil, &scene, &copier);
    other.tool.shape = &other.shape;
    assert_true(push_wall(&wall, 0.05) == push_wall(&other, 0.05));
    assert_true(hash_soil(wall.soil) == hash_soil(other.soil));
    free(copier.bytes);
    soil_destroy(other.soil);
    soil_destroy(wall.soil);
}

/// What no program could have written about walls is refused.
TEST(forged_walls_are_refused)
{
    static const struct {
        const char *field;
        size_t at;
        int32_t value;
    } forgeries[] = {{"bearing.count", 0, -1}, {"bearing.count", 0, BEARING_PATCHES + 1}, {"bearing.key", 1, 0}};
    SceneParams scene = scene_of("loam");
    Wall wall;
    stand_wall(&wall, &scene, 1.8, 0.25, 0.0);
    push_wall(&wall, 0.02);
    for (size_t k = 0; k < sizeof forgeries / sizeof *forgeries; k++) {
        Forger forger = {.copier = {.visitor = {.field = forge_field}, .size = 64u << 20},
                         .field = forgeries[k].field,
                         .at = forgeries[k].at,
                         .value = forgeries[k].value};
        forger.copier.bytes = malloc(forger.copier.size);
        assert_non_null(forger.copier.bytes);
        soil_visit(wall.soil, &forger.copier.visitor);
        forger.copier.at = 0;
        forger.copier.visitor.restoring = true;
        Soil *copy = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        soil_visit(copy, &forger.copier.visitor);
        assert_true(forger.copier.visitor.failed);
        soil_destroy(copy);
        free(forger.copier.bytes);
    }
    BearingMemory memory = {.count = 1, .pushed = {0.001}};
    assert_true(bearing_memory_is_valid(&memory));
    static const double bad[] = {0.0, -0.001, 1.5, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        memory.pushed[0] = bad[k];
        assert_false(bearing_memory_is_valid(&memory));
    }
    soil_destroy(wall.soil);
}

/// A high wall that goes on from a low one: what is listed to run over the low one stands beside it, and where a column
/// is barred from the one beside it, that one is barred from it, also on a heap that rises over one's top.
TEST(borders_are_those_of_their_own_fixture)
{
    SceneParams scene = loam_scene();
    scene.ground.mound_count = 1;
    scene.ground.mounds[0] = (SceneMound){.y = -1.2, .height = 1.0};
    scene.fixtures_count = 2;
    scene.fixtures[0] =
        (SceneFixture){.name = "low", .y = -1.5, .length = 0.4, .width = 3.0, .bottom = -2.0, .top = 0.2};
    scene.fixtures[1] =
        (SceneFixture){.name = "high", .y = 1.5, .length = 0.4, .width = 3.0, .bottom = -2.0, .top = 2.0};
    Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
    const Ground *site = soil->state.grounds.site;
    const Fixtures *fixtures = &soil->state.grounds.fixtures;
    assert_true(fixtures->border_count > 0);
    for (int k = 0; k < fixtures->border_count; k++) {
        const FixtureBorder *border = &fixtures->border[k];
        double y = site->origin_y + border->index / site->columns * site->spacing;
        bool low = border->top < 1.0F;
        assert_true(low ? y < 0.5 * site->spacing : y > -1.5 * site->spacing);
    }
    for (int k = 0; k < site->rows * site->columns * 9; k++) {
        int row = k / 9 / site->columns, column = k / 9 % site->columns, r = k % 9 / 3 - 1, c = k % 3 - 1;
        bool inside = row + r >= 0 && row + r < site->rows && column + c >= 0 && column + c < site->columns;
        if (inside && (r != 0 || c != 0)) {
            assert_int_equal(ground_is_barred(site, row, column, r, c),
                             ground_is_barred(site, row + r, column + c, -r, -c));
        }
    }
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
