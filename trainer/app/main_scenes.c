/// Pages of the main menu that choose what to drive or watch: courses, scenes of no course, the user's own scenes, and
/// recordings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/system_files.h"
#include "data/core/visible_text.h"
#include "trainer/app/main_menu_internal.h"
#include "trainer/app/menu.h"
#include "trainer/report/report.h"

enum { MOST_DIFFICULT = 5 }; ///< CourseExercise.difficulty

/// Formats the trainee's best result: "87 points", "passed, 87 points"; "" without an attempt.
static void print_best(const CatalogueScene *scene, char text[MENU_VALUE])
{
    text[0] = '\0';
    if (scene->best >= 0.0 && scene->scored) {
        snprintf(text, MENU_VALUE, language_text("%s%.0f points"), scene->passed ? language_text("passed, ") : "",
                 metric_whole(scene->best));
    } else if (scene->attempts > 0) {
        snprintf(text, MENU_VALUE, language_text("driven"));
    }
}

/// Writes the side text about a scene.
static void describe_scene(MainMenu *self, const CatalogueScene *scene, const char *more)
{
    char *text = self->menu.side_text, best[128] = "";
    if (scene->fault[0] != '\0') {
        snprintf(text, MENU_SIDE_TEXT,
                 language_text("It cannot be driven until this is mended in its file:\n\n%s\n\nThe command \"spadework "
                               "check\" with the file's name lists every fault."),
                 scene->fault);
        return;
    }
    if (scene->best >= 0.0 && scene->scored) {
        snprintf(best, sizeof best,
                 language_text(scene->attempts == 1 ? TEXT("\n\nBest of %d drive: %.0f of 100 points, %s")
                                                    : TEXT("\n\nBest of %d drives: %.0f of 100 points, %s")),
                 scene->attempts, metric_whole(scene->best),
                 scene->passed ? language_text("passed") : language_text("not passed yet"));
    }
    snprintf(text, MENU_SIDE_TEXT, "%s%s%s%s%s", scene->description, scene->goal[0] != '\0' ? "\n\n" : "", scene->goal,
             best, more);
    self->picture = main_menu_scene_picture(self, scene);
}

/// ---- conditions ----------------------------------------------------------------------------------------------------

/// Time of day, weather, soil, machine and start-up of the drives that are chosen next, until they are changed or the
/// menu ends.

enum { ITEM_CONDITIONS = MAIN_ITEM_OWN + 1, ITEM_USUAL = 100 }; ///< below ITEM_USUAL: a Condition

static const char *const condition_titles[CONDITION_COUNT] = {
    [CONDITION_TIME] = TEXT("Time of day"), [CONDITION_WEATHER] = TEXT("Weather"), [CONDITION_SOIL] = TEXT("Soil"),
    [CONDITION_MACHINE] = TEXT("Machine"),  [CONDITION_START] = TEXT("Start-up"),
};

/// The list of a condition with its count and the place of what is chosen, -1: as the exercise has it. The caller frees
/// it; memory for it there must be.
static DataListEntry *list_choices(const MainMenu *self, Condition condition, int *count, int *chosen)
{
    DataListEntry *entries = calloc(CONDITION_CHOICES, sizeof *entries);
    if (entries == NULL) {
        abort();
    }
    *count = conditions_list(condition, entries, CONDITION_CHOICES);
    *chosen = -1;
    for (int k = 0; k < *count; k++) {
        *chosen = strcmp(entries[k].name, self->conditions.name[condition]) == 0 ? k : *chosen;
    }
    return entries;
}

/// Writes the title of what is chosen; "" = as the exercise has it.
static void print_choice(const MainMenu *self, Condition condition, char text[MENU_VALUE])
{
    int count, chosen;
    text[0] = '\0';
    if (self->conditions.name[condition][0] == '\0') {
        return;
    }
    DataListEntry *entries = list_choices(self, condition, &count, &chosen);
    if (chosen >= 0) {
        status_copy_text(text, MENU_VALUE, language_text(entries[chosen].title));
    }
    free(entries);
}

