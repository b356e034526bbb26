/// What a blade leaves standing where its edge went: on the level, down a slope, on a way that rises and falls.
#include "tests/support/plates.h"

#define WIDTH 1.2 ///< m: of the blade
#define SPEED 0.5 ///< m/s, along x
#define BEGIN (-1.5) ///< m: x where it begins
#define END   1.5

/// A way of the edge over ground that falls evenly.
typedef struct EdgeWay {
    double fall; ///< m a metre
    double depth; ///< m, mean
    double wave, length; ///< m: amplitude and length of what it rises and falls besides
    double ends; ///< m: width of what rides on the ground beside
} EdgeWay;

static double ground_at(const EdgeWay *way, double x)
{
    return -way->fall * x;
}

static double edge_at(const EdgeWay *way, double x)
{
    double wave = way->wave > 0.0 ? way->wave * sin(2.0 * M_PI * x / way->length) : 0.0;
    return ground_at(way, x) - way->depth + wave;
}

static SoilTool blade_on(const EdgeWay *way, const ToolShape *shape, double x)
{
    const double step = 1e-4;
    SoilTool tool = box_tool(shape, vec3(x, 0.0, edge_at(way, x)));
    double rise = (edge_at(way, x + step) - edge_at(way, x - step)) / (2.0 * step);
    tool.motion.velocity = vec3(SPEED, 0.0, SPEED * rise);
    tool.cuts = true;
    return tool;
}

/// A blade whose ends reach ahead of its edge and, where they are wide, beyond it: there they ride on what is not cut.
static ToolShape blade_with_ends(double beyond)
{
    ToolShape shape = plate_shape(0.08, 1.0, WIDTH);
    const ToolPiece end = {.corner_count = 4, .corners = {{0.0, 0.06}, {0.3, 0.06}, {0.3, 0.8}, {0.0, 0.8}}};
    for (int k = 0; k < 2 && beyond > 0.0; k++) {
        ToolPiece *piece = &shape.pieces[shape.piece_count++];
        *piece = end;
        piece->y_min = k == 0 ? 0.5 * WIDTH : -0.5 * WIDTH - beyond;
        piece->y_max = k == 0 ? 0.5 * WIDTH + beyond : -0.5 * WIDTH;
    }
    return shape;
}

static void push_along(Soil *soil, const EdgeWay *way)
{
    ToolShape shape = blade_with_ends(way->ends);
    double x = BEGIN;
    while (x < END) {
        SoilTool tool = blade_on(way, &shape, x);
        soil_begin_tick(soil, &tool, 1, DT);
        for (int k = 0; k < 8; k++) {
            Wrench wrench;
            x += SPEED * DT / 8;
            tool = blade_on(way, &shape, x);
            soil_substep(soil, &tool, 1, DT / 8, &wrench);
        }
        soil_end_tick(soil, &tool, 1);
    }
}

static Soil *falling_ground(const EdgeWay *way)
{
    SceneParams scene = scene_of("loam");
    if (way->fall > 0.0) {
        scene.ground.earthwork_count = 1;
        scene.ground.earthworks[0] = (SceneEarthwork){.shape = SCENE_EARTHWORK_BANK,
                                                      .x = -4.0,
                                                      .width = 8.0,
                                                      .height = 4.0 * way->fall,
                                                      .slope = radians(80.0),
                                                      .end_slope = atan(way->fall)};
    }
    return make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
}

/// How far the floor of the cut lies over the edge's way, m.
typedef struct Floor {
    double mean, lowest;
    double surface; ///< m: mean height of what lies there, over the ground as it was
} Floor;

static Floor cut_floor(const EdgeWay *way)
{
    Soil *soil = falling_ground(way);
    const Ground *ground = soil->state.grounds.site;
    Floor floor = {.lowest = HUGE_VAL};
    int count = 0;
    push_along(soil, way);
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        double x = ground->origin_x + k % ground->columns * ground->spacing;
        double y = ground->origin_y + k / ground->columns * ground->spacing;
        if (fabs(y) < 0.5 * WIDTH - ground->spacing && x > BEGIN + 0.7 && x < END - 0.4) {
            double off = soil_get_firm_height(soil, x, y) - edge_at(way, x);
            floor.mean += off;
            floor.lowest = fmin(floor.lowest, off);
            floor.surface += soil_get_height(soil, x, y) - ground_at(way, x);
            count++;
        }
    }
    floor.mean /= count;
    floor.surface /= count;
    print_message(
        "fall %.2f, wave %.0f mm, ends %.2f m: floor %+.1f mm over the edge's way, lowest %+.1f; surface %.0f\n",
        way->fall, 1e3 * way->wave, way->ends, 1e3 * floor.mean, 1e3 * floor.lowest, 1e3 * floor.surface);
    soil_destroy(soil);
    return floor;
}

/// A column is as low as the edge was when it passed, not as where it is a column farther on: down a slope of 30 % that
/// was 32 mm lower.
TEST(the_ground_is_cut_to_where_the_edge_went)
{
    const EdgeWay ways[] = {{.depth = 0.12}, {.fall = 0.15, .depth = 0.12}, {.fall = 0.3, .depth = 0.12}};
    for (int n = 0; n < 3; n++) {
        Floor floor = cut_floor(&ways[n]);
        assert_true(fabs(floor.mean) < 0.005);
        assert_true(floor.lowest > -0.015);
    }
}

/// A way that bends within a column's width is followed as well as columns can.
TEST(an_edge_that_rises_and_falls_digs_no_deeper_than_it_goes)
{
    const EdgeWay ways[] = {{.depth = 0.12, .wave = 0.01, .length = 0.3},
                            {.fall = 0.15, .depth = 0.12, .wave = 0.01, .length = 0.3},
                            {.depth = 0.15, .wave = 0.04, .length = 0.8}};
    for (int n = 0; n < 3; n++) {
        Floor floor = cut_floor(&ways[n]);
        assert_true(floor.mean > -0.008 && floor.lowest > -0.03);
    }
}

/// What a blade's ends rest on does not keep the ground between them from being cut.
TEST(ends_that_ride_beside_the_cut_leave_nothing_in_it)
{
    const EdgeWay ways[] = {{.depth = 0.12, .ends = 0.1}, {.fall = 0.3, .depth = 0.12, .ends = 0.1}};
    for (int n = 0; n < 2; n++) {
        Floor floor = cut_floor(&ways[n]);
        assert_true(floor.surface < -0.04);
    }
}

TEST_GROUP(NULL, NULL)
