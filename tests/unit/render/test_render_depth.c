/// Depths can be read from the picture alone: bands of a board in a trench that are seen from the cab, down to where
/// the ground begins.
#include "render/camera.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

/// Whether a pixel is red (1), white (0) or of neither (-1).
static int paint_at(const Studio *studio, const double pixel[2])
{
    int x = (int)pixel[0], y = (int)pixel[1];
    assert_true(x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT);
    const unsigned char *rgb = &studio->rgb[3 * ((size_t)y * WIDTH + (size_t)x)];
    double red = rgb[0], green = rgb[1], blue = rgb[2];
    return red > 2.0 * green && red > 2.0 * blue ? 1 : blue > 0.88 * red ? 0 : -1;
}

/// Decimetres that are read off a board whose zero is at `zero`: bands from there down that have their colours.
static int read_board(const Studio *studio, const RenderView *view, Vec3 zero)
{
    Camera camera;
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    for (int band = 0; band < 20; band++) {
        double pixel[2];
        const double middle[3] = {zero.x - 0.02, zero.y + 0.075, zero.z - 0.1 * band - 0.05};
        assert_true(camera_project(&camera, middle, WIDTH, HEIGHT, pixel));
        if (band < 10 && paint_at(studio, pixel) != (band % 2 == 0 ? 1 : 0)) {
            return band;
        }
    }
    return 10;
}

TEST_WITH(depth_is_read_from_a_board, Studio *studio)
{
    for (double depth = 0.25; depth < 0.9; depth += 0.2) {
        Status status;
        Stage *stage = stage_create("trench", &status);
        assert_non_null(stage);
        const SceneTrench *t = &stage->scene.exercise.trench;
        double end = t->x + t->length;
        for (double x = t->x; x <= end; x += 0.1) {
            for (double y = -0.5 * t->width; y <= 0.5 * t->width; y += 0.1) {
                *stage_height(stage, x, t->y + y) = (float)-depth;
            }
        }
        stage_pose(stage, 1.3, 7.0, 2.0, -1.7); // the arm is swung aside
        stage->view.camera = RENDER_CAMERA_CAB;
        stage->view.cab_yaw = 1.3; // and the driver looks at the trench
        Vec3 zero = vec3(end - 0.14, t->y + 0.2, 0.0);
        stage->view.staff_count = 1;
        stage->view.staffs[0] = (RenderStaff){
            .kind = RENDER_STAFF_BOARD, .at = zero, .heading = t->heading + M_PI, .low = -2.0, .high = 0.0};
        char path[32];
        snprintf(path, sizeof path, "render-depth-%.0f.png", 100.0 * depth);
        shoot(studio, &stage->view, path);
        int read = read_board(studio, &stage->view, zero);
        printf("%.2f m deep: %d bands\n", depth, read);
        assert_true(fabs(0.1 * read - depth) <= 0.1);
        free(stage);
    }
}

TEST_GROUP(open_studio, close_studio)
