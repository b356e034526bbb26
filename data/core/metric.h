/// What exercises count and measure: incidents on a site, and metrics. By these names scenes score them, recordings
/// keep them and reports show them.
#ifndef SPADEWORK_DATA_METRIC_H
#define SPADEWORK_DATA_METRIC_H

#include <math.h>

/// ---- incidents -----------------------------------------------------------------------------------------------------

/// Kinds of incidents: identifier, name in recordings and in the rules of scenes, phrase for people.
#define INCIDENTS(X)                                                                                                   \
    X(TOUCH, touch, "touched something") /* a part of the machine runs into a fixture or a truck */                    \
    X(PERSON_HIT, person_hit, "a person was hit") /* a part of the machine, or a truck, reaches a person */            \
    X(PERSON_ZONE, person_zone, "too near to a person") /* a part comes into its zone, not higher than it */           \
    X(SWING_OVER_PERSON, swing_over_person, "swung over a person") /* arm or tool pass over a person's zone */         \
    X(LOAD_OVER_PERSON, load_over_person, "a load hung over a person") /* over its zone, or over itself */             \
    X(TIP_BEGINS, tip_begins, "began to tip") /* the tracks lift off under its own load */                             \
    X(TIP_ENDS, tip_ends, "tipped and stood again") /* and stands again */                                             \
    X(TIPPED_OVER, tipped_over, "tipped over") /* the machine lies */                                                  \
    X(LIFTED, lifted, "lifted off its tracks") /* the tool presses the machine off its tracks */                       \
    X(FELL_INTO_HOLE, fell_into_hole, "fell into a hole") /* over an edge, and into what is beyond */                  \
    X(TRACK_OFF_EDGE, track_off_edge, "a track went over an edge") /* its end has nothing below it */                  \
    X(BUCKET_OVER_CAB, bucket_over_cab, "bucket over a truck's cab") /* the tool is over a truck's cab */              \
    X(SLAM, slam, "a cylinder ran into its stop") /* a cylinder runs into its end stop */                              \
    X(TRUCK_OVERLOAD, truck_overload, "a truck was overloaded") /* a truck carries more than it may */                 \
    X(TRUCK_TIPPED, truck_tipped, "a truck tipped over") /* a truck lies */                                            \
    X(SITE_LEFT, site_left, "left the site") /* a track, or the tool's body, crosses the site's edge */                \
    X(MAIN_BROKEN, main_broken, "a water main was broken") /* it leaks from here on */                                 \
    X(FLOODED, flooded, "a broken main flooded the site") /* for as long as the scene allows */                        \
    X(GAS_PIPE_BROKEN, gas_pipe_broken, "a gas pipe was broken") /* gas escapes */                                     \
    X(CABLE_HIT, cable_hit, "a power cable was hit") /* and arcs */                                                    \
    X(TRUCK_DAMAGED, truck_damaged, "a truck was damaged") /* by a blow of the machine */                              \
    X(FIXTURE_DAMAGED, fixture_damaged, "something on the site was damaged") /* so */                                  \
    X(SIGNAL_IGNORED, signal_ignored, "worked against a stop signal") /* of the banksman */                            \
    X(SLINGER_ENDANGERED, slinger_endangered, "moved with the slinger at the load") /* machine or load moved */        \
    X(WALL_FELL, wall_fell, "a wall of ground fell") /* an intact face that is as high and heavy as the scene says */  \
    X(PERSON_BURIED, person_buried, "a person was buried") /* by a face that fell: the attempt is over */              \
    X(BOX_OVERLOADED, box_overloaded, "a trench box was overloaded") /* the soil presses more than it is rated for */

typedef enum Incident {
#define X(kind, name, phrase) INCIDENT_##kind,
    INCIDENTS(X)
#undef X
        INCIDENT_COUNT
} Incident;

extern const char *const incident_names[INCIDENT_COUNT]; ///< "touch", "person_hit", ...
extern const char *const incident_phrases[INCIDENT_COUNT]; ///< "touched something", "a person was hit", ...

/// ---- metrics -------------------------------------------------------------------------------------------------------

