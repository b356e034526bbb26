/// The page of a question that is to be answered before the levers move anything.
#ifndef SPADEWORK_TRAINER_QUESTION_PAGE_H
#define SPADEWORK_TRAINER_QUESTION_PAGE_H

#include "data/schema/scene_params.h"
#include "trainer/sim/sim.h"
#include "trainer/app/menu.h"

/// Ids of the answers: of answer k, from 1 on, QUESTION_PAGE_ANSWERS + k.
enum { QUESTION_PAGE_ANSWERS = 300 };
enum { QUESTION_PAGE_TEXT = 512 };

/// Begins the menu of the question that is asked now: its text, its answers, and what was right before it.
void question_page_begin(Menu *menu, const SceneExercise *asked, const Exercise *exercise);
/// Writes whether a question was answered rightly, and why; "" while it was not answered.
/// question  0..questions_count - 1
void question_page_reply(const SceneExercise *asked, const Exercise *exercise, int question,
                         char text[QUESTION_PAGE_TEXT]);
/// A digit selects the answer of its number; true when there is one.
bool question_page_is_answered(Menu *menu, int digit);

#endif
