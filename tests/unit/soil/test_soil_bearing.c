/// Tools pressed on the ground: what it bears, how it gives way, what is left behind.
#include "tests/support/plates.h"

#define PLATE_LENGTH 1.8 ///< m
#define PLATE_WIDTH  0.3

/// Terzaghi's sum c Nc + q Nq + 1/2 g rho B Ngamma of the plate, with tables' factors and Vesic's of its shape.
static double plate_capacity(const SoilParams *soil, double depth)
{
    double broad = PLATE_WIDTH / PLATE_LENGTH;
    double phi = soil->friction_angle, nq = exp(M_PI * tan(phi)) * pow(tan(M_PI / 4 + phi / 2), 2);
    double nc = (nq - 1) / tan(phi), ngamma = 2 * (nq + 1) * tan(phi);
    double weight = STANDARD_GRAVITY * soil->bank_density;
    return soil->cohesion * nc * (1 + broad * nq / nc) + weight * depth * nq * (1 + broad * tan(phi)) +
           0.5 * weight * PLATE_WIDTH * ngamma * (1 - 0.4 * broad);
}

/// Mean height of the ground 0.1 m beside a plate's four sides: heaved soil weighs on what would have to give way.
static double ground_beside(const Soil *soil)
{
    double x = 0.5 * PLATE_WIDTH + 0.15, y = 0.5 * PLATE_LENGTH + 0.15;
    return 0.25 * (soil_get_height(soil, x, 0) + soil_get_height(soil, -x, 0) + soil_get_height(soil, 0, y) +
                   soil_get_height(soil, 0, -y));
}

/// Pressed down slowly, a plate feels its area times the capacity of intact ground, no more.
TEST(a_plate_feels_the_bearing_capacity)
{
    static const char *const names[] = {"sand", "loam", "clay"};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = scene_of(names[k]);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        ToolShape shape = slab_shape(PLATE_WIDTH, PLATE_LENGTH);
        SoilTool plate = slab_tool(&shape, vec3(0, 0, 0.001), vec3(0, 0, -0.05));
        int64_t total = soil_get_ledger(soil).total;
        double last = -1.0;
        for (int tick = 0; tick < 60; tick++) {
            double force = move_tick(soil, &plate).z, depth = ground_beside(soil) - plate.motion.frame.position.z;
            double law = PLATE_WIDTH * PLATE_LENGTH * plate_capacity(&scene.soils[0], depth);
            if (tick >= 40) {
                assert_near(force, law, 0.05 * law);
            }
            assert_true(force > -1e-6 && force > 0.97 * last); // never falls by much
            last = force;
            if (tick % 20 == 19) {
                print_message("%-5s %.0f mm deep: %.1f kN, law %.1f kN\n", names[k], 1e3 * depth, force / 1e3,
                              law / 1e3);
            }
        }
        assert_int_equal(soil_get_counters(soil).particles, 0);
        assert_true(soil_get_ledger(soil).total == total);
        plate.motion.velocity.z = 0.1; // pulled out: the ground does not hold it back
        for (int tick = 0; tick < 60; tick++) {
            assert_true(move_tick(soil, &plate).z > -1.0);
        }
        print_message("%-5s print %.0f mm\n", names[k], 1e3 * soil_get_height(soil, 0.0, 0.0));
        assert_true(soil_get_height(soil, 0.0, 0.0) < -0.02); // its print stays
        soil_destroy(soil);
    }
}

/// A plate of 1 t that may move up and down, under a load that grows to `load` newton in a second; returns how deep it
/// has sunk after `seconds`.
static double sink_under(Soil *soil, double load, double seconds, double *least)
{
    ToolShape shape = slab_shape(PLATE_WIDTH, PLATE_LENGTH);
    double z = soil_get_height(soil, 0, 0), start = z, speed = 0.0;
    *least = HUGE_VAL;
    for (int tick = 0; tick < (int)(seconds / DT); tick++) {
        SoilTool plate = slab_tool(&shape, vec3(0, 0, z), vec3(0, 0, speed));
        plate.motion.inverse_mass = 1e-3;
        Wrench wrench;
        soil_begin_tick(soil, &plate, 1, DT);
        for (int k = 0; k < 8; k++) {
            plate.motion.frame.position.z = plate.motion.center.z = z;
            plate.motion.velocity.z = speed;
            soil_substep(soil, &plate, 1, DT / 8, &wrench);
            speed += (wrench.force.z - load * fmin(1.0, tick * DT)) * 1e-3 * DT / 8;
            z += speed * DT / 8;
        }
        soil_end_tick(soil, &plate, 1);
        for (int k = -8; k <= 8; k++) {
            *least = fmin(*least, z - soil_get_height(soil, 0.0, 0.1 * k));
        }
    }
    return start - z;
}

