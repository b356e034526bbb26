/// Exercises: figures of the work, events, rules and the score. The state is hashed, saved and restored. An exercise
/// belongs to its session and to the session's thread; its only input is one sample a tick (ExerciseSample).
#ifndef SPADEWORK_TRAINER_EXERCISE_H
#define SPADEWORK_TRAINER_EXERCISE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/core/state_visitor.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"
#include "data/schema/settings_params.h"
#include "trainer/sim/events.h"
#include "trainer/sim/score.h"
#include "trainer/sim/work_phases.h"

enum { EXERCISE_MAX_METRICS = METRIC_COUNT, EXERCISE_MAX_EVENTS = 512, EXERCISE_MAX_PROGRESS = 8, EXERCISE_TEXT = 120 };
enum { EXERCISE_MAX_SHEET = SCENE_MAX_RULES + DAMAGE_OWNERS + 1 };

typedef struct ExerciseMetric {
    char name[32]; ///< "cycles", "moved_kg", "spilled_kg", "worst_depth_error_m", ...
    char unit[12];
    double value; ///< in `unit`
} ExerciseMetric;

typedef struct Exercise Exercise;
typedef struct DesignSurface DesignSurface; ///< data/schema/design_surface.h

/// How the work stands in a tick.
typedef enum ExerciseGround {
    EXERCISE_SETTLED, ///< nothing moves where it is judged, and no tool is in the cut: what is measured is true
    EXERCISE_STIRRED, ///< something moves there, or a tool is in the cut
    /// The same for so long that what moves is judged where it is (exercise_waited): no tool is in the cut
    EXERCISE_CREEPING,
    /// The same with a tool in the cut: what it carries and what moves is judged as though it fell back
    EXERCISE_WORKED,
    EXERCISE_NOT_LOOKED, ///< not measured in this tick
} ExerciseGround;

/// All figures of the ground are taken in this tick.
static inline bool exercise_judges(ExerciseGround ground)
{
    return ground == EXERCISE_SETTLED || ground == EXERCISE_CREEPING;
}

/// What a truck has taken, in its bed and delivered.
typedef struct ExerciseBed {
    double mass; ///< kg
    bool stirred; ///< soil still moves in the bed
} ExerciseBed;

/// Soil that lies outside the cut where it did not lie before the start, or in a truck's bed.
typedef struct ExerciseMoved {
    double mass; ///< kg; below 0: not measured
    double bank_volume; ///< m3 that it took in the bank, each soil by its own bank density
} ExerciseMoved;

/// The rocks of the site now.
typedef struct ExerciseRocks {
    bool seen; ///< rocks were measured in this tick
    bool placing; ///< `mass` and `placed` were measured
    int count;
    double largest; ///< m: diameter of a sphere of the largest one's volume
    double mass; ///< kg of all
    double oversize; ///< kg of those that are too large
    double placed; ///< kg of those that lie in their place
} ExerciseRocks;

/// What is broken of the ground that is marked for a ripper, and which tool is in the ground.
typedef struct ExerciseRipping {
    bool seen; ///< the ground was measured in this tick
    double share; ///< 0..1 of its volume down to the depth that is asked, by whatever tool
    double depth; ///< m to which it is broken, mean, by whatever tool
    bool blade_up; ///< the blade is clear of what the tracks stand on
    double point; ///< m of the ripper's point over what the tracks stand on; 0: there is none
} ExerciseRipping;

/// The loads that are to be lifted, now.
typedef struct ExerciseLoads {
    int lifted; ///< how many were clear of the ground so far
    int placed; ///< how many of these lie unhooked at their places
    double offset; ///< m from its place, of the farthest, as each last lay
    double heading; ///< rad off that of its place, of the worst
    double swing; ///< rad off straight down, of one that hangs free; else 0
    double impact; ///< m/s at which one was set down in this tick; else 0
    double share; ///< ratio of the load to what would tip the machine
} ExerciseLoads;

