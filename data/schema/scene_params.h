/// An exercise scene, as its file states it. File: data/scenes/NAME.yaml.
/// World frame: x east, y north, z up; origin at the centre of the site; z = 0 at the undisturbed level surface, also
/// where earthworks have changed it.
/// Headings count from +x towards +y.
#ifndef SPADEWORK_DATA_SCENE_PARAMS_H
#define SPADEWORK_DATA_SCENE_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/core/metric.h"
#include "data/schema/soil_params.h"
#include "data/schema/truck_params.h"

enum {
    SCENE_MAX_LAYERS = 4,
    SCENE_MAX_SOILS = 8,
    SCENE_MAX_PATCHES = 16,
    SCENE_MAX_MOUNDS = 16,
    SCENE_MAX_EARTHWORKS = 16,
    SCENE_MAX_GRAINS = 4,
    SCENE_MAX_ROCK_GROUPS = 16,
    SCENE_MAX_FIXTURES = 16,
    SCENE_MAX_PERSONS = 8,
    SCENE_MAX_RULES = 16,
    SCENE_MAX_SCORES = 24,
    SCENE_MAX_SURFACE_PARTS = 8,
    SCENE_MAX_STEPS = 16,
    SCENE_MAX_HINTS = 8,
    SCENE_MAX_FAULTS = 12,
    SCENE_MAX_TARGETS = 32,
    SCENE_MAX_QUESTIONS = 16,
    SCENE_MAX_ANSWERS = 6,
    SCENE_MAX_THINGS = 16, ///< of a walk-round
    SCENE_THING_NAME = 40, ///< bytes: as long as an event keeps
    SCENE_TEXT = 200, ///< a step, a hint, a question
    SCENE_MAX_ROCKS = 200, ///< of all groups together
    SCENE_NAME_LENGTH = 64,
    SCENE_MAX_TRUCKS = 2,
    SCENE_MAX_SUBSTEPS = 32, ///< of a tick
    SCENE_MAX_LOADS = 4,
    SCENE_MAX_TOOLS = 3, ///< that stand on the site at the start
    SCENE_MAX_VIA = 4,
    /// Layers that lie on one another at any place, mounds included. The ground keeps one more, for spoil.
    SCENE_MAX_STACK = 5
};

/// Classes of damage by the energy of a blow, from the least.
enum { DAMAGE_NONE, DAMAGE_SCRATCHED, DAMAGE_DENTED, DAMAGE_WRECKED, DAMAGE_CLASSES = DAMAGE_WRECKED };
/// Of what the points of a damage are stated.
enum { DAMAGE_OF_TRUCK, DAMAGE_OF_FIXTURE, DAMAGE_OWNERS };

typedef enum ExerciseKind {
    EXERCISE_FREE,
    EXERCISE_TRENCH,
    EXERCISE_TRUCK_LOADING,
    EXERCISE_TASKS, ///< what its steps ask for; done when all are
} ExerciseKind;

/// One layer of the undisturbed ground, top first. The last one reaches down to bedrock.
typedef struct SceneLayer {
    char soil[SOIL_NAME_LENGTH]; ///< name of a soil file
    double thickness; ///< m, 0.05..20 (of the last layer: ignored)
    int soil_index; ///< into SceneParams.soils, set at loading
} SceneLayer;

/// A part of the site whose undisturbed ground is another soil from `top` down to `top + thickness`: a rectangle or a
/// circle, whole on the site. Where patches overlap, the later one holds.
typedef struct ScenePatch {
    char soil[SOIL_NAME_LENGTH];
    double x, y; ///< m, its middle
    double length, width; ///< m, 0.5..200: along the heading and across; 0 = a circle
    double heading; ///< rad [heading_deg], default 0
    double radius; ///< m, 0.5..100; 0 = a rectangle
    double top; ///< m below the surface, 0..20, default 0
    double thickness; ///< m, 0.05..20; not below bedrock
    int soil_index;
} ScenePatch;

/// A heap of loose soil put on the site before the start, on what earthworks left: a cone at its repose angle.
typedef struct SceneMound {
    char soil[SOIL_NAME_LENGTH];
    double x, y; ///< m
    double height; ///< m, 0.1..10
    int soil_index;
} SceneMound;

typedef enum SceneEarthworkShape { SCENE_EARTHWORK_BANK, SCENE_EARTHWORK_CUT } SceneEarthworkShape;

/// A shape that the site's surface was given before the start. A bank is the soil between the surface and its level
/// crest with plane sides that fall from it; a cut is what is taken away over a level floor with plane sides that rise
/// from it. They are made in the order of the file: a bank lies on what was there, a cut opens what was there.
typedef struct SceneEarthwork {
    SceneEarthworkShape shape; ///< bank | cut
    double x, y; ///< m, middle of the crest or floor
    double heading; ///< rad [heading_deg], default 0: from its start to its end
    double length, width; ///< m, 0..200: of the crest or floor, along the heading and across; 0 = an edge
    double height; ///< m, -20..20: of the crest or floor, world: above 0 over the undisturbed level, below 0 under it
    double slope; ///< rad [slope_deg, 1..90], default 45 degrees: of the sides, against the level
    double start_slope, end_slope; ///< rad [start_slope_deg, end_slope_deg]: of the two ends; default 0: as `slope`
    char soil[SOIL_NAME_LENGTH]; ///< of a bank; "" of a cut
    bool loose; ///< [compacted] of a bank: at bank density (yes, default) or as it was tipped (no)
    int soil_index;
} SceneEarthwork;