void main_menu_add_conditions(MainMenu *self, int id)
{
    char all[CONDITION_COUNT * (MENU_VALUE + 2)] = "";
    for (int k = 0; k < CONDITION_COUNT; k++) {
        char one[MENU_VALUE];
        size_t length = strlen(all);
        print_choice(self, (Condition)k, one);
        snprintf(all + length, sizeof all - length, "%s%s", length > 0 && one[0] != '\0' ? ", " : "", one);
    }
    MenuItem *item = menu_add(&self->menu, id, language_text("Conditions"), "");
    if (item != NULL) {
        status_copy_text(item->value, MENU_VALUE, all[0] != '\0' ? all : language_text("as each exercise has them"));
    }
}

void main_menu_choose_conditions(MainMenu *self, MainPageKind after)
{
    self->after_conditions = after;
    main_menu_go(self, MAIN_CONDITIONS);
}

static void fill_conditions(MainMenu *self)
{
    main_menu_begin(self, language_text("Conditions"), language_text("Of what you drive next, until you change them"));
    for (int k = 0; k < CONDITION_COUNT; k++) {
        char value[MENU_VALUE];
        print_choice(self, (Condition)k, value);
        menu_add_value(&self->menu, k, language_text(condition_titles[k]),
                       value[0] != '\0' ? value : language_text("as the exercise has it"));
    }
    menu_add(&self->menu, ITEM_USUAL, language_text("All as the exercise has them"), "");
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

static void describe_conditions(MainMenu *self, int id)
{
    bool seen = id == CONDITION_TIME || id == CONDITION_WEATHER, felt = id >= CONDITION_SOIL && id < CONDITION_COUNT;
    snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s",
             seen ? language_text("It changes the picture alone. Points stay comparable.")
             : felt
                 ? language_text("It changes the work: results and debrief then say that the points are not comparable "
                                 "with others of the exercise.")
                 : language_text("Time of day, weather, soil, machine and start-up of what you drive next."));
}

static MainAnswer change_condition(MainMenu *self, int id, int step)
{
    int count, chosen;
    if (id < 0 || id >= CONDITION_COUNT) {
        return MAIN_STAYS;
    }
    DataListEntry *entries = list_choices(self, (Condition)id, &count, &chosen);
    int next = (chosen + 1 + step + count + 1) % (count + 1) - 1;
    snprintf(self->conditions.name[id], CONDITION_NAME, "%s", next >= 0 ? entries[next].name : "");
    free(entries);
    main_menu_go(self, MAIN_CONDITIONS);
    return MAIN_STAYS;
}

static MainAnswer choose_condition(MainMenu *self, int id)
{
    if (id == ITEM_USUAL) {
        self->conditions = (Conditions){.name = {""}};
        main_menu_go(self, MAIN_CONDITIONS);
    }
    return change_condition(self, id, 1);
}

static void leave_conditions(MainMenu *self)
{
    main_menu_go(self, self->after_conditions);
}

const MainPage main_page_conditions = {.fill = fill_conditions,
                                       .describe = describe_conditions,
                                       .choose = choose_condition,
                                       .change = change_condition,
                                       .go_back = leave_conditions};

/// ---- course --------------------------------------------------------------------------------------------------------

/// Writes the condition that opens a step: "opens when 5. Dig a trench is passed with 80 points or more".
static void print_need(const MainMenu *self, const CatalogueCourse *course, int step, char *text, size_t size)
{
    text[0] = '\0';
    if (!course->steps[step].open) {
        const CatalogueStep *before = &course->steps[step - 1];
        snprintf(text, size, language_text("opens when %d. %s is passed with %s points or more"), step,
                 self->catalogue.scenes[before->scene].title, quantity_digits(before->needs, 3).number);
    }
}

/// Result and difficulty: "passed, 92 points   **---" in dots.
static void print_standing(const CatalogueScene *scene, int difficulty, char text[MENU_VALUE])
{
    print_best(scene, text);
    size_t length = strlen(text);
    snprintf(text + length, MENU_VALUE - length, "%s", length > 0 && difficulty > 0 ? "   " : "");
    for (int k = 0; k < MOST_DIFFICULT && difficulty > 0; k++) {
        length = strlen(text);
        snprintf(text + length, MENU_VALUE - length, "%s", k < difficulty ? "\u25cf" : "\u25cb");
    }
}

