/// The numeric pad looks round and flies; Q, E and X beside the left lever's keys are for keyboards without one.
#include "trainer/app/camera_keys.h"

#include <SDL.h>

static double axis(const Uint8 *held, int less, int more)
{
    return (double)held[more] - (double)held[less];
}

CameraKeys camera_keys_held(bool levers)
{
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    CameraKeys keys = {.left = held[SDL_SCANCODE_KP_4] || held[SDL_SCANCODE_Q],
                       .right = held[SDL_SCANCODE_KP_6] || held[SDL_SCANCODE_E],
                       .back_left = held[SDL_SCANCODE_KP_1],
                       .back_right = held[SDL_SCANCODE_KP_3],
                       .lean = held[SDL_SCANCODE_KP_5] || held[SDL_SCANCODE_X],
                       .nod = axis(held, SDL_SCANCODE_KP_2, SDL_SCANCODE_KP_8),
                       .ahead = axis(held, SDL_SCANCODE_KP_2, SDL_SCANCODE_KP_8),
                       .aside = axis(held, SDL_SCANCODE_KP_6, SDL_SCANCODE_KP_4),
                       .rise = axis(held, SDL_SCANCODE_KP_3, SDL_SCANCODE_KP_9),
                       .turn = axis(held, SDL_SCANCODE_KP_1, SDL_SCANCODE_KP_7),
                       .fast = (SDL_GetModState() & KMOD_SHIFT) != 0};
    if (!levers) {
        keys.ahead += axis(held, SDL_SCANCODE_S, SDL_SCANCODE_W);
        keys.aside += axis(held, SDL_SCANCODE_D, SDL_SCANCODE_A);
        keys.rise += axis(held, SDL_SCANCODE_Q, SDL_SCANCODE_E);
    }
    return keys;
}
