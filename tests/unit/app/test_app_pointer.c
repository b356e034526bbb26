/// Mouse and fingers become one pointer: events as SDL tells them in, clicks, drags, scrolling and zoom out.
#include "tests/support/test.h"
#include "trainer/app/commands.h"

static const PointerArea area = {1280, 720, 2.0};

static void finger(Pointer *pointer, PointerInput *input, Uint32 type, SDL_FingerID id, double x, double y)
{
    SDL_Event event = {
        .tfinger = {
            .type = type, .touchId = 3, .fingerId = id, .x = (float)(x / area.width), .y = (float)(y / area.height)}};
    pointer_take(pointer, &event, &area, input);
}

TEST(the_mouse_clicks_where_it_is)
{
    Pointer pointer = {0};
    PointerInput input = {0};
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION, .x = 100, .y = 50, .xrel = 100, .yrel = 50}};
    pointer_take(&pointer, &event, &area, &input);
    assert_true(input.moved && pointer.x == 200.0 && pointer.y == 100.0);
    assert_true(input.drag_x == 0.0 && !pointer.button);
    event = (SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 110, .y = 60}};
    pointer_take(&pointer, &event, &area, &input);
    assert_true(input.clicks == 1 && input.back_clicks == 0 && pointer.x == 220.0 && pointer.button);
    event = (SDL_Event){
        .motion = {.type = SDL_MOUSEMOTION, .state = SDL_BUTTON_LMASK, .x = 115, .y = 57, .xrel = 5, .yrel = -3}};
    pointer_take(&pointer, &event, &area, &input);
    assert_true(input.drag_x == 10.0 && input.drag_y == -6.0 && input.scroll == 0.0);
    event = (SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = 115, .y = 57}};
    pointer_take(&pointer, &event, &area, &input);
    event = (SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT, .x = 115, .y = 57}};
    pointer_take(&pointer, &event, &area, &input);
    assert_true(input.clicks == 1 && input.back_clicks == 1 && !pointer.button);
    event = (SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .y = -2}};
    pointer_take(&pointer, &event, &area, &input);
    assert_near(input.wheel, -2.0, 1e-12);
}

TEST(a_tap_clicks_when_it_is_lifted)
{
    Pointer pointer = {0};
    PointerInput input = {0};
    finger(&pointer, &input, SDL_FINGERDOWN, 1, 640.0, 360.0);
    assert_true(input.moved && input.clicks == 0 && pointer.button);
    assert_near(pointer.x, 640.0, 1e-3);
    finger(&pointer, &input, SDL_FINGERMOTION, 1, 646.0, 364.0); // fingers tremble
    finger(&pointer, &input, SDL_FINGERUP, 1, 646.0, 364.0);
    assert_true(input.clicks == 1 && input.scroll == 0.0 && input.drag_x == 0.0 && !pointer.button);
    assert_near(pointer.y, 360.0, 1e-3);
}

TEST(a_finger_that_is_drawn_along_scrolls_and_does_not_click)
{
    Pointer pointer = {0};
    PointerInput input = {0};
    finger(&pointer, &input, SDL_FINGERDOWN, 1, 600.0, 500.0);
    for (int k = 1; k <= 10; k++) {
        finger(&pointer, &input, SDL_FINGERMOTION, 1, 600.0 + k, 500.0 - 20.0 * k);
    }
    finger(&pointer, &input, SDL_FINGERUP, 1, 610.0, 300.0);
    assert_near(input.scroll, -200.0, 1e-2);
    assert_near(input.drag_x, 10.0, 1e-2);
    assert_int_equal(input.clicks, 0);
}

TEST(two_fingers_zoom_or_go_back)
{
    Pointer pointer = {0};
    PointerInput input = {0};
    finger(&pointer, &input, SDL_FINGERDOWN, 1, 600.0, 300.0);
    finger(&pointer, &input, SDL_FINGERDOWN, 2, 700.0, 300.0);
    finger(&pointer, &input, SDL_FINGERUP, 1, 600.0, 300.0);
    finger(&pointer, &input, SDL_FINGERMOTION, 2, 703.0, 300.0);
    finger(&pointer, &input, SDL_FINGERUP, 2, 703.0, 300.0);
    assert_true(input.back_clicks == 1 && input.clicks == 0 && input.wheel == 0.0 && input.scroll == 0.0);
    input = (PointerInput){0};
    finger(&pointer, &input, SDL_FINGERDOWN, 1, 600.0, 300.0);
    finger(&pointer, &input, SDL_FINGERDOWN, 2, 700.0, 300.0);
    finger(&pointer, &input, SDL_FINGERMOTION, 2, 780.0, 300.0);
    assert_near(input.wheel, 2.0, 1e-2);
    finger(&pointer, &input, SDL_FINGERUP, 2, 780.0, 300.0);
    finger(&pointer, &input, SDL_FINGERMOTION, 1, 600.0, 100.0); // the one that is left
    finger(&pointer, &input, SDL_FINGERUP, 1, 600.0, 100.0);
    assert_true(input.back_clicks == 0 && input.clicks == 0 && input.scroll == 0.0);
}

TEST(a_third_finger_and_a_lost_window_are_survived)
{
    Pointer pointer = {0};
    PointerInput input = {0};
    for (int k = 1; k <= 3; k++) {
        finger(&pointer, &input, SDL_FINGERDOWN, k, 100.0 * k, 300.0);
    }
    assert_int_equal(pointer.finger_count, POINTER_FINGERS);
    SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    pointer_take(&pointer, &event, &area, &input);
    finger(&pointer, &input, SDL_FINGERUP, 2, 200.0, 300.0);
    assert_true(input.clicks == 0 && input.back_clicks == 0);
    finger(&pointer, &input, SDL_FINGERDOWN, 4, 50.0, 60.0);
    finger(&pointer, &input, SDL_FINGERUP, 4, 50.0, 60.0);
    assert_int_equal(input.clicks, 1);
}

TEST_GROUP(NULL, NULL)
