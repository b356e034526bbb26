/// How far soil is thrown up a machine by its belts: what looks dirty is low down, also where the cab is part of the
/// body that the belts are on.
#include "data/schema/load.h"
#include "tests/support/render_studio.h"

/// A machine alone, seen level from its right side: the picture's middle row shows what is as high as the eye, near and
/// far.
static void stand_beside(const char *scene, RenderView *view, SceneParams *params, MachineParams *machine)
{
    Status status;
    assert_good(data_load_scene(scene, NULL, 0, params, machine, NULL, &status), status);
    *view = (RenderView){.scene = params, .machine = machine, .camera = RENDER_CAMERA_FREE, .free_placed = true};
    for (int k = 0; k < machine->body_count; k++) {
        view->body[k] = (Pose){vec3(0.0, 0.0, 0.0), mat3_identity()};
    }
    view->free_yaw = 0.5 * M_PI;
}

static int changed(const unsigned char *a, const unsigned char *b, int first_row, int last_row)
{
    int count = 0;
    for (size_t k = 3 * (size_t)first_row * WIDTH; k < 3 * (size_t)last_row * WIDTH; k += 3) {
        count += abs(a[k] - b[k]) + abs(a[k + 1] - b[k + 1]) + abs(a[k + 2] - b[k + 2]) > 6;
    }
    return count;
}

TEST_WITH(belts_dirty_an_undercarriage_and_no_cab, Studio *studio)
{
    static const char *const scenes[] = {"ripping", "trench"};
    static unsigned char clean[3 * WIDTH * HEIGHT];
    for (int k = 0; k < 2; k++) {
        RenderView *view = calloc(1, sizeof *view);
        SceneParams *scene = calloc(1, sizeof *scene);
        MachineParams *machine = calloc(1, sizeof *machine);
        assert_non_null(view);
        assert_non_null(scene);
        assert_non_null(machine);
        stand_beside(scenes[k], view, scene, machine);
        view->free_eye = vec3(0.0, -7.0, 1.6 * machine->tracks.height);
        draw(studio, view);
        memcpy(clean, studio->rgb, sizeof clean);
        view->dirt[RENDER_DIRT_BASE] = (RenderDirt){.color = {0.3f, 0.05f, 0.01f}, .share = 1.0f};
        draw(studio, view);
        int above = changed(clean, studio->rgb, 0, HEIGHT / 2), below = changed(clean, studio->rgb, HEIGHT / 2, HEIGHT);
        printf("%s: %d pixels changed above, %d below\n", scenes[k], above, below);
        assert_int_equal(above, 0);
        assert_true(below > 2000);
        free(machine);
        free(scene);
        free(view);
    }
}

TEST_GROUP(open_studio, close_studio)
