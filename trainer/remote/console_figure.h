/// The machine and the ground as lines: from the side, in the plane of its arm, and from above. The session's thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_FIGURE_H
#define SPADEWORK_TRAINER_CONSOLE_FIGURE_H

#include <jansson.h>

#include "trainer/remote/console_line.h"
#include "trainer/sim/sim.h"

/// Adds `pose` to the state.
void console_figure_add(json_t *state, Session *session);
/// Writes `parts`, `trucks`, `profile` and `grains`, which are nearly all numbers of a state.
void console_figure_write(ConsoleLine *line, Session *session);
/// Adds `persons`, from above: [x, y, zone] of each, m.
void console_persons_add(json_t *state, const Session *session);
/// Adds `marks`: what the exercise asks for, from above.
/// floor  m, world: of a trench; NAN: it is not known
void console_marks_add(json_t *state, const SceneExercise *exercise, double floor);

#endif