/// A rectangle of the design: a plane from its near end to its far end.
typedef struct SceneSurfacePart {
    double x, y; ///< m, middle of the near end
    double heading; ///< rad [heading_deg], direction of its length, away from the near end
    double length, width; ///< m, 0.5..100
    double z; ///< m, -6..10, world: of the near end
    double far_z; ///< m, -6..10, default z: of the far end
} SceneSurfacePart;

/// The design of the ground: rectangles, of which the later one holds where they overlap; or the triangles of a
/// survey file; or a height map. Exactly one of `parts`, `file` and `heights` is stated; none: nothing is asked.
typedef struct SceneSurface {
    double tolerance; ///< m, 0.005..0.5
    double compaction; ///< 0.5..1: share of bank density that the fill is to have; 0: nothing is asked
    int parts_count; ///< 0..SCENE_MAX_SURFACE_PARTS
    SceneSurfacePart parts[SCENE_MAX_SURFACE_PARTS];
    char file[SCENE_NAME_LENGTH]; ///< a LandXML file under data/surfaces, or a path; "" = none
    char name[SCENE_NAME_LENGTH]; ///< [surface] of the file; "" = its only one
    double east, north, elevation; ///< m, -1e8..1e8, default 0: the survey's place that lies at x, y, z
    double crop_length, crop_width; ///< m, 1..1000, along its east and north: what is taken around that place; 0: all
    double longest_edge; ///< m, 0.05..1000: of triangles between points; 0: by the distances of the points
    char heights[SCENE_NAME_LENGTH]; ///< a PNG file under data/heights, or a path; "" = none
    double length, width; ///< m, 0.5..100: of the height map, between the middles of its outermost pixels
    double low, high; ///< m, -6..10, world: of its black and its white
    double x, y; ///< m, default 0: of the survey's place; of a height map the middle of its near (left) end
    double z; ///< m, -100..100, default 0: of the survey's place
    double heading; ///< rad [heading_deg]: where the survey's east, or the map's length, points
    const char *text; ///< of the file, checked; belongs to the DataFiles of the load; NULL without a file
    size_t text_size; ///< bytes
} SceneSurface;

/// What becomes of the layers where a ground begins with heights of a file.
typedef enum SceneReliefLayers {
    SCENE_RELIEF_FOLLOW, ///< they lie below the surface, with the thickness that the file states
    SCENE_RELIEF_STAY, ///< they lie as on a level site: what is lower was dug away, what is higher is `fill`
} SceneReliefLayers;

/// Heights that the undisturbed ground begins with; without `file` and `heights` it is level.
typedef struct SceneRelief {
    SceneSurface surface; ///< file or heights, and where it lies; what belongs to a design is not set
    SceneReliefLayers layers; ///< follow (default) | stay
    char fill[SOIL_NAME_LENGTH]; ///< of `stay`, default the soil of the top layer
    bool loose; ///< [compacted] the fill: at bank density (yes, default) or as it was tipped (no)
    int soil_index; ///< of the fill
    const char *text; ///< kept heights (scene_relief.h), of the DataFiles of the load; NULL: the ground is level
    size_t text_size; ///< bytes
} SceneRelief;

typedef struct SceneGround {
    double size_x, size_y; ///< m, 10..200
    double column_spacing; ///< m, 0.05..0.5, default 0.1
    double bedrock_depth; ///< m below z = 0, 1..20
    double roughness; ///< m, 0..0.5: amplitude of the uneven surface
    int layer_count; ///< 1..SCENE_MAX_LAYERS
    SceneLayer layers[SCENE_MAX_LAYERS];
    int patch_count; ///< 0..SCENE_MAX_PATCHES
    ScenePatch patches[SCENE_MAX_PATCHES];
    int mound_count; ///< 0..SCENE_MAX_MOUNDS
    SceneMound mounds[SCENE_MAX_MOUNDS];
    int earthwork_count; ///< 0..SCENE_MAX_EARTHWORKS
    SceneEarthwork earthworks[SCENE_MAX_EARTHWORKS];
    SceneRelief surface;
    bool wet; ///< no (default) | yes: rain or ground water gets into open faces (SoilParams.soaking_time)
} SceneGround;

typedef struct SceneRates {
    int tick_rate; ///< Hz, 30..240, default 60
    int substeps; ///< a tick, 1..32, default 8
} SceneRates;

/// What the sky does. Seen, and nothing else: neither the soil nor the score knows of it.
typedef struct SceneWeather {
    double time; ///< s [time in h, 0..24] of the day, default 14 h: a day in late April at 50 degrees north
    double clouds; ///< share of the sky, 0..1, default 0.35
    double visibility; ///< m, 20..50000, default 1500: how far one sees through fog or haze (contrast falls to 2 %)
    double rain; ///< m/s [rain in mm/h, 0..50], default 0
} SceneWeather;

