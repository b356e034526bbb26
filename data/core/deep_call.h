/// Calls on threads with a stack of their own: for a library whose host may have threads with little of it.
#ifndef SPADEWORK_DATA_DEEP_CALL_H
#define SPADEWORK_DATA_DEEP_CALL_H

#include <stdbool.h>

/// Bytes of such a stack. Chosen: many times what reading a scene takes (tests/unit/api).
enum { DEEP_STACK = 4 << 20 };

/// Runs `work` on another thread and waits for it. False, and nothing has run, when there is no thread to be had.
bool deep_call(void (*work)(void *context), void *context);
/// Runs `work` on `threads` threads at once, 1 or more, the calling one included, and waits for all. Where fewer
/// threads can be had, fewer run it.
void deep_calls(void (*work)(void *context), void *context, int threads);

#endif
