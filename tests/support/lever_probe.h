/// A pad without hardware whose lever a thread moves out and back at odd moments, and the time from there until a tick
/// has it: the device's own way into the program, whatever that does meanwhile.
#ifndef SPADEWORK_TESTS_LEVER_PROBE_H
#define SPADEWORK_TESTS_LEVER_PROBE_H

#include <SDL.h>

#include "trainer/sim/sim.h"

enum {
    PROBE_MOST = 4096, ///< moves
    PROBE_LEAST_REST = 250, ///< ms between two moves: longer than the lever's way by its rate
    PROBE_MORE_REST = 100, ///< ms, at most, more
    PROBE_FIRST = 30 ///< ticks before the first move: a lever that is held when its device comes does not count
};

typedef struct LeverProbe {
    int device; ///< of SDL's list
    SDL_Joystick *joystick;
    SDL_Thread *thread;
    SDL_mutex *mutex; ///< guards what follows
    bool over;
    double moved; ///< s of the clock: a move that no tick has yet; 0: none
    int swing; ///< of the last tick
    int ticks; ///< up to PROBE_FIRST
    int moves, count;
    double ms[PROBE_MOST]; ///< [count] from move to tick, in their order
} LeverProbe;

static inline double probe_clock(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

/// The probe's thread.
static inline int probe_run(void *context)
{
    LeverProbe *probe = context;
    uint32_t random = 1;
    for (bool over = false; !over;) {
        random = 1664525U * random + 1013904223U; // Numerical Recipes
        SDL_Delay(PROBE_LEAST_REST + (random >> 16) % PROBE_MORE_REST);
        SDL_LockMutex(probe->mutex);
        over = probe->over || probe->moves == PROBE_MOST;
        if (!over && probe->moved == 0.0 && probe->ticks >= PROBE_FIRST) {
            probe->moves++;
            probe->moved = probe_clock();
            SDL_JoystickSetVirtualAxis(probe->joystick, SDL_CONTROLLER_AXIS_LEFTX, probe->moves % 2 == 1 ? 30000 : 0);
        }
        SDL_UnlockMutex(probe->mutex);
    }
    return 0;
}

/// Plugs the pad in and begins to move its lever. False where SDL has no such devices.
static inline bool probe_start(LeverProbe *probe)
{
    *probe = (LeverProbe){0};
    probe->device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                              SDL_CONTROLLER_BUTTON_MAX, 0);
    probe->joystick = probe->device >= 0 ? SDL_JoystickOpen(probe->device) : NULL;
    probe->mutex = SDL_CreateMutex();
    probe->thread = probe->joystick != NULL ? SDL_CreateThread(probe_run, "probe", probe) : NULL;
    return probe->thread != NULL;
}

static inline void probe_stop(LeverProbe *probe)
{
    SDL_LockMutex(probe->mutex);
    probe->over = true;
    SDL_UnlockMutex(probe->mutex);
    SDL_WaitThread(probe->thread, NULL);
    SDL_JoystickDetachVirtual(probe->device);
    SDL_JoystickClose(probe->joystick);
    SDL_DestroyMutex(probe->mutex);
}

/// After each tick: does it have the move?
static inline void probe_watch(LeverProbe *probe, const Session *session)
{
    int swing = session_frame(session)->controls.axis[CONTROL_SWING];
    SDL_LockMutex(probe->mutex);
    if (probe->moved > 0.0 && swing != probe->swing) {
        probe->ms[probe->count++] = 1e3 * (probe_clock() - probe->moved);
        probe->moved = 0.0;
    }
    probe->swing = swing;
    probe->ticks += probe->ticks < PROBE_FIRST;
    SDL_UnlockMutex(probe->mutex);
}

#endif