static void fill_course(MainMenu *self)
{
    const CatalogueCourse *course = &self->catalogue.courses[self->course];
    char usual[MENU_SUBTITLE];
    snprintf(usual, sizeof usual, "%s %s", course->description,
             self->catalogue.locks ? language_text("An exercise opens when you have passed the one before it.")
                                   : language_text("All exercises are open."));
    main_menu_begin(self, course->title, usual);
    for (int k = 0; k < course->step_count; k++) {
        const CatalogueScene *scene = &self->catalogue.scenes[course->steps[k].scene];
        char text[MENU_TEXT], need[MENU_TEXT];
        snprintf(text, sizeof text, "%d. %s", k + 1, scene->title);
        print_need(self, course, k, need, sizeof need);
        MenuItem *item = menu_add(&self->menu, k, text, scene->fault[0] != '\0' ? scene->fault : need);
        if (item != NULL) {
            item->style = course->steps[k].open && scene->fault[0] == '\0' ? RENDER_MENU_CHOICE : RENDER_MENU_CLOSED;
            print_standing(scene, course->steps[k].difficulty, item->value);
        }
    }
    main_menu_add_conditions(self, ITEM_CONDITIONS);
    if (course->fault[0] != '\0') {
        menu_tell(&self->menu, RENDER_MENU_TELLS, language_text("This course cannot be read"));
    }
    menu_add(&self->menu, MAIN_ITEM_BACK, language_text("Back"), "");
}

static void describe_step(MainMenu *self, int id)
{
    const CatalogueCourse *course = &self->catalogue.courses[self->course];
    char more[2 * MENU_TEXT] = "", need[MENU_TEXT];
    if (id == ITEM_CONDITIONS) {
        describe_conditions(self, id);
        return;
    }
    if (id < 0 || id >= course->step_count) {
        snprintf(self->menu.side_text, MENU_SIDE_TEXT, "%s", course->fault);
        return;
    }
    print_need(self, course, id, need, sizeof need);
    if (course->steps[id].difficulty > 0) {
        snprintf(more, sizeof more, language_text("\n\nDifficulty: %d of %d"), course->steps[id].difficulty,
                 MOST_DIFFICULT);
    }
    size_t length = strlen(more);
    if (need[0] != '\0') {
        snprintf(
            more + length, sizeof more - length, "%s",
            language_text("\n\nClosed: pass the one before it yourself, from its start. An instructor opens all in "
                          "the settings."));
    } else if (id + 1 < course->step_count && self->catalogue.locks) {
        snprintf(more + length, sizeof more - length,
                 language_text("\n\nPassed with %s points or more it opens the next exercise."),
                 quantity_digits(course->steps[id].needs, 3).number);
    }
    describe_scene(self, &self->catalogue.scenes[course->steps[id].scene], more);
}

static MainAnswer choose_step(MainMenu *self, int id)
{
    const CatalogueCourse *course = &self->catalogue.courses[self->course];
    if (id == ITEM_CONDITIONS) {
        main_menu_choose_conditions(self, MAIN_COURSE);
        return MAIN_STAYS;
    }
    if (id < 0 || id >= course->step_count) {
        return MAIN_STAYS;
    }
    if (!course->steps[id].open) {
        char need[MENU_TEXT];
        print_need(self, course, id, need, sizeof need);
        snprintf(self->told, sizeof self->told, language_text("It is not open yet: it %s"), need);
        main_menu_go(self, MAIN_COURSE);
        return MAIN_STAYS;
    }
    return main_menu_drive(self, &self->catalogue.scenes[course->steps[id].scene], course->name);
}

/// ---- scenes of no course -------------------------------------------------------------------------------------------

/// The fault from its file's name on: the folder is known.
static const char *without_folder(const char *fault)
{
    const char *end = fault + strcspn(fault, ":"), *start = fault;
    for (const char *p = fault; p < end; p++) {
        start = *p == '/' ? p + 1 : start;
    }
    return start;
}

static void fill_scene(const MainMenu *self, int index, MenuItem *item)
{
    const CatalogueScene *scene = &self->catalogue.scenes[index];
    bool good = scene->fault[0] == '\0';
    snprintf(item->text, sizeof item->text, "%s", good ? scene->title : scene->name); // a broken file may have no title
    snprintf(item->detail, sizeof item->detail, "%.*s", MENU_TEXT - 1, without_folder(scene->fault));
    item->style = good ? RENDER_MENU_CHOICE : RENDER_MENU_CLOSED;
    if (good) {
        print_best(scene, item->value);
    } else {
        snprintf(item->value, sizeof item->value, language_text("broken"));
    }
}

