/// What the soil before an edge is taken for, along the edge.
#include "soil/exchange/spawn.h"
#include "tests/support/plates.h"

/// Digs a trench as wide as a bucket, 1.2 m deep, whose walls stand where the plates went.
static void dig_trench(Ground *ground, const ToolShape *shape, double middle)
{
    for (int k = 0; k < ground->rows * ground->columns; k++) {
        int own, row = k / ground->columns;
        double loose;
        if (fabs(ground->origin_y + row * ground->spacing - middle) < 0.5 * shape->edge_width) {
            ground_cut(ground, row, k % ground->columns, -1.2, &own, &loose);
        }
    }
}

/// The bucket with its edge in the trench's bottom, 0.15 m deep, on its level way.
static SoilTool bucket_in_trench(const ToolShape *shape, double middle)
{
    SoilTool tool = box_tool(shape, vec3(0.0, 0.0, 0.0));
    tool.cuts = true;
    tool.motion.frame.rotation = pitch(radians(85.0));
    Vec3 edge = mat3_mul(&tool.motion.frame.rotation, vec3(shape->edge[0], 0.0, shape->edge[1]));
    tool.motion.frame.position = vec3_sub(vec3(0.0, middle, -1.35), edge);
    tool.motion.velocity = vec3(-0.8, 0.0, 0.0);
    tool.motion.center = tool.motion.frame.position;
    return tool;
}

/// A slice 0.15 m thick fails on a steep plane for its cohesion. The walls, beside which the plates shear it off, are
/// not lifted with it: an end of the edge in a column that stands 1.35 m high would have the flat plane of a cut as
/// deep, and free a high face far ahead.
TEST(walls_beside_a_bucket_do_not_deepen_its_cut)
{
    SceneParams scene = loam_scene();
    const ToolShape *shape = bucket_shape();
    for (int n = 0; n < 10; n++) {
        Soil *soil = make_soil(&scene, SOIL_SOLVER_DEFAULT, 1);
        Ground *ground = soil->state.grounds.site;
        double middle = 0.01 * n;
        dig_trench(ground, shape, middle);
        SoilTool tool = bucket_in_trench(shape, middle);
        CutEdge edge;
        spawn_seed_edge(ground, &tool, soil->model.layer_height, 1.0 / 60.0, &edge);
        assert_true(edge.count > 5);
        double thin = edge.seeds[edge.count / 2].slope_ahead;
        assert_true(thin > 1.0);
        for (int k = 0; k < edge.count; k++) {
            assert_near(edge.seeds[k].slope_ahead, thin, 1e-6);
        }
        soil_destroy(soil);
    }
}

TEST_GROUP(NULL, NULL)
