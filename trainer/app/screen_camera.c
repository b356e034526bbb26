/// Names of the cameras, and how a person goes from one to another and turns them.
#include "data/core/language.h"
#include "trainer/app/screen.h"

const char *camera_name(RenderCamera camera)
{
    static const char *const names[RENDER_CAMERA_COUNT] = {TEXT("around"),  TEXT("behind"), TEXT("cab"),
                                                           TEXT("bucket"),  TEXT("boom"),   TEXT("plan"),
                                                           TEXT("section"), TEXT("rear"),   TEXT("free")};
    return language_text(names[camera]);
}

void screen_next_camera(Window *window, int steps)
{
    Camera *camera = window_camera(window);
    int next = ((int)camera->camera + steps) % RENDER_CAMERA_COUNT;
    camera_select(camera, (RenderCamera)(next < 0 ? next + RENDER_CAMERA_COUNT : next));
}

void screen_move_camera(Window *window, const WindowInput *input)
{
    Camera *camera = window_camera(window);
    if (input->camera > 0) {
        camera_select(camera, (RenderCamera)(input->camera - 1));
    }
    screen_next_camera(window, input->shift ? -input->pressed[WINDOW_CAMERA] : input->pressed[WINDOW_CAMERA]);
    camera_drag(camera, input->drag_x, input->drag_y);
    camera_zoom(camera, input->wheel);
    camera_move(camera, &input->camera_keys, input->elapsed);
}