static void name_scene(const CatalogueScene *scene, bool listed, char *text, size_t size)
{
    if (listed) {
        snprintf(text, size, "%s %s", scene->title, scene->name);
    }
}

static void name_free(const MainMenu *self, int index, char *text, size_t size)
{
    const CatalogueScene *scene = &self->catalogue.scenes[index];
    name_scene(scene, !scene->own && !scene->in_course, text, size);
}

static void name_own(const MainMenu *self, int index, char *text, size_t size)
{
    name_scene(&self->catalogue.scenes[index], self->catalogue.scenes[index].own, text, size);
}

static void fill_free(MainMenu *self)
{
    static const MainList list = {.fill = fill_scene, .name = name_free};
    main_menu_begin(self, language_text("Other scenes"),
                    language_text("Practice sites, and exercises that belong to no course"));
    main_list_fill(self, &list, self->catalogue.scene_count);
}

static void fill_own(MainMenu *self)
{
    static const MainList list = {
        .fill = fill_scene,
        .name = name_own,
        .nothing = TEXT("None yet. A copy of a shipped one: spadework new exercise --from trench my-trench")};
    char folder[DATA_PATH_LENGTH], usual[MENU_SUBTITLE];
    Status status;
    const char *shared = data_shared_folder();
    bool there = user_data_path("scenes", folder, &status);
    snprintf(usual, sizeof usual, there ? language_text("Scenes in %.500s") : "%.500s", there ? folder : status.text);
    if (there && shared != NULL) {
        snprintf(usual, sizeof usual, language_text("Scenes in %.240s and %.240s/scenes"), folder, shared);
    }
    visible_text_hide_home(usual);
    main_menu_begin(self, language_text("My own scenes"), usual);
    main_list_fill(self, &list, self->catalogue.scene_count);
}

static void describe_listed(MainMenu *self, int id)
{
    if (id >= 0 && id < self->catalogue.scene_count) {
        describe_scene(self, &self->catalogue.scenes[id], "");
    }
}

static MainAnswer choose_listed(MainMenu *self, int id)
{
    return id >= 0 && id < self->catalogue.scene_count ? main_menu_drive(self, &self->catalogue.scenes[id], NULL)
                                                       : MAIN_STAYS;
}

const MainPage main_page_course = {.fill = fill_course, .describe = describe_step, .choose = choose_step};
const MainPage main_page_free = {
    .fill = fill_free, .describe = describe_listed, .choose = choose_listed, .lists = true};
const MainPage main_page_own = {.fill = fill_own, .describe = describe_listed, .choose = choose_listed, .lists = true};

/// ---- recordings ----------------------------------------------------------------------------------------------------

/// Recordings, newest first; a damaged file is listed with its fault.

#define PIECE 0.005 ///< s of checking seals in a round of the menu. Chosen: no round is late

/// "2026-11-23 18:05" of "2026-11-23T18:05:31Z".
static void print_date(const char *created, char text[24])
{
    snprintf(text, 24, "%.10s %.5s", created, strlen(created) > 16 ? created + 11 : "");
}

static void fill_recording(const MainMenu *self, int index, MenuItem *item)
{
    const ResultRecording *entry = &self->recordings.entries[index];
    const RecordingGlance *glance = &entry->glance;
    char date[24], length[16], driver[MENU_TEXT / 2];
    if (entry->fault[0] != '\0') {
        snprintf(item->text, sizeof item->text, "%.*s", MENU_TEXT - 1, file_name_of(entry->path));
        snprintf(item->detail, sizeof item->detail, "%.*s", MENU_TEXT - 1, entry->fault);
        visible_text_hide_home(item->detail);
        snprintf(item->value, sizeof item->value, language_text("damaged"));
        item->style = RENDER_MENU_CLOSED;
        return;
    }
    snprintf(item->text, sizeof item->text, "%s", language_text(glance->title));
    print_date(glance->created, date);
    main_menu_print_time(glance->duration, length);
    operator_words(glance->operator_name, &glance->credit, driver, sizeof driver);
    snprintf(item->detail, sizeof item->detail, "%s UTC   %s   %.90s", date, length,
             glance->trainee[0] != '\0' ? glance->trainee : driver);
    item->style = glance->replayable ? RENDER_MENU_CHOICE : RENDER_MENU_CLOSED;
    if (!glance->replayable) {
        snprintf(item->value, sizeof item->value, language_text("older program"));
    } else if (glance->closed && !credit_is_practice(&glance->credit)) {
        snprintf(item->value, sizeof item->value, language_text("%s%.0f points"),
                 glance->passed ? language_text("passed, ") : "", metric_whole(glance->score));
    } else {
        snprintf(item->value, sizeof item->value, "%s",
                 glance->seal.state == RECORDING_CHANGED ? language_text("changed")
                 : glance->seal.state == RECORDING_LIVE  ? language_text("being recorded")
                 : glance->closed                        ? language_text("practice")
                                                         : language_text("cut off"));
    }
}