typedef enum ParticleFriction { PARTICLE_FRICTION_COULOMB, PARTICLE_FRICTION_MACKLIN } ParticleFriction;

typedef struct SceneParticles {
    int budget; ///< most particles at once, 100..400000, default 20000
    /// particles awake at once from which on soil far from the tools moves as ground, 0 (never)..400000, default
    /// 6000; see soil/exchange/exchange.h
    int most_awake;
    /// particles along one side of a column, 1..4, default 1: radius = spacing / (2 per_column_side)
    int per_column_side;
    int iterations; ///< contact iterations a substep, 1..50, default 2
    bool persistent; ///< particles never turn back into ground: no (default) | yes
    bool sleepless; ///< [sleep] calm particles are solved as those that move: sleep = yes (default) | no
    /// Of the published solvers (p2, gs) alone:
    double error_reduction; ///< epsilon of P2 eq. 37, 0..1, default 0.5
    /// m a step: particles that moved less keep their place (P2 section 7), 0..0.01, default 0 = off
    double sleep_distance;
    double static_ratio; ///< static over kinetic friction (P2 eq. 33), 1..3, default 1 (below 1 reads as 1)
    ParticleFriction friction; ///< coulomb (P2 eq. 30-33, default) | macklin
} SceneParticles;

typedef struct SceneMachine {
    char file[SCENE_NAME_LENGTH]; ///< name of a machine file
    char attachment[SCENE_NAME_LENGTH]; ///< name of an attachment's file; "" = the machine's own bucket
    char coupler[SCENE_NAME_LENGTH]; ///< name of a coupler's file; "" = the tool hangs on the machine's own pins
    double x, y; ///< m
    double heading; ///< rad [heading_deg]
} SceneMachine;

#define SCENE_TRENCH_STRIP 1.0 ///< m around a trench in which `setback_m3` finds soil that lies there

/// A trench to be dug: a box below the surface, and where its soil goes.
typedef struct SceneTrench {
    double x, y; ///< m, middle of the near end (the end nearest the machine)
    double heading; ///< rad [heading_deg], direction of its length, away from the near end
    double length; ///< m, 1..50
    double width; ///< m, 0.5..10
    double depth; ///< m, 0.2..6
    double tolerance; ///< m, 0.01..0.5
    double dump_x, dump_y; ///< m, middle of the dump circle
    double dump_radius; ///< m, 0.5..20
} SceneTrench;

/// A truck bed to be filled: an open box whose measures the scene states, or a truck's file. Without a SceneHaul it
/// stands still.
typedef struct SceneTruck {
    double x, y; ///< m, middle of the bed
    double heading; ///< rad [heading_deg]
    double bed_length; ///< m, 2..10
    double bed_width; ///< m, 1.5..5
    double bed_height; ///< m, 0.3..3: height of the side walls above the bed's floor
    double floor_height; ///< m, 0.5..3: height of the bed's floor above z = 0
    double target_mass; ///< kg, 100..1000000: of one truck that stands still, or of all loads of a haul
    double dig_x, dig_y; ///< m: where the soil is to be taken
    char file[SCENE_NAME_LENGTH]; ///< name of a truck's file, which then states the bed; "" = none
    double tail_height; ///< m over the floor, of the tail: from the file; 0 = as bed_height
} SceneTruck;

/// A place a truck drives to: the middle of its bed there, and its heading.
typedef struct ScenePose {
    double x, y; ///< m
    double heading; ///< rad [heading_deg]
} ScenePose;

/// Trucks that come, are loaded where SceneTruck says, drive to a dump, tip and come back. Ways between places are arcs
/// of the truck's turning circle and straights (truck_way.h).
typedef struct SceneHaul {
    int trucks; ///< 1..SCENE_MAX_TRUCKS, default 1; they take turns; 0 = no haul
    double load_mass; ///< kg, 100..500000, at most the payload, default the payload: with so much a driver leaves
    ScenePose wait; ///< from here a truck backs to the spot, when that is free
    ScenePose turn; ///< from here it backs to the dump
    ScenePose dump; ///< here it tips, over its tail; a heap that lies there makes it stop earlier
    double dump_radius; ///< m, 2..30, default 8: what lies so near to the dump is no spill
    int out_count, back_count; ///< 0..SCENE_MAX_VIA
    ScenePose out[SCENE_MAX_VIA]; ///< driven through on the way from the spot to `turn`
    ScenePose back[SCENE_MAX_VIA]; ///< driven through on the way from the dump to `wait`
} SceneHaul;

/// What an incident costs in an exercise.
typedef struct SceneRule {
    Incident incident; ///< [event]
    char thing[32]; ///< words that the name of what was met holds; "" = whatever it is
    double energy; ///< J [energy_kj], 0..1e6, default 0: less is no matter
    int limit; ///< 0..1000, default 0: so many are let pass
    double points; ///< 0..100, default 0: off the score for each beyond
    bool fail; ///< no (default) | yes: the first beyond ends the attempt
} SceneRule;

