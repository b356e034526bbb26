/// Depths of a bulldozer's slot and pad can be read from the picture alone, from the cab and from behind: the height of
/// the wall between lip and floor, in the bands of the profile beside it.
#include "tests/support/render_studio.h"

#include "render/camera.h"
#include "render/meshes/machine_mesh.h"
#include "render/site_objects.h"
#include "trainer/app/ghost.h"
#include "trainer/app/session_view.h"

enum { STEPS = 140 };
#define STEP   0.01 ///< m between two heights at which the picture is looked at
#define HIGHER 0.3 ///< m over the site where looking begins

/// What is dug, as an area beside whose right side the profiles stand.
typedef struct Dug {
    const char *scene;
    double x, length, half; ///< m: near end, and half the width about y = 0
} Dug;

/// A flat site with the area dug to `depth`, whose floor is of the lower layer, and the machine on the floor.
static void dig(const Dug *dug, double depth, double machine_x, Session *session, RenderView *view)
{
    RenderGrid *grid = &view->grids[0];
    size_t cells = (size_t)grid->rows * (size_t)grid->columns;
    float *height = malloc(cells * sizeof *height);
    uint8_t *soil = malloc(cells);
    if (height == NULL || soil == NULL) {
        abort();
    }
    for (size_t at = 0; at < cells; at++) {
        double x = grid->origin_x + (double)(at % (size_t)grid->columns) * grid->spacing - dug->x;
        double y = grid->origin_y + (double)(at / (size_t)grid->columns) * grid->spacing;
        bool inside = x > 0.0 && x < dug->length && fabs(y) < dug->half;
        height[at] = inside ? (float)-depth : 0.0f;
        soil[at] = inside ? 1 : 0;
    }
    grid->height = height;
    grid->soil = soil;
    grid->strata = NULL;
    grid->all_dirty = true;
    TraceSample sample = {.base_x = (float)machine_x, .base_z = (float)-depth};
    MachineState state;
    const Machine *machine = session_machine(session);
    ghost_place(machine, &sample, &state);
    for (int body = 0; body < view->machine->body_count; body++) {
        machine_get_body_frame(machine, &state, body, &view->body[body]);
    }
    view->strut_count = 0;
}

static void pixel_of(const Camera *camera, double x, double y, double z, double pixel[2])
{
    assert_true(camera_project(camera, (const double[]){x, y, z}, WIDTH, HEIGHT, pixel));
    assert_true(pixel[0] > 1.0 && pixel[0] < WIDTH - 2.0 && pixel[1] > 1.0 && pixel[1] < HEIGHT - 2.0);
}

/// Bands of a profile's lath between the site and its rail that have their colours in the picture.
static int read_bands(const Studio *studio, const Camera *camera, const RenderStaff *staff, int *there)
{
    int good = 0;
    *there = 0;
    for (int band = (int)ceil(-staff->at.z / 0.1 + 0.01); 0.1 * (band + 1) < staff->high - 0.27; band++) {
        double pixel[2];
        pixel_of(camera, staff->at.x, staff->at.y, staff->at.z + 0.1 * band + 0.05, pixel);
        const unsigned char *rgb = &studio->rgb[3 * ((size_t)pixel[1] * WIDTH + (size_t)pixel[0])];
        bool red = rgb[0] > 1.6 * rgb[1], white = rgb[2] > 0.75 * rgb[0];
        good += band % 2 == 0 ? red : white;
        ++*there;
    }
    return good;
}

/// Mean colour of the picture along the wall's line at height `z`.
static void look(const Studio *studio, const Camera *camera, double x, double y, double z, double color[3])
{
    color[0] = color[1] = color[2] = 0.0;
    for (int k = -10; k <= 10; k++) {
        double pixel[2];
        pixel_of(camera, x + 0.05 * k, y, z, pixel);
        const unsigned char *rgb = &studio->rgb[3 * ((size_t)pixel[1] * WIDTH + (size_t)pixel[0])];
        for (int channel = 0; channel < 3; channel++) {
            color[channel] += rgb[channel] / 21.0;
        }
    }
}

/// m between the lip, where the grass ends, and the floor, where the wall's colour ends.
static double read_wall(const Studio *studio, const Camera *camera, double x, double y)
{
    double color[STEPS][3], most[2] = {0.0, 0.0};
    int at[2] = {0, 0};
    for (int k = 0; k < STEPS; k++) {
        look(studio, camera, x, y, HIGHER - STEP * k, color[k]);
    }
    for (int edge = 0; edge < 2; edge++) {
        for (int k = edge == 0 ? 4 : at[0] + 4; k < STEPS - 4; k++) {
            double step = 0.0;
            for (int channel = 0; channel < 3; channel++) {
                double before = color[k - 2][channel] + color[k - 3][channel] + color[k - 4][channel];
                double after = color[k + 2][channel] + color[k + 3][channel] + color[k + 4][channel];
                step += fabs(after - before) / 3.0;
            }
            step = edge == 0 && HIGHER - STEP * k < -0.15 ? 0.0 : step;
            if (step > most[edge]) {
                most[edge] = step;
                at[edge] = k;
            }
        }
    }
    return STEP * (at[1] - at[0]);
}

