/// Every text is changed in its place, so that whoever shows a scene needs to know nothing of languages.
#include "trainer/report/scene_language.h"

#include <string.h>

#include "data/schema/scene_texts.h"
#include "data/core/language.h"

static void put_translation(char *text, size_t size, const char *translation)
{
    size_t length = strlen(translation);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)translation[length] & 0xC0u) == 0x80u) {
            length--; // the middle of a character
        }
    }
    memmove(text, translation, length);
    text[length] = '\0';
}

static void translate(void *context, const char *key, char *text, size_t size)
{
    (void)context;
    (void)key;
    put_translation(text, size, language_text(text));
}

void language_translate_scene(SceneParams *scene)
{
    scene_visit_texts(scene, translate, NULL);
    for (int k = 0; k < scene->exercise.scores_count; k++) {
        SceneScore *score = &scene->exercise.scores[k];
        const char *phrase = metric_infos[score->metric].phrase, *translation = language_text(phrase);
        if (score->label[0] == '\0' && strcmp(phrase, translation) != 0) {
            put_translation(score->label, sizeof score->label, translation);
        }
    }
}