/// What a score is made of, and how a debrief sorts it.
#define SCORE_GROUPS(X)                                                                                                \
    X(WORK, work)                                                                                                      \
    X(ACCURACY, accuracy)                                                                                              \
    X(TIME, time)                                                                                                      \
    X(SPILL, spill)                                                                                                    \
    X(MACHINE, machine)                                                                                                \
    X(SAFETY, safety)                                                                                                  \
    X(SKILL, skill)
typedef enum ScoreGroup {
#define X(id, name) SCORE_GROUP_##id,
    SCORE_GROUPS(X)
#undef X
        SCORE_GROUP_COUNT
} ScoreGroup;

/// One row of the score: weight x share x scale, where share = (value - zero) / (full - zero) within 0..1, and scale is
/// 1 or the value of another metric.
typedef struct SceneScore {
    Metric metric; ///< none of the score's own
    ScoreGroup group; ///< default work
    double weight; ///< points, 0..100; those of all rows are 100 together
    double full, zero; ///< -1e9..1e9 in the metric's unit, not equal: values with all points, and with none
    Metric of; ///< a share that scales the points, since what was not done cannot be done well; METRIC_SCORE: nothing
    double fail_below, fail_above; ///< in the metric's unit, judged at the end; default -1e300, 1e300: no limit
    char label[64]; ///< words for people; "" = the metric's phrase
} SceneScore;

/// A step of an exercise. It is done, for good, once the metric is at least, or at most, what it says.
typedef struct SceneStep {
    char text[SCENE_TEXT];
    Metric metric;
    double least; ///< in the metric's unit; -1e300: not said
    double most; ///< in the metric's unit; 1e300: not said; exactly one of the two is
} SceneStep;

/// A usual mistake, and what to do about it: shown after the exercise when the metric is beyond its limit.
typedef struct SceneFault {
    char text[SCENE_TEXT];
    Metric metric;
    double below, above; ///< in the metric's unit; -1e300, 1e300: not said; exactly one of the two is
} SceneFault;

typedef enum SceneTargetWhat { SCENE_TARGET_TIP, SCENE_TARGET_MACHINE } SceneTargetWhat;

/// A place that is to be reached, the first of the list first, the next one then.
typedef struct SceneTarget {
    SceneTargetWhat what; ///< tip (default): of the tool's edge | machine: the middle of its tracks, in plan
    double x, y; ///< m
    double z; ///< m, -10..20, world, default 0; not read of a machine
    double radius; ///< m, 0.05..20, default 0.3: nearer counts as there
    double hold; ///< s that it is to stay there, 0..60, default 0
    double heading; ///< rad [heading_deg] of a machine
    double heading_tolerance; ///< rad [heading_tolerance_deg, 1..180], default 180 degrees: any heading
} SceneTarget;

/// A question before the work; the levers are locked until all are answered.
typedef struct SceneQuestion {
    char text[SCENE_TEXT];
    int answers_count; ///< 2..SCENE_MAX_ANSWERS
    char answers[SCENE_MAX_ANSWERS][SCENE_TEXT];
    int right; ///< 1..answers_count
    char why[SCENE_TEXT]; ///< shown with the right answer
} SceneQuestion;

/// What a thing of a walk-round looks like: one that is to be reported beside one that is fine.
#define SCENE_THING_LOOKS(X)                                                                                           \
    X(GLASS_LOW, "glass-low") /* a sight glass with oil below its lower mark */                                        \
    X(GLASS_FULL, "glass-full") /* between its marks */                                                                \
    X(PIN_LOOSE, "pin-loose") /* a pin that has come out, its retainer bolt gone */                                    \
    X(PIN, "pin")                                                                                                      \
    X(HOSE_LEAKING, "hose-leaking") /* with drops and a wet trail */                                                   \
    X(HOSE, "hose")                                                                                                    \
    X(SHOE_BROKEN, "shoe-broken") /* a track shoe that is cracked through, a bolt gone */                              \
    X(SHOE, "shoe")                                                                                                    \
    X(GUARD_MISSING, "guard-missing") /* bare bolts and a dark opening */                                              \
    X(GUARD, "guard")                                                                                                  \
    X(BALL, "ball")                                                                                                    \
    X(PERSON, "person")                                                                                                \
    X(PUDDLE_OIL, "puddle-oil")                                                                                        \
    X(PUDDLE_WATER, "puddle-water")
typedef enum SceneThingLook {
#define X(id, name) SCENE_THING_##id,
    SCENE_THING_LOOKS(X)
#undef X
        SCENE_THING_LOOK_COUNT
} SceneThingLook;

/// A thing to look at on a walk round the machine.
typedef struct SceneThing {
    char name[SCENE_THING_NAME]; ///< for people: "sight glass of the hydraulic oil"
    SceneThingLook look;
    char body[16]; ///< [on] body of the machine that it is on; "" = it lies on the site
    /// m [at]: in the body's frame; of the site x and y in the world, and the height over the ground
    double at[3];
    double heading; ///< rad [heading_deg], default 0: about the upward axis of that frame; out of the machine
    double reach; ///< m, 0.5..5, default 2: from the eye, to look at it closely
    bool report; ///< no: it is fine | yes: it must be reported before the work
    char text[SCENE_TEXT]; ///< what is seen from near; does not say whether it is fine
    char why[SCENE_TEXT]; ///< shown after the answer; "" = nothing
} SceneThing;

