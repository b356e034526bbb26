/// A hidden window of SDL's offscreen driver, for an OpenGL 3.3 core context.
#ifndef SPADEWORK_TESTS_HIDDEN_WINDOW_H
#define SPADEWORK_TESTS_HIDDEN_WINDOW_H

#include <SDL.h>

/// NULL where SDL has none. One sample a pixel: with four, as pictures are drawn, a processor takes three times as
/// long, and no case looks at edges.
static inline SDL_Window *hidden_window(int width, int height)
{
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return NULL;
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    return SDL_CreateWindow("test", 0, 0, width, height, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
}

#endif
