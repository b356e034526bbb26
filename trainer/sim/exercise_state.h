/// State of an exercise, each field listed once, its surveys, and the functions that its source files share.
///
/// From bottom to top: exercise_state.c (visit, events, end), exercise_survey.c (trench and design surface measured),
/// exercise_values.c (figures, score, lines for the screen), exercise_tick.c (cycles, tasks, incidents, judgement).
#ifndef SPADEWORK_TRAINER_EXERCISE_STATE_H
#define SPADEWORK_TRAINER_EXERCISE_STATE_H

#include "data/schema/schema.h"
#include "trainer/sim/exercise.h"

/// How far a cycle has come, by its load. What its time is split into are phases of work (work_phases.h).
typedef enum CyclePhase { CYCLE_RETURN, CYCLE_DIG, CYCLE_CARRY, CYCLE_DUMP, CYCLE_PHASE_COUNT } CyclePhase;

/// When a cycle's load is weighed: at the last tick in which the bucket is curled or its edge is in the ground where it
/// digs, at the first in which it is out of the cut, and at the last before it is opened.
typedef enum CarriedMoment { CARRIED_CURLED, CARRIED_CLEAR, CARRIED_SWING, CARRIED_DUMP, CARRIED_COUNT } CarriedMoment;

/// Figures of rocks: how many, m of the largest, 0..1 of their mass that is too large.
enum { ROCK_COUNT_FIGURE, ROCK_LARGEST_FIGURE, ROCK_OVERSIZE_FIGURE, ROCK_FIGURES };

