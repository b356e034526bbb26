/// What the parts of the soak test share. One thread; sessions of one thread each, since two parts run at a time.
#ifndef SPADEWORK_SOAK_SOAK_H
#define SPADEWORK_SOAK_SOAK_H

#include "tests/support/clumsy_operator.h"
#include "tests/support/drives/session_watch.h"

/// Drives one of the long parts for `hours` (simulated) and prints its table row. Files lie in `folder`, in which that
/// of a stretch with a fault stays. 0 good, 1 something was wrong, 2 there is no such part.
int soak_drive(const char *part, double hours, const char *folder);
/// Prints the parts: name, share of the hours.
void soak_list_parts(void);

/// Drives `count` random scripts from a seed on and prints a table; what fails is made small and written into `folder`.
/// 0 good, 1 something was wrong.
int soak_scripts(int count, uint64_t seed, const char *folder);
/// Drives a script's file in a scene and tells what is wrong with it. 0 nothing, 1 something, 2 it cannot be driven.
/// seconds  s, above 0
int soak_repeat(const char *scene, const char *path, double seconds, const char *const *set, int set_count);

/// Number of messages by which ODE told of trouble in this process. It solves less in such a step, and goes on.
int soak_messages(void);

/// Keeps the worse of each figure.
void soak_worse(WatchFigures *worst, const WatchFigures *other);
/// Prints the figures, each under its name, with a text before them.
void soak_print_figures(const char *text, const WatchFigures *figures);

#endif