/// The search text of a recording: exercise, trainee, date and file.
static void name_recording(const MainMenu *self, int index, char *text, size_t size)
{
    const ResultRecording *entry = &self->recordings.entries[index];
    char date[24];
    print_date(entry->glance.created, date);
    snprintf(text, size, "%.60s %.90s %s %.110s", entry->fault[0] != '\0' ? "" : language_text(entry->glance.title),
             entry->glance.trainee, date, file_name_of(entry->path));
}

static void fill_recordings(MainMenu *self)
{
    static const MainList list = {.fill = fill_recording,
                                  .name = name_recording,
                                  .nothing = TEXT("No recordings yet: every drive is recorded automatically")};
    char folder[DATA_PATH_LENGTH], usual[MENU_SUBTITLE];
    Status status;
    bool there = user_data_path("recordings", folder, &status);
    snprintf(usual, sizeof usual, there ? language_text("In %.500s") : "%.500s", there ? folder : status.text);
    visible_text_hide_home(usual);
    main_menu_begin(self, language_text("Recordings"), usual);
    main_list_fill(self, &list, self->recordings.count);
}

static RenderPicture *find_picture(const MainMenu *self, const ResultRecording *entry)
{
    size_t size = 0;
    unsigned char *png = recording_glance_picture(entry->path, &size);
    RenderPicture *picture = png != NULL ? pictures_decode(png, size) : NULL;
    free(png);
    for (int k = 0; k < self->catalogue.scene_count && picture == NULL; k++) { // an older one has none of its own
        const CatalogueScene *scene = &self->catalogue.scenes[k];
        picture = strcmp(scene->name, entry->glance.scene) == 0 ? pictures_of_scene(scene->name, scene->picture) : NULL;
    }
    return picture;
}

static void print_score(const RecordingGlance *glance, char *text, size_t size)
{
    snprintf(text, size, "%s",
             glance->seal.state == RECORDING_CHANGED ? language_text("It was changed after it was recorded: no score")
             : glance->seal.state == RECORDING_LIVE  ? language_text("It is being recorded: there is no score yet")
                                                     : language_text("It was cut off: no score"));
    if (glance->closed && glance->replayable) {
        snprintf(text, size, language_text("%.0f of 100 points, %s"), metric_whole(glance->score),
                 glance->passed ? language_text("passed") : language_text("not passed"));
    }
}

/// Writes the verdict on the seals once all are checked.
static void describe_proof(const ResultRecording *entry, char *text, size_t size)
{
    const RecordingGlance *glance = &entry->glance;
    char words[SEAL_WORDS];
    if (!glance->replayable) {
        snprintf(text, size,
                 language_text(
                     "\n\nAnother version of the program made it (format %d, %s): it cannot be watched with this one."),
                 glance->format, glance->build);
    } else if (glance->seal.state == RECORDING_CHANGED || entry->checked) {
        RecordingSeal seal = glance->seal;
        recording_seal_look_up(&seal);
        seal_words(&seal, false, words, sizeof words);
        snprintf(text, size, language_text("\n\nRecording: %s"), words);
    } else {
        snprintf(text, size, "%s", language_text("\n\nIts seals are being checked"));
    }
}

