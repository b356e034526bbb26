/// Each kind of text stands here once; what extracts, translates or measures texts calls the visitor.
#include "data/schema/scene_texts.h"

#include <stdio.h>

typedef struct Walk {
    SceneTextVisitor *visit;
    void *context;
} Walk;

static void meet(const Walk *walk, const char *key, char *text, size_t size)
{
    if (text[0] != '\0') {
        walk->visit(walk->context, key, text, size);
    }
}

/// The same of an item of a list; `part` is "" for items that are texts themselves.
static void meet_item(const Walk *walk, const char *list, int index, const char *part, char *text, size_t size)
{
    char key[96];
    snprintf(key, sizeof key, "exercise.%s.%d%s", list, index, part);
    meet(walk, key, text, size);
}

static void meet_question(const Walk *walk, SceneQuestion *question, int index)
{
    meet_item(walk, "questions", index, ".text", question->text, sizeof question->text);
    for (int n = 0; n < question->answers_count; n++) {
        char part[32];
        snprintf(part, sizeof part, ".answers.%d", n);
        meet_item(walk, "questions", index, part, question->answers[n], sizeof question->answers[n]);
    }
    meet_item(walk, "questions", index, ".why", question->why, sizeof question->why);
}

void scene_visit_texts(SceneParams *scene, SceneTextVisitor *visit, void *context)
{
    const Walk walk = {visit, context};
    SceneExercise *exercise = &scene->exercise;
    meet(&walk, "title", scene->title, sizeof scene->title);
    meet(&walk, "description", scene->description, sizeof scene->description);
    meet(&walk, "exercise.goal", exercise->goal, sizeof exercise->goal);
    for (int k = 0; k < exercise->steps_count; k++) {
        meet_item(&walk, "steps", k, ".text", exercise->steps[k].text, sizeof exercise->steps[k].text);
    }
    for (int k = 0; k < exercise->hints_count; k++) {
        meet_item(&walk, "hints", k, "", exercise->hints[k], sizeof exercise->hints[k]);
    }
    for (int k = 0; k < exercise->faults_count; k++) {
        meet_item(&walk, "faults", k, ".text", exercise->faults[k].text, sizeof exercise->faults[k].text);
    }
    for (int k = 0; k < exercise->questions_count; k++) {
        meet_question(&walk, &exercise->questions[k], k);
    }
    for (int k = 0; k < exercise->scores_count; k++) {
        meet_item(&walk, "scores", k, ".label", exercise->scores[k].label, sizeof exercise->scores[k].label);
    }
}
