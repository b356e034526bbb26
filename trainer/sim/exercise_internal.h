/// State of an exercise, and the functions that its source files share: surveys, cycles, tasks and score.
#ifndef SPADEWORK_TRAINER_EXERCISE_INTERNAL_H
#define SPADEWORK_TRAINER_EXERCISE_INTERNAL_H

#include "data/schema/design_surface.h"
#include "trainer/sim/exercise.h"
#include "trainer/sim/score.h"
#include "trainer/sim/work_phases.h"

/// How far a cycle has come, by its load. What its time is split into are phases of work (work_phases.h).
typedef enum CyclePhase { CYCLE_RETURN, CYCLE_DIG, CYCLE_CARRY, CYCLE_DUMP, CYCLE_PHASE_COUNT } CyclePhase;

/// When a cycle's load is weighed: at the last tick in which the bucket is curled or its edge is in the ground where it
/// digs, at the first in which it is out of the cut, and at the last before it is opened.
typedef enum CarriedMoment { CARRIED_CURLED, CARRIED_CLEAR, CARRIED_SWING, CARRIED_DUMP, CARRIED_COUNT } CarriedMoment;

/// Every scalar of the state: hashed, saved, restored.
#define EXERCISE_SCALARS(X)                                                                                            \
    X(double, time) /* s since the start, until the end */                                                             \
    X(int32_t, events_lost) /* events that there was no room for; no more than EXERCISE_MOST_COUNT are counted */      \
    X(int32_t, end) /* ExerciseEnd */                                                                                  \
    X(int32_t, failed_by) /* Incident that ended the attempt, where one did */                                         \
    X(int32_t, phase) /* CyclePhase of the cycle under way */                                                          \
    X(int64_t, cycles)                                                                                                 \
    X(double, last_cycle_time) /* s */                                                                                 \
    X(double, smooth_payload) /* kg, low-passed */                                                                     \
    X(double, cycle_weight) /* kg in the tool when it left the cut */                                                  \
    X(double, dig_x) /* m, world: where the edge was last in the ground */                                             \
    X(double, dig_y)                                                                                                   \
    X(double, lowest_payload) /* kg since the last dump, or in the dump that goes on */                                \
    X(double, closing_load) /* kg that was dumped in a cycle whose last phase goes on; 0: none is */                   \
    X(int32_t, opened) /* 1: the bucket was opened since it left the cut, or a blade has shed its load */              \
    X(int32_t, trails) /* 1 from a full cycle to the next dig: what still runs out belongs to it */                    \
    X(double, hauled) /* kg that left the tool in all full cycles */                                                   \
    X(int32_t, touched) /* 1: a tool has worked in the ground */                                                       \
    X(double, moved) /* kg outside the cut or in beds; of a free scene: hauled */                                      \
    X(double, moved_bank) /* m3 that it took in the bank */                                                            \
    X(double, moved_before) /* kg that moved by itself before a tool touched the ground */                             \
    X(double, bank_before) /* m3 that it took in the bank */                                                           \
    X(double, spill_before) /* kg that lay where it should not before a tool touched the ground */                     \
    X(double, spill_bank_before) /* m3 that it took in the bank */                                                     \
    X(double, spilled_bank) /* m3 that what was spilled took in the bank */                                            \
    X(int32_t, stirred) /* 1: the ground was stirred when it was last looked at */                                     \
    X(int32_t, provisional) /* 1: the figures of the ground are those of EXERCISE_WORKED */                            \
    X(double, stirring) /* s since the ground was last settled */                                                      \
    X(double, held) /* s since what follows from the ground was last judged */                                         \
    X(double, judging) /* s since the time limit */                                                                    \
    X(double, spilled) /* kg */                                                                                        \
    X(double, spill_told) /* kg: spill at the last event */                                                            \
    X(double, relief_time) /* s with a relief valve open */                                                            \
    X(double, relief_run) /* s of the present stretch at relief */                                                     \
    X(double, slip_time) /* s with the tracks slipping */                                                              \
    X(double, stall_time) /* s with the engine pulled down or the converter standing */                                \
    X(double, tip_time) /* s on the edge of the tracks */                                                              \
    X(double, working_time) /* s with at least one lever out of neutral */                                             \
    X(double, together_time) /* s with at least two functions used at once */                                          \
    X(int64_t, reversals) /* lever direction changes */                                                                \
    X(double, tip_path) /* m */                                                                                        \
    X(double, tip_x)                                                                                                   \
    X(double, tip_y)                                                                                                   \
    X(double, tip_z)                                                                                                   \
    X(double, start_fuel) /* kg */                                                                                     \
    X(double, fuel_used) /* kg */                                                                                      \
    X(double, start_beds) /* kg in the trucks' beds before the start */                                                \
    X(double, delivered) /* kg of that tipped at the dump */                                                           \
    X(int64_t, truck_loads) /* loads that left */                                                                      \
    X(int64_t, truck_passes) /* buckets in them */                                                                     \
    X(double, dumped) /* kg above the dump zone */                                                                     \
    X(double, removed_share) /* 0..1 of the box's volume */                                                            \
    X(double, mean_depth) /* m below the surface at the start, of the floor */                                         \
    X(double, dug_width) /* m, mean over the stretch that is dug to half the depth */                                  \
    X(double, dug_length) /* m of that stretch */                                                                      \
    X(double, worst_error) /* m, of the floor dug to half the depth or more */                                         \
    X(double, rms_error) /* m, of the same */                                                                          \
    X(double, within_share) /* 0..1 of the same within the tolerance */                                                \
    X(double, finished_share) /* 0..1 of the whole floor within the tolerance */                                       \
    X(double, overdig) /* m3 below the box by more than the tolerance */                                               \
    X(double, overdig_told) /* m3: overdig at the last event */                                                        \
    X(double, exposed) /* 0..1 of the length that is to be dug free */                                                 \
    X(double, struck) /* J: most that a touch of it took up */                                                         \
    X(double, outside_dug) /* m3 lowered beside the box */                                                             \
    X(double, setback) /* m3 that lie beside the box, not in the dump circle */                                        \
    X(double, surface_rms) /* m */                                                                                     \
    X(double, surface_worst) /* m: above 0 too high */                                                                 \
    X(double, surface_within) /* 0..1 of its columns within the tolerance */                                           \
    X(double, surface_cut) /* m3 above the design */                                                                   \
    X(double, surface_fill) /* m3 below it */                                                                          \
    X(double, surface_overdig) /* m3 below it by more than the tolerance, where it was not */                          \
    X(double, surface_work) /* 0..1 of the volume that was to be moved */                                              \
    X(int32_t, targets_reached)                                                                                        \
    X(double, target_held) /* s that it was at the target that is due */                                               \
    X(double, target_since) /* s: exercise time at which that one was due */                                           \
    X(double, target_time) /* s, sum over those reached */                                                             \
    X(double, target_error) /* m, sum over those reached */                                                            \
    X(int32_t, answered) /* questions */                                                                               \
    X(int32_t, answer_held) /* the answer that was pressed in the last tick; 0: none */

