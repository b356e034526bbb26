/// Lists courses with their scenes in order, and trainees by name, as one JSON text.
#include "trainer/remote/choices.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "data/core/language.h"
#include "data/schema/schema.h"
#include "trainer/remote/console_json.h"
#include "trainer/results/results.h"

/// Names that the page suggests; others are typed. Chosen: half a megabyte.
enum { MOST_COURSES = 64, MOST_TRAINEES = 20000 };

static json_t *list_courses(void)
{
    Status unused;
    DataListEntry *entries = calloc(MOST_COURSES, sizeof *entries);
    CourseParams *course = malloc(sizeof *course);
    bool has_room = entries != NULL && course != NULL;
    int count = has_room ? data_list("courses", entries, MOST_COURSES, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_COURSES; k++) {
        if (!data_load_course(entries[k].name, course, &unused)) {
            continue;
        }
        json_t *scenes = json_array();
        for (int step = 0; step < course->exercises_count; step++) {
            json_array_append_new(scenes, json_string(course->exercises[step].scene));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", entries[k].name, "title",
                                              language_text(course->title), "scenes", scenes));
    }
    free(course);
    free(entries);
    return list;
}

char *choices_courses(void)
{
    return console_json_write(list_courses(), 0, NULL);
}

static json_t *list_trainees(const char *path)
{
    Status unused;
    ResultTrainee *trainees = NULL;
    Results *results = results_open(path, RESULTS_READ, &unused);
    int count = results != NULL ? results_trainees(results, NULL, &trainees, &unused) : 0;
    json_t *list = json_array();
    for (int k = 0; k < count && k < MOST_TRAINEES; k++) {
        json_array_append_new(list, json_string(trainees[k].name));
    }
    free(trainees);
    results_close(results);
    return list;
}

static char *read_choices(const char *results)
{
    json_t *choices = json_pack("{s:o, s:o}", "courses", list_courses(), "trainees", list_trainees(results));
    return console_json_write(choices, 0, NULL);
}

/// ---- the thread ----------------------------------------------------------------------------------------------------

struct Choices {
    const char *results;
    bool asked; ///< since the thread was begun
    bool runs; ///< the thread has been begun, and not been waited for
    pthread_t thread;
    pthread_mutex_t lock; ///< of all that follows
    bool done; ///< the thread has ended, or is about to
    char *text; ///< own: what it has read, or NULL
};

static void *run(void *context)
{
    Choices *self = context;
    char *text = read_choices(self->results);
    pthread_mutex_lock(&self->lock);
    self->text = text;
    self->done = true;
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/// Signals are the main thread's.
static void begin(Choices *self)
{
    sigset_t all, before;
    self->asked = self->done = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    self->runs = pthread_create(&self->thread, NULL, run, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

Choices *choices_open(const char *results)
{
    Choices *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->results = results;
        pthread_mutex_init(&self->lock, NULL);
    }
    return self;
}

void choices_close(Choices *choices)
{
    if (choices != NULL) {
        if (choices->runs) {
            pthread_join(choices->thread, NULL);
        }
        pthread_mutex_destroy(&choices->lock);
        free(choices->text);
        free(choices);
    }
}

void choices_ask(Choices *choices)
{
    if (choices != NULL && choices->runs) {
        choices->asked = true;
    } else if (choices != NULL) {
        begin(choices);
    }
}

char *choices_take(Choices *choices, size_t *size)
{
    *size = 0;
    if (choices == NULL || !choices->runs) {
        return NULL;
    }
    pthread_mutex_lock(&choices->lock);
    bool done = choices->done;
    char *text = choices->text;
    choices->text = NULL;
    pthread_mutex_unlock(&choices->lock);
    if (!done) {
        return NULL;
    }
    pthread_join(choices->thread, NULL);
    choices->runs = false;
    if (choices->asked) {
        begin(choices);
    }
    *size = text != NULL ? strlen(text) : 0;
    return text;
}