/// The walk round the machine, so far. Without one: seated, and nothing to find.
typedef struct ExerciseWalk {
    double looked, found; ///< 0..1: of all things; of those that must be reported
    double false_reports; ///< 0..16: number of things that are fine and were reported
    double early; ///< 0..1: 1: climbed in before everything was looked at
    double seated; ///< 0..1: 1: the operator sits in the cab
} ExerciseWalk;

/// The start-up, so far. Without one all is done.
typedef struct ExerciseStartUp {
    double running, lever_down; ///< 0..1: 1: now
    double horn_first; ///< 0..1: 0: the machine moved after a start before the horn had sounded
    double warm; ///< 0..1: share of the way from the oil's temperature at the start to a warm one
    double cold_relief; ///< s at relief pressure with cold oil at high engine speed
    double parked; ///< 0..1: 1: now, after work
} ExerciseStartUp;

/// Tools that the coupler laid down, locked and lost, so far.
typedef struct ExerciseTools {
    int laid, taken, dropped;
} ExerciseTools;

/// Inputs that the exercise reads in each tick; filled by the session.
typedef struct ExerciseSample {
    int64_t tick;
    double dt; ///< s, of the tick
    Vec3 tip; ///< cutting edge, world
    Vec3 base; ///< m, world: middle of the tracks
    double heading; ///< rad of the undercarriage, from x towards y
    int answer; ///< that is pressed, 1..; 0: none
    double payload; ///< kg in the bucket
    double full; ///< kg, of a heaped tool of loose soil; 0: it carries nothing
    double tool_size; ///< m: edge of a cube that holds as much as the heaped tool
    bool marked; ///< the scene marks where soil is cut: `in_cut` says where the edge is
    bool in_cut; ///< the edge is over the marked cut, at any height
    bool tool_in_cut; ///< a tool is in the marked cut or on the surface that is asked for; of this survey
    ExerciseMoved moved;
    bool swings; ///< the machine has a house that swings
    double joint_speed; ///< rad/s of the fastest joint, the swing included
    double belts[2]; ///< m/s of the tracks, left and right, ahead above 0
    double edge_height; ///< m, of the edge over the ground beneath it; of a dozer over the plane its tracks stand on
    double swing_speed; ///< rad/s; 0 of a machine that does not swing
    double curl_speed; ///< rad/s that the bucket is curled at, below 0: opened; 0 of a machine that does not swing
    bool edge_clear; ///< the edge is over the ground
    double levers[4]; ///< -1..1, of the machine's joints, in the order of the control axes
    bool carries; ///< the edge of a machine that does not swing is out of the cut: what others do by swinging
    double fuel; ///< kg left
    int limits; ///< set of MACHINE_LIMIT_BIT
    double slip[2]; ///< ratio, left and right track
    double delivered; ///< kg tipped at the dump
    double exposed; ///< 0..1 of what is to be dug free; below 0: not measured
    ExerciseRocks rocks;
    double compacted; ///< 0..1 of what is to be filled in, there and as dense as is asked; below 0: not measured
    ExerciseRipping ripping;
    ExerciseLoads loads;
    ExerciseWalk walk;
    ExerciseStartUp start_up;
    ExerciseTools tools;
    int64_t truck_loads, truck_passes; ///< loads worth the way that left the spot, buckets in them
    ExerciseGround ground; ///< the fields below are of this survey; of EXERCISE_NOT_LOOKED they are not read
    ExerciseBed beds[SCENE_MAX_TRUCKS]; ///< of trucks that there are not: nothing
    double dump_mass; ///< kg that lie on the dump and at the foot of its heap, and did not at the start
    double left; ///< kg that have left the site; always known
    ExerciseMoved spilled; ///< what of it lies where it should not
    /// m, ground [rows][columns] with the loose soil that lies on it; of EXERCISE_CREEPING also with what moves, of
    /// EXERCISE_WORKED with what tools carry, too.
    const float *heights;
    int rows, columns;
    double spacing, origin_x, origin_y; ///< m
} ExerciseSample;