/// A walk round the machine on foot before the work; without things there is none.
typedef struct SceneWalkRound {
    double x, y; ///< m: where the operator stands at the start
    double heading; ///< rad [heading_deg]: where the operator looks, default 0
    int things_count; ///< 0, 1..SCENE_MAX_THINGS
    SceneThing things[SCENE_MAX_THINGS];
} SceneWalkRound;

/// Whether the machine is started by the operator.
typedef enum SceneSwitches {
    SCENE_SWITCHES_NONE, ///< the scene has no start-up: engine running, safety lever down, high range, full power
    SCENE_SWITCHES_OFF, ///< [switches: no] the same, and all that a start-up is judged by counts as done
    SCENE_SWITCHES_ON, ///< [switches: yes] engine off and safety lever up at the start
} SceneSwitches;

typedef struct SceneStartUp {
    SceneSwitches switches;
    double oil; ///< degC [oil_c -20..80], default 15: hydraulic oil at the start
    double air; ///< degC [air_c -20..50], default 15
} SceneStartUp;

/// Hard ground that is to be broken with a dozer's ripper: a rectangle, down to a depth.
typedef struct SceneRip {
    double x, y; ///< m, middle of the near end
    double heading; ///< rad [heading_deg], direction of its length, away from the near end
    double length; ///< m, 1..50
    double width; ///< m, 0.3..30
    double depth; ///< m below the ground at the start, 0.1..1, no more than the ripper reaches; 0: nothing is asked
} SceneRip;

/// What is lifted, and its sling: a pipe, a log, which is solid, or a trench box: two upright plates with struts
/// between them, open at the ends, which is lifted by the upper edge and holds the walls of a trench.
typedef struct HungLoadParams {
    double mass; ///< kg, 20..10000; of a log from its density
    double length; ///< m, 0.5..15
    double density; ///< kg/m3, 300..1300: of a log's wood; 0: it is a pipe
    double friction; ///< Coulomb's, 0.05..1.2, of steel on it: default 0.4 (pipe), 0.5 (log)
    double radius; ///< m, 0.05..1.5: outside; 0 of a box
    /// m, 0.002..radius, of a box up to a quarter of its width: thickness of a pipe's wall or a plate; of a log its
    /// radius
    double wall;
    double width, height; ///< m, 0.5..5, 0.5..6: of a box, outside; 0: it is none
    double rating; ///< Pa [rating_kpa 1..500]: pressure of the soil that a box bears; 0 of others
    double sling; ///< m, 0.3..10: length of each leg, from the lifting eye to the load's surface; 0: it has none
    /// m, 0..0.95 of the length, less than twice the sling, default 0: between the places where two legs hold the pipe;
    /// 0: one leg holds it in the middle
    double spread;
} HungLoadParams;

/// m from the middle of a load down to its underside, and up to where its sling meets it.
static inline double hung_load_half_height(const HungLoadParams *params)
{
    return params->height > 0.0 ? 0.5 * params->height : params->radius;
}
/// m across its length from its middle to its side.
static inline double hung_load_half_width(const HungLoadParams *params)
{
    return params->height > 0.0 ? 0.5 * params->width : params->radius;
}

/// Walls of ground that are reported when they fall (wall_fell).
typedef struct SceneWalls {
    double mass; ///< kg, 50..1e5: that falls at once, at least; 0: none is reported
    double height; ///< m, 0.3..10, default 1: of the wall, at least
} SceneWalls;

/// A load that lies on the site and is to be lifted with an excavator's eye or its grab, and where it is to be laid
/// down.
typedef struct SceneLoad {
    char name[32]; ///< name for people: "pipe"
    HungLoadParams pipe;
    double x, y; ///< m, its middle at the start
    double heading; ///< rad [heading_deg]
    bool hooked; ///< no (default) | yes: it hangs in the eye at the start, and lies below it
    double tag_lines; ///< N, 0..500, default 0: with which hands at both ends turn it while it hangs; 0: without hands
    struct SceneLoadPlace {
        double x, y; ///< m: where its middle is to lie
        double heading; ///< rad [heading_deg]: of its axis, either way round
        double within; ///< m, 0.02..5: nearer counts as there; 0: it has no place
        double within_angle; ///< rad [within_deg 0.5..90]
    } place;
} SceneLoad;

/// A tool that stands on the site at the start, for a machine with a coupler that takes it from the cab.
typedef struct SceneTool {
    char attachment[SCENE_NAME_LENGTH]; ///< name of an attachment's file
    double x, y; ///< m: under its first pin
    double heading; ///< rad [heading_deg]: to where its edge looks
} SceneTool;