/// Below its capacity the ground holds; beyond it the plate sinks by pushing ground aside, and is never inside it.
TEST(an_overloaded_plate_sinks_but_not_through)
{
    SceneParams scene = scene_of("loam");
    double capacity = PLATE_WIDTH * PLATE_LENGTH * plate_capacity(&scene.soils[0], 0.0);
    double sunk[3], least;
    for (int k = 0; k < 3; k++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int64_t total = soil_get_ledger(soil).total;
        double share = 0.5 + 0.4 * k;
        sunk[k] = sink_under(soil, share * capacity, 3.0, &least);
        print_message("%.1f of the capacity: sinks %.0f mm, at most %.0f mm in the ground\n", share, 1e3 * sunk[k],
                      -1e3 * least);
        assert_true(least > -0.03);
        assert_true(soil_get_ledger(soil).total == total);
        soil_destroy(soil);
    }
    assert_true(sunk[0] < 0.02 && sunk[1] < 0.03);
    assert_true(sunk[2] > 0.05 && sunk[2] < 1.0); // deeper ground bears more
}

/// Loose soil bears less than intact soil, sinks further the harder it is pressed, and once tamped bears more.
TEST(loose_soil_sinks_and_tamped_soil_resists)
{
    SceneParams scene = scene_of("loam");
    Soil *loose = filled_soil(&scene, 1.0);
    double area = PLATE_WIDTH * PLATE_LENGTH, last = 0.0, first = 0.0, least;
    for (int k = 1; k <= 3; k++) {
        double sunk = sink_under(loose, 10e3 * k * area, 2.0, &least);
        last += sunk;
        print_message("loose loam under %d kPa: %.0f mm deep\n", 10 * k, 1e3 * last);
        assert_true(sunk > 0.002 && least > -0.03);
        first = k == 1 ? sunk : first;
    }
    double again = sink_under(loose, 20e3 * area, 2.0, &least);
    assert_true(again < 0.1 * last); // tamped
    assert_true(soil_get_surface(loose, 0, 0).looseness < 0.8);
    soil_destroy(loose);
}

/// A loose fill pressed harder and harder sinks further, by about what Bekker's law says of field soils: p = (kc / b +
/// kphi) z^n with Wong's values for dry sand (n 1.1, kc 0.99, kphi 1528 in kN and m). Printed beside it, for a fill is
/// no field soil.
TEST(a_sand_fill_sinks_beside_bekkers_law)
{
    SceneParams scene = scene_of("sand");
    Soil *fill = filled_soil(&scene, 1.0);
    double area = PLATE_WIDTH * PLATE_LENGTH, deep = 0.0, least;
    for (double pressure = 20e3; pressure < 85e3; pressure += 20e3) {
        double sunk = sink_under(fill, pressure * area, 2.0, &least);
        double bekker = pow(pressure / 1e3 / (0.99 / PLATE_WIDTH + 1528.0), 1.0 / 1.1);
        assert_true(sunk > 0.0 && least > -0.03);
        deep += sunk;
        print_message("loose sand under %.0f kPa: %.0f mm deep, Bekker %.0f\n", pressure / 1e3, 1e3 * deep,
                      1e3 * bekker);
    }
    assert_true(deep < 0.2);
    soil_destroy(fill);
}

/// Lowest point of a shape turned by `turn`.
static double lowest(const ToolShape *shape, const Mat3 *turn)
{
    double low = HUGE_VAL;
    for (int k = 0; k < shape->piece_count; k++) {
        for (int c = 0; c < shape->pieces[k].corner_count; c++) {
            const double *corner = shape->pieces[k].corners[c];
            low = fmin(low, mat3_mul(turn, vec3(corner[0], 0, corner[1])).z);
        }
    }
    return low;
}