/// What kind of number a figure is.
typedef enum MetricKind {
    METRIC_IS_AMOUNT, ///< in its unit
    METRIC_IS_ERROR, ///< m off what was asked: people read centimetres
    METRIC_IS_SHARE, ///< 0..1 of something
    METRIC_IS_NUMBER, ///< of things or times, whole
    METRIC_IS_POINTS, ///< of the score, which follows from the others
} MetricKind;

/// Which part of an exercise a figure is about.
typedef enum MetricPart {
    METRIC_OF_ANY,
    METRIC_OF_WORK, ///< an exercise that is not free
    METRIC_OF_TRENCH,
    METRIC_OF_TRUCK,
    METRIC_OF_HAUL,
    METRIC_OF_STEPS,
    METRIC_OF_TARGETS,
    METRIC_OF_QUESTIONS,
    METRIC_OF_EXPOSING,
    METRIC_OF_SURFACE,
    METRIC_OF_COMPACTION,
    METRIC_OF_ROCKS,
    METRIC_OF_RIPPING,
    METRIC_OF_LOADS,
    METRIC_OF_WALK_ROUND,
    METRIC_OF_START_UP,
    METRIC_OF_TOOLS,
    METRIC_OF_ROCK_PLACE,
} MetricPart;

/// Every figure but the counts of incidents: identifier, name, unit ("1" has none), kind, part, phrase for people.
#define METRICS(X)                                                                                                     \
    X(SCORE, score, "1", POINTS, ANY, "score")                                                                         \
    X(POINTS_WORK, points_work, "1", POINTS, ANY, "points for the work done")                                          \
    X(POINTS_ACCURACY, points_accuracy, "1", POINTS, ANY, "points for accuracy")                                       \
    X(POINTS_TIME, points_time, "1", POINTS, ANY, "points for time")                                                   \
    X(POINTS_SPILL, points_spill, "1", POINTS, ANY, "points for spill")                                                \
    X(POINTS_MACHINE, points_machine, "1", POINTS, ANY, "points for the care of the machine")                          \
    X(POINTS_SAFETY, points_safety, "1", POINTS, ANY, "points for safety")                                             \
    X(POINTS_SKILL, points_skill, "1", POINTS, ANY, "points for skill")                                                \
    X(POINTS_INCIDENTS, points_incidents, "1", POINTS, ANY, "points that incidents cost")                              \
    X(FINISHED, finished, "1", POINTS, ANY, "1 when the attempt was driven to its end and judged")                     \
    X(PASSED, passed, "1", POINTS, ANY, "1 when the exercise is passed")                                               \
    X(TIME, time_s, "s", AMOUNT, ANY, "time driven")                                                                   \
    X(WORK_SHARE, work_share, "1", SHARE, ANY, "share of the work done")                                               \
    X(PACE_SHARE, pace_share, "1", SHARE, ANY, "pace, as a share of that of the par time")                             \
    X(CYCLES, cycles, "1", NUMBER, ANY, "cycles")                                                                      \
    X(MOVED, moved_kg, "kg", AMOUNT, ANY, "soil moved")                                                                \
    X(PRODUCTION, production_m3_per_h, "m3/h", AMOUNT, ANY, "production: soil delivered, bank volume")                 \
    X(MEAN_BUCKET, mean_bucket_kg, "kg", AMOUNT, ANY, "mean load of a cycle")                                          \
    X(CARRIED_CURLED, carried_curled_kg, "kg", AMOUNT, ANY, "load when the bucket is curled")                          \
    X(CARRIED_CLEAR, carried_clear_kg, "kg", AMOUNT, ANY, "load when the edge leaves the ground")                      \
    X(CARRIED_SWING, carried_swing_kg, "kg", AMOUNT, ANY, "load when the swing begins")                                \
    X(CARRIED_DUMP, carried_dump_kg, "kg", AMOUNT, ANY, "load before it is dumped")                                    \
    X(MEAN_CYCLE, mean_cycle_s, "s", AMOUNT, ANY, "mean cycle")                                                        \
    X(DIG_TIME, dig_s, "s", AMOUNT, ANY, "digging in a cycle, of a dozer cutting")                                     \
    X(SWING_TIME, swing_s, "s", AMOUNT, ANY, "swinging loaded in a cycle, of a dozer carrying")                        \
    X(DUMP_TIME, dump_s, "s", AMOUNT, ANY, "dumping in a cycle, of a dozer spreading")                                 \
    X(RETURN_TIME, return_s, "s", AMOUNT, ANY, "returning in a cycle")                                                 \
    X(DIG_TOTAL, digging_s, "s", AMOUNT, ANY, "time digging, of a dozer cutting")                                      \
    X(SWING_TOTAL, swinging_loaded_s, "s", AMOUNT, ANY, "time swinging loaded, of a dozer carrying")                   \
    X(DUMP_TOTAL, dumping_s, "s", AMOUNT, ANY, "time dumping, of a dozer spreading")                                   \
    X(RETURN_TOTAL, swinging_empty_s, "s", AMOUNT, ANY, "time swinging empty, of a dozer returning")                   \
    X(TRAVEL_TOTAL, travel_s, "s", AMOUNT, ANY, "time travelling")                                                     \
    X(IDLE_TOTAL, idle_s, "s", AMOUNT, ANY, "time standing idle")                                                      \
    X(SPILLED, spilled_kg, "kg", AMOUNT, WORK, "spilled soil")                                                         \
    X(SPILLED_SHARE, spilled_share, "1", SHARE, WORK, "spilled share of what was moved")                               \
    X(DELIVERED_SHARE, delivered_share, "1", SHARE, WORK, "share of what was moved that lies where it was asked for")  \
    X(REMOVED_SHARE, removed_share, "1", SHARE, TRENCH, "share of the trench that is dug")                             \
    X(MEAN_DEPTH, mean_depth_m, "m", AMOUNT, TRENCH, "mean depth")                                                     \
    X(DUG_WIDTH, dug_width_m, "m", AMOUNT, TRENCH, "width dug")                                                        \
    X(DUG_LENGTH, dug_length_m, "m", AMOUNT, TRENCH, "length dug")                                                     \
    X(WORST_ERROR, worst_depth_error_m, "m", ERROR, TRENCH, "worst error of the floor's height")                       \
    X(RMS_ERROR, rms_depth_error_m, "m", ERROR, TRENCH, "RMS error of the floor's height")                             \
    X(WITHIN_SHARE, within_tolerance_share, "1", SHARE, TRENCH, "share of the dug floor within the tolerance")         \
    X(FINISHED_SHARE, finished_share, "1", SHARE, TRENCH, "share of the whole floor within the tolerance")             \
    X(OVERDIG, overdig_m3, "m3", AMOUNT, TRENCH, "dug too deep")                                                       \
    X(OVERDIG_SHARE, overdig_share, "1", SHARE, TRENCH, "dug too deep, as a share of the trench")                      \
    X(OUTSIDE_DUG, outside_dug_m3, "m3", AMOUNT, TRENCH, "dug beside the trench")                                      \
    X(SETBACK, setback_m3, "m3", AMOUNT, TRENCH, "soil within a metre of the trench")                                  \
    X(DUMPED, dumped_kg, "kg", AMOUNT, TRENCH, "soil on the dump")                                                     \
    X(LOADED, loaded_kg, "kg", AMOUNT, TRUCK, "load of the trucks")                                                    \
    X(TARGET_SHARE, target_share, "1", SHARE, TRUCK, "load as a share of what is asked")                               \
    X(COMPLETE_SHARE, complete_share, "1", SHARE, TRUCK, "1 when the load is complete")                                \
    X(OVERLOAD_SHARE, overload_share, "1", SHARE, TRUCK, "load beyond what is asked, as a share of it")                \
    X(DELIVERED, delivered_kg, "kg", AMOUNT, HAUL, "soil delivered")                                                   \
    X(TRUCK_LOADS, truck_loads, "1", NUMBER, HAUL, "loads that left")                                                  \
    X(PASSES, passes_per_truck, "1", AMOUNT, HAUL, "buckets a truck")                                                  \
    X(STEPS_DONE, steps_done, "1", NUMBER, STEPS, "steps done")                                                        \
    X(STEPS_SHARE, steps_share, "1", SHARE, STEPS, "progress over all steps")                                          \
    X(TARGETS_REACHED, targets_reached, "1", NUMBER, TARGETS, "targets reached")                                       \
    X(TARGETS_SHARE, targets_share, "1", SHARE, TARGETS, "share of the targets reached")                               \
    X(TARGET_TIME, target_s, "s", AMOUNT, TARGETS, "mean time to a target")                                            \
    X(TARGET_ERROR, target_error_m, "m", ERROR, TARGETS, "mean distance from a target's middle")                       \
    X(QUESTIONS_ANSWERED, questions_answered, "1", NUMBER, QUESTIONS, "questions answered")                            \
    X(QUESTIONS_SHARE, questions_share, "1", SHARE, QUESTIONS, "share of the questions answered rightly")              \
    X(EXPOSED_SHARE, exposed_share, "1", SHARE, EXPOSING, "share of the buried length that is dug free")               \
    X(STRUCK, struck_kj, "kJ", AMOUNT, EXPOSING, "hardest knock on what is to be dug free")                            \
    X(SURFACE_WORK, surface_work_share, "1", SHARE, SURFACE, "share of the cut and fill that is done")                 \
    X(SURFACE_WITHIN, surface_within_share, "1", SHARE, SURFACE, "share of the surface within the tolerance")          \
    X(SURFACE_RMS, surface_rms_error_m, "m", ERROR, SURFACE, "RMS error of the surface")                               \
    X(SURFACE_WORST, surface_worst_error_m, "m", ERROR, SURFACE, "worst error of the surface")                         \
    X(SURFACE_CUT, surface_cut_left_m3, "m3", AMOUNT, SURFACE, "left to cut")                                          \
    X(SURFACE_FILL, surface_fill_left_m3, "m3", AMOUNT, SURFACE, "left to fill")                                       \
    X(SURFACE_OVERDIG, surface_overdig_m3, "m3", AMOUNT, SURFACE, "dug below the surface")                             \
    X(COMPACTION_SHARE, compaction_share, "1", SHARE, COMPACTION, "share of the fill that is dense enough")            \
    X(ROCKS_COUNT, rocks_count, "1", NUMBER, ROCKS, "rocks")                                                           \
    X(LARGEST_ROCK, largest_rock_m, "m", AMOUNT, ROCKS, "size of the largest rock")                                    \
    X(OVERSIZE_SHARE, oversize_share, "1", SHARE, ROCKS, "share of the rocks' mass in rocks that are too large")       \
    X(RIPPED_SHARE, ripped_share, "1", SHARE, RIPPING,                                                                 \
      "share of the marked ground that the ripper broke, to its depth")                                                \
    X(RIPPED_DEPTH, ripped_depth_m, "m", AMOUNT, RIPPING, "mean depth to which the ripper broke the marked ground")    \
    X(RIPPER_DRAGGED, ripper_dragged_s, "s", AMOUNT, RIPPING, "time backing or turning with the ripper in the ground") \
    X(LOADS_LIFTED, loads_lifted_share, "1", SHARE, LOADS, "share of the loads that were lifted clear")                \
    X(LOADS_PLACED, loads_placed_share, "1", SHARE, LOADS, "share of the loads that lie unhooked at their places")     \
    X(LOAD_OFFSET, load_offset_m, "m", ERROR, LOADS, "distance of a load from its place, as it last lay")              \
    X(LOAD_HEADING, load_heading_deg, "deg", AMOUNT, LOADS, "error of a load's heading, as it last lay")               \
    X(LOAD_SWING, load_swing_deg, "deg", AMOUNT, LOADS, "largest swing of a load that hung free")                      \
    X(LOAD_IMPACT, load_impact_m_s, "m/s", AMOUNT, LOADS, "speed at which a load was set down, the fastest")           \
    X(TIPPING_SHARE, tipping_share, "1", SHARE, LOADS, "load as a share of what tips the machine, the most")           \
    X(LOOKED_SHARE, looked_share, "1", SHARE, WALK_ROUND, "share of the things on the walk-round that were looked at") \
    X(FOUND_SHARE, found_share, "1", SHARE, WALK_ROUND, "share of the defects and dangers that were reported")         \
    X(FALSE_REPORTS, false_reports, "1", NUMBER, WALK_ROUND, "reports of things that are fine")                        \
    X(EARLY_START, early_start, "1", NUMBER, WALK_ROUND, "1 when climbed in before everything was looked at")          \
    X(SEATED, seated, "1", NUMBER, WALK_ROUND, "1 while the operator sits in the cab")                                 \
    X(ENGINE_RUNNING, engine_running, "1", NUMBER, START_UP, "1 while the engine runs")                                \
    X(LEVER_DOWN, safety_lever_down, "1", NUMBER, START_UP, "1 while the safety lever is down")                        \
    X(HORN_FIRST, horn_first, "1", NUMBER, START_UP, "1 unless the machine moved after a start without the horn")      \
    X(WARM_SHARE, warm_share, "1", SHARE, START_UP, "share of the warm-up of the oil that is done")                    \
    X(COLD_RELIEF, cold_relief_s, "s", AMOUNT, START_UP, "time at relief pressure with cold oil at full throttle")     \
    X(PARKED, parked, "1", NUMBER, START_UP, "1 once parked: tool down, safety lever up, engine off")                  \
    X(HELD, held_s, "s", AMOUNT, ANY, "time since the ground was last settled")                                        \
    X(RELIEF_TIME, relief_s, "s", AMOUNT, ANY, "time at relief pressure")                                              \
    X(RELIEF_SHARE, relief_share, "1", SHARE, ANY,                                                                     \
      "share of the drive at relief pressure (a short one counts as ten minutes)")                                     \
    X(SLIP_TIME, track_slip_s, "s", AMOUNT, ANY, "time with slipping tracks")                                          \
    X(SLIP_SHARE, slip_share, "1", SHARE, ANY,                                                                         \
      "share of the drive with slipping tracks (a short one counts as ten minutes)")                                   \
    X(STALL_TIME, stall_s, "s", AMOUNT, ANY, "time with the engine pulled down")                                       \
    X(TIP_TIME, tip_s, "s", AMOUNT, ANY, "time on the edge of the tracks")                                             \
    X(REVERSALS, lever_reversals, "1", NUMBER, ANY, "lever reversals")                                                 \
    X(TOGETHER_SHARE, together_share, "1", SHARE, ANY, "share of the working time with functions used together")       \
    X(TIP_PATH, tip_path_m, "m", AMOUNT, ANY, "way of the edge")                                                       \
    X(OVERSHOOT, swing_overshoot_deg, "deg", AMOUNT, ANY, "turned back after a swing, mean of the swings")             \
    X(SMOOTHNESS, swing_smoothness, "1", AMOUNT, ANY, "smoothness of swings (log dimensionless jerk), at best -5.3")   \
    X(FUEL, fuel_kg, "kg", AMOUNT, ANY, "fuel")                                                                        \
    X(EVENTS_LOST, events_lost, "1", NUMBER, ANY, "events that there was no room for")                                 \
    X(TOOLS_LAID, tools_laid_down, "1", NUMBER, TOOLS, "tools laid down from the coupler")                             \
    X(TOOLS_TAKEN, tools_taken, "1", NUMBER, TOOLS, "tools taken with the coupler and locked")                         \
    X(TOOLS_DROPPED, tools_dropped, "1", NUMBER, TOOLS, "tools that fell off the coupler")                             \
    X(ROCKS_PLACED, rocks_placed_share, "1", SHARE, ROCK_PLACE, "share of the rocks' mass that lies at its place")

typedef enum Metric {
#define X(id, name, unit, kind, part, phrase) METRIC_##id,
    METRICS(X)
#undef X
#define X(id, name, phrase) METRIC_INCIDENT_##id, /* "touch_count": incidents while the exercise ran */
        INCIDENTS(X)
#undef X
            METRIC_COUNT
} Metric;

typedef struct MetricInfo {
    const char *name; ///< "removed_share", "touch_count"
    const char *unit; ///< "kg"; "1" for none
    const char *phrase; ///< "share of the trench that is dug"
    MetricKind kind;
    MetricPart part;
} MetricInfo;

extern const MetricInfo metric_infos[METRIC_COUNT];

/// Cuts points off after the first decimal, so that 79.96 is never shown as the pass mark 80.
/// points  0..100. Returns points, 0..100
static inline double metric_tenths(double points)
{
    return floor(10.0 * points + 1e-6) / 10.0;
}
static inline double metric_whole(double points)
{
    return floor(points + 1e-6);
}

/// The figure of a name; METRIC_COUNT when there is none.
Metric metric_named(const char *name);

#endif