static void describe_recording(MainMenu *self, int id)
{
    if (id < 0 || id >= self->recordings.count) {
        return;
    }
    const ResultRecording *entry = &self->recordings.entries[id];
    const RecordingGlance *glance = &entry->glance;
    char *text = self->menu.side_text, length[16], date[24], score[CREDIT_WORDS], driver[128];
    if (entry->fault[0] != '\0') {
        snprintf(text, MENU_SIDE_TEXT, language_text("It cannot be watched:\n\n%s"), entry->fault);
        return;
    }
    main_menu_print_time(glance->duration, length);
    print_date(glance->created, date);
    operator_words(glance->operator_name, &glance->credit, driver, sizeof driver);
    print_score(glance, score, sizeof score);
    int used = snprintf(
        text, MENU_SIDE_TEXT, language_text("%s\nDriven by %s (%s)\n%s UTC, %s long, %s MB\n%s\n\n%s"),
        language_text(glance->title), glance->trainee[0] != '\0' ? glance->trainee : language_text("nobody named"),
        driver, date, length, quantity_number(1e-6 * (double)glance->size, 1).number, score, file_name_of(entry->path));
    if (used > 0 && used < MENU_SIDE_TEXT) {
        describe_proof(entry, text + used, (size_t)(MENU_SIDE_TEXT - used));
    }
    self->picture = find_picture(self, entry);
}

static MainAnswer choose_recording(MainMenu *self, int id)
{
    if (id < 0 || id >= self->recordings.count) {
        return MAIN_STAYS;
    }
    const ResultRecording *entry = &self->recordings.entries[id];
    if (entry->fault[0] != '\0' || !entry->glance.replayable) {
        snprintf(self->told, sizeof self->told, "%.*s", MENU_SUBTITLE - 1,
                 entry->fault[0] != '\0'
                     ? entry->fault
                     : language_text("Another version of the program made it: it cannot be watched with this one"));
        main_menu_go(self, MAIN_RECORDINGS);
        return MAIN_STAYS;
    }
    snprintf(self->recording, sizeof self->recording, "%s", entry->path);
    self->options.trainee = self->trainee[0] != '\0' ? self->trainee : NULL; // for a take-over
    self->options.course = NULL;
    return MAIN_WATCHES;
}

/// ---- seals ---------------------------------------------------------------------------------------------------------

static bool wants_check(const ResultRecording *entry)
{
    return entry->fault[0] == '\0' && entry->glance.replayable && !entry->checked &&
           entry->glance.seal.state != RECORDING_CHANGED;
}

/// Begins with the selected one, then those that the list shows.
static bool start_proving(MainMenu *self)
{
    int selected = menu_id(&self->menu), first = self->menu.first;
    for (int k = -1; k < RENDER_MAX_MENU && self->prover == NULL; k++) {
        int row = first + k, at = k < 0 ? selected : row < self->listed_count ? self->listed[row] : -1;
        ResultRecording *entry = at >= 0 && at < self->recordings.count ? &self->recordings.entries[at] : NULL;
        if (entry != NULL && wants_check(entry)) {
            self->prover = recording_prover_open(entry->path);
            self->proving = at;
            entry->checked = self->prover == NULL; // one that cannot be read stays as it was listed
        }
    }
    return self->prover != NULL;
}

/// Checks the seals of the recordings piece by piece. A changed recording is marked in the list.
static MainPoll poll_seals(MainMenu *self, WindowInput *input)
{
    (void)input;
    RecordingSeal seal;
    if ((self->prover == NULL && !start_proving(self)) || !recording_prover_step(self->prover, PIECE, &seal)) {
        return MAIN_POLL_NOTHING;
    }
    ResultRecording *entry = &self->recordings.entries[self->proving];
    bool shown = seal.state == RECORDING_CHANGED || self->proving == menu_id(&self->menu);
    entry->checked = true;
    entry->glance.seal = seal;
    entry->glance.closed = entry->glance.closed && seal.state == RECORDING_WHOLE;
    entry->glance.passed = entry->glance.closed && entry->glance.passed;
    main_menu_stop_proving(self);
    return shown ? MAIN_POLL_FILL : MAIN_POLL_NOTHING;
}

const MainPage main_page_recordings = {.fill = fill_recordings,
                                       .describe = describe_recording,
                                       .choose = choose_recording,
                                       .poll = poll_seals,
                                       .leave = main_menu_stop_proving,
                                       .lists = true};