#define EXERCISE_DIG_RADIUS 4.0 ///< m around a truck scene's dig place, where soil may fall freely
#define EXERCISE_LOOK_TIME  0.25 ///< s between surveys of the ground
/// The same in ticks of `dt` s, 1 or more.
static inline int64_t exercise_look_interval(double dt)
{
    int64_t ticks = (int64_t)(EXERCISE_LOOK_TIME / dt + 0.5);
    return ticks < 1 ? 1 : ticks;
}
/// s after the time limit that the ground may take to settle. Chosen: soil falls from the highest dump and slides to
/// rest within it
#define EXERCISE_SETTLING 10.0
/// s that figures of the ground are held at most while it is stirred. Then what still moves is judged where it is.
/// Chosen: as EXERCISE_SETTLING
#define EXERCISE_PATIENCE 10.0

/// How work was ended.
typedef enum ExerciseEnd {
    EXERCISE_RUNNING,
    EXERCISE_DONE,
    EXERCISE_TIME_UP, ///< and judged
    EXERCISE_JUDGING, ///< the time is up; the ground settles
    EXERCISE_FAILED, ///< ended by an incident
} ExerciseEnd;

/// Makes the exercise of a scene, which it copies what it needs of. NULL when memory is short. The caller frees it.
Exercise *exercise_create(const SceneParams *scene);
void exercise_destroy(Exercise *exercise); ///< NULL is nothing
/// Remembers the ground, the fuel and the truck's load before the start. Call once, before the first tick; a restored
/// session begins so too, from its scene.
void exercise_start(Exercise *exercise, const ExerciseSample *sample);
/// Counts one tick. `sample`: as the session stands after it; its arrays are read during the call alone. Depth, width,
/// share dug, spill, load and what was moved are taken where the ground has settled; while it is stirred they hold the
/// last true value, and the score with them, for EXERCISE_PATIENCE at most. Once the time limit is reached nothing
/// counts but how the ground settles, for EXERCISE_SETTLING at most. Nothing is counted once the exercise is finished.
void exercise_tick(Exercise *exercise, const ExerciseSample *sample);
/// True when the ground is to be judged in the next survey although it is stirred: it has been for EXERCISE_PATIENCE,
/// or it had EXERCISE_SETTLING after the time limit.
bool exercise_waited(const Exercise *exercise);
/// Adds an event that was found outside the exercise; copied. When there are EXERCISE_MAX_EVENTS, but for the few that
/// are kept for the end, it is dropped and counted by the metric events_lost.
void exercise_note_event(Exercise *exercise, const ExerciseEvent *event);
/// Adds an incident: its event, of which `kind` is set to the incident's name, is kept like those of
/// exercise_note_event; one that a rule names or that ends the attempt may take the room that is kept for the end.
/// While the exercise runs it is counted and the scene's rules are applied: points, or the end of the attempt; a damage
/// costs the scene's points for its class beside. A machine that has tipped over, a person who was hit or buried, a
/// broken gas pipe, a cable that was hit and a flood end it in any case.
void exercise_report(Exercise *exercise, Incident incident, const ExerciseEvent *event);
/// True when a touch's energy is one that a rule asks about, or more than what is to be dug free was struck with so
/// far: such a blow is reported although the machine was not clear of the thing before it.
bool exercise_scores_touch(const Exercise *exercise, const ExerciseEvent *touch);

/// True when a rule is about such an event: its incident, its energy, and words that the name of what was met holds.
bool exercise_rule_meets(const SceneRule *rule, const ExerciseEvent *event);
/// Points, 0..1e6, that the rules of what is `asked` take for the incidents among `events` ([count], in order of
/// time), up to the end of the exercise.
/// cause  out: the incident that ends the attempt, or INCIDENT_COUNT
double exercise_apply_rules(const SceneExercise *asked, const ExerciseEvent *events, int count, Incident *cause);