typedef struct SceneExercise {
    ExerciseKind kind; ///< free | trench | truck-loading | tasks
    double time_limit; ///< s, 10..36000
    double par_time; ///< s: a good operator's time
    SceneTrench trench; ///< of EXERCISE_TRENCH
    SceneTruck truck; ///< of EXERCISE_TRUCK_LOADING
    SceneHaul haul; ///< of EXERCISE_TRUCK_LOADING with a truck's file; optional
    SceneSurface surface; ///< of any kind; optional
    SceneRip rip; ///< of any kind, of a dozer; optional
    int rules_count; ///< 0..SCENE_MAX_RULES
    SceneRule rules[SCENE_MAX_RULES];
    /// 0..100 off the score for each damage of a class, beside rules: default 2, 10 and 40 of a truck [truck_scratch,
    /// truck_dent, truck_wreck], 1, 10 and 30 of a fixture [fixture_scratch, fixture_crack, fixture_fall]
    double damage_points[DAMAGE_OWNERS][DAMAGE_CLASSES];
    double pass_mark; ///< points from which it is passed, 0..100, default 70
    int scores_count; ///< 0..SCENE_MAX_SCORES; 0: nothing is scored
    SceneScore scores[SCENE_MAX_SCORES];
    int steps_count; ///< 0..SCENE_MAX_STEPS; of EXERCISE_TASKS at least one
    SceneStep steps[SCENE_MAX_STEPS];
    int targets_count; ///< 0..SCENE_MAX_TARGETS
    SceneTarget targets[SCENE_MAX_TARGETS];
    int questions_count; ///< 0..SCENE_MAX_QUESTIONS
    SceneQuestion questions[SCENE_MAX_QUESTIONS];
    char goal[512]; ///< what is learnt and why; "" = the description says it
    int hints_count; ///< 0..SCENE_MAX_HINTS
    char hints[SCENE_MAX_HINTS][SCENE_TEXT];
    int faults_count; ///< 0..SCENE_MAX_FAULTS
    SceneFault faults[SCENE_MAX_FAULTS];
    char expert[SCENE_NAME_LENGTH]; ///< demonstration: "auto", or a name under data/experts; "" = none
    char expose[32]; ///< words that the names of the fixtures hold that are to be dug free; "" = none
    int loads_count; ///< 0..SCENE_MAX_LOADS; not of EXERCISE_TRUCK_LOADING
    SceneLoad loads[SCENE_MAX_LOADS];
    struct SceneRockPlace {
        double x, y; ///< m: middle of the circle in which the rocks are to lie
        double radius; ///< m, 0.3..20; 0: they have no place
    } rock_place;
    double oversize; ///< m, 0.2..1.5: rocks of more are to be broken; 0: nothing is measured of rocks
    char picture[SCENE_NAME_LENGTH]; ///< PNG under data/pictures/scenes, without suffix; "" = of the scene's name
    SceneWalkRound walk_round; ///< of any kind; optional
    SceneStartUp start_up; ///< of any kind; optional
    int tools_count; ///< 0..SCENE_MAX_TOOLS
    SceneTool tools[SCENE_MAX_TOOLS];
    SceneWalls walls; ///< of any kind; optional
} SceneExercise;

/// True when the exercise has the part, and so measures what is of it.
static inline bool scene_has_part(const SceneExercise *exercise, MetricPart part)
{
    switch (part) {
    case METRIC_OF_ANY:
        return true;
    case METRIC_OF_WORK:
        return exercise->kind == EXERCISE_TRENCH || exercise->kind == EXERCISE_TRUCK_LOADING;
    case METRIC_OF_TRENCH:
        return exercise->kind == EXERCISE_TRENCH;
    case METRIC_OF_TRUCK:
        return exercise->kind == EXERCISE_TRUCK_LOADING;
    case METRIC_OF_HAUL:
        return exercise->haul.trucks > 0;
    case METRIC_OF_STEPS:
        return exercise->steps_count > 0;
    case METRIC_OF_TARGETS:
        return exercise->targets_count > 0;
    case METRIC_OF_QUESTIONS:
        return exercise->questions_count > 0;
    case METRIC_OF_EXPOSING:
        return exercise->expose[0] != '\0';
    case METRIC_OF_SURFACE:
        return exercise->surface.parts_count > 0 || exercise->surface.file[0] != '\0' ||
               exercise->surface.heights[0] != '\0';
    case METRIC_OF_COMPACTION:
        return exercise->surface.compaction > 0.0;
    case METRIC_OF_ROCKS:
        return exercise->oversize > 0.0;
    case METRIC_OF_ROCK_PLACE:
        return exercise->rock_place.radius > 0.0;
    case METRIC_OF_RIPPING:
        return exercise->rip.depth > 0.0;
    case METRIC_OF_LOADS:
        return exercise->loads_count > 0;
    case METRIC_OF_WALK_ROUND:
        return exercise->walk_round.things_count > 0;
    case METRIC_OF_START_UP:
        return exercise->start_up.switches != SCENE_SWITCHES_NONE;
    case METRIC_OF_TOOLS:
        return exercise->tools_count > 0;
    }
    return false;
}

/// Whether points are given for anything.
static inline bool scene_is_scored(const SceneExercise *exercise)
{
    return exercise->scores_count > 0;
}

#define SCENE_LONG_LIMIT 3600.0 ///< s: a free scene's limit beyond this one only ends runs without a person

/// The time limit that is shown, s; 0: none.
static inline double scene_told_limit(const SceneExercise *exercise)
{
    bool endless = exercise->kind == EXERCISE_FREE && exercise->time_limit > SCENE_LONG_LIMIT;
    return endless ? 0.0 : exercise->time_limit;
}