/// Back and sides cut nothing: dragged on its back, along and sideways, the bucket leaves a tamped track, no particle.
TEST(a_bucket_on_its_back_tamps_and_cuts_nothing)
{
    const ToolShape *shape = bucket_shape();
    Mat3 turn = pitch(M_PI); // the opening, towards -z, looks up
    double low = lowest(shape, &turn);
    static const double way[3][2] = {{0.5, 0.0}, {-0.5, 0.0}, {0.0, 0.5}};
    for (int k = 0; k < 3; k++) {
        SceneParams scene = scene_of("loam");
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int64_t total = soil_get_ledger(soil).total;
        SoilTool tool = box_tool(shape, vec3(0.5 - 2.0 * way[k][0], -2.0 * way[k][1], -low));
        tool.motion.frame.rotation = turn;
        tool.cuts = true;
        tool.motion.velocity = vec3(0, 0, -0.1);
        int spawned = 0;
        double most = 0.0, drag = 0.0;
        for (int tick = 0; tick < 60 + 100; tick++) {
            if (tick == 60) {
                tool.motion.velocity = vec3(way[k][0], way[k][1], 0.0);
            }
            Vec3 force = move_tick(soil, &tool);
            spawned += soil_get_counters(soil).spawned;
            most = fmax(most, force.z);
            drag = fmax(drag, -(force.x * way[k][0] + force.y * way[k][1]) / 0.5);
            assert_true(soil_get_ledger(soil).total == total);
        }
        double print = soil_get_height(soil, tool.motion.frame.position.x - 0.75, tool.motion.frame.position.y);
        print_message(
            "bucket on its back, %+.1f %+.1f m/s: %d particles, pressed %.0f kN, drag %.0f kN, print %.0f mm\n",
            way[k][0], way[k][1], spawned, most / 1e3, drag / 1e3, 1e3 * print);
        assert_int_equal(spawned, 0);
        assert_true(most > 20e3 && drag > 2e3);
        assert_true(print < -0.05);
        soil_destroy(soil);
    }
}

/// The bucket's edge pressed straight down, slowly: the ground bears it on the edge's own narrow width and is pushed
/// aside. What it bears never exceeds the capacity of the edge's outline.
TEST(an_edge_pressed_down_is_borne_on_its_own_width)
{
    const ToolShape *shape = bucket_shape();
    Mat3 turn = pitch(radians(24)); // its leading plate stands upright, edge down
    double low = lowest(shape, &turn);
    static const char *const names[] = {"sand", "clay"};
    double most[2];
    for (int k = 0; k < 2; k++) {
        SceneParams scene = scene_of(names[k]);
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        int64_t total = soil_get_ledger(soil).total;
        SoilTool tool = box_tool(shape, vec3(0, 0, -low));
        tool.motion.frame.rotation = turn;
        tool.cuts = true;
        tool.motion.velocity = vec3(0, 0, -0.015);
        most[k] = 0.0;
        for (int tick = 0; tick < 400; tick++) {
            most[k] = fmax(most[k], move_tick(soil, &tool).z);
        }
        assert_true(soil_get_ledger(soil).total == total);
        print_message("edge 0.1 m into %s: %.1f kN at most\n", names[k], most[k] / 1e3);
        soil_destroy(soil);
    }
    assert_true(most[0] > 500.0 && most[1] > 2.0 * most[0]);
    assert_true(most[1] < 340e3 * 0.3 * 1.3); // the capacity of clay on the edge's outline
}

/// Stamps with a plate here and there and drags the bucket's edge through what it has stamped, from tick `from` to
/// `to`.
static void stamp_and_dig(Soil *soil, int from, int to)
{
    ToolShape slab = slab_shape(0.5, 0.7);
    for (int tick = from; tick < to; tick++) {
        double t = tick * DT;
        SoilTool tools[2] = {slab_tool(&slab, vec3(sin(0.7 * t), 0.5, 0.45 + 0.12 * cos(9.0 * t)), vec3(0, 0, 0)),
                             box_tool(bucket_shape(), vec3(-2.0 + 0.4 * t, -0.5, 0.9))};
        tools[0].motion.velocity = vec3(0.7 * cos(0.7 * t), 0, -1.08 * sin(9.0 * t));
        tools[1].motion.frame.rotation = pitch(radians(24));
        tools[1].motion.velocity = vec3(0.4, 0, 0);
        tools[1].cuts = true;
        run_ticks(soil, tools, 2, 1);
    }
}

/// Ground that tools tamp, push aside and dig is restored in the middle of it and goes on bit for bit, on another
/// number of threads.
TEST(tamped_ground_restores_exactly)
{
    SceneParams scene = scene_of("loam");
    Soil *soil = filled_soil(&scene, 0.5);
    Copier copier = {.visitor = {.field = copy_field}, .size = 64u << 20};
    copier.bytes = malloc(copier.size);
    assert_non_null(copier.bytes);
    for (int from = 0; from < 180; from += 60) {
        Soil *copy = copy_soil(soil, &scene, &copier);
        let_fill_reach_beyond(copy);
        stamp_and_dig(soil, from, from + 60);
        stamp_and_dig(copy, from, from + 60);
        assert_true(hash_soil(soil) == hash_soil(copy));
        soil_destroy(copy);
    }
    assert_true(soil_get_height(soil, 0.0, 0.5) < 0.47); // stamped
    assert_true(soil_get_counters(soil).particles > 0); // and dug
    free(copier.bytes);
    soil_destroy(soil);
}

TEST_GROUP(NULL, NULL)