/// Figures of ripping. What breaks between two surveys counts for the ripper when it alone was in the ground.
enum {
    RIP_SHARE_FIGURE, ///< 0..1 of the volume, broken by the ripper
    RIP_DEPTH_FIGURE, ///< m of mean depth, broken by the ripper
    RIP_DRAGGED_FIGURE, ///< s in which the ripper was dragged backwards or round
    RIP_SHARE_SEEN_FIGURE, ///< 0..1 of the volume that was broken in the last survey, by whatever tool
    RIP_DEPTH_SEEN_FIGURE, ///< m of mean depth in the last survey, by whatever tool
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

/// Figures of the walk-round and of the start-up, as their structs have them.
enum { WALK_LOOKED, WALK_FOUND, WALK_FALSE, WALK_EARLY, WALK_SEATED, WALK_FIGURES };
enum { START_RUNNING, START_LEVER, START_HORN, START_WARM, START_COLD, START_PARKED, START_FIGURES };
/// Tools that the coupler laid down, locked and lost.
enum { TOOL_LAID_FIGURE, TOOL_TAKEN_FIGURE, TOOL_DROPPED_FIGURE, TOOL_FIGURES };

/// The fields in the order in which they are visited. Derived from these lists: the struct, hash, save, restore and
/// difference ("exercise.NAME"), ranges and units (state_io.c, which names the bounds), and metrics that show a
/// field as it is.
///     F(type, name, low, high, unit)
///     M(type, name, metric, low, high, unit): its value is that of METRIC_metric, too
///     A(type, name, count, low, high, unit): an array
///     P(part, name, count, low, high, unit): an array of doubles that scenes with the part alone have
#define EXERCISE_FIELDS(F, M, A)                                                                                       \
    M(double, time, TIME, -LONGEST, LONGEST, "s") /* since the start, until the end */                                 \
    M(int32_t, events_lost, EVENTS_LOST, 0.0, MOST, "") /* without room; counted up to EXERCISE_MOST_COUNT */          \
    F(int32_t, end, 0.0, EXERCISE_FAILED, "") /* ExerciseEnd */                                                        \
    F(int32_t, failed_by, 0.0, INCIDENT_COUNT - 1.0, "") /* Incident that ended the attempt, where one did */          \
    F(int32_t, phase, 0.0, CYCLE_PHASE_COUNT - 1.0, "") /* CyclePhase of the cycle under way */                        \
    M(int64_t, cycles, CYCLES, 0.0, MOST, "")                                                                          \
    F(double, last_cycle_time, -LONGEST, LONGEST, "s")                                                                 \
    F(double, smooth_payload, -HEAVIEST, HEAVIEST, "kg") /* low-passed */                                              \
    F(double, cycle_weight, -HEAVIEST, HEAVIEST, "kg") /* in the tool when it left the cut */                          \
    F(double, dig_x, -1e4, 1e4, "m") /* world: where the edge was last in the ground */                                \
    F(double, dig_y, -1e4, 1e4, "m")                                                                                   \
    F(double, lowest_payload, -HEAVIEST, HEAVIEST, "kg") /* since the last dump, or in the dump under way */           \
    F(double, closing_load, -HEAVIEST, HEAVIEST, "kg") /* dumped in a cycle whose last phase is under way; 0: none */  \
    F(int32_t, opened, 0.0, 1.0, "") /* 1: bucket opened since it left the cut, or a blade has shed its load */        \
    F(int32_t, trails, 0.0, 1.0, "") /* 1 from a full cycle to the next dig: late losses belong to it */               \
    F(double, hauled, -HEAVIEST, HEAVIEST, "kg") /* that left the tool in all full cycles */                           \
    F(int32_t, touched, 0.0, 1.0, "") /* 1: a tool has worked in the ground */                                         \
    F(double, moved, 0.0, HEAVIEST, "kg") /* outside the cut or in beds; of a free scene: hauled */                    \
    F(double, moved_bank, 0.0, HEAVIEST, "m3") /* that it took in the bank */                                          \
    F(double, moved_before, 0.0, HEAVIEST, "kg") /* that moved by itself before a tool touched the ground */           \
    F(double, bank_before, 0.0, HEAVIEST, "m3") /* that it took in the bank */                                         \
    F(double, spill_before, 0.0, HEAVIEST, "kg") /* that lay where it should not before a tool touched the ground */   \
    F(double, spill_bank_before, 0.0, HEAVIEST, "m3") /* that it took in the bank */                                   \
    F(double, spilled_bank, 0.0, HEAVIEST, "m3") /* that what was spilled took in the bank */                          \
    F(int32_t, stirred, 0.0, 1.0, "") /* 1: the ground was stirred when last measured */                               \
    F(int32_t, provisional, 0.0, 1.0, "") /* 1: the figures of the ground are those of EXERCISE_WORKED */              \
    F(double, stirring, 0.0, LONGEST, "s") /* since the ground was last settled */                                     \
    M(double, held, HELD, -LONGEST, LONGEST, "s") /* since what follows from the ground was last judged */             \
    F(double, judging, -LONGEST, LONGEST, "s") /* since the time limit */                                              \
    M(double, spilled, SPILLED, -HEAVIEST, HEAVIEST, "kg")                                                             \
    F(double, left_told, 0.0, HEAVIEST, "kg") /* that had left the site at the last event */                           \
    F(double, spill_told, -HEAVIEST, HEAVIEST, "kg") /* spill at the last event */                                     \
    M(double, relief_time, RELIEF_TIME, -LONGEST, LONGEST, "s") /* with a relief valve open */                         \
    F(double, relief_run, -LONGEST, LONGEST, "s") /* of the present stretch at relief */                               \
    M(double, slip_time, SLIP_TIME, -LONGEST, LONGEST, "s") /* with the tracks slipping */                             \
    M(double, stall_time, STALL_TIME, -LONGEST, LONGEST, "s") /* engine pulled down or converter standing */           \
    M(double, tip_time, TIP_TIME, -LONGEST, LONGEST, "s") /* on the edge of the tracks */                              \
    F(double, working_time, -LONGEST, LONGEST, "s") /* with at least one lever out of neutral */                       \
    F(double, together_time, -LONGEST, LONGEST, "s") /* with at least two functions used at once */                    \
    M(int64_t, reversals, REVERSALS, 0.0, MOST, "") /* lever direction changes */                                      \
    M(double, tip_path, TIP_PATH, -MOST, MOST, "m")                                                                    \
    F(double, tip_x, -1e4, 1e4, "m")                                                                                   \
    F(double, tip_y, -1e4, 1e4, "m")                                                                                   \
    F(double, tip_z, -1e4, 1e4, "m")                                                                                   \
    F(double, start_fuel, -HEAVIEST, HEAVIEST, "kg")                                                                   \
    M(double, fuel_used, FUEL, -HEAVIEST, HEAVIEST, "kg")                                                              \
    F(double, start_beds, -HEAVIEST, HEAVIEST, "kg") /* in the trucks' beds before the start */                        \
    M(double, delivered, DELIVERED, -HEAVIEST, HEAVIEST, "kg") /* of that tipped at the dump */                        \
    M(int64_t, truck_loads, TRUCK_LOADS, 0.0, MOST, "") /* loads that left */                                          \
    F(int64_t, truck_passes, 0.0, MOST, "") /* buckets in them */                                                      \
    F(double, dumped, -HEAVIEST, HEAVIEST, "kg") /* above the dump zone */                                             \
    M(double, removed_share, REMOVED_SHARE, -1e3, 1e3, "") /* 0..1 of the box's volume */                              \
    M(double, mean_depth, MEAN_DEPTH, -MOST, MOST, "m") /* below the surface at the start, of the floor */             \
    M(double, dug_width, DUG_WIDTH, -MOST, MOST, "m") /* mean over the stretch that is dug to half the depth */        \
    M(double, dug_length, DUG_LENGTH, -MOST, MOST, "m") /* of that stretch */                                          \
    M(double, worst_error, WORST_ERROR, -MOST, MOST, "m") /* of the floor dug to half the depth or more */             \
    M(double, rms_error, RMS_ERROR, -MOST, MOST, "m") /* of the same */                                                \
    M(double, within_share, WITHIN_SHARE, -1e3, 1e3, "") /* 0..1 of the same within the tolerance */                   \
    M(double, finished_share, FINISHED_SHARE, -1e3, 1e3, "") /* 0..1 of the whole floor within the tolerance */        \
    M(double, overdig, OVERDIG, -LARGEST, LARGEST, "m3") /* below the box by more than the tolerance */                \
    F(double, overdig_told, -LARGEST, LARGEST, "m3") /* overdig at the last event */                                   \
    M(double, exposed, EXPOSED_SHARE, -1e3, 1e3, "") /* 0..1 of the length that is to be dug free */                   \
    F(double, struck, 0.0, HARDEST, "J") /* most that a touch of it took up */                                         \
    M(double, outside_dug, OUTSIDE_DUG, -LARGEST, LARGEST, "m3") /* lowered beside the box */                          \
    M(double, setback, SETBACK, -LARGEST, LARGEST, "m3") /* that lie beside the box, not in the dump circle */         \
    M(double, surface_rms, SURFACE_RMS, -MOST, MOST, "m")                                                              \
    M(double, surface_worst, SURFACE_WORST, -MOST, MOST, "m") /* above 0 too high */                                   \
    M(double, surface_within, SURFACE_WITHIN, -1e3, 1e3, "") /* 0..1 of its columns within the tolerance */            \
    M(double, surface_cut, SURFACE_CUT, -LARGEST, LARGEST, "m3") /* above the design */                                \
    M(double, surface_fill, SURFACE_FILL, -LARGEST, LARGEST, "m3") /* below it */                                      \
    M(double, surface_overdig, SURFACE_OVERDIG, -LARGEST, LARGEST, "m3") /* deeper by more than the tolerance */       \
    M(double, surface_work, SURFACE_WORK, -1e3, 1e3, "") /* 0..1 of the volume that was to be moved */                 \
    M(int32_t, targets_reached, TARGETS_REACHED, 0.0, SCENE_MAX_TARGETS, "")                                           \
    F(double, target_held, -LONGEST, LONGEST, "s") /* that it was at the target that is due */                         \
    F(double, target_since, -LONGEST, LONGEST, "s") /* exercise time at which that one was due */                      \
    F(double, target_time, -LONGEST, LONGEST, "s") /* sum over those reached */                                        \
    F(double, target_error, -MOST, MOST, "m") /* sum over those reached */                                             \
    M(int32_t, answered, QUESTIONS_ANSWERED, 0.0, SCENE_MAX_QUESTIONS, "") /* questions */                             \
    F(int32_t, answer_held, 0.0, SCENE_MAX_ANSWERS, "") /* the answer that was pressed in the last tick; 0: none */    \
    A(double, phase_total, WORK_PHASE_COUNT, -LONGEST, LONGEST, "s") /* since the start */                             \
    A(double, phase_time, WORK_PHASE_COUNT, -LONGEST, LONGEST, "s") /* sum over all full cycles */                     \
    A(double, phase_now, WORK_PHASE_COUNT, -LONGEST, LONGEST, "s") /* of the cycle under way */

/// After the phases of work and the swings (work_phases.h).
#define EXERCISE_ARRAYS(A)                                                                                             \
    A(double, carried, CARRIED_COUNT, -HEAVIEST, HEAVIEST, "kg") /* sum over all full cycles */                        \
    A(double, carried_now, CARRIED_COUNT, -HEAVIEST, HEAVIEST, "kg") /* of the cycle under way */                      \
    A(double, beds, SCENE_MAX_TRUCKS, -HEAVIEST, HEAVIEST, "kg") /* that each truck had when its bed was last still */ \
    A(int32_t, lever_sign, 4, -1.0, 1.0, "") /* last direction of each lever */                                        \
    A(int32_t, incidents, INCIDENT_COUNT, 0.0, MOST, "") /* of each kind, while the exercise ran */                    \
    A(int32_t, applied, SCENE_MAX_RULES, 0.0, MOST, "") /* incidents that met each rule, those let pass included */    \
    A(int32_t, answers, SCENE_MAX_QUESTIONS, 0.0, SCENE_MAX_ANSWERS, "") /* given, 1..; 0: not yet */                  \
    A(int64_t, step_tick, SCENE_MAX_STEPS, 0.0, TICKS, "ticks") /* in which each was done; 0: not yet */               \
    A(double, step_start, SCENE_MAX_STEPS, -MOST, MOST, "") /* its metric before the start */                          \
    A(double, lost_told, SCENE_MAX_SCORES, -MOST, MOST, "points") /* that each row had lost at its last event */       \
    A(int32_t, damaged, DAMAGE_OWNERS *DAMAGE_CLASSES, 0.0, MOST, "") /* damages of each owner and class */

/// After all others but the events.
#define EXERCISE_PARTS(P)                                                                                              \
    P(METRIC_OF_ROCKS, rocks, ROCK_FIGURES, -MOST, MOST, "") /* as they were last measured */                          \
    P(METRIC_OF_RIPPING, ripping, RIP_FIGURES, -MOST, MOST, "")                                                        \
    P(METRIC_OF_COMPACTION, compacted, 1, -1e3, 1e3, "") /* of the volume to fill, as dense as is asked */             \
    P(METRIC_OF_LOADS, loads, LOAD_FIGURES, -MOST, MOST, "")                                                           \
    P(METRIC_OF_WALK_ROUND, walk, WALK_FIGURES, 0.0, MOST, "")                                                         \
    P(METRIC_OF_START_UP, start_up, START_FIGURES, 0.0, MOST, "")                                                      \
    P(METRIC_OF_TOOLS, tools, TOOL_FIGURES, 0.0, MOST, "")                                                             \
    P(METRIC_OF_ROCK_PLACE, rocks_placed, 1, 0.0, 1e3, "") /* share of the rocks' mass */

typedef struct ExerciseState {
#define F(type, name, low, high, unit)         type name;
#define M(type, name, metric, low, high, unit) type name;
#define A(type, name, count, low, high, unit)  type name[count];
#define P(part, name, count, low, high, unit)  double name[count];
    EXERCISE_FIELDS(F, M, A)
    EXERCISE_ARRAYS(A)
    EXERCISE_PARTS(P)
#undef F
#undef M
#undef A
#undef P
    WorkPhases work;
    SwingSkill skill;
    int32_t event_count;
    ExerciseEvent events[EXERCISE_MAX_EVENTS];
} ExerciseState;

enum { EXERCISE_LAST_EVENTS = 8, EXERCISE_EVENT_ROOM = EXERCISE_MAX_EVENTS - EXERCISE_LAST_EVENTS };
/// Counts of incidents and of lost events go no further.
enum { EXERCISE_MOST_COUNT = 1000000 };
/// Adds an event unless there are `capacity`, at most EXERCISE_MAX_EVENTS; else counts it as lost.
void exercise_add_event(ExerciseState *state, int capacity, const ExerciseEvent *event);

/// ---- surveys -------------------------------------------------------------------------------------------------------

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

/// Reserves the columns that the box may cover. False when memory is short.
bool survey_create(Survey *survey, const SceneTrench *trench, double spacing);
void survey_destroy(Survey *survey);
/// Finds the columns and stores their heights.
void survey_start(Survey *survey, const SceneTrench *trench, const ExerciseSample *sample);
/// Measures the trench from the heights of its columns; writes the survey fields of the state.
void survey_measure(const Survey *survey, const SceneTrench *trench, const ExerciseSample *sample,
                    ExerciseState *state);

/// Makes the surface and reserves the columns that it may cover. False when memory is short. spacing  m
bool surface_create(SurfaceSurvey *survey, const SceneExercise *exercise, double spacing);
void surface_destroy(SurfaceSurvey *survey);
/// Finds the columns and stores their heights.
void surface_start(SurfaceSurvey *survey, const ExerciseSample *sample);
/// Measures the surface; writes its fields of the state. tolerance  m
void surface_measure(const SurfaceSurvey *survey, double tolerance, const ExerciseSample *sample, ExerciseState *state);

/// Measures the rocks and loads that are there before the start.
void parts_start(ExerciseState *state, const ExerciseSample *sample);
/// Takes the figures of rocks, ripped ground, fill, loads and what is dug free from the sample, and counts how long a
/// ripper is dragged.
void parts_measure(const ExerciseSample *sample, ExerciseState *state);

/// ---- the exercise --------------------------------------------------------------------------------------------------

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

/// Points that the incidents have cost so far, 0 or more.
double exercise_deduction(const Exercise *exercise);
/// kg that the trucks have taken since the start.
double exercise_loaded(const Exercise *exercise);
/// Stores how many points the rows of the score lack before the start.
void score_start(Exercise *exercise);
/// Adds an event for each row of the score that has lost, or won back, a point or more.
void score_report_losses(Exercise *exercise, int64_t tick);

#endif