/// Figures of rocks: how many, m of the largest, 0..1 of their mass that is too large.
enum { ROCK_COUNT_FIGURE, ROCK_LARGEST_FIGURE, ROCK_OVERSIZE_FIGURE, ROCK_FIGURES };

/// Figures of ripping. What breaks between two looks counts for the ripper when it alone was in the ground.
enum {
    RIP_SHARE_FIGURE, ///< 0..1 of the volume, broken by the ripper
    RIP_DEPTH_FIGURE, ///< m of mean depth, broken by the ripper
    RIP_DRAGGED_FIGURE, ///< s in which the ripper was dragged backwards or round
    RIP_SHARE_SEEN_FIGURE, ///< 0..1 of the volume that was broken at the last look, by whatever tool
    RIP_DEPTH_SEEN_FIGURE, ///< m of mean depth at the last look, by whatever tool
    RIP_FIGURES
};

/// Figures of loads: now or as they last lay, then the most so far.
enum {
    LOAD_LIFTED_FIGURE,
    LOAD_PLACED_FIGURE,
    LOAD_OFFSET_FIGURE, ///< m
    LOAD_HEADING_FIGURE, ///< rad
    LOAD_SWING_FIGURE, ///< rad
    LOAD_IMPACT_FIGURE, ///< m/s
    LOAD_SHARE_FIGURE,
    LOAD_FIGURES
};

