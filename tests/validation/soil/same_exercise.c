/// Whole exercises, turned by 90 degrees and mirrored: level ground, heaps, marks, truck and machine.
///
/// One drive of the scripted operator gives the levers. The same levers (mirrored ones where the scene is mirrored)
/// then drive the exercise as its file has it, turned, and mirrored, each at `drives` places within columns and within
/// the packing of the undisturbed ground, none of them the place where the levers were recorded. Levers without an eye
/// diverge from place to place: that is the scatter. Means of a figure over the places are compared by
///
///   t = (mean - mean as filed) / (s sqrt(2 / n)),   s^2 = mean of the three variances,   3 (n - 1) degrees of freedom
///
/// (Student's t with a pooled variance), which passes up to the value that chance exceeds once in a thousand times. In
/// the other form the scripted operator itself drives every one of them. Where he may begin on either side he takes the
/// same one in all, so what he does in the mirrored exercise is not quite the mirror of what he does in the other.
#include "tests/validation/soil/same_exercise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validation/rigs/exercise/exercise_drive.h"
#include "tests/validation/rigs/soil/apparatus.h"

#define NEXT_ALONG 0.618 ///< of the packing's period, from one place to the next
#define NEXT_ASIDE 0.37 ///< the same to the side
#define PERIOD     0.8 ///< m: over which places are spread
#define EXACT      1e-6 ///< m: where nothing is dug, a turn changes nothing but rounding

enum { TRENCH, TRUCK_LOADING, SLOT_DOZING, SCENES };
enum { FORMS = 3, MOST_DRIVES = 20 };

static const char *const scenes[SCENES] = {"trench", "truck-loading", "slot-dozing"};

typedef struct Form {
    const char *name;
    bool mirrored;
    int quarters;
} Form;

/// The first is what the others are compared with.
static const Form forms[FORMS] = {{"as filed", false, 0}, {"turned", false, 1}, {"mirrored", true, 0}};

/// Figures of one form, over its places.
typedef struct Driven {
    Statistics of[EXERCISE_FIGURES];
    ExerciseOutcome outcomes[MOST_DRIVES];
} Driven;

bool same_is_chosen(Run *run, const char *key, const char *name)
{
    const char *word = option_word(run, key);
    return strcmp(word, "all") == 0 || strcmp(word, name) == 0;
}

static SceneTurn place_of(const Form *form, int drive)
{
    return (SceneTurn){.along = (fmod((drive + 1) * NEXT_ALONG, 1.0) - 0.5) * PERIOD,
                       .aside = (fmod((drive + 1) * NEXT_ASIDE, 1.0) - 0.5) * PERIOD,
                       .mirrored = form->mirrored,
                       .quarters = form->quarters};
}

/// The value that |t| of `freedom` degrees exceeds once in a thousand times: Cornish and Fisher's expansion about the
/// normal distribution's z (Abramowitz and Stegun 26.7.5), within 1.5 % from 6 degrees on.
static double largest_chance(double freedom)
{
    const double z = 3.290527;
    double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4.0 * freedom) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom * freedom) +
           (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom * freedom * freedom);
}

/// One figure of a turned form against the exercise as filed.
static void tell_figure(Run *run, const char *name, const Driven *driven, int form, int figure, int drives)
{
    char text[112];
    double variance = 0.0;
    for (int k = 0; k < FORMS; k++) {
        double deviation = statistics_deviation(&driven[k].of[figure]);
        variance += deviation * deviation * drives / (drives - 1.0) / FORMS;
    }
    double filed = statistics_mean(&driven[0].of[figure]), mean = statistics_mean(&driven[form].of[figure]);
    double error = sqrt(variance * 2.0 / drives);
    snprintf(text, sizeof text, "%s: %s", name, exercise_figure_names[figure]);
    run_result(run, text, exercise_figure_units[figure], mean, filed,
               fmax(error, 1e-9 * (1.0 + fabs(filed))) * largest_chance(FORMS * (drives - 1.0)));
    snprintf(text, sizeof text, "%s: %s, difference over scatter", name, exercise_figure_names[figure]);
    run_note(run, text, "", error > 0.0 ? (mean - filed) / error : 0.0);
}

