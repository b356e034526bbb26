/// Boulders made of random numbers: volume and mass as asked for, the same each time; and as soil sees them.

#include "data/core/tool_geometry.h"
#include "data/schema/load.h"
#include "soil/soil.h"
#include "tests/support/test.h"
#include "trainer/sim/session_rocks.h"

static void build(SceneRockShape kind, uint64_t index, RockShapeParams *params, ConvexHull *hull)
{
    const char *reason = "";
    rock_shape_make(kind, 0.6, 2600.0, 7, index, params);
    assert_int_equal(params->part_count, 1);
    if (!convex_build(params->part[0].point, params->part[0].point_count, hull, &reason)) {
        fail_msg("%s", reason);
    }
}

/// pi/6 d^3, and that times the density, as a whole number of quanta.
TEST(volume_and_mass_are_those_of_the_sphere)
{
    const double volume = M_PI / 6.0 * 0.6 * 0.6 * 0.6;
    for (int kind = SCENE_ROCK_ANGULAR; kind <= SCENE_ROCK_SLAB; kind++) {
        for (uint64_t index = 0; index < 50; index++) {
            RockShapeParams params, again;
            ConvexHull hull;
            ConvexIntegrals sum = {0};
            build((SceneRockShape)kind, index, &params, &hull);
            convex_integrate(&hull, &sum);
            assert_true(fabs(sum.volume - volume) < 1e-4 * volume);
            assert_true(fabs(params.mass - 2600.0 * volume) <= SOIL_QUANTUM);
            double quanta = params.mass / SOIL_QUANTUM;
            assert_true(fabs(quanta - round(quanta)) < 1e-3);
            rock_shape_make((SceneRockShape)kind, 0.6, 2600.0, 7, index, &again);
            assert_memory_equal(&params, &again, sizeof params);
        }
    }
}

/// Slices hold nearly the volume of the hull, and every corner of the hull lies in them or within a fifth of the size.
TEST(slices_are_the_rock)
{
    for (int kind = SCENE_ROCK_ANGULAR; kind <= SCENE_ROCK_SLAB; kind++) {
        for (uint64_t index = 0; index < 20; index++) {
            RockShapeParams params;
            ConvexHull hull;
            ConvexIntegrals sum = {0};
            ToolShape shape;
            build((SceneRockShape)kind, index, &params, &hull);
            convex_integrate(&hull, &sum);
            rock_shape_slice(&hull, &shape);
            double volume = 0.0;
            for (int k = 0; k < shape.piece_count; k++) {
                const ToolPiece *piece = &shape.pieces[k];
                double area = 0.0;
                for (int c = 0; c < piece->corner_count; c++) {
                    const double *a = piece->corners[c], *b = piece->corners[(c + 1) % piece->corner_count];
                    area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
                }
                assert_true(area > 0.0); // counter-clockwise
                volume += area * (piece->y_max - piece->y_min);
            }
            assert_true(fabs(volume - sum.volume) < 0.12 * sum.volume);
            for (int k = 0; k < hull.point_count; k++) {
                assert_true(tool_distance(&shape, hull.point[k]) < 0.2 * 0.6);
            }
        }
    }
}

/// A body has room for ROCK_MAX_MOVER_PARTS parts; a machine with more is refused by name.
TEST(a_body_of_too_many_parts_is_refused)
{
    static RockMoverParams movers[MACHINE_MAX_BODIES];
    MachineParams machine;
    Status status;
    assert_good(data_load_machine("excavator-22t", &machine, NULL, &status), status);
    assert_true(rock_mover_bodies(&machine, movers, &status));
    assert_true(movers[MACHINE_BASE].part_count >= 2);
    int body = machine.tool[0].body;
    for (int k = 0; k < MACHINE_MAX_SOLIDS; k++) {
        machine.solid[k] = machine.solid[0];
        machine.solid[k].body = body;
    }
    machine.solid_count = MACHINE_MAX_SOLIDS;
    machine.tool[0].shape.piece_count = ROCK_MAX_MOVER_PARTS - MACHINE_MAX_SOLIDS + 1;
    assert_false(rock_mover_bodies(&machine, movers, &status));
    assert_non_null(strstr(status.text, "has 33 pieces"));
    assert_non_null(strstr(status.text, machine.body[body].name));
}

TEST_GROUP(NULL, NULL)