typedef struct ExerciseState {
#define X(type, name) type name;
    EXERCISE_SCALARS(X)
#undef X
    double rocks[ROCK_FIGURES]; ///< as they were last seen; of a scene without `oversize` no part of the state
    double ripping[RIP_FIGURES]; ///< of a scene without `rip` no part of the state
    /// 0..1 of the volume to fill, as dense as is asked; of a scene without `surface.compaction` no part of the state
    double compacted;
    double loads[LOAD_FIGURES]; ///< of a scene without loads no part of the state
    WorkPhases work;
    SwingSkill skill;
    double phase_total[WORK_PHASE_COUNT]; ///< s, since the start
    double phase_time[WORK_PHASE_COUNT]; ///< s, sum over all full cycles
    double phase_now[WORK_PHASE_COUNT]; ///< s, of the cycle under way
    double carried[CARRIED_COUNT]; ///< kg, sum over all full cycles
    double carried_now[CARRIED_COUNT]; ///< kg, of the cycle under way
    double beds[SCENE_MAX_TRUCKS]; ///< kg each truck had taken when its bed was last still
    int32_t lever_sign[4]; ///< last direction of each lever
    int32_t answers[SCENE_MAX_QUESTIONS]; ///< given, 1..; 0: not yet
    int64_t step_tick[SCENE_MAX_STEPS]; ///< in which each was done; 0: not yet
    double step_start[SCENE_MAX_STEPS]; ///< its metric before the start
    double lost_told[SCENE_MAX_SCORES]; ///< points that each row had lost at its last event
    int32_t incidents[INCIDENT_COUNT]; ///< of each kind, while the exercise ran
    int32_t applied[SCENE_MAX_RULES]; ///< incidents that met each rule, those let pass included
    int32_t event_count;
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
} ExerciseState;

/// Where a surveyed column lies.
typedef enum SurveyZone {
    /// In the box, within one column of its sides: no judge of depth, since walls never stand quite upright
    SURVEY_WALL,
    SURVEY_FLOOR, ///< in the box
    SURVEY_BORDER, ///< beside the box
    SURVEY_DUMP, ///< beside the box, in the dump circle
} SurveyZone;

/// The columns of the trench box and of a border around it; fixed by exercise_start.
typedef struct Survey {
    int capacity, count;
    int32_t *index; ///< into ExerciseSample.heights
    uint8_t *zone; ///< SurveyZone
    float *start; ///< m: height before the start
    uint8_t *station; ///< which stretch of SURVEY_STATION along the trench
} Survey;

#define SURVEY_BORDER_WIDTH SCENE_TRENCH_STRIP ///< m around the box
#define SURVEY_STATION      0.25 ///< m
enum { SURVEY_MAX_STATIONS = 216 }; ///< 52 m of trench with borders

/// The columns of a design surface; fixed by exercise_start.
typedef struct SurfaceSurvey {
    DesignSurface *surface;
    int capacity, count;
    int32_t *index; ///< into ExerciseSample.heights
    float *design; ///< m
    float *start; ///< m: height before the start
} SurfaceSurvey;

/// Makes the surface and reserves the columns that it may cover. False when memory is short. spacing  m
bool surface_create(SurfaceSurvey *survey, const SceneExercise *exercise, double spacing);
void surface_destroy(SurfaceSurvey *survey);
/// Finds the columns and remembers their heights.
void surface_start(SurfaceSurvey *survey, const ExerciseSample *sample);
/// Measures the surface; writes its fields of the state. tolerance  m
void surface_measure(const SurfaceSurvey *survey, double tolerance, const ExerciseSample *sample, ExerciseState *state);