/// A volume that is full of loose grains at the start: a closed mesh, or a box (exactly one of the two).
typedef struct SceneGrains {
    char obj[SCENE_NAME_LENGTH]; ///< name of a file under data/meshes, or a path; "" = the box
    double box[3]; ///< m, 0.1..50: along x, along y, height; the middle of its base lies at x, y, z
    char soil[SOIL_NAME_LENGTH];
    double radius; ///< m, of the largest grain, 0.01 to the scene's particle radius; default 0 = that
    double x, y, z; ///< m: where the mesh's origin lies
    double scale; ///< m a unit of the mesh, 0.001..1000, default 1
    int soil_index;
    const char *text; ///< of the OBJ file, checked; belongs to the DataFiles of the load; NULL for a box
    size_t text_size; ///< bytes
} SceneGrains;

typedef enum SceneRockShape { SCENE_ROCK_ANGULAR, SCENE_ROCK_ROUNDED, SCENE_ROCK_SLAB } SceneRockShape;

/// Boulders that lie on the site at the start: one, or several as a heap that has come to rest. Their shapes follow
/// from the seed; each is convex.
typedef struct SceneRocks {
    double x, y; ///< m: where the rock lies, or the middle of the heap
    double z; ///< m, -1..20, default 0: of the lowest point over the ground; below 0 they are buried, above 0 they fall
    double size; ///< m, 0.2..1.5: diameter of a sphere of the same volume
    double largest; ///< m, size..1.5, default size: sizes are spread evenly from size to largest
    SceneRockShape shape; ///< angular (default) | rounded | slab
    int count; ///< 1..SCENE_MAX_ROCKS, default 1
    double spread; ///< m, 0..20, default 0: radius of the circle they are dropped in
    double density; ///< kg/m3, 1500..4000, default 2600 (granite, limestone; Blake 1975)
    /// J sqrt(m) / kg [work_index in kWh/t, 5..30, default 15 (granite; limestone 12; Bond 1961)]: what blows take to
    /// break them
    double work_index;
} SceneRocks;

/// What runs through a buried pipe.
typedef enum SceneMedium { SCENE_MEDIUM_NONE, SCENE_MEDIUM_WATER, SCENE_MEDIUM_GAS, SCENE_MEDIUM_CABLE } SceneMedium;

/// A pipe or duct in use, of a fixture that is a pipe. A blow or a thrust beyond what its wall bears breaks it
/// (damage_limits.h).
typedef struct SceneUtility {
    SceneMedium medium; ///< water | gas | cable; SCENE_MEDIUM_NONE: the fixture has no utility
    double wall; ///< m [wall_mm 1..100]; 0 (default): 1/17 of the diameter
    double strength; ///< Pa [strength_mpa 5..1000], default 25 MPa (polyethylene PE 100): tensile, of the wall
    double limit; ///< J [limit_kj 0.01..1000] of a blow that breaks it; 0 (default): by wall and strength
    double pressure; ///< Pa over the air's [pressure_kpa 10..2000], default 400 kPa, of water
    double hole; ///< m [hole_mm 5..500], default 50 mm: diameter of the hole that water leaves by
    double leak_time; ///< s, 1..600, default 30: after so much leaking the attempt is over
} SceneUtility;

typedef enum SceneFixtureShape { SCENE_FIXTURE_BOX, SCENE_FIXTURE_POST, SCENE_FIXTURE_PIPE } SceneFixtureShape;

/// A thing that stands on the site for good: a wall, a container, a barrier, a pipe rack, a post; or that lies in it: a
/// pipe, a chamber. Machine and rocks touch it, and soil leans on it and lies on it.
typedef struct SceneFixture {
    char name[32]; ///< name for people: "wall"
    SceneFixtureShape shape; ///< box (default) | post | pipe: a level cylinder
    double x, y; ///< m: its middle
    double heading; ///< rad [heading_deg]: where its length points
    double length; ///< m, 0.05..50: of a box and a pipe, along the heading
    double width; ///< m, 0.05..50: of a box
    double radius; ///< m, 0.02..5: of a post and a pipe
    double z; ///< m, -5..30, world: of a pipe's axis
    /// m, -5..30, over the level of the site; bottom < top; default of `bottom` -0.5; of a pipe z - radius, z + radius
    double bottom, top;
    SceneUtility utility; ///< of a pipe; optional
    /// J [damage_kj 0.001..1e5 each] of a blow that scratches it, cracks or bends it, and pushes it over, ascending; 0
    /// (default): by its measures (damage_limits.h)
    double damage[DAMAGE_CLASSES];
} SceneFixture;

enum { SCENE_MAX_WAY_POINTS = 8 };
#define SCENE_WALK_CLEAR 0.6 ///< m from what a person goes round: half a person's width and a hand's breadth. Chosen

/// What a person does on the site beside standing there.
typedef enum ScenePersonRole {
    SCENE_ROLE_NONE, ///< no task of the exercise
    SCENE_ROLE_BANKSMAN, ///< faces the machine and gives arm signals
    SCENE_ROLE_SLINGER, ///< hooks and unhooks the loads of the exercise
} ScenePersonRole;