WorkPhase exercise_phase(const Exercise *exercise); ///< of work in the last tick, after the end, too
double exercise_score(const Exercise *exercise); ///< 0..100, of the ground as it last was settled
/// Computes the rows of the score; returns how many.
int exercise_score_rows(const Exercise *exercise, ScoreRow rows[SCENE_MAX_SCORES]);
/// Finished, with the pass mark reached, no failing limit passed and no incident that ended it.
bool exercise_is_passed(const Exercise *exercise);
/// Writes what it came to if the drive ends now, for people: score_judge.
void exercise_verdict(const Exercise *exercise, const TextReader *reader, char text[SCORE_VERDICT]);
ExerciseEnd exercise_end(const Exercise *exercise);
/// Levers move nothing: questions are to be answered first.
bool exercise_is_locked(const Exercise *exercise);
/// The question that is asked now, 0..questions_count - 1; -1: none.
int exercise_question(const Exercise *exercise);
/// The answer that was given to a question, 1..; 0: none yet. question  0..questions_count - 1
int exercise_answer(const Exercise *exercise, int question);
/// Tick in which a step was done; 0: not yet. step  0..steps_count - 1
int64_t exercise_step_tick(const Exercise *exercise, int step);
/// Judged: the work is done, the time limit is over, or the attempt has failed.
bool exercise_is_finished(const Exercise *exercise);
/// The incident that ended the attempt; INCIDENT_COUNT: none did.
Incident exercise_cause(const Exercise *exercise);
/// Why the attempt has failed, in English ("The machine has tipped over."); NULL where it has not.
const char *exercise_failure(const Exercise *exercise);
bool exercise_is_settling(const Exercise *exercise); ///< the time limit is reached; the ground is not judged yet
/// s since the figures of the ground were last true; 0 while they are.
double exercise_held(const Exercise *exercise);
/// Writes every figure into `values` (by Metric, in its unit); of a part that the exercise has not, 0.
void exercise_values(const Exercise *exercise, double values[METRIC_COUNT]);
/// What is asked of the ground, and that with the floor of the trench; NULL or empty: nothing. They belong to the
/// exercise.
const DesignSurface *exercise_surface(const Exercise *exercise);
const DesignSurface *exercise_work(const Exercise *exercise);
/// Writes name, unit and value of every metric of the parts that the exercise has; returns how many.
int exercise_metrics(const Exercise *exercise, ExerciseMetric metrics[EXERCISE_MAX_METRICS]);
int exercise_event_count(const Exercise *exercise); ///< 0..EXERCISE_MAX_EVENTS
/// Event `index`, 0 to exercise_event_count - 1, in order of time; valid until a restore.
const ExerciseEvent *exercise_event(const Exercise *exercise, int index);
/// Writes what incidents have cost, a line each ("-4.0 points: touched something (truck), 2 times"), and what ended the
/// attempt; returns how many.
int exercise_sheet(const Exercise *exercise, char lines[EXERCISE_MAX_SHEET][EXERCISE_TEXT]);
/// Writes lines for the screen ("Depth 0.62 of 1.50 m") in the reader's language and units; returns how many.
/// `shown`: the exercise with its texts in the reader's language; NULL: its own texts.
int exercise_progress(const Exercise *exercise, const SceneExercise *shown, TextUnits units,
                      char lines[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT]);

/// Fills all of `stand` but the tick.
void exercise_stand(const Exercise *exercise, ScoreStand *stand);

/// Stands recorded during an exercise. Zero is none.
typedef struct ScoreTrail {
    int64_t count, capacity;
    ScoreStand *stands; ///< own
} ScoreTrail;

/// Adds how the rows of the score stand; without memory the trail stays unchanged.
void score_trail_add(ScoreTrail *trail, const Exercise *exercise, int64_t tick);
void score_trail_free(ScoreTrail *trail);

/// Visits the exercise's part of the session's state.
void exercise_visit(Exercise *exercise, StateVisitor *visitor);

#endif