/// Keeps what there is before the start of rocks and loads.
void parts_start(ExerciseState *state, const ExerciseSample *sample);
/// Takes the figures of rocks, ripped ground, fill, loads and what is dug free from the sample, and counts how long a
/// ripper is dragged.
void parts_measure(const ExerciseSample *sample, ExerciseState *state);
/// Visits the figures of the parts that the scene has; those of ripping that are no numbers fail a restoring visitor.
void parts_visit(const SceneExercise *asked, ExerciseState *state, StateVisitor *visitor);

struct Exercise {
    SceneExercise asked; ///< what the scene asks for; par_time is always above 0
    double bank_density; ///< kg/m3 of the top layer: of what a free scene moves
    double expose_length; ///< m of all that is to be dug free; 0: nothing is
    double expose_crown; ///< m, world: its highest upper side
    bool swings; ///< the machine has a house that swings; fixed by exercise_start
    Survey survey;
    SurfaceSurvey surface;
    DesignSurface *work; ///< all that is to be cut to
    ExerciseState state;
};

/// Reserves the columns that the box may cover. False when memory is short.
bool survey_create(Survey *survey, const SceneTrench *trench, double spacing);
void survey_destroy(Survey *survey);
/// Finds the columns and remembers their heights.
void survey_start(Survey *survey, const SceneTrench *trench, const ExerciseSample *sample);
/// Measures the trench from the heights of its columns; writes the survey fields of the state.
void survey_measure(const Survey *survey, const SceneTrench *trench, const ExerciseSample *sample,
                    ExerciseState *state);

enum { EXERCISE_LAST_EVENTS = 8, EXERCISE_EVENT_ROOM = EXERCISE_MAX_EVENTS - EXERCISE_LAST_EVENTS };
/// Counts of incidents and of lost events go no further.
enum { EXERCISE_MOST_COUNT = 1000000 };
/// Adds an event unless there are `capacity`, at most EXERCISE_MAX_EVENTS; else counts it as lost.
void exercise_add_event(ExerciseState *state, int capacity, const ExerciseEvent *event);
/// Counts cycles of dig, carry and dump by the tool's load (load_cycles.c).
void cycles_tick(Exercise *exercise, const ExerciseSample *sample);
/// Gives the tick's time to its phase of work, and closes a cycle whose last phase is over.
void cycles_add_phase_time(Exercise *exercise, const ExerciseSample *sample);
/// Splits the time of a cycle whose load is dumped, once its last phase is over: parts of phases are no phases.
void cycles_close(Exercise *exercise, int64_t tick);

/// Ends the exercise.
void exercise_finish(Exercise *exercise, int64_t tick, ExerciseEnd end);

/// Points that the incidents have cost so far, 0 or more.
double exercise_deduction(const Exercise *exercise);
/// Visits counts of incidents and rules; those that there cannot be, and such a count of lost events, fail a restoring
/// visitor.
void incidents_visit(ExerciseState *state, StateVisitor *visitor);

/// Fills the figures of targets, questions and steps; those that steps name must be there already.
void tasks_fill(const Exercise *exercise, double values[METRIC_COUNT]);
/// Remembers where the figures of the steps stand.
void tasks_start(Exercise *exercise);
/// Ticks off the steps that the present figures fulfil.
void tasks_check_steps(Exercise *exercise, const ExerciseSample *sample);
/// Takes answers, follows targets, ticks off steps.
void tasks_tick(Exercise *exercise, const ExerciseSample *sample);
bool tasks_are_done(const Exercise *exercise); ///< all steps are, and there are some
/// Visits their state, and lost_told.
void tasks_visit(ExerciseState *state, StateVisitor *visitor);

/// Remembers what the rows of the score lack before the start.
void score_start(Exercise *exercise);
/// Adds an event for each row of the score that has lost, or won back, a point or more.
void score_report_losses(Exercise *exercise, int64_t tick);

/// kg that the trucks have taken since the start.
double exercise_loaded(const Exercise *exercise);
/// kg of soil that was moved: by the ledger; of a free scene, which marks nothing, what was hauled in full cycles.
double exercise_moved(const Exercise *exercise);
/// m3/s, bank volume, mean since the start: soil that was delivered, which is what was moved less what was spilled.
double exercise_production(const Exercise *exercise);

#endif
