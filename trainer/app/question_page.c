/// Questions come one after the other; under each stands what was right of the one before.
#include "trainer/app/question_page.h"

#include <stdio.h>

#include "data/core/language.h"

enum { LINE_LENGTH = 78 }; ///< letters of a line of the reply

void question_page_reply(const SceneExercise *asked, const Exercise *exercise, int question,
                         char text[QUESTION_PAGE_TEXT])
{
    text[0] = '\0';
    int answer = exercise_answer(exercise, question);
    if (answer > 0) {
        const SceneQuestion *one = &asked->questions[question];
        bool right = answer == one->right;
        if (right) {
            snprintf(text, QUESTION_PAGE_TEXT, language_text("Right. %s"), one->why);
        } else {
            snprintf(text, QUESTION_PAGE_TEXT, language_text("No, it is: %s. %s"), one->answers[one->right - 1],
                     one->why);
        }
    }
}

void question_page_begin(Menu *menu, const SceneExercise *asked, const Exercise *exercise)
{
    int question = exercise_question(exercise);
    char title[MENU_TEXT], reply[QUESTION_PAGE_TEXT];
    snprintf(title, sizeof title, language_text("Question %d of %d"), question + 1, asked->questions_count);
    menu_start(menu, title, asked->questions[question].text);
    snprintf(menu->footer, sizeof menu->footer, "%s", language_text("Up/Down: move   Enter or A: choose"));
    for (int k = 0; k < asked->questions[question].answers_count; k++) {
        menu_add(menu, QUESTION_PAGE_ANSWERS + k + 1, asked->questions[question].answers[k], "");
    }
    question_page_reply(asked, exercise, question - 1, reply);
    if (reply[0] != '\0') {
        menu_tell(menu, RENDER_MENU_HEADING, language_text("The one before"));
        menu_tell_text(menu, reply, LINE_LENGTH);
    }
}

bool question_page_is_answered(Menu *menu, int digit)
{
    if (digit > 0) {
        menu_select(menu, QUESTION_PAGE_ANSWERS + digit);
    }
    return digit > 0 && menu_id(menu) == QUESTION_PAGE_ANSWERS + digit;
}