/// A place on a person's way.
typedef struct SceneWayPoint {
    double x, y; ///< m
    double wait; ///< s that the person stands there, 0..600, default 0
} SceneWayPoint;

/// A person's way over the site, from where the person stands. It begins when both conditions hold.
typedef struct SceneWay {
    double speed; ///< m/s, 0.2..3, default 1.4 (Bohannon 1997: comfortable walking of adults)
    double after; ///< s from the start, 0..36000, default 0
    struct SceneWayWhen {
        Metric metric;
        double least; ///< in the metric's unit, above 0; 0: no such condition
    } when;
    bool loop; ///< no (default): the person stays at the last point | yes: back to the start, and again
    int points_count; ///< 1..SCENE_MAX_WAY_POINTS; 0: there is no way
    SceneWayPoint points[SCENE_MAX_WAY_POINTS];
} SceneWay;

/// J: EN 397 lets a striker of 5 kg fall by 1 m on a safety helmet.
#define SCENE_SOIL_HURTS 49.0

/// A person on the site: an upright capsule. Reaching it with machine, load, rock, truck or falling soil hurts the
/// person and ends the attempt; nobody is pushed.
typedef struct ScenePerson {
    char name[32]; ///< name for people: "surveyor"
    double x, y; ///< m: at the start
    double radius; ///< m, 0.1..1, default 0.25
    double height; ///< m, 0.5..2.5, default 1.8, at least twice the radius
    double zone; ///< m about the person, 0..30, that is to be kept clear; default 0: none
    ScenePersonRole role; ///< none (default) | banksman | slinger; one of each at most
    double keeps_clear; ///< m from machine and hanging loads, 0..15, default 0: does not step back from them
    double hook_time; ///< s that a slinger takes to hook or unhook, 1..60, default 4
    SceneWay path; ///< optional
    double soil_energy; ///< J of falling soil that hurts the person, 1..10000, default SCENE_SOIL_HURTS
} ScenePerson;

#define SCENE_NO_LIMIT 1e300 ///< of a limit that a scene does not state: never passed

enum { SCENE_LANGUAGE = 36 }; ///< bytes of a language's tag (RFC 5646, 4.4.1) with its NUL

typedef struct SceneParams {
    char name[SCENE_NAME_LENGTH]; ///< file name without .yaml
    char title[96];
    char description[512]; ///< what the operator is to do, one or two sentences
    char language[SCENE_LANGUAGE]; ///< that its texts are written in, a BCP 47 tag ("en", "pt-BR"); "" = not stated
    uint64_t seed; ///< default seed, 0..2^63-1
    SceneRates rates;
    SceneMachine machine;
    SceneGround ground;
    SceneParticles particles;
    SceneExercise exercise;
    SceneWeather weather;
    /// Every soil the scene names, loaded. Index = soil id everywhere.
    int soil_count;
    SoilParams soils[SCENE_MAX_SOILS];
    int grains_count; ///< 0..SCENE_MAX_GRAINS
    SceneGrains grains[SCENE_MAX_GRAINS];
    int rocks_count; ///< 0..SCENE_MAX_ROCK_GROUPS
    SceneRocks rocks[SCENE_MAX_ROCK_GROUPS];
    int fixtures_count; ///< 0..SCENE_MAX_FIXTURES
    SceneFixture fixtures[SCENE_MAX_FIXTURES];
    int persons_count; ///< 0..SCENE_MAX_PERSONS
    ScenePerson persons[SCENE_MAX_PERSONS];
    TruckParams truck; ///< of exercise.truck.file; zero without
} SceneParams;

/// ---- texts ---------------------------------------------------------------------------------------------------------

/// `key`: the dotted place of the text in the scene's file ("exercise.steps.0.text"); `size`: bytes that a text of this
/// place may have, its end included. The visitor may write another text there.
typedef void SceneTextVisitor(void *context, const char *key, char *text, size_t size);

/// Calls `visit` once for each text of the scene that is not empty, in the order of its file's reference: title,
/// description, goal, steps, hints, faults, questions, labels.
void scene_visit_texts(SceneParams *scene, SceneTextVisitor *visit, void *context);

/// ---- courses -------------------------------------------------------------------------------------------------------

/// A course is exercises in the order in which they are learnt. File: data/courses/NAME.yaml.

enum { COURSE_MAX_EXERCISES = 32, COURSE_NAME_LENGTH = 64, COURSE_LANGUAGE = 36 };

typedef struct CourseExercise {
    char scene[COURSE_NAME_LENGTH]; ///< name of a scene's file, each once
    int difficulty; ///< 1 (first lever) .. 5, 0: not stated
    double needs; ///< 0..100 points that open the next one, default 0: the exercise's own pass mark
} CourseExercise;

typedef struct CourseParams {
    char name[COURSE_NAME_LENGTH]; ///< file name without .yaml
    char title[96];
    char description[512];
    char language[COURSE_LANGUAGE]; ///< that its texts are written in, as SceneParams.language
    int place; ///< 1..100, default 50: courses are listed by it, and by name where it is the same
    int exercises_count; ///< 1..COURSE_MAX_EXERCISES
    CourseExercise exercises[COURSE_MAX_EXERCISES];
} CourseParams;

#endif
