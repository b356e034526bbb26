/// A hidden window of SDL's offscreen driver, for an OpenGL 3.3 core context.
#ifndef SPADEWORK_TESTS_HIDDEN_WINDOW_H
#define SPADEWORK_TESTS_HIDDEN_WINDOW_H

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

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

/// What a test begins with that opens the program's own window: SDL draws without a display. A computer where it cannot
/// skips all cases (exit code 77).
static inline int need_offscreen_window(void **state)
{
    (void)state;
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    SDL_Window *window = hidden_window(64, 36);
    SDL_GLContext context = window != NULL ? SDL_GL_CreateContext(window) : NULL;
    if (context == NULL) {
        printf("no OpenGL 3.3 core context on this computer: nothing drawn (%s)\n", SDL_GetError());
        exit(77);
    }
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

/// A key goes down and comes up, as the window will read it.
static inline void tap_key(SDL_Keycode key)
{
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}};
    event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    SDL_PushEvent(&event);
    event.key.type = SDL_KEYUP;
    event.key.state = SDL_RELEASED;
    SDL_PushEvent(&event);
}

#endif