static double read_depth(Studio *studio, const Dug *dug, RenderCamera from, double depth)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = dug->scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    const double machine_x = dug->x - 4.0, ahead = machine_x + 9.0;
    dig(dug, depth, machine_x, session, view);
    SceneParams *scene = malloc(sizeof *scene);
    if (scene == NULL) {
        abort();
    }
    *scene = *view->scene;
    scene->weather.clouds = 1.0; // no edge of a shadow is taken for that of the floor
    view->scene = scene;
    view->camera = from;
    view->line_count = 0;
    view->hud.visible = false;
    char path[64];
    snprintf(path, sizeof path, "app-depth-%s-%d-%.0f.png", dug->scene, (int)from, 100.0 * depth);
    shoot(studio, view, path);
    Camera camera;
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    int good = 0, bands = 0;
    for (int k = 0; k < view->staff_count; k++) {
        const RenderStaff *staff = &view->staffs[k];
        if (staff->at.y < 0.0 && fabs(staff->at.x - ahead) < 2.6) {
            int there;
            good += read_bands(studio, &camera, staff, &there);
            bands += there;
        }
    }
    print_message("%s, camera %d: %d of %d bands\n", dug->scene, (int)from, good, bands);
    assert_true(bands > 0 && good > 0.8 * bands);
    double read = read_wall(studio, &camera, ahead, -dug->half);
    free((void *)view->grids[0].height);
    free((void *)view->grids[0].soil);
    free(scene);
    session_view_destroy(own);
    session_destroy(session);
    return read;
}

TEST_WITH(depth_of_slot_and_pad_is_read, Studio *studio)
{
    const Dug dugs[2] = {{"slot-dozing", -8.0, 10.0, 1.7}, {"pad", -4.0, 8.0, 3.0}};
    const RenderCamera cameras[2] = {RENDER_CAMERA_CAB, RENDER_CAMERA_CHASE};
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        for (int camera = 0; camera < 2; camera++) {
            for (double depth = 0.15; depth < 0.6; depth += 0.2) {
                double read = read_depth(studio, &dugs[k], cameras[camera], depth);
                printf("%s, %s: %.2f m deep, read %.2f\n", dugs[k].scene, camera == 0 ? "cab" : "behind", depth, read);
                worst = fmax(worst, fabs(read - depth));
            }
        }
    }
    printf("error at most %.2f m\n", worst);
    assert_true(worst <= 0.15);
}

/// Nothing that is read stands where the blade passes: beside the slot, and none in it or at its ends.
TEST_WITH(profiles_stand_out_of_the_way, Studio *studio)
{
    (void)studio;
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "slot-dozing", .threads = 1}, &status);
    assert_good(session != NULL, status);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    const RenderView *view = session_view_build(own, session, 1.0);
    double half = 0.5 * view->machine->tool[0].shape.edge_width;
    assert_int_equal(view->staff_count, 10);
    for (int k = 0; k < view->staff_count; k++) {
        Mesh mesh = {0};
        float low[3], high[3];
        staff_mesh(&view->staffs[k], &mesh);
        mesh_bounds(&mesh, low, high);
        mesh_free(&mesh);
        assert_true((double)low[1] > half + 0.35 || (double)high[1] < -half - 0.35);
        assert_near((double)high[2], 0.6, 0.004); // the rail, a metre over the floor as it is to be
    }
    session_view_destroy(own);
    session_destroy(session);
}

/// From the cab of a bulldozer on the level with its blade on the ground: horizon, the blade's upper edge and both
/// corners on the ground are in the picture, and neither exhaust nor air cleaner stands before what lies beyond.
TEST_WITH(the_driver_sees_over_the_blade, Studio *studio)
{
    (void)studio;
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = "slot-dozing", .threads = 1}, &status);
    assert_good(session != NULL, status);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    dig(&(Dug){"slot-dozing", 0.0, 0.0, 0.0}, 0.0, 0.0, session, view);
    view->camera = RENDER_CAMERA_CAB;
    Camera camera;
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    double far_away[2], crest = 0.0, pixel[2];
    pixel_of(&camera, 1500.0, 0.0, view->machine->cab.eye[2], far_away);
    assert_true(far_away[1] > 0.1 * HEIGHT && far_away[1] < 0.4 * HEIGHT);
    const ToolShape *blade = &view->machine->tool[0].shape;
    const Pose *frame = &view->body[view->machine->tool[0].body];
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side * blade->edge_width;
        Vec3 corner = pose_apply(frame, vec3(blade->edge[0], y, blade->edge[1]));
        assert_near(corner.z, 0.0, 0.02);
        pixel_of(&camera, corner.x, corner.y, corner.z, pixel);
        Vec3 top = pose_apply(frame, vec3(0.388, y, 0.990));
        pixel_of(&camera, top.x, top.y, top.z, pixel);
        assert_true(pixel[1] > far_away[1] + 0.1 * HEIGHT);
        crest = pixel[1];
    }
    Mesh mesh = {0};
    dozer_mesh_chassis(view->machine, &mesh);
    double highest = HEIGHT;
    for (int k = 0; k < mesh.vertex_count; k++) {
        const float *p = mesh.vertices[k].position;
        if (p[0] > 0.3f &&
            camera_project(&camera, (const double[]){(double)p[0], (double)p[1], (double)p[2]}, WIDTH, HEIGHT, pixel)) {
            highest = fmin(highest, pixel[1]);
        }
    }
    mesh_free(&mesh);
    print_message("horizon %.0f, blade %.0f, hood %.0f of %d rows\n", far_away[1], crest, highest, HEIGHT);
    assert_true(highest > crest);
    free((void *)view->grids[0].height);
    free((void *)view->grids[0].soil);
    session_view_destroy(own);
    session_destroy(session);
}

TEST_GROUP(open_studio, close_studio)