/// How far the tool is from where it is in the exercise as filed, before it has dug.
static void tell_start(Run *run, const char *name, const Driven *driven, int form, int drives)
{
    double farthest = 0.0;
    for (int k = 0; k < drives; k++) {
        const ExerciseOutcome *filed = &driven[0].outcomes[k], *one = &driven[form].outcomes[k];
        double off = vec3_length(vec3_sub(filed->early, one->early));
        farthest = fmax(farthest, filed->early_time > 0.0 && filed->early_time == one->early_time ? off : 1e3);
    }
    char text[112];
    snprintf(text, sizeof text, "%s: tool off its place before it digs", name);
    run_result(run, text, "m", farthest, 0.0, EXACT);
}

static void tell_scene(Run *run, const char *scene, bool levers, const Driven *driven, int drives)
{
    for (int form = 0; form < FORMS; form++) {
        char name[48], text[112];
        snprintf(name, sizeof name, "%s, %s, %s", scene, levers ? "levers" : "operator", forms[form].name);
        for (int figure = 0; figure < EXERCISE_FIGURES; figure++) {
            if (levers && figure == EXERCISE_TIME) {
                continue;
            }
            if (form > 0) {
                tell_figure(run, name, driven, form, figure, drives);
                continue;
            }
            snprintf(text, sizeof text, "%s: %s", name, exercise_figure_names[figure]);
            run_note(run, text, exercise_figure_units[figure], statistics_mean(&driven[0].of[figure]));
        }
        if (form > 0 && levers) {
            tell_start(run, name, driven, form, drives);
        }
    }
}

/// Drives the three forms of a scene. levers  NULL: the operator drives, to the end.
static bool drive_scene(Run *run, const char *scene, const ExerciseLevers *levers, int drives)
{
    Driven *driven = calloc(FORMS, sizeof *driven);
    if (driven == NULL) {
        abort();
    }
    bool good = true;
    for (int k = 0; k < FORMS * drives && good; k++) {
        const Form *form = &forms[k % FORMS];
        Driven *to = &driven[k % FORMS];
        ExerciseDrive drive = {.scene = scene,
                               .turn = place_of(form, k / FORMS),
                               .seconds = option_number(run, levers == NULL ? "operator_time" : "seconds"),
                               .levers = levers};
        good = exercise_drive(run, &drive, &to->outcomes[k / FORMS]);
        for (int figure = 0; figure < EXERCISE_FIGURES; figure++) {
            statistics_add(&to->of[figure], to->outcomes[k / FORMS].of[figure]);
        }
        run_progress(run, (k + 1.0) / (FORMS * drives));
    }
    if (good) {
        tell_scene(run, scene, levers != NULL, driven, drives);
    }
    free(driven);
    return good;
}

static bool run_scene_forms(Run *run, const char *scene, int drives)
{
    bool good = true;
    if (same_is_chosen(run, "driven", "levers")) {
        ExerciseLevers levers = {0};
        ExerciseOutcome outcome;
        ExerciseDrive first = {.scene = scene, .seconds = option_number(run, "seconds"), .record = &levers};
        good = exercise_drive(run, &first, &outcome) && drive_scene(run, scene, &levers, drives);
        exercise_levers_free(&levers);
    }
    return good && (!same_is_chosen(run, "driven", "operator") || drive_scene(run, scene, NULL, drives));
}

bool same_run_exercises(Run *run)
{
    int drives;
    if (option_is_set(run, "group") && strcmp(option_word(run, "group"), "all") != 0) {
        run_fail(run, "group=%s: case=exercise has no groups; allowed is group=all", option_word(run, "group"));
        return false;
    }
    option_quick(run, "drives", 3.0);
    option_quick(run, "seconds", 15.0);
    if (!option_whole(run, "drives", &drives)) {
        return false;
    }
    // Heaps that slide cost the most: the quick form leaves them out where nobody asks for them.
    bool quick = run_quick(run) && !option_is_set(run, "exercise");
    for (int k = 0; k < SCENES; k++) {
        if (same_is_chosen(run, "exercise", scenes[k]) && !(quick && k == TRUCK_LOADING) &&
            !run_scene_forms(run, scenes[k], drives)) {
            return false;
        }
    }
    return true;
}
